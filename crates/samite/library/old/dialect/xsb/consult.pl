:- module(xsb_consult, [ ensure_dync_loaded/1 ]).
:- use_module(library(dialect/xsb), [load_dync/1]).

/*  What XSB's module consult exports and `system` does not.  */

:- meta_predicate(ensure_dync_loaded(:)).

:- dynamic(loaded/2).

%!  ensure_dync_loaded(:File) is det.
%   load_dync/1 of a file that has not been loaded so.
ensure_dync_loaded(Spec) :-
    strip_module(Spec, M, File),
    ( prolog_load_context(directory, Dir) -> Relative = [relative_to(Dir)] ; Relative = [] ),
    absolute_file_name(File, Path, [extensions(['', 'P', 'D']), access(read)|Relative]),
    (   loaded(M, Path)
    ->  true
    ;   load_dync(M:Path),
        assertz(loaded(M, Path))
    ).
