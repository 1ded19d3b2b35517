:- initialization(main, main).
main :- foo(1), X is a + 1, print(X).
