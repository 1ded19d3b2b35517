:- module('$format_predicates', [current_format_predicate/2]).

/*  The directives of format/2 that the program has defined.  */

:- meta_predicate(current_format_predicate(?, :)).

%!  current_format_predicate(?Char, ?Head) is nondet.
%
%   The directive with the character Char, or its code, runs the predicate of Head; format_predicate/2 has said so.

current_format_predicate(Char, Qualified) :-
    '$strip_modules'(Qualified, Module, Head),
    '$format_predicates'(All),
    member(Code-(Module0:Head0), All),
    (   atom(Char) -> char_code(Char, Code)
    ;   Char = Code
    ),
    (   Module == Module0 -> Head = Head0
    ;   var(Head) -> Head = Module0:Head0
    ;   Head = Head0
    ).
