:- module('$fd_scheduling',
          [ post_cumulative/2,
            post_disjoint/1,
            post_serialized/2,
            run_apart/3,
            run_cumulative/3
          ]).

:- use_module(library(clpfd/variables),
              [ bounds/3,
                at_least/4,
                at_most/4,
                soft_at_least/4,
                soft_at_most/4,
                idle/1,
                wait_bounds/2,
                kill/1,
                start_all/1
              ]).
:- use_module(library(clpfd/expressions),
              [ post_comparison/3,
                value_of/2
              ]).
:- use_module(library(clpfd/reified),
              [ post_true/1
              ]).

/*  Tasks and rectangles.

        cumulative(State, Tasks, Limit)     Tasks has t(Start, Duration, End, Need)
        apart(State, X, D, Y, E, Group)     X+D =< Y or Y+E =< X; Group: see distinct.pl

    Time-table reasoning (Beldiceanu and Carlsson, "A new multi-resource cumulatives constraint with negative
    heights", CP 2002, of which this is the case of one resource): what tasks take at all events, between their latest
    starts and earliest ends, is a profile; no task lies where it and the profile exceed the limit.
*/

%!  post_cumulative(+Tasks, +Options) is semidet.

post_cumulative(Tasks, Options) :-
    must_be(list, Tasks),
    must_be(list, Options),
    limit(Options, 1, Limit0),
    value_of(Limit0, Limit),
    tasks(Tasks, Ts),
    (   Ts == []
    ->  true
    ;   ( integer(Limit) -> true ; post_comparison(le, 0, Limit) ),
        P = cumulative(1, Ts, Limit),
        wait_tasks(Ts, P),
        wait_bounds(Limit, P),
        start_all([slow(1, P)|Q]-Q)
    ).

limit([], L, L).
limit([O|Os], _, L) :-
    (   var(O)
    ->  throw(error(instantiation_error, _))
    ;   O = limit(L1)
    ->  limit(Os, L1, L)
    ;   throw(error(domain_error(cumulative_options_empty_or_limit, [O]), _))
    ).

tasks([], []).
tasks([T0|Ts0], [t(S, D, E, C)|Ts]) :-
    (   nonvar(T0),
        T0 = task(S0, D0, E0, C0, _)
    ->  value_of(S0, S),
        value_of(D0, D),
        value_of(E0, E),
        value_of(C0, C),
        post_comparison(le, 1, D),
        post_comparison(le, 0, C),
        post_comparison(eq, S+D, E),
        bounded(S),
        bounded(E)
    ;   throw(error(type_error(task, T0), _))
    ),
    tasks(Ts0, Ts).

bounded(X) :-
    bounds(X, L, H),
    (   integer(L),
        integer(H)
    ->  true
    ;   throw(error(instantiation_error, _))
    ).

wait_tasks([], _).
wait_tasks([t(S, D, E, C)|Ts], P) :-
    wait_bounds(S, P),
    wait_bounds(D, P),
    wait_bounds(E, P),
    wait_bounds(C, P),
    wait_tasks(Ts, P).

%!  run_cumulative(+Propagator, Q0, Q) is semidet.

run_cumulative(P, Q0, Q) :-
    P = cumulative(_, Ts, Limit),
    setarg(1, P, -),
    compulsory(Ts, Events0),
    msort(Events0, Events),
    profile(Events, Profile, 0, Highest),
    at_least(Limit, Highest, Q0, Q1),
    bounds(Limit, _, Most),
    (   integer(Most)
    ->  place_each(Ts, Profile, Most, Q1, Q),
        (   all_placed(Ts)
        ->  kill(P)
        ;   true
        )
    ;   Q = Q1
    ).

all_placed([]).
all_placed([t(S, D, E, C)|Ts]) :-
    integer(S),
    integer(D),
    integer(E),
    integer(C),
    all_placed(Ts).

%   Time-Change: what is taken from the latest start to the earliest end.

compulsory([], []).
compulsory([t(S, _, E, C)|Ts], Events) :-
    bounds(S, _, From),
    bounds(E, To, _),
    bounds(C, Need, _),
    (   Need > 0,
        From < To
    ->  Less is -Need,
        Events = [From-Need,To-Less|Events1]
    ;   Events = Events1
    ),
    compulsory(Ts, Events1).

%   Segments s(From, To, Height) with Height > 0, in order.

profile(Events, Profile, Highest0, Highest) :-
    profile(Events, 0, Profile, Highest0, Highest).

profile([], _, [], Highest, Highest).
profile([T-D|Es], Height0, Profile, Highest0, Highest) :-
    same_time(Es, T, D, Change, Es1),
    Height is Height0+Change,
    Highest1 is max(Highest0, Height),
    (   Height > 0,
        Es1 = [Next-_|_]
    ->  Profile = [s(T, Next, Height)|Profile1]
    ;   Profile = Profile1
    ),
    profile(Es1, Height, Profile1, Highest1, Highest).

same_time(Es, T, D0, D, Rest) :-
    (   Es = [T1-D1|Es1],
        T1 =:= T
    ->  D2 is D0+D1,
        same_time(Es1, T, D2, D, Rest)
    ;   D = D0,
        Rest = Es
    ).

place_each([], _, _, Q, Q).
place_each([T|Ts], Profile, Limit, Q0, Q) :-
    T = t(S, D, E, C),
    bounds(C, Need, _),
    bounds(D, Shortest, _),
    (   Shortest > 0
    ->  bounds(S, _, From),
        bounds(E, To, _),
        spare(Profile, From, To, Need, Limit, Spare),
        at_most(C, Spare, Q0, Q2),
        (   Need > 0,
            \+ integer(S)
        ->  later(Profile, T, Shortest, From, To, Need, Limit, Q2, Q3),
            reversed_segments(Profile, [], Backwards),
            earlier(Backwards, T, Shortest, From, To, Need, Limit, Q3, Q1)
        ;   Q1 = Q2
        )
    ;   Q1 = Q0
    ),
    place_each(Ts, Profile, Limit, Q1, Q).

%   What a task may take at most, as far as its own compulsory part says.

spare(Profile, From, To, Need, Limit, Spare) :-
    (   From < To
    ->  height_within(Profile, From, To, 0, Height),
        Others is max(0, Height-Need),
        Spare is Limit-Others
    ;   Spare = Limit
    ).

height_within([], _, _, H, H).
height_within([s(A, B, Height)|Ss], From, To, H0, H) :-
    (   A < To,
        From < B
    ->  H1 is max(H0, Height)
    ;   H1 = H0
    ),
    height_within(Ss, From, To, H1, H).

%   The height of the profile without the task itself.

too_high(A, B, Height, From, To, Need, Limit) :-
    (   From < To,
        From =< A,
        B =< To
    ->  Height > Limit
    ;   Height+Need > Limit
    ).

later([], _, _, _, _, _, _, Q, Q).
later([s(A, B, Height)|Ss], T, D, From, To, Need, Limit, Q0, Q) :-
    T = t(S, _, _, _),
    (   too_high(A, B, Height, From, To, Need, Limit),
        bounds(S, L, _),
        L < B,
        L > A-D
    ->  at_least(S, B, Q0, Q1)
    ;   Q1 = Q0
    ),
    later(Ss, T, D, From, To, Need, Limit, Q1, Q).

reversed_segments([], Ss, Ss).
reversed_segments([S|Ss0], Acc, Ss) :-
    reversed_segments(Ss0, [S|Acc], Ss).

earlier([], _, _, _, _, _, _, Q, Q).
earlier([s(A, B, Height)|Ss], T, D, From, To, Need, Limit, Q0, Q) :-
    T = t(_, _, E, _),
    (   too_high(A, B, Height, From, To, Need, Limit),
        bounds(E, _, H),
        H > A,
        H < B+D
    ->  at_most(E, A, Q0, Q1)
    ;   Q1 = Q0
    ),
    earlier(Ss, T, D, From, To, Need, Limit, Q1, Q).

%!  post_serialized(+Starts, +Durations) is semidet.

post_serialized(Ss, Ds) :-
    each_serialized(Ss, Ds, group(no, serialized(Ss, Ds)), Q, End),
    start_all(Q-End).

each_serialized([], [], _, Q, Q).
each_serialized([S|Ss], [D|Ds], Group, Q0, Q) :-
    apart_each(Ss, Ds, S, D, Group, Q0, Q1),
    each_serialized(Ss, Ds, Group, Q1, Q).

apart_each([], [], _, _, _, Q, Q).
apart_each([Y|Ys], [E|Es], X, D, Group, Q0, Q) :-
    P = apart(1, X, D, Y, E, Group),
    wait_bounds(X, P),
    wait_bounds(Y, P),
    Q0 = [P|Q1],
    apart_each(Ys, Es, X, D, Group, Q1, Q).

%!  run_apart(+Propagator, Q0, Q) is semidet.

run_apart(P, Q0, Q) :-
    P = apart(_, X, D, Y, E, _),
    idle(P),
    bounds(X, LX, HX),
    bounds(Y, LY, HY),
    (   cannot_be_before(LX, D, HY)
    ->  \+ cannot_be_before(LY, E, HX),
        before(Y, LY, E, X, HX, Q0, Q)
    ;   cannot_be_before(LY, E, HX)
    ->  before(X, LX, D, Y, HY, Q0, Q)
    ;   Q = Q0
    ).

cannot_be_before(L, D, H) :-
    integer(L),
    integer(H),
    L+D > H.

%   X+D =< Y

before(X, LX, D, Y, HY, Q0, Q) :-
    (   integer(LX)
    ->  V is LX+D,
        soft_at_least(Y, V, Q0, Q1)
    ;   Q1 = Q0
    ),
    (   integer(HY)
    ->  W is HY-D,
        soft_at_most(X, W, Q1, Q)
    ;   Q = Q1
    ).

%!  post_disjoint(+Rectangles) is semidet.
%
%   Each two of them lie beside or above each other.

post_disjoint(Rs) :-
    must_be(list, Rs),
    each_apart(Rs).

each_apart([]).
each_apart([R|Rs]) :-
    apart_from(Rs, R),
    each_apart(Rs).

apart_from([], _).
apart_from([R2|Rs], R1) :-
    R1 =.. [_,X1,W1,Y1,H1],
    R2 =.. [_,X2,W2,Y2,H2],
    post_true(#\/(#=<(X1+W1, X2),
                  #\/(#=<(X2+W2, X1),
                      #\/(#=<(Y1+H1, Y2),
                          #=<(Y2+H2, Y1))))),
    apart_from(Rs, R1).
