% Resources that are in use, as far as in SWI-Prolog's library(statistics) no dicts are needed for them. time/1 is always there.

:- module(prolog_statistics, [statistics/0]).

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
