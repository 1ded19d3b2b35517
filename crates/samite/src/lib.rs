//! Samite, a multicore Prolog: everything wired together.
//!
//! An [`Engine`] is one program: its predicates, streams and threads, and the worker of its main thread. Goals are run with
//! [`Engine::run_text`]; the `samite` command hands its words to [`Engine::main`].

// They panic if what they write is refused.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]
// The system is asked through `samite_world`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod library;

use samite_heap::HeapConfig;
use samite_machine::{Outcome, Program, Worker};
use samite_sched::registry::{Registry, ThreadOptions};
use samite_syntax::read::{ReadFlags, parse_text};
use samite_term::{Atom, Cell, Functor, Record, RecordBuilder, atoms};
use std::io::Write;
use std::sync::Arc;

pub use samite_machine::Outcome as QueryOutcome;

/// One program and the worker of its main thread; see the module text.
pub struct Engine {
    program: Arc<Program>,
    worker: Worker,
}

/// Why an engine could not be made or a text not be run.
#[derive(Debug)]
pub enum Error {
    /// The system refused memory.
    OutOfMemory,
    /// The text is no term.
    Syntax(String),
    /// The compiler has not made jumps of the calls between instructions: native stack would be used up.
    NoTailCalls,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::OutOfMemory => f.write_str("not enough memory"),
            Error::Syntax(e) => write!(f, "syntax error: {e}"),
            Error::NoTailCalls => f.write_str(
                "this build calls instructions where it should jump to them (see tools/check-tail-calls)",
            ),
        }
    }
}

impl std::error::Error for Error {}

impl Engine {
    /// A program with the system predicates and libraries.
    pub fn new(config: HeapConfig, argv: Vec<String>) -> Result<Engine, Error> {
        samite_term::common::set_limit(config.limit);
        let registry = Registry::default();
        let options = ThreadOptions {
            alias: Some(atoms::MAIN),
            ..ThreadOptions::default()
        };
        let main = registry
            .create_thread(options)
            .map_err(|_| Error::OutOfMemory)?;
        let program = Arc::new(Program {
            code: samite_code::Program::new(),
            streams: samite_stream::StreamTable::new(),
            registry,
            records: samite_machine::builtins::records::Records::default(),
            flag_keys: samite_machine::builtins::flag_keys::FlagKeys::default(),
            argv: parking_lot::Mutex::new(argv),
            printed: Default::default(),
            redefinitions: Default::default(),
            started: samite_world::clock::now(),
            heap_config: parking_lot::Mutex::new(config),
            spare_locals: parking_lot::Mutex::default(),
            spare_shadows: parking_lot::Mutex::default(),
            line_reader: parking_lot::Mutex::new(None),
            libraries: library::LIBRARIES,
            library_exports: library::EXPORTS,
            recalled: parking_lot::RwLock::default(),
            lists_code: false.into(),
            prints_plainly: true.into(),
        });
        let modules = library::LIBRARIES.iter().map(|l| Atom::new(l.module));
        program.code.inheritance.set_libraries(modules.collect());
        let _ = program.code.library_meta.set(library::meta);
        samite_machine::builtins::install(&program.code);
        let mut worker = Worker::new(program.clone(), main).ok_or(Error::OutOfMemory)?;
        samite_machine::builtins::flags::install(worker.ctx());
        for (i, (name, terms)) in library::BOOT.iter().enumerate() {
            worker.ctx().load_boot(name, terms);
            if i == 0 {
                handlers_jump(&mut worker)?;
            }
        }
        samite_machine::builtins::seal_system(&program.code);
        samite_term::common::disregard_all();
        Ok(Engine { program, worker })
    }

    /// Runs the first solution of a goal given as text.
    pub fn run_text(&mut self, goal: &str) -> Result<Outcome, Error> {
        let ops = self.program.code.operators(atoms::USER);
        let read = parse_text(goal, &ops, &ReadFlags::default())
            .map_err(|e| Error::Syntax(format!("{e:?}")))?;
        Ok(self.worker.run_read(&read.record))
    }

    /// Runs the command line: loads files, runs goals, opens the toplevel. Returns the exit status.
    pub fn main(&mut self, words: &[String]) -> i32 {
        let mut b = RecordBuilder::new();
        let items: Vec<Cell> = words.iter().map(|w| Cell::atom(Atom::new(w))).collect();
        let list = b.list(&items, Cell::NIL);
        let goal = b.structure(Functor::new(Atom::new("$start"), 1), &[list]);
        let goal = b.finish(goal);
        let status = match self.worker.run_once(&goal) {
            Outcome::Halt(status) => status,
            Outcome::True(_) => 0,
            Outcome::False => 1,
            Outcome::Exception(ball) => {
                let ball = self.show(&ball);
                let _ = writeln!(std::io::stderr(), "samite: uncaught exception: {ball}");
                2
            }
        };
        let main = self.worker.thread.control.clone();
        let grace = std::time::Duration::from_secs(1);
        let status =
            samite_machine::builtins::threads::halt_others(&self.program, &main, status, grace);
        let delivered = self.program.streams.flush_all();
        samite_machine::builtins::threads::status_after_output(status, delivered)
    }

    /// The text of a recorded term.
    pub fn show(&self, r: &Record) -> String {
        let mut words = vec![0u64; r.heap_words()];
        let root = r.instantiate(&mut words);
        let mut out = String::new();
        let options = samite_syntax::write::WriteOptions {
            quoted: true,
            ..Default::default()
        };
        samite_machine::query::show(
            root,
            &words,
            &self.program.code.operators(atoms::USER),
            &options,
            &mut out,
        );
        out
    }

    /// What the program's threads share.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }
    /// The main thread's worker.
    pub fn worker(&mut self) -> &mut Worker {
        &mut self.worker
    }
}

/// Refuses a build in which instructions in a row use native stack. Stable Rust does not promise that they do not, of handlers that end in a call of the
/// next one: another compiler or processor may not make a jump of that.
fn handlers_jump(worker: &mut Worker) -> Result<(), Error> {
    let goal = RecordBuilder::new().finish(Cell::atom(Atom::new("$handlers_jump")));
    match worker.run_once(&goal) {
        Outcome::True(_) => Ok(()),
        Outcome::False => Err(Error::NoTailCalls),
        Outcome::Exception(_) | Outcome::Halt(_) => Err(Error::OutOfMemory),
    }
}
