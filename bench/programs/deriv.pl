% Symbolic derivation followed by simplification: first-argument switch on
% functors, structure building, shallow choice by cut.
% Counted with: rounds(13000) => rounds(300)

main :-
    rounds(13000),
    findall(S, (sample(_, E), diff(E, x, D), tidy(D, T), size(T, S)), Ss),
    format('deriv ~w~n', [Ss]).

rounds(N) :-
    between(1, N, _),
    sample(_, E),
    diff(E, x, D),
    tidy(D, _),
    fail.
rounds(_).

sample(1, ((x+1) * (x^2+2) * (x^3+3) * (x^4+4))).
sample(2, (x/x/x/x/x/x/x/x)).
sample(3, log(log(log(log(log(log(x))))))).
sample(4, (x*y*x*y*x*y*x*y*x)).
sample(5, (exp(x^2) - sin(3*x) * cos(x/7) + x^5)).

diff(U+V, X, DU+DV) :- !,
    diff(U, X, DU),
    diff(V, X, DV).
diff(U-V, X, DU-DV) :- !,
    diff(U, X, DU),
    diff(V, X, DV).
diff(U*V, X, DU*V+U*DV) :- !,
    diff(U, X, DU),
    diff(V, X, DV).
diff(U/V, X, (DU*V-U*DV)/V^2) :- !,
    diff(U, X, DU),
    diff(V, X, DV).
diff(U^N, X, N*U^M*DU) :-
    integer(N), !,
    M is N-1,
    diff(U, X, DU).
diff(exp(U), X, exp(U)*DU) :- !,
    diff(U, X, DU).
diff(log(U), X, DU/U) :- !,
    diff(U, X, DU).
diff(sin(U), X, cos(U)*DU) :- !,
    diff(U, X, DU).
diff(cos(U), X, -(sin(U)*DU)) :- !,
    diff(U, X, DU).
diff(X, X, 1) :- !.
diff(_, _, 0).

tidy(A+B, R) :- !, tidy(A, X), tidy(B, Y), sum(X, Y, R).
tidy(A-B, R) :- !, tidy(A, X), tidy(B, Y), difference(X, Y, R).
tidy(A*B, R) :- !, tidy(A, X), tidy(B, Y), product(X, Y, R).
tidy(A/B, R) :- !, tidy(A, X), tidy(B, Y), quotient(X, Y, R).
tidy(A^N, R) :- !, tidy(A, X), power(N, X, R).
tidy(-A, -X) :- !, tidy(A, X).
tidy(A, A).

sum(0, Y, Y) :- !.
sum(X, 0, X) :- !.
sum(X, Y, Z) :- integer(X), integer(Y), !, Z is X+Y.
sum(X, Y, X+Y).

difference(X, 0, X) :- !.
difference(X, X, 0) :- !.
difference(X, Y, X-Y).

product(0, _, 0) :- !.
product(_, 0, 0) :- !.
product(1, Y, Y) :- !.
product(X, 1, X) :- !.
product(X, Y, Z) :- integer(X), integer(Y), !, Z is X*Y.
product(X, Y, X*Y).

quotient(0, _, 0) :- !.
quotient(X, 1, X) :- !.
quotient(X, Y, X/Y).

power(0, _, 1) :- !.
power(1, X, X) :- !.
power(N, X, X^N).

size(A+B, N) :- !, size(A, X), size(B, Y), N is X+Y+1.
size(A-B, N) :- !, size(A, X), size(B, Y), N is X+Y+1.
size(A*B, N) :- !, size(A, X), size(B, Y), N is X+Y+1.
size(A/B, N) :- !, size(A, X), size(B, Y), N is X+Y+1.
size(A^_, N) :- !, size(A, X), N is X+1.
size(-A, N) :- !, size(A, X), N is X+1.
size(_, 1).
