% Prolog flags, and odds and ends of the system.
% ISO 13211-1, 7.11 and 8.17; statistics/2 and the like as in SWI-Prolog.

t(flag_empty_list, current_prolog_flag([], _), [], fails).
t(bounded, current_prolog_flag(bounded, X), [X], answers([[false]])).
t(double_quotes, current_prolog_flag(double_quotes, X), [X], answers([[string]])).
t(unknown, current_prolog_flag(unknown, X), [X], answers([[error]])).
t(occurs_check, current_prolog_flag(occurs_check, X), [X], answers([[false]])).
t(max_arity, current_prolog_flag(max_arity, X), [X], answers([[unbounded]])).
t(toward_zero, current_prolog_flag(integer_rounding_function, X), [X], answers([[toward_zero]])).
t(char_conversion, current_prolog_flag(char_conversion, X), [X], answers([[false]])).
t(iso, current_prolog_flag(iso, X), [X], answers([[false]])).
t(argv, ( current_prolog_flag(argv, X), is_list(X) ), [], answers([[]])).
t(threads, current_prolog_flag(threads, X), [X], answers([[true]])).
t(no_such_flag, current_prolog_flag(flg_no_such, _), [], fails).
t(enumerate, ( current_prolog_flag(F, V), F == bounded ), [V], answers([[false]])).
t(number_flag, current_prolog_flag(1, _), [], throws(type_error(atom, 1))).
t(set_unbound, set_prolog_flag(_, a), [], throws(instantiation_error)).
t(set_read_only, set_prolog_flag(bounded, true), [], throws(permission_error(modify, flag, bounded))).
t(set_number, set_prolog_flag(1, a), [], throws(type_error(atom, 1))).
t(set_bad_value, set_prolog_flag(double_quotes, flg_bad), [], throws(domain_error(double_quotes, flg_bad))).
t(set_unknown_bad, set_prolog_flag(unknown, flg_bad), [], throws(domain_error(unknown, flg_bad))).
t(create_flag, ( create_prolog_flag(flg_mine, 1, []), current_prolog_flag(flg_mine, X) ), [X], answers([[1]])).
t(statistics_cputime, ( statistics(cputime, X), number(X) ), [], answers([[]])).
t(statistics_runtime, ( statistics(runtime, [X, Y]), integer(X), integer(Y) ), [], answers([[]])).
t(statistics_walltime, ( statistics(walltime, [X|_]), integer(X) ), [], answers([[]])).
t(statistics_inferences, ( statistics(inferences, X), integer(X) ), [], answers([[]])).
t(statistics_quintus, ( findall(K, ( member(K, [memory, core, program, global_stack, local_stack]), statistics(K, [A, B]), integer(A), integer(B) ), L) ), [L], answers([[[memory, core, program, global_stack, local_stack]]])).
t(statistics_bad, statistics(flg_no_such, _), [], throws(domain_error(statistics_key, flg_no_such))).
t(get_time, ( get_time(X), float(X), X > 1.0e9 ), [], answers([[]])).
t(garbage_collect, garbage_collect, [], answers([[]])).
t(term_hash_ground, ( term_hash(f(a), X), integer(X) ), [], answers([[]])).
t(term_hash_unbound, term_hash(f(_), X), [X], answers([[_]])).
t(gensym, ( gensym(flg_s, X), atom_concat(flg_s, N, X), atom_number(N, M), integer(M) ), [], answers([[]])).
t(gensym_counts, ( reset_gensym(flg_c), gensym(flg_c, A), gensym(flg_c, B), reset_gensym(flg_c), gensym(flg_c, C) ), [A, B, C], answers([[flg_c1, flg_c2, flg_c1]])).
t(gensym_reset_all, ( gensym(flg_d, _), gensym(flg_e, _), flag(flg_other, _, 7), reset_gensym, gensym(flg_d, A), gensym(flg_e, B), flag(flg_other, V, 0) ), [A, B, V], answers([[flg_d1, flg_e1, 7]])).
t(gensym_threads, ( reset_gensym(flg_t), findall(Id, ( between(1, 4, _), thread_create(forall(between(1, 500, _), gensym(flg_t, _)), Id) ), Ids), maplist(thread_join, Ids), gensym(flg_t, X) ), [X], answers([[flg_t2001]])).
t(gensym_number, ( reset_gensym(7), gensym(7, A), gensym('7', B) ), [A, B], answers([['71', '72']])).
t(gensym_unbound, gensym(_, _), [], throws(instantiation_error)).
t(gensym_compound, gensym(f(x), _), [], throws(type_error(atomic, f(x)))).
t(halt_atom, halt(a), [], throws(type_error(integer, a))).
t(halt_unbound, halt(_), [], throws(instantiation_error)).
t(sleep_zero, sleep(0), [], answers([[]])).
t(getenv_missing, getenv(flg_no_such_variable, _), [], fails).
t(setenv_float, ( setenv(flg_var, 2.5), getenv(flg_var, X) ), [X], answers([['2.5']])).
t(setenv_getenv, ( setenv(flg_var, 12), getenv(flg_var, X) ), [X], answers([['12']])).
t(set_new_flag, ( set_prolog_flag(flg_new, [1]), current_prolog_flag(flg_new, X) ), [X], answers([[[1]]])).
t(style_check, ( style_check(-discontiguous), style_check(+discontiguous) ), [], answers([[]])).

% What float results are: flags of the thread, which those it creates have too

with_flag(Flag, Value, Goal) :-
    current_prolog_flag(Flag, Old),
    setup_call_cleanup(set_prolog_flag(Flag, Value), Goal, set_prolog_flag(Flag, Old)).

t(float_flags, findall(F = V, ( member(F, [float_overflow, float_zero_div, float_undefined, float_underflow, float_rounding]),
                                current_prolog_flag(F, V) ), L), [L],
  answers([[[float_overflow = error, float_zero_div = error, float_undefined = error, float_underflow = ignore,
             float_rounding = to_nearest]]])).
t(float_limits, ( current_prolog_flag(float_min, A), current_prolog_flag(float_max, B) ), [A, B],
  answers([[2.2250738585072014e-308, 1.7976931348623157e308]])).
t(float_limits_are_fixed, set_prolog_flag(float_max, 1.0), [], throws(permission_error(modify, flag, float_max))).
t(float_overflow, with_flag(float_overflow, infinity, ( A = 1.0e300, X is A*A, X > A, Y is -(A*A), Y < A )), [], answers([[]])).
t(float_overflow_error, ( A = 1.0e300, _ is A*A ), [], throws(evaluation_error(float_overflow))).
t(float_zero_div, with_flag(float_zero_div, infinity, ( X is 1/0, Y is -1/0.0, X > 1, Y < -1 )), [], answers([[]])).
t(float_zero_div_integer, with_flag(float_zero_div, infinity, ( A = 1, B = 0, _ is A//B )), [], throws(evaluation_error(zero_divisor))).
t(float_zero_div_undefined, with_flag(float_zero_div, infinity, _ is 0/0.0), [], throws(evaluation_error(undefined))).
t(float_undefined, with_flag(float_undefined, nan, ( X is 0/0.0, X =\= X, Y is sqrt(-1), Y =\= Y )), [], answers([[]])).
t(float_rounding_up, with_flag(float_rounding, to_positive, ( A = 0.1, X is A+0.2 )), [X], answers([[0.30000000000000004]])).
t(float_rounding_down, with_flag(float_rounding, to_negative, ( A = 0.1, X is A+0.2 )), [X], answers([[0.3]])).
t(float_rounding_product, with_flag(float_rounding, to_negative, ( A = 0.1, X is A*A )), [X], answers([[0.01]])).
t(float_rounding_value, set_prolog_flag(float_rounding, up), [], throws(domain_error(flag_value, up))).
t(float_flag_type, set_prolog_flag(float_overflow, 1), [], throws(type_error(atom, 1))).
t(float_flag_of_threads, with_flag(float_zero_div, infinity, ( thread_create(( X is 1/0, X > 1 ), Id), thread_join(Id, S) )), [S],
  answers([[true]])).
% Flags that a thread sets are its own, and those of the threads that it creates; new ones are the program's.
t(own_flag_of_a_thread,
  ( create_prolog_flag(flg_own, 1, []),
    thread_create(( set_prolog_flag(flg_own, 2), current_prolog_flag(flg_own, A), thread_create(current_prolog_flag(flg_own, 2), U), thread_join(U, S), S == true, A == 2 ), T),
    thread_join(T, E), current_prolog_flag(flg_own, X) ), [E, X],
  answers([[true, 1]])).
t(new_flag_of_a_thread,
  ( thread_create(( create_prolog_flag(flg_made_there, 1, []), set_prolog_flag(flg_made_there, 3), current_prolog_flag(flg_made_there, 3) ), T), thread_join(T, E), current_prolog_flag(flg_made_there, X) ), [E, X],
  answers([[true, 1]])).
t(known_flag_of_a_thread,
  ( thread_create(( set_prolog_flag(toplevel_var_size, 77), current_prolog_flag(toplevel_var_size, 77) ), T), thread_join(T, E), current_prolog_flag(toplevel_var_size, X) ), [E, X],
  answers([[true, 1000]])).
t(flags_of_a_thread_are_enumerated_once,
  ( create_prolog_flag(flg_enum, 1, []), thread_create(( set_prolog_flag(flg_enum, 2), findall(V, ( current_prolog_flag(F, V), F == flg_enum ), [2]) ), T), thread_join(T, E) ), [E],
  answers([[true]])).
t(what_steers_all_threads_is_of_the_program,
  ( current_prolog_flag(table_sync, W), thread_create(set_prolog_flag(table_sync, tlwl_field), T), thread_join(T, E), current_prolog_flag(table_sync, X), set_prolog_flag(table_sync, W) ), [E, X],
  answers([[true, tlwl_field]])).
t(float_flag_of_this_thread,
  ( thread_create(set_prolog_flag(float_zero_div, infinity), Id), thread_join(Id, _), current_prolog_flag(float_zero_div, V) ), [V],
  answers([[error]])).
t(iso_division, with_flag(iso, true, ( A = 4, X is A/2 )), [X], answers([[2.0]])).
t(rational_division, with_flag(prefer_rationals, true, ( A = 1, X is A/3, Y is 2** -1 )), [X, Y], answers([[1r3, 1r2]])).

% Hooks of debug/3 and assertion/1.
:- multifile(prolog:assertion_failed/2).
:- dynamic(prolog:assertion_failed/2).
:- multifile(prolog:debug_print_hook/3).
:- dynamic(prolog:debug_print_hook/3).

t(assertion_hook, ( asserta((prolog:assertion_failed(R, G) :- nb_setval(flg_hook, R-G)), Ref), catch(assertion(fail), E, true), erase(Ref), nb_getval(flg_hook, X) ), [X, E], answers([[fail-(user:fail), _]])).
t(debug_output, ( tmp_file(flg, F), debug(flg_out > F), debug(flg_out > user), debug(flg_out, "x~w", [1]), nodebug(flg_out > F), debug(flg_out, "x~w", [2]), nodebug(flg_out > user), \+ debugging(flg_out), close(F), read_file_to_string(F, S, []), delete_file(F) ), [S], native(answers([["% x1\n"]]))).
t(debug_output_unbound, debug(flg_out > _), [], throws(instantiation_error)).
t(debug_topics, ( debug(flg_topics(1)), debug(flg_topics(2)), nodebug(flg_topics(_)), findall(T-On, ( T = flg_topics(_), debugging(T, On) ), L), nodebug(flg_topics(1) > user), \+ debugging(flg_topics(_)) ), [L], answers([[[flg_topics(1)-false, flg_topics(2)-false]]])).
t(debug_hook, ( asserta((prolog:debug_print_hook(T, F, A) :- nb_setval(flg_hook, [T, F, A])), Ref), print_message(silent, x), nodebug(flg_topic), debug(flg_topic), debug(flg_topic, "x~w", [1]), nodebug(flg_topic), erase(Ref), nb_getval(flg_hook, X) ), [X], answers([[[flg_topic, "x~w", user:[1]]]])).
t(no_internal_variables, ( nb_setval(flg_mine, 1), findall(K, nb_current(K, _), Ks), memberchk(flg_mine, Ks), \+ ( member(K, Ks), sub_atom(K, 0, _, _, $) ) ), [], answers([[]])).
t(autoload_false, ( set_prolog_flag(autoload, false), catch(flg_m:sumlist([1], _), error(E, _), true), catch(flg_m:sumlist([1], _), error(E, _), true), set_prolog_flag(autoload, true), flg_m:sumlist([1], X) ), [E, X], answers([[existence_error(procedure, flg_m:sumlist/2), 1]])).
t(op_of_system, op(700, xfx, system:flg_op), [], throws(permission_error(redefine, operator, system:flg_op))).

% Each flag that there is: setting it to another value is refused, or has the effect that flg_effect/3 looks at.

flg_other(true, false) :- !.
flg_other(false, true) :- !.
flg_other(V, W) :- integer(V), !, W is V-1.
flg_other(V, W) :- float(V), !, W is V-1.
flg_other(V, flg_no_such_word) :- atom(V), !.
flg_other(_, [flg_no_such_option]).

flg_text(Goal, Text) :- with_output_to(string(Text), Goal).
flg_load(Text) :- setup_call_cleanup(open_string(Text, S), load_files(flg_loaded, [stream(S)]), close(S)).


:- table flg_common/1 as shared.
:- table flg_private/1.
:- table flg_calls/1 as subgoal_shared.
flg_calls(1).
flg_writes(N) :- table_statistics(common_writes, N).
flg_common(1).
flg_private(1).

%   flg_effect(Flag, Value, Goal): Goal is true if Flag has Value, and not if it is as it was.
flg_effect(answer_write_options, [], current_prolog_flag(answer_write_options, [])).        % (terminal.rs and command.rs look at answers)
flg_effect(argv, [a, b], ( argv_options([], _, _), current_prolog_flag(argv, [a, b]) )).
flg_effect(autoload, false, ( gensym(flg_al, M), catch(( M:sumlist([], _), fail ), error(existence_error(_, _), _), true) )).
flg_effect(autoload, user, ( gensym(flg_al, M), catch(( M:sumlist([], _), fail ), error(existence_error(_, _), _), true) )).
flg_effect(back_quotes, string, ( term_to_atom(T, '`a`'), string(T) )).
flg_effect(color_term, false, current_prolog_flag(color_term, false)).                      % (on terminals only: ansi_format/3)
flg_effect(cpu_count, 1, current_prolog_flag(cpu_count, 1)).                                % (how many threads concurrent_forall/2 starts)
flg_effect(quasi_quotations, false, catch(( term_to_atom(_, '{|f||x|}'), fail ), error(syntax_error(quoted_punctuation), _), true)).
flg_effect(double_quotes, atom, ( term_to_atom(T, '"a"'), atom(T) )).
flg_effect(encoding, iso_latin_1, ( tmp_file(flg, F), open(F, write, S), stream_property(S, encoding(iso_latin_1)), close(S), delete_file(F) )).
flg_effect(encoding, utf16le, ( tmp_file(flg, F), open(F, write, S), put_char(S, a), close(S), size_file(F, 2), delete_file(F) )).
flg_effect(float_overflow, infinity, ( A = 1.0e300, _ is A*A )).
flg_effect(emulated_dialect, xsb, prolog_load_context(dialect, xsb)).
flg_effect(float_rounding, to_negative, ( A = 0.1, X is A+0.2, X =:= 0.3 )).
flg_effect(float_undefined, nan, ( A = 0, _ is A/0.0 )).
flg_effect(float_underflow, error, catch(( A = 1.0e-300, _ is A*1.0e-10, fail ), error(evaluation_error(float_underflow), _), true)).
flg_effect(float_zero_div, infinity, ( A = 1, _ is A/0.0 )).
flg_effect(generate_debug_info, false, ( flg_load("flg_hidden(1)."), predicate_property(flg_hidden(_), nodebug) )).
flg_effect(iso, true, ( A = 4, X is A/2, float(X) )).
flg_effect(message_context, [], ( flg_thread_says(T), \+ sub_string(T, _, _, _, "[Thread") )).
flg_effect(optimise, true, ( flg_load("flg_optimised :- assertion(fail)."), clause(flg_optimised, true) )).
flg_effect(optimise_debug, true, ( flg_load("flg_optimised :- assertion(fail)."), clause(flg_optimised, true) )).
flg_effect(on_error, status, current_prolog_flag(on_error, status)).                        % (the status of the process: command.rs)
flg_effect(on_warning, status, current_prolog_flag(on_warning, status)).
flg_effect(packs, false, current_prolog_flag(packs, false)).                                % (when a program starts: packs.rs)
flg_effect(posix_shell, '/bin/false', shell(exit, 1)).
flg_effect(prefer_rationals, true, ( A = 1, X is A/3, rational(X) )).
flg_effect(print_write_options, [quoted(false)], flg_text(print('A'), "A")).
flg_effect(print_write_options, [quoted(false)], format(string("A"), "~p", ['A'])).
flg_effect(shared_table_space, 1, ( abolish_all_tables, flg_common(_), statistics(shared_table_space_used, 0) )).
flg_effect(stream_type_check, true, ( current_output(_), tmp_file(flg, F), open(F, write, S, [type(binary)]),
                                      catch(( put_char(S, a), R = written ), error(permission_error(_, _, _), _), R = refused), close(S, [force(true)]), R == refused )).
flg_effect(style_discontiguous, false, flg_quiet("flg_s1. flg_s2. flg_s1.")).
flg_effect(style_no_effect, false, flg_quiet("flg_s3 :- X = a, integer(Y), Y = X.")).
flg_effect(style_singleton, false, flg_quiet("flg_s4(X).")).
flg_effect(table_incremental, true, ( flg_load(":- table flg_inc/1. flg_inc(1)."), predicate_property(flg_inc(_), tabled(incremental)) )).
flg_effect(table_shared, true, ( flg_load(":- table flg_shr/1. flg_shr(1)."), predicate_property(flg_shr(_), tabled(shared)) )).
flg_effect(table_space, 1, ( abolish_all_tables, catch(( flg_private(_), fail ), error(resource_error(private_table_space), _), true) )).
flg_effect(table_sync, tlwl_array, ( flg_writes(W0), abolish_all_tables, flg_calls(_), flg_writes(W1), W1 > W0, current_prolog_flag(table_sync, tlwl_array) )).   % (what it does: subgoal_shared.pl)
flg_effect(table_alloc, malloc, ( abolish_all_tables, flg_private(_), table_statistics(pages('subgoal frame'), pages(_, 1, 0)) )).
flg_effect(table_subgoal_shared, true, ( flg_load(":- table flg_sgs/1. flg_sgs(1)."), predicate_property(flg_sgs(_), tabled(subgoal_shared)) )).
flg_effect(table_subsumptive, true, ( flg_load(":- table flg_sub/1. flg_sub(1)."), predicate_property(flg_sub(_), tabled(subsumptive)) )).
flg_effect(tmp_dir, '/flg_dir', ( tmp_file(a, F), sub_atom(F, 0, _, _, '/flg_dir/') )).
flg_effect(toplevel_extra_white_line, false, current_prolog_flag(toplevel_extra_white_line, false)).    % (these are looked at in command.rs)
flg_effect(toplevel_goal, true, current_prolog_flag(toplevel_goal, true)).
flg_effect(toplevel_name_variables, false, current_prolog_flag(toplevel_name_variables, false)).
flg_effect(toplevel_print_anon, false, current_prolog_flag(toplevel_print_anon, false)).
flg_effect(toplevel_list_wfs_residual_program, false, current_prolog_flag(toplevel_list_wfs_residual_program, false)).
flg_effect(toplevel_prompt, 'a ', current_prolog_flag(toplevel_prompt, 'a ')).
flg_effect(toplevel_residue_vars, true, current_prolog_flag(toplevel_residue_vars, true)).
flg_effect(toplevel_var_size, 1, current_prolog_flag(toplevel_var_size, 1)).
flg_effect(unknown, fail, \+ flg_no_such_predicate).
flg_effect(user_flags, error, ( gensym(flg_new_flag, F), catch(( set_prolog_flag(F, 1), fail ), error(existence_error(prolog_flag, F), _), true) )).
flg_effect(var_prefix, true, ( term_to_atom(T, 'X'), atom(T) )).
flg_effect(verbose, silent, flg_quiet(( print_message(informational, format("x", [])) ))).
flg_effect(warn_override_implicit_import, false, flg_quiet(":- use_module(library(lists)). append(flg).  last(flg, flg).")).
%   Set for good, or for the whole process: looked at in command.rs.
flg_elsewhere(protect_static_code).
flg_elsewhere(memory_limit).
flg_elsewhere(stack_limit).
%   For hooks of programs, which look at it.
flg_elsewhere(xref).
flg_elsewhere(detect_deadlocks).     % thread_tools.pl
flg_elsewhere(workers).              % light.pl
%   restraints.pl
flg_elsewhere(max_answers_for_subgoal).
flg_elsewhere(max_answers_for_subgoal_action).
flg_elsewhere(max_table_answer_size).
flg_elsewhere(max_table_answer_size_action).
flg_elsewhere(max_table_subgoal_size).
flg_elsewhere(max_table_subgoal_size_action).
flg_elsewhere(thread_kind).          % light.pl

%   What a thread has to say, as it is printed.
flg_thread_says(Text) :-
    thread_self(Me),
    thread_create(( with_output_to(string(S), ( current_output(O), set_stream(O, alias(user_error)), print_message(warning, format("said", [])) )), thread_send_message(Me, flg_said(S)) ), Id),
    thread_join(Id, _),
    ( thread_get_message(Me, flg_said(Text), [timeout(0)]) -> true ; Text = "[Thread" ).

:- dynamic(flg_told/1).
flg_quiet(What) :-
    retractall(flg_told(_)),
    setup_call_cleanup(
        asserta((user:message_hook(_, K, _) :- memberchk(K, [warning, error, informational]), \+ current_prolog_flag(verbose, silent), assertz(flg_told(K))), R),
        ( string(What) -> flg_load(What) ; call(What) ),
        erase(R)),
    \+ flg_told(_).

flg_refused(Flag, Value) :-
    catch(( set_prolog_flag(Flag, Value), fail ), error(E, _), true),
    memberchk(E, [permission_error(modify, flag, Flag), domain_error(_, Value), type_error(_, Value), existence_error(prolog_flag, Flag)]).

t(each_flag_refuses_or_has_an_effect,
  findall(F, ( current_prolog_flag(F, V), \+ sub_atom(F, 0, _, _, flg), \+ sub_atom(F, 0, _, _, values_), \+ sub_atom(F, 0, _, _, eff_),
               \+ flg_effect(F, _, _), \+ flg_elsewhere(F), flg_other(V, W), \+ flg_refused(F, W) ), Without),
  [Without], answers([[[]]])).
t(each_flag_may_be_set_to_what_it_is,
  findall(F, ( member(F, [gc, debug, last_call_optimisation, occurs_check, char_conversion, verbose_load, gc_thread, toplevel_mode, report_error, access_level]),
               current_prolog_flag(F, V), \+ catch(set_prolog_flag(F, V), _, fail) ), Refused), [Refused], answers([[[]]])).
t(each_flag_has_its_effect,
  findall(F-V, ( flg_effect(F, V, G), ( catch(G, _, fail) -> true ; \+ with_flag(F, V, G) ), \+ flg_told_only(G) ), Wrong), [Wrong], answers([[[]]])).
flg_told_only(current_prolog_flag(_, _)).
t(flags_that_are_missing,
  findall(F, ( member(F, [agc_margin, editor, history, tty_control, heartbeat, c_cc]),
               \+ flg_refused(F, 1) ), Accepted), [Accepted], answers([[[]]])).
t(flags_that_swipl_only_tells, findall(F, ( member(F, [compiled_at, home, executable, gmp_version, large_files, signals, shared_object_extension]), \+ flg_refused(F, a) ), L), [L],
  answers([[[]]])).
t(flag_gc, set_prolog_flag(gc, false), [], throws(permission_error(modify, flag, gc))).
t(flag_gc_type, set_prolog_flag(gc, flg_foo), [], throws(type_error(bool, flg_foo))).
t(flag_gc_on, set_prolog_flag(gc, on), [], answers([[]])).
t(flag_occurs_check, set_prolog_flag(occurs_check, true), [], throws(permission_error(modify, flag, occurs_check))).
t(flag_occurs_check_domain, set_prolog_flag(occurs_check, flg_foo), [], throws(domain_error(occurs_check, flg_foo))).
t(flag_created, create_prolog_flag(bounded, true, []), [], throws(permission_error(modify, flag, bounded))).
t(flag_created_type, create_prolog_flag(gc, flg_foo, []), [], throws(type_error(bool, flg_foo))).
t(flag_iso_options, with_flag(iso, true,
    ( member(G-E, [message_queue_create(_, [foo(b)])-queue_option, create_prolog_flag(zz, 1, [foo(b)])-prolog_flag_option, thread_get_message(main, x, [foo(b)])-timeout_option,
                   engine_create(x, true, _, [foo(b)])-engine_option, numbervars(f(_), 0, _, [foo(b)])-numbervar_option, thread_wait(true, [foo(b)])-timeout_option,
                   thread_update(true, [foo(b)])-thread_update_options, transaction(true, [foo(b)])-transaction_option, wildcard_match("a", "a", [foo(b)])-wildcard_option,
                   portray_clause(user_output, a, [foo(b)])-write_option]),
      \+ catch(( call(G), fail ), error(domain_error(E, foo(b)), _), true ) )), [G], answers([])).
t(flag_iso_lenient, with_flag(iso, true, load_files([], [foo(b)])), [], answers([[]])).
t(open_type, open(x, write, _, [type(foo)]), [], throws(domain_error(stream_option, type(foo)))).
t(flag_iso_new, with_flag(iso, true, set_prolog_flag(flg_unknown_flag, 1)), [], throws(domain_error(prolog_flag, flg_unknown_flag))).
t(flag_debug_off, with_flag(optimise_debug, true, expand_goal(( a, debug(flg, "", []), debugging(flg), assertion(b) ), G)), [G], answers([[( a, true, fail, true )]])).
t(encoding_bad, set_prolog_flag(encoding, flg_foo), [], throws(domain_error(encoding, flg_foo))).

% style_check/1, as in SWI-Prolog but for styles that there are not.

t(style_atom, style_check(flg_foo), [], throws(type_error('+|-|?(Flag)', flg_foo))).
t(style_number, style_check(1), [], throws(type_error('+|-|?(Flag)', 1))).
t(style_unknown, style_check(+flg_foo), [], throws(domain_error(style_name, flg_foo))).
t(style_unbound, style_check(_), [], throws(instantiation_error)).
t(style_list, ( style_check([]), style_check([+discontiguous, [+singleton]]), style_check(?(singleton)) ), [], answers([[]])).
t(style_list_wrong, style_check([+singleton, flg_foo]), [], throws(type_error('+|-|?(Flag)', flg_foo))).
t(style_list_partial, style_check([+singleton|_]), [], throws(instantiation_error)).
t(style_asked, style_check(?(singleton)), [], answers([[]])).
t(style_asked_off, style_check(?(var_branches)), [], fails).
t(style_off, style_check(-var_branches), [], answers([[]])).
t(style_not_there, style_check(+var_branches), [], throws(permission_error(modify, style, var_branches))).
t(style_of_a_file, ( flg_load(":- style_check(-singleton). flg_file(X)."), style_check(?(singleton)), current_prolog_flag(generate_debug_info, true) ), [], answers([[]])).

% Declarations that say something to predicate_property/2 only.

t(declare_public, ( flg_load(":- public(flg_pub/0). flg_pub."), predicate_property(flg_pub, public), \+ predicate_property(flg_pub, volatile) ), [], answers([[]])).
t(declare_volatile, ( flg_load(":- volatile(flg_vol/0). flg_vol."), predicate_property(flg_vol, volatile) ), [], answers([[]])).
t(declare_noprofile, ( flg_load(":- noprofile(flg_nop/0). flg_nop."), predicate_property(flg_nop, noprofile) ), [], answers([[]])).
t(declare_again, ( flg_load(":- noprofile(flg_nop2/0). flg_nop2."), flg_load("flg_nop2."), predicate_property(flg_nop2, noprofile) ), [], fails).
t(declare_defines_nothing, ( noprofile(flg_none/0), flg_none ), [], throws(existence_error(procedure, flg_none/0))).
t(declare_type, public(flg_foo), [], throws(type_error(predicate_indicator, flg_foo))).
t(declare_builtin, volatile(atom/1), [], throws(permission_error(modify, static_procedure, atom/1))).

t(flag, ( flag(flg_key, A, 5), flag(flg_key, B, B + 1), flag(flg_key, C, 0) ), [A, B, C], answers([[0, 5, 6]])).
