:- module(record, [ (record)/1, current_record/2, current_record_predicate/2, op(1150, fx, record) ]).

:- use_module(library(error), [is_of_type/2, must_be/2]).

/*  Terms whose arguments have names.

    As SWI-Prolog's library(record) (manual, section A.38):

        :- record point(x:integer=0, y:integer=0).

    defines default_point/1, is_point/1, make_point/2,3, point_data/3, set_point_field/3, set_point_fields/3,4, and for each field point_x/2,
    set_x_of_point/2,3 and nb_set_x_of_point/2. A type is one of must_be/2 or the name of a record of the module; it is looked at where a field is given a value.
*/

:- dynamic known/3.

%!  record(+Specs)
%
%   A directive; see above. Specs are terms Constructor(Field, ...), several joined by commas. A field is Name, Name:Type, Name=Default or Name:Type=Default.

record(Specs) :-
    throw(error(context_error(nodirective, record(Specs)), _)).

%!  current_record(?Constructor, :Spec) is nondet.
%
%   Spec is what the record directive of Constructor has said.

:- meta_predicate current_record(?, :).

current_record(Constructor, Qualified) :-
    '$strip_modules'(Qualified, Module, Spec),
    known(Module, Constructor, Spec).

%!  current_record_predicate(?Constructor, :Indicator) is nondet.
%
%   Indicator is that of a predicate which the record directive of Constructor has defined.

:- meta_predicate current_record_predicate(?, :).

current_record_predicate(Constructor, Qualified) :-
    '$strip_modules'(Qualified, Module, Name/Arity),
    known(Module, Constructor, Spec),
    Spec =.. [_|Fields],
    (   of_whole(Before, After, Arity),
        atomic_list_concat([Before, Constructor, After], Name)
    ;   member(Field, Fields),
        field_name(Field, FieldName),
        of_field(Before, Between, Arity),
        (   Between == (of)
        ->  atomic_list_concat([Before, FieldName, '_of_', Constructor], Name)
        ;   atomic_list_concat([Constructor, '_', FieldName], Name)
        )
    ).

of_whole(default_, '', 1).
of_whole(is_, '', 1).
of_whole(make_, '', 2).
of_whole(make_, '', 3).
of_whole('', '_data', 3).
of_whole(set_, '_field', 3).
of_whole(set_, '_fields', 3).
of_whole(set_, '_fields', 4).

of_field('', get, 2).
of_field(set_, of, 2).
of_field(set_, of, 3).
of_field(nb_set_, of, 2).

field_name(Typed=_, Name) :- !,
    field_name(Typed, Name).
field_name(Name:_, Name) :- !.
field_name(Name, Name).

%   --- the directive ---

:- assertz(system:('$library_expansion'((:- record(Specs)), Clauses) :- record:expansion(Specs, Clauses))).

expansion(Specs, Clauses) :-
    '$source_module'(Module),
    specs(Specs, Module, Clauses, []).

specs(Specs, _, _, _) :-
    var(Specs), !,
    must_be(callable, Specs).
specs((A, B), Module, Cs0, Cs) :- !,
    specs(A, Module, Cs0, Cs1),
    specs(B, Module, Cs1, Cs).
specs(Spec, Module, Clauses, Rest) :-
    must_be(callable, Spec),
    Spec =.. [Constructor|Fields0],
    fields(Fields0, Module, Fields, Defaults),
    retractall(known(Module, Constructor, _)),
    assertz(known(Module, Constructor, Spec)),
    Default =.. [Constructor|Defaults],
    whole(Constructor, Default, Fields, Module, Clauses, Clauses1),
    length(Fields, Arity),
    clauses_of([data, get, set, set_in_place, nb_set, set_field], Constructor, Arity, Fields, Module, Clauses1, Rest).

%   Fields as Name-Type.
fields([], _, [], []).
fields([Field|Fields0], Module, [Name-Type|Fields], [Default|Defaults]) :-
    (   nonvar(Field), Field = (Typed=Default0)
    ->  typed(Typed, Name, Type),
        must_be_field(Type, Default0, Module),
        Default = Default0
    ;   typed(Field, Name, Type)
    ),
    fields(Fields0, Module, Fields, Defaults).

typed(Field, Name, Type) :-
    (   nonvar(Field), Field = Name:Type0
    ->  must_be(callable, Type0),
        Type = Type0
    ;   Name = Field,
        Type = any
    ),
    must_be(atom, Name).

%   What there is of the whole.
whole(Constructor, Default, Fields, Module, [DefaultOf, Is, Make, MakeRest, SetFields, SetNone, SetSome|Cs], Cs) :-
    name(['default_', Constructor], [Default], DefaultOf),
    functor(Default, _, Arity),
    length(Values, Arity),
    Record =.. [Constructor|Values],
    checks(Fields, Values, Module, Checks),
    name(['is_', Constructor], [Term], IsHead),
    Is = (IsHead :- subsumes_term(Record, Term), Term = Record, Checks),
    name([make_, Constructor], [Given, Made], MakeHead),
    name([make_, Constructor], [Given, Made, []], MakeCall),
    Make = (MakeHead :- MakeCall),
    name([make_, Constructor], [Given, Made, Others], MakeRestHead),
    name(['default_', Constructor], [First], DefaultCall),
    name([set_, Constructor, '_fields'], [Given, First, Made, Others], SetCall),
    MakeRest = (MakeRestHead :- DefaultCall, SetCall),
    name([set_, Constructor, '_fields'], [Given, Old, New], SetHead),
    name([set_, Constructor, '_fields'], [Given, Old, New, []], SetAll),
    SetFields = (SetHead :- SetAll),
    name([set_, Constructor, '_fields'], [[], R, R, []], SetNone),
    name([set_, Constructor, '_fields'], [[F|Fs], R0, R2, Left], SetSomeHead),
    name([set_, Constructor, '_field'], [F, R0, R1], SetOne),
    name([set_, Constructor, '_fields'], [Fs, R1, R2, Left], SetNext),
    name([set_, Constructor, '_fields'], [Fs, R0, R2, Left1], SetOthers),
    SetSome = (SetSomeHead :- ( SetOne -> SetNext ; Left = [F|Left1], SetOthers )).

checks([], [], _, true).
checks([_-Type|Fields], [Value|Values], Module, Checks) :-
    checks(Fields, Values, Module, Checks1),
    (   Type == any -> Checks = Checks1
    ;   Checks = (record:is_field(Type, Value, Module), Checks1)
    ).

%   Clauses of one predicate for all fields stand together.
clauses_of([], _, _, _, _, Cs, Cs).
clauses_of([Kind|Kinds], Constructor, Arity, Fields, Module, Cs0, Cs) :-
    findall(Clause, ( nth1(I, Fields, Name-Type), clause_of(Kind, Constructor, Arity, I, Name, Type, Module, Clause) ), Clauses),
    append(Clauses, Cs1, Cs0),
    clauses_of(Kinds, Constructor, Arity, Fields, Module, Cs1, Cs).

clause_of(data, C, Arity, I, Name, _, _, Head) :-
    functor(Record, C, Arity),
    arg(I, Record, Value),
    name([C, '_data'], [Name, Record, Value], Head).
clause_of(get, C, Arity, I, Name, _, _, Head) :-
    functor(Record, C, Arity),
    arg(I, Record, Value),
    name([C, '_', Name], [Record, Value], Head).
clause_of(set, C, Arity, I, Name, Type, Module, Clause) :-
    changed(C, Arity, I, Value, Old, New),
    name([set_, Name, '_of_', C], [Value, Old, New], Head),
    checked(Type, Value, Module, true, Head, Clause).
clause_of(set_in_place, C, Arity, I, Name, Type, Module, Clause) :-
    name([set_, Name, '_of_', C], [Value, Record], Head),
    checked(Type, Value, Module, (functor(Record, C, Arity), setarg(I, Record, Value)), Head, Clause).
clause_of(nb_set, C, Arity, I, Name, Type, Module, Clause) :-
    name([nb_set_, Name, '_of_', C], [Value, Record], Head),
    checked(Type, Value, Module, (functor(Record, C, Arity), nb_setarg(I, Record, Value)), Head, Clause).
clause_of(set_field, C, Arity, I, Name, Type, Module, Clause) :-
    changed(C, Arity, I, Value, Old, New),
    Field =.. [Name, Value],
    name([set_, C, '_field'], [Field, Old, New], Head),
    checked(Type, Value, Module, true, Head, Clause).

%   changed(+Constructor, +Arity, +I, ?Value, -Old, -New): records that differ in a field.
changed(C, Arity, I, Value, Old, New) :-
    functor(Old, C, Arity),
    Old =.. [C|Values0],
    I0 is I-1,
    length(Before, I0),
    append(Before, [_|After], Values0),
    append(Before, [Value|After], Values),
    New =.. [C|Values].

checked(any, _, _, Goal, Head, Clause) :- !,
    ( Goal == true -> Clause = Head ; Clause = (Head :- Goal) ).
checked(Type, Value, Module, Goal, Head, (Head :- Check)) :-
    Check0 = record:must_be_field(Type, Value, Module),
    ( Goal == true -> Check = Check0 ; Check = (Check0, Goal) ).

name(Parts, Args, Term) :-
    atomic_list_concat(Parts, Name),
    Term =.. [Name|Args].

%   --- types ---

%   is_field(+Type, @Value, +Module): a type that is none of must_be/2 is a record of Module.
is_field(Type, Value, Module) :-
    (   record_test(Type, Value, Module, Test) -> call(Test)
    ;   is_of_type(Type, Value)
    ).

must_be_field(Type, Value, Module) :-
    (   record_test(Type, Value, Module, Test)
    ->  (   call(Test) -> true
        ;   var(Value) -> throw(error(instantiation_error, _))
        ;   throw(error(type_error(Type, Value), _))
        )
    ;   must_be(Type, Value)
    ).

record_test(Type, Value, Module, Module:Test) :-
    atom(Type),
    known(Module, Type, _),
    name(['is_', Type], [Value], Test).
