:- module(prolog_listing,
          [ listing/0,
            listing/1,
            listing/2
          ]).

/*  Predicates as they would be written in a file, as by SWI-Prolog's library(listing).

    What is printed are the clauses as they are. Only the names of their
    variables come from the text: where there still is a variant of the
    clause in its place. The clauses of libraries are recalled for it
    (`recall.pl`); those of `system` are not shown.

    What all below hand on: listing(Context, Names, Text, Source). Context is
    the module whose predicates are shown without one; Names and Text are the
    options; Source is what text is open:
    source(File, Stream, Line, Text, Of), with [] for File and Stream if there
    is none, the line of the term that was read last, and the file that the
    text was of which was printed last for the predicate.
*/

:- meta_predicate(listing).
:- meta_predicate(listing(:)).
:- meta_predicate(listing(:, ?)).

%!  listing is det.
%
%   Lists the predicates of the module that it is called in: from another one than user, listing/1 is.

listing :-
    listing(user:_).

%!  listing(:Spec) is det.
%
%   Lists the predicates Spec stands for: Name, Name/Arity, Name//Arity, the
%   head of clauses, a reference to a clause, a variable for all of the
%   module, or a list of these. A name that user knows nothing of stands
%   for what other modules of the program define.

listing(Spec) :-
    listing(Spec, []).

%!  listing(:Spec, +Options) is det.
%
%   Options: variable_names(How), where How is source or generated;
%   source(Bool): the text of the clauses as it is in the file.

listing(Spec, Options) :-
    '$strip_modules'(Spec, M, What),
    listing_options(Options, source, false, Names, Text),
    Source = source([], [], 0, "", []),
    setup_call_cleanup(
        true,
        list(What, M, listing(M, Names, Text, Source)),
        close_source(Source)).

listing_options(Options, _, _, _, _) :-
    var(Options),
    !,
    throw(error(instantiation_error, context(system:listing/2, _))).
listing_options([], Names, Text, Names, Text) :- !.
listing_options([Option|Options], Names0, Text0, Names, Text) :- !,
    (   var(Option)
    ->  throw(error(instantiation_error, context(system:listing/2, _)))
    ;   Option = variable_names(Names1)
    ->  must_be(oneof([source, generated]), Names1),
        Text1 = Text0
    ;   Option = source(Text1)
    ->  must_be(boolean, Text1),
        Names1 = Names0
    ;   throw(error(domain_error(listing_option, Option), context(system:listing/2, _)))
    ),
    listing_options(Options, Names1, Text1, Names, Text).
listing_options(Options, _, _, _, _) :-
    throw(error(type_error(list, Options), context(system:listing/2, _))).

% --- what is meant ---

list(What, M, Listing) :-
    var(What),
    !,
    known_clauses(M),
    findall(PI, ( own(M, _, _, PI), \+ hidden(PI) ), PIs),
    list_predicates(PIs, _, Listing).
list([], _, _) :- !.
list([What|Rest], M, Listing) :- !,
    list(What, M, Listing),
    list(Rest, M, Listing).
list(M:What, _, Listing) :-
    atom(M),
    !,
    list(What, M, Listing).
list(Reference, _, Listing) :-
    blob(Reference, clause),
    !,
    clause_property(Reference, predicate(D:Name/Arity)),
    functor(Head, Name, Arity),
    clause(D:Head, Body, Reference),
    list_clause(D, Head, Body, Reference, Listing).
list(Spec, M, Listing) :-
    spec_name(Spec, Name, Arity, Head),
    findall(PI, meant(M, Name, Arity, PI), PIs1),
    (   PIs1 == [],
        M == user
    ->  findall(PI, elsewhere(Name, Arity, PI), PIs0)
    ;   PIs0 = PIs1
    ),
    (   PIs0 \== []
    ->  sort(PIs0, PIs),
        list_predicates(PIs, Head, Listing)
    ;   (   M == user
        ->  Culprit = Spec
        ;   Culprit = M:Spec
        ),
        throw(error(existence_error(procedure, Culprit), context(system:listing/1, _)))
    ).

spec_name(Name//Arity0, Name, Arity, _) :- !,
    (   integer(Arity0)
    ->  Arity is Arity0+2
    ;   true
    ).
spec_name(Name/Arity, Name, Arity, _) :- !.
spec_name(Name, Name, _, _) :-
    atom(Name),
    !.
spec_name(Head, Name, Arity, Head) :-
    callable(Head),
    !,
    functor(Head, Name, Arity).
spec_name(Spec, _, _, _) :-
    throw(error(type_error(predicate_indicator, Spec), context(system:listing/1, _))).

%   meant(+Module, ?Name, ?Arity, -Definition) is nondet: Module:Name/Arity of what the module defines or imports;
%   else of what the system has, else of what libraries export.

meant(M, Name, Arity, PI) :-
    known_clauses(M),
    findall(PI0, ( own(M, Name, Arity, PI0) ; imported(M, Name, Arity, PI0) ), PIs),
    (   PIs \== []
    ->  '$member'(PI, PIs)
    ;   findall(PI0, inherited(M, Name, Arity, PI0), PIs1),
        PIs1 \== []
    ->  '$member'(PI, PIs1)
    ;   findall(PI0, exported(M, Name, Arity, PI0), PIs2),
        '$member'(PI, PIs2)
    ).

known_clauses(M) :-
    (   '$library_module'(M, _)
    ->  '$recall'(M)
    ;   true
    ).

%   elsewhere(+Name, ?Arity, -Definition) is nondet: what other modules of the program have.

elsewhere(Name, Arity, M:Name/Arity) :-
    '$predicates'(_, Name, Arity, PIs),
    '$member'(M:Name/Arity, PIs),
    \+ module_property(M, class(library)).

own(M, Name, Arity, M:Name/Arity) :-
    '$predicates'(M, Name, Arity, PIs),
    '$member'(M:Name/Arity, PIs),
    \+ property_of(M, Name, Arity, imported_from(_)).

imported(M, Name, Arity, From:Name/Arity) :-
    property_of(M, Name, Arity, imported_from(From)),
    From \== system.

inherited(M, Name, Arity, system:Name/Arity) :-
    property_of(M, Name, Arity, imported_from(system)).
inherited(system, Name, Arity, system:Name/Arity) :-
    property_of(system, Name, Arity, defined).

exported(M, Name, Arity, From:Name/Arity) :-
    atom(Name),
    some_arity(Arity),
    '$found_in_library'(M:Name/Arity, _),
    functor(Head, Name, Arity),
    predicate_property(M:Head, imported_from(From)).

%   Nothing is loaded for it.
property_of(M, Name, Arity, Property) :-
    atom(Name),
    some_arity(Arity),
    '$predicate_properties'(M:Name/Arity, Properties),
    '$member'(Property, Properties),
    !.

some_arity(Arity) :-
    (   integer(Arity)
    ->  true
    ;   between(0, 9, Arity)
    ).

%   What a list of a whole module leaves out.
hidden(system:_).
hidden(_:Name/_) :-
    sub_atom(Name, 0, _, _, $).
hidden(M:Name/Arity) :-
    functor(Head, Name, Arity),
    predicate_property(M:Head, system).

% --- predicates ---

%   In the order of their places, so that each file is read once.
list_predicates(PIs, Head, Listing) :-
    findall(Place-PI, ( '$member'(PI, PIs), place(PI, Place) ), Placed0),
    keysort(Placed0, Placed),
    forall('$member'(_-PI, Placed), list_predicate(PI, Head, Listing)).

place(M:Name/Arity, File-Line) :-
    functor(Head, Name, Arity),
    (   catch(nth_clause(M:Head, 1, Reference), error(_, _), fail),
        clause_property(Reference, file(File)),
        clause_property(Reference, line_count(Line))
    ->  true
    ;   File = '',
        Line = 0
    ).

list_predicate(M:Name/Arity, Head, Listing) :-
    functor(General, Name, Arity),
    arg(1, Listing, Context),
    (   M == Context
    ->  Shown = Name/Arity
    ;   Shown = M:Name/Arity
    ),
    (   predicate_property(M:General, foreign)
    ->  format('%   Foreign: ~q~n', [Shown])
    ;   M == system,
        \+ predicate_property(M:General, dynamic)
    ->  format('%   Private: ~q~n', [Shown])
    ;   list_declarations(M, General, Shown),
        arg(4, Listing, Source),
        nb_setarg(5, Source, []),
        forall(( clause(M:General, Body, Reference), \+ General \= Head ),
               list_clause(M, General, Body, Reference, Listing))
    ),
    nl.

list_declarations(M, Head, Shown) :-
    findall(D, declared(M, Head, Shown, D), Ds),
    forall('$member'(D, Ds), print_declaration(D)),
    (   '$member'(D, Ds), D \== moded
    ->  nl
    ;   true
    ).

print_declaration(moded) :- !,
    format('% tabled using answer subsumption~n').
print_declaration(D) :-
    format(':- ~q.~n', [D]).

%   declared(+Module, +Head, +Shown, -Declaration) is nondet: in SWI-Prolog's order. That a predicate is discontiguous is said of a text, and
%   not shown.

declared(M, Head, Shown, Declaration) :-
    predicate_property(M:Head, tabled),
    functor(Head, Name, Arity),
    (   '$is_moded'(M:Name/Arity)
    ->  Declaration = moded
    ;   findall(How, predicate_property(M:Head, tabled(How)), [How|Others]),
        options(Others, How, Options),
        Declaration = table(as(Shown, Options))
    ).
declared(M, Head, Shown, Declaration) :-
    declaration(Property, Shown, Declaration),
    \+ \+ predicate_property(M:Head, Property).
declared(M, Head, Shown, meta_predicate(Declared)) :-
    predicate_property(M:Head, meta_predicate(Meta)),
    (   Shown = Other:_
    ->  Declared = Other:Meta
    ;   Declared = Meta
    ).

%   options(+Others, +How, -Options): what is said behind `as`.
options([], How, How).
options([O|Os], How, (O, Options)) :- options(Os, How, Options).

declaration((thread_local), PI, thread_local(PI)).
declaration((dynamic), PI, dynamic(PI)).
declaration(volatile, PI, volatile(PI)).
declaration((multifile), PI, multifile(PI)).
declaration(public, PI, public(PI)).

% --- clauses ---

list_clause(M, Head, Body, Reference, listing(Context, Names, Text, Source)) :-
    (   Text == true,
        clause_text(M, Reference, Source, String)
    ->  write(String),
        nl
    ;   (   Text == true
        ->  tell_of(Source, database, '% From database (decompiled)~n', [])
        ;   true
        ),
        (   Names == source
        ->  restore_names(M, Head, Body, Reference, Source, Written)
        ;   Written = Body
        ),
        (   M == Context
        ->  Shown = Head
        ;   Shown = M:Head
        ),
        rule_as(Reference, Shown, Written, Clause),
        portray_clause(Clause)
    ).

rule_as(Reference, Head, Body, Clause) :-
    '$clause_neck'(Reference, Neck),
    '$rule_of'(Neck, Head, Body, Clause).

clause_place(Reference, File, Line) :-
    clause_property(Reference, file(File)),
    clause_property(Reference, line_count(Line)).

%   The text of a clause that is where it was.
clause_text(M, Reference, Source, String) :-
    clause_place(Reference, File, Line),
    catch(term_at(M, File, Line, Source, _, _, Start), error(_, _), fail),
    arg(2, Source, Stream),
    character_count(Stream, End),
    Length is End-Start,
    arg(4, Source, Text),
    sub_string(Text, Start, Length, _, String),
    tell_of(Source, File, '% From ~w:~d~n', [File, Line]).

tell_of(Source, File, Format, Args) :-
    (   arg(5, Source, File)
    ->  true
    ;   nb_setarg(5, Source, File),
        format(Format, Args)
    ).

%   restore_names(+Module, +Head, +Body, +Reference, +Source, -Written): the names are bound in a clause that portray_clause/1 prints. Written is Body, with the
%   lambda expressions that were compiled.
restore_names(M, Head, Body, Reference, Source, Written) :-
    clause_place(Reference, File, Line),
    catch(term_at(M, File, Line, Source, Term, Bindings, _), error(_, _), fail),
    clause_of(Term, M, Clause),
    head_and_body(Clause, Head0, Body1),
    % (A clause of another module than its text's says in which its goals run.)
    (   nonvar(Body),
        Body = In:Goal,
        \+ Head0-Body1 =@= Head-Body
    ->  Body0 = In:Body1,
        Own = Goal
    ;   Body0 = Body1,
        Own = Body,
        In = M
    ),
    (   Head0-Body1 =@= Head-Own
    ->  Head0-Body1 = Head-Own
    ;   '$compiled_lambdas'(Clause, In, File, Compiled),
        head_and_body(Compiled, Head0, Body2),
        Head0-Body2 =@= Head-Own,
        Head0-Body2 = Head-Own
    ),
    !,
    Written = Body0,
    bind_names(Bindings, Clause),
    name_others(Bindings, Clause).
restore_names(_, _, Body, _, _, Body).

%   clause_of(+Term, +Module, -Clause) is nondet: what the program's hooks make of it, too, as far as they do now.
clause_of(Term, _, Term).
clause_of(( _ --> _ ), _, _) :- !, fail.
clause_of(Term, M, Clause) :-
    '$set_source_module'(Before, Before),
    catch(setup_call_cleanup('$set_source_module'(_, M), expand_term(Term, Expanded), '$set_source_module'(_, Before)), error(_, _), fail),
    (   is_list(Expanded)
    ->  '$member'(Clause, Expanded)
    ;   Clause = Expanded
    ),
    Clause \== Term.

head_and_body(V, _, _) :- var(V), !, fail.
head_and_body(( _ --> _ ), _, _) :- !, fail.
head_and_body((Head0 :- Body0), Head, Body) :- !,
    strip_module(Head0, _, Head),
    goal_variables(Body0, Body).
head_and_body(?=>(Head0, Body0), Head, Body) :- !,
    strip_module(Head0, _, Head),
    goal_variables(Body0, Body).
head_and_body((Left => Body0), Head, Body) :- !,
    (   nonvar(Left),
        Left = (Head0, Guard)
    ->  Body1 = (Guard, !, Body0)
    ;   Head0 = Left,
        Body1 = Body0
    ),
    strip_module(Head0, _, Head),
    goal_variables(Body1, Body).
head_and_body(Head0, Head, true) :-
    strip_module(Head0, _, Head).

%   As clauses have them.
goal_variables(G, call(G)) :-
    var(G),
    !.
goal_variables(G0, G) :-
    compound(G0),
    compound_name_arguments(G0, Control, [A0, B0]),
    '$memberchk_eq'(Control, [',', ;, ->, *->]),
    !,
    goal_variables(A0, A),
    goal_variables(B0, B),
    compound_name_arguments(G, Control, [A, B]).
goal_variables(G, G).

%   The terms that begin in a line of a file, one after the other.
term_at(M, File, Line, Source, Term, Bindings, Start) :-
    go_to(File, Line, Source),
    arg(2, Source, Stream),
    repeat,
    (   catch(read_term(Stream, Term0, [variable_names(Bindings0), term_position(Position), module(M)]), error(_, _), fail),
        stream_position_data(line_count, Position, At),
        nb_setarg(3, Source, At),
        ( At =:= Line, Term0 \== end_of_file )
    ->  Term = Term0,
        Bindings = Bindings0,
        stream_position_data(char_count, Position, Start)
    ;   !,
        fail
    ).

%   Names that occur once stay as they are, portray_clause/1 writes `_`; but for those that say so.
bind_names([], _).
bind_names([Name=Var|Bindings], Term) :-
    (   var(Var),
        (   sub_atom(Name, 0, _, _, '_')
        ;   occurrences_of_var(Var, Term, N),
            N > 1
        )
    ->  Var = '$VAR'(Name)
    ;   true
    ),
    bind_names(Bindings, Term).

%   Variables that a hook has added get names that no other one has.
name_others(Bindings, Term) :-
    term_variables(Term, Vs),
    (   Vs == []
    ->  true
    ;   findall(Name, '$member'(Name=_, Bindings), Taken),
        name_others(Vs, 0, Taken, Term)
    ).

name_others([], _, _, _).
name_others([V|Vs], N0, Taken, Term) :-
    occurrences_of_var(V, Term, Count),
    (   Count > 1
    ->  free_name(N0, Taken, Name, N),
        V = '$VAR'(Name)
    ;   N = N0
    ),
    name_others(Vs, N, Taken, Term).

free_name(N0, Taken, Name, N) :-
    N1 is N0+1,
    format(atom(Name0), '~W', ['$VAR'(N0), [numbervars(true)]]),
    (   '$memberchk_eq'(Name0, Taken)
    ->  free_name(N1, Taken, Name, N)
    ;   Name = Name0,
        N = N1
    ).

% --- text ---

go_to(File, Line, Source) :-
    (   arg(1, Source, File),
        arg(3, Source, At),
        At < Line
    ->  true
    ;   '$undivided'(prolog_listing:open_source(File, Source))
    ),
    arg(2, Source, In),
    skip_to(In, Line).

skip_to(Stream, Line) :-
    (   line_count(Stream, At),
        At < Line,
        \+ at_end_of_stream(Stream)
    ->  skip(Stream, 0'\n),
        skip_to(Stream, Line)
    ;   true
    ).

close_source(Source) :-
    arg(2, Source, Stream),
    nb_setarg(1, Source, []),
    nb_setarg(2, Source, []),
    nb_setarg(3, Source, 0),
    nb_setarg(4, Source, ""),
    (   Stream == []
    ->  true
    ;   close(Stream, [force(true)])
    ).

%   Not to be left half-way: who comes next closes what is noted.
open_source(File, Source) :-
    close_source(Source),
    (   atom_concat('library(', Rest, File),
        atom_concat(Name, ')', Rest),
        '$library_text'(Name, Text)
    ->  true
    ;   read_file_to_string(File, Text, [])
    ),
    open_string(Text, Stream),
    nb_setarg(2, Source, Stream),
    nb_setarg(4, Source, Text),
    nb_setarg(1, Source, File).
