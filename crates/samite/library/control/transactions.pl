:- module(transactions,
          [ transaction/1,
            transaction/2,
            transaction/3,
            snapshot/1,
            current_transaction/1
          ]).
:- use_module(library(error), [must_be/2, type_error/2]).
:- use_module(library(lists), [reverse/2]).
:- use_module(library(option), [option/3]).
:- autoload(library(tables), [abolish_nonincremental_tables/0]).

/*  Transactions: changes of dynamic predicates that nobody else sees until they are all made, in one step; as in SWI-Prolog.

    Goals run once, within a cleanup handler: whatever ends one that has not been committed, its changes are given up. What nobody else sees is the machine's
    (`transactions.rs` there).  */

:- meta_predicate(transaction(0)).
:- meta_predicate(transaction(0, +)).
:- meta_predicate(transaction(0, 0, +)).
:- meta_predicate(snapshot(0)).
:- meta_predicate(current_transaction(:)).

%!  transaction(:Goal) is semidet.
%
%   once(Goal), which sees the database as it is now and what it changes itself. If it succeeds its changes are made, for all in one step; if it fails or raises an
%   exception they are given up. In another transaction, they become part of that one's.

transaction(Goal) :-
    must_be(callable, Goal),
    run(Goal, false, changes).

%!  transaction(:Goal, +Options) is semidet.
%
%   The same; with the option bulk(true), those who listen to what changes (prolog_listen/2) hear of it when Goal has succeeded, and can still veto it.

transaction(Goal, Options) :-
    must_be(callable, Goal),
    must_be(list, Options),
    '$check_options'(transaction_option, Options),
    option(bulk(Bulk), Options, false),
    must_be(bool, Bulk),
    (   Bulk == true
    ->  run(Goal, true, told_changes)
    ;   run(Goal, false, changes)
    ).

%!  transaction(:Goal, :Constraint, +Mutex) is semidet.
%
%   As transaction/1. When Goal has succeeded, once(Constraint) is called with Mutex locked, and sees what others have committed by then beside the transaction's own
%   changes: these are made if it succeeds, before Mutex is unlocked.

transaction(Goal, Constraint, Mutex) :-
    must_be(callable, Goal),
    must_be(callable, Constraint),
    ( number(Mutex) -> type_error(mutex, Mutex) ; must_be(nonvar, Mutex) ),
    run(Goal, false, if(Constraint, Mutex)).


%!  snapshot(:Goal) is semidet.
%
%   once(Goal), which sees the database as it is now and what it changes itself, as nobody else ever does.

snapshot(Goal) :-
    must_be(callable, Goal),
    run(Goal, false, nothing).

%   Commit: what is to become of the changes. (The continuation of what is called within has a mark: nobody takes it out of the transaction.)
run(Goal, Quiet, Commit) :-
    setup_call_cleanup(
        '$begin_transaction'(Depth, Quiet),
        '$within_transaction'(run_within(Goal, Commit, Depth), Depth),
        give_up(Depth)).

run_within(Goal, Commit, Depth) :-
    ( nb_current('$transactions', Outer) -> true ; Outer = [] ),
    '$strip'(Goal, Module, Plain),
    b_setval('$transactions', [Module-Plain|Outer]),
    once(Goal),
    b_setval('$transactions', Outer),
    commit(Commit, Depth).

%   (Nothing is left to be given up of what has been committed.)
give_up(Depth) :-
    (   '$in_transaction'(Now),
        Now >= Depth
    ->  '$told_updates'(Updates),
        reverse(Updates, Newest),
        tell_given_up(Newest),
        '$give_up_transaction'(Depth, Stale),
        ( Stale == true -> abolish_nonincremental_tables ; true )
    ;   true
    ).

tell_given_up([]).
tell_given_up([told(Name, Module, Arity, Action, Ref)|Updates]) :-
    catch(ignore('$listening'(tell_change(Name, Module, Arity, rollback(Action), Ref))), E,
          print_message(error, unhandled_exception(E))),
    tell_given_up(Updates).

commit(nothing, _).
commit(changes, Depth) :- '$commit_transaction'(Depth).
commit(told_changes, Depth) :-
    '$tell_now',
    '$told_updates'(Updates),
    tell_all(Updates),
    '$commit_transaction'(Depth).
commit(if(Constraint, Mutex), Depth) :-
    with_mutex(Mutex, ( '$renew_transaction', once(Constraint), '$commit_transaction'(Depth) )).

tell_all([]).
tell_all([told(Name, Module, Arity, Action, Ref)|Updates]) :-
    '$listening'(tell_change(Name, Module, Arity, Action, Ref)),
    tell_all(Updates).

%!  current_transaction(-Goal) is nondet.
%
%   Goal is that of a transaction or snapshot that the thread is in, the innermost first; without a module if it is that of the caller.

current_transaction(Goal0) :-
    '$in_transaction'(_),
    '$strip'(Goal0, M, Goal),
    nb_current('$transactions', Goals),
    '$member'(N-G, Goals),
    ( N == M -> Goal = G ; Goal = N:G ).
