%   Boot library: what every program has, written in Prolog. Loaded into module `system` when a program starts.
%
%   Control and all-solutions predicates follow ISO 13211-1, grammar rules the DCG draft (TC1), loading of files
%   SWI-Prolog's consult/1.

% --- declarations ---

'$declare'(How, Spec) :- '$declare'(Spec, How, _).

'$declare'(Spec, _, _) :- var(Spec), !,
    throw(error(instantiation_error, _)).
'$declare'([], _, _) :- !.
'$declare'([S|Ss], How, M) :- !, '$declare'(S, How, M), '$declare'(Ss, How, M).
'$declare'((A, B), How, M) :- !, '$declare'(A, How, M), '$declare'(B, How, M).
'$declare'(Spec as _, How, M) :- !, '$declare'(Spec, How, M).
'$declare'(Mod:Spec, How, _) :- !, '$declare'(Spec, How, Mod).
'$declare'(PI, How, M) :-
    ( var(M) -> '$source_module'(Mod) ; Mod = M ),
    catch('$declare_predicate'(Mod:PI, How), error(Formal, _),
          throw(error(Formal, context(system:How/1, _)))).

%!  dynamic(:Specs) is det.
dynamic(Specs) :- '$declare'(dynamic, Specs).
%!  multifile(:Specs) is det.
multifile(Specs) :- '$declare'(multifile, Specs).
%!  discontiguous(:Specs) is det.
discontiguous(Specs) :- '$declare'(discontiguous, Specs).
%!  thread_local(:Specs) is det.
thread_local(Specs) :- '$declare'(thread_local, Specs).
%!  volatile(:Specs) is det.
volatile(_).
%!  public(:Specs) is det.
public(_).
%!  module_transparent(:Specs) is det.
module_transparent(_).
%!  noprofile(:Specs) is det.
noprofile(_).

%!  table(:Specs) is det.
%   Calls of the predicates go through tables.
table(Specs) :- var(Specs), !, throw(error(instantiation_error, context(system:(table)/1, _))).
table((A, B)) :- !, table(A), table(B).
table([]) :- !.
table([A|B]) :- !, table(A), table(B).
table(Spec as Options) :- !, '$table_options'(Options), table(Spec).
table(M:Spec) :- atom(M), !, '$table_one'(Spec, M).
table(Spec) :- '$source_module'(M), '$table_one'(Spec, M).

'$table_options'(O) :- var(O), !, throw(error(instantiation_error, context(system:(table)/1, _))).
'$table_options'((A, B)) :- !, '$table_options'(A), '$table_options'(B).
'$table_options'(variant) :- !.
'$table_options'(private) :- !.
'$table_options'(O) :- throw(error(domain_error(table_option, O), context(system:(table)/1, _))).

'$table_one'((A, B), M) :- !, '$table_one'(A, M), '$table_one'(B, M).
'$table_one'(PI, M) :- nonvar(PI), ( PI = _/_ ; PI = _//_ ), !, '$declare_predicate'(M:PI, table).
'$table_one'(Head, M) :-
    callable(Head), !,
    Head =.. [N|Args],
    '$argument_modes'(Args, M, Modes),
    length(Args, A),
    '$declare_predicate'(M:N/A, table),
    ( '$ordinary_modes'(Modes) -> true ; '$table_modes'(M:N/A, Modes) ).
'$table_one'(Spec, _) :-
    throw(error(type_error(table_declaration, Spec), context(system:(table)/1, _))).

%   Modes as '$table_modes'/2 wants them.
'$argument_modes'([], _, []).
'$argument_modes'([A|As], M, [Mode|Modes]) :-
    (   '$argument_mode'(A, M, Mode0) -> Mode = Mode0
    ;   throw(error(domain_error(tabled_mode, A), context(system:(table)/1, _)))
    ),
    '$argument_modes'(As, M, Modes).

'$argument_mode'(A, _, index) :- var(A), !.
'$argument_mode'(index, _, index).
'$argument_mode'(+, _, index).
'$argument_mode'(-, _, first).
'$argument_mode'(first, _, first).
'$argument_mode'(last, _, last).
'$argument_mode'(min, _, min).
'$argument_mode'(max, _, max).
'$argument_mode'(sum, _, sum).
'$argument_mode'(lattice(PI), M, lattice(Goal)) :- '$join_goal'(PI, M, 3, lattice_arity, Goal).
'$argument_mode'(po(PI), M, po(Goal)) :- '$join_goal'(PI, M, 2, po_arity, Goal).

%   Name, Name/Arity or a term with that many arguments, possibly qualified.
'$join_goal'(PI, _, _, _, _) :- var(PI), !, throw(error(instantiation_error, context(system:(table)/1, _))).
'$join_goal'(M:PI, _, Arity, Error, Goal) :- !, '$join_goal'(PI, M, Arity, Error, Goal).
'$join_goal'(Name/A, M, Arity, Error, M:Name) :- !,
    ( A == Arity -> true ; throw(error(domain_error(Error, A), context(system:(table)/1, _))) ).
'$join_goal'(Name, M, _, _, M:Name) :- atom(Name), !.
'$join_goal'(Head, M, Arity, Error, M:Name) :-
    callable(Head),
    functor(Head, Name, A),
    ( A == Arity -> true ; throw(error(domain_error(Error, A), context(system:(table)/1, _))) ).

'$ordinary_modes'([]).
'$ordinary_modes'([index|Modes]) :- '$ordinary_modes'(Modes).

%!  meta_predicate(+Heads) is det.
meta_predicate(Spec) :- var(Spec), !, throw(error(instantiation_error, _)).
meta_predicate((A, B)) :- !, meta_predicate(A), meta_predicate(B).
meta_predicate([]) :- !.
meta_predicate([A|B]) :- !, meta_predicate(A), meta_predicate(B).
meta_predicate(M:Head) :- !, '$meta_predicate'(M, Head).
meta_predicate(Head) :- '$source_module'(M), '$meta_predicate'(M, Head).

:- meta_predicate(once(0)).
:- meta_predicate(ignore(0)).
:- meta_predicate(not(0)).
:- meta_predicate(forall(0, 0)).
:- meta_predicate(findall(?, 0, ?)).
:- meta_predicate(findall(?, 0, ?, ?)).
:- meta_predicate(bagof(?, ^, ?)).
:- meta_predicate(setof(?, ^, ?)).
:- meta_predicate(aggregate_all(?, 0, ?)).
:- meta_predicate(setup_call_cleanup(0, 0, 0)).
:- meta_predicate(call_cleanup(0, 0)).
:- meta_predicate(setup_call_catcher_cleanup(0, 0, ?, 0)).
:- meta_predicate(time(0)).
:- meta_predicate(phrase(//, ?)).
:- meta_predicate(phrase(//, ?, ?)).
:- meta_predicate(with_mutex(?, 0)).
:- meta_predicate(sig_atomic(0)).
:- meta_predicate(with_output_to(?, 0)).
:- meta_predicate(apply(1, ?)).

% --- control ---

%!  once(:Goal) is semidet.
%   The first solution of Goal.
once(Goal) :- call(Goal), !.

%!  ignore(:Goal) is det.
%   Runs Goal once; succeeds in any case.
ignore(Goal) :- ( call(Goal) -> true ; true ).

%!  not(:Goal) is semidet.
%   Negation as failure, as \+.
not(Goal) :- \+ call(Goal).

%!  forall(:Condition, :Action) is semidet.
%   Action is true for every solution of Condition.
forall(Condition, Action) :- \+ ( call(Condition), \+ call(Action) ).

%!  apply(:Goal, +Args) is nondet.
apply(Goal, Args) :-
    Goal =.. L0, '$append'(L0, Args, L), G =.. L, call(G).

%!  repeat is multi.
repeat.
repeat :- repeat.

%!  setup_call_cleanup(:Setup, :Goal, :Cleanup) is nondet.
%   Runs Cleanup when Goal is finished in whatever way.
setup_call_cleanup(Setup, Goal, Cleanup) :-
    once(Setup),
    ( var(Cleanup) -> throw(error(instantiation_error, context(system:setup_call_cleanup/3, _)))
    ; callable(Cleanup) -> true
    ; throw(error(type_error(callable, Cleanup), context(system:setup_call_cleanup/3, _))) ),
    '$setup_call_cleanup'(Goal, Cleanup).

%!  setup_call_catcher_cleanup(:Setup, :Goal, ?Catcher, :Cleanup) is nondet.
%   Runs Cleanup if Catcher unifies with how Goal ended: exit, fail, !, exception(E).
setup_call_catcher_cleanup(Setup, Goal, Catcher, Cleanup) :-
    How = how(!),
    setup_call_cleanup(
        once(Setup),
        '$caught_call'(Goal, How),
        '$catcher_cleanup'(How, Catcher, Cleanup)).

%   The argument of How is changed, not bound: it says how Goal would have ended if it was cut now.
'$caught_call'(Goal, How) :-
    (   catch(call_cleanup(Goal, Det = true), E, ( nb_setarg(1, How, exception(E)), throw(E) )),
        ( Det == true -> nb_setarg(1, How, exit), ! ; true )
    ;   nb_setarg(1, How, fail),
        fail
    ).

'$catcher_cleanup'(How, Catcher, Cleanup) :-
    arg(1, How, Result),
    ( Catcher = Result -> ignore(Cleanup) ; true ).

%!  call_cleanup(:Goal, :Cleanup) is nondet.
call_cleanup(Goal, Cleanup) :- setup_call_cleanup(true, Goal, Cleanup).

%!  with_mutex(+Mutex, :Goal) is semidet.
%   once(Goal) while this thread holds Mutex.
with_mutex(Mutex, Goal) :-
    setup_call_cleanup(mutex_lock(Mutex), once(Goal), mutex_unlock(Mutex)).

%!  sig_atomic(:Goal) is semidet.
%   once(Goal), with signals to this thread put off until it is done.
sig_atomic(Goal) :-
    setup_call_cleanup('$mask_signals'(Old), once(Goal), '$unmask_signals'(Old)).

% --- all solutions ---

%!  findall(+Template, :Goal, -Bag) is det.
findall(Template, Goal, Bag) :-
    '$findall'(Template, Goal, Bag, []).

%!  findall(+Template, :Goal, -Bag, +Tail) is det.
findall(Template, Goal, Bag, Tail) :-
    '$findall'(Template, Goal, Bag, Tail).

%!  bagof(+Template, :Goal, -Bag) is nondet.
%   Solutions grouped by the variables of Goal that are neither in Template nor quantified by ^.
bagof(Template, Goal0, Bag) :-
    '$strip_carets'(Goal0, Goal, Template, Bound),
    '$free_variables'(Goal, Bound, Free),
    (   Free == []
    ->  '$findall'(Template, Goal, List, []),
        List \== [],
        Bag = List
    ;   Witness =.. [v|Free],
        '$findall'(Witness-Template, Goal, Pairs, []),
        Pairs \== [],
        keysort(Pairs, Sorted),
        '$bagof_groups'(Sorted, Groups),
        '$bagof_pick'(Groups, Witness, Bag)
    ).

'$strip_carets'(Goal, Goal, Bound, Bound) :- var(Goal), !.
'$strip_carets'(V^Goal0, Goal, Bound0, Bound) :- !,
    '$strip_carets'(Goal0, Goal, V-Bound0, Bound).
'$strip_carets'(M:Goal0, Goal, Bound0, Bound) :- nonvar(Goal0), Goal0 = _^_, !,
    '$strip_carets'(Goal0, Goal1, Bound0, Bound),
    Goal = M:Goal1.
'$strip_carets'(Goal, Goal, Bound, Bound).

'$free_variables'(Goal, Bound, Free) :-
    '$goal_variables'(Goal, Vars),
    term_variables(Bound, BoundVars),
    '$subtract_eq'(Vars, BoundVars, Free).

%   Variables of a goal, those local to inner all-solutions goals and negations left out.
'$goal_variables'(Goal, Vars) :-
    '$hide_local'(Goal, Shown),
    term_variables(Shown, Vars).

'$hide_local'(G, G) :- var(G), !.
'$hide_local'(\+ _, true) :- !.
'$hide_local'(setof(T, G, S), S-Shown) :- !, '$inner_free'(T, G, Shown).
'$hide_local'(bagof(T, G, S), S-Shown) :- !, '$inner_free'(T, G, Shown).
'$hide_local'((A, B), (C, D)) :- !, '$hide_local'(A, C), '$hide_local'(B, D).
'$hide_local'((A ; B), (C ; D)) :- !, '$hide_local'(A, C), '$hide_local'(B, D).
'$hide_local'((A -> B), (C -> D)) :- !, '$hide_local'(A, C), '$hide_local'(B, D).
'$hide_local'(G, G).

'$inner_free'(T, G0, Free) :-
    '$strip_carets'(G0, G, T, Bound),
    '$free_variables'(G, Bound, Free).

'$subtract_eq'([], _, []).
'$subtract_eq'([V|Vs], Bound, Free) :-
    (   '$memberchk_eq'(V, Bound)
    ->  '$subtract_eq'(Vs, Bound, Free)
    ;   Free = [V|Rest],
        '$subtract_eq'(Vs, Bound, Rest)
    ).

'$memberchk_eq'(X, [Y|Ys]) :- ( X == Y -> true ; '$memberchk_eq'(X, Ys) ).

%   Groups of pairs with variant keys, in order of the first key.
'$bagof_groups'([], []).
'$bagof_groups'([W-T|Pairs], [W-[T|Ts]|Groups]) :-
    '$bagof_same'(Pairs, W, Ts, Rest),
    '$bagof_groups'(Rest, Groups).

'$bagof_same'([], _, [], []).
'$bagof_same'([W2-T|Pairs], W, Ts, Rest) :-
    (   W2 =@= W
    ->  W2 = W,
        Ts = [T|Ts1],
        '$bagof_same'(Pairs, W, Ts1, Rest)
    ;   ground(W), ground(W2)
    ->  Ts = [],
        Rest = [W2-T|Pairs]
    ;   Rest = [W2-T|Rest1],
        '$bagof_same'(Pairs, W, Ts, Rest1)
    ).

'$bagof_pick'([W-Bag0], Witness, Bag) :- !, W = Witness, Bag = Bag0.
'$bagof_pick'([W-Bag0|_], W, Bag0).
'$bagof_pick'([_|Groups], Witness, Bag) :- '$bagof_pick'(Groups, Witness, Bag).

%!  setof(+Template, :Goal, -Set) is nondet.
setof(Template, Goal0, Set) :-
    '$strip_carets'(Goal0, Goal, Template, Bound),
    '$free_variables'(Goal, Bound, Free),
    (   Free == []
    ->  '$findall'(Template, Goal, List, []),
        List \== [],
        sort(List, Set)
    ;   Witness =.. [v|Free],
        '$findall'(Witness-Template, Goal, Pairs, []),
        Pairs \== [],
        sort(Pairs, Sorted),
        '$bagof_groups'(Sorted, Groups),
        '$bagof_pick'(Groups, Witness, Bag),
        sort(Bag, Set)
    ).

'$append'([], L, L).
'$append'([X|Xs], L, [X|Ys]) :- '$append'(Xs, L, Ys).

'$member'(X, [Y|Ys]) :- '$member_'(Ys, X, Y).
'$member_'(_, X, X).
'$member_'([Y|Ys], X, _) :- '$member_'(Ys, X, Y).

% --- grammar rules ---

%!  call_dcg(:Body, ?State0, ?State) is nondet.
%   As phrase/3 for states that are not lists.
call_dcg(Body, S0, S) :-
    dcg_translate_body(Body, V0, V, Goal),
    V0 = S0, V = S,
    call(Goal).

%!  phrase(:Body, ?List) is nondet.
phrase(Body, List) :- phrase(Body, List, []).

%!  phrase(:Body, ?List, ?Rest) is nondet.
phrase(Body, List, Rest) :-
    '$must_be_body'(Body),
    '$list_or_open'(List),
    '$list_or_open'(Rest),
    '$strip'(Body, M, B),
    dcg_translate_body(B, S0, S, Goal),
    S0 = List, S = Rest,
    call(M:Goal).

% The end is not looked for: bodies may look at the first elements only.
'$list_or_open'(L) :- ( var(L) ; L == [] ; L = [_|_] ), !.
'$list_or_open'(L) :- throw(error(type_error(list, L), context(system:phrase/3, _))).

'$must_be_body'(B) :- nonvar(B), B = _:B1, !, '$must_be_body'(B1).
'$must_be_body'(B) :- var(B), !, throw(error(instantiation_error, context(system:phrase/3, _))).
'$must_be_body'(B) :- ( callable(B) ; string(B) ; B == [] ), !.
'$must_be_body'(B) :- throw(error(type_error(callable, B), context(system:phrase/3, _))).

%!  dcg_translate_rule(+Rule, -Clause) is det.
dcg_translate_rule((Head --> _), _) :- var(Head), !,
    throw(error(instantiation_error, _)).
dcg_translate_rule(((NonTerminal, Pushback) --> Body), (Head :- Goal)) :- !,
    ( var(NonTerminal) -> throw(error(instantiation_error, _)) ; true ),
    '$dcg_extend'(NonTerminal, S0, S, Head),
    dcg_translate_body(Body, S0, S1, Goal1),
    '$dcg_terminals'(Pushback, S, S1, Goal2),
    '$dcg_join'(Goal1, Goal2, Goal).
dcg_translate_rule((NonTerminal --> Body), (Head :- Goal)) :-
    '$dcg_extend'(NonTerminal, S0, S, Head),
    dcg_translate_body(Body, S0, S, Goal).

'$dcg_join'(G, true, G) :- !.
'$dcg_join'(A, B, (A, B)).

'$dcg_extend'(NonTerminal, S0, S, Goal) :-
    (   callable(NonTerminal) -> true
    ;   throw(error(type_error(callable, NonTerminal), _))
    ),
    (   NonTerminal = M:N, nonvar(N)
    ->  '$dcg_extend'(N, S0, S, G), Goal = M:G
    ;   NonTerminal =.. L0,
        '$append'(L0, [S0, S], L),
        Goal =.. L
    ).

%!  dcg_translate_body(+Body, ?S0, ?S, -Goal) is det.
dcg_translate_body(B, S0, S, phrase(B, S0, S)) :- var(B), !.
dcg_translate_body((A, B), S0, S, (C, D)) :- !,
    dcg_translate_body(A, S0, S1, C),
    dcg_translate_body(B, S1, S, D).
dcg_translate_body((A ; B), S0, S, (C ; D)) :- !,
    '$dcg_branch'(A, S0, S, C),
    '$dcg_branch'(B, S0, S, D).
dcg_translate_body((A '|' B), S0, S, (C ; D)) :- !,
    '$dcg_branch'(A, S0, S, C),
    '$dcg_branch'(B, S0, S, D).
dcg_translate_body((A -> B), S0, S, (C -> D)) :- !,
    dcg_translate_body(A, S0, S1, C),
    dcg_translate_body(B, S1, S, D).
dcg_translate_body((A *-> B), S0, S, (C *-> D)) :- !,
    dcg_translate_body(A, S0, S1, C),
    dcg_translate_body(B, S1, S, D).
dcg_translate_body(\+ A, S0, S, (\+ C, S = S0)) :- !,
    dcg_translate_body(A, S0, _, C).
dcg_translate_body(!, S0, S, (!, S = S0)) :- !.
dcg_translate_body([], S0, S, S0 = S) :- !.
dcg_translate_body({}, S0, S, S0 = S) :- !.
dcg_translate_body({Goal}, S0, S, (Goal, S = S0)) :- !.
dcg_translate_body(call(G), S0, S, call(G, S0, S)) :- !.
dcg_translate_body(Call, S0, S, Goal) :-
    compound(Call), compound_name_arguments(Call, call, Args), !,
    '$append'(Args, [S0, S], Args1),
    compound_name_arguments(Goal, call, Args1).
dcg_translate_body(List, S0, S, Goal) :-
    ( List = [_|_] ; string(List) ), !,
    '$dcg_terminals'(List, S0, S, Goal).
dcg_translate_body(NonTerminal, S0, S, Goal) :-
    '$dcg_extend'(NonTerminal, S0, S, Goal).

%   A branch starts with an explicit unification if it could bind S0 too early.
'$dcg_branch'(B, S0, S, Goal) :-
    dcg_translate_body(B, S0, S, Goal).

'$dcg_terminals'(String, S0, S, Goal) :- string(String), !,
    string_codes(String, Codes),
    '$dcg_terminals'(Codes, S0, S, Goal).
'$dcg_terminals'(List, S0, S, S0 = OL) :-
    (   '$proper'(List) -> '$append'(List, S, OL)
    ;   throw(error(type_error(list, List), _))
    ).

'$proper'(L) :- nonvar(L), ( L == [] -> true ; L = [_|T], '$proper'(T) ).

% --- expansion ---

:- dynamic(user:term_expansion/2).
:- multifile(user:term_expansion/2).
:- dynamic(user:goal_expansion/2).
:- multifile(user:goal_expansion/2).
:- dynamic(prolog:message/3).
:- multifile(prolog:message/3).
:- dynamic(prolog:error_message/3).
:- multifile(prolog:error_message/3).
:- dynamic(user:message_hook/3).
:- multifile(user:message_hook/3).
:- dynamic(user:message_property/2).
:- multifile(user:message_property/2).
:- dynamic(user:portray/1).
:- multifile(user:portray/1).

%!  expand_term(+Term, -Expanded) is det.
expand_term(Term, Expanded) :-
    (   nonvar(Term), '$has_clauses'(user:term_expansion/2),
        call(user:term_expansion(Term, X))
    ->  '$expand_rules'(X, Expanded)
    ;   '$expand_rule'(Term, Expanded)
    ).

'$expand_rules'(X, X) :- var(X), !.
'$expand_rules'([], []) :- !.
'$expand_rules'([T|Ts], [E|Es]) :- !, '$expand_rule'(T, E), '$expand_rules'(Ts, Es).
'$expand_rules'(T, E) :- '$expand_rule'(T, E).

'$expand_rule'(Rule, Clause) :-
    nonvar(Rule), Rule = (_ --> _), !,
    dcg_translate_rule(Rule, Clause).
'$expand_rule'(Term, Term).

%!  expand_goal(+Goal, -Expanded) is det.
expand_goal(Goal, Goal).

%!  op(+Priority, +Type, +Names) is det.
op(P, T, Names) :- '$op_names'(Names, P, T).

'$op_names'(N, _, _) :- var(N), !, throw(error(instantiation_error, context(system:op/3, _))).
'$op_names'([], P, T) :- !, '$op'(P, T, []).
'$op_names'([N|Ns], P, T) :- !, '$op_list'([N|Ns], P, T).
'$op_names'(M:N, P, T) :- atom(M), !, '$op_names'(N, P, T).
'$op_names'(N, P, T) :- '$op'(P, T, N).

'$op_list'(L, _, _) :- var(L), !, throw(error(instantiation_error, context(system:op/3, _))).
'$op_list'([], _, _) :- !.
'$op_list'([N|Ns], P, T) :- !,
    ( nonvar(N), N = _:N1 -> '$op'(P, T, N1) ; '$op'(P, T, N) ),
    '$op_list'(Ns, P, T).
'$op_list'(L, _, _) :- throw(error(type_error(list, L), context(system:op/3, _))).

%!  current_op(?Priority, ?Type, ?Name) is nondet.
current_op(P, T, N) :-
    '$check_op'(P, T, N),
    '$ops'(N, List),
    '$member'(op(P, T, N), List).

'$check_op'(P, T, N) :-
    ( var(P) -> true ; integer(P), P >= 0, P =< 1200 -> true
    ; integer(P) -> throw(error(domain_error(operator_priority, P), context(system:current_op/3, _)))
    ; throw(error(type_error(integer, P), context(system:current_op/3, _))) ),
    ( var(T) -> true ; atom(T) -> ( '$memberchk_eq'(T, [xfx, xfy, yfx, fy, fx, xf, yf]) -> true
                                   ; throw(error(domain_error(operator_specifier, T), context(system:current_op/3, _))) )
    ; throw(error(type_error(atom, T), context(system:current_op/3, _))) ),
    ( var(N) -> true ; atom(N) -> true ; N == [] -> true
    ; throw(error(type_error(atom, N), context(system:current_op/3, _))) ).

%!  current_prolog_flag(?Flag, ?Value) is nondet.
current_prolog_flag(Flag, Value) :-
    (   atom(Flag) -> '$flag'(Flag, Value)
    ;   var(Flag) -> '$flags'(List), '$member'(Flag-Value, List)
    ;   throw(error(type_error(atom, Flag), context(system:current_prolog_flag/2, _)))
    ).

%!  current_predicate(:PredicateIndicator) is nondet.
current_predicate(Spec) :-
    '$strip'(Spec, M0, PI),
    (   var(PI) -> PI = Name/Arity
    ;   PI = Name/Arity -> true
    ;   throw(error(type_error(predicate_indicator, Spec), context(system:current_predicate/1, _)))
    ),
    ( var(Name) -> true ; atom(Name) -> true ; Name == [] -> true
    ; throw(error(type_error(atom, Name), context(system:current_predicate/1, _))) ),
    ( var(Arity) -> true ; integer(Arity) -> true
    ; throw(error(type_error(integer, Arity), context(system:current_predicate/1, _))) ),
    '$predicates'(M0, Name, Arity, List),
    '$member'(M0:Name/Arity, List).

%!  current_predicate(?Name, :Head) is nondet.
current_predicate(Name, Spec) :-
    '$strip'(Spec, M, Head),
    (   callable(Head) -> functor(Head, Name, Arity) ; true ),
    '$predicates'(M, Name, Arity, List),
    '$member'(M:Name/Arity, List),
    functor(Head, Name, Arity).

'$strip'(Spec, M, T) :- nonvar(Spec), Spec = M0:T0, !, M = M0, T = T0.
'$strip'(T, user, T).

%!  predicate_property(:Head, ?Property) is nondet.
predicate_property(Spec, Property) :-
    '$strip'(Spec, M, Head),
    (   callable(Head)
    ->  functor(Head, N, A)
    ;   '$predicates'(M, N, A, List), '$member'(M:N/A, List), functor(Head, N, A)
    ;   M = system, '$system_predicates'(List), '$member'(N/A, List), functor(Head, N, A)
    ),
    '$predicate_properties'(M:N/A, Properties),
    '$member'(Property, Properties).

%!  strip_module(+Term, -Module, -Plain) is det.
%   Plain is Term without its qualifications, Module the innermost one, else the module of the call.
strip_module(T, M, P) :- '$strip_modules'(T, M, P).

'$strip_modules'(M0:T0, M, P) :- atom(M0), nonvar(T0), T0 = M1:_, atom(M1), !, '$strip_modules'(T0, M, P).
'$strip_modules'(M0:T, M, P) :- atom(M0), !, M = M0, P = T.
'$strip_modules'(T, user, T).

%!  current_module(?Module) is nondet.
current_module(M) :- '$modules'(L), ( atom(M) -> '$memberchk_eq'(M, L) ; '$member'(M, L) ).

%!  absolute_file_name(+Spec, -Path) is det.
absolute_file_name(Spec, Path) :-
    (   compound(Spec) -> absolute_file_name(Spec, Path, [])
    ;   '$absolute_file_name'(Spec, Path)
    ).

%!  name(?Constant, ?Codes) is det.
%   Codes are those of a number or an atom; the other way round, a number if they are those of one.
name(X, Codes) :-
    nonvar(X), !,
    (   X \== [], atomic(X)
    ->  '$text_codes'(X, L),
        ( string(Codes) -> string_codes(Codes, L) ; Codes = L )
    ;   throw(error(type_error(atomic, X), context(system:name/2, _)))
    ).
name(X, Codes) :-
    atom_codes(A, Codes),
    (   catch(atom_number(A, N), error(syntax_error(_), _), fail), \+ '$blank_start'(A) -> X = N ; X = A ).

'$text_codes'(X, L) :- ( number(X) -> number_codes(X, L) ; atom_codes(X, L) ).
'$blank_start'(A) :- sub_atom(A, 0, 1, _, C), char_type(C, space).

% --- writing with the portray hook ---

%!  print(+Term) is det.
print(T) :- '$portrays', !, '$write_portrayed'(T, [portray(true), numbervars(true), quoted(true)]).
print(T) :- '$print'(T).
%!  print(+Stream, +Term) is det.
print(S, T) :- '$portrays', !, '$write_portrayed'(S, T, [portray(true), numbervars(true), quoted(true)]).
print(S, T) :- '$print'(S, T).

%!  write_term(+Term, +Options) is det.
write_term(T, Options) :- '$portrays', '$portray_option'(Options), !, '$write_portrayed'(T, Options).
write_term(T, Options) :- '$write_term'(T, Options).
%!  write_term(+Stream, +Term, +Options) is det.
write_term(S, T, Options) :- '$portrays', '$portray_option'(Options), !, '$write_portrayed'(S, T, Options).
write_term(S, T, Options) :- '$write_term'(S, T, Options).

'$portray_option'(Options) :- is_list(Options), '$memberchk_eq'(portray(true), Options).

'$write_portrayed'(T, Options) :-
    '$portrayed'(T, New, Texts),
    '$write_term'(New, ['$portrayed'(Texts)|Options]).
'$write_portrayed'(S, T, Options) :-
    '$portrayed'(T, New, Texts),
    '$write_term'(S, New, ['$portrayed'(Texts)|Options]).

%   '$portrayed'(+Term, -New, -Texts): in New variables stand for the subterms that the hook wrote; Texts are pairs Text=Variable.
'$portrayed'(T, T, []) :- cyclic_term(T), !.
'$portrayed'(T, New, Texts) :- '$portrayed'(T, New, Texts, []).

'$portrayed'(T, T, Texts, Texts) :- var(T), !.
'$portrayed'(T, New, [Text=New|Texts], Texts) :-
    '$output_of'(( \+ \+ user:portray(T) ), 0, Text), !.
'$portrayed'([X|Xs], [Y|Ys], Texts0, Texts) :- !,
    '$portrayed'(X, Y, Texts0, Texts1),
    '$portrayed_tail'(Xs, Ys, Texts1, Texts).
'$portrayed'(T, New, Texts0, Texts) :-
    compound(T), compound_name_arity(T, N, A), A > 0, !,
    compound_name_arity(New, N, A),
    '$portrayed_arguments'(1, A, T, New, Texts0, Texts).
'$portrayed'(T, T, Texts, Texts).

'$portrayed_tail'(T, T, Texts, Texts) :- var(T), !.
'$portrayed_tail'([X|Xs], [Y|Ys], Texts0, Texts) :- !,
    '$portrayed'(X, Y, Texts0, Texts1),
    '$portrayed_tail'(Xs, Ys, Texts1, Texts).
'$portrayed_tail'([], [], Texts, Texts) :- !.
'$portrayed_tail'(T, New, Texts0, Texts) :- '$portrayed'(T, New, Texts0, Texts).

'$portrayed_arguments'(I, A, _, _, Texts, Texts) :- I > A, !.
'$portrayed_arguments'(I, A, T, New, Texts0, Texts) :-
    arg(I, T, X), arg(I, New, Y),
    '$portrayed'(X, Y, Texts0, Texts1),
    I1 is I+1,
    '$portrayed_arguments'(I1, A, T, New, Texts1, Texts).

% --- loading files ---

%!  consult(:Files) is det.
consult(Files) :- load_files(Files, []).

%!  ensure_loaded(:Files) is det.
ensure_loaded(Files) :- load_files(Files, [if(not_loaded)]).

%!  use_module(:Files) is det.
use_module(Files) :- load_files(Files, [if(not_loaded)]).
%!  use_module(:File, +Imports) is det.
%   Imports is `all`, a list of predicate indicators (PI, or PI as Name), or except(List).
use_module(File, Imports) :- '$check_imports'(Imports), load_files(File, [if(not_loaded), imports(Imports)]).
%!  reexport(:Files) is det.
%   Imports what the files export, and exports it from the module that is being loaded.
reexport(Files) :- load_files(Files, [if(not_loaded), reexport(true)]).
%!  reexport(:File, +Imports) is det.
reexport(File, Imports) :- '$check_imports'(Imports), load_files(File, [if(not_loaded), imports(Imports), reexport(true)]).
%!  autoload(:Files) is det.
autoload(Files) :- use_module(Files).
%!  autoload(:File, +Imports) is det.
autoload(File, Imports) :- use_module(File, Imports).

'$check_imports'(I) :- var(I), !, throw(error(instantiation_error, _)).
'$check_imports'(all) :- !.
'$check_imports'(except(L)) :- is_list(L), !.
'$check_imports'(L) :- is_list(L), !.
'$check_imports'(I) :- throw(error(type_error(import_specifier, I), _)).

%!  load_files(:Files) is det.
load_files(Files) :- load_files(Files, []).

%!  load_files(:Files, +Options) is det.
load_files(Files, _) :- var(Files), !,
    throw(error(instantiation_error, context(system:load_files/2, _))).
load_files([], _) :- !.
load_files([F|Fs], Options) :- !, load_files(F, Options), load_files(Fs, Options).
load_files(_M:File, Options) :- !, load_files(File, Options).
load_files(library(Lib), Options) :- '$library_name'(Lib, Name), '$load_library'(Name), !,
    %   What a library exports is visible everywhere; other names for it are not.
    (   '$member'(imports(Imports), Options), is_list(Imports), \+ '$loading_system'
    ->  '$source_module'(Into),
        '$import_renamed'(Imports, Into)
    ;   true
    ).
load_files(user, _) :- !, '$load_stream'(user_input, user).
load_files(Spec, Options) :-
    '$find_source'(Spec, Path),
    (   '$memberchk_eq'(if(not_loaded), Options), '$is_loaded'(Path)
    ->  true
    ;   '$set_loaded'(Path),
        setup_call_cleanup(
            open(Path, read, Stream, []),
            '$load_stream'(Stream, Path),
            close(Stream)),
        '$check_exports'(Path)
    ),
    '$import_file'(Path, Options).

%   What the module of a file exports and nobody defines.
'$check_exports'(Path) :-
    (   '$file_module'(Path, M), '$undefined_exports'(M, PIs) -> '$warn_undefined'(PIs, M) ; true ).

'$warn_undefined'([], _).
'$warn_undefined'([PI|PIs], M) :-
    print_message(error, undefined_export(M, PI)),
    '$warn_undefined'(PIs, M).

%   Makes what the module of a loaded file exports visible in the module that loads it.
'$import_file'(Path, Options) :-
    (   '$file_module'(Path, M), '$source_module'(Into), M \== Into
    ->  ( '$member'(imports(Imports), Options) -> true ; Imports = all ),
        '$module_exports'(M, Exports),
        '$imports'(Imports, M, Exports, Selected),
        ( is_list(Imports) -> Kind = strong ; Kind = weak ),
        '$import_all'(Selected, M, Into, Kind),
        (   '$memberchk_eq'(reexport(true), Options)
        ->  '$as_names'(Selected, Names),
            '$export'(Into, Names)
        ;   true
        )
    ;   true
    ).

%   '$imports'(+Specifier, +Module, +Exports, -Selected): the selected are terms Name/Arity as NewName.
'$imports'(all, _, Exports, Selected) :- !, '$as_themselves'(Exports, Selected).
'$imports'(except(Except), M, Exports, Selected) :- !,
    '$renamings'(Except, M, Renamings),
    '$all_except'(Exports, Renamings, Selected).
'$imports'(List, M, Exports, Selected) :-
    '$renamings'(List, M, Selected),
    '$check_exported'(Selected, M, Exports).

'$as_themselves'([], []).
'$as_themselves'([N/A|Es], [N/A as N|Ss]) :- '$as_themselves'(Es, Ss).

'$renamings'([], _, []).
'$renamings'([I|Is], M, Rs) :-
    (   '$renaming'(I, R) -> Rs = [R|Rs1]
    ;   nonvar(I), I = op(_, _, _) -> Rs = Rs1
    ;   throw(error(type_error(import_specifier, I), _))
    ),
    '$renamings'(Is, M, Rs1).

'$renaming'(I, _) :- var(I), !, throw(error(instantiation_error, _)).
'$renaming'(PI as Name, N/A as Name) :- !, atom(Name), '$renaming'(PI, N/A as _).
'$renaming'(N/A, N/A as N) :- atom(N), integer(A).
'$renaming'(N//A0, N/A as N) :- atom(N), integer(A0), A is A0+2.

%   What an except list names with `as` is imported under the new name only.
'$all_except'([], _, []).
'$all_except'([N/A|Es], Except, Ss) :-
    (   '$member'(N/A as Name, Except)
    ->  ( Name == N -> Ss = Ss1 ; Ss = [N/A as Name|Ss1] )
    ;   Ss = [N/A as N|Ss1]
    ),
    '$all_except'(Es, Except, Ss1).

'$check_exported'([], _, _).
'$check_exported'([PI as _|Ss], M, Exports) :-
    (   '$memberchk_eq'(PI, Exports) -> true
    ;   '$source_module'(Into),
        print_message(warning, import_private(Into, M:PI))
    ),
    '$check_exported'(Ss, M, Exports).

%   A definition of the importing module itself goes before what it imports as part of a whole module.
'$import_all'([], _, _, _).
'$import_all'([PI as Name|Ss], M, Into, Kind) :-
    (   '$import_predicate'(M:PI, Into, Name) -> true
    ;   Kind == weak -> true
    ;   print_message(error, no_import(M:PI, Into))
    ),
    '$import_all'(Ss, M, Into, Kind).

'$import_renamed'([], _).
'$import_renamed'([I|Is], Into) :-
    (   '$renaming'(I, N/A as Name), Name \== N -> '$import_all'([N/A as Name], system, Into, strong) ; true ),
    '$import_renamed'(Is, Into).

'$as_names'([], []).
'$as_names'([_/A as N|Ss], [N/A|Ns]) :- '$as_names'(Ss, Ns).

[File|Files] :- load_files([File|Files], []).

'$library_name'(Lib, Name) :- atom(Lib), !, Name = Lib.
'$library_name'(A/B, Name) :- '$library_name'(A, X), '$library_name'(B, Y),
    atom_concat(X, /, XS), atom_concat(XS, Y, Name).

%   The file of a specification: relative to the file being loaded, with or without extension.
'$find_source'(Spec, Path) :-
    '$path_alias'(Spec), !,
    (   absolute_file_name(Spec, Path, [file_type(prolog), access(read), file_errors(fail)]) -> true
    ;   throw(error(existence_error(source_sink, Spec), _))
    ).
'$find_source'(Spec, Path) :-
    '$spec_text'(Spec, Text),
    (   '$source_directory'(Dir), '$resolve_source'(Dir, Text, Path) -> true
    ;   '$resolve_source'('.', Text, Path) -> true
    ;   throw(error(existence_error(source_sink, Spec), _))
    ).

'$spec_text'(Spec, Text) :- atom(Spec), !, Text = Spec.
'$spec_text'(Spec, Text) :- string(Spec), !, atom_string(Text, Spec).
'$spec_text'(A/B, Text) :- !, '$spec_text'(A, X), '$spec_text'(B, Y),
    atom_concat(X, /, XS), atom_concat(XS, Y, Text).
'$spec_text'(Spec, _) :- throw(error(domain_error(source_sink, Spec), _)).

%   A term Alias(Path) stands for a file in one of the directories of user:file_search_path/2.
'$path_alias'(Spec) :- compound(Spec), compound_name_arity(Spec, N, 1), N \== (/).

'$source_directory'(Dir) :- '$load_state'(File, _, _), File \== user, file_directory_name(File, Dir).

'$load_state'(File, Session, Module) :-
    nb_current('$load', load(File, Session, Module)).

%   Loads all clauses of a stream.
'$load_stream'(Stream, File) :-
    '$source_module'(Module),
    '$new_session'(Session),
    (   nb_current('$load', Outer) -> true ; Outer = [] ),
    (   nb_current('$load_line', OuterLine) -> true ; OuterLine = [] ),
    '$save_source_state'(State),
    setup_call_cleanup(
        b_setval('$load', load(File, Session, Module)),
        '$load_clauses'(Stream, File, Session),
        ( b_setval('$load', Outer), nb_setval('$load_line', OuterLine), '$set_source_module'(Module), '$restore_source_state'(State) )),
    '$run_initialization'(File).

'$load_clauses'(Stream, File, Session) :-
    repeat,
    catch('$load_next'(Stream, File, Session, End), E, ( '$load_error'(E), End = false )),
    End == true, !.

'$load_next'(Stream, File, Session, End) :-
    '$read_clause'(Stream, Term, Names, Singletons, Line),
    (   Term == end_of_file
    ->  End = true
    ;   End = false,
        nb_setval('$load_line', Line),
        '$load_term'(Term, Names, Singletons, File, Session, Line)
    ).

'$load_error'(E) :- E == '$aborted', !, throw(E).
'$load_error'(unwind(E)) :- !, throw(unwind(E)).
%   What cannot be read at all: there is no next clause to go on with.
'$load_error'(error(F, C)) :-
    nonvar(C), C = context(system:'$read_clause'/_, _), F \= syntax_error(_), !,
    throw(error(F, C)).
'$load_error'(E) :- print_message(error, E).

'$load_term'(Term, Names, Singletons, File, Session, Line) :-
    (   '$skipping'
    ->  '$skip_directive'(Term)
    ;   '$conditional'(Term)
    ->  true
    ;   '$warn_singletons'(Singletons, Term, File, Line),
        (   nonvar(Term), Term = (:- _)
        ->  '$load_expanded'(Term, Names, File, Session, Line)
        ;   expand_term(Term, Expanded),
            '$load_expanded'(Expanded, Names, File, Session, Line)
        )
    ).

'$warn_singletons'([], _, _, _) :- !.
'$warn_singletons'(Singletons, _, File, Line) :-
    (   '$flag'(style_singleton, false) -> true
    ;   '$pair_names'(Singletons, Names),
        print_message(warning, singletons(File:Line, Names))
    ).

%   Variables that occur once in a branch, or more than once though their name says otherwise.
'$warn_variables'(Clause, Names) :-
    (   '$variable_problems'(Clause, Names, Problems), \+ '$flag'(style_singleton, false)
    ->  print_message(warning, compiler_warnings(Clause, Problems))
    ;   true
    ).

%   A clause away from the others of its predicate, or one of a predicate that another file defines.
'$warn_clause'(discontiguous(PI, Earlier, Current), File, Line) :-
    (   '$flag'(style_discontiguous, false) -> true
    ;   print_message(warning, discontiguous(PI, File:Earlier, Current, File:Line))
    ).
'$warn_clause'(redefined(PI, Earlier), File, Line) :-
    print_message(warning, redefined_procedure(static, PI, File:Line, Earlier)).

'$pair_names'([], []).
'$pair_names'([N=_|T], [N|Ns]) :- '$pair_names'(T, Ns).

'$load_expanded'(T, _, _, _, _) :- var(T), !, throw(error(instantiation_error, _)).
'$load_expanded'([], _, _, _, _) :- !.
'$load_expanded'([T|Ts], Names, File, Session, Line) :- !,
    '$load_expanded'(T, Names, File, Session, Line),
    '$load_expanded'(Ts, Names, File, Session, Line).
'$load_expanded'((:- Directive), _, File, _, Line) :- !,
    '$directive'(Directive, File, Line).
'$load_expanded'((?- Directive), _, File, _, Line) :- !,
    '$directive'(Directive, File, Line).
'$load_expanded'(end_of_file, _, _, _, _) :- !.
'$load_expanded'(Clause, Names, File, Session, Line) :-
    (   '$clause_problem'(Clause, File, Session, Problem)
    ->  '$warn_clause'(Problem, File, Line)
    ;   true
    ),
    '$warn_variables'(Clause, Names),
    '$add_clause'(Clause, '$source'(File, Session), Line).

'$directive'(Goal, _, _) :- var(Goal), !, throw(error(instantiation_error, _)).
'$directive'(module(Name, Exports), File, _) :- !, '$begin_module'(Name, Exports, File).
'$directive'(initialization(G), File, _) :- !, '$assert_initialization'(File, G).
'$directive'(initialization(G, When), File, _) :- !, '$initialization'(When, G, File).
'$directive'(include(F), File, _) :- !, '$include'(F, File).
'$directive'(encoding(_), _, _) :- !.
'$directive'(set_prolog_flag(F, V), _, _) :- !, set_prolog_flag(F, V).
'$directive'(Goal, File, Line) :-
    '$source_module'(M),
    ( M == user -> G = Goal ; G = M:Goal ),
    catch(G, E, true), !,
    (   nonvar(E)
    ->  ( E == '$aborted' -> throw(E) ; E = unwind(_) -> throw(E)
        ; print_message(warning, directive_error(File:Line, M:Goal, E)) )
    ;   true
    ).
'$directive'(Goal, File, Line) :-
    '$source_module'(M),
    print_message(warning, directive_failed(File:Line, M:Goal)).

:- dynamic('$init_goal'/2).
:- dynamic('$main_goal'/2).

'$assert_initialization'(File, Goal) :-
    (   '$load_state'(_, _, _)
    ->  ( nb_current('$load_line', Line), integer(Line) -> true ; Line = 0 ),
        assertz('$init_goal'(File, Line-Goal))
    ;   call(Goal)
    ).

%!  initialization(:Goal) is det.
initialization(Goal) :- '$assert_initialization'(user, Goal).
%!  initialization(:Goal, +When) is det.
initialization(Goal, When) :- '$initialization'(When, Goal, user).

'$initialization'(now, G, _) :- !, call(G).
'$initialization'(after_load, G, File) :- !, '$assert_initialization'(File, G).
'$initialization'(main, G, File) :- !,
    retractall('$main_goal'(_, _)), assertz('$main_goal'(File, G)).
'$initialization'(program, G, File) :- !, '$assert_initialization'(File, G).
'$initialization'(restore, _, _) :- !.
'$initialization'(restore_state, _, _) :- !.
'$initialization'(W, _, _) :- throw(error(domain_error(initialization_type, W), _)).

'$run_initialization'(File) :-
    findall(G, retract('$init_goal'(File, G)), Goals),
    '$run_initializations'(Goals, File).

'$run_initializations'([], _).
'$run_initializations'([Line-G|Gs], File) :-
    (   catch(user:G, E, ( print_message(warning, init_goal(goal_raised(E), '@'(G, File:Line))), fail_handled(E) ))
    ->  true
    ;   print_message(warning, init_goal(failed, '@'(G, File:Line)))
    ),
    '$run_initializations'(Gs, File).

fail_handled(E) :- ( E == '$aborted' -> throw(E) ; E = unwind(_) -> throw(E) ; true ).

'$include'(Spec, _File) :-
    '$find_source'(Spec, Path),
    '$load_state'(File, Session, _),
    setup_call_cleanup(open(Path, read, S, []), '$load_clauses'(S, File, Session), close(S)).

'$begin_module'(Name, Exports, File) :-
    (   '$loading_system' -> true
    ;   '$set_source_module'(Name),
        '$declare_module'(Name, File, Exports),
        '$export_operators'(Exports)
    ).

'$export_operators'([]).
'$export_operators'([E|Es]) :-
    ( E = op(P, T, N) -> op(P, T, N) ; true ),
    '$export_operators'(Es).

%!  module(+Module) is det.
%   Makes Module the one that clauses are added to.
module(M) :- '$set_source_module'(M).

%   Library text compiled in: loaded once, into module system.
%   One thread at a time loads, and is not interrupted: what it leaves must be whole.
'$load_library'(Name) :-
    (   '$library_loaded'(Name) -> true
    ;   with_mutex('$load_library', sig_atomic('$load_library_text'(Name)))
    ).

%   Waits until no other thread is loading a library.
'$await_loader' :- with_mutex('$load_library', true).

'$load_library_text'(Name) :-
    (   '$library_loaded'(Name) -> true
    ;   '$library_stream'(Name, Stream),
        '$source_module'(Outer),
        '$save_loading'(Was),
        setup_call_cleanup(
            ( '$set_source_module'(system), '$set_loading'(true) ),
            '$load_stream'(Stream, Name),
            ( close(Stream), '$set_loading'(Was), '$set_source_module'(Outer) ))
    ).

% --- conditional compilation ---

'$conditional'(T) :- var(T), !, fail.
'$conditional'((:- T)) :- var(T), !, fail.
'$conditional'((:- if(G))) :- !,
    ( catch(user:G, E, ( print_message(error, E), fail )) -> '$push_if'(true) ; '$push_if'(false) ).
'$conditional'((:- elif(_))) :- !, '$pop_if'(_), '$push_if'(done).
'$conditional'((:- else)) :- !, '$pop_if'(_), '$push_if'(done).
'$conditional'((:- endif)) :- !, '$pop_if'(_).

'$skipping' :- nb_current('$if', [S|_]), S \== true.

'$push_if'(S) :- ( nb_current('$if', L) -> true ; L = [] ), nb_setval('$if', [S|L]).
'$pop_if'(S) :-
    (   nb_current('$if', [S|L]) -> nb_setval('$if', L)
    ;   throw(error(context_error(no_if), _))
    ).

'$skip_directive'(T) :- var(T), !.
'$skip_directive'((:- T)) :- var(T), !.
'$skip_directive'((:- if(_))) :- !, '$push_if'(skip).
'$skip_directive'((:- elif(G))) :- !, '$pop_if'(S),
    (   S == false
    ->  ( catch(user:G, E, ( print_message(error, E), fail )) -> '$push_if'(true) ; '$push_if'(false) )
    ;   '$push_if'(S)
    ).
'$skip_directive'((:- else)) :- !, '$pop_if'(S), ( S == false -> '$push_if'(true) ; '$push_if'(S) ).
'$skip_directive'((:- endif)) :- !, '$pop_if'(_).
'$skip_directive'(_).

%!  prolog_load_context(?Key, ?Value) is nondet.
prolog_load_context(source, File) :- '$load_state'(File, _, _).
prolog_load_context(file, File) :- '$load_state'(File, _, _).
prolog_load_context(directory, Dir) :- '$source_directory'(Dir).
prolog_load_context(module, M) :- '$source_module'(M).
prolog_load_context(dialect, swi).

%!  style_check(+Spec) is det.
style_check(-singleton) :- !, set_prolog_flag(style_singleton, false).
style_check(+singleton) :- !, set_prolog_flag(style_singleton, true).
style_check(-discontiguous) :- !, set_prolog_flag(style_discontiguous, false).
style_check(+discontiguous) :- !, set_prolog_flag(style_discontiguous, true).
style_check(_).

%!  license(+Term) is det.
license(_).

% --- statistics ---

%!  time(:Goal) is nondet.
%   Goal; prints the resources used up to each solution, to its failure or its exception.
time(Goal) :-
    '$time_used'(T0),
    (   call_cleanup(catch(Goal, E, ( '$report_time'(T0), throw(E) )), Det = true),
        '$report_time'(T0),
        ( Det == true -> ! ; true )
    ;   '$report_time'(T0),
        fail
    ).

'$time_used'(used(C, T, I)) :- statistics(cputime, C), get_time(T), statistics(inferences, I).

'$report_time'(used(C0, T0, I0)) :-
    '$time_used'(used(C1, T1, I1)),
    C is C1-C0, T is T1-T0, I is I1-I0,
    ( C > 0 -> Lips is truncate(I/C) ; Lips = 'Infinite' ),
    ( T > 0 -> P is round(100*C/T) ; P = 100 ),
    '$fresh_line'(user_error),
    format(user_error, "% ~D inferences, ~3f CPU in ~3f seconds (~w% CPU, ~w Lips)~n", [I, C, T, P, Lips]).

% --- the end of the program ---

:- dynamic('$at_halt'/1).
:- meta_predicate(at_halt(0)).

%!  at_halt(:Goal) is det.
%   Goal runs when the program is left by halt/1; the last one registered first.
at_halt(Goal) :- asserta('$at_halt'(Goal)).

%!  cancel_halt(+Reason) is det.
%   To be called by a goal of at_halt/1: the program goes on.
cancel_halt(Reason) :- throw(cancel_halt(Reason)).

%!  halt is det.
halt :- halt(0).

%!  halt(+Status) is det.
halt(Status) :-
    (   integer(Status) -> true
    ;   var(Status) -> throw(error(instantiation_error, context(system:halt/1, _)))
    ;   throw(error(type_error(integer, Status), context(system:halt/1, _)))
    ),
    '$run_at_halt',
    '$halt'(Status).

'$run_at_halt' :-
    retract('$at_halt'(Goal)), !,
    (   catch(user:Goal, E, true) -> true ; true ),
    (   var(E) -> true
    ;   E = cancel_halt(_) -> throw(E)
    ;   E = unwind(_) -> true
    ;   print_message(error, E)
    ),
    '$run_at_halt'.
'$run_at_halt'.

% --- threads, queues, mutexes ---

%!  thread_property(?Thread, ?Property) is nondet.
thread_property(Id, Property) :-
    '$thread_properties'(Id, Property, Pairs),
    '$member'(Id-Property, Pairs).

%!  message_queue_property(?Queue, ?Property) is nondet.
message_queue_property(Queue, Property) :-
    '$message_queue_properties'(Queue, Property, Pairs),
    '$member'(Queue-Property, Pairs).

%!  mutex_property(?Mutex, ?Property) is nondet.
mutex_property(Mutex, Property) :-
    '$mutex_properties'(Mutex, Property, Pairs),
    '$member'(Mutex-Property, Pairs).

%!  thread_statistics(+Thread, +Key, -Value) is det.
%   As statistics/2 of a thread. Those of other threads are not kept: their numbers are 0.
thread_statistics(Thread, Key, Value) :-
    (   is_thread(Thread) -> true
    ;   var(Thread) -> throw(error(instantiation_error, context(system:thread_statistics/3, _)))
    ;   throw(error(existence_error(thread, Thread), context(system:thread_statistics/3, _)))
    ),
    statistics(Key, Mine),
    (   thread_self(Me), '$same_thread'(Me, Thread) -> Value = Mine
    ;   float(Mine) -> Value = 0.0
    ;   integer(Mine) -> Value = 0
    ;   Value = Mine
    ).

'$same_thread'(T, T) :- !.
'$same_thread'(A, B) :- thread_property(A, id(Id)), thread_property(B, id(Id)), !.

% --- arithmetic on integers ---

%!  divmod(+Dividend, +Divisor, -Quotient, -Remainder) is det.
%   Quotient is div(Dividend, Divisor), Remainder is mod(Dividend, Divisor).
divmod(Dividend, Divisor, Quotient, Remainder) :-
    '$check_integer'(Dividend, divmod/4),
    '$check_integer'(Divisor, divmod/4),
    Quotient is div(Dividend, Divisor),
    Remainder is mod(Dividend, Divisor).

%!  nth_integer_root_and_remainder(+N, +I, -Root, -Remainder) is det.
%   Root ** N + Remainder =:= I, where Root is truncated towards 0.
nth_integer_root_and_remainder(N, I, Root, Remainder) :-
    PI = nth_integer_root_and_remainder/4,
    '$check_integer'(N, PI),
    '$check_integer'(I, PI),
    (   N < 1 -> throw(error(domain_error(not_less_than_one, N), context(system:PI, _)))
    ;   I < 0, N mod 2 =:= 0 -> throw(error(evaluation_error(undefined), context(system:PI, _)))
    ;   true
    ),
    A is abs(I),
    '$integer_root'(N, A, R),
    Root is sign(I) * R,
    Remainder is I - Root ** N.

'$check_integer'(X, _) :- integer(X), !.
'$check_integer'(X, PI) :- var(X), !, throw(error(instantiation_error, context(system:PI, _))).
'$check_integer'(X, PI) :- throw(error(type_error(integer, X), context(system:PI, _))).

'$integer_root'(1, A, R) :- !, R = A.
'$integer_root'(_, A, R) :- A < 2, !, R = A.
'$integer_root'(N, A, R) :-
    X is 1 << (msb(A) // N + 1),
    '$root_step'(N, A, X, R).

%   Newton's method from above: the first step that does not go down has found it.
'$root_step'(N, A, X, R) :-
    Y is ((N-1) * X + A // X ** (N-1)) // N,
    (   Y < X -> '$root_step'(N, A, Y, R) ; R = X ).

% --- text ---

%!  normalize_space(-Output, +Input) is det.
%   The words of Input with one space between them, to what format/3 takes as its sink.
normalize_space(Out, Input) :-
    text_to_string(Input, Text),
    split_string(Text, " \t\n\r\f\v\u00A0", " \t\n\r\f\v\u00A0", Parts),
    '$nonempty'(Parts, Words),
    atomic_list_concat(Words, ' ', Line),
    format(Out, '~w', [Line]).

'$nonempty'([], []).
'$nonempty'([X|Xs], Ys) :- ( X == "" -> Ys = Ys1 ; Ys = [X|Ys1] ), '$nonempty'(Xs, Ys1).

% --- streams and formatted output ---

% --- streams ---

%!  stream_property(?Stream, ?Property) is nondet.
stream_property(Stream, Property) :-
    '$stream_properties'(Stream, Property, Pairs),
    '$member'(Stream-Property, Pairs).

% --- output to memory ---

%!  with_output_to(?Sink, :Goal) is semidet.
%   Runs Goal once with its output to Sink.
with_output_to(Sink, Goal) :-
    (   '$check_sink'(Sink)
    ->  '$output_of'(Goal, 0, String),
        '$unify_sink'(Sink, String)
    ;   current_output(Old),
        set_output(Sink),
        (   catch(Goal, E, true)
        ->  set_output(Old),
            ( nonvar(E) -> throw(E) ; true )
        ;   set_output(Old),
            fail
        )
    ).

%   The next output starts a line.
'$fresh_line'(Stream) :-
    line_position(Stream, Column),
    ( Column =:= 0 -> true ; nl(Stream) ).

%   What the first solution of Goal writes, to a text that starts at a column.
'$output_of'(Goal, Column, String) :-
    '$push_output'(State, Column),
    (   catch(Goal, E, true)
    ->  '$pop_output'(State, String),
        ( nonvar(E) -> throw(E) ; true )
    ;   '$pop_output'(State, _),
        fail
    ).

%!  format(+Format) is det.
format(Format) :- format(Format, []).
%!  format(+Format, :Args) is det.
format(Format, Args) :- current_output(Stream), '$format_to'(Stream, Format, Args).
%!  format(+Sink, +Format, :Args) is det.
format(Sink, Format, Args) :-
    (   '$check_sink'(Sink)
    ->  '$output_of'(format(Format, Args), 0, String),
        '$unify_sink'(Sink, String)
    ;   '$format_to'(Sink, Format, Args)
    ).

'$format_to'(Stream, Format, Args0) :-
    '$strip_format_module'(Args0, Args, Module),
    '$format'(Stream, Format, Args, [], start, Next),
    '$format_next'(Next, Stream, Format, Args, Module, []).

'$strip_format_module'(Args, Args, user) :- var(Args), !.
'$strip_format_module'(M:Args, Args, M) :- atom(M), !.
'$strip_format_module'(Args, Args, user).

'$format_next'(done, _, _, _, _, _).
'$format_next'(goal(Goal, Column, At), Stream, Format, Args, Module, Texts0) :-
    '$output_of'(Module:Goal, Column, Text),
    '$append'(Texts0, [Text], Texts),
    '$format'(Stream, Format, Args, Texts, At, Next),
    '$format_next'(Next, Stream, Format, Args, Module, Texts).
