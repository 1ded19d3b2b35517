:- module(process,
          [ process_create/3,
            process_wait/2,
            process_wait/3,
            process_id/1,
            process_id/2,
            is_process/1,
            process_release/1,
            process_kill/1,
            process_kill/2,
            process_group_kill/1,
            process_group_kill/2
          ]).

/*  Other processes, with the predicates of SWI-Prolog's library(process) (machine/builtins/processes.rs).

    A process is known by its number. Waiting for one can be ended by signals and time limits.
*/

%!  process_create(+Program, +Arguments, +Options) is det.
%
%   Starts Program, a file or path(Name), which is looked for in the folders of the variable PATH. Arguments are texts, file(File) for names of files, or lists of
%   these, which make one argument. Options:
%
%     - stdin(How), stdout(How), stderr(How)
%       How is `std`, the program's own; `null`; or pipe(Stream) or pipe(Stream, Options), with type(Type) and encoding(Encoding): Stream is the other end.
%     - cwd(Directory)
%     - env(List), environment(List)
%       Name=Value: all variables that there are, or those that are others.
%     - process(Number)
%       What is waited for by process_wait/2. Without it, who closes the last pipe waits; if there is none, process_create/3 waits. What does not end with exit(0)
%       then is an error, process_error(Program, Status) (but for close(Stream, [force(true)])).
%     - detached(Boolean)
%       The process is the first one of a group of its own.

process_create(Program, Arguments, Options) :-
    must_be(list, Arguments),
    must_be(list, Options),
    maplist(process_option, Options),
    program_file(Program, File),
    arguments(Arguments, Texts),
    directory(Options, Directory),
    environment(Options, Environment),
    standard(Options, [stdin, stdout, stderr], Standard, Pipes),
    option(detached(Detached), Options, false),
    must_be(boolean, Detached),
    (   option(process(Number), Options)
    ->  Known = true
    ;   Known = false
    ),
    '$start_process'(File, Texts, Directory, Environment, Standard, Known-Detached, Number, Streams),
    pipe_ends(Pipes, Streams),
    (   Known == false,
        \+ memberchk(pipe, Standard)
    ->  '$await_process'(Number, Status),
        succeeded(Status, File)
    ;   true
    ).

process_option(Option) :-
    must_be(nonvar, Option),
    (   known_option(Option) -> true ; domain_error(process_option, Option) ).

known_option(stdin(_)).
known_option(stdout(_)).
known_option(stderr(_)).
known_option(cwd(_)).
known_option(env(_)).
known_option(environment(_)).
known_option(process(_)).
known_option(detached(_)).
%   (Of a system that has windows.)
known_option(window(_)).

succeeded(exit(0), _) :- !.
succeeded(Status, File) :-
    throw(error(process_error(File, Status), _)).

program_file(Program, _) :-
    var(Program),
    !,
    instantiation_error(Program).
program_file(path(Name), File) :-
    !,
    must_be(atom, Name),
    (   getenv('PATH', Path),
        atomic_list_concat(Directories, :, Path),
        member(Directory0, Directories),
        ( Directory0 == '' -> Directory = '.' ; Directory = Directory0 ),
        directory_file_path(Directory, Name, File0),
        exists_file(File0),
        access_file(File0, execute)
    ->  absolute_file_name(File0, File)
    ;   throw(error(existence_error(source_sink, path(Name)), context(process:process_create/3, 'no folder of PATH has such a program')))
    ).
program_file(Program, File) :-
    absolute_file_name(Program, File, [access(execute)]).

arguments([], []).
arguments([A|As], [Text|Texts]) :-
    argument(A, Text),
    arguments(As, Texts).

argument(A, _) :-
    var(A),
    !,
    instantiation_error(A).
argument([], '[]') :- !.
argument(List, Text) :-
    is_list(List),
    !,
    plain_arguments(List, Texts),
    atomic_list_concat(Texts, Text).
argument(A, Text) :-
    plain_argument(A, Text).

plain_arguments([], []).
plain_arguments([A|As], [Text|Texts]) :-
    plain_argument(A, Text),
    plain_arguments(As, Texts).

plain_argument(A, Text) :-
    (   nonvar(A),
        A = file(Spec)
    ->  (   compound(Spec)
        ->  absolute_file_name(Spec, File)
        ;   File = Spec
        ),
        prolog_to_os_filename(File, Text)
    ;   must_be(atomic, A),
        atomic_list_concat([A], Text)
    ).

directory(Options, Directory) :-
    (   option(cwd(Spec), Options)
    ->  (   absolute_file_name(Spec, Directory0, [file_type(directory), access(read), file_errors(fail)])
        ->  Directory = Directory0
        ;   existence_error(directory, Spec)
        )
    ;   Directory = []
    ).

environment(Options, Environment) :-
    (   option(env(List), Options)
    ->  variables(List, Variables),
        Environment = new(Variables)
    ;   option(environment(List), Options)
    ->  variables(List, Variables),
        Environment = changed(Variables)
    ;   Environment = changed([])
    ).

variables(List, Variables) :-
    must_be(list, List),
    variables_of(List, Variables).

variables_of([], []).
variables_of([V|Vs], [Name=Text|Variables]) :-
    (   nonvar(V),
        V = (Name=Value)
    ->  must_be(atom, Name),
        argument(Value, Text)
    ;   type_error(environment_variable, V)
    ),
    variables_of(Vs, Variables).

standard(_, [], [], []).
standard(Options, [Name|Names], [How|Hows], [Pipe|Pipes]) :-
    Option =.. [Name, Spec],
    (   option(Option, Options)
    ->  must_be(nonvar, Spec),
        standard_one(Spec, How, Pipe)
    ;   How = std,
        Pipe = none
    ),
    standard(Options, Names, Hows, Pipes).

standard_one(std, std, none) :- !.
standard_one(null, null, none) :- !.
standard_one(pipe(Stream), pipe, end(Stream, [])) :- !,
    unbound(Stream).
standard_one(pipe(Stream, Options), pipe, end(Stream, Options)) :- !,
    unbound(Stream),
    must_be(list, Options).
standard_one(Spec, _, _) :-
    domain_error(process_stream, Spec).

unbound(Stream) :-
    (   var(Stream)
    ->  true
    ;   uninstantiation_error(Stream)
    ).

pipe_ends([], []).
pipe_ends([none|Pipes], [_|Streams]) :-
    pipe_ends(Pipes, Streams).
pipe_ends([end(Stream, Options)|Pipes], [Stream|Streams]) :-
    (   option(type(Type), Options)
    ->  set_stream(Stream, type(Type))
    ;   true
    ),
    (   option(encoding(Encoding), Options)
    ->  set_stream(Stream, encoding(Encoding))
    ;   true
    ),
    pipe_ends(Pipes, Streams).

%!  process_wait(+Process, -Status) is det.
%
%   As process_wait/3, without options.

process_wait(Process, Status) :-
    process_wait(Process, Status, []).

%!  process_wait(+Process, -Status, +Options) is det.
%
%   Waits for the end of a process that process_create/3 has started with the option process(Process). Status is exit(Number) or killed(Signal). Options are
%   timeout(Seconds), after which Status is `timeout`; 0 does not wait; and release(true): nobody waits for it any more, and Status is `release`.

process_wait(Process, Status, Options) :-
    must_be(integer, Process),
    must_be(list, Options),
    (   option(release(true), Options)
    ->  '$release_process'(Process),
        Status = release
    ;   option(timeout(Time), Options),
        Time \== infinite
    ->  must_be(number, Time),
        get_time(Now),
        End is Now+Time,
        wait_until(Process, End, 0.001, Status0),
        Status = Status0
    ;   '$await_process'(Process, Status0),
        Status = Status0
    ).

wait_until(Process, End, Pause, Status) :-
    (   '$ended_process'(Process, Status0)
    ->  Status = Status0
    ;   get_time(Now),
        Left is End-Now,
        (   Left =< 0
        ->  Status = timeout
        ;   Sleep is min(Pause, Left),
            sleep(Sleep),
            Next is min(2*Pause, 0.05),
            wait_until(Process, End, Next, Status)
        )
    ).

%!  process_id(-Number) is det.
%
%   This process.

process_id(Number) :-
    current_prolog_flag(pid, Number).

%!  process_id(+Process, -Number) is det.

process_id(Process, Process).

%!  is_process(@Term) is semidet.
%
%   Term may be a process.

is_process(Process) :-
    integer(Process),
    Process > 0.

%!  process_release(+Process) is det.
%
%   Nobody waits for the process any more.

process_release(Process) :-
    must_be(integer, Process),
    '$release_process'(Process).

%!  process_kill(+Process) is det.
%!  process_kill(+Process, +Signal) is det.
%
%   Sends a signal, a name or number, to a process: `term` if none is named.

process_kill(Process) :-
    process_kill(Process, term).

process_kill(Process, Signal) :-
    must_be(integer, Process),
    signal_number(Signal, Number),
    '$signal_process'(Process, Number, false).

%!  process_group_kill(+Process) is det.
%!  process_group_kill(+Process, +Signal) is det.
%
%   The same for all processes of the group of Process, which has been started with detached(true).

process_group_kill(Process) :-
    process_group_kill(Process, term).

process_group_kill(Process, Signal) :-
    must_be(integer, Process),
    signal_number(Signal, Number),
    '$signal_process'(Process, Number, true).

signal_number(Signal, Number) :-
    must_be(nonvar, Signal),
    (   integer(Signal)
    ->  Number = Signal
    ;   atom(Signal)
    ->  (   '$signal_name'(Number0, Signal)
        ->  Number = Number0
        ;   domain_error(signal, Signal)
        )
    ;   type_error(signal, Signal)
    ).
