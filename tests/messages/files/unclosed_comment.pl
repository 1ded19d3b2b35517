p(1).
/* q is not
q(1).
