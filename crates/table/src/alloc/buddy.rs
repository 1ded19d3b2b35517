//! Blocks of power-of-two sizes for arrays of hash buckets: a buddy system (Knowlton 1965).
//!
//! Many hash tables often grow in step, each freeing an array of one size for one of the next. The freed
//! neighbours are joined, so that they serve the next growth, where lists by size would keep half of the memory
//! in arrays that nobody asks for again.
//!
//! A region of [`REGION`] bytes is aligned to its size; its first [`MAP`] bytes are the map, one byte for each
//! [`GRAIN`]: 0, or `order + 1` where a free block of that order starts. Blocks are cut from the frontier of the
//! newest region; nothing behind the frontier has ever been touched. Blocks above [`MAX_BLOCK`] are mapped
//! on their own.
//!
//! Invariants: a block of order `o` has `GRAIN << o` bytes and is aligned to that; no two free
//! buddies of the same order; a block is in `free[o]` if and only if the map says so.

use super::os::{self, Mapping};
use samite_term::growth;
use std::ptr::{NonNull, null_mut};

/// Size and alignment of a region.
pub const REGION: usize = os::HUGE;
/// Smallest block.
const GRAIN: usize = 8 * super::MIN_BUCKETS;
/// Bytes of the map at the start of a region.
const MAP: usize = (REGION / GRAIN).next_multiple_of(GRAIN);
/// Number of sizes.
const ORDERS: usize = (MAX_BLOCK / GRAIN).trailing_zeros() as usize + 1;
/// Largest block in a region.
const MAX_BLOCK: usize = REGION / 8;

const _: () = assert!(GRAIN >= size_of::<Free>() && MAP < REGION && ORDERS < 32);

/// A free block: links of the list of its order.
struct Free {
    next: *mut Free,
    prev: *mut Free,
}

struct Region {
    memory: Mapping,
    /// Bytes that are free, while somebody counts.
    free: usize,
}

impl Region {
    fn start(&self) -> usize {
        self.memory.start().addr().get()
    }
    fn is_empty(&self) -> bool {
        self.free == REGION - MAP
    }
}

/// The region of a block, of regions in the order of their addresses.
fn region_of(regions: &mut [Region], block: *mut Free) -> Option<&mut Region> {
    let start = block.addr() & !(REGION - 1);
    let i = regions.binary_search_by_key(&start, Region::start).ok()?;
    regions.get_mut(i)
}

/// An allocator of blocks; see the module text.
pub struct BuddyPool {
    free: [*mut Free; ORDERS],
    /// Newest region, and the offset from which on it is untouched.
    region: *mut u8,
    frontier: usize,
    regions: Vec<Region>,
    /// Blocks above [`MAX_BLOCK`].
    large: Vec<Mapping>,
    in_use: usize,
    /// Bytes in regions and large blocks.
    held: usize,
}

const fn order_of(bytes: usize) -> usize {
    (bytes / GRAIN).trailing_zeros() as usize
}

impl BuddyPool {
    /// A pool without any region.
    pub const fn new() -> BuddyPool {
        BuddyPool {
            free: [null_mut(); ORDERS],
            region: null_mut(),
            frontier: REGION,
            regions: Vec::new(),
            large: Vec::new(),
            in_use: 0,
            held: 0,
        }
    }

    /// Bytes of all blocks in use.
    pub fn in_use(&self) -> usize {
        self.in_use
    }

    /// Bytes taken from the system, without the part of the newest region that was never touched.
    pub fn held(&self) -> usize {
        self.held - (REGION - self.frontier)
    }

    /// A block of `bytes`, a power of two, at least [`GRAIN`]. Not initialised. `None` if there is no memory for it.
    pub fn alloc(&mut self, bytes: usize) -> Option<NonNull<u8>> {
        assert!(bytes.is_power_of_two() && bytes >= GRAIN);
        let block = self.take(bytes)?;
        self.in_use += bytes;
        Some(block)
    }

    fn take(&mut self, bytes: usize) -> Option<NonNull<u8>> {
        if bytes > MAX_BLOCK {
            let bytes = bytes.max(os::page());
            growth::have(&mut self.large, 1).ok()?;
            let block = if bytes < os::HUGE {
                os::map(bytes, os::page())?
            } else {
                os::map_huge(bytes)?
            };
            let start = block.start();
            self.held += bytes;
            self.large.push(block);
            return Some(start);
        }
        let order = order_of(bytes);
        match (order..ORDERS).find(|&o| !self.free[o].is_null()) {
            Some(from) => {
                let block = self.free[from];
                self.unlink(block, from);
                // The upper halves stay free.
                for o in (order..from).rev() {
                    // SAFETY: the block has GRAIN << (o + 1) bytes.
                    self.link(unsafe { block.byte_add(GRAIN << o) }, o);
                }
                // SAFETY: blocks in a list are not null.
                Some(unsafe { NonNull::new_unchecked(block).cast() })
            }
            None => self.cut(order),
        }
    }

    /// A block from the frontier.
    fn cut(&mut self, order: usize) -> Option<NonNull<u8>> {
        let size = GRAIN << order;
        // What must be skipped for alignment is free memory; so is the rest of a region that is too short.
        while !self.frontier.is_multiple_of(size) || self.frontier == REGION {
            if self.frontier == REGION {
                // A few small arrays should not cost a huge page.
                growth::have(&mut self.regions, 1).ok()?;
                let memory = match self.regions.len() {
                    0 => os::map(REGION, REGION)?,
                    _ => os::map_huge(REGION)?,
                };
                self.region = memory.start().as_ptr();
                self.regions.push(Region { memory, free: 0 });
                self.held += REGION;
                self.frontier = MAP;
                continue;
            }
            let o = order_of(self.frontier & self.frontier.wrapping_neg());
            // SAFETY: frontier < REGION.
            let block = unsafe { self.region.add(self.frontier) };
            self.frontier += GRAIN << o;
            // What lies before it may have been freed.
            self.put_back(block.cast(), o);
        }
        // SAFETY: the frontier is a multiple of the size, and so is REGION, so the block fits.
        let block = unsafe { self.region.add(self.frontier) };
        self.frontier += size;
        // SAFETY: a pointer into a region.
        Some(unsafe { NonNull::new_unchecked(block) })
    }

    /// Takes back a block.
    ///
    /// # Safety
    /// `p` is from `alloc(bytes)` of this pool, not freed since, and not used any more.
    pub unsafe fn free(&mut self, p: NonNull<u8>, bytes: usize) {
        self.in_use -= bytes;
        if bytes > MAX_BLOCK {
            let i = self.large.iter().position(|m| m.start() == p);
            self.large.swap_remove(i.expect("not a block of this pool"));
            self.held -= bytes.max(os::page());
            return;
        }
        let block = p.as_ptr().cast::<Free>();
        debug_assert_eq!(self.mark(block), 0, "block freed twice");
        self.put_back(block, order_of(bytes));
    }

    /// A block is free from now on: joined with its buddy as long as that is, too.
    fn put_back(&mut self, mut block: *mut Free, mut order: usize) {
        while order + 1 < ORDERS {
            let buddy = block.map_addr(|a| a ^ (GRAIN << order));
            // A buddy in the map has mark 0: it is never the start of a free block.
            if self.mark(buddy) != order as u8 + 1 {
                break;
            }
            self.unlink(buddy, order);
            block = if buddy < block { buddy } else { block };
            order += 1;
        }
        self.link(block, order);
    }

    /// Unmaps the regions that hold no block in use.
    pub fn trim(&mut self) {
        let regions = &mut self.regions;
        regions.sort_unstable_by_key(Region::start);
        if let Some(newest) = region_of(regions, self.region.cast()) {
            newest.free = REGION - self.frontier;
        }
        for (order, &first) in self.free.iter().enumerate() {
            let mut block = first;
            while !block.is_null() {
                if let Some(r) = region_of(regions, block) {
                    r.free += GRAIN << order;
                }
                // SAFETY: a free block.
                block = unsafe { (*block).next };
            }
        }
        for order in 0..ORDERS {
            let mut block = self.free[order];
            while !block.is_null() {
                // SAFETY: as above.
                let next = unsafe { (*block).next };
                if region_of(&mut self.regions, block).is_some_and(|r| r.is_empty()) {
                    self.unlink(block, order);
                }
                block = next;
            }
        }
        if region_of(&mut self.regions, self.region.cast()).is_some_and(|r| r.is_empty()) {
            (self.region, self.frontier) = (null_mut(), REGION);
        }
        let held = &mut self.held;
        self.regions.retain_mut(|r| {
            let stays = !r.is_empty();
            if !stays {
                *held -= REGION;
            }
            r.free = 0;
            stays
        });
    }

    /// The byte of a block in the map of its region.
    fn mark_ptr(block: *mut Free) -> *mut u8 {
        let offset = block.addr() & (REGION - 1);
        // Regions are aligned to their size.
        let region = block.map_addr(|a| a & !(REGION - 1)).cast::<u8>();
        region.wrapping_add(offset / GRAIN)
    }

    fn mark(&self, block: *mut Free) -> u8 {
        // SAFETY: `block` is in a region, whose map starts with zeros.
        unsafe { Self::mark_ptr(block).read() }
    }

    fn link(&mut self, block: *mut Free, order: usize) {
        let next = self.free[order];
        // SAFETY: a free block belongs to the pool, is aligned to GRAIN and large enough; so is its successor.
        unsafe {
            block.write(Free {
                next,
                prev: null_mut(),
            });
            if !next.is_null() {
                (*next).prev = block;
            }
            Self::mark_ptr(block).write(order as u8 + 1);
        }
        self.free[order] = block;
    }

    fn unlink(&mut self, block: *mut Free, order: usize) {
        // SAFETY: the block is in the list of this order, so its links are valid or null.
        unsafe {
            let Free { next, prev } = block.read();
            if prev.is_null() {
                self.free[order] = next;
            } else {
                (*prev).next = next;
            }
            if !next.is_null() {
                (*next).prev = prev;
            }
            Self::mark_ptr(block).write(0);
        }
    }

    /// Gives everything back to the system. No block may be used any more.
    pub fn release_all(&mut self) {
        *self = BuddyPool::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn lcg(x: &mut u64) -> usize {
        *x = x.wrapping_mul(6364136223846793005).wrapping_add(1);
        (*x >> 33) as usize
    }

    /// No free block overlaps another or a used one, and no two free buddies are unjoined.
    fn verify(pool: &BuddyPool, used: &BTreeMap<usize, (NonNull<u8>, usize)>) {
        let mut all: Vec<(usize, usize)> = used.iter().map(|(&a, &(_, n))| (a, n)).collect();
        for order in 0..ORDERS {
            let mut b = pool.free[order];
            while !b.is_null() {
                let size = GRAIN << order;
                assert_eq!(b.addr() % size, 0);
                assert_eq!(pool.mark(b), order as u8 + 1);
                let buddy = b.map_addr(|a| a ^ size);
                assert!(order + 1 == ORDERS || pool.mark(buddy) != order as u8 + 1);
                all.push((b.addr(), size));
                // SAFETY: a free block.
                b = unsafe { (*b).next };
            }
        }
        all.sort();
        assert!(all.windows(2).all(|w| w[0].0 + w[0].1 <= w[1].0));
        assert_eq!(pool.in_use(), used.values().map(|u| u.1).sum::<usize>());
    }

    #[test]
    fn blocks_never_overlap_and_buddies_join() {
        let mut pool = BuddyPool::new();
        let mut used = BTreeMap::new();
        let mut seed = 7;
        for step in 0..if cfg!(miri) { 60 } else { 20_000 } {
            if lcg(&mut seed) % 5 < 3 || used.is_empty() {
                let bytes = GRAIN << (lcg(&mut seed) % (ORDERS + 1));
                let p = pool.alloc(bytes).unwrap();
                assert_eq!(p.addr().get() % bytes.min(4096), 0);
                // SAFETY: the block has this size.
                unsafe { p.write_bytes(0xee, bytes) };
                used.insert(p.addr().get(), (p, bytes));
            } else {
                let i = lcg(&mut seed) % used.len();
                let at = *used.keys().nth(i).unwrap();
                let (p, bytes) = used.remove(&at).unwrap();
                // SAFETY: removed from the map, so freed once.
                unsafe { pool.free(p, bytes) };
            }
            if step % 64 == 0 {
                verify(&pool, &used);
            }
        }
        pool.release_all();
        assert_eq!((pool.in_use(), pool.held()), (0, 0));
    }

    /// What the frontier skips is joined with what has been freed before it.
    #[test]
    fn what_is_skipped_is_joined() {
        let mut pool = BuddyPool::new();
        let mut used = BTreeMap::new();
        let mut keep = |p: NonNull<u8>, bytes| used.insert(p.addr().get(), (p, bytes));
        let lower = loop {
            let p = pool.alloc(GRAIN).unwrap();
            if p.addr().get().is_multiple_of(2 * GRAIN) {
                break p;
            }
            keep(p, GRAIN);
        };
        // SAFETY: freed once.
        unsafe { pool.free(lower, GRAIN) };
        keep(pool.alloc(2 * GRAIN).unwrap(), 2 * GRAIN);
        verify(&pool, &used);
        pool.release_all();
    }

    #[test]
    fn arrays_growing_in_step_reuse_what_they_leave() {
        let mut pool = BuddyPool::new();
        let count = if cfg!(miri) { 8 } else { 200 };
        let mut all: Vec<_> = (0..count).map(|_| pool.alloc(GRAIN).unwrap()).collect();
        let mut size = GRAIN;
        while size < MAX_BLOCK / 2 {
            for p in &mut all {
                let new = pool.alloc(size * 2).unwrap();
                // SAFETY: freed once, then replaced.
                unsafe { pool.free(*p, size) };
                *p = new;
            }
            size *= 2;
        }
        assert!(pool.held() <= 2 * pool.in_use() + 2 * REGION);
    }
}
