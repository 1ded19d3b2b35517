/*  Builtin and library predicates on large lists, texts and terms: one row of size/5 for each. Used by crates/cli/tests/sizes.rs; by hand

        samite -g "sizes([25000,50000,100000])" -t halt tests/sizes/sizes.pl        (the same with swipl --stack-limit=4g)
        samite -g "size_of(msort, [100000,1000000])" -t halt tests/sizes/sizes.pl

    A row is run with each N of the list. Its first goal makes the input, its second is measured, its third checks the result: all three must
    succeed, without an error. What is printed for a row: name, the milliseconds and the inferences of each size, and the mark `slow` if at the
    last size the time has grown by the square of what the size has. That mark is to be looked at and is no failure: the clock is no judge.
    A row that costs more than its size by nature takes a part of N.  */

:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(aggregate)).
:- use_module(library(assoc)).
:- use_module(library(rbtrees)).
:- use_module(library(pairs)).
:- use_module(library(ordsets)).
:- use_module(library(ugraphs)).
:- use_module(library(strings)).
:- use_module(library(terms)).
:- use_module(library(occurs)).
:- use_module(library(varnumbers)).
:- use_module(library(heaps)).
:- use_module(library(nb_set)).
:- use_module(library(gensym)).
:- use_module(library(random)).
:- use_module(library(solution_sequences)).
:- use_module(library(csv)).
:- use_module(library(dcg/basics)).
:- use_module(library(dcg/high_order)).
:- use_module(library(readutil)).
:- use_module(library(codesio)).
:- use_module(library(charsio)).
:- use_module(library(base64)).
:- use_module(library(crypto)).
:- use_module(library(md5)).
:- use_module(library(porter_stem)).
:- use_module(library(base32)).
:- use_module(library(utf8)).
:- use_module(library(sort)).
:- use_module(library(oset)).
:- use_module(library(prolog_code)).
:- use_module(library(option)).
:- use_module(library(uri)).
:- use_module(library(listing)).
:- use_module(library(yall)).

:- dynamic(kept/2).
:- dynamic(kept/1).
:- table(tabled_list/2).
:- table(tabled_answers/2).
:- table(tabled_down/1).

%!  sizes(+Sizes) is det.
%
%   Every row at each of Sizes.

sizes(Sizes) :-
    findall(Name, clause(size(Name, _, _, _, _), _), Names),
    forall(member(Name, Names), size_of(Name, Sizes)),
    length(Names, Count),
    aggregate_all(count, bad(_), Bad),
    format("~d rows, ~d bad~n", [Count, Bad]),
    ( Bad =:= 0 -> true ; halt(1) ).

:- dynamic(bad/1).

%!  size_of(+Name, +Sizes) is det.

size_of(Name, Sizes) :-
    format("~w", [Name]),
    flush_output,
    maplist(measured(Name), Sizes, Times),
    Sizes = [N0|_],
    Times = [T0|_],
    last(Sizes, N),
    last(Times, T),
    (   T > 40,
        T > max(T0, 4) * (N / N0) ** 1.6
    ->  format("  slow~n")
    ;   format("~n")
    ).

measured(Name, N, Ms) :-
    catch(( row(Name, N, Ms, Inferences) -> Why = [] ; Why = ['FAILED'] ), Error, Why = [Error]),
    (   Why = [Shown]
    ->  assertz(bad(Name)),
        Ms = 0,
        print_message_lines(user_output, '', []),
        format("  WRONG at ~d: ~W", [N, Shown, [max_depth(8), quoted(true)]])
    ;   format("  ~d ms ~d", [Ms, Inferences])
    ),
    garbage_collect.

row(Name, N, Ms, Inferences) :-
    size(Name, N, Given, Goal, Check),
    once(Given),
    statistics(inferences, I0),
    statistics(cputime, T0),
    once(Goal),
    statistics(cputime, T1),
    statistics(inferences, I1),
    Ms is round((T1-T0)*1000),
    Inferences is I1-I0,
    (   call(Check)
    ->  true
    ;   throw(wrong_result)
    ).

		 /*******************************
		 *            INPUT             *
		 *******************************/

%   The integers up to N, all in another order; as pairs; a text of N characters; N words in it; a list of N variables.

up_to(N, L) :- numlist(1, N, L).

scrambled(N, L) :- findall(Y, ( between(1, N, X), Y is X*7919 mod 1000003 ), L).

pairs(N, L) :- findall(Y-X, ( between(1, N, X), Y is X*7919 mod 1000003 ), L).

ordered_pairs(N, L) :- findall(X-a(X), between(1, N, X), L).

codes(N, L) :- findall(C, ( between(1, N, X), C is 0'a + X mod 26 ), L).

text(N, S) :- codes(N, L), string_codes(S, L).

words(N, S) :- findall(a, between(1, N, _), L), atomic_list_concat(L, ' ', A), atom_string(A, S).

lines(N, S) :- findall(abc, between(1, N, _), L), atomic_list_concat(L, '\n', A), atom_string(A, S).

variables(N, L) :- length(L, N).

compound(N, T) :- up_to(N, L), T =.. [f|L].

deep(0, T) :- !, T = z.
deep(N, s(T)) :- N1 is N-1, deep(N1, T).

left(0, T, T) :- !.
left(N, T0, T) :- N1 is N-1, left(N1, T0+N, T).

text_file(Text, File) :-
    tmp_file(sizes, File),
    setup_call_cleanup(open(File, write, S), write(S, Text), close(S)).

fact_file(N, File) :-
    tmp_file(sizes, Base),
    atom_concat(Base, '.pl', File),
    setup_call_cleanup(open(File, write, S), forall(between(1, N, I), format(S, "f~d(~d, [a|T], T).~n", [N, I])), close(S)).

facts(N) :-
    retractall(kept(_)),
    forall(between(1, N, X), assertz(kept(X))).

chain(N, G) :- findall(X-Y, ( between(1, N, X), Y is X+1 ), Es), vertices_edges_to_ugraph([], Es, G).

tabled_list(N, L) :- numlist(1, N, L).
tabled_answers(N, X) :- between(1, N, X).
tabled_down([]).
tabled_down([_|T]) :- tabled_down(T).

even(X) :- X mod 2 =:= 0.
next(X, Y) :- Y is X+1.
add(X, S0, S) :- S is S0+X.
add(X, Y, S0, S) :- S is S0+X+Y.
same_parity(X, Cmp) :- R is X mod 3, ( R =:= 0 -> Cmp = (<) ; R =:= 1 -> Cmp = (=) ; Cmp = (>) ).
by_order(O, X, Y) :- compare(O, X, Y).
later(X, Y) :- X @=< Y.

sum_to(N, S) :- S is N*(N+1)//2.

elements([]) --> [].
elements([X|Xs]) --> [X], elements(Xs).

first_last([F|R], F, L) :- last(R, L).

at(I, L, X) :- nth1(I, L, X).

times(N, Goal) :- forall(between(1, N, _), Goal).

		 /*******************************
		 *           THE ROWS           *
		 *******************************/

%!  size(?Name, +N, -Given, -Goal, -Check) is nondet.

% lists
size(append_3, N, up_to(N, L), append(L, [z], R), ( last(R, z), length(R, M), M =:= N+1 )).
size(append_split, N, up_to(N, L), append(_, [N], L), true).
size(append_2, N, ( up_to(N, L), findall([X], member(X, L), Ls) ), append(Ls, R), R == L).
size(prefix, N, up_to(N, L), prefix(L, L), true).
size(select_3, N, up_to(N, L), select(N, L, R), ( length(R, M), M =:= N-1 )).
size(selectchk_3, N, up_to(N, L), selectchk(N, L, R), ( length(R, M), M =:= N-1 )).
size(select_4, N, up_to(N, L), select(N, L, x, R), last(R, x)).
size(subtract, N, ( up_to(N, L), K = [1,2,3] ), subtract(L, K, R), ( length(R, M), M =:= N-3 )).
size(permutation, N, up_to(N, L), permutation(L, R), R == L).
size(member, N, up_to(N, L), ( member(X, L), X >= N ), X == N).
size(memberchk, N, up_to(N, L), memberchk(N, L), true).
size(memberchk_open, N, true, ( memberchk(a, L), times(N, memberchk(a, L)) ), true).
size(delete, N, up_to(N, L), delete(L, 1, R), ( length(R, M), M =:= N-1 )).
size(nextto, N, up_to(N, L), ( M is N-1, nextto(M, X, L) ), X == N).
size(nth0, N, up_to(N, L), ( I is N-1, nth0(I, L, X) ), X == N).
size(nth1, N, up_to(N, L), nth1(N, L, X), X == N).
size(nth1_search, N, up_to(N, L), nth1(I, L, N), I == N).
size(nth0_4, N, up_to(N, L), ( I is N-1, nth0(I, L, X, R) ), ( X == N, length(R, I) )).
size(last, N, up_to(N, L), last(L, X), X == N).
size(proper_length, N, up_to(N, L), proper_length(L, M), M == N).
size(same_length, N, up_to(N, L), same_length(L, K), length(K, N)).
size(reverse, N, up_to(N, L), reverse(L, R), ( R = [N|_], last(R, 1) )).
size(flatten, N, findall([X,[X]], between(1, N, X), L), flatten(L, R), ( length(R, M), M =:= 2*N )).
size(flatten_deep, N, ( deep(N, T0), mapped_list(T0, L) ), flatten(L, R), R == [z]).
size(clumped, N, findall(K-1, ( between(1, N, X), K is X//3 ), L), clumped(L, R), ( foldl([_-C,S0,S]>>(S is S0+C), R, 0, N) )).
size(max_member_2, N, scrambled(N, L), max_member(M, L), ( msort(L, S), last(S, M) )).
size(min_member_2, N, scrambled(N, L), min_member(M, L), ( msort(L, [M|_]) )).
size(max_member_3, N, scrambled(N, L), max_member(later, M, L), ( msort(L, S), last(S, M) )).
size(list_to_set, N, scrambled(N, L), list_to_set(L, S), S == L).
size(list_to_set_variables, N, variables(N, L), list_to_set(L, S), S == L).
size(is_set, N, scrambled(N, L), is_set(L), true).
size(intersection, N, ( up_to(N, L), K = [1,2,3] ), intersection(L, K, R), R == K).
size(union, N, ( up_to(N, L), K = [1,2,3] ), union(L, K, R), ( length(R, N) )).
size(subset, N, up_to(N, L), subset([1,2,3], L), true).
size(sum_list, N, up_to(N, L), sum_list(L, S), sum_to(N, S)).
size(max_list, N, up_to(N, L), max_list(L, M), M == N).
size(min_list, N, up_to(N, L), min_list(L, M), M == 1).
size(numlist, N, true, numlist(1, N, L), ( length(L, N), last(L, N) )).
size(subseq, N, up_to(N, L), subseq(L, S, R), ( append(S, R, A), length(A, N) )).
size(length_new, N, true, length(L, N), is_list(L)).
size(length_known, N, up_to(N, L), length(L, M), M == N).
size(length_partial, N, ( up_to(N, L), append(L, T, P) ), ( M is N+5, length(P, M) ), length(T, 5)).
size(is_list, N, up_to(N, L), times(10, is_list(L)), true).
size(between, N, true, aggregate_all(count, between(1, N, _), C), C == N).

% apply
size(maplist_2, N, up_to(N, L), maplist(integer, L), true).
size(maplist_3, N, up_to(N, L), maplist(next, L, R), last(R, N1)) :- N1 is N+1.
size(maplist_3_back, N, up_to(N, L), maplist(=, R, L), R == L).
size(maplist_4, N, up_to(N, L), maplist(plus, L, L, R), ( last(R, X), X =:= 2*N )).
size(maplist_5, N, up_to(N, L), maplist(add, L, L, L, R), ( last(R, X), X =:= 3*N )).
size(maplist_lambda, N, up_to(N, L), maplist([X,Y]>>(Y is X*2), L, R), ( last(R, Z), Z =:= 2*N )).
size(include, N, up_to(N, L), include(even, L, R), ( length(R, M), M =:= N//2 )).
size(exclude, N, up_to(N, L), exclude(even, L, R), ( length(R, M), M =:= N-N//2 )).
size(partition_4, N, up_to(N, L), partition(even, L, A, B), ( append(A, B, R), msort(R, L) )).
size(partition_6, N, up_to(N, L), partition(same_parity, L, A, B, C), ( append([A,B,C], R), msort(R, L) )).
size(convlist, N, up_to(N, L), convlist([X,Y]>>(X > 3, Y = X), L, R), ( length(R, M), M =:= N-3 )).
size(foldl_4, N, up_to(N, L), foldl(add, L, 0, S), sum_to(N, S)).
size(foldl_5, N, up_to(N, L), foldl(add, L, L, 0, S), ( sum_to(N, S0), S =:= 2*S0 )).
size(forall, N, up_to(N, L), forall(member(X, L), integer(X)), true).

% aggregate
size(aggregate_all_count, N, up_to(N, L), aggregate_all(count, member(_, L), C), C == N).
size(aggregate_all_sum, N, up_to(N, L), aggregate_all(sum(X), member(X, L), S), sum_to(N, S)).
size(aggregate_all_max, N, scrambled(N, L), aggregate_all(max(X), member(X, L), M), max_list(L, M)).
size(aggregate_all_max_witness, N, scrambled(N, L), aggregate_all(max(X, X), member(X, L), max(M, M)), ( max_list(L, M) )).
size(aggregate_all_bag, N, scrambled(N, L), aggregate_all(bag(X), member(X, L), B), B == L).
size(aggregate_all_set, N, scrambled(N, L), aggregate_all(set(X), member(X, L), B), sort(L, B)).
size(aggregate_all_r, N, scrambled(N, L), aggregate_all(r(count, sum(X), min(X)), member(X, L), r(C, S, _)), ( C == N, sum_list(L, S) )).
size(aggregate_all_4, N, up_to(N, L), aggregate_all(count, X, member(X, L), C), C == N).
size(aggregate_3, N, findall(K-X, ( between(1, N, X), K is X mod 10 ), L), findall(K-C, aggregate(count, X^member(K-X, L), C), R), ( length(R, 10) )).
size(foreach, N, true, foreach(between(1, N, X), integer(X)), true).

% assoc
size(list_to_assoc, N, pairs(N, L), list_to_assoc(L, A), ( assoc_to_list(A, S), keysort(L, S) )).
size(ord_list_to_assoc, N, ordered_pairs(N, L), ord_list_to_assoc(L, A), ( assoc_to_list(A, S), S == L )).
size(put_assoc, N, pairs(N, L), ( empty_assoc(A0), foldl([K-V,B0,B]>>put_assoc(K, B0, V, B), L, A0, A) ), ( assoc_to_keys(A, Ks), length(Ks, N) )).
size(get_assoc, N, ( ordered_pairs(N, L), list_to_assoc(L, A) ), forall(between(1, N, X), get_assoc(X, A, a(X))), true).
size(gen_assoc, N, ( ordered_pairs(N, L), list_to_assoc(L, A) ), aggregate_all(count, gen_assoc(_, A, _), C), C == N).
size(map_assoc, N, ( ordered_pairs(N, L), list_to_assoc(L, A) ), map_assoc([X,b(X)]>>true, A, B), ( get_assoc(N, B, b(a(N))) )).
size(del_assoc, N, ( ordered_pairs(N, L), list_to_assoc(L, A) ), ( numlist(1, N, Ks), foldl([K,B0,B]>>del_assoc(K, B0, _, B), Ks, A, E) ), empty_assoc(E)).
size(assoc_min_max, N, ( ordered_pairs(N, L), list_to_assoc(L, A) ), ( min_assoc(A, Min, _), max_assoc(A, Max, _) ), Min-Max == 1-N).
size(is_assoc, N, ( ordered_pairs(N, L), list_to_assoc(L, A) ), is_assoc(A), true).
size(assoc_to_values, N, ( ordered_pairs(N, L), list_to_assoc(L, A) ), assoc_to_values(A, Vs), last(Vs, a(N))).

% rbtrees
size(list_to_rbtree, N, pairs(N, L), list_to_rbtree(L, T), ( rb_visit(T, S), keysort(L, S) )).
size(ord_list_to_rbtree, N, ordered_pairs(N, L), ord_list_to_rbtree(L, T), ( rb_visit(T, S), S == L )).
size(rb_insert, N, pairs(N, L), ( rb_new(T0), foldl([K-V,A0,A]>>rb_insert(A0, K, V, A), L, T0, T) ), rb_size(T, N)).
size(rb_lookup, N, ( ordered_pairs(N, L), list_to_rbtree(L, T) ), forall(between(1, N, X), rb_lookup(X, a(X), T)), true).
size(rb_in, N, ( ordered_pairs(N, L), list_to_rbtree(L, T) ), aggregate_all(count, rb_in(_, _, T), C), C == N).
size(rb_delete, N, ( ordered_pairs(N, L), list_to_rbtree(L, T) ), ( numlist(1, N, Ks), foldl([K,A0,A]>>rb_delete(A0, K, A), Ks, T, E) ), rb_size(E, 0)).
size(rb_map, N, ( ordered_pairs(N, L), list_to_rbtree(L, T) ), rb_map(T, [X,b(X)]>>true, U), rb_lookup(N, b(a(N)), U)).
size(rb_keys, N, ( ordered_pairs(N, L), list_to_rbtree(L, T) ), rb_keys(T, Ks), numlist(1, N, Ks)).
size(rb_fold, N, ( ordered_pairs(N, L), list_to_rbtree(L, T) ), rb_fold([K-_,S0,S]>>(S is S0+K), T, 0, S), sum_to(N, S)).
size(rb_next, N, ( ordered_pairs(N, L), list_to_rbtree(L, T) ), ( M is N-1, forall(between(1, M, K), ( K1 is K+1, rb_next(T, K, K1, _) )) ), true).

% pairs
size(pairs_keys_values, N, ordered_pairs(N, L), pairs_keys_values(L, Ks, Vs), ( last(Ks, N), last(Vs, a(N)) )).
size(pairs_keys_values_make, N, up_to(N, L), pairs_keys_values(R, L, L), last(R, N-N)).
size(pairs_keys, N, ordered_pairs(N, L), pairs_keys(L, Ks), last(Ks, N)).
size(pairs_values, N, ordered_pairs(N, L), pairs_values(L, Vs), last(Vs, a(N))).
size(transpose_pairs, N, pairs(N, L), transpose_pairs(L, R), ( R = [1-_|_], last(R, N-_) )).
size(map_list_to_pairs, N, up_to(N, L), map_list_to_pairs(next, L, R), ( last(R, X-N), X =:= N+1 )).
size(group_pairs_by_key, N, findall(K-X, ( between(1, N, X), K is X//4 ), L), group_pairs_by_key(L, G), aggregate_all(count, ( member(_-Vs, G), member(_, Vs) ), N)).
size(group_pairs_one_key, N, findall(k-X, between(1, N, X), L), group_pairs_by_key(L, G), ( G = [k-Vs], length(Vs, N) )).

% ordsets
size(list_to_ord_set, N, scrambled(N, L), list_to_ord_set(L, S), length(S, N)).
size(is_ordset, N, up_to(N, L), is_ordset(L), true).
size(ord_memberchk, N, up_to(N, L), ord_memberchk(N, L), true).
size(ord_add_element, N, up_to(N, L), ( M is N+1, ord_add_element(L, M, R) ), last(R, M)).
size(ord_del_element, N, up_to(N, L), ord_del_element(L, N, R), ( length(R, M), M =:= N-1 )).
size(ord_union_3, N, ( up_to(N, L), findall(X, ( member(Y, L), X is Y*2 ), K) ), ord_union(L, K, R), ( last(R, X2), X2 =:= 2*N )).
size(ord_union_2, N, findall([X], between(1, N, X), Ls), ord_union(Ls, R), numlist(1, N, R)).
size(ord_union_4, N, ( up_to(N, L), findall(X, ( member(Y, L), X is Y*2 ), K) ), ord_union(L, K, R, New), ( length(R, A), length(New, B), A =:= N+B )).
size(ord_intersection_3, N, ( up_to(N, L), findall(X, ( member(Y, L), X is Y*2 ), K) ), ord_intersection(L, K, R), ( length(R, M), M =:= N//2 )).
size(ord_intersection_2, N, up_to(N, L), ord_intersection([L,L,[1,2],L], R), R == [1,2]).
size(ord_subtract, N, ( up_to(N, L), findall(X, ( member(Y, L), X is Y*2 ), K) ), ord_subtract(L, K, R), ( length(R, M), M =:= N-N//2 )).
size(ord_symdiff, N, ( up_to(N, L), findall(X, ( member(Y, L), X is Y*2 ), K) ), ord_symdiff(L, K, R), ( length(R, M), M =:= 2*(N-N//2) )).
size(ord_subset, N, up_to(N, L), ord_subset(L, L), true).
size(ord_disjoint, N, ( up_to(N, L), findall(X, ( member(Y, L), X is Y+N ), K) ), ord_disjoint(L, K), true).
size(ord_seteq, N, up_to(N, L), ord_seteq(L, L), true).
size(oset_union, N, up_to(N, L), oset_union(L, [0], R), R = [0|L]).

% ugraphs
size(vertices_edges_to_ugraph, N, findall(X-Y, ( between(1, N, X), Y is X+1 ), Es), vertices_edges_to_ugraph([], Es, G), ( length(G, M), M =:= N+1 )).
size(ugraph_edges, N, chain(N, G), edges(G, Es), length(Es, N)).
size(ugraph_vertices, N, chain(N, G), vertices(G, Vs), ( length(Vs, M), M =:= N+1 )).
size(add_vertices, N, up_to(N, L), add_vertices([], L, G), length(G, N)).
size(del_vertices, N, ( chain(N, G), up_to(N, L) ), del_vertices(G, L, R), ( R = [_-[]] )).
size(add_edges, N, findall(X-Y, ( between(1, N, X), Y is X+1 ), Es), add_edges([], Es, G), ( edges(G, R), R == Es )).
size(del_edges, N, ( chain(N, G), edges(G, Es) ), del_edges(G, Es, R), edges(R, [])).
size(transpose_ugraph, N, chain(N, G), transpose_ugraph(G, T), ( edges(T, Es), length(Es, N) )).
size(neighbours, N, chain(N, G), neighbours(N, G, L), ( M is N+1, L == [M] )).
size(ugraph_union, N, chain(N, G), ugraph_union(G, G, U), U == G).
size(top_sort, N, chain(N, G), top_sort(G, L), ( M is N+1, numlist(1, M, L) )).
size(reachable, N, ( K is N//4, chain(K, G) ), reachable(1, G, L), ( length(L, M), M =:= K+1 )).
size(transitive_closure, N, ( K is max(2, round(N ** 0.4)), chain(K, G) ), transitive_closure(G, C), ( edges(C, Es), length(Es, M), M =:= K*(K+1)//2 )).
size(compose, N, chain(N, G), compose(G, G, C), ( edges(C, Es), length(Es, M), M =:= N-1 )).
size(ugraph_layers, N, ( K is max(2, N//100), chain(K, G) ), ugraph_layers(G, L), ( length(L, M), M =:= K+1 )) :- predicate_property(ugraphs:ugraph_layers(_, _), defined).

% text
size(atom_codes, N, codes(N, L), ( atom_codes(A, L), atom_codes(A, K) ), K == L).
size(atom_chars, N, ( codes(N, L0), atom_codes(A0, L0) ), ( atom_chars(A0, L), atom_chars(A, L) ), A == A0).
size(atom_length, N, ( text(N, S), atom_string(A, S) ), times(100, atom_length(A, M)), ( atom_length(A, M), M == N )).
size(atom_string, N, text(N, S), ( atom_string(A, S), atom_string(A, T) ), T == S).
size(string_codes, N, codes(N, L), ( string_codes(S, L), string_codes(S, K) ), K == L).
size(string_chars, N, text(N, S), ( string_chars(S, L), string_chars(T, L) ), T == S).
size(string_to_atom, N, text(N, S), string_to_atom(S, A), atom_length(A, N)).
size(string_length, N, text(N, S), times(100, string_length(S, N)), true).
size(string_concat, N, text(N, S), string_concat(S, S, T), ( string_length(T, M), M =:= 2*N )).
% (Its solutions have K*K characters together.)
size(string_concat_split, N, ( K is max(1, truncate(10*sqrt(N))), text(K, S) ), aggregate_all(count, string_concat(_, _, S), C), C =:= K+1).
size(atom_concat, N, ( text(N, S), atom_string(A, S) ), atom_concat(A, A, T), ( atom_length(T, M), M =:= 2*N )).
size(atom_concat_split, N, ( text(N, S), atom_string(A, S), sub_atom(A, _, 5, 0, E) ), atom_concat(B, E, A), ( atom_length(B, M), M =:= N-5 )).
size(sub_atom_known, N, ( text(N, S0), string_concat(S0, "XYZ", S), atom_string(A, S) ), sub_atom(A, B, _, 0, 'XYZ'), B == N).
size(sub_atom_enumerate, N, ( text(N, S), atom_string(A, S) ), aggregate_all(count, sub_atom(A, _, 1, _, _), C), C == N).
size(sub_atom_search, N, ( text(N, S), atom_string(A, S) ), aggregate_all(count, sub_atom(A, _, _, _, abc), C), ( C >= N//26-1, C =< N//26+1 )).
size(sub_atom_ends, N, ( text(N, S), atom_string(A, S) ), forall(between(0, N, B), ( N =:= B -> true ; sub_atom(A, B, 1, _, _) )), true).
size(sub_string, N, text(N, S), forall(between(1, N, B), ( B0 is B-1, sub_string(S, B0, 1, _, _) )), true).
size(sub_string_search, N, text(N, S), aggregate_all(count, sub_string(S, _, _, _, "xyz"), C), ( C >= N//26-1, C =< N//26+1 )).
size(sub_string_wide, N, ( text(N, S0), string_concat(S0, "\x4e00\", S) ), forall(between(1, N, B), ( B0 is B-1, sub_string(S, B0, 1, _, _) )), true).
size(string_code, N, text(N, S), forall(between(1, N, I), string_code(I, S, _)), true).
size(string_code_wide, N, ( text(N, S0), string_concat(S0, "\x4e00\", S) ), forall(between(1, N, I), string_code(I, S, _)), ( I is N+1, string_code(I, S, 0x4e00) )).
size(char_code, N, codes(N, L), maplist([C,A]>>char_code(A, C), L, As), ( atomic_list_concat(As, A), atom_length(A, N) )).
size(split_string, N, words(N, S), split_string(S, " ", "", L), ( length(L, N) )).
size(split_string_pad, N, ( text(N, T), atomics_to_string(["  ", T, "  "], S) ), split_string(S, "", " ", L), L == [T]).
size(split_string_padding, N, ( findall(' ', between(1, N, _), As), atomic_list_concat(As, A) ), split_string(A, "", " ", L), L == [""]).
size(split_string_both, N, ( findall(' a', between(1, N, _), As), atomic_list_concat(As, A) ), split_string(A, " ", " ", L), ( length(L, N) )).
size(atomic_list_concat_2, N, up_to(N, L), atomic_list_concat(L, A), ( atom_length(A, M), M >= N )).
size(atomic_list_concat_3, N, up_to(N, L), atomic_list_concat(L, ',', A), ( sub_atom(A, 0, 4, _, '1,2,') )).
size(atomic_list_concat_split, N, words(N, S), atomic_list_concat(L, ' ', S), length(L, N)).
size(text_concat, N, text(N, S), text_concat(S, abc, T), string_concat(S, "abc", T)).
size(upcase_atom, N, text(N, S), upcase_atom(S, U), ( downcase_atom(U, D), atom_string(D, S) )).
size(string_upper, N, text(N, S), ( string_upper(S, U), string_lower(U, D) ), D == S).
size(normalize_space, N, words(N, S), normalize_space(atom(A), S), ( atom_string(A, S) )).
size(read_term_from_atom, N, ( up_to(N, L), term_to_atom(L, A) ), read_term_from_atom(A, T, []), T == L).
size(term_to_atom, N, up_to(N, L), term_to_atom(L, A), ( atom_length(A, M), M > N )).
size(term_to_atom_read, N, ( up_to(N, L), term_to_atom(L, A) ), term_to_atom(T, A), T == L).
size(term_to_atom_variables, N, variables(N, L), ( term_to_atom(L, A), term_to_atom(T, A) ), ( term_variables(T, Vs), length(Vs, N) )).
size(term_to_atom_operators, N, left(N, 0, T), term_to_atom(T, A), ( atom(A) )).
size(term_to_atom_operators_read, N, ( left(N, 0, T0), term_to_atom(T0, A) ), term_to_atom(T, A), T == T0).
size(term_to_atom_deep, N, deep(N, T0), ( term_to_atom(T0, A), term_to_atom(T, A) ), T == T0).
size(term_to_atom_wide, N, compound(N, T0), ( term_to_atom(T0, A), term_to_atom(T, A) ), T == T0).
size(read_quoted_text, N, ( text(N, S), format(atom(A), "~q", [S]) ), term_to_atom(T, A), T == S).
size(read_braces, N, ( left(N, 0, T0), term_to_atom({T0}, A) ), term_to_atom({T}, A), T == T0).
size(read_curly_commas, N, ( findall(X, between(1, N, X), L), atomic_list_concat(L, ',', A0), atomic_list_concat(['(', A0, ')'], A) ), term_to_atom(T, A), ( T = (1, 2, _) )).
size(atom_to_term, N, ( findall('X', between(1, N, _), L), format(atom(A), "f(~w)", [L]) ), atom_to_term(A, f(T), Bs), ( length(T, N), Bs = ['X'=_] )).
size(term_string, N, up_to(N, L), ( term_string(L, S), term_string(T, S) ), T == L).
size(number_codes, N, ( findall(0'7, between(1, K, _), L) ), number_codes(X, L), ( X mod 10 =:= 7 )) :- K is max(1, N//20).
size(number_to_text, N, ( K is max(1, N//20), X is 7**K ), atom_number(A, X), ( atom_length(A, M), M >= K*84//100 )).
size(format_w, N, up_to(N, L), format(atom(A), "~w", [L]), ( atom_length(A, M), M > N )).
size(format_q, N, findall('A b', between(1, N, _), L), format(string(A), "~q", [L]), ( string_length(A, M), M =:= 6*N+1 )).
size(format_s, N, codes(N, L), format(atom(A), "~s", [L]), atom_length(A, N)).
size(format_many, N, ( up_to(N, L), findall("~w", between(1, N, _), Fs), atomics_to_string(Fs, F) ), format(atom(A), F, L), ( atom_length(A, M), M >= N )).
size(format_columns, N, true, format(atom(A), "~w~t~*||", [x, N]), ( atom_length(A, M), M =:= N+1 )).
size(format_fill, N, true, format(atom(A), "~`-t~*|", [N]), atom_length(A, N)).
size(format_many_columns, N, ( findall("~w~t~6+", between(1, N, _), Fs), atomics_to_string(Fs, F), up_to(N, L0), findall(ab, member(_, L0), L) ), format(atom(A), F, L), ( atom_length(A, M), M =:= 6*N )).
size(format_codes, N, up_to(N, L), format(codes(Cs), "~w", [L]), ( length(Cs, M), M > N )).
size(format_digits, N, ( K is max(1, N//20), X is 10**K ), format(atom(A), "~D", [X]), ( atom_length(A, M), M > K )).
size(with_output_to, N, true, with_output_to(string(S), forall(between(1, N, _), put_char(x))), string_length(S, N)).
size(with_output_to_codes, N, true, with_output_to(codes(S), forall(between(1, N, _), write(x))), length(S, N)).
size(sformat_concat, N, text(N, S), format(atom(A), "~w~a~s", [S, S, S]), ( atom_length(A, M), M =:= 3*N )).
size(write_length, N, up_to(N, L), write_length(L, M, []), ( M > N )).
size(write_canonical, N, variables(N, L), with_output_to(string(S), write_canonical(L)), string_length(S, _)).
size(write_canonical_shared, N, ( variables(N, L), append(L, L, LL) ), with_output_to(string(S), write_canonical(LL)), ( string_length(S, M), M > N )).
size(print, N, up_to(N, L), with_output_to(string(S), print(L)), ( string_length(S, M), M > N )).
size(portray_clause, N, up_to(N, L), with_output_to(string(S), portray_clause(f(L))), ( string_length(S, M), M > N )).
size(portray_clause_variables, N, ( K is N//5, variables(K, L0), append(L0, L0, L) ), with_output_to(string(S), portray_clause(f(L))), ( string_length(S, M), M > K )).
size(portray_clause_body, N, ( K is max(2, N//5), findall(a(X), between(1, K, X), Gs), comma_list(B, Gs) ), with_output_to(string(S), portray_clause((h :- B))), ( string_length(S, M), M > K )).
size(string_lines, N, lines(N, S), ( string_lines(S, L) ), length(L, N)).
size(indent_lines, N, lines(N, S), indent_lines("  ", S, R), ( string_length(R, A), string_length(S, B), A =:= B+2*N )).
size(dedent_lines, N, ( lines(N, S), indent_lines("  ", S, R) ), dedent_lines(R, D, []), ( string_length(D, A), string_length(S, B), abs(A-B) < 3 )).
size(text_to_string, N, codes(N, L), text_to_string(L, S), string_length(S, N)).
size(char_type, N, codes(N, L), forall(member(C, L), code_type(C, alpha)), true).
size(format_to_codes, N, up_to(N, L), format_to_codes("~w", [L], Cs), ( length(Cs, M), M > N )).
size(write_to_codes, N, up_to(N, L), write_to_codes(L, Cs), ( length(Cs, M), M > N )).
size(read_from_codes, N, ( up_to(N, L), format(codes(Cs), "~w", [L]) ), read_from_codes(Cs, T), T == L).
size(read_from_chars, N, ( up_to(N, L), format(atom(A), "~w", [L]), atom_chars(A, Cs) ), read_from_chars(Cs, T), T == L).
size(base64, N, ( text(N, S), atom_string(A, S) ), ( base64(A, B), base64(C, B) ), C == A).
size(md5_hash, N, text(N, S), md5_hash(S, H, []), atom_length(H, 32)).
size(crypto_data_hash, N, text(N, S), crypto_data_hash(S, H, [hmac(key)]), atom_length(H, 64)).
size(hex_bytes, N, text(N, S), ( string_codes(S, B), hex_bytes(H, B), hex_bytes(H, C) ), C == B).
size(crypto_n_random_bytes, N, true, crypto_n_random_bytes(N, L), length(L, N)).
size(tokenize_atom, N, text(N, S), tokenize_atom(S, L), is_list(L)).
size(base64_encoded, N, text(N, S), ( base64_encoded(S, B, []), base64_encoded(C, B, []) ), ( format(string(D), "~w", [C]), D == S )).
size(base32, N, ( text(N, S), atom_string(A, S) ), ( base32(A, B), base32(C, B) ), ( format(atom(D), "~w", [C]), D == A )).
size(utf8_codes, N, codes(N, L), ( phrase(utf8_codes(L), Bs), phrase(utf8_codes(K), Bs) ), K == L).
size(uri_encoded, N, words(N, S), ( uri_encoded(query_value, S, E), uri_encoded(query_value, D, E) ), atom_string(D, S)).
size(uri_query_components, N, findall(a=X, between(1, N, X), L), ( uri_query_components(Q, L), uri_query_components(Q, K) ), ( length(K, N) )).
size(sumlist_text, N, ( text(N, S) ), ( string_codes(S, L), sumlist(L, M) ), integer(M)).
size(name, N, codes(N, L), name(A, L), atom_length(A, N)).
size(open_string, N, lines(N, S), setup_call_cleanup(open_string(S, In), read_string(In, _, R), close(In)), R == S).

% streams
size(read_line_to_string, N, ( lines(N, S), text_file(S, F) ), setup_call_cleanup(open(F, read, In), line_count_of(In, 0, C), close(In)), C == N).
size(read_line_to_codes, N, ( text(N, S), text_file(S, F) ), setup_call_cleanup(open(F, read, In), read_line_to_codes(In, L), close(In)), length(L, N)).
size(read_line_to_codes_3, N, ( text(N, S), text_file(S, F) ), setup_call_cleanup(open(F, read, In), read_line_to_codes(In, L, T), close(In)), ( T = [], length(L, N) )).
size(read_stream_to_codes, N, ( text(N, S), text_file(S, F) ), setup_call_cleanup(open(F, read, In), read_stream_to_codes(In, L), close(In)), length(L, N)).
size(read_file_to_codes, N, ( text(N, S), text_file(S, F) ), read_file_to_codes(F, L, []), length(L, N)).
size(read_file_to_string, N, ( text(N, S), text_file(S, F) ), read_file_to_string(F, R, []), R == S).
size(read_file_to_terms, N, fact_file(N, F), read_file_to_terms(F, L, []), length(L, N)).
size(get_char, N, ( text(N, S), text_file(S, F) ), setup_call_cleanup(open(F, read, In), ( repeat, get_char(In, C), C == end_of_file, ! ), close(In)), true).
size(peek_string, N, ( text(N, S), text_file(S, F) ), setup_call_cleanup(open(F, read, In), peek_string(In, N, R), close(In)), R == S).
size(read_term_long_line, N, ( up_to(N, L), format(string(S), "~w.~n", [L]), text_file(S, F) ), setup_call_cleanup(open(F, read, In), read(In, T), close(In)), T == L).
size(read_term_variable_names, N, ( findall(A, ( between(1, N, X), atom_concat('V', X, A) ), As), format(string(S), "~w", [As]) ), term_string(T, S, [variable_names(Bs)]), ( length(T, N), length(Bs, N) )).
size(write_variable_names, N, ( findall(A=_, ( between(1, N, X), atom_concat('V', X, A) ), Bs), findall(_, member(_, Bs), Vs), maplist([_=V,V]>>true, Bs, Vs) ), with_output_to(string(S), write_term(Vs, [variable_names(Bs)])), ( string_length(S, M), M > N )).
size(load_facts, N, ( K is max(5, N//10), fact_file(K, F) ), load_files(sizes_loaded:F, [silent(true)]), ( atom_concat(f, K, P), call(sizes_loaded:P, 5, [a|_], _) )).
size(copy_stream_data, N, ( text(N, S), text_file(S, F) ), with_output_to(string(R), setup_call_cleanup(open(F, read, In), ( current_output(Out), copy_stream_data(In, Out) ), close(In))), R == S).
size(seek_end, N, ( text(N, S), text_file(S, F) ), setup_call_cleanup(open(F, read, In, [type(binary)]), seek(In, 0, eof, P), close(In)), P == N).

% terms
size(univ, N, up_to(N, L), ( T =.. [f|L], T =.. [_|K] ), K == L).
size(functor, N, true, functor(T, f, N), ( arg(N, T, X), var(X) )).
size(arg_enumerate, N, compound(N, T), aggregate_all(count, arg(_, T, _), C), C == N).
size(compound_name_arguments, N, up_to(N, L), ( compound_name_arguments(T, f, L), compound_name_arguments(T, _, K) ), K == L).
size(copy_term_list, N, variables(N, L), copy_term(L, K), ( length(K, N), term_variables(K, Vs), length(Vs, N) )).
size(copy_term_deep, N, deep(N, T), copy_term(f(_, T), f(_, U)), U == T).
size(copy_term_left, N, left(N, _, T), copy_term(T, U), U =@= T).
size(duplicate_term, N, compound(N, T), duplicate_term(T, U), U == T).
size(term_variables, N, variables(N, L), term_variables(L, Vs), Vs == L).
size(term_variables_wide, N, functor(T, f, N), term_variables(T, Vs), length(Vs, N)).
size(term_singletons, N, variables(N, L), term_singletons(L, Vs), length(Vs, N)).
size(numbervars_3, N, variables(N, L), numbervars(L, 0, E), ( E == N, last(L, '$VAR'(M)), M =:= N-1 )).
size(numbervars_deep, N, deep(N, T), numbervars(T, 0, E), E == 0).
size(setarg, N, functor(T, f, N), forall_setarg(N, T), ( arg(N, T, X), X == N )).
size(setarg_backtracked, N, compound(N, T), \+ ( forall_setarg(N, T), fail ), ( arg(N, T, N) )).
size(nb_setarg, N, functor(T, f, N), forall(between(1, N, I), nb_setarg(I, T, I)), ( arg(N, T, X), X == N )).
size(subsumes_term, N, ( variables(N, L), up_to(N, K) ), subsumes_term(L, K), ( L = [V|_], var(V) )).
size(subsumes_term_no, N, ( variables(N, L0), append(L0, [a], L), up_to(N, K0), append(K0, [b], K) ), \+ subsumes_term(L, K), true).
size(unify, N, ( variables(N, L), up_to(N, K) ), L = K, L == K).
size(unify_occurs, N, ( variables(N, L), up_to(N, K) ), unify_with_occurs_check(L, K), L == K).
size(unify_deep, N, ( deep(N, T), deep(N, U) ), T = U, true).
size(unify_left, N, ( left(N, 0, T), left(N, 0, U) ), T = U, true).
size(unify_back, N, ( variables(N, L), up_to(N, K) ), \+ ( L = K, fail ), ( L = [V|_], var(V) )).
size(compare, N, ( up_to(N, L), up_to(N, K) ), compare(O, L, K), O == (=)).
size(compare_deep, N, ( left(N, 0, T), left(N, 0, U) ), compare(O, T, U), O == (=)).
size(variant, N, ( variables(N, L), variables(N, K) ), L =@= K, true).
size(variant_no, N, ( variables(N, L), variables(N, K0), append(K0, [a], K), append(L, [_], M) ), M \=@= K, true).
size(ground, N, up_to(N, L), times(10, ground(L)), true).
size(ground_deep, N, left(N, 0, T), ground(T), true).
size(acyclic, N, up_to(N, L), times(10, acyclic_term(L)), true).
size(acyclic_left, N, left(N, 0, T), acyclic_term(T), true).
size(cyclic, N, ( up_to(N, L), append(L, T, P), T = P ), cyclic_term(P), true).
size(cyclic_compare, N, ( up_to(N, L), append(L, T, P), T = P, append(L, U, Q), U = Q ), P == Q, true).
size(cyclic_copy, N, ( up_to(N, L), append(L, T, P), T = P ), copy_term(P, Q), Q = [1,2|_]).
size(term_hash, N, up_to(N, L), term_hash(L, H), integer(H)).
size(unifiable, N, ( variables(N, L), up_to(N, K) ), unifiable(L, K, Us), length(Us, N)).
size(term_subsumer, N, ( up_to(N, L), length(L, N), append(_, [_], L) ), term_subsumer(L, L, G), G == L).
size(terms_variant, N, ( variables(N, L), variables(N, K) ), variant(L, K), true).
size(mapargs, N, compound(N, T), mapargs(next, T, U), ( arg(N, U, X), X =:= N+1 )).
size(mapsubterms, N, up_to(N, L), mapsubterms([X,Y]>>( integer(X), Y is X+1 ), L, R), ( last(R, Z), Z =:= N+1 )).
size(foldsubterms, N, up_to(N, L), foldsubterms([X,S0,S]>>( integer(X), S is S0+X ), L, 0, S), sum_to(N, S)).
size(term_factorized, N, up_to(N, L), term_factorized(L, T, S), ( T == L, S == [] )).
% (Its sub-terms differ at their ends only, where comparing each takes as many steps as it is long.)
size(term_factorized_shared, N, ( K is max(2, truncate(3*sqrt(N))), findall(f(a), between(1, K, _), L0), L = [x|L0] ), term_factorized(L-L, T, S), ( nonvar(T), is_list(S) )).
size(occurrences_of_term, N, up_to(N, L), occurrences_of_term(7, L, C), C == 1).
size(occurrences_of_var, N, ( variables(N, L), L = [V|_] ), occurrences_of_var(V, L, C), C == 1).
size(sub_term, N, up_to(N, L), aggregate_all(count, ( sub_term(X, L), integer(X) ), C), C == N).
size(contains_term, N, up_to(N, L), contains_term(N, L), true).
size(contains_var, N, ( variables(N, L), last(L, V) ), contains_var(V, L), true).
size(sub_term_shared_variables, N, variables(N, L), sub_term_shared_variables(L, f(L, L), Vs), length(Vs, N)).
size(varnumbers, N, ( variables(N, L0), copy_term(L0, L), numbervars(L, 0, _) ), varnumbers(L, R), R =@= L0).
size(max_var_number, N, ( variables(N, L), numbervars(L, 0, _) ), max_var_number(L, 0, M), M =:= N-1).
size(varnumbers_names, N, ( K is N//10, variables(K, L), numbervars(L, 0, _) ), varnumbers_names(L, T, Bs), ( length(T, K), length(Bs, K) )).
size(comma_list, N, findall(a, between(1, N, _), L), ( comma_list(C, L), comma_list(C, K) ), K == L).
size(term_size, N, up_to(N, L), term_size(L, S), S =:= 3*N).
size(nonground, N, ( up_to(N, L), append(L, [V], K) ), nonground(K, W), W == V).
size(is_most_general_term, N, variables(N, L), is_most_general_term(L), true).
size(question_equal, N, up_to(N, L), ?=(L, L), true).
size(arith_deep, N, left(N, 0, T), X is T, sum_to(N, X)).
size(option, N, findall(O, ( between(1, N, X), atom_concat(o, X, A), O =.. [A, X] ), Os), ( atom_concat(o, N, A), Q =.. [A, V], option(Q, Os) ), V == N).
size(merge_options, N, findall(O, ( between(1, N, X), atom_concat(o, X, A), O =.. [A, X] ), Os), merge_options([o1(a)], Os, M), ( length(M, N) )).

% sorting
size(sort, N, scrambled(N, L), sort(L, S), ( length(S, N), S = [_|_] )).
size(sort_equal, N, findall(a, between(1, N, _), L), sort(L, S), S == [a]).
size(msort, N, scrambled(N, L), msort(L, S), ( length(S, N), is_ordset(S) )).
size(msort_sorted, N, up_to(N, L), msort(L, S), S == L).
size(msort_reverse, N, ( up_to(N, L), reverse(L, R) ), msort(R, S), S == L).
size(msort_atoms, N, findall(A, ( between(1, N, X), atom_concat(atom_, X, A) ), L), msort(L, S), length(S, N)).
size(msort_strings, N, findall(S0, ( between(1, N, X), Y is X*7919 mod 1000003, number_string(Y, S0) ), L), msort(L, S), length(S, N)).
size(msort_variables, N, ( variables(N, L), reverse(L, R) ), msort(R, S), length(S, N)).
size(sort_4, N, pairs(N, L), sort(1, @>=, L, S), ( length(S, N), S = [A-_, B-_|_], A > B )).
size(sort_4_key_0, N, scrambled(N, L), sort(0, @>, L, S), ( reverse(S, R), is_ordset(R) )).
size(keysort, N, pairs(N, L), keysort(L, S), ( pairs_keys(S, Ks), is_ordset(Ks) )).
size(keysort_stable, N, findall(K-X, ( between(1, N, X), K is X mod 2 ), L), keysort(L, S), ( S = [0-2,0-4|_] ; N < 4 )).
size(predsort, N, scrambled(N, L), predsort(by_order, L, S), sort(L, S)).
size(list_to_set_sorted, N, findall(K, ( between(1, N, X), K is X mod 100 ), L), list_to_set(L, S), length(S, 100)).

% all solutions
size(findall_3, N, true, findall(X, between(1, N, X), L), length(L, N)).
size(findall_4, N, true, findall(X, between(1, N, X), L, [end]), last(L, end)).
size(findall_large, N, up_to(N, L), findall(L, member(_, [1,2,3]), Ls), ( Ls == [L,L,L] )).
size(findnsols, N, up_to(N, L), findnsols(N, X, member(X, L), R), R == L).
size(findnsols_chunks, N, up_to(N, L), aggregate_all(count, findnsols(10, X, member(X, L), _), C), ( C >= N//10 )).
size(bagof, N, scrambled(N, L), bagof(X, member(X, L), R), R == L).
size(bagof_free, N, findall(K-X, ( between(1, N, X), K is X mod 7 ), L), findall(K-C, ( bagof(X, member(K-X, L), Xs), length(Xs, C) ), R), ( length(R, 7) )).
size(bagof_groups, N, pairs(N, L), aggregate_all(count, bagof(X, member(_-X, L), [_]), C), C == N).
size(setof, N, scrambled(N, L), setof(X, member(X, L), S), sort(L, S)).
size(setof_carets, N, pairs(N, L), setof(X, K^member(K-X, L), S), length(S, N)).
size(bagof_variables, N, ( variables(N, L), Ps = [L-1,L-2] ), bagof(X, member(L-X, Ps), R), R == [1,2]).

% solution sequences
size(distinct_1, N, up_to(N, L), aggregate_all(count, distinct(member(_, L)), C), ( C >= 1 )).
size(distinct_2, N, scrambled(N, L), aggregate_all(count, distinct(X, member(X, L)), C), C == N).
size(limit, N, true, aggregate_all(count, limit(N, repeat), C), C == N).
size(offset, N, up_to(N, L), ( M is N-1, offset(M, member(X, L)) ), X == N).
size(call_nth, N, true, call_nth(between(1, inf, X), N), X == N).
size(order_by, N, scrambled(N, L), findall(X, order_by([asc(X)], member(X, L)), S), sort(L, S)).
size(order_by_desc, N, pairs(N, L), findall(X, order_by([desc(X)], member(X-_, L)), [M|_]), ( pairs_keys(L, Ks), max_list(Ks, M) )).
size(group_by, N, findall(K-X, ( between(1, N, X), K is X mod 7 ), L), findall(K-C, ( group_by(K, X, member(K-X, L), Xs), length(Xs, C) ), R), length(R, 7)).
size(reduced, N, scrambled(N, L), aggregate_all(count, reduced(X, member(X, L), []), C), ( C >= N )).

% clauses
size(assertz_retractall, N, true, ( facts(N), predicate_property(kept(_), number_of_clauses(C)), retractall(kept(_)) ), C == N).
size(asserta, N, retractall(kept(_)), forall(between(1, N, X), asserta(kept(X))), ( kept(Y), !, Y == N )).
size(assertz_long, N, ( retractall(kept(_)), up_to(N, L) ), ( assertz(kept(L)), kept(K) ), ( K == L, retractall(kept(_)) )).
size(assertz_wide, N, ( retractall(kept(_)), K is max(2, N//10), functor(T, f, K) ), ( assertz(kept(T)), kept(U) ), ( U =@= T, retractall(kept(_)) )).
size(assertz_variables, N, ( retractall(kept(_)), K is max(2, N//5), variables(K, L) ), ( assertz(kept(L)), kept(M) ), ( M =@= L, retractall(kept(_)) )).
size(assertz_body, N, ( retractall(kept(_)), K is max(2, N//5), findall(integer(X), between(1, K, X), Gs), comma_list(B, Gs) ), ( assertz((kept(x) :- B)), kept(x), clause(kept(x), C) ), ( C == B, retractall(kept(_)) )).
size(assertz_text, N, ( retractall(kept(_)), text(N, S) ), ( assertz(kept(S)), kept(T) ), ( T == S, retractall(kept(_)) )).
size(clause_all, N, facts(N), aggregate_all(count, clause(kept(_), true), C), C == N).
size(call_first_argument, N, facts(N), forall(between(1, N, X), kept(X)), true).
size(retract_each, N, facts(N), forall(between(1, N, X), retract(kept(X))), \+ kept(_)).
size(retract_backwards, N, facts(N), forall(between(1, N, X), ( Y is N+1-X, retract(kept(Y)) )), \+ kept(_)).
size(retract_all_by_backtracking, N, facts(N), forall(retract(kept(_)), true), \+ kept(_)).
size(queue_of_facts, N, facts(10), times(N, ( retract(kept(X)), assertz(kept(X)) )), ( aggregate_all(count, kept(_), 10) )).
size(counter_fact, N, ( retractall(kept(_)), assertz(kept(0)) ), times(N, ( retract(kept(X)), Y is X+1, assertz(kept(Y)) )), ( kept(N), retractall(kept(_)) )).
size(nth_clause_count, N, facts(N), ( nth_clause(kept(_), N, R), nth_clause(_, I, R) ), I == N).
size(erase_each, N, ( retractall(kept(_)), findall(R, ( between(1, N, X), assertz(kept(X), R) ), Rs) ), maplist(erase, Rs), \+ kept(_)).
size(listing, N, facts(N), with_output_to(string(S), listing(kept/1)), ( string_length(S, M), M > 8*N, retractall(kept(_)) )).
size(abolish_like_retractall, N, facts(N), forall(between(1, N, X), retractall(kept(X))), \+ kept(_)).
size(current_op, N, true, times(N, once(current_op(_, xfx, is))), true).

% recorded database, flags, global variables
size(recordz, N, true, ( forall(between(1, N, X), recordz(sizes, X)), aggregate_all(count, recorded(sizes, _), C), forall(recorded(sizes, _, R), erase(R)) ), C == N).
size(recorda, N, true, ( forall(between(1, N, X), recorda(sizes, X)), once(recorded(sizes, F)), forall(recorded(sizes, _, R), erase(R)) ), F == N).
size(recorded_keys, N, true, ( forall(between(1, N, X), recordz(X, a)), forall(between(1, N, X), ( recorded(X, a, R), erase(R) )) ), \+ recorded(1, _)).
size(recordz_large, N, up_to(N, L), ( recordz(sizes, L, R), instance(R, K), erase(R) ), K == L).
size(flag_keys, N, true, ( forall(between(1, N, X), ( atom_concat(sizes_, X, K), flag(K, V, V+X) )), atom_concat(sizes_, N, KN), flag(KN, W, 0) ), W >= N).
size(nb_setval_large, N, up_to(N, L), ( nb_setval(sizes, L), nb_getval(sizes, K) ), ( K == L, nb_setval(sizes, []) )).
size(nb_setval_keys, N, true, ( forall(between(1, N, X), ( atom_concat(sizes_, X, K), nb_setval(K, X) )), atom_concat(sizes_, N, KN), nb_getval(KN, V) ), V == N).
size(nb_setval_counter, N, nb_setval(sizes, 0), times(N, ( nb_getval(sizes, X), Y is X+1, nb_setval(sizes, Y) )), nb_getval(sizes, N)).
size(b_setval, N, up_to(N, L), ( b_setval(sizes_b, L), b_getval(sizes_b, K) ), K == L).
size(b_setval_grown, N, true, ( b_setval(sizes_c, []), grow_global(N), b_getval(sizes_c, K) ), length(K, N)).
size(gensym, N, reset_gensym(sizes_g), times(N, gensym(sizes_g, _)), ( gensym(sizes_g, A), M is N+1, atom_concat(sizes_g, M, A) )).
size(current_key, N, ( forall(between(1, N, X), ( atom_concat(sizes_k, X, K), recordz(K, a) )) ), aggregate_all(count, current_key(_), C), ( C >= N, forall(between(1, N, X), ( atom_concat(sizes_k, X, K), recorded(K, _, R), erase(R) )) )).

% threads and messages
size(message_queue, N, message_queue_create(Q), ( forall(between(1, N, X), thread_send_message(Q, m(X))), forall(between(1, N, X), thread_get_message(Q, m(X))) ), message_queue_destroy(Q)).
size(message_queue_any, N, message_queue_create(Q), ( forall(between(1, N, X), thread_send_message(Q, m(X))), forall(between(1, N, _), thread_get_message(Q, _)) ), message_queue_destroy(Q)).
size(message_large, N, ( message_queue_create(Q), up_to(N, L) ), ( thread_send_message(Q, L), thread_get_message(Q, K) ), ( K == L, message_queue_destroy(Q) )).
size(message_queues, N, true, ( K is max(2, N//10), findall(Q, ( between(1, K, _), message_queue_create(Q) ), Qs), maplist(message_queue_destroy, Qs) ), length(Qs, K)).
size(mutexes, N, true, ( K is max(2, N//10), findall(M, ( between(1, K, _), mutex_create(M) ), Ms), maplist(mutex_destroy, Ms) ), length(Ms, K)).
size(thread_result, N, up_to(N, L), ( thread_create(( last(L, X), thread_exit_with(X) ), Id), thread_join(Id, S) ), ( S == exited(N) )).
size(threads_in_turn, N, K is max(2, N//250), times(K, ( thread_create(true, Id), thread_join(Id, true) )), true).
size(concurrent_maplist, N, up_to(N, L), concurrent_maplist(next, L, R), ( last(R, X), X =:= N+1 )).
size(first_solution_like_findall, N, true, concurrent_findall_like(N, L), length(L, N)).
size(with_mutex, N, true, times(N, with_mutex(sizes_m, true)), true).

% grammars
size(phrase_elements, N, codes(N, L), phrase(elements(R), L), R == L).
size(phrase_digits, N, ( findall(0'1, between(1, N, _), L) ), phrase(digits(Ds), L), Ds == L).
size(phrase_string, N, ( codes(N, L0), append(L0, [0'.], L) ), phrase(( string(S), "." ), L), S == L0).
size(phrase_string_without, N, ( codes(N, L0), append(L0, [0'.], L) ), phrase(( string_without(`.`, S), "." ), L), S == L0).
size(phrase_blanks, N, findall(0' , between(1, N, _), L), phrase(blanks, L), true).
size(phrase_whites, N, ( findall(0' , between(1, N, _), L0), append(L0, [0'x], L) ), phrase(( whites, "x" ), L), true).
size(phrase_nonblanks, N, codes(N, L), phrase(nonblanks(R), L), R == L).
size(phrase_integers, N, ( up_to(N, Is), atomic_list_concat(Is, ',', A), atom_codes(A, L) ), phrase(sequence(integer, ",", R), L), R == Is).
size(phrase_sequence, N, codes(N, L), phrase(sequence(nonblank, R), L), R == L).
size(phrase_foreach, N, true, phrase(foreach(between(1, N, X), integer(X), ","), L), ( length(L, M), M > N )).
size(phrase_remainder, N, codes(N, L), phrase(( nonblank(_), remainder(R) ), L), ( length(R, M), M =:= N-1 )).
size(phrase_csyms, N, codes(N, L), phrase(csyms, L, R), R == []).
size(phrase_number, N, ( K is max(1, N//20), findall(0'7, between(1, K, _), L) ), phrase(number(X), L), X mod 10 =:= 7).
size(phrase_atom, N, text(N, S), phrase(atom(S), L), length(L, N)).
size(string_literal_pushed, N, codes(N, L), phrase(pushed, L, R), R == L).
size(csv_parse, N, ( findall("a,1,\"x y\"\n", between(1, N, _), Ls), atomics_to_string(Ls, S), string_codes(S, Cs) ), phrase(csv(Rows), Cs), ( length(Rows, N), last(Rows, row(a, 1, 'x y')) )).
size(csv_emit, N, findall(row(X, 'a b'), between(1, N, X), Rows), phrase(csv(Rows), Cs), ( length(Cs, M), M > 5*N )).
size(csv_write_read, N, ( findall(row(X, 'a b'), between(1, N, X), Rows), tmp_file(csv, F) ), ( csv_write_file(F, Rows), csv_read_file(F, Back) ), Back == Rows).
size(csv_wide_row, N, ( up_to(N, L), Row =.. [row|L] ), ( phrase(csv([Row]), Cs), phrase(csv([Back]), Cs) ), Back == Row).
size(csv_long_field, N, ( text(N, S), string_codes(S, L) ), phrase(csv([row(A)]), L), ( atom_length(A, N) )).

% heaps, sets, random
size(list_to_heap, N, pairs(N, L), list_to_heap(L, H), heap_size(H, N)).
size(heap_to_list, N, ( pairs(N, L), list_to_heap(L, H) ), heap_to_list(H, S), keysort(L, S)).
size(add_to_heap, N, pairs(N, L), ( empty_heap(H0), foldl([P-K,A0,A]>>add_to_heap(A0, P, K, A), L, H0, H) ), heap_size(H, N)).
size(get_from_heap, N, ( pairs(N, L), list_to_heap(L, H) ), drained(N, H, E), empty_heap(E)).
size(add_nb_set, N, ( scrambled(N, L), empty_nb_set(S) ), forall(member(X, L), add_nb_set(X, S, true)), ( nb_set_to_list(S, R), sort(L, R) )).
size(gen_nb_set, N, ( scrambled(N, L), empty_nb_set(S), forall(member(X, L), add_nb_set(X, S)) ), aggregate_all(count, gen_nb_set(S, _), C), C == N).
size(random_permutation, N, up_to(N, L), random_permutation(L, R), msort(R, L)).
size(random_member, N, up_to(N, L), times(10, random_member(_, L)), true).
size(random_select, N, up_to(N, L), random_select(X, L, R), ( integer(X), length(R, M), M =:= N-1 )).
size(randseq, N, ( M is 10*N, K is max(1, N//2) ), randseq(K, M, L), ( length(L, K), is_set(L) )).
size(randset, N, ( M is 10*N, K is max(1, N//2) ), randset(K, M, L), ( length(L, K), is_ordset(L) )).
size(random_subseq, N, up_to(N, L), random_subseq(L, A, B), ( append(A, B, AB), msort(AB, L) )).
size(random_between, N, true, times(N, random_between(1, 6, _)), true).

% tabling
size(tabled_long_answer, N, abolish_all_tables, ( tabled_list(N, L), tabled_list(N, K) ), ( K == L, length(L, N) )).
size(tabled_many_answers, N, abolish_all_tables, aggregate_all(count, tabled_answers(N, _), C), ( C == N, abolish_all_tables )).
% (Its calls have K*K/2 elements together.)
size(tabled_deep, N, ( abolish_all_tables, K is max(1, truncate(2*sqrt(N))), up_to(K, L) ), tabled_down(L), abolish_all_tables).

% control
size(between_fail, N, true, \+ ( between(1, N, X), X < 0 ), true).
size(catch_each, N, up_to(N, L), forall(member(X, L), catch(throw(b(X)), b(Y), Y == X)), true).
size(throw_large, N, up_to(N, L), catch(throw(b(L)), b(K), true), K == L).
size(catch_nested, N, true, catch(nested(N), deep, true), true).
size(cleanup_each, N, true, times(N, setup_call_cleanup(true, true, true)), true).
size(call_n, N, true, times(N, call(plus(1), 2, _)), true).
size(freeze_like_bindings, N, variables(N, L), maplist(=(x), L), ( last(L, x) )).
size(term_expansion_dcg, N, ( K is max(2, N//20), findall(a(X), between(1, K, X), Gs), comma_list(B, Gs) ), dcg_translate_rule((h --> B), C), ( C = (_ :- _) )).
size(expand_goal, N, ( K is max(2, N//20), findall(atom(X), between(1, K, X), Gs), comma_list(B, Gs) ), expand_goal(B, C), C == B).
size(atom_garbage, N, true, forall(between(1, N, X), ( atom_concat(sizes_garbage_, X, A), atom_length(A, _) )), garbage_collect_atoms).
size(big_integer, N, ( K is max(1, N//20), X is 3**K ), ( Y is X*X, Z is Y//X ), Z == X).
size(succ_or_zero, N, true, times(N, ( succ(X, 4), succ(X, _) )), true).

% what the rows use
mapped_list(z, z).
mapped_list(s(T), [L]) :- mapped_list(T, L).

atomics_to_string(L, S) :- atomic_list_concat(L, A), atom_string(A, S).

line_count_of(In, C0, C) :-
    read_line_to_string(In, L),
    ( L == end_of_file -> C = C0 ; C1 is C0+1, line_count_of(In, C1, C) ).

forall_setarg(0, _) :- !.
forall_setarg(N, T) :- setarg(N, T, N), N1 is N-1, forall_setarg(N1, T).

grow_global(0) :- !.
grow_global(N) :- b_getval(sizes_c, L), b_setval(sizes_c, [N|L]), N1 is N-1, grow_global(N1).

thread_exit_with(X) :- thread_exit(X).

concurrent_findall_like(N, L) :-
    M is N//2,
    M1 is M+1,
    findall(Id, ( member(A-B, [1-M, M1-N]), thread_create(( findall(X, between(A, B, X), Xs), thread_exit(Xs) ), Id) ), Ids),
    maplist([Id,Xs]>>thread_join(Id, exited(Xs)), Ids, Ls),
    append(Ls, L).

pushed, [X] --> [X].

drained(0, H, H) :- !.
drained(N, H0, H) :- get_from_heap(H0, _, _, H1), N1 is N-1, drained(N1, H1, H).

nested(0) :- throw(deep).
nested(N) :- N1 is N-1, catch(nested(N1), other, true), true.
