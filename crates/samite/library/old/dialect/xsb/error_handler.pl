:- module(error_handler,
          [ check_acyclic/3, check_atom/3, check_callable/3, check_ground/3, check_integer/3, check_nonvar/3, check_nonvar_list/3, check_stream/3,
            check_var/3,
            domain_error/4,
            print_backtrace/1,
            xsb_error_get_message/2, xsb_error_get_tag/2
          ]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [member/2]).

/*  XSB's module error_handler: checks of arguments, and what errors are made of. The last arguments of a check are the predicate and the
    number of the argument.  */

:- meta_predicate(checked(0, +, +)).

checked(Goal, Predicate, Argument) :-
    catch(Goal, error(E, _), throw(error(E, context(Predicate, argument(Argument))))).

%!  check_acyclic(+Term, +Predicate, +Argument) is det.
check_acyclic(T, P, A) :- checked(must_be(acyclic, T), P, A).
%!  check_atom(+Term, +Predicate, +Argument) is det.
check_atom(T, P, A) :- checked(must_be(atom, T), P, A).
%!  check_callable(+Term, +Predicate, +Argument) is det.
check_callable(T, P, A) :- checked(must_be(callable, T), P, A).
%!  check_ground(+Term, +Predicate, +Argument) is det.
check_ground(T, P, A) :- checked(must_be(ground, T), P, A).
%!  check_integer(+Term, +Predicate, +Argument) is det.
check_integer(T, P, A) :- checked(must_be(integer, T), P, A).
%!  check_nonvar(+Term, +Predicate, +Argument) is det.
check_nonvar(T, P, A) :- checked(must_be(nonvar, T), P, A).
%!  check_nonvar_list(+List, +Predicate, +Argument) is det.
check_nonvar_list(L, P, A) :- checked(( must_be(list, L), each_nonvar(L) ), P, A).
%!  check_stream(+Stream, +Predicate, +Argument) is det.
check_stream(S, P, A) :-
    (   is_stream(S)
    ->  true
    ;   throw(error(existence_error(stream, S), context(P, argument(A))))
    ).
%!  check_var(+Term, +Predicate, +Argument) is det.
check_var(T, P, A) :-
    (   var(T)
    ->  true
    ;   throw(error(uninstantiation_error(T), context(P, argument(A))))
    ).

each_nonvar([]).
each_nonvar([X|Xs]) :- must_be(nonvar, X), each_nonvar(Xs).

%!  domain_error(+Domain, +Culprit, +Predicate, +Argument) is failure.
domain_error(Domain, Culprit, P, A) :- throw(error(domain_error(Domain, Culprit), context(P, argument(A)))).

%!  xsb_error_get_tag(+Error, -Tag) is semidet.
%   Tag is what is wrong.
xsb_error_get_tag(error(Tag, _), Tag).

%!  xsb_error_get_message(+Error, -Message) is semidet.
%   Message is what the error says beside.
xsb_error_get_message(error(_, Context), Message) :-
    nonvar(Context),
    ( Context = context(_, Message) -> nonvar(Message) ; Message = Context ).

%!  print_backtrace(+Backtrace) is det.
%   Writes what xsb_backtrace/1 has given, a line for each frame, to user_error.
print_backtrace(Backtrace) :-
    must_be(list, Backtrace),
    forall(member(Frame, Backtrace), format(user_error, "~p~n", [Frame])).
