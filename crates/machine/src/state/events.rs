//! Which events a thread puts off.

use samite_sched::interrupt::Events;
use samite_term::Cell;
use samite_term::cell::MAX_SMALL;
use samite_term::common::Held;
use std::time::Instant;

/// Which events are put off, as choicepoints remember it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Masks {
    /// How many stretches of execution that must not be interrupted are around here.
    pub depth: u32,
    /// The goal of a signal runs: only those that overtake interrupt it.
    pub signal: bool,
    /// Whether the limit of inferences is put off as well (`builtins/limits.rs`): in a Setup and in a handler, but not in `sig_atomic/1`.
    pub limit: bool,
    /// A cleanup handler runs: it may have a little more memory than others.
    pub handler: bool,
    /// A Setup runs: the same, of its own thread's.
    pub setup: bool,
    /// What runs is no part of evaluations of tables around it, which are so many: [`crate::state::tabling::Tabling::apart`].
    pub apart: u32,
}

impl Masks {
    /// As a small integer.
    pub fn cell(self) -> Cell {
        let bits = [
            (self.signal, SIGNAL),
            (self.limit, LIMIT),
            (self.handler, HANDLER),
            (self.setup, SETUP),
        ];
        let bits = bits.map(|(is_set, bit)| i64::from(is_set) << bit);
        Cell::small(
            bits.iter()
                .fold(i64::from(self.depth), |all, bit| all | bit)
                | i64::from(self.apart) << APART,
        )
    }
    pub fn of(cell: Cell) -> Masks {
        let n = cell.small_value();
        Masks {
            depth: n as u32,
            signal: n >> SIGNAL & 1 != 0,
            limit: n >> LIMIT & 1 != 0,
            handler: n >> HANDLER & 1 != 0,
            setup: n >> SETUP & 1 != 0,
            apart: (n >> APART) as u32,
        }
    }
}

/// Which events of a thread are put off, and which it sends to itself.
#[derive(Debug, Default)]
pub(crate) struct ThreadEvents {
    pub masks: Masks,
    /// Timers with a smaller number were set before the goal of a signal that runs ([`Masks::signal`]).
    pub first_timer: u64,
    /// And how long their limits wait.
    pub limits_wait_until: Option<Instant>,
    /// A time limit has been found to wait for its end.
    pub limit_waits: bool,
    /// Bytes beyond the thread's limit that the outermost Setup may have in use.
    pub grace_of_setup: usize,
    /// Those that this thread never hears.
    pub always_masked: Events,
    /// A signal to be sent at a later safe point.
    pub signal_at: Option<(u64, Held)>,
    /// Signals that unify with one of these wait (`sig_block/1`), the latest first.
    pub blocked: Vec<Held>,
}

impl ThreadEvents {
    /// Whether it is as in a new thread, but for the masks.
    pub fn is_new(&self) -> bool {
        let ThreadEvents {
            masks: _,
            first_timer,
            limits_wait_until,
            limit_waits,
            grace_of_setup,
            always_masked,
            signal_at,
            blocked,
        } = self;
        *first_timer == 0
            && limits_wait_until.is_none()
            && !limit_waits
            && *grace_of_setup == 0
            && always_masked.is_empty()
            && signal_at.is_none()
            && blocked.is_empty()
    }
}

/// The bits above the depth.
const SIGNAL: u32 = 32;

const LIMIT: u32 = 33;

const HANDLER: u32 = 34;

const SETUP: u32 = 35;

const APART: u32 = 36;

/// What fits into a small integer with the others.
pub(crate) const MOST_APART: u32 = (1 << (60 - APART)) - 1;

const _: () = assert!((MOST_APART as i64) << APART <= MAX_SMALL);
