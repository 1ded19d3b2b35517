//! What keeps an atom: one word of its entry.
//!
//! ```text
//!   hold      n       -> n + 1         by who has the atom: it is alive
//!   release   n + 1   -> n             by who holds it
//!   keep      w       -> w | KEPT      for ever
//!   mark      w       -> w | MARKED    unless it is DYING                          by who meets it during a collection
//!   forget    w       -> w & !MARKED   before a collection
//!   sweep     0       -> DYING         nothing holds it, and nobody has met it
//!             w       -> w & !MARKED   else
//!   revive    free    -> 0 or MARKED   another text gets the entry
//! ```
//!
//! *Invariants*: `KEPT` is never taken back. As long as it has not been set, the count is that of the holders; afterwards it means nothing, and neither
//! holding nor releasing changes it on purpose: a release that has not seen `KEPT` yet takes back what it has counted, so the count never goes
//! below 0. From `DYING` nothing leads back but an entry's next text: of sweep and mark, one sees the other, as both are one step on the word. The atoms known at
//! compile time are none of this, and their entries are not looked at: who holds one needs no table.
//!
//! The count says how many holders there are, not where. Orderings are relaxed: who frees an entry has first seen all that holds and releases before a safe
//! point of each thread, which the steps of a collection order ([`crate::atom`]).

use crate::sync::{AtomicU32, Ordering};

/// Of an atom that stays.
const KEPT: u32 = 1 << 31;
/// Met since the collection began.
const MARKED: u32 = 1 << 30;
/// No text finds it any more, nor has anybody the atom.
const DYING: u32 = 1 << 29;
/// The holders.
const COUNT: u32 = DYING - 1;
/// So many holders are never counted down again; twice as many, and they would be taken for [`DYING`].
const MOST: u32 = DYING / 2;

/// See the module text.
pub(crate) struct Life(AtomicU32);

impl Life {
    /// Of a new entry; `marked`: of one that is made during a collection.
    pub fn new(marked: bool) -> Life {
        Life(AtomicU32::new(if marked { MARKED } else { 0 }))
    }
    /// Of an entry that a new text gets, whose last atom has died.
    pub fn begin_again(&self, marked: bool) {
        debug_assert!(self.is_dying());
        self.0
            .store(if marked { MARKED } else { 0 }, Ordering::Relaxed);
    }
    /// One more holds it.
    pub fn hold(&self) {
        if !self.is_kept() {
            let before = self.0.fetch_add(1, Ordering::Relaxed);
            debug_assert!(before & DYING == 0, "a dying atom is held");
            if before & COUNT >= MOST {
                self.keep();
            }
        }
    }
    /// One fewer: who has called [`Life::hold`] for it does so once.
    pub fn release(&self) {
        if !self.is_kept() {
            let before = self.0.fetch_sub(1, Ordering::Relaxed);
            debug_assert!(
                before & COUNT > 0,
                "an atom is released more often than held"
            );
        }
    }
    /// The atom stays.
    #[inline]
    pub fn keep(&self) {
        if !self.is_kept() {
            self.0.fetch_or(KEPT, Ordering::Relaxed);
        }
    }
    #[inline]
    fn is_kept(&self) -> bool {
        self.0.load(Ordering::Relaxed) & KEPT != 0
    }
    /// The holders; `None`: the atom stays.
    pub fn holders(&self) -> Option<usize> {
        match self.0.load(Ordering::Relaxed) {
            w if w & KEPT != 0 => None,
            w => Some((w & COUNT) as usize),
        }
    }
    /// What it was met for is over.
    pub fn forget_mark(&self) {
        if self.0.load(Ordering::Relaxed) & MARKED != 0 {
            self.0.fetch_and(!MARKED, Ordering::Relaxed);
        }
    }
    /// It is alive, and lives on beyond the sweep that comes. False: it has died.
    #[inline]
    pub fn mark(&self) -> bool {
        let mut word = self.0.load(Ordering::Relaxed);
        // (One that stays needs no mark.)
        if word & (MARKED | KEPT | DYING) == 0 {
            // Of one that dies meanwhile the mark means nothing.
            word = self.0.fetch_or(MARKED, Ordering::Relaxed);
        }
        word & DYING == 0
    }
    /// Marks it if it is held.
    pub fn mark_held(&self) {
        if self.0.load(Ordering::Relaxed) & COUNT != 0 {
            self.mark();
        }
    }
    /// Whether it dies.
    pub fn sweep(&self) -> bool {
        match self.0.load(Ordering::Relaxed) {
            0 => {
                let dies = self
                    .0
                    .compare_exchange(0, DYING, Ordering::Relaxed, Ordering::Relaxed);
                dies.is_ok()
            }
            w if w & DYING != 0 => false,
            _ => {
                self.0.fetch_and(!MARKED, Ordering::Relaxed);
                false
            }
        }
    }
    /// Whether it has died, or has no text yet.
    pub fn is_dying(&self) -> bool {
        self.0.load(Ordering::Relaxed) & DYING != 0
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn too_many_holders_make_an_atom_stay() {
        let life = Life(AtomicU32::new(MOST - 1));
        life.hold();
        assert_eq!(life.holders(), Some(MOST as usize));
        life.hold();
        assert_eq!(life.holders(), None);
        life.release();
        assert_eq!(life.holders(), None);
    }

    #[test]
    fn what_is_held_kept_or_met_survives_a_sweep() {
        let [none, held, kept, met] = [(); 4].map(|()| Life::new(false));
        held.hold();
        kept.keep();
        assert!(met.mark());
        assert!(none.sweep() && none.is_dying() && !none.mark());
        assert!(!held.sweep() && !kept.sweep() && !met.sweep());
        held.release();
        assert!(held.sweep() && !kept.sweep() && met.sweep());
        none.begin_again(true);
        assert!(!none.sweep() && none.sweep());
    }
}

/// `RUSTFLAGS="--cfg loom" cargo test -p samite-term --release loom`
#[cfg(all(test, loom))]
mod loom_tests {
    use super::*;
    use loom::sync::Arc;

    /// A thread holds and releases, another has the atom stay meanwhile: it does.
    #[test]
    fn loom_what_is_kept_stays_whoever_releases() {
        loom::model(|| {
            let life = Arc::new(Life::new(false));
            life.hold();
            let other = life.clone();
            let t = loom::thread::spawn(move || {
                other.hold();
                other.release();
            });
            life.keep();
            life.release();
            t.join().unwrap();
            assert_eq!(life.holders(), None);
        });
    }

    /// Nobody's count is lost.
    #[test]
    fn loom_holders_are_counted() {
        loom::model(|| {
            let life = Arc::new(Life::new(false));
            let other = life.clone();
            let t = loom::thread::spawn(move || {
                other.hold();
                other.hold();
                other.release();
            });
            life.hold();
            life.release();
            t.join().unwrap();
            assert_eq!(life.holders(), Some(1));
        });
    }

    /// Somebody meets an atom while it is swept: it lives, or he is told.
    #[test]
    fn loom_who_meets_a_dying_atom_is_told() {
        loom::model(|| {
            let life = Arc::new(Life::new(false));
            let other = life.clone();
            // (Who is told looks once more, for an atom of the same text.)
            let t = loom::thread::spawn(move || other.mark() || other.mark());
            let dies = life.sweep();
            let met = t.join().unwrap();
            assert!(met != dies);
            assert_eq!(life.is_dying(), dies);
        });
    }
}
