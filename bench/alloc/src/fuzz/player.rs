//! One thread's random operations, each checked against what C and glibc's manual say.
//!
//! Invariant: every block in `live` is entered in the oracle, and holds its pattern.

use crate::heap::Heap;
use crate::oracle::Oracle;
use crate::pattern;
use samite_bench_alloc::rng::Rng;
use samite_bench_alloc::{calls, process};
use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

/// A value of `errno` that no call sets.
const UNTOUCHED: i32 = 4321;

/// A block that is allocated.
pub struct Live {
    p: *mut u8,
    size: usize,
    /// Alignment that was asked for, 0 if none was.
    align: usize,
    id: u64,
}

// SAFETY: whoever has the value is the only user of the block.
unsafe impl Send for Live {}

/// What the players of one game share.
pub struct Game<'a> {
    pub heap: &'a dyn Heap,
    pub oracle: Oracle,
    /// Blocks on their way to another thread.
    pub post: Vec<Mutex<Option<Live>>>,
    /// Whether what glibc promises beyond C and POSIX is checked too.
    pub strict: bool,
    /// Bytes that one player keeps allocated at most, about.
    pub budget: usize,
}

impl<'a> Game<'a> {
    pub fn new(heap: &'a dyn Heap, strict: bool, budget: usize) -> Game<'a> {
        Game {
            heap,
            oracle: Oracle::new(),
            post: (0..64).map(|_| Mutex::new(None)).collect(),
            strict,
            budget,
        }
    }

    /// Frees what is still on its way.
    pub fn finish(&self) -> Result<(), String> {
        let mut last = Player::new(self, Rng::new(0, 0));
        for slot in &self.post {
            let block = slot.lock().unwrap_or_else(PoisonError::into_inner).take();
            last.live.extend(block);
        }
        last.finish()?;
        match self.oracle.len() {
            0 => Ok(()),
            n => Err(format!("{n} intervals are left in the oracle")),
        }
    }
}

/// One thread's part; can be handed to another thread between operations.
pub struct Player<'a> {
    game: &'a Game<'a>,
    rng: Rng,
    live: Vec<Live>,
    bytes: usize,
    /// How full, in 256ths of the budget, memory is to get in the present phase.
    goal: usize,
    /// Stands for all blocks that were admitted so far, in order.
    digest: u64,
}

impl<'a> Player<'a> {
    pub fn new(game: &'a Game<'a>, rng: Rng) -> Player<'a> {
        Player {
            game,
            rng,
            live: Vec::new(),
            bytes: 0,
            goal: 128,
            digest: 0,
        }
    }

    /// Checks and frees everything; returns what stands for all blocks there were.
    pub fn finish(mut self) -> Result<u64, String> {
        while let Some(block) = self.live.pop() {
            self.release(block)?;
        }
        Ok(self.digest)
    }

    /// One random operation.
    pub fn step(&mut self) -> Result<(), String> {
        if self.rng.one_in(5000) {
            // Some phases free nearly all.
            self.goal = if self.rng.one_in(4) {
                0
            } else {
                self.rng.below(256)
            };
        }
        let full = self.bytes > self.game.budget / 256 * self.goal || self.live.len() > 200_000;
        let what = if full {
            self.rng.range(50, 99)
        } else {
            self.rng.below(100)
        };
        match what {
            0..34 => self.malloc(),
            34..42 => self.calloc(),
            42..50 => self.aligned(),
            50..65 => self.realloc(),
            65..88 => self.free(),
            88..92 => self.exchange(),
            92..95 => self.usable(),
            95 => self.empty(),
            96 => self.refused(),
            97 => self.invalid_alignment(),
            98 => self.null(),
            _ => self.look(),
        }
    }

    /// A size as programs ask for, and the borders of size classes.
    fn size(&mut self) -> usize {
        match self.rng.below(100) {
            0..40 => self.rng.range(1, 128),
            40..70 => self.rng.log_range(8, 1024),
            70..85 => self.rng.log_range(1024, 1 << 15),
            85..93 => self.rng.log_range(1 << 12, 1 << 18),
            93..95 => self.rng.log_range(1 << 18, 1 << 22),
            _ => {
                // Around powers of two and the classes between them.
                let bits = self.rng.range(4, 18);
                let eighth = (1usize << bits) / 8 * self.rng.below(8);
                ((1 << bits) + eighth + self.rng.below(5))
                    .saturating_sub(2)
                    .max(1)
            }
        }
    }

    /// Takes a new block into the game: not null, aligned, disjoint from all others; then writes to all of it.
    fn admit(&mut self, call: &str, p: *mut u8, size: usize, align: usize) -> Result<(), String> {
        if p.is_null() {
            return Err(format!(
                "{call}: null for {size} bytes, errno {}",
                calls::errno()
            ));
        }
        // C: suitable for any type that fits into the size.
        let natural = 16.min(size.next_power_of_two()).max(8);
        let wanted = align.max(natural);
        if !p.addr().is_multiple_of(wanted) {
            return Err(format!(
                "{call}: {p:p} for {size} bytes is not aligned to {wanted}"
            ));
        }
        self.game
            .oracle
            .enter(p.addr(), size)
            .map_err(|e| format!("{call}: {e}"))?;
        let id = self.rng.next_u64();
        // SAFETY: the block has this size and is this player's.
        unsafe { pattern::write(p, size, id) };
        self.digest = self.digest.rotate_left(7) ^ id.wrapping_mul(size as u64 | 1);
        self.bytes += size;
        self.live.push(Live { p, size, align, id });
        Ok(())
    }

    fn malloc(&mut self) -> Result<(), String> {
        let size = self.size();
        calls::set_errno(UNTOUCHED);
        let p = self.game.heap.malloc(size);
        self.admit("malloc", p, size, 0)
    }

    fn calloc(&mut self) -> Result<(), String> {
        let (size, n) = (self.size(), self.rng.range(1, 4));
        let p = self.game.heap.calloc(n, size);
        let size = n * size;
        if !p.is_null() {
            // SAFETY: a calloc block is initialised.
            if let Some(at) = unsafe { pattern::not_zero(p, size) } {
                return Err(format!("calloc: byte {at} of {size} is not zero"));
            }
        }
        self.admit("calloc", p, size, 0)
    }

    fn aligned(&mut self) -> Result<(), String> {
        let size = self.size();
        // Up to 4 KiB mostly, up to 4 MiB at times.
        let bits = if self.rng.one_in(20) {
            self.rng.range(3, 22)
        } else {
            self.rng.range(3, 12)
        };
        let align = 1usize << bits;
        let heap = self.game.heap;
        match self.rng.below(4) {
            0 => {
                let (result, p) = heap.posix_memalign(align, size, null_mut());
                if result != 0 {
                    return Err(format!("posix_memalign({align}, {size}): {result}"));
                }
                self.admit("posix_memalign", p, size, align)
            }
            1 => {
                // C11 wanted a multiple of the alignment, and a peer may insist.
                let size = if self.game.strict {
                    size
                } else {
                    size.next_multiple_of(align)
                };
                self.admit(
                    "aligned_alloc",
                    heap.aligned_alloc(align, size),
                    size,
                    align,
                )
            }
            2 => self.admit("memalign", heap.memalign(align, size), size, align),
            _ => {
                let whole = self.rng.one_in(2);
                let page = process::page_size();
                let size = if whole {
                    size.next_multiple_of(page)
                } else {
                    size
                };
                match heap.valloc(whole, size) {
                    Some(p) => self.admit("valloc", p, size, page),
                    None => Ok(()),
                }
            }
        }
    }

    /// A random block, out of the game.
    fn take(&mut self) -> Option<Live> {
        if self.live.is_empty() {
            return None;
        }
        let at = self.rng.below(self.live.len());
        let block = self.live.swap_remove(at);
        self.bytes -= block.size;
        Some(block)
    }

    /// An error if the pattern of a block is not intact.
    fn intact(block: &Live) -> Result<(), String> {
        // SAFETY: a live block of this size, written by `admit`.
        match unsafe { pattern::check(block.p, block.size, block.size, block.id) } {
            None => Ok(()),
            Some(at) => Err(format!(
                "byte {at} of the block {:p}+{} has changed",
                block.p, block.size
            )),
        }
    }

    fn realloc(&mut self) -> Result<(), String> {
        let size = match self.rng.below(3) {
            0 => self.size(),
            1 => self.live.last().map_or(1, |b| b.size + b.size / 4 + 1),
            _ => self.live.last().map_or(1, |b| b.size / 2 + 1),
        };
        let Some(old) = self.take() else {
            return Ok(());
        };
        Self::intact(&old)?;
        self.game.oracle.leave(old.p.addr(), old.size)?;
        // SAFETY: the block is live and given up.
        let p = unsafe {
            if self.rng.one_in(4) {
                let n = self.rng.range(1, 3);
                self.game.heap.reallocarray(old.p, n, size.div_ceil(n))
            } else {
                self.game.heap.realloc(old.p, size)
            }
        };
        if !p.is_null() {
            // SAFETY: the new block has at least `size` bytes, of which the old content fills the first.
            if let Some(at) = unsafe { pattern::check(p, old.size, size, old.id) } {
                return Err(format!(
                    "realloc from {} to {size}: byte {at} is lost",
                    old.size
                ));
            }
        }
        self.admit("realloc", p, size, 0)
    }

    fn free(&mut self) -> Result<(), String> {
        match self.take() {
            Some(block) => self.release(block),
            None => Ok(()),
        }
    }

    /// Checks and frees a block that is out of `live`.
    fn release(&mut self, block: Live) -> Result<(), String> {
        Self::intact(&block)?;
        self.game.oracle.leave(block.p.addr(), block.size)?;
        calls::set_errno(UNTOUCHED);
        let heap = self.game.heap;
        // SAFETY: the block is live and given up; sizes and alignments are those it was asked for with.
        unsafe {
            match self.rng.below(8) {
                0 if block.align == 0 => heap.free_sized(block.p, block.size),
                1 if block.align != 0 => heap.free_aligned_sized(block.p, block.align, block.size),
                _ => heap.free(block.p),
            }
        }
        if self.game.strict && calls::errno() != UNTOUCHED {
            return Err(format!("free changed errno to {}", calls::errno()));
        }
        Ok(())
    }

    /// Leaves a block for another thread and takes what is there.
    fn exchange(&mut self) -> Result<(), String> {
        let Some(block) = self.take() else {
            return Ok(());
        };
        let slot = &self.game.post[self.rng.below(self.game.post.len())];
        let other = slot
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .replace(block);
        if let Some(other) = other {
            Self::intact(&other)?;
            self.bytes += other.size;
            self.live.push(other);
        }
        Ok(())
    }

    /// Everything that is usable may be used.
    fn usable(&mut self) -> Result<(), String> {
        let Some(mut block) = self.take() else {
            return Ok(());
        };
        let usable = self.game.heap.usable(block.p);
        if usable < block.size {
            return Err(format!(
                "{usable} bytes usable of a block of {}",
                block.size
            ));
        }
        Self::intact(&block)?;
        self.game.oracle.leave(block.p.addr(), block.size)?;
        let entered = self.game.oracle.enter(block.p.addr(), usable);
        entered.map_err(|e| format!("usable size: {e}"))?;
        block.size = usable;
        // SAFETY: the allocator says that all of it is usable.
        unsafe { pattern::write(block.p, usable, block.id) };
        Self::intact(&block)?;
        self.game.oracle.leave(block.p.addr(), usable)?;
        // SAFETY: the block is live and given up; plainly, since it no longer has the size that was asked for.
        unsafe { self.game.heap.free(block.p) };
        Ok(())
    }

    /// Blocks of no bytes have addresses of their own; `realloc` to none frees.
    fn empty(&mut self) -> Result<(), String> {
        let heap = self.game.heap;
        match self.rng.below(3) {
            0 => {
                let (a, b) = (heap.malloc(0), heap.malloc(0));
                if a.is_null() || b.is_null() || a == b {
                    return Err(format!("malloc(0): {a:p} and {b:p}"));
                }
                // SAFETY: both are live and given up.
                unsafe {
                    heap.free(a);
                    heap.free(b);
                }
            }
            1 => {
                let p = heap.calloc(self.rng.below(2), 0);
                if p.is_null() {
                    return Err("calloc of nothing: null".to_owned());
                }
                // SAFETY: live and given up.
                unsafe { heap.free(p) };
            }
            _ => {
                let Some(block) = self.take() else {
                    return Ok(());
                };
                Self::intact(&block)?;
                self.game.oracle.leave(block.p.addr(), block.size)?;
                // SAFETY: live and given up; a result, which C allows, is a block to free.
                unsafe {
                    let p = heap.realloc(block.p, 0);
                    if !p.is_null() {
                        if self.game.strict {
                            return Err("realloc(p, 0) returned a block".to_owned());
                        }
                        heap.free(p);
                    }
                }
            }
        }
        Ok(())
    }

    /// What nobody can have is refused with null and `ENOMEM`, and nothing else changes.
    fn refused(&mut self) -> Result<(), String> {
        let heap = self.game.heap;
        let huge = match self.rng.below(4) {
            0 => usize::MAX,
            1 => usize::MAX - self.rng.below(70_000),
            2 => isize::MAX as usize - self.rng.below(70_000),
            _ => isize::MAX as usize + 1 + self.rng.below(70_000),
        };
        calls::set_errno(UNTOUCHED);
        let block = self.take();
        let old = block.as_ref().map_or(null_mut(), |b| b.p);
        // SAFETY: `old` is null or live; a refused `realloc` leaves it so, and a granted one is an error that ends
        // the game.
        let (call, p) = unsafe {
            match self.rng.below(6) {
                0 => ("malloc", heap.malloc(huge)),
                1 => ("calloc", heap.calloc(huge / 2, 3)),
                2 => (
                    "calloc (overflow)",
                    heap.calloc(1 << 33, (1 << 31) + self.rng.below(9)),
                ),
                3 => ("realloc", heap.realloc(old, huge)),
                4 => ("reallocarray", heap.reallocarray(old, 1 << 33, 1 << 31)),
                _ => ("aligned_alloc", heap.aligned_alloc(64, huge & !63)),
            }
        };
        if !p.is_null() {
            return Err(format!("{call} of {huge:#x} bytes returned {p:p}"));
        }
        if self.game.strict && calls::errno() != libc::ENOMEM {
            return Err(format!(
                "{call}: errno {} in place of ENOMEM",
                calls::errno()
            ));
        }
        if let Some(block) = block {
            Self::intact(&block)?;
            self.bytes += block.size;
            self.live.push(block);
        }
        Ok(())
    }

    /// `posix_memalign` with what is no alignment: `EINVAL`, and the pointer stays.
    fn invalid_alignment(&mut self) -> Result<(), String> {
        let align = [0, 1, 2, 4, 3, 12, 24, 48, 100, 4095, (1 << 20) + 8][self.rng.below(11)];
        let before = &raw mut *self as *mut u8;
        let (result, p) = self.game.heap.posix_memalign(align, 100, before);
        if result != libc::EINVAL || p != before {
            return Err(format!(
                "posix_memalign with alignment {align}: {result}, {p:p}"
            ));
        }
        let (result, p) = self
            .game
            .heap
            .posix_memalign(64, isize::MAX as usize, before);
        if result != libc::ENOMEM || (self.game.strict && p != before) {
            return Err(format!("posix_memalign of too much: {result}, {p:p}"));
        }
        Ok(())
    }

    /// Null is a block of no bytes to every call.
    fn null(&mut self) -> Result<(), String> {
        let heap = self.game.heap;
        calls::set_errno(UNTOUCHED);
        // SAFETY: C allows null.
        unsafe {
            heap.free(null_mut());
            if heap.usable(null_mut()) != 0 {
                return Err("malloc_usable_size(NULL) is not 0".to_owned());
            }
            if calls::errno() != UNTOUCHED {
                return Err("free(NULL) changed errno".to_owned());
            }
            let p = heap.realloc(null_mut(), 0);
            if self.game.strict && p.is_null() {
                return Err("realloc(NULL, 0) is null".to_owned());
            }
            heap.free(p);
            let size = self.size();
            let p = heap.realloc(null_mut(), size);
            self.admit("realloc(NULL)", p, size, 0)
        }
    }

    /// Looks at a block without changing it.
    fn look(&mut self) -> Result<(), String> {
        match self.live.len() {
            0 => Ok(()),
            n => Self::intact(&self.live[self.rng.below(n)]),
        }
    }
}
