:- module(utf8, [ utf8_codes/3 ]).

%!  utf8_codes(?Codes)//
%
%   The bytes of the UTF-8 encoding of Codes: made if there is no input yet, else decoded up to its end.

utf8_codes(Codes, Bytes0, Bytes) :-
    (   var(Bytes0)
    ->  encoded(Codes, Bytes0, Bytes)
    ;   decoded(Codes, Bytes0, Bytes)
    ).

encoded([], Bytes, Bytes).
encoded([Code|Codes], Bytes0, Bytes) :-
    must_be(between(0, 0x10ffff), Code),
    bytes(Code, Bytes0, Bytes1),
    encoded(Codes, Bytes1, Bytes).

bytes(C, [C|Rest], Rest) :-
    C < 0x80, !.
bytes(C, [B0, B1|Rest], Rest) :-
    C < 0x800, !,
    B0 is 0xc0 \/ C >> 6,
    more(C, 0, B1).
bytes(C, [B0, B1, B2|Rest], Rest) :-
    C < 0x10000, !,
    B0 is 0xe0 \/ C >> 12,
    more(C, 6, B1),
    more(C, 0, B2).
bytes(C, [B0, B1, B2, B3|Rest], Rest) :-
    B0 is 0xf0 \/ C >> 18,
    more(C, 12, B1),
    more(C, 6, B2),
    more(C, 0, B3).

more(C, Shift, Byte) :-
    Byte is 0x80 \/ ((C >> Shift) /\ 0x3f).

decoded(Codes, Bytes0, Bytes) :-
    (   nonvar(Bytes0),
        Bytes0 = [Byte|Bytes1],
        integer(Byte)
    ->  first(Byte, Bits, Count),
        rest(Count, Bits, Code, Bytes1, Bytes2),
        Codes = [Code|Codes1],
        decoded(Codes1, Bytes2, Bytes)
    ;   Codes = [],
        Bytes = Bytes0
    ).

first(B, B, 0) :- B < 0x80, !.
first(B, Bits, 1) :- B >= 0xc0, B < 0xe0, !, Bits is B /\ 0x1f.
first(B, Bits, 2) :- B >= 0xe0, B < 0xf0, !, Bits is B /\ 0x0f.
first(B, Bits, 3) :- B >= 0xf0, B < 0xf8, Bits is B /\ 0x07.

rest(0, Code, Code, Bytes, Bytes) :- !.
rest(N, Bits0, Code, [B|Bytes0], Bytes) :-
    B /\ 0xc0 =:= 0x80,
    Bits is Bits0 << 6 \/ (B /\ 0x3f),
    N1 is N-1,
    rest(N1, Bits, Code, Bytes0, Bytes).
