% Bytes as text of 64 characters: RFC 4648, as in SWI-Prolog's library(base64).

:- module(base64,
          [ base64/2,
            base64//1,
            base64url/2,
            base64url//1,
            base64_encoded/3,
            base64_encoded//2
          ]).

%!  base64(+Plain, -Encoded) is det.
%!  base64(-Plain, +Encoded) is semidet.
%
%   Encoded is what Plain, a text of characters up to 255, is in base64. The result is an atom. Fails if
%   Encoded is cut short.

base64(Plain, Encoded) :-
    base64_text(Plain, Encoded, classic, iso_latin_1).

%!  base64url(+Plain, -Encoded) is det.
%!  base64url(-Plain, +Encoded) is semidet.
%
%   As base64/2 for all characters, as UTF-8, with - and _ instead of + and /: text that may stand in addresses and file names.

base64url(Plain, Encoded) :-
    base64_text(Plain, Encoded, url, utf8).

base64_text(Plain, Encoded, Charset, Encoding) :-
    nonvar(Plain), !,
    string_bytes(Plain, Bytes, Encoding),
    base64_encode(Bytes, Charset, true, Codes),
    atom_codes(Encoded0, Codes),
    base64_same_text(Encoded, Encoded0).
base64_text(Plain, Encoded, Charset, Encoding) :-
    nonvar(Encoded), !,
    string_bytes(Encoded, Codes, iso_latin_1),
    base64_decode(Codes, Charset, true, Bytes, []), !,
    string_bytes(Text, Bytes, Encoding),
    atom_string(Plain, Text).
base64_text(_, _, _, _) :-
    throw(error(instantiation_error, _)).

%   What was asked for may be another kind of text than what comes out.
base64_same_text(Text, Atom) :-
    (   string(Text)
    ->  atom_string(Atom, Text)
    ;   Text = Atom
    ).

%!  base64(+Bytes)// is det.
%!  base64(-Bytes)// is semidet.
%
%   The codes of Bytes in base64. Without Bytes they are read, as far as there are four characters at a time.

base64(Bytes) -->
    base64_codes(Bytes, classic, true).

%!  base64url(?Bytes)// is semidet.
%
%   As base64//1 in the alphabet of base64url/2 and without padding.

base64url(Bytes) -->
    base64_codes(Bytes, url, false).

base64_codes(Bytes, Charset, Padding, Head, Tail) :-
    (   nonvar(Bytes)
    ->  base64_encode(Bytes, Charset, Padding, Codes),
        append(Codes, Tail, Head)
    ;   base64_decode(Head, Charset, Padding, Bytes, Tail)
    ).

%!  base64_encoded(+Plain, -Encoded, +Options) is det.
%!  base64_encoded(-Plain, +Encoded, +Options) is semidet.
%
%   As base64/2 for all characters. Options: charset(classic or url), padding(Boolean), true by default, as(atom or string),
%   the kind of the result, a string by default, and encoding(Encoding), as in string_bytes/3, utf8 by default.

base64_encoded(Plain, Encoded, Options) :-
    base64_options(Options, Charset, Padding, Encoding),
    option(as(As), Options, string),
    must_be(oneof([atom, string]), As),
    (   nonvar(Plain)
    ->  string_bytes(Plain, Bytes, Encoding),
        base64_encode(Bytes, Charset, Padding, Codes),
        base64_result(As, Codes, Encoded0),
        (   var(Encoded)
        ->  Encoded = Encoded0
        ;   text_to_string(Encoded, Text),
            text_to_string(Encoded0, Text)
        )
    ;   nonvar(Encoded)
    ->  text_to_string(Encoded, Text),
        string_codes(Text, Codes),
        once(base64_decode(Codes, Charset, Padding, Bytes, [])),
        string_bytes(String, Bytes, Encoding),
        ( As == string -> Plain = String ; atom_string(Plain, String) )
    ;   throw(error(instantiation_error, _))
    ).

base64_result(atom, Codes, Atom) :-
    atom_codes(Atom, Codes).
base64_result(string, Codes, String) :-
    string_codes(String, Codes).

%!  base64_encoded(?Bytes, +Options)// is semidet.
%
%   As base64//1, with the options charset(classic or url) and padding(Boolean).

base64_encoded(Bytes, Options) -->
    { base64_options(Options, Charset, Padding, _) },
    base64_codes(Bytes, Charset, Padding).

base64_options(Options, Charset, Padding, Encoding) :-
    option(charset(Charset), Options, classic),
    must_be(oneof([classic, url]), Charset),
    option(padding(Padding), Options, true),
    must_be(boolean, Padding),
    option(encoding(Encoding), Options, utf8).

base64_encode([], _, _, []).
base64_encode([A|Bytes], Charset, Padding, Codes) :-
    (   Bytes = [B, C|Rest]
    ->  N is A << 16 \/ B << 8 \/ C,
        Codes = [C1, C2, C3, C4|Codes1],
        base64_digits(N, Charset, C1, C2, C3, C4),
        base64_encode(Rest, Charset, Padding, Codes1)
    ;   Bytes = [B]
    ->  N is A << 16 \/ B << 8,
        base64_digits(N, Charset, C1, C2, C3, _),
        ( Padding == true -> Codes = [C1, C2, C3, 0'=] ; Codes = [C1, C2, C3] )
    ;   Bytes == [],
        N is A << 16,
        base64_digits(N, Charset, C1, C2, _, _),
        ( Padding == true -> Codes = [C1, C2, 0'=, 0'=] ; Codes = [C1, C2] )
    ).

base64_digits(N, Charset, C1, C2, C3, C4) :-
    base64_code(Charset, N >> 18, C1),
    base64_code(Charset, (N >> 12) /\ 63, C2),
    base64_code(Charset, (N >> 6) /\ 63, C3),
    base64_code(Charset, N /\ 63, C4).

base64_code(Charset, Expression, C) :-
    D is Expression,
    (   D < 26 -> C is D + 0'A
    ;   D < 52 -> C is D + 71
    ;   D < 62 -> C is D - 4
    ;   base64_special(Charset, D, C)
    ).

base64_special(classic, 62, 0'+).
base64_special(classic, 63, 0'/).
base64_special(url, 62, 0'-).
base64_special(url, 63, 0'_).

%   base64_decode(+Codes, +Charset, +Padding, -Bytes, ?Rest): without padding the last group may be shorter.
base64_decode([C1, C2, C3, C4|Codes], Charset, Padding, Bytes, Rest) :- !,
    (   C4 == 0'=, Padding == true
    ->  ( C3 == 0'= -> base64_last([C1, C2], Charset, Bytes) ; base64_last([C1, C2, C3], Charset, Bytes) ),
        Rest = Codes
    ;   base64_value(Charset, C1, V1),
        base64_value(Charset, C2, V2),
        base64_value(Charset, C3, V3),
        base64_value(Charset, C4, V4),
        A is V1 << 2 \/ V2 >> 4,
        B is (V2 /\ 15) << 4 \/ V3 >> 2,
        C is (V3 /\ 3) << 6 \/ V4,
        Bytes = [A, B, C|Bytes1],
        base64_decode(Codes, Charset, Padding, Bytes1, Rest)
    ).
base64_decode(Codes, Charset, false, Bytes, Rest) :-
    base64_last(Codes, Charset, Bytes), !,
    Rest = [].
base64_decode(Codes, _, _, [], Codes).

base64_last([C1, C2], Charset, [A]) :-
    base64_value(Charset, C1, V1),
    base64_value(Charset, C2, V2),
    A is V1 << 2 \/ V2 >> 4.
base64_last([C1, C2, C3], Charset, [A, B]) :-
    base64_last([C1, C2], Charset, [A]),
    base64_value(Charset, C2, V2),
    base64_value(Charset, C3, V3),
    B is (V2 /\ 15) << 4 \/ V3 >> 2.

base64_value(Charset, C, V) :-
    (   C >= 0'A, C =< 0'Z -> V is C - 0'A
    ;   C >= 0'a, C =< 0'z -> V is C - 71
    ;   C >= 0'0, C =< 0'9 -> V is C + 4
    ;   base64_special(Charset, V0, C) -> V = V0
    ;   throw(error(syntax_error(base64_char(_, C)), _))
    ).
