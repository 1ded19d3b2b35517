//! Whether there is the memory to start, asked before anything is allocated that cannot be refused.
//!
//! A library beside the command, which alone links it: the compiler, 1.95, crashes where such a table is in the crate that it links
//! with all others (LLVM's ThinLTO).

use samite_heap::address_space;

/// Address space that it takes to start, about, where it is limited: what is asked for until there is a heap cannot be refused, and
/// what is kept for more of the kind (`samite_heap::address_space`).
const TO_START: usize = 10 << 20;

/// Before Rust's runtime makes anything, which ends the process without a word of its own if it is refused.
// SAFETY: the section is a table of such functions. The system's library calls them in front of `main`, its own part being ready; this one
// uses nothing of Rust's runtime.
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = room_to_start;

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
