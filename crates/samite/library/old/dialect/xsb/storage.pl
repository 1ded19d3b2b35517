:- module(storage, [ storage_insert_fact/3, storage_delete_fact/3, storage_delete_all/1, storage_find_fact/2 ]).

/*  XSB's module storage: named sets of facts, of all threads.  */

:- dynamic(fact/2).

%!  storage_insert_fact(+Name, +Fact, -Inserted) is det.
%   Inserted is 1, or 0 if it was there.
storage_insert_fact(Name, Fact, Inserted) :-
    '$locked'('$storage', insert(Name, Fact, Inserted0)),
    Inserted = Inserted0.

insert(Name, Fact, Inserted) :-
    (   has(Name, Fact, _)
    ->  Inserted = 0
    ;   assertz(fact(Name, Fact)),
        Inserted = 1
    ).

has(Name, Fact, Reference) :-
    copy_term(Fact, Like),
    clause(fact(Name, Like), true, Reference),
    clause(fact(Name, Stored), true, Reference),
    Stored =@= Fact, !.

%!  storage_delete_fact(+Name, +Fact, -Deleted) is det.
%   Deleted is 1, or 0 if it was not there.
storage_delete_fact(Name, Fact, Deleted) :-
    '$locked'('$storage', delete(Name, Fact, Deleted0)),
    Deleted = Deleted0.

delete(Name, Fact, Deleted) :-
    (   has(Name, Fact, Reference)
    ->  erase(Reference),
        Deleted = 1
    ;   Deleted = 0
    ).

%!  storage_delete_all(+Name) is det.
storage_delete_all(Name) :- retractall(fact(Name, _)).

%!  storage_find_fact(+Name, ?Fact) is nondet.
storage_find_fact(Name, Fact) :- fact(Name, Fact).
