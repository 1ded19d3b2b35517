//! Signals between threads, as far as they are looked at, removed and blocked; and what the program does about those of the system.
//!
//! What is blocked stays in the queue of its thread. Only what programs have sent can be blocked: time limits, alarms and what ends the process come through.

use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::outside::SignalAction;
use samite_sched::Events;
use samite_term::common::Held;
use samite_term::{Atom, Cell, atoms};
use samite_world::threads as os;

pub const TABLE: &[Entry] = &[
    // sig_pending(-Signals), in a module
    det("sig_pending", 1, |m, a| {
        let pending = m.thread.control.pending_signals();
        let (result, module) = m.strip_module(m.arg(a, 0), atoms::USER)?;
        let list = goals(m, &pending, module)?;
        Ok(m.unify(result, list))
    })
    .meta(":"),
    det("sig_remove", 2, sig_remove).meta(":?"),
    // '$signal_blocks'(-Patterns): what is blocked, the latest first.
    det("$signal_blocks", 1, |m, a| {
        let blocked = m.thread.events.blocked.clone();
        let list = terms(m, &blocked)?;
        Ok(m.unify_arg(a, 0, list))
    }),
    det("$block_signals", 1, block_signals),
    det("$catch_signal", 2, catch_signal),
    // '$alert_signal'(-Signal)
    det("$alert_signal", 1, |m, a| {
        m.unify_int(a, 0, os::alert().into())
    }),
    // '$set_alert_signal'(+Signal): fails if the system does not let anybody handle it.
    det("$set_alert_signal", 1, |m, a| {
        let new = m.int_arg(a, 0)?;
        Ok(i32::try_from(new).is_ok_and(os::set_alert))
    }),
];

/// A list of the terms of records.
fn terms(m: &mut Ctx, records: &[Held]) -> Result<Cell, Throw> {
    let mut items = Vec::with_capacity(records.len());
    for r in records {
        items.push(m.heap.instantiate(r)?);
    }
    Ok(m.heap.list(&items, Cell::NIL)?)
}

/// A list of the goals of records, without their module where that is this one.
fn goals(m: &mut Ctx, records: &[Held], module: Atom) -> Result<Cell, Throw> {
    let mut items = Vec::with_capacity(records.len());
    for r in records {
        let goal = m.heap.instantiate(r)?;
        let (plain, own) = m.strip_module(goal, module)?;
        items.push(if own == module { plain } else { goal });
    }
    Ok(m.heap.list(&items, Cell::NIL)?)
}

/// `sig_remove(:Pattern, -Signals)`
fn sig_remove(m: &mut Ctx, a: Args) -> Res {
    let pattern = m.arg(a, 0);
    let pattern = Held::new(m.record_whole(pattern)?);
    let control = m.thread.control.clone();
    let removed = control.remove_signals(Some(true), &mut |goal| m.may_unify(&pattern, goal));
    let (_, module) = m.strip_module(m.arg(a, 0), atoms::USER)?;
    let list = goals(m, &removed, module)?;
    Ok(m.unify_arg(a, 1, list))
}

/// `'$block_signals'(+Patterns)`: these are blocked from now on, and no others. What waits and is not blocked any more runs at the next safe point.
fn block_signals(m: &mut Ctx, a: Args) -> Res {
    let list = m.arg(a, 0);
    let Some((items, _)) = super::args::finite_list(m.term(list)) else {
        return Err(m.type_error("list", list));
    };
    let mut blocked = Vec::with_capacity(items.len());
    for item in items {
        let record = m.record_shared(item.deref(), Held::OVERHEAD)?;
        blocked.push(Held::new(record));
    }
    m.thread.control.set_blocks_signals(!blocked.is_empty());
    m.thread.events.blocked = blocked;
    m.attention.raise(Events::SIGNAL);
    Ok(true)
}

/// `'$catch_signal'(+Number, +Action)`: what the process does about a signal of the system: `default`, `ignore`, or `catch`: it runs
/// `system:'$signal'(Number)` in the main thread. Fails if there is no doing so.
fn catch_signal(m: &mut Ctx, a: Args) -> Res {
    let number = m.int_arg(a, 0)?;
    let action = match m.atom_argument(a, 1)?.as_str() {
        "default" => SignalAction::Default,
        "ignore" => SignalAction::Ignore,
        "catch" => SignalAction::Catch,
        other => return Err(m.domain_error("signal_action", Cell::atom(Atom::new(other)))),
    };
    let Some(host) = m.program.outside.signals.get() else {
        return Ok(false);
    };
    Ok(i32::try_from(number).is_ok_and(|n| host(n, action)))
}
