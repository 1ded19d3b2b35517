% What is accepted has an effect: flags of modules, predicates about whole predicates, and what is left of other systems.
% The expectations are those of SWI-Prolog.

% --- flags that modules have their own values of ---

eff_in(Module, Flag, Value, Goal) :-
    current_prolog_flag(Module:Flag, Old),
    setup_call_cleanup(set_prolog_flag(Module:Flag, Value), Goal, set_prolog_flag(Module:Flag, Old)).

t(quotes_read, ( set_prolog_flag(eff_m2:double_quotes, atom), open_string("\"ab\".", S), read_term(S, X, [module(eff_m2)]), close(S) ), [X], answers([[ab]])).
t(quotes_read_text, eff_in(user, double_quotes, codes, term_to_atom(X, '"ab"')), [X], answers([[[97, 98]]])).
t(quotes_read_option, eff_in(user, double_quotes, codes, ( open_string("\"ab\".", S), read_term(S, X, [double_quotes(atom)]), close(S) )), [X], answers([[ab]])).
t(quotes_thread, eff_in(user, double_quotes, codes, ( thread_create(( term_to_atom(X, '"ab"'), X == [97, 98] ), Id), thread_join(Id, Status) )), [Status],
  answers([[true]])).
t(quotes_bad, set_prolog_flag(eff_m1:double_quotes, eff_bad), [], throws(domain_error(double_quotes, eff_bad))).
t(unknown_of_module, ( set_prolog_flag(eff_m3:unknown, fail), eff_m3:eff_no_such(_) ), [], fails).
t(unknown_inherited, eff_in(user, unknown, fail, eff_m4:eff_no_such(_)), [], fails).
t(unknown_not_elsewhere, ( set_prolog_flag(eff_m5:unknown, fail), eff_m6:eff_no_such(_) ), [], throws(existence_error(procedure, eff_m6:eff_no_such/1))).
t(unknown_goes_before, eff_in(user, unknown, fail, ( set_prolog_flag(eff_m7:unknown, error), eff_m7:eff_no_such(_) )), [],
  throws(existence_error(procedure, eff_m7:eff_no_such/1))).
:- dynamic(eff_message/1).
:- multifile(user:message_hook/3).
:- dynamic(user:message_hook/3).
t(unknown_warns, ( set_prolog_flag(eff_m8:unknown, warning), retractall(eff_message(_)),
                   asserta((user:message_hook(_, K, _) :- assertz(eff_message(K))), R),
                   ( eff_m8:eff_no_such(_) -> true ; true ), erase(R), findall(M, eff_message(M), Ms) ), [Ms], answers([[[warning]]])).
t(flag_off, ( current_prolog_flag(debug, off), \+ current_prolog_flag(debug, on) ), [], answers([[]])).
t(flag_on, ( set_prolog_flag(eff_flag, true), set_prolog_flag(eff_flag, off), current_prolog_flag(eff_flag, X) ), [X], answers([[false]])).
t(flag_is_atom, current_prolog_flag(eff_m:f(x), _), [], throws(type_error(_, _))).

% --- predicates about predicates ---

:- dynamic(eff_from/1).
:- dynamic(eff_to/1).
:- dynamic(eff_static/1).
eff_from(1).
eff_from(X) :- Y = X, eff_from(Y, _).
eff_static(1).
eff_static(2).
eff_compiled(1).
eff_compiled(_).

t(copy_clauses, ( copy_predicate_clauses(eff_from/1, eff_to/1), copy_predicate_clauses(eff_from/1, eff_to/1), findall(eff_to(X)-B, clause(eff_to(X), B), L) ), [L],
  answers([[[eff_to(1)-true, eff_to(A)-(B=A, eff_from(B, _)), eff_to(1)-true, eff_to(C)-(D=C, eff_from(D, _))]]])).
t(copy_clauses_new, ( copy_predicate_clauses(eff_from/1, eff_new/1), predicate_property(eff_new(_), dynamic), predicate_property(eff_new(_), number_of_clauses(N)) ), [N],
  answers([[2]])).
t(copy_clauses_static, ( copy_predicate_clauses(eff_compiled/1, eff_copied/1), findall(X, clause(eff_copied(X), true), L) ), [L], answers([[[1, _]]])).
t(copy_clauses_modules, ( assertz(eff_a:p(1)), copy_predicate_clauses(eff_a:p/1, eff_b:q/1), eff_b:q(X) ), [X], answers([[1]])).
t(copy_clauses_to_system, copy_predicate_clauses(eff_from/1, atom/1), [], throws(permission_error(modify, static_procedure, _))).
t(copy_clauses_of_system, copy_predicate_clauses(atom/1, eff_new2/1), [], throws(permission_error(access, private_procedure, atom/1))).
t(copy_clauses_unbound, copy_predicate_clauses(_, eff_to/1), [], throws(instantiation_error)).
t(compile, ( compile_predicates([eff_static/1]), predicate_property(eff_static(_), static), findall(X, eff_static(X), L) ), [L], answers([[[1, 2]]])).
t(compile_then_assert, ( compile_predicates([eff_static/1]), assertz(eff_static(3)) ), [], throws(permission_error(modify, static_procedure, eff_static/1))).
t(compile_empty, ( dynamic(eff_empty/0), compile_predicates([eff_empty/0]), \+ predicate_property(eff_empty, _), eff_empty ), [], throws(existence_error(procedure, eff_empty/0))).
t(compile_unbound, compile_predicates(_), [], throws(instantiation_error)).
t(compile_undefined, compile_predicates([eff_static/1, eff_nowhere/1]), [], throws(existence_error(procedure, user:eff_nowhere/1))).
t(compile_builtin, compile_predicates([atom_length/2]), [], throws(existence_error(procedure, user:atom_length/2))).
t(compile_no_list, compile_predicates(eff_static/1), [], throws(type_error(list, eff_static/1))).
t(rules, predicate_property(eff_from(_), number_of_rules(N)), [N], answers([[1]])).
t(rules_none, predicate_property(eff_compiled(_), number_of_rules(N)), [N], answers([[0]])).
t(rules_library, predicate_property(append(_, _, _), number_of_rules(N)), [N], answers([[1]])).
t(rules_asserted, ( retractall(eff_a:r(_)), assertz(eff_a:r(1)), assertz((eff_a:r(X) :- atom(X))), assertz((eff_a:r(_) :- true)),
                    predicate_property(eff_a:r(_), number_of_rules(N)) ), [N], answers([[1]])).
t(functor_known, current_functor(eff_from, 1), [], answers([[]])).
t(functor_arity, current_functor(eff_from, a), [], throws(type_error(integer, a))).
t(functor_negative, current_functor(eff_from, -1), [], fails).
t(functor_name, current_functor(f(x), 1), [], throws(type_error(atom, f(x)))).
t(functor_arities, ( findall(A, ( current_functor(eff_compiled, A), A > 0 ), L) ), [L], answers([[[1]]])).
t(indicator_name, current_predicate(0/dog), [], throws(type_error(predicate_indicator, 0/dog))).
t(indicator_arity, current_predicate(foo/a), [], throws(type_error(predicate_indicator, foo/a))).
t(indicator_negative, current_predicate(foo/ -1), [], throws(domain_error(not_less_than_zero, -1))).
t(indicator_module, current_predicate(1:foo/2), [], throws(type_error(atom, 1))).

% --- the order of the empty list ---

t(nil_first, msort([b, [], 'A', '', "s", 1.0, f(x), '[]', '!'], L), [L], answers([[[1.0, "s", [], '', '!', 'A', '[]', b, f(x)]]])).
t(nil_compare, ( compare(A, [], ''), compare(B, '', []), compare(C, [], '[]'), compare(D, [], []), compare(E, "", []) ), [A, B, C, D, E], answers([[<, >, <, =, <]])).
t(nil_keys, keysort([b-1, []-2, ''-3], L), [L], answers([[[[]-2, ''-3, b-1]]])).

% --- format/2 ---

t(groups, format("~I ~I ~I", [1234567, 123, -1234567890]), [], output("1_234_567 123 -1_234_567_890")).
t(groups_of, format("~4I ~1I ~0I", [1234567, 123, 1234]), [], output("123_4567 1_2_3 1234")).
t(groups_float, format("~I", [1.5]), [], throws(format_argument_type('I', 1.5))).
t(groups_read, ( format(atom(A), "~I", [123456789]), atom_number(A, N) ), [N], answers([[123456789]])).

% --- others ---

t(spaces_nil, normalize_space(atom(_), []), [], throws(type_error(_, []))).
t(spaces_list, normalize_space(atom(_), [a, b]), [], throws(type_error(_, [a, b]))).
t(spaces_number, normalize_space(atom(A), 12), [A], answers([['12']])).
t(link_value, ( nb_linkval(eff_k, f(1)), nb_getval(eff_k, X) ), [X], answers([[f(1)]])).
t(link_value_key, nb_linkval(f(x), 1), [], throws(type_error(atom, f(x)))).
t(go_home, ( working_directory(Old, Old), setup_call_cleanup(cd('/'), working_directory(D, D), working_directory(_, Old)) ), [D], answers([['/']])).
t(ls_unbound, ls(_), [], throws(instantiation_error)).
t(ls_list, ls([a, b]), [], throws(type_error(atomic, [a, b]))).
