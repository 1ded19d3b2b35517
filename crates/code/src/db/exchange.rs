//! Clauses exchanged in one step: of a predicate, whose lock is held, and of its twins.

use super::chain::Chain;
use super::kinds::{self, relink};
use super::lists::{put, retire_erased};
use super::predicate::{Clause, Predicate, Retired, Writer};
use rustc_hash::FxHashMap;

/// Clauses that come by an exchange, made by `Box::into_raw`.
#[derive(Default)]
pub(crate) struct New {
    /// In the place of the first that dies. If none does: with a generation, before the first that was there by then, else before all.
    pub first: Vec<*mut Clause>,
    /// After a clause that stays, which all lists have.
    pub after: FxHashMap<*mut Clause, Vec<*mut Clause>>,
    pub since: Option<u64>,
}

impl New {
    pub fn of(clauses: impl IntoIterator<Item = Box<Clause>>) -> New {
        New {
            first: clauses.into_iter().map(Box::into_raw).collect(),
            ..New::default()
        }
    }
    pub fn is_empty(&self) -> bool {
        self.first.is_empty() && self.after.is_empty()
    }
    fn all(&self) -> impl Iterator<Item = *mut Clause> {
        (self.first.iter())
            .chain(self.after.values().flatten())
            .copied()
    }
}

/// [`super::database::exchange`] of a predicate, whose lock is held, and its twins, of which each gets those of the new clauses that it may have.
pub(crate) fn exchange_raw(
    predicate: &'static Predicate,
    w: &mut Writer,
    dies: &dyn Fn(&Clause) -> bool,
    new: &New,
) {
    let twins = std::mem::take(&mut w.twins);
    let plan = |p| Plan::new(p, dies, new.since);
    let mut plans = vec![plan(predicate)];
    plans.extend(twins.iter().map(|t| plan(t.predicate)));
    if !new.is_empty() || plans.iter().any(|p| !p.old.is_empty()) {
        let now = predicate.domain.generation();
        for c in new.all() {
            // SAFETY: nobody frees them while the lock is held.
            let c = unsafe { &*c };
            // What a twin had has been born, and walks over the twin may be at it.
            if !c.is_born() {
                c.be_born(now);
            }
        }
        let (mut old, mut dead) = (Vec::new(), Chain::new());
        let mut plans = plans.into_iter();
        if let Some(plan) = plans.next() {
            plan.carry_out(predicate, w, &|_| true, new, &mut old, &mut dead);
        }
        for (plan, t) in plans.zip(&twins) {
            let mut own = t.predicate.lock();
            let has = |c: &Clause| t.has(c);
            plan.carry_out(t.predicate, &mut own, &has, new, &mut old, &mut dead);
        }
        // Before the clauses are retired: no call of a static predicate finds them any more.
        if new.is_empty() && w.live == 0 {
            relink(predicate, w);
        } else {
            // SAFETY: as above.
            let dynamic = new.all().any(|c| !unsafe { &*c }.is_linked());
            kinds::has_got(predicate, w, dynamic);
        }
        let g = predicate.next_death();
        for t in &twins {
            t.predicate.be_as_new_as(g);
        }
        for (pointer, c) in old {
            if !c.is_erased() {
                c.die(g, 0);
                c.forget_name();
            }
            // SAFETY: it has been left out of all lists.
            unsafe { dead.retire(pointer) };
        }
        if !dead.is_empty() {
            predicate.retire(Retired::Chain(dead));
        }
    }
    w.twins = twins;
}

/// What an exchange makes of the list of a predicate or a twin.
struct Plan {
    /// What stays.
    all: Vec<*mut Clause>,
    old: Vec<(*mut Clause, &'static Clause)>,
    /// Where the new ones come.
    place: usize,
}

impl Plan {
    fn new(
        predicate: &'static Predicate,
        dies: &dyn Fn(&Clause) -> bool,
        since: Option<u64>,
    ) -> Plan {
        let list = predicate.clauses();
        let (from, to) = list.bounds();
        let alive = list.entries(from, to).filter(|(_, c)| !c.is_erased());
        let (mut all, mut old, mut place) = (Vec::new(), Vec::new(), None);
        let mut older = None;
        for (pointer, c) in alive {
            if dies(c) {
                place.get_or_insert(all.len());
                old.push((pointer, c));
            } else {
                if since.is_some_and(|g| !c.is_asserted_since(g)) {
                    older.get_or_insert(all.len());
                }
                all.push(pointer);
            }
        }
        let place = place.or(older).unwrap_or(0);
        Plan { all, old, place }
    }
    /// Replaces the list, which has those of the new clauses for which `has` holds. What it had goes to `old`, if it has not been
    /// erased, or to `dead`.
    fn carry_out(
        mut self,
        predicate: &'static Predicate,
        w: &mut Writer,
        has: &dyn Fn(&Clause) -> bool,
        new: &New,
        old: &mut Vec<(*mut Clause, &'static Clause)>,
        dead: &mut Chain<Clause>,
    ) {
        // SAFETY: nobody frees them while the lock is held.
        let has = |c: &*mut Clause| has(unsafe { &**c });
        let after = |c: *mut Clause| new.after.get(&c).into_iter().flatten().filter(|c| has(c));
        if !new.after.is_empty() {
            let before: usize = (self.all[..self.place].iter())
                .map(|&c| after(c).count())
                .sum();
            let stay = std::mem::take(&mut self.all);
            for c in stay {
                self.all.push(c);
                self.all.extend(after(c));
            }
            self.place += before;
        }
        let first = new.first.iter().filter(|c| has(c));
        self.all.splice(self.place..self.place, first.copied());
        // SAFETY: they have been erased, and are left out below, and of the lists of all others before they are given away.
        unsafe { retire_erased(dead, predicate.clauses()) };
        old.extend(self.old);
        put(predicate, w, self.all);
    }
}
