% Transactions and snapshots: what they see, what others see, what becomes of changes; and random histories of nested ones, with changes by another thread between, against
% a model that is a list of clauses and sets of those that are visible.
%
%     samite tests/prolog/transactions.pl -g "histories(1, 1000), halt"

:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(random)).

:- dynamic([txs_p/1, txs_q/1, txs_f/2, txs_acc/2, txs_seen/1, txs_t/1, txs_big/2]).
:- thread_local(txs_l/1).
:- dynamic(txs_d/1 as incremental).
:- table(txs_i/1 as incremental).
txs_i(X) :- txs_d(X).
:- table(txs_plain/1).
txs_plain(X) :- txs_p(X).

txs_reset :-
    forall(member(P, [txs_p(_), txs_q(_), txs_f(_, _), txs_acc(_, _), txs_seen(_), txs_t(_), txs_d(_), txs_l(_)]), retractall(P)),
    abolish_all_tables.
txs_facts(L) :- txs_reset, forall(member(X, L), assertz(txs_p(X))).
txs_all(L) :- findall(X, txs_p(X), L).

% Throws so many transactions deep.
txs_deep(0) :- !, throw(out).
txs_deep(N) :- M is N-1, transaction(( assertz(txs_p(N)), txs_deep(M) )).

% What another thread sees.
txs_elsewhere(Template, Goal, L) :-
    thread_self(Me),
    thread_create(( findall(Template, Goal, L0), thread_send_message(Me, txs_found(L0)) ), T),
    thread_join(T),
    thread_get_message(txs_found(L)).
txs_elsewhere(Goal) :- thread_create(Goal, T), thread_join(T, S), S == true.
txs_others(L) :- txs_elsewhere(X, txs_p(X), L).

% Changes are seen inside, then by all

t(add, ( txs_facts([1]), transaction(( assertz(txs_p(2)), asserta(txs_p(0)), txs_all(L), txs_others(M) )), txs_all(N) ), [L, M, N], answers([[[0, 1, 2], [1], [0, 1, 2]]])).
t(erase, ( txs_facts([1, 2, 3]), transaction(( retract(txs_p(2)), txs_all(L), txs_others(M) )), txs_all(N) ), [L, M, N], answers([[[1, 3], [1, 2, 3], [1, 3]]])).
t(erase_all, ( txs_facts([1, 2, 3]), transaction(( retractall(txs_p(_)), txs_all(L), txs_others(M) )), txs_all(N) ), [L, M, N], answers([[[], [1, 2, 3], []]])).
t(add_and_erase, ( txs_facts([1]), transaction(( assertz(txs_p(2)), retract(txs_p(2)), txs_all(L) )), txs_all(N) ), [L, N], answers([[[1], [1]]])).
t(fails, ( txs_facts([1, 2]), \+ transaction(( assertz(txs_p(3)), retract(txs_p(1)), fail )), txs_all(L) ), [L], answers([[[1, 2]]])).
t(throws, ( txs_facts([1, 2]), catch(transaction(( assertz(txs_p(3)), retract(txs_p(1)), throw(out) )), out, true), txs_all(L) ), [L], answers([[[1, 2]]])).
t(is_once, ( txs_facts([1, 2]), findall(X, transaction(( txs_p(X), assertz(txs_p(X)) )), L), txs_all(M) ), [L, M], answers([[[1], [1, 2, 1]]])).
t(cut_is_local, ( txs_facts([]), ( transaction(( assertz(txs_p(1)), ! )), fail ; true ), txs_all(L) ), [L], answers([[[1]]])).
t(result, transaction(X = 1), [X], answers([[1]])).
t(snapshot, ( txs_facts([1]), snapshot(( assertz(txs_p(2)), retract(txs_p(1)), txs_all(L) )), txs_all(M) ), [L, M], answers([[[2], [1]]])).
t(walk_goes_on, ( txs_facts([1, 2, 3]), transaction(findall(X, ( txs_p(X), ignore(retract(txs_p(2))), assertz(txs_p(4)) ), L)), txs_all(M) ), [L, M], answers([[[1, 2, 3], [1, 3, 4, 4, 4]]])).
t(walk_from_before, ( txs_facts([1, 2, 3]), findall(X-L, ( txs_p(X), ( X == 1 -> transaction(( retract(txs_p(2)), assertz(txs_p(4)) )) ; true ), txs_all(L) ), M) ), [M],
    answers([[[1-[1, 3, 4], 2-[1, 3, 4], 3-[1, 3, 4]]]])).

% Others go on

t(others_are_not_seen, ( txs_facts([1]), transaction(( txs_elsewhere(assertz(txs_p(2))), txs_all(L), txs_others(M) )), txs_all(N) ), [L, M, N], answers([[[1], [1, 2], [1, 2]]])).
t(what_others_erase_stays, ( txs_facts([1, 2]), transaction(( txs_elsewhere(retract(txs_p(1))), txs_all(L), txs_others(M) )), txs_all(N) ), [L, M, N], answers([[[1, 2], [2], [2]]])).
t(what_others_erase_in_many_steps_stays, ( txs_reset, numlist(1, 200, L0), txs_facts(L0), transaction(( txs_elsewhere(( retractall(txs_p(_)), forall(between(1, 500, X), ( assertz(txs_p(X)), retract(txs_p(X)) )) )), txs_all(L), txs_p(77), \+ txs_p(201) )),
    ( L == L0 -> A = same ; A = other ), txs_all(M) ), [A, M], answers([[same, []]])).
t(both_erase, ( txs_facts([1, 2]), transaction(( retract(txs_p(1)), txs_elsewhere(retract(txs_p(1))) )), txs_all(L) ), [L], answers([[[2]]])).
t(both_erase_the_other_first, ( txs_facts([1, 2]), transaction(( txs_elsewhere(retract(txs_p(1))), retract(txs_p(1)) )), txs_all(L) ), [L], answers([[[2]]])).
t(two_transactions, ( txs_facts([1, 2]), transaction(( retract(txs_p(1)), assertz(txs_p(3)), txs_elsewhere(transaction(( txs_p(1), retract(txs_p(1)), assertz(txs_p(4)) ))), txs_all(L) )), txs_all(M) ), [L, M], answers([[[2, 3], [2, 3, 4]]])).
t(what_others_abolish, ( dynamic(txs_ab/1), forall(between(1, 20, X), assertz(txs_ab(X))), transaction(( txs_ab(1), txs_elsewhere(abolish(txs_ab/1)), assertz(txs_ab(21)) )), findall(X, txs_ab(X), L) ), [L], answers([[[21]]])).

% Nested

t(inner, ( txs_facts([1]), transaction(( assertz(txs_p(2)), transaction(( assertz(txs_p(3)), retract(txs_p(1)) )), txs_all(L), txs_others(M) )), txs_all(N) ), [L, M, N], answers([[[2, 3], [1], [2, 3]]])).
t(inner_fails, ( txs_facts([1]), transaction(( assertz(txs_p(2)), \+ transaction(( assertz(txs_p(3)), retract(txs_p(2)), retract(txs_p(1)), fail )), txs_all(L) )), txs_all(N) ), [L, N], answers([[[1, 2], [1, 2]]])).
t(inner_succeeds_outer_fails, ( txs_facts([1]), \+ transaction(( transaction(( assertz(txs_p(3)), retract(txs_p(1)) )), fail )), txs_all(N) ), [N], answers([[[1]]])).
% A clause that is erased while somebody's snapshot sees it keeps its name until it leaves the lists, in whatever way.
txs_named(Ends, L) :-
    txs_facts([]), assertz(txs_p(1), R), assertz(txs_p(2)), thread_self(Me),
    thread_create(snapshot(( thread_send_message(Me, in), thread_get_message(go) )), T), thread_get_message(in),
    retract(txs_p(1)), thread_send_message(T, go), thread_join(T), call(Ends), garbage_collect_clauses,
    forall(between(3, 60, I), assertz(txs_p(I))),
    findall(H, catch(clause(H, true, R), error(existence_error(db_reference, _), _), fail), L).
t(name_ends_with_retractall, txs_named(retractall(txs_p(_)), L), [L], answers([[[]]])).
t(name_ends_with_abolish, txs_named(( abolish(txs_p/1), dynamic(txs_p/1) ), L), [L], answers([[[]]])).
t(name_ends_by_itself, txs_named(true, L), [L], answers([[[]]])).
t(snapshot_in_transaction, ( txs_facts([1]), transaction(( assertz(txs_p(2)), snapshot(( assertz(txs_p(3)), txs_all(L) )), txs_all(M) )), txs_all(N) ), [L, M, N], answers([[[1, 2, 3], [1, 2], [1, 2]]])).
t(transaction_in_snapshot, ( txs_facts([1]), snapshot(( transaction(assertz(txs_p(3))), txs_all(M) )), txs_all(N) ), [M, N], answers([[[1, 3], [1]]])).
t(erased_again_after_an_inner_one, ( txs_facts([1]), transaction(( \+ transaction(( retract(txs_p(1)), fail )), retract(txs_p(1)) )), txs_all(N) ), [N], answers([[[]]])).
t(throws_through_three, ( txs_facts([1]), catch(transaction(( assertz(txs_p(2)), snapshot(( assertz(txs_p(3)), transaction(( assertz(txs_p(4)), throw(x) )) )) )), x, true), txs_all(N) ), [N], answers([[[1]]])).

% Nothing leaves one but through its end: a tabled call that would wait outside, a continuation

txs_e(1, 2). txs_e(2, 3). txs_e(3, 1).
:- table([txs_path/2, txs_loc/2, txs_far/1, txs_neg/1, txs_pos/1]).
txs_path(X, Y) :- txs_e(X, Y).
txs_path(X, Y) :- transaction(txs_path(X, Z)), txs_e(Z, Y).
txs_loc(X, Y) :- txs_e(X, Y).
txs_loc(X, Y) :- txs_loc(X, Z), txs_e(Z, Y).
txs_far(X) :- transaction(findall(Y, txs_loc(X, Y), L)), member(X, L).
txs_neg(X) :- snapshot(tnot(txs_pos(X))).
txs_pos(1) :- txs_neg(1).
txs_refused(G, R) :- catch(( G, R = no ), error(permission_error(A, B, C), _), R = A-B-C).
t(table_around, ( txs_facts([1]), txs_refused(txs_path(1, _), R), txs_all(L), \+ current_transaction(_) ), [R, L], answers([[evaluate-incomplete_table-(user:txs_path/2), [1]]])).
t(table_around_another, ( txs_facts([1]), catch(transaction(( retract(txs_p(1)), assertz(txs_p(2)), txs_refused(findall(Y, txs_path(1, Y), _), _), throw(oops) )), oops, true), txs_all(L) ), [L], answers([[[1]]])).
t(negated_table_around, txs_refused(txs_neg(1), R), [R], answers([[evaluate-incomplete_table-(user:txs_neg/1)]])).
t(table_within, ( abolish_all_tables, findall(X, txs_far(X), L00), sort(L00, L0), findall(Y, transaction(txs_loc(1, Y)), L1), length(L1, N), transaction(findall(Y, txs_loc(1, Y), L2)), sort(L2, L3) ), [L0, N, L3], answers([[[1, 2, 3], 1, [1, 2, 3]]])).
t(shifted_out, ( txs_facts([1]), catch(reset(transaction(( assertz(txs_p(2)), shift(a) )), a, _), error(E, _), true), txs_all(L), \+ current_transaction(_) ), [E, L], answers([[existence_error(reset, a), [1]]])).
t(shifted_within, ( txs_facts([1]), transaction(( reset(( assertz(txs_p(2)), shift(a), assertz(txs_p(3)) ), a, C), call(C), call(C) )), txs_all(L) ), [L], answers([[[1, 2, 3, 3]]])).
t(shifted_out_of_a_constraint, ( txs_facts([1]), catch(reset(transaction(assertz(txs_p(2)), shift(a), txs_mutex), a, _), error(E, _), true), txs_all(L), \+ current_transaction(_) ), [E, L], answers([[existence_error(reset, a), [1]]])).

% Predicates that become static, are abolished or loaded meanwhile

t(compiled, ( dynamic(txs_c1/1), txs_refused(transaction(( assertz(txs_c1(1)), compile_predicates([txs_c1/1]) )), R), assertz(txs_c1(2)), findall(X, txs_c1(X), L) ), [R, L], answers([[compile-procedure_in_transaction-(txs_c1/1), [2]]])).
t(compiled_after_an_erasure, ( dynamic(txs_c2/1), assertz(txs_c2(1)), transaction(( retract(txs_c2(1)), txs_refused(compile_predicates([txs_c2/1]), R) )), findall(X, txs_c2(X), L) ), [R, L], answers([[compile-procedure_in_transaction-(txs_c2/1), []]])).
t(compiled_by_another, ( dynamic(txs_c3/1), transaction(( assertz(txs_c3(1)), txs_elsewhere(R, txs_refused(compile_predicates([txs_c3/1]), R), Rs) )), compile_predicates([txs_c3/1]), findall(X, txs_c3(X), L) ), [Rs, L], answers([[[compile-procedure_in_transaction-(txs_c3/1)], [1]]])).
t(compiled_by_another_after_an_erasure, ( dynamic(txs_c4/1), forall(member(X, [1, 2]), assertz(txs_c4(X))), transaction(( retract(txs_c4(1)), txs_elsewhere(R, txs_refused(compile_predicates([txs_c4/1]), R), Rs), findall(X, txs_c4(X), In) )), findall(X, txs_c4(X), After), ignore(transaction(( retract(txs_c4(2)), fail ))), compile_predicates([txs_c4/1]), findall(X, txs_c4(X), L) ), [Rs, In, After, L], answers([[[compile-procedure_in_transaction-(txs_c4/1)], [2], [2], [2]]])).
txs_abolished(How, N, L) :-
    dynamic(txs_ab2/1), retractall(txs_ab2(_)),
    forall(between(1, N, X), assertz(txs_ab2(X))),
    transaction(( call(How), txs_elsewhere(abolish(txs_ab2/1)), txs_elsewhere(( garbage_collect_clauses, forall(between(1, 500, X), assertz(txs_big(X, x))) )) )),
    findall(X, txs_big(X, _), L0), length(L0, L), retractall(txs_big(_, _)).
t(abolished_with_additions, txs_abolished(forall(between(1, 300, X), assertz(txs_ab2(X))), 0, L), [L], answers([[500]])).
t(abolished_with_erasures, txs_abolished(retractall(txs_ab2(_)), 300, L), [L], answers([[500]])).
% (Loads within loads: each has a list of its own.)
txs_loads(B, L, M) :-
    txs_file("", F2), txs_file("", F3), atomic_list_concat([":- dynamic(txs_la/1). :- load_files('", F3, "', [silent(true)]). txs_la(5)."], Inner),
    D = ":- dynamic(txs_la/1). ", atomics_to_string([D, "txs_la(1)."], Other), atomics_to_string([D, "txs_la(0)."], First),
    asserta(user:message_hook(_, _, _), Hook),
    forall(member(_, [1, 2, 3]), ( txs_load(F3, Other), txs_load(F2, First) )),
    transaction(( call(B),
        txs_elsewhere(txs_load(F2, Inner)),
        txs_elsewhere(( garbage_collect_clauses, forall(between(1, 500, X), assertz(txs_big(X, x))), retractall(txs_big(_, _)) )),
        txs_elsewhere(txs_load(F3, Other)),
        txs_elsewhere(( garbage_collect_clauses, forall(between(1, 500, X), assertz(txs_big(X, x))), retractall(txs_big(_, _)) )),
        findall(X, clause(txs_la(X), true), L) )),
    erase(Hook), delete_file(F2), delete_file(F3),
    findall(X, txs_la(X), M).
txs_load(F, Text) :- txs_write(F, Text), load_files(F, [silent(true)]).
t(loads_in_loads, txs_loads(true, L, M), [L, M], answers([[[0], [1]]])).
t(loads_in_loads_with_additions, txs_loads(assertz(txs_la(7)), [X|_], _), [X], answers([[0]])).
txs_file(Text, File) :- tmp_file(txs, File0), atom_concat(File0, '.pl', File), txs_write(File, Text).
txs_write(File, Text) :- setup_call_cleanup(open(File, write, S), write(S, Text), close(S)).
t(loaded_and_given_up, ( txs_file(":- dynamic(txs_f1/1). txs_f1(1). txs_f1(2). txs_f2(1).", F),
    \+ transaction(( ensure_loaded(F), findall(X, txs_f1(X), L0), nb_setval(txs_l0, L0), txs_elsewhere(X, txs_f1(X), M0), nb_setval(txs_m0, M0), retract(txs_f1(1)), findall(X, txs_f1(X), N0), nb_setval(txs_n0, N0), fail )),
    ensure_loaded(F), nb_getval(txs_l0, L), nb_getval(txs_m0, M), nb_getval(txs_n0, N), findall(X, txs_f1(X), O), delete_file(F) ), [L, M, N, O], answers([[[1, 2], [1, 2], [2], [1, 2]]])).
t(loaded_again_as_static, ( txs_file(":- dynamic(txs_r1/1). txs_r1(1). txs_r1(2).", F), load_files(F, [silent(true)]),
    transaction(( assertz(txs_r1(3)), txs_write(F, "txs_r1(2). txs_r1(5)."), load_files(F, [silent(true)]) )), findall(X, txs_r1(X), L0), msort(L0, L), delete_file(F) ), [L], answers([[[2, 3, 5]]])).

% References

t(reference_of_what_is_added_and_erased, ( txs_facts([]), transaction(( assertz(txs_p(1), R), erase(R), ( clause(_, _, R) -> A = yes ; A = no ) )) ), [A], answers([[no]])).
t(reference_of_what_an_outer_one_has_added, ( txs_facts([]), transaction(( assertz(txs_p(1), R), transaction(( erase(R), ( clause(_, _, R) -> A = yes ; A = no ) )), ( clause(_, _, R) -> B = yes ; B = no ) )) ), [A, B], answers([[yes, no]])).
t(reference_of_what_is_committed_meanwhile, ( txs_facts([]), transaction(( txs_elsewhere(assertz(txs_p(1))), txs_elsewhere(R, clause(txs_p(1), true, R), [R]), ( clause(_, _, R) -> A = yes ; A = no ) )), ( clause(_, _, R) -> B = yes ; B = no ) ), [A, B], answers([[no, yes]])).

% What has been erased, in many steps: walks that began before see it

t(counter, ( txs_facts([0]), transaction(forall(between(1, 3000, _), ( retract(txs_p(X)), Y is X+1, assertz(txs_p(Y)) ))), txs_all(L) ), [L], answers([[[3000]]])).
t(queue, ( numlist(1, 300, L0), txs_facts(L0), transaction(forall(between(1, 900, _), ( retract(txs_p(X)), Y is X+300, assertz(txs_p(Y)) ))), txs_all([A|L]), length(L, N) ), [A, N], answers([[901, 299]])).
t(stack, ( txs_facts([0]), transaction(( forall(between(1, 300, X), asserta(txs_p(X))), forall(between(1, 200, _), once(( txs_p(X), retract(txs_p(X)) ))), txs_p(T) )), txs_all([H|_]) ), [T, H], answers([[100, 100]])).
t(restored, ( numlist(1, 40, L0), txs_facts(L0), transaction(( \+ transaction(( forall(between(1, 30, _), retract(txs_p(_))), once(txs_p(X)), nb_setval(txs_x, X), fail )), once(txs_p(Y)) )), nb_getval(txs_x, X1) ), [X1, Y], answers([[31, 1]])).
t(restored_between, ( numlist(1, 60, L0), txs_facts(L0), transaction(( forall(between(1, 20, X), retract(txs_p(X))), once(txs_p(_)), \+ transaction(( forall(between(21, 50, X), ( X mod 10 =\= 0 -> retract(txs_p(X)) ; true )),
    once(txs_p(_)), transaction(( retract(txs_p(30)), retract(txs_p(51)), \+ txs_p(29), txs_all(A) )), nb_setval(txs_x, A), fail )), txs_all(B), once(txs_p(Y)) )), nb_getval(txs_x, A1), length(B, N) ), [A1, N, Y], answers([[[40, 50, 52, 53, 54, 55, 56, 57, 58, 59, 60], 40, 21]])).
t(given_up_many_times, ( txs_facts([0]), transaction(forall(between(1, 3000, _), ( retract(txs_p(X)), Y is X+1, assertz(txs_p(Y)), ignore(transaction(( retract(txs_p(Z)), assertz(txs_p(Z)), once(txs_p(_)), fail ))) ))), txs_all(L) ), [L], answers([[[3000]]])).
t(deeply_nested, ( txs_facts([0]), run_size(30000, Size), catch(txs_deep(Size), out, true), txs_all(L) ), [L], answers([[[0]]])).
t(walk_over_what_is_erased, ( numlist(1, 40, L0), txs_facts(L0), transaction(findall(X, ( txs_p(X), ( X == 3 -> forall(between(1, 30, _), retract(txs_p(_))), once(txs_p(_)) ; true ) ), L)), length(L, N), txs_all([H|_]) ), [N, H], answers([[40, 31]])).
t(renewed, ( numlist(1, 20, L0), txs_facts(L0), transaction(( forall(between(1, 20, _), retract(txs_p(_))), \+ txs_p(_), txs_elsewhere(assertz(txs_p(99))), \+ txs_p(_) ), txs_p(99), txs_mutex), txs_all(L) ), [L], answers([[[99]]])).
t(updates_beside_a_snapshot, ( txs_facts([0]), thread_self(Me), thread_create(snapshot(( txs_all(L), thread_send_message(Me, in), thread_get_message(go), txs_all(M), thread_send_message(Me, seen(L, M)) )), T), thread_get_message(in),
    forall(between(1, 2000, _), transaction(( retract(txs_p(X)), Y is X+1, assertz(txs_p(Y)) ))), thread_send_message(T, go), thread_get_message(seen(L1, M1)), thread_join(T), txs_all(N) ), [L1, M1, N], answers([[[0], [0], [2000]]])).

% What can be asked

t(updates, ( txs_facts([1, 2]), transaction(( assertz(txs_p(3), A), asserta(txs_p(0), B), clause(txs_p(2), true, C), erase(C), assertz(txs_p(9), D), erase(D), transaction_updates(L) )), ( L == [assertz(A), asserta(B), erased(C)] -> R = same ; R = L ) ), [R], answers([[same]])).
t(updates_of_the_inner_one, ( txs_facts([1]), transaction(( assertz(txs_p(3)), transaction(( assertz(txs_p(4), B), transaction_updates(L) )), transaction_updates(M) )), ( L == [assertz(B)] -> R = same ; R = L ), length(M, N) ), [R, N], answers([[same, 2]])).
t(updates_outside, transaction_updates(_), [], fails).
t(what_is_erased_can_be_read, ( txs_facts([1]), transaction(( retract(txs_p(1)), transaction_updates([erased(R)]), clause(H, B, R) )) ), [H, B], answers([[txs_p(1), true]])).
t(current, transaction(snapshot(findall(G, ( current_transaction(G0), functor(G0, G, _) ), L))), [L], answers([[[findall, snapshot]]])).
t(none_is_current, ( transaction(true), current_transaction(_) ), [], fails).
t(none_is_current_after_failure, ( ( transaction(fail) -> true ; true ), current_transaction(_) ), [], fails).
t(number_of_clauses, ( txs_facts([1, 2]), transaction(( assertz(txs_p(3)), assertz(txs_p(4)), retract(txs_p(1)), predicate_property(txs_p(_), number_of_clauses(N)), txs_elsewhere(M, predicate_property(txs_p(_), number_of_clauses(M)), Ms) )),
    predicate_property(txs_p(_), number_of_clauses(K)) ), [N, Ms, K], answers([[3, [2], 3]])).
t(nth, ( txs_facts([1, 2, 3]), transaction(( retract(txs_p(2)), nth_clause(txs_p(_), 2, R), clause(txs_p(X), _, R), nth_clause(_, N, R) )) ), [X, N], answers([[3, 2]])).
t(references, ( txs_facts([1]), clause(txs_p(1), true, R), transaction(( erase(R), ( catch(erase(R), _, fail) -> A = yes ; A = no ) )), ( catch(erase(R), _, fail) -> B = yes ; B = no ) ), [A, B], answers([[yes, no]])).
t(reference_of_what_is_given_up, ( txs_facts([]), \+ transaction(( assertz(txs_p(1), R), nb_setval(txs_ref, R), fail )), nb_getval(txs_ref, R), ( clause(_, _, R) -> A = yes ; A = no ), nb_setval(txs_ref, 0) ), [A], answers([[no]])).
t(reference_of_what_others_do_not_see, ( txs_facts([]), transaction(( assertz(txs_p(1), R), txs_elsewhere(H, clause(H, _, R), L), txs_elsewhere(x, catch(erase(R), _, fail), M), txs_all(N) )) ), [L, M, N], answers([[[], [], [1]]])).
t(new_predicate, ( \+ transaction(( assertz(txs_new(1)), fail )), findall(X, txs_new(X), L) ), [L], answers([[[]]])).
t(thread_local, ( txs_reset, assertz(txs_l(1)), \+ transaction(( assertz(txs_l(2)), retract(txs_l(1)), fail )), findall(X, txs_l(X), L), transaction(( assertz(txs_l(2)), retract(txs_l(1)) )), findall(X, txs_l(X), M) ), [L, M], answers([[[1], [2]]])).
t(other_state_stays, ( \+ transaction(( nb_setval(txs_g, 1), flag(txs_flag, _, 7), fail )), nb_getval(txs_g, G), flag(txs_flag, F, F) ), [G, F], answers([[1, 7]])).
t(rules, ( txs_facts([]), transaction(( assertz((txs_p(X) :- X = 1, true)), assertz((txs_p(X) :- member(X, [2, 3]))), txs_all(L) )), txs_all(M) ), [L, M], answers([[[1, 2, 3], [1, 2, 3]]])).

% Constraints

t(constraint_holds, ( txs_facts([1]), transaction(assertz(txs_p(2)), txs_p(2), txs_mutex), txs_all(L) ), [L], answers([[[1, 2]]])).
t(constraint_fails, ( txs_facts([1]), \+ transaction(assertz(txs_p(2)), \+ txs_p(2), txs_mutex), txs_all(L) ), [L], answers([[[1]]])).
t(constraint_sees_others, ( txs_facts([1]), \+ transaction(( assertz(txs_p(2)), txs_elsewhere(assertz(txs_p(3))), \+ txs_p(3) ), \+ txs_p(3), txs_mutex), txs_all(L) ), [L], answers([[[1, 3]]])).
t(constraint_throws, ( txs_facts([1]), catch(transaction(assertz(txs_p(2)), throw(no), txs_mutex), no, true), txs_all(L), mutex_trylock(txs_mutex), mutex_unlock(txs_mutex) ), [L], answers([[[1]]])).
t(constraint_is_locked, transaction(true, txs_elsewhere(\+ mutex_trylock(txs_mutex)), txs_mutex), [], answers([[]])).

% Errors

t(unbound, transaction(_), [], throws(instantiation_error)).
t(no_goal, transaction(1), [], throws(type_error(callable, 1))).
t(no_goal_in_snapshot, snapshot(1), [], throws(type_error(callable, 1))).
t(no_options, transaction(true, x), [], throws(type_error(list, x))).
t(no_bulk, transaction(true, [bulk(maybe)]), [], throws(type_error(bool, maybe))).
t(unbound_mutex, transaction(true, true, _), [], throws(instantiation_error)).
t(no_mutex, transaction(true, true, 1), [], throws(type_error(mutex, 1))).
t(waits_for_nothing, transaction(thread_wait(true, [])), [], throws(permission_error(thread, wait, true))).

% Whoever ends one

t(ended_by_a_kill, ( txs_facts([1]), thread_self(Me), thread_create(transaction(( assertz(txs_p(2)), retract(txs_p(1)), thread_send_message(Me, in), thread_get_message(_) )), T), thread_get_message(in), thread_signal(T, abort), thread_join(T, _), txs_all(L) ), [L], answers([[[1]]])).
t(ended_by_a_limit, ( txs_facts([1]), catch(call_with_time_limit(0.05, transaction(( assertz(txs_p(2)), repeat, fail ))), time_limit_exceeded, true), txs_all(L) ), [L], answers([[[1]]])).
t(ended_with_its_engine, ( txs_facts([1]), engine_create(X, transaction(( assertz(txs_p(2)), engine_yield(a), X = b )), E), engine_next(E, A), txs_all(L), engine_destroy(E), txs_all(M) ), [A, L, M], answers([[a, [1], [1]]])).
t(goes_on_with_its_engine, ( txs_facts([1]), engine_create(X, transaction(( assertz(txs_p(2)), engine_yield(a), findall(Y, txs_p(Y), X) )), E), engine_next(E, A), txs_all(L), engine_next(E, B), txs_all(M), engine_destroy(E) ), [A, L, B, M], answers([[a, [1], [1, 2], [1, 2]]])).
t(ended_in_a_thread, ( txs_facts([1]), thread_create(transaction(( assertz(txs_p(2)), thread_exit(x) )), T), thread_join(T, S), txs_all(L) ), [S, L], native(answers([[exited(x), [1]]]))).

% Tables

txs_tabled(L) :- findall(X, txs_i(X), L0), sort(L0, L).
txs_plainly(L) :- findall(X, txs_plain(X), L0), sort(L0, L).
t(table_committed, ( txs_reset, assertz(txs_d(1)), txs_tabled(A), transaction(( assertz(txs_d(2)), txs_tabled(B) )), txs_tabled(C) ), [A, B, C], answers([[[1], [1, 2], [1, 2]]])).
t(table_given_up, ( txs_reset, assertz(txs_d(1)), txs_tabled(A), \+ transaction(( assertz(txs_d(2)), txs_tabled(B), nb_setval(txs_b, B), fail )), nb_getval(txs_b, B1), txs_tabled(C) ), [A, B1, C], answers([[[1], [1, 2], [1]]])).
t(table_of_a_snapshot, ( txs_reset, assertz(txs_d(1)), snapshot(( retract(txs_d(1)), txs_tabled(A) )), txs_tabled(B) ), [A, B], answers([[[], [1]]])).
t(table_nested, ( txs_reset, assertz(txs_d(1)), transaction(( assertz(txs_d(2)), txs_tabled(A), snapshot(( assertz(txs_d(3)), retract(txs_d(1)), txs_tabled(B) )), txs_tabled(C) )), txs_tabled(D) ), [A, B, C, D], answers([[[1, 2], [2, 3], [1, 2], [1, 2]]])).
t(table_and_others, ( txs_reset, assertz(txs_d(1)), transaction(( txs_tabled(A), txs_elsewhere(assertz(txs_d(2))), txs_tabled(B) )), txs_tabled(C) ), [A, B, C], answers([[[1], [1], [1, 2]]])).
t(table_begun_late_and_others, ( txs_reset, assertz(txs_d(1)), transaction(( txs_elsewhere(assertz(txs_d(2))), txs_tabled(B) )), txs_tabled(C) ), [B, C], answers([[[1], [1, 2]]])).
t(table_elsewhere, ( txs_reset, assertz(txs_d(1)), transaction(( assertz(txs_d(2)), txs_tabled(A), txs_elsewhere(L, txs_tabled(L), B) )), txs_elsewhere(L, txs_tabled(L), C) ), [A, B, C], answers([[[1, 2], [[1]], [[1, 2]]]])).
t(table_of_a_thread_that_stays, ( txs_reset, assertz(txs_d(1)), thread_self(Me),
    thread_create(( txs_tabled(A), thread_send_message(Me, A), thread_get_message(go), txs_tabled(B), thread_send_message(Me, B), thread_get_message(go), txs_tabled(C), thread_send_message(Me, C) ), T),
    thread_get_message(X), transaction(( assertz(txs_d(2)), thread_send_message(T, go), thread_get_message(Y) )), thread_send_message(T, go), thread_get_message(Z), thread_join(T) ), [X, Y, Z], answers([[[1], [1], [1, 2]]])).
t(plain_table_given_up, ( txs_facts([1]), snapshot(( assertz(txs_p(2)), txs_plainly(A) )), txs_plainly(B) ), [A, B], answers([[[1, 2], [1]]])).
t(table_constraint, ( txs_reset, assertz(txs_d(1)), \+ transaction(( assertz(txs_d(2)), txs_tabled(_), txs_elsewhere(assertz(txs_d(3))) ), ( txs_tabled(L), assertz(txs_seen(L)), \+ memberchk(3, L) ), txs_mutex), txs_tabled(M) ), [M], answers([[[1, 3]]])).

% Who listens

txs_note(rollback(A), Ref) :- !, clause(txs_t(X), true, Ref), nb_getval(txs_told, L), nb_setval(txs_told, [back(A, X)|L]).
txs_note(A, Ref) :- ( clause(txs_t(X), true, Ref) -> true ; X = Ref ), nb_getval(txs_told, L), nb_setval(txs_told, [A-X|L]), X \== veto.
txs_listen(G, L) :- txs_reset, prolog_unlisten(txs_t/1, txs_note), assertz(txs_t(0)), prolog_listen(txs_t/1, txs_note), nb_setval(txs_told, []), ignore(G), prolog_unlisten(txs_t/1, txs_note), nb_getval(txs_told, L0), reverse(L0, L).
t(told_at_once, txs_listen(transaction(( assertz(txs_t(1)), retract(txs_t(0)), nb_getval(txs_told, L0), nb_setval(txs_told, [end|L0]) )), L), [L], answers([[[assertz-1, retract-0, end]]])).
t(told_of_what_is_given_up, txs_listen(transaction(( assertz(txs_t(1)), asserta(txs_t(2)), retract(txs_t(0)), fail )), L), [L], answers([[[assertz-1, asserta-2, retract-0, back(retract, 0), back(asserta, 2), back(assertz, 1)]]])).
t(told_in_bulk, txs_listen(transaction(( assertz(txs_t(1)), asserta(txs_t(2)), retract(txs_t(2)), retract(txs_t(0)), nb_getval(txs_told, L0), nb_setval(txs_told, [end|L0]) ), [bulk(true)]), L), [L], answers([[[end, assertz-1, retract-0]]])).
t(told_nothing_in_bulk, txs_listen(transaction(( assertz(txs_t(1)), fail ), [bulk(true)]), L), [L], answers([[[]]])).
t(vetoed_in_bulk, ( txs_listen(transaction(( assertz(txs_t(1)), assertz(txs_t(veto)) ), [bulk(true)]), L), findall(X, txs_t(X), M) ), [L, M], answers([[[assertz-1, assertz-veto, back(assertz, veto), back(assertz, 1)], [0]]])).

% Random histories. state(List, Public, Own): the clauses that there are or were, item(Id, K, V) in the order of the predicate, the Ids of those that all see, and
% none, or own(View, Added, Erased) of the transaction. A program is a list of steps, each with what is to be seen after it; `ends(Way)` is how a transaction ends.

txs_program(Depth, Steps, S0, S) :- random_between(1, 7, N), txs_steps(N, Depth, Steps, S0, S).

txs_steps(0, _, [], S, S) :- !.
txs_steps(N, Depth, [Step, sees(View, Public)|Steps], S0, S) :-
    txs_kind(Depth, Kind),
    txs_step(Kind, Depth, Step, S0, S1),
    txs_view(S1, View), txs_public(S1, Public),
    N1 is N-1,
    txs_steps(N1, Depth, Steps, S1, S).

txs_kind(Depth, Kind) :-
    random_between(1, 100, R),
    (   R =< 22 -> Kind = assertz
    ;   R =< 34 -> Kind = asserta
    ;   R =< 50 -> Kind = retract
    ;   R =< 56 -> Kind = retractall
    ;   R =< 62 -> Kind = erase
    ;   R =< 68 -> Kind = many
    ;   R =< 76 -> Kind = walk
    ;   R =< 90, Depth > 0 -> Kind = transaction
    ;   Kind = other
    ).

txs_step(assertz, _, do(assertz(txs_f(K, V))), S0, S) :- txs_new(K, V), txs_add(last, K, V, S0, S).
txs_step(asserta, _, do(asserta(txs_f(K, V))), S0, S) :- txs_new(K, V), txs_add(first, K, V, S0, S).
txs_step(many, _, do(forall(member(V, Vs), assertz(txs_f(K, V)))), S0, S) :-
    random_between(0, 5, K), findall(V, ( between(1, 12, _), random_between(0, 9, V) ), Vs),
    foldl([V, A, B]>>txs_add(last, K, V, A, B), Vs, S0, S).
txs_step(retract, _, Step, S0, S) :-
    random_between(0, 5, K),
    txs_items(S0, Items),
    (   member(item(I, K, _), Items)
    ->  Step = do(once(retract(txs_f(K, _)))), txs_take([I], S0, S)
    ;   Step = do(\+ retract(txs_f(K, _))), S = S0
    ).
txs_step(retractall, _, do(retractall(txs_f(K, V))), S0, S) :-
    ( maybe -> random_between(0, 5, K) ; maybe(0.3) -> true ; random_between(0, 9, V) ),
    txs_items(S0, Items),
    findall(I, member(item(I, K, V), Items), Is),
    txs_take(Is, S0, S).
txs_step(erase, _, do(( nth_clause(txs_f(_, _), N, R), erase(R) )), S0, S) :-
    txs_items(S0, Items),
    length(Items, L), L > 0, !,
    random_between(1, L, N), nth1(N, Items, item(I, _, _)),
    txs_take([I], S0, S).
txs_step(erase, _, do(true), S, S).
txs_step(walk, Depth, walk(K, Steps, Found), S0, S) :-
    ( maybe -> random_between(0, 5, K) ; true ),
    txs_items(S0, Items),
    findall(K-V, member(item(_, K, V), Items), Found),
    D is max(0, Depth-1),
    (   Found == [] -> Steps = [], S = S0
    ;   txs_program(D, Steps, S0, S)
    ).
txs_step(transaction, Depth, tx(How, Steps, End), state(L0, P0, O0), S) :-
    random_member(How, [transaction, transaction, snapshot]),
    random_member(End, [succeeds, succeeds, succeeds, fails, throws]),
    ( O0 == none -> O1 = own(P0, [], []) ; O1 = O0 ),
    D is Depth-1,
    txs_program(D, Steps, state(L0, P0, O1), state(L, P, O)),
    (   How == transaction, End == succeeds
    ->  (   O0 == none
        ->  O = own(_, Added, Erased),
            ord_union(P, Added, P1), ord_subtract(P1, Erased, P2),
            S = state(L, P2, none)
        ;   S = state(L, P, O)
        )
    ;   S = state(L, P, O0)
    ).
txs_step(other, _, other(How, Steps), state(L0, P0, O0), S) :-
    random_member(How, [plain, transaction]),
    random_between(1, 4, N),
    length(Kinds, N),
    maplist([Kind]>>random_member(Kind, [assertz, assertz, asserta, retract, retract, retractall, many]), Kinds),
    foldl([Kind, Step, A, B]>>txs_step(Kind, 0, Step, A, B), Kinds, Steps, state(L0, P0, none), state(L, P, none)),
    S = state(L, P, O0).

txs_new(K, V) :- random_between(0, 5, K), random_between(0, 9, V).
txs_add(Where, K, V, state(L0, P, O), S) :-
    flag(txs_id, I, I+1),
    ( Where == last -> append(L0, [item(I, K, V)], L) ; L = [item(I, K, V)|L0] ),
    (   O = own(View, Added, Erased)
    ->  ord_add_element(View, I, View1), ord_add_element(Added, I, Added1),
        S = state(L, P, own(View1, Added1, Erased))
    ;   ord_add_element(P, I, P1), S = state(L, P1, none)
    ).
txs_take(Is0, state(L, P, O), S) :-
    sort(Is0, Is),
    (   O = own(View, Added, Erased)
    ->  ord_subtract(View, Is, View1), ord_subtract(Added, Is, Added1), ord_union(Erased, Is, Erased1),
        S = state(L, P, own(View1, Added1, Erased1))
    ;   ord_subtract(P, Is, P1), S = state(L, P1, none)
    ).
txs_items(state(L, P, O), Items) :-
    ( O = own(View, _, _) -> true ; View = P ),
    include([item(I, _, _)]>>ord_memberchk(I, View), L, Items).
txs_view(S, View) :- txs_items(S, Items), findall(K-V, member(item(_, K, V), Items), View).
txs_public(state(L, P, _), Public) :- txs_view(state(L, P, none), Public).

% Doing it.

txs_do([], _).
txs_do([Step|Steps], Helper) :- txs_do_step(Step, Helper), txs_do(Steps, Helper).

txs_do_step(do(G), _) :- ( call(G) -> true ; throw(differs(failed(G))) ).
txs_do_step(sees(View, Public), Helper) :-
    txs_looks(View, Found), txs_same(View, Found, view),
    txs_ask(Helper, Public, Theirs), txs_same(Public, Theirs, public).
txs_do_step(walk(K, Steps, Expected), Helper) :-
    findall(K-V, ( txs_f(K, V), ( nb_getval(txs_walk, walk) -> true ; true ), txs_at_first(Steps, Helper) ), Found),
    txs_same(Expected, Found, walk).
txs_do_step(tx(How, Steps, End), Helper) :-
    G = ( txs_do(Steps, Helper), txs_end(End) ),
    (   catch(txs_run(How, G), ended, fail) -> Result = succeeds ; Result = no ),
    ( End == succeeds -> Expected = succeeds ; Expected = no ),
    txs_same(Expected, Result, end).
txs_do_step(other(How, Steps), Helper) :- txs_tell(Helper, How, Steps, Result), txs_same(true, Result, other).

% The steps of a walk, where it has come to its first solution.
txs_at_first(Steps, Helper) :-
    (   Steps = done -> true
    ;   nb_getval(txs_walks, W), arg(1, W, Done), memberchk(Steps-_, Done) -> true
    ;   txs_once_in_walk(Steps), txs_do(Steps, Helper)
    ).
txs_once_in_walk(Steps) :- nb_getval(txs_walks, walks(Done)), nb_setval(txs_walks, walks([Steps-x|Done])).

txs_run(transaction, G) :- transaction(G).
txs_run(snapshot, G) :- snapshot(G).
txs_end(succeeds).
txs_end(fails) :- fail.
txs_end(throws) :- throw(ended).

txs_looks(View, Found) :-
    findall(K-V, txs_f(K, V), Found),
    % By the indexes, too.
    forall(between(0, 5, K), ( findall(K-V, txs_f(K, V), L), include([A-_]>>(A == K), View, E), txs_same(E, L, key(K)) )),
    forall(member(V, [0, 4, 9]), ( findall(K-V, txs_f(K, V), L), include([_-A]>>(A == V), View, E), txs_same(E, L, value(V)) )),
    ( predicate_property(txs_f(_, _), number_of_clauses(N)) -> true ; N = 0 ),
    length(View, M), txs_same(M, N, number).

txs_same(X, X, _) :- !.
txs_same(Expected, Found, What) :- throw(differs(What, Expected, Found)).

% Another thread, which does what it is told.
txs_helper(Main) :-
    thread_get_message(M),
    (   M = look(View) -> catch(( txs_looks(View, Found), R = Found ), E, R = E), thread_send_message(Main, helper(R)), txs_helper(Main)
    ;   M = do(How, Steps)
    ->  catch(( ( How == plain -> txs_do(Steps, none) ; transaction(txs_do(Steps, none)) ) -> R = true ; R = false ), E, R = E),
        thread_send_message(Main, helper(R)), txs_helper(Main)
    ;   true
    ).
txs_ask(none, View, View) :- !.
txs_ask(Helper, View, Found) :- thread_send_message(Helper, look(View)), thread_get_message(helper(Found)).
txs_tell(Helper, How, Steps, R) :- thread_send_message(Helper, do(How, Steps)), thread_get_message(helper(R)).

txs_history(Seed, Program, Result) :-
    set_random(seed(Seed)),
    retractall(txs_f(_, _)),
    flag(txs_id, _, 0),
    nb_setval(txs_walks, walks([])), nb_setval(txs_walk, walk),
    thread_self(Me),
    random_between(0, 25, N),
    findall(do(assertz(txs_f(K, V))), ( between(1, N, _), txs_new(K, V) ), First),
    foldl([do(assertz(txs_f(K, V))), A, B]>>txs_add(last, K, V, A, B), First, state([], [], none), S0),
    txs_steps(8, 3, Rest, S0, _),
    append(First, Rest, Program),
    thread_create(txs_helper(Me), Helper),
    catch(( txs_do(Program, Helper), Result = same ), E, Result = E),
    thread_send_message(Helper, end), thread_join(Helper, _).

% histories(+First, +Last): those that are not as the model says.
histories(First, Last) :-
    forall(( between(First, Last, Seed), txs_history(Seed, Program, Result), Result \== same ),
           format("seed ~d: ~q~n  ~q~n", [Seed, Result, Program])).

t(histories, ( run_size(40, N), numlist(1, N, Seeds), findall(S-R, ( member(S, Seeds), txs_history(S, _, R), R \== same ), L) ), [L], answers([[[]]])).

% Storms

txs_transfer(N) :-
    repeat,
    random_between(1, N, A), random_between(1, N, B), A \== B, random_between(1, 5, X),
    transaction(( retract(txs_acc(A, S)), retract(txs_acc(B, T)), S1 is S-X, T1 is T+X, assertz(txs_acc(A, S1)), asserta(txs_acc(B, T1)) ), txs_one_each(A, B), txs_bank), !.
% Nobody else has changed them meanwhile.
txs_one_each(A, B) :- findall(x, txs_acc(A, _), [_]), findall(x, txs_acc(B, _), [_]).
txs_sum(N, Sum, Count) :- findall(S, txs_acc(_, S), L), length(L, Count), sum_list(L, Sum), ( Count == N -> true ; true ).
txs_reader(N, Main) :-
    (   thread_peek_message(stop) -> thread_send_message(Main, reader(ok))
    ;   txs_sum(N, S, C), snapshot(( txs_sum(N, S1, C1), txs_sum(N, S2, C2) )),
        (   S == 1000, C == N, S1 == 1000, C1 == N, S2 == 1000, C2 == N -> txs_reader(N, Main)
        ;   thread_send_message(Main, reader([S-C, S1-C1, S2-C2]))
        )
    ).
txs_storm(N, Each, R) :-
    txs_reset,
    X is 1000//N,
    forall(between(1, N, A), assertz(txs_acc(A, X))),
    thread_self(Me),
    findall(T, ( between(1, 2, _), thread_create(txs_reader(N, Me), T) ), Readers),
    findall(T, ( between(1, 4, _), thread_create(( forall(between(1, Each, _), txs_transfer(N)) ), T) ), Ts),
    % Some are killed in the midst of it, and others take their place.
    findall(T, ( between(1, 6, I), thread_create(( repeat, txs_transfer(N), fail ), T), D is I*0.004, sleep(D), catch(thread_signal(T, throw(killed)), _, true) ), Killed),
    forall(member(T, Killed), thread_join(T, _)),
    forall(member(T, Ts), thread_join(T, true)),
    forall(member(T, Readers), thread_send_message(T, stop)),
    findall(M, ( member(_, Readers), thread_get_message(reader(M)) ), R0),
    forall(member(T, Readers), thread_join(T, _)),
    txs_sum(N, Sum, Count),
    R = [Sum, Count|R0].
t(transfers, txs_storm(10, 60, R), [R], answers([[[1000, 10, ok, ok]]])).
t(transfers_of_many, txs_storm(50, 60, R), [R], answers([[[1000, 50, ok, ok]]])).

% When a predicate has changed: predicate_property(P, last_modified_generation(G)).
:- dynamic(tx_gen/1).
:- dynamic(tx_gen_other/1).
:- thread_local(tx_gen_local/1).
tx_g(G) :- predicate_property(tx_gen(_), last_modified_generation(G)).
tx_gs(Goals, Kinds) :- retractall(tx_gen(_)), tx_g(G), tx_gs(Goals, G, [G], Kinds).
tx_gs([], _, _, []).
tx_gs([Goal|Goals], G0, Gs, [K|Ks]) :- ( \+ \+ Goal -> true ; true ), tx_g(G), ( G == G0 -> K = same ; memberchk(G, Gs) -> K = old ; G > G0 -> K = later ; K = earlier ), tx_gs(Goals, G, [G|Gs], Ks).
t(generation, tx_gs([assertz(tx_gen(1)), tx_gen(_), asserta(tx_gen(2)), retract(tx_gen(2)), retract(tx_gen(2)), assertz(tx_gen_other(1)), retractall(tx_gen(3)), retractall(tx_gen(_)), retractall(tx_gen(_))], L), [L],
  answers([[[later, same, later, later, same, same, same, later, same]]])).
t(generation_number, ( tx_g(G), integer(G), G >= 0, \+ predicate_property(tx_gen(_), last_modified_generation(foo)), \+ predicate_property(atom_length(_, _), last_modified_generation(_)) ), [], answers([[]])).
t(generation_never, predicate_property(tx_gen_never(_), last_modified_generation(G)), [G], answers([[0]])).
:- dynamic(tx_gen_never/1).
t(generation_static, ( predicate_property(tx_gs(_, _), last_modified_generation(G)), G > 0 ), [], answers([[]])).
t(generation_own, ( tx_g(G0), transaction(( tx_g(G1), assertz(tx_gen(1)), tx_g(G2), assertz(tx_gen(2)), tx_g(G3), assertz(tx_gen_other(2)), tx_g(G4) )), tx_g(G5),
                    ( G0 == G1, G2 > G1, G3 > G2, G4 == G3, G5 > G0, \+ memberchk(G5, [G1, G2, G3]) -> R = right ; R = [G0, G1, G2, G3, G4, G5] ) ), [R], answers([[right]])).
t(generation_given_up, ( tx_g(G0), \+ transaction(( assertz(tx_gen(1)), fail )), tx_g(G1), snapshot(( retractall(tx_gen(_)), assertz(tx_gen(7)) )), tx_g(G2), ( G1 == G0, G2 == G0 -> R = same ; R = [G0, G1, G2] ) ), [R], answers([[same]])).
t(generation_nested, transaction(( assertz(tx_gen(1)), tx_g(G1), \+ transaction(( assertz(tx_gen(2)), assertz(tx_gen_other(1)), retract(tx_gen(1)), fail )), tx_g(G2), transaction(( assertz(tx_gen(3)), tx_g(G3) )), tx_g(G4),
                                   \+ transaction(( assertz(tx_gen_other(1)), fail )), tx_g(G5), ( G1 == G2, G3 > G2, G4 == G3, G5 == G4 -> R = right ; R = [G1, G2, G3, G4, G5] ) )), [R], answers([[right]])).
t(generation_not_twice, ( findall(G, ( between(1, 3, _), \+ transaction(( assertz(tx_gen(1)), tx_g(G0), nb_setval(tx_gen, G0), fail )), nb_getval(tx_gen, G) ), L), sort(L, S), length(S, N) ), [N], answers([[3]])).
t(generation_hidden, ( thread_self(Me), tx_g(G0), thread_create(transaction(( assertz(tx_gen(9)), thread_send_message(Me, tx_made), thread_get_message(tx_go) )), T), thread_get_message(tx_made), tx_g(G1), thread_send_message(T, tx_go), thread_join(T, S), tx_g(G2),
                       ( G1 == G0, G2 > G1 -> R = right ; R = [G0, G1, G2] ) ), [S, R], answers([[true, right]])).
t(generation_of_others, ( tx_g(G0), transaction(( tx_g(G1), thread_create(assertz(tx_gen(9)), T), thread_join(T, S), tx_g(G2) )), tx_g(G3), ( G1 == G0, G3 > G2, G3 > G0 -> R = right ; R = [G0, G1, G2, G3] ) ), [S, R], answers([[true, right]])).
t(generation_cancelled, ( tx_g(G0), transaction(( assertz(tx_gen(5)), retract(tx_gen(5)) )), tx_g(G1), ( G0 == G1 -> R = same ; R = G1 ) ), [R], answers([[same]])).
t(generation_local, ( G = last_modified_generation(N), predicate_property(tx_gen_local(_), last_modified_generation(A)), assertz(tx_gen_local(1)), predicate_property(tx_gen_local(_), last_modified_generation(B)), thread_create(( predicate_property(tx_gen_local(_), G), thread_exit(N) ), T), thread_join(T, exited(C)),
                      ( B > A -> R = later ; R = A-B ) ), [C, R], answers([[0, later]])).
t(generation_threads, ( retractall(tx_gen(_)), findall(T, ( between(1, 4, I), thread_create(tx_gen_storm(I, 100), T) ), Ts), findall(S, ( member(T, Ts), thread_join(T, S) ), Ss), sort(Ss, L) ), [L], answers([[[true]]])).
% Who finds the same generation before and after has found the same clauses.
tx_gen_storm(_, 0) :- !.
tx_gen_storm(I, N) :-
    tx_g(G1), findall(X, tx_gen(X), L1), findall(X, tx_gen(X), L2), tx_g(G2),
    ( G1 == G2, L1 \== L2 -> throw(changed(G1, L1, L2)) ; true ),
    ( N mod 3 =:= 0 -> retractall(tx_gen(I)) ; N mod 3 =:= 1 -> assertz(tx_gen(I)) ; transaction(( assertz(tx_gen(I)), retractall(tx_gen(I)) )) ),
    N1 is N-1, tx_gen_storm(I, N1).
t(size, ( retractall(tx_gen(_)), predicate_property(tx_gen(_), size(A)), length(L, 1000), assertz(tx_gen(L)), predicate_property(tx_gen(_), size(B)), retractall(tx_gen(_)), ( A > 0, B > A+8000 -> R = larger ; R = A-B ) ), [R], answers([[larger]])).
t(size_of_system, ( predicate_property(atom_length(_, _), nodebug), \+ predicate_property(tx_g(_), nodebug), \+ predicate_property(atom_length(_, _), size(_)) ), [], answers([[]])).

% Files that are loaded again, by another thread or by the one of the transaction. (The module is that of the files, so that nothing of it is defined here.)
tx_text(none, []).
tx_text(a, [(:- dynamic(tx_r/1)), tx_r(a), tx_r(b)]).
tx_text(c, [(:- dynamic(tx_r/1)), tx_r(c), tx_r(b)]).
tx_text(static, [tx_r(new)]).
tx_text(other, [tx_q(1)]).
tx_text(directive, [(:- dynamic(tx_r/1)), tx_r(new), (:- tx_files:assertz(tx_r(dir))), (:- findall(X, tx_files:tx_r(X), L), nb_setval(tx_seen, L))]).
tx_text(broken, [(:- dynamic(tx_r/1)), tx_r(bad), (:- tx_files:assertz(tx_r(dir))), (:- throw(tx_stop)), tx_r(never)]).
tx_write(F, V) :- tx_text(V, Ts), setup_call_cleanup(open(F, write, S), forall(member(T, Ts), format(S, '~q.~n', [T])), close(S)).
tx_load(F, V) :- tx_write(F, V), tx_files:load_files(F, [if(true), silent(true)]).
tx_with(F, Goal) :- tmp_file(tx, F0), atom_concat(F0, '.pl', F), setup_call_cleanup(tx_load(F, a), Goal, ( unload_file(F), catch(tx_files:abolish(tx_r/1), _, true), delete_file(F) )).
tx_rs(L) :- catch(findall(X, tx_files:tx_r(X), L), error(E, _), ( E =.. [L|_] )).
tx_in_other(Goal) :- thread_create(Goal, T), thread_join(T, S), ( S == true -> true ; throw(tx_other(S)) ).
tx_seen_by_other(L) :- thread_create(( tx_rs(L0), thread_exit(L0) ), T), thread_join(T, exited(L)).
tx_add(X) :- tx_files:assertz(tx_r(X)).
t(reload_leaves_what_is_added, tx_with(F, ( transaction(( tx_add(x), tx_files:asserta(tx_r(y)), tx_in_other(tx_load(F, c)), tx_rs(A), tx_seen_by_other(B) )), tx_rs(C) )), [A, B, C], answers([[[y, a, b, x], [c, b], [y, c, b, x]]])).
t(reload_and_given_up, tx_with(F, ( \+ transaction(( tx_add(x), tx_in_other(tx_load(F, c)), tx_rs(L), nb_setval(tx_seen, L), fail )), nb_getval(tx_seen, A), tx_rs(B) )), [A, B], answers([[[a, b, x], [c, b]]])).
t(reload_and_erased, tx_with(F, ( transaction(( tx_files:retractall(tx_r(_)), tx_add(x), tx_in_other(tx_load(F, c)), tx_rs(A) )), tx_rs(B) )), [A, B], answers([[[x], [c, b, x]]])).
t(reload_makes_static, tx_with(F, ( transaction(( tx_add(x), tx_in_other(tx_load(F, static)), tx_rs(A), tx_files:retract(tx_r(x)), tx_add(y) )), tx_rs(B) )), [A, B], answers([[[a, b, x], [new, y]]])).
t(reload_without_it, tx_with(F, ( transaction(( tx_add(x), tx_in_other(tx_load(F, other)), tx_rs(A) )), tx_rs(B) )), [A, B], answers([[[a, b, x], [x]]])).
t(reload_with_directive, tx_with(F, ( transaction(( tx_add(x), tx_in_other(tx_load(F, directive)), tx_rs(A) )), tx_rs(B) )), [A, B], answers([[[a, b, x], [new, x, dir]]])).
t(unloaded_meanwhile, tx_with(F, ( transaction(( tx_add(x), tx_in_other(unload_file(F)), tx_rs(A), tx_files:retract(tx_r(a)) )), tx_rs(B) )), [A, B], answers([[[a, b, x], [x]]])).
% Another file of another thread defines it, too: what that takes is not what others have not got yet.
t(redefined_meanwhile, tx_with(_, ( tmp_file(tx, G0), atom_concat(G0, '.pl', G), setup_call_cleanup(true, ( transaction(( tx_add(own), tx_in_other(tx_quietly(tx_load(G, c))), tx_rs(A), tx_files:retract(tx_r(own)), tx_add(own2), tx_rs(B) )), tx_rs(C) ), ( unload_file(G), delete_file(G) )) )), [A, B, C],
  answers([[[a, b, own], [a, b, own2], [c, b, own2]]])).
:- dynamic(user:message_hook/3).
:- multifile(user:message_hook/3).
tx_quietly(Goal) :- setup_call_cleanup(asserta((user:message_hook(_, warning, _) :- true), R), Goal, erase(R)).
% What the thread itself loads it sees.
t(own_reload, tx_with(F, ( transaction(( tx_add(x), tx_load(F, c), tx_rs(A), tx_seen_by_other(B), transaction_updates(U), length(U, N) )), tx_rs(C) )), [A, B, N, C], answers([[[c, b, x], [c, b], 1, [c, b, x]]])).
t(own_reload_given_up, tx_with(F, ( \+ transaction(( tx_add(x), tx_load(F, c), tx_rs(L), nb_setval(tx_seen, L), fail )), nb_getval(tx_seen, A), tx_rs(B) )), [A, B], answers([[[c, b, x], [c, b]]])).
t(own_reload_snapshot, tx_with(F, ( snapshot(( tx_add(x), tx_load(F, c), tx_rs(A) )), tx_rs(B) )), [A, B], answers([[[c, b, x], [c, b]]])).
t(own_reload_changed, tx_with(F, ( transaction(( tx_load(F, c), tx_add(z), tx_files:retract(tx_r(c)), tx_rs(A), tx_seen_by_other(B) )), tx_rs(C) )), [A, B, C], answers([[[b, z], [c, b], [b, z]]])).
t(own_reload_nested, tx_with(F, ( transaction(( tx_add(x), \+ transaction(( tx_load(F, c), tx_files:retract(tx_r(b)), tx_add(y), fail )), tx_rs(A) )), tx_rs(B) )), [A, B], answers([[[c, b, x], [c, b, x]]])).
t(own_reload_twice, tx_with(F, ( transaction(( tx_files:retract(tx_r(a)), tx_load(F, c), tx_load(F, a), tx_rs(A), tx_files:retract(tx_r(a)), tx_load(F, c), tx_rs(B) )), tx_rs(C) )), [A, B, C], answers([[[a, b], [c, b], [c, b]]])).
t(own_reload_directive, tx_with(F, ( transaction(( tx_load(F, directive), nb_getval(tx_seen, A), tx_rs(B), tx_seen_by_other(C) )), tx_rs(D) )), [A, B, C, D], answers([[[new, dir], [new, dir], [new], [new, dir]]])).
t(own_reload_without_it, tx_with(F, ( transaction(( tx_add(x), tx_load(F, other), tx_rs(A) )), tx_rs(B) )), [A, B], answers([[[x], [x]]])).
t(own_unload, tx_with(F, ( transaction(( tx_add(x), unload_file(F), tx_rs(A) )), tx_rs(B) )), [A, B], answers([[[x], [x]]])).
t(own_reload_and_others, tx_with(F, ( transaction(( tx_rs(_), tx_load(F, c), tx_in_other(tx_load(F, a)), tx_rs(A), tx_in_other(tx_add(o)), tx_rs(B) )), tx_rs(C) )), [A, B, C], answers([[[c, b], [c, b], [a, b, o]]])).
t(own_reload_and_generation, tx_with(F, ( transaction(( tx_files:predicate_property(tx_r(_), last_modified_generation(A)), tx_load(F, c), tx_files:predicate_property(tx_r(_), last_modified_generation(B)), ( A == B -> R = same ; R = later ) )) )), [R], answers([[later]])).
% Loads beside transactions: each transaction sees one version, and its own; in the end there is the last version, and what was committed.
t(reload_storm, tx_with(F, ( findall(T, ( member(K, [native, light, light]), thread_create(tx_beside(K, 40), T, [kind(K)]) ), Ts), forall(between(1, 40, I), ( I mod 2 =:= 0 -> tx_load(F, a) ; tx_load(F, c) )),
                             findall(S, ( member(T, Ts), thread_join(T, S) ), Ss0), sort(Ss0, Ss), tx_rs(L) )), [Ss, L], answers([[[true], [a, b]]])).
tx_beside(_, 0) :- !.
tx_beside(K, N) :-
    X = own(K, N, _),
    (   N mod 2 =:= 0
    ->  transaction(( tx_add(X), tx_version(V), tx_files:retract(tx_r(X)), tx_version(V) ))
    ;   \+ transaction(( tx_add(X), tx_version(V), thread_yield, tx_version(V), tx_files:tx_r(X), fail ))
    ),
    N1 is N-1, tx_beside(K, N1).
tx_version(V) :- tx_rs(L), findall(X, ( member(X, L), atom(X) ), V), ( memberchk(V, [[a, b], [c, b]]) -> true ; throw(tx_version(L)) ).
t(erased_twice, ( txs_facts([1, 2]), txs_reference(1, R), transaction(( erase(R), erase(R), transaction_updates(U), length(U, N) )), txs_all(L) ), [N, L], answers([[1, [2]]])).
txs_reference(X, R) :- clause(txs_p(X), true, R), !.
