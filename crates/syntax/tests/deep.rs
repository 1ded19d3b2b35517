//! Terms that are deep or long in every direction: read, written and laid out without native recursion.

mod common;

use common::{parse, with_part, written};
use samite_syntax::Operators;
use samite_syntax::read::{ReadError, ReadFlags, parse_text};
use samite_syntax::write::{WriteOptions, portray_clause};

const N: usize = if cfg!(miri) { 100 } else { 1_000_000 };

/// Reads a text, writes it, and compares.
fn round_trip(text: &str) {
    let ops = Operators::iso_swi();
    let read = parse(text, &ops);
    let options = WriteOptions {
        quoted: true,
        ..WriteOptions::default()
    };
    let out = with_part(&read, 0, |t| written(t, &ops, &options));
    assert!(out == text, "{} bytes became {}", text.len(), out.len());
    let mut clause = String::new();
    with_part(&read, 0, |t| portray_clause(&mut clause, t, &ops));
    assert!(clause.ends_with(".\n"));
}

fn repeat(open: &str, middle: &str, close: &str) -> String {
    [&open.repeat(N), middle, &close.repeat(N)].concat()
}

#[test]
fn nested_compounds() {
    round_trip(&repeat("f(", "a", ")"));
    round_trip(&repeat("f(a,", "b", ")"));
    round_trip(&repeat("f(", "b", ",a)"));
}

#[test]
fn nested_lists_and_braces() {
    round_trip(&repeat("[", "a", "]"));
    round_trip(&repeat("{", "a", "}"));
}

#[test]
fn long_lists() {
    round_trip(&format!("[{}a]", "a,".repeat(N)));
    round_trip(&format!("[{}a|b]", "12,".repeat(N)));
}

#[test]
fn long_operator_chains() {
    round_trip(&format!("{}1", "1+".repeat(N)));
    round_trip(&format!("{}1", "1^".repeat(N)));
    round_trip(&format!("{}a", "a,".repeat(N)));
    round_trip(&format!("{}a", "a;".repeat(N)));
    round_trip(&format!("{}a", "a->".repeat(N)));
    round_trip(&format!("{}a", "- ".repeat(N).trim_end()));
}

#[test]
fn nested_parentheses() {
    let ops = Operators::iso_swi();
    let read = parse(&repeat("(", "a", ")"), &ops);
    let out = with_part(&read, 0, |t| written(t, &ops, &WriteOptions::default()));
    assert_eq!(out, "a");
}

#[test]
fn unfinished_nesting_is_an_error() {
    let ops = Operators::iso_swi();
    for open in ["f(", "[", "{", "(", "f(a,", "[a|", "a:-(", "- ("] {
        let text = open.repeat(N / 10);
        let result = parse_text(&text, &ops, &ReadFlags::default());
        assert!(matches!(result, Err(ReadError::Syntax(_))), "{open}");
    }
}

#[test]
fn wide_terms() {
    let args: Vec<String> = (0..N / 10).map(|i| format!("_{i}")).collect();
    let ops = Operators::iso_swi();
    let read = parse(&format!("f({})", args.join(",")), &ops);
    with_part(&read, 0, |t| match t.view() {
        samite_term::View::Compound(c) => assert_eq!(c.arity(), N / 10),
        _ => panic!("a compound"),
    });
}

#[test]
fn long_tokens() {
    let name = "a".repeat(N);
    round_trip(&name);
    round_trip(&format!("\"{name}\""));
    round_trip(&format!("{}1", "7".repeat(N / 100)));
}
