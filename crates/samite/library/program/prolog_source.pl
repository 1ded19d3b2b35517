:- module(prolog_source, [ file_name_on_path/2, path_segments_atom/2 ]).

:- use_module(library(error), [instantiation_error/1]).

/*  Names of files as programs write them.

    As the part of SWI-Prolog's library(prolog_source) that knows of names. What reads programs there (read_source_term_at_location/3 and others) is not there.
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
