%   Boot library: operators, flags, predicates and modules, asked for and, as to operators, changed.

% --- operators ---

%!  op(+Priority, +Type, :Names) is det.
%   In the module of Names: by default the one that is being loaded, or that of the toplevel, whoever calls it.
op(P, T, Name) :- atom(Name), !, '$reading_module'(M), '$op'(P, T, M, Name).
op(_, _, Names) :- nonvar(Names), Names = system:N, !,
    throw(error(permission_error(redefine, operator, system:N), context(system:op/3, _))).
op(P, T, Names) :- '$operator_module'(Names, M, N), catch('$op_names'(N, P, T, M), error(E, _), throw(error(E, context(system:op/3, _)))).

'$operator_module'(Names, M, N) :- '$strip_modules'(Names, M0, N), ( nonvar(Names), Names = _:_ -> M = M0 ; '$reading_module'(M) ).

'$op_names'(N, _, _, _) :- var(N), !, throw(error(instantiation_error, _)).
'$op_names'([], P, T, M) :- !, '$op'(P, T, M, []).
'$op_names'([N|Ns], P, T, M) :- !, '$op_list'([N|Ns], P, T, M).
'$op_names'(N, P, T, M) :- '$op'(P, T, M, N).

'$op_list'(L, _, _, _) :- var(L), !, throw(error(instantiation_error, _)).
'$op_list'([], _, _, _) :- !.
'$op_list'([N|Ns], P, T, M) :- !,
    (   ( atom(N) ; var(N) ; N == [] ) -> '$op'(P, T, M, N)
    ;   throw(error(type_error(atom, N), _))
    ),
    '$op_list'(Ns, P, T, M).
'$op_list'(L, _, _, _) :- throw(error(type_error(list, L), _)).

%!  current_op(?Priority, ?Type, :Name) is nondet.
%   As the module of Name sees it; without one as for op/3.
current_op(P, T, Name) :-
    '$operator_module'(Name, M, N),
    '$check_op'(P, T, N),
    '$ops'(M, N, List),
    '$member'(op(P, T, N), List).

'$check_op'(P, T, N) :-
    ( var(P) -> true ; integer(P), P >= 0, P =< 1200 -> true
    ; integer(P) -> throw(error(domain_error(operator_priority, P), context(system:current_op/3, _)))
    ; throw(error(type_error(integer, P), context(system:current_op/3, _))) ),
    ( var(T) -> true ; atom(T) -> ( '$memberchk_eq'(T, [xfx, xfy, yfx, fy, fx, xf, yf]) -> true
                                   ; throw(error(domain_error(operator_specifier, T), context(system:current_op/3, _))) )
    ; T == [] -> throw(error(domain_error(operator_specifier, T), context(system:current_op/3, _)))
    ; throw(error(type_error(atom, T), context(system:current_op/3, _))) ),
    ( var(N) -> true ; atom(N) -> true ; N == [] -> true
    ; throw(error(type_error(atom, N), context(system:current_op/3, _))) ).

% --- flags ---

%!  current_prolog_flag(?Flag, ?Value) is nondet.
%   A flag that modules have their own values of may be asked for as Module:Flag.
current_prolog_flag(Flag, Value) :-
    (   atom(Flag) -> '$flag'(Flag, Value)
    ;   var(Flag) -> '$flags'(List), '$member'(Flag-Value, List)
    ;   Flag == [] -> fail
    ;   Flag = M:Name, atom(M), atom(Name) -> '$flag'(Flag, Value)
    ;   throw(error(type_error(atom, Flag), context(system:current_prolog_flag/2, _)))
    ).

% --- predicates and modules ---

%!  current_predicate(:PredicateIndicator) is nondet.
%   Name//Arity is what a grammar rule defines.
current_predicate(Spec) :- '$is_predicate'(Spec), !.
current_predicate(Spec) :-
    '$strip'(Spec, M0, PI),
    nonvar(PI),
    PI = Name//Arity,
    ( var(Arity) ; integer(Arity) ),
    ( var(Name) ; atom(Name) ), !,
    (   integer(Arity)
    ->  (   Arity < 0
        ->  throw(error(domain_error(not_less_than_zero, Arity), context(system:current_predicate/1, _)))
        ;   Arity2 is Arity+2,
            current_predicate(M0:Name/Arity2)
        )
    ;   current_predicate(M0:Name/Arity2),
        Arity2 >= 2,
        Arity is Arity2-2
    ).
current_predicate(Spec) :-
    '$strip'(Spec, M0, PI),
    ( var(M0) -> true ; atom(M0) -> true ; throw(error(type_error(atom, M0), context(system:current_predicate/1, _))) ),
    (   PI = Name/Arity,
        ( var(Name) -> true ; atom(Name) -> true ; Name == [] ),
        ( var(Arity) -> true ; integer(Arity) )
    ->  true
    ;   throw(error(type_error(predicate_indicator, Spec), context(system:current_predicate/1, _)))
    ),
    (   integer(Arity), Arity < 0
    ->  throw(error(domain_error(not_less_than_zero, Arity), context(system:current_predicate/1, _)))
    ;   true
    ),
    ( atom(M0) -> '$is_module'(M0) ; true ),
    '$predicates_of'(M0, Name, Arity, List),
    (   ( var(M0) ; M0 == system )
    ->  ( '$member'(M0:Name/Arity, List) ; '$current_builtin'(M0, Name, Arity) )
    ;   List == [], atom(Name)
    ->  '$current_builtin'(M0, Name, Arity)
    ;   '$member'(M0:Name/Arity, List)
    ).

%   What the system defines is seen from each module, but only that of `system` is enumerated.
'$current_builtin'(M, Name, Arity) :-
    (   atom(Name), integer(Arity)
    ->  Arity >= 0,
        (   '$predicate_properties'(system:Name/Arity, Properties),
            Properties \== [] -> true
        ;   '$is_system_library'(M, Name/Arity)
        )
    ;   '$system_predicates'(Name, Arity, List),
        '$member'(Name/Arity, List)
    ),
    ( var(M) -> M = system ; '$is_module'(M) ).

%   '$is_system_library'(?Module, +PI) is semidet: a call in the module finds it in a library that nobody asks for by name, as it is the system's in SWI-Prolog.
'$is_system_library'(Module, PI) :-
    ( atom(Module) -> true ; Module = system ),
    '$found_in_library'(Module:PI, Library),
    '$library_module'(M, Library),
    sub_atom(M, 0, _, _, $), !.

%!  abolish(:Name, +Arity) is det.
%   As abolish/1.
:- meta_predicate(abolish(:, ?)).
abolish(Spec, Arity) :- '$strip_modules'(Spec, M, Name), abolish(M:Name/Arity).

%!  current_predicate(?Name, :Head) is nondet.
current_predicate(Name, Spec) :-
    '$strip'(Spec, M, Head),
    (   callable(Head) -> '$functor'(Head, Name, Arity) ; true ),
    '$predicates_of'(M, Name, Arity, List),
    (   List == [], callable(Head)
    ->  '$current_builtin'(M, Name, Arity)
    ;   '$member'(M:Name/Arity, List),
        ( callable(Head) -> true ; functor(Head, Name, Arity) )
    ;   ( var(M) -> true ; M == system ),
        '$current_builtin'(M, Name, Arity),
        ( callable(Head) -> true ; functor(Head, Name, Arity) )
    ).

%   Name and arity of what is callable, f() too.
'$functor'(Head, Name, Arity) :- compound(Head), !, compound_name_arity(Head, Name, Arity).
'$functor'(Name, Name, 0).

'$strip'(Spec, M, T) :- nonvar(Spec), Spec = M0:T0, !,
    ( nonvar(T0), T0 = _:_ -> '$strip'(T0, M, T) ; M = M0, T = T0 ).
'$strip'(T, user, T).

%!  predicate_property(:Head, ?Property) is nondet.
predicate_property(Spec, Property) :- '$has_property'(Spec, Property), !.
predicate_property(Spec, Property) :- nonvar(Property), Property = implementation_module(_), !,
    '$strip'(Spec, M, Head),
    ( callable(Head), nonvar(M) -> true ; predicate_property(M:Head, defined) ),
    '$functor'(Head, N, A),
    '$implementation_module'(M, N, A, Property).
predicate_property(Spec, Property) :-
    '$strip'(Spec, M, Head),
    (   callable(Head), nonvar(M)
    ->  '$functor'(Head, N, A)
    ;   callable(Head)
    ->  '$functor'(Head, N, A),
        ( '$predicates_of'(M, N, A, List), '$member'(M:N/A, List) ; '$current_builtin'(M, N, A) )
    ;   '$predicates_of'(M, N, A, List), '$member'(M:N/A, List), functor(Head, N, A)
    ;   ( var(M) -> M = system ; M == system -> true ; Property == visible ),
        '$system_predicates'(N, A, List), '$member'(N/A, List), functor(Head, N, A)
    ),
    ( nonvar(Property) -> functor(Property, Only, _) ; true ),
    '$known_properties'(M:N/A, Only, Properties),
    (   ( var(Property) ; Property = tabled(How), var(How) )
    ->  '$member'(Property, Properties)
    ;   '$member'(Property, Properties)
    ->  true
    ).

%   The module that defines what Name/Arity means in M; what means nothing would be defined in M.
'$implementation_module'(M, N, A, implementation_module(Of)) :-
    '$known_properties'(M:N/A, imported_from, From),
    (   '$member'(imported_from(Module), From) -> Of = Module
    ;   '$predicates_of'(M, N, A, [_|_]) -> Of = M
    ;   '$system_predicates'(N, A, [_|_]) -> Of = system
    ;   '$predicates_of'(user, N, A, [_|_]) -> Of = user
    ;   Of = M
    ).

%   A predicate of a library that is not loaded yet, and that a call would find there, has its properties all the same: as in SWI-Prolog it is then loaded
%   and bound to the name, but for who only asks whether it is there. Of what is expensive only what is asked for.
'$known_properties'(PI, Only, Properties) :-
    '$properties_of'(Only, PI, Properties0),
    (   Properties0 == [],
        '$found_in_library'(PI, Library)
    ->  (   Only == visible -> Properties = [visible]
        ;   '$load_library'(Library),
            ( '$import_autoloaded'(PI) -> true ; true ),
            '$properties_of'(Only, PI, Properties)
        )
    ;   Properties = Properties0
    ).

'$properties_of'(Only, PI, Properties) :- atom(Only), !, '$predicate_properties'(PI, Properties, Only).
'$properties_of'(_, PI, Properties) :- '$predicate_properties'(PI, Properties).

%!  strip_module(+Term, -Module, -Plain) is det.
%   Plain is Term without its qualifications, Module the innermost one, else the module of the call.
strip_module(T, M, P) :- '$strip_modules'(T, M, P).

%!  current_module(?Module) is nondet.
current_module(M) :- ( atom(M) -> '$is_module'(M) ; '$modules'(L), '$member'(M, L) ).

% --- clauses ---

%!  '$clause'(:Head, ?Body, ?Reference, ?Bindings) is nondet.
%   As clause/3, under the name by which SWI-Prolog's own programs look at a clause that is erased in a transaction. Nothing is said of Bindings.
:- meta_predicate('$clause'(:, ?, ?, ?)).
'$clause'(Head, Body, Reference, _) :- clause(Head, Body, Reference).
