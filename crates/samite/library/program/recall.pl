:- module('$recall', ['$recall'/1]).

/*  Clauses of libraries as terms (`builtins/recalled.rs`).

    Who asks for the clauses of a library has its text read once more, when
    it has been loaded: each clause gets its term.
*/

%   '$recall'(+Module): of the library with this module, if there is one.

'$recall'(Module) :-
    (   '$library_module'(Module, Library)
    ->  '$load_library'(Library),
        '$recall_begins',
        setup_call_cleanup(
            '$open_library'(Library),
            recall_clauses(Module),
            '$close_library')
    ;   '$recall_begins'
    ),
    '$recall_ends'(Module).

recall_clauses(Module) :-
    repeat,
    '$library_term'(Term, Line),
    recall_term(Term, Module, Line),
    Term == end_of_file,
    !.

recall_term(end_of_file, _, _) :- !.
recall_term((:- _), _, _) :- !.
recall_term((_, _), _, _) :- !.
recall_term(Rule, Module, Line) :-
    Rule = (_ --> _),
    !,
    dcg_translate_rule(Rule, Clause),
    '$recall_clause'(Module, Clause, Line).
recall_term(Clause, Module, Line) :-
    '$recall_clause'(Module, Clause, Line).
