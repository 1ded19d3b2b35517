:- module(arrays, [ new_array/1, is_array/1, aref/3, arefa/3, arefl/3, aset/4, array_to_list/2 ]).
:- use_module(library(assoc), [empty_assoc/1, get_assoc/3, put_assoc/4, assoc_to_list/2]).
:- use_module(library(error), [must_be/2]).

/*  SICStus Prolog's library(arrays), version 3: arrays without a size that are not changed; aset/4 makes another one, in time that grows with the logarithm
    of the number of elements. (An array of SWI-Prolog 9.0.4's cannot be asked for its elements.)  */

%!  new_array(-Array) is det.

new_array('$array'(Elements)) :- empty_assoc(Elements).

%!  is_array(@Term) is semidet.

is_array(Term) :-
    nonvar(Term),
    Term = '$array'(_).

%!  aref(+Index, +Array, -Element) is semidet.
%!  arefa(+Index, +Array, -Array) is det.
%!  arefl(+Index, +Array, -List) is det.
%
%   The element at Index, an integer from 0 on. If there is none, aref/3 fails, arefa/3 gives a new array, and arefl/3 an empty list.

aref(Index, Array, Element) :-
    elements(Array, Index, Elements),
    get_assoc(Index, Elements, Element).

arefa(Index, Array, Element) :-
    ( aref(Index, Array, Element0) -> true ; new_array(Element0) ),
    Element = Element0.

arefl(Index, Array, Element) :-
    ( aref(Index, Array, Element0) -> true ; Element0 = [] ),
    Element = Element0.

%!  aset(+Index, +Array, +Element, -With) is det.

aset(Index, Array, Element, '$array'(With)) :-
    elements(Array, Index, Elements),
    put_assoc(Index, Elements, Element, With).

elements(Array, Index, Elements) :-
    must_be(nonneg, Index),
    must_be_array(Array, Elements).

must_be_array(Array, Elements) :-
    must_be(nonvar, Array),
    ( Array = '$array'(Elements) -> true ; type_error(array, Array) ).

%!  array_to_list(+Array, -Pairs) is det.
%
%   Index-Element of all, in the order of the indices.

array_to_list(Array, Pairs) :-
    must_be_array(Array, Elements),
    assoc_to_list(Elements, Pairs).
