% A knight's tour on a board of 8: circuit/1, with domains that have holes.

:- use_module(library(clpfd)).

main :-
    tour(6, _),
    tour(8, _),
    tour(10, Vars),
    follow(1, Vars, 100, End),
    format("~d~n", [End]).

%   Which tour is found first depends on what is known of the domains; it comes back to where it began.
follow(I, Vars, N, End) :-
    (   N =:= 0
    ->  End = I
    ;   nth1(I, Vars, J),
        N1 is N-1,
        follow(J, Vars, N1, End)
    ).

tour(N, Vars) :-
    Last is N*N,
    length(Vars, Last),
    places(Vars, 1, N),
    circuit(Vars),
    once(labeling([ff], Vars)).

places([], _, _).
places([V|Vs], I, N) :-
    X is (I-1) mod N,
    Y is (I-1)//N,
    findall(J, move(X, Y, N, J), Js),
    domain(Js, D),
    V in D,
    I1 is I+1,
    places(Vs, I1, N).

move(X, Y, N, J) :-
    member(DX-DY, [1-2,2-1,2-(-1),1-(-2),(-1)-(-2),(-2)-(-1),(-2)-1,(-1)-2]),
    X1 is X+DX,
    Y1 is Y+DY,
    X1 >= 0, X1 < N,
    Y1 >= 0, Y1 < N,
    J is Y1*N+X1+1.

domain([J], J).
domain([J|Js], J\/D) :-
    Js = [_|_],
    domain(Js, D).
