% What of a clause is decided before a choicepoint is made: tests before its first cut, copied into the code that selects clauses. The same clauses,
% dynamic, are walked one by one, without such copies: both must give the same solutions, in the same order, the same errors and the same bindings.

term_expansion(c(C), [C, (:- assertz(T))]) :-
    ( C = (H :- B) -> T = (TH :- B) ; C = H, T = TH ),
    H =.. [F|As],
    atom_concat(twin_, F, TF),
    TH =.. [TF|As].

% Numbers.
c(( num(X, big) :- X > 10, ! )).
c(( num(X, Y) :- X > 5, !, Y = mid )).
c(( num(X, Y) :- X > 3, Y = low )).
c(num(_, none)).
% Arguments that a test evaluates stay as they are for the next clause.
c(( expr(X, Y) :- X + 1 > 2 * Y, !, Y = 0 )).
c(( expr(X, Y) :- X =:= Y, ! )).
c(( expr(X, _) :- X = _ + _ )).
% Keys: a constant, a functor, a list, floats, none.
c(( key(a, 1) :- ! )).
c(( key(a, 2) )).
c(( key(b, X) :- var(X), !, X = 3 )).
c(( key(f(X), Y) :- integer(X), !, Y = X )).
c(( key(f(_), Y) :- !, Y = f )).
c(( key([X|_], Y) :- X == Y, ! )).
c(( key([], Y) :- nonvar(Y), !, fail )).
c(( key(1.5, Y) :- !, Y = float )).
c(key(_, other)).
% Types, and variables that are shared.
c(( type(X, _, atom) :- atom(X), ! )).
c(( type(X, Y, same) :- X == Y, ! )).
c(( type(X, Y, R) :- number(X), number(Y), X < Y, !, R = less(X, Y) )).
c(( type(X, Y, R) :- compound(X), X \== Y, !, R = compound )).
c(( type(_, _, rest) )).
% A cut is no guard behind a goal, nor a test behind one; and a condition is none.
c(( mixed(X, Y) :- member(Y, [1, 2]), Y > X, ! )).
c(( mixed(X, Y) :- ( X > 1 -> Y = a ; Y = b ), ! )).
c(( mixed(_, c) )).
% First clauses that leave a choicepoint, guards after it.
c(( later(_, first) )).
c(( later(X, second) :- X > 0, ! )).
c(( later(_, third) )).
% Nothing but guards.
c(( all(X) :- X > 2, ! )).
c(( all(X) :- X < 0, ! )).
% A list walked, deep.
c(( count([], N, N) :- ! )).
c(( count([X|Xs], N0, N) :- X > 0, !, N1 is N0 + X, count(Xs, N1, N) )).
c(( count([_|Xs], N0, N) :- count(Xs, N0, N) )).

calls([
    num(20, _), num(7, _), num(4, _), num(1, _), num(20, mid), num(7, big), num(_, _), num(a, _), num(3 + 4, _), num(2.5e3, _), num(1 << 100, _),
    expr(1, 0), expr(1 + 2, 3), expr(1 + 2, 9), expr(3, 9), expr(_, 1), expr(1, _), expr(foo, 1),
    key(a, _), key(a, 2), key(b, _), key(b, 3), key(b, other), key(f(1), _), key(f(x), _), key(f(_), 7), key([q|r], q), key([q|r], _), key([_|_], _),
    key([], _), key([], 1), key(1.5, _), key(2.5, _), key("s", _), key(_, _), key(_, 3), key(zzz, _), key(g(1), _),
    type(_, _, _), type(a, _, _), type(1, 2, _), type(2, 1, _), type(f(_), _, _), type([], [], _), type("a", "a", _), type(_, 1, R1-R1), type(A, A, _),
    mixed(0, _), mixed(1, _), mixed(5, _), mixed(_, _),
    later(1, _), later(-1, _), later(1, third), later(x, _),
    all(3), all(-1), all(1), all(_),
    count([1, -2, 3], 0, _), count([a], 0, _), count(x, 0, _), count([], 0, _), count(_, 5, _), count([1 + 1, -1, 2 ** 70], 0, _)
]).

% outcome(:Goal, -Outcome): what its arguments are in at most 20 solutions, and how it ended.
outcome(G, Solutions - End) :-
    S = solutions([], 0),
    catch(( call(G), next(S, G), arg(2, S, N), N >= 20 -> End = many ; End = false ), error(F, _), End = F),
    arg(1, S, Reversed),
    findall(As, ( member(C, Reversed), C =.. [_, _|As] ), Backwards),
    reverse(Backwards, Solutions).

next(S, G) :-
    S = solutions(L, N),
    N1 is N + 1,
    nb_setarg(1, S, [G|L]),
    nb_setarg(2, S, N1).

% differs(:Goal, -Outcomes): its clauses do, and their twins.
differs(G, S-ST) :-
    G =.. [F|As],
    atom_concat(twin_, F, TF),
    T =.. [TF|As],
    outcome(G, S),
    outcome(T, ST),
    S \=@= ST.

% ends(:Goal, -How): whether its first solution leaves a choicepoint.
ends(G, How) :- call_cleanup(G, Done = true), ( Done == true -> How = det ; How = nondet ), !.

t(as_walked, findall(C-D, ( calls(Cs), member(C, Cs), differs(C, D) ), Ds), [Ds], answers([[[]]])).
t(as_walked_with_others,
  findall(C-D, ( calls(Cs), member(C0, Cs), C0 =.. [F, _|As], member(X, [1, 4, 8, 30, a, foo(_)]), C =.. [F, X|As], differs(C, D) ), Ds),
  [Ds], answers([[[]]])).
t(there_are_outcomes, ( outcome(num(4, _), A), outcome(expr(foo, 1), B) ), [A, B],
  answers([[[[low], [none]] - false, [] - type_error(evaluable, foo / 0)]])).
t(guard_leaves_nothing, ends(num(20, _), H), [H], answers([[det]])).
t(key_leaves_nothing, ends(key(f(1), _), H), [H], answers([[det]])).
t(second_guard_leaves_nothing, ends(type(1, 2, _), H), [H], answers([[det]])).
t(later_guard, ends(later(1, _), H), [H], answers([[nondet]])).
t(test_without_cut, ends(num(4, _), H), [H], answers([[nondet]])).
t(many_times, ( numlist(1, 300000, L), count(L, 0, Sum) ), [Sum], answers([[45000150000]])).
