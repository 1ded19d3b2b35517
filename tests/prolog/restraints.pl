% Limits of the calls and answers of tables: declared for a predicate (`as max_answers(N)`, `subgoal_abstract(N)`, `answer_abstract(N)`), and by flags.

:- use_module(library(wfs)).
:- use_module(library(tables)).
:- use_module(library(lists)).
:- dynamic tripped/2, fact/1, other/1.
:- dynamic source/1 as incremental.
:- multifile prolog:tripwire/2.
:- dynamic prolog:tripwire/2.

%   The answers of a goal, each with whether it is true.
with_truth(G, L) :- findall(G-T, ( call_delays(G, D), ( D == true -> T = true ; T = undefined ) ), L0), msort(L0, L).
true_and_not(T, G, True, Rest) :- with_truth(G, L), findall(T, member(G-true, L), True), findall(T, member(G-undefined, L), Rest).
flags(List, Goal) :- setup_call_cleanup(( maplist(set_flag, List, Old), abolish_all_tables ), Goal, maplist(set_back, Old)).
set_flag(F-V, F-Old) :- current_prolog_flag(F, Old), set_prolog_flag(F, V).
set_back(F-V) :- set_prolog_flag(F, V).
error_of(G, E) :- catch(( G, E = none ), error(E, _), true).

:- table three/1 as max_answers(3).
three(X) :- between(1, inf, X).
:- table exactly/1 as max_answers(3).
exactly(X) :- member(X, [a, b, c, a, b]).
:- table none/1 as max_answers(0).
none(X) :- member(X, [a, b]).
:- table one/1 as max_answers(0).
one(_).
:- table numbers/1 as max_answers(50).
numbers(X) :- numbers(Y), X is Y+1.
numbers(0).
:- table above/1.
above(X) :- three(X), X > 1.
above(neg) :- tnot(three(1)).
:- table pair/2 as max_answers(2).
pair(X, Y) :- pair(Z, Y), nonvar(Z), X is Z+1, X < 10.
pair(0, a).
pair(0, b).
pair(1, c).
:- table twice/2 as max_answers(1).
twice(X, X) :- member(X, [1, 2]).
:- table ping/1 as max_answers(4).
:- table pong/1.
ping(X) :- pong(Y), nonvar(Y), X is Y+1.
ping(0).
pong(X) :- ping(X).
:- table cleaned/1 as max_answers(2).
cleaned(X) :- setup_call_cleanup(true, between(1, 5, X), assertz(fact(done))).

t(answers, true_and_not(X, three(X), L, [U]), [L, U], answers([[[1, 2, 3], _]])).
t(answers_exact, true_and_not(X, exactly(X), L, U), [L, U], answers([[[a, b, c], []]])).
t(answers_none, true_and_not(X, none(X), L, [U]), [L, U], answers([[[], _]])).
t(answers_of_ground, with_truth(one(a), L), [L], answers([[[one(a)-undefined]]])).
t(answers_of_loop, ( true_and_not(X, numbers(X), L, [U]), length(L, N), last(L, Last), var(U) ), [N, Last], answers([[50, 49]])).
t(answers_used, catch(true_and_not(X, above(X), _, _), error(E, _), true), [E], answers([[instantiation_error]])).
t(answers_two, ( true_and_not(X-Y, pair(X, Y), L, [U]) ), [L, U], answers([[[0-a, 0-b], _-_]])).
t(answers_general, ( true_and_not(X-Y, twice(X, Y), L, [A-B]), A \== B ), [L], answers([[[1-1]]])).
t(answers_mutual, ( true_and_not(X, ping(X), L, [U]) ), [L, U], answers([[[0, 1, 2, 3], _]])).
t(answers_mutual_other, ( true_and_not(X, pong(X), L, [U]) ), [L, U], answers([[[0, 1, 2, 3], _]])).
t(answers_cleaned, ( retractall(fact(_)), true_and_not(X, cleaned(X), L, [_]), findall(F, fact(F), Fs) ), [L, Fs], answers([[[1, 2], [done]]])).
t(answers_residual, ( call_residual_program(three(X), P), var(X), memberchk(( answer_count_restraint :- tnot(answer_count_restraint) ), P), memberchk(( three(_) :- answer_count_restraint ), P) ), [], answers([[]])).
t(answers_again, ( abolish_all_tables, findall(X, three(X), L), findall(X, three(X), M), length(L, N), length(M, N) ), [N], answers([[4]])).

:- table deep/1 as answer_abstract(2).
deep(a).
deep(f(X)) :- deep(X).
:- table wide/1 as answer_abstract(1).
wide(X) :- member(X, [f(a, b), f(g(a), b), f(g(h(a)), h(g(b))), [1, 2, 3, 4], "text", 1.5, 100000000000000000000000, g(h(f(A, A)), A)]).
:- table both/1 as (answer_abstract(1), max_answers(2)).
both(X) :- member(X, [f(f(f(f(a)))), b, c, d]).

t(depth, ( true_and_not(X, deep(X), L, U) ), [L, U], answers([[[a, f(a), f(f(a)), f(f(f(a)))], [f(f(f(_)))]]])).
t(depth_kinds, ( true_and_not(X, wide(X), L, U) ), [L, U], answers([[[1.5, 100000000000000000000000, "text", f(a, b), f(g(a), b)], [[1, 2|_], f(g(_), h(_)), g(h(_), _)]]])).
t(depth_and_answers, ( true_and_not(X, both(X), L, U), length(L, N), length(U, M) ), [N, M], answers([[1, 2]])).
t(depth_residual, ( call_residual_program(deep(X), P), memberchk(( radial_restraint :- tnot(radial_restraint) ), P) -> true ), [X], answers([[f(f(f(_)))]])).

:- table up/1 as subgoal_abstract(3).
up(X) :- up(f(X)).
up(f(f(f(f(a))))).
up(f(a)).
up(b).
:- table len/2 as subgoal_abstract(3).
len([], 0).
len([_|T], N) :- len(T, M), N is M+1, N < 8.
:- table args/3 as subgoal_abstract(1).
args(X, Y, Z) :- member(X-Y-Z, [f(a)-g(b)-1, f(f(a))-g(g(b))-2, f(f(a))-g(g(c))-3, f(f(b))-g(g(b))-4]).
:- table flat/1 as subgoal_abstract(0).
flat(X) :- member(X, [a, f(b), f(c), [x]]).
:- table inc/1 as (incremental, subgoal_abstract(1)).
inc(X) :- source(X).
:- table sub/1 as (subsumptive, subgoal_abstract(1)).
sub(X) :- member(X, [a, f(f(b)), f(f(c))]).
:- table not_b/1 as subgoal_abstract(1).
not_b(X) :- member(X, [f(f(a))]).
:- table shar/1 as (shared, subgoal_abstract(1)).
shar(X) :- member(X, [a, f(f(b)), f(f(c))]).
tables(P, L) :- findall(G, ( current_table(M:G, _), M == user, functor(G, P, _) ), L0), msort(L0, L).

t(call_ends, ( abolish_all_tables, findall(X, up(X), L0), msort(L0, L) ), [L], answers([[[a, b, f(a), f(f(a)), f(f(f(a))), f(f(f(f(a))))]]])).
t(call_of_deep, ( abolish_all_tables, aggregate_all(count, up(f(f(f(f(a))))), N), \+ up(f(f(f(f(b))))) ), [N], answers([[1]])).
t(call_recursive, ( abolish_all_tables, findall(N, len([a, b, c, d, e], N), L) ), [L], answers([[[5]]])).
t(call_two, ( abolish_all_tables, findall(Z, args(f(f(a)), g(g(_)), Z), L), findall(Z, args(f(f(_)), g(g(b)), Z), M), tables(args, T) ), [L, M, T], answers([[[2, 3], [2, 4], [args(f(_), g(_), _)]]])).
t(call_shared_variable, ( abolish_all_tables, findall(Y-Z, args(f(f(Y)), g(g(Y)), Z), L) ), [L], answers([[[b-4]]])).
t(call_cyclic, ( X = f(X), \+ up(X), Y = [Y|Y], \+ args(Y, _, _), run_size(50000, Size), length(L, Size), foldl([_, A, g(A)]>>true, L, a, T), findall(x, args(T, _, _), M) ), [M], answers([[[]]])).
:- table huge/1 as subgoal_abstract(1000000000).
huge(_).
t(call_cyclic_large, ( X = f(X), error_of(huge(X), type_error(T, _)), run_size(100000, Size), numlist(1, Size, L), findall(x, huge(L), M) ), [T, M], answers([[acyclic_term, [x]]])).
t(call_flat, ( abolish_all_tables, findall(X, flat(f(X)), L), findall(X, flat([X]), M), findall(y, flat(a), N), tables(flat, T) ), [L, M, N, T], answers([[[b, c], [x], [y], [flat(_), flat(a)]]])).
t(call_bound_later, ( abolish_all_tables, findall(X, ( args(f(f(X)), _, _), args(_, g(g(X)), _) ), L0), sort(L0, L) ), [L], answers([[[b]]])).
t(call_incremental, ( retractall(source(_)), assertz(source(f(f(1)))), findall(X, inc(f(f(X))), L), assertz(source(f(f(2)))), assertz(source(g(3))), findall(X, inc(f(f(X))), M), findall(X, inc(f(g(X))), N) ), [L, M, N], answers([[[1], [1, 2], []]])).
t(call_subsumptive, ( abolish_all_tables, findall(X, sub(f(f(X))), L), findall(X, sub(X), M), findall(X, sub(f(f(X))), N) ), [L, M, N], answers([[[b, c], [a, f(f(b)), f(f(c))], [b, c]]])).
t(call_negative, ( tnot(not_b(f(f(b)))), \+ tnot(not_b(f(f(a)))) ), [], answers([[]])).
t(call_of_shared, ( findall(X, shar(f(f(X))), L), thread_create(( findall(X, shar(f(f(X))), M), M == [b, c] ), Id), thread_join(Id, S) ), [L, S], answers([[[b, c], true]])).
t(call_undefined, ( abolish_all_tables, with_truth(un(f(f(_))), L) ), [L], answers([[[un(f(f(a)))-undefined, un(f(f(b)))-true]]])).
:- table un/1 as subgoal_abstract(1).
un(f(f(a))) :- undefined.
un(f(f(b))).

% By flags

:- table u/1, w/1, q/1, v/1, nt/1, lowest(_, min).
u(X) :- member(X, [1, 2, 3, 4]).
w(a).
w(f(X)) :- w(X).
q(_).
v(X) :- member(X, [f(f(f(a))), b]).
nt(X) :- member(X, [f(f(b))]).
lowest(X, Y) :- member(X-Y, [a-3, b-2, a-1, c-f(f(f(f(a))))]).

t(flag_answers, flags([max_answers_for_subgoal-2], error_of(u(_), E)), [E], answers([[resource_error(tripwire(max_answers_for_subgoal, user:u(_)))]])).
t(flag_answers_none_left, flags([max_answers_for_subgoal-2], ( error_of(u(_), _), flags([max_answers_for_subgoal-infinite], aggregate_all(count, u(_), N)) )), [N], answers([[4]])).
t(flag_answers_restrained, flags([max_answers_for_subgoal-2, max_answers_for_subgoal_action-bounded_rationality], true_and_not(X, u(X), L, [U])), [L, U], answers([[[1, 2], _]])).
t(flag_answers_sound, flags([max_answers_for_subgoal-2, max_answers_for_subgoal_action-complete_soundly], true_and_not(X, u(X), L, [U])), [L, U], answers([[[1, 2], _]])).
t(flag_depth, flags([max_table_answer_size-2], error_of(w(_), E)), [E], answers([[resource_error(tripwire(max_table_answer_size, user:w(_)))]])).
t(flag_depth_restrained, flags([max_table_answer_size-1, max_table_answer_size_action-bounded_rationality], true_and_not(X, w(X), L, U)), [L, U], answers([[[a, f(a), f(f(a))], [f(f(_))]]])).
t(flag_depth_fail, flags([max_table_answer_size-1, max_table_answer_size_action-fail], true_and_not(X, w(X), L, U)), [L, U], answers([[[a, f(a), f(f(a))], []]])).
t(flag_call, flags([max_table_subgoal_size-2], error_of(q(f(f(f(a)))), E)), [E], answers([[resource_error(tripwire(max_table_subgoal_size, user:q(f(f(f(a))))))]])).
t(flag_call_within, flags([max_table_subgoal_size-3], error_of(q(f(f(f(a)))), E)), [E], answers([[none]])).
t(flag_call_abstract, flags([max_table_subgoal_size-2, max_table_subgoal_size_action-abstract], ( q(f(f(f(a)))), tables(q, T) )), [T], answers([[[q(f(f(_)))]]])).
t(flag_call_negative, flags([max_table_subgoal_size-1, max_table_subgoal_size_action-abstract], ( tnot(nt(f(f(a)))), \+ tnot(nt(f(f(b)))) )), [], answers([[]])).
t(flag_moded, flags([max_answers_for_subgoal-1, max_table_answer_size-1], ( findall(X-Y, lowest(X, Y), L0), msort(L0, L) )), [L], answers([[[a-1, b-2, c-f(f(f(f(a))))]]])).
t(flag_hook, ( asserta((prolog:tripwire(W, C) :- assertz(tripped(W, C)))), flags([max_answers_for_subgoal-1, max_table_answer_size-1, max_table_subgoal_size-1], ( aggregate_all(count, v(_), N), q(f(f(a))) )),
               retractall(prolog:tripwire(_, _)), findall(W-C, retract(tripped(W, C)), L) ), [N, L],
    answers([[2, [max_table_answer_size-(user:v(_)), max_answers_for_subgoal-(user:v(_)), max_table_subgoal_size-(user:q(f(f(a))))]]])).
t(flag_hook_undefined, ( asserta((prolog:tripwire(_, _) :- undefined)), flags([max_answers_for_subgoal-1, max_table_subgoal_size-1], ( with_truth(v(X), L), findall(X, call_delays(q(f(f(X))), true), M), length(M, N) )), retractall(prolog:tripwire(_, _)) ), [L, N],
    answers([[[v(b)-true, v(f(f(f(a))))-true], 1]])).
t(flag_of_system, flags([max_answers_for_subgoal-0, max_answers_for_subgoal_action-complete_soundly, max_table_subgoal_size-1, max_table_subgoal_size_action-abstract], ( with_truth(u(_), L), with_truth(undefined, M), findall(X, tabled_call(member(X, [1, 2])), N) )), [L, M, N],
    answers([[[u(_)-undefined], [undefined-undefined], [1, 2]]])).
t(flag_values, findall(E, ( member(F-V, [max_answers_for_subgoal-x, max_answers_for_subgoal-(-1), max_answers_for_subgoal-1.0, max_table_answer_size_action-abstract, max_table_subgoal_size_action-1, max_table_subgoal_size_action-fail]),
                            error_of(set_prolog_flag(F, V), E) ), L), [L],
    answers([[[type_error(integer, x), domain_error(not_less_than_zero, -1), type_error(integer, 1.0), domain_error(restraint_action, abstract), type_error(atom, 1), domain_error(restraint_action, fail)]]])).

% Declarations

declared(O, E) :- error_of(table(restraints_p/1 as O), E).
t(declared, findall(E, ( member(O, [max_answers(3), subgoal_abstract(2), answer_abstract(4), max_answers(x), max_answers(-1), max_answers(_), max_answers(infinite), max_answers(false), max_answers(1, 2), abstract(1)]), declared(O, E) ), L), [L],
    answers([[[none, none, none, domain_error(nonneg_or_false, x), domain_error(nonneg_or_false, -1), instantiation_error, none, none, domain_error(table_option, max_answers(1, 2)), domain_error(table_option, abstract(1))]]])).
t(declared_property, findall(P, ( member(G, [both(_), up(_)]), predicate_property(G, tabled(P)), compound(P) ), L), [L], answers([[[answer_abstract(1), max_answers(2), subgoal_abstract(3)]]])).
t(declared_moded, ( error_of(table(restraints_m(_, min) as max_answers(3)), E), error_of(table(restraints_m(_, min) as subgoal_abstract(3)), F) ), [E, F], answers([[domain_error(moded_table_option, max_answers(3)), none]])).
t(declared_again, ( abolish_all_tables, table(u/1 as max_answers(1)), aggregate_all(count, u(_), N), table(u/1 as (max_answers(1), max_answers(3))), aggregate_all(count, u(_), M), table(u/1), aggregate_all(count, u(_), K) ), [N, M, K], answers([[2, 4, 4]])).

%   A negative call that a restraint has made general is undefined.
:- table cut/1 as answer_abstract(0).
:- table few/1 as max_answers(1).
:- table safe/1, safe_few/1, neg/1.
cut(a).
cut(f(f(a))).
cut(f(f(b))).
few(X) :- cut(X).
few(c).
neg(f(f(a))).
safe(X) :- cut(X), tnot(neg(X)).
safe_few(X) :- few(X), not_exists(neg(X)).
t(negative_general, ( abolish_all_tables, true_and_not(X, safe(X), L, U), tnot(neg(a)), \+ tnot(neg(_)) ), [L, U], answers([[[a], [f(_)]]])).
t(negative_general_few, ( true_and_not(X, safe_few(X), L, U), length(U, N) ), [L, N], answers([[[a], 1]])).

%   Limits that are not reached cost nothing.
:- table lim_row/2 as (max_answers(1000000), answer_abstract(3)).
lim_row(X, Y) :- between(1, 200, X), Y is X*X.
:- table plain_row/2.
plain_row(X, Y) :- between(1, 200, X), Y is X*X.
t(limits_of_rows, ( forall(lim_row(_, _), true), forall(plain_row(_, _), true), table_statistics(lim_row(_, _), bytes, A), table_statistics(plain_row(_, _), bytes, B), ( A =:= B -> true ; A-B = x ) ), [], answers([[]])).
:- table lim_mixed/1 as (max_answers(70), answer_abstract(3)).
lim_mixed(X) :- between(1, inf, N), ( N mod 7 =:= 0 -> X = f(N) ; X = N ).
t(limits_of_mixed, ( true_and_not(X, lim_mixed(X), L, [_]), length(L, N), last(L, M) ), [N, M], answers([[70, f(70)]])).

%   The last answer holds whether or not what was derived at the limit does.
:- table lim_false/0, lim_waits/0, lim_over/1 as max_answers(1).
lim_false :- tnot(lim_waits).
lim_waits :- tnot(lim_false).
lim_waits.
lim_over(1).
lim_over(2) :- lim_false.
lim_over(3).
t(last_answer_for_itself, ( abolish_all_tables, true_and_not(X, lim_over(X), L, U), length(U, N), not_exists(lim_over(4)) -> true ; true ), [L, N], answers([[[1], 1]])).

%   The same while the table of the negative call is incomplete, and of what is put off and comes to have answers later.
:- table single/1 as max_answers(1).
:- table gen_wait/1, gen_true/1, gen_exists/1, gen_true_exists/1, gen_cut/1, gen_true_cut/1, gen_loop/1, gen_late/1, gen_later/0.
single(1).
single(2).
gen_wait(X) :- single(X), tnot(gen_true(X)), X = 2.
gen_true(3) :- gen_wait(_), fail.
gen_true(3).
gen_exists(X) :- single(X), not_exists(gen_true_exists(X)), X = 2.
gen_true_exists(3) :- gen_exists(_), fail.
gen_true_exists(3).
gen_cut(X) :- cut(X), tnot(gen_true_cut(X)).
gen_true_cut(f(f(a))) :- gen_cut(f(f(c))).
gen_true_cut(f(f(a))).
gen_true_cut(_) :- gen_cut(_), fail.
gen_loop(X) :- single(X), tnot(gen_late(X)), X = 2.
gen_late(X) :- gen_loop(X), X = 4.
gen_late(3) :- tnot(gen_later).
gen_later :- gen_loop(77).
t(negative_incomplete, ( abolish_all_tables, with_truth(gen_wait(_), L), with_truth(gen_wait(2), M) ), [L, M], answers([[[gen_wait(2)-undefined], [gen_wait(2)-true]]])).
t(negative_incomplete_exists, ( abolish_all_tables, with_truth(gen_exists(_), L), with_truth(gen_exists(2), M) ), [L, M], answers([[[gen_exists(2)-undefined], [gen_exists(2)-true]]])).
t(negative_incomplete_cut, ( abolish_all_tables, true_and_not(X, gen_cut(X), L, U) ), [L, U], answers([[[a], [f(_)]]])).
t(negative_put_off, ( abolish_all_tables, with_truth(gen_loop(_), L), with_truth(gen_late(3), M), call_delays(gen_loop(_), _) ), [L, M], answers([[[gen_loop(2)-undefined], [gen_late(3)-true]]])).

%   So is one in the evaluation of a call that a limit may have made general.
:- table gen_called/1, gen_part/1, gen_of/1, gen_ground/0.
:- table gen_call/1 as subgoal_abstract(0), gen_call_part/1 as subgoal_abstract(0).
gen_called(X) :- single(X), gen_part(X), X = 2.
gen_part(X) :- tnot(gen_of(X)).
gen_of(3).
gen_of(f(b)).
gen_call(X) :- tnot(gen_of(X)).
gen_call_part(X) :- gen_exists_part(X).
gen_exists_part(X) :- not_exists(gen_of(X)).
gen_ground :- tnot(gen_of(_)).
t(negative_called, ( abolish_all_tables, with_truth(gen_called(_), L), with_truth(gen_called(2), M) ), [L, M], answers([[[gen_called(2)-undefined], [gen_called(2)-true]]])).
t(negative_call_cut, ( abolish_all_tables, with_truth(gen_call(f(a)), L), with_truth(gen_call_part(f(a)), M), with_truth(gen_call(4), N), with_truth(gen_call(3), O), with_truth(gen_ground, P) ), [L, M, N, O, P], answers([[[gen_call(f(a))-undefined], [gen_call_part(f(a))-undefined], [gen_call(4)-true], [], []]])).

%   A table of a call that is beyond the limit is made anew as it is.
:- table beyond/1 as (max_answers(1), subgoal_abstract(0), incremental).
:- dynamic beyond_fact/1 as incremental.
beyond(1) :- tnot(beyond(f(a))).
beyond(2).
beyond(f(X)) :- beyond_fact(X).
t(renewal_as_it_is, ( abolish_all_tables, retractall(beyond_fact(_)), with_truth(beyond(f(_)), [_]), with_truth(tnot(beyond(f(a))), B), assertz(beyond_fact(a)), with_truth(tnot(beyond(f(a))), C), findall(x, beyond(_), D), length(D, N), retract(beyond_fact(a)), with_truth(tnot(beyond(f(a))), E) ), [B, C, N, E], answers([[[tnot(beyond(f(a)))-true], [], 2, [tnot(beyond(f(a)))-true]]])).
