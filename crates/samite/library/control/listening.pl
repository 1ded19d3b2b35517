:- module(listening, [ prolog_listen/2, prolog_listen/3, prolog_unlisten/2 ]).

/*  Events that goals are called at; as in SWI-Prolog.

    A channel is a predicate, told of its changes, or one of channel/1. Its listeners are one list, in their order, exchanged in one step: an event
    sees those of before or of after. What tells of an event is below, called by the machine when there is a listener.  */

:- meta_predicate(prolog_listen(:, :)).
:- meta_predicate(prolog_listen(:, :, +)).
:- meta_predicate(prolog_unlisten(:, :)).

%   system:'$listeners'(Name, Module, Arity, List) of a predicate, system:'$listeners'(Channel, none, none, List) of another channel: listener(NameOrNone, Closure)
%   each, and no list is empty.
%   The same of what the thread at hand has asked for.
:- thread_local(own_listeners/1).

%   Channels that are no predicates.
channel(abort).
channel(erase).
channel(thread_start).
channel(thread_exit).
channel(this_thread_exit).

%!  prolog_listen(+Channel, :Closure) is det.
%   As prolog_listen/3 with no options.
prolog_listen(Channel, Closure) :-
    catch(hear(Channel, Closure, []), error(E, _), throw(error(E, context(system:prolog_listen/2, _)))).

%!  prolog_listen(+Channel, :Closure, +Options) is det.
%   Closure is called at each event of Channel, once, with further arguments that are the event. Options: as(first), the default, or as(last): before or behind
%   the other listeners; name(Atom): takes the place of the listener of this name.
prolog_listen(Channel, Closure, Options) :-
    catch(hear(Channel, Closure, Options), error(E, _), throw(error(E, context(system:prolog_listen/3, _)))).

%!  prolog_unlisten(+Channel, :Closure) is det.
%   Forgets the listeners of Channel that unify with Closure; nothing is bound.
prolog_unlisten(Channel, Closure) :-
    catch(unhear(Channel, Closure), error(E, _), throw(error(E, context(system:prolog_unlisten/2, _)))).

hear(Channel, Closure, Options) :-
    check_listener(Closure),
    listen_options(Options, first, Where, none, Name),
    '$strip'(Channel, _, Plain),
    check_channel(Plain),
    '$locked'('$listen', listen_to(Plain, Channel, Where, listener(Name, Closure))).

check_listener(Closure) :-
    '$strip'(Closure, _, Plain),
    (   var(Plain) -> throw(error(instantiation_error, _))
    ;   callable(Plain) -> true
    ;   throw(error(type_error(callable, Plain), _))
    ).

check_channel(Channel) :- var(Channel), !, throw(error(instantiation_error, _)).
check_channel(Channel) :- atom(Channel), \+ channel(Channel), !, throw(error(domain_error(event, Channel), _)).
check_channel(Channel) :- callable(Channel), !.
check_channel(Channel) :- throw(error(type_error(callable, Channel), _)).

listen_options(Options, _, _, _, _) :- var(Options), !, throw(error(instantiation_error, _)).
listen_options([], Where, Where, Name, Name) :- !.
listen_options([Option|Options], Where0, Where, Name0, Name) :- !,
    listen_option(Option, Where0, Where1, Name0, Name1),
    listen_options(Options, Where1, Where, Name1, Name).
listen_options(Options, _, _, _, _) :- throw(error(type_error(list, Options), _)).

listen_option(Option, _, _, _, _) :- var(Option), !, throw(error(instantiation_error, _)).
listen_option(Name = Value, Where0, Where, Name0, Name1) :- atom(Name), !,
    Option =.. [Name, Value],
    listen_option(Option, Where0, Where, Name0, Name1).
listen_option(as(Where), _, Where, Name, Name) :- !,
    check_atom(Where),
    ( Where == first -> true ; Where == last -> true ; throw(error(domain_error(as, Where), _)) ).
listen_option(name(Name), Where, Where, _, name(Name)) :- !, check_atom(Name).
listen_option(_, Where, Where, Name, Name).

check_atom(A) :- var(A), !, throw(error(instantiation_error, _)).
check_atom(A) :- atom(A), !.
check_atom(A) :- throw(error(type_error(atom, A), _)).

listen_to(this_thread_exit, _, Where, Listener) :- !,
    (   retract(own_listeners(L0)) -> true
    ;   L0 = [], thread_at_exit(tell_this_exit)
    ),
    add_listener(L0, Where, Listener, L),
    assertz(own_listeners(L)).
listen_to(Channel, Full, Where, Listener) :-
    channel_key(Channel, Full, true, Name, Module, Arity),
    ( system:'$listeners'(Name, Module, Arity, L0) -> true ; L0 = [] ),
    add_listener(L0, Where, Listener, L),
    exchange_listeners(Name, Module, Arity, L).

unhear(Channel, Closure) :-
    check_listener(Closure),
    '$strip'(Channel, _, Plain),
    check_channel(Plain),
    '$locked'('$listen', unlisten_to(Plain, Channel, Closure)).

unlisten_to(this_thread_exit, _, Closure) :- !,
    (   retract(own_listeners(L0))
    ->  less_listeners(L0, Closure, L),
        assertz(own_listeners(L))
    ;   true
    ).
unlisten_to(Channel, Full, Closure) :-
    channel_key(Channel, Full, true, Name, Module, Arity),
    ( system:'$listeners'(Name, Module, Arity, L0) -> true ; L0 = [] ),
    less_listeners(L0, Closure, L),
    exchange_listeners(Name, Module, Arity, L),
    ( L == [] -> channel_key(Channel, Full, false, Name, Module, Arity) ; true ).

%   Where the listeners are, and somebody listens from now on, or nobody does any more.
channel_key(Channel, _, IsTold, Channel, none, none) :- atom(Channel), !,
    '$tells'(Channel, IsTold),
    ( Channel == thread_start, IsTold == true -> '$initializes_threads' ; true ).
channel_key(_, Full, IsTold, Name, Module, Arity) :- '$listened'(Full, IsTold, Name, Module, Arity).

add_listener(L0, _, listener(name(Name), Closure), L) :- renew_listener(L0, Name, Closure, L), !.
add_listener(L0, first, Listener, [Listener|L0]).
add_listener(L0, last, Listener, L) :- '$append'(L0, [Listener], L).

renew_listener([listener(name(Name), _)|L], Name, Closure, [listener(name(Name), Closure)|L]) :- !.
renew_listener([X|L0], Name, Closure, [X|L]) :- renew_listener(L0, Name, Closure, L).

less_listeners([], _, []).
less_listeners([listener(_, C)|L0], Closure, L) :- \+ C \= Closure, !, less_listeners(L0, Closure, L).
less_listeners([X|L0], Closure, [X|L]) :- less_listeners(L0, Closure, L).

%   (The new list is there before the old one goes: an event always finds one.)
exchange_listeners(Name, Module, Arity, L) :-
    findall(R, clause(system:'$listeners'(Name, Module, Arity, _), true, R), Rs),
    ( L == [] -> true ; assertz(system:'$listeners'(Name, Module, Arity, L)) ),
    erase_all(Rs).

erase_all([]).
erase_all([R|Rs]) :- '$erase'(R), erase_all(Rs).

%   Calls the listeners, each once and by itself, until one fails or raises an exception.
tell_change(Name, Module, Arity, Action, Context) :-
    (   system:'$listeners'(Name, Module, Arity, L)
    ->  \+ ( '$member'(listener(_, Closure), L), \+ call(Closure, Action, Context) )
    ;   true
    ).

%   What changes of predicates leave behind that somebody listens to.

%   A clause has been added.
added(Name, Module, Arity, Action, Ref) :-
    (   '$catch_all'(tell_change(Name, Module, Arity, Action, Ref), E, ( unadd(Ref), throw(E) )) -> true
    ;   unadd(Ref),
        fail
    ).

unadd(Ref) :- ( '$erase'(Ref) -> true ; true ).

retract_told(Name, Module, Arity, Head, Body) :-
    clause(Head, Body, Ref),
    tell_change(Name, Module, Arity, retract, Ref),
    '$erase'(Ref).

retractall_told(Name, Module, Arity, Head) :-
    tell_change(Name, Module, Arity, retractall, start(Head)),
    '$catch_all'(retract_each(Name, Module, Arity, Head), E,
                 ( ignore(tell_change(Name, Module, Arity, retractall, end(Head))), throw(E) )),
    tell_change(Name, Module, Arity, retractall, end(Head)).

retract_each(Name, Module, Arity, Head) :-
    clause(Head, _, Ref),
    tell_change(Name, Module, Arity, retract, Ref),
    '$erase'(Ref),
    fail.
retract_each(_, _, _, _).

erase_clause(Name, Module, Arity, Ref) :-
    tell_change(Name, Module, Arity, retract, Ref),
    '$erase'(Ref).

%   A record is erased, whatever those say who listen.
erase_record(Ref) :-
    '$catch_all'(tell_event(erase, [Ref]), E, ( unadd(Ref), throw(E) )),
    '$erase'(Ref).

%   Calls the listeners of a channel that is no predicate, until one fails.
tell_event(Channel, Args) :-
    (   system:'$listeners'(Channel, none, none, L) -> tell_listeners(L, Args)
    ;   true
    ).

tell_listeners(L, Args) :-
    '$member'(listener(_, Closure), L),
    '$strip'(Closure, Module, Plain),
    Plain =.. Words0,
    '$append'(Words0, Args, Words),
    Goal =.. Words,
    \+ call(Module:Goal), !.
tell_listeners(_, _).

%   Where threads begin and end, and where a query has been aborted.
tell_start :-
    system:'$listeners'(thread_start, none, none, _),
    %   (No engine. One that had heard its own name would be kept by it.)
    \+ engine_self(_),
    thread_self(Me),
    tell_event(thread_start, [Me]).
tell_exit :- thread_self(Me), tell_event(thread_exit, [Me]).
tell_abort :- '$catch_all'(tell_event(abort, []), E, print_message(error, unhandled_exception(E))).
tell_this_exit :-
    (   retract(own_listeners(L)) -> tell_listeners(L, [])
    ;   true
    ).
