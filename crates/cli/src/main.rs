//! The `samite` command.
//!
//! Words are not looked at here: the library's toplevel does that. This file connects the program with the process it runs in: a line
//! editor if there is a terminal, Ctrl-C as an event of the main thread, and the exit status.

// They panic if what they write is refused.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]
// The system is asked through `samite_world`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod closed;
mod interrupt;
mod panics;
mod terminal;

use samite::{Engine, command};
use samite_heap::HeapConfig;
use samite_heap::address_space;
use samite_machine::blocked;
use samite_world::{faults, simulated};
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Where all memory comes from that Rust code asks for.
#[global_allocator]
static MEMORY: samite_alloc::Samite = samite_alloc::Samite::new();

/// What it does where address space is limited.
static ALLOCATOR: address_space::Allocator = address_space::Allocator {
    keep: samite_alloc::reserve::keep,
    fill: samite_alloc::reserve::fill,
    spare: samite_alloc::spare,
    unmap: samite_alloc::away::give_back,
    held: samite_alloc::reserve::held,
    give_up: samite_alloc::reserve::give_up,
    give_back: samite_alloc::api::trim,
    settle: samite_alloc::api::settle,
    retain_at_most: samite_alloc::retain_at_most,
};

/// The last resort: what follows is an abort. Nothing is allocated, no lock taken.
fn end_without_memory() {
    let text = b"samite: not enough memory to go on\n";
    // SAFETY: the bytes are there. Nobody to tell if it fails.
    unsafe {
        libc::write(2, text.as_ptr().cast(), text.len());
        libc::_exit(2);
    }
}

fn main() -> ExitCode {
    samite_start::room_to_start();
    panics::install();
    address_space::use_allocator(&ALLOCATOR);
    samite_alloc::on_growth(address_space::check);
    samite_alloc::reserve::at_the_end(end_without_memory);
    // The C library allocates a little for each thread, in an area of 64 MB of address space that it reserves for the thread alone.
    // SAFETY: a setting, made before there are threads.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    if let Err(e) = simulated::from_environment().and_then(|()| faults::from_environment()) {
        let _ = writeln!(std::io::stderr(), "samite: {e}");
        return ExitCode::from(1);
    }
    samite_alloc::config::refuse_by(faults::refuses);
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
    let mut engine = match Engine::new(command::config(config, words.clone())) {
        Ok(engine) => engine,
        Err(e) => {
            let _ = writeln!(std::io::stderr(), "samite: cannot start: {e}");
            return ExitCode::from(1);
        }
    };
    let program = command::program(&engine).clone();
    for (name, switch) in [
        ("SAMITE_LISTING", &program.lists_code),
        ("SAMITE_WAKE_STRESS", &program.wakes_everywhere),
        ("SAMITE_SHARE_STRESS", &program.waits_for_company),
    ] {
        match std::env::var_os(name) {
            None => {}
            Some(v) if v == "1" => switch.store(true, Ordering::Relaxed),
            Some(v) => {
                let error = format!("samite: {name}={}: not 1", v.display());
                let _ = writeln!(std::io::stderr(), "{error}");
                return ExitCode::from(1);
            }
        }
    }
    let main = command::main_thread(&engine).clone();
    closed::connect(&program);
    terminal::connect(&program, main.clone());
    if let Err(e) = interrupt::install(&program, main) {
        let _ = writeln!(
            std::io::stderr(),
            "samite: Ctrl-C will not interrupt goals: {e}"
        );
    }
    let give_up = || blocked::attention().is_some_and(|a| a.due().meets(interrupt::ASKING));
    (program.streams).set_interrupt_hook(Some(Arc::new(give_up)));
    let status = command::run(&mut engine, &words);
    if (program.ending.interrupted).load(Ordering::Relaxed) {
        interrupt::end_by(libc::SIGINT);
    }
    // Other threads of the program end with the process; nothing waits for them.
    std::process::exit(status)
}
