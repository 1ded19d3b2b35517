:- module(types, [ must_be/4, illarg/3, illarg/4 ]).
:- use_module(library(error), [must_be/2, is_of_type/2, current_type/3, domain_error/2, instantiation_error/1]).

/*  SICStus Prolog's library(types), version 4: errors of arguments. What a Goal's argument is has types of library(error).  */

:- meta_predicate must_be(+, +, :, +), illarg(+, :, +), illarg(+, :, +, ?).

%!  must_be(@Term, +Type, :Goal, +Argument) is det.
%
%   Term, argument number Argument of Goal, is of Type.

must_be(Term, Type, Goal, _) :-
    catch(error:must_be(Type, Term), error(Error, _), throw_of(Error, Goal)).

%!  illarg(+Error, :Goal, +Argument).
%!  illarg(+Error, :Goal, +Argument, ?Culprit).
%
%   Throws the error that Error says of Culprit, argument number Argument of Goal.

illarg(Error, Goal, Argument) :-
    '$strip_modules'(Goal, _, Plain),
    arg(Argument, Plain, Culprit),
    illarg(Error, Goal, Argument, Culprit).

illarg(Error, Goal, _, Culprit) :-
    must_be(nonvar, Error),
    (   error_term(Error, Culprit, Term) -> throw_of(Term, Goal)
    ;   domain_error(illarg, Error)
    ).

throw_of(Error, Goal) :-
    '$strip_modules'(Goal, _, Plain),
    (   callable(Plain)
    ->  functor(Plain, Name, Arity),
        throw(error(Error, context(Name/Arity, _)))
    ;   throw(error(Error, _))
    ).

error_term(var, _, instantiation_error).
error_term(type(_), Culprit, instantiation_error) :- var(Culprit), !.
error_term(type(Type), Culprit, type_error(Type, Culprit)).
error_term(force_type(Type), Culprit, type_error(Type, Culprit)).
error_term(domain(_, _), Culprit, instantiation_error) :- var(Culprit), !.
error_term(domain(Type, Domain), Culprit, Error) :-
    (   current_type(Type, _, _), \+ is_of_type(Type, Culprit) -> Error = type_error(Type, Culprit)
    ;   Error = domain_error(Domain, Culprit)
    ).
error_term(existence(Kind, Culprit, _), _, existence_error(Kind, Culprit)).
error_term(permission(Action, Kind, _), Culprit, permission_error(Action, Kind, Culprit)).
error_term(representation(What), _, representation_error(What)).
error_term(evaluation(What), _, evaluation_error(What)).
error_term(resource(What), _, resource_error(What)).
error_term(consistency(A, B, Message), _, consistency_error(A, B, Message)).
error_term(context(Kind, Context), _, context_error(Kind, Context)).
error_term(syntax(_, Message, _, _, _), _, syntax_error(Message)).
error_term(system(_), _, system_error).
