% A list of ten million integers made by numlist/3 and measured by a recursion
% that is not a last call: the memory of the heap and of the frames at once.

main :-
    numlist(1, 10000000, L),
    len(L, N),
    format('longlist ~w~n', [N]).

len([], 0).
len([_|T], N) :-
    len(T, M),
    N is M+1.
