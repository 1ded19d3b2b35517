/*  Interpreters of Prolog in Prolog: a tracer, bounded depth, proof trees.

        samite examples/meta.pl

    The program that is interpreted is made of ordinary clauses, which are looked
    up by clause/2.  Each interpreter is the plain one, solve/1, and one thing
    more:

        solve(Goal)               what Prolog does
        traced(Goal, Level)       says call, exit, redo and fail: the four ports
                                  of L. Byrd's box model (1980)
        bounded(Goal, Depth, A)   goes no deeper, so that it ends
        deepen(Goal, Max, Depth)  tries depth after depth: finds what Prolog,
                                  which goes left, never comes to
        prove(Goal, Proof)        says why

    The cut is not among what they know; if-then-else and negation are.
*/

:- use_module(library(lists)).

:- initialization(main, main).

                /*******************************
                *     WHAT IS INTERPRETED      *
                *******************************/

:- dynamic
    parent/2, ancestor/2, edge/2, path/2, perm/2, pick/3, youngest/1.

parent(laertes, odysseus).
parent(odysseus, telemachus).
parent(telemachus, persepolis).

ancestor(X, Y) :- parent(X, Y).
ancestor(X, Z) :- parent(X, Y), ancestor(Y, Z).

youngest(X) :- parent(_, X), \+ parent(X, _).

%   A graph with a circle, and a path that goes left first.
edge(a, b).
edge(b, c).
edge(c, a).
edge(c, d).

path(X, Z) :- path(X, Y), edge(Y, Z).
path(X, Y) :- edge(X, Y).

perm([], []).
perm(List, [X|Perm]) :- pick(X, List, Rest), perm(Rest, Perm).

pick(X, [X|Rest], Rest).
pick(X, [Y|Rest0], [Y|Rest]) :- pick(X, Rest0, Rest).

                /*******************************
                *             MAIN             *
                *******************************/

main :-
    format("solve: permutations of [1,2,3]~n"),
    forall(solve(perm([1,2,3], P)), format("  ~w~n", [P])),

    format("trace: who descends from odysseus?~n"),
    (   traced(ancestor(odysseus, _), 1), fail ; true ),

    format("bounded: is there a path from a to d?~n"),
    forall(between(2, 4, Depth), show_bounded(path(a, d), Depth)),
    format("bounded: has persepolis a descendant?~n"),
    forall(between(1, 2, Depth), show_bounded(ancestor(persepolis, _), Depth)),

    format("deepen: a path from a to d~n"),
    (   deepen(path(a, d), 10, Needed)
    ->  format("  found at depth ~d~n", [Needed])
    ;   format("  not found~n")
    ),

    format("prove: laertes is an ancestor of whom?~n"),
    forall(prove(ancestor(laertes, _), Proof), show(Proof, 1)),
    format("prove: who is the youngest?~n"),
    forall(prove(youngest(_), Proof), show(Proof, 1)).

                /*******************************
                *            PLAIN             *
                *******************************/

%!  solve(+Goal) is nondet.

solve(true) :- !.
solve((A, B)) :- !, solve(A), solve(B).
solve((C -> A ; B)) :- !, ( solve(C) -> solve(A) ; solve(B) ).
solve((A ; B)) :- !, ( solve(A) ; solve(B) ).
solve(\+ A) :- !, \+ solve(A).
solve(Goal) :- builtin(Goal), !, call(Goal).
solve(Goal) :- clause(Goal, Body), solve(Body).

builtin(Goal) :-
    predicate_property(Goal, built_in).

                /*******************************
                *            TRACE             *
                *******************************/

%!  traced(+Goal, +Level) is nondet.
%
%   As solve/1, for conjunctions; each goal is shown at its four ports.

traced(true, _) :- !.
traced((A, B), Level) :- !, traced(A, Level), traced(B, Level).
traced(Goal, _) :- builtin(Goal), !, call(Goal).
traced(Goal, Level) :-
    (   port(call, Level, Goal)
    ;   port(fail, Level, Goal), fail
    ),
    Below is Level+1,
    clause(Goal, Body),
    traced(Body, Below),
    (   port(exit, Level, Goal)
    ;   port(redo, Level, Goal), fail
    ).

port(Port, Level, Goal) :-
    Column is 2*Level,
    \+ \+ ( numbervars(Goal, 0, _),
            format("~t~*|~w ~p~n", [Column, Port, Goal]) ).

                /*******************************
                *        BOUNDED DEPTH         *
                *******************************/

%!  bounded(+Goal, +Depth, -Answer) is nondet.
%
%   Answer is `yes` where Goal is true, and `deeper` where a branch was left
%   since it goes deeper than Depth: it is not known, then.

bounded(true, _, yes) :- !.
bounded((A, B), Depth, Answer) :-
    !,
    bounded(A, Depth, Answer1),
    (   Answer1 == yes
    ->  bounded(B, Depth, Answer)
    ;   Answer = Answer1
    ).
bounded(Goal, _, yes) :- builtin(Goal), !, call(Goal).
bounded(_, 0, deeper) :- !.
bounded(Goal, Depth, Answer) :-
    Below is Depth-1,
    clause(Goal, Body),
    bounded(Body, Below, Answer).

show_bounded(Goal, Depth) :-
    (   bounded(Goal, Depth, yes)
    ->  Answer = yes
    ;   bounded(Goal, Depth, deeper)
    ->  Answer = 'not known'
    ;   Answer = no
    ),
    format("  depth ~d: ~w~n", [Depth, Answer]).

%!  deepen(+Goal, +Max, -Depth) is semidet.
%
%   Goal is true, and has a proof of Depth levels, but none of fewer.  Fails
%   as soon as no branch has been left, for then there is nothing deeper.

deepen(Goal, Max, Depth) :-
    deepen(Goal, 1, Max, Depth).

deepen(Goal, Depth0, Max, Depth) :-
    Depth0 =< Max,
    (   bounded(Goal, Depth0, yes)
    ->  Depth = Depth0
    ;   bounded(Goal, Depth0, deeper)
    ->  Depth1 is Depth0+1,
        deepen(Goal, Depth1, Max, Depth)
    ).

                /*******************************
                *            PROOFS            *
                *******************************/

%!  prove(+Goal, -Proof) is nondet.
%
%   Proof is a list with a member for each goal of a conjunction:
%
%     - Goal-Proof1      by a clause, and the proof of its body
%     - Goal-builtin     by the system
%     - Goal-unproven    a negation

prove(true, []) :- !.
prove((A, B), Proof) :-
    !,
    prove(A, ProofA),
    prove(B, ProofB),
    append(ProofA, ProofB, Proof).
prove(\+ A, [(\+ A)-unproven]) :- !, \+ prove(A, _).
prove(Goal, [Goal-builtin]) :- builtin(Goal), !, call(Goal).
prove(Goal, [Goal-Proof]) :-
    clause(Goal, Body),
    prove(Body, Proof).

show(Proof, Level) :-
    forall(member(Goal-Why, Proof), show(Goal, Why, Level)).

show(Goal, Why, Level) :-
    Column is 2*Level,
    \+ \+ ( numbervars(Goal, 0, _),
            format("~t~*|~p~@~n", [Column, Goal, because(Why)]) ),
    (   is_list(Why)
    ->  Below is Level+1,
        show(Why, Below)
    ;   true
    ).

because([])       :- format(" is a fact").
because([_|_])    :- format(", since").
because(unproven) :- format(": it cannot be proven").
because(builtin)  :- format(": the system knows").
