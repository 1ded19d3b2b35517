//! What asks for a thread's attention: pending events, the limit word polled at safe points, and sleep.
//!
//! Every Prolog thread has one [`Attention`]. Anybody may [`raise`](Attention::raise) an event in it; the owner notices
//! at its next safe point, because `raise` sets the limit that the machine compares its heap top with to 0, or at once
//! if it sleeps, because `raise` wakes it.
//!
//! ```text
//! word:   PARKED | TOKEN | POLLING | events
//!
//! raise(e)     events += e, limit := 0; rings the bell if PARKED         anybody
//! unpark()     TOKEN := 1;              rings the bell if PARKED         whoever changed what the owner waits for
//! park()       PARKED := 1; sleeps until TOKEN or a due event;           owner
//!              PARKED := 0, TOKEN := 0
//! take(e)      events -= e                                               owner
//! set_limit(v) limit := v; if an event is due, limit := 0                owner
//! mask(e)      e is not due for now; it stays pending                    owner
//! ```
//!
//! POLLING: see `readiness`. AWAY: see `light`.
//!
//! The owner may *lend* its OS thread to another Prolog thread, an engine, which may lend it on. The owner looks at nothing then: who raises
//! an event of it stops the one that runs, which gives the OS thread back at its next safe point or ends its wait.
//!
//! ```text
//! word:   LENT
//! lend(o)      runs := o; LENT := 1; stops o if an event is due          owner
//! take_back()  LENT := 0; runs := none                                   owner
//! raise(e)     as above; if LENT: raises WANTED or CALLED in `runs`, and in whom that has lent to    anybody
//!              (and INSIST, which reaches who must not stop)
//! ```
//!
//! A token is a hint: a thread that finds one left over from an earlier wait looks again and sleeps again.
//!
//! Invariants:
//! 1. *No event is overlooked*: when the owner has returned from `set_limit` and takes no event, then either the limit is 0 or no
//!    event is due, or a `raise` is still under way that will set the limit to 0. Argument: `raise` does an
//!    AcqRel read-modify-write of the word (A), then sets the limit to 0 (B); `set_limit` stores the limit (C), then reads the word
//!    by an AcqRel read-modify-write (D). A and D are ordered in the word's modification order. If A is first, D sees the event
//!    and the limit becomes 0. If D is first, A reads from D's release sequence, so C happens before B, and 0 is the
//!    later of the two in the limit's modification order. (A plain load in D would not do: C could still be
//!    in the store buffer.) That the poll is relaxed does not matter: had it read B's 0 and had the next `set_limit` still missed A,
//!    its C would come before B by the above, but after it by coherence.
//! 2. *No wake-up is lost*: the owner sets PARKED, and reads the word again and goes to sleep under the sleep lock; whoever sets a bit and
//!    finds PARKED takes that lock before ringing, so it rings when the owner sleeps or is about to read the word again. Whoever sets a
//!    bit and does not find PARKED comes before `park` in the word's order, which then sees the bit.
//!
//! 3. *No event waits for the end of an engine*: `raise` and `lend` are ordered by the word. If `raise` is first, `lend` sees the event and
//!    stops the other; if `lend` is, `raise` sees LENT and, under the lock, whom it was lent to. (Or a later one, who is stopped for
//!    nothing: its runner looks at its events in any case.)
//!
//! `raise` and `unpark` may be called from any thread, under any lock of this crate, but not from a POSIX signal handler
//! (they take a lock): let a thread wait for the signal and raise the event.

use crate::light::MaybeLight;
use crate::sync::{AtomicU32, AtomicUsize, Bell, Lock, Ordering};
use samite_world::clock;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A set of events.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Events(u32);

impl Events {
    pub const NONE: Events = Events(0);
    /// Goals wait in the thread's signal queue.
    pub const SIGNAL: Events = Events(1);
    /// The user asks what is going on (Ctrl-C).
    pub const INTERRUPT: Events = Events(1 << 1);
    /// The running goal is to be abandoned.
    pub const ABORT: Events = Events(1 << 2);
    /// The process is about to end.
    pub const HALT: Events = Events(1 << 3);
    /// Somebody asks for a collection of the thread's heap.
    pub const COLLECT: Events = Events(1 << 4);
    /// A timer tick. It does not wake a sleeper.
    pub const TICK: Events = Events(1 << 5);
    /// Whoever runs this thread (an engine) is to handle an event of its own: the thread stops for that.
    pub const WANTED: Events = Events(1 << 6);
    /// The same, for what any safe point answers.
    pub const CALLED: Events = Events(1 << 7);
    /// A light thread is to make way for others. It is masked by nobody, and ends no wait.
    pub const SLICE: Events = Events(1 << 8);
    /// The user has asked again, and the first time has not been heard: no handler and no atomic goal masks it.
    pub const INSIST: Events = Events(1 << 9);
    /// What the user asks for.
    pub const OF_USER: Events = Events::INTERRUPT.or(Events::INSIST);
    /// All of them.
    pub const ALL: Events = Events((1 << 10) - 1);
    /// What the thread's runner is asked for through it.
    pub const OF_RUNNER: Events = Events::WANTED.or(Events::CALLED);
    /// Those that end a wait.
    pub(crate) const WAKING: Events = Events::ALL.without(Events::TICK.or(Events::SLICE));
    /// What any safe point answers, whatever runs.
    const CALLS: Events = Events::COLLECT.or(Events::TICK);

    pub const fn and(self, other: Events) -> Events {
        Events(self.0 & other.0)
    }
    pub const fn or(self, other: Events) -> Events {
        Events(self.0 | other.0)
    }
    pub const fn without(self, other: Events) -> Events {
        Events(self.0 & !other.0)
    }
    pub(crate) const fn bits(self) -> u32 {
        self.0
    }
    /// For what a thread is stopped whose runner has these, and what reaches it where it must not stop.
    fn for_runner(events: Events) -> Events {
        let unmasked = Events::CALLS.or(Events::CALLED).or(Events::SLICE);
        let called = events.meets(unmasked);
        let wanted = !events.without(unmasked).is_empty();
        let stops = match (wanted, called) {
            (true, true) => Events::OF_RUNNER,
            (true, false) => Events::WANTED,
            (false, _) => Events::CALLED,
        };
        stops.or(events.and(Events::INSIST))
    }
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// Whether some event is in both sets.
    pub const fn meets(self, other: Events) -> bool {
        self.0 & other.0 != 0
    }
}

impl std::ops::BitOr for Events {
    type Output = Events;
    fn bitor(self, other: Events) -> Events {
        self.or(other)
    }
}

impl std::fmt::Debug for Events {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const NAMES: [(Events, &str); 10] = [
            (Events::SIGNAL, "SIGNAL"),
            (Events::INTERRUPT, "INTERRUPT"),
            (Events::ABORT, "ABORT"),
            (Events::HALT, "HALT"),
            (Events::COLLECT, "COLLECT"),
            (Events::TICK, "TICK"),
            (Events::WANTED, "WANTED"),
            (Events::CALLED, "CALLED"),
            (Events::SLICE, "SLICE"),
            (Events::INSIST, "INSIST"),
        ];
        let set = NAMES.iter().filter(|(e, _)| self.meets(*e));
        f.debug_set().entries(set.map(|(_, name)| name)).finish()
    }
}

/// Somebody changed what the owner waits for.
pub(crate) const TOKEN: u32 = 1 << 30;
/// The owner sleeps or is about to.
const PARKED: u32 = 1 << 31;
/// The owner waits for a descriptor, or is about to.
#[cfg(not(loom))]
const POLLING: u32 = 1 << 29;
/// The owner does not run: another thread does on its behalf.
const LENT: u32 = 1 << 28;
/// It is a light thread that waits, and that nobody runs: see `light`.
pub(crate) const AWAY: u32 = 1 << 27;

const _: () = assert!(Events::ALL.0 & (TOKEN | PARKED | 1 << 29 | LENT | AWAY) == 0);

/// A wait ended because an event is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

/// Where a thread's attention is caught; see the module text. Shared by `Arc`; one owner, any number of raisers.
///
/// The words that the owner polls are its first: those of two threads lie in different lines of the cache, as what follows is larger than one.
#[derive(Debug)]
#[repr(C)]
pub struct Attention {
    /// Polled by the owner. Nonzero values are only stored by `set_limit` (owner), 0 by anybody.
    limit: AtomicUsize,
    /// PARKED, TOKEN and pending events. Transitions: module text.
    pub(crate) word: AtomicU32,
    /// Events that are not due for now. Owner only.
    masked: AtomicU32,
    /// Held by the owner from setting PARKED until it sleeps.
    sleep: Lock<()>,
    bell: Bell,
    /// Who runs in the owner's place, while LENT.
    runs: Lock<Option<Arc<Attention>>>,
    #[cfg(not(loom))]
    alarm: crate::readiness::Alarm,
    /// Of a light thread: see `light`.
    pub(crate) light: MaybeLight,
}

const _: () = assert!(size_of::<Attention>() >= 64);

impl Default for Attention {
    fn default() -> Self {
        Attention::new()
    }
}

impl Attention {
    /// Nothing pending, nothing masked, limit 0: the owner sets it when it starts.
    pub fn new() -> Attention {
        Attention {
            limit: AtomicUsize::new(0),
            word: AtomicU32::new(0),
            masked: AtomicU32::new(0),
            sleep: Lock::new(()),
            bell: Bell::new(),
            runs: Lock::new(None),
            #[cfg(not(loom))]
            alarm: crate::readiness::Alarm::new(),
            light: MaybeLight::new(),
        }
    }

    // ---- anybody ----

    /// Makes `events` pending and gets the owner to notice. Any thread.
    pub fn raise(&self, events: Events) {
        if self.add(events) & LENT != 0 {
            self.pass_on(events);
        }
    }

    /// The word before.
    fn add(&self, events: Events) -> u32 {
        self.tell_scheduler(events);
        // AcqRel: A in invariant 1; release also publishes what the raiser wrote before to `take`.
        let old = self.word.fetch_or(events.0, Ordering::AcqRel);
        // Relaxed: B in invariant 1, ordered by the word.
        self.limit.store(0, Ordering::Relaxed);
        self.ring_if_parked(old);
        if !events.without(Events::CALLS.or(Events::SLICE)).is_empty() {
            self.call_back_if_away(old);
        }
        old
    }

    /// Stops who runs in the owner's place, and who runs in its.
    #[cold]
    fn pass_on(&self, events: Events) {
        let of_runner = Events::for_runner(events);
        let mut next = self.runs.lock().clone();
        while let Some(attention) = next {
            let lent = attention.add(of_runner) & LENT != 0;
            next = lent.then(|| attention.runs.lock().clone()).flatten();
        }
    }

    /// Gets the owner to look again at what it waits for. Any thread.
    pub(crate) fn unpark(&self) {
        self.tell_scheduler(Events::NONE);
        // AcqRel: pairs with the read-modify-writes of `park`.
        let old = self.word.fetch_or(TOKEN, Ordering::AcqRel);
        self.ring_if_parked(old);
        self.call_back_if_away(old);
    }

    /// Whoever schedules the owner is to know that it is about to wake, for these events, or if none by a token: before it hears of them, so that nobody but the
    /// caller sets it in line (`guest`).
    fn tell_scheduler(&self, events: Events) {
        // Relaxed: where it counts, one thread runs at a time.
        #[cfg(not(loom))]
        if self.word.load(Ordering::Relaxed) & PARKED != 0
            && (events.is_empty() || events.without(self.masked()).meets(Events::WAKING))
        {
            crate::carrier::woke(self);
        }
        #[cfg(loom)]
        let _ = events;
    }

    fn ring_if_parked(&self, old: u32) {
        #[cfg(not(loom))]
        if old & POLLING != 0 {
            self.alarm.ring();
        }
        if old & PARKED != 0 {
            drop(self.sleep.lock());
            self.bell.ring();
        }
    }

    /// The events that are pending, masked or not. Any thread; for others than the owner it is a snapshot.
    pub fn pending(&self) -> Events {
        // Acquire: pairs with `raise`.
        Events(self.word.load(Ordering::Acquire)).and(Events::ALL)
    }

    // ---- owner: at safe points ----

    /// The limit to compare the heap top with; 0 when an event wants attention.
    #[inline(always)]
    pub fn limit(&self) -> usize {
        // Relaxed: see the end of invariant 1.
        self.limit.load(Ordering::Relaxed)
    }

    /// Address of the limit word, for generated code.
    #[cfg(not(loom))]
    pub fn limit_address(&self) -> *const usize {
        self.limit.as_ptr()
    }

    /// Arms the limit, unless an event is due: then it is 0. Returns the due events. Owner only.
    pub fn set_limit(&self, limit: usize) -> Events {
        // Relaxed: C in invariant 1, ordered by the word.
        self.limit.store(limit, Ordering::Relaxed);
        if limit == 0 {
            // It is what an event would set it to.
            return self.due();
        }
        // AcqRel: D in invariant 1; it must be a read-modify-write.
        let due = self.due_of(self.word.fetch_or(0, Ordering::AcqRel));
        if !due.is_empty() {
            self.limit.store(0, Ordering::Relaxed);
        }
        due
    }

    /// Takes those of `events` that are pending and due. What belongs to an event (the goals of
    /// [`Events::SIGNAL`]) is to be fetched after taking it. Owner only.
    #[must_use]
    pub fn take(&self, events: Events) -> Events {
        let wanted = events.without(self.masked());
        // AcqRel: acquire pairs with `raise`; release keeps the word one release sequence.
        let old = self.word.fetch_and(!wanted.0, Ordering::AcqRel);
        Events(old).and(wanted)
    }

    /// Whether the user wants the thread to be interrupted, now that it can be. He is heard once, however often he has asked; also by who has masked the first time. Owner only.
    #[must_use]
    pub fn take_users(&self) -> bool {
        let due = self.due().meets(Events::OF_USER);
        if due {
            // AcqRel: as in `take`.
            self.word.fetch_and(!Events::OF_USER.0, Ordering::AcqRel);
        }
        due
    }

    /// Pending events that are not masked. Owner only.
    pub fn due(&self) -> Events {
        // Acquire: pairs with `raise`.
        self.due_of(self.word.load(Ordering::Acquire))
    }

    pub(crate) fn due_of(&self, word: u32) -> Events {
        Events(word).and(Events::ALL).without(self.masked())
    }

    /// Whether a due event forbids to go on waiting. Owner only.
    pub fn must_not_wait(&self) -> bool {
        self.due().meets(Events::WAKING)
    }

    /// The masked events. Owner only.
    pub fn masked(&self) -> Events {
        // Relaxed: only the owner reads and writes it.
        Events(self.masked.load(Ordering::Relaxed))
    }

    /// Sets which events are masked: they stay pending but are not due, and end no wait. Returns what was masked before,
    /// to be restored by another call. If an event becomes due, the limit is set to 0. Owner only.
    pub fn set_masked(&self, events: Events) -> Events {
        let old = self.masked();
        // Relaxed: only the owner reads and writes it.
        self.masked.store(events.0, Ordering::Relaxed);
        if !self.due().is_empty() {
            self.limit.store(0, Ordering::Relaxed);
        }
        old
    }

    // ---- owner: another thread runs in its place ----

    /// From now on `other` runs on the owner's behalf: it is stopped when an event is raised here. If some are due already, it is stopped at its
    /// first safe point. Owner only.
    pub fn lend(&self, other: &Arc<Attention>) {
        *self.runs.lock() = Some(other.clone());
        // AcqRel: invariant 3.
        let due = self.due_of(self.word.fetch_or(LENT, Ordering::AcqRel));
        if !due.is_empty() {
            other.raise(Events::for_runner(due));
        }
    }

    /// The owner runs again, and looks at its own events. Owner only.
    pub fn take_back(&self) {
        // AcqRel: invariant 3.
        self.word.fetch_and(!LENT, Ordering::AcqRel);
        *self.runs.lock() = None;
    }

    // ---- owner: waiting ----

    /// Sleeps until unparked, until an event is due, or until the deadline; may return early. Owner only, with no
    /// lock held.
    pub(crate) fn park(&self, deadline: Option<Instant>) {
        let ends = |word| word & TOKEN != 0 || self.due_of(word).meets(Events::WAKING);
        // AcqRel: invariant 2.
        let mut word = self.word.fetch_or(PARKED, Ordering::AcqRel);
        // (PARKED is there before others run in its place: who wakes it then can tell.)
        #[cfg(not(loom))]
        if samite_world::simulated::is_on() && past(deadline) {
            self.word.fetch_and(!(PARKED | TOKEN), Ordering::AcqRel);
            return;
        }
        #[cfg(not(loom))]
        let waits = (samite_world::simulated::is_on() && !ends(word))
            .then(|| crate::carrier::waiting(self, deadline))
            .flatten();
        #[cfg(not(loom))]
        let _blocking = (!ends(word)).then(crate::carrier::blocking);
        let mut guard = self.sleep.lock();
        // Acquire: pairs with `raise` and `unpark`, which may not have rung under the lock yet.
        word |= self.word.load(Ordering::Acquire);
        while !ends(word) {
            let left = deadline.map(|d| d.saturating_duration_since(clock::now()));
            #[cfg(not(loom))]
            let called = waits.as_ref().and_then(|w| w.is_called());
            #[cfg(loom)]
            let called: Option<bool> = None;
            if called.unwrap_or_else(|| left.is_some_and(|t| t.is_zero())) {
                break;
            }
            guard = self.bell.wait(guard, left.map(real));
            // Acquire: pairs with `raise` and `unpark`.
            word = self.word.load(Ordering::Acquire);
        }
        // AcqRel: what was written before a token that is lost here is seen by the caller, who looks again.
        self.word.fetch_and(!(PARKED | TOKEN), Ordering::AcqRel);
    }

    #[cfg(not(loom))]
    pub(crate) fn alarm(&self) -> &crate::readiness::Alarm {
        &self.alarm
    }

    /// Owner only.
    #[cfg(not(loom))]
    pub(crate) fn set_polling(&self, polling: bool) {
        // AcqRel: as PARKED in invariant 2.
        if polling {
            self.word.fetch_or(POLLING, Ordering::AcqRel);
        } else {
            self.word.fetch_and(!POLLING, Ordering::AcqRel);
        }
    }

    /// Sleeps until the deadline (without one: for ever), or until an event is due. A light thread is suspended. Owner only.
    pub fn sleep(&self, deadline: Option<Instant>) -> Result<(), Interrupted> {
        self.give_up_wait();
        loop {
            if self.must_not_wait() {
                return Err(Interrupted);
            }
            if past(deadline) {
                return Ok(());
            }
            if self.suspend(deadline, || None) {
                return Err(Interrupted);
            }
            self.park(deadline);
        }
    }
}

/// For how long to sleep until that time has passed, at most: where it is simulated it passes when others wait.
fn real(time: Duration) -> Duration {
    const LOOK: Duration = Duration::from_millis(1);
    match samite_world::simulated::is_on() {
        true => LOOK,
        false => time,
    }
}

/// Whether there is a deadline and it has passed.
pub(crate) fn past(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|d| d <= clock::now())
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn raising_zeroes_the_limit_until_the_event_is_taken() {
        let a = Attention::new();
        assert!(a.set_limit(100).is_empty());
        a.raise(Events::SIGNAL);
        assert_eq!(a.limit(), 0);
        assert_eq!(a.set_limit(100), Events::SIGNAL);
        assert_eq!(a.limit(), 0);
        assert_eq!(a.take(Events::ALL), Events::SIGNAL);
        assert!(a.set_limit(100).is_empty());
        assert_eq!(a.limit(), 100);
    }

    #[test]
    fn who_insists_is_heard_once() {
        let a = Attention::new();
        let old = a.set_masked(Events::INTERRUPT);
        a.raise(Events::INTERRUPT);
        assert!(!a.take_users());
        a.raise(Events::INSIST);
        assert!(a.take_users());
        a.set_masked(old);
        assert!(!a.take_users());
        assert_eq!(a.pending(), Events::NONE);
    }

    #[test]
    fn a_masked_event_waits_for_its_unmasking() {
        let a = Attention::new();
        let old = a.set_masked(Events::SIGNAL);
        a.raise(Events::SIGNAL | Events::TICK);
        assert_eq!(a.take(Events::ALL), Events::TICK);
        assert!(a.set_limit(100).is_empty());
        assert_eq!(a.pending(), Events::SIGNAL);
        assert_eq!(a.set_masked(old), Events::SIGNAL);
        assert_eq!(a.limit(), 0);
        assert_eq!(a.take(Events::ALL), Events::SIGNAL);
    }

    #[test]
    fn an_event_stops_whom_the_owner_has_lent_to() {
        let [a, b, c] = [(); 3].map(|()| Arc::new(Attention::new()));
        a.lend(&b);
        b.lend(&c);
        assert!(c.set_limit(100).is_empty());
        a.raise(Events::SIGNAL);
        assert_eq!((b.limit(), c.limit()), (0, 0));
        assert_eq!(c.take(Events::ALL), Events::WANTED);
        a.raise(Events::TICK);
        assert_eq!(c.take(Events::ALL), Events::CALLED);
        b.raise(Events::COLLECT);
        assert_eq!(c.take(Events::ALL), Events::CALLED);
        b.take_back();
        assert_eq!(b.take(Events::OF_RUNNER), Events::OF_RUNNER);
        b.raise(Events::SIGNAL);
        assert!(c.set_limit(100).is_empty());
        // What was due before is seen, too.
        b.lend(&c);
        assert_eq!(c.set_limit(100), Events::OF_RUNNER);
        b.take_back();
        a.take_back();
        assert_eq!(a.take(Events::ALL), Events::SIGNAL | Events::TICK);
        assert_eq!(c.take(Events::ALL), Events::OF_RUNNER);
        a.raise(Events::ABORT);
        assert!(c.set_limit(100).is_empty());
    }

    #[test]
    fn an_event_ends_sleep_but_a_tick_does_not() {
        let a = Arc::new(Attention::new());
        a.raise(Events::TICK);
        let soon = Instant::now() + Duration::from_millis(20);
        assert_eq!(a.sleep(Some(soon)), Ok(()));
        assert!(Instant::now() >= soon);
        let b = a.clone();
        let raiser = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            b.raise(Events::ABORT);
        });
        assert_eq!(a.sleep(None), Err(Interrupted));
        raiser.join().unwrap();
    }
}
