%   Negation under the well-founded semantics: tnot/1, undefined/0, not_exists/1, library(wfs), abolishing and errors in the midst. Generated programs are
%   in cli/tests/datalog.rs.

:- use_module(library(wfs)).
:- use_module(library(lists)).
:- use_module(library(aggregate)).

:- table p/0, q/0, r/0, s/1, fact/1, u/0, win/1, l/0, m/0, a/0, b/0, c/0, d/0, e/1, f/1, ball/1, n/1.

p :- tnot(q).
q :- tnot(p).
r :- tnot(s(1)).
s(X) :- member(X, [1,2]), tnot(fact(X)).
fact(1).
u :- p, tnot(r).
win(X) :- move(X, Y), tnot(win(Y)).
move(a, b).
move(b, a).
move(b, c).
move(c, d).

%   A positive loop that only undefined answers feed: false.
l :- m.
m :- l.
m :- undefined, l.

%   One that has a support beside the loop: undefined.
a :- b.
b :- a.
b :- undefined.
c :- tnot(a), fail.
c :- tnot(d).
d :- tnot(c), tnot(fact(1)).

%   Answers that are conditional first, and true then, or the other way round.
e(1) :- undefined.
e(1).
e(2) :- undefined.
e(3) :- e(2), e(1).
f(X) :- e(X), tnot(e(4)).

ball(X) :- member(X, [1,2]), tnot(n(X)).
n(1) :- throw(ball).
n(2).

%   three(+Goal, -Value): true, false or undefined.
three(Goal, Value) :-
    (   call_delays(Goal, Condition)
    ->  ( Condition == true -> Value = true ; Value = undefined )
    ;   Value = false
    ).

try(G) :- catch(( call(G) -> write(yes) ; write(no) ), error(E, _), print(E)).

t(values_loop, ( abolish_all_tables, three(p, V), print(V) ), [], output("undefined")).
t(values_below, ( abolish_all_tables, three(r, V), print(V) ), [], output("true")).
t(values_ground, ( abolish_all_tables, three(s(1), V), print(V) ), [], output("false")).
t(values_free, ( abolish_all_tables, findall(X, s(X), L), print(L) ), [], output("[2]")).
t(values_conjunction, ( abolish_all_tables, three(u, V), print(V) ), [], output("false")).
t(values_game, ( abolish_all_tables, findall(X-V, ( call_delays(win(X), C), ( C == true -> V = true ; V = undefined ) ), L0), msort(L0, L), print(L) ), [], output("[a-undefined,b-undefined,c-true]")).
t(values_game_by_position, ( abolish_all_tables, findall(V, ( member(X, [a,b,c,d]), three(win(X), V) ), L), print(L) ), [], output("[undefined,undefined,true,false]")).
t(values_unfounded, ( abolish_all_tables, three(l, V), three(m, W), print([V,W]) ), [], output("[false,false]")).
t(values_founded, ( abolish_all_tables, three(a, V), three(b, W), print([V,W]) ), [], output("[undefined,undefined]")).
t(values_stratified, ( abolish_all_tables, three(c, V), three(d, W), print([V,W]) ), [], output("[true,false]")).
t(values_conditional_then_true, ( abolish_all_tables, findall(X-V, ( member(X, [1,2,3,4]), three(e(X), V), V \== false ), L), print(L) ), [], output("[1-true,2-undefined,3-undefined]")).
t(values_through_others, ( abolish_all_tables, findall(X-V, ( call_delays(f(X), C), ( C == true -> V = true ; V = undefined ) ), L0), msort(L0, L), print(L) ), [], output("[1-true,2-undefined,3-undefined]")).
t(values_undefined, ( abolish_all_tables, three(undefined, V), print(V) ), [], output("undefined")).
t(values_no_table_sees_another, ( abolish_all_tables, p, three(fact(1), V), print(V) ), [], output("true")).
t(values_negated_not_ground, ( abolish_all_tables, tnot(win(_)) ), [], answers([])).
t(values_negated_without_answers, ( abolish_all_tables, tnot(n3) ), [], answers([[]])).
t(values_condition, ( abolish_all_tables, ( p -> X = 1 ; X = 2 ), print(X) ), [], output("1")).

:- table n3/0.
n3 :- fail.

t(not_exists_tabled, ( abolish_all_tables, three(not_exists(win(a)), V), print(V) ), [], output("undefined")).
t(not_exists_free, ( abolish_all_tables, three(not_exists(win(_)), V), print(V) ), [], output("false")).
t(not_exists_plain, ( abolish_all_tables, not_exists(move(a, _)) ), [], answers([])).
t(not_exists_plain_ground, ( abolish_all_tables, not_exists(move(a, b)) ), [], answers([])).
t(not_exists_plain_none, ( abolish_all_tables, not_exists(move(d, _)) ), [], answers([[]])).
t(not_exists_conjunction, ( abolish_all_tables, three(not_exists((move(X, _), win(X), fail ; win(a), move(a, _))), V), print(V) ), [], output("undefined")).

t(conditions_atom, ( abolish_all_tables, call_delays(p, C), print(C) ), [], output("p")).
t(conditions_negative, ( abolish_all_tables, call_delays(not_exists(win(a)), C), print(C) ), [], output("tnot win(a)")).
t(conditions_newest_first, ( abolish_all_tables, call_delays((p, win(a)), C), print(C) ), [], output("win(a),p")).
t(conditions_undefined, ( abolish_all_tables, call_delays(undefined, C), print(C) ), [], output("system:undefined")).
t(conditions_true, ( abolish_all_tables, findall(X-C, ( call_delays(member(X, [1,2]), C) ), L), print(L) ), [], output("[1-true,2-true]")).
t(conditions_restored, ( abolish_all_tables, ( p, fail ; '$delays'(D) ), print(D) ), [], output("[]")).
t(conditions_caller, ( abolish_all_tables, win(a), call_delays(p, _), '$delays'(D), '$conjunction_of_delays'(D, user, C), print(C) ), [], output("p,win(a)")).
t(conditions_program, ( abolish_all_tables, call_residual_program(p, P), print(P) ), [], output("[(p:-tnot q),(q:-tnot p)]")).
t(conditions_program_once, ( abolish_all_tables, once(call_residual_program(win(_), P)), print(P) ), [], output("[(win(a):-tnot win(b)),(win(b):-tnot win(a))]")).
t(conditions_program_of_conditions, ( abolish_all_tables, win(a), !, delays_residual_program(win(a), P), print(P) ), [], output("[(win(a):-tnot win(b)),(win(b):-tnot win(a))]")).
t(conditions_program_of_negative, ( abolish_all_tables, win(a), !, delays_residual_program(tnot(win(a)), P), print(P) ), [], output("[(win(a):-tnot win(b)),(win(b):-tnot win(a))]")).
t(conditions_program_of_none, ( abolish_all_tables, delays_residual_program(true, P), print(P) ), [], output("[]")).
t(conditions_unbound, try(( delays_residual_program(_, _) )), [], output("instantiation_error")).
t(conditions_answer_residual, ( abolish_all_tables, answer_residual(p, C), print(C) ), [], output("tnot q")).
t(conditions_answer_true, ( abolish_all_tables, answer_residual(fact(1), C), print(C) ), [], output("true")).
t(conditions_answer_not_tabled, try(( answer_residual(move(a, b), _) )), [], output("permission_error(answer_residual,non_tabled_procedure,user:move(a,b))")).

t(errors_not_tabled, try(( tnot(move(a, b)) )), [], output("permission_error(tnot,non_tabled_procedure,move/2)")).
t(errors_unknown, try(( tnot(nobody) )), [], output("permission_error(tnot,non_tabled_procedure,nobody/0)")).
t(errors_unbound, try(( tnot(_) )), [], output("instantiation_error")).
t(errors_number, try(( tnot(3) )), [], output("type_error(callable,3)")).
t(errors_thrown, ( abolish_all_tables, catch(( ball(_) ), B, print(B)) ), [], output("ball")).
t(errors_after_it, ( abolish_all_tables, catch(ball(_), ball, true), three(ball(2), V), print(V) ), [], output("false")).

%   Conditions whose tables are gone stay undefined, whatever they were.
t(abolished_conditions_gone, ( abolish_all_tables, p, abolish_all_tables, garbage_collect, '$delays'(D), '$conjunction_of_delays'(D, user, C), print(C) ), [], output("undefined")).
t(abolished_again, ( abolish_all_tables, p, abolish_all_tables, three(p, V), print(V) ), [], output("undefined")).
t(abolished_in_the_midst, ( abolish_all_tables, findall(X, cleared(X), L0), msort(L0, L), print(L) ), [], output("[1,2]")).
t(abolished_conditional_on_gone, ( abolish_all_tables, three(on_gone, V), abolish_all_tables, garbage_collect, three(on_gone, V), print(V) ), [], output("undefined")).

:- table cleared/1, on_gone/0.
cleared(X) :- member(X, [1,2,3]), abolish_all_tables, tnot(taken(X)).
:- table taken/1.
taken(3).
on_gone :- p, abolish_all_tables, q.

%   A chain of positions, alternately won and lost; a ring of odd length, undefined; and one of even length, too.
:- dynamic edge/2.
:- table wins/1, path/2.
wins(X) :- edge(X, Y), tnot(wins(Y)).
path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y), tnot(path(Y, X)).
setup_edges(Edges) :- retractall(edge(_, _)), abolish_all_tables, forall(member(E, Edges), assertz(E)).

t(large_chain, ( abolish_all_tables, findall(edge(I, J), ( between(1, 3000, I), J is I+1 ), Es), setup_edges(Es), three(wins(3000), V), three(wins(1), W0), three(wins(3001), W), W0 == false, aggregate_all(count, ( between(1, 3001, X), wins(X) ), N), print([V,W,N]) ), [], output("[true,false,1500]")).
t(large_odd_ring, ( abolish_all_tables, findall(edge(I, J), ( between(1, 999, I), J is I mod 999 + 1 ), Es), setup_edges(Es), findall(V, ( between(1, 999, X), three(wins(X), V) ), L0), sort(L0, L), print(L) ), [], output("[undefined]")).
t(large_even_ring_with_exit, ( abolish_all_tables, findall(edge(I, J), ( between(1, 1000, I), J is I mod 1000 + 1 ), Es), setup_edges([edge(7, out)|Es]), findall(W, ( between(8, 1000, X), three(wins(X), W) ), L0), sort(L0, L1), three(wins(7), V), ( L1 == [false,true] -> L = [undefined] ; L = L1 ), print([L,V]) ), [], output("[[undefined],true]")).
t(large_relation, ( abolish_all_tables, findall(edge(I, J), ( between(1, 9, I), J is I+1 ), Es), setup_edges(Es), aggregate_all(count, ( path(X, Y), X < Y ), N), print(N) ), [], output("45")).

t(threads_each_its_own, ( abolish_all_tables, findall(T, ( between(1, 4, _), thread_create(( three(user:p, V), thread_exit(V) ), T) ), Ts), maplist([T,V]>>( thread_join(T, exited(V)) ), Ts, Vs), print(Vs) ), [], output("[undefined,undefined,undefined,undefined]")).
t(threads_light, ( abolish_all_tables, findall(T, ( member(G, [r,p]), thread_create(( sleep(0.01), three(user:G, V), sleep(0.01), thread_exit(V) ), T, [kind(light)]) ), Ts), maplist([T,V]>>( thread_join(T, exited(V)) ), Ts, Vs), print(Vs) ), [], output("[true,undefined]")).
t(threads_engine, ( abolish_all_tables, abolish_all_tables, engine_create(X, win(X), E), findall(X, ( between(1, 3, _), engine_next(E, X) ), L0), engine_destroy(E), msort(L0, L), print(L) ), [], output("[a,b,c]")).

%   Values that are joined: one that needs what is undefined is undefined, whatever the others are; what is no better changes nothing.
:- table least(_, min), sum_of(_, sum), dwin/1, win_count(_, lattice(plus3/3)), nobody(_, lattice(greater/3)).
least(a, 3).
least(a, 2) :- undefined.
least(b, 1).
least(b, 2) :- undefined.
least(c, 2) :- undefined.
least(c, 2).
least(d, 4) :- undefined.
least(d, 3) :- tnot(fact(1)).
least(e, 3) :- tnot(p3), undefined.
least(e, 2).
sum_of(a, 1).
sum_of(a, 2) :- undefined.
dwin(X) :- win_count(X, Count), Count >= 2.
plus3(X, Y, Z) :- Z is X+Y.
win_count(X, 1) :- moves(X, Y), tnot(dwin(Y)).
moves(0, 1).
moves(0, 0).
greater(X, Y, Z) :- Z is max(X, Y).
nobody(1, X) :- not_exists(nobody(1, X)).
%   What waits is decided by components, so nothing is put off here.
:- table late(_, min), p3/0, q3/0, r3/0.
late(X, 1) :- member(X, [a]), tnot(p3).
late(a, 5).
p3 :- tnot(q3).
q3 :- tnot(p3), tnot(r3).
r3 :- q3.
r3 :- late(_, V), V > 5.
r3.

t(joined_least, ( abolish_all_tables, findall(K-V-S, ( call_delays(least(K, V), C), ( C == true -> S = t ; S = u ) ), L0), msort(L0, L), print(L) ), [],
    output("[a-2-u,b-1-t,c-2-t,d-4-u,e-2-t]")).
t(joined_sum, ( abolish_all_tables, findall(V-S, ( call_delays(sum_of(a, V), C), ( C == true -> S = t ; S = u ) ), L), print(L) ), [], output("[3-u]")).
t(joined_game, ( abolish_all_tables, three(dwin(0), V), print(V) ), [], output("undefined")).
t(joined_itself, ( abolish_all_tables, call_residual_program(nobody(1, _), [(nobody(1, _) :- tnot(tabled_call(_))), (tabled_call(_) :- nobody(1, _))]) ), [], answers([[]])).
t(joined_late, ( abolish_all_tables, findall(V-S, ( call_delays(late(a, V), C), ( C == true -> S = t ; S = u ) ), L), print(L) ), [], output("[5-t]")).

%   What interrupts a derivation is no part of it.
:- table interrupted/1, cleaned/1.
interrupted(X) :- member(X, [1, 2]), thread_self(Me), thread_signal(Me, ( undefined, tnot(win(a)) )), true.
cleaned(X) :- setup_call_cleanup(true, member(X, [1, 2]), ( undefined -> true ; true )).
t(apart_signal, ( abolish_all_tables, findall(X-V, ( member(X, [1, 2]), three(interrupted(X), V) ), L), print(L) ), [], output("[1-true,2-true]")).
t(apart_cleanup, ( abolish_all_tables, findall(X-V, ( member(X, [1, 2]), three(cleaned(X), V) ), L), print(L) ), [], output("[1-true,2-true]")).

%   Early completion: a call without variables that is true runs no other clause, but for what a cleanup handler is behind.
:- table early/0, early/1, early_cleanup/0, early_later/0, early_of/1.
:- dynamic ran/1.
early.
early :- repeat, fail.
early(X) :- member(X, [1, 2, 3]), assertz(ran(X)).
early_cleanup :- setup_call_cleanup(true, member(X, [1, 2]), assertz(ran(cleaned))), assertz(ran(X)).
early_later :- undefined.
early_later :- early_of(1).
early_later :- repeat, fail.
early_of(X) :- early_of(Y), X is Y+1, X < 3.
early_of(0).
t(early_completion, ( abolish_all_tables, early, retractall(ran(_)), early(2), findall(X, ran(X), L), print(L) ), [], output("[2]")).
t(early_completion_free, ( abolish_all_tables, retractall(ran(_)), findall(X, early(X), L0), length(L0, N), findall(X, ran(X), L), print(N-L) ), [], output("3-[1,2,3]")).
t(early_completion_cleanup, ( abolish_all_tables, retractall(ran(_)), early_cleanup, findall(X, ran(X), L), print(L) ), [], output("[1,cleaned,2]")).
t(early_completion_later, ( abolish_all_tables, three(early_later, V), print(V) ), [], output("true")).

%   Literals that are put off one after the other, each by what the one before has called; and beside one that turns out to be decided.
:- table rounds/0, rounds/1, rounds_not/1, rounds_free/0.
rounds :- rounds(0).
rounds(I) :- tnot(rounds), I1 is I+1, I1 < 2000, rounds(I1).
rounds(1999).
rounds_not(I) :- tnot(rounds_free), I1 is I+1, I1 < 2000, rounds_not(I1).
rounds_not(1999).
rounds_free :- rounds_not(0).
rounds_free :- rounds_not(1000), fail.
rounds_free.
t(many_rounds, ( abolish_all_tables, three(rounds, V), three(rounds(5), W), three(rounds(1999), X), print([V,W,X]) ), [], output("[undefined,undefined,true]")).
t(many_rounds_decided, ( abolish_all_tables, three(rounds_not(0), V), three(rounds_free, W), three(rounds_not(1999), X), print([V,W,X]) ), [], output("[false,true,true]")).

%   A joined value that was derived from an earlier one of its own, or of another that was derived from it, is not unfounded.
:- table first_of_two(max), second_of_two(max).
:- table own_value(max), turned(_, lattice(united/3)).
united(X, Y, Z) :- append(X, Y, Z0), sort(Z0, Z).
own_value(1).
own_value(X) :- own_value(Y), Y < 3, X is Y+1, undefined.
turned(a, [x]) :- undefined.
turned(b, [y]).
turned(X, S) :- turns(X, Y), turned(Y, S).
turns(a, b).
turns(b, a).
first_of_two(1).
first_of_two(X) :- second_of_two(X).
second_of_two(X) :- first_of_two(Y), Y < 3, X is Y+1, undefined.
:- table gone_later/0, gone_next/0, gone_own/1.
gone_own(X) :- X >= 0, tnot(gone_own(X)).
gone_later :- abolish_all_tables, gone_next.
gone_next :- tnot(gone_later), tnot(gone_own(1)), tnot(gone_own(2)), tnot(gone_own(3)).
t(joined_own_value, ( abolish_all_tables, findall(X-V, ( call_delays(own_value(X), C), ( C == true -> V = t ; V = u ) ), L), print(L) ), [], output("[3-u]")).
t(joined_turned, ( abolish_all_tables, findall(X-S-V, ( call_delays(turned(X, S), C), ( C == true -> V = t ; V = u ) ), L0), msort(L0, L), print(L) ), [], output("[a-[x,y]-u,b-[x,y]-u]")).
t(joined_two, ( abolish_all_tables, findall(X-V, ( call_delays(first_of_two(X), C), ( C == true -> V = t ; V = u ) ), L), print(L) ), [], output("[3-u]")).
t(gone_in_lists, ( abolish_all_tables, findall(V, ( between(1, 5, _), three(gone_later, V), garbage_collect ), L), print(L) ), [], output("[undefined,undefined,undefined,undefined,undefined]")).
