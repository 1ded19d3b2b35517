:- module('$fd_residues',
          [ residual_goals/4
          ]).

:- use_module(library(clpfd/intervals),
              [ intervals_domain/2
              ]).
:- use_module(library(clpfd/variables),
              [ domain_of/2
              ]).
:- use_module(library(clpfd/linear),
              [ without_values/4
              ]).
:- use_module(library(clpfd/tables),
              [ rows_of_columns/3
              ]).

/*  Propagators told as goals, for copy_term/3 and the toplevel.

    The goals are those that SWI-Prolog shows, as far as they are of the same kind. Each propagator is told with the first of
    its variables: then its state says that it is over. This is called for a copy of what is
    told, or where it is undone.
*/

%!  residual_goals(+X, +Attribute, -Goals, ?Rest) is det.

residual_goals(X, A, Gs0, Gs) :-
    A = fd(L, H, D, _, I, Bs, Ds, _),
    (   L == inf,
        H == sup,
        D == i
    ->  (   I == [],
            Bs == [],
            Ds == []
        ->  Gs0 = [clpfd:in(X, '..'(inf, sup))|Gs1]
        ;   Gs0 = Gs1
        )
    ;   domain_of(X, Is),
        intervals_domain(Is, Domain),
        Gs0 = [clpfd:in(X, Domain)|Gs1]
    ),
    told_each(Ds, Gs1, Gs2),
    told_each(Bs, Gs2, Gs3),
    told_each(I, Gs3, Gs).

told_each([], Gs, Gs).
told_each([P|Ps], Gs0, Gs) :-
    (   arg(1, P, 2)
    ->  Gs0 = Gs1
    ;   told(P, Goal)
    ->  setarg(1, P, 2),
        (   Goal = clpfd:true
        ->  Gs0 = Gs1
        ;   Gs0 = [Goal|Gs1]
        )
    ;   Gs0 = Gs1
    ),
    told_each(Ps, Gs1, Gs).

told(P, clpfd:Goal) :-
    goal_of(P, Goal).

%   goal_of(+Propagator, -Goal): true where nothing is to be said; fails where it has been said by another one.

goal_of(plus(_, Ts, C), Goal) :-
    goal_of(lin_eq(0, Ts, C), Goal).
goal_of(lin_eq(_, Ts, C), Goal) :-
    sides(Ts, C, Left, Right, D),
    (   Left = [_],
        Right = [_,_|_],
        D =:= 0
    ->  equation(#=, Right, Left, 0, Goal)
    ;   equation(#=, Left, Right, D, Goal)
    ).
goal_of(lin_le(_, Ts, C), Goal) :-
    sides(Ts, C, Left, Right, D),
    equation(#=<, Left, Right, D, Goal).
goal_of(lin_ne(_, Ts, C), Goal) :-
    sides(Ts, C, Left, Right, D),
    equation(#\=, Left, Right, D, Goal).
goal_of(offset(_, X, Y, C), Goal) :-
    (   C > 0
    ->  Goal = #=(Y+C, X)
    ;   C =:= 0
    ->  Goal = #=(X, Y)
    ;   C1 is -C,
        Goal = #=(X+C1, Y)
    ).
goal_of(mirror(_, X, Y, C), Goal) :-
    goal_of(lin_eq(0, t(1, X, t(1, Y, end)), C), Goal).
goal_of(line(_, A, X, B, Y, C), Goal) :-
    goal_of(lin_eq(0, t(A, X, t(B, Y, end)), C), Goal).
goal_of(order(_, X, Y, C), Goal) :-
    (   C =:= 0
    ->  Goal = #>=(Y, X)
    ;   Goal = #=<(X, Y+C)
    ).
goal_of(ne(_, X, Y, C), Goal) :-
    (   ( nonvar(X) ; nonvar(Y) )
    ->  Goal = true
    ;   C =:= 0
    ->  Goal = #\=(X, Y)
    ;   C > 0
    ->  Goal = #\=(X, Y+C)
    ;   C1 is -C,
        Goal = #\=(Y, X+C1)
    ).
goal_of(unlike(_, X, Y, C), Goal) :-
    (   ( nonvar(X) ; nonvar(Y) )
    ->  Goal = true
    ;   Goal = #\=(abs(X-Y), C)
    ).
goal_of(far(_, X, Y, C), #>=(abs(X-Y), C)).
goal_of(others(_, _, _, Group), Goal) :-
    Group = group(Told, Goal0),
    (   Told == no
    ->  setarg(1, Group, yes),
        Goal = Goal0
    ;   Goal = true
    ).
goal_of(distinct(_, _, _, Goal), Goal).
goal_of(times(_, X, Y, Z), #=(X*Y, Z)).
goal_of(power(_, X, Y, Z), #=(X^Y, Z)).
goal_of(quotient(_, X, Y, Z), #=(X//Y, Z)).
goal_of(div(_, X, Y, Z), #=(X div Y, Z)).
goal_of(mod(_, X, Y, Z), #=(X mod Y, Z)).
goal_of(rem(_, X, Y, Z), #=(X rem Y, Z)).
goal_of(abs(_, X, Z), #=(Z, abs(X))).
goal_of(msb(_, X, Z), #=(Z, msb(X))).
goal_of(min(_, X, Y, Z), #=(Z, min(X, Y))).
goal_of(max(_, X, Y, Z), #=(Z, max(X, Y))).
goal_of(and(_, X, Y, Z), #=(Z, X/\Y)).
goal_of(or(_, X, Y, Z), #=(Z, X\/Y)).
goal_of(xor(_, X, Y, Z), #=(Z, xor(X, Y))).
goal_of(reified(_, Relation, B, Ts, C), #<==>(Goal, B)) :-
    (   Relation == eq
    ->  goal_of(lin_eq(0, Ts, C), Goal)
    ;   Relation == ne
    ->  goal_of(lin_ne(0, Ts, C), Goal)
    ;   order_goal(Ts, C, Goal)
    ).
goal_of(reified_in(_, B, X, Is), #<==>(in(X, D), B)) :-
    intervals_domain(Is, D).
goal_of(bool(_, Op, A, B, C), Goal) :-
    truth_goal(Op, A, B, C, Goal).
goal_of(guarded(_, D, Op, Z), #==>(#=(D, 1), Goal)) :-
    Op =.. [Name|As],
    append(As, [Z], Vs),
    P =.. [Name,0|Vs],
    goal_of(P, Goal).
goal_of(element(_, I, Xs, V), element(I, L, V)) :-
    Xs =.. [_|L].
goal_of(tuple(_, Xs, Columns, Rows), tuples_in([Xs], Table)) :-
    rows_of_columns(Columns, Rows, Table).
goal_of(rows(_, Xs, Rows), tuples_in([Xs], Table)) :-
    sort(Rows, Ordered),
    lists_of(Ordered, Table).
goal_of(cardinality(_, _, _, _, Group), Goal) :-
    goal_of(others(0, 0, [], Group), Goal).
goal_of(apart(_, _, _, _, _, Group), Goal) :-
    goal_of(others(0, 0, [], Group), Goal).
goal_of(circuit(_, Vs), circuit(Xs)) :-
    Vs =.. [_|Xs].
goal_of(cumulative(_, Ts, Limit), cumulative(Tasks, [limit(Limit)])) :-
    tasks_of(Ts, Tasks).
goal_of(lex(_, Xs, Ys), lex_chain([Xs,Ys])).
goal_of(compare(_, O, X, Y), zcompare(O, X, Y)).

%   X >= C where that is all.

order_goal(Ts, C, Goal) :-
    (   Ts = t(K, X, end),
        ( K =:= 1 ; K =:= -1 )
    ->  (   K =:= 1
        ->  Goal = #>=(C, X)
        ;   C1 is -C,
            Goal = #>=(X, C1)
        )
    ;   Ts = t(1, X, t(-1, Y, end)),
        C =:= 0
    ->  Goal = #>=(Y, X)
    ;   Ts = t(-1, Y, t(1, X, end)),
        C =:= 0
    ->  Goal = #>=(Y, X)
    ;   goal_of(lin_le(0, Ts, C), Goal)
    ).

truth_goal(and, A, B, C, #<==>(#/\(A, B), C)).
truth_goal(or, A, B, C, #<==>(#\/(A, B), C)).
truth_goal(eqv, A, B, C, #<==>(#<==>(A, B), C)).
truth_goal(imp, A, B, C, Goal) :-
    (   C == 1
    ->  Goal = #==>(A, B)
    ;   Goal = #<==>(#==>(A, B), C)
    ).
truth_goal(xor, A, B, C, Goal) :-
    (   C == 1
    ->  Goal = #<==>(#\(A), B)
    ;   Goal = #<==>(#\(A, B), C)
    ).

tasks_of([], []).
tasks_of([t(S, D, E, C)|Ts], [task(S, D, E, C, _)|Tasks]) :-
    tasks_of(Ts, Tasks).

%   sides(+Terms, +C, -Left, -Right, -D): the sum of Left is that of Right and D.

sides(Ts0, C0, Left, Right, D) :-
    without_values(Ts0, C0, Ts, D),
    sides(Ts, Left, Right).

sides(end, [], []).
sides(t(K, X, Ts), Left, Right) :-
    (   K > 0
    ->  Left = [K*X|Left1],
        Right = Right1
    ;   K1 is -K,
        Left = Left1,
        Right = [K1*X|Right1]
    ),
    sides(Ts, Left1, Right1).

equation(Relation, Left0, Right0, D, Goal) :-
    (   D >= 0
    ->  with_number(Left0, 0, Left),
        with_number(Right0, D, Right)
    ;   D1 is -D,
        with_number(Left0, D1, Left),
        with_number(Right0, 0, Right)
    ),
    Goal =.. [Relation,Left,Right].

with_number([], N, N).
with_number([T0|Ts], N, Sum) :-
    plain_term(T0, T),
    summed(Ts, T, Sum0),
    ( N =:= 0 -> Sum = Sum0 ; Sum = Sum0+N ).

summed([], Sum, Sum).
summed([T0|Ts], Sum0, Sum) :-
    plain_term(T0, T),
    summed(Ts, Sum0+T, Sum).

plain_term(K*X, T) :-
    ( K =:= 1 -> T = X ; T = K*X ).

%   lists_of(+Rows, -Table): of large tables.

lists_of([], []).
lists_of([R|Rs], [L|Ls]) :-
    R =.. [_|L],
    lists_of(Rs, Ls).
