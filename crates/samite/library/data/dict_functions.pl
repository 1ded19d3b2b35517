:- module('$dicts', ['.'/3, '$eval_function'/3]).

/*  Functional notation on dicts: what `Data.Function` in a clause is called as, '.'(Data, Function, Value).

    A key is looked up by '$get_dict_ex'/3 (in Rust); what is here are the functions. As in SWI-Prolog: get/1, get/2, put/1 and put/2, and
    those that the module which the tag names defines by := (see library/program/goal_expansion.pl).
*/

%!  '.'(+Data, +Function, -Value) is nondet.
%
%   Value is that of a key of a dict, or of a list that is taken for one, or what a function makes of it.

'.'(Data, Function, Value) :-
    (   '$get_dict_ex'(Function, Data, Value0)
    *-> Value = Value0
    ;   is_dict(Data, Tag)
    ->  function(Function, Tag, Data, Value)
    ;   is_list(Data)
    ->  (   of_any_dict(Function)
        ->  dict_create(Dict, _, Data),
            (   '$get_dict_ex'(Function, Dict, Value0)
            *-> Value = Value0
            ;   nonvar(Function),
                function(Function, _, Dict, Value)
            )
        ;   throw(error(type_error(atom, Function), _))
        )
    ;   throw(error(type_error(dict, Data), _))
    ).

%   of_any_dict(?Function): what needs no module.

of_any_dict(Function) :- \+ compound(Function), !.
of_any_dict(get(_)).
of_any_dict(get(_, _)).
of_any_dict(put(_)).
of_any_dict(put(_, _)).

function(get(Path), _, Dict, Value) :- !,
    get_path(Path, Dict, Value).
function(get(Path, Default), _, Dict, Value) :- !,
    (   get_path(Path, Dict, Value0)
    *-> Value = Value0
    ;   Value = Default
    ).
function(put(New), _, Dict0, Dict) :- !,
    put_dict(New, Dict0, Dict).
function(put(Path, Value), _, Dict0, Dict) :- !,
    (   var(Path)
    ->  throw(error(instantiation_error, _))
    ;   put_path(Path, Dict0, Value, Dict)
    ).
function(Function, Module, Dict, Value) :-
    '$eval_function'(Module:Function, Dict, Value).

%   '$eval_function'(:Function, +Dict, -Value): by a function that a module defines.

:- meta_predicate '$eval_function'(2, ?, ?).

'$eval_function'(Function, Dict, Value) :- call(Function, Dict, Value).

%   get_path(?Path, +Dict, -Value): the keys of Path are separated by slashes.

get_path(Path, Dict, Value) :-
    nonvar(Path),
    Path = Before/Key,
    !,
    get_path(Before, Dict, Inner),
    get_dict(Key, Inner, Value).
get_path(Key, Dict, Value) :-
    get_dict(Key, Dict, Value).

%   put_path(+Path, +Dict0, +Value, -Dict): what the keys before the last lead to are dicts, new ones where there were none.

put_path(Path, Dict0, Value, Dict) :-
    path_keys(Path, [], Keys),
    put_keys(Keys, Dict0, Value, Dict).

path_keys(Path, _, _) :-
    var(Path),
    !,
    throw(error(instantiation_error, _)).
path_keys(Before/Key, Keys0, Keys) :- !,
    path_keys(Before, [Key|Keys0], Keys).
path_keys(Key, Keys, [Key|Keys]).

put_keys([Key], Dict0, Value, Dict) :- !,
    put_dict(Key, Dict0, Value, Dict).
put_keys([Key|Keys], Dict0, Value, Dict) :-
    inner_dict(Key, Dict0, Inner0),
    put_keys(Keys, Inner0, Value, Inner),
    put_dict(Key, Dict0, Inner, Dict).

inner_dict(Key, Dict, Inner) :-
    (   get_dict(Key, Dict, Inner0),
        is_dict(Inner0)
    ->  Inner = Inner0
    ;   dict_create(Inner, _, [])
    ).
