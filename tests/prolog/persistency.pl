% Facts that a file keeps: library(persistency).

:- use_module(library(persistency)).

:- persistent pst_role(name:atom, role:oneof([user, admin])), pst_any(x), pst_none.

% Goal with a file that is not there yet, attached; afterwards nothing is.
pst_with(File, Goal) :- pst_with([], File, Goal).
pst_with(Options, File, Goal) :-
    tmp_file(pst, File),
    setup_call_cleanup(
        db_attach(File, Options),
        Goal,
        ( db_detach, ( exists_file(File) -> delete_file(File) ; true ) )).

pst_terms(File, Terms) :- read_file_to_terms(File, Terms0, []), pst_without_stamp(Terms0, Terms).
pst_without_stamp([created(T)|Terms], Terms) :- number(T).

pst_roles(L) :- findall(N-R, pst_role(N, R), L).

t(assert, pst_with(F, ( assert_pst_role(a, user), asserta_pst_role(b, admin), pst_roles(L), pst_terms(F, Ts) )), [L, Ts],
    answers([[[b-admin, a-user], [assert(pst_role(a, user)), asserta(pst_role(b, admin))]]])).
t(types, pst_with(_, catch(assert_pst_role(a, boss), error(_, _), pst_roles(L))), [L], answers([[[]]])).
t(types_unbound, pst_with(_, assert_pst_role(_, user)), [], throws(instantiation_error)).
t(retract, pst_with(F, ( assert_pst_role(a, user), assert_pst_role(b, user), retract_pst_role(N, user), pst_roles(L), pst_terms(F, Ts) )), [N, L, Ts],
    answers([[a, [b-user], [assert(pst_role(a, user)), assert(pst_role(b, user)), retract(pst_role(a, user))]]])).
t(retract_none, pst_with(_, retract_pst_role(_, user)), [], fails).
t(retractall, pst_with(F, ( assert_pst_role(a, user), assert_pst_role(b, user), retractall_pst_role(_, user), retractall_pst_role(_, _), pst_roles(L), pst_terms(F, Ts) )), [L, Ts],
    answers([[[], [assert(pst_role(a, user)), assert(pst_role(b, user)), retractall(pst_role(_, user), 2)]]])).
t(again, pst_with(F, ( assert_pst_role(a, user), assert_pst_any(f(_, "x", X, X)), assert_pst_none, db_detach, pst_roles(L0), db_attach(F, []), pst_roles(L), pst_any(Y), ( pst_none -> true ) )), [L0, L, Y],
    answers([[[], [a-user], f(_, "x", Z, Z)]])).
t(sync_close, pst_with([sync(close)], F, ( assert_pst_role(a, user), \+ stream_property(_, file_name(F)), assert_pst_role(b, user), pst_terms(F, Ts) )), [Ts],
    answers([[[assert(pst_role(a, user)), assert(pst_role(b, user))]]])).
t(sync_none, pst_with([sync(none)], F, ( assert_pst_role(a, user), db_sync(close), pst_terms(F, Ts) )), [Ts], answers([[[assert(pst_role(a, user))]]])).
t(sync_value, db_attach(x, [sync(foo)]), [], throws(type_error(oneof([close, flush, none]), foo))).
t(collect, pst_with(F, ( assert_pst_role(a, user), assert_pst_role(b, user), retract_pst_role(a, user), db_sync(gc(always)), pst_terms(F, Ts), assert_pst_role(c, user), pst_terms(F, Ts1) )), [Ts, Ts1],
    answers([[[assert(pst_role(b, user))], [assert(pst_role(b, user)), assert(pst_role(c, user))]]])).
t(collect_not_yet, pst_with(F, ( forall(member(X, [a, b, c]), assert_pst_role(X, user)), retract_pst_role(a, user), db_sync(gc), pst_terms(F, Ts), length(Ts, N) )), [N], answers([[4]])).
t(reload, pst_with(F, ( assert_pst_role(a, user), db_sync(close),
        open(F, append, S), format(S, "assert(pst_role(b,admin)).~n", []), close(S), get_time(T0), T is T0+10, set_time_file(F, [], [modified(T)]),
        db_sync(reload), pst_roles(L), assert_pst_role(c, user), pst_roles(L1) )), [L, L1], answers([[[a-user, b-admin], [a-user, b-admin, c-user]]])).
t(reload_other, pst_with(F, ( assert_pst_role(a, user), db_sync(close),
        open(F, write, S), format(S, "created(1.5).~nassert(pst_role(b,admin)).~n", []), close(S), get_time(T0), T is T0+10, set_time_file(F, [], [modified(T)]),
        db_sync(update), pst_roles(L) )), [L], answers([[[b-admin]]])).
t(attached, pst_with(F, ( db_attached(G), ( F == G -> true ) )), [], answers([[]])).
t(attached_none, db_attached(_), [], fails).
t(attach_two, pst_with(_, db_attach(other, [])), [], throws(permission_error(attach, db, other))).
t(attach_same, pst_with(F, db_attach(F, [sync(none)])), [], answers([[]])).
t(not_attached, assert_pst_role(a, user), [], throws(existence_error(db_file, user))).
t(not_attached_nothing, pst_roles(L), [L], answers([[[]]])).
t(predicates, ( findall(P, ( current_persistent_predicate(P), P = N/_, sub_atom(N, _, _, 0, role) ), L0), msort(L0, L) ), [L],
    answers([[[assert_pst_role/2, asserta_pst_role/2, pst_role/2, retract_pst_role/2, retractall_pst_role/2]]])).
t(what, pst_with(_, db_sync(foo)), [], throws(domain_error(db_sync, foo))).
t(all, pst_with(F, ( assert_pst_role(a, user), db_sync_all(close), \+ stream_property(_, file_name(F)) )), [], answers([[]])).
t(no_directive, persistent(a), [], throws(context_error(nodirective, persistent(a)))).
t(threads, pst_with(F, ( findall(T, ( between(1, 4, I), thread_create(forall(between(1, 50, J), ( N is I*100+J, assert_pst_any(N) )), T) ), Ts), forall(member(T, Ts), thread_join(T, true)),
        findall(N, pst_any(N), Ns), pst_terms(F, Terms), findall(N, member(assert(pst_any(N)), Terms), Ns1), ( Ns == Ns1 -> true ), length(Ns, Count) )), [Count], answers([[200]])).
