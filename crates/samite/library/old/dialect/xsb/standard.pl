:- module(standard,
          [ console_write/1, console_writeln/1, error_write/1, error_writeln/1, message/1, messageln/1, warning/1 ]).

/*  What XSB's module standard exports and `system` does not.  */

%!  console_write(+Term) is det.
console_write(T) :- write(user_output, T).
%!  console_writeln(+Term) is det.
console_writeln(T) :- writeln(user_output, T).
%!  error_write(+Term) is det.
error_write(T) :- told(T, user_error, write).
%!  error_writeln(+Term) is det.
error_writeln(T) :- told(T, user_error, writeln).
%!  message(+Term) is det.
%   Messages are terms, or several joined by commas or in a list.
message(T) :- told(T, user_error, write).
%!  messageln(+Term) is det.
messageln(T) :- told(T, user_error, writeln).
%!  warning(+Term) is det.
warning(T) :- write(user_error, '++Warning: '), told(T, user_error, writeln).

told(T, Stream, How) :-
    parts(T, Stream),
    ( How == writeln -> nl(Stream) ; true ).

parts(T, Stream) :- var(T), !, write(Stream, T).
parts((A, B), Stream) :- !, parts(A, Stream), parts(B, Stream).
parts([], _) :- !.
parts([A|B], Stream) :- !, parts(A, Stream), parts(B, Stream).
parts(T, Stream) :- write(Stream, T).
