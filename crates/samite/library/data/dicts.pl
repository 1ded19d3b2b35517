:- module(dicts,
          [ dicts_same_tag/2,
            dict_size/2,
            dict_keys/2,
            dicts_same_keys/2,
            dicts_to_same_keys/3,
            dict_fill/4,
            dict_no_fill/3,
            dicts_join/3,
            dicts_join/4,
            dicts_slice/3,
            dicts_to_compounds/4
          ]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [append/2, append/3]).
:- use_module(library(ordsets), [ord_subtract/3]).
:- use_module(library(pairs), [pairs_keys/2, pairs_keys_values/3]).

/*  Lists of dicts as tables: rows that have the same keys, joins, columns.

    The interface is that of SWI-Prolog's library(dicts).
*/

:- meta_predicate
    dicts_to_same_keys(+, 3, -),
    dicts_to_compounds(?, +, 3, ?).

%!  dicts_same_tag(+Dicts, ?Tag) is semidet.
%
%   All of Dicts have the tag Tag.

dicts_same_tag(Dicts, Tag) :-
    maplist(has_tag(Tag), Dicts).

has_tag(Tag, Dict) :- is_dict(Dict, Tag).

%!  dict_size(+Dict, -Count) is det.
%
%   Dict has Count keys.

dict_size(Dict, Count) :-
    must_be(dict, Dict),
    compound_name_arity(Dict, _, Arity),
    Count is Arity // 2.

%!  dict_keys(+Dict, -Keys) is det.
%
%   Keys are the keys of Dict in the standard order.

dict_keys(Dict, Keys) :-
    dict_pairs(Dict, _, Pairs),
    pairs_keys(Pairs, Keys).

%!  dicts_same_keys(+Dicts, ?Keys) is semidet.
%
%   All of Dicts have the keys Keys, which are in the standard order.

dicts_same_keys(Dicts, Keys) :-
    maplist(has_keys(Keys), Dicts).

has_keys(Keys, Dict) :- dict_keys(Dict, Keys).

%!  dicts_to_same_keys(+Dicts0, :OnEmpty, -Dicts) is det.
%
%   Dicts are Dicts0, each with the keys that any of them has. Values that are
%   missing are those of call(OnEmpty, Key, Dict, Value).

dicts_to_same_keys(Dicts0, OnEmpty, Dicts) :-
    maplist(dict_keys, Dicts0, Lists),
    append(Lists, Keys0),
    sort(Keys0, Keys),
    maplist(filled_up(Keys, OnEmpty), Dicts0, Dicts).

filled_up(Keys, OnEmpty, Dict0, Dict) :-
    dict_keys(Dict0, Own),
    ord_subtract(Keys, Own, Missing),
    (   Missing == []
    ->  Dict = Dict0
    ;   maplist(missing_pair(OnEmpty, Dict0), Missing, New),
        put_dict(New, Dict0, Dict)
    ).

missing_pair(OnEmpty, Dict, Key, Key-Value) :-
    call(OnEmpty, Key, Dict, Value).

%!  dict_fill(+Value0, +Key, +Dict, -Value) is det.
%
%   With Value0 for dicts_to_same_keys/3: Value is a copy of it.

dict_fill(Value0, _, _, Value) :-
    copy_term(Value0, Value).

%!  dict_no_fill(+Key, +Dict, -Value) is erroneous.
%
%   For dicts_to_same_keys/3: no key may be missing.

dict_no_fill(Key, Dict, Value) :-
    '$get_dict_ex'(Key, Dict, Value).

%!  dicts_join(+Key, +Dicts0, -Dicts) is semidet.
%
%   Those of Dicts0 that have the same value for Key are one of Dicts. Fails if
%   they have different values for another key.

dicts_join(Key, Dicts0, Dicts) :-
    sort(Key, @=<, Dicts0, Sorted),
    groups(Sorted, Key, Dicts).

groups([], _, []).
groups([Dict0|Dicts0], Key, [Dict|Dicts]) :-
    get_dict(Key, Dict0, Value),
    group(Dicts0, Key, Value, Dict0, Dict, Rest),
    groups(Rest, Key, Dicts).

group([Next|Dicts], Key, Value, Dict0, Dict, Rest) :-
    get_dict(Key, Next, Value1),
    Value1 == Value,
    !,
    joined(Dict0, Next, Dict1),
    group(Dicts, Key, Value, Dict1, Dict, Rest).
group(Rest, _, _, Dict, Dict, Rest).

joined(Dict0, Next, Dict) :-
    Dict0 >:< Next,
    put_dict(Next, Dict0, Dict).

%!  dicts_join(+Key, +Dicts1, +Dicts2, -Dicts) is semidet.
%
%   A dict of Dicts1 and one of Dicts2 that have the same value for Key are one
%   of Dicts; the others are there as they are. Fails if those have different
%   values for another key.

dicts_join(Key, Dicts1, Dicts2, Dicts) :-
    sort(Key, @=<, Dicts1, Sorted1),
    sort(Key, @=<, Dicts2, Sorted2),
    merged(Sorted1, Sorted2, Key, Dicts).

merged([], Dicts, _, Dicts) :- !.
merged(Dicts, [], _, Dicts) :- !.
merged([D1|Ds1], [D2|Ds2], Key, [D|Ds]) :-
    get_dict(Key, D1, Value1),
    get_dict(Key, D2, Value2),
    compare(Order, Value1, Value2),
    merged(Order, D1, Ds1, D2, Ds2, Key, D, Ds).

merged(<, D, Ds1, D2, Ds2, Key, D, Ds) :-
    merged(Ds1, [D2|Ds2], Key, Ds).
merged(>, D1, Ds1, D, Ds2, Key, D, Ds) :-
    merged([D1|Ds1], Ds2, Key, Ds).
merged(=, D1, Ds1, D2, Ds2, Key, D, Ds) :-
    joined(D2, D1, D),
    merged(Ds1, Ds2, Key, Ds).

%!  dicts_slice(+Keys, +Dicts0, -Dicts) is det.
%
%   Dicts are Dicts0 without keys that are not among Keys.

dicts_slice(Keys, Dicts0, Dicts) :-
    sort(Keys, Sorted),
    maplist(slice(Sorted), Dicts0, Dicts).

slice(Keys, Dict0, Dict) :-
    dict_pairs(Dict0, Tag, Pairs0),
    pairs_among(Pairs0, Keys, Pairs),
    dict_pairs(Dict, Tag, Pairs).

pairs_among([], _, []) :- !.
pairs_among(_, [], []) :- !.
pairs_among([Key0-Value|Pairs0], [Key|Keys], Pairs) :-
    compare(Order, Key0, Key),
    pairs_among(Order, Key0-Value, Pairs0, Key, Keys, Pairs).

pairs_among(<, _, Pairs0, Key, Keys, Pairs) :-
    pairs_among(Pairs0, [Key|Keys], Pairs).
pairs_among(>, Pair, Pairs0, _, Keys, Pairs) :-
    pairs_among([Pair|Pairs0], Keys, Pairs).
pairs_among(=, Pair, Pairs0, _, Keys, [Pair|Pairs]) :-
    pairs_among(Pairs0, Keys, Pairs).

%!  dicts_to_compounds(?Dicts, +Keys, :OnEmpty, ?Compounds) is semidet.
%
%   Compounds are named by the tags of Dicts (`row` if there is none), and have
%   the values of Keys as arguments; for missing ones see dicts_to_same_keys/3.

dicts_to_compounds(Dicts, Keys, OnEmpty, Compounds) :-
    maplist(dict_to_compound(Keys, OnEmpty), Dicts, Compounds).

dict_to_compound(Keys, OnEmpty, Dict, Compound) :-
    is_dict(Dict, Tag),
    !,
    ( var(Tag) -> Name = row ; Name = Tag ),
    maplist(value_of(Dict, OnEmpty), Keys, Values),
    compound_name_arguments(Compound, Name, Values).
dict_to_compound(Keys, _, Dict, Compound) :-
    compound(Compound),
    compound_name_arguments(Compound, Tag, Values),
    pairs_keys_values(Pairs, Keys, Values),
    dict_pairs(Dict, Tag, Pairs).

value_of(Dict, OnEmpty, Key, Value) :-
    (   get_dict(Key, Dict, Value0)
    ->  Value = Value0
    ;   call(OnEmpty, Key, Dict, Value)
    ).
