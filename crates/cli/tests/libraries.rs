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
