:- module('$fd_intervals',
          [ domain_intervals/2,
            intervals_domain/2,
            intersection_of/3,
            union_of/3,
            complement_of/2,
            shifted/3,
            clipped/4,
            limit_less/2,
            greater_of/3,
            smaller_of/3,
            bits_intervals/3,
            intervals_bits/5,
            reversed_bits/3,
            intervals_size/2,
            in_intervals/2,
            numbers_of/2,
            points/2
          ]).

/*  Sets of integers as lists of intervals: L-H, in order, none touching the next one.

    The first L may be inf, the last H sup. What programs write, 1..3\/5..sup or
    {1, 3, 5}, is a domain.
*/

%!  domain_intervals(+Domain, -Intervals) is det.
%
%   @error instantiation_error
%   @error domain_error(clpfd_domain, Domain)

domain_intervals(D, Is) :-
    (   ground(D)
    ->  true
    ;   throw(error(instantiation_error, _))
    ),
    (   acyclic_term(D),
        read_domain(D, Is0)
    ->  Is = Is0
    ;   throw(error(domain_error(clpfd_domain, D), _))
    ).

read_domain(N, [N-N]) :-
    integer(N),
    !.
read_domain('..'(L, H), Is) :-
    !,
    ( L == inf -> true ; integer(L) ),
    ( H == sup -> true ; integer(H) ),
    (   integer(L),
        integer(H),
        L > H
    ->  Is = []
    ;   Is = [L-H]
    ).
read_domain({Numbers}, Is) :-
    !,
    read_numbers(Numbers, Is).
read_domain(A\/B, Is) :-
    !,
    read_domain(A, As),
    read_domain(B, Bs),
    union_of(As, Bs, Is).
read_domain(\A, Is) :-
    !,
    read_domain(A, As),
    complement_of(As, Is).

%   What is in braces, as SICStus Prolog has it.
read_numbers(N, [N-N]) :-
    integer(N),
    !.
read_numbers((A, B), Is) :-
    read_numbers(A, As),
    read_numbers(B, Bs),
    union_of(As, Bs, Is).

%!  intervals_domain(+Intervals, -Domain) is det.

intervals_domain([], '..'(1, 0)).
intervals_domain([N-N], D) :-
    !,
    D = '..'(N, N).
intervals_domain([I|Is], D) :-
    interval_domain(I, D0),
    intervals_domain_(Is, D0, D).

intervals_domain_([], D, D).
intervals_domain_([I|Is], D0, D) :-
    interval_domain(I, D1),
    intervals_domain_(Is, D0\/D1, D).

interval_domain(L-H, D) :-
    (   L == H
    ->  D = L
    ;   D = '..'(L, H)
    ).

%!  limit_less(+A, +B) is semidet.
%
%   Of integers, inf and sup.

limit_less(A, B) :-
    (   integer(A)
    ->  (   integer(B)
        ->  A < B
        ;   B == sup
        )
    ;   A == inf
    ->  B \== inf
    ).

%!  greater_of(+A, +B, -C) is det.

greater_of(A, B, C) :-
    ( limit_less(A, B) -> C = B ; C = A ).

%!  smaller_of(+A, +B, -C) is det.

smaller_of(A, B, C) :-
    ( limit_less(A, B) -> C = A ; C = B ).

%!  intersection_of(+Intervals1, +Intervals2, -Intervals) is det.

intersection_of([], _, []) :- !.
intersection_of(_, [], []) :- !.
intersection_of([L1-H1|As], [L2-H2|Bs], Is) :-
    greater_of(L1, L2, L),
    (   limit_less(H1, H2)
    ->  ( limit_less(H1, L) -> Is = Is1 ; Is = [L-H1|Is1] ),
        intersection_of(As, [L2-H2|Bs], Is1)
    ;   ( limit_less(H2, L) -> Is = Is1 ; Is = [L-H2|Is1] ),
        intersection_of([L1-H1|As], Bs, Is1)
    ).

%!  union_of(+Intervals1, +Intervals2, -Intervals) is det.

union_of([], Is, Is) :- !.
union_of(Is, [], Is) :- !.
union_of([L1-H1|As], [L2-H2|Bs], Is) :-
    (   limit_less(L2, L1)
    ->  grown(L2, H2, [L1-H1|As], Bs, Is)
    ;   grown(L1, H1, As, [L2-H2|Bs], Is)
    ).

%   An interval begins; what comes next of both.

grown(L, H, As, Bs, Is) :-
    (   As = [L1-H1|As1],
        reaches(H, L1)
    ->  greater_of(H, H1, H2),
        grown(L, H2, As1, Bs, Is)
    ;   Bs = [L1-H1|Bs1],
        reaches(H, L1)
    ->  greater_of(H, H1, H2),
        grown(L, H2, As, Bs1, Is)
    ;   Is = [L-H|Is1],
        union_of(As, Bs, Is1)
    ).

reaches(sup, _) :- !.
reaches(_, inf) :- !.
reaches(H, L) :-
    L =< H+1.

%!  complement_of(+Intervals, -Complement) is det.

complement_of(Is, Complement) :-
    complement_from(Is, inf, Complement).

complement_from([], From, [From-sup]).
complement_from([L-H|Is], From, Complement) :-
    (   L == inf
    ->  Complement = Complement1
    ;   L1 is L-1,
        ( limit_less(L1, From) -> Complement = Complement1 ; Complement = [From-L1|Complement1] )
    ),
    (   H == sup
    ->  Complement1 = []
    ;   From1 is H+1,
        complement_from(Is, From1, Complement1)
    ).

%!  shifted(+Intervals, +By, -Shifted) is det.

shifted([], _, []).
shifted([L0-H0|Is0], By, [L-H|Is]) :-
    ( integer(L0) -> L is L0+By ; L = L0 ),
    ( integer(H0) -> H is H0+By ; H = H0 ),
    shifted(Is0, By, Is).

%!  clipped(+Intervals, +Lo, +Hi, -Clipped) is det.
%
%   Those parts that lie between Lo and Hi.

clipped([], _, _, []).
clipped([L0-H0|Is0], Lo, Hi, Is) :-
    (   limit_less(H0, Lo)
    ->  clipped(Is0, Lo, Hi, Is)
    ;   limit_less(Hi, L0)
    ->  Is = []
    ;   greater_of(L0, Lo, L),
        smaller_of(H0, Hi, H),
        Is = [L-H|Is1],
        clipped(Is0, Lo, Hi, Is1)
    ).

%!  bits_intervals(+Bits, +Base, -Intervals) is det.
%
%   Bit I of Bits stands for Base+I.

bits_intervals(0, _, Is) :-
    !,
    Is = [].
bits_intervals(Bits, Base, [L-H|Is]) :-
    L0 is lsb(Bits),
    L is Base+L0,
    Ones is Bits >> L0,
    N is lsb(Ones+1),
    H is L+N-1,
    Rest is Ones >> N,
    Base1 is L+N,
    bits_intervals(Rest, Base1, Is).

%!  intervals_bits(+Intervals, +Base, +Hi, +Bits0, -Bits) is det.
%
%   Bits0 and the members between Base and Hi.

intervals_bits([], _, _, Bits, Bits).
intervals_bits([L0-H0|Is], Base, Hi, Bits0, Bits) :-
    greater_of(L0, Base, L),
    smaller_of(H0, Hi, H),
    (   L =< H
    ->  Bits1 is Bits0 \/ (((1 << (H-L+1))-1) << (L-Base))
    ;   Bits1 = Bits0
    ),
    intervals_bits(Is, Base, Hi, Bits1, Bits).

%!  reversed_bits(+Bits, +Width, -Reversed) is det.
%
%   Bit I of Bits, which are at most Width, is bit Width-1-I.

reversed_bits(Bits, Width, Reversed) :-
    reversed_bits(Bits, Width, 0, Reversed).

reversed_bits(Bits, Top, R0, R) :-
    (   Bits =:= 0
    ->  R = R0
    ;   Gap is lsb(Bits),
        Ones is Bits >> Gap,
        N is lsb(Ones+1),
        Rest is Ones >> N,
        Top1 is Top-Gap-N,
        R1 is R0 \/ (((1 << N)-1) << Top1),
        reversed_bits(Rest, Top1, R1, R)
    ).

%!  intervals_size(+Intervals, -Size) is det.
%
%   How many: an integer, or sup.

intervals_size(Is, Size) :-
    intervals_size(Is, 0, Size).

intervals_size([], N, N).
intervals_size([L-H|Is], N0, N) :-
    (   integer(L),
        integer(H)
    ->  N1 is N0+H-L+1,
        intervals_size(Is, N1, N)
    ;   N = sup
    ).

%!  in_intervals(+Intervals, +Integer) is semidet.

in_intervals([L-H|Is], N) :-
    (   limit_less(H, N)
    ->  in_intervals(Is, N)
    ;   \+ limit_less(N, L)
    ).

%!  numbers_of(+Intervals, -Integers) is det.

numbers_of([], []).
numbers_of([L-H|Is], Ns) :-
    numbers_from(L, H, Ns, Ns1),
    numbers_of(Is, Ns1).

numbers_from(L, H, Ns, Rest) :-
    (   L > H
    ->  Ns = Rest
    ;   Ns = [L|Ns1],
        L1 is L+1,
        numbers_from(L1, H, Ns1, Rest)
    ).

%!  points(+Integers, -Intervals) is det.
%
%   In order.

points([], []).
points([N|Ns], [N-H|Is]) :-
    points_from(Ns, N, H, Is).

points_from(Ns, H0, H, Is) :-
    (   Ns = [N|Ns1],
        N =:= H0+1
    ->  points_from(Ns1, N, H, Is)
    ;   H = H0,
        points(Ns, Is)
    ).
