% A multiplication puzzle in which every digit is known only to be odd or even:
%
%        o e e
%      x   e e
%      -------
%      e o e e
%      e o e
%      -------
%      o o e e
%
% Integer arithmetic (*, //, mod) in a generate-and-test search.
% Counted with: rounds(1000) => rounds(20)

main :-
    rounds(1000),
    findall(A*B, solve(A, B), L),
    format('crypt ~w~n', [L]).

rounds(N) :-
    between(1, N, _),
    solve(_, _),
    fail.
rounds(_).

solve(Upper, Lower) :-
    odd(A), even(B), even(C),
    Upper is A*100+B*10+C,
    even(E),
    P1 is Upper*E,
    shape([e,o,e,e], P1),
    even(D),
    D > 0,
    P2 is Upper*D,
    shape([e,o,e], P2),
    Total is P1+P2*10,
    shape([o,o,e,e], Total),
    Lower is D*10+E.

% shape(+Parities, +Number): the digits from the left are as listed, the first
% is not zero.
shape(Ps, N) :-
    turn(Ps, [], Qs),
    shape_(Qs, N).

shape_([P], N) :- !,
    N > 0, N < 10,
    digit(P, N).
shape_([P|Ps], N) :-
    N >= 10,
    D is N mod 10,
    digit(P, D),
    M is N//10,
    shape_(Ps, M).

turn([], R, R).
turn([P|Ps], R0, R) :- turn(Ps, [P|R0], R).

digit(o, D) :- odd(D), !.
digit(e, D) :- even(D), !.

odd(1). odd(3). odd(5). odd(7). odd(9).

even(0). even(2). even(4). even(6). even(8).
