//! What a file may look like, and what its declarations do. As in SWI-Prolog.

mod common;

use common::{Scratch, run};

/// Loads the text.
#[track_caller]
fn prints(text: &str, expected: &str) {
    let scratch = Scratch::new();
    let file = scratch.file("program.pl", text);
    run(&["-g", "true", "-t", "halt", &file], "")
        .silent()
        .status(0)
        .prints(expected);
}

/// A first line for the system is passed over, and counts as a line.
#[test]
fn scripts() {
    prints(
        "#!/usr/bin/env samite\np(1).\n:- p(X), source_location(_, L), writeln(X-L).\n",
        "1-3\n",
    );
}

/// Lines that end in carriage return and newline.
#[test]
fn lines_of_other_systems() {
    prints(
        "p(1).\r\np(2) :-\r\n  true.\r\n:- X = \"a\\\r\n   b\", atom_length(X, L), writeln(L).\r\n:- findall(X, p(X), L), writeln(L).\r\n",
        "2\n[1,2]\n",
    );
}

/// A predicate that has clauses already becomes dynamic with them.
#[test]
fn dynamic_after_clauses() {
    prints(
        "p(1).\n\
         q(1) :- true.\n\
         q(2).\n\
         :- p(X), writeln(X).\n\
         :- dynamic([p/1, q/1]).\n\
         :- discontiguous(p/1).\n\
         p(2).\n\
         :- assertz(p(3)), retract(q(1)), findall(X, p(X), L), findall(X, q(X), M), writeln(L/M).\n\
         r(1). r(2).\n\
         t :- forall(r(X), writeln(X)).\n\
         :- t.\n\
         :- initialization(( dynamic(r/1), assertz(r(3)), retract(r(1)), t )).\n",
        "1\n[1,2,3]/[2]\n1\n2\n2\n3\n",
    );
}

/// Conditions are goals of the module that is being read.
#[test]
fn conditions_in_a_module() {
    prints(
        ":- module(m, []).\n\
         p(1).\n\
         goal_expansion(never, fail).\n\
         :- if(never).\n\
         q(no).\n\
         :- elif(p(1)).\n\
         q(yes).\n\
         :- else.\n\
         q(no).\n\
         :- endif.\n\
         :- q(X), writeln(X).\n",
        "yes\n",
    );
}

/// Goals that threads run at their end are those of the module that asks for it.
#[test]
fn exit_goals_of_a_module() {
    prints(
        ":- module(m, []).\n\
         bye(X) :- writeln(X).\n\
         :- thread_create(true, T, [at_exit(bye(1)), at_exit(m:bye(2))]), thread_join(T).\n\
         :- thread_create(thread_at_exit(bye(3)), T), thread_join(T).\n\
         :- O = [at_exit(bye(4))], thread_create(true, T, O), thread_join(T).\n",
        "2\n1\n3\n4\n",
    );
}
