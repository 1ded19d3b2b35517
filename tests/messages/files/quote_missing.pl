p(1).
q :- X = "abc, print(X).
r(1).
s :- print("x").
t(1).
