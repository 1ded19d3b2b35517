:- module(sicstus,
          [ (block)/1,
            (mode)/1,
            if/3,
            use_module/3,
            bb_put/2, bb_get/2, bb_delete/2, bb_update/3,
            is_mutable/1, create_mutable/2, get_mutable/2, update_mutable/2,
            read_line/1, read_line/2,
            prolog_flag/3,
            trimcore/0,
            op(1150, fx, block),
            op(1150, fx, mode),
            op(900, fy, spy),
            op(900, fy, nospy)
          ]).
:- use_module(library(dialect/sicstus/block)).

/*  Programs written for SICStus Prolog 3, as in SWI-Prolog's library(dialect/sicstus): its directives and predicates.

    What is on the blackboard is that of the program; keys are of a module.
*/

:- meta_predicate if(0, 0, 0), bb_put(:, +), bb_get(:, -), bb_delete(:, -), bb_update(:, -, +), use_module(:, +, +).

:- dynamic bb/3.

%   --- directives ---

:- assertz(system:('$library_expansion'((:- mode(_)), []) :- '$flag'(emulated_dialect, Dialect), sicstus:is_sicstus(Dialect))).

is_sicstus(sicstus).
is_sicstus(sicstus4).

%!  mode(+Specs) is det.
%
%   A directive that says nothing here.

mode(_).

%   --- control, modules ---

%!  if(:Condition, :Then, :Else) is nondet.

if(Condition, Then, Else) :-
    ( Condition *-> Then ; Else ).

%!  use_module(?Module, :File, +Imports) is det.
%
%   As use_module/2 of File, or of the module Module if File is not bound; Module is that of File then.

use_module(Qualified, File, Imports) :-
    '$strip_modules'(Qualified, Into, Module),
    (   nonvar(File) -> true
    ;   must_be(atom, Module),
        module_property(Module, file(File))
    ),
    ( Imports == all -> use_module(Into:File) ; use_module(Into:File, Imports) ),
    (   nonvar(Module) -> true
    ;   absolute_file_name(File, Path, [file_type(prolog), access(read), file_errors(fail)]),
        module_property(Module, file(Path))
    ->  true
    ;   true
    ).

%   --- the blackboard ---

%!  bb_put(:Key, +Value) is det.
%!  bb_get(:Key, -Value) is semidet.
%!  bb_delete(:Key, -Value) is semidet.
%!  bb_update(:Key, -Old, +New) is semidet.

bb_put(Qualified, Value) :-
    key(Qualified, Module, Key),
    '$locked'('$blackboard', put_value(Module, Key, Value)).

put_value(Module, Key, Value) :-
    retractall(bb(Module, Key, _)),
    assertz(bb(Module, Key, Value)).

bb_get(Qualified, Value) :-
    key(Qualified, Module, Key),
    bb(Module, Key, Value0), !,
    Value = Value0.

bb_delete(Qualified, Value) :-
    key(Qualified, Module, Key),
    retract(bb(Module, Key, Value)), !.

bb_update(Qualified, Old, New) :-
    key(Qualified, Module, Key),
    '$locked'('$blackboard', ( bb(Module, Key, Old), put_value(Module, Key, New) )), !.

key(Qualified, Module, Key) :-
    '$strip_modules'(Qualified, Module, Key),
    must_be(nonvar, Key),
    ( atomic(Key) -> true ; type_error(atomic, Key) ).

%   --- mutable terms ---

%!  create_mutable(+Value, -Mutable) is det.
%!  get_mutable(-Value, +Mutable) is det.
%!  update_mutable(+Value, +Mutable) is det.
%!  is_mutable(@Term) is semidet.
%
%   A term whose value can be changed, until that is undone by backtracking.

create_mutable(Value, '$mutable'(Value, 1)).

get_mutable(Value, Mutable) :-
    must_be_mutable(Mutable),
    arg(1, Mutable, Value).

update_mutable(Value, Mutable) :-
    must_be_mutable(Mutable),
    setarg(1, Mutable, Value).

is_mutable(Term) :-
    nonvar(Term),
    Term = '$mutable'(_, _).

must_be_mutable(Mutable) :-
    (   is_mutable(Mutable) -> true
    ;   must_be(nonvar, Mutable),
        type_error(mutable, Mutable)
    ).

%   --- reading, flags ---

%!  read_line(-Codes) is det.
%!  read_line(+Stream, -Codes) is det.
%
%   The codes of the next line, without its end; end_of_file if there is none.

read_line(Codes) :-
    current_input(Stream),
    read_line(Stream, Codes).

read_line(Stream, Codes) :-
    read_line_to_codes(Stream, Codes0),
    ( Codes0 == -1 -> Codes = end_of_file ; Codes = Codes0 ).

%!  prolog_flag(+Flag, -Old, +New) is det.

prolog_flag(Flag, Old, New) :-
    current_prolog_flag(Flag, Old),
    set_prolog_flag(Flag, New).

%!  trimcore is det.

trimcore :-
    garbage_collect.
