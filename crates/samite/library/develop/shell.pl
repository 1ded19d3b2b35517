:- module(shell,
          [ cd/0,
            cd/1,
            dirs/0,
            ls/0,
            ls/1,
            mv/2,
            popd/0,
            pushd/0,
            pushd/1,
            pwd/0,
            rm/1,
            shell/0
          ]).

/*  Looking at files from the toplevel, and its shell, after SWI-Prolog's library(shell). File names are patterns as of expand_file_name/2.  */

%!  shell is semidet.
%
%   Runs the shell that the variable SHELL names, or the system's, until it ends.

shell :-
    (   getenv('SHELL', Shell)
    ->  true
    ;   Shell = '/bin/sh'
    ),
    shell(Shell).

%!  pwd is det.
%
%   Tells the working directory.

pwd :-
    working_directory(Dir, Dir),
    print_message(information, format('~w', [Dir])).

%!  cd is det.
%!  cd(+Dir) is semidet.
%
%   Goes to the home directory, or to another.

cd :-
    cd(~).

cd(Spec) :-
    one_file(Spec, cd/1, Dir),
    (   exists_directory(Dir)
    ->  working_directory(_, Dir)
    ;   print_message(warning, format('"~w" is no directory', [Dir])),
        fail
    ).

%   The directories that pushd/1 has left, the last one first.
:- dynamic left/1.
:- volatile left/1.

%!  pushd(+Dir) is semidet.
%!  pushd is semidet.
%
%   Goes to Dir, or to the directory that was left last; popd/0 leads back.

pushd(Spec) :-
    working_directory(Here, Here),
    cd(Spec),
    asserta(left(Here)).

pushd :-
    last_left(Dir),
    working_directory(Here, Dir),
    asserta(left(Here)).

%!  popd is semidet.
%
%   Goes to the directory that pushd/0,1 left last, and tells it.

popd :-
    last_left(Dir),
    working_directory(_, Dir),
    print_message(information, format('~w', [Dir])).

%   (One that is there no more is forgotten.)
last_left(Dir) :-
    (   retract(left(Dir))
    ->  true
    ;   print_message(warning, format('Directory stack empty', [])),
        fail
    ).

%!  dirs is det.
%
%   Tells the working directory and those that popd/0 leads to.

dirs :-
    working_directory(Here, Here),
    findall(Dir, left(Dir), Dirs),
    atomic_list_concat([Here|Dirs], '    ', Text),
    print_message(information, format('~w', [Text])).

%!  mv(+From, +To) is semidet.
%
%   Renames the file From, or moves it into the directory To.

mv(From, To) :-
    one_file(From, mv/2, File),
    target(To, Target0),
    (   exists_directory(Target0)
    ->  file_base_name(File, Base),
        directory_file_path(Target0, Base, Target)
    ;   Target = Target0
    ),
    rename_file(File, Target).

target(To, Target) :-
    (   var(To)
    ->  throw(error(instantiation_error, context(system:mv/2, _)))
    ;   atomic(To)
    ->  expand_file_name(To, Targets),
        (   Targets = [Target0] -> Target = Target0
        ;   print_message(warning, format('"~w" is ambiguous', [To])),
            fail
        )
    ;   term_to_atom(To, Target)
    ).

%!  rm(+File) is semidet.
%
%   Deletes File.

rm(Spec) :-
    one_file(Spec, rm/1, File),
    delete_file(File).

%!  ls is det.
%!  ls(+Pattern) is semidet.
%
%   Tells the files of the working directory, or those that match; of a single directory what is in it. Directories end in a slash,
%   names with a dot are left out.

ls :-
    ls('.').

ls(Spec) :-
    files(Spec, ls/1, Files),
    (   Files = [Dir], exists_directory(Dir)
    ->  directory_files(Dir, Names0),
        findall(Name, ( member(Name, Names0), \+ sub_atom(Name, 0, _, _, '.') ), Names1),
        sort(0, @=<, Names1, Names),
        findall(Shown, ( member(Name, Names), atomic_list_concat([Dir, Name], /, Path), shown(Path, Name, Shown) ), Items)
    ;   findall(Shown, ( member(File, Files), shown(File, File, Shown) ), Items)
    ),
    columns(Items).

shown(Path, Name, Shown) :-
    (   exists_directory(Path)
    ->  atom_concat(Name, /, Shown)
    ;   Shown = Name
    ).

one_file(Spec, PI, File) :-
    files(Spec, PI, Files),
    (   Files = [File0]
    ->  File = File0
    ;   print_message(warning, format('"~w" is ambiguous', [Spec])),
        fail
    ).

files(Spec, PI, Files) :-
    (   var(Spec)
    ->  throw(error(instantiation_error, context(system:PI, _)))
    ;   atomic(Spec)
    ->  Pattern = Spec
    ;   Spec = _/_, term_to_atom(Spec, Pattern)
    ->  true
    ;   throw(error(type_error(atomic, Spec), context(system:PI, _)))
    ),
    expand_file_name(Pattern, Files0),
    include(exists, Files0, Files),
    (   Files \== []
    ->  true
    ;   print_message(warning, format('"~w" does not exist', [Spec])),
        fail
    ).

exists(File) :- exists_file(File), !.
exists(File) :- exists_directory(File).

%   In columns, as many as fit into a line.

columns([]) :- !.
columns(Items) :-
    line_width(Width),
    longest(Items, 0, Longest),
    length(Items, Count),
    Columns is max(1, (Width - 2) // (Longest + 2)),
    Rows is (Count + Columns - 1) // Columns,
    Cell is Longest + 2,
    Last is Rows - 1,
    findall(Line, ( between(0, Last, Row), line_of(Row, Rows, Items, Line) ), Lines),
    message(Lines, Cell, Elements),
    print_message(information, lines(Elements)).

line_width(Width) :-
    (   catch(tty_size(_, Width0), error(_, _), fail)
    ->  Width = Width0
    ;   Width = 80
    ).

longest([], N, N).
longest([Item|Items], N0, N) :-
    atom_length(Item, L),
    N1 is max(N0, L),
    longest(Items, N1, N).

line_of(Row, Rows, Items, Line) :-
    findall(Item, ( nth0(I, Items, Item), I mod Rows =:= Row ), Line).

message([], _, []).
message([Line|Lines], Cell, Elements) :-
    line_elements(Line, 0, Cell, Elements, Rest),
    (   Lines == []
    ->  Rest = []
    ;   Rest = [nl|Rest1],
        message(Lines, Cell, Rest1)
    ).

%   (A line begins with `% `.)
line_elements([Item], _, _, ['~w'-[Item]|Rest], Rest) :- !.
line_elements([Item|Items], Column0, Cell, ['~w~t~*|'-[Item, Stop]|Elements], Rest) :-
    Column is Column0 + Cell,
    Stop is Column + 2,
    line_elements(Items, Column, Cell, Elements, Rest).
