:- module(beside, [p/1]).
p(1). p(2).
