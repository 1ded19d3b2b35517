:- module('$fd_counting',
          [ post_cardinality/3,
            run_cardinality/3
          ]).

:- use_module(library(clpfd/intervals),
              [ points/2
              ]).
:- use_module(library(clpfd/variables),
              [ fd_attribute/2,
                contains/2,
                at_least/4,
                at_most/4,
                becomes/4,
                remove/4,
                restrict/4,
                wait_any/2,
                wait_bounds/2,
                idle/1,
                kill/1,
                start_all/1
              ]).
:- use_module(library(clpfd/expressions),
              [ post_sum_of/4
              ]).
:- use_module(library(clpfd/tables),
              [ post_element/3
              ]).

/*  How often values occur.

        cardinality(State, Vars, Key, Count, Group)    Count of Vars are Key; Group: see distinct.pl
*/

%!  post_cardinality(+Vars, +Pairs, +Options) is semidet.

post_cardinality(Xs, Pairs, Options) :-
    must_be(list, Xs),
    must_be(list, Pairs),
    keys(Pairs, Keys, Counts),
    sort(Keys, Sorted),
    (   length(Keys, N),
        length(Sorted, N)
    ->  true
    ;   throw(error(domain_error(gcc_unique_key_pairs, Pairs), _))
    ),
    points(Sorted, Is),
    length(Xs, M),
    each_in(Xs, Is, Q, Q1),
    each_in(Counts, [0-M], Q1, Q2),
    each_count(Pairs, Xs, group(no, global_cardinality(Xs, Pairs)), Q2, End),
    start_all(Q-End),
    ones_of(Counts, Ts),
    post_sum_of(eq, Ts, 0, M),
    costs(Options, Xs, Keys).

keys([], [], []).
keys([Pair|Pairs], [K|Ks], [C|Cs]) :-
    (   nonvar(Pair),
        Pair = K-C
    ->  must_be(integer, K)
    ;   throw(error(domain_error(gcc_pair, Pair), _))
    ),
    keys(Pairs, Ks, Cs).

each_in([], _, Q, Q).
each_in([X|Xs], Is, Q0, Q) :-
    ( integer(X) -> true ; fd_attribute(X, _) ),
    restrict(X, Is, Q0, Q1),
    each_in(Xs, Is, Q1, Q).

each_count([], _, _, Q, Q).
each_count([K-C|Pairs], Xs, Group, Q0, Q) :-
    P = cardinality(1, Xs, K, C, Group),
    wait_bounds(C, P),
    wait_any_all(Xs, P),
    Q0 = [P|Q1],
    each_count(Pairs, Xs, Group, Q1, Q).

wait_any_all([], _).
wait_any_all([X|Xs], P) :-
    wait_any(X, P),
    wait_any_all(Xs, P).

ones_of([], []).
ones_of([X|Xs], [X-1|Ts]) :-
    ones_of(Xs, Ts).

%!  run_cardinality(+Propagator, Q0, Q) is semidet.

run_cardinality(P, Q0, Q) :-
    P = cardinality(_, Xs, K, C, _),
    idle(P),
    count(Xs, K, 0, Sure, 0, May, Open),
    Most is Sure+May,
    at_least(C, Sure, Q0, Q1),
    at_most(C, Most, Q1, Q2),
    (   C == Sure
    ->  kill(P),
        none_becomes(Open, K, Q2, Q)
    ;   C == Most
    ->  kill(P),
        each_becomes(Open, K, Q2, Q)
    ;   Q = Q2
    ).

%   Those that have the value, those that may get it.

count([], _, Sure, Sure, May, May, []).
count([X|Xs], K, Sure0, Sure, May0, May, Open) :-
    (   integer(X)
    ->  ( X =:= K -> Sure1 is Sure0+1 ; Sure1 = Sure0 ),
        count(Xs, K, Sure1, Sure, May0, May, Open)
    ;   contains(X, K)
    ->  May1 is May0+1,
        Open = [X|Open1],
        count(Xs, K, Sure0, Sure, May1, May, Open1)
    ;   count(Xs, K, Sure0, Sure, May0, May, Open)
    ).

none_becomes([], _, Q, Q).
none_becomes([X|Xs], K, Q0, Q) :-
    remove(X, K, Q0, Q1),
    none_becomes(Xs, K, Q1, Q).

each_becomes([], _, Q, Q).
each_becomes([X|Xs], K, Q0, Q) :-
    becomes(X, K, Q0, Q1),
    each_becomes(Xs, K, Q1, Q).

%   cost(Cost, Matrix): a row for each variable, a column for each key. consistency(_) says how much is to be
%   done, which is the same here.

costs([], _, _).
costs([O|Os], Xs, Keys) :-
    (   var(O)
    ->  throw(error(instantiation_error, _))
    ;   O = cost(Cost, Matrix)
    ->  each_cost(Xs, Matrix, Keys, Ts),
        post_sum_of(eq, Ts, 0, Cost)
    ;   O = consistency(_)
    ->  true
    ;   throw(error(domain_error(gcc_option, O), _))
    ),
    costs(Os, Xs, Keys).

each_cost([], _, _, []).
each_cost([X|Xs], [Row|Matrix], Keys, [C-1|Ts]) :-
    post_element(I, Keys, X),
    post_element(I, Row, C),
    each_cost(Xs, Matrix, Keys, Ts).
