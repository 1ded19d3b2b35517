% Programs that run from the command line, as in SWI-Prolog's library(main).

:- module(prolog_main, [
       main/0,
       argv_options/3,
       argv_options/4,
       argv_usage/1
   ]).

:- meta_predicate(main).
:- meta_predicate(main(:)).
:- meta_predicate(argv_options(:, -, -)).
:- meta_predicate(argv_options(:, -, -, +)).
:- meta_predicate(argv_usage(:)).

%!  main is det.
%
%   Calls main/1 of the module that calls this with the arguments of the command line.

main :- main(user:_).

%   Called in a module main/0 means this.
main(M:_) :-
    current_prolog_flag(argv, Argv),
    M:main(Argv), !.

%!  argv_options(:Argv, -Positional, -Options) is det.
%
%   Divides arguments into options, as terms Name(Value), and the others. Without clauses of opt_type/3 in the module, --name=value is
%   name(value), with numbers as numbers, --name is name(true) and --no-name is name(false). With opt_type(Flag, Option,
%   Type), Flag is the name on the command line (-f if it has one letter), Option that of the term, and Type one of boolean,
%   boolean(Value) for what the flag alone stands for, integer, nonneg, natural, float, number, atom, string, term, term(ReadOptions),
%   file, file(Access) for one that can be accessed so (`-` is taken as it is), oneof(List), between(Low, High), A|B, and others of must_be/2. A word or letter that is not declared ends the program with a
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
    said(M, opt_type(Flag, Name, Type)).

%   said(+Module, ?Fact) is nondet: what the program says of its options, if it does.
said(M, Fact) :-
    functor(Fact, Name, Arity),
    current_predicate(M:Name/Arity),
    M:Fact.

problem_text(unknown_option(Word), 'Unknown option: ~w (-h for help)', [Word]).
problem_text(missing_value(Flag, Type), 'Option ~w requires an argument (of type ~w)', [Option, Type]) :-
    flag_text(Flag, Option).
problem_text(value_type(Flag, Type, Text), 'Option ~w requires ~w (found ~w)', [Option, What, Text]) :-
    flag_text(Flag, Option),
    wanted(Type, What).
problem_text(access_file(File, exist), 'File ~w does not exist', [File]) :- !.
problem_text(access_file(File, Access), 'Cannot access file ~w for ~w', [File, Doing]) :-
    doing(Access, Doing).

doing(read, reading).
doing(write, writing).
doing(append, writing).
doing(execute, executing).

wanted((A|B), What) :- !,
    wanted(A, WhatA),
    wanted(B, WhatB),
    atomic_list_concat([WhatA, ' or ', WhatB], What).
wanted(oneof([Word]), What) :- !,
    What = Word.
wanted(oneof(List), What) :- !,
    atomic_list_concat(List, ', ', Names),
    atom_concat('one of ', Names, What).
wanted(nonneg, 'a non-negative integer') :- !.
wanted(natural, 'a positive integer (>= 1)') :- !.
wanted(between(Low, High), What) :- !,
    format(atom(What), 'a number ~w..~w', [Low, High]).
wanted(Type, What) :-
    format(atom(What), 'an argument of type ~w', [Type]).

%   A flag is its name, or word(Word) where it was written with its value.
flag_text(word(Word), Text) :- !,
    Text = Word.
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
    ;   ( sub_atom(Word, Before, _, _, =) -> sub_atom(Word, 0, Before, _, Flag) ; Flag = Word ),
        unknown_word(Flag, O),
        Positional = [Word|Positional1],
        typed_options(Argv, O, Positional1, Options)
    ).
typed_options([Word|Argv], O, Positional, Options) :-
    atom_concat(-, Text, Word),
    Text \== '', !,
    (   short_options(Text, O, Argv, Rest, Options, Options1)
    ->  typed_options(Rest, O, Positional, Options1)
    ;   unknown_letter(Text, O, Letter),
        atom_concat(-, Letter, Flag),
        unknown_word(Flag, O),
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

%   The first letter that is not declared.
unknown_letter(Text, O, Unknown) :-
    O = o(M, _),
    sub_atom(Text, 0, 1, After, Letter),
    sub_atom(Text, 1, After, 0, More),
    (   More \== '',
        declares(M, Letter, _, _)
    ->  unknown_letter(More, O, Unknown)
    ;   Unknown = Letter
    ).

%   long_option(+Text, +Word, +O, +Argv, -Rest, -Option) is semidet: fails if the flag is not declared.

long_option(Text, Word, o(M, _), Rest, Rest, Option) :-
    sub_atom(Text, Before, _, After, =), !,
    sub_atom(Text, 0, Before, _, Flag0),
    sub_atom(Text, _, After, 0, Value),
    flag_name(Flag0, Flag),
    declares(M, Flag, Name, Type), !,
    typed_value(Type, Value, word(Word), Typed),
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
          typed_value(Type, More, Letter, Value)
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
    (   tried_value(Type, Text, Value0)
    ->  Value = Value0
    ;   throw(error(opt_error(value_type(Flag, Type, Text)), _))
    ).

%   tried_value(+Type, +Text, -Value) is semidet: a file that cannot be accessed is told of as such.
tried_value(Type, Text, Value) :-
    catch(value_of_type(Type, Text, Value), error(Error, Context),
          ( Error = opt_error(_), throw(error(Error, Context)) )).

value_of_type((A|B), Text, Value) :- !,
    (   tried_value(A, Text, Value)
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
value_of_type(file(Access), Text, Value) :- !,
    (   ( Text == (-) ; access_file(Text, Access) )
    ->  Value = Text
    ;   throw(error(opt_error(access_file(Text, Access)), _))
    ).
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
    must_be(positive_integer, Value).
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
boolean_text('True', true).
boolean_text('TRUE', true).
boolean_text(on, true).
boolean_text('On', true).
boolean_text('1', true).
boolean_text(false, false).
boolean_text('False', false).
boolean_text('FALSE', false).
boolean_text(off, false).
boolean_text('Off', false).
boolean_text('0', false).

%!  argv_usage(:Level) is det.
%
%   Prints the options that opt_type/3, opt_help/2 and opt_meta/2 of the module describe, to standard error: header, usage, a line for each
%   option, footer. Level says nothing so far.

argv_usage(Spec) :-
    '$strip'(Spec, M, _),
    usage(M).

usage(M) :-
    ( said(M, opt_help(help(header), Header)) -> format(user_error, '~w~n', [Header]) ; true ),
    ( said(M, opt_help(help(usage), Usage)) -> true ; Usage = ' [options]' ),
    command_line(Command),
    format(user_error, 'Usage: ~w~w~n~nOptions:~n', [Command, Usage]),
    findall(Name, declares(M, _, Name, _), Names0),
    list_to_set(Names0, Names),
    findall(Words-Help, ( Words = '-h, -?, --help', Help = 'Show this help message and exit'
                        ; member(Name, Names), option_words(Name, M, Words), ( said(M, opt_help(Name, Help)) -> true ; Help = '' )
                        ), Lines),
    foldl(widest, Lines, 0, Widest),
    Column is min(30, Widest)+1,
    forall(member(Words-Help, Lines), print_option(Words, Help, Column)),
    ( said(M, opt_help(help(footer), Footer)) -> format(user_error, '~w~n', [Footer]) ; true ).

%   What has been typed up to the arguments of the program.
command_line(Command) :-
    current_prolog_flag(os_argv, Words),
    current_prolog_flag(argv, Arguments),
    append(Before0, Arguments, Words), !,
    ( append(Before, [--], Before0) -> true ; Before = Before0 ),
    atomic_list_concat(Before, ' ', Command).

widest(Words-_, W0, W) :-
    atom_length(Words, Length),
    W is max(W0, Length).

%   option_words(+Name, +Module, -Words): its flags, letters first, with what stands for their values.
option_words(Name, M, Words) :-
    findall(Long-flag(Flag, Type), ( declares(M, Flag, Name, Type), ( atom_length(Flag, 1) -> Long = 0 ; Long = 1 ) ), Flags0),
    keysort(Flags0, Flags),
    findall(Word, ( member(_-flag(Flag, Type), Flags), option_word(Flag, Type, M:Name, Word) ), List),
    atomic_list_concat(List, ', ', Words).

option_word(Flag, Type, M:Name, Word) :-
    atom_length(Flag, Length),
    ( Length =:= 1 -> Dashes = (-), Equal = ' ' ; Dashes = (--), Equal = (=) ),
    (   boolean_type(Type, _)
    ->  Value = ''
    ;   (   said(M, opt_meta(Name, Meta)) -> true
        ;   functor(Type, TypeName, _),
            upcase_atom(TypeName, Meta)
        ),
        atom_concat(Equal, Meta, Value)
    ),
    atomic_list_concat([Dashes, Flag, Value], Word).

%   What is wider than the column has a line of its own. A text of several lines is printed as it is, others are filled up to column 77.
print_option(Words, Help, Column) :-
    atom_length(Words, Length),
    (   Length < Column
    ->  format(user_error, '~w~t~*|', [Words, Column])
    ;   format(user_error, '~w~n~t~*|', [Words, Column])
    ),
    (   sub_atom(Help, _, _, _, '\n')
    ->  format(user_error, '~w~n', [Help])
    ;   split_string(Help, " ", " ", Parts),
        fill(Parts, Column, Column)
    ).

%   fill(+Words, +At, +Column)
fill([], _, _) :-
    nl(user_error).
fill([Word|Words], At, Column) :-
    string_length(Word, Length),
    (   At =:= Column
    ->  At1 is At+Length,
        write(user_error, Word)
    ;   At+1+Length > 77
    ->  At1 is Column+Length,
        format(user_error, '~n~t~*|~w', [Column, Word])
    ;   At1 is At+1+Length,
        format(user_error, ' ~w', [Word])
    ),
    fill(Words, At1, Column).
