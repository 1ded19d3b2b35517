%   Boot library: reading a text, of a file or of a library: its clauses and directives one by one, what is included, what is told of them, conditional
%   compilation, and goals for the end of the load. Called by loading.pl and libraries.pl, which say what is loaded, once and into which module.
%
%   The load that is going on is the global variable `$load`, as load(File, Session, Module); it, its texts (`$texts`), their conditions (`$if`) and the
%   line (`$load_line`) are put back by '$load_text'/4 whatever happens in it.

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
        ( '$begin_said'(File, Session), '$begin_dialect'(File, Session, Options), '$load_beginning'(Stream, File, Session, Begun), '$load_begun'(Begun, Stream, File, Session, End), '$load_end'(End, File, Session), '$all_ifs_closed'(File), findall(G, '$init_goal'(Session, G), Goals), Whole = true ),
        ( retractall('$init_goal'(Session, _)), '$set_text'(OuterTexts, OuterIfs), catch('$end_load'(Session, Whole), E, true), '$end_said'(File, Session, Whole), b_setval('$load', Outer), nb_setval('$load_line', OuterLine), '$set_source_module'(Module), ( '$dialect_operators'(Session, _) -> '$end_dialect'(Session) ; true ), '$set_file_flags'(Flags), '$input_again'(Input), ( var(E) -> true ; throw(E) ) )).

%   '$dialect_of_extension'(Extension, Dialect): files with that extension are written for another system; a library says so.
:- dynamic('$dialect_of_extension'/2).
:- multifile('$dialect_of_extension'/2).

%   '$given_dialect'(Path, Dialect): who loaded the file said so.
:- dynamic('$given_dialect'/2).

'$file_dialect'(_, Options, Dialect) :- '$member'(dialect(Dialect), Options), !.
'$file_dialect'(File, _, Dialect) :-
    '$dialect_of_extension'(Extension, Dialect),
    file_name_extension(_, Extension, File), !.

%   '$begin_dialect'(+File, +Session, +Options): what a text in another system's dialect is read by; what is in its place, '$open_source'/4 has found.
'$begin_dialect'(File, Session, Options) :-
    ( '$given_dialect'(File, _) -> retractall('$given_dialect'(File, _)) ; true ),
    (   '$loading_system' -> true
    ;   '$file_dialect'(File, Options, Dialect)
    ->  ( '$member'(dialect(_), Options) -> assertz('$given_dialect'(File, Dialect)) ; true ),
        '$dialect_terms'(Dialect, File, Options, Terms),
        (   Terms == own -> set_prolog_flag(emulated_dialect, swi)
        ;   Terms == [] -> nb_setval('$header_dialect', File-Dialect)
        ;   '$load_before'(Terms, File, Session)
        )
    ;   true
    ).

%   The file begins with a module header, behind which its dialect does.
'$begin_header_dialect'(File) :-
    (   nb_current('$header_dialect', Of-Dialect), Of == File
    ->  nb_setval('$header_dialect', []),
        expects_dialect(Dialect)
    ;   true
    ).

%   '$dialect_operators'(Session, Undo): what gives `user` back the operators that it had before that load.
:- dynamic('$dialect_operators'/2).
:- volatile('$dialect_operators'/2).

'$load_before'([], _, _).
'$load_before'([T|Ts], File, Session) :-
    nb_setval('$load_line', 1),
    catch('$load_term'(T, [], [], File, Session, 1), E, '$load_error'(E)),
    '$load_before'(Ts, File, Session).

%   What a file reads from is its own; unless it has closed what was read from before.
'$input_again'(Stream) :- ( current_input(Stream) -> true ; catch(set_input(Stream), error(_, _), true) ).

%   Flags that hold for a file and those that it loads.
'$file_flags'([S, D, N, G, O, X, E]) :-
    '$flag'(emulated_dialect, E), '$flag'(style_singleton, S), '$flag'(style_discontiguous, D), '$flag'(style_no_effect, N), '$flag'(generate_debug_info, G),
    '$flag'(optimise, O), '$flag'(xref, X).
'$set_file_flags'(Flags) :- '$file_flags'(Flags), !.
'$set_file_flags'([S, D, N, G, O, X, E]) :-
    set_prolog_flag(emulated_dialect, E),
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

%   '$load_begun'(+Begun, +Stream, +File, +Session, -End): the clauses of what is not `made` to be at its end where it begins.
'$load_begun'(made, _, _, _, made).
'$load_begun'(true, Stream, File, Session, End) :- '$load_clauses'(Stream, File, Session, End).

%   What hooks make of the beginning of a file; Begun is `made` if that is its end.
'$load_beginning'(Stream, File, Session, Begun) :-
    (   Stream \== library, '$expansion_modules'(begin_of_file, _, _)
    ->  nb_setval('$load_line', 1),
        b_setval('$load_term', begin_of_file-[]),
        catch('$load_term'(begin_of_file, [], [], File, Session, 1), E, '$load_error'(E)),
        '$text_end'(true, Begun)
    ;   Begun = true
    ).

%   '$text_end'(+Else, -End): a hook has made the text's end of what was read last, or has not.
'$text_end'(Else, End) :- ( nb_current('$text_ends', true) -> nb_setval('$text_ends', false), End = made ; End = Else ).

%   What hooks make of the end of a file.
'$load_end'(End, File, Session) :-
    (   End == true, '$expansion_modules'(end_of_file, _, _)
    ->  '$if_line'(Line),
        b_setval('$load_term', end_of_file-[]),
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
        '$text_end'(false, End)
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
'$is_urgent'(unwind(Why)) :- nonvar(Why), '$unwinds'(Why).
'$is_urgent'(time_limit_exceeded) :- '$limit_is_over'.
'$is_urgent'(time_limit_exceeded(_)) :- '$limit_is_over'.
'$is_urgent'(inference_limit_exceeded).

'$unwinds'(abort).
'$unwinds'(halt(_)).
'$unwinds'(thread_exit(_)).

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
        (   nonvar(Term), '$expansion_modules'(Term, Terms, Goals), \+ '$loading_system'
        ->  ( Terms-Goals == [system-[0]]-[] -> true ; '$commit_load'(others) ),
            % (Hooks of others may call what is being loaded again.)
            (   '$reads_again' -> setup_call_cleanup('$ask_hooks'(expansion, Before), '$expand'(Terms, Goals, Term, Expanded), '$ask_hooks'(Before, _))
            ;   '$expand'(Terms, Goals, Term, Expanded)
            )
        ;   '$expand_without_hooks'(Term, Expanded)
        ),
        '$check_expanded'(Expanded),
        '$load_begins'(Expanded),
        ( Singletons == [] -> Others = Names ; Expanded == Term -> Others = Names ; term_singletons(Expanded, Once), '$others_than'(Singletons, Once, Names, Others) ),
        '$load_expanded'(Expanded, Others, File, Session, Line)
    ).

%   What occurs once in the term that was read has been told, and may stand more than once in what expansion has made of it.
'$others_than'([], _, Names, Names).
'$others_than'([_=V|Singletons], Once, Names, Others) :-
    ( '$memberchk_eq'(V, Once) -> Names1 = Names ; '$other_than'(Names, V, Names1) ),
    '$others_than'(Singletons, Once, Names1, Others).

'$other_than'([], _, []).
'$other_than'([N|Ns], V, Others) :-
    ( N = (_=W), V == W -> Others = Ns ; Others = [N|Others1], '$other_than'(Ns, V, Others1) ).

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
%   (Hooks have been asked about it.)
'$load_expanded'(begin_of_file, _, _, _, _) :- !.
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
    (   '$is_rule'(Clause), \+ '$loading_system', '$has_lambdas'(Clause)
    ->  '$compile_lambdas'(Clause, '$source'(File, Session), Line, Compiled)
    ;   Compiled = Clause
    ),
    '$add_clause'(Compiled, '$source'(File, Session), Line).

'$is_rule'(Clause) :- var(Clause), !, fail.
'$is_rule'((_ :- _)).
'$is_rule'((_ => _)).
'$is_rule'(?=>(_, _)).
'$is_rule'(_:Clause) :- '$is_rule'(Clause).

'$directive'(Goal, _) :- var(Goal), !, throw(error(instantiation_error, _)).
'$directive'(module(Name, Exports), File) :- '$is_module_header', !,
    '$begin_module'(Name, Exports, File),
    '$begin_header_dialect'(File).
'$directive'(module(Name, Exports, Languages), File) :- '$is_module_header', !,
    '$begin_module'(Name, Exports, File),
    '$begin_header_dialect'(File),
    '$use_languages'(Languages).
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

%   '$use_languages'(+Languages): what the header of a module says that its text needs, one or a list of libraries library(dialect/Language).
'$use_languages'(Languages) :- is_list(Languages), !,
    '$use_each_language'(Languages).
'$use_languages'(Language) :- '$use_each_language'([Language]).

'$use_each_language'([]).
'$use_each_language'([L|Ls]) :-
    '$directive'(use_module(library(dialect/L)), []),
    '$use_each_language'(Ls).

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
'$is_declaration'(det(_)).
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
:- volatile('$init_goal'/2).

'$assert_initialization'(Goal) :-
    (   '$load_state'(File, Session, _)
    ->  '$initialization_place'(File, Place),
        ( '$asks_at_halt'(Goal) -> By = File-Session ; '$loading_system' -> By = [] ; By = [], '$say'('$init', Place-Goal) ),
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
    ( '$load_state'(_, _, _), \+ '$loading_system' -> '$say'('$now', Place-G) ; true ),
    '$run_init_goal'(G, Place).
'$initialization'(after_load, G, _) :- !, '$assert_initialization'(G).
'$initialization'(main, G, File) :- !,
    '$initialization_place'(File, Place),
    '$say_anew'('$main', _, Place-G).
'$initialization'(program, G, File) :- !,
    '$initialization_place'(File, Place),
    '$say'('$program', Place-G).
%   For library(qsave).
'$initialization'(restore, G, File) :- !,
    '$initialization'(restore_state, G, File).
'$initialization'(restore_state, G, File) :- !,
    '$initialization_place'(File, Place),
    '$say'('$restore', Place-G).
'$initialization'(prepare_state, G, File) :- !,
    '$initialization_place'(File, Place),
    '$say'('$prepare', Place-G).
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

'$init_goal_raised'('$aborted', _, _) :- '$program_interrupted', !,
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
    '$included_encoding'(Texts, OpenOptions),
    setup_call_cleanup(
        ( open(Path, read, Stream, OpenOptions), '$if_line'(Line), '$included'(File, Path, Line), '$set_text'([Path-Stream|Texts], []) ),
        ( '$load_clauses'(Stream, File, Session, _), '$all_ifs_closed'(Path) ),
        ( '$set_text'(Texts, Ifs), close(Stream) )).

%   '$included_encoding'(+Texts, -OpenOptions): an included text is in the encoding of the one that includes it, whatever has said that; but a mark at the
%   beginning of that one is its own.
'$included_encoding'([_-Stream|_], [encoding(Encoding)]) :-
    is_stream(Stream),
    \+ stream_property(Stream, bom(true)),
    stream_property(Stream, encoding(Encoding)), !.
'$included_encoding'(_, []).

%   The text of a library is loaded into its module from the start.
'$begin_module'(_, Exports, _) :- '$loading_system', !,
    '$source_module'(Module),
    findall(op(P, T, N), '$member'(op(P, T, N), Exports), Operators),
    (   Operators == []
    ->  '$declare_module'(Module, [], Exports)
    ;   findall(E, ( '$member'(E, Exports), E \= op(_, _, _) ), PIs),
        '$declare_module'(Module, [], PIs),
        '$define_operators'(Operators, Module),
        retractall(system:'$library_operators'(Module, _)),
        assertz(system:'$library_operators'(Module, Operators))
    ).
'$begin_module'(Name, Exports, File) :- '$begin_program_module'(Name, Exports, File).

:- dynamic('$module_source'/3).

%   '$header_before'(Session, Module, Sources): what there was of the module before that load has read its header.
:- dynamic('$header_before'/3).
:- volatile('$header_before'/3).

%   '$keep_header'(+Session): the load has been left before its end, and there was a version before.
'$keep_header'(Session) :-
    forall(retract('$header_before'(Session, Module, Before)),
           ( retractall('$module_source'(Module, _, _)), forall('$member'(Source, Before), assertz(system:Source)) )).

%   What a library exports of operators, if it does, is '$library_operators'(Module, Operators).
:- dynamic('$library_operators'/2).
:- volatile('$library_operators'/2).

'$define_operators'([], _).
'$define_operators'([op(P, T, N)|Ops], M) :- op(P, T, M:N), '$define_operators'(Ops, M).

%!  module(+Module) is det.
%   Makes Module the one of the toplevel, to which it adds clauses; in a file, that of its next query: clauses of the file, of those loaded after it and
%   goals that run when they are loaded stay in their modules.
module(M) :- var(M), !, throw(error(instantiation_error, context(system:module/1, _))).
module(M) :- \+ atom(M), !, throw(error(type_error(atom, M), context(system:module/1, _))).
module(M) :-
    (   current_module(M) -> true
    ;   '$library_module'(M, Library) -> '$load_library'(Library)
    ;   print_message(warning, no_current_module(M))
    ),
    (   '$load_state'(_, _, _), \+ '$loading_system' -> nb_setval('$next_module', M)
    ;   '$set_source_module'(M)
    ).

%   '$set_source_module'(-Old, +New): as in SWI-Prolog, for libraries that define modules of their own.
'$set_source_module'(Old, New) :- '$source_module'(Old), '$set_source_module'(New).

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
prolog_load_context(dialect, Dialect) :- '$flag'(emulated_dialect, Dialect).
prolog_load_context(term, Term) :- '$load_state'(_, _, _), nb_current('$load_term', Term-_).
prolog_load_context(term_position, Position) :- '$load_state'(_, _, _), ( '$load_position'(Position0) -> Position = Position0 ; nb_current('$load_term', begin_of_file-_), Position = '$stream_position'(0, 0, 0, 0) ).
prolog_load_context(script, Bool) :-
    (   '$load_state'(_, _, _), '$texts'([File-_|_]), '$option_script'(Spec), absolute_file_name(Spec, File, [file_type(prolog), access(read), file_errors(fail)])
    ->  Bool = true
    ;   Bool = false
    ).
prolog_load_context(reloading, true) :- '$load_state'(_, _, _), '$is_reloading'.
prolog_load_context(variable_names, Names) :-
    ( '$load_state'(_, _, _), nb_current('$load_term', _-Read) -> Names = Read ; Names = [] ).

%   What reading leaves behind where there are quasi quotations ([quasi] in machine/builtins/quasi.rs).
'$quasi_quotations'(Quotations, Module, OnError, Singletons, Left, Then) :-
    '$load_library'(quasi_quotations),
    quasi_quotations:quasi_read(Quotations, Module, OnError, Singletons, Left, Then).
