//! The reserve: free slices that nobody gets but who finds nothing else, and needs little.
//!
//! Under a limit of address space memory ends for everybody at once, and most small requests of a program cannot be refused: their refusal is the
//! end of the process. So the program has some slices kept ([`keep`]), asks before what can be refused whether they are all there
//! ([`fill`]), and goes without if not. They are really held, not looked for when they are needed: what a look finds, another thread takes.
//!
//! ```text
//!   FREE (bit in the map of free slices) --hold--> HELD (bit in the map of held ones) --claim--> USED --release--> FREE
//!   whenever a call of fill has returned true: held + what was claimed from the reserve since = wanted slices, or more
//!   a request that finds no slice in the end: either more than RUN slices together, or none so long are held
//! ```
//!
//! So nothing small is refused while what all threads take between two calls of [`fill`] is less than the reserve. A request of the larger classes
//! is content with a run for itself alone instead of a pageblock, and a smaller one with a larger block ([`crate::api`]).
//!
//! How slices come from one map to another, and are counted, is [`crate::aside`]'s. Held slices have no memory. The other numbers are relaxed: they
//! steer, they protect nothing.

use crate::aside::Aside;
use crate::away;
use crate::config::SLICE;
use crate::region;
use crate::slices::Run;
use crate::supply;
use crate::sync::{AtomicU64, rmw};
use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering, Ordering::Relaxed};

/// The longest run, in slices, that the reserve is for.
pub(crate) const RUN: usize = 16;

/// Slices that are to be held.
static WANTED: AtomicUsize = AtomicUsize::new(0);
/// Slices that are.
static HELD: AtomicU64 = AtomicU64::new(0);
/// The fewest that were left after a claim from them.
static LEAST: AtomicUsize = AtomicUsize::new(usize::MAX);

fn aside() -> Aside<'static> {
    Aside::new(region::held(), &HELD)
}

/// Slices that are held, or about to be.
fn slices() -> usize {
    HELD.load(Relaxed) as usize
}

/// Told when there is nothing for a small request.
static AT_THE_END: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// From now on `hook` is called where a request of a size class finds nothing, not even in the reserve: most of these are followed by an abort, and
/// the rest by others of the kind. It must not allocate. If it returns, the request is refused.
pub fn at_the_end(hook: fn()) {
    // Release, paired with the acquire in `exhausted`: what the hook refers to was made before.
    AT_THE_END.store(hook as *mut (), Ordering::Release);
}

/// A small request was refused.
#[cold]
pub(crate) fn exhausted() {
    let hook = AT_THE_END.load(Ordering::Acquire);
    if !hook.is_null() {
        // SAFETY: only `at_the_end` stores here, and stores a function of this type.
        let hook = unsafe { core::mem::transmute::<*mut (), fn()>(hook) };
        hook();
    }
}

/// From now on `bytes` are to be held; 0: none. What is held beyond them is let go, the rest is [`fill`]'s.
pub fn keep(bytes: usize) {
    let wanted = bytes.div_ceil(SLICE);
    WANTED.store(wanted, Relaxed);
    for segment in 0..region::held().segments() {
        if slices() <= wanted {
            return;
        }
        supply::release_empty(segment, aside().claim_rest(segment));
    }
}

/// Whether all that is to be held is.
#[inline]
pub fn is_full() -> bool {
    slices() >= WANTED.load(Relaxed)
}

/// Bytes that are held at the moment.
pub fn held() -> usize {
    slices() * SLICE
}

/// Unmaps `bytes` of the reserve, or as many as there are, for somebody who needs addresses of the system to give memory back; returns how many
/// bytes these were.
pub fn give_up(bytes: usize) -> usize {
    let mut done = 0;
    for n in [RUN, 4, 1] {
        while done < bytes
            && let Some(run) = claim(n, SLICE)
        {
            if !away::unmap(run) {
                return done;
            }
            done += n * SLICE;
        }
    }
    done
}

/// The fewest bytes that were ever left in the reserve when something was taken from it; `None` if nothing was.
pub fn least() -> Option<usize> {
    match LEAST.load(Relaxed) {
        usize::MAX => None,
        n => Some(n * SLICE),
    }
}

/// Holds what is to be held, as far as it can be had; whether that is all.
pub fn fill() -> bool {
    is_full() || fill_up()
}

#[cold]
fn fill_up() -> bool {
    if !region::initialise() {
        return false;
    }
    // Segments of which nothing is used first: runs of any length are in them.
    hold(true);
    for n in [64, 16, 4, 1] {
        while !is_full()
            && let Some(run) = away::claim(n, SLICE)
        {
            let held = count(n);
            aside().put_run(run.start, held);
            region::slices().release(run.start + held, n - held);
        }
    }
    while !is_full() && can_hold_more() && region::grow_by(1, 1, 0, 1) {
        hold(true);
    }
    if !is_full() {
        hold(false);
    }
    // A program as large as that is not refused anything for what cannot be held.
    is_full() || !can_hold_more()
}

/// Whether of the segment to be mapped next slices can be held, perhaps.
fn can_hold_more() -> bool {
    region::held().segments() == region::slices().segments()
}

/// Holds what is missing, of whole segments only or of whatever is free.
fn hold(whole: bool) {
    let map = region::slices();
    for segment in (0..region::held().segments()).rev() {
        if is_full() {
            return;
        }
        let used = map.used(segment);
        if used == 0 || !whole && used != !0 {
            let bits = supply::claim_empty(segment, count);
            aside().put(segment, bits);
        }
    }
}

/// Counts those of `n` slices that are missing as held.
fn count(n: usize) -> usize {
    aside().count(n, WANTED.load(Relaxed))
}

/// Claims `n` slices from a multiple of `align` bytes out of the reserve.
pub(crate) fn claim(n: usize, align: usize) -> Option<Run> {
    let align = (align / SLICE).max(1);
    if n > RUN || align > RUN || slices() == 0 {
        return None;
    }
    let aside = aside();
    let (run, left) = (0..aside.map().segments()).find_map(|s| aside.claim(s, n, align))?;
    rmw();
    LEAST.fetch_min(left, Relaxed);
    Some(run)
}

/// Checks the equations, while no other thread allocates: what is held is counted, and a slice is there to be claimed in one map at most.
pub fn verify() -> Result<(), &'static str> {
    let (free, held, away) = (region::slices(), region::held(), region::away());
    let (mut n, mut n_away) = (0, 0);
    for s in 0..held.segments() {
        let [f, h, a] = [free, held, away].map(|map| !map.used(s));
        if f & h | h & a | a & f != 0 {
            return Err("a slice is free, held or away, but not one of these alone");
        }
        n += h.count_ones() as usize;
        n_away += a.count_ones() as usize;
    }
    if n == slices() && n_away == away::slices() {
        Ok(())
    } else {
        Err("slices set aside are miscounted")
    }
}
