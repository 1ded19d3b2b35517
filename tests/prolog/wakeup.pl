% Goals that a binding wakes, at each place where they may have to run: between a head and its guard, before a cut, an arrow, a test in place, after
% a builtin, and where a unification is undone. What is expected was said by SWI-Prolog's freeze/2.
%
% forms(Body): runs Body in four forms, which must write the same and end the same way: compiled in a static clause, where the heads of h/1 belong
% to static clauses; the same with dynamic ones; in an asserted clause; and called as it is. (Its static clause is made when this file is read.)

waits(X, G) :- freeze(X, G).

:- dynamic form/1.
:- dynamic asserted_body/0.

% h(:Goal): calls it as the clauses that were written or as dynamic ones.
h(G) :- form(static), !, call(G).
h(G) :- G =.. [F|As], atom_concat(dyn_, F, D), H =.. [D|As], call(H).

% ends(:Goal): runs it, and says how it ended.
ends(G) :- catch(( call(G) -> write(' yes') ; write(' no') ), B, ( write(' '), print(B) )).

in(Form, G) :- retractall(form(_)), assertz(form(Form)), ends(G).

asserted(B) :- assertz((asserted_body :- B), R), in(static, asserted_body), erase(R).

forms(P, B) :-
    with_output_to(string(Static), in(static, P)),
    with_output_to(string(Dynamic), in(dynamic, P)),
    with_output_to(string(Asserted), asserted(B)),
    with_output_to(string(Called), in(static, B)),
    (   [Static, Static, Static] == [Dynamic, Asserted, Called]
    ->  write(Static)
    ;   print([Static, Dynamic, Asserted, Called])
    ).

term_expansion(c(C), [C, (:- assertz(D))]) :-
    ( C = (H :- B) -> D = (DH :- B) ; H = C, D = DH ),
    H =.. [F|As],
    atom_concat(dyn_, F, DF),
    DH =.. [DF|As].
term_expansion(t(N, forms(B), Vars, E), [(P :- B), t(N, forms(P, B), Vars, E)]) :-
    atom_concat(body_, N, P).

:- dynamic h7f/1.
h7f(a). h7f(b).

garbage(N) :- numlist(1, 300, L), findall(f(X), member(X, L), M), length(M, N), garbage_collect.
count(N, N0) :- count(0, N, N0).
count(N, N, N) :- !.
count(I, N, M) :- J is I+1, count(J, N, M).
chain(0, X, X) :- !.
chain(N, X, Z) :- waits(X, Y = X), M is N-1, chain(M, Y, Z).
shape(T) :- \+ \+ ( numbervars(T, 0, _), print(T) ).

% --- heads ---
c((h1(b, a) :- !, write(first))).
c((h1(a, b) :- write(guard), 1 =:= 1, write(body))).
t(head_before_neck_cut, forms(( waits(X, write(x)), waits(Y, write(y)), h(h1(X, Y)) )), [], output("xyfirst yes")).
t(head_fails_before_cut, forms(( waits(X, fail), h(h1(X, _)) )), [], output(" no")).
c((h2(X, Y, Z) :- X = Y, Z == c, !, write(first))).
c((h2(_, _, _) :- write(second))).
t(head_first_argument_bound, forms(( waits(Z, write(z)), h(h2(1, 1, Z)) )), [], output("second yes")).
c((h3(f(A, B), [A|T], T) :- B == 2, write(yes), !)).
c((h3(_, _, _) :- write(no))).
t(head_written, forms(( waits(X, ( X = f(_, B), B = 2 )), h(h3(X, L, [])), shape(L) )), [], output("yes[A] yes")).
t(head_read, forms(( waits(B, write(b(B))), waits(T, write(t)), h(h3(f(1, 2), [1|T], [])), write(T) )), [], output("tyes[] yes")).
t(head_read_and_bound, forms(( waits(B, write(b(B))), waits(T, write(t)), X = f(1, B), B = 2, h(h3(X, [1|T], [])), print(T) )), [], output("b(2)tyes[] yes")).
t(head_deep, forms(( waits(A, write(a(A, T))), waits(T, write(t(A, T))), h(h3(f(1, 2), [A|T], [])) )), [], output("a(1,[])t(1,[])yes yes")).
c((h4(X, X, Y) :- Y > 1, !, write(large))).
c((h4(_, _, _) :- write(small))).
t(head_value, forms(( waits(X, Y = 5), h(h4(X, a, Y)) )), [], output("large yes")).
t(head_value_small, forms(( waits(X, Y = 1), h(h4(X, a, Y)) )), [], output("small yes")).
c((h5([X|Xs], Y) :- X = Y, var(Xs), write(open))).
t(head_list, forms(( waits(L, ( L = [Y|_], Y = 1, write(l) )), h(h5(L, Z)), write(Z) )), [], output("lopen1 yes")).
c((h6(1, 2, 3))).
t(head_fact, forms(( waits(X, write(x(X, Z))), waits(Z, write(z(X, Z))), h(h6(X, Y, Z)), write(Y) )), [], output("x(1,3)z(1,3)2 yes")).
c((h7(a) :- true)).
c((h7(b) :- true)).
t(head_choice, forms(( waits(X, X == b), h(h7(X)), write(X) )), [], output("b yes")).
t(head_raises, forms(( waits(X, throw(ball(X))), h(h1(X, _)) )), [], output(" ball(b)")).
c((h8(X, f(X, Y, "text"), Y) :- Y \== 3, !, write(cut))).
c((h8(_, _, _) :- write(other))).
t(head_record, forms(( waits(X, Y = 2), h(h8(X, f(1, Y, "text"), _)) )), [], output("cut yes")).
t(head_record_other, forms(( waits(X, Y = 3), h(h8(X, f(1, Y, "text"), _)) )), [], output("other yes")).
t(head_record_built, forms(( waits(S, write(S)), h(h8(1, S, 2)) )), [], output("f(1,2,text)cut yes")).

% --- cuts ---
c((c1(X) :- X = a, !, write(cut))).
c((c1(_) :- write(second))).
t(cut_fails, forms(( waits(X, fail), h(c1(X)) )), [], output("second yes")).
t(cut_holds, forms(( waits(X, write(w)), h(c1(X)) )), [], output("wcut yes")).
t(cut_drops_choices, forms(( waits(X, ( write(1) ; write(2) )), h(c1(X)), fail )), [], output("1cut no")).
t(choices_stay, forms(( waits(X, member(Y, [1, 2, 3])), X = a, write(Y), fail )), [], output("123 no")).
t(cut_inside, forms(( waits(X, ( member(Y, [1, 2, 3]), ! )), ( X = a ; write(left) ), shape(Y), fail )), [], output("1leftA no")).
c((c2(X, Y) :- member(Y, [1, 2]), X = Y, !, write(Y))).
c((c2(_, _) :- write(none))).
t(cut_after_call, forms(( waits(X, X > 1), h(c2(X, _)) )), [], output("2 yes")).
t(cut_after_call_none, forms(( waits(X, X > 2), h(c2(X, _)) )), [], output("none yes")).
c((c3(X, Y) :- ( Y = 1 ; Y = 2 ), functor(X, Y, 0), !, write(Y))).
c((c3(_, _) :- write(none))).
t(cut_after_builtin, forms(( waits(X, X == 2), h(c3(X, _)) )), [], output("2 yes")).

% --- conditions ---
t(if_fails, forms(( waits(X, fail), ( X = 1 -> write(then) ; write(else) ) )), [], output("else yes")).
t(if_holds, forms(( waits(X, write(w)), ( X = 1 -> write(then) ; write(else) ) )), [], output("wthen yes")).
t(if_without_else, forms(( waits(X, fail), ( X = 1 -> write(then) ) )), [], output(" no")).
t(if_drops_choices, forms(( waits(X, ( write(1) ; write(2) )), ( X = 1 -> write(then) ; write(else) ), fail )), [], output("1then no")).
t(soft_if_fails, forms(( waits(X, fail), ( X = 1 *-> write(then) ; write(else) ) )), [], output("else yes")).
t(soft_if_choices, forms(( waits(X, member(Y, [1, 2])), ( X = 1 *-> write(then(Y)) ; write(else) ), fail )), [], output("then(1)then(2) no")).
t(not_fails, forms(( waits(X, fail), \+ X = 1, write(not) )), [], output("not yes")).
t(not_holds, forms(( waits(X, write(w)), \+ X = 1, write(not) )), [], output("w no")).
t(not_with_test, forms(( waits(X, Y = 2), \+ ( X = 1, Y == 3 ), write(not) )), [], output("not yes")).
t(if_head_in_condition, forms(( waits(X, X == b), ( h(h7(X)) -> write(X) ; write(none) ) )), [], output("b yes")).
t(if_with_cut, forms(( waits(X, ( write(w) ; write(v) )), ( X = 1, !, fail -> write(then) ; write(else) ) )), [], output("welse yes")).
t(if_nested, forms(( waits(X, Y = 2), waits(Y, Z = 3), ( ( X = 1, Y == 2 -> Z == 3 ; fail ) -> write(then(Y, Z)) ; write(else) ) )), [], output("then(2,3) yes")).
t(if_deep, forms(( waits(A, B = 2), ( var(A) -> ( A = 1 -> ( B == 2 -> ( \+ B = 3 -> write(deep(A, B)) ; write(4) ) ; write(3) ) ; write(2) ) ; write(1) ) )), [], output("deep(1,2) yes")).
t(disjunction, forms(( waits(X, write(w)), X = 1, ( write(a) ; write(b) ), fail )), [], output("wab no")).
t(disjunction_branches, forms(( waits(X, ( write(X), Y = X )), ( X = 1 ; X = 2 ; X = 3 ), Y >= 2, write(y(Y)), fail )), [], output("12y(2)3y(3) no")).
t(branches_meet, forms(( waits(X, ( write(w), Y = 1 )), ( true ; X = 1 ), ( Y == 1 -> write(one) ; write(none) ), fail )), [], output("nonewone no")).
t(branches_meet_after_calls, forms(( waits(X, ( write(w), Y = 1 )), A = f(_), ( member(Z, [0]) ; X = 1 ), ( Y == 1 -> shape(one(A, Z)) ; shape(none(Z)) ), fail )), [], output("none(0)wone(f(A),B) no")).
t(undone, forms(( waits(X, write(w)), ( X = 1, fail ; true ), write(x), X = 2 )), [], output("wxw yes")).
t(undone_twice, forms(( waits(X, X > 2), member(X, [1, 2, 3, 4]), write(X), fail )), [], output("34 no")).

% --- tests in place ---
t(identical, forms(( waits(X, Y = 2), X = 1, Y == 2, write(y) )), [], output("y yes")).
t(not_identical, forms(( waits(X, Y = 2), X = 1, Y \== 2, write(y) )), [], output(" no")).
t(identical_structure, forms(( waits(X, Y = 2), X = 1, f(Y) == f(2), write(y) )), [], output("y yes")).
t(compare_numbers, forms(( waits(X, Y = 2), X = 1, Y < 3, write(y) )), [], output("y yes")).
t(compare_expressions, forms(( waits(X, ( Y = 2, Z = 3 )), X = 1, Y*Z+1 =:= 7, write(y) )), [], output("y yes")).
t(evaluate, forms(( waits(X, Y = 2), X = 1, Z is Y*Y, write(Z) )), [], output("4 yes")).
t(variables_of_awaited, ( waits(X, write(woke)), term_variables(f(Y, X, Y, X), L), L == [Y, X], X = 1, numbervars(L, 0, N), write(N) ), [], output("woke1")).
t(evaluate_to_awaited, forms(( waits(X, write(x(X))), Y = 3, X is Y+1, X > 3, write(y) )), [], output("x(4)y yes")).
t(evaluate_to_awaited_fails, forms(( waits(X, X > 4), Y = 3, ( X is Y+1 -> write(then) ; write(else) ) )), [], output("else yes")).
t(type_tests, forms(( waits(X, ( Y = a, Z = "s" )), X = 1, atom(Y), nonvar(Y), string(Z), \+ var(Z), write(y) )), [], output("y yes")).
t(type_test_of_itself, forms(( waits(X, write(w)), X = 1, integer(X), write(y) )), [], output("wy yes")).
t(builtin_in_place, forms(( waits(X, Y = b), functor(X, a, 0), atom(Y), write(X-Y) )), [], output("a-b yes")).
t(builtin_in_place_argument, forms(( waits(A, write(w(A))), arg(1, f(z), A), A == z, write(A) )), [], output("w(z)z yes")).
t(builtin_after, forms(( waits(X, Y = f(1, 2)), X = 1, arg(2, Y, A), write(A) )), [], output("2 yes")).
t(builtin_univ, forms(( waits(H, write(h(T))), waits(T, write(t(H))), f(1, 2) =.. [_, H, T], H < T, write(y) )), [], output("h(2)t(1)y yes")).
t(compare_terms, forms(( waits(X, Y = 2), X = 1, compare(O, Y, 3), write(O) )), [], output("< yes")).
t(fail_after, forms(( waits(X, write(w)), X = 1, fail )), [], output("w no")).
t(true_after, forms(( waits(X, write(w)), X = 1, true )), [], output("w yes")).

% --- what unifications bind and undo ---
t(not_unifiable_fails, forms(( waits(X, fail), X \= 1, write(y) )), [], output("y yes")).
t(not_unifiable_holds, forms(( waits(X, write(w)), X \= 1, write(y) )), [], output("w no")).
t(not_unifiable_structure, forms(( waits(X, ( write(w), fail )), f(X, 2) \= f(1, Y), shape(y(Y)) )), [], output("wy(A) yes")).
t(not_unifiable_in_condition, forms(( waits(X, X == 2), ( X \= 1 -> write(then) ; write(else) ), ( X \= 2 -> write(then) ; write(else) ) )), [], output("thenelse yes")).
t(not_unifiable_not, forms(( waits(X, X == 2), \+ X \= 2, X \= 1, write(y) )), [], output("y yes")).
t(not_unifiable_live, forms(( waits(X, fail), A = f(B), X \= 1, B = 1, write(A) )), [], output("f(1) yes")).
t(not_unifiable_variable, forms(( waits(X, fail), ( X \= _ -> write(then) ; write(else) ) )), [], output("else yes")).
t(not_unifiable_raises, forms(( waits(X, throw(ball)), X \= 1, write(y) )), [], output(" ball")).
t(not_unifiable_called, forms(( waits(X, ( write(w), fail )), G = (X \= 1), call(G), write(y) )), [], output("wy yes")).
t(not_unifiable_called_holds, forms(( waits(X, write(w)), G = (X \= 1), ( call(G) -> write(then) ; write(else) ) )), [], output("welse yes")).
t(memberchk_next, forms(( waits(X, X == b), memberchk(X, [a, b, c]), write(X) )), [], output("b yes")).
t(memberchk_none, forms(( waits(X, X == d), ( memberchk(X, [a, b, c]) -> write(then) ; write(else) ) )), [], output("else yes")).
t(memberchk_once, forms(( waits(X, ( write(w) ; write(v) )), memberchk(X, [a, b, c]), write(X), fail )), [], output("wa no")).
t(memberchk_live, forms(( waits(X, X == b), A = f(B, X), memberchk(X, [a, b, c]), B = 1, A == f(1, b), write(A) )), [], output("f(1,b) yes")).
t(memberchk_pairs, forms(( waits(X, X > 1), memberchk(k-X, [k-1, j-2, k-3]), write(X) )), [], output("3 yes")).
t(memberchk_list_element, forms(( waits(E, fail), ( memberchk(a, [b, E, a]) -> ( var(E) -> write(var) ; write(E) ) ; write(none) ) )), [], output("var yes")).
t(findall_result, forms(( waits(X, write(w(X))), findall(Y, member(Y, [1, 2]), X), X = [A|_], A == 1, write(y) )), [], output("w([1,2])y yes")).
t(catch_result, forms(( waits(X, write(w(X))), catch(throw(b), X, ( X == b, write(y) )) )), [], output("w(b)y yes")).
t(unify_with_occurs_check, forms(( waits(X, write(w(X))), unify_with_occurs_check(f(X), f(a)), X == a, write(y) )), [], output("w(a)y yes")).
t(length_of, forms(( waits(N, write(w(N))), length([a, b], N), N == 2, write(y) )), [], output("w(2)y yes")).
t(between_until, forms(( waits(N, N > 2), between(1, 4, N), write(N), fail )), [], output("34 no")).
t(clause_fact, forms(( waits(N, N == b), clause(h7f(N), true), write(N), fail )), [], output("b no")).
t(retract_none, forms(( waits(N, N == z), ( retract(h7f(N)) -> write(then) ; write(else) ) )), [], output("else yes")).
t(atom_length_of, forms(( waits(N, Y = N), atom_length(abc, N), Y =:= 3, write(Y) )), [], output("3 yes")).
t(nb_getval_of, forms(( nb_setval(k, 7), waits(N, Y = N), nb_getval(k, N), Y =:= 7, write(Y) )), [], output("7 yes")).

% --- what is woken ---
t(two_of_one, forms(( waits(X, write(a)), waits(X, write(b)), X = 1, X == 1, write(c) )), [], output("abc yes")).
t(order, forms(( waits(X, write(x(X, Y))), waits(Y, write(y(X, Y))), f(X, Y) = f(1, 2), write(z) )), [], output("x(1,2)y(1,2)z yes")).
t(order_other, forms(( waits(X, write(x(X, Y))), waits(Y, write(y(X, Y))), f(Y, X) = f(1, 2), write(z) )), [], output("y(2,1)x(2,1)z yes")).
t(aliases, forms(( waits(X, write(x)), waits(Y, write(y)), X = Y, write(z), X = 1, write(zz) )), [], output("zxyzz yes")).
t(alias_of_plain, forms(( waits(X, write(x)), X = Y, write(z), Y = 1, write(zz) )), [], output("zxzz yes")).
t(alias_of_older, forms(( Y = _, waits(X, write(x)), Y = X, write(z), Y = 1, write(zz) )), [], output("zxzz yes")).
t(first_fails, forms(( waits(X, fail), waits(Y, write(y)), f(X, Y) = f(1, 2), write(z) )), [], output(" no")).
t(second_fails, forms(( waits(X, write(x)), waits(Y, fail), ( f(X, Y) = f(1, 2) -> write(z) ; write(else) ) )), [], output("xelse yes")).
t(wakes_more, forms(( waits(X, ( write(x), Y = 1, write(xx) )), waits(Y, ( write(y), Z = 1 )), waits(Z, write(z)), X = 1, Z == 1, write(end) )), [], output("xyzxxend yes")).
t(waits_again, forms(( waits(X, ( write(x), waits(Y, write(y)) )), X = 1, Y = 2, Y == 2, write(end) )), [], output("xyend yes")).
t(raises_and_caught, forms(( waits(X, throw(b)), catch(( X = 1, X == 1, write(no) ), B, write(caught(B))), ( var(X) -> write(free) ; write(bound) ) )), [], output("caught(b)free yes")).
t(raises_in_if, forms(( waits(X, throw(b)), ( X = 1 -> write(then) ; write(else) ) )), [], output(" b")).
t(fails_then_other, forms(( waits(X, X == 2), ( X = 1, write(one) ; X = 2, write(two) ) )), [], output("two yes")).
t(choices_and_cut, forms(( waits(X, member(Y, [1, 2, 3])), X = a, Y >= 2, !, write(Y) )), [], output("2 yes")).
t(choices_and_if, forms(( waits(X, member(Y, [1, 2, 3])), ( X = a, Y >= 2 -> write(Y) ; write(none) ) )), [], output("2 yes")).
t(bound_already, forms(( X = 1, waits(X, write(w)), X == 1, write(y) )), [], output("wy yes")).
t(makes_garbage, forms(( waits(X, garbage(Y)), A = f(_, B), X = 1, Y == 300, B = [A], arg(1, A, C), var(C), write(y) )), [], output("y yes")).
t(garbage_in_head, forms(( waits(X, garbage(_)), h(h3(X, L, [])), shape(L) )), [], output("noA yes")).
t(garbage_and_choices, forms(( waits(X, ( garbage(_), member(Y, [1, 2]), garbage(_) )), A = f(Z), ( X = 1, Y >= 2, Z = Y -> write(A) ; write(none) ) )), [], output("f(2) yes")).
t(garbage_before, forms(( waits(X, write(x(Y))), garbage(_), Y = s(X), garbage(_), X = 1, Y == s(1), write(y) )), [], output("x(s(1))y yes")).
t(garbage_while_bound, forms(( waits(X, write(x)), ( X = 1, garbage(_), X == 1, fail ; garbage(_), X = 2, X == 2, write(y) ) )), [], output("xxy yes")).
t(garbage_in_not_unifiable, forms(( waits(X, ( garbage(_), fail )), A = f(B), X \= 1, B = 2, write(A) )), [], output("f(2) yes")).
t(cleanup_in_it, forms(( waits(X, setup_call_cleanup(write(s), member(Y, [1, 2]), write(c))), X = 1, Y == 1, !, write(y) )), [], output("scy yes")).
t(in_cleanup, forms(( waits(X, write(w)), setup_call_cleanup(true, X = 1, ( X == 1, write(c) )), write(y) )), [], output("wcy yes")).
t(cleanup_cut, forms(( waits(X, write(w)), setup_call_cleanup(true, member(Z, [1, 2]), write(c)), X = Z, !, write(y) )), [], output("wcy yes")).
t(in_findall, forms(( waits(X, X > 1), findall(X, member(X, [1, 2, 3]), L), print(L) )), [], output("[2,3] yes")).
t(in_forall, forms(( waits(X, X > 0), ( forall(member(X, [1, 2]), X > 0) -> write(y) ; write(n) ) )), [], output("y yes")).
t(once_of, forms(( waits(X, ( write(1) ; write(2) )), once(X = 1), write(y), fail )), [], output("1y no")).
t(ignored, forms(( waits(X, fail), ignore(X = 1), write(y) )), [], output("y yes")).
t(call_of, forms(( waits(X, Y = 2), call(=, X, 1), Y == 2, write(y) )), [], output("y yes")).
t(tail, forms(( waits(X, ( write(w), Y = 2 )), h(t1(X, Y)), write(Y) )), [], output("wy2 yes")).
c((t1(X, Y) :- X = 1, t2(Y))).
c((t2(Y) :- Y == 2, write(y))).
t(many_live, forms(( waits(X, ( write(w), garbage(_) )), f(A, B, C, D, E, F, G) = f(1, 2, 3, 4, 5, 6, 7), X = 1, A < B, C < D, E < F, write([A, B, C, D, E, F, G]) )), [], output("w[1,2,3,4,5,6,7] yes")).
t(recursion, forms(( waits(X, ( count(100, N), N == 100 )), X = 1, N > 99, write(N) )), [], output("100 yes")).
t(long_chain, forms(( chain(2000, X, Y), X = 1, Y == 1, write(y) )), [], output("y yes")).
