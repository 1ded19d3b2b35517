% Finding files: search paths, extensions, absolute and relative names; directories.
%
% As in SWI-Prolog's absolute_file_name/3 and library(filesex).

:- module('$files', [
       absolute_file_name/3,
       file_search_path/2,
       exists_source/1,
       exists_source/2,
       directory_file_path/3,
       relative_file_name/3,
       make_directory_path/1,
       directory_member/3,
       copy_file/2
   ]).

:- dynamic(user:file_search_path/2).
:- multifile(user:file_search_path/2).

%!  file_search_path(+Alias, ?Directory) is nondet.
%
%   The directories that Alias stands for: what users have defined. A directory may be a term of
%   another alias.

file_search_path(Alias, Directory) :-
    user:file_search_path(Alias, Directory).

%!  absolute_file_name(+Spec, -Path, +Options) is nondet.
%
%   Path is the absolute name of the file that Spec means: text, a term A/B, or Alias(Path) with the
%   directories of user:file_search_path/2. Options:
%
%     - extensions(List), file_type(Type): extensions that are tried, `''` for none
%     - access(Mode): the file must exist and be accessible so: read, write, append, execute, exist, none
%     - relative_to(FileOrDirectory): instead of the working directory
%     - file_errors(fail): fail instead of raising an error
%     - solutions(all): all on backtracking; the first by default
%     - expand(Bool): replace `~` and `$VAR` at the start

absolute_file_name(Spec, Path, Options0) :-
    nonvar(Spec),
    \+ is_list(Options0), is_list(Path), !,
    absolute_file_name(Spec, Options0, Path).
absolute_file_name(Spec, _, _) :-
    var(Spec), !,
    throw(error(instantiation_error, context(system:absolute_file_name/3, _))).
absolute_file_name(Spec, Path, Options) :-
    must_be(list, Options),
    path_extensions(Options, Extensions),
    path_access(Options, Type, Access),
    (   option_of(solutions(all), Options)
    ->  path_candidate(Spec, Options, Extensions, Type, Access, Path)
    ;   path_candidate(Spec, Options, Extensions, Type, Access, Path0)
    ->  Path = Path0
    ;   option_of(file_errors(fail), Options)
    ->  fail
    ;   throw(error(existence_error(source_sink, Spec), _))
    ).

option_of(Option, Options) :-
    functor(Option, Name, 1),
    functor(General, Name, 1),
    memberchk(General, Options),
    General = Option.

path_extensions(Options, Extensions) :-
    (   option_of(extensions(Given), Options)
    ->  Extensions = Given
    ;   option_of(file_type(Type), Options),
        type_extensions(Type, Known)
    ->  Extensions = Known
    ;   Extensions = ['']
    ).

type_extensions(prolog, ['.pl', '.prolog', '']).
type_extensions(source, ['.pl', '.prolog', '']).
type_extensions(executable, ['.so', '']).

path_access(Options, Type, Access) :-
    ( option_of(file_type(Type0), Options) -> Type = Type0 ; Type = regular ),
    (   option_of(access(Access0), Options)
    ->  (   memberchk(Access0, [read, write, append, execute, exist, none])
        ->  Access = Access0
        ;   throw(error(domain_error(io_mode, Access0), _))
        )
    ;   Type == directory
    ->  Access = exist
    ;   Access = none
    ).

path_candidate(Spec, Options, Extensions, Type, Access, Path) :-
    spec_path(Spec, Options, Base),
    member(Extension, Extensions),
    extended(Base, Extension, Path),
    path_accessible(Access, Type, Path).

%   The extension is not added to a name that has it already.
extended(Base, '', Base) :- !.
extended(Base, Extension0, Path) :-
    (   sub_atom(Extension0, 0, 1, _, '.')
    ->  Extension = Extension0
    ;   atom_concat('.', Extension0, Extension)
    ),
    (   sub_atom(Base, _, _, 0, Extension)
    ->  Path = Base
    ;   atom_concat(Base, Extension, Path)
    ).

path_accessible(none, _, _) :- !.
path_accessible(Access, directory, Path) :- !,
    exists_directory(Path),
    access_file(Path, Access).
path_accessible(exist, _, Path) :- !,
    exists_file(Path).
path_accessible(Access, _, Path) :-
    \+ exists_directory(Path),
    access_file(Path, Access).

spec_path(Spec, Options, Path) :-
    compound(Spec),
    \+ Spec = _/_, !,
    (   compound_name_arguments(Spec, Alias, [Rest])
    ->  path_text(Rest, Text),
        findall(D, file_search_path(Alias, D), Directories),
        member(Directory, Directories),
        spec_path(Directory, Options, Base),
        directory_file_path(Base, Text, Joined),
        absolute_file_name(Joined, Path)
    ;   throw(error(type_error(file_path, Spec), _))
    ).
spec_path(Spec, Options, Path) :-
    path_text(Spec, Text0),
    ( option_of(expand(true), Options) -> expand_start(Text0, Text) ; Text = Text0 ),
    (   \+ is_absolute_file_name(Text),
        option_of(relative_to(Place), Options)
    ->  absolute_file_name(Place, Absolute),
        ( exists_directory(Absolute) -> Directory = Absolute ; file_directory_name(Absolute, Directory) ),
        directory_file_path(Directory, Text, Joined),
        absolute_file_name(Joined, Path)
    ;   absolute_file_name(Text, Path)
    ).

path_text(Spec, _) :-
    var(Spec), !,
    throw(error(instantiation_error, _)).
path_text(A/B, Text) :- !,
    path_text(A, X),
    path_text(B, Y),
    atomic_list_concat([X, /, Y], Text).
path_text(Spec, Text) :-
    atom(Spec), !,
    Text = Spec.
path_text(Spec, Text) :-
    string(Spec), !,
    atom_string(Text, Spec).
path_text(Spec, _) :-
    throw(error(type_error(text, Spec), _)).

expand_start(Text, Path) :-
    sub_atom(Text, 0, 1, _, ~),
    ( Text == ~ ; sub_atom(Text, 1, 1, _, /) ), !,
    getenv('HOME', Home),
    sub_atom(Text, 1, _, 0, Rest),
    atom_concat(Home, Rest, Path).
expand_start(Text, Path) :-
    sub_atom(Text, 0, 1, _, $), !,
    sub_atom(Text, 1, _, 0, Rest0),
    (   sub_atom(Rest0, Before, _, _, /)
    ->  sub_atom(Rest0, 0, Before, _, Name),
        sub_atom(Rest0, Before, _, 0, Rest)
    ;   Name = Rest0,
        Rest = ''
    ),
    (   getenv(Name, Value)
    ->  atom_concat(Value, Rest, Path)
    ;   throw(error(existence_error(variable, Name), _))
    ).
expand_start(Text, Text).

%!  exists_source(+Spec) is semidet.
%!  exists_source(+Spec, -Path) is semidet.
%
%   Whether there is a Prolog file of this name: a library, or a file.

exists_source(Spec) :-
    exists_source(Spec, _).

exists_source(library(Name), Path) :-
    '$library_name'(Name, Text),
    '$is_library'(Text), !,
    Path = library(Name).
exists_source(Spec, Path) :-
    absolute_file_name(Spec, Path, [file_type(prolog), access(read), file_errors(fail)]).

%!  directory_file_path(?Directory, ?File, ?Path) is det.
%
%   Path is File in Directory; an absolute File stays as it is. If one of them is unbound they are what Path is made of.

directory_file_path(Directory, File, Path) :-
    ( var(Directory) ; var(File) ), !,
    (   nonvar(Path)
    ->  file_directory_name(Path, Directory0),
        file_base_name(Path, File0),
        atom_string(Directory, Directory0),
        atom_string(File, File0)
    ;   throw(error(instantiation_error, context(system:directory_file_path/3, _)))
    ).
directory_file_path(_, File, Path) :-
    is_absolute_file_name(File), !,
    atom_string(Path, File).
directory_file_path('.', File, Path) :- !,
    atom_string(Path, File).
directory_file_path(Directory, File, Path) :-
    (   sub_atom(Directory, _, 1, 0, /)
    ->  atomic_list_concat([Directory, File], Path)
    ;   atomic_list_concat([Directory, /, File], Path)
    ).

%!  relative_file_name(?Path, +RelativeTo, ?Relative) is det.
%
%   Relative is the name of Path as seen from the directory of the file RelativeTo.

relative_file_name(Path, RelativeTo, Relative) :-
    nonvar(Path), !,
    absolute_file_name(Path, AbsolutePath),
    absolute_file_name(RelativeTo, AbsoluteTo),
    (   AbsolutePath == AbsoluteTo
    ->  Relative = '.'
    ;   atomic_list_concat(PathParts, /, AbsolutePath),
        atomic_list_concat(ToParts, /, AbsoluteTo),
        append(Directory, [_], ToParts), !,
        uncommon(PathParts, Directory, Down, Up),
        up_and_down(Up, Down, Parts),
        ( Parts == [] -> Relative = '.' ; atomic_list_concat(Parts, /, Relative) )
    ).
relative_file_name(Path, _, Relative) :-
    is_absolute_file_name(Relative), !,
    atom_string(Path, Relative).
relative_file_name(Path, RelativeTo, Relative) :-
    file_directory_name(RelativeTo, Directory),
    directory_file_path(Directory, Relative, Joined),
    absolute_file_name(Joined, Path).

uncommon([X|Xs], [Y|Ys], Down, Up) :-
    X == Y, !,
    uncommon(Xs, Ys, Down, Up).
uncommon(Down, Up, Down, Up).

%   One step up for every directory.
up_and_down([], Down, Down).
up_and_down([_|Up], Down, [..|Parts]) :-
    up_and_down(Up, Down, Parts).

%!  make_directory_path(+Directory) is det.
%
%   Makes the directory and those above it that are missing.

make_directory_path(Directory) :-
    exists_directory(Directory), !.
make_directory_path(Directory) :-
    file_directory_name(Directory, Parent),
    Parent \== Directory,
    make_directory_path(Parent),
    make_directory(Directory).

%!  directory_member(+Directory, -Member, +Options) is nondet.
%
%   Member is the path of an entry of the directory. Options: extensions(List), recursive(Bool),
%   file_type(Type), access(Mode).

directory_member(Directory, Member, Options) :-
    directory_files(Directory, Names0),
    msort(Names0, Names),
    member(Name, Names),
    Name \== '.',
    Name \== '..',
    directory_file_path(Directory, Name, Path),
    (   wanted_member(Path, Options),
        Member = Path
    ;   option_of(recursive(true), Options),
        exists_directory(Path),
        directory_member(Path, Member, Options)
    ).

wanted_member(Path, Options) :-
    (   option_of(extensions(Extensions), Options)
    ->  file_name_extension(_, Extension, Path),
        memberchk(Extension, Extensions)
    ;   true
    ),
    (   option_of(file_type(Type), Options)
    ->  (   Type == directory
        ->  exists_directory(Path)
        ;   exists_file(Path),
            (   type_extensions(Type, Known)
            ->  file_name_extension(_, E0, Path),
                atom_concat('.', E0, E),
                memberchk(E, Known)
            ;   true
            )
        )
    ;   true
    ),
    (   option_of(access(Access), Options)
    ->  access_file(Path, Access)
    ;   true
    ).

%!  copy_file(+From, +To) is det.
%
%   To becomes a copy of the file From; if it is a directory, a file of the same name in it.

copy_file(From, To0) :-
    (   exists_directory(To0)
    ->  file_base_name(From, Name),
        directory_file_path(To0, Name, To)
    ;   To = To0
    ),
    setup_call_cleanup(
        open(From, read, In, [type(binary)]),
        setup_call_cleanup(
            open(To, write, Out, [type(binary)]),
            copy_stream_data(In, Out),
            close(Out)),
        close(In)).
