% What library(plunit) says.

:- module(plunit_messages,
          [ '$test_message'//1,
            '$test_error'//1
          ]).

/*  The messages are SWI-Prolog's, terms and wording, so that message_hook/3 and what reads their text work with both. Called by clauses of
    prolog:message//1 and prolog:error_message//1 that plunit.pl has.
*/

%!  '$test_message'(+Term)// is semidet.
%
%   The lines of plunit(Message).

'$test_message'(Term) -->
    { nonvar(Term), Term = plunit(Message) },
    text(Message), !.

%!  '$test_error'(+Formal)// is semidet.
%
%   The lines of the errors of library(plunit) alone.

'$test_error'(Formal) -->
    { nonvar(Formal) },
    error_text(Formal).

error_text(context_error(plunit_close(Unit, Open))) -->
    [ 'PL-Unit: cannot close unit ~w: '-[Unit] ],
    ( { Open == (-) } -> [ 'no open unit' ] ; [ 'current unit is ~w'-[Open] ] ).
error_text(plunit(incompatible_options, Options)) -->
    [ 'PL-Unit: incompatible test-options: ~p'-[Options] ].

text(begin(Spec)) -->
    [ 'PL-Unit: ~w '-[Spec], flush ].
text(end(_, Counts)) -->
    { '$member'(failed-Failed, Counts), '$member'(time-Time, Counts) }, !,
    [ at_same_line ],
    ( { Failed > 0 } -> [ ansi(error, '**FAILED', []) ] ; [ ' passed' ] ),
    [ ' ~3f sec'-[Time] ].
text(progress(_, _, How)) -->
    { progress_character(How, C) },
    [ at_same_line, C-[], flush ].
text(no_tests) -->
    [ 'No tests to run' ].
text(all_passed(N)) -->
    ( { N =:= 1 } -> [ 'test passed' ] ; [ 'All ~D tests passed'-[N] ] ).
text(passed(N)) -->
    [ '~D tests passed'-[N] ].
text(failed(0)) --> !.
text(failed(N)) -->
    ( { N =:= 1 } -> [ '1 test failed' ] ; [ '~D tests failed'-[N] ] ).
text(blocked(unit(Unit, Reason))) --> !,
    [ 'PL-Unit: ~w blocked: ~w'-[Unit, Reason] ].
text(blocked(N)) -->
    ( { N =:= 1 } -> [ 'one test is blocked:' ] ; [ '~D tests are blocked:'-[N] ] ).
text(blocked(Place, Name, Reason)) -->
    place(Place),
    label(Name),
    [ ': ~w'-[Reason] ].
text(fixme(0, 0, 0)) --> !.
text(fixme(Failed, 0, 0)) --> !,
    [ 'all ~D tests flagged FIXME failed'-[Failed] ].
text(fixme(Failed, Passed, 0)) --> !,
    [ 'FIXME: ~D failed; ~D passed'-[Failed, Passed] ].
text(fixme(Failed, Passed, Nondet)) -->
    { All is Passed+Nondet },
    [ 'FIXME: ~D failed; ~D passed; (~D nondet)'-[Failed, All, Nondet] ].
text(fixme(Tests)) -->
    fixme_lines(Tests).
text(nondet(File, Line, Name)) -->
    place(File:Line),
    [ 'PL-Unit: Test ~w: Test succeeded with choicepoint'-[Name] ].
text(error(Which, What, E)) -->
    (   { What = test(_, _, Place) }
    ->  place(Place)
    ;   { What = unit(Unit) },
        [ 'PL-Unit: unit ~w: '-[Unit] ]
    ),
    { '$message_to_text'(E, Text) },
    [ 'error in ~w: ~w'-[Which, Text] ].
text(failed(Unit, Name, Line, Why)) -->
    { '$unit_file'(Unit, File) },
    place(File:Line),
    label(Name),
    [ ': ' ],
    why(Why).
text(failed_assertions(0)) --> !.
text(failed_assertions(N)) -->
    ( { N =:= 1 } -> [ '1 assertion failed' ] ; [ '~D assertions failed'-[N] ] ).
text(failed_assertion(Unit, Name, Line, Where, _, Reason, Goal)) -->
    { '$unit_file'(Unit, File), plain_goal(Goal, Plain) },
    place(File:Line),
    label(Name),
    [ ': assertion' ],
    within(Where, File),
    ( { Reason == fail } -> [ ' failed' ]
    ; { '$message_to_text'(Reason, Text) }, [ ' raised "~w"'-[Text] ]
    ),
    [ '\n\t', 'Assertion: ~p'-[Plain] ].
text(running([])) -->
    [ 'PL-Unit: no tests running' ].
text(running([Test])) --> !,
    [ 'PL-Unit: running ' ],
    running_line(Test).
text(running(Tests)) -->
    [ 'PL-Unit: running ~D tests:'-[N] ],
    { length(Tests, N) },
    running_lines(Tests).

%   What the system defines is named without its module.
plain_goal(M:Goal, Plain) :-
    callable(Goal),
    predicate_property(M:Goal, system), !,
    Plain = Goal.
plain_goal(Goal, Goal).

progress_character(passed, '.').
progress_character(failed, '-').
progress_character(assertion, 'A').
progress_character(nondet, '+').
progress_character(fixme, '!').

place(Place) -->
    [ url(Place), ':\n\t' ].

label(Name) -->
    (   { nonvar(Name), Name = '@'(Test, Bindings) }
    ->  [ 'test ~w (forall bindings = ~p)'-[Test, Bindings] ]
    ;   [ 'test ~w'-[Name] ]
    ).

fixme_lines([]) --> [].
fixme_lines([fixme(Unit, _, Line, Reason, How)|Tests]) -->
    { '$unit_file'(Unit, File), fixme_word(How, Word) },
    [ 'FIXME: ~w: ~w~w'-[File:Line, Word, Reason] ],
    ( { Tests == [] } -> [] ; [ nl ] ),
    fixme_lines(Tests).

fixme_word(failed, '').
fixme_word(passed, 'passed ').
fixme_word(nondet, 'passed (nondet) ').

running_lines([]) --> [].
running_lines([Test|Tests]) -->
    [ nl, '    ' ],
    running_line(Test),
    running_lines(Tests).

running_line(running(Unit:Name, Place, _)) -->
    [ '~q:~q at '-[Unit, Name], url(Place) ].

why(Why) -->
    { var(Why) }, !,
    [ '~p~n'-[Why] ].
why(succeeded(Time)) --> !,
    [ 'must fail but succeeded in ~2f seconds~n'-[Time] ].
why(wrong_error(Expected, Got)) --> !,
    [ 'wrong error', nl ],
    compared(Expected, Got).
why(wrong_answer(Comparison)) -->
    { compound(Comparison), compound_name_arguments(Comparison, Op, [Got, Expected]) }, !,
    [ 'wrong answer (compared using ~w)'-[Op], nl ],
    compared(Expected, Got).
why(wrong_answer(Given, Found)) --> !,
    { compound_name_arguments(Given, Kind, [Comparison]),
      compound_name_arguments(Comparison, _, [_, Expected]) },
    [ 'wrong "~w" answer:'-[Kind], nl,
      '    Expected: ~q'-[Expected], nl,
      '       Found: ~q'-[Found] ].
why(comparison_error(E)) --> !,
    { '$message_to_text'(E, Text) },
    [ 'Comparison error: ~w'-[Text] ].
why(Why) -->
    { Why = error(_, _) }, !,
    { '$message_to_text'(Why, Text) },
    [ 'received error: ~w'-[Text] ].
why(Why) -->
    [ '~p~n'-[Why] ].

%   Variables get the names A, B, ..., the same in both terms.
compared(Expected0, Got0) -->
    { copy_term(Expected0-Got0, Expected-Got, Goals),
      numbervars(Expected-Got-Goals, 0, _),
      Options = [numbervars(true), quoted(true), portray(true), max_depth(100)] },
    [ '    Expected: ', '~W'-[Expected, Options], nl,
      '    Got:      ', '~W'-[Got, Options], nl ],
    ( { Goals == [] } -> [] ; [ '       with: ', '~W'-[Goals, Options], nl ] ).

%   within(+Where, +File)//: the clause in which an assertion is, if it is not the test's.
within(in(_:PI, File, Line), File) --> !, [ ' in ~q (line ~w)'-[PI, Line] ].
within(in(_:PI, Other, Line), _) --> !, [ ' in ~q (~w:~w)'-[PI, Other, Line] ].
within(_, _) --> [].
