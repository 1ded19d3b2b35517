//! The builtin predicates, by topic.
//!
//! A topic file has one `TABLE` of [`Entry`]s, and a line in `TOPICS`; [`install`] makes system predicates of them. Topics are private modules, but for those that hosts
//! use: so the compiler warns of a table that is not in `TOPICS`. A deterministic builtin is a function
//! from machine and arguments to true, false or an exception. It may allocate but never collects, so cells and
//! views stay valid while it runs. One that is pure and quick is marked `pure`: the compiler then calls it in place, without
//! building a frame; it neither waits nor is called again. A nondeterministic builtin gets back the state it returned with its last solution.
//! What needs to run goals is written in Prolog (`library/boot/boot.pl` of the `samite` crate) or is a control predicate.

mod args;
mod attributes;
mod bags;
mod chario;
mod chars;
mod clause_refs;
mod clause_walks;
mod clauses;
pub mod completion;
pub mod console;
mod core;
mod cyclic;
mod datagrams;
mod dates;
mod deadlines;
mod determinism;
mod dicts;
mod digests;
mod edinburgh;
pub mod engines;
mod expansion;
mod fast;
mod faults;
mod files;
mod flag_keys;
pub mod flags;
mod formats;
mod globals;
mod graph;
mod hashes;
mod image;
mod imports;
mod kinds;
pub(crate) mod known_flags;
mod left_loads;
pub mod libraries;
mod limits;
mod listening;
mod lists;
mod lives;
mod load_claims;
mod memory_files;
mod module_flags;
mod modules;
mod mutexes;
mod names;
mod numbering;
mod operators;
mod options;
mod processes;
mod program;
mod properties;
mod quasi;
mod queues;
mod recalled;
mod records;
mod redefined;
mod reloading;
mod secure_hashes;
mod shadowing;
mod shell;
mod signals;
pub(crate) mod similar;
mod sockets;
mod sorting;
mod sources;
mod standing;
mod statistics;
mod streams;
mod strings;
mod suspicious;
mod tabling;
mod termio;
mod terms;
mod text;
mod thread_create;
mod thread_settings;
pub mod threads;
mod timers;
mod transactions;
mod tries;
mod tty;
mod unloading;
pub(crate) mod unnamed;
mod uris;
mod waitable;
pub mod watches;
mod wildcards;
mod wrapping;

use crate::engine::control::CONTROLS;
use crate::engine::ctx::{Builtin, Nondet};
use crate::engine::services::{self, Services};
use samite_code::instr::{Op, word};
use samite_code::predicate::flag;
use samite_code::{Predicate, Program};
use samite_term::{Atom, Functor, atoms};

/// All that is known of a builtin: a row of its topic's table.
pub struct Entry {
    name: &'static str,
    arity: usize,
    function: Function,
    /// Its meta-arguments: goals (digits: arguments added) and other module-sensitive ones (`:`); none: `""`.
    meta: &'static str,
    /// Flags of the predicate.
    flags: u32,
}

/// How a builtin is called.
#[derive(Clone, Copy)]
enum Function {
    Det(Builtin),
    Pure(Builtin),
    Nondet(Nondet),
}

/// Deterministic, with side effects or costly: called through a frame, a safe point.
const fn det(name: &'static str, arity: usize, f: Builtin) -> Entry {
    Entry::new(name, arity, Function::Det(f), 0)
}
/// Deterministic, pure and quick: called in place.
const fn pure(name: &'static str, arity: usize, f: Builtin) -> Entry {
    Entry::new(name, arity, Function::Pure(f), flag::INLINE)
}
/// The same, but that it may leave a goal behind ([`Throw::Rest`](crate::error::Throw)).
const fn pure_or_goal(name: &'static str, arity: usize, f: Builtin) -> Entry {
    pure(name, arity, f).flagged(flag::LEAVES_GOAL)
}
const fn nondet(name: &'static str, arity: usize, f: Nondet) -> Entry {
    Entry::new(name, arity, Function::Nondet(f), 0)
}

impl Entry {
    const fn new(name: &'static str, arity: usize, function: Function, flags: u32) -> Entry {
        Entry {
            name,
            arity,
            function,
            meta: "",
            flags,
        }
    }
    const fn flagged(mut self, flag: u32) -> Entry {
        self.flags |= flag;
        self
    }
    /// Its meta-arguments.
    const fn meta(mut self, spec: &'static str) -> Entry {
        assert!(
            spec.len() == self.arity,
            "a character for each argument is needed"
        );
        let mut i = 0;
        while i < spec.len() {
            assert!(
                matches!(
                    spec.as_bytes()[i],
                    b'0'..=b'9' | b':' | b'^' | b'/' | b'?' | b'+' | b'-' | b'*'
                ),
                "a digit, `:`, `^`, `/` or a mode is needed"
            );
            i += 1;
        }
        self.meta = spec;
        self
    }
    /// Programs cannot define one of this name: [`flag::CORE`].
    const fn core(self) -> Entry {
        self.flagged(flag::CORE)
    }
    /// One that is called through a frame: only then are its arguments where a second call finds them.
    const fn through_frame(self) -> Entry {
        assert!(
            self.flags & flag::INLINE == 0,
            "what is called in place cannot be called again"
        );
        self
    }
    /// It has no other effect than a unification at its end: one that was refused memory can be called again.
    const fn makes_terms(self) -> Entry {
        self.through_frame().flagged(flag::MAKES_TERMS)
    }
    /// It adds to what threads have in common, and is refused memory before it has changed anything.
    const fn refuses_first(self) -> Entry {
        self.through_frame().flagged(flag::REFUSES_FIRST)
    }
    /// It may lower the memory limit: what is in use is known after a collection.
    const fn lowers_limit(self) -> Entry {
        self.through_frame().flagged(flag::LOWERS_LIMIT)
    }
    fn install(&self, program: &Program) {
        let p = define(program, self.name, self.arity);
        let n = self.arity as u16;
        let (function, code) = match self.function {
            Function::Det(f) | Function::Pure(f) => {
                (f as usize, code(&[word(Op::Builtin, n, 0, 0), address(p)]))
            }
            Function::Nondet(f) => {
                let (first, again) = (word(Op::Nondet, n, 0, 0), word(Op::NondetNext, n, 0, 0));
                (f as usize, code(&[first, address(p), again, address(p)]))
            }
        };
        p.be_builtin(self.flags, self.meta, function, code);
    }
}

/// All topics.
const TOPICS: &[&[Entry]] = &[
    core::TABLE,
    attributes::TABLE,
    clause_walks::TABLE,
    clauses::TABLE,
    clause_refs::TABLE,
    processes::TABLE,
    program::TABLE,
    modules::TABLE,
    numbering::TABLE,
    operators::TABLE,
    suspicious::TABLE,
    flags::TABLE,
    standing::TABLE,
    determinism::TABLE,
    statistics::TABLE,
    engines::TABLE,
    thread_create::TABLE,
    threads::TABLE,
    timers::TABLE,
    quasi::TABLE,
    queues::TABLE,
    bags::TABLE,
    mutexes::TABLE,
    flag_keys::TABLE,
    records::TABLE,
    tries::TABLE,
    memory_files::TABLE,
    reloading::TABLE,
    secure_hashes::TABLE,
    load_claims::TABLE,
    terms::TABLE,
    cyclic::TABLE,
    datagrams::TABLE,
    dates::TABLE,
    hashes::TABLE,
    image::TABLE,
    text::TABLE,
    streams::TABLE,
    edinburgh::TABLE,
    chario::TABLE,
    options::TABLE,
    termio::TABLE,
    formats::TABLE,
    properties::TABLE,
    files::TABLE,
    signals::TABLE,
    thread_settings::TABLE,
    watches::TABLE,
    wildcards::TABLE,
    wrapping::TABLE,
    expansion::TABLE,
    imports::TABLE,
    libraries::TABLE,
    recalled::TABLE,
    shell::TABLE,
    sockets::TABLE,
    similar::TABLE,
    sources::TABLE,
    console::TABLE,
    globals::TABLE,
    waitable::TABLE,
    kinds::TABLE,
    transactions::TABLE,
    tty::TABLE,
    names::TABLE,
    tabling::TABLE,
    graph::TABLE,
    limits::TABLE,
    listening::TABLE,
    lists::TABLE,
    dicts::TABLE,
    sorting::TABLE,
    strings::TABLE,
    uris::TABLE,
    chars::TABLE,
    fast::TABLE,
    faults::TABLE,
];

/// Makes the system predicates of a new program.
pub fn install(program: &Program) {
    services::offer(Services {
        autoload: |m, p| m.autoload(p),
        call_unpublished: |m, p| m.call_unpublished(p),
        bind_inherited: |m, p, target| m.bind_inherited(p, target),
        unknown_in: |m, module| m.unknown_in(module),
        compile: |m, module, clause, beside| m.compile(module, clause, beside),
        lock_mutex: mutexes::lock,
        give_mutex_back: mutexes::give_back,
        end_unnamed: unnamed::end_unnamed_engines,
        output: |m, a, i| Ok(m.target(a, i, false)?.id),
    });
    for (number, row) in CONTROLS.iter().enumerate() {
        let p = define(program, row.name, row.meta.len());
        let code = code(&[word(Op::Control, number as u16, 0, 0), address(p)]);
        p.be_control(row.core, row.meta, code);
    }
    for entry in TOPICS.iter().flat_map(|t| t.iter()) {
        entry.install(program);
    }
}

/// Marks everything in module `system` as such. Users cannot change it; they can define predicates of the same name in their own
/// modules, except those with [`flag::CORE`]: control, what ISO 13211-1 (and its part on threads) describe, and what declares predicates. These
/// are the names that SWI-Prolog 9 protects, found by defining each of its predicates in a file.
pub fn seal_system(program: &Program) {
    for p in program.predicates() {
        if p.module() == atoms::SYSTEM && p.is_defined() {
            p.seal();
        }
    }
}

fn address(p: &'static Predicate) -> u64 {
    std::ptr::from_ref(p) as u64
}

fn define(program: &Program, name: &str, arity: usize) -> &'static Predicate {
    let atom = if name == "[]" {
        atoms::NIL
    } else {
        Atom::of(name)
    };
    program.predicate(atoms::SYSTEM, Functor::new(atom, arity))
}

/// Entry code, which stays.
fn code(words: &[u64]) -> &'static [u64] {
    Box::leak(words.to_vec().into_boxed_slice())
}

/// Run by `tests/checks.rs`.
#[cfg(debug_assertions)]
pub(crate) mod checks {
    use super::*;
    use std::collections::BTreeSet;

    /// The later one of two rows would silently be the one that is called.
    pub(crate) fn a_predicate_has_one_row() {
        let mut seen = BTreeSet::new();
        let controls = CONTROLS.iter().map(|row| (row.name, row.meta.len()));
        let rows = TOPICS.iter().flat_map(|t| t.iter());
        for (name, arity) in controls.chain(rows.map(|e| (e.name, e.arity))) {
            assert!(seen.insert((name, arity)), "{name}/{arity} has two rows");
        }
    }
}
