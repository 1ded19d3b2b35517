% Programs as text: library(prolog_source), what a program calls (library(check)), directories of library(shell), free_variables/4.

:- use_module(library(prolog_source)).
:- use_module(library(filesex)).

source_text("#!/usr/bin/env samite\n:- module(s1, [foo/1, op(700, xfx, ===>)]).\n:- op(700, xfx, =====>).\nfoo(X) :- X = (a ===> b).\nfoo(a =====> b).\nbar --> [].\n").

with_source(Goal, File) :-
    source_text(Text),
    setup_call_cleanup(
        ( tmp_file_stream(File, S, [encoding(utf8), extension(pl)]), write(S, Text), close(S) ),
        Goal,
        delete_file(File)).

terms(Stream, Terms) :-
    prolog_read_source_term(Stream, T, E, []),
    (   T == end_of_file -> Terms = []
    ;   Terms = [T-E|Terms1],
        terms(Stream, Terms1)
    ).

t(terms, with_source(( prolog_canonical_source(F, Id), prolog_open_source(Id, S), terms(S, L), prolog_close_source(S) ), F), [L],
  answers([[[(:- module(s1, [foo/1, op(700, xfx, ===>)]))-(:- module(s1, [foo/1, op(700, xfx, ===>)])),
             (:- op(700, xfx, =====>))-(:- op(700, xfx, =====>)),
             (foo(X) :- X = ===>(a, b))-(foo(X) :- X = ===>(a, b)),
             foo(=====>(a, b))-foo(=====>(a, b)),
             (bar --> [])-(bar(A, B) :- A = B)]]])).
t(operators_are_gone, current_op(_, xfx, =====>), [], fails).
t(open_none, prolog_open_source('/no/such/file', _), [], throws(existence_error(source_sink, '/no/such/file'))).
t(open_unbound, prolog_open_source(_, _), [], throws(instantiation_error)).
t(canonical, ( prolog_canonical_source(user, A), prolog_canonical_source(_, B) ), [A, B], answers([[user, _]])).
t(canonical_none, prolog_canonical_source(no_such_file, _), [], fails).

at(Options, Term) :- with_source(setup_call_cleanup(open(F, read, S), read_source_term_at_location(S, Term, Options), close(S)), F).
t(location_line, at([line(6)], T), [T], answers([[(bar --> [])]])).
t(location_operators, at([line(5), operators([op(700, xfx, =====>)])], T), [T], answers([[foo(=====>(a, b))]])).
t(location_wrong, at([line(5)], _), [], fails).
t(location_error, ( at([line(5), error(Offset:Message)], T), integer(Offset) ), [T, Message], answers([[_, "Syntax error: Operator expected"]])).
t(location_end, at([line(99)], T), [T], answers([[end_of_file]])).

t(directory, ( tmp_file(dir, D0), make_directory(D0), absolute_file_name(D0, D), atom_concat(D, '/a.pl', A), atom_concat(D, '/b.txt', B), atom_concat(D, '/sub', Sub), make_directory(Sub), atom_concat(Sub, '/c.pl', C),
               forall(member(F, [A, B, C]), ( open(F, write, S), close(S) )),
               directory_source_files(D, L1, []), directory_source_files(D, L2, [if(true)]), directory_source_files(D, L3, [if(true), recursive(true)]), delete_directory_and_contents(D),
               ( L2 == [A], L3 == [A, C] -> Right = yes ; Right = L2-L3 ) ), [L1, Right], answers([[[], yes]])).
t(directory_none, directory_source_files('/no/such/directory', _, []), [], throws(existence_error(_, '/no/such/directory'))).
t(directory_unbound, directory_source_files(_, _, []), [], throws(instantiation_error)).

:- multifile user:file_search_path/2.
:- dynamic user:file_search_path/2.
user:file_search_path(some_alias, '/').
user:file_search_path(some_alias, '/usr').
user:file_search_path(some_alias, '/no/such/directory').
t(alias, file_alias_path(some_alias, D), [D], answers([['/usr/'], [/]])).

t(called, '$called_in'((a, m:b ; \+ findall(X, X^c(X), _) -> maplist(d(1), [x]), G, setof(Y, Z^e(Y, Z), _)), user, C), [X, G, Y, Z, C],
  prefix([[_, _, _, _, user:a], [_, _, _, _, m:b], [X1, _, _, _, user:findall(X1, X1^c(X1), _)]])).

warned(Goal, Text) :-
    setup_call_cleanup(
        asserta((user:message_hook(_, warning, Lines) :- nb_getval(warned, Was), append(Was, [Lines], Now), nb_setval(warned, Now)), Ref),
        ( nb_setval(warned, []), ( Goal -> true ; true ), nb_getval(warned, All) ),
        erase(Ref)),
    findall(Word, ( member(Lines, All), member(Line, Lines), ( Line = Format-Arguments -> format(string(Word), Format, Arguments) ; Line \== nl, format(string(Word), '~w', [Line]) ) ), Words),
    atomic_list_concat(Words, Text).

:- dynamic user:message_hook/3.

has(Text, Parts) :- forall(member(Part, Parts), ( sub_atom(Text, _, _, _, Part) -> true ; throw(lacks(Part, Text)) )).
lacks(Text, Parts) :- forall(member(Part, Parts), ( sub_atom(Text, _, _, _, Part) -> throw(has(Part, Text)) ; true )).

load_text(Text) :- open_string(Text, S), load_files(user:checked_text, [stream(S)]), close(S).
checked(":- module(checked_module, []).\n:- dynamic may_come/1.\n:- discontiguous void/3.\nfacts(1). facts(2).\np :- missing(1), may_come(_), append([], [], _), \\+ missing_too.\nq :- maplist(missing_three(a), [b]), maplist([X]>>(X > 1, missing_five(X)), []), maplist(\\X^missing_six(X), []), catch(true, _, missing_four), lists:zork(1).\nr :- facts(3).\nr :- facts(_), format(\"~w ~w\", [a]), format(\"~*c~a~n\", [3, 0'x, y]).\ns(\"string\") :- atom_length(\"abc\", _), format(\"none\"), X is 1r3, t(X, 2r5).\nt(_, _).\n").
t(undefined, ( checked(T), load_text(T), warned(list_undefined, W), has(W, ['checked_module:missing/1, which is referenced by', 'checked_module:missing_too/0', 'checked_module:missing_three/2', 'checked_module:missing_four/0', 'checked_module:missing_five/1', 'checked_module:missing_six/1', 'lists:zork/1', '1-st clause of checked_module:p/0']), lacks(W, [may_come, 'append/3', facts]) ), [], answers([[]])).
t(trivial, ( warned(list_trivial_fails, W), has(W, ['checked_module:facts(3), which is called from', '1-st clause of checked_module:r/0']), lacks(W, ['facts(_', missing]) ), [], answers([[]])).
t(void, ( warned(list_void_declarations, W), has(W, ['checked_module:void/3 is declared as discontiguous, but has no clauses']), lacks(W, [may_come]) ), [], answers([[]])).
t(format_errors, ( warned(list_format_errors, W), has(W, ['format/2: Template requires 2 arguments, got 1']), lacks(W, ['got 3', 'format/1']) ), [], answers([[]])).
t(strings, ( warned(list_strings, W), has(W, ['String "string"', 'String "abc"']), lacks(W, ['String "none"']) ), [], answers([[]])).
t(rationals, ( warned(list_rationals, W), has(W, ['2r5']), lacks(W, ['1r3']) ), [], answers([[]])).
t(rationals_all, ( warned(list_rationals([arithmetic(true)]), W), has(W, ['2r5', '1r3']) ), [], answers([[]])).
t(cross_module, ( warned(list_cross_module_calls, W), has(W, ['Cross-module call to lists:zork/1']), lacks(W, [append]) ), [], answers([[]])).
t(check, ( warned(check, W), has(W, ['checked_module:missing/1', 'checked_module:facts(3)', 'checked_module:void/3']), unload_file(checked_text) ), [], answers([[]])).
t(checked_classes, list_undefined([module_class(user)]), [], throws(type_error(_, user))).

t(edit_nothing, ( warned(edit(no_such_thing), W), has(W, ['Cannot find anything to edit from "no_such_thing"', 'edit(file(no_such_thing))']) ), [], answers([[]])).
t(edit_unbound, edit(_), [], throws(instantiation_error)).
edited(Spec, What) :-
    setup_call_cleanup(
        asserta((prolog_edit:edit_source(L) :- nb_setval(edited, L)), Ref),
        ( nb_setval(edited, []), ( edit(Spec) -> true ; true ), nb_getval(edited, What) ),
        erase(Ref)).
t(edit_file, edited(file(foo, line(3)), W), [W], answers([[[file(foo), line(3)]]])).
t(edit_predicate, ( edited(edited/2, [file(F), line(L)]), predicate_property(edited(_, _), file(F)), predicate_property(edited(_, _), line_count(L)) ), [], answers([[]])).

t(free, free_variables(f(X, Y), X, [], L), [X, Y, L], answers([[_, Y1, [Y1]]])).
t(free_old, free_variables(f(X, Y, Z), X, [Z], L), [X, Y, Z, L], answers([[_, Y1, Z1, [Y1, Z1]]])).
t(free_caret, free_variables(m:X^f(X, Y, Z), a, [], L), [X, Y, Z, L], answers([[_, Y1, Z1, [Y1, Z1]]])).
t(free_negated, free_variables((p(X), \+ q(Y)), a, [], L), [X, Y, L], answers([[X1, _, [X1]]])).
t(free_setof, free_variables((p(X), setof(A, B^q(A, B, C), S)), a, [], L), [X, A, B, C, S, L], answers([[X1, _, _, C1, S1, [X1, C1, S1]]])).
t(free_findall, free_variables((p(X), findall(A, q(A, B), S)), a, [], L), [X, A, B, S, L], answers([[X1, A1, B1, S1, [X1, A1, B1, S1]]])).

quiet(Goal) :- setup_call_cleanup(asserta((user:message_hook(_, Kind, _) :- memberchk(Kind, [information, warning])), Ref), Goal, erase(Ref)).
here(D) :- working_directory(D, D).
t(pushed, quiet(( tmp_file(dir, T), make_directory(T), here(A), pushd(T), here(B), pushd, here(C), popd, here(D), dirs, \+ popd, cd(A), delete_directory(T), ( A == C, B == D, A \== B -> Right = yes ; Right = [A, B, C, D] ) )), [Right], answers([[yes]])).
t(moved, quiet(( tmp_file(dir, T), make_directory(T), here(A), cd(T), open(x1, write, S), close(S), mv(x1, x2), make_directory(d), mv('x?', d), mv('d/x2', x3), rm(x3), \+ rm(x3), delete_directory(d), cd(A), delete_directory(T) )), [], answers([[]])).
t(moved_unbound, mv(_, a), [], throws(instantiation_error)).
t(removed_unbound, rm(_), [], throws(instantiation_error)).
