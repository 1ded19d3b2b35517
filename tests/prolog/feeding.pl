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

% Bound calls have tables, but no evaluations of their own.
t(feed_is_used, ( abolish_all_tables, table_statistics(evaluations, E0), fd_all(X-Y, fd_path(X, Y), _), table_statistics(tables, T), table_statistics(evaluations, E),
                  T-(E-E0) > 5 ), [], answers([[]])).
