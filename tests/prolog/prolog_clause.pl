% library(prolog_clause): where clauses stand in their text, and the names of their variables.

:- use_module(library(prolog_clause)).

pcl_f(X, Y) :- atom(X), ( X == Y -> true ; \+ X = Y ).
pcl_two(1). pcl_two(X) :- X = é, pcl_f(X, _Z).
pcl_rule --> "ab", pcl_rule, { true }, [X, X].
pcl_ssu(X), atom(X) => true.
pcl_ssu(X) => X = [].
?=>(pcl_ssu(a), true).
pcl_var(X) :- X.
:- initialization(true).
:- dynamic pcl_d/1.
user:goal_expansion(pcl_expands(X), pcl_expanded(X)).
pcl_e(X) :- pcl_expands(X), forall(member(Y, X), pcl_expands(Y)).
pcl_expanded(_).
user:term_expansion(pcl_term(X), [( pcl_made(Y) :- Y = X ), pcl_made(none)]).
pcl_term(made).
pcl_module:pcl_q(X) :- pcl_f(X, X).

% What the text of clause N of a predicate is, and what its variables are called.
pcl_info(Head, N, Text, Names) :-
    nth_clause(Head, N, Reference),
    clause_info(Reference, File, Layout, Names),
    pcl_text(File, Layout, Text).

pcl_text(File, Layout, Text) :-
    ( Layout = From-To -> true ; arg(1, Layout, From), arg(2, Layout, To) ),
    read_file_to_string(File, All, []),
    Length is To-From,
    sub_string(All, From, Length, _, Text).

pcl_file(Text, Goal, File) :-
    tmp_file(pcl, File),
    setup_call_cleanup(open(File, write, Out), write(Out, Text), close(Out)),
    call_cleanup(Goal, delete_file(File)).

t(pcl_clause, pcl_info(pcl_f(_, _), 1, T, N), [T, N], answers([["pcl_f(X, Y) :- atom(X), ( X == Y -> true ; \\+ X = Y )", varnames('X', 'Y')]])).
t(pcl_first_of_line, pcl_info(pcl_two(_), 1, T, N), [T, N], answers([["pcl_two(1)", varnames()]])).
t(pcl_second_of_line, pcl_info(pcl_two(_), 2, T, N), [T, N], answers([["pcl_two(X) :- X = é, pcl_f(X, _Z)", varnames('X', '_Z')]])).
t(pcl_grammar, pcl_info(pcl_rule(_, _), 1, T, _), [T], answers([["pcl_rule --> \"ab\", pcl_rule, { true }, [X, X]"]])).
t(pcl_guard, pcl_info(pcl_ssu(_), 1, T, N), [T, N], answers([["pcl_ssu(X), atom(X) => true", varnames('X')]])).
t(pcl_rule, pcl_info(pcl_ssu(_), 2, T, N), [T, N], answers([["pcl_ssu(X) => X = []", varnames('X')]])).
t(pcl_choice_rule, pcl_info(pcl_ssu(_), 3, T, N), [T, N], answers([["?=>(pcl_ssu(a), true)", varnames()]])).
t(pcl_variable, pcl_info(pcl_var(_), 1, T, N), [T, N], answers([["pcl_var(X) :- X", varnames('X')]])).
t(pcl_goal_expansion, pcl_info(pcl_e(_), 1, T, N), [T, N], answers([["pcl_e(X) :- pcl_expands(X), forall(member(Y, X), pcl_expands(Y))", varnames('X', 'Y')]])).
t(pcl_term_expansion, pcl_info(pcl_made(_), 2, T, N), [T, N], answers([["pcl_term(made)", varnames()]])).
t(pcl_module, pcl_info(pcl_module:pcl_q(_), 1, T, N), [T, N], answers([["pcl_module:pcl_q(X) :- pcl_f(X, X)", varnames('X')]])).
t(pcl_bindings, ( nth_clause(pcl_f(_, _), 1, R), clause_info(R, _, _, _, [variable_names(B)]) ), [B], answers([[['X'=_, 'Y'=_]]])).
t(pcl_asserted, ( assertz(pcl_d(1), R), clause_info(R, _, _, _) ), [], fails).
t(pcl_library, ( nth_clause(lists:subtract(_, _, _), 1, R), clause_info(R, F, _, _), atom(F) ; true ), [], answers([[], []])).
t(pcl_erased, ( assertz(pcl_d(2), R), erase(R), clause_info(R, _, _, _) ), [], fails).
t(pcl_no_clause, clause_info(foo, _, _, _), [], throws(type_error(db_reference, foo))).
t(pcl_unbound, clause_info(_, _, _, _), [], throws(instantiation_error)).
t(pcl_edited,
  pcl_file(":- dynamic pcl_g/1.\npcl_g(1).\n",
           ( load_files(F, [silent(true)]), nth_clause(pcl_g(_), 1, R),
             setup_call_cleanup(open(F, write, Out), write(Out, ":- dynamic pcl_g/1.\npcl_g(2).\n"), close(Out)),
             ( clause_info(R, _, _, _) -> A = found ; A = gone ) ), F),
  [A], answers([[gone]])).
t(pcl_name, ( predicate_name(pcl_f(_, _), A), predicate_name(user:pcl_f/2, B), predicate_name(lists:append(_, _, _), C), predicate_name(pcl_module:pcl_q(_), D), predicate_name(pcl_rule//0, E) ),
  [A, B, C, D, E], answers([["pcl_f/2", "pcl_f/2", "append/3", "pcl_module:pcl_q/1", "pcl_rule//0"]])).
t(pcl_name_of_what, predicate_name(1, _), [], throws(type_error(callable, 1))).
t(pcl_clause_name, ( nth_clause(pcl_two(_), 2, R), clause_name(R, N) ), [N], answers([["2-nd clause of pcl_two/1"]])).
t(pcl_initialization,
  pcl_file(":- initialization(pcl_i(X, 'é', Y)).\n", ( initialization_layout(F:1, pcl_i(_, é, _), G, L), pcl_text(F, L, T) ), F), [G, T],
  answers([[pcl_i(_, é, _), "pcl_i(X, 'é', Y)"]])).
t(pcl_initialization_other, pcl_file(":- initialization(a).\n", initialization_layout(F:1, b, _, _), F), [], fails).
