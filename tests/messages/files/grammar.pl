greeting --> "hello", name.
1 --> a.
X --> b.
a --> 1.
b, c --> d.
(c, d) --> e.
:- phrase(greeting, `hello`).
:- phrase(nothing, []).
:- phrase(1, []).
