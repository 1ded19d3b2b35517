p(1).
:- assertz(p(2)).
:- retract(p(1)).
:- dynamic p/1.
