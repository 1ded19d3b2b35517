//! Which rows a joint table has: a set that threads add to without waiting for each other.
//!
//! A chain of rectangles with a bit for each pair of values ([`crate::seen`]), and behind it a hash trie for what is in none of them. The *first* rectangle that covers a row decides about it, for ever: so a
//! rectangle is put behind those that there are, never in their place, and nothing is moved. A row that none covers either gets one, twice as large as the last, if that is worth its bytes; or ends the chain, for good, with the trie,
//! and goes in there.
//!
//! All that is put is put by the [`Scheme`] of the set, which is compare and swap unless locks are wanted: a rectangle has them for parts of its words, a line of the trie has one for itself and all nodes below it, the set one for
//! its links.
//!
//! ```text
//! link: null (open) | a rectangle | the trie;  null → either, by compare and swap; never changed after that
//! bit:  0 → 1, by fetch_or, or under a lock: who changes it has added the row
//! slot of the trie: 0 | leaf | node;  0 → leaf, leaf → node that has it, by compare and swap; who puts the leaf has added the row
//! leaf: 24 bits of the hash, log, number of the row, 1;  its row is written before it is there (release), and compared with after it was seen (acquire)
//! ```
//!
//! The trie begins with lines of the cache, as many as are likely to be enough for the rows to come, by bits in the middle of the hash. A line's slots are filled one after the other, and only the last one leads to a node. Nodes below have 16, by four bits of it each; below the last ones the hash is another one. They belong to the [`Memory`] of who made them, which is to outlive the set.
//!
//! Source: lock-free hash tries that only grow, after Prokopec et al., "Concurrent Tries with Efficient Non-Blocking Snapshots" (PPoPP 2012), without what removes and copies.

use super::log::Rows;
use crate::rows::View;
use crate::scheme::{Contention, Lock, Scheme, TableSync};
use crate::seen::{Rectangle, hash_from};
use crate::sync::{AtomicPtr, AtomicU64, Ordering};
use samite_term::common;
use samite_term::growth::{self, Refused};
use std::alloc::Layout;
#[cfg(not(loom))]
use std::alloc::{alloc_zeroed, dealloc};
use std::ptr::null_mut;

/// Bytes that a rectangle may take, for so many rows that there are: more are expected.
fn most_bytes(rows: usize) -> usize {
    /// In any case.
    const FEW: usize = 4 << 10;
    /// For each of the first ones, up to this.
    const FIRST: (usize, usize) = (512, 8 << 20);
    /// For each row of many.
    const EACH: usize = 16;
    FEW.max((FIRST.0 * rows).min(FIRST.1)).max(EACH * rows)
}
/// Rectangles in a chain at most.
const LONGEST: usize = if cfg!(loom) { 1 } else { 12 };
/// Words of a rectangle that are in one line of the cache, and have one lock, and locks that a rectangle has at most.
const LINE_OF_WORDS: usize = 8;
const MOST_LOCKS: usize = 1024;
/// Slots of a node.
const SLOTS: usize = 16;
/// So many rows show that they are in no rectangle.
const MANY: usize = 64;
/// Slots of a line.
const LINE: usize = if cfg!(loom) { 1 } else { 8 };
/// Logarithm of the lines that a trie has at most, and lines for each row that there is when it is made: more are to come.
const MOST_LOG: u32 = 19;
const EXPECTED: usize = 4;
/// The first of the bits of a hash that choose among them.
const FIRST_BIT: u32 = 18;
/// Levels to a hash.
const LEVELS: u32 = u64::BITS / 4;
/// Nodes that are made at once.
const NODES: usize = if cfg!(any(test, loom)) { 2 } else { 256 };

#[repr(align(64))]
struct Chained {
    covers: Rectangle,
    /// Tokens of the rows that it covers.
    sides: usize,
    words: *mut AtomicU64,
    next: AtomicPtr<Chained>,
    /// Of lines of the words, if there are to be locks in here.
    locks: Box<[Lock]>,
}

#[repr(align(64))]
struct Node([AtomicU64; SLOTS]);

impl Node {
    fn new() -> Node {
        Node(std::array::from_fn(|_| AtomicU64::new(0)))
    }
}

/// Where a member gets nodes from; see the module text.
#[derive(Default)]
pub struct Memory {
    all: Vec<Box<[Node]>>,
    /// Nodes of the last one that are used.
    used: usize,
    /// One that was not used after all.
    spare: Option<*const Node>,
    charged: usize,
    /// Bytes of the rows that its member has added.
    pub(super) rows: usize,
    /// What its member had to do with others.
    pub(super) seen: Contention,
}

// SAFETY: its nodes are owned; the pointer is to one of them.
unsafe impl Send for Memory {}

impl Memory {
    /// Bytes of what its member has added: the rows, and what leads to them (no rectangles, which are as large as is expected of all).
    pub fn bytes(&self) -> usize {
        self.charged + self.rows
    }
    /// The rows that it has added count for somebody else from now on; bytes.
    pub fn hand_over_rows(&mut self) -> usize {
        std::mem::take(&mut self.rows)
    }
    /// After all they do not.
    pub fn take_back_rows(&mut self, bytes: usize) {
        self.rows += bytes;
    }
    /// What its member had to do with others.
    pub fn contention(&self) -> Contention {
        self.seen
    }
    fn node(&mut self) -> Result<&Node, Refused> {
        if let Some(spare) = self.spare.take() {
            // SAFETY: a node of this memory, which stays where it is.
            return Ok(unsafe { &*spare });
        }
        if self.used == self.all.last().map_or(0, |l| l.len()) {
            let bytes = NODES * size_of::<Node>();
            if !common::may_take(bytes, 0) {
                return Err(Refused);
            }
            let new = growth::list((0..NODES).map(|_| Node::new()))?;
            growth::push(&mut self.all, new.into_boxed_slice())?;
            common::charge(bytes);
            self.charged += bytes;
            self.used = 0;
        }
        self.used += 1;
        let last = self.all.len() - 1;
        Ok(&self.all[last][self.used - 1])
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        common::release(self.charged);
    }
}

/// See the module text.
pub(super) struct Set {
    first: AtomicPtr<Chained>,
    scheme: Scheme,
    /// Of the links.
    lock: Lock,
}

/// See the module text.
#[repr(align(64))]
struct Line([AtomicU64; LINE]);

/// What is at the end of a chain.
struct Trie {
    lines: Box<[Line]>,
    /// Of each line, if there are to be locks in here.
    locks: Box<[Lock]>,
    charged: usize,
}

impl Trie {
    fn new(rows: usize, scheme: Scheme) -> Result<Trie, Refused> {
        let wanted = (rows.max(1).saturating_mul(EXPECTED)).next_power_of_two();
        let lines = if cfg!(any(test, loom)) {
            2
        } else {
            wanted.min(1 << MOST_LOG)
        };
        let locks = if scheme.has_fields() { lines } else { 0 };
        let charged = lines * size_of::<Line>() + locks * size_of::<Lock>();
        if !common::may_take(charged, 0) {
            return Err(Refused);
        }
        let line = || Line(std::array::from_fn(|_| AtomicU64::new(0)));
        let lines = growth::list((0..lines).map(|_| line()))?;
        let locks = growth::list((0..locks).map(|_| Lock::new()))?;
        common::charge(charged);
        Ok(Trie {
            lines: lines.into(),
            locks: locks.into(),
            charged,
        })
    }
    fn number_of_line(&self, h: u64) -> usize {
        (h >> FIRST_BIT) as usize & (self.lines.len() - 1)
    }
    fn line(&self, h: u64) -> &[AtomicU64; LINE] {
        &self.lines[self.number_of_line(h)].0
    }
    fn lock(&self, h: u64) -> Option<&Lock> {
        self.locks.get(self.number_of_line(h))
    }
}

impl Drop for Trie {
    fn drop(&mut self) {
        common::release(self.charged);
    }
}

/// What a link leads to.
enum Linked<'a> {
    Nothing,
    Rectangle(&'a Chained),
    Trie(&'a Trie),
}

impl Linked<'_> {
    /// # Safety
    /// The link is one of a set that lives so long.
    #[inline]
    unsafe fn of<'a>(link: *mut Chained) -> Linked<'a> {
        if link.is_null() {
            Linked::Nothing
        } else if link.addr() & 1 == 0 {
            // SAFETY: promised by the caller: rectangles stay as long as the set.
            Linked::Rectangle(unsafe { &*link })
        } else {
            // SAFETY: as above; an odd link is one behind the address of a trie.
            Linked::Trie(unsafe { &*link.cast::<u8>().wrapping_sub(1).cast::<Trie>() })
        }
    }
}

/// The link to a trie.
fn link_to(trie: Box<Trie>) -> *mut Chained {
    Box::into_raw(trie).cast::<u8>().wrapping_add(1).cast()
}

/// # Safety
/// The link is to a trie, and nobody has it any more.
unsafe fn free_trie(link: *mut Chained) {
    let trie = link.cast::<u8>().wrapping_sub(1).cast::<Trie>();
    // SAFETY: promised by the caller.
    drop(unsafe { Box::from_raw(trie) });
}

// SAFETY: what it refers to is shared by atomic operations only, and freed when nobody else has it.
unsafe impl Send for Set {}
// SAFETY: as above.
unsafe impl Sync for Set {}

/// The leaf of a row.
fn leaf(h: u64, log: usize, number: usize) -> u64 {
    debug_assert!(number < 1 << 35);
    h >> 40 << 40 | (log as u64) << 36 | (number as u64) << 1 | 1
}
/// Log and number.
fn of_leaf(leaf: u64) -> (usize, usize) {
    (
        (leaf >> 36 & 15) as usize,
        (leaf >> 1 & ((1 << 35) - 1)) as usize,
    )
}

/// The hash for the levels from `level` on, down to the next multiple of [`LEVELS`].
fn hash_at(level: u32, tokens: &[u64]) -> u64 {
    hash_from(
        u64::from(level / LEVELS) * 0x5851_f42d_4c95_7f2d + 1,
        tokens,
    )
}
fn slot_at(level: u32, h: u64) -> usize {
    (h >> (4 * (level % LEVELS)) & (SLOTS as u64 - 1)) as usize
}

impl Set {
    /// An empty set for rows like the `count` ones of `view`, of which `first` is one, and more.
    pub(super) fn for_rows(
        view: &View,
        count: usize,
        first: &[u64],
        scheme: Scheme,
    ) -> Result<Set, Refused> {
        let rectangle = Rectangle::around(view, count, first);
        let mut link = match rectangle {
            Some(r) => Chained::new(&r, first.len(), count, scheme)?,
            None => null_mut(),
        };
        if link.is_null() && count >= MANY {
            link = link_to(Box::new(Trie::new(count, scheme)?));
        }
        Ok(Set {
            first: AtomicPtr::new(link),
            scheme,
            lock: Lock::new(),
        })
    }

    /// An empty set.
    pub(super) fn new(scheme: Scheme) -> Set {
        Set {
            first: AtomicPtr::new(null_mut()),
            scheme,
            lock: Lock::new(),
        }
    }

    /// Whether a row is there already, as far as that is seen at once.
    #[inline]
    pub(super) fn is_known(&self, tokens: &[u64]) -> bool {
        // Acquire: as in `add`.
        let first = self.first.load(Ordering::Acquire);
        // SAFETY: a link of this set.
        let Linked::Rectangle(first) = (unsafe { Linked::of(first) }) else {
            return false;
        };
        // Relaxed: as in `add`.
        (first.word(tokens)).is_some_and(|(word, mask)| word.load(Ordering::Relaxed) & mask != 0)
    }

    /// Adds a row for a member, the caller; whether it is new. Refused: nothing has changed.
    #[inline]
    pub(super) fn add(
        &self,
        rows: &Rows,
        me: usize,
        tokens: &[u64],
        memory: &mut Memory,
    ) -> Result<bool, Refused> {
        let mut link = &self.first;
        let mut last: Option<&Chained> = None;
        let mut length = 0;
        loop {
            // Acquire: who finds a rectangle finds it as it was made.
            let next = link.load(Ordering::Acquire);
            // SAFETY: a link of this set.
            let chained = match unsafe { Linked::of(next) } {
                Linked::Rectangle(chained) => chained,
                Linked::Trie(trie) => return self.add_to_trie(trie, rows, me, tokens, memory),
                Linked::Nothing => {
                    self.extend((link, last, length), rows, tokens, &mut memory.seen)?;
                    continue;
                }
            };
            if let Some((word, mask)) = chained.word(tokens) {
                // Relaxed: what a row is others are told otherwise.
                if word.load(Ordering::Relaxed) & mask != 0 {
                    return Ok(false);
                }
                rows.have(me)?;
                if !self.set_bit(chained, word, mask, &mut memory.seen) {
                    return Ok(false);
                }
                rows.prepare(me, tokens);
                rows.commit(me);
                return Ok(true);
            }
            (link, last) = (&chained.next, Some(chained));
            length += 1;
        }
    }

    /// Whether it was not set before.
    #[inline]
    fn set_bit(&self, of: &Chained, word: &AtomicU64, mask: u64, seen: &mut Contention) -> bool {
        if self.scheme.sync() == TableSync::LockFree {
            let done = word.fetch_or(mask, Ordering::Relaxed) & mask == 0;
            seen.writes += 1;
            seen.failed += u64::from(!done);
            return done;
        }
        loop {
            // Relaxed: as in `add`.
            let old = word.load(Ordering::Relaxed);
            if old & mask != 0 {
                return false;
            }
            if (self.scheme).put(of.lock(word), word, old, old | mask, seen) {
                return true;
            }
        }
    }

    #[inline(never)]
    fn add_to_trie(
        &self,
        trie: &Trie,
        rows: &Rows,
        me: usize,
        tokens: &[u64],
        memory: &mut Memory,
    ) -> Result<bool, Refused> {
        let own = hash_at(0, tokens);
        let (line, lock) = (trie.line(own), trie.lock(own));
        let (mut slot, mut rest) = (&line[0], line[1..].iter());
        let (mut level, mut h) = (0, own);
        let mut prepared = None;
        loop {
            // Acquire: see the module text.
            let found = slot.load(Ordering::Acquire);
            if found == 0 {
                if prepared.is_none() {
                    rows.have(me)?;
                    prepared = Some(rows.prepare(me, tokens));
                }
                let new = leaf(own, me, prepared.unwrap_or(0));
                // (The row is written before, and released with it.)
                if (self.scheme).put(lock, slot, 0, new, &mut memory.seen) {
                    rows.commit(me);
                    return Ok(true);
                }
                continue;
            }
            if found & 1 == 0 {
                if level > 0 && level % LEVELS == 0 {
                    h = hash_at(level, tokens);
                }
                // SAFETY: nodes stay as long as the set.
                let node = unsafe { &*std::ptr::with_exposed_provenance::<Node>(found as usize) };
                slot = &node.0[slot_at(level, h)];
                level += 1;
                continue;
            }
            let (log, number) = of_leaf(found);
            if found >> 40 == own >> 40 && rows.is(log, number, tokens) {
                return Ok(false);
            }
            if let Some(next) = rest.next() {
                slot = next;
                continue;
            }
            // Another row: both go one level down.
            let mut other = [0; crate::rows::MOST_OF_ROW];
            for (k, t) in other[..tokens.len()].iter_mut().enumerate() {
                *t = rows.token(log, number, k);
            }
            let pointer = std::ptr::from_ref(memory.node()?);
            // SAFETY: nodes stay where they are, as long as the memory.
            let below = unsafe { &*pointer };
            let at = slot_at(level, hash_at(level, &other[..tokens.len()]));
            // Relaxed: nobody else has the node yet.
            below.0[at].store(found, Ordering::Relaxed);
            let bits = pointer.expose_provenance() as u64;
            // (Who finds the node finds what is in it, and the row, as who put its leaf has released it.)
            if !(self.scheme).put(lock, slot, found, bits, &mut memory.seen) {
                // Relaxed: as above.
                below.0[at].store(0, Ordering::Relaxed);
                memory.spare = Some(pointer);
            }
        }
    }

    /// Whether a row is there; for assertions.
    pub(super) fn has(&self, rows: &Rows, tokens: &[u64]) -> bool {
        let mut link = &self.first;
        loop {
            // SAFETY: a link of this set.
            match unsafe { Linked::of(link.load(Ordering::Acquire)) } {
                Linked::Nothing => return false,
                Linked::Rectangle(chained) => {
                    if let Some((word, mask)) = chained.word(tokens) {
                        return word.load(Ordering::Relaxed) & mask != 0;
                    }
                    link = &chained.next;
                }
                Linked::Trie(trie) => {
                    let line = trie.line(hash_at(0, tokens));
                    let (mut slot, mut rest, mut level) = (&line[0], line[1..].iter(), 0);
                    loop {
                        let found = slot.load(Ordering::Acquire);
                        if found & 1 == 1 {
                            let (log, number) = of_leaf(found);
                            if rows.is(log, number, tokens) {
                                return true;
                            }
                            let Some(next) = rest.next() else {
                                return false;
                            };
                            slot = next;
                            continue;
                        }
                        if found == 0 {
                            return false;
                        }
                        // SAFETY: nodes stay as long as the set.
                        let node =
                            unsafe { &*std::ptr::with_exposed_provenance::<Node>(found as usize) };
                        slot = &node.0[slot_at(level, hash_at(level, tokens))];
                        level += 1;
                    }
                }
            }
        }
    }
}

impl Set {
    /// Puts a rectangle behind the last one, the `length`th, for a row that none covers, or a trie.
    #[cold]
    #[inline(never)]
    fn extend(
        &self,
        (link, last, length): (&AtomicPtr<Chained>, Option<&Chained>, usize),
        rows: &Rows,
        tokens: &[u64],
        seen: &mut Contention,
    ) -> Result<(), Refused> {
        let wanted = match last {
            // (Not one side only: who comes from one side often comes from another.)
            Some(last) => (last.covers.with(tokens)).and_then(|r| r.padded(tokens.len(), 0)),
            None => Rectangle::about(0, tokens, |_, _| 0)
                .and_then(|r| r.padded(tokens.len(), if tokens.len() == 1 { 512 } else { 24 })),
        };
        let wanted = wanted.filter(|_| length < LONGEST);
        let new = match wanted {
            Some(r) => Chained::new(&r, tokens.len(), rows.count(), self.scheme)?,
            None => null_mut(),
        };
        let put = match new.is_null() {
            true => link_to(Box::new(Trie::new(rows.count(), self.scheme)?)),
            false => new,
        };
        // (Pairs with the acquire of `add`, which reads it again.)
        if !(self.scheme).put(Some(&self.lock), link, null_mut(), put, seen) {
            // SAFETY: nobody else has it.
            unsafe {
                match new.is_null() {
                    true => free_trie(put),
                    false => Chained::free(new),
                }
            }
        }
        Ok(())
    }
}

impl Chained {
    fn layout(words: usize) -> Option<Layout> {
        Layout::array::<u64>(words).ok()
    }

    /// Null: it takes more than so many rows are worth.
    fn new(
        covers: &Rectangle,
        sides: usize,
        rows: usize,
        scheme: Scheme,
    ) -> Result<*mut Chained, Refused> {
        let words = covers.words();
        let bytes = words.saturating_mul(8);
        let (Some(layout), true) = (Chained::layout(words), bytes <= most_bytes(rows)) else {
            return Ok(null_mut());
        };
        if !common::may_take(bytes, 0) {
            return Err(Refused);
        }
        let locks = match scheme.has_fields() {
            true => words.div_ceil(LINE_OF_WORDS).min(MOST_LOCKS),
            false => 0,
        };
        let locks = growth::list((0..locks).map(|_| Lock::new()))?;
        let memory = zeroed(layout, words);
        if memory.is_null() {
            return Err(Refused);
        }
        common::charge(bytes);
        Ok(Box::into_raw(Box::new(Chained {
            covers: *covers,
            sides,
            words: memory,
            next: AtomicPtr::new(null_mut()),
            locks: locks.into(),
        })))
    }

    /// The word of a row, and its bit there, unless it is outside.
    #[inline]
    fn word(&self, tokens: &[u64]) -> Option<(&AtomicU64, u64)> {
        if tokens.len() != self.sides {
            return None;
        }
        let bit = self.covers.bit(tokens)?;
        // SAFETY: a bit of the rectangle is one of its words.
        Some((unsafe { &*self.words.add(bit / 64) }, 1 << (bit % 64)))
    }

    /// That of a word of it.
    fn lock(&self, word: &AtomicU64) -> Option<&Lock> {
        let line = (std::ptr::from_ref(word).addr() - self.words.addr()) / 64;
        self.locks.get(line % self.locks.len().max(1))
    }

    /// # Safety
    /// Made by `new`, and nobody has it any more.
    unsafe fn free(this: *mut Chained) {
        // SAFETY: promised by the caller.
        let this = unsafe { Box::from_raw(this) };
        let words = this.covers.words();
        common::release(words * 8);
        if let Some(layout) = Chained::layout(words) {
            // SAFETY: made with this layout.
            unsafe { free_zeroed(this.words, layout, words) };
        }
    }
}

#[cfg(not(loom))]
fn zeroed(layout: Layout, _words: usize) -> *mut AtomicU64 {
    // SAFETY: a rectangle has words. All bits 0 are atomic words of 0.
    unsafe { alloc_zeroed(layout).cast() }
}
#[cfg(not(loom))]
unsafe fn free_zeroed(memory: *mut AtomicU64, layout: Layout, _words: usize) {
    // SAFETY: promised by the caller.
    unsafe { dealloc(memory.cast(), layout) };
}
#[cfg(loom)]
fn zeroed(_: Layout, words: usize) -> *mut AtomicU64 {
    let all: Box<[AtomicU64]> = (0..words).map(|_| AtomicU64::new(0)).collect();
    Box::into_raw(all).cast()
}
#[cfg(loom)]
unsafe fn free_zeroed(memory: *mut AtomicU64, _: Layout, words: usize) {
    let all = std::ptr::slice_from_raw_parts_mut(memory, words);
    // SAFETY: promised by the caller.
    drop(unsafe { Box::from_raw(all) });
}

impl Drop for Set {
    fn drop(&mut self) {
        // Relaxed: nobody else has this any more.
        let mut next = self.first.load(Ordering::Relaxed);
        loop {
            // SAFETY: a link of this set, which nobody has any more; each is followed before what it leads to is freed.
            unsafe {
                match Linked::of(next) {
                    Linked::Nothing => break,
                    Linked::Trie(_) => {
                        free_trie(next);
                        break;
                    }
                    Linked::Rectangle(chained) => {
                        let this = next;
                        next = chained.next.load(Ordering::Relaxed);
                        Chained::free(this);
                    }
                }
            }
        }
    }
}
