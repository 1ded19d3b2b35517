%   Incremental tables: made anew when what they depend on has changed, and only then; library(increval). Generated programs are in cli/tests/datalog.rs.

:- use_module(library(increval)).
:- use_module(library(wfs)).
:- use_module(library(tables)).

:- dynamic inc_q/1 as incremental.
:- dynamic inc_e/2 as incremental.
:- dynamic inc_whole/2 as (incremental, abstract(0)).
:- dynamic([inc_option/1], [incremental(true)]).
:- dynamic inc_count/2.

:- table inc_p/1 as incremental.
:- table inc_r/1 as incremental.
:- table inc_path/2 as incremental.
:- table inc_parity/1 as incremental.
:- table inc_over/1 as incremental.
:- table inc_from/2 as incremental.
:- table inc_from_whole/2 as incremental.
:- table inc_of_option/1 as incremental.
:- table (inc_least(_, min)) as incremental.
:- table inc_won/1 as incremental.
:- table inc_bad/1 as incremental.
:- table inc_over_bad/1 as incremental.
:- table inc_selected/1 as incremental.
:- table inc_opaque/1.
:- table inc_over_opaque/1 as incremental.
:- table inc_clauses/1 as incremental.
:- table inc_self/1 as incremental.
:- table inc_chain/2 as incremental.

counted(Name) :-
    ( retract(inc_count(Name, N0)) -> true ; N0 = 0 ),
    N is N0+1,
    assertz(inc_count(Name, N)).

counts(Name, N) :- ( inc_count(Name, N0) -> N = N0 ; N = 0 ).

reset :-
    abolish_all_tables,
    retractall(inc_q(_)),
    retractall(inc_e(_, _)),
    retractall(inc_whole(_, _)),
    retractall(inc_option(_)),
    retractall(inc_count(_, _)).

all(T, G, L) :- findall(T, G, L0), sort(L0, L).

inc_p(X) :- counted(p), inc_r(X), X > 1.
inc_r(X) :- counted(r), inc_q(X).

inc_path(X, Y) :- counted(path), inc_e(X, Y).
inc_path(X, Y) :- inc_path(X, Z), inc_e(Z, Y).

% Only whether there is one matters.
inc_parity(P) :- counted(parity), findall(X, inc_q(X), L), length(L, N), P is N mod 2.
inc_over(P) :- counted(over), inc_parity(P).

inc_from(X, Y) :- counted(from(X)), inc_e(X, Y).
inc_from_whole(X, Y) :- counted(whole(X)), inc_whole(X, Y).
inc_of_option(X) :- inc_option(X).
inc_least(X, D) :- inc_e(X, D).

inc_won(X) :- inc_e(X, Y), tnot(inc_won(Y)).

inc_bad(X) :- inc_q(X), ( X == bad -> throw(bad) ; true ).
inc_over_bad(X) :- counted(over_bad), inc_bad(X).

inc_selected(X) :- inc_q(X), ( X == 0 -> true ; inc_from(X, _) ).

inc_opaque(X) :- inc_q(X).
inc_over_opaque(X) :- inc_opaque(X).

inc_clauses(N) :- findall(x, clause(inc_q(_), true), L), length(L, N).

inc_self(X) :- inc_q(X), ( inc_q(mark) -> true ; assertz(inc_q(mark)) ).

inc_chain(0, X) :- !, counted(chain), inc_q(X).
inc_chain(N, X) :- counted(chain), N1 is N-1, inc_chain(N1, X).

t(is_made_anew_after_a_change, (
    reset,
    assertz(inc_q(1)), assertz(inc_q(2)),
    all(X, inc_r(X), A),
    assertz(inc_q(3)),
    all(X, inc_r(X), B),
    retract(inc_q(2)),
    all(X, inc_r(X), C)
  ), A+B+C, answers([[1,2]+[1,2,3]+[1,3]])).
t(and_not_without_one, (
    reset,
    assertz(inc_q(1)),
    forall(between(1, 5, _), all(X, inc_r(X), _)),
    counts(r, N)
  ), N, answers([1])).
t(over_a_table_between, (
    reset,
    assertz(inc_q(1)), assertz(inc_q(2)),
    all(X, inc_p(X), A),
    assertz(inc_q(3)),
    all(X, inc_p(X), B)
  ), A+B, answers([[2]+[2,3]])).
t(retractall_retract_of_all_abolish_of_clauses, (
    reset,
    assertz(inc_q(1)),
    all(X, inc_r(X), A),
    retractall(inc_q(_)),
    all(X, inc_r(X), B)
  ), A+B, answers([[1]+[]])).
t(erase_1, (
    reset,
    assertz(inc_q(1), R), assertz(inc_q(2)),
    all(X, inc_r(X), A),
    erase(R),
    all(X, inc_r(X), B)
  ), A+B, answers([[1,2]+[2]])).
t(recursion, (
    reset,
    assertz(inc_e(1,2)), assertz(inc_e(2,3)),
    all(X, inc_path(1,X), A),
    retract(inc_e(2,3)),
    all(X, inc_path(1,X), B),
    assertz(inc_e(2,4)),
    all(X, inc_path(1,X), C)
  ), A+B+C, answers([[2,3]+[2]+[2,4]])).
t(who_uses_a_table_that_has_the_same_answers_is_not_evaluated, (
    reset,
    assertz(inc_q(a)),
    inc_over(1),
    counts(parity, P1), counts(over, O1),
    assertz(inc_q(b)), assertz(inc_q(c)),
    inc_over(1),
    counts(parity, P2), counts(over, O2),
    assertz(inc_q(d)),
    inc_over(0),
    counts(parity, P3), counts(over, O3)
  ), [P1,O1,P2,O2,P3,O3], answers([[1,1,2,1,3,2]])).
t(a_call_depends_on_the_clauses_that_it_may_match, (
    reset,
    assertz(inc_e(1,a)), assertz(inc_e(2,b)),
    all(X, inc_from(1,X), _), all(X, inc_from(2,X), _),
    assertz(inc_e(2,c)), assertz(inc_e(3,c)), assertz(inc_e(f(1),c)),
    all(X, inc_from(1,X), [a]), all(X, inc_from(2,X), [b,c]),
    counts(from(1), N1), counts(from(2), N2),
    retract(inc_e(3,c)),
    all(X, inc_from(1,X), [a]),
    counts(from(1), N3)
  ), [N1,N2,N3], answers([[1,2,1]])).
t(clauses_with_variables_match_all, (
    reset,
    assertz(inc_e(1,a)), assertz(inc_e(2,b)),
    all(X, inc_from(1,X), _), all(X, inc_from(2,X), _),
    assertz((inc_e(_, z))),
    all(X, inc_from(1,X), A), all(X, inc_from(2,X), B)
  ), [A,B], answers([[[a,z],[b,z]]])).
t(rules_of_dynamic_predicates, (
    reset,
    assertz(inc_e(1,a)),
    all(X, inc_from(1,X), A),
    assertz((inc_e(1, Y) :- inc_q(Y))), assertz(inc_q(c)),
    all(X, inc_from(1,X), B)
  ), [A,B], answers([[[a],[a,c]]])).
t(abstract_0_a_call_depends_on_all_clauses, (
    reset,
    assertz(inc_whole(1,a)),
    all(X, inc_from_whole(1,X), _),
    counts(whole(1), N1),
    assertz(inc_whole(2,a)),
    all(X, inc_from_whole(1,X), _),
    counts(whole(1), N2)
  ), [N1,N2], answers([[1,2]])).
t(dynamic_2_with_incremental_true, (
    reset,
    all(X, inc_of_option(X), A),
    assertz(inc_option(1)),
    all(X, inc_of_option(X), B)
  ), [A,B], answers([[[],[1]]])).
t(modes, (
    reset,
    assertz(inc_e(x,3)),
    all(D, inc_least(x,D), A),
    assertz(inc_e(x,2)),
    all(D, inc_least(x,D), B),
    retract(inc_e(x,2)),
    all(D, inc_least(x,D), C)
  ), [A,B,C], answers([[[3],[2],[3]]])).
t(negation, (
    reset,
    assertz(inc_e(a,b)),
    truth(inc_won(a), A),
    assertz(inc_e(b,a)),
    truth(inc_won(a), B),
    assertz(inc_e(b,c)), retract(inc_e(b,a)), retract(inc_e(a,b)), assertz(inc_e(a,b)),
    truth(inc_won(a), C)
  ), [A,B,C], answers([[true,undefined,false]])).

truth(G, T) :- ( call_delays(G, D) -> ( D == true -> T = true ; T = undefined ) ; T = false ).

t(whoever_reads_the_answers_goes_on, (
    reset,
    assertz(inc_q(1)), assertz(inc_q(2)), assertz(inc_q(3)),
    findall(X-Y, ( inc_r(X), ( X == 1 -> true ; retractall(inc_q(2)) ), all(Z, inc_r(Z), Y) ), L)
  ), L, answers([[1-[1,2,3],2-[1,3],3-[1,3]]])).
t(many_readers_of_many_states, (
    reset,
    assertz(inc_q(1)), assertz(inc_q(2)), assertz(inc_q(3)),
    findall(N, ( inc_r(X), X < 4, Y is X+10, assertz(inc_q(Y)), all(Z, inc_r(Z), Zs), length(Zs, N) ), L)
  ), L, answers([[4,5,6]])).
t(an_exception_leaves_the_table_that_there_was_to_be_made_anew, (
    reset,
    assertz(inc_q(1)),
    all(X, inc_over_bad(X), A),
    assertz(inc_q(bad)),
    catch(all(X, inc_over_bad(X), _), E, true),
    retract(inc_q(bad)),
    assertz(inc_q(2)),
    all(X, inc_over_bad(X), B)
  ), [A,E,B], answers([[[1],bad,[1,2]]])).
t(an_exception_of_the_first_evaluation, (
    reset,
    assertz(inc_q(bad)),
    catch(all(X, inc_over_bad(X), _), E, true),
    retract(inc_q(bad)),
    all(X, inc_over_bad(X), B)
  ), [E,B], answers([[bad,[]]])).
t(after_an_exception_nothing_is_left_of_what_it_depended_on, (
    reset,
    assertz(inc_q(1)),
    all(X, inc_over_bad(X), _),
    assertz(inc_q(bad)),
    catch(inc_over_bad(_), E, true),
    retractall(inc_q(_)), assertz(inc_q(2)),
    all(X, inc_over_bad(X), B)
  ), [E,B], answers([[bad,[2]]])).
t(what_is_not_needed_any_more_is_not_evaluated, (
    reset,
    assertz(inc_q(1)), assertz(inc_e(1,a)),
    all(X, inc_selected(X), _),
    retractall(inc_q(_)), assertz(inc_q(0)), assertz(inc_e(1,b)),
    retractall(inc_count(_, _)),
    all(X, inc_selected(X), A),
    counts(from(1), N)
  ), [A,N], answers([[[0],0]])).
t(tables_that_are_not_incremental_are_opaque, (
    reset,
    assertz(inc_q(1)),
    all(X, inc_over_opaque(X), A),
    assertz(inc_q(2)),
    all(X, inc_over_opaque(X), B)
  ), [A,B], answers([[[1],[1]]])).
t(clause_2_depends_on_all_clauses, (
    reset,
    inc_clauses(A),
    assertz(inc_q(1)),
    inc_clauses(B)
  ), [A,B], answers([[0,1]])).
t(what_an_evaluation_changes_itself_makes_it_invalid, (
    reset,
    assertz(inc_q(1)),
    all(X, inc_self(X), A),
    incr_is_invalid(inc_self(_)),
    all(X, inc_self(X), B),
    \+ incr_is_invalid(inc_self(_))
  ), [A,B], answers([[[1],[1,mark]]])).
t(more_changes_than_a_log_keeps, (
    reset,
    assertz(inc_q(0)),
    all(X, inc_r(X), _),
    forall(between(1, 2999, I), assertz(inc_q(I))),
    all(X, inc_r(X), L), length(L, N),
    retract(inc_q(0)),
    all(X, inc_r(X), L2), length(L2, M)
  ), [N, M], answers([[3000, 2999]])).
t(a_long_chain_all_of_which_changes, (
    reset,
    assertz(inc_q(a)),
    all(X, inc_chain(2000,X), A),
    counts(chain, N1),
    assertz(inc_q(b)),
    all(X, inc_chain(2000,X), B),
    counts(chain, N2)
  ), [A,B,N1,N2], answers([[[a],[a,b],2001,4002]])).
t(a_long_chain_all_of_which_may_change_and_does_not, (
    reset,
    assertz(inc_q(a)),
    all(X, inc_chain(2000,X), _),
    counts(chain, N1),
    assertz(inc_q(a)),
    all(X, inc_chain(2000,X), [a]),
    counts(chain, N2)
  ), [N1,N2], answers([[2001,2002]])).
t(abolished_one_by_one, (
    reset,
    assertz(inc_q(1)),
    all(X, inc_p(X), _),
    all(X, inc_r(X), A),
    abolish_table_call(inc_r(_)),
    assertz(inc_q(2)),
    all(X, inc_r(X), B),
    all(X, inc_p(X), [2])
  ), [A,B], answers([[[1],[1,2]]])).
t(declared_for_thread_local_predicates, (
    thread_local(inc_local/1),
    dynamic([inc_local/1], [incremental(true)])
  ), [], throws(permission_error(modify, thread_local_procedure, inc_local/1))).
t(properties, (
    findall(H, predicate_property(inc_p(_), tabled(H)), L),
    predicate_property(inc_p(_), incremental),
    predicate_property(inc_q(_), incremental),
    \+ predicate_property(inc_opaque(_), incremental)
  ), L, answers([[variant, incremental]])).

t(what_is_invalid_is_known_and_can_be_made_anew, (
    reset,
    all(X, inc_p(X), _),
    \+ incr_is_invalid(inc_p(_)),
    assertz(inc_q(2)),
    incr_is_invalid(inc_p(_)),
    incr_is_invalid(inc_r(_)),
    incr_invalid_subgoals(L0), findall(G, ( member(_:G, L0) ), L1), sort(L1, L),
    incr_table_update,
    incr_invalid_subgoals(L2)
  ), [L,L2], answers([[[inc_p(_),inc_r(_)],[]]])).
t(incr_directly_depends_2, (
    reset,
    all(X, inc_p(X), _),
    assertz(inc_e(1,1)),
    all(X, inc_path(1,X), _),
    deps(inc_p(_), A), deps(inc_path(1,_), B),
    findall(G, ( incr_directly_depends(G, inc_r(_)), grounded(G) ), C)
  ), [A,B,C], answers([[[inc_r(x)],[inc_e(1,x),inc_path(1,x)],[inc_p(x)]]])).
t(incr_trans_depends_2, (
    reset,
    all(X, inc_p(X), _),
    findall(G, ( incr_trans_depends(inc_p(_), G), grounded(G) ), A0), sort(A0, A)
  ), A, answers([[inc_q(x),inc_r(x)]])).
t(incr_invalidate_calls_1, (
    reset,
    all(X, inc_p(X), _),
    incr_invalidate_calls(inc_r(_)),
    ( incr_is_invalid(inc_p(_)) -> A = true ; A = false ),
    all(X, inc_p(X), _),
    counts(r, B)
  ), [A,B], answers([[true,2]])).

deps(T, L) :- findall(G, ( incr_directly_depends(T, G), grounded(G) ), L0), sort(L0, L).
grounded(G) :- term_variables(G, Vs), maplist(=(x), Vs).

t(other_threads_see_their_tables_change, (
    reset,
    thread_self(Me),
    length(Ts, 3),
    maplist([T]>>thread_create(reader(Me), T), Ts),
    forall(between(1, 300, N),
           ( assertz(inc_q(N)), N > 10, M is N-10, retract(inc_q(M)), forall(member(T, Ts), thread_send_message(T, n(N)))
           ; N =< 10 )),
    forall(member(T, Ts), thread_send_message(T, n(stop))),
    findall(Wrong, ( member(T, Ts), thread_get_message(result(T, Wrong0)), member(Wrong, Wrong0) ), L),
    maplist(thread_join, Ts)
  ), L, answers([[]])).

:- table inc_deep/1 as incremental.
:- table inc_handler/1 as incremental.
:- table inc_numbered/1 as incremental.
:- dynamic inc_gone/1 as incremental.
:- table inc_of_gone/1 as incremental.
inc_deep(X) :- call_with_depth_limit(inc_q(X), 100, _).
inc_handler(N) :-
    S = s(0),
    setup_call_cleanup(true, member(_, [a, b]), ( findall(x, inc_q(_), L), length(L, C), nb_setarg(1, S, C) )), !,
    arg(1, S, N).
inc_numbered(N-M) :-
    findall(I, nth_clause(inc_q(_), I, _), L), length(L, N),
    predicate_property(inc_q(_), number_of_clauses(M)).
inc_of_gone(X) :- catch(inc_gone(X), _, X = error).

t(under_a_limit_of_depth, (
    reset,
    assertz(inc_q(1)), all(X, inc_deep(X), A),
    assertz(inc_q(2)), all(X, inc_deep(X), B)
  ), A+B, answers([[1]+[1,2]])).
t(in_a_cleanup_handler, (
    reset,
    assertz(inc_q(1)), all(X, inc_handler(X), A),
    assertz(inc_q(2)), all(X, inc_handler(X), B)
  ), A+B, answers([[1]+[2]])).
t(by_number, (
    reset,
    assertz(inc_q(1)), all(X, inc_numbered(X), A),
    assertz(inc_q(2)), all(X, inc_numbered(X), B)
  ), A+B, answers([[1-1]+[2-2]])).
t(abolished_clauses, (
    reset,
    assertz(inc_gone(1)), all(X, inc_of_gone(X), A),
    abolish(inc_gone/1), all(X, inc_of_gone(X), B)
  ), A+B, answers([[1]+[error]])).

% Whoever has the message sees the clause: and none that is older by twice as much, whatever comes meanwhile.
reader(Main) :- reader(Main, []).
reader(Main, Wrong) :-
    thread_get_message(n(N)),
    (   N == stop
    ->  thread_self(Me), thread_send_message(Main, result(Me, Wrong))
    ;   all(X, inc_r(X), L),
        M is N-10,
        (   memberchk(N, L), \+ memberchk(M, L)
        ->  reader(Main, Wrong)
        ;   max_list(L, Max), Max > N, \+ memberchk(M, L)
        ->  reader(Main, Wrong)
        ;   reader(Main, [N-L|Wrong])
        )
    ).

t(replaced_tables_are_freed, (
    reset,
    run_size(1000, Size), forall(between(1, Size, I), assertz(inc_q(I))),
    all(X, inc_r(X), _),
    statistics(table_space_used, Before),
    forall(between(1001, 1500, I), ( assertz(inc_q(I)), retract(inc_q(I)), all(X, inc_r(X), _) )),
    statistics(table_space_used, After),
    Grown is After-Before,
    Grown < 2 000 000
  ), [], answers([[]])).
t(also_while_somebody_reads_a_table, (
    reset,
    run_size(1000, Size), forall(between(1, Size, I), assertz(inc_q(I))),
    all(X, inc_r(X), _),
    statistics(table_space_used, Before),
    inc_r(_),
    forall(between(1001, 1500, I), ( assertz(inc_q(I)), retract(inc_q(I)), all(X, inc_r(X), _) )), !,
    statistics(table_space_used, After),
    Grown is After-Before,
    Grown < 3 000 000
  ), [], answers([[]])).

%   What a table was evaluated for before is forgotten, also where it depends on itself. (Frames that were replaced go when there are many: without
%   pages, some twenty kilobytes of them more or less are there at any moment. What stayed of each round would be more.)
:- table inc_again/2 as incremental.
:- dynamic inc_arc/2 as incremental.
inc_again(X, Y) :- inc_arc(X, Y).
inc_again(X, Y) :- inc_again(X, Z), inc_arc(Z, Y).
inc_round :- assertz(inc_arc(9, 10)), forall(inc_again(1, _), true), retract(inc_arc(9, 10)), forall(inc_again(1, 9), true).
inc_held(N, Bytes) :- forall(between(1, N, _), inc_round), table_statistics(bytes_held, Bytes).
t(renewals_leave_nothing, ( abolish_all_tables, forall(between(1, 8, X), ( Y is X+1, assertz(inc_arc(X, Y)) )), inc_held(100, A), inc_held(2000, B), D is B-A, ( D < 30 000 -> true ; D = none ) ), [], answers([[]])).

%   Tables over clauses of their own that may change.
:- table (inc_own/1) as dynamic.
:- table (inc_told/1) as (incremental, dynamic).
:- table ((inc_lowest(_, min)) as dynamic).
inc_own(1).
t(dynamic, ( inc_own(_), assertz(inc_own(2)), findall(X, inc_own(X), Old), abolish_all_tables, findall(X, inc_own(X), New) ), [Old, New], answers([[[1], [1, 2]]])).
t(dynamic_incremental, ( assertz(inc_told(1)), findall(X, inc_told(X), L1), assertz(inc_told(2)), findall(X, inc_told(X), L2) ), [L1, L2], answers([[[1], [1, 2]]])).
t(dynamic_modes, ( assertz(inc_lowest(a, 3)), assertz(inc_lowest(a, 2)), inc_lowest(a, X) ), [X], answers([[2]])).
t(dynamic_properties, ( predicate_property(inc_told(_), dynamic), predicate_property(inc_told(_), tabled(incremental)), predicate_property(inc_told(_), incremental) ), [], answers([[]])).
t(abstract, ( predicate_property(inc_whole(_, _), abstract(N)), \+ predicate_property(inc_q(_), abstract(_)) ), [N], answers([[0]])).
