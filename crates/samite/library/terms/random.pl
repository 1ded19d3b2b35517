:- module(random,
          [ random/1,
            random/3,
            random_between/3,
            random_member/2,
            random_select/3,
            random_permutation/2,
            random_perm2/4,
            random_subseq/3,
            randseq/3,
            randset/3,
            random_numlist/4,
            getrand/1,
            setrand/1,
            maybe/0,
            maybe/1,
            maybe/2
          ]).
:- use_module(library(error), [must_be/2, domain_error/2]).

/*  Random numbers and choices.

    As SWI-Prolog's library(random), on the functions random/1 and
    random_float/0 of arithmetic.
*/

%!  random(-Float) is det.
%
%   Float is greater than 0.0 and less than 1.0.

random(Float) :-
    Float is random_float.

%!  random(+Low, +High, -Number) is det.
%
%   Low =< Number < High; an integer if both are, else a float.

random(Low, High, Number) :-
    must_be(number, Low),
    must_be(number, High),
    (   integer(Low),
        integer(High)
    ->  Number is Low+random(High-Low)
    ;   Number is Low+(High-Low)*random_float
    ).

%!  random_between(+Low, +High, -Integer) is semidet.
%
%   Low =< Integer =< High; fails if there is no such Integer.

random_between(Low, High, Integer) :-
    must_be(integer, Low),
    must_be(integer, High),
    High >= Low,
    Integer is Low+random(High-Low+1).

%!  random_member(-Elem, +List) is semidet.
%
%   Elem is an element of List; fails if there is none.

random_member(Elem, List) :-
    must_be(list, List),
    length(List, N),
    N > 0,
    I is random(N),
    element(I, List, Elem).

element(I, [X|Xs], Elem) :-
    (   I =:= 0
    ->  Elem = X
    ;   I1 is I-1,
        element(I1, Xs, Elem)
    ).

%!  random_select(-Elem, +List, -Rest) is semidet.
%
%   Elem is an element of List and Rest is List without it. If List is unbound,
%   it is Rest with Elem at some place.

random_select(Elem, List, Rest) :-
    (   is_list(List)
    ->  length(List, N),
        N > 0,
        I is random(N),
        without(I, List, Elem0, Rest0),
        Elem = Elem0,
        Rest = Rest0
    ;   must_be(list, Rest),
        length(Rest, N),
        I is random(N+1),
        without(I, List, Elem, Rest)
    ).

without(I, List, Elem, Rest) :-
    (   I =:= 0
    ->  List = [Elem|Rest]
    ;   I1 is I-1,
        List = [X|Xs],
        Rest = [X|Rest1],
        without(I1, Xs, Elem, Rest1)
    ).

%!  random_permutation(?Xs, ?Ys) is det.
%
%   Each list has the elements of the other in some order.

random_permutation(Xs, Ys) :-
    (   is_list(Xs)
    ->  shuffle(Xs, Ys)
    ;   is_list(Ys)
    ->  shuffle(Ys, Xs)
    ;   must_be(list, Xs)
    ).

shuffle(Xs, Ys) :-
    random_keys(Xs, Pairs),
    keysort(Pairs, Sorted),
    values(Sorted, Ys).

random_keys([], []).
random_keys([X|Xs], [K-X|Pairs]) :-
    K is random_float,
    random_keys(Xs, Pairs).

values([], []).
values([_-X|Pairs], [X|Xs]) :-
    values(Pairs, Xs).

%!  random_perm2(?A, ?B, -X, -Y) is det.
%
%   X and Y are A and B, or B and A.

random_perm2(A, B, X, Y) :-
    (   maybe
    ->  X = A,
        Y = B
    ;   X = B,
        Y = A
    ).

%!  random_subseq(+List, -Sub, -Rest) is det.
%
%   Sub has each element of List with probability 1/2, Rest the others.

random_subseq([], [], []).
random_subseq([X|Xs], Sub, Rest) :-
    (   maybe
    ->  Sub = [X|Sub1],
        random_subseq(Xs, Sub1, Rest)
    ;   Rest = [X|Rest1],
        random_subseq(Xs, Sub, Rest1)
    ).

%!  randseq(+K, +N, -List) is det.
%
%   List has K different integers from 1 to N in some order.

randseq(K, N, List) :-
    randset(K, N, Set),
    shuffle(Set, List).

%!  randset(+K, +N, -Set) is det.
%
%   Set has K different integers from 1 to N, ordered.

randset(K, N, Set) :-
    must_be(nonneg, K),
    must_be(nonneg, N),
    (   K =< N
    ->  pick(K, N, [], Set)
    ;   domain_error(at_most(N), K)
    ).

%   pick(+K, +N, +Set0, -Set): take N with probability K/N, else skip it.

pick(K, N, Set0, Set) :-
    (   K =:= 0
    ->  Set = Set0
    ;   N1 is N-1,
        (   random(N) < K
        ->  K1 is K-1,
            pick(K1, N1, [N|Set0], Set)
        ;   pick(K, N1, Set0, Set)
        )
    ).

%!  random_numlist(+P, +Low, +High, -List) is det.
%
%   List has each integer from Low to High with probability P.

random_numlist(P, Low, High, List) :-
    must_be(number, P),
    must_be(integer, Low),
    must_be(integer, High),
    numbers(Low, High, P, List).

numbers(I, High, P, List) :-
    (   I > High
    ->  List = []
    ;   I1 is I+1,
        (   maybe(P)
        ->  List = [I|List1],
            numbers(I1, High, P, List1)
        ;   numbers(I1, High, P, List)
        )
    ).

%!  getrand(-State) is det.
%
%   State is a term for setrand/1, after which the random numbers are those that follow now.

getrand(State) :-
    random_property(state(Seed)),
    State = seed(Seed).

%!  setrand(+State) is det.
%
%   Start the random numbers of this thread from State.

setrand(State) :-
    must_be(nonvar, State),
    (   State = seed(Seed)
    ->  true
    ;   Seed = State
    ),
    set_random(seed(Seed)).

%!  maybe is semidet.
%
%   Succeed with probability 1/2.

maybe :-
    random(2) =:= 0.

%!  maybe(+P) is semidet.
%
%   Succeed with probability P.

maybe(P) :-
    must_be(between(0.0, 1.0), P),
    random_float < P.

%!  maybe(+K, +N) is semidet.
%
%   Succeed with probability K/N.

maybe(K, N) :-
    must_be(nonneg, K),
    must_be(positive_integer, N),
    random(N) < K.
