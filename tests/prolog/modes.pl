% Mode-directed tabling.

mod_sorted(T, G, L) :- findall(T, G, L0), msort(L0, L).

% --- shortest paths in graphs with cycles ---

:- table mod_path(_, _, min).
mod_path(X, Y, 1) :- mod_edge(X, Y).
mod_path(X, Z, N) :- mod_path(X, Y, N0), mod_edge(Y, Z), N is N0 + 1.
mod_edge(a, b). mod_edge(b, c). mod_edge(c, a). mod_edge(c, d). mod_edge(a, d).

:- table mod_right(_, _, min).
mod_right(X, Y, 1) :- mod_edge(X, Y).
mod_right(X, Z, N) :- mod_edge(X, Y), mod_right(Y, Z, N0), N is N0 + 1.

:- table mod_double(_, _, min).
mod_double(X, Y, C) :- mod_cost(X, Y, C).
mod_double(X, Y, C) :- mod_double(X, Z, C1), mod_double(Z, Y, C2), C is C1 + C2.
mod_cost(a, b, 10). mod_cost(a, c, 1). mod_cost(c, b, 2). mod_cost(b, d, 1). mod_cost(d, a, 1). mod_cost(c, e, 100). mod_cost(d, e, 1).

:- table mod_route(_, _, lattice(mod_shorter/3)).
mod_route(X, Y, [X, Y]) :- mod_edge(X, Y).
mod_route(X, Z, P) :- mod_route(X, Y, P0), mod_edge(Y, Z), append(P0, [Z], P).
mod_shorter(P1, P2, P) :- length(P1, L1), length(P2, L2), ( L1 =< L2 -> P = P1 ; P = P2 ).

t(left_recursion, mod_sorted(Y-N, mod_path(a, Y, N), L), [L], answers([[[a-3, b-1, c-2, d-1]]])).
t(open_call, mod_sorted(X-N, mod_path(X, a, N), L), [L], answers([[[a-3, b-2, c-1]]])).
t(all_pairs, ( mod_sorted(X-Y-N, mod_path(X, Y, N), L), mod_sorted(X-Y-N, mod_right(X, Y, N), M), L == M, length(L, K) ), [K], answers([[12]])).
t(costs, mod_sorted(X-Y-C, mod_double(X, Y, C), L), [L],
  answers([[[a-a-5, a-b-3, a-c-1, a-d-4, a-e-5, b-a-2, b-b-5, b-c-3, b-d-1, b-e-2, c-a-4, c-b-2, c-c-5, c-d-3, c-e-4, d-a-1, d-b-4, d-c-2, d-d-5, d-e-1]]])).
t(costs_from_one, mod_sorted(Y-C, mod_double(a, Y, C), L), [L], answers([[[a-5, b-3, c-1, d-4, e-5]]])).
t(one_answer, mod_path(a, d, N), [N], answers([[1]])).
t(no_answer, mod_path(d, a, _), [], fails).
t(routes, mod_sorted(Y-P, mod_route(a, Y, P), L), [L], answers([[[a-[a, b, c, a], b-[a, b], c-[a, b, c], d-[a, d]]]])).
t(again, ( mod_path(a, d, N), mod_path(a, d, M) ), [N, M], answers([[1, 1]])).
t(after_abolishing, ( abolish_all_tables, mod_path(a, d, N) ), [N], answers([[1]])).
% SWI-Prolog 9.0.4 takes the table of the first call for that of the second.
t(same_variable, ( abolish_all_tables, findall(X, mod_path(a, X, X), L), mod_sorted(Y-N, mod_path(a, Y, N), M) ), [L, M], answers([[[], [a-3, b-1, c-2, d-1]]])).

% Against a search by breadth, in random graphs.
:- dynamic(mod_arc/2).
:- table mod_distance(_, _, min).
mod_distance(X, Y, 1) :- mod_arc(X, Y).
mod_distance(X, Z, N) :- mod_distance(X, Y, N0), mod_arc(Y, Z), N is N0 + 1.
mod_graph(Seed) :-
    retractall(mod_arc(_, _)),
    forall(between(1, 25, I), ( X is (I * Seed * 7 + I * I) mod 12, Y is (I * Seed * 5 + I * 3) mod 12, ( mod_arc(X, Y) -> true ; assertz(mod_arc(X, Y)) ) )).
mod_search(X, L) :- mod_level([X], 1, [], L).
mod_level([], _, Seen, L) :- !, msort(Seen, L).
mod_level(Front, N, Seen, L) :-
    findall(Y, ( member(X, Front), mod_arc(X, Y), \+ member(Y-_, Seen) ), Ys),
    sort(Ys, New),
    findall(Y-N, member(Y, New), Found),
    append(Found, Seen, Seen1),
    N1 is N + 1,
    mod_level(New, N1, Seen1, L).

t(random_graphs, forall(between(1, 12, Seed), ( mod_graph(Seed), abolish_all_tables, forall(between(0, 11, X), ( mod_search(X, L), mod_sorted(Y-N, mod_distance(X, Y, N), L) )) )), [], answers([[]])).

% --- each mode ---

:- table mod_f(_, first), mod_l(_, last), mod_s(_, sum), mod_mx(_, max), mod_mn(_, min), mod_d(_, -), mod_two(_, min, max), mod_none(max), mod_i(index, _, max).
mod_f(x, 1). mod_f(x, 2). mod_f(y, 9).
mod_l(x, 1). mod_l(x, 2). mod_l(y, 9).
mod_s(x, 1). mod_s(x, 2). mod_s(x, 2). mod_s(y, 9). mod_s(z, 1.5). mod_s(z, 1).
mod_mx(x, 1). mod_mx(x, b). mod_mx(x, 3.0). mod_mx(x, f(a)). mod_mx(y, "text").
mod_mn(x, 3). mod_mn(x, 1.0). mod_mn(x, 1). mod_mn(x, 2). mod_mn(y, 100000000000000000000). mod_mn(y, 100000000000000000001).
mod_d(x, 2). mod_d(x, 1).
mod_two(x, 3, 3). mod_two(x, 1, 9). mod_two(x, 5, 10). mod_two(x, 0, 0).
mod_none(1). mod_none(7). mod_none(3).
mod_i(a, b, 1). mod_i(a, b, 2). mod_i(a, c, 3).

t(first, mod_sorted(X-V, mod_f(X, V), L), [L], answers([[[x-1, y-9]]])).
t(last, mod_sorted(X-V, mod_l(X, V), L), [L], answers([[[x-2, y-9]]])).
t(sum, mod_sorted(X-V, mod_s(X, V), L), [L], answers([[[x-5, y-9, z-2.5]]])).
t(max, mod_sorted(X-V, mod_mx(X, V), L), [L], answers([[[x-f(a), y-"text"]]])).
t(min, mod_sorted(X-V, mod_mn(X, V), L), [L], answers([[[x-1.0, y-100000000000000000000]]])).
t(dash, mod_d(x, V), [V], answers([[2]])).
t(two_values, mod_two(X, A, B), [X, A, B], answers([[x, 0, 10]])).
t(no_key, mod_none(X), [X], answers([[7]])).
t(index, mod_sorted(X-Y-V, mod_i(X, Y, V), L), [L], answers([[[a-b-2, a-c-3]]])).

:- table mod_join(_, lattice(mod_pair(_, _, _))), mod_stuck(_, lattice(mod_fails/3)), mod_vars(_, max), mod_ball(_, lattice(mod_throws/3)).
mod_pair(A, B, A-B).
mod_join(x, 1). mod_join(x, 2). mod_join(x, 3).
mod_fails(_, _, _) :- fail.
mod_stuck(x, 1). mod_stuck(x, 2).
mod_vars(X, V) :- member(X-V, [a-_, a-1, b-f(_)]).
mod_throws(_, _, _) :- throw(mod_thrown).
mod_ball(x, 1). mod_ball(x, 2).

t(lattice_order, mod_join(x, V), [V], answers([[1 - 2 - 3]])).
t(lattice_fails, mod_stuck(x, V), [V], answers([[1]])).
t(lattice_throws, mod_ball(x, _), [], throws_ball(mod_thrown)).
t(lattice_throws_again, ( catch(mod_ball(x, _), mod_thrown, true), mod_ball(x, _) ), [], throws_ball(mod_thrown)).
t(variables_in_values, mod_sorted(X-V, mod_vars(X, V), L), [L], answers([[[a-1, b-f(_)]]])).

% The new value if the goal holds for the old and the new one. SWI-Prolog 9.0.4 keeps the first.
:- table mod_po(_, po(mod_longer/2)).
mod_longer(A, B) :- length(A, LA), length(B, LB), LA < LB.
mod_po(x, [a]). mod_po(x, [a, b, c]). mod_po(x, [a, b]). mod_po(y, []).
t(po, mod_sorted(X-V, mod_po(X, V), L), [L], answers([[[x-[a, b, c], y-[]]]])).

% A join that needs a table itself.
:- table mod_level_of(_, lattice(mod_deeper/3)), mod_depth(_, max).
mod_depth(N, 0) :- integer(N).
mod_depth(s(X), D) :- mod_depth(X, D0), D is D0 + 1.
mod_deeper(A, B, C) :- mod_depth(A, DA), mod_depth(B, DB), ( DA >= DB -> C = A ; C = B ).
mod_level_of(x, 0). mod_level_of(x, s(s(1))). mod_level_of(x, s(2)).

t(join_with_table, mod_level_of(x, V), [V], answers([[s(s(1))]])).

% Mutual recursion: the consumers of one see the improved values of the other.
:- table mod_even(_, min), mod_odd(_, min).
mod_even(0, 0).
mod_even(N, C) :- mod_odd(M, C0), N is (M + 1) mod 10, C is C0 + 1.
mod_odd(N, C) :- mod_even(M, C0), N is (M + 1) mod 10, C is C0 + 2.
mod_odd(5, 1).

t(mutual, ( mod_sorted(N-C, mod_even(N, C), L), mod_sorted(N-C, mod_odd(N, C), M) ), [L, M],
  answers([[[0-0, 2-3, 4-6, 6-2, 8-5], [1-2, 3-5, 5-1, 7-4, 9-7]]])).

% --- declarations and calls ---

t(bound_value, mod_path(a, c, 2), [], throws(uninstantiation_error(2))).
t(bad_mode, table(mod_bad(foo)), [], throws(domain_error(tabled_mode, foo))).
t(lattice_arity, table(mod_bad(lattice(foo/2))), [], throws(domain_error(lattice_arity, 2))).
t(lattice_unbound, table(mod_bad(lattice(_))), [], throws(instantiation_error)).
t(po_arity, table(mod_bad(po(foo/3))), [], throws(domain_error(po_arity, 3))).
t(cut, ( once(mod_path(a, _, _)), mod_sorted(Y, mod_path(a, Y, _), L) ), [L], answers([[[a, b, c, d]]])).
t(inside_findall, findall(Y, ( mod_path(a, X, 1), mod_path(X, Y, 1) ), _), [], throws(uninstantiation_error(1))).
t(negation, ( \+ mod_path(d, _, _), \+ \+ mod_path(a, _, _) ), [], answers([[]])).
