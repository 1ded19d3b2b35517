//! Handles of objects that go when no program can name them any more: queues, mutexes and engines without alias, sockets, and tries.
//!
//! *Invariant*: where a program can get a handle from is a record, a heap, a table space, or a key of a trie, of `recorda/3` or `flag/3`, and each of these is counted. So a handle
//! whose count came down to 0 is in nobody's hands: it waits in the grave of its registry, which takes the object out ([`take`]).
//!
//! ```text
//! enter     -      -> 1          by the registry, for who makes the object: he releases it when he has put the handle where it is counted
//! retain    n      -> n + 1      by who has it: a record that is made, a heap that it is put on, tables that have it in a call, an answer or a value, a key
//! release   n + 1  -> n          by who has called retain for it; into the grave with it if n = 0
//! pin       n      -> pinned, n  by a heap that has no memory to count it. It stays until it is forgotten
//! take      0      -> -          by the registry; not if n > 0 (who enumerates queues or mutexes has it again) nor if pinned
//! forget    n      -> -          by the registry: the object was destroyed by a program
//! ```
//!
//! So what stays although nobody can name it is what was pinned, and objects whose handles are in each other's queues, as each of them is named by a message, and tries that are in each other.
//! (Keys of `flag/3` stay, and so what they name; a key of records goes with the last of these.) At the end of its program all goes.
//!
//! What is not counted itself is a copy of what is: a compiled clause has such handles in its records only ([`Cell::is_plain`]), an index or a message's
//! key is compared and not read.
//!
//! A number is given once in a process ([`crate::handle`]), to a queue, a mutex, an engine, a socket or a trie, and no text is read as a handle. So a handle without entry is that of an object that is gone: it is ignored,
//! and a record without an entry when it was made never has one when it is dropped.
//!
//! While there are no such objects all this costs is a load ([`are_any`]). It is relaxed: who has the handle of an object that is there got it from
//! who made it, who counted it before; and the count of all is above 0 as long as the entry is there.
//!
//! Locks: a shard's, and under it that of a grave. Nothing else is taken under them, so a handle may be released under any lock. Only `enter` asks for memory.

use crate::cell::{Cell, Tag};
use crate::handle::{Handle, HandleKind};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;
use table::{Count, Table};

/// See [`Table`].
const SHARDS: usize = 64;

/// The process's.
static TABLE: Table<SHARDS> = Table {
    shards: [const { sync::Mutex::new(HashMap::with_hasher(Neighbours::new())) }; SHARDS],
    entries: Count(sync::AtomicUsize::new(0)),
};

mod table;

/// What the table is made of (a model is made of loom's).
mod sync {
    pub use std::sync::atomic::{AtomicUsize, Ordering};
    pub use std::sync::{Mutex, MutexGuard};
}

pub use table::Grave;

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

/// Whether there is any object whose handles are counted.
#[inline(always)]
pub fn are_any() -> bool {
    TABLE.are_any()
}

impl HandleKind {
    /// Whether handles of this kind are counted.
    pub const fn is_counted(self) -> bool {
        matches!(
            self,
            HandleKind::MessageQueue
                | HandleKind::Mutex
                | HandleKind::Engine
                | HandleKind::Socket
                | HandleKind::Trie
                | HandleKind::MemoryFile
        )
    }
}

impl Cell {
    /// The handle of an object that goes with its last handle, if it is one.
    #[inline]
    pub const fn counted_handle(self) -> Option<Handle> {
        const QUEUE: u64 = Cell::of_handle(Handle::new(HandleKind::MessageQueue, 0)).0;
        const MUTEX: u64 = Cell::of_handle(Handle::new(HandleKind::Mutex, 0)).0;
        const ENGINE: u64 = Cell::of_handle(Handle::new(HandleKind::Engine, 0)).0;
        const SOCKET: u64 = Cell::of_handle(Handle::new(HandleKind::Socket, 0)).0;
        const TRIE: u64 = Cell::of_handle(Handle::new(HandleKind::Trie, 0)).0;
        const FILE: u64 = Cell::of_handle(Handle::new(HandleKind::MemoryFile, 0)).0;
        match self.0 & 0xff {
            QUEUE | MUTEX | ENGINE | SOCKET | TRIE | FILE => self.handle(),
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
    TABLE.retain(handle)
}

/// One fewer.
pub fn release(handle: Handle) {
    TABLE.release(handle);
}

/// It stays until it is destroyed: who has it cannot count it.
#[cold]
pub fn pin(handle: Handle) {
    TABLE.pin(handle);
}

/// Whether it was pinned.
pub fn is_pinned(handle: Handle) -> bool {
    TABLE.is_pinned(handle)
}

/// Whether the object is there.
pub fn is_known(handle: Handle) -> bool {
    TABLE.is_known(handle)
}

/// A new object, whose handle nobody has yet but the caller, who is counted. False: there is no memory for it.
pub fn enter(handle: Handle, grave: &Arc<Grave>) -> bool {
    TABLE.enter(handle, grave)
}

/// The object was destroyed, or is about to be: the handle means nothing from now on.
pub fn forget(handle: Handle) {
    TABLE.forget(handle);
}

/// Forgets a handle that came from a grave, if nobody has it.
pub fn take(handle: Handle) -> bool {
    TABLE.take(handle)
}

/// Is counted for the object whose handle a cell is, if it is one: what keeps the cell outside of records and heaps has this beside it.
#[derive(Debug)]
pub struct Counted(Option<Handle>);

impl Counted {
    pub fn of(c: Cell) -> Counted {
        Counted(c.counted_handle().filter(|&h| retain(h)))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        if let Some(handle) = self.0 {
            release(handle);
        }
    }
}

#[cfg(all(test, loom))]
mod loom_models;
#[cfg(all(test, not(loom)))]
mod tests;
