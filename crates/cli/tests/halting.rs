//! The end by halt/0,1 and what runs before it: goals of at_halt/1, those that cancel it, threads that halt at the same time, what was written.

mod common;
#[path = "common/same.rs"]
mod same;

use common::{LIMIT, Scratch, finish, run, samite};
use same::{same_output, same_status};

/// What the goals of at_halt/1 do is told of and passed over; only cancel_halt/1 and an abort end them.
#[test]
fn goals_at_halt() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "hooks.pl",
        ":- at_halt(( write(a), halt(5), write(no) )).\n\
         :- at_halt(( write(b), fail )).\n\
         :- at_halt(( write(c), throw(ball) )).\n\
         :- at_halt(( write(d), atom_length(_, _) )).\n\
         :- at_halt(( write(e), at_halt(write(no)) )).\n\
         :- at_halt(write(f)).\n",
    );
    same_output(&["-g", "halt(2)", &file], 2, "abcdef").warns(&[
        "Goal (at_halt) failed: user:(write(a),halt(5),write(no))",
        "Goal (at_halt) failed: user:(write(b),fail)",
        "ball",
        "Arguments are not sufficiently instantiated",
    ]);
    // Such a message ends nothing a second time.
    for flag in ["--on-error=halt", "--on-warning=halt"] {
        same_output(&[flag, "-g", "halt(2)", &file], 2, "abcdef");
    }
    let aborts = scratch.file(
        "aborts.pl",
        ":- at_halt(( write(a), nl, abort )).\n:- at_halt(write(no)).\n",
    );
    same_output(&["-g", "halt(2)", &aborts], 2, "a\n").warns(&["% Execution Aborted"]);
    same_output(&["-g", "cancel_halt(x)", "-t", "halt"], 2, "").warns(&["Halt cancelled: x"]);
    same_status(&["-g", "halt(4294967296)", "-t", "halt"], 2).warns(&["Cannot represent"]);
    let halts = scratch.file(
        "halts.pl",
        ":- at_halt(write(h)).\n:- initialization(( write(i), halt(3), write(no) )).\n:- initialization(write(no)).\n",
    );
    same_output(&[&halts], 3, "ih");
    let handled = "at_halt(write(h)), setup_call_cleanup(true, halt(3), write(no))";
    same_output(&["-g", handled], 3, "h");
    // Wherever output went, they write to that of the program; and nobody else begins any more.
    let redirected = "at_halt(write(h)), with_output_to(string(_), ( write(no), halt ))";
    same_output(&["-g", redirected], 0, "h");
    let threads = "at_halt(( thread_create(write(no), T), thread_join(T) )), halt";
    same_output(&["-g", threads], 0, "").warns(&["No permission to create thread"]);
}

/// `halt(abort)` runs the goals of at_halt/1, and a signal ends the process.
#[test]
fn halt_by_abort() {
    let mut command = samite();
    command.args(["-g", "at_halt(write(h)), halt(abort)"]);
    let run = finish(command, b"", LIMIT);
    assert_eq!(
        (run.status, &*run.out, run.timed_out),
        (None, "h", false),
        "{run:?}"
    );
}

#[test]
fn a_cancelled_halt_fails() {
    let scratch = Scratch::new();
    // What has run before is not run again.
    let file = scratch.file(
        "cancels.pl",
        ":- dynamic n/1.\nn(0).\n\
         :- at_halt(write(first)).\n\
         :- at_halt(( retract(n(N)), M is N+1, assertz(n(M)), write(M), ( M < 4 -> cancel_halt(M) ; true ) )).\n\
         :- at_halt(write(last)).\n\
         :- halt.\n\
         t :- ( halt(3) -> write(no) ; write(' failed ') ), thread_create(( halt(3) -> true ; write(' too ') ), T), thread_join(T, S), print(S).\n",
    );
    same_output(
        &["-g", "t", "-g", "halt(7)", &file],
        7,
        "first12 failed 3 too true4last",
    )
    .warns(&[
        "% Halt cancelled: 1",
        "Goal (directive) failed: user:halt",
        "% Halt cancelled: 2",
        "% Halt cancelled: 3",
    ]);
    // It cannot be cancelled for ever.
    let never = scratch.file("never.pl", ":- at_halt(cancel_halt(x)).\n");
    let ended = run(&["-g", "halt(7)", &never], "").status(0);
    assert_eq!(
        ended.err.matches("Halt cancelled").count(),
        10,
        "{}",
        ended.err
    );
}

/// Threads that call it at the same time end the process once, with the status of one of them, and none goes on behind it.
#[test]
fn many_threads_halt() {
    let goal = "at_halt(( write(h), sleep(0.05) )), \
        forall(between(1, 8, _), catch(thread_create(( halt(4), write(no) ), _), error(permission_error(_, _, _), _), true)), halt(4), write(no)";
    for _ in 0..5 {
        run(&["-g", goal], "").status(4).prints("h");
    }
    // A goal that waits for such a thread does not wait for ever.
    let goal = "thread_create(( thread_get_message(go), halt(9) ), T), \
        at_halt(( thread_send_message(T, go), thread_join(T, _), write(h) )), halt(4)";
    run(&["-g", goal], "").status(4).prints("h");
}

#[test]
fn leaving() {
    run(&[], "").status(0);
    run(&[], "halt.\nwrite(no).\n").status(0).prints("");
    run(&[], "halt(4).\n").status(4);
    for open in ["X = 1", "X = ", "foo(bar", "X = a b", "X = a.b"] {
        run(&[], open)
            .status(0)
            .warns(&["Syntax error: Unexpected end of file"]);
    }
    run(&[], "write('abc\n").status(0).warns(&["yntax error"]);
    run(&[], "X = 1. % and a comment at the end")
        .status(0)
        .prints_parts(&["X = 1."]);
}

/// What was written before an end by halt/1 is not lost.
#[test]
fn output_is_flushed() {
    run(&["-g", "write(abc), halt(2)"], "")
        .status(2)
        .prints("abc");
    run(
        &["-g", "forall(between(1, 20000, X), (write(X), nl)), halt"],
        "",
    )
    .status(0)
    .prints_parts(&["1\n2\n", "19999\n20000\n"]);
}
