:- module(prolog_wrap,
          [ wrap_predicate/4,
            unwrap_predicate/2,
            current_predicate_wrapper/4
          ]).

/*  Wrappers: what is called in place of a predicate, and may call it. As in SWI-Prolog.  */

:- meta_predicate(wrap_predicate(:, +, -, 0)).
:- meta_predicate(unwrap_predicate(:, ?)).
:- meta_predicate(current_predicate_wrapper(:, ?, ?, -)).

%!  wrap_predicate(:Head, +Name, -Wrapped, :Body) is det.
%
%   Calls of the predicate of Head call Body from now on, in which Wrapped is a goal that calls what was called before. What is wrapped
%   several times is called from the last wrapper to the first. One of the same Name is replaced where it is.

wrap_predicate(Qualified, Name, Wrapped, Body0) :-
    '$strip_modules'(Qualified, Module, Head),
    must_be(callable, Head),
    ( is_most_general_term(Head) -> true ; domain_error(most_general_term, Head) ),
    must_be(atom, Name),
    Wrapped = '$wrapped'(Name, Module:Head),
    '$strip_modules'(Body0, BodyModule, Plain),
    must_be(callable, Plain),
    (   BodyModule == Module -> Body = Plain
    ;   Body = BodyModule:Plain
    ),
    Head =.. [Predicate|Arguments],
    atomic_list_concat(['$wrap$', Predicate, $, Name], Wrapper),
    Clause =.. [Wrapper|Arguments],
    functor(Head, _, Arity),
    functor(Any, Wrapper, Arity),
    '$wrappers'(Module:Head, _),
    transaction(( dynamic(Module:Wrapper/Arity), retractall(Module:Any), assertz(Module:(Clause :- Body)) )),
    '$wrap'(Module:Head, Name, Wrapper).

%!  unwrap_predicate(:Indicator, ?Name) is semidet.
%
%   Takes the outermost wrapper off whose name unifies with Name.

unwrap_predicate(Qualified, Name) :-
    '$strip_modules'(Qualified, Module, Indicator),
    must_be(ground, Indicator),
    (   Indicator = Predicate/Arity -> functor(Head, Predicate, Arity)
    ;   Indicator = Predicate//Arity0 -> Arity is Arity0+2, functor(Head, Predicate, Arity)
    ;   type_error(predicate_indicator, Indicator)
    ),
    '$wrappers'(Module:Head, Wrappers),
    reverse(Wrappers, FromOutside),
    member(Name0-Wrapper, FromOutside),
    Name = Name0,
    !,
    '$unwrap'(Module:Head, Name),
    functor(Any, Wrapper, Arity),
    retractall(Module:Any).

%!  current_predicate_wrapper(:Head, ?Name, ?Wrapped, -Body) is nondet.
%
%   Head is wrapped so, from the innermost wrapper to the outermost one.

current_predicate_wrapper(Qualified, Name, Wrapped, Body) :-
    '$strip_modules'(Qualified, Module, Head),
    must_be(callable, Head),
    '$wrappers'(Module:Head, Wrappers),
    Head =.. [_|Arguments],
    member(Name-Wrapper, Wrappers),
    Clause =.. [Wrapper|Arguments],
    clause(Module:Clause, Body),
    Wrapped = '$wrapped'(Name, Module:Head).
