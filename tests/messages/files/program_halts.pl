:- initialization(main, main).
main :- print_message(error, format("no ~w", [data])), halt(3).
