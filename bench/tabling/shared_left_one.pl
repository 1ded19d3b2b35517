% A shared table by left recursion, which one thread evaluates: what it takes
% till it has the first answer, as the clock says.  (A table is complete then.)  Beside
% shared_left_two: what sharing the work gains.  The runner appends the facts edge/2.

:- table path/2 as shared.

path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).

main :-
    get_time(T0),
    findall(Id, ( member(_, [1]), thread_create(ask, Id) ), Ids),
    forall(member(Id, Ids), thread_join(Id, true)),
    get_time(T1),
    T is T1-T0,
    answers(N),
    write('answers='), write(N), nl,
    write('query_seconds='), write(T), nl.

ask :- path(_, _), !.

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
