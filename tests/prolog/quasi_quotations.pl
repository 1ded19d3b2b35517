% Quasi quotations, {|Syntax||Text|}: reading, library(quasi_quotations), and where errors in them are.

:- use_module(library(quasi_quotations)).

:- quasi_quotation_syntax(qqt_text).
:- quasi_quotation_syntax(qqt_names).
:- quasi_quotation_syntax(qqt_none).
:- quasi_quotation_syntax(qqt_fails).
:- quasi_quotation_syntax(qqt_error).
:- quasi_quotation_syntax(qqt_ball).
:- quasi_quotation_syntax(qqt_grammar).
:- quasi_quotation_syntax(qqt_term).
:- quasi_quotation_syntax(qqt_place).
:- quasi_quotation_syntax(qqt_backtracks).

qqt_text(Content, Arguments, _, text(S, Arguments)) :- with_quasi_quotation_input(Content, In, read_string(In, _, S)).
qqt_names(_, _, Names, Names).
qqt_none(_, _, _, none).
qqt_fails(_, _, _, _) :- fail.
qqt_error(Content, _, _, _) :- with_quasi_quotation_input(Content, In, ( get_char(In, _), quasi_quotation_syntax_error(wrong) )).
qqt_ball(Content, _, _, _) :- with_quasi_quotation_input(Content, _, throw(ball)).
qqt_grammar(Content, _, _, R) :- phrase_from_quasi_quotation(qqt_digits(R), Content).
qqt_term(Content, _, _, R) :- with_quasi_quotation_input(Content, In, read(In, R)).
qqt_place(Content, _, _, at(Line, Column, Count)) :-
    with_quasi_quotation_input(Content, In, ( line_count(In, Line), line_position(In, Column), character_count(In, Count) )).
qqt_backtracks(_, _, _, R) :- member(R, [1, 2]).

qqt_digits([D|Ds]) --> [C], { code_type(C, digit(D)) }, qqt_digits(Ds).
qqt_digits([]) --> [].

% In clauses.
qqt_fact({|qqt_text||a 'b. % c
d|}, {|qqt_none||/* |}).
qqt_name(X, {|qqt_names||X|}).

qqt_read(Text, Term, Options) :- setup_call_cleanup(open_string(Text, In), read_term(In, Term, Options), close(In)).
qqt_next(Text, Options, Term, Next) :-
    setup_call_cleanup(open_string(Text, In), ( ( read_term(In, Term, Options) -> true ; Term = failed ), read(In, Next) ), close(In)).

t(qqt_clause, qqt_fact(X, Y), [X, Y], answers([[text("a 'b. % c\nd", []), none]])).
t(qqt_clause_names, qqt_name(1, L), [L], answers([[['X'=1]]])).
t(qqt_arguments, term_to_atom(T, '{|qqt_text(A, B)||x|} + B'), [T], answers([[text("x", [_, B])+B]])).
t(qqt_empty, term_to_atom(T, '{|qqt_text|||}'), [T], answers([[text("", [])]])).
t(qqt_bars, term_to_atom(T, '[{|qqt_text|| a||b| }|}|{|qqt_none||c|}]'), [T], answers([[[text(" a||b| }", [])|none]]])).
t(qqt_layout, term_to_atom(T, '{| qqt_text /* || */ || x |}'), [T], answers([[text(" x ", [])]])).
t(qqt_quoted, term_to_atom(T, '{|\'qqt_text\'(\'||\')||x|}'), [T], answers([[text("x", ['||'])]])).
t(qqt_operators, term_to_atom(T, '- {|qqt_none||x|} = {|qqt_none||y|}'), [T], answers([[-none = none]])).
t(qqt_module, term_to_atom(T, '{|user:qqt_none||x|}'), [T], answers([[none]])).
t(qqt_nested, term_to_atom(T, '{|qqt_text||{|qqt_none||x|}'), [T], answers([[text("{|qqt_none||x", [])]])).
t(qqt_unicode, term_to_atom(T, 'f(é, {|qqt_text||ü|}, ü)'), [T], answers([[f(é, text("ü", []), ü)]])).
t(qqt_inner_term, term_to_atom(T, '{|qqt_term||a(b).|}'), [T], answers([[a(b)]])).
t(qqt_inner_error, term_to_atom(_, '{|qqt_term||a b.|}'), [], throws(syntax_error(operator_expected))).
t(qqt_grammar, term_to_atom(T, '{|qqt_grammar||123|}'), [T], answers([[[1, 2, 3]]])).
t(qqt_grammar_fails, qqt_read("{|qqt_grammar||12x|}. ", _, []), [], throws(syntax_error(quasi_quotation_parser_failed))).
t(qqt_first_result, term_to_atom(T, '{|qqt_backtracks||x|}'), [T], answers([[1]])).
t(qqt_result_unifies, term_to_atom(f(none), 'f({|qqt_none||x|})'), [], answers([[]])).
t(qqt_result_is_another, term_to_atom(f(one), 'f({|qqt_none||x|})'), [], fails).
t(qqt_parser_fails, qqt_read("{|qqt_fails||x|}. ", _, []), [], throws(syntax_error(quasi_quote_parser_failed))).
t(qqt_ball, catch(qqt_read("{|qqt_ball||x|}. ", _, []), B, true), [B], answers([[ball]])).
t(qqt_error_place, catch(qqt_read("a +\n {|qqt_error||xy|}. ", _, []), error(E, stream(_, L, C, N)), true), [E, L, C, N],
  answers([[syntax_error(wrong), 2, 15, 19]])).
t(qqt_place, qqt_read("a +\n {|qqt_place||x|}. ", T, []), [T], answers([[a+at(2, 14, 18)]])).
t(qqt_place_of_text, term_to_atom(T, 'a + {|qqt_place||x|}'), [T], answers([[a+at(1, 0, 0)]])).
t(qqt_unknown, catch(qqt_read(" {|nope(1)||x|}. ", _, []), error(E, stream(_, L, C, N)), true), [E, L, C, N],
  answers([[syntax_error(unknown_quasi_quotation_syntax(nope(1), user)), 1, 9, 9]])).
t(qqt_not_callable, term_to_atom(_, '{|1||x|}'), [], throws(syntax_error(invalid_quasi_quotation_syntax(1)))).
t(qqt_variable, term_to_atom(_, '{|X||x|}'), [], throws(syntax_error(invalid_quasi_quotation_syntax(_)))).
t(qqt_no_end, term_to_atom(_, '{|qqt_none||x'), [], throws(syntax_error(end_of_file_in_quasi_quotation))).
t(qqt_one_bar, term_to_atom(_, '{|qqt_none|x|}'), [], throws(syntax_error(double_bar_expected))).
t(qqt_no_bar, term_to_atom(_, '{|qqt_none}'), [], throws(syntax_error(cannot_start_term))).
t(qqt_no_syntax, term_to_atom(_, '{||x|}'), [], throws(syntax_error(quoted_punctuation))).
t(qqt_bars_outside, term_to_atom(_, '[a||b]'), [], throws(syntax_error(double_bar_outside_quasiquotation))).
t(qqt_end_within, qqt_next("{|qqt_none. b. ", [syntax_errors(quiet)], T, N), [T, N], answers([[failed, b]])).
t(qqt_quiet, qqt_next("{|qqt_error||a. c|}. b. ", [syntax_errors(quiet)], T, N), [T, N], answers([[failed, b]])).
t(qqt_singletons, qqt_read("{|qqt_none(X)||x|} + Y + Z + Z. ", _, [singletons(S)]), [S], answers([[['X'=_, 'Y'=_]]])).
t(qqt_singletons_used, qqt_read("{|qqt_names||x|} + Y. ", T, [singletons(S)]), [T, S], answers([[['Y'=Y]+Y, []]])).
t(qqt_kept, qqt_read("{|nope(X)||ab|} + X. ", T, [quasi_quotations(Q), variable_names(N)]), [T, Q, N],
  answers([[R+X, [quasi_quotation(nope(X), [0'a, 0'b], ['X'=X], R)], ['X'=X]]])).
t(qqt_kept_none, qqt_read("a. ", _, [quasi_quotations(Q)]), [Q], answers([[[]]])).
t(qqt_positions, qqt_read("{|f(X)||é. b|} + é. ", _, [quasi_quotations(_), subterm_positions(P)]), [P],
  answers([[term_position(0, 18, 15, 16, [quasi_quotation_position(0, 14, f(_), term_position(2, 6, 2, 3, [4-5]), 8-12), 17-18])]])).
t(qqt_flag, setup_call_cleanup(set_prolog_flag(quasi_quotations, false), term_to_atom(_, '{|qqt_none||x|}'), set_prolog_flag(quasi_quotations, true)), [],
  throws(syntax_error(_))).
t(qqt_property, predicate_property(qqt_none(_, _, _, _), quasi_quotation_syntax), [], answers([[]])).
t(qqt_no_property, predicate_property(qqt_digits(_, _, _), quasi_quotation_syntax), [], fails).
t(qqt_declares_what, quasi_quotation_syntax(_), [], throws(instantiation_error)).
t(qqt_declares_indicator, quasi_quotation_syntax(a/4), [], throws(type_error(atom, a/4))).
t(qqt_no_content, with_quasi_quotation_input(x, _, true), [], fails).
t(qqt_unbound_content, with_quasi_quotation_input(_, _, true), [], throws(instantiation_error)).
t(qqt_error_outside, quasi_quotation_syntax_error(x), [], fails).
t(qqt_atom_to_term, atom_to_term('f(X, {|qqt_names||y|})', T, B), [T, B], answers([[f(X, ['X'=X]), ['X'=X]]])).

% The syntax of library(strings).

:- use_module(library(strings)).

qq_hello(To, A) :- A = {|string(To)||hello {To}|}.
qq_default(A) :- A = {|string(A)||{X,none} of {Y,{}}|}.
qq_plain({|string||a {X}
 b|}).
qq_lines({|string||
         | one
         |   two
         |}).
qq_no_bars(A) :- A = {|string||
    one
      two
    three|}.
qq_letter(To, From, A) :-
    A = {|string(To, From)||
        | Dear {To},
        |
        | yours {From}
        |}.
qq_unknown(A) :- X = 1, A = {|string(X)||{Y}|}.

t(string, ( qq_hello(world, A), qq_hello(f("x"), B) ), [A, B], answers([["hello world", "hello f(x)"]])).
t(string_default, qq_default(A), [A], answers([["none of {}"]])).
t(string_plain, qq_plain(A), [A], answers([["a {X}\n b"]])).
t(string_lines, qq_lines(A), [A], answers([["one\n  two\n"]])).
t(string_no_bars, qq_no_bars(A), [A], answers([["one\n  two\nthree"]])).
t(string_letter, qq_letter(ann, bob, A), [A], answers([["Dear ann,\n\nyours bob\n"]])).
t(string_unknown, qq_unknown(_), [], throws(existence_error(template_var, 'Y'))).
t(dedent_chars, dedent_lines("|a\n| b", A, [chars("|")]), [A], answers([["a\n b"]])).
