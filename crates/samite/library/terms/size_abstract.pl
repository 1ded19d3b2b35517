:- module('$size_abstract', [ size_abstract_term/3 ]).

:- use_module(library(error), [must_be/2]).

/*  The outermost part of a term.  */

%!  size_abstract_term(+Size, +Term, -Abstract) is det.
%
%   Abstract is Term with variables for some of its subterms, so that it has no more than Size compound terms in it: the outermost ones.

size_abstract_term(Size, Term, Abstract) :-
    must_be(nonneg, Size),
    abstract([Term-Abstract|Tail], Tail, Size).

%   abstract(+Queue, ?Tail, +Size): level by level.

abstract(Queue, Tail, _) :-
    Queue == Tail,
    !.
abstract([Term-Abstract|Queue], Tail, Size) :-
    (   compound(Term)
    ->  (   Size > 0
        ->  Size1 is Size - 1,
            compound_name_arguments(Term, Name, Arguments),
            paired(Arguments, Abstracts, Tail, Tail1),
            compound_name_arguments(Abstract, Name, Abstracts)
        ;   Size1 = 0,
            Tail1 = Tail
        )
    ;   Abstract = Term,
        Size1 = Size,
        Tail1 = Tail
    ),
    abstract(Queue, Tail1, Size1).

paired([], [], Tail, Tail).
paired([A|As], [B|Bs], [A-B|Tail0], Tail) :-
    paired(As, Bs, Tail0, Tail).
