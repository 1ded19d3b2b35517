//! Memory that all threads of a program have in common: atoms, clauses, queued messages, queues, mutexes. It is counted, so that a program
//! without end ends in an error of its own and not in that of the system.
//!
//! Who makes such an object charges its bytes, who frees it releases them. The count is approximate: it leaves out what the
//! allocator adds. Builtins that add to it at the program's request ask [`has_room`] first, for all that making it takes; what the
//! system itself needs (reading a query, a library) does not ask, and reports of errors have a reserve. What is made without asking long after
//! what it belongs to, the code of facts, or for more than who asks, a table, is counted beside the rest ([`charge_unasked`]), or it would use up
//! that reserve:
//!
//! ```text
//!   who asks is granted only if then               held             <=  limit + own
//!   who makes a thread, if                         held             <=  limit * 7/8 + own
//!   who asks for a report of an error, if          held - unasked   <=  limit + own + RESERVE
//! ```
//!
//! Each program has an [`Account`] of its own. It is a variable of the system's threads which that is: a thread that a program makes is its own for good,
//! and a host's thread is a program's for as long as it runs something of it ([`Account::enter`]).
//!
//! *Invariant*: a thread belongs to one program at a time, and what has been charged in one program is released by a thread of the same. (Atoms
//! are the process's: charged to whom they were made for, until they are collected.) What belongs to no program, as in tests, has no limit.

use crate::Record;
use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// What one program holds, and may hold; see the module text.
#[derive(Debug)]
pub struct Account {
    held: AtomicUsize,
    limit: AtomicUsize,
    /// What the system's own program holds, which no limit counts.
    own: AtomicUsize,
    /// What is held and was never asked for.
    unasked: AtomicUsize,
}

/// Of threads that are no program's.
static NOBODYS: Account = Account::empty();

thread_local! {
    /// That of the program which the thread belongs to.
    static CURRENT: Cell<&'static Account> = const { Cell::new(&NOBODYS) };
}

/// That of the calling thread.
#[inline]
pub fn account() -> &'static Account {
    CURRENT.get()
}

impl Account {
    const fn empty() -> Account {
        Account {
            held: AtomicUsize::new(0),
            limit: AtomicUsize::new(usize::MAX),
            own: AtomicUsize::new(0),
            unasked: AtomicUsize::new(0),
        }
    }
    /// That of a new program, as which it stays.
    pub fn new() -> &'static Account {
        Box::leak(Box::new(Account::empty()))
    }
    /// So many bytes more are held.
    #[inline]
    pub fn charge(&self, bytes: usize) {
        self.held.fetch_add(bytes, Ordering::Relaxed);
    }
    /// So many bytes that were charged are free again.
    #[inline]
    pub fn release(&self, bytes: usize) {
        let before = self.held.fetch_sub(bytes, Ordering::Relaxed);
        debug_assert!(before >= bytes, "more is released than was charged");
    }
    /// The calling thread is the program's until what is returned is dropped.
    #[must_use]
    pub fn enter(&'static self) -> Entered {
        Entered {
            before: CURRENT.replace(self),
            _of_this_thread: PhantomData,
        }
    }
}

/// See [`Account::enter`].
#[derive(Debug)]
pub struct Entered {
    before: &'static Account,
    _of_this_thread: PhantomData<*const ()>,
}

impl Drop for Entered {
    fn drop(&mut self) {
        CURRENT.set(self.before);
    }
}

/// Bytes beyond the limit for reports of errors: a message about memory that is missing needs some itself.
pub const RESERVE: usize = 256 << 10;

// Relaxed throughout: a count and a limit, which nothing else is ordered by.

/// So many bytes more are held.
#[inline]
pub fn charge(bytes: usize) {
    account().charge(bytes);
}

/// So many bytes that were charged are free again.
#[inline]
pub fn release(bytes: usize) {
    account().release(bytes);
}

/// So many bytes more are held, for something that exists already and cannot be refused what it needs.
pub fn charge_unasked(bytes: usize) {
    // First, so that who looks meanwhile is not refused because of it.
    account().unasked.fetch_add(bytes, Ordering::Relaxed);
    charge(bytes);
}

/// So many bytes are free again that were charged without asking.
pub fn release_unasked(bytes: usize) {
    release(bytes);
    let before = account().unasked.fetch_sub(bytes, Ordering::Relaxed);
    debug_assert!(before >= bytes, "more is released than was charged");
}

/// Bytes held.
pub fn held() -> usize {
    account().held.load(Ordering::Relaxed)
}

/// Whether so many bytes more may be held, if who asks may exceed the limit by `beyond` (see [`RESERVE`]).
#[inline]
pub fn has_room(bytes: usize, beyond: usize) -> bool {
    let all = account();
    let mut own = all.own.load(Ordering::Relaxed).saturating_add(beyond);
    if beyond > 0 {
        own = own.saturating_add(all.unasked.load(Ordering::Relaxed));
    }
    let most = all.limit.load(Ordering::Relaxed).saturating_add(own);
    all.held.load(Ordering::Relaxed).saturating_add(bytes) <= most
}

/// Whether those that there are can go on when one more has come who wants to live of it, with so many bytes for himself: the last eighth is theirs.
pub fn leaves_enough(bytes: usize) -> bool {
    let eighth = account().limit.load(Ordering::Relaxed) / 8;
    has_room(bytes.saturating_add(eighth), 0)
}

/// Tells whether the system has so many bytes more; null: nobody knows of an end.
static SYSTEM: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// Has who holds memory that nobody uses give addresses back, so that so many bytes can be mapped; null: nobody does.
static GIVES_BACK: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// From now on `has` tells whether the system has so many bytes more, for somebody who can be refused; if that is because somebody else can give them
/// back, `give_back` lets him. It tells whether there is anything new to be mapped.
pub fn ask_system(has: fn(usize) -> bool, give_back: fn(usize) -> bool) {
    SYSTEM.store(has as *mut (), Ordering::Relaxed);
    GIVES_BACK.store(give_back as *mut (), Ordering::Relaxed);
}

/// Whether so many bytes more may be taken: as [`has_room`], and the system has them.
pub fn may_take(bytes: usize, beyond: usize) -> bool {
    has_room(bytes, beyond) && system_has(bytes)
}

/// Whether the system has so many bytes more, for what is not held in common.
pub fn system_has(bytes: usize) -> bool {
    let f = SYSTEM.load(Ordering::Relaxed);
    // SAFETY: only `ask_system` stores here, and stores a function of this type.
    f.is_null() || unsafe { std::mem::transmute::<*mut (), fn(usize) -> bool>(f)(bytes) }
}

/// What `map` maps, so many bytes, if the system has them: for who maps memory himself.
pub fn mapped<T>(bytes: usize, map: impl Fn() -> Option<T>) -> Option<T> {
    if !system_has(bytes) {
        return None;
    }
    map().or_else(|| {
        let f = GIVES_BACK.load(Ordering::Relaxed);
        // SAFETY: only `ask_system` stores here, and stores a function of this type.
        let more =
            !f.is_null() && unsafe { std::mem::transmute::<*mut (), fn(usize) -> bool>(f)(bytes) };
        if more { map() } else { None }
    })
}

/// All that is held now belongs to the system's own program.
pub fn disregard_all() {
    account().own.store(held(), Ordering::Relaxed);
}

/// So many of the bytes held belong to the system's own program: one of its libraries was loaded.
pub fn disregard(bytes: usize) {
    account().own.fetch_add(bytes, Ordering::Relaxed);
}

/// The most bytes that may be held.
pub fn limit() -> usize {
    account().limit.load(Ordering::Relaxed)
}

/// Sets the most bytes that may be held.
pub fn set_limit(bytes: usize) {
    account().limit.store(bytes, Ordering::Relaxed);
}

/// Bytes charged for as long as the value lives.
#[derive(Debug, Default)]
pub struct Charge(usize);

impl Charge {
    pub fn new(bytes: usize) -> Charge {
        charge(bytes);
        Charge(bytes)
    }
    /// The charge is now this. Small changes are left out, so that what grows and shrinks all the time (a queue) does not
    /// touch the common count each time.
    pub fn adjust(&mut self, bytes: usize) {
        const STEP: usize = 64 << 10;
        let bytes = bytes & !(STEP - 1);
        if bytes > self.0 {
            charge(bytes - self.0);
            self.0 = bytes;
        } else if bytes + STEP < self.0 {
            release(self.0 - bytes);
            self.0 = bytes;
        }
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        release(self.0);
    }
}

/// A record that threads have in common, charged for as long as somebody refers to it.
#[derive(Clone, Debug)]
pub struct Held(Arc<(Record, Charge)>);

impl Held {
    /// Bytes that are charged beside the record's words: what it is in, and the place where it is kept.
    pub const OVERHEAD: usize = size_of::<(Record, Charge)>() + 64;

    pub fn new(record: Record) -> Held {
        let charge = Charge::new(Held::OVERHEAD + 8 * record.len());
        Held(Arc::new((record, charge)))
    }
}

impl Deref for Held {
    type Target = Record;
    fn deref(&self) -> &Record {
        &self.0.0
    }
}

impl Eq for Held {}

impl PartialEq for Held {
    fn eq(&self, other: &Held) -> bool {
        **self == **other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What one program holds is not counted, nor limited, in another.
    #[test]
    fn programs_have_accounts_of_their_own() {
        let (a, b) = (Account::new(), Account::new());
        let in_a = a.enter();
        set_limit(1000);
        let c = Charge::new(900);
        assert!(!has_room(200, 0));
        {
            let _in_b = b.enter();
            assert!(held() == 0 && has_room(200, 0));
            let spawned = std::thread::spawn(|| std::ptr::eq(account(), &NOBODYS));
            assert!(spawned.join().unwrap());
        }
        assert_eq!(held(), 900);
        drop(c);
        assert!(has_room(200, 0));
        drop(in_a);
        assert!(std::ptr::eq(account(), &NOBODYS));
    }

    #[test]
    fn a_charge_follows_in_steps_and_ends_with_its_owner() {
        let mut c = Charge::new(0);
        c.adjust(100);
        assert_eq!(c.0, 0);
        c.adjust(1 << 20);
        assert_eq!(c.0, 1 << 20);
        // A little less changes nothing, so a queue that goes to and fro does not count all the time.
        c.adjust((1 << 20) - 1);
        assert_eq!(c.0, 1 << 20);
        c.adjust(0);
        assert_eq!(c.0, 0);
    }
}
