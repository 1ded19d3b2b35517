//! The builtin predicates, by topic.
//!
//! A topic file has one `TABLE` of [`Entry`]s; [`install`] makes system predicates of them. A deterministic builtin is a function
//! from machine and arguments to true, false or an exception. It may allocate but never collects, so cells and
//! views stay valid while it runs. One that is pure and quick is marked `Pure`: the compiler then calls it in place, without
//! building a frame. A nondeterministic builtin gets back the state it returned with its last solution.
//! What needs to run goals is written in Prolog (`library/boot.pl` of the `samite` crate) or is a control predicate.

pub mod chario;
pub mod chars;
pub mod clauses;
pub mod console;
pub mod core;
pub mod files;
pub mod flags;
pub mod formats;
pub mod globals;
pub mod lists;
pub mod mutexes;
pub mod program;
pub mod properties;
pub mod queues;
pub mod statistics;
pub mod streams;
pub mod strings;
pub mod termio;
pub mod terms;
pub mod text;
pub mod threads;

use crate::control::CONTROLS;
use crate::run::{Builtin, Nondet};
use samite_code::instr::{Op, word};
use samite_code::predicate::flag;
use samite_code::{Predicate, Program};
use samite_term::{Atom, Functor, atoms};
use std::sync::atomic::Ordering;

/// A builtin: name, arity, function.
pub enum Entry {
    /// Deterministic, with side effects or costly: called through a frame, a safe point.
    Det(&'static str, usize, Builtin),
    /// Deterministic, pure and quick: called in place.
    Pure(&'static str, usize, Builtin),
    Nondet(&'static str, usize, Nondet),
}

/// All topics.
const TOPICS: &[&[Entry]] = &[
    core::TABLE,
    clauses::TABLE,
    program::TABLE,
    flags::TABLE,
    statistics::TABLE,
    threads::TABLE,
    queues::TABLE,
    mutexes::TABLE,
    terms::TABLE,
    text::TABLE,
    streams::TABLE,
    chario::TABLE,
    termio::TABLE,
    formats::TABLE,
    properties::TABLE,
    files::TABLE,
    console::TABLE,
    globals::TABLE,
    lists::TABLE,
    strings::TABLE,
    chars::TABLE,
];

/// Meta-arguments of builtins: goals (digits: arguments added) and other module-sensitive ones (`:`).
const META: &[(&str, &str)] = &[
    ("assertz", ":"),
    ("asserta", ":"),
    ("assert", ":"),
    ("retract", ":"),
    ("retractall", ":"),
    ("clause", ":?"),
    ("abolish", ":"),
    ("thread_create", "0?"),
    ("thread_create", "0??"),
    ("thread_signal", "?0"),
    ("$has_clauses", ":"),
];

/// Makes the system predicates of a new program.
pub fn install(program: &Program) {
    for (number, &(name, arity, _, meta)) in CONTROLS.iter().enumerate() {
        let p = define(program, name, arity);
        p.set_flag(flag::CONTROL);
        let _ = p.meta.set(meta.as_bytes().to_vec());
        set_code(p, &[word(Op::Control, number as u16, 0, 0), address(p)]);
    }
    for entry in TOPICS.iter().flat_map(|t| t.iter()) {
        match *entry {
            Entry::Det(name, arity, f) => deterministic(program, name, arity, f, 0),
            Entry::Pure(name, arity, f) => deterministic(program, name, arity, f, flag::INLINE),
            Entry::Nondet(name, arity, f) => {
                let p = define(program, name, arity);
                p.function.store(f as usize, Ordering::Relaxed);
                let n = arity as u16;
                set_code(
                    p,
                    &[
                        word(Op::Nondet, n, 0, 0),
                        address(p),
                        word(Op::NondetNext, n, 0, 0),
                        address(p),
                    ],
                );
            }
        }
    }
    for &(name, spec) in META {
        let p = program.predicate(atoms::SYSTEM, Functor::new(Atom::new(name), spec.len()));
        let _ = p.meta.set(spec.as_bytes().to_vec());
    }
    // What the compiler expands is there as a predicate too.
    for (name, arity) in [("true", 0), ("fail", 0), ("false", 0), ("!", 0)] {
        define(program, name, arity);
    }
}

/// Protects everything in module `system`: users cannot change or redefine it.
pub fn seal_system(program: &Program) {
    for p in program.predicates() {
        if p.module == atoms::SYSTEM && p.is_defined() {
            p.set_flag(flag::SYSTEM);
        }
    }
}

fn deterministic(program: &Program, name: &str, arity: usize, f: Builtin, flags: u32) {
    let p = define(program, name, arity);
    p.set_flag(flags);
    p.function.store(f as usize, Ordering::Relaxed);
    set_code(p, &[word(Op::Builtin, arity as u16, 0, 0), address(p)]);
}

fn address(p: &'static Predicate) -> u64 {
    std::ptr::from_ref(p) as u64
}

fn define(program: &Program, name: &str, arity: usize) -> &'static Predicate {
    let atom = if name == "[]" {
        atoms::NIL
    } else {
        Atom::new(name)
    };
    let p = program.predicate(atoms::SYSTEM, Functor::new(atom, arity));
    p.set_flag(flag::SYSTEM | flag::BUILTIN | flag::DEFINED);
    p
}

fn set_code(p: &'static Predicate, code: &[u64]) {
    p.set_entry(Box::leak(code.to_vec().into_boxed_slice()).as_ptr());
}
