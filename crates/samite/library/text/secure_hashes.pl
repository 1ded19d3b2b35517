% Secure hashes of texts and files, for library(md5), library(sha) and library(crypto).

:- module('$secure_hashes', [ '$hash_context'/4, '$add_to_hash'/3, '$hash_in'/2, '$hash_of_text'/4, '$hash_of_file'/3, '$hash_encoding'/2, '$hash_text'/1, '$hex_digits'/2 ]).

%   '$hash_context'(+Algorithm, +Key, +Encoding, -Context) is semidet: what is to be hashed, by HMAC (RFC 2104) if Key is not `none`. Fails if there is no such algorithm.
'$hash_context'(Algorithm, Key, Encoding, '$hash'(Algorithm, Outer, Encoding, State)) :-
    '$hash_begin'(Algorithm, State0),
    (   Key == none
    ->  Outer = none,
        State = State0
    ;   key_bytes(Key, Algorithm, Bytes),
        padded(Bytes, 0x36, Inner),
        padded(Bytes, 0x5c, Outer),
        '$hash_add'(Algorithm, State0, Inner, octet, State)
    ).

%   '$add_to_hash'(+Text, +Context0, -Context)
'$add_to_hash'(Text, Context0, Context) :-
    must_be_context(Context0),
    Context0 = '$hash'(Algorithm, Outer, Encoding, State0),
    '$hash_add'(Algorithm, State0, Text, Encoding, State),
    Context = '$hash'(Algorithm, Outer, Encoding, State).

%   (Anybody can make a context. What the state in it is worth is seen where it is gone on from.)
must_be_context(Context) :-
    must_be(compound, Context),
    (   Context = '$hash'(Algorithm, Outer, Encoding, State),
        atom(Algorithm), block(Algorithm, Length),
        ( Outer == none -> true ; is_list(Outer), length(Outer, Length) ),
        atom(Encoding), memberchk(Encoding, [octet, utf8]),
        string(State)
    ->  true
    ;   domain_error(hash_context, Context)
    ).

%   '$hash_in'(+Context, -Bytes)
'$hash_in'(Context, Bytes) :-
    must_be_context(Context),
    Context = '$hash'(Algorithm, Outer, _, State),
    '$hash_end'(Algorithm, State, Inner),
    (   Outer == none
    ->  Bytes = Inner
    ;   '$hash_begin'(Algorithm, State1),
        '$hash_add'(Algorithm, State1, Outer, octet, State2),
        '$hash_add'(Algorithm, State2, Inner, octet, State3),
        '$hash_end'(Algorithm, State3, Bytes)
    ).

%   As long as a block of the algorithm: a longer key is hashed.
key_bytes(Key, Algorithm, Bytes) :-
    '$hash_text'(Key),
    string_bytes(Key, Bytes0, utf8),
    length(Bytes0, N0),
    block(Algorithm, Length),
    (   N0 =< Length
    ->  Bytes1 = Bytes0
    ;   '$hash_context'(Algorithm, none, octet, Context0),
        '$add_to_hash'(Bytes0, Context0, Context),
        '$hash_in'(Context, Bytes1)
    ),
    length(Bytes, Length),
    filled(Bytes, Bytes1).

filled([], []).
filled([B|Bs], Bytes) :-
    ( Bytes = [B|Bytes1] -> true ; B = 0, Bytes1 = [] ),
    filled(Bs, Bytes1).

padded([], _, []).
padded([B0|Bs0], Pad, [B|Bs]) :-
    B is B0 xor Pad,
    padded(Bs0, Pad, Bs).

block(md5, 64).
block(sha1, 64).
block(sha224, 64).
block(sha256, 64).
block(sha384, 128).
block(sha512, 128).

%   '$hash_of_text'(+Algorithm, +Text, +Encoding, -Bytes) is semidet.
'$hash_of_text'(Algorithm, Text, Encoding, Bytes) :-
    '$hash_context'(Algorithm, none, Encoding, Context0),
    '$add_to_hash'(Text, Context0, Context),
    '$hash_in'(Context, Bytes).

%   '$hash_of_file'(+File, +Context, -Bytes)
'$hash_of_file'(File, Context, Bytes) :-
    setup_call_cleanup(
        open(File, read, Stream, [encoding(octet), bom(false)]),
        add_rest(Stream, Context, Context1),
        close(Stream)),
    '$hash_in'(Context1, Bytes).

add_rest(Stream, '$hash'(Algorithm, Outer, Encoding, State0), Context) :-
    read_string(Stream, 65536, Piece),
    (   Piece == ""
    ->  Context = '$hash'(Algorithm, Outer, Encoding, State0)
    ;   '$hash_add'(Algorithm, State0, Piece, octet, State),
        add_rest(Stream, '$hash'(Algorithm, Outer, Encoding, State), Context)
    ).

%   '$hash_encoding'(+Options, -Encoding): `octet` or `utf8`, which it is if they do not say.
'$hash_encoding'(Options, Encoding) :-
    option(encoding(Name), Options, utf8),
    must_be(atom, Name),
    (   encoding(Name, Encoding0) -> Encoding = Encoding0
    ;   domain_error(encoding, Name)
    ).

encoding(utf8, utf8).
encoding(text, utf8).
encoding(octet, octet).
encoding(iso_latin_1, octet).

%   '$hash_text'(+Text): it is an atom, a string, codes or characters.
'$hash_text'(Text) :-
    (   var(Text) -> instantiation_error(Text)
    ;   ( atom(Text) ; string(Text) ; is_list(Text) ) -> true
    ;   type_error(text, Text)
    ).

%   '$hex_digits'(+Bytes, -Atom)
'$hex_digits'(Bytes, Atom) :-
    digits(Bytes, Codes),
    atom_codes(Atom, Codes).

digits([], []).
digits([B|Bs], [High, Low|Codes]) :-
    High0 is B >> 4,
    Low0 is B /\ 15,
    digit(High0, High),
    digit(Low0, Low),
    digits(Bs, Codes).

digit(N, Code) :- ( N < 10 -> Code is 0'0+N ; Code is 0'a+N-10 ).
