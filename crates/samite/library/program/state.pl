:- module('$state', [ '$restore_program'/1 ]).

/*  A program that stands behind Samite in its executable, as library(qsave) writes it.

    The last sixteen bytes say so: where it begins, eight bytes, the highest first, and `SAMITEQ1` ('$program_place'/2). It is a row of terms:

        program(1)                      what follows is of this version
        goal(G), toplevel(G), init_file(F)   options of qsave_program/2
        file(F), term(Line, Term)..., said(Key, What)..., end_of_file
                                        what a load of F finds: clauses as they have been expanded, declarations, what directives have said (boot/said.pl)
        do(Goal), assert(Module, Clause), said(Key, What)
        init(Place, Goal)               goals of initialization/1
        end
*/

%!  '$restore_program'(+Stream) is det.
%
%   What '$option_goal'/1, '$option_toplevel'/1 and '$option_init'/1 have then is the command line of the program.

'$restore_program'(Stream) :-
    fast_read(Stream, program(1)),
    '$file_flags'(Flags),
    set_prolog_flag(style_discontiguous, false),
    set_prolog_flag(style_singleton, false),
    set_prolog_flag(style_no_effect, false),
    nb_setval('$restored', Stream),
    repeat,
    fast_read(Stream, Item),
    (   Item == end -> !
    ;   restore(Item, Stream), fail
    ),
    nb_setval('$restored', []),
    '$set_file_flags'(Flags).

restore(goal(Goal), _) :- text(Goal, Text), assertz(system:'$option_goal'(Text)).
restore(toplevel(Goal), _) :- text(Goal, Text), assertz(system:'$option_toplevel'(Text)).
restore(init_file(File), _) :- assertz(system:'$option_init'(File)).
restore(file(File), Stream) :- '$load_files'(user:File, [stream(Stream), imports([])]).
restore(do(Goal), _) :-
    (   catch(Goal, Error, print_message(error, Error)) -> true
    ;   print_message(warning, goal_failed(directive, Goal))
    ).
restore(assert(Module, Clause), _) :-
    (   Module == user, is_there(Clause) -> true
    ;   assertz(Module:Clause)
    ).
restore(said(Key, What), _) :- '$say_again'(Key, What).
restore(init(Place, Goal), _) :- '$run_init_goal'(Goal, Place).

%   Clauses that each program has when it begins.
is_there(Clause) :-
    ( Clause = (Head :- Body) -> true ; Head = Clause, Body = true ),
    functor(Head, Name, 2),
    ( Name == file_search_path ; Name == prolog_file_type ), !,
    functor(General, Name, 2),
    clause(user:General, Other),
    General-Other =@= Head-Body, !.

text(Goal, Text) :-
    ( Goal = user:Plain -> true ; Plain = Goal ),
    format(atom(Text), '~k', [Plain]).
