//! The text of Samite's libraries as a whole.

mod common;

use common::{Scratch, run};

/// All libraries share one module: a second definition of a predicate would replace the first.
#[test]
fn no_predicate_is_defined_in_two_files() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "homes.pl",
        r"
:- dynamic(home/2).

main :-
    findall(F, library_file(F), Files),
    forall(member(F, Files), homes(F)),
    forall(( home(PI, A), home(PI, B), A @< B ), ( writeq(PI-A-B), nl )),
    length(Files, N), ( N > 20 -> writeln(done) ; writeln(files(N)) ).

library_file(Path) :-
    member(Folder, ['crates/samite/library', 'crates/samite/library/boot', 'crates/samite/library/dcg']),
    directory_files(Folder, Names),
    member(Name, Names),
    file_name_extension(_, pl, Name),
    atomic_list_concat([Folder, Name], /, Path).

homes(File) :-
    open(File, read, Stream),
    repeat,
    read_term(Stream, T, []),
    (   T == end_of_file
    ->  !, close(Stream)
    ;   head(T, H), functor(H, N, A),
        ( home(N/A, File) -> true ; assertz(home(N/A, File)) ),
        fail
    ).

head((:- _), _) :- !, fail.
head((H :- _), H) :- !.
head((H0, _ --> B), H) :- !, head((H0 --> B), H).
head((H0 --> _), H) :- !, H0 =.. L0, append(L0, [_, _], L), H =.. L.
head(H, H).
",
    );
    run(&["-g", "main", "-t", "halt", &program], "")
        .status(0)
        .prints("done\n");
}

/// Solutions that differ in variables only, in the order of SWI-Prolog. Not in the files that run with a collection at each safe point: variables
/// that nobody has compared have no order to keep.
#[test]
fn solutions_are_ordered_by_their_variables() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "bags.pl",
        r"
bags(Template, Goal) :- forall(bagof(Template, Goal, L), ( print(L), write(' ') )), nl.
main :-
    findall(X-N, member(N, [1, 2, 3]), L), msort(L, M), forall(member(_-N, M), ( print(N), write(' ') )), nl,
    bags(X, member(X-_, [1-f(A), 2-f(B)])),
    bags(Y, member(Y-_, [1-A, 2-B, 3-A, 4-f(A), 5-f(B)])).
",
    );
    run(&["-g", "main", "-t", "halt", &program], "")
        .status(0)
        .prints("3 2 1 \n[1] [2] \n[1,3] [2] [4] [5] \n");
}
