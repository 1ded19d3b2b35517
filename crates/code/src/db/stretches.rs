//! Stretches of lists that a transaction sees nothing of, which its calls pass at once: who looks for them, and notes them, is [`super::list`], for a [`super::sight`].
//!
//! *Equation*. A stretch `first .. end` of a list: no call of the transaction that starts from now on sees a clause there, unless the snapshot becomes another one, or something is
//! restored that it has erased.
//!
//! What may be restored is what a *nested* transaction has erased. Of such clauses it is kept at which places they lie within stretches ([`Stretches::hide`]); when the nested one is given up, the
//! stretches are parted there, and what it has passed otherwise stays passed.
//!
//! *Cost*: a clause is hidden once for each list that it is passed in, and parted from its stretch once. A stretch that is forgotten, for want of memory or room, is walked again: nothing but time depends
//! on one.

use samite_term::growth::{self, Refused};
use std::collections::{BTreeMap, BTreeSet};

/// So many clauses in a row that are not seen are passed step by step.
pub(super) const FEW: usize = if cfg!(loom) { 1 } else { 4 };

/// Stretches that are remembered, beside one for each change.
const MOST: usize = 1 << 12;

/// See the module text.
#[derive(Debug, Default)]
pub(super) struct Stretches {
    /// By the number of a list and from where: to where. No two of a list meet.
    passed: BTreeMap<(u64, usize), usize>,
    /// By which change it was erased, in which list, and where in a stretch a clause lies that may be restored.
    hidden: BTreeSet<(u64, u64, usize)>,
}

impl Stretches {
    /// Where the stretch ends that has an index of a list.
    pub(super) fn end(&self, list: u64, at: usize) -> Option<usize> {
        let (_, &end) = self.passed.range((list, 0)..=(list, at)).next_back()?;
        (at < end).then_some(end)
    }
    /// Nothing is seen of a list from `first` to `end`, by a transaction that has made so many changes. What of it may be restored has been hidden.
    pub(super) fn note(&mut self, list: u64, first: usize, end: usize, changes: usize) {
        let passed = &mut self.passed;
        let before = passed.range_mut((list, 0)..=(list, first)).next_back();
        let first = match before {
            Some((&(_, f), e)) if first <= *e => {
                if *e >= end {
                    return;
                }
                *e = end;
                f
            }
            _ => {
                if passed.len() >= MOST + changes {
                    self.hidden.clear();
                    passed.clear();
                }
                passed.insert((list, first), end);
                first
            }
        };
        // Those that it has reached are parts of it.
        while let Some((&next, &e)) = passed.range((list, first + 1)..=(list, end)).next() {
            passed.remove(&next);
            if e > end {
                passed.insert((list, first), e);
                break;
            }
        }
    }
    /// At an index of a list that will be in a stretch there is a clause that may be restored, erased by that change.
    pub(super) fn hide(&mut self, by: u64, list: u64, at: usize) -> Result<(), Refused> {
        const ENTRY: usize = 2 * size_of::<(u64, u64, usize)>();
        growth::asked(ENTRY)?;
        self.hidden.insert((by, list, at));
        Ok(())
    }
    /// What was erased after a change is seen again.
    pub(super) fn restore(&mut self, since: u64) {
        while let Some(&(by, list, at)) = self.hidden.last()
            && by > since
        {
            self.hidden.pop_last();
            let stretch = self.passed.range((list, 0)..=(list, at)).next_back();
            let Some((&start, &end)) = stretch.filter(|&(_, &end)| at < end) else {
                continue;
            };
            self.passed.remove(&start);
            for (first, end) in [(start.1, at), (at + 1, end)] {
                // (Short ones are walked anyway.)
                if end.saturating_sub(first) > FEW {
                    self.passed.insert((list, first), end);
                }
            }
        }
    }
    /// Nothing that has been erased so far is restored by itself any more.
    pub(super) fn settle(&mut self) {
        self.hidden.clear();
    }
    pub(super) fn clear(&mut self) {
        self.hidden.clear();
        self.passed.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::Stretches;

    #[test]
    fn stretches_are_parted_where_something_is_restored() {
        let mut s = Stretches::default();
        s.note(1, 0, 40, 0);
        s.note(1, 40, 100, 0);
        s.note(2, 0, 100, 0);
        for (by, at) in [(7, 50), (8, 20), (9, 52), (3, 99)] {
            s.hide(by, 1, at).unwrap();
        }
        s.restore(8);
        assert_eq!(s.end(1, 0), Some(52));
        assert_eq!(s.end(1, 52), None);
        assert_eq!(s.end(1, 53), Some(100));
        s.restore(5);
        assert_eq!(s.end(1, 0), Some(20));
        assert_eq!(s.end(1, 21), Some(50));
        assert_eq!((s.end(1, 50), s.end(1, 51)), (None, None));
        assert_eq!((s.end(1, 60), s.end(2, 50)), (Some(100), Some(100)));
        // What is settled is not restored.
        s.settle();
        s.restore(0);
        assert_eq!(s.end(1, 60), Some(100));
    }
}
