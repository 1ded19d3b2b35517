% The differences that docs/compatibility.md explains: known(Name, Goal, Ours, Theirs), where Goal is what was called and a result is
% r(Output, Solutions, End), as run.pl prints it. The first that fits is counted.

known(limit, _, r(_, _, E), r(_, _, F)) :- E \== died, ( E == limit ; F == limit ; F == died ), !.
known(cyclic, _, O, T) :- ( holds(O, cyclic) ; holds(T, cyclic) ), !.
known(choicepoints, _, r(O, S, exit), r(P, T, fail)) :- r(O, S) =@= r(P, T), S \== [].
known(more_choicepoints, Goal, r(O, S, fail), r(P, T, exit)) :- r(O, S) =@= r(P, T), calls(Goal, [foldl/6, foldl/5, (@)/2, group_pairs_by_key/2, maplist/5, upper_lower/2, char_type/2, code_type/2, maplist/4]).
known(missing, Goal, r(_, _, error(existence_error(procedure, PI))), _) :- '$absent'(PI, _), PI = Name/_, has_name(Goal, Name).
known(version, Goal, _, r(_, _, error(existence_error(procedure, PI)))) :- PI = Name/_, has_name(Goal, Name), newer(Newer), memberchk(Name, Newer).
known(zero_arguments, _, r(_, _, _), r(_, _, error(domain_error(compound_non_zero_arity, _)))).
known(lambda_backslash, _, _, r(_, _, error(existence_error(procedure, (\)/_)))).
known(representation, blob(_, _), r(O, [[text]|_], E), r(O, [[ucs_text]|_], E)).
known(text_errors, _, r(_, _, error(type_error(T, _))), r(_, _, fail)) :- memberchk(T, [file_path, text, atomic]).
known(text_errors, Goal, r(_, _, error(instantiation_error)), r(_, _, fail)) :- calls(Goal, [base64_encoded/3, midstring/5]).
known(text_errors, Goal, r(_, _, error(syntax_error(_))), r(_, _, error(type_error(list, _)))) :- calls(Goal, [atom_to_term/3]).
known(file_errors, Goal, r(_, _, error(_)), r(_, _, error(_))) :- calls(Goal, [make_directory/1, directory_files/2, delete_directory/1]).
known(same_option_twice, Goal, r(_, [_|_], E), r(_, [_|_], E)) :- calls(Goal, [merge_options/3]).
known(defaults_of_options, Goal, _, r(_, _, error(instantiation_error))) :- calls(Goal, [opt_parse/4]).
known(null_streams, Goal, r(_, _, error(permission_error(reposition, stream, _))), _) :- calls(Goal, [open_null_stream/1]).
known(exact_numbers, Goal, r(_, [[]], exit), r(_, [[]], exit)) :- calls(Goal, [format/1, format/2]).
known(exact_numbers, _ is _ >> _, r(_, [_], _), _).
known(empty_list_goals, Goal, r(_, _, error(existence_error(procedure, []/0))), r(_, _, error(type_error(callable, _)))) :- callable(Goal).
known(lambda_culprit, _, r(_, _, error(domain_error(lambda_parameters, _ >> _))), r(_, _, error(domain_error(lambda_parameters, _ >> (_ : _))))).
known(determinism_error, _, r(_, [], fail), r(_, _, error(determinism_error(_, _, _, _)))).
known(checked_arguments, Goal, r(_, _, error(E)), _) :- refused(E), from_library(Goal).
known(checked_arguments, Goal, r(_, [_|_], _), r(_, _, error(_))) :- calls(Goal, [oset_dint/2]).
known(checked_arguments, _, r(_, _, error(E)), r(_, _, error(existence_error(matching_rule, _)))) :- refused(E).
known(unordered_sets, Goal, r(_, _, E), r(_, _, F)) :- \+ E = error(_), \+ F = error(_), of_sets(Goal).
known(options, Goal, r(_, _, error(E)), r(_, _, error(_))) :- takes_options(Goal), of_options(E).
known(options, Goal, r(_, [], error(domain_error(K, O))), _) :- takes_options(Goal), sub_atom(K, _, _, 0, option), shape(O, Name, 1), memberchk(Name, [comments, subterm_positions, dotlists, cycles, backquoted_string, attributes, blobs, portray_goal, lock, wait, create, locale]).
known(options, _, r(_, _, error(domain_error(K, O))), r(_, _, error(type_error(option, O)))) :- sub_atom(K, _, _, 0, option).
known(options, Goal, r(O, [_|_], E), r(O, [_|_], E)) :- ( Goal = term_string(_, _, Os) ; Goal = read_term_from_atom(_, _, Os) ), memberchk(term_position(_), Os).
known(rb_partial_map, Goal, _, _) :- has_name(Goal, rb_partial_map).
known(operators_of_brackets, Goal, r(_, _, error(permission_error(create, operator, _))), _) :- has_name(Goal, op).
known(operator_priority, current_op(0, _, _), r(_, [], fail), r(_, [], error(domain_error(operator_priority, 0)))).
known(operator_priority, Goal, r(_, _, error(domain_error(operator_priority, _))), _) :- has_name(Goal, op).
known(body_variables, Goal, _, r(_, _, error(_))) :- calls(Goal, [assertz/1, asserta/1, assertz/2, asserta/2]), body(Goal, Body), open_goal(Body).
known(body_modules, Goal, _, r(_, _, error(_))) :- calls(Goal, [assertz/1, asserta/1, assertz/2, asserta/2]), body(Goal, Body), within(M:_, Body), \+ atom(M).
known(clause_body, Goal, r(_, _, error(type_error(callable, _))), r(_, [], fail)) :- calls(Goal, [clause/2, clause/3]).
known(private_clauses, Goal, r(_, _, error(permission_error(access, private_procedure, _/_))), _) :- calls(Goal, [clause/2, clause/3, nth_clause/3]).
known(empty_list_module, Goal, _, r(_, _, error(type_error(_, [])))) :- within([]:_, Goal).
known(module_name, _, r(O, S, error(type_error(module, M))), r(O, S, error(type_error(atom, M)))).
known(empty_list_module, Goal, _, _) :- calls(Goal, [import_module/2]).
known(types, Goal, _, r(_, _, error(existence_error(type, _)))) :- calls(Goal, [must_be/2, is_of_type/2, convert_setting_text/3]).
known(types, Goal, _, _) :- ( Goal = must_be(T, _) ; Goal = is_of_type(T, _) ), memberchk(T, [bool, order, list_or_partial, encoding]).
known(expand_term, Goal, r(_, [_|_], E), r(_, [_|_], E)) :- calls(Goal, [expand_term/2]).
known(locales, Goal, r(_, [_|_], _), r(_, [_|_], _)) :- calls(Goal, [locale_create/3, locale_property/2, current_locale/1]).
known(locales, Goal, r(_, _, error(type_error(locale_property, []))), r(_, _, error(domain_error(locale_property, [])))) :- calls(Goal, [locale_property/2]).
known(locales, Goal, _, _) :- calls(Goal, [collation_key/2]).
known(hash_keys, Goal, _, r(_, _, error(instantiation_error))) :- has_name(Goal, Name), sub_atom(Name, 0, _, _, ht_).
known(shared_variables, Goal, _, _) :- calls(Goal, [sub_atom/5, sub_string/5, varnumbers/3, varnumbers/2, max_var_number/3, term_string/3, copy_term/3]), twice(Goal).
known(shared_variables, Goal, _, _) :- calls(Goal, [varnumbers/3]).
known(braces, Goal, _, r(_, _, error(existence_error(procedure, {}/_)))) :- callable(Goal).
known(lists_as_text, Goal, _, _) :- calls(Goal, [xdigits/1, xdigit/1, xinteger/1]).
known(transparent, predicate_property(_, P), r(_, [], fail), _) :- P == transparent.
known(functor_limits, _, r(_, _, error(representation_error(_))), _).
known(type_tests, Goal, _, _) :- calls(Goal, [current_type/3]).
known(format_errors, Goal, r(_, _, error(_)), r(_, _, error(_))) :- has_name(Goal, Name), sub_atom(Name, 0, _, _, format), Name \== format_time.
known(sinks, Goal, r(_, _, error(type_error(character, _))), r(_, _, exit)) :- has_name(Goal, put_char).
known(sinks, _, r(_, _, error(_)), r(_, _, error(type_error(output, _)))).
known(string_streams, Goal, _, _) :- within(open_string(_, _), Goal), calls(Goal, [get_byte/2, peek_byte/2, set_stream/2]).
known(string_streams, Goal, _, _) :- within(stream_property(_, E), Goal), nonvar(E), E = encoding(_).
known(stream_properties, Goal, r(_, [_|_], _), r(_, [_|_], _)) :- calls(Goal, [stream_property/2]), within(stream_property(_, P), Goal), var(P), !.
known(stream_properties, Goal, r(_, [], fail), r(_, [_|_], _)) :- calls(Goal, [stream_property/2]), within(stream_property(_, P), Goal), nonvar(P), shape(P, Name, _), memberchk(Name, [error, buffer_size, locale, nlink, close_on_exec]), !.
known(stream_properties, Goal, r(_, [_|_], _), r(_, [_|_], _)) :- within(stream_property(_, P), Goal), nonvar(P), shape(P, Name, 1), memberchk(Name, [position, end_of_stream, buffer, buffer_size]), !.
known(stream_properties, Goal, r(_, [], error(domain_error(stream_property, _))), r(_, [], _)) :- calls(Goal, [stream_property/2]).
known(stream_errors, Goal, r(_, _, error(_)), r(_, _, E)) :- about_streams(Goal), ( E = error(_) ; E == fail ), !.
known(threads, Goal, r(_, [], error(_)), _) :- ( within(thread_create(G, _), Goal) ; within(thread_create(G, _, _), Goal) ), \+ callable(G), !.
known(threads, Goal, _, _) :- calls(Goal, [concurrent/3, concurrent_and/2, concurrent_forall/2, first_solution/3]).
known(threads, Goal, r(_, [_|_], _), r(_, [_|_], _)) :- calls(Goal, [thread_property/2]).
known(error_context, _, O, T) :- without_context(O, O1), without_context(T, T1), O1 =@= T1.
known(setarg, Goal, _, _) :- calls(Goal, [setarg/3, nb_setarg/3]), within(setarg(_, f(A, B), _), Goal), ( var(A) ; var(B) ), !.
known(variable_order, Goal, r(_, S, E), r(_, T, E)) :- calls(Goal, [max_member/2, min_member/2, max_member/3, min_member/3, empty_nb_set/1, sort/2, sort/4, predsort/3, msort/2, aggregate_all/3, setof/3, list_to_set/2, sub_term_shared_variables/3]), S \== [], T \== [].
known(variable_order, maplist(C, _, _), r(_, [_|_], _), r(_, [_|_], _)) :- memberchk(C, [@<, @>, @=<, @>=, compare(_)]).
known(dates, Goal, _, _) :- calls(Goal, [stamp_date_time/3]).
known(dates, Goal, r(_, [_|_], E), r(_, [_|_], E)) :- calls(Goal, [format_time/3, format_time/4]).
known(base32, Goal, _, _) :- calls(Goal, [base32/2]).
known(extremes, aggregate_all(T, _, _), r(_, [], fail), _) :- nonvar(T), ( T = max(_) ; T = min(_) ), !.
known(extremes, Goal, _, r(_, [], error(E))) :- calls(Goal, [aggregate_all/3, aggregate_all/4, aggregate/3, aggregate/4]), E = domain_error(aggregate_template, _).
known(extremes, Goal, _, _) :- ( Goal = aggregate_all(T, _, _) ; Goal = aggregate_all(T, _, _, _) ; Goal = aggregate(T, _, _) ), nonvar(T), ( T = max(_, _) ; T = min(_, _) ).
known(functions, Goal, _, r(_, _, error(type_error(evaluable, F)))) :- shape(Goal, _, _), newer_functions(Fs), memberchk(F, Fs).
known(arithmetic, Goal, _, _) :- calls(Goal, [bounded_number/3]).
known(zero_arguments, _, r(_, _, error(domain_error(compound_non_zero_arity, _))), _).
known(order_of_all, Goal, _, _) :- ( calls(Goal, [predicate_property/2]), within(predicate_property(V, _), Goal) ; calls(Goal, [current_predicate/2]), within(current_predicate(_, V), Goal) ), var(V), !.
known(order_of_all, Goal, _, _) :- calls(Goal, [current_prolog_flag/2, set_prolog_flag/2]), sub_term(V, Goal), var(V), !.
known(order_of_all, Goal, r(_, [_|_], _), r(_, [_|_], _)) :- calls(Goal, [current_op/3, current_predicate/1, current_predicate/2, current_prolog_flag/2, current_atom/1, current_blob/2, predicate_property/2, prolog_load_context/2, current_arithmetic_function/1, current_key/1, recorded/2, char_type/2]).
known(shared_variables, Goal, r(_, [_|_], _), r(_, [], fail)) :- within(current_blob(A, B), Goal), A == B.
known(code_types, Goal, r(_, [_|_], _), r(_, [], error(instantiation_error))) :- of_class(Goal, C, T), var(C), var(T).
known(code_types, Goal, _, r(_, [_|_], _)) :- of_class(Goal, C, T), memberchk(T, [quote, period]), ( var(C) ; integer(C), C > 255 ), !.
known(code_types, Goal, _, _) :- of_class(Goal, C, T), var(C), nonvar(T), ( T = upper(_) ; T = lower(_) ), !.
known(shared_variables, is_digit(C, _, W), r(_, [], error(_)), r(_, [], error(_))) :- compound(C), var(W).
known(shared_variables, Goal, r(_, [_|_], _), r(_, [], fail)) :- of_class(Goal, C, T), var(C), compound(T), arg(1, T, D), C == D.
known(uris, Goal, r(_, _, E), r(_, _, F)) :- has_name(Goal, Name), sub_atom(Name, 0, _, _, uri), \+ E = error(_), \+ F = error(_).
known(uris, Goal, _, _) :- calls(Goal, [uri_iri/2, uri_resolve/3, uri_authority_components/2, url_iri/2, global_url/3, www_form_encode/2]).
known(syntax_names, _, r(_, _, E), r(_, _, F)) :- syntax(E), syntax(F).
known(size_abstract, Goal, _, _) :- calls(Goal, [size_abstract_term/3]).
known(duplicate_keys, Goal, r(_, [_|_], _), r(_, [_|_], _)) :- calls(Goal, [list_to_rbtree/2, ord_list_to_rbtree/2]).
known(empty_list_module, _, r(_, [], error(_)), r(_, [], error(type_error(_, [])))).
known(empty_list_module, _, r(_, [], error(type_error(callable, []))), _).
known(representation, Goal, r(_, [_|_], _), r(_, [_|_], _)) :- calls(Goal, [format_to_codes/4, set_output/1, set_input/1, current_blob/2, write_length/3, predicate_label/2, print_message_lines/3, listing/1, prompt/2, tmp_file/2]).
known(representation, Goal, _, _) :- calls(Goal, [current_key/1, recorded/2]), sub_term(V, Goal), var(V), !. % (gensym/2 keeps its numbers there.)
known(representation, Goal, _, _) :- calls(Goal, [get_flag/2, unknown/2, unsetenv/1]). % (what other goals have set, if one of them ended the process)
known(consult_lists, Goal, r(_, [_|_], _), r(_, _, error(permission_error(modify, static_procedure, '[|]'/2)))) :- callable(Goal).
known(consult_lists, retract([_|_]), r(_, [], fail), r(_, [], error(permission_error(modify, static_procedure, _)))).
known(consult_lists, Goal, _, _) :- sub_term(L, Goal), L = [_|_], called(L, Goal).
known(numbers_as_text, _, r(_, _, E), r(_, [], error(type_error(T, N)))) :- number(N), memberchk(T, [text, atom, string]), \+ E = error(existence_error(procedure, _)).
known(numbers_as_text, _, r(_, [], error(type_error(T, N))), _) :- number(N), memberchk(T, [text, atom, string]).
known(lists_as_text, _, r(_, _, E), r(_, [], error(type_error(T, L)))) :- L = [_|_], memberchk(T, [atomic, atom, text]), \+ E = error(existence_error(procedure, _)).
known(numbers_as_text, _, r(_, _, E), r(_, [], error(type_error(atom, [])))) :- \+ E = error(_).
known(numbers_as_text, Goal, _, r(_, [], error(type_error(atom, F)))) :- calls(Goal, [see/1, tell/1, append/1]), string(F).
known(lists_as_text, Goal, _, _) :- calls(Goal, [writef/1, writef/2, string_bytes/3]).
known(text_errors, _, r(_, [], error(type_error(text, _))), r(_, [], E)) :- ( E = error(F), text_error(F) ; E == fail ), !.
known(several_mistakes, Goal, r(O, S, error(E)), r(P, T, error(F))) :- r(O, S) =@= r(P, T), about(E, A), about(F, B), A \=@= B, wrong_in(A, Goal), wrong_in(B, Goal).
known(results, Goal, r(_, [_|_], _), r(_, [], fail)) :- calls(Goal, [csv_read_row/3]).
known(results, Goal, r(_, [], fail), r(_, _, error(syntax_error(_)))) :- callable(Goal).
known(results, Goal, r(_, [], error(syntax_error(_))), r(_, _, fail)) :- calls(Goal, [uri_query_components/2, read_clause/1]).
known(results, Goal, r(_, [], fail), r(_, [], error(type_error(_, _)))) :- only_results(Names), has_name(Goal, Name), memberchk(Name, Names), !.
known(results, Goal, r(_, [], fail), r(_, [], error(instantiation_error))) :- only_results(Names), has_name(Goal, Name), memberchk(Name, Names), !.
known(results, Goal, r(_, [], fail), r(_, [], error(domain_error(_, _)))) :- only_results(Names), has_name(Goal, Name), memberchk(Name, Names), !.

syntax(error(syntax_error(_))).
syntax(syntax(_)).

refused(type_error(_, _)).
refused(instantiation_error).
refused(domain_error(_, _)).

text_error(type_error(T, _)) :- memberchk(T, [character_code, atomic, atom, output, string, text, list, character, 'key-value']).
text_error(domain_error(character, _)).
text_error(instantiation_error).
text_error(existence_error(_, _)).
text_error(representation_error(_)).

twice(Goal) :- compound(Goal), compound_name_arguments(Goal, _, As), select(V, As, Rest), var(V), member(W, Rest), W == V, !.

% The goal asks for the class of a character.
of_class(char_type(C, T), C, T).
of_class(code_type(C, T), C, T).
of_class(is_quote(C), C, quote).
of_class(is_period(C), C, period).
of_class(upper_lower(C, L), C, upper(L)).
of_class(is_digit(C, 10, W), C, digit(W)).

% What an error is about.
about(instantiation_error, unbound).
about(uninstantiation_error(C), C).
about(type_error(_, C), C).
about(domain_error(_, C), C).
about(existence_error(_, C), C).
about(permission_error(_, _, C), C).
about(representation_error(W), W).
about(evaluation_error(W), W).
about(syntax_error(W), W).

% What an error is about is in the goal.
wrong_in(unbound, Goal) :- !, \+ ground(Goal).
wrong_in(Culprit, Goal) :- sub_term(T, Goal), T =@= Culprit, !.

without_context(T, T1) :-
    (   T = context(_, _) -> T1 = context
    ;   string(T), sub_string(T, B, _, _, "context(") -> sub_string(T, 0, B, _, T1)
    ;   compound(T) -> compound_name_arguments(T, F, As), maplist(without_context, As, Bs), compound_name_arguments(T1, F, Bs)
    ;   T1 = T
    ).

holds(r(_, S, E), W) :- ( E == W ; member(X, S), X == W ), !.

% The name and the number of arguments, of `f()` too.
shape(T, Name, Arity) :- compound(T), !, compound_name_arity(T, Name, Arity).
shape(Name, Name, 0).

% The goals of a conjunction or another control construct.
part(Goal, Goal) :- callable(Goal).
part(Goal, Part) :- nonvar(Goal), control(Goal, A), part(A, Part).

control((A, B), G) :- ( G = A ; G = B ).
control((A -> B), G) :- ( G = A ; G = B ).
control((A *-> B), G) :- ( G = A ; G = B ).
control((A ; B), G) :- ( G = A ; G = B ).
control(_ : A, A).
control(findall(_, A, _), A).
control(phrase(A, _), A).
control(phrase(A, _, _), A).
control(call_dcg(A, _, _), A).

has_name(Goal, Name) :- part(Goal, Part), shape(Part, Name, _).

calls(Goal, PIs) :- part(Goal, Part), shape(Part, Name, Arity), memberchk(Name/Arity, PIs), !.

% A subterm, but no variable, which would be whatever is asked for.
within(T, Goal) :- sub_term(T0, Goal), nonvar(T0), T0 = T.

% A list that the goal may call: an element of a control construct or of a predicate that calls goals.
called(L, Goal) :- ( Goal == L ; compound(Goal), shape(Goal, Name, _), calling(Names), memberchk(Name, Names), arg(_, Goal, A), nonvar(A), called(L, A) ), !.

calling([',', ;, ->, *->, \+, ^, :, @, call, once, ignore, not, forall, findall, bagof, setof, aggregate_all, aggregate, catch, call_cleanup, setup_call_cleanup,
         setup_call_catcher_cleanup, findnsols, distinct, limit, offset, call_nth, order_by, group_by, foreach, reduced, with_output_to, intercept, assertion,
         catch_with_backtrace, call_with_inference_limit, body_term_calls, expand_goal, concurrent_maplist]).

body(Goal, Body) :- within((_ :- Body), Goal).

open_goal(B) :- var(B), !.
open_goal(B) :- ( B = (X, Y) ; B = (X ; Y) ; B = (X -> Y) ; B = (X *-> Y) ), !, ( open_goal(X) ; open_goal(Y) ), !.
open_goal(\+ B) :- open_goal(B).

takes_options(Goal) :-
    calls(Goal, [write_term/2, write_term/3, read_term/2, read_term/3, open/4, close/2, term_string/3, read_term_from_atom/3, read_term_from_codes/3, write_term_to_codes/3,
                 thread_create/3, numbervars/4, write_length/3, print_term/2, read_file_to_string/3, read_file_to_terms/3, read_file_to_codes/3, create_prolog_flag/3, locale_create/3]).

% The errors of option lists.
of_options(domain_error(_, _)).
of_options(type_error(_, _)).
of_options(instantiation_error).

% Predicates with arguments that are only results.
only_results([comma_list, semicolon_list, compound_name_arguments, compound_name_arity, aggregate, float_parts, functor, gensym, max_var_number, number_to_chars, atom_to_chars,
              randset, randseq, sub_atom_icasechk, utf8_codes, setting, most_general_goal, extend_goal, pi_head, opt_parse, string_code, expand_term, sublist, format_to_chars, format_to_codes, atom_to_term, term_to_atom]).

about_streams(Goal) :-
    part(Goal, Part),
    shape(Part, Name, _),
    memberchk(Name, [open, close, see, tell, seek, set_stream, set_input, set_output, get_char, get_byte, peek_byte, peek_code, get_code, peek_char, put_byte, put_char,
                     read_file_to_string, read_file_to_codes, read_file_to_terms, copy_stream_data, set_stream_position, stream_position_data, peek_string, read_string,
                     skip, open_null_stream, is_stream, stream_property, locale_property]),
    !.

newer([foldr, subseq, text_concat, ht_values, csyms, csym, prolog_symbol, xdigits, xinteger, digit, nonblank, prolog_var_name, is_list_or_partial, scanl, ugraph_layers,
       rb_partial_map, max_member, min_member, digits, integer, float, number]).

newer_functions([log2/1, trunc/1, cot/1, acot/1, plus/2, popcount/1, getbit/2, cmpflags/0, log/2, copysign/2, nexttoward/2, succ/1, powm/3, lsb/1, tzmsb/1, asinh/1, acosh/1, trig/0, roundtoward/2]).

of_sets(Goal) :-
    part(Goal, Part),
    shape(Part, Name, _),
    (   member(Prefix, [ord_, oset_]), sub_atom(Name, 0, _, _, Prefix)
    ;   memberchk(Name, [is_ordset, merge_set, merge, transpose_ugraph, add_vertices, del_vertices, add_edges, del_edges, reachable, ugraph_union, compose, complement,
                         transitive_closure, top_sort, vertices_edges_to_ugraph, connect_ugraph])
    ),
    !.

% Library predicates that look at their arguments first.
from_library(Goal) :-
    part(Goal, Part),
    shape(Part, Name, _),
    checking(Prefixes, Names),
    (   memberchk(Name, Names)
    ;   member(Prefix, Prefixes),
        sub_atom(Name, 0, _, _, Prefix)
    ),
    !.

checking([], [vertices, edges, add_vertices, del_vertices, add_edges, del_edges, transpose_ugraph, neighbours, neighbors, complement, compose, ugraph_union,
              connect_ugraph, transitive_closure, reachable, top_sort, vertices_edges_to_ugraph]).
checking([ord_, oset_], [list_to_ord_set, is_ordset, merge_set]).
checking([assoc_to_, rb_], [list_to_assoc, ord_list_to_assoc, put_assoc, get_assoc, gen_assoc, del_assoc, del_min_assoc, del_max_assoc, min_assoc, max_assoc,
                   map_assoc, list_to_rbtree, ord_list_to_rbtree]).
checking([ht_], [list_to_heap, heap_to_list, heap_size, add_to_heap, delete_from_heap, get_from_heap, min_of_heap, merge_heaps, empty_heap]).
checking([csv_, opt_, argv_, concurrent, directory_], [csv, option, select_option, merge_options, meta_options, first_solution]).
checking([], [predsort, transpose_pairs, pairs_keys_values, pairs_keys, pairs_values, list_to_set, max_member, min_member, sumlist, sum_list, max_list, min_list,
              subset, union, intersection, subtract, permutation, utf8_codes, predicate_sort_key, convert_setting_text, interpolate_string, foreach,
              mapargs, sort, string_without, phrase, copy_predicate_clauses, opt_parse, read_from_codes, read_from_chars, read_term_from_codes, read_term_from_chars, limit, offset, call_nth, numbervars, randseq, randset, sublist, partition,
              print_term, substring, nth_clause, apply, normalize_space, varnumbers, varnumbers_names, expand_file_name, dcg_translate_rule, lambda_calls, uri_file_name]).
