:- module(thread_pool,
          [ create_pool/1,
            current_thread_pool/1,
            thread_create_in_pool/4,
            thread_pool_create/3,
            thread_pool_destroy/1,
            thread_pool_property/2
          ]).
:- use_module(library(error), [existence_error/2, must_be/2, permission_error/3]).
:- use_module(library(option), [option/3, select_option/4]).

/*  Limits of how many threads run for one purpose; as SWI-Prolog's library(thread_pool).

    Differs from it in: no thread manages the pools. A pool and each of its places that is taken are facts, changed under a mutex; who wants a place waits until
    one is given back (thread_wait/2), which the thread that has it does when it ends.  */

:- meta_predicate(thread_create_in_pool(+, 0, -, :)).

%   '$pool'(Name, Size, Backlog, Options), '$place'(Pool, Number, Thread) (or `starting` for the thread), '$waits'(Pool, Number).
:- dynamic('$pool'/4).
:- dynamic('$place'/3).
:- dynamic('$waits'/2).
:- volatile(('$place'/3, '$waits'/2)).
:- multifile(create_pool/1).
:- dynamic(create_pool/1).

%!  create_pool(+Pool) is semidet.
%
%   A program may say here how a pool is created that is asked for and is not there.

%!  thread_pool_create(+Pool, +Size, +Options) is det.
%
%   A pool for Size threads. backlog(N): no more than N may wait for a place; by default any number. The other options are for the threads, unless they say
%   otherwise.

thread_pool_create(Pool, Size, Options) :-
    must_be(atom, Pool),
    must_be(positive_integer, Size),
    must_be(list, Options),
    select_option(backlog(Backlog), Options, Others, infinite),
    ( Backlog == infinite -> true ; must_be(nonneg, Backlog) ),
    '$locked'('$thread_pool', define(Pool, Size, Backlog, Others)).

define(Pool, Size, Backlog, Options) :-
    (   '$pool'(Pool, _, _, _)
    ->  permission_error(create, thread_pool, Pool)
    ;   assertz('$pool'(Pool, Size, Backlog, Options))
    ).

%!  thread_pool_destroy(+Pool) is det.
%
%   The pool is no more; its threads go on.

thread_pool_destroy(Pool) :-
    must_be(atom, Pool),
    '$locked'('$thread_pool', forget(Pool)).

forget(Pool) :-
    (   retract('$pool'(Pool, _, _, _))
    ->  retractall('$place'(Pool, _, _))
    ;   existence_error(thread_pool, Pool)
    ).

%!  current_thread_pool(?Pool) is nondet.

current_thread_pool(Pool) :- '$pool'(Pool, _, _, _).

%!  thread_pool_property(?Pool, ?Property) is nondet.
%
%   options(Options), size(N), free(N), running(N), members(Threads), backlog(N): how many wait for a place.

thread_pool_property(Pool, Property) :-
    ( var(Pool) -> true ; known(Pool) ),
    '$pool'(Pool, Size, _, Options),
    findall(Thread, '$place'(Pool, _, Thread), Threads),
    length(Threads, Running),
    property(Property, Pool, Size, Options, Threads, Running).

property(options(Options), _, _, Options, _, _).
property(backlog(N), Pool, _, _, _, _) :- aggregate_all(count, '$waits'(Pool, _), N).
property(free(N), _, Size, _, _, Running) :- N is Size-Running.
property(size(Size), _, Size, _, _, _).
property(running(Running), _, _, _, _, Running).
property(members(Members), _, _, _, Threads, _) :- '$delete'(Threads, starting, Members).

'$delete'([], _, []).
'$delete'([X|Xs], Y, Zs) :-
    ( X == Y -> Zs = Zs1 ; Zs = [X|Zs1] ),
    '$delete'(Xs, Y, Zs1).

known(Pool) :-
    must_be(atom, Pool),
    ( '$pool'(Pool, _, _, _) -> true ; existence_error(thread_pool, Pool) ).

%!  thread_create_in_pool(+Pool, :Goal, -Id, :Options) is det.
%
%   As thread_create/3, with a place of the pool, for which it waits; not with wait(false), nor if as many wait as may: then resource_error(threads_in_pool(Pool)).

thread_create_in_pool(Pool, Goal, Id, QOptions) :-
    must_be(atom, Pool),
    must_be(callable, Goal),
    strip_module(QOptions, Module, Options0),
    must_be(list, Options0),
    select_option(wait(Wait), Options0, Options1, true),
    must_be(bool, Wait),
    ( '$pool'(Pool, _, _, _) -> true ; create_pool(Pool) -> true ; true ),
    known(Pool),
    '$pool'(Pool, _, Backlog, Defaults),
    '$and_defaults'(Defaults, Options1, Options),
    flag('$thread_pool_place', Number, Number+1),
    Make = thread_pool:make(Pool, Number, Goal, Id, Module:Options),
    (   '$undivided'(Make)
    ->  true
    ;   setup_call_cleanup(
            '$locked'('$thread_pool', queue_up(Pool, Wait, Backlog, Number)),
            thread_wait('$undivided'(Make), thread_pool:[wait_preds(['$pool'/4, -('$place'/3), -('$waits'/2)])]),
            retractall('$waits'(Pool, Number)))
    ).

queue_up(Pool, Wait, Backlog, Number) :-
    aggregate_all(count, '$waits'(Pool, _), Waiting),
    (   Wait == true,
        ( Backlog == infinite -> true ; Waiting < Backlog )
    ->  assertz('$waits'(Pool, Number))
    ;   throw(error(resource_error(threads_in_pool(Pool)), _))
    ).

%   Takes a place and starts a thread in it; fails if there is none, or if it is another's turn. Not to be interrupted.
make(Pool, Number, Goal, Id, Options) :-
    known(Pool),
    '$locked'('$thread_pool', take(Pool, Number)),
    catch(start(Pool, Number, Goal, Id, Options), E, ( give_back(Pool, Number), throw(E) )).

take(Pool, Number) :-
    ( '$waits'(Pool, First) -> First == Number ; true ),
    '$pool'(Pool, Size, _, _),
    aggregate_all(count, '$place'(Pool, _, _), Taken),
    Taken < Size,
    assertz('$place'(Pool, Number, starting)).

start(Pool, Number, Goal, Id, Module:Options) :-
    thread_create(Goal, Id, Module:[at_exit(thread_pool:give_back(Pool, Number))|Options]),
    '$locked'('$thread_pool', has(Pool, Number, Id)).

%   It may have ended.
has(Pool, Number, Id) :-
    (   retract('$place'(Pool, Number, starting))
    ->  assertz('$place'(Pool, Number, Id))
    ;   true
    ).

'$and_defaults'([], Options, Options).
'$and_defaults'([Default|Defaults], Options0, Options) :-
    functor(Default, Name, Arity),
    functor(Own, Name, Arity),
    (   memberchk(Own, Options0)
    ->  Options = Options1
    ;   Options = [Default|Options1]
    ),
    '$and_defaults'(Defaults, Options0, Options1).

give_back(Pool, Number) :-
    '$locked'('$thread_pool', retractall('$place'(Pool, Number, _))).
