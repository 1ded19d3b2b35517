//! What a worker tells of its atoms when a collection asks ([`crate::engine::atoms`]): at a safe point, or somebody else while it blocks.
//!
//! On a heap all words are looked at, those of garbage too, and what only looks like an atom keeps one: so nothing needs to be known of what is where, and a
//! look costs what reading the memory costs.
//!
//! *Equation*: a worker has left its address in its [`ReaderSlot`](samite_code::readers::ReaderSlot) only while nobody changes what it has, and then `atoms_asked() = 0`: who asks
//! looks at it himself. (One that sleeps has not left it: it is taken out of its turn.)

use crate::engine::worker::Worker;
use crate::state::leaving::OnItsWay;
use samite_term::{Cell, HoldsAtoms, atom};
use std::sync::atomic::AtomicBool;

/// What workers are asked for: a safe point.
pub(in crate::engine) const PASS: usize = 1;
/// The same, and the atoms of what is off the heap.
pub(in crate::engine) const OFF_HEAP: usize = 2;
/// The same, and those on the heap.
pub(in crate::engine) const ALL: usize = 3;

/// Atoms are made faster than collected: who makes one waits for the collection that is on its way ([`crate::engine::atoms`]).
pub(in crate::engine) static ARE_TOO_MANY: AtomicBool = AtomicBool::new(false);

impl Worker {
    /// At a safe point: tells of its atoms, if a collection asks for them.
    #[inline]
    pub(in crate::engine) fn answer_for_atoms(&mut self) {
        let what = self.reader.atoms_asked();
        if what != 0 {
            self.tell_of_atoms(what);
            self.reader.has_told_atoms();
        }
    }

    /// Before it blocks: from now on others look at it who want to know its atoms.
    pub(crate) fn go_away(&mut self) {
        while !self.reader.go_away(std::ptr::from_ref(self).cast()) {
            self.answer_for_atoms();
        }
    }

    /// Marks what is asked for.
    #[cold]
    pub(in crate::engine) fn tell_of_atoms(&mut self, what: usize) {
        if what == PASS {
            return;
        }
        self.thread.each_atom(&mut |a| a.mark());
        if what == ALL {
            self.each_word(&mut atom::mark_if_any);
        }
    }

    /// All that may be a cell of a term.
    fn each_word(&mut self, f: &mut dyn FnMut(Cell)) {
        self.heap.each_word(f);
        self.choices.words(self.b).iter().for_each(|&c| f(c));
        self.x.iter().for_each(|&c| f(c));
        f(self.pair.0);
        f(self.pair.1);
        self.thread.globals.values().for_each(|&c| f(c));
        let waiting = self.thread.leaving.on_their_way.iter();
        waiting.filter_map(OnItsWay::brought).for_each(&mut *f);
        self.thread.tabling.each_root(true, f);
    }
}
