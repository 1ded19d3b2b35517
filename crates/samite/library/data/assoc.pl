:- module(assoc,
          [ empty_assoc/1,
            is_assoc/1,
            list_to_assoc/2,
            ord_list_to_assoc/2,
            put_assoc/4,
            get_assoc/3,
            get_assoc/5,
            gen_assoc/3,
            del_assoc/4,
            del_min_assoc/4,
            del_max_assoc/4,
            min_assoc/3,
            max_assoc/3,
            map_assoc/2,
            map_assoc/3,
            assoc_to_list/2,
            assoc_to_keys/2,
            assoc_to_values/2
          ]).
:- use_module(library(error), [domain_error/2, must_be/2]).

/*  Association lists as AVL trees.

    The trees are those of G.M. Adelson-Velskii and E.M. Landis (1962), with
    insertion and deletion as in D.E. Knuth, The Art of Computer Programming,
    volume 3, section 6.2.3. The interface is that of SWI-Prolog's
    library(assoc).

    An association list is t, or t(Key, Value, Balance, Left, Right). All keys
    in Left are before Key in the standard order and all in Right after it;
    the heights of Left and Right differ by at most one; Balance is < if Left
    is the higher one, - if they are as high, > if Right is.

    Differs from SWI-Prolog's in: every predicate throws type_error(assoc, X)
    for an X that is none.
*/

:- meta_predicate
    map_assoc(1, ?),
    map_assoc(2, ?, ?).

%!  empty_assoc(?Assoc) is semidet.
%
%   Assoc has no keys.

empty_assoc(t).

%!  is_assoc(@Assoc) is semidet.
%
%   Assoc is an association list: ordered, and balanced as it claims.

is_assoc(Assoc) :-
    nonvar(Assoc),
    checked(Assoc, none, _, _).

%   checked(@Tree, +Before, -Last, -Height): Before and Last are none or
%   key(Key), the keys just before and at the end of Tree.

checked(Tree, Before, Last, Height) :-
    nonvar(Tree),
    checked_(Tree, Before, Last, Height).

checked_(t, Last, Last, 0).
checked_(t(K,_,Balance,L,R), Before, Last, Height) :-
    ground(K),
    checked(L, Before, LeftLast, HL),
    key_before(LeftLast, K),
    checked(R, key(K), Last, HR),
    D is HR-HL,
    balance(D, Balance0),
    Balance == Balance0,
    Height is max(HL, HR)+1.

key_before(none, _).
key_before(key(K1), K2) :-
    K1 @< K2.

balance(-1, <).
balance(0, -).
balance(1, >).

%!  list_to_assoc(+Pairs, -Assoc) is det.
%
%   Assoc has the pairs Key-Value of the list Pairs, whose keys must differ.

list_to_assoc(Pairs, Assoc) :-
    must_be(list, Pairs),
    must_be(list(pair), Pairs),
    keysort(Pairs, Sorted),
    (   keys_ascend(Sorted)
    ->  build(Sorted, Assoc)
    ;   domain_error(unique_key_pairs, Pairs)
    ).

%!  ord_list_to_assoc(+Pairs, -Assoc) is det.
%
%   Assoc has the pairs Key-Value of the list Pairs, which must be ordered by
%   keys that differ.

ord_list_to_assoc(Pairs, Assoc) :-
    must_be(list, Pairs),
    must_be(list(pair), Pairs),
    (   keys_ascend(Pairs)
    ->  build(Pairs, Assoc)
    ;   domain_error(key_ordered_pairs, Pairs)
    ).

keys_ascend([]).
keys_ascend([K-_|Pairs]) :-
    keys_ascend(Pairs, K).

keys_ascend([], _).
keys_ascend([K2-_|Pairs], K1) :-
    K1 @< K2,
    keys_ascend(Pairs, K2).

build(Pairs, Assoc) :-
    length(Pairs, N),
    build(N, Pairs, _, Assoc, _).

build(N, Pairs, Rest, Tree, Height) :-
    (   N =:= 0
    ->  Rest = Pairs,
        Tree = t,
        Height = 0
    ;   NL is N >> 1,
        NR is N-1-NL,
        build(NL, Pairs, [K-V|Pairs1], L, HL),
        build(NR, Pairs1, Rest, R, HR),
        Tree = t(K,V,Balance,L,R),
        D is HR-HL,
        balance(D, Balance),
        Height is HL+1
    ).

%!  get_assoc(+Key, +Assoc, -Value) is semidet.
%
%   Value belongs to Key in Assoc.

get_assoc(Key, Assoc, Value) :-
    get(Assoc, Key, Value).

get(Tree, Key, Value) :-
    '$assoc_node'(Key, Tree, Node),
    get_node(Node, Value).

get_node(t(_,V,_,_,_), Value) =>
    Value = V.
get_node(t, _) =>
    fail.
get_node(Tree, _) =>
    must_be(assoc, Tree),
    fail.

%!  get_assoc(+Key, +Assoc, -Value, -Assoc2, ?Value2) is semidet.
%
%   Value belongs to Key in Assoc; Assoc2 is Assoc with Value2 in its place.

get_assoc(Key, Assoc, Value, Assoc2, Value2) :-
    must_be(assoc, Assoc),
    swap(Assoc, Key, Value, Assoc2, Value2).

swap(t(K,V,B,L,R), Key, Value, Assoc2, Value2) :-
    compare(Order, Key, K),
    swap(Order, K, V, B, L, R, Key, Value, Assoc2, Value2).

swap(=, K, V, B, L, R, _, V, t(K,V2,B,L,R), V2).
swap(<, K, V, B, L, R, Key, Value, t(K,V,B,L2,R), V2) :-
    swap(L, Key, Value, L2, V2).
swap(>, K, V, B, L, R, Key, Value, t(K,V,B,L,R2), V2) :-
    swap(R, Key, Value, R2, V2).

%!  gen_assoc(?Key, +Assoc, ?Value) is nondet.
%
%   Value belongs to Key in Assoc; goes through the keys in order if Key is
%   not ground.

gen_assoc(Key, Assoc, Value) :-
    must_be(assoc, Assoc),
    (   ground(Key)
    ->  get(Assoc, Key, Value)
    ;   gen(Assoc, Key, Value)
    ).

gen(Tree, Key, Value) :-
    Tree = t(_,_,_,_,_),
    descend(Tree, [], Path),
    gen_path(Path, Key, Value).

%   A path has the nodes on the way to the smallest key that is still to come.

descend(t, Path, Path).
descend(t(K,V,_,L,R), Path0, Path) :-
    descend(L, [node(K,V,R)|Path0], Path).

gen_path([node(K,V,R)|Path0], Key, Value) :-
    descend(R, Path0, Path),
    gen_path(Path, K, V, Key, Value).

gen_path(_, K, V, K, V).
gen_path([Node|Path], _, _, Key, Value) :-
    gen_path([Node|Path], Key, Value).

%!  put_assoc(+Key, +Assoc, +Value, -Assoc2) is det.
%
%   Assoc2 is Assoc with Value for Key.

put_assoc(Key, Assoc, Value, Assoc2) :-
    put(Assoc, Key, Value, Assoc2, _).

put(Tree, Key, Value, Tree2, Grown) :-
    (   nonvar(Tree),
        Tree = t(K,V,B,L,R)
    ->  compare(Order, Key, K),
        put(Order, K, V, B, L, R, Key, Value, Tree2, Grown)
    ;   Tree == t
    ->  Tree2 = t(Key,Value,-,t,t),
        Grown = yes
    ;   must_be(assoc, Tree)
    ).

put(=, _, _, B, L, R, Key, Value, t(Key,Value,B,L,R), no).
put(<, K, V, B, L, R, Key, Value, Tree2, Grown) :-
    put(L, Key, Value, L2, LeftGrown),
    left_grown(LeftGrown, B, K, V, L2, R, Tree2, Grown).
put(>, K, V, B, L, R, Key, Value, Tree2, Grown) :-
    put(R, Key, Value, R2, RightGrown),
    right_grown(RightGrown, B, K, V, L, R2, Tree2, Grown).

left_grown(no, B, K, V, L, R, t(K,V,B,L,R), no).
left_grown(yes, B, K, V, L, R, Tree, Grown) :-
    left_higher(B, K, V, L, R, Tree, Grown).

left_higher(-, K, V, L, R, t(K,V,<,L,R), yes).
left_higher(>, K, V, L, R, t(K,V,-,L,R), no).
left_higher(<, K, V, L, R, Tree, no) :-
    rotate_right(L, K, V, R, Tree, _).

right_grown(no, B, K, V, L, R, t(K,V,B,L,R), no).
right_grown(yes, B, K, V, L, R, Tree, Grown) :-
    right_higher(B, K, V, L, R, Tree, Grown).

right_higher(-, K, V, L, R, t(K,V,>,L,R), yes).
right_higher(<, K, V, L, R, t(K,V,-,L,R), no).
right_higher(>, K, V, L, R, Tree, no) :-
    rotate_left(R, K, V, L, Tree, _).

%   rotate_right(+L, +K, +V, +R, -Tree, -Lower): Tree is balanced and has K-V
%   and the keys of L and R, where L is higher than R by two. Lower says
%   whether Tree is lower than L was with K on top.

rotate_right(t(KL,VL,BL,LL,LR), K, V, R, Tree, Lower) :-
    rotate_right(BL, KL, VL, LL, LR, K, V, R, Tree, Lower).

rotate_right(<, KL, VL, LL, LR, K, V, R,
             t(KL,VL,-,LL,t(K,V,-,LR,R)), yes).
rotate_right(-, KL, VL, LL, LR, K, V, R,
             t(KL,VL,>,LL,t(K,V,<,LR,R)), no).
rotate_right(>, KL, VL, LL, t(KM,VM,BM,LM,RM), K, V, R,
             t(KM,VM,-,t(KL,VL,B1,LL,LM),t(K,V,B2,RM,R)), yes) :-
    halves(BM, B1, B2).

%   rotate_left(+R, +K, +V, +L, -Tree, -Lower): the mirror image.

rotate_left(t(KR,VR,BR,RL,RR), K, V, L, Tree, Lower) :-
    rotate_left(BR, KR, VR, RL, RR, K, V, L, Tree, Lower).

rotate_left(>, KR, VR, RL, RR, K, V, L,
            t(KR,VR,-,t(K,V,-,L,RL),RR), yes).
rotate_left(-, KR, VR, RL, RR, K, V, L,
            t(KR,VR,<,t(K,V,>,L,RL),RR), no).
rotate_left(<, KR, VR, t(KM,VM,BM,LM,RM), RR, K, V, L,
            t(KM,VM,-,t(K,V,B1,L,LM),t(KR,VR,B2,RM,RR)), yes) :-
    halves(BM, B1, B2).

%   halves(+B, -B1, -B2): the balances left and right after a double rotation
%   that took apart a node with balance B.

halves(<, -, >).
halves(-, -, -).
halves(>, <, -).

%!  del_assoc(+Key, +Assoc, -Value, -Assoc2) is semidet.
%
%   Assoc2 is Assoc without Key, to which Value belonged.

del_assoc(Key, Assoc, Value, Assoc2) :-
    must_be(assoc, Assoc),
    del(Assoc, Key, Value, Assoc2, _).

del(t(K,V,B,L,R), Key, Value, Tree2, Lower) :-
    compare(Order, Key, K),
    del(Order, K, V, B, L, R, Key, Value, Tree2, Lower).

del(<, K, V, B, L, R, Key, Value, Tree2, Lower) :-
    del(L, Key, Value, L2, LeftLower),
    left_lowered(LeftLower, B, K, V, L2, R, Tree2, Lower).
del(>, K, V, B, L, R, Key, Value, Tree2, Lower) :-
    del(R, Key, Value, R2, RightLower),
    right_lowered(RightLower, B, K, V, L, R2, Tree2, Lower).
del(=, _, V, B, L, R, _, V, Tree2, Lower) :-
    del_root(L, R, B, Tree2, Lower).

del_root(t, R, _, Tree2, Lower) :-
    !,
    Tree2 = R,
    Lower = yes.
del_root(L, t, _, Tree2, Lower) :-
    !,
    Tree2 = L,
    Lower = yes.
del_root(L, R, B, Tree2, Lower) :-
    del_min(R, K, V, R2, RightLower),
    right_lowered(RightLower, B, K, V, L, R2, Tree2, Lower).

%!  del_min_assoc(+Assoc, -Key, -Value, -Assoc2) is semidet.
%
%   Assoc2 is Assoc without its first pair Key-Value.

del_min_assoc(Assoc, Key, Value, Assoc2) :-
    must_be(assoc, Assoc),
    del_min(Assoc, Key, Value, Assoc2, _).

del_min(t(K,V,B,L,R), Key, Value, Tree2, Lower) :-
    (   L == t
    ->  Key = K,
        Value = V,
        Tree2 = R,
        Lower = yes
    ;   del_min(L, Key, Value, L2, LeftLower),
        left_lowered(LeftLower, B, K, V, L2, R, Tree2, Lower)
    ).

%!  del_max_assoc(+Assoc, -Key, -Value, -Assoc2) is semidet.
%
%   Assoc2 is Assoc without its last pair Key-Value.

del_max_assoc(Assoc, Key, Value, Assoc2) :-
    must_be(assoc, Assoc),
    del_max(Assoc, Key, Value, Assoc2, _).

del_max(t(K,V,B,L,R), Key, Value, Tree2, Lower) :-
    (   R == t
    ->  Key = K,
        Value = V,
        Tree2 = L,
        Lower = yes
    ;   del_max(R, Key, Value, R2, RightLower),
        right_lowered(RightLower, B, K, V, L, R2, Tree2, Lower)
    ).

left_lowered(no, B, K, V, L, R, t(K,V,B,L,R), no).
left_lowered(yes, B, K, V, L, R, Tree, Lower) :-
    left_lower(B, K, V, L, R, Tree, Lower).

left_lower(<, K, V, L, R, t(K,V,-,L,R), yes).
left_lower(-, K, V, L, R, t(K,V,>,L,R), no).
left_lower(>, K, V, L, R, Tree, Lower) :-
    rotate_left(R, K, V, L, Tree, Lower).

right_lowered(no, B, K, V, L, R, t(K,V,B,L,R), no).
right_lowered(yes, B, K, V, L, R, Tree, Lower) :-
    right_lower(B, K, V, L, R, Tree, Lower).

right_lower(>, K, V, L, R, t(K,V,-,L,R), yes).
right_lower(-, K, V, L, R, t(K,V,<,L,R), no).
right_lower(<, K, V, L, R, Tree, Lower) :-
    rotate_right(L, K, V, R, Tree, Lower).

%!  min_assoc(+Assoc, -Key, -Value) is semidet.
%
%   Key-Value is the first pair of Assoc.

min_assoc(Assoc, Key, Value) :-
    must_be(assoc, Assoc),
    Assoc = t(K,V,_,L,_),
    first(L, K, V, Key, Value).

first(t, K, V, K, V).
first(t(K,V,_,L,_), _, _, Key, Value) :-
    first(L, K, V, Key, Value).

%!  max_assoc(+Assoc, -Key, -Value) is semidet.
%
%   Key-Value is the last pair of Assoc.

max_assoc(Assoc, Key, Value) :-
    must_be(assoc, Assoc),
    Assoc = t(K,V,_,_,R),
    final(R, K, V, Key, Value).

final(t, K, V, K, V).
final(t(K,V,_,_,R), _, _, Key, Value) :-
    final(R, K, V, Key, Value).

%!  map_assoc(:Goal, +Assoc) is nondet.
%
%   Goal is true of every value of Assoc, in the order of the keys.

map_assoc(Goal, Assoc) :-
    must_be(assoc, Assoc),
    map(Assoc, Goal).

map(t, _).
map(t(_,V,_,L,R), Goal) :-
    map(L, Goal),
    call(Goal, V),
    map(R, Goal).

%!  map_assoc(:Goal, +Assoc, ?Assoc2) is nondet.
%
%   Assoc2 has the keys of Assoc; call(Goal, V, V2) relates their values.

map_assoc(Goal, Assoc, Assoc2) :-
    must_be(assoc, Assoc),
    map(Assoc, Goal, Assoc2).

map(t, _, t).
map(t(K,V,B,L,R), Goal, t(K,V2,B,L2,R2)) :-
    map(L, Goal, L2),
    call(Goal, V, V2),
    map(R, Goal, R2).

%!  assoc_to_list(+Assoc, -Pairs) is det.
%
%   Pairs has the pairs Key-Value of Assoc in the order of the keys.

assoc_to_list(Assoc, Pairs) :-
    must_be(assoc, Assoc),
    to_list(Assoc, Pairs, []).

to_list(t, Pairs, Pairs).
to_list(t(K,V,_,L,R), Pairs, Rest) :-
    to_list(L, Pairs, [K-V|Pairs1]),
    to_list(R, Pairs1, Rest).

%!  assoc_to_keys(+Assoc, -Keys) is det.
%
%   Keys has the keys of Assoc in order.

assoc_to_keys(Assoc, Keys) :-
    must_be(assoc, Assoc),
    to_keys(Assoc, Keys, []).

to_keys(t, Keys, Keys).
to_keys(t(K,_,_,L,R), Keys, Rest) :-
    to_keys(L, Keys, [K|Keys1]),
    to_keys(R, Keys1, Rest).

%!  assoc_to_values(+Assoc, -Values) is det.
%
%   Values has the values of Assoc in the order of the keys.

assoc_to_values(Assoc, Values) :-
    must_be(assoc, Assoc),
    to_values(Assoc, Values, []).

to_values(t, Values, Values).
to_values(t(_,V,_,L,R), Values, Rest) :-
    to_values(L, Values, [V|Values1]),
    to_values(R, Values1, Rest).
