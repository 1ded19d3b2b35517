% Programs that run from the command line, as in SWI-Prolog's library(main).

:- module(prolog_main, [
       main/0,
       argv_options/3,
       argv_options/4,
       argv_usage/1
   ]).

:- meta_predicate(argv_options(:, -, -)).
:- meta_predicate(argv_options(:, -, -, +)).
:- meta_predicate(argv_usage(:)).

%!  main is det.
%
%   Calls user:main/1 with the arguments of the command line.

main :-
    current_prolog_flag(argv, Argv),
    user:main(Argv), !.

%!  argv_options(:Argv, -Positional, -Options) is det.
%
%   Divides arguments into options, as terms Name(Value), and the others. Without clauses of opt_type/3 in the module, --name=value is
%   name(value), with numbers as numbers, --name is name(true) and --no-name is name(false). With opt_type(Flag, Option,
%   Type), Flag is the name on the command line (-f if it has one letter), Option that of the term, and Type one of boolean,
%   boolean(Value) for what the flag alone stands for, integer, nonneg, natural, float, number, atom, string, term, term(ReadOptions),
%   oneof(List), between(Low, High) and others of must_be/2. A word or letter that is not declared ends the program with a
%   message and status 1; --help and -h explain the options.

argv_options(Spec, Positional, Options) :-
    '$strip'(Spec, M, Argv),
    catch(argv_options(M:Argv, Positional, Options, []), error(opt_error(Problem), _),
          ( problem_text(Problem, Format, Args), print_message(error, format(Format, Args)), halt(1) )).

%!  argv_options(:Argv, -Positional, -Options, +ParseOptions) is det.
%
%   As argv_options/3, but a bad argument is error(opt_error(Problem), _). ParseOptions: options_after_arguments(false) takes all
%   behind the first positional argument as positional; unknown_option(pass) takes options that are not declared as positional.

argv_options(Spec, Positional, Options, ParseOptions) :-
    '$strip'(Spec, M, Argv),
    must_be(list, Argv),
    (   declares(M, _, _, _)
    ->  typed_options(Argv, o(M, ParseOptions), Positional, Options)
    ;   untyped_options(Argv, Positional, Options)
    ).

declares(M, Flag, Name, Type) :-
    catch(M:opt_type(Flag, Name, Type), error(existence_error(procedure, _), _), fail).

problem_text(unknown_option(Word), 'Unknown option: ~w (-h for help)', [Word]).
problem_text(missing_value(Flag, Type), 'Option ~w requires an argument (of type ~w)', [Option, Type]) :-
    flag_text(Flag, Option).
problem_text(value_type(Flag, Type, Text), 'Option ~w requires an argument of type ~w (found ~w)', [Option, Type, Text]) :-
    flag_text(Flag, Option).

flag_text(Flag, Text) :-
    atomic_list_concat(Parts, '_', Flag),
    atomic_list_concat(Parts, -, Name),
    ( atom_length(Flag, 1) -> Dashes = (-) ; Dashes = (--) ),
    atom_concat(Dashes, Name, Text).

untyped_options([], [], []).
untyped_options([--|Rest], Rest, []) :- !.
untyped_options([Word|Argv], Positional, [Option|Options]) :-
    atom_concat(--, Text, Word), !,
    untyped_option(Text, Option),
    untyped_options(Argv, Positional, Options).
untyped_options([Word|Argv], [Word|Positional], Options) :-
    untyped_options(Argv, Positional, Options).

untyped_option(Text, Option) :-
    sub_atom(Text, Before, _, After, =), !,
    sub_atom(Text, 0, Before, _, Flag),
    sub_atom(Text, _, After, 0, Text1),
    plain_value(Text1, Value),
    option_term(Flag, Value, Option).
untyped_option(Text, Option) :-
    atom_concat('no-', Flag, Text), !,
    option_term(Flag, false, Option).
untyped_option(Flag, Option) :-
    option_term(Flag, true, Option).

plain_value(Text, Value) :-
    (   catch(atom_number(Text, N), error(_, _), fail)
    ->  Value = N
    ;   Value = Text
    ).

option_term(Flag, Value, Option) :-
    flag_name(Flag, Name),
    Option =.. [Name, Value].

%   some-name on the command line is some_name in the program.
flag_name(Flag, Name) :-
    atomic_list_concat(Parts, -, Flag),
    atomic_list_concat(Parts, '_', Name).

typed_options([], _, [], []).
typed_options([--|Rest], _, Rest, []) :- !.
typed_options([Word|_], o(M, _), _, _) :-
    memberchk(Word, ['--help', '-h', '-?']),
    \+ ( sub_atom(Word, 1, 1, 0, Letter), declares(M, Letter, _, _) ), !,
    usage(M),
    halt(0).
typed_options([Word|Argv], O, Positional, Options) :-
    atom_concat(--, Text, Word), !,
    (   long_option(Text, Word, O, Argv, Rest, Option)
    ->  Options = [Option|Options1],
        typed_options(Rest, O, Positional, Options1)
    ;   unknown_word(Word, O),
        Positional = [Word|Positional1],
        typed_options(Argv, O, Positional1, Options)
    ).
typed_options([Word|Argv], O, Positional, Options) :-
    atom_concat(-, Text, Word),
    Text \== '', !,
    (   short_options(Text, O, Argv, Rest, Options, Options1)
    ->  typed_options(Rest, O, Positional, Options1)
    ;   unknown_word(Word, O),
        Positional = [Word|Positional1],
        typed_options(Argv, O, Positional1, Options)
    ).
typed_options([Word|Argv], O, [Word|Positional], Options) :-
    O = o(_, ParseOptions),
    (   option(options_after_arguments(false), ParseOptions)
    ->  Positional = Argv,
        Options = []
    ;   typed_options(Argv, O, Positional, Options)
    ).

unknown_word(Word, o(_, ParseOptions)) :-
    (   option(unknown_option(pass), ParseOptions) -> true
    ;   throw(error(opt_error(unknown_option(Word)), _))
    ).

%   long_option(+Text, +Word, +O, +Argv, -Rest, -Option) is semidet: fails if the flag is not declared.

long_option(Text, _, o(M, _), Rest, Rest, Option) :-
    sub_atom(Text, Before, _, After, =), !,
    sub_atom(Text, 0, Before, _, Flag0),
    sub_atom(Text, _, After, 0, Value),
    flag_name(Flag0, Flag),
    declares(M, Flag, Name, Type), !,
    typed_value(Type, Value, Flag, Typed),
    Option =.. [Name, Typed].
long_option(Text, _, o(M, _), Rest, Rest, Option) :-
    ( atom_concat('no-', Flag0, Text) ; atom_concat(no, Flag0, Text) ),
    flag_name(Flag0, Flag),
    declares(M, Flag, Name, Type),
    boolean_type(Type, Value), !,
    opposite(Value, Typed),
    Option =.. [Name, Typed].
long_option(Text, _, o(M, _), Argv, Rest, Option) :-
    flag_name(Text, Flag),
    declares(M, Flag, Name, Type), !,
    flag_value(Type, Flag, Argv, Rest, Value),
    Option =.. [Name, Value].

flag_value(Type, _, Rest, Rest, Value) :-
    boolean_type(Type, Value0), !,
    Value = Value0.
flag_value(Type, Flag, [Text|Rest], Rest, Value) :- !,
    typed_value(Type, Text, Flag, Value).
flag_value(Type, Flag, [], _, _) :-
    throw(error(opt_error(missing_value(Flag, Type)), _)).

%   -abc: flags, of which the last may have a value behind it. Fails if one is not declared.
short_options('', _, Rest, Rest, Options, Options) :- !.
short_options(Text, O, Argv, Rest, [Option|Options0], Options) :-
    O = o(M, _),
    sub_atom(Text, 0, 1, After, Letter),
    sub_atom(Text, 1, After, 0, More),
    declares(M, Letter, Name, Type), !,
    (   boolean_type(Type, Value)
    ->  Option =.. [Name, Value],
        short_options(More, O, Argv, Rest, Options0, Options)
    ;   ( More == '' -> flag_value(Type, Letter, Argv, Rest, Value)
        ; Rest = Argv,
          ( atom_concat(=, Text1, More) -> true ; Text1 = More ),
          typed_value(Type, Text1, Letter, Value)
        ),
        Option =.. [Name, Value],
        Options0 = Options
    ).

%   boolean_type(+Type, -Value): Value is what the flag alone stands for.
boolean_type(boolean, true).
boolean_type(bool, true).
boolean_type(boolean(Value), Value).

opposite(true, false).
opposite(false, true).

typed_value(Type, Text, Flag, Value) :-
    (   catch(value_of_type(Type, Text, Value0), error(_, _), fail)
    ->  Value = Value0
    ;   throw(error(opt_error(value_type(Flag, Type, Text)), _))
    ).

value_of_type((A|B), Text, Value) :- !,
    (   catch(value_of_type(A, Text, Value), error(_, _), fail)
    ->  true
    ;   value_of_type(B, Text, Value)
    ).
value_of_type(Type, Text, Value) :-
    boolean_type(Type, _), !,
    boolean_text(Text, Value).
value_of_type(atom, Text, Value) :- !,
    Value = Text.
value_of_type(string, Text, Value) :- !,
    atom_string(Text, Value).
value_of_type(file, Text, Value) :- !,
    Value = Text.
value_of_type(file(_), Text, Value) :- !,
    Value = Text.
value_of_type(directory, Text, Value) :- !,
    Value = Text.
value_of_type(directory(_), Text, Value) :- !,
    Value = Text.
value_of_type(term, Text, Value) :- !,
    term_to_atom(Value, Text).
value_of_type(term(ReadOptions), Text, Value) :- !,
    string_concat(Text, " .", Closed),
    setup_call_cleanup(open_string(Closed, Stream), read_term(Stream, Term, ReadOptions), close(Stream)),
    (   memberchk(variable_names(Bindings), ReadOptions) -> Value = Term-Bindings
    ;   Value = Term
    ).
value_of_type(between(Low, High), Text, Value) :-
    float(Low), !,
    atom_number(Text, N),
    Value is float(N),
    must_be(between(Low, High), Value).
value_of_type(natural, Text, Value) :- !,
    atom_number(Text, Value),
    must_be(nonneg, Value).
value_of_type(float, Text, Value) :- !,
    atom_number(Text, N),
    Value is float(N).
value_of_type(oneof(Atoms), Text, Value) :- !,
    memberchk(Text, Atoms),
    Value = Text.
value_of_type(Type, Text, Value) :-
    plain_value(Text, Value),
    must_be(Type, Value).

boolean_text(true, true).
boolean_text(yes, true).
boolean_text(on, true).
boolean_text(false, false).
boolean_text(no, false).
boolean_text(off, false).

%!  argv_usage(:Level) is det.
%
%   Prints the options that opt_type/3, opt_help/2 and opt_meta/2 of the module describe.

argv_usage(Spec) :-
    '$strip'(Spec, M, _),
    usage(M).

usage(M) :-
    ( M:opt_help(help(header), Header) -> format('~w~n', [Header]) ; true ),
    ( M:opt_help(help(usage), Usage) -> true ; Usage = ' [options]' ),
    ( program_name(Program) -> true ; Program = samite ),
    format('Usage: ~w~w~n~nOptions:~n~n', [Program, Usage]),
    findall(Name, M:opt_help(Name, _), Names0),
    exclude([help(_)]>>true, Names0, Names),
    format('~w~t~32|~w~n', ['    -h, -?, --help', 'Show this help message and exit']),
    forall(member(Name, Names), option_usage(Name, M)),
    ( M:opt_help(help(footer), Footer) -> format('~n~w~n', [Footer]) ; true ).

program_name(Name) :-
    current_prolog_flag(argv, [Program|_]),
    file_base_name(Program, Name).

option_usage(Name, M) :-
    findall(Flag-Type, declares(M, Flag, Name, Type), Flags0),
    predsort(by_flag_length, Flags0, Flags),
    option_words(Flags, M:Name, Words),
    atomic_list_concat(Words, ', ', Left),
    M:opt_help(Name, Help),
    format('    ~w~t~32|~w~n', [Left, Help]), !.
option_usage(_, _).

by_flag_length(Order, A-_, B-_) :-
    atom_length(A, LA),
    atom_length(B, LB),
    compare(Order0, LA-A, LB-B),
    ( Order0 == (=) -> Order = (<) ; Order = Order0 ).

option_words([], _, []).
option_words([Flag-Type|Flags], Name, [Word|Words]) :-
    atomic_list_concat(Parts, '_', Flag),
    atomic_list_concat(Parts, -, Text),
    (   boolean_type(Type, _)
    ->  Value = ''
    ;   ( Name = M:Option, catch(M:opt_meta(Option, Meta), error(_, _), fail) -> true ; format(atom(Type1), '~w', [Type]), upcase_atom(Type1, Meta) ),
        ( atom_length(Flag, 1) -> atom_concat(' ', Meta, Value) ; atom_concat(=, Meta, Value) )
    ),
    ( atom_length(Flag, 1) -> Dashes = (-) ; Dashes = (--) ),
    atomic_list_concat([Dashes, Text, Value], Word),
    option_words(Flags, M:Name, Words).
