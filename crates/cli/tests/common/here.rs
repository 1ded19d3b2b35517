//! Programs that write files beside themselves, and load them.

use super::{LIMIT, Scratch, finish, samite};

/// What `run` prints of a program, which finds its files by `here/2`, and nothing else.
#[track_caller]
pub fn prints(text: &str, expected: &str) {
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", format!("{DIRECTORY}{text}"));
    let mut command = samite();
    command.args(["-g", "run", "-t", "halt", &file]);
    finish(command, b"", LIMIT)
        .status(0)
        .silent()
        .prints(expected);
}

/// `here(Name, Path)`, in the directory of the program; `together(K, Goal)`, K threads that do it.
pub const DIRECTORY: &str = r"
:- dynamic(directory/1).
:- prolog_load_context(directory, D), assertz(directory(D)).
here(Name, File) :- directory(D), atomic_list_concat([D, /, Name], File).
together(K, Goal) :-
    findall(T, ( between(1, K, _), thread_create(Goal, T) ), Ts),
    forall(member(T, Ts), ( thread_join(T, S), ( S == true -> true ; print(S), nl ) )).
";
