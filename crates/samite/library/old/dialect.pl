% Programs written for other Prolog systems, as in SWI-Prolog's library(dialect).

:- module(prolog_dialect, [ expects_dialect/1, '$dialect_library'/3, '$dialect_terms'/4, '$preprocessed_text'/4, '$end_dialect'/1 ]).
:- use_module(library(error), [must_be/2, domain_error/2]).
:- use_module(library(operators), [push_operators/2, pop_operators/1]).

%!  expects_dialect(+Dialect) is det.
%
%   The rest of the file is written for Dialect: swi, samite, iso, xsb, sicstus, sicstus4, yap or hprolog; the flag `emulated_dialect` says so. That is as library(dialect/Dialect) has it, whose operators
%   stay in a module, but not in `user`, where they would be everybody's. Others are not emulated: a domain_error(dialect, Dialect).

expects_dialect(Dialect) :-
    must_be(atom, Dialect),
    (   own(Dialect)
    ->  set_prolog_flag(emulated_dialect, swi)
    ;   emulated(Dialect, Library)
    ->  prolog_load_context(module, Module),
        (   Module == user,
            '$load_state'(_, Session, _)
        ->  use_module(Module:Library, except([op(_, _, _)])),
            exported_operators(Library, Operators),
            push_operators(Module:Operators, Undo),
            asserta(system:'$dialect_operators'(Session, Undo))
        ;   use_module(Module:Library)
        ),
        set_prolog_flag(emulated_dialect, Dialect),
        printing(Dialect)
    ;   domain_error(dialect, Dialect)
    ).

%   printing(+Dialect): print/1,2 and what stands on it writes no quotes in SICStus Prolog. As in SWI-Prolog that is so for the whole program from there on.
printing(Dialect) :-
    (   memberchk(Dialect, [sicstus, sicstus4]),
        current_prolog_flag(print_write_options, Options0),
        selectchk(quoted(true), Options0, Options)
    ->  set_prolog_flag(print_write_options, Options)
    ;   true
    ).

own(swi).
own(samite).
own(iso).

emulated(xsb, library(dialect/xsb)).
emulated(sicstus, library(dialect/sicstus)).
emulated(sicstus4, library(dialect/sicstus4)).
emulated(yap, library(dialect/yap)).
emulated(hprolog, library(dialect/hprolog)).

%   '$dialect_library'(+Dialect, +Name, -Library) is semidet: library(Name) in a file of that dialect is another one than Samite's.

'$dialect_library'(sicstus, Name, Library) :- of_sicstus(Name, Library).
'$dialect_library'(sicstus4, Name, Library) :- of_sicstus4(Name, Library).

of_sicstus(arrays, dialect/sicstus/arrays).
of_sicstus(block, dialect/sicstus/block).
of_sicstus(lists, dialect/sicstus/lists).
of_sicstus(ordsets, dialect/sicstus/ordsets).
of_sicstus(sockets, dialect/sicstus/sockets).
of_sicstus(system, dialect/sicstus/system).
of_sicstus(terms, dialect/sicstus/terms).
of_sicstus(timeout, dialect/sicstus/timeout).

of_sicstus4(between, dialect/sicstus4/between).
of_sicstus4(clpfd, dialect/sicstus4/clpfd).
of_sicstus4(file_systems, dialect/sicstus4/file_systems).
of_sicstus4(lists, dialect/sicstus4/lists).
of_sicstus4(ordsets, dialect/sicstus4/ordsets).
of_sicstus4(samsort, dialect/sicstus4/samsort).
of_sicstus4(sets, dialect/sicstus4/sets).
of_sicstus4(sockets, dialect/sicstus4/sockets).
of_sicstus4(system, dialect/sicstus4/system).
of_sicstus4(terms, dialect/sicstus4/terms).
of_sicstus4(timeout, dialect/sicstus/timeout).
of_sicstus4(types, dialect/sicstus4/types).

exported_operators(library(A/B), Operators) :-
    atomic_list_concat([A, /, B], Name),
    '$library_module'(Module, Name),
    ( '$library_operators'(Module, Operators0) -> Operators = Operators0 ; Operators = [] ).

%   '$dialect_terms'(+Dialect, +File, +Options, -Terms): what is to be read before the text of the file; none: it begins with a module header; `own`: it
%   is in Samite's own dialect.

'$dialect_terms'(xsb, File, Options, Terms) :- !,
    '$xsb_terms'(File, Options, Terms).
'$dialect_terms'(Dialect, _, _, own) :-
    own(Dialect).

%   '$preprocessed_text'(+Dialect, +File, +Options, -Text) is semidet: what is to be read instead of it.

'$preprocessed_text'(xsb, File, Options, Text) :-
    '$xsb_preprocessed'(File, Options, Text).

%   '$end_dialect'(+Session): the operators that `user` had are there again.

'$end_dialect'(Session) :-
    forall(retract(system:'$dialect_operators'(Session, Undo)), pop_operators(Undo)).
