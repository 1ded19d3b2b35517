%   Goals over every library, each with what is to be shown of its solutions; see surroundings.rs. What is called is qualified, so that it does
%   not depend on what the program defines.

:- module(probes, [run/1, take/1]).

:- meta_predicate(shown(?, 0, -)).

%!  run(+Libraries) is det.
run([]).
run([Library|Libraries]) :-
    forall(probe(Library, Template, Goal), (
        shown(Template, Goal, Result),
        write_term([Library|Result], [quoted(true), ignore_ops(true)]), nl )),
    run(Libraries).

%!  take(+Libraries) is det.
%   The program gets modules that are called as those of these libraries.
take([]).
take([Library|Libraries]) :-
    '$library_module'(Module, Library),
    (   ( sub_atom(Module, 0, _, _, $) ; '$library_loaded'(Library) ) -> true
    ;   format(string(Text), ":- module(~q, [zork/1]).\nzork(~q).\n", [Module, Module]),
        open_string(Text, Stream),
        load_files(Module, [stream(Stream), imports([])]),
        Module:zork(Module)
    ),
    take(Libraries).

shown(Template, Goal, Result) :-
    catch(findall(Template, Goal, Result), Error, ( Error = error(Formal, _) -> Result = failed(Formal) ; Result = failed(Error) )).

output(Goal, Text) :- with_output_to(string(Text), Goal).

double(X, Y) :- Y is 2*X.
longer(Order, X, Y) :- atom_length(X, M), atom_length(Y, N), compare(Order, M, N).
plus3(X, Y, Z) :- Z is X+Y.
even(X) :- X mod 2 =:= 0.
pair(X, Y, X-Y).
is_a(a).
two(1). two(2).

:- dynamic(fact/2).
fact(1, a). fact(2, b). fact(3, a).

%   Of a library that is not found by the names of its predicates.
asked(Library, Goal) :-
    '$load_library'(Library),
    '$library_module'(Module, Library),
    call(Module:Goal).

fd(Goal) :- asked(clpfd, Goal).

bit(X) --> [X], { X == 0 ; X == 1 }.

probe(aggregate, L, aggregate:aggregate_all(bag(X-Y), probes:fact(X, Y), L)).
probe(aggregate, C-K, aggregate:aggregate(count, X^(probes:fact(X, K)), C)).
probe(aggregate, M, aggregate:aggregate_all(max(X), probes:fact(X, _), M)).
probe(atom, P-I, ( atom:identifier_parts(sourceCodeURI, P), atom:restyle_identifier(one_two, sourceCode, I) )).
probe(check, x, ( check:list_void_declarations )).
probe(edit, E, ( catch(prolog_edit:edit(_), error(E, _), true) )).
probe(program_calls, G, '$program_calls':'$called_in'(( a ; \+ findall(x, b, y) ), m, G)).
probe(prolog_source, P, ( prolog_source:path_segments_atom(a/b, P) )).
probe(readln, W-L, ( open_string("Foo 12, b_c\nrest", S), current_input(Old), set_input(S), readln:readln(W, L), set_input(Old), close(S) )).
probe(tty, x, probes:output(tty:tty_clear, _)).
probe(writef, S, writef:swritef(S, '%w', [x])).
probe(ansi_term, S, probes:output(ansi_term:ansi_format([bold], '~w', [x]), S)).
probe(apply, L, apply:maplist(probes:double, [1, 2, 3], L)).
probe(apply, I/E, apply:partition(probes:even, [1, 2, 3, 4], I, E)).
probe(apply, S, apply:foldl(probes:plus3, [1, 2, 3], 0, S)).
probe(apply, L, apply:convlist(probes:double, [1, 2], L)).
probe(apply_macros, x, apply_macros:expand_phrase(phrase([a, b], [a, b, c], _), _)).
probe(assoc, L, ( assoc:list_to_assoc([c-3, a-1, b-2], A), assoc:put_assoc(d, A, 4, B), assoc:del_assoc(a, B, _, C), assoc:assoc_to_list(C, L) )).
probe(assoc, V, ( assoc:list_to_assoc([a-1], A), assoc:get_assoc(a, A, V) )).
probe(backcomp, A, backcomp:concat_atom([a, b, c], -, A)).
probe(backcomp, L, backcomp:merge_set([a, c], [b], L)).
probe(base32, A, base32:base32(hello, A)).
probe(base64, A/B, ( base64:base64('hello world', A), base64:base64(B, A) )).
probe(calling, x, '$calling':'@'(true, user)).
probe(calling, R, '$calling':call_with_inference_limit(true, 1000, R)).
probe(charsio, C, charsio:format_to_chars('~w-~a', [1, b], C)).
probe(charsio, T, ( charsio:read_from_chars("f(a, - 1, [b|c])", T) )).
probe(clause_info, P, ( clause(probes:even(_), _, R), '$clause_info':clause_property(R, predicate(P)) )).
probe(clpfd, Gs, ( probes:fd('#>'(X, 3)), probes:fd('#='(Y, X+1)), copy_term(X-Y, x-y, Gs0), findall(G, member(_:G, Gs0), Gs) )).
probe(clpfd, L, ( L = [X, Y], probes:fd(ins(L, '..'(1, 3))), probes:fd('#<'(X, Y)), probes:fd(labeling([ff, down], L)) )).
probe(clpfd, E, ( catch(probes:fd(label([_])), error(E, _), true) )).
probe(clpfd, T, ( probes:fd(transpose([[a, b], [c, d]], T)) )).
probe('clpfd/arithmetic', D, ( probes:fd(in(X, '..'(-3, 9))), probes:fd('#='(X*X, Y)), probes:fd('#='(Y mod 3, 1)), probes:fd('#='(abs(X)//2, 1)), probes:fd(fd_dom(X, D)) )).
probe('clpfd/arithmetic', X-Y, ( probes:fd('#='(X^3, 27)), probes:fd('#='(max(X, Y), 7)) )).
probe('clpfd/circuits', L, ( length(L, 3), probes:fd(circuit(L)), probes:fd(label(L)) )).
probe('clpfd/counting', L, ( length(L, 3), probes:fd(global_cardinality(L, [1-2, 5-_])), probes:fd(label(L)) )).
probe('clpfd/distinct', Z-D, ( L = [X, Y, Z], probes:fd(ins([X, Y], '..'(1, 2))), probes:fd(in(Z, '..'(1, 3))), probes:fd(all_distinct(L)), probes:fd(all_different(L)), probes:fd(fd_dom(X, D)) )).
probe('clpfd/distances', D, ( probes:fd(ins([X, Y], '..'(0, 9))), probes:fd('#>='(abs(X-Y), 4)), probes:fd('#\\='(abs(X-Y), 5)), Y = 4, probes:fd(fd_dom(X, D)) )).
probe('clpfd/division', L, ( probes:fd(in(X, '..'(-9, 9))), probes:fd('#='(X // 4, -2)), probes:fd('#='(X mod 5, 1)), findall(X, probes:fd(label([X])), L) )).
probe('clpfd/expansion', G, ( '$load_library'('clpfd/expansion'), '$library_module'(M, 'clpfd/expansion'), M:expanded_goal('#>'(X, 2), m, G0), X = 3, copy_term(G0, G), numbervars(G, 0, _) )).
probe('clpfd/expressions', X-Gs, ( probes:fd('#='(2*(X-1), X+3*Y-Y)), probes:fd('#='(Y, 4)), copy_term(X, _, Gs) )).
probe('clpfd/holes', D, ( probes:fd(in(X, '..'(0, 9))), probes:fd('#='(Y, X//3)), probes:fd('#\\='(Y, 1)), probes:fd(fd_dom(X, D)) )).
probe('clpfd/intervals', D, ( probes:fd(in(X, \('..'(3, 5)))), probes:fd(in(X, '..'(0, sup))), probes:fd(fd_dom(X, D)) )).
probe('clpfd/labeling', X, ( probes:fd(in(X, '..'(1, 5))), probes:fd(labeling([max(X mod 3), bisect], [X])) )).
probe('clpfd/limits', D, ( probes:fd('#>'(X, 3)), probes:fd('#='(Y, X*X)), probes:fd(fd_dom(Y, D)) )).
probe('clpfd/linear', D-E, ( probes:fd(ins([X, Y], '..'(0, 9))), probes:fd(sum([X, Y, 3], #=, 7)), probes:fd('#\\='(2*X, 6)), probes:fd(fd_dom(X, D)), probes:fd(fd_dom(Y, E)) )).
probe('clpfd/orders', L, ( L = [X, Y], probes:fd(ins(L, '..'(0, 1))), probes:fd(lex_chain([[X, 1], [Y, 0]])), probes:fd(chain(L, #=<)), probes:fd(label(L)) )).
probe('clpfd/pairs', D, ( probes:fd(in(X, '..'(0, 9))), probes:fd('#='(Y, X+2)), probes:fd('#\\='(Y, 4)), probes:fd(fd_dom(X, D)) )).
probe('clpfd/products', X-D, ( probes:fd('#='(2^X, 32)), probes:fd('#='(Y*Y, 9)), probes:fd(fd_dom(Y, D)) )).
probe('clpfd/propagators', X-Y, ( probes:fd(ins([X, Y], '..'(0, 3))), probes:fd('#<'(X, Y)), X = Z, Z = 2 )).
probe('clpfd/reified', B-D, ( probes:fd('#<==>'(B, '#\\/'('#='(X, 3), in(X, '..'(5, 7))))), probes:fd(in(X, '..'(3, 4))), probes:fd('#\\='(X, 4)), probes:fd(fd_dom(X, D)) )).
probe('clpfd/residues', Gs, ( probes:fd('#==>'(B, '#>'(X, 2))), probes:fd(all_distinct([X, Y])), probes:fd(element(X, [4, Y], _)), copy_term(B, _, Gs) )).
probe('clpfd/scheduling', D, ( probes:fd(ins([S, T], '..'(0, 4))), probes:fd(cumulative([task(S, 3, _, 1, _), task(T, 3, _, 1, _)])), S = 1, probes:fd(fd_dom(T, D)) )).
probe('clpfd/scheduling', D, ( probes:fd(in(X, '..'(0, 3))), probes:fd(disjoint2([r(X, 2, 1, 2), r(0, 2, 1, 2)])), probes:fd(fd_dom(X, D)) )).
probe('clpfd/sets', R, ( probes:fd(list_to_fdset([1, 2, 5], S)), probes:fd(in_set(X, S)), probes:fd(fd_set(X, T)), probes:fd(fdset_to_range(T, R)) )).
probe('clpfd/tables', L, ( L = [_, _, _], probes:fd(automaton(L, [source(a), sink(b)], [arc(a, 0, a), arc(a, 1, b), arc(b, 0, b)])), probes:fd(label(L)) )).
probe('clpfd/tables', X, ( probes:fd(tuples_in([[X, 2]], [[1, 2], [3, 4], [5, 2]])), probes:fd('#>'(X, 1)) )).
probe('clpfd/variables', D, ( probes:fd(in(X, '..'(1, 5))), probes:fd(in(Y, '\\/'('..'(0, 2), '..'(4, 9)))), X = Y, probes:fd(fd_dom(X, D)) )).
probe(codesio, C, codesio:format_to_codes('~p', [a+b], C)).
probe(codesio, T, codesio:read_from_codes([0'a, 0'-, 0'b], T)).
probe(copying, Gs, ( freeze(X, true), copy_term(X, Y, Gs), Y = 1 )).
probe(csv, L, ( phrase(csv:csv(L), [0'a, 0',, 0'1, 0'\n, 0'", 0'b, 0', , 0'", 0',, 0'2, 0'\n]) )).
probe(ctypes, U, ctypes:to_upper(U, 0'a)).
probe(ctypes, W, ( ctypes:is_digit(0'7, 10, W) )).
probe(date, D, date:day_of_the_week(date(2024, 2, 29), D)).
probe(date, S, date:parse_time('2020-01-02T03:04:05Z', S)).
probe(date, S, date:parse_time('Fri, 08 Dec 2006 15:29:44 GMT', S)).
probe(dates, A, '$dates':format_time(atom(A), '%a, %d %b %Y %T GMT %j %V', 0)).
probe(dates, D, '$dates':stamp_date_time(86400.5, D, 'UTC')).
probe(debug, x, prolog_debug:assertion(true)).
probe(dialect, x, prolog_dialect:expects_dialect(swi)).
probe(dict_functions, X, ( '$dicts':'.'(t{a:1}, put(a, 2), X) ; '$dicts':'.'(t{a:1}, get(b, c), X) )).
probe(dicts, L, ( dicts:dicts_to_same_keys([t{a:1}, t{b:2}], dicts:dict_fill(null), L) ; dicts:dicts_join(a, [t{a:1, b:2}, t{a:1, c:3}], L) )).
probe(edinburgh, S, probes:output(edinburgh:display(a+b), S)).
probe(error, E, catch(error:must_be(positive_integer, 0), error(E, _), true)).
probe(error, E, catch(error:must_be(list(atom), [a, 1]), error(E, _), true)).
probe(error, x, error:is_of_type(oneof([a, b]), a)).
probe(files, P, '$files':directory_file_path('/a', b, P)).
probe(files, P, '$files':relative_file_name('/a/b/c', '/a/d/e', P)).
probe(findnsols, L, '$findnsols':findnsols(2, X, member(X, [a, b, c]), L)).
probe(flag_keys, N, ( '$flag_keys':flag(probe, _, 3), '$flag_keys':flag(probe, N, N+1) )).
probe(functor, T, '$functor':functor(T, f, 0, compound)).
probe(gensym, A/B, ( gensym:gensym(probe, A), gensym:gensym(probe, B), gensym:reset_gensym(probe) )).
probe(hashtable, L, ( hashtable:ht_new(T), hashtable:ht_put(T, a, 1), hashtable:ht_put(T, b, 2), hashtable:ht_pairs(T, L0), msort(L0, L) )).
probe(heaps, L, ( heaps:list_to_heap([3-c, 1-a, 2-b], H), heaps:heap_to_list(H, L) )).
probe(heaps, P-K, ( heaps:list_to_heap([3-c, 1-a], H), heaps:get_from_heap(H, P, K, _) )).
probe(import_modules, M, '$import_modules':import_module(probes, M)).
probe(intercept, L, intercept:intercept_all(X, ( intercept:send_signal(1), intercept:send_signal(2) ), X, L)).
probe(dif, Gs, ( dif:dif(f(X, Y), f(a, b)), X = a, copy_term(Y, c, Gs) )).
probe(dif, Y, ( dif:dif(X, Y), X = a, member(Y, [a, b]) )).
probe(license, x, license:license(lgpl)).
probe(nothing_to_do, x, ( '$nothing_to_do':trim_heap, '$nothing_to_do':noprotocol )).
probe(listing, S, probes:output(prolog_listing:listing(probes:even/1), S)).
probe(listing, S, probes:output(prolog_listing:portray_clause((a :- ( b, c ; d(X, X, _) ))), S)).
probe(lists, P-Q, lists:append(P, Q, [a, b])).
probe(lists, L, ( lists:reverse([a, b, c], L) ; lists:nth0(1, [a, [b]], L) ; lists:msort([b, a], L) ; lists:subtract([a, b, c], [b], L) )).
probe(lists, L, lists:permutation([1, 2, 3], L)).
probe(lists, S/M/N, ( lists:sum_list([1, 2], S), lists:max_member(M, [b, c, a]), lists:numlist(2, 4, N) )).
probe(lists, L, lists:pairs_keys_values(L, [a], [1])).
probe(lists, L, lists:list_to_set([a, b, a], L)).
probe(locales, P, ( '$locales':locale_create(L, default, [decimal_point(',')]), '$locales':locale_property(L, decimal_point(P)) )).
probe(main, P/O, prolog_main:argv_options(['--verbose', '--n=3', '-x', file], P, O)).
probe(make, x, prolog_make:make).
probe(missing, T, ( '$missing':'$absent'(prolog_current_frame/1, S), T = S )).
probe(module_info, P, '$module_info':module_property(probes, exports(P))).
probe(nb_set, L, ( nb_set:empty_nb_set(S), nb_set:add_nb_set(b, S), nb_set:add_nb_set(a, S), nb_set:add_nb_set(b, S), nb_set:nb_set_to_list(S, L) )).
probe(numbers, C, '$numbers':float_class(1.0, C)).
probe(numbervars, T, ( T = f(_, _), '$numbervars':numbervars(T, 5, _, [functor_name(v)]) )).
probe(occurs, N, occurs:occurrences_of_term(a, f(a, g(a)), N)).
probe(occurs, S, occurs:sub_term(S, f(a, g(b)))).
probe(operators, P, ( prolog_operator:push_operators(probes:[op(701, xfx, '=@@=')]), current_op(P, xfx, probes:'=@@='), prolog_operator:pop_operators )).
probe(when, X/Y, ( when:when(( ground(X) ; ?=(X, Y) ), Y = 2), X = 1 )).
probe(table_statistics, A-R, ( abolish_all_tables, ( undefined -> true ), table_statistics:table_statistics(answers, A), table_statistics:table_statistics(repeated_answers, R) )).
probe(tables, L, ( abolish_all_tables, ( undefined -> true ), findall(R, tables:get_residual(undefined, R), L) )).
probe(increval, yes, increval:(
    incr_invalidate_calls(q(_)), incr_invalid_subgoals([]), incr_table_update, \+ incr_is_invalid(q(_)), \+ is_incremental_subgoal(q(_)),
    \+ incr_directly_depends(q(_), _), \+ incr_trans_depends(q(_), _) )).
probe(wfs, C-P, ( wfs:call_delays(undefined, C), wfs:call_residual_program(undefined, P) )).
probe(option, V/R, option:select_option(a(V), [b(1), a(2)], R)).
probe(option, O, option:merge_options([a(1)], [a(2), b(3)], O)).
probe(optparse, O/P, optparse:opt_parse([[opt(verbose), type(boolean), default(false), shortflags([v]), longflags([verbose]), help(x)]], ['-v', file], O, P)).
probe(optparse, H, optparse:opt_help([[opt(depth), type(integer), default(3), shortflags([d]), longflags([depth]), meta('N'), help('How deep.')]], H)).
probe(ordsets, L, ( ordsets:ord_union([a, c], [b], L) ; ordsets:ord_subtract([a, b], [b], L) ; ordsets:ord_symdiff([a, b], [b, c], L) )).
probe(oset, L, ( oset:oset_union([a], [b], L) ; oset:oset_power([a, b], L) )).
probe(option, X, ( option:option(a(X), t{a:1}) ; option:dict_options(X, [a(1)]), is_dict(X, t) )).
probe(pairs, L, ( pairs:transpose_pairs([a-2, b-1], L) ; pairs:pairs_keys([a-2, b-1], L) ; pairs:map_list_to_pairs(atom_length, [abc, d], L) )).
probe(plunit, x, prolog_flag_or(plunit)).
probe(portray_text, N, portray_text:set_portray_text(min_length, N, N)).
probe(pprint, S, probes:output(( current_output(O), prolog_pretty_print:print_term(f([a, b, c], x - y, "text"), [right_margin(12), output(O)]) ), S)).
probe(predicates, A, '$predicates':current_functor(even, A)).
probe(rules, R, ( assertz(( probes:ruled(a), true => b )), '$rules':rule(probes:ruled(a), R) )).
probe(prolog_code, L, ( prolog_code:comma_list((a, b, c), L) ; prolog_code:mkconj(true, a, L) ; prolog_code:pi_head(L, f(_, _)) ; prolog_code:most_general_goal(f(a), G), functor(G, L, _) )).
probe(quintus, N, ( quintus:abs(-3, N) ; quintus:genarg(N, f(a), a) )).
probe(random_state, x, ( '$random_state':random_property(state(S)), integer(S) )).
probe(random, x, ( random:random_between(3, 3, 3), random:random_permutation([a], [a]), random:random_member(b, [b]) )).
probe(rbtrees, L, ( rbtrees:list_to_rbtree([b-2, a-1], T), rbtrees:rb_insert(T, c, 3, U), rbtrees:rb_delete(U, a, V), rbtrees:rb_keys(V, L) )).
probe(pure_input, A, ( open_string("ab\ncd", S), pure_input:stream_to_lazy_list(S, L), phrase(([_, _, _, _], pure_input:lazy_list_location(stream(_, A, _, _))), L, _) )).
probe(pure_input, A, ( open_string("ab", S), pure_input:phrase_from_stream((dcg_basics:string(Cs), dcg_basics:eos), S), atom_codes(A, Cs) )).
probe(readutil, C, ( open_string("one\ntwo\n", S), read_util:read_line_to_codes(S, _), read_util:read_line_to_string(S, C) )).
probe(settings, V, settings:convert_setting_text(integer, '42', V)).
probe(shell, x, shell:cd('.')).
probe(solution_sequences, L, ( findall(X, solution_sequences:limit(2, probes:fact(X, _)), L) ; findall(X, solution_sequences:order_by([desc(X)], probes:fact(X, _)), L) ; findall(Y, solution_sequences:distinct(Y, probes:fact(_, Y)), L) )).
probe(sort, L, sort:predsort(probes:longer, [abc, a, bb], L)).
probe(source_files, x, ( '$source_files':source_file(probes:even(_), F), atom(F) )).
probe(source_options, x, '$source_options':style_check([])).
probe(string_bytes, B, '$string_bytes':string_bytes("aé", B, utf8)).
probe(socket, X, ( socket:tcp_host_to_address('127.0.0.1', X) ; socket:ip_name(X, '1.2.3.4') ; socket:tcp_socket(S), socket:tcp_close_socket(S), X = closed ; socket:udp_socket(S), catch(socket:udp_send(S, _, 8, []), error(X, _), true), socket:tcp_close_socket(S) ; socket:udp_socket(S), catch(socket:udp_receive(S, _, _, [as(x)]), error(X, _), true), socket:tcp_close_socket(S) ; socket:tcp_select([], X, 0) ; catch(socket:tcp_connect(_, _, []), error(X, _), true) )).
probe(strings, L, ( strings:string_lines("a\nb", L) ; strings:dedent_lines("  a\n   b", L, []) ; strings:interpolate_string("x {n} y", L, [n=3], []) )).
probe(tabling, x, '$load_library'(tabling)).
probe(term_kinds, x, '$term_kinds':is_most_general_term(f(_, _))).
probe(terms, L, ( terms:subsumes_chk(f(_), f(a)), L = yes ; terms:mapargs(probes:double, f(1, 2), L) ; terms:term_factorized(f(g(a), g(a)), T, S), length(S, L), nonvar(T) )).
probe(thread, L, thread:concurrent_maplist(probes:double, [1, 2, 3], L)).
probe(thread, L, thread:concurrent(2, [L = [A, B], A = 1, B = 2], [])).
probe(transactions, X-Y, ( transactions:snapshot(X = 1), transactions:transaction(( transactions:transaction(Y = 2, [bulk(true)]) ; true ), true, probes_mutex) )).
probe(thread_wait, X-Y, ( thread_wait:thread_wait(X = 1, []), thread_wait:thread_update(Y = 2, []) )).
probe(thread_pool, S-N, ( thread_pool:thread_pool_create(probes_pool, 1, []), thread_pool:thread_create_in_pool(probes_pool, true, T, []), thread_join(T, S),
    findall(P, thread_pool:thread_pool_property(probes_pool, P), N), thread_pool:thread_pool_destroy(probes_pool) )).
probe(rwlocks, X, rwlocks:with_rwlock(probes_lock, rwlocks:with_rwlock(probes_lock, X = 1, read), write)).
probe(signals, L, ( signals:sig_block(probes:foo(_)), thread_self(Me), thread_signal(Me, probes:foo(1)), true, sig_remove(_, L), signals:sig_unblock(_) )).
probe(listening, X, ( listening:prolog_listen(erase, probe_nobody), listening:prolog_unlisten(erase, probe_nobody), X = 1 )).
probe(thread_settings, X, thread_settings:thread_idle(X = 1, long)).
probe(threadutil, E, catch(threadutil:tbacktrace(probes_none), error(E, _), true)).
probe(time, R, catch(time:call_with_time_limit(0.01, ( repeat, fail )), R, true)).
probe(ugraphs, L, ( ugraphs:vertices_edges_to_ugraph([a, b, c], [a-b, b-c], G), ( ugraphs:top_sort(G, L) ; ugraphs:transitive_closure(G, L) ; ugraphs:reachable(b, G, L) ; ugraphs:transpose_ugraph(G, L) ) )).
probe(uri, C, ( uri:uri_components('http://a.b/c?d=e#f', C) ; uri:uri_encoded(query_value, 'a b&c', C) ; uri:uri_resolve('../x', 'http://h/a/b', C) )).
probe(utf8, C, phrase(utf8:utf8_codes([0xe9]), C)).
probe(varnumbers, T, ( varnumbers:varnumbers(f('$VAR'(0), '$VAR'(0)), f(X, Y)), X = 1, T = Y )).
probe(version, x, prolog_flag_or(version)).
probe(vm, S, probes:output(prolog_vm:vm_list(probes:two/1), S)).
probe(wildcards, x, '$wildcards':wildcard_match('*.{pl,txt}', 'a.txt')).
probe(yall, L, ( apply:maplist(yall:'>>'([X, Y], Y = f(X)), [1, 2], L) )).
probe('dcg/basics', N/R, phrase(( dcg_basics:whites, dcg_basics:integer(N), dcg_basics:blanks, dcg_basics:remainder(R) ), [0' , 0'4, 0'2, 0' , 0'x])).
probe('dcg/basics', S, phrase(( dcg_basics:string_without([0',], S), dcg_basics:string(_), dcg_basics:eos ), [0'a, 0',, 0'b])).
probe('http/json', T-A, ( probes:asked('http/json', atom_json_term('{"a": [1, "x", true]}', T, [])), probes:asked('http/json', atom_json_dict(A, [1, _{b:null}], [])) )).
probe('dcg/high_order', L, phrase(dcg_high_order:sequence(probes:bit, L), [1, 0, 1])).
probe(process, S, ( process:process_create(path(sh), ['-c', 'exit 3'], [process(P)]), process:process_wait(P, S) )).
probe(unix, C, ( unix:pipe(R, W), put_char(W, a), close(W), get_char(R, C), close(R) )).
probe(broadcast, X, ( broadcast:listen(probes, probes_said(Y), ( Y = 1 )), broadcast:broadcast(probes_said(_)), broadcast:broadcast_request(probes_said(X)), broadcast:unlisten(probes) )).
probe(predicate_options, L, ( predicate_options:assert_predicate_options(probes:two/1, 1, [a(integer)], _), predicate_options:current_predicate_options(probes:two/1, _, L) )).
probe(url, P, url:parse_url('http://h/a?b=c', P)).
probe(prolog_clause, N, prolog_clause:predicate_name(probes:two/1, N)).
probe(fastrw, T, ( fastrw:fast_term_serialized(f([], "x"), S), fastrw:fast_term_serialized(T, S) )).
probe(quasi_quotations, x, ( \+ quasi_quotations:quasi_quotation_syntax_error(x) )).
probe(program_messages, L-M, ( '$program_messages':'$program_message'(spying([a(_), m:b]), L, []), '$program_messages':'$program_error'(context_error(nodirective, p(1)), M, []) )).
probe(syntax_messages, L, ( lists:member(E, [end_of_file_in_quoted('\''), illegal_number, foo]), '$syntax_messages':'$syntax_message'(E, L, []) )).
probe(coinduction, E, catch(coinduction:coinductive(a/1), error(E, _), true)).
probe(nb_rbtrees, Ks, ( rbtrees:rb_new(T), nb_rbtrees:nb_rb_insert(T, b, 1), nb_rbtrees:nb_rb_insert(T, a, 2), nb_rbtrees:nb_rb_insert(T, c, 3), rbtrees:rb_visit(T, Ks) )).
probe(prolog_format, S-T, ( prolog_format:format_spec("a~5|~w~*c", S), prolog_format:format_types("a~5|~w~*c", T) )).
probe('http/dcg_basics', X, probes:asked('http/dcg_basics', phrase(integer(X), `12`))).
probe(memfile, A, ( memory_file:new_memory_file(F), memory_file:open_memory_file(F, write, S), write(S, abc), close(S), memory_file:insert_memory_file(F, 1, x), memory_file:memory_file_to_atom(F, A) )).
probe(iso_639, L-C, ( iso_639:iso_639(de, L), iso_639:iso_639_3(C, 'Afar') )).
probe(constrained_messages, X-S, ( message_queue_create(Q), thread_send_message(Q, 1), thread_send_message(Q, 2), freeze(X, X > 1), thread_get_message(Q, X), message_queue_property(Q, size(S)) )).
probe(answers, L/N, '$answers':'$answer_lines'(['X'=f(1), 'Y'=f(1), 'Z'=a], [], L, N)).
probe(arithmetic, 3, ( arithmetic:arithmetic_expression_value(1+2, V), V =:= 3 )).
probe(record, x, ( \+ record:current_record(probes_none, _), \+ record:current_record_predicate(probes_none, _) )).
probe(lazy_lists, A/N, ( lazy_lists:lazy_findall(X, probes:two(X), L), L = [A|_], lazy_lists:lazy_list_length(L, N) )).
probe(lazy_lists, L, ( open_string("ab\nc", S), lazy_lists:lazy_list(lazy_lists:lazy_read_lines(S, [as(codes)]), L), lazy_lists:lazy_list_materialize(L) )).
probe(persistency, x, ( \+ persistency:current_persistent_predicate(probes:_), \+ persistency:db_attached(probes:_), persistency:db_sync(probes:gc) )).
probe(format_predicates, C, ( format_predicate('\x3b1\', probes:two(_)), '$format_predicates':current_format_predicate(C, probes:two(_)) )).
probe(prolog_wrap, L, ( prolog_wrap:wrap_predicate(probes:two(_), w, W, ( W, true )), findall(X, probes:two(X), L), prolog_wrap:unwrap_predicate(probes:two/1, w) )).
probe(prolog_stack, S, ( prolog_stack:get_prolog_backtrace(0, Fs), Fs == [], probes:output(( current_output(O), prolog_stack:print_prolog_backtrace(O, [frame(2, pred_line(m:a/1, f:3), 0), frame(1, call(b), b(x))]) ), S) )).
probe(modules, X, ( modules:in_temporary_module(M, assertz(M:probes_there(1)), ( M:probes_there(X), modules:current_temporary_module(M) )) )).
probe(qsave, E, catch(qsave:qsave_program(probes_none, [probes(1)]), error(E, _), true)).
probe(packs, x, '$packs':attach_packs(probes_none)).
probe(prolog_pack, E, ( \+ prolog_pack:pack_property(probes_none, _), catch(prolog_pack:pack_install(probes_none), error(E, _), true) )).
probe(prolog_xref, L, ( tmp_file_stream(F, S, [extension(pl)]), write(S, 'a :- b, forall(c, d). :- dynamic(e/1).'), close(S), prolog_xref:xref_source(F), findall(G, prolog_xref:xref_called(F, G, _), L), prolog_xref:xref_clean(F), delete_file(F) )).
probe(pio, A, ( open_string("ab", S), pio:phrase_from_stream((dcg_basics:string(Cs), dcg_basics:eos), S), atom_codes(A, Cs) )).
probe(prolog_io, x, ( catch('$prolog_io':set_prolog_IO(probes_none, user_output, user_error), error(existence_error(_, _), _), true) )).
probe(arithmetic_functions, true, ( '$arithmetic_functions':current_arithmetic_function(sin(_)), \+ '$arithmetic_functions':current_arithmetic_function(sin(_, _)) )).
probe(atoms, A/B, ( '$atoms':atomic_concat(a, 1, A), '$atoms':sub_atom_icasechk('aBc', 1, b), '$atoms':atomics_to_string([a, 1, "s"], B) )).
probe(filesex, P/F, ( filesex:directory_file_path(a, b, P), filesex:relative_file_name('/a/b/c', '/a/d', F) )).
probe(prolog_source, A, prolog_source:path_segments_atom(a/b/c, A)).
probe(prolog_source, a, prolog_source:valid_term_position(f(x), term_position(0, 4, 0, 1, [2-3]))).
probe(sandbox, N, ( catch(sandbox:safe_goal(findall(x, shell(a), _)), error(permission_error(_, _, C), _), true), functor(C, N, _), sandbox:safe_call(true) )).
probe(residual, N, ( '$residual':call_residue_vars(freeze(_, true), Vs), length(Vs, N) )).
probe(size_abstract, A, ( '$size_abstract':size_abstract_term(1, f(g(a), b), T), T = f(V, A), var(V) )).
probe(url, U/W, ( url:global_url('b.html', 'http://a.org/c/d.html', U), url:www_form_encode('a b&c', W) )).
probe(writef, T, probes:output(writef:writef('%w and %d\n', [a, 'B']), T)).
probe(crypto, H-B, ( crypto:crypto_data_hash(abc, H, [hmac(key)]), crypto:hex_bytes('0aff', B) )).
probe(md5, H, md5:md5_hash(abc, H, [])).
probe(sha, A, ( crypto_hash:sha_hash(abc, H, [algorithm(sha256)]), crypto_hash:hash_atom(H, A) )).
probe(secure_hashes, B, '$secure_hashes':'$hash_of_text'(md5, abc, utf8, B)).
probe(uuid, U-V, ( uuid:uuid(U, [version(5), dns(example)]), uuid:uuid_property(U, version(V)) )).
probe(isub, S, isub:isub('E56.Language', languange, S, [normalize(true)])).
probe(porter_stem, L, porter_stem:atom_to_stem_list('The running dogs are hopping, 12 times', L)).

prolog_flag_or(plunit) :- '$load_library'(plunit).
prolog_flag_or(version) :- current_prolog_flag(bounded, false).
