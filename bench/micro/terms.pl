% Terms: making, taking apart, copying, comparing, changing in place; global variables; trees of the libraries.

operation(functor_make, 100000).
work(functor_make, N, _, X) :- repeated(N, functor(_, f, 3)), functor(T, g, 2), T =.. [X|_].

operation(functor_read, 300000).
work(functor_read, N, _, X) :- functor_read(N, f(a, b, c)), functor(g(_), X, _).

functor_read(0, _) :- !.
functor_read(N, T) :- functor(T, f, 3), N1 is N-1, functor_read(N1, T).

operation(arg_known, 100000).
work(arg_known, N, _, X) :- numlist(1, 10, L), T =.. [f|L], arg_known(N, T, 0, X).

arg_known(0, _, X, X) :- !.
arg_known(N, T, X0, X) :- I is N mod 10+1, arg(I, T, A), X1 is X0+A, N1 is N-1, arg_known(N1, T, X1, X).

operation(arg_enumerate, 20000).
work(arg_enumerate, N, _, X) :- numlist(1, N, L), T =.. [f|L], aggregate_all(sum(A), arg(_, T, A), X).

operation(arg_walk_big, 250000).
prepare(arg_walk_big, N, T) :- numlist(1, N, L), T =.. [f|L].
work(arg_walk_big, N, T, X) :- arg_walk(N, T, 0, X).

arg_walk(0, _, X, X) :- !.
arg_walk(N, T, X0, X) :- arg(N, T, A), X1 is X0+A, N1 is N-1, arg_walk(N1, T, X1, X).

operation(univ, 50000).
work(univ, N, _, X) :- univ(N, X).

univ(0, done) :- !.
univ(N, X) :- f(N, a) =.. L, T =.. L, T = f(_, _), N1 is N-1, univ(N1, X).

operation(copy_term, 20000).
prepare(copy_term, _, T) :- T = f(X, g(Y, X), [a, b, Y], "text", h(_, _)).
work(copy_term, N, T, X) :- copies(N, T), copy_term(a, X).

copies(0, _) :- !.
copies(N, T) :- copy_term(T, _), N1 is N-1, copies(N1, T).

operation(copy_ground, 20000).
prepare(copy_ground, _, T) :- numlist(1, 50, T).
work(copy_ground, N, T, X) :- copies(N, T), copy_term(a, X).

operation(copy_long, 50000).
prepare(copy_long, N, L) :- findall(f(I, _), between(1, N, I), L).
work(copy_long, _, L, X) :- copy_term(L, M), length(M, X).

% only some of the variables renamed: all, half, one of them
operation(copy_all, 50000).
prepare(copy_all, N, L) :- length(L, N).
work(copy_all, _, L, X) :- copy_term(L, L, _, M), length(M, X).

operation(copy_half, 50000).
prepare(copy_half, N, L/K) :- length(L, N), length(K, N).
work(copy_half, _, L/K, X) :- copy_term(L, f(L, K), _, f(M, K1)), K == K1, length(M, X).

operation(copy_one, 50000).
prepare(copy_one, N, L) :- length(L, N).
work(copy_one, _, [V|L], X) :- copy_term(V, [V|L], _, [_|M]), M == L, length(M, X).

operation(copy_some_small, 50000).
work(copy_some_small, N, _, X) :- repeated(N, copy_term(V, f(V, _, a), _, _)), X = yes.

operation(duplicate_term, 250000).
prepare(duplicate_term, N, L) :- numlist(1, N, L).
work(duplicate_term, _, L, X) :- duplicate_term(L, M), length(M, X).

operation(term_variables, 50000).
prepare(term_variables, N, L) :- length(L, N).
work(term_variables, _, L, X) :- term_variables(f(L, L), Vs), length(Vs, X).

operation(term_variables_short, 50000).
work(term_variables_short, N, _, X) :- repeated(N, term_variables(f(_, g(_), a, [_]), _)), term_variables(f(_, a), Vs), length(Vs, X).

operation(term_attvars, 50000).
prepare(term_attvars, N, L) :- length(L, N), attributed(L).
work(term_attvars, _, L, X) :- term_attvars(f(L, L), Vs), length(Vs, X).

attributed([]).
attributed([V|Vs]) :- put_attr(V, bench_m, 1), attributed(Vs).

operation(ground, 450000).
prepare(ground, N, L) :- numlist(1, N, L).
work(ground, _, L, X) :- ground(L), ground(f(L)), X = yes.

operation(unify_long, 400000).
prepare(unify_long, N, L-M) :- numlist(1, N, L), numlist(1, N, M).
work(unify_long, _, L-M, X) :- L = M, f(L, M) = f(M, L), X = yes.

operation(unify_variables, 750000).
prepare(unify_variables, N, L-M) :- length(L, N), length(M, N).
work(unify_variables, N, L-M, N) :- L = M.

operation(compare_long, 250000).
prepare(compare_long, N, L-M) :- numlist(1, N, L), numlist(1, N, M).
work(compare_long, _, L-M, X) :- compare(X, L, M), L == M.

operation(variant, 55000).
prepare(variant, N, L-M) :- length(L, N), copy_term(L, M).
work(variant, _, L-M, X) :- f(L, L) =@= f(M, M), X = yes.

operation(subsumes_term, 500000).
prepare(subsumes_term, N, L-M) :- length(L, N), numlist(1, N, M).
work(subsumes_term, _, L-M, X) :- subsumes_term(L, M), X = yes.

operation(unify_with_occurs_check, 500000).
prepare(unify_with_occurs_check, N, L-M) :- length(L, N), numlist(1, N, M).
work(unify_with_occurs_check, N, L-M, N) :- unify_with_occurs_check(L, M).

operation(term_hash, 150000).
prepare(term_hash, N, L) :- findall(f(I, a, "s"), between(1, N, I), L).
work(term_hash, N, L, N) :- hash_all(L).

hash_all([]).
hash_all([T|Ts]) :- term_hash(T, H), integer(H), hash_all(Ts).

operation(numbervars, 700000).
prepare(numbervars, N, L) :- length(L, N).
work(numbervars, _, L, X) :- numbervars(L, 0, X).

operation(numbervars_singletons, 400000).
prepare(numbervars_singletons, N, L) :- variables(N, L).
work(numbervars_singletons, _, L, X) :- numbervars(L, 0, X, [singletons(true)]).

operation(term_singletons, 400000).
prepare(term_singletons, N, L) :- variables(N, L).
work(term_singletons, _, L, X) :- term_singletons(L, Vs), length(Vs, X).

%   Every third variable occurs twice.
variables(N, L-Twice) :-
    length(L, N),
    every_third(L, Twice).

every_third([_, _, X|L], [X|Xs]) :- !, every_third(L, Xs).
every_third(_, []).

operation(type_tests, 150000).
work(type_tests, N, _, X) :- type_tests(N), X = yes.

type_tests(0) :- !.
type_tests(N) :- integer(N), number(N), atomic(N), \+ atom(N), nonvar(N), \+ compound(N), callable(a), is_list([a, N]), N1 is N-1, type_tests(N1).

operation(setarg, 250000).
work(setarg, N, _, X) :- setargs(N, f(0, b)), X = yes.

setargs(0, _) :- !.
setargs(N, T) :- setarg(1, T, N), N1 is N-1, setargs(N1, T).

operation(nb_setarg, 100000).
work(nb_setarg, N, _, X) :- T = count(0), repeated(N, ( arg(1, T, C0), C is C0+1, nb_setarg(1, T, C) )), arg(1, T, X).

operation(nb_setarg_structure, 50000).
work(nb_setarg_structure, N, _, X) :- T = last(none), forall(between(1, N, I), nb_setarg(1, T, f(I, [a, b]))), arg(1, T, f(X, _)).

operation(setarg_big, 200000).
prepare(setarg_big, N, T) :- functor(T, f, N).
work(setarg_big, N, T, X) :- setarg_all(N, T), arg(N, T, X).

setarg_all(0, _) :- !.
setarg_all(N, T) :- setarg(N, T, N), N1 is N-1, setarg_all(N1, T).

operation(nb_setval, 100000).
work(nb_setval, N, _, X) :- nb_setval(micro_v, 0), repeated(N, ( nb_getval(micro_v, C0), C is C0+1, nb_setval(micro_v, C) )), nb_getval(micro_v, X).

operation(b_setval, 150000).
work(b_setval, N, _, X) :- b_setval(micro_b, 0), b_count(N), b_getval(micro_b, X).

b_count(0) :- !.
b_count(N) :- b_getval(micro_b, C0), C is C0+1, b_setval(micro_b, C), N1 is N-1, b_count(N1).

operation(nb_setval_long, 1500).
work(nb_setval_long, N, _, X) :- nb_setval(micro_l, []), forall(between(1, N, I), ( nb_getval(micro_l, L), nb_setval(micro_l, [I|L]) )), nb_getval(micro_l, L), length(L, X).

% libraries
operation(assoc_put, 5000).
prepare(assoc_put, N, L) :- random_numbers(N, 1000000, L).
work(assoc_put, _, L, X) :- empty_assoc(A0), puts(L, A0, A), assoc_to_keys(A, Ks), length(Ks, X).

puts([], A, A).
puts([K|Ks], A0, A) :- put_assoc(K, A0, v, A1), puts(Ks, A1, A).

operation(assoc_get, 35000).
prepare(assoc_get, N, L-A) :- random_numbers(N, 1000000, L), sort(L, S), findall(K-K, member(K, S), Ps), list_to_assoc(Ps, A).
work(assoc_get, _, L-A, X) :- gets(L, A, 0, X).

gets([], _, S, S).
gets([K|Ks], A, S0, S) :- get_assoc(K, A, V), S1 is S0+V, gets(Ks, A, S1, S).

operation(assoc_del, 2000).
prepare(assoc_del, N, L-A) :- random_numbers(N, 1000000, L0), sort(L0, L), findall(K-K, member(K, L), Ps), list_to_assoc(Ps, A).
work(assoc_del, _, L-A, X) :- foldl([K, A0, A1]>>del_assoc(K, A0, _, A1), L, A, E), assoc_to_list(E, X).

operation(list_to_assoc, 40000).
prepare(list_to_assoc, N, Ps) :- findall(K-v, between(1, N, K), Ps).
work(list_to_assoc, _, Ps, X) :- list_to_assoc(Ps, A), assoc_to_values(A, Vs), length(Vs, X).

operation(rbtrees, 5000).
prepare(rbtrees, N, L) :- random_numbers(N, 1000000, L).
work(rbtrees, _, L, X) :- rb_new(T0), foldl([K, A0, A1]>>rb_insert(A0, K, v, A1), L, T0, T) -> rb_size(T, X) ; X = twice.

operation(heaps, 5000).
prepare(heaps, N, L) :- random_numbers(N, 1000000, L).
work(heaps, _, L, X) :- empty_heap(H0), add_all(L, H0, H), empty_all(H, 0, X).

add_all([], H, H).
add_all([K|Ks], H0, H) :- add_to_heap(H0, K, v, H1), add_all(Ks, H1, H).

empty_all(H, S0, S) :- ( get_from_heap(H, K, _, H1) -> S1 is (S0*3+K) mod 1000003, empty_all(H1, S1, S) ; S = S0 ).

operation(nb_set, 15000).
prepare(nb_set, N, L) :- random_numbers(N, 1000, L).
work(nb_set, _, L, X) :- empty_nb_set(S), forall(member(K, L), add_nb_set(K, S, _)), nb_set_to_list(S, Ks), length(Ks, X).

operation(ugraph, 500).
prepare(ugraph, N, Es) :- findall(A-B, ( between(1, N, A), B is A+1 ), Es).
work(ugraph, _, Es, X) :- vertices_edges_to_ugraph([], Es, G), top_sort(G, L), reachable(1, G, R), length(L, A), length(R, B), X is A+B.

operation(option, 50000).
work(option, N, _, X) :- repeated(N, option(c(_), [a(1), b(2), c(3)], 0)), option(b(X), [a(1), b(2)]).

operation(succ_or_throw, 100000).
work(succ_or_throw, N, _, X) :- repeated(N, ( succ(3, _), plus(1, 2, _), succ(_, 4) )), succ(N, X).

operation(must_be, 50000).
work(must_be, N, _, X) :- repeated(N, ( must_be(integer, 3), must_be(positive_integer, 4), must_be(list, [a]) )), X = yes.

operation(gensym, 20000).
work(gensym, N, _, X) :- reset_gensym(micro_g), repeated(N, gensym(micro_g, _)), gensym(micro_g, X).

operation(tab_string_term, 20000).
work(tab_string_term, N, _, X) :- repeated(N, term_to_atom(f(a, 1), _)), X = yes.

% attributed variables

operation(put_attr, 50000).
work(put_attr, N, _, X) :- repeated(N, ( put_attr(V, micro, 1), get_attr(V, micro, A), B is A+1, put_attr(V, micro, B), V = a )), X = yes.
micro:attr_unify_hook(_, _).

operation(freeze, 50000).
work(freeze, N, _, X) :- repeated(N, ( freeze(V, W = b), V = a, W == b )), X = yes.

operation(freeze_stream, 50000).
work(freeze_stream, N, _, X) :- frozen_numbers(N, L), sum_frozen(L, 0, X).

frozen_numbers(N, L) :- freeze(L, numbers_down(N, L)).
numbers_down(0, []) :- !.
numbers_down(N, [N|T]) :- N1 is N-1, frozen_numbers(N1, T).
sum_frozen([], S, S).
sum_frozen([X|Xs], S0, S) :- S1 is S0+X, sum_frozen(Xs, S1, S).

operation(dif, 50000).
work(dif, N, _, X) :- repeated(N, ( dif(V, a), V = b )), X = yes.

operation(dif_terms, 20000).
work(dif_terms, N, _, X) :- repeated(N, ( dif(f(V, W), f(a, b)), V = a, W = c )), X = yes.

operation(dif_all, 100).
work(dif_all, N, _, X) :- length(L, N), all_different_pairwise(L), numlist(1, N, L), sum_list(L, X).

all_different_pairwise([]).
all_different_pairwise([X|Xs]) :- different_from(Xs, X), all_different_pairwise(Xs).
different_from([], _).
different_from([Y|Ys], X) :- dif(X, Y), different_from(Ys, X).

operation(when_ground, 20000).
work(when_ground, N, _, X) :- repeated(N, ( when(ground(V+W), true), V = a, W = b )), X = yes.

operation(when_decided, 20000).
work(when_decided, N, _, X) :- repeated(N, ( when(?=(V, W), true), V = a, W = b )), X = yes.

operation(copy_attributed, 20000).
prepare(copy_attributed, N, L) :- length(L, N), freeze_each(L).
work(copy_attributed, _, L, X) :- copy_term(L, M), length(M, X), M = [A|_], frozen(A, G), nonvar(G).

freeze_each([]).
freeze_each([X|Xs]) :- freeze(X, true), freeze_each(Xs).

operation(cyclic_small, 100000).
work(cyclic_small, N, _, X) :- T = f(T, a), repeated(N, cyclic_term(T)), repeated(N, \+ acyclic_term(T)), ( cyclic_term(g(b)) -> X = yes ; X = no ).

operation(cyclic_small_ground, 200000).
work(cyclic_small_ground, N, _, X) :- T = f(T, a), repeated(N, ground(T)), ( ground(T) -> X = yes ; X = no ).

operation(cyclic_small_equal, 100000).
work(cyclic_small_equal, N, _, X) :- S = [1, 2, 3|S], T = [1, 2, 3|T], repeated(N, S == T), repeated(N, S = T), ( S == T -> X = yes ; X = no ).

operation(cyclic_list, 50000).
prepare(cyclic_list, N, T) :- numlist(1, N, L), append(L, T, T).
work(cyclic_list, _, T, X) :- repeated(10, cyclic_term(T)), ( ground(T) -> X = yes ; X = no ).

operation(subterms_fold, 50000).
prepare(subterms_fold, N, L) :- numlist(1, N, L).
work(subterms_fold, _, L, S) :- foldsubterms(add_integer, L, _, 0, S).

add_integer(X, X, S0, S) :- integer(X), S is S0+X.

operation(subterms_map, 50000).
prepare(subterms_map, N, L) :- numlist(1, N, L).
work(subterms_map, _, L, S) :- mapsubterms(next_integer, L, M), sum_list(M, S).

next_integer(X, Y) :- integer(X), Y is X+1.

% dicts
operation(dict_select, 40000).
prepare(dict_select, _, Select-From) :- dict_create(Select, _, [beta-2, delta-4]), dict_create(From, _, [alpha-1, beta-2, gamma-3, delta-4]).
work(dict_select, N, Select-From, X) :- forall(between(1, N, _), select_dict(Select, From, _)), select_dict(Select, From, Rest), dict_pairs(Rest, _, X).
