:- module(modules, [p/1, q/2, r]).
p(1).
s(2).
