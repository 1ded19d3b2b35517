:- module('$fd_distinct',
          [ post_different/1,
            post_distinct/1,
            post_distinct/4,
            run_distinct/3
          ]).

:- use_module(library(clpfd/variables),
              [ bits_of/4,
                bounds/3,
                keep_bits/5,
                wait_inst/2,
                wait_any/2,
                kill/1,
                start_all/1
              ]).

/*  Variables that are different from each other.

    all_different/1 looks at variables that have got values; all_distinct/1 makes
    domains consistent: Régin, "A filtering algorithm for constraints of difference in
    CSPs" (AAAI 1994). Differs from it in: sets of values and of variables are integers, whose bits are
    the members, and the graph is one of variables, X -> Y if X may take the value that is Y's in the
    matching.

        others(State, X, Ys, Group)             X is none of Ys
        distinct(State, Vars, Matching, Goal)

    Matching has for each of Vars a value, which differ; it is where the next run begins. Goal is what is told of it, and Group, group(Told, Goal), of all that are part of one constraint.

        a value stays with X if nobody has it in the matching, or if X, or whoever has it, may go over
        to a value that nobody has, or if X can be reached from who has it
*/

%!  post_different(+Variables) is semidet.

post_different(Xs) :-
    no_variable_twice(Xs),
    differ(Xs, [], group(no, all_different(Xs)), Ps, End),
    start_all(Ps-End).

no_variable_twice(Xs) :-
    sort(Xs, Sorted),
    length(Xs, N),
    length(Sorted, N).

%   Each waits for itself alone; those that have values are told at once.

differ([], _, _, Q, Q).
differ([X|Xs], Before, Group, Q0, Q) :-
    append(Before, Xs, Others),
    P = others(0, X, Others, Group),
    (   integer(X)
    ->  Q0 = [P|Q1]
    ;   wait_inst(X, P),
        Q1 = Q0
    ),
    differ(Xs, [X|Before], Group, Q1, Q).

%!  post_distinct(+Variables) is semidet.

post_distinct(Xs) :-
    post_distinct(Xs, all_distinct(Xs), Q, End),
    start_all(Q-End).

post_distinct(Xs, Goal, Q0, Q) :-
    no_variable_twice(Xs),
    differ(Xs, [], group(yes, true), Q0, Q1),
    no_values(Xs, Ms),
    P = distinct(1, Xs, Ms, Goal),
    wait_any_each(Xs, P),
    Q1 = [slow(1, P)|Q].

no_values([], []).
no_values([_|Xs], [none|Ms]) :-
    no_values(Xs, Ms).

wait_any_each([], _).
wait_any_each([X|Xs], P) :-
    wait_any(X, P),
    wait_any_each(Xs, P).

%!  run_distinct(+Propagator, Q0, Q) is semidet.

run_distinct(P, Q0, Q) :-
    P = distinct(_, Xs0, Ms0, _),
    still_open(Xs0, Ms0, Xs, Ms, 0, N),
    (   N < 2
    ->  kill(P),
        Q = Q0
    ;   least_and_greatest(Xs, Base, Top),
        Top-Base < 50000
    ->  domains(Xs, Base, Ds0),
        Doms =.. [d|Ds0],
        functor(Match, m, N),
        Size is Top-Base+1,
        functor(Owner, o, Size),
        all_of(Ds0, 0, Values),
        old_matching(Ms, 1, Base, Doms, Match, Owner, Values, Free0, Left),
        augment_each(Left, Doms, Match, Owner, Free0, Free),
        edges(N, Doms, Match, Owner, Free, Edges, 0, Away0),
        reach_away(Edges, Away0, Away),
        components(Edges, Away, Match, News),
        narrow(Xs, Ds0, Away, News, Base, Q0, Q),
        matched_values(1, N, Match, Base, Ms1),
        setarg(2, P, Xs),
        setarg(3, P, Ms1),
        setarg(1, P, -)
    ;   setarg(1, P, -),
        Q = Q0
    ).

still_open([], _, [], [], N, N).
still_open([X|Xs0], [M|Ms0], Xs, Ms, N0, N) :-
    (   integer(X)
    ->  still_open(Xs0, Ms0, Xs, Ms, N0, N)
    ;   Xs = [X|Xs1],
        Ms = [M|Ms1],
        N1 is N0+1,
        still_open(Xs0, Ms0, Xs1, Ms1, N1, N)
    ).

%   Fails where a domain has no end.

least_and_greatest([X|Xs], L, H) :-
    bounds(X, L0, H0),
    integer(L0),
    integer(H0),
    least_and_greatest(Xs, L0, H0, L, H).

least_and_greatest([], L, H, L, H).
least_and_greatest([X|Xs], L0, H0, L, H) :-
    bounds(X, LX, HX),
    integer(LX),
    integer(HX),
    L1 is min(L0, LX),
    H1 is max(H0, HX),
    least_and_greatest(Xs, L1, H1, L, H).

domains([], _, []).
domains([X|Xs], Base, [D|Ds]) :-
    bits_of(X, Bits, L, _),
    D is Bits << (L-Base),
    domains(Xs, Base, Ds).

all_of([], Vs, Vs).
all_of([D|Ds], Vs0, Vs) :-
    Vs1 is Vs0 \/ D,
    all_of(Ds, Vs1, Vs).

%   --- the matching ---

%   What of the last one holds still; Left are the variables without a value, Free the values without a variable.

old_matching([], _, _, _, _, _, Free, Free, []).
old_matching([M|Ms], I, Base, Doms, Match, Owner, Free0, Free, Left) :-
    I1 is I+1,
    (   integer(M),
        V is M-Base,
        V >= 0,
        arg(I, Doms, D),
        1 is (D >> V) /\ 1
    ->  match(I, V, Match, Owner),
        Free1 is Free0 xor (1 << V),
        old_matching(Ms, I1, Base, Doms, Match, Owner, Free1, Free, Left)
    ;   Left = [I|Left1],
        old_matching(Ms, I1, Base, Doms, Match, Owner, Free0, Free, Left1)
    ).

match(I, V, Match, Owner) :-
    setarg(I, Match, V),
    V1 is V+1,
    setarg(V1, Owner, I).

augment_each([], _, _, _, Free, Free).
augment_each([I|Is], Doms, Match, Owner, Free0, Free) :-
    augment(I, Doms, Match, Owner, Free0, Free1, 0, _, true),
    augment_each(Is, Doms, Match, Owner, Free1, Free).

%   augment(+I, ..., +Free0, -Free, +Seen0, -Seen, -Found): a value for I, and others for those who have to go over to them.

augment(I, Doms, Match, Owner, Free0, Free, Seen0, Seen, Found) :-
    arg(I, Doms, D),
    C is D /\ Free0,
    (   C =\= 0
    ->  V is lsb(C),
        match(I, V, Match, Owner),
        Free is Free0 xor (1 << V),
        Seen = Seen0,
        Found = true
    ;   Rest is D /\ \Seen0,
        augment_by(Rest, I, Doms, Match, Owner, Free0, Free, Seen0, Seen, Found)
    ).

augment_by(Rest, I, Doms, Match, Owner, Free0, Free, Seen0, Seen, Found) :-
    (   Rest =:= 0
    ->  Free = Free0,
        Seen = Seen0,
        Found = false
    ;   V is lsb(Rest),
        Seen1 is Seen0 \/ (1 << V),
        V1 is V+1,
        arg(V1, Owner, J),
        augment(J, Doms, Match, Owner, Free0, Free1, Seen1, Seen2, Found1),
        (   Found1 == true
        ->  match(I, V, Match, Owner),
            Free = Free1,
            Seen = Seen2,
            Found = true
        ;   Rest1 is Rest /\ \Seen2,
            augment_by(Rest1, I, Doms, Match, Owner, Free0, Free, Seen2, Seen, Found)
        )
    ).

%   --- the graph ---

%   edges(+N, ..., -Edges, +Away0, -Away): Edges has I-Successors for N, ..., 1; Away are those that may go over to a
%   free value.

edges(0, _, _, _, _, Edges, Away0, Away) :-
    !,
    Edges = [],
    Away = Away0.
edges(I, Doms, Match, Owner, Free, [I-Successors|Edges], Away0, Away) :-
    arg(I, Doms, D),
    arg(I, Match, V),
    (   D /\ Free =:= 0
    ->  Away1 = Away0
    ;   Away1 is Away0 \/ (1 << I)
    ),
    Others is D /\ \Free /\ \(1 << V),
    owners(Others, Owner, 0, Successors),
    I1 is I-1,
    edges(I1, Doms, Match, Owner, Free, Edges, Away1, Away).

owners(Vs, Owner, S0, S) :-
    (   Vs =:= 0
    ->  S = S0
    ;   V is lsb(Vs),
        V1 is V+1,
        arg(V1, Owner, J),
        S1 is S0 \/ (1 << J),
        Rest is Vs /\ (Vs-1),
        owners(Rest, Owner, S1, S)
    ).

%   Those that reach one that may go away.

reach_away(Edges, Away0, Away) :-
    (   Away0 =:= 0
    ->  Away = 0
    ;   reach_set(Edges, Away0, Away1),
        (   Away1 =:= Away0
        ->  Away = Away0
        ;   reach_away(Edges, Away1, Away)
        )
    ).

reach_set([], S, S).
reach_set([I-Successors|Edges], S0, S) :-
    (   Successors /\ S0 =\= 0
    ->  S1 is S0 \/ (1 << I)
    ;   S1 = S0
    ),
    reach_set(Edges, S1, S).

%   components(+Edges, +Away, ..., -News): News has Members-Values for the strongly connected components of the others.

components(Edges0, Away, Match, News) :-
    staying(Edges0, Away, Edges, 0, All),
    component_each(Edges, Edges, All, Match, News).

staying([], _, [], All, All).
staying([I-S|Es0], Away, Es, All0, All) :-
    (   (Away >> I) /\ 1 =:= 1
    ->  staying(Es0, Away, Es, All0, All)
    ;   Es = [I-S|Es1],
        All1 is All0 \/ (1 << I),
        staying(Es0, Away, Es1, All1, All)
    ).

component_each([], _, _, _, []).
component_each([I-S|Es], Edges, Left0, Match, News) :-
    (   (Left0 >> I) /\ 1 =:= 0
    ->  component_each(Es, Edges, Left0, Match, News)
    ;   Bit is 1 << I,
        S1 is S /\ Left0,
        (   S1 =:= 0
        ->  Members = Bit
        ;   back(Edges, Bit, Left0, Back),
            (   S1 /\ Back =:= 0
            ->  Members = Bit
            ;   forward(Edges, Bit, Back, Members)
            )
        ),
        values_of_members(Members, Match, 0, Values),
        Left is Left0 /\ \Members,
        News = [Members-Values|News1],
        component_each(Es, Edges, Left, Match, News1)
    ).

%   Who reaches the set, among those in Left.

back(Edges, S0, Left, S) :-
    back_once(Edges, S0, Left, S1),
    ( S1 =:= S0 -> S = S0 ; back(Edges, S1, Left, S) ).

back_once([], S, _, S).
back_once([I-Successors|Es], S0, Left, S) :-
    (   Successors /\ S0 =\= 0
    ->  S1 is S0 \/ ((1 << I) /\ Left)
    ;   S1 = S0
    ),
    back_once(Es, S1, Left, S).

%   Who is reached from the set, among those in Back.

forward(Edges, S0, Back, S) :-
    forward_once(Edges, S0, Back, S1),
    ( S1 =:= S0 -> S = S0 ; forward(Edges, S1, Back, S) ).

forward_once([], S, _, S).
forward_once([I-Successors|Es], S0, Back, S) :-
    (   (S0 >> I) /\ 1 =:= 1
    ->  S1 is S0 \/ (Successors /\ Back)
    ;   S1 = S0
    ),
    forward_once(Es, S1, Back, S).

values_of_members(Members, Match, Vs0, Vs) :-
    (   Members =:= 0
    ->  Vs = Vs0
    ;   I is lsb(Members),
        arg(I, Match, V),
        Vs1 is Vs0 \/ (1 << V),
        Rest is Members /\ (Members-1),
        values_of_members(Rest, Match, Vs1, Vs)
    ).

%   --- what is left ---

narrow(Xs, Ds, Away, News, Base, Q0, Q) :-
    all_values(News, 0, Taken),
    narrow_each(Xs, 1, Ds, Away, Taken, News, Base, Q0, Q).

all_values([], Vs, Vs).
all_values([_-Vs1|News], Vs0, Vs) :-
    Vs2 is Vs0 \/ Vs1,
    all_values(News, Vs2, Vs).

narrow_each([], _, _, _, _, _, _, Q, Q).
narrow_each([X|Xs], I, [D|Ds], Away, Taken, News, Base, Q0, Q) :-
    (   (Away >> I) /\ 1 =:= 1
    ->  D1 is D /\ \Taken
    ;   component_of(News, I, Vs),
        D1 is D /\ Vs
    ),
    (   D1 =:= D
    ->  Q1 = Q0
    ;   keep_bits(X, D1, Base, Q0, Q1)
    ),
    I1 is I+1,
    narrow_each(Xs, I1, Ds, Away, Taken, News, Base, Q1, Q).

component_of([Members-Vs0|News], I, Vs) :-
    (   (Members >> I) /\ 1 =:= 1
    ->  Vs = Vs0
    ;   component_of(News, I, Vs)
    ).

matched_values(I, N, Match, Base, Ms) :-
    (   I > N
    ->  Ms = []
    ;   arg(I, Match, V),
        M is V+Base,
        Ms = [M|Ms1],
        I1 is I+1,
        matched_values(I1, N, Match, Base, Ms1)
    ).
