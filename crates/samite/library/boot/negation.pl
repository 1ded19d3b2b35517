%   Boot library: negation under the well-founded semantics. `tnot/1` itself is the machine's (engine/tabling/negation.rs).

%!  undefined is undefined.
%   Neither true nor false.
:- table undefined/0.
undefined :- tnot(undefined).

%!  tabled_call(:Goal) is nondet.
%   Goal through a table of its own: what it proves with other goals is not known to whoever asks for the table.
:- meta_predicate tabled_call(0).
:- table tabled_call/1.
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
