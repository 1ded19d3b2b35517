% call_with_depth_limit/3: levels as SWI-Prolog counts them.

dl_r.
dl_q :- dl_r, dl_r.
dl_q2 :- dl_q.
dl_p(0).
dl_p(N) :- N > 0, N1 is N-1, dl_p(N1).
dl_loop :- dl_loop.
dl_loop2 :- dl_loop2, true.
dl_max(X, Y, X) :- X >= Y.
dl_max(X, Y, Y) :- X < Y.
dl_mem(X, [X|_]).
dl_mem(X, [_|T]) :- dl_mem(X, T).
dl_called :- call(dl_r).
dl_called2 :- call((dl_r, dl_r)).
dl_negated :- \+ \+ dl_r.
dl_if :- ( dl_r -> dl_r ; fail ).
dl_catch :- catch(dl_r, _, true).
dl_variable :- G = dl_r, G.
dl_test(X) :- atom(X), X \== b, X = Y, Y == X.
dl_type(X) :- is_list(X).
dl_cut :- dl_r, !.
dl_nested :- call_with_depth_limit(dl_q2, 10, _).
:- dynamic dl_d/1.
dl_d(X) :- X = 1, dl_q.
dl_fib(0, 0).
dl_fib(1, 1).
dl_fib(N, F) :- N > 1, A is N-1, B is N-2, dl_fib(A, FA), dl_fib(B, FB), F is FA+FB.
dl_nrev([], []).
dl_nrev([H|T], R) :- dl_nrev(T, S), dl_app(S, [H], R).
dl_app([], L, L).
dl_app([H|T], L, [H|R]) :- dl_app(T, L, R).

dl(G, L, Rs) :- findall(R, call_with_depth_limit(G, L, R), Rs).

t(true, ( dl(true, 0, A), dl(true, 1, B), dl(fail, 0, C), dl(fail, 1, D) ), [A, B, C, D], answers([[[depth_limit_exceeded], [1], [depth_limit_exceeded], []]])).
t(conjunction, ( dl((true, true), 0, A), dl((dl_r, dl_r), 1, B), dl((dl_r, dl_r), 2, C), dl((dl_q2, dl_r), 4, D) ), [A, B, C, D], answers([[[1], [depth_limit_exceeded], [2], [4]]])).
t(clauses, ( dl(dl_r, 1, A), dl(dl_q, 1, B), dl(dl_q, 2, C), dl(dl_q2, 3, D) ), [A, B, C, D], answers([[[1], [depth_limit_exceeded], [2], [3]]])).
t(last_calls, ( dl(dl_p(10), 10, A), dl(dl_p(10), 11, B), dl(dl_p(10), 12, C) ), [A, B, C], answers([[[depth_limit_exceeded], [11, depth_limit_exceeded], [11]]])).
t(loops, ( dl(dl_loop, 1000, A), dl(dl_loop2, 1000, B) ), [A, B], answers([[[depth_limit_exceeded], [depth_limit_exceeded]]])).
t(arithmetic, ( dl(dl_max(1, 2, _), 1, A), dl(dl_max(1, 2, _), 2, B) ), [A, B], answers([[[depth_limit_exceeded], [2]]])).
t(solutions, ( dl(dl_mem(_, [1, 2, 3]), 1, A), dl(dl_mem(_, [1, 2, 3]), 3, B), dl(dl_mem(_, [1, 2, 3]), 9, C) ), [A, B, C],
  answers([[[1, depth_limit_exceeded], [1, 2, 3, depth_limit_exceeded], [1, 2, 3]]])).
t(called, ( dl(dl_called, 9, A), dl(dl_called2, 9, B), dl(call(dl_r), 9, C), dl(call(dl_mem, _, [1]), 9, D) ), [A, B, C, D], answers([[[2], [3], [2], [2]]])).
t(constructs, ( dl(dl_negated, 9, A), dl(dl_if, 9, B), dl(dl_catch, 9, C), dl(dl_variable, 9, D), dl(dl_cut, 9, E) ), [A, B, C, D, E], answers([[[2], [2], [3], [2], [2]]])).
t(negation_of_what_is_too_deep, ( dl(\+ dl_q2, 1, A), dl(\+ dl_q2, 9, B) ), [A, B], answers([[[2], []]])).
t(disjunction, dl(( dl_r ; dl_q2 ), 3, A), [A], answers([[[2, depth_limit_exceeded]]])).
t(in_place, ( dl(dl_test(a), 9, A), dl(dl_type([]), 9, B) ), [A, B], answers([[[1], [2]]])).
t(dynamic, ( dl(dl_d(_), 9, A), dl(dl_d(_), 9, B), dl(dl_d(_), 2, C) ), [A, B, C], answers([[[3], [3], [depth_limit_exceeded]]])).
t(nested, ( dl(dl_nested, 9, A), dl(call_with_depth_limit(dl_loop, 50, _), 10, B) ), [A, B], answers([[[3], [2]]])).
t(fib, ( dl(dl_fib(8, F), 100, [A|_]), dl(dl_fib(8, F), 7, B) ), [A, B], answers([[8, [depth_limit_exceeded]]])).
t(nrev, ( numlist(1, 20, L), dl(dl_nrev(L, _), 1000, A) ), [A], answers([[[21]]])).
t(between_solutions, ( call_with_depth_limit(dl_mem(X, [1, 2, 3]), 5, _), dl_p(100) ), [X], answers([[1], [2], [3]])).
t(cut, ( call_with_depth_limit(dl_mem(X, [1, 2, 3]), 5, _), !, dl_p(100) ), [X], answers([[1]])).
t(determinism, call_cleanup(call_with_depth_limit(dl_q, 5, _), D = det), [D], answers([[det]])).
t(exception, ( catch(call_with_depth_limit(throw(x), 3, _), x, true), dl_p(100) ), [], answers([[]])).
t(after, ( \+ call_with_depth_limit(fail, 3, _), dl_p(100), call_with_depth_limit(dl_loop, 3, R), dl_p(100) ), [R], answers([[depth_limit_exceeded]])).
t(atom, call_with_depth_limit(true, a, _), [], throws(type_error(integer, a))).
t(unbound, call_with_depth_limit(true, _, _), [], throws(instantiation_error)).
t(negative, call_with_depth_limit(true, -1, _), [], throws(domain_error(not_less_than_zero, -1))).
t(unbound_goal, call_with_depth_limit(_, 10, _), [], throws(instantiation_error)).
t(number_goal, call_with_depth_limit(1, 10, _), [], throws(type_error(callable, 1))).

t(repeat_is_no_deeper_each_time, ( flag(depth_of_repeat, _, 0), call_with_depth_limit(( repeat, flag(depth_of_repeat, C, C+1), C >= 100, ! ), 30, R), integer(R), R < 10, write(C) ), [], output("100")).

:- det(dl_det/1).
dl_det(1).
dl_det(2).
t(of_what_is_det, ( catch(call_with_depth_limit(dl_det(_), 10, _), error(E, _), true), call_with_depth_limit(dl_det(2), 10, L) ), [E, L], answers([[determinism_error(dl_det/1, det, nondet, property), 1]])).

% A cleanup handler is no part of the goal: it is neither counted nor abandoned, however the goal is left; limits within it are its own.
dl_handled(0, Log) :- !, arg(1, Log, N0), N is N0+1, nb_setarg(1, Log, N).
dl_handled(N, Log) :- M is N-1, dl_handled(M, Log), true.
dl_held(G, L, R, N) :- Log = log(0), ( catch(call_with_depth_limit(setup_call_cleanup(true, G, dl_handled(9, Log)), L, R), B, R = B) -> true ; R = failed ), arg(1, Log, N).
t(handlers, ( dl_held(true, 3, A, NA), dl_held(throw(x), 3, B, NB), dl_held(fail, 3, C, NC), dl_held(( repeat, ! ), 6, _, ND), dl_held(dl_loop, 6, E, NE) ),
  [A, NA, B, NB, C, NC, ND, E, NE], answers([[1, 1, x, 1, failed, 1, 1, depth_limit_exceeded, 1]])).
t(limit_in_handler, ( Log = log(0), call_with_depth_limit(setup_call_cleanup(true, true, ( call_with_depth_limit(dl_handled(9, Log), 5, R), nb_setarg(1, Log, R) )), 3, _) ), [Log],
  answers([[log(depth_limit_exceeded)]])).
