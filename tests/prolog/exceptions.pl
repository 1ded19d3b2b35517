% Exceptions: catch/3, throw/1 and setup_call_cleanup/3.
% ISO 13211-1, 7.8.9 and 7.8.10; setup_call_cleanup/3 as in SWI-Prolog
% (ISO draft of 2010).

:- dynamic(exc_log/1).

exc_p(1).
exc_p(2).
exc_p(3).

exc_write(X) :- assertz(exc_log(X)).

% The marks left by Goal, with its outcome as the last one.
exc_logged(Goal, Log) :-
    retractall(exc_log(_)),
    (   catch(Goal, Ball, exc_write(caught(Ball)))
    ->  true
    ;   exc_write(failed)
    ),
    findall(X, retract(exc_log(X)), Log).

exc_throw_at(0) :- throw(exc_bottom).
exc_throw_at(N) :- N > 0, M is N - 1, exc_throw_at(M), true.

exc_catch_at(0) :- throw(exc_bottom).
exc_catch_at(N) :- N > 0, M is N - 1, catch(exc_catch_at(M), exc_other, true).

exc_rethrow(0) :- throw(exc_level(0)).
exc_rethrow(N) :-
    N > 0,
    M is N - 1,
    catch(exc_rethrow(M), exc_level(L), ( L1 is L + 1, throw(exc_level(L1)) )).

exc_cut(X) :- exc_p(X), !, throw(exc_cut(X)).
exc_cut(9).

exc_after_exit(X) :- catch(exc_p(X), _, true), X >= 2, throw(exc_late(X)).

exc_loop(0) :- !.
exc_loop(N) :- catch(throw(again), again, true), M is N - 1, exc_loop(M).

exc_member(X, [X|_]).
exc_member(X, [_|T]) :- exc_member(X, T).

% catch/3 and throw/1

t(catch_no_throw, catch(X = 1, _, true), [X], answers([[1]])).
t(catch_nondet, catch(exc_p(X), _, true), [X], answers([[1], [2], [3]])).
t(catch_fail, catch(fail, _, true), [], fails).
t(catch_ball, catch(throw(a), B, true), [B], answers([[a]])).
t(catch_no_match, catch(throw(a), b, true), [], throws_ball(a)).
t(catch_match_term, catch(throw(f(1, _)), f(X, Y), true), [X, Y], answers([[1, _]])).
t(catch_recovery_nondet, catch(throw(a), a, exc_p(X)), [X], answers([[1], [2], [3]])).
t(catch_recovery_fails, catch(throw(a), a, fail), [], fails).
t(catch_recovery_throws, catch(throw(a), a, throw(b)), [], throws_ball(b)).
t(catch_recovery_same_ball, catch(throw(a), a, throw(a)), [], throws_ball(a)).
t(catch_inner, catch(catch(throw(a), b, X = inner), a, X = outer), [X], answers([[outer]])).
t(catch_inner_first, catch(catch(throw(a), a, X = inner), a, X = outer), [X], answers([[inner]])).
t(catch_recovery_to_outer, catch(catch(throw(a), a, throw(b)), b, X = outer), [X], answers([[outer]])).
t(catch_undoes_bindings, catch(( X = 1, throw(a) ), a, true), [X], answers([[_]])).
t(catch_undoes_before_unify, catch(( X = 1, throw(b(X)) ), b(Y), true), [X, Y], answers([[_, 1]])).
t(catch_keeps_earlier_bindings, ( X = 1, catch(throw(a), a, Y = X) ), [X, Y], answers([[1, 1]])).
t(ball_is_copied, catch(throw(f(X, X, Y)), f(A, B, C), true), [X, Y, A, B, C], answers([[_, _, P, P, _]])).
t(ball_copy_is_fresh, ( catch(throw(f(X)), f(Y), true), X = 1, var(Y) ), [Y], answers([[_]])).
t(ball_large, ( numlist(1, 5000, L), catch(throw(L), M, true), M == L ), [], answers([[]])).
t(ball_string, catch(throw("text"), B, true), [B], answers([["text"]])).
t(ball_number, catch(throw(12345678901234567890), B, true), [B], answers([[12345678901234567890]])).
t(throw_unbound, throw(_), [], throws(instantiation_error)).
t(throw_unbound_caught, catch(throw(_), error(E, _), true), [E], answers([[instantiation_error]])).
t(throw_uncaught, throw(my_ball), [], throws_ball(my_ball)).
t(throw_partial, throw(f(_)), [], throws_ball(f(_))).
t(throw_after_answers, ( exc_p(X), ( X < 3 ; throw(three) ) ), [X], throws_ball(three)).
t(throw_through_call, catch(call(call(throw(a))), a, X = yes), [X], answers([[yes]])).
t(throw_through_findall, catch(findall(_, throw(a), _), a, X = yes), [X], answers([[yes]])).
t(throw_through_not, catch(\+ throw(a), a, X = yes), [X], answers([[yes]])).
t(throw_through_forall, catch(forall(throw(a), true), a, X = yes), [X], answers([[yes]])).
t(throw_in_cond, catch(( throw(a) -> true ; true ), a, X = yes), [X], answers([[yes]])).
t(throw_in_then, catch(( true -> throw(a) ; true ), a, X = yes), [X], answers([[yes]])).
t(throw_in_soft_cond, catch(( throw(a) *-> true ; true ), a, X = yes), [X], answers([[yes]])).
t(throw_after_cut, catch(exc_cut(_), B, true), [B], answers([[exc_cut(1)]])).
t(throw_deep, catch(exc_throw_at(100000), B, true), [B], answers([[exc_bottom]])).
t(throw_through_catches, catch(exc_catch_at(1000), B, true), [B], answers([[exc_bottom]])).
t(rethrow_levels, catch(exc_rethrow(100), B, true), [B], answers([[exc_level(100)]])).
t(catch_in_a_loop, exc_loop(100000), [], answers([[]])).
t(inactive_after_exit, exc_after_exit(_), [], throws_ball(exc_late(2))).
t(inactive_after_exit_outer, catch(exc_after_exit(_), B, true), [B], answers([[exc_late(2)]])).
t(inactive_in_recovery, catch(catch(throw(a), _, throw(b)), B, true), [B], answers([[b]])).
t(active_on_redo, catch(( exc_p(X), X > 1, throw(at(X)) ), B, true), [X, B], answers([[_, at(2)]])).
t(active_after_reentry, findall(B, ( exc_member(X, [1, 2]), catch(throw(X), B, true) ), L), [L], answers([[[1, 2]]])).
t(answers_then_caught, catch(( exc_p(X), ( X < 3 -> true ; throw(a) ) ), a, X = end), [X], answers([[1], [2], [end]])).
t(catch_cut_local, ( catch(!, _, true), exc_p(X) ), [X], answers([[1], [2], [3]])).
t(catch_cut_in_recovery_local, ( exc_p(X), catch(throw(a), a, !) ), [X], answers([[1], [2], [3]])).
t(catch_cut_in_goal, catch(( exc_p(X), ! ), _, true), [X], answers([[1]])).
t(catch_goal_unbound, catch(_, _, true), [], answers([[]])).
t(catch_goal_unbound_caught, catch(_, error(E, _), true), [E], answers([[instantiation_error]])).
t(catch_goal_number, catch(1, error(E, _), true), [E], answers([[type_error(callable, 1)]])).
t(catch_recovery_unbound, catch(throw(a), a, _), [], throws(instantiation_error)).
t(catch_recovery_unbound_unused, catch(true, _, _), [], answers([[]])).
t(catch_recovery_number, catch(throw(a), a, 1), [], throws(type_error(callable, 1))).
t(catch_shared_ball, catch(throw(f(1)), f(X), ( Y = X )), [X, Y], answers([[1, 1]])).
t(catch_ball_bound_outside, ( B = b, catch(throw(a), B, true) ), [B], throws_ball(a)).
% ISO 7.8.9: bindings are undone before the ball is unified (SWI-Prolog unifies first, and does not catch this one).
t(catch_ball_bound_inside, catch(( B = b, throw(a) ), B, true), [B], answers([[a]])).
t(catch_unify_fails_restores, catch(catch(throw(f(1, 2)), f(X, 1), true), f(_, 2), true), [X], answers([[_]])).
t(catch_then_more, ( catch(throw(a), a, true), exc_p(X) ), [X], answers([[1], [2], [3]])).
t(catch_in_or, ( catch(throw(a), a, X = 1) ; X = 2 ), [X], answers([[1], [2]])).
t(choice_before_throw_is_gone, catch(( exc_p(_), throw(a) ), a, true), [], answers([[]])).
t(choice_outside_remains, ( exc_p(X), catch(( exc_p(_), throw(a) ), a, true) ), [X], answers([[1], [2], [3]])).
t(order_of_marks, exc_logged(( exc_write(1), catch(( exc_write(2), throw(a) ), a, exc_write(3)), exc_write(4) ), L), [L],
  answers([[[1, 2, 3, 4]]])).
t(nested_marks, exc_logged(catch(catch(( exc_write(1), throw(a) ), a, ( exc_write(2), throw(b) )), b, exc_write(3)), L), [L],
  answers([[[1, 2, 3]]])).

% Errors of the system are ordinary balls

t(error_inst, catch(atom_length(_, _), error(E, _), true), [E], answers([[instantiation_error]])).
t(error_type, catch(atom_length(f(x), _), error(E, _), true), [E], answers([[type_error(text, f(x))]])).
t(error_type_arith, catch(_ is foo + 1, error(E, _), true), [E], answers([[type_error(evaluable, foo/0)]])).
t(error_zero, catch(_ is 1 // 0, error(E, _), true), [E], answers([[evaluation_error(zero_divisor)]])).
t(error_unknown, catch(exc_unknown(1, 2), error(E, _), true), [E],
  answers([[existence_error(procedure, exc_unknown/2)]])).
t(error_match_formal, catch(arg(x, f(a), _), error(type_error(T, _), _), true), [T], answers([[integer]])).
t(error_no_match_formal, catch(arg(x, f(a), _), error(domain_error(_, _), _), true), [],
  throws(type_error(integer, x))).
t(error_user_term, throw(error(type_error(integer, a), _)), [], throws(type_error(integer, a))).
t(error_user_formal, throw(error(my_error, ctx)), [], throws(my_error)).
t(must_be_integer, must_be(integer, a), [], throws(type_error(integer, a))).
t(must_be_unbound, must_be(integer, _), [], throws(instantiation_error)).
t(must_be_ok, must_be(integer, 3), [], answers([[]])).
t(must_be_positive_zero, must_be(positive_integer, 0), [], throws(type_error(positive_integer, 0))).
t(must_be_nonneg, must_be(nonneg, -1), [], throws(type_error(nonneg, -1))).
t(must_be_list, must_be(list, [a|b]), [], throws(type_error(list, [a|b]))).
t(must_be_callable, must_be(callable, 3), [], throws(type_error(callable, 3))).
t(must_be_atom, must_be(atom, 3), [], throws(type_error(atom, 3))).
t(must_be_var, must_be(var, 3), [], throws(uninstantiation_error(3))).
t(must_be_unknown_type, must_be(exc_no_type, 3), [], throws(existence_error(type, exc_no_type))).
t(is_of_type, ( is_of_type(integer, 3), \+ is_of_type(integer, a) ), [], answers([[]])).
t(type_error_2, type_error(foo, bar), [], throws(type_error(foo, bar))).
t(domain_error_2, domain_error(foo, bar), [], throws(domain_error(foo, bar))).
t(existence_error_2, existence_error(foo, bar), [], throws(existence_error(foo, bar))).
t(permission_error_3, permission_error(modify, foo, bar), [], throws(permission_error(modify, foo, bar))).
t(instantiation_error_1, instantiation_error(_), [], throws(instantiation_error)).
t(representation_error_1, representation_error(foo), [], throws(representation_error(foo))).
t(resource_error_1, resource_error(foo), [], throws(resource_error(foo))).

% setup_call_cleanup/3

t(scc_true, setup_call_cleanup(X = 1, Y = 2, true), [X, Y], answers([[1, 2]])).
t(scc_fail, setup_call_cleanup(true, fail, true), [], fails).
t(scc_throw, setup_call_cleanup(true, throw(a), true), [], throws_ball(a)).
t(scc_setup_fails, setup_call_cleanup(fail, true, true), [], fails).
t(scc_setup_throws, setup_call_cleanup(throw(a), true, true), [], throws_ball(a)).
t(scc_setup_once, setup_call_cleanup(exc_p(X), true, true), [X], answers([[1]])).
t(scc_nondet, setup_call_cleanup(true, exc_p(X), true), [X], answers([[1], [2], [3]])).
t(scc_cleanup_fails, setup_call_cleanup(true, X = 1, fail), [X], answers([[1]])).
t(scc_cleanup_throws_exit, setup_call_cleanup(true, true, throw(a)), [], throws_ball(a)).
t(scc_cleanup_throws_fail, setup_call_cleanup(true, fail, throw(a)), [], throws_ball(a)).
t(scc_goal_ball_wins, setup_call_cleanup(true, throw(goal), throw(cleanup)), [], throws_ball(goal)).
t(scc_cleanup_binding_kept, setup_call_cleanup(true, true, X = 1), [X], answers([[1]])).
t(scc_cleanup_sees_binding, exc_logged(setup_call_cleanup(X = 1, true, exc_write(X)), L), [L], answers([[[1]]])).
t(scc_cleanup_sees_goal_binding, exc_logged(setup_call_cleanup(true, X = 2, exc_write(X)), L), [L], answers([[[2]]])).
t(scc_cleanup_after_failure_unbound, exc_logged(setup_call_cleanup(true, ( X = 2, fail ), ( var(X), exc_write(v) )), L), [L],
  answers([[[v, failed]]])).
t(scc_marks_det, exc_logged(( setup_call_cleanup(exc_write(s), exc_write(g), exc_write(c)), exc_write(after) ), L), [L],
  answers([[[s, g, c, after]]])).
t(scc_marks_fail, exc_logged(setup_call_cleanup(exc_write(s), ( exc_write(g), fail ), exc_write(c)), L), [L],
  answers([[[s, g, c, failed]]])).
t(scc_marks_throw, exc_logged(setup_call_cleanup(exc_write(s), throw(b), exc_write(c)), L), [L],
  answers([[[s, c, caught(b)]]])).
t(scc_marks_throw_caught_later, exc_logged(catch(setup_call_cleanup(true, throw(b), exc_write(c)), b, exc_write(caught_b)), L), [L],
  answers([[[c, caught_b]]])).
t(scc_marks_nondet_exhausted, exc_logged(( setup_call_cleanup(true, exc_member(X, [1, 2]), exc_write(c)), exc_write(X), fail ), L), [L],
  answers([[[1, 2, c, failed]]])).
t(scc_marks_last_det, exc_logged(( setup_call_cleanup(true, member(X, [1, 2]), exc_write(c)), exc_write(X), X == 2 ), L), [L],
  answers([[[1, c, 2]]])).
t(scc_marks_cut, exc_logged(( setup_call_cleanup(true, exc_p(X), exc_write(c)), exc_write(X), !, exc_write(after) ), L), [L],
  answers([[[1, c, after]]])).
t(scc_marks_once, exc_logged(( once(setup_call_cleanup(true, exc_p(X), exc_write(c))), exc_write(X) ), L), [L],
  answers([[[c, 1]]])).
t(scc_marks_ite, exc_logged(( setup_call_cleanup(true, exc_p(_), exc_write(c)) -> exc_write(then) ; true ), L), [L],
  answers([[[c, then]]])).
t(scc_marks_not, exc_logged(( \+ setup_call_cleanup(true, exc_p(_), exc_write(c)) ; exc_write(else) ), L), [L],
  answers([[[c, else]]])).
t(scc_marks_later_throw, exc_logged(( setup_call_cleanup(true, exc_p(_), exc_write(c)), throw(b) ), L), [L],
  answers([[[c, caught(b)]]])).
t(scc_marks_later_fail, exc_logged(( setup_call_cleanup(true, exc_p(X), exc_write(c)), exc_write(X), X >= 5 ), L), [L],
  answers([[[1, 2, c, 3, failed]]])).
t(scc_marks_nested, exc_logged(setup_call_cleanup(exc_write(s1), setup_call_cleanup(exc_write(s2), exc_write(g), exc_write(c2)), exc_write(c1)), L), [L],
  answers([[[s1, s2, g, c2, c1]]])).
t(scc_marks_nested_throw, exc_logged(setup_call_cleanup(true, setup_call_cleanup(true, throw(b), exc_write(c2)), exc_write(c1)), L), [L],
  answers([[[c2, c1, caught(b)]]])).
t(scc_marks_nested_cut, exc_logged(( setup_call_cleanup(true, setup_call_cleanup(true, exc_p(_), exc_write(c2)), exc_write(c1)), !, exc_write(after) ), L), [L],
  answers([[[c2, c1, after]]])).
t(scc_marks_cleanup_once, exc_logged(( setup_call_cleanup(true, true, ( exc_p(X), exc_write(X) )), exc_write(after) ), L), [L],
  answers([[[1, after]]])).
t(scc_marks_findall, exc_logged(( findall(X, setup_call_cleanup(true, exc_p(X), exc_write(c)), Xs), exc_write(Xs) ), L), [L],
  answers([[[c, [1, 2, 3]]]])).
% The handler runs at the cut, with the bindings of that moment.
exc_cut_then_fail(L) :- exc_logged(exc_cut_then_fail_, L).
exc_cut_then_fail_ :- call_cleanup(member(C, [1, 2, x]), exc_write(c(C))), !, fail.
exc_cut_then_fail_.
% What is in registers survives the cut.
exc_after_cut(A, B, C, [X, A, B, C]) :- setup_call_cleanup(true, exc_member(X, [1, 2]), exc_write(A-X)), B = C, !, exc_write(B).

t(scc_cut_then_fail, exc_cut_then_fail(L), [L], answers([[[c(1), failed]]])).
t(scc_cut_keeps_registers, exc_logged(( exc_after_cut(a, B, c, L0), exc_write(L0) ), L), [L],
  answers([[[a-1, c, [1, a, c, c]]]])).
t(scc_not_sees_binding, exc_logged(( \+ setup_call_cleanup(true, member(X, [a, b]), exc_write(X)) ; exc_write(else) ), L), [L],
  answers([[[a, else]]])).
t(scc_forall_sees_binding, exc_logged(( forall(call_cleanup(member(C, [1, 2, x]), exc_write(C)), C > 5) ; exc_write(else) ), L), [L],
  answers([[[1, else]]])).
t(scc_findall_cut, exc_logged(( findall(X, ( setup_call_cleanup(true, member(X, [1, 2]), exc_write(c(X))), ! ), Xs), exc_write(Xs) ), L), [L],
  answers([[[c(1), [1]]]])).
t(scc_call_cut, exc_logged(( G = ( setup_call_cleanup(true, member(X, [1, 2]), exc_write(c(X))), !, exc_write(x) ), call(G) ), L), [L],
  answers([[[c(1), x]]])).
t(scc_cut_throws, ( setup_call_cleanup(true, member(_, [1, 2]), throw(b)), ! ), [], throws_ball(b)).
t(scc_cut_first_ball_wins, exc_logged(( setup_call_cleanup(true, member(_, [1, 2]), ( exc_write(h1), throw(b1) )),
    setup_call_cleanup(true, member(_, [1, 2]), ( exc_write(h2), throw(b2) )),
    setup_call_cleanup(true, member(_, [1, 2]), exc_write(h3)), ! ), L), [L], answers([[[h3, h2, h1, caught(b2)]]])).
t(scc_error_is_more_urgent, catch(setup_call_cleanup(true, throw(a), throw(error(e, _))), E, true), [E], answers([[error(e, _)]])).
t(sccc_cut, exc_logged(( setup_call_catcher_cleanup(true, member(X, [1, 2]), R, exc_write(R-X)), ! ), L), [L], answers([[[(!)-1]]])).
t(sccc_exit, exc_logged(setup_call_catcher_cleanup(true, true, R, exc_write(R)), L), [L], answers([[[exit]]])).
t(sccc_fail, exc_logged(setup_call_catcher_cleanup(true, fail, R, exc_write(R)), L), [L], answers([[[fail, failed]]])).
t(sccc_exception, exc_logged(setup_call_catcher_cleanup(true, throw(b), R, exc_write(R)), L), [L],
  answers([[[exception(b), caught(b)]]])).
t(sccc_external_exception, exc_logged(( setup_call_catcher_cleanup(true, member(_, [1, 2]), R, exc_write(R)), throw(b) ), L), [L],
  answers([[[external_exception(b), caught(b)]]])).
t(sccc_other_reason, exc_logged(( setup_call_catcher_cleanup(true, member(_, [1, 2]), exit, exc_write(no)), ! ), L), [L], answers([[[]]])).
t(sccc_binds, setup_call_catcher_cleanup(true, throw(f(1)), exception(f(X)), throw(z(X))), [], throws_ball(f(1))).
t(sig_atomic_once, sig_atomic(exc_p(X)), [X], answers([[1]])).
t(sig_atomic_fails, sig_atomic(fail), [], fails).
t(sig_atomic_throws, sig_atomic(throw(b)), [], throws_ball(b)).
t(with_mutex_once, with_mutex(exc_mutex, exc_p(X)), [X], answers([[1]])).
t(with_mutex_gives_back, ( mutex_create(M), forall(member(G, [true, fail, member(_, [1, 2]), throw(b), with_mutex(M, true), with_mutex(exc_mutex, fail)]), catch(ignore(with_mutex(M, G)), b, true)), mutex_property(M, status(S)), mutex_destroy(M) ), [S], answers([[unlocked]])).
t(with_mutex_cut, ( mutex_create(M), G = ( member(X, [1, 2]), ! ), with_mutex(M, ( G, mutex_property(M, status(S0)) )), mutex_property(M, status(S)), mutex_destroy(M), S0 = locked(_, N) ), [X, N, S], answers([[1, 1, unlocked]])).
t(with_mutex_unlocked_inside, ( mutex_create(M), catch(with_mutex(M, mutex_unlock(M)), error(E, _), true), E =.. [F|_], mutex_destroy(M) ), [F], answers([[permission_error]])).
t(with_mutex_bound_inside, ( mutex_create(M), freeze(X, mutex_property(M, status(S))), with_mutex(M, X = 1), mutex_destroy(M), S = locked(_, N) ), [N], answers([[1]])).
t(with_mutex_undoes, ( mutex_create(M), exc_logged(( with_mutex(M, undo(exc_write(u))), mutex_property(M, status(S)), exc_write(S), fail ; exc_write(e) ), L), mutex_destroy(M) ), [L], answers([[[unlocked, u, e]]])).
t(findnsols_parts, findnsols(2, X, member(X, [1, 2, 3]), L), [X, L], answers([[_, [1, 2]], [_, [3]]])).
t(findnsols_tail, findnsols(2, X, ( member(X, [1, 2, 3]), Y = X ), L, T), [X, Y, L, T], answers([[_, _, [1, 2|T1], T1], [_, _, [3|T2], T2]])).
t(scc_setup_unbound, setup_call_cleanup(_, true, true), [], throws(instantiation_error)).
t(scc_goal_unbound, setup_call_cleanup(true, _, true), [], throws(instantiation_error)).
t(scc_cleanup_unbound, setup_call_cleanup(true, true, _), [], throws(instantiation_error)).
t(scc_goal_cut_local, ( setup_call_cleanup(true, !, true), exc_p(X) ), [X], answers([[1], [2], [3]])).
t(call_cleanup, exc_logged(call_cleanup(exc_write(g), exc_write(c)), L), [L], answers([[[g, c]]])).
t(call_cleanup_fail, exc_logged(call_cleanup(fail, exc_write(c)), L), [L], answers([[[c, failed]]])).
t(call_cleanup_throw, exc_logged(call_cleanup(throw(b), exc_write(c)), L), [L], answers([[[c, caught(b)]]])).
t(scc_setup_collected, exc_logged(setup_call_cleanup(( S = f(a), garbage_collect ), true, exc_write(S)), L), [L], answers([[[f(a)]]])).
% SWI-Prolog 9.0.4 loses the binding in these two.
t(scc_goal_collected, exc_logged(( setup_call_cleanup(true, ( exc_p(_), S = f(a) ), exc_write(S)), garbage_collect, ! ), L), [L], answers([[[f(a)]]])).
t(scc_catcher_collected, exc_logged(( setup_call_catcher_cleanup(true, exc_p(_), C, exc_write(C-S)), S = f(a), garbage_collect, ! ), L), [L], answers([[[!-f(a)]]])).

% What a handler throws in a cut waits for the other handlers of that cut, which run as if nothing had been thrown.
exc_two(A) :- setup_call_cleanup(true, setup_call_cleanup(true, exc_p(A), ( exc_write(a(A)), throw(b1) )), ( exc_write(b(A)), throw(b2) )).
exc_cut_two :- exc_two(_), !.
exc_cut_in_branch(X) :- ( X = 1, exc_two(_), ! ; true ).
exc_then_two :- ( exc_two(_) -> true ; true ).
exc_reason_at_cut :- setup_call_catcher_cleanup(true, setup_call_cleanup(true, exc_p(_), throw(b1)), R, exc_write(R)), !.
exc_reason_at_then :- ( setup_call_catcher_cleanup(true, setup_call_cleanup(true, exc_p(_), throw(b1)), R, exc_write(R)) -> true ; true ).
exc_later_handler(X) :-
    setup_call_cleanup(true,
        setup_call_cleanup(true,
            setup_call_cleanup(true, exc_p(_), throw(b1)),
            ( X = 1, exc_write(x(X)) )),
        exc_write(y(X))),
    !.
exc_cut_urgent :- setup_call_cleanup(true, setup_call_cleanup(true, exc_p(_), throw(b1)), atom_length(_, _)), !.
exc_cut_urgent_first :- setup_call_cleanup(true, setup_call_cleanup(true, exc_p(_), atom_length(_, _)), throw(b1)), !.

t(scc_whole_cut, exc_logged(exc_cut_two, L), [L], answers([[[a(1), b(1), caught(b1)]]])).
t(scc_whole_cut_called, exc_logged(( exc_two(_), ! ), L), [L], answers([[[a(1), b(1), caught(b1)]]])).
t(scc_whole_cut_branch, exc_logged(exc_cut_in_branch(_), L), [L], answers([[[a(1), b(1), caught(b1)]]])).
t(scc_whole_cut_once, exc_logged(once(exc_two(_)), L), [L], answers([[[a(1), b(1), caught(b1)]]])).
t(scc_whole_cut_ignore, exc_logged(ignore(exc_two(_)), L), [L], answers([[[a(1), b(1), caught(b1)]]])).
t(scc_whole_cut_atomic, exc_logged(sig_atomic(exc_two(_)), L), [L], answers([[[a(1), b(1), caught(b1)]]])).
t(scc_whole_cut_mutex, exc_logged(with_mutex(exc_mutex, exc_two(_)), L), [L], answers([[[a(1), b(1), caught(b1)]]])).
t(scc_whole_cut_setup, exc_logged(setup_call_cleanup(exc_two(_), exc_write(g), true), L), [L], answers([[[a(1), b(1), caught(b1)]]])).
t(scc_whole_cut_reason, exc_logged(exc_reason_at_cut, L), [L], answers([[[!, caught(b1)]]])).
t(scc_whole_cut_undoes_handlers, exc_logged(exc_later_handler(_), L), [L], answers([[[x(1), y(_), caught(b1)]]])).
t(scc_whole_cut_urgent, exc_cut_urgent, [], throws(instantiation_error)).
t(scc_whole_cut_urgent_first, exc_cut_urgent_first, [], throws(instantiation_error)).
t(scc_whole_cut_caught, exc_logged(catch(exc_cut_two, b1, exc_write(mine)), L), [L], answers([[[a(1), b(1), mine]]])).
t(scc_condition_throws, exc_logged(exc_then_two, L), [L], answers([[[a(1), b(_), caught(b1)]]])).
t(scc_condition_called, exc_logged(( exc_two(_) -> true ; true ), L), [L], answers([[[a(1), b(_), caught(b1)]]])).
t(scc_condition_without_else, exc_logged(( exc_two(_) -> true ), L), [L], answers([[[a(1), b(_), caught(b1)]]])).
t(scc_condition_negated, exc_logged(\+ exc_two(_), L), [L], answers([[[a(1), b(_), caught(b1)]]])).
t(scc_condition_reason, exc_logged(exc_reason_at_then, L), [L], answers([[[external_exception(b1), caught(b1)]]])).
% The ball of a goal that is left is replaced by a more urgent one of its handler, not by one of a goal that has exited.
t(scc_urgent_inside, setup_call_cleanup(true, throw(b1), atom_length(_, _)), [], throws(instantiation_error)).
t(scc_urgent_behind, ( setup_call_cleanup(true, exc_p(_), atom_length(_, _)), throw(b1) ), [], throws_ball(b1)).

% Who looks at a ball sees it without what others have bound in it, and each catcher without what it has bound itself. It is one term for all.
exc_kept(0, B) :- throw(B).
exc_kept(N, B) :- N > 0, M is N - 1, catch(exc_kept(M, B), f(_, N, no), true).
exc_told(0, B) :- throw(B).
exc_told(N, B) :- N > 0, M is N - 1, setup_call_catcher_cleanup(true, exc_told(M, B), exception(f(N, X, Y)), exc_write(X-Y)).
exc_changed :-
    setup_call_catcher_cleanup(true,
        setup_call_catcher_cleanup(true, throw(f(_, a, _)), exception(E), ( arg(1, E, k), setarg(2, E, b), nb_setarg(3, E, g(_)) )),
        exception(F), exc_write(F)).

t(ball_catchers_undone, catch(exc_kept(5, f(_, _, _)), f(X, Y, Z), true), [X, Y, Z], answers([[_, _, _]])).
t(ball_catcher_variables_undone, ( V = v(_, _), catch(catch(throw(f(_, a, b)), f(1, V, no), true), f(X, Y, Z), true) ), [V, X, Y, Z],
  answers([[v(_, _), _, a, b]])).
t(ball_collected, catch(catch(catch(throw(f(_, g(W), W)), f(1, a, no), true), f(_, a, no), true), f(X, Y, Z), garbage_collect), [X, Y, Z],
  answers([[_, g(A), A]])).
t(ball_handlers_undone, exc_logged(exc_told(3, f(_, _, a)), L), [L], answers([[[_-a, _-a, _-a, caught(f(_, _, a))]]])).
t(ball_is_one_term, exc_logged(exc_changed, L), [L], answers([[[f(_, a, g(_)), caught(f(_, a, g(_)))]]])).
t(ball_after_collections, exc_logged(setup_call_catcher_cleanup(true, catch(setup_call_catcher_cleanup(true, throw(f(_, "s", [1.5])), exception(E),
    ( garbage_collect, arg(1, E, k), garbage_collect )), f(1, 2, _), true), exception(F), ( garbage_collect, exc_write(F) )), L), [L],
  answers([[[f(_, "s", [1.5]), caught(f(_, "s", [1.5]))]]])).

% Messages: what a hook raises goes to who prints, an error of a format does not.
exc_with(Clause, Goal) :- setup_call_cleanup(asserta(Clause, Ref), Goal, erase(Ref)).
:- dynamic(user:message_hook/3).
:- multifile(user:message_hook/3).
:- dynamic(prolog:message/3).
:- multifile(prolog:message/3).
t(message_hook_raises, exc_with((user:message_hook(exc_m, _, _) :- throw(oops)), print_message(error, exc_m)), [], throws_ball(oops)).
t(message_hook_errs, exc_with((user:message_hook(exc_m, _, _) :- atom_length(_, _)), print_message(silent, exc_m)), [], throws(instantiation_error)).
t(message_translation_raises, exc_with((prolog:message(exc_m, _, _) :- throw(oops)), print_message(error, exc_m)), [], throws_ball(oops)).
t(message_translation_errs, exc_with((prolog:message(exc_m, _, _) :- atom_length(_, _)), print_message(error, exc_m)), [], throws(instantiation_error)).
t(message_prefixes, exc_with(prolog:message(exc_m, ['a', prefix('~NP: '), 'x'-[], nl, 'y', prefix('~n~w> '-[z]), 'w'|T], T), ( message_to_codes(exc_m, error, Cs), atom_codes(A, Cs) )), [A],
  native(answers([['ERROR: a\nP: x\nERROR: y\nz> w\n']]))).
t(message_format_errs, print_message(silent, format("~a", [f(x)])), [], answers([[]])).
t(message_in_message, ( exc_with((user:message_hook(exc_m(X), _, L) :- X < 3, Y is X+1, print_message(silent, exc_m(Y)), L = ['~w'-[_], nl]), print_message(silent, exc_m(1))) ), [],
  answers([[]])).
t(assertion_limit, catch(assertion(throw(time_limit_exceeded)), E, true), [E], answers([[time_limit_exceeded]])).
