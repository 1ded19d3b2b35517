:- module(prolog_vm, [vm_list/1]).

/*  What clauses are compiled to.  */

:- meta_predicate(vm_list(:)).

%!  vm_list(:Spec) is det.
%
%   Prints the instructions of the clauses of the predicates that Spec stands for: Name, Name/Arity, Name//Arity, or of the clause
%   that it is a reference to. The instructions are described in the crate of the compiler; a label is a place in the clause.

vm_list(Spec) :-
    '$strip'(Spec, M, Plain),
    must_be(nonvar, Plain),
    (   blob(Plain, clause)
    ->  clause_code(Plain)
    ;   findall(PI, specified(Plain, M, PI), PIs),
        (   PIs == []
        ->  throw(error(existence_error(procedure, M:Plain), context(system:vm_list/1, _)))
        ;   forall(member(PI, PIs), predicate_code(PI))
        )
    ).

specified(Name/Arity, M, M:Name/Arity) :-
    current_predicate(M:Name/Arity).
specified(Name//N, M, M:Name/Arity) :-
    integer(N),
    Arity is N+2,
    current_predicate(M:Name/Arity).
specified(Name, M, M:Name/Arity) :-
    atom(Name),
    current_predicate(M:Name/Arity).

predicate_code(M:Name/Arity) :-
    functor(Head, Name, Arity),
    forall(nth_clause(M:Head, N, Reference),
           (   format("% ~q, clause ~d~n", [M:Name/Arity, N]),
               clause_code(Reference)
           )).

clause_code(Reference) :-
    '$clause_listing'(Reference, Text),
    write(Text).
