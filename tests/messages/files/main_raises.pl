:- initialization(main).
main :- X is foo + 1, print(X).
