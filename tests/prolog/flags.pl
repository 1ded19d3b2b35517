% Prolog flags, and odds and ends of the system.
% ISO 13211-1, 7.11 and 8.17; statistics/2 and the like as in SWI-Prolog.

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
t(statistics_bad, statistics(flg_no_such, _), [], throws(domain_error(statistics_key, flg_no_such))).
t(get_time, ( get_time(X), float(X), X > 1.0e9 ), [], answers([[]])).
t(garbage_collect, garbage_collect, [], answers([[]])).
t(term_hash_ground, ( term_hash(f(a), X), integer(X) ), [], answers([[]])).
t(term_hash_unbound, term_hash(f(_), X), [X], answers([[_]])).
t(gensym, ( gensym(flg_s, X), atom_concat(flg_s, N, X), atom_number(N, M), integer(M) ), [], answers([[]])).
t(halt_atom, halt(a), [], throws(type_error(integer, a))).
t(halt_unbound, halt(_), [], throws(instantiation_error)).
t(sleep_zero, sleep(0), [], answers([[]])).
t(getenv_missing, getenv(flg_no_such_variable, _), [], fails).
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
t(debug_hook, ( asserta((prolog:debug_print_hook(T, F, A) :- nb_setval(flg_hook, [T, F, A])), Ref), print_message(silent, x), nodebug(flg_topic), debug(flg_topic), debug(flg_topic, "x~w", [1]), nodebug(flg_topic), erase(Ref), nb_getval(flg_hook, X) ), [X], answers([[[flg_topic, "x~w", user:[1]]]])).
t(no_internal_variables, ( nb_setval(flg_mine, 1), findall(K, nb_current(K, _), Ks), memberchk(flg_mine, Ks), \+ ( member(K, Ks), sub_atom(K, 0, _, _, $) ) ), [], answers([[]])).
t(autoload_false, ( set_prolog_flag(autoload, false), catch(flg_m:sumlist([1], _), error(E, _), true), catch(flg_m:sumlist([1], _), error(E, _), true), set_prolog_flag(autoload, true), flg_m:sumlist([1], X) ), [E, X], answers([[existence_error(procedure, flg_m:sumlist/2), 1]])).
t(op_of_system, op(700, xfx, system:flg_op), [], throws(permission_error(redefine, operator, system:flg_op))).
