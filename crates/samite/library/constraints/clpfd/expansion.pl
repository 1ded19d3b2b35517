:- module('$fd_expansion',
          [ expanded_goal/3
          ]).

/*  Goals of programs that are arithmetic if their variables have values.

    X #= Y+1 becomes

        (   integer(Y)
        ->  (   var(X)
            ->  X is Y+1
            ;   integer(X)
            ->  X =:= Y+1
            ;   clpfd:(X #= Y+1)
            )
        ;   clpfd:(X #= Y+1)
        )

    if the expression has a value for all integers. What is tested are variables that
    have been made the same before, so that the loader does not tell the program of tests of its new variables.
*/

%!  expanded_goal(+Goal, +Module, -Expanded) is semidet.

expanded_goal(#=(L, R), M, Goal) :-
    (   is_side(L),
        is_always(R)
    ->  made_equal(L, R, #=(L, R), M, Goal)
    ;   is_side(R),
        is_always(L)
    ->  made_equal(R, L, #=(L, R), M, Goal)
    ;   made_comparison(#=(L, R), M, Goal)
    ).
expanded_goal(#\=(L, R), M, Goal) :-
    made_comparison(#\=(L, R), M, Goal).
expanded_goal(#<(L, R), M, Goal) :-
    made_comparison(#<(L, R), M, Goal).
expanded_goal(#>(L, R), M, Goal) :-
    made_comparison(#>(L, R), M, Goal).
expanded_goal(#=<(L, R), M, Goal) :-
    made_comparison(#=<(L, R), M, Goal).
expanded_goal(#>=(L, R), M, Goal) :-
    made_comparison(#>=(L, R), M, Goal).

is_side(X) :-
    ( var(X) -> true ; integer(X) ).

made_equal(X, E, G, M, Goal) :-
    term_variables(E, Vs),
    Vs \== [],
    integers(Vs, Test),
    (   var(X)
    ->  Goal = ( Test -> Y = X, ( var(Y) -> Y is E ; integer(Y) -> Y =:= E ; M:G ) ; M:G )
    ;   Goal = ( Test -> X =:= E ; M:G )
    ).

made_comparison(G, M, Goal) :-
    G =.. [F,L,R],
    is_always(L),
    is_always(R),
    term_variables(L-R, Vs),
    Vs \== [],
    integers(Vs, Test),
    arithmetic(F, F1),
    Compare =.. [F1,L,R],
    Goal = ( Test -> Compare ; M:G ).

arithmetic(#=, =:=).
arithmetic(#\=, =\=).
arithmetic(#<, <).
arithmetic(#>, >).
arithmetic(#=<, =<).
arithmetic(#>=, >=).

integers([V|Vs], Test) :-
    (   Vs == []
    ->  Test = ( W = V, integer(W) )
    ;   Test = ( W = V, integer(W), Test1 ),
        integers(Vs, Test1)
    ).

%   Has a value for all integers, and is no bigger than they are.

is_always(E) :-
    (   var(E)
    ->  true
    ;   integer(E)
    ->  true
    ;   always(E)
    ).

always(A+B) :- is_always(A), is_always(B).
always(A-B) :- is_always(A), is_always(B).
always(A*B) :- is_always(A), is_always(B).
always(-A) :- is_always(A).
always(abs(A)) :- is_always(A).
always(min(A, B)) :- is_always(A), is_always(B).
always(max(A, B)) :- is_always(A), is_always(B).
always(A//B) :- is_always(A), integer(B), B =\= 0.
always(A div B) :- is_always(A), integer(B), B =\= 0.
always(A mod B) :- is_always(A), integer(B), B =\= 0.
always(A rem B) :- is_always(A), integer(B), B =\= 0.
always(A^B) :- is_always(A), integer(B), B >= 0.
