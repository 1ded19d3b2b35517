/*  What pointers of a program may point to, by tabling: Andersen's analysis.

        samite examples/points_to.pl

    A program of a language like C is translated by a grammar to facts about its
    assignments.  Two relations, which depend on each other, say the rest: what a
    variable may point to, and which variables two names have in common (L. O.
    Andersen, "Program Analysis and Specialization for the C Programming
    Language", 1994).  Where control goes makes no difference, so that the
    order of the lines makes none: what is said is true at any time.

    What might go wrong is derived from it: names for the same place, and what
    points to a variable of a block that has ended.
*/

:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(dcg/basics)).

:- initialization(main, main).

:- dynamic
    address/2,               % address(P, X): P = &X
    copy/2,                  % copy(P, Q): P = Q
    load/2,                  % load(P, Q): P = *Q
    store/2,                 % store(P, Q): *P = Q
    depth/2.                 % depth(X, D): X is declared D blocks deep

sample("
var p q r head node next
p = &node
head = &p
*head = &next
q = *head
r = q
{
    var inner s
    s = &inner
    *head = s
    {
        var deep
        inner = &deep
        s = &r
    }
}
").

main :-
    sample(Text),
    string_codes(Text, Codes),
    (   phrase(program(0), Codes)
    ->  true
    ;   throw(error(syntax_error(illegal_program), _))
    ),
    findall(X, depth(X, _), Unsorted),
    sort(Unsorted, Variables),
    forall(member(X, Variables), show(X)),
    findall(X-Y, ( member(X, Variables), member(Y, Variables),
                   X @< Y, alias(X, Y) ), Aliases),
    format("may be the same place: ~w~n", [Aliases]),
    forall(( member(X, Variables), dangling(X, Y) ),
           format("~w may outlive ~w, to which it points~n", [X, Y])).

show(X) :-
    findall(Y, points_to(X, Y), Ys),
    sort(Ys, Set),
    (   Set == []
    ->  true
    ;   format("~w -> ~w~n", [X, Set])
    ).

                /*******************************
                *         THE PROGRAM          *
                *******************************/

%!  program(+Depth)// is semidet.
%
%   Lines, whose facts are asserted.

program(Depth) -->
    blanks,
    (   line(Depth)
    ->  program(Depth)
    ;   []
    ).

line(Depth) -->
    "{", { Inner is Depth+1 }, program(Inner), "}".
line(Depth) -->
    "var", white, whites, names(Names),
    { forall(member(X, Names), assertz(depth(X, Depth))) }.
line(_) -->
    left(Left), whites, "=", whites, right(Right),
    { assignment(Left, Right) }.

left(at(P))   --> "*", name(P).
left(name(P)) --> name(P).

right(address(X)) --> "&", name(X).
right(at(Q))      --> "*", name(Q).
right(name(Q))    --> name(Q).

names([X|Xs]) --> name(X), whites, names(Xs).
names([])     --> [].

name(Name) --> csyms([C|Cs]), { atom_codes(Name, [C|Cs]) }.

csyms([C|Cs]) --> [C], { code_type(C, csym) }, !, csyms(Cs).
csyms([])     --> [].

%   What goes through two stars, or puts an address behind one, has a variable
%   of its own in between, value(Right).
assignment(name(P), address(X)) :- assertz(address(P, X)).
assignment(name(P), name(Q))    :- assertz(copy(P, Q)).
assignment(name(P), at(Q))      :- assertz(load(P, Q)).
assignment(at(P), name(Q))      :- assertz(store(P, Q)).
assignment(at(P), Right)        :-
    Right \= name(_),
    assertz(store(P, value(Right))),
    assignment(name(value(Right)), Right).

                /*******************************
                *         THE ANALYSIS         *
                *******************************/

:- table points_to/2, flows/2.

%!  points_to(?P, ?X) is nondet.

points_to(P, X) :- address(P, X).
points_to(P, X) :- flows(Q, P), points_to(Q, X).

%!  flows(?Q, ?P) is nondet.
%
%   The value of Q gets into P, maybe through a pointer.

flows(Q, P) :- copy(P, Q).
flows(Q, P) :- load(P, R), points_to(R, Q).
flows(Q, P) :- store(R, Q), points_to(R, P).

%!  alias(+X, +Y) is semidet.

alias(X, Y) :-
    points_to(X, Place),
    points_to(Y, Place),
    !.

%!  dangling(+X, -Y) is nondet.
%
%   X may point to Y, which is declared in a block further inside.

dangling(X, Y) :-
    depth(X, Outer),
    findall(Y, points_to(X, Y), Ys0),
    sort(Ys0, Ys),
    member(Y, Ys),
    depth(Y, Inner),
    Inner > Outer.
