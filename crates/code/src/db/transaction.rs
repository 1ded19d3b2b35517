//! Transactions: changes that only the thread sees that makes them, until they are made all at once, or not at all.
//!
//! The list of changes belongs to the thread ([`Transaction`]). What it adds is in the predicates' lists at once, with a private birth, and what it erases is
//! in a map of its own; what it sees: [`super::sight`]. So changing the database, and giving changes up, does nothing to what others see, and no thread waits for
//! another one's transaction.
//!
//! **Commit.** The predicates are locked, in the order of their addresses, then the logs of the incremental ones. With the clock held ([`super::clock`]) all that was added gets the next
//! generation for its birth, and all that was erased for its death, unless others have erased it meanwhile. Readers that have the new generation see all of it, others nothing.
//!
//! **Giving up.** What was added dies, under its predicate's lock, without having been born for anybody else; what was erased leaves the map.
//!
//! *Nested* ones have the snapshot of the outermost. A level is a place in the list: what comes after it is given up with it, or belongs to the next outer one.
//!
//! ```text
//! changes: in order; levels: places in it, ascending
//! a clause that the transaction has added, and not given up: in the list once, its birth private
//! a clause that it has erased, and not given up: in the list once, and in the map
//! sum over predicates of Writer::unborn = what transactions have added, and not given up, and nobody has erased
//! sum over predicates of Writer::claimed = what transactions have erased, and not given up
//! ```
//! A clause in the list is not freed: its predicate's lists hold it, because it is unborn, or because the transaction's snapshot sees it.

use super::changes::Changing;
use super::clock::Snapshot;
use super::database::{add_within, bury, erase, sweep_lists};
use super::lists::{Refused, is_worth_sweeping, skip_gone};
use super::predicate::{Clause, Domain, Predicate, Writer};
use super::readers::ReaderSlot;
use super::sight::Sight;
use crate::sync::MutexGuard;
use samite_term::growth;

/// What was done to a clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    Asserta,
    Assertz,
    Erased,
}

/// A change that the others do not see yet.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    pub clause: &'static Clause,
    pub action: Action,
}

/// Why a change is not made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cannot {
    /// There is no memory for it.
    Memory,
    /// There have been too many, or too many transactions.
    TooMany,
    Refused(Refused),
}

impl From<growth::Refused> for Cannot {
    fn from(_: growth::Refused) -> Cannot {
        Cannot::Memory
    }
}

/// A transaction of a thread. See the module text.
#[derive(Debug)]
pub struct Transaction {
    domain: &'static Domain,
    sight: &'static Sight,
    snapshot: Snapshot,
    changes: Vec<Change>,
    /// With the newest change's generation when each began.
    levels: Vec<(usize, u64)>,
    /// The predicates that it has changed, in the order of their addresses.
    touched: Vec<&'static Predicate>,
    /// How often it has said so in a log that an incremental predicate changes.
    pub logged: u64,
}

/// A predicate that a transaction has changed, while it is locked.
struct Locked {
    predicate: &'static Predicate,
    writer: MutexGuard<'static, Writer>,
    change: Option<Changing>,
    fewer: bool,
    more: bool,
}

impl Transaction {
    /// The outermost of a reader's begins.
    pub fn begin(domain: &'static Domain, reader: &ReaderSlot) -> Result<Transaction, Cannot> {
        let snapshot = domain.clock().begin_snapshot();
        let Some(sight) = Sight::open(snapshot.generation) else {
            domain.clock().end_snapshot(snapshot);
            return Err(Cannot::TooMany);
        };
        reader.set_sight(Some(sight));
        Ok(Transaction {
            domain,
            sight,
            snapshot,
            changes: Vec::new(),
            touched: Vec::new(),
            levels: Vec::new(),
            logged: 0,
        })
    }
    /// One begins in it.
    pub fn nest(&mut self) -> Result<(), Cannot> {
        let now = self.sight.now();
        growth::push(&mut self.levels, (self.changes.len(), now))?;
        self.begin_level();
        Ok(())
    }
    /// Whether there is more than the outermost.
    pub fn is_nested(&self) -> bool {
        !self.levels.is_empty()
    }
    /// How many changes it has made that have not been given up.
    pub fn len(&self) -> usize {
        self.changes.len()
    }
    /// Whether it has made none.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
    /// The changes of the innermost, in order, without what it has itself taken away again.
    pub fn pending(&self) -> impl Iterator<Item = Change> {
        let from = self.levels.last().map_or(0, |l| l.0);
        let changes = &self.changes[from..];
        let erased = |c: &'static Clause| self.sight.has_erased_now(address(c));
        let added_here = rustc_hash::FxHashSet::from_iter(
            (changes.iter())
                .filter(|c| c.action != Action::Erased && erased(c.clause))
                .map(|c| address(c.clause)),
        );
        let all = changes.iter().copied();
        all.filter(move |c| !added_here.contains(&address(c.clause)))
    }
    /// Whether it has changed a predicate, even if it has given that up.
    pub fn has_changed(&self, p: &'static Predicate) -> bool {
        (self
            .touched
            .binary_search_by_key(&address_of(p), |p| address_of(p)))
        .is_ok()
    }
    /// The next change, of a clause of that predicate: its generation, and room for it.
    fn next(&mut self, p: &'static Predicate) -> Result<u64, Cannot> {
        growth::have(&mut self.changes, 1)?;
        let is_last = (self.changes.last()).is_some_and(|c| std::ptr::eq(c.clause.predicate, p));
        if !is_last
            && let Err(at) = (self.touched).binary_search_by_key(&address_of(p), |p| address_of(p))
        {
            growth::have(&mut self.touched, 1)?;
            self.touched.insert(at, p);
        }
        self.sight.next().ok_or(Cannot::TooMany)
    }
    /// Adds a clause of a predicate.
    pub fn add(
        &mut self,
        predicate: &'static Predicate,
        clause: Box<Clause>,
        at_end: bool,
    ) -> Result<(), Cannot> {
        let g = match self.next(predicate) {
            Ok(g) => g,
            Err(why) => {
                clause.forget_name();
                return Err(why);
            }
        };
        clause.be_transacted();
        let raw: *const Clause = &raw const *clause;
        add_within(predicate, clause, at_end, Some(g)).map_err(Cannot::Refused)?;
        self.logged += u64::from(predicate.changes().is_some());
        // SAFETY: in the list of its predicate, where what is unborn stays.
        let clause = unsafe { &*raw };
        let action = match at_end {
            true => Action::Assertz,
            false => Action::Asserta,
        };
        self.changes.push(Change { clause, action });
        Ok(())
    }
    /// Adds a clause that the thread reads from a file that it loads: for everybody, and whatever becomes of the transaction, which sees it too.
    pub fn load(
        &mut self,
        predicate: &'static Predicate,
        clause: Box<Clause>,
        at_end: bool,
    ) -> Result<(), Cannot> {
        let at = address(&clause);
        if let Err(why) = self.sight.load(at) {
            clause.forget_name();
            return Err(why.into());
        }
        clause.be_transacted();
        let added = add_within(predicate, clause, at_end, None).map_err(Cannot::Refused);
        if added.is_err() {
            self.sight.unload(at);
        }
        added
    }
    /// Erases a clause that it sees or has seen; false if it has done so before.
    pub fn erase(&mut self, clause: &'static Clause, by: u16) -> Result<bool, Cannot> {
        if clause.is_unread() {
            // Of the thread's own load.
            return Ok(erase(clause, by));
        }
        if self.sight.has_erased_now(address(clause)) {
            return Ok(false);
        }
        let predicate = clause.predicate;
        let g = self.next(predicate)?;
        self.sight.erase(address(clause), g)?;
        let incremental = predicate.changes().is_some();
        let mut w = predicate.lock();
        w.claimed += 1;
        if incremental && let Some(change) = predicate.begin_change() {
            change.of(|i| clause.key_in_head(i));
        }
        drop(w);
        self.logged += u64::from(incremental);
        clause.be_transacted();
        let action = Action::Erased;
        self.changes.push(Change { clause, action });
        Ok(true)
    }
    /// Goes on with what others have committed meanwhile.
    pub fn renew(&mut self) {
        self.snapshot = self.domain.clock().renew(self.snapshot);
        self.sight.renew(self.snapshot.generation);
    }
    /// The innermost, which is nested, ends: its changes are those of the next outer one.
    pub fn keep_level(&mut self) {
        self.pop_level();
    }
    /// The innermost, which is nested, has ended.
    fn pop_level(&mut self) {
        self.levels.pop();
        self.begin_level();
    }
    /// The innermost is another one now.
    fn begin_level(&self) {
        let since = self.levels.last().map_or(self.sight.first(), |l| l.1);
        self.sight
            .begin_level(since, self.levels.first().map(|l| l.1));
    }
    /// The innermost, which is nested, ends, and its changes are given up.
    pub fn give_level_up(&mut self, by: u16) {
        if let Some(&(from, since)) = self.levels.last() {
            self.give_up(from, by);
            self.sight.see_again(since);
        }
        self.pop_level();
    }
    /// The outermost ends, and all changes are given up.
    pub fn abort(mut self, reader: &ReaderSlot) {
        self.give_up(0, reader.number());
        self.end(reader);
    }
    /// Gives up what has been changed from there on.
    fn give_up(&mut self, from: usize, by: u16) {
        while self.changes.len() > from
            && let Some(Change { clause, action }) = self.changes.pop()
        {
            let predicate = clause.predicate;
            let mut w = predicate.lock();
            if action == Action::Erased {
                w.claimed -= 1;
                drop(w);
                self.sight.restore(address(clause));
                continue;
            }
            if !clause.is_erased() {
                let g = predicate.next_death();
                clause.die(g, by);
                bury(predicate, &mut w, clause);
            }
        }
    }
    /// The outermost ends, and its changes are everybody's from one moment on. `told` hears of each log that it writes to, how many changes there were in it before and
    /// after. Refused, nothing has happened.
    pub fn commit(
        &mut self,
        reader: &ReaderSlot,
        mut told: impl FnMut(&'static Predicate, u64, u64),
    ) -> Result<(), growth::Refused> {
        let by = reader.number();
        let mut locked: Vec<Locked> = growth::with_room(self.touched.len())?;
        for &predicate in &self.touched {
            locked.push(Locked {
                predicate,
                writer: predicate.lock(),
                change: None,
                fewer: false,
                more: false,
            });
        }
        for l in &mut locked {
            l.change = l.predicate.begin_change();
            self.logged += u64::from(l.change.is_some());
        }
        let held = self.domain.clock().hold();
        let g = held.next();
        for c in &self.changes {
            let clause = c.clause;
            if clause.is_erased() {
                // Others have.
                continue;
            }
            match (c.action, clause.is_unborn()) {
                (Action::Erased, true) => (),
                (Action::Erased, false) => clause.die(g, by),
                _ if self.sight.has_erased_now(address(clause)) => (),
                _ => clause.be_everybodys(g),
            }
        }
        held.publish();
        for l in &mut locked {
            l.predicate.be_as_new_as(g);
        }
        for &Change { clause, action } in &self.changes {
            let at = locked
                .binary_search_by_key(&address_of(clause.predicate), |l| address_of(l.predicate));
            let Ok(at) = at else {
                debug_assert!(false, "a predicate that is not locked");
                continue;
            };
            let Locked {
                predicate,
                writer,
                change,
                fewer,
                more,
            } = &mut locked[at];
            if action == Action::Erased {
                writer.claimed -= 1;
                if clause.is_unborn() {
                    if !clause.is_erased() {
                        clause.die(g, by);
                        bury(predicate, writer, clause);
                    }
                    continue;
                }
                if clause.died_at() != Some(g) {
                    continue;
                }
                *fewer = true;
                bury(predicate, writer, clause);
            } else if clause.born_at() == g {
                *more = true;
                writer.unborn -= 1;
                for t in &writer.twins {
                    if t.has(clause) {
                        t.predicate.lock().unborn -= 1;
                    }
                }
            } else {
                continue;
            }
            if let Some(change) = change {
                change.one(|i| clause.key_in_head(i));
            }
        }
        for l in locked {
            if l.more {
                l.predicate.has_changed(false);
            }
            if l.fewer {
                l.predicate.has_changed(true);
            }
            for t in &l.writer.twins {
                t.predicate.be_as_new_as(g);
            }
            if let Some(change) = l.change {
                let (before, after) = change.end();
                told(l.predicate, before, after);
            }
            drop(l.writer);
        }
        self.end(reader);
        Ok(())
    }
    /// The reader sees what all see, and what was held for it goes.
    fn end(&mut self, reader: &ReaderSlot) {
        self.changes = Vec::new();
        reader.set_sight(None);
        self.sight.close();
        let released = self.domain.clock().end_snapshot(self.snapshot);
        for predicate in std::mem::take(&mut self.touched) {
            tidy(predicate);
        }
        if released {
            // (Those that go on keeping something say so again.)
            let keeping = std::mem::take(&mut *self.domain.keeping.lock());
            for predicate in keeping {
                predicate.lock().held = 0;
                tidy(predicate);
            }
        }
    }
}

/// What is gone leaves the lists of a predicate, if it is much.
fn tidy(predicate: &'static Predicate) {
    let mut w = predicate.lock();
    if w.erased == 0 {
        return;
    }
    skip_gone(predicate);
    if is_worth_sweeping(&w) {
        sweep_lists(predicate, &mut w);
    }
}

fn address(c: &Clause) -> usize {
    std::ptr::from_ref(c).addr()
}

fn address_of(p: &Predicate) -> usize {
    std::ptr::from_ref(p).addr()
}
