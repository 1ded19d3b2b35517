% All pairs of a graph by left recursion under tabling: one table for the call
% path(X, Y) with both arguments free.  The runner appends the facts edge/2.

:- table path/2.

path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).

main :-
    statistics(cputime, T0),
    answers(N),
    statistics(cputime, T1),
    T is T1-T0,
    write('answers='), write(N), nl,
    write('query_seconds='), write(T), nl.

% Counts without keeping the answers.
answers(N) :-
    nb_setval(answers, 0),
    (   path(_, _),
        nb_getval(answers, N0),
        N1 is N0+1,
        nb_setval(answers, N1),
        fail
    ;   nb_getval(answers, N)
    ).
