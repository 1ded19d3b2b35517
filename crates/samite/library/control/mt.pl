:- module(mt, [ spawn/1, spawn/2, spawn/3, send/2, receive/1, receive/2, self/1, kill/1, wait/1, priority/2 ]).
:- use_module(library(error), [domain_error/2, must_be/2]).

/*  The threads of SICStus MT: Eskilson and Carlsson, *SICStus MT: a multithreaded execution environment for SICStus Prolog*, section 6, whose predicates these are, on
    light threads. A thread has one message queue, its own, and is named where something is sent to it. What the paper says of none of them (spawn/1,3, receive/2,
    priority/2) is said here.

    No library of SWI-Prolog: it is there for who asks for it (use_module(library(mt))), not loaded because one of these names is called.  */

:- meta_predicate(spawn(0)).
:- meta_predicate(spawn(0, -)).
:- meta_predicate(spawn(0, -, +)).

%!  spawn(:Goal) is det.
%!  spawn(:Goal, -Thread) is det.
%!  spawn(:Goal, -Thread, +Options) is det.
%
%   A new thread runs Goal. Nobody waits for its end; it says so if it ends badly. Options are those of thread_create/3; priority(N) among them.

spawn(Goal) :- spawn(Goal, _, []).

spawn(Goal, Thread) :- spawn(Goal, Thread, []).

spawn(Goal, Thread, Options) :-
    strip_module(Goal, _, Plain),
    must_be(callable, Plain),
    thread_create(Goal, Thread, [kind(light), detached(true)|Options]).

%!  send(+Thread, +Term) is det.
%
%   Term, with new variables, is the last in the thread's queue. Of a thread that has ended nothing comes of it.
%   @throws domain_error(thread, Thread) if Thread is none.

send(Thread, Term) :-
    must_be(nonvar, Thread),
    catch(thread_send_message(Thread, Term), error(existence_error(_, _), _), ended(Thread)).

%!  receive(?Term) is det.
%!  receive(?Term, +Milliseconds) is semidet.
%
%   Takes the first that unifies with Term out of this thread's queue; waits until there is one, or fails after so many milliseconds.

receive(Term) :- thread_get_message(Term).

receive(Term, Milliseconds) :-
    must_be(nonneg, Milliseconds),
    thread_self(Me),
    Seconds is Milliseconds/1000.0,
    thread_get_message(Me, Term, [timeout(Seconds)]).

%!  self(-Thread) is det.
%
%   The thread that runs.

self(Thread) :- thread_self(Thread).

%!  kill(+Thread) is det.
%
%   The thread has ended when this is true, whatever it was doing, and if it had ended before: it is aborted, and its cleanup handlers have run.
%   @throws domain_error(thread, Thread) if Thread is none.

kill(Thread) :-
    must_be(nonvar, Thread),
    thread_self(Me),
    (   Thread == Me
    ->  abort
    ;   setup_call_cleanup(
            message_queue_create(Queue),
            kill(Thread, Queue),
            message_queue_destroy(Queue))
    ).

%   A signal that a thread has accepted is run, be it when its goal is over; and so is what it is to do at its end.
kill(Thread, Queue) :-
    (   catch(thread_signal(Thread, mt:end(Queue)), error(existence_error(_, _), _), ( ended(Thread), fail ))
    ->  thread_get_message(Queue, ended)
    ;   true
    ).

end(Queue) :-
    thread_at_exit(mt:say_ended(Queue)),
    abort.

%   Who has killed it may have been killed meanwhile.
say_ended(Queue) :- catch(thread_send_message(Queue, ended), error(existence_error(_, _), _), true).

%   Is no thread now, but has been one.
ended(Thread) :- blob(Thread, thread), !.
ended(Thread) :- integer(Thread), Thread > 0, !.
ended(Thread) :- is_thread(Thread), !.
ended(Thread) :- domain_error(thread, Thread).

%!  wait(+Milliseconds) is det.
%
%   Waits at least so long.

wait(Milliseconds) :-
    must_be(nonneg, Milliseconds),
    Seconds is Milliseconds/1000.0,
    sleep(Seconds).

%!  priority(+Thread, ?Priority) is det.
%
%   Priority of a thread that was spawned; sets it, if it is an integer, from the next time on that the thread is ready to run. Higher ones run first, and those of one
%   priority in turns; none starves.

priority(Thread, Priority) :-
    var(Priority), !,
    thread_property(Thread, priority(Priority)).
priority(Thread, Priority) :- set_thread(Thread, priority(Priority)).
