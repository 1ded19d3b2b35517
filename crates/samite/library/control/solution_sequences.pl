:- module(solution_sequences,
          [ distinct/1,
            distinct/2,
            reduced/1,
            reduced/3,
            limit/2,
            offset/2,
            call_nth/2,
            order_by/2,
            group_by/4
          ]).
:- use_module(library(error),
              [domain_error/2, instantiation_error/1, must_be/2]).
:- use_module(library(nb_set), [add_nb_set/3, empty_nb_set/1]).

/*  Choosing among the solutions of a goal and ordering them.

    As SWI-Prolog's library(solution_sequences). What must survive from one
    solution to the next is kept in a term that nb_setarg/3 changes.
*/

:- meta_predicate
    distinct(0),
    distinct(?, 0),
    reduced(0),
    reduced(?, 0, +),
    limit(+, 0),
    offset(+, 0),
    call_nth(0, ?),
    order_by(?, 0),
    group_by(?, ?, 0, -).

%!  distinct(:Goal) is nondet.
%
%   The solutions of Goal, each one only once.

distinct(Goal) :-
    distinct(Goal, Goal).

%!  distinct(?Witness, :Goal) is nondet.
%
%   The solutions of Goal of which no earlier one had the same Witness.

distinct(Witness, Goal) :-
    term_variables(Witness, Vars),
    empty_nb_set(Seen),
    call(Goal),
    add_nb_set(Vars, Seen, true).

%!  reduced(:Goal) is nondet.
%
%   As distinct/1; a program that uses it would accept some repeats.

reduced(Goal) :-
    distinct(Goal).

%!  reduced(?Witness, :Goal, +Options) is nondet.
%
%   As distinct/2; a program that uses it would accept some repeats.

reduced(Witness, Goal, Options) :-
    must_be(list, Options),
    distinct(Witness, Goal).

%!  limit(+Count, :Goal) is nondet.
%
%   The first Count solutions of Goal; all if Count is the atom infinite or inf.

limit(Count, Goal) :-
    (   ( Count == infinite ; Count == inf )
    ->  call(Goal)
    ;   must_be(integer, Count),
        Count > 0,
        State = count(0),
        call(Goal),
        arg(1, State, N0),
        N is N0+1,
        (   N =:= Count
        ->  !
        ;   nb_setarg(1, State, N)
        )
    ).

%!  offset(+Count, :Goal) is nondet.
%
%   The solutions of Goal after the first Count.

offset(Count, Goal) :-
    must_be(integer, Count),
    (   Count =:= 0
    ->  call(Goal)
    ;   Count < 0
    ->  domain_error(not_less_than_zero, Count)
    ;   State = count(0),
        call(Goal),
        arg(1, State, N0),
        (   N0 < Count
        ->  N is N0+1,
            nb_setarg(1, State, N),
            fail
        ;   true
        )
    ).

%!  call_nth(:Goal, ?Nth) is nondet.
%
%   Solution number Nth of Goal, counted from 1; all of them if Nth is unbound.

call_nth(Goal, Nth) :-
    State = count(0),
    (   var(Nth)
    ->  call(Goal),
        arg(1, State, N0),
        Nth is N0+1,
        nb_setarg(1, State, Nth)
    ;   must_be(integer, Nth),
        (   Nth < 1
        ->  domain_error(not_less_than_one, Nth)
        ;   true
        ),
        call(Goal),
        arg(1, State, N0),
        % (Before it is compared: a goal that waits for a table goes on after the cut.)
        N is N0+1,
        nb_setarg(1, State, N),
        N =:= Nth,
        !
    ).

%!  order_by(+Order, :Goal) is nondet.
%
%   The solutions of Goal ordered by the list Order, of asc(Term) and
%   desc(Term), the most important first.

order_by(Order, Goal) :-
    must_be(list, Order),
    (   Order == []
    ->  domain_error(non_empty_list, Order)
    ;   true
    ),
    order_keys(Order, Keys),
    term_variables(Goal, Vars),
    findall(Keys-Vars, Goal, Solutions0),
    sort_by(Order, 1, Solutions0, Solutions),
    solution_of(Solutions, _-Vars).

order_keys(Order, Keys) :-
    keys_of(Order, List),
    Keys =.. [keys|List].

keys_of([], []).
keys_of([Spec|Order], [Key|Keys]) :-
    (   var(Spec)
    ->  instantiation_error(Spec)
    ;   Spec = asc(Key)
    ->  true
    ;   Spec = desc(Key)
    ->  true
    ;   domain_error(order_specifier, Spec)
    ),
    keys_of(Order, Keys).

%   sort_by(+Order, +I, +Solutions0, -Solutions): sort by the keys from the Ith.
%   Sorting is stable, so the least important key comes first.

sort_by([], _, Solutions, Solutions).
sort_by([Spec|Order], I, Solutions0, Solutions) :-
    I1 is I+1,
    sort_by(Order, I1, Solutions0, Solutions1),
    key_pairs(Solutions1, I, Pairs),
    functor(Spec, Direction, _),
    sort_pairs(Direction, Pairs, Sorted),
    pair_values(Sorted, Solutions).

key_pairs([], _, []).
key_pairs([Keys-Vars|Solutions], I, [Key-(Keys-Vars)|Pairs]) :-
    arg(I, Keys, Key),
    key_pairs(Solutions, I, Pairs).

sort_pairs(asc, Pairs, Sorted) :-
    sort(1, @=<, Pairs, Sorted).
sort_pairs(desc, Pairs, Sorted) :-
    sort(1, @>=, Pairs, Sorted).

pair_values([], []).
pair_values([_-X|Pairs], [X|Xs]) :-
    pair_values(Pairs, Xs).

solution_of([X|Xs], Solution) :-
    solution_of(Xs, X, Solution).

solution_of(_, Solution, Solution).
solution_of([X|Xs], _, Solution) :-
    solution_of(Xs, X, Solution).

%!  group_by(?By, +Template, :Goal, -Bag) is nondet.
%
%   Bag has the instances of Template for the solutions of Goal with the same
%   By, for one By after the other in the standard order.

group_by(By, Template, Goal, Bag) :-
    findall(By-Template, Goal, Pairs),
    keysort(Pairs, Sorted),
    groups(Sorted, Groups),
    solution_of(Groups, By-Bag).

groups([], []).
groups([K-V|Pairs], [K-[V|Vs]|Groups]) :-
    same_witness(Pairs, K, Vs, Rest),
    groups(Rest, Groups).

same_witness([], _, [], []).
same_witness([K1-V|Pairs], K, Vs, Rest) :-
    (   K1 == K
    ->  Vs = [V|Vs1],
        same_witness(Pairs, K, Vs1, Rest)
    ;   Vs = [],
        Rest = [K1-V|Pairs]
    ).
