:- module(option,
          [ option/2,
            option/3,
            select_option/3,
            select_option/4,
            merge_options/3,
            meta_options/3,
            dict_options/2
          ]).
:- use_module(library(error), [domain_error/2, instantiation_error/1, must_be/2]).

/*  Lists of options Name(Value) or Name = Value, or dicts with the names as keys.

    As SWI-Prolog's library(option). Of options with the same name the first
    in the list counts.
*/

:- meta_predicate meta_options(1, :, -).

%!  option(?Option, +Options) is semidet.
%
%   Option, written Name(Value), unifies with the first of its name in Options.

option(Option, Dict) :-
    is_dict(Dict),
    !,
    named(Option, Name, Value),
    get_dict(Name, Dict, Value).
option(Option, Options) :-
    check(Option, Options),
    find(Option, Options, Option0),
    Option = Option0.

%!  option(?Option, +Options, +Default) is semidet.
%
%   As option/2, with Default as the value if Options has none.

option(Option, Dict, Default) :-
    is_dict(Dict),
    !,
    named(Option, Name, Value),
    (   get_dict(Name, Dict, Value0)
    ->  Value = Value0
    ;   Value = Default
    ).
option(Option, Options, Default) :-
    check(Option, Options),
    (   find(Option, Options, Option0)
    ->  Option = Option0
    ;   arg(1, Option, Default)
    ).

%!  select_option(?Option, +Options, -Rest) is semidet.
%
%   As option/2; Rest is Options without it.

select_option(Option, Dict, Rest) :-
    is_dict(Dict),
    !,
    named(Option, Name, Value),
    del_dict(Name, Dict, Value, Rest).
select_option(Option, Options, Rest) :-
    check(Option, Options),
    take(Option, Options, Option0, Rest0),
    Option = Option0,
    Rest = Rest0.

%!  select_option(?Option, +Options, -Rest, +Default) is semidet.
%
%   As select_option/3, with Default as the value if Options has none.

select_option(Option, Dict, Rest, Default) :-
    is_dict(Dict),
    !,
    named(Option, Name, Value),
    (   del_dict(Name, Dict, Value0, Rest0)
    ->  Value = Value0,
        Rest = Rest0
    ;   Value = Default,
        Rest = Dict
    ).
select_option(Option, Options, Rest, Default) :-
    check(Option, Options),
    (   take(Option, Options, Option0, Rest0)
    ->  Option = Option0,
        Rest = Rest0
    ;   arg(1, Option, Default),
        Rest = Options
    ).

check(Option, Options) :-
    (   var(Option)
    ->  instantiation_error(Option)
    ;   must_be(list, Options)
    ).

%   named(?Option, -Name, -Value): of one that a dict may have.

named(Option, Name, Value) :-
    (   var(Option)
    ->  instantiation_error(Option)
    ;   functor(Option, Name, 1),
        arg(1, Option, Value)
    ).

%   find(@Option, +Options, -Found): Found is the first of Options with the
%   name and arity of Option, or Name(Value) for the first Name = Value.

find(Option, Options, Found) :-
    functor(Option, Name, Arity),
    functor(Found, Name, Arity),
    (   has(Options, Found)
    ->  true
    ;   Arity =:= 1,
        has(Options, Name = Value),
        arg(1, Found, Value)
    ).

has([Option0|Options], Option) :-
    (   Option0 = Option
    ->  true
    ;   has(Options, Option)
    ).

%   take(@Option, +Options, -Found, -Rest): as find/3; Rest is Options without
%   what was found.

take(Option, Options, Found, Rest) :-
    functor(Option, Name, Arity),
    functor(Found, Name, Arity),
    (   without(Options, Found, Rest0)
    ->  Rest = Rest0
    ;   Arity =:= 1,
        without(Options, Name = Value, Rest),
        arg(1, Found, Value)
    ).

without([Option0|Options], Option, Rest) :-
    (   Option0 = Option
    ->  Rest = Options
    ;   Rest = [Option0|Rest1],
        without(Options, Option, Rest1)
    ).

%   name_value(@Option, -Name, -Value): Option gives Name a Value.

name_value(Option, Name, Value) :-
    compound(Option),
    (   Option = (Name0 = Value0),
        atom(Name0)
    ->  Name = Name0,
        Value = Value0
    ;   functor(Option, Name, 1),
        arg(1, Option, Value)
    ).

%!  merge_options(+New, +Old, -Merged) is det.
%
%   Merged has the options New and those of Old that New does not have, all as
%   Name(Value), and ordered if there are both new and old ones.

merge_options(New0, Old0, Merged) :-
    listed(New0, New),
    listed(Old0, Old),
    keyed(New, NewPairs),
    keyed(Old, OldPairs),
    (   ( New == [] ; Old == [] )
    ->  append(NewPairs, OldPairs, Pairs)
    ;   add_others(OldPairs, NewPairs, Pairs0, NewPairs),
        keysort(Pairs0, Pairs)
    ),
    options_of(Pairs, Merged).

%   listed(+Options0, -Options): a list of what a dict has.

listed(Options0, Options) :-
    (   is_dict(Options0)
    ->  dict_options(Options0, Options)
    ;   must_be(list, Options0),
        Options = Options0
    ).

%   keyed(+Options, -Pairs): the options as Name(Value) with Name/Arity as key.

keyed([], []).
keyed([Option0|Options], [Name/Arity-Option|Pairs]) :-
    (   var(Option0)
    ->  instantiation_error(Option0)
    ;   name_value(Option0, Name, Value)
    ->  Arity = 1,
        Option =.. [Name,Value]
    ;   Option = Option0,
        functor(Option, Name, Arity)
    ),
    keyed(Options, Pairs).

%   add_others(+Old, +New, -Pairs, +Rest): Pairs has those of Old whose keys New
%   does not have, followed by Rest.

add_others([], _, Rest, Rest).
add_others([Key-Option|Old], New, Pairs, Rest) :-
    (   has_key(New, Key)
    ->  add_others(Old, New, Pairs, Rest)
    ;   Pairs = [Key-Option|Pairs1],
        add_others(Old, New, Pairs1, Rest)
    ).

has_key([Key0-_|Pairs], Key) :-
    (   Key0 == Key
    ->  true
    ;   has_key(Pairs, Key)
    ).

options_of([], []).
options_of([_-Option|Pairs], [Option|Options]) :-
    options_of(Pairs, Options).

%!  meta_options(:IsMeta, :Options, -Qualified) is det.
%
%   Qualified has Options, with the values of those for whose name IsMeta is
%   true qualified by the module of Options.

meta_options(IsMeta, Spec, Qualified) :-
    '$strip'(Spec, Module, Options),
    must_be(list, Options),
    qualify(Options, Module, IsMeta, Qualified).

qualify([], _, _, []).
qualify([Option0|Options0], Module, IsMeta, [Option|Options]) :-
    qualify_option(Option0, Module, IsMeta, Option),
    qualify(Options0, Module, IsMeta, Options).

qualify_option(Option0, Module, IsMeta, Option) :-
    (   name_value(Option0, Name, Value0),
        call(IsMeta, Name)
    ->  (   nonvar(Value0),
            Value0 = _:_
        ->  Value = Value0
        ;   Value = Module:Value0
        ),
        (   Option0 = (_ = _)
        ->  Option = (Name = Value)
        ;   Option =.. [Name,Value]
        )
    ;   Option = Option0
    ).

%!  dict_options(?Dict, ?Options) is det.
%
%   Options are those that Dict has as keys, Name(Value); of a name that the list
%   has several times the first counts.

dict_options(Dict, Options) :-
    nonvar(Dict),
    !,
    must_be(dict, Dict),
    dict_pairs(Dict, _, Pairs),
    options_of_dict(Pairs, Options).
dict_options(Dict, Options) :-
    must_be(list, Options),
    pairs_of_options(Options, Pairs0),
    sort(1, @<, Pairs0, Pairs),
    dict_pairs(Dict, _, Pairs).

options_of_dict([], []).
options_of_dict([Name-Value|Pairs], [Option|Options]) :-
    Option =.. [Name,Value],
    options_of_dict(Pairs, Options).

pairs_of_options([], []).
pairs_of_options([Option|Options], [Name-Value|Pairs]) :-
    (   var(Option)
    ->  instantiation_error(Option)
    ;   name_value(Option, Name, Value)
    ->  true
    ;   domain_error(option, Option)
    ),
    pairs_of_options(Options, Pairs).
