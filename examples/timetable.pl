/*  A timetable by constraints: lectures, rooms and what people wish, by
    library(clpfd).

        samite examples/timetable.pl

    Each lecture gets one of the hours 1 to 6. Whoever gives two of them, or hears
    two, does so at different hours; there are two rooms. Of all that is possible
    the first that is shown ends soonest, and breaks the fewest wishes: wishes are
    constraints whose truth is a number.
*/

:- use_module(library(clpfd)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(pairs)).

:- initialization(main, main).

%   lecture(Name, Lecturer, Class)
lecture(logic,      ada,   first).
lecture(algebra,    emmy,  first).
lecture(analysis,   sonja, first).
lecture(automata,   ada,   second).
lecture(geometry,   emmy,  second).
lecture(numbers,    sonja, second).
lecture(philosophy, hypatia, both).

%   wish(Person, Hour): not at this hour.
wish(ada, 1).
wish(emmy, 3).
wish(hypatia, 4).

main :-
    findall(lecture(N, L, C), lecture(N, L, C), Lectures),
    length(Lectures, Count),
    length(Hours, Count),
    Hours ins 1..6,
    pairs_keys_values(Pairs, Lectures, Hours),
    apart(Pairs),
    maplist(task, Hours, Tasks),
    cumulative(Tasks, [limit(2)]),
    End in 1..6,
    maplist(not_behind(End), Hours),
    findall(P-H, wish(P, H), Wishes),
    broken(Wishes, Pairs, Truths),
    sum(Truths, #=, Broken),
    once(labeling([min(End), min(Broken)], [End,Broken|Hours])),
    format("~d hours, ~d wishes broken~n", [End, Broken]),
    forall(between(1, End, Hour), show(Hour, Pairs)).

task(Hour, task(Hour, 1, _, 1, _)).

not_behind(End, Hour) :-
    Hour #=< End.

%   Who is in both lectures is not in two places.
apart([]).
apart([Pair|Pairs]) :-
    maplist(apart(Pair), Pairs),
    apart(Pairs).

apart(lecture(_, L1, C1)-H1, lecture(_, L2, C2)-H2) :-
    (   ( L1 == L2 ; C1 == C2 ; C1 == both ; C2 == both )
    ->  H1 #\= H2
    ;   true
    ).

broken([], _, []).
broken([Person-Hour|Wishes], Pairs, Truths) :-
    findall(N, lecture(N, Person, _), Names),
    broken(Names, Hour, Pairs, Truths, Truths1),
    broken(Wishes, Pairs, Truths1).

broken([], _, _, Truths, Truths).
broken([Name|Names], Hour, Pairs, [B|Truths], Rest) :-
    memberchk(lecture(Name, _, _)-H, Pairs),
    B #<==> H #= Hour,
    broken(Names, Hour, Pairs, Truths, Rest).

show(Hour, Pairs) :-
    findall(Name, member(lecture(Name, _, _)-Hour, Pairs), Names),
    atomic_list_concat(Names, ', ', Text),
    format("~d: ~w~n", [Hour, Text]).
