:- module('$predicates',
          [ compile_predicates/1,
            copy_predicate_clauses/2,
            current_functor/2,
            (dynamic)/2,
            redefine_system_predicate/1,
            require/1
          ]).

/*  What is done to whole predicates, as in SWI-Prolog.  */

:- meta_predicate(compile_predicates(:)).
:- meta_predicate(copy_predicate_clauses(:, :)).
:- meta_predicate(dynamic(:, +)).
:- meta_predicate(require(:)).

%!  dynamic(:Indicators, +Options) is det.
%
%   As dynamic/1 for a list of predicates. Options: thread(local) makes them thread-local, thread(shared) does not; multifile(Bool) and
%   discontiguous(Bool) declare them so; incremental(true) that incremental
%   tables which depend on them are made anew when they have changed, with abstract(0) whatever the clauses are that have.

dynamic(Specs, Options) :-
    strip_module(Specs, M, List),
    must_be(list, List),
    must_be(list, Options),
    dynamic_options(Options, (dynamic), How, More),
    declare(How, M:List),
    declare_each(More, M:List).

dynamic_options([], How, How, []).
dynamic_options([Option|Options], How0, How, More) :-
    must_be(nonvar, Option),
    (   dynamic_option(Option, How0, How1, Declared)
    ->  true
    ;   domain_error(dynamic_option, Option)
    ),
    '$append'(Declared, More1, More),
    dynamic_options(Options, How1, How, More1).

dynamic_option(incremental(Bool), How, How, Declared) :- declared(Bool, incremental, Declared).
dynamic_option(abstract(N), How, How, [incremental, abstract]) :- N == 0.
dynamic_option(thread(Who), _, How, []) :-
    must_be(atom, Who),
    ( ( Who == local ; Who == shared ) -> true ; domain_error([local, shared], Who) ),
    ( Who == local -> How = (thread_local) ; How = (dynamic) ).
dynamic_option(multifile(Bool), How, How, Declared) :- declared(Bool, (multifile), Declared).
dynamic_option(discontiguous(Bool), How, How, Declared) :- declared(Bool, (discontiguous), Declared).

declared(Bool, Declaration, Declared) :-
    must_be(boolean, Bool),
    ( Bool == true -> Declared = [Declaration] ; Declared = [] ).

declare_each([], _).
declare_each([How|Hows], Specs) :-
    declare(How, Specs),
    declare_each(Hows, Specs).

declare((dynamic), Specs) :- dynamic(Specs).
declare((thread_local), Specs) :- thread_local(Specs).
declare((multifile), Specs) :- multifile(Specs).
declare((discontiguous), Specs) :- discontiguous(Specs).
declare(incremental, Specs) :- '$declare'(incremental, Specs).
declare(abstract, Specs) :- '$declare'(abstract, Specs).

%!  compile_predicates(:Indicators) is det.
%
%   Makes the dynamic predicates of a list static. Each is to be defined.

compile_predicates(Specs) :-
    '$strip'(Specs, M, List),
    catch(compile(List, M), error(Formal, _), throw(error(Formal, context(system:compile_predicates/1, _)))).

compile(List, _) :- var(List), !, throw(error(instantiation_error, _)).
compile([], _) :- !.
compile([PI|PIs], M) :- !,
    '$make_static'(M:PI),
    compile(PIs, M).
compile(List, _) :- throw(error(type_error(list, List), _)).

%!  copy_predicate_clauses(:From, :To) is det.
%
%   Adds copies of the clauses of From to To, which is dynamic or undefined: then it becomes dynamic. Both are Name/Arity or Name//Arity,
%   of the same arity. What the clauses call stays as it is. The copies that a file makes while it is loaded are its clauses.

copy_predicate_clauses(From0, To0) :-
    head(From0, From),
    head(To0, To),
    From = _:F,
    To = M:T,
    functor(F, _, Arity),
    functor(T, Name, Arity0),
    (   Arity0 == Arity
    ->  true
    ;   throw(error(domain_error(arity(Arity), Name/Arity0), context(system:copy_predicate_clauses/2, _)))
    ),
    (   predicate_property(To, defined),
        \+ predicate_property(To, dynamic)
    ->  throw(error(permission_error(modify, static_procedure, M:Name/Arity), context(system:copy_predicate_clauses/2, _)))
    ;   dynamic(M:Name/Arity)
    ),
    F =.. [_|Args],
    T =.. [_|Args],
    catch(forall(copied(From, T, Clause), compile_aux_clauses([M:Clause])), error(Formal, _),
          throw(error(Formal, context(system:copy_predicate_clauses/2, _)))).

copied(From, Head, Clause) :-
    clause(From, Body, Reference),
    '$clause_neck'(Reference, Neck),
    Clause =.. [Neck, Head, Body].

%   The most general goal of a predicate indicator.
head(Spec, M:Head) :-
    '$strip'(Spec, M, PI),
    (   ( var(PI) ; PI = Name/Arity, ( var(Name) ; var(Arity) ) )
    ->  throw(error(instantiation_error, context(system:copy_predicate_clauses/2, _)))
    ;   PI = Name/Arity, atom(Name), integer(Arity), Arity >= 0
    ->  true
    ;   PI = Name//Arity0, atom(Name), integer(Arity0), Arity0 >= 0
    ->  Arity is Arity0+2
    ;   throw(error(type_error(predicate_indicator, PI), context(system:copy_predicate_clauses/2, _)))
    ),
    functor(Head, Name, Arity).

%!  current_functor(?Name, ?Arity) is nondet.
%
%   There is, or was called, a predicate with this name and arity. The functors of terms are kept nowhere, so they are not found.

current_functor(Name, Arity) :-
    (   var(Arity)
    ->  true
    ;   integer(Arity)
    ->  Arity >= 0
    ;   throw(error(type_error(integer, Arity), context(system:current_functor/2, _)))
    ),
    (   var(Name)
    ->  true
    ;   atom(Name)
    ->  true
    ;   throw(error(type_error(atom, Name), context(system:current_functor/2, _)))
    ),
    '$predicates'(_, Name, Arity, Own0),
    '$system_predicates'(_, _, System),
    findall(PI, ( member(PI, System) ; member(_:PI, Own0) ), PIs0),
    sort(PIs0, PIs),
    (   atom(Name), integer(Arity)
    ->  ( memberchk(Name/Arity, PIs) -> true ; '$library_for_calls'(Name/Arity, _) )
    ;   member(Name/Arity, PIs)
    ;   atom(Name),
        between(0, 9, Arity),
        '$library_for_calls'(Name/Arity, _),
        \+ memberchk(Name/Arity, PIs)
    ).

%!  require(:Indicators) is det.
%
%   The module calls these predicates, a list or a conjunction: those that it has not, and that are not everybody's, are loaded from the library that exports them when they are
%   called (autoload/2).
%
%   @error existence_error(procedure, Indicator) if no library does.

require(Spec) :-
    strip_module(Spec, M, Indicators),
    required(Indicators, PIs),
    maplist(indicated, PIs, Names),
    maplist(provided(M), Names).

required(Spec, _) :- var(Spec), !, instantiation_error(Spec).
required(Spec, Spec) :- is_list(Spec), !.
required((A, B), PIs) :- !, required(A, As), required(B, Bs), append(As, Bs, PIs).
required(PI, [PI]).

indicated(PI, _) :- var(PI), !, instantiation_error(PI).
indicated(Name/Arity, Name/Arity) :- !, must_be(atom, Name), must_be(nonneg, Arity).
indicated(Name//Arity0, Name/Arity) :- !, must_be(atom, Name), must_be(nonneg, Arity0), Arity is Arity0+2.
indicated(PI, _) :- type_error(predicate_indicator, PI).

provided(M, Name/Arity) :-
    functor(Head, Name, Arity),
    (   ( predicate_property(M:Head, dynamic) ; predicate_property(M:Head, imported_from(_)) ; predicate_property(M:Head, number_of_clauses(_)) ; predicate_property(system:Head, built_in) ) -> true
    ;   '$library_for_calls'(Name/Arity, Library) -> autoload(M:library(Library), [Name/Arity])
    ;   existence_error(procedure, Name/Arity)
    ).

%!  redefine_system_predicate(:Head) is det.
%
%   The module is to define a predicate of the system's, for itself: so it may without this, unless that is one of the core, which are nobody's to define.

:- meta_predicate(redefine_system_predicate(:)).

redefine_system_predicate(Qualified) :-
    '$strip_modules'(Qualified, Module, Head),
    (   var(Head) -> throw(error(instantiation_error, context(system:redefine_system_predicate/1, _)))
    ;   callable(Head) -> true
    ;   throw(error(type_error(callable, Head), context(system:redefine_system_predicate/1, _)))
    ),
    functor(Head, Name, Arity),
    functor(General, Name, Arity),
    (   predicate_property(system:General, iso)
    ->  throw(error(permission_error(redefine, procedure, Module:Name/Arity), context(system:redefine_system_predicate/1, _)))
    ;   true
    ).
