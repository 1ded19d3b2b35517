% library(broadcast): telling others of what happens.

:- use_module(library(broadcast)).
:- use_module(library(settings)).

:- dynamic brc_heard/1.
:- setting(brc_setting, integer, 1, 'A setting').

brc_note(X) :- assertz(brc_heard(X)).
brc(Goal, Heard) :-
    retractall(brc_heard(_)),
    call_cleanup(Goal, ( unlisten(brc), unlisten(user) )),
    findall(X, brc_heard(X), Heard).

t(brc_hears, brc(( listen(brc, said(X), brc_note(X)), broadcast(said(1)), broadcast(said(2)), broadcast(other(3)) ), L), [L], answers([[[1, 2]]])).
t(brc_module, brc(( listen(said(X), brc_note(X)), broadcast(said(1)), unlisten(user), broadcast(said(2)) ), L), [L], answers([[[1]]])).
t(brc_latest_first, brc(( listen(brc, a, brc_note(1)), listen(brc, a, brc_note(2)), broadcast(a) ), L), [L], answers([[[2, 1]]])).
t(brc_once, brc(( listen(brc, a, brc_note(1)), listen(brc, a, brc_note(1)), broadcast(a) ), L), [L], answers([[[1]]])).
t(brc_first_solution, brc(( listen(brc, a, ( member(X, [1, 2]), brc_note(X) )), broadcast(a) ), L), [L], answers([[[1]]])).
t(brc_failure, brc(( listen(brc, a, brc_note(1)), listen(brc, a, fail), broadcast(a) ), L), [L], answers([[[1]]])).
t(brc_binds_nothing, brc(( listen(brc, a(1), true), broadcast(a(X)), var(X) ), _), [], answers([[]])).
t(brc_raises, brc(( listen(brc, a, throw(ball)), catch(broadcast(a), B, true) ), _), [B], answers([[ball]])).
t(brc_template, brc(( listen(brc, a(X), brc_note(X)), listen(brc, b(Y), brc_note(Y)), unlisten(brc, a(_)), broadcast(a(1)), broadcast(b(2)) ), L), [L], answers([[[2]]])).
t(brc_goal, brc(( listen(brc, a, brc_note(1)), listen(brc, a, brc_note(2)), unlisten(brc, a, brc_note(2)), broadcast(a) ), L), [L], answers([[[1]]])).
t(brc_request, brc(( listen(brc, a(X), member(X, [1, 2])), listen(brc, a(_), fail), findall(Y, broadcast_request(a(Y)), L) ), _), [L], answers([[[1, 2]]])).
t(brc_nobody, broadcast_request(nobody(_)), [], fails).
t(brc_nobody_hears, broadcast(nobody), [], answers([[]])).
t(brc_listening, brc(( listen(brc, a(_), brc_note(1)), findall(T-G, listening(brc, T, G), L) ), _), [L], answers([[[a(_)-(user:brc_note(1))]]])).
t(brc_threads, brc(( listen(brc, a(X), brc_note(X)), thread_create(broadcast(a(1)), T), thread_join(T) ), L), [L], answers([[[1]]])).
t(brc_unbound, broadcast(_), [], throws(instantiation_error)).
t(brc_no_goal, listen(brc, a, 1), [], throws(type_error(callable, _))).
t(brc_setting, brc(( listen(brc, settings(changed(N, A, B)), brc_note(N-A-B)), set_setting(brc_setting, 2), set_setting(brc_setting, 2), restore_setting(brc_setting) ), L), [L],
  answers([[[(user:brc_setting)-1-2, (user:brc_setting)-2-1]]])).
