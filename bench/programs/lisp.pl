% An interpreter for a tiny Lisp whose programs are Prolog lists: environments
% as association lists, closures, dispatch on atoms.
% Counted with: [fib, 24] => [fib, 14]
% Counted with: [iota, 3000] => [iota, 80]
% Counted with: [tak, 16, 10, 4] => [tak, 8, 5, 2]

main :-
    run([fib, 24], F),
    run([len, [fold, [lambda, [a, b], [cons, a, b]], [quote, []], [iota, 3000]]], L),
    run([sum, [map, [lambda, [x], [*, x, x]], [iota, 3000]]], S),
    run([tak, 16, 10, 4], T),
    format('lisp ~w ~w ~w ~w~n', [F, L, S, T]).

run(E, V) :-
    eval(E, [], V).

define(fib, [n],
       [if, [<, n, 2], n, [+, [fib, [-, n, 1]], [fib, [-, n, 2]]]]).
define(iota, [n],
       [if, [=, n, 0], [quote, []], [cons, n, [iota, [-, n, 1]]]]).
define(len, [l],
       [if, [null, l], 0, [+, 1, [len, [cdr, l]]]]).
define(sum, [l],
       [if, [null, l], 0, [+, [car, l], [sum, [cdr, l]]]]).
define(map, [f, l],
       [if, [null, l], [quote, []], [cons, [f, [car, l]], [map, f, [cdr, l]]]]).
define(fold, [f, z, l],
       [if, [null, l], z, [fold, f, [f, [car, l], z], [cdr, l]]]).
define(tak, [x, y, z],
       [if, [<, y, x],
            [tak, [tak, [-, x, 1], y, z], [tak, [-, y, 1], z, x], [tak, [-, z, 1], x, y]],
            z]).

eval(X, Env, V) :-
    atom(X), !,
    variable(X, Env, V).
eval(N, _, N) :-
    integer(N), !.
eval([Op|Args], Env, V) :-
    form(Op, Args, Env, V0), !,
    V = V0.
eval([F|Args], Env, V) :-
    evals(Args, Env, Vs),
    callee(F, Env, Fun),
    apply_to(Fun, Vs, V).

variable([], _, []) :- !.
variable(X, [Y-W|Env], V) :-
    ( X == Y -> V = W ; variable(X, Env, V) ).

form(quote, [X], _, X).
form(if, [C, T, E], Env, V) :-
    eval(C, Env, B),
    ( B == nil -> eval(E, Env, V) ; eval(T, Env, V) ).
form(lambda, [Ps, Body], Env, closure(Ps, Body, Env)).

callee(F, Env, Fun) :-
    atom(F), !,
    (   bound(F, Env, Fun0) -> Fun = Fun0
    ;   define(F, Ps, Body) -> Fun = closure(Ps, Body, [])
    ;   Fun = primitive(F)
    ).
callee(E, Env, Fun) :-
    eval(E, Env, Fun).

bound(X, [Y-W|Env], V) :-
    ( X == Y -> V = W ; bound(X, Env, V) ).

apply_to(closure(Ps, Body, Env0), Vs, V) :-
    bind(Ps, Vs, Env0, Env),
    eval(Body, Env, V).
apply_to(primitive(P), Vs, V) :-
    primitive(P, Vs, V).

bind([], [], Env, Env).
bind([P|Ps], [V|Vs], Env0, [P-V|Env]) :-
    bind(Ps, Vs, Env0, Env).

evals([], _, []).
evals([E|Es], Env, [V|Vs]) :-
    eval(E, Env, V),
    evals(Es, Env, Vs).

primitive(+, [A, B], C) :- C is A+B.
primitive(-, [A, B], C) :- C is A-B.
primitive(*, [A, B], C) :- C is A*B.
primitive(<, [A, B], C) :- ( A < B -> C = t ; C = nil ).
primitive(=, [A, B], C) :- ( A =:= B -> C = t ; C = nil ).
primitive(null, [L], C) :- ( L == [] -> C = t ; C = nil ).
primitive(cons, [A, B], [A|B]).
primitive(car, [[A|_]], A).
primitive(cdr, [[_|B]], B).
