:- initialization(main).
main :- fail.
