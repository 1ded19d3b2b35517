//! The `samite` command.
//!
//! Words are not looked at here: the library's toplevel does that. This file connects the program with the process it runs in: a line
//! editor if there is a terminal, Ctrl-C as an event of the main thread, and the exit status.

// They panic if what they write is refused.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

mod closed;
mod interrupt;
mod panics;
mod terminal;

use samite::Engine;
use samite_heap::HeapConfig;
use samite_machine::blocked;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

/// Where all memory comes from that Rust code asks for.
#[global_allocator]
static MEMORY: samite_alloc::Samite = samite_alloc::Samite::new();

fn main() -> ExitCode {
    samite_start::room_to_start();
    panics::install();
    samite_heap::address_space::ask_allocator(samite_alloc::spare, samite_alloc::STEP);
    samite_heap::address_space::before_large_copies(samite_alloc::api::trim);
    samite_alloc::on_growth(samite_heap::address_space::check);
    samite_heap::address_space::check();
    // The C library allocates a little for each thread, in an area of 64 MB of address space that it reserves for the thread alone.
    // SAFETY: a setting, made before there are threads.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    let words: Vec<String> = std::env::args_os()
        .map(|w| w.to_string_lossy().into_owned())
        .collect();
    let config = match HeapConfig::from_environment() {
        Ok(config) => config,
        Err(e) => {
            let _ = writeln!(std::io::stderr(), "samite: {e}");
            return ExitCode::from(1);
        }
    };
    let mut engine = match Engine::new(config, words.clone()) {
        Ok(engine) => engine,
        Err(e) => {
            let _ = writeln!(std::io::stderr(), "samite: cannot start: {e:?}");
            return ExitCode::from(1);
        }
    };
    let main = engine.machine().thread.clone();
    closed::connect(engine.shared());
    terminal::connect(engine.shared(), main.clone());
    if let Err(e) = interrupt::install(main.clone()) {
        let _ = writeln!(
            std::io::stderr(),
            "samite: Ctrl-C will not interrupt goals: {e}"
        );
    }
    let give_up = || blocked::attention().is_some_and(|a| a.due().meets(interrupt::ASKING));
    engine
        .shared()
        .streams
        .set_interrupt_hook(Some(Arc::new(give_up)));
    let status = engine.main(&words);
    // Other threads of the program end with the process; nothing waits for them.
    std::process::exit(status)
}
