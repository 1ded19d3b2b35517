//! Misuse of the heap: what is reported, and what happens then.
//!
//! A fault is reported once it is found, on standard error, without allocating; then the process aborts, unless the option
//! `ON_FAULT` or a hook says otherwise. An operation that is found faulty does nothing.
//!
//! Not all of it is found: outside of hardened mode the start of a block that was carved and never handed out is taken for one that is in use.

use crate::config::{OnFault, on_fault};
use core::fmt::Write;
use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Fault {
    /// A block was freed that is free already.
    DoubleFree = 1,
    /// An address was freed or resized that is not the start of a block in use.
    InvalidPointer = 2,
    /// A free list or a descriptor is not as it was left.
    Corruption = 3,
    /// A sized deallocation named a size that is not the block's.
    WrongSize = 4,
}

impl Fault {
    /// The fault in words.
    pub fn name(self) -> &'static str {
        match self {
            Fault::DoubleFree => "double free",
            Fault::InvalidPointer => "invalid pointer",
            Fault::Corruption => "heap corruption",
            Fault::WrongSize => "wrong size",
        }
    }
}

/// Called with a fault and the address in question; `true` if it has been dealt with and the process may go on. It may
/// allocate, and must return: the heap of its thread may be in the middle of an operation, and stays so otherwise.
pub type Hook = extern "C" fn(fault: i32, address: *const core::ffi::c_void) -> bool;

static HOOK: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());
static FAULTS: AtomicU64 = AtomicU64::new(0);

/// Sets the hook; `None` removes it.
pub fn set_hook(hook: Option<Hook>) {
    let p = hook.map_or(ptr::null_mut(), |h| h as *mut ());
    // Release, paired with the acquire in `report`: what the hook refers to was made before.
    HOOK.store(p, Ordering::Release);
}

/// Faults found so far.
pub fn count() -> u64 {
    FAULTS.load(Ordering::Relaxed)
}

/// A line of text on the stack; what does not fit is cut off.
pub(crate) struct Line {
    text: [u8; 160],
    len: usize,
}

impl Line {
    pub(crate) const fn new() -> Line {
        Line {
            text: [0; 160],
            len: 0,
        }
    }
    /// Writes the text to a file descriptor.
    pub(crate) fn send(&self, fd: i32) {
        // SAFETY: the text is initialised up to its length.
        unsafe { libc::write(fd, self.text.as_ptr().cast(), self.len) };
    }
}

impl Write for Line {
    fn write_str(&mut self, s: &str) -> core::fmt::Result {
        let n = s.len().min(self.text.len() - self.len);
        if let (Some(to), Some(from)) = (
            self.text.get_mut(self.len..self.len + n),
            s.as_bytes().get(..n),
        ) {
            to.copy_from_slice(from);
            self.len += n;
        }
        Ok(())
    }
}

/// Reports a fault. Returns if the process is to go on.
#[cold]
#[inline(never)]
pub fn report<T>(fault: Fault, address: *const T) {
    FAULTS.fetch_add(1, Ordering::Relaxed);
    let hook = HOOK.load(Ordering::Acquire);
    if !hook.is_null() {
        // SAFETY: only `set_hook` stores there.
        let hook = unsafe { core::mem::transmute::<*mut (), Hook>(hook) };
        if hook(fault as i32, address.cast()) {
            return;
        }
    }
    let action = on_fault();
    if action == OnFault::Ignore {
        return;
    }
    let mut line = Line::new();
    let _ = writeln!(
        line,
        "samite-malloc: {}: {:#x}",
        fault.name(),
        address.addr()
    );
    line.send(2);
    if action == OnFault::Abort {
        // SAFETY: no preconditions.
        unsafe { libc::abort() };
    }
}
