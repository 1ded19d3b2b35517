%   The toplevel: command line, scripts, and the loop that reads queries and shows answers. Loaded into module `system`
%   when a program starts; the host calls '$start'/1 once.
%
%   What is printed, and the exit status, follow SWI-Prolog. Differs from it in: without a terminal, an answer is
%   followed by another only if the next character of the input is `;`; an exception in the goal of -t ends the program.

%   Hooks of messages.pl; a program may add clauses before the first message.
:- dynamic(prolog:message/3).
:- multifile(prolog:message/3).
:- dynamic(prolog:error_message/3).
:- multifile(prolog:error_message/3).
:- dynamic(user:message_hook/3).
:- multifile(user:message_hook/3).
:- dynamic(user:message_property/2).
:- multifile(user:message_property/2).

:- dynamic('$option_goal'/1).
:- dynamic('$option_script'/1).
:- dynamic('$option_toplevel'/1).
:- dynamic('$only_loads'/0).

% --- start ---

%!  '$start'(+Argv) is det.
%   Runs a program: Argv is a list of atoms, the program's name first. Leaves by halt/1 only.
'$start'(Argv) :-
    '$catch_all'('$start_program'(Argv), E, '$start_failed'(E)),
    halt(0).
'$start'(_) :- halt(1).

%   '$tell'(+Kind, +Message): what ends here is told of, even if a hook of the user's raises something else for it.
'$tell'(Kind, Message) :-
    '$catch_all'(print_message(Kind, Message), E, '$untold'(Message, E)).

'$untold'(Message, E) :-
    Options = [quoted(true), max_depth(20)],
    catch(format(user_error, '~NERROR: ~W~nERROR: raised while that was to be told: ~W~n', [Message, Options, E, Options]), error(_, _), true).

'$start_failed'('$aborted') :- !,
    '$tell'(informational, '$aborted'), halt(1).
'$start_failed'(E) :-
    '$tell'(error, initialization_exception(E)), halt(1).

'$start_program'([Program|Words]) :-
    '$put_flag'(os_argv, [Program|Words]),
    '$options'(Words, Rest),
    '$split_arguments'(Rest, Files, Arguments),
    '$put_flag'(argv, Arguments),
    '$load_scripts',
    '$load_script_files'(Files),
    (   '$run_goals',
        ( '$only_loads' -> true ; '$run_program', '$run_main' ),
        '$run_toplevel'
    ;   % A goal of at_halt/1 has cancelled the end.
        '$toplevel'
    ).

'$put_flag'(Flag, Value) :-
    catch(set_prolog_flag(Flag, Value), error(_, _), create_prolog_flag(Flag, Value, [])).

% --- the command line ---

%   Takes the options; Rest is the first word that is none, and what follows.
'$options'([], []).
'$options'([--|Words], [--|Words]) :- !.
'$options'([Word|Words], Rest) :-
    '$short_option'(Word, Action), !,
    (   Words = [Argument|More]
    ->  '$option'(Action, Argument), '$options'(More, Rest)
    ;   '$usage_error'(missing_argument(Word))
    ).
'$options'([Word|Words], Rest) :-
    '$option'(Word), !,
    '$options'(Words, Rest).
'$options'([Word|Words], Rest) :-
    atom_concat(--, Long, Word), !,
    '$long_option'(Long, Word),
    '$options'(Words, Rest).
'$options'([Word|_], _) :-
    Word \== (-), atom_concat(-, _, Word), !,
    '$usage_error'(bad_option(Word)).
'$options'(Words, Words).

'$short_option'('-g', goal).
'$short_option'('-t', toplevel).
'$short_option'('-f', init_file).
'$short_option'('-F', ignore).
'$short_option'('-l', load).
'$short_option'('-s', script).
'$short_option'('-p', ignore).

'$option'(goal, Text) :- assertz('$option_goal'(Text)).
'$option'(toplevel, Text) :- retractall('$option_toplevel'(_)), assertz('$option_toplevel'(Text)).
'$option'(init_file, none) :- !.
'$option'(init_file, File) :- asserta('$option_script'(File)).
'$option'(load, File) :- asserta('$only_loads'), assertz('$option_script'(File)).
'$option'(script, File) :- assertz('$option_script'(File)).
'$option'(ignore, _).

'$option'('-q') :- '$put_flag'(verbose, silent).
'$option'('--quiet') :- '$put_flag'(verbose, silent).
'$option'('-O') :- '$put_flag'(optimise, true).
'$option'('--iso') :- '$put_flag'(iso, true).
'$option'('--version') :- '$print_version', halt(0).
'$option'('-v') :- '$print_version', halt(0).
'$option'('--help') :- '$print_usage'(user_output), halt(0).
'$option'('-h') :- '$print_usage'(user_output), halt(0).

'$long_option'(Long, Word) :-
    sub_atom(Long, Before, 1, After, =), !,
    sub_atom(Long, 0, Before, _, Name),
    sub_atom(Long, _, After, 0, Value),
    '$long_option'(Name, Value, Word).
'$long_option'(Name, _) :- '$ignored_option'(Name), !.
'$long_option'(Name, _) :- atom_concat('no-', Plain, Name), '$ignored_option'(Plain), !.
'$long_option'(_, Word) :- '$usage_error'(bad_option(Word)).

'$long_option'(Name, Value, _) :-
    '$size_option'(Name), !,
    (   '$size'(Value, Bytes),
        Bytes >= 1<<20              % the least that leaves room to report an error
    ->  '$put_flag'(memory_limit, Bytes)
    ;   atom_concat(--, Name, Option),
        '$usage_error'(bad_argument(Option, Value))
    ).
'$long_option'(quiet, Value, _) :- !,
    ( Value == false -> '$put_flag'(verbose, normal) ; '$put_flag'(verbose, silent) ).
'$long_option'(Name, Value, _) :-
    '$style_option'(Name, Flag), !,
    (   catch(set_prolog_flag(Flag, Value), error(domain_error(_, _), _), fail) -> true
    ;   atom_concat(--, Name, Option),
        '$usage_error'(bad_argument(Option, Value))
    ).
'$long_option'(Name, _, _) :- '$ignored_option'(Name), !.
'$long_option'(_, _, Word) :- '$usage_error'(bad_option(Word)).

'$style_option'('on-error', on_error).
'$style_option'('on_error', on_error).
'$style_option'('on-warning', on_warning).
'$style_option'('on_warning', on_warning).

'$size_option'('memory-limit').
'$size_option'('stack-limit').
'$size_option'('memory_limit').
'$size_option'('stack_limit').

%   Options of SWI-Prolog without a meaning here.
'$ignored_option'(tty).
'$ignored_option'(packs).
'$ignored_option'(signals).
'$ignored_option'(threads).
'$ignored_option'(debug).
'$ignored_option'('debug-on-interrupt').
'$ignored_option'('table-space').
'$ignored_option'('shared-table-space').
'$ignored_option'(home).
'$ignored_option'(pldoc).

%   A number of bytes, with the suffix b, k, m or g.
'$size'(Text, Bytes) :-
    sub_atom(Text, Before, 1, 0, Suffix),
    '$size_factor'(Suffix, Factor), !,
    sub_atom(Text, 0, Before, _, Digits),
    '$whole'(Digits, N),
    Bytes is N * Factor.
'$size'(Text, Bytes) :- '$whole'(Text, Bytes).

'$whole'(Text, N) :-
    atom_codes(Text, Codes),
    catch(number_codes(N, Codes), error(_, _), fail),
    integer(N), N >= 0.

'$size_factor'(b, 1).
'$size_factor'('B', 1).
'$size_factor'(k, 1024).
'$size_factor'('K', 1024).
'$size_factor'(m, 1048576).
'$size_factor'('M', 1048576).
'$size_factor'(g, 1073741824).
'$size_factor'('G', 1073741824).

'$usage_error'(Message) :-
    print_message(error, Message),
    '$print_usage'(user_error),
    halt(1).

'$print_version' :-
    '$version_text'(Text),
    format(user_output, 'Samite version ~w~n', [Text]).

'$version_text'(Text) :-
    (   catch(current_prolog_flag(samite_version, V), _, fail) -> Text = V
    ;   Text = '0.1.0'
    ).

'$print_usage'(S) :-
    '$usage_line'(Line),
    write(S, Line), nl(S),
    fail.
'$print_usage'(_).

'$usage_line'('samite: Usage:').
'$usage_line'('    samite [options] prolog-file ... [-- arg ...]').
'$usage_line'('    samite --help         Display this message').
'$usage_line'('    samite --version      Display version information').
'$usage_line'('').
'$usage_line'('Options:').
'$usage_line'('    -g goal               Run goal (may be repeated)').
'$usage_line'('    -t toplevel           Toplevel goal').
'$usage_line'('    -f file               User initialisation file').
'$usage_line'('    -l file               Source file, of which the program and main goals are not run').
'$usage_line'('    -s file               Script source file').
'$usage_line'('    -O                    Optimised compilation (always on)').
'$usage_line'('    -q, --quiet           Suppress informational messages').
'$usage_line'('    --on-error=style      After errors: print (go on), halt (at the first one) or status (of halt, 1)').
'$usage_line'('    --on-warning=style    The same after warnings').
'$usage_line'('    --iso                 Set the flag iso').
'$usage_line'('    --memory-limit=size[BKMG]  Most memory of a thread (also --stack-limit)').
'$usage_line'('').
'$usage_line'('The first word that is no option is a file to load, and so are further words that end in .pl;').
'$usage_line'('the rest is in the flag argv.').

% --- files and goals ---

'$load_scripts' :-
    findall(F, retract('$option_script'(F)), Files),
    '$load_scripts'(Files).

'$load_scripts'([]).
'$load_scripts'([F|Fs]) :- '$load_script'(F), '$load_scripts'(Fs).

'$load_script'(File) :-
    load_files(user:File, []).

'$split_arguments'([], [], []).
'$split_arguments'([--|Arguments], [], Arguments) :- !.
'$split_arguments'([File|Words], [File|Files], Arguments) :-
    '$more_files'(Words, Files, Arguments).

'$more_files'([--|Arguments], [], Arguments) :- !.
'$more_files'([File|Words], [File|Files], Arguments) :-
    atom_concat(_, '.pl', File),
    exists_file(File), !,
    '$more_files'(Words, Files, Arguments).
'$more_files'(Arguments, [], Arguments).

'$load_script_files'([]).
'$load_script_files'([File|Files]) :- '$load_script'(File), '$load_script_files'(Files).

%   The goals of -g: one that fails ends the program with status 1, an exception with 2.
'$run_goals' :-
    findall(G, retract('$option_goal'(G)), Goals),
    '$run_goals'(Goals).

'$run_goals'([]).
'$run_goals'([Text|Texts]) :-
    catch(term_to_atom(Goal, Text), E, true),
    (   nonvar(E)
    ->  '$tell'(error, init_goal_failed(E, text(true, Text))), halt(2)
    ;   '$run_goal'(Goal, text(Goal, Text))
    ),
    '$run_goals'(Texts).

'$run_goal'(Goal, Context) :-
    (   catch(user:Goal, E, true)
    ->  ( var(E) -> true ; '$goal_raised'(E, Context) )
    ;   '$tell'(error, init_goal_failed(failed, Context)),
        halt(1)
    ).

'$goal_raised'(E, Context) :-
    '$tell'(error, init_goal_failed(E, Context)),
    halt(2).

%   The goals of initialization(Goal, program), in their order. As in SWI-Prolog neither they nor the main goal run after option -l.
'$run_program' :-
    findall(G-Where, retract('$program_goal'(Where, G)), Goals),
    '$run_program'(Goals).

'$run_program'([]).
'$run_program'([G-Where|Goals]) :-
    '$qualified_goal'(G, Qualified),
    '$run_goal'(Qualified, '@'(Qualified, Where)),
    '$run_program'(Goals).

'$qualified_goal'(Goal, Qualified) :- ( Goal = _:_ -> Qualified = Goal ; Qualified = user:Goal ).

%   The goal of initialization(Goal, main): then the program is over.
'$run_main' :-
    '$main_goal'(Where, Goal), !,
    '$qualified_goal'(Goal, G),
    '$run_goal'(G, '@'(G, Where)),
    halt.
'$run_main'.

'$run_toplevel' :-
    '$option_toplevel'(Text), !,
    '$run_toplevel'(Text).
'$run_toplevel' :- '$toplevel'.

'$run_toplevel'(halt) :- !, halt.
'$run_toplevel'(prolog) :- !, '$toplevel'.
'$run_toplevel'(default) :- !, '$toplevel'.
'$run_toplevel'(Text) :-
    catch(term_to_atom(Goal, Text), E, true),
    (   nonvar(E) -> '$tell'(error, E), halt(2)
    ;   catch(user:Goal, E2, true)
    ->  (   var(E2) -> halt(0)
        ;   '$tell'(error, query_error(Goal, E2)), halt(2)
        )
    ;   halt(1)
    ).

% --- the loop ---

%!  '$toplevel' is det.
%   Reads queries and shows their answers until the end of the input; then halts.
'$toplevel' :-
    ( '$tty' -> '$tell'(banner, lines(['Welcome to Samite. Leave by halt. or Ctrl-D.'-[]])) ; true ),
    repeat,
    prolog,
    nl(user_output),
    '$tell'(informational, halt),
    halt(0).

%!  prolog is det.
%   The loop alone: true at the end of the input.
prolog :-
    repeat,
    '$catch_all'('$query_step'(End), E, ( '$query_error'(true, E), End = false )),
    End == true, !.

%   One query. Everything it made is gone when it fails out of here.
'$query_step'(End) :-
    '$prompt'(Prompt),
    '$read_query'(Prompt, Query, Bindings),
    (   Query == end_of_file
    ->  End = true
    ;   End = false,
        '$query'(Query, Bindings)
    ).

'$prompt'('?- ') :- '$typein_module'(user), !.
'$prompt'(Prompt) :-
    '$typein_module'(M),
    atom_concat(M, ': ?- ', Prompt).

'$typein_module'(M) :- catch('$source_module'(M0), _, M0 = user), !, M = M0.
'$typein_module'(user).

%!  '$read_query'(+Prompt, -Query, -Bindings) is det.
%   Reads a query: a line editor on a terminal, else the next term of the input. Bindings are `Name = Variable`. Raises
%   syntax errors; end_of_file at the end.
'$read_query'(Prompt, Query, Bindings) :-
    '$tty', !,
    flush_output(user_output),
    '$query_text'(Prompt, Text),
    (   Text == end_of_file -> Query = end_of_file, Bindings = []
    ;   atom_to_term(Text, Query, Bindings)
    ).
'$read_query'(_, Query, Bindings) :-
    flush_output(user_output),
    '$piped_query'(Text),
    (   Text == end_of_file -> Query = end_of_file, Bindings = []
    ;   atom_to_term(Text, Query, Bindings)
    ).

'$query'(Query, _) :-
    var(Query), !,
    print_message(error, error(instantiation_error, _)).
'$query'(Query, Bindings) :-
    '$catch_all'('$solve'(Query, Bindings), E, '$query_error'(Query, E)), !.
'$query'(_, _).

'$query_error'(_, '$aborted') :- !,
    '$tell'(informational, '$aborted').
'$query_error'(_, unwind(abort)) :- !,
    '$tell'(informational, '$aborted').
'$query_error'(_, unwind(halt(Status))) :- !,
    halt(Status).
'$query_error'(Query, E) :-
    '$tell'(error, query_error(Query, E)).

'$solve'(Query, Bindings) :-
    (   expand_goal(Query, Goal) -> true ; Goal = Query ),
    call_cleanup(user:Goal, Det = true),
    '$fresh_line'(user_output),
    '$show_answer'(Bindings, Det), !.
'$solve'(_, _) :-
    '$fresh_line'(user_output),
    format(user_output, 'false.~n~n', []),
    flush_output(user_output).

%   Shows an answer; fails if the user wants another.
'$show_answer'(Bindings, Det) :-
    '$answer_lines'(Bindings, Lines, Names),
    '$write_answer'(Lines, Names),
    (   Det == true
    ->  format(user_output, '.~n~n', []),
        flush_output(user_output)
    ;   put_char(user_output, ' '),
        flush_output(user_output),
        '$what_next'(Next),
        '$act_on'(Next)
    ).

'$act_on'(more) :-
    format(user_output, ';~n', []), flush_output(user_output), fail.
'$act_on'(stop) :-
    format(user_output, '.~n~n', []), flush_output(user_output).
'$act_on'(abort) :-
    nl(user_output), throw('$aborted').

'$what_next'(Next) :-
    '$tty', !,
    '$answer_key'(C),
    '$answer_key'(C, Key),
    '$what_next'(Key, Next).
'$what_next'(Next) :-
    peek_char(user_input, C),
    (   C == (;)
    ->  get_char(user_input, _), Next = more
    ;   '$layout_char'(C)
    ->  get_char(user_input, _), '$what_next'(Next)
    ;   Next = stop
    ).

'$layout_char'(' ').
'$layout_char'('\t').
'$layout_char'('\r').
'$layout_char'('\n').

'$what_next'(help, Next) :- !,
    '$answer_help',
    '$what_next'(Next).
'$what_next'(unknown(C), Next) :- !,
    (   C > 32, char_code(Char, C) -> true ; Char = C ),
    format(user_output, '~nUnknown action: ~w (h for help)~nAction? ', [Char]),
    flush_output(user_output),
    '$what_next'(Next).
'$what_next'(Next, Next).

'$answer_key'(C, Key) :- '$answer_key_'(C, Key0), !, Key = Key0.
'$answer_key'(C, unknown(C)).

'$answer_key_'(0';, more).
'$answer_key_'(0'n, more).
'$answer_key_'(0'r, more).
'$answer_key_'(0' , more).
'$answer_key_'(9, more).
'$answer_key_'(10, stop).
'$answer_key_'(13, stop).
'$answer_key_'(0'c, stop).
'$answer_key_'(0'., stop).
'$answer_key_'(-1, stop).
'$answer_key_'(4, stop).
'$answer_key_'(0'a, abort).
'$answer_key_'(3, abort).
'$answer_key_'(0'h, help).
'$answer_key_'(0'?, help).

'$answer_help' :-
    format(user_output, '~n  Possible actions:~n', []),
    format(user_output, '  ; (n,r,space,TAB): redo              | c (a,RET): stop~n', []),
    format(user_output, '  a (Ctrl-C):        abort             | h (?):     help~n~nAction? ', []),
    flush_output(user_output).

% --- answers ---

%   Groups the bindings by value: a line is line(Names, Value), or line(Names, '$none') if the last name stands for an unbound
%   variable. Names are those of all variables, for write_term/2. Cyclic values become finite ones with equations: a cycle that closes
%   at the value of a group is written as its name, others as `_S1`, ... with where(Lines) behind the first value they occur in.
'$answer_lines'(Bindings, Lines, Names) :-
    '$group_bindings'(Bindings, Groups0),
    '$group_values'(Groups0, Values0),
    '$factorize_term'(Values0, Skeletons, Equations0),
    '$cut_cycles'(Groups0, Skeletons, Groups, Equations0, Equations, CycleNames0),
    '$name_cycles'(Equations, 1, CycleNames),
    '$name_variables'(Groups, Names0),
    '$binding_names'(Bindings, Used),
    '$append'(CycleNames0, CycleNames, Names1),
    '$append'(Names1, Names0, Names2),
    '$group_values'(Groups, Values),
    '$name_others'(Values-Equations, Names2, Used, Names),
    '$group_lines'(Groups, Equations, Lines).

%   Puts the finite values in place; a group whose value is the variable of an equation gets the right-hand side.
'$cut_cycles'([], _, [], Equations, Equations, []).
'$cut_cycles'([group(Ns, V)|Gs], [S|Ss], [group(Ns, Value)|Gs1], Equations0, Equations, Names) :-
    (   var(S), \+ var(V), '$take_equation'(Equations0, S, Value, Equations1)
    ->  '$last_name'(Ns, Name), Names = [Name=S|Names1]
    ;   Value = S, Equations1 = Equations0, Names = Names1
    ),
    '$cut_cycles'(Gs, Ss, Gs1, Equations1, Equations, Names1).

'$take_equation'([V=T|Es], S, Value, Rest) :-
    (   V == S
    ->  Value = T, Rest = Es
    ;   Rest = [V=T|Rest1], '$take_equation'(Es, S, Value, Rest1)
    ).

'$name_cycles'([], _, []).
'$name_cycles'([V=_|Es], I, [Name=V|Names]) :-
    number_codes(I, Codes), atom_codes(Digits, Codes),
    atom_concat('_S', Digits, Name),
    I1 is I+1,
    '$name_cycles'(Es, I1, Names).

'$binding_names'([], []).
'$binding_names'([N=_|Bs], [N|Ns]) :- '$binding_names'(Bs, Ns).

'$group_bindings'([], []).
'$group_bindings'([Name=Value|Bs], [group([Name|Names], Value)|Groups]) :-
    '$same_value'(Bs, Value, Names, Others),
    '$group_bindings'(Others, Groups).

'$same_value'([], _, [], []).
'$same_value'([Name=V|Bs], Value, Names, Others) :-
    (   V == Value
    ->  Names = [Name|Names1], Others = Others1
    ;   Names = Names1, Others = [Name=V|Others1]
    ),
    '$same_value'(Bs, Value, Names1, Others1).

'$group_values'([], []).
'$group_values'([group(_, V)|Gs], [V|Vs]) :- '$group_values'(Gs, Vs).

'$name_variables'([], []).
'$name_variables'([group(Names, V)|Gs], Named) :-
    (   var(V)
    ->  '$last_name'(Names, Name), Named = [Name=V|Named1]
    ;   Named = Named1
    ),
    '$name_variables'(Gs, Named1).

'$last_name'([N], N) :- !.
'$last_name'([_|Ns], N) :- '$last_name'(Ns, N).

'$group_lines'([], _, []).
'$group_lines'([group([_], V)|Gs], Equations, Lines) :- var(V), \+ '$has_equation'(V, Equations), !,
    '$group_lines'(Gs, Equations, Lines).
'$group_lines'([group(Names, V)|Gs], Equations, [line(Names, Value, Where)|Lines]) :-
    (   var(V), \+ '$has_equation'(V, Equations) -> Value = '$none' ; Value = '$value'(V) ),
    '$equations_of'(V, Equations, Where, Rest),
    '$group_lines'(Gs, Rest, Lines).

'$has_equation'(V, [W=_|Es]) :- ( V == W -> true ; '$has_equation'(V, Es) ).

%   The equations that a value needs, and the others.
'$equations_of'(_, [], Where, Rest) :- !, Where = [], Rest = [].
'$equations_of'(T, Equations, Where, Rest) :-
    term_variables(T, Vs),
    '$needed_equations'(Equations, Vs, Where0, Rest0),
    (   Where0 == []
    ->  Where = [], Rest = Rest0
    ;   '$equations_of'(Where0, Rest0, Where1, Rest),
        '$append'(Where0, Where1, Where)
    ).

'$needed_equations'([], _, [], []).
'$needed_equations'([V=T|Es], Vs, Where, Rest) :-
    (   '$is_among'(V, Vs)
    ->  Where = [V=T|Where1], Rest = Rest1
    ;   Where = Where1, Rest = [V=T|Rest1]
    ),
    '$needed_equations'(Es, Vs, Where1, Rest1).

%   Variables that are not of the query: `_` if there is one occurrence, else `_A`, `_B`, ...
'$name_others'(Values, Names, _, Names) :- ground(Values), !.
'$name_others'(Values, Names0, Used, Names) :-
    '$occurrences'(Values, Occurrences, []),
    msort(Occurrences, Sorted),
    '$runs'(Sorted, Runs),
    term_variables(Values, Variables),
    '$name_each'(Variables, Runs, Names0, Used, 0, More),
    '$append'(Names0, More, Names).

'$occurrences'(T, L, Tail) :- var(T), !, L = [T|Tail].
'$occurrences'(T, L, Tail) :- atomic(T), !, L = Tail.
'$occurrences'(T, L, Tail) :- ground(T), !, L = Tail.
'$occurrences'([H|T], L, Tail) :- !,
    '$occurrences'(H, L, L1),
    '$occurrences'(T, L1, Tail).
'$occurrences'(T, L, Tail) :-
    functor(T, _, N),
    '$occurrences_args'(1, N, T, L, Tail).

'$occurrences_args'(I, N, _, L, Tail) :- I > N, !, L = Tail.
'$occurrences_args'(I, N, T, L, Tail) :-
    arg(I, T, A),
    '$occurrences'(A, L, L1),
    I1 is I+1,
    '$occurrences_args'(I1, N, T, L1, Tail).

%   Sorted occurrences as variables that occur more than once.
'$runs'([], []).
'$runs'([V|Vs], Runs) :-
    (   Vs = [W|_], W == V
    ->  '$skip_run'(Vs, V, Rest), Runs = [V|Runs1]
    ;   Rest = Vs, Runs = Runs1
    ),
    '$runs'(Rest, Runs1).

'$skip_run'([W|Vs], V, Rest) :- W == V, !, '$skip_run'(Vs, V, Rest).
'$skip_run'(Rest, _, Rest).

'$name_each'([], _, _, _, _, []).
'$name_each'([V|Vs], Runs, Named, Used, I, Names) :-
    (   '$is_named'(V, Named)
    ->  Names = Names1, I1 = I
    ;   '$is_among'(V, Runs)
    ->  '$new_name'(I, Used, Name, I1), Names = [Name=V|Names1]
    ;   Names = ['_'=V|Names1], I1 = I
    ),
    '$name_each'(Vs, Runs, Named, Used, I1, Names1).

'$is_named'(V, [_=W|Named]) :- ( V == W -> true ; '$is_named'(V, Named) ).
'$is_named'(V, [N=W|Named], Name) :- ( V == W -> Name = N ; '$is_named'(V, Named, Name) ).
'$is_among'(V, [W|Ws]) :- ( V == W -> true ; '$is_among'(V, Ws) ).

'$new_name'(I, Used, Name, Next) :-
    Letter is 0'A + I mod 26,
    char_code(Char, Letter),
    Round is I // 26,
    (   Round =:= 0
    ->  atom_concat('_', Char, Name0)
    ;   atom_concat('_', Char, Name1),
        number_codes(Round, Codes), atom_codes(Digits, Codes),
        atom_concat(Name1, Digits, Name0)
    ),
    I1 is I+1,
    (   '$is_among'(Name0, Used)
    ->  '$new_name'(I1, Used, Name, Next)
    ;   Name = Name0, Next = I1
    ).

'$write_answer'([], _) :- !, write(user_output, true).
'$write_answer'(Lines, Names) :- '$write_lines'(Lines, Names).

'$write_lines'([line(Ns, Value, Where)|Lines], Names) :-
    '$write_line'(Ns, Value, Names),
    '$write_where'(Where, Names),
    (   Lines == [] -> true
    ;   format(user_output, ',~n', []),
        '$write_lines'(Lines, Names)
    ).

%   The equations of cycles. The comment stands behind the comma, as in SWI-Prolog.
'$write_where'([], _).
'$write_where'([E|Es], Names) :-
    format(user_output, ', % where', []),
    '$write_equations'([E|Es], Names).

'$write_equations'([V=T|Es], Names) :-
    '$is_named'(V, Names, Name),
    format(user_output, '~n    ~w = ', [Name]),
    '$write_value'(T, Names),
    (   Es == [] -> true
    ;   put_char(user_output, (',')),
        '$write_equations'(Es, Names)
    ).

'$write_line'([Name], '$value'(V), Names) :- !,
    format(user_output, '~w = ', [Name]),
    '$write_value'(V, Names).
'$write_line'([Name,Last], '$none', _) :- !,
    format(user_output, '~w = ~w', [Name, Last]).
'$write_line'([Name,Next|Ns], Value, Names) :-
    format(user_output, '~w = ~w, ', [Name, Next]),
    '$write_line'([Next|Ns], Value, Names).

'$write_value'(V, _) :-
    atom(V),
    current_op(_, _, V), !,
    format(user_output, '(~q)', [V]).
'$write_value'(V, Names) :-
    '$answer_options'(Options),
    write_term(user_output, V, [variable_names(Names), priority(699)|Options]).

'$answer_options'(Options) :-
    (   catch(current_prolog_flag(answer_write_options, Options0), _, fail)
    ->  Options = Options0
    ;   Options = [quoted(true), portray(true), max_depth(10), spacing(next_argument)]
    ).

% --- interrupts ---

%!  '$interrupt' is det.
%   Runs in the main thread after Ctrl-C, before the next goal: asks on a terminal, else aborts.
'$interrupt' :-
    '$tty', !,
    '$ask_interrupt'.
'$interrupt' :- throw('$aborted').

'$ask_interrupt' :-
    '$fresh_line'(user_output),
    format(user_output, 'Action (h for help) ? ', []),
    flush_output(user_output),
    get_single_char(C),
    '$interrupt_action'(C).

'$interrupt_action'(0'a) :- !,
    format(user_output, 'abort~n', []), flush_output(user_output),
    throw('$aborted').
'$interrupt_action'(3) :- !, '$interrupt_action'(0'a).
'$interrupt_action'(0'c) :- !,
    format(user_output, 'continue~n', []), flush_output(user_output).
'$interrupt_action'(0'e) :- !,
    format(user_output, 'exit~n', []), flush_output(user_output),
    halt(1).
'$interrupt_action'(-1) :- !,
    format(user_output, 'EOF: exit (status 4)~n', []),
    halt(4).
'$interrupt_action'(_) :-
    format(user_output, '~nOptions:~n', []),
    format(user_output, 'a:           abort         c:           continue~n', []),
    format(user_output, 'e:           exit          h (?):       help~n', []),
    '$ask_interrupt'.

%!  abort is det.
%   Ends the running query.
abort :- throw('$aborted').
