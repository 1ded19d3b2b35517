% Importing from module files: all, some, some but others, and under other names.

:- use_module(modules/languages).
:- use_module(modules/shapes, [area/2, corners/2 as number_of_corners, name_of//1, op(700, xfx, ===>)]).
:- use_module(modules/all_shapes, except([kinds/1])).
:- use_module(library(lists), [last/2 as final]).
:- use_module(modules/inner).
:- use_module(modules/callers).

mod_defined(G) :- catch(G, error(existence_error(procedure, _), _), fail).

t(header_with_languages, ( languages(X), predicate_property(languages(_), implementation_module(M)) ), [X, M], answers([[1, languages]])).
t(listed, area(square(3), A), [A], answers([[9]])).
t(renamed, number_of_corners(square(1), N), [N], answers([[4]])).
t(renamed_only, mod_defined(corners(square(1), _)), [], fails).
t(not_listed, mod_defined(perimeter(square(1), _)), [], fails).
t(qualified, shapes:perimeter(square(2), P), [P], answers([[8]])).
t(qualified_private, shapes:private(X), [X], answers([[secret]])).
t(grammar, phrase(name_of(X), [the, cat]), [X], answers([[cat]])).
t(operator, ( X = (a ===> b), functor(X, F, 2) ), [F], answers([[===>]])).
t(reexported_renamed, edges(circle, N), [N], answers([[0]])).
t(reexported_all, red(X), [X], answers([[255]])).
t(reexported_not, mod_defined(blue), [], fails).
t(except, mod_defined(kinds(_)), [], fails).
t(through_reexport, all_shapes:red(X), [X], answers([[255]])).
t(library_renamed, final([1, 2, 3], X), [X], answers([[3]])).
t(into_a_module, mod_inner:inner(X), [X], answers([[pink]])).
% What is no file, and what is no list of imports.
t(nonsense_specifications, ( findall(E, ( member(S, [if(changed), f(a, b), library(lists)/x, library(lists, x), a-b, {a}, [library(lists)|_]]), catch(use_module(S), error(E, _), true) ), Es) ), [Es],
    answers([[[existence_error(source_sink, if(changed)), existence_error(source_sink, f(a, b)), existence_error(source_sink, library(lists)/x), existence_error(source_sink, library(lists, x)),
               existence_error(source_sink, a-b), existence_error(source_sink, {a}), instantiation_error]]])).
t(nonsense_imports, ( findall(E, ( member(I, [except(last/2), except(_), [last/2 as _], [last/2 as 1], _]), catch(use_module(library(lists), I), error(E, _), true) ), Es) ), [Es],
    answers([[[type_error(list, last/2), type_error(list, _), instantiation_error, type_error(atom, 1), instantiation_error]]])).
t(strip_one, ( strip_module(a:b, M, T) ), [M, T], answers([[a, b]])).
t(strip_two, ( strip_module(a:b:c, M, T) ), [M, T], answers([[b, c]])).
t(strip_none, ( strip_module(c, M, T) ), [M, T], answers([[user, c]])).
t(strip_variable, ( strip_module(_, M, T), var(T) ), [M], answers([[user]])).
t(strip_number, ( strip_module(1:c, M, T) ), [M, T], answers([[user, 1:c]])).
t(module_there, current_module(shapes), [], answers([[]])).
t(module_not_there, current_module(no_such_module), [], fails).
t(module_of_a_clause, ( assertz(mod_asserted:p(1)), current_module(M), M == mod_asserted, retract(mod_asserted:p(1)) ), [], answers([[]])).
t(module_of_a_call, ( catch(mod_called:p, _, true), current_module(M), M == mod_called ), [], answers([[]])).
t(module_of_an_operator, ( op(200, xfx, mod_operator:(<<->>)), current_module(mod_operator) ), [], answers([[]])).
t(module_of_a_flag, ( set_prolog_flag(mod_flag:unknown, fail), current_module(mod_flag) ), [], answers([[]])).
t(module_of_a_declaration, ( dynamic(mod_declared:p/1), current_module(mod_declared) ), [], answers([[]])).
t(module_of_a_file, ( consult(mod_consulted:'/dev/null'), current_module(mod_consulted) ), [], answers([[]])).
t(strip_no_name_in_a_module, ( mod_inner:stripped(_:foo, M) ), [M], answers([[mod_inner]])).
t(meta_specifiers, catch(meta_predicate(mod_meta(foo)), error(E, _), true), [E], answers([[domain_error(meta_argument_specifier, foo)]])).
t(meta_specifiers_number, catch(meta_predicate(mod_meta(10)), error(E, _), true), [E], answers([[domain_error(meta_argument_specifier, 10)]])).
t(meta_specifiers_variable, catch(meta_predicate(mod_meta(_)), error(E, _), true), [E], answers([[instantiation_error]])).
t(meta_specifiers_type, catch(meta_predicate(mod_meta(1.0)), error(E, _), true), [E], answers([[type_error(meta_argument_specifier, 1.0)]])).
t(meta_system, catch(meta_predicate(atom_length(0, 0)), error(E, _), true), [E], answers([[permission_error(modify, static_procedure, atom_length/2)]])).
t(strip_in_a_module, mod_inner:own_module(M), [M], answers([[mod_inner]])).

% Goals of a module belong to it, whoever calls them.

t(caller_ignore, once(caller(ignore, X)), [X], answers([[yes]])).
t(caller_once, once(caller(once, X)), [X], answers([[1]])).
t(caller_not, once(caller(not, X)), [X], answers([[yes]])).
t(caller_forall, once(caller(forall, X)), [X], answers([[yes]])).
t(caller_maplist, once(caller(maplist, X)), [X], answers([[[2, 3]]])).
t(caller_foldl, once(caller(foldl, X)), [X], answers([[3]])).
t(caller_include, once(caller(include, X)), [X], answers([[[1, 2]]])).
t(caller_exclude, once(caller(exclude, X)), [X], answers([[[0]]])).
t(caller_partition, once(caller(partition, X)), [X], answers([[[1]-[0]]])).
t(caller_partition6, once(caller(partition6, X)), [X], answers([[[[1], [2], [3]]]])).
t(caller_convlist, once(caller(convlist, X)), [X], answers([[[2]]])).
t(caller_findall, once(caller(findall, X)), [X], answers([[[1, 2]]])).
t(caller_setof, once(caller(setof, X)), [X], answers([[[1-2]]])).
t(caller_aggregate_all, once(caller(aggregate_all, X)), [X], answers([[2]])).
t(caller_aggregate, once(caller(aggregate, X)), [X], answers([[2]])).
t(caller_with_output_to, once(caller(with_output_to, X)), [X], answers([["12"]])).
t(caller_call_cleanup, once(caller(call_cleanup, X)), [X], answers([[yes]])).
t(caller_setup_call_cleanup, once(caller(setup_call_cleanup, X)), [X], answers([[yes]])).
t(caller_catch, once(caller(catch, X)), [X], answers([[yes]])).
t(caller_predsort, once(caller(predsort, X)), [X], answers([[[1, 2]]])).
t(caller_phrase, once(caller(phrase, X)), [X], answers([[yes]])).
t(caller_limit, once(caller(limit, X)), [X], answers([[[1]]])).
t(caller_order_by, once(caller(order_by, X)), [X], answers([[[2, 1]]])).
t(caller_call_nth, once(caller(call_nth, X)), [X], answers([[2]])).
t(caller_apply, once(caller(apply, X)), [X], answers([[yes]])).
t(caller_call_n, once(caller(call_n, X)), [X], answers([[2]])).
t(caller_lambda, once(caller(lambda, X)), [X], answers([[[2]]])).
t(caller_foldl_lambda, once(caller(foldl_lambda, X)), [X], answers([[3]])).
t(caller_map_list_to_pairs, once(caller(map_list_to_pairs, X)), [X], answers([[[2-1]]])).
t(caller_thread, once(caller(thread, X)), [X], answers([[true]])).
t(caller_with_mutex, once(caller(with_mutex, X)), [X], answers([[yes]])).
t(caller_concurrent_maplist, once(caller(concurrent_maplist, X)), [X], answers([[[2, 3]]])).
t(caller_format, once(caller(format, X)), [X], answers([["12"]])).
t(caller_variable_goal, once(caller(variable_goal, X)), [X], answers([[2]])).
t(caller_meta_of_meta, once(caller(meta_of_meta, X)), [X], answers([[yes]])).
t(caller_own_meta, once(caller(own_meta, X)), [X], answers([[[2]]])).
t(caller_current_predicate, once(caller(current_predicate, X)), [X], answers([[yes]])).
t(caller_current_predicate_2, once(caller(current_predicate_2, X)), [X], answers([[yes]])).
t(caller_predicate_property, once(caller(predicate_property, X)), [X], answers([[yes]])).
t(caller_retractall, once(caller(retractall, X)), [X], answers([[[1]]])).
t(caller_clause, once(caller(clause, X)), [X], answers([[[1]]])).
t(caller_dynamic, once(caller(dynamic, X)), [X], answers([[[]]])).
t(caller_listing, once(caller(listing, X)), [X], answers([[":- dynamic stored/1.\n\nstored(1).\n\n"]])).
t(caller_initialization, once(caller(initialization, X)), [X], answers([[[1, 2]]])).
t(caller_thread_at_exit, once(caller(thread_at_exit, X)), [X], answers([[yes]])).
t(context_module, ( context_module(U), callers:context_module(M) ), [U, M], answers([[user, callers]])).
t(module_property_class, ( module_property(shapes, class(A)), module_property(lists, class(B)), module_property(system, class(C)) ),
  [A, B, C], answers([[user, library, system]])).
t(module_property_file, ( module_property(callers, file(F)), file_base_name(F, B) ), [B], answers([['callers.pl']])).
t(module_property_exports, ( module_property(callers, exports(L)), sort(L, S) ), [S],
  answers([[[apply_to/3, caller/2, caller_of/1]]])).
t(module_property_operators, module_property(shapes, exported_operators(L)), [L], answers([[[op(700, xfx, ===>)]]])).
t(module_property_no_operators, ( module_property(callers, exported_operators(A)), module_property(lists, exported_operators(B)) ), [A, B], answers([[[], []]])).
t(implementation_module, ( findall(M, ( member(G, [area(_, _), last(_, _), atom_length(_, _), callers:area(_, _), callers:no_such(_), callers:caller(_, _)]),
                                        predicate_property(G, implementation_module(M)) ), Ms) ), [Ms], answers([[[shapes, lists, system, shapes, callers, callers]]])).
t(module_property_line, module_property(callers, line_count(L)), [L], answers([[4]])).
t(module_property_none, module_property(no_such_module, class(_)), [], fails).
t(imported_from, ( predicate_property(area(_, _), imported_from(A)), predicate_property(last(_, _), imported_from(B)),
                   predicate_property(atom_length(_, _), imported_from(C)) ), [A, B, C], answers([[shapes, lists, system]])).
t(property_of_library, predicate_property(ugraphs:vertices(_, _), defined), [], answers([[]])).
t(not_imported, predicate_property(digit(_), imported_from(_)), [], fails).
t(exported, ( predicate_property(callers:caller(_, _), exported), \+ predicate_property(callers:digit(_), exported) ), [],
  answers([[]])).
t(caller_from_user, apply_to(mod_next, [1, 2], L), [L], answers([[[2, 3]]])).
t(caller_from_user_name, apply_to(plus_one, [1], L), [L], answers([[[user(1)]]])).
t(caller_explicit, ( callers:maplist(plus_one, [1], L) ), [L], answers([[[2]]])).
t(caller_library_property, ( predicate_property(foldl(_, _, _, _), meta_predicate(M)), functor(M, F, _), arg(1, M, A) ),
  [F, A], prefix([[foldl, 3]])).

mod_next(X, Y) :- Y is X + 1.

plus_one(X, user(X)).

digit(user).

%   Several at a time, in what import/1 and export/1 take.
t(import_several, ( assertz(mdl_i:a(1)), assertz(mdl_i:b(2)), assertz(mdl_i:c(3)), mdl_i:export((a/1, b/1, c/1)), mdl_j:import((mdl_i:a/1, mdl_i:b/1)), mdl_j:import([mdl_i:c/1]), mdl_j:a(X), mdl_j:b(Y), mdl_j:c(Z) ), [X, Y, Z], answers([[1, 2, 3]])).
t(import_several_unbound, import((lists:append/3, _)), [], throws(instantiation_error)).

% require/1: what a module calls and libraries define.
t(require, ( require([append/3, between/3, pairs_keys/2]), require(rq_m:(last/2, phrase_from_file//2)), findall(M, ( member(H, [last(_, _), phrase_from_file(_, _, _, _)]), predicate_property(rq_m:H, imported_from(M)) ), Ms) ), [Ms], throws(existence_error(procedure, phrase_from_file/4))).
t(require_more, ( require(rq_m2:[last/2, subtract/3]), rq_m2:last([1, 2], X) ), [X], answers([[2]])).
t(require_nowhere, require([rq_nowhere/3]), [], throws(existence_error(procedure, rq_nowhere/3))).
t(require_unbound, require(_), [], throws(instantiation_error)).
t(require_wrong, require([a/b]), [], throws(type_error(_, b))).
t(require_no_indicator, require(foo), [], throws(type_error(predicate_indicator, foo))).

t(redefine_system_predicate, ( redefine_system_predicate(succ_or_what(_)), redefine_system_predicate(mdl_own:last(_, _)) ), [], answers([[]])).
t(redefine_core, redefine_system_predicate(atom_length(_, _)), [], throws(permission_error(redefine, procedure, user:atom_length/2))).
t(redefine_unbound, redefine_system_predicate(_), [], throws(instantiation_error)).
t(redefine_type, redefine_system_predicate(1), [], throws(type_error(callable, 1))).

% How much the clauses of a module take, and may.
t(program_size, ( mod_sized:assertz(a(1)), module_property(mod_sized, program_size(S)), mod_sized:retract(a(1)), module_property(mod_sized, program_size(0)), S > 50 ), [], answers([[]])).
t(program_space, ( set_module(mod_sized2:program_space(2000)), module_property(mod_sized2, program_space(S)), catch(forall(between(1, 1000, X), mod_sized2:assertz(a(X))), error(E, _), true), mod_sized2:retractall(a(_)), mod_sized2:assertz(a(1)) ), [S, E], answers([[2000, resource_error(program_space)]])).
t(program_space_none, ( set_module(mod_sized3:program_space(100)), set_module(mod_sized3:program_space(0)), mod_sized3:assertz(a(1)), \+ module_property(mod_sized3, program_space(_)) ), [], answers([[]])).
t(program_space_used, ( mod_sized4:assertz(a(1)), set_module(mod_sized4:program_space(10)) ), [], throws(permission_error(limit, program_space, mod_sized4))).
t(program_space_negative, set_module(program_space(-1)), [], throws(type_error(nonneg, -1))).
