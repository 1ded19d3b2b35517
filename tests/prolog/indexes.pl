% Indexes: on any argument, on several together, inside of arguments, for static and dynamic predicates. Whatever a call looks at, it finds the clauses that
% it unifies with, in their order: a model keeps the clauses in a list and unifies with each. And where keys tell clauses apart, no choicepoint is left.

:- dynamic(( d/3, deep/2, keyed/2, rest/2, st/3, hf/2, wide/8 )).

% ------------------------------------------------------------------ a model

% pick(+List, -Element): any.
pick(L, X) :- length(L, N), random_between(1, N, I), nth1(I, L, X0), copy_term(X0, X).

% terms(+Kind, -Terms): what stands in an argument.
terms(few, [a, b, 1, 2, _, f(_), f(a)]).
terms(many, [a, b, c, [], '[]', 1, 2, -1, 1.0, 1.5, -0.0, 0.0, 1180591620717411303424, -1180591620717411303424, 1r3, "a", "b", "", f(_), f(a), f(b), f(1.5),
             f(f(a)), g(a, b), g(_, b), g(a, _), g(c, "d"), [_|_], [a], [b, c], [[]], [_], h(1, 2, 3), h(_, 2, _), _, _]).
terms(numbers, L) :- numlist(1, 50, L).
terms(shifted, L) :- findall(X, ( between(1, 50, I), X is I << 40 ), L).
terms(inside, L) :- findall(T, ( between(1, 20, I), J is I mod 3, member(T, [p(I, J), p(J, I), q(I), p(_, I)]) ), L).
terms(far_inside, L) :-
    findall(T, ( between(1, 20, I), J is I mod 3, member(T, [p(q(I, J), a), p(q(J, [I|_]), _), p(q(J, [_, I]), b), p(q(s(t(I)), J), I), p(_, b), q(I)]) ), L).

% fact(+Kinds, -Fact)
fact(K1-K2-K3, d(A, B, C)) :-
    terms(K1, T1), terms(K2, T2), terms(K3, T3),
    pick(T1, A), pick(T2, B), pick(T3, C).

% call_of(+Kinds, -Goal): one with some arguments unbound.
call_of(Kinds, G) :-
    fact(Kinds, d(A, B, C)),
    random_between(0, 7, Bits),
    (   Bits /\ 1 =:= 0 -> X = A ; true ),
    (   Bits /\ 2 =:= 0 -> Y = B ; true ),
    (   Bits /\ 4 =:= 0 -> Z = C ; true ),
    G = d(X, Y, Z).

% The clauses of the model that a goal unifies with, what it is then.
by_model(Facts, G, Sols) :- findall(G, ( member(F, Facts), copy_term(F, G) ), Sols).

% Steps: the model after each is what the database is.
steps(0, _, Facts, Facts) :- !.
steps(N, Kinds, Facts0, Facts) :-
    random_between(1, 10, What),
    step(What, Kinds, Facts0, Facts1),
    call_of(Kinds, G),
    agree(G, Facts1),
    N1 is N - 1,
    steps(N1, Kinds, Facts1, Facts).

step(What, Kinds, Facts0, Facts) :- What =< 5, !, fact(Kinds, F), assertz(F), append(Facts0, [F], Facts).
step(6, Kinds, Facts, [F|Facts]) :- !, fact(Kinds, F), asserta(F).
step(7, Kinds, Facts0, Facts) :- !,
    call_of(Kinds, G),
    retractall(G),
    exclude([F]>>( \+ F \= G ), Facts0, Facts).
step(_, Kinds, Facts0, Facts) :-
    call_of(Kinds, G),
    copy_term(G, G1),
    (   retract(G1) -> true ; true ),
    (   append(Before, [F|After], Facts0), \+ F \= G -> append(Before, After, Facts) ; Facts = Facts0 ).

agree(G, Facts) :-
    by_model(Facts, G, Expected),
    findall(G, G, Called),
    findall(G, clause(G, true), Read),
    (   Called =@= Expected, Read =@= Expected -> true ; throw(error(differs(G, Expected, Called, Read), _)) ).

% run(+Seed, +Kinds, +Steps): from nothing.
run(Seed, Kinds, Steps) :-
    set_random(seed(Seed)),
    retractall(d(_, _, _)),
    steps(Steps, Kinds, [], Facts),
    static_same(Facts, Kinds).

% The same clauses, static: loaded from a text.
static_same([], _) :- !.
static_same(Facts, Kinds) :-
    statics(Facts, N),
    forall(between(1, 60, _), ( call_of(Kinds, G), static_agrees(N, G, Facts) )).

statics(Facts, N) :-
    flag(static_indexes, N0, N0 + 1),
    atom_concat(s, N0, N),
    forall(member(d(A, B, C), Facts), ( F =.. [N, A, B, C], assertz(F) )),
    compile_predicates([N/3]).

static_agrees(N, d(A, B, C), Facts) :-
    G = d(A, B, C),
    by_model(Facts, G, Expected),
    S =.. [N, A, B, C],
    findall(G, S, Called),
    (   Called =@= Expected -> true ; throw(error(differs(S, Expected, Called), _)) ).

kinds([few-few-few, many-many-many, few-many-few, numbers-few-shifted, few-shifted-numbers, inside-few-many, few-inside-inside, many-numbers-inside,
       far_inside-few-many, few-far_inside-far_inside]).

t(as_the_model, ( kinds(L), run_size(1000, Size), Steps is min(Size, 300), forall(( member(K, L), member(Seed, [1, 2]) ), run(Seed, K, Steps)) ), [], answers([[]])).

% ------------------------------------------------------------------ threads

% Facts of several threads come and go at once; each thread finds its own by any argument.
busy(Me, N) :-
    forall(between(1, N, I),
           ( K is I mod 17, assertz(d(Me, k(I, Me), I)), ( I mod 3 =:= 0 -> asserta(d(_, any(Me), I)) ; true ),
             once(d(Me, _, I)), once(d(_, k(I, Me), _)), once(( d(V, k(_, Y), I), V == Me, Y == Me )),
             ( I > 20 -> J is I - 20, retract(d(Me, k(J, _), _)), \+ d(_, k(J, Me), _) ; true ),
             ( I mod 3 =:= 0 -> retract(d(_, any(Me), I)) ; true ), K >= 0 )),
    aggregate_all(count, ( d(X, _, _), X == Me ), C),
    C =:= 20.

threads(T, N) :-
    retractall(d(_, _, _)),
    findall(Id, ( between(1, T, I), thread_create(busy(I, N), Id) ), Ids),
    forall(member(Id, Ids), ( thread_join(Id, S), S == true )),
    aggregate_all(count, d(_, _, _), C),
    C =:= 20 * T.

t(threads, threads(4, 600), [], answers([[]])).

% ------------------------------------------------------------------ choicepoints

ends(G, How) :- call_cleanup(G, Done = true), ( Done == true -> How = det ; How = nondet ), !.

s(a, 1, x). s(a, 2, y). s(b, 1, z). s(b, 2, w). s(c, 1, v).
u(_, a). u(_, b). u(_, c). u(_, d).
i(f(1), a). i(f(2), b). i(f(3), c).
l([a|_], 1). l([b|_], 2). l([], 3). l([a, b|_], 4).
n(1.5, a). n(2.5, a). n(1180591620717411303424, a). n("a", a). n("b", a).
o(X, a) :- atom(X). o(X, b) :- integer(X). o(_, c).
m(x, 1, p). m(_, 2, q). m(x, _, r). m(y, 1, s).

t(second_argument, ends(s(a, 1, _), H), [H], answers([[det]])).
t(third_argument, ends(s(_, _, y), H), [H], answers([[det]])).
t(two_arguments, ends(s(_, 2, w), H), [H], answers([[det]])).
t(several_left, findall(X-Z, s(X, 1, Z), L), [L], answers([[[a-x, b-z, c-v]]])).
t(last_of_several, findall(H, ends(s(_, 1, v), H), L), [L], answers([[[det]]])).
t(behind_variables, ends(u(x, b), H), [H], answers([[det]])).
t(inside_first, ends(i(f(2), _), H), [H], answers([[det]])).
t(inside_first_of_none, i(f(4), _), [], fails).
t(inside_lists, findall(N, l([a, c], N), L), [L], answers([[[1]]])).
t(inside_lists_of_variables, findall(N, l([_|_], N), L), [L], answers([[[1, 2, 4]]])).
t(float, ends(n(2.5, a), H), [H], answers([[det]])).
t(big, ends(n(1180591620717411303424, a), H), [H], answers([[det]])).
t(string, ends(n("b", a), H), [H], answers([[det]])).
t(string_of_none, n("c", a), [], fails).
t(rules, ends(o(1, b), H), [H], answers([[det]])).
t(variables_between, findall(R, m(x, 1, R), L), [L], answers([[[p, r]]])).
t(variables_between_others, findall(R, m(_, 1, R), L), [L], answers([[[p, r, s]]])).
t(nothing_fits, m(z, 1, _), [], answers([])).
t(cut_among_selected, findall(X, ( s(X, 1, _) -> true ; X = none ), L), [L], answers([[[a]]])).

fill(P, N) :- G =.. [P, _, _], retractall(G), forall(between(1, N, I), ( K is I mod 10, F =.. [P, K, I], assertz(F) )).

t(dynamic_second, ( fill(keyed, 100), ends(keyed(3, 33), H) ), [H], answers([[det]])).
t(dynamic_second_of_few, ( fill(keyed, 6), ends(keyed(_, 3), H) ), [H], answers([[det]])).
t(retract_by_second, ( fill(keyed, 100), ends(retract(keyed(_, 33)), H) ), [H], answers([[det]])).
t(clause_by_second, ( fill(keyed, 100), ends(clause(keyed(_, 33), true), H) ), [H], answers([[det]])).
t(dynamic_inside,
  ( retractall(deep(_, _)), forall(between(1, 50, I), assertz(deep(f(I, x), I))), ends(deep(f(33, _), _), H), ends(deep(f(_, x), 7), H2) ),
  [H, H2], answers([[det, det]])).
% Of several functors none is most clauses'; and those that come when the others are there already.
one_of(F, I, T) :- T =.. [F, I].
t(dynamic_inside_several,
  ( retractall(deep(_, _)), forall(( between(1, 300, I), member(F, [a, b, c, d, e]) ), ( one_of(F, I, T), assertz(deep(T, x)), assertz(deep(x, T)) )),
    findall(H, ( member(F, [a, b, c, d, e]), one_of(F, 200, T), member(G, [deep(T, _), deep(x, T), retract(deep(x, T))]), ends(G, H) ), L), sort(L, Hs) ),
  [Hs], answers([[[det]]])).
t(dynamic_inside_one_after_the_other,
  ( retractall(deep(_, _)), forall(( member(F, [a, b, c]), between(1, 1000, I) ), ( one_of(F, I, T), ( deep(x, T) -> true ; assertz(deep(x, T)) ) )),
    findall(H, ( member(F, [a, b, c]), one_of(F, 500, T), ends(deep(x, T), H) ), L), sort(L, Hs), aggregate_all(count, deep(x, _), C) ),
  [Hs, C], answers([[[det], 3000]])).
% Arguments of arguments of arguments.
far_inside(I, J, f(g(J), [h(x, I), J], k(J, s(I)))).
t(dynamic_far_inside,
  ( retractall(deep(_, _)), forall(between(1, 500, I), ( J is I mod 2, far_inside(I, J, T), assertz(deep(T, I)) )),
    ends(deep(f(_, [h(_, 33)|_], _), _), H), ends(deep(f(_, _, k(_, s(7))), _), H2), ends(retract(deep(f(g(_), _, k(_, s(8))), _)), H3),
    ends(deep(f(g(1), _, _), _), H4) ),
  [H, H2, H3, H4], answers([[det, det, det, nondet]])).
% One clause that fits all.
t(default_rule,
  ( retractall(rest(_, _)), forall(between(1, 50, I), assertz(rest(I, I))), assertz(rest(_, other)), findall(X, rest(33, X), L), findall(X, rest(z, X), L2) ),
  [L, L2], answers([[[33, other], [other]]])).

% What is added and erased while a walk goes on is not seen by it.
t(logical_view,
  ( fill(keyed, 100), findall(I, ( keyed(3, I), J is I + 1000, assertz(keyed(3, J)), retract(keyed(3, I)) ), L), length(L, N),
    aggregate_all(count, keyed(3, _), C) ),
  [N, C], answers([[10, 10]])).
% An index is kept while what it has goes.
t(swept, ( fill(keyed, 3000), forall(between(1, 2990, I), ( keyed(_, I), retract(keyed(_, I)), \+ keyed(_, I) )), findall(I, keyed(_, I), L) ), [L],
  answers([[[2991, 2992, 2993, 2994, 2995, 2996, 2997, 2998, 2999, 3000]]])).

% ------------------------------------------------------------------ many

% Static predicates with more clauses than a word has bits.
many(I, J, K) :- between(1, 300, I), J is I mod 30, K = k(I).

t(many_static,
  ( findall(st(I, J, K), many(I, J, K), Fs), forall(member(F, Fs), assertz(F)), compile_predicates([st/3]),
    findall(I, st(I, _, k(77)), L1), findall(I, st(I, 7, _), L2), ends(st(_, _, k(200)), H), findall(I, st(I, 7, k(_)), L3), findall(I, st(I, 8, k(7)), L4) ),
  [L1, L2, H, L3, L4],
  answers([[[77], [7, 37, 67, 97, 127, 157, 187, 217, 247, 277], det, [7, 37, 67, 97, 127, 157, 187, 217, 247, 277], []]])).
% As many clauses that fit all as others: no table of each with all of them.
t(half_fit_all,
  ( forall(between(1, 1000, I), ( assertz(hf(I, I)), assertz(hf(_, v(I))) )), compile_predicates([hf/2]),
    aggregate_all(count, hf(500, _), C), aggregate_all(count, hf(_, v(700)), C1), aggregate_all(count, hf(700, v(700)), C2) ),
  [C, C1, C2], answers([[1001, 1, 1]])).
% More patterns of keys than there are plans: each call finds what it is to find.
wide(I, G) :- functor(G, wide, 8), G =.. [_|As], foldl([A, J0, J]>>( J is J0 + 1, A is I * J ), As, 1, _).
t(many_patterns,
  ( forall(between(1, 100, I), ( wide(I, G), assertz(G) )),
    findall(Bits, ( between(1, 255, Bits), wide(77, F), functor(G, wide, 8),
                    forall(between(1, 8, J), ( Bits >> (J - 1) /\ 1 =:= 1 -> arg(J, F, A), nb_setarg(J, G, A) ; true )),
                    findall(G, G, L), L \== [F] ), Wrong) ),
  [Wrong], answers([[[]]])).
% Unifications at the beginning of a body tell clauses apart for calls, not for clause/2.
b(X, Y) :- X = p, Y = 1.
b(X, Y) :- X = q, Y = 2.
b(X, Y) :- X = r, Y = 3.
t(unified_behind_the_head, ( ends(b(_, 2), H), findall(Y, b(_, Y), L) ), [H, L], answers([[det, [1, 2, 3]]])).
t(heads_alone_by_clause, findall(B, clause(b(q, 2), B), L), [L], answers([[[(q = p, 2 = 1), (q = q, 2 = 2), (q = r, 2 = 3)]]])).

% What calls have made: predicate_property(_, indexed(_))

:- dynamic shp/1, shp/2, shp/3, shq/2.
shp_filled(N) :- retractall(shp(_, _)), retractall(shp(_, _, _)), forall(between(1, N, X), ( Y is X mod 5, Z is X//5, assertz(shp(X, X)), assertz(shp(Y, Z, f(X))) )).
shp_indexes(Head, Is) :- ( predicate_property(Head, indexed(L)) -> findall(I, member(I-hash(_, _, _, _), L), Is) ; Is = none ).
t(indexed_none, ( shp_filled(50), shp_indexes(shp(_), L), shp_indexes(shp(_, _), M), shp_indexes(append(_, _, _), N) ), [L, M, N], answers([[none, none, none]])).
t(indexed_single, ( shp_filled(50), shp(_, 30), shp_indexes(shp(_, _), L), shp(30, _), shp_indexes(shp(_, _), M) ), [L, M], answers([[[single(2)], [single(2), single(1)]]])).
t(indexed_several, ( shp_filled(50), ignore(shp(1, 2, _)), shp_indexes(shp(_, _, _), L), ignore(shp(_, _, f(3))), shp_indexes(shp(_, _, _), M) ), [L, M],
  answers([[[multi([1, 2])], [multi([1, 2]), deep([3, single(1)])]]])).
t(indexed_speedup, ( forall(between(1, 50, X), assertz(shq(X, X))), shq(_, 30), predicate_property(shq(_, _), indexed([_-hash(Slots, Speedup, Bytes, Lists)])), Slots >= 50, Bytes > 0 ), [Speedup, Lists], answers([[50.0, false]])).

%   A condition in the body says nothing of the head's arguments.
:- dynamic idx_condition_d/2.
idx_condition(_, B) :- ( B == f(-0.5) -> true ; true ).
idx_condition(_, 3).
idx_soft(_, B) :- ( B == g(1.5, x) *-> true ; B \== 3 ).
idx_soft(_, 3).
idx_condition_d(_, B) :- ( B == f("s") -> fail ; true ).
idx_condition_d(_, 3).
t(condition_of_body, findall(B-N, ( member(B, [x, "s", 3, f(-0.5), f("s"), g(1.5, x)]), aggregate_all(count, idx_condition(a, B), N0), aggregate_all(count, idx_soft(a, B), N1), aggregate_all(count, idx_condition_d(a, B), N2), N = [N0, N1, N2] ), L), [L],
    answers([[[x-[1, 1, 1], "s"-[1, 1, 1], 3-[2, 1, 2], f(-0.5)-[1, 1, 1], f("s")-[1, 1, 0], g(1.5, x)-[1, 1, 1]]]])).

%   A unification that begins the body tells clauses apart as one in the head does, that of the first argument too; of a rule it is its body's.
idx_begins1(A) :- A = a.
idx_begins1(A) :- A = b.
idx_begins2(a, 1).
idx_begins2(A, 2) :- A = b.
idx_begins2(A, 3) :- A = f(_).
idx_begins2(A, 4) :- A = [_|T], idx_begins2(T, 1).
idx_begins3(A) :- A = f(X), X = 1.
idx_begins3(A) :- A = "abc".
idx_begins3(A) :- A = 1.5.
idx_begins3(A) :- A = 123456789012345678901234567890.
idx_begins3(A) :- idx_begins_true(A), A = b.
?=>(idx_begins4(A), A = a).
?=>(idx_begins4(A), A = b).
idx_begins4(A) => A = c.
idx_begins_true(_).
idx_how(G, How) :- call_cleanup(G, Det = true), ( Det == true -> How = det ; How = nondet ), !.
idx_how(_, fail).
idx_hows(P, Args, Hows) :- findall(How, ( member(A, Args), G =.. [P|A], catch(idx_how(G, How), error(existence_error(E, _), _), How = E) ), Hows).
t(body_begins, ( idx_hows(idx_begins1, [[a], [b], [c], [_]], H1), idx_hows(idx_begins2, [[a, _], [b, _], [f(1), _], [[x|a], _], [c, _]], H2) ), [H1, H2],
    answers([[[det, det, fail, nondet], [det, det, det, det, fail]]])).
t(body_begins_more, ( idx_hows(idx_begins3, [["abc"], [1.5], [123456789012345678901234567890], [b], [c]], H3), idx_hows(idx_begins4, [[a], [b], [c], [d]], H4) ), [H3, H4],
    answers([[[nondet, nondet, nondet, det, fail], [nondet, nondet, det, fail]]])).
t(body_begins_woken, findall(X-L, ( freeze(X, b_setval(idx_woken, X)), b_setval(idx_woken, none), idx_begins1(X), b_getval(idx_woken, L) ), Xs), [Xs], answers([[[a-a, b-b]]])).

%   Structures of more functors than there are plans: what is inside of them tells clauses apart all the same, and is found as it is without indexes.
idx_many(I, T) :- F is I mod 300, J is I//2, atom_concat(idx_f_, F, Name), ( F mod 2 =:= 0 -> Rest = [] ; Rest = [I] ), T =.. [Name, y, J|Rest].
idx_many_found(T, L) :- findall(X, deep(T, X), L).
idx_many_model(T, L) :- findall(U-X, deep(U, X), All), findall(X, member(T-X, All), L).
idx_many_differ(T) :- idx_many_found(T, L), idx_many_model(T, M), L \== M, !.
idx_many_differ(T) :- T =.. [Name, _|R], U =.. [Name, _|R], idx_many_found(U, L), idx_many_model(U, M), L \== M.
idx_some(N, T) :- between(1, N, I), I mod 37 =:= 5, idx_many(I, T).
t(many_functors,
  ( run_size(6000, Size), retractall(deep(_, _)), forall(between(1, Size, I), ( idx_many(I, T), assertz(deep(T, I)) )),
    aggregate_all(count, ( idx_some(Size, T), ends(deep(T, _), nondet) ), N), ( N < 20 -> How = few ; How = N ),
    \+ ( idx_some(Size, T), idx_many_differ(T) ),
    assertz(deep(_, all)), assertz(deep(idx_f_7(y, _, _), v)), assertz(deep(idx_f_8(y, _), w)), assertz(deep(idx_f_8, a)), assertz(deep([y, 4], l)), asserta(deep(7, n)),
    forall(between(1, Size, I), ( I mod 5 =:= 0, idx_many(I, T), retract(deep(T, I)) -> true ; true )),
    \+ ( idx_some(Size, T), idx_many_differ(T) ), \+ idx_many_differ(idx_f_7(y, 3, _)), \+ idx_many_differ(idx_f_8(y, 4)), \+ idx_many_differ(idx_f_9(y)), \+ ( member(T, [[y, 4], idx_f_8, _]), idx_many_found(T, L2), idx_many_model(T, M2), L2 \== M2 ),
    retractall(deep(_, _)) ),
  [How], answers([[few]])).

%   Of few clauses, too, what only is inside of a structure tells which is the last one.
:- dynamic idx_fewd/2.
idx_fewd(f(1, x), 1). idx_fewd(f(2, x), 2). idx_fewd(f(2, y), 3). idx_fewd([a, 1, b], 4). idx_fewd([a, 2, b], 5). idx_fewd(g(h(k), _), 6). idx_fewd(g(h(l), m), 7).
t(few_inside, findall(H-V, ( member(T, [f(1, _), f(2, x), f(_, y), [_, 1|_], [a, 2, b], g(h(l), _), g(h(l), n), g(h(k), _)]), ends(idx_fewd(T, V), H) ), L), [L],
  answers([[[det-1, det-2, det-3, det-4, det-5, det-7, det-6]]])).
t(few_inside_clauses, ( findall(H-V, ( member(T, [f(1, _), [_, 1|_]]), ends(clause(idx_fewd(T, V), true), H) ), L), assertz(idx_fewd(z(1), 8)), assertz(idx_fewd(z(2), 9)), ends(retract(idx_fewd(z(1), _)), H1), retract(idx_fewd(z(2), _)) ), [L, H1],
  answers([[[det-1, det-4], det]])).

%   Many clauses that fit every key, among many others.
:- dynamic idx_anyd/2.
idx_any(N, Of, D, K, I) :- between(1, N, I), ( I mod Of =:= 0 -> K = _ ; D == first -> K = I ; K = k(I, a) ).
idx_any_differ(K) :- findall(I, idx_anyd(K, I), L), findall(K1-I, idx_anyd(K1, I), All), findall(I, member(K-I, All), M), L \== M.
idx_any_change(I) :- K is I*7 mod 400, ( I mod 4 =:= 0 -> asserta(idx_anyd(K, I)) ; I mod 4 =:= 1 -> assertz(idx_anyd(_, I)) ; I mod 9 =:= 2 -> asserta(idx_anyd(_, I)) ; retract(idx_anyd(K, _)) -> true ; assertz(idx_anyd(K, I)) ).
t(many_fit_all, ( member(Of, [2, 3, 8]), member(D, [first, inside]), retractall(idx_anyd(_, _)), forall(idx_any(300, Of, D, K, I), assertz(idx_anyd(K, I))),
    ( D == first -> findall(K, ( between(1, 310, I), I mod 17 =:= 0, K = I ), Ks) ; findall(k(I, a), ( between(1, 310, I), I mod 17 =:= 0 ), Ks) ),
    \+ ( member(K, Ks), idx_any_differ(K) ),
    forall(between(1, 30, I), ( idx_any_change(I), \+ idx_any_differ(I), \+ ( I mod 15 =:= 0, member(K, Ks), idx_any_differ(K) ) )),
    \+ ( member(K, Ks), idx_any_differ(K) ) ), [Of, D], answers([[2, first], [2, inside], [3, first], [3, inside], [8, first], [8, inside]])).
t(many_fit_all_in_transactions, ( retractall(idx_anyd(_, _)), forall(idx_any(300, 4, first, K, I), assertz(idx_anyd(K, I))), \+ idx_any_differ(7),
    \+ \+ snapshot(( forall(between(1, 30, I), idx_any_change(I)), \+ ( between(1, 8, K), idx_any_differ(K) ) )), \+ ( between(1, 8, K), idx_any_differ(K) ),
    transaction(( forall(between(1, 30, I), idx_any_change(I)), \+ ( between(1, 8, K), idx_any_differ(K) ) )), \+ ( between(1, 8, K), idx_any_differ(K) ), retractall(idx_anyd(_, _)) ), [], answers([[]])).

%   A static predicate of that kind.
term_expansion(idx_many_any(N), Cs) :- findall(idx_anys(K, I), ( between(1, N, I), ( I mod 8 =:= 0 -> K = _ ; K = I ) ), Cs).
idx_many_any(400).
t(many_fit_all_static, ( findall(I, idx_anys(399, I), L), last(L, Last), length(L, N), findall(H, ends((idx_anys(399, I), I >= 399), H), Hs) ), [Last, N, Hs], answers([[400, 51, [nondet]]])).
t(many_fit_all_static_last, ( findall(D, ( setup_call_cleanup(true, idx_anys(401, _), Done = true), ( Done == true -> D = det ; D = nondet ) ), Ds), last(Ds, Last), length(Ds, N) ), [Last, N], answers([[det, 50]])).

%   Static predicates of few clauses leave no choicepoint where dynamic ones leave none, whatever tells their facts apart.
idx_last_how(G, How) :- findall(H, ( setup_call_cleanup(true, G, Done = true), ( Done == true -> H = det ; H = nondet ) ), Hs), ( last(Hs, How) -> true ; How = det ).
%   (Whole arguments of which all keys are the same are not looked at, nor structures of which one clause alone has the functor.)
idx_worse(Kinds, N, G) :-
    retractall(d(_, _, _)), findall(F, ( between(1, N, _), fact(Kinds, d(A, B, C)), idx_wrap(d(A, B, C), F) ), Facts), forall(member(F, Facts), assertz(F)), statics(Facts, Name),
    between(1, 40, _), call_of(Kinds, G0), idx_wrap(G0, G), static_agrees(Name, G, Facts), G =.. [_|Args], S =.. [Name|Args], idx_last_how(G, det), idx_last_how(S, nondet).
idx_wrap(d(A, B, C), d(w(A), w(B, C), w)).
t(static_as_determinate_as_dynamic,
  ( findall(Kinds-N-G, ( member(Kinds, [few-few-few, few-many-few, numbers-few-few, few-inside-few]), member(Seed, [1, 2, 3]), member(N, [2, 3, 5, 12, 40, 60]), set_random(seed(Seed)), idx_worse(Kinds, N, G) ), Worse) ),
  [Worse], answers([[[]]])).

idx_e2([a, 1, b], 1). idx_e2([a, 2, b], 2). idx_e2([a, 3, b], 3).
idx_d2(f(g(1)), 1). idx_d2(f(g(2)), 2). idx_d2(f(g(3)), 3).
idx_s2(k, f(g(1)), 1). idx_s2(k, f(g(2)), 2). idx_s2(k, f(g(3)), 3).
idx_o2(_, [a, 1, b]). idx_o2(x, [a, 2, b]). idx_o2(x, [a, 3, b]).
idx_l2([[1, a], x], 1). idx_l2([[2, a], x], 2). idx_l2([[3, a], x], 3).
idx_n2(s(s(0)), 1). idx_n2(s(s(1)), 2). idx_n2(s(s(s(0))), 3).
idx_f2(f(1), g(1)). idx_f2(_, f(2)). idx_f2(_, f(3)). idx_f2(_, g(2)). idx_f2(_, g(1.5)).
idx_q2([_, 1|_], 1) :- true. idx_q2(L, 2) :- L = [_, 2|_]. idx_q2(L, 3) :- L = [_|T], T = [3|_].
t(static_far_inside,
  ( findall(H, ( member(G, [idx_e2([a, 1, b], _), idx_e2([a, 1|_], _), idx_e2([_, 1, _], _), idx_d2(f(g(1)), _), idx_s2(k, f(g(1)), _), idx_s2(_, f(g(1)), _), idx_o2(_, [a, 2, b]),
                          idx_o2(q, [a, 1, b]), idx_l2([[1, a], x], _), idx_n2(s(s(0)), _), idx_n2(s(s(1)), _), idx_f2(_, f(2)), idx_f2(_, g(2)), idx_f2(_, g(1.5)), idx_q2([a, 1], _), idx_q2([a, 2], _)]), idx_how(G, H) ), L0), sort(L0, L) ),
  [L], answers([[[det]]])).

%   Where all keys inside of a structure are the same, and some clause has a variable there.
idx_c1(f(x), 1). idx_c1(f(_), 2). idx_c1(f(x), 3).
idx_c2(k, f(x), 1). idx_c2(k, f(_), 2). idx_c2(k, f(x), 3).
idx_c3(f(x, 1)). idx_c3(f(_, 2)). idx_c3(f(x, 3)).
idx_c4([a|T], T). idx_c4([_|T], [z]) :- T = [z]. idx_c4([a|T], [b|T]).
idx_c5([a, b], 1). idx_c5([_, _], 2). idx_c5([a, c], 3).
idx_c6(on(x), 1). idx_c6(on(_), 2). idx_c6(on(x), 3). idx_c6(off(y), 4).
t(one_key_inside,
  ( findall(H, ( member(G, [idx_c1(f(y), _), idx_c2(k, f(y), _), idx_c2(_, f(y), _), idx_c3(f(y, _)), idx_c4([z, z], _), idx_c5([z, z], _), idx_c5([z, c], _), idx_c6(on(y), _)]), idx_how(G, H) ), L0), sort(L0, L) ),
  [L], answers([[[det]]])).
t(one_key_inside_found, ( findall(N, idx_c1(f(x), N), L1), findall(N, idx_c1(f(_), N), L2), findall(N, idx_c6(on(x), N), L3), findall(N, idx_c5([a, c], N), L4) ), [L1, L2, L3, L4], answers([[[1, 2, 3], [1, 2, 3], [1, 2, 3], [2, 3]]])).

%   Of many clauses that fit every key the last one may be told by its key, or by what its body begins with.
idx_clause(P, Of, N, C) :- between(1, N, I), ( I mod 5 < Of -> K = _ ; J is I mod 10, atom_concat(k, J, K) ), C =.. [P, K, I].
idx_clause(P, _, _, (C :- A = k(1), idx_true(B))) :- atom_concat(_, b, P), C =.. [P, A, x], B = A.
idx_clause(P, _, _, C) :- atom_concat(_, h, P), C =.. [P, k(1), x].
idx_true(_).
term_expansion(idx_clauses(P, Of, N), Cs) :- findall(C, idx_clause(P, Of, N, C), Cs).
idx_clauses(idx_150_2b, 2, 150).
idx_clauses(idx_400_1b, 1, 400).
idx_clauses(idx_400_4b, 4, 400).
idx_clauses(idx_400_4h, 4, 400).
t(last_of_many, findall(P-Hs, ( member(P, [idx_150_2b, idx_400_1b, idx_400_4b, idx_400_4h]), findall(H, ( member(K, [k0, k9, z9]), G =.. [P, K, _], idx_last_how(G, H) ), Hs0), sort(Hs0, Hs) ), L), [L],
  answers([[[idx_150_2b-[det], idx_400_1b-[det], idx_400_4b-[det], idx_400_4h-[det]]]])).
t(last_of_many_found, findall(P-N-X, ( member(P, [idx_150_2b, idx_400_4b, idx_400_4h]), member(K, [k9, k(1)]), G =.. [P, K, Y], findall(Y, G, L), length(L, N), last(L, X) ), L), [L],
  answers([[[idx_150_2b-75-150, idx_150_2b-61-x, idx_400_4b-360-400, idx_400_4b-321-x, idx_400_4h-360-400, idx_400_4h-321-x]]])).
