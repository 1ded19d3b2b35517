% What is to succeed without a choicepoint: det/1, $/0, $/1, the flag determinism_error. What is expected SWI-Prolog says, but for goals that are called by
% catch/3, setup_call_cleanup/3 and once/1 last: those are looked at here, too.

two(1).
two(2).
two(2).
any(_).

found(G, F) :-
    catch(( G -> F = yes ; F = no ), error(E, C), ( E = determinism_error(What, det, Found, Why) -> F = e(What, Found, Why), context_of(C) ; F = E )).
context_of(C) :- nonvar(C), C = context(_, V), var(V).

each(Gs, Fs) :- findall(F, ( member(G, Gs), found(G, F) ), Fs).

:- det(p/1).
p(1).
p(2).
p(2).
t(property, each([p(1), p(2), p(3), p(_)], Fs), Fs, answers([[yes, e(p/1, nondet, property), e(p/1, fail, property), e(p/1, nondet, property)]])).
t(what_it_says, ( predicate_property(p(_), det), \+ predicate_property(two(_), det) ), [], answers([[]])).

% Last calls: who is called last is named.
:- det(q/1).
q(X) :- two(X).
:- det(q2/1).
q2(X) :- q3(X, 5).
q3(X, 0) :- !, two(X).
q3(X, N) :- N1 is N-1, q3(X, N1).
t(last_call, each([q(1), q(2), q(3), q2(1), q2(2), q2(3)], Fs), Fs,
    answers([[yes, e(two/1, nondet, property), e(two/1, fail, property), yes, e(two/1, nondet, property), e(two/1, fail, property)]])).
:- det(r/1).
r(X) :- two(X), true.
:- det(r2/1).
r2(X) :- two(X), two(X).
:- det(r3/1).
r3(X) :- any(X), fail.
t(no_last_call, each([r(1), r(2), r(3), r2(2), r2(3), r3(1)], Fs), Fs,
    answers([[yes, e(r/1, nondet, property), e(r/1, fail, property), e(r2/1, nondet, property), e(r2/1, fail, property), e(r3/1, fail, property)]])).
:- det(d1/1).
d1(X) :- d2(X).
d2(X) :- d3(X).
:- det(d3/1).
d3(1).
d3(2).
d3(2).
t(one_calls_another, each([d1(1), d1(2), d1(3), d2(2)], Fs), Fs,
    answers([[yes, e(d3/1, nondet, property), e(d3/1, fail, property), e(d3/1, nondet, property)]])).
:- det(c/1).
c(X) :- member(X, [1, 2, 3]), X > 1, !.
:- det(o/1).
o(X) :- ( X = 1 ; X = 2 ).
t(cuts_and_disjunctions, each([c(_), c(1), o(1), o(2), o(3)], Fs), Fs,
    answers([[yes, e(c/1, fail, property), e(o/1, nondet, property), yes, e(o/1, fail, property)]])).
:- det([list1/0, list2/0]).
:- det((pair1/0, pair2/0)).
list1. list2 :- fail. pair1. pair2 :- fail.
t(several, each([list1, list2, pair1, pair2], Fs), Fs, answers([[yes, e(list2/0, fail, property), yes, e(pair2/0, fail, property)]])).
:- det(m:e/0).
m:e.
m:e.
t(module, found(m:e, F), F, answers([e(m:e/0, nondet, property)])).
:- det(builtin/2).
builtin(A, B) :- between(A, 3, B).
t(builtins, each([builtin(1, _), builtin(3, _), builtin(4, _), builtin(1, 2)], Fs), Fs,
    answers([[e(builtin/2, nondet, property), yes, e(between/3, fail, property), yes]])).

% Kinds of predicates.
:- dynamic dyn/1.
:- det(dyn/1).
dyn(1).
dyn(2).
dyn(2).
t(dynamic, each([dyn(1), dyn(2), dyn(3)], Fs), Fs, answers([[yes, e(dyn/1, nondet, property), e(dyn/1, fail, property)]])).
:- table tab/1.
:- det(tab/1).
tab(1).
tab(2).
t(tabled, each([tab(1), tab(_), tab(3)], Fs), Fs, answers([[yes, e(tab/1, nondet, property), e(tab/1, fail, property)]])).
:- thread_local loc/1.
:- det(loc/1).
t(thread_local, ( assertz(loc(1)), assertz(loc(1)), each([loc(1), loc(2)], Fs), retractall(loc(_)) ), Fs,
    answers([[e(loc/1, nondet, property), e(loc/1, fail, property)]])).
:- det(rule/1).
rule(1) => true.
rule(X), member(X, [2, 2]) => true.
rule(3) => member(_, [1, 2]).
t(rules, each([rule(1), rule(2), rule(3), rule(4)], Fs), Fs,
    answers([[yes, yes, e(lists:member_/3, nondet, property), existence_error(matching_rule, rule(4))]])).
:- meta_predicate meta(0).
:- det(meta/1).
meta(G) :- call(G).
t(meta, each([meta(true), meta(two(2)), meta(two(3))], Fs), Fs, answers([[yes, e(two/1, nondet, property), e(two/1, fail, property)]])).
t(declared_later, ( assertz(late(1)), assertz(late(1)), found(late(1), F1), det(late/1), found(late(1), F2), abolish(late/1), assertz(late(1)), assertz(late(1)), found(late(1), F3) ),
    [F1, F2, F3], answers([[yes, e(late/1, nondet, property), yes]])).
t(exceptions_pass, catch(q_throws(ball), B, true), B, answers([ball])).
:- det(q_throws/1).
q_throws(X) :- throw(X).
t(in_findall, ( findall(X, ( member(X, [1, 2]), catch(p(X), error(_, _), fail) ), Xs) ), Xs, answers([[1]])).
t(cleanup, ( catch(call_cleanup(p(2), write(done)), error(_, _), write(caught)) ), [], output("donecaught")).

% $/0
g1(X) :- $, two(X).
g2(X) :- two(X), $, any(X).
g3(X) :- two(X), $, two(X).
g4(X) :- $, two(X), any(X).
g5(X) :- $, any(X), fail.
g5(_).
g6(X) :- $, !, two(X).
g7(X) :- $, two(X), !.
g8(X) :- $, p(X).
g9(X) :- any(X), $, any(X), !, fail.
g10(X) :- two(X), !, any(X), $, any(X), !, two(X).
g11(X) => $, two(X).
g12(X), $ => two(X).
t(guard, each([g1(1), g1(2), g1(3)], Fs), Fs, answers([[yes, e(two/1, nondet, guard_in_caller), e(two/1, fail, guard_in_caller)]])).
t(guard_cuts, ( findall(x, g2(2), Xs), each([g2(1), g2(3)], Fs) ), Xs-Fs, answers([[x]-[yes, no]])).
t(guard_later, each([g3(1), g3(2), g3(3)], Fs), Fs, answers([[yes, e(two/1, nondet, guard_in_caller), no]])).
t(guard_itself, each([g4(1), g4(2), g4(3), g5(1)], Fs), Fs,
    answers([[yes, e(g4/1, nondet, guard), e(g4/1, fail, guard), e(g5/1, fail, guard)]])).
t(guard_and_cuts, each([g6(2), g6(3), g7(2), g7(3), g9(1), g10(2), g10(1)], Fs), Fs,
    answers([[e(two/1, nondet, guard_in_caller), e(two/1, fail, guard_in_caller), yes, e(g7/1, fail, guard), e(g9/1, fail, guard), e(two/1, nondet, guard_in_caller), yes]])).
t(guard_of_det, each([g8(1), g8(2), g8(3)], Fs), Fs, answers([[yes, e(p/1, nondet, guard_in_caller), e(p/1, fail, guard_in_caller)]])).
t(guard_in_rules, each([g11(2), g11(3), g12(2), g12(3)], Fs), Fs,
    answers([[e(two/1, nondet, guard_in_caller), e(two/1, fail, guard_in_caller), e(two/1, nondet, guard_in_caller), e(two/1, fail, guard_in_caller)]])).
t(guard_in_a_goal, each([call(( $, two(1) )), call(( $, two(2) )), call(( $, two(3) )), $, call($)], Fs), Fs,
    answers([[yes, e(two/1, nondet, guard_in_caller), e(two/1, fail, guard_in_caller), yes, yes]])).
t(guard_in_a_goal_cuts, findall(X, ( member(X, [1, 2]), $, X > 0 ), Xs), Xs, answers([[1]])).

% $/1
h1(X) :- $two(X), any(X).
h2(X) :- $two(X).
h3(X) :- $((X = 1 ; X = 2)), any(X).
h4(X) :- $((two(X), !)).
h5(X) :- $(m:two(X)).
h6(X) :- G = two(X), $G.
m:two(2).
m:two(2).
t(goal, each([h1(1), h1(2), h1(3), h2(1), h2(2), h2(3)], Fs), Fs,
    answers([[yes, e(two(2), nondet, goal), e(two(3), fail, goal), yes, e(two(2), nondet, goal), e(two(3), fail, goal)]])).
t(goals, each([h3(1), h3(2), h4(2), h5(2), h5(1), h6(2), $(true)], Fs), Fs,
    answers([[e(( 1 = 1 ; 1 = 2 ), nondet, goal), yes, yes, e(m:two(2), nondet, goal), e(m:two(1), fail, goal), e(two(2), nondet, goal), yes]])).
t(goal_context, catch(h1(2), error(_, context(C, _)), true), C, answers([h1/1])).
t(goal_context_of_none, catch(call($(fail)), error(_, context(C, _)), true), C, answers([system:'<meta-call>'/1])).
t(goal_is_kept, clause(h1(_), B), B, answers([( $two(X), any(X) )])).
t(guard_is_kept, clause(g2(_), B), B, answers([( two(X), $, any(X) )])).

% Calls that call themselves last need no more room.
:- det(walk/2).
walk([], _).
walk([_|T], X) :- walk(T, X).
loop(0) :- !.
loop(N) :- $, N1 is N-1, loop(N1).
goals(0) :- !.
goals(N) :- $any(N), N1 is N-1, goals(N1).
t(loops, ( numlist(1, 100000, L), walk(L, x), loop(100000), goals(20000) ), [], answers([[]])).
t(loop_ends_otherwise, found(walk([a, b|c], x), F), F, answers([e(walk/2, fail, property)])).

% The flag.
with(V, G) :- set_prolog_flag(determinism_error, V), call_cleanup(G, set_prolog_flag(determinism_error, error)).
t(silent, with(silent, ( each([p(1), p(2), p(3), g1(2), g1(3), h2(2), h2(3)], Fs), findall(x, p(2), Xs), findall(x, h2(2), Ys), findall(x, g1(2), Zs) )), [Fs, Xs, Ys, Zs],
    answers([[[yes, yes, no, yes, no, yes, no], [x, x], [x], [x, x]]])).
t(warning, with(warning, ( warned(p(2), Xs), warned(p(3), Ys), warned(h2(2), Zs) )), [Xs, Ys, Zs],
    answers([[[determinism_error(p/1, det, nondet, property)], [determinism_error(p/1, det, fail, property)], [determinism_error(two(2), det, nondet, goal)]]])).
:- dynamic warned/1.
:- multifile user:message_hook/3.
:- dynamic user:message_hook/3.
warned(G, Es) :-
    retractall(warned(_)),
    asserta(( user:message_hook(error(E, _), warning, _) :- assertz(warned(E)) ), Ref),
    ( G -> true ; true ),
    erase(Ref),
    findall(E, warned(E), Es).
t(no_value, set_prolog_flag(determinism_error, no), [], throws(domain_error(_, no))).

said(E, S) :-
    phrase(prolog:translate_message(error(E, _)), Lines),
    with_output_to(string(S0), print_message_lines(current_output, '', Lines)),
    split_string(S0, "", "\n", [S]).
t(messages, ( said(determinism_error(p/1, det, nondet, property), A), said(determinism_error(two/1, det, fail, property), B), said(determinism_error(p/1, det, fail, guard), C),
              said(determinism_error(two(1), det, nondet, goal), D), said(determinism_error(two(1), det, fail, goal), E) ), [A, B, C, D, E],
    answers([["Deterministic procedure p/1 succeeded with a choicepoint", "Procedure two/1 called from a deterministic procedure failed", "Procedure p/1 failed after $-guard",
              "Goal two(1) succeeded with a choice point", "Goal two(1) failed"]])).

% Threads, engines, continuations.
t(thread, ( thread_create(p(2), Id), thread_join(Id, S), S = exception(error(E, _)) ), E, answers([determinism_error(p/1, det, nondet, property)])).
t(engine, ( engine_create(x, p(1), E), engine_next(E, x), ( engine_next(E, _) -> R = more ; R = end ) ), R, answers([end])).
t(engine_error, ( engine_create(x, p(2), E), catch(engine_next(E, _), error(F, _), true) ), F, answers([determinism_error(p/1, det, nondet, property)])).
:- det(shifts/1).
shifts(X) :- shift(ball(X)), any(X).
t(continuation, ( reset(shifts(1), ball(X), C), call(C), call(C), ( X = 1 ; X = 2 ) ), X, answers([1])).
t(woken, ( freeze(X, two(X)), found(bind_it(X), F) ), F, answers([e(two/1, nondet, property)])).
:- det(bind_it/1).
bind_it(X) :- X = 2, any(X).
% A call that waits for answers has not failed.
:- table reach/2.
reach(X, Y) :- step(X, Z), reach_from(Z, Y).
reach(X, Y) :- edge(X, Y).
:- det(step/2).
step(X, Y) :- edge(X, Y), !.
reach_from(Z, Y) :- reach_det(Z, Y).
:- det(reach_det/2).
reach_det(Z, Y) :- once(reach(Z, Y)).
edge(1, 2).
edge(2, 1).
:- table up/1.
up(X) :- up_det(Y), X is Y+1, X < 4.
up(0).
up_det(Y) :- $, up(Y).
t(suspended, ( catch(findall(X, up(X), Xs0), error(determinism_error(_, _, nondet, _), _), Xs0 = [nondet]), sort(Xs0, Xs) ), Xs, answers([[0, 1, 2, 3]])).

% Programs may define what `$` and `*->` are when they are called by their names; in a clause they are the language's.
t(dollar_defined, ( assertz(det_names:($(G) :- assertz(det_names:seen(G)), call(G))), assertz((det_names:p(X) :- $(X = 1))), det_names:p(X), \+ catch(det_names:seen(_), _, fail), call(det_names:($), Y = 2), findall(T, det_names:seen(T), L) ), [X, Y, L], answers([[1, 2, [_ = 2]]])).
t(dollar_alone_defined, ( assertz((det_names:($) :- fail)), assertz((det_names:q(X) :- $, X = 1)), det_names:q(X) ), [X], answers([[1]])).
t(soft_cut_defined, ( assertz((det_names:(_ *-> _) :- fail)), assertz((det_names:r(X) :- ( member(X, [1, 2]) *-> true ; X = 3 ))), findall(X, det_names:r(X), L) ), [L], answers([[[1, 2]]])).
