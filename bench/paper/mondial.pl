%   Large Joins, Mondial: 35 tables, 2,652 answers for the countries and as many for all of them, and 2.45 million that are there already: a join of which most is projected away.
:- table all/6, country/6.
all(C, P, R, K, L, M) :- between(1, 34, C), country(C, P, R, K, L, M).
country(C, P, R, K, L, M) :- province(C, P), river(P, R), city(P, City), mountain(P, Top), kind(City, Top, R, K), L is P mod 7, M is R mod 5.
query(all(_, _, _, _, _, _)).

:- dynamic province/2, river/2, city/2, mountain/2.
kind(_, _, R, K) :- K is R mod 3.
:- initialization(
    forall(( between(1, 34, C), between(1, 13, I), P is C*13+I ), (
        assertz(province(C, P)),
        forall(( between(1, 6, J), R is P*6+J ), assertz(river(P, R))),
        forall(( between(1, 37, J), City is P*37+J ), assertz(city(P, City))),
        forall(( between(1, 25, J), Top is P*25+J ), assertz(mountain(P, Top))) ))).
