//! Samite, a multicore Prolog, as a library.
//!
//! An [`Engine`] is one program: predicates, flags, operators, tables, streams and threads of its own. A process may have several, which know nothing of
//! each other:
//!
//! ```
//! use samite::{Config, Engine};
//!
//! let mut engine = Engine::new(Config::default())?;
//! engine.run("assertz((path(X, Y) :- member(X-Y, [a-b, b-c])))")?;
//! let answer = engine.run("path(b, Where)")?;
//! assert_eq!(answer.get("Where"), Some("c"));
//!
//! let mut other = Engine::new(Config::default())?;
//! assert!(!other.run("catch(path(b, _), _, fail)")?.is_true());
//! # Ok::<(), samite::Error>(())
//! ```
//!
//! The thread that makes an engine is the program's main thread. Other threads of the host run goals of it by a [`Session`] each:
//!
//! ```
//! # use samite::{Config, Engine};
//! # let engine = Engine::new(Config::default())?;
//! let program = engine.program();
//! let sums = std::thread::spawn(move || {
//!     let mut session = program.session()?;
//!     session.run("numlist(1, 10, L), sum_list(L, Sum)")
//! });
//! assert_eq!(sums.join().unwrap()?.get("Sum"), Some("55"));
//! # Ok::<(), samite::Error>(())
//! ```
//!
//! # What belongs to whom
//!
//! | of the process | of the program |
//! |---|---|
//! | atoms | predicates, clauses, generations, modules, operators, flags, tables, records, keys |
//! | memory that the system grants | the memory limit and what is counted against it |
//! | descriptors, the working directory, the environment | streams, variables set by `setenv/2`, commands that run |
//! | signals (the host's) | threads, queues, mutexes, timers, `halt/1` |
//!
//! A program ends by `halt/1` in any of its threads, or when its engine is dropped: its threads end, and whoever asks for more gets
//! [`Answer::Halted`]. Who drops the engine waits for them a second at most, and not for sessions that run nothing; a thread in a cleanup handler, or in a call
//! of the system that takes longer, ends later. The process goes on. What a program has defined is not freed when it ends, since code refers to predicates by address: a host that
//! makes engines without end grows.
//!
//! # What is stable
//!
//! [`Config`], [`Engine::new`], [`Engine::run`], [`Engine::program`], [`Program`], [`Session`], [`Answer`], [`Bindings`] and [`Error`] are the interface:
//! they change only with a version that says so. [`command`] is what the `samite` command needs besides, and changes with it; so do all other crates, which
//! are Samite's inside.

// They panic if what they write is refused.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]
// The system is asked through `samite_world`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod answer;
pub mod command;
mod library;
mod session;
mod system;

use samite_heap::HeapConfig;
use samite_heap::config::affordable;
use samite_machine::host::Inside;
use samite_machine::{Outcome, OwnedWorker};
use samite_sched::registry::Registry;
use samite_term::{Atom, Cell, RecordBuilder, common};
use std::sync::Arc;
use std::time::Duration;

pub use answer::{Answer, Bindings};
pub use session::Session;
use system::System;

/// For how long an engine that is dropped waits for its threads.
const GRACE: Duration = Duration::from_secs(1);

/// What a program begins with.
#[derive(Clone, Debug, Default)]
pub struct Config {
    heap: HeapConfig,
    /// Bytes that threads may have in common.
    common: Option<usize>,
    argv: Vec<String>,
}

impl Config {
    /// Bytes that each of the program's threads may use, and what they have in common. Without it: a gigabyte each, and half of the machine's memory in common.
    #[must_use]
    pub fn memory_limit(mut self, bytes: usize) -> Config {
        self.heap.limit = bytes;
        self.common = Some(bytes);
        self
    }
    /// What threads may have in common where nothing is said: half of the machine's memory, and as much as one of them.
    fn usual_common(&self) -> usize {
        let machines = samite_world::machine::memory().unwrap_or(0) / 2;
        let machines = usize::try_from(machines).unwrap_or(usize::MAX);
        affordable(machines).max(self.heap.limit)
    }
    /// What the flag `argv` has, the program's name first.
    #[must_use]
    pub fn argv(mut self, words: impl IntoIterator<Item = String>) -> Config {
        self.argv = words.into_iter().collect();
        self
    }
}

/// Why a program could not be made, or a text not be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The system refused memory, or the limit is too low for that.
    OutOfMemory,
    /// The text is no term: line and column (from 1 and 0), and what is wrong there.
    Syntax(String),
    /// The compiler has not made jumps of the calls between instructions: native stack would be used up.
    NoTailCalls,
    /// The program has ended, with this status.
    Ended(i32),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::OutOfMemory => f.write_str("not enough memory"),
            Error::Syntax(what) => write!(f, "syntax error: {what}"),
            Error::NoTailCalls => f.write_str(
                "this build calls instructions where it should jump to them (see tools/check-tail-calls)",
            ),
            Error::Ended(status) => write!(f, "the program has ended with status {status}"),
        }
    }
}

impl std::error::Error for Error {}

/// One program and its main thread, which is the thread that has made it; see the [crate's text](crate).
///
/// ```compile_fail
/// fn elsewhere(engine: samite::Engine) {
///     std::thread::spawn(move || drop(engine));
/// }
/// ```
pub struct Engine {
    main: Session,
    system: System,
}

/// A program, for any thread of the host.
#[derive(Clone)]
pub struct Program(System);

impl Program {
    /// Makes the calling thread one of the program's.
    pub fn session(&self) -> Result<Session, Error> {
        if let Some(status) = self.0.ending.status() {
            return Err(Error::Ended(status));
        }
        Session::guest(&self.0)
    }
}

impl Engine {
    /// A program with the system predicates and libraries.
    pub fn new(config: Config) -> Result<Engine, Error> {
        let in_common = config.common.unwrap_or_else(|| config.usual_common());
        let Config { heap, argv, .. } = config;
        let account = common::Account::new();
        // Terms of the boot files are in nobody's hands that are asked for atoms.
        let outside = samite_term::atom::outside();
        let inside = Inside::program(account);
        common::set_limit(in_common);
        if heap.atoms > 0 {
            samite_term::atom::set_stress(heap.atoms);
        }
        samite_heap::address_space::limit_is(heap.limit);
        let system = System::new(Arc::new(samite_machine::Program {
            code: samite_code::Program::new(),
            streams: samite_stream::StreamTable::new(),
            registry: Registry::default(),
            records: samite_machine::state::records::Records::default(),
            flag_keys: samite_machine::state::flag_keys::FlagKeys::default(),
            module_space: samite_machine::state::module_space::ModuleSpace::default(),
            wrappers: samite_machine::state::wrappers::Wrappers::default(),
            directives: samite_machine::state::directives::Directives::default(),
            argv: parking_lot::Mutex::new(argv),
            first_flags: Default::default(),
            printed: Default::default(),
            redefinitions: Default::default(),
            shared_tables: Default::default(),
            wires: Default::default(),
            missed: parking_lot::Mutex::default(),
            started: samite_world::clock::now(),
            heap_config: parking_lot::Mutex::new(heap),
            spare_locals: parking_lot::Mutex::default(),
            spare_shadows: parking_lot::Mutex::default(),
            step: parking_lot::Mutex::default(),
            line_reader: parking_lot::Mutex::new(None),
            libraries: library::LIBRARIES,
            library_exports: library::EXPORTS,
            recalled: parking_lot::RwLock::default(),
            outside: Default::default(),
            ending: Default::default(),
            engines: Default::default(),
            sockets: Default::default(),
            tries: Default::default(),
            memory_files: Default::default(),
            light: samite_machine::engine::carrier::ready(),
            body_code: Default::default(),
            resume_points: Default::default(),
            quasi_syntaxes: Default::default(),
            lists_code: false.into(),
            wakes_everywhere: false.into(),
            waits_for_company: false.into(),
            prints_plainly: true.into(),
            detects_deadlocks: false.into(),
            initializes_threads: false.into(),
            told: Default::default(),
        }));
        samite_machine::builtins::watches::connect(&system);
        let modules = library::LIBRARIES.iter().map(|l| Atom::new(l.module));
        system.code.inheritance.set_libraries(modules);
        let _ = system.code.library_meta.set(library::meta);
        samite_machine::builtins::install(&system.code);
        let mut main = Session::main(&system)?;
        main.inside(|m| {
            samite_machine::builtins::flags::install(m.ctx());
            for (i, (name, terms)) in library::BOOT.iter().enumerate() {
                samite_machine::builtins::libraries::load_boot(m, name, terms)
                    .map_err(|_| Error::OutOfMemory)?;
                if i == 0 {
                    handlers_jump(m)?;
                }
            }
            samite_machine::builtins::seal_system(&m.program.code);
            common::disregard_all();
            Ok(())
        })?;
        drop(inside);
        samite_machine::engine::atoms::register(&system);
        drop(outside);
        Ok(Engine { main, system })
    }

    /// Runs the first solution of a goal on the main thread; see [`Session::run`].
    pub fn run(&mut self, goal: &str) -> Result<Answer, Error> {
        self.main.run(goal)
    }

    /// The program, for other threads of the host.
    pub fn program(&self) -> Program {
        Program(self.system.clone())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _inside = Inside::program(self.system.code.account);
        let me = &self.main.thread;
        samite_machine::builtins::threads::halt_others(&self.system, me, 0, GRACE);
        // What they hold is the program's.
        samite_machine::builtins::engines::forget_all(&self.system);
        self.system.light.close();
        // Whoever reads it has said so by now, or does not any more.
        let _ = self.system.streams.flush_all();
    }
}

/// Refuses a build in which instructions in a row use native stack. Stable Rust does not promise that they do not, of handlers that end in a call of the
/// next one: another compiler or processor may not make a jump of that.
fn handlers_jump(worker: &mut OwnedWorker) -> Result<(), Error> {
    let goal = RecordBuilder::new().finish(Cell::atom(Atom::new("$handlers_jump")));
    match worker.run_once(&goal) {
        Outcome::True => Ok(()),
        Outcome::False => Err(Error::NoTailCalls),
        Outcome::Exception(_) | Outcome::Halt(_) => Err(Error::OutOfMemory),
    }
}
