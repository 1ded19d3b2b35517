% numbervars/4, and what it makes of variables.

:- module('$numbervars', [numbervars/4, var_number/2]).

%!  var_number(@Term, -Name) is semidet.
%
%   Term is '$VAR'(Name), where Name is an integer or an atom.

var_number(Term, Name) :-
    nonvar(Term),
    Term = '$VAR'(Name0),
    ( integer(Name0) -> true ; atom(Name0) -> true ; Name0 == [] ),
    Name = Name0.

%!  numbervars(+Term, +Start, -End, +Options) is det.
%
%   As numbervars/3. Options: functor_name(Name) instead of $VAR; singletons(Boolean), whether variables that occur once become
%   '$VAR'('_') and do not count; attvar(What) of attributed variables: error (default), skip, or bind, which calls no goals.

numbervars(Term, Start, End, Options0) :-
    must_be(integer, Start),
    numbervars_options(Options0, Options),
    '$check_options'(numbervar_option, Options),
    option(functor_name(Name), Options, '$VAR'),
    must_be(atom, Name),
    option(singletons(Singletons), Options, false),
    ( is_of_type(boolean, Singletons) -> true ; type_error(bool, Singletons) ),
    option(attvar(Attvar), Options, error),
    ( memberchk(Attvar, [skip, bind, error]) -> true ; domain_error(numbervar_option, Options) ),
    ( Attvar == bind -> term_variables(Term, Variables), without_attributes(Variables) ; true ),
    ( Attvar == skip -> Skip = true ; Skip = false ),
    '$numbervars'(Term, Start, End, Name, Singletons, Skip).

without_attributes([]).
without_attributes([V|Vs]) :-
    ( attvar(V) -> del_attrs(V) ; true ),
    without_attributes(Vs).

%   A list, or a dict; `singletons` alone is singletons(true).
numbervars_options(Options0, Options) :-
    (   var(Options0) -> instantiation_error(Options0)
    ;   is_dict(Options0) -> dict_options(Options0, Options)
    ;   list_options(Options0, Options0, Options)
    ).

list_options(Tail, All, _) :-
    var(Tail), !,
    instantiation_error(All).
list_options([], _, []) :- !.
list_options([Option0|Options0], All, [Option|Options]) :- !,
    named_option(Option0, Option),
    list_options(Options0, All, Options).
list_options(Tail, _, _) :-
    type_error(list, Tail).

named_option(Option, _) :- var(Option), !, instantiation_error(Option).
named_option(singletons, singletons(true)) :- !.
named_option(Name=Value, Name=Value) :- atom(Name), !.
named_option(Option, Option) :- compound(Option), compound_name_arity(Option, _, 1), !.
named_option(Option, _) :- type_error(option, Option).
