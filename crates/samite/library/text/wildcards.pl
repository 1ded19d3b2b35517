:- module('$wildcards', [wildcard_match/2, wildcard_match/3]).

/*  Text that matches a pattern of the shell's kind.  */

%!  wildcard_match(+Pattern, +Text) is semidet.
%
%   Pattern matches all of Text: `?` any character, `*` any text, `[a-z_]` a character
%   of a set, `{a,b}` one of several patterns, `\` the next character itself.

wildcard_match(Pattern, Text) :-
    '$wildcard_match'(Pattern, Text, true).

%!  wildcard_match(+Pattern, +Text, +Options) is semidet.
%
%   The option case_sensitive(false) takes upper and lower case as the same.

wildcard_match(Pattern, Text, Options) :-
    must_be(list, Options),
    '$check_options'(wildcard_option, Options),
    option(case_sensitive(Sensitive), Options, true),
    must_be(bool, Sensitive),
    '$wildcard_match'(Pattern, Text, Sensitive).
