:- module(pairs,
          [ pairs_keys_values/3,
            pairs_values/2,
            pairs_keys/2,
            transpose_pairs/2,
            map_list_to_pairs/3,
            group_pairs_by_key/2
          ]).

/*  Lists of pairs Key-Value.

    As SWI-Prolog's library(pairs).
*/

:- meta_predicate map_list_to_pairs(2, +, -).

%!  pairs_keys_values(?Pairs, ?Keys, ?Values) is det.
%
%   Pairs has the pairs of an element of Keys and one of Values, in order.

pairs_keys_values(Pairs, Keys, Values) :-
    (   nonvar(Pairs)
    ->  from_pairs(Pairs, Keys, Values)
    ;   nonvar(Keys)
    ->  from_keys(Keys, Values, Pairs)
    ;   from_values(Values, Keys, Pairs)
    ).

from_pairs([], [], []).
from_pairs([K-V|Pairs], [K|Ks], [V|Vs]) :-
    (   nonvar(Pairs)
    ->  from_pairs(Pairs, Ks, Vs)
    ;   pairs_keys_values(Pairs, Ks, Vs)
    ).

from_keys([], [], []).
from_keys([K|Ks], [V|Vs], [K-V|Pairs]) :-
    (   nonvar(Ks)
    ->  from_keys(Ks, Vs, Pairs)
    ;   pairs_keys_values(Pairs, Ks, Vs)
    ).

from_values([], [], []).
from_values([V|Vs], [K|Ks], [K-V|Pairs]) :-
    from_values(Vs, Ks, Pairs).

%!  pairs_values(?Pairs, ?Values) is det.
%
%   Values has the values of Pairs in order.

pairs_values(Pairs, Values) :-
    (   nonvar(Pairs)
    ->  take_values(Pairs, Values)
    ;   give_keys(Values, Pairs)
    ).

take_values([], []).
take_values([_-V|Pairs], [V|Vs]) :-
    take_values(Pairs, Vs).

give_keys([], []).
give_keys([V|Vs], [_-V|Pairs]) :-
    give_keys(Vs, Pairs).

%!  pairs_keys(?Pairs, ?Keys) is det.
%
%   Keys has the keys of Pairs in order.

pairs_keys(Pairs, Keys) :-
    (   nonvar(Pairs)
    ->  take_keys(Pairs, Keys)
    ;   give_values(Keys, Pairs)
    ).

take_keys([], []).
take_keys([K-_|Pairs], [K|Ks]) :-
    take_keys(Pairs, Ks).

give_values([], []).
give_values([K|Ks], [K-_|Pairs]) :-
    give_values(Ks, Pairs).

%!  group_pairs_by_key(+Pairs, -Groups) is det.
%
%   Groups has a pair Key-Values for every run in Pairs of keys that are equal
%   by ==/2.

group_pairs_by_key([], []).
group_pairs_by_key([K-V|Pairs], [K-[V|Vs]|Groups]) :-
    same_key(Pairs, K, Vs, Rest),
    group_pairs_by_key(Rest, Groups).

same_key([], _, [], []).
same_key([K1-V|Pairs], K, Vs, Rest) :-
    (   K1 == K
    ->  Vs = [V|Vs1],
        same_key(Pairs, K, Vs1, Rest)
    ;   Vs = [],
        Rest = [K1-V|Pairs]
    ).

%!  transpose_pairs(+Pairs, -Transposed) is det.
%
%   Transposed has a pair Value-Key for each of Pairs, sorted by their keys.

transpose_pairs(Pairs, Transposed) :-
    flip_pairs(Pairs, Flipped),
    keysort(Flipped, Transposed).

flip_pairs([], []).
flip_pairs([K-V|Pairs], [V-K|Flipped]) :-
    flip_pairs(Pairs, Flipped).

%!  map_list_to_pairs(:Function, +List, -Pairs) is det.
%
%   Pairs has Key-X for the elements X of List, where call(Function, X, Key).

map_list_to_pairs(Function, List, Pairs) :-
    key_list(List, Function, Pairs).

key_list([], _, []).
key_list([X|Xs], Function, [K-X|Pairs]) :-
    call(Function, X, K),
    key_list(Xs, Function, Pairs).
