% Texts as the bytes of an encoding.

:- module('$string_bytes', [string_bytes/3]).

%!  string_bytes(?Text, ?Bytes, +Encoding) is semidet.
%
%   Bytes are those of Text in Encoding: octet, iso_latin_1, ascii, utf8, text (as utf8), utf16be, utf16le, unicode_be or
%   unicode_le. If Text is unbound it becomes a string. As far as bytes are no UTF-8, each stands for a character.

string_bytes(_, _, Encoding) :-
    var(Encoding), !,
    throw(error(instantiation_error, context(system:string_bytes/3, _))).
string_bytes(_, _, Encoding) :-
    \+ atom(Encoding), !,
    throw(error(type_error(atom, Encoding), context(system:string_bytes/3, _))).
string_bytes(_, _, Encoding) :-
    \+ bytes_encoding(Encoding, _), !,
    throw(error(domain_error(encoding, Encoding), context(system:string_bytes/3, _))).
string_bytes(Text, Bytes, Encoding) :-
    nonvar(Text), !,
    text_of_bytes(Text, Codes),
    bytes_encoding(Encoding, Kind),
    codes_to_bytes(Kind, Codes, Bytes0),
    Bytes = Bytes0.
string_bytes(Text, Bytes, Encoding) :-
    byte_list(Bytes, List),
    bytes_encoding(Encoding, Kind),
    bytes_to_codes(Kind, List, Codes),
    string_codes(Text, Codes).

bytes_encoding(octet, limit(255)).
bytes_encoding(iso_latin_1, limit(255)).
bytes_encoding(ascii, limit(127)).
bytes_encoding(utf8, utf8).
bytes_encoding(text, utf8).
bytes_encoding(utf16be, utf16(big)).
bytes_encoding(utf16le, utf16(little)).
bytes_encoding(unicode_be, ucs2(big)).
bytes_encoding(unicode_le, ucs2(little)).

text_of_bytes(Text, Codes) :-
    (   ( atom(Text) ; string(Text) ; is_list(Text) )
    ->  catch(( text_to_string(Text, String), string_codes(String, Codes) ), error(_, _),
              throw(error(type_error(text, Text), context(system:string_bytes/3, _))))
    ;   throw(error(type_error(text, Text), context(system:string_bytes/3, _)))
    ).

byte_list(Bytes, List) :-
    must_be(list, Bytes),
    bytes_of(Bytes, List).

bytes_of([], []).
bytes_of([X|Xs], [B|Bs]) :-
    (   integer(X), X >= 0, X =< 255
    ->  B = X
    ;   var(X)
    ->  throw(error(instantiation_error, context(system:string_bytes/3, _)))
    ;   atom(X), atom_length(X, 1), char_code(X, C), C =< 255
    ->  B = C
    ;   integer(X)
    ->  throw(error(representation_error(encoding), context(system:string_bytes/3, _)))
    ;   throw(error(type_error(character_code, X), context(system:string_bytes/3, _)))
    ),
    bytes_of(Xs, Bs).

codes_to_bytes(utf8, Codes, Bytes) :-
    codes_utf8(Codes, Bytes).
codes_to_bytes(limit(Max), Codes, Codes) :-
    codes_below(Codes, Max).
codes_to_bytes(utf16(Order), Codes, Bytes) :-
    codes_utf16(Codes, Units),
    units_bytes(Units, Order, Bytes).
codes_to_bytes(ucs2(Order), Codes, Bytes) :-
    codes_below(Codes, 65535),
    units_bytes(Codes, Order, Bytes).

codes_below([], _).
codes_below([C|Cs], Max) :-
    (   C =< Max
    ->  codes_below(Cs, Max)
    ;   throw(error(representation_error(encoding), context(system:string_bytes/3, _)))
    ).

codes_utf8([], []).
codes_utf8([C|Cs], Bytes) :-
    (   C < 0x80
    ->  Bytes = [C|Bytes1]
    ;   C < 0x800
    ->  A is 0xC0 \/ C >> 6, B is 0x80 \/ (C /\ 0x3F),
        Bytes = [A, B|Bytes1]
    ;   C < 0x10000
    ->  A is 0xE0 \/ C >> 12, B is 0x80 \/ (C >> 6 /\ 0x3F), D is 0x80 \/ (C /\ 0x3F),
        Bytes = [A, B, D|Bytes1]
    ;   A is 0xF0 \/ C >> 18, B is 0x80 \/ (C >> 12 /\ 0x3F),
        D is 0x80 \/ (C >> 6 /\ 0x3F), E is 0x80 \/ (C /\ 0x3F),
        Bytes = [A, B, D, E|Bytes1]
    ),
    codes_utf8(Cs, Bytes1).

codes_utf16([], []).
codes_utf16([C|Cs], Units) :-
    (   C < 0x10000
    ->  Units = [C|Units1]
    ;   High is 0xD800 + (C - 0x10000) >> 10, Low is 0xDC00 + ((C - 0x10000) /\ 0x3FF),
        Units = [High, Low|Units1]
    ),
    codes_utf16(Cs, Units1).

units_bytes([], _, []).
units_bytes([U|Us], Order, [A, B|Bytes]) :-
    High is U >> 8,
    Low is U /\ 0xFF,
    ( Order == big -> A = High, B = Low ; A = Low, B = High ),
    units_bytes(Us, Order, Bytes).

bytes_to_codes(utf8, Bytes, Codes) :-
    utf8_codes(Bytes, Codes).
bytes_to_codes(limit(Max), Bytes, Bytes) :-
    codes_below(Bytes, Max).
bytes_to_codes(utf16(Order), Bytes, Codes) :-
    bytes_units(Bytes, Order, Units),
    utf16_codes(Units, Codes).
bytes_to_codes(ucs2(Order), Bytes, Codes) :-
    bytes_units(Bytes, Order, Codes).

utf8_codes([], []).
utf8_codes([B|Bs], [C|Cs]) :-
    (   B < 0xC0
    ->  C = B, Rest = Bs
    ;   B < 0xE0, Bs = [B1|Bs1], B1 /\ 0xC0 =:= 0x80
    ->  C is (B /\ 0x1F) << 6 \/ (B1 /\ 0x3F), Rest = Bs1
    ;   B >= 0xE0, B < 0xF0, Bs = [B1, B2|Bs1], B1 /\ 0xC0 =:= 0x80, B2 /\ 0xC0 =:= 0x80
    ->  C is (B /\ 0xF) << 12 \/ (B1 /\ 0x3F) << 6 \/ (B2 /\ 0x3F), Rest = Bs1
    ;   B >= 0xF0, B < 0xF5, Bs = [B1, B2, B3|Bs1], B1 /\ 0xC0 =:= 0x80, B2 /\ 0xC0 =:= 0x80, B3 /\ 0xC0 =:= 0x80,
        C0 is (B /\ 7) << 18 \/ (B1 /\ 0x3F) << 12 \/ (B2 /\ 0x3F) << 6 \/ (B3 /\ 0x3F), C0 =< 0x10FFFF
    ->  C = C0, Rest = Bs1
    ;   C = B, Rest = Bs
    ),
    utf8_codes(Rest, Cs).

bytes_units([], _, []).
bytes_units([A, B|Bytes], Order, [U|Us]) :- !,
    ( Order == big -> U is A << 8 \/ B ; U is B << 8 \/ A ),
    bytes_units(Bytes, Order, Us).
bytes_units([_], _, _) :-
    throw(error(syntax_error(incomplete_multibyte_sequence), context(system:string_bytes/3, _))).

utf16_codes([], []).
utf16_codes([U|Us], [C|Cs]) :-
    (   ( U < 0xD800 ; U > 0xDFFF )
    ->  C = U, Rest = Us
    ;   U < 0xDC00, Us = [Low|Rest], Low >= 0xDC00, Low =< 0xDFFF
    ->  C is 0x10000 + (U - 0xD800) << 10 + Low - 0xDC00
    ;   throw(error(representation_error(code_point), context(system:string_bytes/3, _)))
    ),
    utf16_codes(Rest, Cs).
