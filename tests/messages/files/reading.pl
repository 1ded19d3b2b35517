% What read_term/2 says of the text that it reads.
each(Text, Options) :-
    writeq(Options), nl,
    open_string(Text, S),
    set_stream(S, file_name('data.txt')),
    read_all(S, Options, Terms),
    writeq(Terms), nl.

read_all(S, Options, Terms) :-
    (   read_term(S, T, Options)
    ->  Terms = [T|Terms1]
    ;   Terms = [failed|Terms1]
    ),
    ( at_end_of_stream(S) -> Terms1 = [] ; read_all(S, Options, Terms1) ).

text("foo(X, Y, _Z, _).\nfoo(a b).\nfoo(c d).\nbar(X,\n  Y_1, _B, X).").

:- text(T), each(T, [syntax_errors(dec10)]).
:- text(T), each(T, [syntax_errors(fail)]).
:- text(T), each(T, [syntax_errors(quiet)]).
:- text(T), each(T, [syntax_errors(quiet), singletons(warning)]).
:- text(T), each(T, [syntax_errors(quiet), singletons(_), singletons(warning)]).
:- text(T), each(T, [syntax_errors(quiet), singletons(warning), singletons(_)]).
:- text(T), each(T, [syntax_errors(error)]).
:- open_string("a b. c.", S), read_term(S, T, [syntax_errors(dec10)]), print(T), nl.
:- open_string("f(A).", S), read_term(S, T, [singletons(warning)]), print(T), nl.
% (A term that is not the one wanted: no warning.)
:- open_string("f(A).", S), read_term(S, g(_), [singletons(warning)]).
:- term_string(T, "f(A, B", [syntax_errors(dec10)]), print(T), nl.
:- term_string(T, "f(A, B", [syntax_errors(fail)]), print(T), nl.
:- term_string(T, "f(A, B", [syntax_errors(quiet)]), print(T), nl.
:- read_term_from_atom('f(A)', T, [singletons(warning)]), print(T), nl.
