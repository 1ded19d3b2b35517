% What a program says of how messages look.

:- multifile user:message_property/2, prolog:message_location//1, prolog:message_context//1, prolog:message_prefix_hook/2, prolog:message_line_element/2.

user:message_property(error, location_prefix(_:Line, ['~NMISTAKE in line ~w'-[Line]], '~N. ')) :- nb_current(own_prefixes, true).
user:message_property(informational, location_prefix(_, '~Nhere', '~N. ')) :- nb_current(own_prefixes, true).
user:message_property(warning, tag('Warnung')).

prolog:message_location(place(X)) --> ['at ~w: '-[X]].
prolog:message_context(reason(X)) --> [', because of ~w'-[X]].
prolog:message_prefix_hook(host, "<host>").
prolog:message_line_element(S, loud(X)) :- string_upper(X, U), write(S, U).

:- nb_setval(own_prefixes, true),
   print_message(error, format("first~nsecond", [])),
   print_message(informational, format("said", [])),
   nb_setval(own_prefixes, false).
:- print_message(error, format("plain", [])).
:- print_message(warning, format("plain", [])).

go :-
    print_message(error, error(foo, place(2))),
    print_message(error, error(type_error(integer, a), reason(b))),
    print_message_lines(user_error, kind(warning), ['a ~w'-[b], nl, loud(c)]),
    set_prolog_flag(message_context, [host, thread, nobody_knows]),
    print_message(error, format("prefixed", [])),
    thread_create(print_message(warning, format("prefixed", [])), T, [alias(other)]),
    thread_join(T),
    print_message(informational, format("not prefixed", [])).

:- initialization(go).
