//! Ctrl-C at a terminal: what it interrupts, what answers the question after it, and what it leaves of what was typed.

mod common;
#[path = "common/session.rs"]
mod session;

use common::{Scratch, samite};
use session::{Session, in_order};
use std::io::{Read, Write};
use std::process::Stdio;
use std::time::Duration;

#[test]
fn keys_at_an_answer_and_after_an_interrupt() {
    let home = Scratch::new();
    let mut s = Session::start(&home.path(""), &["-q"]);
    s.enter("length(L, 12), member(X, [1,2,3]).");
    s.expect_rows(&["L = [_, _, _, _, _, _, _, _, _|...],", "X = 1"]);
    s.keys("w");
    s.expect_rows(&[
        "X = 1 [write]",
        "L = [_, _, _, _, _, _, _, _, _, _, _, _],",
        "X = 1",
    ]);
    s.keys("p");
    s.expect_rows(&[
        "X = 1 [print]",
        "L = [_, _, _, _, _, _, _, _, _|...],",
        "X = 1",
    ]);
    // It holds for further answers.
    s.keys("w;w");
    s.expect("X = 2 [write]");
    s.keys("p");
    s.expect_rows(&["X = 2 [print]", "L = [_, _, _, _, _, _, _, _, _|...],"]);
    // What there is not is refused.
    for key in ["t", "q"] {
        let asked = s.output().matches("(h for help)").count();
        s.keys(key);
        s.wait("an answer", |all, _| {
            all.matches("(h for help)").count() > asked
        });
    }
    s.keys("b");
    s.expect_rows(&["[1]  ?-"]);
    s.enter("break.");
    s.expect_rows(&["[2]  ?-"]);
    s.enter("Y = within.");
    s.expect("\nY = within.");
    s.keys("\x04");
    s.expect("\ntrue.");
    s.keys("\x04;");
    s.expect("X = 3.");
    for stop in ["\r", "a", "c", "y", "Y", "."] {
        s.enter("member(Z, [stopped,more]).");
        s.expect("Z = stopped ");
        s.keys(stop);
        s.sync();
    }
    s.enter("write(runs), nl, repeat, fail.");
    s.expect("\nruns");
    s.keys("\x03");
    s.expect("Action (h for help) ? ");
    s.keys("x");
    s.expect("Unknown option (h for help)");
    s.keys("tb");
    s.wait("a loop of its own", |all, _| {
        all.contains("? break\r\n") && all.ends_with("[1]  ?- ")
    });
    s.enter("Y = $X.");
    s.expect("\nY = X, X = 3.");
    s.keys("\x04a");
    s.sync();
    for end in ["e", "\x04"] {
        let mut s = Session::start(&home.path(""), &["-q"]);
        s.enter("write(runs), nl, repeat, fail.");
        s.expect("\nruns");
        s.keys("\x03");
        s.expect("Action (h for help) ? ");
        s.keys(end);
        assert_eq!(s.end(), 4);
    }
    s.halt();
}

/// What to do after Ctrl-C is asked of the user's keys, not of what was entered or typed for others before it.
#[test]
fn what_was_typed_before_an_interrupt_does_not_answer_it() {
    let home = Scratch::new();
    let mut s = Session::start(&home.path(""), &["-q"]);
    let go = home.path("go");
    s.enter(&format!(
        "read(X), write(has(X)), nl, repeat, exists_file('{go}'), !, read(Y)."
    ));
    s.enter("a. e. ");
    s.expect("has(a)\r\n");
    s.keys("\x03");
    s.expect("Action (h for help) ? ");
    s.keys("x");
    s.expect("Unknown option (h for help)");
    s.keys("c");
    s.expect("? continue");
    std::fs::write(&go, "").unwrap();
    s.expect("Y = e.");
    s.halt();
}

/// However soon after Enter: the terminal may not have been told yet that it is a signal.
#[test]
fn an_interrupt_right_behind_enter_is_for_the_query() {
    let home = Scratch::new();
    let mut s = Session::start(&home.path(""), &["-q"]);
    let seen = |s: &Session, text: &str, n: usize| {
        s.wait(text, |all, _| all.matches(text).count() == n);
    };
    for n in 1..=10 {
        s.keys("repeat, fail.");
        seen(&s, "?- repeat, fail.", n);
        s.keys("\r\x03");
        seen(&s, "Action (h for help) ? ", 2 * n - 1);
        s.keys("a");
        seen(&s, "? abort\r\n", 2 * n - 1);
        s.keys("read(_), repeat, fail.\r");
        seen(&s, "|: ", n);
        s.keys("a.\r\x03");
        seen(&s, "Action (h for help) ? ", 2 * n);
        s.keys("a");
        seen(&s, "? abort\r\n", 2 * n);
    }
    s.halt();
}

/// What was entered for what is aborted is not for what comes then: neither what has not been read nor what has been read half.
#[test]
fn an_abort_drops_what_was_entered() {
    let home = Scratch::new();
    let mut s = Session::start(&home.path(""), &["-q"]);
    for (query, lines, seen) in [
        (
            "read(X), write(has(X)), nl, repeat, fail.",
            vec!["a. write(a(query)). b(".into()],
            "has(a)\r\n",
        ),
        ("read(X), repeat, fail.", vec!["f(a,".into()], "f(a,\r\n"),
        // More than the stream has room for.
        (
            "get_char(X), write(has(X)), nl, repeat, fail.",
            vec![format!("g{}. write(a(query)).", "h".repeat(9000))],
            "has(g)\r\n",
        ),
        (
            "read(X), abort.",
            vec!["c. write(a(query))".into()],
            "c. write(a(query))\r\n",
        ),
    ] {
        s.enter(query);
        for line in lines {
            let line: String = line;
            s.enter(&line);
        }
        s.expect(seen);
        if !query.contains("abort") {
            s.keys("\x03");
            s.wait("the question", |_, screen| {
                screen.trim_end().ends_with("Action (h for help) ?")
            });
            s.keys("a");
        }
        s.wait("the prompt", |_, screen| {
            screen.trim_end().ends_with("\n?-")
        });
        s.enter("X = next, write(sure).");
        s.wait("the answer", |_, screen| {
            screen.trim_end().ends_with("sure\nX = next.\n\n?-")
        });
        s.keys("\x0c");
    }
    assert!(!s.output().contains("ERROR"), "{}", s.output());
    s.halt();
}

/// The same of keys that wait while an answer is shown. Afterwards they are there.
#[test]
fn what_was_typed_ahead_outlasts_an_interrupt() {
    let home = Scratch::new();
    let mut s = Session::start(&home.path(""), &["-q"]);
    let go = home.path("go");
    s.enter(&format!(
        "assertz((user:portray(slow) :- format(user_error, \"shows~n\", []), repeat, exists_file('{go}'), !, write(shown)))."
    ));
    s.expect("true.");
    s.enter("X = slow.");
    s.expect("\nshows\r\n");
    s.keys("exi = X.\rY = écrit.\r\x1b[A\x1b[A\x1b[A\r");
    s.keys("\x03");
    s.expect("Action (h for help) ? ");
    s.keys("p");
    s.expect("? PID: ");
    s.keys("c");
    s.expect("? continue");
    std::fs::write(&go, "").unwrap();
    s.wait("the query again", |all, _| {
        all.matches("shown.\r\n").count() == 2
    });
    let answers = ["shown.", "\nX = exi.", "\nY = écrit.", "\nX = shown."];
    in_order(&s.output(), answers.map(|answer| format!("{answer}\r\n")));
    s.halt();
}

/// Ctrl-C is for the command that is waited for. That it was ended so is an error.
#[test]
fn an_interrupt_ends_a_command() {
    let home = Scratch::new();
    let mut s = Session::start(&home.path(""), &["-q"]);
    for (query, answer) in [
        (
            "shell('echo r; exec sleep 1000')",
            "ERROR: shell/1: Caught signal 2 on `echo r; exec sleep 1000'\r\n",
        ),
        (
            "shell('echo r; exec sleep 1001', _)",
            "ERROR: shell/2: Caught signal 2 on `echo r; exec sleep 1001'\r\n",
        ),
        (
            "catch(shell('echo r; exec sleep 1002'), error(E, _), true)",
            "E = shell(signal(2), 'echo r; exec sleep 1002').",
        ),
        (
            "shell('trap \"exit 7\" INT; echo r; while :; do :; done', S)",
            "S = 7.",
        ),
    ] {
        let before = s.output().matches("\nr\r\n").count();
        s.enter(&format!("{query}."));
        s.wait("the command", |all, _| {
            all.matches("\nr\r\n").count() > before
        });
        s.keys("\x03");
        s.expect(answer);
        s.sync();
    }
    assert!(!s.output().contains("Action"));
    s.halt();
}

/// At a terminal, too, a script has no toplevel that would ask: it ends, and its shell does not go on.
#[test]
fn an_interrupt_ends_a_script() {
    let home = Scratch::new();
    let file = home.file(
        "p.pl",
        "main(N) :- at_halt(writeln(ended(N))), begin(N, G), repeat, G.
begin(3, L \\== M) :- !, numlist(1, 1000000, L), numlist(1, 1000000, M), writeln(begun(3)).
begin(N, fail) :- writeln(begun(N)).\n",
    );
    let samite = env!("CARGO_BIN_EXE_samite");
    let mut s = Session::start(&home.path(""), &["-q"]);
    for (n, words) in [(1, ""), (2, "-t halt"), (3, "")] {
        s.enter(&format!(
            "catch(shell('for i in 1 2 3; do {samite} -g \"main({n})\" {words} {file}; done; echo goes on'), error(shell(X{n}, _), _), true)."
        ));
        s.expect(&format!("begun({n})\r\n"));
        s.keys("\x03");
        s.expect(&format!("ended({n})\r\n"));
        s.expect(&format!("X{n} = signal(2)."));
    }
    assert!(!s.output().contains("Action"));
    assert!(!s.output().contains("\ngoes on"));
    s.halt();
}

/// A cleanup handler and an atomic goal are not interrupted at once; but who asks again after a moment is heard there.
#[test]
fn a_second_time_reaches_handlers() {
    let home = Scratch::new();
    let mut s = Session::start(&home.path(""), &["-q"]);
    let times = |s: &Session, text: &'static str, n: usize| {
        s.wait(text, |all, _| all.matches(text).count() == n)
    };
    for (i, goal) in [
        "setup_call_cleanup(true, true, ( write(runs), nl, repeat, fail ))",
        "sig_atomic(( write(runs), nl, repeat, fail ))",
        "setup_call_cleanup(true, throw(x), ( write(runs), nl, thread_get_message(never) ))",
        "engine_create(x, sig_atomic(( write(runs), nl, repeat, fail )), E), engine_next(E, _)",
    ]
    .into_iter()
    .enumerate()
    {
        s.enter(&format!("{goal}."));
        times(&s, "\nruns", i + 1);
        s.keys("\x03");
        std::thread::sleep(Duration::from_millis(400));
        s.keys("\x03");
        times(&s, "Action (h for help) ? ", i + 1);
        s.keys("a");
        s.sync();
    }
    s.halt();
}

/// Without a terminal an interrupt is an abort: of what is asked, also if the one before is being told. The queries after it are answered, and the
/// status is theirs.
#[test]
fn interrupts_in_quick_succession_end_a_query_and_not_the_session() {
    for round in 0..20u32 {
        let mut child = samite()
            .args(["-q", "-f", "none"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut said = child.stdout.take().unwrap();
        input
            .write_all(b"write(asked), nl, flush_output, repeat, fail.\n")
            .unwrap();
        let mut asked = [0; 6];
        said.read_exact(&mut asked).unwrap();
        assert_eq!(&asked, b"asked\n");
        for pause in 0..4 {
            // SAFETY: a child of ours that has not been waited for.
            unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
            std::thread::sleep(Duration::from_micros(u64::from(pause * round * 20)));
        }
        // Who hears the last one late hears it while it reads.
        std::thread::sleep(Duration::from_millis(20));
        input.write_all(b"X = still_there.\n").unwrap();
        drop(input);
        let mut rest = String::new();
        said.read_to_string(&mut rest).unwrap();
        let end = child.wait_with_output().unwrap();
        let told = String::from_utf8(end.stderr).unwrap();
        assert_eq!(rest.trim(), "X = still_there.", "{told}");
        assert!(
            told.lines()
                .all(|l| l == "% Execution Aborted" || l.is_empty()),
            "{told}"
        );
        assert_eq!(end.status.code(), Some(0), "{told}");
    }
}
