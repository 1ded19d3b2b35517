% Control constructs: cut, conjunction, disjunction, if-then-else, soft cut,
% negation, call/N, and the all-solutions predicates.
% ISO 13211-1, 7.8 and 8.10, 8.15; *->, forall/2, ignore/1, findall/4 and
% setup_call_cleanup/3 as in SWI-Prolog.

:- dynamic(ctl_log/1).
:- dynamic(ctl_undefined_but_dynamic/1).

ctl_p(1).
ctl_p(2).
ctl_p(3).

ctl_q(a, 1).
ctl_q(b, 2).
ctl_q(a, 3).

ctl_age(peter, 7).
ctl_age(ann, 11).
ctl_age(pat, 8).
ctl_age(tom, 5).
ctl_age(mike, 11).

ctl_key(1, _, b).
ctl_key(2, f(X, X), b).
ctl_key(3, f(_, _), b).
ctl_key(4, f(X, X), b).
ctl_key(5, _, b).
ctl_key(6, f(_, _), b).

% A key for each X, none of them ground.
ctl_open(N, X, K) :- between(1, N, X), K = k(X, _).

% The inferences of a goal's first solution.
ctl_inferences(Goal, N) :-
    statistics(inferences, N0),
    once(Goal),
    statistics(inferences, N1),
    N is N1 - N0.

ctl_cut_first(X) :- !, ctl_p(X).
ctl_cut_first(9).

ctl_cut_mid(X, Y) :- ctl_p(X), !, ctl_p(Y).
ctl_cut_mid(9, 9).

ctl_cut_last(X) :- ctl_p(X), !.
ctl_cut_last(9).

ctl_cut_fail(_) :- !, fail.
ctl_cut_fail(1).

ctl_cut_in_or(X) :- ( X = 1, ! ; X = 2 ).
ctl_cut_in_or(3).

ctl_cut_in_or_second(X) :- ( X = 1 ; X = 2, ! ; X = 3 ).
ctl_cut_in_or_second(4).

ctl_cut_in_then(X) :- ( true -> ctl_p(X), ! ; true ).
ctl_cut_in_then(9).

ctl_cut_in_else(X) :- ( fail -> true ; ctl_p(X), ! ).
ctl_cut_in_else(9).

ctl_cut_in_cond(X) :- ( ctl_p(X), ! -> true ; true ).
ctl_cut_in_cond(9).

ctl_cut_in_soft_cond(X) :- ( ctl_p(X), ! *-> true ; true ).
ctl_cut_in_soft_cond(9).

ctl_cut_in_soft_then(X) :- ( ctl_p(X) *-> ! ; true ).
ctl_cut_in_soft_then(9).

ctl_cut_in_soft_else(X) :- ( fail *-> true ; ctl_p(X), ! ).
ctl_cut_in_soft_else(9).

ctl_cut_in_not(X) :- \+ ( !, fail ), ctl_p(X).
ctl_cut_in_not(9).

ctl_cut_in_call(X) :- call(( ctl_p(X), ! )).
ctl_cut_in_call(9).

ctl_cut_in_findall(L) :- findall(X, ( ctl_p(X), ! ), L).
ctl_cut_in_findall(more).

ctl_cut_in_forall(yes) :- forall(( ctl_p(_), ! ), true).
ctl_cut_in_forall(more).

ctl_cut_in_once(X) :- once(( ctl_p(X), ! )).
ctl_cut_in_once(9).

ctl_cut_in_ignore(X) :- ignore(( ctl_p(X), ! )).
ctl_cut_in_ignore(9).

ctl_cut_in_catch(X) :- catch(( ctl_p(X), ! ), _, true).
ctl_cut_in_catch(9).

ctl_cut_in_variable(X) :- G = ( ctl_p(X), ! ), G.
ctl_cut_in_variable(9).

ctl_bare_variable(X) :- G = !, ctl_p(X), G.
ctl_bare_variable(9).

ctl_deep_cut(X) :- ( ( ctl_p(X), ( X >= 2, ! ; fail ) ) ; X = 7 ).
ctl_deep_cut(9).

ctl_two_cuts(X) :- ctl_p(X), !, X = 1, !.
ctl_two_cuts(9).

ctl_three(X, small) :- X < 10, !.
ctl_three(X, medium) :- X < 100, !.
ctl_three(_, large).

ctl_append([], L, L).
ctl_append([X|Xs], Ys, [X|Zs]) :- ctl_append(Xs, Ys, Zs).

ctl_count(N, N) :- !.
ctl_count(I, N) :- I1 is I + 1, ctl_count(I1, N).

ctl_even(0).
ctl_even(N) :- N > 0, M is N - 1, ctl_odd(M).

ctl_odd(N) :- N > 0, M is N - 1, ctl_even(M).

ctl_three_args(A, B, C) :- C = f(A, B).

ctl_seven(A, B, C, D, E, F, G) :- G = [A, B, C, D, E, F].

ctl_log_write(X) :- assertz(ctl_log(X)).

ctl_logged(Goal, Log) :-
    retractall(ctl_log(_)),
    ( catch(Goal, Ball, ctl_log_write(caught(Ball))) -> true ; ctl_log_write(failed) ),
    findall(X, retract(ctl_log(X)), Log).

% True, fail, conjunction, disjunction

t(true, true, [], answers([[]])).
t(fail, fail, [], fails).
t(false, false, [], fails).
% A goal is converted before it runs, behind modules too: what a variable is bound to then has a cut of its own.
t(converted_module, findall(X, user:(G = !, member(X, [1, 2, 3]), G), L), [L], answers([[[1, 2, 3]]])).
t(converted_inner_module, findall(X, ( G = !, member(X, [1, 2, 3]), user:G ), L), [L], answers([[[1, 2, 3]]])).
t(converted_module_cut, findall(X, ( member(X, [1, 2, 3]), user:(!) ), L), [L], answers([[[1]]])).
t(converted_module_error, call(user:(fail, 1)), [], throws(type_error(callable, (fail, 1)))).
t(converted_inner_error, call((fail, user:1)), [], throws(type_error(callable, (fail, user:1)))).
t(converted_module_cyclic, ( X = (true, X), call(m:X) ), [], throws(representation_error(cyclic_term))).
t(module_variable, ( M = user, M:true, G = true, user:G, M:G ), [], answers([[]])).
t(module_unbound, _:true, [], throws(instantiation_error)).
t(module_no_atom, ( M = 1, M:true ), [], throws(type_error(module, 1))).
t(conj, ( X = 1, Y = 2 ), [X, Y], answers([[1, 2]])).
t(conj_order, ( X = 1, var(X) ), [X], fails).
t(conj_backtracks, ( ctl_p(X), X > 1 ), [X], answers([[2], [3]])).
t(conj_product, ( ctl_p(X), ctl_p(Y), X < Y ), [X, Y], answers([[1, 2], [1, 3], [2, 3]])).
t(or, ( X = 1 ; X = 2 ), [X], answers([[1], [2]])).
t(or_nested, ( ( X = 1 ; X = 2 ) ; X = 3 ), [X], answers([[1], [2], [3]])).
t(or_fail_first, ( fail ; X = 2 ), [X], answers([[2]])).
t(or_fail_second, ( X = 1 ; fail ), [X], answers([[1]])).
t(or_unbound_branch, ( X = 1 ; _ = 2 ), [X], answers([[1], [_]])).
t(or_bindings_undone, ( X = 1, fail ; var(X), X = 2 ), [X], answers([[2]])).
t(or_after, ( ( X = 1 ; X = 2 ), Y = X ), [X, Y], answers([[1, 1], [2, 2]])).
t(bar_as_or, ( X = 1 | X = 2 ), [X], answers([[1], [2]])).
t(unknown_procedure, ctl_no_such_procedure, [], throws(existence_error(procedure, ctl_no_such_procedure/0))).
t(unknown_procedure_args, ctl_no_such_procedure(_, 1), [], throws(existence_error(procedure, ctl_no_such_procedure/2))).
t(unknown_dynamic, ctl_undefined_but_dynamic(_), [], fails).
t(unknown_other_arity, ctl_p(_, _), [], throws(existence_error(procedure, ctl_p/2))).
t(repeat, ( repeat, true ), [], prefix([[], [], []])).
t(repeat_cut, ( nb_setval(ctl_n, 0), repeat, nb_getval(ctl_n, N0), N is N0 + 1, nb_setval(ctl_n, N), N >= 5, ! ), [N],
  answers([[5]])).

% Cut in clause bodies

t(cut_first, ctl_cut_first(X), [X], answers([[1], [2], [3]])).
t(cut_mid, ctl_cut_mid(X, Y), [X, Y], answers([[1, 1], [1, 2], [1, 3]])).
t(cut_last, ctl_cut_last(X), [X], answers([[1]])).
t(cut_fail, ctl_cut_fail(_), [], fails).
t(cut_in_or, ctl_cut_in_or(X), [X], answers([[1]])).
t(cut_in_or_bound_second, ctl_cut_in_or(2), [], answers([[]])).
t(cut_in_or_bound_clause, ctl_cut_in_or(3), [], answers([[]])).
t(cut_in_or_second, ctl_cut_in_or_second(X), [X], answers([[1], [2]])).
t(cut_in_or_second_bound, ctl_cut_in_or_second(3), [], answers([[]])).
t(cut_in_then, ctl_cut_in_then(X), [X], answers([[1]])).
t(cut_in_else, ctl_cut_in_else(X), [X], answers([[1]])).
t(cut_in_cond_is_local, ctl_cut_in_cond(X), [X], answers([[1], [9]])).
t(cut_in_soft_cond_is_local, ctl_cut_in_soft_cond(X), [X], answers([[1], [9]])).
t(cut_in_soft_then, ctl_cut_in_soft_then(X), [X], answers([[1]])).
t(cut_in_soft_else, ctl_cut_in_soft_else(X), [X], answers([[1]])).
t(cut_in_not_is_local, ctl_cut_in_not(X), [X], answers([[1], [2], [3], [9]])).
t(cut_in_call_is_local, ctl_cut_in_call(X), [X], answers([[1], [9]])).
t(cut_in_findall_is_local, ctl_cut_in_findall(X), [X], answers([[[1]], [more]])).
t(cut_in_forall_is_local, ctl_cut_in_forall(X), [X], answers([[yes], [more]])).
t(cut_in_once_is_local, ctl_cut_in_once(X), [X], answers([[1], [9]])).
t(cut_in_ignore_is_local, ctl_cut_in_ignore(X), [X], answers([[1], [9]])).
t(cut_in_catch_is_local, ctl_cut_in_catch(X), [X], answers([[1], [9]])).
t(cut_in_variable_is_local, ctl_cut_in_variable(X), [X], answers([[1], [9]])).
t(cut_bare_variable_is_local, ctl_bare_variable(X), [X], answers([[1], [2], [3], [9]])).
t(cut_deep, ctl_deep_cut(X), [X], answers([[2]])).
t(cut_twice, ctl_two_cuts(X), [X], answers([[1]])).
t(cut_keeps_caller, ( ctl_p(X), ctl_cut_last(Y) ), [X, Y], answers([[1, 1], [2, 1], [3, 1]])).
t(cut_selects_1, ctl_three(5, X), [X], answers([[small]])).
t(cut_selects_2, ctl_three(50, X), [X], answers([[medium]])).
t(cut_selects_3, ctl_three(500, X), [X], answers([[large]])).
t(cut_not_steadfast, ctl_three(5, large), [], answers([[]])).
t(cut_top_level_goal, ( ctl_p(X), ! ), [X], answers([[1]])).
t(cut_top_level_or, ( ( ctl_p(X), ! ; X = 9 ) ; X = 10 ), [X], answers([[1]])).
t(cut_only, !, [], answers([[]])).
t(last_call_deep, ctl_count(0, 200000), [], answers([[]])).
t(mutual_recursion_deep, ctl_even(100000), [], answers([[]])).
t(append_split, ctl_append(X, Y, [1, 2]), [X, Y], answers([[[], [1, 2]], [[1], [2]], [[1, 2], []]])).
t(append_check, ctl_append([1], [2], [1, 2]), [], answers([[]])).
t(append_open, ctl_append(X, [z], Y), [X, Y], prefix([[[], [z]], [[P], [P, z]], [[P, Q], [P, Q, z]]])).

% If-then, if-then-else

t(ite_then, ( true -> X = 1 ; X = 2 ), [X], answers([[1]])).
t(ite_else, ( fail -> X = 1 ; X = 2 ), [X], answers([[2]])).
t(ite_commits, ( ctl_p(X) -> true ; X = 9 ), [X], answers([[1]])).
t(ite_then_backtracks, ( true -> ctl_p(X) ; X = 9 ), [X], answers([[1], [2], [3]])).
t(ite_else_backtracks, ( fail -> true ; ctl_p(X) ), [X], answers([[1], [2], [3]])).
t(ite_then_fails, ( true -> fail ; true ), [], fails).
t(ite_no_else, ( fail -> true ), [], fails).
t(ite_no_else_true, ( ctl_p(X) -> true ), [X], answers([[1]])).
t(ite_cond_bindings_kept, ( X = 1 -> Y = X ; Y = none ), [X, Y], answers([[1, 1]])).
t(ite_cond_bindings_undone, ( ( X = 1, fail ) -> true ; var(X) ), [X], answers([[_]])).
t(ite_chain, ( X = 2, ( X =:= 1 -> Y = one ; X =:= 2 -> Y = two ; Y = many ) ), [Y], answers([[two]])).
t(ite_chain_last, ( X = 5, ( X =:= 1 -> Y = one ; X =:= 2 -> Y = two ; Y = many ) ), [Y], answers([[many]])).
t(ite_nested_cond, ( ( true -> fail ; true ) -> X = 1 ; X = 2 ), [X], answers([[2]])).
t(ite_nested_then, ( true -> ( fail -> X = 1 ; X = 2 ) ; X = 3 ), [X], answers([[2]])).
t(ite_in_conj, ( ctl_p(X), ( X > 1 -> Y = big ; Y = small ) ), [X, Y], answers([[1, small], [2, big], [3, big]])).
t(ite_then_or, ( ( true -> X = 1 ; X = 2 ) ; X = 3 ), [X], answers([[1], [3]])).
t(ite_left_of_or, ( X = 0 ; true -> X = 1 ; X = 2 ), [X], answers([[0], [1]])).
t(ite_no_else_in_or, ( ( fail -> X = 1 ) ; X = 2 ), [X], answers([[2]])).
t(ite_unbound_cond, ( _ -> true ; true ), [], throws(instantiation_error)).
t(ite_number_cond, ( 1 -> true ; true ), [], throws(type_error(callable, (1->true;true)))).
t(ite_error_in_cond, ( atom_length(_, _) -> true ; true ), [], throws(instantiation_error)).
t(arrow_as_goal, call((->), true, X = 1), [X], answers([[1]])).

% Soft cut

t(soft_all_solutions, ( ctl_p(X) *-> true ; X = 9 ), [X], answers([[1], [2], [3]])).
t(soft_else, ( fail *-> true ; X = 9 ), [X], answers([[9]])).
t(soft_then_filters, ( ctl_p(X) *-> X > 1 ; X = 9 ), [X], answers([[2], [3]])).
t(soft_then_fails, ( ctl_p(_) *-> fail ; true ), [], fails).
t(soft_no_else, ( ctl_p(X) *-> true ), [X], answers([[1], [2], [3]])).
t(soft_no_else_fail, ( fail *-> true ), [], fails).
t(soft_product, ( ctl_p(X) *-> ctl_p(Y) ; true ), [X, Y],
  answers([[1, 1], [1, 2], [1, 3], [2, 1], [2, 2], [2, 3], [3, 1], [3, 2], [3, 3]])).
t(soft_else_backtracks, ( fail *-> true ; ctl_p(X) ), [X], answers([[1], [2], [3]])).
t(soft_in_or, ( ( ctl_p(X) *-> true ; X = 8 ) ; X = 9 ), [X], answers([[1], [2], [3], [9]])).
t(soft_nested, ( ( fail *-> true ; ctl_p(X) ) *-> true ; X = 9 ), [X], answers([[1], [2], [3]])).
t(soft_mixed, ( ( ctl_p(X), X > 5 ) *-> true ; ctl_p(X) -> true ; X = 9 ), [X], answers([[1]])).

% Negation

t(not_true, \+ true, [], fails).
t(not_fail, \+ fail, [], answers([[]])).
t(not_leaves_unbound, \+ \+ X = 1, [X], answers([[_]])).
t(not_member, \+ ctl_p(4), [], answers([[]])).
t(not_with_cut, \+ ( !, fail ), [], answers([[]])).
t(not_conj, \+ ( ctl_p(X), X > 3 ), [], answers([[]])).
t(not_unbound, \+ _, [], throws(instantiation_error)).
t(not_number, \+ 3, [], throws(type_error(callable, \+3))).
t(not_bad_body, \+ ( true, 1 ), [], throws(type_error(callable, \+ (true, 1)))).
t(not_error_passes, \+ atom_length(_, _), [], throws(instantiation_error)).
t(not_op, \+ (a = b), [], answers([[]])).
t(not_or, \+ ( fail ; fail ), [], answers([[]])).

% call/N

t(call_1, call(ctl_p(X)), [X], answers([[1], [2], [3]])).
t(call_cut_local, ( call(( ctl_p(X), ! )) ; X = 9 ), [X], answers([[1], [9]])).
t(call_cut_then, ( ctl_p(X), call(!) ), [X], answers([[1], [2], [3]])).
t(call_fail_cut, call(( fail, ! )), [], fails).
t(call_or, call(( X = 1 ; X = 2 )), [X], answers([[1], [2]])).
t(call_ite, call(( true -> X = 1 ; X = 2 )), [X], answers([[1]])).
t(call_conj_unbound, call(( true, _ )), [], throws(instantiation_error)).
t(call_conj_unbound_late, ( X = ctl_p(Y), call(( true, X )) ), [Y], answers([[1], [2], [3]])).
t(call_fail_before_bad, call(( fail, 1 )), [], throws(type_error(callable, (fail, 1)))).
t(call_bad_conj, call(( true, 1 )), [], throws(type_error(callable, (true, 1)))).
t(call_bad_or, call(( true ; 1 )), [], throws(type_error(callable, (true;1)))).
t(call_bad_nested, call(( ctl_p(_), ( fail ; 1 ) )), [], throws(type_error(callable, (ctl_p(_), (fail;1))))).
t(call_bad_arrow, call(( 1 -> true )), [], throws(type_error(callable, (1->true)))).
t(call_fail_unbound, call(( fail, _ )), [], fails).
t(call_unbound, call(_), [], throws(instantiation_error)).
t(call_number, call(1), [], throws(type_error(callable, 1))).
t(call_float, call(1.5), [], throws(type_error(callable, 1.5))).
t(call_string, call("true"), [], throws(type_error(callable, "true"))).
t(call_list, call([]), [], throws(existence_error(procedure, []/0))).
t(call_unknown, call(ctl_no_such_procedure), [], throws(existence_error(procedure, ctl_no_such_procedure/0))).
t(call_2, call(ctl_p, X), [X], answers([[1], [2], [3]])).
t(call_2_closure, call(ctl_q(a), X), [X], answers([[1], [3]])).
t(call_3, call(ctl_q, X, 2), [X], answers([[b]])).
t(call_4, call(ctl_three_args, 1, 2, X), [X], answers([[f(1, 2)]])).
t(call_4_closure, call(ctl_three_args(1), 2, X), [X], answers([[f(1, 2)]])).
t(call_8, call(ctl_seven, 1, 2, 3, 4, 5, 6, X), [X], answers([[[1, 2, 3, 4, 5, 6]]])).
t(call_7_closure, call(ctl_seven(1), 2, 3, 4, 5, 6, X), [X], answers([[[1, 2, 3, 4, 5, 6]]])).
t(call_nested, call(call, ctl_p, X), [X], answers([[1], [2], [3]])).
t(call_nested_deep, call(call(call(ctl_three_args, 1), 2), X), [X], answers([[f(1, 2)]])).
t(call_2_unbound, call(_, 1), [], throws(instantiation_error)).
t(call_2_number, call(1, a), [], throws(type_error(callable, 1))).
t(call_2_unknown, call(ctl_no_such_procedure(1), 2), [], throws(existence_error(procedure, ctl_no_such_procedure/2))).
t(call_conj_closure, call(',', X = 1, Y = 2), [X, Y], answers([[1, 2]])).
t(call_conj_partial, call(','(X = 1), Y = 2), [X, Y], answers([[1, 2]])).
t(call_or_closure, call(;, X = 1, X = 2), [X], answers([[1], [2]])).
t(call_not_closure, call(\+, fail), [], answers([[]])).
t(call_op_closure, call(=, X, 1), [X], answers([[1]])).
t(call_is_closure, call(is, X, 1 + 2), [X], answers([[3]])).
t(call_cut_closure, ( call(',', ctl_p(X), !) ; X = 9 ), [X], answers([[1], [9]])).
t(call_nondet_twice, ( G = ctl_p(X), call(G), X > 1, call(ctl_p, Y), Y < X ), [X, Y],
  answers([[2, 1], [3, 1], [3, 2]])).
t(goal_variable, ( G = ctl_p(X), G ), [X], answers([[1], [2], [3]])).
t(module_qualified, user:ctl_p(X), [X], answers([[1], [2], [3]])).
t(module_call, call(user:ctl_q, a, X), [X], answers([[1], [3]])).
t(module_unknown, ctl_module:ctl_nothing, [], throws(existence_error(procedure, ctl_module:ctl_nothing/0))).

% once/1, ignore/1, forall/2, apply/2, not/1

t(once_first, once(ctl_p(X)), [X], answers([[1]])).
t(once_fail, once(fail), [], fails).
t(once_or, once(( X = 1 ; X = 2 )), [X], answers([[1]])).
t(once_unbound, once(_), [], throws(instantiation_error)).
t(once_number, once(3), [], throws(type_error(callable, 3))).
t(ignore_true, ignore(ctl_p(X)), [X], answers([[1]])).
t(ignore_fail, ignore(fail), [], answers([[]])).
t(ignore_unbound, ignore(_), [], throws(instantiation_error)).
t(ignore_bindings_undone, ignore(( X = 1, fail )), [X], answers([[_]])).
t(forall_true, forall(ctl_p(X), X > 0), [X], answers([[_]])).
t(forall_false, forall(ctl_p(X), X > 1), [], fails).
t(forall_empty, forall(fail, fail), [], answers([[]])).
t(forall_leaves_unbound, forall(X = 1, true), [X], answers([[_]])).
t(forall_unbound, forall(_, true), [], throws(instantiation_error)).
t(forall_unbound_action, forall(true, _), [], throws(instantiation_error)).
t(forall_unbound_action_unused, forall(fail, _), [], answers([[]])).
t(forall_bad_action, forall(true, 1), [], throws(type_error(callable, 1))).
t(not_1, not(ctl_p(4)), [], answers([[]])).
t(not_1_false, not(ctl_p(1)), [], fails).
t(apply_2, apply(ctl_q, [a, X]), [X], answers([[1], [3]])).

% findall/3, findall/4

t(findall, findall(X, ctl_p(X), L), [L], answers([[[1, 2, 3]]])).
t(findall_template, findall(X-Y, ctl_q(X, Y), L), [L], answers([[[a-1, b-2, a-3]]])).
t(findall_empty, findall(X, fail, L), [L, X], answers([[[], _]])).
t(findall_unbound_result, findall(_, ctl_p(_), L), [L], answers([[[_, _, _]]])).
t(findall_fresh_variables, findall(f(X, Y), ( X = Y ; true ), L), [L], answers([[[f(P, P), f(_, _)]]])).
t(findall_keeps_order, findall(X, ( X = b ; X = a ; X = b ), L), [L], answers([[[b, a, b]]])).
t(findall_goal_variable, ( G = ctl_p(X), findall(X, G, L) ), [L], answers([[[1, 2, 3]]])).
t(findall_shared, findall(X-Z, ctl_p(X), L), [L, Z], answers([[[1-_, 2-_, 3-_], _]])).
t(findall_leaves_unbound, findall(X, ctl_p(X), _), [X], answers([[_]])).
t(findall_bound_result, findall(X, ctl_p(X), [1, 2, 3]), [], answers([[]])).
t(findall_bound_result_no, findall(X, ctl_p(X), [1, 2]), [], fails).
t(findall_partial_result, findall(X, ctl_p(X), [A|B]), [A, B], answers([[1, [2, 3]]])).
t(findall_nested, findall(X-L, ( ctl_p(X), findall(Y, ( ctl_p(Y), Y < X ), L) ), R), [R],
  answers([[[1-[], 2-[1], 3-[1, 2]]]])).
t(findall_or, findall(X, ( X = 1 ; X = 2 ), L), [L], answers([[[1, 2]]])).
t(findall_unbound_goal, findall(_, _, _), [], throws(instantiation_error)).
t(findall_number_goal, findall(_, 4, _), [], throws(type_error(callable, 4))).
t(findall_bad_result, findall(X, ctl_p(X), foo), [], fails).
t(findall_bad_result_partial, findall(X, ctl_p(X), [a|foo]), [], fails).
t(findall_error_passes, findall(X, ( ctl_p(X), X > 1, throw(ctl_ball(X)) ), _), [], throws_ball(ctl_ball(2))).
t(findall_many, ( findall(X, between(1, 10000, X), L), length(L, N), last(L, E) ), [N, E], answers([[10000, 10000]])).
t(findall4, findall(X, ctl_p(X), L, [z]), [L], answers([[[1, 2, 3, z]]])).
t(findall4_open, findall(X, ctl_p(X), L, T), [L, T], answers([[[1, 2, 3|P], P]])).
t(findall4_empty, findall(X, fail, L, [z]), [L, X], answers([[[z], _]])).
t(findall4_difference, ( findall(X, ctl_p(X), L, T), findall(Y, ctl_q(_, Y), T) ), [L],
  answers([[[1, 2, 3, 1, 2, 3]]])).

% bagof/3, setof/3

t(bagof, bagof(X, ctl_p(X), L), [L], answers([[[1, 2, 3]]])).
t(bagof_fail, bagof(_, fail, _), [], fails).
t(bagof_free, bagof(Y, ctl_q(X, Y), L), [X, L], answers([[a, [1, 3]], [b, [2]]])).
t(bagof_exists, bagof(Y, X^ctl_q(X, Y), L), [X, L], answers([[_, [1, 2, 3]]])).
t(bagof_all_template, bagof(X-Y, ctl_q(X, Y), L), [L], answers([[[a-1, b-2, a-3]]])).
t(bagof_duplicates, bagof(X, ( X = 1 ; X = 1 ; X = 0 ), L), [L], answers([[[1, 1, 0]]])).
t(bagof_variable_solutions, bagof(X, ( X = Y ; X = Z ), L), [L, Y, Z], answers([[[P, Q], P, Q]])).
t(bagof_unbound_elements, bagof(f(X, _), ( X = 1 ; X = 2 ), L), [L], answers([[[f(1, _), f(2, _)]]])).
t(bagof_free_unbound, bagof(X, ( X = 1, Y = 1 ; X = 2 ), L), [L, Y], answers([[[2], _], [[1], 1]])).
t(bagof_inner_free_equal, bagof(X, ( X = 1, Y = a ; X = 2, Y = a ; X = 3, Y = b ), L), [Y, L],
  answers([[a, [1, 2]], [b, [3]]])).
t(bagof_two_free, bagof(X, ( ctl_p(X), Y = Z ), L), [L, Y, Z], answers([[[1, 2, 3], P, P]])).
% (Which of two unbound variables comes first is nobody's to say.)
t(bagof_order_of_unbound, ( findall(B-L, bagof(X, member(X-A-B, [1-_-b, 2-_-a, 3-_-_, 4-_-a]), L), R), findall(B, member(B-_, R), Bs), msort(R, S) ), [Bs, S],
  answers([[[_, a, a, b], [_-[3], a-[2], a-[4], b-[1]]]])).
t(bagof_keys_unlike, findall(X-Y-L, bagof(Z, ctl_key(Z, X, Y), L), R), [R],
  answers([[[_-b-[1, 5], f(A, A)-b-[2, 4], f(_, _)-b-[3, 6]]]])).
t(bagof_groups_once, ( ctl_inferences(findall(L, bagof(X, ctl_open(200, X, _), L), Ls), I), length(Ls, 200), ctl_inferences(findall(L, bagof(X, ctl_open(400, X, _), L), _), J), J < 3*I ), [],
  answers([[]])).
t(setof_groups_once, ( ctl_inferences(findall(L, setof(X, ctl_open(200, X, _), L), Ls), I), length(Ls, 200), ctl_inferences(findall(L, setof(X, ctl_open(400, X, _), L), _), J), J < 3*I ), [],
  answers([[]])).
t(bagof_nested_exists, bagof(X, A^B^( ctl_age(A, X), B = A ), L), [L], answers([[[7, 11, 8, 5, 11]]])).
t(bagof_exists_term, bagof(X, f(A, B)^( ctl_age(A, X), B = A ), L), [L], answers([[[7, 11, 8, 5, 11]]])).
t(carets_and_modules, ( forall(( ctl_wrapped(3, Y, ctl_q(X, Y), G), ctl_occurs(Y^_, G) ), ctl_all_ways(X, G, [a, b], [a, b, a])) ), [], answers([[]])).
t(caret_module_free, setof(X, ctl_q(X, Y), L), [Y, L], answers([[1, [a]], [2, [b]], [3, [a]]])).
t(caret_module_unbound, setof(X, Y^_:ctl_q(X, Y), _), [], throws(instantiation_error)).
t(caret_module_number, setof(X, Y^1:ctl_q(X, Y), _), [], throws(type_error(module, 1))).
t(caret_module_called_there, ( assertz(ctl_other:fact(1, 2)), setof(X, Y^ctl_other:fact(X, Y), L) ), [L], answers([[[1]]])).
t(caret_cyclic_goal, ( G = user:G, setof(_, G, _) ), [], throws(type_error(acyclic_term, _))).
t(bagof_negation_hides, bagof(X, ( ctl_p(X), \+ ctl_q(Y, X) ), L), [L, Y], fails).
t(bagof_unbound_goal, bagof(_, _, _), [], throws(instantiation_error)).
t(bagof_number_goal, bagof(_, 1, _), [], throws(type_error(callable, 1))).
t(bagof_exists_number, bagof(_, _^1, _), [], throws(type_error(callable, 1))).
t(bagof_exists_unbound, bagof(X, X^_, _), [], throws(instantiation_error)).
t(bagof_bound_result, bagof(Y, ctl_q(X, Y), [2]), [X], answers([[b]])).
t(bagof_bad_result, bagof(X, ctl_p(X), foo), [], fails).
t(bagof_cut_local, bagof(X, ( ctl_p(X), ! ), L), [L], answers([[[1]]])).
t(bagof_groups_sorted, bagof(Y, ( X = b, Y = 1 ; X = a, Y = 2 ; X = b, Y = 3 ), L), [X, L],
  answers([[a, [2]], [b, [1, 3]]])).
t(bagof_error_passes, bagof(X, ( ctl_p(X), throw(ctl_ball) ), _), [], throws_ball(ctl_ball)).
t(setof, setof(X, ctl_p(X), L), [L], answers([[[1, 2, 3]]])).
t(setof_sorts, setof(X, ( X = c ; X = a ; X = b ; X = a ), L), [L], answers([[[a, b, c]]])).
t(setof_free, setof(P, ctl_age(P, A), L), [A, L], answers([[5, [tom]], [7, [peter]], [8, [pat]], [11, [ann, mike]]])).
t(setof_pairs, setof(A-P, ctl_age(P, A), L), [L], answers([[[5-tom, 7-peter, 8-pat, 11-ann, 11-mike]]])).
t(setof_exists, setof(A, P^ctl_age(P, A), L), [L], answers([[[5, 7, 8, 11]]])).
t(setof_fail, setof(_, fail, _), [], fails).
t(setof_nested, setof(A-Ps, setof(P, ctl_age(P, A), Ps), L), [L],
  answers([[[5-[tom], 7-[peter], 8-[pat], 11-[ann, mike]]]])).
t(setof_standard_order, setof(X, ( X = f(a) ; X = b ; X = 1 ; X = 1.0 ; X = "s" ; X = Y ), L), [L, Y],
  answers([[[P, 1.0, 1, "s", b, f(a)], P]])).
t(setof_variables, setof(X-Z, ( X = 1 ; X = 2 ), L), [L, Z], answers([[[1-_, 2-_], _]])).
t(setof_list, setof(X, member(X, [3, 1, 2]), [A|B]), [A, B], answers([[1, [2, 3]]])).
t(setof_unbound_goal, setof(_, _, _), [], throws(instantiation_error)).
t(setof_number_goal, setof(_, 1, _), [], throws(type_error(callable, 1))).
t(exists_as_goal, X^ctl_p(X), [X], throws(existence_error(procedure, (^)/2))).
% Of variables that get no value all solutions have the same one, and many of those quantified are not free.
t(bagof_one_group, ( run_size(30000, N), findall(G, bagof(A, ctl_free(N, A, _, _), G), Gs), maplist(length, Gs, [N]) ), [], answers([[]])).
t(bagof_many_quantified, ( run_size(20000, N), length(L, N), bagof(A, L^member(A, [a|L]), [B|_]) ), [B], answers([[a]])).
ctl_free(N, A, _, _) :- between(1, N, A).
t(aggregate_count, aggregate_all(count, ctl_p(_), N), [N], answers([[3]])).
t(aggregate_sum, aggregate_all(sum(X), ctl_p(X), N), [N], answers([[6]])).
t(aggregate_max, aggregate_all(max(X), ctl_p(X), N), [N], answers([[3]])).
t(aggregate_max_witness, aggregate_all(max(A, P), ctl_age(P, A), N), [N], answers([[max(11, ann)]])).
t(aggregate_min_witness, aggregate_all(min(A, P), ctl_age(P, A), N), [N], answers([[min(5, tom)]])).
t(aggregate_max_empty, aggregate_all(max(X), ( ctl_p(X), X > 9 ), _), [], fails).
t(aggregate_bag, aggregate_all(bag(X), ( X = b ; X = a ; X = b ), L), [L], answers([[[b, a, b]]])).
t(aggregate_set, aggregate_all(set(X), ( X = b ; X = a ; X = b ), L), [L], answers([[[a, b]]])).

% between/3 and other small generators

t(between_all, between(1, 3, X), [X], answers([[1], [2], [3]])).
t(between_one, between(2, 2, X), [X], answers([[2]])).
t(between_empty, between(3, 1, _), [], fails).
t(between_check, between(1, 3, 2), [], answers([[]])).
t(between_check_no, between(1, 3, 4), [], fails).
t(between_negative, between(-2, 0, X), [X], answers([[-2], [-1], [0]])).
t(between_inf, between(1, inf, X), [X], prefix([[1], [2], [3]])).
t(between_infinite, between(5, infinite, X), [X], prefix([[5], [6]])).
t(between_inf_check, between(1, inf, 100000000000000000000), [], answers([[]])).
t(between_big, between(9223372036854775806, 9223372036854775809, X), [X],
  answers([[9223372036854775806], [9223372036854775807], [9223372036854775808], [9223372036854775809]])).
t(between_unbound_low, between(_, 3, _), [], throws(instantiation_error)).
t(between_unbound_high, between(1, _, _), [], throws(instantiation_error)).
t(between_atom_low, between(a, 3, _), [], throws(type_error(integer, a))).
t(between_atom_high, between(1, a, _), [], throws(type_error(integer, a))).
t(between_float, between(1, 3.0, _), [], throws(type_error(integer, 3.0))).
t(between_atom_value, between(1, 3, a), [], throws(type_error(integer, a))).
t(between_expression, between(1, 1 + 1, _), [], throws(type_error(integer, 1+1))).

% Logging goals: order of side effects

t(order_conj, ctl_logged(( ctl_log_write(a), ctl_log_write(b) ), L), [L], answers([[[a, b]]])).
t(order_backtrack, ctl_logged(( ctl_p(X), ctl_log_write(X), X >= 2 ), L), [L], answers([[[1, 2]]])).
t(order_ite, ctl_logged(( ctl_log_write(cond) -> ctl_log_write(then) ; ctl_log_write(else) ), L), [L],
  answers([[[cond, then]]])).
t(order_or, ctl_logged(( ctl_log_write(a), fail ; ctl_log_write(b) ), L), [L], answers([[[a, b]]])).
t(side_effects_survive_failure, ctl_logged(( ctl_log_write(a), fail ), L), [L], answers([[[a, failed]]])).
t(side_effects_survive_throw, ctl_logged(( ctl_log_write(a), throw(b) ), L), [L], answers([[[a, caught(b)]]])).
t(variable_goal_is_opaque, call(( G = !, ( G, fail ; true ) )), [G], answers([[!]])).
t(variable_goal_is_opaque_in_sequence, call(( member(X, [1, 2, 3]), G = !, G )), [X], answers([[1], [2], [3]])).
t(variable_goal_is_opaque_in_condition, call(( G = ( !, fail ), ( G -> X = a ; X = b ) ; X = c )), [X], answers([[b], [c]])).
t(variable_goal_is_opaque_in_negation, findall(X, ( member(X, [1, 2]), G = ( !, fail ), \+ G ), L), [L], answers([[[1, 2]]])).
t(bound_goal_is_transparent, ( G = !, call(( ctl_p(X), G )) ), [X], answers([[1]])).

%   ctl_wrapped(+N, +Y, +Goal, -Wrapped): N quantifiers, modules and quantified modules around a goal.
ctl_wrapped(0, _, G, G).
ctl_wrapped(N, Y, G0, W) :-
    N > 0, N1 is N-1,
    member(W, [Y^G, user:G, (Y^user):G, (_^Y^user):G]),
    ctl_wrapped(N1, Y, G0, G).

ctl_occurs(Sub, T) :- subsumes_term(Sub, T), !.
ctl_occurs(Sub, T) :- compound(T), arg(_, T, A), ctl_occurs(Sub, A), !.

%   Whoever takes quantifiers finds the same solutions.
ctl_all_ways(X, G, Set, Bag) :-
    length(Bag, N),
    findall(L, setof(X, G, L), [Set]), findall(L, bagof(X, G, L), [Bag]),
    findall(L, aggregate(bag(X), G, L), [Bag]), findall(C, aggregate(count, X^G, C), [N]),
    findall(C, aggregate_all(count, G, C), [N]),
    !.
ctl_all_ways(_, G, _, _) :- throw(differs(G)).

%   call/N with as many arguments as there may be.
ctl_all(A, B, C, D, E, F, G, H, I, [A, B, C, D, E, F, G, H, I]).
t(call_9, call(ctl_all(0, 1), 2, 3, 4, 5, 6, 7, 8, L), [L], answers([[[0, 1, 2, 3, 4, 5, 6, 7, 8]]])).
t(call_10, call(ctl_all(0), 1, 2, 3, 4, 5, 6, 7, 8, L), [L], answers([[[0, 1, 2, 3, 4, 5, 6, 7, 8]]])).
t(call_10_meta, predicate_property(call(_, _, _, _, _, _, _, _, _, _), meta_predicate(M)), [M], answers([[call(9, ?, ?, ?, ?, ?, ?, ?, ?, ?)]])).
t(notrace, notrace(member(X, [1, 2])), [X], answers([[1]])).
