:- module(shapes, [area/2, corners/2, name_of//1, perimeter/2, op(700, xfx, ===>)]).

area(square(S), A) :- A is S * S.
area(circle, unknown).

corners(square(_), 4).
corners(circle, 0).

perimeter(square(S), P) :- P is 4 * S.

name_of(Shape) --> [the, Shape].

private(secret).
