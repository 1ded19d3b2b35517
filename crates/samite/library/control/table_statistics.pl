% What tables take: of this thread, of one table, of each type of page.

:- module(table_statistics,
          [ table_statistics/0,
            table_statistics/1,
            table_statistics/2,
            table_statistics/3
          ]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [member/2, sum_list/2]).
:- autoload(library(tables), [current_table/2]).

:- meta_predicate(table_statistics(:)).
:- meta_predicate(table_statistics(:, ?, -)).

%!  table_statistics is det.
%
%   Prints on standard error what table_statistics/2 says of the tables of this thread, what its structures take, those of all threads, and the tables that threads
%   share.

table_statistics :-
    '$table_totals'(Totals),
    table_totals('Tables of this thread', Totals),
    table_pages('Structures of this thread', thread),
    table_pages('Structures of all threads', all),
    statistics(shared_table_space_used, Shared),
    format(user_error, "% Tables that threads share: ~D bytes~n", [Shared]).

%!  table_statistics(:Variant) is det.
%
%   Prints on standard error how many tables of this thread have a call that unifies with Variant, and what these take together.

table_statistics(Variant) :-
    findall(Totals, ( current_table(Variant, Table), '$table_totals'(Table, Totals) ), All),
    length(All, Count),
    findall(Key-Sum, ( member(Key, [answers, answer_trie_nodes, hashed_nodes, bytes]), sum(Key, All, Sum) ), Sums),
    table_totals('Tables of these calls', [tables-Count|Sums]).

sum(Key, All, Sum) :-
    findall(N, ( member(Totals, All), member(Key-N, Totals) ), Ns),
    sum_list(Ns, Sum).

%!  table_statistics(?Key, -Value) is nondet.
%
%   Of the tables that new calls of this thread find: `tables`, `answers`, `repeated_answers` (found again when they were there), `subgoal_trie_nodes`, `answer_trie_nodes` (each trie
%   has a root; answers that are rows have no nodes), `hashed_nodes`, `bytes`. Since the thread began: `calls` of tabled predicates, `evaluations` of tables, `reevaluations` of them, of those that had
%   been invalidated; `looked_at`, answers of complete tables that were looked at for calls that fit only some of them. With what is held for older ones that are still read, and for new ones: `bytes_held`. Of this thread, and of all others of the program that are
%   through: `common_writes`, words written that other threads may write too (calls of predicates tabled `as subgoal_shared`, answers of evaluations whose work is shared), `failed_writes`, those of
%   them that were not, as another thread was faster, and `lock_waits`, how often a lock was somebody else's (flag `table_sync`). `pages(Type)` is pages(Bytes, Used, Pages): so many structures of Bytes bytes
%   are used, in so many pages of 16 KiB; Bytes is 0 for long arrays, which are counted in bytes.

table_statistics(Key, Value) :-
    nonvar(Key),
    Key = pages(Type),
    !,
    '$table_pages'(thread, Pages),
    member(pages(Type, Bytes, Used, Count), Pages),
    Value = pages(Bytes, Used, Count).
table_statistics(Key, Value) :-
    ( nonvar(Key) -> must_be(atom, Key) ; true ),
    '$table_totals'(Totals),
    (   atom(Key)
    ->  (   member(Key-V, Totals)
        ->  Value = V
        ;   throw(error(domain_error(table_statistics_key, Key), _))
        )
    ;   (   member(Key-Value, Totals)
        ;   '$table_pages'(thread, Pages),
            member(pages(Type, Bytes, Used, Count), Pages),
            Key = pages(Type),
            Value = pages(Bytes, Used, Count)
        )
    ).

%!  table_statistics(:Variant, ?Key, -Value) is nondet.
%
%   Of a table of this thread whose call is Variant: `answers`, `answer_trie_nodes`, `hashed_nodes`, `least_depth` and `greatest_depth` of an answer, in tokens, and `bytes`, of what is the table's own (the
%   nodes of its call are shared with others).

table_statistics(Variant, Key, Value) :-
    ( nonvar(Key) -> must_be(atom, Key) ; true ),
    current_table(Variant, Table),
    '$table_totals'(Table, Totals),
    member(Key-Value, Totals).

table_totals(Heading, Totals) :-
    format(user_error, "% ~w:~n", [Heading]),
    forall(member(Key-Value, Totals), format(user_error, "%   ~w~t~32|~t~D~14+~n", [Key, Value])).

table_pages(Heading, Whose) :-
    format(user_error, "% ~w:~t~44|bytes~t~10+used~t~12+pages~n", [Heading]),
    '$table_pages'(Whose, Pages),
    forall(( member(pages(Type, Bytes, Used, Count), Pages), Used > 0 ),
           format(user_error, "%   ~w~t~40|~t~D~9+~t~D~11+~t~D~10+~n", [Type, Bytes, Used, Count])).
