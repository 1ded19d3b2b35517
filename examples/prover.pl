/*  A theorem prover: sequents of propositions, with proofs and counterexamples.

        samite examples/prover.pl
        samite examples/prover.pl 'p => q, q => r entails p => r'

    A sequent `A, B entails C, D` says that if all on its left are true, one on its
    right is; it is shown as A, B |- C, D.  Each rule takes one connective away and goes back to simpler sequents,
    until the same atom is on both sides, which is an axiom, or nothing is left to
    take away, and what remains is a counterexample.  No rule loses anything, so
    that the search never has to go back: H. Wang did it so on the IBM 704
    ("Toward Mechanical Mathematics", 1960), after G. Gentzen (1935).
*/

:- use_module(library(lists)).
:- use_module(library(apply)).

:- initialization(main, main).

:- op(1150, xfx, entails).
:- op(760, xfy, =>).
:- op(770, xfx, <=>).
:- op(740, xfy, or).
:- op(730, xfy, and).
:- op(720, fy, not).

main :-
    current_prolog_flag(argv, Arguments),
    (   Arguments == []
    ->  findall(Sequent, example(Sequent), Sequents)
    ;   maplist(term_to_atom, Sequents, Arguments)
    ),
    maplist(show, Sequents).

example((p entails p or q)).
example((p => q, not q entails not p)).
example(((p => q) => p) => p).
example((p or q entails p and q)).
example(not (p and q) <=> not p or not q).
example((p => q, r => s, p or r entails q or s)).
example((p => q) => (q => p)).
example((p <=> q) <=> (q <=> p)).

%!  show(+Sequent) is det.

show(Sequent) :-
    sides(Sequent, Left, Right),
    reduce(Left, Right, Tree),
    (   countermodel(Tree, True, False)
    ->  format("~@~n  false when ~@~n",
               [sequent(Left, Right), assignment(True, False)])
    ;   show_tree(Tree, 0)
    ).

sides((Lefts entails Rights), Left, Right) :-
    !,
    list(Lefts, Left),
    list(Rights, Right).
sides(Formula, [], [Formula]).

list((A, B), [A|Rest]) :-
    !,
    list(B, Rest).
list(A, [A]).

                /*******************************
                *            RULES             *
                *******************************/

%!  left(?Formula, ?Premises) is semidet.
%!  right(?Formula, ?Premises) is semidet.
%
%   Formula, on the left or on the right, is gone in each of Premises: they are
%   what comes in its place there, Left-Right.

left(not A,    [ []-[A] ]).
left(A and B,  [ [A,B]-[] ]).
left(A or B,   [ [A]-[], [B]-[] ]).
left(A => B,   [ []-[A], [B]-[] ]).
left(A <=> B,  [ [A,B]-[], []-[A,B] ]).

right(not A,   [ [A]-[] ]).
right(A and B, [ []-[A], []-[B] ]).
right(A or B,  [ []-[A,B] ]).
right(A => B,  [ [A]-[B] ]).
right(A <=> B, [ [A]-[B], [B]-[A] ]).

                /*******************************
                *            SEARCH            *
                *******************************/

%!  reduce(+Left, +Right, -Tree) is det.
%
%   Tree is one of
%
%     - axiom(Left, Right)
%     - open(Left, Right)          nothing but atoms, none on both sides
%     - step(Left, Right, Trees)   by a rule, with a tree for each premise

reduce(Left, Right, Tree) :-
    (   member(Formula, Left),
        memberchk(Formula, Right)
    ->  Tree = axiom(Left, Right)
    ;   choose(Left, Right, Left1, Right1, Premises)
    ->  Tree = step(Left, Right, Trees),
        maplist(reduce_premise(Left1, Right1), Premises, Trees)
    ;   Tree = open(Left, Right)
    ).

reduce_premise(Left0, Right0, NewLeft-NewRight, Tree) :-
    union(NewLeft, Left0, Left),
    union(NewRight, Right0, Right),
    reduce(Left, Right, Tree).

%!  choose(+Left, +Right, -Left1, -Right1, -Premises) is nondet.
%
%   Some formula, which is not in Left1 and Right1 any more.  Those with a single
%   premise come first, so that the tree branches as late as may be.

choose(Left, Right, Left1, Right1, Premises) :-
    ( Premises = [_] ; Premises = [_, _] ),
    (   select(Formula, Left, Left1),
        left(Formula, Premises),
        Right1 = Right
    ;   select(Formula, Right, Right1),
        right(Formula, Premises),
        Left1 = Left
    ).

%!  countermodel(+Tree, -True, -False) is nondet.
%
%   A leaf that is no axiom: its atoms, on the left and on the right.

countermodel(open(True, False), True, False).
countermodel(step(_, _, Trees), True, False) :-
    member(Tree, Trees),
    countermodel(Tree, True, False).

                /*******************************
                *            OUTPUT            *
                *******************************/

show_tree(axiom(Left, Right), Level) :-
    line(Left, Right, Level, ' (axiom)').
show_tree(step(Left, Right, Trees), Level) :-
    line(Left, Right, Level, ''),
    Next is Level+1,
    forall(member(Tree, Trees), show_tree(Tree, Next)).

line(Left, Right, Level, Remark) :-
    Column is 2*Level,
    format("~t~*|~@~w~n", [Column, sequent(Left, Right), Remark]).

sequent(Left, Right) :-
    formulas(Left, Lefts),
    formulas(Right, Rights),
    append([Lefts, ['|-'], Rights], Parts),
    atomic_list_concat(Parts, ' ', Text),
    format("~w", [Text]).

%   A list of one text, or of none if there is no formula.
formulas([], []).
formulas([First|Rest], [Text]) :-
    maplist(term_to_atom, [First|Rest], Atoms),
    atomic_list_concat(Atoms, ', ', Text).

assignment(True, False) :-
    maplist(value(true), True, Trues),
    maplist(value(false), False, Falses),
    append(Trues, Falses, All),
    sort(All, Set),
    atomic_list_concat(Set, ', ', Text),
    format("~w", [Text]).

value(Truth, Atom, Text) :-
    format(atom(Text), "~w is ~w", [Atom, Truth]).
