% The hook user:portray/1: in print/1,2, write_term/2,3 with portray(true), and ~p of format/2.

:- dynamic(user:portray/1).
:- multifile(user:portray/1).
user:portray(secret(_)) :- write('<hidden>').
user:portray(wrapped(X)) :- write('<'), print(X), write('>').
user:portray(unwilling) :- write(partly), fail.
user:portray(thrower) :- throw(portray_ball).
user:portray([p|_]) :- write('<p-list>').

t(print, print(secret(1)), [], output("<hidden>")).
t(print_inside, print(f(a, secret(1), [b, secret(2)|secret(3)])), [], output("f(a,<hidden>,[b,<hidden>|<hidden>])")).
t(print_nested, print(f(wrapped(g(secret(x))))), [], output("f(<g(<hidden>)>)")).
t(print_quotes, print(f('A b', secret(x))), [], output("f('A b',<hidden>)")).
t(print_numbervars, print(f('$VAR'(1), secret(x))), [], output("f(B,<hidden>)")).
t(print_stream, ( current_output(S), print(S, secret(1)) ), [], output("<hidden>")).
t(print_list, print([p, q]), [], output("<p-list>")).
t(print_list_tail, print([o, p]), [], output("[o,p]")).
t(print_variables, ( with_output_to(string(S), print(f(X, Y, X))), term_to_atom(T, S), T =@= f(X, Y, X) ), [], answers([[]])).
t(print_throws, print(f(thrower)), [], throws_ball(portray_ball)).
t(format, format("~p ~w ~q", [secret(1), secret(a), secret('A')]), [], output("<hidden> secret(a) secret('A')")).
t(format_twice, format("~p-~p~t~20||", [secret(1), secret(2)]), [], output("<hidden>-<hidden>   |")).
t(writeq_does_not, writeq(secret(1)), [], output("secret(1)")).
t(write_does_not, write(secret(1)), [], output("secret(1)")).
t(write_term, write_term(f(secret(1)), [portray(true)]), [], output("f(<hidden>)")).
t(write_term_quoted, write_term(f(secret(1), 'B'), [portray(true), quoted(true)]), [], output("f(<hidden>,'B')")).
t(write_term_off, write_term(secret(1), [portray(false)]), [], output("secret(1)")).
t(write_term_without, write_term(secret(1), []), [], output("secret(1)")).
t(write_term_errors, write_term(a, [quoted(maybe)]), [], throws(type_error(bool, maybe))).
t(write_term_unbound, write_term(a, _), [], throws(instantiation_error)).
