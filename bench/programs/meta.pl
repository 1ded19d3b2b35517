% A meta-interpreter that runs two small programs kept as facts: interpretation
% overhead on top of the machine, clause choice by first argument, disjunction
% and negation by the interpreter.
% Counted with: rounds(6000, L) => rounds(150, L)

main :-
    list(1, 20, L),
    rounds(6000, L),
    solve(rev(L, R)),
    R = [Last|_],
    findall(Qs, solve(queens([1,2,3,4,5,6], Qs)), All),
    length(All, Count),
    format('meta ~w ~w~n', [Last, Count]).

rounds(N, L) :-
    between(1, N, _),
    solve(rev(L, _)),
    fail.
rounds(N, _) :-
    M is N//40,
    between(1, M, _),
    solve(queens([1,2,3,4,5,6], _)),
    fail.
rounds(_, _).

solve(true) :- !.
solve((A, B)) :- !,
    solve(A),
    solve(B).
solve((A ; B)) :- !,
    ( solve(A) ; solve(B) ).
solve(\+ A) :- !,
    \+ solve(A).
solve(A) :-
    primitive(A), !,
    call(A).
solve(A) :-
    rule(A, B),
    solve(B).

primitive(_ is _).
primitive(_ =:= _).
primitive(_ =\= _).

rule(rev([], []), true).
rule(rev([X|Xs], R), (rev(Xs, R0), app(R0, [X], R))).
rule(app([], L, L), true).
rule(app([X|Xs], L, [X|Ys]), app(Xs, L, Ys)).
rule(queens(Rows, Qs), place(Rows, [], Qs)).
rule(place([], Qs, Qs), true).
rule(place([R|Rs], Done, Qs), (pick(Q, [R|Rs], Rest), \+ attack(Done, Q, 1), place(Rest, [Q|Done], Qs))).
rule(pick(X, [X|Xs], Xs), true).
rule(pick(X, [Y|Ys], [Y|Zs]), pick(X, Ys, Zs)).
rule(attack([P|Ps], Q, D), ((P =:= Q+D ; P =:= Q-D) ; (D1 is D+1, attack(Ps, Q, D1)))).

list(I, N, []) :- I > N, !.
list(I, N, [I|L]) :-
    I1 is I+1,
    list(I1, N, L).
