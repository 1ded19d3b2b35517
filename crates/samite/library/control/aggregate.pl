:- module(aggregate,
          [ aggregate_all/3,
            aggregate_all/4,
            aggregate/3,
            aggregate/4,
            free_variables/4,
            foreach/2
          ]).
:- use_module(library(error),
              [domain_error/2, instantiation_error/1, type_error/2]).

/*  Counts, sums, extremes and collections over the solutions of a goal.

    As SWI-Prolog's library(aggregate).

    A template is count, sum(Expr), max(Expr), min(Expr), max(Expr, Witness),
    min(Expr, Witness), bag(Term), set(Term), or a term with such templates as
    arguments, which gives all their results at once.
*/

:- meta_predicate
    aggregate_all(?, 0, -),
    aggregate_all(?, ?, 0, -),
    aggregate(?, ^, -),
    aggregate(?, ?, ^, -),
    free_variables(^, ?, ?, -),
    foreach(0, 0).

%!  aggregate_all(+Template, :Goal, -Result) is semidet.
%
%   Result combines Template over all solutions of Goal; fails where it asks
%   for the extreme of no solutions.

aggregate_all(Template, Goal, Result) :-
    check_template(Template),
    '$strip_carets'(Goal, Goal1, [], _),
    all(Template, Goal1, Result).

%   The state is a term changed in place, so memory does not grow with the
%   number of solutions. What is resumed by tabling when the loop is over must
%   not change it: '$same_resumption'/1 raises an error then.

all(count, Goal, Count) :-
    !,
    State = count(0),
    '$resumption'(Now),
    (   call(Goal),
        '$same_resumption'(Now),
        arg(1, State, N0),
        N is N0+1,
        nb_setarg(1, State, N),
        fail
    ;   arg(1, State, Count)
    ).
all(sum(X), Goal, Sum) :-
    !,
    State = sum(0),
    '$resumption'(Now),
    (   call(Goal),
        '$same_resumption'(Now),
        arg(1, State, S0),
        S is S0+X,
        nb_setarg(1, State, S),
        fail
    ;   arg(1, State, Sum)
    ).
all(max(X), Goal, Max) :-
    !,
    State = max(none),
    '$resumption'(Now),
    (   call(Goal),
        '$same_resumption'(Now),
        arg(1, State, M0),
        (   M0 == none
        ->  M is X
        ;   M is max(M0, X)
        ),
        nb_setarg(1, State, M),
        fail
    ;   arg(1, State, M),
        M \== none,
        Max = M
    ).
all(min(X), Goal, Min) :-
    !,
    State = min(none),
    '$resumption'(Now),
    (   call(Goal),
        '$same_resumption'(Now),
        arg(1, State, M0),
        (   M0 == none
        ->  M is X
        ;   M is min(M0, X)
        ),
        nb_setarg(1, State, M),
        fail
    ;   arg(1, State, M),
        M \== none,
        Min = M
    ).
all(max(X,W), Goal, Max) :-
    !,
    State = state(none),
    '$resumption'(Now),
    (   call(Goal),
        '$same_resumption'(Now),
        M is X,
        arg(1, State, Best),
        (   Best = max(M0,_)
        ->  M > M0
        ;   true
        ),
        nb_setarg(1, State, max(M,W)),
        fail
    ;   arg(1, State, Best),
        Best = max(_,_),
        Max = Best
    ).
all(min(X,W), Goal, Min) :-
    !,
    State = state(none),
    '$resumption'(Now),
    (   call(Goal),
        '$same_resumption'(Now),
        M is X,
        arg(1, State, Best),
        (   Best = min(M0,_)
        ->  M < M0
        ;   true
        ),
        nb_setarg(1, State, min(M,W)),
        fail
    ;   arg(1, State, Best),
        Best = min(_,_),
        Min = Best
    ).
all(bag(X), Goal, Bag) :-
    !,
    findall(X, Goal, Bag).
all(set(X), Goal, Set) :-
    !,
    findall(X, Goal, Bag),
    sort(Bag, Set).
all(Template, Goal, Result) :-
    findall(Template, Goal, Instances),
    combine(Template, Instances, Result).

%!  aggregate_all(+Template, @Discriminator, :Goal, -Result) is semidet.
%
%   As aggregate_all/3 over the solutions that differ in Discriminator and
%   Template.

aggregate_all(Template, Discriminator, Goal, Result) :-
    check_template(Template),
    '$strip_carets'(Goal, Goal1, [], _),
    findall(Discriminator-Template, Goal1, Pairs),
    sort(Pairs, Distinct),
    second_of_pairs(Distinct, Instances),
    combine(Template, Instances, Result).

%!  aggregate(+Template, :Goal, -Result) is nondet.
%
%   As aggregate_all/3, but for each binding of the variables that are free in
%   Goal, as bagof/3 does; fails if there are no solutions.

aggregate(Template, Goal, Result) :-
    check_template(Template),
    bagof(Template, Goal, Instances),
    combine(Template, Instances, Result).

%!  aggregate(+Template, @Discriminator, :Goal, -Result) is nondet.
%
%   As aggregate/3 over the solutions that differ in Discriminator and
%   Template.

aggregate(Template, Discriminator, Goal, Result) :-
    check_template(Template),
    setof(Discriminator-Template, Goal, Pairs),
    second_of_pairs(Pairs, Instances),
    combine(Template, Instances, Result).

second_of_pairs([], []).
second_of_pairs([_-X|Pairs], [X|Xs]) :-
    second_of_pairs(Pairs, Xs).

%   check_template(@Template): it is one, or throw.

check_template(Template) :-
    (   var(Template)
    ->  instantiation_error(Template)
    ;   simple_template(Template)
    ->  true
    ;   compound(Template)
    ->  Template =.. [_|Parts],
        check_parts(Parts)
    ;   atom(Template)
    ->  domain_error(aggregate_template, Template)
    ;   type_error(aggregate_template, Template)
    ).

check_parts([]).
check_parts([Part|Parts]) :-
    (   var(Part)
    ->  instantiation_error(Part)
    ;   simple_template(Part)
    ->  true
    ;   type_error(aggregate_template, Part)
    ),
    check_parts(Parts).

simple_template(count).
simple_template(sum(_)).
simple_template(max(_)).
simple_template(min(_)).
simple_template(max(_,_)).
simple_template(min(_,_)).
simple_template(bag(_)).
simple_template(set(_)).

%   combine(+Template, +Instances, -Result): Instances has one instance of
%   Template for every solution.

combine(Template, Instances, Result) :-
    (   simple_template(Template)
    ->  combine_simple(Template, Instances, Result)
    ;   functor(Template, Name, Arity),
        functor(Result0, Name, Arity),
        combine_columns(1, Arity, Template, Instances, Result0),
        Result = Result0
    ).

combine_columns(I, Arity, Template, Instances, Result) :-
    (   I > Arity
    ->  true
    ;   arg(I, Template, Part),
        column(Instances, I, Column),
        arg(I, Result, Value),
        combine_simple(Part, Column, Value),
        I1 is I+1,
        combine_columns(I1, Arity, Template, Instances, Result)
    ).

column([], _, []).
column([Instance|Instances], I, [Part|Parts]) :-
    arg(I, Instance, Part),
    column(Instances, I, Parts).

combine_simple(count, Xs, Count) :-
    length(Xs, Count0),
    Count = Count0.
combine_simple(sum(_), Xs, Sum) :-
    sum(Xs, 0, Sum0),
    Sum = Sum0.
combine_simple(max(_), [max(X)|Xs], Max) :-
    Max1 is X,
    maximum(Xs, Max1, Max0),
    Max = Max0.
combine_simple(min(_), [min(X)|Xs], Min) :-
    Min1 is X,
    minimum(Xs, Min1, Min0),
    Min = Min0.
combine_simple(max(_,_), [max(X,W)|Xs], Max) :-
    Max1 is X,
    maximum(Xs, Max1, W, Max0),
    Max = Max0.
combine_simple(min(_,_), [min(X,W)|Xs], Min) :-
    Min1 is X,
    minimum(Xs, Min1, W, Min0),
    Min = Min0.
combine_simple(bag(_), Xs, Bag) :-
    bag(Xs, Bag0),
    Bag = Bag0.
combine_simple(set(_), Xs, Set) :-
    set(Xs, Bag),
    sort(Bag, Set).

sum([], Sum, Sum).
sum([sum(X)|Xs], Sum0, Sum) :-
    Sum1 is Sum0+X,
    sum(Xs, Sum1, Sum).

maximum([], Max, Max).
maximum([max(X)|Xs], Max0, Max) :-
    Max1 is max(Max0, X),
    maximum(Xs, Max1, Max).

minimum([], Min, Min).
minimum([min(X)|Xs], Min0, Min) :-
    Min1 is min(Min0, X),
    minimum(Xs, Min1, Min).

maximum([], Max, W, max(Max,W)).
maximum([max(X,W)|Xs], Max0, W0, Max) :-
    Max1 is X,
    (   Max1 > Max0
    ->  maximum(Xs, Max1, W, Max)
    ;   maximum(Xs, Max0, W0, Max)
    ).

minimum([], Min, W, min(Min,W)).
minimum([min(X,W)|Xs], Min0, W0, Min) :-
    Min1 is X,
    (   Min1 < Min0
    ->  minimum(Xs, Min1, W, Min)
    ;   minimum(Xs, Min0, W0, Min)
    ).

bag([], []).
bag([bag(X)|Xs], [X|Bag]) :-
    bag(Xs, Bag).

set([], []).
set([set(X)|Xs], [X|Bag]) :-
    set(Xs, Bag).

%!  foreach(:Generator, :Goal) is nondet.
%
%   The conjunction of the instances of Goal for all solutions of Generator is
%   true; variables of Goal that are not in Generator are shared by them.

foreach(Generator, Goal) :-
    term_variables(Generator, GeneratorVars),
    term_variables(Goal, GoalVars),
    divide_variables(GoalVars, GeneratorVars, Bound, Shared),
    findall(Bound, Generator, Solutions),
    each_solution(Solutions, Bound, Shared, Goal).

divide_variables([], _, [], []).
divide_variables([V|Vs], GeneratorVars, Bound, Shared) :-
    (   is_among(GeneratorVars, V)
    ->  Bound = [V|Bound1],
        divide_variables(Vs, GeneratorVars, Bound1, Shared)
    ;   Shared = [V|Shared1],
        divide_variables(Vs, GeneratorVars, Bound, Shared1)
    ).

is_among([X|Xs], V) :-
    (   X == V
    ->  true
    ;   is_among(Xs, V)
    ).

%   (What goals wait for of the shared variables is not copied: it would be there twice.)
each_solution([], _, _, _).
each_solution([Solution|Solutions], Bound, Shared, Goal) :-
    copy_term_nat(instance(Bound,Shared,Goal), instance(Solution,Shared,Goal1)),
    call(Goal1),
    each_solution(Solutions, Bound, Shared, Goal).

%!  free_variables(:Goal, +Template, +Variables0, -Variables) is det.
%
%   Variables are the variables of Goal that are neither in Template nor quantified in Goal, by `^` or as those of setof/3 and bagof/3 within it, before Variables0. What is
%   negated binds nothing, so that its variables are not counted.

free_variables(Goal, Template, Variables0, Variables) :-
    free(Goal, Template, Variables0, Variables).

free(Term, Bound, Vs0, Vs) :-
    var(Term), !,
    (   ( occurs_in(Term, Bound) ; occurs_in(Term, Vs0) ) -> Vs = Vs0
    ;   Vs = [Term|Vs0]
    ).
free(Term, Bound0, Vs0, Vs) :-
    quantified(Term, Bound0, Inner, Bound), !,
    free(Inner, Bound, Vs0, Vs).
free(Term, Bound, Vs0, Vs) :-
    compound(Term), !,
    compound_name_arity(Term, _, Arity),
    free_arguments(Arity, Term, Bound, Vs0, Vs).
free(_, _, Vs, Vs).

free_arguments(0, _, _, Vs, Vs) :- !.
free_arguments(I, Term, Bound, Vs0, Vs) :-
    arg(I, Term, Arg),
    free(Arg, Bound, Vs0, Vs1),
    I1 is I-1,
    free_arguments(I1, Term, Bound, Vs1, Vs).

quantified(\+ _, Bound, [], Bound).
quantified(not(_), Bound, [], Bound).
quantified(V^Goal, Bound, Goal, Bound+V).
quantified(setof(V, Goal, Set), Bound, Goal-Set, Bound+V).
quantified(bagof(V, Goal, Bag), Bound, Goal-Bag, Bound+V).

occurs_in(V, Term) :-
    term_variables(Term, Vs),
    '$memberchk_eq'(V, Vs).
