:- module(prolog_edit, [ edit/0, edit/1 ]).

:- use_module(library(error), [instantiation_error/1]).

/*  Editing what is loaded, as SWI-Prolog's library(edit): the user's editor is started on a file, at a line if the editor takes one, and what has changed is loaded again
    when it ends.

    A location is a list with file(File) and maybe line(Line). Programs say more by clauses of prolog_edit:locate/3, locate/2 (what a specification means, as there), edit_source/1 (edits a location by
    itself), edit_command/2 (how an editor is called) and load/0 (called before the first use).
*/

:- multifile((locate/2, locate/3, edit_source/1, edit_command/2, load/0)).
:- dynamic((locate/2, locate/3, edit_source/1, edit_command/2, load/0)).

%!  edit is semidet.
%
%   Edits the first file of the program.

edit :-
    (   source_file(File),
        exists_file(File)
    ->  edit(file(File))
    ;   print_message(warning, format('No file is loaded', [])),
        fail
    ).

%!  edit(+Spec) is semidet.
%
%   Edits what Spec names: a file, loaded or not, with or without its extension; a library of the program's; a module; a predicate Name, Name/Arity or
%   Name//Arity, with its module before it or not; file(File), module(Module), File:Line, or File:Line:Column. If that can be several places, the user is asked for one.

edit(Spec) :-
    ( var(Spec) -> instantiation_error(Spec) ; true ),
    ignore(load),
    findall(Shown-Location, located(Spec, Shown, Location), Found),
    different(Found, Places),
    (   Places == []
    ->  not_found(Spec)
    ;   Places = [_-Location]
    ->  true
    ;   select_place(Places, Location)
    ),
    start(Location),
    make.

not_found(Spec) :-
    (   atom(Spec)
    ->  More = [nl, '    Use edit(file(~q)) to create a new file'-[Spec]]
    ;   More = []
    ),
    print_message(warning, lines(['Cannot find anything to edit from "~p"'-[Spec]|More])),
    fail.

%   --- places ---

located(Spec, Shown, Location) :-
    locate(Spec, Shown, Location).
located(Spec, Spec, Location) :-
    locate(Spec, Location).
located(Spec, Shown, Location) :-
    place(Spec, Shown, Location).

%   place(+Spec, -Shown, -Location) is nondet.
place(file(File), file, [file(File)]) :- !,
    atomic(File).
place(file(File, line(Line)), file, [file(File), line(Line)]) :- !.
place(file(File, line(Line), linepos(_)), file, [file(File), line(Line)]) :- !.
place(File:Line:Column, file, [file(Path), line(Line)]) :-
    integer(Line),
    integer(Column), !,
    file_named(File, Path).
place(File:Line, file, [file(Path), line(Line)]) :-
    integer(Line), !,
    file_named(File, Path).
place(module(Module), module(Module), Location) :- !,
    module_place(Module, Location).
place(Module:Spec, Shown, Location) :- !,
    atom(Module),
    predicate_spec(Spec, Name, Arity),
    predicate_place(Module, Name, Arity, Shown, Location).
place(Spec, Shown, Location) :-
    predicate_spec(Spec, Name, Arity),
    predicate_place(_, Name, Arity, Shown, Location).
place(Module, module(Module), Location) :-
    module_place(Module, Location).
place(Spec, file, [file(Path)]) :-
    file_named(Spec, Path).

predicate_spec(Name, Name, _) :- atom(Name).
predicate_spec(Name/Arity, Name, Arity) :- atom(Name).
predicate_spec(Name//Arity0, Name, Arity) :- atom(Name), ( integer(Arity0) -> Arity is Arity0+2 ; true ).

predicate_place(Module, Name, Arity, M:Name/Arity, [file(File), line(Line)]) :-
    findall(M0-Arity, ( current_module(M0), M0 = Module, current_predicate(M0:Name/Arity) ), Pairs0),
    sort(Pairs0, Pairs),
    member(M-Arity, Pairs),
    functor(Head, Name, Arity),
    \+ predicate_property(M:Head, imported_from(_)),
    predicate_property(M:Head, file(File)),
    exists_file(File),
    predicate_property(M:Head, line_count(Line)).

module_place(Module, [file(File), line(Line)]) :-
    atom(Module),
    current_module(Module),
    module_property(Module, file(File)),
    exists_file(File),
    ( module_property(Module, line_count(Line)) -> true ; Line = 1 ).

%   A file as it is named, or a program of that name that is loaded from elsewhere.
file_named(Spec, Path) :-
    catch(absolute_file_name(Spec, Path0, [file_type(prolog), access(read), file_errors(fail)]), error(_, _), fail), !,
    Path = Path0.
file_named(Spec, Path) :-
    atomic(Spec),
    source_file(Path),
    exists_file(Path),
    file_base_name(Path, Base),
    ( atom_string(Base, Spec) ; file_name_extension(Name, _, Base), atom_string(Name, Spec) ), !.

%   different(+Found, -Places): each place once; a file alone is none beside a line of it.
different(Found, Places) :-
    different(Found, Found, [], Places).

different([], _, _, []).
different([Shown-Location|More], All, Seen, Places) :-
    (   (   member(Other, Seen), same_place(Other, Location)
        ;   \+ member(line(_), Location), member(_-Other, All), member(line(_), Other), one_file(Other, Location)
        )
    ->  Places = Places1
    ;   Places = [Shown-Location|Places1]
    ),
    different(More, All, [Location|Seen], Places1).

same_place(A, B) :-
    one_file(A, B),
    ( member(line(Line), A) -> member(line(Line), B) ; \+ member(line(_), B) ).

one_file(A, B) :-
    member(file(FileA), A),
    member(file(FileB), B),
    ( FileA == FileB -> true ; exists_file(FileA), exists_file(FileB), same_file(FileA, FileB) ).

%   --- the user's choice ---

select_place(Places, Location) :-
    length(Places, Count),
    print_message(help, lines(['Please select item to edit:'])),
    forall(nth1(N, Places, Shown-Place), ( place_text(Place, Text), print_message(help, lines(['  ~d ~q~t~32| ~w'-[N, Shown, Text]])) )),
    nl(user_error),
    prompt1('Your choice? '),
    read_line_to_string(user_input, Line),
    string(Line),
    catch(number_string(N, Line), error(_, _), fail),
    integer(N),
    between(1, Count, N), !,
    nth1(N, Places, _-Location).

place_text(Place, Text) :-
    memberchk(file(File), Place),
    (   memberchk(line(Line), Place) -> format(string(Text), '~w:~d', [File, Line])
    ;   Text = File
    ).

%   --- the editor ---

start(Location) :-
    edit_source(Location), !.
start(Location) :-
    memberchk(file(File), Location),
    editor(Editor),
    file_base_name(Editor, Base0),
    file_name_extension(Base, _, Base0),
    ( memberchk(line(Line), Location) -> true ; Line = none ),
    command(Base, Line, Template),
    quoted(File, Quoted),
    filled(Template, Editor, Quoted, Line, Command),
    print_message(silent, edit(waiting_for_editor)),
    shell(Command, Status),
    (   Status =:= 0 -> true
    ;   print_message(warning, format('The editor ended with status ~w: ~w', [Status, Command]))
    ).

%   editor(-Command): the flag `editor`, or else what the environment says.
editor(Editor) :-
    (   current_prolog_flag(editor, Editor0), atom(Editor0), Editor0 \== default -> Editor = Editor0
    ;   getenv('EDITOR', Editor0), Editor0 \== '' -> Editor = Editor0
    ;   getenv('VISUAL', Editor0), Editor0 \== '' -> Editor = Editor0
    ;   Editor = vi
    ).

command(Base, Line, Template) :-
    edit_command(Base, Template0),
    ( Line == none -> \+ sub_atom(Template0, _, _, _, '%d') ; sub_atom(Template0, _, _, _, '%d') ), !,
    Template = Template0.
command(Base, Line, '%e +%d %f') :-
    Line \== none,
    takes_line(Base), !.
command(_, _, '%e %f').

takes_line(vi).
takes_line(vim).
takes_line(nvim).
takes_line(view).
takes_line(emacs).
takes_line(emacsclient).
takes_line(nano).
takes_line(pico).
takes_line(joe).
takes_line(jed).
takes_line(micro).
takes_line(kak).
takes_line(mg).

%   filled(+Template, +Editor, +File, +Line, -Command): %e, %f and %d stand for these.
filled(Template, Editor, File, Line, Command) :-
    (   sub_atom(Template, Before, 2, After, Mark),
        marked(Mark, Editor, File, Line, Value)
    ->  sub_atom(Template, 0, Before, _, Start),
        sub_atom(Template, _, After, 0, Rest0),
        filled(Rest0, Editor, File, Line, Rest),
        atomic_list_concat([Start, Value, Rest], Command)
    ;   Command = Template
    ).

marked('%e', Editor, _, _, Editor).
marked('%f', _, File, _, File).
marked('%d', _, _, Line, Line).

%   As one word of the shell.
quoted(File, Quoted) :-
    atomic_list_concat(Parts, '\'', File),
    atomic_list_concat(Parts, '\'\\\'\'', Inner),
    atomic_list_concat(['\'', Inner, '\''], Quoted).
