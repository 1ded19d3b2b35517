%   Tables as subgoal_shared: threads share the trie of calls, and each has tables of its own, as private ones are. Generated programs are in cli/tests/datalog.rs.

:- use_module(library(lists)).
:- use_module(library(aggregate)).
:- use_module(library(wfs)).
:- use_module(library(tables)).
:- use_module(library(table_statistics)).

:- dynamic sgs_count/2, sgs_fact/1.
:- table sgs_path/2 as subgoal_shared.
:- table sgs_right/2 as subgoal_shared.
:- table sgs_terms/1 as subgoal_shared.
:- table (sgs_least(_, min)) as subgoal_shared.
:- table sgs_win/1 as subgoal_shared.
:- table sgs_u/1 as subgoal_shared.
:- table sgs_facts/1 as subgoal_shared.
:- table sgs_ball/1 as subgoal_shared.
:- table sgs_queue/1 as subgoal_shared.
:- table sgs_even/1 as subgoal_shared.
:- table sgs_odd/1 as private.
:- table sgs_third/1 as shared.
:- table sgs_general/2 as (subgoal_shared, subsumptive).
:- table sgs_inc/1 as (subgoal_shared, incremental).
:- table sgs_few/1 as (subgoal_shared, max_answers(3)).
:- dynamic sgs_base/1 as incremental.
:- table sgs_was_shared/1 as (shared, subgoal_shared).
:- table sgs_is_shared/1 as (subgoal_shared, shared).
:- table sgs_is_private/1 as (subgoal_shared, private).

sgs_counted(Name) :-
    with_mutex(sgs_counts, ( ( retract(sgs_count(Name, N0)) -> true ; N0 = 0 ), N is N0+1, assertz(sgs_count(Name, N)) )).
sgs_counts(Name, N) :- ( sgs_count(Name, N0) -> N = N0 ; N = 0 ).
sgs_reset :- abolish_all_tables, retractall(sgs_count(_, _)), retractall(sgs_fact(_)), retractall(sgs_base(_)).

sgs_edge(X, Y) :- between(0, 60, X), ( Y is X+1 ; Y is X*7 mod 61 ).
sgs_path(X, Y) :- sgs_counted(path), sgs_edge(X, Y).
sgs_path(X, Y) :- sgs_path(X, Z), sgs_edge(Z, Y).
sgs_right(X, Y) :- sgs_edge(X, Y).
sgs_right(X, Y) :- sgs_edge(X, Z), sgs_right(Z, Y).
sgs_terms(X) :- member(Y, [f(_, b), "text", 123456789012345678901234567890, -1.5, [a|_], 1r3, [], g(0'a)]), X = Y.
sgs_least(X, D) :- member(X-D, [a-3, b-1, a-2, b-4, a-5]).
sgs_move(X, Y) :- ( X > 0, Y is X-1 ; X > 2, Y is X-3 ; X =:= 7, Y = 7 ).
sgs_win(X) :- sgs_move(X, Y), tnot(sgs_win(Y)).
sgs_u(X) :- member(X, [1, 2, 3]), ( X =:= 2 -> undefined ; true ).
sgs_facts(X) :- sgs_counted(facts), sgs_fact(X).
sgs_ball(X) :- ( sgs_fact(X) -> true ; throw(ball) ).
sgs_queue(Q) :- message_queue_create(Q).
sgs_even(0).
sgs_even(N) :- N > 0, M is N-1, sgs_odd(M).
sgs_odd(N) :- N > 0, M is N-1, sgs_third(M).
sgs_third(N) :- sgs_even(N).
sgs_general(X, Y) :- sgs_counted(general), member(X-Y, [1-a, 2-b, 2-c]).
sgs_inc(X) :- sgs_base(X).
sgs_few(X) :- between(1, 10, X).
sgs_was_shared(1).
sgs_is_shared(1).
sgs_is_private(1).

%   elsewhere(+Template, :Goal, -List): the solutions in another thread.
elsewhere(T, G, L) :-
    thread_self(Me),
    thread_create(( findall(T, G, L0), thread_send_message(Me, found(L0)) ), Thread),
    thread_get_message(found(L)),
    thread_join(Thread).

sgs_both(T, G, A, B) :- findall(T, G, A0), elsewhere(T, G, B0), msort(A0, A), msort(B0, B).
sgs_same(T, G, N) :- sgs_both(T, G, A, B), ( A == B -> length(A, N) ; N = differ(A, B) ).

t(each_evaluates_once, ( sgs_reset, sgs_same(X, sgs_path(1, X), N), sgs_same(X, sgs_path(1, X), N), sgs_counts(path, C) ), [N, C], answers([[61, 3]])).
t(many_calls, ( sgs_reset, sgs_same(X-Y, sgs_right(X, Y), N) ), [N], answers([[3722]])).
t(any_terms, ( sgs_reset, findall(X, sgs_terms(X), A), elsewhere(X, sgs_terms(X), B), ( A =@= B -> length(A, N) ; N = B ) ), [N], answers([[8]])).
t(calls_of_any_terms, ( sgs_reset, findall(X-Y, ( sgs_terms(Y), sgs_terms(X), X =@= Y ), A), elsewhere(Z, ( sgs_terms(Y), copy_term(Y, Z), sgs_terms(Z) ), B), length(A, N), length(B, M) ), [N, M], answers([[8, 8]])).
t(values, ( sgs_reset, sgs_both(X-D, sgs_least(X, D), A, B) ), [A, B], answers([[[a-2, b-1], [a-2, b-1]]])).
t(negation, ( sgs_reset, sgs_both(X-V, ( between(0, 12, X), call_delays(sgs_win(X), D), ( D == true -> V = t ; V = u ) ), A, B), ( A == B -> E = same ; E = B ) ), [A, E], answers([[[1-t, 3-t, 5-t, 7-t, 9-t, 11-t], same]])).
t(undefined_answers, ( sgs_reset, sgs_both(X-V, ( call_delays(sgs_u(X), D), ( D == true -> V = t ; V = u ) ), A, A) ), [A], answers([[[1-t, 2-u, 3-t]]])).
t(private_semantics, ( sgs_reset, assertz(sgs_fact(1)), findall(X, sgs_facts(X), A), assertz(sgs_fact(2)), findall(X, sgs_facts(X), B), elsewhere(X, sgs_facts(X), C) ), [A, B, C], answers([[[1], [1], [1, 2]]])).
t(abolished_for_oneself, ( sgs_reset, assertz(sgs_fact(1)), findall(X, sgs_facts(X), A), assertz(sgs_fact(2)), elsewhere(x, abolish_all_tables, _), findall(X, sgs_facts(X), B), abolish_private_tables, findall(X, sgs_facts(X), C) ), [A, B, C], answers([[[1], [1], [1, 2]]])).
t(abolished_one_by_one, ( sgs_reset, assertz(sgs_fact(1)), findall(X, sgs_facts(X), _), findall(X, sgs_path(1, X), _), assertz(sgs_fact(2)), abolish_table_subgoals(sgs_facts(_)), findall(X, sgs_facts(X), B), findall(X, sgs_path(1, X), _), sgs_counts(path, C) ), [B, C], answers([[[1, 2], 1]])).
t(abolished_in_use, ( sgs_reset, findall(X, ( sgs_path(1, X), ( X =:= 5 -> abolish_all_tables, garbage_collect, aggregate_all(count, sgs_path(1, _), 61) ; true ) ), L), length(L, N) ), [N], answers([[61]])).
t(hidden_in_use, ( sgs_reset, findall(X, ( sgs_path(1, X), ( X =:= 5 -> abolish_table_subgoals(sgs_path(_, _)), aggregate_all(count, sgs_path(1, _), 61) ; true ) ), L), length(L, N), sgs_counts(path, C) ), [N, C], answers([[61, 2]])).
t(after_an_exception, ( sgs_reset, catch(sgs_ball(_), B, true), assertz(sgs_fact(1)), sgs_both(X, sgs_ball(X), L, M) ), [B, L, M], answers([[ball, [1], [1]]])).
t(queues, ( sgs_reset, findall(Q, sgs_queue(Q), [Q]), elsewhere(Q2, sgs_queue(Q2), [Q2]), Q \== Q2, thread_send_message(Q, hello), thread_get_message(Q, M) ), [M], answers([[hello]])).
t(mixed_with_private_and_shared_ones, ( sgs_reset, ( sgs_even(90) -> A = yes ; A = no ), elsewhere(x, sgs_even(90), L), elsewhere(x, sgs_third(89), L3), ( sgs_third(60) -> B = yes ; B = no ) ), [A, L, L3, B], answers([[yes, [x], [], yes]])).
t(calls_of_more_general_ones, ( sgs_reset, aggregate_all(count, sgs_general(_, _), N), findall(Y, sgs_general(2, Y), L), elsewhere(Y, sgs_general(2, Y), M), sgs_counts(general, C) ), [N, L, M, C], answers([[3, [b, c], [b, c], 2]])).
t(incremental, ( sgs_reset, assertz(sgs_base(1)), findall(X, sgs_inc(X), A), elsewhere(X, sgs_inc(X), A), assertz(sgs_base(2)), sgs_both(X, sgs_inc(X), B, B), retract(sgs_base(1)), findall(X, sgs_inc(X), C) ), [B, C], answers([[[1, 2], [2]]])).
t(limits, ( sgs_reset, sgs_both(V, ( call_delays(sgs_few(X), D), ( D == true -> V = X ; V = u ) ), A, A) ), [A], answers([[[1, 2, 3, u]]])).
t(properties, findall(L, ( member(P, [sgs_path(_, _), sgs_general(_, _), sgs_inc(_), sgs_was_shared(_), sgs_is_shared(_), sgs_is_private(_)]), findall(H, predicate_property(P, tabled(H)), L) ), Ls), [Ls],
  answers([[[[variant, subgoal_shared], [subsumptive, subgoal_shared], [variant, subgoal_shared, incremental], [variant, subgoal_shared], [variant, shared], [variant]]]])).
t(inspection, ( sgs_reset, aggregate_all(count, sgs_right(50, _), N), aggregate_all(count, current_table(_:sgs_right(_, _), _), K),
  current_table(sgs_right(50, _), T), aggregate_all(count, get_returns(T, _), M), elsewhere(x, current_table(_:sgs_right(_, _), _), L), elsewhere(x, ( sgs_right(60, _), current_table(sgs_right(60, _), _) ), L2), length(L2, J) ), [N, K, M, L, J], answers([[61, 61, 61, [], 61]])).
t(statistics, ( sgs_reset, aggregate_all(count, sgs_right(50, _), _), table_statistics(tables, N), table_statistics(subgoal_trie_nodes, Nodes), Nodes > 0, table_statistics(bytes, B), table_statistics(bytes_held, H), ( B > 1000, H >= B -> E = yes ; E = B-H ),
  abolish_all_tables, table_statistics(tables, N1), table_statistics(bytes, B1) ), [N, E, N1, B1], answers([[61, yes, 0, 0]])).
t(untabled_and_tabled_again, ( sgs_reset, assertz(sgs_fact(1)), findall(X, sgs_facts(X), A), untable(sgs_facts/1), assertz(sgs_fact(2)), table(sgs_facts/1 as subgoal_shared), sgs_both(X, sgs_facts(X), B, B) ), [A, B], answers([[[1], [1, 2]]])).
t(not_with_a_word_that_is_none, table(sgs_x/1 as subgoal_share), [], throws(domain_error(table_option, subgoal_share))).
t(space, ( sgs_reset, current_prolog_flag(table_space, Was),
  setup_call_cleanup(set_prolog_flag(table_space, 20000), catch(aggregate_all(count, sgs_right(_, _), N), error(resource_error(N), _), true), set_prolog_flag(table_space, Was)), aggregate_all(count, sgs_right(_, _), M) ), [N, M], answers([[private_table_space, 3722]])).
t(from_malloc, ( sgs_reset, setup_call_cleanup(set_prolog_flag(table_alloc, malloc), ( sgs_same(X, sgs_path(1, X), N), aggregate_all(count, sgs_right(50, _), M), elsewhere(P, ( sgs_right(_, _), table_statistics(pages('subgoal frame'), pages(_, U, P)), U > 60 ), [P|_]) ), ( set_prolog_flag(table_alloc, pages), abolish_all_tables )), sgs_same(X, sgs_path(1, X), K) ), [N, M, P, K], answers([[61, 61, 0, 61]])).
t(by_every_scheme, findall(N-E, ( member(S, [tlwl_field, tlwl_array, lockfree]), sgs_reset,
    setup_call_cleanup(set_prolog_flag(table_sync, S), ( table_statistics(common_writes, W0), sgs_same(X-Y, sgs_right(X, Y), N), sgs_storm(3, 12, []), table_statistics(common_writes, W), ( W > W0+100 -> E = counted ; E = W-W0 ) ), set_prolog_flag(table_sync, lockfree)) ), L), [L], answers([[[3722-counted, 3722-counted, 3722-counted]]])).
t(storm, ( sgs_reset, sgs_storm(6, 40, Wrong) ), [Wrong], answers([[[]]])).

%   Threads that evaluate, abolish, throw, are killed and time out: each answer is right, and nothing of them is left.
sgs_storm(Threads, Rounds, Wrong) :-
    message_queue_create(Found),
    findall(T, ( between(1, Threads, I), thread_create(sgs_rounds(Rounds, I, Found), T) ), Ts),
    findall(T, ( between(1, 4, I), thread_create(sgs_rounds(1000000, I, Found), T) ), Killed),
    forall(member(T, Ts), thread_join(T)),
    forall(member(T, Killed), ( catch(thread_signal(T, throw(enough)), _, true), thread_join(T, _) )),
    findall(W, thread_get_message(Found, W, [timeout(0)]), Wrong),
    message_queue_destroy(Found).

sgs_rounds(Rounds, I, Found) :-
    forall(between(1, Rounds, R), ( K is (R*5+I) mod 7, sgs_round(K, R, Found) )).

sgs_round(0, _, _) :- abolish_all_tables.
sgs_round(1, R, Found) :- X is 1 + R mod 60, aggregate_all(count, sgs_path(X, _), N), sgs_expect(path(X), N, 61, Found).
sgs_round(2, R, Found) :- X is 1 + R mod 60, aggregate_all(count, sgs_right(X, _), N), sgs_expect(right(X), N, 61, Found).
sgs_round(3, _, _) :- catch(( call_with_time_limit(0.002, aggregate_all(count, sgs_right(_, _), _)) -> true ; true ), time_limit_exceeded, true).
sgs_round(4, R, Found) :- X is 1 + R mod 60, catch(( sgs_path(X, _), throw(out) ), out, true), aggregate_all(count, sgs_path(X, _), N), sgs_expect(again(X), N, 61, Found).
sgs_round(5, R, Found) :- X is R mod 30, ( sgs_even(X) -> A = 1 ; A = 0 ), B is (X+1) mod 2, sgs_expect(even(X), A, B, Found).
sgs_round(6, _, _) :- abolish_table_subgoals(sgs_path(_, _)).

sgs_expect(_, N, N, _) :- !.
sgs_expect(What, N, M, Found) :- thread_send_message(Found, wrong(What, N, M)).
