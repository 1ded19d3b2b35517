//! The goals of signals: which end what runs, which may not be broken off by what.
//!
//! Signals run one after another, in order. *Who has sent one hears of it*: what its goal throws is on its way to whoever catches it, and nothing that was sent before, and
//! would be caught further in, takes its place. So the goal of a signal, one that throws and nothing else, and an exception that is found to be disturbed
//! by events on its way are masked alike ([`Worker::mask_signals`]): others wait, but for those that overtake. A time limit is one of these if it was set since. One that was there before
//! waits for the end, which is not its business, but not for longer than [`PATIENCE`]: of the way of an exception as long as the catches between two handlers take, which are masked anyhow, that is next to nothing
//! as a rule.
//!
//! Used by safe points, by `long`, and by what sends signals.

use crate::engine::os_thread;
use crate::engine::worker::Worker;
use samite_term::common::Held;
use samite_term::{Atom, Cell, Functor, Record, RecordBuilder, Tag, View, atoms};
use samite_world::clock;
use std::time::{Duration, Instant};

/// So long after its beginning the goal of a signal may not be ended by a time limit that was there before.
const PATIENCE: Duration = Duration::from_secs(1);

/// Whether a signal's goal does nothing but end what runs.
pub(in crate::engine) fn is_to_end(goal: &Record) -> bool {
    overtakes(goal) || name_of(goal) == Some(("throw", 1))
}

/// Whether a signal's goal ends what runs whatever that is, the goal of another signal too: an abort, `halt`, a time limit. What a program
/// throws has its place in the order of its signals.
pub(crate) fn overtakes(goal: &Record) -> bool {
    matches!(
        name_of(goal),
        Some(("abort" | "halt", 0) | ("halt", 1) | ("$time_limit", 2))
    )
}

/// Whether a goal that overtakes is no time limit, or one whose timer has this number or a greater one.
pub(crate) fn is_set_since(goal: &Record, first: u64) -> bool {
    let words = goal.words();
    let mut c = goal.root();
    while c.tag() == Tag::Str {
        let at = c.address() as usize / 8;
        let f = Functor::from_cell(samite_term::Cell(words[at]));
        match (f.name().as_str(), f.arity()) {
            (":", 2) => c = samite_term::Cell(words[at + 2]),
            ("$time_limit", 2) => {
                let timer = samite_term::Cell(words[at + 1]);
                return !timer.is_small() || timer.small_value().cast_unsigned() >= first;
            }
            _ => break,
        }
    }
    true
}

/// Name and arity of a goal, without its modules; of an atom too.
fn name_of(goal: &Record) -> Option<(&'static str, usize)> {
    let words = goal.words();
    let mut c = goal.root();
    loop {
        if c.is_atom() {
            return Some((c.atom_of().as_str(), 0));
        }
        if c.tag() != Tag::Str {
            return None;
        }
        let at = c.address() as usize / 8;
        let f = Functor::from_cell(samite_term::Cell(words[at]));
        match (f.name().as_str(), f.arity()) {
            // Module:Goal
            (":", 2) => c = samite_term::Cell(words[at + 2]),
            name => return Some(name),
        }
    }
}

impl Worker {
    /// What runs from now on is the goal of a signal, until the masks found now are set again.
    pub(in crate::engine) fn begin_signals_goal(&mut self) {
        self.mask_signals(clock::now() + PATIENCE);
    }

    /// What runs from now on is what interrupts an exception on its way, on which it has found events since then, until the masks found now are set again.
    pub(in crate::engine) fn mask_signals_on_way(&mut self, since: Instant) {
        self.mask_signals(since + PATIENCE);
    }

    fn mask_signals(&mut self, until: Instant) {
        let events = &mut self.thread.events;
        if !events.masks.signal {
            events.first_timer = self.program.registry.timers.number();
            events.limits_wait_until = Some(until);
            events.limit_waits = false;
        }
        events.masks.signal = true;
    }

    /// The ball, of a signal's goal that does nothing but throw one, if there is room for it.
    pub(in crate::engine) fn ball_of(&mut self, goal: &Record) -> Option<Record> {
        let goal = self.heap.instantiate_on_credit(goal).ok()?;
        let ball = self.thrown_by(goal)?;
        self.record_beside_heap(ball)
    }

    /// The ball, of a goal that does nothing but throw one.
    pub(in crate::engine) fn thrown_by(&self, goal: Cell) -> Option<Cell> {
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        let mut t = unsafe { self.term(goal) };
        while let View::Compound(c) = t.view()
            && c.functor() == Functor::new(atoms::COLON, 2)
        {
            t = c.arg(1);
        }
        if t.as_atom().is_some_and(|a| a.as_str() == "abort") {
            return Some(Cell::atom(atoms::ABORT));
        }
        let View::Compound(c) = t.view() else {
            return None;
        };
        let is_throw = c.functor() == Functor::new(Atom::new("throw"), 1);
        let ball = self.deref(c.arg(0).cell());
        (is_throw && !ball.is_ref()).then_some(ball)
    }

    /// While the goal of a signal runs: the first timer whose time limit may end it.
    pub(in crate::engine) fn first_timer(&self) -> u64 {
        let waits = self.thread.events.limits_wait_until;
        match waits {
            Some(until) if clock::now() < until => self.thread.events.first_timer,
            _ => 0,
        }
    }

    /// While the goal of a signal runs, and nothing has been `found` that may end it: a time limit that waits becomes due when patience has ended. (If
    /// there is no memory for that, when the goal ends.)
    pub(in crate::engine) fn look_again(&mut self, first: u64, found: bool) {
        let waits = &mut |goal: &Record| overtakes(goal);
        let asked = self.thread.events.limit_waits;
        if found || first == 0 || asked || !self.thread.control.has_signal(None, waits) {
            return;
        }
        self.thread.events.limit_waits = true;
        if let Some(until) = self.thread.events.limits_wait_until {
            let timers = &self.program.registry.timers;
            let nothing = Held::new(RecordBuilder::new().finish(Cell::atom(atoms::TRUE)));
            let _ = timers.set(
                timers.number(),
                Some(until),
                &self.thread.control,
                nothing,
                true,
                os_thread::timers,
            );
        }
    }
}
