:- module(hashtable,
     [ ht_new/1, ht_is_hashtable/1, ht_size/2, ht_put/3, ht_put_new/3, ht_put/5, ht_update/4, ht_get/3, ht_gen/3, ht_del/3,
       ht_pairs/2, ht_keys/2, ht_values/2 ]).

/*  Hash tables that change in place, as in SWI-Prolog's library(hashtable); changes are undone on backtracking.

    A table is ht(Size, Buckets): Buckets is a term whose arguments are lists of Key-Value, and Size the number of pairs. A pair is in the bucket that
    the hash of its key says; keys are the same if they are identical. There are at least half as many buckets as pairs.  */

%!  ht_new(-Table) is det.

ht_new(ht(0, Buckets)) :-
    buckets(4, Buckets).

buckets(N, Buckets) :-
    functor(Buckets, buckets, N),
    forall_empty(N, Buckets).

forall_empty(0, _) :- !.
forall_empty(N, Buckets) :-
    arg(N, Buckets, []),
    N1 is N-1,
    forall_empty(N1, Buckets).

%!  ht_is_hashtable(@Term) is semidet.

ht_is_hashtable(Term) :-
    nonvar(Term),
    Term = ht(Size, Buckets),
    integer(Size),
    compound(Buckets),
    compound_name_arity(Buckets, buckets, _).

%!  ht_size(+Table, -Size) is det.

ht_size(ht(Size, _), Size).

%   place(+Table, +Key, -Bucket, -Pairs)
place(ht(_, Buckets), Key, I, Pairs) :-
    functor(Buckets, _, N),
    variant_number(Key, Hash),
    I is Hash mod N+1,
    arg(I, Buckets, Pairs).

%   Variables have no hash of their own: their order may change, and they may be bound.
variant_number(Key, Hash) :-
    term_hash(Key, Hash0),
    ( var(Hash0) -> Hash = 0 ; Hash = Hash0 ).

found([Key0-Value0|Pairs], Key, Value) :-
    (   Key0 == Key
    ->  Value = Value0
    ;   found(Pairs, Key, Value)
    ).

%   changed(+Pairs0, +Key, ?Old, ?New, -Pairs)
changed([Key0-Old0|Pairs0], Key, Old, New, Pairs) :-
    (   Key0 == Key
    ->  Old = Old0,
        Pairs = [Key0-New|Pairs0]
    ;   Pairs = [Key0-Old0|Pairs1],
        changed(Pairs0, Key, Old, New, Pairs1)
    ).

ht_without([Key0-Value0|Pairs0], Key, Value, Pairs) :-
    (   Key0 == Key
    ->  Value = Value0,
        Pairs = Pairs0
    ;   Pairs = [Key0-Value0|Pairs1],
        ht_without(Pairs0, Key, Value, Pairs1)
    ).

%!  ht_get(+Table, +Key, -Value) is semidet.

ht_get(Table, Key, Value) :-
    place(Table, Key, _, Pairs),
    found(Pairs, Key, Value0),
    Value = Value0.

%!  ht_put(!Table, +Key, ?Value) is det.

ht_put(Table, Key, Value) :-
    (   ht_update(Table, Key, _, Value) -> true
    ;   ht_add(Table, Key, Value)
    ).

%!  ht_put_new(!Table, +Key, ?Value) is semidet.
%
%   Fails if the table has Key.

ht_put_new(Table, Key, Value) :-
    \+ ht_get(Table, Key, _),
    ht_add(Table, Key, Value).

%!  ht_put(!Table, +Key, ?Value, ?IfNew, -Old) is det.
%
%   As ht_put/3; Old is what Key had before, or IfNew.

ht_put(Table, Key, Value, IfNew, Old) :-
    (   ht_update(Table, Key, Old0, Value)
    ->  Old = Old0
    ;   Old = IfNew,
        ht_add(Table, Key, Value)
    ).

%!  ht_update(!Table, +Key, ?Old, ?New) is semidet.
%
%   New instead of Old for a key that is in the table; New may be unbound and bound later.

ht_update(Table, Key, Old, New) :-
    must_be(nonvar, Key),
    place(Table, Key, I, Pairs0),
    changed(Pairs0, Key, Old0, New, Pairs),
    Old = Old0,
    arg(2, Table, Buckets),
    setarg(I, Buckets, Pairs).

ht_add(Table, Key, Value) :-
    arg(1, Table, Size0),
    arg(2, Table, Buckets0),
    functor(Buckets0, _, N),
    (   Size0 >= 2*N
    ->  N2 is 4*N,
        buckets(N2, Buckets1),
        setarg(2, Table, Buckets1),
        Buckets0 =.. [_|Lists],
        moved(Lists, Table)
    ;   true
    ),
    place(Table, Key, I, Pairs),
    arg(2, Table, Buckets),
    setarg(I, Buckets, [Key-Value|Pairs]),
    Size is Size0+1,
    setarg(1, Table, Size).

moved([], _).
moved([Pairs|Lists], Table) :-
    moved_pairs(Pairs, Table),
    moved(Lists, Table).

moved_pairs([], _).
moved_pairs([Key-Value|Pairs], Table) :-
    place(Table, Key, I, Pairs0),
    arg(2, Table, Buckets),
    setarg(I, Buckets, [Key-Value|Pairs0]),
    moved_pairs(Pairs, Table).

%!  ht_del(!Table, +Key, -Value) is semidet.

ht_del(Table, Key, Value) :-
    must_be(nonvar, Key),
    place(Table, Key, I, Pairs0),
    ht_without(Pairs0, Key, Value0, Pairs),
    Value = Value0,
    arg(2, Table, Buckets),
    setarg(I, Buckets, Pairs),
    arg(1, Table, Size0),
    Size is Size0-1,
    setarg(1, Table, Size).

%!  ht_gen(+Table, ?Key, ?Value) is nondet.

ht_gen(Table, Key, Value) :-
    ht_pairs(Table, Pairs),
    member(Key-Value, Pairs).

%!  ht_pairs(?Table, ?Pairs) is det.
%
%   The pairs of a table, in no order, or a new table of Pairs; of equal keys the last one counts.

ht_pairs(Table, Pairs) :-
    nonvar(Table), !,
    arg(2, Table, Buckets),
    Buckets =.. [_|Lists],
    append(Lists, Pairs).
ht_pairs(Table, Pairs) :-
    must_be(list(pair), Pairs),
    ht_new(Table),
    put_all(Pairs, Table).

put_all([], _).
put_all([Key-Value|Pairs], Table) :-
    ht_put(Table, Key, Value),
    put_all(Pairs, Table).

%!  ht_keys(+Table, -Keys) is det.
%!  ht_values(+Table, -Values) is det.

ht_keys(Table, Keys) :-
    ht_pairs(Table, Pairs),
    pairs_keys(Pairs, Keys).

ht_values(Table, Values) :-
    ht_pairs(Table, Pairs),
    pairs_values(Pairs, Values).
