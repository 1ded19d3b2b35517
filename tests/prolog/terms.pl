% Building and taking apart terms.
% ISO 13211-1, 8.5; setarg/3, nb_setarg/3, compound_name_arity/3,
% term_variables/3, numbervars/3 and global variables as in SWI-Prolog.

% functor/3

t(functor_atom, functor(foo, N, A), [N, A], answers([[foo, 0]])).
t(functor_struct, functor(foo(a, b), N, A), [N, A], answers([[foo, 2]])).
t(functor_int, functor(42, N, A), [N, A], answers([[42, 0]])).
t(functor_float, functor(1.5, N, A), [N, A], answers([[1.5, 0]])).
t(functor_list, functor([a], N, A), [N, A], answers([['[|]', 2]])).
t(functor_nil, functor([], N, A), [N, A], answers([[[], 0]])).
t(functor_string, functor("s", N, A), [N, A], answers([["s", 0]])).
t(functor_curly, functor({a}, N, A), [N, A], answers([[{}, 1]])).
t(functor_op, functor(1 + 2, N, A), [N, A], answers([[+, 2]])).
t(functor_build, functor(T, foo, 3), [T], answers([[foo(_, _, _)]])).
t(functor_build_atom, functor(T, foo, 0), [T], answers([[foo]])).
t(functor_build_int, functor(T, 5, 0), [T], answers([[5]])).
t(functor_build_list, functor(T, '[|]', 2), [T], answers([[[_|_]]])).
t(functor_check, functor(foo(a), foo, 1), [], answers([[]])).
t(functor_check_name, functor(foo(a), bar, 1), [], fails).
t(functor_check_arity, functor(foo(a), foo, 2), [], fails).
t(functor_unbound, functor(_, _, _), [], throws(instantiation_error)).
t(functor_unbound_arity, functor(_, foo, _), [], throws(instantiation_error)).
t(functor_unbound_name, functor(_, _, 3), [], throws(instantiation_error)).
t(functor_neg_arity, functor(_, foo, -1), [], throws(domain_error(not_less_than_zero, -1))).
t(functor_atom_arity, functor(_, foo, a), [], throws(type_error(integer, a))).
t(functor_compound_name, functor(_, foo(a), 1), [], throws(type_error(atomic, foo(a)))).
t(functor_compound_name_zero, functor(_, foo(a), 0), [], throws(type_error(atomic, foo(a)))).
t(functor_number_name, functor(_, 5, 1), [], throws(type_error(atom, 5))).
t(functor_float_arity, functor(_, foo, 1.5), [], throws(type_error(integer, 1.5))).
t(functor_large, ( functor(T, f, 300), functor(T, N, A) ), [N, A], answers([[f, 300]])).

% arg/3

t(arg_first, arg(1, f(a, b), X), [X], answers([[a]])).
t(arg_last, arg(2, f(a, b), X), [X], answers([[b]])).
t(arg_out, arg(3, f(a, b), _), [], fails).
t(arg_zero, arg(0, f(a, b), _), [], fails).
t(arg_check, arg(1, f(a), a), [], answers([[]])).
t(arg_check_no, arg(1, f(a), b), [], fails).
t(arg_binds, ( T = f(X), arg(1, T, 7) ), [X], answers([[7]])).
t(arg_enumerates, arg(N, f(a, b, c), X), [N, X], answers([[1, a], [2, b], [3, c]])).
t(arg_enumerates_filter, arg(N, f(a, b, a), a), [N], answers([[1], [3]])).
t(arg_list, arg(2, [a, b], X), [X], answers([[[b]]])).
t(arg_unbound_term, arg(1, _, _), [], throws(instantiation_error)).
t(arg_atom_term, arg(1, foo, _), [], throws(type_error(compound, foo))).
t(arg_int_term, arg(1, 3, _), [], throws(type_error(compound, 3))).
t(arg_atom_index, arg(a, f(x), _), [], throws(type_error(integer, a))).
t(arg_float_index, arg(1.5, f(x), _), [], throws(type_error(integer, 1.5))).
t(arg_neg_index, arg(-1, f(x), _), [], throws(domain_error(not_less_than_zero, -1))).
t(arg_big_index, arg(100000000000000000000, f(x), _), [], fails).

% =../2

t(univ_struct, f(a, b) =.. L, [L], answers([[[f, a, b]]])).
t(univ_atom, foo =.. L, [L], answers([[[foo]]])).
t(univ_int, 3 =.. L, [L], answers([[[3]]])).
t(univ_list, [a, b] =.. L, [L], answers([[['[|]', a, [b]]]])).
t(univ_string, "s" =.. L, [L], answers([[["s"]]])).
t(univ_op, (a :- b) =.. L, [L], answers([[[:-, a, b]]])).
t(univ_build, T =.. [f, a, X], [T, X], answers([[f(a, P), P]])).
t(univ_build_atom, T =.. [foo], [T], answers([[foo]])).
t(univ_build_int, T =.. [3], [T], answers([[3]])).
t(univ_build_float, T =.. [3.5], [T], answers([[3.5]])).
t(univ_build_string, T =.. ["s"], [T], answers([["s"]])).
t(univ_both, f(X, b) =.. [f, a, Y], [X, Y], answers([[a, b]])).
t(univ_both_no, f(_) =.. [g, _], [], fails).
t(univ_unbound, _ =.. _, [], throws(instantiation_error)).
t(univ_partial_list, _ =.. [f|_], [], throws(instantiation_error)).
t(univ_unbound_name, _ =.. [_, a], [], throws(instantiation_error)).
t(univ_unbound_single, _ =.. [_], [], throws(instantiation_error)).
t(univ_empty, _ =.. [], [], throws(domain_error(non_empty_list, []))).
t(univ_not_list, _ =.. f, [], throws(type_error(list, f))).
t(univ_improper, _ =.. [f|a], [], throws(type_error(list, [f|a]))).
t(univ_number_name, _ =.. [3, a], [], throws(type_error(atom, 3))).
t(univ_compound_name, _ =.. [f(a), b], [], throws(type_error(atom, f(a)))).
t(univ_compound_single, _ =.. [f(a)], [], throws(type_error(atomic, f(a)))).

% compound_name_arity/3 and compound_name_arguments/3

t(cna_struct, compound_name_arity(f(a, b), N, A), [N, A], answers([[f, 2]])).
t(cna_build, compound_name_arity(T, f, 2), [T], answers([[f(_, _)]])).
t(cna_zero, ( compound_name_arity(T, f, 0), compound_name_arity(T, N, A) ), [N, A], answers([[f, 0]])).
t(cna_zero_not_atom, ( compound_name_arity(T, f, 0), T \== f, compound(T) ), [], answers([[]])).
t(cna_zero_written, ( compound_name_arity(T, f, 0), with_output_to(string(S), writeq(T)) ), [S], answers([["f()"]])).
t(cna_zero_read, ( T = f(), compound_name_arguments(T, N, L) ), [N, L], answers([[f, []]])).
t(cna_atom, compound_name_arity(foo, _, _), [], throws(type_error(compound, foo))).
t(cna_unbound, compound_name_arity(_, _, _), [], throws(instantiation_error)).
t(cnargs_struct, compound_name_arguments(f(a, b), N, L), [N, L], answers([[f, [a, b]]])).
t(cnargs_build, compound_name_arguments(T, f, [a, b]), [T], answers([[f(a, b)]])).
t(cnargs_atom, compound_name_arguments(foo, _, _), [], throws(type_error(compound, foo))).
t(cnargs_unbound, compound_name_arguments(_, _, _), [], throws(instantiation_error)).

% copy_term/2

t(copy_atom, copy_term(a, X), [X], answers([[a]])).
t(copy_var, copy_term(_, X), [X], answers([[_]])).
t(copy_struct, copy_term(f(X, Y, X), Z), [X, Y, Z], answers([[_, _, f(P, _, P)]])).
t(copy_ground, copy_term(f(a, [1, 2]), X), [X], answers([[f(a, [1, 2])]])).
t(copy_fresh, ( copy_term(X, Y), X = 1, var(Y) ), [], answers([[]])).
t(copy_check, copy_term(f(X, b), f(a, Y)), [X, Y], answers([[_, b]])).
t(copy_check_no, copy_term(f(X, X), f(a, b)), [X], fails).
t(copy_bound, ( X = 1, copy_term(f(X), Y) ), [Y], answers([[f(1)]])).
t(copy_large, ( numlist(1, 50000, L), copy_term(L, M), L == M ), [], answers([[]])).
% What is ground is the same in the copy.
t(copy_shares, ( F = f(g(1,[a]),X,[b|X],[c,d],Y-"s"), copy_term(F, G), arg(1,F,A), arg(1,G,B), same_term(A,B), arg(4,F,C), arg(4,G,D), same_term(C,D) ), [G], answers([[f(g(1,[a]),V,[b|V],[c,d],_-"s")]])).
t(copy_shares_tail, ( L = [_,1,2,3], copy_term(L, M), L = [_|T], M = [_|U], same_term(T,U) ), [], answers([[]])).
t(copy_shares_changes, ( C = c(0), forall(member(X,[1,2,3]), ( copy_term(C-Y, D-Y), arg(1,D,V), W is V+X, nb_setarg(1,D,W) )), arg(1,C,R) ), [R], answers([[6]])).
t(copy_shares_in_lambda, ( empty_nb_set(S), maplist([E]>>add_nb_set(E,S), [b,a,b]), nb_set_to_list(S,L) ), [L], answers([[[a,b]]])).
% What occurs more than once is one thing in the copy.
t(copy_keeps_sharing, ( S = s(_,0), copy_term(f(S,[S|_],S), f(A,[B|_],C)), setarg(2,A,1), B = s(_,N), C = s(_,M) ), [N,M], answers([[1,1]])).
t(copy_keeps_shared_lists, ( L = [x,b|_], copy_term(g(L,L), g(M,N)), setarg(1,M,a), N = [Z|_] ), [Z], answers([[a]])).
t(copy_keeps_sharing_of_large, ( length(L, 70000), copy_term(L-L, A-B), setarg(1,A,a), B = [X|_], length(B, N) ), [X,N], answers([[a,70000]])).
t(copy_shares_in_large, ( length(L, 70000), G = g(1), copy_term([G,G|L], [A,B|_]), same_term(A,G), same_term(B,G) ), [], answers([[]])).
t(copy_keeps_sharing_in_lambda, ( S = s(_,0), foldl([X,N0,N]>>( nb_setarg(2,S,X), arg(2,S,Y), N is N0+Y ), [1,2,3], 0, N) ), [N], answers([[6]])).
t(copy_keeps_sharing_in_findnsols, ( S = s(_,0), findnsols(10, Q, ( member(X,[1,2]), setarg(2,S,X), arg(2,S,Q) ), L) ), [L], answers([[[1,2]]])).
t(copy_keeps_sharing_of_dag, ( ground_dag(60, _, D), copy_term(D, E), arg(1,E,A), arg(2,E,B), same_term(A,B) ), [], answers([[]])).
t(duplicate_keeps_sharing, ( S = s(_,0), duplicate_term(S-S, A-B), setarg(2,A,1) ), [B], answers([[s(_,1)]])).
t(duplicate_keeps_sharing_of_ground, ( S = s(0), duplicate_term(S-S, A-B), setarg(1,A,1) ), [S,B], answers([[s(0),s(1)]])).
t(copy_duplicates, ( F = f(g(1),_), duplicate_term(F, G), arg(1,F,A), arg(1,G,B), ( same_term(A,B) -> R = same ; R = other ) ), [R], answers([[other]])).
t(copy_ground_dag, ( ground_dag(40, x, D), copy_term(D-_, E-_), arg(1,E,_) ), [], answers([[]])).
t(copy_open_dag, ( ground_dag(12, _, D), copy_term(D, E), term_variables(E, [_]), arg(1,E,A), arg(2,E,B), A == B ), [], answers([[]])).
t(copy_cyclic, ( X = f(X,_,g(a)), copy_term(X, Y), arg(1,Y,Z), Z == Y ), [], answers([[]])).
t(copy_long, ( length(L, 20000), copy_term(L, M), msort(M, N), length(N, K) ), [K], answers([[20000]])).
t(copy_long_shares, ( numlist(1, 20000, L), copy_term(L-_, M-_), same_term(L, M) ), [], answers([[]])).
t(copy_at_random, ( forall(between(1, 40, Seed), ( some_term(3, [A,B,C|_], T, Seed, _), copy_term(T-[A,B,C], U-_), T-x =@= U-x, term_variables(T, Vs), term_variables(U, Ws), \+ ( member(V, Vs), member(W, Ws), V == W ) )) ), [], answers([[]])).
ground_dag(0, X, X) :- !.
ground_dag(N, X, f(T,T)) :- M is N-1, ground_dag(M, X, T).
some_term(Depth, Vs, T, R0, R) :-
    R1 is (R0*1103515245 + 12345) mod 2147483648,
    K is (R1 >> 16) mod 9,
    (   K < 3 -> nth0(K, Vs, T), R = R1
    ;   ( K =:= 3 ; Depth =:= 0 ) -> nth0(K, [p,[],1,"text",2.5,12345678901234567890123,q,-1,r], T), R = R1
    ;   D is Depth-1,
        some_term(D, Vs, A, R1, R2), some_term(D, Vs, B, R2, R3), some_term(D, Vs, C, R3, R),
        nth0(K, [_,_,_,_,f(A,B,C),[A,B|C],g(A,g(B)),[A|B],A-f(C)], T)
    ).

% term_variables/2,3

t(term_variables, term_variables(f(X, g(Y), X, Z), L), [X, Y, Z, L], answers([[P, Q, R, [P, Q, R]]])).
t(term_variables_ground, term_variables(f(a), L), [L], answers([[[]]])).
t(term_variables_var, term_variables(X, L), [X, L], answers([[P, [P]]])).
t(term_variables_order, ( term_variables([B, A, B], L) ), [A, B, L], answers([[P, Q, [Q, P]]])).
t(term_variables_bound, ( X = a, term_variables(f(X, Y), L) ), [Y, L], answers([[P, [P]]])).
t(term_variables_check, term_variables(f(X, Y), [a|T]), [X, Y, T], answers([[a, P, [P]]])).
t(term_variables_bind_later, ( term_variables(f(X, Y, X), L), X = 1, L = [_, b] ), [X, Y, L], answers([[1, b, [1, b]]])).
t(nb_set_variants, ( empty_nb_set(S), findall(N, ( member(K, [f(_), f('$VAR'(0)), f(_), f(X, X), f(_, _), f(1), "1", '1', f('$VAR'(0))]), add_nb_set(K, S, N) ), Ns),
    nb_set_to_list(S, L0), append(L, [f(B, C), f(D, E)], L0), ( B == C -> D \== E ; D == E ), size_nb_set(S, Size) ), [Ns, L, Size],
  answers([[[true, true, false, true, true, true, true, true, false], ["1", '1', f(_), f(1), f('$VAR'(0))], 7]])).
t(nb_set_grows, ( empty_nb_set(S), forall(between(1, 2000, I), ( J is I mod 700, add_nb_set(k(J), S) )), nb_set_to_list(S, L), length(L, N), size_nb_set(S, N1), L = [F|_],
    findall(X, gen_nb_set(S, X), L2), ( L == L2 -> Same = true ; Same = false ) ), [N, N1, F, Same], answers([[700, 700, k(0), true]])).
t(nb_set_kept, ( empty_nb_set(S), ( add_nb_set(f(X), S), X = 1, fail ; true ), add_nb_set(f(_), S, New), add_nb_set(f(1), S, New1) ), [New, New1], answers([[false, true]])).
t(nb_set_wants_new, ( empty_nb_set(S), add_nb_set(a, S), \+ add_nb_set(a, S, true), \+ add_nb_set(b, S, false), nb_set_to_list(S, L) ), [L], answers([[[a]]])).
t(term_variables_bad_list, term_variables(f(_), a), [], fails).
t(term_variables_3, term_variables(f(X, Y), L, T), [X, Y, L, T], answers([[P, Q, [P, Q|R], R]])).
t(term_variables_as_list, ( length(L, 100), term_variables(L, M), L == M ), [], answers([[]])).

% setarg/3 and nb_setarg/3

t(setarg, ( T = f(a, b), setarg(1, T, x) ), [T], answers([[f(x, b)]])).
t(setarg_undone, ( T = f(a), ( setarg(1, T, x), fail ; true ) ), [T], answers([[f(a)]])).
t(setarg_var, ( T = f(a), setarg(1, T, X), X = y ), [T], answers([[f(y)]])).
t(setarg_out, setarg(3, f(a), x), [], fails).
t(setarg_zero, setarg(0, f(a), x), [], fails).
t(setarg_unbound, setarg(1, _, x), [], throws(instantiation_error)).
t(setarg_bad_index, setarg(a, f(x), x), [], throws(type_error(integer, a))).
t(nb_setarg, ( T = f(a), ( nb_setarg(1, T, x), fail ; true ) ), [T], answers([[f(x)]])).
t(nb_setarg_counter, ( T = count(0), ( member(_, [a, b, c]), arg(1, T, N0), N is N0 + 1, nb_setarg(1, T, N), fail ; arg(1, T, C) ) ), [C],
  answers([[3]])).
t(nb_setarg_copies, ( T = f(a), X = g(Y), nb_setarg(1, T, X), Y = 1, arg(1, T, A) ), [A], answers([[g(_)]])).

% numbervars/3

t(numbervars, ( T = f(X, Y, X), numbervars(T, 0, E) ), [T, E, Y],
  answers([[f('$VAR'(0), '$VAR'(1), '$VAR'(0)), 2, '$VAR'(1)]])).
t(numbervars_start, ( T = f(_), numbervars(T, 23, E) ), [T, E], answers([[f('$VAR'(23)), 24]])).
t(numbervars_ground, numbervars(f(a), 5, E), [E], answers([[5]])).
t(numbervars_written, ( T = f(_, _), numbervars(T, 0, _), with_output_to(string(S), print(T)) ), [S],
  answers([["f(A,B)"]])).
t(numbervars_1, ( T = f(X, X), numbervars(T) ), [T], answers([[f('$VAR'(0), '$VAR'(0))]])).

% Global variables

t(b_setval, ( b_setval(trm_v, 1), b_getval(trm_v, X) ), [X], answers([[1]])).
t(b_setval_undone, ( nb_setval(trm_v, 0), ( b_setval(trm_v, 1), fail ; true ), b_getval(trm_v, X) ), [X],
  answers([[0]])).
t(b_setval_shares, ( b_setval(trm_v, f(Y)), Y = 1, b_getval(trm_v, X) ), [X], answers([[f(1)]])).
t(b_setval_nested_undo, ( b_setval(trm_v, a), ( b_setval(trm_v, b), b_setval(trm_v, c), fail ; b_getval(trm_v, X) ) ), [X],
  answers([[a]])).
t(nb_setval, ( nb_setval(trm_v, a), nb_getval(trm_v, X) ), [X], answers([[a]])).
t(nb_setval_kept, ( nb_setval(trm_v, a), ( nb_setval(trm_v, b), fail ; true ), nb_getval(trm_v, X) ), [X],
  answers([[b]])).
t(nb_setval_copies, ( nb_setval(trm_v, f(Y)), Y = 1, nb_getval(trm_v, X) ), [X], answers([[f(_)]])).
t(nb_setval_large, ( numlist(1, 10000, L), nb_setval(trm_v, L), nb_getval(trm_v, M), L == M, nb_setval(trm_v, []) ), [],
  answers([[]])).
t(nb_getval_missing, nb_getval(trm_no_such_variable, _), [], throws(existence_error(variable, trm_no_such_variable))).
t(b_getval_missing, b_getval(trm_no_such_variable, _), [], throws(existence_error(variable, trm_no_such_variable))).
t(nb_getval_unbound, nb_getval(_, _), [], throws(instantiation_error)).
t(nb_setval_unbound, nb_setval(_, x), [], throws(instantiation_error)).
t(nb_setval_bad_key, nb_setval(f(x), x), [], throws(type_error(atom, f(x)))).

% The order of variables stays when they move.

t(order_of_variables_sorted, ( length(L, 300), sort(L, S), garbage_collect, term_variables(f(L, S), Vs),
                               garbage_collect, sort(S, S1), S1 == S, sort(Vs, S2), S2 == S ), [], answers([[]])).
t(order_of_variables_after_backtracking, ( length(L, 300), sort(0, @>=, L, S), ( member(_, L), garbage_collect, fail ; true ),
                                           ( maplist(=(a), L), garbage_collect, fail ; true ), sort(0, @>=, S, S1), S1 == S ),
  [], answers([[]])).
t(order_of_variables_in_trees, ( length(L, 300), foldl(trm_put, L, t, A), garbage_collect, reverse(L, R),
                                 maplist(trm_get(A), R) ), [], answers([[]])).
t(order_of_names_alike, ( compound_name_arguments(A, [], [1]), compound_name_arguments(B, '[]', [1]), compound_name_arguments(C, '[]', [0]), compare(O, A, B), compare(P, A, C), A \== B, sort([B, A], L), length(L, N) ), [O, P, N], answers([[<, <, 2]])).
t(order_of_variables_by_age, ( X = f(A, B), garbage_collect, A @< B, compare(<, X, g(_, _)), sort([_, B, A, B], [A, B|_]) ),
  [], answers([[]])).

trm_put(V, A0, A) :-
    garbage_collect,
    put_assoc(V, A0, x, A).

trm_get(A, V) :-
    get_assoc(V, A, x).

t(setarg_zero, setarg(0, 4, x), [], fails).
t(setarg_nil, setarg(4, [], x), [], throws(type_error(compound, []))).
t(numbervars_large, numbervars(f(_), 9223372036854775807, _), [], throws(representation_error(tagged_integer))).
t(numbervars_small, numbervars(f(_), -9223372036854775807, _), [], throws(representation_error(tagged_integer))).

% What is left of global variables

t(nb_delete, ( nb_setval(compat_key, 1), nb_delete(compat_key), nb_current(compat_key, _) ), [], fails).
% What b_setval/2 undoes is what it did: not what nb_setval/2 and nb_delete/1 did after it.
t(nb_after_b, ( nb_setval(gv1, 0), \+ \+ ( b_setval(gv1, 1), nb_setval(gv1, 2) ), nb_getval(gv1, X) ), [X], answers([[2]])).
t(nb_after_b_first, ( ( b_setval(gv2, 1), nb_setval(gv2, 2), fail ; true ), nb_getval(gv2, X) ), [X], answers([[2]])).
t(b_after_nb_after_b, ( nb_setval(gv3, 0), ( b_setval(gv3, 1), nb_setval(gv3, 2), b_setval(gv3, 3), fail ; true ), nb_getval(gv3, X) ), [X], answers([[2]])).
t(nb_after_b_thrown, ( nb_setval(gv4, 0), catch(( b_setval(gv4, a), nb_setval(gv4, f(c)), throw(x) ), x, true), garbage_collect, nb_getval(gv4, X) ), [X], answers([[f(c)]])).
t(deleted_after_b, ( nb_setval(gv5, 0), ( b_setval(gv5, 1), nb_delete(gv5), fail ; true ), nb_current(gv5, _) ), [], fails).
t(b_alone, ( nb_setval(gv6, 0), ( b_setval(gv6, 1), fail ; true ), nb_getval(gv6, X) ), [X], answers([[0]])).
t(nb_delete_none, nb_delete(compat_no_key), [], answers([[]])).

% arg/3 in a clause whose number, term or argument is not known when that is compiled

t(arg_in_place, arg_then(_, f(a, b), _, R), [R], answers([[q-1-a], [q-2-b]])).
t(arg_in_place_number, arg_then(2, [a|b], _, R), [R], answers([[q-2-b]])).
t(arg_in_place_known, arg_then(_, f(a, b, a), a, R), [R], answers([[q-1-a], [q-3-a]])).
t(arg_in_place_out, arg_then(3, f(a, b), _, _), [], fails).
t(arg_in_place_error, arg_then(a, f(a), _, _), [], throws(type_error(integer, a))).
t(arg_in_place_no_term, arg_then(1, _, _, _), [], throws(instantiation_error)).
t(arg_in_place_cut, arg_and_cut(_, f(a, b), b, R), [R], answers([[2-q]])).
t(arg_in_place_no_cut, arg_and_cut(_, f(a, b), c, R), [R], answers([[none]])).
t(arg_in_place_constant, findall(N, arg_is_c(N, f(a, c, b, c)), L), [L], answers([[[2, 4]]])).
t(arg_in_place_condition, ( arg_condition(_, f(a, b), R), arg_condition(1, f(a, b), S) ), [R, S], answers([[yes(2), no]])).
t(arg_in_place_twice, findall(X-Y, arg_twice(f(a, b), X, Y), L), [L], answers([[[1-1, 2-2]]])).
t(arg_in_place_negated, ( arg_is_not(f(a, b), c), \+ arg_is_not(f(a, b), b) ), [], answers([[]])).
t(arg_in_place_collected, ( numlist(1, 5000, L), T =.. [f|L], findall(N, ( arg_then(N, T, X, _), X mod 1000 =:= 0, garbage_collect ), Ns) ), [Ns],
  answers([[[1000, 2000, 3000, 4000, 5000]]])).

arg_then(N, T, A, R) :- arg_q(A, Q), arg(N, T, A), arg_q(A, Q), R = Q-N-A.
arg_q(_, q).

arg_and_cut(N, T, A, R) :- arg_q(A, Q), arg(N, T, A), !, R = N-Q.
arg_and_cut(_, _, _, none).

arg_is_c(N, T) :- arg(N, T, c).

arg_condition(N, T, R) :- ( arg(N, T, A), A == b -> R = yes(N) ; R = no ).

arg_twice(T, N, M) :- arg(N, T, X), arg(M, T, Y), X == Y.

arg_is_not(T, A) :- \+ arg(_, T, A).

t(nonground, ( nonground(f(a, X, _), V), V == X ), [], answers([[]])).
t(nonground_not, nonground(f(a), _), [], fails).
t(general_compound, is_most_general_term(f(_, _)), [], answers([[]])).
t(general_list, is_most_general_term([_, _]), [], answers([[]])).
t(general_shared, is_most_general_term(f(A, A)), [], fails).
t(general_partial, is_most_general_term([_|_]), [], fails).

% Several places that are one variable change together, wherever a collection has put it.
tm_older(X) :- functor(L, g, 1), arg(1, L, X).
tm_bound(K, X) :- arg(1, K, A), X = A.
t(setarg_of_alias, ( tm_older(X), functor(K, k, 1), tm_bound(K, X), setarg(1, K, v) ), [X, K], answers([[v, k(v)]])).
t(setarg_of_alias_moved, ( tm_older(X), functor(K, k, 1), garbage_collect, tm_bound(K, X), setarg(1, K, v) ), [X, K], answers([[v, k(v)]])).
t(setarg_of_alias_undone, ( tm_older(X), functor(K, k, 1), tm_bound(K, X), \+ ( setarg(1, K, v), X \== v ), \+ \+ setarg(1, K, w), var(X), X = y ), [K], answers([[k(y)]])).
t(setarg_of_alias_by_itself, ( T = f(X, X), setarg(1, T, X), X = 1 ), [T], answers([[f(1, 1)]])).
