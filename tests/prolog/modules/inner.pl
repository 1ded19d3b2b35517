:- module(mod_inner, []).
:- use_module(colours, [mix/3]).

inner(X) :- mix(red, white, X).
own_module(M) :- strip_module(x, M, _).
stripped(T, M) :- strip_module(T, M, _).
