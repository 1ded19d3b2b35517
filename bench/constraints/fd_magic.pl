% Magic squares of 4: short sums, and variables that differ.

:- use_module(library(clpfd)).

main :-
    findall(S, ( S = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_], magic(S), S = [1,A|_], A #< 10, label(S) ), Squares),
    length(Squares, N),
    format("~d~n", [N]).

magic(Square) :-
    Square = [A,B,C,D,E,F,G,H,I,J,K,L,M,N,O,P],
    Square ins 1..16,
    all_different(Square),
    maplist(is_34, [[A,B,C,D],[E,F,G,H],[I,J,K,L],[M,N,O,P],
                    [A,E,I,M],[B,F,J,N],[C,G,K,O],[D,H,L,P],
                    [A,F,K,P],[D,G,J,M]]).

is_34(Vars) :-
    sum(Vars, #=, 34).
