:- module('$fd_labeling',
          [ label_variables/1,
            label_with/2,
            degree/2
          ]).

:- use_module(library(clpfd/variables),
              [ fd_attribute/2,
                bounds/3,
                domain_of/2,
                size_of/2,
                at_least/4,
                at_most/4,
                remove/4,
                start_all/1,
                assign/2
              ]).
:- use_module(library(clpfd/expressions),
              [ value_of/2
              ]).

/*  Labeling: values for variables, by choice.

    A choice is made in one of three ways: X = V or X \= V (step), each of the values in
    its turn (enum), one half of the domain or the other (bisect). After each step the
    variable is selected anew, so that a first-fail selection may go to another one.
*/

%!  label_variables(+Variables) is nondet.

label_variables(Vs) :-
    check_variables(Vs),
    label_leftmost(Vs).

%   Those of label/1: leftmost, up, step.

label_leftmost([]).
label_leftmost([V|Vs]) :-
    (   integer(V)
    ->  label_leftmost(Vs)
    ;   step_up(V),
        label_leftmost(Vs)
    ).

step_up(V) :-
    get_attr(V, '$clpfd', A),
    arg(1, A, L),
    (   assign(V, L)
    ;   remove(V, L, Q, End),
        start_all(Q-End),
        ( integer(V) -> true ; step_up(V) )
    ).

check_variables(Vs) :-
    must_be(list, Vs),
    check_each(Vs).

check_each([]).
check_each([V|Vs]) :-
    (   integer(V)
    ->  true
    ;   fd_attribute(V, A),
        arg(1, A, L),
        arg(2, A, H),
        integer(L),
        integer(H)
    ->  true
    ;   throw(error(instantiation_error, _))
    ),
    check_each(Vs).

%!  label_with(+Options, +Variables) is nondet.
%
%   @error domain_error(consistent_labeling_options, Options)

label_with(Options, Vs) :-
    must_be(list, Options),
    must_be(list, Vs),
    check_each(Vs),
    options(Options, Options, how(leftmost, up, step), How, [], Optimise),
    (   Optimise == []
    ->  label_how(How, Vs)
    ;   reversed(Optimise, [], Goals),
        optimise(Goals, How, Vs)
    ).

reversed([], Gs, Gs).
reversed([G|Gs0], Acc, Gs) :-
    reversed(Gs0, [G|Acc], Gs).

label_how(how(Selection, Order, Choice), Vs) :-
    (   Selection == leftmost,
        Order == up,
        Choice == step
    ->  label_leftmost(Vs)
    ;   label_some(Vs, Selection, Order, Choice)
    ).

%   options(+Options, +All, +How0, -How, +Optimise0, -Optimise): each kind once.

options(Os, All, How0, How, Opt0, Opt) :-
    options(Os, All, seen(no, no, no), How0, How, Opt0, Opt).

options([], _, _, How, How, Opt, Opt).
options([O|Os], All, Seen0, How0, How, Opt0, Opt) :-
    (   var(O)
    ->  throw(error(instantiation_error, _))
    ;   option_kind(O, I)
    ->  (   arg(I, Seen0, no)
        ->  true
        ;   throw(error(domain_error(consistent_labeling_options, All), _))
        ),
        put_arg(I, Seen0, yes, Seen),
        put_arg(I, How0, O, How1),
        options(Os, All, Seen, How1, How, Opt0, Opt)
    ;   is_extreme(O)
    ->  options(Os, All, Seen0, How0, How, [O|Opt0], Opt)
    ;   throw(error(domain_error(labeling_option, O), _))
    ).

option_kind(leftmost, 1).
option_kind(ff, 1).
option_kind(ffc, 1).
option_kind(min, 1).
option_kind(max, 1).
option_kind(up, 2).
option_kind(down, 2).
option_kind(step, 3).
option_kind(enum, 3).
option_kind(bisect, 3).

is_extreme(min(_)).
is_extreme(max(_)).

put_arg(I, T0, X, T) :-
    T0 =.. [F|As0],
    put_nth(I, As0, X, As),
    T =.. [F|As].

put_nth(1, [_|As], X, [X|As]) :- !.
put_nth(I, [A|As0], X, [A|As]) :-
    I1 is I-1,
    put_nth(I1, As0, X, As).

%   --- choices ---

label_some(Vs0, Selection, Order, Choice) :-
    unbound(Vs0, Vs),
    (   Vs == []
    ->  true
    ;   select_variable(Selection, Vs, V, Rest),
        choose(Choice, Order, V, Rest, Vs, Selection)
    ).

unbound([], []).
unbound([V|Vs0], Vs) :-
    (   integer(V)
    ->  unbound(Vs0, Vs)
    ;   Vs = [V|Vs1],
        unbound(Vs0, Vs1)
    ).

choose(step, Order, V, Rest, Vs, Selection) :-
    end_of(Order, V, N),
    (   assign(V, N),
        label_some(Rest, Selection, Order, step)
    ;   remove(V, N, Q, End),
        start_all(Q-End),
        label_some(Vs, Selection, Order, step)
    ).
choose(enum, Order, V, Rest, _, Selection) :-
    domain_of(V, Is0),
    ( Order == up -> Is = Is0 ; reversed(Is0, [], Is) ),
    member_of(Is, Order, N),
    assign(V, N),
    label_some(Rest, Selection, Order, enum).
choose(bisect, Order, V, _, Vs, Selection) :-
    bounds(V, L, H),
    Middle is (L+H) >> 1,
    Next is Middle+1,
    (   Order == up
    ->  (   at_most(V, Middle, Q, End)
        ;   at_least(V, Next, Q, End)
        )
    ;   (   at_least(V, Next, Q, End)
        ;   at_most(V, Middle, Q, End)
        )
    ),
    start_all(Q-End),
    label_some(Vs, Selection, Order, bisect).

end_of(up, V, N) :-
    bounds(V, N, _).
end_of(down, V, N) :-
    bounds(V, _, N).

member_of([L-H|Is], Order, N) :-
    (   Is == []
    ->  in_interval(Order, L, H, N)
    ;   (   in_interval(Order, L, H, N)
        ;   member_of(Is, Order, N)
        )
    ).

in_interval(up, L, H, N) :-
    between(L, H, N).
in_interval(down, L, H, N) :-
    down_from(H, L, N).

down_from(H, L, N) :-
    (   H =:= L
    ->  N = H
    ;   (   N = H
        ;   H1 is H-1,
            down_from(H1, L, N)
        )
    ).

%   select_variable(+Selection, +Variables, -Variable, -Others)

select_variable(leftmost, [V|Vs], V, Vs).
select_variable(ff, [V|Vs], X, Rest) :-
    size_of(V, N),
    least_size(Vs, V, N, X),
    without(X, [V|Vs], Rest).
select_variable(ffc, [V|Vs], X, Rest) :-
    size_of(V, N),
    degree(V, D),
    least_size_most(Vs, V, N, D, X),
    without(X, [V|Vs], Rest).
select_variable(min, [V|Vs], X, Rest) :-
    bounds(V, L, _),
    least_low(Vs, V, L, X),
    without(X, [V|Vs], Rest).
select_variable(max, [V|Vs], X, Rest) :-
    bounds(V, _, H),
    greatest_high(Vs, V, H, X),
    without(X, [V|Vs], Rest).

least_size([], X, _, X).
least_size([V|Vs], X0, N0, X) :-
    (   N0 =:= 2
    ->  X = X0
    ;   size_of(V, N),
        (   N < N0
        ->  least_size(Vs, V, N, X)
        ;   least_size(Vs, X0, N0, X)
        )
    ).

least_size_most([], X, _, _, X).
least_size_most([V|Vs], X0, N0, D0, X) :-
    size_of(V, N),
    (   N > N0
    ->  least_size_most(Vs, X0, N0, D0, X)
    ;   degree(V, D),
        (   (   N < N0
            ;   D > D0
            )
        ->  least_size_most(Vs, V, N, D, X)
        ;   least_size_most(Vs, X0, N0, D0, X)
        )
    ).

least_low([], X, _, X).
least_low([V|Vs], X0, L0, X) :-
    bounds(V, L, _),
    (   L < L0
    ->  least_low(Vs, V, L, X)
    ;   least_low(Vs, X0, L0, X)
    ).

greatest_high([], X, _, X).
greatest_high([V|Vs], X0, H0, X) :-
    bounds(V, _, H),
    (   H > H0
    ->  greatest_high(Vs, V, H, X)
    ;   greatest_high(Vs, X0, H0, X)
    ).

without(X, [V|Vs], Rest) :-
    (   V == X
    ->  Rest = Vs
    ;   Rest = [V|Rest1],
        without(X, Vs, Rest1)
    ).

%   --- the best first ---

%   Solutions in the order of an expression's value, and of those after it where it is the same. The best value is looked for by branch
%   and bound: after each solution for a better one, from the beginning. Who wants to have the others, too, gets them from a search
%   for all of them.

optimise([], How, Vs) :-
    label_how(How, Vs).
optimise([Goal|Goals], How, Vs) :-
    functor(Goal, Which, 1),
    arg(1, Goal, E),
    value_of(E, X),
    fd_variable(X),
    solution_value(X, How, Vs, N0),
    improved(Which, N0, X, How, Vs, Best),
    (   assign_value(X, Best),
        optimise(Goals, How, Vs)
    ;   worse(Which, X, Best, Q, End),
        start_all(Q-End),
        findall(N, ( label_how(How, Vs), value(X, N) ), Ns0),
        sort(Ns0, Ns1),
        ( Which == min -> Ns = Ns1 ; reversed(Ns1, [], Ns) ),
        member(N, Ns),
        assign_value(X, N),
        optimise(Goals, How, Vs)
    ).

fd_variable(X) :-
    ( integer(X) -> true ; fd_attribute(X, _) ).

assign_value(X, N) :-
    ( integer(X) -> X =:= N ; assign(X, N) ).

solution_value(X, How, Vs, N) :-
    findall(N0, ( once(label_how(How, Vs)), value(X, N0) ), [N]).

value(X, N) :-
    (   integer(X)
    ->  N = X
    ;   throw(error(instantiation_error, _))
    ).

improved(Which, N0, X, How, Vs, N) :-
    (   findall(N1, ( better(Which, X, N0, Q, End), start_all(Q-End), once(label_how(How, Vs)), value(X, N1) ), [N2])
    ->  improved(Which, N2, X, How, Vs, N)
    ;   N = N0
    ).

better(min, X, N, Q0, Q) :-
    V is N-1,
    at_most(X, V, Q0, Q).
better(max, X, N, Q0, Q) :-
    V is N+1,
    at_least(X, V, Q0, Q).

worse(min, X, N, Q0, Q) :-
    better(max, X, N, Q0, Q).
worse(max, X, N, Q0, Q) :-
    better(min, X, N, Q0, Q).

%!  degree(?X, -N) is det.
%
%   How many propagators X has that are not over.

degree(X, N) :-
    (   get_attr(X, '$clpfd', A)
    ->  A = fd(_, _, _, _, I, Bs, Ds, _),
        alive(I, 0, N1),
        alive(Bs, N1, N2),
        alive(Ds, N2, N)
    ;   N = 0
    ).

alive([], N, N).
alive([P|Ps], N0, N) :-
    arg(1, P, State),
    (   State == 2
    ->  alive(Ps, N0, N)
    ;   N1 is N0+1,
        alive(Ps, N1, N)
    ).
