:- module(when,
          [ when/2
          ]).

/*  Goals that wait for a condition.

    What waits is an attribute of variables that have to be bound before the
    condition can be true: a list, the newest first, of

        ground(T, Goal)                    of the first variable of T
        nonvar(Goal)                       of the variable
        wait(Condition, Goal, Variables)   other conditions, of each of Variables

    The last one is changed in place, so that all of its variables see what has
    become of it: once the goal has been called, Condition is true. The others are
    in one list each.
*/

:- meta_predicate
    when(+, 0).

%!  when(+Condition, :Goal) is nondet.
%
%   Calls Goal when Condition is true: nonvar(X), ground(T), ?=(X, Y), or
%   conditions joined by a comma or a semicolon.
%
%   @error instantiation_error
%   @error domain_error(when_condition, Condition)

when(ground(T), Goal) =>
    when_ground(T, Goal).
when(nonvar(X), Goal) =>
    (   nonvar(X)
    ->  call(Goal)
    ;   add(X, nonvar(Goal))
    ).
when(Condition, Goal) =>
    check(Condition),
    look(Condition, Left, Vs),
    (   Left == true
    ->  call(Goal)
    ;   own(M:_),
        add_each(Vs, [], M, wait(Left, Goal, Vs))
    ).

when_ground(T, Goal) :-
    (   nonground(T, V)
    ->  add(V, ground(T, Goal))
    ;   call(Goal)
    ).

%   The attribute is that of this module, whatever that is called: a program may
%   have one of its name, and then this one, and what stands here, has another.

own(when:attribute).

add(V, Wait) :-
    own(M:_),
    (   get_attr(V, M, Waits)
    ->  put_attr(V, M, [Wait|Waits])
    ;   put_attr(V, M, [Wait])
    ).

check(C) :-
    var(C),
    !,
    throw(error(instantiation_error, context(system:'$eval_when_condition'/2, _))).
check(nonvar(_)) :- !.
check(ground(_)) :- !.
check(?=(_, _)) :- !.
check((A,B)) :-
    !,
    check(A),
    check(B).
check((A;B)) :-
    !,
    check(A),
    check(B).
check(C) :-
    throw(error(domain_error(when_condition, C), context(system:'$eval_when_condition'/2, _))).

%   look(+Condition, -Left, -Variables): what is left of the condition, true if
%   nothing, and what it waits for, each once (and not by sorting: a variable that
%   has been compared has an age that the machine keeps for it).

look(true, true, []).
look(nonvar(X), Left, Vs) :-
    (   var(X)
    ->  Left = nonvar(X),
        Vs = [X]
    ;   Left = true,
        Vs = []
    ).
look(ground(T), Left, Vs) :-
    term_variables(T, All),
    (   All = [V|_]
    ->  Left = ground(T),
        Vs = [V]
    ;   Left = true,
        Vs = []
    ).
look(?=(X, Y), Left, Vs) :-
    (   unifiable(X, Y, Unifier),
        Unifier = [_|_]
    ->  term_variables(Unifier, Vs),
        Left = ?=(X, Y)
    ;   Left = true,
        Vs = []
    ).
look((A,B), Left, Vs) :-
    look(A, A1, Vs1),
    (   A1 == true
    ->  look(B, Left, Vs)
    ;   Left = (A1,B),
        Vs = Vs1
    ).
look((A;B), Left, Vs) :-
    look(A, A1, Vs1),
    (   A1 == true
    ->  Left = true,
        Vs = []
    ;   look(B, B1, Vs2),
        (   B1 == true
        ->  Left = true,
            Vs = []
        ;   Left = (A1;B1),
            joined(Vs1, Vs2, Both),
            term_variables(Both, Vs)
        )
    ).

joined([], Vs, Vs).
joined([V|Vs], Ws, [V|All]) :-
    joined(Vs, Ws, All).

watch(Vs, Wait) :-
    arg(3, Wait, Watched),
    own(M:_),
    add_each(Vs, Watched, M, Wait),
    setarg(3, Wait, Vs).

add_each([], _, _, _).
add_each([V|Vs], Watched, M, Wait) :-
    (   is_among(Watched, V)
    ->  true
    ;   get_attr(V, M, Waits)
    ->  put_attr(V, M, [Wait|Waits])
    ;   put_attr(V, M, [Wait])
    ),
    add_each(Vs, Watched, M, Wait).

is_among([W|Ws], V) :-
    (   W == V
    ->  true
    ;   is_among(Ws, V)
    ).

%   The newest comes first; they are called in the order in which they came.

attr_unify_hook([Wait], Value), nonvar(Value) =>
    go_on(Wait, bound).
attr_unify_hook(Waits, Value) =>
    own(M:_),
    (   attvar(Value),
        get_attr(Value, M, Others)
    ->  joined(Waits, Others, All),
        put_attr(Value, M, All)
    ;   attvar(Value)
    ->  put_attr(Value, M, Waits)
    ;   true
    ),
    ( nonvar(Value) -> Is = bound ; Is = variable ),
    reversed(Waits, [], InOrder),
    all_go_on(InOrder, Is).

reversed([], Ws, Ws).
reversed([W|Ws], Acc, Reversed) :-
    reversed(Ws, [W|Acc], Reversed).

all_go_on([], _).
all_go_on([Wait|Waits], Is) :-
    go_on(Wait, Is),
    all_go_on(Waits, Is).

%   go_on(+Wait, +Is): its variable is bound to a term, or is another variable now, which then has Wait.

go_on(ground(T, Goal), Is) =>
    (   Is == bound
    ->  when_ground(T, Goal)
    ;   true
    ).
go_on(nonvar(Goal), Is) =>
    (   Is == bound
    ->  call(Goal)
    ;   true
    ).
go_on(Wait, _) =>
    Wait = wait(Condition, Goal, _),
    (   Condition == true
    ->  true
    ;   look(Condition, Left, Vs),
        (   Left == true
        ->  setarg(1, Wait, true),
            call(Goal)
        ;   ( Left == Condition -> true ; setarg(1, Wait, Left) ),
            watch(Vs, Wait)
        )
    ).

%   Those of several variables are told once: see dif:attribute_goals//1.

attribute_goals(V) -->
    { own(M:_),
      get_attr(V, M, Waits0),
      reversed(Waits0, [], Waits)
    },
    waits_goals(Waits, V).

waits_goals([], _) -->
    [].
waits_goals([Wait|Waits], V) -->
    wait_goals(Wait, V),
    waits_goals(Waits, V).

wait_goals(ground(T, Goal), _) -->
    waiting(Goal, ground(T)).
wait_goals(nonvar(Goal), V) -->
    waiting(Goal, nonvar(V)).
wait_goals(Wait, _) -->
    { Wait = wait(Condition, Goal, _) },
    (   { Condition == true }
    ->  []
    ;   { setarg(1, Wait, true) },
        waiting(Goal, Condition)
    ).

waiting(G, Condition) -->
    (   { nonvar(G),
          G = _:_
        }
    ->  [when(Condition, G)]
    ;   [when(Condition, user:G)]
    ).
