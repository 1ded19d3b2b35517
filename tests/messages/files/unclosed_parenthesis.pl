p(1).
q :- foo(a,
r(1).
s(2).
