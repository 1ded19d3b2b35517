:- module(intercept,
     [ intercept/3, intercept/4, intercept_all/4, nb_intercept_all/4, send_signal/1, send_silent_signal/1 ]).

/*  Signals to whoever called: like catch/3 and throw/1, but the handler runs where the signal is sent, and the goal goes on.

    The handlers in force are a list in a backtrackable global variable, the innermost first; a goal that is left takes its own off, and one that is
    entered again by backtracking finds it there again.  */

:- meta_predicate(intercept(0, ?, 0)).
:- meta_predicate(intercept(0, ?, 1, ?)).
:- meta_predicate(intercept_all(?, 0, ?, ?)).
:- meta_predicate(nb_intercept_all(?, 0, ?, ?)).

%!  intercept(:Goal, ?Ball, :Handler) is nondet.
%!  intercept(:Goal, ?Ball, :Handler, ?Argument) is nondet.
%
%   Runs Goal. A signal sent in it that unifies with Ball runs a copy of Handler, with Argument (which is not copied) added.

intercept(Goal, Ball, Handler) :-
    with_handler(Goal, handler(Ball, Handler)).

intercept(Goal, Ball, Handler, Argument) :-
    with_handler(Goal, handler(Ball, Handler, Argument)).

with_handler(Goal, Handler) :-
    handlers(Outer),
    b_setval('$intercept', [Handler|Outer]),
    call(Goal),
    b_setval('$intercept', Outer).

handlers(Handlers) :-
    (   nb_current('$intercept', Handlers0) -> Handlers = Handlers0
    ;   Handlers = []
    ).

%!  send_signal(+Signal) is nondet.
%
%   Runs the innermost handler for Signal, in which the ones around it are in force.

send_signal(Signal) :-
    must_be(nonvar, Signal),
    handlers(Handlers),
    (   sent(Handlers, Signal, Goal, Outer)
    ->  b_setval('$intercept', Outer),
        call(Goal),
        b_setval('$intercept', Handlers)
    ;   throw(error(unintercepted_signal(Signal), _))
    ).

%!  send_silent_signal(+Signal) is nondet.
%
%   As send_signal/1, but true if there is no handler.

send_silent_signal(Signal) :-
    handlers(Handlers),
    (   sent(Handlers, Signal, _, _)
    ->  send_signal(Signal)
    ;   true
    ).

sent([Handler|Outer0], Signal, Goal, Outer) :-
    (   handles(Handler, Signal, Goal)
    ->  Outer = Outer0
    ;   sent(Outer0, Signal, Goal, Outer)
    ).

handles(handler(Ball, Handler), Signal, Goal) :-
    copy_term(Ball-Handler, Signal-Goal).
handles(handler(Ball, Handler, Argument), Signal, call(Goal, Argument)) :-
    copy_term(Ball-Handler, Signal-Goal).

%!  intercept_all(+Template, :Goal, ?Ball, -List) is nondet.
%
%   List are the instances of Template for the signals Ball sent on the way to each solution of Goal.

intercept_all(Template, Goal, Ball, List) :-
    State = found([]),
    intercept(Goal, Ball, intercept:intercepted(Template), State),
    arg(1, State, Found),
    reverse(Found, List).

intercepted(Template, State) :-
    arg(1, State, Found),
    setarg(1, State, [Template|Found]).

%!  nb_intercept_all(+Template, :Goal, ?Ball, -List) is nondet.
%
%   As intercept_all/4, also with what was sent on ways that led nowhere.

nb_intercept_all(Template, Goal, Ball, List) :-
    State = found([]),
    intercept(Goal, Ball, intercept:nb_intercepted(Template), State),
    arg(1, State, Found),
    reverse(Found, List).

nb_intercepted(Template, State) :-
    arg(1, State, Found),
    nb_setarg(1, State, [Template|Found]).
