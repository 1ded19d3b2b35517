% Unit tests, as SWI-Prolog's library(plunit).

:- module(plunit,
          [ begin_tests/1,
            begin_tests/2,
            end_tests/1,
            run_tests/0,
            run_tests/1,
            running_tests/0,
            test_report/1,
            set_test_options/1,
            load_test_files/1,
            current_test_unit/2,
            current_test/5,
            '$unit_file'/2
          ]).

/*  A unit is a module plunit_<Unit>, which inherits from the module that begin_tests/1 stands in. What is read up to end_tests/1 is clauses of
    that module, and its tests become two of them each:

        'unit test'(Name, Line, Options, Module:'unit body'(Id, Shared))
        'unit body'(Id, Shared) :- !, Body

    Shared holds the variables that Options and Body have in common. Options are checked when they are read, so that who runs tests
    need not; a bare comparison is true(Comparison) there, and error(E) is throws(error(E, _)).

    *Invariant*: a unit is open for the load that began it only (open_unit/5 has its session), and while it is the innermost open unit
    of that load, its module is the source module. Units that a file did not close end with its load, as the source module does.

    Since tests are clauses of their file, loading it again replaces them like all others.
*/

%   open_unit(Session, Unit, Module, Outside, Loaded): of the load with this session; the innermost is the first. Loaded: true, or false where all up
%   to the end of the unit is passed over.
:- thread_local(open_unit/5).

%   current_unit(Unit, Module, Outside, Options): in the order of the texts. unit_origin(Unit, File, Session): who began it last.
:- dynamic(current_unit/4).
:- dynamic(unit_origin/3).

:- dynamic(test_option/1).

% --- units ---

%!  begin_tests(+Unit) is det.
%!  begin_tests(+Unit, +Options) is det.
%
%   A directive: what follows up to end_tests(Unit) belongs to the unit. Options: blocked(Reason), condition(Goal), setup(Goal), cleanup(Goal), for
%   the unit as a whole; concurrent(Bool), whether its tests may run at the same time (they do not); sto(Terms), which means nothing.

begin_tests(Unit) :-
    begin_tests(Unit, []).

begin_tests(Unit, Options) :-
    must_be(atom, Unit),
    must_be(list, Options),
    check_unit_options(Options),
    (   '$load_state'(File, Session, _)
    ->  true
    ;   throw(error(context_error(nodirective, begin_tests(Unit, Options)), _))
    ),
    atom_concat(plunit_, Unit, Module),
    '$source_module'(Outside),
    (   load_tests
    ->  module_is_free(Module, File),
        forget_second(Unit, Module, Session),
        '$declare_unit'(Module, File),
        set_module(Module:base(Outside)),
        set_module(Module:class(test)),
        '$set_source_module'(Module),
        discontiguous(Module:('unit test'/4)),
        discontiguous(Module:('unit body'/2)),
        forget_units(File, Session),
        assertz(current_unit(Unit, Module, Outside, Options)),
        assertz(unit_origin(Unit, File, Session)),
        Loaded = true
    ;   Loaded = false
    ),
    asserta(open_unit(Session, Unit, Module, Outside, Loaded)).

%   A module has one file.
module_is_free(Module, File) :-
    module_property(Module, file(Other)),
    Other \== File, !,
    atom_concat('Already loaded from ', Other, Why),
    throw(error(permission_error(redefine, module, Module), context(system:(module)/2, Why))).
module_is_free(_, _).

%   A unit that the file has had already is replaced.
forget_second(Unit, Module, Session) :-
    unit_origin(Unit, _, Session), !,
    '$predicates'(Module, _, _, PIs0),
    sort(PIs0, PIs),
    print_message(warning, declare_module(Module, abolish(PIs))),
    forall('$member'(PI, PIs), '$forget_read'(PI)),
    retractall(unit_origin(Unit, _, Session)),
    retractall(current_unit(Unit, _, _, _)).
forget_second(_, _, _).

%   The units of earlier loads of the file.
forget_units(File, Session) :-
    (   unit_origin(Unit, File, Earlier),
        Earlier \== Session,
        retractall(unit_origin(Unit, File, Earlier)),
        retractall(current_unit(Unit, _, _, _)),
        fail
    ;   true
    ).

load_tests :-
    option_value(load, normal, Load),
    (   Load == always -> true
    ;   Load == normal -> \+ current_prolog_flag(optimise, true)
    ).

%!  end_tests(+Unit) is det.
%
%   A directive: the end of what begin_tests/1 began.

end_tests(Unit) :-
    (   innermost(Session, Open, Module, Outside, Loaded)
    ->  true
    ;   Open = (-)
    ),
    (   Open \== (-),
        Unit == Open
    ->  retract(open_unit(Session, Open, Module, Outside, Loaded)),
        '$set_source_module'(Outside)
    ;   throw(error(context_error(plunit_close(Unit, Open)), _))
    ), !.

%   innermost(-Session, -Unit, -Module, -Outside, -Loaded) is semidet.
innermost(Session, Unit, Module, Outside, Loaded) :-
    '$load_state'(_, Session, _),
    open_unit(Session, Unit, Module, Outside, Loaded), !.

check_unit_options([]).
check_unit_options([O|Os]) :-
    must_be(nonvar, O),
    (   O = blocked(Reason) -> must_be(ground, Reason)
    ;   ( O = condition(Goal) ; O = setup(Goal) ; O = cleanup(Goal) )
    ->  must_be(callable, Goal)
    ;   O = concurrent(Bool) -> must_be(boolean, Bool)
    ;   O = sto(Terms), unification(Terms)
    ->  true
    ;   domain_error(plunit:test_set_option, O)
    ),
    check_unit_options(Os).

unification(Terms) :- var(Terms), !, instantiation_error(Terms).
unification(rational_trees).
unification(finite_trees).

%!  current_test_unit(?Unit, ?Options) is nondet.

current_test_unit(Unit, Options) :-
    current_unit(Unit, _, _, Options).

%!  current_test(?Unit, ?Name, ?Line, -Body, -Options) is nondet.
%
%   Body is a goal that shares its variables with Options.

current_test(Unit, Name, Line, Body, Options) :-
    current_unit(Unit, Module, _, _),
    unit_test(Module, Name, Line, Options, Body).

unit_test(Module, Name, Line, Options, Body) :-
    current_predicate(Module:('unit test')/4),
    Module:'unit test'(Name, Line, Options, Body).

% --- clauses of tests ---

%   What the loader asks of libraries, for each term of a file: see expand_term/2.
:- assertz(system:('$library_expansion'(Term, Clauses) :- plunit:expansion(Term, Clauses))).

%   expansion(+Term, -Clauses) is semidet.
expansion(Term, Clauses) :-
    innermost(_, Unit, Module, _, Loaded),
    (   Loaded == true
    ->  '$source_module'(Module),
        test_clauses(Term, Module, Clauses)
    ;   Term = (:- Directive),
        callable(Directive),
        ( Directive = end_tests(_) ; Directive = begin_tests(_) ; Directive = begin_tests(_, _) )
    ->  fail
    ;   % Not loaded: all up to the end is passed over.
        atom(Unit),
        Clauses = []
    ).

test_clauses(Term, _, _) :-
    var(Term), !,
    fail.
test_clauses((test(Name) :- Body), Module, Clauses) :- !,
    test_clauses(Name, [], Body, Module, Clauses).
test_clauses((test(Name, Options) :- Body), Module, Clauses) :- !,
    (   var(Options)
    ->  instantiation_error(Options)
    ;   is_list(Options)
    ->  List = Options
    ;   List = [Options]
    ),
    test_clauses(Name, List, Body, Module, Clauses).
test_clauses(test(Name), _, _) :- !,
    existence_error(body, test(Name)).
test_clauses(test(Name, _), _, _) :-
    existence_error(body, test(Name)).

test_clauses(Name, Options0, Body, Module, [Test, (Head :- !, Body)]) :-
    ( source_location(_, Line) -> true ; Line = 0 ),
    test_options(Options0, Options1),
    one_expectation(Options1, Options),
    atomic_list_concat([Name, '@line ', Line], Id),
    term_variables(Options, InOptions),
    term_variables(Body, InBody),
    in_both(InOptions, InBody, Variables),
    Shared =.. [vars|Variables],
    Head = 'unit body'(Id, Shared),
    Test = 'unit test'(Name, Line, Options, Module:Head).

in_both([], _, []).
in_both([V|Vs], Others, Both) :-
    (   '$memberchk_eq'(V, Others)
    ->  Both = [V|Both1]
    ;   Both = Both1
    ),
    in_both(Vs, Others, Both1).

%   test_options(+Given, -Options): checked, and in one form each.
test_options([], []).
test_options([O0|Os0], [O|Os]) :-
    must_be(nonvar, O0),
    (   test_option(O0, O)
    ->  true
    ;   domain_error(plunit:test_option, O0)
    ),
    test_options(Os0, Os).

test_option(true, true(true)).
test_option(true(G), true(G)).
test_option(fail, fail).
test_option(false, fail).
test_option(A == B, true(A == B)).
test_option(A = B, true(A = B)).
test_option(A =@= B, true(A =@= B)).
test_option(A =:= B, true(A =:= B)).
test_option(all(C), all(C)) :- comparison(C).
test_option(set(C), set(C)) :- comparison(C).
test_option(bag(C), bag(C)) :- comparison(C).
test_option(throws(E), throws(E)).
test_option(exception(E), throws(E)).
test_option(error(E), throws(error(E, _))).
test_option(error(E, Context), throws(error(E, Context))).
test_option(nondet, nondet).
test_option(fixme(Reason), fixme(Reason)).
test_option(blocked(Reason), blocked(Reason)) :- must_be(ground, Reason).
test_option(setup(G), setup(G)) :- must_be(callable, G).
test_option(cleanup(G), cleanup(G)) :- must_be(callable, G).
test_option(condition(G), condition(G)) :- must_be(callable, G).
test_option(forall(G), forall(G)) :- must_be(callable, G).
test_option(concurrent(Bool), concurrent(Bool)) :- must_be(boolean, Bool).
test_option(sto(Terms), sto(Terms)) :- unification(Terms).

comparison(C) :- var(C), !, instantiation_error(C).
comparison(C) :- compound(C), compound_name_arity(C, _, 2).

%   one_expectation(+Options, -WithExpectation): a test has exactly one.
one_expectation(Options0, Options) :-
    expectations(Options0, Expectations),
    (   Expectations == []
    ->  Options = [true(true)|Options0]
    ;   Expectations = [_]
    ->  Options = Options0
    ;   throw(error(plunit(incompatible_options, Expectations), _))
    ).

expectations([], []).
expectations([O|Os], Es) :-
    (   expectation(O)
    ->  Es = [O|Es1]
    ;   Es = Es1
    ),
    expectations(Os, Es1).

expectation(true(_)).
expectation(fail).
expectation(all(_)).
expectation(set(_)).
expectation(bag(_)).
expectation(throws(_)).

% --- options ---

%!  set_test_options(+Options) is det.
%
%   load(When): when tests are loaded, always, never or normal (unless the flag optimise is true); silent(Bool): only what goes wrong is told;
%   cleanup(Bool): results are forgotten when the run ends. run(manual), sto(false) and concurrent(false) are how it is, as a warning
%   says to who wants it otherwise. None is set if one is refused.

set_test_options(Options) :-
    must_be(list, Options),
    forall('$member'(Option, Options), check_global_option(Option)),
    forall('$member'(Option, Options), set_global_option(Option)).

check_global_option(Option) :-
    must_be(nonvar, Option),
    (   Option =.. [Name, Value],
        global_option(Name, Type)
    ->  must_be(Type, Value)
    ;   domain_error(plunit:global_test_option, Option)
    ).

set_global_option(Option) :-
    is_missing(Option), !,
    print_message(warning, format('~p is not there: tests run as if it was false', [Option])).
set_global_option(Option) :-
    functor(Option, Name, 1),
    functor(Any, Name, 1),
    retractall(test_option(Any)),
    assertz(test_option(Option)).

global_option(load, oneof([never, always, normal])).
global_option(run, oneof([manual])).
global_option(silent, boolean).
global_option(cleanup, boolean).
global_option(sto, boolean).
global_option(concurrent, boolean).

is_missing(sto(true)).
is_missing(concurrent(true)).

%   option_value(+Name, +Default, -Value): of the options that were set.
option_value(Name, Default, Value) :-
    O =.. [Name, Set],
    (   test_option(O)
    ->  Value = Set
    ;   Value = Default
    ).

%!  load_test_files(+Options) is det.
%
%   Loads, beside each loaded file File.pl, a File.plt if there is one, into the module that File.pl is of. Options are not looked at.

load_test_files(_) :-
    findall(File, source_file(File), Files),
    load_beside(Files).

load_beside([]).
load_beside([File|Files]) :-
    file_name_extension(Base, Extension, File),
    (   Extension \== plt,
        file_name_extension(Base, plt, Tests),
        exists_file(Tests)
    ->  (   module_property(Module, file(File)) -> true ; Module = user ),
        load_files(Module:Tests, [if(changed)])
    ;   true
    ),
    load_beside(Files).

% --- running ---

/*  A thread has the results of its own run: result(Unit, Name, Line, Result) in the order of the tests, where Result is passed, failed,
    blocked(Reason), fixme(Reason, How), How one of failed, passed and nondet, or, before that of the test, assertion for each that did not hold. Name is Test, or '@'(Test, Bindings) for a solution of forall(Generator).
    A run within a run adds to the results of the outer one.
*/

:- thread_local(result/4).

%   doubted(Unit, Name, Line): an assertion did not hold in a test of this thread that has not been concluded. These are few, whatever has been run: results
%   are not looked through for each test.
:- thread_local(doubted/3).

%   running(Thread, Unit, Name, File, Line): all threads, the last begun first.
:- dynamic(running/5).
:- volatile(running/5).

%!  run_tests is semidet.
%!  run_tests(+Tests) is semidet.
%
%   Runs all units, or what Tests says: Unit, Unit:Test, Unit:[Test, ...], or a list of these. Fails if a test does.

run_tests :-
    findall(Unit, current_unit(Unit, _, _, _), Units),
    run_tests(Units).

run_tests(Tests) :-
    must_be(nonvar, Tests),
    thread_self(Me),
    (   running(Me, _, _, _, _)
    ->  true
    ;   retractall(result(_, _, _, _)),
        retractall(doubted(_, _, _))
    ),
    setup_call_cleanup(
        true,
        run_specified(Tests),
        run_ends),
    \+ last_run_failed.

:- thread_local(last_run_failed/0).

run_ends :-
    retractall(last_run_failed),
    ( result(_, _, _, failed) -> assertz(last_run_failed) ; true ),
    summary,
    (   option_value(cleanup, false, true)
    ->  retractall(result(_, _, _, _))
    ;   true
    ).

run_specified([]) :- !.
run_specified([T|Ts]) :- !,
    run_specified(T),
    run_specified(Ts).
run_specified(Spec) :-
    (   Spec = Unit:Tests
    ->  must_be(nonvar, Tests),
        ( is_list(Tests) -> Names = Tests ; Names = [Tests] )
    ;   Unit = Spec,
        Names = all
    ),
    must_be(atom, Unit),
    (   current_unit(Unit, Module, _, Options)
    ->  run_unit(Spec, Unit, Module, Options, Names)
    ;   existence_error(unit_test, Unit)
    ).

run_unit(_, Unit, _, Options, _) :-
    '$member'(blocked(Reason), Options), !,
    inform(plunit(blocked(unit(Unit, Reason)))).
run_unit(Spec, Unit, Module, Options, Names) :-
    (   prepared(unit(Unit), Module, Options)
    ->  setup_call_cleanup(
            true,
            run_tests_of(Spec, Unit, Module, Names),
            clean_up(Module, Options))
    ;   true
    ).

run_tests_of(Spec, Unit, Module, Names) :-
    get_time(Begin),
    unit_results(Unit, Before),
    inform(plunit(begin(Spec))),
    (   unit_test(Module, Name, Line, Options, Body),
        is_wanted(Names, Name),
        run_test(Unit, Module, Name, Line, Options, Body),
        fail
    ;   true
    ),
    unit_results(Unit, After),
    get_time(End),
    Time is End-Begin,
    difference(Before, After, Counts),
    inform(plunit(end(Spec, [time-Time|Counts]))).

is_wanted(all, _) :- !.
is_wanted([N|Ns], Name) :-
    (   N == Name -> true ; is_wanted(Ns, Name) ).

%   unit_results(?Unit, -Counts): of passed, failed and blocked.
unit_results(Unit, [passed-Passed, failed-Failed, blocked-Blocked]) :-
    aggregate_all(count, result(Unit, _, _, passed), Passed),
    aggregate_all(count, result(Unit, _, _, failed), Failed),
    aggregate_all(count, result(Unit, _, _, blocked(_)), Blocked).

difference([], [], []).
difference([K-N0|Before], [K-N1|After], [K-N|Counts]) :-
    N is N1-N0,
    difference(Before, After, Counts).

%   run_test(+Unit, +Module, +Name, +Line, +Options, +Body): once, or for each solution of a generator.
run_test(Unit, Module, Name, Line, Options, Body) :-
    '$member'(forall(Generator), Options), !,
    term_variables(Generator, Variables),
    forall(Module:Generator,
           run_once(Unit, Module, '@'(Name, Variables), Line, Options, Body)).
run_test(Unit, Module, Name, Line, Options, Body) :-
    run_once(Unit, Module, Name, Line, Options, Body).

run_once(Unit, _, Name, Line, Options, _) :-
    '$member'(blocked(Reason), Options), !,
    note(Unit, Name, Line, blocked(Reason)).
run_once(Unit, Module, Name, Line, Options, Body) :-
    '$unit_file'(Unit, File),
    thread_self(Me),
    storable(Name, Shown),
    setup_call_cleanup(
        asserta(running(Me, Unit, Shown, File, Line), Ref),
        (   prepared(test(Unit, Name, File:Line), Module, Options)
        ->  setup_call_cleanup(
                true,
                once(outcome(Options, Module, Body, Outcome)),
                clean_up(Module, Options)),
            Ran = true
        ;   Ran = false
        ),
        erase(Ref)),
    was_doubted(Unit, Shown, Line, Doubted),
    (   Ran == true
    ->  conclude(Outcome, Doubted, Options, Unit, Name, File, Line)
    ;   true
    ).

%   was_doubted(+Unit, +Stored, +Line, -Bool): not any more.
was_doubted(Unit, Name, Line, true) :-
    doubt(Unit, Name, Line, _), !,
    forall(doubt(Unit, Name, Line, Ref), erase(Ref)).
was_doubted(_, _, _, false).

doubt(Unit, Name, Line, Ref) :-
    clause(doubted(Unit, Noted, Line), true, Ref),
    Noted =@= Name.

%!  '$unit_file'(+Unit, -File) is det.
%
%   For plunit_messages.pl.

'$unit_file'(Unit, File) :-
    ( unit_origin(Unit, Origin, _) -> File = Origin ; File = user ).

%   prepared(+What, +Module, +Options) is semidet: What, unit(Unit) or test(Unit, Name, Place), can run: its condition holds, and its setup succeeded.
prepared(What, Module, Options) :-
    (   '$member'(condition(Condition), Options)
    ->  guarded(condition, What, Module:Condition)
    ;   true
    ),
    (   '$member'(setup(Setup), Options)
    ->  (   catch(Module:Setup, E, true)
        ->  (   var(E)
            ->  true
            ;   raised(setup, What, E)
            )
        ;   print_message(error, error(goal_failed(Setup), _)),
            fail
        )
    ;   true
    ), !.

guarded(Which, What, Goal) :-
    catch(Goal, E, true), !,
    ( var(E) -> true ; raised(Which, What, E) ).

raised(Which, What, E) :-
    throw_if_urgent(E),
    print_message(error, plunit(error(Which, What, E))),
    fail.

%   What no test means to catch.
throw_if_urgent(E) :- ( '$is_urgent'(E) -> throw(E) ; true ).

clean_up(Module, Options) :-
    (   '$member'(cleanup(Cleanup), Options)
    ->  (   catch(Module:Cleanup, E, true)
        ->  (   var(E)
            ->  true
            ;   throw_if_urgent(E),
                print_message(warning, E)
            )
        ;   print_message(warning, goal_failed(Cleanup, '(cleanup handler)'))
        )
    ;   true
    ).

%   outcome(+Options, +Module, +Body, -Outcome): passed(Det) or failed(Why). The body's bindings are there afterwards, for the cleanup.
outcome(Options, Module, Body, Outcome) :-
    '$member'(Expectation, Options),
    expectation(Expectation), !,
    outcome_of(Expectation, Module, Body, Outcome).

outcome_of(fail, _, Body, Outcome) :-
    statistics(cputime, Begin),
    answer(Body, Answer),
    (   Answer = succeeded(_)
    ->  statistics(cputime, End),
        Time is End-Begin,
        Outcome = failed(succeeded(Time))
    ;   Answer == failed
    ->  Outcome = passed(true)
    ;   Answer = raised(E),
        Outcome = failed(E)
    ).
outcome_of(throws(Expected), _, Body, Outcome) :-
    answer(Body, Answer),
    (   Answer = succeeded(_)
    ->  Outcome = failed(no_exception)
    ;   Answer == failed
    ->  Outcome = failed(failed)
    ;   Answer = raised(E),
        (   subsumes_term(Expected, E)
        ->  Outcome = passed(true)
        ;   Outcome = failed(wrong_error(Expected, E))
        )
    ).
outcome_of(true(Comparison), Module, Body, Outcome) :-
    answer(Body, Answer),
    (   Answer = succeeded(Det)
    ->  answer(Module:Comparison, Holds),
        (   Holds = succeeded(_)
        ->  Outcome = passed(Det)
        ;   Holds == failed
        ->  Outcome = failed(wrong_answer(Comparison))
        ;   Holds = raised(E),
            Outcome = failed(comparison_error(E))
        )
    ;   Answer == failed
    ->  Outcome = failed(failed)
    ;   Answer = raised(E),
        Outcome = failed(E)
    ).
outcome_of(all(Comparison), Module, Body, Outcome) :-
    outcome_of_all(Comparison, all, =, Module, Body, Outcome).
outcome_of(set(Comparison), Module, Body, Outcome) :-
    outcome_of_all(Comparison, set, sort, Module, Body, Outcome).
outcome_of(bag(Comparison), Module, Body, Outcome) :-
    outcome_of_all(Comparison, bag, msort, Module, Body, Outcome).

%   Comparison is Op(Template, Expected). Order gives both lists the order in which they are compared.
:- meta_predicate outcome_of_all(?, ?, 2, ?, 0, ?).
outcome_of_all(Comparison, Kind, Order, Module, Body, Outcome) :-
    compound_name_arguments(Comparison, Op, [Template, Expected0]),
    answer(findall(Template, Body, Found0), Answer),
    (   Answer = raised(E)
    ->  Outcome = failed(E)
    ;   call(Order, Found0, Found),
        ( is_list(Expected0) -> call(Order, Expected0, Expected) ; Expected = Expected0 ),
        compound_name_arguments(Goal, Op, [Found, Expected]),
        answer(Module:Goal, Holds),
        (   Holds = succeeded(_)
        ->  Outcome = passed(true)
        ;   Holds == failed
        ->  compound_name_arguments(Wanted, Op, [Template, Expected]),
            Given =.. [Kind, Wanted],
            Outcome = failed(wrong_answer(Given, Found))
        ;   Holds = raised(E),
            Outcome = failed(comparison_error(E))
        )
    ).

%   answer(:Goal, -Answer) is det: succeeded(Det), where Det is true if no choicepoint was left, failed, or raised(E).
:- meta_predicate answer(0, ?).
answer(Goal, Answer) :-
    (   catch(call_det(Goal, Det), E, true)
    ->  (   nonvar(E)
        ->  throw_if_urgent(E),
            Answer = raised(E)
        ;   Answer = succeeded(Det)
        )
    ;   Answer = failed
    ).

%   (What cuts the goal's choicepoints ends it, so Det is looked at before.)
call_det(Goal, Det) :-
    call_cleanup(Goal, Exited = true),
    ( Exited == true -> Det = true ; Det = false ).

note(Unit, Name, Line, Result) :-
    storable(Name, Stored),
    assertz(result(Unit, Stored, Line, Result)).

%   Cyclic terms are no terms of the database: then the bindings are left out.
storable(Name, Stored) :-
    (   cyclic_term(Name),
        Name = '@'(Test, _)
    ->  Stored = '@'(Test, '...')
    ;   Stored = Name
    ).

conclude(Outcome, Doubted, Options, Unit, Name, File, Line) :-
    (   '$member'(nondet, Options), Outcome = passed(_)
    ->  conclude_with(passed(true), Doubted, Options, Unit, Name, File, Line)
    ;   conclude_with(Outcome, Doubted, Options, Unit, Name, File, Line)
    ).

conclude_with(Outcome, _, Options, Unit, Name, _, Line) :-
    '$member'(fixme(Reason), Options), !,
    fixme_result(Outcome, How, Progress),
    note(Unit, Name, Line, fixme(Reason, How)),
    print_message(information, plunit(progress(Unit, Name, Progress))).
conclude_with(passed(_), true, _, Unit, Name, _, Line) :- !,
    note(Unit, Name, Line, failed),
    print_message(information, plunit(progress(Unit, Name, assertion))).
conclude_with(passed(Det), _, _, Unit, Name, File, Line) :-
    note(Unit, Name, Line, passed),
    (   Det == true
    ->  print_message(information, plunit(progress(Unit, Name, passed)))
    ;   print_message(warning, plunit(nondet(File, Line, Name)))
    ).
conclude_with(failed(Why), _, _, Unit, Name, _, Line) :-
    note(Unit, Name, Line, failed),
    print_message(error, plunit(failed(Unit, Name, Line, Why))).

%   fixme_result(+Outcome, -How, -Progress): what it is called in results, and in messages of progress.
fixme_result(failed(_), failed, failed).
fixme_result(passed(Det), How, Progress) :-
    ( Det == true -> How = passed, Progress = nondet ; How = nondet, Progress = fixme ).

%   inform(+Message): that it goes as it should.
inform(Message) :-
    (   option_value(silent, false, true)
    ->  print_message(silent, Message)
    ;   print_message(informational, Message)
    ).

% --- reports ---

summary :-
    unit_results(_, [passed-Passed, failed-Failed, blocked-Blocked]),
    aggregate_all(count, result(_, _, _, assertion), Assertions),
    (   Passed+Failed+Blocked =:= 0
    ->  inform(plunit(no_tests))
    ;   Failed+Blocked+Assertions =:= 0
    ->  fixme_summary,
        inform(plunit(all_passed(Passed)))
    ;   blocked_report(Blocked),
        fixme_summary,
        inform(plunit(failed_assertions(Assertions))),
        inform(plunit(failed(Failed))),
        inform(plunit(passed(Passed)))
    ).

blocked_report(Blocked) :-
    (   Blocked > 0
    ->  inform(plunit(blocked(Blocked))),
        % (As what is fixme, these are told of even if the option `silent` is set.)
        forall(( result(Unit, Name, Line, blocked(Reason)), '$unit_file'(Unit, File) ),
               print_message(informational, plunit(blocked(File:Line, Name, Reason))))
    ;   true
    ).

fixme_summary :-
    aggregate_all(count, result(_, _, _, fixme(_, failed)), Failed),
    aggregate_all(count, result(_, _, _, fixme(_, passed)), Passed),
    aggregate_all(count, result(_, _, _, fixme(_, nondet)), Nondet),
    print_message(informational, plunit(fixme(Failed, Passed, Nondet))).

%!  test_report(?What) is det.
%
%   What is fixme: the tests with that option that this thread ran last, and what came of each.

test_report(fixme) :- !,
    findall(fixme(Unit, Name, Line, Reason, How),
            ( '$member'(How, [failed, passed, nondet]), result(Unit, Name, Line, fixme(Reason, How)) ),
            Found),
    (   Found == []
    ->  true
    ;   fixme_summary,
        print_message(informational, plunit(fixme(Found)))
    ).
test_report(What) :-
    domain_error(report_class, What).

%!  running_tests is det.
%
%   Says which tests are being run, in whatever thread.

running_tests :-
    findall(running(Unit:Name, File:Line, Thread), running(Thread, Unit, Name, File, Line), Running),
    print_message(informational, plunit(running(Running))).

:- multifile(prolog:message/3).
:- multifile(prolog:error_message/3).
prolog:message(Term, Lines, Tail) :- plunit_messages:'$test_message'(Term, Lines, Tail).
prolog:error_message(Formal, Lines, Tail) :- plunit_messages:'$test_error'(Formal, Lines, Tail).

%   An assertion that does not hold makes the test fail in which it is, when that has ended.
:- multifile(prolog:assertion_failed/2).
:- dynamic(prolog:assertion_failed/2).
prolog:assertion_failed(Reason, Goal) :- plunit:assertion_failed(Reason, Goal).

assertion_failed(Reason, Goal) :-
    thread_self(Me),
    running(Me, Unit, Name, _, Line), !,
    (   '$asserted_in'([Place|_]), Place \= in(_:('unit body'/2), _, _) -> true
    ;   Place = unknown
    ),
    print_message(error, plunit(failed_assertion(Unit, Name, Line, Place, [], Reason, Goal))),
    note(Unit, Name, Line, assertion),
    assertz(doubted(Unit, Name, Line)).
