//! Signals for later: a heap of deadlines, and one thread that sleeps until the first of them.
//!
//! A timer has its place in the thread's signals from the time it is set ([`ThreadControl::promise_signal`]), so that it needs no memory when it goes
//! off: what a program has filled cannot make its time limits deaf.
//!
//! *Equations*: a timer is in `due` from [`Timers::set`] until it goes off or is stopped, in `live` until it is stopped; for each thread the places
//! promised are its timers in `due`.
//!
//! Any thread may set and stop timers. The thread that lets them go off starts with the first one and ends with the process.

use crate::error::SchedError;
use crate::registry::ThreadControl;
use crate::sync::{Bell, Lock};
use rustc_hash::FxHashMap;
use samite_term::common::{self, Held};
use samite_term::growth;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// Bytes of the stack of the thread: it calls nothing that is deep.
const STACK: usize = 128 << 10;

/// See the module text.
pub struct Timers {
    state: Lock<State>,
    changed: Bell,
}

impl Default for Timers {
    fn default() -> Timers {
        Timers {
            state: Lock::new(State::default()),
            changed: Bell::new(),
        }
    }
}

#[derive(Default)]
struct State {
    due: BTreeMap<(Instant, u64), Timer>,
    /// Those that have not been stopped, with their deadlines.
    live: FxHashMap<u64, Option<Instant>>,
    last: u64,
    runs: bool,
}

struct Timer {
    thread: Arc<ThreadControl>,
    goal: Held,
    overtakes: bool,
}

impl std::fmt::Debug for Timers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} timers", self.state.lock().due.len())
    }
}

impl Timers {
    /// A number for a timer, of no other.
    pub fn number(&self) -> u64 {
        let mut state = self.state.lock();
        state.last += 1;
        state.last
    }

    /// Signals `goal` to a thread at a time; never, if there is none. `number` is a new one from [`Timers::number`].
    pub fn set(
        self: &Arc<Self>,
        number: u64,
        at: Option<Instant>,
        thread: &Arc<ThreadControl>,
        goal: Held,
        overtakes: bool,
    ) -> Result<(), SchedError> {
        let mut state = self.state.lock();
        if !growth::map_room(&mut state.live, |n| common::may_take(n, 0))
            || !common::may_take(4 * size_of::<((Instant, u64), Timer)>(), 0)
        {
            return Err(SchedError::NoMemory);
        }
        if !state.runs {
            let timers = Arc::clone(self);
            std::thread::Builder::new()
                .name("timers".into())
                .stack_size(STACK)
                .spawn(move || timers.run())
                .map_err(|_| SchedError::NoMemory)?;
            state.runs = true;
        }
        if let Some(at) = at {
            thread.promise_signal()?;
            let timer = Timer {
                thread: Arc::clone(thread),
                goal,
                overtakes,
            };
            let first = state.due.first_key_value().is_none_or(|(k, _)| at < k.0);
            state.due.insert((at, number), timer);
            if first {
                self.changed.ring();
            }
        }
        state.live.insert(number, at);
        Ok(())
    }

    /// Stops a timer. False if that has been done: the goal that a timer signals asks so, and what was on its way then does nothing.
    pub fn stop(&self, number: u64) -> bool {
        let mut state = self.state.lock();
        let Some(at) = state.live.remove(&number) else {
            return false;
        };
        let timer = at.and_then(|at| state.due.remove(&(at, number)));
        drop(state);
        if let Some(t) = timer {
            t.thread.withdraw_promise();
        }
        true
    }

    /// Whether a timer was set and has not been stopped.
    pub fn is_set(&self, number: u64) -> bool {
        self.state.lock().live.contains_key(&number)
    }

    /// A thread has ended: its timers go. (A walk over those of all threads.)
    pub fn forget(&self, thread: &ThreadControl) {
        let mut state = self.state.lock();
        let State { due, live, .. } = &mut *state;
        due.retain(|(_, number), t| {
            let stays = !std::ptr::eq(&raw const *t.thread, thread);
            if !stays {
                live.remove(number);
            }
            stays
        });
    }

    fn run(&self) {
        let mut state = self.state.lock();
        loop {
            let now = Instant::now();
            let first = state.due.first_key_value().map(|(k, _)| k.0);
            match first {
                Some(at) if at <= now => {
                    let popped = state.due.pop_first();
                    drop(state);
                    if let Some((_, t)) = popped {
                        t.thread.keep_promise(t.goal, t.overtakes);
                    }
                    state = self.state.lock();
                }
                first => state = self.changed.wait(state, first.map(|at| at - now)),
            }
        }
    }
}
