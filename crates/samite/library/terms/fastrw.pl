:- module(fastrw,
          [ fast_term_serialized/2,
            fast_write/1,
            fast_write/2,
            fast_read/1,
            fast_read/2,
            fast_write_to_string/3
          ]).

/*  Terms as bytes, quicker to read than text (machine/builtins/fast.rs). What is not a tree is told by the equations that make it one.  */

%!  fast_term_serialized(?Term, ?String) is det.
%
%   The characters of String, 0 to 255, are the bytes that tell of Term. If String is bound, Term is what it tells of.

fast_term_serialized(Term, String) :-
    (   var(String)
    ->  plain(Term, Plain),
        '$fast_bytes'(Plain, String)
    ;   string(String)
    ->  '$fast_term'(String, Plain),
        whole(Plain, Term)
    ;   type_error(string, String)
    ).

%!  fast_write_to_string(+Term, -Codes, ?Tail) is det.
%
%   The bytes that tell of Term, a list in front of Tail.

fast_write_to_string(Term, Codes, Tail) :-
    fast_term_serialized(Term, String),
    string_codes(String, Codes0),
    append(Codes0, Tail, Codes).

%!  fast_write(+Term) is det.
%
%   As fast_write/2 on current output.

fast_write(Term) :-
    current_output(Stream),
    fast_write(Stream, Term).

%!  fast_write(+Stream, +Term) is det.
%
%   Writes the bytes of a term on a binary stream.

fast_write(Stream, Term) :-
    plain(Term, Plain),
    '$fast_write'(Stream, Plain).

%!  fast_read(-Term) is det.
%
%   As fast_read/2 from current input.

fast_read(Term) :-
    current_input(Stream),
    fast_read(Stream, Term).

%!  fast_read(+Stream, -Term) is det.
%
%   Reads what fast_write/2 has written; end_of_file at the end of the stream.

fast_read(Stream, Term) :-
    '$fast_read'(Stream, Plain),
    whole(Plain, Term).

plain(Term, Plain) :-
    (   acyclic_term(Term),
        \+ marked(Term)
    ->  Plain = Term
    ;   '$factorize_term'(Term, Skeleton, Equations),
        Plain = '$fast'(Skeleton, Equations)
    ).

marked(Term) :-
    nonvar(Term),
    Term = '$fast'(_, _).

whole(Plain, Term) :-
    (   nonvar(Plain),
        Plain = '$fast'(Skeleton, Equations)
    ->  (   is_list(Equations),
            equal(Equations)
        ->  Term = Skeleton
        ;   throw(error(syntax_error(fast_term_expected), _))
        )
    ;   Term = Plain
    ).

%   The equations that factorize_term makes: each of a variable of its own.
equal([]).
equal([Equation|Equations]) :-
    nonvar(Equation),
    Equation = (X=Y),
    var(X),
    compound(Y),
    X = Y,
    equal(Equations).
