:- module('$fd_circuits',
          [ post_circuit/1,
            run_circuit/3
          ]).

:- use_module(library(clpfd/variables),
              [ fd_attribute/2,
                bits_of/4,
                remove/4,
                restrict/4,
                wait_any/2,
                start_all/1,
                kill/1
              ]).
:- use_module(library(clpfd/distinct),
              [ post_distinct/4
              ]).

/*  One round through all: X, the I-th variable, says who comes after I.

        circuit(State, Vars)

    The variables are different, no path that values make is closed too early (Caseau and Laburthe, "Solving small
    TSPs with constraints", ICLP 1997), and each is reached from the first one, and the first
    one from each. As the others do it all again after each step, it runs when nothing else has to.
*/

%!  post_circuit(+Variables) is semidet.

post_circuit(Xs) :-
    length(Xs, N),
    (   N =:= 0
    ->  true
    ;   each_within(Xs, N, Q, Q1),
        (   N =:= 1
        ->  Q1 = End
        ;   no_self(Xs, 1, Q1, Q2),
            post_distinct(Xs, true, Q2, Q3),
            Vs =.. [v|Xs],
            P = circuit(1, Vs),
            wait_any_each_of(Xs, P),
            Q3 = [slow(1, P)|End]
        ),
        start_all(Q-End)
    ).

each_within([], _, Q, Q).
each_within([X|Xs], N, Q0, Q) :-
    ( integer(X) -> true ; fd_attribute(X, _) ),
    restrict(X, [1-N], Q0, Q1),
    each_within(Xs, N, Q1, Q).

no_self([], _, Q, Q).
no_self([X|Xs], I, Q0, Q) :-
    remove(X, I, Q0, Q1),
    I1 is I+1,
    no_self(Xs, I1, Q1, Q).

wait_any_each_of([], _).
wait_any_each_of([X|Xs], P) :-
    wait_any(X, P),
    wait_any_each_of(Xs, P).

%!  run_circuit(+Propagator, Q0, Q) is semidet.

run_circuit(P, Q0, Q) :-
    P = circuit(_, Vs),
    functor(Vs, _, N),
    (   ground(Vs)
    ->  one_round(1, Vs, 1, N),
        kill(P),
        Q = Q0
    ;   setarg(1, P, -),
        arcs(N, Vs, [], Arcs),
        All is (2 << N)-2,
        reached(Arcs, 2, All),
        reaching(Arcs, 2, All),
        targets(N, Vs, 0, Targets),
        paths(N, Vs, N, Targets, Q0, Q)
    ).

one_round(I, Vs, Count, N) :-
    arg(I, Vs, J),
    (   Count =:= N
    ->  J =:= 1
    ;   J =\= 1,
        Count1 is Count+1,
        one_round(J, Vs, Count1, N)
    ).

arcs(I, Vs, Arcs0, Arcs) :-
    (   I =:= 0
    ->  Arcs = Arcs0
    ;   arg(I, Vs, X),
        bits_of(X, Bits, L, _),
        To is Bits << L,
        I1 is I-1,
        arcs(I1, Vs, [I-To|Arcs0], Arcs)
    ).

reached(Arcs, S0, All) :-
    (   S0 =:= All
    ->  true
    ;   reached_once(Arcs, S0, S1),
        S1 =\= S0,
        reached(Arcs, S1, All)
    ).

reached_once([], S, S).
reached_once([I-To|Arcs], S0, S) :-
    (   (S0 >> I) /\ 1 =:= 1
    ->  S1 is S0 \/ To
    ;   S1 = S0
    ),
    reached_once(Arcs, S1, S).

reaching(Arcs, S0, All) :-
    (   S0 =:= All
    ->  true
    ;   reaching_once(Arcs, S0, S1),
        S1 =\= S0,
        reaching(Arcs, S1, All)
    ).

reaching_once([], S, S).
reaching_once([I-To|Arcs], S0, S) :-
    (   To /\ S0 =\= 0
    ->  S1 is S0 \/ (1 << I)
    ;   S1 = S0
    ),
    reaching_once(Arcs, S1, S).

%   Who has somebody before it, by a value.

targets(I, Vs, T0, T) :-
    (   I =:= 0
    ->  T = T0
    ;   arg(I, Vs, X),
        ( integer(X) -> T1 is T0 \/ (1 << X) ; T1 = T0 ),
        I1 is I-1,
        targets(I1, Vs, T1, T)
    ).

%   The end of a path that is not all of it does not lead to its beginning.

paths(I, Vs, N, Targets, Q0, Q) :-
    (   I =:= 0
    ->  Q = Q0
    ;   arg(I, Vs, X),
        (   integer(X),
            (Targets >> I) /\ 1 =:= 0
        ->  path_end(X, Vs, 2, End, Length),
            (   Length < N
            ->  arg(End, Vs, Y),
                remove(Y, I, Q0, Q1)
            ;   Q1 = Q0
            )
        ;   Q1 = Q0
        ),
        I1 is I-1,
        paths(I1, Vs, N, Targets, Q1, Q)
    ).

path_end(I, Vs, Length0, End, Length) :-
    arg(I, Vs, X),
    (   integer(X)
    ->  Length1 is Length0+1,
        path_end(X, Vs, Length1, End, Length)
    ;   End = I,
        Length = Length0
    ).
