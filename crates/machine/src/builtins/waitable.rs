//! Waiting for input of several streams (`wait_for_input/3`), and how long a stream is waited for.

use super::args::{only_argument, proper_list};
use super::deadlines::{UNTIL, after, seconds, until, until_term};
use super::streams::Target;
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_sched::readiness::{Ready, are_ready};
use samite_stream::StreamId;
use samite_term::{Cell, growth};
use samite_world::{clock, descriptors};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
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
    let mut targets = growth::with_room(streams.len())?;
    let mut files = growth::with_room(streams.len())?;
    let mut found = growth::with_room(streams.len())?;
    for c in streams {
        let t = m.input_target(c)?;
        let s = m.locked(&t)?;
        let Some(fd) = s.fd() else {
            drop(s);
            return Err(m.domain_error("waitable_stream", c));
        };
        // It may be closed meanwhile.
        let file = descriptors::duplicate(fd);
        let what = if s.is_input() {
            Ready::Read
        } else {
            Ready::Write
        };
        found.push(s.has_input());
        drop(s);
        files.push((file.map_err(|e| refused(m, &e))?, what));
        targets.push(t);
    }
    // What is in a buffer is there at once, and so is what the system has then.
    let buffered = found.contains(&true);
    loop {
        let asked: Vec<_> = files
            .iter()
            .map(|(file, what)| (file.as_fd(), *what))
            .collect();
        for (found, ready) in found.iter_mut().zip(are_ready(&asked)) {
            *found |= ready;
        }
        if buffered || found.contains(&true) || deadline.is_some_and(|d| d <= clock::now()) {
            break;
        }
        drop(asked);
        if wait(m, &targets, &files, deadline).is_err() {
            if let Some(d) = deadline
                && let Some(t) = until_term(m, d)?
            {
                m.set_register(a.0 + 2, t);
            }
            return Err(Throw::Interrupted);
        }
    }
    let ready = targets.iter().zip(found).filter(|(_, found)| *found);
    let ready: Vec<Cell> = ready.map(|(t, _)| t.culprit).collect();
    let list = m.heap.list(&ready, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, list))
}

/// Waits for one of them. A light thread does so away, unless somebody else uses one: the descriptors are those of the streams then, so that
/// closing one is heard of.
fn wait(
    m: &mut Ctx,
    targets: &[Target],
    files: &[(OwnedFd, Ready)],
    deadline: Option<Instant>,
) -> Result<(), samite_sched::Interrupted> {
    if m.attention.is_light() {
        let mut seen: Vec<StreamId> = Vec::new();
        let mut locked = Vec::new();
        for (t, (_, what)) in targets.iter().zip(files) {
            if !seen.contains(&t.id)
                && let Some(mut s) = t.stream.try_lock()
            {
                s.watch();
                seen.push(t.id);
                locked.push((s, *what));
            }
        }
        let all = targets.iter().all(|t| seen.contains(&t.id));
        let own: Option<Vec<_>> = (locked.iter())
            .map(|(s, what)| Some((s.fd()?, *what)))
            .collect();
        if all && let Some(own) = own {
            return m.until_descriptors(&own, deadline);
        }
    }
    let fds: Vec<_> = files
        .iter()
        .map(|(file, what)| (file.as_fd(), *what))
        .collect();
    m.until_copies(&fds, deadline)
}

fn refused(m: &mut Ctx, e: &io::Error) -> Throw {
    match e.raw_os_error() {
        Some(samite_world::numbers::ENOMEM) => Throw::Memory,
        _ => m.resource_error("max_files"),
    }
}
