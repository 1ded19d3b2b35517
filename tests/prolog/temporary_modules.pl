% Modules for a goal: library(modules), set_module(class(temporary)); and what was read from streams, unloaded.

:- use_module(library(modules)).

tmm_load(Id, Text) :-
    setup_call_cleanup(open_string(Text, In), load_files(Id, [stream(In), silent(true)]), close(In)).

t(asserted, ( in_temporary_module(M, assertz(M:a(1)), M:a(X)), catch(M:a(_), error(existence_error(procedure, _:PI), _), true) ), [X, PI], answers([[1, a/1]])).
t(several, findall(Y, in_temporary_module(M, forall(member(X, [1, 2, 3]), assertz(M:a(X))), M:a(Y)), L), [L], answers([[[1, 2, 3]]])).
t(loaded, ( in_temporary_module(M, ( open_string("q(X) :- r(X). r(1). :- dynamic d/1. d(7).", In), load_files(M, [stream(In), silent(true)]) ), ( M:q(X), M:d(D) )), \+ source_file(M), \+ catch(M:q(_), error(_, _), fail) ), [X, D], answers([[1, 7]])).
t(setup_fails, in_temporary_module(_, fail, true), [], fails).
t(setup_once, findall(X, in_temporary_module(M, ( assertz(M:a) ; assertz(M:b) ), ( X = 1 ; X = 2 )), L), [L], answers([[[1, 2]]])).
t(name, in_temporary_module(tmm_name, assertz(tmm_name:a), tmm_name:a), [], answers([[]])).
t(name_again, ( in_temporary_module(tmm_again, assertz(tmm_again:a), true), in_temporary_module(tmm_again, assertz(tmm_again:b), \+ catch(tmm_again:a, error(_, _), fail)) ), [], answers([[]])).
t(not_empty, in_temporary_module(lists, true, true), [], throws(permission_error(module_property, class, temporary))).
t(raised, catch(in_temporary_module(tmm_raised, assertz(tmm_raised:a), throw(x)), x, \+ catch(tmm_raised:a, error(_, _), fail)), [], answers([[]])).
t(current, ( in_temporary_module(M, true, current_temporary_module(N)), ( M == N -> true ) ), [], answers([[]])).
t(class, ( set_module(tmm_class:class(temporary)), module_property(tmm_class, class(C)) ), [C], answers([[temporary]])).
t(class_not_empty, ( assertz(tmm_full:a), set_module(tmm_full:class(temporary)) ), [], throws(permission_error(module_property, class, temporary))).
t(unload_stream, ( tmm_load(tmm_stream, "tmm_s(1)."), tmm_s(X), unload_file(tmm_stream), catch(tmm_s(_), error(E, _), true), \+ source_file(tmm_stream) ), [X, E], answers([[1, existence_error(procedure, tmm_s/1)]])).
