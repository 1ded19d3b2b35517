//! What a thread's choicepoints read of the database: a generation for each predicate whose clauses some choicepoint walks.
//!
//! Walks are the choicepoints of dynamic calls, of `clause/2`, `retract/1` and `nth_clause/3`. The stack is long and changes at its top only:
//! what has been looked at is remembered. A choicepoint that was looked at has the known bit, and so have all below it.
//!
//! *Equation*: for each predicate that a known choicepoint walks there is exactly one entry, of the lowest of these choicepoints, which
//! has the oldest generation; entries are in the order of the choicepoints. So a publication costs what is new on the stack.

use crate::choice::Choice;
use crate::machine::Machine;
use rustc_hash::FxHashSet;
use samite_code::clause_list::ClauseList;
use samite_code::frames;
use samite_code::instr::{Op, op};
use samite_code::reclaim::Pin;

/// See the module text.
#[derive(Debug, Default)]
pub(crate) struct Pins {
    /// With the offsets of the choicepoints.
    entries: Vec<(usize, Pin)>,
    predicates: FxHashSet<usize>,
}

/// The state of a walk over a list of clauses, as choicepoints keep it.
pub(crate) struct Walk {
    pub list: *const ClauseList,
    /// Of the next clause.
    pub at: usize,
    pub generation: u64,
}

/// What a choicepoint reads.
fn pin_of(b: Choice) -> Option<Pin> {
    // SAFETY: alternatives are code addresses.
    let walk = match op(unsafe { *b.alternative() }) {
        Op::DynamicNext => crate::dynamic::walk_of(b),
        Op::NondetNext => crate::builtins::clauses::walk_of(b)?,
        _ => return None,
    };
    // SAFETY: the list of a walk stays as long as its choicepoint, and has a clause there that may yet be wanted.
    let next = unsafe { (*walk.list).get(walk.at) };
    Some(Pin {
        predicate: std::ptr::from_ref(next.predicate) as usize,
        generation: walk.generation,
    })
}

impl Machine {
    /// At a safe point: does what those who free clauses ask for.
    pub(crate) fn answer_reclaimers(&mut self) {
        if self.reader.is_asked() || frames::wanted(&self.reader) {
            self.publish_pins();
        }
        if frames::wanted(&self.reader) {
            let (held, visited) = self.held_code(usize::MAX).unwrap_or_default();
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
            if let Some(pin) = pin_of(b) {
                fresh.push((offset(b), pin));
            }
            b.set_known();
            b = b.previous();
        }
        let pins = &mut self.pins;
        // What was above is gone.
        while let Some(&(at, pin)) = pins.entries.last()
            && (b.is_null() || at > offset(b))
        {
            pins.entries.pop();
            pins.predicates.remove(&pin.predicate);
        }
        for (at, pin) in fresh.into_iter().rev() {
            if pins.predicates.insert(pin.predicate) {
                pins.entries.push((at, pin));
            }
        }
        if cfg!(debug_assertions) {
            self.verify_pins();
        }
        let pins: Vec<Pin> = self.pins.entries.iter().map(|e| e.1).collect();
        self.reader.publish(&pins);
    }

    /// Checks the equation. Panics if it does not hold.
    fn verify_pins(&self) {
        let mut all = Vec::new();
        let mut b = self.b;
        while !b.is_null() {
            assert!(b.is_known());
            all.extend(pin_of(b));
            b = b.previous();
        }
        let mut met = FxHashSet::default();
        let lowest: Vec<Pin> = (all.iter().rev().copied())
            .filter(|pin| met.insert(pin.predicate))
            .collect();
        let entries: Vec<Pin> = self.pins.entries.iter().map(|e| e.1).collect();
        assert_eq!(entries, lowest);
        for pin in all {
            let entry = entries.iter().find(|e| e.predicate == pin.predicate);
            assert!(entry.is_some_and(|e| e.generation <= pin.generation));
        }
    }
}
