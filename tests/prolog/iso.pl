% ISO/IEC 13211-1:1995 with its corrigenda 1 to 3, builtin by builtin: what each example of the standard says of a goal, and each clause on errors.
% The names are those of the clauses. Where Samite, as SWI-Prolog, says something else by default, the row says that, and its name ends in `_here`:
% docs/compatibility.md and iso_flag.pl know more of these.

:- set_prolog_flag(double_quotes, codes).

:- dynamic([iso_cat/0, iso_dog/0, iso_elk/1, iso_legs/2, iso_insect/1, iso_foo/1]).
iso_cat.
iso_dog :- true.
iso_elk(X) :- iso_moose(X).
iso_legs(A, 6) :- iso_insect(A).
iso_legs(A, 7) :- A, call(A).
iso_insect(ant).
iso_insect(bee).
iso_moose(_).
iso_twice(!) :- write('C ').
iso_twice(true) :- write('Moss ').
iso_goal((iso_twice(_), !)).
iso_goal(write('Three ')).
iso_a(1, f(_)).
iso_a(2, f(_)).
iso_b(1, 1). iso_b(1, 1). iso_b(1, 2). iso_b(2, 1). iso_b(2, 2). iso_b(2, 2).
iso_d(1, 1). iso_d(1, 2). iso_d(1, 1). iso_d(2, 2). iso_d(2, 1). iso_d(2, 2).
iso_on(Text, G) :- open_string(Text, S), call(G, S), close(S).
iso_read(Text, G) :- open_string(Text, S), current_input(Old), set_input(S), call_cleanup(G, ( set_input(Old), close(S) )).
iso_bytes(Bytes, G) :- tmp_file(iso, F), open(F, write, O, [type(binary)]), forall(member(B, Bytes), put_byte(O, B)), close(O), open(F, read, S, [type(binary)]), call_cleanup(call(G, S), ( close(S), delete_file(F) )).
iso_file(G) :- tmp_file(iso, F), open(F, write, O), write(O, 'abc.'), close(O), call_cleanup(call(G, F), ( exists_file(F) -> delete_file(F) ; true )).
iso_written(G, Text) :- with_output_to(atom(Text), G).

% --- 7.8 Control ---

t('7.8.1 true', true, [], answers([[]])).
t('7.8.2 fail', fail, [], fails).
t('7.8.3 cut', ( call(!), fail ; true ), [], answers([[]])).
t('7.8.3 call fails', call(( fail, _ )), [], fails).
t('7.8.3 call 1 not reached', call(( fail, call(1) )), [], fails).
t('7.8.3 variable', call(( iso_written(write(3), _), _ )), [], throws(instantiation_error)).
t('7.8.3 call of 1', call(( iso_written(write(3), _), call(1) )), [], throws(type_error(callable, 1))).
t('7.8.3 unbound', call(_), [], throws(instantiation_error)).
t('7.8.3 number', call(1), [], throws(type_error(callable, 1))).
t('7.8.3 number in a conjunction', call(( fail, 1 )), [], throws(type_error(callable, ( fail, 1 )))).
t('7.8.3 number behind write', call(( write(3), 1 )), [], throws(type_error(callable, ( write(3), 1 )))).
t('7.8.3 number in a disjunction', call(( 1 ; true )), [], throws(type_error(callable, ( 1 ; true )))).
t('7.8.4 cut', iso_written(( iso_twice(_), !, write('Forwards '), fail ; true ), _), [], fails).
t('7.8.4 cut local to call', iso_written(( ( iso_twice(X), call(!), X = ! -> write(then) ; write('else') ) ), T), [T], answers([['C then']])).
t('7.8.4 goals', iso_written(( iso_goal(X), call(X), write('Forwards '), fail ; true ), T), [T], answers([['C Forwards Three Forwards ']])).
t('7.8.4 cut in once', iso_written(( once(( iso_twice(_), write('Forwards ') )), fail ; write('No ') ), T), [T], answers([['C Forwards No ']])).
t('7.8.5 conjunction', ( X = 1, var(X) ), [], fails).
t('7.8.5 conjunction true', ( var(X), X = 1 ), [X], answers([[1]])).
t('7.8.5 conjunction fails', ( fail, call(3) ), [], fails).
t('7.8.5 nofoo', ( iso_nofoo(_), call(_) ), [], throws(existence_error(procedure, iso_nofoo/1))).
t('7.8.5 call', ( X = true, call(X) ), [X], answers([[true]])).
t('7.8.6 disjunction', ( true ; fail ), [], answers([[]])).
t('7.8.6 cut', ( ( !, fail ) ; true ), [], fails).
t('7.8.6 call of a cut', ( call(!), fail ; X = 2 ), [X], answers([[2]])).
t('7.8.6 solutions', ( X = 1 ; X = 2 ), [X], answers([[1], [2]])).
t('7.8.6 in a conjunction', ( ( X = 1 ; X = 2 ), ( true ; ! ) ), [X], answers([[1], [1]])).
t('7.8.7 then', ( X = 0 -> true ), [X], answers([[0]])).
t('7.8.7 cut', ( true -> ! ; fail ), [], answers([[]])).
t('7.8.7 no', ( fail -> true ), [], fails).
t('7.8.7 one solution of the condition', ( ( X = 1 ; X = 2 ) -> true ), [X], answers([[1]])).
t('7.8.7 all of then', ( true -> ( X = 1 ; X = 2 ) ), [X], answers([[1], [2]])).
t('7.8.8 then', ( true -> true ; fail ), [], answers([[]])).
t('7.8.8 else', ( fail -> true ; true ), [], answers([[]])).
t('7.8.8 then fails', ( true -> fail ; fail ), [], fails).
t('7.8.8 else fails', ( fail -> true ; fail ), [], fails).
t('7.8.8 x or y', ( true -> X = 1 ; X = 2 ), [X], answers([[1]])).
t('7.8.8 otherwise', ( fail -> X = 1 ; X = 2 ), [X], answers([[2]])).
t('7.8.8 both of then', ( true -> ( X = 1 ; X = 2 ) ; true ), [X], answers([[1], [2]])).
t('7.8.8 cut in the condition', ( ( !, fail ; true ) -> X = 1 ; X = 2 ), [X], answers([[2]])).
t('7.8.9 caught', catch(throw(exit(1)), exit(X), true), [X], answers([[1]])).
t('7.8.9 not caught', catch(throw(true), C, ( C = first ; C = second )), [C], fails).
t('7.8.9 other', catch(catch(throw(a), b, true), C, true), [C], answers([[a]])).
t('7.8.9 number', catch(number_codes(_, [0'3, 0'3 | _]), error(E, _), true), [E], answers([[instantiation_error]])).
t('7.8.9 rebinds', catch(( X = 1, throw(x) ), x, true), [X], answers([[_]])).
t('7.8.10 unbound', catch(throw(_), error(E, _), true), [E], answers([[instantiation_error]])).

% --- 8.2 Unification ---

t('8.2.1 1 = 1', 1 = 1, [], answers([[]])).
t('8.2.1 X = 1', X = 1, [X], answers([[1]])).
t('8.2.1 X = Y', ( X = Y, X == Y ), [], answers([[]])).
t('8.2.1 X = Y, Y = abc', ( X = Y, Y = abc ), [X], answers([[abc]])).
t('8.2.1 compounds', f(X, def) = f(def, Y), [X, Y], answers([[def, def]])).
t('8.2.1 1 = 2', 1 = 2, [], fails).
t('8.2.1 1 = 1.0', 1 = 1.0, [], fails).
t('8.2.1 names', g(_) = f(f(_)), [], fails).
t('8.2.1 arities', f(_, 1) = f(a(_)), [], fails).
t('8.2.1 arguments', f(_, _, 1) = f(a(_), a(_), 2), [], fails).
t('8.2.2 1', unify_with_occurs_check(1, 1), [], answers([[]])).
t('8.2.2 X', unify_with_occurs_check(X, 1), [X], answers([[1]])).
t('8.2.2 occurs', unify_with_occurs_check(X, a(X)), [], fails).
t('8.2.2 occurs in a term', unify_with_occurs_check(f(X, 1), f(a(X), 2)), [], fails).
t('8.2.2 occurs in two', unify_with_occurs_check(f(A, B, 1), f(a(B), a(A), 2)), [], fails).
t('8.2.3 1', 1 \= 1, [], fails).
t('8.2.3 X', _ \= 1, [], fails).
t('8.2.3 1.0', 1 \= 1.0, [], answers([[]])).
t('8.2.3 names', g(_) \= f(f(_)), [], answers([[]])).
t('8.2.4 a', subsumes_term(a, a), [], answers([[]])).
t('8.2.4 f(X, Y)', subsumes_term(f(_, _), f(Z, Z)), [], answers([[]])).
t('8.2.4 f(Z, Z)', subsumes_term(f(Z, Z), f(_, _)), [], fails).
t('8.2.4 g(X)', subsumes_term(g(X), g(f(X))), [], fails).
t('8.2.4 X', subsumes_term(X, f(X)), [], fails).
t('8.2.4 X and Y', subsumes_term(_, f(_)), [], answers([[]])).
t('8.2.4 binds nothing', ( subsumes_term(X, a), var(X) ), [], answers([[]])).

% --- 8.3 Type testing ---

t('8.3 tests', findall(T-Xs, ( member(T, [var, atom, integer, float, atomic, compound, nonvar, number, callable, ground]), findall(X, ( member(X, [33, -33, 33.5, atom, [], foo(a), "a", _]), G =.. [T, X], G ), Xs) ), L), [L],
    answers([[[var-[_], atom-[atom], integer-[33, -33], float-[33.5], atomic-[33, -33, 33.5, atom, []], compound-[foo(a), [97]], nonvar-[33, -33, 33.5, atom, [], foo(a), [97]],
               number-[33, -33, 33.5], callable-[atom, foo(a), [97]], ground-[33, -33, 33.5, atom, [], foo(a), [97]]]]])).
t('8.3 atom([])', atom([]), [], fails).
t('8.3 atom(;)', atom(;), [], answers([[]])).
t('8.3 callable 3', callable(3), [], fails).
t('8.3 callable (G, 1)', callable(( a, 1 )), [], answers([[]])).
t('8.3 callable 3:a', callable(f(_)), [], answers([[]])).
t('8.3 ground f(_)', ground(f(_)), [], fails).

% --- 8.4 Comparison ---

t('8.4.1 order', findall(A-B, ( member(A-B, [1.0-1, 1-1, aardvark-zebra, short-short, short-shorter, foo(b)-foo(a), foo(a, b)-north(a), 1.5-2, z-f(a), f(z)-g(a), f(b)-f(a, a)]), A @< B ), L), [L],
    answers([[[1.0-1, aardvark-zebra, short-shorter, 1.5-2, z-f(a), f(z)-g(a), f(b)-f(a, a)]]])).
t('8.4.1 identical', ( X = Y, X == Y ), [], answers([[]])).
t('8.4.1 foo(b) @> foo(a)', foo(b) @> foo(a), [], answers([[]])).
t('8.4.1 X == X', X == X, [], answers([[]])).
t('8.4.1 X == Y', _ == _, [], fails).
t('8.4.1 \\==', ( _ \== _, 1 \== 1.0, \+ a \== a ), [], answers([[]])).
t('8.4.1 _ @=< _', foo(X, a) @< foo(X, b), [], answers([[]])).
t('8.4.2 compare', compare(O, 3, 5), [O], answers([[<]])).
t('8.4.2 same', compare(O, d, d), [O], answers([[=]])).
t('8.4.2 3.0', compare(O, 3, 3.0), [O], answers([[>]])).
t('8.4.2 not', compare(<, <, <), [], fails).
t('8.4.2 itself', compare(=, _, _), [], fails).
t('8.4.2 no atom', compare(1+2, 3, 3.0), [], throws(type_error(atom, 1+2))).
t('8.4.2 no order', compare(>=, 3, 3.0), [], throws(domain_error(order, >=))).
t('8.4.3 sort', sort([1, 1], L), [L], answers([[[1]]])).
t('8.4.3 unify', sort([X, 1], [1, 1]), [X], answers([[1]])).
t('8.4.3 unify 2', sort([_, 1], [_, 1]), [], answers([[]])).
t('8.4.3 empty', sort([], L), [L], answers([[[]]])).
t('8.4.3 unbound', sort(_, _), [], throws(instantiation_error)).
t('8.4.3 partial', sort([a|_], _), [], throws(instantiation_error)).
t('8.4.3 no list', sort([a|b], _), [], throws(type_error(list, [a|b]))).
t('8.4.3 no list at all', sort(a, _), [], throws(type_error(list, a))).
t('8.4.4 keysort', keysort([1-1, 1-1], L), [L], answers([[[1-1, 1-1]]])).
t('8.4.4 stable', keysort([2-99, 1-a, 3-f(_), 1-z, 1-a, 2-44], L), [L], answers([[[1-a, 1-z, 1-a, 2-99, 2-44, 3-f(_)]]])).
t('8.4.4 unify', keysort([X-1, 1-1], [2-1, 1-1]), [X], answers([[2]])).
t('8.4.4 unbound', keysort(_, _), [], throws(instantiation_error)).
t('8.4.4 partial', keysort([a-1|_], _), [], throws(instantiation_error)).
t('8.4.4 no list', keysort([a-1|b], _), [], throws(type_error(list, [a-1|b]))).
t('8.4.4 unbound pair', keysort([a-1, _], _), [], throws(instantiation_error)).
t('8.4.4 no pair', keysort([a-1, b], _), [], throws(type_error(pair, b))).

% --- 8.5 Terms ---

t('8.5.1 functor', functor(foo(a, b, c), foo, 3), [], answers([[]])).
t('8.5.1 parts', functor(foo(a, b, c), X, Y), [X, Y], answers([[foo, 3]])).
t('8.5.1 made', functor(X, foo, 3), [X], answers([[foo(_, _, _)]])).
t('8.5.1 atom', functor(X, foo, 0), [X], answers([[foo]])).
t('8.5.1 mats', functor(mats(A, B), A, B), [A, B], answers([[mats, 2]])).
t('8.5.1 wrong arity', functor(foo(a), foo, 2), [], fails).
t('8.5.1 wrong name', functor(foo(a), fo, 1), [], fails).
t('8.5.1 1', functor(1, X, Y), [X, Y], answers([[1, 0]])).
t('8.5.1 1.1', functor(X, 1.1, 0), [X], answers([[1.1]])).
t('8.5.1 list', functor([_|_], N, A), [N, A], answers([['[|]', 2]])).
t('8.5.1 []', functor([], N, 0), [N], answers([[[]]])).
t('8.5.1 unbound', functor(_, _, 3), [], throws(instantiation_error)).
t('8.5.1 unbound arity', functor(_, foo, _), [], throws(instantiation_error)).
t('8.5.1 compound name', functor(_, foo(a), 1), [], throws(type_error(atomic, foo(a)))).
t('8.5.1 compound name 0', functor(_, foo(a), 0), [], throws(type_error(atomic, foo(a)))).
t('8.5.1 negative', functor(_, foo, -1), [], throws(domain_error(not_less_than_zero, -1))).
t('8.5.1 no integer', functor(_, foo, a), [], throws(type_error(integer, a))).
t('8.5.2 arg', arg(1, foo(a, b), a), [], answers([[]])).
t('8.5.2 value', arg(1, foo(a, b), X), [X], answers([[a]])).
t('8.5.2 binds', arg(1, foo(X, b), a), [X], answers([[a]])).
t('8.5.2 shares', ( arg(2, foo(a, f(X, b)), f(Y, Z)), X = 1 ), [Y, Z], answers([[1, b]])).
t('8.5.2 other', arg(1, foo(a, b), b), [], fails).
t('8.5.2 0', arg(0, foo(a, b), foo), [], fails).
t('8.5.2 3', arg(3, foo(3, 4), _), [], fails).
t('8.5.2 unbound N here', arg(N, foo(a, b), b), [N], answers([[2]])).
t('8.5.2 unbound term', arg(1, _, a), [], throws(instantiation_error)).
t('8.5.2 atom', arg(0, atom, _), [], throws(type_error(compound, atom))).
t('8.5.2 number', arg(0, 3, _), [], throws(type_error(compound, 3))).
t('8.5.2 no integer', arg(a, foo(a), _), [], throws(type_error(integer, a))).
t('8.5.2 negative', arg(-3, foo(a), _), [], throws(domain_error(not_less_than_zero, -3))).
t('8.5.3 univ', foo(a, b) =.. [foo, a, b], [], answers([[]])).
t('8.5.3 made', X =.. [foo, a, b], [X], answers([[foo(a, b)]])).
t('8.5.3 parts', foo(a, b) =.. L, [L], answers([[[foo, a, b]]])).
t('8.5.3 binds', foo(X, b) =.. [foo, a, Y], [X, Y], answers([[a, b]])).
t('8.5.3 1', 1 =.. [1], [], answers([[]])).
t('8.5.3 other', f(a, b) =.. [f, b, a], [], fails).
t('8.5.3 unbound', _ =.. _, [], throws(instantiation_error)).
t('8.5.3 partial', _ =.. [foo, a|_], [], throws(instantiation_error)).
t('8.5.3 no list', _ =.. [foo|bar], [], throws(type_error(list, [foo|bar]))).
t('8.5.3 unbound name', _ =.. [_, bar], [], throws(instantiation_error)).
t('8.5.3 number', _ =.. [3, 1], [], throws(type_error(_, 3))).
t('8.5.3 float', _ =.. [1.1, foo], [], throws(type_error(_, 1.1))).
t('8.5.3 compound name', _ =.. [a(b), 1], [], throws(type_error(_, a(b)))).
t('8.5.3 4', X =.. [4], [X], answers([[4]])).
t('8.5.3 compound alone', _ =.. [f(a)], [], throws(type_error(atomic, f(a)))).
t('8.5.3 empty', _ =.. [], [], throws(domain_error(non_empty_list, []))).
t('8.5.4 copy', copy_term(_, X), [X], answers([[_]])).
t('8.5.4 constant', copy_term(_, 3), [], answers([[]])).
t('8.5.4 a', copy_term(_, a), [], answers([[]])).
t('8.5.4 shared', copy_term(a+X, X+b), [X], answers([[a]])).
t('8.5.4 all shared', copy_term(X+X+_, A+B+B), [A, B], answers([[Z, Z]])).
t('8.5.4 different', copy_term(a, b), [], fails).
t('8.5.4 twice', copy_term(f(a), f(_)), [], answers([[]])).
t('8.5.4 demoen', ( copy_term(a+X, X+b), copy_term(a+X, X+b) ), [X], fails).
t('8.5.5 variables', ( term_variables(t, L) ), [L], answers([[[]]])).
t('8.5.5 order', ( term_variables(f(X, g(Y), X), L), L == [X, Y] ), [], answers([[]])).
t('8.5.5 depth', ( term_variables(A+B*C/B-D, L), L == [A, B, C, D] ), [], answers([[]])).
t('8.5.5 later', ( S = B+T, T = A*B, term_variables(S, L), L == [B, A] ), [], answers([[]])).
t('8.5.5 no list here', term_variables(t, [x|a]), [], fails).

% --- 8.6, 8.7 Evaluation and comparison ---

t('8.6.1 is', X is 3+11, [X], answers([[14]])).
t('8.6.1 twice', ( X = 1+2, Y is X*3 ), [X, Y], answers([[1+2, 9]])).
t('8.6.1 3 is 3', 3 is 3, [], answers([[]])).
t('8.6.1 3 is 3.0', 3 is 3.0, [], fails).
t('8.6.1 unbound', _ is _+1, [], throws(instantiation_error)).
t('8.6.1 foo', foo is 77, [], fails).
t('8.6.1 1+2 is 3', 1+2 is 3, [], fails).
t('8.6.1 N is 1+foo', _ is 1+foo, [], throws(type_error(evaluable, foo/0))).
t('8.6.1 foo(1)', _ is 1+foo(1), [], throws(type_error(evaluable, foo/1))).
t('8.7.1 equal', findall(C, ( member(C, [0 =:= 1, 1.0 =:= 1, 3*2 =:= 7-1, 0.333 =:= 1/3, 0 =\= 1, 3*2 =\= 7-1, 0 < 1, 1.0 < 1, 3*2 < 7-1, 0 > 1, 3*2 > 7-1, 0 >= 1, 3*2 >= 7-1, 0 =< 1, 3*2 =< 7-1]), call(C) ), L), [L],
    answers([[[1.0 =:= 1, 3*2 =:= 7-1, 0 =\= 1, 0 < 1, 3*2 >= 7-1, 0 =< 1, 3*2 =< 7-1]]])).
t('8.7.1 unbound', forall(member(O, [=:=, =\=, <, >, =<, >=]), ( G =.. [O, _, 5], catch(( G, fail ), error(instantiation_error, _), true) )), [], answers([[]])).
t('8.7.1 foo', forall(member(O, [=:=, =\=, <, >, =<, >=]), ( G =.. [O, foo, 5], catch(( G, fail ), error(type_error(evaluable, foo/0), _), true) )), [], answers([[]])).
t('8.7.1 unbound within', 2 + floor(_) =< 7, [], throws(instantiation_error)).

% --- 8.8 Clauses ---

t('8.8.1 clause', clause(iso_cat, true), [], answers([[]])).
t('8.8.1 body', clause(iso_dog, true), [], answers([[]])).
t('8.8.1 legs', clause(iso_legs(I, 6), B), [I, B], answers([[X, iso_insect(X)]])).
t('8.8.1 call', clause(iso_legs(C, 7), B), [C, B], answers([[X, ( call(X), call(X) )]])).
t('8.8.1 insect', clause(iso_insect(I), T), [I, T], answers([[ant, true], [bee, true]])).
t('8.8.1 none', clause(_, iso_nothing), [], throws(instantiation_error)).
t('8.8.1 unknown', clause(iso_x(_), _), [], fails).
t('8.8.1 number', clause(4, _), [], throws(type_error(callable, 4))).
t('8.8.1 body number', clause(iso_elk(_), 5), [], throws(type_error(callable, 5))).
t('8.8.1 system', clause(atom(_), _), [], throws(permission_error(access, private_procedure, atom/1))).
t('8.8.2 current', current_predicate(iso_cat/0), [], answers([[]])).
t('8.8.2 builtin here', current_predicate(current_predicate/1), [], answers([[]])).
t('8.8.2 arity', current_predicate(iso_elk/A), [A], answers([[1]])).
t('8.8.2 unbound', ( current_predicate(X/0), X == iso_cat ), [], answers([[]])).
t('8.8.2 number', current_predicate(4), [], throws(type_error(predicate_indicator, 4))).
t('8.8.2 atom', current_predicate(foo), [], throws(type_error(predicate_indicator, foo))).
t('8.8.2 name no atom', current_predicate(4/_), [], throws(type_error(_, _))).
t('8.8.2 arity no integer', current_predicate(_/a), [], throws(type_error(_, _))).
t('8.8.2 negative', current_predicate(_/(-1)), [], throws(domain_error(not_less_than_zero, -1))).

% --- 8.9 Changing clauses ---

t('8.9.1 asserta', ( asserta(iso_legs(octopus, 8)), iso_legs(X, 8), retract(iso_legs(octopus, 8)) ), [X], answers([[octopus]])).
t('8.9.1 rule', ( asserta(( iso_legs(A, 4) :- iso_animal(A) )), clause(iso_legs(_, 4), B), retract(( iso_legs(_, 4) :- _ )) ), [B], answers([[iso_animal(_)]])).
t('8.9.1 variable body', ( asserta(( iso_foo(X) :- X, call(X) )), clause(iso_foo(Y), B), retractall(iso_foo(_)) ), [Y, B], answers([[Z, ( call(Z), call(Z) )]])).
t('8.9.1 unbound', asserta(_), [], throws(instantiation_error)).
t('8.9.1 unbound head', asserta(( _ :- true )), [], throws(instantiation_error)).
t('8.9.1 number', asserta(4), [], throws(type_error(callable, 4))).
t('8.9.1 head number', asserta(( 4 :- true )), [], throws(type_error(callable, 4))).
t('8.9.1 system', asserta(( atom(_) :- true )), [], throws(permission_error(modify, static_procedure, atom/1))).
t('8.9.2 assertz', ( assertz(iso_legs(spider, 8)), findall(X, iso_legs(X, 8), L), retract(iso_legs(spider, 8)) ), [L], answers([[[spider]]])).
t('8.9.2 unbound', assertz(_), [], throws(instantiation_error)).
t('8.9.2 number', assertz(4), [], throws(type_error(callable, 4))).
t('8.9.2 head', assertz(( foo :- 4 )), [], throws(_)).
t('8.9.2 system', assertz(( atom(_) :- true )), [], throws(permission_error(modify, static_procedure, atom/1))).
t('8.9.3 retract', ( assertz(iso_insect(wasp)), retract(iso_insect(wasp)), \+ iso_insect(wasp) ), [], answers([[]])).
t('8.9.3 unknown', retract(( iso_x(_) :- iso_in_win(_) )), [], fails).
t('8.9.3 all', ( assertz(iso_foo(1)), assertz(iso_foo(2)), findall(X, retract(iso_foo(X)), L), \+ iso_foo(_) ), [L], answers([[[1, 2]]])).
t('8.9.3 logical update view', ( assertz(iso_foo(1)), assertz(iso_foo(2)), findall(X, ( iso_foo(X), retractall(iso_foo(_)) ), L) ), [L], answers([[[1, 2]]])).
t('8.9.3 unbound', retract(( _ :- iso_in_win(_) )), [], throws(instantiation_error)).
t('8.9.3 number', retract(( 4 :- _ )), [], throws(type_error(callable, 4))).
t('8.9.3 system', retract(( atom(X) :- X == '[]' )), [], throws(permission_error(_, _, atom/1))).
t('8.9.4 abolish', ( assertz(iso_gone(1)), abolish(iso_gone/1), \+ catch(iso_gone(_), _, fail) ), [], answers([[]])).
t('8.9.4 unknown', abolish(iso_never/2), [], answers([[]])).
t('8.9.4 unbound arity', abolish(foo/_), [], throws(instantiation_error)).
t('8.9.4 unbound', abolish(_), [], throws(instantiation_error)).
t('8.9.4 no indicator', abolish(foo), [], throws(type_error(predicate_indicator, foo))).
t('8.9.4 arity', abolish(foo/a), [], throws(type_error(integer, a))).
t('8.9.4 negative', abolish(foo/(-1)), [], throws(domain_error(not_less_than_zero, -1))).
t('8.9.4 name', abolish(5/2), [], throws(type_error(atom, 5))).
t('8.9.4 compound arity', abolish(foo/f(1)), [], throws(type_error(integer, f(1)))).
t('8.9.4 system', abolish(abolish/1), [], throws(permission_error(modify, static_procedure, abolish/1))).
t('8.9.5 retractall', ( assertz(iso_foo(1)), assertz(iso_foo(2)), retractall(iso_foo(1)), findall(X, iso_foo(X), L), retractall(iso_foo(_)) ), [L], answers([[[2]]])).
t('8.9.5 unknown', ( retractall(iso_new(_)), findall(X, iso_new(X), L) ), [L], answers([[[]]])).
t('8.9.5 unbound', retractall(_), [], throws(instantiation_error)).
t('8.9.5 number', retractall(3), [], throws(type_error(callable, 3))).
t('8.9.5 system', retractall(atom(_)), [], throws(permission_error(_, _, atom/1))).

% --- 8.10 All solutions ---

t('8.10.1 findall', findall(X, ( X = 1 ; X = 2 ), S), [S], answers([[[1, 2]]])).
t('8.10.1 terms', findall(X+_, ( X = 1 ), S), [S], answers([[[1+_]]])).
t('8.10.1 none', findall(_, fail, L), [L], answers([[[]]])).
t('8.10.1 twice', findall(X, ( X = 1 ; X = 1 ), S), [S], answers([[[1, 1]]])).
t('8.10.1 other', findall(X, ( X = 2 ; X = 1 ), [1, 2]), [], fails).
t('8.10.1 unify', findall(X, ( X = 1 ; X = 2 ), [X, Y]), [X, Y], answers([[1, 2]])).
t('8.10.1 unbound', findall(_, _, _), [], throws(instantiation_error)).
t('8.10.1 number', findall(_, 4, _), [], throws(type_error(callable, 4))).
t('8.10.1 no list here', findall(X, X = 1, [a|1]), [], fails).
t('8.10.2 bagof', bagof(X, ( X = 1 ; X = 2 ), S), [S], answers([[[1, 2]]])).
t('8.10.2 template', bagof(X, ( X = 1 ; X = 2 ), X), [X], answers([[[1, 2]]])).
t('8.10.2 unify', bagof(X, ( X = Y ; X = Z ), S), [Y, Z, S], answers([[A, B, [A, B]]])).
t('8.10.2 none', bagof(_, fail, _), [], fails).
t('8.10.2 free', bagof(1, ( Y = 1 ; Y = 2 ), L), [L, Y], answers([[[1], 1], [[1], 2]])).
t('8.10.2 f(X, Y)', bagof(f(X, Y), ( X = a ; Y = b ), L), [L], answers([[[f(a, _), f(_, b)]]])).
t('8.10.2 caret', bagof(X, Y^( ( X = 1, Y = 1 ) ; ( X = 2, Y = 2 ) ), S), [S], answers([[[1, 2]]])).
t('8.10.2 caret within', bagof(X, Y^( ( X = 1 ; Y = 1 ) ; ( X = 2, Y = 2 ) ), S), [S], answers([[[1, _, 2]]])).
t('8.10.2 witness', bagof(X, iso_a(X, Y), L), [L, Y], answers([[[1, 2], f(_)]])).
t('8.10.2 b', bagof(X, iso_b(X, Y), L), [L, Y], answers([[[1, 1, 2], 1], [[1, 2, 2], 2]])).
t('8.10.2 unbound', bagof(_, _^_, _), [], throws(instantiation_error)).
t('8.10.2 number', bagof(_, 1, _), [], throws(type_error(callable, 1))).
t('8.10.2 caret number', bagof(_, _^1, _), [], throws(type_error(callable, 1))).
t('8.10.2 no list here', bagof(X, X = 1, [a|1]), [], fails).
t('8.10.3 setof', setof(X, ( X = 2 ; X = 1 ), S), [S], answers([[[1, 2]]])).
t('8.10.3 template', setof(X, ( X = 1 ; X = 2 ), X), [X], answers([[[1, 2]]])).
t('8.10.3 duplicates', setof(X, ( X = 2 ; X = 2 ), S), [S], answers([[[2]]])).
t('8.10.3 none', setof(_, fail, _), [], fails).
t('8.10.3 free', setof(1, ( Y = 2 ; Y = 1 ), L), [L, Y], answers([[[1], 1], [[1], 2]])).
t('8.10.3 caret', setof(X, Y^( ( X = 1, Y = 1 ) ; ( X = 2, Y = 2 ) ), S), [S], answers([[[1, 2]]])).
t('8.10.3 f(U, b)', setof(X, member(X, [f(_, b), f(_, c)]), L), [L], answers([[[f(_, b), f(_, c)]]])).
t('8.10.3 d', setof(X, iso_d(X, Y), L), [L, Y], answers([[[1, 2], 1], [[1, 2], 2]])).
t('8.10.3 pairs', setof(X-Xs, setof(Y, iso_b(X, Y), Xs), L), [L], answers([[[1-[1, 2], 2-[1, 2]]]])).
t('8.10.3 b within', setof(X, X^( true ; 4 ), _), [], throws(type_error(callable, _))).
t('8.10.3 unbound', setof(_, _, _), [], throws(instantiation_error)).
t('8.10.3 no list here', setof(X, X = 1, [a|1]), [], fails).

% --- 8.11 Streams ---

t('8.11.1 current', ( current_input(S), stream_property(S, mode(read)) ), [], answers([[]])).
t('8.11.1 no stream here', current_input(foo), [], throws(existence_error(stream, foo))).
t('8.11.2 no stream here', current_output(foo), [], throws(existence_error(stream, foo))).
t('8.11.3 unbound', set_input(_), [], throws(instantiation_error)).
t('8.11.3 no stream', set_input(foo(1)), [], throws(domain_error(stream_or_alias, foo(1)))).
t('8.11.3 unknown', set_input(iso_s_unknown), [], throws(existence_error(stream, iso_s_unknown))).
t('8.11.3 output', ( current_output(S), set_input(S) ), [], throws(permission_error(input, stream, _))).
t('8.11.4 unbound', set_output(_), [], throws(instantiation_error)).
t('8.11.4 no stream', set_output(foo(1)), [], throws(domain_error(stream_or_alias, foo(1)))).
t('8.11.4 input', ( current_input(S), set_output(S) ), [], throws(permission_error(output, stream, _))).
t('8.11.5 open', iso_file([F]>>( open(F, read, S), read(S, X), close(S), X == abc )), [], answers([[]])).
t('8.11.5 alias', iso_file([F]>>( open(F, read, _, [alias(iso_al)]), read(iso_al, X), close(iso_al), X == abc )), [], answers([[]])).
t('8.11.5 append', iso_file([F]>>( open(F, append, S), write(S, ' d. '), close(S), open(F, read, R), read(R, A), read(R, B), close(R), A-B == abc-d )), [], answers([[]])).
t('8.11.5 binary', iso_file([F]>>( open(F, read, S, [type(binary)]), get_byte(S, B), close(S), B == 0'a )), [], answers([[]])).
t('8.11.5 unbound file', open(_, read, _), [], throws(instantiation_error)).
t('8.11.5 unbound mode', open(f, _, _), [], throws(instantiation_error)).
t('8.11.5 unbound options', open(f, read, _, _), [], throws(instantiation_error)).
t('8.11.5 unbound option', open(f, read, _, [_]), [], throws(instantiation_error)).
t('8.11.5 partial options', open(f, read, _, [type(text)|_]), [], throws(instantiation_error)).
t('8.11.5 mode no atom', open(f, 1, _), [], throws(type_error(atom, 1))).
t('8.11.5 no list', open(f, read, _, type(text)), [], throws(type_error(list, type(text)))).
t('8.11.5 no variable', open(f, read, s), [], throws(uninstantiation_error(s))).
t('8.11.5 no sink', open(foo(1, 2), read, _), [], throws(domain_error(source_sink, foo(1, 2)))).
t('8.11.5 no mode', open(f, istream, _), [], throws(domain_error(io_mode, istream))).
t('8.11.5 option here', open(f, read, _, [bowwow]), [], throws(domain_error(stream_option, bowwow))).
t('8.11.5 no file', open('/iso/no/such/file', read, _), [], throws(existence_error(source_sink, '/iso/no/such/file'))).
t('8.11.5 no permission', open('/', write, _), [], throws(permission_error(open, source_sink, '/'))).
t('8.11.5 alias taken', iso_file([F]>>( open(F, read, S, [alias(iso_taken)]), catch(open(F, read, _, [alias(iso_taken)]), error(E, _), true), close(S), E == permission_error(open, source_sink, alias(iso_taken)) )), [], answers([[]])).
t('8.11.6 unbound', close(_), [], throws(instantiation_error)).
t('8.11.6 unbound options', ( current_input(S), close(S, _) ), [], throws(instantiation_error)).
t('8.11.6 unbound option', ( current_input(S), close(S, [force(true)|_]) ), [], throws(instantiation_error)).
t('8.11.6 no list', ( current_input(S), close(S, foo) ), [], throws(type_error(list, foo))).
t('8.11.6 option', ( current_input(S), close(S, [foo]) ), [], throws(domain_error(close_option, foo))).
t('8.11.6 no stream', close(foo(1)), [], throws(domain_error(stream_or_alias, foo(1)))).
t('8.11.6 unknown', close(iso_s_unknown), [], throws(existence_error(stream, iso_s_unknown))).
t('8.11.7 unbound', flush_output(_), [], throws(instantiation_error)).
t('8.11.7 no stream', flush_output(foo(1)), [], throws(domain_error(stream_or_alias, foo(1)))).
t('8.11.7 unknown', flush_output(iso_s_unknown), [], throws(existence_error(stream, iso_s_unknown))).
t('8.11.7 input', ( current_input(S), flush_output(S) ), [], throws(permission_error(output, stream, _))).
t('8.11.8 no stream here', stream_property(foo, _), [], throws(existence_error(stream, foo))).
t('8.11.8 no property', stream_property(_, foo), [], throws(domain_error(stream_property, foo))).
t('8.11.8 number', stream_property(_, 1), [], throws(domain_error(stream_property, 1))).
t('8.11.8 at the end', iso_on("", [S]>>( peek_char(S, _), stream_property(S, end_of_stream(E)), E == at )), [], answers([[]])).
t('8.11.8 at_end_of_stream', iso_on("", [S]>>at_end_of_stream(S)), [], answers([[]])).
t('8.11.8 not at the end', iso_on("a", [S]>>at_end_of_stream(S)), [], fails).
t('8.11.8 unbound', at_end_of_stream(_), [], throws(instantiation_error)).
t('8.11.8 unknown', at_end_of_stream(iso_s_unknown), [], throws(existence_error(stream, iso_s_unknown))).
t('8.11.8 foo', at_end_of_stream(foo(1)), [], throws(domain_error(stream_or_alias, foo(1)))).
t('8.11.9 position', iso_file([F]>>( open(F, read, S, [reposition(true)]), stream_property(S, position(P)), get_char(S, A), set_stream_position(S, P), get_char(S, B), close(S), A-B == a-a )), [], answers([[]])).
t('8.11.9 unbound', set_stream_position(_, _), [], throws(instantiation_error)).
t('8.11.9 unbound position', ( current_input(S), set_stream_position(S, _) ), [], throws(instantiation_error)).
t('8.11.9 no stream', set_stream_position(foo(1), end), [], throws(domain_error(stream_or_alias, foo(1)))).
t('8.11.9 no position', ( current_input(S), set_stream_position(S, foo) ), [], throws(domain_error(stream_position, foo))).

% --- 8.12 to 8.14 Characters, bytes, terms ---

t('8.12.1 get_char', iso_on("qwerty", [S]>>( get_char(S, C), C == q )), [], answers([[]])).
t('8.12.1 get_code', iso_on("qwerty", [S]>>( get_code(S, C), C == 0'q )), [], answers([[]])).
t('8.12.1 other', iso_on("qwerty", [S]>>( get_char(S, p) ; get_char(S, w) )), [], answers([[]])).
t('8.12.1 end', iso_on("", [S]>>( get_char(S, C), C == end_of_file )), [], answers([[]])).
t('8.12.1 end code', iso_on("", [S]>>( get_code(S, C), C == -1 )), [], answers([[]])).
t('8.12.1 standard input', iso_read("ab", ( get_char(A), get_code(B) )), [A, B], answers([[a, 0'b]])).
t('8.12.1 unbound', get_char(_, _), [], throws(instantiation_error)).
t('8.12.1 output', get_char(user_output, _), [], throws(permission_error(input, stream, _))).
t('8.12.1 no character', iso_on("a", [S]>>get_char(S, 1)), [], throws(type_error(in_character, 1))).
t('8.12.1 no code', iso_on("a", [S]>>get_code(S, a)), [], throws(type_error(integer, a))).
t('8.12.1 code -2', iso_on("a", [S]>>get_code(S, -2)), [], throws(representation_error(in_character_code))).
t('8.12.1 no stream', get_char(iso_s_unknown, _), [], throws(existence_error(stream, iso_s_unknown))).
t('8.12.1 domain', get_char(foo(1), _), [], throws(domain_error(stream_or_alias, foo(1)))).
t('8.12.1 binary here', iso_bytes([97], [S]>>( get_char(S, C), C == a )), [], answers([[]])).
t('8.12.1 binary', ( set_prolog_flag(stream_type_check, true), call_cleanup(iso_bytes([1], [S]>>get_char(S, _)), set_prolog_flag(stream_type_check, loose)) ), [], throws(permission_error(input, binary_stream, _))).
t('8.12.1 past the end', iso_file([F]>>( open(F, read, S, [eof_action(error)]), read(S, _), get_char(S, A), catch(get_char(S, _), error(E, _), true), close(S), A == end_of_file, E = permission_error(input, past_end_of_stream, S) )), [], answers([[]])).
t('8.12.2 peek', iso_on("qwerty", [S]>>( peek_char(S, A), peek_code(S, B), get_char(S, C), [A, B, C] == [q, 0'q, q] )), [], answers([[]])).
t('8.12.2 end', iso_on("", [S]>>( peek_char(S, A), peek_code(S, B), A-B == end_of_file-(-1) )), [], answers([[]])).
t('8.12.2 output', peek_char(user_output, _), [], throws(permission_error(input, stream, _))).
t('8.12.2 no character', iso_on("a", [S]>>peek_char(S, 1)), [], throws(type_error(in_character, 1))).
t('8.12.2 unbound', peek_char(_, _), [], throws(instantiation_error)).
t('8.12.3 put', iso_written(( put_char(t), put_code(0'a), nl ), T), [T], answers([['ta\n']])).
t('8.12.3 unbound', put_char(_), [], throws(instantiation_error)).
t('8.12.3 no character', put_char(ty), [], throws(type_error(character, ty))).
t('8.12.3 unbound stream', put_char(_, a), [], throws(instantiation_error)).
t('8.12.3 code', put_code(_), [], throws(instantiation_error)).
t('8.12.3 code no integer', put_code(ty), [], throws(type_error(integer, ty))).
t('8.12.3 code -1', put_code(-1), [], throws(representation_error(character_code))).
t('8.12.3 input', put_char(user_input, a), [], throws(permission_error(output, stream, _))).
t('8.12.3 nl unbound', nl(_), [], throws(instantiation_error)).
t('8.12.3 nl input', nl(user_input), [], throws(permission_error(output, stream, _))).
t('8.13.1 get_byte', iso_bytes([113, 119], [S]>>( get_byte(S, A), peek_byte(S, B), get_byte(S, C), get_byte(S, D), [A, B, C, D] == [113, 119, 119, -1] )), [], answers([[]])).
t('8.13.1 unbound', get_byte(_, _), [], throws(instantiation_error)).
t('8.13.1 no byte', iso_bytes([1], [S]>>get_byte(S, p)), [], throws(type_error(in_byte, p))).
t('8.13.1 -2', iso_bytes([1], [S]>>get_byte(S, -2)), [], throws(type_error(in_byte, -2))).
t('8.13.1 output', get_byte(user_output, _), [], throws(permission_error(input, stream, _))).
t('8.13.1 text', iso_on("a", [S]>>get_byte(S, _)), [], throws(permission_error(input, text_stream, _))).
t('8.13.2 peek no byte', iso_bytes([1], [S]>>peek_byte(S, p)), [], throws(type_error(in_byte, p))).
t('8.13.3 unbound', put_byte(_, 1), [], throws(instantiation_error)).
t('8.13.3 unbound byte', put_byte(user_output, _), [], throws(instantiation_error)).
t('8.13.3 no byte', put_byte(user_output, ty), [], throws(type_error(byte, ty))).
t('8.13.3 256', put_byte(user_output, 256), [], throws(type_error(byte, 256))).
t('8.13.3 text', put_byte(user_output, 77), [], throws(permission_error(output, text_stream, _))).
t('8.14.1 read', iso_on("term1. term2. ", [S]>>( read(S, A), read(S, B), read(S, C), [A, B, C] == [term1, term2, end_of_file] )), [], answers([[]])).
t('8.14.1 variables', iso_on("foo(A+Roger,A+_). ", [S]>>( read_term(S, T, [variables(Vs), variable_names(Ns), singletons(Ss)]), T = foo(X+Y, X+Z), Vs == [X, Y, Z], Ns == ['A'=X, 'Roger'=Y], Ss == ['Roger'=Y] )), [], answers([[]])).
t('8.14.1 3.1', iso_on("3.1. ", [S]>>( read(S, X), X == 3.1 )), [], answers([[]])).
t('8.14.1 syntax', iso_on("foo 123. ", [S]>>read(S, _)), [], throws(syntax_error(_))).
t('8.14.1 end in a term', iso_on("foo", [S]>>read(S, _)), [], throws(syntax_error(_))).
t('8.14.1 unbound', read(_, _), [], throws(instantiation_error)).
t('8.14.1 unbound options', read_term(user_input, _, _), [], throws(instantiation_error)).
t('8.14.1 unbound option', read_term(user_input, _, [variables(_)|_]), [], throws(instantiation_error)).
t('8.14.1 no list', read_term(user_input, _, bar), [], throws(type_error(list, bar))).
t('8.14.1 option', read_term(user_input, _, [bar]), [], throws(domain_error(read_option, bar))).
t('8.14.1 output', read(user_output, _), [], throws(permission_error(input, stream, _))).
t('8.14.1 binary', ( set_prolog_flag(stream_type_check, true), call_cleanup(iso_bytes([1], [S]>>read(S, _)), set_prolog_flag(stream_type_check, loose)) ), [], throws(permission_error(input, binary_stream, _))).
t('8.14.2 write', iso_written(write_term([1, 2, 3], []), T), [T], answers([['[1,2,3]']])).
t('8.14.2 canonical', iso_written(write_canonical([1, 2, 3]), T), [T], answers([['[1,2,3]']])).
t('8.14.2 ignore_ops', iso_written(write_term('1<2', []), T), [T], answers([['1<2']])).
t('8.14.2 quoted', iso_written(writeq('1<2'), T), [T], answers([['\'1<2\'']])).
t('8.14.2 numbervars 1', iso_written(write_term('$VAR'(1), [numbervars(false)]), T), [T], answers([['$VAR(1)']])).
t('8.14.2 numbervars 51', iso_written(write_term('$VAR'(51), [numbervars(true)]), T), [T], answers([['Z1']])).
t('8.14.2 print', iso_written(write_canonical('$VAR'(1)), T), [T], answers([['\'$VAR\'(1)']])).
t('8.14.2 operators', iso_written(writeq(- (1)), T), [T], answers([['- 1']])).
t('8.14.2 operators -a', iso_written(writeq(-a), T), [T], answers([['-a']])).
t('8.14.2 operators - -', iso_written(writeq(-(-(1))), T), [T], answers([['- - 1']])).
t('8.14.2 operators - and -1', iso_written(writeq(-(-1)), T), [T], answers([['- -1']])).
t('8.14.2 operators 1 - 2', iso_written(writeq(1 - (2 - 3)), T), [T], answers([['1-(2-3)']])).
t('8.14.2 operators in arguments', iso_written(writeq(f((a :- b), [(c, d)|e])), T), [T], answers([['f((a:-b),[(c,d)|e])']])).
t('8.14.2 operators 1 - (-1)', iso_written(writeq(1 - (-1)), T), [T], answers([['1- -1']])).
t('8.14.2 curly', iso_written(writeq({a, b}), T), [T], answers([['{a,b}']])).
t('8.14.2 comma', iso_written(writeq((',')), T), [T], answers([['\',\'']])).
t('8.14.2 bar', iso_written(writeq('|'), T), [T], answers([['\'|\'']])).
t('8.14.2 unbound', write(_, foo), [], throws(instantiation_error)).
t('8.14.2 unbound options', write_term(1, _), [], throws(instantiation_error)).
t('8.14.2 unbound option', write_term(1, [quoted(true)|_]), [], throws(instantiation_error)).
t('8.14.2 no list', write_term(1, 2), [], throws(type_error(list, 2))).
t('8.14.2 option', write_term(1, [quoted(true), foo]), [], throws(domain_error(write_option, foo))).
t('8.14.2 value', write_term(1, [quoted(_)]), [], throws(instantiation_error)).
t('8.14.2 input', write(user_input, foo), [], throws(permission_error(output, stream, _))).
t('8.14.3 op', ( op(30, xfy, iso_pp), current_op(P, T, iso_pp), op(0, xfy, iso_pp), \+ current_op(_, _, iso_pp) ), [P, T], answers([[30, xfy]])).
t('8.14.3 list', ( op(700, xfx, [iso_p1, iso_p2]), current_op(P, xfx, iso_p2), op(0, xfx, [iso_p1, iso_p2]) ), [P], answers([[700]])).
t('8.14.3 unbound priority', op(_, xfx, ++), [], throws(instantiation_error)).
t('8.14.3 unbound type', op(30, _, ++), [], throws(instantiation_error)).
t('8.14.3 unbound name', op(30, xfx, _), [], throws(instantiation_error)).
t('8.14.3 priority', op(max, xfx, ++), [], throws(type_error(integer, max))).
t('8.14.3 1201', op(1201, xfx, ++), [], throws(domain_error(operator_priority, 1201))).
t('8.14.3 -1', op(-1, xfx, ++), [], throws(domain_error(operator_priority, -1))).
t('8.14.3 type', op(30, yfy, ++), [], throws(domain_error(operator_specifier, yfy))).
t('8.14.3 type no atom', op(30, 1, ++), [], throws(type_error(atom, 1))).
t('8.14.3 name', op(30, xfy, 0), [], throws(type_error(list, 0))).
t('8.14.3 name in a list', op(30, xfy, [a, 1]), [], throws(type_error(atom, 1))).
t('8.14.3 comma', op(30, xfy, ','), [], throws(permission_error(modify, operator, ','))).
t('8.14.3 bar', op(100, xfy, '|'), [], throws(permission_error(create, operator, '|'))).
t('8.14.3 bar 1105', ( op(1105, xfy, '|'), op(1100, xfy, '|') ), [], answers([[]])).
t('8.14.3 []', op(30, xfy, []), [], throws(permission_error(create, operator, []))).
t('8.14.3 {}', op(30, xfy, {}), [], throws(permission_error(create, operator, {}))).
t('8.14.3 infix and postfix here', ( op(30, xf, iso_ip), catch(op(30, xfx, iso_ip), error(E, _), true), op(0, xf, iso_ip), op(0, xfx, iso_ip) ), [E], answers([[_]])).
t('8.14.4 current', current_op(P, xfy, ^), [P], answers([[200]])).
t('8.14.4 number', current_op(1201, _, _), [], throws(domain_error(operator_priority, 1201))).
t('8.14.4 type', current_op(_, yfy, _), [], throws(domain_error(operator_specifier, yfy))).
t('8.14.4 name', current_op(_, _, 1), [], throws(type_error(atom, 1))).
t('8.14.4 table', findall(P-T, ( member(Op, [:-, -->, ?-, ;, ->, ',', \+, =, \=, ==, \==, @<, @>, @=<, @>=, =.., is, =:=, =\=, <, =<, >, >=, +, -, /\, \/, *, /, //, rem, mod, div, <<, >>, **, ^, \]), once(( current_op(P, T, Op), \+ memberchk(T, [fx, fy]) ; current_op(P, T, Op) )) ), L), [L],
    answers([[[1200-xfx, 1200-xfx, 1200-fx, 1100-xfy, 1050-xfy, 1000-xfy, 900-fy, 700-xfx, 700-xfx, 700-xfx, 700-xfx, 700-xfx, 700-xfx, 700-xfx, 700-xfx, 700-xfx, 700-xfx, 700-xfx, 700-xfx, 700-xfx, 700-xfx, 700-xfx, 700-xfx,
               500-yfx, 500-yfx, 500-yfx, 500-yfx, 400-yfx, 400-yfx, 400-yfx, 400-yfx, 400-yfx, 400-yfx, 400-yfx, 400-yfx, 200-xfx, 200-xfy, 200-fy]]])).
t('8.14.5 unbound', char_conversion(_, a), [], throws(instantiation_error)).
t('8.14.6 current', current_char_conversion(a, X), [X], answers([[a]])).

% --- 8.15 Logic and control ---

t('8.15.1 not', \+ true, [], fails).
t('8.15.1 cut', \+ !, [], fails).
t('8.15.1 cut fails', \+ ( !, fail ), [], answers([[]])).
t('8.15.1 disjunction', ( ( X = 1 ; X = 2 ), \+ ( !, fail ) ), [X], answers([[1], [2]])).
t('8.15.1 4 = 5', \+ 4 = 5, [], answers([[]])).
t('8.15.1 number', \+ 3, [], throws(type_error(callable, _))).
t('8.15.1 unbound', \+ _, [], throws(instantiation_error)).
t('8.15.2 once', once(!), [], answers([[]])).
t('8.15.2 one solution', ( once(!), ( X = 1 ; X = 2 ) ), [X], answers([[1], [2]])).
t('8.15.2 repeat', once(repeat), [], answers([[]])).
t('8.15.2 fail', once(fail), [], fails).
t('8.15.2 unbound', once(_), [], throws(instantiation_error)).
t('8.15.2 number', once(3), [], throws(type_error(callable, 3))).
t('8.15.3 repeat', ( nb_setval(iso_n, 0), repeat, nb_getval(iso_n, N), M is N+1, nb_setval(iso_n, M), M >= 3, ! ), [M], answers([[3]])).
t('8.15.4 call/2', call(integer, 3), [], answers([[]])).
t('8.15.4 closure', call(functor(F, c), 0), [F], answers([[c]])).
t('8.15.4 ;', call(;, _, true), [], throws(instantiation_error)).
t('8.15.4 , and !', call(',', C, ( ( C = ! ; C = fail ), ! )), [], throws(instantiation_error)).
t('8.15.4 unbound', call(_, a), [], throws(instantiation_error)).
t('8.15.4 number', call(3, a), [], throws(type_error(callable, 3))).
t('8.15.4 unknown', call(iso_unknown, a), [], throws(existence_error(procedure, iso_unknown/1))).
t('8.15.5 false', false, [], fails).

% --- 8.16 Atoms ---

t('8.16.1 length', atom_length('enchanted evening', N), [N], answers([[17]])).
t('8.16.1 lines here', atom_length('enchanted\
 evening', N), [N], answers([[16]])).
t('8.16.1 lines', atom_length('enchanted\
evening', N), [N], answers([[16]])).
t('8.16.1 empty', atom_length('', N), [N], answers([[0]])).
t('8.16.1 wrong', atom_length(scarlet, 5), [], fails).
t('8.16.1 unbound', atom_length(_, 4), [], throws(instantiation_error)).
t('8.16.1 number here', atom_length(1.5, N), [N], answers([[3]])).
t('8.16.1 compound', atom_length(f(a), _), [], throws(type_error(_, f(a)))).
t('8.16.1 no integer', atom_length(atom, '4'), [], throws(type_error(integer, '4'))).
t('8.16.1 negative here', atom_length(atom, -4), [], fails).
t('8.16.2 concat', atom_concat(hello, ' world', A), [A], answers([['hello world']])).
t('8.16.2 rest', atom_concat(T, ' world', 'small world'), [T], answers([[small]])).
t('8.16.2 wrong', atom_concat(hello, ' world', 'small world'), [], fails).
t('8.16.2 parts', atom_concat(A, B, hello), [A, B], answers([['', hello], [h, ello], [he, llo], [hel, lo], [hell, o], [hello, '']])).
t('8.16.2 unbound', atom_concat(small, _, _), [], throws(instantiation_error)).
t('8.16.2 compound', atom_concat(f(a), b, _), [], throws(type_error(_, f(a)))).
t('8.16.2 compound whole', atom_concat(_, _, f(a)), [], throws(type_error(_, f(a)))).
t('8.16.3 sub', sub_atom(abracadabra, 0, 5, _, S), [S], answers([[abrac]])).
t('8.16.3 last', sub_atom(abracadabra, _, 5, 0, S), [S], answers([[dabra]])).
t('8.16.3 middle', sub_atom(abracadabra, 3, L, 3, S), [L, S], answers([[5, acada]])).
t('8.16.3 where', sub_atom(abracadabra, B, 2, A, ab), [B, A], answers([[0, 9], [7, 2]])).
t('8.16.3 Banana', sub_atom('Banana', 3, 2, _, S), [S], answers([[an]])).
t('8.16.3 all of 3', sub_atom(charity, _, 3, _, S), [S], answers([[cha], [har], [ari], [rit], [ity]])).
t('8.16.3 all', findall(B/L/S, sub_atom(ab, B, L, _, S), Ss), [Ss], answers([[[0/0/'', 0/1/a, 0/2/ab, 1/0/'', 1/1/b, 2/0/'']]])).
t('8.16.3 unbound', sub_atom(_, _, _, _, _), [], throws(instantiation_error)).
t('8.16.3 compound', sub_atom(f(a), _, _, _, _), [], throws(type_error(_, f(a)))).
t('8.16.3 sub compound', sub_atom(abc, _, _, _, f(a)), [], throws(type_error(_, f(a)))).
t('8.16.3 no integer', sub_atom(abc, a, _, _, _), [], throws(type_error(integer, a))).
t('8.16.4 chars', atom_chars('', L), [L], answers([[[]]])).
t('8.16.4 [] here', atom_chars([], L), [L], throws(type_error(atom, []))).
t('8.16.4 quote', atom_chars('''', L), [L], answers([[['''']]])).
t('8.16.4 ant', atom_chars(ant, L), [L], answers([[[a, n, t]]])).
t('8.16.4 made', atom_chars(S, ['S', o, p]), [S], answers([['Sop']])).
t('8.16.4 binds', atom_chars('North', ['N'|X]), [X], answers([[[o, r, t, h]]])).
t('8.16.4 wrong', atom_chars(soap, [s, o, p]), [], fails).
t('8.16.4 unbound', atom_chars(_, _), [], throws(instantiation_error)).
t('8.16.4 partial', atom_chars(_, [a|_]), [], throws(instantiation_error)).
t('8.16.4 unbound element', atom_chars(_, [a, _]), [], throws(instantiation_error)).
t('8.16.4 compound', atom_chars(f(a), _), [], throws(type_error(_, f(a)))).
t('8.16.4 element', atom_chars(_, [a, f(b)]), [], throws(type_error(character, f(b)))).
t('8.16.5 codes', atom_codes(ant, L), [L], answers([["ant"]])).
t('8.16.5 made', atom_codes(S, [0's, 0'o]), [S], answers([[so]])).
t('8.16.5 binds', atom_codes('North', [0'N|X]), [X], answers([["orth"]])).
t('8.16.5 unbound', atom_codes(_, _), [], throws(instantiation_error)).
t('8.16.5 compound', atom_codes(f(a), _), [], throws(type_error(_, f(a)))).
t('8.16.5 element here', atom_codes(_, [0'i, 0's, -1]), [], throws(type_error(character_code, -1))).
t('8.16.6 char_code', char_code(a, X), [X], answers([[97]])).
t('8.16.6 made', char_code(X, 98), [X], answers([[b]])).
t('8.16.6 wrong', char_code(b, 97), [], fails).
t('8.16.6 unbound', char_code(_, _), [], throws(instantiation_error)).
t('8.16.6 no character', char_code(ab, _), [], throws(type_error(character, ab))).
t('8.16.6 no integer', char_code(_, a), [], throws(type_error(integer, a))).
t('8.16.6 -2 here', char_code(_, -2), [], throws(type_error(character_code, -2))).
t('8.16.7 number', number_chars(33, L), [L], answers([[['3', '3']]])).
t('8.16.7 same', number_chars(33, ['3', '3']), [], answers([[]])).
t('8.16.7 33.0', ( number_chars(33.0, L), number_chars(N, L) ), [N], answers([[33.0]])).
t('8.16.7 3.3', number_chars(X, ['3', '.', '3', 'E', +, '0']), [X], answers([[3.3]])).
t('8.16.7 layout', number_chars(X, ['\n', ' ', '3']), [X], answers([[3]])).
t('8.16.7 minus', number_chars(X, [-, '1']), [X], answers([[-1]])).
t('8.16.7 hexadecimal', number_chars(X, ['0', x, f]), [X], answers([[15]])).
t('8.16.7 character', number_chars(X, ['0', '''', 'A']), [X], answers([[65]])).
t('8.16.7 4.2', number_chars(X, ['4', '.', '2']), [X], answers([[4.2]])).
t('8.16.7 blank', number_chars(_, ['3', ' ']), [], throws(syntax_error(illegal_number))).
t('8.16.7 unbound', number_chars(_, _), [], throws(instantiation_error)).
t('8.16.7 partial', number_chars(_, ['3'|_]), [], throws(instantiation_error)).
t('8.16.7 unbound element', number_chars(_, ['3', _]), [], throws(instantiation_error)).
t('8.16.7 no number', number_chars(a, _), [], throws(type_error(number, a))).
t('8.16.7 no list', number_chars(_, 4), [], throws(type_error(list, 4))).
t('8.16.7 element', number_chars(_, ['4', 2]), [], throws(type_error(character, 2))).
t('8.16.7 syntax', number_chars(_, [f, o, o]), [], throws(syntax_error(illegal_number))).
t('8.16.7 compound', number_chars(f(a), _), [], throws(type_error(number, f(a)))).
t('8.16.7 empty', number_chars(_, []), [], throws(syntax_error(_))).
t('8.16.8 codes', number_codes(33, L), [L], answers([["33"]])).
t('8.16.8 layout', number_codes(X, " 12"), [X], answers([[12]])).
t('8.16.8 quotient', number_codes(X, "0'a"), [X], answers([[97]])).
t('8.16.8 syntax', number_codes(_, "3x"), [], throws(syntax_error(illegal_number))).
t('8.16.8 unbound', number_codes(_, _), [], throws(instantiation_error)).
t('8.16.8 no number', number_codes(a, _), [], throws(type_error(number, a))).
t('8.16.8 no list', number_codes(_, 4), [], throws(type_error(list, 4))).
t('8.16.8 element here', number_codes(_, [0'1, 0'2, 1000000000000]), [], throws(type_error(character_code, 1000000000000))).

% --- 8.17 Flags ---

t('8.17.1 set', ( set_prolog_flag(unknown, fail), iso_no_such, fail ; set_prolog_flag(unknown, error) ), [], answers([[]])).
t('8.17.1 unbound', set_prolog_flag(_, off), [], throws(instantiation_error)).
t('8.17.1 unbound value', set_prolog_flag(unknown, _), [], throws(instantiation_error)).
t('8.17.1 no atom', set_prolog_flag(5, decimals), [], throws(type_error(atom, 5))).
t('8.17.1 value', set_prolog_flag(unknown, iso_maybe), [], throws(domain_error(_, _))).
t('8.17.1 read only', set_prolog_flag(max_integer, 3), [], throws(permission_error(modify, flag, max_integer))).
t('8.17.2 value', current_prolog_flag(debug, X), [X], answers([[false]])).
t('8.17.2 bounded', current_prolog_flag(bounded, X), [X], answers([[false]])).
t('8.17.2 arity', current_prolog_flag(max_arity, X), [X], answers([[unbounded]])).
t('8.17.2 no atom', current_prolog_flag(1, _), [], throws(type_error(atom, 1))).
t('8.17.2 no flag here', current_prolog_flag(iso_warnings, _), [], fails).
t('8.17.3 status', halt(a), [], throws(type_error(integer, a))).
t('8.17.3 unbound', halt(_), [], throws(instantiation_error)).

% --- 9 Functors of arithmetic ---

iso_value(E, V) :- catch(V is E, error(V, _), true).
t('9.1 simple', findall(V, ( member(E, [7+35, 0+(3+11), 0+(3.2+11), -(7), -(3-11), -(3.2-11), 5-4, 5-(-4), 7*35, 0*(3+11), 7//2, -7//2, 7//(-2), 140/(3+11)]), iso_value(E, V) ), L), [L], answers([[[42, 14, 14.2, -7, 8, 7.8, 1, 9, 245, 0, 3, -3, -3, 10]]])).
t('9.1 division here', X is 7/35, [X], answers([[0.2]])).
t('9.1 errors', findall(V, ( member(E, [77+_, foo+77, -(_), -(foo), 77-_, foo-77, 77*_, foo*77, 77/_, foo/77, 3/0, 3//0, 3.0/0, 3 mod 0, 3 rem 0, 3 div 0, 3.0//2, 3 mod 2.0, 3.5 rem 2, 3.5 div 2]), iso_value(E, V) ), L), [L],
    answers([[[instantiation_error, type_error(evaluable, foo/0), instantiation_error, type_error(evaluable, foo/0), instantiation_error, type_error(evaluable, foo/0), instantiation_error, type_error(evaluable, foo/0), instantiation_error, type_error(evaluable, foo/0),
               evaluation_error(zero_divisor), evaluation_error(zero_divisor), evaluation_error(zero_divisor), evaluation_error(zero_divisor), evaluation_error(zero_divisor), evaluation_error(zero_divisor),
               type_error(integer, 3.0), type_error(integer, 2.0), type_error(integer, 3.5), type_error(integer, 3.5)]]])).
t('9.1 remainders', findall(V, ( member(E, [7 mod 3, 0 mod (3+11), 7 mod -2, -7 mod 2, 7 rem -2, -7 rem 2, 7 div 2, -7 div 2, 7 div -2]), iso_value(E, V) ), L), [L], answers([[[1, 0, -1, 1, 1, -1, 3, -4, -4]]])).
t('9.1 floor', findall(V, ( member(E, [floor(7.4), floor(-0.4), round(7.5), round(7.6), round(-0.6), round(-0.5), ceiling(-0.5), ceiling(7.4), truncate(-0.5), truncate(7.9), float(7), float(7.3), float(5//3)]), iso_value(E, V) ), L), [L],
    answers([[[7, -1, 8, 8, -1, -1, 0, 8, 0, 7, 7.0, 7.3, 1.0]]])).
t('9.1 floor of integers here', findall(V, ( member(E, [floor(7), round(7), ceiling(7), truncate(7)]), iso_value(E, V) ), L), [L], answers([[[7, 7, 7, 7]]])).
t('9.1 parts', findall(V, ( member(E, [abs(7), abs(3-11), abs(3.2-11.0), sign(-3), sign(0), sign(2.5), sign(-0.5), float_integer_part(2.5), float_fractional_part(2.5), float_integer_part(-2.5), float_fractional_part(-2.5)]), iso_value(E, V) ), L), [L],
    answers([[[7, 8, 7.8, -1, 0, 1.0, -1.0, 2.0, 0.5, -2.0, -0.5]]])).
t('9.1 unbound all', forall(member(F, [abs, sign, floor, round, ceiling, truncate, float, float_integer_part, float_fractional_part, sin, cos, atan, exp, log, sqrt, \, +, asin, acos, tan]), ( E =.. [F, _], iso_value(E, instantiation_error) )), [], answers([[]])).
t('9.1 foo all', forall(member(F, [abs, sign, floor, round, ceiling, truncate, float, float_integer_part, float_fractional_part, sin, cos, atan, exp, log, sqrt, \, +, asin, acos, tan]), ( E =.. [F, foo], iso_value(E, type_error(evaluable, foo/0)) )), [], answers([[]])).
t('9.3.1 power here', findall(V, ( member(E, [5**3, -5.0**3, 5.0**3, 2** -1, 0**0, 2**3.0, 7.7**0, 0.0**0]), iso_value(E, V) ), L), [L], answers([[[125, -125.0, 125.0, 0.5, 1, 8.0, 1, 1]]])).
t('9.3.2 sin', findall(V, ( member(E, [sin(0.0), sin(0), cos(0.0), cos(0), atan(0.0), exp(0.0), exp(0), log(1.0), sqrt(0.0), sqrt(1), sqrt(1.21), tan(0), asin(0), acos(1), atan2(0, 1.0)]), iso_value(E, V) ), L), [L], answers([[[0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.1, 0.0, 0.0, 0.0, 0.0]]])).
t('9.3.6 undefined', findall(V, ( member(E, [log(-1), sqrt(-1.0), acos(2), asin(2.0), 0.0** -1, 0** -1, 0^(-1), (-1)**0.5]), iso_value(E, V) ), L), [L],
    answers([[[evaluation_error(undefined), evaluation_error(undefined), evaluation_error(undefined), evaluation_error(undefined),
               evaluation_error(zero_divisor), evaluation_error(zero_divisor), evaluation_error(zero_divisor), evaluation_error(undefined)]]])).
t('9.3.8 max', findall(V, ( member(E, [max(1, 2), max(3.5, 2), min(1, 2), min(3, 2.5), max(2, 3.0)]), iso_value(E, V) ), L), [L], answers([[[2, 3.5, 1, 2.5, 3.0]]])).
t('9.3.10 power', findall(V, ( member(E, [2^3, 2^0, (-1)^(-1), 1^(-1), 2.0^2, 2^2.0, 0^0]), iso_value(E, V) ), L), [L], answers([[[8, 1, -1, 1, 4.0, 4.0, 1]]])).
t('9.3.10 type here', X is 2^(-1), [X], answers([[0.5]])).
t('9.3.15 pi', ( X is pi, X > 3.14159, X < 3.1416 ), [], answers([[]])).
t('9.4 bits', findall(V, ( member(E, [16>>2, 19>>2, -16>>2, 16<<2, 19<<2, 10/\12, 10\/12, \(\(10)), \(10), xor(10, 12), -10>>0]), iso_value(E, V) ), L), [L], answers([[[4, 4, -4, 64, 76, 8, 14, 10, -11, 6, -10]]])).
t('9.4 errors', findall(V, ( member(E, [77>>_, foo>>2, 1.0>>2, 16<<_, foo<<2, 1.0<<2, 77/\_, foo/\2, 1.0/\2, 77\/_, foo\/2, 1.0\/2, \(2.5), xor(1.0, 1)]), iso_value(E, V) ), L), [L],
    answers([[[instantiation_error, type_error(evaluable, foo/0), type_error(integer, 1.0), instantiation_error, type_error(evaluable, foo/0), type_error(integer, 1.0), instantiation_error, type_error(evaluable, foo/0), type_error(integer, 1.0),
               instantiation_error, type_error(evaluable, foo/0), type_error(integer, 1.0), type_error(integer, 2.5), type_error(integer, 1.0)]]])).
t('9.1.4 overflow', _ is 1.0e300*1.0e300, [], throws(evaluation_error(float_overflow))).
t('9.1.4 exp', _ is exp(1000), [], throws(evaluation_error(float_overflow))).
