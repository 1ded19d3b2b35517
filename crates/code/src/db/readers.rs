//! The workers that read a program's database, by the clock of its generations ([`super::clock`]).
//!
//! Every worker (thread that runs Prolog) owns a [`ReaderSlot`], which says what the worker may refer to; what that is for: [`super::reclaim`].

use super::clock::Clock;
use super::sight::Sight;
use crate::sync::{AtomicBool, AtomicU64, AtomicUsize, Mutex, fence};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The worker has read nothing since it published.
pub const IDLE: u64 = u64::MAX;

/// For what a worker is called to its next safe point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Call {
    /// To publish, if it is running.
    Publish,
    /// To look through its frames, even if it sleeps.
    Look,
}

/// Gets the worker to its next safe point.
pub type Waker = Box<dyn Fn(Call) + Send + Sync>;

/// The workers of a program, and its clock.
pub(crate) struct Readers {
    pub clock: Clock,
    slots: Mutex<Vec<Arc<ReaderSlot>>>,
    numbers: parking_lot::Mutex<Numbers>,
    /// Workers that have been asked to publish and have not answered.
    asked: AtomicUsize,
}

/// The numbers of workers: those up to `given` are in use or free.
#[derive(Default)]
struct Numbers {
    given: u16,
    free: Vec<u16>,
}

/// Who tells of a worker's atoms.
enum Teller {
    /// Itself.
    Worker,
    /// Others: it blocks, and is there.
    Others(*const ()),
    /// Nobody: it has ended.
    Nobody,
}

// SAFETY: the address is looked at under the lock that it is behind, and the worker stays until it has taken it back.
unsafe impl Send for Teller {}

/// What one worker may refer to; see the module text.
pub struct ReaderSlot {
    readers: &'static Readers,
    /// Of the workers that there are, no two have the same; 0 if there are too many.
    number: u16,
    entered: AtomicU64,
    /// Where it is among the slots, under their lock.
    at: AtomicUsize,
    /// How many pins it has published. The worker's only.
    pub(super) pins: AtomicUsize,
    /// It is to publish.
    asked: AtomicBool,
    /// A batch of clauses waits for the worker; see [`super::frames`].
    pub(super) look: AtomicBool,
    /// Code addresses that the worker held when it blocked; `None` while it runs.
    pub(super) parked: Mutex<Option<Vec<usize>>>,
    /// What a collection of atoms asks the worker for, a number of whoever collects; 0: nothing. Set under the lock of `teller`, and only if that is the worker.
    atoms: std::sync::atomic::AtomicUsize,
    teller: parking_lot::Mutex<Teller>,
    /// The transaction that the worker is in; null: none. The worker's only.
    sight: std::sync::atomic::AtomicPtr<Sight>,
    waker: Waker,
}

impl ReaderSlot {
    /// What the worker sees that others do not, if it is in a transaction.
    #[inline]
    pub fn sight(&self) -> Option<&'static Sight> {
        // SAFETY: null, or a sight, which stays.
        unsafe { self.sight.load(Ordering::Relaxed).as_ref() }
    }
    /// It is in a transaction from now on, or in none.
    pub(super) fn set_sight(&self, sight: Option<&'static Sight>) {
        let sight = sight.map_or(std::ptr::null(), std::ptr::from_ref);
        self.sight.store(sight.cast_mut(), Ordering::Relaxed);
    }
    /// What tells this worker from the others that there are now.
    pub fn number(&self) -> u16 {
        self.number
    }
    /// Before the first read of dynamic code after being idle: from now on, everything retired later is kept.
    #[inline]
    pub fn enter(&self) {
        if self.entered.load(Ordering::Relaxed) == IDLE {
            let now = self.readers.generation();
            self.entered.store(now, Ordering::Relaxed);
            // See the text of `super::reclaim`.
            fence(Ordering::SeqCst);
        }
    }
    /// It has published what it may refer to. Whether it was the last of those asked to.
    pub(super) fn leave(&self) -> bool {
        // Release: the pins before it; and what the worker has read, before anybody frees that.
        self.entered.store(IDLE, Ordering::Release);
        self.asked.load(Ordering::Relaxed) && self.answer()
    }
    /// Whether the worker is to publish.
    #[inline]
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }
    /// Whether the worker, which has blocked, has said all that it holds: nobody asks it for anything until it goes on.
    pub fn has_left(&self) -> bool {
        self.entered.load(Ordering::Relaxed) == IDLE && self.parked.lock().is_some()
    }
    /// Whether the worker is to look through its frames, and then to say what it holds.
    #[inline]
    pub fn is_to_look(&self) -> bool {
        self.look.load(Ordering::Acquire)
    }
    /// Whether it was the last of those asked.
    fn answer(&self) -> bool {
        self.asked.swap(false, Ordering::AcqRel)
            && self.readers.asked.fetch_sub(1, Ordering::AcqRel) == 1
    }
    /// The worker was blocked and is about to go on: what it left behind is out of date; see [`super::frames`].
    pub fn resume(&self) {
        *self.parked.lock() = None;
        self.come_back();
    }
    /// It has not blocked: it tells of its atoms itself.
    pub fn come_back(&self) {
        *self.teller.lock() = Teller::Worker;
    }
    /// Asks for the worker's atoms, at its next safe point if it does not block; else `tell` tells of them, while it stays where it is.
    pub fn ask_for_atoms(&self, what: usize, tell: impl FnOnce(*const ())) {
        let teller = self.teller.lock();
        match *teller {
            Teller::Others(worker) => tell(worker),
            Teller::Worker => {
                self.atoms.store(what, Ordering::Release);
                drop(teller);
                self.call(Call::Look);
            }
            Teller::Nobody => {}
        }
    }
    /// Asks again for what it has not told: it may have been out of its turn, and on its way back, when it was looked for.
    pub fn ask_again(&self) {
        if self.atoms_asked() != 0 {
            self.call(Call::Look);
        }
    }
    /// What it is asked for; 0: nothing.
    #[inline]
    pub fn atoms_asked(&self) -> usize {
        self.atoms.load(Ordering::Acquire)
    }
    /// It has told.
    pub fn has_told_atoms(&self) {
        self.atoms.store(0, Ordering::Release);
    }
    /// The worker is about to block at a safe point: others tell of its atoms until [`ReaderSlot::resume`]. False: it has been asked, and is to tell
    /// first.
    pub fn go_away(&self, worker: *const ()) -> bool {
        let mut teller = self.teller.lock();
        let is_free = self.atoms_asked() == 0;
        if is_free {
            *teller = Teller::Others(worker);
        }
        is_free
    }
    pub(super) fn call(&self, why: Call) {
        (self.waker)(why);
    }
}

impl std::fmt::Debug for ReaderSlot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "reader entered at {:?}", self.entered)
    }
}

impl Readers {
    pub fn new() -> Readers {
        Readers {
            clock: Clock::new(),
            slots: Mutex::new(Vec::new()),
            numbers: parking_lot::Mutex::default(),
            asked: AtomicUsize::new(0),
        }
    }
    /// The generation that a call starting now sees.
    #[inline]
    pub fn generation(&self) -> u64 {
        self.clock.generation()
    }
    /// Takes a new generation.
    pub fn next_generation(&self) -> u64 {
        self.clock.next_generation()
    }
    /// A slot for a new worker.
    pub fn register(&'static self, waker: Waker) -> Arc<ReaderSlot> {
        let number = {
            let mut numbers = self.numbers.lock();
            let fresh = numbers.given.checked_add(1);
            numbers.free.pop().or_else(|| {
                numbers.given = fresh?;
                fresh
            })
        };
        let slot = Arc::new(ReaderSlot {
            readers: self,
            number: number.unwrap_or(0),
            entered: AtomicU64::new(IDLE),
            at: AtomicUsize::new(0),
            pins: AtomicUsize::new(0),
            asked: AtomicBool::new(false),
            look: AtomicBool::new(false),
            parked: Mutex::new(None),
            atoms: Default::default(),
            teller: parking_lot::Mutex::new(Teller::Worker),
            sight: Default::default(),
            waker,
        });
        let mut slots = self.slots.lock();
        slot.at.store(slots.len(), Ordering::Relaxed);
        slots.push(slot.clone());
        drop(slots);
        slot
    }
    /// The worker ends; it has published that it refers to nothing any more. How many there are left.
    pub fn unregister(&self, slot: &Arc<ReaderSlot>) -> usize {
        debug_assert_eq!(slot.pins.load(Ordering::Relaxed), 0);
        let mut slots = self.slots.lock();
        let at = slot.at.load(Ordering::Relaxed);
        let removed = slots.swap_remove(at);
        debug_assert!(Arc::ptr_eq(&removed, slot));
        if let Some(moved) = slots.get(at) {
            moved.at.store(at, Ordering::Relaxed);
        }
        let left = slots.len();
        drop(slots);
        drop(removed);
        *slot.teller.lock() = Teller::Nobody;
        slot.has_told_atoms();
        slot.answer();
        if slot.number != 0 {
            self.numbers.lock().free.push(slot.number);
        }
        left
    }
    /// All workers.
    pub fn all(&self) -> Vec<Arc<ReaderSlot>> {
        self.slots.lock().clone()
    }
    /// When the first of the workers entered that have not published since, or now.
    pub fn oldest_entry(&self) -> u64 {
        let now = self.generation();
        // See the text of `super::reclaim`.
        fence(Ordering::SeqCst);
        // Acquire: who looks at the pins next sees those that were published with it.
        (self.slots.lock().iter())
            .map(|slot| slot.entered.load(Ordering::Acquire))
            .fold(now, u64::min)
    }
    /// Asks the workers that have entered before that generation to publish.
    pub fn ask(&self, newest: u64) {
        // Under the lock: one that leaves has not been asked, or answers.
        for slot in self.slots.lock().iter() {
            if slot.entered.load(Ordering::Relaxed) < newest && !slot.asked.load(Ordering::Relaxed)
            {
                // Before the flag: who answers it takes it off.
                self.asked.fetch_add(1, Ordering::AcqRel);
                if slot.asked.swap(true, Ordering::AcqRel) {
                    self.asked.fetch_sub(1, Ordering::AcqRel);
                }
                slot.call(Call::Publish);
            }
        }
    }
}
