:- initialization(no_such_main).
p(1).
