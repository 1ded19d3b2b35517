p(1).
q :- print('it's).
r(1).
