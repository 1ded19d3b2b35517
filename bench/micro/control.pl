% Control: exceptions, calls of goals, lambdas, cleanup, choicepoints, tabling.

:- use_module(library(yall)).

operation(between, 200000).
work(between, N, _, X) :- ( between(1, N, Y), Y >= N -> X = Y ).

operation(failure_loop, 200000).
work(failure_loop, N, _, X) :- ( between(1, N, _), fail ; X = yes ).

operation(repeat, 150000).
work(repeat, N, _, X) :- C = c(0), repeat, arg(1, C, Y0), Y is Y0+1, nb_setarg(1, C, Y), Y >= N, !, X = Y.

operation(recursion, 300000).
work(recursion, N, _, X) :- count_up(0, N, X).

count_up(N, N, N) :- !.
count_up(I, N, X) :- I1 is I+1, count_up(I1, N, X).

operation(deep_recursion, 100000).
work(deep_recursion, N, _, X) :- deep(N, X).

deep(0, 0) :- !.
deep(N, X) :- N1 is N-1, deep(N1, X1), X is X1+1.

operation(choicepoints, 150000).
work(choicepoints, N, _, X) :- choices(N), !, X = yes.

choices(0).
choices(N) :- N > 0, N1 is N-1, choices(N1).
choices(_) :- fail.

operation(if_then_else, 200000).
work(if_then_else, N, _, X) :- branches(N, 0, X).

branches(0, X, X) :- !.
branches(N, X0, X) :-
    (   N mod 3 =:= 0
    ->  X1 is X0+1
    ;   N mod 3 =:= 1,
        X0 > 5
    ->  X1 is X0+2
    ;   X1 = X0
    ),
    N1 is N-1,
    branches(N1, X1, X).

operation(soft_cut, 100000).
work(soft_cut, N, _, X) :- repeated(N, ( member(Y, [1, 2]) *-> Y > 0 ; fail )), X = yes.

operation(negation, 100000).
work(negation, N, _, X) :- repeated(N, \+ member(c, [a, b])), X = yes.

operation(catch, 100000).
work(catch, N, _, X) :- repeated(N, catch(true, _, true)), X = yes.

operation(catch_throw, 35000).
work(catch_throw, N, _, X) :- repeated(N, catch(throw(a), a, true)), X = yes.

operation(catch_throw_term, 20000).
work(catch_throw_term, N, _, X) :- repeated(N, catch(throw(error(type_error(integer, "abc"), context(foo/2, _))), error(type_error(_, _), _), true)), X = yes.

operation(catch_error, 10000).
work(catch_error, N, _, X) :- repeated(N, catch(atom_length(_, _), error(_, _), true)), X = yes.

operation(catch_arithmetic, 10000).
work(catch_arithmetic, N, _, X) :- repeated(N, catch(_ is foo+1, error(_, _), true)), X = yes.

operation(catch_unknown, 2000).
work(catch_unknown, N, _, X) :- repeated(N, catch(micro_no_such_predicate(1), error(_, _), true)), X = yes.

operation(throw_deep, 350000).
work(throw_deep, N, _, X) :- catch(throw_at(N), done(X), true).

throw_at(0) :- throw(done(yes)).
throw_at(N) :- N1 is N-1, throw_at(N1), atom(a).

operation(throw_through_catches, 25000).
work(throw_through_catches, N, _, X) :- catch(throw_within(N), done(X), true).

throw_within(0) :- !, throw(done(yes)).
throw_within(N) :- N1 is N-1, catch(throw_within(N1), other, true), atom(a).

operation(throw_choices, 250000).
work(throw_choices, N, _, X) :- catch(throw_choices(N), done(X), true).

throw_choices(0) :- throw(done(yes)).
throw_choices(N) :- N1 is N-1, throw_choices(N1).
throw_choices(_) :- fail.

operation(setup_call_cleanup, 30000).
work(setup_call_cleanup, N, _, X) :- repeated(N, setup_call_cleanup(true, atom(a), true)), X = yes.

operation(setup_call_cleanup_throw, 15000).
work(setup_call_cleanup_throw, N, _, X) :- repeated(N, catch(setup_call_cleanup(true, throw(a), true), a, true)), X = yes.

operation(call_n, 100000).
work(call_n, N, _, X) :- calls(N, plus(1)), call(plus(1), 2, X).

calls(0, _) :- !.
calls(N, G) :- call(G, N, _), N1 is N-1, calls(N1, G).

operation(call_conjunction, 20000).
work(call_conjunction, N, _, X) :- G = ( atom(a), Y = 1, ( Y > 0 -> true ; fail ) ), called(N, G), X = yes.

called(0, _) :- !.
called(N, G) :- \+ \+ call(G), N1 is N-1, called(N1, G).

operation(once_ignore, 100000).
work(once_ignore, N, _, X) :- repeated(N, ( once(member(_, [a, b])), ignore(fail) )), X = yes.

operation(apply_closure, 75000).
prepare(apply_closure, N, L) :- numlist(1, N, L).
work(apply_closure, _, L, X) :- foldl(add_scaled(2), L, 0, X).

add_scaled(K, Y, S0, S) :- S is S0+K*Y.

operation(yall_maplist, 20000).
prepare(yall_maplist, N, L) :- numlist(1, N, L).
work(yall_maplist, _, L, X) :- maplist([A, B]>>(B is A*2), L, M), last(M, X).

operation(yall_free, 20000).
prepare(yall_free, N, L) :- numlist(1, N, L).
work(yall_free, N, L, X) :- maplist({N}/[A, B]>>(B is A*N), L, M), last(M, X).

operation(yall_foldl, 20000).
prepare(yall_foldl, N, L) :- numlist(1, N, L).
work(yall_foldl, _, L, X) :- foldl([A, S0, S]>>(S is S0+A), L, 0, X).

operation(yall_variable, 8500).
prepare(yall_variable, N, L-Lambda) :- numlist(1, N, L), Lambda = [A, B]>>(B is A*2).
work(yall_variable, _, L-Lambda, X) :- maplist(Lambda, L, M), last(M, X).

operation(forall_between, 100000).
work(forall_between, N, _, X) :- forall(between(1, N, I), I > 0), X = yes.

operation(call_with_inference_limit, 30000).
work(call_with_inference_limit, N, _, X) :- repeated(N, call_with_inference_limit(atom(a), 1000, _)), X = yes.

operation(findall_nested, 2500).
work(findall_nested, N, _, X) :- findall(L, ( between(1, N, I), findall(J, ( between(1, 20, J), J =< I ), L) ), Ls), length(Ls, X).

operation(freeze_dif_none, 50000).
work(freeze_dif_none, N, _, X) :- repeated(N, ( a \== b, a \= b, a @< b )), X = yes.

operation(garbage, 20000).
work(garbage, N, _, X) :- garbage(N, [], X).

garbage(0, L, X) :- !, length(L, X).
garbage(N, _, X) :- numlist(1, 10, L), N1 is N-1, garbage(N1, L, X).

operation(kept_garbage, 20000).
work(kept_garbage, N, _, X) :- kept(N, [], L), length(L, X).

kept(0, L, L) :- !.
kept(N, L0, L) :- length(T, 10), T = [N|_], N1 is N-1, kept(N1, [T|L0], L).

operation(global_module_call, 100000).
work(global_module_call, N, _, X) :- repeated(N, lists:append([], [], _)), X = yes.

% goals in another context, which matters to none, and to one, of them
operation(at_module, 100000).
work(at_module, N, _, X) :- at_module(N), X = yes.

at_module(0) :- !.
at_module(N) :- @(true, lists), @(atom(a), lists), @(functor(_, f, 2), lists), N1 is N-1, at_module(N1).

operation(at_module_meta, 30000).
work(at_module_meta, N, _, X) :- at_module_meta(N), X = yes.

at_module_meta(0) :- !.
at_module_meta(N) :- @(findall(a, true, _), lists), N1 is N-1, at_module_meta(N1).

operation(at_module_called, 100000).
work(at_module_called, N, _, X) :- repeated(N, @(true, lists)), X = yes.

operation(dcg_list, 300000).
prepare(dcg_list, N, L) :- findall(x, between(1, N, _), L).
work(dcg_list, _, L, X) :- phrase(xs(0, X), L).

xs(N0, N) --> [x], !, { N1 is N0+1 }, xs(N1, N).
xs(N, N) --> [].

operation(dcg_alternatives, 100000).
prepare(dcg_alternatives, N, Cs) :- findall("item", between(1, N, _), Is), atomic_list_concat(Is, ' ', A), atom_codes(A, Cs).
work(dcg_alternatives, _, Cs, X) :- phrase(items(0, X), Cs).

items(N0, N) --> item, !, { N1 is N0+1 }, ( " " -> items(N1, N) ; { N = N1 } ).
item --> "other".
item --> "it", ( "s" ; "e" ), "m".

% tabling
:- table fib/2, path/2, reach/2.
:- table shortest(_, _, min), longest(_, max), first_path(_, _, lattice(shorter/3)).

fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, N1 is N-1, N2 is N-2, fib(N1, F1), fib(N2, F2), F is (F1+F2) mod 1000007.

:- dynamic([edge/2, weighted/3]).

path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).

reach(X, Y) :- edge(X, Y).
reach(X, Y) :- edge(X, Z), reach(Z, Y).

shortest(X, Y, D) :- weighted(X, Y, D).
shortest(X, Y, D) :- shortest(X, Z, D0), weighted(Z, Y, D1), D is D0+D1.

longest(X, X).
longest(X, Y) :- edge(X, Z), longest(Z, Y).

first_path(X, Y, [X, Y]) :- edge(X, Y).
first_path(X, Y, P) :- first_path(X, Z, P0), edge(Z, Y), append(P0, [Y], P).

shorter(A, B, C) :- length(A, LA), length(B, LB), ( LA =< LB -> C = A ; C = B ).

edges(Es) :-
    abolish_all_tables,
    retractall(edge(_, _)),
    retractall(weighted(_, _, _)),
    forall(member(A-B, Es), ( assertz(edge(A, B)), W is (A*7+B*13) mod 10+1, assertz(weighted(A, B, W)) )).

chain(N, Es) :- findall(A-B, ( between(1, N, A), B is A+1 ), Es).

grid(N, Es) :-
    findall(A-B, ( between(1, N, I), between(1, N, J), A is I*1000+J, ( B is A+1 ; B is A+1000 ) ), Es).

operation(table_fib, 2000).
prepare(table_fib, _, none) :- abolish_all_tables.
work(table_fib, N, _, X) :- fib(N, X).

operation(table_chain_left, 5000).
prepare(table_chain_left, N, none) :- chain(N, Es), edges(Es).
work(table_chain_left, _, _, X) :- aggregate_all(count, path(1, _), X).

operation(table_chain_right, 500).
prepare(table_chain_right, N, none) :- chain(N, Es), edges(Es).
work(table_chain_right, _, _, X) :- aggregate_all(count, reach(1, _), X).

operation(table_answers_again, 65000).
prepare(table_answers_again, N, none) :- chain(N, Es), edges(Es), path(1, 3) -> true.
work(table_answers_again, _, _, X) :- aggregate_all(count, path(1, _), _), aggregate_all(count, path(1, _), X).

% Five edges from each node, to anywhere: nearly all pairs are answers, and each is found five times.
graph(N, Es) :- findall(A-B, ( between(1, N, A), between(1, 5, I), B is (A*7919+I*104729) mod N + 1 ), Es).

operation(table_pairs, 100).
prepare(table_pairs, N, none) :- graph(N, Es), edges(Es).
work(table_pairs, _, _, X) :- aggregate_all(count, path(_, _), X).

operation(table_pairs_right, 80).
prepare(table_pairs_right, N, none) :- graph(N, Es), edges(Es).
work(table_pairs_right, _, _, X) :- aggregate_all(count, reach(_, _), X).

% Answers far from each other, downwards, and larger than a word's half.
:- table far/2.
far(N, V) :- between(1, N, I), V is -I*1000003.
far(N, V) :- between(1, N, I), V is I*10000000019.

operation(table_far, 10000).
prepare(table_far, _, none) :- abolish_all_tables.
work(table_far, N, _, X) :- aggregate_all(count, far(N, _), X).

% Bound calls that read from the table of a more general one: where one argument says nothing, where it is a compound term, where only both say something, and
% where many answers fit and one is asked for.
:- table (bound/3, bound_term/2, bound_both/2) as subsumptive.
:- dynamic(bound_size/1).
bound(k, X, Y) :- bound_size(N), between(1, N, X), Y is X+1.
bound_term(f(X), Y) :- bound_size(N), between(1, N, X), Y is X+1.
bound_both(X, Y) :- bound_size(N), between(1, N, I), X is I mod 64, Y is I // 64.

open_bound(N, G) :- abolish_all_tables, retractall(bound_size(_)), assertz(bound_size(N)), forall(G, true).

operation(table_bound, 20000).
prepare(table_bound, N, none) :- open_bound(N, bound(_, _, _)).
work(table_bound, N, _, X) :- aggregate_all(sum(Y), ( between(1, N, I), bound(k, I, Y) ), X).

operation(table_bound_term, 20000).
prepare(table_bound_term, N, none) :- open_bound(N, bound_term(_, _)).
work(table_bound_term, N, _, X) :- aggregate_all(sum(Y), ( between(1, N, I), bound_term(f(I), Y) ), X).

operation(table_bound_both, 20000).
prepare(table_bound_both, N, none) :- open_bound(N, bound_both(_, _)).
work(table_bound_both, N, _, X) :- aggregate_all(count, ( between(1, N, I), A is I mod 64, B is I // 64, bound_both(A, B) ), X).

operation(table_bound_once, 20000).
prepare(table_bound_once, N, none) :- open_bound(N, bound_both(_, _)).
work(table_bound_once, N, _, X) :- aggregate_all(count, ( between(1, N, I), A is I mod 64, once(bound_both(A, _)) ), X).

operation(table_bound_all, 200000).
prepare(table_bound_all, N, none) :- open_bound(N, bound_both(_, _)).
work(table_bound_all, _, _, X) :- aggregate_all(count, ( between(0, 63, A), bound_both(A, _) ), X).

% Answers of all kinds in one table.
:- table mixed/2.
mixed(N, V) :- between(1, N, I), kind(I, V).
kind(I, I).
kind(I, f(I)).
kind(I, V) :- V is I*0.5.
kind(I, [I, a]).

operation(table_mixed, 3000).
prepare(table_mixed, _, none) :- abolish_all_tables.
work(table_mixed, N, _, X) :- aggregate_all(count, mixed(N, _), X).

operation(table_calls, 5000).
prepare(table_calls, N, none) :- chain(N, Es), edges(Es).
work(table_calls, N, _, X) :- aggregate_all(count, ( between(1, N, I), J is I+1, small(I, J) ), X).

:- table small/2.
small(X, Y) :- edge(X, Y).

operation(table_min, 50).
prepare(table_min, N, none) :- M is max(2, integer(sqrt(N)*4)), grid(M, Es), edges(Es).
work(table_min, _, _, X) :- aggregate_all(sum(D), shortest(1001, _, D), X).

operation(table_max, 2000).
prepare(table_max, N, none) :- chain(N, Es), edges(Es).
work(table_max, _, _, X) :- longest(1, X).

operation(table_lattice, 500).
prepare(table_lattice, N, none) :- chain(N, Es), edges(Es).
work(table_lattice, _, _, X) :- aggregate_all(count, first_path(1, _, _), X).

operation(table_abolish, 2000).
prepare(table_abolish, N, none) :- chain(N, Es), edges(Es).
work(table_abolish, N, _, X) :- forall(between(1, N, I), small(I, _)), abolish_all_tables, X = yes.

% Negation: a game whose positions have two moves each, and one that goes round in a ring, where all is undefined.
:- table wins/1.
wins(X) :- edge(X, Y), tnot(wins(Y)).

operation(table_game, 5000).
prepare(table_game, N, none) :- findall(A-B, ( between(1, N, A), ( B is A+1 ; B is A+2 ) ), Es), edges(Es).
work(table_game, N, _, X) :- aggregate_all(count, ( between(1, N, I), wins(I) ), X).

operation(table_undefined, 5000).
prepare(table_undefined, N, none) :- findall(A-B, ( between(1, N, A), B is A mod N + 1 ), Es), edges(Es).
work(table_undefined, N, _, X) :- aggregate_all(count, ( between(1, N, I), wins(I) ), X).

% Tables that are made anew: of a chain whose end changes, and of one of many tables that one depends on, whose answers stay the same.

:- dynamic(follows/2 as incremental).
:- table(leads/2 as incremental).
leads(X, Y) :- follows(X, Y).
leads(X, Y) :- leads(X, Z), follows(Z, Y).
:- table(marked/1 as incremental).
marked(X) :- follows(X, _).
:- table(all_marked/1 as incremental).
all_marked(0) :- !.
all_marked(N) :- marked(N), N1 is N-1, all_marked(N1).

chained(N) :- abolish_all_tables, retractall(follows(_, _)), forall(between(1, N, A), ( B is A+1, assertz(follows(A, B)) )).

operation(table_incremental, 1000).
prepare(table_incremental, N, none) :- chained(N).
work(table_incremental, N, _, X) :-
    forall(between(1, 10, I), ( A is N+I, B is A+1, assertz(follows(A, B)), aggregate_all(count, leads(1, _), _) )),
    aggregate_all(count, leads(1, _), X).

operation(table_incremental_same, 2000).
prepare(table_incremental_same, N, none) :- chained(N), all_marked(N).
work(table_incremental_same, N, _, yes) :-
    forall(between(1, 20, I), ( A is N*I//20, assertz(follows(A, I)), all_marked(N) )).

operation(engine_next, 60000).
work(engine_next, N, _, X) :- engine_create(I, between(1, inf, I), E), answers_of(N, E, X), engine_destroy(E).

answers_of(N, E, X) :- engine_next(E, X0), ( N =:= 1 -> X = X0 ; N1 is N-1, answers_of(N1, E, X) ).

operation(engine_create, 2000).
work(engine_create, N, _, X) :-
    between(1, N, I),
    engine_create(Y, member(Y, [I, a]), E), engine_next(E, X), engine_destroy(E),
    I >= N, !.

% Rules of single-sided unification, and what is to succeed without a choicepoint.

operation(ssu_list, 300000).
prepare(ssu_list, N, L) :- numlist(1, N, L).
work(ssu_list, _, L, X) :- ssu_sum(L, 0, X).

ssu_sum([], S0, S) => S = S0.
ssu_sum([X|Xs], S0, S) => S1 is S0+X, ssu_sum(Xs, S1, S).

operation(ssu_guard, 200000).
work(ssu_guard, N, _, X) :- ssu_steps(N, 0, X).

ssu_steps(0, S0, S) => S = S0.
ssu_steps(N, S0, S), N mod 3 =:= 0 => S1 is S0+1, N1 is N-1, ssu_steps(N1, S1, S).
ssu_steps(N, S0, S), 0 is N mod 2 => S1 is S0+2, N1 is N-1, ssu_steps(N1, S1, S).
ssu_steps(N, S0, S) => N1 is N-1, ssu_steps(N1, S0, S).

operation(det, 200000).
work(det, N, _, X) :- det_steps(N, 0, X).

:- det(det_steps/3).
det_steps(0, S, S) :- !.
det_steps(N, S0, S) :- det_step(N, S0, S1), N1 is N-1, det_steps(N1, S1, S).

:- det(det_step/3).
det_step(N, S0, S) :- N > 5, !, S is S0+1.
det_step(_, S, S).

operation(det_guard, 200000).
work(det_guard, N, _, X) :- guarded_steps(N, 0, X).

guarded_steps(0, S, S) :- !.
guarded_steps(N, S0, S) :- $, $det_step(N, S0, S1), N1 is N-1, guarded_steps(N1, S1, S).
