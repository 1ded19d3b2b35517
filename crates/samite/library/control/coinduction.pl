:- module(coinduction,
          [ (coinductive)/1,
            op(1150, fx, coinductive)
          ]).

/*  Goals that hold because they are being proved.

    As SWI-Prolog's library(coinduction), after L. Simon, A. Mallya, A. Bansal, G. Gupta: Coinductive logic programming (2006):

        :- coinductive ones/1.
        ones([1|T]) :- ones(T).

    A call of such a predicate unifies with the innermost call of it that has not ended and unifies, or, on backtracking, is proved by its clauses: ones(X) holds for cyclic lists
    of ones, `X = [1|X]`. What lies between the two calls should be coinductive, too; nothing looks at that.

    The clauses of p/n become those of 'coinductive p'/n, and p/n has one that looks at the calls that have not ended, which the global variable '$coinductive' has.
*/

%   declared(Module, General, Session, First): clauses that the load Session reads are of a coinductive predicate; whether none has come yet.
:- dynamic declared/4.
:- volatile declared/4.

%!  coinductive(:Indicators)
%
%   A directive: the predicates, one or several joined by commas, are coinductive. It stands before their clauses, in the same file.

coinductive(Indicators) :-
    throw(error(context_error(nodirective, coinductive(Indicators)), _)).

:- assertz(system:('$library_expansion'((:- coinductive(Indicators)), Clauses) :- coinduction:declared_now(Indicators, Clauses))).
:- assertz(system:('$library_expansion'(Term, Clauses) :- coinduction:clauses(Term, Clauses))).

%   The declaration takes effect when the directive is run, so a goal that only expands it declares nothing.
declared_now(Indicators, [(:- initialization(coinduction:declare(Predicates), now))]) :-
    prolog_load_context(module, Module),
    predicates(Indicators, Module, Predicates, []).

predicates(Indicators, _, _, _) :-
    var(Indicators), !,
    instantiation_error(Indicators).
predicates((A, B), Module, Ps0, Ps) :- !,
    predicates(A, Module, Ps0, Ps1),
    predicates(B, Module, Ps1, Ps).
predicates(Module:Indicators, _, Ps0, Ps) :- !,
    must_be(atom, Module),
    predicates(Indicators, Module, Ps0, Ps).
predicates(Name/Arity, Module, [Module:General|Ps], Ps) :- !,
    must_be(atom, Name),
    must_be(nonneg, Arity),
    functor(General, Name, Arity).
predicates(Indicator, _, _, _) :-
    type_error(predicate_indicator, Indicator).

declare([]).
declare([Module:General|Predicates]) :-
    session(Session),
    retractall(declared(Module, General, _, _)),
    assertz(declared(Module, General, Session, true)),
    declare(Predicates).

session(Session) :- '$load_state'(_, Session, _).

%   clauses(+Term, -Clauses) is semidet: what stands for a clause of a coinductive predicate.
clauses(Term, Clauses) :-
    declared(_, _, _, _),
    nonvar(Term), !,
    (   Term = (Head0 :- Body) -> Clause = (Proof :- Body)
    ;   Head0 = Term, Clause = Proof
    ),
    prolog_load_context(module, Here),
    '$strip_modules'(Here:Head0, Module, Head),
    callable(Head),
    functor(Head, Name, Arity),
    functor(General, Name, Arity),
    session(Session),
    declared(Module, General, Session, First), !,
    proof(Head, Module, Proof),
    (   First == true
    ->  retract(declared(Module, General, Session, true)),
        assertz(declared(Module, General, Session, false)),
        proof(General, Module, GeneralProof),
        Clauses = [(Module:General :- coinduction:holds(Module:General, GeneralProof)), Clause]
    ;   Clauses = Clause
    ).

proof(Head, Module, Module:Proof) :-
    Head =.. [Name|Args],
    atom_concat('coinductive ', Name, Renamed),
    Proof =.. [Renamed|Args].

%   holds(+Goal, +Proof): while Proof runs, Goal is among the calls that have not ended.
holds(Goal, Proof) :-
    ( nb_current('$coinductive', Calls) -> true ; Calls = [] ),
    (   open_call(Calls, Goal)
    ;   b_setval('$coinductive', [Goal|Calls]),
        call(Proof),
        b_setval('$coinductive', Calls)
    ).

open_call([Call|Calls], Goal) :-
    (   Call \= Goal -> open_call(Calls, Goal)
    ;   Goal = Call
    ).
