:- module(error,
          [ type_error/2,
            domain_error/2,
            existence_error/2,
            existence_error/3,
            permission_error/3,
            instantiation_error/1,
            uninstantiation_error/1,
            representation_error/1,
            syntax_error/1,
            resource_error/1,
            must_be/2,
            is_of_type/2,
            is_list_or_partial/1,
            current_type/3
          ]).

/*  Throwing the error terms of the standard, and checking types.

    The error terms are those of ISO/IEC 13211-1, 7.12.2; the types are those
    of SWI-Prolog's library(error).

    Differs from it in: the hook error:has_type/2 holds only types that
    programs add, the types known here are found by a separate static table.
    The second argument of every error/2 term stays unbound for the one who
    reports the error to fill in.

    This module uses no other library, so every other may use it.
*/

:- multifile has_type/2.
:- dynamic has_type/2.

%!  type_error(+Type, +Culprit) is erroneous.
%
%   Throw that Culprit is not of Type.

type_error(Type, Culprit) :-
    throw(error(type_error(Type, Culprit), _)).

%!  domain_error(+Domain, +Culprit) is erroneous.
%
%   Throw that Culprit has the right type but lies outside Domain.

domain_error(Domain, Culprit) :-
    throw(error(domain_error(Domain, Culprit), _)).

%!  existence_error(+Kind, +Culprit) is erroneous.
%
%   Throw that there is no object Culprit of this Kind.

existence_error(Kind, Culprit) :-
    throw(error(existence_error(Kind, Culprit), _)).

%!  existence_error(+Kind, +Culprit, +In) is erroneous.
%
%   Throw that there is no object Culprit of this Kind in In.

existence_error(Kind, Culprit, In) :-
    throw(error(existence_error(Kind, Culprit, In), _)).

%!  permission_error(+Action, +Kind, +Culprit) is erroneous.
%
%   Throw that Action is not allowed on Culprit, an object of this Kind.

permission_error(Action, Kind, Culprit) :-
    throw(error(permission_error(Action, Kind, Culprit), _)).

%!  instantiation_error(+Culprit) is erroneous.
%
%   Throw that Culprit is not instantiated enough; the term does not name it.

instantiation_error(_Culprit) :-
    throw(error(instantiation_error, _)).

%!  uninstantiation_error(+Culprit) is erroneous.
%
%   Throw that Culprit should have been unbound.

uninstantiation_error(Culprit) :-
    throw(error(uninstantiation_error(Culprit), _)).

%!  representation_error(+Limit) is erroneous.
%
%   Throw that a limit of the implementation is exceeded.

representation_error(Limit) :-
    throw(error(representation_error(Limit), _)).

%!  syntax_error(+Message) is erroneous.
%
%   Throw that a text could not be read.

syntax_error(Message) :-
    throw(error(syntax_error(Message), _)).

%!  resource_error(+Resource) is erroneous.
%
%   Throw that Resource is used up.

resource_error(Resource) :-
    throw(error(resource_error(Resource), _)).

%!  must_be(+Type, @Term) is det.
%
%   Succeed if Term is of Type, throw what is wrong with it otherwise.

must_be(Type, Term) :-
    (   var(Type)
    ->  instantiation_error(Type)
    ;   known(Type, Term)
    ->  true
    ;   has_type(Type, Term)
    ->  true
    ;   refuse(Type, Term)
    ).

%!  is_of_type(+Type, @Term) is semidet.
%
%   True if Term is of Type; fails for a Type that nobody has defined.

is_of_type(Type, Term) :-
    (   var(Type)
    ->  instantiation_error(Type)
    ;   known(Type, Term)
    ->  true
    ;   has_type(Type, Term)
    ->  true
    ).

%!  current_type(?Type, @Term, -Test) is nondet.
%
%   Type is a type of must_be/2; Test is a goal that is true if Term is of Type.

current_type(Type, Term, Test) :-
    known_type(Type),
    Test = error:is_of_type(Type, Term).
current_type(Type, Term, Test) :-
    clause(has_type(Type, Term), Body),
    Test = error:Body.

%!  is_list_or_partial(@Term) is semidet.
%
%   True if Term is a list, or becomes one by binding its tail.

is_list_or_partial(Term) :-
    (   is_list(Term)
    ->  true
    ;   acyclic_term(Term),
        open_list(Term)
    ).

open_list(Term) :-
    (   var(Term)
    ->  true
    ;   Term = [_|Tail],
        open_list(Tail)
    ).

%   known(+Type, @Term): Term is of the type Type of this library.

known(any, _).
known(integer, X)           :- integer(X).
known(nonneg, X)            :- integer(X), X >= 0.
known(positive_integer, X)  :- integer(X), X >= 1.
known(negative_integer, X)  :- integer(X), X < 0.
known(list, X)              :- is_list(X).
known(proper_list, X)       :- is_list(X).
known(atom, X)              :- atom(X).
known(callable, X)          :- callable(X).
known(boolean, X)           :- is_boolean(X).
known(bool, X)              :- is_boolean(X).
known(atomic, X)            :- atomic(X).
known(constant, X)          :- atomic(X).
known(symbol, X)            :- atom(X).
known(compound, X)          :- compound(X).
known(number, X)            :- number(X).
known(float, X)             :- float(X).
known(rational, X)          :- rational(X).
known(string, X)            :- string(X).
known(var, X)               :- var(X).
known(nonvar, X)            :- nonvar(X).
known(ground, X)            :- ground(X).
known(cyclic, X)            :- \+ acyclic_term(X).
known(acyclic, X)           :- acyclic_term(X).
known(stream, X)            :- is_stream(X).
known(char, X)              :- is_char(X).
known(code, X)              :- is_code(X).
known(chars, X)             :- is_list(X), all_chars(X).
known(codes, X)             :- is_list(X), all_codes(X).
known(text, X)              :- is_text(X).
known(pair, X)              :- nonvar(X), X = _-_.
known(order, X)             :- atom(X), is_order(X).
known(encoding, X)          :- atom(X), is_encoding(X).
known(dict, X)              :- is_dict(X).
known(list_or_partial, X)   :- is_list_or_partial(X).
known(list_or_partial_list, X) :- is_list_or_partial(X).
known(assoc, X)             :- assoc_shape(X).
known(type, X)              :- nonvar(X), is_type(X).
known(between(L, U), X)     :- is_between(X, L, U).
known(oneof(L), X)          :- ground(X), must_be(list, L), is_one_of(L, X).
known(list(Type), X)        :- is_list(X), all_of_type(X, Type).

%   known_type(+Type): Type has a clause of known/2.

known_type(any).
known_type(integer).
known_type(nonneg).
known_type(positive_integer).
known_type(negative_integer).
known_type(list).
known_type(proper_list).
known_type(atom).
known_type(callable).
known_type(boolean).
known_type(bool).
known_type(atomic).
known_type(constant).
known_type(symbol).
known_type(compound).
known_type(number).
known_type(float).
known_type(rational).
known_type(string).
known_type(var).
known_type(nonvar).
known_type(ground).
known_type(cyclic).
known_type(acyclic).
known_type(stream).
known_type(char).
known_type(code).
known_type(chars).
known_type(codes).
known_type(text).
known_type(pair).
known_type(order).
known_type(encoding).
known_type(dict).
known_type(list_or_partial).
known_type(list_or_partial_list).
known_type(assoc).
known_type(type).
known_type(between(_, _)).
known_type(oneof(_)).
known_type(list(_)).

is_type(Type) :-
    (   known_type(Type)
    ->  true
    ;   clause(has_type(Type, _), _)
    ->  true
    ).

is_boolean(X) :-
    (   X == true
    ->  true
    ;   X == false
    ).

%   The outermost shape only: checking all of an association list at every use
%   would cost more than the use.

assoc_shape(X) :-
    nonvar(X),
    (   X = t(_,_,_,_,_)
    ->  true
    ;   X == t
    ).

is_order(<).
is_order(=).
is_order(>).

is_encoding(ascii).
is_encoding(iso_latin_1).
is_encoding(octet).
is_encoding(text).
is_encoding(unicode_be).
is_encoding(unicode_le).
is_encoding(utf8).
is_encoding(utf16be).
is_encoding(utf16le).
is_encoding(wchar_t).

is_char(X) :-
    atom(X),
    atom_length(X, 1).

is_code(X) :-
    integer(X),
    X >= 0,
    X =< 0x10ffff.

all_chars([]).
all_chars([X|Xs]) :-
    is_char(X),
    all_chars(Xs).

all_codes([]).
all_codes([X|Xs]) :-
    is_code(X),
    all_codes(Xs).

is_text(X) :-
    (   atom(X)
    ->  true
    ;   string(X)
    ->  true
    ;   is_list(X),
        (   all_codes(X)
        ->  true
        ;   all_chars(X)
        )
    ).

%   An integer as lower limit asks for an integer, another number for a number.

is_between(X, Low, High) :-
    (   integer(Low)
    ->  integer(X),
        must_be(integer, High)
    ;   number(X)
    ),
    X >= Low,
    X =< High.

is_one_of([Y|Ys], X) :-
    (   X \= Y
    ->  is_one_of(Ys, X)
    ;   true
    ).

all_of_type([], _).
all_of_type([X|Xs], Type) :-
    is_of_type(Type, X),
    all_of_type(Xs, Type).

%   refuse(+Type, @Term): throw why Term is not of Type.

refuse(Type, Term) :-
    (   is_type(Type)
    ->  refuse_known(Type, Term)
    ;   existence_error(type, Type)
    ).

refuse_known(Type, Term) :-
    (   complaint(Type, Term, Formal)
    ->  throw(error(Formal, _))
    ;   var(Term)
    ->  instantiation_error(Term)
    ;   type_error(Type, Term)
    ).

%   complaint(+Type, @Term, -Formal): what is thrown where it is neither
%   instantiation_error for a variable nor type_error(Type, Term).

complaint(var, X, uninstantiation_error(X)).
complaint(ground, _, instantiation_error).
complaint(acyclic, X, domain_error(acyclic_term, X)).
complaint(cyclic, X, domain_error(cyclic_term, X)).
complaint(oneof(_), X, instantiation_error) :-
    \+ ground(X).
complaint(rational, X, instantiation_error) :-
    \+ ground(X).
complaint(stream, X, instantiation_error) :-
    \+ ground(X).
complaint(string, X, instantiation_error) :-
    \+ ground(X).
complaint(text, X, instantiation_error) :-
    \+ ground(X).
complaint(list_or_partial, X, type_error(list_or_partial, X)).
complaint(list_or_partial_list, X, type_error(list, X)).
complaint(list, X, Formal) :-
    list_complaint(X, list, Formal).
complaint(chars, X, Formal) :-
    complaint(list(char), X, Formal).
complaint(codes, X, Formal) :-
    complaint(list(code), X, Formal).
complaint(list(Type), X, Formal) :-
    (   is_list(X)
    ->  item_complaint(X, Type, Formal)
    ;   list_complaint(X, list(Type), Formal)
    ).

list_complaint(X, Type, Formal) :-
    (   is_list_or_partial(X)
    ->  Formal = instantiation_error
    ;   Formal = type_error(Type, X)
    ).

item_complaint([X|Xs], Type, Formal) :-
    (   is_of_type(Type, X)
    ->  item_complaint(Xs, Type, Formal)
    ;   catch(must_be(Type, X), error(Formal, _), true)
    ).
