% Logical loops: library(dialect/loops), which library(dialect/sicstus4) has.

:- use_module(library(dialect/loops)).
:- use_module(library(clpfd)).

lps_sum(L, S) :- ( foreach(X, L), fromto(0, S0, S1, S) do S1 is S0+X ).
lps_rows(N, Rows) :- ( for(I, 1, N), foreach(Row, Rows), param(N) do ( for(J, 1, N), foreach(I-J, Row), param(I) do true ) ).
lps_split([], [], []).
lps_split([X|Xs], Small, Large) :- ( foreach(Y, Xs), fromto(Small, S0, S1, []), fromto(Large, L0, L1, []), param(X) do ( Y < X -> S0 = [Y|S1], L0 = L1 ; S0 = S1, L0 = [Y|L1] ) ).

% Names are the loop's own, unless param/N has them.
lps_counts(I) :- ( for(I, 1, 2) do true ).
lps_all(X, L) :- ( foreach(Y, [1, 2]), foreach(X, L) do X = Y ).
lps_same(X) :- ( foreach(Y, [1, 1]), param(X) do Y = X ).
lps_nested(Rows, Sums) :- ( foreach(X, Rows), foreach(R, Sums) do ( foreach(X, X), fromto(0, A, B, R) do B is A+X ) ).

t(names_are_local, ( lps_counts(5), lps_all(7, L) ), [L], answers([[[1, 2]]])).
t(names_are_shared, ( lps_same(1), \+ lps_same(2) ), [], answers([[]])).
t(names_of_outer_loops, lps_nested([[1, 2], [3]], S), [S], answers([[[3, 3]]])).
t(attributes_of_others, ( dif(X, a), ( foreach(Y, [a, b]) do Y = X ) ), [X], answers([[_]])).
t(sum, lps_sum([1, 2, 3], S), [S], answers([[6]])).
t(sum_of_none, lps_sum([], S), [S], answers([[0]])).
t(map, ( foreach(X, [1, 2, 3]), foreach(Y, L) do Y is X*X ), [L], answers([[[1, 4, 9]]])).
t(map_back, ( foreach(X, L), foreach(Y, [a, b]) do X = f(Y) ), [L], answers([[[f(a), f(b)]]])).
t(rows, lps_rows(2, R), [R], answers([[[[1-1, 1-2], [2-1, 2-2]]]])).
t(split, lps_split([3, 1, 4, 1, 5], S, L), [S, L], answers([[[1, 1], [4, 5]]])).
t(for, ( ( for(I, 1+1, 2*2), foreach(I, A) do true ), ( for(J, 3, 1), foreach(J, B) do true ) ), [A, B], answers([[[2, 3, 4], []]])).
t(for_step, ( ( for(I, 1, 10, 3), foreach(I, A) do true ), ( for(J, 5, 1, -2), foreach(J, B) do true ), ( for(K, 1, 5, -1), foreach(K, C) do true ), ( for(M, 1, 4, 2), foreach(M, D) do true ) ), [A, B, C, D], answers([[[1, 4, 7, 10], [5, 3, 1], [], [1, 3]]])).
t(count, ( ( foreach(_, [a, b, c]), count(_, 1, N) do true ), ( count(I, 1, 3), foreach(I, L) do true ) ), [N, L], answers([[3, [1, 2, 3]]])).
t(arguments, ( ( foreacharg(X, f(a, b)), foreach(X, A) do true ), ( foreacharg(Y, f(a, b), I), foreach(I-Y, B) do true ) ), [A, B], answers([[[a, b], [1-a, 2-b]]])).
t(fromto, ( ( fromto(8, I0, I1, 0), foreach(I0, A) do I1 is I0//2 ), ( fromto([1, 2], [X|Xs], Xs, []), foreach(X, B) do true ) ), [A, B], answers([[[8, 4, 2, 1], [1, 2]]])).
t(local_variables, ( foreach(X, [1, 2]), foreach(Y, L) do Y = X-_Q ), [L], answers([[[1-_, 2-_]]])).
t(local_by_name, ( Q = q, ( foreach(X, [1, 2]), foreach(Y, L), param(Q) do Y = X-Q ) ), [L], answers([[[1-q, 2-q]]])).
t(shared, ( foreach(X, [1, 2]), foreach(Y, L), param(P) do Y = X-P ), [L, P], answers([[[1-A, 2-A], A]])).
t(elements_are_outer, ( E = f(_), ( foreach(X, [E, E]), foreach(X, L) do X = f(1) ) ), [L], answers([[[f(1), f(1)]]])).
t(constraints, ( V in 1..5, ( foreach(X, [1, 2]), param(V) do V #\= X ), fd_dom(V, D) ), [D], answers([[3..5]])).
t(backtracking, ( foreach(X, [1, 2]), foreach(Y, L) do member(Y, [X, z]) ), [L], answers([[[1, 2]], [[1, z]], [[z, 2]], [[z, z]]])).
t(cut_is_local, ( member(Z, [1, 2]), ( foreach(X, [1, 2]) do ( X > 0, ! ) ) ), [Z], answers([[1], [2]])).
t(partial_list, ( foreach(_, [1, 2|T]) do true ), [T], answers([[[]]])).
t(fails, ( foreach(X, [1, 2]) do X < 2 ), [], fails).
t(raises, ( foreach(X, [1, a]) do X > 0 ), [], throws(type_error(evaluable, a/0))).
t(ends_at_once, ( fromto(0, _, _, 0) do fail ), [], answers([[]])).
t(large, ( for(I, 1, 100000), fromto(0, S0, S1, S) do S1 is S0+I ), [S], answers([[5000050000]])).
t(unbound_iterator, ( _ do true ), [], throws(instantiation_error)).
t(unknown_iterator, ( foreach_(_, []) do true ), [], throws(domain_error(iterator, foreach_(_, [])))).
t(no_number, ( for(_, 1.5, 3) do true ), [], throws(type_error(integer, 1.5))).
t(no_step, ( for(_, 1, 3, 0) do true ), [], throws(domain_error(not_zero, 0))).
t(no_compound, ( foreacharg(_, a) do true ), [], throws(type_error(compound, a))).
