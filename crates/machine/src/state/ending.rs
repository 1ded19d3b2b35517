//! How a program ends, whoever ends it: `halt/1` of any of its threads, or its host.
//!
//! ```text
//! status is settled once   ->   no thread runs another goal than those that end it
//! ```
//!
//! The process ends with the program only where it was made for it ([`Ending::set_ends_process`]): one of several programs, or one in a process that
//! does something else, ends alone.

use parking_lot::Mutex;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// See the module text.
#[derive(Debug, Default)]
pub struct Ending {
    status: OnceLock<i32>,
    /// The number of the thread that runs the goals of `at_halt/1`.
    pub(crate) runs_goals: Mutex<Option<u32>>,
    /// Ctrl-C has ended it: the process ends by the signal, so that whoever waits for it can see that.
    pub interrupted: AtomicBool,
    ends_process: AtomicBool,
}

impl Ending {
    /// The status that it is about to end with, once some thread has called `halt/1`.
    pub fn status(&self) -> Option<i32> {
        self.status.get().copied()
    }
    /// Settles the status; false if that has been done.
    pub(crate) fn settle(&self, status: i32) -> bool {
        self.status.set(status).is_ok()
    }
    /// The status, which is this one if none has been settled.
    pub(crate) fn status_or(&self, status: i32) -> i32 {
        *self.status.get_or_init(|| status)
    }
    /// Whether some thread runs the goals of `at_halt/1`: no other is to begin.
    pub(crate) fn has_begun(&self) -> bool {
        self.runs_goals.lock().is_some()
    }
    /// The process is the program's: when a thread other than the main one calls `halt/1`, the process ends even if the main thread does not.
    pub fn set_ends_process(&self) {
        // Relaxed, here and below: set before there are other threads.
        self.ends_process.store(true, Ordering::Relaxed);
    }
    pub(crate) fn ends_process(&self) -> bool {
        self.ends_process.load(Ordering::Relaxed)
    }
}
