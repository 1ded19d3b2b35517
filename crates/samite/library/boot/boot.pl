%   Boot library: what every program has, written in Prolog. Loaded into module `system` when a program starts, with what is
%   beside it here.
%
%   Control and all-solutions predicates follow ISO 13211-1.

% --- what the machine rests on ---

%   Instructions in a row use no native stack: two builtins called one after the other stand at the same depth of it. Run before anything else that
%   is written in Prolog.
'$handlers_jump' :-
    '$stack_address'(A),
    '$stack_address'(A).

% --- declarations ---

'$declare'(How, Spec) :- '$declare'(Spec, How, _).

'$declare'(Spec, _, _) :- var(Spec), !,
    throw(error(instantiation_error, _)).
'$declare'([], _, _) :- !.
'$declare'([S|Ss], How, M) :- !, '$declare'(S, How, M), '$declare'(Ss, How, M).
'$declare'((A, B), How, M) :- !, '$declare'(A, How, M), '$declare'(B, How, M).
'$declare'(Spec as Options, How0, M) :- !,
    '$declared_as'(Options, How0, How, More, []),
    '$declare'(Spec, How, M),
    '$declare_more'(More, Spec, M).
'$declare'(Mod:Spec, How, _) :- !, '$declare'(Spec, How, Mod).
'$declare'(PI, How, M) :-
    ( var(M) -> '$source_module'(Mod) ; Mod = M ),
    '$declare_one'('$declare_predicate'(Mod:PI, How), How, Mod:PI).

'$declare_more'([], _, _).
'$declare_more'([How|Hows], Spec, M) :- '$declare'(Spec, How, M), '$declare_more'(Hows, Spec, M).

%   '$declared_as'(+Options, +How0, -How, -More, +Rest): what is declared, and what more (a difference list).
'$declared_as'(O, How, _, _, _) :- var(O), !, throw(error(instantiation_error, context(system:How/1, _))).
'$declared_as'((A, B), How0, How, More, Rest) :- !,
    '$declared_as'(A, How0, How1, More, More1),
    '$declared_as'(B, How1, How, More1, Rest).
'$declared_as'(opaque, How, How, [opaque|More], More) :- !.
'$declared_as'(shared, dynamic, dynamic, More, More) :- !.
'$declared_as'(O, dynamic, thread_local, More, More) :- ( O == local ; O == private ), !.
'$declared_as'(O, How, How, [O|More], More) :- '$memberchk_eq'(O, [multifile, discontiguous, volatile, incremental]), !.
'$declared_as'(O, dynamic, dynamic, [incremental|More], More) :- ( O == monotonic ; O == lazy ), !.
'$declared_as'(abstract(0), dynamic, dynamic, [incremental, abstract|More], More) :- !.
'$declared_as'(O, How, _, _, _) :- throw(error(domain_error(predicate_option, O), context(system:How/1, _))).

%   A declaration makes a definition of the module's own, in place of what it imports as part of a whole module.
'$declare_one'(Declare, How, PI) :-
    catch(( '$override_import'(PI), Declare ), error(Formal, _),
          throw(error(Formal, context(system:How/1, _)))).

'$override_import'(PI) :-
    (   '$overrides_import'(PI, From) -> PI = M:Name, '$warn_override'(M, From:Name)
    ;   true
    ).

%!  dynamic(:Specs) is det.
dynamic(Specs) :- '$declare'(dynamic, Specs).
%!  multifile(:Specs) is det.
multifile(Specs) :- '$declare'(multifile, Specs).
%!  discontiguous(:Specs) is det.
discontiguous(Specs) :- '$declare'(discontiguous, Specs).
%!  thread_local(:Specs) is det.
thread_local(Specs) :- '$declare'(thread_local, Specs).
%!  volatile(:Specs) is det.
%   Its clauses are not part of saved programs (qsave_program/2).
volatile(Specs) :- '$declare'(volatile, Specs).
%!  public(:Specs) is det.
public(Specs) :- '$declare'(public, Specs).
%   '$clausable'(+Specs): clause/2 shows all predicates of programs.
'$clausable'(_).
%!  noprofile(:Specs) is det.
noprofile(Specs) :- '$declare'(noprofile, Specs).
%!  det(:Specs) is det.
%   The predicates succeed without leaving a choicepoint: what else they come to is an error (flag `determinism_error`).
det(Specs) :- '$declare'(det, Specs).

%!  table(:Specs) is det.
%   Calls of the predicates go through tables.
table(Specs) :-
    '$source_module'(M),
    findall(H, ( '$member'(Flag-H, [table_subsumptive-subsumptive, table_incremental-incremental, table_subgoal_shared-subgoal_shared, table_shared-shared]), '$flag'(Flag, true) ), How0),
    % (More is shared with `shared`.)
    ( '$memberchk_eq'(shared, How0) -> '$without'(How0, subgoal_shared, How) ; How = How0 ),
    '$each_declared'(Specs, (table)/1, '$table_one'(How), M).

%   '$renew'(+Goal, +Call): Call, when the table of Goal has been evaluated anew, and those after it that may be found to need it (engine/tabling/incremental.rs).
'$renew'(Goal, Call) :-
    ( \+ Goal -> true ; true ),
    ( '$next_renewal'(Next) -> '$renew'(Next, Call) ; Call ).

%   '$each_declared'(+Specs, +Of, :Do, +Module): Do is called for each of what a declaration names, with its module.
'$each_declared'(S, Of, _, _) :- var(S), !, throw(error(instantiation_error, context(system:Of, _))).
'$each_declared'(M:S, Of, Do, _) :- !,
    (   atom(M) -> '$each_declared'(S, Of, Do, M)
    ;   var(M) -> throw(error(instantiation_error, context(system:Of, _)))
    ;   throw(error(type_error(module, M), context(system:Of, _)))
    ).
'$each_declared'((A, B), Of, Do, M) :- !, '$each_declared'(A, Of, Do, M), '$each_declared'(B, Of, Do, M).
'$each_declared'([], _, _, _) :- !.
'$each_declared'([A|B], Of, Do, M) :- !, '$each_declared'(A, Of, Do, M), '$each_declared'(B, Of, Do, M).
'$each_declared'(Spec as Options, (table)/1, '$table_one'(How0), M) :- !,
    '$table_options'(Options, How0, How),
    '$each_declared'(Spec, (table)/1, '$table_one'(How), M).
'$each_declared'(Spec, _, Do, M) :- call(Do, Spec, M).

'$table_options'(O, _, _) :- var(O), !, throw(error(instantiation_error, context(system:(table)/1, _))).
'$table_options'((A, B), How0, How) :- !, '$table_options'(A, How0, How1), '$table_options'(B, How1, How).
'$table_options'(variant, How0, How) :- !, '$without'(How0, subsumptive, How).
'$table_options'(subsumptive, How0, [subsumptive|How]) :- !, '$without'(How0, subsumptive, How).
% (What is monotonic is evaluated anew like what is incremental, when it is called.)
'$table_options'(O, How0, [incremental|How]) :- ( O == incremental ; O == monotonic ; O == lazy ), !, '$without'(How0, incremental, How).
'$table_options'(opaque, How0, How) :- !, '$without'(How0, incremental, How).
% (What threads share is said last.)
'$table_options'(shared, How0, [shared|How]) :- !, '$table_options'(private, How0, How).
'$table_options'(subgoal_shared, How0, [subgoal_shared|How]) :- !, '$table_options'(private, How0, How).
% (With `incremental` that is what is said of the predicate's clauses, too.)
'$table_options'(dynamic, How0, [dynamic|How]) :- !, '$without'(How0, dynamic, How).
'$table_options'(private, How0, How) :- !, '$without'(How0, shared, How1), '$without'(How1, subgoal_shared, How).
'$table_options'(Limit, How0, How) :- '$table_limit'(Limit, Name, Most), !,
    ( '$member'(Old, How0), compound(Old), functor(Old, Name, 1) -> '$without'(How0, Old, How1) ; How1 = How0 ),
    (   var(Most) -> throw(error(instantiation_error, context(system:(table)/1, _)))
    ;   integer(Most), Most >= 0 -> How = [Limit|How1]
    ;   ( Most == infinite ; Most == false ) -> How = How1
    ;   throw(error(domain_error(nonneg_or_false, Most), context(system:(table)/1, _)))
    ).
'$table_options'(O, _, _) :- throw(error(domain_error(table_option, O), context(system:(table)/1, _))).

'$table_limit'(subgoal_abstract(N), subgoal_abstract, N).
'$table_limit'(answer_abstract(N), answer_abstract, N).
'$table_limit'(max_answers(N), max_answers, N).

'$without'([], _, []).
'$without'([X|Xs], X, Xs) :- !.
'$without'([Y|Xs], X, [Y|Ys]) :- '$without'(Xs, X, Ys).

'$table_one'(How0, Spec, M) :- '$memberchk_eq'(dynamic, How0), !,
    '$without'(How0, dynamic, How),
    ( callable(Spec), Spec \= _/_, Spec \= _//_ -> functor(Spec, N, A), PI = N/A ; PI = Spec ),
    '$declare'(dynamic, M:PI),
    ( '$memberchk_eq'(incremental, How) -> '$declare'(incremental, M:PI) ; true ),
    '$table_one'(How, Spec, M).
'$table_one'(How, PI, M) :- ( PI = _/_ ; PI = _//_ ), !,
    '$declare_one'('$declare_predicate'(M:PI, table), table, M:PI),
    '$table_modes'(M:PI, [], How).
'$table_one'(How, Head, M) :- callable(Head), !,
    Head =.. [N|Args],
    '$argument_modes'(Args, M, Modes),
    length(Args, A),
    '$declare_one'('$declare_predicate'(M:N/A, table), table, M:N/A),
    % (Values are joined in a table of one call: others do not read them.)
    (   '$ordinary_modes'(Modes) -> '$table_modes'(M:N/A, [], How)
    ;   '$member'(O, How), ( O = max_answers(_) ; O = answer_abstract(_) ) -> throw(error(domain_error(moded_table_option, O), context(system:(table)/1, _)))
    ;   '$without'(How, subsumptive, How1), '$table_modes'(M:N/A, Modes, How1),
        ( '$loading_system' -> true ; '$say_anew'('$modes', M:N/A-_, M:N/A-Head) )
    ).
'$table_one'(_, Spec, _) :- throw(error(type_error(table_declaration, Spec), context(system:(table)/1, _))).

'$ordinary_modes'([]).
'$ordinary_modes'([index|Modes]) :- '$ordinary_modes'(Modes).

%!  untable(:Specs) is det.
%   Calls of the predicates run their clauses again. Those that are not tabled stay as they are.
untable(Specs) :- '$source_module'(M), '$each_declared'(Specs, untable/1, '$untable_one', M).

'$untable_one'(PI, M) :- ( PI = _/_ ; PI = _//_ ), !, '$untable'(M:PI).
'$untable_one'(Head, M) :- callable(Head), !, functor(Head, N, A), '$untable'(M:N/A).
'$untable_one'(Spec, _) :- throw(error(type_error(table_declaration, Spec), context(system:untable/1, _))).

%!  meta_predicate(+Heads) is det.
meta_predicate(Heads) :- '$source_module'(M), '$each_declared'(Heads, (meta_predicate)/1, '$declare_meta', M).

'$declare_meta'(Head, M) :-
    ( callable(Head) -> functor(Head, N, A) ; throw(error(type_error(callable, Head), context(system:(meta_predicate)/1, _))) ),
    '$declare_one'('$meta_predicate'(M, Head), meta_predicate, M:N/A).

%!  module_transparent(+Indicators) is det.
%   The predicates run with the module of their callers as their context.
module_transparent(Specs) :- '$source_module'(M), '$each_declared'(Specs, (module_transparent)/1, '$declare_transparent', M).

'$declare_transparent'(PI, M) :- '$declare_one'('$module_transparent'(M:PI), module_transparent, M:PI).

:- meta_predicate(once(0)).
:- meta_predicate(ignore(0)).
:- meta_predicate(not(0)).
:- meta_predicate(forall(0, 0)).
:- meta_predicate(findall(?, 0, -)).
:- meta_predicate(findall(?, 0, -, ?)).
:- meta_predicate(bagof(?, ^, -)).
:- meta_predicate(setof(?, ^, -)).
:- meta_predicate(aggregate_all(?, 0, -)).
:- meta_predicate(call_cleanup(0, 0)).
:- meta_predicate('$undivided'(0)).
:- meta_predicate('$locked'(+, 0)).
:- meta_predicate(call_dcg(//, ?, ?)).
:- meta_predicate(phrase(//, ?)).
:- meta_predicate(phrase(//, ?, ?)).
:- meta_predicate(with_output_to(+, 0)).
:- meta_predicate(apply(:, ?)).
:- meta_predicate(dynamic('M')).
:- meta_predicate(multifile('M')).
:- meta_predicate(discontiguous('M')).
:- meta_predicate(thread_local('M')).
:- meta_predicate(volatile('M')).
:- meta_predicate(public('M')).
:- meta_predicate(noprofile('M')).
:- meta_predicate(det('M')).
:- meta_predicate(table('M')).
:- meta_predicate(untable('M')).
:- meta_predicate(meta_predicate('M')).
:- meta_predicate(module_transparent('M')).
:- meta_predicate(current_predicate(:)).
:- meta_predicate(current_predicate(?, :)).
:- meta_predicate(predicate_property(:, ?)).
:- meta_predicate(thread_at_exit(0)).
:- meta_predicate(format(+, :)).
:- meta_predicate(format(+, +, :)).
:- meta_predicate(strip_module(m, ?, ?)).
:- '$declare_meta'([:|?], system).
:- meta_predicate(import('M')).
:- meta_predicate(export('M')).

%   What of this programs cannot define (as SWI-Prolog 9); the builtins' tables say it of those.
:- '$core'([bagof/3, setof/3, findall/3, once/1, phrase/2, phrase/3, repeat/0, halt/0, halt/1, (initialization)/1]).
:- '$core'([(dynamic)/1, (discontiguous)/1, (multifile)/1, op/3, current_op/3, current_predicate/1, predicate_property/2]).
:- '$core'([char_conversion/2, current_char_conversion/2, current_prolog_flag/2]).
:- '$core'([close/2, stream_property/2, write_term/2, write_term/3]).
:- '$core'([message_queue_property/2, mutex_property/2, thread_property/2]).

% --- control ---

%   What was called is defined nowhere, and flag unknown is `warning`.
'$warn_unknown'(Error) :- print_message(warning, Error), fail.

%   Goal, a call of PI, is defined nowhere, and the program has user:exception/3: it may define the predicate, or say what happens.
'$ask_exception'(Kind, Context, Goal, Error) :-
    (   user:exception(Kind, Context, Action) -> true
    ;   Action = error
    ),
    (   Action == retry, '$is_there_now'(Kind, Goal) -> call(Goal)
    ;   Action == fail -> fail
    ;   Error = '$warning'(Warning) -> '$warn_unknown'(Warning)
    ;   throw(Error)
    ).

'$is_there_now'(undefined_predicate, Goal) :- predicate_property(Goal, defined), !.
'$is_there_now'(undefined_global_variable, _:Read) :- arg(1, Read, Name), nb_current(Name, _), !.

%!  once(:Goal) is semidet.
%   The first solution of Goal.
once(Goal) :- call(Goal), !.

%!  ignore(:Goal) is det.
%   Runs Goal once; succeeds in any case.
ignore(Goal) :- call(Goal), !.
ignore(_).

%!  not(:Goal) is semidet.
%   Negation as failure, as \+.
not(Goal) :- \+ call(Goal).

%!  forall(:Condition, :Action) is semidet.
%   Action is true for every solution of Condition.
forall(Condition, Action) :- \+ ( call(Condition), \+ call(Action) ).

%!  apply(:Goal, +Args) is nondet.
apply(Goal0, Args) :-
    '$strip'(Goal0, M, Goal),
    (   var(Goal) -> throw(error(instantiation_error, context(system:apply/2, _)))
    ;   \+ callable(Goal) -> throw(error(type_error(callable, Goal), context(system:apply/2, _)))
    ;   atom(Goal) -> Name = Goal, As0 = []
    ;   compound_name_arguments(Goal, Name, As0)
    ),
    must_be(list, Args),
    '$append'(As0, Args, As),
    ( As == [] -> call(M:Name) ; G =.. [Name|As], call(M:G) ).

%!  repeat is multi.
repeat.
repeat :- repeat.

%!  call_cleanup(:Goal, :Cleanup) is nondet.
call_cleanup(Goal, Cleanup) :- setup_call_cleanup(true, Goal, Cleanup).

%   '$undivided'(:Goal) is semidet: Goal once, as a Setup: neither signals nor limits leave it half-way.
'$undivided'(Goal) :- setup_call_cleanup(Goal, true, true).

%   '$locked'(+Mutex, :Goal) is semidet: Goal once, holding a mutex of the system's own. No event is handled meanwhile: a handler would do its steps in
%   between, or wait there for somebody who waits for the mutex.
'$locked'(Mutex, Goal) :- '$undivided'(with_mutex(Mutex, Goal)).

% --- all solutions ---

%!  findall(+Template, :Goal, -Bag) is det.
findall(Template, Goal, Bag) :-
    ( var(Bag) -> true ; '$partial_list'(Bag) ),
    '$findall'(Template, Goal, Bag, []).

%!  findall(+Template, :Goal, -Bag, +Tail) is det.
findall(Template, Goal, Bag, Tail) :-
    '$findall'(Template, Goal, Bag, Tail).

%!  bagof(+Template, :Goal, -Bag) is nondet.
%   Solutions grouped by the variables of Goal that are neither in Template nor quantified by ^.
bagof(Template, Goal0, Bag) :-
    ( var(Bag) -> true ; '$partial_list'(Bag) ),
    '$strip_carets'(Goal0, Goal, Template, Bound),
    '$free_variables'(Goal, Bound, Free),
    (   Free == []
    ->  '$findall'(Template, Goal, List, []),
        List \== [],
        Bag = List
    ;   Witness =.. [v|Free],
        '$bagof_variables'(Free, Vars),
        '$findall'(Witness-Template, Goal, Pairs, []),
        Pairs \== [],
        ( ground(Pairs) -> true ; '$bagof_keys'(Pairs, Vars) ),
        keysort(Pairs, Sorted),
        '$bagof_groups'(Sorted, Groups),
        '$bagof_pick'(Groups, Witness, Bag)
    ).

%   '$strip_carets'(+Goal0, -Goal, +Bound0, -Bound): Goal is Goal0 without its quantifiers V^, wherever they stand before, between and after modules;
%   Bound is Bound0 and the Vs. `V^M:G` is read as (V^M):G and means V^(M:G).
'$strip_carets'(Goal0, Goal, Bound0, Bound) :- '$strip_carets'(Goal0, 1000, Goal, Bound0, Bound).

%   After so many quantifiers the term is looked at whole: they may go round in a circle.
'$strip_carets'(Goal, _, Goal, Bound, Bound) :- var(Goal), !.
'$strip_carets'(V^Goal0, Left, Goal, Bound0, Bound) :- !,
    '$fewer_left'(Left, Goal0, Left1),
    '$strip_carets'(Goal0, Left1, Goal, V-Bound0, Bound).
'$strip_carets'(M0:Goal0, Left, M:Goal, Bound0, Bound) :- atom(M0), !,
    '$strip_modules'(M0:Goal0, M, Goal1),
    '$strip_carets'(Goal1, Left, Goal, Bound0, Bound).
'$strip_carets'(M0:Goal0, Left, M:Goal, Bound0, Bound) :- !,
    '$fewer_left'(Left, Goal0, Left1),
    '$strip_carets'(M0, Left1, M, Bound0, Bound1),
    '$strip_carets'(Goal0, Left1, Goal, Bound1, Bound).
'$strip_carets'(Goal, _, Goal, Bound, Bound).

'$fewer_left'(0, Goal, _) :- \+ acyclic_term(Goal), !,
    throw(error(representation_error(cyclic_term), _)).
'$fewer_left'(Left, _, Left1) :- Left1 is Left-1.

'$free_variables'(Goal, Bound, Free) :-
    '$goal_variables'(Goal, Vars),
    % (Those that come first when both are looked at are not free.)
    term_variables(Bound, BoundVars),
    term_variables(BoundVars-Vars, All),
    '$after_as_many'(BoundVars, All, Free).

'$after_as_many'([], Vs, Vs).
'$after_as_many'([_|Bound], [_|Vs], Free) :- '$after_as_many'(Bound, Vs, Free).

%   Variables of a goal, those local to inner all-solutions goals and negations left out.
'$goal_variables'(Goal, Vars) :-
    ( acyclic_term(Goal) -> true ; '$finite_control'(Goal, []) ),
    '$hide_local'(Goal, Shown),
    term_variables(Shown, Vars).

%   '$finite_control'(+Goal, +Around): Goal, which is in the control constructs Around, is not one of these itself; it may have arguments that are cyclic.
'$finite_control'(Goal, Around) :-
    (   callable(Goal), '$hides_local'(Goal)
    ->  ( '$member'(Outer, Around), same_term(Outer, Goal) -> throw(error(representation_error(cyclic_term), _)) ; true ),
        forall(arg(_, Goal, Part), '$finite_control'(Part, [Goal|Around]))
    ;   true
    ).

'$hides_local'(setof(_, _, _)).
'$hides_local'(bagof(_, _, _)).
'$hides_local'((_, _)).
'$hides_local'((_ ; _)).
'$hides_local'((_ -> _)).
'$hides_local'(_^_).
'$hides_local'(_:_).

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

'$memberchk_eq'(X, [Y|Ys]) :- ( X == Y -> true ; '$memberchk_eq'(X, Ys) ).

%   As many variables as there are free ones, and more if need be.
'$bagof_variables'([], _).
'$bagof_variables'([_|Free], [_|Vars]) :- '$bagof_variables'(Free, Vars).

%   The first variables of all keys become the same one, and so do the second ones, and so on: they do not decide on the order.
'$bagof_keys'([], _).
'$bagof_keys'([W-_|Pairs], Vars) :-
    term_variables(W, Vs),
    '$bagof_key'(Vs, Vars),
    '$bagof_keys'(Pairs, Vars).

'$bagof_key'([], _).
'$bagof_key'([V|Vs], [W|Vars]) :- '$become'(V, W), '$bagof_key'(Vs, Vars).

%   Groups of sorted pairs with variant keys. Such keys are neighbours: since '$bagof_keys'/2 the Nth variable of every key, in the order in which they
%   appear there, is the same one, and different from the Mth, so two keys are variants if and only if they are identical; and those that the
%   standard order finds equal are the identical ones.
'$bagof_groups'([], []).
'$bagof_groups'([W-T|Pairs], [W-[T|Ts]|Groups]) :-
    '$bagof_same'(Pairs, W, Ts, Rest),
    '$bagof_groups'(Rest, Groups).

'$bagof_same'([Pair|Pairs], W, Bag, Rest) :-
    Pair = W2-T, W2 == W, !,
    Bag = [T|Ts],
    '$bagof_same'(Pairs, W, Ts, Rest).
'$bagof_same'(Rest, _, [], Rest).

'$bagof_pick'([W-Bag0], Witness, Bag) :- !, W = Witness, Bag = Bag0.
'$bagof_pick'([W-Bag0|_], W, Bag0).
'$bagof_pick'([_|Groups], Witness, Bag) :- '$bagof_pick'(Groups, Witness, Bag).

%!  setof(+Template, :Goal, -Set) is nondet.
setof(Template, Goal0, Set) :-
    ( var(Set) -> true ; '$partial_list'(Set) ),
    '$strip_carets'(Goal0, Goal, Template, Bound),
    '$free_variables'(Goal, Bound, Free),
    (   Free == []
    ->  '$findall'(Template, Goal, List, []),
        List \== [],
        sort(List, Set)
    ;   Witness =.. [v|Free],
        '$bagof_variables'(Free, Vars),
        '$findall'(Witness-Template, Goal, Pairs, []),
        Pairs \== [],
        ( ground(Pairs) -> true ; '$bagof_keys'(Pairs, Vars) ),
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

%   '$lengths'(-Tail, -N, +Found): length/2 of a list that ends in a variable, behind Found elements, with an unknown length.
'$lengths'([], N, N).
'$lengths'([_|Tail], N, Found) :- Next is Found+1, '$lengths'(Tail, N, Next).

% --- closing streams ---

%!  close(+Stream, +Options) is det.
%   With `force(true)` the stream is closed in any case: what an exception keeps it from delivering is lost.
close(Stream, Options) :-
    (   '$forces'(Options)
    ->  setup_call_cleanup(true, '$close'(Stream, Options), '$drop_stream'(Stream))
    ;   '$close'(Stream, Options)
    ).

% --- statistics ---

% --- the end of the program ---

%!  cancel_halt(+Reason) is det.
%   To be called by a goal of at_halt/1: halt/1 fails and the program goes on. It does so ten times at most.
cancel_halt(Reason) :- throw(cancel_halt(Reason)).

:- dynamic('$halts_cancelled'/1).
:- volatile('$halts_cancelled'/1).
'$halts_cancelled'(0).

%!  halt is semidet.
%   The status is 1 if the flags on_error and on_warning say so of the messages printed so far, and if answers of the toplevel were lost.
halt :-
    (   '$toplevel_lost'(_) -> halt(1)
    ;   ( current_prolog_flag(on_error, status), statistics(errors, N) ; current_prolog_flag(on_warning, status), statistics(warnings, N) ),
        N > 0
    ->  print_message(warning, on_error(halt(1))), halt(1)
    ;   halt(0)
    ).

%!  halt(+Status) is semidet.
%   Runs the goals of at_halt/1 and ends the process: with a core dump, if the system makes one, if Status is `abort`. Fails if one of
%   these goals cancels that, or calls it.
halt(Status) :- var(Status), !, throw(error(instantiation_error, context(system:halt/1, _))).
halt(Status) :- Status \== abort, \+ integer(Status), !, throw(error(type_error(integer, Status), context(system:halt/1, _))).
halt(Status) :- integer(Status), \+ between(-0x80000000, 0x7fffffff, Status), !, throw(error(representation_error(int), context(system:halt/1, _))).
halt(Status) :- '$halt_after_goals'(Status).

%   '$halt_after_goals'(+Status): Status is also `interrupt`: as a program ends that Ctrl-C ends.
'$halt_after_goals'(Status) :-
    setup_call_cleanup('$begin_halt'(Who), '$prepare_halt'(Who, Next), '$end_halt'(Who)),
    '$halt_next'(Next, Status).

%   One thread at a time runs the goals.
'$prepare_halt'(me, Next) :-
    (   '$catch_all'('$output_to'('$run_at_halt', user_output), E, '$at_halt_aborted'(E)) -> Next = halt
    ;   retract('$halts_cancelled'(N0)),
        N is N0+1,
        assertz('$halts_cancelled'(N)),
        ( N < 10 -> Next = stay ; Next = halt )
    ).
'$prepare_halt'(within, stay).
'$prepare_halt'(other, wait).

'$halt_next'(halt, Status) :- '$halt'(Status).
%   Another thread is about to end the process, and with it this one.
'$halt_next'(wait, Status) :- ( thread_self(main) -> sleep(0.002), '$halt_after_goals'(Status) ; throw('$aborted') ).

'$at_halt_aborted'('$aborted') :- !, print_message(informational, '$aborted').
'$at_halt_aborted'(E) :- print_message(error, E).

%   Those that have run are not run again if the halt is cancelled.
'$run_at_halt' :-
    \+ ( clause('$said'('$at_halt', Goal, _, _), true, Ref), \+ ( '$call_at_halt'(Goal), erase(Ref) ) ).

'$call_at_halt'(Goal) :-
    catch(user:Goal, E, true), !,
    (   var(E) -> true
    ;   '$at_halt_raised'(E)
    ).
'$call_at_halt'(Goal) :-
    ( Goal = _:_ -> Qualified = Goal ; Qualified = user:Goal ),
    print_message(warning, goal_failed(at_halt, Qualified)).

'$at_halt_raised'(E) :- subsumes_term(cancel_halt(_), E), !,
    print_message(informational, E),
    fail.
'$at_halt_raised'(E) :- print_message(error, E).

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

%!  current_trie(?Trie) is nondet.
%   A trie that has not been destroyed.
current_trie(Trie) :- nonvar(Trie), !, is_trie(Trie).
current_trie(Trie) :- '$tries'(Tries), '$member'(Trie, Tries).

%!  trie_property(?Trie, ?Property) is nondet.
%   value_count(N), the number of keys; node_count(N) and hashed(N), those of the nodes that a tree of them has and of the nodes with several children; size(Bytes).
trie_property(Trie, Property) :-
    current_trie(Trie),
    '$trie_properties'(Trie, Property, Pairs),
    '$member'(Trie-Property, Pairs).

%!  current_engine(?Engine) is nondet.
%   An engine that has not ended.
current_engine(Engine) :- '$engines'(Engines), '$member'(Engine, Engines).

%   Destroys the engines that nobody can name any more, for which the thread has a claim.
'$end_claimed_engines' :-
    setup_call_cleanup(true, '$end_each_engine', '$release_engines'),
    ( '$claim_engines' -> '$end_claimed_engines' ; true ).

'$end_each_engine' :- sig_atomic('$end_engine'), !, '$end_each_engine'.
'$end_each_engine'.

%   (What a signal throws would be taken for the engine's, or come when nobody knows any more that this one is to be destroyed.)
'$end_engine' :- '$unnamed_engine'(Engine), catch(engine_destroy(Engine), _, true).

'$await_engines' :- sleep(0.002).

%   There is no room for another engine: makes some, if there are engines that nobody can name. (Their handlers may take long.)
'$reclaim_engines' :- garbage_collect, garbage_collect_clauses, sig_atomic('$end_engines_here'), '$engines_ended'(200).

%   There was no room for a thread that does it.
'$end_engines_here' :- '$claim_engines', !, '$end_claimed_engines'.
'$end_engines_here'.

'$engines_ended'(N) :- ( N > 0, '$engines_end' -> sleep(0.01), M is N-1, '$engines_ended'(M) ; true ).

%   What an engine runs when it has ended.
'$engine_exit' :- '$next_exit_goal'(Goal), !, '$run_exit_goal'(Goal), '$engine_exit'.
'$engine_exit'.

'$run_exit_goal'(Goal) :-
    (   catch(user:Goal, Error, true)
    ->  ( nonvar(Error) -> thread_self(Me), print_message(warning, exit_goal_raised(Me, Goal, Error)) ; true )
    ;   true
    ).

%!  thread_statistics(+Thread, +Key, -Value) is det.
%   As statistics/2 of a thread. Of other threads there is the processor time while they run; their other numbers are 0.
thread_statistics(Thread, Key, Value) :-
    (   is_thread(Thread)
    ->  (   thread_property(Thread, status(running)) -> true
        ;   throw(error(permission_error(statistics, thread, Thread), context(system:thread_statistics/3, _)))
        )
    ;   var(Thread) -> throw(error(instantiation_error, context(system:thread_statistics/3, _)))
    ;   throw(error(existence_error(thread, Thread), context(system:thread_statistics/3, _)))
    ),
    statistics(Key, Mine),
    (   thread_self(Me), '$same_thread'(Me, Thread) -> Value = Mine
    ;   '$memberchk_eq'(Key, [process_cputime, process_runtime, epoch]) -> Value = Mine
    ;   '$memberchk_eq'(Key, [cputime, thread_cputime]) -> '$cpu_seconds'(Thread, Value)
    ;   float(Mine) -> Value = 0.0
    ;   integer(Mine) -> Value = 0
    ;   Value = Mine
    ).

%   What a new thread runs before its goal; see library(thread_settings).
:- dynamic('$thread_init_goal'/1).
'$thread_init' :- '$listeners'(thread_start, none, none, _), '$listening'(tell_start), fail.
'$thread_init' :- '$thread_init_goal'(Goal), once(Goal), fail.
'$thread_init'.

%   Those who listen to events; see library(listening).
:- dynamic('$listeners'/4).
:- volatile('$listeners'/4).
'$tell_exit' :- '$listening'(tell_exit).
'$tell_abort' :- ( '$listeners'(abort, none, none, _) -> '$listening'(tell_abort) ; true ).

%   A signal of the system that library(signals) has a handler for, or that thread_signal/2 has sent.
:- dynamic('$signal_handler'/2).
:- volatile('$signal_handler'/2).
'$signal'(Number) :-
    '$signal_name'(Number, Name),
    (   '$signal_handler'(Number, Handler) -> true ; Handler = default ),
    '$handle_signal'(Handler, Number, Name).

'$handle_signal'(default, 2, _) :- !, '$interrupt'.
'$handle_signal'(debug, 2, _) :- !, '$interrupt'.
'$handle_signal'(default, 3, _) :- !, thread_dump.
'$handle_signal'(throw, Number, Name) :- !, throw(error(signal(Name, Number), _)).
'$handle_signal'(Handler, _, Name) :-
    (   '$memberchk_eq'(Handler, [default, ignore, debug]) -> true
    ;   Handler = Module:Handler1 -> ignore(call(Module:Handler1, Name))
    ;   ignore(call(user:Handler, Name))
    ).

'$signal_name'(1, hup).
'$signal_name'(2, int).
'$signal_name'(3, quit).
'$signal_name'(4, ill).
'$signal_name'(5, trap).
'$signal_name'(6, abrt).
'$signal_name'(7, bus).
'$signal_name'(8, fpe).
'$signal_name'(9, kill).
'$signal_name'(10, usr1).
'$signal_name'(11, segv).
'$signal_name'(12, usr2).
'$signal_name'(13, pipe).
'$signal_name'(14, alrm).
'$signal_name'(15, term).
'$signal_name'(17, chld).
'$signal_name'(18, cont).
'$signal_name'(19, stop).
'$signal_name'(20, tstp).
'$signal_name'(21, ttin).
'$signal_name'(22, ttou).
'$signal_name'(23, urg).
'$signal_name'(24, xcpu).
'$signal_name'(25, xfsz).
'$signal_name'(26, vtalrm).
'$signal_name'(27, prof).
'$signal_name'(29, io).
'$signal_name'(30, pwr).
'$signal_name'(31, sys).

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

% --- text ---

%!  name(?Constant, ?Codes) is det.
%   Codes are those of a number or an atom; the other way round, a number if they are those of one.
name(X, Codes) :-
    nonvar(X), !,
    (   X \== [], atomic(X)
    ->  ( number(X) -> atom_number(A, X) ; A = X ),
        atom_codes(A, Codes)
    ;   throw(error(type_error(atomic, X), context(system:name/2, _)))
    ).
name(X, Codes) :-
    atom_codes(A, Codes),
    (   catch(atom_number(A, N), error(syntax_error(_), _), fail), \+ '$blank_start'(A) -> X = N ; X = A ).

'$blank_start'(A) :- sub_atom(A, 0, 1, _, C), char_type(C, space).

%!  normalize_space(-Output, +Input) is det.
%   The words of Input with one space between them, to what format/3 takes as its sink.
normalize_space(Out, Input) :-
    (   atomic(Input), Input \== [] -> true
    ;   var(Input) -> throw(error(instantiation_error, context(system:normalize_space/2, _)))
    ;   throw(error(type_error(atomic, Input), context(system:normalize_space/2, _)))
    ),
    '$normal_space'(Input, Line),
    (   nonvar(Out), Out = atom(Atom), var(Atom) -> atom_string(Atom, Line)
    ;   nonvar(Out), Out = string(String), var(String) -> String = Line
    ;   format(Out, '~w', [Line])
    ).

% --- streams ---

%!  stream_position_data(?Field, +Position, -Value) is nondet.
stream_position_data(Field, Position, Value) :-
    ( var(Field) -> '$member'(Field, [char_count, line_count, line_position, byte_count]) ; true ),
    '$stream_position_data'(Field, Position, Value).

%!  stream_property(?Stream, ?Property) is nondet.
stream_property(Stream, Property) :-
    '$stream_properties'(Stream, Property, Pairs),
    ( Pairs == true -> true ; '$member'(Stream-Property, Pairs) ).

% --- writing with the portray hook ---

%!  print(+Term) is det.
%   With the options of the flag print_write_options.
print(T) :- '$portrays', !, '$flag'(print_write_options, Options), write_term(T, Options).
print(T) :- '$print'(T).
%!  print(+Stream, +Term) is det.
print(S, T) :- '$portrays', !, '$flag'(print_write_options, Options), write_term(S, T, Options).
print(S, T) :- '$print'(S, T).

%!  write_term(+Term, +Options) is det.
write_term(T, Options) :- '$portrays', '$portray_option'(Options), !, '$write_portrayed'(T, Options).
write_term(T, Options) :- '$write_term'(T, Options).
%!  write_term(+Stream, +Term, +Options) is det.
write_term(S, T, Options) :- '$portrays', '$portray_option'(Options), !, '$write_portrayed'(S, T, Options).
write_term(S, T, Options) :- '$write_term'(S, T, Options).

'$portray_option'(Options) :- is_list(Options), '$memberchk_eq'(portray(true), Options).

'$write_portrayed'(T, Options) :-
    current_output(S),
    '$portrayed'(T, S, New, Texts),
    '$write_term'(New, ['$portrayed'(Texts)|Options]).
'$write_portrayed'(S, T, Options) :-
    '$portrayed'(T, S, New, Texts),
    '$write_term'(S, New, ['$portrayed'(Texts)|Options]).

%   '$portrayed'(+Term, +Stream, -New, -Texts): in New variables stand for the subterms that the hook wrote; Texts are pairs Text=Variable,
%   with escapes for what Stream has no character for.
'$portrayed'(T, _, T, []) :- cyclic_term(T), !.
'$portrayed'(T, S, New, Texts) :-
    '$output_like'(S, like(_, Highest, How)),
    '$portrayed'(T, like(0, Highest, How), New, Texts, []).

'$portrayed'(T, _, T, Texts, Texts) :- var(T), !.
'$portrayed'(T, Like, New, [Text=New|Texts], Texts) :-
    '$output_of'(( \+ \+ user:portray(T) ), Like, Text), !.
'$portrayed'([X|Xs], Like, [Y|Ys], Texts0, Texts) :- !,
    '$portrayed'(X, Like, Y, Texts0, Texts1),
    '$portrayed_tail'(Xs, Like, Ys, Texts1, Texts).
'$portrayed'(T, Like, New, Texts0, Texts) :-
    compound(T), compound_name_arity(T, N, A), A > 0, !,
    compound_name_arity(New, N, A),
    '$portrayed_arguments'(1, A, T, Like, New, Texts0, Texts).
'$portrayed'(T, _, T, Texts, Texts).

'$portrayed_tail'(T, _, T, Texts, Texts) :- var(T), !.
'$portrayed_tail'([X|Xs], Like, [Y|Ys], Texts0, Texts) :- !,
    '$portrayed'(X, Like, Y, Texts0, Texts1),
    '$portrayed_tail'(Xs, Like, Ys, Texts1, Texts).
'$portrayed_tail'([], _, [], Texts, Texts) :- !.
'$portrayed_tail'(T, Like, New, Texts0, Texts) :- '$portrayed'(T, Like, New, Texts0, Texts).

'$portrayed_arguments'(I, A, _, _, _, Texts, Texts) :- I > A, !.
'$portrayed_arguments'(I, A, T, Like, New, Texts0, Texts) :-
    arg(I, T, X), arg(I, New, Y),
    '$portrayed'(X, Like, Y, Texts0, Texts1),
    I1 is I+1,
    '$portrayed_arguments'(I1, A, T, Like, New, Texts1, Texts).

% --- output to memory ---

%   Two control predicates do it: '$output_of'(:Goal, +Column, -String), what Goal writes, to a text that starts at a column (or
%   like(Column, Highest, How), see '$output_like'/2), and
%   '$output_to'(:Goal, +Stream). Both run Goal once, and whichever way it ends output goes where it went before.

%!  with_output_to(?Sink, :Goal) is semidet.
%   Runs Goal once with its output to Sink.
with_output_to(Sink, Goal) :-
    (   '$check_sink'(Sink)
    ->  '$output_of'(Goal, 0, String),
        '$unify_sink'(Sink, String)
    ;   '$output_to'(Goal, Sink)
    ).

%   The next output starts a line.
'$fresh_line'(Stream) :-
    line_position(Stream, Column),
    ( Column =:= 0 -> true ; nl(Stream) ).

%!  format(+Format) is det.
format(Format) :- format(Format, []).
%!  format(+Format, :Args) is det.
format(Format, Args) :- current_output(Stream), '$format_to'(Stream, Format, Args).
%!  format(+Sink, +Format, :Args) is det.
format(Sink, Format, Args) :-
    (   '$check_sink'(Sink)
    ->  '$strip_format_module'(Args, Args1, Module), % (The goal below is a library's.)
        ( '$formatted'(Format, Args1, String) -> true ; '$output_of'(format(Format, Module:Args1), 0, String) ),
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
