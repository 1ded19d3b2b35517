% Addresses (RFC 3986, 3987), as in SWI-Prolog's library(uri).

:- module(uri,
          [ uri_components/2,
            uri_data/3,
            uri_data/4,
            uri_normalized/2,
            uri_normalized/3,
            iri_normalized/2,
            iri_normalized/3,
            uri_normalized_iri/2,
            uri_normalized_iri/3,
            uri_resolve/3,
            uri_is_global/1,
            uri_query_components/2,
            uri_authority_components/2,
            uri_authority_data/3,
            uri_encoded/3,
            uri_iri/2,
            uri_file_name/2
          ]).

/*  Texts are taken in any form; results are atoms. Components of an address
    that are not there are unbound.
*/

% --- components ---

%!  uri_components(+URI, -Components) is det.
%!  uri_components(-URI, +Components) is det.
%
%   Components are uri_components(Scheme, Authority, Path, Search, Fragment). Nothing is encoded or decoded.

uri_components(URI, Components) :-
    nonvar(URI), !,
    uri_codes(URI, Codes),
    uri_split(Codes, Parts),
    maplist(uri_part_atom, Parts, Atoms),
    Components =.. [uri_components|Atoms].
uri_components(URI, Components) :-
    (   nonvar(Components),
        Components = uri_components(Scheme, Authority, Path, Search, Fragment)
    ->  uri_join(Scheme, Authority, Path, Search, Fragment, URI)
    ;   instantiation_error(URI)
    ).

uri_codes(Text, Codes) :-
    (   var(Text)
    ->  instantiation_error(Text)
    ;   ( atom(Text) ; string(Text) ; is_list(Text) ),
        catch(text_to_string(Text, String), error(_, _), fail)
    ->  string_codes(String, Codes)
    ;   type_error(text, Text)
    ).

uri_part_atom(Codes, Atom) :-
    ( var(Codes) -> true ; atom_codes(Atom, Codes) ).

%   uri_split(+Codes, -Parts): the five parts as codes, or unbound.
uri_split(Codes0, [Scheme, Authority, Path, Search, Fragment]) :-
    (   uri_until(Codes0, [0':, 0'/, 0'?, 0'#], Scheme0, [0':|Codes1]),
        Scheme0 \== []
    ->  Scheme = Scheme0
    ;   Codes1 = Codes0
    ),
    (   Codes1 = [0'/, 0'/|Codes2]
    ->  uri_until(Codes2, [0'/, 0'?, 0'#], Authority, Codes3)
    ;   Codes3 = Codes1
    ),
    uri_until(Codes3, [0'?, 0'#], Path, Codes4),
    (   Codes4 = [0'?|Codes5]
    ->  uri_until(Codes5, [0'#], Search, Codes6)
    ;   Codes6 = Codes4
    ),
    ( Codes6 = [0'#|Fragment0] -> Fragment = Fragment0 ; true ).

%   uri_until(+Codes, +Ends, -Before, -Rest): Rest starts with one of Ends or is empty.
uri_until([], _, [], []).
uri_until([C|Codes], Ends, Before, Rest) :-
    (   memberchk(C, Ends)
    ->  Before = [],
        Rest = [C|Codes]
    ;   Before = [C|Before1],
        uri_until(Codes, Ends, Before1, Rest)
    ).

uri_join(Scheme, Authority, Path, Search, Fragment, URI) :-
    maplist(uri_check_part, [Scheme, Authority, Path, Search, Fragment]),
    ( var(Scheme) -> A = [] ; A = [Scheme, ':'] ),
    ( var(Authority) -> B = [] ; B = ['//', Authority] ),
    ( var(Path) -> C = [] ; C = [Path] ),
    ( var(Search) -> D = [] ; D = [?, Search] ),
    ( var(Fragment) -> E = [] ; E = [#, Fragment] ),
    append([A, B, C, D, E], Texts),
    atomic_list_concat(Texts, URI).

uri_check_part(Part) :-
    (   ( var(Part) ; atom(Part) ; string(Part) )
    ->  true
    ;   type_error(atom, Part)
    ).

%!  uri_data(?Field, +Components, ?Data) is nondet.
%
%   Data is the part Field of Components: scheme, authority, path, search or fragment.

uri_data(scheme, uri_components(S, _, _, _, _), S).
uri_data(authority, uri_components(_, A, _, _, _), A).
uri_data(path, uri_components(_, _, P, _, _), P).
uri_data(search, uri_components(_, _, _, S, _), S).
uri_data(fragment, uri_components(_, _, _, _, F), F).

%!  uri_data(+Field, +Components, +Data, -NewComponents) is semidet.
%
%   NewComponents has Data as its part Field.

uri_data(scheme, uri_components(_, A, P, Q, F), S, uri_components(S, A, P, Q, F)).
uri_data(authority, uri_components(S, _, P, Q, F), A, uri_components(S, A, P, Q, F)).
uri_data(path, uri_components(S, A, _, Q, F), P, uri_components(S, A, P, Q, F)).
uri_data(search, uri_components(S, A, P, _, F), Q, uri_components(S, A, P, Q, F)).
uri_data(fragment, uri_components(S, A, P, Q, _), F, uri_components(S, A, P, Q, F)).

%!  uri_authority_components(+Authority, -Components) is det.
%!  uri_authority_components(-Authority, +Components) is det.
%
%   Components are uri_authority(User, Password, Host, Port); a Port of digits is an integer. Taken apart, %-sequences are
%   decoded.

uri_authority_components(Authority, Components) :-
    nonvar(Authority), !,
    uri_codes(Authority, Codes),
    (   uri_until(Codes, [0'@], Login, [0'@|HostPort])
    ->  uri_colon(Login, User, Password)
    ;   HostPort = Codes
    ),
    uri_host_port(HostPort, Host, PortCodes),
    maplist(uri_decoded_part, [User, Password, Host], [UserAtom, PasswordAtom, HostAtom]),
    (   ( var(PortCodes) ; PortCodes == [] )
    ->  true
    ;   maplist(uri_digit, PortCodes)
    ->  number_codes(Port, PortCodes)
    ;   atom_codes(Port, PortCodes)
    ),
    Components = uri_authority(UserAtom, PasswordAtom, HostAtom, Port).
uri_authority_components(Authority, Components) :-
    (   nonvar(Components),
        Components = uri_authority(User, Password, Host, Port)
    ->  maplist(uri_check_part, [User, Password, Host]),
        ( integer(Port) -> true ; uri_check_part(Port) ),
        ( var(User) -> A = [] ; A = [User] ),
        ( var(Password) -> B = [] ; B = [':', Password] ),
        ( A == [], B == [] -> C = [] ; C = [@] ),
        ( var(Host) -> D = [] ; D = [Host] ),
        ( var(Port) -> E = [] ; E = [':', Port] ),
        append([A, B, C, D, E], Texts),
        atomic_list_concat(Texts, Authority)
    ;   instantiation_error(Authority)
    ).

uri_colon(Codes, Before, After) :-
    uri_until(Codes, [0':], Before, Rest),
    ( Rest = [_|After0] -> After = After0 ; true ).

%   The colons of an address in brackets are part of the host.
uri_host_port([0'[|Codes], Host, Port) :-
    uri_until(Codes, [0']], Inside, [0']|Rest]), !,
    append([0'[|Inside], [0']|More], Host),
    uri_colon(Rest, More, Port).
uri_host_port(Codes, Host, Port) :-
    uri_colon(Codes, Host, Port).

uri_digit(C) :-
    C >= 0'0, C =< 0'9.

uri_decoded_part(Codes, Atom) :-
    ( var(Codes) -> true ; uri_decode(Codes, false, Atom) ).

%!  uri_authority_data(?Field, +Components, ?Data) is nondet.
%
%   Data is the part Field of Components: user, password, host or port.

uri_authority_data(user, uri_authority(U, _, _, _), U).
uri_authority_data(password, uri_authority(_, P, _, _), P).
uri_authority_data(host, uri_authority(_, _, H, _), H).
uri_authority_data(port, uri_authority(_, _, _, P), P).

%!  uri_is_global(+URI) is semidet.
%
%   URI has a scheme of more than one letter (which would be the drive of a file).

uri_is_global(URI) :-
    uri_codes(URI, Codes),
    uri_split(Codes, [Scheme|_]),
    nonvar(Scheme),
    Scheme = [_, _|_],
    maplist(uri_scheme_code, Scheme).

uri_scheme_code(C) :-
    ( uri_alnum(C) ; memberchk(C, [0'+, 0'-, 0'.]) ), !.

uri_alnum(C) :-
    ( C >= 0'a, C =< 0'z ; C >= 0'A, C =< 0'Z ; C >= 0'0, C =< 0'9 ), !.

% --- encoding ---

%!  uri_encoded(+Component, +Value, -Encoded) is det.
%!  uri_encoded(+Component, -Value, +Encoded) is det.
%
%   Encoded is Value with %-sequences for what has no place in Component: query_value, fragment, path or segment, which is a
%   part of a path. In a query value + stands for a blank.

uri_encoded(Component, _, _) :-
    \+ atom(Component), !,
    type_error(atom, Component).
uri_encoded(Component, _, _) :-
    \+ memberchk(Component, [query_value, fragment, path, segment]), !,
    domain_error(uri_component, Component).
uri_encoded(Component, Value, Encoded) :-
    nonvar(Value), !,
    uri_encode(Value, Component, Codes),
    atom_codes(Encoded, Codes).
uri_encoded(Component, Value, Encoded) :-
    must_be(atomic, Encoded),
    format(codes(Codes), '~w', [Encoded]),
    ( Component == query_value -> Plus = true ; Plus = false ),
    uri_decode(Codes, Plus, Value).

uri_encode(Value, Component, Codes) :-
    must_be(atomic, Value),
    format(codes(Codes0), '~w', [Value]),
    uri_escaped(Codes0, Component, raw, ascii, Codes).

%   uri_allowed(+Component, +Code)
uri_allowed(Component, C) :-
    (   uri_alnum(C)
    ->  true
    ;   memberchk(C, `-_.~!$'()*,`)
    ->  true
    ;   uri_allowed_also(Component, Codes),
        memberchk(C, Codes)
    ).

uri_allowed_also(query_value, `/?@`).
uri_allowed_also(query_name, `@:`).
uri_allowed_also(fragment, `/?@&+:;=`).
uri_allowed_also(path, `/@&+;=`).
uri_allowed_also(segment, `@&+;=`).
uri_allowed_also(authority, `@&+;=:[]`).

%   uri_escaped(+Codes, +Component, +Percent, +Charset, -Escaped): Percent says what a % is: `raw` a character as any other,
%   `kept` always one of %-sequences, `decoded` the same, where those of allowed characters become characters. Charset is
%   `ascii` or `all`, in which a % that is no part of a sequence stays.
uri_escaped([], _, _, _, []).
uri_escaped([C|Codes], Component, Percent, Charset, Escaped) :-
    (   C == 0'%, Percent \== raw
    ->  uri_escaped_percent(Percent, Codes, Rest, Component, Charset, Escaped, Escaped1)
    ;   (   C < 128
        ->  uri_allowed(Component, C)
        ;   Charset == all
        )
    ->  Escaped = [C|Escaped1],
        Rest = Codes
    ;   string_bytes([C], Bytes, utf8),
        uri_percent_bytes(Bytes, Escaped, Escaped1),
        Rest = Codes
    ),
    uri_escaped(Rest, Component, Percent, Charset, Escaped1).

uri_escaped_percent(kept, Codes, Codes, _, _, [0'%|Tail], Tail) :- !.
uri_escaped_percent(decoded, Codes, Rest, Component, Charset, Escaped, Tail) :-
    (   uri_byte([0'%|Codes], Byte, Rest0)
    ->  (   Byte < 128,
            uri_allowed(Component, Byte)
        ->  Escaped = [Byte|Tail],
            Rest = Rest0
        ;   Byte >= 0xC0, Charset == all,
            uri_bytes([0'%|Codes], Bytes, Rest1),
            string_bytes(Text, Bytes, utf8),
            string_codes(Text, Characters),
            \+ ( member(X, Characters), X < 256, memberchk(X, Bytes) )
        ->  append(Characters, Tail, Escaped),
            Rest = Rest1
        ;   Codes = [H, L|Rest],
            Escaped = [0'%, H, L|Tail]
        )
    ;   ( Charset == all -> Escaped = [0'%|Tail] ; Escaped = [0'%, 0'2, 0'5|Tail] ),
        Rest = Codes
    ).

uri_percent_bytes([], Tail, Tail).
uri_percent_bytes([B|Bytes], Codes, Tail) :-
    format(codes(Codes, Codes1), '%~|~`0t~16R~2+', [B]),
    uri_percent_bytes(Bytes, Codes1, Tail).

%   uri_bytes(+Codes, -Bytes, -Rest): the %-sequences of bytes above 127 that Codes start with.
uri_bytes(Codes, Bytes, Rest) :-
    (   uri_byte(Codes, Byte, Codes1),
        Byte > 127
    ->  Bytes = [Byte|Bytes1],
        uri_bytes(Codes1, Bytes1, Rest)
    ;   Bytes = [],
        Rest = Codes
    ).

uri_byte([0'%, H, L|Rest], Byte, Rest) :-
    code_type(H, xdigit(X)),
    code_type(L, xdigit(Y)),
    Byte is X * 16 + Y.

%   uri_decode(+Codes, +Plus, -Atom): Plus says whether + is a blank.
uri_decode(Codes, Plus, Atom) :-
    uri_decoded(Codes, Plus, Characters),
    atom_codes(Atom, Characters).

uri_decoded([], _, []).
uri_decoded([C|Codes], Plus, Characters) :-
    (   C == 0'%,
        uri_byte([C|Codes], Byte, Rest0)
    ->  (   Byte < 128
        ->  Characters = [Byte|Characters1],
            Rest = Rest0
        ;   uri_bytes([C|Codes], Bytes, Rest),
            string_bytes(Text, Bytes, utf8),
            string_codes(Text, Some),
            append(Some, Characters1, Characters)
        )
    ;   Rest = Codes,
        ( C == 0'+, Plus == true -> D = 0'\s ; D = C ),
        Characters = [D|Characters1]
    ),
    uri_decoded(Rest, Plus, Characters1).

%!  uri_query_components(+Query, -List) is det.
%!  uri_query_components(-Query, +List) is det.
%
%   List is the Query of a form, Name=Value&..., as a list of terms Name=Value, with atoms as values. The terms may also be
%   Name-Value and Name(Value), the values anything atomic.

uri_query_components(Query, List) :-
    nonvar(Query), !,
    uri_codes(Query, Codes),
    uri_query_pairs(Codes, List).
uri_query_components(Query, List) :-
    must_be(list, List),
    maplist(uri_query_text, List, Texts),
    atomic_list_concat(Texts, &, Query).

uri_query_pairs([], []) :- !.
uri_query_pairs([C|Codes], Pairs) :-
    ( C == 0'& ; C == 0'; ), !,
    uri_query_pairs(Codes, Pairs).
uri_query_pairs(Codes, [Name=Value|Pairs]) :-
    (   uri_until(Codes, [0'=], NameCodes, [0'=|Codes1])
    ->  true
    ;   throw(error(syntax_error(illegal_uri_query), _))
    ),
    uri_until(Codes1, [0'&, 0';], ValueCodes, Codes2),
    uri_decode(NameCodes, true, Name),
    uri_decode(ValueCodes, true, Value),
    uri_query_pairs(Codes2, Pairs).

uri_query_text(Term, Text) :-
    (   var(Term)
    ->  instantiation_error(Term)
    ;   uri_name_value(Term, Name, Value)
    ->  uri_encode(Name, query_name, NameCodes),
        uri_encode(Value, query_value, ValueCodes),
        format(atom(Text), '~s=~s', [NameCodes, ValueCodes])
    ;   type_error(name_value, Term)
    ).

uri_name_value(Name=Value, Name, Value) :- !.
uri_name_value(Name-Value, Name, Value) :- !.
uri_name_value(Term, Name, Value) :-
    compound(Term),
    compound_name_arguments(Term, Name, [Value]).

%!  uri_iri(+URI, -IRI) is det.
%!  uri_iri(-URI, +IRI) is det.
%
%   IRI is URI with characters beyond ASCII instead of their %-sequences.

uri_iri(URI, IRI) :-
    nonvar(URI), !,
    uri_codes(URI, Codes),
    uri_split(Codes, Parts),
    uri_rewrite(Parts, decoded, all, IRI).
uri_iri(URI, IRI) :-
    uri_codes(IRI, Codes),
    uri_split(Codes, Parts),
    uri_rewrite(Parts, decoded, ascii, URI).

%   uri_rewrite(+Parts, +Percent, +Charset, -Atom): the address of Parts, each as uri_escaped/5 makes it.
uri_rewrite([Scheme, Authority0, Path0, Search0, Fragment0], Percent, Charset, URI) :-
    uri_rewrite_part(Authority0, authority, Percent, Charset, Authority),
    uri_rewrite_part(Path0, path, Percent, Charset, Path),
    ( var(Search0) -> true ; uri_rewrite_query(Search0, Percent, Charset, Search) ),
    uri_rewrite_part(Fragment0, query_value, Percent, Charset, Fragment),
    maplist(uri_part_atom, [Scheme, Authority, Path, Search, Fragment], [A, B, C, D, E]),
    uri_join(A, B, C, D, E, URI).

uri_rewrite_part(Codes, Component, Percent, Charset, Rewritten) :-
    ( var(Codes) -> true ; uri_escaped(Codes, Component, Percent, Charset, Rewritten) ).

%   What separates the names and values of a query stays as it is.
uri_rewrite_query(Codes, Percent, Charset, Rewritten) :-
    uri_until(Codes, [0'=, 0'&, 0';], Part, Rest),
    uri_escaped(Part, query_value, Percent, Charset, Part1),
    (   Rest = [Separator|Rest1]
    ->  append(Part1, [Separator|Rewritten1], Rewritten),
        uri_rewrite_query(Rest1, Percent, Charset, Rewritten1)
    ;   Rewritten = Part1
    ).

% --- normal forms ---

%!  uri_normalized(+URI, -Normalized) is det.
%!  uri_normalized(+URI, +Base, -Normalized) is det.
%
%   Normalized is URI, which may be relative to Base, in a form that two addresses of one thing often share: scheme and
%   authority in small letters, a path without . and .., %-sequences where they must be.

uri_normalized(URI, Normalized) :-
    uri_normal(URI, decoded, ascii, Normalized).
uri_normalized(URI, Base, Normalized) :-
    uri_resolve(URI, Base, Global),
    uri_normalized(Global, Normalized).

%!  iri_normalized(+IRI, -Normalized) is det.
%!  iri_normalized(+IRI, +Base, -Normalized) is det.
%
%   As uri_normalized/2,3, but characters beyond ASCII and the %-sequences that are there stay.

iri_normalized(IRI, Normalized) :-
    uri_normal(IRI, kept, all, Normalized).
iri_normalized(IRI, Base, Normalized) :-
    uri_resolve(IRI, Base, Global),
    iri_normalized(Global, Normalized).

%!  uri_normalized_iri(+URI, -Normalized) is det.
%!  uri_normalized_iri(+URI, +Base, -Normalized) is det.
%
%   As uri_normalized/2,3, with characters beyond ASCII as themselves.

uri_normalized_iri(URI, Normalized) :-
    uri_normal(URI, decoded, all, Normalized).
uri_normalized_iri(URI, Base, Normalized) :-
    uri_resolve(URI, Base, Global),
    uri_normalized_iri(Global, Normalized).

uri_normal(URI, Percent, Charset, Normalized) :-
    uri_codes(URI, Codes),
    uri_split(Codes, [Scheme0, Authority0, Path0, Search, Fragment]),
    uri_small(Scheme0, Scheme),
    uri_rewrite_part(Authority0, authority, Percent, all, Authority1),
    uri_small(Authority1, Authority),
    uri_rewrite_part(Path0, path, Percent, Charset, Path1),
    uri_without_dots(Path1, Path),
    uri_rewrite([Scheme, Authority, Path, Search, Fragment], Percent, Charset, Normalized).

uri_small(Codes, Small) :-
    (   var(Codes)
    ->  true
    ;   string_codes(Text, Codes),
        string_lower(Text, Text1),
        string_codes(Text1, Small)
    ).

%!  uri_resolve(+URI, +Base, -Global) is det.
%
%   Global is what URI, which may be relative, means in a document of the address Base.

uri_resolve(URI, Base, Global) :-
    uri_codes(URI, Codes),
    uri_codes(Base, BaseCodes),
    uri_split(Codes, [S, A, P, Q, F]),
    uri_split(BaseCodes, [BS, BA, BP, BQ, _]),
    (   nonvar(S)
    ->  uri_without_dots(P, Path),
        Parts = [S, A, Path, Q, F]
    ;   nonvar(A)
    ->  uri_without_dots(P, Path),
        Parts = [BS, A, Path, Q, F]
    ;   P == []
    ->  ( nonvar(Q) -> Search = Q ; Search = BQ ),
        Parts = [BS, BA, BP, Search, F]
    ;   (   P = [0'/|_]
        ->  P1 = P
        ;   nonvar(BA), BP == []
        ->  P1 = [0'/|P]
        ;   uri_directory(BP, Directory),
            append(Directory, P, P1)
        ),
        uri_without_dots(P1, Path),
        Parts = [BS, BA, Path, Q, F]
    ),
    maplist(uri_part_atom, Parts, [GS, GA, GP, GQ, GF]),
    uri_join(GS, GA, GP, GQ, GF, Global).

%   The path up to the last slash.
uri_directory(Path, Directory) :-
    (   append(Directory0, [0'/|Name], Path),
        \+ memberchk(0'/, Name)
    ->  append(Directory0, [0'/], Directory)
    ;   Directory = []
    ).

%   uri_without_dots(+Path, -Clean): RFC 3986, 5.2.4, but the slash behind a .. at the start stays. The segments kept so far are in a stack, each with the slash before it.
uri_without_dots(Path, Clean) :-
    uri_without_dots(Path, [], Stack),
    reverse(Stack, Segments),
    append(Segments, Clean).

uri_without_dots(Codes, Stack0, Stack) :-
    (   Codes == []
    ->  Stack = Stack0
    ;   Codes = [0'., 0'/|Rest]
    ->  uri_without_dots(Rest, Stack0, Stack)
    ;   Codes = [0'., 0'., 0'/|Rest]
    ->  uri_without_dots([0'/|Rest], Stack0, Stack)
    ;   Codes = [0'/, 0'., 0'/|Rest]
    ->  uri_without_dots([0'/|Rest], Stack0, Stack)
    ;   Codes == `/.`
    ->  uri_without_dots(`/`, Stack0, Stack)
    ;   ( Codes = [0'/, 0'., 0'., 0'/|Rest] ; Codes == `/..`, Rest = [] )
    ->  ( Stack0 = [_|Stack1] -> true ; Stack1 = [] ),
        uri_without_dots([0'/|Rest], Stack1, Stack)
    ;   ( Codes == `.` ; Codes == `..` )
    ->  Stack = Stack0
    ;   ( Codes = [0'/|Codes1] -> Slash = [0'/|Name] ; Codes1 = Codes, Slash = Name ),
        uri_until(Codes1, [0'/], Name, Rest),
        uri_without_dots(Rest, [Slash|Stack0], Stack)
    ).

%!  uri_file_name(+URI, -File) is semidet.
%!  uri_file_name(-URI, +File) is det.
%
%   File is that of an address file://...; one from a File that is relative is that of its absolute path.

uri_file_name(URI, File) :-
    nonvar(URI), !,
    uri_codes(URI, Codes),
    uri_split(Codes, [Scheme, Authority, Path|_]),
    Scheme == `file`,
    ( var(Authority) -> true ; Authority == [] -> true ; Authority == `localhost` ),
    uri_decode(Path, false, File).
uri_file_name(URI, File) :-
    uri_codes(File, Codes),
    atom_codes(Atom, Codes),
    absolute_file_name(Atom, Path),
    uri_encoded(path, Path, Encoded),
    atom_concat('file://', Encoded, URI).
