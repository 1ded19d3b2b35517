//! Where slices come from: those that are free, those that are away, the region as it grows, in the end the reserve.
//!
//! ```text
//!   claim:    free (supply) --none--> away --none--> grow the region, and again --refused--> free, away, reserve: a few times
//! ```
//!
//! None of these asks another for what it has not; the order is here alone. What is claimed is given back to `supply`, wherever it came from.
//! Any thread.

use crate::config::SEGMENT_SLICES;
use crate::slices::Run;
use crate::supply::{self, Supplied};
use crate::{away, os, region, reserve};

/// Claims `n` slices whose first byte is aligned to `align`, a power of two. `soon` says how many of them the caller is about
/// to write to. `None` if there is no address space left.
pub fn claim(n: usize, align: usize, soon: usize) -> Option<Supplied> {
    let run = loop {
        if let Some(run) = supply::search(n, align).or_else(|| away::claim(n, align)) {
            break run;
        }
        // Another thread may take what we added; then there is still progress, and we add more.
        let (step, phase) = region::boundary(align);
        if !region::grow(n.div_ceil(SEGMENT_SLICES), step, phase) {
            break at_last(n, align)?;
        }
    };
    Some(supply::taken(run, soon))
}

/// A run where the system gives nothing more: somebody may have given something back, or it is the reserve's. Who moves slices from one map to another,
/// or purges them, has them for a moment, so a small request is not refused at once; but a thread that is stopped then must not stop others.
#[cold]
fn at_last(n: usize, align: usize) -> Option<Run> {
    const TRIES: usize = 16;
    let mut tries = if n <= reserve::RUN { TRIES } else { 1 };
    loop {
        let run = supply::search(n, align)
            .or_else(|| away::claim(n, align))
            .or_else(|| reserve::claim(n, align));
        tries -= 1;
        if run.is_some() || tries == 0 {
            return run;
        }
        os::yield_now();
    }
}
