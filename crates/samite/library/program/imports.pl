:- module('$imports', ['$import_exports'/3, '$renew_imports'/5, '$take_up_imports'/0, '$begin_program_module'/3, '$import_each'/2, '$export_each'/2]).

/*  Modules of programs: their headers, what they import and what they export.  */

%   '$import_each'(+Spec, +Into): Spec says of which module each one is.
'$import_each'(Spec, _) :- var(Spec), !, throw(error(instantiation_error, context(system:import/1, _))).
'$import_each'(M:Spec, _) :- atom(M), var(Spec), !, '$import_each'(Spec, M).
'$import_each'([], _) :- !.
'$import_each'([Spec|Specs], Into) :- !, '$import_each'(Spec, Into), '$import_each'(Specs, Into).
'$import_each'((A, B), Into) :- !, '$import_each'(A, Into), '$import_each'(B, Into).
'$import_each'(Into:Spec, _) :- atom(Into), nonvar(Spec), ( Spec = _:_ ; Spec = [_|_] ; Spec == [] ; Spec = (_, _) ), !, '$import_each'(Spec, Into).
'$import_each'(M:PI0, Into) :- atom(M), renaming(PI0, PI as Name), !,
    '$import_predicate'(M:PI, Into, Name, single, Result),
    (   Result == already -> true
    ;   Result == hook -> add_to_hook(Into, Name, M:PI)
    ;   Result == imported ->
        ( is_exported(PI, M) -> true ; print_message(warning, import_private(Into, M:PI)) )
    ;   import_refused(Result, Into, M:PI, Error), throw(Error)
    ).
'$import_each'(PI0, Into) :- nonvar(PI0), PI0 \= _:_, renaming(PI0, _), !, '$import_each'(Into:PI0, Into).
'$import_each'(Spec, _) :-
    ( Spec = M:PI, atom(M) -> true ; PI = Spec ),
    throw(error(type_error(predicate_indicator, PI), context(system:import/1, _))).

is_exported(_, system) :- !.
is_exported(PI, M) :- '$module_exports'(M, PIs), '$memberchk_eq'(PI, PIs), !.
is_exported(PI, M) :- '$library_module'(M, Library), '$library_exports'(Library, PIs), '$memberchk_eq'(PI, PIs).

%   '$export_each'(+Spec, +Module)
'$export_each'(Spec, _) :- var(Spec), !, throw(error(instantiation_error, context(system:export/1, _))).
'$export_each'([], _) :- !.
'$export_each'([PI|PIs], M) :- !, '$export_each'(PI, M), '$export_each'(PIs, M).
'$export_each'((A, B), M) :- !, '$export_each'(A, M), '$export_each'(B, M).
'$export_each'(M:PI, _) :- atom(M), !, '$export_each'(PI, M).
'$export_each'(PI0, M) :- nonvar(PI0), PI0 \= (_ as _), renaming(PI0, PI as _), !, '$export'(M, [PI]).
'$export_each'(PI, _) :- throw(error(type_error(predicate_indicator, PI), context(system:export/1, _))).

%   '$import_exports'(+Module, +Into, +Options): what a module exports, or as much of it as Options (of load_files/2) say.
'$import_exports'(M, Into, Options) :-
    ( '$member'(imports(Imports), Options) -> true ; Imports = all ),
    '$module_exports'(M, Exports),
    imports(Imports, M, Exports, Selected0),
    (   is_list(Imports) -> Kind = strong, Selected = Selected0
    ;   Kind = weak, without_later(Selected0, M, Selected)
    ),
    import_all(Selected, M, Into, Kind),
    exported_operators(Imports, M, Operators),
    import_operators(Operators, Into),
    (   '$memberchk_eq'(reexport(true), Options)
    ->  '$reexport'(Into, Selected, Kind, M),
        export_operators(Operators, Into)
    ;   true
    ).

%   without_later(+Imports, +Module, -Rest): who does not name them gets what SWI-Prolog's library of that name has ('$later'/2); the others are found when they are called.
without_later(Selected, M, Rest) :-
    (   '$later'(M, _), \+ '$loading_system', \+ '$module_file'(M, _)
    ->  findall(I, ( '$member'(I, Selected), I = (N/A as Name), \+ ( Name == N, '$is_later'(M, N/A) ) ), Rest)
    ;   Rest = Selected
    ).

%   '$renew_imports'(+Path, +Before, +After, +Askers, +Options): a file has been loaded again, with Options, and exports something else than before.
%   All who have asked for it import again what they did, but for the one who asks now. Askers asked before; who has asked meanwhile has been told
%   of what does not fit.
'$renew_imports'(Path, Before, After, Askers, Options) :-
    (   '$memberchk_eq'(again, Options) -> Asks = []
    ;   '$asking'(By, Text, Line), '$imports'(Options, How), '$source_module'(Into),
        ( By == [] -> Place = user ; Place = Text:Line ),
        Asks = context(Into, Place, By, How)
    ),
    findall(M, '$member'(exported(M, _, _), [Before, After]), Ms0),
    sort(Ms0, Ms),
    renew_or_leave(assertz(renewing(Me, Path, Ms)), Me, renew(Path, Ms, After, Askers, Asks, [Path])).

%   renewing(Thread, Path, Modules): the thread has who imports from the file, as from these modules, import anew. A fact stands from before the first of
%   them is touched, or what the file itself exports, until the last of them is done.
:- dynamic(renewing/3).
:- volatile(renewing/3).

%   renew_or_leave(+Begin, +Me, +Goal): what this thread does not come to the end of, it leaves to whoever comes next: importers have lost what they imported,
%   or lack what there is to import, and nothing else would tell.
:- meta_predicate(renew_or_leave(0, ?, 0)).
renew_or_leave(Begin, Me, Goal) :-
    thread_self(Me),
    setup_call_cleanup(
        Begin,
        ( call(Goal) -> Whole = true ; true ),
        ( Whole == true -> retractall(renewing(Me, _, _)) ; leave(Me) )).

leave(Me) :-
    forall(retract(renewing(Me, Path, Ms)), assertz(system:'$left_renewal'(Path, Ms))).

%   '$take_up_imports': what has been left is done. (Another thread may have taken it meanwhile.)
'$take_up_imports' :-
    renew_or_leave(take(Me, Path, Ms), Me, take_up(Path, Ms)),
    ( var(Path) -> true ; '$take_up_renewals' ).

take(Me, Path, Ms) :-
    (   retract(system:'$left_renewal'(Path, Ms)) -> assertz(renewing(Me, Path, Ms)) ; true ).

take_up(Path, _) :- var(Path), !.
take_up(Path, Ms) :-
    (   '$load_history'(Path, _, Askers)
    ->  '$exported'(Path, After),
        renew(Path, Ms, After, Askers, [], [Path])
    ;   true
    ).

renew(Path, Ms, After, Askers, Asks, Seen) :-
    '$load_history'(Path, _, Contexts),
    findall(By-Into, ( '$member'(C, Contexts), C = context(Into, _, By, _), renews(C, Asks) ), Importers0),
    without_repeats(Importers0, [], Importers),
    forall('$member'(By-Into, Importers), renew_importer(By, Into, all(Path, Askers, Asks, Ms, After), Seen)).

%   Who asks now does that himself.
renews(C, Asks) :-
    \+ ( C =@= Asks, C = context(_, _:_, _, _) ).

without_repeats([], _, []).
without_repeats([X|Xs], Seen, Ys) :-
    (   '$memberchk_eq'(X, Seen)
    ->  without_repeats(Xs, Seen, Ys)
    ;   Ys = [X|Ys1],
        without_repeats(Xs, [X|Seen], Ys1)
    ).

%   renew_importer(+By, +Into, +All, +Seen): all that the file By imports into the module Into. All is what the renewals of one load have in common.
%   (When the load has ended, Into may have lost something before it imports anew: that is in Before as in Now.)
renew_importer(By, Into, All, Seen) :-
    (   '$module_file'(Into, File), \+ '$memberchk_eq'(File, Seen)
    ->  thread_self(Me),
        assertz(renewing(Me, File, [Into])),
        renew_in_turn(By, Into, All, Before, Now),
        (   ( Before \== [], Now \== Before -> true ; '$has_stale_importers'(Into) )
        ->  '$load_history'(File, _, Askers),
            renew(File, [Into], Now, Askers, [], [File|Seen])
        ;   true
        ),
        retract(renewing(Me, File, [Into]))
    ;   renew_in_turn(By, Into, All, _, _)
    ).

%   While a file is loaded, its imports are that load's: nobody else makes them anew meanwhile. Afterwards it may ask for something else. Nor is
%   anything imported from a file that is being loaded. A load that waits for this thread does not go on until this is done.
renew_in_turn(By, Into, All, Before, Now) :-
    All = all(Path, _, _, _, _),
    (   By == [] -> import_whole(Path, By, Into, All, Before, Now, Await)
    ;   setup_call_cleanup(
            '$visit_load'(By, How),
            ( '$others_load'(How) -> Await = By ; import_whole(Path, By, Into, All, Before, Now, Await) ),
            '$end_claim'(How, By))
    ),
    (   Await == [] -> true
    ;   '$await_load'(Await),
        renew_in_turn(By, Into, All, Before, Now)
    ).

%   import_whole(+Path, +By, +Into, +All, -Before, -Now, -Await): Await is what is to be waited for before that can be done, or [].
import_whole(Path, By, Into, All, Before, Now, Await) :-
    '$visiting'(Path, '$imports':import_anew(By, Into, All, Before, Now), Done),
    ( Done == true -> Await = [] ; Await = Path ).

%   import_anew(+By, +Into, +All, -Before, -Now): Before and Now are what the module that imports exports. What the file asks for in several
%   places is taken back once, and then imported place by place.
import_anew(By, Into, all(Path, Askers, Asks, Ms, After), Before, Now) :-
    '$load_history'(Path, _, Contexts),
    findall(C, ( '$member'(C, Contexts), C = context(Into, _, By, _), renews(C, Asks) ), Cs),
    Cs \== [], !,
    exports_of_module(Into, Before),
    (   '$member'(context(_, _, _, how(_, true)), Cs)
    ->  forall('$member'(M, Ms), '$unexport'(Into, M))
    ;   true
    ),
    '$source_module'(Source),
    setup_call_cleanup(
        ( '$begin_renewal'(By, Into, Ms), '$set_source_module'(Into) ),
        (   After = exported(M1, _, _), M1 \== Into
        ->  forall('$member'(C, Cs), import_for(C, Askers, Asks, M1))
        ;   true
        ),
        ( '$set_source_module'(Source), '$end_renewal' )),
    exports_of_module(Into, Now).
import_anew(_, _, _, [], []).

import_for(C, Askers, Asks, M) :-
    C = context(Into, _, By, how(Imports, Reexport)),
    ( C \=@= Asks, '$member'(Asker, Askers), Asker =@= C -> Silent = false ; Silent = true ),
    import_again(By, Silent, M, Into, [imports(Imports), reexport(Reexport)]).

exports_of_module(M, Exports) :-
    ( '$module_file'(M, File) -> '$exported'(File, Exports) ; Exports = [] ).

%   Who imports it once more, or is to be loaded again, is not told twice of what does not fit.
import_again(By, Silent, M, Into, Options) :-
    (   ( Silent == true ; '$is_changed'(By) ) -> nb_setval('$silent_imports', true) ; true ),
    % (What is no error is for who asked for all this: a time limit, Ctrl-C.)
    E = error(_, _),
    call_cleanup(
        (   catch('$import_exports'(M, Into, Options), E, tell(error, E)) -> true
        ;   Options = [imports(Imports)|_], tell(warning, goal_failed(directive, Into:use_module(M, Imports)))
        ),
        nb_setval('$silent_imports', false)).

tell(Kind, Message) :-
    ( nb_current('$silent_imports', true) -> true ; print_message(Kind, Message) ).

%   (They may have been before, when what exports them is loaded again.)
export_operators(Operators, M) :-
    (   '$module_source'(M, Line, Own),
        findall(Op, ( '$member'(Op, Operators), \+ '$memberchk_eq'(Op, Own) ), New),
        New \== []
    ->  retract(system:'$module_source'(M, Line, Own)),
        '$append'(Own, New, All),
        assertz(system:'$module_source'(M, Line, All))
    ;   true
    ).

%   What an import list says of operators are patterns; without one all are imported. A definition in it is one, whether the module exports it or not.
exported_operators(Imports, M, Operators) :-
    (   ( '$module_source'(M, _, Exported) ; '$library_operators'(M, Exported) ) -> true
    ;   Exported = []
    ),
    findall(Op, ( '$member'(Op, Exported), imports_operator(Imports, Op) ), Operators0),
    (   is_list(Imports)
    ->  findall(Op, ( '$member'(Op, Imports), Op = op(_, _, _), ground(Op), \+ exports_operator(Exported, Op) ), Private),
        forall('$member'(Op, Private), tell(warning, import_private_operator(M:Op))),
        '$append'(Operators0, Private, Operators)
    ;   Operators = Operators0
    ).

exports_operator(Exported, op(P, T, N)) :-
    '$member'(op(P, T, Names), Exported),
    ( Names == N ; is_list(Names), '$memberchk_eq'(N, Names) ), !.

imports_operator(Imports, Op) :- is_list(Imports), !, '$member'(Op, Imports), !.
imports_operator(except(Except), Op) :- !, \+ '$member'(Op, Except).
imports_operator(_, _).

%   imports(+Specifier, +Module, +Exports, -Selected): the selected are terms Name/Arity as NewName or From:(Name/Arity) as NewName.
imports(all, _, Exports, Selected) :- !, as_themselves(Exports, Selected).
imports(except(Except), M, Exports, Selected) :- !,
    renamings(Except, M, Renamings),
    % As in SWI-Prolog, who leaves out what is not there imports nothing.
    forall('$member'(PI as _, Renamings), '$memberchk_eq'(PI, Exports)),
    all_except(Exports, Renamings, Selected).
imports(List, M, Exports, Selected) :-
    renamings(List, M, Renamings),
    sources(Renamings, M, Exports, Selected).

as_themselves([], []).
as_themselves([N/A|Es], [N/A as N|Ss]) :- as_themselves(Es, Ss).

renamings([], _, []).
renamings([I|Is], M, Rs) :-
    (   renaming(I, R) -> Rs = [R|Rs1]
    ;   nonvar(I), I = op(_, _, _) -> Rs = Rs1
    ;   throw(error(type_error(import_specifier, I), _))
    ),
    renamings(Is, M, Rs1).

renaming(I, _) :- var(I), !, throw(error(instantiation_error, _)).
renaming(PI as Name, N/A as Name) :- !,
    (   atom(Name) -> true
    ;   var(Name) -> throw(error(instantiation_error, _))
    ;   throw(error(type_error(atom, Name), _))
    ),
    renaming(PI, N/A as _).
renaming(N/A, N/A as N) :- atom(N), integer(A).
renaming(N//A0, N/A as N) :- atom(N), integer(A0), A is A0+2.

%   What an except list names with `as` is imported under the new name only.
all_except([], _, []).
all_except([N/A|Es], Except, Ss) :-
    (   '$member'(N/A as Name, Except)
    ->  ( Name == N -> Ss = Ss1 ; Ss = [N/A as Name|Ss1] )
    ;   Ss = [N/A as N|Ss1]
    ),
    all_except(Es, Except, Ss1).

%   sources(+Renamings, +Module, +Exports, -Selected): what a library of SWI-Prolog exports and the one of Samite does not may be built in, or
%   be in another library: it is From:PI as Name.
sources([], _, _, []).
sources([PI as Name|Rs], M, Exports, [Source as Name|Ss]) :-
    (   '$memberchk_eq'(PI, Exports) -> Source = PI
    ;   \+ '$library_module'(M, _) ->
        Source = PI,
        '$source_module'(Into),
        tell(warning, import_private(Into, M:PI))
    ;   elsewhere(PI, From) -> Source = From:PI
    ;   Source = PI,
        tell(error, error(existence_error(export, PI, module(M)), _))
    ),
    sources(Rs, M, Exports, Ss).

elsewhere(PI, From) :- '$library_for_calls'(PI, Library), !,
    '$load_library'(Library),
    '$library_module'(From, Library).
elsewhere(Name/Arity, system) :-
    functor(Head, Name, Arity),
    predicate_property(system:Head, defined).

%   What is listed is imported strongly, a whole module weakly.
import_all([], _, _, _).
import_all([Source as Name|Ss], M, Into, Kind) :-
    ( Source = From:PI -> true ; From = M, PI = Source ),
    '$import_predicate'(From:PI, Into, Name, Kind, Result),
    (   is_imported(Result) -> true
    ;   Result == hook -> add_to_hook(Into, Name, From:PI)
    ;   Result == local, Kind == weak -> tell(warning, ignored_weak_import(Into, From:PI))
    ;   import_refused(Result, Into, From:PI, Error), tell(error, Error)
    ),
    import_all(Ss, M, Into, Kind).

%   add_to_hook(+Into, +Name, +Imported): who imports what is to be a hook that the system declares defines that hook by it, beside what others define, who
%   may have asked for the same; as in SWI-Prolog under another name. What is imported may mean nothing some day: then it says nothing.
add_to_hook(Into, Name, From:(N/A)) :-
    functor(Head, Name, A),
    Head =.. [_|As],
    Goal =.. [N|As],
    '$imports_for'(By),
    (   clause(Into:Head, ( '$has_meaning'(From:_), From:G ), Clause), G == Goal, is_clause_of(By, Clause) -> true
    ;   compile_aux_clauses((Into:Head :- '$has_meaning'(From:Goal), From:Goal))
    ).

is_clause_of(By, Clause) :-
    ( clause_property(Clause, source(File)) -> By == File ; true ).

is_imported(imported).
is_imported(already).

import_refused(Result, Into, PI, error(permission_error(import_into(Into), procedure, PI), context(import/1, Why))) :-
    ( Result = from(M) -> Why = already_from(M) ; Why = 'name clash' ).

%   import_operators(+Operators, +Into)
import_operators([], _).
import_operators([op(P, T, N)|Ops], Into) :- op(P, T, Into:N), import_operators(Ops, Into).

%   '$begin_program_module'(?Name, +Exports, +File)
'$begin_program_module'(Name, Exports, File) :-
    (   var(Name) -> file_as_module(File, Name)
    ;   atom(Name) -> true
    ;   throw(error(type_error(atom, Name), context(system:(module)/2, _)))
    ),
    check_module_name(Name, File),
    '$set_source_module'(Name),
    check_export_list(Exports),
    sorted_exports(Exports, PIs, Operators0),
    '$reset_module_flags'(Name),
    '$declare_module'(Name, File, PIs),
    ( nb_current('$load_line', Line), integer(Line) -> true ; Line = 1 ),
    own_operators(Operators0, Name, Operators),
    findall(Source, ( Source = '$module_source'(Name, _, _), retract(system:Source) ), Before),
    ( '$load_state'(_, Session, _) -> assertz(system:'$header_before'(Session, Name, Before)) ; true ),
    assertz(system:'$module_source'(Name, Line, Operators)).

%   A module is that of one file; those of Samite are nobody else's.
check_module_name(Name, _) :- is_system_module(Name), !,
    throw(error(permission_error(load, module, Name), _)).
check_module_name(Name, _) :- '$library_module'(Name, Library), '$library_loaded'(Library), !,
    taken(Name, 'library ', Library).
check_module_name(Name, File) :- '$module_file'(Name, Other), Other \== File, !,
    (   '$redefines_module' -> unload_file(Other)
    ;   gives_up_module(Other, Name) -> true
    ;   is_left(Other) -> unload_file(Other)
    ;   taken(Name, '', Other)
    ).
check_module_name(_, _).

%   gives_up_module(+File, +Name): make/0 is about to load a file again that is no longer this module.
gives_up_module(File, Name) :-
    nb_current('$to_be_made', Files),
    '$memberchk_eq'(File, Files),
    catch(setup_call_cleanup(open(File, read, S), read_term(S, Term, [module(user)]), close(S)), error(_, _), fail),
    \+ ( nonvar(Term), Term = (:- module(Now, _)), Now == Name ).

%   is_left(+File): it has been renamed or removed, or all who asked for it are loaded again, or are about to be by make/0, and have not done so this time. Nobody
%   loads it.
is_left(File) :-
    '$is_loading'(File), !,
    fail.
is_left(File) :-
    '$others_are_loading'(File), !,
    fail.
is_left(File) :-
    '$modified_when_loaded'(File, _),
    (   \+ exists_file(File) -> true
    ;   '$load_history'(File, _, Askers),
        ( nb_current('$to_be_made', Due) -> true ; Due = [] ),
        \+ ( '$member'(context(_, _, By, _), Askers), \+ '$memberchk_eq'(By, Due) )
    ).

is_system_module(system).
is_system_module(user).

taken(Name, Kind, File) :-
    atomic_list_concat(['Already loaded from ', Kind, File], Why),
    throw(error(permission_error(redefine, module, Name), context((module)/2, Why))).

check_export_list(Exports) :- is_list(Exports), !.
check_export_list(Exports) :- var(Exports), !, throw(error(instantiation_error, context(system:(module)/2, _))).
check_export_list(Exports) :- throw(error(type_error(list, Exports), context(system:(module)/2, _))).

%   sorted_exports(+Exports, -PIs, -Operators): what is neither is told of, and left out.
sorted_exports([], [], []).
sorted_exports([X|Xs], PIs, Operators) :-
    (   nonvar(X), X = op(_, _, _) -> PIs = PIs1, Operators = [X|Operators1]
    ;   export_error(X, Error)
    ->  print_message(error, error(Error, context(system:export/1, _))),
        PIs = PIs1, Operators = Operators1
    ;   PIs = [X|PIs1], Operators = Operators1
    ),
    sorted_exports(Xs, PIs1, Operators1).

%   export_error(+Export, -Error) is semidet: it is no predicate indicator.
export_error(X, instantiation_error) :- var(X), !.
export_error(N/A, Error) :- !, part_error(N, A, Error).
export_error(N//A, Error) :- !, part_error(N, A, Error).
export_error(X, type_error(predicate_indicator, X)).

part_error(N, A, instantiation_error) :- ( var(N) ; var(A) ), !.
part_error(N, _, type_error(atom, N)) :- \+ atom(N), !.
part_error(_, A, type_error(integer, A)) :- \+ integer(A), !.
part_error(_, A, domain_error(not_less_than_zero, A)) :- A < 0.

%   own_operators(+Operators0, +Module, -Operators): the module has them, but for those that cannot be, which are told of.
own_operators([], _, []).
own_operators([op(P, T, N)|Ops0], M, Ops) :-
    E = error(_, _),
    (   catch(op(P, T, M:N), E, ( print_message(error, E), fail )) -> Ops = [op(P, T, N)|Ops1]
    ;   Ops = Ops1
    ),
    own_operators(Ops0, M, Ops1).

%   A module without a name has that of its file.
file_as_module(File, Name) :-
    file_base_name(File, Base),
    file_name_extension(Name, _, Base).
