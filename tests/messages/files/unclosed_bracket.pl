p(1).
q :- X = [1, 2, 3,
    print(X).
r(2).
