% Hashes of terms: term_hash/2,4, variant_sha1/2, variant_hash/2.
% SWI-Prolog's manual, sections 4.9 and 4.35. The numbers of term_hash/2 are those of SWI-Prolog 9.0.4.

hsh(T, H) :- term_hash(T, H).
hsh_all(Ts, Hs) :- findall(H, ( member(T, Ts), term_hash(T, H) ), Hs).
hsh_long(N, L) :- length(L, N), foldl([X, I, J]>>(X = I, J is I+1), L, 0, _).
hsh_deep(0, a) :- !.
hsh_deep(N, f(T, T)) :- N1 is N-1, hsh_deep(N1, T).

t(atoms, hsh_all([foo, aap, [], 'é', 'Ж'], L), [L], answers([[[5716028, 9270206, 11527763, 963294, 6369912]]])).
t(numbers, hsh_all([1, 42, 2000000000, 1.0, 3.141592653589793, 9223372036854775808, 12345678901234567890123], L), [L],
  answers([[[7018254, 12280004, 13691282, 15100263, 15717536, 9604840, 2863894]]])).
t(strings, hsh_all(["abc", "hello world"], L), [L], answers([[[1880134, 13985775]]])).
t(compounds, hsh_all([hello(world), a(b, c), f(1), f(g(1)), f(), [1], [a, b], hello(x(a), x(a))], L), [L],
  answers([[[2512014, 7233152, 834601, 5278961, 12942739, 16221422, 56200, 6171734]]])).
t(signs, ( hsh_all([-1, -9223372036854775809, -1r3, 1r3], L), sort(L, M), length(M, N) ), [N], answers([[4]])).
t(variables, ( term_hash(f(_), H1), term_hash(_, H2), freeze(X, true), term_hash([a|X], H3), maplist(var, [H1, H2, H3]) ), [], answers([[]])).
t(given, term_hash(foo, 5716028), [], answers([[]])).
t(given_other, term_hash(foo, 5716027), [], fails).
t(long, ( run_size(100000, N), hsh_long(N, L), term_hash(L, H), integer(H) ), [], answers([[]])).
t(shared, ( hsh_deep(60, T), term_hash(T, H), integer(H) ), [], answers([[]])).
t(cyclic, ( X = f(X), Y = f(f(Y)), term_hash(X, H), term_hash(Y, I), ( H == I -> R = same ; R = different ) ), [R], answers([[same]])).
t(depth, ( term_hash(f(g(a)), 2, 1000, H), term_hash(f(g(b)), 2, 1000, I), ( H == I -> R = same ; R = different ) ), [R], answers([[same]])).
t(depth_variable, ( term_hash(f(_), 1, 1000, H), term_hash(f(_), 2, 1000, I), integer(H), var(I) ), [], answers([[]])).
t(depth_none, ( term_hash(a, 0, 10, H), term_hash(_, 0, 10, I), H == I ), [], answers([[]])).
t(depth_all, ( term_hash(f(g(h(a))), -1, 16777216, H), term_hash(f(g(h(b))), -1, 16777216, I), H \== I ), [], answers([[]])).
t(depth_range, ( forall(( between(1, 50, N), term_hash(N, -1, 7, H) ), ( H >= 0, H < 7 )) ), [], answers([[]])).
t(depth_wrong, term_hash(a, x, 1, _), [], throws(type_error(integer, x))).
t(depth_negative, term_hash(a, -2, 1, _), [], throws(domain_error(not_less_than_zero, -2))).
t(range_wrong, term_hash(a, 1, 0, _), [], throws(domain_error(not_less_than_one, 0))).

t(sha1_length, ( variant_sha1(f(_, "s", 1.0, 1r3, [a]), H), atom_length(H, N) ), [N], answers([[40]])).
t(sha1_variants, ( variant_sha1(f(X, Y, X), H), variant_sha1(f(Y, X, Y), I), H == I ), [], answers([[]])).
t(sha1_others, ( findall(H, ( member(T, [f(X, X), f(X, Y), f(Y, X, X), f(a), f('A'), f("a"), f(1), f(1.0), [], '[]', a, f(), [a, b], [a|b], f(f(X), Y), f(f(X, Y))]), variant_sha1(T, H) ), Hs),
                 sort(Hs, Set), length(Set, N) ), [N], answers([[15]])).
t(sha1_known, ( variant_sha1(f(x), H), variant_sha1(f(x), I), H == I, atom(H) ), [], answers([[]])).
t(sha1_cyclic, ( X = f(X), variant_sha1(X, _) ), [], throws(type_error(acyclic_term, _))).
t(sha1_attributed, ( freeze(X, true), variant_sha1(f(X), _) ), [], throws(type_error(free_of_attvar, f(_)))).
t(sha1_given, variant_sha1(a, b), [], fails).
t(hash_variants, ( variant_hash(f(X, Y, X), H), variant_hash(f(Y, X, Y), I), variant_hash(f(X, X, Y), J), integer(H), H =:= I, H =\= J ), [], answers([[]])).
t(hash_attributed, ( freeze(X, true), variant_hash(f(X), H), variant_hash(f(_), I), H =:= I ), [], answers([[]])).
t(hash_cyclic, ( X = f(X), variant_hash(X, _) ), [], throws(type_error(acyclic_term, _))).
