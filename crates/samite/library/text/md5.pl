:- module(md5, [ md5_hash/3 ]).
:- use_module(library(error), [must_be/2]).

/*  MD5 (RFC 1321), as SWI-Prolog's library(md5): for what others have made with it. It is not secure.  */

%!  md5_hash(+Text, -Hash, +Options) is det.
%
%   Hash is an atom of 32 hexadecimal digits. Option encoding(Encoding): utf8, which it is if it is not there, or octet.

md5_hash(Text, Hash, Options) :-
    must_be(list, Options),
    '$hash_encoding'(Options, Encoding),
    '$hash_text'(Text),
    '$hash_of_text'(md5, Text, Encoding, Bytes),
    '$hex_digits'(Bytes, Hash).
