% Solutions of nondeterministic builtins while the thread is disturbed between each two of them: the signal's goal makes terms, fails back and
% collects. What a builtin remembers for its next solution must be untouched. Every nondeterministic builtin stands here.

:- dynamic counted/1.
:- dynamic fact/2.
:- dynamic seen/1.

counted(1). counted(2). counted(3). counted(4).

% facts: fact/2 has four clauses, one of them a rule.
facts :- retractall(fact(_, _)), assertz(fact(1, a)), assertz((fact(2, X) :- X = b)), assertz(fact(3, c)), assertz(fact(4, f(_, "s"))).

% disturbed(+Template, :Goal, -List): its solutions, with a signal at each redo: between it and the failure before there is no other safe point.
disturbed(T, G, _) :-
    retractall(seen(_)),
    thread_self(Me),
    (   call(G), assertz(seen(T)), thread_signal(Me, disturb), fail
    ;   fail
    ).
disturbed(_, _, L) :- findall(T, retract(seen(T)), L).

disturb :- length(L, 50), atom_length(abc, _), copy_term(L, M), \+ ( member(X, M), X == a ), garbage_collect.

% same(+Template, :Goal, -N): the same solutions in both ways, so many.
same(T, G, N) :-
    findall(T, G, L),
    disturbed(T, G, L1),
    L =@= L1,
    length(L, N).

t(between, same(X, between(1, 5, X), N), [N], answers([[5]])).
t(between_big, ( A is 1<<70, B is A+4, same(X, between(A, B, X), N) ), [N], answers([[5]])).
t(between_becomes_big, ( B is 1<<62, A is B-5, C is B+4, same(X, between(A, C, X), N) ), [N], answers([[10]])).
t(length, same(L-N0, ( length(L, N0), ( N0 >= 4 -> ! ; true ) ), N), [N], answers([[5]])).
t(arg, same(I-X, arg(I, f(a, g(b), _), X), N), [N], answers([[3]])).
t(clause, ( facts, same(H-B, ( H = fact(_, _), clause(H, B) ), N) ), [N], answers([[4]])).
t(clause_reference, ( facts, same(H-B, ( H = fact(_, _), clause(H, B, _) ), N) ), [N], answers([[4]])).
t(clause_twice, same(X-Y, ( clause(counted(X), true), clause(counted(Y), true) ), N), [N], answers([[16]])).
t(nth_clause, ( facts, same(I, nth_clause(fact(_, _), I, _), N) ), [N], answers([[4]])).
t(retract, ( facts, disturbed(H, ( H = fact(_, _), retract((H :- _)) ), L), findall(H, fact(H, _), M) ), [L, M], answers([[[fact(1, a), fact(2, _), fact(3, c), fact(4, f(_, "s"))], []]])).
t(recorded, ( forall(recorded(redo, _, R), erase(R)), forall(member(X, [1, f(_), "s", 2.5]), recordz(redo, X)), same(X, recorded(redo, X), N) ), [N], answers([[4]])).
t(recorded_reference, ( forall(recorded(redo, _, R), erase(R)), forall(member(X, [1, f(_), "s"]), recordz(redo, X)), same(X, recorded(redo, X, _), N) ), [N], answers([[3]])).
t(recorded_keys, ( forall(member(K, [redo1, redo2]), ( forall(recorded(K, _, R), erase(R)), recordz(K, redo_marker), recordz(K, other) ) ), same(K, recorded(K, redo_marker), N) ), [N], answers([[2]])).
t(current_key, ( recordz(redo1, x), same(K, ( current_key(K), K == redo1 ), N) ), [N], answers([[1]])).
t(atom_concat, same(X-Y, atom_concat(X, Y, abcd), N), [N], answers([[5]])).
t(string_concat, same(X-Y, string_concat(X, Y, "abcd"), N), [N], answers([[5]])).
t(sub_atom, same(B-S, sub_atom(abracadabra, B, 2, _, S), N), [N], answers([[10]])).
t(sub_atom_found, same(B, sub_atom(abracadabra, B, _, _, abra), N), [N], answers([[2]])).
t(sub_string, same(B-S, sub_string("abracadabra", B, 2, _, S), N), [N], answers([[10]])).
t(char_type, same(T, char_type(a, to_lower(T)), N), [N], answers([[1]])).
t(nb_current, ( nb_setval(redo_a, 1), nb_setval(redo_b, 2), same(K, ( nb_current(K, _), sub_atom(K, 0, _, _, redo_) ), N) ), [N], answers([[2]])).
t(current_op, same(P-T, current_op(P, T, -), N), [N], answers([[2]])).
t(select, same(X-Y, ( select(X, [a, b, c], _), clause(counted(Y), true) ), N), [N], answers([[12]])).
