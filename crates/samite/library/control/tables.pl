:- module(tables,
          [ current_table/2,
            abolish_table_pred/1,
            abolish_table_call/1,
            abolish_table_call/2,
            abolish_module_tables/1,
            abolish_nonincremental_tables/0,
            abolish_nonincremental_tables/1,
            abolish_private_tables/0,
            abolish_shared_tables/0,
            abolish_monotonic_tables/0,
            abolish_table_subgoals/1,
            abolish_table_subgoals/2,
            get_call/3,
            get_calls/3,
            get_returns/2,
            get_returns/3,
            get_returns_and_tvs/3,
            get_returns_and_dls/3,
            get_returns_for_call/2,
            get_residual/2,
            tfindall/3,
            't not'/1,
            set_pil_on/0,
            set_pil_off/0
          ]).
:- use_module(library(error), [must_be/2, type_error/2, domain_error/2, permission_error/3]).
:- use_module(library(lists), [member/2]).
:- use_module(library(wfs), ['$conjunction_of_delays'/3]).

/*  Looking at the tables of this thread, as XSB and SWI-Prolog's library(tables).

    A table is handed out as the machine's literal of its call, an answer as that of the answer ('$tables'/2, engine/tabling/inspection.rs). Those of tables
    that are gone name nothing.  */

:- meta_predicate(abolish_table_pred(:)).
:- meta_predicate(abolish_table_call(:)).
:- meta_predicate(abolish_table_call(:, +)).
:- meta_predicate(abolish_table_subgoals(:)).
:- meta_predicate(abolish_table_subgoals(:, +)).
:- meta_predicate(get_call(:, -, -)).
:- meta_predicate(get_calls(:, -, -)).
:- meta_predicate(get_returns_for_call(:, -)).
:- meta_predicate(get_residual(:, -)).
:- meta_predicate(tfindall(?, 0, -)).
:- meta_predicate('t not'(0)).

%!  current_table(:Variant, -Table) is nondet.
%   Table is that of a variant of Variant; of any call if Variant, or its module, is unbound. Table is taken for a trie by trie_gen/2,3, trie_lookup/3, trie_property/2 and
%   is_trie/1: its keys are ret(Variable...), with the variables of Variant.
:- meta_predicate(current_table(:, -)).
current_table(Call, Table) :-
    strip_module(Call, M, Inner),
    (   nonvar(Inner),
        \+ Inner = _:_
    ->  '$table'(M:Inner, Table)
    ;   ( nonvar(Inner) -> Inner = M1:Goal ; M1 = M, Goal = Inner ),
        '$tables'(M1:Goal, Tables),
        member(table(Table, M1:Goal, _), Tables)
    ).

of_predicate(Call, M, Goal) :-
    strip_module(Call, M0, Goal),
    (   callable(Goal),
        predicate_property(M0:Goal, imported_from(M1))
    ->  M = M1
    ;   M = M0
    ).

ret(Goal, Ret) :-
    term_variables(Goal, Variables),
    Ret =.. [ret|Variables].

%!  get_calls(:Call, -Table, -Return) is nondet.
%   Table is that of a call which unifies with Call, and is; Return is ret(Variables) with the variables of the call before it was unified.
get_calls(Call, Table, Return) :-
    of_predicate(Call, M, Goal),
    '$tables'(M:Goal, Tables),
    member(table(Table, M:Called, _), Tables),
    ret(Called, Return),
    Called = Goal.

%!  get_call(:Call, -Table, -Return) is semidet.
%   As get_calls/3, for the table of a variant of Call.
get_call(Call, Table, Return) :-
    strip_module(Call, _, Goal),
    '$table'(Call, Table),
    ret(Goal, Return).

%!  get_returns(+Table, -Return) is nondet.
%!  get_returns(+Table, -Return, -Answer) is nondet.
%   Return is bound as one of the answers does.
get_returns(Table, Return) :- get_returns(Table, Return, _).

get_returns(Table, Return, Answer) :-
    '$delayed_goal'(Table, tnot(Called)),
    '$table_answers'(Table, Answers),
    member(Answer, Answers),
    copy_term(Called, Answered),
    ret(Answered, Return0),
    '$delayed_goal'(Answer, Answered),
    Return = Return0.

%!  get_returns_and_tvs(+Table, -Return, -Truth) is nondet.
%   Truth is t, or u: the answer is undefined.
get_returns_and_tvs(Table, Return, Truth) :-
    get_returns(Table, Return, Answer),
    '$delay_lists'(Answer, Lists),
    ( Lists == [] -> Truth = t ; Truth = u ).

%!  get_returns_and_dls(+Table, -Return, -DelayLists) is nondet.
%   A list of goals for each way in which the answer may be true; none if it is.
get_returns_and_dls(Table, Return, DelayLists) :-
    '$delayed_goal'(Table, tnot(M:_)),
    get_returns(Table, Return, Answer),
    delay_lists(Answer, M, DelayLists).

delay_lists(Answer, M, Lists) :-
    '$delay_lists'(Answer, Lists0),
    findall(List, ( member(_-Literals, Lists0), goals(Literals, M, List) ), Lists).

goals([], _, []).
goals([L|Ls], M, [Goal|Goals]) :-
    '$conjunction_of_delays'([L], M, Goal0),
    without_system(Goal0, Goal),
    goals(Ls, M, Goals).

without_system(system:G, G) :- !.
without_system(tnot(system:G), tnot(G)) :- !.
without_system(G, G).

%!  get_returns_for_call(:Call, -Answer) is nondet.
%   Answer is an instance of Call, which has a table.
get_returns_for_call(Call, Answer) :-
    of_predicate(Call, M, Goal),
    copy_term(Goal, Answer0),
    get_call(M:Answer0, Table, Return),
    get_returns(Table, Return),
    Answer = Answer0.

%!  get_residual(:Call, -DelayList) is nondet.
%   Call is an answer of a table, and true if the goals of DelayList are.
get_residual(Call, DelayList) :-
    of_predicate(Call, M, Goal),
    '$tables'(M:Goal, Tables),
    member(table(Table, _, _), Tables),
    '$table_answers'(Table, Answers),
    member(Answer, Answers),
    '$delayed_goal'(Answer, M:Goal),
    delay_lists(Answer, M, Lists),
    (   Lists == []
    ->  DelayList = []
    ;   member(DelayList, Lists)
    ).

%!  abolish_table_pred(:Predicate) is det.
%   All tables of the predicate, an indicator or a head, but for those that are incomplete.
abolish_table_pred(Predicate) :-
    strip_module(Predicate, M0, P),
    must_be(nonvar, P),
    (   P = N/A
    ->  must_be(atom, N),
        must_be(nonneg, A),
        functor(Head, N, A)
    ;   callable(P)
    ->  functor(P, N, A),
        functor(Head, N, A)
    ;   type_error(predicate_indicator, P)
    ),
    of_predicate(M0:Head, M, _),
    '$tables'(M:Head, Tables),
    drop(Tables, false),
    drop_shared(M:Head).

%!  abolish_table_call(:Call) is det.
%!  abolish_table_call(:Call, +Options) is det.
%   The tables of all calls that unify with Call, and those with undefined answers that depend on these, unless Options has abolish_tables_singly.
abolish_table_call(Call) :- abolish_table_call(Call, []).

abolish_table_call(Call, Options) :-
    must_be(list, Options),
    strip_module(Call, M0, Goal),
    must_be(callable, Goal),
    of_predicate(M0:Goal, M, _),
    '$tables'(M:Goal, Tables),
    findall(T, ( member(T, Tables), T = table(_, M:Called, _), \+ Called \= Goal ), Chosen),
    ( memberchk(abolish_tables_singly, Options) -> Singly = true ; Singly = false ),
    drop(Chosen, Singly),
    drop_shared(M:Goal).

%!  abolish_module_tables(+Module) is det.
abolish_module_tables(Module) :-
    must_be(atom, Module),
    '$tables'(Module:_, Tables),
    drop(Tables, false),
    drop_shared(Module:_).

%!  abolish_private_tables is det.
%   All tables of this thread.
abolish_private_tables :- '$abolish_private_tables'.

%!  abolish_shared_tables is det.
%   All tables that threads share.
abolish_shared_tables :- '$abolish_shared_tables'.

%!  abolish_nonincremental_tables is det.
%!  abolish_nonincremental_tables(+Options) is det.
%   The tables of all predicates that are not incremental. Those that are incomplete stay with on_incomplete(skip), and are an error with on_incomplete(error),
%   before anything is abolished; skip is the default.
abolish_nonincremental_tables :- abolish_nonincremental_tables([]).

abolish_nonincremental_tables(Options0) :-
    ( is_list(Options0) -> Options = Options0 ; Options = [Options0] ),
    (   member(O, Options),
        \+ O = on_incomplete(_)
    ->  domain_error(table_option, O)
    ;   memberchk(on_incomplete(What), Options)
    ->  must_be(oneof([skip, error]), What)
    ;   What = skip
    ),
    findall(T, ( current_module(M), '$tables'(M:_, Ts), member(T, Ts), \+ incremental(T) ), Tables),
    (   What == error,
        member(table(_, Called, State), Tables),
        State \== complete
    ->  permission_error(abolish, table, Called)
    ;   drop(Tables, false)
    ),
    ( statistics(shared_table_space_used, Bytes), Bytes > 0 -> '$abolish_shared_tables' ; true ).

%!  abolish_monotonic_tables is det.
%   The tables of predicates that are tabled `as monotonic`, which here are those that are incremental.
abolish_monotonic_tables :-
    findall(T, ( current_module(M), '$tables'(M:_, Ts), member(T, Ts), incremental(T) ), Tables),
    drop(Tables, false).

incremental(table(_, Called, _)) :- predicate_property(Called, tabled(incremental)).

%!  abolish_table_subgoals(:Call) is det.
%!  abolish_table_subgoals(:Call, +Options) is det.
%   As abolish_table_call/1,2.
abolish_table_subgoals(Call) :- abolish_table_call(Call, []).

abolish_table_subgoals(Call, Options) :- abolish_table_call(Call, Options).

%   Tables that threads share are abolished all together, whether this thread has any or not.
drop_shared(MHead) :- ( predicate_property(MHead, tabled(shared)) -> '$abolish_shared_tables' ; true ).

drop(Tables, Singly) :-
    findall(Table, member(table(Table, _, _), Tables), Literals),
    '$abolish_tables'(Literals, Singly).

%!  tfindall(+Template, :Goal, -List) is det.
%   As findall/3, once the table for Goal is complete.
tfindall(Template, Goal, List) :- findall(Template, Goal, List).

%!  't not'(:Goal) is undefined.
%   As tnot/1.
't not'(Goal) :- tnot(Goal).

%!  set_pil_on is det.
%!  set_pil_off is det.
%   Nothing: what they ask XSB for there is not.
set_pil_on.
set_pil_off.
