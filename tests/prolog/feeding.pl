% Calls without variables while a more general call of the same predicate is under evaluation. Where the predicate is Horn that call answers them; where its
% clauses look at how they are called they are evaluated for themselves. The answers are SWI-Prolog's.

fd_all(Template, Goal, Sorted) :- findall(Template, Goal, L), sort(L, Sorted).

% Facts and rules: nodes that reach themselves are found by calls with both arguments.
:- table(fd_path/2).
fd_path(X, Y) :- fd_edge(X, Y).
fd_path(X, Y) :- fd_edge(X, Z), fd_path(Z, Y).
fd_path(X, X) :- fd_node(X), fd_node(Y), fd_path(X, Y), fd_path(Y, X).

fd_edge(a, b). fd_edge(b, c). fd_edge(c, a). fd_edge(c, d). fd_edge(e, e).
fd_node(a). fd_node(b). fd_node(c). fd_node(d). fd_node(e).

t(feed_horn, fd_all(X-Y, fd_path(X, Y), L), [L],
  answers([[[a-a,a-b,a-c,a-d,b-a,b-b,b-c,b-d,c-a,c-b,c-c,c-d,e-e]]])).
t(feed_bound, ( abolish_all_tables, fd_all(Y, fd_path(b, Y), L), fd_all(y, fd_path(b, a), M), fd_all(y, fd_path(d, a), N) ), [L, M, N],
  answers([[[a,b,c,d], [y], []]])).
t(feed_after, ( abolish_all_tables, fd_all(x, fd_path(d, a), L), fd_all(X-Y, fd_path(X, Y), M), length(M, N), fd_all(x, fd_path(a, d), K) ), [L, N, K],
  answers([[[], 13, [x]]])).

% Answers with variables are answers of each instance.
:- table(fd_open/2).
fd_open(X, Y) :- fd_pair(X, Y), fd_open(u, v), fd_open(w, w).
fd_open(_, v) :- fd_node(_).
fd_open(Z, Z).
fd_open(X, Y) :- fd_pair(X, Y), fd_open(u, w).
fd_pair(m, n). fd_pair(o, p).

t(feed_open, ( findall(X-Y, fd_open(X, Y), L0), length(L0, N), fd_all(z, fd_open(m, n), A), fd_all(z, fd_open(o, q), B) ), [N, A, B], answers([[4, [z], []]])).

% Structures in answers are nobody's instance.
:- table(fd_structure/2).
fd_structure(X, Y) :- fd_pair(X, Y), fd_structure(f(m), g).
fd_structure(X, Y) :- fd_pair(X, Y), fd_structure(m, g).
fd_structure(f(X), g) :- fd_pair(X, _).

t(feed_structures, fd_all(X-Y, fd_structure(X, Y), L), [L], answers([[[m-n, o-p, f(m)-g, f(o)-g]]])).

% What is not Horn says something else of a call that is bound.
:- table(fd_tests/2).
fd_tests(X, Y) :- fd_pair(X, Y), fd_tests(m, q).
fd_tests(X, Y) :- nonvar(Y), fd_pair(X, _).

t(feed_tests, fd_all(X-Y, fd_tests(X, Y), L), [L], answers([[[m-n, o-p]]])).

:- table(fd_cuts/2).
fd_cuts(X, Y) :- fd_pair(X, Y), fd_cuts(o, p).
fd_cuts(X, Y) :- fd_pair(X, Y), !.

t(feed_cuts, fd_all(X-Y, fd_cuts(X, Y), L), [L], answers([[[m-n, o-p]]])).

:- table(fd_conditions/2).
fd_conditions(X, Y) :- fd_pair(X, Y), fd_conditions(o, r).
fd_conditions(X, Y) :- ( Y == r -> fd_pair(X, _) ; fail ).

t(feed_conditions, fd_all(X-Y, fd_conditions(X, Y), L), [L], answers([[[m-n, o-p]]])).

% The same through a predicate that is called.
:- table(fd_deep/2).
fd_deep(X, Y) :- fd_pair(X, Y), fd_deep(m, s).
fd_deep(X, Y) :- fd_helper(X, Y).
fd_helper(X, Y) :- fd_pair(X, _), fd_bound(Y).
fd_bound(Y) :- atom(Y).

t(feed_deep, fd_all(X-Y, fd_deep(X, Y), L), [L], answers([[[m-n, o-p]]])).

:- table(fd_dynamic/2).
:- dynamic(fd_fact/2).
fd_fact(m, n).
fd_dynamic(X, Y) :- fd_pair(X, Y), fd_dynamic(m, n).
fd_dynamic(X, Y) :- fd_fact(X, Y).

t(feed_dynamic, fd_all(X-Y, fd_dynamic(X, Y), L), [L], answers([[[m-n, o-p]]])).

% Who calls is left in the midst of it, or interrupted; what others call there is right afterwards.
:- table(fd_left/2).
fd_left(X, Y) :- fd_pair(X, Y), fd_thrown, fd_left(o, p).
fd_left(X, Y) :- fd_pair(X, Y), fd_caught, fd_left(m, n).
fd_left(X, Y) :- fd_path(X, Y).
fd_thrown :- catch(( fd_path(a, c), throw(ball) ), ball, true).
fd_caught :- \+ \+ fd_path(c, d).

t(feed_left, ( abolish_all_tables, fd_all(X-Y, fd_left(X, Y), L), length(L, N) ), [N], answers([[13]])).

:- table((fd_even/2, fd_odd/2)).
fd_even(X, X) :- fd_number(X).
fd_even(X, Y) :- fd_number(X), fd_number(Y), fd_step(X, Z), fd_odd(Z, Y).
fd_odd(X, Y) :- fd_number(X), fd_number(Y), fd_step(X, Z), fd_even(Z, Y).
fd_number(X) :- fd_below(X).
fd_below(0). fd_below(1). fd_below(2). fd_below(3). fd_below(4). fd_below(5).
fd_step(X, Y) :- fd_number(X), Y is (X+1) mod 6.

t(feed_mutual, ( fd_all(X-Y, fd_even(X, Y), L), length(L, N), fd_all(Y, fd_even(2, Y), M), fd_all(Y, fd_odd(2, Y), O) ), [N, M, O],
  answers([[18, [0, 2, 4], [1, 3, 5]]])).
t(feed_abolished, ( fd_all(X-Y, ( fd_even(X, Y), abolish_all_tables, fd_odd(Y, Z), Z > X ), L), length(L, N) ), [N], answers([[15]])).
t(feed_limited, ( abolish_all_tables, catch(call_with_inference_limit(fd_path(_, _), 20, R), _, true), R == inference_limit_exceeded, fd_all(X-Y, fd_path(X, Y), L), length(L, N) ), [N], answers([[13]])).
t(feed_threads, ( abolish_all_tables, findall(N, ( between(1, 4, _), thread_create(( fd_all(X-Y, fd_path(X, Y), L), length(L, N0), thread_exit(N0) ), Id), thread_join(Id, exited(N)) ), Ns) ), [Ns],
  answers([[[13, 13, 13, 13]]])).

% Bound calls have no evaluations, and those that are false no tables.
t(feed_is_used, ( abolish_all_tables, table_statistics(evaluations, E0), fd_all(X-Y, fd_path(X, Y), _), table_statistics(evaluations, E), E-E0 < 10 ), [], answers([[]])).
:- table fw_self/1.
fw_self(X) :- fw_is(X), fw_self(X).
fw_self(a).
fw_is(a). fw_is(b).
t(feed_tables, ( abolish_all_tables, fd_all(X, fw_self(X), L), fd_all(X, current_table(_:fw_self(X), _), M) ), [L, M], answers([[[a], [_, a]]])).

% What is waited for: answers of one, two and three tokens, small and large, and answers with variables. And evaluations that are given up meanwhile.
:- table fw_path/2, fw_three/3, fw_open/2.
fw_edge(1, 2). fw_edge(2, 3). fw_edge(3, 4). fw_edge(4, 1). fw_edge(4, 5). fw_edge(5, 10 000 000 000). fw_edge(10 000 000 000, 7).
fw_edge(7, a). fw_edge(a, b). fw_edge(b, 1).
fw_node(1). fw_node(2). fw_node(3). fw_node(4). fw_node(5). fw_node(10 000 000 000). fw_node(7). fw_node(a). fw_node(b). fw_node(c).
fw_path(X, X) :- fw_node(X), fw_node(Y), fw_path(X, Y), fw_path(Y, X).
fw_path(X, Y) :- fw_edge(X, Y).
fw_path(X, Y) :- fw_edge(X, Z), fw_path(Z, Y).
fw_three(X, Y, Z) :- fw_node(X), fw_node(Y), fw_three(X, Y, Z), fw_three(Z, Y, X), fw_three(X, X, X).
fw_three(X, Y, Z) :- fw_edge(X, Y), fw_edge(Y, Z).
fw_three(X, Y, Z) :- fw_three(X, Y, W), fw_edge(W, Z).
fw_open(Y, X) :- fw_edge(X, Y), fw_node(Z), fw_open(c, Z), fw_open(Z, a).
fw_open(X, Y) :- fw_node(X), fw_node(Y), fw_open(Y, X), fw_open(X, a).
fw_open(_, a).
fw_count(Goal, N) :- abolish_all_tables, aggregate_all(count, Goal, N).
t(feed_waits_pairs, ( fw_count(fw_path(_, _), A), fw_count(fw_path(1, _), B), fw_count(fw_path(_, a), C) ), [A, B, C], answers([[81, 9, 9]])).
t(feed_waits_triples, ( fw_count(fw_three(_, _, _), A), fw_count(fw_three(1, _, _), B), fw_count(fw_three(_, _, 7), C) ), [A, B, C], answers([[90, 9, 10]])).
t(feed_waits_for_variables, ( fw_count(fw_open(_, _), A), fw_count(fw_open(1, _), B), fw_count(fw_open(_, a), C) ), [A, B, C], answers([[36, 4, 11]])).
t(feed_waits_and_is_given_up, (
    forall(between(0, 60, I), ( N is I*20, abolish_all_tables, catch(call_with_inference_limit(fw_three(_, _, _), N, _), _, true), aggregate_all(count, fw_three(_, _, _), 90) ))
  ), [], answers([[]])).
t(feed_waits_no_longer, ( abolish_all_tables, \+ fw_path(c, _), aggregate_all(count, fw_path(_, _), N), fw_path(a, 5), \+ fw_path(5, c) ), [N], answers([[81]])).
t(feed_waits_within_others, ( abolish_all_tables, findall(X, ( fw_node(X), once(fw_path(X, X)) ), L), length(L, N) ), [N], answers([[9]])).
