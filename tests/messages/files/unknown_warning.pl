:- set_prolog_flag(unknown, warning).
p :- no_such(1).
:- p.
:- m:no_such(1).
