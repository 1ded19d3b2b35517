//! Times until which something is waited for.
//!
//! A deadline is given as seconds from now. A builtin that is called again because of an event must not wait for so long once more: the relative
//! deadline in its arguments has by then been replaced by an absolute one, `'$until'(Nanoseconds)` since the program started.

use crate::engine::ctx::Ctx;
use crate::error::Throw;
use samite_term::Cell;
use samite_world::clock;
use std::time::{Duration, Instant};

/// For how long a builtin waits before it gives memory back.
pub(crate) const PATIENCE: Duration = Duration::from_millis(10);

/// The same for what ends by what other threads do. Where slices are counted it is nothing: whose turn it is must not depend on time.
pub(crate) fn patience(m: &Ctx) -> Duration {
    match m.program.light.is_counted() {
        true => Duration::ZERO,
        false => PATIENCE,
    }
}

pub(crate) const UNTIL: &str = "$until";

/// A number of seconds.
pub(crate) fn seconds(m: &mut Ctx, c: Cell) -> Result<f64, Throw> {
    match m.term(c).number() {
        Some(n) => Ok(n.to_f64()),
        None => match m.term(c).as_atom() {
            Some(a) if matches!(a.as_str(), "inf" | "infinite") => Ok(f64::INFINITY),
            _ => Err(m.type_error("float", c)),
        },
    }
}

/// The time so many seconds from now; `None`: never.
pub(crate) fn after(seconds: f64) -> Option<Instant> {
    let d = Duration::try_from_secs_f64(seconds.max(0.0)).ok()?;
    clock::now().checked_add(d)
}

/// Seconds from now to a time stamp.
pub(crate) fn seconds_to(stamp: f64) -> f64 {
    stamp - clock::wall().as_secs_f64()
}

/// A time as a term that [`until`] reads; `None` if it is too far away to matter.
pub(crate) fn until_term(m: &mut Ctx, time: Instant) -> Result<Option<Cell>, Throw> {
    let since = time.saturating_duration_since(m.program.started);
    match i64::try_from(since.as_nanos())
        .ok()
        .and_then(Cell::try_small)
    {
        Some(n) => m.structure(UNTIL, &[n]).map(Some),
        None => Ok(None),
    }
}

/// The time of the argument of an `'$until'(Nanoseconds)`.
pub(crate) fn until(m: &Ctx, c: Cell) -> Option<Instant> {
    let n = u64::try_from(if c.is_small() { c.small_value() } else { 0 }).unwrap_or(0);
    m.program.started.checked_add(Duration::from_nanos(n))
}
