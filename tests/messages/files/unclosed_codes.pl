p(`abc).
q(1).
