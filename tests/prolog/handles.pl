% Queues and mutexes without alias: one that can be named is there, wherever its handle is; one that cannot is collected.
%
% erased(How, Q): the same of what is erased, and freed.
% lives(How): by How a handle goes through something, and is the only one of its object meanwhile. goes(How): what is made by How and dropped is
% collected: all but the last few, which a register or a dead slot of a frame may still have.

churn :- churn(40), garbage_collect, garbage_collect.

churn(N) :- forall(between(1, N, _), ( message_queue_create(_), mutex_create(_) )).

% The queue takes a message.
there(Q) :- churn, thread_send_message(Q, m), thread_get_message(Q, m).

lives(How) :- made(How, Q), there(Q), !.

made(How, Q) :- via(How, Q), churn.
made(How, Q) :- erased(How, Q), settled, churn.

new(Q) :- message_queue_create(Q).

:- dynamic holds/1.
:- dynamic holds/2.
:- dynamic rule/1.
:- dynamic once_called/1.

via(message, Q) :- new(Q0), thread_self(Me), thread_send_message(Me, a(Q0)), got(a(Q)).
via(message_in_queue, Q) :- outer(O), churn, thread_get_message(O, b(Q)).
via(peeked, Q) :- outer(O), churn, thread_peek_message(O, b(Q)), message_queue_destroy(O).
via(findall, Q) :- findall(X, ( member(_, [1, 2, 3]), new(X), churn ), [_, Q, _]).
via(findall_immediate, Q) :- findall(X, ( new(X), churn ), [Q]).
via(bagof, Q) :- bagof(Y-X, ( member(Y, [1, 2]), new(X), churn ), [_, _-Q]).
via(fact, Q) :- asserted(Q).
via(global, Q) :- new(X), nb_setval(handles_key, v(X)), fail ; churn, nb_getval(handles_key, v(Q)), nb_setval(handles_key, 0).
via(global_immediate, Q) :- new(X), nb_setval(handles_key, X), fail ; churn, nb_getval(handles_key, Q), nb_setval(handles_key, 0).
via(global_backtracked, Q) :- new(X), b_setval(handles_key, X), churn, b_getval(handles_key, Q).
via(exception, Q) :- catch(( new(X), throw(ball(X)) ), ball(Q), churn).
via(exception_after_cleanup, Q) :- catch(setup_call_cleanup(true, ( new(X), throw(X) ), churn), Q, churn).
via(assigned, Q) :- new(X), T = f(X), ( setarg(1, T, a), churn, fail ; arg(1, T, Q) ).
via(nb_assigned, Q) :- T = f(a), ( new(X), nb_setarg(1, T, g(X)), fail ; churn, arg(1, T, g(Q)) ).
via(choicepoint, Q) :- new(X), alternative(X, Q).
via(frame, Q) :- new(Q), churn, true.
via(record, Q) :- new(X), recorda(handles_key, X), fail ; churn, recorded(handles_key, Q, R), erase(R).
via(record_compound, Q) :- new(X), recorda(handles_key, f(X)), fail ; churn, recorded(handles_key, f(Q), R), erase(R).
via(thread, Q) :- thread_create(new_for_main, T), thread_join(T, exited(Q)).
via(thread_goal, Q) :- goal_thread(T), churn, thread_send_message(T, go), thread_join(T, exited(Q)).
via(thread_signal, Q) :- signalled, churn, got(c(Q)).
via(thread_exit_message, Q) :- thread_create(( new(X), at_exit_send(X) ), T), thread_join(T, _), churn, got(d(Q)).
via(time_limit, Q) :- new(X), catch(call_with_time_limit(0.05, wait(X)), B, true), B = time_limit_exceeded, churn, Q = X.
via(suspended, Q) :- new(X), reset(( shift(ball), Y = X ), ball, C), churn, call(C), Q = Y.
via(assigned_only, Q) :- boxed(T), churn, ( setarg(1, T, a), churn, arg(1, T, b) ; arg(1, T, Q) ).
via(exception_looked_at, Q) :- catch(setup_call_catcher_cleanup(true, throws, C, ( C = exception(_), churn )), Q, churn).
via(copied, Q) :- new(X), copy_term(f(X, _), f(Q, _)).
via(enumerated, Q) :- new(X), message_queue_property(X, size(0)), findall(Y, ( message_queue_property(Y, size(0)), Y == X ), [Q]).
via(table, Q) :- tabled(Q), churn, abolish_all_tables.
via(table_again, Q) :- tabled(_), churn, tabled(Q), abolish_all_tables.
via(table_moded, Q) :- best(_), churn, best(Q), abolish_all_tables.
via(table_call, Q) :- new(X), call_tabled(X), churn, abolish_all_tables, Q = X.
via(table_compound, Q) :- pair(_-_), churn, pair(_-Q), abolish_all_tables.
via(table_moded_compound, Q) :- last(_), churn, last(V), abolish_all_tables, V = [_, Q].
via(table_abolished, Q) :- findall(x, ( several(A), abolish_all_tables, there(A) ), [x, x, x]), new(Q).
via(table_consumer, Q) :- findall(A-N, reached(A, N), [A1-_, A2-_]), there(A1), churn, there(A2), abolish_all_tables, Q = A1.
via(table_removed_late, Q) :- catch(( tabled(X), broken(X) ), broken, true), churn, tabled(Q), abolish_all_tables.
via(table_binding, Q) :- findall(A-N, bound(A, N), L), memberchk(Q-1, L), abolish_all_tables.
via(flag_key, Q) :- new(X), flag(X, _, 77), fail ; churn, current_flag(Q), \+ atom(Q), !.
via(register, Q) :- new(X), many(2100, X, Q).
via(record_key, Q) :- new(X), recordz(X, handles_value), fail ; churn, recorded(Q, handles_value, R), erase(R).
via(flag, Q) :- new(X), create_prolog_flag(handles_flag, X, [type(term)]), fail ; churn, current_prolog_flag(handles_flag, Q).
via(if_then_else, Q) :- ( new(X), churn -> Q = X ; true ).
via(unlocked, Q) :- mutex_create(M), mutex_lock(M), churn, mutex_unlock(M), with_mutex(M, churn), mutex_destroy(M), new(Q).

erased(fact_called_once, Q) :- new(X), assertz(once_called(X)), fail ; churn, once_called(Q), retractall(once_called(_)), forall(between(1, 2000, I), ( assertz(once_called(I)), retract(once_called(I)) )).
erased(fact_called_again, Q) :- asserted(_), churn, holds(_), churn, holds(_), churn, holds(Q), retractall(holds(_)).
erased(fact_retracted, Q) :- asserted(_), churn, retract(holds(Q)).
erased(fact_compound, Q) :- new(X), assertz(holds(a, f([b, X]))), fail ; churn, holds(a, f(L)), retractall(holds(_, _)), L = [_, Q].
erased(clause, Q) :- asserted(_), churn, clause(holds(Q), true, R), erase(R).
erased(rule_head, Q) :- new(X), assertz((rule(X) :- true)), fail ; called(Q).
erased(rule_argument, Q) :- new(X), assertz((rule(f(X)) :- true)), fail ; called(f(Q)).
erased(rule_unified, Q) :- new(X), assertz((rule(Y) :- Y = X)), fail ; called(Q).
erased(rule_built, Q) :- new(X), assertz((rule(Y) :- Y = [a, g(X, _)])), fail ; called([a, g(Q, _)]).
erased(rule_called, Q) :- new(X), assertz((rule(Y) :- same(X, Y), integer(1))), fail ; called(Q).
erased(rule_last_call, Q) :- new(X), assertz((rule(Y) :- same(X, Y))), fail ; called(Q).
erased(rule_tested, Q) :- new(X), assertz((rule(Y) :- ( Y = X, Y == X, X \== a -> true ; fail ))), fail ; called(Q).
erased(rule_inline, Q) :- new(X), assertz((rule(Y) :- functor(X, Y, 0))), fail ; called(Q).

got(M) :- churn, thread_get_message(M).

boxed(f(X)) :- new(X).

throws :- new(X), throw(X).

outer(O) :- new(O), new(X), thread_send_message(O, b(X)).

asserted(Q) :- new(X), assertz(holds(X)), fail ; churn, holds(Q), !.

called(Q) :- churn, rule(_), churn, rule(Q), retractall(rule(_)).

same(X, X).

alternative(_, _) :- churn, fail.
alternative(X, X).

new_for_main :- new(Q), thread_exit(Q).

goal_thread(T) :- new(Q), thread_create(( thread_get_message(go), churn, thread_exit(Q) ), T).

signalled :- new(Q), thread_self(Me), thread_create(thread_get_message(end), T),
    thread_signal(T, thread_send_message(Me, c(Q))),
    thread_send_message(T, end), thread_join(T, _).

at_exit_send(Q) :- thread_self(Me), thread_property(Me, id(_)), run_self(T), thread_at_exit(thread_send_message(T, d(Q))).

wait(X) :- thread_get_message(X, never).

:- table tabled/1.
tabled(Q) :- new(Q).

:- table call_tabled/1.
call_tabled(_).

% Collections happen where it is in a register only.
many(0, X, X) :- !.
many(N, X, Q) :- message_queue_create(_), M is N-1, many(M, X, Q).

:- table several/1.
several(Q) :- member(_, [1, 2, 3]), new(Q).

:- table pair/1.
pair(f(x)-Q) :- new(Q).

% A consumer keeps bindings while its subgoal is evaluated.
:- table reached/2.
reached(Q, 0) :- new(Q).
reached(Q, N) :- new(R), reached(_, M), churn, M < 1, N is M+1, thread_send_message(R, m), Q = R.

:- table bound/2.
bound(Q, N) :- T = f(_), new_in(T, [a, b]), bound(_, M), M < 1, N is M+1, arg(1, T, Q).
bound(a, 0) :- churn.

% Bound above a choicepoint.
new_in(f(R), L) :- member(X, L), X == a, new(R).

:- table broken/1.
broken(_) :- churn, throw(broken).

:- table last(last).
last([a, Q]) :- member(_, [1, 2]), new(Q).

:- table best(max).
best(Q) :- new(Q).

% --- what goes ---

made_and_dropped(queue) :- new(_).
made_and_dropped(mutex) :- mutex_create(_).
made_and_dropped(locked_mutex) :- mutex_create(M), mutex_lock(M).
made_and_dropped(message) :- new(Q), thread_self(Me), thread_send_message(Me, a(Q)), thread_get_message(a(_)).
made_and_dropped(queue_in_queue) :- outer(_).
made_and_dropped(circle) :- new(A), new(B), thread_send_message(A, B), thread_send_message(B, x(A)), thread_get_message(A, _).
made_and_dropped(findall) :- findall(Q, ( member(_, [1, 2]), new(Q) ), [_, _]).
made_and_dropped(fact) :- new(Q), assertz(holds(Q)), holds(X), holds(X), holds(X), retract(holds(_)).
made_and_dropped(rule) :- new(Q), assertz((rule(X) :- X = f(Q))), rule(_), rule(_), retractall(rule(_)).
made_and_dropped(global) :- new(Q), nb_setval(handles_key, Q), nb_setval(handles_key, 0).
made_and_dropped(exception) :- catch(( new(Q), throw(ball(Q)) ), ball(_), true).
made_and_dropped(record) :- new(Q), recorda(handles_key, f(Q), R), erase(R).
made_and_dropped(thread) :- thread_create(( new(_), new(_) ), T), thread_join(T, _).
made_and_dropped(thread_goal) :- new(Q), thread_create(same(Q, _), T), thread_join(T, _).
made_and_dropped(thread_result) :- thread_create(new_for_main, T), thread_join(T, _).
made_and_dropped(table) :- tabled(_), abolish_all_tables.
made_and_dropped(table_many) :- findall(x, several(_), [x, x, x]), abolish_all_tables.
made_and_dropped(table_call) :- new(Q), call_tabled(f(Q)), abolish_all_tables.
made_and_dropped(table_compound) :- pair(_), pair(_), abolish_all_tables.
made_and_dropped(table_value) :- last(_), last(_), abolish_all_tables.
made_and_dropped(table_value_replaced) :- replaced(40, _).
made_and_dropped(table_abandoned) :- new(Q), catch(broken(Q), broken, true).
made_and_dropped(table_in_thread) :- thread_create(( several(_), pair(_) ), T), thread_join(T, true).
made_and_dropped(record_key) :- new(Q), recordz(Q, x, R), recorda(Q, y, S), erase(R), erase(S).
made_and_dropped(enumerated) :- new(_), findall(Q, message_queue_property(Q, size(_)), _).

% Each value takes the place of the one before, all in one table.
:- table replaced(_, last).
replaced(N, Q) :- between(1, N, _), new(Q).

how_many(N) :-
    garbage_collect, garbage_collect,
    findall(x, message_queue_property(_, size(_)), Qs), length(Qs, A),
    findall(x, mutex_property(_, status(_)), Ms), length(Ms, B),
    N is A+B.

goes(How) :-
    how_many(N0),
    forall(between(1, 40, _), made_and_dropped(How)),
    settled,
    how_many(N1),
    ( N1 =< N0+10 -> true ; print(How:N0-N1), fail ).

% What was erased is freed when others were.
settled :- forall(between(1, 1000, I), more(I)), garbage_collect, garbage_collect.

more(I) :- assertz((rule(I) :- true)), retract((rule(I) :- true)), assertz(holds(I)), retract(holds(I)).

% --- what is enumerated while others drop theirs ---

% What is found is there: it can be used.
dropping :- forall(between(1, 40, _), ( findall(Q-M, ( between(1, 300, _), message_queue_create(Q), mutex_create(M) ), _), garbage_collect )).

using :-
    thread_create(dropping, T),
    repeat,
    forall(message_queue_property(Q, size(_)), \+ thread_peek_message(Q, never)),
    forall(mutex_property(M, status(_)), with_mutex(M, true)),
    thread_property(T, status(Status)), Status \== running, !,
    thread_join(T, true).

t(lives_message, lives(message), x, answers([x])).
t(lives_message_in_queue, lives(message_in_queue), x, answers([x])).
t(lives_peeked, lives(peeked), x, answers([x])).
t(lives_findall, lives(findall), x, answers([x])).
t(lives_findall_immediate, lives(findall_immediate), x, answers([x])).
t(lives_bagof, lives(bagof), x, answers([x])).
t(lives_fact, lives(fact), x, answers([x])).
t(lives_fact_called_again, lives(fact_called_again), x, answers([x])).
t(lives_fact_retracted, lives(fact_retracted), x, answers([x])).
t(lives_fact_compound, lives(fact_compound), x, answers([x])).
t(lives_clause, lives(clause), x, answers([x])).
t(lives_rule_head, lives(rule_head), x, answers([x])).
t(lives_rule_argument, lives(rule_argument), x, answers([x])).
t(lives_rule_unified, lives(rule_unified), x, answers([x])).
t(lives_rule_built, lives(rule_built), x, answers([x])).
t(lives_rule_called, lives(rule_called), x, answers([x])).
t(lives_rule_last_call, lives(rule_last_call), x, answers([x])).
t(lives_rule_tested, lives(rule_tested), x, answers([x])).
t(lives_rule_inline, lives(rule_inline), x, answers([x])).
t(lives_global, lives(global), x, answers([x])).
t(lives_global_immediate, lives(global_immediate), x, answers([x])).
t(lives_global_backtracked, lives(global_backtracked), x, answers([x])).
t(lives_exception, lives(exception), x, answers([x])).
t(lives_exception_after_cleanup, lives(exception_after_cleanup), x, answers([x])).
t(lives_assigned, lives(assigned), x, answers([x])).
t(lives_nb_assigned, lives(nb_assigned), x, answers([x])).
t(lives_choicepoint, lives(choicepoint), x, answers([x])).
t(lives_frame, lives(frame), x, answers([x])).
t(lives_record, lives(record), x, answers([x])).
t(lives_record_compound, lives(record_compound), x, answers([x])).
t(lives_thread, lives(thread), x, answers([x])).
t(lives_thread_goal, lives(thread_goal), x, answers([x])).
t(lives_thread_signal, lives(thread_signal), x, answers([x])).
t(lives_thread_exit_message, lives(thread_exit_message), x, answers([x])).
t(lives_time_limit, lives(time_limit), x, answers([x])).
t(lives_suspended, lives(suspended), x, answers([x])).
t(lives_copied, lives(copied), x, answers([x])).
t(lives_enumerated, lives(enumerated), x, answers([x])).
t(lives_table, lives(table), x, answers([x])).
t(lives_table_again, lives(table_again), x, answers([x])).
t(lives_table_moded, lives(table_moded), x, answers([x])).
t(lives_table_call, lives(table_call), x, answers([x])).
t(lives_flag, lives(flag), x, answers([x])).
t(lives_if_then_else, lives(if_then_else), x, answers([x])).
t(lives_unlocked, lives(unlocked), x, answers([x])).
t(lives_table_compound, lives(table_compound), x, answers([x])).
t(lives_table_moded_compound, lives(table_moded_compound), x, answers([x])).
t(lives_table_abolished, lives(table_abolished), x, answers([x])).
t(lives_table_consumer, lives(table_consumer), x, answers([x])).
t(lives_table_removed_late, lives(table_removed_late), x, answers([x])).
t(lives_register, lives(register), x, answers([x])).
t(lives_record_key, lives(record_key), x, answers([x])).
t(lives_table_binding, lives(table_binding), x, answers([x])).
t(lives_flag_key, lives(flag_key), x, answers([x])).
t(lives_assigned_only, lives(assigned_only), x, answers([x])).
t(lives_exception_looked_at, lives(exception_looked_at), x, answers([x])).
t(lives_fact_called_once, lives(fact_called_once), x, answers([x])).
t(goes_queue, goes(queue), x, answers([x])).
t(goes_mutex, goes(mutex), x, answers([x])).
t(goes_locked_mutex, goes(locked_mutex), x, answers([x])).
t(goes_message, goes(message), x, answers([x])).
t(goes_queue_in_queue, goes(queue_in_queue), x, answers([x])).
t(goes_circle, goes(circle), x, answers([x])).
t(goes_findall, goes(findall), x, answers([x])).
t(goes_fact, goes(fact), x, answers([x])).
t(goes_rule, goes(rule), x, answers([x])).
t(goes_global, goes(global), x, answers([x])).
t(goes_exception, goes(exception), x, answers([x])).
t(goes_record, goes(record), x, answers([x])).
t(goes_thread, goes(thread), x, answers([x])).
t(goes_thread_goal, goes(thread_goal), x, answers([x])).
t(goes_thread_result, goes(thread_result), x, answers([x])).
t(goes_enumerated, goes(enumerated), x, answers([x])).
t(goes_table, goes(table), x, answers([x])).
t(goes_table_many, goes(table_many), x, answers([x])).
t(goes_table_call, goes(table_call), x, answers([x])).
t(goes_table_compound, goes(table_compound), x, answers([x])).
t(goes_table_value, goes(table_value), x, answers([x])).
t(goes_table_value_replaced, goes(table_value_replaced), x, answers([x])).
t(goes_table_abandoned, goes(table_abandoned), x, answers([x])).
t(goes_table_in_thread, goes(table_in_thread), x, answers([x])).
t(goes_record_key, goes(record_key), x, answers([x])).
t(found_is_there, using, x, answers([x])).
