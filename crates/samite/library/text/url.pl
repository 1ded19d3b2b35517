:- module(url, [ global_url/3, is_absolute_url/1, url_iri/2, www_form_encode/2 ]).

:- use_module(library(error), [instantiation_error/1]).
:- use_module(library(uri)).

/*  Old names of what library(uri) does.

    As the part of SWI-Prolog's library(url) that old programs use; addresses are taken apart by library(uri).
*/

%!  global_url(+URL, +Base, -Global) is det.
%
%   Global is what URL means on the page Base.

global_url(URL, Base, Global) :-
    uri_resolve(URL, Base, Global).

%!  is_absolute_url(+URL) is semidet.

is_absolute_url(URL) :-
    uri_is_global(URL).

%!  url_iri(?URL, ?IRI) is det.
%
%   IRI has the characters for which URL has %-escapes.

url_iri(URL, IRI) :-
    (   nonvar(URL)
    ->  atom_codes(URL, Codes0),
        decode(Codes0, none, Bytes),
        text_of_bytes(Bytes, IRI)
    ;   nonvar(IRI)
    ->  string_bytes(IRI, Bytes, utf8),
        escape_iri(Bytes, Codes),
        atom_codes(URL, Codes)
    ;   instantiation_error(URL)
    ).

escape_iri([], []).
escape_iri([B|Bs], Codes) :-
    (   B < 0x80,
        B > 0x20
    ->  Codes = [B|Rest]
    ;   escaped(B, Codes, Rest)
    ),
    escape_iri(Bs, Rest).

%!  www_form_encode(?Text, ?Encoded) is det.
%
%   Encoded is Text as the value of a form: UTF-8, with what is no letter, digit, `-`, `_`, `.` or `~` in %-escapes, newlines as two.

www_form_encode(Text, Encoded) :-
    (   nonvar(Text)
    ->  format(string(String), '~w', [Text]),
        string_bytes(String, Bytes, utf8),
        form(Bytes, Codes),
        atom_codes(Encoded, Codes)
    ;   nonvar(Encoded)
    ->  atom_codes(Encoded, Codes),
        decode(Codes, form, Bytes),
        text_of_bytes(Bytes, Text)
    ;   instantiation_error(Text)
    ).

form([], []).
form([B|Bs], Codes) :-
    (   plain(B)
    ->  Codes = [B|Rest]
    ;   B =:= 0'\n
    ->  Codes = [0'%, 0'0, 0'D, 0'%, 0'0, 0'A|Rest]
    ;   escaped(B, Codes, Rest)
    ),
    form(Bs, Rest).

plain(B) :- B >= 0'a, B =< 0'z.
plain(B) :- B >= 0'A, B =< 0'Z.
plain(B) :- B >= 0'0, B =< 0'9.
plain(0'-).
plain(0'_).
plain(0'.).
plain(0'~).

escaped(B, [0'%, H, L|Rest], Rest) :-
    H0 is B >> 4,
    L0 is B /\ 15,
    hex(H0, H),
    hex(L0, L).

hex(N, C) :- ( N < 10 -> C is 0'0 + N ; C is 0'a + N - 10 ).

decode([], _, []).
decode([C|Cs], How, Bytes) :-
    (   C =:= 0'%,
        Cs = [H, L|Rest],
        code_type(H, xdigit(HN)),
        code_type(L, xdigit(LN))
    ->  B is HN << 4 \/ LN,
        (   B =:= 0'\r,
            How == form
        ->  Bytes = Bytes1
        ;   Bytes = [B|Bytes1]
        ),
        decode(Rest, How, Bytes1)
    ;   C =:= 0'+,
        How == form
    ->  Bytes = [0' |Bytes1],
        decode(Cs, How, Bytes1)
    ;   atom_codes(A, [C]),
        string_bytes(A, Bs, utf8),
        append(Bs, Bytes1, Bytes),
        decode(Cs, How, Bytes1)
    ).

text_of_bytes(Bytes, Text) :-
    string_bytes(String, Bytes, utf8),
    atom_string(Text, String).
