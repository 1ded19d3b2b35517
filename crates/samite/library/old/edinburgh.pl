% Predicates of DEC-10 Prolog that had other names or effects, as in SWI-Prolog's library(edinburgh).

:- module(edinburgh,
          [ display/1,
            display/2,
            unknown/2,
            reconsult/1,
            get/1,
            get/2
          ]).

%!  display(+Term) is det.
%!  display(+Stream, +Term) is det.
%
%   Writes Term quoted and as functors with arguments: without operators, lists and braces.

display(Term) :-
    current_output(Stream),
    display(Stream, Term).
display(Stream, Term) :-
    (   compound(Term)
    ->  compound_name_arguments(Term, Name, Args),
        writeq(Stream, Name),
        write(Stream, '('),
        display_arguments(Args, Stream),
        write(Stream, ')')
    ;   writeq(Stream, Term)
    ).

display_arguments([], _).
display_arguments([Arg|Args], Stream) :-
    display(Stream, Arg),
    ( Args == [] -> true ; write(Stream, ',') ),
    display_arguments(Args, Stream).

%!  unknown(:Old, +New) is det.
%
%   Old is the flag unknown of the module, which becomes New: error, fail or warning.

:- meta_predicate(unknown(:, +)).
unknown(Spec, New) :-
    '$strip_modules'(Spec, M, Old),
    current_prolog_flag(M:unknown, Old0),
    (   New == Old
    ->  New = Old0
    ;   set_prolog_flag(M:unknown, New)
    ),
    Old = Old0.

%!  reconsult(:Files) is det.
%
%   As consult/1.

:- meta_predicate(reconsult(:)).
reconsult(Files) :-
    consult(Files).

%!  get(-Code) is det.
%!  get(+Stream, -Code) is det.
%
%   The next character that is not blank.

get(Code) :-
    current_input(Stream),
    get(Stream, Code).
get(Stream, Code) :-
    get_code(Stream, Code0),
    (   Code0 =\= -1,
        code_type(Code0, space)
    ->  get(Stream, Code)
    ;   Code = Code0
    ).
