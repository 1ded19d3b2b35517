/*  A planner in the manner of STRIPS: actions, states, iterative deepening.

        samite examples/planner.pl

    An action has conditions, facts that it makes true, and facts that it makes
    false (R. E. Fikes and N. J. Nilsson, "STRIPS", 1971).  A state is an ordered
    set of facts.  Plans are tried by their length, so that the first that is
    found is a shortest one; what is on the way to the present state is not
    entered again.  A bound from below, the goals that are not yet true, cuts
    off what cannot end in time (R. E. Korf, "Depth-first iterative-deepening",
    1985).

    The worlds: blocks, with Sussman's anomaly; a monkey that wants bananas; and a
    wolf, a goat and a cabbage that are to cross a river (Alcuin, about 800).
*/

:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(ordsets)).

:- initialization(main, main).

main :-
    forall(problem(Name, World, Start, Goals),
           ( format("~w~n", [Name]),
             plan(World, Start, Goals, 12, Plan),
             show(Plan) )).

show(Plan) :-
    foldl(show, Plan, 1, _).

show(Step, N, Next) :-
    format("  ~d. ~w~n", [N, Step]),
    Next is N+1.

                /*******************************
                *           PROBLEMS           *
                *******************************/

%   problem(Name, World, Start, Goals)
problem('blocks: a tower', blocks,
        [on(a, table), on(b, table), on(c, table),
         clear(a), clear(b), clear(c)],
        [on(a, b), on(b, c)]).
problem('blocks: Sussman''s anomaly', blocks,
        [on(c, a), on(a, table), on(b, table), clear(b), clear(c)],
        [on(a, b), on(b, c)]).
problem('blocks: upside down', blocks,
        [on(a, b), on(b, c), on(c, d), on(d, table), clear(a)],
        [on(d, c), on(c, b), on(b, a)]).
problem('monkey and bananas', monkey,
        [monkey_at(door), box_at(window), on_floor, bananas_at(middle)],
        [has_bananas]).
problem('wolf, goat and cabbage', river,
        [at(farmer, left), at(wolf, left), at(goat, left), at(cabbage, left)],
        [at(farmer, right), at(wolf, right), at(goat, right),
         at(cabbage, right)]).

%!  action(?World, -Action, -Conditions, -Adds, -Deletes) is nondet.

action(blocks, move(X, Y, Z),
       [on(X, Y), clear(X), clear(Z), differ(X, Z), differ(Y, table)],
       [on(X, Z), clear(Y)], [on(X, Y), clear(Z)]).
action(blocks, put_on_table(X, Y),
       [on(X, Y), clear(X), differ(Y, table)],
       [on(X, table), clear(Y)], [on(X, Y)]).
action(blocks, take_from_table(X, Z),
       [on(X, table), clear(X), clear(Z), differ(X, Z)],
       [on(X, Z)], [on(X, table), clear(Z)]).

action(monkey, walk(X, Y),
       [on_floor, monkey_at(X), place(Y), differ(X, Y)],
       [monkey_at(Y)], [monkey_at(X)]).
action(monkey, push(X, Y),
       [on_floor, monkey_at(X), box_at(X), place(Y), differ(X, Y)],
       [monkey_at(Y), box_at(Y)], [monkey_at(X), box_at(X)]).
action(monkey, climb,
       [on_floor, monkey_at(X), box_at(X)],
       [on_box], [on_floor]).
action(monkey, grasp,
       [on_box, monkey_at(X), bananas_at(X)],
       [has_bananas], [bananas_at(X)]).

action(river, cross(X, Y),
       [at(farmer, X), opposite(X, Y)],
       [at(farmer, Y)], [at(farmer, X)]).
action(river, take(What, X, Y),
       [at(farmer, X), opposite(X, Y), at(What, X), differ(What, farmer)],
       [at(farmer, Y), at(What, Y)], [at(farmer, X), at(What, X)]).

%   What is always so, and no part of a state.
always(differ(X, Y)) :- X \== Y.
always(place(P)) :- member(P, [door, window, middle]).
always(opposite(left, right)).
always(opposite(right, left)).

%   What must not come about.
forbidden(river, State) :-
    memberchk(at(farmer, Here), State),
    always(opposite(Here, There)),
    memberchk(at(goat, There), State),
    (   memberchk(at(wolf, There), State)
    ;   memberchk(at(cabbage, There), State)
    ).

                /*******************************
                *           PLANNER            *
                *******************************/

%!  plan(+World, +Start, +Goals, +Max, -Plan) is nondet.
%
%   Plan is a list of at most Max actions that lead from Start to where all
%   Goals are true; the shortest come first.

plan(World, Start0, Goals0, Max, Plan) :-
    list_to_ord_set(Start0, Start),
    list_to_ord_set(Goals0, Goals),
    between(0, Max, Length),
    length(Plan, Length),
    reach(Plan, World, Start, [Start], Goals).

reach([], _, State, _, Goals) :-
    ord_subset(Goals, State).
reach([Action|Plan], World, State0, Visited, Goals) :-
    length([Action|Plan], Left),
    ord_subtract(Goals, State0, Open),
    length(Open, Count),
    at_once(World, Most),
    Count =< Left*Most,
    apply_action(World, Action, State0, State),
    \+ memberchk(State, Visited),
    \+ forbidden(World, State),
    reach(Plan, World, State, [State|Visited], Goals).

%   So many goals can one action make true.
at_once(World, Most) :-
    findall(N, ( action(World, _, _, Adds, _), length(Adds, N) ), Ns),
    max_list(Ns, Most).

%!  apply_action(+World, -Action, +State0, -State) is nondet.

apply_action(World, Action, State0, State) :-
    action(World, Action, Conditions, Adds, Deletes),
    maplist(holds(State0), Conditions),
    list_to_ord_set(Deletes, Gone),
    list_to_ord_set(Adds, New),
    ord_subtract(State0, Gone, State1),
    ord_union(State1, New, State).

holds(State, Condition) :-
    (   member(Condition, State)
    ;   always(Condition)
    ).
