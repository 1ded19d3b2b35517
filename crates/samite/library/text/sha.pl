:- module(crypto_hash, [ sha_hash/3, sha_new_ctx/2, sha_hash_ctx/4, hmac_sha/4, file_sha1/2, hash_atom/2 ]).
:- use_module(library(error), [must_be/2, domain_error/2]).
:- use_module(library(option), [option/3]).

/*  Secure hashes, as SWI-Prolog's library(sha): SHA-1 and SHA-2 (FIPS 180-4).

    Hashes are lists of bytes. Options: algorithm(Algorithm), sha1, which it is if it is not there, sha224, sha256, sha384 or sha512; encoding(Encoding) of texts,
    utf8 or octet.  */

%!  sha_hash(+Text, -Hash, +Options) is det.

sha_hash(Text, Hash, Options) :-
    sha_new_ctx(Context, Options),
    sha_hash_ctx(Context, Text, _, Hash).

%!  sha_new_ctx(-Context, +Options) is det.
%
%   What sha_hash_ctx/4 begins with.

sha_new_ctx(Context, Options) :-
    must_be(list, Options),
    '$hash_encoding'(Options, Encoding),
    option(algorithm(Algorithm), Options, sha1),
    must_be_one_of(Algorithm, [sha1, sha224, sha256, sha384, sha512]),
    '$hash_context'(Algorithm, none, Encoding, Context).

must_be_one_of(Algorithm, Algorithms) :-
    must_be(atom, Algorithm),
    ( memberchk(Algorithm, Algorithms) -> true ; domain_error(algorithm, Algorithm) ).

%!  sha_hash_ctx(+Context0, +Text, -Context, -Hash) is det.
%
%   Hash is that of all texts so far. Each context can be gone on from, more than once.

sha_hash_ctx(Context0, Text, Context, Hash) :-
    '$hash_text'(Text),
    '$add_to_hash'(Text, Context0, Context),
    '$hash_in'(Context, Hash).

%!  hmac_sha(+Key, +Text, -Hash, +Options) is det.
%
%   HMAC (RFC 2104) by sha1 or sha256.

hmac_sha(Key, Text, Hash, Options) :-
    must_be(list, Options),
    option(algorithm(Algorithm), Options, sha1),
    must_be_one_of(Algorithm, [sha1, sha256]),
    '$hash_text'(Text),
    '$hash_context'(Algorithm, Key, utf8, Context0),
    '$add_to_hash'(Text, Context0, Context),
    '$hash_in'(Context, Hash).

%!  file_sha1(+File, -Hash) is det.
%
%   Hash is an atom of hexadecimal digits.

file_sha1(File, Hash) :-
    '$hash_context'(sha1, none, octet, Context),
    '$hash_of_file'(File, Context, Bytes),
    '$hex_digits'(Bytes, Hash).

%!  hash_atom(+Hash, -Atom) is det.
%
%   Atom has the hexadecimal digits of bytes.

hash_atom(Hash, Atom) :-
    must_be(list(between(0, 255)), Hash),
    '$hex_digits'(Hash, Atom).
