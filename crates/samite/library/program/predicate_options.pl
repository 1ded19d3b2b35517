:- module(predicate_options,
          [ predicate_options/3,
            assert_predicate_options/4,
            current_option_arg/2,
            current_predicate_option/3,
            current_predicate_options/3,
            check_predicate_option/3
          ]).

/*  Which options predicates take, with the predicates of SWI-Prolog's library(predicate_options) that declare it and ask for it.

    What files declare belongs to them as their clauses do; see said.pl. Samite's own builtins look at their options when they are called, and nothing
    is declared of them here. Programs are not analysed: that is what is not there of that library.
*/

:- meta_predicate(predicate_options(:, +, +)).
:- meta_predicate(assert_predicate_options(:, +, +, ?)).
:- meta_predicate(current_option_arg(:, ?)).
:- meta_predicate(current_predicate_option(:, ?, ?)).
:- meta_predicate(current_predicate_options(:, ?, ?)).
:- meta_predicate(check_predicate_option(:, +, +)).

%   added(?Name, ?Module, ?Arity, ?Arg, ?Option): by assert_predicate_options/4.
:- dynamic(added/5).

%!  predicate_options(:PI, +Arg, +Options) is det.
%
%   A directive: argument Arg of the predicate PI is a list of options. Options are terms Name(Type) for options Name(Value), with Type as for must_be/2,
%   or Name(-Type) for those that are unified with an answer, and pass_to(PI, Arg) if the list is passed on.

predicate_options(Spec, Arg, Options) :-
    strip_module(Spec, M, PI),
    (   prolog_load_context(source, _)
    ->  true
    ;   throw(error(context_error(nodirective, predicate_options(M:PI, Arg, Options)), _))
    ),
    indicator(PI, Name, Arity),
    check_declaration(Arity, Arg, Options),
    '$say'(Name, predicate_options(M, Arity, Arg, Options)).

indicator(PI, Name, Arity) :-
    must_be(nonvar, PI),
    (   PI = Name//Arity0
    ->  must_be(atom, Name),
        must_be(nonneg, Arity0),
        Arity is Arity0+2
    ;   PI = Name/Arity
    ->  must_be(atom, Name),
        must_be(nonneg, Arity)
    ;   type_error(predicate_indicator, PI)
    ).

check_declaration(Arity, Arg, Options) :-
    must_be(positive_integer, Arg),
    must_be(between(1, Arity), Arg),
    must_be(list, Options),
    check_declared(Options).

check_declared([]).
check_declared([Option|Options]) :-
    must_be(nonvar, Option),
    (   Option = pass_to(Spec, Arg)
    ->  strip_module(Spec, _, PI),
        indicator(PI, _, Arity),
        must_be(between(1, Arity), Arg)
    ;   compound(Option),
        compound_name_arity(Option, _, 1)
    ->  true
    ;   type_error(option_declaration, Option)
    ),
    check_declared(Options).

%!  assert_predicate_options(:PI, +Arg, +Options, ?New) is semidet.
%
%   As predicate_options/3, at run time. New says whether any of it was not known; fails, without adding anything, if New is false and some was not.

assert_predicate_options(Spec, Arg, Options, New) :-
    strip_module(Spec, M, PI),
    indicator(PI, Name, Arity),
    check_declaration(Arity, Arg, Options),
    findall(Option, ( member(Option, Options), \+ ( declared(M, Name, Arity, Arg, Known), Known =@= Option ) ), Others),
    (   Others == []
    ->  New = false
    ;   New = true,
        forall(member(Option, Others), assertz(added(Name, M, Arity, Arg, Option)))
    ).

%   declared(+Module, ?Name, ?Arity, ?Arg, -Option) is nondet.
declared(M, Name, Arity, Arg, Option) :-
    '$says'(Name, predicate_options(M, Arity, Arg, Options)),
    member(Option, Options).
declared(M, Name, Arity, Arg, Option) :-
    added(Name, M, Arity, Arg, Option).

%!  current_option_arg(:PI, ?Arg) is nondet.
%
%   Argument Arg of PI is a list of options.

current_option_arg(Spec, Arg) :-
    option_arg(Spec, _, _, _, Arg).

option_arg(Spec, M, Name, Arity, Arg) :-
    strip_module(Spec, M0, PI),
    (   nonvar(PI),
        PI = Name//Arity0,
        integer(Arity0)
    ->  Arity is Arity0+2
    ;   PI = Name/Arity
    ),
    (   atom(Name), integer(Arity)
    ->  home(M0, Name, Arity, M)
    ;   M = M0
    ),
    findall(Name/Arity-Arg, ( '$says'(Name, predicate_options(M, Arity, Arg, _)) ; added(Name, M, Arity, Arg, _) ), All0),
    sort(All0, All),
    member(Name/Arity-Arg, All).

%   Where a predicate is that a module calls.
home(M0, Name, Arity, M) :-
    functor(Head, Name, Arity),
    (   predicate_property(M0:Head, imported_from(M1))
    ->  M = M1
    ;   M = M0
    ).

%!  current_predicate_option(:PI, ?Arg, ?Option) is nondet.
%
%   PI takes Option in argument Arg: its value, if it is bound, is of the type that is declared.

current_predicate_option(Spec, Arg, Option) :-
    option_arg(Spec, M, Name, Arity, Arg),
    distinct_option(M, Name, Arity, Arg, OptionName, Declared),
    compound_name_arguments(Option0, OptionName, [Value]),
    Option = Option0,
    catch(check_value(Declared, Value), error(_, _), fail).

%   distinct_option(+Module, +Name, +Arity, +Arg, -OptionName, -Declared) is nondet: with those that what it is passed to takes.
distinct_option(M, Name, Arity, Arg, OptionName, Declared) :-
    findall(OptionName0-Declared0, reached(M, Name, Arity, Arg, [], OptionName0, Declared0), All0),
    sort(All0, All),
    member(OptionName-Declared, All).

reached(M, Name, Arity, Arg, Seen, OptionName, Declared) :-
    declared(M, Name, Arity, Arg, Option),
    (   Option = pass_to(Spec, ToArg)
    ->  strip_module(M:Spec, ToM0, PI),
        indicator(PI, ToName, ToArity),
        home(ToM0, ToName, ToArity, ToM),
        To = to(ToM, ToName, ToArity, ToArg),
        \+ memberchk(To, Seen),
        reached(ToM, ToName, ToArity, ToArg, [To|Seen], OptionName, Declared)
    ;   compound_name_arguments(Option, OptionName, [Declared])
    ).

check_value(Declared, Value) :-
    (   nonvar(Declared),
        Declared = -Type
    ->  (   var(Value)
        ->  true
        ;   uninstantiation_error(Value)
        )
    ;   (   nonvar(Declared), Declared = +Type
        ->  true
        ;   Type = Declared
        ),
        (   var(Value)
        ->  true
        ;   must_be(Type, Value)
        )
    ).

%!  current_predicate_options(:PI, ?Arg, ?Options) is nondet.
%
%   Options are those that PI takes in argument Arg, also where it passes them on: a sorted list of Name(Type) and Name(-Type).

current_predicate_options(Spec, Arg, Options) :-
    option_arg(Spec, M, Name, Arity, Arg),
    findall(Option,
            ( distinct_option(M, Name, Arity, Arg, OptionName, Declared),
              compound_name_arguments(Option, OptionName, [Declared]) ),
            Options0),
    sort(Options0, Options).

%!  check_predicate_option(:PI, +Arg, +Option) is semidet.
%
%   It is an error if PI does not take Option in argument Arg, or its value is not as is declared. Fails if nothing is declared of this argument.

check_predicate_option(Spec, Arg, Option) :-
    option_arg(Spec, M, Name, Arity, Arg),
    !,
    must_be(nonvar, Option),
    (   compound(Option),
        compound_name_arguments(Option, OptionName, [Value]),
        distinct_option(M, Name, Arity, Arg, OptionName, Declared)
    ->  check_value(Declared, Value)
    ;   existence_error(option, Option)
    ).
