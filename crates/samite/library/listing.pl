:- module(listing,
          [ listing/0,
            listing/1,
            listing/2
          ]).

%   Prints predicates as they would be written in a file; as SWI-Prolog's library(listing). The clauses of static
%   predicates are read from the file they came from, for the names of their variables.

:- meta_predicate(listing(:)).
:- meta_predicate(listing(:, ?)).

%!  listing is det.
%   Lists the predicates of module user.
listing :-
    findall(PI, '$listed'(_, PI), List),
    forall('$member'(PI, List), '$list_predicate'(PI)).

%!  listing(:Spec) is det.
%   Lists the predicates Spec stands for: Name, Name/Arity, Name//Arity, or a list of these.
listing(Spec) :- listing(Spec, []).

%!  listing(:Spec, +Options) is det.
listing(Spec, _) :- var(Spec), !,
    throw(error(instantiation_error, context(system:listing/1, _))).
listing([], _) :- !.
listing([S|Ss], Options) :- !, listing(S, Options), listing(Ss, Options).
listing(M:Spec, Options) :- atom(M), nonvar(Spec), !,
    (   Spec = [_|_]
    ->  forall('$member'(S, Spec), listing(M:S, Options))
    ;   '$list_spec'(Spec, M)
    ).
listing(Spec, _) :- '$list_spec'(Spec, user).

'$list_spec'(Spec, M) :-
    '$spec_name'(Spec, Name, Arity),
    findall(M:Name/Arity, ( '$listed'(M, M:Name/Arity) ), PIs0),
    (   PIs0 == [] -> findall(system:Name/Arity, '$listed'(system, system:Name/Arity), PIs) ; PIs = PIs0 ),
    (   PIs == []
    ->  throw(error(existence_error(procedure, Spec), context(system:listing/1, _)))
    ;   forall('$member'(PI, PIs), '$list_predicate'(PI))
    ).

'$spec_name'(Name//A0, Name, Arity) :- !,
    ( integer(A0) -> Arity is A0+2 ; true ).
'$spec_name'(Name/Arity, Name, Arity) :- !.
'$spec_name'(Name, Name, _) :- atom(Name), !.
'$spec_name'(Spec, _, _) :- throw(error(type_error(predicate_specifier, Spec), context(system:listing/1, _))).

'$listed'(M, M:Name/Arity) :-
    ( var(M) -> M = user ; true ),
    predicate_property(M:Head, defined),
    functor(Head, Name, Arity),
    \+ predicate_property(M:Head, foreign),
    (   M == system
    ->  true
    ;   \+ predicate_property(M:Head, system)
    ).
'$listed'(M, M:Name/Arity) :-
    atom(Name), atom(M), M \== system,
    '$dynamic_without_clauses'(M, Name, Arity).

%   Dynamic predicates without clauses are not enumerated by predicate_property/2.
'$dynamic_without_clauses'(M, Name, Arity) :-
    ( integer(Arity) -> true ; between(0, 8, Arity) ),
    functor(Head, Name, Arity),
    predicate_property(M:Head, dynamic),
    \+ predicate_property(M:Head, system),
    predicate_property(M:Head, number_of_clauses(0)).

'$list_predicate'(M:Name/Arity) :-
    functor(Head, Name, Arity),
    '$list_declarations'(M, Head, Name/Arity),
    (   predicate_property(M:Head, dynamic)
    ->  forall(clause(M:Head, Body), '$list_clause'(Head, Body))
    ;   predicate_property(M:Head, file(File)), exists_file(File)
    ->  '$list_source'(File, Name, Arity)
    ;   forall(catch(clause(M:Head, Body), error(_, _), fail), '$list_clause'(Head, Body))
    ),
    nl.

'$list_declarations'(M, Head, PI) :-
    findall(D, ( '$declaration'(D), '$has_property'(D, M:Head) ), Ds),
    forall('$member'(D, Ds), format(':- ~w ~q.~n', [D, PI])),
    ( Ds == [] -> true ; nl ).

'$has_property'(table, Head) :- !, predicate_property(Head, tabled).
'$has_property'(dynamic, Head) :- !, predicate_property(Head, dynamic), \+ predicate_property(Head, thread_local).
'$has_property'(D, Head) :- predicate_property(Head, D).

'$declaration'(table).
'$declaration'(dynamic).
'$declaration'(thread_local).
'$declaration'(multifile).
'$declaration'(discontiguous).

'$list_clause'(Head, Body) :-
    ( Body == true -> portray_clause(Head) ; portray_clause((Head :- Body)) ).

%   The clauses of a predicate in a file, with the variable names they have there.
'$list_source'(File, Name, Arity) :-
    setup_call_cleanup(
        open(File, read, Stream),
        '$list_terms'(Stream, Name, Arity),
        close(Stream)).

'$list_terms'(Stream, Name, Arity) :-
    repeat,
    catch(read_term(Stream, Term, [variable_names(Bindings)]), error(_, _), Term = []),
    (   Term == end_of_file -> !
    ;   catch(expand_term(Term, Expanded), _, fail),
        '$clause_in'(Expanded, Clause),
        '$clause_head'(Clause, Head),
        functor(Head, Name, Arity),
        '$bind_names'(Bindings, Term),
        portray_clause(Clause),
        fail
    ).

'$clause_in'(Clauses, _) :- var(Clauses), !, fail.
'$clause_in'([C|Cs], Clause) :- !, '$member'(Clause, [C|Cs]).
'$clause_in'(Clause, Clause).

'$clause_head'((:- _), _) :- !, fail.
'$clause_head'((H :- _), Head) :- !, '$clause_head'(H, Head).
'$clause_head'(_:H, Head) :- !, '$clause_head'(H, Head).
'$clause_head'(Head, Head) :- callable(Head).

%   Names that occur once stay as they are: portray_clause/1 writes `_`.
'$bind_names'([], _).
'$bind_names'([Name=Var|Bs], Term) :-
    (   var(Var), occurrences_of_var(Var, Term, N), N > 1
    ->  Var = '$VAR'(Name)
    ;   true
    ),
    '$bind_names'(Bs, Term).
