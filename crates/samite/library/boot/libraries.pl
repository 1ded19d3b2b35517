%   Boot library: Samite's libraries, whose texts are part of it: what library(Name) means beside libraries of the program's own, and loading one,
%   when it is asked for or when what it exports is first called. The text is read by texts.pl.

%   '$own_library'(+Name, -Module) is semidet: library(Name) is one of Samite's. What only other libraries use is none for the program, and where it has
%   libraries of its own that go before Samite's, one of those may be meant.
'$own_library'(Name, M) :-
    '$library_module'(M, Name),
    (   '$loading_system' -> true
    ;   \+ sub_atom(M, 0, _, _, $),
        \+ '$precedes_own_library'(Name)
    ).

%   '$is_found_when_called'(+Library, +Options) is semidet: what a library imports from another one by name means that anyway ([autoload] in
%   machine/builtins/libraries.rs). So it is loaded when it is called, and no sooner: the program may have a library of its own of that name.
'$is_found_when_called'(Name, Options) :-
    \+ '$library_loaded'(Name),
    \+ '$memberchk_eq'(reexport(true), Options),
    '$member'(imports(PIs), Options),
    is_list(PIs),
    \+ ( '$member'(PI, PIs), \+ ( PI = _/_, '$library_of'(PI, Name) ) ).

%   '$later'(Module, PIs): what this library of Samite exports, and SWI-Prolog's 9.0.4 does not: it has come to it later, or is the system's or another library's there. A
%   program that imports the library gets it when it names it, or calls it: what the program has under these names itself, or from libraries of its own, is not in conflict with it.
'$later'(apply, [foldr/4, maplist/6, maplist/7]).
'$later'(backcomp, [call_cleanup/3]).
'$later'(dcg_basics, [csym/3, csyms/2, prolog_symbol/3]).
'$later'(edinburgh, [get/1, get/2]).
'$later'(error, [is_list_or_partial/1]).
'$later'(fastrw, [fast_term_serialized/2]).
'$later'(hashtable, [ht_values/2]).
'$later'(lists, [subseq/3, sumlist/2]).
'$later'(prolog_debug, [debugging/0, nodebug/0, nospyall/0, notrace/0, notrace/1, tracing/0]).
'$later'(socket, [ip_name/2]).
'$later'(tables, [abolish_monotonic_tables/0, abolish_nonincremental_tables/0, abolish_nonincremental_tables/1, abolish_private_tables/0, abolish_shared_tables/0,
                  abolish_table_subgoals/1, current_table/2]).
'$later'(thread, [call_in_thread/3]).
'$later'(thread_pool, [create_pool/1]).
'$later'(threadutil, [thread_dump/0]).
'$later'(time, [call_with_time_limit/3]).
'$later'(ugraphs, [ugraph_layers/2]).
'$later'(unix, [pipe/3]).
'$later'(yall, [(\)/1, (\)/2, (\)/3, (\)/4, (\)/5, (\)/6, (\)/7, (^)/3, (^)/4, (^)/5, (^)/6, (^)/7, (^)/8, (^)/9]).

'$is_later'(M, PI) :- '$later'(M, PIs), '$memberchk_eq'(PI, PIs), !.

%   Samite's own are in no directory. Where they stand among those of library(_) says samite(library); behind all of them if nothing does.
:- dynamic((user:file_search_path/2, user:library_directory/1)).
:- multifile((user:file_search_path/2, user:library_directory/1)).
user:(file_search_path(library, Directory) :- library_directory(Directory)).
user:file_search_path(library, samite(library)).

%   Directories of commands, and those of the user's and of all users' files (XDG Base Directory Specification).
user:(file_search_path(path, Directory) :- system:'$listed_directory'('PATH', '', Directory)).
user:(file_search_path(user_app_data, Directory) :- system:'$own_directory'('XDG_DATA_HOME', '/.local/share', Directory)).
user:(file_search_path(user_app_config, Directory) :- system:'$own_directory'('XDG_CONFIG_HOME', '/.config', Directory)).
user:(file_search_path(common_app_data, Directory) :- system:'$common_directory'('XDG_DATA_DIRS', '/usr/local/share:/usr/share', Directory)).
user:(file_search_path(common_app_config, Directory) :- system:'$common_directory'('XDG_CONFIG_DIRS', '/etc/xdg', Directory)).
user:file_search_path(app_data, user_app_data('.')).
user:file_search_path(app_data, common_app_data('.')).
user:file_search_path(app_config, user_app_config('.')).
user:file_search_path(app_config, common_app_config('.')).
user:file_search_path(app_preferences, user_app_config('.')).
user:file_search_path(user_profile, app_preferences('.')).

%   '$listed_directory'(+Variable, +Default, -Directory) is nondet: one of those in the environment.
'$listed_directory'(Variable, Default, Directory) :-
    ( getenv(Variable, Listed), Listed \== '' -> true ; Listed = Default ),
    atomic_list_concat(Directories, :, Listed),
    '$member'(Directory, Directories),
    Directory \== ''.

%   '$common_directory'(+Variable, +Default, -Directory) is nondet: that of Samite in one of those. What is no absolute path does not count.
'$common_directory'(Variable, Default, Directory) :-
    '$listed_directory'(Variable, Default, Common),
    sub_atom(Common, 0, 1, _, /),
    atom_concat(Common, '/samite', Directory).

%   '$own_directory'(+Variable, +Below, -Directory) is semidet: that of Samite in the one that the environment says, or below the user's own.
'$own_directory'(Variable, Below, Directory) :-
    (   getenv(Variable, Own), sub_atom(Own, 0, 1, _, /) -> true
    ;   getenv('HOME', Home), Home \== '', atom_concat(Home, Below, Own)
    ),
    atom_concat(Own, '/samite', Directory).

'$precedes_own_library'(Name) :-
    findall(D, user:file_search_path(library, D), Ds),
    '$precedes_own_library'(Ds, Name).

'$precedes_own_library'([D|Ds], Name) :-
    D \== samite(library),
    (   '$directory_has_source'(D, Name) -> true
    ;   '$precedes_own_library'(Ds, Name)
    ).

'$directory_has_source'(Directory, Name) :-
    (   '$path_alias'(Directory)
    ->  Directory =.. [Alias, Below],
        File =.. [Alias, Below/Name]
    ;   File = Directory/Name
    ),
    absolute_file_name(File, _, [file_type(prolog), access(read), file_errors(fail), relative_to('.')]).

%   A program that has a module with the name of a library's cannot ask for that. What it calls of it it has, and so have other libraries: the library
%   is then loaded into a module of another name.
'$check_library_name'(Name) :-
    (   \+ '$loading_system', '$library_name_taken'(Name, Module), '$module_file'(Module, File)
    ->  atom_concat('Already loaded from ', File, Why),
        throw(error(permission_error(redefine, module, Module), context(system:load_files/2, Why)))
    ;   true
    ).

'$library_name'(Lib, _) :- var(Lib), !, throw(error(instantiation_error, _)).
'$library_name'(Lib, Name) :- atom(Lib), !, Name = Lib.
'$library_name'(Lib, Name) :- ( string(Lib) ; number(Lib) ), !, atom_string(Name, Lib).
'$library_name'(A/B, Name) :- '$library_name'(A, X), '$library_name'(B, Y),
    atom_concat(X, /, XS), atom_concat(XS, Y, Name).

%   Library text compiled in: loaded once, into a module of its own. One that cannot be loaded now (memory has ended) is tried again when it is
%   called next.
%   One thread at a time loads, and is not interrupted: what it leaves must be whole.
'$load_library'(Name) :-
    (   '$library_loaded'(Name) -> true
    ;   '$locked'('$load_library', '$load_library_text'(Name))
    ).

%   What stands for the file of a library, which has none, where people read it: an atom.
'$library_file'(Name, File) :-
    atom_concat('library(', Name, File0),
    atom_concat(File0, ')', File).

%   Waits until no other thread is loading a library.
'$await_loader' :- with_mutex('$load_library', true).

'$load_library_text'(Name) :-
    (   '$library_loaded'(Name) -> true
    ;   '$library_module'(Module, Name),
        '$source_module'(Outer),
        '$save_loading'(Was),
        setup_call_cleanup(
            ( '$open_library'(Name), '$library_begins'(Name), '$set_loading'(true) ),
            % (Its module is its own: where memory has ended it may be made, now that a library is being loaded.)
            ( '$set_source_module'(Module), '$library_file'(Name, File), '$load_stream'(library, File, []), Whole = true ),
            (   '$close_library',
                ( Whole == true -> true ; '$forget_library'(Name, Module) ),
                '$set_loading'(Was),
                '$set_source_module'(Outer)
            ))
    ).
