% Kinds of characters under the names of SWI-Prolog's library(ctypes).

:- module(ctypes,
          [ is_alnum/1, is_alpha/1, is_ascii/1, is_cntrl/1, is_csym/1, is_csymf/1, is_digit/1, is_digit/3, is_endfile/1,
            is_endline/1, is_graph/1, is_lower/1, is_newline/1, is_newpage/1, is_paren/2, is_period/1, is_print/1, is_punct/1,
            is_quote/1, is_space/1, is_upper/1, is_white/1, to_lower/2, to_upper/2, upper_lower/2
          ]).

:- use_module(library(error), [must_be/2]).

%   A character is a code or an atom of one character; if it is unbound, the codes of the kind are enumerated.

%!  is_alnum(?Char) is nondet.
is_alnum(C) :- code_type(C, alnum).
%!  is_alpha(?Char) is nondet.
%   A letter: not, as in code_type/2, also a digit or an underscore.
is_alpha(C) :- code_type(C, alpha), \+ code_type(C, digit(_)), \+ code_type(C, punct).
%!  is_ascii(?Char) is nondet.
is_ascii(C) :- code_type(C, ascii).
%!  is_cntrl(?Char) is nondet.
is_cntrl(C) :- code_type(C, cntrl).
%!  is_csym(?Char) is nondet.
is_csym(C) :- code_type(C, csym).
%!  is_csymf(?Char) is nondet.
is_csymf(C) :- code_type(C, csymf).
%!  is_digit(?Char) is nondet.
is_digit(C) :- code_type(C, digit).
%!  is_endfile(?Char) is semidet.
is_endfile(-1).
%!  is_endline(?Char) is nondet.
is_endline(C) :- code_type(C, end_of_line).
%!  is_graph(?Char) is nondet.
is_graph(C) :- code_type(C, graph).
%!  is_lower(?Char) is nondet.
is_lower(C) :- code_type(C, lower).
%!  is_newline(?Char) is semidet.
is_newline(10).
%!  is_newpage(?Char) is semidet.
is_newpage(12).
%!  is_period(?Char) is nondet.
is_period(C) :- code_type(C, period).
%!  is_print(?Char) is nondet.
is_print(C) :- code_type(C, graph).
%!  is_punct(?Char) is nondet.
is_punct(C) :- code_type(C, punct).
%!  is_quote(?Char) is nondet.
is_quote(C) :- code_type(C, quote).
%!  is_space(?Char) is nondet.
is_space(C) :- code_type(C, space).
%!  is_upper(?Char) is nondet.
is_upper(C) :- code_type(C, upper).
%!  is_white(?Char) is nondet.
is_white(C) :- code_type(C, white).

%!  is_paren(?Open, ?Close) is nondet.
is_paren(0'(, 0')).
is_paren(0'[, 0']).
is_paren(0'{, 0'}).

%!  is_digit(?Code, ?Base, ?Weight) is nondet.
%
%   Code is the digit Weight in Base, from 2 to 36. Letters count in both cases; from a weight comes the small one. With the base 10 the digit may be a character, too.

is_digit(C, Base, Weight) :-
    Base == 10, !,
    code_type(C, digit(Weight)).
is_digit(C, Base, Weight) :-
    between(2, 36, Base),
    Max is Base - 1,
    (   var(C)
    ->  between(0, Max, Weight),
        ( Weight < 10 -> C is 0'0 + Weight ; C is 0'a + Weight - 10 )
    ;   ( var(Weight) -> true ; between(0, Max, Weight) ),
        must_be(integer, C),
        digit_code_weight(C, Weight0),
        Weight0 < Base,
        Weight = Weight0
    ).

digit_code_weight(C, W) :- C >= 0'0, C =< 0'9, !, W is C - 0'0.
digit_code_weight(C, W) :- C >= 0'a, C =< 0'z, !, W is C - 0'a + 10.
digit_code_weight(C, W) :- C >= 0'A, C =< 0'Z, W is C - 0'A + 10.

%!  to_lower(?Upper, ?Lower) is nondet.
%!  to_upper(?Lower, ?Upper) is nondet.
%
%   Lower is the small letter to Upper, or Upper itself if it has none (the other way round: the capital letter). What is given may be a character; what is found is a
%   code.

to_lower(Upper, Lower) :- code_type(Lower, to_lower(Upper)).
to_upper(Lower, Upper) :- code_type(Upper, to_upper(Lower)).

%!  upper_lower(?Upper, ?Lower) is nondet.
%
%   Upper is the capital letter to the small letter Lower, as codes.

upper_lower(Upper, Lower) :-
    (   var(Upper)
    ->  code_type(Upper, upper(Lower))
    ;   code_type(Lower, lower(Upper))
    ).
