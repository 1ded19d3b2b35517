% Big integers: factorials, Fibonacci numbers, powers under a modulus, greatest
% common divisors by Euclid and conversion to decimal digits.
% Counted with: rounds(250) => rounds(4)

main :-
    rounds(250),
    work(A, B, C, D),
    format('bigint ~w ~w ~w ~w~n', [A, B, C, D]).

rounds(N) :-
    between(1, N, _),
    work(_, _, _, _),
    fail.
rounds(_).

work(A, B, C, D) :-
    factorial(1000, 1, F),
    digit_sum(F, A),
    fib(6000, 0, 1, G),
    digit_sum(G, B),
    P is 2**521-1,
    power(3, 65537*1000003, P, 1, Q),
    C is Q mod 1000003,
    H is F // 2**400,
    euclid(H, G, E),
    D is E mod 1000003.

factorial(0, F, F) :- !.
factorial(N, F0, F) :-
    F1 is F0*N,
    M is N-1,
    factorial(M, F1, F).

fib(0, A, _, A) :- !.
fib(N, A, B, F) :-
    C is A+B,
    M is N-1,
    fib(M, B, C, F).

power(Base, Expr, P, R0, R) :-
    E is Expr,
    power_(E, Base, P, R0, R).

power_(0, _, _, R, R) :- !.
power_(E, B, P, R0, R) :-
    (   E /\ 1 =:= 1
    ->  R1 is R0*B mod P
    ;   R1 = R0
    ),
    B1 is B*B mod P,
    E1 is E >> 1,
    power_(E1, B1, P, R1, R).

euclid(A, 0, A) :- !.
euclid(A, B, G) :-
    C is A mod B,
    euclid(B, C, G).

digit_sum(N, S) :-
    number_codes(N, Cs),
    digits(Cs, 0, S).

digits([], S, S).
digits([C|Cs], S0, S) :-
    S1 is S0+C-0'0,
    digits(Cs, S1, S).
