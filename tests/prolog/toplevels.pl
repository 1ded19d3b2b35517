% The toplevel on other streams than the terminal: set_prolog_IO/3, prolog/0, the flag toplevel_residue_vars.

%   What prolog/0 writes in a thread that is asked this.
top_says(Text, Residue, Answer) :-
    pipe(FromIn, FromOut),
    pipe(ToIn, ToOut),
    thread_create(top_serve(ToIn, FromOut, Residue), Thread),
    format(ToOut, "~w~n", [Text]),
    close(ToOut),
    read_string(FromIn, _, Answer),
    close(FromIn),
    thread_join(Thread, true).

top_serve(In, Out, Residue) :-
    set_prolog_IO(In, Out, Out),
    set_prolog_flag(toplevel_residue_vars, Residue),
    set_prolog_flag(toplevel_extra_white_line, false),
    prolog,
    close(In),
    close(Out).

top_hidden :- dif(_, a).

t(answer, top_says('X = f(Y), !.', false, A), [A], answers([["X = f(Y).\n"]])).
t(false, top_says('fail.', false, A), [A], answers([["false.\n"]])).
t(no_residue, top_says('top_hidden, A = a.', false, A), [A], answers([["A = a.\n"]])).
t(residue, top_says('top_hidden.', true, A), [A], answers([["% with pending residual goals\ndif(_, a).\n"]])).
t(residue_and_binding, top_says('top_hidden, A = a.', true, A), [A], answers([["A = a,\n% with pending residual goals\ndif(_, a).\n"]])).
t(residue_and_goal, top_says('top_hidden, dif(B, b).', true, A), [A], answers([["dif(B, b),\n% with pending residual goals\ndif(_, a).\n"]])).
t(residue_none, top_says('dif(B, b), A = 1.', true, A), [A], answers([["A = 1,\ndif(B, b).\n"]])).
t(aliases, ( thread_create(( open_string("abc. ", I), open_null_stream(N), set_prolog_IO(I, N, N), read(X), stream_property(N, alias(user_error)), X == abc ), T), thread_join(T, S) ), [S], answers([[true]])).
t(pair, ( thread_create(( open_string("abc. ", I), open_null_stream(N), stream_pair(P, I, N), set_prolog_IO(P, P, P), read(X), stream_property(N, alias(user_output)), X == abc ), T), thread_join(T, S) ), [S], answers([[true]])).
t(input, set_prolog_IO(user_output, user_output, user_error), [], throws(permission_error(input, stream, user_output))).
t(output, set_prolog_IO(user_input, user_input, user_error), [], throws(permission_error(output, stream, user_input))).
t(unbound, set_prolog_IO(_, user_output, user_error), [], throws(instantiation_error)).
t(none, set_prolog_IO(user_input, top_none, user_error), [], throws(existence_error(stream, top_none))).
