//! The counts, and the graves: [the protocol](super) itself. One table is the process's; a model has one made of loom's locks.
//!
//! Called by [`super`], but for what registries ask of their graves.

use super::sync::{AtomicUsize, Mutex, MutexGuard, Ordering};
use crate::common;
use crate::counted::Neighbours;
use crate::growth;
use crate::handle::Handle;
use std::collections::HashMap;
use std::sync::Arc;

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

#[derive(Debug)]
pub struct Entry {
    count: usize,
    pinned: bool,
    /// In its grave, or just taken from there.
    waits: bool,
    grave: Arc<Grave>,
}

/// See [`Table::shard`].
pub type Entries = HashMap<u64, Entry, Neighbours>;

/// Apart from what is written more often.
#[derive(Debug)]
#[repr(align(128))]
pub struct Count(pub AtomicUsize);

/// Divided by number, so that threads do not wait for each other.
#[derive(Debug)]
pub struct Table<const SHARDS: usize> {
    pub shards: [Mutex<Entries>; SHARDS],
    /// Entries of all shards.
    pub entries: Count,
}

fn locked<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(|e| e.into_inner())
}

impl<const SHARDS: usize> Table<SHARDS> {
    /// The table that has the entry of a handle, and its key there, which is the number without what the table says of it: numbers of queues and mutexes
    /// differ.
    fn shard(&self, handle: Handle) -> (MutexGuard<'_, Entries>, u64) {
        let n = handle.number();
        let shard = &self.shards[n as usize % SHARDS];
        (locked(shard), n / SHARDS as u64)
    }
    #[inline(always)]
    pub fn are_any(&self) -> bool {
        // Relaxed: see the module text.
        self.entries.0.load(Ordering::Relaxed) != 0
    }
    pub fn retain(&self, handle: Handle) -> bool {
        let (mut entries, key) = self.shard(handle);
        let entry = entries.get_mut(&key);
        entry.map(|e| e.count += 1).is_some()
    }

    pub fn release(&self, handle: Handle) {
        let (mut entries, key) = self.shard(handle);
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

    pub fn pin(&self, handle: Handle) {
        let (mut entries, key) = self.shard(handle);
        if let Some(e) = entries.get_mut(&key) {
            e.pinned = true;
        }
    }

    pub fn is_pinned(&self, handle: Handle) -> bool {
        let (entries, key) = self.shard(handle);
        entries.get(&key).is_some_and(|e| e.pinned)
    }

    pub fn is_known(&self, handle: Handle) -> bool {
        let (entries, key) = self.shard(handle);
        entries.contains_key(&key)
    }

    pub fn enter(&self, handle: Handle, grave: &Arc<Grave>) -> bool {
        debug_assert!(handle.kind().is_counted());
        let (mut entries, key) = self.shard(handle);
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
        self.entries.0.fetch_add(1, Ordering::Relaxed);
        true
    }

    pub fn forget(&self, handle: Handle) {
        let (mut entries, key) = self.shard(handle);
        if let Some(e) = entries.remove(&key) {
            e.grave.leave(e.waits.then_some(handle));
            self.left(&mut entries);
        }
    }

    pub fn take(&self, handle: Handle) -> bool {
        let (mut entries, key) = self.shard(handle);
        let Some(e) = entries.get_mut(&key) else {
            return false;
        };
        if e.count > 0 || e.pinned {
            e.waits = false;
            return false;
        }
        if let Some(e) = entries.remove(&key) {
            e.grave.leave(None);
            self.left(&mut entries);
        }
        true
    }
    /// An entry less.
    fn left(&self, entries: &mut Entries) {
        self.entries.0.fetch_sub(1, Ordering::Relaxed);
        // What a peak has left goes back.
        let few = entries.len() * 2;
        if is_too_large(entries.len(), entries.capacity()) && common::system_has(few * 64) {
            entries.shrink_to(few);
        }
    }
}

fn is_too_large(used: usize, room: usize) -> bool {
    room > 256 && used < room / 8
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
