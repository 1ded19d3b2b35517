//! The table of texts: text ↔ 32-bit index, for all threads. Its atoms, and how they are collected: [`crate::atom`], which alone uses it.
//!
//! Looking up is lock-free: one acquire load of the current [`Index`], a linear probe over atomic
//! slots, a comparison with the entry's text. Adding takes the writer's mutex. Entries are never moved.
//!
//! Invariants:
//! 1. An entry is written before its index is stored (release) in a slot; whoever reads the slot
//!    (acquire) sees the whole entry.
//! 2. A slot goes from 0 to `index + 1`, when that has died to [`GONE`], and from there to another index + 1, never back to 0.
//! 3. An `Index` is immutable in size; another one is filled before it is published (release). What a sweep has taken out of it (entries, and indexes that
//!    others have taken the place of) is freed when each thread has passed a safe point since: who had found it has gone on by then.
//! 4. Some slots are free, half of them where memory is not refused, so every probe ends.
//! 5. Who can be refused an atom leaves places to those who cannot:
//!
//! ```text
//! after an atom that could be refused    places left in segments and index  >=  KEPT - threads that add one at the same moment
//! ```
//!
//!    So tables are made larger before they are full, at the cost of somebody who can be told that there is no memory; what the machine itself names
//!    (errors, options, files) finds a place then. These are some hundred names; work within a guard ([`crate::heavy`]) can be refused, and a
//!    program's texts are made atoms by [`Atom::new_if`](crate::Atom::new_if) alone.
//! 6. An entry is in one of four states; only a new text leads from the last to the first:
//!
//! ```text
//!   listed, alive  --sweep-->  listed, dying  --unlist-->  nowhere, dying  --free-->  in the list of free ones
//! ```
//!
//!    What looks for a text during a collection marks what it finds, and goes on where that is dying: so a text may be listed twice, but once alive.
//! 7. While no sweep is in the midst of taking some out (`verify`):
//!
//! ```text
//!   gone  =  entries below len that are dying        used  =  slots of the index that are not 0
//! ```

use super::life::Life;
use crate::common::Account;
use crate::growth::{self, MUCH};
use crate::sync::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, Mutex, MutexGuard, Ordering};
use crate::{common, heavy};
use std::hash::Hasher;

pub(super) fn hash(text: &str) -> u32 {
    let mut h = rustc_hash::FxHasher::default();
    h.write(text.as_bytes());
    // The index has at most 2^32 slots, found by the low bits.
    h.finish() as u32
}

/// log2 of the number of entries in the first segment.
const FIRST: u32 = if cfg!(loom) { 1 } else { 10 };
const SEGMENTS: usize = 32 - FIRST as usize;
const INITIAL_SLOTS: usize = if cfg!(loom) { 4 } else { 4096 };

/// Places that are left to those who cannot be refused (invariant 5).
const KEPT: usize = if cfg!(loom) { 1 } else { 1024 };

/// A slot whose atom has died.
const GONE: u32 = u32::MAX;
/// So many entries are taken out of the index while others wait.
const AT_ONCE: usize = 1 << 10;

pub(super) struct Entry {
    text: &'static str,
    hash: u32,
    pub(super) life: Life,
    /// What it is charged to.
    account: &'static Account,
}

struct Index {
    slots: Box<[AtomicU32]>,
}

impl Index {
    /// An empty one; `None`: the system has no room for it.
    fn new(slots: usize) -> Option<Index> {
        let mut places = Vec::new();
        places.try_reserve_exact(slots).ok()?;
        places.resize_with(slots, || AtomicU32::new(0));
        Some(Index {
            slots: places.into_boxed_slice(),
        })
    }
    /// Whether with so many slots more than half of it would be used.
    fn is_small_for(&self, used: usize) -> bool {
        used * 2 > self.slots.len()
    }
    /// Whether atoms can be looked for in it with so many slots used, if slowly.
    fn holds(&self, used: usize) -> bool {
        used <= self.slots.len() - self.slots.len().div_ceil(8)
    }
    /// Stores `id` in the first free slot of its probe sequence. Whether that was never used.
    fn list(&self, hash: u32, id: u32, order: Ordering) -> bool {
        let mask = self.slots.len() - 1;
        let mut i = hash as usize & mask;
        loop {
            let slot = self.slots[i].load(Ordering::Relaxed);
            if slot == 0 || slot == GONE {
                self.slots[i].store(id + 1, order);
                return slot == 0;
            }
            i = (i + 1) & mask;
        }
    }
    /// Takes it out, if it is there.
    fn unlist(&self, hash: u32, id: u32) {
        let mask = self.slots.len() - 1;
        let mut i = hash as usize & mask;
        loop {
            match self.slots[i].load(Ordering::Relaxed) {
                0 => return,
                slot if slot == id + 1 => {
                    self.slots[i].store(GONE, Ordering::Relaxed);
                    return;
                }
                _ => i = (i + 1) & mask,
            }
        }
    }
}

/// The system has no room for who cannot be told so: work within a guard is abandoned, else the process ends.
fn refused<T>() -> T {
    growth::must(false);
    std::alloc::handle_alloc_error(std::alloc::Layout::new::<Entry>())
}

/// A table of texts; see the module text.
pub struct AtomTable {
    /// Segment `s` holds `2^FIRST` (s = 0) or `2^(FIRST+s-1)` entries; null until needed. Immutable once set.
    segments: [AtomicPtr<Entry>; SEGMENTS],
    /// Entries published so far, of atoms that have died too.
    len: AtomicU32,
    /// Slots of the index that are in use or gone (invariant 7).
    used: AtomicU32,
    index: AtomicPtr<Index>,
    /// A collection is on: who looks a text up, or puts an atom where others find it, marks it.
    collecting: AtomicBool,
    /// Entries of atoms that have died (invariant 7).
    gone: AtomicU32,
    /// Bytes of all that were made, when the last collection began, and of those that were freed.
    made: AtomicUsize,
    made_before: AtomicUsize,
    freed: AtomicUsize,
    /// How many bytes are to be made before there are enough.
    enough: AtomicUsize,
    /// Under this lock: every write. Holds the retired indexes and the entries of those that have died.
    writer: Mutex<Writer>,
}

struct Writer {
    retired: Vec<*mut Index>,
    free: Vec<u32>,
}

// SAFETY: the raw pointers are owned by the table: indexes and segments are only freed in `drop` or `free`.
unsafe impl Send for AtomTable {}
// SAFETY: see the invariants in the module text; all shared words are atomic or under the lock, and the rest of an entry is written when nobody can have found it.
unsafe impl Sync for AtomTable {}

/// What a sweep has taken out of the table: to be freed by [`AtomTable::free`], when nobody can look at it any more.
pub struct Dead {
    ids: Vec<u32>,
    indexes: Vec<*mut Index>,
}

// SAFETY: nobody else has what it is about but those who read it until their next safe points.
unsafe impl Send for Dead {}

impl Dead {
    /// How many atoms.
    pub fn len(&self) -> usize {
        self.ids.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
    /// Their numbers.
    pub(super) fn ids(&self) -> &[u32] {
        &self.ids
    }
}

/// Segment and offset of an entry.
fn place(id: u32) -> (usize, usize) {
    let high = id >> FIRST;
    if high == 0 {
        (0, id as usize)
    } else {
        let s = 32 - high.leading_zeros();
        (s as usize, (id - (1 << (s + FIRST - 1))) as usize)
    }
}

/// Bytes that an entry takes, with its slots in the index.
fn entry_bytes(text: &str) -> usize {
    size_of::<Entry>() + 2 * size_of::<u32>() + text.len()
}

fn segment_len(s: usize) -> usize {
    if s == 0 {
        1 << FIRST
    } else {
        1 << (s + FIRST as usize - 1)
    }
}

impl Default for AtomTable {
    fn default() -> Self {
        AtomTable::new()
    }
}

impl AtomTable {
    pub fn new() -> AtomTable {
        AtomTable {
            segments: std::array::from_fn(|_| AtomicPtr::new(std::ptr::null_mut())),
            len: AtomicU32::new(0),
            used: AtomicU32::new(0),
            index: AtomicPtr::new(Box::into_raw(Box::new(
                Index::new(INITIAL_SLOTS).unwrap_or_else(refused),
            ))),
            collecting: AtomicBool::new(false),
            gone: AtomicU32::new(0),
            made: AtomicUsize::new(0),
            made_before: AtomicUsize::new(0),
            freed: AtomicUsize::new(0),
            enough: AtomicUsize::new(usize::MAX),
            writer: Mutex::new(Writer {
                retired: Vec::new(),
                free: Vec::new(),
            }),
        }
    }

    fn at(&self, id: u32) -> *mut Entry {
        let (s, i) = place(id);
        // Acquire: pairs with the release store in `grow`; the segment is initialised up to every published id.
        let segment = self.segments[s].load(Ordering::Acquire);
        // SAFETY: invariant 1: an id is only known after its entry was written into its segment.
        unsafe { segment.add(i) }
    }
    pub(super) fn entry(&self, id: u32) -> &Entry {
        // SAFETY: as above; it is written again when nobody has it.
        unsafe { &*self.at(id) }
    }

    /// The text of an index returned by [`AtomTable::intern`]. Panics if there is none such: anybody can make an [`Atom`](crate::Atom) of any number.
    pub fn text(&self, id: u32) -> &'static str {
        assert!(id < self.len.load(Ordering::Acquire), "no atom {id}");
        let entry = self.entry(id);
        if cfg!(debug_assertions) && entry.life.is_dying() {
            self.has_died(id);
        }
        entry.text
    }

    pub(super) fn fresh(&self) -> usize {
        let before = self.made_before.load(Ordering::Relaxed);
        self.made.load(Ordering::Relaxed).wrapping_sub(before)
    }
    /// What has been made so far is not fresh any more.
    pub(super) fn forget_fresh(&self) {
        let made = self.made.load(Ordering::Relaxed);
        self.made_before.store(made, Ordering::Relaxed);
    }
    pub(super) fn enough(&self) -> usize {
        self.enough.load(Ordering::Relaxed)
    }
    pub(super) fn set_enough(&self, bytes: usize) {
        self.enough.store(bytes, Ordering::Relaxed);
    }

    /// Numbers below this have been given.
    pub(super) fn len(&self) -> u32 {
        self.len.load(Ordering::Acquire)
    }

    /// Panics, in debug builds: somebody has an atom that has died. (What it is called is there under `SAMITE_ATOM_STRESS`.)
    #[cold]
    pub(super) fn has_died(&self, id: u32) {
        if cfg!(debug_assertions) {
            let whence = std::backtrace::Backtrace::capture();
            let text = self.entry(id).text;
            panic!("atom {id} has died, and somebody has it: {text}\n{whence}");
        }
    }

    /// How many atoms there are.
    fn alive(&self) -> usize {
        let gone = self.gone.load(Ordering::Relaxed);
        self.len.load(Ordering::Relaxed).saturating_sub(gone) as usize
    }

    /// The same, and their bytes.
    pub(super) fn statistics(&self) -> (usize, usize) {
        (
            self.alive(),
            (self.made.load(Ordering::Relaxed)).saturating_sub(self.freed.load(Ordering::Relaxed)),
        )
    }

    /// The atoms from number `from` on, that look-ups find: some of them, and the number behind these. `None`: there are no more.
    pub(super) fn some_from(&self, from: u32) -> Option<(Vec<u32>, u32)> {
        let _w = self.lock();
        let len = self.len.load(Ordering::Relaxed);
        let end = len.min(from.saturating_add(AT_ONCE as u32));
        let found = (from..end).filter(|&id| {
            let e = self.entry(id);
            !e.life.is_dying() && self.lookup(e.text, e.hash) == Some(id)
        });
        (from < len).then(|| (found.collect(), end))
    }

    /// Lock-free: the index of `text`, if listed.
    #[inline(always)]
    pub fn lookup(&self, text: &str, hash: u32) -> Option<u32> {
        // Before the slots: whoever finds something that dies has begun during the collection, although that may be over by now.
        let collecting = self.is_collecting();
        let index = self.index();
        let mask = index.slots.len() - 1;
        let mut i = hash as usize & mask;
        loop {
            // Acquire: pairs with the release store in `list` (invariant 1).
            match index.slots[i].load(Ordering::Acquire) {
                0 => return None,
                GONE => {}
                slot => {
                    let e = self.entry(slot - 1);
                    if e.hash == hash && e.text == text && (!collecting || e.life.mark()) {
                        return Some(slot - 1);
                    }
                }
            }
            i = (i + 1) & mask;
        }
    }

    #[inline]
    pub(super) fn is_collecting(&self) -> bool {
        // Acquire: what is read afterwards is not older. Who has passed a safe point since it was set sees it.
        self.collecting.load(Ordering::Acquire)
    }

    /// The index of `text`, added if new.
    pub(super) fn intern(&self, text: &str) -> u32 {
        let h = hash(text);
        match self.lookup(text, h) {
            Some(id) => id,
            None if heavy::is_guarded() => {
                let added = self.add_if(text, h, common::system_has);
                added.unwrap_or_else(refused)
            }
            None => {
                // What is kept is there for this; it is not used while the system has more.
                let growth = self.growth();
                if growth > 0 && common::system_has(growth) {
                    self.grow(&mut self.lock());
                }
                self.add_listed(text.to_owned(), h).unwrap_or_else(refused)
            }
        }
    }

    /// The same, unless it is to be added and `room` refuses so many bytes more.
    pub(super) fn intern_if(&self, text: &str, room: impl FnOnce(usize) -> bool) -> Option<u32> {
        let h = hash(text);
        match self.lookup(text, h) {
            Some(id) => Some(id),
            None => self.add_if(text, h, room),
        }
    }

    /// Adds a text that a look-up did not find, for somebody who can be refused.
    fn add_if(&self, text: &str, h: u32, room: impl FnOnce(usize) -> bool) -> Option<u32> {
        let growth = self.growth();
        let bytes = entry_bytes(text) + growth;
        let mut own = String::new();
        let mut take =
            || own.try_reserve_exact(text.len()).is_ok() && (growth == 0 || self.grow_to_keep());
        let taken = match bytes < MUCH {
            true => room(bytes) && take(),
            false => growth::asking(bytes, room, take),
        };
        if !taken {
            return None;
        }
        own.push_str(text);
        self.add_listed(own, h)
    }

    /// The index of a text that a look-up did not find; `None`: the system has no room for the tables, and what was kept is used up.
    fn add_listed(&self, text: String, h: u32) -> Option<u32> {
        let mut w = self.lock();
        if let Some(id) = self.lookup(&text, h) {
            return Some(id);
        }
        if !self.has_places(&w, 1) {
            self.grow(&mut w);
            if !self.has_places(&w, 1) {
                return None;
            }
        }
        let id = self.add(&mut w, text, h)?;
        if self.index().list(h, id, Ordering::Release) {
            let used = self.used.load(Ordering::Relaxed);
            self.used.store(used + 1, Ordering::Relaxed);
        }
        drop(w);
        if self.fresh() >= self.enough() {
            super::made_enough();
        }
        Some(id)
    }

    fn lock(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn index(&self) -> &Index {
        // Acquire: pairs with the release store in `renew_index`, so the slots of the index are visible.
        // SAFETY: invariant 3: an index lives on until who has read it has passed a safe point.
        unsafe { &*self.index.load(Ordering::Acquire) }
    }

    fn slots_used(&self) -> usize {
        self.used.load(Ordering::Relaxed) as usize
    }

    /// The segment that is to be there when the next atom is added, for the kept places to be.
    fn segment_ahead(&self) -> usize {
        place(self.len.load(Ordering::Relaxed) + KEPT as u32).0
    }

    /// What the tables are to grow by before the next atom is added.
    fn growth(&self) -> usize {
        let mut bytes = 0;
        let s = self.segment_ahead();
        if self.segments[s].load(Ordering::Relaxed).is_null() {
            bytes += segment_len(s) * size_of::<Entry>();
        }
        let index = self.index();
        if index.is_small_for(self.slots_used() + 1) {
            bytes += 2 * size_of_val(&*index.slots);
        }
        bytes
    }

    /// Whether there are places for so many more atoms. Caller holds the writer's lock.
    fn has_places(&self, w: &Writer, atoms: usize) -> bool {
        let last = self.len.load(Ordering::Relaxed) + (atoms - 1) as u32;
        let segment = &self.segments[place(last).0];
        let entries = w.free.len() >= atoms || !segment.load(Ordering::Relaxed).is_null();
        entries && self.index().holds(self.slots_used() + atoms)
    }

    /// Grows the tables; whether what is kept is there beside a place for one more.
    fn grow_to_keep(&self) -> bool {
        let mut w = self.lock();
        self.grow(&mut w);
        self.has_places(&w, KEPT + 1)
    }

    /// Makes the tables as large as they are to be before the next atom is added, as far as the system has room. Caller holds the writer's
    /// lock.
    fn grow(&self, w: &mut Writer) {
        let (first, _) = place(self.len.load(Ordering::Relaxed));
        for s in first..=self.segment_ahead() {
            if self.segments[s].load(Ordering::Relaxed).is_null() {
                let mut v: Vec<Entry> = Vec::new();
                if v.try_reserve_exact(segment_len(s)).is_err() {
                    break;
                }
                // Release: publishes the allocation to `entry`.
                self.segments[s].store(v.as_mut_ptr(), Ordering::Release);
                std::mem::forget(v);
            }
        }
        if self.index().is_small_for(self.slots_used() + 1) {
            self.renew_index(w);
        }
    }

    /// An entry that no look-up finds.
    pub(super) fn add_unlisted(&self, text: &str) -> u32 {
        let mut w = self.lock();
        self.grow(&mut w);
        self.add(&mut w, text.to_owned(), hash(text))
            .unwrap_or_else(refused)
    }

    /// Makes an entry; `None` if there is no place for it.
    fn add(&self, w: &mut Writer, text: String, hash: u32) -> Option<u32> {
        let again = w.free.pop();
        let id = again.unwrap_or_else(|| self.len.load(Ordering::Relaxed));
        assert!(id < u32::MAX / 2, "atom table full");
        let (s, i) = place(id);
        let segment = self.segments[s].load(Ordering::Relaxed);
        if segment.is_null() {
            return None;
        }
        // SAFETY: a place of the segment.
        let at = unsafe { segment.add(i) };
        let text: &'static str = Box::leak(text.into_boxed_str());
        let (bytes, account) = (entry_bytes(text), common::account());
        account.charge(bytes);
        let marked = self.is_collecting();
        // SAFETY: ids are handed out once, or again when nobody has what they stood for (invariant 3), under the lock. (Of such a one a sweep may look at
        // the word.)
        unsafe {
            if again.is_some() {
                (&raw mut (*at).text).write(text);
                (&raw mut (*at).hash).write(hash);
                (&raw mut (*at).account).write(account);
                (*at).life.begin_again(marked);
                self.gone.fetch_sub(1, Ordering::Relaxed);
            } else {
                at.write(Entry {
                    text,
                    hash,
                    life: Life::new(marked),
                    account,
                });
                // Release: a sweep reads entries below `len` without going through a slot.
                self.len.store(id + 1, Ordering::Release);
            }
        }
        // (Under the lock; who reads it without may read what is old.)
        let made = self.made.load(Ordering::Relaxed);
        self.made.store(made + bytes, Ordering::Relaxed);
        Some(id)
    }

    /// Publishes an index without slots that are gone, of twice the size if it needs it, unless the system has no room. Caller holds the writer's lock.
    fn renew_index(&self, w: &mut Writer) {
        let old = self.index();
        let alive = self.alive();
        // (A quarter is to be free before the next time.)
        let slots = match old.is_small_for(alive + alive / 2 + 1) {
            true => old.slots.len() * 2,
            false => old.slots.len(),
        };
        let Some(new) = Index::new(slots) else {
            return;
        };
        if w.retired.try_reserve(1).is_err() {
            return;
        }
        let mut used = 0;
        for slot in &old.slots {
            let s = slot.load(Ordering::Relaxed);
            if s == 0 || s == GONE {
                continue;
            }
            let e = self.entry(s - 1);
            if !e.life.is_dying() {
                new.list(e.hash, s - 1, Ordering::Relaxed);
                used += 1;
            }
        }
        self.used.store(used, Ordering::Relaxed);
        // Release: pairs with the acquire load in `index`.
        let new = Box::into_raw(Box::new(new));
        w.retired.push(self.index.swap(new, Ordering::AcqRel));
    }

    // --- steps of a collection; one at a time ---

    /// From now on, texts that are looked up are marked.
    pub(super) fn begin(&self) {
        self.forget_fresh();
        // Those that were made behind the last sweep, or met then, have their marks still.
        for id in 0..self.len.load(Ordering::Acquire) {
            self.entry(id).life.forget_mark();
        }
        // (The safe points that follow order it.)
        self.collecting.store(true, Ordering::SeqCst);
    }

    /// Marks what is held.
    pub(super) fn mark_held(&self) {
        for id in 0..self.len.load(Ordering::Acquire) {
            self.entry(id).life.mark_held();
        }
    }

    /// Takes out what nothing holds and nobody has met.
    pub(super) fn sweep(&self) -> Dead {
        let mut ids: Vec<u32> = Vec::new();
        let mut taken = 0;
        for id in 0..self.len.load(Ordering::Acquire) {
            // Without room to remember it, it lives on.
            if ids.try_reserve(1).is_ok() && self.entry(id).life.sweep() {
                ids.push(id);
                if ids.len() - taken == AT_ONCE {
                    self.unlist(&ids[taken..]);
                    taken = ids.len();
                }
            }
        }
        self.unlist(&ids[taken..]);
        let mut w = self.lock();
        let alive = self.alive();
        if self.slots_used() > alive + self.index().slots.len() / 8 {
            self.renew_index(&mut w);
        }
        self.verify(&w);
        let indexes = std::mem::take(&mut w.retired);
        Dead { ids, indexes }
    }

    /// Checks, in debug builds, what the numbers say (invariant 7), and that look-ups find no entry that is dying. Between sweeps' steps, under the writer's
    /// lock: nobody else makes an entry die.
    fn verify(&self, w: &Writer) {
        if !cfg!(debug_assertions) {
            return;
        }
        let len = self.len.load(Ordering::Acquire);
        let dying = |id: &u32| self.entry(*id).life.is_dying();
        let gone = (0..len).filter(dying).count();
        assert_eq!(gone, self.gone.load(Ordering::Relaxed) as usize);
        assert!(w.free.len() <= gone && w.free.iter().all(dying));
        let slots = || self.index().slots.iter().map(|s| s.load(Ordering::Relaxed));
        assert_eq!(slots().filter(|&s| s != 0).count(), self.slots_used());
        assert!(
            slots()
                .filter(|&s| s != 0 && s != GONE)
                .all(|s| !dying(&(s - 1)))
        );
    }

    fn unlist(&self, ids: &[u32]) {
        let _w = self.lock();
        for &id in ids {
            self.index().unlist(self.entry(id).hash, id);
        }
        self.gone.fetch_add(ids.len() as u32, Ordering::Relaxed);
    }

    /// Look-ups mark no more: what has died is listed no more.
    pub(super) fn end(&self) {
        self.collecting.store(false, Ordering::SeqCst);
    }

    /// Frees what a sweep has taken out; `again`: their numbers may be given to others. (Else their texts stay, for who finds that somebody has one.)
    ///
    /// # Safety
    /// Each thread that could have found it has passed a safe point since the sweep.
    pub(super) unsafe fn free(&self, dead: Dead, again: bool) {
        for ids in dead.ids.chunks(AT_ONCE) {
            let mut w = self.lock();
            let room = again && w.free.try_reserve(ids.len()).is_ok();
            for &id in ids {
                let at = self.at(id);
                // SAFETY: promised by the caller, nobody reads the entry; the text was leaked by `add`.
                unsafe {
                    let text = (*at).text;
                    let bytes = entry_bytes(text);
                    (*at).account.release(bytes);
                    self.freed.fetch_add(bytes, Ordering::Relaxed);
                    if again {
                        (&raw mut (*at).text).write("");
                        drop(Box::from_raw(std::ptr::from_ref(text).cast_mut()));
                    }
                }
                if room {
                    w.free.push(id);
                }
            }
        }
        for p in dead.indexes {
            // SAFETY: promised by the caller; made by `Box::into_raw`.
            drop(unsafe { Box::from_raw(p) });
        }
    }
}

impl Drop for AtomTable {
    fn drop(&mut self) {
        let w = self.writer.lock().unwrap_or_else(|e| e.into_inner());
        let current = self.index.load(Ordering::Relaxed);
        for &p in w.retired.iter().chain(std::iter::once(&current)) {
            // SAFETY: nobody reads a table that is being dropped; each index was made by `Box::into_raw`.
            drop(unsafe { Box::from_raw(p) });
        }
        for (s, seg) in self.segments.iter().enumerate() {
            let p = seg.load(Ordering::Relaxed);
            if !p.is_null() {
                // SAFETY: made in `add` with this capacity; entries have no destructor.
                drop(unsafe { Vec::from_raw_parts(p, 0, segment_len(s)) });
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Whoever can be refused is, before the places that are kept are used; others find one.
    #[test]
    fn who_can_be_refused_leaves_places() {
        let t = AtomTable::new();
        let refuses = |bytes: usize| bytes < 40_000;
        let mut n = 0;
        while t.intern_if(&format!("a{n}"), refuses).is_some() {
            n += 1;
            assert!(t.has_places(&t.lock(), KEPT - 1), "after {n}");
        }
        assert!(n > 500, "{n}");
        assert_eq!(t.intern_if("a7", |_| false), Some(7));
        for i in 0..KEPT - 1 {
            assert!(
                t.add_listed(format!("b{i}"), hash(&format!("b{i}")))
                    .is_some()
            );
        }
        assert_eq!(t.text(7), "a7");
    }

    #[test]
    fn many_atoms_from_many_threads_agree() {
        let n = if cfg!(miri) { 40 } else { 20_000 };
        let t = AtomTable::new();
        let ids: Vec<Vec<u32>> = std::thread::scope(|s| {
            let hs: Vec<_> = (0..4)
                .map(|_| s.spawn(|| (0..n).map(|i| t.intern(&format!("a{i}"))).collect()))
                .collect();
            hs.into_iter().map(|h| h.join().unwrap()).collect()
        });
        for v in &ids[1..] {
            assert_eq!(*v, ids[0]);
        }
        for (i, &id) in ids[0].iter().enumerate() {
            assert_eq!(t.text(id), format!("a{i}"));
        }
    }

    /// A collection without marks but those of look-ups.
    fn collect(t: &AtomTable, met: &[u32]) -> usize {
        t.begin();
        met.iter().for_each(|&id| assert!(t.entry(id).life.mark()));
        t.mark_held();
        let dead = t.sweep();
        t.end();
        let n = dead.len();
        // SAFETY: one thread.
        unsafe { t.free(dead, true) };
        n
    }

    #[test]
    fn what_nobody_has_is_collected_and_its_place_used_again() {
        let t = AtomTable::new();
        let ids: Vec<u32> = (0..10_000).map(|i| t.intern(&format!("a{i}"))).collect();
        t.entry(ids[7]).life.hold();
        let before = t.statistics();
        assert_eq!(collect(&t, &ids[..5]), 9_994);
        assert!(t.statistics().0 == 6 && t.statistics().1 < before.1 / 1_000);
        assert_eq!(
            (t.lookup("a7", hash("a7")), t.text(7)),
            (Some(ids[7]), "a7")
        );
        assert_eq!(t.lookup("a8", hash("a8")), None);
        // Round after round in the same places.
        for round in 0..20 {
            for i in 0..9_000 {
                let id = t.intern(&format!("b{round} {i}"));
                assert_eq!(t.text(id), format!("b{round} {i}"));
            }
            assert_eq!(collect(&t, &ids[..5]), 9_000);
        }
        assert_eq!(t.len.load(Ordering::Relaxed), 10_000);
        assert_eq!(t.some_from(0).map(|(found, _)| found.len()), Some(6));
    }

    #[test]
    fn who_looks_a_text_up_during_a_collection_has_it() {
        let t = AtomTable::new();
        let [a, b] = ["a", "b"].map(|x| t.intern(x));
        t.begin();
        assert_eq!(t.intern("a"), a);
        let c = t.intern("c");
        let dead = t.sweep();
        assert_eq!(dead.ids, [b]);
        // The old one is dying: this is another.
        let again = t.intern("b");
        assert!(again != b && t.text(again) == "b");
        t.end();
        // SAFETY: one thread.
        unsafe { t.free(dead, true) };
        assert_eq!((t.intern("a"), t.intern("b"), t.intern("c")), (a, again, c));
        assert_eq!(t.intern("d"), b);
    }
}

/// `RUSTFLAGS="--cfg loom" cargo test -p samite-term --release loom`
#[cfg(all(test, loom))]
mod loom_tests {
    use super::*;
    use loom::sync::Arc;

    #[test]
    fn loom_two_writers_agree_while_the_index_grows() {
        loom::model(|| {
            let t = Arc::new(AtomTable::new());
            t.intern("x");
            let t2 = t.clone();
            let h = loom::thread::spawn(move || (t2.intern("a"), t2.intern("b")));
            let b = t.intern("b");
            let (a2, b2) = h.join().unwrap();
            assert_eq!(b, b2);
            assert_ne!(a2, b2);
            assert_eq!(t.intern("a"), a2);
            assert_eq!(t.text(b), "b");
        });
    }

    #[test]
    fn loom_a_reader_never_sees_a_half_written_entry() {
        loom::model(|| {
            let t = Arc::new(AtomTable::new());
            let t2 = t.clone();
            let h = loom::thread::spawn(move || t2.intern("abc"));
            if let Some(id) = t.lookup("abc", hash("abc")) {
                assert_eq!(t.text(id), "abc");
            }
            let id = h.join().unwrap();
            assert_eq!(t.lookup("abc", hash("abc")), Some(id));
        });
    }

    /// A text is looked up while its atom is swept: who does has an atom that lives.
    #[test]
    fn loom_who_looks_up_has_what_lives() {
        loom::model(|| {
            let t = Arc::new(AtomTable::new());
            t.intern("x");
            t.begin();
            let t2 = t.clone();
            let h = loom::thread::spawn(move || t2.intern("x"));
            let dead = t.sweep();
            let id = h.join().unwrap();
            assert!(!dead.ids.contains(&id));
            t.end();
            // SAFETY: the other thread has ended.
            unsafe { t.free(dead, true) };
            assert_eq!((t.text(id), t.intern("x")), ("x", id));
        });
    }
}
