:- module('$clpfd',
          [ fd_attribute/2,
            bounds/3,
            domain_of/2,
            size_of/2,
            contains/2,
            at_least/4,
            at_most/4,
            soft_at_least/4,
            soft_at_most/4,
            becomes/4,
            remove/4,
            restrict/4,
            soft_restrict/4,
            keep_bits/5,
            bits_of/4,
            wait_inst/2,
            wait_bounds/2,
            wait_any/2,
            idle/1,
            kill/1,
            start_all/1,
            assign/2
          ]).

:- use_module(library(clpfd/intervals),
              [ intersection_of/3,
                clipped/4,
                limit_less/2,
                bits_intervals/3,
                intervals_bits/5,
                intervals_size/2,
                in_intervals/2
              ]).
:- use_module(library(clpfd/propagators),
              [ propagate/4,
                became_same/1
              ]).
:- use_module(library(clpfd/residues),
              [ residual_goals/4
              ]).

/*  Variables with domains, and the queue of propagators.

    The attribute of a variable is changed in place:

        fd(Lo, Hi, Holes, Base, Inst, Bounds, Any, Steps)

    Lo and Hi are the least and the greatest member: integers, inf, sup. Holes says
    what lies between: i (everything), an integer, whose bit I stands for Base+I, or
    a list of intervals; what it says outside of Lo and Hi means nothing. The next
    three are lists of propagators, woken when the variable is bound, when a bound
    changes, when anything does; the first list is for bound variables only, the
    second for the first two events. Steps counts what soft bounds did.

    A propagator is a term whose first argument is its state: 0 (waits), - (waits, and
    is run when nothing else is to be), 1 (in the queue), 2 (is over). What a propagator
    does may put others into the queue, never run them: the queue is a list with
    an open end that all of them pass on. So what a propagator knows is not changed
    by others while it runs, and a variable that goals of other modules wait for is bound
    between two propagators.

    A variable that gets a value loses its attribute first, so that the machine need
    not wake anybody: what is to be run is in the queue then.

        Lo < Hi as long as the attribute is there, but for variables on which other modules' goals wait
        a bit between Lo and Hi, or a number in the intervals, is a member
        Lo and Hi are members
*/

%   Span from which on sets are no longer bits.

wide(4096).

%!  fd_attribute(?Var, -Attribute) is det.
%
%   The attribute, which the variable gets if it has none.

fd_attribute(X, A) :-
    (   get_attr(X, '$clpfd', A0)
    ->  A = A0
    ;   var(X)
    ->  A = fd(inf, sup, i, 0, [], [], [], 0),
        put_attr(X, '$clpfd', A)
    ;   throw(error(type_error(integer, X), _))
    ).

%!  bounds(?X, -Lo, -Hi) is det.

bounds(X, L, H) :-
    (   integer(X)
    ->  L = X,
        H = X
    ;   get_attr(X, '$clpfd', A)
    ->  arg(1, A, L),
        arg(2, A, H)
    ;   fd_attribute(X, _),
        L = inf,
        H = sup
    ).

%!  domain_of(?X, -Intervals) is det.

domain_of(X, Is) :-
    (   integer(X)
    ->  Is = [X-X]
    ;   fd_attribute(X, A),
        A = fd(L, H, D, B, _, _, _, _),
        attribute_intervals(D, L, H, B, Is)
    ).

attribute_intervals(D, L, H, B, Is) :-
    (   D == i
    ->  Is = [L-H]
    ;   integer(D)
    ->  Bits is (D /\ ((2 << (H-B))-1)) >> (L-B),
        bits_intervals(Bits, L, Is)
    ;   clipped(D, L, H, Is)
    ).

%!  size_of(?X, -Size) is det.
%
%   Size is an integer, or sup.

size_of(X, N) :-
    (   integer(X)
    ->  N = 1
    ;   fd_attribute(X, A),
        A = fd(L, H, D, B, _, _, _, _),
        (   integer(D)
        ->  N is popcount((D /\ ((2 << (H-B))-1)) >> (L-B))
        ;   attribute_intervals(D, L, H, B, Is),
            intervals_size(Is, N)
        )
    ).

%!  bits_of(?X, -Bits, -Lo, -Hi) is det.
%
%   Bit I is Lo+I. The domain must be finite.

bits_of(X, Bits, L, H) :-
    (   integer(X)
    ->  Bits = 1,
        L = X,
        H = X
    ;   get_attr(X, '$clpfd', A),
        A = fd(L, H, D, B, _, _, _, _),
        (   D == i
        ->  Bits is (2 << (H-L))-1
        ;   integer(D)
        ->  (   B =:= L
            ->  Bits is D /\ ((2 << (H-B))-1)
            ;   Bits is (D /\ ((2 << (H-B))-1)) >> (L-B)
            )
        ;   intervals_bits(D, L, H, 0, Bits)
        )
    ).

%!  contains(?X, +Value) is semidet.

contains(X, V) :-
    (   integer(X)
    ->  X =:= V
    ;   get_attr(X, '$clpfd', A)
    ->  has_member(A, V)
    ;   true
    ).

has_member(A, V) :-
    A = fd(L, H, D, B, _, _, _, _),
    (   integer(L) -> L =< V ; true ),
    (   integer(H) -> V =< H ; true ),
    (   D == i
    ->  true
    ;   integer(D)
    ->  I is V-B,
        1 is (D >> I) /\ 1
    ;   in_intervals(D, V)
    ).

%   The least member that is not less than V, and the greatest that is not greater.

member_from(D, B, V, V1) :-
    (   D == i
    ->  V1 = V
    ;   integer(D)
    ->  M is D >> (V-B),
        M =\= 0,
        V1 is V+lsb(M)
    ;   interval_from(D, V, V1)
    ).

interval_from([L-H|Is], V, V1) :-
    (   limit_less(H, V)
    ->  interval_from(Is, V, V1)
    ;   limit_less(V, L)
    ->  V1 = L
    ;   V1 = V
    ).

member_to(D, B, V, V1) :-
    (   D == i
    ->  V1 = V
    ;   integer(D)
    ->  M is D /\ ((2 << (V-B))-1),
        M =\= 0,
        V1 is B+msb(M)
    ;   interval_to(D, none, V, V1),
        V1 \== none
    ).

interval_to([], V, _, V).
interval_to([L-H|Is], Last, V, V1) :-
    (   limit_less(V, L)
    ->  V1 = Last
    ;   limit_less(H, V)
    ->  interval_to(Is, H, V, V1)
    ;   V1 = V
    ).

%!  at_least(?X, +V, Q0, Q) is semidet.
%!  at_most(?X, +V, Q0, Q) is semidet.
%
%   X is at least, at most, the integer V.

at_least(X, V, Q0, Q) :-
    (   integer(X)
    ->  X >= V,
        Q = Q0
    ;   get_attr(X, '$clpfd', A),
        arg(1, A, L),
        (   integer(L),
            L >= V
        ->  Q = Q0
        ;   raise(X, A, V, Q0, Q)
        )
    ).

raise(X, A, V, Q0, Q) :-
    A = fd(_, H, D, B, _, Bs, Ds, _),
    (   D == i
    ->  V1 = V
    ;   ( integer(H) -> V =< H ; true ),
        member_from(D, B, V, V1)
    ),
    (   H == sup
    ->  setarg(1, A, V1),
        wake(Bs, Q0, Q1),
        wake(Ds, Q1, Q)
    ;   V1 < H
    ->  setarg(1, A, V1),
        wake(Bs, Q0, Q1),
        wake(Ds, Q1, Q)
    ;   V1 =:= H,
        fix(X, A, V1, Q0, Q)
    ).

at_most(X, V, Q0, Q) :-
    (   integer(X)
    ->  X =< V,
        Q = Q0
    ;   get_attr(X, '$clpfd', A),
        arg(2, A, H),
        (   integer(H),
            H =< V
        ->  Q = Q0
        ;   lower(X, A, V, Q0, Q)
        )
    ).

lower(X, A, V, Q0, Q) :-
    A = fd(L, _, D, B, _, Bs, Ds, _),
    (   D == i
    ->  V1 = V
    ;   ( integer(L) -> V >= L ; true ),
        member_to(D, B, V, V1)
    ),
    (   L == inf
    ->  setarg(2, A, V1),
        wake(Bs, Q0, Q1),
        wake(Ds, Q1, Q)
    ;   V1 > L
    ->  setarg(2, A, V1),
        wake(Bs, Q0, Q1),
        wake(Ds, Q1, Q)
    ;   V1 =:= L,
        fix(X, A, V1, Q0, Q)
    ).

%!  soft_at_least(?X, +V, Q0, Q) is semidet.
%
%   The same, or nothing where a domain without end has been
%   cut at this end often, and not by far this time: what would go on for ever comes to its end. V may be inf.

soft_at_least(X, V, Q0, Q) :-
    (   V == inf
    ->  Q = Q0
    ;   may_step(X, V, 1, 2)
    ->  at_least(X, V, Q0, Q)
    ;   Q = Q0
    ).

%!  soft_at_most(?X, +V, Q0, Q) is semidet.

soft_at_most(X, V, Q0, Q) :-
    (   V == sup
    ->  Q = Q0
    ;   may_step(X, V, 2, 1)
    ->  at_most(X, V, Q0, Q)
    ;   Q = Q0
    ).

may_step(X, V, End, Other) :-
    (   integer(X)
    ->  true
    ;   get_attr(X, '$clpfd', A),
        arg(Other, A, O),
        (   integer(O)
        ->  true
        ;   arg(End, A, E),
            (   integer(E)
            ->  ( End =:= 1 -> V > E ; V < E ),
                arg(8, A, Steps),
                (   Steps < 10
                ->  Steps1 is Steps+1,
                    setarg(8, A, Steps1)
                ;   abs(V-E) > abs(E)+16,
                    abs(V) < 1<<512
                )
            ;   true
            )
        )
    ).

%!  soft_restrict(?X, +Intervals, Q0, Q) is semidet.
%
%   As restrict/4, or nothing.

soft_restrict(X, Is, Q0, Q) :-
    (   integer(X)
    ->  restrict(X, Is, Q0, Q)
    ;   get_attr(X, '$clpfd', A),
        A = fd(L, H, D, B, _, _, _, Steps),
        (   integer(L),
            integer(H)
        ->  restrict(X, Is, Q0, Q)
        ;   attribute_intervals(D, L, H, B, Old),
            intersection_of(Old, Is, New),
            (   New == Old
            ->  Q = Q0
            ;   New \== [],
                (   Steps < 10
                ->  Steps1 is Steps+1,
                    setarg(8, A, Steps1),
                    restrict(X, Is, Q0, Q)
                ;   Q = Q0
                )
            )
        )
    ).

%!  becomes(?X, +V, Q0, Q) is semidet.
%
%   X is the integer V.

becomes(X, V, Q0, Q) :-
    (   integer(X)
    ->  X =:= V,
        Q = Q0
    ;   get_attr(X, '$clpfd', A),
        has_member(A, V),
        (   arg(1, A, L),
            arg(2, A, H),
            L == H
        ->  Q = Q0
        ;   fix(X, A, V, Q0, Q)
        )
    ).

fix(X, A, V, Q0, Q) :-
    A = fd(_, _, _, _, I, Bs, Ds, _),
    (   I == []
    ->  Q1 = Q0
    ;   Q0 = [fixed(1, I)|Q1]
    ),
    wake(Bs, Q1, Q2),
    wake(Ds, Q2, Q3),
    get_attrs(X, att(_, _, Others)),
    (   Others == []
    ->  del_attr(X, '$clpfd'),
        X = V,
        Q = Q3
    ;   setarg(1, A, V),
        setarg(2, A, V),
        Q3 = [bind(1, X, V)|Q]
    ).

%!  remove(?X, +V, Q0, Q) is semidet.
%
%   X is not the integer V.

remove(X, V, Q0, Q) :-
    (   integer(X)
    ->  X =\= V,
        Q = Q0
    ;   get_attr(X, '$clpfd', A),
        A = fd(L, H, D, B, _, _, Ds, _),
        (   L == V
        ->  L \== H,
            V1 is V+1,
            raise(X, A, V1, Q0, Q)
        ;   H == V
        ->  V1 is V-1,
            lower(X, A, V1, Q0, Q)
        ;   integer(D)
        ->  (   L < V,
                V < H,
                Bit is 1 << (V-B),
                Bit /\ D =\= 0
            ->  D1 is D xor Bit,
                setarg(3, A, D1),
                wake(Ds, Q0, Q)
            ;   Q = Q0
            )
        ;   limit_less(L, V),
            limit_less(V, H)
        ->  remove_within(A, L, H, D, V, Q0, Q)
        ;   Q = Q0
        )
    ).

remove_within(A, L, H, D, V, Q0, Q) :-
    arg(7, A, Ds),
    (   D == i
    ->  (   integer(L),
            integer(H),
            wide(Wide),
            H-L < Wide
        ->  Bits is ((2 << (H-L))-1) xor (1 << (V-L)),
            setarg(3, A, Bits),
            setarg(4, A, L)
        ;   V0 is V-1,
            V1 is V+1,
            setarg(3, A, [L-V0,V1-H])
        ),
        wake(Ds, Q0, Q)
    ;   in_intervals(D, V)
    ->  V0 is V-1,
        V1 is V+1,
        clipped(D, L, H, Is0),
        intersection_of(Is0, [inf-V0,V1-sup], Is),
        put_holes(Is, L, H, A),
        wake(Ds, Q0, Q)
    ;   Q = Q0
    ).

%!  restrict(?X, +Intervals, Q0, Q) is semidet.
%
%   X is in one of the Intervals.

restrict(X, Is, Q0, Q) :-
    (   integer(X)
    ->  in_intervals(Is, X),
        Q = Q0
    ;   get_attr(X, '$clpfd', A),
        A = fd(L, H, D, B, _, Bs, Ds, _),
        attribute_intervals(D, L, H, B, Old),
        intersection_of(Old, Is, New),
        (   New == Old
        ->  Q = Q0
        ;   New = [L1-H0|Rest],
            last_limit(Rest, H0, H1),
            (   L1 == H1
            ->  fix(X, A, L1, Q0, Q)
            ;   put_holes(New, L1, H1, A),
                (   L == L1,
                    H == H1
                ->  Q1 = Q0
                ;   setarg(1, A, L1),
                    setarg(2, A, H1),
                    wake(Bs, Q0, Q1)
                ),
                wake(Ds, Q1, Q)
            )
        )
    ).

last_limit([], H, H).
last_limit([_-H0|Is], _, H) :-
    last_limit(Is, H0, H).

put_holes(Is, L, H, A) :-
    (   Is = [_]
    ->  setarg(3, A, i)
    ;   integer(L),
        integer(H),
        wide(Wide),
        H-L < Wide
    ->  intervals_bits(Is, L, H, 0, Bits),
        setarg(3, A, Bits),
        setarg(4, A, L)
    ;   setarg(3, A, Is)
    ).

%!  keep_bits(?X, +Bits, +Base, Q0, Q) is semidet.
%
%   X is one of those that Bits have, bit I standing for Base+I. Its domain must
%   be finite, and none of its members less than Base.

keep_bits(X, Bits, Base, Q0, Q) :-
    (   integer(X)
    ->  1 is (Bits >> (X-Base)) /\ 1,
        Q = Q0
    ;   get_attr(X, '$clpfd', A),
        A = fd(L, H, D, B, _, Bs, Ds, _),
        (   D == i
        ->  Old is ((2 << (H-L))-1) << (L-Base)
        ;   integer(D)
        ->  Old is ((D /\ ((2 << (H-B))-1)) >> (L-B)) << (L-Base)
        ;   intervals_bits(D, L, H, 0, Old0),
            Old is Old0 << (L-Base)
        ),
        New is Old /\ Bits,
        (   New =:= Old
        ->  Q = Q0
        ;   New =\= 0,
            L1 is Base+lsb(New),
            H1 is Base+msb(New),
            (   L1 =:= H1
            ->  fix(X, A, L1, Q0, Q)
            ;   setarg(3, A, New),
                setarg(4, A, Base),
                (   L =:= L1,
                    H =:= H1
                ->  Q1 = Q0
                ;   setarg(1, A, L1),
                    setarg(2, A, H1),
                    wake(Bs, Q0, Q1)
                ),
                wake(Ds, Q1, Q)
            )
        )
    ).

%   --- waiting ---

%!  wait_inst(?X, +Propagator) is det.
%
%   The propagator is woken when the variable is bound; when a bound of it changes,
%   too; when anything does.

wait_inst(X, P) :-
    wait(X, 5, P).

%!  wait_bounds(?X, +Propagator) is det.

wait_bounds(X, P) :-
    wait(X, 6, P).

%!  wait_any(?X, +Propagator) is det.

wait_any(X, P) :-
    wait(X, 7, P).

wait(X, I, P) :-
    (   integer(X)
    ->  true
    ;   fd_attribute(X, A),
        arg(I, A, Ps),
        setarg(I, A, [P|Ps])
    ).

%!  wake(+Propagators, Q0, Q) is det.
%
%   Those that wait go into the queue.

wake([], Q, Q).
wake([P|Ps], Q0, Q) :-
    arg(1, P, State),
    (   State == 0
    ->  setarg(1, P, 1),
        Q0 = [P|Q1]
    ;   State == (-)
    ->  setarg(1, P, 1),
        Q0 = [slow(1, P)|Q1]
    ;   Q1 = Q0
    ),
    wake(Ps, Q1, Q).

%!  idle(+Propagator) is det.
%
%   What a propagator says of itself when it may be woken again, and when it is over.

idle(P) :-
    setarg(1, P, 0).

%!  kill(+Propagator) is det.

kill(P) :-
    setarg(1, P, 2).

%!  start_all(+Queue) is semidet.
%
%   Queue-End.

start_all(Q-End) :-
    run_queue(Q, End, []).

%!  run_queue(+Queue, +End, +Slow) is semidet.

run_queue(Q, End, Slow) :-
    (   var(Q)
    ->  (   Slow == []
        ->  true
        ;   Slow = [P|Ps],
            propagate(P, P, End, End1),
            run_queue(Q, End1, Ps)
        )
    ;   Q = [P|Q1],
        (   P = slow(_, P1)
        ->  run_queue(Q1, End, [P1|Slow])
        ;   propagate(P, P, End, End1),
            run_queue(Q1, End1, Slow)
        )
    ).

%!  assign(?X, +V) is semidet.
%
%   X = V, and what follows from it.

assign(X, V) :-
    becomes(X, V, Q, End),
    run_queue(Q, End, []).

%   --- bindings by others ---

attr_unify_hook(A, Y) :-
    (   integer(Y)
    ->  has_member(A, Y),
        A = fd(_, _, _, _, I, Bs, Ds, _),
        Q = [fixed(1, I)|Q1],
        wake(Bs, Q1, Q2),
        wake(Ds, Q2, End),
        run_queue(Q, End, [])
    ;   var(Y)
    ->  (   get_attr(Y, '$clpfd', B)
        ->  merged(A, B, Y)
        ;   put_attr(Y, '$clpfd', A)
        )
    ;   throw(error(type_error(integer, Y), _))
    ).

%   All propagators of both have something to look at.

merged(A, B, Y) :-
    A = fd(L, H, D, Base, I1, Bs1, Ds1, _),
    B = fd(_, _, _, _, I2, Bs2, Ds2, _),
    attribute_intervals(D, L, H, Base, Is),
    joined(I1, I2, I),
    joined(Bs1, Bs2, Bs),
    joined(Ds1, Ds2, Ds),
    setarg(5, B, I),
    setarg(6, B, Bs),
    setarg(7, B, Ds),
    same_in_each(I),
    same_in_each(Bs),
    same_in_each(Ds),
    Q = [fixed(1, I)|Q1],
    wake(Bs, Q1, Q2),
    wake(Ds, Q2, Q3),
    restrict(Y, Is, Q3, End),
    run_queue(Q, End, []).

joined([], Ps, Ps).
joined([P|Ps], Qs, [P|Rs]) :-
    joined(Ps, Qs, Rs).

same_in_each([]).
same_in_each([P|Ps]) :-
    became_same(P),
    same_in_each(Ps).

attribute_goals(X) -->
    { get_attr(X, '$clpfd', A) },
    residual_goals(X, A).
