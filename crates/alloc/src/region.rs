//! The region: one reserved range of addresses that holds everything, the blocks and the descriptors.
//!
//! ```text
//!  base                                                            data
//!  | head | vacant | stocked | used | dirty | heaps | pages | shadow | segments ...            |
//!    fixed  bits of the registry  bits of the slices   one Page per slice    one bit per grain   LIMIT: committed up to here
//! ```
//!
//! Because a block's descriptor is found by arithmetic on its address, blocks need no header; because the descriptors of
//! all committed slices always exist, any address below the limit can be looked up without touching memory that may be
//! unmapped, whether it is a block or not. Descriptors start out as zeroes, and zeroes mean "no pageblock, no owner".
//!
//! The region grows at its end: whoever needs more commits the next step and raises the limit. Committing twice is
//! harmless, the limit only rises, so threads that grow at the same time do not wait for each other. Nothing is ever unmapped;
//! memory is given back by purging.
//!
//! Orderings: the limit is raised with release after commit, and read with acquire before anything found through it.
//! The other fields are written before the first raise, by every thread that initialises, with the same values.

use crate::config::{
    self, GROWTH, HEAP_GROWTH, HEAPS, SEGMENT, SEGMENT_SLICES, SLICE, SLICE_SHIFT,
};
use crate::os::{self, PAGE};
use crate::page::{Kind, Page};
use crate::registry::Registry;
use crate::slices::Slices;
use crate::sync::rmw;
use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

/// Bytes from one heap to the next.
pub const HEAP_STRIDE: usize = 8192;

/// The hot fields together: read by every free, written hardly ever.
#[repr(C, align(64))]
struct Region {
    /// Bytes of the data area that are committed.
    limit: AtomicUsize,
    data: AtomicPtr<u8>,
    pages: AtomicPtr<Page>,
    /// Start of the reservation; whoever sets it decides the race of initialisation.
    base: AtomicPtr<u8>,
    /// Segments that the reservation has room for.
    segments: AtomicUsize,
    /// Heaps made so far.
    heaps: AtomicUsize,
    /// Heaps committed so far.
    heaps_committed: AtomicUsize,
}

static REGION: Region = Region {
    limit: AtomicUsize::new(0),
    data: AtomicPtr::new(ptr::null_mut()),
    pages: AtomicPtr::new(ptr::null_mut()),
    base: AtomicPtr::new(ptr::null_mut()),
    segments: AtomicUsize::new(0),
    heaps: AtomicUsize::new(0),
    heaps_committed: AtomicUsize::new(0),
};

/// Where the parts of a reservation for `segments` segments begin.
#[derive(Clone, Copy)]
struct Layout {
    vacant: usize,
    stocked: usize,
    used: usize,
    dirty: usize,
    heaps: usize,
    pages: usize,
    shadow: usize,
    data: usize,
    end: usize,
}

const fn up(n: usize, to: usize) -> usize {
    n.next_multiple_of(to)
}

/// Heaps that a region has room for: one per segment, but not too few for a small program with many threads.
const fn heaps_for(segments: usize) -> usize {
    let least = if HEAPS < 1024 { HEAPS } else { 1024 };
    if segments < least {
        least
    } else if segments < HEAPS {
        segments
    } else {
        HEAPS
    }
}

impl Layout {
    const fn new(segments: usize) -> Layout {
        let vacant = PAGE;
        let stocked = vacant + up(HEAPS / 8, PAGE);
        let used = stocked + up(HEAPS / 8, PAGE);
        let dirty = used + up(segments * 8, PAGE);
        let heaps = dirty + up(segments * 8, PAGE);
        let pages = heaps + heaps_for(segments) * HEAP_STRIDE;
        let shadow = pages + up(segments * SEGMENT_SLICES * size_of::<Page>(), PAGE);
        let data = up(shadow + segments * SHADOW_SEGMENT, SEGMENT);
        Layout {
            vacant,
            stocked,
            used,
            dirty,
            heaps,
            pages,
            shadow,
            data,
            end: data + segments * SEGMENT,
        }
    }
}

/// Bytes of shadow bits per segment: one bit per grain of 16 bytes.
const SHADOW_SEGMENT: usize = SEGMENT / crate::classes::GRAIN / 8;

/// A place in the region, and its slice's number.
#[derive(Clone, Copy)]
pub struct Place {
    /// Distance from the start of the data area.
    pub offset: usize,
}

impl Place {
    /// The number of the slice.
    #[inline(always)]
    pub fn slice(self) -> usize {
        self.offset >> SLICE_SHIFT
    }
}

/// Where an address lies in the region; `None` if it is outside of what is committed.
#[inline(always)]
pub fn place<T>(p: *const T) -> Option<Place> {
    let limit = REGION.limit.load(Ordering::Acquire);
    let offset = p
        .addr()
        .wrapping_sub(REGION.data.load(Ordering::Relaxed).addr());
    if offset < limit {
        Some(Place { offset })
    } else {
        None
    }
}

/// The descriptor of a slice below the limit.
#[inline(always)]
pub fn page(slice: usize) -> *mut Page {
    // wrapping: the array reaches over all slices of the region.
    REGION.pages.load(Ordering::Relaxed).wrapping_add(slice)
}

/// The descriptor of the pageblock that an address lies in, if it lies in one.
pub fn pageblock_of<T>(p: *const T) -> Option<*mut Page> {
    let page = page(place(p)?.slice());
    // SAFETY: descriptors below the limit always exist.
    match unsafe { (*page).shared.kind() } {
        Kind::Blocks => Some(page),
        Kind::Inside => Some(Page::first(page)),
        Kind::Large | Kind::Nothing => None,
    }
}

/// The number of the slice that a descriptor describes.
#[inline(always)]
pub fn slice_of(page: *const Page) -> usize {
    (page.addr() - REGION.pages.load(Ordering::Relaxed).addr()) / size_of::<Page>()
}

/// The first byte of a slice.
#[inline(always)]
pub fn slice_start(slice: usize) -> *mut u8 {
    REGION
        .data
        .load(Ordering::Relaxed)
        .wrapping_add(slice << SLICE_SHIFT)
}

/// Bytes committed.
pub fn committed() -> usize {
    REGION.limit.load(Ordering::Acquire)
}

/// Bytes reserved for data.
pub fn reserved() -> usize {
    REGION.segments.load(Ordering::Relaxed) * SEGMENT
}

/// The address of the data area, of which alignments beyond a segment are counted.
pub fn data_address() -> usize {
    REGION.data.load(Ordering::Relaxed).addr()
}

fn words(offset: usize, n: usize) -> &'static [AtomicU64] {
    let base = REGION.base.load(Ordering::Relaxed);
    if n == 0 {
        return &[];
    }
    // SAFETY: the callers name arrays of the layout, which are committed by `initialise`, zeroed, and never unmapped.
    unsafe { core::slice::from_raw_parts(base.add(offset).cast(), n) }
}

fn layout() -> Layout {
    Layout::new(REGION.segments.load(Ordering::Relaxed))
}

/// The maps of all committed segments.
pub fn slices() -> Slices<'static> {
    let n = committed() / SEGMENT;
    let l = layout();
    Slices::new(words(l.used, n), words(l.dirty, n))
}

/// The registry of heaps made so far, in whole words.
pub fn registry() -> Registry<'static> {
    let n = heaps_made().div_ceil(64);
    let l = layout();
    Registry::new(words(l.vacant, n), words(l.stocked, n))
}

fn heap_room() -> usize {
    heaps_for(REGION.segments.load(Ordering::Relaxed))
}

/// How many heap ids were given out, counting the unused id 0.
pub fn heaps_made() -> usize {
    match REGION.heaps.load(Ordering::Acquire) {
        0 => 0,
        n => (n + 1).min(heap_room()),
    }
}

/// Heaps whose memory is committed have ids below this.
pub fn heaps_committed() -> usize {
    heaps_made().min(REGION.heaps_committed.load(Ordering::Acquire))
}

/// The memory of heap `id`, which was made before.
#[inline]
pub fn heap_memory(id: usize) -> *mut u8 {
    REGION
        .base
        .load(Ordering::Relaxed)
        .wrapping_add(layout().heaps + id * HEAP_STRIDE)
}

/// Makes a new heap: its id, 1 or more, and its memory, zeroed and owned by the caller. `None` if there are no more.
pub fn make_heap() -> Option<usize> {
    rmw();
    let id = REGION.heaps.fetch_add(1, Ordering::AcqRel) + 1;
    if id >= heap_room() {
        // Undone so that the count cannot run over; ids above the limit are never used.
        REGION.heaps.fetch_sub(1, Ordering::AcqRel);
        return None;
    }
    if REGION.heaps_committed.load(Ordering::Acquire) <= id {
        let target = (id + 1).next_multiple_of(HEAP_GROWTH).min(heap_room());
        let start = NonNull::new(heap_memory(0))?;
        // SAFETY: the range is the array of heaps in the reservation.
        if !unsafe { os::commit(start, target * HEAP_STRIDE) } {
            // The id is lost, nothing else.
            return None;
        }
        rmw();
        REGION.heaps_committed.fetch_max(target, Ordering::AcqRel);
    }
    Some(id)
}

/// Shadow bits of the grain that contains `place`: the word and the bit in it. Committed in hardened mode only.
pub fn shadow(place: Place) -> (&'static AtomicU64, u64) {
    let grain = place.offset / crate::classes::GRAIN;
    let word = &words(layout().shadow + grain / 64 * 8, 1)[0];
    (word, 1 << (grain % 64))
}

/// Reserves the region if that has not been done. `false` if the system refuses.
pub fn initialise() -> bool {
    if !REGION.data.load(Ordering::Acquire).is_null() {
        return true;
    }
    config::read_environment();
    let mut base = REGION.base.load(Ordering::Acquire);
    if base.is_null() {
        let Some((fresh, segments)) = reserve() else {
            return false;
        };
        rmw();
        // Release, so that others see the head; acquire, to see theirs.
        match REGION.base.compare_exchange(
            ptr::null_mut(),
            fresh.as_ptr(),
            Ordering::AcqRel,
            Ordering::Acquire,
        ) {
            Ok(_) => base = fresh.as_ptr(),
            Err(other) => {
                // SAFETY: nobody else knows of this reservation.
                unsafe { os::unmap(fresh, Layout::new(segments).end) };
                base = other;
            }
        }
    }
    // SAFETY: the first page is committed and holds the number of segments, written before it was published.
    let segments = unsafe { base.cast::<usize>().read() };
    let l = Layout::new(segments);
    REGION.segments.store(segments, Ordering::Relaxed);
    REGION
        .pages
        .store(base.wrapping_add(l.pages).cast(), Ordering::Relaxed);
    // Last, with release: it tells that the others are there.
    REGION
        .data
        .store(base.wrapping_add(l.data), Ordering::Release);
    true
}

/// Reserves as much of the wanted size as the system gives, commits the fixed part and writes the head.
fn reserve() -> Option<(NonNull<u8>, usize)> {
    let mut size = config::region_size().max(config::REGION_MIN);
    loop {
        let segments = size / SEGMENT;
        let l = Layout::new(segments);
        if let Some(base) = os::reserve(l.end, SEGMENT) {
            // SAFETY: the range is the start of the reservation, and ours until published.
            unsafe {
                if os::commit(base, l.heaps) {
                    base.as_ptr().cast::<usize>().write(segments);
                    return Some((base, segments));
                }
                os::unmap(base, l.end);
            }
        }
        size /= 2;
        if size < config::REGION_MIN {
            return None;
        }
    }
}

/// Raises the limit to at least `segments` segments and at least one step. `false` if there is no more.
pub fn grow(segments: usize) -> bool {
    let limit = REGION.limit.load(Ordering::Acquire);
    let have = limit / SEGMENT;
    let room = REGION.segments.load(Ordering::Relaxed);
    if segments > room || have == room {
        return have >= segments && have < room;
    }
    let want = segments.max(have + 1).next_multiple_of(GROWTH).min(room);
    let l = layout();
    let base = REGION.base.load(Ordering::Relaxed);
    let page_bytes = SEGMENT_SLICES * size_of::<Page>();
    let commit = |offset: usize, unit: usize| {
        let p = NonNull::new(base.wrapping_add(offset + have * unit));
        // SAFETY: the range is a part of the reservation. Committing what another thread commits at the same time
        // changes nothing.
        p.is_some_and(|p| unsafe { os::commit(p, (want - have) * unit) })
    };
    if !commit(l.pages, page_bytes)
        || (config::HARDENED.get() != 0 && !commit(l.shadow, SHADOW_SEGMENT))
        || !commit(l.data, SEGMENT)
    {
        return false;
    }
    let huge = config::HUGE_PAGES.get();
    if huge != 0
        && limit >= huge
        && let Some(p) = NonNull::new(base.wrapping_add(l.data + limit))
    {
        // SAFETY: the range was just committed.
        unsafe { os::huge_pages(p, (want - have) * SEGMENT) };
    }
    rmw();
    REGION.limit.fetch_max(want * SEGMENT, Ordering::AcqRel);
    true
}

const _: () = assert!(SLICE.is_power_of_two() && SEGMENT / SLICE == 64);
