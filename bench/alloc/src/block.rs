//! A block of C memory that knows what must be in it.
//!
//! A block carries a stamp at both ends, made from its identity. [`Block::free`] and [`Block::resize`] look whether it
//! is still there, so an allocator that hands memory out twice, or loses the content in `realloc`, is found
//! by every workload. Blocks are used by one thread at a time and may be passed on.

use crate::calls;
use std::ptr::NonNull;

/// Smallest block that [`Block::into_raw`] takes: identity, size, and the stamp at the end.
pub const MIN_RAW: usize = 24;

/// See the module text. A block that is dropped is lost to the allocator (as `ManuallyDrop` would be), so workloads
/// free every one.
#[must_use]
#[derive(Debug)]
pub struct Block {
    start: NonNull<u8>,
    size: usize,
    id: u64,
}

// SAFETY: a block is the only handle to its memory, and C allocators take blocks back from any thread.
unsafe impl Send for Block {}

/// Ends the program: the content of memory is not what it must be.
#[cold]
fn corrupt(what: &str, size: usize) -> ! {
    println!("error: corrupt memory: {what} of a block of {size} bytes");
    std::process::abort();
}

/// Ends the program: the allocator has no memory.
#[cold]
fn exhausted(size: usize) -> ! {
    println!("error: no memory for {size} bytes");
    std::process::abort();
}

impl Block {
    /// A stamped block of `size` bytes (of 1 if 0) from `malloc`.
    #[inline]
    pub fn new(size: usize, id: u64) -> Block {
        Block::stamped(calls::malloc(size.max(1)), size.max(1), id)
    }

    /// As [`Block::new`], from `calloc`; the first and last bytes must be 0, and one in each 4 KiB.
    #[inline]
    pub fn zeroed(size: usize, id: u64) -> Block {
        let p = calls::calloc(1, size.max(1));
        if !p.is_null() {
            for at in (0..size).step_by(4096).chain([size.max(1) - 1]) {
                // SAFETY: inside of the block.
                if unsafe { p.add(at).read() } != 0 {
                    corrupt("calloc: not zero", size);
                }
            }
        }
        Block::stamped(p, size.max(1), id)
    }

    /// As [`Block::new`], from `posix_memalign`; the address must be aligned so.
    #[inline]
    pub fn aligned(align: usize, size: usize, id: u64) -> Block {
        let (_, p) = calls::posix_memalign(align, size.max(1), std::ptr::null_mut());
        if p.addr() % align != 0 {
            corrupt("alignment", size);
        }
        Block::stamped(p, size.max(1), id)
    }

    #[inline]
    fn stamped(p: *mut u8, size: usize, id: u64) -> Block {
        let Some(start) = NonNull::new(p) else {
            exhausted(size)
        };
        let block = Block { start, size, id };
        block.stamp();
        block
    }

    /// Bytes that were asked for.
    #[inline]
    pub fn size(&self) -> usize {
        self.size
    }

    #[inline]
    fn stamp(&self) {
        let p = self.start.as_ptr();
        if self.size >= 8 {
            // SAFETY: eight bytes at either end are inside of the block; they may be the same ones, or overlap, and
            // `intact` then expects the later write.
            unsafe {
                p.cast::<u64>().write_unaligned(self.id);
                if self.size >= 16 {
                    p.add(self.size - 8).cast::<u64>().write_unaligned(!self.id);
                }
            }
        } else {
            // SAFETY: a block has at least one byte.
            unsafe { p.write(self.id as u8) };
        }
    }

    /// Whether the stamp is what it was.
    #[inline]
    fn intact(&self) -> bool {
        let p = self.start.as_ptr();
        // SAFETY: the same places as in `stamp`.
        unsafe {
            if self.size >= 16 {
                p.cast::<u64>().read_unaligned() == self.id
                    && p.add(self.size - 8).cast::<u64>().read_unaligned() == !self.id
            } else if self.size >= 8 {
                p.cast::<u64>().read_unaligned() == self.id
            } else {
                p.read() == self.id as u8
            }
        }
    }

    /// Writes to every page of the block, and to nothing of the stamp.
    pub fn touch(&self) {
        for at in (4096..self.size.saturating_sub(8)).step_by(4096) {
            // SAFETY: inside of the block.
            unsafe { self.start.as_ptr().add(at).write(at as u8) };
        }
    }

    /// Fills `from..to` (less than the last 8 bytes) as a program that appends to a buffer does.
    #[inline]
    pub fn append(&self, from: usize, to: usize) {
        debug_assert!(from >= 8 && to + 8 <= self.size);
        // SAFETY: the range is inside of the block.
        unsafe {
            self.start
                .as_ptr()
                .add(from)
                .write_bytes(self.id as u8, to - from)
        };
    }

    /// Whether `from..to`, as written by [`Block::append`], has kept its first and last byte.
    pub fn appended_intact(&self, from: usize, to: usize) -> bool {
        // SAFETY: as in `append`.
        unsafe {
            self.start.as_ptr().add(from).read() == self.id as u8
                && self.start.as_ptr().add(to - 1).read() == self.id as u8
        }
    }

    /// Adds one to a byte in the middle `times` times, each time in memory.
    pub fn write_often(&self, times: usize) {
        // SAFETY: inside of the block.
        let p = unsafe { self.start.as_ptr().add(self.size / 2) };
        for n in 0..times {
            // SAFETY: as above; volatile, so that each write happens.
            unsafe { p.write_volatile(p.read_volatile().wrapping_add(n as u8)) };
        }
        self.stamp();
    }

    /// The same block with another size, by `realloc`, and a new stamp.
    #[inline]
    pub fn resize(self, size: usize) -> Block {
        if !self.intact() {
            corrupt("content", self.size);
        }
        let size = size.max(1);
        // SAFETY: the block is live and `self` is used up.
        let p = unsafe { calls::realloc(self.start.as_ptr(), size) };
        let Some(start) = NonNull::new(p) else {
            exhausted(size)
        };
        if size >= 16 && self.size >= 16 {
            // SAFETY: eight bytes are inside of either block.
            if unsafe { p.cast::<u64>().read_unaligned() } != self.id {
                corrupt("realloc: content", size);
            }
            if size >= self.size {
                // SAFETY: the old end is inside of the larger block.
                let end = unsafe { p.add(self.size - 8).cast::<u64>().read_unaligned() };
                if end != !self.id {
                    corrupt("realloc: end of content", size);
                }
            }
        }
        let block = Block {
            start,
            size,
            id: self.id,
        };
        block.stamp();
        block
    }

    /// Frees the block after a look at its stamp; its identity, for sums that workloads print.
    #[inline]
    pub fn free(self) -> u64 {
        if !self.intact() {
            corrupt("content", self.size);
        }
        // SAFETY: the block is live and `self` is used up.
        unsafe { calls::free(self.start.as_ptr()) };
        self.id
    }

    /// The bare pointer; the block says itself how large it is. At least [`MIN_RAW`] bytes.
    #[inline]
    pub fn into_raw(self) -> NonNull<u8> {
        assert!(self.size >= MIN_RAW);
        // SAFETY: bytes 8..16 are inside of the block and outside of the stamp.
        unsafe {
            self.start
                .as_ptr()
                .add(8)
                .cast::<usize>()
                .write_unaligned(self.size)
        };
        self.start
    }

    /// The block again.
    ///
    /// # Safety
    /// `start` is from [`Block::into_raw`], once, and that call happened before this one.
    #[inline]
    pub unsafe fn from_raw(start: NonNull<u8>) -> Block {
        // SAFETY: `into_raw` wrote the size, `stamp` the identity.
        let (id, size) = unsafe {
            (
                start.as_ptr().cast::<u64>().read_unaligned(),
                start.as_ptr().add(8).cast::<usize>().read_unaligned(),
            )
        };
        Block { start, size, id }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_keep_their_stamp() {
        for size in (1..100).chain([4096, 100_000]) {
            let id = 0x0123_4567_89ab_cdef ^ size as u64;
            let block = Block::new(size, id);
            assert!(block.intact());
            block.touch();
            assert!(block.intact());
            assert_eq!(block.resize(size * 2).resize(size / 2 + 1).free(), id);
            assert_eq!(Block::zeroed(size, id).free(), id);
            assert_eq!(Block::aligned(64, size, id).free(), id);
        }
    }

    #[test]
    fn a_changed_byte_is_noticed() {
        for (size, at) in [(1, 0), (8, 3), (16, 15), (40, 0), (40, 39)] {
            let block = Block::new(size, 7);
            // SAFETY: inside of the block.
            unsafe { *block.start.as_ptr().add(at) ^= 1 };
            assert!(!block.intact(), "byte {at} of {size}");
            block.stamp();
            block.free();
        }
    }

    #[test]
    fn raw_blocks_come_back() {
        let raw = Block::new(30, 9).into_raw();
        // SAFETY: from into_raw, once.
        let block = unsafe { Block::from_raw(raw) };
        assert_eq!((block.size(), block.free()), (30, 9));
    }
}
