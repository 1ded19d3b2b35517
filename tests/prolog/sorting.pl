% Sorting lists that are long enough to be sorted by the beginnings of their keys, against insertion by compare/3; keys that share their
% beginnings or their ends, and cyclic ones.

t(same_beginnings, sorted_as_compared(beginnings), x, answers([x])).
t(large_integers, sorted_as_compared(large), x, answers([x])).
t(strings_alike, sorted_as_compared(alike), x, answers([x])).
t(lists_with_the_same_elements_first, sorted_as_compared(lists), x, answers([x])).
t(few_kinds, sorted_as_compared(few), x, answers([x])).
t(all_kinds, sorted_as_compared(mixed), x, answers([x])).

t(ends, ( numlist(1, 3000, L), ends(L, T), msort(T, [[A|_]|S]), length(S, N), last(S, Z) ), A-N-Z, answers([1-2999-[3000]])).
t(ends_alike, ( findall(a, between(1, 300, _), L), ends(L, T), msort(T, [A,B|S]), length(S, N) ), A-B-N, answers([[a]-[a,a]-298])).

% Equal keys stay in their order, whatever there is between them.
t(stable, ( findall(K-I, ( between(1, 200, I), X is I mod 3, nth0(X, [abcdefghijklmnopqrstuvwxyz, abcdefghijklmnopqrstuvwxya, [abcdefghijklmnopqr]], K) ), L), keysort(L, S), in_order(S) ), x, answers([x])).
t(stable_descending, ( findall(f(K, I), ( between(1, 200, I), X is I mod 2, nth0(X, [abcdefghijklmnopqrstuvwxyz, abcdefghijklmnopqrstuvwxya], K) ), L), sort(1, @>=, L, S), S = [f(F, A), f(F, B)|_], last(S, f(Z, C)) ), F-A-B-Z-C, answers([abcdefghijklmnopqrstuvwxyz-2-4-abcdefghijklmnopqrstuvwxya-199])).
t(no_doubles, ( findall(K, ( between(1, 300, I), X is I mod 7, atom_concat(a_beginning_that_is_long_, X, K) ), L), sort(L, S), sort(0, @>, L, R), reverse(R, S), length(S, N) ), N, answers([7])).

% Cyclic keys, alike as far as their beginnings go and not: all are there, the same ones once.
t(cyclic, ( findall(N, between(1, 40, N), Ns), cyclic(Ns, L), msort(L, S), length(S, A), sort(L, T), length(T, B) ), A-B, answers([40-3])).
t(cyclic_with_others, ( X = [a|X], findall(f(I), between(1, 40, I), L), msort([X, [a,a,a,a], [a,a,a], X|L], S), length(S, N), sort([X, X|L], T), length(T, M) ), N-M, answers([44-41])).

ends([], []).
ends([X|Xs], [[X|Xs]|Es]) :- ends(Xs, Es).

in_order([]).
in_order([K-I|L]) :- \+ ( member(M-J, L), M == K, J < I ), in_order(L).

cyclic([], []).
cyclic([N|Ns], [X|Xs]) :- K is N mod 3, ring(K, X), cyclic(Ns, Xs).

ring(0, X) :- X = [a|X].
ring(1, X) :- X = [b|X].
ring(2, X) :- X = f(X, c).

sorted_as_compared(Kind) :-
    forall(between(1, 5, Seed),
           ( keys(60, Kind, Seed, L),
             inserted(L, [], I),
             msort(L, S), same(S, I),
             once_each(I, O), sort(L, T), same(T, O),
             sort(0, @>, L, D), reverse(D, R), same(R, O) )).

keys(0, _, _, []) :- !.
keys(N, Kind, S0, [K|Ks]) :-
    S is (S0*1103515245 + 12345) mod 2147483648,
    R is S >> 8,
    key(Kind, R, K),
    M is N-1,
    keys(M, Kind, S, Ks).

key(beginnings, R, f(abcdefghijklmnopqrstuvwxyz, K)) :- K is R mod 20.
key(large, R, K) :- K is (1<<100)*(R mod 2) + (1<<50) + R mod 50.
key(alike, R, S) :- K is R mod 30, format(atom(A), "the beginning of a text ~w", [K]), atom_string(A, S).
key(lists, R, [a, b, c, d, e, f, g, h, K, z|K]) :- K is R mod 9.
key(few, R, K) :- I is R mod 3, nth0(I, [abcdefghijklmnopqrstuvwxyz, abcdefghijklmnopqrstuvwxya, b], K).
key(mixed, R, K) :- I is R mod 9, J is R mod 4, mixed(I, J, K).

mixed(0, J, J).
mixed(1, J, K) :- K is J + 0.5.
mixed(2, J, K) :- K is J + (1<<70).
mixed(3, J, K) :- K is float(J).
mixed(4, J, g(J, [x])).
mixed(5, J, [J]).
mixed(6, J, K) :- atom_concat(a, J, K).
mixed(7, J, K) :- number_string(J, S), string_concat("abcdefghijklmnopqrst", S, K).
mixed(8, J, -(abcdefghijklmnopqrs, J)).

inserted([], S, S).
inserted([X|Xs], S0, S) :- insert(S0, X, S1), inserted(Xs, S1, S).

insert([], X, [X]).
insert([Y|Ys], X, Zs) :- compare(O, X, Y), ( O = (<) -> Zs = [X,Y|Ys] ; Zs = [Y|Ws], insert(Ys, X, Ws) ).

once_each([], []).
once_each([X], [X]) :- !.
once_each([X,Y|L], R) :- ( X == Y -> once_each([Y|L], R) ; R = [X|S], once_each([Y|L], S) ).

same(A, B) :- A == B.

% Short lists of constants are sorted as their keys in compounds are.

t(short_as_keys, forall(( member(Order, [@<, @=<, @>, @>=]), srt_short(L) ), ( sort(0, Order, L, S), srt_keyed(Order, L, S) )), [], answers([[]])).
t(short_not_alone, ( length(L, 9), maplist(=(b), L), msort([a|L], [a|L]), msort([c, X, a, f(b), "s", 1.0, 1], M) ), [X, M], answers([[Y, [Y, 1.0, 1, "s", a, c, f(b)]]])).
t(short_partial, msort([b, a|_], _), [], throws(instantiation_error)).
t(short_no_list, msort([b, a|c], _), [], throws(type_error(list, [b, a|c]))).

srt_short(L) :- between(0, 4, N), length(L, N), srt_constants(L).

srt_constants([]).
srt_constants([X|Xs]) :- member(X, [b, a, 1, 1.0, "s"]), srt_constants(Xs).

srt_keyed(Order, L, Sorted) :-
    findall(f(X, y), member(X, L), Fs),
    sort(1, Order, Fs, Gs),
    findall(X, member(f(X, _), Gs), Sorted).
