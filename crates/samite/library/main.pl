% Programs that run from the command line, as in SWI-Prolog's library(main).

:- module(main, [
       main/0,
       argv_options/3,
       argv_usage/0
   ]).

:- dynamic(user:opt_type/3).
:- dynamic(user:opt_help/2).
:- dynamic(user:opt_meta/2).
:- multifile(user:opt_type/3).
:- multifile(user:opt_help/2).
:- multifile(user:opt_meta/2).

%!  main is det.
%
%   Calls user:main/1 with the arguments of the command line.

main :-
    current_prolog_flag(argv, Argv0),
    command_arguments(Argv0, Argv),
    user:main(Argv), !.

%   The program itself comes first.
command_arguments([_|Argv], Argv) :- !.
command_arguments([], []).

%!  argv_options(+Argv, -Positional, -Options) is det.
%
%   Divides arguments into options, as terms Name(Value), and the others. Without clauses of user:opt_type/3, --name=value is
%   name(value), with numbers as numbers, --name is name(true) and --no-name is name(false). With opt_type(Flag, Option,
%   Type), Flag is the name on the command line (-f if it has one letter), Option that of the term, and Type one of boolean,
%   integer, nonneg, natural, float, number, atom, string, term, oneof(List), between(Low, High) and others of must_be/2.
%   A word or letter that is not declared ends the program with a message and status 1; --help and -h explain the options.

argv_options(_:Argv, Positional, Options) :- !,
    argv_options(Argv, Positional, Options).
argv_options(Argv, Positional, Options) :-
    must_be(list, Argv),
    (   user:opt_type(_, _, _)
    ->  catch(typed_options(Argv, Positional, Options), argv_problem(Format, Args),
              ( print_message(error, format(Format, Args)), halt(1) ))
    ;   untyped_options(Argv, Positional, Options)
    ).

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

typed_options([], [], []).
typed_options([--|Rest], Rest, []) :- !.
typed_options([Word|_], _, _) :-
    memberchk(Word, ['--help', '-h', '-?']),
    \+ ( sub_atom(Word, 1, 1, 0, Letter), user:opt_type(Letter, _, _) ), !,
    argv_usage,
    halt(0).
typed_options([Word|Argv], Positional, Options) :-
    atom_concat(--, Text, Word), !,
    long_option(Text, Word, Argv, Rest, Option),
    Options = [Option|Options1],
    typed_options(Rest, Positional, Options1).
typed_options([Word|Argv], Positional, Options) :-
    atom_concat(-, Text, Word),
    Text \== '', !,
    short_options(Text, Word, Argv, Rest, Options, Options1),
    typed_options(Rest, Positional, Options1).
typed_options([Word|Argv], [Word|Positional], Options) :-
    typed_options(Argv, Positional, Options).

long_option(Text, Word, Rest, Rest, Option) :-
    sub_atom(Text, Before, _, After, =), !,
    sub_atom(Text, 0, Before, _, Flag0),
    sub_atom(Text, _, After, 0, Value),
    flag_name(Flag0, Flag),
    declared(Flag, Word, Name, Type),
    typed_value(Type, Value, Word, Typed),
    Option =.. [Name, Typed].
long_option(Text, _, Rest, Rest, Option) :-
    atom_concat('no-', Flag0, Text),
    flag_name(Flag0, Flag),
    user:opt_type(Flag, Name, Type),
    boolean_type(Type), !,
    Option =.. [Name, false].
long_option(Text, Word, Argv, Rest, Option) :-
    flag_name(Text, Flag),
    declared(Flag, Word, Name, Type),
    flag_value(Type, Word, Argv, Rest, Value),
    Option =.. [Name, Value].

flag_value(Type, _, Rest, Rest, Value) :-
    boolean_type(Type), !,
    Value = true.
flag_value(Type, Word, [Text|Rest], Rest, Value) :- !,
    typed_value(Type, Text, Word, Value).
flag_value(Type, Word, [], _, _) :-
    throw(argv_problem('Option ~w requires an argument of type ~w', [Word, Type])).

%   -abc: flags, of which the last may have a value behind it.
short_options('', _, Rest, Rest, Options, Options) :- !.
short_options(Text, Word, Argv, Rest, [Option|Options0], Options) :-
    sub_atom(Text, 0, 1, After, Letter),
    sub_atom(Text, 1, After, 0, More),
    declared(Letter, Word, Name, Type),
    (   boolean_type(Type)
    ->  Option =.. [Name, true],
        short_options(More, Word, Argv, Rest, Options0, Options)
    ;   ( More == '' -> flag_value(Type, Word, Argv, Rest, Value)
        ; Rest = Argv,
          ( atom_concat(=, Text1, More) -> true ; Text1 = More ),
          typed_value(Type, Text1, Word, Value)
        ),
        Option =.. [Name, Value],
        Options0 = Options
    ).

boolean_type(Type) :-
    ( Type == boolean ; Type == bool ), !.

declared(Flag, Word, Name, Type) :-
    (   user:opt_type(Flag, Name, Type)
    ->  true
    ;   throw(argv_problem('Unknown option: ~w (-h for help)', [Word]))
    ).

typed_value(Type, Text, Word, Value) :-
    (   catch(value_of_type(Type, Text, Value), error(_, _), fail)
    ->  true
    ;   throw(argv_problem('Option ~w requires an argument of type ~w (found ~w)', [Word, Type, Text]))
    ).

value_of_type((A|B), Text, Value) :- !,
    (   catch(value_of_type(A, Text, Value), error(_, _), fail)
    ->  true
    ;   value_of_type(B, Text, Value)
    ).
value_of_type(Type, Text, Value) :-
    boolean_type(Type), !,
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

%!  argv_usage is det.
%
%   Prints the options that user:opt_type/3, opt_help/2 and opt_meta/2 describe.

argv_usage :-
    ( user:opt_help(help(header), Header) -> format('~w~n', [Header]) ; true ),
    ( user:opt_help(help(usage), Usage) -> true ; Usage = ' [options]' ),
    ( program_name(Program) -> true ; Program = samite ),
    format('Usage: ~w~w~n~nOptions:~n~n', [Program, Usage]),
    findall(Name, user:opt_help(Name, _), Names0),
    exclude([help(_)]>>true, Names0, Names),
    format('~w~t~32|~w~n', ['    -h, -?, --help', 'Show this help message and exit']),
    forall(member(Name, Names), option_usage(Name)),
    ( user:opt_help(help(footer), Footer) -> format('~n~w~n', [Footer]) ; true ).

program_name(Name) :-
    current_prolog_flag(argv, [Program|_]),
    file_base_name(Program, Name).

option_usage(Name) :-
    findall(Flag-Type, user:opt_type(Flag, Name, Type), Flags0),
    predsort(by_flag_length, Flags0, Flags),
    option_words(Flags, Name, Words),
    atomic_list_concat(Words, ', ', Left),
    user:opt_help(Name, Help),
    format('    ~w~t~32|~w~n', [Left, Help]), !.
option_usage(_).

by_flag_length(Order, A-_, B-_) :-
    atom_length(A, LA),
    atom_length(B, LB),
    compare(Order0, LA-A, LB-B),
    ( Order0 == (=) -> Order = (<) ; Order = Order0 ).

option_words([], _, []).
option_words([Flag-Type|Flags], Name, [Word|Words]) :-
    atomic_list_concat(Parts, '_', Flag),
    atomic_list_concat(Parts, -, Text),
    (   boolean_type(Type)
    ->  Value = ''
    ;   ( user:opt_meta(Name, Meta) -> true ; format(atom(Type1), '~w', [Type]), upcase_atom(Type1, Meta) ),
        ( atom_length(Flag, 1) -> atom_concat(' ', Meta, Value) ; atom_concat(=, Meta, Value) )
    ),
    ( atom_length(Flag, 1) -> Dashes = (-) ; Dashes = (--) ),
    atomic_list_concat([Dashes, Text, Value], Word),
    option_words(Flags, Name, Words).
