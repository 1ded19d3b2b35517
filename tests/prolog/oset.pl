% library(oset).

:- use_module(library(oset)).

t(oset, ( oset_union([a, c], [b], U), oset_int([a, b], [b, c], I), oset_diff([a, b], [b], D), oset_addel([a], b, A), oset_delel([a, b], a, R) ), [U, I, D, A, R], answers([[[a, b, c], [b], [a], [a, b], [b]]])).
t(oset_distributed, ( oset_dunion([[a], [b]], U), oset_dint([[a, b], [b, c]], I) ), [U, I], answers([[[a, b], [b]]])).
t(oset_power, oset_power([a, b, c], S), [S], answers([[[[], [a], [a, b], [a, b, c], [a, c], [b], [b, c], [c]]]])).
t(oset_power_empty, oset_power([], S), [S], answers([[[[]]]])).

% (Which of two new variables comes first is not said.)
t(power_shares, ( oset_power([X, Y], P), sort(P, P1), P1 == P, maplist(length, P, Ls), msort(Ls, Ns), term_variables(P, Vs), sort(Vs, Us), sort([X, Y], Us) ), [Ns],
  answers([[[0, 1, 1, 2]]])).
t(power_ground, oset_power([a, b, c], P), [P], answers([[[[], [a], [a, b], [a, b, c], [a, c], [b], [b, c], [c]]]])).
