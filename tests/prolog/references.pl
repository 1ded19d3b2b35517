% References to clauses: assertz/2, clause/3, nth_clause/3, erase/1, instance/2, clause_property/2.

:- dynamic(d/1).
:- dynamic(e/2).
:- dynamic(lines/1).

s(1).
s(2).
s(X) :- s(X), d(_).

lines(a).
lines(b) :- true, s(1).

% fresh(+List): d/1 has these clauses.
fresh(L) :- retractall(d(_)), forall(member(X, L), assertz(d(X))).

loop(0) :- !.
loop(N) :- assertz(d(N), R), erase(R), \+ clause(_, _, R), N1 is N-1, loop(N1).

% Adding

t(assertz, ( fresh([1]), assertz(d(2), R), clause(d(X), true, R), findall(Y, d(Y), L) ), [X, L], answers([[2, [1, 2]]])).
t(assert, ( fresh([1]), assert(d(2), R), clause(d(X), true, R), findall(Y, d(Y), L) ), [X, L], answers([[2, [1, 2]]])).
t(asserta, ( fresh([1]), asserta(d(2), R), clause(d(X), true, R), findall(Y, d(Y), L) ), [X, L], answers([[2, [2, 1]]])).
t(assert_rule, ( fresh([]), assertz((d(X) :- s(X), X > 1), R), clause(H, B, R) ), [H, B], answers([[d(Y), (s(Y), Y > 1)]])).
t(assert_blob, ( fresh([]), assertz(d(1), R), blob(R, Type), ( atomic(R), \+ atom(R) -> Kind = atomic ; Kind = other ) ), [Type, Kind], answers([[clause, atomic]])).
t(assert_references_differ, ( fresh([]), assertz(d(1), R), assertz(d(1), S), R \== S ), [], answers([[]])).
t(assert_bound_reference, assertz(d(1), foo), [], throws(uninstantiation_error(foo))).
t(assert_bound_reference_adds_nothing, ( fresh([]), catch(assertz(d(1), foo), _, true), d(_) ), [], fails).
t(asserta_bound_reference, asserta(d(1), 17), [], throws(uninstantiation_error(17))).
t(assert_unbound, assertz(_, _), [], throws(instantiation_error)).
t(assert_number, assertz(1, _), [], throws(type_error(callable, 1))).
t(assert_bad_body, assertz((foo :- 1), _), [], throws(type_error(callable, _))).
t(assert_system, assertz(atom_length(1, 2), _), [], throws(permission_error(modify, static_procedure, atom_length/2))).
t(assert_static, asserta(s(3), _), [], throws(permission_error(modify, static_procedure, s/1))).
t(assert_shared_variable, assertz(d(R), R), [], answers([[]])).

% Finding

t(clause_references, ( fresh([1, 2, 3]), findall(X-B, ( clause(d(_), _, R), clause(d(X), B, R) ), L) ), [L], answers([[[1-true, 2-true, 3-true]]])).
t(clause_first_argument, ( fresh([1, 2, 1]), findall(N, ( clause(d(1), true, R), nth_clause(_, N, R) ), L) ), [L], answers([[[1, 3]]])).
t(clause_same_reference, ( fresh([1, 2]), clause(d(2), true, R), clause(d(2), true, S), R == S ), [], answers([[]])).
t(clause_reference_of_assert, ( fresh([1]), assertz(d(2), R), clause(d(2), true, S), R == S ), [], answers([[]])).
t(clause_other_head, ( fresh([1]), clause(d(1), true, R), clause(s(_), _, R) ), [], fails).
t(clause_other_argument, ( fresh([1]), clause(d(1), true, R), clause(d(2), _, R) ), [], fails).
t(clause_other_body, ( fresh([1]), clause(d(1), true, R), clause(d(1), fail, R) ), [], fails).
t(clause_number_head, ( fresh([1]), clause(d(1), true, R), clause(1, _, R) ), [], fails).
t(clause_number_body, ( fresh([1]), clause(d(1), true, R), clause(_, 1, R) ), [], fails).
t(clause_unbound_head, ( fresh([1]), clause(d(1), true, R), clause(H, B, R) ), [H, B], answers([[d(1), true]])).
t(clause_qualified_head, ( fresh([1]), clause(d(1), true, R), clause(user:H, B, R) ), [H, B], answers([[d(1), true]])).
t(clause_other_module, ( assertz(rm:f(1, 2), R), clause(H, B, R), clause(rm:G, B, R), erase(R) ), [H, G, B], answers([[rm:f(1, 2), f(1, 2), true]])).
t(clause_static, ( clause(s(2), true, R), clause(H, B, R) ), [H, B], answers([[s(2), true]])).
t(clause_atom, clause(_, _, foo), [], throws(type_error(db_reference, foo))).
t(clause_number, clause(d(_), _, 1), [], throws(type_error(db_reference, 1))).
t(clause_all_unbound, clause(_, _, _), [], throws(instantiation_error)).
t(clause_undefined, clause(no_such(_), _, _), [], fails).
t(clause_system, clause(atom_length(_, _), _, _), [], throws(permission_error(access, private_procedure, atom_length/2))).
t(clause_record, ( recordz(k, v, R), clause(_, _, R) ), [], throws(type_error(db_reference, _))).
t(recorded_clause, ( fresh([1]), clause(d(1), true, R), recorded(_, _, R) ), [], throws(type_error(db_reference, _))).

% Counting

t(nth_all, ( fresh([a, b, c]), findall(N-X, ( nth_clause(d(_), N, R), clause(d(X), _, R) ), L) ), [L], answers([[[1-a, 2-b, 3-c]]])).
t(nth_ignores_arguments, ( fresh([a, b, c]), findall(N, nth_clause(d(zz), N, _), L) ), [L], answers([[[1, 2, 3]]])).
t(nth_second, ( fresh([a, b, c]), nth_clause(d(_), 2, R), clause(d(X), true, R) ), [X], answers([[b]])).
t(nth_last, ( fresh([a, b, c]), nth_clause(user:d(_), 3, R), clause(H, true, R) ), [H], answers([[d(c)]])).
t(nth_zero, ( fresh([a]), nth_clause(d(_), 0, _) ), [], fails).
t(nth_negative, ( fresh([a]), nth_clause(d(_), -1, _) ), [], fails).
t(nth_too_large, ( fresh([a]), nth_clause(d(_), 2, _) ), [], fails).
t(nth_of_reference, ( fresh([a, b, c]), clause(d(c), _, R), nth_clause(H, N, R) ), [H, N], answers([[d(_), 3]])).
t(nth_of_reference_counts_what_is_left, ( fresh([a, b, c]), clause(d(c), _, R), retract(d(a)), nth_clause(_, N, R) ), [N], answers([[2]])).
t(nth_of_reference_qualified, ( assertz(rm:f(1, 2), R), nth_clause(H, N, R), erase(R) ), [H, N], answers([[rm:f(_, _), 1]])).
t(nth_of_reference_other, ( fresh([a]), clause(d(a), _, R), nth_clause(s(_), _, R) ), [], fails).
t(nth_of_reference_wrong_number, ( fresh([a]), clause(d(a), _, R), nth_clause(d(_), 2, R) ), [], fails).
t(nth_of_reference_no_number, ( fresh([a]), clause(d(a), _, R), nth_clause(_, x, R) ), [], fails).
t(nth_static, ( nth_clause(s(_), 3, R), clause(H, B, R) ), [H, B], answers([[s(X), (s(X), d(_))]])).
t(nth_order, ( fresh([a]), assertz(d(z), R), asserta(d(first)), nth_clause(_, N, R) ), [N], answers([[3]])).
t(nth_unbound, nth_clause(_, _, _), [], throws(instantiation_error)).
t(nth_number_head, nth_clause(1, _, _), [], throws(type_error(callable, 1))).
t(nth_bad_reference, nth_clause(_, 1, foo), [], throws(type_error(db_reference, foo))).
t(nth_undefined, nth_clause(no_such(_), _, _), [], fails).
t(nth_builtin, nth_clause(atom_length(_, _), _, _), [], fails).
t(nth_adds_while_counting, ( fresh([1, 2]), findall(N, ( nth_clause(d(_), N, _), assertz(d(new)) ), L) ), [L], answers([[[1, 2]]])).
t(nth_many, ( numlist(1, 2000, L0), fresh(L0), findall(X, ( nth_clause(d(_), _, R), clause(d(X), true, R) ), L), L == L0 ), [], answers([[]])).

% Erasing

t(erase, ( fresh([1, 2, 3]), clause(d(2), _, R), erase(R), findall(X, d(X), L) ), [L], answers([[[1, 3]]])).
t(erase_while_reading, ( fresh([1, 2, 3]), forall(clause(d(_), true, R), erase(R)), d(_) ), [], fails).
t(erase_running, ( fresh([1, 2, 3]), findall(X, ( d(X), forall(clause(d(_), true, R), erase(R)) ), L) ), [L], answers([[[1, 2, 3]]])).
t(erased_clause, ( fresh([1]), clause(d(1), _, R), erase(R), clause(_, _, R) ), [], fails).
t(erased_twice, ( fresh([1]), clause(d(1), _, R), erase(R), erase(R) ), [], fails).
t(erased_instance, ( fresh([1]), clause(d(1), _, R), erase(R), instance(R, _) ), [], fails).
t(erased_nth, ( fresh([1]), clause(d(1), _, R), erase(R), nth_clause(_, _, R) ), [], fails).
t(retracted, ( fresh([]), assertz(d(1), R), retract(d(1)), clause(_, _, R) ), [], fails).
t(all_retracted, ( fresh([]), assertz(d(1), R), retractall(d(_)), clause(_, _, R) ), [], fails).
t(abolished, ( assertz(rx(1), R), abolish(rx/1), clause(_, _, R) ), [], fails).
t(erased_is_not_the_next, ( fresh([]), assertz(d(1), R), erase(R), assertz(d(1), S), R \== S, clause(_, _, R) ), [], fails).
t(erase_static, ( clause(s(1), true, R), erase(R) ), [], throws(permission_error(clause, erase, _))).
t(erase_unbound, erase(_), [], throws(instantiation_error)).
t(erase_atom, erase(foo), [], throws(type_error(db_reference, foo))).
t(many_times, ( fresh([]), loop(3000), \+ d(_) ), [], answers([[]])).
t(many_swept, ( numlist(1, 3000, L), fresh(L), findall(R, clause(d(_), _, R), Rs), retractall(d(_)), fresh(L), retractall(d(_)), forall(member(R, Rs), \+ clause(_, _, R)) ), [], answers([[]])).

% Looking at

t(instance_fact, ( fresh([1]), clause(d(1), _, R), instance(R, T) ), [T], answers([[(d(1) :- true)]])).
t(instance_rule, ( fresh([]), assertz((d(X) :- s(X)), R), instance(R, T) ), [T], answers([[(d(Y) :- s(Y))]])).
t(instance_variable_goal, ( fresh([]), assertz((d(X) :- X), R), instance(R, T) ), [T], answers([[(d(Y) :- call(Y))]])).
t(instance_record, ( recordz(k, f(x), R), instance(R, T) ), [T], answers([[f(x)]])).
t(instance_unbound, instance(_, _), [], throws(instantiation_error)).
t(instance_atom, instance(foo, _), [], throws(type_error(db_reference, foo))).
t(property_fact, ( fresh([1]), clause(d(1), _, R), clause_property(R, fact) ), [], answers([[]])).
t(property_rule, ( fresh([]), assertz((d(X) :- s(X)), R), clause_property(R, fact) ), [], fails).
t(property_predicate, ( fresh([1]), clause(d(1), _, R), clause_property(R, predicate(P)), clause_property(R, module(M)) ), [P, M], answers([[user:d/1, user]])).
t(property_size, ( fresh([1]), clause(d(1), _, R), clause_property(R, size(S)), integer(S), S > 0 ), [], answers([[]])).
t(property_runtime, ( fresh([1]), clause(d(1), _, R), ( clause_property(R, file(_)) ; clause_property(R, line_count(_)) ; clause_property(R, source(_)) ) ), [], fails).
t(predicate_line, findall(P-L, ( member(P, [s(_), d(_), lines(_), append(_)]), predicate_property(P, line_count(L)), P \= append(_) ), Ls), [Ls], answers([[[s(_)-7, lines(_)-11]]])).
t(property_file, ( nth_clause(s(_), 2, R), clause_property(R, file(F)), clause_property(R, source(F)), file_base_name(F, N), clause_property(R, line_count(L)) ), [N, L], answers([['references.pl', 8]])).
t(property_dynamic_file, ( clause(lines(b), _, R), clause_property(R, file(F)), file_base_name(F, N), clause_property(R, line_count(L)) ), [N, L], answers([['references.pl', 12]])).
t(property_dynamic_runtime, ( assertz(lines(c), R), ( clause_property(R, file(_)) -> X = file ; X = none ), erase(R) ), [X], answers([[none]])).
t(property_unknown, ( nth_clause(s(_), 2, R), clause_property(R, foo) ), [], fails).
t(property_erased, ( fresh([]), assertz(d(1), R), erase(R), clause_property(R, erased) ), [], answers([[]])).
t(property_not_erased, ( fresh([]), assertz(d(1), R), clause_property(R, erased) ), [], fails).
t(property_unbound, clause_property(_, file(_)), [], throws(instantiation_error)).
t(property_atom, clause_property(foo, file(_)), [], throws(type_error(db_reference, foo))).
t(property_record, ( recordz(k, v, R), clause_property(R, _) ), [], throws(type_error(db_reference, _))).

% References between threads

t(thread_erases, ( fresh([1, 2]), clause(d(1), _, R), thread_create(erase(R), Id), thread_join(Id, Status), findall(X, d(X), L) ), [Status, L], answers([[true, [2]]])).
t(one_eraser, ( fresh([]), assertz(d(1), R), findall(Id, ( between(1, 4, _), thread_create(erase(R), Id) ), Ids), findall(S, ( member(Id, Ids), thread_join(Id, S) ), Ss0), msort(Ss0, Ss) ), [Ss], answers([[[false, false, false, true]]])).
t(many_threads, ( fresh([]), findall(Id, ( between(1, 3, _), thread_create(loop(500), Id) ), Ids), findall(S, ( member(Id, Ids), thread_join(Id, S) ), Ss) ), [Ss], answers([[[true, true, true]]])).

% A handle has no text of its own; what is written of it has.

no_text(G, H, E) :- fresh([]), assertz(d(1), R), H = R, catch(G, error(type_error(E0, C), _), true), ( C == R -> E = E0 ; E = other(C) ).
t(no_text_length, no_text(atom_length(H, _), H, E), [E], answers([[text]])).
t(no_text_codes, no_text(atom_codes(H, _), H, E), [E], answers([[atom]])).
t(no_text_string, no_text(atom_string(H, _), H, E), [E], answers([[atom]])).
t(no_text_join, no_text(atomic_list_concat([a, H], _), H, E), [E], answers([[text]])).
t(no_text_concat, no_text(atom_concat(a, H, _), H, E), [E], answers([[atomic]])).
t(no_text_sub, no_text(sub_atom(H, _, 1, _, _), H, E), [E], answers([[atom]])).
t(no_text_to_string, no_text(text_to_string(H, _), H, E), [E], answers([[text]])).
t(written_text, ( fresh([]), assertz(d(1), R), term_to_atom(R, A), sub_atom(A, 0, 8, _, B) ), [B], answers([['<clause>']])).
