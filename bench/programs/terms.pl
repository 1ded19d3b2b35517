% Terms as data: copy_term/2 with shared variables, compare/3 and ==/2 on equal
% structures, sort/2, msort/2 and keysort/2, =../2, functor/3 and arg/3.
% Counted with: items(6000, 271828, Ts) => items(300, 271828, Ts)
% Counted with: rounds(38, Ts) => rounds(6, Ts)

main :-
    items(6000, 271828, Ts),
    rounds(38, Ts),
    work(Ts, A, B, C, D),
    format('terms ~w ~w ~w ~w~n', [A, B, C, D]).

rounds(N, Ts) :-
    between(1, N, _),
    work(Ts, _, _, _, _),
    fail.
rounds(_, _).

work(Ts, A, B, C, D) :-
    msort(Ts, Ms),
    sort(Ts, Ss),
    length(Ss, A),
    keys(Ts, Ks),
    keysort(Ks, Sorted),
    mixed(Sorted, 0, B),
    copy_term(Ms, Copy),
    ( Copy == Ms -> E = 1 ; E = 2 ),
    adjacent(Copy, 0, C0),
    C is C0*10+E,
    open_terms(400, 0, O),
    turned(Ss, Us),
    mixed_terms(Us, O, D).

items(0, _, []) :- !.
items(N, S0, [T|Ts]) :-
    S1 is S0*16807 mod 2147483647,
    A is S1 mod 50,
    B is S1 // 50 mod 40,
    K is S1 // 2000 mod 4,
    item(K, A, B, T),
    M is N-1,
    items(M, S1, Ts).

item(0, A, B, f(A, B)).
item(1, A, B, g([A,B], h(A))).
item(2, A, B, f(A, [x, y, B])).
item(3, A, B, tree(node(A), nil, node(B))).

keys([], []).
keys([T|Ts], [N-T|Ks]) :-
    functor(T, _, N0),
    arg(1, T, X),
    weight(X, W),
    N is W*4+N0,
    keys(Ts, Ks).

weight(X, X) :- integer(X), !.
weight([X|_], X) :- !.
weight(node(X), X).

mixed([], H, H).
mixed([K-_|L], H0, H) :-
    H1 is (H0*31+K) mod 1000003,
    mixed(L, H1, H).

adjacent([_], N, N) :- !.
adjacent([X,Y|L], N0, N) :-
    compare(O, X, Y),
    ( O = (=) -> N1 is N0+1 ; N1 = N0 ),
    adjacent([Y|L], N1, N).

% A term with many shared variables, copied and unified with its copy.
open_terms(0, H, H) :- !.
open_terms(N, H0, H) :-
    T = p(X, Y, [X,Y,Z|W], q(Z, W, r(X, s(Y), t(Z)))),
    copy_term(T, U),
    copy_term(U, V),
    U = V,
    U = p(1, 2, [_,_,3|_], _),
    V = p(A, B, [_,_,C|[]], q(_, _, r(_, _, t(D)))),
    H1 is (H0*3+A+B+C+D) mod 1000003,
    M is N-1,
    open_terms(M, H1, H).

turned([], []).
turned([T|Ts], [U|Us]) :-
    T =.. [F|As],
    turn(As, [], Bs),
    U =.. [F|Bs],
    turned(Ts, Us).

turn([], R, R).
turn([X|Xs], R0, R) :-
    turn(Xs, [X|R0], R).

mixed_terms([], H, H).
mixed_terms([T|Ts], H0, H) :-
    functor(T, F, N),
    atom_length(F, L),
    arg(N, T, X),
    weight(X, W),
    H1 is (H0*31+W*5+N*3+L) mod 1000003,
    mixed_terms(Ts, H1, H).
