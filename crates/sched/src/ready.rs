//! The light threads that are ready to run, and the OS threads that carry them.
//!
//! A program has up to `target` carriers that run light threads at a time. One that is about to block says so ([`crate::carrier`]), and another takes
//! over; when it goes on there are more for a while, until one of them comes for its next thread. Carriers are started when there is something for
//! them, and end when they have waited for that in vain for a while.
//!
//! ```text
//!            start             take                    blocks()
//!   (none) --------> coming ----------> running <-----------------> blocked
//!                      ^   waits in vain  |          goes_on()
//!              called  |     +------------+
//!                    idle <--+ --> ended
//! ```
//!
//! *Equations*, with the lock free:
//!
//! ```text
//! carriers = coming + running + idle + blocked, and each has a number
//! who takes a thread makes running ≤ target
//! if threads wait in line and running + coming < target, then one is coming, which calls the next when it takes a thread; or some run, and
//!   one of those put the last of them there, which will come back for it or be stopped at the next tick; or a carrier could not be had, and
//!   the ticker, or whoever comes next, asks for it again
//! ```
//!
//! Debug builds look at them whenever the lock is taken ([`Ready::lock`]).
//!
//! Threads of one priority run in the order in which they became ready; lower ones wait for higher ones, but [`AGE`] ticks at most.
//!
//! *Slices*: while threads wait in line, each tick stops those that have run since the tick before ([`Events::SLICE`]): they go to the end of the line at
//! their next safe point. The ticker sleeps when nothing has run for a while.
//!
//! *Counted slices* (Eskilson and Carlsson, *SICStus MT*, section 6): instead, a thread stops itself after so many calls ([`Ready::slice`]), there is one carrier, and what waits ages by the slices of others.
//! Threads with an OS thread of their own take turns with the light ones ([`crate::guest`]), so an execution is the same in each run, as far as it does not depend on
//! time and on what comes from outside.

mod counted;
mod simulated;

pub use simulated::{Calls, Clockwork};

use self::simulated::Simulated;
use crate::carrier::is_carrier;
use crate::guest::Guest;
use crate::interrupt::{Attention, Events};
use crate::sync::{AtomicU64, Bell, Lock, LockGuard};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// The longest that a thread runs while others wait, about.
const TICK: Duration = Duration::from_millis(2);
/// For how long a carrier waits for something to carry before it ends.
const LINGER: Duration = Duration::from_secs(2);
/// After so many ticks with nothing to stop the ticker sleeps.
const QUIET: u32 = 200;
/// A thread that has waited for so many ticks is next, whatever its priority.
const AGE: u64 = 50;
/// In a simulation a carrier without work looks so often whether all wait.
const LOOK: Duration = Duration::from_millis(1);

/// A thread that can be in line.
pub trait Runnable: Send + Sync + 'static {
    fn attention(&self) -> &Arc<Attention>;
    /// Higher ones run first.
    fn priority(&self) -> i32;
}

/// Makes OS threads; false if there is none.
pub type Spawn = fn(&str, Box<dyn FnOnce() + Send>) -> bool;

/// A carrier's number, of no other that is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number(usize);

/// Who is in line.
enum Entry<T> {
    Thread(Arc<T>),
    Guest(Arc<Guest>),
}

struct State<T> {
    simulated: Simulated,
    /// By priority, the highest first; when each became ready. Guests are of priority 0.
    lines: BTreeMap<Reverse<i32>, VecDeque<(Entry<T>, u64)>>,
    /// By the addresses of their attentions.
    guests: HashMap<usize, Arc<Guest>>,
    len: usize,
    target: usize,
    /// Started or called, and not here yet.
    coming: usize,
    /// Of these, how many were called out of those that sleep.
    called: usize,
    /// And of how many it is not known yet whether the system has an OS thread for them.
    starting: usize,
    running: usize,
    idle: usize,
    blocked: usize,
    /// What each carrier runs, and since when.
    runs: Vec<Option<Slot>>,
    /// Who came last into a line was put there by a carrier.
    own: bool,
    /// The last carrier that was asked for could not be had.
    refused: bool,
    closed: bool,
    now: u64,
    quiet: u32,
    ticker: Ticker,
    /// Slices are counted.
    counted: bool,
}

/// A number that is taken.
struct Slot {
    runs: Option<(Arc<Attention>, u64)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ticker {
    None,
    Ticking,
    Sleeping,
}

/// See the module text.
pub struct Ready<T> {
    state: Lock<State<T>>,
    bell: Bell,
    tick: Bell,
    spawn: Spawn,
    /// Calls in a slice; 0 if slices are times.
    calls: AtomicU64,
    /// What a carrier does: takes threads and runs them, until there are none.
    carry: fn(&Arc<Ready<T>>, Number),
    me: Weak<Ready<T>>,
}

impl<T: Runnable> Ready<T> {
    /// With nothing to run, for up to `target` carriers that run at a time.
    pub fn new(target: usize, spawn: Spawn, carry: fn(&Arc<Ready<T>>, Number)) -> Arc<Ready<T>> {
        Arc::new_cyclic(|me| Ready {
            state: Lock::new(State {
                simulated: Simulated::default(),
                lines: BTreeMap::new(),
                guests: HashMap::new(),
                len: 0,
                target,
                coming: 0,
                called: 0,
                starting: 0,
                running: 0,
                idle: 0,
                blocked: 0,
                runs: Vec::new(),
                own: false,
                refused: false,
                closed: false,
                now: 0,
                quiet: 0,
                ticker: Ticker::None,
                counted: false,
            }),
            calls: AtomicU64::new(0),
            bell: Bell::new(),
            tick: Bell::new(),
            spawn,
            carry,
            me: me.clone(),
        })
    }

    fn lock(&self) -> LockGuard<'_, State<T>> {
        let state = self.state.lock();
        if cfg!(debug_assertions) {
            state.verify();
        }
        state
    }

    /// Changes how many may run at a time; one where slices are counted.
    pub fn set_target(&self, target: usize) {
        let mut state = self.lock();
        state.target = match state.counted {
            true => 1,
            false => target.max(1),
        };
        self.call(state, 0);
    }
    /// Threads in line.
    pub fn len(&self) -> usize {
        self.lock().len
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A new thread is ready: it is the last in its line. False: there is no carrier, and none can be had; it is not in line then, and has not run.
    /// Any thread.
    pub fn begin(&self, thread: Arc<T>) -> bool {
        self.enter(Entry::Thread(thread.clone()));
        loop {
            let mut state = self.lock();
            if state.has_carriers() || state.closed {
                return true;
            }
            if state.starting > 0 {
                // Others ask for a carrier: what becomes of that is soon known.
                drop(state);
                std::thread::yield_now();
                continue;
            }
            // It may have run meanwhile, and others may be in line by now.
            let is_it = |other: &(Entry<T>, u64)| match &other.0 {
                Entry::Thread(other) => Arc::ptr_eq(other, &thread),
                Entry::Guest(_) => false,
            };
            let left = state.lines.values_mut().find_map(|line| {
                let at = line.iter().rposition(is_it)?;
                line.remove(at)
            });
            state.len -= usize::from(left.is_some());
            return left.is_none();
        }
    }

    /// A thread is ready again. If there is no carrier, the ticker goes on asking for one. Any thread.
    pub fn push(&self, thread: Arc<T>) {
        if !self.enter(Entry::Thread(thread)) {
            let mut state = self.lock();
            state.quiet = 0;
            self.tick.ring();
        }
    }

    fn enter(&self, entry: Entry<T>) -> bool {
        let mut state = self.lock();
        if state.closed {
            drop(state);
            entry.release();
            return true;
        }
        let now = state.now;
        let line = (state.lines).entry(Reverse(entry.priority())).or_default();
        if let Entry::Guest(guest) = &entry {
            guest.lines_up();
        }
        line.push_back((entry, now));
        state.len += 1;
        // A carrier comes back for it soon.
        state.own = state.running > 0 && is_carrier();
        let own = usize::from(state.own);
        self.call(state, own)
    }

    /// Gets a carrier to come if one is needed beside `own` others. False: it could not be had.
    fn call(&self, mut state: LockGuard<'_, State<T>>, own: usize) -> bool {
        // (In a simulation somebody has to see that all wait.)
        let has_watch = !simulated::is_on() || state.running + state.coming + state.idle > 0;
        let has_enough = state.len <= state.coming + own && has_watch;
        if has_enough || state.running + state.coming >= state.target {
            return true;
        }
        state.coming += 1;
        state.refused = false;
        if state.idle > 0 {
            state.idle -= 1;
            state.called += 1;
            drop(state);
            self.bell.ring();
            return true;
        }
        let free = state.runs.iter().position(Option::is_none);
        let number = free.unwrap_or(state.runs.len());
        if free.is_none() {
            state.runs.push(None);
        }
        state.runs[number] = Some(Slot { runs: None });
        state.starting += 1;
        drop(state);
        let started = self.me.upgrade().is_some_and(|me| {
            let name = format!("carrier-{}", number + 1);
            (self.spawn)(&name, Box::new(move || (me.carry)(&me, Number(number))))
        });
        let mut state = self.lock();
        state.starting -= 1;
        if started {
            return true;
        }
        state.coming -= 1;
        state.runs[number] = None;
        state.refused = true;
        false
    }

    // ---- carriers ----

    /// The first thread for a carrier, that has been started, or the next one: waits for it. `None`: the carrier is to end.
    pub fn take(&self, Number(me): Number, first: bool) -> Option<Arc<T>> {
        let mut state = self.lock();
        match first {
            true => state.coming -= 1,
            false => state.running -= 1,
        }
        if let Some(slot) = &mut state.runs[me] {
            slot.runs = None;
        }
        loop {
            if state.closed {
                state.runs[me] = None;
                return None;
            }
            if state.running < state.target
                && let Some(entry) = state.next()
            {
                state.running += 1;
                state.now += u64::from(state.counted);
                let now = state.now;
                let thread = match entry {
                    Entry::Thread(thread) => thread,
                    Entry::Guest(guest) => {
                        self.call(state, 0);
                        guest.lend();
                        self.turn_is_over();
                        state = self.lock();
                        state.running -= 1;
                        continue;
                    }
                };
                let runs = Some((thread.attention().clone(), now));
                state.runs[me] = Some(Slot { runs });
                self.begin_ticking(&mut state);
                // Others are in line: this one has its own.
                self.call(state, 0);
                return Some(thread);
            }
            if simulated::is_on() && state.all_wait() {
                state.running += 1;
                drop(state);
                let some = self.goes_on_at_next_deadline();
                state = self.lock();
                state.running -= 1;
                if some || state.len > 0 {
                    continue;
                }
            }
            state.idle += 1;
            let mut late = false;
            while state.called == 0 && !late && !state.closed {
                let began = samite_world::clock::now();
                if simulated::is_on() {
                    state = self.bell.wait(state, Some(LOOK));
                    break;
                }
                state = self.bell.wait(state, Some(LINGER));
                late = samite_world::clock::now().duration_since(began) >= LINGER;
            }
            if state.called > 0 {
                // Who has called has taken it from the idle ones.
                state.called -= 1;
                state.coming -= 1;
                continue;
            }
            state.idle -= 1;
            if simulated::is_on() && !state.closed {
                // It looks whether all wait by now.
                continue;
            }
            state.runs[me] = None;
            return None;
        }
    }

    fn begin_ticking(&self, state: &mut State<T>) {
        match state.ticker {
            Ticker::Ticking => {}
            Ticker::Sleeping => {
                state.quiet = 0;
                self.tick.ring();
            }
            Ticker::None => {
                let Some(me) = self.me.upgrade() else {
                    return;
                };
                // (Without one those that run end, or wait, some time.)
                if (self.spawn)("ticker", Box::new(move || me.run_ticker())) {
                    state.ticker = Ticker::Ticking;
                }
            }
        }
    }

    /// Ends all carriers: nothing runs any more, whatever is made ready.
    pub fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        for _ in 0..state.idle + state.called {
            self.bell.ring();
        }
        self.tick.ring();
        let lines = std::mem::take(&mut state.lines);
        state.len = 0;
        drop(state);
        let entries = lines.values().flatten();
        entries.for_each(|(entry, _)| entry.release());
        // (What they hold may take other locks to be given back.)
        drop(lines);
    }

    fn run_ticker(&self) {
        let mut state = self.lock();
        loop {
            if state.closed {
                state.ticker = Ticker::None;
                return;
            }
            let limit = match state.quiet < QUIET {
                true => Some(TICK),
                false => None,
            };
            state.ticker = match limit {
                Some(_) => Ticker::Ticking,
                None => Ticker::Sleeping,
            };
            state = self.tick.wait(state, limit);
            let counted = state.counted;
            state.now += u64::from(!counted);
            if state.len == 0 {
                state.quiet += u32::from(state.running == 0);
                continue;
            }
            state.quiet = 0;
            // (Where slices are counted it only sees to it that there is a carrier.)
            let now = if counted { 0 } else { state.now };
            let late = |(_, since): &&(Arc<Attention>, u64)| *since + 1 < now;
            let slots = state.runs.iter().flatten();
            let late = slots.filter_map(|s| s.runs.as_ref().filter(late));
            let late: Vec<_> = late.map(|(attention, _)| attention.clone()).collect();
            self.call(state, 0);
            // (Without the lock: it may be away by now.)
            late.iter().for_each(|a| a.raise(Events::SLICE));
            state = self.lock();
        }
    }
}

impl<T: Runnable> Ready<T> {
    /// The carrier is about to block, with the thread that it runs: another may run one meanwhile.
    pub fn blocks(&self, Number(me): Number) {
        let mut state = self.lock();
        state.running -= 1;
        state.blocked += 1;
        state.run_since(me, None);
        self.call(state, 0);
    }
    /// It runs on.
    pub fn goes_on(&self, Number(me): Number) {
        let mut state = self.lock();
        state.running += 1;
        state.blocked -= 1;
        let now = state.now;
        state.run_since(me, Some(now));
    }
}

impl<T: Runnable> Entry<T> {
    fn priority(&self) -> i32 {
        match self {
            Entry::Thread(thread) => thread.priority(),
            Entry::Guest(_) => 0,
        }
    }
}

impl<T> Entry<T> {
    /// It is not in line any more, and nobody takes it out.
    fn release(&self) {
        if let Entry::Guest(guest) = self {
            guest.release();
        }
    }
}

impl<T> State<T> {
    /// Checks the equations of numbers. Panics with the first violation.
    fn verify(&self) {
        let carriers = self.runs.iter().flatten().count();
        let counted = self.coming + self.running + self.idle + self.blocked;
        assert_eq!(counted, carriers, "carriers");
        assert!(self.called <= self.coming);
        let may_call = self.running + self.blocked + self.guests.len();
        assert!(
            self.simulated.calls() <= may_call,
            "more calls than OS threads"
        );
        let in_line: usize = self.lines.values().map(VecDeque::len).sum();
        assert_eq!(in_line, self.len, "threads in line");
        let wanted = self.len > 0 && self.running + self.coming < self.target && !self.closed;
        let comes = self.coming > 0 || self.own && self.running > 0 || self.refused;
        assert!(!wanted || comes, "nobody comes for threads in line");
    }
    /// Whether there is an OS thread that comes for who is in line, now or later.
    fn has_carriers(&self) -> bool {
        // (Those that were started may be here before who has started them is back.)
        (self.coming + self.running + self.idle + self.blocked) > self.starting
    }
    /// The thread of a carrier runs since then, or does not.
    fn run_since(&mut self, me: usize, since: Option<u64>) {
        if let Some(Slot { runs: Some(runs) }) = &mut self.runs[me] {
            runs.1 = since.unwrap_or(u64::MAX - 1);
        }
    }
    /// Takes the one whose turn it is out of its line.
    fn next(&mut self) -> Option<Entry<T>> {
        let now = self.now;
        let is_old =
            |line: &VecDeque<(Entry<T>, u64)>| line.front().is_some_and(|t| t.1 + AGE < now);
        let aged = match self.lines.len() {
            0 | 1 => None,
            _ => (self.lines.iter().rev().find(|(_, line)| is_old(line))).map(|(p, _)| *p),
        };
        let mut filled = self.lines.iter().filter(|(_, line)| !line.is_empty());
        let priority = aged.or_else(|| filled.next().map(|(p, _)| *p))?;
        let line = self.lines.get_mut(&priority)?;
        let thread = line.remove(simulated::place(line.len()));
        if line.is_empty() && self.lines.len() > 1 {
            self.lines.remove(&priority);
        }
        let (thread, _) = thread?;
        self.len -= 1;
        Some(thread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    struct Thread {
        attention: Arc<Attention>,
        number: usize,
        runs: AtomicUsize,
    }

    impl Runnable for Thread {
        fn attention(&self) -> &Arc<Attention> {
            &self.attention
        }
        fn priority(&self) -> i32 {
            (self.number % 3) as i32
        }
    }

    /// Runs each thread ten times; every seventh blocks, as a call of the system does.
    fn carry(ready: &Arc<Ready<Thread>>, me: Number) {
        let mut first = true;
        while let Some(thread) = ready.take(me, first) {
            first = false;
            if thread.number.is_multiple_of(7) {
                ready.blocks(me);
                std::thread::sleep(Duration::from_micros(200));
                ready.goes_on(me);
            }
            if thread.runs.fetch_add(1, Ordering::Relaxed) < 9 {
                ready.push(thread);
            } else {
                LEFT.fetch_sub(1, Ordering::Relaxed);
            }
        }
        CARRIERS.fetch_sub(1, Ordering::Relaxed);
    }

    static LEFT: AtomicUsize = AtomicUsize::new(0);
    static CARRIERS: AtomicUsize = AtomicUsize::new(0);

    #[test]
    fn each_is_run_as_often_as_it_is_ready() {
        let spawn: Spawn = |name, f| {
            CARRIERS.fetch_add(usize::from(name != "ticker"), Ordering::Relaxed);
            std::thread::Builder::new().spawn(f).is_ok()
        };
        let ready = Ready::new(3, spawn, carry);
        LEFT.store(800, Ordering::Relaxed);
        let all: Vec<Arc<Thread>> = (0..800)
            .map(|number| {
                Arc::new(Thread {
                    attention: Arc::new(Attention::new()),
                    number,
                    runs: AtomicUsize::new(0),
                })
            })
            .collect();
        std::thread::scope(|s| {
            for part in all.chunks(100) {
                let ready = ready.clone();
                s.spawn(move || part.iter().for_each(|t| assert!(ready.begin(t.clone()))));
            }
        });
        while LEFT.load(Ordering::Relaxed) > 0 {
            std::thread::yield_now();
        }
        assert!(all.iter().all(|t| t.runs.load(Ordering::Relaxed) == 10));
        assert!(ready.is_empty());
        ready.close();
        while CARRIERS.load(Ordering::Relaxed) > 0 {
            std::thread::yield_now();
        }
        let state = ready.state.lock();
        state.verify();
        assert_eq!(state.runs.iter().flatten().count(), 0);
    }

    #[test]
    fn without_carriers_nothing_begins() {
        let ready = Ready::new(1, |_, _| false, carry);
        let thread = Thread {
            attention: Arc::new(Attention::new()),
            number: 0,
            runs: AtomicUsize::new(0),
        };
        assert!(!ready.begin(Arc::new(thread)));
        assert!(ready.is_empty());
        ready.state.lock().verify();
    }

    /// More may run than before: each carrier that comes has another called as long as there is something for it.
    #[test]
    fn who_takes_one_of_several_calls_the_next() {
        static CALLED: AtomicUsize = AtomicUsize::new(0);
        let spawn: Spawn = |name, _| {
            CALLED.fetch_add(usize::from(name != "ticker"), Ordering::Relaxed);
            true
        };
        let called = || CALLED.load(Ordering::Relaxed);
        let ready = Ready::new(1, spawn, carry);
        for number in [0, 3, 6] {
            ready.push(Arc::new(Thread {
                attention: Arc::new(Attention::new()),
                number,
                runs: AtomicUsize::new(0),
            }));
        }
        assert_eq!(called(), 1);
        ready.set_target(3);
        let take = |number| ready.take(Number(number), true).map(|t| t.number);
        assert_eq!((called(), take(0)), (2, Some(0)));
        assert_eq!((called(), take(1)), (3, Some(3)));
        assert_eq!((called(), take(2)), (3, Some(6)));
        assert!(ready.is_empty());
    }

    /// Of two priorities the higher runs first, until the lower has waited for long.
    #[test]
    fn a_lower_priority_waits_and_does_not_starve() {
        let ready = Ready::new(1, |_, _| true, carry);
        let thread = |number| {
            Arc::new(Thread {
                attention: Arc::new(Attention::new()),
                number,
                runs: AtomicUsize::new(0),
            })
        };
        ready.push(thread(0));
        ready.push(thread(2));
        ready.push(thread(5));
        let next = |ready: &Ready<Thread>| match ready.state.lock().next() {
            Some(Entry::Thread(thread)) => Some(thread.number),
            _ => None,
        };
        assert_eq!(next(&ready), Some(2));
        ready.state.lock().now += AGE + 1;
        assert_eq!(next(&ready), Some(0));
        assert_eq!(next(&ready), Some(5));
        assert_eq!(next(&ready), None);
    }
}
