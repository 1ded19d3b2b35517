//! What became of predicates that are declared incremental (`:- dynamic edge/2 as incremental`): what tables that depend on them are made anew after.
//!
//! Each has a log of its changes: the keys ([`super::key`]) of the arguments of the head of a clause that came or died. Whoever has tables keeps how far it has read
//! each log, and asks for what came since. Only the newest changes are kept ([`KEPT`]): who lags behind is told that anything may have changed.
//!
//! ```text
//! a change:   log locked < revision counted < clause seen by calls < change in the log < log unlocked
//! a reader:   revision counted, as far as it is seen < log locked and read
//! ```
//! So who has seen a change of the clauses sees that the revision is another one, and who then reads the log finds the change in it. One that is found earlier or twice only has a
//! table made anew in vain.
//!
//! Keys name atoms and hold none: who keeps a key of a call holds its atom, and a log that names one which is gone is about clauses that no such call matches.
//!
//! Lock order: predicate, log.

use parking_lot::{Mutex, MutexGuard, RwLock};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

pub use super::key::ANY_KEY;

/// Changes that a log keeps.
pub const KEPT: usize = 1024;
/// Arguments that tell changes apart, the first ones.
pub const ARGUMENTS: usize = 8;

/// The log of one predicate. It stays for as long as the process.
#[derive(Debug, Default)]
pub struct Changes {
    log: Mutex<Log>,
    /// A call depends on all clauses, whatever its arguments are (`abstract(0)`).
    whole: AtomicBool,
}

#[derive(Debug, Default)]
struct Log {
    /// Changes so far.
    next: u64,
    /// The newest changes at which anything may have happened.
    anything: u64,
    /// The newest ones, each as many keys as the predicate has arguments that count; [`ANY_KEY`]: a variable, or unknown.
    keys: VecDeque<u64>,
    width: usize,
}

impl Log {
    /// Changes that it has the keys of.
    fn kept(&self) -> u64 {
        (self.keys.len() / self.width.max(1)) as u64
    }
    fn push(&mut self, arity: usize, key: impl Fn(usize) -> u64) {
        self.width = arity.min(ARGUMENTS);
        self.next += 1;
        if self.width == 0 || self.keys.try_reserve(self.width).is_err() {
            self.forget();
            return;
        }
        if self.kept() == KEPT as u64 {
            self.keys.drain(..self.width);
        }
        self.keys.extend((0..self.width).map(key));
    }
    fn forget(&mut self) {
        self.anything = self.next;
        self.keys.clear();
    }
}

/// The logs of a program, by the address of the predicate.
#[derive(Debug, Default)]
pub struct Logs {
    all: RwLock<FxHashMap<usize, &'static Changes>>,
    /// Changes of all of them, also of those that are being made.
    revision: AtomicU64,
}

impl Logs {
    /// Changes whenever a change is made.
    pub fn revision(&self) -> u64 {
        self.revision.load(Ordering::Acquire)
    }
    /// The log of what has this address.
    pub fn of(&self, address: usize) -> Option<&'static Changes> {
        self.all.read().get(&address).copied()
    }
    /// It has one from now on.
    pub fn make(&self, address: usize) {
        let mut all = self.all.write();
        all.entry(address)
            .or_insert_with(|| Box::leak(Box::default()));
    }
    /// Before a change of what has this address and so many arguments.
    #[cold]
    pub(crate) fn begin(&self, address: usize, arity: usize) -> Option<Changing> {
        let log = self.of(address)?.log.lock();
        // Release, and before the change is seen by calls.
        self.revision.fetch_add(1, Ordering::AcqRel);
        Some(Changing {
            log,
            arity,
            before: None,
        })
    }
}

/// Clauses of a predicate are about to come or to die.
pub(crate) struct Changing {
    log: MutexGuard<'static, Log>,
    arity: usize,
    /// Of several: how many there had been.
    before: Option<u64>,
}

impl Changing {
    /// One has done so, whose head has these keys in its arguments.
    pub fn of(mut self, key: impl Fn(usize) -> u64) {
        self.log.push(self.arity, key);
    }
    /// One of several has done so.
    pub fn one(&mut self, key: impl Fn(usize) -> u64) {
        if self.before.is_none() {
            self.before = Some(self.log.next);
        }
        self.log.push(self.arity, key);
    }
    /// There are no more: how many changes there had been before, and are now.
    pub fn end(self) -> (u64, u64) {
        (self.before.unwrap_or(self.log.next), self.log.next)
    }
    /// Any may have.
    pub fn of_any(mut self) {
        self.log.next += 1;
        self.log.forget();
    }
}

/// What a reader of a log is told.
#[derive(Debug, PartialEq, Eq)]
pub enum Since {
    /// So many changes there have been, all of which were shown.
    Shown(u64),
    /// The same, but anything may have changed.
    Anything(u64),
}

impl Changes {
    /// Shows what was changed since there had been `seen` changes.
    pub fn since(&self, seen: u64, mut show: impl FnMut(&[u64])) -> Since {
        let log = self.log.lock();
        if seen < log.anything || log.next - seen > log.kept() {
            return Since::Anything(log.next);
        }
        let first = (log.kept() - (log.next - seen)) as usize;
        let mut keys = [ANY_KEY; ARGUMENTS];
        for at in first..log.kept() as usize {
            for (i, k) in keys[..log.width].iter_mut().enumerate() {
                *k = log.keys[at * log.width + i];
            }
            show(&keys[..log.width]);
        }
        Since::Shown(log.next)
    }
    /// How many changes there have been.
    pub fn so_far(&self) -> u64 {
        self.log.lock().next
    }
    /// Whether calls depend on all clauses, whatever their arguments are.
    pub fn is_whole(&self) -> bool {
        self.whole.load(Ordering::Relaxed)
    }
    /// Says so, or that they do not.
    pub fn be_whole(&self, whole: bool) {
        self.whole.store(whole, Ordering::Relaxed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn shown(c: &Changes, seen: u64) -> (Since, Vec<Vec<u64>>) {
        let mut all = Vec::new();
        let since = c.since(seen, |keys| all.push(keys.to_vec()));
        (since, all)
    }

    #[test]
    fn a_reader_is_shown_what_came_since_or_told_that_it_lags_behind() {
        let c = Changes::default();
        assert_eq!(shown(&c, 0), (Since::Shown(0), vec![]));
        c.log.lock().push(2, |i| 10 + i as u64);
        c.log.lock().push(2, |i| 20 + i as u64);
        assert_eq!(shown(&c, 1), (Since::Shown(2), vec![vec![20, 21]]));
        assert_eq!(shown(&c, 0).1.len(), 2);
        for n in 0..KEPT as u64 {
            c.log.lock().push(2, |_| n);
        }
        assert_eq!(shown(&c, 1).0, Since::Anything(2 + KEPT as u64));
        let (since, all) = shown(&c, 2);
        assert_eq!(since, Since::Shown(2 + KEPT as u64));
        assert_eq!((all.len(), &all[0][..]), (KEPT, &[0, 0][..]));
        {
            let mut log = c.log.lock();
            log.next += 1;
            log.forget();
        }
        let now = 3 + KEPT as u64;
        assert_eq!(shown(&c, now - 1).0, Since::Anything(now));
        assert_eq!(shown(&c, now).0, Since::Shown(now));
        c.log.lock().push(2, |_| 7);
        assert_eq!(shown(&c, now), (Since::Shown(now + 1), vec![vec![7, 7]]));
        assert_eq!(c.so_far(), now + 1);
    }

    #[test]
    fn what_has_no_arguments_has_changed_in_any_case() {
        let c = Changes::default();
        c.log.lock().push(0, |_| 0);
        assert_eq!(shown(&c, 0), (Since::Anything(1), vec![]));
        assert_eq!(shown(&c, 1), (Since::Shown(1), vec![]));
    }
}
