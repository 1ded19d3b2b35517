:- module(broadcast,
          [ listen/2,
            listen/3,
            unlisten/1,
            unlisten/2,
            unlisten/3,
            listening/3,
            broadcast/1,
            broadcast_request/1
          ]).

/*  Telling others of what happens, with the predicates of SWI-Prolog's library(broadcast).

    A listener is a term of the program that stands for whoever hears; the module from which it began to listen is where its goals are called. All
    threads hear all threads: a goal is called by the thread that tells.
*/

:- meta_predicate(listen(+, 0)).
:- meta_predicate(listen(+, +, 0)).
:- meta_predicate(unlisten(+, +, 0)).
:- meta_predicate(listening(?, ?, 0)).

%   listener(Template, Listener, Module, Goal).
:- dynamic(listener/4).

%!  listen(+Template, :Goal) is det.
%
%   As listen/3, the listener being the module of the call.

listen(Template, Goal0) :-
    strip_module(Goal0, Module, Goal),
    listen(Module, Template, Module:Goal).

%!  listen(+Listener, +Template, :Goal) is det.
%
%   Goal is called for what is told that unifies with Template. Who has listened first is called last.

listen(Listener, Template, Goal0) :-
    must_be(nonvar, Listener),
    must_be(nonvar, Template),
    strip_module(Goal0, Module, Goal),
    must_be(callable, Goal),
    (   listener(Template1, Listener1, Module, Goal1),
        Template1-Listener1-Goal1 =@= Template-Listener-Goal
    ->  true
    ;   asserta(listener(Template, Listener, Module, Goal))
    ).

%!  unlisten(+Listener) is det.
%!  unlisten(+Listener, +Template) is det.
%!  unlisten(+Listener, +Template, :Goal) is det.
%
%   Listener does not listen any more: to nothing, or to all that unifies with Template, with goals that unify with Goal. What is unbound is everybody,
%   or everything.

unlisten(Listener) :-
    retractall(listener(_, Listener, _, _)).

unlisten(Listener, Template) :-
    retractall(listener(Template, Listener, _, _)).

unlisten(Listener, Template, Goal0) :-
    strip_module(Goal0, Module, Goal),
    (   var(Goal)
    ->  retractall(listener(Template, Listener, _, _))
    ;   retractall(listener(Template, Listener, Module, Goal))
    ).

%!  listening(?Listener, ?Template, ?Goal) is nondet.
%
%   Who listens to what; Goal is Module:Plain.

listening(Listener, Template, Spec) :-
    (   var(Spec)
    ->  Spec = Module:Goal
    ;   strip_module(Spec, Module0, Goal),
        (   var(Goal) -> true ; Module = Module0 )
    ),
    listener(Template, Listener, Module, Goal).

%!  broadcast(+Term) is det.
%
%   Calls, once, the goals of all that listen to Term; nothing that they bind or answer stays. An exception ends it.

broadcast(Term) :-
    must_be(nonvar, Term),
    (   listener(Term, _, Module, Goal),
        ignore(Module:Goal),
        fail
    ;   true
    ).

%!  broadcast_request(+Term) is nondet.
%
%   Calls the goals of those that listen to Term until one succeeds, and the others on backtracking.

broadcast_request(Term) :-
    must_be(nonvar, Term),
    listener(Term, _, Module, Goal),
    call(Module:Goal).
