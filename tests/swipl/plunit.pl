:- module(plunit,
     [ begin_tests/1, begin_tests/2, end_tests/1, run_tests/0, run_tests/1, set_test_options/1, load_test_files/1,
       running_tests/0, test_report/1, current_test/5 ]).

/*  Unit tests as SWI-Prolog's library(plunit) declares them: what of it the tests of SWI-Prolog need, in both systems the same, so that
    a test means the same in both. It stands in for the library when tools/swipl-tests runs them, and goes when there is a real one.

    A unit is a module that inherits from the module it is in. A test is a clause of 'unit body'/2 there and a fact unit_test/5 here;
    they are joined by a number, in the order of the text. Differs from the library in: a test succeeds with or without a
    choicepoint left; tests run in one unification mode (`sto` means nothing); one test with forall(Generator) has one result.

    The runner beside this file is the only one who runs tests; run_tests/0,1 do nothing but say so.  */

:- dynamic(open_unit/3).        % Unit, Module, module outside
:- dynamic(unit/3).             % Unit, Module, Options
:- dynamic(unit_test/5).        % Number, Unit, Name, Options, variables shared with the body
:- dynamic(test_count/1).

:- multifile(user:term_expansion/2).
:- dynamic(user:term_expansion/2).

user:term_expansion(Term, Clauses) :-
    plunit:open_unit(Unit, _, _),
    plunit:test_clause(Term, Unit, Clauses).

test_clause(Term, _, _) :-
    var(Term), !,
    fail.
test_clause((test(Name) :- Body), Unit, Clauses) :-
    add_test(Unit, Name, [], Body, Clauses).
test_clause((test(Name, Options) :- Body), Unit, Clauses) :-
    ( is_list(Options) -> List = Options ; List = [Options] ),
    add_test(Unit, Name, List, Body, Clauses).

%   add_test(+Unit, +Name, +Options, +Body, -Clauses)
%
%   Options and body share variables, and are compiled apart.

add_test(Unit, Name, Options, Body, [('unit body'(N, Shared) :- Body)]) :-
    term_variables(Options, InOptions),
    term_variables(Body, InBody),
    shared(InOptions, InBody, List),
    Shared =.. [v|List],
    ( retract(test_count(N0)) -> N is N0+1 ; N = 1 ),
    assertz(test_count(N)),
    assertz(unit_test(N, Unit, Name, Options, Shared)).

shared([], _, []).
shared([V|Vs], Others, Shared) :-
    (   member(O, Others), O == V
    ->  Shared = [V|Rest]
    ;   Shared = Rest
    ),
    shared(Vs, Others, Rest).

%!  begin_tests(+Unit) is det.
%!  begin_tests(+Unit, +Options) is det.
%
%   From here to end_tests/1 clauses belong to the unit.

begin_tests(Unit) :-
    begin_tests(Unit, []).

begin_tests(Unit, Options) :-
    atom_concat(plunit_, Unit, Module),
    '$set_source_module'(Outside, Module),
    set_module(Module:base(Outside)),
    discontiguous(Module:('unit body'/2)),
    asserta(open_unit(Unit, Module, Outside)),
    assertz(unit(Unit, Module, Options)).

%!  end_tests(+Unit) is det.
%
%   Units that were opened after Unit and not closed end with it.

end_tests(Unit) :-
    retract(open_unit(U, _, Outside)),
    '$set_source_module'(_, Outside),
    U == Unit, !.
end_tests(Unit) :-
    throw(error(context_error(plunit_close(Unit, -)), _)).

%!  run_tests is det.
%!  run_tests(+Units) is det.

run_tests :-
    run_tests(all).
run_tests(_) :-
    print_message(informational, format('tests are run by the runner', [])).

set_test_options(_).
load_test_files(_).
running_tests.
test_report(_).

%!  current_test(?Unit, ?Name, ?Line, ?Body, ?Options) is nondet.

current_test(Unit, Name, 0, Module:'unit body'(N, Shared), Options) :-
    unit_test(N, Unit, Name, Options, Shared),
    unit(Unit, Module, _).
