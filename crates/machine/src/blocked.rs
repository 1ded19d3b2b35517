//! What blocks in the system, and who must not wait for it: while a thread is there, others free what it does not hold.
//!
//! *Equation*: a thread that is in a call of the system which may take as long as somebody else likes has said what it holds
//! ([`Machine::leave_readers`]) and says that it is back ([`Machine::after_wait`]) before it does anything else. For operations on
//! streams the stream asks for it, as only it knows whether its buffer will do ([`samite_stream::Blocking`]); all other calls go
//! through [`Machine::while_blocked`].
//!
//! Only for builtins that are no inline ones, and hold on to no clause: they are at a safe point.

use crate::machine::Machine;
use samite_stream::{Blocking, Descriptor};
use std::cell::Cell;
use std::ptr;

thread_local! {
    /// The machine whose operation on a stream this thread is in; null if there is none.
    static IN_STREAM: Cell<*mut Machine> = const { Cell::new(ptr::null_mut()) };
}

/// So many bytes go at once where there is room for any.
const AT_ONCE: usize = libc::PIPE_BUF;

/// Frames that are looked through before what blocks rarely: it is not to become slow where recursion is deep.
const FEW_FRAMES: usize = 100;

/// To be called before streams are used.
pub(crate) fn init() {
    samite_stream::set_blocking_hook(hook);
}

fn hook(what: Blocking<'_>) {
    let m = IN_STREAM.get();
    if m.is_null() {
        return;
    }
    // SAFETY: set by `in_stream`, which has the machine for itself and does not touch it before the operation has ended.
    let m = unsafe { &mut *m };
    match what {
        Blocking::Write(to, bytes) if bytes <= AT_ONCE && has_room(to) => {}
        Blocking::Read | Blocking::Write(..) => m.leave_readers(),
        Blocking::Over => m.after_wait(),
    }
}

/// Whether something can be written without waiting.
fn has_room(to: Descriptor<'_>) -> bool {
    use std::os::fd::AsRawFd;
    let Some(to) = to else {
        return false;
    };
    let mut poll = libc::pollfd {
        fd: to.as_raw_fd(),
        events: libc::POLLOUT,
        revents: 0,
    };
    // SAFETY: one descriptor, to be looked at without waiting.
    unsafe { libc::poll(&mut poll, 1, 0) == 1 && poll.revents == libc::POLLOUT }
}

/// What [`IN_STREAM`] was before an operation, and is again when that ends, be it by a panic.
struct Outer(*mut Machine);

impl Drop for Outer {
    fn drop(&mut self) {
        IN_STREAM.set(self.0);
    }
}

impl Machine {
    /// Does something with streams; others need not wait while it waits.
    #[inline]
    pub(crate) fn in_stream<T>(&mut self, f: impl FnOnce() -> T) -> T {
        let _outer = Outer(IN_STREAM.replace(ptr::from_mut(self)));
        f()
    }

    /// Does something that may block.
    pub(crate) fn while_blocked<T>(&mut self, f: impl FnOnce() -> T) -> T {
        self.leave_readers();
        let result = f();
        self.after_wait();
        result
    }

    /// Does something that blocks only if the file system does not answer.
    pub(crate) fn in_file_system<T>(&mut self, f: impl FnOnce() -> T) -> T {
        self.leave_readers_if(FEW_FRAMES);
        let result = f();
        self.after_wait();
        result
    }
}
