/*  Pictures from numbers: nonograms, each line a finite automaton.

        samite examples/nonogram.pl

    The numbers beside a row, or above a column, say how many cells in a row are
    black, group by group.  For each line that becomes an automaton (automaton/3
    of library(clpfd)): it stays in its state on white, counts through a group,
    and wants white between two of them.  Nothing else is said: propagation goes
    from rows to columns and back.

    Puzzles of this kind are Non Ishida's and Tetsuya Nishio's (1987); constraints
    that are automata are from G. Pesant, "A Regular Language Membership
    Constraint for Finite Sequences of Variables" (2004).
*/

:- use_module(library(clpfd)).
:- use_module(library(lists)).
:- use_module(library(apply)).

:- initialization(main, main).

%   picture(Name, Rows, Columns)
picture(boat,
        [[1], [2], [3], [4], [1], [9], [7], [5]],
        [[1], [2], [3], [3], [8], [3,3], [2,3], [1,2], [1]]).
picture(cross,
        [[1], [1], [5], [1], [1]],
        [[1], [1], [5], [1], [1]]).
picture('any permutation',
        [[1], [1], [1]],
        [[1], [1], [1]]).
picture(impossible,
        [[3], [1], [3]],
        [[1], [1], [1]]).

main :-
    forall(picture(Name, Rows, Columns), show(Name, Rows, Columns)).

show(Name, Rows, Columns) :-
    format("~w: ", [Name]),
    (   nonogram(Rows, Columns, Cells)
    ->  append(Cells, All),
        include(integer, All, Known),
        length(All, Count),
        length(Known, KnownCount),
        format("~d of ~d cells without a guess, ", [KnownCount, Count]),
        findall(Cells, label(All), Solutions),
        length(Solutions, N),
        (   N =:= 1
        ->  format("1 solution~n")
        ;   format("~d solutions, the first:~n", [N])
        ),
        (   Solutions = [First|_]
        ->  maplist(show_row, First)
        ;   true
        )
    ;   format("no solution, without a guess~n")
    ).

show_row(Cells) :-
    maplist(character, Cells, Characters),
    format("  ~s~n", [Characters]).

character(0, 0'.).
character(1, 0'#).

%!  nonogram(+Rows, +Columns, -Cells) is semidet.
%
%   Cells is a list of lists of variables, 1 for black; some are known.

nonogram(Rows, Columns, Cells) :-
    length(Columns, Width),
    maplist(of_length(Width), Rows, Cells),
    maplist(line, Rows, Cells),
    transpose(Cells, Transposed),
    maplist(line, Columns, Transposed).

of_length(Length, _, List) :-
    length(List, Length).

%!  line(+Groups, ?Cells) is semidet.

line(Groups, Cells) :-
    arcs(Groups, 0, End, Arcs),
    automaton(Cells, [source(0), sink(End)], Arcs).

%!  arcs(+Groups, +State, -End, -Arcs) is det.
%
%   Groups are counted from State on, which has white before it or the edge.

arcs([], State, State, [arc(State, 0, State)]).
arcs([Length|Groups], State, End, [arc(State, 0, State)|Arcs]) :-
    black(Length, State, Last, Arcs, Arcs1),
    (   Groups == []
    ->  End = Last,
        Arcs1 = [arc(Last, 0, Last)]
    ;   Next is Last+1,
        Arcs1 = [arc(Last, 0, Next)|Arcs2],
        arcs(Groups, Next, End, Arcs2)
    ).

black(0, State, State, Arcs, Arcs) :- !.
black(Length, State, Last, [arc(State, 1, Next)|Arcs], Rest) :-
    Next is State+1,
    Length1 is Length-1,
    black(Length1, Next, Last, Arcs, Rest).
