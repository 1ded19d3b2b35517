:- module(crypto,
          [ crypto_data_hash/3, crypto_file_hash/3, crypto_context_new/2, crypto_data_context/3, crypto_context_hash/2, crypto_n_random_bytes/2, hex_bytes/2 ]).
:- use_module(library(error), [must_be/2, domain_error/2]).
:- use_module(library(option), [option/3, option/2]).

/*  The part of SWI-Prolog's library(crypto) that hashes, and makes random bytes. What encrypts, signs, or needs numbers of a curve is not there.

    Options: algorithm(Algorithm), md5, sha1, sha224, sha256, sha384 or sha512; sha256 if it is not there, or unbound, and then it is bound; encoding(Encoding) of
    texts, utf8 or octet; hmac(Key), for a keyed hash (RFC 2104). Hashes are atoms of hexadecimal digits.  */

%!  crypto_data_hash(+Text, -Hash, +Options) is det.

crypto_data_hash(Text, Hash, Options) :-
    crypto_context_new(Context0, Options),
    crypto_data_context(Text, Context0, Context),
    crypto_context_hash(Context, Hash).

%!  crypto_file_hash(+File, -Hash, +Options) is det.

crypto_file_hash(File, Hash, Options) :-
    crypto_context_new(Context, Options),
    '$hash_of_file'(File, Context, Bytes),
    '$hex_digits'(Bytes, Hash).

%!  crypto_context_new(-Context, +Options) is det.
%!  crypto_data_context(+Text, +Context0, -Context) is det.
%!  crypto_context_hash(+Context, -Hash) is det.
%
%   The hash of texts that come one after another. Each context can be gone on from, more than once.

crypto_context_new(Context, Options) :-
    must_be(list, Options),
    '$hash_encoding'(Options, Encoding),
    option(algorithm(Algorithm), Options, sha256),
    ( var(Algorithm) -> Algorithm = sha256 ; must_be(atom, Algorithm) ),
    ( option(hmac(Key0), Options) -> Key = key(Key0) ; Key = none ),
    (   new(Key, Algorithm, Encoding, Context0) -> Context = Context0
    ;   domain_error(algorithm, Algorithm)
    ).

new(none, Algorithm, Encoding, Context) :-
    '$hash_context'(Algorithm, none, Encoding, Context).
new(key(Key), Algorithm, Encoding, Context) :-
    % (A key may be the atom `none`.)
    '$hash_text'(Key),
    text_to_string(Key, Text),
    '$hash_context'(Algorithm, Text, Encoding, Context).

crypto_data_context(Text, Context0, Context) :-
    '$hash_text'(Text),
    '$add_to_hash'(Text, Context0, Context).

crypto_context_hash(Context, Hash) :-
    '$hash_in'(Context, Bytes),
    '$hex_digits'(Bytes, Hash).

%!  crypto_n_random_bytes(+N, -Bytes) is det.
%
%   Bytes of the system's that nobody can predict.

crypto_n_random_bytes(N, Bytes) :-
    '$random_bytes'(N, Bytes).

%!  hex_bytes(?Hex, ?Bytes) is det.
%
%   A text of hexadecimal digits, an atom if it is made, two for each byte.

hex_bytes(Hex, Bytes) :-
    (   var(Hex)
    ->  must_be(list(between(0, 255)), Bytes),
        '$hex_digits'(Bytes, Hex)
    ;   text_to_string(Hex, Text),
        string_codes(Text, Codes),
        (   bytes_of_digits(Codes, Bytes0) -> Bytes = Bytes0
        ;   domain_error(hex_encoding, Hex)
        )
    ).

bytes_of_digits([], []).
bytes_of_digits([High, Low|Codes], [B|Bs]) :-
    code_type(High, xdigit(H)),
    code_type(Low, xdigit(L)),
    B is H << 4 \/ L,
    bytes_of_digits(Codes, Bs).
