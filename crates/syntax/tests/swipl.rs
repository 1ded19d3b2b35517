//! Differential test: random terms written by SWI-Prolog 9.0 and by us. Skipped, with a note, where that is not installed.

mod common;

use common::{operators, read, with_part, written};
use samite_syntax::write::WriteOptions;
use samite_syntax::{OpType, Operators};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

const TERMS: usize = 3000;

/// Reads clauses from standard input; writes each in five ways, separated by a character that occurs nowhere else. (What stands on the right of a dot
/// SWI-Prolog does not always write so that it can be read.)
const PROGRAM: &str = r"
:- op(0, yfx, '.').
:- op(200, xf, ##). :- op(300, yf, post). :- op(700, fx, pre). :- op(150, fx, #). :- op(100, fy, @@).
:- op(200, xfy, 'my op'). :- op(200, xfy, 'Inf').
run :- read(T), ( T == end_of_file -> true ; show(T), run ).
show(T) :- writeq(T), put_char('\x1\'), print(T), put_char('\x1\'), write_canonical(T), put_char('\x1\'),
    write(T), put_char('\x1\'), write_term(T, [quoted(true), max_depth(4), spacing(next_argument)]),
    put_char('\x1\'), nl.
:- initialization((set_stream(user_input, encoding(utf8)), set_stream(user_output, encoding(utf8)), run, halt)).
";

fn test_operators() -> Operators {
    operators(&[
        (0, OpType::Yfx, "."),
        (200, OpType::Xf, "##"),
        (300, OpType::Yf, "post"),
        (700, OpType::Fx, "pre"),
        (150, OpType::Fx, "#"),
        (100, OpType::Fy, "@@"),
        (200, OpType::Xfy, "my op"),
        (200, OpType::Xfy, "Inf"),
    ])
}

const ATOMS: &[&str] = &[
    "a",
    "b",
    "'-'",
    "'+'",
    "'*'",
    "'='",
    "':-'",
    "'\\\\+'",
    "dynamic",
    "[]",
    "'[]'",
    "{}",
    "'hello w'",
    "'A'",
    "'|'",
    "','",
    "';'",
    "'!'",
    "'->'",
    "'**'",
    "is",
    "mod",
    "pre",
    "post",
    "'##'",
    "'#'",
    "'@@'",
    "'my op'",
    "'$'",
    "'\\\\'",
    "'a.b'",
    "''",
    "'-->'",
    "table",
    "'.+'",
    "'it''s'",
    "'\\n'",
    "1",
    "-1",
    "0",
    "2.5",
    "-2.5",
    "1r3",
    "-1r3",
    "1.0Inf",
    "-1.0Inf",
    "123456789012345678901234567890",
    "1.0e30",
    "1.0e-10",
    "\"s\\\"q\"",
    "'$VAR'(1)",
    "'$VAR'(x)",
    "'$VAR'(30)",
];
const UNARY: &[&str] = &[
    "'-'", "'+'", "'\\\\+'", "':-'", "dynamic", "pre", "'#'", "'@@'", "'$'", "'\\\\'", "post",
    "'##'", "'{}'", "f",
];
const BINARY: &[&str] = &[
    "'-'", "'+'", "'*'", "'='", "':-'", "'->'", "';'", "','", "'|'", "'^'", "'**'", "is", "mod",
    "'my op'", "'-->'", "':'", "'Inf'", "'=..'", "'>'", "'[|]'", "f",
];

/// A small random number generator (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
    /// A term in functional notation.
    fn term(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 1 } else { 4 }) {
            0 => self.pick(ATOMS).to_owned(),
            1 => format!("{}({})", self.pick(UNARY), self.term(depth - 1)),
            _ => format!(
                "{}({},{})",
                self.pick(BINARY),
                self.term(depth - 1),
                self.term(depth - 1)
            ),
        }
    }
}

#[test]
fn random_terms_are_written_as_swi_does() {
    let mut random = Random(1);
    let mut text = String::new();
    for _ in 0..TERMS {
        let depth = random.below(6);
        writeln!(text, "{} .", random.term(depth)).expect("a string");
    }
    let Some(output) = swipl(&text) else {
        eprintln!("skipped: SWI-Prolog 9.0 is not installed");
        return;
    };
    let ops = test_operators();
    let base = WriteOptions {
        quoted: true,
        ..WriteOptions::default()
    };
    let ways = [
        WriteOptions {
            numbervars: true,
            character_escapes_unicode: false,
            ..base
        },
        WriteOptions {
            numbervars: true,
            ..base
        },
        WriteOptions {
            ignore_ops: true,
            brace_terms: false,
            character_escapes_unicode: false,
            ..base
        },
        WriteOptions {
            quoted: false,
            numbervars: true,
            ..base
        },
        WriteOptions {
            max_depth: 4,
            spacing_next_argument: true,
            ..base
        },
    ];
    let mut expected = output.split('\u{1}');
    for line in text.lines() {
        let read = read(line, &ops).unwrap_or_else(|e| panic!("{line}: {e:?}"));
        for way in &ways {
            let got = with_part(&read, 0, |t| written(t, &ops, way));
            let theirs = expected
                .next()
                .expect("as many terms")
                .trim_start_matches('\n');
            assert_eq!(got.trim_start_matches('\n'), theirs, "{line}");
        }
    }
}

/// The output of [`PROGRAM`] on `input`; `None` without swipl of the version that is the reference.
fn swipl(input: &str) -> Option<String> {
    let version = Command::new("swipl").arg("--version").output().ok()?;
    if !String::from_utf8_lossy(&version.stdout).contains(" 9.0.") {
        return None;
    }
    let directory = std::env::temp_dir().join(format!("samite-syntax-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a temporary directory");
    let program = directory.join("write.pl");
    std::fs::write(&program, PROGRAM).expect("a file");
    let child = Command::new("swipl")
        .arg(&program)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let output = child.ok().map(|mut child| {
        let mut stdin = child.stdin.take().expect("a pipe");
        let input = input.to_owned();
        let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
        let output = child.wait_with_output().expect("output");
        writer.join().expect("no panic").expect("all written");
        String::from_utf8(output.stdout).expect("UTF-8")
    });
    std::fs::remove_dir_all(&directory).expect("our directory");
    output
}
