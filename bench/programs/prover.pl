% A small theorem prover in the manner of Boyer and Moore: terms are rewritten
% bottom-up by lemmas to a normal form of if/3, which is then checked to be a
% tautology.  Uses functor/3, arg/3 and head unification with large clauses.
% Counted with: rounds(2, T) => rounds(1, T)
% Counted with: and(implies(A, B), and(implies(B, C), implies(C, D))) => and(B, and(C, D))

main :-
    theorem(T),
    rounds(2, T),
    normal(T, N),
    size(N, S),
    ( tautology(N, [], []) -> R = proved ; R = failed ),
    format('prover ~w ~w~n', [R, S]).

rounds(K, T) :-
    between(1, K, _),
    normal(T, N),
    tautology(N, [], []),
    fail.
rounds(_, _).

theorem(implies(Premise, implies(A, D))) :-
    A = equal(plus(plus(a, b), plus(c, zero)), times(a, plus(b, c))),
    B = member(x, append(append(u, v), append(w, nil))),
    C = equal(reverse(append(append(u, v), nil)), times(times(p, q), r)),
    D = lessp(difference(plus(a, b), a), length(reverse(append(u, nil)))),
    Premise = and(implies(A, B), and(implies(B, C), implies(C, D))).

normal(T, R) :-
    atomic(T), !,
    R = T.
normal(T, R) :-
    functor(T, F, N),
    functor(U, F, N),
    normal_args(N, T, U),
    (   lemma(U, V) -> normal(V, R)
    ;   R = U
    ).

normal_args(0, _, _) :- !.
normal_args(I, T, U) :-
    arg(I, T, A),
    normal(A, B),
    arg(I, U, B),
    J is I-1,
    normal_args(J, T, U).

lemma(and(P, Q), if(P, if(Q, true, false), false)).
lemma(or(P, Q), if(P, true, if(Q, true, false))).
lemma(not(P), if(P, false, true)).
lemma(implies(P, Q), if(P, if(Q, true, false), true)).
lemma(iff(P, Q), and(implies(P, Q), implies(Q, P))).
lemma(if(if(A, B, C), D, E), if(A, if(B, D, E), if(C, D, E))).
lemma(leq(X, Y), not(lessp(Y, X))).
lemma(geq(X, Y), not(lessp(X, Y))).
lemma(greaterp(X, Y), lessp(Y, X)).
lemma(plus(plus(X, Y), Z), plus(X, plus(Y, Z))).
lemma(plus(X, zero), X).
lemma(plus(zero, X), X).
lemma(times(X, plus(Y, Z)), plus(times(X, Y), times(X, Z))).
lemma(times(times(X, Y), Z), times(X, times(Y, Z))).
lemma(times(zero, _), zero).
lemma(difference(X, X), zero).
lemma(difference(plus(X, Y), X), Y).
lemma(difference(plus(Y, X), plus(Z, X)), difference(Y, Z)).
lemma(equal(plus(A, B), zero), and(equal(A, zero), equal(B, zero))).
lemma(equal(plus(A, B), plus(A, C)), equal(B, C)).
lemma(equal(times(A, B), zero), or(equal(A, zero), equal(B, zero))).
lemma(equal(X, X), true).
lemma(append(append(X, Y), Z), append(X, append(Y, Z))).
lemma(append(X, nil), X).
lemma(reverse(append(X, Y)), append(reverse(Y), reverse(X))).
lemma(reverse(reverse(X)), X).
lemma(length(reverse(X)), length(X)).
lemma(length(append(X, Y)), plus(length(X), length(Y))).
lemma(member(X, append(A, B)), or(member(X, A), member(X, B))).
lemma(member(X, reverse(Y)), member(X, Y)).
lemma(lessp(plus(X, Y), plus(X, Z)), lessp(Y, Z)).
lemma(lessp(X, X), false).

tautology(true, _, _) :- !.
tautology(false, _, _) :- !, fail.
tautology(if(C, T, E), Trues, Falses) :- !,
    (   known(C, Trues, true) -> tautology(T, Trues, Falses)
    ;   known(C, Falses, false) -> tautology(E, Trues, Falses)
    ;   tautology(T, [C|Trues], Falses),
        tautology(E, Trues, [C|Falses])
    ).
tautology(T, Trues, _) :-
    known(T, Trues, true).

known(C, _, C) :- !.
known(C, [D|Ds], V) :-
    ( C == D -> true ; known(C, Ds, V) ).

size(T, 1) :-
    atomic(T), !.
size(T, S) :-
    functor(T, _, N),
    size_args(N, T, 1, S).

size_args(0, _, S, S) :- !.
size_args(I, T, S0, S) :-
    arg(I, T, A),
    size(A, SA),
    S1 is S0+SA,
    J is I-1,
    size_args(J, T, S1, S).
