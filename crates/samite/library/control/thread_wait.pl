:- module(thread_wait, [ thread_update/2, thread_wait/2 ]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(option), [option/2, option/3]).

/*  Waiting until something is true of the database; as in SWI-Prolog.

    A thread that waits sleeps until a predicate that it watches has changed or thread_update/2 tells it to look. What it watches is noted before it looks
    the first time, so nothing that happens between looking and sleeping is overlooked.  */

:- meta_predicate(thread_wait(0, :)).
:- meta_predicate(thread_update(0, :)).

%!  thread_wait(:Goal, :Options) is semidet.
%
%   once(Goal), as soon as it succeeds; fails when the time has come that timeout(Seconds) or deadline(Stamp) say. Goal is tried again when the
%   database changes; more exactly, after
%
%     - wait_preds(List): changes of these dynamic predicates, `+PI` after one was added to only, `-PI` after one has lost a clause; without it and with
%       db(true): of any predicate
%     - retry_every(Seconds): in any case (default 1)
%
%   modified(List): the predicates that have changed since the last try. module(M): the module of thread_update/2. signals(false): signals wait, too.

thread_wait(Goal, Options0) :-
    options(Options0, Module, Options),
    '$check_options'(timeout_option, Options),
    must_be(callable, Goal),
    (   '$in_transaction'(_)
    ->  throw(error(permission_error(thread, wait, Goal), context(system:thread_wait/2, 'in transaction')))
    ;   nb_current('$thread_waits', true)
    ->  throw(error(permission_error(thread, wait, Goal), context(system:thread_wait/2, _)))
    ;   true
    ),
    end(Options, Time),
    option(retry_every(Retry), Options, 1),
    seconds(Retry),
    option(modified(Modified), Options, _),
    ( var(Modified) -> true ; throw(error(uninstantiation_error(Modified), context(system:thread_wait/2, _))) ),
    (   option(wait_preds(Predicates), Options)
    ->  option(db(All), Options, false)
    ;   Predicates = [],
        option(db(All), Options, true)
    ),
    must_be(bool, All),
    option(signals(Signals), Options, true),
    setup_call_cleanup(
        '$watch'(Module, Predicates, All, Watch),
        look(Watch, Goal, Modified, limits(Time, Retry), Signals, []),
        '$unwatch'(Watch)).

%   Fails when the time has come.
look(Watch, Goal, Modified, Limits, Signals, Changed) :-
    (   try(Goal, Modified, Changed)
    ->  true
    ;   sleep(Signals, Watch, Limits, Changed1),
        look(Watch, Goal, Modified, Limits, Signals, Changed1)
    ).

%   While Goal runs nothing else can be waited for.
try(Goal, Modified, Changed) :-
    Modified = Changed,
    b_setval('$thread_waits', true),
    once(Goal),
    b_setval('$thread_waits', false).

sleep(Signals, Watch, Limits, Changed) :-
    (   Signals == false
    ->  sig_atomic('$watch_wait'(Watch, Limits, Changed))
    ;   '$watch_wait'(Watch, Limits, Changed)
    ).

%   The earlier one of two times to give up.
end(Options, Time) :-
    ( option(timeout(Timeout), Options) -> seconds(Timeout) ; Timeout = inf ),
    (   option(deadline(Deadline), Options)
    ->  seconds(Deadline),
        get_time(Now),
        Left is Deadline - Now
    ;   Left = inf
    ),
    (   Timeout == inf -> Seconds = Left
    ;   Left == inf -> Seconds = Timeout
    ;   Seconds is min(Timeout, Left)
    ),
    '$time_in'(Seconds, Time).

seconds(Time) :-
    (   number(Time) -> true
    ;   var(Time) -> throw(error(instantiation_error, context(system:thread_wait/2, _)))
    ;   throw(error(type_error(float, Time), context(system:thread_wait/2, _)))
    ).

options(Options0, Module, Options) :-
    strip_module(Options0, Module0, Options),
    must_be(list, Options),
    option(module(Module), Options, Module0),
    must_be(atom, Module).

%!  thread_update(:Goal, :Options) is semidet.
%
%   once(Goal); if it succeeds, those look again who wait in its module, or that of the option module(M): all of them with notify(broadcast), the default, or
%   one with notify(signal).

thread_update(Goal, Options0) :-
    options(Options0, Module, Options),
    '$check_options'(thread_update_options, Options),
    must_be(callable, Goal),
    option(notify(How), Options, broadcast),
    must_be(nonvar, How),
    (   How == broadcast -> All = true
    ;   How == signal -> All = false
    ;   throw(error(domain_error(notify_option, How), context(system:thread_update/2, _)))
    ),
    once(Goal),
    '$tell_watches'(Module, All).
