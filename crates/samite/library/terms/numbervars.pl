% numbervars/4.

:- module('$numbervars', [numbervars/4]).

%!  numbervars(+Term, +Start, -End, +Options) is det.
%
%   As numbervars/3. Options: functor_name(Name) instead of $VAR; singletons(Boolean), whether variables that occur once become
%   '$VAR'('_') and do not count; attvar(What) of attributed variables: error (default), skip, or bind, which calls no goals.

numbervars(Term, Start, End, Options) :-
    must_be(integer, Start),
    ( var(Options) -> instantiation_error(Options) ; must_be(list, Options) ),
    maplist(must_be_option, Options),
    option(functor_name(Name), Options, '$VAR'),
    must_be(atom, Name),
    option(singletons(Singletons), Options, false),
    ( is_of_type(boolean, Singletons) -> true ; type_error(bool, Singletons) ),
    option(attvar(Attvar), Options, error),
    ( memberchk(Attvar, [skip, bind, error]) -> true ; domain_error(numbervar_option, Options) ),
    (   Singletons == true
    ->  term_singletons(Term, Once),
        maplist(number_singleton(Name), Once)
    ;   true
    ),
    term_variables(Term, Variables0),
    numbered_variables(Attvar, Term, Variables0, Variables),
    foldl(number_variable(Name), Variables, Start, End).

numbered_variables(skip, _, Variables0, Variables) :-
    exclude(attvar, Variables0, Variables).
numbered_variables(bind, _, Variables, Variables) :-
    maplist(del_attrs, Variables).
numbered_variables(error, Term, Variables, Variables) :-
    ( member(V, Variables), attvar(V) -> type_error(free_of_attvar, Term) ; true ).

must_be_option(Option) :-
    (   var(Option) -> instantiation_error(Option)
    ;   Option = (Name=_), atom(Name) -> true
    ;   compound(Option), compound_name_arity(Option, _, 1) -> true
    ;   type_error(option, Option)
    ).

number_singleton(Name, Variable) :-
    compound_name_arguments(Variable, Name, ['_']).

number_variable(Name, Variable, N, N1) :-
    compound_name_arguments(Variable, Name, [N]),
    N1 is N + 1.
