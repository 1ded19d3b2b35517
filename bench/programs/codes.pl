% Text as lists of codes: a cipher, words split and counted, run lengths,
% palindromes, numbers read and written.
% Counted with: rounds(4000, T) => rounds(80, T)

main :-
    atom_codes('It was the best of times, it was the worst of times; we had everything before us, we had nothing before us.', T),
    rounds(4000, T),
    work(T, H),
    format('codes ~w~n', [H]).

rounds(N, T) :-
    between(1, N, _),
    work(T, _),
    fail.
rounds(_, _).

work(T, H) :-
    cipher(T, 3, C),
    cipher(C, 23, T1),
    same(T, T1, 0, Same),
    words(T, Ws),
    tally(Ws, [], Counts),
    largest(Counts, 0, Max),
    runs(C, Runs),
    length(Runs, NR),
    palindromes(100, 160, 0, NP),
    numbers(120, 0, Sum),
    H is Same*1000000+Max*100000+NR*100+NP+Sum.

cipher([], _, []).
cipher([C|Cs], K, [D|Ds]) :-
    shift(C, K, D),
    cipher(Cs, K, Ds).

shift(C, K, D) :-
    C >= 0'a, C =< 0'z, !,
    D is (C-0'a+K) mod 26 + 0'a.
shift(C, K, D) :-
    C >= 0'A, C =< 0'Z, !,
    D is (C-0'A+K) mod 26 + 0'A.
shift(C, _, C).

same([], [], N, N).
same([X|Xs], [Y|Ys], N0, N) :-
    (   X =:= Y -> N1 is N0+1 ; N1 = N0 ),
    same(Xs, Ys, N1, N).

words([], []).
words([C|Cs], Ws) :-
    \+ letter(C), !,
    words(Cs, Ws).
words([C|Cs], [W|Ws]) :-
    word([C|Cs], W, Rest),
    words(Rest, Ws).

word([C|Cs], [C|W], Rest) :-
    letter(C), !,
    word(Cs, W, Rest).
word(Cs, [], Cs).

letter(C) :- C >= 0'a, C =< 0'z, !.
letter(C) :- C >= 0'A, C =< 0'Z.

tally([], Counts, Counts).
tally([W|Ws], Counts0, Counts) :-
    enter(Counts0, W, Counts1),
    tally(Ws, Counts1, Counts).

enter([], W, [W-1]).
enter([V-N|Cs], W, Ds) :-
    (   V == W
    ->  N1 is N+1,
        Ds = [V-N1|Cs]
    ;   Ds = [V-N|Es],
        enter(Cs, W, Es)
    ).

largest([], M, M).
largest([_-N|Cs], M0, M) :-
    (   N > M0 -> largest(Cs, N, M) ; largest(Cs, M0, M) ).

runs([], []).
runs([C|Cs], [N-C|Rs]) :-
    run(Cs, C, 1, N, Rest),
    runs(Rest, Rs).

run([C|Cs], D, N0, N, Rest) :-
    C =:= D, !,
    N1 is N0+1,
    run(Cs, D, N1, N, Rest).
run(Rest, _, N, N, Rest).

palindromes(I, Max, N, N) :-
    I > Max, !.
palindromes(I, Max, N0, N) :-
    number_codes(I, Cs),
    turn(Cs, [], Ds),
    (   Cs == Ds -> N1 is N0+1 ; N1 = N0 ),
    I1 is I+1,
    palindromes(I1, Max, N1, N).

turn([], R, R).
turn([X|Xs], R0, R) :-
    turn(Xs, [X|R0], R).

numbers(0, S, S) :- !.
numbers(N, S0, S) :-
    K is N*37,
    number_codes(K, Cs),
    turn(Cs, [], Ds),
    number_codes(R, Ds),
    S1 is (S0+R) mod 97,
    M is N-1,
    numbers(M, S1, S).
