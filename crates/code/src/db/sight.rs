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
//! Private generations are above all others, and births of other transactions so above any g: who is in no transaction compares as ever. What a transaction erases, it keeps in a
//! map of its own ([`Sight::erase`]); the clause has a mark for that, so that the map is asked for few. Several transactions may
//! have erased the same clause, which lives on for all others.
//!
//! The thread of a transaction alone changes its sight, and asks it; locks are for the compiler. A number leads to the same sight for ever, which one transaction after another has.

use super::clock::{PRIVATE, PRIVATE_SHIFT};
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
    /// That of the newest own change.
    now: AtomicU64,
    own: Mutex<Own>,
}

#[derive(Debug, Default)]
struct Own {
    /// By its address, by which change a clause was erased.
    erased: FxHashMap<usize, u64>,
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
    pub(crate) fn open(snapshot: u64) -> Option<&'static Sight> {
        let mut numbers = NUMBERS.lock();
        let number = match numbers.1.pop() {
            Some(n) => n,
            None if numbers.0 == MOST => return None,
            None => {
                let number = numbers.0;
                let sight = Box::leak(Box::new(Sight {
                    number,
                    snapshot: AtomicU64::new(0),
                    now: AtomicU64::new(0),
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
        sight.snapshot.store(snapshot, Ordering::Relaxed);
        let first = PRIVATE | u64::from(number) << CHANGE_BITS;
        sight.now.store(first, Ordering::Relaxed);
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
    /// The generation that a call starting now has.
    pub fn now(&self) -> u64 {
        self.now.load(Ordering::Relaxed)
    }
    pub(super) fn snapshot(&self) -> u64 {
        self.snapshot.load(Ordering::Relaxed)
    }
    /// Sees another snapshot from now on.
    pub(crate) fn renew(&self, snapshot: u64) {
        self.snapshot.store(snapshot, Ordering::Relaxed);
        self.own.lock().looked.clear();
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
        let snapshot = self.snapshot();
        let lives = match is_private(birth) {
            true => self.is_own(birth) && birth <= g && death.is_none(),
            false => birth <= snapshot && death.is_none_or(|d| snapshot < d),
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
    /// It does not after all.
    pub(crate) fn restore(&self, address: usize) {
        self.own.lock().erased.remove(&address);
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
