%   Runs a program of the paper's sets: samite [OPTION...] harness.pl -- DESIGN THREADS PROGRAM [FACTS]
%
%   DESIGN is private, subgoal_shared or shared, as the flags say when PROGRAM is loaded, which has query/1: a goal of a tabled predicate. With 0 threads it is characterised:
%   calls, trie nodes and answers, as the paper's Table I has them. Else all threads ask the query at once, twice; the tables are gone in between.
%   What is printed is a line NAME=VALUE each.

:- use_module(library(lists)).
:- use_module(library(aggregate)).
:- use_module(library(table_statistics)).

main :-
    current_prolog_flag(argv, Argv),
    append(_, [Design, Threads0, Program|Facts], Argv),
    memberchk(Design, [private, subgoal_shared, shared]), !,
    atom_number(Threads0, Threads),
    design(Design),
    forall(member(File, [Program|Facts]), load_files(File, [])),
    (   Threads =:= 0
    ->  characterise
    ;   time(Threads, First), say(first, First),
        time(Threads, Second), say(second, Second),
        forall(member(Key, [common_writes, failed_writes, lock_waits]), ( table_statistics(Key, N), say(Key, N) ))
    ).

design(private).
design(subgoal_shared) :- set_prolog_flag(table_subgoal_shared, true).
design(shared) :- set_prolog_flag(table_shared, true).

say(Name, Value) :- format("~w=~w~n", [Name, Value]).

ask :- query(Goal), forall(Goal, true).

time(Threads, Seconds) :-
    abolish_all_tables,
    message_queue_create(Start),
    findall(T, ( between(1, Threads, _), thread_create(( thread_get_message(Start, go), ask ), T) ), Ts),
    get_time(T0),
    forall(member(_, Ts), thread_send_message(Start, go)),
    forall(member(T, Ts), thread_join(T, true)),
    get_time(T1),
    message_queue_destroy(Start),
    abolish_all_tables,
    Seconds is T1-T0.

characterise :-
    ask,
    forall(member(Key, [subgoals, subgoal_trie_nodes, answers, repeated, answer_trie_nodes]), ( tabling_statistics(Key, N), say(Key, N) )),
    query(Goal),
    functor(Goal, Name, Arity),
    functor(Call, Name, Arity),
    findall(L-G, ( '$tables'(Call, Tables), member(table(T, _, _), Tables), '$table_totals'(T, Totals), memberchk(answers-A, Totals), A > 0,
                   memberchk(least_depth-L, Totals), memberchk(greatest_depth-G, Totals) ), Depths),
    findall(L, member(L-_, Depths), Ls), min_list(Ls, Least), say(least_depth, Least),
    findall(G, member(_-G, Depths), Gs), max_list(Gs, Greatest), say(greatest_depth, Greatest),
    tabling_statistics(total_memory, Bytes),
    say(bytes, Bytes).
