:- module(prolog_source, [ file_name_on_path/2, path_segments_atom/2, valid_term_position/2 ]).

:- use_module(library(error), [instantiation_error/1]).

/*  Names of files as programs write them, and places of terms in them.

    As these parts of SWI-Prolog's library(prolog_source). What reads programs there (read_source_term_at_location/3 and others) is not there.
*/

%!  file_name_on_path(+File, -OnPath) is det.
%
%   OnPath is Alias(Path) if File is in one of the folders of file_search_path/2, the shortest of these; else it is File.

file_name_on_path(File, OnPath) :-
    findall(Length-Found, on_path(File, Length, Found), Pairs),
    keysort(Pairs, Sorted),
    (   Sorted = [_-Found|_]
    ->  OnPath = Found
    ;   OnPath = File
    ).

on_path(File, Length, Found) :-
    is_absolute_file_name(File),
    file_search_path(Alias, _),
    atom(Alias),
    Spec =.. [Alias, '.'],
    absolute_file_name(Spec, Folder0, [file_type(directory), solutions(all), file_errors(fail)]),
    (   sub_atom(Folder0, _, 1, 0, /) -> Folder = Folder0 ; atom_concat(Folder0, /, Folder) ),
    atom_concat(Folder, Local0, File),
    file_name_extension(Local, _, Local0),
    atom_length(Local, Length),
    path_segments_atom(Segments, Local),
    Found =.. [Alias, Segments].

%!  path_segments_atom(?Segments, ?Path) is det.
%
%   Segments is a/b/c, Path 'a/b/c'.

path_segments_atom(Segments, Path) :-
    (   nonvar(Segments)
    ->  phrase(segments(Segments), List),
        atomic_list_concat(List, /, Path)
    ;   nonvar(Path)
    ->  atomic_list_concat(List, /, Path),
        joined(List, Segments)
    ;   instantiation_error(Segments)
    ).

segments(A) --> { var(A), !, instantiation_error(A) }.
segments(A/B) --> !, segments(A), segments(B).
segments(A) --> [A].

joined([A|List], Segments) :- joined(List, A, Segments).

joined([], A, A).
joined([B|List], A, Segments) :- joined(List, A/B, Segments).

%!  valid_term_position(@Term, @Position) is semidet.
%
%   Position may be what read_term/2 with the option subterm_positions has said of Term: it has the parts of Term, each inside of what it is a part of and
%   behind the ones before it.

valid_term_position(Term, Position) :-
    valid_term_position(0, inf, Term, Position).

valid_term_position(Least, Most, Term, Position) :-
    nonvar(Position),
    position_ends(Position, From, To),
    within(Least, From, To, Most),
    placed(Position, Term).

position_ends(parentheses_term_position(From, To, _), From, To).
position_ends(From-To, From, To).
position_ends(string_position(From, To), From, To).
position_ends(brace_term_position(From, To, _), From, To).
position_ends(list_position(From, To, _, _), From, To).
position_ends(term_position(From, To, _, _, _), From, To).
position_ends(dict_position(From, To, _, _, _), From, To).
position_ends(key_value_position(From, To, _, _, _, _, _), From, To).

within(Least, From, To, Most) :-
    integer(From), integer(To),
    Least =< From, From =< To,
    ( Most == inf -> true ; To =< Most ).

placed(_-_, Term) :- ( var(Term) -> true ; atomic(Term) ).
placed(string_position(_, _), Term) :- ( atom(Term) -> true ; string(Term) -> true ; is_list(Term) ).
placed(parentheses_term_position(From, To, Inner), Term) :- valid_term_position(From, To, Term, Inner).
placed(brace_term_position(From, To, Inner), Term) :-
    compound(Term), Term = {Arg},
    valid_term_position(From, To, Arg, Inner).
placed(list_position(From, To, Positions, Tail), Term) :-
    placed_elements(Positions, From, To, Term, Rest, Behind),
    (   Tail == none
    ->  Rest == []
    ;   valid_term_position(Behind, To, Rest, Tail)
    ).
placed(term_position(From, To, NameFrom, NameTo, Positions), Term) :-
    compound(Term),
    within(From, NameFrom, NameTo, To),
    compound_name_arguments(Term, _, Args),
    placed_arguments(Positions, Args, From, To).
placed(dict_position(From, To, TagFrom, TagTo, Pairs), Term) :-
    is_dict(Term),
    within(From, TagFrom, TagTo, To),
    dict_pairs(Term, _, Values),
    length(Values, N),
    length(Pairs, N),
    placed_pairs(Pairs, TagTo, To, Term).

placed_elements([], Behind, _, Rest, Rest, Behind).
placed_elements([P|Ps], Least, To, List, Rest, Behind) :-
    compound(List), List = [X|Xs],
    valid_term_position(Least, To, X, P),
    position_ends(P, _, Next),
    placed_elements(Ps, Next, To, Xs, Rest, Behind).

placed_arguments([], [], _, _).
placed_arguments([P|Ps], [X|Xs], Least, To) :-
    valid_term_position(Least, To, X, P),
    position_ends(P, _, Next),
    placed_arguments(Ps, Xs, Next, To).

placed_pairs([], _, _, _).
placed_pairs([P|Ps], Least, To, Dict) :-
    P = key_value_position(From, End, ColonFrom, ColonTo, Key, KeyPosition, ValuePosition),
    within(Least, From, End, To),
    within(From, ColonFrom, ColonTo, End),
    get_dict(Key, Dict, Value),
    valid_term_position(From, ColonFrom, Key, KeyPosition),
    valid_term_position(ColonTo, End, Value, ValuePosition),
    placed_pairs(Ps, End, To, Dict).
