//! What blocks in the system, and who must not wait for it: while a thread is there, others free what it does not hold.
//!
//! *Equation*: a thread that is in a call of the system which may take as long as somebody else likes has said what it holds
//! ([`Machine::leave_readers`]) and says that it is back ([`Machine::after_wait`]) before it does anything else. For operations on
//! streams the stream asks for it, as only it knows whether its buffer will do ([`samite_stream::Blocking`]); all other calls go
//! through [`Machine::while_blocked`]. An operation on a stream that waits for a descriptor is given up when an event is due, with nothing
//! done ([`samite_stream::Stream::undone_if_interrupted`]), and made again when that has been handled.
//!
//! Only for builtins that are no inline ones, and hold on to no clause: they are at a safe point.

use crate::machine::Machine;
use samite_sched::readiness::{self, Ready};
use samite_stream::Blocking;
use std::cell::Cell;
use std::os::fd::BorrowedFd;
use std::ptr;

thread_local! {
    /// The machine whose operation on a stream this thread is in; null if there is none.
    static IN_STREAM: Cell<*mut Machine> = const { Cell::new(ptr::null_mut()) };
}

/// Frames that are looked through before what blocks rarely: it is not to become slow where recursion is deep.
const FEW_FRAMES: usize = 100;

/// To be called before streams are used.
pub(crate) fn init() {
    samite_stream::set_blocking_hook(hook);
}

fn hook(what: Blocking<'_>) -> bool {
    let m = IN_STREAM.get();
    if m.is_null() {
        return true;
    }
    // SAFETY: set by `in_stream`, which has the machine for itself and does not touch it before the operation has ended.
    let m = unsafe { &mut *m };
    match what {
        Blocking::Read(Some(from), may_give_up) => m.until_ready(from, Ready::Read, may_give_up),
        Blocking::Write(Some(to), may_give_up) => m.until_ready(to, Ready::Write, may_give_up),
        Blocking::Read(None, _) => {
            m.leave_readers();
            true
        }
        Blocking::Write(None, _) => {
            m.leave_readers_if(FEW_FRAMES);
            true
        }
        Blocking::Over => {
            m.after_wait();
            true
        }
    }
}

/// What [`IN_STREAM`] was before an operation, and is again when that ends, be it by a panic.
struct Outer(*mut Machine);

impl Drop for Outer {
    fn drop(&mut self) {
        IN_STREAM.set(self.0);
    }
}

impl Machine {
    /// Waits for a descriptor; `false` if an event wants the thread before that, and it may stop waiting.
    fn until_ready(&mut self, fd: BorrowedFd<'_>, what: Ready, may_give_up: bool) -> bool {
        if readiness::is_ready(fd, what) {
            return true;
        }
        self.leave_readers();
        // Else the call of the system waits.
        !may_give_up || self.attention.until_ready(fd, what).is_ok()
    }

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
