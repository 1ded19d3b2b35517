%   Boot library: grammar rules, after the DCG draft (TC1), and the expansion of what is read from a file.

% --- grammar rules ---

%!  call_dcg(:Body, ?State0, ?State) is nondet.
%   As phrase/3 for states that are not lists.
call_dcg(Body, S0, S) :-
    '$strip'(Body, M, B),
    dcg_translate_body(B, V0, V, Goal),
    V0 = S0, V = S,
    call(M:Goal).

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

'$must_be_body'(B) :- nonvar(B), B = _:_, !,
    '$strip_modules'(B, _, B1),
    ( nonvar(B1), B1 = _:_ -> true ; '$must_be_body'(B1) ). % What cannot name a module the call will refuse.
'$must_be_body'(B) :- var(B), !, throw(error(instantiation_error, context(system:phrase/3, _))).
'$must_be_body'(B) :- ( callable(B) ; string(B) ; B == [] ), !.
'$must_be_body'(B) :- throw(error(type_error(callable, B), context(system:phrase/3, _))).

%!  dcg_translate_rule(+Rule, -Clause) is det.
dcg_translate_rule((Head --> _), _) :- var(Head), !,
    throw(error(instantiation_error, _)).
dcg_translate_rule(((NonTerminal, Pushback) --> Body), (Head :- Goal)) :- !,
    ( var(NonTerminal) -> throw(error(instantiation_error, _)) ; true ),
    '$dcg_head'(NonTerminal, S0, S, Head),
    dcg_translate_body(Body, S0, S1, Goal1),
    '$dcg_pushback'(Pushback, S, S1, Goal2),
    '$dcg_join'(Goal1, Goal2, Goal).
%   (A text says so by its own term_expansion/2: in SWI-Prolog 9.0 `==>` is nothing.)
dcg_translate_rule('==>'(Left, Body), Rule) :- !,
    (   nonvar(Left), Left = (NonTerminal, Guard)
    ->  Rule = (Head, Guard => Goal)
    ;   NonTerminal = Left,
        Rule = (Head => Goal)
    ),
    ( var(NonTerminal) -> throw(error(instantiation_error, _)) ; true ),
    '$dcg_head'(NonTerminal, S0, S, Head),
    dcg_translate_body(Body, S0, S, Goal).
dcg_translate_rule((NonTerminal --> Body), (Head :- Goal)) :-
    '$dcg_head'(NonTerminal, S0, S, Head),
    dcg_translate_body(Body, S0, S, Goal).

%!  dcg_translate_rule(+Rule, +Position0, -Clause, -Position) is det.
%   As dcg_translate_rule/2; positions of what the clause is made of are not known.
dcg_translate_rule(Rule, _, Clause, _) :-
    dcg_translate_rule(Rule, Clause).

% What is pushed back: terminals, or a nonterminal that makes them.
'$dcg_pushback'(P, S0, S, Goal) :-
    (   ( is_list(P) ; string(P) ) -> '$dcg_terminals'(P, S0, S, Goal)
    ;   dcg_translate_body(P, S0, S, Goal)
    ).

'$dcg_join'(G, true, G) :- !.
'$dcg_join'(A, B, (A, B)).

%   What means something else in a body cannot be a nonterminal: nobody could call it.
'$dcg_head'(NonTerminal, S0, S, Head) :-
    '$strip'(NonTerminal, _, Plain),
    (   nonvar(Plain), '$dcg_special'(Plain) -> throw(error(permission_error(define, dcg_nonterminal, Plain), _))
    ;   '$dcg_extend'(NonTerminal, S0, S, Head)
    ).

'$dcg_special'(!).
'$dcg_special'({}).
'$dcg_special'({_}).
'$dcg_special'([_|_]).
'$dcg_special'((_ ; _)).
'$dcg_special'((_ -> _)).
'$dcg_special'((_ *-> _)).
'$dcg_special'('|'(_, _)).
'$dcg_special'(\+ _).

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
dcg_translate_body(B, S0, S, Goal) :-
    '$dcg_body'(B, [], S0, S, Translated),
    Goal = Translated.

%   Goal is unbound. M is the module that qualifies the body, the innermost one, or [].
'$dcg_body'(B, M, S0, S, phrase(MB, S0, S)) :- var(B), !,
    '$dcg_of'(M, B, MB).
'$dcg_body'(N0:B0, _, S0, S, Goal) :- !,
    ( atom(N0) -> '$strip_modules'(N0:B0, N, B) ; N = N0, B = B0 ),
    '$dcg_body'(B, N, S0, S, Goal).
'$dcg_body'((A, B), M, S0, S, (C, D)) :- !,
    '$dcg_body'(A, M, S0, S1, C),
    '$dcg_body'(B, M, S1, S, D).
'$dcg_body'((A ; B), M, S0, S, (C ; D)) :- !,
    '$dcg_body'(A, M, S0, S, C),
    '$dcg_body'(B, M, S0, S, D).
'$dcg_body'((A '|' B), M, S0, S, (C ; D)) :- !,
    '$dcg_body'(A, M, S0, S, C),
    '$dcg_body'(B, M, S0, S, D).
'$dcg_body'((A -> B), M, S0, S, (C -> D)) :- !,
    '$dcg_body'(A, M, S0, S1, C),
    '$dcg_body'(B, M, S1, S, D).
'$dcg_body'((A *-> B), M, S0, S, (C *-> D)) :- !,
    '$dcg_body'(A, M, S0, S1, C),
    '$dcg_body'(B, M, S1, S, D).
'$dcg_body'(\+ A, M, S0, S, (\+ C, S = S0)) :- !,
    '$dcg_body'(A, M, S0, _, C).
'$dcg_body'(!, _, S0, S, (!, S = S0)) :- !.
'$dcg_body'([], _, S0, S, S0 = S) :- !.
'$dcg_body'({}, _, S0, S, S0 = S) :- !.
'$dcg_body'({Goal}, M, S0, S, (MGoal, S = S0)) :- !,
    '$dcg_of'(M, Goal, MGoal).
'$dcg_body'(Call, M, S0, S, MGoal) :-
    compound(Call), compound_name_arguments(Call, call, Args), !,
    '$append'(Args, [S0, S], Args1),
    compound_name_arguments(Goal, call, Args1),
    '$dcg_of'(M, Goal, MGoal).
'$dcg_body'(List, _, S0, S, Goal) :-
    ( List = [_|_] ; string(List) ), !,
    '$dcg_terminals'(List, S0, S, Goal).
'$dcg_body'(NonTerminal, M, S0, S, MGoal) :-
    '$dcg_extend'(NonTerminal, S0, S, Goal),
    '$dcg_of'(M, Goal, MGoal).

'$dcg_of'(M, Goal, MGoal) :- ( M == [] -> MGoal = Goal ; MGoal = M:Goal ).

'$dcg_terminals'(String, S0, S, Goal) :- string(String), !,
    string_codes(String, Codes),
    '$dcg_terminals'(Codes, S0, S, Goal).
'$dcg_terminals'(List, S0, S, '$append'(List, S, S0)) :- '$skip_list'(_, List, T), var(T), !.
'$dcg_terminals'(List, S0, S, S0 = OL) :-
    (   is_list(List) -> '$append'(List, S, OL)
    ;   throw(error(type_error(list_or_partial_list, List), _))
    ).

% --- expansion ---

%   Files add to those of `system` and `user`, also where they do not declare them.
:- dynamic(user:term_expansion/2).
:- multifile(user:term_expansion/2).
:- dynamic(user:term_expansion/4).
:- multifile(user:term_expansion/4).
:- dynamic(user:goal_expansion/2).
:- multifile(user:goal_expansion/2).
:- dynamic(user:goal_expansion/4).
:- multifile(user:goal_expansion/4).
:- dynamic(system:term_expansion/2).
:- multifile(system:term_expansion/2).
:- dynamic(system:term_expansion/4).
:- multifile(system:term_expansion/4).
:- dynamic(system:goal_expansion/2).
:- multifile(system:goal_expansion/2).
:- dynamic(system:goal_expansion/4).
:- multifile(system:goal_expansion/4).

:- dynamic(prolog:message/3).
:- multifile(prolog:message/3).
:- dynamic((prolog:error_message/3, prolog:message_location/3, prolog:message_context/3)).
:- multifile((prolog:error_message/3, prolog:message_location/3, prolog:message_context/3)).
:- dynamic((prolog:message_prefix_hook/2, prolog:message_line_element/2)).
:- multifile((prolog:message_prefix_hook/2, prolog:message_line_element/2)).
:- dynamic(user:message_hook/3).
:- multifile(user:message_hook/3).
:- thread_local(user:thread_message_hook/3).
:- multifile(user:thread_message_hook/3).
:- dynamic(user:message_property/2).
:- multifile(user:message_property/2).
:- dynamic(user:portray/1).
:- multifile(user:portray/1).
:- dynamic((user:prolog_file_type/2, user:prolog_load_file/2, user:exception/3)).
:- multifile((user:prolog_file_type/2, user:prolog_load_file/2, user:exception/3)).
user:prolog_file_type(pl, prolog).
user:prolog_file_type(prolog, prolog).
user:prolog_file_type(so, executable).

%   What a library makes of the terms of a file: '$library_expansion'(+Term, -Clauses), after the program's own hooks. A library that has a clause of it
%   does not call the program.
:- dynamic('$library_expansion'/2).
:- volatile('$library_expansion'/2).
:- multifile('$library_expansion'/2).

%!  expand_term(+Term, -Expanded) is det.
%   By term_expansion/2 of the source module and of the modules that it inherits from, each of what the one before has made, by the rules of grammars,
%   and the bodies by expand_goal/2.
expand_term(Term, Expanded) :-
    (   nonvar(Term), '$expansion_modules'(Term, Terms, Goals)
    ->  '$expand'(Terms, Goals, Term, Expanded)
    ;   '$expand_without_hooks'(Term, Expanded)
    ).

'$expand_without_hooks'(Term, Expanded) :-
    '$expand_rule'(Term, Rule),
    '$expand_functions'(Rule, Expanded).

%   Functional notation, where there is some.
'$expand_functions'(X, Expanded) :-
    (   '$has_functions'(X) -> '$expand_bodies'(X, [], Expanded)
    ;   Expanded = X
    ).

'$expand'(Terms, Goals, T, Expanded) :-
    '$expand_by'(Terms, T, X),
    (   Goals \== [] -> '$expand_bodies'(X, Goals, Expanded)
    ;   X \== T, '$expansion_modules'(X, _, Others), Others \== [] -> '$expand_bodies'(X, Others, Expanded)
    ;   '$expand_functions'(X, Expanded)
    ).

'$expand_by'([], X, Expanded) :- '$expand_rules'(X, Expanded).
'$expand_by'([M-Arities|Ms], X0, Expanded) :-
    '$expand_in'(X0, M, Arities, X),
    '$expand_by'(Ms, X, Expanded).

%   '$expand_in'(+Terms, +Module, +Arities, -Expanded): a term, or each of a list of them, by the first hook that has something to say.
'$expand_in'(X, _, _, X) :- var(X), !.
'$expand_in'([], _, _, []) :- !.
'$expand_in'([T|Ts], M, As, Es) :- !,
    '$expand_in'(T, M, As, E),
    '$expand_in'(Ts, M, As, Es0),
    ( is_list(E) -> '$append'(E, Es0, Es) ; Es = [E|Es0] ).
'$expand_in'(T, M, As, E) :-
    (   '$member'(A, As), '$expansion_hook'(A, M, T, X) -> E = X ; E = T ).

'$expansion_hook'(0, _, T, X) :- '$library_expansion'(T, X).
'$expansion_hook'(2, M, T, X) :- M:term_expansion(T, X).
'$expansion_hook'(4, M, T, X) :- M:term_expansion(T, _, X, _).

'$expand_rules'(X, X) :- var(X), !.
'$expand_rules'([], []) :- !.
'$expand_rules'([T|Ts], [E|Es]) :- !, '$expand_rule'(T, E), '$expand_rules'(Ts, Es).
'$expand_rules'(T, E) :- '$expand_rule'(T, E).

'$expand_rule'(Rule, Clause) :-
    nonvar(Rule), Rule = (_ --> _), !,
    dcg_translate_rule(Rule, Clause).
'$expand_rule'(Term, Term).

%!  expand_goal(+Goal, -Expanded) is det.
%   By goal_expansion/2 of the same modules; what is qualified by that of the module it is qualified with.
expand_goal(Goal, Expanded) :-
    (   '$expansion_modules'(Goal, _, Goals), Goals \== []
    ->  '$source_module'(M), '$expand_goal'(Goal, M, Goals, Expanded)
    ;   '$has_functions'(Goal)
    ->  '$source_module'(M), '$expand_goal'(Goal, M, [], Expanded)
    ;   Expanded = Goal
    ).
