% Rules of single-sided unification: `Head => Body`, `Head, Guard => Body`, `Head ?=> Body`. Each rule below is static, and dynamic under another name (twin_…), there
% with the terms that clause/2 shows: all must give the same solutions, errors and bindings.

:- op(1200, xfx, ?=>).

term_expansion(r(C), [C, (:- dynamic(TF/N)), (:- assertz(T))]) :-
    neck(C, Left, Necked, Body),
    ( Left = (H, G) -> TLeft = (TH, G) ; H = Left, TLeft = TH ),
    neck(T, TLeft, Necked, Body),
    H =.. [F|As],
    length(As, N),
    atom_concat(twin_, F, TF),
    TH =.. [TF|As].

neck((L => B), L, =>, B).
neck(?=>(L, B), L, ?=>, B).

% Heads: constants, structures, lists, boxed values, what occurs twice, nested.
r((head(a, R) => R = atom)).
r((head(1, R) => R = one)).
r((head(1.5, R) => R = float)).
r((head("s", R) => R = string)).
r((head(12345678901234567890, R) => R = big)).
r((head([], R) => R = nil)).
r((head([X], R) => R = one(X))).
r((head([X|Xs], R) => R = cons(X, Xs))).
r((head(f(X, X), R) => R = same(X))).
r((head(f(g(X), [Y, X|T]), R) => R = nested(X, Y, T))).
r((head(f(_, _), R) => R = other)).
r((head(g(_), R) => R = g)).
% A result is unified, not matched.
r((len([], N) => N = 0)).
r((len([_|T], N) => len(T, N0), N is N0+1)).
r((twin_len([], N) => N = 0)).
r((same(X, X) => true)).
r((same(X, Y), X = f(Y) => true)).
% Guards: tests, comparisons, builtins, calls, disjunctions, negations, conditions.
r((guard(X, R), integer(X), X > 100 => R = large)).
r((guard(X, R), integer(X), X mod 7 =:= 0 => R = sevenfold)).
r((guard(X, R), member(X, [1, 2, 3]) => R = member)).
r((guard(X, R), ( X = 4 ; X = 5 ) => R = either)).
r((guard(X, R), \+ X = a, \+ compound(X), atom(X) => R = no_a)).
r((guard(X, R), ( X == a -> true ; X == f(a) ) => R = condition)).
r((guard(X, R), is_list(X), length(X, 2) => R = pair)).
r((guard(X, R), X = h(Y), Y == 1 => R = h)).
r((guard(X, R), functor(X, k, N), N > 1 => R = k(N))).
r((guard(X, R), X = m(_, b) => R = moved)).
% Cuts in guards decide.
r((cut(X, R), X > 10, !, X < 20 => R = teen)).
r((cut(X, R), member(X, [1, 2, 3, 11]), !, X > 1 => R = X)).
r((cut(_, R) => R = rest)).
% A body may leave choicepoints, and fail, after the commitment.
r((body(a, R) => member(R, [1, 2, 3]))).
r((body(b, _) => fail)).
r((body(c, R) => ( R = 1, ! ; R = 2 ))).
r((body(c, R) => R = never)).
r((body(G, R), nonvar(G), G = call(_) => arg(1, G, Goal), Goal, R = called)).
% Choices.
r(?=>(choice(X), X = 1)).
r(?=>(choice(X), member(X, [2, 3]))).
r((choice(X) => X = 4)).
r(?=>(open(X), member(X, [1, 2]))).
r(?=>(open(X), ( nonvar(X), X > 1, ! ))).
% No arguments, many arguments.
r((none => true)).
r((many(a, B, c(B), [D|_], D, _) => true)).
r((key(a, 1) => true)).
r((key(b, 2) => true)).
r((key(c, _) => true)).
r((key([_|_], 1) => true)).

solutions(G, Solutions) :-
    copy_term(G, C),
    catch(( findall(C, C, Ss), Solutions = Ss ), error(E, _), ( untwinned(E, E1), Solutions = E1 )).

untwinned(existence_error(matching_rule, G0), existence_error(matching_rule, G)) :- !,
    G0 =.. [N0|As],
    ( atom_concat(twin_, N, N0) -> true ; N = N0 ),
    G =.. [N|As].
untwinned(E, E).

agree(G) :-
    G =.. [F|As],
    atom_concat(twin_, F, TF),
    T =.. [TF|As],
    solutions(G, S1),
    solutions(T, S2),
    (   is_list(S2)
    ->  findall(G1, ( member(T1, S2), T1 =.. [_|As1], G1 =.. [F|As1] ), S3)
    ;   S3 = S2
    ),
    (   S1 =@= S3
    ->  true
    ;   format(user_error, "~q: ~q, ~q~n", [G, S1, S3]),
        fail
    ).

value(_).
value(a).
value(b).
value(c).
value([]).
value(1).
value(4).
value(5).
value(7).
value(14).
value(49).
value(200).
value(1.5).
value("s").
value("t").
value(12345678901234567890).
value([_]).
value([x]).
value([x, y]).
value([x|_]).
value(f(_)).
value(f(a)).
value(f(_, _)).
value(f(X, X)).
value(f(g(X), [b, X|_])).
value(f(g(1), [b, 1, c])).
value(f(g(_), [b, 1])).
value(g(_)).
value(h(1)).
value(h(_)).
value(k(1)).
value(k(1, 2, 3)).
value(m(_, b)).
value(m(1, _)).
value(c(b)).
value(call(true)).
value(call(fail)).

t(forms_agree, (
    once((
    findall(G, ( member(F, [head, len, same, guard, cut, body, key]), value(X), value(Y), G =.. [F, X, Y], \+ agree(G) ), Failed)
    )),
    Failed == [] ), [], answers([[]])).
t(forms_agree_of_one, (
    once((
    findall(G, ( member(F, [choice, open]), value(X), G =.. [F, X], \+ agree(G) ), Failed)
    )),
    Failed == [] ), [], answers([[]])).
t(forms_agree_of_many, (
    once((
    findall(G, ( value(A), value(B), value(C), G = many(A, B, c(B), [C, x], C, _), \+ agree(G) ), Failed),
    agree(none)
    )),
    Failed == [] ), [], answers([[]])).

t(heads, (
    once((
    findall(R, ( member(X, [a, 1, 1.5, "s", 12345678901234567890, [], [x], [x, y], f(1, 1), f(g(1), [2, 1]), f(1, 2), g(_)]), head(X, R) ), Rs)
    )),
    Rs == [atom, one, float, string, big, nil, one(x), cons(x, [y]), same(1), nested(1, 2, []), other, g] ), [], answers([[]])).
t(an_argument_is_not_bound, (
    head(X, _) ), [], throws(existence_error(matching_rule, head(X, _)))).
t(nor_part_of_one, (
    once((
    head(f(_, _), R)
    )),
    R == other ), [], answers([[]])).
t(the_same_variable, (
    once((
    head(f(X, X), R)
    )),
    R == same(X) ), [], answers([[]])).
t(what_was_called, (
    catch((
    head(u(1), r)
    ), error(E, C), true),
    E = existence_error(matching_rule, head(u(1), r)), C = context(head/2, _) ), [], answers([[]])).
t(result_is_unified, (
    len([a], 0) ), [], fails).
t(result, (
    once((
    len([a, b, c], N)
    )),
    N == 3 ), [], answers([[]])).
t(partial, (
    len([a|_], _) ), [], throws(existence_error(matching_rule, len(_, _)))).
t(no_choicepoint, (
    once((
    call_cleanup(guard(2, _), Det = true)
    )),
    Det == true ), [], answers([[]])).
t(guard_leaves_none, (
    once((
    call_cleanup(cut(2, _), Det = true)
    )),
    Det == true ), [], answers([[]])).
t(failure_after_commitment, (
    body(b, _) ), [], fails).
t(all_of_a_body, (
    body(a, R) ), R, answers([1, 2, 3])).
t(cut_in_a_guard_fails, (
    cut(25, _) ), [], fails).
t(exhausted, (
    once((
    nb_setval(ssu_found, []),
    catch(( open(X), nb_getval(ssu_found, L0), append(L0, [X], L), nb_setval(ssu_found, L), fail ), error(E, _), true),
    nb_getval(ssu_found, Xs)
    )),
    Xs-E =@= [1, 2]-existence_error(matching_rule, open(_)) ), [], answers([[]])).
t(moved_to_the_head, (
    guard(m(1, _), _) ), [], throws(existence_error(matching_rule, _))).
t(choices, (
    once((
    findall(X, ( member(Y, [1, 2, 3, 4]), once(( choice(X0), X0 == Y )), X = Y ), Xs0),
    findall(X, ( X = 1, choice(X) ), [1]),
    append(Xs0, [4], Xs1),
    sort([1, 2, 3|Xs1], Xs)
    )),
    Xs == [1, 2, 3, 4] ), [], answers([[]])).
t(attributed_variables_stay, (
    once((
    freeze(X, throw(woken)),
    (   catch(head(X, _), error(existence_error(_, _), _), R = done)
    ->  true
    ;   true
    ),
    frozen(X, G),
    G \== true
    )),
    R == done ), [], answers([[]])).
t(an_attributed_variable_is_itself, once((
    put_attr(X, ssu, 1),
    same(X, X) )), [], answers([[]])).

% What the predicate says of itself.
t(clause, (
    once((
    findall(B, ( member(H, [head(a, r), head(1, r)]), clause(H, B) ), Bs)
    )),
    Bs == [r = atom, r = one] ), [], answers([[]])).
t(clause_of_a_guard, (
    once((
    once(clause(guard(X, r), B))
    )),
    B =@= (integer(X), X > 100, !, r = large) ), [], answers([[]])).
t(clause_with_what_was_moved, (
    once((
    once(( clause(guard(m(_, b), R), B), B = (!, _) ))
    )),
    B =@= (!, R = moved) ), [], answers([[]])).
t(rules, (
    once((
    findall(R, rule(key(_, _), R), Rs)
    )),
    Rs =@= [( key(a, 1) => true ), ( key(b, 2) => true ), ( key(c, _) => true ), ( key([_|_], 1) => true )] ), [], answers([[]])).
t(rules_with_guards, (
    once((
    findall(Rule, ( rule(cut(_, _), Rule), Rule = ( _, _ > 10 => _ ) ), Rs)
    )),
    Rs =@= [( cut(X, R), X > 10 => X < 20, !, R = teen )] ), [], answers([[]])).
t(choice_rules, (
    once((
    findall(R, rule(choice(_), R), Rs)
    )),
    Rs =@= [?=>(choice(1), true), ?=>(choice(Y), member(Y, [2, 3])), ( choice(Z) => Z = 4 )] ), [], answers([[]])).
t(property, once((
    predicate_property(head(_, _), ssu),
    predicate_property(twin_head(_, _), ssu),
    \+ predicate_property(value(_), ssu) )), [], answers([[]])).
t(counts_as_rules, (
    once((
    predicate_property(key(_, _), number_of_clauses(N)),
    predicate_property(key(_, _), number_of_rules(M))
    )),
    N-M == 4-4 ), [], answers([[]])).
t(listing, (
    once((
    with_output_to(string(S), listing(twin_key/2))
    )),
    S == ":- dynamic twin_key/2.\n\ntwin_key(a, 1) =>\n    true.\ntwin_key(b, 2) =>\n    true.\ntwin_key(c, _) =>\n    true.\ntwin_key([_|_], 1) =>\n    true.\n\n" ), [], answers([[]])).
t(listing_of_guards, (
    once((
    assertz(( ssu_l(A, B), A > 1 => B = 2 )),
    assertz(?=>(ssu_l(f(C), D), D = C)),
    assertz(( ssu_l(_, _) => true )),
    with_output_to(string(S), listing(ssu_l/2))
    )),
    S == ":- dynamic ssu_l/2.\n\nssu_l(A, B), A>1 =>\n    B=2.\nssu_l(f(A), B) ?=>\n    B=A.\nssu_l(_, _) =>\n    true.\n\n" ), [], answers([[]])).
t(read_again, (
    once((
    findall(R-R2, ( member(N/A, [head/2, len/2, guard/2, cut/2, body/2, choice/1, open/1, many/6, key/2, none/0]),
                    functor(H, N, A), rule(H, R),
                    with_output_to(string(S), portray_clause(R)), term_string(R2, S), R2 \=@= R ), Different)
    )),
    Different == [] ), [], answers([[]])).

% Kinds do not mix.
:- dynamic mixed/1, plain/1, empty/1.
mixed(1) => true.
plain(1).
t(mixed, (
    assertz(mixed(2)) ), [], throws(permission_error(assert, procedure, mixed/1))).
t(mixed_rule, (
    assertz(( mixed(2) :- true )) ), [], throws(permission_error(assert, procedure, mixed/1))).
t(mixed_the_other_way, (
    assertz(( plain(2) => true )) ), [], throws(permission_error(assert, procedure, plain/1))).
t(empty_again, (
    once((
    assertz(( empty(1) => true )),
    catch(empty(2), error(existence_error(matching_rule, empty(2)), _), true),
    retractall(empty(_)),
    catch(empty(1), error(existence_error(matching_rule, empty(1)), _), true),
    assertz(empty(1)),
    \+ empty(2),
    findall(X, empty(X), Xs),
    retractall(empty(_))
    )),
    Xs == [1] ), [], answers([[]])).
t(message, (
    once((
    message_to_codes_string(error(permission_error(assert, procedure, mixed/1), _), S)
    )),
    S == "mixed/1: an SSU (Head => Body) predicate cannot have normal Prolog clauses" ), [], answers([[]])).
t(message_no_rule, (
    once((
    message_to_codes_string(error(existence_error(matching_rule, p(1)), _), S)
    )),
    S == "No rule matches p(1)" ), [], answers([[]])).

message_to_codes_string(E, S) :-
    phrase(prolog:translate_message(E), Lines),
    with_output_to(string(S0), print_message_lines(current_output, '', Lines)),
    split_string(S0, "", "\n", [S]).

% Added, taken away, copied.
t(added_in_front, (
    once((
    assertz(( ssu_a(_, R) => R = last )),
    asserta(( ssu_a(X, R), X > 1 => R = front )),
    ssu_a(2, R)
    )),
    R == front ), [], answers([[]])).
t(taken_away, (
    once((
    retract(( ssu_a(X, R1), X > 1 => R1 = front )),
    ssu_a(2, R)
    )),
    R == last ), [], answers([[]])).
t(taken_by_reference, (
    assertz(( ssu_b(1) => true ), Ref),
    ssu_b(1),
    erase(Ref),
    ssu_b(1) ), [], throws(existence_error(matching_rule, ssu_b(1)))).
t(not_a_clause_of_the_other_kind, (
    assertz(( ssu_c(1) => true )),
    retract(ssu_c(1)) ), [], fails).
t(copied, (
    copy_predicate_clauses(key/2, ssu_copy/2),
    ssu_copy(a, 1),
    predicate_property(ssu_copy(_, _), ssu),
    ssu_copy(z, 1) ), [], throws(existence_error(matching_rule, ssu_copy(z, 1)))).
t(made_static, (
    assertz(( ssu_static(1) => true )),
    compile_predicates([ssu_static/1]),
    ssu_static(1),
    ssu_static(2) ), [], throws(existence_error(matching_rule, ssu_static(2)))).
t(erased_while_running, (
    once((
    retractall(ssu_d(_, _)),
    assertz(?=>(ssu_d(_, X), member(X, [1]))),
    assertz(( ssu_d(_, X) => X = 2 )),
    findall(X, ( ssu_d(a, X), retractall(ssu_d(_, _)) ), Xs)
    )),
    Xs == [1, 2] ), [], answers([[]])).

% Modules.
t(in_a_module, (
    catch((
    assertz(( ssu_m:p(1) => true )),
    assertz(ssu_m:( p(X), X == 2 => true )),
    ssu_m:p(1),
    ssu_m:p(2),
    ssu_m:p(3)
    ), error(E, C), true),
    E = existence_error(matching_rule, ssu_m:p(3)), C = context(ssu_m:p/1, _) ), [], answers([[]])).
t(body_is_of_the_text, (
    once((
    assertz(( ssu_m:q(X), atom(X) => nb_setval(k, X) )),
    findall(R, rule(ssu_m:q(_), R), Rules)
    )),
    Rules =@= [( q(X), user:atom(X) => user:nb_setval(k, X) )] ), [], answers([[]])).

% Other places.
:- table ssu_fib/2.
ssu_fib(0, F) => F = 0.
ssu_fib(1, F) => F = 1.
ssu_fib(N, F), N > 1 => A is N-1, B is N-2, ssu_fib(A, FA), ssu_fib(B, FB), F is FA+FB.
t(tabled, (
    once((
    ssu_fib(30, F)
    )),
    F == 832040 ), [], answers([[]])).
t(tabled_no_rule, (
    ssu_fib(-1, _) ), [], throws(existence_error(matching_rule, _))).
:- thread_local ssu_local/1.
t(thread_local, (
    once((
    assertz(( ssu_local(1) => true )),
    ssu_local(1),
    thread_create(( assertz(( ssu_local(2) => true )), ssu_local(2), ssu_local(1) ), Id),
    thread_join(Id, exception(error(existence_error(matching_rule, ssu_local(1)), _))),
    catch(ssu_local(2), error(_, _), true),
    R = [here, exception]
    )),
    R == [here, exception] ), [], answers([[]])).
t(error_in_a_guard, (
    cut(foo, _) ), [], throws(type_error(evaluable, foo/0))).
t(throw_in_a_guard, (
    assertz(( ssu_t(X), throw(X) => true )),
    ssu_t(ball) ), [], throws_ball(ball)).
t(cleanup_in_a_guard, (
    once((
    nb_setval(ssu_order, []),
    assertz(( ssu_e(X), setup_call_cleanup(true, member(X, [1, 2]), ssu_note(cleaned)) => ssu_note(body) )),
    ssu_e(1),
    nb_getval(ssu_order, Order),
    retract(( ssu_e(_), _ => _ ))
    )),
    Order == [cleaned, body] ), [], answers([[]])).
ssu_note(X) :-
    nb_getval(ssu_order, L0),
    append(L0, [X], L),
    nb_setval(ssu_order, L).

% A head that is too large for code, alone and among others; so is a body.
t(huge_head, (
    once((
    numlist(1, 20000, L),
    length(Vs, 20000),
    append(L, Vs, Both),
    assertz(( ssu_h(f(Both, Vs), R) => R = yes )),
    findall(R, ( member(Right, [a, b, c]), huge(Right, L, R) ), Rs),
    retract(( ssu_h(_, _) => _ = yes ))
    )),
    Rs == [yes, other, error] ), [], answers([[]])).
huge(a, L, R) :-
    append(L, L, Both),
    ssu_h(f(Both, L), R).
huge(b, L, R) :-
    assertz(( ssu_h(_, R0) => R0 = other )),
    append(L, [x|L], Both),
    ssu_h(f(Both, L), R),
    retract(( ssu_h(_, _) => _ = other )).
huge(c, L, R) :-
    length(Open, 20000),
    append(L, Open, Both),
    catch(ssu_h(f(Both, L), R), error(existence_error(matching_rule, _), _), R = error).
t(deep_head, (
    once((
    deep(3000, x, T),
    assertz(( ssu_deep(T) => true )),
    ssu_deep(T),
    deep(3000, y, T1),
    catch(ssu_deep(T1), error(existence_error(_, _), _), R = deep)
    )),
    R == deep ), [], answers([[]])).
deep(0, T, T) :- !.
deep(N, T0, T) :- N1 is N-1, deep(N1, f(T0, N), T).

% Grammar rules and expansion.
user:goal_expansion(ssu_old(X), ssu_new(X)).
ssu_new(1).
ssu_x(X), ssu_old(X) => true.
t(goals_of_guards_are_expanded, once((
    ssu_x(1) )), [], answers([[]])).

t(no_predicate, (
    G = (a => b),
    call(G) ), [], throws(existence_error(procedure, (=>)/2))).
