% Hard sudokus, five times each: all_distinct/1, whose domains are made consistent.

:- use_module(library(clpfd)).

main :-
    forall(between(1, 5, _), forall(problem(_, Rows), solved(Rows))),
    forall(problem(_, Rows), ( solved(Rows), format("~w~n", [Rows]) )).

solved(Rows) :-
    append(Rows, Vars),
    Vars ins 1..9,
    maplist(all_distinct, Rows),
    transpose(Rows, Columns),
    maplist(all_distinct, Columns),
    blocks(Rows),
    once(labeling([ff], Vars)).

blocks([]).
blocks([A,B,C|Rows]) :-
    blocks(A, B, C),
    blocks(Rows).

blocks([], [], []).
blocks([A,B,C|Xs], [D,E,F|Ys], [G,H,I|Zs]) :-
    all_distinct([A,B,C,D,E,F,G,H,I]),
    blocks(Xs, Ys, Zs).

problem(1, [[8,_,_,_,_,_,_,_,_],[_,_,3,6,_,_,_,_,_],[_,7,_,_,9,_,2,_,_],
            [_,5,_,_,_,7,_,_,_],[_,_,_,_,4,5,7,_,_],[_,_,_,1,_,_,_,3,_],
            [_,_,1,_,_,_,_,6,8],[_,_,8,5,_,_,_,1,_],[_,9,_,_,_,_,4,_,_]]).
problem(2, [[_,_,_,_,_,_,_,_,_],[_,_,_,_,_,3,_,8,5],[_,_,1,_,2,_,_,_,_],
            [_,_,_,5,_,7,_,_,_],[_,_,4,_,_,_,1,_,_],[_,9,_,_,_,_,_,_,_],
            [5,_,_,_,_,_,_,7,3],[_,_,2,_,1,_,_,_,_],[_,_,_,_,4,_,_,_,9]]).
problem(3, [[1,_,_,8,_,4,_,_,_],[_,2,_,_,_,_,4,5,6],[_,_,3,2,_,5,_,_,_],
            [_,_,_,4,_,_,8,_,5],[7,8,9,_,5,_,_,_,_],[_,_,_,_,_,6,2,_,3],
            [8,_,1,_,_,_,7,_,_],[_,_,_,1,2,3,_,8,_],[2,_,5,_,_,_,_,_,9]]).
problem(4, [[_,_,_,_,6,_,_,8,_],[_,2,_,_,_,_,_,_,_],[_,_,1,_,_,_,_,_,_],
            [_,7,_,_,_,_,1,_,2],[5,_,_,_,3,_,_,_,_],[_,_,_,_,_,_,4,_,_],
            [_,_,4,2,_,1,_,_,_],[3,_,_,7,_,_,6,_,_],[_,_,_,_,_,_,_,5,_]]).
