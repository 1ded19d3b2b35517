%   Tables that threads share when they are complete: evaluated once, read by all, abolished for all. Generated programs are in cli/tests/datalog.rs.

:- use_module(library(lists)).
:- use_module(library(aggregate)).
:- use_module(library(wfs)).
:- use_module(library(tables)).

:- dynamic shr_count/2, shr_fact/1.
:- table shr_path/2 as shared.
:- table shr_terms/1 as shared.
:- table (shr_least(_, min)) as shared.
:- table shr_u/1 as shared.
:- table shr_facts/1 as shared.
:- table shr_ball/1 as shared.
:- table shr_queue/1 as shared.
:- table shr_even/1 as shared.
:- table shr_odd/1 as shared.
:- table shr_general/2 as (shared, subsumptive).
:- table shr_inc/1 as (shared, incremental).
:- dynamic shr_base/1 as incremental.
:- table shr_undone/1 as shared.
:- table shr_undone/1 as private.

shr_counted(Name) :-
    with_mutex(shr_counts, ( ( retract(shr_count(Name, N0)) -> true ; N0 = 0 ), N is N0+1, assertz(shr_count(Name, N)) )).
shr_counts(Name, N) :- ( shr_count(Name, N0) -> N = N0 ; N = 0 ).
shr_reset :- abolish_all_tables, retractall(shr_count(_, _)), retractall(shr_fact(_)), retractall(shr_base(_)).

shr_edge(X, Y) :- X < 300, Y is X+1.
shr_path(X, Y) :- shr_counted(path), shr_edge(X, Y).
shr_path(X, Y) :- shr_path(X, Z), shr_edge(Z, Y).
shr_terms(X) :-
    shr_counted(terms),
    numlist(1, 1000, L), length(V, 3),
    member(X, [f(Y, Y, _), "text", 123456789012345678901234567890, -1.5, a, L, V, 1r3, Y, [], '[]', g(0'a)]).
shr_least(X, D) :- shr_counted(least), member(X-D, [a-3, b-1, a-2, b-4, a-5]).
shr_u(X) :- shr_counted(u), member(X, [1, 2, 3]), ( X =:= 2 -> undefined ; true ).
shr_facts(X) :- shr_counted(facts), shr_fact(X).
shr_ball(X) :- shr_counted(ball), ( shr_fact(X) -> true ; throw(ball) ).
shr_queue(Q) :- shr_counted(queue), message_queue_create(Q).
shr_even(0).
shr_even(N) :- N > 0, shr_counted(even), M is N-1, shr_odd(M).
shr_odd(N) :- N > 0, M is N-1, shr_even(M).
shr_general(X, Y) :- shr_counted(general), member(X-Y, [1-a, 2-b, 2-c]).
shr_inc(X) :- shr_base(X).
shr_undone(1).

%   elsewhere(+Template, :Goal, -List): the solutions in another thread.
elsewhere(T, G, L) :-
    thread_self(Me),
    thread_create(( findall(T, G, L0), thread_send_message(Me, found(L0)) ), Thread),
    thread_get_message(found(L)),
    thread_join(Thread).

t(evaluated_once, ( shr_reset, findall(X, shr_path(1, X), A), elsewhere(X, shr_path(1, X), B), length(A, N), ( A == B -> E = same ; E = B ), shr_counts(path, C) ), [N, E, C], answers([[299, same, 1]])).
t(by_the_other_first, ( shr_reset, elsewhere(X, shr_path(1, X), B), findall(X, shr_path(1, X), A), ( A == B -> E = same ; E = B ), shr_counts(path, C) ), [E, C], answers([[same, 1]])).
t(any_terms, ( shr_reset, findall(X, shr_terms(X), A), elsewhere(X, shr_terms(X), B), ( A =@= B -> E = same ; E = B ), shr_counts(terms, C) ), [E, C], answers([[same, 1]])).
t(values, ( shr_reset, findall(X-D, shr_least(X, D), A0), msort(A0, A), elsewhere(X-D, shr_least(X, D), B0), msort(B0, B), shr_counts(least, C) ), [A, B, C], answers([[[a-2, b-1], [a-2, b-1], 1]])).
t(undefined_answers, ( shr_reset, findall(X-V, ( call_delays(shr_u(X), D), ( D == true -> V = t ; V = u ) ), A), elsewhere(X-V, ( call_delays(shr_u(X), D), ( D == true -> V = t ; V = u ) ), B), msort(A, A1), msort(B, B1), shr_counts(u, C) ), [A1, B1, C], answers([[[1-t, 2-u, 3-t], [1-t, 2-u, 3-t], 2]])).
t(abolished_by_another, ( shr_reset, assertz(shr_fact(1)), findall(X, shr_facts(X), A), assertz(shr_fact(2)), findall(X, shr_facts(X), B), elsewhere(x, abolish_all_tables, _), findall(X, shr_facts(X), C) ), [A, B, C], answers([[[1], [1], [1, 2]]])).
t(abolished_one_by_one, ( shr_reset, assertz(shr_fact(1)), findall(X, shr_facts(X), A), elsewhere(X, shr_facts(X), A), assertz(shr_fact(2)), abolish_table_call(shr_facts(_)), findall(X, shr_facts(X), B), elsewhere(X, shr_facts(X), C) ), [B, C], answers([[[1, 2], [1, 2]]])).
t(readers_go_on, ( shr_reset, findall(X, ( shr_path(1, X), ( X =:= 5 -> abolish_all_tables ; true ) ), L), length(L, N) ), [N], answers([[299]])).
t(readers_of_others_go_on, ( shr_reset, elsewhere(X, shr_path(1, X), _), findall(X, ( shr_path(1, X), ( X =:= 5 -> abolish_all_tables, garbage_collect ; true ) ), L), length(L, N) ), [N], answers([[299]])).
t(not_published_after_an_exception, ( shr_reset, catch(shr_ball(_), B, true), assertz(shr_fact(1)), elsewhere(X, shr_ball(X), L), findall(X, shr_ball(X), M), shr_counts(ball, C) ), [B, L, M, C], answers([[ball, [1], [1], 2]])).
t(queues_are_kept_by_who_has_them, ( shr_reset, findall(Q, shr_queue(Q), [Q]), elsewhere(Q2, shr_queue(Q2), [Q2]), Q \== Q2, thread_send_message(Q, hello), thread_get_message(Q, M) ), [M], answers([[hello]])).
t(mutual_recursion, ( shr_reset, ( shr_even(100) -> A = yes ; A = no ), elsewhere(x, shr_even(100), L), elsewhere(x, shr_odd(99), L2), elsewhere(x, shr_even(99), L3), shr_counts(even, C) ), [A, L, L2, L3, C], answers([[yes, [x], [x], [], 100]])).
t(calls_of_more_general_ones, ( shr_reset, findall(X-Y, shr_general(X, Y), _), elsewhere(Y, ( shr_general(_, _), fail ; shr_general(2, Y) ), L), shr_counts(general, C) ), [L, C], answers([[[b, c], 1]])).
t(abolished_while_it_is_evaluated, ( shr_reset, shr_late(L), elsewhere(X, shr_facts(X), M) ), [L, M], answers([[[1], [1, 2]]])).
t(properties, ( findall(H, predicate_property(shr_path(_, _), tabled(H)), L), findall(H, predicate_property(shr_inc(_), tabled(H)), M) ), [L, M], answers([[[variant, shared], [variant, incremental]]])).
t(incremental_ones_are_each_threads_own, ( shr_reset, assertz(shr_base(1)), findall(X, shr_inc(X), A), elsewhere(X, shr_inc(X), A), assertz(shr_base(2)), findall(X, shr_inc(X), B), elsewhere(X, shr_inc(X), B) ), [B], answers([[[1, 2]]])).
t(memory, ( shr_reset, statistics(shared_table_space_used, Before), findall(X, shr_path(1, X), _), statistics(shared_table_space_used, Held), abolish_all_tables, statistics(shared_table_space_used, After), ( Held > Before -> G = grown ; G = Held ) ), [Before, G, After], answers([[0, grown, 0]])).
%   A table that is complete before the rest of its SCC is published once, with that.
:- table (shr_e0/1, shr_ex/1, shr_ea/1, shr_el/1, shr_en/0) as shared.
:- table shr_eu/1.
shr_eu(1).
shr_e0(1).
shr_ex(X) :- between(1, 40, X).
shr_ex(X) :- catch(shr_ea(X), _, fail).
shr_ea(X) :- shr_el(X).
shr_ea(_) :- throw(x).
shr_el(X) :- shr_ex(X), X > 100.
shr_el(1) :- tnot(shr_en), shr_act.
shr_en :- shr_el(Y), Y == 99.
:- dynamic shr_waits/1.
shr_act :- thread_create(thread_get_message(end), T, []), assertz(shr_waits(T)).
t(complete_before_its_scc, ( abolish_all_tables, shr_e0(_), aggregate_all(count, shr_el(_), N), shr_eu(_), abolish_table_subgoals(shr_eu(_)), aggregate_all(count, shr_ex(_), M), elsewhere(X, shr_ex(X), L), length(L, K), forall(retract(shr_waits(T)), ( thread_send_message(T, end), thread_join(T) )) ), [N, M, K], answers([[1, 40, 40]])).
t(space, ( shr_reset, current_prolog_flag(shared_table_space, Was),
  setup_call_cleanup(set_prolog_flag(shared_table_space, 100), ( aggregate_all(count, shr_path(1, _), N), elsewhere(X, shr_path(1, X), L), length(L, M), statistics(shared_table_space_used, S) ), set_prolog_flag(shared_table_space, Was)),
  shr_counts(path, C) ), [N, M, S, C], answers([[299, 299, 0, 2]])).
t(abolished_by_who_has_none, findall(L, (
    member(A, [abolish_table_subgoals(shr_facts(_)), abolish_module_tables(user), abolish_nonincremental_tables]),
    shr_reset, assertz(shr_fact(1)), elsewhere(X, shr_facts(X), _), retractall(shr_fact(_)), assertz(shr_fact(2)), call(A), findall(X, shr_facts(X), L) ), Ls), [Ls],
  answers([[[[2], [2], [2]]]])).
t(private_ones_only, ( shr_reset, findall(X, shr_path(1, X), _), abolish_private_tables, findall(X, shr_path(1, X), _), shr_counts(path, A), abolish_shared_tables, findall(X, shr_path(1, X), _), shr_counts(path, B) ), [A, B], answers([[1, 2]])).
t(untabled_and_tabled_again, ( shr_reset, assertz(shr_fact(1)), findall(X, shr_facts(X), A), untable(shr_facts/1), assertz(shr_fact(2)), table(shr_facts/1 as shared), findall(X, shr_facts(X), B) ), [A, B], answers([[[1], [1, 2]]])).
t(inspection, ( shr_reset, elsewhere(X, shr_path(290, X), _), \+ \+ shr_path(290, _), aggregate_all(count, ( get_calls(shr_path(290, _), T, _), get_returns(T, _) ), N) ), [N], answers([[10]])).
t(undone, findall(H, predicate_property(shr_undone(_), tabled(H)), L), [L], answers([[[variant]]])).
t(storm, ( shr_reset, shr_storm(6, 60, Wrong) ), [Wrong], answers([[[]]])).

%   The table is being evaluated by this thread while another abolishes all.
:- table shr_slow/1 as shared.
shr_slow(X) :- shr_fact(X), elsewhere(x, abolish_all_tables, _).
shr_late(L) :- assertz(shr_fact(1)), findall(X, shr_slow(X), L), assertz(shr_fact(2)), findall(X, shr_slow(X), [1, 2]).

%   shr_storm(+Threads, +Rounds, -Wrong): threads that ask, abolish, are timed out and are killed.
shr_storm(Threads, Rounds, Wrong) :-
    findall(Id, ( between(1, Threads, K), thread_create(shr_rounds(K, Rounds, []), Id) ), Ids),
    findall(Id, ( between(1, 10, K), thread_create(shr_rounds(K, 1000000, []), Id) ), Victims),
    forall(member(V, Victims), ( sleep(0.01), catch(thread_signal(V, throw(killed)), _, true) )),
    findall(W, ( member(Id, Ids), thread_join(Id, Status), ( Status = exited([]) -> fail ; W = Status ) ), Wrong0),
    findall(W, ( member(V, Victims), thread_join(V, Status), ( Status = exception(killed) -> fail ; W = Status ) ), Wrong1),
    append(Wrong0, Wrong1, Wrong).

shr_rounds(_, 0, Wrong) :- thread_exit(Wrong).
shr_rounds(K, N, Wrong) :-
    From is 290 + (K*N) mod 9,
    (   N mod 7 =:= 0
    ->  catch(call_with_time_limit(0.0005, aggregate_all(count, shr_path(1, _), _)), time_limit_exceeded, true)
    ;   true
    ),
    ( N mod 11 =:= K -> abolish_all_tables ; true ),
    aggregate_all(count, shr_path(From, _), C),
    ( C =:= 300-From -> Wrong1 = Wrong ; Wrong1 = [From-C|Wrong] ),
    M is N-1,
    shr_rounds(K, M, Wrong1).
