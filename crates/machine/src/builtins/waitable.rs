//! Waiting for input of several streams (`wait_for_input/3`), and how long a stream is waited for.

use super::args::{only_argument, proper_list};
use super::deadlines::{UNTIL, after, seconds, until, until_term};
use super::streams::Target;
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_sched::Interrupted;
use samite_sched::readiness::{Ready, is_ready};
use samite_stream::{Stream, StreamId};
use samite_term::{Cell, growth};
use samite_world::clock;
use std::time::{Duration, Instant};

pub const TABLE: &[Entry] = &[det("wait_for_input", 3, wait_for_input)];

/// How long a stream is waited for, of a number of seconds or `infinite`: `None`. Less than no time is none.
pub(super) fn patience(m: &mut Ctx, c: Cell) -> Result<Option<Duration>, Throw> {
    let seconds = seconds(m, c)?;
    Ok(Duration::try_from_secs_f64(seconds.max(0.0)).ok())
}

/// Until when, of the last argument: for ever, where that is infinite or less than nothing.
fn deadline(m: &mut Ctx, c: Cell) -> Result<Option<Instant>, Throw> {
    if let Some(n) = only_argument(m, c, UNTIL) {
        return Ok(until(m, n));
    }
    if c.is_ref() {
        return Err(m.instantiation_error());
    }
    let seconds = seconds(m, c)?;
    Ok(if seconds < 0.0 { None } else { after(seconds) })
}

/// `wait_for_input(+Streams, -Ready, +Timeout)`: those that can be read from at once, in the order of the list; none if the time has come before.
fn wait_for_input(m: &mut Ctx, a: Args) -> Res {
    let streams = proper_list(m, m.arg(a, 0))?;
    let deadline = deadline(m, m.arg(a, 2))?;
    loop {
        // (One may have been closed meanwhile.)
        let mut targets = growth::with_room(streams.len())?;
        let mut ready = growth::with_room(streams.len())?;
        for &c in &streams {
            let t = m.input_target(c)?;
            let s = m.locked(&t)?;
            let Some(fd) = s.fd() else {
                drop(s);
                return Err(match m.program.streams.is_open(t.id) {
                    true => m.domain_error("waitable_stream", c),
                    false => m.existence_error("stream", c),
                });
            };
            if s.has_input() || is_ready(fd, direction(&s)) {
                ready.push(c);
            }
            drop(s);
            targets.push(t);
        }
        if !ready.is_empty() || deadline.is_some_and(|d| d <= clock::now()) {
            let list = m.heap.list(&ready, Cell::NIL)?;
            return Ok(m.unify_arg(a, 1, list));
        }
        if wait(m, &targets, deadline).is_err() {
            if let Some(d) = deadline
                && let Some(t) = until_term(m, d)?
            {
                m.set_register(a.0 + 2, t);
            }
            return Err(Throw::Interrupted);
        }
    }
}

fn direction(s: &Stream) -> Ready {
    match s.is_input() {
        true => Ready::Read,
        false => Ready::Write,
    }
}

/// Waits for one of them; may return early. Nobody keeps them locked meanwhile.
fn wait(m: &mut Ctx, targets: &[Target], deadline: Option<Instant>) -> Result<(), Interrupted> {
    let mut seen: Vec<StreamId> = Vec::new();
    let mut locked = Vec::new();
    for t in targets {
        if seen.contains(&t.id) {
            continue;
        }
        let Some(mut s) = t.stream.try_lock() else {
            // Somebody uses it: that is soon over, or he waits for it, too.
            drop(locked);
            return m.wait_a_moment();
        };
        seen.push(t.id);
        // What others take from there they tell of.
        s.watch();
        locked.push(s);
    }
    let fds = locked.iter().filter_map(|s| Some((s.fd()?, direction(s))));
    let watch = m.watch(&fds.collect::<Vec<_>>());
    drop(locked);
    match watch {
        Some(watch) => m.await_watched(watch, deadline),
        None => m.wait_a_moment(),
    }
}
