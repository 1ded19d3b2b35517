//! What few threads have, kept apart from a control block, which each of very many has: signals that wait, goals for its end, those that end with it.
//!
//! overtaking = how many of `signals` overtake; promised ≤ places in `signals` that are free.
//!
//! Under the lock of the thread's state ([`super::thread`]).

use crate::error::SchedError;
use crate::interrupt::Attention;
use crate::registry::ThreadControl;
use samite_term::common::{self, Held};
use samite_term::{HeldAtom, growth, walked};
use std::collections::VecDeque;
use std::sync::{Arc, Weak};

/// A goal of `thread_signal/2`.
pub(super) struct Signal {
    pub goal: Held,
    /// It need not wait for the goal of another to end.
    pub overtakes: bool,
    /// A program sent it: it may be blocked, looked at and removed. A timer's and the host's may not.
    pub by_program: bool,
}

/// See the module text.
#[derive(Default)]
pub(super) struct Seldom {
    /// Those not yet run, oldest first.
    pub signals: VecDeque<Signal>,
    /// `overtaking` = how many of `signals` overtake.
    pub overtaking: usize,
    /// Places in `signals` for those to come.
    pub promised: usize,
    pub at_exit: Vec<Held>,
    /// What the debugger's commands on groups of threads call its group.
    pub class: Option<HeldAtom>,
    /// Those that end with it.
    pub linked: Vec<Weak<ThreadControl>>,
    /// Who waits for it to start. None once it has, or has ended.
    pub starters: Vec<Arc<Attention>>,
}

impl Seldom {
    /// Room for so many more signals, beside those that are promised.
    pub fn have_places(&mut self, n: usize) -> Result<(), SchedError> {
        let wanted = self.promised + n;
        match growth::deque_have(&mut self.signals, wanted, |n| common::may_take(n, 0)) {
            true => Ok(()),
            false => Err(SchedError::NoMemory),
        }
    }
    pub fn push(&mut self, goal: Held, overtakes: bool, by_program: bool) {
        walked::enter(&goal);
        self.signals.push_back(Signal {
            goal,
            overtakes,
            by_program,
        });
        self.overtaking += usize::from(overtakes);
    }
    /// The oldest that no program sent and that overtakes, a time limit: it comes before the others, whose goals it would break off at their first step.
    pub fn limit(&self) -> Option<usize> {
        match self.overtaking {
            0 => None,
            _ => self
                .signals
                .iter()
                .position(|s| s.overtakes && !s.by_program),
        }
    }
    /// Takes one out of `signals`.
    pub fn take(&mut self, at: usize) -> Option<Held> {
        let signal = self.signals.remove(at)?;
        self.overtaking -= usize::from(signal.overtakes);
        Some(signal.goal)
    }
    /// The thread's goal has ended: nobody asks for its signals, and who waits for it to start waits no more.
    pub fn conclude(&mut self) {
        self.signals.clear();
        self.overtaking = 0;
        self.tell_starters();
    }
    /// It has started, or will not.
    pub fn tell_starters(&mut self) {
        let waiting = std::mem::take(&mut self.starters);
        waiting.iter().for_each(|a| a.unpark());
    }
}
