% Runner of the Prolog-level tests.
%
%     swipl  tests/prolog/run.pl -- tests/prolog/control.pl ...
%     samite tests/prolog/run.pl -- tests/prolog/control.pl ...
%
% A test file is an ordinary Prolog file of helper clauses and facts
%
%     t(Name, Goal, Vars, Expected).
%
% one fact per test, each starting a line of its own.  Expected is one of
%
%     answers(List)     Goal has exactly these solutions, in this order; each
%                       element is compared with Vars as a variant (=@=)
%     fails             the same as answers([])
%     prefix(List)      the first solutions of Goal; what follows is not looked at
%     throws(E)         Goal throws a term that error(E, _) subsumes
%     throws_ball(B)    Goal throws a variant of B
%     output(String)    Goal succeeds, and wrote exactly String
%     native(Expected)  the same in the main thread, or in threads of the OS;
%                       left out where tests run in a light thread
%
% run_self(Thread) says which thread the tests run in.
%
% A failing test prints one line, and the run ends with `N passed, M failed`
% and the exit status 0 or 1.  With -v every test is announced on standard
% error before it runs, so that one which hangs or crashes can be named.
%
% What only has to be large says how large by run_size/2.
%
% The runner keeps to a small part of the language on purpose: a young system
% has to be able to run it.

:- dynamic(t/4).
:- multifile(t/4).
:- discontiguous(t/4).

:- dynamic(run_self/1).
:- dynamic(run_light/0).

main :-
    (   catch(current_prolog_flag(thread_kind, light), _, fail)
    ->  assertz(run_light),
        thread_create(run_all, Thread),
        thread_join(Thread, Status),
        writeln(Status),
        halt(1)
    ;   run_all
    ).

run_all :-
    thread_self(Me),
    assertz(run_self(Me)),
    current_prolog_flag(argv, Argv),
    run_arguments(Argv, Files, Verbose),
    (   Files = []
    ->  true
    ;   nb_setval(run_verbose, Verbose),
        nb_setval(run_passed, 0),
        nb_setval(run_failed, 0),
        run_files(Files),
        nb_getval(run_passed, Passed),
        nb_getval(run_failed, Failed),
        format("~w passed, ~w failed~n", [Passed, Failed]),
        (   Failed =:= 0,
            Passed > 0
        ->  halt(0)
        ;   halt(1)
        )
    ).

% run_size(+Full, -Size): as much as Full, but a tenth of it where memory is collected at each step.
run_size(Full, Size) :-
    (   getenv('SAMITE_GC_STRESS', _)
    ->  Size is Full // 10
    ;   Size = Full
    ).

% Whether the program itself is the first element of argv differs between
% systems: only names that end in .pl count.
run_arguments([], [], false).
run_arguments(['-v'|Arguments], Files, true) :-
    !,
    run_arguments(Arguments, Files, _).
run_arguments([File|Arguments], [File|Files], Verbose) :-
    sub_atom(File, _, 3, 0, '.pl'),
    !,
    run_arguments(Arguments, Files, Verbose).
run_arguments([_|Arguments], Files, Verbose) :-
    run_arguments(Arguments, Files, Verbose).

run_files([]).
run_files([File|Files]) :-
    run_file(File),
    run_files(Files).

% run_suite(+File): run one file and print its result.
run_suite(File) :-
    nb_setval(run_verbose, false),
    nb_setval(run_passed, 0),
    nb_setval(run_failed, 0),
    run_file(File),
    nb_getval(run_passed, Passed),
    nb_getval(run_failed, Failed),
    format("~w passed, ~w failed~n", [Passed, Failed]).

run_file(File) :-
    retractall(t(_, _, _, _)),
    catch(consult(File), Ball, run_problem(File, cannot_load(Ball))),
    findall(x, t(_, _, _, _), Loaded),
    length(Loaded, Count),
    catch(written_tests(File, Written), _, Written = Count),
    (   Count =:= Written,
        Count > 0
    ->  true
    ;   run_problem(File, loaded(Count, of(Written)))
    ),
    forall(t(Name, Goal, Vars, Expected),
           run_test(File, Name, Goal, Vars, Expected)).

run_problem(File, Problem) :-
    bump(run_failed),
    format("FAIL ~w: ~q~n", [File, Problem]).

% The number of lines that start with "t(": a clause lost to a syntax error
% must not go unnoticed.
written_tests(File, Count) :-
    open(File, read, Stream),
    get_char(Stream, Char),
    count_lines(Char, Stream, 0, Count),
    close(Stream).

count_lines(end_of_file, _, Count, Count) :-
    !.
count_lines(t, Stream, Count0, Count) :-
    !,
    get_char(Stream, Char),
    (   Char == '('
    ->  Count1 is Count0 + 1
    ;   Count1 = Count0
    ),
    skip_line(Char, Stream, Next),
    count_lines(Next, Stream, Count1, Count).
count_lines(Char, Stream, Count0, Count) :-
    skip_line(Char, Stream, Next),
    count_lines(Next, Stream, Count0, Count).

skip_line(end_of_file, _, end_of_file) :-
    !.
skip_line('\n', Stream, Next) :-
    !,
    get_char(Stream, Next).
skip_line(_, Stream, Next) :-
    get_char(Stream, Char),
    skip_line(Char, Stream, Next).

run_test(File, Name, Goal, Vars, native(Expected)) :-
    !,
    (   run_light
    ->  true
    ;   run_test(File, Name, Goal, Vars, Expected)
    ).
run_test(File, Name, Goal, Vars, Expected) :-
    (   nb_getval(run_verbose, true)
    ->  format(user_error, "~w:~w~n", [File, Name])
    ;   true
    ),
    catch(run_goal(Expected, Goal, Vars, Result), Ball, Result = ball(Ball)),
    (   as_expected(Expected, Result)
    ->  bump(run_passed)
    ;   bump(run_failed),
        format("FAIL ~w:~w expected ~q got ~q~n", [File, Name, Expected, Result])
    ).

% What Goal does: answers(List), wrote(String), failed.
run_goal(output(_), Goal, _, Result) :-
    !,
    (   with_output_to(string(String), Goal)
    ->  Result = wrote(String)
    ;   Result = failed
    ).
run_goal(Expected, Goal, Vars, answers(Answers)) :-
    limit(Expected, Limit),
    findall(Vars, limited(Goal, Limit), Answers).

% One solution more than expected tells too many from enough.
limit(answers(List), Limit) :-
    !,
    length(List, Length),
    Limit is Length + 1.
limit(prefix(List), Limit) :-
    !,
    length(List, Limit).
limit(fails, 1) :-
    !.
limit(_, 1000).

limited(Goal, Limit) :-
    nb_setval(run_solutions, 0),
    call(Goal),
    bump(run_solutions),
    nb_getval(run_solutions, Count),
    (   Count >= Limit
    ->  !
    ;   true
    ).

as_expected(answers(List), answers(Answers)) :-
    variants(List, Answers).
as_expected(prefix(List), answers(Answers)) :-
    variants(List, Answers).
as_expected(fails, answers([])).
as_expected(throws(Formal), ball(Ball)) :-
    subsumes(error(Formal, _), Ball).
as_expected(throws_ball(Expected), ball(Ball)) :-
    copy_term(Expected, Copy),
    Copy =@= Ball.
as_expected(output(Expected), wrote(String)) :-
    Expected == String.

variants([], []).
variants([Expected|List], [Answer|Answers]) :-
    copy_term(Expected, Copy),
    Copy =@= Answer,
    variants(List, Answers).

% subsumes(+General, +Specific): both share no variables.
subsumes(General, Specific) :-
    copy_term(Specific, Copy),
    \+ General \= Copy,
    General = Specific,
    Specific =@= Copy.

bump(Key) :-
    nb_getval(Key, Old),
    New is Old + 1,
    nb_setval(Key, New).

:- initialization(main).
