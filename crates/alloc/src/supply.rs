//! Free slices: which to take first, when to give their memory back to the system. Where there are none, `sources` goes on.
//!
//! **Where.** Slices that hold memory come first, then the lowest free ones. Two hints say below
//! which segment there is nothing to find; they may be wrong, so a search that fails starts over from the bottom before it
//! says that there is nothing.
//!
//! **When.** There is no thread to purge later, and a program may never call again after it freed its last block. So free
//! memory beyond a limit is given back at once, and what is learned is the limit: it starts at a minimum; when slices are
//! needed that were purged only recently, purging them was a mistake, and the limit rises by as much; when there was no
//! such mistake for the purge delay, it halves. A program that frees much once gets small; one that frees and
//! allocates in turns keeps its memory between. The limit is looked at when slices are claimed or released, and now and then
//! by threads that take slow paths.
//!
//! A program that makes no call of the allocator any more keeps what it has, and its last free looks like all those before
//! it. So what can be kept then is bounded whatever was learned ([`limit`]):
//!
//! ```text
//!   retained <= max(RETAIN_MIN, min(learned, RETAIN_MAX, most, max(RETAIN_IDLE, in use / 2)))      after each release
//! ```
//!
//! `most` is for who promises somebody how much memory is taken at most ([`retain_at_most`]).
//!
//! The bound falls with the bytes in use while a peak is freed. What it costs: a program that frees and allocates again more
//! than `RETAIN_IDLE` in turns asks the system for the rest each time.
//!
//! Purging claims the slices first, as an allocation would, so nobody waits for it: others find other slices. A thread
//! that is stopped in the middle of it takes these slices with it and nothing else.
//!
//! All counters are relaxed: they steer, they protect nothing.

use crate::config::{self, SEGMENT, SEGMENT_SLICES, SLICE};
use crate::os;
use crate::region::{self, DESCRIPTOR};
use crate::slices::Run;
use crate::sync::{rmw, shared_write};
use core::ptr::NonNull;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Bytes in slices that are in use, or in a thread's cache.
static IN_USE: AtomicUsize = AtomicUsize::new(0);
/// The most that ever was.
static PEAK: AtomicUsize = AtomicUsize::new(0);
/// Bytes in free slices that may hold memory. Signed, because it is added to and taken from in either order.
static RETAINED: AtomicUsize = AtomicUsize::new(0);
/// Bytes of free slices that it would be good to retain, learned; 0 before the first use.
static LEARNED: AtomicUsize = AtomicUsize::new(0);
/// Bytes purged that would count as a mistake if they were needed now.
static REGRETTABLE: AtomicUsize = AtomicUsize::new(0);
/// What may be retained whatever was learned and is in use.
static MOST: AtomicUsize = AtomicUsize::new(usize::MAX);
/// When the limit was last looked at, in milliseconds.
static LOOKED: AtomicU64 = AtomicU64::new(0);
/// Bytes purged in all.
static PURGED: AtomicUsize = AtomicUsize::new(0);
/// No free slice is below this segment, perhaps.
static LOWEST: AtomicUsize = AtomicUsize::new(0);
/// No free slice that holds memory is below this segment, perhaps.
static LOWEST_DIRTY: AtomicUsize = AtomicUsize::new(0);

/// What the supply has seen.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// Bytes in slices in use.
    pub in_use: usize,
    /// The most that ever was.
    pub peak: usize,
    /// Bytes in free slices that may hold memory.
    pub retained: usize,
    /// How much may be retained at the moment.
    pub limit: usize,
    /// Bytes given back in all.
    pub purged: usize,
}

/// The numbers as they are now.
pub fn usage() -> Usage {
    Usage {
        in_use: IN_USE.load(Relaxed),
        peak: PEAK.load(Relaxed),
        retained: retained(),
        limit: limit(),
        purged: PURGED.load(Relaxed),
    }
}

fn retained() -> usize {
    let n = RETAINED.load(Relaxed);
    if n as isize > 0 { n } else { 0 }
}

/// A run of slices, and whether all of it reads as zero.
#[derive(Clone, Copy, Debug)]
pub struct Supplied {
    /// Number of the first slice.
    pub start: usize,
    /// How many slices hold old contents.
    pub dirty: usize,
}

/// Claims the `n` slices from number `start` on, if they exist and are free.
pub fn claim_at(start: usize, n: usize) -> bool {
    let map = region::slices();
    if start + n > map.segments() * SEGMENT_SLICES || !map.claim_at(start, n) {
        return false;
    }
    taken(Run { start, len: n }, n);
    true
}

/// Claims `n` free slices from a multiple of `align` bytes, without accounting for them: see [`taken`].
pub(crate) fn search(n: usize, align: usize) -> Option<Run> {
    let map = region::slices();
    let slices_aligned = (align / SLICE).max(1);
    if n > SEGMENT_SLICES || slices_aligned > SEGMENT_SLICES {
        let (step, phase) = region::boundary(align);
        return map.claim_segments(n, step, phase);
    }
    let segments = map.segments();
    if retained() >= n * SLICE {
        for s in LOWEST_DIRTY.load(Relaxed)..segments {
            if map.free_dirty(s) != 0
                && let Some(run) = map.claim_in(s, n, slices_aligned, true)
            {
                if n == 1 {
                    set(&LOWEST_DIRTY, s);
                }
                return Some(run);
            }
        }
        if n == 1 {
            set(&LOWEST_DIRTY, segments);
        }
    }
    let hint = LOWEST.load(Relaxed).min(segments);
    for s in (hint..segments).chain(0..hint) {
        if let Some(run) = map.claim_in(s, n, slices_aligned, false) {
            if n == 1 {
                set(&LOWEST, s);
            }
            return Some(run);
        }
    }
    None
}

/// Stores a hint if it changes.
fn set(hint: &AtomicUsize, value: usize) {
    if hint.load(Relaxed) != value {
        shared_write();
        hint.store(value, Relaxed);
    }
}

fn add(counter: &AtomicUsize, n: usize) -> usize {
    rmw();
    counter.fetch_add(n, Relaxed).wrapping_add(n)
}

/// Accounts for a run just claimed, here or from what was set aside. `soon` says how many of its slices the caller is about to write to.
pub(crate) fn taken(run: Run, soon: usize) -> Supplied {
    let dirty = region::slices().count_dirty(run.start, run.len);
    let now = add(&IN_USE, run.len * SLICE);
    if now > PEAK.load(Relaxed) {
        rmw();
        PEAK.fetch_max(now, Relaxed);
    }
    if dirty > 0 {
        add(&RETAINED, (dirty * SLICE).wrapping_neg());
    }
    let fresh = soon.saturating_sub(dirty) * SLICE;
    if fresh > 0 && REGRETTABLE.load(Relaxed) > 0 {
        regret(fresh);
    }
    Supplied {
        start: run.start,
        dirty,
    }
}

/// Memory has to be asked for that was given back a moment ago: keep that much more from now on.
fn regret(bytes: usize) {
    review();
    let credit = REGRETTABLE.load(Relaxed);
    let mistake = bytes.min(credit);
    if mistake == 0 {
        return;
    }
    rmw();
    // If it fails, another thread is doing the same; once is enough.
    if REGRETTABLE
        .compare_exchange(credit, credit - mistake, Relaxed, Relaxed)
        .is_ok()
    {
        let more = learned()
            .saturating_add(mistake)
            .min(config::RETAIN_MAX.get());
        shared_write();
        LEARNED.store(more, Relaxed);
    }
}

fn learned() -> usize {
    LEARNED.load(Relaxed).max(config::RETAIN_MIN.get())
}

/// How much may be retained now.
fn limit() -> usize {
    learned().min(ceiling()).max(config::RETAIN_MIN.get())
}

/// From now on no more than so many bytes are retained, or `RETAIN_MIN`.
pub fn retain_at_most(bytes: usize) {
    MOST.store(bytes, Relaxed);
}

/// What to retain at most with so much in use as now, whatever was learned.
fn ceiling() -> usize {
    let live = IN_USE.load(Relaxed);
    config::RETAIN_IDLE
        .get()
        .max(live / 2)
        .min(config::RETAIN_MAX.get())
        .min(MOST.load(Relaxed))
}

/// How far to go down when more is retained than may be: a little below the limit, so that the next releases need not search
/// for what to purge, but not so far that much has to be asked for again.
fn target() -> usize {
    let limit = limit();
    (limit / 2).max(limit.saturating_sub(SEGMENT))
}

/// Forgets mistakes after a while, and lets the limit shrink if there were none.
fn review() {
    if REGRETTABLE.load(Relaxed) == 0 && learned() <= config::RETAIN_MIN.get() {
        // Nothing to forget and nothing to shrink: the time does not matter.
        return;
    }
    let now = os::coarse_milliseconds();
    let last = LOOKED.load(Relaxed);
    let delay = config::PURGE_DELAY.get().max(1) as u64;
    // Another thread, or a signal handler in between, may have looked later than our `now`.
    let passed = now.saturating_sub(last);
    if passed < delay {
        return;
    }
    rmw();
    if LOOKED
        .compare_exchange(last, now, Relaxed, Relaxed)
        .is_err()
    {
        return;
    }
    shared_write();
    REGRETTABLE.store(0, Relaxed);
    if last != 0 {
        // Once for each delay that has passed, as if somebody had been there to look each time.
        let halvings = (passed / delay).min(20) as u32;
        LEARNED.store(learned() >> halvings, Relaxed);
    }
}

/// Part of some slow paths: gives back what is retained for longer than the delay, also if nothing is freed any more.
pub fn idle() {
    if retained() > config::RETAIN_MIN.get() {
        review();
        if retained() > limit() {
            purge(target());
        }
    }
}

/// Gives a claimed run back of which the first `touched` slices were written to; beyond the limit, the memory goes back to the
/// system.
///
/// # Safety
/// The caller holds the run and nothing in it is used any more.
pub unsafe fn release(start: usize, n: usize, touched: usize) {
    let map = region::slices();
    map.set_dirty(start, touched);
    let bytes = map.count_dirty(start, n) * SLICE;
    review();
    add(&IN_USE, (n * SLICE).wrapping_neg());
    if retained() + bytes > limit() && n >= SEGMENT_SLICES / 2 {
        // Large enough to be purged by itself, while it is still ours.
        map.take_dirty(start, n);
        // SAFETY: the caller's promise.
        unsafe { purge_run(start, n) };
        map.release(start, n);
        lower(&LOWEST, start);
        return;
    }
    let total = add(&RETAINED, bytes);
    map.release(start, n);
    lower(&LOWEST, start);
    lower(&LOWEST_DIRTY, start);
    if total as isize > 0 && total > limit() {
        purge(target());
    }
}

/// Gives a claimed run back that reads as zero, because its memory was moved away.
pub fn release_clean(start: usize, n: usize) {
    region::slices().take_dirty(start, n);
    add(&IN_USE, (n * SLICE).wrapping_neg());
    region::slices().release(start, n);
    lower(&LOWEST, start);
}

fn lower(hint: &AtomicUsize, slice: usize) {
    let segment = slice / SEGMENT_SLICES;
    if segment < hint.load(Relaxed) {
        shared_write();
        hint.store(segment, Relaxed);
    }
}

/// Gives free memory back until at most `target` bytes are retained.
pub fn purge(target: usize) {
    let map = region::slices();
    for segment in (0..map.segments()).rev() {
        if retained() <= target {
            return;
        }
        if map.free_dirty(segment) == 0 {
            continue;
        }
        let ours = map.claim_rest(segment);
        purge_claimed(segment, ours);
        map.release_bits(segment, ours);
    }
}

/// Purges free slices of a segment that the caller has claimed.
fn purge_claimed(segment: usize, mut left: u64) {
    let map = region::slices();
    while left != 0 {
        // Runs of claimed slices, each purged at once if any of it is dirty.
        let from = left.trailing_zeros() as usize;
        let len = (!(left >> from)).trailing_zeros() as usize;
        left &= if from + len >= 64 {
            0
        } else {
            !0 << (from + len)
        };
        let start = segment * SEGMENT_SLICES + from;
        let d = map.take_dirty(start, len);
        if d > 0 {
            // Before the call: who stops in it must not leave the number too high.
            add(&RETAINED, (d * SLICE).wrapping_neg());
            // SAFETY: the caller claimed the run.
            unsafe { purge_run(start, len) };
        }
    }
}

/// Claims up to `most(n)` of the `n` free slices of a segment, and gives their memory back; returns their bits.
pub fn claim_empty(segment: usize, most: impl FnOnce(usize) -> usize) -> u64 {
    let bits = region::slices().claim_some(segment, most);
    purge_claimed(segment, bits);
    bits
}

/// Unmaps a run that was claimed. `false` if the system refuses; then it has been given back.
pub fn unmap(run: Run) -> bool {
    let map = region::slices();
    let dirty = map.count_dirty(run.start, run.len);
    let start = NonNull::new(region::slice_start(run.start));
    // SAFETY: the run was claimed, so nobody refers to it.
    let done = start.is_some_and(|p| unsafe { os::unmap(p, run.len * SLICE) });
    if done {
        map.take_dirty(run.start, run.len);
        add(&RETAINED, (dirty * SLICE).wrapping_neg());
    } else {
        map.release(run.start, run.len);
    }
    done
}

/// Gives empty slices of a segment to everybody that the caller has claimed.
pub fn release_empty(segment: usize, bits: u64) {
    region::slices().release_bits(segment, bits);
    lower(&LOWEST, segment * SEGMENT_SLICES);
}

/// Purges a run that the caller has claimed, and those of its descriptors that fill whole system pages.
///
/// # Safety
/// The caller holds the run; none of its slices is in an inbox.
unsafe fn purge_run(start: usize, n: usize) {
    add(&PURGED, n * SLICE);
    if add(&REGRETTABLE, n * SLICE) == n * SLICE {
        // The first that can be regretted: its time begins now.
        shared_write();
        LOOKED.store(os::coarse_milliseconds(), Relaxed);
    }
    // SAFETY: the caller holds the slices, so their memory is its own.
    unsafe {
        let p = region::slice_start(start);
        os::clear(NonNull::new_unchecked(p), n * SLICE);
    }
    let per_page = os::page_size() / DESCRIPTOR;
    let first = start.next_multiple_of(per_page);
    let last = (start + n) / per_page * per_page;
    if first < last {
        // SAFETY: the descriptors of slices that the caller holds; they describe nothing, so they are zero where it
        // matters, and may as well be zero everywhere.
        unsafe {
            let p = region::descriptor(first);
            os::purge(NonNull::new_unchecked(p), (last - first) * DESCRIPTOR);
        }
    }
}

const _: () = assert!(SEGMENT / SLICE == SEGMENT_SLICES);
