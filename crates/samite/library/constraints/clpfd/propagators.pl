:- module('$fd_propagators',
          [ propagate/4,
            became_same/1
          ]).

:- use_module(library(clpfd/linear),
              [ run_plus/3,
                run_linear_eq/3,
                run_linear_le/3,
                run_linear_ne/3,
                run_order/3,
                run_different/3,
                run_others/3,
                merge_terms/3
              ]).
:- use_module(library(clpfd/pairs),
              [ run_offset/3,
                run_mirror/3,
                run_line/3
              ]).
:- use_module(library(clpfd/distances),
              [ run_unlike/3,
                run_far/3
              ]).
:- use_module(library(clpfd/arithmetic),
              [ run_absolute/3,
                run_extreme/3,
                run_bits/3
              ]).
:- use_module(library(clpfd/products),
              [ run_times/3,
                run_power/3
              ]).
:- use_module(library(clpfd/division),
              [ run_division/3,
                run_modulo/3
              ]).
:- use_module(library(clpfd/distinct),
              [ run_distinct/3
              ]).
:- use_module(library(clpfd/tables),
              [ run_element/3,
                run_tuple/3,
                run_rows/3
              ]).
:- use_module(library(clpfd/counting),
              [ run_cardinality/3
              ]).
:- use_module(library(clpfd/circuits),
              [ run_circuit/3
              ]).
:- use_module(library(clpfd/scheduling),
              [ run_cumulative/3,
                run_apart/3
              ]).
:- use_module(library(clpfd/orders),
              [ run_lex/3,
                run_compare/3
              ]).
:- use_module(library(clpfd/reified),
              [ run_reified/3,
                run_reified_in/3,
                run_bool/3,
                run_guarded/3
              ]).

/*  Which code runs a propagator.

    A new kind is a clause of propagate/3 here, how it is told as a goal in residues.pl,
    and, where it knows terms with several variables, what it does when two of them become
    one in became_same/1.
*/

%!  propagate(+Propagator, +Propagator, Q0, Q) is semidet.
%
%   The same twice: the first for the index. It was taken from the queue; its state is 1. When it has run the state is
%   another one.

propagate(fixed(_, Ps), _, Q0, Q) :-
    each_fixed(Ps, Q0, Q).
propagate(bind(_, X, V), _, Q, Q) :-
    X = V.
propagate(same(_, X, Y), _, Q, Q) :-
    X = Y.
propagate(plus(_, _, _), P, Q0, Q) :-
    run_plus(P, Q0, Q).
propagate(lin_eq(_, _, _), P, Q0, Q) :-
    run_linear_eq(P, Q0, Q).
propagate(lin_le(_, _, _), P, Q0, Q) :-
    run_linear_le(P, Q0, Q).
propagate(lin_ne(_, _, _), P, Q0, Q) :-
    run_linear_ne(P, Q0, Q).
propagate(offset(_, _, _, _), P, Q0, Q) :-
    run_offset(P, Q0, Q).
propagate(mirror(_, _, _, _), P, Q0, Q) :-
    run_mirror(P, Q0, Q).
propagate(line(_, _, _, _, _, _), P, Q0, Q) :-
    run_line(P, Q0, Q).
propagate(order(_, _, _, _), P, Q0, Q) :-
    run_order(P, Q0, Q).
propagate(times(_, _, _, _), P, Q0, Q) :-
    run_times(P, Q0, Q).
propagate(power(_, _, _, _), P, Q0, Q) :-
    run_power(P, Q0, Q).
propagate(quotient(_, _, _, _), P, Q0, Q) :-
    run_division(P, Q0, Q).
propagate(div(_, _, _, _), P, Q0, Q) :-
    run_division(P, Q0, Q).
propagate(mod(_, _, _, _), P, Q0, Q) :-
    run_modulo(P, Q0, Q).
propagate(rem(_, _, _, _), P, Q0, Q) :-
    run_modulo(P, Q0, Q).
propagate(abs(_, _, _), P, Q0, Q) :-
    run_absolute(P, Q0, Q).
propagate(msb(_, _, _), P, Q0, Q) :-
    run_absolute(P, Q0, Q).
propagate(min(_, _, _, _), P, Q0, Q) :-
    run_extreme(P, Q0, Q).
propagate(max(_, _, _, _), P, Q0, Q) :-
    run_extreme(P, Q0, Q).
propagate(and(_, _, _, _), P, Q0, Q) :-
    run_bits(P, Q0, Q).
propagate(or(_, _, _, _), P, Q0, Q) :-
    run_bits(P, Q0, Q).
propagate(xor(_, _, _, _), P, Q0, Q) :-
    run_bits(P, Q0, Q).
propagate(distinct(_, _, _, _), P, Q0, Q) :-
    run_distinct(P, Q0, Q).
propagate(element(_, _, _, _), P, Q0, Q) :-
    run_element(P, Q0, Q).
propagate(tuple(_, _, _, _), P, Q0, Q) :-
    run_tuple(P, Q0, Q).
propagate(rows(_, _, _), P, Q0, Q) :-
    run_rows(P, Q0, Q).
propagate(cardinality(_, _, _, _, _), P, Q0, Q) :-
    run_cardinality(P, Q0, Q).
propagate(circuit(_, _), P, Q0, Q) :-
    run_circuit(P, Q0, Q).
propagate(cumulative(_, _, _), P, Q0, Q) :-
    run_cumulative(P, Q0, Q).
propagate(apart(_, _, _, _, _, _), P, Q0, Q) :-
    run_apart(P, Q0, Q).
propagate(lex(_, _, _), P, Q0, Q) :-
    run_lex(P, Q0, Q).
propagate(compare(_, _, _, _), P, Q0, Q) :-
    run_compare(P, Q0, Q).
propagate(reified(_, _, _, _, _), P, Q0, Q) :-
    run_reified(P, Q0, Q).
propagate(reified_in(_, _, _, _), P, Q0, Q) :-
    run_reified_in(P, Q0, Q).
propagate(bool(_, _, _, _, _), P, Q0, Q) :-
    run_bool(P, Q0, Q).
propagate(guarded(_, _, _, _), P, Q0, Q) :-
    run_guarded(P, Q0, Q).
propagate(ne(_, _, _, _), P, Q0, Q) :-
    run_different(P, Q0, Q).
propagate(others(_, _, _, _), P, Q0, Q) :-
    run_others(P, Q0, Q).
propagate(unlike(_, _, _, _), P, Q0, Q) :-
    run_unlike(P, Q0, Q).
propagate(far(_, _, _, _), P, Q0, Q) :-
    run_far(P, Q0, Q).

%   What waits for a value that a variable has got: inequalities run at once, others go into the queue.

each_fixed([], Q, Q).
each_fixed([P|Ps], Q0, Q) :-
    one_fixed(P, Q0, Q1),
    each_fixed(Ps, Q1, Q).

one_fixed(P, Q0, Q) :-
    (   P = ne(_, _, _, _)
    ->  run_different(P, Q0, Q)
    ;   P = others(_, _, _, _)
    ->  run_others(P, Q0, Q)
    ;   P = unlike(_, _, _, _)
    ->  run_unlike(P, Q0, Q)
    ;   arg(1, P, State),
        (   State == 0
        ->  setarg(1, P, 1),
            Q0 = [P|Q]
        ;   State == (-)
        ->  setarg(1, P, 1),
            Q0 = [slow(1, P)|Q]
        ;   Q = Q0
        )
    ).

%!  became_same(+Propagator) is det.
%
%   Two variables that it may know have become one.

became_same(P) :-
    (   is_sum_term(P)
    ->  arg(2, P, Ts0),
        arg(3, P, C0),
        merge_terms(Ts0, Ts, D),
        C is C0-D,
        setarg(2, P, Ts),
        setarg(3, P, C)
    ;   P = reified(_, _, _, Ts0, C0)
    ->  merge_terms(Ts0, Ts, D),
        C is C0-D,
        setarg(4, P, Ts),
        setarg(5, P, C)
    ;   true
    ).

is_sum_term(plus(_, _, _)).
is_sum_term(lin_eq(_, _, _)).
is_sum_term(lin_le(_, _, _)).
is_sum_term(lin_ne(_, _, _)).
