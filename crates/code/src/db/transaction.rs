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
use super::clock::{NONE, PRIVATE, Snapshot};
use super::database::{add_within, bury, erase, sweep_lists};
use super::lists::{Refused, is_worth_sweeping, skip_gone};
use super::predicate::{Clause, Domain, Predicate, Writer};
use super::readers::ReaderSlot;
use super::sight::Sight;
use crate::sync::MutexGuard;
use samite_term::growth;
use std::sync::atomic::{AtomicU64, Ordering};

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
    /// What tells it from all other changes of transactions; later ones have greater ones.
    stamp: u64,
    /// Behind the change of the same predicate before it, in the list; 0 if there is none.
    before: u32,
}

/// A predicate that a transaction has changed.
#[derive(Debug)]
struct Touched {
    predicate: &'static Predicate,
    /// Behind its last change that has not been given up, in the list; 0 if there is none. Not kept of the predicate of the very last change.
    last: u32,
    /// What it has added of it, and how often clauses had come to its lists before.
    added: u32,
    links: u32,
}

/// The next stamp of a change. They begin above all generations, so that they are none.
static STAMPS: AtomicU64 = AtomicU64::new(PRIVATE);

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
    /// Those that are nested, the innermost last.
    levels: Vec<Level>,
    /// The predicates that it has changed, in the order of their addresses.
    touched: Vec<Touched>,
    /// Changes of others up to this generation may be seen: a later one than the snapshot's if the thread has loaded files.
    seen: u64,
    /// How often it has said so in a log that an incremental predicate changes.
    pub logged: u64,
}

/// A nested transaction that has begun.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// So many changes had been made.
    changes: usize,
    /// The newest change's generation.
    newest: u64,
    /// The generation that all others saw.
    since: u64,
}

/// A predicate that a transaction has changed, while it is locked.
struct Locked {
    predicate: &'static Predicate,
    writer: MutexGuard<'static, Writer>,
    /// Since the transaction has added its first clause nobody else has.
    alone: bool,
    change: Option<Changing>,
    fewer: bool,
    more: bool,
}

impl Transaction {
    /// The outermost of a reader's begins.
    pub fn begin(domain: &'static Domain, reader: &ReaderSlot) -> Result<Transaction, Cannot> {
        let snapshot = domain.clock().begin_snapshot();
        let Some(sight) = Sight::open(snapshot) else {
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
            seen: snapshot.generation,
            levels: Vec::new(),
            logged: 0,
        })
    }
    /// One begins in it.
    pub fn nest(&mut self) -> Result<(), Cannot> {
        let level = Level {
            changes: self.changes.len(),
            newest: self.sight.now(),
            since: self.domain.generation(),
        };
        growth::push(&mut self.levels, level)?;
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
        let from = self.levels.last().map_or(0, |l| l.changes);
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
        self.place_of(p).is_ok()
    }
    /// Where a predicate is, or would be, among those that it has changed.
    fn place_of(&self, p: &Predicate) -> Result<usize, usize> {
        (self.touched).binary_search_by_key(&address_of(p), |t| address_of(t.predicate))
    }
    /// When what it sees of a predicate changed last: as [`Predicate::modified`], and after a change of its own above all generations. It is as it was before what has been
    /// given up. (What others have changed meanwhile may count as changed by the snapshot.)
    pub fn modified(&self, p: &'static Predicate) -> u64 {
        let last = match self.last_change() {
            Some(c) if std::ptr::eq(c.clause.predicate, p) => Some(c),
            _ => (self.place_of(p).ok())
                .and_then(|at| (self.touched[at].last as usize).checked_sub(1))
                .map(|at| &self.changes[at]),
        };
        last.map_or_else(|| p.modified().min(self.seen), |c| c.stamp)
    }
    fn last_change(&self) -> Option<&Change> {
        self.changes.last()
    }
    /// The next change, of a clause of that predicate: its generation, and room for it.
    fn next(&mut self, p: &'static Predicate) -> Result<u64, Cannot> {
        growth::have(&mut self.changes, 1)?;
        if !self.is_of_last(p)
            && let Err(at) = self.place_of(p)
        {
            growth::have(&mut self.touched, 1)?;
            let predicate = p;
            let touched = Touched {
                predicate,
                last: 0,
                added: 0,
                links: 0,
            };
            self.touched.insert(at, touched);
        }
        self.sight.next().ok_or(Cannot::TooMany)
    }
    /// Whether the last change is one of this predicate.
    fn is_of_last(&self, p: &Predicate) -> bool {
        (self.last_change()).is_some_and(|c| std::ptr::eq(c.clause.predicate, p))
    }
    /// Makes a change the last one, for which [`Transaction::next`] has made room.
    fn push(&mut self, clause: &'static Clause, action: Action) {
        let p = clause.predicate;
        let behind = self.changes.len() as u32;
        let before = match self.is_of_last(p) {
            true => behind,
            false => {
                if let Some(other) = self.last_change().map(|c| c.clause.predicate) {
                    self.set_last(other, behind);
                }
                self.place_of(p).map_or(0, |at| self.touched[at].last)
            }
        };
        let stamp = STAMPS.fetch_add(1, Ordering::Relaxed);
        self.changes.push(Change {
            clause,
            action,
            stamp,
            before,
        });
    }
    /// Takes the last change away.
    fn pop(&mut self) -> Option<Change> {
        let change = self.changes.pop()?;
        let p = change.clause.predicate;
        if !self.is_of_last(p) {
            self.set_last(p, change.before);
        }
        Some(change)
    }
    fn set_last(&mut self, p: &Predicate, last: u32) {
        if let Ok(at) = self.place_of(p) {
            self.touched[at].last = last;
        }
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
        clause.be_early();
        let raw: *const Clause = &raw const *clause;
        let at = self.place_of(predicate).unwrap_or_default();
        if self.touched[at].added == 0 {
            let w = predicate.lock();
            // (With twins it is not known what comes to their lists: as if something had come.)
            self.touched[at].links = match w.twins.is_empty() {
                true => w.links,
                false => w.links.wrapping_sub(1),
            };
        }
        add_within(predicate, clause, at_end, Some(g)).map_err(Cannot::Refused)?;
        self.touched[at].added += 1;
        self.logged += u64::from(predicate.changes().is_some());
        // SAFETY: in the list of its predicate, where what is unborn stays.
        let clause = unsafe { &*raw };
        let action = match at_end {
            true => Action::Assertz,
            false => Action::Asserta,
        };
        self.push(clause, action);
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
        match added {
            Ok(()) => self.seen = self.domain.generation(),
            Err(_) => self.sight.unload(at),
        }
        added
    }
    /// The thread reads a clause of a file that it loads again, of a dynamic predicate: the transaction sees it as if it had always been there. (Without the memory for
    /// that it does not.)
    pub fn read(&mut self, clause: &Clause) {
        if self.sight.load(address(clause)).is_ok() {
            clause.be_transacted();
        }
    }
    /// What has been read comes to nothing, and is going to be freed.
    pub fn forget_read(&mut self, address: usize) {
        self.sight.unload(address);
    }
    /// The same of all that a twin has that nobody else has.
    pub fn forget_read_of(&mut self, twin: &'static Predicate) {
        for (_, clause) in twin.clauses().all().filter(|(_, c)| c.is_unread()) {
            self.sight.unload(address(clause));
        }
    }
    /// The thread has taken away what its file, or all files, had of a dynamic predicate: the transaction does not see it any more, whatever becomes of it. Others have not taken it from
    /// the lists before it ends.
    pub fn gone(&mut self, clauses: impl Iterator<Item = &'static Clause>) {
        for clause in clauses {
            if self.sight.erase(address(clause), 0).is_ok() {
                clause.be_transacted();
            }
        }
        self.seen = self.domain.generation();
    }
    /// Erases a clause that it sees or has seen; false if it has done so before.
    pub fn erase(&mut self, clause: &'static Clause, by: u16) -> Result<bool, Cannot> {
        if clause.is_unread() {
            // Of the thread's own load.
            self.sight.unload(address(clause));
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
        self.push(clause, Action::Erased);
        Ok(true)
    }
    /// Goes on with what others have committed meanwhile.
    pub fn renew(&mut self) {
        self.snapshot = self.domain.clock().renew(self.snapshot);
        self.sight.renew(self.snapshot.generation);
        self.seen = self.snapshot.generation;
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
        let newest = |l: &Level| l.newest;
        let since = self.levels.last().map_or(self.sight.first(), newest);
        (self.sight).begin_level(since, self.levels.first().map(newest));
    }
    /// The innermost, which is nested, ends, and its changes are given up.
    pub fn give_level_up(&mut self, by: u16) {
        if let Some(&level) = self.levels.last() {
            self.give_up(level.changes, level.since, by);
            self.sight.see_again(level.newest);
        }
        self.pop_level();
    }
    /// The outermost ends, and all changes are given up.
    pub fn abort(mut self, reader: &ReaderSlot) {
        self.give_up(0, self.snapshot.since(), reader.number());
        self.end(reader);
    }
    /// Gives up what has been changed from there on, which was after generation `since`.
    fn give_up(&mut self, from: usize, since: u64, by: u16) {
        while self.changes.len() > from
            && let Some(Change { clause, action, .. }) = self.pop()
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
                predicate.next_death();
                clause.be_nobodys(since, by);
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
        for t in &self.touched {
            let predicate = t.predicate;
            let writer = predicate.lock();
            locked.push(Locked {
                predicate,
                alone: writer.links.wrapping_sub(t.links) == t.added,
                writer,
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
        for &Change { clause, action, .. } in &self.changes {
            let at = locked
                .binary_search_by_key(&address_of(clause.predicate), |l| address_of(l.predicate));
            let Ok(at) = at else {
                debug_assert!(false, "a predicate that is not locked");
                continue;
            };
            let Locked {
                predicate,
                writer,
                alone,
                change,
                fewer,
                more,
            } = &mut locked[at];
            if action == Action::Erased {
                writer.claimed -= 1;
                if clause.is_unborn() {
                    if !clause.is_erased() {
                        clause.be_nobodys(self.snapshot.since(), by);
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
                if *alone {
                    clause.be_on_time();
                } else if writer.twins.is_empty() {
                    clause.has_come_after(self.snapshot.since());
                }
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
        for touched in std::mem::take(&mut self.touched) {
            tidy(touched.predicate);
        }
        if released {
            let_all_go(self.domain);
        }
    }
}

/// A snapshot has ended: what was held for it goes.
fn let_all_go(domain: &'static Domain) {
    loop {
        let oldest = domain.oldest();
        let mut keeping = std::mem::take(&mut *domain.keeping.lock());
        keeping.retain(|p| !let_go(p, oldest));
        if keeping.is_empty() {
            return;
        }
        let mut others = domain.keeping.lock();
        // (Without memory for that they are swept when as much has been erased as they hold.)
        if others.try_reserve(keeping.len()).is_ok() {
            others.append(&mut keeping);
        }
        // (Another that has ended meanwhile did not find them.)
        if domain.oldest() == oldest {
            return;
        }
    }
}

/// A snapshot has ended that a predicate held clauses for: they leave its lists, if most of them are gone by that. (To take them out costs as much as there are, and the
/// lists that they leave wait for their readers: so not whenever some are gone.) Whether that is done, or nothing is left of them.
fn let_go(predicate: &'static Predicate, oldest: u64) -> bool {
    let mut w = predicate.lock();
    let done = w.erased == 0 || oldest == NONE || predicate.clauses().is_mostly_gone(oldest);
    if done {
        w.held = 0;
        drop(w);
        tidy(predicate);
    }
    done
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
