% Resources that are in use, and that goals use: SWI-Prolog's library(statistics), but for its profiler.

:- module(prolog_statistics, [statistics/0, time/1, call_time/2, call_time/3]).

:- meta_predicate time(0), call_time(0, -), call_time(0, -, -).

%!  statistics is det.
%
%   Prints on standard error what statistics/2 knows.

statistics :-
    statistics_line("~3f seconds cpu time for ~D inferences", [cputime, inferences]),
    statistics_line("~D atoms (~D bytes), ~D clauses, ~D bytes of tables", [atoms, atom_space, clauses, table_space_used]),
    statistics(stack_limit, Limit),
    statistics_line("Memory of this thread: ~D bytes in terms and environments, ~D in choice points, ~D in the trail",
                    [globalused, localused, trailused]),
    (   Limit > 0
    ->  format(user_error, "% Limit: ~D bytes~n", [Limit])
    ;   true
    ),
    statistics(garbage_collection, [Count, Gained, Milliseconds|_]),
    format(user_error, "% ~D garbage collections gained ~D bytes in ~D ms~n", [Count, Gained, Milliseconds]),
    statistics_line("~D threads", [threads]).

statistics_line(Format, Keys) :-
    maplist(statistics, Keys, Values),
    write(user_error, '% '),
    format(user_error, Format, Values),
    nl(user_error).

%!  time(:Goal) is nondet.
%
%   Goal; prints the resources used up to each solution, to its failure or its exception.

time(Goal) :-
    time_used(T0),
    (   call_cleanup(catch(Goal, E, ( report_time(T0), throw(E) )), Det = true),
        report_time(T0),
        ( Det == true -> ! ; true )
    ;   report_time(T0),
        fail
    ).

time_used(used(C, T, I)) :- statistics(cputime, C), get_time(T), statistics(inferences, I).

report_time(used(C0, T0, I0)) :-
    time_used(used(C1, T1, I1)),
    C is C1-C0, T is T1-T0, I is I1-I0,
    ( C > 0 -> Lips is truncate(I/C) ; Lips = 'Infinite' ),
    ( T > 0 -> P is round(100*C/T) ; P = 100 ),
    '$fresh_line'(user_error),
    format(user_error, "% ~D inferences, ~3f CPU in ~3f seconds (~w% CPU, ~w Lips)~n", [I, C, T, P, Lips]).

%!  call_time(:Goal, -Time:dict) is nondet.
%!  call_time(:Goal, -Time:dict, -Result) is nondet.
%
%   Goal; Time is a dict time{cpu:Seconds, inferences:Count, wall:Seconds} of what has been used since it was called. Result is true for each of its solutions, and false when there are
%   no more. What it raises is passed on.

call_time(Goal, Time) :-
    call_time(Goal, Time, true).

call_time(Goal, Time, Result) :-
    time_used(T0),
    (   call_cleanup(Goal, Det = true),
        used_since(T0, Used),
        Time = Used,
        Result = true,
        ( Det == true -> ! ; true )
    ;   Result = false,
        used_since(T0, Time)
    ).

used_since(used(C0, T0, I0), Time) :-
    time_used(used(C1, T1, I1)),
    C is C1-C0, T is T1-T0, I is I1-I0,
    dict_pairs(Time, time, [cpu-C, inferences-I, wall-T]).
