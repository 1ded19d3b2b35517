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

    The interface is that of SWI-Prolog's library(nb_set). The sets are made
    for nb_setarg/3, which copies what it stores, by the logarithmic method of
    J.L. Bentley and J.B. Saxe, "Decomposable searching problems I",
    J. Algorithms 1(4), 1980: argument I of the set is [] or a balanced tree of
    2^(I-1) elements, so an element is copied once per level.

    Elements are the same if they are variants of each other; they are stored
    with their variables numbered as '$VAR'(N), which makes the order fixed.
*/

levels(40).

%!  empty_nb_set(-Set) is det.
%
%   Set is a new set without elements.

empty_nb_set(Set) :-
    levels(N),
    functor(Set0, nb_set, N),
    clear(1, N, Set0),
    Set = Set0.

clear(I, N, Set) :-
    (   I > N
    ->  true
    ;   nb_setarg(I, Set, []),
        I1 is I+1,
        clear(I1, N, Set)
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
    numbered(Key, Numbered),
    functor(Set, _, Last),
    (   contains(1, Last, Set, Numbered)
    ->  New = false
    ;   New = true,
        nb_set_add(1, Set, [Numbered])
    ).

numbered(Key, Numbered) :-
    (   ground(Key)
    ->  Numbered = Key
    ;   copy_term(Key, Numbered),
        numbervars(Numbered, 0, _)
    ).

contains(I, Last, Set, Key) :-
    (   I =< Last,
        arg(I, Set, Tree),
        (   found(Tree, Key)
        ->  true
        ;   I1 is I+1,
            contains(I1, Last, Set, Key)
        )
    ).

found(n(K,L,R), Key) :-
    compare(Order, Key, K),
    (   Order == (<)
    ->  found(L, Key)
    ;   Order == (>)
    ->  found(R, Key)
    ;   true
    ).

%   nb_set_add(+I, !Set, +Keys): the levels before I are full and their keys are among
%   Keys, an ordered list of as many keys as level I holds.

nb_set_add(I, Set, Keys) :-
    arg(I, Set, Tree),
    (   Tree == []
    ->  length(Keys, N),
        build(N, Keys, _, New),
        nb_setarg(I, Set, New),
        clear_before(I, Set)
    ;   in_order(Tree, Keys0, []),
        nb_set_join(Keys0, Keys, Keys1),
        I1 is I+1,
        nb_set_add(I1, Set, Keys1)
    ).

clear_before(I, Set) :-
    (   I > 1
    ->  I1 is I-1,
        nb_setarg(I1, Set, []),
        clear_before(I1, Set)
    ;   true
    ).

nb_set_join([], Ys, Ys).
nb_set_join([X|Xs], Ys, Zs) :-
    nb_set_join(Ys, X, Xs, Zs).

nb_set_join([], X, Xs, [X|Xs]).
nb_set_join([Y|Ys], X, Xs, Zs) :-
    (   X @< Y
    ->  Zs = [X|Zs1],
        nb_set_join(Xs, Y, Ys, Zs1)
    ;   Zs = [Y|Zs1],
        nb_set_join(Ys, X, Xs, Zs1)
    ).

in_order([], Keys, Keys).
in_order(n(K,L,R), Keys, Rest) :-
    in_order(L, Keys, [K|Keys1]),
    in_order(R, Keys1, Rest).

build(N, Keys, Rest, Tree) :-
    (   N =:= 0
    ->  Rest = Keys,
        Tree = []
    ;   NL is (N-1) >> 1,
        NR is N-1-NL,
        build(NL, Keys, [K|Keys1], L),
        build(NR, Keys1, Rest, R),
        Tree = n(K,L,R)
    ).

%!  nb_set_to_list(+Set, -List) is det.
%
%   List has the elements of Set in the standard order.

nb_set_to_list(Set, List) :-
    must_be(compound, Set),
    functor(Set, _, Last),
    all_keys(1, Last, Set, [], Keys),
    renamed(Keys, List).

all_keys(I, Last, Set, Keys0, Keys) :-
    (   I > Last
    ->  Keys = Keys0
    ;   arg(I, Set, Tree),
        in_order(Tree, Keys1, []),
        nb_set_join(Keys1, Keys0, Keys2),
        I1 is I+1,
        all_keys(I1, Last, Set, Keys2, Keys)
    ).

renamed([], []).
renamed([K|Ks], [X|Xs]) :-
    variables_back(K, X, _),
    renamed(Ks, Xs).

%   variables_back(+Key, -Term, ?Vars): Term has for '$VAR'(N) in Key the
%   variable of the pair N-Var of the open list Vars.

variables_back(Key, Term, Vars) :-
    (   atomic(Key)
    ->  Term = Key
    ;   Key = '$VAR'(N)
    ->  variable(Vars, N, Term)
    ;   functor(Key, Name, Arity),
        functor(Term, Name, Arity),
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
    functor(Set, _, Last),
    size(1, Last, Set, 1, 0, Size).

size(I, Last, Set, Weight, Size0, Size) :-
    (   I > Last
    ->  Size = Size0
    ;   arg(I, Set, Tree),
        (   Tree == []
        ->  Size1 = Size0
        ;   Size1 is Size0+Weight
        ),
        I1 is I+1,
        Weight1 is Weight*2,
        size(I1, Last, Set, Weight1, Size1, Size)
    ).
