p(1).
q :- X = "abc, print(X).
r(1).
s(2).
