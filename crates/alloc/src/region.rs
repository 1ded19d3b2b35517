//! The region: one range of addresses that holds everything, the blocks and the descriptors.
//!
//! ```text
//!  base                                                   data
//!  | head | room | described | free | held | away | dirty |   pages     | segments ...            | shadow              |
//!    fixed  bits of segments   bits of slices            one descriptor   up to here: the limit     one bit per grain
//!    mapped at once                                          per slice
//! ```
//!
//! Because a block's descriptor is found by arithmetic on its address, blocks need no header; because the descriptors of
//! all segments below the limit exist, any address below the limit can be looked up without touching memory that may be
//! unmapped, whether it is a block or not. Descriptors start out as zeroes, and zeroes mean "no pageblock, no owner".
//!
//! **Nothing is reserved.** The range is only a plan, laid out where the system does not put mappings by itself; each part is
//! mapped when it is needed, where nothing else is. So limits of the process on its address space count what is used, and
//! hold from the moment they are set. A segment has one bit of `room`, and who claims it is the only one to map it:
//!
//! ```text
//!                 claim                       all its slices released
//!   ROOM (bit set) ----> CLAIMED (bit clear) -------------------------> MAPPED
//!        ^  ^               |        |  somebody else's mapping is there   | all its slices claimed, and given back
//!        |  +---------------+        +---------------------------------> LOST, for ever: none of its slices is ever free
//!        |    the system refused                                           |
//!        +-----------------------------------------------------------------+
//! ```
//!
//! A thread that stops while it maps takes these addresses with it; others find other segments. Their descriptors are mapped
//! before (`described`), those of segments that were jumped over, too. Only where a thread stopped in between is there a
//! gap below the limit, which no block is in.
//!
//! Memory is given back by purging; addresses only if somebody needs them for something else ([`crate::away`]). Descriptors are never unmapped.
//!
//! Orderings: the limit is raised with release after everything below it was mapped, and read with acquire before anything
//! found through it. The other fields are written before the first raise, by every thread that initialises, with the same
//! values.

use crate::config::{self, GROWTH, SEGMENT, SEGMENT_SLICES, SLICE, SLICE_SHIFT};
use crate::os::{self, MappedAt};
use crate::slices::{Bits, Slices};
use crate::sync::rmw;
use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

/// The hot fields together: read by every free, written hardly ever.
#[repr(C, align(64))]
struct Region {
    /// Bytes of the data area up to the end of the highest segment that is mapped.
    limit: AtomicUsize,
    data: AtomicPtr<u8>,
    descriptors: AtomicPtr<u8>,
    /// Start of the range; whoever sets it decides the race of initialisation.
    base: AtomicPtr<u8>,
    /// Segments that the range has room for.
    segments: AtomicUsize,
    /// Segments that are mapped.
    mapped: AtomicUsize,
}

static REGION: Region = Region {
    limit: AtomicUsize::new(0),
    data: AtomicPtr::new(ptr::null_mut()),
    descriptors: AtomicPtr::new(ptr::null_mut()),
    base: AtomicPtr::new(ptr::null_mut()),
    segments: AtomicUsize::new(0),
    mapped: AtomicUsize::new(0),
};

/// Where the parts of a range for `segments` segments begin.
#[derive(Clone, Copy)]
struct Layout {
    room: usize,
    described: usize,
    free: usize,
    held: usize,
    away: usize,
    dirty: usize,
    pages: usize,
    data: usize,
    shadow: usize,
    end: usize,
}

/// Of how many of the first segments slices can be held or away: 32 GiB, so that a process that has little address space pays little.
const fn first(segments: usize) -> usize {
    if segments < 1 << 13 {
        segments
    } else {
        1 << 13
    }
}

const fn up(n: usize, to: usize) -> usize {
    n.next_multiple_of(to)
}

impl Layout {
    /// Asked for by each look at a map: it is made of constants, and of it only what is looked at.
    const fn new(segments: usize) -> Layout {
        let bits = up(segments.div_ceil(64) * 8, PART);
        let room = PART;
        let described = room + bits;
        let free = described + bits;
        let held = free + up(segments * 8, PART);
        let away = held + up(first(segments) * 8, PART);
        let dirty = away + up(first(segments) * 8, PART);
        let pages = up(dirty + segments * 8, SLICE);
        let data = up(pages + segments * PAGES_SEGMENT, SEGMENT);
        let shadow = data + segments * SEGMENT;
        Layout {
            room,
            described,
            free,
            held,
            away,
            dirty,
            pages,
            data,
            shadow,
            end: shadow + segments * SHADOW_SEGMENT,
        }
    }
}

/// The head and the maps begin at multiples of this, so that they are not on each other's lines.
const PART: usize = 1 << 12;
/// Bytes of a slice's descriptor. What is in it is the business of whoever uses the slice (`page`); here it is memory.
pub const DESCRIPTOR: usize = 128;
/// Bytes of descriptors per segment.
const PAGES_SEGMENT: usize = SEGMENT_SLICES * DESCRIPTOR;
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

/// Where an address lies in the region; `None` if it is not below the limit.
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
pub fn descriptor(slice: usize) -> *mut u8 {
    // wrapping: the array reaches over all slices of the region.
    let descriptors = REGION.descriptors.load(Ordering::Relaxed);
    descriptors.wrapping_add(slice * DESCRIPTOR)
}

/// The number of the slice that a descriptor describes.
#[inline(always)]
pub fn slice_of<T>(descriptor: *const T) -> usize {
    (descriptor.addr() - REGION.descriptors.load(Ordering::Relaxed).addr()) / DESCRIPTOR
}

/// The first byte of a slice.
#[inline(always)]
pub fn slice_start(slice: usize) -> *mut u8 {
    REGION
        .data
        .load(Ordering::Relaxed)
        .wrapping_add(slice << SLICE_SHIFT)
}

/// Bytes mapped for data.
pub fn committed() -> usize {
    REGION.mapped.load(Ordering::Relaxed) * SEGMENT
}

/// Bytes that the data may grow to.
pub fn reserved() -> usize {
    REGION.segments.load(Ordering::Relaxed) * SEGMENT
}

/// The address of the data area, of which alignments beyond a segment are counted.
fn data_address() -> usize {
    REGION.data.load(Ordering::Relaxed).addr()
}

fn words(offset: usize, n: usize) -> &'static [AtomicU64] {
    let base = REGION.base.load(Ordering::Relaxed);
    if n == 0 {
        return &[];
    }
    // SAFETY: the callers name arrays of the layout, which are mapped by `initialise`, zeroed, or the shadow of a block; never unmapped.
    unsafe { core::slice::from_raw_parts(base.add(offset).cast(), n) }
}

fn layout() -> Layout {
    Layout::new(REGION.segments.load(Ordering::Relaxed))
}

/// The maps of all segments below the limit.
pub fn slices() -> Slices<'static> {
    let n = REGION.limit.load(Ordering::Acquire) / SEGMENT;
    let l = layout();
    Slices::new(words(l.free, n), words(l.dirty, n))
}

/// The same maps of the slices in the reserve ([`crate::reserve`]): a slice is there to be claimed in one map at most.
pub fn held() -> Slices<'static> {
    let n = first(REGION.limit.load(Ordering::Acquire) / SEGMENT);
    let l = layout();
    Slices::new(words(l.held, n), words(l.dirty, n))
}

/// The same of the slices that are not mapped any more ([`crate::away`]).
pub fn away() -> Slices<'static> {
    let n = first(REGION.limit.load(Ordering::Acquire) / SEGMENT);
    let l = layout();
    Slices::new(words(l.away, n), words(l.dirty, n))
}

/// A segment of which the caller has claimed and unmapped all slices may be mapped again.
pub fn give_room(segment: usize) {
    rmw();
    REGION.mapped.fetch_sub(1, Ordering::Relaxed);
    room().release(segment, 1);
}

/// Which segments may still be mapped.
fn room() -> Bits<'static> {
    let segments = REGION.segments.load(Ordering::Relaxed);
    Bits(words(layout().room, segments.div_ceil(64)))
}

/// Which segments have descriptors.
fn described() -> Bits<'static> {
    let segments = REGION.segments.load(Ordering::Relaxed);
    Bits(words(layout().described, segments.div_ceil(64)))
}

/// Whether the descriptors of a segment below the limit can be read: see the gaps in the text above.
pub fn is_described(segment: usize) -> bool {
    described().is_set(segment)
}

/// Shadow bits of the grain that contains `place`: the word and the bit in it. There in hardened mode only.
pub fn shadow(place: Place) -> (&'static AtomicU64, u64) {
    let grain = place.offset / crate::classes::GRAIN;
    let word = &words(layout().shadow + grain / 64 * 8, 1)[0];
    (word, 1 << (grain % 64))
}

/// Lays the region out if that has not been done. `false` if the system refuses.
pub fn initialise() -> bool {
    if !REGION.data.load(Ordering::Acquire).is_null() {
        return true;
    }
    config::read_environment();
    let mut base = REGION.base.load(Ordering::Acquire);
    if base.is_null() {
        let Some((fresh, segments)) = lay_out() else {
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
                // SAFETY: nobody else knows of these pages.
                unsafe { unmap_fixed(fresh, &Layout::new(segments)) };
                base = other;
            }
        }
    }
    // SAFETY: the first page is mapped and holds the number of segments, written before it was published.
    let segments = unsafe { base.cast::<usize>().read() };
    let l = Layout::new(segments);
    REGION.segments.store(segments, Ordering::Relaxed);
    REGION
        .descriptors
        .store(base.wrapping_add(l.pages), Ordering::Relaxed);
    // Last, with release: it tells that the others are there.
    REGION
        .data
        .store(base.wrapping_add(l.data), Ordering::Release);
    true
}

/// Finds a place for a region of the wanted size, or else the largest that there is, maps the fixed part and writes it.
fn lay_out() -> Option<(NonNull<u8>, usize)> {
    let mut size = config::region_size().max(config::REGION_MIN);
    while size >= config::REGION_MIN {
        let segments = size / SEGMENT;
        let l = Layout::new(segments);
        if let Some(base) = find_place(&l) {
            // SAFETY: the fixed part was just mapped, and is ours until published. Zeroes are what all but these are.
            unsafe {
                base.as_ptr().cast::<usize>().write(segments);
                let room = base.as_ptr().add(l.room).cast::<u64>();
                for i in 0..segments / 64 {
                    room.add(i).write(!0);
                }
                if !segments.is_multiple_of(64) {
                    room.add(segments / 64).write((1 << (segments % 64)) - 1);
                }
            }
            return Some((base, segments));
        }
        size /= 2;
    }
    None
}

/// Maps the fixed part of a region where there is room for the rest.
fn find_place(l: &Layout) -> Option<NonNull<u8>> {
    let map = |base: usize| {
        // Nothing of the kind was handed out before: there is no provenance to keep.
        let p = ptr::with_exposed_provenance_mut(base);
        map_fixed(NonNull::new(p)?, l)
    };
    // Systems put mappings one beside the other, from an address that differs from process to process; half of that address is
    // far from all of them, and from the program, and differs as well.
    if let Some(used) = os::likely_addresses() {
        for base in [used / 2, used / 8 * 3, used / 4] {
            let base = up(base, SEGMENT);
            if base.checked_add(l.end).is_some_and(|end| end < used)
                && let Some(p) = map(base)
            {
                return Some(p);
            }
        }
    }
    // A small address space, or a full one: where there is room now.
    let p = os::find_room(l.end, SEGMENT)?;
    map_fixed(p, l)
}

/// Whether what a segment has so many bytes of can be mapped with the segment. If not, a page of the system has that of several segments, and
/// all of it is mapped with the fixed part.
fn part_by_part(bytes: usize) -> bool {
    bytes & (os::page_size() - 1) == 0
}

/// End of what is mapped at once. A slice is whole pages, whatever their size.
fn fixed(l: &Layout) -> usize {
    if part_by_part(PAGES_SEGMENT) {
        l.pages
    } else {
        l.data
    }
}

/// What is mapped at once behind the data: in hardened mode, the shadow that cannot be mapped by segments.
fn fixed_shadow(l: &Layout) -> Option<usize> {
    let bytes = os::whole_pages(l.end - l.shadow);
    (config::HARDENED.get() != 0 && !part_by_part(SHADOW_SEGMENT)).then_some(bytes)
}

fn map_fixed(base: NonNull<u8>, l: &Layout) -> Option<NonNull<u8>> {
    if os::map_at(base.as_ptr(), fixed(l)) != MappedAt::Yes {
        return None;
    }
    if let Some(bytes) = fixed_shadow(l)
        && os::map_at(base.as_ptr().wrapping_add(l.shadow), bytes) != MappedAt::Yes
    {
        // SAFETY: just mapped, and nobody knows of it.
        unsafe { os::unmap(base, fixed(l)) };
        return None;
    }
    Some(base)
}

/// Undoes [`map_fixed`].
unsafe fn unmap_fixed(base: NonNull<u8>, l: &Layout) {
    // SAFETY: the caller's: both were mapped, and nobody knows of them.
    unsafe {
        os::unmap(base, fixed(l));
        if let Some(bytes) = fixed_shadow(l) {
            os::unmap(base.add(l.shadow), bytes);
        }
    }
}

/// Which segments begin at a multiple of `align`: each `step`-th, from `phase` on.
pub fn boundary(align: usize) -> (usize, usize) {
    let step = (align / SEGMENT).max(1);
    let phase = (data_address() / SEGMENT).wrapping_neg() & (step - 1);
    (step, phase)
}

/// Threads that are about to map segments ([`grow`]), as a hint: one that vanished in a fork is forgotten, one that is stopped makes others
/// wait for a moment only.
static GROWING: AtomicUsize = AtomicUsize::new(0);

/// Maps segments, so that `n` consecutive ones from a number that is `phase` modulo `step` are free, as far as this thread
/// can tell; or another thread has just mapped some. `false` if there is no place for them or the system has no memory; then nothing has been mapped.
///
/// One thread maps more than it needs, for all: many that find nothing free at the same moment would each map an eighth of what there is.
pub fn grow(n: usize, step: usize, phase: usize) -> bool {
    const PATIENCE: usize = 8;
    let others = GROWING.load(Ordering::Relaxed);
    if others > 0 && n == 1 {
        for _ in 0..PATIENCE {
            os::yield_now();
            if GROWING.load(Ordering::Relaxed) < others {
                return true;
            }
        }
    }
    rmw();
    let more = match GROWING.fetch_add(1, Ordering::Relaxed) {
        0 => (REGION.mapped.load(Ordering::Relaxed) / 8).clamp(1, GROWTH),
        _ => 1,
    };
    let grown = grow_by(n, step, phase, more);
    rmw();
    // (In the child of a fork that was made in the midst of this it is 0.)
    let _ = GROWING.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
    grown
}

/// In the child of a fork: nobody else is growing.
pub fn forget_growing() {
    GROWING.store(0, Ordering::Relaxed);
}

/// As [`grow`], by `more` segments if these can be had.
pub fn grow_by(n: usize, step: usize, phase: usize, more: usize) -> bool {
    loop {
        let Some(start) = find_segments(n, step, phase) else {
            return false;
        };
        match map_segments(start, n.max(more)) {
            // Less may be had.
            MappedAt::Refused if n < more => match map_segments(start, n) {
                MappedAt::Refused => return false,
                MappedAt::Yes => return true,
                MappedAt::Taken => {}
            },
            MappedAt::Refused => return false,
            MappedAt::Yes => return true,
            // Those segments are lost; there may be others.
            MappedAt::Taken => {}
        }
    }
}

/// The first of `n` segments each of which can be mapped, or is and has nothing in it.
fn find_segments(n: usize, step: usize, phase: usize) -> Option<usize> {
    let (room, map) = (room(), slices());
    let useless = |s: usize| !room.is_set(s) && (s >= map.segments() || !map.all_free(s));
    let end = REGION.segments.load(Ordering::Relaxed);
    let mut first = phase % step;
    while n <= end.checked_sub(first)? {
        match (first..first + n).rev().find(|&s| useless(s)) {
            None => return Some(first),
            // Nothing that begins at or before it will do.
            Some(s) => first += (s - first + 1).next_multiple_of(step),
        }
    }
    None
}

/// Maps those of `n` segments that can be. `Yes` also if another thread is doing so.
fn map_segments(start: usize, n: usize) -> MappedAt {
    let room = room();
    let end = (start + n).min(REGION.segments.load(Ordering::Relaxed));
    let mut at = start;
    while at < end {
        let len = (at..end).take_while(|&s| room.is_set(s)).count();
        if len == 0 {
            at += 1;
            continue;
        }
        if !room.claim_at(at, len) {
            return MappedAt::Yes;
        }
        match map_claimed(at, len) {
            MappedAt::Yes => {}
            MappedAt::Refused => {
                room.release(at, len);
                return MappedAt::Refused;
            }
            MappedAt::Taken => {
                // Which of them, must be found out. They stay claimed for ever; so does what nobody knows about.
                for s in at..at + len {
                    if map_claimed(s, 1) == MappedAt::Refused {
                        room.release(s, 1);
                    }
                }
                return MappedAt::Taken;
            }
        }
        at += len;
    }
    MappedAt::Yes
}

/// Maps segments that the caller has claimed, and gives all their slices to everybody.
fn map_claimed(start: usize, n: usize) -> MappedAt {
    let base = REGION.base.load(Ordering::Relaxed);
    let l = layout();
    // What is jumped over has to be described first.
    let room = room();
    for s in REGION.limit.load(Ordering::Acquire) / SEGMENT..start {
        if !is_described(s) && room.claim_at(s, 1) {
            let done = describe(s, 1);
            room.release(s, 1);
            if done != MappedAt::Yes {
                return done;
            }
        }
    }
    let done = describe(start, n);
    if done != MappedAt::Yes {
        return done;
    }
    let data = base.wrapping_add(l.data + start * SEGMENT);
    let done = os::map_at(data, n * SEGMENT);
    if done != MappedAt::Yes {
        return done;
    }
    rmw();
    let before = REGION.mapped.fetch_add(n, Ordering::Relaxed);
    let huge = config::HUGE_PAGES.get();
    if huge != 0
        && before * SEGMENT >= huge
        && let Some(p) = NonNull::new(data)
    {
        // SAFETY: the range was just mapped.
        unsafe { os::huge_pages(p, n * SEGMENT) };
    }
    Bits(words(l.free, start + n)).release(start * SEGMENT_SLICES, n * SEGMENT_SLICES);
    rmw();
    REGION
        .limit
        .fetch_max((start + n) * SEGMENT, Ordering::AcqRel);
    tell_growth();
    MappedAt::Yes
}

/// Bytes that are mapped for data, not in use, and not in the reserve.
pub fn spare() -> usize {
    let map = slices();
    let free = |s: usize| SEGMENT_SLICES - map.used(s).count_ones() as usize;
    (0..map.segments()).map(free).sum::<usize>() * SLICE
}

/// Who wants to know when more segments were mapped.
static ON_GROWTH: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// From now on `hook` is called whenever more memory was taken from the system, by the thread that did. It must not allocate.
pub fn on_growth(hook: fn()) {
    // Release, paired with the acquire in `tell_growth`: what the hook refers to was made before.
    ON_GROWTH.store(hook as *mut (), Ordering::Release);
}

fn tell_growth() {
    let hook = ON_GROWTH.load(Ordering::Acquire);
    if !hook.is_null() {
        // SAFETY: only `on_growth` stores here, and stores a function of this type.
        let hook = unsafe { core::mem::transmute::<*mut (), fn()>(hook) };
        hook();
    }
}

/// Maps the descriptors of segments that the caller has claimed, and in hardened mode their shadow.
fn describe(start: usize, n: usize) -> MappedAt {
    let base = REGION.base.load(Ordering::Relaxed);
    let l = layout();
    let described = described();
    let end = start + n;
    let mut at = start;
    while at < end {
        let len = (at..end).take_while(|&s| !described.is_set(s)).count();
        if len == 0 {
            at += 1;
            continue;
        }
        let pages = base.wrapping_add(l.pages + at * PAGES_SEGMENT);
        let by_part = part_by_part(PAGES_SEGMENT);
        if by_part {
            let done = os::map_at(pages, len * PAGES_SEGMENT);
            if done != MappedAt::Yes {
                return done;
            }
        }
        if config::HARDENED.get() != 0 && part_by_part(SHADOW_SEGMENT) {
            let shadow = base.wrapping_add(l.shadow + at * SHADOW_SEGMENT);
            let done = os::map_at(shadow, len * SHADOW_SEGMENT);
            if done != MappedAt::Yes {
                if let Some(p) = NonNull::new(pages).filter(|_| by_part) {
                    // SAFETY: just mapped, and nobody knows of it.
                    unsafe { os::unmap(p, len * PAGES_SEGMENT) };
                }
                return done;
            }
        }
        described.release(at, len);
        at += len;
    }
    MappedAt::Yes
}

const _: () = assert!(SLICE.is_power_of_two() && SEGMENT / SLICE == 64);
