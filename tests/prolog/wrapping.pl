% Wrappers of predicates: library(prolog_wrap).

:- use_module(library(prolog_wrap)).

:- dynamic(wr_d/1).
wr_p(1). wr_p(2).
wr_q(1). wr_q(2).
wr_r(1). wr_r(2).
wr_len([], 0).
wr_len([_|T], N) :- wr_len(T, M), N is M+1.
wr_loop(0) :- !.
wr_loop(N) :- M is N-1, wr_loop(M).
:- table(wr_fib/2).
wr_fib(0, 0).
wr_fib(1, 1).
wr_fib(N, F) :- N > 1, A is N-1, B is N-2, wr_fib(A, X), wr_fib(B, Y), F is X+Y.
:- meta_predicate(wr_call(0)).
wr_call(G) :- call(G).
:- thread_local(wr_local/1).
:- dynamic(wr_seen/1).
wr_note(X) :- assertz(wr_seen(X)).
wr_noted(L) :- findall(X, retract(wr_seen(X)), L).
wr_throws(_) :- throw(wr).

t(wraps, ( wrap_predicate(wr_p(X), w, W, ( wr_note(before), W, wr_note(after(X)) )), findall(Y, wr_p(Y), L), wr_noted(N) ), [L, N], answers([[[1, 2], [before, after(1), after(2)]]])).
t(again, ( wrap_predicate(wr_q(_), a, W1, ( wr_note(a), W1 )), wrap_predicate(wr_q(_), b, W2, ( wr_note(b), call(W2) )), wr_q(2), wr_noted(N) ), [N], answers([[[b, a]]])).
t(replaced, ( wrap_predicate(wr_q(_), a, W1, ( wr_note(c), W1 )), wr_q(2), wr_noted(N) ), [N], answers([[[b, c]]])).
t(not_most_general, wrap_predicate(wr_q(1), a, _, true), [], throws(domain_error(most_general_term, wr_q(1)))).
t(not_most_general_either, wrap_predicate(wr_two(X, X), a, _, true), [], throws(domain_error(most_general_term, wr_two(_, _)))).
t(property, predicate_property(wr_q(_), wrapped(L)), [L], answers([[[b, a]]])).
t(property_none, predicate_property(wr_r(_), wrapped(_)), [], fails).
t(clauses_stay, findall(X, clause(wr_q(X), true), L), [L], answers([[[1, 2]]])).
t(known, findall(N, current_predicate_wrapper(wr_q(_), N, _, _), L), [L], answers([[[a, b]]])).
t(known_body, ( current_predicate_wrapper(wr_q(_), b, W, B), B = ( wr_note(X), call(W0) ), W0 == W ), [X], answers([[b]])).
t(unwrapped, ( unwrap_predicate(wr_q/1, b), wr_q(2), wr_noted(N) ), [N], answers([[[c]]])).
t(unwrapped_outermost, ( wrap_predicate(wr_q(_), e, W, W), unwrap_predicate(wr_q/1, N), unwrap_predicate(wr_q/1, M), \+ unwrap_predicate(wr_q/1, _), wr_q(2), wr_noted(L) ), [N, M, L], answers([[e, a, []]])).
t(unwrapped_other, unwrap_predicate(wr_r/1, x), [], fails).
t(argument, ( wrap_predicate(wr_r(X), w, W, ( X = 1 -> W ; fail )), findall(Y, wr_r(Y), L) ), [L], answers([[[1]]])).
t(not_called, ( wrap_predicate(wr_r(_), w, _, true), findall(Y, wr_r(Y), L), unwrap_predicate(wr_r/1, w) ), [L], answers([[[_]]])).
t(recursion, ( wrap_predicate(wr_len(L, _), w, W, ( wr_note(L), W )), wr_len([a, b], N), wr_noted(Ls) ), [N, Ls], answers([[2, [[a, b], [b], []]]])).
t(loop, ( flag(wr_k, _, 0), wrap_predicate(wr_loop(_), w, W, ( flag(wr_k, K, K+1), W )), wr_loop(10000), flag(wr_k, X, 0) ), [X], answers([[10001]])).
t(tabled, ( wrap_predicate(wr_fib(_, _), w, W, ( flag(wr_k, K, K+1), W )), wr_fib(20, F), flag(wr_k, X, 0) ), [F, X], answers([[6765, 39]])).
t(meta, ( wrap_predicate(wr_call(_), w, W, ( wr_note(in), W, wr_note(out) )), wr_call(wr_note(x)), wr_noted(L) ), [L], answers([[[in, x, out]]])).
t(dynamically, ( wrap_predicate(wr_d(_), w, W, ( wr_note(in), W )), assertz(wr_d(1)), wr_d(X), wr_noted(L) ), [X, L], answers([[1, [in]]])).
t(thread_local, ( wrap_predicate(wr_local(_), w, W, ( wr_note(in), W )), assertz(wr_local(1)), wr_local(X), wr_noted(L) ), [X, L], answers([[1, [in]]])).
t(by_thread, ( thread_create(( wr_d(1) ), T), thread_join(T, S), wr_noted(L) ), [S, L], answers([[true, [in]]])).
t(exception, ( wrap_predicate(wr_throws(_), w, W, catch(W, wr, wr_note(caught))), wr_throws(1), wr_noted(L) ), [L], answers([[[caught]]])).
t(cut_is_local, ( wrap_predicate(wr_p(_), cut, W, ( W, ! )), findall(X, wr_p(X), L), unwrap_predicate(wr_p/1, cut), wr_noted(_) ), [L], answers([[[1]]])).
t(undefined, ( wrap_predicate(wr_new(_), w, _, true), wr_new(1) ), [], answers([[]])).
t(undefined_inside, ( wrap_predicate(wr_new2(_), w, W, W), wr_new2(1) ), [], throws(existence_error(procedure, wr_new2/1))).
t(defined_later, ( wrap_predicate(wr_new3(_), w, W, ( wr_note(in), W )), assertz(wr_new3(7)), wr_new3(X), wr_noted(L) ), [X, L], answers([[7, [in]]])).
t(other_module, ( wr_m:assertz(b(1)), wrap_predicate(wr_m:b(_), w, W, user:( wr_note(in), W )), wr_m:b(X), wr_noted(L) ), [X, L], answers([[1, [in]]])).
t(imported, ( wr_n:import(wr_m:b/1), wr_n:b(X), wr_noted(L) ), [X, L], answers([[1, [in]]])).
t(system, wrap_predicate(atom_length(_, _), w, W, W), [], throws(permission_error(modify, static_procedure, atom_length/2))).
t(unbound, wrap_predicate(_, w, W, W), [], throws(instantiation_error)).
t(unbound_name, wrap_predicate(wr_p(_), _, W, W), [], throws(instantiation_error)).
t(no_name, wrap_predicate(wr_p(_), 3, W, W), [], throws(type_error(atom, 3))).
t(no_head, wrap_predicate(3, w, W, W), [], throws(type_error(callable, 3))).
t(no_body, wrap_predicate(wr_p(_), w, _, _), [], throws(instantiation_error)).
