%   Boot library: loading of files, after SWI-Prolog's consult/1, and conditional compilation.

% --- files ---

%!  absolute_file_name(+Spec, -Path) is det.
absolute_file_name(Spec, Path) :-
    (   compound(Spec) -> absolute_file_name(Spec, Path, [])
    ;   '$absolute_file_name'(Spec, Path)
    ).

% --- loading ---

%   Files are loaded into the module that the specification names, else the one that the call is in; what module files export is imported there.
:- meta_predicate(consult(:)).
:- meta_predicate(ensure_loaded(:)).
:- meta_predicate(use_module(:)).
:- meta_predicate(use_module(:, ?)).
:- meta_predicate(reexport(:)).
:- meta_predicate(reexport(:, ?)).
:- meta_predicate(autoload(:)).
:- meta_predicate(autoload(:, ?)).
:- meta_predicate(load_files(:)).
:- meta_predicate(load_files(:, ?)).

%!  consult(:Files) is det.
consult(Files) :- '$load_files'(Files, [expand(true)]).

%!  ensure_loaded(:Files) is det.
ensure_loaded(Files) :- '$load_files'(Files, [if(not_loaded)]).

%!  use_module(:Files) is det.
use_module(Files) :- '$load_files'(Files, [if(not_loaded), must_be_module(true)]).
%!  use_module(:File, +Imports) is det.
%   Imports is `all`, a list of predicate indicators (PI, or PI as Name), or except(List).
use_module(File, Imports) :- '$check_imports'(Imports), '$load_files'(File, [if(not_loaded), must_be_module(true), imports(Imports)]).
%!  reexport(:Files) is det.
%   Imports what the files export, and exports it from the module that is being loaded.
reexport(Files) :- '$load_files'(Files, [if(not_loaded), must_be_module(true), reexport(true)]).
%!  reexport(:File, +Imports) is det.
reexport(File, Imports) :- '$check_imports'(Imports), '$load_files'(File, [if(not_loaded), must_be_module(true), imports(Imports), reexport(true)]).
%!  autoload(:Files) is det.
%   Files are loaded at once. That one is not there is a warning: it may never be needed.
autoload(Files) :- '$autoload'(Files, []).
%!  autoload(:File, +Imports) is det.
autoload(File, Imports) :- '$check_imports'(Imports), '$autoload'(File, [imports(Imports)]).

'$autoload'(Files, Options) :-
    catch('$load_files'(Files, [if(not_loaded), must_be_module(true)|Options]), error(existence_error(source_sink, Spec), _),
          print_message(warning, no_autoload(Spec))).

'$check_imports'(I) :- var(I), !, throw(error(instantiation_error, _)).
'$check_imports'(all) :- !.
'$check_imports'(except(L)) :- !, ( is_list(L) -> true ; throw(error(type_error(list, L), _)) ).
'$check_imports'(L) :- is_list(L), !.
'$check_imports'(I) :- throw(error(type_error(import_specifier, I), _)).

%!  load_files(:Files) is det.
load_files(Files) :- '$load_files'(Files, []).

%!  load_files(:Files, +Options) is det.
%   Options: if(When), where When is not_loaded, changed (since it was loaded) or anything else, for always; must_be_module(true);
%   redefine_module(true): a file that defines the same module is unloaded;
%   imports(Imports), as use_module/2; reexport(true); expand(true): text that names no file is a pattern, as for expand_file_name/2, and means the files
%   that match, maybe none; encoding(Encoding); stream(Stream): from there, and the file is an atom that names it. Stream
%   stays open.
load_files(_, Options) :- \+ is_list(Options), !,
    '$skip_list'(_, Options, Tail),
    ( var(Tail) -> Error = instantiation_error ; Error = type_error(list, Options) ),
    throw(error(Error, context(system:load_files/2, _))).
load_files(_, Options) :- '$member'(O, Options), var(O), !,
    throw(error(instantiation_error, context(system:load_files/2, _))).
load_files(Files, Options) :-
    catch(( '$check_options'(load_option, Options), '$check_load_options'(Options) ), error(E, _), throw(error(E, context(system:load_files/2, _)))),
    '$load_files'(Files, Options).

%   What loads and imports does so for the source module, which is the one of the specification meanwhile.
'$load_files'(Spec, Options) :-
    '$strip'(Spec, Module, Files),
    '$source_module'(Source),
    (   Module == Source -> '$load_here'(Files, Options)
    ;   \+ atom(Module) -> '$check_module'(Module)
    ;   setup_call_cleanup('$set_source_module'(Module), '$load_here'(Files, Options), '$set_source_module'(Source))
    ).

'$check_module'(M) :-
    ( var(M) -> Error = instantiation_error ; Error = type_error(module, M) ),
    throw(error(Error, context(system:load_files/2, _))).

'$load_here'(Files, _) :- var(Files), !,
    throw(error(instantiation_error, context(system:load_files/2, _))).
'$load_here'(Id, Options) :- '$member'(stream(Stream), Options), !,
    ( atom(Id) -> true ; throw(error(type_error(atom, Id), context(system:load_files/2, _))) ),
    '$check_stream'(Stream),
    '$load_once'(Id, Id, Options, false),
    '$import_file'(Id, Options).
'$load_here'([], _) :- !.
'$load_here'([F|Fs], Options) :- Fs == [], !, '$load_member'(F, Options).
'$load_here'([F|Fs], Options) :- !,
    '$skip_list'(_, Fs, Tail),
    (   nonvar(Tail), Tail = [_|_]
    ->  throw(error(type_error(list, [F|Fs]), context(system:load_files/2, _)))
    ;   '$load_list'([F|Fs], Options)
    ).
'$load_here'(library(Lib), Options) :- '$library_name'(Lib, Name), '$own_library'(Name, M), !,
    '$check_library_name'(Name),
    '$load_library'(Name),
    '$import_module'(M, Options).
'$load_here'(user, _) :- !,
    % Each is a file of its own.
    '$next_user_source'(Name),
    '$load_stream'(user_input, Name, []).
'$load_here'(Spec, Options) :- '$memberchk_eq'(expand(true), Options), '$is_pattern'(Spec), !,
    expand_file_name(Spec, Files),
    '$without_pattern'(Options, Options1),
    '$load_here'(Files, Options1).
'$load_here'(Spec, Options) :-
    '$find_source'(Spec, Path),
    '$load_once'(Spec, Path, Options, false),
    '$import_file'(Path, Options).

%   A file whose name has such characters is meant as it is.
'$is_pattern'(Spec) :-
    atomic(Spec),
    '$spec_text'(Spec, Text),
    sub_atom(Text, _, 1, _, C),
    '$memberchk_eq'(C, [*, ?, '[', '{', $, \]), !,
    \+ catch('$find_source'(Spec, _), error(_, _), fail).

'$without_pattern'([], []).
'$without_pattern'([O|Os], Rest) :- ( O == expand(true) -> Rest = Rest1 ; Rest = [O|Rest1] ), '$without_pattern'(Os, Rest1).

%   What is wrong with one of several files does not keep the others from being loaded.
'$load_list'(Files, _) :- var(Files), !,
    throw(error(instantiation_error, context(system:load_files/2, _))).
'$load_list'([], _) :- !.
'$load_list'([F|Fs], Options) :- !,
    E = error(_, _),
    catch('$load_member'(F, Options), E, '$load_list_error'(E)),
    '$load_list'(Fs, Options).
'$load_list'(Files, _) :- throw(error(type_error(list, Files), context(system:load_files/2, _))).

'$load_member'(F, Options) :-
    (   nonvar(F), F = _:_ -> '$load_files'(F, Options)
    ;   '$load_here'(F, Options)
    ).

'$load_list_error'(E) :- '$loading_system', !, throw(E).
'$load_list_error'(error(resource_error(memory), C)) :- !, throw(error(resource_error(memory), C)).
'$load_list_error'(E) :- print_message(error, E).

'$check_stream'(Stream) :- var(Stream), !,
    throw(error(instantiation_error, context(system:load_files/2, _))).
'$check_stream'(Stream) :- is_stream(Stream), !.
'$check_stream'(Stream) :- throw(error(existence_error(stream, Stream), context(system:load_files/2, _))).

%   The stream that a file is read from, and what closes it.
'$open_source'(_, Options, Stream, true) :- '$member'(stream(Stream), Options), !,
    ( '$member'(encoding(Encoding), Options) -> set_stream(Stream, encoding(Encoding)) ; true ).
'$open_source'(Path, Options, Stream, close(Stream)) :-
    ( '$member'(encoding(Encoding), Options) -> OpenOptions = [encoding(Encoding)] ; OpenOptions = [] ),
    open(Path, read, Stream, OpenOptions).

%   A first line `#!` is for the system.
'$skip_script_line'(Stream) :-
    (   catch(peek_string(Stream, 2, "#!"), error(_, _), fail) -> skip(Stream, 0'\n)
    ;   true
    ).

%   One thread at a time loads a file. Who had to wait for the end of that need not load it again. A file that is being loaded by a thread
%   that waits for this one is taken as it is, like one that is being loaded by this very thread; but who has loaded all that it was asked to
%   waits for the end of that: it is to see whole files.
'$load_once'(Spec, Path, Options, Waited) :-
    setup_call_cleanup(
        '$claim_load'(Path, How),
        '$load_claimed'(How, Spec, Path, Options, Waited),
        '$end_claim'(How, Path)),
    (   How == taken
    ->  '$await_load'(Path),
        '$load_once'(Spec, Path, Options, true)
    ;   How == visited
    ->  '$await_load'(Path),
        '$load_once'(Spec, Path, Options, Waited)
    ;   '$load_used'(Path),
        '$await_unfinished'
    ).

'$end_claim'(How, Path) :- ( How == mine -> '$release_load'(Path) ; true ).

'$await_unfinished' :-
    (   '$unfinished_load'(Path) -> '$await_load'(Path), '$await_unfinished' ; true ).

'$load_claimed'(mine, Spec, Path, Options, Waited) :- !,
    (   '$need_not_load'(Path, Options, Waited)
    ->  '$note_load'(Path, Options)
    ;   '$check_same_module'(Path),
        '$exported'(Path, Before),
        ( '$load_history'(Path, _, Askers) -> true ; Askers = [] ),
        '$tell_load_begins'(Spec, Path, Begin),
        setup_call_catcher_cleanup(
            ( '$set_loaded'(Path, Is), '$note_load'(Path, Options) ),
            setup_call_cleanup(
                '$open_source'(Path, Options, Stream, Close),
                ( '$skip_script_line'(Stream), '$load_text'(Stream, Path, Options, Goals) ),
                Close),
            Catcher,
            ( Catcher = exception(_) -> '$not_whole'(Is, Path) ; true )),
        '$exported'(Path, After),
        (   Before \== After -> retractall('$taken_half'(Path)), '$renew_imports'(Path, Before, After, Askers, Options)
        ;   retract('$taken_half'(Path)) -> '$renew_imports'(Path, Before, After, [], Options)
        ;   true
        ),
        '$check_exports'(Path),
        '$tell_load_ends'(Spec, Path, Begin),
        '$run_initializations'(Goals)
    ).
'$load_claimed'(circular, _, Path, Options, _) :- !,
    '$take_half'(Path),
    '$note_load'(Path, Options).
'$load_claimed'(_, _, _, _, _).

%   '$taken_half'(Path): somebody has imported what the file exported when only a part of it was loaded, and is to do so again when it is whole.
:- dynamic('$taken_half'/1).

'$take_half'(Path) :- ( '$taken_half'(Path) -> true ; assertz('$taken_half'(Path)) ).

%   '$not_whole'(+Was, +Path): its load has been left before its end.
'$not_whole'(new, Path) :- '$set_not_loaded'(Path).
'$not_whole'(loaded, Path) :- '$keep_version_before'(Path).

%   Who asks for a file, and what it imports. Who only loads it again asks for nothing: the option `again`.
'$note_load'(_, Options) :- '$memberchk_eq'(again, Options), !.
'$note_load'(Path, Options) :-
    '$asking'(By, Text, Line),
    '$imports'(Options, How),
    '$note_load'(Path, By, Text, Line, How).

'$asking'(By, Text, Line) :- '$load_state'(By, _, _), !, '$text_file'(By, Text), '$initialization_line'(Line).
'$asking'([], user, 0).

'$imports'(Options, how(Imports, Reexports)) :-
    ( '$member'(imports(I), Options), ground(I) -> Imports = I ; Imports = all ),
    ( '$memberchk_eq'(reexport(true), Options) -> Reexports = true ; Reexports = false ).

%   '$exported'(+Path, -Exports): what a file exports that is loaded, and what that means; also what others import without its consent.
'$exported'(Path, exported(M, Exports, Operators)) :-
    '$is_loaded'(Path), '$file_module'(Path, M), !,
    '$export_targets'(M, Exports0),
    sort(Exports0, Exports),
    ( '$module_source'(M, _, Operators) -> true ; Operators = [] ).
'$exported'(_, []).

%   '$load_again'(+Path): a file that has changed is loaded again, as it was; who has asked for it imports what he asked for.
'$load_again'(Path) :-
    '$loaded_into'(Path, Module),
    '$source_module'(Source),
    setup_call_cleanup(
        '$set_source_module'(Module),
        '$load_once'(Path, Path, [if(changed), again], false),
        '$set_source_module'(Source)).

%   Messages that are not printed are for hooks: without these nobody is told.
'$is_hooked' :- ( clause(user:message_hook(_, _, _), _) ; clause(user:thread_message_hook(_, _, _), _) ), !.

%   Begin is Level-CpuTime: this file is part of Level files that are being loaded.
'$tell_load_begins'(Spec, Path, Level-Time) :-
    ( nb_current('$load_level', Level) -> true ; Level = 0 ),
    Inner is Level+1,
    b_setval('$load_level', Inner),
    statistics(cputime, Time),
    ( '$is_hooked' -> print_message(silent, load_file(start(Level, file(Spec, Path)))) ; true ).

'$tell_load_ends'(Spec, Path, Level-Before) :-
    b_setval('$load_level', Level),
    (   '$is_hooked'
    ->  statistics(cputime, After),
        Time is After-Before,
        ( '$file_module'(Path, Module) -> true ; '$source_module'(Module) ),
        ( source_file_property(Path, number_of_clauses(Clauses)) -> true ; Clauses = 0 ),
        print_message(silent, load_file(done(Level, file(Spec, Path), compiled, Module, Time, Clauses)))
    ;   true
    ).

%   A file that is no module is part of one module only.
'$check_same_module'(Path) :-
    (   '$loaded_into'(Path, Module), '$source_module'(Other), Module \== Other, \+ '$file_module'(Path, _)
    ->  atomic_list_concat(['Non-module file already loaded into module ', Module, '; trying to load into ', Other], Text),
        throw(error(permission_error(load, source, Path), context(load_files/2, Text)))
    ;   true
    ).

%   One that is no module and was loaded into another module is loaded again, which is refused, but for `user`, where it can be seen anyway.
'$need_not_load'(Path, Options, Waited) :-
    '$loaded_into'(Path, Module),
    (   '$source_module'(Source), ( Source == Module ; Source == user ) -> true
    ;   '$file_module'(Path, _) -> true
    ),
    (   Waited == true -> true
    ;   '$member'(if(When), Options) -> '$is_loaded'(When, Path)
    ).

'$is_loaded'(When, _) :- When == not_loaded, !.
'$is_loaded'(When, Path) :- When == changed, \+ '$is_changed'(Path).

%   What the module of a file exports and nobody defines.
'$check_exports'(Path) :-
    (   '$file_module'(Path, M), '$undefined_exports'(M, PIs) -> '$warn_undefined'(PIs, M) ; true ).

'$warn_undefined'([], _).
'$warn_undefined'([PI|PIs], M) :-
    print_message(error, undefined_export(M, PI)),
    '$warn_undefined'(PIs, M).

%   Makes what the module of a loaded file exports visible in the module that loads it. Another thread may have begun to load the file again.
'$import_file'(Path, Options) :-
    (   '$file_module'(Path, _)
    ->  '$visiting'(Path, '$import_module_of'(Path, Options), Done),
        (   Done == true -> true
        ;   '$await_load'(Path),
            '$load_used'(Path),
            '$await_unfinished',
            '$import_file'(Path, Options)
        )
    ;   true
    ).

%   '$visiting'(+Path, :Goal, -Done): runs Goal, once, which imports from the file, unless another thread loads that (Done is false). If it is being
%   loaded and cannot be waited for, what has been imported from it is to be imported again when it is whole.
'$visiting'(Path, Goal, Done) :-
    setup_call_cleanup('$visit_load'(Path, How), '$visit'(How, Path, Goal, Done), '$end_claim'(How, Path)).

'$visit'(mine, _, Goal, Done) :- !,
    call(Goal), !,
    Done = true.
'$visit'(circular, Path, Goal, Done) :- !,
    '$take_half'(Path),
    call(Goal), !,
    Done = true.
'$visit'(_, _, _, false).

'$others_load'(taken).
'$others_load'(visited).

'$import_module_of'(Path, Options) :-
    ( '$file_module'(Path, M) -> '$import_module'(M, Options) ; true ).

'$import_module'(M, Options) :-
    '$source_module'(Into),
    ( M == Into -> true ; '$import_exports'(M, Into, Options) ).

%!  import(:PIs) is det.
import(Spec) :- '$source_module'(M), '$import_each'(Spec, M).
%!  export(:PIs) is det.
export(Spec) :- '$source_module'(M), '$export_each'(Spec, M).

%!  [:File|+Files] is det.
[File0|Files] :- '$strip'(File0, M, File), '$load_files'(M:[File|Files], [expand(true)]).

%   '$own_library'(+Name, -Module) is semidet: library(Name) is one of Samite's. What only other libraries use is none for the program, and where it has
%   libraries of its own that go before Samite's, one of those may be meant.
'$own_library'(Name, M) :-
    '$library_module'(M, Name),
    (   '$loading_system' -> true
    ;   \+ sub_atom(M, 0, _, _, $),
        \+ '$precedes_own_library'(Name)
    ).

%   Samite's own are in no directory. Where they stand among those of library(_) says samite(library); behind all of them if nothing does.
:- dynamic((user:file_search_path/2, user:library_directory/1)).
:- multifile((user:file_search_path/2, user:library_directory/1)).
user:(file_search_path(library, Directory) :- library_directory(Directory)).
user:file_search_path(library, samite(library)).

'$precedes_own_library'(Name) :-
    findall(D, user:file_search_path(library, D), Ds),
    '$precedes_own_library'(Ds, Name).

'$precedes_own_library'([D|Ds], Name) :-
    D \== samite(library),
    (   '$directory_has_source'(D, Name) -> true
    ;   '$precedes_own_library'(Ds, Name)
    ).

'$directory_has_source'(Directory, Name) :-
    (   '$path_alias'(Directory)
    ->  Directory =.. [Alias, Below],
        File =.. [Alias, Below/Name]
    ;   File = Directory/Name
    ),
    absolute_file_name(File, _, [file_type(prolog), access(read), file_errors(fail), relative_to('.')]).

%   A program that has a module with the name of a library's cannot ask for that. What it calls of it it has, and so have other libraries: the library
%   is then loaded into a module of another name.
'$check_library_name'(Name) :-
    (   \+ '$loading_system', '$library_name_taken'(Name, Module), '$module_file'(Module, File)
    ->  atom_concat('Already loaded from ', File, Why),
        throw(error(permission_error(redefine, module, Module), context(system:load_files/2, Why)))
    ;   true
    ).

'$library_name'(Lib, _) :- var(Lib), !, throw(error(instantiation_error, _)).
'$library_name'(Lib, Name) :- atom(Lib), !, Name = Lib.
'$library_name'(Lib, Name) :- ( string(Lib) ; number(Lib) ), !, atom_string(Name, Lib).
'$library_name'(A/B, Name) :- '$library_name'(A, X), '$library_name'(B, Y),
    atom_concat(X, /, XS), atom_concat(XS, Y, Name).

%   The file of a specification: relative to the file being loaded, with or without extension.
'$find_source'(Spec, Path) :-
    '$path_alias'(Spec), !,
    Spec =.. [Alias, Name],
    ( number(Name) -> atom_number(Text, Name) ; Text = Name ),
    Named =.. [Alias, Text],
    (   absolute_file_name(Named, Path, [file_type(prolog), access(read), file_errors(fail)]) -> true
    ;   throw(error(existence_error(source_sink, Spec), _))
    ).
'$find_source'(Spec, Path) :-
    ( '$spec_text'(Spec, Given) -> true ; throw(error(existence_error(source_sink, Spec), _)) ),
    (   sub_atom(Given, 0, _, _, ~) -> absolute_file_name(Given, Text, [expand(true)]) ; Text = Given ),
    findall(Extension, user:prolog_file_type(Extension, prolog), Extensions),
    (   '$source_directory'(Dir), '$resolve_source'(Dir, Text, Extensions, Path) -> true
    ;   '$resolve_source'('.', Text, Extensions, Path) -> true
    ;   Text \== Given -> throw(error(existence_error(source_sink, Text), _))
    ;   throw(error(existence_error(source_sink, Spec), _))
    ).

%   Fails for what names nothing.
'$spec_text'(Spec, _) :- var(Spec), !, throw(error(instantiation_error, _)).
'$spec_text'(Spec, Text) :- atom(Spec), !, Text = Spec.
'$spec_text'(Spec, Text) :- ( string(Spec) ; number(Spec) ), !, atom_string(Text, Spec).
'$spec_text'(A/B, Text) :- !, '$spec_text'(A, X), '$spec_text'(B, Y),
    atom_concat(X, /, XS), atom_concat(XS, Y, Text).

%   A term Alias(Path) stands for a file in one of the directories of user:file_search_path/2.
'$path_alias'(Spec) :- compound(Spec), compound_name_arity(Spec, N, 1), N \== (/).

%   Where what the text names that is being read is looked for first: beside it, be it the file that is loaded or one that is included.
'$source_directory'(Dir) :-
    '$load_state'(File, _, _),
    \+ '$loading_system',
    '$text_file'(File, Text),
    \+ sub_atom(Text, 0, _, _, 'user://'),
    file_directory_name(Text, Dir).

'$load_state'(File, Session, Module) :-
    nb_current('$load', load(File, Session, Module)).

%   Loads all clauses of a stream, or of the `library` that was opened.
'$load_stream'(Stream, File, Options) :-
    '$load_text'(Stream, File, Options, Goals),
    '$run_initializations'(Goals).

%   '$load_text'(+Stream, +File, +Options, -Goals): but for the initialization goals, which are to be run after it.
'$load_text'(Stream, File, Options, Goals) :-
    '$source_module'(Module),
    (   nb_current('$load', Outer) -> true ; Outer = [] ),
    (   nb_current('$load_line', OuterLine) -> true ; OuterLine = [] ),
    '$texts'(OuterTexts),
    '$open_ifs'(OuterIfs),
    ( '$memberchk_eq'(must_be_module(true), Options) -> Must = true ; Must = false ),
    ( '$memberchk_eq'(redefine_module(true), Options) -> Redefine = true ; Redefine = false ),
    current_input(Input),
    setup_call_cleanup(
        ( '$file_flags'(Flags), '$begin_load'(File, Must, Redefine, Session), b_setval('$load', load(File, Session, Module)), '$set_text'([File-Stream], []) ),
        ( '$begin_said'(File, Session), '$load_clauses'(Stream, File, Session, End), '$load_end'(End, File, Session), '$all_ifs_closed'(File), findall(G, '$init_goal'(Session, G), Goals), Whole = true ),
        ( retractall('$init_goal'(Session, _)), '$set_text'(OuterTexts, OuterIfs), catch('$end_load'(Session, Whole), E, true), '$end_said'(File, Session, Whole), b_setval('$load', Outer), nb_setval('$load_line', OuterLine), '$set_source_module'(Module), '$set_file_flags'(Flags), '$input_again'(Input), ( var(E) -> true ; throw(E) ) )).

%   What a file reads from is its own; unless it has closed what was read from before.
'$input_again'(Stream) :- ( current_input(Stream) -> true ; catch(set_input(Stream), error(_, _), true) ).

%   Flags that hold for a file and those that it loads.
'$file_flags'([S, D, N, G, O, X]) :-
    '$flag'(style_singleton, S), '$flag'(style_discontiguous, D), '$flag'(style_no_effect, N), '$flag'(generate_debug_info, G),
    '$flag'(optimise, O), '$flag'(xref, X).
'$set_file_flags'(Flags) :- '$file_flags'(Flags), !.
'$set_file_flags'([S, D, N, G, O, X]) :-
    set_prolog_flag(style_singleton, S), set_prolog_flag(style_discontiguous, D),
    set_prolog_flag(style_no_effect, N), set_prolog_flag(generate_debug_info, G),
    set_prolog_flag(optimise, O), set_prolog_flag(xref, X).

%   The global variable `$texts` holds what clauses are being read from for the load, as Path-Stream, the innermost first: the last is the file,
%   the others are included. Each has conditions of its own.
'$texts'(Texts) :- ( nb_current('$texts', Texts) -> true ; Texts = [] ).
'$set_text'(Texts, Ifs) :- nb_setval('$texts', Texts), nb_setval('$if', Ifs), ( Texts = [Path-_|_] -> '$reads_text'(Path) ; true ).

%   '$load_clauses'(+Stream, +File, +Session, -End): End is `true`, or `made` if it was not the text that ended, but a hook that made end_of_file of a
%   term.
'$load_clauses'(library, File, Session, true) :- !,
    repeat,
    '$library_clauses'(File, Session, Term, Line),
    Term \== [],
    nb_setval('$load_line', Line),
    (   Term == end_of_file -> !
    ;   '$load_term'(Term, [], [], File, Session, Line), fail
    ).
'$load_clauses'(Stream, File, Session, End) :-
    repeat,
    catch('$load_next'(Stream, File, Session, End), E, ( '$load_error'(E), End = false )),
    End \== false, !.

%   What hooks make of the end of a file.
'$load_end'(End, File, Session) :-
    (   End == true, '$expansion_modules'(_, _)
    ->  '$if_line'(Line),
        catch('$load_term'(end_of_file, [], [], File, Session, Line), E, '$load_error'(E)),
        nb_setval('$text_ends', false)
    ;   true
    ).

'$load_next'(Stream, File, Session, End) :-
    '$read_clause'(Stream, Term, Names, Singletons, Line, Bad),
    ( Bad == [] -> true ; '$texts'([Path-_|_]) -> print_message(warning, no_text(Path:Bad, Stream)) ; true ),
    (   Term == end_of_file
    ->  End = true,
        nb_setval('$load_line', Line)
    ;   nb_setval('$load_line', Line), nb_setval('$left_load', []),
        b_setval('$load_term', Term-Names),
        '$load_term'(Term, Names, Singletons, File, Session, Line),
        ( nb_current('$text_ends', true) -> nb_setval('$text_ends', false), End = made ; End = false )
    ).

'$load_error'(E) :- '$ends_load'(E), !, '$note_place'(E), throw(E).
%   A library is whole, or not there.
'$load_error'(E) :- '$loading_system', !, throw(E).
%   It was to be a module.
'$load_error'(error(F, C)) :- nonvar(C), C = context(system:'$load_begins'/_, _), !, throw(error(F, _)).
'$load_error'(error(permission_error(Action, module, M), C)) :- !, throw(error(permission_error(Action, module, M), C)).
%   What cannot be read at all: there is no next clause to go on with.
'$load_error'(error(F, C)) :-
    nonvar(C), C = context(system:'$read_clause'/_, _), F \= syntax_error(_), !,
    throw(error(F, C)).
'$load_error'(error(F, C)) :- nonvar(C), C = context(system:(encoding)/1, _), !, throw(error(F, C)).
%   The rest would not fit either, and each clause of it would say so.
'$load_error'(error(resource_error(memory), C)) :- !, throw(error(resource_error(memory), C)).
%   Text that is skipped need not be Prolog.
'$load_error'(error(syntax_error(_), _)) :- '$skipping', !.
%   What is said beside the place of a syntax error is for the reader of the message.
'$load_error'(error(syntax_error(What), Place)) :-
    '$load_position'('$stream_position'(_, Begin, _, _)),
    nb_setval('$load_line', Begin),
    '$syntax_error'(Place, What), !.
'$load_error'(E) :- '$load_message'(error, E).

%   '$load_message'(+Kind, +Message): about the text that is being read, as its hooks have it.
'$load_message'(Kind, Message) :- '$commit_hooks'(others), print_message(Kind, Message).

'$syntax_error'(file(File, Line, Column, Count, Note), What) :- !,
    setup_call_cleanup(
        nb_setval('$syntax_note', file(File, Line, Column, Count)-Note),
        '$load_message'(error, error(syntax_error(What), file(File, Line, Column, Count))),
        nb_setval('$syntax_note', [])).
'$syntax_error'(Place, What) :- '$load_message'(error, error(syntax_error(What), Place)).

%   What is not for the file to tell of, but for who loads it: all that is no error, as in SWI-Prolog.
'$ends_load'(E) :- E \= error(_, _).

%   What ends even what tells of all that is raised. A time limit does if it holds for who asks; one within the goal that raised it has done
%   what it was for.
'$is_urgent'('$aborted').
'$is_urgent'(unwind(_)).
'$is_urgent'(time_limit_exceeded) :- '$limit_is_over'.
'$is_urgent'(time_limit_exceeded(_)) :- '$limit_is_over'.
'$is_urgent'(inference_limit_exceeded).

'$limit_is_over' :-
    nb_current('$limits', Timers),
    '$member'(Timer, Timers),
    \+ '$timer_is_set'(Timer), !.

'$load_term'(Term, Names, Singletons, File, Session, Line) :-
    (   '$skipping'
    ->  ( nonvar(Term) -> '$skip_directive'(Term) ; true )
    ;   '$warn_singletons'(Singletons, Term),
        nonvar(Term), '$conditional'(Term)
    ->  true
    ;   % (Hooks are for the program's files: they may need the very library that is being loaded.)
        (   nonvar(Term), '$expansion_modules'(Terms, Goals), \+ '$loading_system'
        ->  ( Terms-Goals == [system-[0]]-[] -> true ; '$commit_load'(others) ),
            '$expand'(Terms, Goals, Term, Expanded)
        ;   '$expand_rule'(Term, Expanded)
        ),
        '$check_expanded'(Expanded),
        '$load_begins'(Expanded),
        '$load_expanded'(Expanded, Names, File, Session, Line)
    ).

%   A list that has no end is none: nothing of it is loaded.
'$check_expanded'(Expanded) :-
    (   nonvar(Expanded), Expanded = [_|_], \+ is_list(Expanded)
    ->  throw(error(type_error(list, Expanded), _))
    ;   true
    ).

'$warn_singletons'([], _) :- !.
'$warn_singletons'(Singletons, Term) :-
    (   '$flag'(style_singleton, false) -> true
    ;   '$told_singletons'(Singletons, Names), Names \== [] -> '$load_message'(warning, singletons(Term, Names))
    ;   true
    ).

%   '$warn_of_read'(+Term, +Singletons, +Place): a term was read with the option singletons(warning), in the line `File:Line` or, if Place is [],
%   in what is no file.
'$warn_of_read'(Term, Singletons, Place) :-
    '$told_singletons'(Singletons, Names),
    (   Names == [] -> true
    ;   ( nb_current('$reading', Around) -> true ; Around = [] ),
        b_setval('$reading', Place),
        '$load_message'(warning, singletons(Term, Names)),
        b_setval('$reading', Around)
    ).

%   Names as `_A`, `__a` and `_1` say that the variable may occur once; `_a` is a name like others.
'$told_singletons'([], []).
'$told_singletons'([N=_|Ps], Names) :-
    ( sub_atom(N, 0, 1, _, '_'), \+ ( sub_atom(N, 1, 1, _, C), char_type(C, lower) ) -> Names = Names1 ; Names = [N|Names1] ),
    '$told_singletons'(Ps, Names1).

%   The file that the text is in: an included one, or the one that is being loaded.
'$text_file'(File, Text) :- ( '$texts'([Path-_|_]) -> Text = Path ; Text = File ).

%   Variables that occur once in a branch, or more than once though their name says otherwise.
'$warn_variables'(Clause, Names) :-
    (   '$variable_problems'(Clause, Names, Problems0), '$wanted_problems'(Problems0, Problems), Problems \== []
    ->  '$load_message'(warning, compiler_warnings(Clause, Problems))
    ;   true
    ).

%   Those of the styles that are on.
'$wanted_problems'([], []).
'$wanted_problems'([P|Ps], Wanted) :-
    ( '$is_singleton_problem'(P) -> Flag = style_singleton ; Flag = style_no_effect ),
    ( '$flag'(Flag, true) -> Wanted = [P|Rest] ; Wanted = Rest ),
    '$wanted_problems'(Ps, Rest).

'$is_singleton_problem'(branch_singleton(_)).
'$is_singleton_problem'(negation_singleton(_)).
'$is_singleton_problem'(multiton(_)).

%   A clause away from the others of its predicate, or one of a predicate that another file defines, or that is imported.
'$warn_clause'(refused(PI)) :-
    throw(error(permission_error(redefine, imported_procedure, PI), _)).
'$warn_clause'(overrides(M:PI, From)) :- '$warn_override'(M, From:PI).
'$warn_clause'(discontiguous(PI, Current)) :-
    ( '$flag'(style_discontiguous, false) -> true ; '$load_message'(warning, discontiguous(PI, Current)) ).
'$warn_clause'(redefined(PI)) :-
    '$load_message'(warning, redefined_procedure(static, PI)).

%   A definition of module Into goes before what it imported with the rest of another module.
'$warn_override'(Into, Imported) :-
    ( '$flag'(warn_override_implicit_import, true) -> '$load_message'(warning, ignored_weak_import(Into, Imported)) ; true ).

'$load_expanded'(T, _, _, _, _) :- var(T), !, throw(error(instantiation_error, _)).
'$load_expanded'([], _, _, _, _) :- !.
'$load_expanded'([T|Ts], Names, File, Session, Line) :- !,
    ( Ts == [] -> '$load_expanded'(T, Names, File, Session, Line)
    ; T == end_of_file -> '$load_expanded'(T, Names, File, Session, Line)
    ; catch('$load_expanded'(T, Names, File, Session, Line), E, '$load_error'(E)),
      '$load_expanded'(Ts, Names, File, Session, Line)
    ).
'$load_expanded'((:- Directive), _, File, _, _) :- !,
    '$directive'(Directive, File).
'$load_expanded'((?- Directive), _, File, _, _) :- !,
    '$directive'(Directive, File).
%   The text ends here, as if nothing stood behind it.
'$load_expanded'(end_of_file, _, _, _, _) :- !, nb_setval('$text_ends', true).
'$load_expanded'((_, _), _, _, _, _) :- !, '$load_message'(error, cannot_redefine_comma).
'$load_expanded'(Clause, Names, File, Session, Line) :-
    (   '$clause_problem'(Clause, File, Session, Problem)
    ->  '$warn_clause'(Problem)
    ;   true
    ),
    '$warn_variables'(Clause, Names),
    '$add_clause'(Clause, '$source'(File, Session), Line).

'$directive'(Goal, _) :- var(Goal), !, throw(error(instantiation_error, _)).
'$directive'(module(Name, Exports), File) :- '$is_module_header', !, '$begin_module'(Name, Exports, File).
'$directive'(initialization(G0), _) :- !, '$of_source_module'(G0, G), '$assert_initialization'(G).
'$directive'(include(F), _) :- !, '$commit_hooks'(all), '$include'(F).
'$directive'(encoding(Encoding), _) :- !, '$texts'([_-Stream|_]),
    catch(set_stream(Stream, encoding(Encoding)), error(Formal, _), throw(error(Formal, context(system:(encoding)/1, _)))).
'$directive'(Goal, File) :- '$asks_at_halt'(Goal), \+ nb_current('$at_halt_of', _-_), '$load_state'(_, Session, _), !,
    '$with_at_halt_of'(File-Session, '$directive'(Goal, File)).
'$directive'(Goal, _) :-
    ( '$is_declaration'(Goal) -> true ; '$loads_files'(Goal) -> '$commit_hooks'(all) ; '$commit_load'(all) ),
    '$of_source_module'(Goal, G),
    '$source_module'(M),
    catch(G, error(Formal, Context), true), !,
    (   var(Formal) -> true
    ;   '$loading_system' -> throw(error(Formal, Context))
    ;   '$called_by'(system:catch/3, G, error(Formal, Context), E),
        print_message(error, E),
        ( '$declares'(Goal) -> true ; print_message(warning, goal_failed(directive, M:Goal)) )
    ).
'$directive'(Goal, _) :-
    '$source_module'(M),
    print_message(warning, goal_failed(directive, M:Goal)).

%   Declarations that end with an error have not failed beside.
'$declares'(dynamic(_)).
'$declares'(discontiguous(_)).
'$declares'(multifile(_)).
'$declares'(thread_local(_)).
'$declares'(table(_)).

%   '$called_by'(+Caller, +Goal, +Raised, -Told): that Goal itself is not defined has happened in Caller.
'$called_by'(Caller, Goal, Raised, Told) :-
    (   '$is_direct_unknown'(Goal, Raised, PI) -> Told = error(existence_error(procedure, PI), context(Caller, _))
    ;   Told = Raised
    ).

'$is_direct_unknown'(Goal, E, PI) :-
    nonvar(E),
    E = error(Formal, _),
    nonvar(Formal),
    Formal = existence_error(procedure, PI),
    '$strip'(Goal, _, G),
    callable(G),
    functor(G, Name, Arity),
    '$strip'(PI, _, PI1),
    PI1 == Name/Arity.

%   Directives that run nothing of the file.
'$is_declaration'(dynamic(_)).
'$is_declaration'(discontiguous(_)).
'$is_declaration'(multifile(_)).
'$is_declaration'(thread_local(_)).
'$is_declaration'(table(_)).
'$is_declaration'(meta_predicate(_)).
'$is_declaration'(public(_)).
'$is_declaration'(volatile(_)).
'$is_declaration'(noprofile(_)).
'$is_declaration'(op(_, _, _)).
'$is_declaration'(set_prolog_flag(_, _)).
'$is_declaration'(style_check(_)).
'$is_declaration'(initialization(_, When)) :- When \== now.

%   Nothing of this file is asked, but where the other one is.
'$loads_files'(use_module(_)).
'$loads_files'(use_module(_, _)).
'$loads_files'(ensure_loaded(_)).

'$of_source_module'(Goal, Qualified) :-
    '$source_module'(M),
    ( M == user -> Qualified = Goal ; Qualified = M:Goal ).

:- meta_predicate(initialization(0)).
:- meta_predicate(initialization(0, ?)).

%   '$init_goal'(Session, init(Place, By, Goal)): to be run after that load, and gone when it is over, whichever way. By is [], or File-Session: what it
%   registers with at_halt/1 belongs to that. Goal is the program's, and may be anything, unbound too: nothing is said by wrapping it.
:- dynamic('$init_goal'/2).

'$assert_initialization'(Goal) :-
    (   '$load_state'(File, Session, _)
    ->  '$initialization_place'(File, Place),
        ( '$asks_at_halt'(Goal) -> By = File-Session ; By = [] ),
        assertz('$init_goal'(Session, init(Place, By, Goal)))
    ;   '$run_init_goal'(Goal, -)
    ).

'$initialization_line'(Line) :- ( nb_current('$load_line', Line), integer(Line) -> true ; Line = 0 ).

%   Where an initialization was asked for.
'$initialization_place'(File, Place) :-
    (   '$load_state'(_, _, _) -> '$initialization_line'(Line), '$text_file'(File, Text), Place = Text:Line
    ;   Place = (-)
    ).

%!  initialization(:Goal) is det.
initialization(Goal) :- initialization(Goal, after_load).
%!  initialization(:Goal, +When) is det.
initialization(Goal, When) :-
    ( '$load_state'(File, _, _) -> true ; File = user ),
    '$initialization'(When, Goal, File).

'$initialization'(W, _, _) :- var(W), !, throw(error(instantiation_error, _)).
'$initialization'(now, G, File) :- !,
    '$initialization_place'(File, Place),
    '$run_init_goal'(G, Place).
'$initialization'(after_load, G, _) :- !, '$assert_initialization'(G).
'$initialization'(main, G, File) :- !,
    '$initialization_place'(File, Place),
    '$say_anew'('$main', _, Place-G).
'$initialization'(program, G, File) :- !,
    '$initialization_place'(File, Place),
    '$say'('$program', Place-G).
'$initialization'(restore, _, _) :- !.
'$initialization'(restore_state, _, _) :- !.
'$initialization'(W, _, _) :- \+ atom(W), !, throw(error(type_error(atom, W), _)).
'$initialization'(W, _, _) :- throw(error(domain_error(initialization_type, W), _)).

'$run_initializations'([]).
'$run_initializations'([init(Place, By, G)|Gs]) :-
    (   By == [] -> '$run_init_goal'(G, Place)
    ;   '$with_at_halt_of'(By, '$run_init_goal'(G, Place))
    ),
    '$run_initializations'(Gs).

%   That it fails or raises is told of, and no more.
'$run_init_goal'(G, Place) :-
    '$qualified_goal'(G, Qualified),
    (   catch(user:G, E, '$init_goal_raised'(E, Qualified, Place)) -> true
    ;   print_message(warning, initialization_failure(Qualified, Place))
    ).

'$init_goal_raised'('$aborted', _, _) :- nb_current('$interrupted', true), !,
    throw('$aborted').
'$init_goal_raised'(E, Goal, Place) :-
    '$called_by'(system:'$run_init_goal'/1, Goal, E, Told),
    print_message(error, initialization_error(Goal, Told, Place)),
    '$stop_if_urgent'(E).

'$qualified_goal'(Goal, Qualified) :- ( nonvar(Goal), Goal = _:_ -> Qualified = Goal ; Qualified = user:Goal ).

'$stop_if_urgent'(E) :- ( '$is_urgent'(E) -> throw(E) ; true ).

'$include'(Spec) :-
    '$find_source'(Spec, Path),
    '$load_state'(File, Session, _),
    '$texts'(Texts),
    (   '$member'(Path-_, Texts)
    ->  throw(error(permission_error(include, source_sink, Path), context(system:(include)/1, 'It is being read')))
    ;   true
    ),
    '$open_ifs'(Ifs),
    setup_call_cleanup(
        ( open(Path, read, Stream, []), '$if_line'(Line), '$included'(File, Path, Line), '$set_text'([Path-Stream|Texts], []) ),
        ( '$load_clauses'(Stream, File, Session, _), '$all_ifs_closed'(Path) ),
        ( '$set_text'(Texts, Ifs), close(Stream) )).

%   The text of a library is loaded into its module from the start.
'$begin_module'(_, Exports, _) :- '$loading_system', !,
    '$source_module'(Module),
    '$declare_module'(Module, [], Exports).
'$begin_module'(Name, Exports, File) :- '$begin_program_module'(Name, Exports, File).

:- dynamic('$module_source'/3).

%!  module(+Module) is det.
%   Makes Module the one of the toplevel, to which it adds clauses; in a file, that of its next query: clauses of the file, of those loaded after it and
%   goals that run when they are loaded stay in their modules.
module(M) :- var(M), !, throw(error(instantiation_error, context(system:module/1, _))).
module(M) :-
    (   current_module(M) -> true
    ;   atom(M), '$library_module'(M, Library) -> '$load_library'(Library)
    ;   print_message(warning, no_current_module(M))
    ),
    (   '$load_state'(_, _, _), \+ '$loading_system' -> nb_setval('$next_module', M)
    ;   '$set_source_module'(M)
    ).

%   '$set_source_module'(-Old, +New): as in SWI-Prolog, for libraries that define modules of their own.
'$set_source_module'(Old, New) :- '$source_module'(Old), '$set_source_module'(New).

%   Library text compiled in: loaded once, into a module of its own. One that cannot be loaded now (memory has ended) is tried again when it is
%   called next.
%   One thread at a time loads, and is not interrupted: what it leaves must be whole.
'$load_library'(Name) :-
    (   '$library_loaded'(Name) -> true
    ;   '$locked'('$load_library', '$load_library_text'(Name))
    ).

%   What stands for the file of a library, which has none, where people read it: an atom.
'$library_file'(Name, File) :-
    atom_concat('library(', Name, File0),
    atom_concat(File0, ')', File).

%   Waits until no other thread is loading a library.
'$await_loader' :- with_mutex('$load_library', true).

'$load_library_text'(Name) :-
    (   '$library_loaded'(Name) -> true
    ;   '$library_module'(Module, Name),
        '$source_module'(Outer),
        '$save_loading'(Was),
        setup_call_catcher_cleanup(
            ( '$open_library'(Name), '$library_begins'(Name), '$set_loading'(true) ),
            % (Its module is its own: where memory has ended it may be made, now that a library is being loaded.)
            ( '$set_source_module'(Module), '$library_file'(Name, File), '$load_stream'(library, File, []) ),
            Catcher,
            (   '$close_library',
                ( Catcher == exit -> true ; Catcher == (!) -> true ; '$forget_library'(Name, Module) ),
                '$set_loading'(Was),
                '$set_source_module'(Outer)
            ))
    ).

% --- conditional compilation ---

%   The global variable `$if` holds the conditions of the text being read that are not closed, the innermost first, as State-Line. State is
%   true (its branch is loaded), false (one may follow that is), done (one was), or skip (it stands where nothing is loaded).

'$conditional'((:- D)) :- nonvar(D), '$is_condition'(D), '$condition'(D).

'$is_condition'(if(_)).
'$is_condition'(elif(_)).
'$is_condition'(else).
'$is_condition'(endif).

'$skip_directive'(T) :-
    (   T = (:- D), nonvar(D), '$is_condition'(D) -> '$skipped_condition'(D)
    ;   true
    ).

'$skipping' :- nb_current('$if', [S-_|_]), S \== true.

'$if_line'(L) :- nb_current('$load_line', L).
'$open_ifs'(Es) :- ( nb_current('$if', Es) -> true ; Es = [] ).

'$all_ifs_closed'(File) :-
    '$open_ifs'(Es),
    ( Es == [] -> true ; '$tell_open_ifs'(Es, File) ).

%!  compile_aux_clauses(+Clauses) is det.
%   Adds clauses to what is being loaded, as if the file had them, whatever stands around them; else to the database.
compile_aux_clauses(Clauses) :-
    (   '$load_state'(File, Session, _)
    ->  '$initialization_line'(Line),
        '$aux_clauses'(Clauses, '$source'(File, Session), Line)
    ;   '$aux_clauses'(Clauses, none, 0)
    ).

'$aux_clauses'(Clauses, _, _) :- var(Clauses), !,
    throw(error(instantiation_error, context(system:compile_aux_clauses/1, _))).
'$aux_clauses'([], _, _) :- !.
'$aux_clauses'([C|Cs], Source, Line) :- !,
    '$aux_clauses'(C, Source, Line),
    '$aux_clauses'(Cs, Source, Line).
'$aux_clauses'((:- Directive), _, _) :- !,
    '$of_source_module'(Directive, Goal),
    call(Goal).
'$aux_clauses'(Clause, none, _) :- !,
    '$of_source_module'(Clause, Qualified),
    assertz(Qualified).
'$aux_clauses'(Clause, Source, Line) :-
    '$add_clause'(Clause, Source, Line).

%!  prolog_load_context(?Key, ?Value) is nondet.
prolog_load_context(source, File) :- '$load_state'(File, _, _).
prolog_load_context(file, File) :- '$load_state'(_, _, _), '$texts'([File-_|_]).
prolog_load_context(stream, Stream) :- '$load_state'(_, _, _), '$texts'([_-Stream|_]).
prolog_load_context(directory, Dir) :- '$source_directory'(Dir).
prolog_load_context(module, M) :- '$source_module'(M).
prolog_load_context(dialect, swi).
prolog_load_context(term, Term) :- '$load_state'(_, _, _), nb_current('$load_term', Term-_).
prolog_load_context(term_position, Position) :- '$load_state'(_, _, _), '$load_position'(Position).
prolog_load_context(reloading, true) :- '$load_state'(_, _, _), '$is_reloading'.
prolog_load_context(variable_names, Names) :- '$load_state'(_, _, _), nb_current('$load_term', _-Names).

