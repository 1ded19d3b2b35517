% A definite clause grammar that scans and parses arithmetic expressions given
% as lists of codes, and a walk that evaluates the trees.
% Counted with: rounds(800, Codes) => rounds(20, Codes)

main :-
    text(60, Codes),
    rounds(800, Codes),
    parse(Codes, Tree),
    value(Tree, V),
    depth(Tree, D),
    format('expr_dcg ~w ~w~n', [V, D]).

rounds(N, Codes) :-
    between(1, N, _),
    parse(Codes, Tree),
    value(Tree, _),
    fail.
rounds(_, _).

% A long sum whose terms come from a short stock of expressions.
text(N, Codes) :-
    atom_codes('(12 + 7*3 - (4 - 9) * 11) * 2', A),
    atom_codes(' + 1000 - 8*(x1 + y) / 3 ', B),
    atom_codes(' - ((((5)))) + -6 * count ', C),
    stock(N, A, B, C, Codes).

stock(0, A, _, _, A) :- !.
stock(N, A, B, C, Codes) :-
    N1 is N-1,
    stock(N1, B, C, A, Rest),
    join(A, Plus, Codes),
    Plus = [0'+|Rest1],
    lead(Rest, Rest1).

% A text may start with an operator, so that the pieces fit together.
lead([0' ,0'+|T], [0' |T]) :- !.
lead([0' ,0'-|T], [0' |T]) :- !.
lead(T, T).

join([], L, L).
join([X|Xs], L, [X|Ys]) :- join(Xs, L, Ys).

parse(Codes, Tree) :-
    tokens(Tokens, Codes, []),
    expr(Tree, Tokens, []), !.

tokens(Ts) --> [C], { blank(C) }, !, tokens(Ts).
tokens([num(N)|Ts]) --> digit(D), !, digits(D, N), tokens(Ts).
tokens([id(A)|Ts]) --> letter(C), !, letters(Cs), { atom_codes(A, [C|Cs]) }, tokens(Ts).
tokens([op(O)|Ts]) --> [C], { operator(C, O) }, !, tokens(Ts).
tokens([]) --> [].

blank(0' ).
blank(0'\t).

digit(D) --> [C], { C >= 0'0, C =< 0'9, D is C-0'0 }.

digits(N0, N) --> digit(D), !, { N1 is N0*10+D }, digits(N1, N).
digits(N, N) --> [].

letter(C) --> [C], { C >= 0'a, C =< 0'z }.

letters([C|Cs]) --> letter(C), !, letters(Cs).
letters([C|Cs]) --> [C], { C >= 0'0, C =< 0'9 }, !, letters(Cs).
letters([]) --> [].

operator(0'+, +).
operator(0'-, -).
operator(0'*, *).
operator(0'/, /).
operator(0'(, open).
operator(0'), close).

expr(T) --> term(T0), expr_rest(T0, T).

expr_rest(T0, T) --> [op(+)], !, term(T1), expr_rest(add(T0, T1), T).
expr_rest(T0, T) --> [op(-)], !, term(T1), expr_rest(sub(T0, T1), T).
expr_rest(T, T) --> [].

term(T) --> factor(T0), term_rest(T0, T).

term_rest(T0, T) --> [op(*)], !, factor(T1), term_rest(mul(T0, T1), T).
term_rest(T0, T) --> [op(/)], !, factor(T1), term_rest(quo(T0, T1), T).
term_rest(T, T) --> [].

factor(num(N)) --> [num(N)].
factor(id(A)) --> [id(A)].
factor(neg(T)) --> [op(-)], factor(T).
factor(T) --> [op(open)], expr(T), [op(close)].

value(num(N), N).
value(id(A), V) :- binding(A, V).
value(neg(A), V) :- value(A, X), V is -X.
value(add(A, B), V) :- value(A, X), value(B, Y), V is X+Y.
value(sub(A, B), V) :- value(A, X), value(B, Y), V is X-Y.
value(mul(A, B), V) :- value(A, X), value(B, Y), V is X*Y.
value(quo(A, B), V) :- value(A, X), value(B, Y), V is X//Y.

binding(x1, 21).
binding(y, 34).
binding(count, 55).

depth(num(_), 1).
depth(id(_), 1).
depth(neg(A), D) :- depth(A, D0), D is D0+1.
depth(add(A, B), D) :- deeper(A, B, D).
depth(sub(A, B), D) :- deeper(A, B, D).
depth(mul(A, B), D) :- deeper(A, B, D).
depth(quo(A, B), D) :- deeper(A, B, D).

deeper(A, B, D) :-
    depth(A, X),
    depth(B, Y),
    ( X >= Y -> D is X+1 ; D is Y+1 ).
