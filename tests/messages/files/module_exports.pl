:- module(module_exports, [p/1, X, foo, q/a, _/1, r/(-1), op(X, xfx, x), op(700, yyy, y), op(700, xfx, ===>), q/1]).
p(1 ===> 2).
q(1).
:- p(X), q(Y), writeq(X-Y), nl.
:- module_property(module_exports, exports(L)), msort(L, S), writeq(S), nl.
