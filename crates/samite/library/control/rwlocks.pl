:- module(rwlocks, [ with_rwlock/3, with_rwlock/4 ]).
:- use_module(library(error), [domain_error/2, must_be/2]).
:- use_module(library(option), [option/3]).

/*  Locks that many may hold to read and one to write, as SWI-Prolog's library(rwlocks).

    A lock is a fact that says who is in and who waits, changed under a mutex. Who has to wait does so at its own queue, in which it gets its turn: the first
    of the highest priority, and with it all readers of that priority that came before the next writer.  */

:- meta_predicate(with_rwlock(+, 0, +)).
:- meta_predicate(with_rwlock(+, 0, +, +)).

%   '$rwlock'(Lock, In, Waiting): In is none, reading(Threads) or writing(Thread, Times); Waiting are waits(Number, Priority, Mode, Thread), first come first.
:- dynamic('$rwlock'/3).
:- volatile('$rwlock'/3).

%!  with_rwlock(+Lock, :Goal, +Mode) is semidet.
%
%   once(Goal) while this thread has the lock: with others that read it (`read`), or alone (`write`).

with_rwlock(Lock, Goal, Mode) :- with_rwlock(Lock, Goal, Mode, []).

%!  with_rwlock(+Lock, :Goal, +Mode, +Options) is semidet.
%
%   Mode may be read(Priority) or write(Priority), else its priority is 0 to read and 100 to write. Options are timeout(Seconds): fails if it takes
%   longer to get the lock; a negative time is none.

with_rwlock(Lock, Goal, Mode, Options) :-
    must_be(atom, Lock),
    must_be(callable, Goal),
    must_be(nonvar, Mode),
    (   mode(Mode, What, Priority)
    ->  true
    ;   domain_error(rwlock_mode, Mode)
    ),
    must_be(integer, Priority),
    option(timeout(Timeout), Options, -1),
    must_be(number, Timeout),
    thread_self(Me),
    setup_call_cleanup(
        enter(Lock, What, Priority, Me, Ticket),
        ( await(Ticket, Timeout), once(Goal) ),
        leave(Lock, What, Me, Ticket)).

mode(read, read, 0).
mode(write, write, 100).
mode(read(Priority), read, Priority).
mode(write(Priority), write, Priority).

%   enter(+Lock, +What, +Priority, +Me, -Ticket): Ticket is `in`, or the number to be called by.
enter(Lock, What, Priority, Me, Ticket) :-
    '$locked'('$rwlocks', enter_(Lock, What, Priority, Me, Ticket)).

enter_(Lock, What, Priority, Me, Ticket) :-
    ( retract('$rwlock'(Lock, In, Waiting)) -> true ; In = none, Waiting = [] ),
    (   admits(In, Waiting, What, Me, In1)
    ->  Ticket = in,
        Waiting1 = Waiting
    ;   flag('$rwlock_ticket', Ticket, Ticket+1),
        In1 = In,
        append(Waiting, [waits(Ticket, Priority, What, Me)], Waiting1)
    ),
    assertz('$rwlock'(Lock, In1, Waiting1)).

%   Who is in already may come in again; a reader waits behind who waits.
admits(none, [], What, Me, In) :- alone(What, Me, In).
admits(reading(Threads), Waiting, read, Me, reading([Me|Threads])) :-
    ( Waiting == [] -> true ; memberchk(Me, Threads) ).
admits(writing(Me, Times), _, _, Me, writing(Me, Times1)) :- Times1 is Times+1.

alone(read, Me, reading([Me])).
alone(write, Me, writing(Me, 1)).

await(Ticket, Timeout) :-
    (   Ticket == in
    ->  true
    ;   Timeout < 0
    ->  thread_get_message('$rwlock'(Ticket))
    ;   thread_self(Me),
        thread_get_message(Me, '$rwlock'(Ticket), [timeout(Timeout)])
    ).

%   Gives up what enter/5 got: the lock, or the place among those that wait. It may have been called meanwhile.
leave(Lock, What, Me, Ticket) :-
    '$locked'('$rwlocks', leave_(Lock, What, Me, Ticket)).

leave_(Lock, What, Me, Ticket) :-
    retract('$rwlock'(Lock, In, Waiting)),
    (   Ticket \== in,
        selectchk(waits(Ticket, _, _, _), Waiting, Waiting1)
    ->  In1 = In
    ;   ( Ticket == in -> true ; thread_peek_message('$rwlock'(Ticket)) -> thread_get_message('$rwlock'(Ticket)) ; true ),
        out(In, What, Me, In1),
        Waiting1 = Waiting
    ),
    call_next(In1, Waiting1, In2, Waiting2),
    (   In2 == none, Waiting2 == []
    ->  true
    ;   assertz('$rwlock'(Lock, In2, Waiting2))
    ).

out(reading(Threads), _, Me, In) :-
    selectchk(Me, Threads, Threads1),
    ( Threads1 == [] -> In = none ; In = reading(Threads1) ).
out(writing(Me, Times), _, Me, In) :-
    (   Times =:= 1
    ->  In = none
    ;   Times1 is Times-1,
        In = writing(Me, Times1)
    ).

%   Lets in those whose turn it is.
call_next(In, Waiting, In2, Waiting2) :-
    (   next(Waiting, waits(Ticket, _, What, Thread)),
        lets_in(In, What, Thread, In1)
    ->  selectchk(waits(Ticket, _, _, _), Waiting, Waiting1),
        (   catch(thread_send_message(Thread, '$rwlock'(Ticket)), error(existence_error(_, _), _), fail)
        ->  In3 = In1
        ;   In3 = In
        ),
        call_next(In3, Waiting1, In2, Waiting2)
    ;   In2 = In,
        Waiting2 = Waiting
    ).

lets_in(none, What, Thread, In) :- alone(What, Thread, In).
lets_in(reading(Threads), read, Thread, reading([Thread|Threads])).

%   The first one of the highest priority.
next([First|Waiting], Next) :- next(Waiting, First, Next).

next([], Next, Next).
next([W|Ws], Best, Next) :-
    W = waits(_, P, _, _),
    Best = waits(_, BestP, _, _),
    (   P > BestP
    ->  next(Ws, W, Next)
    ;   next(Ws, Best, Next)
    ).
