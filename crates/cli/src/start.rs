//! What is looked at before Rust's runtime begins: whether there is the memory to start, asked before anything is allocated that cannot be
//! refused; and which standard streams are closed, as the runtime opens something else in their place.
//!
//! A library beside the command, which alone links it: the compiler, 1.95, crashes where such a table is in the crate that it links
//! with all others (LLVM's ThinLTO).

use samite_heap::address_space;
use std::sync::atomic::{AtomicBool, Ordering};

/// Address space that it takes to start, about, where it is limited: what is asked for until there is a heap cannot be refused, and
/// what is kept for more of the kind (`samite_heap::address_space`).
const TO_START: usize = 10 << 20;

/// Before Rust's runtime makes anything, which ends the process without a word of its own if it is refused.
// SAFETY: the section is a table of such functions. The system's library calls them in front of `main`, its own part being ready; this one
// uses nothing of Rust's runtime.
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = before_main;

extern "C" fn before_main() {
    room_to_start();
    for (fd, closed) in CLOSED.iter().enumerate() {
        // SAFETY: asks about a descriptor, which need not be one.
        let flags = unsafe { libc::fcntl(fd as libc::c_int, libc::F_GETFD) };
        // Nobody else is there.
        closed.store(flags < 0, Ordering::Relaxed);
    }
}

static CLOSED: [AtomicBool; 3] = [const { AtomicBool::new(false) }; 3];

/// Whether standard input, output or error was closed when the process began.
pub fn was_closed(fd: usize) -> bool {
    CLOSED[fd].load(Ordering::Relaxed)
}

/// Ends the process with a message if there is not. Once more in `main`: Rust's runtime and the allocator have taken theirs then.
pub extern "C" fn room_to_start() {
    if !address_space::has_room_to_start(TO_START) {
        let text = b"samite: cannot start: not enough memory\n";
        // SAFETY: the bytes are there. Nobody to tell if it fails; and nothing has been made that would have to end otherwise.
        unsafe {
            libc::write(2, text.as_ptr().cast(), text.len());
            libc::_exit(1);
        }
    }
}
