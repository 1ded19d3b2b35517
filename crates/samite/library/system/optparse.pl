% Options of command lines from a specification, as in SWI-Prolog's library(optparse).

:- module(optparse, [opt_arguments/3, opt_parse/4, opt_parse/5, opt_help/2]).

/*  A specification is a list of options, each a list of opt(Name), type(Type)
    (boolean, integer, float, atom or term, the default, or one of the hook
    optparse:parse_type/3), default(Value), shortflags(Letters),
    longflags(Words), meta(Text), what the value is called, and help(Text), an
    atom or a list of atoms, its lines.
*/

:- dynamic(optparse:parse_type/3).
:- multifile(optparse:parse_type/3).

%!  opt_arguments(+Specification, -Options, -Positional) is det.
%
%   As opt_parse/4 of the arguments of the program.

opt_arguments(Specification, Options, Positional) :-
    current_prolog_flag(argv, Argv),
    ( Argv = [_|Arguments] -> true ; Arguments = [] ),
    opt_parse(Specification, Arguments, Options, Positional).

%!  opt_parse(+Specification, +Arguments, -Options, -Positional) is det.
%!  opt_parse(+Specification, +Arguments, -Options, -Positional, +ParseOptions) is det.
%
%   Options are terms Name(Value): first the defaults of those not among Arguments, then what is there; Positional are the
%   other arguments. ParseOptions: output_functor(F), F(Name, Value) instead of Name(Value); duplicated_flags(How): keeplast,
%   the default, keepfirst or keepall; allow_empty_flag_spec(Boolean), whether there may be options without flags (true by
%   default).

opt_parse(Specification, Arguments, Options, Positional) :-
    opt_parse(Specification, Arguments, Options, Positional, []).

opt_parse(Specification, Arguments, Options, Positional, ParseOptions) :-
    option(output_functor(Functor), ParseOptions, 'OPTION'),
    must_be(atom, Functor),
    option(duplicated_flags(Duplicates), ParseOptions, keeplast),
    ( memberchk(Duplicates, [keeplast, keepfirst, keepall]) -> true ; domain_error(keep_flag, Duplicates) ),
    option(allow_empty_flag_spec(Empty), ParseOptions, true),
    must_be(boolean, Empty),
    opt_specification(Specification, Empty, Opts),
    ( is_list(Arguments) -> must_be(list(atom), Arguments) ; type_error(list(atom), Arguments) ),
    opt_arguments_values(Arguments, Opts, Given0, Positional0),
    opt_duplicates(Duplicates, Given0, Given),
    opt_defaults(Opts, Given, Defaults),
    append(Defaults, Given, Values),
    opt_output(Values, Functor, Options0),
    Options = Options0,
    Positional = Positional0.

%   opt_specification(+Specification, +Empty, -Opts): the checked options as opt(Name, Type, Default, Short, Long, Meta, Help),
%   where Default is none or value(Value).
opt_specification(Specification, Empty, Opts) :-
    must_be(list, Specification),
    opt_specifications(Specification, Empty, Opts),
    findall(Name, member(opt(Name, _, _, _, _, _, _), Opts), Names),
    opt_unique(Names, 'ambiguous id'),
    findall(Flag, ( member(opt(_, _, _, Short, _, _, _), Opts), member(Flag, Short) ), Letters),
    opt_unique(Letters, 'ambiguous flag'),
    findall(Flag, ( member(opt(_, _, _, _, Long, _, _), Opts), member(Flag, Long) ), Words),
    opt_unique(Words, 'ambiguous flag').

opt_specifications([], _, []).
opt_specifications([Spec|Specs], Empty, [opt(Name, Type, Default, Short, Long, Meta, Help)|Opts]) :-
    must_be(list, Spec),
    opt_keys(Spec),
    ( memberchk(opt(Name), Spec), atom(Name) -> true ; opt_error(unique_atom, Spec, 'opt(id) missing') ),
    ( memberchk(type(Type), Spec) -> opt_type(Type) ; Type = term ),
    ( memberchk(shortflags(Short), Spec) -> must_be(list(atom), Short) ; Short = [] ),
    ( memberchk(longflags(Long), Spec) -> must_be(list(atom), Long) ; Long = [] ),
    ( memberchk(meta(Meta), Spec) -> true ; Meta = '' ),
    ( memberchk(help(Help), Spec) -> true ; Help = '' ),
    (   member(Letter, Short), \+ atom_length(Letter, 1)
    ->  format(atom(Why), 'option ''~w'': flag too long to be short', [Name]),
        opt_error(short_flag, Letter, Why)
    ;   true
    ),
    (   Short == [], Long == [], Empty == false
    ->  format(atom(Why), 'no flag specified for option ''~w''', [Name]),
        opt_error(unique_atom, _, Why)
    ;   true
    ),
    (   memberchk(default(Value), Spec)
    ->  ( memberchk(Type, [boolean, integer, float, atom]) -> must_be(Type, Value) ; true ),
        Default = value(Value)
    ;   Default = none
    ),
    opt_specifications(Specs, Empty, Opts).

%   opt_keys(+Spec) is det: what is said of an option, once each.
opt_keys(Spec) :-
    ( ground(Spec) -> true ; throw(error(instantiation_error, context(optparse:opt_parse/4, 'option spec must be ground'))) ),
    (   member(Unknown, Spec),
        \+ ( compound(Unknown), compound_name_arity(Unknown, Key, 1), memberchk(Key, [opt, type, default, shortflags, longflags, meta, help]) )
    ->  ( compound(Unknown), compound_name_arity(Unknown, Culprit, _) -> true ; Culprit = Unknown ),
        opt_error(opt_spec, Culprit, 'unknown opt spec')
    ;   member(Key, [opt, type, default, shortflags, longflags, meta, help]),
        compound_name_arguments(Said, Key, [_]),
        findall(Said, member(Said, Spec), [_, _|_])
    ->  ( memberchk(opt(Name), Spec) -> true ; true ),
        format(atom(Why), 'duplicate spec in option ''~w''', [Name]),
        opt_error(unique_functor, Key, Why)
    ;   true
    ).

%   opt_type(+Type) is det: one that library(error) or the program knows.
opt_type(term) :- !.
opt_type(Type) :- clause(optparse:parse_type(Type, _, _), _), !.
opt_type(Type) :- catch(must_be(Type, _), error(instantiation_error, _), true).

opt_error(Domain, Culprit, Why) :-
    throw(error(domain_error(Domain, Culprit), context(_, Why))).

opt_unique(Names, Why) :-
    (   append(_, [Name|Rest], Names),
        memberchk(Name, Rest)
    ->  opt_error(unique_atom, Name, Why)
    ;   true
    ).

opt_arguments_values([], _, [], []).
opt_arguments_values([Argument|Arguments], Opts, Values, Positional) :-
    (   opt_long_flag(Argument, Text)
    ->  opt_long(Text, Opts, Arguments, Rest, Value),
        Values = [Value|Values1],
        Positional = Positional1
    ;   opt_short_flag(Argument, Letter, Text)
    ->  opt_short(Letter, Text, Opts, Arguments, Rest, Value),
        Values = [Value|Values1],
        Positional = Positional1
    ;   Rest = Arguments,
        Values = Values1,
        Positional = [Argument|Positional1]
    ),
    opt_arguments_values(Rest, Opts, Values1, Positional1).

opt_long_flag(Argument, Text) :-
    atom_concat(--, Text, Argument),
    sub_atom(Text, 0, 1, _, C),
    char_type(C, alpha),
    \+ char_type(C, digit(_)).

opt_short_flag(Argument, Letter, Text) :-
    atom_concat(-, Text0, Argument),
    sub_atom(Text0, 0, 1, After, Letter),
    char_type(Letter, alpha),
    \+ char_type(Letter, digit(_)),
    sub_atom(Text0, 1, After, 0, Text).

opt_long(Text, Opts, Rest, Rest, Name-Value) :-
    sub_atom(Text, Before, _, After, =), !,
    sub_atom(Text, 0, Before, _, Flag),
    sub_atom(Text, _, After, 0, ValueText),
    opt_by_long(Flag, Opts, Name, Type),
    opt_value(Type, ValueText, Flag, Value).
opt_long(Flag, Opts, Rest, Rest, Name-false) :-
    atom_concat('no-', Flag1, Flag),
    \+ opt_known(Flag, Opts),
    member(opt(Name, boolean, _, _, Long, _, _), Opts),
    memberchk(Flag1, Long), !.
opt_long(Flag, Opts, Arguments, Rest, Name-Value) :-
    opt_by_long(Flag, Opts, Name, Type),
    opt_next_value(Type, Flag, Arguments, Rest, Value).

opt_known(Flag, Opts) :-
    member(opt(_, _, _, _, Long, _, _), Opts),
    memberchk(Flag, Long), !.

opt_by_long(Flag, Opts, Name, Type) :-
    (   member(opt(Name0, Type0, _, _, Long, _, _), Opts),
        memberchk(Flag, Long)
    ->  Name = Name0,
        Type = Type0
    ;   existence_error(commandline_option, Flag)
    ).

opt_short(Letter, Text, Opts, Arguments, Rest, Name-Value) :-
    (   sub_atom(Text, 0, 1, _, =)
    ->  throw(error(syntax_error('disallowed: <shortflag>=<value>'), _))
    ;   member(opt(Name0, Type0, _, Short, _, _, _), Opts),
        memberchk(Letter, Short)
    ->  Name = Name0,
        Type = Type0
    ;   existence_error(commandline_option, Letter)
    ),
    (   Text == ''
    ->  opt_next_value(Type, Letter, Arguments, Rest, Value)
    ;   Rest = Arguments,
        opt_value(Type, Text, Letter, Value)
    ).

opt_next_value(boolean, _, Arguments, Rest, Value) :- !,
    (   Arguments = [Text|Rest0],
        memberchk(Text, [true, false])
    ->  Value = Text,
        Rest = Rest0
    ;   Value = true,
        Rest = Arguments
    ).
opt_next_value(Type, Flag, Arguments, Rest, Value) :-
    ( Arguments = [Text|Rest] -> true ; Text = '', Rest = [] ),
    opt_value(Type, Text, Flag, Value).

opt_value(Type, Text, Flag, Value) :-
    catch(opt_typed(Type, Text, Value0), Error, true),
    (   var(Error)
    ->  Value = Value0
    ;   format("~nERROR: flag '~w': expected atom parsable as ~w, found '~w' ~n", [Flag, Type, Text]),
        throw(Error)
    ).

opt_typed(Type, Text, Value) :-
    (   opt_read_type(Type, Text, Value0)
    ->  (   opt_has_type(Type, Value0)
        ->  Value = Value0
        ;   type_error(flag_value, Type)
        )
    ;   atom_codes(Text, Codes),
        optparse:parse_type(Type, Codes, Value0)
    ->  Value = Value0
    ;   %   A type that there is not at all is another error.
        catch(must_be(Type, Text), error(type_error(_, _), _), true),
        type_error(flag_value, Type)
    ).

opt_read_type(boolean, Text, Text).
opt_read_type(atom, Text, Text).
opt_read_type(integer, Text, Value) :- atom_codes(Text, Codes), number_codes(Value, Codes).
opt_read_type(float, Text, Value) :- atom_codes(Text, Codes), number_codes(Value, Codes).
opt_read_type(term, Text, Value) :- read_from_codes(Text, Value).

opt_has_type(term, _) :- !.
opt_has_type(Type, Value) :-
    is_of_type(Type, Value).

opt_duplicates(keepall, Values, Values).
opt_duplicates(keeplast, [], []) :- !.
opt_duplicates(keeplast, [Name-Value|Values0], Values) :-
    (   memberchk(Name-_, Values0)
    ->  Values = Values1
    ;   Values = [Name-Value|Values1]
    ),
    opt_duplicates(keeplast, Values0, Values1).
opt_duplicates(keepfirst, Values0, Values) :-
    reverse(Values0, Reversed0),
    opt_duplicates(keeplast, Reversed0, Reversed),
    reverse(Reversed, Values).

opt_defaults([], _, []).
opt_defaults([opt(Name, _, Default, _, _, _, _)|Opts], Given, Defaults) :-
    (   memberchk(Name-_, Given)
    ->  Defaults = Defaults1
    ;   ( Default = value(Value) -> true ; Value = _ ),
        Defaults = [Name-Value|Defaults1]
    ),
    opt_defaults(Opts, Given, Defaults1).

opt_output([], _, []).
opt_output([Name-Value|Values], Functor, [Option|Options]) :-
    (   Functor == 'OPTION'
    ->  Option =.. [Name, Value]
    ;   Option =.. [Functor, Name, Value]
    ),
    opt_output(Values, Functor, Options).

%!  opt_help(+Specification, -Help) is det.
%
%   Help is a text that explains the options which have flags.

opt_help(Specification, Help) :-
    opt_specification(Specification, true, Opts),
    findall(row(Long, Short, Type, Lines), opt_row(Opts, Long, Short, Type, Lines), Rows),
    opt_width(Rows, W1, W2, W3),
    Column is W1 + W2 + W3 + 6,
    Width is max(78 - Column, 40),
    with_output_to(atom(Help), opt_print_rows(Rows, W1, W2, W3, Column, Width)).

opt_row(Opts, Long, Short, Type, Help) :-
    member(opt(_, Type0, Default0, Short0, Long0, Meta, Help), Opts),
    \+ ( Short0 == [], Long0 == [] ),
    opt_long_words(Long0, Long),
    maplist(atom_concat(-), Short0, Short1),
    atomic_list_concat(Short1, ',', Short),
    ( Default0 = value(Default) -> true ; Default = '_' ),
    ( Meta == '' -> Name = '' ; atom_concat(Meta, :, Name) ),
    format(atom(Type), '~w~w=~w', [Name, Type0, Default]).

opt_long_words([], ['']).
opt_long_words([Word|Words], Texts) :-
    (   Words == []
    ->  atom_concat(--, Word, Text),
        Texts = [Text]
    ;   atomic_list_concat([--, Word, ','], Text),
        Texts = [Text|Texts1],
        opt_long_words(Words, Texts1)
    ).

opt_width(Rows, W1, W2, W3) :-
    % (Without the comma behind a flag that another one follows.)
    findall(N, ( member(row(Long, _, _, _), Rows), member(Text0, Long), ( atom_concat(Text, ',', Text0) -> true ; Text = Text0 ), atom_length(Text, N) ), N1),
    findall(N, ( member(row(_, Short, _, _), Rows), atom_length(Short, N) ), N2),
    findall(N, ( member(row(_, _, Type, _), Rows), atom_length(Type, N) ), N3),
    foldl(opt_max, N1, 0, W1),
    foldl(opt_max, N2, 0, W2),
    foldl(opt_max, N3, 0, W3).

opt_max(A, B, C) :-
    C is max(A, B).

opt_print_rows([], _, _, _, _, _).
opt_print_rows([row(Long, Short, Type, Help)|Rows], W1, W2, W3, Column, Width) :-
    append(Before, [Last], Long),
    forall(member(Text, Before), format('~w~n', [Text])),
    opt_cell(Last, W1),
    opt_cell(Short, W2),
    opt_cell(Type, W3),
    opt_help_lines(Help, Width, Lines),
    opt_print_lines(Lines, Column),
    opt_print_rows(Rows, W1, W2, W3, Column, Width).

opt_cell(Text, Width) :-
    atom_length(Text, Length),
    Blanks is Width - Length + 2,
    write(Text),
    tab(Blanks).

%   Lines after the first are indented by two columns more.
opt_print_lines([], _) :-
    nl.
opt_print_lines([Line|Lines], Column) :-
    write(Line),
    nl,
    Indent is Column + 2,
    forall(member(More, Lines), ( tab(Indent), write(More), nl )).

opt_help_lines(Help, Width, Lines) :-
    (   is_list(Help)
    ->  Lines = Help
    ;   atom_length(Help, Length),
        Length =< Width
    ->  Lines = [Help]
    ;   split_string(Help, " \n\t", " \n\t", Words0),
        exclude(==(""), Words0, Words),
        opt_filled(Words, Width, Lines)
    ).

opt_filled([], _, []).
opt_filled([Word|Words], Width, [Line|Lines]) :-
    opt_filled_line(Words, Word, Width, Line, Rest),
    opt_filled(Rest, Width, Lines).

opt_filled_line([Word|Words], Line0, Width, Line, Rest) :-
    atomic_list_concat([Line0, ' ', Word], Line1),
    atom_length(Line1, Length),
    Length =< Width, !,
    opt_filled_line(Words, Line1, Width, Line, Rest).
opt_filled_line(Rest, Line, _, Line, Rest).
