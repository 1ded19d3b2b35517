:- module('$fd_orders',
          [ post_chain/2,
            post_lex_chain/1,
            post_order/3,
            run_lex/3,
            run_compare/3,
            ordered/3
          ]).

:- use_module(library(clpfd/intervals),
              [ limit_less/2
              ]).
:- use_module(library(clpfd/variables),
              [ fd_attribute/2,
                bounds/3,
                soft_at_least/4,
                soft_at_most/4,
                wait_bounds/2,
                idle/1,
                kill/1,
                start_all/1
              ]).
:- use_module(library(clpfd/expressions),
              [ post_comparison/3,
                value_of/2
              ]).

/*  Orders: of numbers in a list, of lists, of two numbers.

        lex(State, Xs, Ys)        the list Xs is not behind Ys
        compare(State, O, X, Y)   O is <, = or >

    Lists as in Frisch, Hnich, Kiziltan, Miguel, Walsh, "Global constraints for lexicographic orderings" (CP 2002):
    what is equal at the beginning is passed over; the first pair behind that is =<, and < if what
    follows cannot be in order.
*/

%!  post_chain(+Variables, +Relation) is semidet.
%
%   @error domain_error(chain_relation, Relation)

post_chain(Xs, Relation) :-
    must_be(list, Xs),
    (   var(Relation)
    ->  throw(error(instantiation_error, _))
    ;   chain_relation(Relation, R, Turned)
    ->  ( Turned == true -> backwards(Xs, [], Ys) ; Ys = Xs ),
        with_attributes(Ys),
        chained(Ys, R)
    ;   throw(error(domain_error(chain_relation, Relation), _))
    ).

chain_relation(#<, lt, false).
chain_relation(#=<, le, false).
chain_relation(#>, lt, true).
chain_relation(#>=, le, true).
chain_relation(#=, eq, false).

with_attributes([]).
with_attributes([X|Xs]) :-
    ( integer(X) -> true ; fd_attribute(X, _) ),
    with_attributes(Xs).

backwards([], Ys, Ys).
backwards([X|Xs], Acc, Ys) :-
    backwards(Xs, [X|Acc], Ys).

chained([], _).
chained([X|Xs], R) :-
    chained(Xs, X, R).

chained([], _, _).
chained([Y|Ys], X, R) :-
    post_comparison(R, X, Y),
    chained(Ys, Y, R).

%!  post_lex_chain(+Lists) is semidet.

post_lex_chain(Ls) :-
    must_be(list(list), Ls),
    lists_with_attributes(Ls),
    lex_chained(Ls).

lists_with_attributes([]).
lists_with_attributes([L|Ls]) :-
    with_attributes(L),
    lists_with_attributes(Ls).

lex_chained([]).
lex_chained([L|Ls]) :-
    lex_chained(Ls, L).

lex_chained([], _).
lex_chained([L2|Ls], L1) :-
    P = lex(1, L1, L2),
    wait_bounds_each(L1, P),
    wait_bounds_each(L2, P),
    start_all([P|Q]-Q),
    lex_chained(Ls, L2).

wait_bounds_each([], _).
wait_bounds_each([X|Xs], P) :-
    wait_bounds(X, P),
    wait_bounds_each(Xs, P).

%!  run_lex(+Propagator, Q0, Q) is semidet.

run_lex(P, Q0, Q) :-
    P = lex(_, Xs0, Ys0),
    idle(P),
    unequal_from(Xs0, Ys0, Xs, Ys),
    (   Xs == []
    ->  kill(P),
        Q = Q0
    ;   Xs = [X|Xs1],
        Ys = [Y|Ys1],
        setarg(2, P, Xs),
        setarg(3, P, Ys),
        (   must_be_behind(Xs1, Ys1)
        ->  kill(P),
            post_order(lt, X, Y, Q0, Q)
        ;   bounds(X, LX, HX),
            bounds(Y, LY, HY),
            (   limit_less(HX, LY)
            ->  kill(P),
                Q = Q0
            ;   soft_at_most(X, HY, Q0, Q1),
                soft_at_least(Y, LX, Q1, Q)
            )
        )
    ).

unequal_from([], _, [], []).
unequal_from([X|Xs], [Y|Ys], Xs1, Ys1) :-
    (   X == Y
    ->  unequal_from(Xs, Ys, Xs1, Ys1)
    ;   Xs1 = [X|Xs],
        Ys1 = [Y|Ys]
    ).

%   Whatever values they get, Xs is behind Ys.

must_be_behind([X|Xs], [Y|Ys]) :-
    bounds(X, LX, _),
    bounds(Y, _, HY),
    (   limit_less(HY, LX)
    ->  true
    ;   LX == HY,
        must_be_behind(Xs, Ys)
    ).

%   post_order(+Relation, ?X, ?Y, Q0, Q): X < Y, as a new propagator.

post_order(lt, X, Y, Q0, Q) :-
    P = order(1, X, Y, -1),
    wait_bounds(X, P),
    wait_bounds(Y, P),
    Q0 = [P|Q].

%!  post_order(?Order, ?A, ?B) is semidet.
%
%   The Order of two expressions.

post_order(O, A, B) :-
    value_of(A, X),
    value_of(B, Y),
    (   nonvar(O)
    ->  ordered(O, X, Y)
    ;   with_attributes([X,Y]),
        P = compare(1, O, X, Y),
        wait_bounds(X, P),
        wait_bounds(Y, P),
        start_all([P|Q]-Q),
        (   var(O)
        ->  freeze(O, clpfd:zcompare_(O, X, Y))
        ;   true
        )
    ).

%!  ordered(+Order, ?X, ?Y) is semidet.

ordered(<, X, Y) :- post_comparison(lt, X, Y).
ordered(=, X, Y) :- post_comparison(eq, X, Y).
ordered(>, X, Y) :- post_comparison(lt, Y, X).

%!  run_compare(+Propagator, Q0, Q) is semidet.

run_compare(P, Q0, Q) :-
    P = compare(_, O, X, Y),
    (   nonvar(O)
    ->  kill(P),
        Q = Q0
    ;   bounds(X, LX, HX),
        bounds(Y, LY, HY),
        (   X == Y
        ->  kill(P),
            Q0 = [same(1, O, =)|Q]
        ;   limit_less(HX, LY)
        ->  kill(P),
            Q0 = [same(1, O, <)|Q]
        ;   limit_less(HY, LX)
        ->  kill(P),
            Q0 = [same(1, O, >)|Q]
        ;   idle(P),
            Q = Q0
        )
    ).
