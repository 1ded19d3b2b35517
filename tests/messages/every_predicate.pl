% Every predicate that users can call is called with arguments of wrong kinds; the messages of the errors are printed.
:- initialization(main, main).

%   What must not be called like this: it waits, ends the process, or changes what the rest depends on.
skip(N, _) :-
    skip_names(Names), memberchk(N, Names).
skip_names([halt, abort, prolog, break, thread_exit, thread_get_message, thread_peek_message, thread_join, thread_idle, thread_wait, thread_create, thread_send_message,
            message_queue_destroy, mutex_lock, repeat, sleep, shell, read, read_term, get_char, get_code, get_byte, get, get0, get_single_char, skip, peek_char, peek_code, peek_byte,
            peek_string, read_pending_codes, read_pending_chars, fill_buffer, wait_for_input, read_line_to_codes, read_line_to_string, read_stream_to_codes, read_string,
            read_term_from_atom, copy_stream_data, set_input, set_output, set_stream, set_prolog_io, see, tell, append, seen, told, close, set_end_of_stream, delete_file, delete_directory,
            rename_file, chdir, cd, working_directory, set_prolog_flag, op, consult, load_files, ensure_loaded, make, reconsult, retractall, abolish, retract, unload_file,
            unsetenv, at_halt, cancel_halt, tnot, main, argv_options, run_tests, thread_signal, prompt, interrupt, set_random, length, between, numlist, concurrent,
            concurrent_forall, first_solution, concurrent_and, thread_at_exit, protocol, erase, phrase_from_file, read_file_to_codes, thread_detach, begin_tests, end_tests,
            initialization, spy, trace, make_directory, make_directory_path, directory_file_path, link_file, tmp_file, tmp_file_stream, transpose_pairs, merge, time, statistics, ls, current_op, print_message, prolog_load_context]).

main(_) :-
    findall(N/A, public(N, A), PIs0),
    sort(PIs0, PIs),
    forall(member(N/A, PIs), calls(N, A)).

public(N, A) :- predicate_property(system:H, system), functor(H, N, A), wanted(N, A).
public(N, A) :- '$library'(M), module_property(M, exports(Es)), member(N/A, Es), wanted(N, A).

wanted(N, A) :- A > 0, A < 6, \+ sub_atom(N, 0, _, _, $), \+ skip(N, A).

'$library'(M) :-
    member(M, [lists, apply, aggregate, assoc, pairs, option, ordsets, error, gensym, readutil, strings, terms, ugraphs, rbtrees, random, nb_set, heaps, yall, date, uri, base64, base32,
               utf8, codesio, charsio, edinburgh, quintus, backcomp, optparse, csv, settings, varnumbers, occurs, prolog_code, listing, sort, pprint, hashtable, ansi_term, solution_sequences]),
    catch(use_module(library(M)), _, fail).

calls(N, A) :-
    forall(( member(Other, [_, a, [a]]), between(1, A, I), member(V, [_, a, 1.5, -1, "s", f(x), [], [a|_], user_input, foo:bar]) ),
           ( functor(G, N, A), fill(A, G, I, V, Other), call_it(G) )).

fill(0, _, _, _, _) :- !.
fill(K, G, I, V, O) :- ( K =:= I -> arg(K, G, V) ; var(O) -> true ; arg(K, G, O) ), K1 is K-1, fill(K1, G, I, V, O).

call_it(G) :-
    (   catch(with_output_to(string(_), call_with_inference_limit(G, 20000, _)), E, told(G, E)) -> true ; true ).

told(G, E) :-
    message_to_codes(E, error, Codes),
    atom_codes(Message, Codes),
    (   sub_atom(Message, B, _, _, $), B1 is B+1, sub_atom(Message, B1, 1, _, C), char_type(C, alpha)
    ->  format("~q: ~w~n", [G, Message])
    ;   true
    ).
