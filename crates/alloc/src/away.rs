//! Addresses that were given back to the system: free slices that are not mapped any more.
//!
//! What the region has mapped it keeps, and purges. Under a limit of address space that is too much: what was allocated once could be used for nothing
//! else, such as a thread's stack. So who is refused a mapping by the system has free slices unmapped ([`give_back`]), and who finds no free
//! slice has them mapped again.
//!
//! ```text
//!   FREE --give_back: claim, unmap--> AWAY (bit set) --claim, map--> USED
//!                                       |   ^  the system refused
//!                                       +---+------------------> USED for ever: somebody else's mapping is there
//! ```
//!
//! Of a segment that is free as a whole not the slices are away: its room is there again ([`crate::region`]). Descriptors
//! stay mapped in any case.

use crate::aside::Aside;
use crate::config::SLICE;
use crate::os::{self, MappedAt};
use crate::region;
use crate::slices::Run;
use crate::supply;
use crate::sync::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

/// Slices that are away.
static AWAY: AtomicU64 = AtomicU64::new(0);

fn aside() -> Aside<'static> {
    Aside::new(region::away(), &AWAY)
}

/// Slices that are away, or about to be.
pub(crate) fn slices() -> usize {
    AWAY.load(Relaxed) as usize
}

/// Unmaps `bytes` of free slices, or as many as there are; returns how many bytes these were.
pub fn give_back(bytes: usize) -> usize {
    let mut done = 0;
    // Long runs first: each is a mapping less or more for the system.
    for least in [64, 16, 4, 1] {
        for segment in (0..region::away().segments()).rev() {
            while done < bytes {
                let Some(run) = region::slices().claim_in(segment, least, 1, false) else {
                    break;
                };
                if !unmap(run) {
                    return done;
                }
                done += run.len * SLICE;
            }
        }
    }
    done
}

/// Unmaps a run that the caller has claimed. `false` if the system refuses; then it is free.
pub(crate) fn unmap(run: Run) -> bool {
    if !supply::unmap(run) {
        return false;
    }
    if run.len < 64 {
        let counted = aside().count(run.len, usize::MAX);
        debug_assert_eq!(counted, run.len);
        aside().put_run(run.start, run.len);
    } else {
        region::give_room(run.start / 64);
    }
    true
}

/// Claims `n` slices from a multiple of `align` bytes that are away, and maps them again.
pub(crate) fn claim(n: usize, align: usize) -> Option<Run> {
    let align = (align / SLICE).max(1);
    if slices() < n || n > 64 || align > 64 {
        return None;
    }
    let aside = aside();
    for segment in 0..aside.map().segments() {
        while let Some((run, _)) = aside.claim(segment, n, align) {
            match os::map_at(region::slice_start(run.start), n * SLICE) {
                MappedAt::Yes => return Some(run),
                // It is lost.
                MappedAt::Taken => {}
                MappedAt::Refused => {
                    aside.count(n, usize::MAX);
                    aside.put_run(run.start, n);
                    return None;
                }
            }
        }
    }
    None
}
