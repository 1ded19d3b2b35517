:- module('$functor', [functor/4]).

/*  functor/3 with the kind of term.  */

%!  functor(?Term, ?Name, ?Arity, ?Type) is det.
%
%   As functor/3; Type tells compounds without arguments from atoms. It is `atom`,
%   `compound` or, for other constants, `atomic`; given, it can also be `callable`
%   for the first two.

functor(Term, Name, Arity, Type) :-
    (   var(Term) -> make(Term, Name, Arity, Type)
    ;   compound(Term)
    ->  compound_name_arity(Term, Name, Arity),
        is_type(Type, compound, [compound, callable])
    ;   Name = Term,
        Arity = 0,
        constant_types(Term, Default, Types),
        is_type(Type, Default, Types)
    ).

constant_types(Term, Default, Types) :-
    (   atom(Term) -> Default = atom, Types = [atom, callable]
    ;   Term == [] -> Default = atom, Types = [atom, callable]
    ;   Default = atomic, Types = [atomic]
    ).

is_type(Type, Default, Types) :-
    (   var(Type) -> Type = Default
    ;   '$memberchk_eq'(Type, Types)
    ).

make(Term, Name, Arity, Type) :-
    check_type(Type),
    (   ( var(Name) ; var(Arity) ) -> must(instantiation_error)
    ;   \+ integer(Arity) -> must(type_error(integer, Arity))
    ;   Arity < 0 -> must(domain_error(not_less_than_zero, Arity))
    ;   Arity =:= 0 -> make_constant(Term, Name, Type)
    ;   \+ atom(Name), Name \== [] -> must(type_error(atom, Name))
    ;   is_type(Type, compound, [compound, callable]),
        compound_name_arity(Term, Name, Arity)
    ).

make_constant(Term, Name, Type) :-
    (   compound(Name) -> must(type_error(atomic, Name))
    ;   \+ atom(Name), Name \== [] -> is_type(Type, atomic, [atomic]), Term = Name
    ;   var(Type) -> must(instantiation_error)
    ;   Type == compound -> compound_name_arity(Term, Name, 0)
    ;   '$memberchk_eq'(Type, [atom, callable]), Term = Name
    ).

check_type(Type) :-
    (   var(Type) -> true
    ;   \+ atom(Type) -> must(type_error(atom, Type))
    ;   '$memberchk_eq'(Type, [atom, compound, callable, atomic]) -> true
    ;   must(domain_error(functor_type, Type))
    ).

must(Formal) :-
    throw(error(Formal, context(system:functor/4, _))).
