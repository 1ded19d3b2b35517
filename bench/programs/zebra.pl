% The five houses puzzle: unification of structures and shallow backtracking
% through list membership, no arithmetic.
% Counted with: rounds(6500) => rounds(150)

main :-
    rounds(6500),
    puzzle(Zebra, Water),
    format('zebra ~w ~w~n', [Zebra, Water]).

rounds(N) :-
    between(1, N, _),
    puzzle(_, _),
    fail.
rounds(_).

% house(Colour, Nation, Pet, Drink, Smoke), from left to right.
puzzle(Zebra, Water) :-
    Street = [house(_, norwegian, _, _, _), _, house(_, _, _, milk, _), _, _],
    on(house(red, english, _, _, _), Street),
    right_of(house(green, _, _, _, _), house(ivory, _, _, _, _), Street),
    beside(house(_, norwegian, _, _, _), house(blue, _, _, _, _), Street),
    on(house(yellow, _, _, _, kools), Street),
    on(house(_, spanish, dog, _, _), Street),
    on(house(green, _, _, coffee, _), Street),
    on(house(_, ukrainian, _, tea, _), Street),
    on(house(_, _, _, orange_juice, luckies), Street),
    on(house(_, japanese, _, _, parliaments), Street),
    on(house(_, _, snails, _, winstons), Street),
    beside(house(_, _, _, _, chesterfields), house(_, _, fox, _, _), Street),
    beside(house(_, _, _, _, kools), house(_, _, horse, _, _), Street),
    on(house(_, Zebra, zebra, _, _), Street),
    on(house(_, Water, _, water, _), Street).

on(X, [X|_]).
on(X, [_|Ys]) :-
    on(X, Ys).

right_of(R, L, [L,R|_]).
right_of(R, L, [_|Hs]) :-
    right_of(R, L, Hs).

beside(A, B, Hs) :- right_of(A, B, Hs).
beside(A, B, Hs) :- right_of(B, A, Hs).
