% Models made at random: what labeling/2 finds is what an enumeration of all values finds.
%
% models(First, Count) makes a model of each seed from First on, and writes those whose solutions are others. A model has
% two to four variables with small domains and one to three constraints, posted before the domains, behind them, or
% between them, so that unbounded variables are met, too; in some a variable is bound, or two are made one, when all has been posted.
% Thousands by hand:
%
%     samite -g "consult('tests/prolog/clpfd_models.pl'), models(1000, 100000)" -t halt

:- use_module(library(clpfd)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(random)).
:- use_module(library(time)).

t(models_1, models(1, 50), [], output("")).
t(models_2, models(1001, 50), [], output("")).
t(models_3, models(2001, 50), [], output("")).
t(models_4, models(3001, 50), [], output("")).

models(Seed, Count) :-
    Last is Seed+Count-1,
    forall(between(Seed, Last, S), one_model(S)).

one_model(Seed) :-
    set_random(seed(Seed)),
    (   model(Model)
    ->  check(Seed, Model)
    ;   true
    ).

check(Seed, Model) :-
    copy_term(Model, M1),
    copy_term(Model, M2),
    enumerated(M1, Expected),
    catch(call_with_time_limit(60, labeled(M2, Found)), E, raised(E, Model, Expected, Found)),
    (   Found == Expected
    ->  true
    ;   numbervars(Model, 0, _),
        format("seed ~d: ~q~n  enumerated ~q~n  labeled    ~q~n", [Seed, Model, Expected, Found])
    ).

% A truth value that is neither 0 nor 1, and tasks without end, are errors.
raised(error(domain_error(clpfd_reifiable_expression, _), _), _, _, []) :- !.
raised(error(instantiation_error, _), model(_, _, Cs, _, _, _), Expected, Expected) :- member(cumulative(_, _), Cs), !.
raised(E, _, _, raised(E)).

% --- making models ---

pick(List, X) :- random_member(X, List).
number(From, To, N) :- random_between(From, To, N).
chance(P) :- random(R), R < P.

model(model(Vs, Ds, Cs, Order, Options, Then)) :-
    number(2, 4, N),
    length(Vs, N),
    length(Ds, N),
    maplist(domain, Ds),
    number(1, 3, K),
    length(Cs, K),
    maplist(constraint(Vs), Cs),
    pick([first, last, mixed], Order),
    Vs = [A, B|_],
    pick([[], [ff], [ffc], [min], [max], [down], [enum], [bisect], [ff, down], [ffc, enum], [max, bisect, down],
          [min(A-B)], [max(A*B), ff], [max(B), min(A), down]], Options),
    number(-2, 4, V),
    pick([nothing, nothing, nothing, bind(V), unify], Then).

domain(A..B) :- chance(0.5), !, number(-3, 3, A), number(0, 5, K), B is A+K.
domain(A..B\/C..D) :- number(-4, 1, A), number(0, 2, K), B is A+K, C is B+2, number(0, 3, K2), D is C+K2.

variable(Vs, X) :- ( chance(0.9) -> pick(Vs, X) ; number(-1, 4, X) ).

variables(Vs, From, To, Xs) :- number(From, To, N), variables(Vs, N, Xs).
variables(Vs, N, Xs) :- length(Xs, N), maplist(variable(Vs), Xs).

expression(Vs, Depth, E) :-
    (   ( Depth =:= 0 ; chance(0.35) )
    ->  ( chance(0.7) -> pick(Vs, E) ; number(-3, 4, E) )
    ;   Depth1 is Depth-1,
        pick([+, +, +, -, -, *, *, neg, //, div, mod, rem, abs, min, max, square, ^, linear, xor, /\, \/, <<, >>, msb], Op),
        operation(Op, Vs, Depth1, E)
    ).

operation(neg, Vs, D, -A) :- !, expression(Vs, D, A).
operation(abs, Vs, D, abs(A)) :- !, expression(Vs, D, A).
operation(msb, Vs, D, msb(A)) :- !, expression(Vs, D, A).
operation(square, Vs, _, X*X) :- !, pick(Vs, X).
operation(^, Vs, D, A^B) :- !, expression(Vs, D, A), ( chance(0.6) -> number(0, 3, B) ; pick(Vs, B) ).
operation(linear, Vs, _, K*X+L*Y) :- !, pick(Vs, X), pick(Vs, Y), number(-3, 3, K), number(-3, 3, L).
operation(<<, Vs, D, A<<B) :- !, expression(Vs, D, A), number(0, 2, B).
operation(>>, Vs, D, A>>B) :- !, expression(Vs, D, A), number(0, 2, B).
operation(Op, Vs, D, E) :- expression(Vs, D, A), expression(Vs, D, B), E =.. [Op, A, B].

relation(R) :- pick([#=, #=, #=, #\=, #<, #>, #=<, #>=], R).

comparison(Vs, C) :- relation(R), expression(Vs, 2, A), expression(Vs, 1, B), C =.. [R, A, B].

reifiable(Vs, Depth, C) :-
    (   ( Depth =:= 0 ; chance(0.3) )
    ->  (   chance(0.75)
        ->  comparison(Vs, C)
        ;   pick(Vs, X),
            domain(D),
            C = (X in D)
        )
    ;   Depth1 is Depth-1,
        reifiable(Vs, Depth1, A),
        reifiable(Vs, Depth1, B),
        pick([#\, not, #/\, #\/, #==>, #<==, #<==>], Op),
        ( Op == not -> C = (#\ A) ; C =.. [Op, A, B] )
    ).

constraint(Vs, C) :-
    pick([comparison, comparison, comparison, comparison, reified, reified, truth, different, distinct, distinct, sum, scalar, element, tuples, cardinality,
          circuit, chain, lex, cumulative, disjoint, automaton, order], Kind),
    made(Kind, Vs, C), !.
constraint(Vs, C) :- comparison(Vs, C).

made(comparison, Vs, C) :- comparison(Vs, C).
made(reified, Vs, C) :- reifiable(Vs, 2, C).
made(truth, Vs, (B #<==> C)) :- pick(Vs, B), reifiable(Vs, 1, C).
made(different, Vs, all_different(Xs)) :- variables(Vs, 2, 4, Xs).
made(distinct, Vs, all_distinct(Xs)) :- variables(Vs, 2, 4, Xs).
made(sum, Vs, sum(Xs, R, E)) :- variables(Vs, 1, 4, Xs), relation(R), expression(Vs, 1, E).
made(scalar, Vs, scalar_product(Ks, Xs, R, E)) :-
    variables(Vs, 1, 4, Xs),
    length(Xs, N),
    length(Ks, N),
    maplist(number(-3, 3), Ks),
    relation(R),
    expression(Vs, 1, E).
made(element, Vs, element(I, Xs, V)) :- variables(Vs, 1, 4, Xs), pick(Vs, I), variable(Vs, V).
made(tuples, Vs, tuples_in(Ts, Rows)) :-
    number(1, 3, N),
    number(1, 2, M),
    length(Ts, M),
    maplist(variables(Vs, N), Ts),
    number(0, 8, K),
    length(Rows, K),
    maplist(row(N), Rows).
made(cardinality, Vs, global_cardinality(Xs, Pairs)) :-
    variables(Vs, 1, 4, Xs),
    number(1, 5, K),
    numlist(-1, 4, All),
    random_permutation(All, Mixed),
    length(Keys, K),
    append(Keys, _, Mixed),
    maplist(count(Vs), Keys, Pairs).
made(circuit, Vs, circuit(Xs)) :- variables(Vs, 1, 4, Xs).
made(chain, Vs, chain(Xs, R)) :- variables(Vs, 1, 4, Xs), pick([#<, #=<, #>, #>=], R).
made(lex, Vs, lex_chain(Ls)) :- number(1, 3, N), number(1, 3, M), length(Ls, M), maplist(variables(Vs, N), Ls).
made(cumulative, Vs, cumulative(Ts, [limit(L)])) :- number(1, 3, N), length(Ts, N), maplist(task(Vs), Ts), number(1, 3, L).
made(disjoint, Vs, disjoint2(Rs)) :- number(2, 3, N), length(Rs, N), maplist(rectangle(Vs), Rs).
made(automaton, Vs, automaton(Xs, [source(a), sink(b)], Arcs)) :-
    variables(Vs, 1, 4, Xs),
    findall(arc(P, L, Q), ( member(P, [a, b, c]), member(L, [0, 1, 2]), chance(0.6), pick([a, b, c], Q) ), Arcs),
    Arcs \== [].
made(order, Vs, ordered(O, A, B)) :- pick([<, >, =], O), variable(Vs, A), variable(Vs, B).

ordered(O, A, B) :- zcompare(O, A, B).

row(N, Row) :- length(Row, N), maplist(number(-2, 4), Row).
count(Vs, K, K-C) :- ( chance(0.5) -> pick(Vs, C) ; number(0, 2, C) ).
task(Vs, task(S, D, E, C, _)) :-
    variable(Vs, S),
    ( chance(0.6) -> number(1, 3, D) ; pick(Vs, D) ),
    ( chance(0.3) -> pick(Vs, E) ; true ),
    number(0, 2, C).
rectangle(Vs, r(X, W, Y, H)) :- variable(Vs, X), variable(Vs, Y), number(1, 3, W), number(1, 3, H).

% --- solutions by labeling ---

labeled(model(Vs, Ds, Cs, Order, Options, Then), Solutions) :-
    findall(Vs, ( post(Order, Vs, Ds, Cs), then(Then, Vs), labeling(Options, Vs) ), Solutions0),
    msort(Solutions0, Solutions).

post(first, Vs, Ds, Cs) :- maplist(in, Vs, Ds), maplist(call, Cs).
post(last, Vs, Ds, Cs) :- maplist(call, Cs), maplist(in, Vs, Ds).
post(mixed, [V|Vs], [D|Ds], Cs) :- maplist(in, Vs, Ds), maplist(call, Cs), V in D.

then(nothing, _).
then(bind(V), [V|_]).
then(unify, [X, X|_]).

% --- solutions by enumeration ---

enumerated(model(Vs, Ds, Cs, _, _, Then), Solutions) :-
    findall(Vs, ( then(Then, Vs), values(Vs, Ds), \+ \+ all_true(Cs) ), Solutions0),
    msort(Solutions0, Solutions).

values([], []).
values([V|Vs], [D|Ds]) :- between(-4, 9, V), within(V, D), values(Vs, Ds).

within(X, A\/B) :- !, ( within(X, A) -> true ; within(X, B) ).
within(X, A..B) :- X >= A, X =< B.

all_true([]).
all_true([C|Cs]) :- holds(C), all_true(Cs).

holds(C) :- C =.. [R, A, B], compares(R, S), !, value(A, X), value(B, Y), call(S, X, Y).
holds(X in D) :- within(X, D).
holds(#\ A) :- \+ holds(A).
holds(A #/\ B) :- holds(A), holds(B).
holds(A #\/ B) :- ( holds(A) -> true ; holds(B) ).
holds(A #\ B) :- ( holds(A) -> \+ holds(B) ; holds(B) ).
holds(A #==> B) :- ( holds(A) -> holds(B) ; true ).
holds(A #<== B) :- ( holds(B) -> holds(A) ; true ).
holds(A #<==> B) :-
    (   integer(A)
    ->  ( A =:= 1 -> holds(B) ; A =:= 0, \+ holds(B) )
    ;   holds(A)
    ->  holds(B)
    ;   \+ holds(B)
    ).
holds(all_different(L)) :- sort(L, S), same_length(L, S).
holds(all_distinct(L)) :- sort(L, S), same_length(L, S).
holds(sum(Xs, R, E)) :- sum_list(Xs, S), C =.. [R, S, E], holds(C).
holds(scalar_product(Ks, Xs, R, E)) :- foldl(add, Ks, Xs, 0, S), C =.. [R, S, E], holds(C).
holds(element(I, Xs, V)) :- I > 0, nth1(I, Xs, W), W =:= V.
holds(tuples_in(Ts, Rows)) :- forall(member(T, Ts), memberchk(T, Rows)).
holds(global_cardinality(Xs, Pairs)) :-
    forall(member(X, Xs), memberchk(X-_, Pairs)),
    forall(member(K-C, Pairs), ( findall(x, member(K, Xs), L), length(L, N), N =:= C )).
holds(circuit(Xs)) :-
    length(Xs, N),
    forall(member(X, Xs), ( X >= 1, X =< N )),
    round(1, Xs, 1, N).
holds(chain(Xs, R)) :- compares(R, S), in_order(Xs, S).
holds(lex_chain(Ls)) :- in_order(Ls, not_behind).
holds(cumulative(Ts, [limit(L)])) :-
    maplist(ends, Ts),
    forall(between(-10, 25, T),
           ( findall(C, ( member(task(S, _, E, C, _), Ts), S =< T, T < E ), Cs), sum_list(Cs, Sum), Sum =< L )).
holds(disjoint2(Rs)) :-
    \+ ( append(_, [r(X, W, Y, H)|Others], Rs), member(r(X2, W2, Y2, H2), Others), X < X2+W2, X2 < X+W, Y < Y2+H2, Y2 < Y+H ).
holds(automaton(Xs, _, Arcs)) :- walk(Xs, a, Arcs).
holds(ordered(O, A, B)) :- value(A, X), value(B, Y), compare(O, X, Y).

compares(#=, =:=).
compares(#\=, =\=).
compares(#<, <).
compares(#>, >).
compares(#=<, =<).
compares(#>=, >=).

add(K, X, S0, S) :- S is S0+K*X.
ends(task(S, D, E, _, _)) :- D > 0, ( var(E) -> E is S+D ; E =:= S+D ).

round(I, Xs, Count, N) :-
    nth1(I, Xs, J),
    (   Count =:= N
    ->  J =:= 1
    ;   J =\= 1,
        Count1 is Count+1,
        round(J, Xs, Count1, N)
    ).

in_order([], _).
in_order([X|Xs], R) :- in_order(Xs, X, R).
in_order([], _, _).
in_order([Y|Ys], X, R) :- call(R, X, Y), in_order(Ys, Y, R).

not_behind(Xs, Ys) :- Xs @=< Ys.

walk([], b, _).
walk([X|Xs], S, Arcs) :- memberchk(arc(S, X, T), Arcs), walk(Xs, T, Arcs).

% Fails where there is none.
value(E, V) :- integer(E), !, V = E.
value(A^B, V) :- !, value(A, X), value(B, Y), ( Y >= 0 -> V is X**Y ; X =:= 1 -> V = 1 ; X =:= -1, V is 1-2*(Y mod 2) ).
value(msb(A), V) :- !, value(A, X), X > 0, V is msb(X).
value(E, V) :-
    E =.. [F|As],
    maplist(value, As, Bs),
    ( memberchk(F, [//, div, mod, rem]) -> Bs = [_, B], B =\= 0 ; true ),
    G =.. [F|Bs],
    V is G.
