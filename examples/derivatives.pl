/*  Derivatives, and a simplifier of expressions.

        samite examples/derivatives.pl
        samite examples/derivatives.pl 'x^2*sin(x)'

    d/2 is the table of school; what comes of it is full of 1* and +0.  It is
    simplified from the inside out, until nothing changes: in sums and products
    like terms are collected and put in order, the rest is what simp/2 says.
*/

:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(pairs)).

:- initialization(main, main).

main :-
    current_prolog_flag(argv, Arguments),
    (   Arguments == []
    ->  maplist(show, [ x^3 - 4*x^2 + 5,
                        (x+1)*(x-1),
                        x*exp(2*x),
                        sin(x)^2 + cos(x)^2,
                        ln(x)/x,
                        sin(cos(x)),
                        a*x^n,
                        x^x,
                        1/(1+x^2),
                        ln(ln(x))
                      ])
    ;   maplist(term_to_atom, Terms, Arguments),
        maplist(show, Terms)
    ).

show(F) :-
    derivative(F, D),
    format("d/dx ~w = ~w~n", [F, D]).

%!  derivative(+F, -D) is det.
%
%   D is the derivative of F by x, simplified.

derivative(F, D) :-
    d(F, D0),
    simplify(D0, D).

                /*******************************
                *         DERIVATIVES          *
                *******************************/

d(x, 1)                        :- !.
d(C, 0)                        :- atomic(C), !.
d(F + G, DF + DG)              :- d(F, DF), d(G, DG).
d(F - G, DF - DG)              :- d(F, DF), d(G, DG).
d(- F, - DF)                   :- d(F, DF).
d(F * G, DF*G + F*DG)          :- d(F, DF), d(G, DG).
d(F / G, (DF*G - F*DG) / G^2)  :- d(F, DF), d(G, DG).
d(F ^ N, N * F^(N-1) * DF)     :- constant(N), !, d(F, DF).
d(F ^ G, F^G * D)              :- d(G * ln(F), D).
d(exp(F), exp(F) * DF)         :- d(F, DF).
d(ln(F), DF / F)               :- d(F, DF).
d(sin(F), cos(F) * DF)         :- d(F, DF).
d(cos(F), - sin(F) * DF)       :- d(F, DF).

constant(C) :-
    C \== x,
    (   atomic(C)
    ->  true
    ;   C =.. [_|Arguments],
        maplist(constant, Arguments)
    ).

                /*******************************
                *          SIMPLIFIER          *
                *******************************/

%!  simplify(+F, -G) is det.
%
%   What is below first, then what is above it.

simplify(F, G) :-
    (   compound(F)
    ->  F =.. [Op|Arguments0],
        maplist(simplify, Arguments0, Arguments),
        F1 =.. [Op|Arguments],
        normal(F1, F2),
        (   F2 == F
        ->  G = F
        ;   simplify(F2, G)
        )
    ;   G = F
    ).

normal(F, G) :-
    (   sum_of(F)
    ->  addends(F, 1, Addends, []),
        collect(Addends, Collected),
        rebuild_sum(Collected, G)
    ;   product_of(F)
    ->  factors(F, 1, 1, N, Powers, []),
        collect(Powers, Collected),
        rebuild_product(N, Collected, G)
    ;   simp(F, G0)
    ->  G = G0
    ;   G = F
    ).

sum_of(_+_).
sum_of(_-_).
sum_of(-_).

product_of(_*_).
product_of(_/_).

%   What is neither a sum nor a product.
simp(A^B, C)    :- integer(A), integer(B), B >= 0, C is A^B.
simp(_^0, 1).
simp(F^1, F).
simp((F^A)^B, F^(A*B)).
simp(exp(0), 1).
simp(ln(1), 0).
simp(sin(0), 0).
simp(cos(0), 1).

                /*******************************
                *      SUMS AND PRODUCTS       *
                *******************************/

%!  addends(+Sum, +Sign, -Addends, ?Tail) is det.
%
%   Pairs Term-Coefficient; the term of a number is 1.

addends(A+B, S, L, T) :- !, addends(A, S, L, L1), addends(B, S, L1, T).
addends(A-B, S, L, T) :- !, addends(A, S, L, L1), S1 is -S, addends(B, S1, L1, T).
addends(-A, S, L, T)  :- !, S1 is -S, addends(A, S1, L, T).
addends(F, S, [G-C|T], T) :-
    factors(F, 1, 1, N, Powers, []),
    rebuild_product(1, Powers, G),
    C is S*N.

%!  factors(+Product, +Sign, +N0, -N, -Powers, ?Tail) is det.
%
%   N0 times, or by if Sign is -1, Product is N times the product of Powers, which
%   are pairs Base-Exponent.

factors(A*B, S, N0, N, L, T) :-
    !,
    factors(A, S, N0, N1, L, L1),
    factors(B, S, N1, N, L1, T).
factors(A/B, S, N0, N, L, T) :-
    !,
    factors(A, S, N0, N1, L, L1),
    S1 is -S,
    factors(B, S1, N1, N, L1, T).
factors(-A, S, N0, N, L, T) :-
    !,
    N1 is -N0,
    factors(A, S, N1, N, L, T).
factors(M, S, N0, N, T, T) :-
    number(M), ( S > 0 ; M =\= 0 ),
    !,
    (   S > 0 -> N is N0*M ; N is N0 rdiv M ).
factors(F^E, S, N, N, [F-E1|T], T) :-
    !,
    simplify(S*E, E1).
factors(F, S, N, N, [F-S|T], T).

%!  collect(+Pairs, -Collected) is det.
%
%   Sums of the values of equal keys, in the order of the keys, without those that
%   are 0.

collect(Pairs, Collected) :-
    keysort(Pairs, Sorted),
    group_pairs_by_key(Sorted, Groups),
    maplist(total, Groups, Totals),
    exclude(zero, Totals, Collected).

total(Key-Values, Key-Total) :-
    (   maplist(number, Values)
    ->  sum_list(Values, Total)
    ;   foldl(plus_term, Values, 0, Sum),
        simplify(Sum, Total)
    ).

plus_term(V, Sum, Sum+V).

zero(_-0).

%   High powers before constants, and what is positive before what is negative.
rebuild_sum(Collected, Sum) :-
    reverse(Collected, Reversed),
    partition(positive, Reversed, Positive, Negative),
    append(Positive, Negative, Ordered),
    (   Ordered = [F-C|Rest]
    ->  scaled(C, F, First),
        foldl(addend, Rest, First, Sum)
    ;   Sum = 0
    ).

addend(F-C, Sum, Sum1) :-
    Size is abs(C),
    scaled(Size, F, Term),
    (   C > 0 -> Sum1 = Sum+Term ; Sum1 = Sum-Term ).

scaled(C, F, Term) :-
    factors(F, 1, C, N, Powers, []),
    rebuild_product(N, Powers, Term).

%   What has a negative number as its exponent goes below the line.
rebuild_product(0, _, 0) :- !.
rebuild_product(N, Collected, Product) :-
    partition(negative, Collected, Below, Above),
    product(Above, N, Numerator),
    (   Below == []
    ->  Product = Numerator
    ;   maplist(inverse, Below, Powers),
        product(Powers, 1, Denominator),
        Product = Numerator/Denominator
    ).

positive(_-C) :- C > 0.
negative(_-E) :- number(E), E < 0.

inverse(F-E, F-E1) :- E1 is -E.

product([], N, N) :- !.
product(Powers, N, Product) :-
    maplist(power, Powers, Factors),
    (   N =:= 1
    ->  Factors = [First|Rest],
        foldl(factor, Rest, First, Product)
    ;   N =:= -1
    ->  Factors = [First|Rest],
        foldl(factor, Rest, First, Positive),
        Product = -Positive
    ;   foldl(factor, Factors, N, Product)
    ).

power(F-E, P) :- ( E == 1 -> P = F ; P = F^E ).

factor(F, P, P*F).
