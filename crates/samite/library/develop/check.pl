:- module(check,
          [ check/0,
            list_undefined/0, list_undefined/1,
            list_trivial_fails/0, list_trivial_fails/1,
            list_void_declarations/0,
            list_redefined/0,
            list_autoload/0,
            list_cross_module_calls/0, list_cross_module_calls/1,
            list_strings/0, list_strings/1,
            list_rationals/0, list_rationals/1,
            list_format_errors/0, list_format_errors/1
          ]).

:- use_module(library(error), [must_be/2]).

/*  What seems wrong with the program that is loaded, as SWI-Prolog's library(check). Places are where clauses begin.

    The hooks trivial_fail_goal/1, string_predicate/1, valid_string_goal/1 and checker/2 of this module are the program's to add to, as there.
*/

:- dynamic checker/2.
:- multifile((checker/2, trivial_fail_goal/1, string_predicate/1, valid_string_goal/1)).
:- dynamic((trivial_fail_goal/1, string_predicate/1, valid_string_goal/1)).

:- predicate_options(list_undefined/1, 1, [module_class(list)]).
:- predicate_options(list_trivial_fails/1, 1, [module_class(list)]).
:- predicate_options(list_cross_module_calls/1, 1, [module_class(list)]).
:- predicate_options(list_strings/1, 1, [module_class(list)]).
:- predicate_options(list_rationals/1, 1, [module_class(list), arithmetic(boolean)]).
:- predicate_options(list_format_errors/1, 1, [module_class(list)]).

checker(list_undefined, 'undefined predicates').
checker(list_trivial_fails, 'trivial failures').
checker(list_format_errors, 'format/2,3 errors').
checker(list_redefined, 'redefined system and global predicates').
checker(list_void_declarations, 'predicates with declarations but without clauses').

%!  check is det.
%
%   Runs the goals of checker(Goal, Text), one after another.

check :-
    findall(Goal-Text, checker(Goal, Text), Checkers),
    forall(member(Goal-Text, Checkers), (
        print_message(informational, format('Checking ~w ...', [Text])),
        ignore(call(check:Goal)) )).

%   classes(+Options, -Classes)
classes(Options, Classes) :-
    option(module_class(Classes), Options, [user]),
    must_be(list(atom), Classes).

%   found(+Options, -Goal, -Clause): Clause calls Goal.
found(Options, Goal, Clause) :-
    classes(Options, Classes),
    '$program_clause'(Classes, Clause, Body),
    Clause = clause(Module, _, _),
    '$called_in'(Body, Module, Goal).

%!  list_undefined is det.
%!  list_undefined(+Options) is det.
%
%   Lists what is called and not defined, with the clauses that call it. Options, here and below: module_class(Classes), of which modules ([user] by default).

list_undefined :-
    list_undefined([]).

list_undefined(Options) :-
    findall(PI-Clause, ( found(Options, M:Goal, Clause), undefined(M, Goal, PI) ), Calls),
    (   Calls == [] -> true
    ;   grouped(Calls, 'referenced', Lines),
        print_message(warning, lines(['The predicates below are not defined. If these are defined', nl, 'at runtime using assert/1, use :- dynamic Name/Arity.', nl, nl|Lines]))
    ).

undefined(M, Goal, M:Name/Arity) :-
    functor(Goal, Name, Arity),
    \+ '$found_in_library'(M:Name/Arity, _),
    \+ predicate_property(M:Goal, defined),
    \+ current_prolog_flag(M:unknown, fail).

%   grouped(+Pairs, +Word, -Lines): each key once, with its clauses.
grouped(Pairs0, Word, Lines) :-
    sort(1, @=<, Pairs0, Pairs),
    group(Pairs, Word, Lines0),
    ( append(Lines, [nl], Lines0) -> true ; Lines = Lines0 ).

group([], _, []).
group([Key-Clause|Pairs], Word, ['~p, which is ~w'-[Shown, Word], ' by', nl|Lines]) :-
    shown(Key, Shown),
    same_key(Pairs, Key, Clauses, Rest),
    places([Clause|Clauses], [], Lines, Lines1),
    group(Rest, Word, Lines1).

same_key([Key-Clause|Pairs], Key0, [Clause|Clauses], Rest) :-
    Key == Key0, !,
    same_key(Pairs, Key0, Clauses, Rest).
same_key(Rest, _, [], Rest).

places([], _, Lines, Lines).
places([Clause|Clauses], Seen, Lines, Rest) :-
    Clause = clause(_, _, Ref),
    (   memberchk(Ref, Seen)
    ->  places(Clauses, Seen, Lines, Rest)
    ;   place(Clause, Text),
        Lines = ['\t~w'-[Text], nl|Lines1],
        places(Clauses, [Ref|Seen], Lines1, Rest)
    ).

shown(user:Shown, Shown) :- !.
shown(Shown, Shown).

%   place(+Clause, -Text): File:Line and which clause it is.
place(clause(Module, Head, Ref), Text) :-
    functor(Head, Name, Arity),
    shown(Module:Name/Arity, PI),
    (   clause_property(Ref, file(File)), clause_property(Ref, line_count(Line))
    ->  format(string(Where), '~w:~d: ', [File, Line])
    ;   Where = ""
    ),
    (   catch(nth_clause(Module:Head, N, Ref), error(_, _), fail)
    ->  ordinal(N, Suffix),
        format(string(Text), '~w~d-~w clause of ~q', [Where, N, Suffix, PI])
    ;   format(string(Text), '~wclause of ~q', [Where, PI])
    ).

ordinal(1, st) :- !.
ordinal(2, nd) :- !.
ordinal(_, th).

%!  list_trivial_fails is det.
%!  list_trivial_fails(+Options) is det.
%
%   Lists goals for which there is no clause, of predicates of the program that are neither dynamic nor multifile. trivial_fail_goal(M:Goal) leaves some out.

list_trivial_fails :-
    list_trivial_fails([]).

list_trivial_fails(Options) :-
    findall(Goal-Clause, ( found(Options, Goal, Clause), fails_trivially(Goal), \+ trivial_fail_goal(Goal) ), Calls),
    (   Calls == [] -> true
    ;   group_goals(Calls, Lines),
        print_message(warning, lines(['The following goals fail because there are no matching clauses.', nl|Lines]))
    ).

fails_trivially(M:Goal) :-
    functor(Goal, Name, Arity),
    \+ '$found_in_library'(M:Name/Arity, _),
    predicate_property(M:Goal, implementation_module(Of)),
    \+ module_property(Of, class(library)),
    predicate_property(M:Goal, defined),
    \+ predicate_property(system:Goal, defined),
    \+ predicate_property(M:Goal, dynamic),
    \+ predicate_property(M:Goal, multifile),
    \+ predicate_property(M:Goal, tabled),
    \+ catch(clause(M:Goal, _), error(_, _), true).

group_goals(Calls, Lines) :-
    findall(['~p, which is called from'-[Shown], nl, '\t~w'-[Text], nl], ( member(Goal-Clause, Calls), shown(Goal, Shown), place(Clause, Text) ), Parts),
    append(Parts, Lines0),
    append(Lines, [nl], Lines0), !.

%!  list_void_declarations is det.
%
%   Lists predicates that are declared, but neither dynamic nor multifile, and have no clauses.

list_void_declarations :-
    findall(PI-Property, void(PI, Property), Voids0),
    sort(Voids0, Voids),
    forall(( member(PI-Property, Voids), shown(PI, Shown) ),
           print_message(warning, format('~p is declared as ~w, but has no clauses', [Shown, Property]))).

void(M:Name/Arity, Property) :-
    current_module(M),
    module_property(M, class(user)),
    predicate_property(M:Head, number_of_clauses(0)),
    \+ predicate_property(M:Head, imported_from(_)),
    \+ predicate_property(M:Head, dynamic),
    \+ predicate_property(M:Head, multifile),
    member(Property, [discontiguous, public, volatile]),
    predicate_property(M:Head, Property),
    functor(Head, Name, Arity).

%!  list_redefined is det.
%
%   Lists predicates of modules that `user` defines, too: theirs is not the global one.

list_redefined :-
    findall(M:Name/Arity, ( current_module(M), M \== user, module_property(M, class(user)), current_predicate(M:Name/Arity), functor(Head, Name, Arity), both_define(M, Head) ), PIs0),
    sort(PIs0, PIs),
    forall(member(PI, PIs), print_message(informational, format('~q is defined in user, too', [PI]))).

both_define(M, Head) :-
    \+ predicate_property(M:Head, imported_from(_)),
    current_predicate(_, user:Head),
    \+ predicate_property(user:Head, imported_from(_)),
    \+ ( predicate_property(M:Head, dynamic), predicate_property(user:Head, dynamic) ).

%!  list_autoload is det.
%
%   Lists predicates of libraries that are called and have not been loaded: they will be when they are called.

list_autoload :-
    findall(PI-library(Library),
            ( found([], M:Goal, _), functor(Goal, Name, Arity), PI = Name/Arity, '$found_in_library'(M:PI, Library), \+ '$library_loaded'(Library), \+ sub_atom(Library, 0, _, _, $) ),
            Pairs0),
    sort(Pairs0, Pairs),
    forall(member(PI-Library, Pairs), print_message(informational, format('~q is loaded from ~q', [PI, Library]))).

%!  list_cross_module_calls is det.
%!  list_cross_module_calls(+Options) is det.
%
%   Lists calls Module:Goal of what Module does not export, and has neither multifile nor public.

list_cross_module_calls :-
    list_cross_module_calls([]).

list_cross_module_calls(Options) :-
    findall((M:PI)-Clause, ( found(Options, M:Goal, Clause), Clause = clause(Own, _, _), M \== Own, is_private(M, Goal, Own, PI) ), Calls),
    (   Calls == [] -> true
    ;   findall(['  ~wCross-module call to ~q'-[Where, PI], nl], ( member(PI-Clause, Calls), where(Clause, Where) ), Parts),
        append([['Qualified calls to private predicates', nl]|Parts], Lines0),
        append(Lines, [nl], Lines0),
        print_message(warning, lines(Lines))
    ).

is_private(M, Goal, Own, Name/Arity) :-
    functor(Goal, Name, Arity),
    M \== system,
    \+ predicate_property(system:Goal, defined),
    \+ '$library_for_calls'(Name/Arity, _),
    \+ ( member(P, [exported, multifile, public, imported_from(Own)]), predicate_property(M:Goal, P) ),
    \+ ( module_property(M, exports(PIs)), memberchk(Name/Arity, PIs) ).

%!  list_strings is det.
%!  list_strings(+Options) is det.
%
%   Lists strings in clauses, where the meaning of double quotes may matter: not those of what writes them. string_predicate(M:PI) and
%   valid_string_goal(Goal) leave more out.

list_strings :-
    list_strings([]).

list_strings(Options) :-
    list_constants(Options, string, 'String ~q').

%!  list_rationals is det.
%!  list_rationals(+Options) is det.
%
%   Lists rational numbers in clauses. Option: arithmetic(true), also those in expressions that are evaluated.

list_rationals :-
    list_rationals([]).

list_rationals(Options) :-
    (   option(arithmetic(true), Options) -> Kind = rational_anywhere
    ;   Kind = rational
    ),
    list_constants(Options, Kind, 'Rational ~q').

list_constants(Options, Kind, Format) :-
    classes(Options, Classes),
    forall(( '$program_clause'(Classes, Clause, Body), constant(Kind, Clause, Body, Constant) ),
           ( where(Clause, Where), print_message(warning, lines(['~w'-[Where], Format-[Constant]])) )).

constant(Kind, clause(Module, Head, _), Body, Constant) :-
    functor(Head, Name, Arity),
    \+ ( Kind == string, string_predicate(Module:Name/Arity) ),
    (   within(Kind, Head, Constant)
    ;   '$called_in'(Body, Module, _:Goal),
        \+ skipped(Kind, Goal),
        \+ predicate_property(system:Goal, meta_predicate(_)),
        within(Kind, Goal, Constant)
    ).

within(Kind, Term, Constant) :-
    (   compound(Term) -> arg(_, Term, Arg), within(Kind, Arg, Constant)
    ;   is_constant(Kind, Term), Constant = Term
    ).

is_constant(string, X) :- string(X).
is_constant(rational, X) :- rational(X), \+ integer(X).
is_constant(rational_anywhere, X) :- rational(X), \+ integer(X).

skipped(string, Goal) :- writes_text(Goal), !.
skipped(string, Goal) :- valid_string_goal(Goal), !.
skipped(rational, Goal) :- evaluates(Goal).

writes_text(format(_)).
writes_text(format(_, _)).
writes_text(format(_, _, _)).
writes_text(write(_)).
writes_text(writeln(_)).
writes_text(write(_, _)).
writes_text(writeln(_, _)).
writes_text(print_message(_, _)).
writes_text(print_message_lines(_, _, _)).
writes_text(debug(_, _, _)).
writes_text(string_concat(_, _, _)).
writes_text(string_codes(_, _)).
writes_text(string_chars(_, _)).
writes_text(string_code(_, _, _)).
writes_text(split_string(_, _, _, _)).
writes_text(sub_string(_, _, _, _, _)).
writes_text(string_length(_, _)).
writes_text(text_concat(_, _, _)).

evaluates(_ is _).
evaluates(_ =:= _).
evaluates(_ =\= _).
evaluates(_ < _).
evaluates(_ > _).
evaluates(_ =< _).
evaluates(_ >= _).

where(clause(_, _, Ref), Where) :-
    (   clause_property(Ref, file(File)), clause_property(Ref, line_count(Line))
    ->  format(string(Where), '~w:~d: ', [File, Line])
    ;   Where = ""
    ).

%!  list_format_errors is det.
%!  list_format_errors(+Options) is det.
%
%   Lists calls of format/1,2,3 whose format is known and wants another number of arguments than there are, or no format at all.

list_format_errors :-
    list_format_errors([]).

list_format_errors(Options) :-
    forall(( found(Options, _:Goal, Clause), format_goal(Goal, PI, Format, Arguments), format_problem(Format, Arguments, Problem) ),
           ( where(Clause, Where), print_message(warning, lines(['~w'-[Where], nl, '    ~q: ~w'-[PI, Problem]])) )).

format_goal(format(Format), format/1, Format, []).
format_goal(format(Format, Arguments), format/2, Format, Arguments).
format_goal(format(_, Format, Arguments), format/3, Format, Arguments).

format_problem(Format, Arguments, Problem) :-
    nonvar(Format),
    catch(text_to_string(Format, Text), error(_, _), fail),
    string_codes(Text, Codes),
    needs(Codes, 0, Needed),
    (   is_list(Arguments) -> length(Arguments, Given)
    ;   nonvar(Arguments), Arguments \= [_|_] -> Given = 1
    ),
    Given =\= Needed,
    format(string(Problem), 'Template requires ~d arguments, got ~d', [Needed, Given]).

%   needs(+Codes, +Needed0, -Needed) is semidet: the format takes so many arguments; fails where a directive is not known, as of format_predicate/2.
needs([], N, N).
needs([0'~|Codes0], N0, N) :- !,
    numeric(Codes0, Codes1, N0, N1),
    Codes1 = [Directive|Codes],
    takes(Directive, More),
    N2 is N1+More,
    needs(Codes, N2, N).
needs([_|Codes], N0, N) :-
    needs(Codes, N0, N).

%   A numeric argument: digits, a character behind `, or * for one that is given.
numeric([0'*|Codes], Codes, N0, N) :- !,
    N is N0+1.
numeric([0'`, _|Codes], Codes, N, N) :- !.
numeric(Codes0, Codes, N, N) :-
    digits(Codes0, Codes).

digits([C|Codes0], Codes) :-
    code_type(C, digit), !,
    digits(Codes0, Codes).
digits([0':|Codes], Codes) :- !.
digits(Codes, Codes).

takes(0'a, 1).
takes(0'c, 1).
takes(0'd, 1).
takes(0'D, 1).
takes(0'e, 1).
takes(0'f, 1).
takes(0'g, 1).
takes(0'h, 1).
takes(0'i, 1).
takes(0'I, 1).
takes(0'k, 1).
takes(0'p, 1).
takes(0'q, 1).
takes(0'r, 1).
takes(0'R, 1).
takes(0's, 1).
takes(0'w, 1).
takes(0'W, 2).
takes(0'@, 1).
takes(0'~, 0).
takes(0'n, 0).
takes(0't, 0).
takes(0'|, 0).
takes(0'+, 0).
