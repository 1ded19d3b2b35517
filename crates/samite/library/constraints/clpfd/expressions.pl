:- module('$fd_expressions',
          [ post_comparison/3,
            post_sum_of/4,
            value_of/2,
            linear_expression/3
          ]).

:- use_module(library(clpfd/linear),
              [ post_linear/3
              ]).
:- use_module(library(clpfd/variables),
              [ fd_attribute/2
              ]).
:- use_module(library(clpfd/distances),
              [ post_distance/4
              ]).
:- use_module(library(clpfd/arithmetic),
              [ post_operation/2
              ]).

/*  Expressions: what programs write becomes sums, and operations on variables.

    A sum is a list of X-K and a constant. What is no sum, X*Y or X mod 3, is a
    new variable in it, the operation's result.

    Expressions are walked down to their leaves: what comes from a program is
    looked at once, as a whole, because one that contains itself has none
    (finite/1; in constraints on truths, reified.pl does it).
*/

%!  post_comparison(+Relation, ?Left, ?Right) is semidet.
%
%   Relation is eq, ne, le, lt.

post_comparison(Relation, L, R) :-
    finite(L),
    finite(R),
    (   Relation == eq,
        of_operation(L, R, X, E)
    ->  operation(E, Op),
        post_operation(Op, X)
    ;   of_distance(Relation, L, R, Name, E, C)
    ->  linear_expression(E, Ts, C0),
        post_distance(Name, Ts, C0, C)
    ;   sum_of(L, 1, Ts0, Ts1, 0, C1),
        sum_of(R, -1, Ts1, [], C1, C2),
        compare_sum(Relation, Ts0, C2)
    ).

finite(E) :-
    (   acyclic_term(E)
    ->  true
    ;   throw(error(domain_error(clpfd_expression, E), _))
    ).

compare_sum(lt, Ts, C) :-
    !,
    C1 is C+1,
    compare_sum(le, Ts, C1).
compare_sum(Relation, Ts0, C0) :-
    merged_pairs(Ts0, Ts, C1),
    C is -C0-C1,
    post_linear(Relation, Ts, C).

%   One side is a variable or a number, the other one an operation.

of_operation(L, R, X, E) :-
    (   nonvar(R),
        is_result(L),
        is_operation(R)
    ->  X = L,
        E = R
    ;   nonvar(L),
        is_result(R),
        is_operation(L),
        X = R,
        E = L
    ).

is_result(X) :-
    ( var(X) -> true ; integer(X) ).

%   abs(E) is not the number C (ne), is at least C (ge).

of_distance(ne, L, R, ne, E, C) :-
    (   is_absolute(L, E)
    ->  number_of(R, C)
    ;   is_absolute(R, E),
        number_of(L, C)
    ).
of_distance(le, L, R, ge, E, C) :-
    is_absolute(R, E),
    number_of(L, C).
of_distance(lt, L, R, ge, E, C) :-
    is_absolute(R, E),
    number_of(L, C0),
    C is C0+1.

is_absolute(A, E) :-
    nonvar(A),
    A = abs(E).

number_of(E, C) :-
    (   integer(E)
    ->  C = E
    ;   nonvar(E),
        is_sum(E),
        ground(E),
        linear_expression(E, [], C)
    ).

%!  post_sum_of(+Relation, +Terms, +C, ?Right) is semidet.
%
%   The sum of Terms and C is in Relation to the expression Right.

post_sum_of(Relation, Ts0, C0, Right) :-
    finite(Right),
    sum_of(Right, -1, Ts1, [], C0, C),
    append(Ts0, Ts1, Ts),
    compare_sum(Relation, Ts, C).

%!  linear_expression(?Expression, -Terms, -C) is semidet.

linear_expression(E, Ts, C) :-
    sum_of(E, 1, Ts0, [], 0, C1),
    merged_pairs(Ts0, Ts, C2),
    C is C1+C2.

%   sum_of(?Expression, +K, -Terms, ?Rest, +C0, -C): K times the expression; C is its constant and C0.

sum_of(E, K, Ts, Rest, C0, C) :-
    (   var(E)
    ->  Ts = [E-K|Rest],
        C = C0
    ;   integer(E)
    ->  Ts = Rest,
        C is C0+K*E
    ;   is_sum(E)
    ->  sum_of_parts(E, K, Ts, Rest, C0, C)
    ;   operation(E, Op),
        post_operation(Op, X),
        (   integer(X)
        ->  Ts = Rest,
            C is C0+K*X
        ;   Ts = [X-K|Rest],
            C = C0
        )
    ).

is_sum(_+_).
is_sum(_-_).
is_sum(-_).
is_sum(_*_).
is_sum(?(_)).
is_sum(#(_)).
is_sum(\_).
is_sum(_<<_).

sum_of_parts(A+B, K, Ts, Rest, C0, C) :-
    sum_of(A, K, Ts, Ts1, C0, C1),
    sum_of(B, K, Ts1, Rest, C1, C).
sum_of_parts(A-B, K, Ts, Rest, C0, C) :-
    sum_of(A, K, Ts, Ts1, C0, C1),
    K1 is -K,
    sum_of(B, K1, Ts1, Rest, C1, C).
sum_of_parts(-A, K, Ts, Rest, C0, C) :-
    K1 is -K,
    sum_of(A, K1, Ts, Rest, C0, C).
sum_of_parts(\A, K, Ts, Rest, C0, C) :-
    C1 is C0-K,
    K1 is -K,
    sum_of(A, K1, Ts, Rest, C1, C).
sum_of_parts(?(A), K, Ts, Rest, C0, C) :-
    plain_variable(A),
    sum_of(A, K, Ts, Rest, C0, C).
sum_of_parts(#(A), K, Ts, Rest, C0, C) :-
    plain_variable(A),
    sum_of(A, K, Ts, Rest, C0, C).
sum_of_parts(A<<B, K, Ts, Rest, C0, C) :-
    sum_of_parts(A*2^B, K, Ts, Rest, C0, C).
sum_of_parts(A*B, K, Ts, Rest, C0, C) :-
    linear_expression(A, TsA, CA),
    (   TsA == []
    ->  K1 is K*CA,
        sum_of(B, K1, Ts, Rest, C0, C)
    ;   linear_expression(B, TsB, CB),
        (   TsB == []
        ->  K1 is K*CB,
            times_terms(TsA, K1, Ts, Rest),
            C is C0+K1*CA
        ;   variable_of(TsA, CA, X),
            variable_of(TsB, CB, Y),
            post_operation(times(X, Y), Z),
            sum_of(Z, K, Ts, Rest, C0, C)
        )
    ).

plain_variable(A) :-
    (   ( var(A) ; integer(A) )
    ->  true
    ;   throw(error(type_error(integer, A), _))
    ).

times_terms([], _, Ts, Ts).
times_terms([X-K0|Ts0], K, [X-K1|Ts], Rest) :-
    K1 is K0*K,
    times_terms(Ts0, K, Ts, Rest).

%!  value_of(?Expression, ?X) is semidet.
%
%   X, a variable or an integer, is the Expression's value.

value_of(E, X) :-
    finite(E),
    value(E, X).

value(E, X) :-
    (   var(E)
    ->  X = E
    ;   integer(E)
    ->  X = E
    ;   is_operation(E)
    ->  operation(E, Op),
        post_operation(Op, X)
    ;   linear_expression(E, Ts, C),
        variable_of(Ts, C, X)
    ).

variable_of(Ts, C, X) :-
    (   Ts == []
    ->  X = C
    ;   Ts = [X-1],
        C =:= 0
    ->  true
    ;   append(Ts, [X-(-1)], Ts1),
        C1 is -C,
        post_linear(eq, Ts1, C1)
    ).

%   is_operation(+Expression): what post_operation/2 is for. A product of which one factor is
%   a number is a sum.

is_operation(A*B) :-
    \+ integer(A),
    \+ integer(B),
    \+ ground(A),
    \+ ground(B).
is_operation(_//_).
is_operation(_ div _).
is_operation(_ mod _).
is_operation(_ rem _).
is_operation(abs(_)).
is_operation(min(_, _)).
is_operation(max(_, _)).
is_operation(_^_).
is_operation(msb(_)).
is_operation(_>>_).
is_operation(_/\_).
is_operation(_\/_).
is_operation(xor(_, _)).

%   operation(+Expression, -Operation): on variables.

operation(E, Op) :-
    (   operation_of(E, Name, As)
    ->  values_of(As, Vs),
        Op =.. [Name|Vs]
    ;   throw(error(domain_error(clpfd_expression, E), _))
    ).

operation_of(A*B, times, [A,B]).
operation_of(A//B, quotient, [A,B]).
operation_of(A div B, div, [A,B]).
operation_of(A mod B, mod, [A,B]).
operation_of(A rem B, rem, [A,B]).
operation_of(abs(A), abs, [A]).
operation_of(min(A, B), min, [A,B]).
operation_of(max(A, B), max, [A,B]).
operation_of(A^B, power, [A,B]).
operation_of(msb(A), msb, [A]).
operation_of(A>>B, div, [A,2^B]).
operation_of(A/\B, and, [A,B]).
operation_of(A\/B, or, [A,B]).
operation_of(xor(A, B), xor, [A,B]).

values_of([], []).
values_of([E|Es], [X|Xs]) :-
    value(E, X),
    values_of(Es, Xs).

%!  merged_pairs(+Terms0, -Terms, -C) is det.
%
%   Variables once each, in the order in which they come; numbers are added up in C.

merged_pairs(Ts0, Ts, C) :-
    without_numbers(Ts0, Ts1, 0, C),
    (   Ts1 = [_,_,_,_,_,_,_,_,_,_|_]
    ->  numbered(Ts1, 0, Ns),
        msort(Ns, Sorted),
        sum_same(Sorted, Ms),
        sort(1, @<, Ms, ByPlace),
        unnumbered(ByPlace, Ts)
    ;   merge_pairs(Ts1, Ts)
    ).

without_numbers([], [], C, C).
without_numbers([X-K|Ts0], Ts, C0, C) :-
    (   integer(X)
    ->  C1 is C0+K*X,
        without_numbers(Ts0, Ts, C1, C)
    ;   Ts = [X-K|Ts1],
        without_numbers(Ts0, Ts1, C0, C)
    ).

merge_pairs([], []).
merge_pairs([X-K0|Ts0], Ts) :-
    without_variable(Ts0, X, K0, K, Ts1),
    ( K =:= 0 -> fd_attribute(X, _), Ts = Ts2 ; Ts = [X-K|Ts2] ),
    merge_pairs(Ts1, Ts2).

without_variable([], _, K, K, []).
without_variable([Y-L|Ts0], X, K0, K, Ts) :-
    (   X == Y
    ->  K1 is K0+L,
        without_variable(Ts0, X, K1, K, Ts)
    ;   Ts = [Y-L|Ts1],
        without_variable(Ts0, X, K0, K, Ts1)
    ).

numbered([], _, []).
numbered([X-K|Ts], N, [X-N-K|Ns]) :-
    N1 is N+1,
    numbered(Ts, N1, Ns).

sum_same([], []).
sum_same([X-N-K0|Ns0], Ms) :-
    same_variable(Ns0, X, K0, K, Ns),
    ( K =:= 0 -> Ms = Ms1 ; Ms = [at(N, X, K)|Ms1] ),
    sum_same(Ns, Ms1).

same_variable(Ns0, X, K0, K, Ns) :-
    (   Ns0 = [Y-_-L|Ns1],
        X == Y
    ->  K1 is K0+L,
        same_variable(Ns1, X, K1, K, Ns)
    ;   K = K0,
        Ns = Ns0
    ).

unnumbered([], []).
unnumbered([at(_, X, K)|Ms], [X-K|Ts]) :-
    unnumbered(Ms, Ts).
