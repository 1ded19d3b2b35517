:- module(thread_settings, [ mutex_statistics/0, thread_idle/2, (thread_initialization)/1 ]).
:- use_module(library(error), [domain_error/2, must_be/2]).

/*  What threads begin with, give back, and have waited for; as in SWI-Prolog.  */

:- meta_predicate(thread_initialization(0)).
:- meta_predicate(thread_idle(0, +)).

%!  thread_initialization(:Goal) is semidet.
%
%   once(Goal), now and at the beginning of each thread that is created later. An exception ends such a thread with this status.

thread_initialization(Goal) :-
    must_be(callable, Goal),
    once(Goal),
    assertz(system:'$thread_init_goal'(Goal)),
    '$initializes_threads'.

%!  thread_idle(:Goal, +Duration) is semidet.
%
%   once(Goal), which waits; this thread gives back memory that it does not need meanwhile: what is free anyway if Duration is `short`, what a collection
%   frees as well if it is `long`.

thread_idle(Goal, Duration) :-
    must_be(nonvar, Duration),
    (   Duration == short -> true
    ;   Duration == long -> garbage_collect
    ;   domain_error(thread_idle_duration, Duration)
    ),
    trim_stacks,
    once(Goal).

%!  mutex_statistics is det.
%
%   Prints on the current output how often mutexes were locked, and how often somebody had to wait for them.

mutex_statistics :-
    '$mutex_counts'(Counts),
    format('~w~t~58|~t~w~66| ~w~n', ['Name', locked, collisions]),
    format('~`-t~76|~n'),
    forall('$member'(counts(Mutex, Locked, Waited), Counts),
           format('~w~t~58|~t~D~66|~t~D~76|~n', [Mutex, Locked, Waited])).
