% Tabling: left, right, mutual and nested recursion, several components,
% exceptions and cuts through tabled goals.
% As in SWI-Prolog (variant tabling).  The order in which answers come is not
% fixed, so that the tests sort them.

:- table tbl_left/2.
:- table tbl_right/2.
:- table tbl_double/2.
:- table tbl_cyclic/2.
:- table tbl_fib/2.
:- table tbl_a/1, tbl_b/1.
:- table tbl_even/1, tbl_odd/1.
:- table tbl_same_generation/2.
:- table tbl_p/1, tbl_q/1, tbl_r/1.
:- table tbl_one/1, tbl_two/1, tbl_three/1.
:- table tbl_fail/1.
:- table tbl_loop/0.
:- table tbl_true/0.
:- table tbl_many_clauses/1.
:- table tbl_nonground/2.
:- table tbl_structures/1.
:- table tbl_throws/1.
:- table tbl_throws_late/1.
:- table tbl_slow/1.
:- table tbl_big/1.
:- table tbl_expr//1.
:- table tbl_nested/2.
:- table tbl_inner/2.
:- table tbl_conj/2.
:- table tbl_count_calls/1.
:- table tbl_list/1.
:- table tbl_string/1.
:- table tbl_lcs/3.
:- table tbl_hanoi/2.
:- table tbl_reach/2.
:- table tbl_mc/1.
:- table tbl_cut_inside/1.
:- table tbl_not_base/1.
:- table tbl_length/2.
:- table tbl_ack/3.

:- dynamic(tbl_calls/1).
:- dynamic(tbl_flag/1).

tbl_edge(a, b).
tbl_edge(b, c).
tbl_edge(c, a).
tbl_edge(c, d).
tbl_edge(d, e).

tbl_arc(1, 2).
tbl_arc(2, 3).
tbl_arc(3, 1).
tbl_arc(3, 4).

tbl_sorted(Template, Goal, Sorted) :-
    findall(Template, Goal, List),
    sort(List, Sorted).

tbl_left(X, Y) :- tbl_left(X, Z), tbl_edge(Z, Y).
tbl_left(X, Y) :- tbl_edge(X, Y).

tbl_right(X, Y) :- tbl_edge(X, Y).
tbl_right(X, Y) :- tbl_edge(X, Z), tbl_right(Z, Y).

tbl_double(X, Y) :- tbl_double(X, Z), tbl_double(Z, Y).
tbl_double(X, Y) :- tbl_edge(X, Y).

tbl_cyclic(X, Y) :- tbl_arc(X, Y).
tbl_cyclic(X, Y) :- tbl_cyclic(X, Z), tbl_arc(Z, Y).

tbl_ring(N, X, Y) :- between(1, N, X), Y is X mod N + 1.

tbl_reach(N, Y) :- tbl_ring(N, 1, Y).
tbl_reach(N, Y) :- tbl_reach(N, Z), Y is Z mod N + 1.

tbl_fib(0, 0).
tbl_fib(1, 1).
tbl_fib(N, F) :-
    N > 1,
    N1 is N - 1,
    N2 is N - 2,
    tbl_fib(N1, F1),
    tbl_fib(N2, F2),
    F is F1 + F2.

tbl_a(X) :- tbl_b(X).
tbl_a(1).

tbl_b(X) :- tbl_a(X).
tbl_b(2).

tbl_even(0).
tbl_even(N) :- tbl_odd(M), N is M + 1, N < 20.

tbl_odd(N) :- tbl_even(M), N is M + 1, N < 20.

tbl_parent(ann, bob).
tbl_parent(ann, cat).
tbl_parent(bob, dan).
tbl_parent(cat, eve).
tbl_parent(dan, fay).
tbl_parent(eve, gus).

tbl_same_generation(X, X) :- tbl_person(X).
tbl_same_generation(X, Y) :-
    tbl_parent(XP, X),
    tbl_same_generation(XP, YP),
    tbl_parent(YP, Y).

tbl_person(X) :- member(X, [ann, bob, cat, dan, eve, fay, gus]).

% One component of three, entered at any of them.
tbl_p(X) :- tbl_q(X).
tbl_p(1).
tbl_q(X) :- tbl_r(X).
tbl_q(2).
tbl_r(X) :- tbl_p(X).
tbl_r(X) :- tbl_q(Y), X is Y + 10, X < 40.
tbl_r(3).

% A chain of components: three needs two needs one.
tbl_one(X) :- tbl_one(Y), X is Y + 1, X < 5.
tbl_one(0).
tbl_two(X) :- tbl_one(X).
tbl_two(X) :- tbl_two(Y), X is Y + 5, X < 15.
tbl_three(X) :- tbl_two(X), X mod 2 =:= 0.
tbl_three(X) :- tbl_three(Y), X is Y + 100, X < 200.

tbl_fail(X) :- tbl_fail(X).

tbl_loop :- tbl_loop.

tbl_true.
tbl_true :- tbl_true.

tbl_many_clauses(1).
tbl_many_clauses(1).
tbl_many_clauses(2).
tbl_many_clauses(1) :- tbl_many_clauses(2).

tbl_nonground(X, Y) :- X = f(Y, _).
tbl_nonground(g(X), X).

tbl_structures(s(X)) :- tbl_structures(X), tbl_depth(X, D), D < 3.
tbl_structures(z).

tbl_depth(z, 0).
tbl_depth(s(X), D) :- tbl_depth(X, D0), D is D0 + 1.

tbl_throws(X) :- ( tbl_flag(on) -> throw(tbl_ball) ; X = 1 ).
tbl_throws(2).

tbl_throws_late(X) :- tbl_throws_late(Y), ( Y >= 3, tbl_flag(on) -> throw(tbl_late(Y)) ; true ), X is Y + 1, X < 6.
tbl_throws_late(0).

tbl_slow(X) :- assertz(tbl_calls(X)), between(1, 3, X).

tbl_count_calls(X) :- assertz(tbl_calls(X)).

tbl_big(X) :- between(1, 5000, X).
tbl_big(X) :- tbl_big(Y), X is Y + 5000, X =< 10000.

tbl_expr(X) --> tbl_expr(Y), "+", tbl_digit(Z), { X is Y + Z }.
tbl_expr(X) --> tbl_expr(Y), "-", tbl_digit(Z), { X is Y - Z }.
tbl_expr(X) --> tbl_digit(X).

tbl_digit(D) --> [C], { code_type(C, digit(D)) }.

tbl_nested(X, Y) :- tbl_inner(X, Z), tbl_inner(Z, Y).
tbl_nested(X, Y) :- tbl_nested(X, Z), tbl_inner(Z, Y).
tbl_inner(X, Y) :- tbl_arc(X, Y).
tbl_inner(X, Y) :- tbl_inner(X, Z), tbl_nested(Z, Y).

tbl_conj(X, Y) :- tbl_conj(X, Z), tbl_conj(X, W), Z < W, Y is Z + W, Y < 12.
tbl_conj(_, 1).
tbl_conj(_, 2).

tbl_list([]).
tbl_list([X|T]) :- tbl_list(T), length(T, N), N < 3, member(X, [a, b]).

tbl_string("s").
tbl_string(1.5).
tbl_string(100000000000000000000).
tbl_string(1r3).

% Longest common subsequence, its length.
tbl_lcs([], _, 0) :- !.
tbl_lcs(_, [], 0) :- !.
tbl_lcs([H|T], [H|U], N) :- !, tbl_lcs(T, U, M), N is M + 1.
tbl_lcs([H|T], [G|U], N) :- tbl_lcs(T, [G|U], A), tbl_lcs([H|T], U, B), N is max(A, B).

tbl_hanoi(0, 0).
tbl_hanoi(N, X) :- N > 0, M is N - 1, tbl_hanoi(M, A), tbl_hanoi(M, B), X is A + B + 1.

tbl_mc(N) :- N > 100, !.
tbl_mc(N) :- M is N + 1, tbl_mc(M).

tbl_cut_inside(X) :- member(X, [1, 2, 3]), !.
tbl_cut_inside(9).

tbl_not_base(X) :- member(X, [1, 2, 3]), \+ tbl_cut_inside(X).

tbl_length([], 0).
tbl_length([_|T], N) :- tbl_length(T, M), N is M + 1.

tbl_ack(0, N, X) :- !, X is N + 1.
tbl_ack(M, 0, X) :- !, M1 is M - 1, tbl_ack(M1, 1, X).
tbl_ack(M, N, X) :- M1 is M - 1, N1 is N - 1, tbl_ack(M, N1, Y), tbl_ack(M1, Y, X).

% Shapes of recursion

% Rows of one table go to the same table, when their array is full: room is made before it is seen that the row is there.
:- dynamic tbl_size/1.
:- table tbl_handed/1.
tbl_handed(X) :- tbl_handed(X).
tbl_handed(X) :- tbl_size(N), between(1, N, I), X is (I*2654435761) mod 134217728.
tbl_handed_of(N, C) :- retractall(tbl_size(_)), assertz(tbl_size(N)), abolish_all_tables, findall(X, tbl_handed(X), L), length(L, C).
t(handed_to_itself, ( tbl_size(_) -> fail ; forall(( between(1, 11, I), between(-1, 1, D), N is 1 << I + D ), ( tbl_handed_of(N, C), C =:= N )) ), [], answers([[]])).

t(left_first_bound, tbl_sorted(Y, tbl_left(a, Y), L), [L], answers([[[a, b, c, d, e]]])).
t(left_open, tbl_sorted(X-Y, tbl_left(X, Y), L), [L],
  answers([[[a-a, a-b, a-c, a-d, a-e, b-a, b-b, b-c, b-d, b-e, c-a, c-b, c-c, c-d, c-e, d-e]]])).
t(left_second_bound, tbl_sorted(X, tbl_left(X, e), L), [L], answers([[[a, b, c, d]]])).
t(left_both_bound, tbl_left(a, e), [], answers([[]])).
t(left_no, tbl_left(e, a), [], fails).
t(left_empty, tbl_sorted(Y, tbl_left(e, Y), L), [L], answers([[[]]])).
t(left_unknown_node, tbl_sorted(Y, tbl_left(zz, Y), L), [L], answers([[[]]])).
t(left_no_duplicates, ( findall(Y, tbl_left(a, Y), L), length(L, N) ), [N], answers([[5]])).
t(right_first_bound, tbl_sorted(Y, tbl_right(a, Y), L), [L], answers([[[a, b, c, d, e]]])).
t(right_open, tbl_sorted(X-Y, tbl_right(X, Y), L), [L],
  answers([[[a-a, a-b, a-c, a-d, a-e, b-a, b-b, b-c, b-d, b-e, c-a, c-b, c-c, c-d, c-e, d-e]]])).
t(right_second_bound, tbl_sorted(X, tbl_right(X, e), L), [L], answers([[[a, b, c, d]]])).
t(double_first_bound, tbl_sorted(Y, tbl_double(a, Y), L), [L], answers([[[a, b, c, d, e]]])).
t(double_open, ( findall(X-Y, tbl_double(X, Y), L), length(L, N) ), [N], answers([[16]])).
t(cyclic, tbl_sorted(X-Y, tbl_cyclic(X, Y), L), [L],
  answers([[[1-1, 1-2, 1-3, 1-4, 2-1, 2-2, 2-3, 2-4, 3-1, 3-2, 3-3, 3-4]]])).
t(shared_variable, tbl_sorted(X, tbl_cyclic(X, X), L), [L], answers([[[1, 2, 3]]])).
t(ring, ( findall(Y, tbl_reach(1000, Y), L), length(L, N), sort(L, S), length(S, M) ), [N, M], answers([[1000, 1000]])).
t(fib_30, tbl_fib(30, F), [F], answers([[832040]])).
t(fib_300, tbl_fib(300, F), [F], answers([[222232244629420445529739893461909967206666939096499764990979600]])).
t(hanoi, tbl_hanoi(64, X), [X], answers([[18446744073709551615]])).
t(mutual, tbl_sorted(X, tbl_a(X), L), [L], answers([[[1, 2]]])).
t(mutual_other, tbl_sorted(X, tbl_b(X), L), [L], answers([[[1, 2]]])).
t(mutual_both, ( tbl_sorted(X, tbl_a(X), L), tbl_sorted(Y, tbl_b(Y), M) ), [L, M], answers([[[1, 2], [1, 2]]])).
t(even_odd, ( tbl_sorted(X, tbl_even(X), L), tbl_sorted(Y, tbl_odd(Y), M) ), [L, M],
  answers([[[0, 2, 4, 6, 8, 10, 12, 14, 16, 18], [1, 3, 5, 7, 9, 11, 13, 15, 17, 19]]])).
t(same_generation, tbl_sorted(Y, tbl_same_generation(fay, Y), L), [L], answers([[[fay, gus]]])).
t(same_generation_open, ( findall(X-Y, tbl_same_generation(X, Y), L), length(L, N) ), [N], answers([[13]])).
t(component_from_p, ( abolish_all_tables, tbl_sorted(X, tbl_p(X), L) ), [L],
  answers([[[1, 2, 3, 11, 12, 13, 21, 22, 23, 31, 32, 33]]])).
t(component_from_q, ( abolish_all_tables, tbl_sorted(X, tbl_q(X), L) ), [L],
  answers([[[1, 2, 3, 11, 12, 13, 21, 22, 23, 31, 32, 33]]])).
t(component_from_r, ( abolish_all_tables, tbl_sorted(X, tbl_r(X), L) ), [L],
  answers([[[1, 2, 3, 11, 12, 13, 21, 22, 23, 31, 32, 33]]])).
t(component_all, ( tbl_sorted(X, tbl_p(X), L), tbl_sorted(X, tbl_q(X), M), tbl_sorted(X, tbl_r(X), N), ( L == M, M == N -> R = same ; R = other ) ), [R],
  answers([[same]])).
t(component_bound, ( abolish_all_tables, tbl_p(33) ), [], answers([[]])).
t(component_bound_no, ( abolish_all_tables, tbl_p(34) ), [], fails).
t(chain_of_components, tbl_sorted(X, tbl_three(X), L), [L],
  answers([[[0, 2, 4, 6, 8, 10, 12, 14, 100, 102, 104, 106, 108, 110, 112, 114]]])).
t(chain_bottom_up, ( abolish_all_tables, tbl_sorted(X, tbl_one(X), L), tbl_sorted(Y, tbl_two(Y), M) ), [L, M],
  answers([[[0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]]])).
t(nested, tbl_sorted(Y, tbl_nested(1, Y), L), [L], answers([[[1, 2, 3, 4]]])).
t(nested_open, tbl_sorted(X-Y, tbl_nested(X, Y), L), [L],
  answers([[[1-1, 1-2, 1-3, 1-4, 2-1, 2-2, 2-3, 2-4, 3-1, 3-2, 3-3, 3-4]]])).
t(nested_inner, tbl_sorted(Y, tbl_inner(2, Y), L), [L], answers([[[1, 2, 3, 4]]])).
t(two_consumers, tbl_sorted(Y, tbl_conj(k, Y), L), [L], answers([[[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]]])).
t(never_answers, tbl_fail(_), [], fails).
t(never_answers_bound, tbl_fail(1), [], fails).
t(loop_without_arguments, tbl_loop, [], fails).
t(true_without_arguments, ( findall(x, tbl_true, L) ), [L], answers([[[x]]])).
t(duplicates_removed, tbl_sorted(X, tbl_many_clauses(X), L), [L], answers([[[1, 2]]])).
t(duplicates_removed_count, ( findall(X, tbl_many_clauses(X), L), length(L, N) ), [N], answers([[2]])).
t(left_recursive_grammar, phrase(tbl_expr(X), `9-3-2`), [X], answers([[4]])).
t(left_recursive_grammar_2, phrase(tbl_expr(X), `1+2+3-4`), [X], answers([[2]])).
t(left_recursive_grammar_no, phrase(tbl_expr(_), `1+`), [], fails).
t(lcs, ( atom_chars(abcbdab, A), atom_chars(bdcaba, B), tbl_lcs(A, B, N) ), [N], answers([[4]])).
t(lcs_long, ( numlist(1, 40, A), reverse(A, B), tbl_lcs(A, B, N) ), [N], answers([[1]])).
t(counting_up, tbl_mc(0), [], answers([[]])).
t(cut_inside_clause, tbl_sorted(X, tbl_cut_inside(X), L), [L], answers([[[1]]])).
t(negation_over_completed, tbl_sorted(X, tbl_not_base(X), L), [L], answers([[[]]])).
t(list_argument, tbl_length([a, b, c], N), [N], answers([[3]])).
t(ackermann, tbl_ack(2, 5, X), [X], answers([[13]])).

% Kinds of answers

t(answers_nonground, ( findall(X, tbl_nonground(X, 1), L), msort(L, M), length(M, N) ), [N], answers([[2]])).
t(answers_nonground_terms, ( tbl_nonground(f(1, Y), 1) ), [Y], answers([[_]])).
t(answers_structures, tbl_sorted(X, tbl_structures(X), L), [L], answers([[[z, s(z), s(s(z)), s(s(s(z)))]]])).
t(answers_structure_bound, tbl_structures(s(s(z))), [], answers([[]])).
t(answers_lists, ( findall(X, tbl_list(X), L), length(L, N) ), [N], answers([[15]])).
t(answers_list_pattern, tbl_sorted(X, tbl_list([a, X]), L), [L], answers([[[a, b]]])).
t(answers_atomic_kinds, tbl_sorted(X, tbl_string(X), L), [L], answers([[[1r3, 1.5, 100000000000000000000, "s"]]])).
t(answers_string_bound, tbl_string("s"), [], answers([[]])).
t(answers_big_bound, tbl_string(100000000000000000000), [], answers([[]])).
t(answers_many, ( findall(X, tbl_big(X), L), length(L, N), sort(L, S), last(S, M) ), [N, M], answers([[10000, 10000]])).

% Tables are reused and abolished

t(reused, ( abolish_all_tables, retractall(tbl_calls(_)), tbl_sorted(X, tbl_slow(X), A), tbl_sorted(X, tbl_slow(X), B), findall(x, tbl_calls(_), C), length(C, N) ), [A, B, N],
  answers([[[1, 2, 3], [1, 2, 3], 1]])).
t(recomputed_after_abolish, ( abolish_all_tables, retractall(tbl_calls(_)), tbl_sorted(X, tbl_slow(X), _), abolish_all_tables, tbl_sorted(X, tbl_slow(X), B), findall(x, tbl_calls(_), C), length(C, N) ), [B, N],
  answers([[[1, 2, 3], 2]])).
t(variants_have_tables, ( abolish_all_tables, retractall(tbl_calls(_)), tbl_count_calls(1), tbl_count_calls(2), tbl_count_calls(1), findall(X, tbl_calls(X), C) ), [C],
  answers([[[1, 2]]])).
t(renamed_call_is_variant, ( abolish_all_tables, retractall(tbl_calls(_)), findall(x, tbl_count_calls(_), _), findall(x, tbl_count_calls(_), _), findall(x, tbl_calls(_), C) ), [C],
  answers([[[x]]])).
t(abolish_nothing, ( abolish_all_tables, abolish_all_tables ), [], answers([[]])).
t(abolish_then_call, ( tbl_left(a, b), abolish_all_tables, tbl_left(a, b) ), [], answers([[]])).
t(tabled_property, predicate_property(tbl_left(_, _), tabled), [], answers([[]])).

% Exceptions and cuts through tabled goals

t(throw_inside, ( abolish_all_tables, retractall(tbl_flag(_)), assertz(tbl_flag(on)), tbl_throws(_) ), [],
  throws_ball(tbl_ball)).
t(throw_leaves_no_table, ( abolish_all_tables, retractall(tbl_flag(_)), assertz(tbl_flag(on)), catch(tbl_throws(_), tbl_ball, true), retractall(tbl_flag(_)), tbl_sorted(X, tbl_throws(X), L) ), [L],
  answers([[[1, 2]]])).
t(throw_late, ( abolish_all_tables, retractall(tbl_flag(_)), assertz(tbl_flag(on)), catch(tbl_throws_late(_), B, true) ), [B],
  answers([[tbl_late(3)]])).
t(throw_late_leaves_no_table, ( abolish_all_tables, retractall(tbl_flag(_)), assertz(tbl_flag(on)), catch(tbl_throws_late(_), _, true), retractall(tbl_flag(_)), tbl_sorted(X, tbl_throws_late(X), L) ), [L],
  answers([[[0, 1, 2, 3, 4, 5]]])).
t(throw_twice, ( abolish_all_tables, retractall(tbl_flag(_)), assertz(tbl_flag(on)), catch(tbl_throws(_), A, true), catch(tbl_throws(_), B, true), retractall(tbl_flag(_)) ), [A, B],
  answers([[tbl_ball, tbl_ball]])).
t(throw_by_consumer, ( abolish_all_tables, catch(( tbl_left(a, X), throw(found(Y)) ), found(Y), true), tbl_sorted(Z, tbl_left(a, Z), L) ), [X, L],
  answers([[_, [a, b, c, d, e]]])).
t(cut_after_first, ( abolish_all_tables, once(tbl_left(a, _)), tbl_sorted(Y, tbl_left(a, Y), L) ), [L],
  answers([[[a, b, c, d, e]]])).
t(cut_after_first_big, ( abolish_all_tables, once(tbl_big(_)), findall(X, tbl_big(X), L), length(L, N) ), [N],
  answers([[10000]])).
t(cut_in_condition, ( abolish_all_tables, ( tbl_right(a, _) -> R = yes ; R = no ), tbl_sorted(Y, tbl_right(a, Y), L) ), [R, L],
  answers([[yes, [a, b, c, d, e]]])).
t(cut_by_negation, ( abolish_all_tables, \+ tbl_left(e, _), \+ \+ tbl_left(a, e), tbl_sorted(Y, tbl_left(a, Y), L) ), [L],
  answers([[[a, b, c, d, e]]])).
t(cut_mutual, ( abolish_all_tables, once(tbl_a(_)), tbl_sorted(X, tbl_b(X), L) ), [L], answers([[[1, 2]]])).
t(first_then_retry, ( abolish_all_tables, findall(Y, ( tbl_left(a, X), once(tbl_left(X, Y)) ), L), length(L, N) ), [N],
  answers([[4]])).
t(interleaved, ( abolish_all_tables, findall(X-Y, ( tbl_left(a, X), tbl_right(X, Y) ), L), sort(L, S), length(S, N) ), [N],
  answers([[16]])).
t(inside_findall_inside_tabled, tbl_sorted(X-N, ( member(X, [a, d]), findall(Y, tbl_left(X, Y), L), length(L, N) ), S), [S],
  answers([[[a-5, d-1]]])).
t(setof_over_tabled, setof(Y, tbl_left(b, Y), L), [L], answers([[[a, b, c, d, e]]])).
t(aggregate_over_tabled, aggregate_all(count, tbl_left(_, _), N), [N], answers([[16]])).
t(forall_over_tabled, forall(tbl_left(a, X), atom(X)), [], answers([[]])).

% Destructive assignments undone by a suspension are made again when it is resumed.
:- table tab_assigned/2.
tab_assigned(X, Y) :- tab_cycle(X, Y).
tab_assigned(X, Z) :-
    T = f(0, []),
    tab_cycle(X, Y0),
    setarg(1, T, Y0),
    arg(1, T, Y1),
    setarg(2, T, g(Y1)),
    tab_assigned(Y1, Z),
    T == f(Y0, g(Y0)).
tab_cycle(1, 2).
tab_cycle(2, 3).
tab_cycle(3, 1).
tab_cycle(3, 4).

t(assigned_before_suspension, ( findall(X-Y, tab_assigned(X, Y), L0), sort(L0, L), length(L, N) ), [N], answers([[12]])).

% What was overwritten again within a catch/3 that a suspended goal is in is as it was before once the exception has come there.
:- table tab_overwritten/1, tab_bound_overwritten/1.
tab_overwritten(1).
tab_overwritten(V) :-
    T = f(_),
    setarg(1, T, a),
    catch(( setarg(1, T, b), tab_overwritten(Y), Y == 1, throw(found) ), found, true),
    arg(1, T, V).
tab_bound_overwritten(1).
tab_bound_overwritten(V) :-
    functor(T, f, 1),
    arg(1, T, a),
    catch(( setarg(1, T, b), setarg(1, T, c), tab_bound_overwritten(Y), Y == 1, throw(found) ), found, true),
    arg(1, T, V).

t(overwritten_within_catch, ( abolish_all_tables, tbl_sorted(X, tab_overwritten(X), L) ), [L], answers([[[1, a]]])).
t(bound_and_overwritten_within_catch, ( abolish_all_tables, tbl_sorted(X, tab_bound_overwritten(X), L) ), [L], answers([[[1, a]]])).

% A generator refers to nothing of its caller, even if all its arguments are constants: the consumer of tbl_seed in the call
% tbl_tested(1) is resumed when the caller's variable is unbound again.
:- table tbl_seed/1, tbl_tested/1.
tbl_seed(0).
tbl_seed(X) :- tbl_candidate(X), tbl_tested(X).
tbl_tested(X) :- tbl_seed(_), tbl_good(X).
tbl_candidate(1).
tbl_candidate(2).
tbl_good(2).

t(constant_call_from_bound_variable, ( abolish_all_tables, tbl_sorted(X, tbl_seed(X), L) ), [L], answers([[[0, 2]]])).

% A suspended goal keeps the catch/3 that it is in, with the bindings of its moment; a cut inside of it stops there.
% (SWI-Prolog keeps the bindings made inside when the goal was resumed, and refuses the cut.)
:- table tbl_catches/1, tbl_catch_cut/1, tbl_catch_nested/1, tbl_catch_bindings/2.
tbl_catches(1).
tbl_catches(X) :- catch(tbl_catch_step(X), ball, X = caught).
tbl_catch_step(X) :- tbl_catches(Y), integer(Y), ( Y >= 2 -> throw(ball) ; X is Y+1 ).
tbl_catch_cut(1).
tbl_catch_cut(X) :- catch(( tbl_catch_cut(Y), !, integer(Y), tbl_catch_late(Y, X) ), ball(Z), X = c(Z)).
tbl_catch_late(Y, X) :- ( Y >= 3 -> throw(ball(Y)) ; X is Y+1 ).
tbl_catch_nested(0).
tbl_catch_nested(X) :-
    catch(catch(tbl_catch_inner(X), inner(Y), ( Y > 3 -> throw(outer(Y)) ; X = i(Y) )), outer(Y), X = o(Y)).
tbl_catch_inner(X) :- tbl_catch_nested(Y), integer(Y), ( Y > 1 -> ( X is Y+1, X < 6 ; throw(inner(Y)) ) ; X is Y+1 ).
tbl_catch_bindings(0, []).
tbl_catch_bindings(X, L) :-
    T = t(A, B, 0),
    A = 1,
    setarg(3, T, before),
    catch(( B = 2, setarg(3, T, inside), tbl_catch_bindings(Y, _), Y == 0, throw(now) ), now, true),
    X = after,
    ( var(B) -> L = T ; L = bound ).

t(suspended_catch, ( abolish_all_tables, tbl_sorted(X, tbl_catches(X), L) ), [L], answers([[[1, 2, caught]]])).
t(suspended_catch_cut, ( abolish_all_tables, tbl_sorted(X, tbl_catch_cut(X), L) ), [L], answers([[[1, 2, 3, c(3)]]])).
t(suspended_catch_nested, ( abolish_all_tables, tbl_sorted(X, tbl_catch_nested(X), L) ), [L],
  answers([[[0, 1, 2, 3, 4, 5, i(2), i(3), o(4), o(5)]]])).
t(suspended_catch_bindings, ( abolish_all_tables, tbl_sorted(X-L, tbl_catch_bindings(X, L), S) ), [S],
  answers([[[0-[], after-t(1, _, before)]]])).

% A cleanup handler runs when its goal is suspended, once.
:- table tbl_cleaned/1.
tbl_cleaned(1).
tbl_cleaned(X) :- setup_call_cleanup(true, ( tbl_cleaned(Y), Y < 4, X is Y+1 ), tbl_count_cleanup).
tbl_count_cleanup :- assertz(tbl_calls(cleanup)).

t(suspended_cleanup, ( abolish_all_tables, retractall(tbl_calls(_)), tbl_sorted(X, tbl_cleaned(X), L), aggregate_all(count, tbl_calls(_), N) ), [L, N],
  answers([[[1, 2, 3, 4], 1]])).

% What needs all answers at once is refused if it got one too late, and computed if not.
:- table tbl_collects/1, tbl_negates/1, tbl_decides/1, tbl_softly/1, tbl_counts/1, tbl_paradox/0, tbl_stays_true/1, tbl_parts/1, tbl_second/1, tbl_collects_none/1, tbl_no_else/1.
tbl_collects(1).
tbl_collects(X) :- findall(Y, tbl_collects(Y), L), length(L, X).
tbl_negates(X) :- tbl_move(X, Y), \+ tbl_negates(Y).
% (The fact behind: a call without variables that is true by it before needs no other clause.)
tbl_decides(X) :- ( tbl_decides(1) -> X = then ; X = else ).
tbl_decides(1).
tbl_softly(X) :- ( tbl_softly(1) *-> X = then ; X = else ).
tbl_softly(1).
tbl_counts(1).
tbl_counts(X) :- aggregate_all(count, tbl_counts(_), X).
tbl_parts(1).
tbl_parts(X) :- findnsols(2, Y, tbl_parts(Y), L), sum_list(L, S), X is S+10, X < 60.
tbl_second(0).
tbl_second(1).
tbl_second(X) :- call_nth(tbl_second(Y), 2), X is Y+10, X < 60.
tbl_paradox :- \+ tbl_paradox.
tbl_stays_true(X) :- tbl_move(_, X), \+ tbl_stays_false(X).
tbl_stays_false(X) :- tbl_stays_true(X), X > 100.
tbl_collects_none(X) :- findall(Y, ( tbl_collects_none(Y), Y > 5 ), L), length(L, X).
tbl_no_else(1).
tbl_no_else(X) :- ( tbl_no_else(Y) -> X is Y+1, X < 4 ).
tbl_move(1, 2).
tbl_move(2, 3).
tbl_move(3, 4).
tbl_move(4, 3).
tbl_refused(Goal, What) :- abolish_all_tables, catch(( findall(x, Goal, _), What = no ), error(permission_error(A, B, PI), _), What = A-B-PI).

t(late_findall, tbl_refused(tbl_collects(_), E), [E], answers([[collect-incomplete_table-(user:tbl_collects/1)]])).
t(late_parts, tbl_refused(tbl_parts(_), E), [E], answers([[collect-incomplete_table-(user:tbl_parts/1)]])).
t(late_nth, ( abolish_all_tables, tbl_sorted(X, tbl_second(X), L) ), [L], answers([[[0, 1, 11]]])).
t(late_count, tbl_refused(tbl_counts(_), E), [E], answers([[collect-incomplete_table-(user:tbl_counts/1)]])).
t(late_negation, tbl_refused(tbl_negates(3), E), [E], answers([[negate-incomplete_table-(user:tbl_negates/1)]])).
t(late_negation_again, ( tbl_refused(tbl_negates(1), _), tbl_refused(tbl_negates(5), E) ), [E], answers([[no]])).
t(late_paradox, tbl_refused(tbl_paradox, E), [E], answers([[negate-incomplete_table-(user:tbl_paradox/0)]])).
t(late_condition, tbl_refused(tbl_decides(_), E), [E], answers([[negate-incomplete_table-(user:tbl_decides/1)]])).
t(late_soft_condition, tbl_refused(tbl_softly(_), E), [E], answers([[negate-incomplete_table-(user:tbl_softly/1)]])).
t(late_called, ( tbl_refused(call(( \+ tbl_negates(3) )), E) ), [E], answers([[negate-incomplete_table-(user:tbl_negates/1)]])).
t(negation_that_holds, ( abolish_all_tables, tbl_sorted(X, tbl_stays_true(X), L) ), [L], answers([[[2, 3, 4]]])).
t(findall_that_is_over, ( abolish_all_tables, tbl_sorted(X, tbl_collects_none(X), L) ), [L], answers([[[0]]])).
t(condition_without_else, ( abolish_all_tables, tbl_sorted(X, tbl_no_else(X), L) ), [L], answers([[[1, 2, 3]]])).

% Abolished tables are not seen any more, whoever still reads them; an evaluation under way goes on.
:- dynamic(tbl_fact/1).
:- table tbl_facts/1, tbl_abolishes/1, tbl_constant/1.
tbl_facts(X) :- tbl_fact(X).
tbl_abolishes(1).
tbl_abolishes(X) :- tbl_abolishes(Y), Y < 5, tbl_constant(_), X is Y+1, abolish_all_tables.
tbl_constant(1).
tbl_constant(2).
tbl_set_facts(L) :- retractall(tbl_fact(_)), forall(member(X, L), assertz(tbl_fact(X))).

t(abolish_while_read, ( abolish_all_tables, tbl_set_facts([1, 2]), findall(X-L, ( tbl_facts(X), abolish_all_tables, assertz(tbl_fact(3)), findall(Y, tbl_facts(Y), L0), sort(L0, L) ), R0), sort(R0, R) ), [R],
  answers([[[1-[1, 2, 3], 2-[1, 2, 3]]]])).
t(abolish_after_cut, ( abolish_all_tables, tbl_set_facts([1]), once(tbl_facts(_)), assertz(tbl_fact(2)), abolish_all_tables, tbl_sorted(X, tbl_facts(X), L) ), [L],
  answers([[[1, 2]]])).
t(abolish_in_evaluation, ( abolish_all_tables, tbl_sorted(X, tbl_abolishes(X), L) ), [L], answers([[[1, 2, 3, 4, 5]]])).
%   with_space(+Flag, +Bytes, :Goal): Goal under such a limit.
with_space(F, Bytes, G) :- current_prolog_flag(F, Was), setup_call_cleanup(set_prolog_flag(F, Bytes), G, set_prolog_flag(F, Was)).
:- table tbl_boundless/1, tbl_ended/1.
tbl_boundless(0).
tbl_boundless(X) :- tbl_boundless(Y), X is Y+1.
tbl_ended(X) :- between(1, 10, X).
t(space, ( abolish_all_tables, with_space(table_space, 2000000, ( catch(tbl_boundless(-1), error(E, _), true), aggregate_all(count, tbl_ended(_), N), statistics(table_space_used, S) )), ( S < 2200000 -> R = small ; R = S ), abolish_all_tables ), [E, N, R],
  answers([[resource_error(private_table_space), 10, small]])).
t(space_of_many_calls, ( abolish_all_tables, with_space(table_space, 2000000, catch(( between(1, inf, I), tbl_ground(I), fail ), error(E, _), true)), abolish_all_tables ), [E], answers([[resource_error(private_table_space)]])).
:- table tbl_ground/1.
tbl_ground(_).
t(space_flags, ( member(F-V, [table_space-foo, shared_table_space-(-1), table_space-0]), catch(set_prolog_flag(F, V), error(E, _), true) ), [F, E],
  answers([[table_space, type_error(integer, foo)], [shared_table_space, domain_error(not_less_than_one, -1)], [table_space, domain_error(not_less_than_one, 0)]])).
t(abolish_in_loop, ( abolish_all_tables, tbl_set_facts([1, 2]), tbl_facts(_), forall(between(1, 50, _), ( abolish_all_tables, forall(tbl_facts(_), true) )), statistics(table_space_used, S), ( S < 1000000 -> R = small ; R = S ), ! ), [R],
  answers([[small]])).

% Large answers; evaluations without end, which a time limit stops.
:- table tbl_large/1, tbl_variables/1, tbl_growing/1, tbl_endless/1.
tbl_large(L) :- numlist(1, 300000, L).
tbl_large(L) :- numlist(2, 300001, L).
tbl_variables(L) :- length(L, 100000).
tbl_growing([]).
tbl_growing([a|T]) :- tbl_growing(T).
tbl_endless(0).
tbl_endless(Y) :- tbl_endless(X), Y is X+1.

t(large_answers, findall(X, ( tbl_large(L), last(L, X) ), Xs), [Xs], answers([[[300000, 300001]]])).
t(many_variables, ( tbl_variables(L), sort(L, S), length(S, N) ), [N], answers([[100000]])).
t(time_limit_growing, catch(call_with_time_limit(0.1, tbl_growing(_)), E, true), [E], answers([[time_limit_exceeded]])).
t(time_limit_endless, ( catch(call_with_time_limit(0.1, tbl_endless(_)), E, true), abolish_all_tables ), [E], answers([[time_limit_exceeded]])).
t(untabled, ( tbl_untabled_1(X), untable(tbl_untabled_1/1), findall(Y, tbl_untabled_1(Y), L), ( predicate_property(tbl_untabled_1(_), tabled) -> fail ; true ) ),
    [X, L], answers([[1, [1, 1]]])).
t(untabled_and_tabled_again, ( tbl_untabled_2(_), untable((tbl_untabled_2/1, [])), findall(Y, tbl_untabled_2(Y), L), table(tbl_untabled_2/1), findall(Z, tbl_untabled_2(Z), K) ),
    [L, K], answers([[[1, 1], [1]]])).
t(untabled_unknown, ( untable(tbl_nowhere/3), untable(tbl_nowhere) ), [], answers([[]])).
t(untabled_unbound, untable(_), [], throws(instantiation_error)).
t(untabled_in_a_module, ( table(tbl_mod:tbl_untabled/1), untable(tbl_mod:tbl_untabled/1), \+ predicate_property(tbl_mod:tbl_untabled(_), tabled) ), [], answers([[]])).
% Tables of one declaration are not those of another.
t(declared_with_other_modes, ( findall(X, tbl_redeclared(1, X), L0), table(tbl_redeclared/2), findall(X, tbl_redeclared(1, X), L1), table(tbl_redeclared(_, max)),
    findall(X, tbl_redeclared(1, X), L2), msort(L1, L) ), [L0, L, L2], answers([[[1], [1, 2], [2]]])).
t(untabled_while_evaluated, findall(X, tbl_untabled_within(a, X), L), [L], answers([[[1]]])).

:- table tbl_redeclared(_, min), tbl_untabled_within(_, min).
tbl_redeclared(1, 2).
tbl_redeclared(2, 1).
tbl_redeclared(1, 1).
tbl_untabled_within(_, Y) :- ( Y = 1 ; untable(tbl_untabled_within/2), Y = 3 ; Y = 2 ).

:- table tbl_untabled_1/1, tbl_untabled_2/1.
tbl_untabled_1(1).
tbl_untabled_1(1).
tbl_untabled_2(1).
tbl_untabled_2(1).

% --- bindings of suspended calls, when the rest of the evaluation collects ---

% Each is bound above a choicepoint, and is an argument: T is f(k) when the call that is suspended goes on.
:- table tbl_bound/3.
tbl_bound(How, X, N) :- tbl_made(How, T), tbl_bind(T, [a, b]), tbl_bound(How, _, M), M < 2, N is M+1, arg(1, T, X).
tbl_bound(_, a, 0) :- garbage_collect.

tbl_made(written, f(_)).
tbl_made(functor, T) :- functor(T, f, 1).
tbl_made(list, T) :- length([X], 1), T = f(X).
tbl_made(shared, T) :- T = f(X), tbl_same(X, X).

tbl_same(_, _).

tbl_bind(f(X), L) :- member(Y, L), Y == a, ( X = Z ; fail ), Z = k.

:- table tbl_bound_structure/2.
tbl_bound_structure(X, N) :- T = f(_, z), ( T = f(k(Y), _) ; T = f(l, _), Y = 2 ), tbl_bound_structure(_, M), M < 1, N is M+1, ( var(Y) -> Y = 1 ; true ), arg(1, T, X).
tbl_bound_structure(a, 0) :- numlist(1, 300000, L), msort(L, _).

t(bound_written, tbl_bounds(written, L), [L], answers([[[0-a, 1-k, 2-k]]])).
t(bound_functor, tbl_bounds(functor, L), [L], answers([[[0-a, 1-k, 2-k]]])).
t(bound_list, tbl_bounds(list, L), [L], answers([[[0-a, 1-k, 2-k]]])).
t(bound_shared, tbl_bounds(shared, L), [L], answers([[[0-a, 1-k, 2-k]]])).
t(bound_structure, ( findall(N-X, tbl_bound_structure(X, N), L0), msort(L0, L) ), [L], answers([[[0-a, 1-l, 1-k(1)]]])).

tbl_bounds(How, L) :- findall(N-X, tbl_bound(How, X, N), L0), msort(L0, L).

% --- what interrupts an evaluation is no part of it: the goals of signals, cleanup handlers ---

:- table tbl_rung/1, tbl_upper/1, tbl_least(_, min), tbl_guarded/1, tbl_guarded_always/1, tbl_caught_inside/1, tbl_waking/1.
:- dynamic(tbl_seen/1).

tbl_signal(Goal) :- thread_self(Me), thread_signal(Me, Goal), tbl_here.
tbl_here :- tbl_down(20).
tbl_down(0) :- !.
tbl_down(N) :- M is N-1, tbl_down(M).
tbl_note(Goal) :- catch(Goal, E, ( E = error(F, _) -> assertz(tbl_seen(F)) ; assertz(tbl_seen(E)) )).

% Its own signal asks it, by itself and from inside another one.
tbl_rung(1).
tbl_rung(X) :- tbl_upper(Y), Y < 6, X is Y+1, ( X =:= 3 -> nb_getval(tbl_asks, G), tbl_signal(G) ; tbl_here ).
tbl_upper(X) :- tbl_rung(X).
tbl_asks(collected) :- tbl_note(( findall(X, tbl_rung(X), L0), msort(L0, L), assertz(tbl_seen(L)) )).
tbl_asks(driven) :- tbl_note(forall(tbl_upper(X), assertz(tbl_seen(X)))).
tbl_asks(negated) :- tbl_note(( \+ tbl_rung(6) -> assertz(tbl_seen(no)) ; assertz(tbl_seen(yes)) )).
tbl_asks(cut) :- tbl_note(( tbl_rung(X), X > 5, !, assertz(tbl_seen(X)) )).
tbl_asks(thrown) :- tbl_note(( tbl_upper(X), X > 5, throw(at(X)) )).
tbl_asks(broken_off) :- nb_setval(tbl_asks, true), tbl_note(call_with_inference_limit(tbl_upper(7), 15, R)), assertz(tbl_seen(R)).
tbl_asks(abolished) :- retractall(tbl_seen(_)), abolish_all_tables, nb_setval(tbl_asks, true), tbl_asks(collected), abolish_all_tables.
tbl_interrupted(How, Seen, L) :-
    abolish_all_tables,
    retractall(tbl_seen(_)),
    nb_setval(tbl_asks, tbl_asks(How)),
    tbl_sorted(X, tbl_rung(X), L),
    tbl_sorted(X, tbl_upper(X), L),
    tbl_sorted(X, tbl_seen(X), Seen).

t(signal_collects, tbl_interrupted(collected, S, L), [S, L], answers([[[[1, 2, 3, 4, 5, 6]], [1, 2, 3, 4, 5, 6]]])).
t(signal_driven, tbl_interrupted(driven, S, L), [S, L], answers([[[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]]])).
t(signal_negates, tbl_interrupted(negated, S, L), [S, L], answers([[[yes], [1, 2, 3, 4, 5, 6]]])).
t(signal_cuts, tbl_interrupted(cut, S, L), [S, L], answers([[[6], [1, 2, 3, 4, 5, 6]]])).
t(signal_throws, tbl_interrupted(thrown, S, L), [S, L], answers([[[at(6)], [1, 2, 3, 4, 5, 6]]])).
t(signal_broken_off, tbl_interrupted(broken_off, S, L), [S, L], answers([[[inference_limit_exceeded], [1, 2, 3, 4, 5, 6]]])).
t(signal_abolishes, tbl_interrupted(abolished, S, L), [S, L], answers([[[[1, 2, 3, 4, 5, 6]], [1, 2, 3, 4, 5, 6]]])).

% With modes.
tbl_least(1, 0).
tbl_least(X, N) :- tbl_least(Y, M), tbl_arc(Y, X), N is M+1, ( X =:= 3 -> tbl_signal(tbl_note(forall(tbl_least(A, B), assertz(tbl_seen(A-B))))) ; true ).
t(signal_with_modes, ( retractall(tbl_seen(_)), abolish_all_tables, tbl_sorted(X-N, tbl_least(X, N), L), tbl_sorted(S, tbl_seen(S), L) ), [L], answers([[[1-0, 2-1, 3-2, 4-3]]])).

% What it throws goes on in what it interrupts.
tbl_caught_inside(1).
tbl_caught_inside(X) :- catch(tbl_caught_step(X), tbl_ball, X = caught).
tbl_caught_step(X) :-
    tbl_caught_inside(Y), integer(Y), Y < 4, X is Y+1,
    ( X =:= 3, \+ tbl_seen(_) -> assertz(tbl_seen(asked)), tbl_signal(( findall(Z, tbl_caught_inside(Z), L), msort(L, M), assertz(tbl_seen(M)), throw(tbl_ball) )) ; true ).
t(signal_thrown_through, ( retractall(tbl_seen(_)), abolish_all_tables, tbl_sorted(X, tbl_caught_inside(X), L), tbl_sorted(S, tbl_seen(S), Seen) ), [L, Seen],
  answers([[[1, 2, caught], [asked, [1, 2, 3, 4]]]])).

% Cleanup handlers: right answers, or an error if it would not end.
tbl_guarded(1).
tbl_guarded(X) :- tbl_guarded(Y), Y < 5, X is Y+1, ( X =:= 3, \+ tbl_seen(_) -> setup_call_cleanup(true, member(_, [a, b]), tbl_guard), ! ; true ).
tbl_guard :- assertz(tbl_seen(0)), forall(tbl_guarded(Z), assertz(tbl_seen(Z))).
t(handler_asks, ( retractall(tbl_seen(_)), abolish_all_tables, tbl_sorted(X, tbl_guarded(X), L), tbl_sorted(S, tbl_seen(S), Seen) ), [L, Seen],
  answers([[[1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5]]])).

tbl_guarded_always(1).
tbl_guarded_always(X) :- tbl_guarded_always(Y), Y < 5, X is Y+1, setup_call_cleanup(true, true, ( tbl_guarded_always(Z), assertz(tbl_seen(Z)) )).
t(handler_asks_always, ( retractall(tbl_seen(_)), tbl_refused(tbl_guarded_always(_), E), findall(S, tbl_seen(S), Seen) ), [E, Seen],
  answers([[evaluate-incomplete_table-(user:tbl_guarded_always/1), []]])).

% What a binding wakes is part of it.
tbl_waking(1).
tbl_waking(X) :- tbl_waking(Y), Y < 5, X is Y+1, freeze(V, ( tbl_waking(Z), Z < 3, assertz(tbl_seen(X-Z)) )), V = 1.
t(woken, ( retractall(tbl_seen(_)), tbl_sorted(X, tbl_waking(X), L), tbl_sorted(S, tbl_seen(S), Seen) ), [L, Seen],
  answers([[[1, 2, 3, 4, 5], [2-1, 2-2, 3-1, 3-2, 4-1, 4-2, 5-1, 5-2]]])).

% Clauses that end with a tabled call, whose answers are those of another table as they are, or nearly.
tbl_ho_edge(X, Y) :- numlist(0, 39, Nodes), member(X, Nodes), ( Y is (X*7+3) mod 40 ; Y is (X*X+1) mod 40 ).
tbl_ho_edge(a, 0).
tbl_ho_edge(3, a).
:- table tbl_ho_left/2, tbl_ho_right/2, tbl_ho_back/2, tbl_ho_both/2, tbl_ho_self/1, tbl_ho_named/3, tbl_ho_mixed/2, tbl_ho_all/2, tbl_ho_few/2.
tbl_ho_left(X, Y) :- tbl_ho_edge(X, Y).
tbl_ho_left(X, Y) :- tbl_ho_left(X, Z), tbl_ho_edge(Z, Y).
tbl_ho_right(X, Y) :- tbl_ho_edge(X, Y).
tbl_ho_right(X, Y) :- tbl_ho_edge(X, Z), tbl_ho_right(Z, Y).
tbl_ho_back(Y, X) :- tbl_ho_edge(X, Y).
tbl_ho_back(Y, X) :- tbl_ho_edge(X, Z), tbl_ho_back(Y, Z).
tbl_ho_both(X, Y) :- tbl_ho_edge(X, Y).
tbl_ho_both(X, Y) :- tbl_ho_both(Y, X).
tbl_ho_self(X) :- tbl_ho_right(X, X).
tbl_ho_named(N, Y, X) :- member(N, [one, two]), tbl_ho_right(X, Y).
tbl_ho_mixed(X, Y) :- tbl_ho_edge(X, Y0), ( Y0 == 7 -> Y = f(Y0) ; Y = Y0 ).
tbl_ho_mixed(X, Y) :- tbl_ho_edge(X, Z), tbl_ho_mixed(Z, Y).
tbl_ho_all(_, Y) :- tbl_ho_right(_, Y).
tbl_ho_few(X, Y) :- tbl_ho_edge(X, Z), tbl_ho_right(Z, Y), !.
tbl_ho_same(A, B, T) :- tbl_sorted(X-Y, call(A, X, Y), L), tbl_sorted(X-Y, call(B, X, Y), M), ( L == M -> length(L, T) ; T = differs ).
tbl_ho_flipped(X, Y) :- tbl_ho_back(Y, X).
tbl_ho_unmixed(X, Y) :- tbl_ho_mixed(X, Y0), ( Y0 = f(Y) -> true ; Y = Y0 ).
t(hand_on_right, tbl_ho_same(tbl_ho_left, tbl_ho_right, T), [T], answers([[901]])).
t(hand_on_bound, ( tbl_sorted(Y, tbl_ho_right(3, Y), L), tbl_sorted(Y, tbl_ho_left(3, Y), L), length(L, N) ), [N], answers([[25]])).
t(hand_on_flipped, tbl_ho_same(tbl_ho_left, tbl_ho_flipped, T), [T], answers([[901]])).
t(hand_on_structures, tbl_ho_same(tbl_ho_left, tbl_ho_unmixed, T), [T], answers([[901]])).
t(hand_on_itself, ( tbl_sorted(X-Y, ( tbl_ho_edge(X, Y) ; tbl_ho_edge(Y, X) ), L), tbl_sorted(X-Y, tbl_ho_both(X, Y), M), ( L == M -> T = same ; T = differs ) ), [T], answers([[same]])).
t(hand_on_repeated, ( tbl_sorted(X, tbl_ho_self(X), L), tbl_sorted(X, tbl_ho_left(X, X), L), length(L, N) ), [N], answers([[41]])).
t(hand_on_with_more, ( aggregate_all(count, tbl_ho_named(_, _, _), N), aggregate_all(count, tbl_ho_named(two, 3, _), M) ), [N, M], answers([[1802, 5]])).
t(hand_on_open, ( aggregate_all(count, tbl_ho_all(_, _), N), tbl_ho_all(free, 3) ), [N], answers([[41]])).
t(hand_on_cut, ( aggregate_all(count, tbl_ho_few(_, _), N) ), [N], answers([[1]])).
t(hand_on_limited, ( abolish_all_tables, call_with_inference_limit(aggregate_all(count, tbl_ho_right(_, _), _), 3000, R), aggregate_all(count, tbl_ho_right(_, _), N) ), [R, N],
  answers([[inference_limit_exceeded, 901]])).
t(hand_on_once, ( abolish_all_tables, once(tbl_ho_right(_, _)), aggregate_all(count, tbl_ho_right(_, _), N) ), [N], answers([[901]])).
t(hand_on_frozen, ( abolish_all_tables, tbl_sorted(X, ( freeze(X, X == 5), tbl_ho_right(_, X) ), L) ), [L], answers([[[5]]])).

% What waits for a variable of a last call is woken by its answers.
:- table tbl_hc_e/2, tbl_hc_dif/1, tbl_hc_freeze/1, tbl_hc_when/1, tbl_hc_rec/2.
tbl_hc_e(a, a). tbl_hc_e(b, b). tbl_hc_e(c, c).
tbl_hc_dif(V) :- dif(X, b), tbl_hc_e(V, X).
tbl_hc_freeze(V) :- freeze(X, X \== a), tbl_hc_e(V, X).
tbl_hc_when(V) :- when(nonvar(X), X @> a), tbl_hc_e(V, X).
tbl_hc_rec(X, Y) :- tbl_hc_e(X, Y).
tbl_hc_rec(X, Y) :- tbl_hc_e(X, _), dif(Z, c), tbl_hc_rec(Z, Y).
t(hand_on_constrained, findall(Vs, ( member(G-V, [tbl_hc_dif(V)-V, tbl_hc_freeze(V)-V, tbl_hc_when(V)-V]), tbl_sorted(V, G, Vs) ), L), [L], answers([[[[a, c], [b, c], [b, c]]]])).
t(hand_on_constrained_recursion, tbl_sorted(X-Y, tbl_hc_rec(X, Y), L), [L],
  answers([[[a-a, a-b, b-a, b-b, c-a, c-b, c-c]]])).

% Negation of calls with variables: behind what is undefined, and what changes.
:- table tbl_ne_q/2, tbl_ne_p/1, tbl_ne_u/1.
tbl_ne_q(a, 1).
tbl_ne_u(1) :- tnot(tbl_ne_u(1)).
tbl_ne_p(X) :- tbl_ne_u(X), not_exists(tbl_ne_q(_, X)).
t(not_exists_behind_undefined, ( ( undefined, not_exists(tbl_ne_q(_, 1)) -> R = undefined ; R = false ), findall(X, tbl_ne_p(X), L) ), [R, L], answers([[false, []]])).
:- dynamic([tbl_ne_e/1], [incremental(true)]).
:- table (tbl_ne_i0/1, tbl_ne_i1/2, tbl_ne_i2/1) as incremental.
tbl_ne_i0(V) :- member(V, [a, b]), not_exists(tbl_ne_i1(_, V)).
tbl_ne_i1(V, V) :- tbl_ne_e(V).
tbl_ne_i2(V) :- member(V, [a, b]), not_exists(tbl_ne_e(V)).
tbl_ne_now(L) :- findall(V, tbl_ne_i0(V), L1), findall(V, tbl_ne_i2(V), L2), msort(L1, M1), msort(L2, M2), L = M1-M2.
t(not_exists_incremental, ( tbl_ne_now(A), assertz(tbl_ne_e(a)), tbl_ne_now(B), assertz(tbl_ne_e(b)), tbl_ne_now(C), retract(tbl_ne_e(a)), tbl_ne_now(D), retractall(tbl_ne_e(_)) ), [A, B, C, D],
  answers([[[a, b]-[a, b], [b]-[b], []-[], [a]-[a]]])).

% Bound calls that read from a complete more general table look at the rows that have their constants.
:- table (tbl_si_r/2, tbl_si_b/3) as subsumptive.
tbl_si_r(X, Y) :- between(1, 300, X), Y is X mod 7 * 100003.
tbl_si_b(X, Y, Z) :- between(1, 20, X), between(1, 20, Y), Z is X+Y.
tbl_si_det(G) :- call_cleanup(G, Det = true), Det == true, !.
t(subsumed_calls, ( abolish_all_tables, forall(tbl_si_r(_, _), true), forall(tbl_si_b(_, _, _), true),
    findall(N, ( member(G, [tbl_si_r(5, _), tbl_si_r(_, 300009), tbl_si_r(5, 500015), tbl_si_r(5, 500016), tbl_si_r(301, _), tbl_si_r(a, _), tbl_si_r(X, X), tbl_si_b(3, _, _), tbl_si_b(3, 4, _), tbl_si_b(_, _, 40), tbl_si_b(_, 4, 9), tbl_si_b(Y, Y, 8), tbl_si_b(_, _, 41)]), aggregate_all(count, G, N) ), L) ), [L],
  answers([[[1, 43, 1, 0, 0, 0, 0, 20, 1, 1, 1, 1, 0]]])).
t(subsumed_calls_all, ( forall(tbl_si_b(_, _, _), true), forall(( between(0, 21, X), between(0, 21, Y) ), ( findall(Z, tbl_si_b(X, Y, Z), L), ( between(1, 20, X), between(1, 20, Y) -> Z0 is X+Y, L == [Z0] ; L == [] ) )) ), [], answers([[]])).
t(subsumed_calls_determinate, ( forall(tbl_si_r(_, _), true), tbl_si_det(tbl_si_r(5, _)), tbl_si_det(tbl_si_r(5, 500015)) ), [], answers([[]])).
t(subsumed_calls_changes, ( forall(tbl_si_b(_, _, _), true), findall(Z, ( tbl_si_b(7, _, Z), abolish_all_tables ), L), length(L, N), tbl_si_b(7, 7, M) ), [N, M], answers([[20, 14]])).
t(subsumed_calls_constrained, ( forall(tbl_si_b(_, _, _), true), findall(Z, ( dif(Z, 8), freeze(Y, Y =< 3), tbl_si_b(7, Y, Z) ), L) ), [L], answers([[[9, 10]]])).
