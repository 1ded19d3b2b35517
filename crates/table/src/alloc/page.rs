//! The default allocator: pages of one type each, for one thread.
//!
//! A page (paper, section III) holds structures of a single type, one beside the other. The first page of a
//! type is small and later ones are larger, so a thread with a few tables stays small, and one with many has huge pages. A type has the unused
//! rest of its newest page and a chain of freed structures; both operations take a few instructions.
//! Arrays of buckets are of any size and come from a [`BuddyPool`].
//!
//! Differs from the paper in: a page has no header and no count of structures in use, so it is never given
//! to another type; pages go back to the system all together, in [`StructAlloc::release_all`] or when the
//! allocator is dropped, and those that hold nothing when half of all that is held was freed
//! ([`StructAlloc::trim`]): only then somebody counts. In exchange nothing is touched in a page but the structures in use.
//!
//! Invariants, for each type: structures handed out = `live` + length of the chain of free ones;
//! `bump ≤ end`, both in the newest page or null. Debug builds fill a freed structure with [`POISON`].
//! What `trim` costs, a walk over the chains, is less than what freeing cost since the last time, but for a constant factor.

use super::buddy::BuddyPool;
use super::os::{self, Mapping};
use super::{StructAlloc, StructType};
use samite_term::growth;
use std::ptr::{NonNull, null_mut};

/// What the bytes of a freed structure are set to in debug builds (except for its first word).
pub const POISON: u8 = 0xa5;

/// A new page for a type that has `held` bytes in pages.
fn map_page(held: usize) -> Option<Mapping> {
    const KIB: usize = 1 << 10;
    let bytes = if cfg!(any(test, miri)) || held < 16 * KIB {
        os::page()
    } else if held < 256 * KIB {
        64 * KIB
    } else if held < 4096 * KIB {
        1024 * KIB
    } else {
        return os::map_huge(os::HUGE);
    };
    os::map(bytes.max(os::page()), os::page())
}

/// Less than that is not looked through.
const TRIM_LEAST: usize = if cfg!(any(test, miri)) {
    16 << 10
} else {
    1 << 20
};

/// A page of one type.
struct Page {
    memory: Mapping,
    ty: StructType,
    /// Structures that are free, while somebody counts.
    free: usize,
}

impl Page {
    fn start(&self) -> usize {
        self.memory.start().addr().get()
    }
    fn end(&self) -> usize {
        self.start() + self.memory.bytes()
    }
    fn is_empty(&self) -> bool {
        self.free == self.memory.bytes() / self.ty.size()
    }
}

/// The page that an address is in, of pages in the order of their addresses; `near` is one that was just looked at.
fn page_of(pages: &[Page], near: &mut usize, address: usize) -> usize {
    if !(pages[*near].start()..pages[*near].end()).contains(&address) {
        *near = pages.partition_point(|p| p.start() <= address) - 1;
    }
    *near
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
    pages: Vec<Page>,
    /// Bytes of structures and arrays freed since pages were last looked through.
    freed: usize,
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
            freed: 0,
        }
    }

    /// False: there is no memory for it.
    #[cold]
    #[inline(never)]
    fn new_page(&mut self, ty: StructType) -> bool {
        let pool = &mut self.pools[ty as usize];
        if growth::have(&mut self.pages, 1).is_err() {
            return false;
        }
        let Some(memory) = map_page(pool.held) else {
            return false;
        };
        let bytes = memory.bytes();
        pool.bump = memory.start().as_ptr();
        // SAFETY: the page has `bytes` bytes; what does not hold a whole structure at its end stays unused.
        pool.end = unsafe { pool.bump.add(bytes - bytes % ty.size()) };
        pool.held += bytes;
        self.pages.push(Page {
            memory,
            ty,
            free: 0,
        });
        true
    }

    /// Unmaps the pages that hold no structure.
    #[cold]
    #[inline(never)]
    fn unmap_empty_pages(&mut self) {
        let pages = &mut self.pages;
        pages.sort_unstable_by_key(Page::start);
        let mut near = 0;
        for (pool, ty) in self.pools.iter().zip(StructType::ALL) {
            let unused = pool.end.addr() - pool.bump.addr();
            if unused > 0 {
                let newest = page_of(pages, &mut near, pool.bump.addr());
                pages[newest].free = unused / ty.size();
            }
            let mut p = pool.free;
            while !p.is_null() {
                let page = page_of(pages, &mut near, p.addr());
                pages[page].free += 1;
                // SAFETY: a free structure holds the pointer to the next one in its first word.
                p = unsafe { p.cast::<*mut u8>().read() };
            }
        }
        for pool in &mut self.pools {
            let unused = pool.end.addr() - pool.bump.addr();
            if unused > 0 && pages[page_of(pages, &mut near, pool.bump.addr())].is_empty() {
                (pool.bump, pool.end) = (null_mut(), null_mut());
            }
            // The place of the link to the next structure that stays.
            let mut link: *mut *mut u8 = &raw mut pool.free;
            let mut p = pool.free;
            while !p.is_null() {
                // SAFETY: as above.
                let next = unsafe { p.cast::<*mut u8>().read() };
                if !pages[page_of(pages, &mut near, p.addr())].is_empty() {
                    // SAFETY: the start of the chain, or the first word of a free structure that stays.
                    unsafe { *link = p };
                    link = p.cast();
                }
                p = next;
            }
            // SAFETY: as above.
            unsafe { *link = null_mut() };
        }
        let pools = &mut self.pools;
        pages.retain_mut(|page| {
            let stays = !page.is_empty();
            if !stays {
                pools[page.ty as usize].held -= page.memory.bytes();
            }
            page.free = 0;
            stays
        });
    }
}

impl StructAlloc for PageAlloc {
    #[inline]
    fn alloc(&mut self, ty: StructType) -> Option<NonNull<u8>> {
        let mut pool = &mut self.pools[ty as usize];
        let mut p = pool.free;
        if !p.is_null() {
            // SAFETY: a free structure holds the pointer to the next one in its first word.
            pool.free = unsafe { p.cast::<*mut u8>().read() };
        } else {
            if pool.bump == pool.end {
                if !self.new_page(ty) {
                    return None;
                }
                pool = &mut self.pools[ty as usize];
            }
            p = pool.bump;
            // SAFETY: bump < end, and the distance is a multiple of the size.
            pool.bump = unsafe { p.add(ty.size()) };
        }
        pool.live += 1;
        // SAFETY: either branch leaves a pointer into a page.
        Some(unsafe { NonNull::new_unchecked(p) })
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
        self.freed += ty.size();
    }

    fn alloc_buckets(&mut self, n: usize) -> Option<NonNull<*mut u8>> {
        let bytes = n * size_of::<*mut u8>();
        let p = self.buckets.alloc(bytes)?;
        // SAFETY: the block has this many bytes; zero is the null pointer.
        unsafe { p.write_bytes(0, bytes) };
        Some(p.cast())
    }

    unsafe fn free_buckets(&mut self, n: usize, p: NonNull<*mut u8>) {
        // SAFETY: passed on to the caller.
        unsafe { self.buckets.free(p.cast(), n * size_of::<*mut u8>()) };
        self.freed += n * size_of::<*mut u8>();
    }

    #[inline]
    fn trim(&mut self) {
        if self.freed >= TRIM_LEAST && self.freed >= self.bytes_held() / 2 {
            self.freed = 0;
            self.unmap_empty_pages();
            self.buckets.trim();
        }
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
        self.freed = 0;
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
            let mut all: Vec<_> = (0..n).map(|_| a.alloc(ty).unwrap()).collect();
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
            let mut again: Vec<_> = (0..n).map(|_| a.alloc(ty).unwrap()).collect();
            again.sort();
            assert_eq!(all, again);
            assert_eq!(a.bytes_held(), held);
        }
        // SAFETY: nothing is used after this.
        unsafe { a.release_all() };
        assert_eq!((a.bytes_in_use(), a.bytes_held()), (0, 0));
    }

    /// Some structures of each type and some arrays are freed, in any order: what is left is intact, and what is held is in proportion to it.
    #[test]
    fn empty_pages_go_back() {
        let mut a = PageAlloc::new();
        let n = if cfg!(miri) { 150 } else { 6000 };
        for keep in [0, 1, 5, n / 3] {
            let mut all = Vec::new();
            for i in 0..n {
                for ty in StructType::ALL {
                    let p = a.alloc(ty).unwrap();
                    // SAFETY: just allocated with this size.
                    unsafe { p.write_bytes(i as u8, ty.size()) };
                    all.push((i, ty, p));
                }
            }
            let arrays: Vec<_> = (0..n / 50).map(|_| a.alloc_buckets(64).unwrap()).collect();
            let full = a.bytes_held();
            let (kept, gone) = all.split_at(keep * StructType::COUNT);
            for (i, ty, p) in gone
                .iter()
                .rev()
                .step_by(2)
                .chain(gone.iter().rev().skip(1).step_by(2))
            {
                // SAFETY: freed once.
                unsafe {
                    assert_eq!(p.read(), *i as u8);
                    a.free(*ty, *p);
                }
            }
            for p in arrays {
                // SAFETY: freed once.
                unsafe { a.free_buckets(64, p) };
            }
            a.trim();
            assert!(a.bytes_held() >= a.bytes_in_use());
            assert!(
                keep > 5 || a.bytes_held() <= full / 2,
                "{} of {full}",
                a.bytes_held()
            );
            assert!(keep > 0 || a.bytes_held() == 0, "{}", a.bytes_held());
            for (i, ty, p) in kept {
                // SAFETY: in use, and freed once.
                unsafe {
                    let bytes = std::slice::from_raw_parts(p.as_ptr(), ty.size());
                    assert!(bytes.iter().all(|&b| b == *i as u8));
                    a.free(*ty, *p);
                }
            }
            a.freed = a.freed.max(TRIM_LEAST).max(a.bytes_held());
            a.trim();
            assert_eq!((a.bytes_in_use(), a.bytes_held()), (0, 0));
        }
    }

    #[test]
    fn an_allocator_starts_small() {
        let mut a = PageAlloc::new();
        assert_eq!(a.bytes_held(), 0);
        a.alloc(StructType::AnswerNode).unwrap();
        assert_eq!(a.bytes_held(), os::page());
        assert_eq!(a.bytes_in_use(), StructType::AnswerNode.size());
    }

    #[test]
    fn buckets_are_null() {
        let mut a = PageAlloc::new();
        for _ in 0..2 {
            let p = a.alloc_buckets(64).unwrap();
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
