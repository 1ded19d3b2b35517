:- module(dif,
          [ dif/2
          ]).

/*  Terms that are to be different.

    A goal dif(X, Y) that is not decided is a term node(Lefts, Rights, Variables):
    the terms are equal if and only if the lists are. It is an attribute
    of each of its Variables, those whose bindings can decide it, and is
    changed in place, so that all of them see what has become of it:
    node([], [], _) is true whatever happens.
*/

%!  dif(?X, ?Y) is semidet.
%
%   X and Y are different, and stay so.

dif(X, Y) :-
    (   unifier(X, Y, Unifier)
    ->  Unifier = [_|_],
        sides(Unifier, Lefts, Rights),
        decisive(Unifier, Vs),
        own(M:_),
        add_each(Vs, M, node(Lefts, Rights, Vs))
    ;   true
    ).

%   In the order of the variables in the terms.

unifier(X, Y, Unifier) :-
    unifiable(X, Y, Unifier0),
    reversed(Unifier0, [], Unifier).

sides([], [], []).
sides([L=R|Us], [L|Ls], [R|Rs]) :-
    sides(Us, Ls, Rs).

%   The variables that can decide the node have it as an attribute.

watch(Unifier, Node) :-
    decisive(Unifier, Vs),
    arg(3, Node, Watched),
    news(Vs, Watched, New),
    own(M:_),
    add_each(New, M, Node),
    setarg(3, Node, Vs).

%   Each once, and not by sorting: a variable that has been compared has an age
%   that the machine keeps for it.

decisive([L=R], Vs) :-
    !,
    (   var(R)
    ->  Vs = [L,R]
    ;   Vs = [L]
    ).
decisive(Unifier, Vs) :-
    sides_that_are_variables(Unifier, Vs0),
    term_variables(Vs0, Vs).

sides_that_are_variables([], []).
sides_that_are_variables([L=R|Us], Vs) :-
    (   var(R)
    ->  Vs = [L,R|Vs1]
    ;   Vs = [L|Vs1]
    ),
    sides_that_are_variables(Us, Vs1).

%   news(+Variables, +Watched, -New): those of Variables that are not among
%   Watched, in which there may be some that were bound since.

news(Vs, Watched0, New) :-
    unbound(Watched0, Watched1),
    term_variables(Watched1, Watched),
    term_variables(Watched+Vs, All),
    behind(Watched, All, New).

unbound([], []).
unbound([T|Ts], Vs) :-
    (   var(T)
    ->  Vs = [T|Vs1]
    ;   Vs = Vs1
    ),
    unbound(Ts, Vs1).

behind([], Vs, Vs).
behind([_|Ws], [_|Vs], Behind) :-
    behind(Ws, Vs, Behind).

%   The attribute is that of this module, whatever that is called: a program may
%   have one of its name, and then this one, and what stands here, has another.

own(dif:attribute).

add_each([], _, _).
add_each([V|Vs], M, Node) :-
    (   get_attr(V, M, Nodes)
    ->  put_attr(V, M, [Node|Nodes])
    ;   put_attr(V, M, [Node])
    ),
    add_each(Vs, M, Node).

attr_unify_hook(Nodes, Value) :-
    own(M:_),
    (   attvar(Value),
        get_attr(Value, M, Others)
    ->  append_nodes(Nodes, Others, All),
        put_attr(Value, M, All)
    ;   attvar(Value)
    ->  put_attr(Value, M, Nodes)
    ;   true
    ),
    decide_each(Nodes).

append_nodes([], Ns, Ns).
append_nodes([N|Ns], Others, [N|All]) :-
    append_nodes(Ns, Others, All).

decide_each([]).
decide_each([Node|Nodes]) :-
    decide(Node),
    decide_each(Nodes).

decide(Node) :-
    Node = node(Lefts, Rights, _),
    (   Lefts == []
    ->  true
    ;   unifier(Lefts, Rights, Unifier)
    ->  Unifier = [_|_],
        sides(Unifier, Ls, Rs),
        setarg(1, Node, Ls),
        setarg(2, Node, Rs),
        watch(Unifier, Node)
    ;   setarg(1, Node, []),
        setarg(2, Node, []),
        arg(3, Node, Watched),
        own(M:_),
        forget_each(Watched, M)
    ).

%   Variables have no attribute once all their nodes are decided. (Only those before the first that is not are taken out: each once.)

forget_each([], _).
forget_each([V|Vs], M) :-
    (   attvar(V),
        get_attr(V, M, Nodes),
        Nodes = [Node|_],
        arg(1, Node, [])
    ->  undecided(Nodes, Left),
        ( Left == [] -> del_attr(V, M) ; put_attr(V, M, Left) )
    ;   true
    ),
    forget_each(Vs, M).

undecided([Node|Nodes], Left) :-
    arg(1, Node, []),
    !,
    undecided(Nodes, Left).
undecided(Nodes, Nodes).

%   Each node is told once: this is called for a copy of what is told, or where
%   it is undone.

attribute_goals(V) -->
    { own(M:_),
      get_attr(V, M, Nodes0),
      reversed(Nodes0, [], Nodes)
    },
    nodes_goals(Nodes).

reversed([], Ns, Ns).
reversed([N|Ns], Acc, Reversed) :-
    reversed(Ns, [N|Acc], Reversed).

nodes_goals([]) -->
    [].
nodes_goals([Node|Nodes]) -->
    { arg(1, Node, Lefts),
      arg(2, Node, Rights)
    },
    (   { Lefts == [] }
    ->  []
    ;   { setarg(1, Node, []),
          setarg(2, Node, []),
          unifier(Lefts, Rights, Unifier)
        }
    ->  { sides(Unifier, Ls, Rs) },
        dif_goal(Ls, Rs)
    ;   []
    ),
    nodes_goals(Nodes).

dif_goal([L], [R]) -->
    !,
    [dif(L, R)].
dif_goal(Ls, Rs) -->
    { L =.. [f|Ls],
      R =.. [f|Rs]
    },
    [dif(L, R)].
