//! What of a thread can be set while it runs: name, class, processors, whether it is debugged.

use super::options::{atom_option, bool_option};
use super::thread_create::{cpus, priority};
use super::threads::{reference, sched_error, thread_term};
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_sched::registry::ThreadControl;
use samite_sched::{Action, SchedError};
use samite_term::{Cell, View, atoms};
use samite_world::threads::{self as os, Cpus};
use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};

pub const TABLE: &[Entry] = &[
    det("thread_alias", 1, |m, a| {
        let alias = m.arg(a, 0);
        let me = m.thread.control.clone();
        set_alias(m, &me, alias)
    }),
    det("set_thread", 2, set_thread),
    det("thread_affinity", 3, thread_affinity),
    // '$initializes_threads': new threads begin with the goal '$thread_init'.
    det("$initializes_threads", 0, |m, _| {
        m.program.initializes_threads.store(true, Ordering::Release);
        Ok(true)
    }),
];

fn thread(m: &mut Ctx, a: Args) -> Result<Arc<ThreadControl>, Throw> {
    let id = m.arg(a, 0);
    let r = reference(m, id, "thread")?;
    let found = m.program.registry.thread(r);
    found.map_err(|e| sched_error(m, e, id))
}

fn set_alias(m: &mut Ctx, thread: &Arc<ThreadControl>, alias: Cell) -> Res {
    let name = atom_option(m, alias)?;
    match m.program.registry.set_alias(thread, name) {
        Ok(()) => {
            // The main thread's name is that of the process. One that has not started yet sees its alias when it does, after a fence of its own.
            fence(Ordering::SeqCst);
            if let Some(id) = thread.system_id().filter(|_| thread.id().number() != 1) {
                os::set_name(id, name.as_str());
            }
            Ok(true)
        }
        Err(e @ SchedError::Permission(Action::ReAlias, ..)) => {
            let culprit = thread_term(m, thread);
            Err(sched_error(m, e, culprit))
        }
        Err(e) => Err(sched_error(m, e, alias)),
    }
}

/// `set_thread(+Thread, +Property)`
fn set_thread(m: &mut Ctx, a: Args) -> Res {
    let thread = thread(m, a)?;
    let property = m.arg(a, 1);
    let (name, value) = match m.term(property).view() {
        View::Compound(c) if c.arity() == 1 => (c.name(), c.arg(0).deref()),
        View::Var(_) | View::Attributed(_) => return Err(m.instantiation_error()),
        _ => return Err(m.type_error("property", property)),
    };
    match name.as_str() {
        "alias" => return set_alias(m, &thread, value),
        "debug" => thread.set_debug(bool_option(m, value)?),
        "class" => {
            let class = atom_option(m, value)?;
            thread.set_class(class.hold());
        }
        "priority" => {
            let wanted = priority(m, value)?;
            if !thread.attention().is_light() {
                let culprit = thread_term(m, &thread);
                return Err(m.permission_error("priority", "native_thread", culprit));
            }
            thread.set_priority(wanted);
        }
        _ => return Err(m.domain_error("thread_property", property)),
    }
    Ok(true)
}

/// `thread_affinity(+Thread, -Old, +New)`: the processors that a thread may run on.
fn thread_affinity(m: &mut Ctx, a: Args) -> Res {
    let thread = thread(m, a)?;
    let id = m.arg(a, 0);
    let (old, new) = (m.arg(a, 1), m.arg(a, 2));
    let (View::Var(_) | View::Attributed(_) | View::List(..) | View::Atom(atoms::NIL)) =
        m.term(old).view()
    else {
        return Err(m.type_error("list", old));
    };
    // What is asked for only is not set.
    let wanted = match old == new {
        true => None,
        false if new.is_ref() => return Err(m.instantiation_error()),
        false => Some(cpus(m, new)?),
    };
    if thread.attention().is_light() {
        // Whoever carries it does.
        return Err(m.permission_error("affinity", "light_thread", id));
    }
    let mut system = thread.system_id();
    if system.is_none() {
        // It has been created, and starts any moment.
        m.before_wait();
        let started = thread.started(&m.thread.control);
        m.after_wait();
        system = started.map_err(|e| sched_error(m, e, id))?;
    }
    let (Some(system), Some(before)) = (system, system.and_then(Cpus::of)) else {
        return Err(m.existence_error("thread", id));
    };
    let mut numbers = Vec::new();
    for n in before.numbers() {
        numbers.push(Cell::small(n as i64));
    }
    let list = m.heap.list(&numbers, Cell::NIL)?;
    if !m.unify_arg(a, 1, list) {
        return Ok(false);
    }
    if let Some(cpus) = wanted
        && !cpus.bind_thread(system)
    {
        return Err(m.permission_error("set", "cpu_affinity", new));
    }
    Ok(true)
}
