%   Large Joins, Join2: one table of some 2.5 million answers with five arguments, each found once: four relations of 1,255 tuples over 100 values, joined in a row.
:- table join2/5.
:- dynamic r1/2, r2/2, r3/2, r4/2.
join2(A, B, C, D, E) :- r1(A, B), r2(B, C), r3(C, D), r4(D, E).
query(join2(_, _, _, _, _)).

%   Tuples of a linear congruential generator, always the same.
fill(_, 0, S, S) :- !.
fill(R, N, S0, S) :-
    S1 is (S0*1103515245+12345) mod 2147483648, S2 is (S1*1103515245+12345) mod 2147483648,
    X is S1>>16 mod 100, Y is S2>>16 mod 100,
    Fact =.. [R, X, Y],
    ( call(Fact) -> fill(R, N, S2, S) ; assertz(Fact), N1 is N-1, fill(R, N1, S2, S) ).
:- initialization(( fill(r1, 1255, 1, A), fill(r2, 1255, A, B), fill(r3, 1255, B, C), fill(r4, 1255, C, _) )).
