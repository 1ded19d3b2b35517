:- module(prolog_operator,
          [ push_operators/1,
            push_operators/2,
            pop_operators/0,
            pop_operators/1,
            push_op/3
          ]).
:- use_module(library(error), [must_be/2, type_error/2]).
:- use_module(library(lists), [member/2, reverse/2]).

/*  Operators for a while, as SWI-Prolog's library(operators).

    What a push has defined, and what it defined otherwise before, is on a stack of each
    thread until it is popped.
*/

:- meta_predicate push_operators(:).
:- meta_predicate push_operators(:, -).
:- meta_predicate push_op(+, +, :).

%   The newest first: `begin`, then what undoes the operators after it.

:- thread_local pushed/1.

%!  push_operators(:Operators) is det.
%
%   Defines Operators, a list of op(Priority, Type, Name), until pop_operators/0.

push_operators(Operators) :-
    push_operators(Operators, Undo),
    asserta(pushed(begin)),
    forall(member(Op, Undo), asserta(pushed(Op))).

%!  push_operators(:Operators, -Undo) is det.
%
%   Defines Operators; pop_operators(Undo) takes them back.

push_operators(Spec, Undo) :-
    strip_module(Spec, Module, Operators),
    must_be(list, Operators),
    define(Operators, Module, [], Undo).

define([], _, Undo, Undo).
define([Op|Ops], Module, Undo0, Undo) :-
    must_be(nonvar, Op),
    (   Op = op(Priority, Type, Name)
    ->  undoing(Type, Name, Module, Undo0, Undo1),
        op(Priority, Type, Module:Name)
    ;   type_error(op, Op)
    ),
    define(Ops, Module, Undo1, Undo).

%   What makes the names the operators of this kind that they are now, before what is to be undone already.

undoing(Type, Name, Module, Undo0, Undo) :-
    (   is_list(Name)
    ->  undoing_all(Name, Type, Module, Undo0, Undo)
    ;   strip_module(Module:Name, M, Plain),
        undo(Type, Plain, M, Op),
        Undo = [Op|Undo0]
    ).

undoing_all([], _, _, Undo, Undo).
undoing_all([Name|Names], Type, Module, Undo0, Undo) :-
    undoing(Type, Name, Module, Undo0, Undo1),
    undoing_all(Names, Type, Module, Undo1, Undo).

undo(Type, Name, Module, op(Priority, Other, Module:Name)) :-
    must_be(atom, Type),
    (   same_kind(Type, Other),
        current_op(Priority0, Other, Module:Name)
    ->  Priority = Priority0
    ;   Other = Type,
        Priority = 0
    ).

same_kind(Type, Other) :-
    kind(Types),
    member(Type, Types), !,
    member(Other, Types).

kind([fx, fy]).
kind([xf, yf]).
kind([xfx, xfy, yfx]).

%!  pop_operators is det.
%
%   Takes back what the last push_operators/1, and push_op/3 since, have defined.

pop_operators :-
    retract(pushed(Op)),
    (   Op == begin
    ->  !
    ;   pop_operators([Op]),
        fail
    ).

%!  pop_operators(+Undo) is det.
%
%   Takes back what push_operators(_, Undo) has defined.

pop_operators(Undo) :-
    forall(member(op(Priority, Type, Name), Undo), op(Priority, Type, Name)).

%!  push_op(+Priority, +Type, :Name) is det.
%
%   As op/3, until pop_operators/0.

push_op(Priority, Type, Spec) :-
    strip_module(Spec, Module, Name),
    undoing(Type, Name, Module, [], Undo0),
    op(Priority, Type, Module:Name),
    reverse(Undo0, Undo),
    forall(member(Op, Undo), asserta(pushed(Op))).
