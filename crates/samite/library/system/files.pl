% Finding files: search paths, extensions, absolute names.
%
% As in SWI-Prolog's absolute_file_name/3.
%
% The system looks for files before a program has loaded anything, and programs may have libraries of their own in the place of Samite's: no
% library is called here unless there is an error.

:- module('$files', [
       absolute_file_name/3,
       file_search_path/2,
       expand_file_search_path/2,
       exists_source/1,
       exists_source/2,
       prolog_to_os_filename/2,
       '$source_extension'/1
   ]).

%!  prolog_to_os_filename(?Name, ?SystemName) is det.
%
%   Names of files are the same for the system.

prolog_to_os_filename(Name, SystemName) :-
    (   nonvar(Name)
    ->  atomic_list_concat([Name], SystemName)
    ;   atomic_list_concat([SystemName], Name)
    ).

%!  file_search_path(+Alias, ?Directory) is nondet.
%
%   The directories that Alias stands for: what users have defined. A directory may be a term of
%   another alias. Where samite(library) stands among those of `library` are Samite's own libraries.

file_search_path(Alias, Directory) :-
    user:file_search_path(Alias, Directory).

%!  expand_file_search_path(+Spec, -Path) is nondet.
%
%   Path is what Spec, text or Alias(Path), stands for with the directories of user:file_search_path/2, one after another; whether there is such a file
%   is not looked at, and Path need not be absolute.

expand_file_search_path(Spec, Path) :-
    catch(expanded(Spec, Spec-16, [], Path), error(Error, Context), (
        ( Error = loop_error(_) -> Where = Context ; Where = context(system:expand_file_search_path/2, _) ),
        throw(error(Error, Where)) )).

expanded(Spec, More, Used, Path) :-
    compound(Spec),
    \+ Spec = _/_, !,
    compound_name_arguments(Spec, Alias, [Rest]),
    (   compound(Rest)
    ->  Rest = _/_
    ;   true
    ),
    path_text(Rest, Text),
    findall(D, file_search_path(Alias, D), Directories),
    '$member'(Directory, Directories),
    next_alias(More, Used, Left),
    expanded(Directory, Left, [Alias=Directory|Used], Base),
    (   Text == '.' -> Path = Base
    ;   sub_atom(Base, _, 1, 0, /) -> atom_concat(Base, Text, Path)
    ;   atomic_list_concat([Base, /, Text], Path)
    ).
expanded(Spec, _, _, Path) :-
    (   atomic(Spec) -> Path = Spec
    ;   path_text(Spec, Path)
    ).

%!  absolute_file_name(+Spec, -Path, +Options) is nondet.
%
%   Path is the absolute name of the file that Spec means: text, a term A/B, or Alias(Path) with the
%   directories of user:file_search_path/2. Options:
%
%     - extensions(List), file_type(Type): extensions that are tried, `''` for none; those of a type are what user:prolog_file_type/2 says
%     - access(Mode): the file must exist and be accessible so: read, write, append, execute, exist, none
%     - relative_to(FileOrDirectory): instead of the working directory. Without it, and while a text is being loaded, what is in the directory
%       of that goes before what is in the working directory
%     - file_errors(fail): fail instead of raising an error
%     - solutions(all): all on backtracking; the first by default
%     - expand(Bool): replace `~` and `$VAR` at the start. Text is a pattern as for expand_file_name/2: what matches is looked for;
%       fails if nothing does

absolute_file_name(Spec, Path, Options0) :-
    nonvar(Spec),
    \+ is_list(Options0), is_list(Path), !,
    absolute_file_name(Spec, Options0, Path).
absolute_file_name(Spec, _, _) :-
    var(Spec), !,
    throw(error(instantiation_error, context(system:absolute_file_name/3, _))).
absolute_file_name(Spec, Path, Options) :-
    ( is_list(Options) -> true ; must_be(list, Options) ),
    catch(path_options(Options), error(Error, _), throw(error(Error, context(system:absolute_file_name/3, _)))),
    path_extensions(Options, Extensions),
    path_access(Options, Type, Access),
    make_own_directory(Access, Spec),
    meanings(Spec, Options, Meanings),
    Meanings \== [],
    (   option_of(solutions(all), Options)
    ->  (   '$member'(Meant, Meanings),
            path_candidate(Meant, Options, Extensions, Type, Access, Path)
        *-> true
        ;   note_source(Options, Spec),
            fail
        )
    ;   '$member'(Meant, Meanings),
        path_candidate(Meant, Options, Extensions, Type, Access, Path0)
    ->  Path = Path0
    ;   note_source(Options, Spec),
        ( option_of(file_errors(fail), Options) -> fail ; true ),
        throw(error(existence_error(source_sink, Spec), _))
    ).

%   note_source(+Options, +Spec) is det: if it was a program that was asked for, it has not been found.
note_source(Options, Spec) :-
    (   ( option_of(file_type(prolog), Options) ; option_of(file_type(source), Options) )
    ->  '$note_missing'(Spec)
    ;   true
    ).

%   meanings(+Spec, +Options, -Specs) is det: text may be a pattern.
meanings(Spec, Options, Specs) :-
    (   atomic(Spec),
        option_of(expand(true), Options)
    ->  expand_file_name(Spec, Specs)
    ;   Specs = [Spec]
    ).

%   All options are as they should be.
path_options([]).
path_options([Option|Options]) :-
    path_option(Option),
    path_options(Options).

path_option(Option) :-
    var(Option), !,
    throw(error(instantiation_error, _)).
path_option(extensions(Es)) :- !, ( is_list(Es), all_atoms(Es) -> true ; must_be(list(atom), Es) ).
path_option(file_type(Type)) :- !,
    ( atom(Type) -> true ; must_be(atom, Type) ),
    (   type_extensions(Type, _) -> true
    ;   throw(error(domain_error(file_type, Type), _))
    ).
path_option(access(Access)) :- !, path_word(Access, [read, write, append, execute, exist, none], io_mode).
path_option(file_errors(Errors)) :- !, path_word(Errors, [error, fail], file_errors).
path_option(solutions(Solutions)) :- !, path_word(Solutions, [first, all], solutions).
path_option(expand(Bool)) :- !, ( '$memberchk_eq'(Bool, [true, false]) -> true ; must_be(boolean, Bool) ).
path_option(Option) :-
    (   Option = (Name=Value), atom(Name)
    ->  Option1 =.. [Name, Value],
        path_option(Option1)
    ;   true
    ).

all_atoms([]).
all_atoms([A|As]) :-
    atom(A),
    all_atoms(As).

path_word(Word, Words, Domain) :-
    ( atom(Word) -> true ; must_be(atom, Word) ),
    (   '$memberchk_eq'(Word, Words) -> true
    ;   throw(error(domain_error(Domain, Word), _))
    ).

option_of(Option, Options) :-
    functor(Option, Name, 1),
    functor(General, Name, 1),
    '$member'(General, Options), !,
    General = Option.

path_extensions(Options, Extensions) :-
    (   option_of(extensions(Given), Options)
    ->  Extensions = Given
    ;   option_of(file_type(Type), Options),
        type_extensions(Type, Known)
    ->  Extensions = Known
    ;   Extensions = ['']
    ).

%   type_extensions(+Type, -Extensions) is semidet: it is a type.
type_extensions(source, Extensions) :- !, type_extensions(prolog, Extensions).
type_extensions(Type, Extensions) :-
    findall(Extension, ( user:prolog_file_type(Extension0, Type), atom(Extension0), atom_concat('.', Extension0, Extension) ), Extensions0),
    ( Extensions0 == [] -> '$memberchk_eq'(Type, [prolog, txt, executable, directory, regular]) ; true ),
    '$append'(Extensions0, [''], Extensions).

path_access(Options, Type, Access) :-
    ( option_of(file_type(Type0), Options) -> Type = Type0 ; Type = regular ),
    (   option_of(access(Access0), Options)
    ->  (   '$memberchk_eq'(Access0, [read, write, append, execute, exist, none])
        ->  Access = Access0
        ;   throw(error(domain_error(io_mode, Access0), _))
        )
    ;   Type == directory
    ->  Access = exist
    ;   Access = none
    ).

path_candidate(Spec, Options, Extensions, Type, Access, Path) :-
    (   beside_source(Spec, Options, Beside),
        base_candidate(Beside, Extensions, Type, Access, Path)
    *-> true
    ;   spec_path(Spec, Options, Spec-16, [], Base),
        base_candidate(Base, Extensions, Type, Access, Path)
    ).

base_candidate(Base, Extensions, Type, Access, Path) :-
    findall(P, ( '$member'(Extension, Extensions), extended(Base, Extension, P) ), Paths0),
    % (A name that has an extension is that with it, and without another one.)
    distinct_paths(Paths0, [], Paths),
    '$member'(Path, Paths),
    path_accessible(Access, Type, Path).

%   distinct_paths(+Paths, +Seen, -Distinct) is det.
distinct_paths([], _, []).
distinct_paths([P|Ps], Seen, Ds) :-
    (   '$memberchk_eq'(P, Seen)
    ->  Ds = Ds1
    ;   Ds = [P|Ds1]
    ),
    distinct_paths(Ps, [P|Seen], Ds1).

%   make_own_directory(+Access, +Spec): who is about to write the first file of the user's own finds where, as in SWI-Prolog.
make_own_directory(Access, Spec) :-
    '$memberchk_eq'(Access, [write, append]),
    compound(Spec), functor(Spec, Alias, 1),
    own_place(Alias, Variable, Below),
    '$own_directory'(Variable, Below, Directory),
    \+ exists_directory(Directory), !,
    catch(make_directory_path(Directory), error(_, _), true).
make_own_directory(_, _).

own_place(user_app_data, 'XDG_DATA_HOME', '/.local/share').
own_place(app_data, 'XDG_DATA_HOME', '/.local/share').
own_place(user_app_config, 'XDG_CONFIG_HOME', '/.config').
own_place(app_config, 'XDG_CONFIG_HOME', '/.config').
own_place(app_preferences, 'XDG_CONFIG_HOME', '/.config').
own_place(user_profile, 'XDG_CONFIG_HOME', '/.config').

%   beside_source(+Spec, +Options, -Path) is semidet: Spec is relative to nothing else, and a text is being loaded.
beside_source(Spec, Options, Path) :-
    '$source_directory'(Directory),
    \+ option_of(relative_to(_), Options),
    ( compound(Spec) -> Spec = _/_ ; true ),
    path_text(Spec, Text0),
    ( option_of(expand(true), Options) -> expand_start(Text0, Text) ; Text = Text0 ),
    \+ is_absolute_file_name(Text),
    file_in(Directory, Text, Joined),
    absolute_file_name(Joined, Path).

%   file_in(+Directory, +File, -Path) is det: as directory_file_path/3.
file_in('.', File, File) :- !.
file_in(Directory, File, Path) :-
    (   is_absolute_file_name(File)
    ->  Path = File
    ;   sub_atom(Directory, _, 1, 0, /)
    ->  atom_concat(Directory, File, Path)
    ;   atomic_list_concat([Directory, /, File], Path)
    ).

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

%   spec_path(+Spec, +Options, +More, +Used, -Path): Used are the aliases that have led here, as Alias=Directory. More is Asked-N: Asked was asked
%   for, and N aliases more may be used for it, as one may lead to itself.
spec_path(Spec, Options, More, Used, Path) :-
    compound(Spec),
    \+ Spec = _/_, !,
    (   compound_name_arguments(Spec, Alias, [Rest])
    ->  path_text(Rest, Text),
        findall(D, file_search_path(Alias, D), Directories),
        '$member'(Directory, Directories),
        next_alias(More, Used, Left),
        spec_path(Directory, Options, Left, [Alias=Directory|Used], Base),
        file_in(Base, Text, Joined),
        absolute_file_name(Joined, Path)
    ;   throw(error(type_error(file_path, Spec), _))
    ).
spec_path(Spec, Options, _, _, Path) :-
    path_text(Spec, Text0),
    ( option_of(expand(true), Options) -> expand_start(Text0, Text) ; Text = Text0 ),
    (   \+ is_absolute_file_name(Text),
        option_of(relative_to(Place), Options)
    ->  absolute_file_name(Place, Absolute),
        ( exists_directory(Absolute) -> Directory = Absolute ; file_directory_name(Absolute, Directory) ),
        file_in(Directory, Text, Joined),
        absolute_file_name(Joined, Path)
    ;   absolute_file_name(Text, Path)
    ).

next_alias(Asked-More, _, Asked-Left) :-
    More > 0, !,
    Left is More-1.
next_alias(Asked-_, Used, _) :-
    throw(error(loop_error(Asked), file_search(Used))).

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

exists_source(Spec, _) :- var(Spec), !,
    throw(error(instantiation_error, context(system:exists_source/2, _))).
exists_source(library(Name), Path) :-
    '$library_name'(Name, Text),
    '$own_library'(Text, _), !,
    Path = library(Name).
exists_source(Spec, Path) :-
    absolute_file_name(Spec, Path, [file_type(prolog), access(read), file_errors(fail)]).

%   '$source_extension'(-Extension) is nondet: files with it, or '', are programs.
'$source_extension'(Extension) :-
    type_extensions(prolog, Extensions),
    '$member'(Extension, Extensions).
