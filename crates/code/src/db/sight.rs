//! What the thread of a transaction sees: the database as it was when the transaction began, and its own changes.
//!
//! A change that nobody else is to see carries a *private* generation ([`PRIVATE`]): the number of its transaction, and which of its changes it is. Calls in the transaction
//! have one too, that of its newest change.
//!
//! ```text
//!   bit 47    46 .. 31    30 .. 0
//!   1         number      change
//! ```
//!
//! *Equation*. A clause is visible to generation g
//!
//! ```text
//! g < PRIVATE, in no transaction:   birth ≤ g < death
//! g of transaction t, snapshot S:   birth ≤ S < death   or   birth is of t, birth ≤ g, and it has not died
//!                                   and t has not erased it by g
//! ```
//! where what t's thread has loaded of files counts as born before S.
//!
//! Private generations are above all others, and births of other transactions so above any g: who is in no transaction compares as ever. What a transaction erases, it keeps in a
//! map of its own ([`Sight::erase`]); the clause has a mark for that, so that the map is asked for few. Several transactions may
//! have erased the same clause, which lives on for all others.
//!
//! The thread of a transaction alone changes its sight, and asks it; locks are for the compiler. A number leads to the same sight for ever, which one transaction after another has.

use super::clock::{PRIVATE, PRIVATE_SHIFT, Snapshot};
use super::stretches::Stretches;
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};
use samite_term::growth::{self, Refused};
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

/// Bits of a private generation that count changes.
const CHANGE_BITS: u32 = 31;
/// Changes that a transaction may make.
pub const MOST_CHANGES: u64 = (1 << CHANGE_BITS) - 1;
/// Transactions that there may be at once. (The last number would be part of a clause's death that has none.)
const MOST: u16 = u16::MAX - 1;
const _: () = assert!(PRIVATE_SHIFT == CHANGE_BITS + u16::BITS);

/// Whether a generation is one of a transaction.
#[inline]
pub fn is_private(g: u64) -> bool {
    g >> PRIVATE_SHIFT == 1
}

/// See the module text.
#[derive(Debug)]
pub struct Sight {
    number: u16,
    /// The generation of the snapshot.
    snapshot: AtomicU64,
    /// What that is known by: what died later is held for it, however often it is renewed.
    since: AtomicU64,
    /// That of the newest own change.
    now: AtomicU64,
    /// That of the newest own change when the innermost transaction began.
    level: AtomicU64,
    /// The same of the outermost of those that are nested; the greatest number: there is none.
    nested: AtomicU64,
    own: Mutex<Own>,
}

#[derive(Debug, Default)]
struct Own {
    /// By its address, by which change a clause was erased.
    erased: FxHashMap<usize, u64>,
    /// What calls pass.
    stretches: Stretches,
    /// Clauses of files that the thread has loaded meanwhile, by their addresses.
    loaded: FxHashSet<usize>,
    /// Predicates that have been looked at with this snapshot, by their addresses.
    looked: FxHashSet<usize>,
}

static SIGHTS: [AtomicPtr<Sight>; 1 << u16::BITS] =
    [const { AtomicPtr::new(ptr::null_mut()) }; 1 << u16::BITS];

/// Numbers that have been given so far, and those that are free again.
static NUMBERS: Mutex<(u16, Vec<u16>)> = Mutex::new((0, Vec::new()));

fn number_of(g: u64) -> u16 {
    (g >> CHANGE_BITS) as u16
}

impl Sight {
    /// That of a transaction that begins; `None`: there are too many.
    pub(crate) fn open(snapshot: Snapshot) -> Option<&'static Sight> {
        let mut numbers = NUMBERS.lock();
        let number = match numbers.1.pop() {
            Some(n) => n,
            None if numbers.0 == MOST => return None,
            None => {
                let number = numbers.0;
                let sight = Box::leak(Box::new(Sight {
                    number,
                    snapshot: AtomicU64::new(0),
                    since: AtomicU64::new(0),
                    now: AtomicU64::new(0),
                    level: AtomicU64::new(0),
                    nested: AtomicU64::new(u64::MAX),
                    own: Mutex::default(),
                }));
                numbers.0 += 1;
                // Room for giving it back.
                if numbers.1.try_reserve(usize::from(number) + 1).is_err() {
                    numbers.0 -= 1;
                    return None;
                }
                // Release: pairs with the acquire in `of`.
                SIGHTS[usize::from(number)].store(sight, Ordering::Release);
                number
            }
        };
        drop(numbers);
        let sight = Sight::of(PRIVATE | u64::from(number) << CHANGE_BITS)?;
        (sight.snapshot).store(snapshot.generation, Ordering::Relaxed);
        sight.since.store(snapshot.since(), Ordering::Relaxed);
        let first = sight.first();
        sight.now.store(first, Ordering::Relaxed);
        sight.begin_level(first, None);
        Some(sight)
    }
    /// The transaction has ended, and no walk has a generation of it any more.
    pub(crate) fn close(&'static self) {
        *self.own.lock() = Own::default();
        NUMBERS.lock().1.push(self.number);
    }
    /// That of a private generation.
    pub fn of(g: u64) -> Option<&'static Sight> {
        debug_assert!(is_private(g));
        let sight = SIGHTS[usize::from(number_of(g))].load(Ordering::Acquire);
        // SAFETY: null, or leaked above.
        unsafe { sight.as_ref() }
    }
    /// The generation before all of its changes.
    pub(crate) fn first(&self) -> u64 {
        PRIVATE | u64::from(self.number) << CHANGE_BITS
    }
    /// The generation that a call starting now has.
    pub fn now(&self) -> u64 {
        self.now.load(Ordering::Relaxed)
    }
    pub(super) fn snapshot(&self) -> u64 {
        self.snapshot.load(Ordering::Relaxed)
    }
    /// The transaction began after this generation, and what has died since is held for it.
    pub fn since(&self) -> u64 {
        self.since.load(Ordering::Relaxed)
    }
    /// Sees another snapshot from now on.
    pub(crate) fn renew(&self, snapshot: u64) {
        self.snapshot.store(snapshot, Ordering::Relaxed);
        let mut own = self.own.lock();
        own.looked.clear();
        own.stretches.clear();
    }
    /// The generation of the next change; `None`: there have been too many.
    pub(crate) fn next(&self) -> Option<u64> {
        let next = self.now() + 1;
        if next & MOST_CHANGES == MOST_CHANGES {
            return None;
        }
        self.now.store(next, Ordering::Relaxed);
        Some(next)
    }
    /// Whether a generation is one of this transaction.
    pub(super) fn is_own(&self, g: u64) -> bool {
        is_private(g) && number_of(g) == self.number
    }
    /// Whether a clause with this birth and death, and this address if it has the mark, is visible to generation `g` of this transaction.
    pub(super) fn sees(
        &self,
        g: u64,
        birth: u64,
        death: Option<u64>,
        marked: Option<usize>,
    ) -> bool {
        let lives = match is_private(birth) {
            true => self.is_own(birth) && birth <= g && death.is_none(),
            // (From the beginning, as it were.)
            false if marked.is_some_and(|address| self.has_loaded(address)) => self.lives(0, death),
            false => self.lives(birth, death),
        };
        lives && !marked.is_some_and(|address| self.has_erased(address, g))
    }
    fn has_erased(&self, address: usize, g: u64) -> bool {
        let own = self.own.lock();
        own.erased.get(&address).is_some_and(|&by| by <= g)
    }
    /// Whether the transaction has erased the clause at an address.
    pub fn has_erased_now(&self, address: usize) -> bool {
        self.has_erased(address, u64::MAX)
    }
    /// The transaction erases a clause by its change `g`.
    pub(crate) fn erase(&self, address: usize, g: u64) -> Result<(), Refused> {
        growth::insert(&mut self.own.lock().erased, address, g).map(|_| ())
    }
    /// It does not after all. (When all that was erased since some change has been restored: [`Sight::see_again`].)
    pub(crate) fn restore(&self, address: usize) {
        self.own.lock().erased.remove(&address);
    }
    /// Calls see again what was erased after a change.
    pub(crate) fn see_again(&self, since: u64) {
        self.own.lock().stretches.restore(since);
    }
    /// Where a call at an index of a list goes on, if it is known that nothing is to be seen before.
    pub(super) fn passed(&self, list: u64, at: usize) -> Option<usize> {
        self.own.lock().stretches.end(list, at)
    }
    /// A call that starts now sees nothing of a list from `first` to `end`; `hidden`: which clauses of it may be restored, but for those that are in a stretch already, with the changes that
    /// erased them, and where.
    pub(super) fn note_passed(
        &self,
        list: u64,
        (first, end): (usize, usize),
        hidden: &[(u64, usize)],
    ) {
        let changes = (self.now() - self.first()) as usize;
        let stretches = &mut self.own.lock().stretches;
        if (hidden.iter()).all(|&(by, at)| stretches.hide(by, list, at).is_ok()) {
            stretches.note(list, first, end, changes);
        }
    }
    /// The change by which the transaction has erased the clause at an address, if that is a nested one's, which may be given up.
    pub(super) fn may_restore(&self, address: usize) -> Option<u64> {
        let since = self.nested.load(Ordering::Relaxed);
        if since == u64::MAX {
            return None;
        }
        let own = self.own.lock();
        let &by = own.erased.get(&address)?;
        (by > since).then_some(by)
    }
    /// The innermost transaction began with that change, what was added before is an outer one's; the outermost nested one, if there is one, with the other.
    pub(crate) fn begin_level(&self, since: u64, nested: Option<u64>) {
        self.level.store(since, Ordering::Relaxed);
        (self.nested).store(nested.unwrap_or(u64::MAX), Ordering::Relaxed);
        if nested.is_none() {
            self.own.lock().stretches.settle();
        }
    }
    /// Whether a clause that is not seen any more is known nevertheless: the transaction tells of what it has erased, unless it has added it itself.
    pub(super) fn tells_of(&self, birth: u64, death: Option<u64>) -> bool {
        match is_private(birth) {
            true => {
                self.is_own(birth) && death.is_none() && birth <= self.level.load(Ordering::Relaxed)
            }
            false => self.lives(birth, death),
        }
    }
    /// Whether the snapshot sees what is or was everybody's.
    fn lives(&self, birth: u64, death: Option<u64>) -> bool {
        let snapshot = self.snapshot();
        birth <= snapshot && death.is_none_or(|d| snapshot < d)
    }
    /// The thread loads a file for the first time: a clause of it will be everybody's at once, and this transaction's.
    pub(crate) fn load(&self, address: usize) -> Result<(), Refused> {
        growth::add(&mut self.own.lock().loaded, address).map(|_| ())
    }
    /// It has not come after all.
    pub(crate) fn unload(&self, address: usize) {
        self.own.lock().loaded.remove(&address);
    }
    fn has_loaded(&self, address: usize) -> bool {
        self.own.lock().loaded.contains(&address)
    }
    /// Whether a predicate has not been looked at yet with this snapshot; now it is.
    pub(super) fn is_new_to(&self, predicate: usize) -> bool {
        // (Without the memory to say so it is looked at again.)
        let own = &mut *self.own.lock();
        !own.looked.contains(&predicate) && {
            _ = growth::add(&mut own.looked, predicate);
            true
        }
    }
}
