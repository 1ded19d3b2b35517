//! The writer: layouts recorded from SWI-Prolog, options, quoting, clause layout.

mod common;

use common::{operators, parse, read, with_part, with_term, written};
use samite_syntax::write::{WriteOptions, portray_clause};
use samite_syntax::{OpType, Operators};
use samite_term::{Atom, Cell, Functor, RecordBuilder, TermRef};

/// The operators of `data/writes.tsv`.
fn test_operators() -> Operators {
    operators(&[
        (200, OpType::Xf, "##"),
        (300, OpType::Yf, "post"),
        (700, OpType::Fx, "pre"),
        (150, OpType::Fx, "#"),
        (9, OpType::Fx, "~"),
        (100, OpType::Fy, "@@"),
        (200, OpType::Xfy, "my op"),
        (200, OpType::Xfy, "Inf"),
        (200, OpType::Fy, "é"),
        (700, OpType::Xfx, "==="),
    ])
}

#[test]
fn terms_look_as_swi_writes_them() {
    let ops = test_operators();
    let base = WriteOptions {
        character_escapes_unicode: false,
        ..WriteOptions::default()
    };
    let options = [
        WriteOptions {
            quoted: true,
            numbervars: true,
            ..base
        },
        WriteOptions {
            quoted: true,
            spacing_next_argument: true,
            character_escapes_unicode: true,
            ..base
        },
        WriteOptions {
            quoted: true,
            ignore_ops: true,
            character_escapes_unicode: true,
            ..base
        },
        WriteOptions {
            numbervars: true,
            ..base
        },
    ];
    let mut failures = Vec::new();
    for line in include_str!("data/writes.tsv").lines().skip(2) {
        let mut columns = line.split('\t');
        let text = columns.next().expect("a clause");
        let read = read(text, &ops).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        for (options, expected) in options.iter().zip(columns) {
            let got = with_part(&read, 0, |t| written(t, &ops, options));
            if got != expected {
                failures.push(format!("{text}\n  expected {expected}\n  got      {got}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn clauses_look_as_swi_lays_them_out() {
    let ops = Operators::iso_swi();
    let mut failures = Vec::new();
    let text = include_str!("data/portray.txt");
    let cases = text.split_once('\n').expect("a header").1;
    for case in cases.split("%%\n").filter(|c| !c.is_empty()) {
        let (clause, expected) = case.split_once('\n').expect("a layout");
        let read = read(clause, &ops).unwrap_or_else(|e| panic!("{clause}: {e:?}"));
        let mut got = String::new();
        with_part(&read, 0, |t| portray_clause(&mut got, t, &ops));
        if got != expected {
            failures.push(format!("{clause}\nexpected\n{expected}got\n{got}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn shown(text: &str, options: &WriteOptions) -> String {
    let ops = Operators::iso_swi();
    with_part(&parse(text, &ops), 0, |t| written(t, &ops, options))
}

const QUOTED: WriteOptions = WriteOptions {
    quoted: true,
    ignore_ops: false,
    quote_non_ascii: false,
    numbervars: false,
    max_depth: 0,
    priority: 1200,
    spacing_next_argument: false,
    dotlists: false,
    brace_terms: true,
    no_lists: false,
    partial: false,
    character_escapes: true,
    character_escapes_unicode: true,
    highest: char::MAX,
    var_name: None,
    var_base: 0,
    limit: usize::MAX,
};

#[test]
fn max_depth_elides() {
    for (text, depth, expected) in [
        ("[1,2,3,4]", 1, "[...|...]"),
        ("[1,2,3,4]", 3, "[1,2|...]"),
        ("[1,2,3]", 4, "[1,2,3]"),
        ("[a,b|c]", 3, "[a,b|...]"),
        ("[a,b|c]", 4, "[a,b|c]"),
        ("f(f(f(f(a))))", 2, "f(f(...))"),
        ("f(1,2)", 1, "f(...,...)"),
        ("1+2+3+4", 2, "... + ... + 4"),
        ("(a:-b,c,d)", 1, "... :- ..."),
        ("(a:-b,c,d)", 2, "a:- ...,..."),
        ("- - - a", 2, "- - ..."),
        ("{{a}}", 1, "{...}"),
        ("\"a long string\"", 1, "\"a long string\""),
    ] {
        let options = WriteOptions {
            max_depth: depth,
            ..QUOTED
        };
        assert_eq!(shown(text, &options), expected, "{text} {depth}");
    }
}

#[test]
fn priority_puts_parentheses() {
    for (text, priority, expected) in [
        ("a:-b", 999, "(a:-b)"),
        ("a=b", 699, "(a=b)"),
        ("a=b", 700, "a=b"),
        ("- 1", 0, "(- 1)"),
        ("-", 0, "-"),
        ("- a", 200, "-a"),
        ("f(x)", 0, "f(x)"),
    ] {
        let options = WriteOptions { priority, ..QUOTED };
        assert_eq!(shown(text, &options), expected, "{text} {priority}");
    }
}

#[test]
fn list_and_brace_options() {
    let dotlists = WriteOptions {
        dotlists: true,
        ..QUOTED
    };
    let no_lists = WriteOptions {
        no_lists: true,
        ..QUOTED
    };
    let no_braces = WriteOptions {
        brace_terms: false,
        ..QUOTED
    };
    assert_eq!(shown("[a,b|c]", &dotlists), ".(a,.(b,c))");
    assert_eq!(shown("[a,b]", &no_lists), "'[|]'(a,'[|]'(b,[]))");
    assert_eq!(shown("{a,b}", &no_braces), "{}((a,b))");
}

#[test]
fn escapes_of_quoted_items() {
    let text = "f('\\a\\b\\f\\n\\r\\t\\v\\e\\s\\0\\\\x7f\\\\xa0\\\\U000E0001\\\\\\'\"`',\"'\\\"\")";
    assert_eq!(
        shown(text, &QUOTED),
        "f('\\a\\b\\f\\n\\r\\t\\v\\u001B \\u0000\\u007F\\u00A0\\U000E0001\\\\\\'\"`',\"'\\\"\")"
    );
    let hex = WriteOptions {
        character_escapes_unicode: false,
        ..QUOTED
    };
    assert_eq!(shown("'\\e\\0\\a'", &hex), "'\\x1B\\\\x0\\a'");
    let raw = WriteOptions {
        character_escapes: false,
        ..QUOTED
    };
    assert_eq!(shown("'a\\nb\\\\'", &raw), "'a\nb\\\\'");
}

#[test]
fn variables_have_names_or_numbers() {
    let ops = Operators::iso_swi();
    let read = parse("f(X, Y, X)", &ops);
    with_part(&read, 0, |t| {
        let samite_term::View::Compound(c) = t.view() else {
            panic!("a compound");
        };
        let samite_term::View::Var(x) = c.arg(0).view() else {
            panic!("a variable");
        };
        let base = WriteOptions {
            var_base: x,
            ..WriteOptions::default()
        };
        let text = written(t, &ops, &base);
        assert!(
            text.starts_with("f(_0,_") && text.ends_with(",_0)"),
            "{text}"
        );
        let name = |id: u64| (id == x).then(|| "Xs".to_owned());
        let named = WriteOptions {
            var_name: Some(&name),
            ..base
        };
        let text = written(t, &ops, &named);
        assert!(
            text.starts_with("f(Xs,_") && text.ends_with(",Xs)"),
            "{text}"
        );
        assert!(!written(t, &ops, &WriteOptions::default()).contains("Xs"));
    });
}

#[test]
fn partial_output_is_separated() {
    let ops = Operators::iso_swi();
    let read = parse("- a", &ops);
    for (partial, expected) in [(true, "+ -a"), (false, "+-a")] {
        let options = WriteOptions { partial, ..QUOTED };
        let mut out = "+".to_owned();
        with_part(&read, 0, |t| {
            samite_syntax::write::write_term(&mut out, t, &ops, &options);
        });
        assert_eq!(out, expected);
    }
}

#[test]
fn a_quoted_prefix_operator_is_written_as_a_compound() {
    let ops = operators(&[(200, OpType::Fy, "my pre")]);
    let read = parse("'my pre'(a)", &ops);
    with_part(&read, 0, |t| {
        assert_eq!(written(t, &ops, &QUOTED), "'my pre'(a)");
        assert_eq!(written(t, &ops, &WriteOptions::default()), "my pre a");
    });
}

#[test]
fn blobs_and_zero_arity() {
    let ops = Operators::iso_swi();
    let mut b = RecordBuilder::new();
    let blob = Cell::blob(Atom::new("<stream>(0x1)"));
    let empty = b.structure(Functor::new(Atom::new("f g"), 0), &[]);
    let root = b.structure(Functor::new(Atom::new("s"), 2), &[blob, empty]);
    let record = b.finish(root);
    let show = |t: TermRef| written(t, &ops, &QUOTED);
    assert_eq!(with_term(&record, show), "s(<stream>(0x1),'f g'())");
}
