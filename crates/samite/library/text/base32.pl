% Bytes as text of 32 characters: RFC 4648, as in SWI-Prolog's library(base32).

:- module(base32, [base32/2, base32//1]).

%!  base32(+Plain, -Encoded) is det.
%!  base32(-Plain, +Encoded) is semidet.
%
%   The codes of Plain are bytes: beyond 255 it is a representation error. The result is an atom.

base32(Plain, Encoded) :-
    nonvar(Plain), !,
    string_bytes(Plain, Bytes, octet),
    base32_encode(Bytes, Codes),
    (   string(Encoded)
    ->  string_codes(Encoded, Codes)
    ;   atom_codes(Encoded, Codes)
    ).
base32(Plain, Encoded) :-
    nonvar(Encoded), !,
    text_to_string(Encoded, Text),
    string_codes(Text, Codes),
    base32_decode(Codes, Bytes, []),
    atom_codes(Plain, Bytes).
base32(_, _) :-
    throw(error(instantiation_error, _)).

%!  base32(+Bytes)// is det.
%!  base32(-Bytes)// is semidet.
%
%   The codes of Bytes in base32.

base32(Bytes, Head, Tail) :-
    (   nonvar(Bytes)
    ->  base32_encode(Bytes, Codes),
        append(Codes, Tail, Head)
    ;   base32_decode(Head, Bytes, Tail)
    ).

base32_encode([], []) :- !.
base32_encode(Bytes, Codes) :-
    base32_group(5, Bytes, Group, Used, Rest),
    foldl(base32_add, Group, 0, N),
    Count is (Used * 8 + 4) // 5,
    base32_digits(8, 0, Count, N, Codes, Codes1),
    base32_encode(Rest, Codes1).

%   The next five bytes, with zeros for those that are not there.
base32_group(0, Bytes, [], 0, Bytes) :- !.
base32_group(I, Bytes, [B|Group], Used, Rest) :-
    I1 is I - 1,
    (   Bytes = [B|Bytes1]
    ->  base32_group(I1, Bytes1, Group, Used0, Rest),
        Used is Used0 + 1
    ;   B = 0,
        base32_group(I1, [], Group, Used, Rest)
    ).

base32_add(Byte, N0, N) :-
    N is N0 << 8 \/ Byte.

base32_digits(Total, I, Count, N, Codes, Tail) :-
    (   I =:= Total
    ->  Codes = Tail
    ;   (   I < Count
        ->  D is (N >> (5 * (Total - 1 - I))) /\ 31,
            ( D < 26 -> C is D + 0'A ; C is D + 24 )
        ;   C = 0'=
        ),
        Codes = [C|Codes1],
        I1 is I + 1,
        base32_digits(Total, I1, Count, N, Codes1, Tail)
    ).

base32_decode([C1, C2, C3, C4, C5, C6, C7, C8|Codes], Bytes, Rest) :- !,
    base32_values([C1, C2, C3, C4, C5, C6, C7, C8], Values),
    length(Values, Count),
    base32_used(Count, Used),
    foldl(base32_shift, Values, 0, N0),
    N is N0 << (5 * (8 - Count)),
    base32_bytes(Used, 32, N, Bytes, Bytes1),
    (   Count =:= 8
    ->  base32_decode(Codes, Bytes1, Rest)
    ;   Bytes1 = [],
        Rest = Codes
    ).
base32_decode(Codes, [], Codes).

%   Only the padding may come after the first character that is no digit.
base32_values([C|Cs], Values) :-
    (   C >= 0'A, C =< 0'Z
    ->  V is C - 0'A
    ;   C >= 0'2, C =< 0'7
    ->  V is C - 24
    ;   V = none
    ),
    (   V == none
    ->  maplist(==(0'=), [C|Cs]),
        Values = []
    ;   Values = [V|Values1],
        base32_values(Cs, Values1)
    ).
base32_values([], []).

base32_shift(V, N0, N) :-
    N is N0 << 5 \/ V.

base32_used(2, 1).
base32_used(4, 2).
base32_used(5, 3).
base32_used(7, 4).
base32_used(8, 5).

base32_bytes(0, _, _, Bytes, Bytes) :- !.
base32_bytes(I, Shift, N, [B|Bytes], Tail) :-
    B is (N >> Shift) /\ 255,
    I1 is I - 1,
    Shift1 is Shift - 8,
    base32_bytes(I1, Shift1, N, Bytes, Tail).
