//! Programs that signals end: what they have written is there, their goals of at_halt/1 run, and whoever has started them sees what it was.

mod common;

use common::{Scratch, samite};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};

/// What a program has written is there when SIGTERM ends it, and its goals of at_halt/1 run; one that does not end by itself is ended by the next.
#[test]
fn a_signal_to_terminate_is_a_halt() {
    let waits = [
        "repeat, fail",
        "sleep(100)",
        "thread_get_message(_)",
        "read(_)",
        "findall(x, repeat, _)",
        "shell('exec sleep 5 2>/dev/null')",
    ];
    for goal in waits {
        let scratch = Scratch::new();
        let text = format!(
            ":- initialization(main).\nmain :- write(begun), nl, at_halt(( write(ended), nl )), write(user_error, ready), {goal}.\n"
        );
        let file = scratch.file("p.pl", text);
        let out = scratch.file("out", "");
        let mut command = samite();
        command.arg(&file);
        let (status, _) = ended(command, &out, libc::SIGTERM, 1);
        assert_eq!(status.code(), Some(143), "{goal}");
        let written = std::fs::read_to_string(&out).unwrap();
        assert_eq!(written, "begun\nended\n", "{goal}");
    }
    let scratch = Scratch::new();
    let stays = ":- initialization(main).\nmain :- at_halt(( write(user_error, again), repeat, fail )), write(user_error, ready), repeat, fail.\n";
    let file = scratch.file("p.pl", stays);
    let out = scratch.file("out", "");
    let mut command = samite();
    command.arg(&file);
    let (status, _) = ended(command, &out, libc::SIGTERM, 2);
    assert_eq!(status.signal(), Some(libc::SIGTERM));
}

/// SIGQUIT ends nothing: it has all threads say what they are doing, whether they wait or run.
#[test]
fn sigquit_shows_what_threads_are_doing() {
    let scratch = Scratch::new();
    let text = ":- initialization(main).\nmain :- thread_create(waits, _, [alias(waiter)]), repeat, message_queue_property(waiter, waiting(1)), !, write(user_error, ready), nl(user_error), repeat, fail.\n\
                waits :- thread_get_message(never), true.\n";
    let file = scratch.file("p.pl", text);
    let mut command = samite();
    let mut child = command
        .arg(&file)
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut until = |wanted: &str| {
        let line = lines.find(|l| l.as_ref().is_ok_and(|l| l.contains(wanted)));
        assert!(line.is_some(), "no line has {wanted}");
    };
    until("ready");
    for _ in 0..2 {
        // SAFETY: a child of ours that has not been waited for.
        unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGQUIT) };
        until("main: running");
        until("main/0");
        until("waiter: running");
        until("thread_get_message(never)");
        until("waits/0");
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Where a program can be when Ctrl-C is pressed, as arguments of the command. There is no toplevel yet.
const SCRIPTS: [(&str, &[&str]); 5] = [
    (":- initialization(main, main).", &["p.pl"]),
    (":- initialization(main).", &["p.pl"]),
    (":- initialization(main, now).", &["p.pl"]),
    ("", &["-g", "main", "p.pl"]),
    ("", &["-g", "main", "-t", "halt", "p.pl"]),
];

/// The text of such a program. What it catches does not keep it from ending.
fn script(header: &str, goal: &str) -> String {
    format!(
        "main :- write(begun), nl, at_halt(( write(ended), nl )),\n    \
         setup_call_cleanup(true, catch(( write(user_error, ready), {goal} ), _, true), ( write(cleaned), nl )), repeat, fail.\n{header}\n"
    )
}

/// Ctrl-C ends a script as it ends other commands, so that a shell which runs it in a loop stops.
#[test]
fn an_interrupt_ends_a_script() {
    for (header, words) in SCRIPTS {
        for goal in ["( repeat, fail )", "sleep(100)", "read(_)"] {
            let scratch = Scratch::new();
            scratch.file("p.pl", script(header, goal));
            let out = scratch.file("out", "");
            let mut command = samite();
            command.args(words).current_dir(scratch.path(""));
            let (status, rest) = ended(command, &out, libc::SIGINT, 1);
            assert_eq!(status.signal(), Some(libc::SIGINT), "{words:?} {goal}");
            assert_eq!(rest, "", "{words:?} {goal}");
            let written = std::fs::read_to_string(&out).unwrap();
            assert_eq!(written, "begun\ncleaned\nended\n", "{words:?} {goal}");
        }
    }
}

/// A cleanup handler and an atomic goal are not interrupted at once; but who asks again after a moment is heard there.
#[test]
fn a_second_interrupt_ends_a_handler() {
    let endless =
        "( write(user_error, ready), sleep(0.5), write(user_error, again), repeat, fail )";
    for goal in [
        format!("setup_call_cleanup(true, true, {endless})"),
        format!("sig_atomic({endless})"),
    ] {
        let scratch = Scratch::new();
        let out = scratch.file("out", "");
        let mut command = samite();
        command.args(["-g", &goal]);
        let (status, _) = ended(command, &out, libc::SIGINT, 2);
        assert_eq!(status.signal(), Some(libc::SIGINT), "{goal}");
    }
}

/// Who talks to a program through pipes has each answer when it is given, whether its line has ended or not; and its log before it ends.
#[test]
fn answers_through_pipes_are_not_kept() {
    let goals = [
        "repeat, read(X), Y = got(X), writeln(Y), X == end_of_file",
        "repeat, read(X), Y = got(X), write(Y), write('. '), X == end_of_file",
        "prompt(_, ''), repeat, read_term(X, []), Y = got(X), format('~w~n', [Y]), X == end_of_file",
        "repeat, read_line_to_string(user_input, L), term_string(X, L), format('got(~w).~n', [X]), X == halt",
        "writeln(ready), repeat, read(X), ( between(1, 500, I), writeln(line(I)), fail ; writeln(got(X)) ), X == end_of_file",
    ];
    for goal in goals {
        let mut command = samite();
        let mut child = command
            .args([
                "-g",
                &format!("use_module(library(readutil)), {goal}"),
                "-t",
                "halt",
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut to, mut from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        for n in 0..3 {
            to.write_all(format!("{n}.\n").as_bytes()).unwrap();
            let (mut said, mut byte) = (String::new(), [0]);
            // (It would wait for ever.)
            while !said.ends_with(&format!("got({n})")) {
                from.read_exact(&mut byte).unwrap();
                said.push(char::from(byte[0]));
            }
        }
        to.write_all(b"halt.\n").unwrap();
        drop((to, from));
        child.wait().unwrap();
    }
    let mut child = samite()
        .args(["-g", "writeln(started), sleep(100)"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = [0; 8];
    child.stdout.take().unwrap().read_exact(&mut line).unwrap();
    assert_eq!(&line, b"started\n");
    child.kill().unwrap();
    child.wait().unwrap();
}

/// What cannot be written is told, though nothing is written for long but before reading.
#[test]
fn answers_that_nobody_reads_end_the_program() {
    for kind in ["native", "light"] {
        let goal = format!(
            "thread_create(( repeat, read(X), write(X), write(' '), fail ), T, [kind({kind})]), thread_join(T, S), ( S = exception(error(io_error(write, _), _)) -> true ; print_message(error, format('~q', [S])), fail )"
        );
        let mut child = samite()
            .args(["-g", &goal, "-t", "halt"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut to = child.stdin.take().unwrap();
        drop(child.stdout.take());
        while to.write_all(b"a.\n").is_ok() {}
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(0), "{kind}");
    }
}

/// Lines of which there are many at a time are there before the program waits.
#[test]
fn many_lines_are_there_before_a_wait() {
    let lines = "forall(between(1, 100, I), writeln(I))";
    for goal in [
        format!("{lines}, sleep(100)"),
        format!("{lines}, thread_get_message(_)"),
        format!(
            "thread_create(( {lines}, thread_get_message(_) ), T, [kind(light)]), thread_join(T)"
        ),
    ] {
        let mut child = samite()
            .args(["-g", &goal])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let from = BufReader::new(child.stdout.take().unwrap());
        let last = from.lines().map(Result::unwrap).find(|l| l == "100");
        assert!(last.is_some(), "{goal}");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// Starts a program, and sends it a signal each time that it says it is ready.
fn ended(mut command: Command, out: &str, signal: i32, times: usize) -> (ExitStatus, String) {
    command
        .stdin(Stdio::piped())
        .stdout(File::create(out).unwrap())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // (It would be closed by `wait`.)
    let input = child.stdin.take();
    let mut said = child.stderr.take().unwrap();
    for _ in 0..times {
        let mut word = [0; 5];
        said.read_exact(&mut word).unwrap();
        // SAFETY: no conditions.
        unsafe { libc::kill(child.id() as libc::pid_t, signal) };
    }
    let status = child.wait().unwrap();
    drop(input);
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    (status, rest)
}
