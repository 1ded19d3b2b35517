:- set_prolog_flag(double_quotes, wrong).
:- set_prolog_flag(bounded, true).
:- set_prolog_flag(X, true).
:- set_prolog_flag(occurs_check, true).
:- set_prolog_flag(no_such_flag, X).
:- current_prolog_flag(1, X).
