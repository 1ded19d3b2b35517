% What is said of text that is none of Prolog.

:- module('$syntax_messages', [ '$syntax_message'//1 ]).

%!  '$syntax_message'(+What)// is det.
%
%   The message of syntax_error(What), in SWI-Prolog's words where it has the error.

'$syntax_message'(What) --> { var(What) }, !, [ '~w'-[What] ].
'$syntax_message'(end_of_file_in_quoted(Quote)) --> !,
    { '$quoted_kind'(Quote, Kind) },
    [ 'End of file in quoted ~w'-[Kind] ].
'$syntax_message'(undefined_char_escape(C)) --> !,
    [ 'Unknown character escape in quoted atom or string: `\\~w'''-[C] ].
'$syntax_message'(punct(Punctuation, End)) --> !,
    [ 'Unexpected `~w'' before `~w'''-[Punctuation, End] ].
'$syntax_message'(unknown_quasi_quotation_syntax(Syntax, Module)) --> { callable(Syntax) }, !,
    { functor(Syntax, Name, _) },
    [ 'Quasi quotation syntax ~q:~q is not defined'-[Module, Name] ].
'$syntax_message'(invalid_quasi_quotation_syntax(Syntax)) --> !,
    [ 'Quasi quotation syntax must be a callable term.  Found ~q'-[Syntax] ].
'$syntax_message'(What) -->
    { '$syntax_text'(What, Text) }, !,
    [ '~w'-[Text] ].
'$syntax_message'(What) -->
    [ '~w'-[What] ].

'$quoted_kind'('\'', atom) :- !.
'$quoted_kind'('"', Kind) :- current_prolog_flag(double_quotes, Kind), !.
'$quoted_kind'('`', Kind) :- current_prolog_flag(back_quotes, Kind), !.
'$quoted_kind'(Kind, Kind).

'$syntax_text'(illegal_character, 'Illegal character').
'$syntax_text'(max_arity, 'Too many arguments').
'$syntax_text'(float_overflow, 'Float too large').
'$syntax_text'(end_of_clause, 'Unexpected end of clause').
'$syntax_text'(end_of_clause_expected, 'End of clause expected').
'$syntax_text'(end_of_file, 'Unexpected end of file').
'$syntax_text'(end_of_file_in_block_comment, 'End of file in /* ... */ comment').
'$syntax_text'(end_of_file_in_quasi_quotation, 'End of file in quasi quotation').
'$syntax_text'(double_bar_expected, '`||'' expected behind the syntax of a quasi quotation').
'$syntax_text'(double_bar_outside_quasiquotation, 'Unexpected `||''').
'$syntax_text'(quasi_quotation_parser_failed, 'The text of the quasi quotation is none of its syntax').
'$syntax_text'(quasi_quote_parser_failed, 'The parser of the quasi quotation has failed').
'$syntax_text'(illegal_number, 'Illegal number').
'$syntax_text'(operator_clash, 'Operator priority clash').
'$syntax_text'(operator_expected, 'Operator expected').
'$syntax_text'(operator_balance, 'Unbalanced operator').
'$syntax_text'(quoted_punctuation, 'Operand expected, unquoted comma or bar found').
'$syntax_text'(list_rest, 'Unexpected comma or bar in rest of list').
'$syntax_text'(cannot_start_term, 'Illegal start of term').
'$syntax_text'(void_not_allowed, 'Empty argument list "()"').
