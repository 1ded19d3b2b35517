% The database as what changes: asserting, retracting, counters, queues, memo tables, records, flags.

:- dynamic([fact/2, rule/2, long/1, counter/1, queue/1, memo/2, stack/1, third/3, big/1]).

empty :-
    retractall(fact(_, _)), retractall(rule(_, _)), retractall(long(_)), retractall(queue(_)), retractall(memo(_, _)),
    retractall(stack(_)), retractall(third(_, _, _)), retractall(counter(_)), retractall(big(_)).

filled(N) :-
    empty,
    forall(between(1, N, I), assertz(fact(I, x))).

shuffled(N, Keys) :-
    random_numbers(N, 1000000, Rs),
    numlist(1, N, Is),
    pairs_keys_values(Ps, Rs, Is),
    keysort(Ps, Sorted),
    pairs_values(Sorted, Keys).

operation(assertz_fact, 20000).
prepare(assertz_fact, _, none) :- empty.
work(assertz_fact, N, _, C) :- add_facts(1, N), count(fact(_, _), C).

add_facts(I, N) :- I > N, !.
add_facts(I, N) :- assertz(fact(I, x)), I1 is I+1, add_facts(I1, N).

count(G, C) :- aggregate_all(count, G, C).

operation(asserta_fact, 40000).
prepare(asserta_fact, _, none) :- empty.
work(asserta_fact, N, _, First) :- forall(between(1, N, I), asserta(fact(I, x))), fact(First, _), !.

operation(assertz_structure, 10000).
prepare(assertz_structure, _, none) :- empty.
work(assertz_structure, N, _, C) :-
    forall(between(1, N, I), assertz(big(f(I, [a, b, I], g(h(I), "text", 2.5))))),
    count(big(_), C).

operation(assertz_rule, 10000).
prepare(assertz_rule, _, none) :- empty.
work(assertz_rule, N, _, C) :-
    forall(between(1, N, I), assertz(( rule(I, X) :- X0 is I+1, ( X0 > 3 -> X = X0 ; X = f(X0) ), atom(a) ))),
    count(clause(rule(_, _), _), C).

operation(assertz_calls, 10000).
prepare(assertz_calls, _, none) :- empty.
work(assertz_calls, N, _, C) :-
    forall(between(1, N, I), assertz(( rule(I, X) :- fact(I, Y), fact(Y, Z), rule(Z, X) ))),
    count(clause(rule(_, _), _), C).

operation(assert_long_body, 150000).
prepare(assert_long_body, N, Body) :-
    empty,
    long_body(N, Body).
work(assert_long_body, _, Body, R) :- assertz(( long(_) :- Body )), long(1), R = done.

long_body(1, atom(a)) :- !.
long_body(N, ( atom(a), Body )) :- N1 is N-1, long_body(N1, Body).

operation(assert_long_body_variables, 35000).
prepare(assert_long_body_variables, N, X-Body) :-
    empty,
    chained_body(N, X, Body).
work(assert_long_body_variables, _, X-Body, R) :- assertz(( long(X) :- Body )), long(R).

chained_body(1, X, X = end) :- !.
chained_body(N, X, ( fact_of(X, Y), Body )) :- N1 is N-1, chained_body(N1, Y, Body).

fact_of(X, X).

operation(assert_long_disjunction, 2500).
prepare(assert_long_disjunction, N, X-Body) :-
    empty,
    numlist(1, N, Is),
    disjunction(Is, X, Body).
work(assert_long_disjunction, N, X-Body, R) :- assertz(( long(X) :- Body )), long(N), count(long(_), R).

disjunction([I], X, X = I) :- !.
disjunction([I|Is], X, ( X = I ; Body )) :- disjunction(Is, X, Body).

operation(assert_long_head, 90000).
prepare(assert_long_head, N, L) :- empty, numlist(1, N, L).
work(assert_long_head, N, L, R) :- assertz(big(L)), big(K), nth1(N, K, R).

operation(retract_key, 20000).
prepare(retract_key, N, Keys) :- filled(N), shuffled(N, Keys).
work(retract_key, _, Keys, C) :- retract_keys(Keys), count(fact(_, _), C).

retract_keys([]).
retract_keys([K|Ks]) :- retract(fact(K, _)), retract_keys(Ks).

operation(retract_in_order, 20000).
prepare(retract_in_order, N, none) :- filled(N).
work(retract_in_order, _, _, S) :- retract_sum(0, S).

retract_sum(S0, S) :- retract(fact(I, _)), !, S1 is S0+I, retract_sum(S1, S).
retract_sum(S, S).

operation(retract_backtracking, 55000).
prepare(retract_backtracking, N, none) :- filled(N).
work(retract_backtracking, _, _, S) :- aggregate_all(sum(I), retract(fact(I, _)), S).

operation(retractall_key, 20000).
prepare(retractall_key, N, Keys) :- filled(N), shuffled(N, Keys).
work(retractall_key, _, Keys, C) :- retractall_keys(Keys), count(fact(_, _), C).

retractall_keys([]).
retractall_keys([K|Ks]) :- retractall(fact(K, _)), retractall_keys(Ks).

operation(retractall_all, 150000).
prepare(retractall_all, N, none) :- filled(N).
work(retractall_all, _, _, C) :- retractall(fact(_, _)), count(fact(_, _), C).

operation(retract_second, 25000).
prepare(retract_second, N, Keys) :-
    empty,
    forall(between(1, N, I), assertz(third(x, I, y))),
    shuffled(N, Keys).
work(retract_second, _, Keys, C) :- retract_second(Keys), count(third(_, _, _), C).

retract_second([]).
retract_second([K|Ks]) :- retract(third(_, K, _)), retract_second(Ks).

operation(counter, 20000).
prepare(counter, _, none) :- empty, assertz(counter(0)).
work(counter, N, _, C) :-
    forall(between(1, N, _), ( retract(counter(X)), Y is X+1, assertz(counter(Y)) )),
    counter(C).

operation(queue, 10000).
prepare(queue, N, none) :- empty, forall(between(1, N, I), assertz(queue(I))).
work(queue, N, _, S) :- queue(N, 0, S).

queue(0, S, S) :- !.
queue(N, S0, S) :-
    retract(queue(X)), !,
    Y is (X*7+1) mod 1000003,
    assertz(queue(Y)),
    S1 is (S0+X) mod 1000003,
    N1 is N-1,
    queue(N1, S1, S).

operation(stack, 10000).
prepare(stack, N, none) :- empty, forall(between(1, N, I), asserta(stack(I))).
work(stack, N, _, S) :- stack(N, 0, S).

stack(0, S, S) :- !.
stack(N, S0, S) :-
    retract(stack(X)), !,
    Y is X+1,
    asserta(stack(Y)),
    asserta(stack(Y)),
    retract(stack(_)), !,
    S1 is S0+X,
    N1 is N-1,
    stack(N1, S1, S).

% looked up, added if it is not there
operation(memo_int, 20000).
operation(memo_structure, 20000).
operation(memo_string, 25000).

prepare(memo_int, N, Keys) :- empty, random_numbers(N, N, Keys).
prepare(memo_structure, N, Keys) :- empty, random_numbers(N, N, Is), findall(k(I, a), member(I, Is), Keys).
prepare(memo_string, N, Keys) :- empty, random_numbers(N, N, Is), findall(S, ( member(I, Is), format(string(S), "k~d", [I]) ), Keys).
work(memo_int, _, Keys, C) :- memoised(Keys), count(memo(_, _), C).
work(memo_structure, _, Keys, C) :- memoised(Keys), count(memo(_, _), C).
work(memo_string, _, Keys, C) :- memoised(Keys), count(memo(_, _), C).

memoised([]).
memoised([K|Ks]) :-
    (   memo(K, _)
    ->  true
    ;   assertz(memo(K, v))
    ),
    memoised(Ks).

operation(clause, 50000).
prepare(clause, N, N) :-
    empty,
    forall(between(1, N, I), assertz(( rule(I, X) :- X is I+1, atom(a) ))).
work(clause, _, N, S) :- clauses(N, 0, S).

clauses(0, S, S) :- !.
clauses(N, S0, S) :- clause(rule(N, _), ( _ is E, _ )), S1 is S0+E, N1 is N-1, clauses(N1, S1, S).

operation(record, 20000).
prepare(record, _, none) :- forall(recorded(k, _, R), erase(R)).
work(record, N, _, S) :-
    forall(between(1, N, I), recordz(k, f(I, text), _)),
    aggregate_all(sum(I), recorded(k, f(I, _)), S0),
    forall(recorded(k, _, R), erase(R)),
    S = S0.

operation(record_keys, 20000).
work(record_keys, N, _, S) :-
    forall(between(1, N, I), ( atom_concat(key, I, K), recordz(K, I, _) )),
    aggregate_all(sum(I), ( between(1, N, J), atom_concat(key, J, K), recorded(K, I, _) ), S),
    forall(between(1, N, I), ( atom_concat(key, I, K), forall(recorded(K, _, R), erase(R)) )).

operation(record_append, 60000).
prepare(record_append, _, none) :- forall(recorded(k, _, R), erase(R)).
work(record_append, N, _, C) :- forall(between(1, N, I), recordz(k, f(I))), aggregate_all(count, recorded(k, _), C).

operation(record_each_key, 25000).
prepare(record_each_key, N, none) :- forall(( between(1, N, I), recorded(I, _, R) ), erase(R)).
work(record_each_key, N, _, C) :- forall(between(1, N, I), recordz(I, x)), aggregate_all(count, ( between(1, N, I), recorded(I, x) ), C).

operation(record_look, 50000).
prepare(record_look, N, none) :- forall(recorded(k, _, R), erase(R)), forall(between(1, N, I), recordz(k, f(I))).
work(record_look, N, _, X) :- repeated(10, \+ recorded(k, f(-1))), once(recorded(k, f(N))), X = N.

operation(reference_each, 15000).
prepare(reference_each, _, none) :- empty.
work(reference_each, N, _, C) :- findall(R, ( between(1, N, I), assertz(fact(I, x), R) ), Rs), length(Rs, C).

operation(erase_reference, 60000).
prepare(erase_reference, N, Rs) :- empty, findall(R, ( between(1, N, I), assertz(fact(I, x), R) ), Rs).
work(erase_reference, _, Rs, C) :- forall(member(R, Rs), erase(R)), count(fact(_, _), C).

operation(erase_record, 60000).
prepare(erase_record, N, Rs) :- forall(recorded(k, _, R), erase(R)), findall(R, ( between(1, N, I), recordz(k, I, R) ), Rs).
work(erase_record, _, Rs, C) :- forall(member(R, Rs), erase(R)), aggregate_all(count, recorded(k, _), C).

operation(flag, 50000).
work(flag, N, _, X) :-
    flag(micro, _, 0),
    forall(between(1, N, _), flag(micro, Y, Y+1)),
    flag(micro, X, X).

operation(trie_insert, 20000).
prepare(trie_insert, N, L) :- random_numbers(N, 1000000, L).
work(trie_insert, _, L, X) :-
    trie_new(T),
    forall(member(K, L), trie_update(T, k(K, K), v)),
    trie_property(T, value_count(X)).

operation(trie_lookup, 30000).
prepare(trie_lookup, N, L-T) :- random_numbers(N, 1000000, L), trie_new(T), forall(member(K, L), trie_update(T, k(K, K), K)).
work(trie_lookup, _, L-T, X) :- trie_lookups(L, T, 0, X).

trie_lookups([], _, S, S).
trie_lookups([K|Ks], T, S0, S) :- trie_lookup(T, k(K, K), V), S1 is S0+V, trie_lookups(Ks, T, S1, S).

operation(trie_gen, 30000).
prepare(trie_gen, N, T) :- trie_new(T), forall(between(1, N, I), ( J is I mod 10, trie_insert(T, k(I, J), I) )).
work(trie_gen, _, T, X) :- aggregate_all(sum(V), trie_gen(T, k(_, _), V), X).

% A tenth of the keys, each found by its first argument.
operation(trie_gen_prefix, 30000).
prepare(trie_gen_prefix, N, N-T) :- trie_new(T), forall(between(1, N, I), ( J is I // 10, trie_insert(T, k(J, I), I) )).
work(trie_gen_prefix, _, N-T, X) :- Last is N // 10 - 1, aggregate_all(sum(V), ( between(1, Last, J), trie_gen(T, k(J, _), V) ), X).

operation(trie_delete, 20000).
prepare(trie_delete, N, S-T) :- random_numbers(N, 1000000, L), sort(L, S), trie_new(T), forall(member(K, S), trie_insert(T, k(K, K), K)).
work(trie_delete, _, S-T, X) :- forall(member(K, S), trie_delete(T, k(K, K), _)), trie_property(T, value_count(X)).
