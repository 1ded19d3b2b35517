/*  Coroutines: goals that wait for variables: freeze/2, when/2, dif/2.

        samite examples/coroutines.pl

    1. A producer and a consumer: the list grows when somebody looks at it, so
       that primes, and Hamming's numbers, are lists without end.  Hamming's
       problem (all 2^i * 3^j * 5^k in order) is the one that Dijkstra made known
       in "A Discipline of Programming" (1976); the list is made from itself.
    2. Relations that wait until enough is known, and then run in any direction:
       temperatures, and a sum in which one number is missing.
    3. A test before what it tests: a puzzle with knights, who never lie, and
       knaves, who always do (R. Smullyan, "What Is the Name of This Book?",
       1978), and colours for a map.  Constraints are stated first; guesses that
       break them are cut off at once.
*/

:- use_module(library(lists)).
:- use_module(library(apply)).

:- initialization(main, main).

main :-
    primes(Primes),
    take(15, Primes, First),
    format("primes: ~w~n", [First]),
    hamming(Hamming),
    take(20, Hamming, Smooth),
    format("Hamming: ~w~n", [Smooth]),
    missing,
    knights,
    map.

%!  take(+N, ?List, -Prefix) is det.
%
%   Prefix are the first N elements of List: to look at an element of a list
%   that grows is what makes it grow.

take(N, List, Prefix) :-
    length(Prefix, N),
    append(Prefix, _, List).

                /*******************************
                *      LISTS WITHOUT END       *
                *******************************/

%!  primes(-Primes) is det.
%
%   The sieve of Eratosthenes: a filter for each prime that has been seen.

primes(Primes) :-
    integers(2, Integers),
    sieve(Integers, Primes).

integers(N, List) :-
    freeze(List, produce(N, List)).

produce(N, [N|Rest]) :-
    Next is N+1,
    integers(Next, Rest).

sieve(Candidates, Primes) :-
    freeze(Primes, sift(Candidates, Primes)).

sift([P|Candidates], [P|Primes]) :-
    remove_multiples(P, Candidates, Rest),
    sieve(Rest, Primes).

remove_multiples(P, In, Out) :-
    freeze(Out, next_not_multiple(P, In, Out)).

next_not_multiple(P, [N|In], Out) :-
    (   N mod P =:= 0
    ->  next_not_multiple(P, In, Out)
    ;   Out = [N|Rest],
        remove_multiples(P, In, Rest)
    ).

%!  hamming(-List) is det.
%
%   1, and what comes of multiplying members of this very list by 2, 3 and 5.

hamming([1|Rest]) :-
    times(2, [1|Rest], Twos),
    times(3, [1|Rest], Threes),
    times(5, [1|Rest], Fives),
    merge(Twos, Threes, Some),
    merge(Some, Fives, Rest).

times(Factor, In, Out) :-
    freeze(Out, multiply(Factor, In, Out)).

multiply(Factor, [N|In], [M|Out]) :-
    M is N*Factor,
    times(Factor, In, Out).

%   In order, and without doubles.
merge(As, Bs, Out) :-
    freeze(Out, merged(As, Bs, Out)).

merged([A|As], [B|Bs], [Least|Out]) :-
    compare(Order, A, B),
    (   Order = (<)
    ->  Least = A,
        merge(As, [B|Bs], Out)
    ;   Order = (>)
    ->  Least = B,
        merge([A|As], Bs, Out)
    ;   Least = A,
        merge(As, Bs, Out)
    ).

                /*******************************
                *     WHEN ENOUGH IS KNOWN     *
                *******************************/

%!  plus_when_known(?A, ?B, ?C) is det.
%
%   A + B =:= C, as soon as two of them are there.

plus_when_known(A, B, C) :-
    when((ground(A-B) ; ground(A-C) ; ground(B-C)), add(A, B, C)).

add(A, B, C) :-
    (   var(C) -> C is A+B
    ;   var(B) -> B is C-A
    ;   A is C-B
    ).

%!  celsius_fahrenheit(?C, ?F) is det.

celsius_fahrenheit(C, F) :-
    when((nonvar(C) ; nonvar(F)), convert(C, F)).

convert(C, F) :-
    (   nonvar(C)
    ->  F is C*9 rdiv 5 + 32
    ;   C is (F-32)*5 rdiv 9
    ).

%   The last number comes first: what waits for it runs backwards.
missing :-
    plus_when_known(A, 8, B),
    plus_when_known(B, 30, C),
    C = 42,
    format("~d + 8 = ~d, ~d + 30 = ~d~n", [A, B, B, C]),
    celsius_fahrenheit(X, 50),
    celsius_fahrenheit(100, Y),
    format("50 F = ~d C, 100 C = ~d F~n", [X, Y]).

                /*******************************
                *     TESTS BEFORE GUESSES     *
                *******************************/

%!  says(?Kind, :Condition, +Variables) is semidet.
%
%   Who is of Kind states Condition: tested when all Variables are bound.

says(Kind, Condition, Variables) :-
    when(ground(Kind-Variables), consistent(Kind, Condition)).

consistent(knight, Condition) :- call(Condition).
consistent(knave, Condition)  :- \+ call(Condition).

%   A says: "All of us are knaves", B says: "Exactly one of us is a knight."
knights :-
    Islanders = [A, B, C],
    says(A, Islanders = [knave, knave, knave], Islanders),
    says(B, knights_among(Islanders, 1), Islanders),
    findall(Islanders, maplist(kind, Islanders), Solutions),
    length(Solutions, Count),
    (   Solutions = [[A, B, C]]
    ->  format("A is a ~w, B a ~w, C a ~w~n", [A, B, C])
    ;   format("~d solutions~n", [Count])
    ).

kind(knight).
kind(knave).

knights_among(Islanders, Count) :-
    include(==(knight), Islanders, Knights),
    length(Knights, Count).

%   Austria and its neighbours; who has a border has another colour.
map :-
    Countries = [austria-A, czechia-C, germany-D, hungary-H,
                 italy-I, liechtenstein-L, slovakia-K, slovenia-S,
                 switzerland-W],
    maplist(dif(A), [C, D, H, I, L, K, S, W]),
    maplist(dif(W), [D, I, L]),
    maplist(dif(K), [C, H]),
    maplist(dif(S), [H, I]),
    dif(C, D),
    once(maplist(coloured, Countries)),
    forall(member(Country-Colour, Countries),
           format("~w: ~w~n", [Country, Colour])).

coloured(_-Colour) :-
    member(Colour, [red, green, blue, yellow]).
