% Loading files of facts, rules and grammars, and compiling terms into clauses.

source(N, Writer, File) :-
    tmp_file(micro, File),
    open(File, write, Out),
    format(Out, ":- discontiguous loaded/2.~n", []),
    forall(between(1, N, I), call(Writer, Out, I)),
    close(Out).

loaded_from(File) :-
    load_files(File, []),
    unload_file(File),
    delete_file(File).

operation(load_facts, 2000).
prepare(load_facts, N, F) :- source(N, facts, F).
work(load_facts, N, F, N) :- loaded_from(F).

facts(Out, I) :- format(Out, "loaded_fact(~d, a~d, f(x, ~d), 'An atom', \"text\").~n", [I, I, I]).

operation(load_rules, 1000).
prepare(load_rules, N, F) :- source(N, rules, F).
work(load_rules, N, F, N) :- loaded_from(F).

rules(Out, I) :- format(Out, "loaded_rule(~d, X, Y) :- X > ~d, ( atom(X) -> Y = a ; foo(X, Z), Y is Z+~d ), \\+ bar(Y).~n", [I, I, I]).

operation(load_predicates, 500).
prepare(load_predicates, N, F) :- source(N, predicates, F).
work(load_predicates, N, F, N) :- loaded_from(F).

predicates(Out, I) :- J is I+1, format(Out, "loaded_p~d(X) :- loaded_p~d(X).~nloaded_p~d(a).~n~n", [I, J, I]).

operation(load_grammar, 1000).
prepare(load_grammar, N, F) :- source(N, grammar, F).
work(load_grammar, N, F, N) :- loaded_from(F).

grammar(Out, I) :- format(Out, "loaded_g(~d, T) --> \"some text\", loaded_g(T), ( \"x\" ; [] ), { atom(T) }, !.~n", [I]).

operation(load_grammar_literals, 750).
prepare(load_grammar_literals, N, F) :- source(1, long_grammar(N), F).
work(load_grammar_literals, N, F, N) :- loaded_from(F).

long_grammar(N, Out, _) :-
    format(Out, "loaded_long --> ", []),
    forall(between(1, N, I), format(Out, "\"literal ~d\", ", [I])),
    format(Out, "[].~n", []).

operation(load_long_body, 1500).
prepare(load_long_body, N, F) :- source(1, long_body(N), F).
work(load_long_body, N, F, N) :- loaded_from(F).

long_body(N, Out, _) :-
    format(Out, "loaded_body(X0, X) :- ", []),
    forall(between(1, N, I), ( J is I-1, format(Out, "loaded_call(X~d, X~d), ", [J, I]) )),
    format(Out, "X = X~d.~n", [N]).

operation(load_long_list, 5000).
prepare(load_long_list, N, F) :- source(1, long_list(N), F).
work(load_long_list, N, F, N) :- loaded_from(F).

long_list(N, Out, _) :-
    numlist(1, N, L),
    format(Out, "loaded_list(~w).~n", [L]).

operation(load_directives, 1500).
prepare(load_directives, N, F) :- source(N, directives, F).
work(load_directives, N, F, N) :- loaded_from(F).

directives(Out, I) :- format(Out, ":- atom(a~d).~n", [I]).

operation(load_disjunctions, 600).
prepare(load_disjunctions, N, F) :- source(1, long_disjunction(N), F).
work(load_disjunctions, N, F, N) :- loaded_from(F).

long_disjunction(N, Out, _) :-
    format(Out, "loaded_choice(X, Y) :- ( ", []),
    forall(between(1, N, I), format(Out, "X == ~d -> Y = a~d ; ", [I, I])),
    format(Out, "Y = none ).~n", []).

operation(load_lambdas, 700).
prepare(load_lambdas, N, F) :- source(N, lambdas, F).
work(load_lambdas, N, F, N) :- loaded_from(F).

lambdas(Out, I) :- format(Out, "loaded_lambda(~d, L, M) :- maplist([X, Y]>>(Y is X+~d), L, M).~n", [I, I]).

operation(load_operators, 1000).
prepare(load_operators, N, F) :- source(N, operators, F).
work(load_operators, N, F, N) :- loaded_from(F).

operators(Out, I) :- format(Out, "loaded_op(~d, A+B*C-D/E = F, [A, B|C] :- D, (E -> F ; \\+ A), - 1, -(1), a:b:c).~n", [I]).

operation(dcg_translate, 3000).
work(dcg_translate, N, _, X) :-
    repeated(N, dcg_translate_rule(( a(Y) --> "text", b(Y), ( c ; \+ d ), { e }, ! ), _)),
    X = yes.

operation(dcg_translate_literals, 15000).
prepare(dcg_translate_literals, N, ( a --> Body )) :- literals(N, Body).
work(dcg_translate_literals, N, Rule, N) :- dcg_translate_rule(Rule, _).

literals(1, "text") :- !.
literals(N, ( "text", B )) :- N1 is N-1, literals(N1, B).

operation(expand_term, 5000).
work(expand_term, N, _, X) :- repeated(N, expand_term(( a(Y) :- b(Y), ( c(Y) -> d ; e ) ), _)), X = yes.

operation(expand_goal, 5000).
work(expand_goal, N, _, X) :- repeated(N, expand_goal(( b(Y), ( c(Y) -> d ; e ) ), _)), X = yes.

operation(static_body, 100).
prepare(static_body, N, F) :- source(N, wide_clause, F).
work(static_body, N, F, N) :- loaded_from(F).

wide_clause(Out, I) :-
    numlist(1, 50, L),
    atomic_list_concat(L, ', A', A),
    format(Out, "loaded_wide(~d, f(A~w)) :- g(A~w), h(A~w).~n", [I, A, A, A]).
