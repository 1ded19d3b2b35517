:- module(nb_set,
          [ empty_nb_set/1,
            add_nb_set/2,
            add_nb_set/3,
            gen_nb_set/2,
            size_nb_set/2,
            nb_set_to_list/2
          ]).
:- use_module(library(error), [must_be/2]).

/*  Sets that keep their elements on backtracking.

    The interface is that of SWI-Prolog's library(nb_set). A set is
    nb_set(Buckets, Size), changed by nb_setarg/3, which copies what it stores.
    Buckets has a power of two of arguments, each the list of the elements whose
    hash is that argument's number, modulo how many there are; when there are
    more elements than arguments, it is replaced by one of twice as many, whose
    lists are halves of the ones before.

    Elements are the same if they are variants of each other. A ground one is
    kept as it is; another as '$nb_set_key'(Copy), where '$nb_set_var'(N) stands
    for the variables of Copy in their order. So the lists are compared with ==.
*/

%!  empty_nb_set(-Set) is det.
%
%   Set is a new set without elements.

empty_nb_set(Set) :-
    functor(Buckets, buckets, 16),
    no_elements(16, Buckets),
    Set = nb_set(Buckets, 0).

no_elements(I, Buckets) :-
    (   I > 0
    ->  arg(I, Buckets, []),
        I1 is I-1,
        no_elements(I1, Buckets)
    ;   true
    ).

%!  add_nb_set(+Key, !Set) is det.
%
%   Set has a copy of Key from now on.

add_nb_set(Key, Set) :-
    add_nb_set(Key, Set, _).

%!  add_nb_set(+Key, !Set, ?New) is semidet.
%
%   As add_nb_set/2; New is true if Key was not in Set and false if it was. If
%   New is false on call, nothing is added.

add_nb_set(Key, Set, New) :-
    arg(1, Set, Buckets),
    functor(Buckets, _, N),
    as_kept(Key, Kept),
    term_hash(Kept, Hash),
    I is (Hash /\ (N-1)) + 1,
    arg(I, Buckets, Bucket),
    (   has_kept(Bucket, Kept)
    ->  New = false
    ;   New = true,
        nb_setarg(I, Buckets, [Kept|Bucket]),
        arg(2, Set, Size0),
        Size is Size0+1,
        nb_setarg(2, Set, Size),
        (   Size > N
        ->  twice_as_many(N, Buckets, New2),
            nb_setarg(1, Set, New2)
        ;   true
        )
    ).

as_kept(Key, Kept) :-
    (   ground(Key)
    ->  Kept = Key
    ;   copy_term_nat(Key, Copy),
        numbervars(Copy, 0, _, [functor_name('$nb_set_var')]),
        Kept = '$nb_set_key'(Copy)
    ).

has_kept([X|Xs], Kept) :-
    (   X == Kept
    ->  true
    ;   has_kept(Xs, Kept)
    ).

%   twice_as_many(+N, +Buckets0, -Buckets): what is in argument I of the N of
%   Buckets0 is in I or in I+N of Buckets.

twice_as_many(N, Buckets0, Buckets) :-
    N2 is 2*N,
    functor(Buckets, buckets, N2),
    halves(N, N, Buckets0, Buckets).

halves(I, N, Buckets0, Buckets) :-
    (   I > 0
    ->  arg(I, Buckets0, Bucket),
        J is I+N,
        arg(I, Buckets, Low),
        arg(J, Buckets, High),
        half(Bucket, N, Low, High),
        I1 is I-1,
        halves(I1, N, Buckets0, Buckets)
    ;   true
    ).

half([], _, [], []).
half([X|Xs], N, Low, High) :-
    term_hash(X, Hash),
    (   Hash /\ N =:= 0
    ->  Low = [X|Low1],
        half(Xs, N, Low1, High)
    ;   High = [X|High1],
        half(Xs, N, Low, High1)
    ).

%!  nb_set_to_list(+Set, -List) is det.
%
%   List has the elements of Set in the standard order.

nb_set_to_list(Set, List) :-
    must_be(compound, Set),
    arg(1, Set, Buckets),
    functor(Buckets, _, N),
    all_keys(N, Buckets, [], Keys),
    sort(Keys, List).

all_keys(I, Buckets, Keys0, Keys) :-
    (   I > 0
    ->  arg(I, Buckets, Bucket),
        keys_back(Bucket, Keys0, Keys1),
        I1 is I-1,
        all_keys(I1, Buckets, Keys1, Keys)
    ;   Keys = Keys0
    ).

keys_back([], Keys, Keys).
keys_back([X|Xs], Keys0, Keys) :-
    (   X = '$nb_set_key'(Copy)
    ->  variables_back(Copy, Key, _)
    ;   Key = X
    ),
    keys_back(Xs, [Key|Keys0], Keys).

%   variables_back(+Key, -Term, ?Vars): Term has for '$nb_set_var'(N) in Key the
%   variable of the pair N-Var of the open list Vars.

variables_back(Key, Term, Vars) :-
    (   atomic(Key)
    ->  Term = Key
    ;   Key = '$nb_set_var'(N)
    ->  variable(Vars, N, Term)
    ;   compound_name_arity(Key, Name, Arity),
        compound_name_arity(Term, Name, Arity),
        arguments_back(1, Arity, Key, Term, Vars)
    ).

arguments_back(I, Arity, Key, Term, Vars) :-
    (   I > Arity
    ->  true
    ;   arg(I, Key, K),
        arg(I, Term, T),
        variables_back(K, T, Vars),
        I1 is I+1,
        arguments_back(I1, Arity, Key, Term, Vars)
    ).

variable(Vars, N, Var) :-
    (   var(Vars)
    ->  Vars = [N-Var|_]
    ;   Vars = [N0-Var0|Vars1],
        (   N0 == N
        ->  Var = Var0
        ;   variable(Vars1, N, Var)
        )
    ).

%!  gen_nb_set(+Set, -Key) is nondet.
%
%   Key is an element of Set as it is now, in the standard order.

gen_nb_set(Set, Key) :-
    nb_set_to_list(Set, List),
    nb_set_one(List, Key).

nb_set_one([X|Xs], Key) :-
    nb_set_one(Xs, X, Key).

nb_set_one(_, Key, Key).
nb_set_one([X|Xs], _, Key) :-
    nb_set_one(Xs, X, Key).

%!  size_nb_set(+Set, -Size) is det.
%
%   Size is the number of elements of Set.

size_nb_set(Set, Size) :-
    must_be(compound, Set),
    arg(2, Set, Size0),
    Size = Size0.
