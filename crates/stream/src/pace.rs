//! Lines of standard output that go out one by one where they are few: of so many in a moment the rest goes together, when the moment is over. Who reads a log, or waits for an
//! answer, sees each soon; who writes a file of a million lines does not call the system for each.
//!
//! *Equation*: if lines are held back, a thread is there that delivers them, after a moment, or they go with the next line of another moment, a full buffer, a read of standard
//! input or the end. (If the system has no thread left, these only.)

use crate::stream::Stream;
use crate::table::SharedStream;
use samite_sched::Exclusive;
use samite_sched::readiness::{Ready, is_ready};
use samite_world::{clock, threads};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

/// So many lines of a moment go out one by one.
const LINES: u32 = 64;
const MOMENT: Duration = Duration::from_millis(20);
/// The thread that delivers ends after so many moments without anything.
const IDLE: u32 = 50;
const STACK: usize = 128 << 10;

/// See the module text.
#[derive(Debug)]
pub(crate) struct Pace {
    begun: Instant,
    lines: u32,
    held: Arc<Held>,
}

/// What the stream and the thread that delivers have in common.
#[derive(Debug, Default)]
pub(crate) struct Held {
    lines: AtomicBool,
    /// Whether there is such a thread.
    tended: AtomicBool,
    stream: OnceLock<Weak<Exclusive<Stream>>>,
}

impl Pace {
    pub(crate) fn new() -> Pace {
        Pace {
            begun: clock::now(),
            lines: 0,
            held: Arc::default(),
        }
    }
    /// The stream that this is for, which others may lock.
    pub(crate) fn belongs_to(&self, stream: &SharedStream) {
        let _ = self.held.stream.set(Arc::downgrade(stream));
    }
    /// Whether a line that has ended goes out now.
    pub(crate) fn allows(&mut self) -> bool {
        if self.lines < LINES {
            self.lines += 1;
            return true;
        }
        let now = clock::now();
        let is_over = now.saturating_duration_since(self.begun) >= MOMENT;
        if is_over {
            (self.begun, self.lines) = (now, 1);
        } else {
            self.hold();
        }
        is_over
    }
    fn hold(&self) {
        // SeqCst, here and in `deliver`: one of the two sees what the other has set.
        self.held.lines.store(true, Ordering::SeqCst);
        if self.held.tended.swap(true, Ordering::SeqCst) {
            return;
        }
        let held = self.held.clone();
        if !threads::spawn("output", STACK, |_| false, move || held.deliver()) {
            self.held.tended.store(false, Ordering::SeqCst);
        }
    }
}

impl Held {
    /// The life of the thread that delivers.
    fn deliver(&self) {
        loop {
            self.deliver_some();
            self.tended.store(false, Ordering::SeqCst);
            // (Lines that were held back just then are this one's, unless there is another by now.)
            let is_over = self.stream().is_none() || !self.lines.load(Ordering::SeqCst);
            if is_over || self.tended.swap(true, Ordering::SeqCst) {
                return;
            }
        }
    }
    fn stream(&self) -> Option<SharedStream> {
        self.stream.get().and_then(Weak::upgrade)
    }
    /// Delivers until there has been nothing for a while, or the stream is gone.
    fn deliver_some(&self) {
        let mut idle = 0;
        while idle < IDLE {
            threads::sleep(MOMENT);
            idle += 1;
            if !self.lines.swap(false, Ordering::SeqCst) {
                continue;
            }
            idle = 0;
            let Some(stream) = self.stream() else {
                return;
            };
            // (Who has it locked writes more, or waits for room: then, and where there is none, it is for the next moment.)
            let done = stream.try_lock().is_some_and(|mut s| {
                s.fd().is_none_or(|fd| is_ready(fd, Ready::Write))
                    && s.deliver_before_wait().is_ok()
            });
            if !done {
                self.lines.store(true, Ordering::SeqCst);
            }
        }
    }
}
