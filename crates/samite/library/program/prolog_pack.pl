:- module(prolog_pack,
          [ pack_attach/2,
            pack_list_installed/0,
            pack_info/1,
            pack_property/2,
            pack_install/1,
            pack_install/2,
            pack_remove/1
          ]).

/*  Packs: looking at them, installing them from directories and archives, removing them.

    As these parts of SWI-Prolog's library(prolog_pack). Nobody is asked for packs over a network, and nothing of C is built. attach_packs/0,1,2 are in '$packs', which has what is known.
*/

:- predicate_options(pack_install/2, 2, [url(text), package_directory(text), upgrade(boolean), silent(boolean), interactive(boolean)]).

%!  pack_attach(+Directory, +Options) is det.
%
%   Attaches the pack in Directory: its libraries are library(Name) then. Options are those of attach_packs/2.

pack_attach(Directory, Options) :-
    absolute_file_name(Directory, Path, [file_type(directory), file_errors(fail)]), !,
    (   '$is_pack'(Path)
    ->  '$attach_pack'(Path, Options)
    ;   domain_error(pack, Directory)
    ).
pack_attach(Directory, _) :-
    existence_error(directory, Directory).

%!  pack_property(?Pack, ?Property) is nondet.
%
%   Property of a pack that is attached: directory(Directory), library(Library), as library(Library) finds it, readme(File), todo(File), or a term of its file pack.pl, as version(Version), title(Title), author(Name, Address), requires(Pack).

pack_property(Pack, Property) :-
    findall(Name-Directory, '$attached_pack'(Name, Directory), Packs),
    member(Pack-Directory, Packs),
    property(Property, Directory).

property(Property, Directory) :-
    nonvar(Property), !,
    findall(Property, a_property(Property, Directory), Properties),
    member(Property, Properties).
property(Property, Directory) :-
    a_property(Property, Directory).

a_property(directory(Directory), Directory).
a_property(Property, Directory) :-
    member(Property, [readme(File), todo(File)]),
    functor(Property, Name, 1),
    directory_files(Directory, Files),
    member(Base, Files),
    downcase_atom(Base, Lower),
    file_name_extension(Name, Extension, Lower),
    memberchk(Extension, ['', md, txt]),
    directory_file_path(Directory, Base, File).
a_property(library(Library), Directory) :-
    directory_file_path(Directory, prolog, Libraries),
    exists_directory(Libraries),
    directory_member(Libraries, File, [extensions([pl]), recursive(true)]),
    atom_concat(Libraries, /, Below),
    atom_concat(Below, Name, File),
    file_name_extension(Library, pl, Name).
a_property(Property, Directory) :-
    terms(Directory, Terms),
    member(Property, Terms).

terms(Directory, Terms) :-
    directory_file_path(Directory, 'pack.pl', File),
    read_file_to_terms(File, Terms, [encoding(utf8)]).

%!  pack_list_installed is det.
%
%   Prints the packs that are attached.

pack_list_installed :-
    findall(Name-Directory, '$attached_pack'(Name, Directory), Packs0),
    msort(Packs0, Packs),
    (   Packs == []
    ->  print_message(informational, format('There are no packs', []))
    ;   forall(member(Name-Directory, Packs), (
            ( property(version(Version), Directory) -> true ; Version = '?' ),
            ( property(title(Title), Directory) -> true ; Title = '' ),
            format('i ~w@~w ~28|- ~w~n', [Name, Version, Title]) ))
    ).

%!  pack_info(+Pack) is semidet.
%
%   Prints what is known of Pack. Fails with a warning if there is none.

pack_info(Pack) :-
    must_be(atom, Pack),
    (   '$attached_pack'(Pack, Directory)
    ->  format('Package ~w~n', [Pack]),
        forall(( a_property(Property, Directory), Property \= name(_) ), (
            Property =.. [Name|Values],
            format('  ~w:~t~20|', [Name]),
            values(Values) ))
    ;   print_message(warning, format('There is no pack ~w', [Pack])),
        fail
    ).

%   values(+Values): to the end of the line. They may be any terms, as in requires(prolog >= '9.0').
values([]) :- nl.
values([Value|Values]) :-
    write(Value),
    ( Values == [] -> true ; write(' ') ),
    values(Values).

%!  pack_install(+Source) is det.
%!  pack_install(+Source, +Options) is det.
%
%   Copies a pack to where packs are, and attaches it. Source is its directory, or an archive (tar, or zip), which programs of these names unpack; or it is the pack's name, and the option
%   url(Source) says where it is. Other options: package_directory(Directory): in place of the user's; upgrade(true): one that is there goes; silent(true): nothing is printed. interactive(_) is
%   taken: nothing is asked.

pack_install(Source) :-
    pack_install(Source, []).

pack_install(Source0, Options) :-
    must_be(list, Options),
    forall(member(Option, Options), is_option(Option)),
    ( option(url(Source), Options) -> true ; Source = Source0 ),
    local(Source, File),
    setup_call_cleanup(
        unpacked(File, Directory, Temporary),
        install(Directory, Options),
        ( Temporary == [] -> true ; delete_directory_and_contents(Temporary) )).

is_option(Option) :-
    must_be(nonvar, Option),
    ( memberchk(Option, [url(_), package_directory(_), upgrade(_), silent(_), interactive(_)]) -> true ; domain_error(pack_install_option, Option) ).

local(Source, File) :-
    must_be(ground, Source),
    (   ( atom(Source) ; string(Source) ), uri_file_name(Source, File0) -> true
    ;   File0 = Source
    ),
    (   absolute_file_name(File0, File, [file_errors(fail)]),
        ( exists_directory(File) ; exists_file(File) )
    ->  true
    ;   throw(error(existence_error(pack, Source), context(prolog_pack:pack_install/2, 'packs are directories and archives here; no server is asked')))
    ).

%   unpacked(+File, -Directory, -Temporary): of the pack; Temporary is a directory to be deleted, or [].
unpacked(Directory, Directory, []) :-
    exists_directory(Directory), !.
unpacked(File, Directory, Temporary) :-
    unpacker(File, Program, Arguments, Temporary),
    tmp_file(pack, Temporary),
    make_directory(Temporary),
    catch(
        (   process_create(path(Program), Arguments, [process(Process)]),
            process_wait(Process, Status),
            (   Status == exit(0), pack_within(Temporary, Directory)
            ->  true
            ;   domain_error(pack, File)
            )
        ),
        Error,
        ( delete_directory_and_contents(Temporary), throw(Error) )).

unpacker(File, Program, Arguments, Temporary) :-
    (   file_name_extension(_, zip, File)
    ->  Program = unzip,
        Arguments = ['-q', File, '-d', Temporary]
    ;   member(Extension, ['.tar', '.tgz', '.tar.gz', '.tar.bz2', '.tar.xz', '.tbz2', '.txz']),
        atom_concat(_, Extension, File)
    ->  Program = tar,
        Arguments = [xf, File, '-C', Temporary]
    ;   domain_error(pack_archive, File)
    ).

pack_within(Directory, Directory) :-
    '$is_pack'(Directory), !.
pack_within(Outer, Directory) :-
    directory_files(Outer, Names),
    member(Name, Names),
    Name \== '.', Name \== '..',
    directory_file_path(Outer, Name, Directory),
    '$is_pack'(Directory), !.

install(Directory, Options) :-
    ( '$is_pack'(Directory) -> true ; domain_error(pack, Directory) ),
    terms(Directory, Terms),
    (   memberchk(name(Name), Terms), atom(Name), Name \== '', \+ sub_atom(Name, _, _, _, /), \+ sub_atom(Name, 0, _, _, '.')
    ->  true
    ;   domain_error(pack_name, Directory)
    ),
    (   option(package_directory(Packs0), Options)
    ->  absolute_file_name(Packs0, Packs)
    ;   '$user_packs'(Packs)
    ),
    directory_file_path(Packs, Name, Target),
    (   \+ exists_directory(Target)
    ->  make_directory_path(Packs)
    ;   option(upgrade(true), Options)
    ->  delete_directory_and_contents(Target)
    ;   permission_error(install, pack, Name)
    ),
    catch(copy_directory(Directory, Target), Error, ( catch(delete_directory_and_contents(Target), error(_, _), true), throw(Error) )),
    '$attach_pack'(Target, [duplicate(replace)]),
    (   option(silent(true), Options)
    ->  true
    ;   print_message(informational, format('Installed pack ~w in ~w', [Name, Target]))
    ),
    forall(( member(requires(What), Terms), \+ is_there(What) ), print_message(warning, format('Pack ~w requires ~p, which is not there', [Name, What]))).

%   Names, of packs or of Prolog, with a version maybe, which is not looked at.
is_there(What) :-
    (   compound(What), What =.. [_, Name|_], atom(Name) -> true
    ;   Name = What
    ),
    (   Name == prolog -> true
    ;   sub_atom(Name, 0, _, _, 'prolog:') -> true
    ;   '$attached_pack'(Name, _) -> true
    ).

%!  pack_remove(+Pack) is det.
%
%   Deletes a pack that is attached, with its directory.

pack_remove(Pack) :-
    must_be(atom, Pack),
    (   '$attached_pack'(Pack, Directory)
    ->  '$locked'('$packs', '$detach_pack'(Pack)),
        delete_directory_and_contents(Directory)
    ;   existence_error(pack, Pack)
    ).
