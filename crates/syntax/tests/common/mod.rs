//! Helpers of the tests: a record as a term that can be written, and reading with panics on errors.

#![allow(dead_code)]

use samite_syntax::read::{ReadError, ReadFlags, ReadTerm, StrSource, parse_text, read_term};
use samite_syntax::write::{WriteOptions, canonical_names, write_term};
use samite_syntax::{OpType, Operators};
use samite_term::{Atom, Record, TermRef, View};

/// Calls `f` with the term of a record.
pub fn with_term<R>(record: &Record, f: impl FnOnce(TermRef) -> R) -> R {
    let mut heap = vec![0u64; record.heap_words()];
    let root = record.instantiate(&mut heap);
    // SAFETY: the heap holds the term and lives, unchanged, until `f` has returned.
    let result = f(unsafe { TermRef::new(root) });
    drop(heap);
    result
}

/// Calls `f` with argument `i` of the `'$read'/5` term.
pub fn with_part<R>(read: &ReadTerm, i: usize, f: impl FnOnce(TermRef) -> R) -> R {
    with_term(&read.record, |t| match t.view() {
        View::Compound(c) => f(c.arg(i)),
        _ => panic!("not a '$read'/5 term"),
    })
}

/// A table with these operators added to the default ones.
pub fn operators(extra: &[(u16, OpType, &str)]) -> Operators {
    let mut ops = Operators::iso_swi();
    for &(priority, ty, name) in extra {
        ops.add(priority, ty, Atom::of(name));
    }
    ops
}

/// As `write_canonical/1`.
pub fn canonical(term: TermRef, ops: &Operators) -> String {
    let names = canonical_names(term);
    let name = |id: u64| names.get(id);
    let options = WriteOptions {
        quoted: true,
        ignore_ops: true,
        brace_terms: false,
        character_escapes_unicode: false,
        var_name: Some(&name),
        ..WriteOptions::default()
    };
    let mut out = String::new();
    write_term(&mut out, term, ops, &options);
    out
}

/// The text of a term with some options.
pub fn written(term: TermRef, ops: &Operators, options: &WriteOptions) -> String {
    let mut out = String::new();
    write_term(&mut out, term, ops, options);
    out
}

/// Reads one clause.
pub fn read(text: &str, ops: &Operators) -> Result<ReadTerm, ReadError> {
    read_term(&mut StrSource::new(text), ops, &ReadFlags::default())
}

/// Reads a term without end token.
pub fn parse(text: &str, ops: &Operators) -> ReadTerm {
    match parse_text(text, ops, &ReadFlags::default()) {
        Ok(read) => read,
        Err(e) => panic!("{text}: {e:?}"),
    }
}

/// What a clause reads as: in canonical form, or `error name`.
pub fn outcome(result: Result<ReadTerm, ReadError>, ops: &Operators) -> String {
    match result {
        Ok(read) => with_part(&read, 0, |t| canonical(t, ops)),
        Err(ReadError::Syntax(e)) => match e.argument {
            Some(a) => format!("error {}({a})", e.message),
            None => format!("error {}", e.message),
        },
        Err(e) => panic!("{e:?}"),
    }
}

/// Canonical form of a text without end token.
pub fn meaning(text: &str, ops: &Operators) -> String {
    outcome(parse_text(text, ops, &ReadFlags::default()), ops)
}
