% Attributed variables: attributes, hooks, copies, residual goals; freeze/2, frozen/2, dif/2, when/2. What is expected SWI-Prolog says, but for the places
% where a goal runs (wakeup.pl).

hooked:attr_unify_hook(V, Y) :- write(hook(V)), ( attvar(Y) -> write(' attvar ') ; print(Y) ).

s(X) :- ( attvar(X) -> get_attrs(X, A), print(A) ; var(X) -> write(plain) ; print(X) ).

try(G) :- catch(( call(G) -> write(yes) ; write(no) ), error(E, _), print(E)).

copied(T) :- copy_term(T, C, Gs), numbervars(C-Gs, 0, _), print(C-Gs).

t(put_and_get, ( put_attr(X, hooked, 1), get_attr(X, hooked, V), print(V), ( get_attr(X, other, _) -> true ; write(no) ) ), [], output("1no")).
t(chain, ( put_attr(X, m, 1), put_attr(X, m2, 2), put_attr(X, m, 3), s(X), del_attr(X, m), s(X), del_attr(X, m2), s(X) ), [],
    output("att(m,3,att(m2,2,[]))att(m2,2,[])plain")).
t(undone, ( ( put_attr(X, m, 1), fail ; s(X) ), put_attr(X, m, 1), ( put_attr(X, m, 2), put_attr(X, n, 3), fail ; s(X) ), ( del_attr(X, m), fail ; s(X) ) ), [],
    output("plainatt(m,1,[])att(m,1,[])")).
t(all_at_once, ( put_attrs(X, att(m, 1, [])), s(X), put_attrs(X, att(n, 2, [])), s(X), del_attrs(X), s(X), del_attrs(X) ), [], output("att(m,1,[])att(n,2,[])plain")).
t(put_errors, ( try(put_attr(a, m, 1)), try(put_attr(_, 1, 1)), try(put_attr(_, _, 1)), try(put_attrs(a, [])) ), [],
    output("uninstantiation_error(a)type_error(atom,1)instantiation_erroruninstantiation_error(a)")).
t(get_of_others, ( try(get_attr(a, m, _)), try(get_attr(_, m, _)), try(get_attrs(_, _)), try(del_attr(a, m)), try(del_attrs(f(_))), try(attvar(_)), try(attvar(a)) ), [],
    output("nononoyesyesnono")).
t(bound, ( put_attr(X, hooked, 1), X = a, s(X) ), [], output("hook(1)aa")).
t(bound_to_plain, ( put_attr(X, hooked, 1), X = Y, s(Y), Z = X, s(Z), Z == Y ), [], output("att(hooked,1,[])att(hooked,1,[])")).
t(bound_to_attributed, ( put_attr(X, hooked, 1), put_attr(Y, hooked, 2), X = Y, X == Y, s(X) ), [], output("hook(2) attvar att(hooked,1,[])")).
t(hooks_in_order, ( put_attr(X, hooked, 1), put_attr(Y, hooked, 2), f(X, Y) = f(a, b) ), [], output("hook(1)ahook(2)b")).
t(no_hook, try(( put_attr(X, nohook, 1), X = 1 )), [], output("existence_error(procedure,nohook:attr_unify_hook/2)")).
t(compared, ( put_attr(X, hooked, 1), ( X == 1 -> true ; write(d) ), ( var(X) -> write(v) ; true ), ( ground(X) -> true ; write(n) ), compare(O, X, f), write(O) ), [], output("dvn<")).
t(unbound_again, ( put_attr(X, hooked, 1), \+ \+ X = 2, s(X), ( X = 3, fail ; s(X) ) ), [], output("hook(1)2att(hooked,1,[])hook(1)3att(hooked,1,[])")).
t(occurs, ( put_attr(X, hooked, 1), ( unify_with_occurs_check(X, f(X)) -> true ; write(no) ), s(X) ), [], output("noatt(hooked,1,[])")).
t(unifiable, ( put_attr(X, hooked, 1), unifiable(f(X, Y), f(a, b), L), L == [Y=b, X=a], s(X) ), [], output("att(hooked,1,[])")).
t(attvars, ( put_attr(X, m, f(Z)), put_attr(Z, m, g(X)), term_attvars(h(_, X), L), L == [X, Z], term_variables(X, Vs), Vs == [X] ), [], answers([[]])).
t(attvars_plain, ( put_attr(X, m, f(a, [b])), put_attr(Y, m, 1), term_attvars(f(Y, _, g(X, Y)), L), L == [Y, X] ), [], answers([[]])).
t(attvars_large, ( numlist(1, 100, N), put_attr(X, m, N), append(N, Z, M), put_attr(Z, m, 1), put_attr(Y, m, M), term_attvars([X, Y], L), L == [X, Y, Z] ), [], answers([[]])).
t(attvars_cyclic, ( C = [X|C], put_attr(X, m, C), term_attvars(X, L), L == [X] ), [], answers([[]])).
t(attvars_of_many, ( length(L, 10000), chained(L), L = [X|_], term_attvars(X, Vs), length(Vs, N), write(N) ), [], output("9999")).
chained([_]) :- !.
chained([X, Y|Zs]) :- put_attr(X, m, Y), chained([Y|Zs]).

t(in_findall, ( put_attr(X, hooked, 1), findall(X-Y, member(Y, [a, b]), [A-_, B-_]), s(A), s(B), A \== B, A \== X ), [], output("att(hooked,1,[])att(hooked,1,[])")).
t(in_ball, ( put_attr(X, hooked, 1), catch(throw(f(X, X)), f(Y, Z), true), Y == Z, s(Y) ), [], output("att(hooked,1,[])")).
t(in_message, ( put_attr(X, hooked, f(Z)), put_attr(Z, hooked, X), message_queue_create(Q), thread_send_message(Q, m(X)), thread_get_message(Q, m(Y)),
    get_attr(Y, hooked, f(V)), get_attr(V, hooked, W), W == Y, message_queue_destroy(Q) ), [], answers([[]])).
t(message_that_does_not_fit, ( put_attr(X, hooked, 1), message_queue_create(Q), thread_send_message(Q, m(X, a)), thread_send_message(Q, m(X, b)), thread_get_message(Q, m(Y, b)), s(Y),
    message_queue_destroy(Q) ), [], output("att(hooked,1,[])")).
t(in_record, ( put_attr(X, hooked, 1), recorda(k, f(X), R), recorded(k, f(Y)), erase(R), s(Y) ), [], output("att(hooked,1,[])")).
t(in_global, ( put_attr(X, hooked, 1), nb_setval(k, f(X)), ( nb_getval(k, f(Y)), Y = 1, fail ; nb_getval(k, f(Y)) ), s(Y), nb_setval(k, []) ), [], output("hook(1)1att(hooked,1,[])")).
t(in_backtrackable_global, ( put_attr(X, hooked, 1), b_setval(k, X), b_getval(k, Y), X == Y ), [], answers([[]])).
t(in_thread, ( put_attr(X, hooked, 1), thread_create(( get_attr(X, hooked, 1) -> true ; fail ), T), thread_join(T, S), write(S) ), [], output("true")).
t(in_engine, ( put_attr(X, hooked, 1), engine_create(X, true, E), engine_next(E, Y), s(Y), engine_destroy(E) ), [], output("att(hooked,1,[])")).
t(not_in_clause, ( put_attr(X, hooked, 1), assertz(fact_of_it(X)), fact_of_it(Y), s(Y), retractall(fact_of_it(_)) ), [], output("plain")).
:- dynamic fact_of_it/1.
t(copied, ( put_attr(X, hooked, 1), copy_term(X-X, Y-Z), Y == Z, s(Y), duplicate_term(X, D), s(D), copy_term_nat(X, N), s(N) ), [], output("att(hooked,1,[])att(hooked,1,[])plain")).
t(copied_cycle, ( put_attr(X, m, g(Y, Z)), put_attr(Y, m, X), Z = Y, copy_term(X, C), get_attr(C, m, g(D, E)), D == E, get_attr(D, m, F), F == C, F \== X ), [], answers([[]])).
t(copied_shared, ( put_attr(X, m, N), put_attr(Y, m, N), N = n(1), copy_term(X-Y, A-B), get_attr(A, m, NA), setarg(1, NA, 2), get_attr(B, m, NB), print(NB), print(N) ), [], output("n(2)n(1)")).
t(copied_many, ( run_size(100000, N), length(L, N), chained(L), copy_term(L, M), M = [X|_], get_attr(X, m, Y), M = [_, Z|_], Y == Z ), [], answers([[]])).
t(solutions_by_attributed, ( put_attr(X, hooked, 1), setof(X, member(X, [b, a]), L), print(L) ), [], output("hook(1)bhook(1)a[a,b]")).
t(length_of, ( put_attr(L, counted, 1), length(L, 2), length(L, N), write(N) ), [], output("a list2")).
counted:attr_unify_hook(_, Y) :- ( is_list(Y) -> write('a list') ; true ).
t(kept_through_collections, ( length(L, 300), attributed(L, 0), garbage_of_it(100000), sum_of_attributes(L, 0, S), write(S), copy_term(L, M), garbage_of_it(100000), sum_of_attributes(M, 0, T), write(' '), write(T) ), [],
    output("44850 44850")).
attributed([], _).
attributed([X|Xs], N) :- put_attr(X, hooked, s(N)), N1 is N+1, attributed(Xs, N1).
garbage_of_it(0) :- !.
garbage_of_it(N) :- _ = f(N, N), atom_length(abc, _), N1 is N-1, garbage_of_it(N1).
sum_of_attributes([], S, S).
sum_of_attributes([X|Xs], S0, S) :- get_attr(X, hooked, s(N)), S1 is S0+N, sum_of_attributes(Xs, S1, S).

t(frozen, ( freeze(X, write(a)), freeze(X, write(b)), frozen(f(X), G), G = ( freeze(Y, A), freeze(Z, B) ), X == Y, X == Z, print([A, B]), X = 1 ), [], output("[user:write(a),user:write(b)]ab")).
t(frozen_nothing, ( frozen(f(_, a), G), print(G), freeze(X, true), X = 1, frozen(X, H), print(H) ), [], output("truetrue")).
t(frozen_joined, ( freeze(X, write(a)), freeze(Y, write(b)), X = Y, write(joined), X = 1 ), [], output("joinedab")).
t(freeze_now, ( freeze(a, write(now)), ( freeze(a, fail) -> true ; write(no) ) ), [], output("nowno")).
t(freeze_fails, ( freeze(X, fail), ( X = 1 -> write(yes) ; write(no) ), freeze(Y, throw(oops)), catch(Y = 1, oops, write(caught)), attvar(Y) ), [], output("nocaught")).
t(freeze_choices, ( freeze(X, member(Y, [1, 2])), findall(X-Y, X = a, L), print(L) ), [], output("[a-1,a-2]")).
t(copied_goals, ( freeze(X, write(a)), put_attr(X, m, 1), copied(X), get_attrs(X, att(freeze, _, att(m, 1, []))) ), [], output("A-[freeze(A,user:write(a)),put_attr(A,m,1)]")).
t(own_goals, ( put_attr(X, with_goals, 7), copied(f(X)) ), [], output("f(A)-[value(A,7)]")).
with_goals:attribute_goals(X) --> { get_attr(X, with_goals, V) }, [value(X, V)].

t(dif_decided, ( try(dif(a, b)), try(dif(a, a)), try(dif(X, X)), try(dif(f(_), g(_))), try(dif([1, 2], [1, 2])) ), [], output("yesnonoyesno")).
t(dif_atom, ( dif(X, a), copied(X), ( X = a -> write(a) ; write(no) ), X = b, s(X) ), [], output("A-[dif(A,a)]nob")).
t(dif_of_two, ( dif(f(X, Y), f(a, b)), copied(X-Y), X = a, copied(Y), ( Y = b -> write(b) ; write(no) ) ), [], output("A-B-[dif(f(A,B),f(a,b))]A-[dif(A,b)]no")).
t(dif_settled, ( dif(f(X, Y), f(a, b)), Y = c, copied(X), X = a, s(X) ), [], output("A-[]a")).
t(dif_variables, ( dif(X, Y), ( X = Y -> write(same) ; write(no) ), X = a, ( Y = a -> write(same) ; write(no) ), Y = b ), [], output("nono")).
t(dif_joined, ( dif(X, a), dif(Y, b), X = Y, ( member(X, [a, b, c]), print(X), fail ; true ) ), [], output("c")).
t(dif_chain, ( dif(X, Y), dif(Y, Z), X = Z, ( Y = Z -> true ; write(no) ) ), [], output("no")).
t(dif_nested, ( dif([X|T], [1, 2, 3]), X = 1, T = [Y|U], Y = 2, ( U = [3] -> true ; write(no) ), U = [] ), [], output("no")).
t(dif_shared, ( dif(f(X, Y), f(g(A, B), g(B, A))), X = g(P, Q), P = A, Q = B, Y = g(R, S), R = B, ( S = A -> write(same) ; write(no) ) ), [], output("no")).
t(dif_many, ( length(L, 300), length(M, 300), dif(L, M), L = [A|T], M = [B|T], ( A = B -> write(same) ; write(no) ), A = 1, B = 2, write(ok) ), [], output("nook")).
t(dif_undone, ( dif(X, a), ( X = b, fail ; true ), ( X = a -> true ; write(no) ), X = c ), [], output("no")).
t(dif_all, ( length(L, 60), all_dif(L), numlist(1, 60, L), write(ok), L = [X|_], integer(X), ( length(M, 5), all_dif(M), M = [1, 2, 3, 4, 1] -> true ; write(no) ) ), [], output("okno")).
all_dif([]).
all_dif([X|Xs]) :- dif_from(Xs, X), all_dif(Xs).
dif_from([], _).
dif_from([Y|Ys], X) :- dif(X, Y), dif_from(Ys, X).
t(dif_cyclic, ( X = f(X), Y = f(Y), ( dif(X, Y) -> write(yes) ; write(no) ) ), [], output("no")).

t(when_nonvar, ( when(nonvar(X), write(a)), copied(X), X = f(_) ), [], output("A-[when(nonvar(A),user:write(a))]a")).
t(when_ground, ( when(ground(X+Y), write(hi)), copied(X-Y), X = 1, write(1), Y = f(Z), write(2), Z = 3 ), [], output("A-B-[when(ground(A+B),user:write(hi))]12hi")).
t(when_decided, ( when(?=(X, Y), write(d)), write(1), X = f(Z), write(2), Y = f(W), write(3), W = Z ), [], output("123d")).
t(when_different, ( when(?=(X, Y), write(d)), X = a, write(1), Y = b ), [], output("1d")).
t(when_and, ( when(( nonvar(X), nonvar(Y) ), write(both)), X = 1, write(1), Y = 2 ), [], output("1both")).
t(when_or, ( when(( nonvar(X) ; ground(Y) ), write(one)), Y = 1, write(1), X = 2 ), [], output("one1")).
t(when_now, ( when(( nonvar(a), ground(b) ), write(now)), when(( nonvar(_) ; ?=(a, b) ), write(or)) ), [], output("nowor")).
t(when_order, ( when(nonvar(X), write(1)), when(ground(X), write(2)), freeze(X, write(3)), X = a ), [], output("123")).
t(when_joined, ( when(nonvar(X), write(x)), when(nonvar(Y), write(y)), X = Y, write(j), X = 1 ), [], output("jxy")).
t(when_errors, ( try(when(_, true)), try(when(foo(a), true)), try(when(( nonvar(_), _ ), true)) ), [], output("instantiation_errordomain_error(when_condition,foo(a))instantiation_error")).
t(when_fails, ( when(ground(f(X, Y)), X < Y), X = 2, ( Y = 1 -> write(yes) ; write(no) ), Y = 3, write(Y) ), [], output("no3")).
t(coroutines, ( produced(N, L), freeze_sum(L, 0, S), N = 1000, write(S) ), [], output("500500")).
produced(N, L) :- freeze(N, numlist_from(1, N, L)).
numlist_from(I, N, L) :- ( I > N -> L = [] ; L = [I|L1], I1 is I+1, numlist_from(I1, N, L1) ).
freeze_sum(L, S0, S) :- freeze(L, sum_on(L, S0, S)).
sum_on([], S, S).
sum_on([X|Xs], S0, S) :- S1 is S0+X, freeze_sum(Xs, S1, S).

% While a thread waits nothing of these is lost.
t(in_light_threads, ( findall(T, ( between(1, 20, _), thread_create(waits_with_attributes, T, [kind(light)]) ), Ts),
    forall(member(M, [a, b]), forall(member(T, Ts), thread_send_message(T, M))), forall(member(T, Ts), thread_join(T, true)) ), [], answers([[]])).
waits_with_attributes :- freeze(X, Y = 1), dif(Z, a), thread_get_message(a), X = 1, Y == 1, thread_get_message(b), \+ Z = a.

t(setarg_of_one, ( put_attr(X, hooked, 1), T = t(X, X), setarg(1, T, a), print(a), arg(2, T, Y), Y == X, s(X) ), [], output("aatt(hooked,1,[])")).
t(attvars_of_what_is_shared, ( length(L, 3000), shared_attributes(L, end), term_attvars(L, Vs), length(Vs, N), write(N) ), [], output("3000")).
shared_attributes([], _).
shared_attributes([X|Xs], T) :- put_attr(X, m, f(T)), shared_attributes(Xs, g(X, T)).

%   Answers of tables: what they leave unbound is the caller's variable, and nothing is woken; what they bind is.
:- table answered/2, shared_answer/2.
answered(_, Y) :- member(Y, [1, 2]).
answered(5, 3).
shared_answer(X, X).
t(answer_leaves_unbound, ( freeze(X, fail), findall(Y, answered(X, Y), L0), msort(L0, L), print(L) ), [], output("[1,2]")).
t(answer_keeps_goal, ( freeze(X, true), answered(X, 1), frozen(X, G), ( G == true -> write(gone) ; write(kept) ) ), [], output("kept")).
t(answer_binds, ( freeze(X, write(woken(X))), ( answered(X, 3) -> true ; write(no) ) ), [], output("woken(5)")).
t(answer_shares, ( freeze(X, fail), shared_answer(X, Y), X == Y ), [], answers([[]])).
t(answer_shares_attributed, ( freeze(X, write(x)), freeze(Y, write(y)), shared_answer(X, Y), X == Y, X = 1 ), [], output("yx")).
t(answer_inside, ( freeze(A, write(a(A))), shared_answer(f(A, B), C), B = 1, C = f(D, _), D == A, D = 2 ), [], output("a(2)")).

% --- in balls that pass a catch/3 which does not take them ---

atp_ball(T, V) :- catch(catch(catch(throw(f(T)), g(_), true), h, true), f(V), true).
atp_work :- run_size(300000, N), numlist(1, N, L), length(L, _).

t(passed_ball_value, ( put_attr(Z, atp_none, bar(1, 2)), atp_ball(Z, V), atp_work, get_attr(V, atp_none, A) ), [A], answers([[bar(1, 2)]])).
t(passed_ball_freeze, ( freeze(Z, true), atp_ball(Z, V), atp_work, copy_term(V, C, G) ), [C, G], answers([[C1, [freeze(C1, user:true)]]])).
t(passed_ball_wakes, ( freeze(Z, (X = woken)), atp_ball(Z-X, V-Y), atp_work, V = 1 ), [Y], answers([[woken]])).
t(passed_ball_cyclic, ( put_attr(Z, atp_none, Z), atp_ball(k(Z, g(Z)), k(V, g(W))), atp_work, V == W, get_attr(V, atp_none, A), ( A == V -> R = itself ; R = other ) ), [R], answers([[itself]])).
t(passed_ball_others, ( put_attr(X, atp_none, Y), put_attr(Y, atp_other, X), atp_ball(X, V), atp_work, get_attr(V, atp_none, W), get_attr(W, atp_other, U), ( U == V -> R = first ; R = U ) ), [R], answers([[first]])).
t(passed_ball_dif, ( dif(X, Y), atp_ball(X-Y, V-W), atp_work, ( V = W -> R = same ; R = different ) ), [R], answers([[different]])).
t(passed_ball_cleanup, ( freeze(Z, true), catch(setup_call_cleanup(true, catch(throw(f(Z)), ball(_), true), ( garbage_collect, atp_work )), f(V), true), frozen(V, G) ), [G], answers([[freeze(_, user:true)]])).

% What a goal leaves: call_residue_vars/2

att_gc(0) :- !.
att_gc(N) :- length(L, 1000), L = [_|_], garbage_collect, N1 is N-1, att_gc(N1).

att_left(0) :- !.
att_left(N) :- freeze(_, true), N1 is N-1, att_left(N1).

t(residue, ( call_residue_vars(( freeze(X, true), freeze(Y, true), freeze(Z, true), Y = 1 ), Vs), Vs == [Z, X] ), [], answers([[]])).
t(residue_before, ( freeze(_, true), call_residue_vars(true, Vs) ), [Vs], answers([[[]]])).
t(residue_changed, ( put_attr(X, att_a, 1), put_attr(Y, att_a, 1), call_residue_vars(( put_attr(X, att_a, 2), get_attr(Y, att_a, _) ), Vs), Vs == [X] ), [], answers([[]])).
t(residue_added, ( put_attr(X, att_a, 1), call_residue_vars(put_attr(X, att_b, 2), Vs), Vs == [X] ), [], answers([[]])).
t(residue_attrs, ( put_attr(X, att_a, 1), call_residue_vars(put_attrs(X, att(att_b, 2, [])), Vs), Vs == [X] ), [], answers([[]])).
t(residue_once, ( call_residue_vars(( put_attr(X, att_a, 1), forall(between(1, 3, _), true), put_attr(Y, att_a, 2), put_attr(X, att_a, 3) ), Vs), Vs == [Y, X] ), [], answers([[]])).
t(residue_deleted, call_residue_vars(( put_attr(X, att_a, 1), del_attr(X, att_a) ), Vs), [Vs], answers([[[]]])).
t(residue_unreachable, ( call_residue_vars(( att_left(30), att_gc(3) ), Vs), length(Vs, N) ), [N], answers([[30]])).
t(residue_backtracking, ( findall(N, ( call_residue_vars(( freeze(X, true) ; freeze(X, true), freeze(_, true), att_gc(1) ; true ), Vs), length(Vs, N) ), Ns) ), [Ns], answers([[[1, 2, 0]]])).
t(residue_after, ( findall(N, ( call_residue_vars(( true ; freeze(_, true) ), _), freeze(_, true), call_residue_vars(att_left(1), Vs), length(Vs, N) ), Ns) ), [Ns], answers([[[1, 1]]])).
t(residue_undone, call_residue_vars(( freeze(_, true), fail ; true ), Vs), [Vs], answers([[[]]])).
t(residue_inside, ( call_residue_vars(( freeze(X, true), call_residue_vars(( freeze(Y, true), put_attr(X, att_a, 1) ), Vs), freeze(Z, true) ), Ws), Vs == [Y, X], Ws == [Z, Y, X] ), [], answers([[]])).
t(residue_error, ( catch(call_residue_vars(( freeze(_, true), throw(a) ), _), a, true), call_residue_vars(att_left(2), Vs), length(Vs, N) ), [N], answers([[2]])).
t(residue_copies, ( freeze(X, true), call_residue_vars(( copy_term(f(X, X), f(Y, _)), findall(X, true, [Z]) ), Vs), length(Vs, N), Vs == [Z, Y] ), [N], answers([[2]])).
t(residue_woken, ( call_residue_vars(( freeze(X, freeze(Y, true)), X = 1 ), Vs), Vs == [Y] ), [], answers([[]])).
t(residue_woken_last, ( call_residue_vars(( freeze(X, freeze(Y, true)), freeze(Z, true), att_gc(2), X = Z, att_gc(1), Z = 1, att_gc(1) ), Vs), Vs == [Y] ), [], answers([[]])).
t(residue_order, ( call_residue_vars(( length(L, 50), maplist([X]>>freeze(X, true), L), att_gc(1), length(M, 50), maplist([X]>>freeze(X, true), M), att_gc(2) ), Vs), append(L, M, All), reverse(All, Vs1), Vs == Vs1 ), [], answers([[]])).
t(residue_dif, ( call_residue_vars(( dif(X, Y), dif(X, 3) ), Vs), msort([X, Y], Both), msort(Vs, Both1), Both == Both1 ), [], answers([[]])).
t(residue_wrong, call_residue_vars(_, _), [], throws(instantiation_error)).
t(residue_fails, call_residue_vars(fail, _), [], fails).
t(residue_given, call_residue_vars(att_left(1), []), [], fails).

% dif/2: what is decided leaves no attribute

t(dif_decided, ( dif(a(x(1, 2), B), a(X, 1)), X = a, attvar(B) ), [], fails).
t(dif_decided_later, ( dif(a(x(1, 2), B), a(X, 1)), X = x(1, Y), attvar(B), Y = 3, \+ attvar(B) ), [], answers([[]])).
t(dif_decided_all, ( dif(X-A, 1-B), dif(X-A, 2-C), X = 3, include(attvar, [A, B, C], L) ), [L], answers([[[]]])).
t(dif_decided_some, ( dif(X-A, 1-b), dif(A, c), X = 3, attvar(A), frozen(A, G), \+ A = c, A = b ), [G], answers([[dif(b, c)]])).
t(dif_decided_undone, ( dif(X-A, 1-b), ( X = 2, \+ attvar(A), fail ; attvar(A) ), X = 1, \+ A = b ), [], answers([[]])).
t(dif_decided_residue, call_residue_vars(( dif(a(_, B), a(_, 1)), B = 2 ), L), [L], answers([[[]]])).

% Conditions of one variable wait for it alone.

whn_note(X) :- nb_getval(whn, L0), append(L0, [X], L), nb_setval(whn, L).
whn(Goal, L) :- nb_setval(whn, []), ( Goal -> true ; true ), nb_getval(whn, L).

t(when_ground_parts, whn(( when(ground(f(X, Y)), whn_note(g)), X = h(Z), whn_note(1), Z = a, whn_note(2), Y = b ), L), [L], answers([[[1, 2, g]]])).
t(when_ground_alias, whn(( when(ground(X+Y), whn_note(g)), X = Y, whn_note(1), Y = b ), L), [L], answers([[[1, g]]])).
t(when_order, whn(( when(nonvar(X), whn_note(a)), when(ground(X), whn_note(b)), when(?=(X, q), whn_note(c)), X = q ), L), [L], answers([[[a, b, c]]])).
t(when_fails, ( when(nonvar(X), fail), X = a ), [], fails).
t(when_undone, whn(( when(ground(X-Y), whn_note(g)), ( X = 1, fail ; Y = 2, X = 3 ) ), L), [L], answers([[[g]]])).
t(when_goals, ( when(ground(X-Y), true), when(nonvar(Y), fail), copy_term([X, Y], _, Gs), length(Gs, N) ), [N], answers([[2]])).
t(when_goal_told, ( when(nonvar(X), true), copy_term(X, Y, [when(nonvar(Z), _:true)]), Y == Z ), [], answers([[]])).
t(when_goal_told_ground, ( when(ground(f(X, _)), true), copy_term(X, Y, [when(ground(f(Z, _)), _:true)]), Y == Z ), [], answers([[]])).
t(nonground_attributed, ( freeze(X, true), nonground(f(a, X), V), V == X ), [], answers([[]])).
t(freeze_unbound_goal, ( freeze(X, _), X = 1 ), [X], throws(instantiation_error)).
t(freeze_unbound_goal_told, ( freeze(X, Y), frozen(X, G), G = freeze(X1, _:Y1), X1 == X, Y1 == Y ), [], answers([[]])).
t(freeze_unbound_goal_copied, ( freeze(X, Y), copy_term(X-Y, X1-Y1, Gs), Gs = [freeze(X2, _:Y2)], X2 == X1, Y2 == Y1 ), [], answers([[]])).
t(freeze_goal_bound_later, ( freeze(X, Y), freeze(X, Z = 1), Y = (Z0 = 2), X = 1 ), [Z, Z0], answers([[1, 2]])).
t(frozen_shares_variables, ( freeze(X, foo(Z)), freeze(Y, bar(X, Z)), frozen(f(X, Y), G), Z = 1 ), [G], answers([[( freeze(A, user:foo(1)), freeze(_, user:bar(A, 1)) )]])).

% What is not renamed keeps its goals, once.
t(copied_but_some, ( freeze(Y, nb_setval(atp_ran, 1)), freeze(X, true), copy_term([X], f(X, Y), [X1], f(X2, Y1)), X1 == X2, Y1 == Y, X1 \== X, frozen(Y, G), frozen(X1, H) ), [G, H],
  answers([[freeze(Y1, user:nb_setval(atp_ran, 1)), freeze(_, user:true)]])).
t(copied_but_some_nested, ( freeze(X, foo(Y, _)), freeze(Y, true), copy_term([X], X, [X1], _), frozen(X1, G), G = ( freeze(_, _:foo(Y1, _)), _ ), ( Y1 == Y -> R = shared ; R = renamed ) ), [R], answers([[shared]])).
t(copied_with_its_own, ( put_attr(X, atp_none, v(Y, Z)), copy_term(X, f(X, Y, Z), X1, f(X2, Y1, _)), X1 == X2, get_attr(X1, atp_none, v(Y2, _)), ( Y1 == Y2, Y1 \== Y -> R = renamed ; R = shared ) ), [R], answers([[renamed]])).

t(foreach_shares_goals, ( run_size(500, N), foreach(between(1, N, X), dif(X, Y)), copy_term(Y, _, Gs), length(Gs, N), ( Y = 3 -> R = bound ; R = kept ) ), [R], answers([[kept]])).
t(copied_into_what_has_goals, ( nb_setval(atp_ran, []), atp_notes(Z, z), atp_notes(X, x), copy_term([X], X, [Z], _), Z = 1, nb_getval(atp_ran, L) ), [L], answers([[[x, z]]])).
t(copied_into_one, ( nb_setval(atp_ran, []), atp_notes(X, x), atp_notes(Y, y), copy_term([X, Y], f(X, Y), [A, A], _), A = 1, nb_getval(atp_ran, L) ), [L], answers([[[y, x]]])).
t(copied_into_what_is_bound, ( nb_setval(atp_ran, []), atp_notes(X, x), copy_term([X], f(X), [1], C), copy_term([X], f(X), _, f(2)), nb_getval(atp_ran, L) ), [C, L], answers([[f(1), [x, x]]])).
atp_notes(X, N) :- freeze(X, ( nb_getval(atp_ran, L), nb_setval(atp_ran, [N|L]) )).
t(bagof_keys_with_goals, ( freeze(Y, fail), findall(As-R, ( bagof(A, member(A-X, [1-Y, 2-_, 3-Y]), As), ( X = 5 -> R = bound ; R = refused ) ), L0), msort(L0, L) ), [L], answers([[[[1, 3]-refused, [2]-refused]]])).
