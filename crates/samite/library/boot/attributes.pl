%   Boot library: attributed variables are bound.

%   '$wake'(+Attributes, +Value): a variable that had these is bound to Value. The machine calls it (engine/control/wakeup.rs).
'$wake'(att(M, A, As), Value) :- !,
    '$unify_attribute'(M, A, Value),
    '$wake'(As, Value).
'$wake'(_, _).

'$unify_attribute'(freeze, G, Value) :- !,
    (   attvar(Value)
    ->  ( get_attr(Value, freeze, G0) -> put_attr(Value, freeze, '$and'(G0, G)) ; put_attr(Value, freeze, G) )
    ;   '$call_frozen'(G)
    ).
'$unify_attribute'(M, A, Value) :- M:attr_unify_hook(A, Value).

'$call_frozen'(G) :- nonvar(G), G = '$and'(A, B), !, '$call_frozen'(A), '$call_frozen'(B).
'$call_frozen'(G) :- call(G).

%!  freeze(+Variable, :Goal) is nondet.
%   Calls Goal when Variable is bound to something that is no variable.
:- meta_predicate freeze(?, 0).
freeze(V, G) :- var(V), !,
    ( get_attr(V, freeze, G0) -> put_attr(V, freeze, '$and'(G0, G)) ; put_attr(V, freeze, G) ).
freeze(_, G) :- call(G).
