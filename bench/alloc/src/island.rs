//! Memory for the programs' own data, mapped apart from the allocator under test: an oracle must neither stand on
//! what it judges nor shift it.
//!
//! Powers of two with a chain of free blocks each, cut from mapped regions, under one spin lock; large blocks are
//! mapped on their own. Plain on purpose: it is used outside of what is timed.
//!
//! A fork while another thread holds the lock leaves it locked in the child: a child of a process with several
//! threads uses C memory only.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};

/// Blocks above this are mapped on their own.
const LARGE: usize = 1 << 16;
/// What is cut into blocks.
const REGION: usize = 1 << 20;
/// Smallest block.
const GRAIN: usize = 16;

/// The allocator; a program declares it as its `#[global_allocator]`.
pub struct Island {
    locked: AtomicBool,
    state: UnsafeCell<State>,
}

struct State {
    free: [*mut u8; usize::BITS as usize],
    region: *mut u8,
    left: usize,
}

// SAFETY: the state is accessed only between `lock` and `unlock`.
unsafe impl Sync for Island {}

impl Island {
    /// An island without memory.
    #[allow(clippy::new_without_default, reason = "only ever a static")]
    pub const fn new() -> Island {
        Island {
            locked: AtomicBool::new(false),
            state: UnsafeCell::new(State {
                free: [null_mut(); usize::BITS as usize],
                region: null_mut(),
                left: 0,
            }),
        }
    }

    fn with<R>(&self, f: impl FnOnce(&mut State) -> R) -> R {
        // Acquire pairs with the Release below: the last holder's changes of the state are seen.
        while self
            .locked
            .compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed)
            .is_err()
        {
            std::thread::yield_now();
        }
        // SAFETY: the lock is held, so this is the only reference; `f` does not come back here.
        let result = f(unsafe { &mut *self.state.get() });
        self.locked.store(false, Ordering::Release);
        result
    }
}

/// Size of the block that serves a layout.
fn block_size(layout: Layout) -> usize {
    layout
        .size()
        .max(layout.align())
        .max(GRAIN)
        .next_power_of_two()
}

fn map(bytes: usize) -> *mut u8 {
    // SAFETY: a new private mapping overlaps nothing.
    let p = unsafe {
        libc::mmap(
            null_mut(),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        )
    };
    if p == libc::MAP_FAILED {
        null_mut()
    } else {
        p.cast()
    }
}

// SAFETY: blocks are disjoint pieces of mappings, naturally aligned to their power-of-two size up to a page (larger
// alignments are refused with null), and stay until they are freed.
unsafe impl GlobalAlloc for Island {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let size = block_size(layout);
        if layout.align() > 4096 {
            return null_mut();
        }
        if size > LARGE {
            return map(size);
        }
        self.with(|state| {
            let chain = &mut state.free[size.ilog2() as usize];
            let p = *chain;
            if !p.is_null() {
                // SAFETY: a free block holds the next one in its first word.
                *chain = unsafe { p.cast::<*mut u8>().read() };
                return p;
            }
            // A block is aligned to its size, as regions are to pages and blocks are at most 16 pages and cut in any
            // order: skip to the next multiple, counted from the region's start.
            let offset = REGION - state.left;
            let start = offset.next_multiple_of(size);
            if state.region.is_null() || start + size > REGION {
                state.region = map(REGION);
                if state.region.is_null() {
                    return null_mut();
                }
                state.left = REGION - size;
                return state.region;
            }
            state.left = REGION - (start + size);
            // SAFETY: start + size is inside of the region.
            unsafe { state.region.add(start) }
        })
    }

    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        let size = block_size(layout);
        if size > LARGE {
            // SAFETY: mapped with this size by `alloc`.
            unsafe { libc::munmap(p.cast(), size) };
            return;
        }
        self.with(|state| {
            let chain = &mut state.free[size.ilog2() as usize];
            // SAFETY: the block is the caller's to give up and larger than a pointer.
            unsafe { p.cast::<*mut u8>().write(*chain) };
            *chain = p;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_apart_and_reused() {
        let island = Island::new();
        let mut all = Vec::new();
        for size in [1, 8, 24, 100, 4096, 70_000] {
            for align in [1, 16, 64, 4096] {
                let layout = Layout::from_size_align(size, align).unwrap();
                for _ in 0..10 {
                    // SAFETY: the size is not 0.
                    let p = unsafe { island.alloc(layout) };
                    assert!(!p.is_null() && p.addr() % align == 0, "{layout:?}");
                    // SAFETY: the block has this size.
                    unsafe { p.write_bytes(0xff, size) };
                    all.push((p.addr(), layout));
                }
            }
        }
        all.sort_by_key(|(p, _)| *p);
        for pair in all.windows(2) {
            assert!(pair[0].0 + pair[0].1.size() <= pair[1].0);
        }
        let layout = Layout::from_size_align(24, 8).unwrap();
        // SAFETY: allocated and freed with the same layout.
        unsafe {
            let p = island.alloc(layout);
            island.dealloc(p, layout);
            assert_eq!(island.alloc(layout), p);
        }
    }
}
