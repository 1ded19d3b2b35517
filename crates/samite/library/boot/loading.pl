%   Boot library: loading of files, after SWI-Prolog's consult/1: which file is meant, that one thread at a time loads it and only if need be, and
%   what is imported from it afterwards. How its text is read is texts.pl; Samite's own libraries, which are no files, are libraries.pl.

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
%   Options: if(When), where When is not_loaded, changed (since it was loaded), exists (the same, and one that is not there is no error) or true;
%   must_be_module(true);
%   dialect(Dialect): as if the file began with expects_dialect(Dialect);
%   redefine_module(true): a file that defines the same module is unloaded;
%   imports(Imports), as use_module/2; reexport(true); expand(true): text that names no file is a pattern, as for expand_file_name/2, and means the files
%   that match, maybe none; encoding(Encoding); stream(Stream): from there, and the file is an atom that names it. Stream
%   stays open.
%   What is in no stream is offered to user:prolog_load_file(+Module:Spec, +Options) first: if that succeeds, it is loaded.
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
'$load_here'(Spec, Options) :- '$has_clauses'(user:prolog_load_file/2), \+ '$loading_system',
    '$source_module'(M),
    user:prolog_load_file(M:Spec, Options), !.
'$load_here'(library(Lib), Options) :- \+ '$flag'(emulated_dialect, swi), \+ '$loading_system',
    '$flag'(emulated_dialect, Dialect), '$library_name'(Lib, Name), '$dialect_library'(Dialect, Name, Other), !,
    '$load_here'(library(Other), Options).
'$load_here'(library(Lib), Options) :- '$library_name'(Lib, Name), '$own_library'(Name, M), !,
    '$check_library_name'(Name),
    (   '$loading_system', '$is_found_when_called'(Name, Options) -> true
    ;   '$load_library'(Name),
        '$import_module'(M, Options)
    ).
%   (What is typed is no module, and is read once: who asks for a module, or for what may be loaded already, means a file.)
'$load_here'(user, Options) :- \+ ( '$member'(Option, Options), '$is_of_file'(Option) ), !,
    % Each is a file of its own.
    '$next_user_source'(Name),
    '$load_stream'(user_input, Name, []).
'$load_here'(Spec, Options) :- '$memberchk_eq'(expand(true), Options), '$is_pattern'(Spec), !,
    expand_file_name(Spec, Files),
    '$without_pattern'(Options, Options1),
    '$load_here'(Files, Options1).
'$load_here'(Spec, Options) :- '$memberchk_eq'(if(exists), Options),
    \+ catch('$find_source'(Spec, _), error(existence_error(_, _), _), fail), !.
'$load_here'(Spec, Options) :-
    '$find_source'(Spec, Path),
    ( nb_current('$to_be_made', [F|Fs]), '$memberchk_eq'(if(not_loaded), Options) -> '$make_used'(Path, [F|Fs]) ; true ),
    '$load_once'(Spec, Path, Options, false),
    '$import_file'(Path, Options).

%   '$make_used'(+Path, +Files): make/0 has come to who asks for the file, and not yet to Files, of which it is one, or uses some, maybe through others. In a
%   fresh process these would be loaded now, and what they export would be imported before what is asked for next. (A changed text says itself what it uses.)
'$make_used'(Path, Files) :-
    (   '$memberchk_eq'(Path, Files) -> '$make_file'(Path)
    ;   nb_current('$made_for', Seen), '$memberchk_eq'(Path, Seen) -> true
    ;   ( nb_current('$made_for', Seen) -> true ; Seen = [] ),
        nb_setval('$made_for', [Path|Seen]),
        findall(F, ( '$member'(F, Files), '$is_used_by'([F], Path, []) ), Used),
        '$make_files'(Used)
    ).

'$make_files'([]).
'$make_files'([F|Fs]) :- '$make_file'(F), '$make_files'(Fs).

'$make_file'(Path) :-
    E = error(_, _),
    catch('$load_again'(Path), E, '$load_list_error'(E)).

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
    '$file_dialect'(Path, Options, Dialect),
    Dialect \== swi,
    '$preprocessed_text'(Dialect, Path, Options, Text), !,
    open_string(Text, Stream).
'$open_source'(Path, Options, Stream, close(Stream)) :-
    ( '$member'(encoding(Encoding), Options) -> OpenOptions = [encoding(Encoding)] ; OpenOptions = [] ),
    open(Path, read, Stream, OpenOptions).

%   `[]`: it is not said.
'$encoding_option'(Options, Encoding) :- ( '$member'(encoding(Encoding), Options), atom(Encoding) -> true ; Encoding = [] ).

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
        '$await_unfinished',
        ( How == mine -> '$load_lacking'(Path, []), '$load_freed' ; true ),
        '$take_up_renewals'
    ).

'$end_claim'(How, Path) :- ( How == mine -> '$release_load'(Path) ; true ).

'$await_unfinished' :-
    % (What that load took half done may go on still. What waits for this very thread is not waited for: it is left to those who claim nothing.)
    (   '$unfinished_load'(Path)
    ->  ( '$await_whole'(Path) -> '$load_used'(Path) ; true ),
        '$await_unfinished'
    ;   true
    ).

'$load_claimed'(mine, Spec, Path, Options, Waited) :- !,
    (   '$need_not_load'(Path, Options, Waited)
    ->  '$note_load'(Path, Options)
    ;   '$check_same_module'(Path),
        '$exported'(Path, Before),
        ( '$load_history'(Path, _, Askers) -> true ; Askers = [] ),
        '$tell_load_begins'(Spec, Path, Begin),
        setup_call_cleanup(
            ( '$encoding_option'(Options, Encoding), '$set_loaded'(Path, Encoding, Is), retractall('$taken_half'(_, Path)), retractall('$missing_for'(Path, _)), '$note_load'(Path, Options) ),
            ( setup_call_cleanup(
                  '$open_source'(Path, Options, Stream, Close),
                  ( '$skip_script_line'(Stream), '$load_text'(Stream, Path, Options, Goals) ),
                  Close),
              '$tell_importers'(Path, Before, Askers, Options),
              Whole = true ),
            % (An engine that is destroyed leaves it by a cut.)
            ( Whole == true -> retractall('$cut_off'(Path, _, _)) ; '$not_whole'(Is, Path) )),
        '$check_exports'(Path),
        '$tell_load_ends'(Spec, Path, Begin),
        ( Goals == [] -> true ; '$initializing'(Path), retractall('$making'(_, Path)), '$run_initializations'(Goals) )
    ).
'$load_claimed'(circular, _, Path, Options, _) :- !,
    '$take_half'(Path),
    '$note_load'(Path, Options).
'$load_claimed'(_, _, _, _, _).

%   '$making'(Thread, File): the thread's make/0 is loading the text of the file.
:- dynamic('$making'/2).
:- volatile('$making'/2).

%   '$tell_importers'(+Path, +Before, +Askers, +Options): its text has been loaded, and before it exported something else. Who is interrupted here has not loaded it.
'$tell_importers'(Path, Before, Askers, Options) :-
    '$exported'(Path, After),
    (   Before \== After -> '$renew_imports'(Path, Before, After, Askers, Options)
    ;   '$taken_half'(Path, _) -> '$renew_imports'(Path, Before, After, [], Options)
    ;   true
    ),
    '$settle_exports',
    retractall('$taken_half'(Path, _)).

%   '$left_renewal'(Path, Modules): who imports from the file, as from these modules, has been about to do so anew, and that has been left before its end: it
%   is taken up by whoever has loaded something, or found it loaded, next.
:- dynamic('$left_renewal'/2).
:- volatile('$left_renewal'/2).

'$take_up_renewals' :-
    (   '$left_renewal'(_, _), \+ '$load_state'(_, _, _) -> '$take_up_imports' ; true ).

%   '$taken_half'(Path, By): the file By has imported what Path exported when only a part of it was loaded, and is to do so again when it is whole.
:- dynamic('$taken_half'/2).

'$take_half'(Path) :-
    '$asking'(By, _, _),
    ( '$taken_half'(Path, By) -> true ; assertz('$taken_half'(Path, By)) ).

%   '$cut_off'(Path, Module, Options): the first load of the file, into that module, has been left before its end, and none has come to its end since. Who has
%   taken half of it, and who uses that, lacks the rest (and was loaded to his end, so nothing else would look for it). What has been read of it stays
%   ('$is_half'/1), for unload_file/1 to take away, and for make/0 and whoever asks for the file to load anew.
:- dynamic('$cut_off'/3).

%   '$not_whole'(+Was, +Path): its load has been left before its end.
'$not_whole'(new, Path) :-
    retractall('$cut_off'(Path, _, _)),
    ( '$loaded_into'(Path, Module) -> '$as_before'(Path, Options), assertz('$cut_off'(Path, Module, Options)) ; true ),
    '$set_half'(Path).
'$not_whole'(loaded, Path) :-
    '$keep_version_before'(Path),
    '$take_half'(Path).

%   '$load_lacking'(+Path, +Tried): what a file lacks that has been loaded, or found loaded, is loaded now; as by the directive that asked for it, which
%   goes on after errors. Another thread may be at it, which is waited for.
'$load_lacking'(Path, Tried) :-
    (   '$lacks'(Path, Missing, Module, Options), \+ '$memberchk_eq'(Missing, Tried)
    ->  E = error(_, _),
        catch('$load_into'(Module, Missing, [if(not_loaded)|Options]), E, '$cannot_load'(Missing, E)),
        '$load_lacking'(Path, [Missing|Tried])
    ;   true
    ).

'$cannot_load'(_, error(resource_error(memory), C)) :- !, throw(error(resource_error(memory), C)).
'$cannot_load'(Missing, E) :-
    retractall('$cut_off'(Missing, _, _)),
    print_message(error, E).

'$lacks'(Path, Missing, Module, Options) :-
    '$cut_off'(Missing, Module, Options),
    \+ '$is_loading'(Missing),
    findall(By, '$taken_half'(Missing, By), Bys),
    '$is_used_by'(Bys, Path, []).

%   '$is_used_by'(+Files, +Path, +Seen): one of them is the file, or it has asked for one of them, maybe through others.
'$is_used_by'([F|Fs], Path, Seen) :-
    (   F == Path -> true
    ;   '$memberchk_eq'(F, Seen) -> '$is_used_by'(Fs, Path, Seen)
    ;   findall(By, ( '$load_history'(F, _, Contexts), '$member'(context(_, _, By, _), Contexts) ), Bys, Fs),
        '$is_used_by'(Bys, Path, [F|Seen])
    ).

%   '$load_freed': a load, or the end of a file, may have taken away the import that kept a name from being defined. Files that were refused it are loaded again, each
%   once: so what there is is what a fresh process has.
'$load_freed' :-
    (   ( '$load_state'(_, _, _) ; nb_current('$freeing', true) ) -> true
    ;   setup_call_cleanup(b_setval('$freeing', true), '$load_freed'([]), b_setval('$freeing', []))
    ).

'$load_freed'(Done) :-
    setup_call_cleanup(
        ( '$freed_file'(File) -> true ; File = [] ),
        ( '$load_freed_file'(File, Done), Whole = true ),
        % (One that lacks what it could define now counts as changed: make/0 loads it.)
        ( ( Whole == true ; File == [] ) -> true ; '$set_changed'(File) )),
    ( ( File == [] ; '$memberchk_eq'(File, Done) ) -> true ; '$load_freed'([File|Done]) ).

'$load_freed_file'([], _) :- !.
'$load_freed_file'(File, Done) :- '$memberchk_eq'(File, Done), !.
'$load_freed_file'(File, _) :- '$loaded_into'(File, Module), !,
    '$as_before'(File, Options),
    E = error(_, _),
    catch('$load_into'(Module, File, Options), E, '$load_list_error'(E)).
'$load_freed_file'(_, _).

%   Who asks for a file, and what it imports. Who only loads it again asks for nothing: the option `again`.
'$note_load'(_, Options) :- '$memberchk_eq'(again, Options), !.
'$note_load'(Path, Options) :-
    '$asking'(By, Text, Line),
    '$imports'(Options, How),
    '$note_load'(Path, By, Text, Line, How).

'$asking'(By, Text, Line) :- '$load_state'(By, _, _), !, '$text_file'(By, Text), '$initialization_line'(Line).
'$asking'([], user, 0).

%   (What is said of operators may have variables.)
'$imports'(Options, how(Imports, Reexports)) :-
    ( '$member'(imports(I), Options), nonvar(I) -> Imports = I ; Imports = all ),
    ( '$memberchk_eq'(reexport(true), Options) -> Reexports = true ; Reexports = false ).

%   '$exported'(+Path, -Exports): what a file exports that is loaded, and what that means; also what others import without its consent.
'$exported'(Path, exported(M, Exports, Operators)) :-
    '$is_loaded'(Path), \+ '$is_half'(Path), '$file_module'(Path, M), !,
    '$export_targets'(M, Exports0),
    sort(Exports0, Exports),
    ( '$module_source'(M, _, Operators) -> true ; Operators = [] ).
'$exported'(_, []).

%   '$load_again'(+Path): a file that has changed is loaded again, as it was; who has asked for it imports what he asked for. (It may have been unloaded
%   meanwhile: its module has moved.)
'$load_again'(Path) :-
    (   '$loaded_into'(Path, Module)
    ->  '$as_before'(Path, Options),
        '$load_into'(Module, Path, [if(changed)|Options])
    ;   true
    ).

%   '$as_before'(+Path, -Options): it is to be loaded again as it was, by nobody who says how.
'$as_before'(Path, [again|Options]) :-
    ( '$loaded_encoding'(Path, Encoding) -> Options = [encoding(Encoding)|Options1] ; Options = Options1 ),
    ( '$given_dialect'(Path, Dialect) -> Options1 = [dialect(Dialect)] ; Options1 = [] ).

'$load_into'(Module, Path, Options) :-
    '$source_module'(Source),
    setup_call_cleanup(
        '$set_source_module'(Module),
        '$load_once'(Path, Path, Options, false),
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

'$is_of_file'(must_be_module(true)).
'$is_of_file'(if(When)) :- When \== true.
'$is_of_file'(imports(_)).
'$is_of_file'(reexport(true)).

%   A file that is no module is part of one module only.
'$check_same_module'(Path) :-
    (   '$loaded_into'(Path, Module), '$source_module'(Other), Module \== Other, \+ '$file_module'(Path, _)
    ->  atomic_list_concat(['Non-module file already loaded into module ', Module, '; trying to load into ', Other], Text),
        throw(error(permission_error(load, source, Path), context(load_files/2, Text)))
    ;   true
    ).

%   One that is no module and was loaded into another module is loaded again, which is refused.
'$need_not_load'(Path, Options, Waited) :-
    '$loaded_into'(Path, Module),
    \+ '$is_half'(Path),
    (   '$source_module'(Module) -> true
    ;   '$file_module'(Path, _) -> true
    ),
    (   Waited == true -> \+ '$is_changed'(Path)   % (Who was waited for may have found nothing to load.)
    ;   '$member'(if(When), Options) -> '$is_loaded'(When, Path)
    ).

'$is_loaded'(When, _) :- When == not_loaded, !.
'$is_loaded'(When, Path) :- ( When == changed ; When == exists ), !, \+ '$is_changed'(Path).

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

%   '$file_module'(+Path, -Module): the module that a loaded file defines. (Units of tests are modules that their file has begun, too.)
'$file_module'(Path, M) :-
    '$modules_of_file'(Path, Ms),
    '$member'(M, Ms),
    \+ '$says_last'(M, class(test)), !.

'$import_module'(M, Options) :-
    '$source_module'(Into),
    ( M == Into -> true ; '$import_exports'(M, Into, Options) ).

%!  import(:PIs) is det.
import(Spec) :- '$source_module'(M), '$import_each'(Spec, M).
%!  export(:PIs) is det.
export(Spec) :- '$source_module'(M), '$export_each'(Spec, M).

%!  [:File|+Files] is det.
[File0|Files] :- '$strip'(File0, M, File), '$load_files'(M:[File|Files], [expand(true)]).

%   The file of a specification: relative to the file being loaded, with or without extension.
'$find_source'(Spec, Path) :-
    '$path_alias'(Spec), !,
    Spec =.. [Alias, Name],
    ( number(Name) -> atom_number(Text, Name) ; Text = Name ),
    Named =.. [Alias, Text],
    (   absolute_file_name(Named, Found, [file_type(prolog), access(read), file_errors(fail)]) -> '$source_name'(Found, Path)
    ;   '$no_source'(Spec, Spec)
    ).
'$find_source'(Spec, Path) :-
    ( '$spec_text'(Spec, Given) -> true ; throw(error(existence_error(source_sink, Spec), _)) ),
    (   sub_atom(Given, 0, _, _, ~) -> absolute_file_name(Given, Text, [expand(true)]) ; Text = Given ),
    findall(Extension, user:prolog_file_type(Extension, prolog), Extensions),
    (   '$source_directory'(Dir), '$resolve_source'(Dir, Text, Extensions, Path) -> true
    ;   '$resolve_source'('.', Text, Extensions, Path) -> true
    ;   Text \== Given -> '$no_source'(Spec, Text)
    ;   '$no_source'(Spec, Spec)
    ).

%   '$missing_for'(File, Spec): the file, while it was loaded, has asked for one, or for whether there is one, that was not there. When that is there, make/0 loads the file again.
:- dynamic('$missing_for'/2).

%   '$note_missing'(+Spec): so has the file that is being loaded found.
'$note_missing'(Spec) :-
    (   ground(Spec), '$load_state'(File, _, _), \+ '$loading_system', \+ '$missing_for'(File, Spec)
    ->  assertz('$missing_for'(File, Spec))
    ;   true
    ).

%   '$no_source'(+Spec, +Told): there is no such file, of which Told is told.
'$no_source'(Spec, Told) :-
    '$note_missing'(Spec),
    (   ( atom(Spec) -> Spec \== '' ; string(Spec), Spec \== "" ), absolute_file_name(Spec, Path, [file_type(directory), file_errors(fail)]), exists_directory(Path)
    ->  throw(error(existence_error(file, Told), context(_, 'is a directory')))
    ;   throw(error(existence_error(source_sink, Told), _))
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
