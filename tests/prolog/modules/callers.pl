% A module whose private predicates are goals of predicates of the system and of libraries. There are predicates of the same
% names elsewhere, which must not be called.

:- module(callers, [caller/2, apply_to/3, caller_of/1]).

:- use_module(library(aggregate)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- use_module(library(solution_sequences)).
:- use_module(library(yall)).
:- use_module(library(listing)).
:- use_module(library(thread)).

:- meta_predicate(apply_to(2, ?, ?)).

:- dynamic(stored/1).
:- dynamic(initialized/1).

stored(1).

digit(1).
digit(2).

plus_one(X, Y) :- Y is X + 1.

add(X, S0, S) :- S is S0 + X.

by_size(O, A, B) :- compare(O, A, B).

split(X, <) :- X < 2, !.
split(2, =) :- !.
split(_, >).

grammar --> [a].

:- initialization(assertz(initialized(1))).
:- initialization(( G = digit(X), call(G), X == 2, assertz(initialized(X)) )).

apply_to(G, X, Y) :- maplist(G, X, Y).

caller_of(G) :- call(G).

%!  caller(+What, -Result): the result of a call with a goal of this module.
caller(ignore, yes) :- ignore(digit(1)).
caller(once, X) :- once(digit(X)).
caller(not, yes) :- not(digit(3)).
caller(forall, yes) :- forall(digit(X), integer(X)).
caller(maplist, L) :- maplist(plus_one, [1, 2], L).
caller(foldl, S) :- foldl(add, [1, 2], 0, S).
caller(include, L) :- include(digit, [0, 1, 2], L).
caller(exclude, L) :- exclude(digit, [0, 1, 2], L).
caller(partition, L-M) :- partition(digit, [0, 1], L, M).
caller(partition6, [A, B, C]) :- partition(split, [1, 2, 3], A, B, C).
caller(convlist, L) :- convlist(plus_one, [1], L).
caller(findall, L) :- findall(X, digit(X), L).
caller(setof, L) :- setof(X-Y, ( digit(X), digit(Y), X < Y ), L).
caller(aggregate_all, N) :- aggregate_all(count, digit(_), N).
caller(aggregate, N) :- aggregate(max(X), digit(X), N).
caller(with_output_to, S) :- with_output_to(string(S), forall(digit(X), write(X))).
caller(call_cleanup, yes) :- call_cleanup(digit(1), digit(2)).
caller(setup_call_cleanup, yes) :- setup_call_cleanup(digit(1), digit(1), digit(2)).
caller(catch, yes) :- catch(digit(1), _, fail).
caller(predsort, L) :- predsort(by_size, [2, 1], L).
caller(phrase, yes) :- phrase(grammar, [a]).
caller(limit, L) :- findall(X, limit(1, digit(X)), L).
caller(order_by, L) :- findall(X, order_by([desc(X)], digit(X)), L).
caller(call_nth, X) :- call_nth(digit(X), 2).
caller(apply, yes) :- apply(digit, [1]).
caller(call_n, Y) :- call(plus_one, 1, Y).
caller(lambda, L) :- maplist([X, Y]>>plus_one(X, Y), [1], L).
caller(foldl_lambda, S) :- foldl([X, S0, S1]>>add(X, S0, S1), [1, 2], 0, S).
caller(map_list_to_pairs, L) :- map_list_to_pairs(plus_one, [1], L).
caller(thread, S) :- thread_create(digit(1), Id), thread_join(Id, S).
caller(with_mutex, yes) :- mutex_create(M), with_mutex(M, digit(1)), mutex_destroy(M).
caller(concurrent_maplist, L) :- concurrent_maplist(plus_one, [1, 2], L).
caller(format, S) :- format(string(S), "~@", [forall(digit(X), write(X))]).
caller(variable_goal, X) :- G = digit(X), call(( G, X > 1 )).
caller(meta_of_meta, yes) :- once(maplist(digit, [1])), \+ maplist(digit, [3]).
caller(own_meta, L) :- apply_to(plus_one, [1], L).
caller(current_predicate, yes) :- current_predicate(digit/1), \+ current_predicate(no_such_digit/1).
caller(current_predicate_2, yes) :- current_predicate(digit, digit(_)).
caller(predicate_property, yes) :- predicate_property(stored(_), dynamic), predicate_property(digit(_), number_of_clauses(2)).
caller(retractall, L) :- retractall(stored(_)), assertz(stored(1)), findall(X, stored(X), L).
caller(clause, L) :- findall(X, clause(stored(X), true), L).
caller(dynamic, L) :- dynamic(made/1), findall(X, made(X), L).
caller(listing, S) :- with_output_to(string(S), listing(stored/1)).
caller(initialization, L) :- findall(X, initialized(X), L).
caller(thread_at_exit, yes) :-
    thread_self(Me),
    thread_create(thread_at_exit(( digit(X), thread_send_message(Me, digit(X)) )), Id),
    thread_join(Id),
    thread_get_message(digit(1)).
