p(1).
:- module(late, [p/1]).
q(1).
