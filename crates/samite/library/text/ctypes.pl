% Kinds of characters under the names of SWI-Prolog's library(ctypes).

:- module(ctypes,
          [ is_alnum/1, is_alpha/1, is_ascii/1, is_cntrl/1, is_csym/1, is_csymf/1, is_digit/1, is_digit/3, is_endfile/1,
            is_endline/1, is_graph/1, is_lower/1, is_newline/1, is_newpage/1, is_paren/2, is_period/1, is_print/1, is_punct/1,
            is_quote/1, is_space/1, is_upper/1, is_white/1, to_lower/2, to_upper/2, upper_lower/2
          ]).

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
%!  is_newline(?Char) is nondet.
is_newline(C) :- code_type(C, newline).
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
%   Code is the digit Weight in Base, from 2 to 36. Letters count in both cases; from a weight comes the small one.

is_digit(C, Base, Weight) :-
    between(2, 36, Base),
    (   var(C)
    ->  Max is Base - 1,
        between(0, Max, Weight),
        ( Weight < 10 -> C is 0'0 + Weight ; C is 0'a + Weight - 10 )
    ;   digit_code_weight(C, Weight0),
        Weight0 < Base,
        Weight = Weight0
    ).

digit_code_weight(C, W) :- C >= 0'0, C =< 0'9, !, W is C - 0'0.
digit_code_weight(C, W) :- C >= 0'a, C =< 0'z, !, W is C - 0'a + 10.
digit_code_weight(C, W) :- C >= 0'A, C =< 0'Z, W is C - 0'A + 10.

%!  to_lower(?Char, ?Lower) is semidet.
%!  to_upper(?Char, ?Upper) is semidet.
%
%   Lower (Upper) is the code of Char as a small (capital) letter, that of Char itself if it has none.

to_lower(C, Lower) :- nonvar(C), !, code_in_case(C, system:downcase_atom, Lower).
to_lower(C, Lower) :- once(( code_type(Upper, upper(Lower)), C = Upper ; C = Lower )).
to_upper(C, Upper) :- nonvar(C), !, code_in_case(C, system:upcase_atom, Upper).
to_upper(C, Upper) :- once(( code_type(Lower, lower(Upper)), C = Lower ; C = Upper )).

code_in_case(C, How, Code) :-
    ( integer(C) -> char_code(Char, C) ; Char = C ),
    call(How, Char, Char1),
    ( atom_length(Char1, 1) -> char_code(Char1, Code) ; char_code(Char, Code) ).

%!  upper_lower(?Upper, ?Lower) is nondet.
%
%   Upper is the capital letter to the small letter Lower, as codes.

upper_lower(Upper, Lower) :-
    nonvar(Upper), !,
    code_type(Upper, upper(Lower)).
upper_lower(Upper, Lower) :-
    code_type(Upper, upper(Lower)).
