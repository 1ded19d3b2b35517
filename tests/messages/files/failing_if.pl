:- if(undefined_condition(1)).
p(1).
:- endif.
:- if(X).
q(1).
:- endif.
r(1).
