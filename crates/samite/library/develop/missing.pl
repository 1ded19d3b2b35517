:- module('$missing', [ '$absent'/2 ]).

/*  What SWI-Prolog has and Samite has not, and why: unknown procedures are explained by it.  */

%!  '$absent'(+Indicator, -Text) is semidet.
%
%   Text says why there is no predicate Indicator, Name/Arity.

'$absent'(Name/Arity, Text) :-
    absent(Name, Arity, Why),
    !,
    because(Why, Text).

%   absent(?Name, ?Arity, -Why)

absent(deterministic, 1, frames).
absent(prolog_current_frame, 1, frames).
absent(prolog_frame_attribute, 3, frames).
absent(prolog_current_choice, 1, frames).
absent(prolog_choice_attribute, 3, frames).
absent(print_last_choicepoint, 0, frames).
absent(print_last_choicepoint, 2, frames).
absent(prolog_skip_level, 2, frames).
absent(prolog_cut_to, 1, frames).
absent(prolog_stack_property, 2, stacks).
absent(set_prolog_stack, 2, stacks).
absent(set_prolog_gc_thread, 1, stacks).
absent(lock_predicate, 2, locks).
absent(unlock_predicate, 2, locks).
absent(use_foreign_library, 1, foreign).
absent(load_foreign_library, 1, foreign).
absent(with_tty_raw, 1, raw_terminal).
absent(fork, 1, forks).
absent(fork_exec, 1, forks).
absent(exec, 1, forks).
absent(trace, 0, debugger).
absent(trace, 1, debugger).
absent(trace, 2, debugger).
absent(debug, 0, debugger).
absent(gtrace, 0, debugger).
absent(gspy, 1, debugger).
absent(gdebug, 0, debugger).
absent(guitracer, 0, debugger).
absent(spy, 1, debugger).
absent(nospy, 1, debugger).
absent(leash, 1, debugger).
absent(visible, 1, debugger).
absent(set_breakpoint, 4, debugger).
absent(tspy, 1, debugger).
absent(tspy, 2, debugger).
absent(tdebug, 0, debugger).
absent(tdebug, 1, debugger).
absent(tnodebug, 0, debugger).
absent(tnodebug, 1, debugger).
absent(tprofile, 1, profiler).
absent(attach_console, 0, windows).
absent(attach_console, 1, windows).
absent(interactor, 0, windows).
absent(interactor, 1, windows).
absent(thread_has_console, 0, windows).
absent(thread_run_interactor, 0, windows).
absent(in_pce_thread, 1, windows).
absent(in_pce_thread_sync, 1, windows).
absent(malloc_property, 1, allocator).
absent(qcompile, 1, compiled).
absent(qcompile, 2, compiled).
absent(make_library_index, 1, autoloader).
absent(make_library_index, 2, autoloader).
absent(autoload_path, 1, autoloader).
absent(autoload_path, 2, autoloader).
absent(protocol, 1, protocols).
absent(protocola, 1, protocols).
absent(profile, 1, profiler).
absent(profile, 2, profiler).
absent(show_profile, 1, profiler).
absent(show_coverage, 1, coverage).
absent(show_coverage, 2, coverage).
absent(coverage, 1, coverage).
absent(coverage, 2, coverage).
absent(autoload_all, 0, autoloader).
absent(current_signal, 3, signals).
absent(doc_server, 1, manual).
absent(doc_server, 2, manual).
absent(www_open_url, 1, windows).
absent(help, 0, manual).
absent(help, 1, manual).
absent(apropos, 1, manual).
absent(explain, 1, manual).
absent(non_terminal, 1, non_terminals).
absent(crypto_password_hash, 2, cryptography).
absent(crypto_password_hash, 3, cryptography).
absent(crypto_data_hkdf, 4, cryptography).
absent(crypto_data_encrypt, 6, cryptography).
absent(crypto_data_decrypt, 6, cryptography).
absent(ecdsa_sign, 4, cryptography).
absent(ecdsa_verify, 4, cryptography).
absent(rsa_private_decrypt, 4, cryptography).
absent(rsa_private_encrypt, 4, cryptography).
absent(rsa_public_decrypt, 4, cryptography).
absent(rsa_public_encrypt, 4, cryptography).
absent(rsa_sign, 4, cryptography).
absent(rsa_verify, 4, cryptography).
absent(crypto_modular_inverse, 3, cryptography).
absent(crypto_generate_prime, 3, cryptography).
absent(crypto_is_prime, 2, cryptography).
absent(crypto_name_curve, 2, cryptography).
absent(crypto_curve_order, 2, cryptography).
absent(crypto_curve_generator, 2, cryptography).
absent(crypto_curve_scalar_mult, 4, cryptography).
absent(crypto_open_hash_stream, 3, cryptography).
absent(crypto_stream_hash, 2, cryptography).

%   because(+Why, -Text)

because(frames, 'Samite''s frames and choicepoints cannot be looked at').
because(stacks, 'Samite has a heap for each thread, and no stacks; --memory-limit bounds it').
because(locks, 'Samite''s own predicates are always locked, those of programs never').
because(foreign, 'Samite loads no foreign libraries').
because(raw_terminal, 'the line that is being typed at a terminal is edited by Samite itself; get_single_char/1 reads a key').
because(forks, 'a copy of a process with threads would have one of them; process_create/3 starts other processes').
because(debugger, 'Samite has no debugger').
because(profiler, 'Samite has no profiler').
because(windows, 'Samite opens no windows; thread_dump/0 and tbacktrace/1 say what threads are doing').
because(allocator, 'Samite has an allocator of its own, which gives memory back by itself; see statistics/2').
because(compiled, 'Samite writes no compiled files; qsave_program/2 makes one executable of a program').
because(autoloader, 'only Samite''s own libraries are loaded when they are called; use_module/1,2 loads others').
because(protocols, 'Samite keeps no record of a terminal; script(1) does').
because(coverage, 'Samite does not tell which clauses have run').
because(signals, 'Samite does not list the signals; on_signal/3 tells who handles one').
because(manual, 'Samite has no manual to look things up in; see README.md').
because(non_terminals, 'Samite does not tell non-terminals from other predicates').
because(cryptography, 'Samite''s library(crypto) hashes and makes random bytes; it neither encrypts nor signs').
