:- module('$state', [ '$restore_program'/1 ]).

/*  A program that stands behind Samite in its executable, as library(qsave) writes it.

    The last sixteen bytes say so: where it begins, eight bytes, the highest first, and `SAMITEQ1` ('$program_place'/2). It is a row of terms:

        program(2)                      what follows is of this version
        goal(G), toplevel(G), init_file(F)   options of qsave_program/2
        row(Row)                        of a table of the program ('$image'/1)
        library(Name)                   is loaded
        do(Goal)                        makes a predicate one of its kind; and flags, records and the like
        state(M:PI)                     of a predicate of Samite's own: what the program has told it follows
        clause(M:Clause, File, Text, Line)   in the order in which they are
        end

    Nothing of it is loaded or runs, but for goals of initialization/1,2 when all is in place: those for when a program begins, as they have been said.
*/

%!  '$restore_program'(+Stream) is det.
%
%   What '$option_goal'/1, '$option_toplevel'/1 and '$option_init'/1 have then is the command line of the program.

'$restore_program'(Stream) :-
    fast_read(Stream, program(2)),
    repeat,
    fast_read(Stream, Item),
    (   Item == end -> !
    ;   restore(Item), fail
    ),
    initialize.

restore(clause(Clause, File, Text, Line)) :- !,
    told('$restore_clause'(Clause, File, Text, Line)).
restore(row(Row)) :- !, told('$restore_row'(Row)).
restore(goal(Goal)) :- text(Goal, Text), assertz(system:'$option_goal'(Text)).
restore(toplevel(Goal)) :- text(Goal, Text), assertz(system:'$option_toplevel'(Text)).
restore(init_file(File)) :- assertz(system:'$option_init'(File)).
restore(library(Name)) :- '$load_library'(Name).
restore(state(M:PI, Kind)) :-
    ( Kind == (dynamic), \+ ( '$predicate_properties'(M:PI, Properties), memberchk(dynamic, Properties) ) -> told(dynamic(M:PI)) ; true ),
    '$withdraw_clauses'(M:PI).
restore(do(Goal)) :- told(Goal).

:- meta_predicate told(0).

told(Goal) :-
    (   catch(Goal, Error, print_message(error, Error)) -> true
    ;   print_message(warning, goal_failed(directive, Goal))
    ).

%   The thread begins as others do. Goals of initialization/1,2 that are for the beginning of a program run again, in the order in which they were said.
initialize :-
    forall('$thread_init_goal'(Goal), told(once(Goal))),
    findall(Place-Goal, ( '$says'(Key, Place-Goal), begins(Key) ), Goals),
    initialize(Goals).

initialize([]).
initialize([Place-Goal|Goals]) :-
    '$run_init_goal'(Goal, Place),
    initialize(Goals).

begins('$init').
begins('$now').
begins('$restore').

text(Goal, Text) :-
    ( Goal = user:Plain -> true ; Plain = Goal ),
    format(atom(Text), '~k', [Plain]).
