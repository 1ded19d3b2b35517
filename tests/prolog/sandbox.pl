% library(sandbox): what may be called and what not.
% SWI-Prolog's manual, section 12.2; what differs is said in the library.

:- use_module(library(sandbox)).

:- dynamic sbx_fact/1, sbx_mark/1.
sbx_fact(1).
sbx_calls(G) :- call(G).
sbx_deep(X) :- sbx_deep(f(X)).
sbx_deep(_) :- sbx_even(3).
sbx_even(0).
sbx_even(X) :- Y is X-1, sbx_odd(Y).
sbx_odd(X) :- Y is X-1, sbx_even(Y).
sbx_unknown(X) :- sbx_nothing(X).
sbx_file(F) :- open(F, read, S), close(S).
sbx_rule, true => true.
sbx_rule => halt.
sbx_changes(G) :- setarg(1, G, halt), call(G).
sbx_tagged(D, X) :- X = D.get(a).

:- multifile sandbox:safe_primitive/1, sandbox:safe_meta/2, sandbox:safe_global_variable/1.
sandbox:safe_primitive(user:sbx_trusted).
sandbox:safe_meta(sbx_twice(G), [G, G]).
sandbox:safe_global_variable(sbx_variable).
sbx_trusted :- sbx_file(x).
sbx_twice(G) :- call(G), call(G).

% What is refused: its formal term.
sbx(Goal, Formal) :- catch(( safe_goal(Goal), Formal = safe ), error(Formal, sandbox(_, _)), true).
sbx_refused(Goal, Culprit) :- sbx(Goal, Formal), ( Formal = permission_error(call, sandboxed, C) -> Culprit = C ; Culprit = Formal ).
sbx_all_safe(Goals, Others) :- findall(G-F, ( member(G, Goals), sbx(G, F), F \== safe ), Others).
sbx_all_refused(Goals, Others) :- findall(G, ( member(G, Goals), \+ sbx(G, permission_error(_, _, _)) ), Others).

t(safe_control, sbx_all_safe([true, (true, fail), (true ; fail), (true -> true ; fail), (true *-> fail ; true), \+ true, once(true), !, forall(true, true), not(fail)], L), [L], answers([[[]]])).
t(safe_builtins, sbx_all_safe([X = 1, X is 1+2, atom_length(abc, _), msort([b, a], _), functor(_, a, 1), between(1, 3, _), throw(a), number_vars, write(a), nl, format("~w~n", [a])], L), [L],
  answers([[[number_vars-existence_error(procedure, user:number_vars/0)]]])).
t(safe_libraries, sbx_all_safe([append(_, _, [a]), maplist(sbx_fact, [1]), foldl([A, B, C]>>(C is A+B), [1], 0, _), list_to_assoc([], _), aggregate_all(count, sbx_fact(_), _), dif(_, _), freeze(_, true),
                               phrase(sbx_list, []), library_none], L), [L],
  answers([[[phrase(sbx_list, [])-existence_error(procedure, user:sbx_list/2), library_none-existence_error(procedure, user:library_none/0)]]])).
t(safe_solutions, sbx_all_safe([findall(X, sbx_fact(X), _), bagof(X, Y^member(X-Y, []), _), setof(X, sbx_fact(X), _), aggregate(count, X^sbx_fact(X), _)], L), [L], answers([[[]]])).
t(safe_programs, sbx_all_safe([sbx_fact(_), sbx_calls(true), sbx_calls(sbx_calls(sbx_fact(_))), sbx_even(4), sbx_deep(a), user:sbx_fact(_), sbx_tagged(_, _)], L), [L], answers([[[]]])).
t(safe_own_database, sbx_all_safe([assertz(sbx_fact(2)), assertz((sbx_fact(X) :- X = 1)), retract(sbx_fact(1)), retractall(sbx_fact(_)), clause(sbx_fact(_), _), dynamic(sbx_new/1)], L), [L],
  answers([[[]]])).
t(refused_system, sbx_all_refused([halt, halt(1), shell(ls), open(a, read, _), see(a), consult(a), thread_create(true, _), getenv(a, _), delete_file(a), read(_), get_char(_), op(700, xfx, a),
                                   set_stream(a, b), at_halt(true), set_prolog_flag(sbx, 1), b_setval(a, 1), working_directory(_, a), abolish(sbx_fact/1), print_message(error, format("~@", [halt])),
                                   load_files(a, []), [a], tmp_file(a, _), message_queue_create(_), apply(halt, []), '$set_source_module'(_, a), nb_setarg(1, f(a), b)], L), [L], answers([[[]]])).
t(refused_inside, sbx_all_refused([(true, halt), (fail ; halt), \+ halt, (halt -> true ; true), catch(halt, _, true), findall(_, halt, _), setof(X, X^halt, _), forall(true, halt), call(halt), call(shell, ls),
                                   maplist(shell, [ls]), maplist([X]>>shell(X), [ls]), maplist([X]>>([Y]>>shell(Y)), [ls], [ls]), call([X, Y]>>open(X, read, Y), a), freeze(_, halt), when(nonvar(_), halt),
                                   setup_call_cleanup(true, true, halt), phrase({halt}, _), aggregate_all(count, halt, _), format("~w~@", [a, halt]), with_output_to(atom(_), halt),
                                   assertz((a :- halt)), assertz((a --> {halt})), time(halt), once(halt), distinct(_, halt), call_residue_vars(halt, _), tnot(halt)], L), [L], answers([[[]]])).
t(refused_programs, sbx_all_refused([sbx_calls(halt), sbx_file(a), sbx_rule, sbx_changes((true, true)), sbx_twice(halt)], L), [L], answers([[[]]])).
t(refused_modules, sbx_all_refused([assertz(lists:append(a)), assertz((lists:a :- true)), retract(lists:append(_, _, _)), clause(lists:append(_, _, _), _), predicate_property(lists:append(_, _, _), _),
                                    lists:maplist(a, []), lists:assertz(a), lists:call(true), (true, sbx_no_module:a), assertz(portray(_)), assertz(user:term_expansion(_, _)), dynamic(lists:a/1), dynamic([a/1, lists:b/2]),
                                    put_attr(_, freeze, halt)], L), [L], answers([[[]]])).
t(refused_culprit, ( sbx_refused(sbx_calls(sbx_file(x)), C1), sbx_refused(set_prolog_flag(a, b), C2), sbx_refused(assertz(a:b), C3) ), [C1, C2, C3], answers([[open(_, _, _), set_prolog_flag(_, _), assertz(a:b)]])).
t(refused_context, catch(safe_goal(sbx_calls(halt)), error(_, sandbox(G, Callers)), true), [G, Callers], answers([[user:sbx_calls(halt), [user:call(halt), user:sbx_calls(halt)]]])).
t(unknown_goals, ( findall(F, ( member(G, [_, call(_), sbx_calls(_), maplist(_, []), findall(_, _, _), format(_, []), format("~@", _), format("~w~@", [a|_]), assertz(_), assertz((a :- _)), retract(_), assertz((_ :- true)),
                                           _:a, a:_, set_prolog_flag(_, a), phrase(_, []), put_attr(_, _, a)]), sbx(G, F) ), Fs), sort(Fs, L) ), [L], answers([[[instantiation_error]]])).
t(unknown_procedure, ( sbx(sbx_unknown(1), F1), sbx(lists:sbx_none(1), F2) ), [F1, F2], answers([[existence_error(procedure, user:sbx_nothing/1), existence_error(procedure, lists:sbx_none/1)]])).
t(not_callable, ( sbx(1, F1), sbx(call(1), F2), sbx((true, "a"), F3) ), [F1, F2, F3], answers([[type_error(callable, 1), type_error(callable, 1), type_error(callable, "a")]])).
t(hooks, sbx_all_safe([sbx_trusted, sbx_twice(true), b_setval(sbx_variable, 1), nb_setval(sbx_variable, 1)], L), [L], answers([[[]]])).
t(flags, sbx_all_safe([set_prolog_flag(double_quotes, codes), set_prolog_flag(occurs_check, true)], L), [L], answers([[[]]])).
t(sinks, ( sbx_all_safe([format(atom(_), "a", []), with_output_to(string(_), true), format(user_error, "a", [])], L), sbx_all_refused([format(sbx_stream, "a", []), write(user_error, a)], M) ), [L, M], answers([[[], []]])).
t(called, ( safe_call(( member(X, [1, 2]), sbx_fact(X) )) ), [X], answers([[1]])).
t(called_not, ( catch(safe_call(( assertz(sbx_mark(1)), halt )), error(permission_error(_, _, C), _), true), \+ sbx_mark(_) ), [C], answers([[halt]])).
