:- module(yall,
          [ (>>)/2, (>>)/3, (>>)/4, (>>)/5, (>>)/6, (>>)/7, (>>)/8, (>>)/9,
            (/)/2, (/)/3, (/)/4, (/)/5, (/)/6, (/)/7, (/)/8, (/)/9,
            (\)/1, (\)/2, (\)/3, (\)/4, (\)/5, (\)/6, (\)/7,
            (^)/3, (^)/4, (^)/5, (^)/6, (^)/7, (^)/8, (^)/9,
            is_lambda/1,
            lambda_calls/2, lambda_calls/3
          ]).

:- use_module(library(error),
              [domain_error/2, instantiation_error/1, must_be/2, type_error/2]).

/*  Lambda expressions.

    As SWI-Prolog's library(yall).

    Params>>Body is called with arguments that unify with the elements of the
    list Params; what is left of them is added to Body. Every call works on a
    copy of the expression, without attributes, so its variables are local to
    the call; those of Free in {Free}/Params>>Body are shared with the context
    instead. \X^Body renames only X; X^Body binds it to the next argument.

    In clauses of files most are not called, but compiled: program/lambdas.pl.
*/

:- meta_predicate
    '>>'(?, 0),
    '>>'(?, :, ?),
    '>>'(?, :, ?, ?),
    '>>'(?, :, ?, ?, ?),
    '>>'(?, :, ?, ?, ?, ?),
    '>>'(?, :, ?, ?, ?, ?, ?),
    '>>'(?, :, ?, ?, ?, ?, ?, ?),
    '>>'(?, :, ?, ?, ?, ?, ?, ?, ?),
    '/'(?, 0),
    '/'(?, 1, ?),
    '/'(?, 2, ?, ?),
    '/'(?, 3, ?, ?, ?),
    '/'(?, 4, ?, ?, ?, ?),
    '/'(?, 5, ?, ?, ?, ?, ?),
    '/'(?, 6, ?, ?, ?, ?, ?, ?),
    '/'(?, 7, ?, ?, ?, ?, ?, ?, ?),
    \(0),
    \(1, ?),
    \(2, ?, ?),
    \(3, ?, ?, ?),
    \(4, ?, ?, ?, ?),
    \(5, ?, ?, ?, ?, ?),
    \(6, ?, ?, ?, ?, ?, ?),
    ^(?, 0, ?),
    ^(?, 1, ?, ?),
    ^(?, 2, ?, ?, ?),
    ^(?, 3, ?, ?, ?, ?),
    ^(?, 4, ?, ?, ?, ?, ?),
    ^(?, 5, ?, ?, ?, ?, ?, ?),
    ^(?, 6, ?, ?, ?, ?, ?, ?, ?),
    lambda_calls(:, -),
    lambda_calls(:, +, -).

%!  >>(+Params, :Body, ?Args...) is nondet.
%
%   Call a copy of Body with Args for Params.

>>(Params, Body) :-
    lambda(Params, Body, []).
>>(Params, Body, A1) :-
    lambda(Params, Body, [A1]).
>>(Params, Body, A1, A2) :-
    lambda(Params, Body, [A1,A2]).
>>(Params, Body, A1, A2, A3) :-
    lambda(Params, Body, [A1,A2,A3]).
>>(Params, Body, A1, A2, A3, A4) :-
    lambda(Params, Body, [A1,A2,A3,A4]).
>>(Params, Body, A1, A2, A3, A4, A5) :-
    lambda(Params, Body, [A1,A2,A3,A4,A5]).
>>(Params, Body, A1, A2, A3, A4, A5, A6) :-
    lambda(Params, Body, [A1,A2,A3,A4,A5,A6]).
>>(Params, Body, A1, A2, A3, A4, A5, A6, A7) :-
    lambda(Params, Body, [A1,A2,A3,A4,A5,A6,A7]).

lambda(Params0, Body0, Args) :-
    fresh(Params0, Body0, Params, Body),
    bind(Params, Args, Rest, Params0, Body0),
    call_with(Body, Rest).

%   fresh(+Params0, +Body0, -Params, -Body): a copy, but for what is free.

fresh(Params0, Body0, Params, Body) :-
    (   nonvar(Params0),
        Params0 = Free/_
    ->  check_free(Free),
        copy_term_nat(Params0>>Body0, (Free/Params)>>Body)
    ;   copy_term_nat(Params0>>Body0, Params>>Body)
    ).

check_free(Free) :-
    (   var(Free)
    ->  instantiation_error(Free)
    ;   is_free(Free)
    ->  true
    ;   type_error(lambda_free, Free)
    ).

bind(Params, Args, Rest, Params0, Body) :-
    (   var(Params)
    ->  instantiation_error(Params)
    ;   Params = [Param|Params1]
    ->  (   Args = [Arg|Args1]
        ->  Param = Arg,
            bind(Params1, Args1, Rest, Params0, Body)
        ;   domain_error(lambda_parameters, Params0>>Body)
        )
    ;   Params == []
    ->  Rest = Args
    ;   type_error(list, Params0)
    ).

call_with(Goal, Args) :-
    (   Args == []
    ->  call(Goal)
    ;   Call =.. [call,Goal|Args],
        call(Call)
    ).

%!  /(+Free, :Lambda, ?Args...) is nondet.
%
%   Call a copy of Lambda with Args, in which the variables of Free, written
%   {X,...}, are those of the context.

/(Free, Lambda) :-
    free(Free, Lambda, []).
/(Free, Lambda, A1) :-
    free(Free, Lambda, [A1]).
/(Free, Lambda, A1, A2) :-
    free(Free, Lambda, [A1,A2]).
/(Free, Lambda, A1, A2, A3) :-
    free(Free, Lambda, [A1,A2,A3]).
/(Free, Lambda, A1, A2, A3, A4) :-
    free(Free, Lambda, [A1,A2,A3,A4]).
/(Free, Lambda, A1, A2, A3, A4, A5) :-
    free(Free, Lambda, [A1,A2,A3,A4,A5]).
/(Free, Lambda, A1, A2, A3, A4, A5, A6) :-
    free(Free, Lambda, [A1,A2,A3,A4,A5,A6]).
/(Free, Lambda, A1, A2, A3, A4, A5, A6, A7) :-
    free(Free, Lambda, [A1,A2,A3,A4,A5,A6,A7]).

free(Free, Lambda, Args) :-
    check_free(Free),
    copy_term_nat(Free/Lambda, Free/Copy),
    call_with(Copy, Args).

%!  \(:Lambda, ?Args...) is nondet.
%
%   Call Lambda, of the form X^Body, with Args after renaming X.

\(Lambda) :-
    local(Lambda, []).
\(Lambda, A1) :-
    local(Lambda, [A1]).
\(Lambda, A1, A2) :-
    local(Lambda, [A1,A2]).
\(Lambda, A1, A2, A3) :-
    local(Lambda, [A1,A2,A3]).
\(Lambda, A1, A2, A3, A4) :-
    local(Lambda, [A1,A2,A3,A4]).
\(Lambda, A1, A2, A3, A4, A5) :-
    local(Lambda, [A1,A2,A3,A4,A5]).
\(Lambda, A1, A2, A3, A4, A5, A6) :-
    local(Lambda, [A1,A2,A3,A4,A5,A6]).

local(Lambda0, Args) :-
    rename(Lambda0, Lambda),
    call_with(Lambda, Args).

rename(Lambda0, Lambda) :-
    (   bound_term(Lambda0, Local)
    ->  term_variables(Local, Locals),
        term_variables(Lambda0, Vars),
        others(Vars, Locals, Shared),
        copy_term_nat(Shared-Lambda0, Shared-Lambda)
    ;   Lambda = Lambda0
    ).

bound_term(Lambda, Local) :-
    nonvar(Lambda),
    (   Lambda = _:Lambda1
    ->  bound_term(Lambda1, Local)
    ;   Lambda = Local^_
    ).

others([], _, []).
others([V|Vs], Locals, Shared) :-
    (   lambda_among(Locals, V)
    ->  others(Vs, Locals, Shared)
    ;   Shared = [V|Shared1],
        others(Vs, Locals, Shared1)
    ).

lambda_among([X|Xs], V) :-
    (   X == V
    ->  true
    ;   lambda_among(Xs, V)
    ).

%!  ^(?X, :Body, ?X, ?Args...) is nondet.
%
%   Call Body with Args, with X bound to the first argument.

^(X, Body, X) :-
    call(Body).
^(X, Body, X, A2) :-
    call(Body, A2).
^(X, Body, X, A2, A3) :-
    call(Body, A2, A3).
^(X, Body, X, A2, A3, A4) :-
    call(Body, A2, A3, A4).
^(X, Body, X, A2, A3, A4, A5) :-
    call(Body, A2, A3, A4, A5).
^(X, Body, X, A2, A3, A4, A5, A6) :-
    call(Body, A2, A3, A4, A5, A6).
^(X, Body, X, A2, A3, A4, A5, A6, A7) :-
    call(Body, A2, A3, A4, A5, A6, A7).

%!  is_lambda(@Term) is semidet.
%
%   Term is a lambda expression Params>>Body or {Free}/Lambda.

is_lambda(Term) :-
    compound(Term),
    lambda_form(Term).

lambda_form(Params>>_) :-
    nonvar(Params),
    (   is_list(Params)
    ->  true
    ;   Params = Free/List,
        is_list(List),
        is_free(Free)
    ).
lambda_form(Free/_) :-
    is_free(Free).

is_free(Free) :-
    nonvar(Free),
    (   Free = {_}
    ->  true
    ;   Free == {}
    ).

%!  lambda_calls(+Lambda, -Goal) is semidet.
%!  lambda_calls(+Lambda, +Extra, -Goal) is semidet.
%
%   Goal is what Params>>Body, called with Extra (0) more arguments, calls.

lambda_calls(Lambda, Goal) :-
    lambda_calls(Lambda, 0, Goal).

lambda_calls(Lambda0, Extra, Goal) :-
    module_stripped(Lambda0, Lambda),
    must_be(integer, Extra),
    ( Extra >= 0 -> true ; domain_error(not_less_than_zero, Extra) ),
    must_be(nonvar, Lambda),
    compound(Lambda),
    (   Lambda = Params>>Body
    ->  true
    ;   Lambda = Free/Inner,
        is_free(Free),
        compound(Inner),
        Inner = Params0>>Body,
        Params = Free/Params0
    ),
    length(Args, Extra),
    fresh(Params, Body, Params1, Body1),
    bind(Params1, Args, Rest, Params, Body),
    extended(Body1, Rest, Goal).

module_stripped(Term, Lambda) :-
    (   nonvar(Term),
        Term = _:Term1
    ->  module_stripped(Term1, Lambda)
    ;   Lambda = Term
    ).

extended(Body, Rest, Goal) :-
    (   Rest == []
    ->  Goal = Body
    ;   nonvar(Body),
        Body = Module:Body1
    ->  Goal = Module:Goal1,
        extended(Body1, Rest, Goal1)
    ;   callable(Body)
    ->  Body =.. List0,
        append(List0, Rest, List),
        Goal =.. List
    ;   Goal =.. [call, Body|Rest]
    ).
