/*  Runs the tests of one file of SWI-Prolog's test suite, in Samite or SWI-Prolog:

        samite tests/swipl/run.pl -- FILE FROM PROTOCOL

    FILE is loaded. Its tests from number FROM on (the first is 1), as library(plunit) declares them, are run, and lines
    written to the file PROTOCOL:

        run NUMBER NAME         before a test; NAME is `unit:name`, with #2, #3... where it occurs again
        pass | skip | fail WHY  what came of it; skip: its condition does not hold, it is blocked, or known to fail
        end                     there are no more

    Who reads them knows which test the process died in, and starts another one behind it (tools/swipl-tests).

    A file without units is one test if it exports a predicate of its own name, and one for each clause Set(Name) of its
    testset(Set).  */

:- use_module(library(plunit)).
:- use_module(library(lists)).

:- dynamic(seen/2).
:- dynamic(set_up/2).
:- dynamic(protocol/1).

main :-
    current_prolog_flag(argv, Argv),
    append(_, [File, FromText, Protocol], Argv), !,
    atom_number(FromText, From),
    open(Protocol, append, Out),
    assertz(protocol(Out)),
    catch(user:load_files(File, [if(true)]), E, print_message(error, E)),
    findall(Test, a_test(File, Test), Tests),
    run_all(Tests, 1, From),
    say('end', []),
    halt.

say(Format, Arguments) :-
    protocol(Out),
    format(Out, Format, Arguments),
    nl(Out),
    flush_output(Out).

a_test(_, unit(Unit, Name, Options, Body)) :-
    current_test(Unit, Name, _, Body, Options).
a_test(File, goal(Base, Module:Base)) :-
    \+ current_test_unit(_, _),
    file_base_name(File, Name),
    file_name_extension(Base, _, Name),
    module_property(Module, file(File)),
    module_property(Module, exports(Exports)),
    memberchk(Base/0, Exports).
a_test(_, goal(Set:Name, Head)) :-
    \+ current_test_unit(_, _),
    current_predicate(user:testset/1),
    user:testset(Set),
    Head =.. [Set, Name],
    catch(clause(user:Head, _), _, fail).

run_all([], _, _).
run_all([Test|Tests], N, From) :-
    name_of(Test, Text),
    (   N >= From
    ->  say('run ~d ~w', [N, Text]),
        result(Test, Result),
        say('~w', [Result]),
        clean_up_unit(Test, Tests)
    ;   true
    ),
    N1 is N+1,
    run_all(Tests, N1, From).

%   clean_up_unit(+Test, +Next): if Test is the last one of its unit, the unit's cleanup runs: what it frees, tables most of all, is not there for the
%   units that follow.
clean_up_unit(unit(Unit, _, _, _), Next) :-
    \+ ( Next = [unit(Following, _, _, _)|_], Following == Unit ),
    plunit:current_unit(Unit, Module, _, Options),
    given(cleanup(Cleanup), Options), !,
    outcome(Module:Cleanup, _).
clean_up_unit(_, _).

name_of(Test, Text) :-
    ( Test = unit(Unit, Name, _, _) -> Full = Unit:Name ; Test = goal(Full, _) ),
    format(atom(Text0), '~q', [Full]),
    one_line(Text0, Text1),
    (   retract(seen(Text1, Times0))
    ->  Times is Times0+1,
        format(atom(Text), '~w#~d', [Text1, Times])
    ;   Times = 1,
        Text = Text1
    ),
    assertz(seen(Text1, Times)).

one_line(Text, Line) :-
    atom_codes(Text, Codes0),
    spaces(Codes0, Codes),
    atom_codes(Line, Codes).

spaces([], []).
spaces([C|Cs], [D|Ds]) :-
    ( C < 0' -> D = 0'  ; D = C ),
    spaces(Cs, Ds).

%   result(+Test, -Result)

result(goal(_, Goal), Result) :-
    judged(user, [], Goal, Result).
result(unit(Unit, _, Options, Body), Result) :-
    plunit:current_unit(Unit, Module, _, UnitOptions), !,
    (   excused(Options)
    ->  Result = skip
    ;   excused(UnitOptions)
    ->  Result = skip
    ;   ready_unit(Unit, Module, UnitOptions, Ready),
        Ready \== true
    ->  Result = Ready
    ;   (   given(forall(Generator), Options)
        ->  each(Module, Generator, Options, Body, Result)
        ;   one(Module, Options, Body, Result)
        )
    ).

%   given(?Option, +Options) is semidet: unlike with option/2, Name = Value is something else.
given(Option, Options) :-
    member(O, Options),
    nonvar(O),
    O = Option, !.

excused(Options) :- given(blocked(_), Options), !.
excused(Options) :- given(fixme(_), Options).

%   The setup of a unit runs once, before the first of its tests.
ready_unit(Unit, _, _, Ready) :-
    set_up(Unit, Ready), !.
ready_unit(Unit, Module, Options, Ready) :-
    prepared(Module, Options, Ready),
    assertz(set_up(Unit, Ready)).

%   prepared(+Module, +Options, -Ready): true, or the result of tests that cannot run.
prepared(Module, Options, Ready) :-
    (   given(condition(Condition), Options),
        \+ catch(Module:Condition, _, fail)
    ->  Ready = skip
    ;   given(setup(Setup), Options)
    ->  outcome(Module:Setup, Outcome),
        ( Outcome == true -> Ready = true ; why(setup(Outcome), Ready) )
    ;   Ready = true
    ).

%   All solutions of the generator: the first result that is no pass, or pass.
each(Module, Generator, Options, Goal, Result) :-
    (   call(Module:Generator),
        one(Module, Options, Goal, R),
        R \== pass
    ->  Result = R
    ;   Result = pass
    ).

one(Module, Options, Goal, Result) :-
    prepared(Module, Options, Ready),
    (   Ready == true
    ->  judged(Module, Options, Goal, Result0),
        (   given(cleanup(Cleanup), Options)
        ->  outcome(Module:Cleanup, _)
        ;   true
        ),
        Result = Result0
    ;   Result = Ready
    ).

%   judged(+Module, +Options, +Goal, -Result): Goal is run once, and what came of it compared with what Options ask for.

judged(Module, Options, Goal, Result) :-
    member(Option, Options),
    expectation(Option, Expected), !,
    judge(Expected, Module, Goal, Result).
judged(Module, _, Goal, Result) :-
    judge(true(true), Module, Goal, Result).

expectation(Option, _) :- var(Option), !, fail.
expectation(true, true(true)).
expectation(true(G), true(G)).
expectation(A == B, true(A == B)).
expectation(A = B, true(A = B)).
expectation(A =@= B, true(A =@= B)).
expectation(A =:= B, true(A =:= B)).
expectation(fail, fail).
expectation(false, fail).
expectation(all(G), all(G)).
expectation(set(G), set(G)).
expectation(throws(E), throws(E)).
expectation(exception(E), throws(E)).
expectation(error(E), throws(error(E, _))).
expectation(error(E, C), throws(error(E, C))).

judge(fail, _, Goal, Result) :-
    outcome(Goal, Outcome),
    ( Outcome == false -> Result = pass ; why(Outcome, Result) ).
judge(throws(E), _, Goal, Result) :-
    outcome(Goal, Outcome),
    (   Outcome = ball(Ball),
        subsumes_term(E, Ball)
    ->  Result = pass
    ;   why(Outcome, Result)
    ).
judge(true(Condition), Module, Goal, Result) :-
    outcome(Goal, Outcome),
    (   Outcome == true
    ->  outcome(Module:Condition, Holds),
        ( Holds == true -> Result = pass ; why(not(Condition), Result) )
    ;   why(Outcome, Result)
    ).
judge(all(Comparison), Module, Goal, Result) :-
    Comparison =.. [Op, Template, Expected],
    outcome(findall(Template, Goal, Found), Outcome),
    (   Outcome == true
    ->  same(Module, Op, Found, Expected, Result)
    ;   why(Outcome, Result)
    ).
judge(set(Comparison), Module, Goal, Result) :-
    Comparison =.. [Op, Template, Expected0],
    outcome(findall(Template, Goal, Found0), Outcome),
    (   Outcome == true
    ->  sort(Found0, Found),
        sort(Expected0, Expected),
        same(Module, Op, Found, Expected, Result)
    ;   why(Outcome, Result)
    ).

same(Module, Op, Found, Expected, Result) :-
    Goal =.. [Op, Found, Expected],
    outcome(Module:Goal, Outcome),
    ( Outcome == true -> Result = pass ; why(found(Found), Result) ).

%   outcome(+Goal, -Outcome): true, false or ball(Ball).
outcome(Goal, Outcome) :-
    (   catch(Goal, Ball, true)
    ->  ( nonvar(Ball) -> Outcome = ball(Ball) ; Outcome = true )
    ;   Outcome = false
    ).

%   A failure as one line.
why(What, Line) :-
    (   catch(format(atom(Text), '~W', [What, [quoted(true), max_depth(12), spacing(next_argument)]]), _, Text = '?')
    ->  true
    ;   Text = '?'
    ),
    one_line(Text, Line0),
    ( atom_length(Line0, L), L > 300 -> sub_atom(Line0, 0, 300, _, Short) ; Short = Line0 ),
    atom_concat('fail ', Short, Line).

:- initialization(main, main).
