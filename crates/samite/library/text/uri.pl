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
    uri_text(URI, Text),
    '$uri_parts'(Text, Scheme, Authority, Path, Search, Fragment),
    Components = uri_components(Scheme, Authority, Path, Search, Fragment).
uri_components(URI, Components) :-
    (   nonvar(Components),
        Components = uri_components(Scheme, Authority, Path, Search, Fragment)
    ->  uri_join(Scheme, Authority, Path, Search, Fragment, URI)
    ;   instantiation_error(URI)
    ).

%   uri_text(+Term, -Text): an atom or string.
uri_text(Term, Text) :-
    (   ( atom(Term) ; string(Term) )
    ->  Text = Term
    ;   var(Term)
    ->  instantiation_error(Term)
    ;   is_list(Term),
        catch(text_to_string(Term, String), error(_, _), fail)
    ->  Text = String
    ;   type_error(text, Term)
    ).

uri_codes(Term, Codes) :-
    uri_text(Term, Text),
    string_codes(Text, Codes).

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
    uri_check_part(Scheme), uri_check_part(Authority), uri_check_part(Path), uri_check_part(Search), uri_check_part(Fragment),
    '$uri_joined'(Scheme, Authority, Path, Search, Fragment, URI).

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
    ( var(Codes) -> true ; atom_codes(Text, Codes), '$uri_decoded'(Text, false, Atom) ).

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
    uri_text(URI, Text),
    '$uri_is_global'(Text).

% --- encoding ---

%!  uri_encoded(+Component, +Value, -Encoded) is det.
%!  uri_encoded(+Component, -Value, +Encoded) is det.
%
%   Encoded is Value with %-sequences for what has no place in Component: query_value, fragment, path or segment, which is a
%   part of a path. In a query value + stands for a blank.

uri_encoded(Component, Value, Encoded) :-
    uri_check_component(Component),
    (   nonvar(Value)
    ->  uri_encode(Value, Component, Encoded)
    ;   ( atomic(Encoded) -> true ; must_be(atomic, Encoded) ),
        ( Component == query_value -> Plus = true ; Plus = false ),
        '$uri_decoded'(Encoded, Plus, Value)
    ).

uri_check_component(Component) :-
    (   \+ atom(Component)
    ->  type_error(atom, Component)
    ;   uri_component(Component)
    ->  true
    ;   domain_error(uri_component, Component)
    ).

uri_component(query_value).
uri_component(fragment).
uri_component(path).
uri_component(segment).

uri_encode(Value, Component, Encoded) :-
    ( atomic(Value) -> true ; must_be(atomic, Value) ),
    '$uri_escaped'(Value, Component, Encoded).

%!  uri_query_components(+Query, -List) is det.
%!  uri_query_components(-Query, +List) is det.
%
%   List is the Query of a form, Name=Value&..., as a list of terms Name=Value, with atoms as values. The terms may also be
%   Name-Value and Name(Value), the values anything atomic.

uri_query_components(Query, List) :-
    nonvar(Query), !,
    uri_text(Query, Text),
    (   '$uri_query'(Text, Pairs)
    ->  List = Pairs
    ;   throw(error(syntax_error(illegal_uri_query), _))
    ).
uri_query_components(Query, List) :-
    ( is_list(List) -> true ; must_be(list, List) ),
    uri_names_values(List, Texts),
    '$uri_query_made'(Texts, Query).

%   uri_names_values(+List, -Texts): each name and its value, one after the other.
uri_names_values([], []).
uri_names_values([Term|Terms], [Name, Value|Texts]) :-
    (   var(Term)
    ->  instantiation_error(Term)
    ;   uri_name_value(Term, Name, Value)
    ->  ( atomic(Name) -> true ; must_be(atomic, Name) ),
        ( atomic(Value) -> true ; must_be(atomic, Value) )
    ;   type_error(name_value, Term)
    ),
    uri_names_values(Terms, Texts).

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
    uri_text(URI, Text),
    '$uri_rewritten'(Text, decoded, all, IRI).
uri_iri(URI, IRI) :-
    uri_text(IRI, Text),
    '$uri_rewritten'(Text, decoded, ascii, URI).

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

%   uri_normal(+URI, +Percent, +Charset, -Normalized): Percent says what a % is: `kept` always one of %-sequences, `decoded` the same, where those of
%   allowed characters become characters. Charset is `ascii` or `all`, in which a % that is no part of a sequence stays.
uri_normal(URI, Percent, Charset, Normalized) :-
    uri_text(URI, Text),
    '$uri_normal'(Text, Percent, Charset, Normalized).

%!  uri_resolve(+URI, +Base, -Global) is det.
%
%   Global is what URI, which may be relative, means in a document of the address Base.

uri_resolve(URI, Base, Global) :-
    uri_text(URI, Text),
    uri_text(Base, BaseText),
    '$uri_resolved'(Text, BaseText, Global).

%!  uri_file_name(+URI, -File) is semidet.
%!  uri_file_name(-URI, +File) is det.
%
%   File is that of an address file://...; one from a File that is relative is that of its absolute path.

uri_file_name(URI, File) :-
    nonvar(URI), !,
    uri_text(URI, Text),
    '$uri_parts'(Text, Scheme, Authority, Path, _, _),
    Scheme == file,
    ( var(Authority) -> true ; Authority == '' -> true ; Authority == localhost ),
    '$uri_decoded'(Path, false, File).
uri_file_name(URI, File) :-
    uri_text(File, Text),
    atom_string(Atom, Text),
    absolute_file_name(Atom, Path),
    uri_encoded(path, Path, Encoded),
    atom_concat('file://', Encoded, URI).
