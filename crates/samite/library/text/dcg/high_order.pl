:- module(dcg_high_order,
          [ sequence//2,
            sequence//3,
            sequence//5,
            optional//2,
            foreach//2,
            foreach//3
          ]).

/*  Grammar rules that take grammar rules.

    As SWI-Prolog's library(dcg/high_order).
*/

:- meta_predicate
    sequence(3, ?, ?, ?),
    sequence(3, //, ?, ?, ?),
    sequence(//, 3, //, //, ?, ?, ?),
    optional(//, //, ?, ?),
    foreach(0, //, ?, ?),
    foreach(0, //, //, ?, ?).

%!  sequence(:Element, ?List)// is nondet.
%
%   Text of Element for each element of List; the longest List comes first.

sequence(Element, List) -->
    elements(List, Element).

elements(List, Element) -->
    { nonvar(List) },
    !,
    known_elements(List, Element).
elements([X|Xs], Element) -->
    call(Element, X),
    elements(Xs, Element).
elements([], _) -->
    [].

known_elements([], _) -->
    [].
known_elements([X|Xs], Element) -->
    call(Element, X),
    elements(Xs, Element).

%!  sequence(:Element, :Separator, ?List)// is nondet.
%
%   As sequence//2 with text of Separator between the elements. An
%   element must follow where there is a separator.

sequence(Element, Separator, List) -->
    separated(List, Element, Separator).

separated(List, Element, Separator, Head, Tail) :-
    (   List = [X|Xs],
        call(Element, X, Head, Head1)
    *-> more_separated(Xs, Element, Separator, Head1, Tail)
    ;   List = [],
        Tail = Head
    ).

more_separated(List, Element, Separator, Head, Tail) :-
    (   List \== [],
        text(Separator, Head, Head1)
    ->  List = [X|Xs],
        call(Element, X, Head1, Head2),
        more_separated(Xs, Element, Separator, Head2, Tail)
    ;   List = [],
        Tail = Head
    ).

%   text(:Body)//: Body may also be a string or a list of codes.

text(Body, Head, Tail) :-
    phrase(Body, Head, Tail).

%!  sequence(:Start, :Element, :Separator, :End, ?List)// is semidet.
%
%   As sequence//3 between text of Start and of End; commits to the first way.

sequence(Start, Element, Separator, End, List) -->
    text(Start),
    separated(List, Element, Separator),
    text(End),
    !.

%!  optional(:Match, :Default)// is det.
%
%   Text of Match, or if there is none, of Default.

optional(Match, _) -->
    text(Match),
    !.
optional(_, Default) -->
    text(Default).

%!  foreach(:Generator, :Element)// is det.
%
%   Write Element for all solutions of Generator.

foreach(Generator, Element) -->
    foreach(Generator, Element, []).

%!  foreach(:Generator, :Element, :Separator)// is det.
%
%   As foreach//2 with Separator between the elements.

foreach(Generator, Element, Separator) -->
    { findall(Element, Generator, Elements) },
    write_all(Elements, Separator).

write_all([], _) -->
    [].
write_all([Element|Elements], Separator) -->
    text(Element),
    write_rest(Elements, Separator).

write_rest([], _) -->
    [].
write_rest([Element|Elements], Separator) -->
    text(Separator),
    text(Element),
    write_rest(Elements, Separator).
