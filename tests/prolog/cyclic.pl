% Cyclic terms (rational trees): everything ends, with an answer or an error.
% Apart from the other files because a system that lacks them does not end.

:- dynamic(d/1).
:- table tabled/1, loop/1.

tabled(_).

loop(X) :- X = [a|X].

% Unification and comparison

t(unify, ( X = f(X), Y = f(Y), X = Y ), [], answers([[]])).
t(unify_periods, ( X = f(X), Y = f(f(Y)), Z = f(f(f(Z))), X = Y, Y = Z ), [], answers([[]])).
t(unify_differ, ( X = f(X, a), Y = f(Y, b), X = Y ), [], fails).
t(unify_binds, ( X = f(X, A), Y = f(f(Y, 1), B), X = Y ), [A, B], answers([[1, 1]])).
t(unify_wide, ( X = f(X, X, X), Y = f(Y, f(Y, Y, Y), Y), X = Y ), [], answers([[]])).
t(unify_lists, ( L = [a|L], L = [A, B, C|_] ), [A, B, C], answers([[a, a, a]])).
t(unify_coprime, ( ring(1009, X), ring(1013, Y), X = Y, X == Y ), [], answers([[]])).
t(not_unify, ( X = f(X), Y = f(f(Y)), X \= Y ), [], fails).
t(occurs_check, ( X = f(X), Y = f(f(Y)), unify_with_occurs_check(X, Y) ), [], answers([[]])).
t(occurs_check_no, unify_with_occurs_check(X, f(X)), [], fails).
t(identical, ( X = f(X), Y = f(Y), X == Y ), [], answers([[]])).
t(identical_periods, ( X = f(X), Y = f(f(Y)), X == Y ), [], answers([[]])).
t(compare, ( X = f(X), Y = f(f(Y)), compare(O, X, Y) ), [O], answers([[=]])).
t(compare_differ, ( X = f(X, a), Y = f(Y, b), compare(O, X, Y), compare(P, Y, X) ), [O, P], answers([[<, >]])).
t(variant, ( X = f(X, _), Y = f(f(Y, B), B), X =@= Y ), [], answers([[]])).
t(variant_no, ( X = f(X, A), Y = f(f(Y, A), B), A \== B, X =@= Y ), [], fails).
t(variant_sides, ( P = p(X, Y), Q = p(Y, Z), R = p(X, Z), L = [P, Q, P|L], M = [Q, R, R|M], L =@= M ), [], fails).
t(subsumes, ( X = f(X), subsumes_term(f(_), X), subsumes_term(X, X) ), [], answers([[]])).
t(unifiable, ( X = f(X), unifiable(X, f(Y), [V = T]), V == Y, T == X ), [], answers([[]])).

ring(N, [a|T]) :- numlist(2, N, L), ring(L, T, E), E = [a|T].
ring([], E, E).
ring([_|L], [a|T], E) :- ring(L, T, E).

% Inspection

t(acyclic_no, ( X = f(X), acyclic_term(X) ), [], fails).
t(acyclic_shared, ( shared(60, T), acyclic_term(T), ground(T), term_variables(T, []) ), [], answers([[]])).
t(cyclic_yes, ( X = f(X), cyclic_term(g(a, [X])) ), [], answers([[]])).
t(cyclic_no, cyclic_term(f(_, a)), [], fails).
t(ground, ( X = f(X), ground(X) ), [], answers([[]])).
t(ground_no, ( X = f(X, _), ground(X) ), [], fails).
t(variables, ( X = f(X, V, W, V), term_variables(X, L), L == [V, W] ), [], answers([[]])).
t(copy, ( X = f(X, _), copy_term(X, Y), cyclic_term(Y), X =@= Y, X \== Y ), [], answers([[]])).
t(copy_ground, ( X = f(X), copy_term([X], [Y]), X == Y ), [], answers([[]])).
% What a term shares in itself is not copied out: 2^60 leaves.
t(copy_shared, ( dag(60, V, T), copy_term(T, C), deepest(C, 60, L), var(L), L \== V ), [], answers([[]])).
t(findall_shared, ( dag(60, _, T), findall(T, between(1, 3, _), [A, B, C]), deepest(A, 60, X), deepest(B, 60, Y), deepest(C, 60, Z), length([X, Y, Z], N) ), [N], answers([[3]])).
t(ball_shared, ( dag(60, _, T), catch(throw(ball(T)), ball(C), deepest(C, 60, L)) ), [L], answers([[_]])).
t(records_shared, ( dag(60, x, T), recordz(shared, T, R), recorded(shared, C, R), erase(R), nb_setval(shared, C), nb_getval(shared, D), deepest(D, 60, L) ), [L], answers([[x]])).
t(long_cycle, ( numlist(1, 3000, N), append(N, X, X), findall(X, true, [Y]), nth1(3001, Y, One), nth1(6002, Y, Two) ), [One, Two], answers([[1, 2]])).
t(numbervars, ( X = f(X, Y, Z), numbervars(X, 0, End) ), [Y, Z, End], answers([['$VAR'(0), '$VAR'(1), 2]])).
t(univ, ( X = f(X, a), X =.. [F, Y, Z], X == Y ), [F, Z], answers([[f, a]])).
t(term_hash, ( X = f(X), term_hash(X, H), integer(H) ), [], answers([[]])).

shared(0, a) :- !.
shared(N, f(T, T)) :- N1 is N-1, shared(N1, T).

% Lists

t(length, ( L = [a|L], length(L, _) ), [], throws(type_error(list, _))).
t(length_of, ( L = [a|L], length(L, 5) ), [], throws(type_error(list, _))).
t(is_list, ( L = [a|L], is_list(L) ), [], fails).
t(is_list_late, ( L = [b|L], M = [a, c, d|L], is_list(M) ), [], fails).
t(msort, ( L = [a|L], msort(L, _) ), [], throws(type_error(list, _))).
t(sort_4, ( L = [a|L], sort(0, @>=, L, _) ), [], throws(type_error(list, _))).
t(keysort, ( L = [a-1|L], keysort(L, _) ), [], throws(type_error(list, _))).
t(univ_list, ( L = [a|L], _ =.. L ), [], throws(type_error(list, _))).
t(atom_codes, ( L = [a|L], atom_codes(_, L) ), [], throws(type_error(_, _))).
t(atom_length, ( L = [a|L], atom_length(L, _) ), [], throws(type_error(_, _))).
t(concat, ( L = [a|L], atomic_list_concat(L, ',', _) ), [], throws(type_error(_, _))).
t(options, ( L = [quoted(true)|L], write_term(a, L) ), [], throws(type_error(list, _))).
t(phrase, ( L = [a|L], phrase([a], L, R), R == L ), [], answers([[]])).
t(sort_elements, ( X = f(X), Y = f(f(Y)), sort([X, b, Y, a], [a, b, Z]), Z == X ), [], answers([[]])).
t(msort_elements, ( X = f(X), Y = f(f(Y)), msort([X, b, Y, a], L), length(L, N) ), [N], answers([[4]])).
t(sort_many, ( findall(X, ( between(1, 300, I), A is I mod 7, X = f(X, A) ), L), sort(L, S), length(S, N) ), [N], answers([[7]])).
t(sort_stable, ( numlist(1, 100, Ns), findall(X-N, ( member(N, Ns), X = f(X) ), L), keysort(L, S), findall(N, member(_-N, S), Ns) ), [],
  answers([[]])).
t(memberchk, ( L = [a, b|L], memberchk(b, L) ), [], answers([[]])).

t(last, ( L = [a|L], last(L, _) ), [], fails).
t(load_files, ( L = [a|L], consult(L) ), [], throws(type_error(list, _))).
t(load_files_call, ( L = [a|L], call(L) ), [], throws(type_error(list, _))).

% Terms inside terms: a way down ends before it comes to what it is in

t(sub_term, ( X = f(X, a, g(X, b)), findall(S, sub_term(S, X), L), L = [A, B, C, D], A == X, C = g(Y, b), Y == X ), [B, D], answers([[a, b]])).
t(sub_term_none, ( X = f(X, a), sub_term(b, X) ), [], fails).
t(sub_term_below, ( X = f(X), sub_term(a, g(X, a)) ), [], prefix([[]])).
t(sub_var, ( X = f(X, V, V), findall(x, sub_var(V, X), L) ), [L], answers([[[x, x]]])).
t(contains_term, ( X = f(X, g(1)), contains_term(g(N), X) ), [N], answers([[1]])).
t(contains_var, ( X = f(X, V), contains_var(V, X), \+ contains_var(_, X) ), [], answers([[]])).
t(free_of_term, ( X = f(X, a), free_of_term(b, X), \+ free_of_term(a, X) ), [], answers([[]])).
t(free_of_var, ( X = f(X, V), free_of_var(_, X), \+ free_of_var(V, X) ), [], answers([[]])).
t(occurrences_of_term, ( X = f(X, a, [a, b|X]), occurrences_of_term(a, X, N) ), [N], answers([[2]])).
t(occurrences_of_var, ( X = f(X, V, [V, b|X]), occurrences_of_var(V, X, N) ), [N], answers([[2]])).
t(shared_variables, ( X = f(X, V), sub_term_shared_variables(V, X, _) ), [], throws(domain_error(acyclic_term, _))).
t(mapsubterms, ( X = f(X, a, V, g(b, X)), mapsubterms(cy_swap, X, Y), Y = f(A, B, C, D), A == Y, C == V, D = g(E, Z), Z == Y ), [B, E], answers([[b, a]])).
t(mapsubterms_given, mapsubterms([X, Y]>>( Y = X ; Y = f(X) ), g(1), f(g(1))), [], answers([[]])).
t(mapsubterms_whole, ( X = f(X, a), mapsubterms(cy_one, X, Y) ), [Y], answers([[1]])).
t(mapsubterms_var, ( X = f(X, _), mapsubterms_var(cy_var, X, f(Y, Z)), Y = f(Y1, _), Y == Y1 ), [Z], answers([[v]])).
t(foldsubterms, ( X = f(X, 1, [2, 3|X]), foldsubterms(cy_sum, X, 0, N) ), [N], answers([[6]])).
t(foldsubterms_map, ( X = f(X, 1, [2|X]), foldsubterms(cy_next, X, Y, 0, N), Y = f(A, B, [C|D]), A == Y, D == Y ), [B, C, N], answers([[2, 3, 3]])).
cy_swap(a, b).
cy_swap(b, a).
cy_one(f(_, _), 1).
cy_var(X, v) :- var(X).
cy_sum(X, N0, N) :- integer(X), N is N0+X.
cy_next(X, Y, N0, N) :- integer(X), Y is X+1, N is N0+X.

% Copies off the heap

t(findall, ( X = f(X), findall(X, true, [Y]), X == Y ), [], answers([[]])).
t(bagof, ( X = f(X), bagof(X-Y, member(Y, [1, 2]), [A-_, B-_]), X == A, A == B ), [], answers([[]])).
t(throw, ( X = f(X), catch(throw(X), Y, true), X == Y ), [], answers([[]])).
t(global, ( X = f(X), nb_setval(cyclic, X), nb_getval(cyclic, Y), X == Y ), [], answers([[]])).
t(backtrackable, ( X = f(X), b_setval(cyclic, X), b_getval(cyclic, Y), X == Y ), [], answers([[]])).
t(duplicate, ( X = f(X), duplicate_term(X, Y), X == Y ), [], answers([[]])).
t(message, ( X = f(X), thread_self(Me), thread_send_message(Me, X), thread_get_message(Y), X == Y ), [], answers([[]])).
t(thread, ( X = f(X), thread_create(cyclic_term(X), Id), thread_join(Id, Status) ), [Status], answers([[true]])).
t(thread_ball, ( X = f(X), thread_create(throw(X), Id), thread_join(Id, exception(Y)), X == Y ), [], answers([[]])).

% What does not take them

t(assertz, ( X = f(X), assertz(d(X)) ), [], throws(representation_error(cyclic_term))).
t(assertz_body, ( X = f(X), assertz((d(1) :- d(X))) ), [], throws(representation_error(cyclic_term))).
t(assertz_control, ( X = (a, X), assertz((d(1) :- X)) ), [], throws(representation_error(cyclic_term))).
t(assertz_module, ( X = user:X, assertz(X) ), [], throws(type_error(acyclic_term, _))).
t(retract, ( X = f(X), retract(d(X)) ), [], fails).
t(call_and, ( X = (true, X), call(X) ), [], throws(representation_error(cyclic_term))).
t(call_or, ( X = (fail ; X), call(X) ), [], throws(representation_error(cyclic_term))).
t(call_not, ( X = (\+ X), call(X) ), [], throws(representation_error(cyclic_term))).
t(call_module, ( X = user:X, call(X) ), [], throws(type_error(acyclic_term, _))).
t(bagof_quantified, ( G = V^G, bagof(V, G, _) ), [], throws(representation_error(cyclic_term))).
t(setof_modules, ( G = _^m:G, setof(x, G, _) ), [], throws(representation_error(cyclic_term))).
t(bagof_and, ( G = (true, G), bagof(x, G, _) ), [], throws(representation_error(cyclic_term))).
t(bagof_not, ( G = (\+ G), bagof(x, G, _) ), [], throws(representation_error(cyclic_term))).
t(bagof_argument, ( C = f(C), bagof(X-Y, C^( member(X-Y, [1-C]), \+ Y = a(_) ), [N-D]), D == C ), [N], answers([[1]])).
t(aggregate_quantified, ( G = _^G, aggregate_all(count, G, _) ), [], throws(representation_error(cyclic_term))).
t(phrase_modules, ( B = m:B, phrase(B, _) ), [], throws(type_error(acyclic_term, _))).
t(phrase_list, ( L = [a|L], phrase(L, _) ), [], throws(type_error(list_or_partial_list, _))).
t(call_argument, ( X = f(X), G = ( compound(X), cyclic_term(X) ), call(G) ), [], answers([[]])).
t(arithmetic, ( X = 1+X, _ is X ), [], throws(type_error(expression, _))).
t(tabled, ( X = f(X), tabled(X) ), [], throws(type_error(acyclic_term, _))).
t(tabled_answer, loop(_), [], throws(type_error(acyclic_term, _))).
t(tabled_after, tabled(a), [], answers([[]])).

% Written

t(write, ( X = f(X), write(X) ), [], output("@(S_1,[S_1=f(S_1)])")).
t(print, ( X = [a|X], print(X) ), [], output("@(S_1,[S_1=[a|S_1]])")).
t(writeq, ( X = '$VAR'(X), writeq(X) ), [], output("@(S_1,[S_1='$VAR'(S_1)])")).
t(write_inner, ( X = f(Y, g(X)), Y = g(Y), write(X) ), [], output("@(S_2,[S_1=g(S_1),S_2=f(S_1,g(S_2))])")).
t(write_tail, ( X = [a, b, c|X], write([d, e|X]) ), [], output("@([d,e|S_1],[S_1=[a,b,c|S_1]])")).
t(write_operator, ( X = (- X), writeq(X) ), [], output("@(S_1,[S_1= -S_1])")).
t(write_operand, ( X = (a :- X), writeq([- X]) ), [], output("@([-S_1],[S_1=(a:-S_1)])")).
t(write_braces, ( X = {X}, writeq(X) ), [], output("@(S_1,[S_1={S_1}])")).
t(write_depth, ( X = f(X), write_term(X, [max_depth(5)]) ), [], output("f(f(f(f(f(...)))))")).
t(write_list_depth, ( X = [a|X], write_term(X, [max_depth(5)]) ), [], output("[a,a,a,a|...]")).
t(write_cycles, ( X = f(X), write_term(X, [cycles(false)]) ), [], throws(domain_error(cyclic_term, _))).
t(portray_clause, ( X = f(X, Y), portray_clause(a(X, Y)) ), [], output("@(a(S_1, A), [S_1=f(S_1, A)]).\n")).
t(format, ( X = f(X), format("~w ~q ~p ~a", [X, X, X, b]) ), [],
  output("@(S_1,[S_1=f(S_1)]) @(S_1,[S_1=f(S_1)]) @(S_1,[S_1=f(S_1)]) b")).
t(term_to_atom, ( X = f(X), term_to_atom(X, A), term_to_atom(@(Y, [Z = f(V)]), A), Y == Z, Z == V ), [], answers([[]])).
t(format_list, ( X = [a|X], format("~w", X) ), [], output("@(S_1,[S_1=[a|S_1]])")).

dag(0, X, X) :- !.
dag(N, X, f(T, T)) :- M is N-1, dag(M, X, T).

deepest(T, 0, L) :- !, L = T.
deepest(f(_, T), N, L) :- M is N-1, deepest(T, M, L).
