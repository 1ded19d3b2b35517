% Goals of ~@ in messages are found where their message was written.
shown(X) :- write(shown(X)).

:- initialization(( debug(topic), debug(topic, "~@ ~w", [shown(1), z]), debug(topic, "~w", z) )).
:- initialization(print_message(error, format("~@ ~q", [shown(2), a:b]))).
:- initialization(print_message_lines(user_error, '', ['~@'-[shown(3)], nl])).
:- initialization(( assertz(( m:own(X) :- write(own(X)) )), m:debug(topic, "~@", [own(1)]) )).
:- initialization(( format(atom(A), "~@", [shown(4)]), print_message(error, format("~w", [A])) )).
