p :- writeln(hi).
:- initialization(p, foo).
:- initialization(p, _).
:- initialization(p, 3).
:- initialization(fail, now).
:- initialization(throw(x), now).
:- initialization(3).
:- initialization(p, after_load).
:- initialization(fail, after_load).
:- include(nowhere).
