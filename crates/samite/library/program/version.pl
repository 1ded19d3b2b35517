:- module('$version', [ version/0, version/1 ]).

/*  What a program is called, as in SWI-Prolog.  */

:- dynamic more/1.

%!  version is det.
%
%   Tells the version of Samite, and what version/1 has been told.

version :-
    current_prolog_flag(version_data, samite(Major, Minor, Patch, _)),
    print_message(banner, format('Samite version ~w.~w.~w', [Major, Minor, Patch])),
    forall(more(Message), told(Message)).

%!  version(+Message) is det.
%
%   Message, a text or a term for print_message/2, will be told by version/0 too.

version(Message) :-
    (   more(M), M =@= Message
    ->  true
    ;   assertz(more(Message)),
        told(Message)
    ).

told(Message) :-
    (   atomic(Message)
    ->  print_message(banner, format('~w', [Message]))
    ;   print_message(banner, Message)
    ).
