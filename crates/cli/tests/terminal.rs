//! The toplevel at a terminal: what is typed, pasted and typed ahead, what is shown, history, signals.

mod common;
#[path = "common/session.rs"]
mod session;

use common::Scratch;
use common::random::Random;
use session::{Session, in_order};
use std::time::Duration;

/// What the README says of a first program is what one sees.
#[test]
fn a_first_program() {
    let readme = std::fs::read_to_string(common::root().join("README.md")).unwrap();
    let (_, rest) = readme.split_once("```prolog\n").unwrap();
    let (program, rest) = rest.split_once("```").unwrap();
    let (_, rest) = rest.split_once("```\n?- ").unwrap();
    let (dialogue, _) = rest.split_once("```").unwrap();
    let home = Scratch::new();
    let mut s = Session::start(&home.path(""), &["-q", &home.file("family.pl", program)]);
    let mut rows = dialogue.lines();
    s.enter(rows.next().unwrap());
    let mut seen = String::new();
    for row in rows {
        seen += &format!("\n{row}\r");
        let answer = row.trim_end_matches([' ', ';']).to_owned();
        s.expect(&format!("\n{answer}"));
        if row.ends_with(';') {
            s.keys(";");
        }
    }
    s.expect(&seen);
    s.halt();
}

/// A marker that a terminal puts around what is pasted.
fn pasted(text: &str) -> String {
    format!("\x1b[200~{text}\x1b[201~")
}

#[test]
fn what_is_typed_ahead_is_kept() {
    let home = Scratch::new();
    let mut s = Session::start(&home.path(""), &["-q"]);
    s.keys("X = 1.\rX = 2.\rmember(X, [3,4,5]).\r;;X = 6. X = 7.\r");
    s.sync();
    let rows = [
        "X = 1.", "X = 2.", "X = 3 ;", "X = 4 ;", "X = 5.", "X = 6.", "X = 7.",
    ];
    in_order(&s.output(), rows.iter().map(|row| format!("{row}\r\n")));
    // While a query runs the system keeps what is typed.
    s.keys("sleep(0.3).\rread(X).\rterm(Y,\rZ).\rX = 8.\r");
    s.expect("X = term(_, _).");
    s.expect("\nX = 8.");
    s.halt();
}

/// Who pastes slowly, or whose connection is lost in the midst of it, can be signalled.
#[test]
fn half_a_paste_is_interrupted_and_goes_on() {
    let home = Scratch::new();
    let mut s = Session::start(&home.path(""), &["-q"]);
    let (first, rest) = ("\x1b[200~X = half(", "whole).\x1b[201~\r");
    s.enter("thread_create(( sleep(0.3), thread_send_message(main, told) ), _), thread_signal(main, true).");
    s.keys(first);
    std::thread::sleep(Duration::from_millis(100));
    s.signal(libc::SIGWINCH);
    std::thread::sleep(Duration::from_millis(300));
    s.keys(rest);
    s.expect("\nX = half(whole).");
    s.keys(first);
    std::thread::sleep(Duration::from_millis(100));
    s.signal(libc::SIGTERM);
    assert_eq!(s.end(), 143);
}

#[test]
fn a_paste_of_queries_is_answered_in_order() {
    let home = Scratch::new();
    let queries: String = (0..100).map(|i| format!("X = a({i}).\n")).collect();
    let answers = || (0..100).map(|i| format!("\nX = a({i}).\r\n"));
    let mut s = Session::start(&home.path(""), &["-q"]);
    s.keys(&queries);
    s.sync();
    in_order(&s.output(), answers());
    let before = s.output().len();
    s.keys(&pasted(&queries));
    s.keys("\r");
    s.sync();
    in_order(&s.output()[before..], answers());
    // Answers of which there are more wait for a key, for which no pasted text but `;` is taken.
    s.keys(&pasted("member(X, [p,q,r]).\n;\nappend(Y, _, [s,t])."));
    s.keys("\r");
    s.expect("X = q ");
    s.keys("\r");
    s.expect("Y = [] ");
    s.keys("\r");
    s.halt();
}

#[test]
fn a_large_term_is_read_once() {
    let home = Scratch::new();
    let mut s = Session::start(&home.path(""), &["-q"]);
    // Each of its sentences ends like a query, and each of its lines as one does that is entered.
    let text = "It goes on and on. \nAnd on.\n".repeat(5_000);
    s.keys(&pasted(&format!("string_length(\"{text}\", L), M is L+1.")));
    s.keys("\r");
    s.expect(&format!("M = {}.", text.len() + 1));
    s.keys(&format!("string_length(\"{text}\", L), M is L+2.\r"));
    s.expect(&format!("M = {}.", text.len() + 2));
    s.halt();
}

#[test]
fn a_query_is_one_entry_of_the_history() {
    let home = Scratch::new();
    let mut s = Session::start(&home.path(""), &["-q"]);
    s.enter("X = [1, % one");
    s.enter("     2].");
    s.expect("X = [1, 2].");
    // Recalled, changed in its first line, and ended.
    s.keys("\x1b[A\x1b[A\x1b[H\x1b[3~Y\r");
    s.expect_rows(&["?- Y = [1, % one", "|         2].", "Y = [1, 2]."]);
    // Enter in an unfinished one adds a line, wherever the cursor is.
    s.keys("\x1b[A\x7f\x1b[H\x0b\r2,3].\r");
    s.expect_rows(&["?- Y = [1, % one", "|    ", "|    2,3].", "Y = [1, 2, 3]."]);
    s.halt();
}

/// What has the name of the history and is no regular file is left alone.
#[test]
fn a_history_that_is_no_file() {
    let home = Scratch::new();
    let path = home.path(".samite_history");
    let name = std::ffi::CString::new(path).unwrap();
    // SAFETY: the name ends with a zero.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
    let mut s = Session::start(&home.path(""), &["-q"]);
    s.enter("X = 1.");
    s.expect("\nX = 1.");
    s.keys("\x1b[A\r");
    s.halt();
}

/// Whose last line has no end, as somebody has edited it.
#[test]
fn a_history_that_ends_within_a_line() {
    let home = Scratch::new();
    let path = home.file(".samite_history", "#V2\nX = edited.");
    let mut s = Session::start(&home.path(""), &["-q"]);
    s.enter("X = new.");
    s.expect("\nX = new.");
    s.halt();
    let file = std::fs::read_to_string(path).unwrap();
    assert_eq!(file, "#V2\nX = edited.\nX = new.\nhalt.\n");
}

#[test]
fn sessions_at_the_same_time_lose_no_history() {
    let home = Scratch::new();
    let mut killed = Session::start(&home.path(""), &["-q"]);
    let mut other = Session::start(&home.path(""), &["-q"]);
    killed.enter("X = killed_one.");
    killed.expect("\nX = killed_one.");
    other.enter("X = other,\nY = 'a\\\\b'.");
    other.expect("\nY = 'a\\\\b'.");
    killed.enter("X = killed_two.");
    killed.expect("\nX = killed_two.");
    killed.signal(libc::SIGKILL);
    killed.end();
    other.halt();
    let file = std::fs::read_to_string(home.path(".samite_history")).unwrap();
    let lines: Vec<&str> = file.lines().collect();
    let wanted = [
        "#V2",
        "X = killed_one.",
        r"X = other,\nY = 'a\\\\b'.",
        "X = killed_two.",
        "halt.",
    ];
    assert_eq!(lines, wanted);
    let mut next = Session::start(&home.path(""), &["-q"]);
    // Looked for from the end; Enter enters what was found.
    next.keys("\x12_one\r");
    next.expect("\nX = killed_one.");
    next.halt();
}

#[test]
fn reading_asks() {
    let home = Scratch::new();
    let mut s = Session::start(&home.path(""), &["-q"]);
    s.enter("read(X).");
    s.expect_rows(&["?- read(X).", "|: "]);
    s.enter("foo(");
    s.enter("bar).");
    s.expect_rows(&["|: foo(", "|: bar).", "X = foo(bar)."]);
    s.enter("write(before), get_char(X), get_char(Y), get_single_char(Z).");
    s.expect_rows(&["before|:"]);
    s.enter("qrs");
    s.expect_rows(&["before|: qrs", "X = q,", "Y = r,", "Z = 115."]);
    // What is left of the line belongs to the next query, and is layout.
    s.enter("[user].");
    s.enter("p(1).");
    s.enter("p(2).");
    s.expect_rows(&["?- [user].", "|: p(1).", "|: p(2).", "|: "]);
    s.keys("\x04");
    s.enter("p(X).");
    s.expect("X = 1 ");
    s.keys(";");
    s.expect("X = 2.");
    // The prompt of one line.
    s.enter("prompt1('first> '), read(X).");
    s.keys("f(\r");
    s.expect_rows(&["first> f(", "|: "]);
    s.keys("a).\r");
    s.expect("X = f(a).");
    s.enter("prompt(_, 'more> '), read(X).");
    s.expect_rows(&["more> "]);
    s.keys("\x03");
    s.expect("Action (h for help) ? ");
    s.keys("a");
    s.halt();
}

/// A time limit or a signal ends waiting at once, and takes nothing of what is typed then.
#[test]
fn events_while_the_program_reads() {
    for terminal in ["dumb", "xterm"] {
        let home = Scratch::new();
        let mut s = Session::start_on(terminal, &home.path(""), &["-q"]);
        s.enter(
            "catch(call_with_time_limit(0.1, read(_)), E, true), print(ended(E)), nl, read(X).",
        );
        s.expect("ended(time_limit_exceeded)");
        s.keys("hello.\r");
        s.expect("X = hello.");
        s.enter("thread_self(M), thread_create(( sleep(0.1), thread_signal(M, ( V = 1, print(sig(V)), nl )) ), T), get_char(C1), get_char(C2), thread_join(T).");
        s.expect("sig(1)");
        s.keys("yz\r");
        s.expect("C1 = y");
        s.expect("C2 = z");
        s.halt();
    }
}

/// Threads other than the main one read, too, in turn with the prompt, and hear events meanwhile.
/// A goal that another thread has the main one run, while a search or Ctrl-V waits for a key, leaves what was typed.
#[test]
fn events_while_a_key_of_the_editor_is_waited_for() {
    let home = Scratch::new();
    let mut s = Session::start(&home.path(""), &["-q"]);
    s.enter("X = found.");
    s.expect("\nX = found.");
    for (n, (keys, rest, answer)) in [
        ("\x12= fou", "\r", "X = found."),
        ("Y = \x16", "abc.\r", "Y = abc."),
        ("Z =\x1b[D\x16", "\x05 1.\r", "Z = 1."),
        ("\x12", "W = 2.\r", "W = 2."),
    ]
    .into_iter()
    .enumerate()
    {
        s.enter("message_queue_create(Q), nb_setval(q, Q), thread_self(M), thread_create((thread_get_message(Q, N), thread_signal(M, (X is 100+N, write(event(X)), nl))), _, [detached(true)]).");
        s.expect_rows(&["?- "]);
        s.sync();
        // The goal comes when the editor waits behind these keys, for which half a second is long. (Before the editor is there again they are the terminal's.)
        let before = s.output().len();
        s.enter(&format!(
            "nb_getval(q, Q), thread_create((sleep(0.5), thread_send_message(Q, {n})), _, [detached(true)]), fail."
        ));
        s.wait("the next prompt", |all, _| {
            all[before..].contains("false.") && all.ends_with("?- ")
        });
        s.keys(keys);
        s.expect(&format!("event({})", 100 + n));
        s.keys(rest);
        s.expect(&format!("\n{answer}\r"));
    }
    s.halt();
}

/// Ctrl-Z at a question stops the process, as it does at the prompt and while a goal runs.
#[test]
fn ctrl_z_at_a_choicepoint() {
    let home = Scratch::new();
    let mut outer = Session::start(&home.path(""), &["-q"]);
    // A shell with job control: the outer session's own process has nobody who could have it go on.
    let samite = env!("CARGO_BIN_EXE_samite");
    outer.enter(&format!(
        "shell(\"bash -c 'set -m; {samite} -q; echo sto\\\"\\\"pped; fg; true'\")."
    ));
    outer.expect_rows(&["?- "]);
    outer.keys("member(X, [one,two]).\r");
    outer.expect("X = one ");
    outer.keys("\x1a");
    outer.expect("\nstopped\r");
    outer.keys(";");
    outer.expect("X = two.");
    outer.sync();
    assert!(!outer.output().contains("Unknown action"));
    outer.enter("halt.");
    outer.expect("true.");
    // (Not that the terminal is as before: the shell between has its own idea of that.)
    outer.enter("halt.");
    assert_eq!(outer.end(), 0);
}

#[test]
fn other_threads_read() {
    for terminal in ["dumb", "xterm"] {
        let home = Scratch::new();
        let mut s = Session::start_on(terminal, &home.path(""), &["-q"]);
        s.enter(
            "thread_create(( catch(call_with_time_limit(0.1, read(_)), E, true), print(ended(E)), nl, read(X), print(got(X)), nl ), T), \
             thread_join(T).",
        );
        s.expect("ended(time_limit_exceeded)");
        s.keys("hello.\r");
        s.expect("got(hello)");
        s.expect("T = ");
        // While the main thread stands at the prompt, another waits for its turn.
        s.enter("thread_create(( catch(call_with_time_limit(0.1, read(_)), E, true), print(user_error, late(E)), nl(user_error) ), T).");
        s.expect("late(time_limit_exceeded)");
        s.enter("X = whole.");
        s.expect("X = whole.");
        s.halt();
    }
}

/// What is entered for `[user]` has lines of its own.
#[test]
fn lines_of_what_is_consulted_from_the_terminal() {
    let home = Scratch::new();
    let mut s = Session::start(&home.path(""), &["-q"]);
    s.enter("X = 1.");
    for n in 1..3 {
        s.enter("[user].");
        s.enter("p(1).");
        s.enter("p(X) :-");
        s.enter("    q.");
        s.expect(&format!("\nWarning: user://{n}:2:\r\n"));
        s.enter("p(,).");
        s.expect(&format!("\nERROR: user://{n}:4:2: Syntax error: "));
        s.wait("the prompt", |all, _| all.ends_with("|: "));
        s.keys("\x04");
        s.sync();
    }
    s.halt();
}

/// Libraries are there whether something has used them or not.
#[test]
fn a_library_is_a_module_to_be_in() {
    let home = Scratch::new();
    let mut s = Session::start(&home.path(""), &["-q"]);
    s.enter("module(pairs).");
    s.expect_rows(&["?- module(pairs).", "true."]);
    s.enter("module(no_library).");
    s.expect("Warning: no_library is not a current module (created)");
    s.sync();
    s.halt();
}

/// What left a choicepoint, and which goals wait.
#[test]
fn where_goals_stand() {
    let home = Scratch::new();
    let file = home.file(
        "program.pl",
        "p(1).\np(2).\nq(X) :- p(X), X > 0.\n:- dynamic d/1.\nd(1).\nd(2).\n\
         outer(X) :- inner(X), true.\ninner(X) :- write(run), nl, loop(X), true.\nloop(X) :- loop(X).\n\
         :- multifile user:message_hook/3.\n\
         user:message_hook(format(told, []), _, _) :- write(hook), nl, loop(told), true.\n",
    );
    let mut s = Session::start(&home.path(""), &[&file]);
    for (query, told) in [
        (
            "p(X)",
            format!("p/1 left a choicepoint: it goes on in the clause at {file}:2"),
        ),
        (
            "q(X)",
            format!("p/1 left a choicepoint: it goes on in the clause at {file}:2"),
        ),
        ("d(X)", "d/1 left a choicepoint".to_owned()),
        (
            "between(1, 2, X)",
            "between/3 left a choicepoint".to_owned(),
        ),
        (
            "member(X, [1, 2])",
            "lists:member_/3 left a choicepoint: it goes on in the clause at library(lists):"
                .to_owned(),
        ),
        (
            "( X = 1 ; X = 2 )",
            "A disjunction in the query, or in a goal that it calls, left a choicepoint".to_owned(),
        ),
    ] {
        s.enter(&format!("{query}."));
        s.wait("an answer", |all, _| all.ends_with("X = 1 "));
        s.keys("*");
        s.expect(&format!("\n% {told}"));
        s.wait("the answer again", |all, _| all.ends_with("X = 1 "));
        s.keys(";");
        s.expect("\nX = 2.");
    }
    s.enter("outer(started).");
    s.expect("\nrun");
    s.keys("\x03");
    s.expect("Action (h for help) ? ");
    s.keys("g");
    s.expect("? goals");
    // The goal itself may be the one that has just written.
    s.expect_rows(&[
        &format!("    inner/1 at {file}:8"),
        &format!("    outer/1 at {file}:7"),
    ]);
    s.keys("a");
    s.sync();
    // What the system keeps to itself is not shown in the middle of its work either.
    s.enter("print_message(error, format(told, [])).");
    s.expect("\nhook");
    s.keys("\x03");
    s.expect("Action (h for help) ? ");
    s.keys("g");
    s.expect_rows(&[&format!("    message_hook/3 at {file}:11")]);
    s.keys("a");
    s.sync();
    let shown = s.output();
    assert!(!shown.contains("'$"), "{shown}");
    s.halt();
}

#[test]
fn tab_completes() {
    let home = Scratch::new();
    for file in ["first_file.pl", "first_other.txt"] {
        home.file(file, "loaded(it).\n");
    }
    let mut s = Session::start(&home.path(""), &["-q"]);
    // Predicates of the system, of libraries, of the program; atoms; variables; within quotes, files.
    s.keys("atom_leng\t");
    s.expect("?- atom_length");
    s.keys("(abc, Long), max_mem\t");
    s.expect("max_member");
    s.keys("(M, [Lo\t");
    s.expect("[Long");
    s.keys("]).\r");
    s.expect("M = 3.");
    s.enter("assertz(nobody_else(tommy)), assertz(nobody_at_all).");
    s.expect("true.");
    s.keys("nobody\t");
    s.expect_rows(&["?- nobody_"]);
    s.keys("\t");
    s.expect_rows(&["nobody_at_all  nobody_else", "?- nobody_"]);
    s.keys("e\t");
    s.expect_rows(&["?- nobody_else"]);
    s.keys("(tom\t");
    s.expect_rows(&["?- nobody_else(tommy"]);
    s.keys(").\r");
    s.sync();
    s.keys("set_prolog_flag(double_q\t");
    s.expect("double_quotes");
    s.keys(&format!("\x15['{}/fir\t", home.path("")));
    s.expect("/first_");
    s.keys("\t");
    s.expect_rows(&["first_file.pl    first_other.txt"]);
    s.keys("f\t");
    s.expect("/first_file.pl");
    s.keys("'], loaded(X).\r");
    s.expect("X = it.");
    // Where there is no name a tab is one; in a paste that is not marked, also where none is clear.
    s.keys("X = \t");
    s.keys("tabbed.\r");
    s.expect("X = tabbed.");
    s.keys("X = nobody_\t.\r");
    s.expect("X = nobody_.");
    s.keys("X = atom_leng\t.\r");
    s.expect("X = atom_length.");
    s.halt();
}

/// An answer, an error and the prompt begin lines of their own, whatever was written before, and where.
#[test]
fn what_was_written_stands_on_its_own_line() {
    for terminal in ["dumb", "xterm"] {
        let home = Scratch::new();
        let mut s = Session::start_on(terminal, &home.path(""), &["-q"]);
        for (query, answer) in [
            ("write(one)", &["one", "true."]),
            ("write(two), fail", &["two", "false."]),
            ("write(three), throw(x)", &["three", "ERROR: "]),
            ("write(user_error, four)", &["four", "true."]),
            (
                "write(five), print_message(error, format(\"m\", []))",
                &["five", "ERROR: m"],
            ),
            (
                "write(user_error, six), format(\"~Nseven\")",
                &["six", "seven"],
            ),
            (
                "write(eight), read(user_input, X), write(nine)",
                &["nine", "X = read."],
            ),
        ] {
            // The system shows what is typed at once.
            s.wait("the prompt", |all, _| all.ends_with("?- "));
            s.enter(&format!("{query}."));
            if query.contains("read(") {
                s.expect_rows(&["eight|:"]);
                s.enter("read.");
            }
            let parts = format!("\n{}\r\n{}", answer[0], answer[1]);
            s.expect(&parts);
            s.sync();
        }
        s.halt();
    }
}

#[test]
fn the_prompt_is_the_programs_to_choose() {
    let home = Scratch::new();
    let mut s = Session::start(&home.path(""), &["-q"]);
    s.enter("set_prolog_flag(toplevel_prompt, '~m~l~! my> ').");
    s.expect_rows(&["my>"]);
    s.enter("break.");
    s.expect_rows(&["[1]  my>"]);
    s.enter("module(m).");
    s.expect_rows(&["m: [1]  my>"]);
    s.keys("\x04");
    s.expect_rows(&["m:  my>"]);
    s.halt();
}

/// Who asks at a terminal and has the answers elsewhere is asked by the toplevel's prompts, not by that of reading.
#[test]
fn prompts_of_a_session_whose_answers_go_elsewhere() {
    let home = Scratch::new();
    let mut s = Session::start(&home.path(""), &["-q"]);
    let samite = env!("CARGO_BIN_EXE_samite");
    s.enter(&format!("shell('{samite} -q -f none | cat')."));
    s.expect_rows(&["?-"]);
    s.enter("member(X, [one, two]).");
    s.expect("X = one ");
    s.enter(";");
    s.expect("X = two.");
    s.enter("atom_length(abcd,");
    s.expect("|    ");
    s.enter("L).");
    s.expect("L = 4.");
    s.enter("read(T).");
    s.expect("|: ");
    s.enter("term.");
    s.expect("T = term.");
    assert_eq!(s.output().matches("|:").count(), 1, "{}", s.output());
    s.enter("halt.");
    s.expect("true.");
    s.halt();
}

#[test]
fn output_of_others_appears_above_what_is_typed() {
    let home = Scratch::new();
    let mut s = Session::start(&home.path(""), &["-q"]);
    let go = home.path("go");
    s.enter(&format!(
        "thread_create((repeat, sleep(0.01), exists_file('{go}'), !, write(user_error, 'one\\ntw'), \
         write(user_error, o), nl(user_error), write(unended), flush_output), T)."
    ));
    s.expect("T = ");
    s.keys("X = [typ,\red");
    s.expect_rows(&["?- X = [typ,", "|    ed"]);
    std::fs::write(&go, "").unwrap();
    s.expect_rows(&["one", "two", "unended", "?- X = [typ,", "|    ed"]);
    s.enter("].");
    s.expect("X = [typ, ed].");
    s.halt();
}

/// A message of another thread appears at once, and the text that is edited is shown again once.
#[test]
fn a_message_of_another_thread_is_one_piece() {
    let home = Scratch::new();
    let mut s = Session::start(&home.path(""), &["-q"]);
    let go = home.path("go");
    let wait = format!("repeat, sleep(0.01), exists_file('{go}'), !");
    let cases = [
        (
            "print_message(error, format(\"one ~w~ntwo ~q\", [x, 'Y']))",
            "ERROR: [Thread ",
            "] one x\r\ntwo 'Y'\r\n",
        ),
        (
            "print_message_lines(user_error, '~NP: ', ['~w'-[one], nl, two, nl])",
            "P: ",
            "one\r\nP: two\r\n",
        ),
        ("fail", "Warning: [Thread ", " died due to failure\r\n"),
    ];
    for (n, (goal, message, end)) in cases.into_iter().enumerate() {
        // Another text each time: what was shown before is not taken for it.
        let typed = format!("X = typed{n}");
        s.enter(&format!(
            "thread_create(({wait}, {goal}), _, [detached(true)])."
        ));
        // (An answer like this one was there before.)
        s.sync();
        s.wait("the prompt", |all, _| all.ends_with("?- "));
        s.keys(&typed);
        s.wait("what was typed", |all, _| all.ends_with(&typed));
        let before = s.output().len();
        std::fs::write(&go, "").unwrap();
        s.wait("the text again", |all, _| {
            all[before..].contains(end) && all.ends_with(&typed)
        });
        let shown = s.output()[before..].to_owned();
        in_order(&shown, [message, end, &typed].map(str::to_owned));
        assert_eq!(shown.matches(&typed).count(), 1, "{shown:?}");
        std::fs::remove_file(&go).unwrap();
        s.enter(".");
        s.sync();
    }
    s.halt();
}

#[test]
fn a_terminal_that_cannot_move_its_cursor() {
    let home = Scratch::new();
    let mut s = Session::start_on("dumb", &home.path(""), &["-q"]);
    s.keys("X = lost,");
    // At the prompt Ctrl-C acts at once, and takes what was typed of this line only.
    s.keys("\x03");
    s.wait("a second prompt", |all, _| all.ends_with("\n?- "));
    s.enter("X = kept.");
    s.expect("\nX = kept.");
    s.enter("member(X, [a,b]). Y = c.");
    s.expect("X = a ");
    s.keys(";");
    s.expect("X = b.");
    s.expect("Y = c.");
    s.enter("X = [1, % one");
    s.enter("2].");
    s.expect("X = [1, 2].");
    // What is typed is seen, also behind an answer. The end of a file that is typed ends a line.
    s.wait("the prompt", |all, _| all.ends_with("?- "));
    for (keys, seen) in [
        ("[user].\r", "?- [user].\r\n|: "),
        ("typed(in).\r", "typed(in).\r\n|: "),
        ("\x04", "|: \r\ntrue.\r\n\r\n?- "),
        ("typed(\r", "?- typed(\r\n|    "),
        ("\x04", "|    \r\nERROR: Syntax error"),
    ] {
        s.keys(keys);
        s.expect(seen);
    }
    s.sync();
    assert!(!s.output().contains('\x1b'));
    s.halt();
}

#[test]
fn what_breaks_a_character_or_a_sequence_off_is_not_lost() {
    for terminal in ["xterm", "dumb"] {
        let home = Scratch::new();
        let mut s = Session::start_on(terminal, &home.path(""), &["-q"]);
        for (typed, codes) in [
            (&b"a\xc3mb"[..], "97, 65533, 109, 98"),
            (b"a\xe2\x82", "97, 65533"),
            (b"\xc3\xc3\xa9", "65533, 233"),
            (b"\xf0\x9f\x98\xc3", "65533, 65533"),
            (b"\xf0\x9f\x98\x80", "128512"),
            (b"\xe0\x80", "65533, 65533"),
            (b"\xffx\x80", "65533, 120, 65533"),
        ] {
            s.bytes(&[b"atom_codes('", typed, b"', L).\r"].concat());
            s.expect(&format!("L = [{codes}]."));
        }
        s.enter("member(X, [first, second]).");
        s.expect("X = first ");
        s.bytes(b"\xc3;");
        s.expect("X = second.");
        s.sync();
        s.halt();
    }
    let home = Scratch::new();
    let mut s = Session::start(&home.path(""), &["-q"]);
    for (n, begun) in ["\x1b[", "\x1b[1;", "\x1bO"].iter().enumerate() {
        s.keys(&format!("X = end({n}).{begun}\x01"));
        s.enter("Y = start, ");
        s.expect_rows(&["Y = start,", &format!("X = end({n}).")]);
        s.enter(&format!("X = entered({n}).{begun}"));
        s.expect(&format!("\nX = entered({n})."));
    }
    // Of keys with Alt each has a meaning of its own, or Escape has none.
    s.keys("X = escaped.\x1b\x01");
    s.enter("Y = begun, ");
    s.expect_rows(&["Y = begun,", "X = escaped."]);
    s.sync();
    s.halt();
}

#[test]
fn a_terminal_that_goes_away_ends_the_program() {
    let home = Scratch::new();
    let said = home.path("said");
    let goal = format!("at_halt((open('{said}', write, S), write(S, bye), close(S))).");
    for busy in [
        "",
        "repeat, fail.\r",
        "read(X).\r",
        "member(X, [1,2]).\r",
        "sleep(1000).\r",
    ] {
        let mut s = Session::start(&home.path(""), &["-q"]);
        s.enter(&goal);
        s.sync();
        s.keys(busy);
        s.signal(libc::SIGHUP);
        assert_eq!(s.end(), 129);
        assert!(s.is_as_before());
        assert_eq!(std::fs::read_to_string(&said).unwrap(), "bye");
        std::fs::remove_file(&said).unwrap();
    }
}

/// Also where nobody hears the signal: there is nothing to ask, and nobody to be told that; and where it comes at the same time as reading and writing fail, at
/// the prompt or within a line.
#[test]
fn a_window_that_is_closed_ends_the_program() {
    use std::io::{Read, Write};
    use std::os::fd::FromRawFd;
    use std::os::unix::process::CommandExt;
    let home = Scratch::new();
    let said = home.path("said");
    let goal = format!("at_halt((open('{said}', write, S), write(S, bye), close(S)))");
    for (heard, busy) in [
        (false, "sleep(0.3), member(X, [1,2]).\r"),
        (false, "sleep(0.3), X = 1.\r"),
        (true, ""),
        (true, "foo(X"),
        (true, ""),
        (true, "foo(X"),
    ] {
        let (mut master, mut slave) = (0, 0);
        let nothing = std::ptr::null_mut();
        // SAFETY: the call fills in the two numbers, which are nobody else's.
        let (mut master, slave) = unsafe {
            let opened = libc::openpty(
                &mut master,
                &mut slave,
                nothing,
                nothing.cast(),
                nothing.cast(),
            );
            assert_eq!(opened, 0);
            libc::fcntl(master, libc::F_SETFD, libc::FD_CLOEXEC);
            (
                std::fs::File::from_raw_fd(master),
                std::fs::File::from_raw_fd(slave),
            )
        };
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_samite"));
        command
            .args(["-q", "-g", &goal])
            .env("HOME", home.path(""))
            .env("TERM", "xterm");
        command.stdin(slave.try_clone().unwrap());
        command.stdout(slave.try_clone().unwrap()).stderr(slave);
        // SAFETY: calls of the system only.
        unsafe {
            command.pre_exec(move || {
                libc::setsid();
                libc::ioctl(0, libc::TIOCSCTTY, 0);
                if !heard {
                    libc::signal(libc::SIGHUP, libc::SIG_IGN);
                }
                Ok(())
            });
        }
        let mut child = command.spawn().expect("the command starts");
        drop(command);
        let (mut seen, mut room) = (String::new(), [0; 1024]);
        while !seen.contains("?- ") {
            let n = master.read(&mut room).expect("the terminal can be read");
            seen.push_str(&String::from_utf8_lossy(&room[..n]));
        }
        master.write_all(busy.as_bytes()).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(100));
        drop(master);
        let start = std::time::Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if start.elapsed() > common::LIMIT {
                let _ = child.kill();
                panic!("{busy}: the command does not end");
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        };
        assert_eq!(status.code(), Some(129), "{busy}");
        assert_eq!(std::fs::read_to_string(&said).unwrap(), "bye", "{busy}");
        std::fs::remove_file(&said).unwrap();
    }
}

#[test]
fn a_prompt_that_comes_again_has_a_line_of_its_own() {
    let home = Scratch::new();
    let mut s = Session::start_on("dumb", &home.path(""), &["-q"]);
    s.enter("thread_self(M), thread_create((sleep(0.1), thread_signal(M, true)), _, [detached(true)]), read(X).");
    s.wait("the second prompt", |all, _| all.ends_with("|: \r\n|: "));
    s.enter("a.");
    s.expect("X = a.");
    s.halt();
}

/// Signals that end a process end this one, with the terminal as it was; also while the main thread hears nothing.
#[test]
fn whatever_ends_the_program_gives_the_terminal_back() {
    let home = Scratch::new();
    for signal in [libc::SIGPROF, libc::SIGALRM, libc::SIGUSR1] {
        for (busy, begun) in [
            ("", "?- "),
            ("read(X).", "|: "),
            ("member(X, [1,2]).", "X = 1 "),
            ("write(now), nl, repeat, fail.", "now\r\n"),
        ] {
            let mut s = Session::start(&home.path(""), &["-q"]);
            s.enter(busy);
            s.wait(begun, |all, _| all.ends_with(begun));
            s.signal(signal);
            s.end();
            assert!(s.is_as_before(), "signal {signal}, {busy}");
        }
    }
}

/// Keys, pastes, resizes and signals at random; afterwards the session answers as ever, and leaves the terminal as it was.
#[test]
fn anything_at_any_moment() {
    for seed in 0..4 {
        let home = Scratch::new();
        let mut s = Session::start(&home.path(""), &["-q"]);
        let mut r = Random::new(seed);
        for _ in 0..150 {
            match r.below(10) {
                0..=3 => s.keys(r.one(&[
                    "X = 1.",
                    "member(X, [1,2,3]).",
                    "\r",
                    "\r\r",
                    "foo(",
                    "'a b",
                    "% c",
                    "/* d",
                    "0'",
                    "écrit 世界",
                    "read(X).",
                    "length(L, 5).",
                    "repeat, fail.\r",
                    "sleep(0.01).\r",
                    "write(",
                    "\"",
                    "[user].\r",
                ])),
                4..=5 => s.keys(r.one(&[
                    "\x1b[A",
                    "\x1b[B",
                    "\x1b[C",
                    "\x1b[D",
                    "\x1b[H",
                    "\x1b[F",
                    "\x1b[3~",
                    "\x1b[1;5D",
                    "\x1bb",
                    "\x1bd",
                    "\x7f",
                    "\x01",
                    "\x05",
                    "\x0b",
                    "\x15",
                    "\x17",
                    "\x19",
                    "\x14",
                    "\x1f",
                    "\x0c",
                    "\x12",
                    "\x16",
                    "\x1b",
                    "\x04x",
                    "\t",
                    "\x03",
                    ";",
                    "h",
                    "\x1b[",
                ])),
                6 => {
                    let text = "X = 5,\nY = 6. Z = 7.\n".repeat(r.below(4));
                    s.keys(&pasted(&text));
                }
                7 => s.resize(2 + r.below(100) as u16, 1 + r.below(40) as u16),
                8 => s.signal([libc::SIGINT, libc::SIGWINCH, libc::SIGCONT][r.below(3)]),
                _ => std::thread::sleep(std::time::Duration::from_millis(r.below(20) as u64)),
            }
        }
        s.resize(80, 24);
        // Out of whatever it is in: a quoted item of a query, a question, a goal, a file from the terminal.
        s.signal(libc::SIGCONT);
        let mut tries = 0;
        while !s.output().contains("mark(1000)") && !s.has_ended() {
            tries += 1;
            assert!(tries < 100, "seed {seed}: {:?}", s.output());
            s.keys("\x03");
            std::thread::sleep(std::time::Duration::from_millis(30));
            s.keys("a");
            std::thread::sleep(std::time::Duration::from_millis(30));
            s.keys("\x03\x15");
            s.keys(if tries % 2 == 0 { "\x04" } else { "" });
            std::thread::sleep(std::time::Duration::from_millis(30));
            s.enter("X_ is 999+1, write(mark(X_)), nl.");
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        if s.has_ended() {
            // By Ctrl-D, or `e` after Ctrl-C.
            assert!(matches!(s.end(), 0 | 4), "seed {seed}: {:?}", s.output());
            assert!(s.is_as_before());
        } else {
            s.sync();
            s.halt();
        }
    }
}
