% Matching of segment patterns against a small base of nested property lists, in
% the spirit of Gabriel's browse: non-deterministic splitting of lists and a lot
% of failed unification.
% Counted with: units(90, 7, Units) => units(30, 7, Units)
% Counted with: rounds(200, Units, Patterns) => rounds(8, Units, Patterns)

main :-
    units(90, 7, Units),
    patterns(Patterns),
    rounds(200, Units, Patterns),
    hits(Units, Patterns, 0, N),
    format('browse ~w~n', [N]).

rounds(K, Units, Patterns) :-
    between(1, K, _),
    hits(Units, Patterns, 0, _),
    fail.
rounds(_, _, _).

patterns([ [seg, a, seg, b, seg, [seg, c, seg], seg],
           [var(X), seg, var(X), seg, var(X), seg],
           [seg(S), seg(S), seg],
           [one, [var(Y)|rest(R)], seg, [var(Y)|rest(R)], seg],
           [seg, [one, one], seg, d, seg, d, seg, d, seg],
           [seg(T), c, seg(T), seg]
         ]).

hits([], _, N, N).
hits([U|Us], Ps, N0, N) :-
    hits_unit(Ps, U, N0, N1),
    hits(Us, Ps, N1, N).

hits_unit([], _, N, N).
hits_unit([P|Ps], U, N0, N) :-
    (   \+ match(P, U)
    ->  N1 = N0
    ;   N1 is N0+1
    ),
    hits_unit(Ps, U, N1, N).

match([], []).
match([P|Ps], Data) :-
    item(P, Ps, Data).
match(rest(R), R).

item(seg, Ps, Data) :-
    skip(Data, Rest),
    match(Ps, Rest).
item(seg(S), Ps, Data) :-
    segment(S, Data, Rest),
    match(Ps, Rest).
item(one, Ps, [_|Data]) :-
    match(Ps, Data).
item(var(X), Ps, [X|Data]) :-
    match(Ps, Data).
item([Q|Qs], Ps, [[D|Ds]|Data]) :-
    match([Q|Qs], [D|Ds]),
    match(Ps, Data).
item(a, Ps, [a|Data]) :- match(Ps, Data).
item(b, Ps, [b|Data]) :- match(Ps, Data).
item(c, Ps, [c|Data]) :- match(Ps, Data).
item(d, Ps, [d|Data]) :- match(Ps, Data).

skip(L, L).
skip([_|L], R) :-
    skip(L, R).

% A segment is not empty, so that seg(S), seg(S) is a real repetition.
segment([X], [X|L], L).
segment([X|Xs], [X|L], R) :-
    segment(Xs, L, R).

units(0, _, []) :- !.
units(N, S0, [U|Us]) :-
    unit(24, S0, S1, U),
    M is N-1,
    units(M, S1, Us).

unit(0, S, S, []) :- !.
unit(N, S0, S, [E|Es]) :-
    S1 is S0*16807 mod 2147483647,
    K is S1 // 1000 mod 7,
    element(K, S1, S2, E),
    M is N-1,
    unit(M, S2, S, Es).

element(0, S, S, a).
element(1, S, S, b).
element(2, S, S, c).
element(3, S, S, d).
element(4, S, S, e).
element(5, S0, S, [c, X]) :-
    S1 is S0*16807 mod 2147483647,
    K is S1 // 1000 mod 5,
    element(K, S1, S, X).
element(6, S0, S, [X, c, Y]) :-
    S1 is S0*16807 mod 2147483647,
    K is S1 // 1000 mod 5,
    element(K, S1, S2, X),
    J is S2 // 100 mod 5,
    element(J, S2, S, Y).
