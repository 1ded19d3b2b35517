//! What waits to be freed, and the walks that some of it waits for.
//!
//! An item of a predicate `p` has been *born* at `b` (a clause: its birth; a list or an index: when it was made) and was *retired* at `r`,
//! when nobody could find it any more. A walk is known here by its [`Pin`], `(p, g, g)` with the generation that it reads with.
//!
//! *Equation*: a walk `(p, g)` may reach an item of `p` only if `b ≤ g < r`. For:
//! 1. A reader takes only lists that were made by its generation ([`super::view::view`]), and the end of a walk that is published is not
//!    beyond what has been born by then ([`super::view::end_of`]).
//! 2. Who has read generation `r` finds nothing any more of what had been unlinked before.
//!
//! A walk of a transaction reads with no such generation, and it is not known when it began: after `s` and by `u`. Its pin is `(p, s, u)`, and it may
//! reach an item only if `b ≤ u` and `s < r`: what it passes had come to the list when it began, and had not been retired.
//!
//! So however long a walk stays, it keeps what it can reach and nothing that has come and gone since.
//!
//! *Equation*: a retired item is in the queue until no worker can come to hold it but by the pins that there are; then it is *kept* for the
//! oldest pin that holds it, or freed. When that pin has gone it is *loose*, and judged again. So nobody walks what has to stay: each item is
//! looked at once, and once more for each pin that it was kept for and that has gone.
//!
//! Who retires something, or frees it, cannot be refused memory: lists of items are linked ones, so that none needs a large block.
//!
//! All of that is kept by predicate: what waits of one is not looked at when another's walks come and go. The predicates are taken in the order of what waits
//! first of them, so that who looks does nothing for those whose turn has not come.
//!
//! For [`super::reclaim`] only, under its lock.

use super::chain::{Chain, Retired};
use super::retire::Node;
use std::collections::{BTreeMap, BTreeSet, LinkedList};

/// A walk over the clauses of a predicate (its address) with a generation; one of a transaction that has begun after one generation and by another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Pin {
    pub predicate: usize,
    pub since: u64,
    pub until: u64,
}

/// The generations of a pin.
type Span = (u64, u64);

impl Pin {
    pub fn at(predicate: usize, generation: u64) -> Pin {
        let (since, until) = (generation, generation);
        Pin {
            predicate,
            since,
            until,
        }
    }
    fn span(&self) -> Span {
        (self.since, self.until)
    }
}

#[derive(Debug)]
struct Item<C> {
    retired: u64,
    what: Retired<C>,
}

/// What waits of one predicate, and for what.
struct Waiting<C> {
    /// In the order of generations.
    queue: LinkedList<Item<C>>,
    /// The walks that workers have published, and how many workers each.
    pins: BTreeMap<Span, usize>,
    /// Those of transactions, with the later generation first.
    long: BTreeSet<Span>,
    kept: BTreeMap<Span, LinkedList<Item<C>>>,
    loose: LinkedList<Item<C>>,
}

impl<C> Default for Waiting<C> {
    fn default() -> Waiting<C> {
        Waiting {
            queue: LinkedList::new(),
            pins: BTreeMap::new(),
            long: BTreeSet::new(),
            kept: BTreeMap::new(),
            loose: LinkedList::new(),
        }
    }
}

/// See the module text.
pub(crate) struct Limbo<C> {
    /// By the predicate's address: those of which something waits, or which are walked.
    predicates: BTreeMap<usize, Waiting<C>>,
    /// Those with a queue, by the generation of what is first in it, which is nobody else's.
    queued: BTreeMap<u64, usize>,
    /// Those with something loose.
    loose: BTreeSet<usize>,
    /// The generation of what was retired last.
    newest: u64,
    /// Bytes retired since the workers were last asked.
    pub fresh: usize,
    /// Items that have been judged.
    #[cfg(test)]
    judged: usize,
}

impl<C> Default for Limbo<C> {
    fn default() -> Limbo<C> {
        Limbo {
            predicates: BTreeMap::new(),
            queued: BTreeMap::new(),
            loose: BTreeSet::new(),
            newest: 0,
            fresh: 0,
            #[cfg(test)]
            judged: 0,
        }
    }
}

impl<C: Node> Limbo<C> {
    /// Calls `f` with each clause that waits.
    pub fn each(&self, f: &mut dyn FnMut(&C)) {
        for w in self.predicates.values() {
            let lists = w.kept.values().chain([&w.queue, &w.loose]);
            for item in lists.flatten() {
                if let Retired::Chain(all) = &item.what {
                    all.each(f);
                }
            }
        }
    }
}

impl<C: Node> Waiting<C> {
    fn is_empty(&self) -> bool {
        self.queue.is_empty()
            && self.pins.is_empty()
            && self.kept.is_empty()
            && self.loose.is_empty()
    }
    /// A pin that holds what was born and retired then: the oldest, but for those that are long. (Of these, such are passed as begin later than it was retired, and there
    /// are few: one for each publication of a transaction that walks the predicate.)
    fn holder(&self, born: u64, retired: u64) -> Option<Span> {
        // (Many clauses come and go in one step.)
        let born = born.min(retired);
        let mut since_then = self.pins.range((born, 0)..(retired, 0));
        if let Some((&span, _)) = since_then.next() {
            return Some(span);
        }
        let mut until_then = self.long.range((born, 0)..);
        let (until, since) = until_then.find(|&&(_, since)| since < retired)?;
        Some((*since, *until))
    }
    fn pin(&mut self, span @ (since, until): Span) {
        *self.pins.entry(span).or_default() += 1;
        if until > since {
            self.long.insert((until, since));
        }
    }
    /// Of several workers one has it no more. Whether it was the last; `None`: there was none.
    fn unpin(&mut self, span @ (since, until): Span) -> Option<bool> {
        let workers = self.pins.get_mut(&span)?;
        *workers -= 1;
        let last = *workers == 0;
        if last {
            self.pins.remove(&span);
            self.long.remove(&(until, since));
        }
        Some(last)
    }
    /// An item that only pins may hold is kept or free.
    fn judge(&mut self, item: Item<C>, free: &mut Vec<Retired<C>>) {
        let Item { retired, what } = item;
        if self.holder(0, retired).is_none() {
            free.push(what);
            return;
        }
        match what {
            Retired::Chain(mut all) => {
                let mut unheld = Chain::new();
                while let Some(c) = all.pop() {
                    // SAFETY: what is retired is freed by nobody else.
                    let born = unsafe { &*c }.born();
                    match born.and_then(|born| self.holder(born, retired)) {
                        None => unheld.push(c),
                        Some(pin) => self.keep_node(pin, c, retired),
                    }
                }
                if !unheld.is_empty() {
                    free.push(Retired::Chain(unheld));
                }
            }
            Retired::One(one) => {
                // SAFETY: the same.
                let born = unsafe { &*one }.born();
                match born.and_then(|born| self.holder(born, retired)) {
                    None => free.push(Retired::One(one)),
                    Some(pin) => {
                        let what = Retired::One(one);
                        let items = self.kept.entry(pin).or_default();
                        items.push_back(Item { retired, what });
                    }
                }
            }
        }
    }
    /// Keeps one of several that were retired at once.
    fn keep_node(&mut self, pin: Span, c: *mut C, retired: u64) {
        let items = self.kept.entry(pin).or_default();
        if let Some(Item {
            retired: r,
            what: Retired::Chain(all),
        }) = items.back_mut()
            && *r == retired
        {
            all.push(c);
            return;
        }
        let mut all = Chain::new();
        all.push(c);
        let what = Retired::Chain(all);
        items.push_back(Item { retired, what });
    }
}

impl<C: Node> Limbo<C> {
    /// Nothing waits but for pins.
    pub fn is_idle(&self) -> bool {
        self.queued.is_empty() && self.loose.is_empty()
    }
    /// The generation of what was retired last, if that waits.
    pub fn newest(&self) -> Option<u64> {
        (!self.queued.is_empty()).then_some(self.newest)
    }
    /// Takes what has been retired of a predicate, in a generation that is newer than all before.
    pub fn push(&mut self, predicate: usize, retired: u64, what: Retired<C>) {
        self.newest = retired;
        let waiting = self.predicates.entry(predicate).or_default();
        if waiting.queue.is_empty() {
            self.queued.insert(retired, predicate);
        }
        waiting.queue.push_back(Item { retired, what });
    }
    /// A worker has these walks no more, and these besides.
    pub fn repin(&mut self, gone: &[Pin], new: impl IntoIterator<Item = Pin>) {
        // The new ones first: they may be the same.
        for pin in new {
            let waiting = self.predicates.entry(pin.predicate).or_default();
            waiting.pin(pin.span());
        }
        for pin in gone {
            let waiting = self.predicates.get_mut(&pin.predicate);
            let Some((waiting, last)) = waiting.and_then(|w| {
                let last = w.unpin(pin.span())?;
                Some((w, last))
            }) else {
                debug_assert!(false, "a walk ends that was not published");
                continue;
            };
            if !last {
                continue;
            }
            if let Some(mut items) = waiting.kept.remove(&pin.span()) {
                waiting.loose.append(&mut items);
                self.loose.insert(pin.predicate);
            } else if waiting.is_empty() {
                self.predicates.remove(&pin.predicate);
            }
        }
    }
    /// Takes out what no worker may hold, `most` items or a few more: who frees memory must not need much. `entered`: when the first of the
    /// workers entered who have not published since, or a generation before they were looked at. Whether that was all.
    pub fn take(&mut self, entered: u64, most: usize, free: &mut Vec<Retired<C>>) -> bool {
        while free.len() < most
            && let Some(&predicate) = self.loose.first()
        {
            let Some(waiting) = self.predicates.get_mut(&predicate) else {
                debug_assert!(false, "what is loose is nobody's");
                break;
            };
            if let Some(item) = waiting.loose.pop_back() {
                #[cfg(test)]
                {
                    self.judged += 1;
                }
                waiting.judge(item, free);
            }
            if waiting.loose.is_empty() {
                self.loose.remove(&predicate);
                if waiting.is_empty() {
                    self.predicates.remove(&predicate);
                }
            }
        }
        while free.len() < most
            && let Some((&first, &predicate)) = self.queued.first_key_value()
            && first <= entered
        {
            self.queued.remove(&first);
            let Some(waiting) = self.predicates.get_mut(&predicate) else {
                debug_assert!(false, "what is queued is nobody's");
                break;
            };
            if let Some(item) = waiting.queue.pop_front() {
                #[cfg(test)]
                {
                    self.judged += 1;
                }
                waiting.judge(item, free);
            }
            if let Some(next) = waiting.queue.front() {
                self.queued.insert(next.retired, predicate);
            } else if waiting.is_empty() {
                self.predicates.remove(&predicate);
            }
        }
        if cfg!(debug_assertions) {
            self.verify();
        }
        free.len() < most
    }
    /// Checks the equations. Panics if they do not hold.
    fn verify(&self) {
        for (predicate, waiting) in &self.predicates {
            assert!(!waiting.is_empty(), "an entry for nothing");
            let queue = &waiting.queue;
            assert!(
                queue.iter().map(|i| i.retired).is_sorted(),
                "limbo is out of order"
            );
            if let Some(first) = queue.front() {
                assert_eq!(self.queued.get(&first.retired), Some(predicate));
            }
            assert_eq!(self.loose.contains(predicate), !waiting.loose.is_empty());
            let long = waiting.pins.keys().filter(|(since, until)| since < until);
            assert_eq!(long.count(), waiting.long.len());
            for (pin, items) in &waiting.kept {
                assert!(waiting.pins.contains_key(pin), "kept for nobody");
                let last = items.back().expect("something is kept");
                assert!(pin.0 < last.retired);
            }
        }
        let queues = self.predicates.values().filter(|w| !w.queue.is_empty());
        assert_eq!(queues.count(), self.queued.len());
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::db::predicate::{Clause, Domain, Predicate};
    use samite_term::{Functor, atoms};

    fn predicate() -> &'static Predicate {
        Predicate::new(Domain::new(), atoms::USER, Functor::new(atoms::MAIN, 1))
    }

    fn clause(p: &'static Predicate, born: u64) -> *mut Clause {
        let c = Clause::new(p, 0, None, None, 0);
        c.be_born(born);
        Box::into_raw(Box::new(c))
    }

    fn push(limbo: &mut Limbo<Clause>, retired: u64, clauses: Vec<*mut Clause>) {
        push_of(limbo, 1, retired, clauses);
    }

    fn push_of(
        limbo: &mut Limbo<Clause>,
        predicate: usize,
        retired: u64,
        clauses: Vec<*mut Clause>,
    ) {
        let mut all = Chain::new();
        for c in clauses {
            // SAFETY: made above, and nobody else's.
            unsafe {
                (*c).die(retired, 0);
                all.retire(c);
            }
        }
        limbo.push(predicate, retired, Retired::Chain(all));
    }

    fn pin(generation: u64) -> Pin {
        Pin::at(1, generation)
    }

    /// Frees what can be freed; the births of the clauses, in order.
    fn freed(limbo: &mut Limbo<Clause>) -> Vec<u64> {
        let (mut free, mut births) = (Vec::new(), Vec::new());
        while !limbo.take(u64::MAX, 2, &mut free) || !free.is_empty() {
            for item in free.drain(..) {
                let Retired::Chain(mut all) = item else {
                    panic!("not clauses");
                };
                while let Some(c) = all.pop() {
                    // SAFETY: made above.
                    let c = unsafe { Box::from_raw(c) };
                    births.push(c.born_at());
                }
            }
        }
        births.sort_unstable();
        births
    }

    #[test]
    fn a_walk_keeps_what_it_can_reach() {
        let p = predicate();
        let mut limbo = Limbo::<Clause>::default();
        limbo.repin(&[], [pin(10), pin(20)]);
        limbo.repin(&[], [pin(20)]);
        // Born before, between and after; retired between and after.
        push(
            &mut limbo,
            15,
            vec![clause(p, 5), clause(p, 11), clause(p, 12)],
        );
        push(
            &mut limbo,
            25,
            [6, 10, 13, 20, 21].map(|b| clause(p, b)).into(),
        );
        push(&mut limbo, 26, vec![clause(p, 22)]);
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
        assert!(limbo.is_idle() && limbo.predicates.is_empty());
        // One of a transaction, which begins between 30 and 40.
        let long = Pin {
            until: 40,
            ..pin(30)
        };
        limbo.repin(&[], [long, pin(50)]);
        push(&mut limbo, 28, vec![clause(p, 5)]);
        push(&mut limbo, 35, [29, 33].map(|b| clause(p, b)).into());
        push(&mut limbo, 45, [5, 40, 41].map(|b| clause(p, b)).into());
        push(&mut limbo, 55, [31, 52].map(|b| clause(p, b)).into());
        assert_eq!(freed(&mut limbo), [5, 41, 52]);
        limbo.repin(&[long], None);
        assert_eq!(freed(&mut limbo), [5, 29, 33, 40]);
        limbo.repin(&[pin(50)], None);
        assert_eq!(freed(&mut limbo), [31]);
        assert!(limbo.is_idle() && limbo.predicates.is_empty());
    }

    /// However many walks stay, what comes and goes is judged once.
    #[test]
    fn walks_that_stay_are_not_walked() {
        let p = predicate();
        for walks in [100, 200, 400] {
            let mut limbo = Limbo::<Clause>::default();
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
                push(&mut limbo, now + 1, vec![clause(p, born)]);
                let expected = if round % 10 == 0 { vec![] } else { vec![now] };
                assert_eq!(freed(&mut limbo), expected);
            }
            assert_eq!(limbo.judged, rounds as usize);
            limbo.repin(&pins, None);
            assert_eq!(freed(&mut limbo).len(), rounds as usize / 10);
            assert_eq!(limbo.judged, rounds as usize + rounds as usize / 10);
        }
    }

    /// Walks of one predicate keep nothing of another, and what is first is judged first, whosever it is.
    #[test]
    fn predicates_wait_for_their_own_walks() {
        let p = predicate();
        let mut limbo = Limbo::<Clause>::default();
        limbo.repin(&[], [pin(10)]);
        for n in 0..100 {
            push_of(
                &mut limbo,
                1 + n % 3,
                20 + n as u64,
                vec![clause(p, n as u64)],
            );
        }
        assert_eq!(limbo.newest(), Some(119));
        let mut free = Vec::new();
        // Those retired by 49 that are not of the walked predicate, or were born after the walk.
        assert!(limbo.take(49, 1000, &mut free));
        assert_eq!(free.len(), 30 - 4);
        free.clear();
        assert_eq!(freed(&mut limbo).len(), 70);
        assert!(limbo.is_idle() && limbo.predicates.len() == 1);
        limbo.repin(&[pin(10)], None);
        assert_eq!(freed(&mut limbo), [0, 3, 6, 9]);
        assert!(limbo.predicates.is_empty());
    }
}
