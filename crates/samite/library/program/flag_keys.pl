% Global counters and values by key: flag/3 and its kin, as in SWI-Prolog. Shared by all threads.

:- module('$flag_keys', [
       flag/3,
       get_flag/2,
       set_flag/2,
       current_flag/1
   ]).

%   '$flag_value'(Key, Value): of a compound key only name and arity count; it is key(Name, Arity).

%!  flag(+Key, -Old, +New) is semidet.
%
%   Old is the value of the flag (0 at first); then it gets the value of the expression New, or New if it is an atom.
%   One step for all threads.

flag(Key, Old, New) :-
    flag_key(Key, flag/3, K),
    change_flag(K, Old, New).

%   Again, if another has changed it meanwhile.
change_flag(K, Old, New) :-
    current_value(K, Old0),
    \+ Old \= Old0,
    (   \+ \+ changed(K, Old0, Old, New)
    ->  Old = Old0
    ;   change_flag(K, Old, New)
    ).

changed(K, Old, Old, New) :-
    (   atom(New)
    ->  Value = New
    ;   catch(Value is New, error(Formal, _), throw(error(Formal, context(system:flag/3, _))))
    ),
    check_value(Value),
    '$swap_flag_value'(K, Old, Value).

%!  get_flag(+Key, -Value) is det.

get_flag(Key, Value) :-
    flag_key(Key, get_flag/2, K),
    current_value(K, Value0),
    Value = Value0.

%!  set_flag(+Key, +Value) is det.
%
%   Value is an atom, an integer of 64 bits or a float.

set_flag(Key, Value) :-
    flag_key(Key, set_flag/2, K),
    check_value(Value),
    '$set_flag_value'(K, Value).

%!  current_flag(?Key) is nondet.

current_flag(Key) :-
    '$flag_keys'(Ks),
    member(K, Ks),
    (   K = key(Name, Arity)
    ->  compound_name_arity(Key0, Name, Arity),
        Key = Key0
    ;   Key = K
    ).

current_value(K, Value) :-
    (   '$flag_value'(K, Value0)
    ->  Value = Value0
    ;   Value = 0
    ).

check_value(Value) :-
    (   var(Value)
    ->  throw(error(instantiation_error, context(system:set_flag/2, _)))
    ;   integer(Value)
    ->  (   Value >= -9223372036854775808, Value =< 9223372036854775807
        ->  true
        ;   throw(error(representation_error(int64_t), context(system:set_flag/2, _)))
        )
    ;   ( atom(Value) ; float(Value) )
    ->  true
    ;   throw(error(type_error(flag_value, Value), context(system:set_flag/2, _)))
    ).

flag_key(Key, PI, K) :-
    (   var(Key)
    ->  throw(error(instantiation_error, context(system:PI, _)))
    ;   compound(Key)
    ->  compound_name_arity(Key, Name, Arity),
        K = key(Name, Arity)
    ;   ( blob(Key, _) ; integer(Key), Key >= -0x1000000000000000, Key =< 0xfffffffffffffff )
    ->  K = Key
    ;   throw(error(type_error(key, Key), context(system:PI, _)))
    ).
