% Collecting solutions: findall/3 nested and flat, bagof/3 and setof/3 with free
% variables and with ^, forall/2.
% Counted with: pythagoras(800, P) => pythagoras(100, P)
% Counted with: groups(2200, G) => groups(60, G)
% Counted with: nested(1300, T) => nested(40, T)

main :-
    pythagoras(800, P),
    groups(2200, G),
    nested(1300, T),
    ( forall(part(_, C, W), (C \== gold, W > 0)) -> F = yes ; F = no ),
    format('findall ~w ~w ~w ~w~n', [P, G, T, F]).

pythagoras(N, Count) :-
    findall(A-B-C,
            ( between(1, N, A),
              between(A, N, B),
              C2 is A*A+B*B,
              C is truncate(sqrt(C2)),
              C =< N,
              C*C =:= C2 ),
            L),
    length(L, Count).

% A fixed number of rounds of grouping and ordering.
groups(N, Result) :-
    (   between(1, N, _),
        group_all(_),
        fail
    ;   group_all(Result)
    ).

group_all(N-M-K) :-
    findall(C-Ws, bagof(W, I^part(I, C, W), Ws), ByColour),
    findall(W-Is, setof(I, C^part(I, C, W), Is), ByWeight),
    setof(C-W, I^part(I, C, W), Pairs),
    length(ByColour, N),
    length(ByWeight, M),
    length(Pairs, K).

nested(N, Total) :-
    findall(S,
            ( between(1, N, I),
              findall(X, (between(1, I, J), X is J*J mod 7), Xs),
              sum(Xs, 0, S) ),
            Sums),
    sum(Sums, 0, Total).

sum([], S, S).
sum([X|Xs], S0, S) :-
    S1 is S0+X,
    sum(Xs, S1, S).

part(1, white, 7).
part(2, white, 3).
part(3, blue, 2).
part(4, blue, 3).
part(5, grey, 8).
part(6, grey, 3).
part(7, blue, 2).
part(8, white, 4).
part(9, red, 3).
part(10, red, 9).
part(11, white, 8).
part(12, green, 8).
part(13, grey, 9).
part(14, red, 8).
part(15, green, 1).
part(16, red, 8).
part(17, grey, 4).
part(18, grey, 4).
part(19, grey, 9).
part(20, grey, 7).
part(21, green, 9).
part(22, green, 6).
part(23, green, 6).
part(24, red, 5).
part(25, blue, 5).
part(26, white, 6).
part(27, white, 4).
part(28, white, 8).
part(29, grey, 5).
part(30, grey, 1).
part(31, white, 7).
part(32, red, 8).
part(33, white, 5).
part(34, green, 6).
part(35, green, 1).
part(36, white, 2).
part(37, white, 5).
part(38, blue, 8).
part(39, red, 5).
part(40, green, 9).
part(41, red, 7).
part(42, grey, 3).
part(43, blue, 7).
part(44, white, 4).
part(45, blue, 7).
part(46, blue, 8).
part(47, grey, 8).
part(48, green, 2).
part(49, green, 2).
part(50, grey, 5).
part(51, red, 6).
part(52, red, 3).
part(53, red, 2).
part(54, green, 6).
part(55, white, 4).
part(56, grey, 1).
part(57, green, 1).
part(58, blue, 2).
part(59, red, 2).
part(60, grey, 8).
