p(1).
:- if(true).
q(1).
:- else.
r(1).
