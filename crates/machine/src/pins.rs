//! What a thread's choicepoints read of the database: the predicates whose clauses some choicepoint walks, each with its generation.
//!
//! Walks are the choicepoints of dynamic calls, of `clause/2`, `retract/1` and `nth_clause/3`. The stack is long and changes at its top only:
//! what has been looked at is remembered. A choicepoint that was looked at has the known bit, and so have all below it.
//!
//! *Equation*: for each predicate and generation of a known choicepoint's walk there is exactly one entry, of the lowest of these
//! choicepoints; entries are in the order of the choicepoints. Those that reclaimers know ([`ReaderSlot::publish`]) are the entries. So a
//! publication costs what is new on the stack and what has gone, and walks that see the same are one.
//!
//! A known walk goes no further than what had been born when it began: see [`end_of`].
//!
//! [`ReaderSlot::publish`]: samite_code::reclaim::ReaderSlot::publish

use crate::choice::Choice;
use crate::machine::Machine;
use rustc_hash::FxHashSet;
use samite_code::clause_list::ClauseList;
use samite_code::frames;
use samite_code::instr::{Op, op};
use samite_code::reclaim::Pin;
use samite_code::view::end_of;
use samite_term::{Cell, Kind};

/// See the module text.
#[derive(Debug, Default)]
pub(crate) struct Pins {
    /// With the offsets of the choicepoints.
    entries: Vec<(usize, Pin)>,
    pins: FxHashSet<Pin>,
}

/// The state of a walk over a list of clauses, as choicepoints keep it.
pub(crate) struct Walk {
    pub list: *const ClauseList,
    /// Of the next clause.
    pub at: usize,
    pub generation: u64,
    /// Where its end is kept, a raw cell.
    pub end: *mut Cell,
}

/// The walk of a choicepoint.
fn walk_of(b: Choice) -> Option<Walk> {
    // SAFETY: alternatives are code addresses.
    match op(unsafe { *b.alternative() }) {
        Op::DynamicNext => Some(crate::dynamic::walk_of(b)),
        Op::NondetNext => crate::builtins::clauses::walk_of(b),
        _ => None,
    }
}

impl Walk {
    fn pin(&self) -> Pin {
        // SAFETY: the list of a walk stays as long as its choicepoint, and has a clause there that may yet be wanted.
        let next = unsafe { (*self.list).get(self.at) };
        Pin {
            predicate: std::ptr::from_ref(next.predicate) as usize,
            generation: self.generation,
        }
    }
    /// Ends it where [`end_of`] says.
    fn shorten(&self) {
        // SAFETY: as above; the cell is the choicepoint's alone, and that of no term.
        unsafe {
            let to = (*self.end).payload() as usize;
            let end = end_of(&*self.list, self.at, to, self.generation);
            *self.end = Cell::header(Kind::Raw, end as u64);
        }
    }
}

impl Machine {
    /// At a safe point: does what those who free clauses ask for.
    pub(crate) fn answer_reclaimers(&mut self) {
        if self.reader.is_asked() || frames::wanted(&self.reader) {
            self.publish_pins();
        }
        // Without the memory to say so another time.
        if frames::wanted(&self.reader)
            && let Some((held, visited)) = self.held_code(usize::MAX)
        {
            frames::looked(&self.reader, &held, visited);
        }
    }

    /// At a safe point: tells those who free clauses what this thread's choicepoints still read.
    pub(crate) fn publish_pins(&mut self) {
        let base = self.choices.base() as usize;
        let offset = |b: Choice| b.0 as usize - base;
        let mut fresh = Vec::new();
        let mut b = self.b;
        while !b.is_null() && !b.is_known() {
            if let Some(walk) = walk_of(b) {
                walk.shorten();
                fresh.push((offset(b), walk.pin()));
            }
            b.set_known();
            b = b.previous();
        }
        let (mut gone, mut new) = (Vec::new(), Vec::new());
        let pins = &mut self.pins;
        // What was above is gone.
        while let Some(&(at, pin)) = pins.entries.last()
            && (b.is_null() || at > offset(b))
        {
            pins.entries.pop();
            pins.pins.remove(&pin);
            gone.push(pin);
        }
        for (at, pin) in fresh.into_iter().rev() {
            if pins.pins.insert(pin) {
                pins.entries.push((at, pin));
                new.push(pin);
            }
        }
        if cfg!(debug_assertions) {
            self.verify_pins();
        }
        self.reader.publish(&gone, &new);
    }

    /// The thread ends: there are no choicepoints any more.
    pub(crate) fn forget_pins(&mut self) {
        let Pins { entries, .. } = std::mem::take(&mut self.pins);
        let gone: Vec<Pin> = entries.into_iter().map(|e| e.1).collect();
        self.reader.publish(&gone, &[]);
    }

    /// Checks the equation. Panics if it does not hold.
    fn verify_pins(&self) {
        let mut all = Vec::new();
        let mut b = self.b;
        while !b.is_null() {
            assert!(b.is_known());
            all.extend(walk_of(b).map(|walk| walk.pin()));
            b = b.previous();
        }
        let mut met = FxHashSet::default();
        let lowest: Vec<Pin> = (all.into_iter().rev())
            .filter(|pin| met.insert(*pin))
            .collect();
        let entries: Vec<Pin> = self.pins.entries.iter().map(|e| e.1).collect();
        assert_eq!(entries, lowest);
    }
}
