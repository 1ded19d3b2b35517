:- module('$arithmetic_functions', [ current_arithmetic_function/1 ]).

/*  Which functions is/2 knows.  */

%!  current_arithmetic_function(?Head) is nondet.

current_arithmetic_function(Head) :-
    (   var(Head)
    ->  between(0, 3, Arity),
        '$arithmetic_functions'(Arity, Names),
        member(Name, Names),
        functor(Head, Name, Arity)
    ;   callable(Head)
    ->  functor(Head, Name, Arity),
        '$arithmetic_functions'(Arity, Names),
        memberchk(Name, Names)
    ;   throw(error(type_error(callable, Head), context(system:current_arithmetic_function/1, _)))
    ).
