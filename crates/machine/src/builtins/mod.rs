//! The builtin predicates, by topic.
//!
//! A topic file has one `TABLE` of [`Entry`]s; [`install`] makes system predicates of them. A deterministic builtin is a function
//! from machine and arguments to true, false or an exception. It may allocate but never collects, so cells and
//! views stay valid while it runs. One that is pure and quick is marked `Pure`: the compiler then calls it in place, without
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
pub mod shell;
mod similar;
pub mod sources;
pub mod standing;
pub mod statistics;
pub mod streams;
pub mod strings;
pub mod suspicious;
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
use crate::engine::run::{Builtin, Nondet};
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
    /// The same, but that it may leave a goal behind ([`Throw::Rest`](crate::error::Throw)).
    PureOrGoal(&'static str, usize, Builtin),
    Nondet(&'static str, usize, Nondet),
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
    crate::engine::tabling::TABLE,
    limits::TABLE,
    lists::TABLE,
    strings::TABLE,
    chars::TABLE,
    faults::TABLE,
];

/// Topics whose builtins only make terms and unify them with their arguments last: one that was refused memory can be called again.
const MAKE_TERMS: &[&[Entry]] = &[
    terms::TABLE,
    cyclic::TABLE,
    text::TABLE,
    lists::TABLE,
    strings::TABLE,
];

/// Whether a builtin has no other effect than a unification at its end.
pub(crate) fn makes_terms_only(p: &Predicate) -> bool {
    MAKE_TERMS.iter().flat_map(|t| t.iter()).any(|e| match *e {
        // Binds one variable after the other.
        Entry::Det("numbervars", ..) | Entry::Pure(..) | Entry::PureOrGoal(..) => false,
        Entry::Det(name, arity, _) | Entry::Nondet(name, arity, _) => {
            p.module == atoms::SYSTEM && p.functor.arity() == arity && p.name().as_str() == name
        }
    })
}

/// Whether a builtin may lower the memory limit: what is in use is known after a collection.
pub(crate) fn lowers_limit(p: &Predicate) -> bool {
    p.module == atoms::SYSTEM && p.name().as_str() == "set_prolog_flag"
}

/// Whether a builtin adds to what threads have in common, and is refused memory before it has changed anything.
pub(crate) fn refuses_first(p: &Predicate) -> bool {
    const ADDING: &[&str] = &[
        "assertz",
        "assert",
        "asserta",
        "recordz",
        "recorda",
        "thread_send_message",
    ];
    p.module == atoms::SYSTEM && ADDING.contains(&p.name().as_str())
}

/// Meta-arguments of builtins: goals (digits: arguments added) and other module-sensitive ones (`:`).
/// Meta-arguments; `m`: the module that the call is in is put before the argument even if that has one; `M`: that of a library, too.
const META: &[(&str, &str)] = &[
    ("assertz", ":"),
    ("asserta", ":"),
    ("assert", ":"),
    ("retract", ":"),
    ("retractall", ":"),
    ("clause", ":?"),
    ("clause", ":??"),
    ("assertz", ":?"),
    ("asserta", ":?"),
    ("assert", ":?"),
    ("nth_clause", ":??"),
    ("abolish", ":"),
    ("thread_create", "0?"),
    ("thread_create", "0?:"),
    ("thread_signal", "?0"),
    ("$has_clauses", ":"),
    ("strip_module", "m??"),
    ("[|]", ":?"),
    ("import", "M"),
    ("export", "M"),
];

/// Makes the system predicates of a new program.
pub fn install(program: &Program) {
    for (number, &(name, arity, _, meta)) in CONTROLS.iter().enumerate() {
        let p = define(program, name, arity);
        p.set_flag(flag::CONTROL);
        p.meta.set(Some(meta.as_bytes().to_vec()));
        set_code(p, &[word(Op::Control, number as u16, 0, 0), address(p)]);
    }
    for entry in TOPICS.iter().flat_map(|t| t.iter()) {
        match *entry {
            Entry::Det(name, arity, f) => deterministic(program, name, arity, f, 0),
            Entry::Pure(name, arity, f) => deterministic(program, name, arity, f, flag::INLINE),
            Entry::PureOrGoal(name, arity, f) => {
                let flags = flag::INLINE | flag::LEAVES_GOAL;
                deterministic(program, name, arity, f, flags);
            }
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
        p.meta.set(Some(spec.as_bytes().to_vec()));
    }
    // What the compiler expands is there as a predicate too.
    for (name, arity) in [("true", 0), ("fail", 0), ("false", 0), ("!", 0)] {
        define(program, name, arity);
    }
}

/// What the program cannot define: control, what ISO 13211-1 (and its part on threads) describe, and what declares predicates. These are the names
/// that SWI-Prolog 9 protects, found by defining each of its predicates in a file, with `*->`, which the compiler expands.
const CORE: &[(&str, usize)] = &[
    ("!", 0),
    ("*->", 2),
    (",", 2),
    ("->", 2),
    (";", 2),
    ("<", 2),
    ("=", 2),
    ("=..", 2),
    ("=:=", 2),
    ("=<", 2),
    ("==", 2),
    ("=\\=", 2),
    (">", 2),
    (">=", 2),
    ("@<", 2),
    ("@=<", 2),
    ("@>", 2),
    ("@>=", 2),
    ("\\+", 1),
    ("\\=", 2),
    ("\\==", 2),
    ("abolish", 1),
    ("acyclic_term", 1),
    ("arg", 3),
    ("asserta", 1),
    ("assertz", 1),
    ("at_end_of_stream", 0),
    ("at_end_of_stream", 1),
    ("atom", 1),
    ("atom_chars", 2),
    ("atom_codes", 2),
    ("atom_concat", 3),
    ("atom_length", 2),
    ("atomic", 1),
    ("bagof", 3),
    ("call", 1),
    ("call", 2),
    ("call", 3),
    ("call", 4),
    ("call", 5),
    ("call", 6),
    ("call", 7),
    ("call", 8),
    ("callable", 1),
    ("catch", 3),
    ("char_code", 2),
    ("char_conversion", 2),
    ("clause", 2),
    ("close", 1),
    ("close", 2),
    ("compare", 3),
    ("compound", 1),
    ("copy_term", 2),
    ("current_char_conversion", 2),
    ("current_input", 1),
    ("current_op", 3),
    ("current_output", 1),
    ("current_predicate", 1),
    ("current_prolog_flag", 2),
    ("discontiguous", 1),
    ("dynamic", 1),
    ("fail", 0),
    ("false", 0),
    ("findall", 3),
    ("float", 1),
    ("flush_output", 0),
    ("flush_output", 1),
    ("functor", 3),
    ("get_byte", 1),
    ("get_byte", 2),
    ("get_char", 1),
    ("get_char", 2),
    ("get_code", 1),
    ("get_code", 2),
    ("ground", 1),
    ("halt", 0),
    ("halt", 1),
    ("initialization", 1),
    ("integer", 1),
    ("is", 2),
    ("keysort", 2),
    ("length", 2),
    ("message_queue_create", 2),
    ("message_queue_destroy", 1),
    ("message_queue_property", 2),
    ("multifile", 1),
    ("mutex_create", 2),
    ("mutex_destroy", 1),
    ("mutex_lock", 1),
    ("mutex_property", 2),
    ("mutex_trylock", 1),
    ("mutex_unlock", 1),
    ("nl", 0),
    ("nl", 1),
    ("nonvar", 1),
    ("number", 1),
    ("number_chars", 2),
    ("number_codes", 2),
    ("numbervars", 3),
    ("once", 1),
    ("op", 3),
    ("open", 3),
    ("open", 4),
    ("peek_byte", 1),
    ("peek_byte", 2),
    ("peek_char", 1),
    ("peek_char", 2),
    ("peek_code", 1),
    ("peek_code", 2),
    ("phrase", 2),
    ("phrase", 3),
    ("predicate_property", 2),
    ("put_byte", 1),
    ("put_byte", 2),
    ("put_char", 1),
    ("put_char", 2),
    ("put_code", 1),
    ("put_code", 2),
    ("read", 1),
    ("read", 2),
    ("read_term", 2),
    ("read_term", 3),
    ("repeat", 0),
    ("retract", 1),
    ("retractall", 1),
    ("set_input", 1),
    ("set_output", 1),
    ("set_prolog_flag", 2),
    ("set_stream_position", 2),
    ("setof", 3),
    ("sort", 2),
    ("stream_property", 2),
    ("sub_atom", 5),
    ("subsumes_term", 2),
    ("term_variables", 2),
    ("thread_create", 3),
    ("thread_detach", 1),
    ("thread_get_message", 1),
    ("thread_get_message", 2),
    ("thread_get_message", 3),
    ("thread_peek_message", 1),
    ("thread_peek_message", 2),
    ("thread_property", 2),
    ("thread_self", 1),
    ("thread_send_message", 2),
    ("thread_signal", 2),
    ("throw", 1),
    ("true", 0),
    ("unify_with_occurs_check", 2),
    ("var", 1),
    ("with_mutex", 2),
    ("write", 1),
    ("write", 2),
    ("write_canonical", 1),
    ("write_canonical", 2),
    ("write_term", 2),
    ("write_term", 3),
    ("writeq", 1),
    ("writeq", 2),
];

/// Marks everything in module `system` as such. Users cannot change it; they can define predicates of the same name in their own
/// modules, except those of [`CORE`].
pub fn seal_system(program: &Program) {
    for &(name, arity) in CORE {
        if let Some(p) = program.find(atoms::SYSTEM, Functor::new(Atom::new(name), arity)) {
            p.set_flag(flag::CORE);
        }
    }
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
