//! The default allocator: pages of one type each, for one thread.
//!
//! A page (paper, section III) holds structures of a single type, one beside the other. The first page of a
//! type is small and later ones are larger, so a thread with a few tables stays small, and one with many has huge pages. A type has the unused
//! rest of its newest page and a chain of freed structures; both operations take a few instructions.
//! Arrays of buckets are of any size and come from a [`BuddyPool`].
//!
//! Differs from the paper in: a page has no header and no count of structures in use, so it is never given
//! to another type; pages go back to the system all together, in [`StructAlloc::release_all`] or when the
//! allocator is dropped. In exchange nothing is touched in a page but the structures in use.
//!
//! Invariants, for each type: structures handed out = `live` + length of the chain of free ones;
//! `bump ≤ end`, both in the newest page or null. Debug builds fill a freed structure with [`POISON`].

use super::buddy::BuddyPool;
use super::os::{self, Mapping};
use super::{StructAlloc, StructType};
use std::ptr::{NonNull, null_mut};

/// What the bytes of a freed structure are set to in debug builds (except for its first word).
pub const POISON: u8 = 0xa5;

/// A new page for a type that has `held` bytes in pages, and its size.
fn map_page(held: usize) -> (Mapping, usize) {
    const KIB: usize = 1 << 10;
    let bytes = if cfg!(any(test, miri)) || held < 16 * KIB {
        os::PAGE
    } else if held < 256 * KIB {
        64 * KIB
    } else if held < 4096 * KIB {
        1024 * KIB
    } else {
        return (os::map_huge(os::HUGE), os::HUGE);
    };
    (os::map(bytes, os::PAGE), bytes)
}

/// Memory of one type.
struct Pool {
    /// Chain of freed structures, linked through their first word.
    free: *mut u8,
    /// Unused rest of the newest page.
    bump: *mut u8,
    end: *mut u8,
    /// Structures in use.
    live: usize,
    /// Bytes in pages of this type.
    held: usize,
}

impl Pool {
    const EMPTY: Pool = Pool {
        free: null_mut(),
        bump: null_mut(),
        end: null_mut(),
        live: 0,
        held: 0,
    };
}

/// An allocator of typed pages; see the module text.
pub struct PageAlloc {
    pools: [Pool; StructType::COUNT],
    buckets: BuddyPool,
    /// Pages of all types.
    pages: Vec<Mapping>,
}

// SAFETY: the raw pointers are into memory that the allocator owns alone, and are followed only through `&mut self`.
unsafe impl Send for PageAlloc {}

impl Default for PageAlloc {
    fn default() -> Self {
        PageAlloc::new()
    }
}

impl PageAlloc {
    /// An allocator without any page.
    pub const fn new() -> PageAlloc {
        PageAlloc {
            pools: [Pool::EMPTY; StructType::COUNT],
            buckets: BuddyPool::new(),
            pages: Vec::new(),
        }
    }

    #[cold]
    #[inline(never)]
    fn new_page(&mut self, ty: StructType) {
        let pool = &mut self.pools[ty as usize];
        let (page, bytes) = map_page(pool.held);
        pool.bump = page.start().as_ptr();
        // SAFETY: the page has `bytes` bytes; what does not hold a whole structure at its end stays unused.
        pool.end = unsafe { pool.bump.add(bytes - bytes % ty.size()) };
        pool.held += bytes;
        self.pages.push(page);
    }
}

impl StructAlloc for PageAlloc {
    #[inline]
    fn alloc(&mut self, ty: StructType) -> NonNull<u8> {
        let mut pool = &mut self.pools[ty as usize];
        let mut p = pool.free;
        if !p.is_null() {
            // SAFETY: a free structure holds the pointer to the next one in its first word.
            pool.free = unsafe { p.cast::<*mut u8>().read() };
        } else {
            if pool.bump == pool.end {
                self.new_page(ty);
                pool = &mut self.pools[ty as usize];
            }
            p = pool.bump;
            // SAFETY: bump < end, and the distance is a multiple of the size.
            pool.bump = unsafe { p.add(ty.size()) };
        }
        pool.live += 1;
        // SAFETY: either branch leaves a pointer into a page.
        unsafe { NonNull::new_unchecked(p) }
    }

    #[inline]
    unsafe fn free(&mut self, ty: StructType, p: NonNull<u8>) {
        let pool = &mut self.pools[ty as usize];
        debug_assert!(pool.live > 0, "{ty:?} freed twice");
        if cfg!(debug_assertions) {
            // SAFETY: the caller hands back a whole structure.
            unsafe { p.write_bytes(POISON, ty.size()) };
        }
        // SAFETY: as above; every structure is larger than a pointer and aligned for one.
        unsafe { p.cast::<*mut u8>().write(pool.free) };
        pool.free = p.as_ptr();
        pool.live -= 1;
    }

    fn alloc_buckets(&mut self, n: usize) -> NonNull<*mut u8> {
        let bytes = n * size_of::<*mut u8>();
        let p = self.buckets.alloc(bytes);
        // SAFETY: the block has this many bytes; zero is the null pointer.
        unsafe { p.write_bytes(0, bytes) };
        p.cast()
    }

    unsafe fn free_buckets(&mut self, n: usize, p: NonNull<*mut u8>) {
        // SAFETY: passed on to the caller.
        unsafe { self.buckets.free(p.cast(), n * size_of::<*mut u8>()) };
    }

    fn bytes_in_use(&self) -> usize {
        let structs = StructType::ALL.iter();
        let structs: usize = structs.map(|&ty| self.count(ty) * ty.size()).sum();
        structs + self.buckets.in_use()
    }

    fn bytes_held(&self) -> usize {
        self.pools.iter().map(|p| p.held).sum::<usize>() + self.buckets.held()
    }

    fn count(&self, ty: StructType) -> usize {
        self.pools[ty as usize].live
    }

    unsafe fn release_all(&mut self) {
        self.pools = [Pool::EMPTY; StructType::COUNT];
        self.buckets.release_all();
        self.pages = Vec::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_are_reused_and_counted() {
        let mut a = PageAlloc::new();
        for ty in StructType::ALL {
            let n = if cfg!(miri) { 300 } else { 5000 };
            let mut all: Vec<_> = (0..n).map(|_| a.alloc(ty)).collect();
            assert_eq!(a.count(ty), n);
            for p in &all {
                let align = 1 << ty.size().trailing_zeros();
                assert_eq!(p.addr().get() % align, 0, "{ty:?}");
                // SAFETY: just allocated with this size.
                unsafe { p.write_bytes(0xff, ty.size()) };
            }
            all.sort();
            assert!(all.windows(2).all(|w| {
                // SAFETY: both are structures in use.
                w[1].addr().get() - w[0].addr().get() >= ty.size()
            }));
            let held = a.bytes_held();
            for &p in &all {
                // SAFETY: each is freed once.
                unsafe { a.free(ty, p) };
            }
            assert_eq!(a.count(ty), 0);
            let mut again: Vec<_> = (0..n).map(|_| a.alloc(ty)).collect();
            again.sort();
            assert_eq!(all, again);
            assert_eq!(a.bytes_held(), held);
        }
        // SAFETY: nothing is used after this.
        unsafe { a.release_all() };
        assert_eq!((a.bytes_in_use(), a.bytes_held()), (0, 0));
    }

    #[test]
    fn an_allocator_starts_small() {
        let mut a = PageAlloc::new();
        assert_eq!(a.bytes_held(), 0);
        a.alloc(StructType::AnswerNode);
        assert_eq!(a.bytes_held(), 4096);
        assert_eq!(a.bytes_in_use(), StructType::AnswerNode.size());
    }

    #[test]
    fn buckets_are_null() {
        let mut a = PageAlloc::new();
        for _ in 0..2 {
            let p = a.alloc_buckets(64);
            // SAFETY: 64 initialised pointers.
            let all = unsafe { std::slice::from_raw_parts_mut(p.as_ptr(), 64) };
            assert!(all.iter().all(|p| p.is_null()));
            all.fill(NonNull::dangling().as_ptr());
            // SAFETY: freed once.
            unsafe { a.free_buckets(64, p) };
        }
        assert_eq!(a.bytes_in_use(), 0);
    }
}
