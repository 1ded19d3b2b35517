% The clause database: assert, retract, clause, abolish.
% ISO 13211-1, 8.8 and 8.9 and 7.5.4 (the logical update view); retractall/1,
% predicate_property/2 and dynamic/1 as in SWI-Prolog.

:- dynamic(dbs_fact/1).
:- dynamic(dbs_rule/1).
:- dynamic(dbs_log/1).
:- dynamic(dbs_pair/2).
:- dynamic(dbs_empty/0).

dbs_static(1).
dbs_static(2).

dbs_static_rule(X) :- dbs_static(X), X > 1.

% The facts are set to the list first.
dbs_with(List, Goal) :-
    retractall(dbs_fact(_)),
    forall(member(X, List), assertz(dbs_fact(X))),
    call(Goal).

dbs_facts(L) :- findall(X, dbs_fact(X), L).

dbs_rules(L) :- findall(X, dbs_rule(X), L).

dbs_with_rules(List, Goal) :-
    retractall(dbs_rule(_)),
    forall(member(C, List), assertz(C)),
    call(Goal).

% assertz/1, asserta/1, assert/1

t(assertz, dbs_with([], ( assertz(dbs_fact(a)), assertz(dbs_fact(b)), dbs_facts(L) )), [L], answers([[[a, b]]])).
t(asserta, dbs_with([], ( asserta(dbs_fact(a)), asserta(dbs_fact(b)), dbs_facts(L) )), [L], answers([[[b, a]]])).
t(assert_mixed, dbs_with([b], ( asserta(dbs_fact(a)), assertz(dbs_fact(c)), dbs_facts(L) )), [L],
  answers([[[a, b, c]]])).
t(assert_is_assertz, dbs_with([a], ( assert(dbs_fact(b)), dbs_facts(L) )), [L], answers([[[a, b]]])).
t(assert_duplicates, dbs_with([a], ( assertz(dbs_fact(a)), dbs_facts(L) )), [L], answers([[[a, a]]])).
t(assert_copies, dbs_with([], ( X = f(Y), assertz(dbs_fact(X)), Y = 1, dbs_facts(L) )), [L], answers([[[f(_)]]])).
t(assert_fresh_variables, dbs_with([], ( assertz(dbs_fact(f(A, B, A))), dbs_facts(L) )), [L, A, B],
  answers([[[f(P, _, P)], _, _]])).
t(assert_not_undone, dbs_with([], ( ( assertz(dbs_fact(a)), fail ; true ), dbs_facts(L) )), [L], answers([[[a]]])).
t(assert_big_integer, dbs_with([], ( X is 2 ** 100, assertz(dbs_fact(X)), dbs_facts(L) )), [L],
  answers([[[1267650600228229401496703205376]]])).
t(assert_float_string, dbs_with([], ( assertz(dbs_fact("s")), assertz(dbs_fact(1.5)), dbs_facts(L) )), [L],
  answers([[["s", 1.5]]])).
t(assert_rule, dbs_with_rules([], ( assertz((dbs_rule(X) :- X = 1)), assertz((dbs_rule(X) :- X = 2)), dbs_rules(L) )), [L],
  answers([[[1, 2]]])).
t(assert_rule_cut, dbs_with_rules([(dbs_rule(1) :- !), dbs_rule(2)], dbs_rules(L)), [L], answers([[[1]]])).
t(assert_rule_ite, dbs_with_rules([(dbs_rule(X) :- ( fail -> X = 1 ; X = 2 ))], dbs_rules(L)), [L], answers([[[2]]])).
t(assert_rule_not, dbs_with_rules([(dbs_rule(X) :- member(X, [1, 2, 3]), \+ X = 2)], dbs_rules(L)), [L],
  answers([[[1, 3]]])).
t(assert_rule_call_variable, dbs_with_rules([(dbs_rule(X) :- G = member(X, [1, 2]), G)], dbs_rules(L)), [L],
  answers([[[1, 2]]])).
t(assert_rule_arith, dbs_with_rules([(dbs_rule(X) :- X is 2 + 3)], dbs_rules(L)), [L], answers([[[5]]])).
t(assert_rule_first_arg, dbs_with_rules([dbs_rule(a), dbs_rule(f(_)), dbs_rule(1), dbs_rule([x])], findall(yes, dbs_rule(f(1)), L)), [L],
  answers([[[yes]]])).
t(assert_rule_index_unbound, dbs_with_rules([dbs_rule(a), dbs_rule(_), dbs_rule(b)], findall(x, dbs_rule(b), L)), [L],
  answers([[[x, x]]])).
t(assert_big_index, ( dbs_with([18446744073709551616, 1.5, "s"], ( X is 2 ** 64, dbs_fact(X) )) ), [X],
  answers([[18446744073709551616]])).
t(assert_variable_goal, dbs_with_rules([], ( assertz((dbs_rule(X) :- X)), dbs_rule(true) )), [], answers([[]])).
t(assert_module_body, dbs_with_rules([(dbs_rule(X) :- user:dbs_static(X))], dbs_rules(L)), [L], answers([[[1, 2]]])).
t(assert_unbound, assertz(_), [], throws(instantiation_error)).
t(assert_unbound_head, assertz((_ :- true)), [], throws(instantiation_error)).
t(assert_number, assertz(3), [], throws(type_error(callable, 3))).
t(assert_number_head, assertz((3 :- true)), [], throws(type_error(callable, 3))).
t(assert_number_body, assertz((dbs_rule(_) :- 4)), [], throws(type_error(callable, 4))).
t(assert_number_in_body, assertz((dbs_rule(_) :- true, 4)), [], throws(type_error(callable, (true, 4)))).
t(assert_control, assertz((a, b)), [], throws(permission_error(modify, static_procedure, (',')/2))).
t(assert_control_head, assertz(((a, b) :- true)), [], throws(permission_error(modify, static_procedure, (',')/2))).
t(assert_builtin, assertz(atom_length(a, b)), [], throws(permission_error(modify, static_procedure, atom_length/2))).
t(assert_builtin_rule, asserta((atom(_) :- true)), [], throws(permission_error(modify, static_procedure, atom/1))).
t(assert_call, assertz(call(x)), [], throws(permission_error(modify, static_procedure, call/1))).
t(assert_string, assertz("foo"), [], throws(type_error(callable, "foo"))).
t(assert_creates_dynamic, ( assertz(dbs_created(1)), predicate_property(dbs_created(_), dynamic), abolish(dbs_created/1) ), [],
  answers([[]])).

% retract/1

t(retract, dbs_with([a, b, c], ( retract(dbs_fact(b)), dbs_facts(L) )), [L], answers([[[a, c]]])).
t(retract_sees_what_it_erased, dbs_with([a, b, c, d], findall(X, ( retract(dbs_fact(X)), ( X == a -> retract(dbs_fact(b)), retractall(dbs_fact(d)) ; true ) ), L)),
  [L], answers([[[a, b, c, d]]])).
t(retract_none, dbs_with([a], retract(dbs_fact(z))), [], fails).
t(retract_enumerates, dbs_with([a, b, c], ( retract(dbs_fact(X)), dbs_facts(L) )), [X, L],
  answers([[a, [b, c]], [b, [c]], [c, []]])).
t(retract_first_only, dbs_with([a, a], ( once(retract(dbs_fact(a))), dbs_facts(L) )), [L], answers([[[a]]])).
t(retract_all_fail_loop, dbs_with([a, b], ( ( retract(dbs_fact(_)), fail ; true ), dbs_facts(L) )), [L],
  answers([[[]]])).
t(retract_not_undone, dbs_with([a, b], ( ( retract(dbs_fact(a)), fail ; true ), dbs_facts(L) )), [L], answers([[[b]]])).
t(retract_pattern, dbs_with([f(1), g(2), f(3)], ( findall(X, retract(dbs_fact(f(X))), Xs), dbs_facts(L) )), [Xs, L],
  answers([[[1, 3], [g(2)]]])).
t(retract_rule, dbs_with_rules([(dbs_rule(X) :- X = 1)], retract((dbs_rule(_) :- B))), [B], answers([[_=1]])).
t(retract_rule_body, dbs_with_rules([(dbs_rule(1) :- a), (dbs_rule(2) :- b)], ( retract((dbs_rule(X) :- b)) )), [X],
  answers([[2]])).
t(retract_fact_not_rule, dbs_with_rules([(dbs_rule(1) :- true, true)], retract(dbs_rule(1))), [], fails).
t(retract_fact_as_rule, dbs_with_rules([dbs_rule(1)], retract((dbs_rule(X) :- true))), [X], answers([[1]])).
t(retract_unknown, retract(dbs_never_defined(_)), [], fails).
t(retract_unbound, retract(_), [], throws(instantiation_error)).
t(retract_unbound_head, retract((_ :- true)), [], throws(instantiation_error)).
t(retract_number, retract((4 :- _)), [], throws(type_error(callable, 4))).
t(retract_static, retract(dbs_static(_)), [], throws(permission_error(modify, static_procedure, dbs_static/1))).
t(retract_builtin, retract((atom(_) :- _)), [], throws(permission_error(modify, static_procedure, atom/1))).
t(retract_binds, dbs_with([p(1, a)], retract(dbs_fact(p(X, Y)))), [X, Y], answers([[1, a]])).

% retractall/1

t(retractall, dbs_with([a, b], ( retractall(dbs_fact(_)), dbs_facts(L) )), [L], answers([[[]]])).
t(retractall_pattern, dbs_with([f(1), g(1), f(2)], ( retractall(dbs_fact(f(_))), dbs_facts(L) )), [L],
  answers([[[g(1)]]])).
t(retractall_none, dbs_with([a], ( retractall(dbs_fact(z)), dbs_facts(L) )), [L], answers([[[a]]])).
t(retractall_rules, dbs_with_rules([(dbs_rule(1) :- fail), dbs_rule(2)], ( retractall(dbs_rule(_)), dbs_rules(L) )), [L],
  answers([[[]]])).
t(retractall_leaves_unbound, dbs_with([a], retractall(dbs_fact(X))), [X], answers([[_]])).
t(retractall_creates, ( retractall(dbs_created_2(_)), \+ dbs_created_2(_), abolish(dbs_created_2/1) ), [],
  answers([[]])).
t(retractall_unbound, retractall(_), [], throws(instantiation_error)).
% What the program mentions and nobody has defined is dynamic once something is to be taken from it.
t(retract_mentioned, ( catch(database_mentioned(_), _, true), ( retract(database_mentioned(_)) -> true ; true ), \+ database_mentioned(_), predicate_property(database_mentioned(_), dynamic) ), [], answers([[]])).
t(retractall_number, retractall(3), [], throws(type_error(callable, 3))).
t(retractall_static, retractall(dbs_static(_)), [], throws(permission_error(modify, static_procedure, dbs_static/1))).
t(retractall_builtin, retractall(atom_length(_, _)), [],
  throws(permission_error(modify, static_procedure, atom_length/2))).

% The logical update view

t(luv_assert_while_calling, dbs_with([1, 2], ( findall(X, ( dbs_fact(X), Y is X + 10, assertz(dbs_fact(Y)) ), Xs), dbs_facts(L) )), [Xs, L],
  answers([[[1, 2], [1, 2, 11, 12]]])).
t(luv_retract_while_calling, dbs_with([1, 2, 3], findall(X, ( dbs_fact(X), retractall(dbs_fact(_)) ), Xs)), [Xs],
  answers([[[1, 2, 3]]])).
t(luv_retract_next, dbs_with([1, 2, 3], findall(X, ( dbs_fact(X), ( retract(dbs_fact(2)) -> true ; true ) ), Xs)), [Xs],
  answers([[[1, 2, 3]]])).
t(luv_retract_assert, dbs_with([1, 2, 3], ( forall(retract(dbs_fact(X)), ( Y is X * 10, assertz(dbs_fact(Y)) )), dbs_facts(L) )), [L],
  answers([[[10, 20, 30]]])).
t(luv_counter, dbs_with([0], ( forall(between(1, 1000, _), ( retract(dbs_fact(N0)), N is N0 + 1, assertz(dbs_fact(N)) )), dbs_facts(L) )), [L],
  answers([[[1000]]])).
t(luv_new_call_sees, dbs_with([1], ( assertz(dbs_fact(2)), dbs_fact(2) )), [], answers([[]])).
t(luv_asserta_while_calling, dbs_with([1], ( findall(X, ( dbs_fact(X), asserta(dbs_fact(0)) ), Xs) )), [Xs],
  answers([[[1]]])).
t(luv_clause_while_asserting, dbs_with([1, 2], findall(X, ( clause(dbs_fact(X), true), assertz(dbs_fact(X)) ), Xs)), [Xs],
  answers([[[1, 2]]])).
t(luv_rule_redefined_while_running, dbs_with_rules([(dbs_rule(X) :- retractall(dbs_rule(_)), X = 1), dbs_rule(2)], dbs_rules(L)), [L],
  answers([[[1, 2]]])).
t(luv_last_clause, dbs_with([a], ( dbs_fact(_), assertz(dbs_fact(b)) )), [], answers([[]])).

% clause/2

t(clause_fact, dbs_with([a], clause(dbs_fact(X), B)), [X, B], answers([[a, true]])).
t(clause_rule, dbs_with_rules([(dbs_rule(X) :- a(X), b)], clause(dbs_rule(_), B)), [B], answers([[(a(_), b)]])).
t(clause_enumerates, dbs_with_rules([dbs_rule(1), (dbs_rule(2) :- c), dbs_rule(3)], clause(dbs_rule(X), B)), [X, B],
  answers([[1, true], [2, c], [3, true]])).
t(clause_body_pattern, dbs_with_rules([(dbs_rule(1) :- a), (dbs_rule(2) :- b)], clause(dbs_rule(X), b)), [X],
  answers([[2]])).
t(clause_control, dbs_with_rules([(dbs_rule(X) :- ( X = 1 -> true ; \+ fail ), !)], ( clause(dbs_rule(Y), B) )), [Y, B],
  answers([[P, ((P=1->true;\+fail), !)]])).
t(clause_variable_body, dbs_with_rules([(dbs_rule(X) :- X)], clause(dbs_rule(Y), B)), [Y, B], answers([[P, call(P)]])).
t(clause_static, clause(dbs_static_rule(X), B), [X, B], answers([[P, (dbs_static(P), P>1)]])).
t(clause_unknown, clause(dbs_never_defined(_), _), [], fails).
t(clause_unbound, clause(_, _), [], throws(instantiation_error)).
t(clause_number, clause(4, _), [], throws(type_error(callable, 4))).
t(clause_builtin, clause(atom(_), _), [], throws(permission_error(access, private_procedure, atom/1))).
t(clause_shares_variables, dbs_with_rules([(dbs_rule(f(X, Y)) :- g(Y, X))], clause(dbs_rule(H), B)), [H, B],
  answers([[f(P, Q), g(Q, P)]])).

% abolish/1, dynamic/1, predicate_property/2, current_predicate/1

t(abolish_in_a_walk, ( assertz(dbs_walked(1)), assertz(dbs_walked(2)), findall(X, ( retract(dbs_walked(X)), abolish(dbs_walked/1) ), L) ), [L],
  answers([[[1, 2]]])).
t(abolish_unbound, abolish(_), [], throws(instantiation_error)).
t(abolish_unbound_arity, abolish(foo/_), [], throws(instantiation_error)).
t(abolish_bad, abolish(foo), [], throws(type_error(predicate_indicator, foo))).
t(abolish_bad_arity, abolish(foo/a), [], throws(type_error(integer, a))).
t(abolish_neg_arity, abolish(foo/(-1)), [], throws(domain_error(not_less_than_zero, -1))).
t(abolish_bad_name, abolish(5/2), [], throws(type_error(atom, 5))).
t(abolish_builtin, abolish(atom/1), [], throws(permission_error(modify, static_procedure, atom/1))).
t(abolish_unknown, abolish(dbs_never_defined/7), [], answers([[]])).
t(collected_clauses, ( assertz(dbs_log(1)), assertz(dbs_log(2)), findall(X, ( retract(dbs_log(X)), garbage_collect_clauses ), L) ), [L], answers([[[1, 2]]])).
t(abolish_static, ( dbs_static_1(X), abolish(dbs_static_1/1), catch(dbs_static_1(_), error(E, _), true) ), [X, E],
    answers([[1, existence_error(procedure, dbs_static_1/1)], [2, existence_error(procedure, dbs_static_1/1)]])).
t(abolish_static_caller, ( abolish(dbs_static_2, 1), catch(dbs_calls_static(_), error(E, _), true) ), [E], answers([[existence_error(procedure, dbs_static_2/1)]])).
t(abolish_static_then_assert, ( abolish(dbs_static_3/1), assertz(dbs_static_3(7)), dbs_static_3(X), predicate_property(dbs_static_3(_), dynamic) ), [X], answers([[7]])).
t(abolish_static_iso, ( set_prolog_flag(iso, true), catch(abolish(dbs_static_4/1), error(E, _), true), set_prolog_flag(iso, false), dbs_static_4(X) ), [X, E],
    answers([[1, permission_error(modify, static_procedure, dbs_static_4/1)]])).
t(abolish_dynamic, ( assertz(dbs_ab(1)), abolish(dbs_ab/1), catch(dbs_ab(_), error(E, _), true) ), [E],
  answers([[existence_error(procedure, dbs_ab/1)]])).
t(dynamic_runtime, ( dynamic(dbs_dyn/1), \+ dbs_dyn(_) ), [], answers([[]])).
t(dynamic_list, ( dynamic([dbs_dyn_1/1, dbs_dyn_2/2]), \+ dbs_dyn_2(_, _) ), [], answers([[]])).
t(dynamic_conjunction, ( dynamic((dbs_dyn_3/1, dbs_dyn_4/2)), \+ dbs_dyn_4(_, _) ), [], answers([[]])).
t(dynamic_builtin, dynamic(atom/1), [], throws(permission_error(modify, static_procedure, atom/1))).
t(current_predicate, current_predicate(dbs_static/A), [A], answers([[1]])).
t(current_predicate_without_clauses, ( dynamic(dbs_no_clauses/3), current_predicate(dbs_no_clauses/3), current_predicate(dbs_no_clauses/A), current_predicate(dbs_no_clauses, H), findall(N, current_predicate(N, dbs_no_clauses(_, _, _)), L) ), [A, H, L], answers([[3, dbs_no_clauses(_, _, _), [dbs_no_clauses]]])).
t(current_predicate_no, current_predicate(dbs_no_such/_), [], fails).
t(current_predicate_bad, current_predicate(foo:bar:baz:4), [], throws(type_error(predicate_indicator, foo:bar:baz:4))).
t(current_predicate_bad_type, current_predicate(4), [], throws(type_error(predicate_indicator, 4))).
t(property_interpreted, ( predicate_property(dbs_fact(_), interpreted), predicate_property(append(_, _, _), interpreted), \+ predicate_property(atom_length(_, _), interpreted) ), [], answers([[]])).
t(property_dynamic, predicate_property(dbs_fact(_), dynamic), [], answers([[]])).
t(property_static, predicate_property(dbs_static(_), dynamic), [], fails).
t(property_clauses, ( dbs_with([a, b], true), predicate_property(dbs_fact(_), number_of_clauses(N)) ), [N],
  answers([[2]])).
t(property_builtin, predicate_property(atom(_), built_in), [], answers([[]])).
t(property_iso, ( member(G, [atom_length(_, _), dynamic(_), (_ *-> _), writeln(_), dbs_static(_)]), predicate_property(G, iso), functor(G, N, _) ), [N], answers([[atom_length], [dynamic]])).
t(property_unknown, predicate_property(dbs_no_such(_), defined), [], fails).

% A file announces clauses: that is a definition, and a static one.

:- multifile(dbs_multifile/1).
:- discontiguous(dbs_discontiguous/1).
t(announced_call, ( dbs_multifile(_) ; dbs_discontiguous(_) ; clause(dbs_multifile(_), _) ), [], fails).
t(announced_assertz, assertz(dbs_multifile(1)), [], throws(permission_error(modify, static_procedure, dbs_multifile/1))).
t(announced_asserta, asserta((dbs_discontiguous(X) :- p(X))), [], throws(permission_error(modify, static_procedure, dbs_discontiguous/1))).
t(announced_retract, retract(dbs_multifile(_)), [], throws(permission_error(modify, static_procedure, dbs_multifile/1))).
t(announced_retractall, retractall(dbs_discontiguous(_)), [], throws(permission_error(modify, static_procedure, dbs_discontiguous/1))).
t(announced_kind, ( member(P, [dbs_multifile(_), dbs_discontiguous(_)]), predicate_property(P, dynamic) ), [], fails).
t(announced_dynamic, ( dynamic(dbs_announced/1), assertz(dbs_announced(1)), dbs_announced(X) ), [X], answers([[1]])).
t(announced_by_goal, ( discontiguous(dbs_by_goal/1), assertz(dbs_by_goal(1)) ), [], throws(permission_error(modify, static_procedure, dbs_by_goal/1))).
:- multifile(dbs_announced/1).

% A clause that is an error changes nothing.

t(error_assertz, ( catch(assertz((dbs_error :- a, 1)), error(type_error(_, _), _), true), dbs_error ), [], throws(existence_error(procedure, dbs_error/0))).
t(error_asserta, ( catch(asserta((dbs_error(_) :- 1)), error(type_error(_, _), _), true), predicate_property(dbs_error(_), defined) ), [], fails).
t(error_named, ( catch(assertz((dbs_error(_, _) :- 1), _), error(type_error(_, _), _), true), current_predicate(dbs_error/2) ), [], fails).

% Volume

t(many_facts, dbs_with([], ( forall(between(1, 20000, I), assertz(dbs_pair(I, x))), dbs_pair(19999, X), retractall(dbs_pair(_, _)) )), [X],
  answers([[x]])).
t(many_atoms, ( forall(between(1, 5000, I), ( atom_concat(dbs_key_, I, K), assertz(dbs_pair(K, I)) )), dbs_pair(dbs_key_4321, X), retractall(dbs_pair(_, _)) ), [X],
  answers([[4321]])).
t(long_fact, ( numlist(1, 20000, L), dbs_with([L], ( dbs_fact(M), M == L )), retractall(dbs_fact(_)) ), [],
  answers([[]])).
t(zero_arity, ( assertz(dbs_empty), findall(x, dbs_empty, L), retractall(dbs_empty), \+ dbs_empty ), [L],
  answers([[[x]]])).
t(stack_under_walks, ( dbs_stack(200), findall(X-L, ( dbs_top(X), once(retract(dbs_top(_))), asserta(dbs_top(new)), findall(Y, dbs_top(Y), Ys), length(Ys, L) ), R), length(R, N), last(R, Last), nth1(2, R, Second), retractall(dbs_top(_)) ), [N, Second, Last],
  answers([[200, 199-200, 1-200]])).
% What a call sees it has found when it began.
t(clause_goes_on, findall(X, ( clause(dbs_gone(X), true), abolish(dbs_gone/1) ), L), [L], answers([[[1, 2, 3]]])).

:- dynamic(dbs_gone/1).
dbs_gone(1). dbs_gone(2). dbs_gone(3).

:- dynamic(dbs_top/1).
dbs_stack(N) :- retractall(dbs_top(_)), forall(between(1, N, I), asserta(dbs_top(I))).

% Static predicates that the goals above abolish.
dbs_static_1(1).
dbs_static_1(2).
dbs_static_2(1).
dbs_calls_static(X) :- dbs_static_2(X).
dbs_static_3(1).
dbs_static_4(1).

% dynamic/2: as the declarations that its options stand for.
t(dynamic_options, ( dynamic([dbs_o1/1, dbs_m:dbs_o2/0, dbs_o3//1], [incremental(false), thread(shared), multifile(true), discontiguous(false)]),
    forall(member(H, [dbs_o1(_), dbs_m:dbs_o2, dbs_o3(_, _, _)]), ( predicate_property(H, dynamic), predicate_property(H, multifile), \+ predicate_property(H, thread_local) )) ), [], answers([[]])).
t(dynamic_thread_local, ( dynamic([dbs_o4/1], [thread(local), discontiguous(true)]), predicate_property(dbs_o4(_), thread_local), predicate_property(dbs_o4(_), discontiguous) ), [], answers([[]])).
t(dynamic_nothing, dynamic([], []), [], answers([[]])).
t(dynamic_no_list, dynamic(dbs_o5/1, []), [], throws(type_error(list, dbs_o5/1))).
t(dynamic_unbound, dynamic(_, []), [], throws(instantiation_error)).
t(dynamic_unbound_options, dynamic([dbs_o5/1], _), [], throws(instantiation_error)).
t(dynamic_open_list, dynamic([dbs_o5/1|_], []), [], throws(instantiation_error)).
t(dynamic_no_indicator, dynamic([dbs_o5/x], []), [], throws(type_error(integer, x))).
t(dynamic_incremental, dynamic([dbs_o5/1], [incremental(maybe)]), [], throws(type_error(boolean, maybe))).
t(dynamic_as, ( dynamic((dbs_o6/1 as (shared, opaque), dbs_o7/1 as (local, multifile), [dbs_o8/0, dbs_m:dbs_o9//1] as discontiguous)),
    findall(H-Ps, ( member(H, [dbs_o6(_), dbs_o7(_), dbs_o8, dbs_m:dbs_o9(_, _, _)]), findall(P, ( member(P, [dynamic, thread_local, multifile, discontiguous]), predicate_property(H, P) ), Ps) ), L) ),
  [L], answers([[[dbs_o6(_)-[dynamic], dbs_o7(_)-[dynamic, thread_local, multifile], dbs_o8-[dynamic, discontiguous], (dbs_m:dbs_o9(_, _, _))-[dynamic, discontiguous]]]])).
t(dynamic_as_incremental, ( dynamic((dbs_o10/1 as incremental, dbs_o11/1 as (incremental, abstract(0)), dbs_o12/1 as incremental)), dynamic(dbs_o12/1 as opaque),
    findall(H, ( member(H, [dbs_o10(_), dbs_o11(_), dbs_o12(_)]), predicate_property(H, incremental) ), L) ), [L], answers([[[dbs_o10(_), dbs_o11(_)]]])).
t(dynamic_as_more, dynamic([dbs_o5/1] as ((multifile), abstract(1))), [], throws(domain_error(predicate_option, abstract(1)))).
t(dynamic_as_unbound, dynamic(dbs_o5/1 as _), [], throws(instantiation_error)).
t(dynamic_as_is_whole, \+ predicate_property(dbs_o5(_), dynamic), [], answers([[]])).
t(multifile_as, multifile(dbs_o5/1 as local), [], throws(domain_error(predicate_option, local))).
t(dynamic_other_option, dynamic([dbs_o5/1], [foo(1)]), [], throws(domain_error(dynamic_option, foo(1)))).
t(dynamic_not_boolean, dynamic([dbs_o5/1], [multifile(maybe)]), [], throws(type_error(boolean, maybe))).
t(dynamic_not_done, predicate_property(dbs_o5(_), dynamic), [], fails).

% A fact is matched as a term when it is called first, then as code: both must find the same.
dbs_head(dbs_called(a, 1, b)).
dbs_head(dbs_called(X, Y, Y)) :- X = f(Y).
dbs_head(dbs_called(_, _, _)).
dbs_head(dbs_called(X, X, Y)) :- Y = [X, z].
dbs_head(dbs_called("text", 2.5, 100000000000000000000)).
dbs_head(dbs_called([a|T], T, [])).
dbs_head(dbs_called(X, b, X)).
dbs_head(dbs_called(f(g(X), X), 1r3, -7)).
dbs_head(dbs_called(f(_), f(_), "")).

dbs_argument(_).
dbs_argument(a).
dbs_argument(1).
dbs_argument(2.5).
dbs_argument("text").
dbs_argument([a, b]).
dbs_argument(g(_)).
dbs_argument(f(_)).

:- dynamic(dbs_called/3).
:- dynamic(dbs_rule_called/3).

% What a call finds: the answers, or how often goals that it woke had another solution.
dbs_found(Name, A, B, C, Found) :-
    G =.. [Name, A, B, C],
    findall(X, ( catch(G, E, true), copy_term(G-E, X, _) ), L0),
    numbervars(L0, 0, _),
    Found = L0.

dbs_called_alike(N) :-
    findall(H, dbs_head(H), Hs),
    aggregate_all(count, ( member(H, [all|Hs]), dbs_argument(A), dbs_argument(B), member(Share, [yes, no]), ( Share == yes -> C = A ; true ), dbs_alike(H, Hs, A, B, C) ), N).

dbs_alike(H, Hs, A, B, C) :-
    ( H == all -> All = Hs ; All = [H] ),
    retractall(dbs_called(_, _, _)), retractall(dbs_rule_called(_, _, _)),
    forall(member(F, All), ( assertz(F), F =.. [_|As], R =.. [dbs_rule_called|As], assertz(( R :- dbs_nothing )) )),
    dbs_found(dbs_rule_called, A, B, C, Found0),
    findall(Found, ( between(1, 3, _), dbs_found(dbs_called, A, B, C, Found) ), [F1, F2, F3]),
    dbs_renamed(Found0, F1), F1 == F2, F2 == F3.

dbs_renamed(L0, L) :- maplist([G0-E, G-E]>>( G0 =.. [_|As], G =.. [_|As] ), L0, L).

dbs_nothing.

t(called_first_and_again, ( aggregate_all(count, dbs_argument(_), M), dbs_called_alike(N), Heads = 10, N =:= Heads*M*M*2 ), [], answers([[]])).
t(called_constants_only, ( retractall(dbs_called(_, _, _)), assertz(dbs_called(_, _, _)), dbs_called(X, Y, Z) ), [X, Y, Z], answers([[_, _, _]])).
t(called_atom, ( assertz(dbs_no_arguments), dbs_no_arguments, dbs_no_arguments ), [], answers([[]])).
t(retracted_most_general, ( dbs_with([1, f(_), "s", X, X], retractall(dbs_fact(_))), dbs_facts(L) ), [L], answers([[[]]])).
t(retracted_not_most_general, ( retractall(dbs_pair(_, _)), assertz(dbs_pair(1, 2)), assertz(dbs_pair(3, 3)), retractall(dbs_pair(Y, Y)), findall(A-B, dbs_pair(A, B), L) ), [L], answers([[[1-2]]])).
t(body_not_callable, assertz(( dbs_rule(_) :- a, ( b ; \+ "s" ) )), [], throws(type_error(callable, (a, ( b ; \+ "s" ))))).
t(body_not_callable_in_module, catch(assertz(( dbs_rule(_) :- dbs_m:(a, 3) )), error(type_error(callable, _), _), true), [], answers([[]])).
t(body_makes_module, ( assertz(( dbs_rule(_) :- dbs_m_only_named:a )), current_module(dbs_m_only_named) ), [], answers([[]])).

%   What is written `f()` as the head of a clause is f.
:- dynamic dbn_empty/0.
dbn_empty().
dbn_empty() :- fail.
t(empty_arguments_of_head, ( findall(B, clause(dbn_empty, B), Bs), findall(B, clause(dbn_empty(), B), Bs), dbn_empty, once(dbn_empty()) ), [Bs], answers([[[true, fail]]])).
t(empty_arguments_asserted, ( assertz(dbn_made()), assertz((dbn_made() :- true)), findall(B, clause(dbn_made, B), Bs), retract((dbn_made :- true)), retract(dbn_made()), \+ dbn_made, retractall(dbn_made()) ), [Bs], answers([[[true, true]]])).
t(empty_arguments_of_properties, ( predicate_property(dbn_empty(), dynamic), current_predicate(N, dbn_empty()) ), [N], answers([[dbn_empty]])).
