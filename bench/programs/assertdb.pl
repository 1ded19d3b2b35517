% The dynamic database: a counter kept by retract and assert, a table of memoised
% results, a queue of facts consumed under the logical update view.
% Counted with: count_up(300000, C) => count_up(8000, C)
% Counted with: memo_sum(30000, M) => memo_sum(1000, M)
% Counted with: jobs(40000, J) => jobs(1000, J)

:- dynamic(counter/1).
:- dynamic(memo/2).
:- dynamic(job/2).
:- dynamic(edge/2).

main :-
    count_up(300000, C),
    memo_sum(30000, M),
    jobs(40000, J),
    joined(4000, E),
    format('assertdb ~w ~w ~w ~w~n', [C, M, J, E]).

count_up(N, C) :-
    retractall(counter(_)),
    assertz(counter(0)),
    (   between(1, N, _),
        bump,
        fail
    ;   true
    ),
    counter(C).

bump :-
    retract(counter(A)), !,
    B is A+1,
    assertz(counter(B)).

% Collatz lengths, remembered in facts.
memo_sum(N, Sum) :-
    retractall(memo(_, _)),
    assertz(memo(1, 1)),
    memo_sum(1, N, 0, Sum).

memo_sum(I, N, S, S) :-
    I > N, !.
memo_sum(I, N, S0, S) :-
    steps(I, L),
    S1 is S0+L,
    I1 is I+1,
    memo_sum(I1, N, S1, S).

steps(X, L) :-
    memo(X, L0), !,
    L = L0.
steps(X, L) :-
    (   X mod 2 =:= 0
    ->  Y is X // 2
    ;   Y is 3*X+1
    ),
    steps(Y, L0),
    L is L0+1,
    assertz(memo(X, L)).

% Jobs that enter new jobs while they are being taken away.
jobs(N, Done) :-
    retractall(job(_, _)),
    (   between(1, N, I),
        assertz(job(I, 2)),
        fail
    ;   true
    ),
    jobs_(0, Done).

jobs_(D0, D) :-
    retract(job(I, K)), !,
    (   K > 0
    ->  K1 is K-1,
        assertz(job(I, K1))
    ;   true
    ),
    D1 is D0+1,
    jobs_(D1, D).
jobs_(D, D).

% Paths of length two in a dynamic relation.
joined(N, Count) :-
    retractall(edge(_, _)),
    (   between(1, N, I),
        A is I*7 mod N,
        B is I*13 mod N,
        assertz(edge(I, A)),
        assertz(edge(I, B)),
        fail
    ;   true
    ),
    findall(X-Z, (edge(X, Y), edge(Y, Z)), L),
    length(L, Count).
