//! Scheduling in a simulated world ([`samite_world::simulated`]): who is next, for how long it runs, and when time passes come from the seed.
//!
//! Some time passes with each turn. When all threads wait, time goes on at once to the first moment that one of them waits for. Whatever has its time then happens before the
//! next thread runs, in the order of the times: timers, and the waits of threads.
//!
//! *Equation*, with the lock free: `calls` = OS threads that take turns, or carry light threads, and are in a call of the system which is no wait for
//! other threads or for time. While there are any, time does not go on by itself: nobody knows for how long they take.

use super::counted::address;
use super::{Ready, Runnable, State};
use crate::guest::Guest;
use crate::interrupt::Attention;
use samite_world::{clock, simulated};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(super) use samite_world::simulated::is_on;

/// What happens at certain times, but for the waits of OS threads.
pub trait Clockwork: Send + Sync {
    /// When the first thing happens.
    fn first(&self) -> Option<Instant>;
    /// It is now: does all whose time has come.
    fn strike(&self);
}

/// How much time passes with a turn: this, doubled so often at most. (Some 4 ms in the mean, so that limits of all sizes end something.)
const TURN: Duration = Duration::from_micros(1);
const DOUBLINGS: u64 = 16;

/// The slice of a simulated run: mostly short, so that threads meet everywhere.
pub(super) fn slice(calls: u64) -> u64 {
    if !is_on() {
        return calls;
    }
    let scale = simulated::below(11);
    1 + simulated::below(1 << scale)
}

/// Which of so many in line is next.
pub(super) fn place(len: usize) -> usize {
    match is_on() && len > 1 {
        true => simulated::below(len as u64) as usize,
        false => 0,
    }
}

/// What the scheduler knows of time.
#[derive(Default)]
pub(super) struct Simulated {
    clock: Option<Arc<dyn Clockwork>>,
    /// OS threads whose waits have an end, by number; guests are set in line then.
    waits: BTreeMap<(Instant, u64), Option<Arc<Guest>>>,
    last: u64,
    calls: usize,
}

impl Simulated {
    pub fn set_clock(&mut self, clock: Arc<dyn Clockwork>) {
        self.clock = Some(clock);
    }
    pub fn calls(&self) -> usize {
        self.calls
    }
    /// An OS thread is in a call that may block, or is so no longer.
    fn in_call(&mut self, is: bool) {
        match is {
            true => self.calls += 1,
            false => self.calls -= 1,
        }
    }
}

impl<T> State<T> {
    /// Nobody is ready, and nobody is away but to wait for others, or for time.
    pub(super) fn all_wait(&self) -> bool {
        self.running == 0 && self.len == 0 && self.simulated.calls == 0
    }
}

/// The wait of an OS thread.
#[derive(Clone, Copy)]
struct Wait {
    number: u64,
    until: Option<Instant>,
    attention: usize,
    /// It had said that it blocks when the wait began.
    in_call: bool,
}

/// What an OS thread that carries light threads, or takes turns with them, has said of its calls and waits. Nothing, where the world is not simulated.
#[derive(Default)]
pub struct Calls {
    blocks: Cell<bool>,
    wait: Cell<Option<Wait>>,
}

impl Calls {
    /// It is in a call that may block, or is so no longer.
    pub fn blocks<T: Runnable>(&self, ready: &Ready<T>, is: bool) {
        self.blocks.set(is);
        if is_on() && self.wait.get().is_none() {
            ready.lock().simulated.in_call(is);
        }
    }
    /// It is about to wait for others, or until then: a carrier, or this guest, by this attention, which may be an engine's.
    pub fn waits<T: Runnable>(
        &self,
        ready: &Ready<T>,
        guest: Option<&Arc<Guest>>,
        attention: &Attention,
        until: Option<Instant>,
    ) {
        let mut state = ready.lock();
        let attention = address(attention);
        if let Some(guest) = guest {
            state.guests.insert(attention, guest.clone());
        }
        let in_call = self.blocks.get();
        let sim = &mut state.simulated;
        sim.last += 1;
        let number = sim.last;
        if let Some(until) = until {
            sim.waits.insert((until, number), guest.cloned());
        }
        if in_call {
            sim.in_call(false);
        }
        self.wait.set(Some(Wait {
            number,
            until,
            attention,
            in_call,
        }));
    }
    /// That wait is over.
    pub fn has_waited<T: Runnable>(&self, ready: &Ready<T>, guest: Option<&Arc<Guest>>) {
        let Some(wait) = self.wait.take() else {
            return;
        };
        let mut state = ready.lock();
        if guest.is_some_and(|g| address(g.attention()) != wait.attention) {
            state.guests.remove(&wait.attention);
        }
        if let Some(until) = wait.until {
            state.simulated.waits.remove(&(until, wait.number));
        }
        if wait.in_call {
            state.simulated.in_call(true);
        }
    }
}

impl<T: Runnable> Ready<T> {
    /// A turn is over: some time has passed, if the world is simulated. Who calls has the next one, or had this.
    pub fn turn_is_over(&self) {
        if !is_on() {
            return;
        }
        simulated::advance(TURN * (1 << simulated::below(DOUBLINGS)));
        self.strike();
    }
    /// All wait: it is the time now that the first of them waits for. False: none waits for that.
    pub(super) fn goes_on_at_next_deadline(&self) -> bool {
        let state = self.lock();
        let wait = state.simulated.waits.first_key_value();
        let wait = wait.map(|((at, _), _)| *at);
        let clock = state.simulated.clock.clone();
        drop(state);
        let timer = clock.and_then(|clock| clock.first());
        let Some(first) = wait.into_iter().chain(timer).min() else {
            return false;
        };
        // (A clock is read a little later than the time that was waited for.)
        simulated::advance_to(first + TURN);
        self.strike();
        true
    }
    /// Does what has its time now.
    fn strike(&self) {
        let clock = self.lock().simulated.clock.clone();
        if let Some(clock) = clock {
            clock.strike();
        }
        let now = clock::now();
        loop {
            let mut state = self.lock();
            let first = state.simulated.waits.first_entry();
            let Some(entry) = first.filter(|e| e.key().0 <= now) else {
                return;
            };
            let guest = entry.remove();
            drop(state);
            // (A carrier looks at the time by itself.)
            if let Some(guest) = guest
                && guest.call()
            {
                self.line_up(&guest);
            }
        }
    }
}
