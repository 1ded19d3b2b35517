:- module('$atoms', [ char_conversion/2, current_char_conversion/2, atomic_concat/3, atomics_to_string/2, current_atom/1, current_blob/2 ]).

/*  Atoms that are there, characters that are not converted, and old predicates on text of the system.  */

%!  atomic_concat(+A, +B, -Atom) is det.

atomic_concat(A, B, Atom) :-
    is_atomic(A),
    is_atomic(B),
    atomic_list_concat([A, B], Atom).

is_atomic(A) :-
    (   var(A) -> throw(error(instantiation_error, context(system:atomic_concat/3, _)))
    ;   atomic(A) -> true
    ;   throw(error(type_error(atomic, A), context(system:atomic_concat/3, _)))
    ).

%!  atomics_to_string(+List, -String) is det.

atomics_to_string(List, String) :-
    atomic_list_concat(List, Atom),
    atom_string(Atom, String).

%!  current_atom(?Atom) is nondet.
%
%   Atom has been read or made; in order of creation.

current_atom(Atom) :-
    (   var(Atom)
    ->  '$atoms'(Atoms),
        member(Atom, Atoms)
    ;   atom(Atom)
    ).

%!  current_blob(?Blob, ?Type) is nondet.
%
%   As current_atom/1, of type text; streams and other blobs are found if they are given.

current_blob(Blob, Type) :-
    (   var(Blob)
    ->  Type = text,
        current_atom(Blob)
    ;   blob(Blob, Type)
    ).

%!  char_conversion(+From, +To) is det.
%   Characters are never converted when text is read, as the flag char_conversion says: From must be To.
char_conversion(From, To) :-
    conversion_character(From, char_conversion/2, bound), conversion_character(To, char_conversion/2, bound),
    (   From == To -> true
    ;   throw(error(permission_error(modify, flag, char_conversion), context(system:char_conversion/2, _)))
    ).

%!  current_char_conversion(?From, ?To) is nondet.
current_char_conversion(From, To) :-
    conversion_character(From, current_char_conversion/2, any), conversion_character(To, current_char_conversion/2, any),
    From = To,
    ( var(From) -> between(0, 0x10FFFF, Code), \+ between(0xD800, 0xDFFF, Code), char_code(From, Code) ; true ).

conversion_character(C, PI, Which) :-
    (   var(C) -> ( Which == any -> true ; throw(error(instantiation_error, context(system:PI, _))) )
    ;   atom(C), atom_length(C, 1) -> true
    ;   throw(error(type_error(character, C), context(system:PI, _)))
    ).
