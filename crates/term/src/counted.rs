//! Handles of objects that go when no program can name them any more: queues and mutexes without alias.
//!
//! *Invariant*: where a program can get a handle from is a record, a heap or a place that has pinned it, and each of these is counted. So a handle whose
//! count came down to 0 is in nobody's hands: it waits in the grave of its registry, which takes the object out ([`take`]).
//!
//! ```text
//! enter     -      -> 1          by the registry, for who makes the object: he releases it when he has put the handle where it is counted
//! retain    n      -> n + 1      by who has it: a record that is made, a heap that it is put on
//! release   n + 1  -> n          by who has called retain for it; into the grave with it if n = 0
//! pin       n      -> pinned, n  by what is not told when it loses it: tries of tables, keys of flags and records. It stays until it is forgotten
//! take      0      -> -          by the registry; not if n > 0 (who enumerates queues or mutexes has it again) nor if pinned
//! forget    n      -> -          by the registry: the object was destroyed by a program
//! ```
//!
//! What is not counted itself is a copy of what is: a compiled clause has such handles in its records only ([`Cell::is_plain`]), an index or a message's
//! key is compared and not read.
//!
//! A number is given once in a process ([`crate::handle`]), to a queue or to a mutex, and no text is read as a handle. So a handle without entry is that of an object that is gone: it is ignored,
//! and a record without an entry when it was made never has one when it is dropped.
//!
//! While there are no such objects all this costs is a load ([`are_any`]). It is relaxed: who has the handle of an object that is there got it from
//! who made it, who counted it before; and the count of all is above 0 as long as the entry is there.
//!
//! Locks: a shard's, and under it that of a grave. Nothing else is taken under them, so a handle may be released under any lock. Only `enter` asks for memory.

use crate::cell::{Cell, Tag};
use crate::common;
use crate::growth;
use crate::handle::{Handle, HandleKind};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// Handles of one registry that wait for their objects to be taken out. Room for all that are entered is there before.
#[derive(Debug, Default)]
pub struct Grave {
    inner: Mutex<Waiting>,
    /// As many as wait: to be asked without the lock.
    len: AtomicUsize,
}

#[derive(Debug, Default)]
struct Waiting {
    handles: Vec<Handle>,
    /// Handles of this registry that have an entry.
    entered: usize,
}

struct Entry {
    count: usize,
    pinned: bool,
    /// In its grave, or just taken from there.
    waits: bool,
    grave: Arc<Grave>,
}

/// See [`shard`].
type Entries = HashMap<u64, Entry, Neighbours>;

const SHARDS: usize = 64;

static TABLE: [Mutex<Entries>; SHARDS] =
    [const { Mutex::new(HashMap::with_hasher(Neighbours::new())) }; SHARDS];

/// Hashes numbers of handles: those that were given one after the other, and mostly go so, are neighbours in a table, so that going through many
/// costs few cache misses.
pub type Neighbours = BuildHasherDefault<Neighbour>;

/// See [`Neighbours`].
#[derive(Debug, Default)]
pub struct Neighbour(u64);

impl Hasher for Neighbour {
    fn write(&mut self, bytes: &[u8]) {
        bytes
            .iter()
            .for_each(|&b| self.write_u64(self.0 << 8 | u64::from(b)));
    }
    fn write_u64(&mut self, n: u64) {
        // The place is taken from the lowest bits, what is compared first from the highest.
        let mixed = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = n & (u64::MAX >> 8) | mixed & !(u64::MAX >> 8);
    }
    fn finish(&self) -> u64 {
        self.0
    }
}

/// Entries of all shards. Apart from what is written more often.
#[repr(align(128))]
struct Count(AtomicUsize);
static ENTRIES: Count = Count(AtomicUsize::new(0));

fn locked<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(|e| e.into_inner())
}

/// The table that has the entry of a handle, and its key there, which is the number without what the table says of it: numbers of queues and mutexes
/// differ.
fn shard(handle: Handle) -> (MutexGuard<'static, Entries>, u64) {
    let n = handle.number();
    (locked(&TABLE[n as usize % SHARDS]), n / SHARDS as u64)
}

/// Whether there is any object whose handles are counted.
#[inline(always)]
pub fn are_any() -> bool {
    // Relaxed: see the module text.
    ENTRIES.0.load(Ordering::Relaxed) != 0
}

impl HandleKind {
    /// Whether handles of this kind are counted.
    pub const fn is_counted(self) -> bool {
        matches!(self, HandleKind::MessageQueue | HandleKind::Mutex)
    }
}

impl Cell {
    /// The handle of an object that goes with its last handle, if it is one.
    #[inline]
    pub const fn counted_handle(self) -> Option<Handle> {
        const QUEUE: u64 = Cell::of_handle(Handle::new(HandleKind::MessageQueue, 0)).0;
        const MUTEX: u64 = Cell::of_handle(Handle::new(HandleKind::Mutex, 0)).0;
        match self.0 & 0xff {
            QUEUE | MUTEX => self.handle(),
            _ => None,
        }
    }
    /// Whether it can be in the code of a clause as it is: immediate, and no handle that is counted. Others come from records.
    #[inline]
    pub const fn is_plain(self) -> bool {
        self.is_immediate() && self.counted_handle().is_none()
    }
}

/// Calls `f` with each counted handle in words laid out as those of a record.
pub fn each_in_words(words: &[u64], mut f: impl FnMut(Handle)) {
    let mut i = 0;
    while let Some(&word) = words.get(i) {
        let c = Cell(word);
        if let Some(handle) = c.counted_handle() {
            f(handle);
        } else if c.tag() == Tag::Hdr {
            i += c.box_words();
        }
        i += 1;
    }
}

/// A record has been made of these words.
#[cold]
#[inline(never)]
pub(crate) fn retain_in(words: &[u64]) {
    each_in_words(words, |h| {
        retain(h);
    });
}

/// It is dropped.
#[cold]
#[inline(never)]
pub(crate) fn release_in(words: &[u64]) {
    each_in_words(words, release);
}

/// One more has it. False: the object is gone.
pub fn retain(handle: Handle) -> bool {
    let (mut entries, key) = shard(handle);
    let entry = entries.get_mut(&key);
    entry.map(|e| e.count += 1).is_some()
}

/// One fewer.
pub fn release(handle: Handle) {
    let (mut entries, key) = shard(handle);
    let Some(e) = entries.get_mut(&key) else {
        return;
    };
    debug_assert!(e.count > 0, "{handle} is released more often than counted");
    e.count = e.count.saturating_sub(1);
    if e.count == 0 && !e.waits && !e.pinned {
        e.waits = true;
        e.grave.add(handle);
    }
}

/// It stays until it is destroyed, if it is one that is counted: a word is kept where nobody counts it.
#[inline]
pub fn pin(word: u64) {
    if are_any()
        && let Some(handle) = Cell(word).counted_handle()
    {
        pin_handle(handle);
    }
}

/// The same of a handle.
#[cold]
pub fn pin_handle(handle: Handle) {
    let (mut entries, key) = shard(handle);
    if let Some(e) = entries.get_mut(&key) {
        e.pinned = true;
    }
}

/// Whether it was pinned.
pub fn is_pinned(handle: Handle) -> bool {
    let (entries, key) = shard(handle);
    entries.get(&key).is_some_and(|e| e.pinned)
}

/// Whether the object is there.
pub fn is_known(handle: Handle) -> bool {
    let (entries, key) = shard(handle);
    entries.contains_key(&key)
}

/// A new object, whose handle nobody has yet but the caller, who is counted. False: there is no memory for it.
pub fn enter(handle: Handle, grave: &Arc<Grave>) -> bool {
    debug_assert!(handle.kind().is_counted());
    let (mut entries, key) = shard(handle);
    if !growth::map_room(&mut entries, |n| common::may_take(n, 0)) || !grave.enter() {
        return false;
    }
    let entry = Entry {
        count: 1,
        pinned: false,
        waits: false,
        grave: grave.clone(),
    };
    let before = entries.insert(key, entry);
    debug_assert!(before.is_none(), "{handle} is given a second time");
    ENTRIES.0.fetch_add(1, Ordering::Relaxed);
    true
}

/// The object was destroyed, or is about to be: the handle means nothing from now on.
pub fn forget(handle: Handle) {
    let (mut entries, key) = shard(handle);
    if let Some(e) = entries.remove(&key) {
        e.grave.leave(e.waits.then_some(handle));
        left(&mut entries);
    }
}

/// Forgets a handle that came from a grave, if nobody has it.
pub fn take(handle: Handle) -> bool {
    let (mut entries, key) = shard(handle);
    let Some(e) = entries.get_mut(&key) else {
        return false;
    };
    if e.count > 0 || e.pinned {
        e.waits = false;
        return false;
    }
    if let Some(e) = entries.remove(&key) {
        e.grave.leave(None);
        left(&mut entries);
    }
    true
}

fn is_too_large(used: usize, room: usize) -> bool {
    room > 256 && used < room / 8
}

/// An entry less.
fn left(entries: &mut Entries) {
    ENTRIES.0.fetch_sub(1, Ordering::Relaxed);
    // What a peak has left goes back.
    let few = entries.len() * 2;
    if is_too_large(entries.len(), entries.capacity()) && common::system_has(few * 64) {
        entries.shrink_to(few);
    }
}

impl Grave {
    /// Handles that wait. Approximate while others work at it.
    pub fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Handles of this registry that are counted.
    pub fn entered(&self) -> usize {
        locked(&self.inner).entered
    }
    /// The next, for [`take`].
    pub fn next(&self) -> Option<Handle> {
        let mut w = locked(&self.inner);
        let next = w.handles.pop();
        self.len.store(w.handles.len(), Ordering::Relaxed);
        next
    }
    fn add(&self, handle: Handle) {
        let mut w = locked(&self.inner);
        debug_assert!(w.handles.len() < w.entered && w.handles.len() < w.handles.capacity());
        w.handles.push(handle);
        self.len.store(w.handles.len(), Ordering::Relaxed);
    }
    fn enter(&self) -> bool {
        let mut w = locked(&self.inner);
        let more = w.entered + 1 - w.handles.len();
        // (`try_reserve` doubles.)
        let room = w.handles.capacity() > w.entered
            || common::may_take(w.handles.capacity() * 16, 0)
                && w.handles.try_reserve(more).is_ok();
        w.entered += usize::from(room);
        room
    }
    fn leave(&self, waiting: Option<Handle>) {
        let mut w = locked(&self.inner);
        w.entered -= 1;
        if let Some(handle) = waiting {
            w.handles.retain(|&h| h != handle);
            self.len.store(w.handles.len(), Ordering::Relaxed);
        }
        let few = w.entered * 2;
        if is_too_large(w.entered, w.handles.capacity()) && common::system_has(few * 16) {
            w.handles.shrink_to(few);
        }
    }
    /// Checks what is said of the fields. Panics with the first violation.
    pub fn verify(&self) {
        let w = locked(&self.inner);
        assert!(w.handles.len() <= w.entered && w.entered <= w.handles.capacity());
        let mut all = w.handles.clone();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), w.handles.len(), "a handle waits twice");
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
