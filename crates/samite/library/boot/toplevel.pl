%   The command line: options, initialisation file, scripts and goals. Loaded into module `system` when a program starts; the host calls
%   '$start'/1 once. Queries and their answers are queries.pl and develop/answers.pl.
%
%   What is printed, and the exit status, follow SWI-Prolog. Differs from it in: an exception in the goal of -t ends the program; a file
%   of -f that does not exist is an error; `-` is standard input.

%   Hooks of messages.pl; a program may add clauses before the first message.
:- dynamic(prolog:message/3).
:- multifile(prolog:message/3).
:- dynamic((prolog:error_message/3, prolog:message_location/3, prolog:message_context/3)).
:- multifile((prolog:error_message/3, prolog:message_location/3, prolog:message_context/3)).
:- dynamic((prolog:message_prefix_hook/2, prolog:message_line_element/2)).
:- multifile((prolog:message_prefix_hook/2, prolog:message_line_element/2)).
:- dynamic(user:message_hook/3).
:- multifile(user:message_hook/3).
:- dynamic(user:message_property/2).
:- multifile(user:message_property/2).

%   Hooks of queries.pl.
:- dynamic(user:expand_query/4).
:- multifile(user:expand_query/4).
:- dynamic(user:expand_answer/2).
:- multifile(user:expand_answer/2).

:- dynamic('$option_goal'/1).
:- dynamic('$option_script'/1).
:- dynamic('$option_init'/1).
:- dynamic('$option_output'/1).
:- dynamic('$compiles'/0).
:- dynamic('$option_toplevel'/1).
:- dynamic('$only_loads'/0).
:- volatile(('$option_goal'/1, '$option_script'/1, '$option_init'/1, '$option_output'/1, '$compiles'/0, '$option_toplevel'/1, '$only_loads'/0)).

% --- start ---

%!  '$start'(+Argv) is det.
%   Runs a program: Argv is a list of atoms, the program's name first. Leaves by halt/1 only.
'$start'(Argv) :-
    '$catch_all'('$start_program'(Argv), E, '$start_failed'(E)),
    halt(0).
'$start'(_) :- halt(1).

%   '$tell'(+Kind, +Message): what ends here is told of, even if a hook of the user's raises something else for it.
%   From the beginning it is a report, that print_message/2 is loaded for: that must not be refused either.
'$tell'(Kind, Message) :-
    '$reporting', !,
    '$catch_all'(print_message(Kind, Message), E, '$untold'(Message, E)).
'$tell'(Kind, Message) :-
    % (In what every program begins with, goals within arguments of arguments are not looked into: they name their module.)
    setup_call_cleanup('$report'(true),
                       '$catch_all'(system:print_message(Kind, Message), E, '$untold'(Message, E)),
                       '$report'(false)).

%   (Who interrupts that needs not hear of it.)
'$untold'(_, '$aborted') :- !.
'$untold'(Message0, E) :-
    '$plain_message'(Message0, Words, Message),
    Options = [quoted(true), max_depth(20)],
    catch(format(user_error, '~NERROR: ~w~W~nERROR: raised while that was to be told: ~W~n', [Words, Message, Options, E, Options]), error(_, _), true).

'$plain_message'(initialization_exception(E), 'Prolog initialisation failed: ', E) :- !.
'$plain_message'(unhandled_exception(E), 'Unhandled exception: ', E) :- !.
'$plain_message'(Message, '', Message).

'$start_failed'('$aborted') :- '$program_interrupted', !,
    '$halt_after_goals'(interrupt).
'$start_failed'('$aborted') :- !,
    '$tell_abort',
    '$tell'(informational, '$aborted'), halt(1).
'$start_failed'(E) :-
    '$tell'(error, initialization_exception(E)), halt(1).

'$start_program'([Program|Words]) :-
    '$put_flag'(os_argv, [Program|Words]),
    ( '$is_simulated' -> '$count_calls'(1) ; true ),
    (   '$open_program'(Stream) -> '$begin_saved'(Stream, Words)
    ;   '$options'(Words, Rest),
        '$begin'(Rest)
    ),
    (   '$run_goals',
        ( '$only_loads' -> true ; '$run_program', '$run_main' ),
        '$run_toplevel'
    ;   % A goal of at_halt/1 has cancelled the end.
        '$toplevel'
    ).

'$begin'(Files) :- '$compiles', !,
    '$save_program'(Files).
'$begin'(Rest) :-
    '$split_arguments'(Rest, Files, Arguments),
    set_prolog_flag(argv, Arguments),
    '$attach_user_packs',
    '$load_init_file',
    '$load_scripts',
    '$load_script_files'(Files).

%   '$open_program'(-Stream) is semidet: it stands where the program begins that stands behind Samite in the executable. Fails if there is none.
'$open_program'(Stream) :-
    '$flag'(executable, File),
    catch(open(File, read, Stream0, [type(binary), buffer(full)]), error(_, _), fail),
    (   catch('$program_place'(Stream0, Place), error(_, _), fail)
    ->  seek(Stream0, Place, bof, _),
        Stream = Stream0
    ;   close(Stream0),
        fail
    ).

%   '$program_place'(+Stream, -Place) is semidet: of an executable, which is left anywhere.
'$program_place'(Stream, Place) :-
    seek(Stream, -16, eof, _),
    '$eight_bytes'(8, Stream, High),
    '$eight_bytes'(8, Stream, Word),
    '$program_word'(Word),
    '$number_of_bytes'(High, 0, Place).

'$eight_bytes'(0, _, []) :- !.
'$eight_bytes'(N, Stream, [Byte|Bytes]) :-
    get_byte(Stream, Byte),
    Byte >= 0,
    N1 is N-1,
    '$eight_bytes'(N1, Stream, Bytes).

'$number_of_bytes'([], N, N).
'$number_of_bytes'([Byte|Bytes], N0, N) :-
    N1 is N0*256+Byte,
    '$number_of_bytes'(Bytes, N1, N).

%   `SAMITEQ1`
'$program_word'([83, 65, 77, 73, 84, 69, 81, 49]).

%   The executable has a program behind Samite (library(qsave)), whose words these are.
'$begin_saved'(Stream, Words) :-
    set_prolog_flag(argv, Words),
    call_cleanup('$restore_program'(Stream), close(Stream)),
    ( '$option_init'(File) -> '$load_script'(File) ; true ).

%   Option -c: what is loaded becomes an executable file. Errors count.
'$save_program'(Files) :-
    '$attach_user_packs',
    ( nb_current('$on_error', _) -> true ; set_prolog_flag(on_error, status) ),
    '$load_scripts',
    '$load_script_files'(Files),
    ( '$option_output'(File) -> true ; File = 'a.out' ),
    findall(Option, '$saved_option'(Option), Options),
    % (halt/0 tells of errors.)
    ( '$flag'(on_error, status), statistics(errors, Errors), Errors > 0 -> true ; qsave_program(File, Options) ),
    halt.

'$saved_option'(goal(Goal)) :-
    findall(G, ( '$option_goal'(Text), '$goal_of_text'(Text, G) ), [G|Gs]),
    '$joined_goals'(Gs, G, Goal).
'$saved_option'(toplevel(Goal)) :- '$option_toplevel'(Text), '$goal_of_text'(Text, Goal), Goal \== default.
'$saved_option'(init_file(File)) :- '$option_init'(File), File \== none.

'$joined_goals'([], G, G).
'$joined_goals'([G|Gs], G0, (G0, Goals)) :- '$joined_goals'(Gs, G, Goals).

'$goal_of_text'(Text, Goal) :-
    catch(term_to_atom(Goal, Text), E, ( '$tell'(error, init_goal_syntax(E, Text)), halt(2) )).

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
'$options'([File|Words], [File|Files]) :- '$compiles', !,
    '$options'(Words, Files).
'$options'(Words, Words).

'$short_option'('-g', goal).
'$short_option'('-t', toplevel).
'$short_option'('-f', init_file).
'$short_option'('-o', output).
'$short_option'('-l', load).
'$short_option'('-s', script).
'$short_option'('-p', search_path).

'$option'(goal, Text) :- assertz('$option_goal'(Text)).
'$option'(toplevel, Text) :- retractall('$option_toplevel'(_)), assertz('$option_toplevel'(Text)).
'$option'(init_file, File) :- retractall('$option_init'(_)), assertz('$option_init'(File)).
'$option'(output, File) :- retractall('$option_output'(_)), assertz('$option_output'(File)).
'$option'(load, File) :- asserta('$only_loads'), assertz('$option_script'(File)).
'$option'(script, File) :- assertz('$option_script'(File)).
'$option'(search_path, Text) :- '$search_path'(Text).
'$option'(ignore, _).

%   `-p Alias=Directory:...`: directories that Alias stands for, before those that the program or an option before this one gives it.
'$search_path'(Text) :-
    (   sub_atom(Text, Before, 1, _, =), Before > 0
    ->  sub_atom(Text, 0, Before, _, Alias),
        From is Before+1,
        sub_atom(Text, From, _, 0, Paths),
        atomic_list_concat(Directories, :, Paths),
        '$search_first'(Directories, Alias)
    ;   '$usage_error'(bad_argument('-p', Text))
    ).

'$search_first'([], _).
'$search_first'([Directory|Directories], Alias) :-
    '$search_first'(Directories, Alias),
    asserta(user:file_search_path(Alias, Directory)).

'$option'('-q') :- set_prolog_flag(verbose, silent).
'$option'('--quiet') :- set_prolog_flag(verbose, silent).
'$option'('-O') :- set_prolog_flag(optimise, true).
'$option'('--iso') :- set_prolog_flag(iso, true).
'$option'('-c') :- asserta('$compiles').
'$option'('--version') :- '$print_version', halt(0).
'$option'('-v') :- '$print_version', halt(0).
'$option'('--help') :- '$print_usage'(user_output), halt(0).
'$option'('-h') :- '$print_usage'(user_output), halt(0).

'$long_option'(Long, Word) :-
    sub_atom(Long, Before, 1, After, =), !,
    sub_atom(Long, 0, Before, _, Name),
    sub_atom(Long, _, After, 0, Value),
    '$long_option'(Name, Value, Word).
'$long_option'('no-packs', _) :- !, set_prolog_flag(packs, false).
'$long_option'(packs, _) :- !, set_prolog_flag(packs, true).
'$long_option'(Name, Word) :- '$takes_value'(Name), !, '$usage_error'(missing_argument(Word)).
'$long_option'(Name, _) :- '$ignored_option'(Name), !.
'$long_option'(Name, _) :- atom_concat('no-', Plain, Name), '$ignored_option'(Plain), !.
'$long_option'(_, Word) :- '$usage_error'(bad_option(Word)).

'$long_option'(Name, Value, _) :-
    '$size_option'(Name, Flag), !,
    (   '$size'(Value, Bytes),
        Bytes >= 1<<20              % the least that leaves room to report an error
    ->  set_prolog_flag(Flag, Bytes)
    ;   atom_concat(--, Name, Option),
        '$usage_error'(bad_argument(Option, Value))
    ).
'$long_option'(workers, Value, _) :- !,
    (   '$whole'(Value, N), N >= 1 -> set_prolog_flag(workers, N)
    ;   '$usage_error'(bad_argument('--workers', Value))
    ).
'$long_option'(schedule, Value, _) :- !,
    (   Value == time -> true
    ;   atom_concat('calls:', Count, Value), '$whole'(Count, N), N >= 1, N < 1<<48 -> '$count_calls'(N)
    ;   '$usage_error'(bad_argument('--schedule', Value))
    ).
'$long_option'(packs, Value, _) :- !,
    (   catch(set_prolog_flag(packs, Value), error(_, _), fail) -> true
    ;   '$usage_error'(bad_argument('--packs', Value))
    ).
'$long_option'(quiet, Value, _) :- !,
    (   '$truth'(Value, Quiet) -> ( Quiet == true -> Verbose = silent ; Verbose = normal ), set_prolog_flag(verbose, Verbose)
    ;   '$usage_error'(bad_argument('--quiet', Value))
    ).
'$long_option'(Name, Value, _) :-
    '$style_option'(Name, Flag), !,
    (   catch(set_prolog_flag(Flag, Value), error(domain_error(_, _), _), fail)
    ->  ( Flag == on_error -> nb_setval('$on_error', Value) ; true )
    ;   atom_concat(--, Name, Option),
        '$usage_error'(bad_argument(Option, Value))
    ).
'$long_option'(Name, _, _) :- '$ignored_option'(Name), !.
'$long_option'(_, _, Word) :- '$usage_error'(bad_option(Word)).

%   Options that set a flag.
'$style_option'('thread-kind', thread_kind).
'$style_option'('table-alloc', table_alloc).
'$style_option'('table-sync', table_sync).
'$style_option'('on-error', on_error).
'$style_option'('on_error', on_error).
'$style_option'('on-warning', on_warning).
'$style_option'('on_warning', on_warning).

'$size_option'('memory-limit', memory_limit).
'$size_option'('stack-limit', stack_limit).
'$size_option'('memory_limit', memory_limit).
'$size_option'('stack_limit', stack_limit).
'$size_option'('table-space', table_space).
'$size_option'('shared-table-space', shared_table_space).

%   Options that say nothing without a value.
'$takes_value'(workers).
'$takes_value'(schedule).
'$takes_value'(Name) :- '$style_option'(Name, _).
'$takes_value'(Name) :- '$size_option'(Name, _).

'$truth'(true, true).
'$truth'(yes, true).
'$truth'(y, true).
'$truth'(false, false).
'$truth'(no, false).
'$truth'(n, false).

%   Options of SWI-Prolog without a meaning here.
'$ignored_option'(tty).
'$ignored_option'(signals).
'$ignored_option'(threads).
'$ignored_option'(debug).
'$ignored_option'('debug-on-interrupt').
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
    current_prolog_flag(version_data, samite(Major, Minor, Patch, _)),
    format(user_output, 'Samite version ~w.~w.~w~n', [Major, Minor, Patch]).

'$print_usage'(S) :-
    '$usage_line'(Line),
    write(S, Line), nl(S),
    fail.
'$print_usage'(_).

'$usage_line'('samite: Usage:').
'$usage_line'('    samite [options] file ... [-- arg ...]').
'$usage_line'('    samite [options] -           Read the program from standard input').
'$usage_line'('    samite [options] -c file ... [-o program]   Make an executable file of the program (a.out)').
'$usage_line'('    samite --help | -h           Display this message').
'$usage_line'('    samite --version | -v        Display version information').
'$usage_line'('').
'$usage_line'('Options:').
'$usage_line'('    -g goal                  Run goal (may be repeated)').
'$usage_line'('    -t goal                  Toplevel goal: `halt`, `prolog`, or one that is run once').
'$usage_line'('    -f file                  Initialisation file instead of the user\'s own; `none` for none').
'$usage_line'('    -o file                  With -c: what the executable file is called').
'$usage_line'('    -l file                  Source file, of which the program and main goals are not run').
'$usage_line'('    -s file                  Script source file').
'$usage_line'('    -p alias=path[:path]     Directories where alias(File) is looked for').
'$usage_line'('    -O                       Leave out assertions and debug messages (flag optimise)').
'$usage_line'('    -q, --quiet[=false]      Suppress informational messages').
'$usage_line'('    --on-error=style         After errors: print (go on), halt (at the first one) or status (of halt, 1)').
'$usage_line'('    --on-warning=style       The same after warnings').
'$usage_line'('    --packs, --no-packs      With or without what is in $XDG_DATA_HOME/samite/pack (~/.local/share/samite/pack)').
'$usage_line'('    --iso                    Set the flag iso').
'$usage_line'('    --memory-limit=size[BKMG]  Most memory of a thread (1G), and of what threads have in common (half of the machine''s)').
'$usage_line'('    --stack-limit=size[BKMG]   Most memory of a thread only (both options also with _)').
'$usage_line'('    --table-space=size[BKMG]   Most memory of the tables of a thread; --shared-table-space: of those that threads share').
'$usage_line'('    --thread-kind=kind       Threads of thread_create/3: native or light (which many share an OS thread)').
'$usage_line'('    --table-alloc=kind       Where tables are: pages, or malloc (each structure by itself)').
'$usage_line'('    --table-sync=scheme      How threads write into tables together: lockfree, tlwl_field or tlwl_array').
'$usage_line'('    --workers=count          OS threads that run light threads at a time; one for each processor').
'$usage_line'('    --schedule=calls:count   One thread at a time, each for so many calls: the same in each run (--schedule=time: all at once)').
'$usage_line'('').
'$usage_line'('Options of SWI-Prolog that say nothing here; also with --no- and with a value:').
'$usage_line'(Line) :-
    findall(Name, '$ignored_option'(Name), Names),
    '$ignored_lines'(Names, Line).
'$usage_line'('').
'$usage_line'('The first word that is no option is a file to load, and so are words directly behind it that end in .pl;').
'$usage_line'('the rest is in the flag argv.').
'$usage_line'('').
'$usage_line'('The initialisation file is $XDG_CONFIG_HOME/samite/init.pl, by default ~/.config/samite/init.pl.').

%   Three to a line.
'$ignored_lines'([N|Ns], Line) :-
    '$take_names'(3, [N|Ns], First, Rest),
    (   '$ignored_names'(First, '   ', Line)
    ;   '$ignored_lines'(Rest, Line)
    ).

'$take_names'(0, Ns, [], Ns) :- !.
'$take_names'(_, [], [], []) :- !.
'$take_names'(I, [N|Ns], [N|First], Rest) :- I1 is I-1, '$take_names'(I1, Ns, First, Rest).

'$ignored_names'([], Line, Line).
'$ignored_names'([N|Ns], Line0, Line) :-
    atom_concat(Line0, ' --', Line1),
    atom_concat(Line1, N, Line2),
    '$ignored_names'(Ns, Line2, Line).

% --- files and goals ---

%   The file of -f, else the user's own, if there is one.
'$load_init_file' :-
    '$option_init'(File), !,
    ( File == none -> true ; '$load_script'(File) ).
'$load_init_file' :-
    (   '$user_init_file'(File), exists_file(File) -> '$load_script'(File)
    ;   true
    ).

%   Those that the user has installed, unless option --no-packs says not to.
'$attach_user_packs' :-
    (   '$flag'(packs, true), '$user_packs'(Directory), exists_directory(Directory) -> attach_packs
    ;   true
    ).

%   '$user_packs'(-Directory) is semidet
'$user_packs'(Directory) :-
    '$own_directory'('XDG_DATA_HOME', '/.local/share', Own),
    atom_concat(Own, '/pack', Directory).

'$user_init_file'(File) :-
    '$own_directory'('XDG_CONFIG_HOME', '/.config', Own),
    atom_concat(Own, '/init.pl', File).

'$load_scripts' :-
    findall(F, '$option_script'(F), Files),
    '$load_scripts'(Files).

'$load_scripts'([]).
'$load_scripts'([F|Fs]) :- '$load_script'(F), '$load_scripts'(Fs).

'$load_script'(-) :- !,
    load_files(user:stdin, [stream(user_input)]).
'$load_script'(File) :-
    catch(load_files(user:File, []), error(existence_error(source_sink, File), Context), throw(error(existence_error(file, File), Context))).

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
    ->  '$tell'(error, init_goal_syntax(E, Text)), halt(2)
    ;   '$run_goal'(Goal, Text)
    ),
    '$run_goals'(Texts).

'$run_goal'(Goal, Context) :-
    (   catch(user:Goal, E, true)
    ->  ( var(E) -> true ; '$goal_raised'(E, Goal, Context) )
    ;   '$tell'(error, init_goal_failed(failed, Context)),
        halt(1)
    ).

'$goal_raised'(E, Goal, Context) :-
    '$called_by'(system:catch/3, Goal, E, Told),
    '$tell'(error, init_goal_failed(Told, Context)),
    halt(2).

%   The goals of initialization(Goal, program), in their order. As in SWI-Prolog neither they nor the main goal run after option -l.
'$run_program' :-
    findall(G-Where, retract('$said'('$program', Where-G, _, _)), Goals),
    '$run_program'(Goals).

'$run_program'([]).
'$run_program'([G-Where|Goals]) :-
    '$qualified_goal'(G, Qualified),
    '$run_goal'(Qualified, '@'(Qualified, Where)),
    '$run_program'(Goals).

%   The goal of initialization(Goal, main): then the program is over, unless option -t says what comes next.
'$run_main' :-
    '$says_last'('$main', Where-Goal), !,
    '$qualified_goal'(Goal, G),
    (   '$option_toplevel'(_) -> '$run_goal'(G, '@'(G, Where))
    ;   '$run_goal'(G, '@'(G, Where)), halt
    ;   % A goal of at_halt/1 has cancelled the end, but there is nothing to go on with: as in SWI-Prolog the program ends as soon as it may.
        repeat, halt(1)
    ).
'$run_main'.

'$run_toplevel' :-
    '$option_toplevel'(Text), !,
    '$run_toplevel'(Text).
'$run_toplevel' :-
    current_prolog_flag(toplevel_goal, Goal),
    (   atom(Goal) -> '$run_toplevel'(Goal)
    ;   '$run_toplevel_goal'(Goal)
    ).

'$run_toplevel'(halt) :- !, halt.
'$run_toplevel'(prolog) :- !, '$toplevel'.
'$run_toplevel'(default) :- !, '$toplevel'.
'$run_toplevel'(Text) :-
    catch(term_to_atom(Goal, Text), E, true),
    ( nonvar(E) -> '$tell'(error, E), halt(2) ; '$run_toplevel_goal'(Goal) ).

'$run_toplevel_goal'(Goal) :-
    nb_setval('$asks', true),
    (   catch(user:Goal, E, true)
    ->  (   var(E) -> halt(0)
        ;   '$query_message'(Goal, E, Message), '$tell'(error, Message), halt(2)
        )
    ;   halt(1)
    ).
