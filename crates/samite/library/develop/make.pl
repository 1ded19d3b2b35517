:- module(prolog_make, [make/0]).

/*  Loading again what has been edited, as SWI-Prolog's library(make). Differs from it in: nothing is said of procedures that are called and
    not defined; list_undefined/0 of library(check) lists those.
*/

:- multifile(prolog:make_hook/2).
:- dynamic(prolog:make_hook/2).

%!  make is det.
%
%   Loads again the files that have changed since they were loaded, in the order in which they were first, each into the modules that have asked
%   for it; and those that have asked for a file which was not there, and is now. prolog:make_hook(before, Files) is called first, and prolog:make_hook(after, Files) in the end; Files may be [].

make :-
    forall(( '$missing_for'(File, Spec), is_there_now(Spec, File) ), '$set_changed'(File)),
    findall(File, ( source_file(File), ( '$is_changed'(File) -> true ; is_made_elsewhere(File) ) ), Due),
    findall(File, ( '$member'(File, Due), '$is_changed'(File) ), Files),
    call_hook(before, Files),
    print_message(silent, make(reload(Files))),
    nb_setval('$made_for', []),
    reload_each(Due),
    % (Whatever has been interrupted before.)
    '$load_freed',
    '$take_up_renewals',
    print_message(silent, make(done(Files))),
    call_hook(after, Files).

%   is_there_now(+Spec, +File): what a directive of the file asks for.
is_there_now(Spec, File) :-
    catch(absolute_file_name(Spec, _, [file_type(prolog), access(read), file_errors(fail), relative_to(File)]), error(_, _), fail).

call_hook(When, Files) :-
    (   prolog:make_hook(When, Files) -> true ; true ).

%   is_made_elsewhere(+File) is semidet: another thread's make/0 is loading its text, and it may be waited for: not by who is called by a load himself, or by threads that
%   this one has started ('$others_are_loading'/1).
is_made_elsewhere(File) :-
    \+ '$load_state'(_, _, _),
    thread_self(Me),
    '$making'(Other, File),
    Other \== Me,
    '$others_are_loading'(File), !.

%   What another thread's make/0 is loading is waited for in its turn: later files are read with what it says of expansions, operators and flags. (What its initialization goals
%   do, which may go on for ever, is not.)
%   One that an earlier one has loaded meanwhile is not loaded twice: also because that one asks for it ('$make_used' in library/boot/loading.pl). What is wrong with one does not keep the others from being loaded.
%   Each may take the name of a module that a later one gives up (`gives_up_module` in library/program/imports.pl).
reload_each([]).
reload_each([File|Files]) :-
    E = error(_, _),
    setup_call_cleanup(
        b_setval('$to_be_made', Files),
        catch(( '$is_changed'(File) -> make_one(File) ; await_made(File) ), E, '$load_list_error'(E)),
        b_setval('$to_be_made', [])),
    reload_each(Files).

make_one(File) :-
    thread_self(Me),
    setup_call_cleanup(
        assertz(system:'$making'(Me, File)),
        '$load_again'(File),
        retractall(system:'$making'(Me, File))).

await_made(File) :-
    thread_wait(\+ is_made_elsewhere(File), [wait_preds([system:'$making'/2])]).
