% The recorded database, and flags: recorda/3, recorded/3, erase/1, flag/3.

% empty(+Key): no records of Key are left.
empty(Key) :-
    forall(recorded(Key, _, R), erase(R)).

all(Key, L) :-
    findall(X, recorded(Key, X), L).

% Adding and finding

t(order, ( empty(k), recordz(k, 1), recordz(k, 2), recorda(k, 0), all(k, L) ), [L], answers([[[0, 1, 2]]])).
t(copies, ( empty(k), T = f(X, Y, X), recordz(k, T), X = 1, Y = 2, recorded(k, C) ), [C], answers([[f(A, _, A)]])).
t(no_records, recorded(no_such_key, _), [], fails).
t(pattern, ( empty(k), forall(member(X, [f(1), g, f(2), "s", 1.5, _]), recordz(k, X)), findall(Y, recorded(k, f(Y)), L) ), [L], answers([[[1, 2, _]]])).
t(pattern_string, ( empty(k), forall(member(X, ["a", "b", a]), recordz(k, X)), findall(x, recorded(k, "b"), L) ), [L], answers([[[x]]])).
t(key_compound, ( empty(f(_)), recordz(f(1), a), all(f(2), L) ), [L], answers([[[a]]])).
t(key_compound_unbound_argument, ( empty(f(_)), recordz(f(1), a), recorded(f(X), Y) ), [X, Y], answers([[_, a]])).
t(key_arity, ( empty(f(_)), empty(f), recordz(f(1), a), all(f, L) ), [L], answers([[[]]])).
t(key_list, ( empty([_]), recordz([1], a), all([x, y], L) ), [L], answers([[[a]]])).
t(key_integer, ( empty(17), recordz(17, a), all(17, L) ), [L], answers([[[a]]])).
t(keys_unbound, ( forall(recorded(_, _, R), erase(R)), recordz(k1, 1), recordz(k2(_), 2), recordz(k1, 3), recordz(7, 4), findall(K-X, recorded(K, X), L0), msort(L0, L) ), [L], answers([[[7-4, k1-1, k1-3, k2(_)-2]]])).
t(key_unbound, ( empty(k(_, _)), recordz(k(1, 2), here), recorded(K, here) ), [K], answers([[k(_, _)]])).
t(bound_value, ( empty(k), recordz(k, a), recordz(k, b), recorded(k, b) ), [], answers([[]])).
t(cyclic, ( empty(k), X = f(X), recordz(k, X), recorded(k, Y), Y = f(Z), Z == Y ), [], answers([[]])).
t(big, ( empty(k), numlist(1, 20000, L), recordz(k, L), recorded(k, M), M == L, empty(k) ), [], answers([[]])).

% What is added meanwhile is not seen by a running call

t(adds_while_reading, ( empty(k), recordz(k, 1), recordz(k, 2), findall(X, ( recorded(k, X), Y is X+10, recordz(k, Y), recorda(k, Y) ), L), all(k, M) ), [L, M], answers([[[1, 2], [12, 11, 1, 2, 11, 12]]])).
t(erases_while_reading, ( empty(k), forall(between(1, 5, X), recordz(k, X)), findall(X, ( recorded(k, X, R), erase(R) ), L), all(k, M) ), [L, M], answers([[[1, 2, 3, 4, 5], []]])).

% A list of many, added to at both ends and erased anywhere, is always what a list of terms is that has the same done to it.

t(as_a_list, ( empty(k), random_changes(3000, 42, [], M), all(k, L), L == M ), [], answers([[]])).
t(as_a_list_read_from_the_middle, ( empty(k), forall(between(1, 300, X), recordz(k, X)), forall(( recorded(k, X, R), X mod 3 =\= 0 ), erase(R)), findall(X, ( recorded(k, X, R), erase(R) ), L), numlist(1, 100, N), findall(Y, ( member(X, N), Y is 3*X ), L), all(k, M) ), [M], answers([[[]]])).
t(emptied_and_filled, ( empty(k), forall(between(1, 1000, X), recordz(k, X)), forall(( recorded(k, X, R), X < 1000 ), erase(R)), recordz(k, z), recorda(k, a), all(k, L) ), [L], answers([[[a, 1000, z]]])).

%   random_changes(+N, +Seed, +Terms, -Changed): in both databases; from the middle of them on more is erased than added.
random_changes(0, _, L, L) :- !.
random_changes(N, X0, L0, L) :-
    X is (X0*1103515245+12345) mod 2147483648,
    Y is X >> 8,
    ( N > 1500 -> Most = 3 ; Most = 8 ),
    What is Y mod Most,
    random_change(What, N, Y, L0, L1),
    N1 is N-1,
    random_changes(N1, X, L1, L).

random_change(0, N, _, L, [N|L]) :- !, recorda(k, N).
random_change(1, N, _, L0, L) :- !, recordz(k, N), append(L0, [N], L).
random_change(_, _, _, [], []) :- !.
random_change(_, _, Y, L0, L) :-
    length(L0, Length),
    I is Y mod Length,
    nth0(I, L0, T, L),
    recorded(k, T, R), !,
    erase(R).

% References

t(reference, ( empty(k), recordz(k, a, R), recorded(k, a, S), R == S ), [], answers([[]])).
t(reference_made_late, ( empty(k), recordz(k, a), recorded(k, a, R), recorded(k, a, S), R == S ), [], answers([[]])).
t(reference_gives_key, ( recordz(k(1, 2), f(x), R), recorded(K, T, R) ), [K, T], answers([[k(_, _), f(x)]])).
t(reference_other_key, ( recordz(k, f(x), R), recorded(w, _, R) ), [], fails).
t(reference_bad_key, ( recordz(k, f(x), R), recorded(1.5, _, R) ), [], fails).
t(reference_other_term, ( recordz(k, f(x), R), recorded(k, f(y), R) ), [], fails).
t(reference_is_blob, ( recordz(k, f(x), R), blob(R, T), ( atom(R) -> A = yes ; A = no ) ), [T, A], answers([[record, no]])).
t(instance, ( recordz(k, f(X, _, X), R), instance(R, T) ), [T], answers([[f(A, _, A)]])).
t(instance_no_match, ( recordz(k, f(x), R), instance(R, g) ), [], fails).
t(erase, ( empty(k), recordz(k, 1), recordz(k, 2, R), recordz(k, 3), erase(R), all(k, L) ), [L], answers([[[1, 3]]])).
t(erase_twice, ( recordz(k, 1, R), erase(R), erase(R) ), [], fails).
t(erased_instance, ( recordz(k, 1, R), erase(R), instance(R, _) ), [], fails).
t(erased_recorded, ( recordz(k, 1, R), erase(R), recorded(_, _, R) ), [], fails).

% Keys

t(current_key, ( recordz(ck, 1, R), ( current_key(ck) -> A = yes ; A = no ), erase(R), ( current_key(ck) -> B = yes ; B = no ) ), [A, B], answers([[yes, no]])).
t(current_key_compound, ( recordz(ck(x), 1), ( current_key(ck(_)) -> A = yes ; A = no ), ( current_key(ck(_, _)) -> B = yes ; B = no ) ), [A, B], answers([[yes, no]])).
t(current_key_enumerates, ( recordz(ck1, 1), recordz(ck2(_), 1), findall(K, ( current_key(K), memberchk(K, [ck1, ck2(_)]) ), L0), msort(L0, L) ), [L], answers([[[ck1, ck2(_)]]])).

% Errors

t(recorda_unbound_key, recorda(_, a), [], throws(instantiation_error)).
t(recorda_string_key, recorda("s", a), [], throws(type_error(key, "s"))).
t(recorda_float_key, recorda(1.5, a), [], throws(type_error(key, 1.5))).
t(recordz_big_key, recordz(123456789012345678901234567890, a), [], throws(type_error(key, 123456789012345678901234567890))).
t(recorda_bound_reference, recorda(k, a, foo), [], throws(uninstantiation_error(foo))).
t(recordz_bound_reference, recordz(k, a, 3), [], throws(uninstantiation_error(3))).
t(recorded_string_key, recorded("s", _), [], throws(type_error(key, "s"))).
t(recorded_bad_reference, recorded(k, _, foo), [], throws(type_error(db_reference, foo))).
t(erase_unbound, erase(_), [], throws(instantiation_error)).
t(erase_bad, erase(foo), [], throws(type_error(db_reference, foo))).
t(instance_unbound, instance(_, _), [], throws(instantiation_error)).
t(instance_bad, instance(3, _), [], throws(type_error(db_reference, 3))).
t(current_key_string, current_key("s"), [], throws(type_error(key, "s"))).

% Threads share records; each is erased by one of them

workers(N, Goal, Results) :-
    findall(Id, ( between(1, N, _), thread_create(worker(Goal), Id) ), Ids),
    findall(R, ( member(Id, Ids), thread_join(Id, exited(R)) ), Results).

worker(Goal) :-
    findall(x, Goal, L),
    length(L, N),
    thread_exit(N).

t(threads_add, ( empty(k), workers(3, ( between(1, 500, X), recordz(k, X) ), _), all(k, L), length(L, N), sumlist(L, S) ), [N, S], answers([[1500, 375750]])).
t(threads_erase, ( empty(k), forall(between(1, 1000, X), recordz(k, X)), workers(3, ( recorded(k, _, R), erase(R) ), Ns), sumlist(Ns, N), all(k, L) ), [N, L], answers([[1000, []]])).
t(threads_add_and_erase, ( empty(k), workers(3, ( between(1, 300, X), recordz(k, X, R), erase(R) ), Ns), all(k, L) ), [Ns, L], answers([[[300, 300, 300], []]])).

% Flags

t(flag, ( flag(fl1, A, A+1), flag(fl1, B, B+1), flag(fl1, C, C) ), [A, B, C], answers([[0, 1, 2]])).
t(flag_float, ( flag(fl2, _, 1.5), get_flag(fl2, X) ), [X], answers([[1.5]])).
t(flag_atom, ( set_flag(fl3, foo), get_flag(fl3, X), flag(fl3, Y, bar), get_flag(fl3, Z) ), [X, Y, Z], answers([[foo, foo, bar]])).
t(flag_old_differs, ( set_flag(fl4, 1), flag(fl4, 2, 3) ), [], fails).
t(flag_compound_key, ( flag(fl5(a), _, 7), get_flag(fl5(b), X) ), [X], answers([[7]])).
t(flag_unbound_key, flag(_, _, 1), [], throws(instantiation_error)).
t(flag_string_key, flag("s", _, 1), [], throws(type_error(key, "s"))).
t(flag_float_key, flag(1.5, _, 1), [], throws(type_error(key, 1.5))).
t(flag_unbound_value, flag(fl6, _, _), [], throws(instantiation_error)).
t(flag_not_evaluable, flag(fl6, _, foo+1), [], throws(type_error(evaluable, foo/0))).
t(flag_big, flag(fl6, _, 1<<100), [], throws(representation_error(int64_t))).
t(flag_rational, flag(fl6, _, 1r3), [], throws(type_error(flag_value, 1r3))).
t(set_flag_compound, set_flag(fl6, f(x)), [], throws(type_error(flag_value, f(x)))).
t(set_flag_unbound, set_flag(fl6, _), [], throws(instantiation_error)).
t(get_flag_new, get_flag(fl_new, X), [X], answers([[0]])).
t(current_flag, ( set_flag(fl7(_), 1), ( current_flag(fl7(_)) -> A = yes ; A = no ), ( current_flag(fl8) -> B = yes ; B = no ) ), [A, B], answers([[yes, no]])).
t(threads_flag, ( workers(3, ( between(1, 300, _), flag(fl9, X, X+1) ), _), get_flag(fl9, N) ), [N], answers([[900]])).

% What is left of a key, whichever went, still holds its atoms.
t(atoms_of_those_left, ( forall(between(1, 9, X), ( atom_concat(rec_atom_, X, A), recordz(rec_left, A) )), forall(( recorded(rec_left, A, R), sub_atom(A, _, 1, 0, D), D @< '4' ), erase(R)),
    garbage_collect_atoms, findall(A, recorded(rec_left, A), L), forall(recorded(rec_left, _, R), erase(R)) ), [L], answers([[[rec_atom_4, rec_atom_5, rec_atom_6, rec_atom_7, rec_atom_8, rec_atom_9]]])).
