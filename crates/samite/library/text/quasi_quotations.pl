:- module(quasi_quotations,
          [ with_quasi_quotation_input/3,
            phrase_from_quasi_quotation/2,
            quasi_quotation_syntax/1,
            quasi_quotation_syntax_error/1
          ]).

/*  Text of other languages within Prolog text, {|Syntax||Text|}, with the predicates of SWI-Prolog's library(quasi_quotations).

    The reader puts a variable where such a quotation stands, and leaves a goal behind (machine/builtins/quasi.rs) that calls, in the module by which
    the term is read, for Syntax = Name(Arg...)

        Name(Content, [Arg...], VariableNames, Result)

    Result becomes what the quotation means. Content is '$quasi_quotation'(Text, File, Position): where its text begins in a file, or [] for a text that
    is in none.
*/

:- meta_predicate(with_quasi_quotation_input(+, -, 0)).
:- meta_predicate(phrase_from_quasi_quotation(//, +)).
:- meta_predicate(quasi_quotation_syntax(4)).

%!  quasi_quotation_syntax(:Name) is det.
%
%   Name/4 parses quasi quotations whose syntax has this name: a directive.

quasi_quotation_syntax(Spec) :-
    strip_module(Spec, M, Name),
    must_be(atom, Name),
    '$quasi_quotation_syntax'(M:Name/4).

%!  with_quasi_quotation_input(+Content, -Stream, :Goal) is det.
%
%   once(Goal), with Stream on the text that is quoted, at its place in the file. That Goal fails is a syntax error.

with_quasi_quotation_input(Content, Stream, Goal) :-
    content(Content),
    with_input(Content, Stream, Goal).

%!  phrase_from_quasi_quotation(:Grammar, +Content) is det.
%
%   The codes of the text that is quoted are a phrase of the grammar. If they are not, that is a syntax error.

phrase_from_quasi_quotation(Grammar, Content) :-
    content(Content),
    with_input(Content, Stream, phrase_from_stream(Grammar, Stream)).

content(Content) :-
    var(Content),
    !,
    instantiation_error(Content).
content('$quasi_quotation'(_, _, _)).

:- meta_predicate(with_input(?, ?, 0)).
with_input('$quasi_quotation'(Text, File, Position), Stream, Goal) :-
    setup_call_cleanup(
        '$open_quotation'(Text, Position, File, Stream),
        (   inputs(Around),
            b_setval('$quasi_quotation_input', [Stream|Around]),
            (   call(Goal)
            ->  true
            ;   syntax_error_in(Stream, quasi_quotation_parser_failed)
            ),
            b_setval('$quasi_quotation_input', Around)
        ),
        close(Stream)).

inputs(Streams) :-
    (   nb_current('$quasi_quotation_input', Streams0)
    ->  Streams = Streams0
    ;   Streams = []
    ).

%!  quasi_quotation_syntax_error(+What) is semidet.
%
%   Throws error(syntax_error(What), Where): Where is what the innermost stream of with_quasi_quotation_input/3 has been read to. Fails outside of that.

quasi_quotation_syntax_error(What) :-
    inputs([Stream|_]),
    syntax_error_in(Stream, What).

syntax_error_in(Stream, What) :-
    stream_property(Stream, position(Position)),
    stream_position_data(line_count, Position, Line),
    stream_position_data(line_position, Position, Column),
    stream_position_data(char_count, Position, Count),
    (   stream_property(Stream, file_name(File))
    ->  Where = file(File, Line, Column, Count)
    ;   Where = stream(Stream, Line, Column, Count)
    ),
    throw(error(syntax_error(What), Where)).

%   quasi_read(+Quotations, +Module, +OnError, +Singletons, -Left, :Then): parses Place-quasi_quotation(Syntax, Content, Names, Result) each, and
%   calls Then. Left are those singletons that are in no result. OnError is what a syntax error does: `error`, `fail` (a message before that),
%   `quiet` (failure) or skip(Goal) (a message, and Goal).

quasi_read(Quotations, Module, error, Singletons, Left, Then) :-
    !,
    parse_quotations(Quotations, Module),
    left_singletons(Singletons, Quotations, Left),
    call(system:Then).
quasi_read(Quotations, Module, OnError, Singletons, Left, Then) :-
    Error = error(syntax_error(_), _),
    catch(( parse_quotations(Quotations, Module), Parsed = true ), Error, true),
    (   Parsed == true
    ->  left_singletons(Singletons, Quotations, Left),
        call(system:Then)
    ;   syntax_error_does(OnError, Error)
    ).

syntax_error_does(fail, Error) :-
    print_message(error, Error),
    fail.
syntax_error_does(skip(Goal), Error) :-
    print_message(error, Error),
    call(system:Goal).

%   Syntaxes are looked at before anything is parsed.
parse_quotations(Quotations, Module) :-
    check_syntaxes(Quotations, Module),
    call_parsers(Quotations, Module).

check_syntaxes([], _).
check_syntaxes([Place-quasi_quotation(Syntax, _, _, _)|Quotations], Module) :-
    (   \+ callable(Syntax)
    ->  throw(error(syntax_error(invalid_quasi_quotation_syntax(Syntax)), Place))
    ;   name_of(Syntax, Module, Name, In, _),
        functor(Head, Name, 4),
        predicate_property(In:Head, quasi_quotation_syntax)
    ->  true
    ;   throw(error(syntax_error(unknown_quasi_quotation_syntax(Syntax, Module)), Place))
    ),
    check_syntaxes(Quotations, Module).

call_parsers([], _).
call_parsers([_-quasi_quotation(Syntax, Content, Names, Result)|Quotations], Module) :-
    name_of(Syntax, Module, Name, In, Arguments),
    (   call(In:Name, Content, Arguments, Names, Result)
    ->  true
    ;   with_input(Content, Stream, syntax_error_in(Stream, quasi_quote_parser_failed))
    ),
    call_parsers(Quotations, Module).

name_of(Syntax, Module, Name, In, Arguments) :-
    (   Syntax = M:Syntax1, atom(M), callable(Syntax1)
    ->  name_of(Syntax1, M, Name, In, Arguments)
    ;   In = Module,
        Syntax =.. [Name|Arguments]
    ).

left_singletons([], _, Left) =>
    Left = [].
left_singletons(Singletons, Quotations, Left) =>
    results(Quotations, Results),
    term_variables(Results, Used),
    left_of(Singletons, Used, Left).

results([], []).
results([_-quasi_quotation(_, _, _, Result)|Quotations], [Result|Results]) :-
    results(Quotations, Results).

left_of([], _, []).
left_of([Name=Variable|Singletons], Used, Left) :-
    (   ( \+ var(Variable) ; member(Used1, Used), Used1 == Variable )
    ->  Left = Left1
    ;   Left = [Name=Variable|Left1]
    ),
    left_of(Singletons, Used, Left1).
