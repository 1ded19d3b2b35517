//! Threads with OS threads of their own where slices are counted: they run in their turn, as the light ones do, one of all of them at a time.
//!
//! Eskilson and Carlsson (*SICStus MT*, section 6) count procedure calls instead of time, so that an execution can be repeated. Then the order in which threads are
//! set in line must not depend on time either: *whoever sets a thread in line has its turn meanwhile*. A guest is in the same line as light threads. The carrier that takes it
//! lends it its own turn and waits until the guest gives it back:
//!
//! ```text
//!            line up             the carrier lends              make way
//!  (made) ------------> in line -------------------> runs ----------------> in line
//!                          ^                           | blocks
//!                          +---------- away <----------+            runs --> over
//!              woken by who runs, or has woken by itself
//! ```
//!
//! *Invariants*: 1. A guest that is in line or away does nothing that others may notice. 2. A carrier that has lent its turn takes the next thread when the guest
//! does not run. 3. Who sets a guest that is away in line is the thread that runs and has what it waits for, if it is one of these ([`Guest::call`]); else (time, a
//! descriptor) it does so itself, as soon as it has woken: what depends on these is not the same in each run.
//!
//! Nobody lends a turn where no carrier can be had, or all have ended: a guest runs on then ([`Guest::release`]).

use crate::carrier::{self, Carrier};
use crate::interrupt::Attention;
use crate::ready::{Calls, Ready, Runnable};
use crate::sync::{Bell, Lock};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    InLine,
    Runs,
    Away,
    Over,
}

/// See the module text.
pub struct Guest {
    attention: Arc<Attention>,
    state: Lock<State>,
    /// It may run, or runs no longer: one of the two sleeps on each.
    turn: Bell,
    back: Bell,
}

impl Guest {
    /// One that is to be set in line.
    pub fn new(attention: &Arc<Attention>) -> Arc<Guest> {
        Arc::new(Guest {
            attention: attention.clone(),
            state: Lock::new(State::InLine),
            turn: Bell::new(),
            back: Bell::new(),
        })
    }
    pub fn attention(&self) -> &Arc<Attention> {
        &self.attention
    }
    fn set(&self, to: State) {
        *self.state.lock() = to;
        self.turn.ring();
        self.back.ring();
    }

    // ---- who runs it, or runs ----

    /// Lends it the calling carrier's turn, if it is in line.
    pub fn lend(&self) {
        let mut state = self.state.lock();
        if *state != State::InLine {
            return;
        }
        *state = State::Runs;
        self.turn.ring();
        while *state == State::Runs {
            state = self.back.wait(state, None);
        }
    }
    /// What it waits for is there. True: the caller is to set it in line.
    pub fn call(&self) -> bool {
        let mut state = self.state.lock();
        let is_away = *state == State::Away;
        if is_away {
            *state = State::InLine;
        }
        is_away
    }
    /// It has been set in line, by itself if it runs: its turn is over. Under the lock of the line, so that it is in line when its state says so.
    pub fn lines_up(&self) {
        self.set(State::InLine);
    }
    /// It is in line in vain, and runs.
    pub fn release(&self) {
        let mut state = self.state.lock();
        if *state == State::InLine {
            *state = State::Runs;
            self.turn.ring();
        }
    }

    // ---- its own OS thread ----

    fn await_turn(&self) {
        let mut state = self.state.lock();
        while *state == State::InLine {
            state = self.turn.wait(state, None);
        }
    }
}

/// What the OS thread of a guest does at its waits.
struct Waits<T> {
    guest: Arc<Guest>,
    ready: Arc<Ready<T>>,
    calls: Calls,
}

impl<T: Runnable> Carrier for Waits<T> {
    fn carries(&self) -> bool {
        false
    }
    fn blocks(&self) {
        self.calls.blocks(&self.ready, true);
        self.guest.set(State::Away);
    }
    fn goes_on(&self) {
        self.calls.blocks(&self.ready, false);
        if self.guest.call() {
            self.ready.line_up(&self.guest);
        }
        self.guest.await_turn();
    }
    fn others_wait(&self) -> bool {
        self.ready.others_wait()
    }
    fn make_way(&self) {
        self.ready.line_up(&self.guest);
        self.guest.await_turn();
    }
    fn woke(&self, whom: &Attention) {
        self.ready.woke(whom);
    }
    fn waits(&self, whom: &Attention, until: Option<Instant>) {
        (self.calls).waits(&self.ready, Some(&self.guest), whom, until);
    }
    fn is_called(&self) -> Option<bool> {
        Some(*self.guest.state.lock() != State::Away)
    }
    fn has_waited(&self) {
        self.calls.has_waited(&self.ready, Some(&self.guest));
    }
}

/// A thread's place among those that take turns. It is given up when this is dropped.
pub struct Visit<T: Runnable> {
    guest: Arc<Guest>,
    ready: Arc<Ready<T>>,
    entered: bool,
}

impl<T: Runnable> Visit<T> {
    pub(crate) fn new(guest: Arc<Guest>, ready: Arc<Ready<T>>) -> Visit<T> {
        Visit {
            guest,
            ready,
            entered: false,
        }
    }
    /// The calling OS thread is the guest's from now on, and waits for its turn.
    pub fn enter(mut self) -> Visit<T> {
        self.entered = true;
        carrier::set_carrier(Some(Rc::new(Waits {
            guest: self.guest.clone(),
            ready: self.ready.clone(),
            calls: Calls::default(),
        })));
        self.guest.await_turn();
        self
    }
    /// As [`Visit::enter`], for as long as the OS thread is there.
    pub fn stay(self) {
        std::mem::forget(self.enter());
    }
}

impl<T: Runnable> Drop for Visit<T> {
    fn drop(&mut self) {
        if self.entered {
            carrier::set_carrier(None);
        }
        self.ready.forget(&self.guest);
        self.guest.set(State::Over);
    }
}
