/*  An expert-system shell: it asks, and answers "why" and "how".

        samite examples/expert.pl             a consultation that is prepared
        samite examples/expert.pl ask         one at the terminal

    Rules are Prolog terms with operators of their own.  The shell works from the
    goal back to what must be asked, asks each question once, and remembers
    how it came to what it knows.  A question is answered by yes, no, or why:
    why shows the rules that are being tried, the innermost first.  At the end
    how shows the proof of the conclusion.

    The form is that of MYCIN (E. H. Shortliffe, "Computer-Based Medical
    Consultations", 1976); what it knows about here is a bicycle.
*/

:- use_module(library(lists)).
:- use_module(library(apply)).

:- initialization(main, main).

:- op(1180, fx, rule).
:- op(1170, xfx, then).
:- op(1160, fx, if).
:- op(1150, xfy, and).
:- op(1140, fy, not).

:- dynamic
    told/2,                  % told(Fact, YesOrNo): what has been answered
    prepared/1.              % prepared(Answers): those that are not yet given

                /*******************************
                *        WHAT IT KNOWS         *
                *******************************/

%   knowledge(Number, Rule)
knowledge(1, if pedals_turn_freely and not wheel_turns
             then drive_is_broken).
knowledge(2, if drive_is_broken and chain_hangs_down
             then diagnosis('the chain has come off')).
knowledge(3, if drive_is_broken and not chain_hangs_down and clicks_are_heard
             then diagnosis('the pawls of the freewheel are stuck')).
knowledge(4, if drive_is_broken and not chain_hangs_down
             then diagnosis('the freewheel slips')).
knowledge(5, if brake_rubs and wheel_wobbles
             then diagnosis('a spoke is broken')).
knowledge(6, if brake_rubs
             then diagnosis('the brake is out of centre')).

question(pedals_turn_freely, 'Do the pedals turn without resistance?').
question(wheel_turns,        'Does the rear wheel turn with them?').
question(chain_hangs_down,   'Does the chain hang down?').
question(clicks_are_heard,   'Is there a clicking when you pedal backwards?').
question(brake_rubs,         'Does a brake rub on the rim?').
question(wheel_wobbles,      'Does the wheel wobble?').

%   What somebody might answer.
answers([yes, why, no, why, no, yes]).

                /*******************************
                *         CONSULTATION         *
                *******************************/

main :-
    current_prolog_flag(argv, Arguments),
    (   Arguments = [ask|_]
    ->  true
    ;   answers(Answers),
        assertz(prepared(Answers))
    ),
    (   prove(diagnosis(What), [], Proof)
    ->  format("~nDiagnosis: ~w.~n~nHow:~n", [What]),
        how(Proof, 1)
    ;   format("~nNothing that I know of.~n")
    ).

%!  prove(+Condition, +Why, -Proof) is nondet.
%
%   Condition holds.  Why is the list of rules that want to know, the innermost
%   first: pairs Number-Conclusion.  Proof is one of
%
%     - told(Fact)                    the user has said so
%     - absent(Fact)                  it could not be shown
%     - by(Number, Fact, Proofs)      by that rule, and proofs of its conditions

prove(not Fact, Why, absent(Fact)) :-
    !,
    \+ prove(Fact, Why, _).
prove(Fact, Why, by(Number, Fact, Proofs)) :-
    knowledge(Number, if Conditions then Fact),
    prove_all(Conditions, [Number-Fact|Why], Proofs).
prove(Fact, Why, told(Fact)) :-
    question(Fact, Question),
    answer(Fact, Question, Why, yes).

prove_all(First and Rest, Why, [Proof|Proofs]) :-
    !,
    prove(First, Why, Proof),
    prove_all(Rest, Why, Proofs).
prove_all(Condition, Why, [Proof]) :-
    prove(Condition, Why, Proof).

%!  answer(+Fact, +Question, +Why, -Answer) is det.

answer(Fact, _, _, Answer) :-
    told(Fact, Known),
    !,
    Answer = Known.
answer(Fact, Question, Why, Answer) :-
    format("~w ", [Question]),
    flush_output,
    reply(Reply),
    answer(Reply, Fact, Question, Why, Answer).

answer(why, Fact, Question, Why, Answer) :-
    !,
    maplist(because, Why),
    answer(Fact, Question, Why, Answer).
answer(Reply, Fact, _, _, Answer) :-
    memberchk(Reply, [yes, no]),
    !,
    assertz(told(Fact, Reply)),
    Answer = Reply.
answer(_, Fact, Question, Why, Answer) :-
    format("  Please answer yes, no, or why.~n"),
    answer(Fact, Question, Why, Answer).

because(Number-Fact) :-
    knowledge(Number, if Conditions then Fact),
    !,
    format("  By rule ~d I could tell that ~@,~n  if ~@.~n",
           [Number, say(Fact), say(Conditions)]).

%!  reply(-Reply) is det.
%
%   The next answer, from those that are prepared, or from the terminal.

reply(Reply) :-
    retract(prepared([Reply|Answers])),
    !,
    assertz(prepared(Answers)),
    format("~w~n", [Reply]).
reply(Reply) :-
    read_term(user_input, Term, []),
    (   Term == end_of_file
    ->  halt
    ;   Reply = Term
    ).

                /*******************************
                *             HOW              *
                *******************************/

how(told(Fact), Level) :-
    indent(Level),
    format("~@: you said so~n", [say(Fact)]).
how(absent(Fact), Level) :-
    indent(Level),
    format("~@: nothing says otherwise~n", [say(not Fact)]).
how(by(Number, Fact, Proofs), Level) :-
    indent(Level),
    format("~@: by rule ~d, as~n", [say(Fact), Number]),
    Next is Level+1,
    forall(member(Proof, Proofs), how(Proof, Next)).

indent(Level) :-
    forall(between(1, Level, _), format("  ")).

%!  say(+Condition) is det.
%
%   As a sentence: underscores are blanks.

say(First and Rest) :-
    !,
    say(First),
    format(" and "),
    say(Rest).
say(not Fact) :-
    !,
    format("not "),
    say(Fact).
say(diagnosis(What)) :-
    !,
    (   var(What)
    ->  format("what is wrong")
    ;   format("~w", [What])
    ).
say(Fact) :-
    atomic_list_concat(Words, '_', Fact),
    atomic_list_concat(Words, ' ', Text),
    format("~w", [Text]).
