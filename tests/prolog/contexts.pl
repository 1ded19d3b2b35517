% Transparent predicates: they run with the module of their callers as their context.

:- use_module(modules/contexts).

local(in_user).
ctx_g.
ctx_context(M) :- context_module(M).

t(context, p(M), [M], answers([[user]])).
t(through_another, q(M), [M], answers([[user]])).
t(strip, r(M), [M], answers([[user]])).
t(calls_variable, s(ctx_g, M), [M], answers([[user]])).
t(calls_variable_there, s(ctx_context(C), M), [C, M], answers([[user, user]])).
t(findall, al(L), [L], answers([[[in_user]]])).
t(from_inside, mm(M), [M], answers([[ctx_d]])).
t(two_clauses, two(M), [M], answers([[user], [2]])).
t(not_transparent, plain(M), [M], answers([[ctx_d]])).
t(last_call_to_plain, told(M), [M], answers([[ctx_d]])).
t(plain_calls_transparent, later(M), [M], answers([[ctx_d]])).
t(named_module, named(M), [M], answers([[ctx_e]])).
t(assert, ( as(1), fact(X), retract(fact(1)), \+ catch(ctx_d:fact(_), _, fail) ), [X], answers([[1]])).
t(at, at(M), [M], answers([[other]])).
t(findall_transparent, fa(L), [L], answers([[[user]]])).
t(dynamic, dp(M), [M], answers([[user]])).
t(asserted, ( asserta(ctx_d:( dp(M0) :- strip_module(a, M0, _) ), R), once(dp(M)), erase(R) ), [M], answers([[user]])).
t(qualified, ctx_d:p(M), [M], answers([[ctx_d]])).
t(at_in_clause, at_plain(X, L), [X, L], answers([[f(2), in_d]])).
t(at_cuts_nothing, at_cut(X), [X], answers([[1], [2]])).
t(at_meta, at_own(X), [X], answers([[other-[in_d]]])).
t(at_called, ( G = @(context_module(M), other), call(G), maplist([X]>>(@(X, other)), [true, atom(a), M == other]) ), [M], answers([[other]])).
t(at_unknown, catch(@(ctx_nothing, other), error(existence_error(procedure, P), _), true), [P], answers([[ctx_nothing/0]])).
t(at_library, ( assertz(ctx_o:l(1)), @(forall(l(X), X == 1), ctx_o) ), [], answers([[]])).
t(at_into_library, catch(@(forall(ctx_nothing, true), lists), error(existence_error(procedure, P), _), true), [P], answers([[lists:ctx_nothing/0]])).
t(at_other, @(ctx_d:p(M), zoo), [M], answers([[zoo]])).
t(at_control, ( @((true, p(M)), zoo), @((fail ; local(X)), zoo), @(( local(X) -> true ; fail ), zoo), G = (\+ \+ local(in_user), p(N)), @(G, zoo) ), [M, N, X], answers([[zoo, zoo, in_user]])).
t(at_control_cut, ( @(( member(Y, [1, 2]), ! ), zoo) ; Y = 3 ), [Y], answers([[1], [3]])).
t(at_own, @(p(M), zoo), [M], answers([[zoo]])).
t(recursion, rec(1000, M), [M], answers([[user]])).
t(cut, cut(M), [M], answers([[user]])).
t(if_then_else, ite(M), [M], answers([[user]])).
t(call_n, call(p, M), [M], answers([[user]])).
t(maplist, maplist(p, [A, B]), [A, B], answers([[user, user]])).
t(property, predicate_property(p(_), transparent), [], answers([[]])).
t(no_property, predicate_property(ctx_d:plain(_), transparent), [], fails).
t(meta_property, predicate_property(maplist(_, _), transparent), [], answers([[]])).
t(no_meta_predicate, predicate_property(ctx_d:p(_), meta_predicate(_)), [], fails).
t(clause, clause(ctx_d:p(_), B), [B], answers([[context_module(_)]])).
t(collected, ( length(L, 20000), s(garbage_collect, M), L \== [] ), [M], answers([[user]])).
t(limit_of_depth, call_with_depth_limit(q(M), 100, _), [M], answers([[user]])).
t(continuation, ( reset(s(shift(x), M), x, K), call(K) ), [M], answers([[user]])).
t(exception, catch(s(throw(x), _), x, p(M)), [M], answers([[user]])).
t(backtracking, findall(M-N, ( two(M), two(N) ), L), [L], answers([[[user-user, user-2, 2-user, 2-2]]])).
t(thread, ( thread_create(p(_), T), thread_join(T, S) ), [S], answers([[true]])).
t(no_indicator, module_transparent(3), [], throws(type_error(predicate_indicator, 3))).
t(unbound, module_transparent(_), [], throws(instantiation_error)).
t(system, module_transparent(atom_length/2), [], throws(permission_error(modify, static_procedure, atom_length/2))).

% A clause whose head names another module, and goals that name one.
:- module_transparent(ctx_q:qm/1).
ctx_q:qm(C) :- context_module(C).
ctx_m(ctx_q).
t(head_of_other_module, ctx_q:qm(C), [C], answers([[ctx_q]])).
t(head_of_other_module_at, @(ctx_q:qm(C), other), [C], answers([[other]])).
t(module_in_variable, ( ctx_m(M), M:qm(C) ), [C], answers([[ctx_q]])).
t(module_of_conjunction, ctx_q:( qm(C), true ), [C], answers([[ctx_q]])).
t(module_in_call, call(( ctx_m(M), M:( call(qm(A)), qm(B) ) )), [A, B], answers([[ctx_q, ctx_q]])).
