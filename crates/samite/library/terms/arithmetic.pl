:- module(arithmetic, [ arithmetic_function/1, arithmetic_expression_value/2 ]).

:- use_module(library(error), [instantiation_error/1, must_be/2, type_error/2]).

/*  Functions that programs define.

    As in SWI-Prolog's library(arithmetic): a predicate with one argument more than the function has gives its value. Goals of the module that says so, and of
    those that inherit from it, call it before they compare or evaluate:

        :- arithmetic_function(twice/1).
        twice(X, Y) :- Y is X*2.
        p(X) :- X < twice(3)+1.                 % twice(3, V), X < V+1

    Terms that are made while the program runs are not looked into, but by arithmetic_expression_value/2.
*/

:- meta_predicate arithmetic_function(:), arithmetic_expression_value(:, -).

:- dynamic function/3.

%!  arithmetic_function(:Indicator) is det.
%
%   As a directive: Name/Arity is a function, of which the predicate Name/(Arity + 1) of the module has the value as last argument.

arithmetic_function(Spec) :-
    '$strip_modules'(Spec, Module, Indicator),
    must_be(nonvar, Indicator),
    (   Indicator = Name/Arity -> true
    ;   type_error(predicate_indicator, Indicator)
    ),
    must_be(atom, Name),
    must_be(nonneg, Arity),
    (   prolog_load_context(source, _) -> true
    ;   throw(error(context_error(nodirective, arithmetic_function(Module:Indicator)), _))
    ),
    ( function(Name, Arity, Module) -> true ; assertz(function(Name, Arity, Module)) ),
    (   predicate_property(Module:goal_expansion(_, _), dynamic),
        clause(Module:goal_expansion(_, _), arithmetic:expanded_goal(_, Module, _))
    ->  true
    ;   dynamic(Module:goal_expansion/2),
        multifile(Module:goal_expansion/2),
        assertz((Module:goal_expansion(Goal, Expanded) :- arithmetic:expanded_goal(Goal, Module, Expanded)))
    ).

%   expanded_goal(+Goal, +Module, -Expanded) is semidet: Goal compares or evaluates and has functions of Module.
expanded_goal(Goal, Module, Expanded) :-
    compares(Goal, X, Y, New, X1, Y1),
    expanded(X, Module, X1, Calls, Calls1),
    expanded(Y, Module, Y1, Calls1, []),
    Calls = [Call|Others],
    joined(Others, Call, New, Expanded).

compares(X is Y, X, Y, X1 is Y1, X1, Y1).
compares(X =:= Y, X, Y, X1 =:= Y1, X1, Y1).
compares(X =\= Y, X, Y, X1 =\= Y1, X1, Y1).
compares(X < Y, X, Y, X1 < Y1, X1, Y1).
compares(X > Y, X, Y, X1 > Y1, X1, Y1).
compares(X =< Y, X, Y, X1 =< Y1, X1, Y1).
compares(X >= Y, X, Y, X1 >= Y1, X1, Y1).

joined([], Call, Last, (Call, Last)).
joined([Next|Calls], Call, Last, (Call, Goal)) :- joined(Calls, Next, Last, Goal).

%   expanded(+Expression, +Module, -Plain, -Calls, ?Rest): Plain has the values, which Calls give, in place of functions. What is inside is called first.
expanded(Expression, _, Plain, Calls, Calls) :-
    ( var(Expression) ; \+ callable(Expression) ), !,
    Plain = Expression.
expanded(Expression, Module, Plain, Calls, Rest) :-
    atom(Expression), !,
    (   function(Expression, 0, Module)
    ->  Call =.. [Expression, Plain],
        Calls = [Call|Rest]
    ;   Plain = Expression,
        Calls = Rest
    ).
expanded(Expression, Module, Plain, Calls, Rest) :-
    compound_name_arguments(Expression, Name, Args0),
    all_expanded(Args0, Module, Args, Calls, Calls1),
    length(Args, Arity),
    (   function(Name, Arity, Module)
    ->  append(Args, [Plain], Args1),
        Call =.. [Name|Args1],
        Calls1 = [Call|Rest]
    ;   compound_name_arguments(Plain, Name, Args),
        Calls1 = Rest
    ).

all_expanded([], _, [], Calls, Calls).
all_expanded([X|Xs], Module, [Y|Ys], Calls, Rest) :-
    expanded(X, Module, Y, Calls, Calls1),
    all_expanded(Xs, Module, Ys, Calls1, Rest).

%!  arithmetic_expression_value(:Expression, -Value) is det.
%
%   Value is that of Expression, which may have functions of the module.

arithmetic_expression_value(Spec, Value) :-
    '$strip_modules'(Spec, Module, Expression),
    ( acyclic_term(Expression) -> true ; type_error(evaluable, Expression) ),
    expanded(Expression, Module, Plain, Calls, []),
    called(Calls, Module),
    Value is Plain.

called([], _).
called([Call|Calls], Module) :-
    ( call(Module:Call) -> true ; fail ),
    called(Calls, Module).

%   evaluable(@Expression) is semidet: is/2 can evaluate it, as far as it is bound. Functions of programs do not count, as in SWI-Prolog, where packs ask this
%   predicate, too, which is exported there no more than here.
evaluable(Expression) :- var(Expression), !.
evaluable(Expression) :- number(Expression), !.
evaluable(Expression) :- string(Expression), !, string_length(Expression, 1).
evaluable([X|Xs]) :- !, ( var(Xs) ; Xs == [] ), !, ( atomic(X), \+ number(X) -> true ; evaluable(X) ).
evaluable(Expression) :-
    callable(Expression),
    \+ is_dict(Expression),
    current_arithmetic_function(Expression),
    ( atom(Expression) -> true ; compound_name_arguments(Expression, _, Args), maplist(evaluable, Args) ).
