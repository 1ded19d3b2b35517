:- module(varnumbers,
          [ numbervars/1,
            varnumbers/2,
            varnumbers/3,
            max_var_number/3,
            varnumbers_names/3
          ]).
:- use_module(library(assoc), [empty_assoc/1, get_assoc/3, put_assoc/4]).
:- use_module(library(error), [must_be/2]).

/*  Terms with '$VAR'(N) for variables, and back.

    As SWI-Prolog's library(varnumbers).
*/

%!  varnumbers(+Numbered, -Term) is det.
%
%   Term is Numbered with a variable for each '$VAR'(N).

varnumbers(Numbered, Term) :-
    varnumbers(Numbered, 0, Term).

%!  varnumbers(+Numbered, +From, -Term) is det.
%
%   As varnumbers/2 for each '$VAR'(N) with N >= From.

varnumbers(Numbered, From, Term) :-
    must_be(acyclic, Numbered),
    empty_assoc(Vars),
    unnumber(Numbered, From, Term0, Vars, _),
    Term = Term0.

unnumber(X, From, Y, Vars0, Vars) :-
    (   var(X)
    ->  Y = X,
        Vars = Vars0
    ;   atomic(X)
    ->  Y = X,
        Vars = Vars0
    ;   X = '$VAR'(N),
        integer(N),
        N >= From
    ->  (   get_assoc(N, Vars0, V)
        ->  Y = V,
            Vars = Vars0
        ;   put_assoc(N, Vars0, Y, Vars)
        )
    ;   compound_name_arity(X, Name, Arity),
        compound_name_arity(Y, Name, Arity),
        unnumber_args(1, Arity, X, From, Y, Vars0, Vars)
    ).

unnumber_args(I, Arity, X, From, Y, Vars0, Vars) :-
    (   I > Arity
    ->  Vars = Vars0
    ;   arg(I, X, X1),
        arg(I, Y, Y1),
        unnumber(X1, From, Y1, Vars0, Vars1),
        I1 is I+1,
        unnumber_args(I1, Arity, X, From, Y, Vars1, Vars)
    ).

%!  max_var_number(+Term, +Start, -Max) is det.
%
%   Max is the greatest of Start and each N of a '$VAR'(N) in Term.

max_var_number(Term, Max0, Max) :-
    (   compound(Term)
    ->  (   Term = '$VAR'(N),
            integer(N)
        ->  Max is max(N, Max0)
        ;   functor(Term, _, Arity),
            max_in_args(Arity, Term, Max0, Max)
        )
    ;   Max = Max0
    ).

max_in_args(I, Term, Max0, Max) :-
    (   I =:= 0
    ->  Max = Max0
    ;   arg(I, Term, Arg),
        max_var_number(Arg, Max0, Max1),
        I1 is I-1,
        max_in_args(I1, Term, Max1, Max)
    ).

%!  varnumbers_names(+Numbered, -Term, -Bindings) is det.
%
%   Term is Numbered with a variable for each '$VAR'(Name), whatever Name is; Bindings are terms Name = Variable, in the
%   standard order of the names.

varnumbers_names(Numbered, Term, Bindings) :-
    must_be(acyclic, Numbered),
    findall(Name, ( sub_term(Sub, Numbered), nonvar(Sub), Sub = '$VAR'(Name) ), Names0),
    sort(Names0, Names),
    pairs_keys(Pairs, Names),
    list_to_assoc(Pairs, Vars),
    named_variables(Numbered, Vars, Term0),
    name_bindings(Pairs, Bindings0),
    Term = Term0,
    Bindings = Bindings0.

named_variables(X, Vars, Y) :-
    (   \+ compound(X)
    ->  Y = X
    ;   X = '$VAR'(Name)
    ->  get_assoc(Name, Vars, Y)
    ;   compound_name_arguments(X, F, Args0),
        named_variables_list(Args0, Vars, Args),
        compound_name_arguments(Y, F, Args)
    ).

named_variables_list([], _, []).
named_variables_list([X|Xs], Vars, [Y|Ys]) :-
    named_variables(X, Vars, Y),
    named_variables_list(Xs, Vars, Ys).

name_bindings([], []).
name_bindings([Name-Variable|Pairs], [Name=Variable|Bindings]) :-
    name_bindings(Pairs, Bindings).
