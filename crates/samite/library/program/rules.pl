:- module('$rules', [rule/2, rule/3, '$rule_of'/4]).

/*  Clauses as they are written, also the rules of single-sided unification, as in SWI-Prolog.  */

:- meta_predicate(rule(:, ?)).
:- meta_predicate(rule(:, ?, ?)).

%!  rule(:Head, -Rule) is nondet.
%
%   As clause/2, but that Rule is the clause as it is written, be its neck :-, => or ?=>. A fact is its head.

rule(Head, Rule) :-
    rule(Head, Rule, _).

%!  rule(:Head, -Rule, ?Reference) is nondet.
%
%   As clause/3.

rule(Spec, Rule, Reference) :-
    strip_module(Spec, M, Head),
    clause(M:Head, Body, Reference),
    '$clause_neck'(Reference, Neck),
    '$rule_of'(Neck, Head, Body, Written),
    Rule = Written.

%   '$rule_of'(+Neck, +Head, +Body, -Rule): a guard is what comes before the first cut that is a goal of the body.

'$rule_of'(:-, Head, Body, Rule) :-
    (   Body == true
    ->  Rule = Head
    ;   Rule = (Head :- Body)
    ).
'$rule_of'(=>, Head, Body, (Head => Body)).
'$rule_of'(?=>, Head, Body, Rule) :-
    (   guard(Body, Guard, Rest)
    ->  (   var(Guard)
        ->  Rule = (Head => Rest)
        ;   Rule = (Head, Guard => Rest)
        )
    ;   Rule = ?=>(Head, Body)
    ).

%   guard(+Body, -Guard, -Rest) is semidet: Guard is unbound if there is none.
guard(Body, Guard, Rest) :-
    goals(Body, Goals, []),
    append(Before, [!|After], Goals),
    !,
    conjunction(After, true, Rest),
    (   Before == []
    ->  true
    ;   conjunction(Before, true, Guard)
    ).

goals(G, [G|Gs], Gs) :-
    var(G),
    !.
goals((A, B), Gs0, Gs) :- !,
    goals(A, Gs0, Gs1),
    goals(B, Gs1, Gs).
goals(G, [G|Gs], Gs).

conjunction([], G, G).
conjunction([G|Gs], _, Goal) :-
    joined(Gs, G, Goal).

joined([], G, G).
joined([G1|Gs], G, (G, Goal)) :-
    joined(Gs, G1, Goal).
