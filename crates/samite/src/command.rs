//! What the `samite` command needs of an [`Engine`] besides: no part of the stable interface.

use crate::answer::ball_text;
use crate::{Config, Engine};
use samite_heap::HeapConfig;
use samite_machine::builtins::threads::{halt_others, status_after_output};
use samite_machine::{Outcome, Program};
use samite_sched::registry::ThreadControl;
use samite_term::{Atom, Cell, Functor, RecordBuilder};
use std::io::Write;
use std::sync::Arc;

/// With the memory that a command line asks for.
pub fn config(heap: HeapConfig, argv: Vec<String>) -> Config {
    Config {
        heap,
        argv,
        ..Config::default()
    }
}

/// What the program's threads share.
pub fn program(engine: &Engine) -> &Arc<Program> {
    &engine.system
}

/// The program's main thread.
pub fn main_thread(engine: &Engine) -> &Arc<ThreadControl> {
    &engine.main.thread
}

/// Runs a command line: loads files, runs goals, opens the toplevel. Returns the exit status. The process is the program's: it ends with it.
pub fn run(engine: &mut Engine, words: &[String]) -> i32 {
    engine.system.ending.set_ends_process();
    engine.main.inside(|m| {
        let mut b = RecordBuilder::new();
        let items: Vec<Cell> = words.iter().map(|w| Cell::atom(Atom::of(w))).collect();
        let list = b.list(&items, Cell::NIL);
        let goal = b.structure(Functor::new(Atom::new("$start"), 1), &[list]);
        let goal = b.finish(goal);
        let status = match m.run_once(&goal) {
            Outcome::Halt(status) => status,
            Outcome::True => 0,
            Outcome::False => 1,
            Outcome::Exception(ball) => {
                let ball = ball_text(&m.program, &ball);
                let _ = writeln!(std::io::stderr(), "samite: uncaught exception: {ball}");
                2
            }
        };
        let (program, main) = (m.program.clone(), m.thread.control.clone());
        let status = halt_others(&program, &main, status, crate::GRACE);
        let delivered = program.streams.flush_all();
        program.streams.end_commands();
        status_after_output(status, delivered)
    })
}
