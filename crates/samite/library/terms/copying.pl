:- module('$copying',
          [ copy_term/3,
            copy_term/4,
            frozen/2
          ]).

/*  Copies of terms, and what is said of their variables.

    As in SWI-Prolog. A module says what the attributes that it gives to
    variables mean, attribute_goals//1, which is asked for all variables of a
    term and for those in their attributes.
*/

%!  copy_term(+Term, -Copy, -Goals) is det.
%
%   Copy has no attributed variables; Goals, a list, would give the copy the
%   attributes of Term.

copy_term(Term, Copy, Goals) :-
    term_attvars(Term, Vs),
    (   Vs == []
    ->  copy_term(Term, Copy),
        Goals = []
    ;   findall(Term-Gs, ( goals(Vs, Gs, []), plain(Term-Gs) ), [Copy-Goals])
    ).

goals([], Gs, Gs).
goals([V|Vs], Gs0, Gs) :-
    (   get_attrs(V, As)
    ->  attribute_goals(As, V, Gs0, Gs1)
    ;   Gs0 = Gs1
    ),
    goals(Vs, Gs1, Gs).

attribute_goals([], _, Gs, Gs).
attribute_goals(att(M, Value, As), V, Gs0, Gs) :-
    (   M == freeze
    ->  frozen_goals(Value, V, Gs0, Gs1)
    ;   predicate_property(M:attribute_goals(_, _, _), defined),
        M:attribute_goals(V, Gs0, Gs2)
    ->  Gs1 = Gs2
    ;   Gs0 = [put_attr(V, M, Value)|Gs1]
    ),
    attribute_goals(As, V, Gs1, Gs).

frozen_goals(Both, V, Gs0, Gs) :-
    nonvar(Both),
    Both = '$and'(A, B),
    !,
    frozen_goals(A, V, Gs0, Gs1),
    frozen_goals(B, V, Gs1, Gs).
frozen_goals(G0, V, [freeze(V, G)|Gs], Gs) :-
    (   nonvar(G0),
        G0 = _:_
    ->  G = G0
    ;   G = user:G0
    ).

%   Takes the attributes off.

plain(Term) :-
    term_attvars(Term, Vs),
    without_attributes(Vs).

without_attributes([]).
without_attributes([V|Vs]) :-
    del_attrs(V),
    without_attributes(Vs).

%!  frozen(@Term, -Goal) is det.
%
%   Goal is what the variables in Term wait for, as a conjunction: true if
%   they wait for nothing. Its variables are those of the goals.

frozen(Term, Goal) :-
    term_attvars(Term, Vs),
    (   Vs == []
    ->  Goal = true
    ;   attributes(Vs, As),
        term_variables(Vs-As, All),
        findall(All-Gs, ( goals(Vs, Gs, []), plain(All-Gs) ), [Plain-Gs]),
        conjunction(Gs, Conjunction),
        All = Plain,
        Goal = Conjunction
    ).

attributes([], []).
attributes([V|Vs], [As|Ass]) :-
    get_attrs(V, As),
    attributes(Vs, Ass).

conjunction([], true).
conjunction([G|Gs], Goal) :-
    (   Gs == []
    ->  Goal = G
    ;   Goal = (G,Goal1),
        conjunction(Gs, Goal1)
    ).

%!  copy_term(+Vars, +Term, -CopiedVars, -Copy) is det.
%
%   As copy_term/2, with only the variables in Vars renamed, and those that only they know: the variables without attributes in the values of theirs, which
%   are copied. What others have stays as it is.

copy_term(Vars, Term, CopiedVars, Copy) :-
    term_attvars(Vars, Waiting),
    (   Waiting == []
    ->  copy_term_nat(Vars, Term, CopiedVars, Copy)
    ;   term_variables(Vars, Renamed),
        with_attributes(Renamed, Attributed, Attributes),
        term_variables(Attributes, Inside),
        exclude(attvar, Inside, Own),
        shared(Vars/Own, Term/Attributes, Shared),
        copy_term_nat(Shared/Vars/Term/Attributed/Attributes, Shared/Vars1/Term1/Attributed1/Attributes1),
        give_attributes(Attributed1, Attributes1),
        % (As these: what the caller has may have goals, too.)
        CopiedVars/Copy = Vars1/Term1
    ).

with_attributes([], [], []).
with_attributes([V|Vs], Attributed, Attributes) :-
    (   attvar(V)
    ->  get_attrs(V, As),
        Attributed = [V|Attributed1],
        Attributes = [As|Attributes1],
        with_attributes(Vs, Attributed1, Attributes1)
    ;   with_attributes(Vs, Attributed, Attributes)
    ).

give_attributes([], []).
give_attributes([V|Vs], [As|Ass]) :-
    put_attrs(V, As),
    give_attributes(Vs, Ass).

%   The variables of Term that are not in Vars: those that come behind when both are looked at.

shared(Vars, Term, Shared) :-
    term_variables(Vars, Renamed),
    term_variables(Renamed-Term, All),
    '$after_as_many'(Renamed, All, Shared).
