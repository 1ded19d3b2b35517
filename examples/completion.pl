/*  Term rewriting: Knuth-Bendix completion, and proofs of equations by it.

        samite examples/completion.pl

    From equations, rules are made that are used from left to right only, and
    yet prove all that follows from the equations: both sides of what is to be
    proven are rewritten until nothing applies, and are the same then.

    From the three axioms of groups come the ten rules of D. E. Knuth and
    P. B. Bendix, "Simple Word Problems in Universal Algebras" (1970).  The order
    that says which side of an equation is the greater is a lexicographic path
    order (see F. Baader and T. Nipkow, "Term Rewriting and All That", 1998).

    Variables of equations are Prolog's.  Terms are compared without being bound:
    subsumes_term/2 matches, and unify_with_occurs_check/2 finds overlaps.
*/

:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(pairs)).
:- use_module(library(error)).

:- initialization(main, main).

:- op(700, xfx, ==>).

                /*******************************
                *            INPUT             *
                *******************************/

axioms([ e * X1 = X1,
         i(X2) * X2 = e,
         (X3 * Y3) * Z3 = X3 * (Y3 * Z3)
       ]).

%   The greater of two function symbols has the greater number.
precedence(i, 3).
precedence(*, 2).
precedence(e, 1).

conjecture(X * e = X).
conjecture(X * i(X) = e).
conjecture(i(X * Y) = i(Y) * i(X)).
conjecture(i(i(X)) * i(Y * X) = i(Y)).
conjecture(X * Y = Y * X).

main :-
    axioms(Axioms),
    complete(Axioms, [], Rules),
    length(Rules, Count),
    format("~d rules~n", [Count]),
    map_list_to_pairs(rule_size, Rules, Pairs),
    keysort(Pairs, Sorted),
    forall(member(_-Rule, Sorted), show(Rule)),
    forall(conjecture(Left = Right), prove(Left, Right, Rules)).

prove(Left, Right, Rules) :-
    normal_form(Left, Rules, Left1),
    normal_form(Right, Rules, Right1),
    (   Left1 == Right1
    ->  Verdict = proven
    ;   Verdict = 'does not follow'
    ),
    numbervars(Left-Right, 0, _),
    format("~p = ~p: ~w~n", [Left, Right, Verdict]).

show(Rule) :-
    \+ \+ ( numbervars(Rule, 0, _),
            Rule = (Left ==> Right),
            format("  ~p -> ~p~n", [Left, Right]) ).

rule_size(Left ==> _, Size) :-
    size(Left, Size).

                /*******************************
                *          COMPLETION          *
                *******************************/

%!  complete(+Equations, +Rules0, -Rules) is det.
%
%   Take the smallest equation; simplify it; if it is not trivial, make a
%   rule of it, and add the equations that its overlaps with all rules give.
%   Rules that the new one simplifies are equations again.

complete(Equations, Rules0, Rules) :-
    (   smallest(Equations, Left0 = Right0, Rest)
    ->  normal_form(Left0, Rules0, Left),
        normal_form(Right0, Rules0, Right),
        (   Left == Right
        ->  complete(Rest, Rules0, Rules)
        ;   oriented(Left, Right, Rule),
            partition(reducible(Rule), Rules0, Fallen, Kept),
            maplist(as_equation, Fallen, Again),
            maplist(simplified([Rule|Kept]), Kept, Rules1),
            overlaps(Rule, [Rule|Rules1], New),
            append([Again, New, Rest], Equations1),
            complete(Equations1, [Rule|Rules1], Rules)
        )
    ;   Rules = Rules0
    ).

smallest([First|Equations], Smallest, Rest) :-
    foldl(smaller, Equations, First, Smallest),
    exclude(==(Smallest), [First|Equations], Rest).

smaller(Equation, Least0, Least) :-
    size(Equation, Size),
    size(Least0, Size0),
    (   Size < Size0 -> Least = Equation ; Least = Least0 ).

oriented(Left, Right, Rule) :-
    (   greater(Left, Right) -> Rule = (Left ==> Right)
    ;   greater(Right, Left) -> Rule = (Right ==> Left)
    ;   domain_error(orientable_equation, Left = Right)
    ).

reducible(Rule, Left ==> _) :-
    rewrite(Left, [Rule], _).

as_equation(Left ==> Right, Left = Right).

simplified(Rules, Left ==> Right0, Left ==> Right) :-
    normal_form(Right0, Rules, Right).

%!  overlaps(+Rule, +Rules, -Equations) is det.
%
%   The critical pairs of Rule with each of Rules, both ways.

overlaps(Rule, Rules, Equations) :-
    findall(Equation,
            ( member(Other, Rules),
              (   overlap(Rule, Other, Equation)
              ;   Other \== Rule,
                  overlap(Other, Rule, Equation)
              ) ),
            Equations).

%   A part of Rule1's left side, not a variable, is an instance of Rule2's.
overlap(Rule1, Rule2, Right1 = Left1) :-
    copy_term(Rule1, Left ==> Right1),
    copy_term(Rule2, Part ==> Replacement),
    part(Left, Part1, Replacement, Left1),
    unify_with_occurs_check(Part1, Part).

%!  part(+Term, -Part, ?New, -Term1) is nondet.
%
%   Term1 is Term with New in place of Part, which is no variable.

part(Term, Term, New, New) :-
    nonvar(Term).
part(Term, Part, New, Term1) :-
    compound(Term),
    Term =.. [F|Arguments],
    append(Before, [A|After], Arguments),
    part(A, Part, New, A1),
    append(Before, [A1|After], Arguments1),
    Term1 =.. [F|Arguments1].

                /*******************************
                *          REWRITING           *
                *******************************/

%!  normal_form(+Term, +Rules, -Normal) is det.

normal_form(Term, Rules, Normal) :-
    (   rewrite(Term, Rules, Term1)
    ->  normal_form(Term1, Rules, Normal)
    ;   Normal = Term
    ).

%!  rewrite(+Term, +Rules, -Term1) is nondet.
%
%   One step, anywhere in Term.

rewrite(Term, Rules, Term1) :-
    part(Term, Part, New, Term1),
    member(Rule, Rules),
    Rule = (Left ==> _),
    subsumes_term(Left, Part),
    copy_term(Rule, Part ==> New).

                /*******************************
                *            ORDER             *
                *******************************/

%!  greater(+S, +T) is semidet.
%
%   S is greater than T in the lexicographic path order.

greater(S, T) :-
    var(T),
    !,
    S \== T,
    term_variables(S, Variables),
    member(Variable, Variables),
    Variable == T,
    !.
greater(S, T) :-
    nonvar(S),
    S =.. [F|Ss],
    T =.. [G|Ts],
    (   member(S1, Ss),
        ( S1 == T ; greater(S1, T) )
    ;   precedence(F, PF),
        precedence(G, PG),
        (   PF > PG
        ->  maplist(greater(S), Ts)
        ;   F == G,
            maplist(greater(S), Ts),
            lexicographic(Ss, Ts)
        )
    ),
    !.

lexicographic([S|Ss], [T|Ts]) :-
    (   S == T
    ->  lexicographic(Ss, Ts)
    ;   greater(S, T)
    ).

size(Term, Size) :-
    (   compound(Term)
    ->  Term =.. [_|Arguments],
        maplist(size, Arguments, Sizes),
        sum_list(Sizes, Sum),
        Size is Sum+1
    ;   Size = 1
    ).
