:- module(prolog_xref,
          [ xref_source/1, xref_source/2,
            xref_called/3, xref_called/4, xref_called/5,
            xref_defined/3, xref_definition_line/2,
            xref_exported/2, xref_module/2, xref_uses_file/3, xref_op/2, xref_prolog_flag/4,
            xref_meta/3, xref_mode/3, xref_built_in/1,
            xref_current_source/1, xref_done/2, xref_clean/1,
            xref_source_file/3, xref_source_file/4,
            xref_public_list/3
          ]).

/*  What source files define and call, without loading them.

    As SWI-Prolog's library(prolog_xref), the parts of it that tools use. A file is read term by term, with the operators that it declares and those of what it imports. Grammar rules are
    translated; a file's own term_expansion/2 and goal_expansion/2 are not asked. Goals are looked for in bodies, and in meta-arguments of what declares them: the system's and libraries'
    predicates, and those of the file before.

    What is known of a file is that of its last reading: fact(Source, What), where Source is the absolute name and What one of

        done(Time), module(Name), export(Head), op(Op), flag(Name, Value, Line), uses(Spec, Path), meta(Head), mode(Head, Line),
        defined(Head, How), called(Goal, By, Line)
*/

:- predicate_options(xref_source/2, 2, [silent(boolean), module(atom), register_called(any), comments(any), process_include(boolean)]).

:- dynamic fact/2.
:- volatile fact/2.

%!  xref_source(+Source) is det.
%!  xref_source(+Source, +Options) is det.
%
%   Reads Source, if that has changed since it was read. Options: silent(true): syntax errors are not told of; register_called(all): calls of the system's predicates are noted, too. Others of
%   SWI-Prolog's are taken.

xref_source(Source) :-
    xref_source(Source, []).

xref_source(Spec, Options) :-
    must_be(list, Options),
    source_name(Spec, Source),
    time_file(Source, Time),
    (   fact(Source, done(Time))
    ->  true
    ;   % (Operators are those of one file at a time.)
        with_mutex(prolog_xref, read_source(Source, Options, Facts)),
        '$locked'('$xref', replace(Source, [done(Time)|Facts]))
    ).

replace(Source, Facts) :-
    retractall(fact(Source, _)),
    forall(member(Fact, Facts), assertz(fact(Source, Fact))).

%   source_name(+Spec, -Source)
source_name(Spec, Source) :-
    must_be(nonvar, Spec),
    (   absolute_file_name(Spec, Source0, [file_type(prolog), access(read), file_errors(fail)])
    ->  Source = Source0
    ;   existence_error(source_sink, Spec)
    ).

known_name(Spec, Source) :-
    (   var(Spec) -> Source = Spec
    ;   fact(Spec, done(_)) -> Source = Spec
    ;   absolute_file_name(Spec, Source, [file_type(prolog), access(read), file_errors(fail)])
    ).

%   --- what is known ---

%!  xref_done(?Source, -Time) is nondet.
%!  xref_current_source(?Source) is nondet.
%!  xref_clean(+Source) is det.

xref_done(Spec, Time) :- known_name(Spec, Source), fact(Source, done(Time)).
xref_current_source(Source) :- fact(Source, done(_)).
xref_clean(Spec) :-
    must_be(nonvar, Spec),
    ( known_name(Spec, Source) -> retractall(fact(Source, _)) ; true ).

%!  xref_called(?Source, ?Goal, ?By) is nondet.
%!  xref_called(?Source, ?Goal, ?By, ?Condition) is nondet.
%!  xref_called(?Source, ?Goal, ?By, ?Condition, ?Line) is nondet.
%
%   A clause of By, a head, has a goal like Goal; By is '<directive>'(Line) for a directive. Condition is true; Line is that of the clause.

xref_called(Source, Goal, By) :- xref_called(Source, Goal, By, _, _).
xref_called(Source, Goal, By, Condition) :- xref_called(Source, Goal, By, Condition, _).
xref_called(Spec, Goal, By, true, Line) :-
    known_name(Spec, Source),
    fact(Source, called(Goal, By, Line)).

%!  xref_defined(?Source, ?Head, ?How) is nondet.
%
%   How is local(Line), dynamic(Line), thread_local(Line), multifile(Line), or imported(From), with the file or library From.

xref_defined(Spec, Head, How) :-
    known_name(Spec, Source),
    fact(Source, defined(Head, How)).

%!  xref_definition_line(+How, -Line) is semidet.

xref_definition_line(How, Line) :-
    How =.. [Kind, Line],
    memberchk(Kind, [local, dynamic, thread_local, multifile, public]).

%!  xref_exported(?Source, ?Head) is nondet.
%!  xref_module(?Source, ?Module) is nondet.
%!  xref_uses_file(?Source, ?Spec, ?Path) is nondet.
%!  xref_op(?Source, ?Op) is nondet.
%!  xref_prolog_flag(?Source, ?Flag, ?Value, ?Line) is nondet.
%!  xref_mode(?Source, ?Head, ?Line) is nondet.
%
%   Path is <not_found> if there is no such file. Op is op(Priority, Type, Name).

xref_exported(Spec, Head) :- known_name(Spec, Source), fact(Source, export(Head)).
xref_module(Spec, Module) :- known_name(Spec, Source), fact(Source, module(Module)).
xref_uses_file(Spec, File, Path) :- known_name(Spec, Source), fact(Source, uses(File, Path)).
xref_op(Spec, Op) :- known_name(Spec, Source), fact(Source, op(Op)).
xref_prolog_flag(Spec, Flag, Value, Line) :- known_name(Spec, Source), fact(Source, flag(Flag, Value, Line)).
xref_mode(Spec, Head, Line) :- known_name(Spec, Source), fact(Source, mode(Head, Line)).

%!  xref_built_in(@Head) is semidet.
%
%   The system has a predicate like Head, which no program redefines.

xref_built_in(Head) :-
    callable(Head),
    functor(Head, Name, Arity),
    \+ '$library_for_calls'(Name/Arity, _),
    predicate_property(system:Head, defined).

%!  xref_meta(+Source, +Goal, -Called) is semidet.
%
%   Called are the goals among the arguments of Goal: goals, Goal+N with N arguments that are added, and ^(Goal) and //(Body).

xref_meta(Spec, Goal, Called) :-
    callable(Goal),
    ( known_name(Spec, Source) -> true ; Source = [] ),
    meta_spec(Goal, Source, Meta),
    findall(C, ( arg(I, Meta, S), arg(I, Goal, A), nonvar(S), meta_argument(S, A, C) ), Called),
    Called \== [].

meta_argument(0, A, A) :- !.
meta_argument(N, A, A+N) :- integer(N), !.
meta_argument(^, A, ^(A)) :- !.
meta_argument(//, A, //(A)).

%!  xref_source_file(+Spec, -Path, +Source) is semidet.
%!  xref_source_file(+Spec, -Path, +Source, +Options) is semidet.
%
%   Path is the file that Spec names in Source.

xref_source_file(Spec, Path, Source) :-
    xref_source_file(Spec, Path, Source, []).

xref_source_file(Spec, Path, Source, _) :-
    nonvar(Spec),
    (   atom(Source), exists_file(Source)
    ->  file_directory_name(Source, Directory),
        Options = [relative_to(Directory)]
    ;   Options = []
    ),
    absolute_file_name(Spec, Path, [file_type(prolog), access(read), file_errors(fail)|Options]).

%!  xref_public_list(+Spec, +Source, +Options) is semidet.
%
%   Of the module file that Spec names in Source: path(Path), module(Module), exports(Indicators), public(Indicators), meta(Heads).

xref_public_list(Spec, Source, Options) :-
    must_be(list, Options),
    xref_source_file(Spec, Path, Source),
    header(Path, Module, PIs, _),
    forall(( member(Option, Options), \+ memberchk(Option, [path(_), module(_), exports(_), public(_), meta(_)]) ), domain_error(xref_option, Option)),
    option(path(Path), Options, Path),
    option(module(Module), Options, Module),
    option(exports(PIs), Options, PIs),
    option(public([]), Options, []),
    option(meta([]), Options, []).

%   --- reading ---

%   What has been found in the file that the thread is reading, in order; and which predicates it has clauses of.
:- thread_local found/1, has_clause/3.

%   read_source(+Source, +Options, -Facts): State is state(Module, All), what the file's module is so far, and whether calls of the system's predicates are noted.
read_source(Source, Options, Facts) :-
    ( option(register_called(all), Options) -> All = true ; All = false ),
    State = state(user, All),
    setup_call_cleanup(
        ( open(Source, read, Stream), push_operators('$xref':[]), set_prolog_flag('$xref':double_quotes, string), set_prolog_flag('$xref':back_quotes, codes) ),
        ( read_terms(Stream, Source, Options, State), findall(Fact, found(Fact), Facts0) ),
        ( pop_operators, retractall(found(_)), retractall(has_clause(_, _, _)), close(Stream) )),
    once_each(Facts0, 1, Keyed0),
    sort(1, @<, Keyed0, Keyed1),
    sort(2, @<, Keyed1, Keyed),
    findall(Fact, member(key(_, _, Fact), Keyed), Facts).

%   Facts that are variants, and calls of a predicate by another one, once: the first.
once_each([], _, []).
once_each([Fact|Facts], N, [key(Key, N, Fact)|Keyed]) :-
    ( Fact = called(Goal, By, _) -> Key0 = called(Goal, By) ; Key0 = Fact ),
    copy_term(Key0, Key),
    numbervars(Key, 0, _),
    N1 is N+1,
    once_each(Facts, N1, Keyed).

read_terms(Stream, Source, Options, State) :-
    repeat,
    catch(
        (   read_term(Stream, Term, [module('$xref'), term_position(Position)]),
            stream_position_data(line_count, Position, Line)
        ),
        error(syntax_error(What), Place),
        ( Term = [], ( option(silent(true), Options) -> true ; print_message(error, error(syntax_error(What), Place)) ) )),
    (   Term == end_of_file -> !
    ;   Term == [] -> fail
    ;   catch(term(Term, Line, Source, State), error(_, _), true),
        fail
    ).

note(Fact) :-
    assertz(found(Fact)).

term(Term, _, _, _) :- var(Term), !.
term((:- Directive), Line, Source, State) :- !,
    directive(Directive, Line, Source, State).
term((?- Directive), Line, Source, State) :- !,
    directive(Directive, Line, Source, State).
term((Head --> Body), Line, Source, State) :- !,
    dcg_translate_rule((Head --> Body), Clause),
    term(Clause, Line, Source, State).
term((Head :- Body), Line, Source, State) :- !,
    defines(Head, Line, State, By),
    body(Body, By, Line, Source, State).
term((Head => Body), Line, Source, State) :- !,
    (   Head = (Plain, Guard)
    ->  defines(Plain, Line, State, By),
        body(Guard, By, Line, Source, State)
    ;   defines(Head, Line, State, By)
    ),
    body(Body, By, Line, Source, State).
term(Head, Line, _, State) :-
    defines(Head, Line, State, _).

defines(Module:Head, Line, State, By) :- !,
    (   arg(1, State, Module) -> defines(Head, Line, State, By)
    ;   general(Head, General),
        By = Module:General,
        note_definition(By, Line, State)
    ).
defines(Head, Line, State, General) :-
    general(Head, General),
    note_definition(General, Line, State).

%   The first clause says where it is.
note_definition(Head, Line, _) :-
    strip_module(Head, Module, Plain),
    functor(Plain, Name, Arity),
    (   has_clause(Name, Arity, Module) -> true
    ;   assertz(has_clause(Name, Arity, Module)),
        note(defined(Head, local(Line)))
    ).

general(Head, General) :-
    callable(Head),
    functor(Head, Name, Arity),
    functor(General, Name, Arity).

%   --- directives ---

directive(Directive, _, _, _) :- var(Directive), !.
directive(Directive, _, _, _) :- says_else(Directive), !.
directive((A, B), Line, Source, State) :- !,
    directive(A, Line, Source, State),
    directive(B, Line, Source, State).
directive(module(Module, Exports), _, _, State) :- !,
    note(module(Module)),
    nb_setarg(1, State, Module),
    forall(member(Export, Exports), export(Export, State)).
directive(op(P, T, Names), _, _, State) :- !,
    operator(op(P, T, Names), State).
directive(use_module(Files), _, Source, State) :- !, uses_each(Files, all, Source, State).
directive(use_module(File, Imports), _, Source, State) :- !, uses_each(File, Imports, Source, State).
directive(reexport(Files), _, Source, State) :- !, uses_each(Files, all, Source, State).
directive(reexport(File, Imports), _, Source, State) :- !, uses_each(File, Imports, Source, State).
directive(autoload(Files), _, Source, State) :- !, uses_each(Files, all, Source, State).
directive(autoload(File, Imports), _, Source, State) :- !, uses_each(File, Imports, Source, State).
directive(ensure_loaded(Files), _, Source, State) :- !, uses_each(Files, all, Source, State).
directive(consult(Files), _, Source, State) :- !, uses_each(Files, [], Source, State).
directive(include(Files), _, Source, State) :- !, uses_each(Files, [], Source, State).
directive(load_files(Files, _), _, Source, State) :- !, uses_each(Files, [], Source, State).
directive(set_prolog_flag(Flag, Value), Line, _, State) :- !,
    note(flag(Flag, Value, Line)),
    ( memberchk(Flag, [double_quotes, back_quotes]) -> catch(set_prolog_flag('$xref':Flag, Value), error(_, _), true) ; true ).
directive(meta_predicate(Heads), _, _, State) :- !,
    forall(each(Heads, Head), ( callable(Head) -> note(meta(Head)) ; true )).
directive(mode(Heads), Line, _, State) :- !,
    forall(each(Heads, Head), ( callable(Head) -> note(mode(Head, Line)) ; true )).
directive(initialization(Goal), Line, Source, State) :- !,
    body(Goal, '<directive>'(Line), Line, Source, State).
directive(initialization(Goal, _), Line, Source, State) :- !,
    body(Goal, '<directive>'(Line), Line, Source, State).
directive(Directive, Line, _, State) :-
    Directive =.. [Kind, PIs],
    declares(Kind), !,
    forall(( each(PIs, PI), indicated(PI, Head) ), ( How =.. [Kind, Line], note(defined(Head, How)) )).
directive(Directive, Line, Source, State) :-
    body(Directive, '<directive>'(Line), Line, Source, State).

declares(dynamic).
declares(thread_local).
declares(multifile).
declares(public).

%   What says neither that nor calls anything.
says_else(discontiguous(_)).
says_else(volatile(_)).
says_else(table(_)).
says_else(det(_)).
says_else(noprofile(_)).
says_else(license(_)).
says_else(style_check(_)).
says_else(expects_dialect(_)).
says_else(encoding(_)).
says_else(predicate_options(_, _, _)).
says_else(if(_)).
says_else(elif(_)).
says_else(else).
says_else(endif).

each(Items, _) :- var(Items), !, fail.
each((A, B), Item) :- !, ( each(A, Item) ; each(B, Item) ).
each([], _) :- !, fail.
each([A|B], Item) :- !, ( each(A, Item) ; each(B, Item) ).
each(Module:Items, Item) :- !, each(Items, Item0), ( atom(Item0) -> Item = Item0 ; Item = Module:Item0 ).
each(Items as _, Item) :- !, each(Items, Item).
each(Item, Item).

indicated(Module:PI, Module:Head) :- !, indicated(PI, Head).
indicated(Name/Arity, Head) :- atom(Name), integer(Arity), Arity >= 0, functor(Head, Name, Arity).
indicated(Name//Arity0, Head) :- atom(Name), integer(Arity0), Arity is Arity0+2, functor(Head, Name, Arity).

export(op(P, T, N), State) :- !,
    operator(op(P, T, N), State).
export(PI, State) :-
    (   indicated(PI, Head) -> note(export(Head))
    ;   true
    ).

operator(op(P, T, Names), State) :-
    forall(each(Names, Name), (
        note(op(op(P, T, Name))),
        catch(push_op(P, T, '$xref':Name), error(_, _), true) )).

%   --- what it imports ---

uses_each(Files, _, _, _) :- var(Files), !.
uses_each([], _, _, _) :- !.
uses_each([File|Files], Imports, Source, State) :- !,
    uses_each(File, Imports, Source, State),
    uses_each(Files, Imports, Source, State).
uses_each(File, Imports, Source, State) :-
    (   File = library(Spec), ground(Spec), '$library_name'(Spec, Name), '$is_library'(Name)
    ->  note(uses(File, File)),
        '$load_library'(Name),
        '$library_module'(Module, Name),
        module_property(Module, exports(PIs)),
        ( '$library_operators'(Module, Operators) -> true ; Operators = [] ),
        From = File
    ;   xref_source_file(File, Path, Source)
    ->  note(uses(File, Path)),
        ( header(Path, _, PIs, Operators) -> true ; PIs = [], Operators = [] ),
        From = Path
    ;   note(uses(File, '<not_found>')),
        PIs = [], Operators = [], From = File
    ),
    imported(Imports, PIs, Imported),
    forall(( member(PI, Imported), indicated(PI, Head) ), note(defined(Head, imported(From)))),
    ( Imports == all -> forall(member(op(P, T, N), Operators), catch(push_op(P, T, '$xref':N), error(_, _), true)) ; true ).

imported(all, PIs, PIs) :- !.
imported(except(Without), PIs, Imported) :- !,
    exclude([PI]>>memberchk(PI, Without), PIs, Imported).
imported(Imports, _, Imported) :-
    is_list(Imports),
    findall(PI, ( member(Import, Imports), ( Import = (Of as Name) -> ( Of = _/Arity -> PI = Name/Arity ; fail ) ; PI = Import ) ), Imported).

%   header(+Path, -Module, -PIs, -Operators) is semidet: of a module file.
header(Path, Module, PIs, Operators) :-
    setup_call_cleanup(
        open(Path, read, Stream),
        catch(read_term(Stream, Term, [module('$xref')]), error(_, _), fail),
        close(Stream)),
    nonvar(Term),
    Term = (:- module(Module, Exports)),
    is_list(Exports),
    partition([E]>>( E = op(_, _, _) ), Exports, Operators, PIs).

%   --- bodies ---

body(Goal, By, Line, Source, State) :-
    goals(Goal, Source, Goals, []),
    arg(2, State, All),
    forall(( member(G, Goals), ( All == true -> true ; \+ xref_built_in(G) ) ), note(called(G, By, Line))).

%   goals(+Body, +Source, -Goals, ?Rest)
goals(Goal, _, Goals, Goals) :- var(Goal), !.
goals(Module:Goal, Source, Goals, Rest) :- !,
    (   atom(Module), callable(Goal)
    ->  general(Goal, General),
        Goals = [Module:General|Rest]
    ;   goals(Goal, Source, Goals, Rest)
    ).
goals(Goal, Source, Goals, Rest) :-
    is_control(Goal), !,
    Goal =.. [_|Args],
    goals_of_each(Args, Source, Goals, Rest).
goals(Goal, Source, [General|Goals], Rest) :-
    general(Goal, General), !,
    (   meta_spec(Goal, Source, Meta)
    ->  findall(Extended, ( arg(I, Meta, S), arg(I, Goal, A), meta_goal(S, A, Extended) ), Inner),
        goals_of_each(Inner, Source, Goals, Rest)
    ;   Goals = Rest
    ).
goals(_, _, Goals, Goals).

goals_of_each([], _, Goals, Goals).
goals_of_each([Goal|Rest0], Source, Goals, Rest) :-
    goals(Goal, Source, Goals, Goals1),
    goals_of_each(Rest0, Source, Goals1, Rest).

is_control((_, _)).
is_control((_ ; _)).
is_control((_ -> _)).
is_control((_ *-> _)).
is_control(\+ _).
is_control(!) .

%   What is called of a meta-argument.
meta_goal(_, Arg, _) :- var(Arg), !, fail.
meta_goal(0, Arg, Arg) :- !.
meta_goal(^, Arg, Goal) :- !,
    ( Arg = (_ ^ Inner) -> nonvar(Inner), meta_goal(^, Inner, Goal) ; Goal = Arg ).
meta_goal(//, Arg, Goal) :- !,
    catch(dcg_translate_rule(( x --> Arg ), ( _ :- Goal )), error(_, _), fail).
meta_goal(N, Arg, Goal) :-
    integer(N),
    callable(Arg),
    Arg \= (_ >> _),
    Arg \= _:_,
    length(More, N),
    Arg =.. List0,
    append(List0, More, List),
    Goal =.. List.
meta_goal(N, (_ >> Body), Body) :-
    integer(N).

meta_spec(Goal, Source, Meta) :-
    general(Goal, General),
    (   found(meta(Meta0)), functor(Meta0, Name, Arity), functor(General, Name, Arity) -> Meta = Meta0
    ;   atom(Source), fact(Source, meta(Meta0)), functor(Meta0, Name, Arity), functor(General, Name, Arity) -> Meta = Meta0
    ;   predicate_property(system:General, meta_predicate(Meta0)) -> Meta = Meta0
    ;   predicate_property('$xref':General, meta_predicate(Meta0)) -> Meta = Meta0
    ).
