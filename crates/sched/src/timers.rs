//! Signals for later: a heap of deadlines, and one thread that sleeps until the first of them.
//!
//! A timer has its place in the thread's signals from the time it is set ([`ThreadControl::promise_signal`]), so that it needs no memory when it goes
//! off: what a program has filled cannot make its time limits deaf.
//!
//! *Equations* ([`State::verify`], while nobody has the lock):
//!
//! ```text
//! due   = the timers of `live` that have a deadline and have not gone off
//! own   = the timers of `live`, by thread
//! places promised of a thread = its timers in due
//! ```
//!
//! A timer is in `live` from [`Timers::set`] until it is stopped or its thread has ended, which is when all of that thread are forgotten, whatever
//! the number of others.
//!
//! Any thread may set and stop timers. The thread that lets them go off starts with the first one and ends when the program has no threads any more:
//!
//! ```text
//!          set(t)                      rest()                     the thread sees it
//!   none ----------> running --------------------------> resting --------------------> none
//!                       ^            no thread is left      |
//!                       +-----------------------------------+
//!                                      set(t)
//! ```

use crate::error::SchedError;
use crate::interrupt::Attention;
use crate::ready::Clockwork;
use crate::registry::{ThreadControl, ThreadId};
use crate::sync::{Bell, Lock};
use rustc_hash::FxHashMap;
use samite_term::common::{self, Held};
use samite_term::{Atom, HoldsAtoms, growth, walked};
use samite_world::clock;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

/// Runs a function on a new thread of the system, which calls nothing that is deep; `false` if there is none.
pub type Spawn = fn(Box<dyn FnOnce() + Send>) -> bool;

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
    live: FxHashMap<u64, Live>,
    own: BTreeSet<(ThreadId, u64)>,
    /// Light threads whose waits have an end. By number as the others, with which they have nothing else in common.
    waits: BTreeMap<(Instant, u64), Arc<Attention>>,
    last: u64,
    service: Service,
    /// Changes that were verified or could have been.
    #[cfg(debug_assertions)]
    changes: usize,
}

/// The thread that lets timers go off; see the module text.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Service {
    #[default]
    None,
    Running,
    Resting,
}

struct Timer {
    thread: Arc<ThreadControl>,
    goal: Held,
    overtakes: bool,
}

/// A timer that has not been stopped.
#[derive(Clone, Copy)]
struct Live {
    at: Option<Instant>,
    thread: ThreadId,
}

/// The end of a light thread's wait; see [`Timers::wake`].
#[derive(Clone, Copy, Debug)]
pub struct WaitEnd(Instant, u64);

/// Bytes of a timer, about: its places in the three tables.
const BYTES: usize = 4 * size_of::<((Instant, u64), Timer)>();

impl HoldsAtoms for Timers {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        let state = self.state.lock();
        state.due.values().for_each(|timer| timer.goal.each_atom(f));
    }
}

impl std::fmt::Debug for Timers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} timers", self.state.lock().due.len())
    }
}

impl State {
    /// When the first goes off.
    fn first(&self) -> Option<Instant> {
        let due = self.due.first_key_value().map(|(k, _)| k.0);
        let wait = self.waits.first_key_value().map(|(k, _)| k.0);
        due.into_iter().chain(wait).min()
    }
    /// Takes one away that is live. It goes off no more, if it has not.
    fn remove(&mut self, number: u64) -> bool {
        let Some(Live { at, thread }) = self.live.remove(&number) else {
            return false;
        };
        self.own.remove(&(thread, number));
        if let Some(timer) = at.and_then(|at| self.due.remove(&(at, number))) {
            timer.thread.withdraw_promise();
        }
        true
    }

    /// The first timer goes off, or the first wait ends, if its time has come.
    fn go_off(&mut self, now: Instant) -> bool {
        if self.first().is_none_or(|at| at > now) {
            return false;
        }
        if let Some(wait) = self.waits.first_entry()
            && wait.key().0 <= now
        {
            wait.remove().unpark();
            return true;
        }
        if let Some((_, t)) = self.due.pop_first() {
            t.thread.keep_promise(t.goal, t.overtakes);
        }
        self.changed();
        true
    }

    /// A change was made: checks the equations, in debug builds, and now and then only where there are many timers.
    fn changed(&mut self) {
        #[cfg(debug_assertions)]
        {
            self.changes += 1;
            if self.live.len() < 64 || self.changes.is_multiple_of(1 << 10) {
                self.verify();
            }
        }
    }

    /// Checks the equations of the module text. Panics with the first violation.
    #[cfg(debug_assertions)]
    fn verify(&self) {
        let mut promised: FxHashMap<ThreadId, usize> = FxHashMap::default();
        for ((at, number), timer) in &self.due {
            let live = self.live.get(number);
            assert!(
                live.is_some_and(|l| l.at == Some(*at) && l.thread == timer.thread.id()),
                "timer {number} is due and not live"
            );
            *promised.entry(timer.thread.id()).or_default() += 1;
        }
        for timer in self.due.values() {
            let id = timer.thread.id();
            assert_eq!(timer.thread.promised(), promised[&id], "places of {id:?}");
        }
        assert_eq!(self.own.len(), self.live.len());
        for (thread, number) in &self.own {
            let live = self.live.get(number);
            assert!(
                live.is_some_and(|l| l.thread == *thread),
                "timer {number} is another thread's"
            );
        }
    }
}

impl Timers {
    /// A number for a timer, of no other.
    pub fn number(&self) -> u64 {
        let mut state = self.state.lock();
        state.last += 1;
        state.last
    }

    /// Signals `goal` to a thread at a time; never, if there is none. `number` is a new one from [`Timers::number`]. Errors: `NoMemory`, and
    /// `TooManyThreads` if there is none to let it go off.
    pub fn set(
        self: &Arc<Self>,
        number: u64,
        at: Option<Instant>,
        thread: &Arc<ThreadControl>,
        goal: Held,
        overtakes: bool,
        spawn: Spawn,
    ) -> Result<(), SchedError> {
        let mut state = self.state.lock();
        if !growth::map_room(&mut state.live, |n| common::may_take(n, 0))
            || !common::may_take(BYTES, 0)
        {
            return Err(SchedError::NoMemory);
        }
        self.serve(&mut state, spawn)?;
        if let Some(at) = at {
            thread.promise_signal()?;
            walked::enter(&goal);
            let timer = Timer {
                thread: Arc::clone(thread),
                goal,
                overtakes,
            };
            let first = state.first().is_none_or(|t| at < t);
            state.due.insert((at, number), timer);
            if first {
                self.changed.ring();
            }
        }
        let thread = thread.id();
        state.own.insert((thread, number));
        state.live.insert(number, Live { at, thread });
        state.changed();
        Ok(())
    }

    /// There is a thread that lets timers go off, from now on.
    fn serve(self: &Arc<Self>, state: &mut State, spawn: Spawn) -> Result<(), SchedError> {
        // (A simulated clock has whoever moves it strike.)
        if state.service == Service::None && !samite_world::simulated::is_on() {
            let timers = Arc::clone(self);
            if !spawn(Box::new(move || timers.run())) {
                return Err(SchedError::TooManyThreads);
            }
        }
        state.service = Service::Running;
        Ok(())
    }

    /// Gets a light thread, which is about to be put away, to look again at what it waits for when this time has come. Errors as of [`Timers::set`].
    pub fn wake(
        self: &Arc<Self>,
        at: Instant,
        attention: &Arc<Attention>,
        spawn: Spawn,
    ) -> Result<WaitEnd, SchedError> {
        if !common::may_take(BYTES, 0) {
            return Err(SchedError::NoMemory);
        }
        let mut state = self.state.lock();
        self.serve(&mut state, spawn)?;
        state.last += 1;
        let number = state.last;
        let first = state.first().is_none_or(|t| at < t);
        state.waits.insert((at, number), attention.clone());
        if first {
            self.changed.ring();
        }
        Ok(WaitEnd(at, number))
    }
    /// It waits no longer.
    pub fn forget_wake(&self, WaitEnd(at, number): WaitEnd) {
        self.state.lock().waits.remove(&(at, number));
    }

    /// Stops a timer. False if that has been done: the goal that a timer signals asks so, and what was on its way then does nothing.
    pub fn stop(&self, number: u64) -> bool {
        let mut state = self.state.lock();
        let stopped = state.remove(number);
        state.changed();
        stopped
    }

    /// Whether a timer was set and has not been stopped.
    pub fn is_set(&self, number: u64) -> bool {
        self.state.lock().live.contains_key(&number)
    }

    /// A thread has ended, and its id is still its own: its timers go.
    pub(crate) fn forget(&self, thread: &ThreadControl) {
        let mut state = self.state.lock();
        let mine = |state: &State| {
            let mut own = state.own.range((thread.id(), 0)..=(thread.id(), u64::MAX));
            own.next().copied()
        };
        while let Some((_, number)) = mine(&state) {
            state.remove(number);
            state.changed();
        }
    }

    /// No thread is left, so no timer neither, unless new ones come meanwhile.
    pub(crate) fn rest(&self) {
        let mut state = self.state.lock();
        if state.service == Service::Running && state.live.is_empty() && state.waits.is_empty() {
            state.service = Service::Resting;
            self.changed.ring();
        }
    }

    fn run(&self) {
        let mut state = self.state.lock();
        loop {
            if state.service == Service::Resting {
                state.service = Service::None;
                return;
            }
            let now = clock::now();
            if !state.go_off(now) {
                let first = state.first().map(|at| at - now);
                state = self.changed.wait(state, first);
            }
        }
    }
}

impl Clockwork for Timers {
    fn first(&self) -> Option<Instant> {
        self.state.lock().first()
    }
    fn strike(&self) {
        let mut state = self.state.lock();
        while state.go_off(clock::now()) {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Registry, Status, ThreadOptions};
    use samite_term::Record;
    use std::time::Duration;

    fn thread(registry: &Registry) -> Arc<ThreadControl> {
        let made = registry.create_thread(ThreadOptions::default());
        made.expect("there is room")
    }

    fn set(registry: &Registry, thread: &Arc<ThreadControl>, at: Option<Instant>) -> u64 {
        let number = registry.timers.number();
        let goal = Held::new(Record::immediate(samite_term::Cell::small(1)));
        let spawn: Spawn = |f| std::thread::Builder::new().spawn(f).is_ok();
        let done = (registry.timers).set(number, at, thread, goal, false, spawn);
        done.expect("there is room");
        number
    }

    /// Set, stopped, gone off, and forgotten with their threads: nothing is left, of those that never go off neither. (Each step verifies.)
    #[test]
    fn what_ends_leaves_no_timer() {
        let registry = Registry::default();
        let (a, b) = (thread(&registry), thread(&registry));
        let late = Instant::now() + Duration::from_secs(1 << 20);
        for i in 0..200 {
            let own = [&a, &b][i % 2];
            let stopped = set(&registry, own, Some(late));
            set(&registry, own, Some(late));
            set(&registry, own, None);
            assert!(registry.timers.stop(stopped));
            assert!(!registry.timers.stop(stopped));
        }
        let soon = set(&registry, &a, Some(Instant::now()));
        while a.next_signal().is_none() {
            std::thread::yield_now();
        }
        assert!(registry.timers.stop(soon));
        set(&registry, &a, Some(Instant::now()));
        for t in [a, b] {
            t.conclude(Status::True);
            registry.finish(&t);
        }
        let state = registry.timers.state.lock();
        assert_eq!(
            (state.due.len(), state.live.len(), state.own.len()),
            (0, 0, 0)
        );
    }

    /// The end of a thread that has set nothing changes nothing, beside many timers of another one.
    #[cfg(debug_assertions)]
    #[test]
    fn who_has_set_none_looks_at_none() {
        let registry = Registry::default();
        let a = thread(&registry);
        let late = Instant::now() + Duration::from_secs(1 << 20);
        for _ in 0..10_000 {
            set(&registry, &a, Some(late));
        }
        let changes = registry.timers.state.lock().changes;
        for _ in 0..1_000 {
            let t = thread(&registry);
            t.conclude(Status::True);
            registry.finish(&t);
            registry
                .join(&a, crate::Reference::Handle(t.handle()))
                .expect("it has ended");
        }
        let state = registry.timers.state.lock();
        assert_eq!(state.changes, changes);
        assert_eq!(state.due.len(), 10_000);
    }
}
