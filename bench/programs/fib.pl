% Fibonacci numbers by double recursion: calls that cannot be last calls, and
% integer addition.
% Counted with: fib(34, F) => fib(19, F)

main :-
    fib(34, F),
    format('fib ~w~n', [F]).

fib(N, F) :-
    (   N < 2
    ->  F = N
    ;   A is N-1,
        B is N-2,
        fib(A, FA),
        fib(B, FB),
        F is FA+FB
    ).
