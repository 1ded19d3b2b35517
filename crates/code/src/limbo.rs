//! What waits to be freed, and the walks that some of it waits for.
//!
//! An item of a predicate `p` has been *born* at `b` (a clause: its birth; a list or an index: when it was made) and was *retired* at `r`,
//! when nobody could find it any more. A walk is known here by its [`Pin`], `(p, g)`.
//!
//! *Equation*: a walk `(p, g)` may reach an item of `p` only if `b ≤ g < r`. For:
//! 1. A reader takes only lists that were made by its generation ([`crate::view::view`]), and the end of a walk that is published is not
//!    beyond what has been born by then ([`crate::view::end_of`]).
//! 2. Who has read generation `r` finds nothing any more of what had been unlinked before.
//!
//! So however long a walk stays, it keeps what it can reach and nothing that has come and gone since.
//!
//! *Equation*: a retired item is in the queue until no worker can come to hold it but by the pins that there are; then it is *kept* for the
//! oldest pin that holds it, or freed. When that pin has gone it is *loose*, and judged again. So nobody walks what has to stay: each item is
//! looked at once, and once more for each pin that it was kept for and that has gone.
//!
//! Who retires something, or frees it, cannot be refused memory: lists of items are linked ones, so that none needs a large block.
//!
//! For [`crate::reclaim`] only, under its lock.

use crate::chain::Chain;
use crate::clause_list::{ClauseList, KeyIndex};
use crate::index::Linked;
use crate::predicate::Clause;
use std::collections::{BTreeMap, LinkedList};
use std::sync::atomic::Ordering;

/// A walk over the clauses of a predicate (its address) with a generation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Pin {
    pub predicate: usize,
    pub generation: u64,
}

/// Something unlinked, made by `Box::into_raw`.
#[derive(Debug)]
pub(crate) enum Retired {
    Clauses(Chain),
    List(*mut ClauseList),
    Index(*mut KeyIndex),
    /// Entry code of a static predicate.
    Linked(*mut Linked),
}

// SAFETY: a retired item is reachable from limbo only; whoever takes it out owns it.
unsafe impl Send for Retired {}

impl Retired {
    /// About how much memory waits.
    pub fn bytes(&self) -> usize {
        // SAFETY: what is retired is freed by nobody else.
        unsafe {
            match self {
                Retired::Clauses(all) => all.bytes(),
                Retired::List(l) => (**l).bytes(),
                Retired::Index(i) => (**i).bytes(),
                Retired::Linked(l) => (**l).code_range().len(),
            }
        }
    }
}

/// When a retired clause was born.
fn birth(clause: *mut Clause) -> u64 {
    // SAFETY: what is retired is freed by nobody else.
    unsafe { (*clause).birth.load(Ordering::Relaxed) }
}

#[derive(Debug)]
pub(crate) struct Item {
    pub retired: u64,
    pub predicate: usize,
    pub what: Retired,
}

/// See the module text.
#[derive(Default)]
pub(crate) struct Limbo {
    /// In the order of generations.
    queue: LinkedList<Item>,
    /// The walks that workers have published, and how many workers each.
    pins: BTreeMap<Pin, usize>,
    kept: BTreeMap<Pin, LinkedList<Item>>,
    loose: LinkedList<Item>,
    /// Bytes retired since the workers were last asked.
    pub fresh: usize,
    /// Items that have been judged.
    #[cfg(test)]
    judged: usize,
}

impl Limbo {
    /// Nothing waits but for pins.
    pub fn is_idle(&self) -> bool {
        self.queue.is_empty() && self.loose.is_empty()
    }
    /// The generation of what was retired last, if that waits.
    pub fn newest(&self) -> Option<u64> {
        self.queue.back().map(|i| i.retired)
    }
    pub fn push(&mut self, item: Item) {
        self.queue.push_back(item);
    }
    /// A worker has these walks no more, and these besides.
    pub fn repin(&mut self, gone: &[Pin], new: impl IntoIterator<Item = Pin>) {
        // The new ones first: they may be the same.
        for pin in new {
            *self.pins.entry(pin).or_default() += 1;
        }
        for pin in gone {
            let Some(workers) = self.pins.get_mut(pin) else {
                debug_assert!(false, "a walk ends that was not published");
                continue;
            };
            *workers -= 1;
            if *workers == 0 {
                self.pins.remove(pin);
                if let Some(mut items) = self.kept.remove(pin) {
                    self.loose.append(&mut items);
                }
            }
        }
    }
    /// Takes out what no worker may hold, `most` items or a few more: who frees memory must not need much. `entered`: when the first of the
    /// workers entered who have not published since, or a generation before they were looked at. Whether that was all.
    pub fn take(&mut self, entered: u64, most: usize, free: &mut Vec<Item>) -> bool {
        while free.len() < most {
            let Some(item) = self.loose.pop_back() else {
                break;
            };
            self.judge(item, free);
        }
        while free.len() < most && self.queue.front().is_some_and(|i| i.retired <= entered) {
            let Some(item) = self.queue.pop_front() else {
                break;
            };
            self.judge(item, free);
        }
        if cfg!(debug_assertions) {
            self.verify();
        }
        free.len() < most
    }
    /// The oldest pin that holds what was born and retired then.
    fn holder(&self, predicate: usize, born: u64, retired: u64) -> Option<Pin> {
        let pin = |generation| Pin {
            predicate,
            generation,
        };
        // (Many clauses come and go in one step.)
        let mut holders = self.pins.range(pin(born.min(retired))..pin(retired));
        holders.next().map(|(&pin, _)| pin)
    }
    /// An item that only pins may hold is kept or free.
    fn judge(&mut self, mut item: Item, free: &mut Vec<Item>) {
        #[cfg(test)]
        {
            self.judged += 1;
        }
        let Item {
            retired, predicate, ..
        } = item;
        let holder = |limbo: &Limbo, born| limbo.holder(predicate, born, retired);
        let holder = match &mut item.what {
            _ if holder(self, 0).is_none() => None,
            Retired::Clauses(all) => {
                let mut unheld = Chain::new();
                while let Some(c) = all.pop() {
                    match holder(self, birth(c)) {
                        None => unheld.push(c),
                        Some(pin) => self.keep_clause(pin, c, retired),
                    }
                }
                if unheld.is_empty() {
                    return;
                }
                *all = unheld;
                None
            }
            // SAFETY: what is retired is freed by nobody else.
            Retired::List(l) => holder(self, unsafe { (**l).since() }),
            // SAFETY: the same.
            Retired::Index(i) => holder(self, unsafe { (**i).since() }),
            // No walk comes to entry code.
            Retired::Linked(_) => None,
        };
        match holder {
            None => free.push(item),
            Some(pin) => self.kept.entry(pin).or_default().push_back(item),
        }
    }
    /// Keeps one of several clauses that were retired at once.
    fn keep_clause(&mut self, pin: Pin, c: *mut Clause, retired: u64) {
        let items = self.kept.entry(pin).or_default();
        if let Some(Item {
            retired: r,
            what: Retired::Clauses(all),
            ..
        }) = items.back_mut()
            && *r == retired
        {
            all.push(c);
            return;
        }
        let mut all = Chain::new();
        all.push(c);
        items.push_back(Item {
            retired,
            predicate: pin.predicate,
            what: Retired::Clauses(all),
        });
    }
    /// Checks the equations. Panics if they do not hold.
    fn verify(&self) {
        assert!(
            self.queue.iter().map(|i| i.retired).is_sorted(),
            "limbo is out of order"
        );
        for (pin, items) in &self.kept {
            assert!(self.pins.contains_key(pin), "kept for nobody");
            let last = items.back().expect("something is kept");
            assert!(last.predicate == pin.predicate && pin.generation < last.retired);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::domain::Domain;
    use crate::predicate::Predicate;
    use samite_term::{Atom, Functor};

    fn predicate() -> &'static Predicate {
        Predicate::new(
            Domain::new(),
            Atom::from_index(4_000),
            Functor::new(Atom::from_index(4_001), 1),
        )
    }

    fn clause(p: &'static Predicate, born: u64) -> *mut Clause {
        let c = Clause::new(p, 0, None, None, 0);
        c.birth.store(born, Ordering::Relaxed);
        Box::into_raw(Box::new(c))
    }

    fn item(retired: u64, clauses: Vec<*mut Clause>) -> Item {
        let mut all = Chain::new();
        for c in clauses {
            // SAFETY: made above, and nobody else's.
            unsafe {
                (*c).die(retired, 0);
                all.retire(c);
            }
        }
        Item {
            retired,
            predicate: 1,
            what: Retired::Clauses(all),
        }
    }

    fn pin(generation: u64) -> Pin {
        Pin {
            predicate: 1,
            generation,
        }
    }

    /// Frees what can be freed; the births of the clauses, in order.
    fn freed(limbo: &mut Limbo) -> Vec<u64> {
        let (mut free, mut births) = (Vec::new(), Vec::new());
        while !limbo.take(u64::MAX, 2, &mut free) || !free.is_empty() {
            for item in free.drain(..) {
                let Retired::Clauses(mut all) = item.what else {
                    panic!("not clauses");
                };
                while let Some(c) = all.pop() {
                    births.push(birth(c));
                    // SAFETY: made above.
                    drop(unsafe { Box::from_raw(c) });
                }
            }
        }
        births.sort_unstable();
        births
    }

    #[test]
    fn a_walk_keeps_what_it_can_reach() {
        let p = predicate();
        let mut limbo = Limbo::default();
        limbo.repin(&[], [pin(10), pin(20)]);
        limbo.repin(&[], [pin(20)]);
        // Born before, between and after; retired between and after.
        limbo.push(item(15, vec![clause(p, 5), clause(p, 11), clause(p, 12)]));
        limbo.push(item(25, [6, 10, 13, 20, 21].map(|b| clause(p, b)).into()));
        limbo.push(item(26, vec![clause(p, 22)]));
        assert_eq!(freed(&mut limbo), [11, 12, 21, 22]);
        // Another worker has it too.
        limbo.repin(&[pin(20)], None);
        assert_eq!(freed(&mut limbo), []);
        limbo.repin(&[pin(10)], None);
        assert_eq!(freed(&mut limbo), [5]);
        // Goes and comes at once.
        limbo.repin(&[pin(20)], [pin(20)]);
        assert_eq!(freed(&mut limbo), []);
        limbo.repin(&[pin(20)], None);
        assert_eq!(freed(&mut limbo), [6, 10, 13, 20]);
        assert!(limbo.is_idle() && limbo.kept.is_empty() && limbo.pins.is_empty());
    }

    /// However many walks stay, what comes and goes is judged once.
    #[test]
    fn walks_that_stay_are_not_walked() {
        let p = predicate();
        for walks in [100, 200, 400] {
            let mut limbo = Limbo::default();
            let pins: Vec<Pin> = (0..walks).map(|g| pin(10 * g)).collect();
            limbo.repin(&[], pins.iter().copied());
            let rounds = 1000;
            for round in 0..rounds {
                let now = 10 * walks + 2 * round;
                // Every tenth can be seen by the walk before the newest.
                let born = if round % 10 == 0 {
                    10 * (walks - 2)
                } else {
                    now
                };
                limbo.push(item(now + 1, vec![clause(p, born)]));
                let expected = if round % 10 == 0 { vec![] } else { vec![now] };
                assert_eq!(freed(&mut limbo), expected);
            }
            assert_eq!(limbo.judged, rounds as usize);
            limbo.repin(&pins, None);
            assert_eq!(freed(&mut limbo).len(), rounds as usize / 10);
            assert_eq!(limbo.judged, rounds as usize + rounds as usize / 10);
        }
    }
}
