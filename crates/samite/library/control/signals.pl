:- module(signals,
          [ on_signal/3,
            prolog_alert_signal/2,
            sig_block/1,
            sig_unblock/1
          ]).
:- use_module(library(error), [domain_error/2, must_be/2, type_error/2]).

/*  Signals between threads, which sig_block/1 puts off, and those of the system, for which a program may have handlers; as in SWI-Prolog.

    Differs from it in: time limits, alarms and what ends the process are not to be blocked; a handler of the system's signals runs in the main thread at
    its next safe point.  */

:- meta_predicate(sig_block(:)).
:- meta_predicate(sig_unblock(:)).
:- meta_predicate(on_signal(+, :, :)).

%!  sig_block(:Pattern) is det.
%
%   Signals that thread_signal/2 sends to this thread and that unify with Pattern wait until it is unblocked.

sig_block(Pattern0) :-
    plain(Pattern0, Pattern),
    '$signal_blocks'(Patterns),
    '$block_signals'([Pattern|Patterns]).

%!  sig_unblock(:Pattern) is det.
%
%   What has been blocked and is an instance of Pattern is blocked no more.

sig_unblock(Pattern0) :-
    plain(Pattern0, Pattern),
    '$signal_blocks'(Patterns),
    not_subsumed(Patterns, Pattern, Others),
    '$block_signals'(Others).

not_subsumed([], _, []).
not_subsumed([P|Ps], Pattern, Others) :-
    (   subsumes_term(Pattern, P)
    ->  Others = Others1
    ;   Others = [P|Others1]
    ),
    not_subsumed(Ps, Pattern, Others1).

%   As signals are kept: goals of `user` are not qualified.
plain(Term, Plain) :-
    (   nonvar(Term), Term = user:Term1
    ->  plain(Term1, Plain)
    ;   Plain = Term
    ).

%!  on_signal(+Signal, -Old, :New) is det.
%
%   The process does New about a signal, which was Old: `default`, `ignore`, `debug`, `throw` (an exception in the main thread) or the name of a predicate
%   that is called with the signal's name. The same variable as New leaves it as it is.

on_signal(Signal, Old0, New0) :-
    signal(Signal, Number, Name),
    plain(Old0, Old),
    plain(New0, New),
    (   '$signal_handler'(Number, Now)
    ->  true
    ;   Now = default
    ),
    (   Old == New
    ->  Old = Now
    ;   must_be(nonvar, New),
        handler(New, Handler, Action),
        Old = Now,
        install(Number, Name, Handler, Action)
    ).

handler(New, Handler, Action) :-
    (   atom(New)
    ->  Handler = New
    ;   New = _:Name, atom(Name)
    ->  Handler = New
    ;   type_error(signal_handler, New)
    ),
    (   Handler == default
    ->  Action = default
    ;   Handler == ignore
    ->  Action = ignore
    ;   Action = catch
    ).

install(Number, Name, Handler, Action) :-
    (   Action == catch
    ->  '$locked'('$on_signal', note(Number, Handler))
    ;   true
    ),
    (   '$catch_signal'(Number, Action)
    ->  true
    ;   forget(Number),
        throw(error(permission_error(handle, signal, Name), context(system:on_signal/3, _)))
    ),
    '$locked'('$on_signal', note(Number, Handler)).

note(Number, Handler) :-
    forget(Number),
    (   Handler == default
    ->  true
    ;   assertz(system:'$signal_handler'(Number, Handler))
    ).

forget(Number) :- retractall(system:'$signal_handler'(Number, _)).

%   signal(+Signal, -Number, -Name)
signal(Signal, Number, Name) :-
    must_be(nonvar, Signal),
    (   integer(Signal)
    ->  (   '$signal_name'(Signal, Name)
        ->  Number = Signal
        ;   type_error(signal, Signal)
        )
    ;   atom(Signal)
    ->  (   atom_concat(sig, Short, Signal), '$signal_name'(_, Short) -> true ; Short = Signal ),
        (   '$signal_name'(Number, Short)
        ->  Name = Short
        ;   domain_error(signal, Signal)
        )
    ;   type_error(signal, Signal)
    ).

%!  prolog_alert_signal(-Old, +New) is det.
%
%   The signal of the system that interrupts what blocks a thread in the system while something waits for it; 0: none does.

prolog_alert_signal(Old, New) :-
    '$alert_signal'(Number),
    (   Number =:= 0 -> Now = 0 ; '$signal_name'(Number, Now) ),
    (   Old == New
    ->  Old = Now
    ;   must_be(nonvar, New),
        alert(New, Other),
        Old = Now,
        (   '$set_alert_signal'(Other)
        ->  true
        ;   throw(error(permission_error(handle, signal, New), context(system:prolog_alert_signal/2, _)))
        )
    ).

alert(New, Number) :-
    (   New == 0
    ->  Number = 0
    ;   integer(New), \+ '$signal_name'(New, _)
    ->  domain_error(signal, New)
    ;   signal(New, Number, _)
    ).
