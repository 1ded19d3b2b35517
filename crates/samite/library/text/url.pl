:- module(url,
          [ parse_url/2,
            parse_url/3,
            parse_url_search/2,
            http_location/2,
            file_name_to_url/2,
            global_url/3,
            is_absolute_url/1,
            set_url_encoding/2,
            url_iri/2,
            www_form_encode/2
          ]).

:- use_module(library(error), [instantiation_error/1]).
:- use_module(library(uri)).

/*  Addresses as old programs take them apart, with the predicates of SWI-Prolog's library(url); library(uri) is what new ones use.

    A list of parts has protocol(Name), user(Name), host(Name), port(Number), path(Path), search(List) with elements Name=Value, and fragment(Text): those that
    there are, as texts without %-escapes.
*/

%!  parse_url(?URL, ?Parts) is semidet.
%
%   Parts are those of URL. What has no protocol is an address of HTTP; a path that is missing is `/`. If URL is unbound it is made of Parts, in which
%   Name(Value) may stand for Name=Value in search(List).

parse_url(URL, Parts) :-
    (   nonvar(URL)
    ->  codes_of(URL, Codes),
        phrase(url_parts(Parts0), Codes),
        Parts = Parts0
    ;   is_list(Parts)
    ->  phrase(url_text(Parts), Codes),
        atom_codes(URL, Codes)
    ;   instantiation_error(URL)
    ).

%!  parse_url(+URL, +Base, -Parts) is semidet.
%
%   Parts are those of what URL means on the page Base, an address or its parts.

parse_url(URL, Base, Parts) :-
    (   is_list(Base)
    ->  parse_url(BaseURL, Base)
    ;   BaseURL = Base
    ),
    global_url(URL, BaseURL, Global),
    parse_url(Global, Parts).

%!  parse_url_search(?Codes, ?Search) is semidet.
%
%   Search is the list of Name=Value that Codes, the part of an address behind `?`, says.

parse_url_search(Codes, Search) :-
    (   nonvar(Codes)
    ->  phrase(search_parts(Search0), Codes),
        Search = Search0
    ;   must_be(list, Search),
        phrase(search_text(Search), Codes)
    ).

%!  http_location(?Parts, ?Location) is semidet.
%
%   Location, an atom, is what an address says behind its host: Parts are path(Path), search(List) and fragment(Text).

http_location(Parts, Location) :-
    (   nonvar(Location)
    ->  codes_of(Location, Codes),
        phrase(location_parts(Parts0), Codes),
        Parts = Parts0
    ;   is_list(Parts)
    ->  phrase(location_text(Parts), Codes),
        atom_codes(Location, Codes)
    ;   instantiation_error(Location)
    ).

codes_of(Text, Codes) :-
    (   is_list(Text)
    ->  text_to_string(Text, String),
        string_codes(String, Codes)
    ;   atom_codes(Text, Codes)
    ).

%   --- taking apart ---

url_parts(Parts) -->
    scheme(Name), !,
    { downcase_atom(Name, Protocol),
      Parts = [protocol(Protocol)|Rest]
    },
    of_protocol(Protocol, Rest).
url_parts([protocol(http)|Parts]) -->
    authority(Parts, Rest),
    location_parts(Rest).

of_protocol(file, [path(Path)]) -->
    "//", !,
    codes_until([], Codes),
    { unescaped(Codes, none, Path) }.
of_protocol(_, Parts) -->
    "//", !,
    authority(Parts, Rest),
    location_parts(Rest).
of_protocol(_, Parts) -->
    codes_until([0'?, 0'#], Codes),
    { unescaped(Codes, none, Path),
      Parts = [path(Path)|Rest]
    },
    behind_path(Rest).

%   A letter, and letters, digits and the like, before a colon that no port follows.
scheme(Name) -->
    scheme_codes(Codes), ":",
    { Codes = [C|_],
      code_type(C, alpha),
      C \== 0'_
    },
    \+ port(_),
    { atom_codes(Name, Codes) }.

scheme_codes([C|Cs]) -->
    [C],
    { scheme_code(C) }, !,
    scheme_codes(Cs).
scheme_codes([]) --> [].

scheme_code(C) :- C < 0x80, code_type(C, alnum), !.
scheme_code(0'+).
scheme_code(0'-).
scheme_code(0'.).

authority(Parts, Rest) -->
    codes_until([0'/, 0'?, 0'#], Codes),
    { phrase(user(Parts, Host), Codes, HostCodes),
      phrase(host(Host, Rest), HostCodes)
    }.

user([user(User)|Rest], Rest) -->
    codes_until([0'@], Codes),
    "@", !,
    { unescaped(Codes, none, User) }.
user(Rest, Rest) --> [].

host([host(Host)|Ports], Rest) -->
    codes_until([0':], Codes),
    { unescaped(Codes, none, Host) },
    (   ":"
    ->  port(Port),
        { Ports = [port(Port)|Rest] }
    ;   { Ports = Rest }
    ),
    end.

%   Digits up to the end of a host.
port(Port) -->
    digits(Codes),
    { Codes = [_|_] },
    at_end_of_host,
    { number_codes(Port, Codes) }.

digits([D|Ds]) --> [D], { code_type(D, digit) }, !, digits(Ds).
digits([]) --> [].

at_end_of_host, [C] --> [C], { memberchk(C, [0'/, 0'?, 0'#]) }, !.
at_end_of_host --> end.

end([], []).

location_parts([path(Path)|Rest]) -->
    codes_until([0'?, 0'#], Codes),
    { unescaped(Codes, none, Path0),
      ( Path0 == '' -> Path = (/) ; Path = Path0 )
    },
    behind_path(Rest).

behind_path(Parts) -->
    (   "?"
    ->  codes_until([0'#], Codes),
        { phrase(search_parts(Search), Codes),
          Parts = [search(Search)|Rest]
        }
    ;   { Parts = Rest }
    ),
    (   "#"
    ->  codes_until([], Fragment0),
        { unescaped(Fragment0, none, Fragment),
          Rest = [fragment(Fragment)]
        }
    ;   { Rest = [] }
    ).

search_parts([Part|Parts]) -->
    codes_until([0'&, 0';], Codes),
    { phrase(search_part(Part), Codes) },
    (   ( "&" ; ";" )
    ->  search_parts(Parts)
    ;   { Parts = [] }
    ).

search_part(Part) -->
    codes_until([0'=], Name0),
    { unescaped(Name0, form, Name) },
    (   "="
    ->  codes_until([], Value0),
        { unescaped(Value0, form, Value),
          Part = (Name=Value)
        }
    ;   { Part = Name }
    ).

%   codes_until(+Ends, -Codes)//: up to one of Ends, or the end.
codes_until(Ends, [C|Cs]) -->
    [C],
    { \+ memberchk(C, Ends) }, !,
    codes_until(Ends, Cs).
codes_until(_, []) --> [].

unescaped(Codes, How, Text) :-
    decode(Codes, How, Bytes),
    text_of_bytes(Bytes, Text).

%   --- putting together ---

url_text(Parts) -->
    (   { memberchk(protocol(Protocol), Parts) }
    ->  text(Protocol), ":"
    ;   []
    ),
    (   { \+ memberchk(host(_), Parts),
          memberchk(protocol(Protocol), Parts),
          \+ memberchk(Protocol, [http, https, ftp, file])
        }
    ->  []
    ;   "//"
    ),
    (   { memberchk(user(User), Parts) }
    ->  escaped_text(User, segment), "@"
    ;   []
    ),
    (   { memberchk(host(Host), Parts) }
    ->  escaped_text(Host, segment)
    ;   []
    ),
    (   { memberchk(port(Port), Parts) }
    ->  ":", text(Port)
    ;   []
    ),
    location_text(Parts).

location_text(Parts) -->
    (   { memberchk(path(Path), Parts) }
    ->  escaped_text(Path, path)
    ;   []
    ),
    (   { memberchk(search(Search), Parts),
          Search \== []
        }
    ->  "?", search_text(Search)
    ;   []
    ),
    (   { memberchk(fragment(Fragment), Parts) }
    ->  "#", escaped_text(Fragment, segment)
    ;   []
    ).

search_text([]) --> [].
search_text([Part|Parts]) -->
    search_part_text(Part),
    (   { Parts == [] }
    ->  []
    ;   "&", search_text(Parts)
    ).

search_part_text(Part) -->
    { name_and_value(Part, Name, Value) }, !,
    escaped_text(Name, segment), "=", escaped_text(Value, segment).
search_part_text(Name) -->
    escaped_text(Name, segment).

name_and_value(Name=Value, Name, Value).
name_and_value(Part, Name, Value) :-
    compound(Part),
    compound_name_arguments(Part, Name, [Value]).

text(Text) -->
    { format(codes(Codes), '~w', [Text]) },
    codes(Codes).

codes([]) --> [].
codes([C|Cs]) --> [C], codes(Cs).

escaped_text(Text, Where) -->
    { format(string(String), '~w', [Text]),
      url_bytes(String, Bytes)
    },
    escaped_bytes(Bytes, Where).

escaped_bytes([], _) --> [].
escaped_bytes([B|Bs], Where) -->
    (   { plain(B) ; Where == path, stands_in_path(B) }
    ->  [B]
    ;   { escaped(B, Codes, []) },
        codes(Codes)
    ),
    escaped_bytes(Bs, Where).

stands_in_path(0'/).
stands_in_path(0':).
stands_in_path(0'@).
stands_in_path(0'+).
stands_in_path(0',).
stands_in_path(0'!).
stands_in_path(0'$).
stands_in_path(0'*).
stands_in_path(0'\').
stands_in_path(0'().
stands_in_path(0')).

%   --- the rest ---

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
    ->  url_bytes(IRI, Bytes),
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
        url_bytes(String, Bytes),
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
        url_bytes(A, Bs),
        append(Bs, Bytes1, Bytes),
        decode(Cs, How, Bytes1)
    ).

text_of_bytes(Bytes, Text) :-
    current_url_encoding(Encoding),
    string_bytes(String, Bytes, Encoding),
    atom_string(Text, String).

%!  file_name_to_url(?File, ?URL) is semidet.
%
%   URL is `file://` before the absolute name of File, without %-escapes; uri_file_name/2 of library(uri) has those.

file_name_to_url(File, URL) :-
    (   nonvar(File)
    ->  absolute_file_name(File, Path),
        atom_concat('file://', Path, URL)
    ;   var(URL)
    ->  instantiation_error(URL)
    ;   atom_concat('file://', File, URL)
    ).

%!  set_url_encoding(?Old, +New) is semidet.
%
%   The bytes of %-escapes were text in the encoding Old, and are from now on in New: utf8, as at first, or iso_latin_1.

set_url_encoding(Old, New) :-
    current_url_encoding(Now),
    Old = Now,
    (   New == Now
    ->  true
    ;   must_be(oneof([utf8, iso_latin_1]), New),
        % (Who reads it meanwhile finds one of them.)
        '$locked'('$url_encoding', ( clause(url_encoding(_), true, Before), assertz(url_encoding(New)), erase(Before) ))
    ).

:- dynamic url_encoding/1.
url_encoding(utf8).

current_url_encoding(Encoding) :- url_encoding(Encoding0), !, Encoding = Encoding0.

url_bytes(Text, Bytes) :-
    current_url_encoding(Encoding),
    string_bytes(Text, Bytes, Encoding).
