% Settings of programs, kept in files, as in SWI-Prolog's library(settings).

:- module(settings,
          [ setting/4,
            setting/2,
            set_setting/2,
            set_setting_default/2,
            restore_setting/1,
            load_settings/1,
            load_settings/2,
            save_settings/0,
            save_settings/1,
            current_setting/1,
            setting_property/2,
            list_settings/0,
            list_settings/1,
            convert_setting_text/3
          ]).

/*  A setting has a name in a module, a type as for must_be/2 and a default.
    Its value is the one that was set or loaded, else what the default says then.
*/

:- meta_predicate
    setting(:, +, +, +),
    setting(:, ?),
    set_setting(:, +),
    set_setting_default(:, +),
    restore_setting(:),
    current_setting(:),
    setting_property(:, ?).

%   '$setting'(?Name, ?Module, -Type, -Default, -Comment) is nondet: as was declared last by what is loaded.
'$setting'(Name, Module, Type, Default, Comment) :-
    (   atom(Name), atom(Module)
    ->  true
    ;   findall(Name-Module, '$says'(Name, setting(Module, _, _, _)), All),
        list_to_set(All, Settings),
        member(Name-Module, Settings)
    ),
    '$says_last'(Name, setting(Module, Type, Default, Comment)).

%   '$setting_value'(Name, Module, Value), also of settings that are not declared (yet); '$setting_default'(Name, Module, Value): in place of
%   the declared default.
:- dynamic('$setting_value'/3).
:- dynamic('$setting_default'/3).
:- dynamic('$settings_file'/1).

%!  setting(:Name, +Type, +Default, +Comment) is det.
%
%   A directive: declares the setting Name. Default is looked at each time that the setting is asked for and has no other value. It may be env(Variable) or env(Variable, Default), what the environment says,
%   or setting(Other). For integer, nonneg, float and between(Low, High) it is an expression, whose value is rounded to an integer or made a float; its
%   numbers may be env(Variable) or env(Variable, Number), but not setting(Other). For atom a sum A + B is one text behind the other; of a list, each item
%   is a default of its own.

setting(QName, Type, Default, Comment) :-
    strip_module(QName, Module, Name),
    (   prolog_load_context(source, _)
    ->  true
    ;   throw(error(context_error(nodirective, setting(Module:Name, Type, Default, Comment)), _))
    ),
    must_be(atom, Name),
    default_value(Default, Type, Module, _),
    Said = setting(Module, _, _, _),
    ( '$said'(Name, Said, _, _) -> Again = true ; Again = false ),
    '$locked'('$settings', '$say_anew'(Name, Said, setting(Module, Type, Default, Comment))),
    (   '$setting_value'(Name, Module, Loaded),
        \+ is_of_type(Type, Loaded)
    ->  retractall('$setting_value'(Name, Module, _)),
        % (One that was set when the setting was of another type is no mistake of the file.)
        ( Again == true -> true ; type_error(Type, Loaded) )
    ;   true
    ).

%   What a declared default says now.
default_value(Default, Type, Module, Value) :-
    setting_default(Default, Type, Module, Value),
    must_be(Type, Value).

%   The same of any type: as SWI-Prolog, numbers are computed for some of the types of numbers only.
setting_default(Default, Type, Module, Value) :-
    (   var(Default)
    ->  Value = Default
    ;   setting_expression(Default, Type, Module, Value0)
    ->  Value = Value0
    ;   Value = Default
    ).

setting_expression(env(Variable), Type, _, Value) :- !,
    (   getenv(Variable, Text)
    ->  convert_setting_text(Type, Text, Value)
    ;   existence_error(environment_variable, Variable)
    ).
setting_expression(env(Variable, Default), Type, _, Value) :- !,
    (   getenv(Variable, Text)
    ->  convert_setting_text(Type, Text, Value)
    ;   Value = Default
    ).
setting_expression(setting(Name), _, Module, Value) :- !,
    setting(Module:Name, Value).
setting_expression(List, list(Type), Module, Values) :-
    is_list(List), !,
    maplist(setting_item(Type, Module), List, Values).
setting_expression(A0+B0, atom, Module, Value) :- !,
    setting_default(A0, atom, Module, A),
    setting_default(B0, atom, Module, B),
    atomic_list_concat([A, B], Value).
setting_expression(Expression0, Type, _, Value) :-
    compound(Expression0),
    computed_setting(Type, Kind),
    setting_number(Expression0, Expression),
    (   Kind == integer
    ->  Value is integer(Expression)
    ;   Value is float(Expression)
    ).

setting_item(Type, Module, Item, Value) :-
    setting_default(Item, Type, Module, Value).

%   An expression with the numbers that the environment says.
setting_number(Expression, Expression) :-
    \+ compound(Expression), !.
setting_number(env(Variable), Value) :- !,
    setting_expression(env(Variable), number, _, Value).
setting_number(env(Variable, Default), Value) :- !,
    setting_expression(env(Variable, Default), number, _, Value0),
    setting_number(Value0, Value).
setting_number(Expression0, Expression) :-
    compound_name_arguments(Expression0, Name, Args0),
    maplist(setting_number, Args0, Args),
    compound_name_arguments(Expression, Name, Args).

%   Types of which expressions are computed, and to what.
computed_setting(integer, integer).
computed_setting(nonneg, integer).
computed_setting(float, float).
computed_setting(between(Low, _), Kind) :-
    ( integer(Low) -> Kind = integer ; Kind = float ).

number_setting(integer).
number_setting(nonneg).
number_setting(positive_integer).
number_setting(negative_integer).
number_setting(float).
number_setting(rational).
number_setting(number).
number_setting(between(_, _)).

%!  setting(:Name, ?Value) is nondet.
%
%   Value is that of the setting Name. Without Name, enumerates those of the module.

setting(QName, Value) :-
    strip_module(QName, Module, Name),
    (   nonvar(Name), nonvar(Module)
    ->  (   '$setting'(Name, Module, _, _, _)
        ->  setting_value(Name, Module, Value)
        ;   existence_error(setting, Module:Name)
        )
    ;   '$setting'(Name, Module, _, _, _),
        setting_value(Name, Module, Value)
    ).

setting_value(Name, Module, Value) :-
    (   '$setting_value'(Name, Module, Value0)
    ->  Value = Value0
    ;   '$setting_default'(Name, Module, Value0)
    ->  Value = Value0
    ;   '$setting'(Name, Module, Type, Default, _),
        default_value(Default, Type, Module, Value)
    ).

%!  set_setting(:Name, +Value) is det.
%
%   Changes the setting Name until the program ends; save_settings/0,1 keep it for longer. If it had another value before, settings(changed(Module:Name, Before, Value))
%   is told by broadcast/1, as by set_setting_default/2 and restore_setting/1.

set_setting(QName, Value) :-
    strip_module(QName, Module, Name),
    must_be(atom, Name),
    (   '$setting'(Name, Module, Type, _, _)
    ->  must_be(Type, Value)
    ;   existence_error(setting, Name)
    ),
    setting_value(Name, Module, Before),
    '$locked'('$settings',
              (   retractall('$setting_value'(Name, Module, _)),
                  (   setting_value(Name, Module, Old), Old =@= Value
                  ->  true
                  ;   assertz('$setting_value'(Name, Module, Value))
                  )
              )),
    tell_change(Name, Module, Before).

%   Who listens (library(broadcast)) is told of a setting that had another value before.
tell_change(Name, Module, Before) :-
    setting_value(Name, Module, Value),
    (   Before == Value
    ->  true
    ;   broadcast(settings(changed(Module:Name, Before, Value)))
    ).

%!  set_setting_default(:Name, +Value) is det.
%
%   As set_setting/2, and Value is the default from now on: it is not saved, and what restore_setting/1 goes back to.

set_setting_default(QName, Value) :-
    strip_module(QName, Module, Name),
    must_be(atom, Name),
    (   '$setting'(Name, Module, Type, _, _)
    ->  must_be(Type, Value)
    ;   existence_error(setting, Module:Name)
    ),
    setting_value(Name, Module, Before),
    '$locked'('$settings',
              (   retractall('$setting_default'(Name, Module, _)),
                  assertz('$setting_default'(Name, Module, Value)),
                  retractall('$setting_value'(Name, Module, _))
              )),
    tell_change(Name, Module, Before).

%!  restore_setting(:Name) is det.
%
%   The setting Name is its default again.

restore_setting(QName) :-
    strip_module(QName, Module, Name),
    must_be(atom, Name),
    (   '$setting_value'(Name, Module, Before)
    ->  retractall('$setting_value'(Name, Module, _)),
        ( '$setting'(Name, Module, _, _, _) -> tell_change(Name, Module, Before) ; true )
    ;   true
    ).

%!  current_setting(:Name) is nondet.
%
%   There is a setting Name.

current_setting(QName) :-
    strip_module(QName, Module, Name),
    (   nonvar(Name), nonvar(Module)
    ->  '$setting'(Name, Module, _, _, _), !
    ;   '$setting'(Name, Module, _, _, _)
    ).

%!  setting_property(:Name, ?Property) is nondet.
%
%   Property of the setting Name: type(Type), default(Value) or comment(Text).

setting_property(QName, Property) :-
    strip_module(QName, Module, Name),
    '$setting'(Name, Module, Type, Declared, Comment),
    (   Property = comment(Comment)
    ;   Property = type(Type)
    ;   ( '$setting_default'(Name, Module, Default0) -> Default = Default0 ; default_value(Declared, Type, Module, Default) ),
        Property = default(Default)
    ).

% --- files ---

%!  load_settings(+File) is det.
%!  load_settings(+File, +Options) is det.
%
%   Sets what File says, and makes it the one for save_settings/0. A File that is not there says nothing. What a setting
%   cannot be is left out with a warning; with undefined(error), and not with undefined(load), so are settings that are not
%   declared. Those that are loaded have their value when they are declared.

load_settings(File) :-
    load_settings(File, []).

load_settings(File, Options) :-
    option(undefined(Undefined), Options, load),
    must_be(oneof([load, error]), Undefined),
    absolute_file_name(File, Path, [file_errors(fail)]), !,
    retractall('$settings_file'(_)),
    assertz('$settings_file'(Path)),
    (   exists_file(Path)
    ->  setup_call_cleanup(
            open(Path, read, Stream, [encoding(utf8)]),
            load_settings_stream(Stream, Path, Undefined),
            close(Stream))
    ;   true
    ).

load_settings_stream(Stream, Path, Undefined) :-
    repeat,
    % (What stands behind a term that is none is looked at, too.)
    catch(read_term(Stream, Term, [term_position(Position)]), error(syntax_error(What), Place),
          ( print_message(error, error(syntax_error(What), Place)), fail )),
    (   Term == end_of_file
    ->  !
    ;   catch(load_setting(Term, Undefined), error(Formal, _),
              ( stream_position_data(line_count, Position, Line), warn_of(Formal, Path:Line) )),
        fail
    ).

warn_of(Formal, Place) :-
    ( nb_current('$reading', Around) -> true ; Around = [] ),
    setup_call_cleanup(
        nb_setval('$reading', Place),
        print_message(warning, error(Formal, _)),
        nb_setval('$reading', Around)).

load_setting(Term, Undefined) :-
    (   Term = setting(QName, Value),
        nonvar(QName),
        QName = Module:Name,
        atom(Module), atom(Name)
    ->  (   '$setting'(Name, Module, Type, _, _)
        ->  must_be(Type, Value),
            set_setting(Module:Name, Value)
        ;   Undefined == load
        ->  retractall('$setting_value'(Name, Module, _)),
            assertz('$setting_value'(Name, Module, Value))
        ;   existence_error(setting, Module:Name)
        )
    ;   type_error(setting, Term)
    ).

%!  save_settings is det.
%!  save_settings(+File) is det.
%
%   Writes the settings that are not their defaults to File, by default the one that was loaded last.

save_settings :-
    (   '$settings_file'(File)
    ->  save_settings(File)
    ;   existence_error(settings_file, default)
    ).

save_settings(File) :-
    get_time(Now),
    format_time(atom(Date), '%a %b %d %T %Y', Now),
    setup_call_cleanup(
        open(File, write, Stream, [encoding(utf8)]),
        (   format(Stream, '/*  Saved settings~n    Date: ~w~n*/~n~n', [Date]),
            forall(( '$setting'(Name, Module, _, _, Comment), '$setting_value'(Name, Module, Value) ),
                   ( format(Stream, '~n%\t~w~n', [Comment]), save_setting(Stream, Name, Module, Value) )),
            forall(( '$setting_value'(Name, Module, Value), \+ '$setting'(Name, Module, _, _, _) ),
                   ( nl(Stream), save_setting(Stream, Name, Module, Value) ))
        ),
        close(Stream)).

save_setting(Stream, Name, Module, Value) :-
    format(Stream, 'setting(~q:~q, ~q).~n', [Module, Name, Value]).

%!  list_settings is det.
%!  list_settings(+Module) is det.
%
%   Prints the settings and their values.

list_settings :-
    list_settings(_).

list_settings(Module) :-
    format('~`=t~72|~n~w~t~26|~w~n~`=t~72|~n', ['Name', 'Value (*=modified) Comment']),
    forall('$setting'(Name, Module, _, _, Comment),
           (   setting_value(Name, Module, Value),
               ( '$setting_value'(Name, Module, _) -> Mark = * ; Mark = '' ),
               format('~q:~q~t~26|~q~w~t~15+~w~n', [Module, Name, Value, Mark, Comment])
           )).

%!  convert_setting_text(+Type, +Text, -Value) is det.
%
%   Value is what Text says, of the Type of a setting.

convert_setting_text(Type, Text, Value) :-
    (   memberchk(Type, [atom, string, boolean])
    ->  Value0 = Text
    ;   Type = oneof(_)
    ->  Value0 = Text
    ;   number_setting(Type)
    ->  term_to_atom(Expression, Text),
        ( Type == float -> Value0 is float(Expression) ; Value0 is Expression )
    ;   term_to_atom(Value0, Text)
    ),
    must_be(Type, Value0),
    Value = Value0.
