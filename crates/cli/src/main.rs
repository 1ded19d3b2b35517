//! The `samite` command.
//!
//! Words are not looked at here: the library's toplevel does that. This file connects the program with the process it runs in: a line
//! editor if there is a terminal, Ctrl-C as an event of the main thread, and the exit status.

// They panic if what they write is refused.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

mod editor;
mod interrupt;
mod panics;

use samite::Engine;
use samite_heap::HeapConfig;
use samite_sched::interrupt::Events;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

/// Where all memory comes from that Rust code asks for.
#[global_allocator]
static MEMORY: samite_alloc::Samite = samite_alloc::Samite::new();

/// Address space that it takes to start, about, where it is limited: what is asked for until there is a heap cannot be refused.
const TO_START: usize = 6 << 20;

/// Before Rust's runtime makes anything, which ends the process without a word of its own if it is refused.
// SAFETY: the section is a table of such functions. The system's library calls them in front of `main`, its own part being ready; this one
// uses nothing of Rust's runtime.
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = room_to_start;

/// Once more in `main`: Rust's runtime and the allocator have taken theirs then.
extern "C" fn room_to_start() {
    if !samite_heap::address_space::has_room_to_start(TO_START) {
        let text = b"samite: cannot start: not enough memory\n";
        // SAFETY: the bytes are there. Nobody to tell if it fails; and nothing has been made that would have to end otherwise.
        unsafe {
            libc::write(2, text.as_ptr().cast(), text.len());
            libc::_exit(1);
        }
    }
}

fn main() -> ExitCode {
    room_to_start();
    panics::install();
    samite_heap::address_space::ask_allocator(samite_alloc::spare);
    samite_heap::address_space::before_large_copies(samite_alloc::api::trim);
    samite_alloc::on_growth(samite_heap::address_space::check);
    samite_heap::address_space::check();
    // The C library allocates a little for each thread, in an area of 64 MB of address space that it reserves for the thread alone.
    // SAFETY: a setting, made before there are threads.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    let words: Vec<String> = std::env::args_os()
        .map(|w| w.to_string_lossy().into_owned())
        .collect();
    let mut engine = match Engine::new(HeapConfig::from_environment(), words.clone()) {
        Ok(engine) => engine,
        Err(e) => {
            let _ = writeln!(std::io::stderr(), "samite: cannot start: {e:?}");
            return ExitCode::from(1);
        }
    };
    *engine.shared().line_reader.lock() = editor::for_terminal();
    // After the editor, which sets a handler of its own when it is made.
    let attention = engine.machine().attention.clone();
    if let Err(e) = interrupt::install(attention.clone()) {
        let _ = writeln!(
            std::io::stderr(),
            "samite: Ctrl-C will not interrupt goals: {e}"
        );
    }
    let give_up = move || attention.pending().meets(Events::INTERRUPT);
    engine
        .shared()
        .streams
        .set_interrupt_hook(Some(Arc::new(give_up)));
    let status = engine.main(&words);
    engine.shared().line_reader.lock().take();
    // Other threads of the program end with the process; nothing waits for them.
    std::process::exit(status)
}
