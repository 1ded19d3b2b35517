//! The builtin predicates, by topic.
//!
//! A topic file has one `TABLE` of [`Entry`]s; [`install`] makes system predicates of them. A deterministic builtin is a function
//! from machine and arguments to true, false or an exception. It may allocate but never collects, so cells and
//! views stay valid while it runs. One that is pure and quick is marked `pure`: the compiler then calls it in place, without
//! building a frame. A nondeterministic builtin gets back the state it returned with its last solution.
//! What needs to run goals is written in Prolog (`library/boot/boot.pl` of the `samite` crate) or is a control predicate.

mod bags;
pub mod chario;
pub mod chars;
pub mod clause_refs;
pub mod clauses;
pub mod completion;
pub mod console;
pub mod core;
pub mod cyclic;
pub mod edinburgh;
pub mod expansion;
mod faults;
pub mod files;
pub mod flag_keys;
pub mod flags;
pub mod formats;
pub mod globals;
pub mod imports;
mod kinds;
mod known_flags;
pub mod libraries;
pub mod limits;
pub mod lists;
mod module_flags;
pub mod mutexes;
mod names;
mod options;
pub mod program;
pub mod properties;
pub mod queues;
pub mod recalled;
pub mod records;
mod redefined;
pub(crate) mod reloading;
mod shadowing;
pub mod shell;
mod similar;
pub mod sources;
pub mod standing;
pub mod statistics;
pub mod streams;
pub mod strings;
pub mod suspicious;
pub mod tabling;
pub mod termio;
pub mod terms;
pub mod text;
mod thread_create;
pub mod threads;
pub mod timers;
mod tty;
pub mod waiting;
pub mod wildcards;

use crate::engine::control::CONTROLS;
use crate::engine::ctx::{Builtin, Nondet};
use crate::engine::services::{self, Services};
use samite_code::instr::{Op, word};
use samite_code::predicate::flag;
use samite_code::{Predicate, Program};
use samite_term::{Atom, Functor, atoms};
use std::sync::atomic::Ordering;

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
        assert!(spec.len() == self.arity);
        self.meta = spec;
        self
    }
    /// Programs cannot define one of this name: [`flag::CORE`].
    const fn core(self) -> Entry {
        self.flagged(flag::CORE)
    }
    /// It has no other effect than a unification at its end: one that was refused memory can be called again.
    const fn makes_terms(self) -> Entry {
        self.flagged(flag::MAKES_TERMS)
    }
    /// It adds to what threads have in common, and is refused memory before it has changed anything.
    const fn refuses_first(self) -> Entry {
        self.flagged(flag::REFUSES_FIRST)
    }
    /// It may lower the memory limit: what is in use is known after a collection.
    const fn lowers_limit(self) -> Entry {
        self.flagged(flag::LOWERS_LIMIT)
    }
    fn install(&self, program: &Program) {
        let p = define(program, self.name, self.arity);
        p.set_flag(self.flags);
        if !self.meta.is_empty() {
            p.meta.set(Some(self.meta.as_bytes().to_vec()));
        }
        let n = self.arity as u16;
        match self.function {
            Function::Det(f) | Function::Pure(f) => {
                p.function.store(f as usize, Ordering::Relaxed);
                set_code(p, &[word(Op::Builtin, n, 0, 0), address(p)]);
            }
            Function::Nondet(f) => {
                p.function.store(f as usize, Ordering::Relaxed);
                let (first, again) = (word(Op::Nondet, n, 0, 0), word(Op::NondetNext, n, 0, 0));
                set_code(p, &[first, address(p), again, address(p)]);
            }
        }
    }
}

/// All topics.
const TOPICS: &[&[Entry]] = &[
    core::TABLE,
    clauses::TABLE,
    clause_refs::TABLE,
    program::TABLE,
    suspicious::TABLE,
    flags::TABLE,
    standing::TABLE,
    statistics::TABLE,
    thread_create::TABLE,
    threads::TABLE,
    timers::TABLE,
    queues::TABLE,
    bags::TABLE,
    mutexes::TABLE,
    flag_keys::TABLE,
    records::TABLE,
    reloading::TABLE,
    terms::TABLE,
    cyclic::TABLE,
    text::TABLE,
    streams::TABLE,
    edinburgh::TABLE,
    chario::TABLE,
    options::TABLE,
    termio::TABLE,
    formats::TABLE,
    properties::TABLE,
    files::TABLE,
    wildcards::TABLE,
    expansion::TABLE,
    imports::TABLE,
    libraries::TABLE,
    recalled::TABLE,
    shell::TABLE,
    similar::TABLE,
    sources::TABLE,
    console::TABLE,
    globals::TABLE,
    waiting::TABLE,
    kinds::TABLE,
    tty::TABLE,
    names::TABLE,
    tabling::TABLE,
    limits::TABLE,
    lists::TABLE,
    strings::TABLE,
    chars::TABLE,
    faults::TABLE,
];

/// Makes the system predicates of a new program.
pub fn install(program: &Program) {
    services::offer(Services {
        autoload: |m, p| m.autoload(p),
        call_unpublished: |m, p| m.call_unpublished(p),
        bind_inherited: |m, p, target| m.bind_inherited(p, target),
        unknown_in: |m, module| m.unknown_in(module),
        compile: |m, module, head, body, beside| m.compile(module, head, body, beside),
        lock_mutex: mutexes::lock,
        output: |m, a, i| Ok(m.target(a, i, false)?.id),
    });
    for (number, row) in CONTROLS.iter().enumerate() {
        let p = define(program, row.name, row.meta.len());
        p.set_flag(flag::CONTROL | if row.core { flag::CORE } else { 0 });
        p.meta.set(Some(row.meta.as_bytes().to_vec()));
        set_code(p, &[word(Op::Control, number as u16, 0, 0), address(p)]);
    }
    for entry in TOPICS.iter().flat_map(|t| t.iter()) {
        entry.install(program);
    }
    // What the compiler expands is there as a predicate too.
    for name in ["true", "fail", "false", "!"] {
        define(program, name, 0).set_flag(flag::CORE);
    }
}

/// Marks everything in module `system` as such. Users cannot change it; they can define predicates of the same name in their own
/// modules, except those with [`flag::CORE`]: control, what ISO 13211-1 (and its part on threads) describe, and what declares predicates. These
/// are the names that SWI-Prolog 9 protects, found by defining each of its predicates in a file, with `*->`, which the compiler expands.
pub fn seal_system(program: &Program) {
    for p in program.predicates() {
        if p.module == atoms::SYSTEM && p.is_defined() {
            p.set_flag(flag::SYSTEM);
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
        Atom::new(name)
    };
    let p = program.predicate(atoms::SYSTEM, Functor::new(atom, arity));
    p.set_flag(flag::SYSTEM | flag::BUILTIN | flag::DEFINED);
    p
}

fn set_code(p: &'static Predicate, code: &[u64]) {
    p.set_entry(Box::leak(code.to_vec().into_boxed_slice()).as_ptr());
}
