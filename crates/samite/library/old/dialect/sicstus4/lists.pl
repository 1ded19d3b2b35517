:- module(sicstus4_lists,
          [ keys_and_values/3, shorter_list/2, append_length/3, append_length/4, prefix_length/3, proper_prefix_length/3, suffix_length/3, proper_suffix_length/3,
            sublist/3, sublist/4, sublist/5, cons/3, last/3, head/2, tail/2, prefix/2, proper_prefix/2, suffix/2, proper_suffix/2, rev/2, remove_dups/2,
            subseq/3, subseq0/2, subseq1/2, scanlist/4, scanlist/5, scanlist/6, same_length/3, sumlist/2, transpose/2
          ]).
:- use_module(library(clpfd), [transpose/2]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [append/3, reverse/2, sum_list/2]).

/*  SICStus Prolog's library(lists), version 4: what library(lists) does not have, or with other arguments. The other predicates of lists are found where they are.

    A length that is known makes the list of that length first, so that a call ends where SWI-Prolog's emulation goes on looking for longer ones.  */

:- meta_predicate scanlist(3, +, ?, ?), scanlist(4, +, +, ?, ?), scanlist(5, +, +, +, ?, ?).

%!  keys_and_values(?Pairs, ?Keys, ?Values) is nondet.

keys_and_values([], [], []).
keys_and_values([K-V|Pairs], [K|Ks], [V|Vs]) :-
    keys_and_values(Pairs, Ks, Vs).

%!  shorter_list(?Short, ?Long) is nondet.

shorter_list([], [_|_]).
shorter_list([_|Short], [_|Long]) :-
    shorter_list(Short, Long).

%!  append_length(?Suffix, ?List, ?Length) is nondet.
%!  append_length(?Prefix, ?Suffix, ?List, ?Length) is nondet.
%
%   List is Prefix, which has Length elements, and then Suffix.

append_length(Suffix, List, Length) :-
    append_length(_, Suffix, List, Length).

append_length(Prefix, Suffix, List, Length) :-
    (   var(Length)
    ->  append(Prefix, Suffix, List),
        length(Prefix, Length)
    ;   of_length(Prefix, Length),
        append(Prefix, Suffix, List)
    ).

of_length(List, Length) :-
    must_be(integer, Length),
    ( Length < 0 -> domain_error(not_less_than_zero, Length) ; true ),
    length(List, Length).

%!  prefix_length(?List, ?Prefix, ?Length) is nondet.
%!  proper_prefix_length(?List, ?Prefix, ?Length) is nondet.
%
%   The shortest first. A proper one is not all of List.

prefix_length(List, Prefix, Length) :-
    append_length(Prefix, _, List, Length).

proper_prefix_length(List, Prefix, Length) :-
    append_length(Prefix, [_|_], List, Length).

%!  suffix_length(?List, ?Suffix, ?Length) is nondet.
%!  proper_suffix_length(?List, ?Suffix, ?Length) is nondet.
%
%   The longest first.

suffix_length(List, Suffix, Length) :-
    behind(_, List, Suffix, Length).

proper_suffix_length(List, Suffix, Length) :-
    behind([_|_], List, Suffix, Length).

behind(Prefix, List, Suffix, Length) :-
    (   var(Length)
    ->  append(Prefix, Suffix, List),
        length(Suffix, Length)
    ;   of_length(Suffix, Length),
        (   is_list(List)
        ->  length(List, Whole),
            Before is Whole-Length,
            Before >= 0,
            length(Prefix, Before)
        ;   true
        ),
        append(Prefix, Suffix, List)
    ).

%!  sublist(?Whole, ?Part, ?Before) is nondet.
%!  sublist(?Whole, ?Part, ?Before, ?Length) is nondet.
%!  sublist(?Whole, ?Part, ?Before, ?Length, ?After) is nondet.
%
%   Part are Length elements of Whole that stand together, with Before of them before, and After behind it.

sublist(Whole, Part, Before) :-
    sublist(Whole, Part, Before, _).

sublist(Whole, Part, Before, Length) :-
    append_length(Rest, Whole, Before),
    append_length(Part, _, Rest, Length).

sublist(Whole, Part, Before, Length, After) :-
    ( var(After) -> true ; of_length(Behind, After) ),
    append_length(Rest, Whole, Before),
    append_length(Part, Behind, Rest, Length),
    ( var(After) -> length(Behind, After) ; true ).

%!  cons(?Head, ?Tail, ?List) is det.
%!  head(?List, ?Head) is semidet.
%!  tail(?List, ?Tail) is semidet.

cons(Head, Tail, [Head|Tail]).
head([Head|_], Head).
tail([_|Tail], Tail).

%!  last(?Front, ?Last, ?List) is nondet.
%
%   List is Front, and then Last.

last(Front, Last, [X|Xs]) :-
    last_of(Xs, Front, X, Last).

last_of([], [], Last, Last).
last_of([Y|Ys], [X|Front], X, Last) :-
    last_of(Ys, Front, Y, Last).

%!  prefix(?List, ?Prefix) is nondet.
%!  proper_prefix(?List, ?Prefix) is nondet.
%
%   The shortest first.

prefix(_, []).
prefix([X|List], [X|Prefix]) :-
    prefix(List, Prefix).

proper_prefix([_|_], []).
proper_prefix([X|List], [X|Prefix]) :-
    proper_prefix(List, Prefix).

%!  suffix(?List, ?Suffix) is nondet.
%!  proper_suffix(?List, ?Suffix) is nondet.
%
%   The longest first.

suffix(List, List).
suffix([_|List], Suffix) :-
    suffix(List, Suffix).

proper_suffix([_|List], Suffix) :-
    suffix(List, Suffix).

%!  rev(+List, -Reversed) is det.

rev(List, Reversed) :-
    reverse(List, Reversed).

%!  remove_dups(+List, -Set) is det.
%
%   The first ones of those that are the same.

remove_dups(List, Set) :-
    lists:list_to_set(List, Set).

%!  subseq(?Sequence, ?Part, ?Rest) is nondet.
%!  subseq0(?Sequence, ?Part) is nondet.
%!  subseq1(?Sequence, ?Part) is nondet.
%
%   Part are some elements of Sequence in their order, each choice of them once, and Rest the others; for subseq1/2 there are such.

subseq(Sequence, [], Sequence).
subseq(Sequence, [X|Part], Rest) :-
    picked(Sequence, X, Sequence1, Rest, Rest1),
    subseq(Sequence1, Part, Rest1).

picked([X|Sequence], X, Sequence, Rest, Rest).
picked([Y|Sequence0], X, Sequence, [Y|Rest0], Rest) :-
    picked(Sequence0, X, Sequence, Rest0, Rest).

subseq0(Sequence, Part) :-
    subseq(Sequence, Part, _).

subseq1(Sequence, Part) :-
    subseq(Sequence, Part, [_|_]).

%!  scanlist(:Goal, +List, ?V0, ?V) is nondet.
%!  scanlist(:Goal, +List1, +List2, ?V0, ?V) is nondet.
%!  scanlist(:Goal, +List1, +List2, +List3, ?V0, ?V) is nondet.
%
%   As foldl/4,5,6.

scanlist(Goal, List, V0, V) :- foldl(Goal, List, V0, V).
scanlist(Goal, List1, List2, V0, V) :- foldl(Goal, List1, List2, V0, V).
scanlist(Goal, List1, List2, List3, V0, V) :- foldl(Goal, List1, List2, List3, V0, V).

%!  same_length(?A, ?B, ?Length) is nondet.

same_length(A, B, Length) :-
    lists:same_length(A, B),
    length(A, Length).

%!  sumlist(+List, -Sum) is det.

sumlist(List, Sum) :- sum_list(List, Sum).
