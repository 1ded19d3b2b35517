//! Waiting for changes of the database, for `library(thread_wait)`: what is under `thread_wait/2` and `thread_update/2`. See [`samite_sched::board`].

use super::args::only_argument;
use super::deadlines::{after, patience, seconds, until, until_term};
use super::threads::sched_error;
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::program::Program;
use samite_code::Predicate;
use samite_code::predicate::flag;
use samite_sched::board::{Change, Wanted, Watch, Woken};
use samite_term::{Atom, Cell, View, atoms};
use samite_world::clock;
use std::time::Instant;

pub const TABLE: &[Entry] = &[
    det("$watch", 4, watch),
    det("$watch_wait", 3, watch_wait),
    det("$unwatch", 1, |m, a| {
        m.program.registry.board.take_down(number(m, a));
        Ok(true)
    }),
    // '$tell_watches'(+Module, +All): those of a module, or the first that sleeps.
    det("$tell_watches", 2, |m, a| {
        let group = m.atom_argument(a, 0)?;
        let all = m.view(a, 1).as_atom() == Some(atoms::TRUE);
        m.program.registry.board.tell(group, all);
        Ok(true)
    }),
    // '$time_in'(+Seconds, -Time): as '$watch_wait'/3 takes it.
    det("$time_in", 2, |m, a| {
        let time = m.arg(a, 0);
        let time = after(seconds(m, time)?);
        let time = match time {
            Some(t) => until_term(m, t)?,
            None => None,
        };
        let time = time.unwrap_or_else(|| Cell::atom(Atom::new("inf")));
        Ok(m.unify_arg(a, 1, time))
    }),
];

/// Has the board told of all changes of the program's predicates: to be called before anything runs.
pub fn connect(program: &Program) {
    let board = program.registry.board.clone();
    let tell = move |p: &'static Predicate, fewer: bool| {
        if board.is_watched() {
            let how = if fewer { Change::Fewer } else { Change::More };
            board.changed(address(p), how);
        }
    };
    program.code.domain.watch(|| Box::new(tell));
}

/// The number by which the board knows a predicate.
fn address(p: &'static Predicate) -> usize {
    std::ptr::from_ref(p) as usize
}

fn number(m: &Ctx, a: Args) -> u64 {
    let c = m.arg(a, 0);
    if c.is_small() {
        c.small_value().cast_unsigned()
    } else {
        0
    }
}

/// `'$watch'(+Module, +Predicates, +All, -Watch)`: a watch of this thread on predicates (`+PI`: another clause; `-PI`: fewer; `PI`: both) and, if `All` is
/// true, on any.
fn watch(m: &mut Ctx, a: Args) -> Res {
    let group = m.atom_argument(a, 0)?;
    let list = m.arg(a, 1);
    let all = m.view(a, 2).as_atom() == Some(atoms::TRUE);
    let Some((items, tail)) = super::args::finite_list(m.term(list)) else {
        return Err(m.type_error("list", list));
    };
    if tail.cell().is_ref() {
        return Err(m.instantiation_error());
    }
    if !tail.is_nil() {
        return Err(m.type_error("list", list));
    }
    let mut these = Vec::with_capacity(items.len());
    for item in items {
        let item = item.deref();
        if item.is_ref() {
            return Err(m.instantiation_error());
        }
        let (t, wanted) = match (only_argument(m, item, "+"), only_argument(m, item, "-")) {
            (Some(t), _) => (t, Wanted::Only(Change::More)),
            (_, Some(t)) => (t, Wanted::Only(Change::Fewer)),
            _ => (item, Wanted::Any),
        };
        these.push((address(watched(m, t, group)?), wanted));
    }
    let watch = Watch {
        group: group.hold(),
        these,
        all,
    };
    let me = m.thread.control.clone();
    let put_up = m
        .program
        .registry
        .board
        .put_up(me.id(), &m.attention, watch);
    match put_up {
        Ok(n) => m.unify_int(a, 3, n.cast_signed()),
        Err(e) => Err(sched_error(m, e, list)),
    }
}

/// The predicate of an indicator, as it may be watched.
fn watched(m: &mut Ctx, t: Cell, module: Atom) -> Result<&'static Predicate, Throw> {
    let (t, module) = m.strip_module(t, module)?;
    let f = m.functor_of_indicator(t)?;
    let named = m.predicate_of(module, f)?;
    let builtin = || m.program.code.find(atoms::SYSTEM, f);
    let p = match m.means(named) {
        Some(p) => p,
        None if named.is_defined() => named,
        None => builtin().filter(|p| p.has(flag::BUILTIN)).unwrap_or(named),
    };
    let kind = if p.has(flag::THREAD_LOCAL) {
        "thread_local"
    } else if p.has(flag::BUILTIN) {
        "external_procedure"
    } else {
        return Ok(p);
    };
    let indicator = m.shown_indicator(p)?;
    Err(m.permission_error("thread_wait", kind, indicator))
}

/// `'$watch_wait'(+Watch, limits(+Time, +Seconds), -Changed)`: waits for what a watch of this thread is for, or so many seconds; fails when the time has
/// come. The watched predicates that have changed since the last wait are a list.
fn watch_wait(m: &mut Ctx, a: Args) -> Res {
    let number = number(m, a);
    let (end, retry) = limits(m, a)?;
    let deadline = [end, retry].into_iter().flatten().min();
    let patience = clock::now() + patience(m);
    let first = deadline.map_or(patience, |d| d.min(patience));
    let (board, attention) = (m.program.registry.board.clone(), m.attention.clone());
    let mut result = board.wait(number, &attention, Some(first));
    if result == Ok(Woken::TimedOut) && deadline != Some(first) {
        m.before_wait();
        result = board.wait(number, &attention, deadline);
        m.after_wait();
    }
    let changed = match result {
        Err(_) => return Err(Throw::Interrupted),
        Ok(Woken::TimedOut) if end.is_some_and(|end| end <= clock::now()) => return Ok(false),
        Ok(Woken::TimedOut) => Vec::new(),
        Ok(Woken::Hits(hits)) => hits,
    };
    let mut items = Vec::with_capacity(changed.len());
    for address in changed {
        // SAFETY: made by `address`; predicates live as long as the process.
        let p: &'static Predicate = unsafe { &*(address as *const Predicate) };
        items.push(m.shown_indicator(p)?);
    }
    let list = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 2, list))
}

/// The time to give up, and that to look once more.
fn limits(m: &mut Ctx, a: Args) -> Result<(Option<Instant>, Option<Instant>), Throw> {
    let (end, retry) = match m.view(a, 1).view() {
        View::Compound(c) if c.arity() == 2 => (c.arg(0).deref(), c.arg(1).deref()),
        _ => {
            let culprit = m.arg(a, 1);
            return Err(m.type_error("compound", culprit));
        }
    };
    let end = match only_argument(m, end, super::deadlines::UNTIL) {
        Some(n) => until(m, n),
        None => None,
    };
    Ok((end, after(seconds(m, retry)?)))
}
