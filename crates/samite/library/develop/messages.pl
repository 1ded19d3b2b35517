:- module('$messages',
          [ '$has_other_definitions'/1,
            '$message_to_lines'/2,
            '$message_to_text'/2,
            message_to_codes/3,
            message_to_string/2,
            print_message/2,
            print_message_lines/3,
            source_location/2,
            translate_message/3
          ]).

%   Messages: what errors, warnings and other terms look like to a person. Loaded into module `system` with the first
%   message.
%
%   The wording is SWI-Prolog's, so that tools and tests that look for it find it. Users extend it by clauses for
%   prolog:message//1, prolog:error_message//1, prolog:message_location//1, prolog:message_context//1, prolog:message_prefix_hook/2,
%   prolog:message_line_element/2, user:message_property/2 and user:message_hook/3, which are declared in toplevel.pl as they may get clauses before
%   this is loaded.
%
%   Invariant: the terms of messages are SWI-Prolog's too, and user:message_hook/3 is given them as they are (tests/messages/hooked). So where a
%   message comes from is not part of its term but source_location/2, and what else is printed is looked up: the place of an earlier
%   definition in the database, names of variables in the load, more about a syntax error in `$syntax_note`.
%
%   A message is a list of elements: `Format-Args`, `Format`, `nl`, `flush` (last: no newline at the end),
%   `at_same_line` (first: go on in the present line), `ansi(Attributes, Format, Args)`, `url(Location)`.

% --- printing ---

%   What is raised while a message is printed, by a hook, a signal or a limit, goes to who prints it, as in SWI-Prolog. Caught are only
%
%   - an error of the format of one element: it is told in the place of that element;
%   - that nothing can be written on the message's stream: nobody can be told;
%   - that memory does not suffice to translate the message: the term is printed.
%
%   A message that is printed while the very same one is says no more than that: so none goes on for ever.

%!  print_message(+Kind, +Term) is det.
%   Prints the translation of Term on user_error, unless user:thread_message_hook/3, which is thread-local, or
%   user:message_hook/3 takes it. Kind is one of error, warning,
%   informational, silent, help, banner, query, debug(Topic), or an atom of the program's own, for its hooks; what
%   user:message_property/2 says of a kind holds for all of them.
print_message(Kind, Term) :-
    '$check_message_kind'(Kind),
    ( nb_current('$messages', Around) -> true ; Around = [] ),
    (   '$member'(Message, Around), Message =@= Term
    ->  '$print_recursive'(Kind, Term)
    ;   setup_call_cleanup(
            ( b_setval('$messages', [Term|Around]), '$report'(true), '$ask_hooks'(message, Whose) ),
            '$print_message'(Kind, Term),
            ( '$ask_hooks'(Whose, _), b_setval('$messages', Around), ( Around == [] -> '$report'(false) ; true ) ))
    ).

'$check_message_kind'(Kind) :-
    var(Kind), !,
    throw(error(instantiation_error, context(system:print_message/2, _))).
'$check_message_kind'(Kind) :-
    ( atom(Kind) ; Kind = debug(_) ), !.
'$check_message_kind'(Kind) :-
    throw(error(domain_error(message_kind, Kind), context(system:print_message/2, _))).

'$print_message'(Kind, Term) :-
    catch('$message_to_lines'(Term, Lines), error(resource_error(memory), _), Lines = ['~W'-[Term, [quoted(true), max_depth(20)]]]),
    (   nonvar(Term), user:thread_message_hook(Term, Kind, Lines) -> true
    ;   nonvar(Term), user:message_hook(Term, Kind, Lines) -> true
    ;   '$count_message'(Kind),
        '$print_system_message'(Kind, Term, Lines),
        '$may_halt'(Kind)
    ).

%   The flags on_error and on_warning: the first such message may end the program.
'$may_halt'(error) :- current_prolog_flag(on_error, halt), halt(1), !.
'$may_halt'(warning) :- current_prolog_flag(on_warning, halt), halt(1), !.
%   (So it is where the program is ending already, or a goal of at_halt/1 keeps it.)
'$may_halt'(_).

'$print_recursive'(silent, _) :- !.
'$print_recursive'(Kind, Term) :-
    '$if_it_can_be_written'(( '$fresh_line'(user_error), format(user_error, 'Recursive ~w message: ~q~n', [Kind, Term]) )).

'$print_system_message'(silent, _, _) :- !.
'$print_system_message'(Kind, _, _) :-
    '$quiet_kind'(Kind),
    current_prolog_flag(verbose, silent), !.
'$print_system_message'(_, _, []) :- !.
'$print_system_message'(Kind, Term, Lines) :-
    '$message_source'(Term, File, Line),
    '$location_prefix'(Kind, File, Line, Heading, Prefix), !,
    '$if_it_can_be_written'(flush_output(user_output)),
    '$message_stream'(Kind, Stream),
    catch('$in_one_piece'(Stream, S, '$print_placed'(Lines, S, Heading, Prefix)), error(io_error(_, _), _), true).
'$print_system_message'(Kind, _, Lines) :-
    '$if_it_can_be_written'(flush_output(user_output)),
    '$message_stream'(Kind, Stream),
    '$if_it_can_be_written'(print_message_lines(Stream, kind(Kind), Lines)).

'$message_stream'(Kind, Stream) :- user:message_property(Kind, stream(S)), !, Stream = S.
'$message_stream'(query, user_output) :- !.
'$message_stream'(_, user_error).

'$print_placed'(Lines, S, Heading, Prefix) :-
    '$print_elements'(Heading, S, ''),
    '$print_prefixed'(Lines, S, Prefix).

%   Of a message that comes from a place in a file: the elements of the line that says so, and what is before each line of the message.
'$location_prefix'(Kind, File, Line, Heading, Prefix) :-
    user:message_property(Kind, location_prefix(File:Line, Heading0, Prefix)), !,
    ( is_list(Heading0) -> Heading = Heading0 ; Heading = [Heading0] ).
'$location_prefix'(Kind, File, Line, ['~N~w: ~w:'-[Tag, Place]], '~N~w:    '-[Tag]) :-
    '$message_tag'(Kind, Tag),
    '$message_place'(File, Line, Place).

%   What Goal prints on the stream S, which is as far in its line as Stream, appears on Stream at once: nothing that others write comes between,
%   and a text that is edited on the terminal is shown again once. What Stream has no character for is escaped.
:- meta_predicate '$in_one_piece'(?, ?, 0).
'$in_one_piece'(user, S, Goal) :- !, '$in_one_piece'(user_output, S, Goal).
'$in_one_piece'(Stream, S, Goal) :-
    '$output_like'(Stream, Like),
    '$output_of'(( current_output(S), Goal ), Like, Text),
    write(Stream, Text),
    flush_output(Stream).

:- meta_predicate '$if_it_can_be_written'(0).
'$if_it_can_be_written'(Goal) :- catch(Goal, error(io_error(_, _), _), true).

'$quiet_kind'(informational).
'$quiet_kind'(banner).

'$message_tag'(Kind, Tag) :- user:message_property(Kind, tag(Given)), !, Tag = Given.
'$message_tag'(error, 'ERROR').
'$message_tag'(warning, 'Warning').

%   Where in a file that is being loaded a message comes from. Syntax errors say it themselves.
'$message_source'(Term, _, _) :- var(Term), !, fail.
'$message_source'(no_text(File:Line:_, _), File, Line) :- !.
'$message_source'(error(Formal, _), _, _) :- nonvar(Formal), Formal = syntax_error(_), !, fail.
'$message_source'(_, File, Line) :- source_location(File, Line).

%!  source_location(-File, -Line) is semidet.
%   The file and line of the term that is being loaded, or of which read_term/2 warns.
source_location(File, Line) :-
    nb_current('$reading', File0:Line0), !,
    File = File0, Line = Line0.
source_location(File, Line) :-
    nb_current('$load', load(File0, _, _)),
    nb_current('$load_line', Line0),
    integer(Line0),
    '$text_file'(File0, Text),
    File = Text, Line = Line0.

'$message_place'(user, Line, Place) :- !, '$join_place'('user://1', Line, Place).
'$message_place'(File, Line, Place) :- '$join_place'(File, Line, Place).

'$join_place'(File, Line, Place) :-
    ( Line = L:C -> Place = File:L:C ; Place = File:Line ).

%!  print_message_lines(+Stream, +Prefix, +Lines) is det.
%   Prints the elements of a message, each line with Prefix before it: a format, `Format-Args`, or kind(Kind).
print_message_lines(Stream, kind(Kind), Lines) :- !,
    '$message_prefix'(Kind, Prefix),
    print_message_lines(Stream, Prefix, Lines).
print_message_lines(Stream, Prefix, Lines) :-
    '$in_one_piece'(Stream, S, '$print_prefixed'(Lines, S, Prefix)).

'$message_prefix'(Kind, Prefix) :-
    user:message_property(Kind, prefix(P)), !,
    Prefix = P.
'$message_prefix'(debug(_), Prefix) :- !, '$context_prefix'('~N% ', [], Prefix).
'$message_prefix'(Kind, Prefix) :- '$message_tag'(Kind, Tag), !, '$context_prefix'('~N~w: ', [Tag], Prefix).
'$message_prefix'(informational, '~N% ') :- !.
'$message_prefix'(information, '~N% ') :- !.
'$message_prefix'(_, '~N').

%   What the flag message_context asks for is said in the first line, the thread for others than main.
'$context_prefix'(Format, Args, Prefix) :-
    ( current_prolog_flag(message_context, Contexts) -> true ; Contexts = [] ),
    '$context_prefix'(Contexts, Format, Args, Prefix).

'$context_prefix'([], Format, Args, Format-Args).
'$context_prefix'([Context|Contexts], Format0, Args0, Prefix) :-
    (   '$context_text'(Context, Text)
    ->  atom_concat(Format0, '~w ', Format),
        '$append'(Args0, [Text], Args)
    ;   Format = Format0, Args = Args0
    ),
    '$context_prefix'(Contexts, Format, Args, Prefix).

'$context_text'(Context, Text) :- prolog:message_prefix_hook(Context, Text), !.
'$context_text'(time, Text) :- '$context_text'(time('%T.%3f'), Text).
'$context_text'(time(Format), Text) :-
    get_time(Now),
    format_time(string(Text), Format, Now).
'$context_text'(thread, Text) :-
    thread_self(Thread),
    Thread \== main,
    ( atom(Thread) -> Name = Thread ; thread_property(Thread, id(Name)) ),
    format(string(Text), '[Thread ~w]', [Name]).

'$print_prefixed'([at_same_line|Lines], Stream, Prefix) :- !,
    '$print_elements'(Lines, Stream, Prefix).
'$print_prefixed'(Lines, Stream, Prefix) :-
    '$print_prefix'(Prefix, Stream),
    '$print_elements'(Lines, Stream, Prefix).

'$print_prefix'(Format-Args, Stream) :-
    atom(Format), atom_concat('~N', Rest, Format), !,
    '$fresh_line'(Stream),
    '$safe_format'(Stream, Rest, Args).
'$print_prefix'(Format-Args, Stream) :- !, '$safe_format'(Stream, Format, Args).
'$print_prefix'(Format, Stream) :-
    atom(Format), atom_concat('~N', Rest, Format), !,
    '$fresh_line'(Stream),
    '$safe_format'(Stream, Rest, []).
'$print_prefix'(Format, Stream) :- '$safe_format'(Stream, Format, []).

'$print_elements'([], Stream, _) :- !, nl(Stream).
'$print_elements'([nl], Stream, _) :- !, nl(Stream).
'$print_elements'([flush], Stream, _) :- !, flush_output(Stream).
'$print_elements'([nl|Es], Stream, Prefix) :- !,
    nl(Stream),
    '$print_prefix'(Prefix, Stream),
    '$print_elements'(Es, Stream, Prefix).
'$print_elements'([E|Es], Stream, Prefix) :-
    '$print_element'(E, Stream),
    '$print_elements'(Es, Stream, Prefix).

'$print_element'(E, Stream) :- var(E), !, write(Stream, E).
'$print_element'(E, Stream) :- prolog:message_line_element(Stream, E), !.
'$print_element'(Format-Args, Stream) :- !, '$safe_format'(Stream, Format, Args).
'$print_element'(ansi(_, Format, Args), Stream) :- !, '$safe_format'(Stream, Format, Args).
'$print_element'(url(_, Format-Args), Stream) :- !, '$safe_format'(Stream, Format, Args).
'$print_element'(url(_, Label), Stream) :- !, '$safe_format'(Stream, '~w', [Label]).
'$print_element'(url(Location), Stream) :- !, '$safe_format'(Stream, '~w', [Location]).
'$print_element'(prefix(Prefix), Stream) :- !, '$print_prefix'(Prefix, Stream).
'$print_element'(begin(_, _), _) :- !.
'$print_element'(end(_), _) :- !.
'$print_element'(flush, Stream) :- !, flush_output(Stream).
'$print_element'(full_stop, Stream) :- !, put_char(Stream, '.').
'$print_element'(Format, Stream) :- '$safe_format'(Stream, Format, []).

%   An error of a user's message is told in the place of the element. Goals of ~@ that name no module are user's.
'$safe_format'(Stream, Format, Args) :-
    ( nonvar(Args), Args = _:_ -> Goals = Args ; Goals = user:Args ),
    catch(format(Stream, Format, Goals), error(Formal, Context), '$format_failed'(Stream, Format, Args, Formal, Context)).

'$format_failed'(Stream, _, _, Formal, Context) :-
    Formal = io_error(_, S), S == Stream, !,
    throw(error(Formal, Context)).
'$format_failed'(Stream, Format, Args, Formal, _) :-
    '$fresh_line'(Stream),
    Options = [quoted(true), max_depth(10)],
    format(Stream, '    [[ EXCEPTION while printing message ~q~n~7|with arguments ~W:~n~7|raised: ~W~n~4|]]~n',
           [Format, Args, Options, Formal, Options]).

%!  '$message_to_lines'(+Term, -Lines) is det.
%   The elements of the translation of Term.
'$message_to_lines'(Term, Lines) :-
    translate_message(Term, Lines, []), !.
'$message_to_lines'(Term, ['Unknown message: ~p'-[Term]]).

%!  message_to_codes(+Term, +Kind, -Codes) is det.
%   The message as it would be printed.
message_to_codes(Term, Kind, Codes) :-
    '$message_to_lines'(Term, Lines),
    '$message_prefix'(Kind, Prefix),
    with_output_to(codes(Codes), (current_output(S), print_message_lines(S, Prefix, Lines))).

%!  message_to_string(+Term, -String) is det.
%   The message without prefix, as a program may show it elsewhere.
message_to_string(Term, String) :-
    '$message_to_text'(Term, Text),
    atom_string(Text, String).

%!  '$message_to_text'(+Term, -Text) is det.
%   The message as an atom, without prefix.
'$message_to_text'(Term, Text) :-
    '$message_to_lines'(Term, Lines),
    '$without_end'(Lines, L),
    with_output_to(atom(Text), (current_output(S), '$print_prefixed'(L, S, ''))).

'$without_end'([], [flush]).
'$without_end'([X|Xs], [X|Ys]) :- '$without_end'(Xs, Ys).

% --- translation ---

%!  translate_message(+Term)// is det.
%   The elements of the message for Term.
translate_message(Term) -->
    { var(Term) }, !,
    [ 'Unknown message: ~p'-[Term] ].
translate_message(Term) -->
    '$user_message'(Term), !.
translate_message(Term) -->
    % (A program may print what looks like one, with something else in it.)
    { catch('$system_message'(Term, Lines, Tail), error(type_error(_, _), _), fail) }, !,
    '$elements'(Lines, Tail).
translate_message(Term) -->
    '$program_message'(Term), !.
translate_message(error(Formal, Context)) --> !,
    ( { '$caller_unknown'(Formal, Context) } -> [] ; '$message_location'(Context) ),
    '$formal_message'(Formal),
    '$message_extra'(Context).
translate_message(Term) -->
    [ 'Unknown message: ~p'-[Term] ].

'$elements'(Lines, Tail, Lines, Tail).

'$user_message'(Term, Lines, Tail) :- prolog:message(Term, Lines, Tail).

'$system_message'(error(existence_error(procedure, PI), Context)) -->
    { nonvar(Context), Context = context(Caller, Comment), Caller == toplevel }, !,
    [ 'Unknown procedure: ~q (~w)'-[PI, Comment] ],
    '$unknown_hint'(PI).
'$system_message'('$aborted') -->
    [ 'Execution Aborted' ].
'$system_message'(unwind(abort)) -->
    [ 'Execution Aborted' ].
'$system_message'(time_limit_exceeded) -->
    [ 'Time limit exceeded' ].
'$system_message'(inference_limit_exceeded) -->
    [ 'Inference limit exceeded' ].
'$system_message'(time_limit_exceeded(Context)) -->
    [ 'Time limit exceeded: ~p'-[Context] ].
'$system_message'(format(Format, Args)) -->
    [ Format-Args ].
'$system_message'(debug(Format, Args)) -->
    [ Format-Args ].
'$system_message'(no_autoload(Spec)) -->
    [ '~p: No such file'-[Spec] ].
'$system_message'(debug_no_topic(Topic)) -->
    [ '~q: no matching debug topic (yet)'-[Topic] ].
'$system_message'(debugging([])) --> !,
    [ 'No debug topics are active' ].
'$system_message'(debugging(Topics)) -->
    [ 'Active debug topics:' ],
    '$topics'(Topics).
'$system_message'(version(Text)) -->
    [ '~w'-[Text] ].
'$system_message'(assertion_failed(_, Goal)) -->
    [ 'Assertion failed: ~p'-[Goal] ].
'$system_message'(lines(Lines)) -->
    '$lines'(Lines).
'$system_message'(message_lines(Lines)) -->
    '$text_lines'(Lines).
'$system_message'(unhandled_exception(E)) -->
    [ 'Unhandled exception: ' ],
    translate_message(E).
'$system_message'(goal_failed(Context, Goal)) -->
    [ 'Goal (~w) failed: ~p'-[Context, Goal] ].
'$system_message'(singletons(_, Names)) -->
    [ 'Singleton variables: ~w'-[Names] ].
'$system_message'(compiler_warnings(_, Warnings)) -->
    '$compiler_warnings'(Warnings).
'$system_message'(undefined_export(Module, PI)) -->
    [ 'Exported procedure ~q:~q is not defined'-[Module, PI] ].
'$system_message'(decl_no_effect(Declaration)) -->
    [ 'Deprecated declaration has no effect: ~p'-[Declaration] ].
'$system_message'(discontiguous(PI, Current)) -->
    [ 'Clauses of ~p are not together in the source-file'-[PI], nl ],
    ( { '$definition_place'(PI, Earlier) } -> [ 'Earlier definition at ~w'-[Earlier], nl ] ; [] ),
    ( { Current == (-) } -> [] ; [ 'Current predicate: ~p'-[Current], nl ] ),
    [ 'Use :- discontiguous ~p. to suppress this message'-[PI] ].
'$system_message'(redefined_procedure(Type, PI)) -->
    [ 'Redefined ~w procedure ~p'-[Type, PI] ],
    ( { '$definition_place'(PI, Earlier) } -> [ nl, 'Previously defined at ~w'-[Earlier] ] ; [] ).
'$system_message'(import_private(Into, PI)) -->
    [ 'import/1: ~p is not exported (still imported into ~q)'-[PI, Into] ].
'$system_message'(import_private_operator(M:Op)) -->
    [ 'Operator ~q is not exported (still defined)'-[M:Op] ].
%   A definition of its own goes before what a module imports weakly.
'$system_message'(ignored_weak_import(Into, From:PI)) -->
    [ 'Local definition of ~p overrides weak import from ~q'-[Into:PI, From] ].
'$system_message'(on_error(halt(Status))) -->
    { statistics(errors, Errors), statistics(warnings, Warnings) },
    [ 'Halting with status ~w due to ~D errors and ~D warnings'-[Status, Errors, Warnings] ].
'$system_message'(no_current_module(M)) -->
    [ '~q is not a current module (created)'-[M] ].
'$system_message'(no_text(_:Line:Column, Stream)) -->
    { stream_property(Stream, encoding(Encoding)) }, !,
    [ '~w:~w: Bytes that are no text in encoding ~w'-[Line, Column, Encoding] ].
'$system_message'(load_file_error(File, E)) -->
    [ '~w: '-[File] ],
    translate_message(E).
'$system_message'(no_current_module(Module)) -->
    [ '~w is not a current module (created)'-[Module] ].
'$system_message'(initialization_failure(_, File:Line)) --> !,
    [ '~w:~w: Initialization goal failed'-[File, Line] ].
'$system_message'(initialization_failure(Goal, _)) -->
    [ 'Initialization goal failed: ~p'-[Goal] ].
'$system_message'(initialization_error(_, E, File:Line)) --> !,
    [ '~w:~w: Initialization goal raised exception:'-[File, Line], nl ],
    translate_message(E).
'$system_message'(initialization_error(Goal, E, _)) -->
    [ 'Initialization goal ~p raised exception:'-[Goal], nl ],
    translate_message(E).
'$system_message'(init_goal_syntax(E, Text)) -->
    [ '-g ~w: '-[Text] ],
    translate_message(E).
'$system_message'(init_goal_failed(failed, '@'(Goal, File:Line))) --> !,
    [ '~w:~w: ~p: false'-[File, Line, Goal] ].
'$system_message'(init_goal_failed(failed, Text)) --> !,
    [ '-g ~w: false'-[Text] ].
'$system_message'(init_goal_failed(E, '@'(Goal, File:Line))) --> !,
    [ '~w:~w: ~p '-[File, Line, Goal] ],
    translate_message(E).
'$system_message'(init_goal_failed(E, Text)) -->
    [ '-g ~w: '-[Text] ],
    translate_message(E).
'$system_message'(initialization_exception(E)) -->
    [ 'Prolog initialisation failed:', nl ],
    translate_message(E).
'$system_message'(bad_option(Option)) -->
    [ 'Unknown option: ~w (see samite --help)'-[Option] ].
'$system_message'(missing_argument(Option)) -->
    [ 'Option ~w needs an argument'-[Option] ].
'$system_message'(bad_argument(Option, Argument)) -->
    [ 'Bad argument to command line option ~w: ~w'-[Option, Argument] ].
'$system_message'(cannot_redefine_comma) -->
    [ 'Full stop in clause-body?  Cannot redefine ,/2' ].
'$system_message'(cancel_halt(Reason)) -->
    [ 'Halt cancelled: ~p'-[Reason] ].
'$system_message'(welcome) -->
    [ 'Welcome to Samite. Leave by halt. or Ctrl-D.' ].
'$system_message'(halt) -->
    [ halt ].
'$system_message'(break(begin, Level)) -->
    [ 'Break level ~d'-[Level] ].
'$system_message'(break(end, Level)) -->
    [ 'Exit break level ~d'-[Level] ].
'$system_message'(interrupt(begin)) -->
    [ 'Action (h for help) ? ', flush ].
'$system_message'(interrupt(help)) -->
    [ 'Options:', nl,
      'a:           abort         c:           continue', nl,
      'e:           exit          h (?):       help' ].
'$system_message'(abnormal_thread_completion(Goal, Reason)) -->
    [ 'Thread running "~p" '-[Goal] ],
    '$thread_died'(Reason).
'$system_message'(exit_goal_raised(_, Goal, E)) -->
    [ 'Goal at exit of the thread "~p" raised an exception:'-[Goal], nl ],
    translate_message(E).

'$thread_died'(exception(E)) --> !,
    [ 'died on exception: ' ],
    translate_message(E).
'$thread_died'(_) -->
    [ 'died due to failure' ].

'$topics'([]) --> [].
'$topics'([T|Ts]) --> [ nl, '    ~q'-[T] ], '$topics'(Ts).

'$lines'([]) --> [].
'$lines'([L|Ls]) --> [L], '$lines'(Ls).

'$text_lines'([]) --> [].
'$text_lines'([L]) --> !, [ '~w'-[L] ].
'$text_lines'([L|Ls]) --> [ '~w'-[L], nl ], '$text_lines'(Ls).

%   Where the first clause of a predicate is.
'$definition_place'(PI, File:Line) :-
    '$plain_goal'(PI, Plain),
    nonvar(Plain), Plain = _/_,
    (   '$load_state'(Loaded, Session, _) -> true
    ;   Loaded = [], Session = -1
    ),
    '$definition_place'(PI, Loaded, Session, File, Line).

'$compiler_warnings'([]) --> [].
'$compiler_warnings'([W|Ws]) -->
    '$compiler_warning'(W),
    ( { Ws == [] } -> [] ; [ nl ] ),
    '$compiler_warnings'(Ws).

%   Variables are shown by the names that they have in the clause that is being loaded.
'$compiler_warning'(branch_singleton(V)) -->
    '$about_clause'('Singleton variable in branch: ~W', V).
'$compiler_warning'(negation_singleton(V)) -->
    '$about_clause'('Singleton variable in \\+: ~W', V).
'$compiler_warning'(multiton(V)) -->
    '$about_clause'('Singleton-marked variable appears more than once: ~W', V).
'$compiler_warning'(eq_vv(A, B)) -->
    '$about_clause'('Test is always true: ~W', A == B).
'$compiler_warning'(eq_singleton(A, B)) -->
    '$about_clause'('Test is always false: ~W', A == B).
'$compiler_warning'(neq_vv(A, B)) -->
    '$about_clause'('Test is always false: ~W', A \== B).
'$compiler_warning'(neq_singleton(A, B)) -->
    '$about_clause'('Test is always true: ~W', A \== B).
'$compiler_warning'(always(Holds, Name, Argument)) -->
    { Test =.. [Name, Argument], atom_concat('Test is always ', Holds, Format0), atom_concat(Format0, ': ~W', Format) },
    '$about_clause'(Format, Test).

'$about_clause'(Format, Term) -->
    { ( prolog_load_context(variable_names, Names) -> Options = [quoted(true), variable_names(Names)] ; Options = [quoted(true)] ) },
    [ Format-[Term, Options] ].

%   The context names the unknown procedure itself: that says nothing.
'$caller_unknown'(Formal, Context) :-
    nonvar(Formal), Formal = existence_error(procedure, PI0),
    nonvar(Context), Context = context(Caller0, _),
    '$plain_goal'(PI0, PI),
    '$plain_goal'(Caller0, Caller),
    PI == Caller.

'$plain_goal'(T, T) :- var(T), !.
'$plain_goal'(_:T, G) :- !, '$plain_goal'(T, G).
'$plain_goal'(T, T).

% --- errors ---

'$formal_message'(Formal) -->
    { var(Formal) }, !,
    [ 'Unknown error term: ~p'-[Formal] ].
'$formal_message'(Formal) -->
    '$user_error_message'(Formal), !.
'$formal_message'(Formal) -->
    '$iso_message'(Formal), !.
'$formal_message'(Formal) -->
    '$program_error'(Formal), !.
'$formal_message'(Formal) -->
    [ 'Unknown error term: ~p'-[Formal] ].

'$user_error_message'(Formal, Lines, Tail) :- prolog:error_message(Formal, Lines, Tail).

'$iso_message'(loop_error(Spec)) -->
    [ 'File search: too many levels of indirections on: ~p'-[Spec] ].
'$iso_message'(instantiation_error) -->
    [ 'Arguments are not sufficiently instantiated' ].
'$iso_message'(uninstantiation_error(Culprit)) -->
    [ 'Uninstantiated argument expected, found ~p'-[Culprit] ].
'$iso_message'(type_error(Type, Culprit)) -->
    (   { Type == evaluable, callable(Culprit) }
    ->  [ 'Arithmetic: `~p'' is not a function'-[Culprit] ]
    ;   { Type == free_of_attvar }
    ->  [ 'Type error: `~p'' contains attributed variables'-[Culprit] ]
    ;   { '$type_phrase'(Culprit, Phrase) },
        [ 'Type error: `~w'' expected, found `~p'' (~w)'-[Type, Culprit, Phrase] ]
    ).
'$iso_message'(domain_error(Domain, Culprit)) -->
    (   { nonvar(Domain), Domain = range(Low, High) }
    ->  [ 'Domain error: [~q..~q] expected, found `~p'''-[Low, High, Culprit] ]
    ;   [ 'Domain error: `~w'' expected, found `~p'''-[Domain, Culprit] ]
    ).
'$iso_message'(existence_error(Type, Object)) -->
    { var(Type) }, !,
    [ '~w `~p'' does not exist'-[Type, Object] ].
'$iso_message'(existence_error(procedure, PI)) -->
    { '$plain_goal'(PI, Plain), nonvar(Plain), Plain = _/_ }, !,
    [ 'Unknown procedure: ~q'-[PI] ],
    '$unknown_hint'(PI).
'$iso_message'(existence_error(answer_variable, Name)) --> !,
    [ '$~w was not bound by a previous query'-[Name] ].
'$iso_message'(existence_error(matching_rule, Goal)) --> !,
    [ 'No rule matches ~p'-[Goal] ].
'$iso_message'(determinism_error(What, Det, Found, Why)) -->
    { Det == det }, !,
    '$undetermined_message'(Why, What),
    '$undetermined_found'(Found, Why).
'$iso_message'(process_error(Program, Ended)) -->
    { nonvar(Ended), Ended = exit(Status), nonvar(Status) }, !,
    [ 'Process "~w": exit status: ~w'-[Program, Status] ].
'$iso_message'(process_error(Program, Ended)) -->
    { nonvar(Ended), Ended = killed(Signal), nonvar(Signal) }, !,
    [ 'Process "~w": killed by signal ~w'-[Program, Signal] ].
'$iso_message'(existence_error(Type, Object)) -->
    [ '~w `~p'' does not exist'-[Type, Object] ].
'$iso_message'(existence_error(Type, Object, In)) -->
    [ '~w `~p'' does not exist in ~p'-[Type, Object, In] ].
'$iso_message'(duplicate_key(Key)) -->
    [ 'Duplicate key: ~p'-[Key] ].
'$iso_message'(permission_error(Action, Type, Object)) -->
    '$permission_message'(Type, Action, Object).
'$iso_message'(representation_error(What)) -->
    [ 'Cannot represent due to `~w'''-[What] ].
'$iso_message'(evaluation_error(What)) -->
    [ 'Arithmetic: evaluation error: `~p'''-[What] ].
'$iso_message'(resource_error(tripwire(Wire, Call))) --> !,
    [ 'Trapped tripwire ~w for ~p'-[Wire, Call] ].
'$iso_message'(resource_error(What)) -->
    [ 'Not enough resources: ~w'-[What] ].
'$iso_message'(not_implemented(Type, What)) -->
    [ '~w `~p'' is not implemented in this version'-[Type, What] ].
'$iso_message'(limit_exceeded(Limit, Most)) -->
    [ 'Exceeded ~w limit (~w)'-[Limit, Most] ].
'$iso_message'(shared_object(_, Said)) -->
    [ '~w'-[Said] ].
'$iso_message'(syntax_error(What)) -->
    [ 'Syntax error: ' ],
    '$syntax_message'(What).
'$iso_message'(conditional_compilation_error(no_if, Directive)) -->
    [ ':- ~w without :- if'-[Directive] ].
'$iso_message'(conditional_compilation_error(unterminated, File:Line)) -->
    [ 'Unterminated conditional compilation from ~w:~w'-[File, Line] ].
'$iso_message'(busy(Type, Object)) -->
    [ '~w `~p'' is busy'-[Type, Object] ].
'$iso_message'(occurs_check(Var, Term)) -->
    [ 'Cannot unify ~p with ~p: would create an infinite tree'-[Var, Term] ].
'$iso_message'(timeout_error(Operation, Stream)) -->
    [ 'Timeout in ~w from ~p'-[Operation, Stream] ].
'$iso_message'(io_error(Operation, Stream)) -->
    [ 'I/O error in ~w on stream ~p'-[Operation, Stream] ].
'$iso_message'(socket_error(_, Message)) -->
    [ 'Socket error: ~w'-[Message] ].
'$iso_message'(shell(signal(Signal), Command)) -->
    [ 'Caught signal ~w on `~w'''-[Signal, Command] ].
'$iso_message'(system_error) -->
    [ 'error in system call' ].
'$iso_message'(system_error(What)) -->
    [ 'error in system call: ~w'-[What] ].
'$iso_message'(format(Text)) -->
    [ 'Format error: ~w'-[Text] ].
'$iso_message'(format(Format, Args)) -->
    [ Format-Args ].
'$iso_message'(format_argument_type(Directive, Argument)) -->
    [ 'Illegal argument to format sequence ~~~w: ~p'-[Directive, Argument] ].
'$iso_message'(thread_error(Thread, Status)) -->
    '$thread_status'(Status, Thread).
'$iso_message'(assertion_error(_, Goal)) -->
    [ 'Assertion failed: ~p'-[Goal] ].
'$iso_message'(assertion_failed(Goal)) -->
    [ 'Assertion failed: ~p'-[Goal] ].

'$thread_status'(false, Thread) --> !, [ 'Thread ~p died due to failure:'-[Thread] ].
'$thread_status'(exception(E), Thread) --> !, [ 'Thread ~p died abnormally:'-[Thread], nl ], translate_message(E).
'$thread_status'(Status, Thread) --> [ 'Thread ~p ended with ~p'-[Thread, Status] ].

%   What kind of term it is, with its article.
'$type_phrase'(T, 'a var') :- var(T), !.
'$type_phrase'(T, 'an integer') :- integer(T), !.
'$type_phrase'(T, 'a float') :- float(T), !.
'$type_phrase'(T, 'a rational') :- number(T), !.
'$type_phrase'(T, 'a string') :- string(T), !.
'$type_phrase'(T, 'an empty_list') :- T == [], !.
'$type_phrase'(T, 'an atom') :- atom(T), !.
'$type_phrase'(T, 'a cyclic') :- cyclic_term(T), !.
'$type_phrase'(T, 'a dict') :- is_dict(T), !.
'$type_phrase'(T, 'a list') :- is_list(T), !.
'$type_phrase'(T, Phrase) :- atomic(T), blob(T, Kind), !, atomic_list_concat([a, ' ', Kind, '_reference'], Phrase).
'$type_phrase'(_, 'a compound').

'$unknown_hint'(PI) -->
    { '$plain_goal'(PI, P), nonvar(P), '$unknown_hint_text'(P, Text) }, !,
    [ nl, Text-[] ].
'$unknown_hint'(PI) --> '$other_arities'(PI).

%   A predicate of that name with another number of arguments, or in another module of the program; if there is none, of a name that is
%   nearly the same.
'$other_arities'(PI0) -->
    { '$other_definitions'(PI0, Others) }, !,
    [ nl, '  However, there are definitions for:' ],
    '$indicators'(Others).
'$other_arities'(_) --> [].

'$has_other_definitions'(PI) :- '$other_definitions'(PI, _).

'$other_definitions'(PI0, Others) :-
    nonvar(PI0), '$plain_goal'(PI0, Name/Arity), atom(Name),
    ( PI0 = M:_, atom(M) -> true ; M = user ),
    findall(Other, '$other_definition'(M, Name, Arity, Other), Others0),
    (   Others0 \== [] -> sort(Others0, Others)
    ;   '$similar_predicates'(M, Name, Arity, Others), Others \== []
    ).

'$other_definition'(M, Name, Arity, Other) :-
    '$predicates'(_, Name, _, All),
    '$member'(D:Name/A, All),
    D:Name/A \== M:Name/Arity,
    \+ module_property(D, class(library)),
    (   ( D == user ; '$predicate_properties'(user:Name/A, Ps), '$member'(imported_from(D), Ps) )
    ->  A \== Arity, Other = Name/A
    ;   Other = D:Name/A
    ).
'$other_definition'(M, Name, Arity, Name/A) :-
    '$arity'(0, 9, A),
    A \== Arity,
    '$is_system'(M, Name/A).

'$arity'(A, _, A).
'$arity'(A0, Most, A) :- A0 < Most, A1 is A0+1, '$arity'(A1, Most, A).

'$is_system'(_, Name/A) :- sub_atom(Name, 0, _, _, $), !, A < 0.
'$is_system'(_, PI) :- '$predicate_properties'(system:PI, Ps), Ps \== [], !.
'$is_system'(M, PI) :- '$predicate_properties'(M:PI, Ps), Ps \== [], !.
'$is_system'(_, PI) :- '$library_for_calls'(PI, _).

'$indicators'([]) --> [].
'$indicators'([PI|PIs]) --> [ nl, '        ~q'-[PI] ], '$indicators'(PIs).

'$unknown_hint_text'((^)/2, '  ^/2 can only appear as the 2nd argument of setof/3 and bagof/3').
'$unknown_hint_text'((:-)/2, '  Rules must be loaded from a file').
'$unknown_hint_text'((=>)/2, '  Rules must be loaded from a file').
'$unknown_hint_text'((:-)/1, '  Directives must be loaded from a file').
'$unknown_hint_text'((?-)/1, '  ?- is the Prolog prompt').
'$unknown_hint_text'(PI, Text) :-
    '$absent'(PI, Why),
    atom_concat('  ', Why, Text).

'$undetermined_message'(goal, Goal) --> !,
    [ 'Goal ~p'-[Goal] ].
'$undetermined_message'(property, PI) -->
    { '$plain_goal'(PI, P), nonvar(P), P = Name/Arity, atom(Name), integer(Arity),
      functor(Head, Name, Arity),
      ( PI = M:_ -> true ; M = user ),
      predicate_property(M:Head, det) }, !,
    [ 'Deterministic procedure ~p'-[PI] ].
'$undetermined_message'(property, PI) --> !,
    [ 'Procedure ~p called from a deterministic procedure'-[PI] ].
'$undetermined_message'(_, PI) -->
    [ 'Procedure ~p'-[PI] ].

'$undetermined_found'(fail, Why) --> !,
    [ ' failed'-[] ],
    '$undetermined_by'(Why).
'$undetermined_found'(_, goal) --> !,
    [ ' succeeded with a choice point'-[] ].
'$undetermined_found'(_, Why) -->
    [ ' succeeded with a choicepoint'-[] ],
    '$undetermined_by'(Why).

'$undetermined_by'(guard) --> !,
    [ ' after $-guard'-[] ].
'$undetermined_by'(guard_in_caller) --> !,
    [ ' after $-guard in caller'-[] ].
'$undetermined_by'(_) -->
    [].

'$permission_message'(built_in_procedure, Action, PI) --> !,
    [ 'No permission to ~w built-in predicate `~p'''-[Action, PI], nl,
      'Use :- redefine_system_predicate(+Head) if redefinition is intended' ].
'$permission_message'(static_procedure, Action, PI) --> !,
    [ 'No permission to ~w static procedure `~p'''-[Action, PI] ],
    '$defined_at'(PI).
'$permission_message'(stream, input, Stream) --> !,
    [ 'No permission to read from output stream `~p'''-[Stream] ].
'$permission_message'(stream, output, Stream) --> !,
    [ 'No permission to write to input stream `~p'''-[Stream] ].
'$permission_message'(text_stream, input, Stream) --> !,
    [ 'No permission to read bytes from TEXT stream `~p'''-[Stream] ].
'$permission_message'(text_stream, output, Stream) --> !,
    [ 'No permission to write bytes to TEXT stream `~p'''-[Stream] ].
'$permission_message'(binary_stream, input, Stream) --> !,
    [ 'No permission to read characters from binary stream `~p'''-[Stream] ].
'$permission_message'(binary_stream, output, Stream) --> !,
    [ 'No permission to write characters to binary stream `~p'''-[Stream] ].
'$permission_message'(source_sink, open, Object) -->
    { nonvar(Object), Object = alias(Alias) }, !,
    [ 'No permission to reuse alias "~p": already taken'-[Alias] ].
'$permission_message'(procedure, import_into(Into), PI) --> !,
    [ 'No permission to import ~p into ~q'-[PI, Into] ].
'$permission_message'(procedure, assert, PI) -->
    { '$plain_goal'(PI, P), nonvar(P), P = Name/Arity, atom(Name), integer(Arity),
      functor(Head, Name, Arity),
      ( PI = M:_ -> true ; M = user ),
      predicate_property(M:Head, ssu) }, !,
    [ '~p: an SSU (Head => Body) predicate cannot have normal Prolog clauses'-[PI] ].
'$permission_message'(Type, Action, Object) -->
    [ 'No permission to ~w ~w `~p'''-[Action, Type, Object] ].

%   Where a predicate of the program has its first clause.
'$defined_at'(PI) -->
    {   '$plain_goal'(PI, P), nonvar(P), P = Name/Arity, atom(Name), integer(Arity),
        ( nonvar(PI), PI = M:_, atom(M) -> true ; M = user ),
        functor(Head, Name, Arity),
        catch(nth_clause(M:Head, 1, Ref), error(_, _), fail),
        clause_property(Ref, file(File)),
        clause_property(Ref, line_count(Line))
    }, !,
    [ nl, 'Defined at ~w:~w'-[File, Line] ].
'$defined_at'(_) --> [].

% --- the context of errors ---

%   Before the message: who raised the error, or where in a text it is.
'$message_location'(Context) --> { var(Context) }, !.
'$message_location'(Context, Lines, Tail) :- prolog:message_location(Context, Lines, Tail), !.
'$message_location'(context(Caller, _)) -->
    { ground(Caller) }, !,
    '$caller'(Caller).
'$message_location'(file(File, Line, Column, _)) --> !,
    (   { Column == -1 }
    ->  [ '~w:~w: '-[File, Line] ]
    ;   [ '~w:~w:~w: '-[File, Line, Column] ]
    ).
'$message_location'(stream(Stream, Line, Column, _)) --> !,
    (   { catch(stream_property(Stream, file_name(File)), error(_, _), fail) ; '$text_of_stream'(Stream, File) }
    ->  [ '~w:~w:~w: '-[File, Line, Column] ]
    ;   { '$stream_name'(Stream, Name) },
        [ 'Stream ~w:~w:~w '-[Name, Line, Column] ]
    ).
'$message_location'(stream(Stream, Line, Column, Count, _)) --> !,
    '$message_location'(stream(Stream, Line, Column, Count)).
'$message_location'(_) --> [].

%   What is loaded from a stream has a name of its own.
'$text_of_stream'(Stream, Text) :-
    '$texts'(Texts),
    '$member'(Text-S, Texts),
    ( S == Stream -> true ; catch(stream_property(Stream, alias(S)), error(_, _), fail) ), !.

'$stream_name'(Stream, Name) :-
    catch(stream_property(Stream, alias(Alias)), error(_, _), fail), !,
    Name = Alias.
'$stream_name'(Stream, Stream).

%   Names of the system's own, which begin with `$`, say nothing to others.
'$caller'(Caller) -->
    { '$plain_goal'(Caller, Name/_), atom(Name), sub_atom(Name, 0, _, _, $) }, !.
'$caller'(Module:Name/Arity) --> !,
    (   { '$hidden_module'(Module) }
    ->  [ '~q/~w: '-[Name, Arity] ]
    ;   [ '~q:~q/~w: '-[Module, Name, Arity] ]
    ).
'$caller'(Name/Arity) --> !,
    [ '~q/~w: '-[Name, Arity] ].
'$caller'(Caller) -->
    [ '~p: '-[Caller] ].

'$hidden_module'(system).
'$hidden_module'(user).

%   Behind the message: a comment, or the text around a syntax error.
'$message_extra'(Context) --> { var(Context) }, !.
'$message_extra'(Context, Lines, Tail) :- prolog:message_context(Context, Lines, Tail), !.
'$message_extra'(context(_, Why)) --> { nonvar(Why), Why = already_from(Module) }, !,
    [ ' (already imported from ~q)'-[Module] ].
'$message_extra'(context(_, Comment)) -->
    { nonvar(Comment), Comment \== '' }, !,
    '$comment'(Comment).
'$message_extra'(string(Text, Position)) --> { integer(Position) }, !,
    '$text_around'(Text, Position),
    (   { '$unclosed'(Text, Position, Bracket, Line, Column) }
    ->  [ nl, '`~w'' was opened at ~w:~w and not closed'-[Bracket, Line, Column] ]
    ;   []
    ).
'$message_extra'(file(File, Line, Column, Count)) -->
    { nb_current('$syntax_note', Place-Note), Place == file(File, Line, Column, Count) }, !,
    '$syntax_note'(Note, File).
'$message_extra'(stream(_, _, _, _, string(Text, Position))) --> !,
    '$text_around'(Text, Position).
'$message_extra'(_) --> [].

'$syntax_note'(opened(Bracket, Line, Column), File) -->
    [ nl, '  `~w'' was opened at ~w:~w:~w and not closed'-[Bracket, File, Line, Column] ].
'$syntax_note'(begins(Line), _) -->
    [ nl, '  The term begins at line ~w: is a full stop or a comma missing before this?'-[Line] ].
'$syntax_note'(begins_quoted(Line), _) -->
    [ nl, '  The term begins at line ~w: is a quote missing before this?'-[Line] ].

'$comment'(Format-Args) --> !,
    [ ' (' , Format-Args, ')' ].
'$comment'(Comment) -->
    [ ' (~w)'-[Comment] ].

'$text_around'(Text, Position) -->
    { sub_string(Text, 0, Position, _, Before),
      sub_string(Text, Position, _, 0, After) }, !,
    [ nl, '~w'-[Before], nl, '** here **', nl, '~w'-[After] ].
'$text_around'(Text, _) -->
    [ nl, '~w'-[Text] ].
