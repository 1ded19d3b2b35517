:- module(uuid, [ uuid/1, uuid/2, uuid_property/2 ]).
:- use_module(library(error), [must_be/2, domain_error/2]).
:- use_module(library(option), [option/2, option/3]).

/*  Universally unique identifiers (RFC 9562), as SWI-Prolog's library(uuid).  */

%!  uuid(-Uuid) is det.
%!  uuid(-Uuid, +Options) is det.
%
%   Options:
%
%     - version(Version)
%       1, of the time; 4, random; 3 or 5, by the hash of a name. Without it 3 if there is a name, else 1.
%     - dns(Name), url(Name), oid(Name), x500(Name)
%       The name for versions 3 and 5.
%     - format(Format)
%       atom, which it is if it is not there, or integer.
%
%   What is of the time has a random node instead of an address of this machine's.

uuid(Uuid) :-
    uuid(Uuid, []).

uuid(Uuid, Options) :-
    must_be(list, Options),
    ( name_in(Options, Space, Name) -> Default = 3 ; Default = 1 ),
    option(version(Version), Options, Default),
    must_be(integer, Version),
    option(format(Format), Options, atom),
    must_be(atom, Format),
    ( memberchk(Format, [atom, integer]) -> true ; domain_error(uuid_format, Format) ),
    (   Version =:= 1 -> of_time(Integer)
    ;   Version =:= 4 -> '$random_bytes'(16, Bytes), marked(Bytes, 4, Integer)
    ;   hash_of_version(Version, Algorithm)
    ->  ( nonvar(Name) -> true ; domain_error(uuid_options, Options) ),
        of_name(Algorithm, Version, Space, Name, Integer)
    ;   domain_error(uuid_version, Version)
    ),
    ( Format == integer -> Uuid = Integer ; written(Integer, Uuid) ).

hash_of_version(3, md5).
hash_of_version(5, sha1).

name_in(Options, Space, Name) :-
    space(Option, Name, Space),
    option(Option, Options), !,
    '$hash_text'(Name).

%   Spaces of names are told apart by this.
space(dns(Name), Name, 0).
space(url(Name), Name, 1).
space(oid(Name), Name, 2).
space(x500(Name), Name, 4).

of_name(Algorithm, Version, Space, Name, Integer) :-
    Identifier is (0x6ba7b810+Space) << 96 \/ 0x9dad11d1 << 64 \/ 0x80b400c0 << 32 \/ 0x4fd430c8,
    bytes_of(16, Identifier, SpaceBytes),
    '$hash_context'(Algorithm, none, octet, Context0),
    '$add_to_hash'(SpaceBytes, Context0, Context1),
    string_bytes(Name, NameBytes, utf8),
    '$add_to_hash'(NameBytes, Context1, Context),
    '$hash_in'(Context, Hash),
    length(Bytes, 16),
    append(Bytes, _, Hash), !,
    marked(Bytes, Version, Integer).

bytes_of(N, Integer, Bytes) :-
    findall(B, ( between(1, N, I), B is Integer >> (8*(N-I)) /\ 255 ), Bytes).

%   Its version and variant are in bits of its own.
marked(Bytes, Version, Integer) :-
    integer_of(Bytes, 0, Integer0),
    Integer is Integer0 /\ \(0xf << 76) /\ \(0b11 << 62) \/ Version << 76 \/ 0b10 << 62.

integer_of([], Integer, Integer).
integer_of([B|Bs], Integer0, Integer) :-
    Integer1 is Integer0 << 8 \/ B,
    integer_of(Bs, Integer1, Integer).

%   Tenths of microseconds since 1582-10-15, and two of the same time have random bits that differ.
of_time(Integer) :-
    get_time(Now),
    Time is truncate(Now*1.0e6)*10+random(10)+0x01b21dd213814000,
    Low is Time /\ 0xffffffff,
    Middle is Time >> 32 /\ 0xffff,
    High is Time >> 48 /\ 0xfff,
    '$random_bytes'(8, Bytes),
    integer_of(Bytes, 0, Random),
    % (The bit that says that the node is no address of a machine.)
    Integer is Low << 96 \/ Middle << 80 \/ 1 << 76 \/ High << 64 \/ 0b10 << 62 \/ (Random /\ 0x3fffffffffffffff) \/ 1 << 40.

written(Integer, Uuid) :-
    format(string(Digits), '~|~`0t~16r~32|', [Integer]),
    findall(Part, ( member(At-Length, [0-8, 8-4, 12-4, 16-4, 20-12]), sub_string(Digits, At, Length, _, Part) ), Parts),
    atomic_list_concat(Parts, -, Uuid).

%!  uuid_property(+Uuid, ?Property) is nondet.
%
%   Property is version(Version), or time(Time), in seconds since 1970, of what is of version 1.

uuid_property(Uuid, Property) :-
    must_be(atom, Uuid),
    atomic_list_concat(Parts, -, Uuid),
    maplist(digits, [8, 4, 4, 4, 12], Parts),
    atomic_list_concat(['0x'|Parts], Number),
    atom_number(Number, Integer),
    Version is Integer >> 76 /\ 0xf,
    property(Version, Integer, Property).

digits(Length, Part) :-
    atom_length(Part, Length),
    forall(sub_atom(Part, _, 1, _, Digit), char_type(Digit, xdigit(_))).

property(Version, _, version(Version)).
property(1, Integer, time(Seconds)) :-
    Time is Integer >> 96 \/ (Integer >> 80 /\ 0xffff) << 32 \/ (Integer >> 64 /\ 0xfff) << 48,
    Seconds is (Time-0x01b21dd213814000)/1.0e7.
