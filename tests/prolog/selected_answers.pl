%   Calls that read from the complete table of a more general one: each is returned the answers that fit, found by whatever is bound, one after the other.

:- use_module(library(tables)).
:- use_module(library(table_statistics)).
:- use_module(library(lists)).
:- use_module(library(apply)).

% Random facts of all kinds of terms, and calls of all patterns: a subsumptive predicate beside one that is not.
:- table (sel_sub/3, sel_sh/3) as subsumptive.
:- table sel_plain/3.
:- table sel_sh/3 as shared.
:- dynamic sel_e/3.
sel_sub(X, Y, Z) :- sel_e(X, Y, Z).
sel_sh(X, Y, Z) :- sel_e(X, Y, Z).
sel_plain(X, Y, Z) :- sel_e(X, Y, Z).

sel_rnd(N, X) :- nb_getval(sel_seed, S), S1 is (S*6364136223846793005+1442695040888963407) mod (1<<64), nb_setval(sel_seed, S1), X is (S1>>33) mod N.
sel_pick(L, X) :- length(L, N), sel_rnd(N, I), nth0(I, L, X), !.
sel_value(D, X) :- sel_rnd(16, K), sel_value(K, D, X).
sel_value(0, _, X) :- sel_pick([a, b, [], '[]', "a", "", "a longer text"], X).
sel_value(1, _, X) :- sel_rnd(4, K), X is (1<<70)+K.
sel_value(2, _, X) :- sel_pick([0.0, -0.0, 1.0, 1.5, inf, nan], E), X is E.
sel_value(3, _, X) :- sel_rnd(4, K), X is (K+1) rdiv 7.
sel_value(4, D, f(A)) :- D > 0, !, D1 is D-1, sel_value(D1, A).
sel_value(5, D, f(A, B)) :- D > 0, !, D1 is D-1, sel_value(D1, A), sel_value(D1, B).
sel_value(6, D, [A|B]) :- D > 0, !, D1 is D-1, sel_value(D1, A), sel_value(D1, B).
sel_value(7, D, X) :- D > 1, !, ( sel_rnd(3, 0) -> true ; D1 is D-1, sel_value(D1, A), X = g(A, _) ).
sel_value(8, D, h(Y, Y, _)) :- D > 1, !.
sel_value(_, _, X) :- sel_rnd(30, K), X is K-10.

sel_facts(N, D, W, Pool) :- retractall(sel_e(_, _, _)), length(Pool, W), maplist(sel_value(D), Pool),
    forall(between(1, N, _), ( sel_pick(Pool, X), sel_pick(Pool, Y), sel_pick(Pool, Z), assertz(sel_e(X, Y, Z)) )), !.
sel_argument(Pool, A) :- sel_rnd(8, K), ( K < 3 -> true ; sel_pick(Pool, V), ( K < 6 -> A = V ; sel_holes(V, A) ) ).
sel_holes(T, T) :- \+ compound(T), !.
sel_holes(T, A) :- compound_name_arguments(T, F, As), maplist(sel_hole, As, Bs), compound_name_arguments(A, F, Bs).
sel_hole(A, B) :- ( sel_rnd(3, 0) -> true ; sel_holes(A, B) ).
sel_all(G, L) :- findall(G, G, L0), maplist(sel_named, L0, L1), sort(L1, L).
sel_named(G, S) :- G =.. [_|As], numbervars(As, 0, _), format(string(S), "~q", [As]).
sel_same(Name, Pool) :- sel_argument(Pool, X), sel_argument(Pool, Y), sel_argument(Pool, Z), ( sel_rnd(8, 0), term_variables(X-Y-Z, [V, V|_]) -> true ; true ),
    G =.. [Name, X, Y, Z], catch(sel_all(sel_plain(X, Y, Z), L0), error(type_error(acyclic_term, _), _), true), sel_compared(G, L0).
% (A call with a variable twice may have an infinite answer, which no table has.)
sel_compared(_, L0) :- var(L0), !.
sel_compared(G, L0) :- sel_all(G, L), ( L == L0 -> true ; throw(differs(G, L, L0)) ).
sel_open(Name) :- G =.. [Name, _, _, _], forall(G, true).
sel_round(Name, Seed) :- nb_setval(sel_seed, Seed), sel_rnd(2, _), sel_rnd(4, D), sel_pick([3, 10, 30], W), sel_pick([5, 40, 150], N), sel_facts(N, D, W, Pool), abolish_all_tables,
    sel_open(Name), forall(between(1, 20, _), sel_same(Name, Pool)).
t(selected_random, forall(between(1, 12, Seed), sel_round(sel_sub, Seed)), [], answers([[]])).
t(selected_random_shared, ( forall(between(20, 24, Seed), sel_round(sel_sh, Seed)) ), [], answers([[]])).

% All kinds of terms, each many times.
:- table (sel_q/2, sel_n/2, sel_m/4, sel_c/2) as subsumptive.
sel_q(K, I) :- between(1, 100, I), member(F, [f, g]), J is I mod 50, member(K, [t(F, J), J, F, [F, J|end]]).
sel_q(K, I) :- between(1, 100, I), J is I mod 50, ( K is J*0.5 ; K is J+(1<<80) ; number_string(J, K0), string_concat("key ", K0, K) ; K is (2*J+1) rdiv 7 ).
sel_n(I, _) :- between(1, 100, I).
sel_n(f(I, _), I) :- between(1, 100, I).
sel_n(_, z).
sel_m(A, B, C, D) :- between(0, 9, A), between(0, 9, B), C is A+B, D is A*B.
sel_c(I, 1) :- between(1, 50, I).
sel_c(I, 2) :- between(1, 50, I), undefined.
sel_count(G, N) :- aggregate_all(count, G, N).
sel_fresh(G) :- abolish_all_tables, forall(G, true).
t(selected_kinds, ( sel_fresh(sel_q(_, _)), X is 12.0, Y is 25+(1<<80), Z is 51 rdiv 7, maplist(sel_count, [sel_q(t(f, 3), _), sel_q(t(f, _), _), sel_q(t(_, 3), _), sel_q(t(_), _), sel_q(h, _), sel_q(3, _), sel_q(f, _), sel_q([f, 3|end], _), sel_q([_, 3|_], _), sel_q([_, _, _], _), sel_q(X, _), sel_q(Y, _), sel_q("key 3", _), sel_q(Z, _), sel_q(_, 3), sel_q(t(f, 3), 53), sel_q(t(f, 3), 54)], L) ), [L],
  answers([[[2, 100, 4, 0, 0, 4, 100, 2, 4, 0, 2, 2, 2, 2, 11, 1, 0]]])).
t(selected_variables, ( sel_fresh(sel_n(_, _)), maplist(sel_count, [sel_n(3, _), sel_n(3, 4), sel_n(3, z), sel_n(f(3, 4), _), sel_n(f(3, 4), 3), sel_n(f(_, 4), 7), sel_n(_, z), sel_n(f(3), _), sel_n(x, y)], L) ), [L], answers([[[2, 1, 2, 2, 1, 1, 101, 1, 0]]])).
t(selected_places, ( sel_fresh(sel_m(_, _, _, _)), forall(( between(0, 9, A), between(0, 9, B) ), ( findall(C/D, sel_m(A, B, C, D), [C1/D1]), C1 is A+B, D1 is A*B, sel_count(sel_m(A, _, C1, _), 1), sel_count(sel_m(_, B, C1, D1), 1), sel_count(sel_m(A, _, _, _), 10) )) ), [], answers([[]])).
t(selected_conditional, ( sel_fresh(sel_c(_, _)), findall(Y-R, call_delays(sel_c(7, Y), R), L), sel_count(sel_c(_, 2), N) ), [L, N], answers([[[1-true, 2-sel_c(7, 2)], 50]])).

% Determinate where nothing else fits, and only then.
sel_det(G, D) :- call_cleanup(G, Det = true), ( Det == true -> D = det ; D = nondet ), !.
sel_dets(Gs, Ds) :- maplist(sel_det, Gs, Ds).
t(selected_det, ( sel_fresh(sel_q(_, _)), sel_dets([sel_q(t(f, 3), 3), sel_q(t(f, 3), _), sel_q(_, 3), sel_q("key 3", 3)], L) ), [L], answers([[[det, nondet, nondet, det]]])).
t(selected_det_last, ( sel_fresh(sel_q(_, _)), findall(I-D, ( call_cleanup(sel_q(t(f, 3), I), Det = true), ( Det == true -> D = det ; D = nondet ) ), L) ), [L], answers([[[3-nondet, 53-det]]])).
t(selected_det_variables, ( sel_fresh(sel_n(_, _)), sel_dets([sel_n(3, 4), sel_n(3, z), sel_n(f(3, 4), 3)], L) ), [L], answers([[[det, nondet, det]]])).
:- table sel_few/2 as subsumptive.
sel_few(a, 1).
sel_few(a, 2).
sel_few(b, 2).
t(selected_det_few, ( sel_fresh(sel_few(_, _)), findall(G-D, ( member(G, [sel_few(a, 1), sel_few(a, _), sel_few(_, 1)]), call_cleanup(G, Det = true), ( Det == true -> D = det ; D = nondet ) ), L) ), [L],
  answers([[[sel_few(a, 1)-det, sel_few(a, 1)-nondet, sel_few(a, 2)-det, sel_few(a, 1)-det]]])).
:- table sel_abstract/1 as subgoal_abstract(1).
sel_abstract(X) :- member(X, [s(s(0)), s(s(s(0))), 0]).
t(selected_det_abstract, ( abolish_all_tables, sel_dets([sel_abstract(s(s(s(0)))), sel_abstract(s(s(s(0)))), sel_abstract(s(s(0)))], L) ), [L], answers([[[det, det, det]]])).

% What is not asked for is not looked at.
:- table sel_big/2 as subsumptive.
sel_big(X, Y) :- between(1, 4000, I), X is I mod 2, Y is -I.
sel_looked(G, N) :- table_statistics(looked_at, N0), ( once(G) -> true ; true ), table_statistics(looked_at, N1), N is N1-N0.
t(selected_lazily, ( sel_fresh(sel_big(_, _)), findall(N, ( member(G, [sel_big(1, _), sel_big(1, _), sel_big(_, -3000), sel_big(0, -3000), sel_big(1, -3000), sel_big(2, _)]), sel_looked(G, N) ), L), max_list(L, Max), ( Max =< 4 -> true ; Max = L ) ), [], answers([[]])).
t(selected_memory, ( sel_fresh(sel_big(_, _)), table_statistics(sel_big(_, _), bytes, B0), table_statistics(bytes_held, H0), once(sel_big(1, _)), table_statistics(sel_big(_, _), bytes, B), table_statistics(bytes_held, H), B-B0 >= 32000, B-B0 < 80000, H-H0 =:= B-B0,
    abolish_all_tables, table_statistics(bytes_held, H1), H1 < H0 ), [], answers([[]])).
t(selected_in_time, ( sel_fresh(sel_big(_, _)), forall(between(1, 5, I), ( T is I*0.0002, catch(call_with_time_limit(T, forall(sel_big(1, _), true)), _, true) )), sel_count(sel_big(1, _), N) ), [N], answers([[2000]])).
t(selected_signals, ( sel_fresh(sel_big(_, _)), thread_self(Me), thread_create(forall(between(1, 50, _), catch(thread_signal(Me, sel_count(sel_big(0, -30), 1)), _, true)), Id), sel_count(sel_big(1, _), N), thread_join(Id) ), [N], answers([[2000]])).
t(selected_abolished, ( sel_fresh(sel_big(_, _)), findall(Y, ( sel_big(1, Y), abolish_all_tables ), L), length(L, N) ), [N], answers([[2000]])).
t(selected_by_threads, ( sel_fresh(sel_sh(_, _, _)), length(Ids, 3), nb_setval(sel_seed, 77), sel_facts(150, 2, 10, Pool), abolish_all_tables, maplist(sel_thread(Pool), Ids), maplist(thread_join, Ids, L) ), [L], answers([[[true, true, true]]])).
sel_thread(Pool, Id) :- sel_rnd(1000, Seed), thread_create(( nb_setval(sel_seed, Seed), sel_open(sel_sh), forall(between(1, 20, _), sel_same(sel_sh, Pool)) ), Id).
