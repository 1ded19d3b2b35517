:- module(yap,
          [ gc/0, nogc/0, depth_bound_call/2, system/1, exists/1, assert_static/1, asserta_static/1, assertz_static/1, source/0, no_source/0, yap_flag/2, yap_style_check/1, eval_arith/2, if/2, if/3 ]).

/*  Programs written for YAP, as in SWI-Prolog's library(dialect/yap): predicates that it has.  */

:- meta_predicate depth_bound_call(0, +), if(0, 0), if(0, 0, 0), assert_static(:), asserta_static(:), assertz_static(:).

%!  gc is det.
%!  nogc is det.
%
%   When memory is collected is not for programs to say.

gc.
nogc.

%!  depth_bound_call(:Goal, +Depth) is nondet.
%
%   Goal, no deeper than that.

depth_bound_call(Goal, Depth) :-
    call_with_depth_limit(Goal, Depth, Result),
    Result \== depth_limit_exceeded.

%!  system(+Command) is semidet.

system(Command) :- shell(Command).

%!  exists(+File) is semidet.

exists(File) :- exists_file(File).

%!  assert_static(:Clause) is det.
%!  asserta_static(:Clause) is det.
%!  assertz_static(:Clause) is det.
%
%   As for dynamic predicates.

assert_static(Clause) :- assertz(Clause).
asserta_static(Clause) :- asserta(Clause).
assertz_static(Clause) :- assertz(Clause).

%!  source is det.
%!  no_source is det.
%
%   Clauses can always be seen.

source.
no_source.

%!  yap_flag(?Flag, ?Value) is nondet.
%
%   As current_prolog_flag/2 and set_prolog_flag/2, with `on` and `off`.

yap_flag(Flag, Value) :-
    (   var(Value)
    ->  current_prolog_flag(Flag, Value)
    ;   must_be(atom, Flag),
        ( Value == on -> New = true ; Value == off -> New = false ; New = Value ),
        set_prolog_flag(Flag, New)
    ).

%!  yap_style_check(+Style) is det.
%
%   What style is checked is not for YAP's names to say.

yap_style_check(_).

%!  eval_arith(+Expression, -Value) is det.

eval_arith(Expression, Value) :- Value is Expression.

%!  if(:Condition, :Then) is nondet.
%!  if(:Condition, :Then, :Else) is nondet.

if(Condition, Then) :- ( Condition *-> Then ; true ).
if(Condition, Then, Else) :- ( Condition *-> Then ; Else ).
