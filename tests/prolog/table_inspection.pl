%   What library(tables) tells of tables, abolishing some of them, and calls that read from tables of more general ones.

:- use_module(library(tables)).
:- use_module(library(lists)).
:- use_module(library(wfs)).

:- table path/2, u/1, v/1, ground/0, best(_, max).
path(X, Y) :- arc(X, Y).
path(X, Y) :- path(X, Z), arc(Z, Y).
arc(1, 2).
arc(2, 3).
u(X) :- member(X, [1, 2]), undefined.
u(3).
v(X) :- u(X), tnot(u(4)).
v(X) :- undefined, X = 1.
ground.
best(a, X) :- member(X, [1, 3, 2]).

fresh :- abolish_all_tables.
calls(Call, L) :- findall(Call, get_calls(Call, _, _), L0), msort(L0, L).
residual(G, L) :- findall(G-R, get_residual(G, R), L0), msort(L0, L).

t(tables_none, ( fresh, get_calls(path(_, _), _, _) ), [], fails).
t(tables_calls, ( fresh, forall(path(1, _), true), forall(path(_, _), true), calls(path(_, _), L) ), [L], answers([[[path(_, _), path(1, _)]]])).
t(tables_calls_unify, ( fresh, forall(path(1, _), true), forall(path(2, 3), true), calls(path(2, _), L) ), [L], answers([[[path(2, 3)]]])).
t(tables_call_variant, ( fresh, forall(path(1, _), true), ( get_call(path(_, _), _, _) -> R = yes ; R = no ), get_call(path(1, Y), T, Ret), findall(Ret, get_returns(T, Ret), L) ), [R, Y, L], answers([[no, _, [ret(2), ret(3)]]])).
t(tables_returns_for_call, ( fresh, forall(path(1, _), true), findall(A, get_returns_for_call(path(1, _), A), L) ), [L], answers([[[path(1, 2), path(1, 3)]]])).
t(tables_ground, ( fresh, ground, get_call(ground, T, R), findall(R, get_returns(T, R), L) ), [L], answers([[[ret]]])).
t(tables_moded, ( fresh, forall(best(_, _), true), findall(A, get_residual(best(a, A), _), L) ), [L], answers([[[3]]])).
t(tables_current, ( fresh, forall(path(1, _), true), findall(G, current_table(_:path(A, B), _), _), \+ current_table(path(_, _), _), current_table(path(1, _), _), current_table(_:path(C, D), _), G = C/D ), [A, B, G], answers([[_, _, 1/_]])).
t(tables_residual, ( fresh, forall(v(_), true), residual(v(_), L) ), [L], answers([[[v(1)-[undefined], v(1)-[u(1)], v(2)-[u(2)], v(3)-[]]]])).
t(tables_truth, ( fresh, forall(u(_), true), get_call(u(_), T, R), findall(R-V, get_returns_and_tvs(T, R, V), L) ), [L], answers([[[ret(1)-u, ret(2)-u, ret(3)-t]]])).
t(tables_delays, ( fresh, forall(v(_), true), get_call(v(_), T, ret(1)), findall(D, get_returns_and_dls(T, ret(1), D), L) ), [L], answers([[[[[u(1)], [undefined]]]]])).
t(tables_abolish_pred, ( fresh, forall(path(1, _), true), ground, abolish_table_pred(path/2), calls(path(_, _), L), calls(ground, M) ), [L, M], answers([[[], [ground]]])).
t(tables_abolish_call, ( fresh, forall(path(1, _), true), forall(path(2, _), true), abolish_table_call(path(1, _)), calls(path(_, _), L), findall(Y, path(1, Y), Ys) ), [L, Ys], answers([[[path(2, _)], [2, 3]]])).
t(tables_abolish_while_read, ( fresh, findall(Y-L, ( path(1, Y), abolish_table_call(path(1, _)), calls(path(_, _), L) ), R), findall(Y, path(1, Y), Again) ), [R, Again], answers([[[2-[], 3-[]], [2, 3]]])).
t(tables_abolish_called_again, ( fresh, ground, findall(Y-Z, ( path(1, Y), abolish_table_pred(path/2), path(1, Z) ), R) ), [R], answers([[[2-2, 2-3, 3-2, 3-3]]])).
t(tables_abolish_dependent, ( fresh, forall(v(_), true), ground, abolish_table_call(u(_)), residual(v(_), L), calls(ground, M), findall(X, v(X), Xs) ), [L, M, Xs], answers([[[], [ground], [1, 2, 3]]])).
:- dynamic mono_e/1 as monotonic.
:- table mono/1 as monotonic.
mono(X) :- mono_e(X).
mono_e(1).
t(tables_abolish_monotonic, ( fresh, forall(mono(_), true), ground, calls(mono(_), L0), abolish_monotonic_tables, calls(mono(_), L), calls(ground, M), assertz(mono_e(2)), findall(X, mono(X), Xs), retract(mono_e(2)) ), [L0, L, M, Xs], answers([[[mono(_)], [], [ground], [1, 2]]])).
t(tables_abolish_monotonic_while_read, ( fresh, findall(X, ( mono(X), abolish_monotonic_tables ), L) ), [L], answers([[[1]]])).
t(tables_abolish_singly, ( fresh, forall(v(_), true), abolish_table_call(u(_), [abolish_tables_singly]), calls(u(_), L), residual(v(3), M) ), [L, M], answers([[[], [v(3)-[]]]])).
t(tables_abolish_old_name, ( fresh, forall(path(1, _), true), get_call(path(1, _), T, _), abolish_table_pred(path/2), findall(R, get_returns(T, R), L) ), [L], answers([[[]]])).
t(tables_abolish_module, ( fresh, forall(path(1, _), true), abolish_module_tables(user), calls(path(_, _), L) ), [L], answers([[[]]])).
t(tables_abolish_type, abolish_table_pred(1), [], throws(type_error(predicate_indicator, 1))).
t(tables_abolish_unbound, abolish_table_pred(_), [], throws(instantiation_error)).
t(tables_many_abolished, ( fresh, forall(between(1, 2000, I), ( forall(path(I, _), true), abolish_table_call(path(I, _)) )), calls(path(_, _), L) ), [L], answers([[[]]])).

:- table((sub/2, dup/2, big/1, cond/1) as subsumptive).
sub(X, Y) :- flag(evaluated, N, N+1), member(X-Y, [1-a, 1-b, 2-a, f(Z)-Z]).
dup(X, Y) :- flag(evaluated, N, N+1), member(X-Y, [1-1, 1-2, 2-2, A-A]).
big(X) :- flag(evaluated, N, N+1), member(X, [1.5, 1.0e10, 123456789012345678901234567890, "text", [a, [b]], f(g(1), 2), _]).
cond(X) :- flag(evaluated, N, N+1), member(X, [1, 2]), undefined.
cond(3).

evaluated(Goals, Results, N) :-
    abolish_all_tables,
    flag(evaluated, _, 0),
    findall(L, ( member(T-G, Goals), findall(T, G, L) ), Results),
    flag(evaluated, N, N).

t(subsumptive_property, findall(T, ( member(G, [sub(_, _), path(_, _)]), predicate_property(G, tabled(T)) ), L), [L], answers([[[subsumptive, variant]]])).
t(subsumptive_instances, evaluated([0-sub(_, _), Y-sub(1, Y), X-sub(X, a), 1-sub(2, a), 1-sub(2, b), Z-sub(f(Z), _)], L, N), [L, N], answers([[[[0, 0, 0, 0], [a, b], [1, 2, f(a)], [1], [], [_]], 1]])).
t(subsumptive_specific_first, evaluated([Y-sub(1, Y), X/Y-sub(X, Y), Y-sub(2, Y)], L, N), [L, N], answers([[[[a, b], [1/a, 1/b, 2/a, f(Z)/Z], [a]], 2]])).
t(subsumptive_shared, evaluated([X-dup(X, X), Y-dup(Y, 2), 1-dup(1, 1), 1-dup(3, 3)], L, N), [L, N], answers([[[[1, 2, _], [1, 2], [1, 1], [1]], 2]])).
t(subsumptive_shared_general, evaluated([0-dup(_, _), X-dup(X, X), f(X, Y)-dup(f(X), f(Y))], L, N), [L, N], answers([[[[0, 0, 0, 0], [1, 2, _], [f(A, A)]], 1]])).
t(subsumptive_terms, evaluated([0-big(_), 1-big(1.5), 1-big(2.5), 1-big(123456789012345678901234567890), 1-big("text"), X-big([a|X]), X/Y-big(f(X, Y)), 1-big(h)], L, N), [L, N], answers([[[[0, 0, 0, 0, 0, 0, 0], [1, 1], [1], [1, 1], [1, 1], [[[b]], _], [g(1)/2, _/_], [1]], 1]])).
t(subsumptive_undefined, ( evaluated([0-cond(_)], _, _), findall(X-C, ( member(X, [1, 3, 4]), call_delays(cond(X), C) ), L), flag(evaluated, N, N) ), [L, N], answers([[[1-cond(1), 3-true], 1]])).
t(subsumptive_negated, ( evaluated([0-cond(_)], _, _), findall(X, ( member(X, [1, 3, 4]), tnot(cond(X)) ), L) ), [L], answers([[[1, 4]]])).

:- set_prolog_flag(table_subsumptive, true).
:- table by_flag/1, best(_, min, _).
:- table by_option/1 as variant.
:- set_prolog_flag(table_subsumptive, false).
by_flag(1).
by_option(1).
best(a, 1, b).
:- table again/1 as subsumptive.
:- table again/1.
again(1).

t(subsumptive_flag, findall(T, ( member(G, [by_flag(_), by_option(_), best(_, _, _), again(_)]), predicate_property(G, tabled(T)) ), L), [L], answers([[[subsumptive, variant, variant, variant]]])).
t(table_option_unknown, table(as(other/1, nope)), [], throws(domain_error(table_option, nope))).

%   Names of tables that are not complete: their answers change to a trie, and the evaluation is given up.
:- table tin_p/1, tin_q/1, tin_i/1.
:- table tin_r/1 as incremental.
:- dynamic tin_fact/1 as incremental.
tin_p(X) :- between(1, 20, X).
tin_p(Y) :- get_calls(tin_p(_), T, R), get_returns(T, R), R = ret(X), integer(X), Y = f(X).
tin_q(X) :- between(1, 20, X).
tin_q(_) :- get_calls(tin_q(_), T, _), nb_setval(tin_t, T), findall(A, get_returns(T, _, A), As), nb_setval(tin_a, As), throw(x).
tin_i(X) :- between(1, 3, X).
tin_fact(1).
tin_r(X) :- tin_fact(X).
tin_r(X) :- tin_fact(2), ( X = 2 ; get_calls(tin_r(_), T, _), nb_setval(tin_t, T), throw(x) ).
t(names_in_a_trie, ( abolish_all_tables, findall(X, tin_p(X), L), length(L, N) ), [N], answers([[40]])).
t(names_of_what_is_given_up, ( abolish_all_tables, forall(between(1, 3, _), catch(forall(tin_q(_), true), x, true)), nb_getval(tin_t, T), aggregate_all(count, get_returns(T, _), N), nb_getval(tin_a, As), length(As, M), aggregate_all(count, tin_i(_), K) ), [N, M, K], answers([[20, 20, 3]])).
t(names_of_what_is_not_made_anew, ( abolish_all_tables, findall(X, tin_r(X), A), assertz(tin_fact(2)), catch(forall(tin_r(_), true), x, true), nb_getval(tin_t, T), ( get_returns(T, _), fail ; true ), retract(tin_fact(2)), findall(X, tin_r(X), B), abolish_all_tables, ( get_returns(T, _) -> true ; true ) ), [A, B], answers([[[1], [1]]])).

% What tables take

:- table tst_f/1, tst_g/2, tst_s/1 as shared.
:- table tst_i/1 as incremental.
:- dynamic tst_d/1 as incremental.
tst_f(X) :- between(1, 40, N), ( X = N ; X = N ; X = f(N) ; X = g(N, a) ).
tst_g(X, Y) :- between(1, X, Y).
tst_s(X) :- member(X, [1, f(2)]).
tst_i(X) :- tst_d(X).
tst(Key, V) :- table_statistics(Key, V), !.
tst(Call, Key, V) :- table_statistics(Call, Key, V), !.

t(statistics_of_all, ( fresh, tst(bytes, B0), tst(calls, C0), tst(evaluations, E0), forall(tst_f(_), true), forall(tst_f(_), true), forall(tst_g(3, _), true), maplist(tst, [tables, answers, repeated_answers, bytes, calls, evaluations], [T, A, R, B, C1, E1]),
                       C is C1-C0, E is E1-E0, ( B > B0 -> More = true ; More = false ), fresh, tst(tables, T2), tst(bytes, B2) ), [B0, T, A, R, C, E, More, T2, B2], answers([[0, 2, 123, 40, 3, 2, true, 0, 0]])).
t(statistics_are_exact, ( fresh, forall(tst_f(_), true), forall(between(1, 9, N), forall(tst_g(N, _), true)), table_statistics(bytes, B), table_statistics(subgoal_trie_nodes, S),
                          findall(Own, table_statistics(_:_, bytes, Own), Owns), sum_list(Owns, Tables), findall(P, ( table_statistics(pages(_), pages(Size, Used, _)), ( Size =:= 0 -> P = Used ; P is Size*Used ) ), Ps), sum_list(Ps, Pages),
                          ( B =:= Pages, B > Tables -> true ), S > 9 ), [], answers([[]])).
t(statistics_of_table, ( fresh, forall(tst_f(_), true), forall(tst_g(5, _), true), maplist(tst(user:tst_f(_)), [answers, least_depth, greatest_depth], L), findall(Y-N, table_statistics(tst_g(5, Y), answers, N), M) ), [L, M], answers([[[120, 1, 3], [_-5]]])).
t(statistics_of_shared, ( abolish_shared_tables, forall(tst_s(_), true), thread_create(forall(tst_s(_), true), Id), thread_join(Id), maplist(tst(tst_s(_)), [answers, least_depth, greatest_depth], L), tst(tst_s(_), bytes, B), B > 64 ), [L], answers([[[2, 1, 2]]])).
t(statistics_of_renewals, ( fresh, retractall(tst_d(_)), forall(tst_i(_), true), tst(reevaluations, R0), assertz(tst_d(1)), forall(tst_i(_), true), forall(tst_i(_), true), tst(reevaluations, R1), R is R1-R0 ), [R], answers([[1]])).
t(statistics_keys, ( catch(table_statistics(tst_key, _), error(E, _), true), catch(table_statistics(1, _), error(F, _), true), \+ table_statistics(tst_f(_), tst_key, _), \+ table_statistics(pages(nothing), _) ), [E, F], answers([[domain_error(table_statistics_key, tst_key), type_error(atom, 1)]])).

% Of a ground call those that it unifies with are found by its arguments.
:- table ti_few/2, ti_list/1.
ti_few(X, Y) :- member(X-Y, [1-a, 2-b, f(1)-c]).
ti_list(_).
t(abolish_ground, ( abolish_all_tables, forall(member(G, [ti_few(1, _), ti_few(_, a), ti_few(_, _), ti_few(2, _), ti_few(f(1), _), ti_few(f(_), c), ti_few(X, X), ti_list([a|_]), ti_list([a, b]), ti_list(_)]), forall(G, true)),
    abolish_table_subgoals(ti_few(1, a)), findall(H, ( current_table(_:H, _), H = ti_few(_, _) ), L1), length(L1, N1),
    abolish_table_subgoals(ti_few(f(1), c)), findall(H, ( current_table(_:H, _), H = ti_few(_, _) ), L2),
    abolish_table_subgoals(ti_list([a, b])), findall(H, ( current_table(_:H, _), H = ti_list(_) ), L3) ), [N1, L2, L3],
  answers([[4, [ti_few(2, _), ti_few(V, V)], []]])).
