:- module(block_directive, [ (block)/1, op(1150, fx, block) ]).
:- use_module(library(error), [must_be/2, domain_error/2]).

/*  SICStus Prolog's directive `block`, in its dialects and for modules that import this library.

    A predicate that is blocked, `:- block merge(-, ?, -), merge(?, -, -).`, is one of another name, `block merge`, and clauses before it for each declaration, which wait. What the program's
    clauses and grammar rules define is renamed as they are read: blocked(Module, Name, Arity) says which. A file says so again each time that it is loaded.  */

:- assertz(system:('$library_expansion'(Term, Clauses) :- block_directive:expansion(Term, Clauses))).

expansion(Term, Clauses) :-
    nonvar(Term),
    expanded(Term, Clauses).

expanded((:- Directive), Clauses) :- !,
    nonvar(Directive),
    Directive = block(Specs),
    prolog_load_context(module, Module),
    has_blocks(Module),
    must_be(nonvar, Specs),
    blocks(Specs, Module, Heads),
    sort(Heads, Indicators),
    declared(Indicators, Heads, Clauses).
expanded((Head --> Body), (Blocked --> Body)) :- !,
    (   nonvar(Head), Head = (Head0, Pushed)
    ->  renamed(Head0, 2, Blocked0),
        Blocked = (Blocked0, Pushed)
    ;   renamed(Head, 2, Blocked)
    ).
expanded((Head :- Body), (Blocked :- Body)) :- !,
    renamed(Head, 0, Blocked).
expanded(Head, Blocked) :-
    renamed(Head, 0, Blocked).

%   has_blocks(+Module): it imports this library, or is read in a dialect that has the directive.
has_blocks(_) :-
    '$flag'(emulated_dialect, Dialect),
    is_sicstus(Dialect), !.
has_blocks(Module) :-
    predicate_property(Module:block(_), imported_from(block_directive)).

%   blocked(?Module, +Name, ?Arity) is nondet: the same more than once if several files say so.
blocked(Module, Name, Arity) :-
    '$says'(Name, blocked(Module, Arity)).

is_sicstus(sicstus).
is_sicstus(sicstus4).

%   renamed(+Head, +Added, -Blocked): Added arguments of the predicate are not in the text.
renamed(Head, Added, Blocked) :-
    callable(Head),
    functor(Head, Name, Arity0),
    Arity is Arity0+Added,
    blocked(Module, Name, Arity),
    prolog_load_context(module, Module), !,
    has_blocks(Module),
    atom_concat('block ', Name, NewName),
    Head =.. [_|Args],
    Blocked =.. [NewName|Args].

%   blocks(+Specs, +Module, -Heads): Heads are PI-Places, Places of the arguments that are `-`.
blocks((A, B), Module, Heads) :- !,
    blocks(A, Module, Heads1),
    blocks(B, Module, Heads2),
    append(Heads1, Heads2, Heads).
blocks(Spec, Module, [Name/Arity-Places]) :-
    must_be(callable, Spec),
    functor(Spec, Name, Arity),
    findall(I, ( arg(I, Spec, Mode), block_mode(Mode, Spec), Mode == (-) ), Places),
    ( Places == [] -> domain_error(block_specification, Spec) ; true ),
    Blocked = blocked(Module, Arity),
    '$say_anew'(Name, Blocked, Blocked).

block_mode(Mode, Spec) :-
    (   memberchk(Mode, [-, ?]) -> true
    ;   domain_error(block_specification, Spec)
    ).

declared(Sorted, Heads, Clauses) :-
    findall(PI, member(PI-_, Sorted), PIs0),
    list_to_set(PIs0, PIs),
    waiting_of_each(PIs, Heads, Clauses).

waiting_of_each([], _, []).
waiting_of_each([PI|PIs], Heads, Clauses) :-
    findall(Clause, ( member(PI-Places, Heads), waiting(PI, Places, Clause) ), Waiting),
    PI = Name/Arity,
    functor(Head, Name, Arity),
    Head =.. [_|Args],
    atom_concat('block ', Name, NewName),
    Goal =.. [NewName|Args],
    append(Waiting, [(Head :- Goal)|Clauses1], Clauses),
    waiting_of_each(PIs, Heads, Clauses1).

%   (It is called by a goal that a clause of the program does not have: what is read is renamed.)
waiting(Name/Arity, Places, (Head :- Unbound, !, when(Condition, Head))) :-
    functor(Head, Name, Arity),
    conditions(Places, Head, Unbound, Condition).

conditions([I], Head, var(Arg), nonvar(Arg)) :- !,
    arg(I, Head, Arg).
conditions([I|Places], Head, (var(Arg), Unbound), (nonvar(Arg) ; Condition)) :-
    arg(I, Head, Arg),
    conditions(Places, Head, Unbound, Condition).

%!  block(+Specs)
%
%   A directive; see above.

block(Specs) :-
    throw(error(context_error(nodirective, block(Specs)), _)).
