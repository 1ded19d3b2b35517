//! Programs that load files, and edit and load them again.

use super::{Run, Scratch, run};

/// What of `d/1` there is, which all these files are about: `show`; files are written anew by `edit`, and loaded by `load`.
///
/// Loads `files`, then does what `main` of a program says.
#[track_caller]
pub fn runs(files: &[(&str, &str)], main: &str) -> (Run, String) {
    let scratch = Scratch::new();
    for (name, text) in files {
        scratch.file(name, text);
    }
    let text = format!(
        "edit(Name, Text) :- sleep(0.02), directory(D), atomic_list_concat([D, Name, '.pl'], P), open(P, write, S), write(S, Text), close(S).\n\
         load(Names) :- forall(member(N, Names), ( directory(D), atom_concat(D, N, P), consult(P) )).\n\
         show :- ( catch(findall(X, d(X), L), error(E, _), L = E) -> true ), print(L), write(' '),\n\
             ( predicate_property(d(_), dynamic) -> writeln(dynamic) ; writeln(static) ).\n\
         report :- show.\n\
         main :- {main}.\n"
    );
    let file = scratch.file("program.pl", "");
    let directory = file.trim_end_matches("program.pl").to_string();
    let file = scratch.file("program.pl", format!("directory('{directory}').\n{text}"));
    let run = run(&["-q", "-g", "main", "-t", "halt", &file], "").sound();
    let err = run.err.replace(&directory, "");
    (run, err)
}
