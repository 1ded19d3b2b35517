//! The rows of a joint table: for each member one log, to which it alone appends.
//!
//! ```text
//! chunk k of a log: FIRST << k rows; row i: chunk k = ⌊log2(i / FIRST + 1)⌋, place i − FIRST · (2^k − 1)
//! a row's tokens stand one after the other, of 32 bits each, sign-extended, or 64 if the table is wide
//! prepared: written at `committed`, not counted yet; the next row overwrites it unless it is committed
//! ```
//!
//! A member may prepare a row, and let others compare with it (by [`super::set`], whose slot publishes it), before it commits it: it does so as soon as the set has it.

use super::{MEMBERS, are_narrow};
use crate::rows::MOST_OF_ROW;
use crate::sync::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use samite_term::growth::{self, Refused};
use samite_term::walked::each_in_words;
use samite_term::{Atom, HoldsAtoms, common};
use std::alloc::{Layout, alloc, dealloc};
use std::ptr::null_mut;

/// Rows of the first chunk.
const FIRST: usize = if cfg!(any(test, miri, loom)) { 2 } else { 32 };
/// Chunks at most.
const CHUNKS: usize = if cfg!(loom) { 3 } else { 30 };

/// See the module text.
struct Log {
    chunks: [AtomicPtr<u32>; CHUNKS],
    committed: AtomicUsize,
}

/// The rows of a table.
pub struct Rows {
    logs: [AtomicPtr<Log>; MEMBERS],
    /// Tokens of a row; 0 if there never was one.
    width: AtomicU64,
    wide: bool,
    bytes: AtomicUsize,
}

/// Rows that stand one behind the other, and that the caller has been told of; to be used as long as the table is there.
#[derive(Clone, Copy)]
pub struct Run {
    at: *const u32,
    left: usize,
    width: usize,
    /// Halves of words to the next row.
    step: usize,
    wide: bool,
}

// SAFETY: what it refers to does not change, and is there as long as it is used.
unsafe impl Send for Run {}

impl Run {
    /// No rows.
    pub const NONE: Run = Run {
        at: std::ptr::null(),
        left: 0,
        width: 0,
        step: 0,
        wide: false,
    };
    /// How many there are.
    #[inline]
    pub fn left(&self) -> usize {
        self.left
    }
    /// Tokens of each.
    #[inline]
    pub fn width(&self) -> usize {
        self.width
    }
    /// Token `k` of the first one.
    ///
    /// # Safety
    /// There is one, and its table.
    #[inline]
    pub unsafe fn token(&self, k: usize) -> u64 {
        debug_assert!(self.left > 0 && k < self.width);
        // SAFETY: promised by the caller.
        unsafe {
            match self.wide {
                true => self.at.cast::<u64>().add(k).read(),
                false => self.at.add(k).read() as i32 as i64 as u64,
            }
        }
    }
    /// The first one is none of them any more.
    #[inline]
    pub fn next(&mut self) {
        self.at = self.at.wrapping_add(self.step);
        self.left -= 1;
    }
}

/// Chunk and place of a row.
#[inline]
fn place(i: usize) -> (usize, usize) {
    let k = (i / FIRST + 1).ilog2() as usize;
    (k, i - FIRST * ((1 << k) - 1))
}

impl Rows {
    pub(super) fn new(width: usize, wide: bool) -> Rows {
        Rows {
            logs: std::array::from_fn(|_| AtomicPtr::new(null_mut())),
            width: AtomicU64::new(width as u64),
            wide,
            bytes: AtomicUsize::new(0),
        }
    }

    /// Tokens of a row.
    #[inline]
    pub fn width(&self) -> usize {
        // Relaxed: it changes once, by whoever adds the first row, before anybody is told of it.
        self.width.load(Ordering::Relaxed) as usize
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        // Relaxed: a count.
        self.bytes.load(Ordering::Relaxed)
    }

    /// Whether a row may be one of this table, which decides how long those to come are if it is the first one.
    #[inline]
    pub(super) fn takes(&self, tokens: &[u64]) -> bool {
        let width = self.width();
        (width == tokens.len() || width == 0 && self.decide(tokens.len()))
            && (self.wide || are_narrow(tokens))
    }
    #[cold]
    fn decide(&self, width: usize) -> bool {
        let fits = (1..=MOST_OF_ROW).contains(&width);
        let decided = || {
            // Relaxed: see `width`.
            let (new, relaxed) = (width as u64, Ordering::Relaxed);
            match self.width.compare_exchange(0, new, relaxed, relaxed) {
                Ok(_) => true,
                Err(other) => other == new,
            }
        };
        fits && decided()
    }

    pub(super) fn bytes_of_row(&self) -> usize {
        self.width() * if self.wide { 8 } else { 4 }
    }
    fn layout(&self, chunk: usize) -> Layout {
        let bytes = (FIRST << chunk).saturating_mul(self.bytes_of_row());
        Layout::from_size_align(bytes.max(8), 8).unwrap_or(Layout::new::<u64>())
    }

    #[inline]
    fn log(&self, log: usize) -> Option<&Log> {
        // Acquire: who finds a log finds what is in it.
        let log = self.logs[log].load(Ordering::Acquire);
        // SAFETY: null, or a log that stays as long as this.
        unsafe { log.as_ref() }
    }

    /// So many rows of a log are committed; of another member's, or when others write it no more: a snapshot.
    #[inline]
    pub fn committed(&self, log: usize) -> usize {
        // Relaxed: who reads rows has been told of them.
        (self.log(log)).map_or(0, |l| l.committed.load(Ordering::Relaxed))
    }

    /// All rows.
    pub fn count(&self) -> usize {
        (0..MEMBERS).map(|log| self.committed(log)).sum()
    }

    /// Where a row is.
    #[inline]
    fn at(&self, log: usize, i: usize) -> *mut u32 {
        let (k, place) = place(i);
        let Some(log) = self.log(log) else {
            return null_mut();
        };
        // Relaxed: who has been told of a row has been told of its chunk.
        let chunk = log.chunks[k].load(Ordering::Relaxed);
        debug_assert!(!chunk.is_null(), "no such row");
        let elements = place * self.width();
        if self.wide {
            // (Elements of 64 bits.)
            chunk.wrapping_add(2 * elements)
        } else {
            chunk.wrapping_add(elements)
        }
    }

    /// Token `k` of a row that the caller has been told of.
    #[inline]
    pub fn token(&self, log: usize, i: usize, k: usize) -> u64 {
        debug_assert!(k < self.width());
        let at = self.at(log, i);
        // SAFETY: a row that is there, and does not change.
        unsafe {
            match self.wide {
                true => at.cast::<u64>().add(k).read(),
                false => at.add(k).read() as i32 as i64 as u64,
            }
        }
    }

    /// The rows from `from` on, up to `to` at most, that stand one behind the other.
    pub fn run(&self, log: usize, from: usize, to: usize) -> Run {
        let (k, at) = place(from);
        let width = self.width();
        Run {
            at: self.at(log, from),
            left: ((FIRST << k) - at).min(to - from),
            width,
            step: width * if self.wide { 2 } else { 1 },
            wide: self.wide,
        }
    }

    /// Its tokens, behind what is in `out`.
    pub fn tokens(&self, log: usize, i: usize, out: &mut Vec<u64>) -> Result<(), Refused> {
        growth::have(out, self.width())?;
        out.extend((0..self.width()).map(|k| self.token(log, i, k)));
        Ok(())
    }

    /// Whether it has these.
    #[inline]
    pub(super) fn is(&self, log: usize, i: usize, tokens: &[u64]) -> bool {
        (tokens.iter().enumerate()).all(|(k, &t)| self.token(log, i, k) == t)
    }

    /// Makes room for one more row in a log. Its member only.
    #[inline]
    pub(super) fn have(&self, log: usize) -> Result<(), Refused> {
        match self.log(log) {
            Some(l) => {
                // Relaxed: the member's own.
                let (k, _) = place(l.committed.load(Ordering::Relaxed));
                if k < CHUNKS && !l.chunks[k].load(Ordering::Relaxed).is_null() {
                    return Ok(());
                }
                self.grow(l, k)
            }
            None => {
                self.begin(log)?;
                self.have(log)
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn begin(&self, log: usize) -> Result<(), Refused> {
        let bytes = size_of::<Log>();
        if !common::may_take(bytes, 0) {
            return Err(Refused);
        }
        let new = Box::new(Log {
            chunks: std::array::from_fn(|_| AtomicPtr::new(null_mut())),
            committed: AtomicUsize::new(0),
        });
        self.charge(bytes);
        // Release: pairs with `log`.
        self.logs[log].store(Box::into_raw(new), Ordering::Release);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn grow(&self, log: &Log, k: usize) -> Result<(), Refused> {
        let layout = self.layout(k);
        if k >= CHUNKS || !common::may_take(layout.size(), 0) {
            return Err(Refused);
        }
        // SAFETY: the size is not 0.
        let chunk = unsafe { alloc(layout) };
        if chunk.is_null() {
            return Err(Refused);
        }
        self.charge(layout.size());
        // Relaxed: whoever reads a row of it is told of that row later.
        log.chunks[k].store(chunk.cast(), Ordering::Relaxed);
        Ok(())
    }

    fn charge(&self, bytes: usize) {
        common::charge(bytes);
        // Relaxed: a count.
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Writes a row behind the committed ones, for which there is room; its number. Its member only.
    #[inline]
    pub(super) fn prepare(&self, log: usize, tokens: &[u64]) -> usize {
        let i = self.committed(log);
        let at = self.at(log, i);
        for (k, &t) in tokens.iter().enumerate() {
            // SAFETY: there is room, and nobody reads what is not committed but by the set, which then has it.
            unsafe {
                match self.wide {
                    true => at.cast::<u64>().add(k).write(t),
                    false => at.add(k).write(t as u32),
                }
            }
        }
        i
    }

    /// The prepared row is one.
    #[inline]
    pub(super) fn commit(&self, log: usize) {
        if let Some(log) = self.log(log) {
            // Relaxed: the member tells others under a lock. No other writes it.
            let committed = log.committed.load(Ordering::Relaxed);
            log.committed.store(committed + 1, Ordering::Relaxed);
        }
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        for log in &self.logs {
            // Relaxed: nobody else has this any more.
            let log = log.load(Ordering::Relaxed);
            if log.is_null() {
                continue;
            }
            // SAFETY: made by `begin`, and dropped here only.
            let log = unsafe { Box::from_raw(log) };
            for (k, chunk) in log.chunks.iter().enumerate() {
                let chunk = chunk.load(Ordering::Relaxed);
                if !chunk.is_null() {
                    // SAFETY: made by `grow`, with this layout: the width has not changed since.
                    unsafe { dealloc(chunk.cast(), self.layout(k)) };
                }
            }
        }
        common::release(self.bytes());
    }
}

// SAFETY: rows that were told of do not change; what is not is one member's.
unsafe impl Send for Rows {}
// SAFETY: as above.
unsafe impl Sync for Rows {}

impl Rows {
    /// Calls `f` with the atoms of the first `told` rows of a log.
    pub fn each_atom_of(&self, log: usize, told: usize, f: &mut dyn FnMut(Atom)) {
        let mut row = [0; MOST_OF_ROW];
        let width = self.width();
        for i in 0..told {
            for (k, t) in row[..width].iter_mut().enumerate() {
                *t = self.token(log, i, k);
            }
            each_in_words(&row[..width], f);
        }
    }
}

/// Of a table that is complete.
impl HoldsAtoms for Rows {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        for log in 0..MEMBERS {
            self.each_atom_of(log, self.committed(log), f);
        }
    }
}

impl std::fmt::Debug for Rows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} joint rows", self.count())
    }
}
