%   Boot library: negation under the well-founded semantics. `tnot/1` itself is the machine's (engine/tabling/negation.rs).

%!  undefined is undefined.
%   Neither true nor false.
:- table undefined/0.
undefined :- tnot(undefined).

%!  radial_restraint is undefined.
%   What an answer holds under whose terms were too deep, and are variables there (`as answer_abstract(N)`).
:- table radial_restraint/0.
radial_restraint :- tnot(radial_restraint).

%!  answer_count_restraint is undefined.
%   What the last answer of a call holds under that has more than it may have (`as max_answers(N)`): the call itself.
:- table answer_count_restraint/0.
answer_count_restraint :- tnot(answer_count_restraint).

%   '$tripwire'(+Wire, +Action, +Call): a call of a table, or an answer of Call, exceeds the limit of the flag Wire (engine/tabling/restraints.rs).
:- multifile(prolog:tripwire/2).
:- dynamic(prolog:tripwire/2).
%   What is said of it is no condition of any answer.
'$tripwire'(Wire, Action, Call) :-
    '$delays'(Delays),
    '$tripped'(Wire, Action, Call),
    '$set_delays'(Delays).

'$tripped'(Wire, _, Call) :- prolog:tripwire(Wire, Call), !.
'$tripped'(Wire, Action, Call) :-
    Error = error(resource_error(tripwire(Wire, Call)), _),
    '$tripwire_action'(Action, Error).

'$tripwire_action'(error, Error) :- throw(Error).
'$tripwire_action'(warning, Error) :- print_message(warning, Error).
'$tripwire_action'(suspend, Error) :- print_message(warning, Error), break.

%!  tabled_call(:Goal) is nondet.
%   Goal through a table of its own: what it proves with other goals is not known to whoever asks for the table.
:- meta_predicate tabled_call(0).
:- table tabled_call/1 as incremental.
tabled_call(Goal) :- call(Goal).

%!  not_exists(:Goal) is semidet.
%   That Goal, which need neither be tabled nor ground, has no solution.
:- meta_predicate not_exists(0).
not_exists(Goal) :-
    ground(Goal),
    '$is_tabled_goal'(Goal), !,
    tnot(Goal).
not_exists(Goal) :- tnot(tabled_call(Goal)).

'$is_tabled_goal'(Goal) :- predicate_property(Goal, tabled), !.
