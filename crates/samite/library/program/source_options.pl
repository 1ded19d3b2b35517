:- module('$source_options', [ style_check/1, '$check_load_options'/1 ]).

/*  What the loader is told: styles, and the options of load_files/2.  */

%!  style_check(+Spec) is det.
%   +Style or -Style, for the rest of the file, or a list of these; ?Style is true if it is on. Of the styles that there are not, only -Style is
%   accepted.
style_check(Specs) :- var(Specs), !, style_error(instantiation_error).
style_check([]) :- !.
style_check([Spec|Specs]) :- !, style_check(Spec), style_check(Specs).
style_check(Spec) :-
    (   style_spec(Spec, Sign, Style) -> true
    ;   style_error(type_error('+|-|?(Flag)', Spec))
    ),
    (   var(Style) -> style_error(instantiation_error)
    ;   style(Style, Is) -> true
    ;   style_error(domain_error(style_name, Style))
    ),
    check_style(Sign, Is, Style).

style_error(E) :- throw(error(E, context(system:style_check/1, _))).

style_spec(+S, +, S).
style_spec(-S, -, S).
style_spec(?(S), ?, S).

%   style(+Style, -Is): as a flag says, or off for good.
style(singleton, flag(style_singleton)).
style(discontiguous, flag(style_discontiguous)).
style(no_effect, flag(style_no_effect)).
style(var_branches, off).
style(charset, off).

check_style(+, flag(Flag), _) :- !, set_prolog_flag(Flag, true).
check_style(-, flag(Flag), _) :- !, set_prolog_flag(Flag, false).
check_style(?, flag(Flag), _) :- !, '$flag'(Flag, true).
check_style(-, off, _) :- !.
check_style(?, off, _) :- !, fail.
check_style(_, _, Style) :- style_error(permission_error(modify, style, Style)).

%   '$check_load_options'(+Options): their values are as they should be.
'$check_load_options'([]).
'$check_load_options'([O|Os]) :- load_option(O), '$check_load_options'(Os).

load_option(if(When)) :- !, word(When, [true, not_loaded, changed, exists], if).
load_option(must_be_module(B)) :- !, truth(B).
load_option(redefine_module(B)) :- !, truth(B).
load_option(reexport(B)) :- !, truth(B).
load_option(expand(B)) :- !, truth(B).
load_option(dialect(D)) :- !, word(D, [swi, samite, xsb], dialect).
load_option(imports(I)) :- !, '$check_imports'(I).
load_option(_).

word(W, _, _) :- var(W), !, throw(error(instantiation_error, _)).
word(W, Words, _) :- '$memberchk_eq'(W, Words), !.
word(W, _, Domain) :- atom(W), !, throw(error(domain_error(Domain, W), _)).
word(W, _, _) :- throw(error(type_error(atom, W), _)).

truth(B) :- var(B), !, throw(error(instantiation_error, _)).
truth(B) :- ( B == true ; B == false ), !.
truth(B) :- throw(error(type_error(bool, B), _)).
