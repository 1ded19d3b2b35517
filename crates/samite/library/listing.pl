:- module(prolog_listing,
          [ listing/0,
            listing/1,
            listing/2
          ]).

%   Prints predicates as they would be written in a file; as SWI-Prolog's library(listing). What is printed are the clauses as they
%   are. Only the names of their variables come from the file: where there still is a variant of the clause in its place.

:- meta_predicate(listing(:)).
:- meta_predicate(listing(:, ?)).

%!  listing is det.
%   Lists the predicates of module user.
listing :-
    findall(PI, '$listed'(_, PI), PIs),
    '$list_predicates'(PIs).

%!  listing(:Spec) is det.
%   Lists the predicates Spec stands for: Name, Name/Arity, Name//Arity, or a list of these.
listing(Spec) :- listing(Spec, []).

%!  listing(:Spec, +Options) is det.
listing(Spec, _) :- var(Spec), !,
    throw(error(instantiation_error, context(system:listing/1, _))).
listing([], _) :- !.
listing([S|Ss], Options) :- !, listing(S, Options), listing(Ss, Options).
listing(M:Spec, Options) :- atom(M), nonvar(Spec), !,
    (   Spec = [_|_]
    ->  forall('$member'(S, Spec), listing(M:S, Options))
    ;   '$list_spec'(Spec, M)
    ).
listing(Spec, _) :- '$list_spec'(Spec, user).

'$list_spec'(Spec, M) :-
    '$spec_name'(Spec, Name, Arity),
    findall(M:Name/Arity, ( \+ '$library_module'(M, _), '$listed'(M, M:Name/Arity) ), PIs0),
    (   PIs0 == [] -> findall(system:Name/Arity, '$listed'(system, system:Name/Arity), PIs) ; PIs = PIs0 ),
    (   PIs \== []
    ->  '$list_predicates'(PIs)
    ;   findall(Library-PI, '$listed_library'(M, Name, Arity, Library, PI), Pairs0),
        sort(Pairs0, Pairs),
        Pairs \== []
    ->  forall('$member'(Library-PI, Pairs), '$list_from_text'(Library, PI))
    ;   findall(Name/Arity, '$listed_builtin'(Name, Arity), Builtins),
        Builtins \== []
    ->  forall('$member'(PI, Builtins), format('%   Foreign: ~q~n~n', [system:PI]))
    ;   throw(error(existence_error(procedure, Spec), context(system:listing/1, _)))
    ).

%   What a library exports, or, if M is a library's module, any predicate of it. Its clauses are private: what is listed is its text.
'$listed_library'(M, Name, Arity, Library, Name/Arity) :-
    M \== user, atom(M), '$library_module'(M, Library), !,
    '$library_clause'(Library, Clause, _),
    '$clause_indicator'(Clause, Name/Arity).
'$listed_library'(_, Name, Arity, Library, Name/Arity) :-
    atom(Name),
    ( integer(Arity) -> true ; between(0, 9, Arity) ),
    '$library_of'(Name/Arity, Library).

'$listed_builtin'(Name, Arity) :-
    atom(Name),
    ( integer(Arity) -> true ; between(0, 9, Arity) ),
    functor(Head, Name, Arity),
    predicate_property(system:Head, foreign).

'$list_from_text'(Library, PI) :-
    '$library_module'(M, Library), !,
    forall(( '$library_clause'(Library, Clause, Bindings), '$clause_indicator'(Clause, PI) ),
           ( '$bind_names'(Bindings, Clause), '$qualified_clause'(Clause, M, Shown), portray_clause(Shown) )),
    nl.

'$qualified_clause'((Head :- Body), M, (M:Head :- Body)) :- !.
'$qualified_clause'(Head, M, M:Head).

'$clause_indicator'((Head :- _), PI) :- !, functor(Head, Name, Arity), PI = Name/Arity.
'$clause_indicator'(Head, Name/Arity) :- callable(Head), Head \= (:- _), functor(Head, Name, Arity).

%   The clauses of a library, one after the other.
'$library_clause'(Library, Clause, Bindings) :-
    findall(Clause0-Bindings0,
            setup_call_cleanup(( '$library_text'(Library, Text), open_string(Text, Stream) ), '$clause_of'(Stream, Clause0, Bindings0), close(Stream)),
            Pairs),
    '$member'(Clause-Bindings, Pairs).

'$clause_of'(Stream, Clause, Bindings) :-
    repeat,
    read_term(Stream, Term, [variable_names(Bindings), module(system), double_quotes(string)]),
    (   Term == end_of_file
    ->  !, fail
    ;   Term = (_ --> _)
    ->  dcg_translate_rule(Term, Clause)
    ;   Clause = Term
    ).

%   In the order of their places, so that each file is read once.
'$list_predicates'(PIs) :-
    findall(Place-PI, ( '$member'(PI, PIs), '$place'(PI, Place) ), Placed0),
    keysort(Placed0, Placed),
    setup_call_cleanup(
        Source = source([], [], 0),
        forall('$member'(_-PI, Placed), '$list_predicate'(PI, Source)),
        '$close_source'(Source)).

'$place'(M:Name/Arity, File-Line) :-
    functor(Head, Name, Arity),
    (   catch(nth_clause(M:Head, 1, Ref), error(_, _), fail),
        clause_property(Ref, file(File)),
        clause_property(Ref, line_count(Line))
    ->  true
    ;   File = '', Line = 0
    ).

'$spec_name'(Name//A0, Name, Arity) :- !,
    ( integer(A0) -> Arity is A0+2 ; true ).
'$spec_name'(Name/Arity, Name, Arity) :- !.
'$spec_name'(Name, Name, _) :- atom(Name), !.
'$spec_name'(Spec, _, _) :- throw(error(type_error(predicate_specifier, Spec), context(system:listing/1, _))).

'$listed'(M, M:Name/Arity) :-
    ( var(M) -> M = user ; true ),
    predicate_property(M:Head, defined),
    functor(Head, Name, Arity),
    \+ predicate_property(M:Head, foreign),
    (   M == system
    ->  true
    ;   \+ predicate_property(M:Head, system)
    ).
'$listed'(M, M:Name/Arity) :-
    atom(Name), atom(M), M \== system,
    '$dynamic_without_clauses'(M, Name, Arity).

%   Dynamic predicates without clauses are not enumerated by predicate_property/2.
'$dynamic_without_clauses'(M, Name, Arity) :-
    ( integer(Arity) -> true ; between(0, 8, Arity) ),
    functor(Head, Name, Arity),
    predicate_property(M:Head, dynamic),
    \+ predicate_property(M:Head, system),
    predicate_property(M:Head, number_of_clauses(0)).

%   Source = source(File, Stream, Line): the file that is open (or []), and the line of the term that was read last.
'$list_predicate'(M:Name/Arity, Source) :-
    functor(Head, Name, Arity),
    '$list_declarations'(M, Head, Name/Arity),
    forall(catch(clause(M:Head, Body, Ref), error(_, _), fail),
           '$list_clause'(Head, Body, Ref, Source)),
    nl.

'$list_declarations'(M, Head, PI) :-
    findall(D, ( '$declaration'(D), '$has_property'(D, M:Head) ), Ds),
    forall('$member'(D, Ds), format(':- ~w ~q.~n', [D, PI])),
    ( Ds == [] -> true ; nl ).

'$has_property'(table, Head) :- !, predicate_property(Head, tabled).
'$has_property'(dynamic, Head) :- !, predicate_property(Head, dynamic), \+ predicate_property(Head, thread_local).
'$has_property'(D, Head) :- predicate_property(Head, D).

'$declaration'(table).
'$declaration'(dynamic).
'$declaration'(thread_local).
'$declaration'(multifile).
'$declaration'(discontiguous).

%   The names are bound in a clause that portray_clause/1 prints.
'$list_clause'(Head, Body, Ref, Source) :-
    '$restore_names'(Head, Body, Ref, Source),
    ( Body == true -> portray_clause(Head) ; portray_clause((Head :- Body)) ).

'$restore_names'(Head, Body, Ref, Source) :-
    clause_property(Ref, file(File)),
    clause_property(Ref, line_count(Line)),
    catch('$term_at'(File, Line, Source, Term, Bindings), error(_, _), fail),
    '$head_and_body'(Term, Head0, Body0),
    Head0-Body0 =@= Head-Body, !,
    Head0-Body0 = Head-Body,
    '$bind_names'(Bindings, Term).
'$restore_names'(_, _, _, _).

'$head_and_body'(( _ --> _ ), _, _) :- !, fail.
'$head_and_body'((Head0 :- Body), Head, Body) :- !, strip_module(Head0, _, Head).
'$head_and_body'(Head0, Head, true) :- strip_module(Head0, _, Head).

%   The terms that begin in a line of a file, one after the other.
'$term_at'(File, Line, Source, Term, Bindings) :-
    '$go_to'(File, Line, Source),
    arg(2, Source, Stream),
    repeat,
    (   catch(read_term(Stream, Term0, [variable_names(Bindings0), term_position(Position)]), error(_, _), fail),
        stream_position_data(line_count, Position, At),
        nb_setarg(3, Source, At),
        At =:= Line
    ->  Term = Term0, Bindings = Bindings0
    ;   !, fail
    ).

'$go_to'(File, Line, Source) :-
    (   arg(1, Source, File), arg(3, Source, At), At < Line
    ->  true
    ;   '$undivided'('$open_source'(File, Source))
    ),
    arg(2, Source, In),
    '$skip_to'(In, Line).

'$skip_to'(Stream, Line) :-
    (   line_count(Stream, At), At < Line, \+ at_end_of_stream(Stream)
    ->  skip(Stream, 0'\n),
        '$skip_to'(Stream, Line)
    ;   true
    ).

'$close_source'(Source) :-
    arg(2, Source, Stream),
    nb_setarg(1, Source, []),
    nb_setarg(2, Source, []),
    nb_setarg(3, Source, 0),
    ( Stream == [] -> true ; close(Stream, [force(true)]) ).

%   Not to be left half-way: who comes next closes what is noted.
'$open_source'(File, Source) :-
    '$close_source'(Source),
    open(File, read, Stream),
    nb_setarg(2, Source, Stream),
    nb_setarg(1, Source, File).

%   Names that occur once stay as they are, portray_clause/1 writes `_`; but for those that say so.
'$bind_names'([], _).
'$bind_names'([Name=Var|Bs], Term) :-
    (   var(Var), ( sub_atom(Name, 0, _, _, '_') ; occurrences_of_var(Var, Term, N), N > 1 )
    ->  Var = '$VAR'(Name)
    ;   true
    ),
    '$bind_names'(Bs, Term).
