:- module('$packs', [ attach_packs/0, attach_packs/1, attach_packs/2, '$attached_pack'/2, '$is_pack'/1, '$attach_pack'/2, '$detach_pack'/1 ]).

/*  Packs: directories with a file pack.pl, which says what they are, and libraries in the directory prolog, as for SWI-Prolog. Those that are attached are told by '$attached_pack'(Name, Directory).

    Equation: for each of them there is user:file_search_path(library, Directory/prolog), and for no other that one of them was.
*/

:- dynamic attached/2.
:- volatile attached/2.

%!  attach_packs is det.
%
%   Attaches the packs of the directories pack(.), and of the user's: $XDG_DATA_HOME/samite/pack, by default ~/.local/share/samite/pack. A program has the latter when it starts (but for option --no-packs).

attach_packs :-
    findall(Directory, pack_directory(Directory), Directories),
    forall(member(Directory, Directories), attach_packs(Directory, [duplicate(keep)])).

pack_directory(Directory) :-
    user:file_search_path(pack, _),
    absolute_file_name(pack('.'), Directory, [file_type(directory), solutions(all), file_errors(fail)]).
pack_directory(Directory) :-
    '$user_packs'(Directory),
    exists_directory(Directory).

%!  attach_packs(+Directory) is det.
%!  attach_packs(+Directory, +Options) is det.
%
%   Attaches the packs in Directory; nothing happens if it is not there. Options: duplicate(What), if there is one of that name already: it stays, with a `warning` or without (`keep`), or goes (`replace`);
%   search(Where): the libraries go before others (`first`) or behind (`last`).

attach_packs(Directory) :-
    attach_packs(Directory, []).

attach_packs(Directory, Options) :-
    must_be(list, Options),
    (   absolute_file_name(Directory, Path, [file_type(directory), file_errors(fail)]),
        exists_directory(Path)
    ->  directory_files(Path, Names0),
        msort(Names0, Names),
        forall(( member(Name, Names), Name \== '.', Name \== '..' ), (
            directory_file_path(Path, Name, Pack),
            ( '$is_pack'(Pack) -> '$attach_pack'(Pack, Options) ; true ) ))
    ;   true
    ).

'$is_pack'(Directory) :-
    directory_file_path(Directory, 'pack.pl', File),
    access_file(File, read),
    libraries(Directory, Libraries),
    exists_directory(Libraries).

libraries(Directory, Libraries) :-
    directory_file_path(Directory, prolog, Libraries).

%   '$attached_pack'(?Name, ?Directory) is nondet
'$attached_pack'(Name, Directory) :-
    attached(Name, Directory).

%   '$is_pack'(+Directory) is semidet; '$detach_pack'(+Name): it is attached no more.

%   '$attach_pack'(+Directory, +Options): of what is a pack.
'$attach_pack'(Directory, Options) :-
    option(duplicate(Duplicate), Options, warning),
    must_be(oneof([warning, keep, replace]), Duplicate),
    option(search(Where), Options, last),
    must_be(oneof([first, last]), Where),
    file_base_name(Directory, Name),
    '$locked'('$packs', attach_one(Name, Directory, Duplicate, Where, Other)),
    (   nonvar(Other)
    ->  print_message(warning, format('Pack ~w: ~w is attached; ignored ~w', [Name, Other, Directory]))
    ;   true
    ).

attach_one(Name, Directory, Duplicate, Where, Other) :-
    (   attached(Name, Known), Known \== Directory, Duplicate \== replace
    ->  ( Duplicate == warning -> Other = Known ; true )
    ;   '$detach_pack'(Name),
        assertz(attached(Name, Directory)),
        libraries(Directory, Libraries),
        (   Where == first
        ->  asserta(user:file_search_path(library, Libraries))
        ;   assertz(user:file_search_path(library, Libraries))
        )
    ).

'$detach_pack'(Name) :-
    forall(retract(attached(Name, Directory)), (
        libraries(Directory, Libraries),
        retractall(user:file_search_path(library, Libraries)) )).
