% Destructive assignment that backtracking undoes: random programs of setarg/3, b_setval/2 and bindings between choicepoints of every
% kind, against a model that is passed on as an argument.

% program(+Seed, +Size, -Operations)
program(Seed, N, Ops) :- ops(N, Seed, _, Ops).

ops(N, S, S, []) :- N =< 0, !.
ops(N0, S0, S, [Op|Ops]) :-
    draw(S0, 15, K, S1),
    op(K, N0, N1, S1, S2, Op),
    ops(N1, S2, S, Ops).

draw(S0, N, K, S) :- S is (S0*1103515245 + 12345) mod 2147483648, K is (S >> 8) mod N.

op(K, N0, N, S0, S, set(I, V)) :- K < 4, !, N is N0-1, draw(S0, 3, J, S1), I is J+1, value(S1, S, V).
op(K, N0, N, S0, S, global(V)) :- K < 6, !, N is N0-1, value(S0, S, V).
op(6, N0, N, S, S, collect) :- !, N is N0-1.
op(7, N0, N, S, S, choice) :- !, N is N0-1.
op(8, N0, N, S, S, garbage) :- !, N is N0-1.
op(K, N0, N, S0, S, Op) :-
    Half is N0//3,
    ops(Half, S0, S1, A), ops(Half, S1, S, B),
    N is N0-1-2*Half,
    nth(K, [or(A,B), then(A,B), not(A,B), caught(A,B), all(A,B), one(A,B)], Op).

nth(9, [X|_], X) :- !.
nth(K, [_|L], X) :- K1 is K-1, nth(K1, L, X).

% Small and large values, shared ones among them.
value(S0, S, V) :- draw(S0, 3, K, S), ( K =:= 0 -> V = S ; K =:= 1 -> V = [S,a(S)] ; numlist(1, 40, L), V = l(L) ).

% The real thing, and the model: state(Arg1, Arg2, Arg3, Global).
do([], _, M, M).
do([Op|Ops], T, M0, M) :-
    do_one(Op, T, M0, M1),
    same(T, M1),
    do(Ops, T, M1, M).

do_one(set(I, V), T, M0, M) :- setarg(I, T, V), set(I, V, M0, M).
do_one(global(V), _, s(A,B,C,_), s(A,B,C,V)) :- b_setval(assigned, V).
do_one(collect, _, M, M) :- garbage_collect.
do_one(choice, _, M, M).
do_one(choice, _, _, _) :- fail.
do_one(garbage, _, M, M) :- numlist(1, 300, L), length(L, 300).
do_one(or(A,B), T, M0, M) :- ( do(A, T, M0, _), fail ; same(T, M0), do(B, T, M0, M) ).
do_one(then(A,B), T, M0, M) :- ( do(A, T, M0, M1) -> do(B, T, M1, M) ; throw(failed) ).
do_one(not(A,B), T, M0, M) :- \+ \+ do(A, T, M0, _), same(T, M0), do(B, T, M0, M).
do_one(caught(A,B), T, M0, M) :- catch(( do(A, T, M0, _), throw(up) ), up, true), same(T, M0), do(B, T, M0, M).
do_one(all(A,B), T, M0, M) :- findall(M1, do(A, T, M0, M1), [_|_]), same(T, M0), do(B, T, M0, M).
do_one(one(A,B), T, M0, M) :- once(do(A, T, M0, M1)), do(B, T, M1, M).

set(1, V, s(_,B,C,G), s(V,B,C,G)).
set(2, V, s(A,_,C,G), s(A,V,C,G)).
set(3, V, s(A,B,_,G), s(A,B,V,G)).

same(f(A,B,C), M) :- b_getval(assigned, G), ( M == s(A,B,C,G) -> true ; throw(differs(s(A,B,C,G), M)) ).

random_programs(From, To, Size) :-
    forall(between(From, To, Seed),
           ( program(Seed, Size, Ops),
             T = f(0, 0, 0),
             b_setval(assigned, 0),
             ( do(Ops, T, s(0,0,0,0), M) -> same(T, M) ; throw(failed(Seed)) ) )).

t(random_programs, random_programs(1, 60, 60), [], answers([[]])).
t(random_programs_larger, random_programs(100, 106, 500), [], answers([[]])).

% Cells that are older than a choicepoint, newer, and moved since.
t(undone_below_a_choicepoint, ( T = f(a), ( setarg(1, T, b), garbage_collect, setarg(1, T, c), fail ; true ) ), [T], answers([[f(a)]])).
t(kept_over_a_cut, ( T = f(a), ( ( true ; true ), setarg(1, T, b) -> true ), garbage_collect, setarg(1, T, c) ), [T], answers([[f(c)]])).
t(made_between, ( ( true ; fail ), T = f(a), garbage_collect, ( setarg(1, T, b), setarg(1, T, c), fail ; true ) ), [T], prefix([[f(a)]])).
t(of_the_catcher, ( T = f(a), catch(( setarg(1, T, b), garbage_collect, throw(x) ), x, true) ), [T], answers([[f(a)]])).
t(of_a_nondeterministic_builtin, ( T = f(a), findall(X-T, ( between(1, 3, X), setarg(1, T, X), garbage_collect ), L) ), [T, L],
  answers([[f(a), [1-f(1), 2-f(2), 3-f(3)]]])).
t(of_unifiable, ( T = f(_), setarg(1, T, g(_)), garbage_collect, arg(1, T, G), unifiable(G, g(1), L), L = [_ = 1] ), [], answers([[]])).
t(bound_then_assigned, ( T = f(A), ( A = 1, setarg(1, T, 2), garbage_collect, T == f(2), fail ; garbage_collect, T = f(B), var(B), A == B ) ), [],
  answers([[]])).
