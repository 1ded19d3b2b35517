% Permissions of files, and directories with all that is in them: library(filesex).

:- use_module(library(filesex)).

prm_with(File, Goal) :-
    setup_call_cleanup(
        ( tmp_file_stream(text, File, Stream), close(Stream) ),
        Goal,
        ( chmod(File, 0o600), delete_file(File) )).

prm_executable(File) :- access_file(File, execute).

t(add, prm_with(F, ( chmod(F, 0o600), \+ prm_executable(F), chmod(F, +x), prm_executable(F) )), [], answers([[]])).
t(take, prm_with(F, ( chmod(F, 0o700), chmod(F, -ux), \+ prm_executable(F) )), [], answers([[]])).
t(names, prm_with(F, ( chmod(F, [ur, uwx]), prm_executable(F), chmod(F, urw), \+ prm_executable(F) )), [], answers([[]])).
t(name, chmod(prm_none, foo), [], throws(domain_error(posix_file_mode, foo))).
t(unbound, chmod(prm_none, _), [], throws(instantiation_error)).
t(none, chmod(prm_none, 0o600), [], throws(existence_error(file, prm_none))).
t(directories, (
        tmp_file(prm, D), make_directory(D), directory_file_path(D, sub, S), make_directory(S), directory_file_path(S, a, F),
        open(F, write, Out), write(Out, 'x.'), close(Out), tmp_file(prm, E), copy_directory(D, E),
        directory_file_path(E, 'sub/a', G), read_file_to_terms(G, Ts, []),
        delete_directory_and_contents(D), delete_directory_and_contents(E) ), [Ts], answers([[[x]]])).
