:- module('$source_files', [source_file/1, source_file/2, source_file_property/2, source_exports/2, unload_file/1]).

/*  Files of the program, and what they define.

    As in SWI-Prolog. The libraries that come with Samite are part of it and
    not listed as files.
*/

:- meta_predicate(source_file(:, ?)).

%!  source_file(?File) is nondet.
%
%   File is loaded; files are given in the order in which they were loaded.

source_file(File) :-
    (   ( var(File) ; atom(File) ; string(File) ) -> true
    ;   throw(error(type_error(text, File), context(system:source_file/1, _)))
    ),
    '$loaded_files'(Files),
    (   atom(File) -> '$memberchk_eq'(File, Files)
    ;   '$member'(File, Files)
    ).

%!  source_file(:Head, ?File) is nondet.
%
%   Clauses of the predicate of Head are from File. A predicate with clauses
%   from several files has each of them.

source_file(Spec, File) :-
    '$strip'(Spec, Module, Head),
    (   callable(Head)
    ->  functor(Head, Name, Arity),
        '$source_files_of'(Module:Name/Arity, Files),
        '$member'(File, Files)
    ;   nonvar(Head)
    ->  throw(error(type_error(callable, Head), context(system:source_file/2, _)))
    ;   source_file_or_all(File),
        '$source_predicates'(File, PIs),
        '$member'(Module:Name/Arity, PIs),
        functor(Head, Name, Arity)
    ).

source_file_or_all(File) :-
    (   var(File) -> source_file(File)
    ;   atom(File) -> true
    ;   throw(error(type_error(atom, File), context(system:source_file/2, _)))
    ).

%!  source_file_property(?File, ?Property) is nondet.
%
%   Property is one of source(file), module(Module), modified(Time),
%   load_context(Module, Place, Options), for each place (File:Line or user)
%   that has asked for it to be loaded into Module, number_of_clauses(Count),
%   load_count(Count), includes(Text, Time), for each text that it includes, as
%   it was changed when File was loaded. File may also be such a text, with the
%   properties source(file) and included_in(File, Line).

source_file_property(File, Property) :-
    (   ( var(File) ; atom(File) ) -> true
    ;   throw(error(type_error(atom, File), context(system:source_file_property/2, _)))
    ),
    (   source_file(File),
        file_property(Property, File)
    ;   included_in(File, Property)
    ).

%   A text that is loaded as a part of others is no file of the program by that.

included_in(Text, Property) :-
    ( var(Property) -> true ; Property = included_in(_, _) -> true ; Property = source(_) ),
    findall(Text-place(File, Line),
            ( source_file(File), '$includes'(File, Texts), '$member'(text(Text, _, Line), Texts) ),
            Places),
    (   Property = source(file),
        findall(T, ( '$member'(T-_, Places), \+ source_file(T) ), Ts0),
        sort(Ts0, Ts),
        '$member'(Text, Ts)
    ;   Property = included_in(File, Line),
        '$member'(Text-place(File, Line), Places)
    ).

file_property(source(file), _).
file_property(module(Module), File) :- '$file_module'(File, Module).
file_property(modified(Time), File) :- '$modified_when_loaded'(File, Time).
file_property(load_context(Module, Place, []), File) :-
    '$load_history'(File, _, Contexts),
    findall(M-P, '$member'(context(M, P, _, _), Contexts), Places0),
    once_each(Places0, Places),
    '$member'(Module-Place, Places).
file_property(includes(Text, Time), File) :-
    '$includes'(File, Texts),
    '$member'(text(Text, Time, _), Texts).
file_property(load_count(Count), File) :- '$load_history'(File, Count, _).
file_property(number_of_clauses(Count), File) :- '$source_clauses'(File, Count).

%!  source_exports(+Spec, ?Export) is nondet.
%
%   Export is in the export list of the module file or library Spec, which need not be loaded.

source_exports(Spec, Export) :-
    must_be(nonvar, Spec),
    exports_of(Spec, Exports),
    '$member'(Export, Exports).

exports_of(library(Library), Exports) :-
    ground(Library),
    '$library_name'(Library, Name),
    '$own_library'(Name, Module), !,
    '$library_exports'(Name, PIs),
    (   '$library_loaded'(Name), '$library_operators'(Module, Operators) -> true
    ;   Operators = []
    ),
    '$append'(PIs, Operators, Exports).
exports_of(Spec, Exports) :-
    absolute_file_name(Spec, Path, [file_type(prolog), access(read), file_errors(fail)]),
    setup_call_cleanup(
        open(Path, read, Stream),
        ( '$skip_script_line'(Stream), catch(read_term(Stream, Header, [module('$source_files')]), error(syntax_error(_), _), fail) ),
        close(Stream)),
    nonvar(Header),
    Header = (:- module(_, Exports)),
    is_list(Exports).

%!  unload_file(+File) is det.
%
%   Takes away what loading File has defined: its clauses, the exports of its
%   module. Nothing happens if it is not loaded. Libraries that come with Samite
%   cannot be unloaded.

unload_file(Spec) :-
    (   var(Spec)
    ->  throw(error(instantiation_error, context(system:unload_file/1, _)))
    ;   number(Spec)
    ->  throw(error(type_error(text, Spec), context(system:unload_file/1, _)))
    ;   Spec = library(Library), ground(Library), '$library_name'(Library, Name), '$is_library'(Name), \+ '$precedes_own_library'(Name)
    ->  throw(error(permission_error(unload, file, Spec), context(system:unload_file/1, _)))
    ;   true
    ),
    (   loaded_file(Spec, Path)
    ->  unload_claimed(Path),
        '$load_freed'
    ;   true
    ).

%   Another thread that loads it has come to its end before.

unload_claimed(Path) :-
    setup_call_cleanup(
        '$claim_load'(Path, How),
        ( is_others(How) -> true ; '$unload_file'(Path) -> '$forget_said'(Path), retractall(system:'$cut_off'(Path, _, _)) ; true ),
        ( How == mine -> '$release_load'(Path) ; true )),
    (   is_others(How)
    ->  '$await_load'(Path),
        unload_claimed(Path)
    ;   true
    ).

is_others(taken).
is_others(visited).

%   A file that is not there any more can still be unloaded; what was read from a stream has the name that it was given.

loaded_file(Spec, Spec) :-
    atom(Spec),
    '$is_loaded'(Spec), !.
loaded_file(Spec, Path) :-
    catch('$find_source'(Spec, Path), error(_, _), fail),
    '$is_loaded'(Path), !.
loaded_file(Spec, Path) :-
    \+ compound(Spec),
    absolute_file_name(Spec, Base),
    '$source_extension'(Extension),
    atom_concat(Base, Extension, Path),
    '$is_loaded'(Path), !.

%   Items in the order in which they came, without the later of equal ones.

once_each([], []).
once_each([X|Xs], [X|Ys]) :-
    findall(Y, ( '$member'(Y, Xs), Y \== X ), Rest),
    once_each(Rest, Ys).
