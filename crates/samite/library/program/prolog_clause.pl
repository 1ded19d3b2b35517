:- module(prolog_clause,
          [ clause_info/4,
            clause_info/5,
            initialization_layout/4,
            predicate_name/2,
            clause_name/2
          ]).

/*  Where clauses stand in their files, with the predicates of SWI-Prolog's library(prolog_clause).

    A clause knows the file and the line in which its text begins. That is read again, and each term that begins in this line is expanded
    as the loader would: the one that gives the clause is its text.
*/

:- meta_predicate(predicate_name(:, -)).

:- multifile(open_source/2).
:- multifile(unify_clause_hook/5).
:- multifile(user_predicate_name/2).
:- dynamic(open_source/2).
:- dynamic(unify_clause_hook/5).
:- dynamic(user_predicate_name/2).

%!  clause_info(+Reference, -File, -Layout, -Names) is semidet.
%
%   As clause_info/5, with no options.

clause_info(Reference, File, Layout, Names) :-
    clause_info(Reference, File, Layout, Names, []).

%!  clause_info(+Reference, -File, -Layout, -Names, +Options) is semidet.
%
%   The text of a clause is in File. Layout is where the parts of it are, as read_term/2 with the option subterm_positions says it. Names is
%   varnames(Name...), with the name of each variable of the clause, as clause/3 has them from left to right, or `_`. Fails if the clause is from no file,
%   or the file has another text there now. The option variable_names(Bindings) is unified with `Name = Variable` of the text.

clause_info(Reference, File, Layout, Names, Options) :-
    must_be_clause(Reference),
    clause_property(Reference, file(File)),
    clause_property(Reference, line_count(Line)),
    clause_property(Reference, predicate(PI)),
    strip_module(PI, M, Name/Arity),
    functor(Head, Name, Arity),
    clause(M:Head, Body, Reference),
    setup_call_cleanup(
        open_file(File, In),
        (   term_in_line(In, Line, M, Term, Layout0, Bindings),
            gives_clause(Term, M, File, Head, Body, Layout0, Layout1)
        ->  true
        ),
        close(In)),
    Layout = Layout1,
    (   option(variable_names(Asked), Options)
    ->  Asked = Bindings
    ;   true
    ),
    term_variables(Head-Body, Variables),
    names_of(Variables, Bindings, Found),
    compound_name_arguments(Names, varnames, Found).

must_be_clause(Reference) :-
    (   var(Reference)
    ->  instantiation_error(Reference)
    ;   blob(Reference, clause)
    ->  true
    ;   type_error(db_reference, Reference)
    ).

names_of([], _, []).
names_of([V|Vs], Bindings, [Name|Names]) :-
    (   member(Name0=V0, Bindings),
        V0 == V
    ->  Name = Name0
    ;   Name = '_'
    ),
    names_of(Vs, Bindings, Names).

open_file(File, In) :-
    (   open_source(File, In0)
    ->  In = In0
    ;   atom_concat('library(', Rest, File),
        atom_concat(Library, ')', Rest),
        '$library_text'(Library, Text)
    ->  open_string(Text, In)
    ;   catch(open(File, read, In), error(_, _), fail)
    ).

%   term_in_line(+In, +Line, +Module, -Term, -Layout, -Bindings) is nondet: the terms that begin there.
term_in_line(In, Line, M, Term, Layout, Bindings) :-
    skip_to(In, Line),
    repeat,
    (   catch(read_term(In, Term0,
                        [ module(M), subterm_positions(Layout0), variable_names(Bindings0), term_position(Position) ]),
              error(_, _), fail),
        Term0 \== end_of_file,
        stream_position_data(line_count, Position, Line)
    ->  Term = Term0,
        Layout = Layout0,
        Bindings = Bindings0
    ;   !,
        fail
    ).

skip_to(In, Line) :-
    (   line_count(In, At),
        At < Line,
        \+ at_end_of_stream(In)
    ->  skip(In, 0'\n),
        skip_to(In, Line)
    ;   true
    ).

%   gives_clause(+Term, +Module, +File, ?Head, ?Body, +Layout0, -Layout) is semidet: its variables are those of the clause then.
gives_clause(Term, M, _, Head, Body, Layout, Layout) :-
    same_clause(Term, M, Head, Body),
    !.
gives_clause(Term, M, File, Head, Body, Layout, Layout) :-
    expanded(Term, M, Expanded),
    (   is_list(Expanded)
    ->  member(Clause0, Expanded)
    ;   Clause0 = Expanded
    ),
    (   Clause = Clause0
    ;   '$compiled_lambdas'(Clause0, M, File, Clause)
    ),
    same_clause(Clause, M, Head, Body),
    !.
gives_clause(Term, M, _, Head, Body, Layout0, Layout) :-
    unify_clause_hook(Term, (M:Head :- Body), M, Layout0, Layout),
    !.

expanded(Term, M, Expanded) :-
    '$source_module'(Outer),
    setup_call_cleanup(
        '$set_source_module'(M),
        catch(expansion(Term, Expanded), error(_, _), fail),
        '$set_source_module'(Outer)).

expansion(Term, Clauses) :-
    expand_term(Term, Expanded),
    (   is_list(Expanded)
    ->  bodies_expanded(Expanded, Clauses)
    ;   body_expanded(Expanded, Clauses)
    ).

bodies_expanded([], []).
bodies_expanded([T0|Ts0], [T|Ts]) :-
    body_expanded(T0, T),
    bodies_expanded(Ts0, Ts).

body_expanded(Term, Expanded) :-
    (   nonvar(Term),
        Term = (Head :- Body0)
    ->  expand_goal(Body0, Body),
        Expanded = (Head :- Body)
    ;   Expanded = Term
    ).

same_clause(Term, M, Head, Body) :-
    head_and_body(Term, M, Head0, Body0),
    (   Head0-Body0 =@= Head-Body
    ->  Head0-Body0 = Head-Body
    ;   % (Of the module of the text, where the head has another one.)
        nonvar(Body),
        Body = _:Body1,
        Head0-Body0 =@= Head-Body1
    ->  Head0-Body0 = Head-Body1
    ).

head_and_body(Term, _, _, _) :-
    var(Term),
    !,
    fail.
head_and_body(M:Term, _, Head, Body) :-
    atom(M),
    !,
    head_and_body(Term, M, Head, Body).
head_and_body((Head0 :- Body0), M, Head, Body) :-
    !,
    plain_head(Head0, M, Head),
    as_kept(Body0, Body).
head_and_body(?=>(Left, Body0), M, Head, Body) :-
    !,
    rule_parts(Left, Body0, M, Head, Body).
head_and_body((Left => Body0), M, Head, Body) :-
    !,
    rule_parts(Left, Body0, M, Head, Body).
head_and_body(Head0, M, Head, true) :-
    Head0 \= (:- _),
    Head0 \= (_ --> _),
    plain_head(Head0, M, Head).

rule_parts(Left, Body0, M, Head, Body) :-
    (   nonvar(Left),
        Left = (Head0, Guard)
    ->  Body1 = (Guard, !, Body0)
    ;   Head0 = Left,
        Body1 = Body0
    ),
    plain_head(Head0, M, Head),
    as_kept(Body1, Body).

plain_head(Head0, M, Head) :-
    strip_module(M:Head0, _, Head).

%   A variable as a goal is a call.
as_kept(G, call(G)) :-
    var(G),
    !.
as_kept(G0, G) :-
    control(G0, Name, A0, B0),
    !,
    as_kept(A0, A),
    as_kept(B0, B),
    compound_name_arguments(G, Name, [A, B]).
as_kept(G, G).

control((A, B), ',', A, B).
control((A ; B), ;, A, B).
control((A -> B), ->, A, B).
control((A *-> B), *->, A, B).

%!  initialization_layout(+Place, :Goal, -ReadGoal, -Layout) is semidet.
%
%   Place is File:Line, where a directive :- initialization(ReadGoal) begins, or initialization/2; Layout is where the parts of ReadGoal are. Goal is ReadGoal
%   or what it is expanded to, with or without a module.

initialization_layout(File:Line, Goal0, ReadGoal, Layout) :-
    strip_module(Goal0, M, Goal),
    setup_call_cleanup(
        open_file(File, In),
        (   term_in_line(In, Line, M, (:- Directive), term_position(_, _, _, _, [Layout0]), _),
            initialization_goal(Directive, Layout0, ReadGoal0, Layout1),
            (   Plain = ReadGoal0
            ;   expand_goal(ReadGoal0, Plain)
            ),
            strip_module(Plain, _, Plain1),
            Plain1 =@= Goal
        ->  Plain1 = Goal
        ),
        close(In)),
    ReadGoal = ReadGoal0,
    Layout = Layout1.

initialization_goal(initialization(Goal), term_position(_, _, _, _, [Layout]), Goal, Layout).
initialization_goal(initialization(Goal, _), term_position(_, _, _, _, [Layout, _]), Goal, Layout).

%!  predicate_name(:Predicate, -Name) is det.
%
%   Name is a text for people: Name/Arity, with the module if that is none that everybody sees. Predicate is a head or a predicate indicator.

predicate_name(Spec, Name) :-
    user_predicate_name(Spec, Name0),
    !,
    Name = Name0.
predicate_name(Spec, Text) :-
    strip_module(Spec, M, Predicate),
    (   Predicate = Name/Arity, atom(Name), integer(Arity)
    ->  Shown = Predicate
    ;   Predicate = Name//Arity, atom(Name), integer(Arity)
    ->  Shown = Predicate
    ;   callable(Predicate)
    ->  functor(Predicate, Name, Arity),
        Shown = Name/Arity
    ;   type_error(callable, Predicate)
    ),
    (   plainly_named(M)
    ->  format(string(Text), '~q', [Shown])
    ;   format(string(Text), '~q', [M:Shown])
    ).

plainly_named(user).
plainly_named(system).
plainly_named(M) :-
    module_property(M, class(library)).

%!  clause_name(+Reference, -Name) is det.
%
%   Name is a text for people, as 2-nd clause of p/1.

clause_name(Reference, Name) :-
    must_be_clause(Reference),
    (   nth_clause(Head, N, Reference)
    ->  predicate_name(Head, Predicate),
        ending(N, Ending),
        format(string(Name), '~d-~w clause of ~s', [N, Ending, Predicate])
    ;   Name = '<meta-call>'
    ).

ending(1, Ending) => Ending = st.
ending(2, Ending) => Ending = nd.
ending(_, Ending) => Ending = th.
