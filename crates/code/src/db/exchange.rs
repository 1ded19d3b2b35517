//! Clauses exchanged in one step: of a predicate, whose lock is held, and of its twins.
//!
//! The lists of afterwards are made before anything is changed: where there is no memory for them, the exchange is refused, and all is as it was.
//! One that only takes away is not refused: then the clauses go one after another.

use super::chain::Chain;
use super::clock::NONE;
use super::kinds::{self, relink};
use super::list::Entry;
use super::list::List;
use super::lists::{keep, lose, put_list, retire_gone};
use super::predicate::{Clause, Predicate, Retired, Writer, flag};
use rustc_hash::{FxHashMap, FxHashSet};
use samite_term::Atom;
use samite_term::common;
use samite_term::growth::{self, Refused};

/// Clauses that come by an exchange, made by `Box::into_raw`.
#[derive(Default)]
pub(crate) struct New {
    /// In the place of the first that dies. If none does: behind the last of a file that comes before theirs; or with a generation, before the first that was there by
    /// then; else before all.
    pub first: Vec<*mut Clause>,
    /// After a clause that stays, which all lists have.
    pub after: FxHashMap<*mut Clause, Vec<*mut Clause>>,
    pub since: Option<u64>,
    /// The files that come before theirs.
    pub behind: FxHashSet<Atom>,
}

impl New {
    /// Refused, the clauses are dropped.
    #[allow(
        clippy::vec_box,
        reason = "lists refer to the boxes, which stay where they are"
    )]
    pub fn of(clauses: Vec<Box<Clause>>) -> Result<New, Refused> {
        let Ok(mut first) = growth::with_room(clauses.len()) else {
            for c in clauses {
                c.forget_name();
            }
            return Err(Refused);
        };
        first.extend(clauses.into_iter().map(Box::into_raw));
        Ok(New {
            first,
            ..New::default()
        })
    }
    pub fn is_empty(&self) -> bool {
        self.first.is_empty() && self.after.is_empty()
    }
    /// A clause, behind `after` or among the first.
    pub fn put(&mut self, after: Option<*mut Clause>, c: *mut Clause) -> Result<(), Refused> {
        let Some(after) = after else {
            return growth::push(&mut self.first, c);
        };
        if let Some(list) = self.after.get_mut(&after) {
            return growth::push(list, c);
        }
        let mut list = growth::with_room(1)?;
        list.push(c);
        growth::insert(&mut self.after, after, list).map(|_| ())
    }
    /// They do not come after all: frees them, when those who may still see them have gone on. No list of others has them, and the predicate's lock is held.
    pub fn discard(&self, predicate: &'static Predicate) {
        if self.is_empty() {
            return;
        }
        let g = predicate.next_death();
        let mut dead = Chain::new();
        for pointer in self.all() {
            // SAFETY: nobody frees them while the lock is held.
            let c = unsafe { &*pointer };
            c.die(g, 0);
            c.forget_name();
            // SAFETY: made by `Box::into_raw`, and in no list that a call finds.
            unsafe { dead.retire(pointer) };
        }
        predicate.retire(Retired::Chain(dead));
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
) -> Result<(), Refused> {
    let twins = std::mem::take(&mut w.twins);
    // Callers of static predicates take no snapshot of them. (One that is being abolished is not dynamic any more, but its clauses are: snapshots see them, and
    // transactions have changed them.)
    let without_snapshots = predicate.domain.clock().without_snapshots();
    let holds = without_snapshots.is_none()
        && (predicate.is_dynamic() || predicate.clauses().all().any(|(_, c)| !c.is_linked()));
    let held = holds.then(|| predicate.domain.oldest());
    let planned = (|| {
        let mut plans = growth::with_room(1 + twins.len())?;
        plans.push(Plan::new(predicate, dies, &|_| true, new, held)?);
        for t in &twins {
            // (What is held is in all lists, or it would be freed with one of them.)
            plans.push(Plan::new(t.predicate, dies, &|c| t.has(c), new, held)?);
        }
        let n = plans.iter().map(|p: &Plan| p.old.len()).sum();
        Ok((plans, growth::with_room(n)?))
    })();
    let (plans, mut old) = match planned {
        Ok(planned) => planned,
        Err(Refused) => {
            w.twins = twins;
            drop(without_snapshots);
            return match new.is_empty() {
                true => {
                    erase_each(predicate, w, dies);
                    Ok(())
                }
                false => Err(Refused),
            };
        }
    };
    if !new.is_empty() || plans.iter().any(|p| !p.old.is_empty()) {
        let change = predicate.begin_change();
        let now = predicate.domain.generation();
        for c in new.all() {
            // SAFETY: nobody frees them while the lock is held.
            let c = unsafe { &*c };
            // What a twin had has been born, and walks over the twin may be at it.
            if !holds && !c.is_born() {
                c.be_born(now);
            }
        }
        let mut dead = Chain::new();
        let mut plans = plans.into_iter();
        if let Some(plan) = plans.next() {
            plan.carry_out(predicate, w, &mut old, &mut dead);
        }
        if !new.is_empty()
            && let Some(last) = &mut w.linked
        {
            // All clauses have been looked at to make the list: so they may be by the next call, too.
            last.clauses = 0;
        }
        // The predicate's own list has lost some.
        let fewer = !old.is_empty();
        if holds {
            let of_twins = plans.as_slice().iter().flat_map(|p| &p.old);
            let unread = of_twins.filter(|(_, c)| c.is_unread()).map(|&(_, c)| c);
            exchange_held(predicate, w, new, &old, unread);
        }
        for (plan, t) in plans.zip(&twins) {
            let mut own = t.predicate.lock();
            plan.carry_out(t.predicate, &mut own, &mut old, &mut dead);
        }
        // Before the clauses are retired: no call of a static predicate finds them any more.
        if new.is_empty() && w.live == 0 {
            relink(predicate, w);
        } else {
            // SAFETY: as above.
            let dynamic = new.all().any(|c| !unsafe { &*c }.is_linked());
            if dynamic && !predicate.is_dynamic() {
                // Read for a dynamic one, which the end of another load has made static meanwhile: it is dynamic because of a file.
                predicate.change(w, 0, flag::DYNAMIC_BY_FILE);
            }
            kinds::has_got(predicate, w, dynamic);
        }
        let g = predicate.next_death();
        for t in &twins {
            t.predicate.be_as_new_as(g);
        }
        for (pointer, c) in old {
            if holds {
                // It is in a list still.
                debug_assert!(c.is_erased());
                continue;
            }
            if !c.is_erased() {
                c.die(g, 0);
            }
            // (One that was erased under a snapshot has kept it.)
            c.forget_name();
            // SAFETY: it has been left out of all lists.
            unsafe { dead.retire(pointer) };
        }
        if !new.is_empty() {
            predicate.has_changed(false);
        }
        if !dead.is_empty() || holds && fewer {
            predicate.has_changed(true);
        }
        if !dead.is_empty() {
            predicate.retire(Retired::Chain(dead));
        }
        if let Some(change) = change {
            change.of_any();
        }
    }
    w.twins = twins;
    Ok(())
}

/// The step of an exchange while there are snapshots, which go on seeing what dies: a predicate, whose lock is held, has got its list, with the clauses that
/// come, and these, which die; and so do those that a thread alone has read, before their twins get lists with what is left of them.
fn exchange_held(
    predicate: &'static Predicate,
    w: &mut Writer,
    new: &New,
    old: &[(*mut Clause, &'static Clause)],
    unread: impl Iterator<Item = &'static Clause> + Clone,
) {
    let held = predicate.domain.clock().hold();
    let g = held.next();
    for c in new.all() {
        // SAFETY: nobody frees them while the lock is held.
        let c = unsafe { &*c };
        if !c.is_born() {
            c.be_born(g);
        }
    }
    for c in old.iter().map(|&(_, c)| c).chain(unread.clone()) {
        c.die(g, 0);
    }
    held.publish();
    predicate.be_as_new_as(g);
    unread.for_each(Clause::let_name_go);
    for (_, c) in old {
        c.let_name_go();
        lose(predicate, w, c);
    }
    keep(predicate, w);
}

/// Erases the clauses for which `dies` holds, which takes no memory. They stay in the lists until these are swept.
fn erase_each(predicate: &'static Predicate, w: &mut Writer, dies: &dyn Fn(&Clause) -> bool) {
    let mut full = false;
    let lists = w.twins.iter().map(|t| t.predicate);
    let change = predicate.begin_change();
    let g = predicate.next_death();
    for p in lists {
        p.be_as_new_as(g);
    }
    let twins = std::mem::take(&mut w.twins);
    let mut erase = |c: &'static Clause, w: &mut Writer| {
        if c.is_erased() || !dies(c) {
            return;
        }
        c.die(g, 0);
        c.let_name_go();
        full |= !c.is_unread() && lose(predicate, w, c);
        for t in &twins {
            full |= t.has(c) && lose(t.predicate, &mut t.predicate.lock(), c);
        }
    };
    for (_, c) in predicate.clauses().all() {
        erase(c, w);
    }
    // Those that were read and that others do not have.
    for t in &twins {
        for (_, c) in t.predicate.clauses().all() {
            erase(c, w);
        }
    }
    w.twins = twins;
    predicate.has_changed(true);
    if let Some(change) = change {
        change.of_any();
    }
    if !predicate.is_dynamic() {
        relink(predicate, w);
    }
    if full {
        match w.twins.is_empty() {
            true => super::lists::sweep(predicate, w),
            false => super::sweep::sweep_all(predicate, w),
        }
    }
}

/// What an exchange makes of a predicate or a twin.
struct Plan {
    /// What died by then is left out; what died later is held for snapshots, and so is what dies now. `None`: nothing is held.
    held: Option<u64>,
    /// The list; `None`: an empty one.
    all: Option<List<Clause>>,
    old: Vec<(*mut Clause, &'static Clause)>,
}

impl Plan {
    /// Nothing is changed. The list has those of the new clauses for which `has` holds.
    fn new(
        predicate: &'static Predicate,
        dies: &dyn Fn(&Clause) -> bool,
        has: &dyn Fn(&Clause) -> bool,
        new: &New,
        held: Option<u64>,
    ) -> Result<Plan, Refused> {
        let list = predicate.clauses();
        // SAFETY: nobody frees them while the lock is held.
        let has = |c: &*mut Clause| has(unsafe { &**c });
        let first = || new.first.iter().copied().filter(has);
        let after = |c: *mut Clause| {
            let behind = new.after.get(&c).into_iter().flatten().copied();
            behind.filter(has)
        };
        let alive = || list.all().filter(|(_, c)| !c.is_erased());
        let is_held =
            |c: &Clause| held.is_some_and(|oldest| c.is_erased() && !c.is_dead_to(oldest));
        let held_before = list.all().filter(|(_, c)| is_held(c)).count();
        let (mut n, mut n_old) = (first().count() + held_before, 0);
        // The place of the new ones: before which of those that there are.
        let (mut place, mut behind, mut older) = (None, None, None);
        for (at, (pointer, c)) in alive().enumerate() {
            if dies(c) {
                place.get_or_insert(at);
                n_old += 1;
                n += usize::from(held.is_some());
            } else {
                if !new.behind.is_empty() && new.behind.contains(&c.file()) {
                    behind = Some(at + 1);
                }
                if new.since.is_some_and(|g| !c.is_asserted_since(g)) {
                    older.get_or_insert(at);
                }
                n += 1 + after(pointer).count();
            }
        }
        let place = place.or(behind).or(older).unwrap_or(0);
        let mut old = growth::with_room(n_old)?;
        if n == 0 {
            old.extend(alive());
            let all = None;
            return Ok(Plan { held, all, old });
        }
        let bytes = n * size_of::<*mut Clause>();
        let mut all = None;
        let since = predicate.domain.generation();
        let made = growth::asking(bytes, common::system_has, || {
            all = List::if_room(0, n, since);
            all.is_some()
        });
        let Some(all) = all.filter(|_| made) else {
            return Err(Refused);
        };
        let push = |c| {
            let pushed = all.push(c, true);
            debug_assert!(pushed, "there is room for all that were counted");
        };
        let mut at = 0;
        for (pointer, c) in list.all() {
            if c.is_erased() {
                if is_held(c) {
                    push(pointer);
                }
                continue;
            }
            if at == place {
                first().for_each(push);
            }
            at += 1;
            if dies(c) {
                old.push((pointer, c));
                if held.is_some() {
                    push(pointer);
                }
            } else {
                push(pointer);
                after(pointer).for_each(push);
            }
        }
        if at == place {
            first().for_each(push);
        }
        let all = Some(all);
        Ok(Plan { held, all, old })
    }
    /// Replaces the list. What it had goes to `old`, if it has not been erased, or to `dead`.
    fn carry_out(
        self,
        predicate: &'static Predicate,
        w: &mut Writer,
        old: &mut Vec<(*mut Clause, &'static Clause)>,
        dead: &mut Chain<Clause>,
    ) {
        // SAFETY: they have been erased, and are left out below, and of the lists of all others before they are given away.
        unsafe { retire_gone(dead, predicate.clauses(), self.held.unwrap_or(NONE)) };
        old.extend(self.old);
        let mut all = self.all;
        if let Some(all) = &mut all {
            // Not before the new clauses were born.
            all.made_in(predicate.domain.generation());
        }
        put_list(predicate, w, all);
    }
}
