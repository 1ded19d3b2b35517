% reset/3, shift/1 and call_continuation/1: what is captured, what a continuation does when it is called (again, later, elsewhere), and what
% programs make of them: iterators, effect handlers, coroutines.

% Iterators, from the paper.
from_list([]).
from_list([X|Xs]) :- yield(X), from_list(Xs).

enum_from_to(L, U) :- ( L =< U -> yield(L), L1 is L + 1, enum_from_to(L1, U) ; true ).

yield(X) :- shift(yield(X)).

sum(G, S) :-
    reset(G, Ball, Cont),
    ( Cont == 0 -> S = 0
    ; Ball = yield(F), sum(Cont, S0), S is S0 + F
    ).

% The same with an accumulator.
total(G, S0, S) :-
    reset(G, yield(X), Cont),
    ( Cont == 0 -> S = S0 ; S1 is S0 + X, total(Cont, S1, S) ).

% An iterator that doubles what another one yields.
doubled(G) :-
    reset(G, yield(X), Cont),
    ( Cont == 0 -> true ; Y is 2 * X, yield(Y), doubled(Cont) ).

% Effect handlers: state and writing, one inside the other.
run_state(G, S0, S) :-
    reset(G, Command, Cont),
    ( Cont == 0 -> S = S0
    ; Command = get(S0) -> run_state(Cont, S0, S)
    ; Command = put(S1) -> run_state(Cont, S1, S)
    ; shift(Command), run_state(Cont, S0, S)
    ).
run_log(G, L) :-
    reset(G, log(X), Cont),
    ( Cont == 0 -> L = [] ; L = [X|L1], run_log(Cont, L1) ).

increase :- shift(get(X)), Y is X + 1, shift(put(Y)), shift(log(Y)).
count_to(N) :- shift(get(X)), ( X < N -> increase, count_to(N) ; true ).

% Coroutines that take turns.
play(A, B, L) :-
    reset(A, turn(X), Cont),
    ( Cont == 0 -> L = [end] ; L = [X|L1], play(B, Cont, L1) ).
player(_, 0) :- !.
player(P, N) :- shift(turn(P-N)), N1 is N - 1, player(P, N1).

% What is captured.
after(X) :- shift(a), X = after.
nondet(X) :- member(X, [1, 2, 3]), shift(a).
then(X) :- ( shift(a) -> X = then ; X = else ).
soft(X) :- ( member(X, [1, 2]), shift(a) *-> true ; X = else ).
negated :- \+ shift(a).
cut(X) :- member(X, [1, 2]), shift(a), !.
cut(3).
interpreted(X) :- G = ( member(X, [1, 2]), shift(a), ! ; X = 3 ), call(G).
caught(X) :- catch(( Y = 1, shift(a), throw(oops) ), oops, X = caught(Y)).
uncaught(X) :- catch(( shift(a), throw(other) ), oops, X = 1).
disjoint(X) :- ( shift(a), X = 1 ; X = 2 ).
collected(L) :- findall(X, ( member(X, [1, 2]), shift(a) ), L).
cleaned :- setup_call_cleanup(true, ( shift(a), write(goal) ), write(cleaned)), write(after).
printed(S) :- with_output_to(string(S), ( write(x), shift(a) )).
in_cleanup :- setup_call_cleanup(true, true, shift(a)).
deep(0) :- shift(a).
deep(N) :- N > 0, N1 is N - 1, deep(N1), nb_getval(deep, D), D1 is D + 1, nb_setval(deep, D1).
same(X, Y) :- shift(a), X = Y.

:- dynamic kept/1, gone/1.
gone(X) :- shift(a), X = gone.

captured(G, C) :- reset(G, a, C).

% What the first continuation of a part of a program looks like, with another argument here or there.
broken(G, C) :-
    captured(G, call_continuation([P|Ps])),
    P =.. [F, H|As],
    append(Before, [_|After], As),
    append(Before, [zzz|After], Bs),
    Q =.. [F, H|Bs],
    C = call_continuation([Q|Ps]).

t(exit, captured(true, C), [C], answers([[0]])).
t(exits, ( reset(member(X, [1, 2]), _, C), C == 0 ), [X], answers([[1], [2]])).
t(failure, captured(fail, _), [], fails).
t(no_goal, reset(_, _, _), [], throws(instantiation_error)).
t(wrong_goal, reset(1, _, _), [], throws(type_error(callable, 1))).
t(no_reset, shift(a), [], throws(existence_error(reset, a))).
t(other_ball, reset(shift(a), b, _), [], throws(existence_error(reset, a))).
t(any_ball, ( reset(shift(f(X, 1)), Ball, _), Ball = f(2, Y) ), [X, Y], answers([[2, 1]])).
t(ball_binds, reset(( shift(X), X == 1 ), 1, _), [X], answers([[1]])).
t(continuation_taken, reset(shift(a), a, 0), [], fails).
t(outer, ( reset(reset(shift(a), b, C1), a, C2), C2 = call_continuation(_), call(C2) ), [C1], answers([[0]])).
t(inner_again, ( reset(reset(( shift(a), shift(b) ), b, C1), a, C2), call(C2), nonvar(C1), call(C1) ), [], answers([[]])).

t(sum, sum(from_list([1, 2, 3]), S), [S], answers([[6]])).
t(sum_long, ( numlist(1, 20000, L), sum(from_list(L), S) ), [S], answers([[200010000]])).
t(total, total(enum_from_to(1, 100000), 0, S), [S], answers([[5000050000]])).
t(doubled, total(doubled(doubled(enum_from_to(1, 1000))), 0, S), [S], answers([[2002000]])).
t(state, run_state(run_log(count_to(3), L), 0, S), [L, S], answers([[[1, 2, 3], 3]])).
t(state_long, ( run_state(run_log(count_to(3000), L), 0, S), length(L, N) ), [N, S], answers([[3000, 3000]])).
t(turns, play(player(a, 2), player(b, 2), L), [L], answers([[[a-2, b-2, a-1, b-1, end]]])).

t(again, ( captured(after(X), C), \+ \+ ( call(C), X == after ), var(X), call(C), call(C) ), [X], answers([[after]])).
t(choices_stay, ( reset(nondet(X), a, C), call(C) ), [X], answers([[1], [2], [3]])).
t(then, ( reset(then(X), a, C), ( C == 0 -> true ; call(C) ) ), [X], answers([[then], [else]])).
t(soft, ( reset(soft(X), a, C), C \== 0, call(C) ), [X], answers([[1], [2]])).
t(soft_leaves_others, ( reset(soft(X), a, C), !, member(Y, [1, 2]), C \== 0, call(C) ), [X, Y], answers([[1, 1], [1, 2]])).
t(negated, ( captured(negated, C), C \== 0, call(C) ), [], fails).
t(cut_is_local, ( reset(cut(X), a, C), ( C == 0 -> true ; call(C) ) ), [X], answers([[1], [2], [3]])).
t(cut_in_call, ( reset(interpreted(X), a, C), ( C == 0 -> true ; call(C) ) ), [X], answers([[1], [2], [3]])).
t(cut_cuts, ( captured(( shift(a), member(X, [1, 2]), ! ), C), call(C) ), [X], answers([[1]])).
t(caught, ( captured(caught(X), C), call(C) ), [X], answers([[caught(1)]])).
t(caught_again, ( captured(caught(X), C), \+ \+ call(C), garbage_collect, call(C) ), [X], answers([[caught(1)]])).
t(uncaught, ( captured(uncaught(_), C), catch(call(C), E, true) ), [E], answers([[other]])).
t(left_catch, catch(( reset(catch(shift(a), oops, true), a, _), throw(oops) ), E, true), [E], answers([[oops]])).
t(disjoint, ( reset(disjoint(X), a, C), ( C == 0 -> true ; call(C) ) ), [X], answers([[1], [2]])).
t(collected, captured(collected(_), _), [], throws(existence_error(reset, a))).
t(printed, captured(printed(_), _), [], throws(existence_error(reset, a))).
t(in_cleanup, catch(captured(in_cleanup, _), _, true), [], answers([[]])).
t(cleaned, ( captured(cleaned, C), call(C), nl, fail ; true ), [], output("goalafter\ncleaned")).
t(cleaned_by_cut, ( captured(cleaned, C) -> call(C) ), [], output("cleanedgoalafter")).
t(deep, ( nb_setval(deep, 0), captured(deep(50000), C), garbage_collect, call(C), nb_getval(deep, N) ), [N], answers([[50000]])).
t(variables_are_shared, ( captured(same(X, Y), C), Y = 1, call(C) ), [X], answers([[1]])).

t(asserted, ( captured(after(X), C), assertz(kept(X-C)), retract(kept(Y-D)), call(D) ), [X, Y], answers([[_, after]])).
t(copied, ( findall(X-C, captured(after(X), C), [Y-D]), call(D) ), [Y], answers([[after]])).
t(sent, ( captured(after(X), C), thread_self(Me), thread_create(( call(C), thread_send_message(Me, x(X)) ), T), thread_join(T, S),
          thread_get_message(x(Z)) ), [S, Z], answers([[true, after]])).
t(of_a_clause_that_is_gone,
  ( captured(gone(X), C), abolish_all_tables, retract(( gone(_) :- _ )), garbage_collect_clauses,
    forall(between(1, 300, I), ( assertz(( kept(Z) :- Z = I, true )), retract(( kept(_) :- _ )) )), garbage_collect_clauses, call(C) ),
  [X], answers([[gone]])).

t(empty, call_continuation([]), [], answers([[]])).
t(no_part, call_continuation([a]), [], throws(type_error(continuation, a))).
t(no_parts, call_continuation(foo), [], throws(type_error(list, foo))).
t(forged, call_continuation(['$cont$'(1, 2)]), [], throws(type_error(continuation, '$cont$'(1, 2)))).
t(of_other_goals, call_continuation([call(X = 1), call(member(Y, [X, 2]))]), [X, Y], answers([[1, 1], [1, 2]])).
t(fewer_slots,
  ( captured(after(_), call_continuation([P|_])), P =.. [F, H|As], append(As, [x], Bs), Q =.. [F, H|Bs], catch(call_continuation([Q]), error(E, _), true), E = type_error(T, _) ),
  [T], answers([[continuation]])).
t(broken,
  forall(( member(G, [after(_), then(_), soft(_), negated, cut(_), interpreted(_), caught(_), disjoint(_), same(_, _)]), broken(G, C) ), catch(ignore(C), _, true)),
  [], answers([[]])).
