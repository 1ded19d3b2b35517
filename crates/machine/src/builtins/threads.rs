//! Threads as predicates (but for their creation): joining, signalling, ending, and what is known about them.
//!
//! Error terms are those of SWI-Prolog. What a thread runs from its beginning to its end: [`super::lives`]. This file also has what queues and mutexes share with threads: references and properties.
//!
//! A builtin that waits does so in two steps: shortly with all of its memory, which is the common case between busy
//! threads, then [`Ctx::before_wait`] gives back what is not needed and it waits for good. When an event interrupts
//! it, it returns [`Throw::Interrupted`] and is called again with the arguments in the registers ([`super::deadlines`]).

use super::args::{callable, only_argument};
use super::deadlines::{PATIENCE, UNTIL, after, patience, seconds, until, until_term};
use super::options::size_option;
use super::thread_create::{LIGHT, NATIVE};
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::program::Program;
use samite_sched::deadlock::Edge;
use samite_sched::registry::{Status, ThreadControl};
use samite_sched::{Events, Reference, SchedError};
use samite_stream::StreamError;
use samite_term::common::Held;
use samite_term::{Atom, Cell, Functor, HandleKind, Number, View, atoms};
use samite_world::{clock, simulated};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

pub const TABLE: &[Entry] = &[
    det("thread_join", 1, thread_join_1),
    det("thread_join", 2, thread_join),
    det("$count_calls", 1, |m, a| {
        // Before there are others: slices are so many calls from now on.
        let calls = m.arg(a, 0).small_value();
        let attention = m.attention.clone();
        let light = m.program.light.clone();
        let calls = u64::try_from(calls).unwrap_or(1);
        let clock = m.program.registry.timers.clone();
        let Some(visit) = light.count_calls(calls, &attention, clock) else {
            return Ok(false);
        };
        visit.stay();
        m.begin_slice();
        Ok(true)
    }),
    det("$is_simulated", 0, |_, _| Ok(simulated::is_on())),
    det("thread_self", 1, |m, a| {
        let me = my_term(m);
        Ok(m.unify_arg(a, 0, me))
    })
    .core(),
    det("thread_detach", 1, thread_detach).core(),
    det("thread_exit", 1, thread_exit),
    det("thread_at_exit", 1, thread_at_exit),
    det("thread_signal", 2, thread_signal).meta("?0").core(),
    det("is_thread", 1, |m, a| {
        let known = Reference::from_cell(m.arg(a, 0)).map(|r| m.program.registry.thread(r));
        Ok(matches!(known, Some(Ok(_))))
    }),
    det("thread_yield", 0, |m, _| {
        match m.attention.is_light() || m.program.light.is_counted() {
            true => m.attention.raise(Events::SLICE),
            false => std::thread::yield_now(),
        }
        Ok(true)
    }),
    det("thread_setconcurrency", 2, |m, a| m.unify_int(a, 0, 0)),
    det("$signal_at_safe_point", 2, |m, a| {
        let n = size_option(m, m.arg(a, 0))?;
        let goal = m.arg(a, 1);
        let goal = qualified(m, goal)?;
        m.signal_later(n as u64, goal);
        Ok(true)
    }),
    det("sleep", 1, sleep),
    det("$thread_properties", 3, thread_properties),
];

/// For how long the process may go on after a thread other than the main one called `halt/1`.
pub(super) const GRACE: Duration = Duration::from_secs(1);

// --- the end of a program ---

/// The status to exit with, after the last output. Says so if that was lost.
pub fn status_after_output(status: i32, delivered: Result<(), StreamError>) -> i32 {
    match delivered {
        Ok(()) => status,
        Err(e) => {
            // A closed pipe is how the reader says that it has enough.
            let closed = matches!(&e, StreamError::Io { error, .. } if error.kind() == std::io::ErrorKind::BrokenPipe);
            if !closed {
                let _ = writeln!(std::io::stderr(), "samite: output is lost: {e}");
            }
            if status == 0 { 1 } else { status }
        }
    }
}

/// Gets all threads but the caller to end, and waits for that for a while. Who has caught that and goes on is told once more then. Returns the status to
/// exit with.
pub fn halt_others(program: &Program, me: &ThreadControl, status: i32, limit: Duration) -> i32 {
    let status = program.ending.status_or(status);
    program.registry.raise_all(Events::HALT, Some(me.id()));
    me.attention().set_masked(Events::ALL);
    let others = &program.registry;
    let gone = others.wait_for_others(me, Some(clock::now() + limit));
    if gone.is_err() && !limit.is_zero() {
        others.raise_all(Events::HALT, Some(me.id()));
    }
    status
}

impl Program {
    /// Ends the program, whose main thread is not to wait for the others.
    pub fn end(&self, me: &ThreadControl, status: i32) -> i32 {
        halt_others(self, me, status, Duration::ZERO)
    }
}

// --- shared with queues and mutexes ---

/// What a program calls a thread or queue. Errors as for the type `ty`.
pub(crate) fn reference(m: &mut Ctx, c: Cell, ty: &str) -> Result<Reference, Throw> {
    // An opaque constant of another kind is a queue that is not there, but no thread.
    let queue = ty == "message_queue";
    match Reference::from_cell(c) {
        Some(Reference::Handle(h))
            if !queue && !matches!(h.kind(), HandleKind::Thread | HandleKind::Engine) =>
        {
            Err(m.type_error(ty, c))
        }
        Some(r) => Ok(r),
        None if c.is_blob() && queue => Err(m.existence_error(ty, c)),
        None => Err(m.type_error(ty, c)),
    }
}

/// The exception for an error about what the program calls `culprit`.
pub(crate) fn sched_error(m: &mut Ctx, e: SchedError, culprit: Cell) -> Throw {
    match e {
        SchedError::Existence(kind, _) => m.existence_error(kind.as_str(), culprit),
        SchedError::Permission(action, kind, _) => {
            m.permission_error(action.as_str(), kind.as_str(), culprit)
        }
        SchedError::Type(kind, _) => m.type_error(kind.as_str(), culprit),
        SchedError::TooManyThreads => m.resource_error("threads"),
        SchedError::NoMemory => Throw::Memory,
        // Those who set a deadline look for it themselves.
        SchedError::Interrupted | SchedError::TimedOut => Throw::Interrupted,
    }
}

/// The property asked for: `None` if any. Fails with a domain error for what is none.
pub(crate) fn property(
    m: &mut Ctx,
    a: Args,
    i: usize,
    domain: &str,
    known: &[&str],
) -> Result<Option<Atom>, Throw> {
    let p = m.arg(a, i);
    match m.term(p).view() {
        View::Var(_) | View::Attributed(_) => Ok(None),
        View::Compound(c) if c.arity() == 1 && known.contains(&c.name().as_str()) => {
            Ok(Some(c.name()))
        }
        View::Atom(_) | View::Compound(_) | View::List(..) => Err(m.domain_error(domain, p)),
        _ => Err(m.type_error(domain, p)),
    }
}

/// Collects the properties of one kind as `Key-Property` pairs.
pub(crate) struct Properties {
    pub wanted: Option<Atom>,
    pub pairs: Vec<Cell>,
}

impl Properties {
    pub fn add(&mut self, m: &mut Ctx, key: Cell, name: &str, value: Cell) -> Result<(), Throw> {
        if self.wanted.is_some_and(|w| w.as_str() != name) {
            return Ok(());
        }
        let p = m.structure(name, &[value])?;
        let pair = m.heap.structure(Functor::new(atoms::MINUS, 2), &[key, p])?;
        self.pairs.push(pair);
        Ok(())
    }
    pub fn add_count(&mut self, m: &mut Ctx, key: Cell, name: &str, n: u64) -> Result<(), Throw> {
        let value = m.heap.number(&Number::Int(n as i64))?;
        self.add(m, key, name, value)
    }
}

/// How a thread is named in terms of this heap.
pub(crate) fn thread_term(m: &mut Ctx, t: &ThreadControl) -> Cell {
    let name = Reference::of_thread(t).cell();
    // An engine goes with its last handle.
    m.heap.meet(name);
    name
}

/// How the thread at hand is named.
pub(crate) fn my_term(m: &mut Ctx) -> Cell {
    let me = m.thread.control.clone();
    thread_term(m, &me)
}

pub(super) fn status_term(m: &mut Ctx, status: &Status) -> Result<Cell, Throw> {
    Ok(match status {
        Status::Running => Cell::atom(Atom::new("running")),
        Status::True => Cell::atom(atoms::TRUE),
        Status::False => Cell::atom(atoms::FALSE),
        Status::Exception(r) => {
            let t = m.heap.instantiate(r)?;
            m.structure("exception", &[t])?
        }
        Status::Exited(r) => {
            let t = m.heap.instantiate(r)?;
            m.structure("exited", &[t])?
        }
    })
}

// --- the predicates ---

/// Waits for the end of a thread; its status as a term.
fn join(m: &mut Ctx, a: Args) -> Result<Cell, Throw> {
    let joined = join_or_wait(m, a);
    m.has_waited(joined)
}

fn join_or_wait(m: &mut Ctx, a: Args) -> Result<Cell, Throw> {
    let id = m.arg(a, 0);
    let r = reference(m, id, "thread")?;
    let (program, me) = (m.program.clone(), m.thread.control.clone());
    let mut waiting = None;
    m.attention.forget_edge();
    if let Ok(t) = program.registry.thread(r)
        && t.is_running()
        && m.detects_deadlocks()
        && !Arc::ptr_eq(&t, &me)
    {
        let Ok(begun) = program.registry.begin_wait(&me, Edge::Thread(t)) else {
            let error = m.permission_error("join", "thread", id);
            return Err(m.with_message(error, "Deadlock"));
        };
        waiting = Some(begun);
    }
    let (reader, patience) = (m.reader.clone(), patience(m));
    let joined =
        (program.registry).join_and(&me, r, patience, || m.before_wait(), || reader.resume());
    m.after_wait();
    if let Some(edge) = waiting
        && m.attention.is_suspended()
    {
        m.attention.keep_edge(edge);
    }
    match joined {
        Ok(status) => status_term(m, &status),
        Err(e @ SchedError::Permission(..)) => {
            let own = program
                .registry
                .thread(r)
                .is_ok_and(|t| Arc::ptr_eq(&t, &me));
            let why = match own {
                true => "Cannot join self",
                false => "It is detached, or another thread joins it",
            };
            let error = sched_error(m, e, id);
            Err(m.with_message(error, why))
        }
        Err(e) => Err(sched_error(m, e, id)),
    }
}

fn thread_join(m: &mut Ctx, a: Args) -> Res {
    let status = join(m, a)?;
    Ok(m.unify_arg(a, 1, status))
}

fn thread_join_1(m: &mut Ctx, a: Args) -> Res {
    let id = m.arg(a, 0);
    let status = join(m, a)?;
    if status == Cell::atom(atoms::TRUE) {
        return Ok(true);
    }
    let formal = m.structure("thread_error", &[id, status])?;
    Err(m.error_term(formal))
}

fn thread_detach(m: &mut Ctx, a: Args) -> Res {
    let id = m.arg(a, 0);
    let r = reference(m, id, "thread")?;
    match m.program.registry.detach(r) {
        Ok(()) => Ok(true),
        Err(e) => Err(sched_error(m, e, id)),
    }
}

fn thread_exit(m: &mut Ctx, a: Args) -> Res {
    if m.thread.control.id().number() == 1 || m.thread.control.is_engine() {
        let me = my_term(m);
        return Err(m.permission_error("exit", "thread", me));
    }
    let term = m.arg(a, 0);
    let exit = m.structure("thread_exit", &[term])?;
    Err(Throw::Term(m.structure("unwind", &[exit])?))
}

/// A goal recorded with the module it is to run in.
pub(super) fn qualified(m: &mut Ctx, goal: Cell) -> Result<Held, Throw> {
    callable(m, goal)?;
    let mut goal = goal;
    if m.thread.modules.typein.get() != atoms::USER {
        let module = Cell::atom(m.thread.modules.typein.get());
        goal = m
            .heap
            .structure(Functor::new(atoms::COLON, 2), &[module, goal])?;
    }
    Ok(Held::new(m.record_shared(goal, Held::OVERHEAD)?))
}

fn thread_at_exit(m: &mut Ctx, a: Args) -> Res {
    let goal = m.arg(a, 0);
    let held = qualified(m, goal)?;
    let added = m.thread.control.at_exit(held);
    added.map_err(|e| sched_error(m, e, goal))?;
    Ok(true)
}

fn thread_signal(m: &mut Ctx, a: Args) -> Res {
    let (id, goal) = (m.arg(a, 0), m.arg(a, 1));
    let r = reference(m, id, "thread")?;
    let goal = match m.term(goal).view() {
        View::Int(n @ 1..32) => {
            let goal = m.structure("$signal", &[Cell::small(n)])?;
            m.structure(":", &[Cell::atom(atoms::SYSTEM), goal])?
        }
        View::Int(_) => return Err(m.domain_error("signal", goal)),
        // As goals are shown.
        View::Compound(c)
            if c.name() == atoms::COLON
                && c.arity() == 2
                && c.arg(0).deref() == Cell::atom(atoms::USER)
                && m.thread.modules.typein.get() == atoms::USER =>
        {
            c.arg(1).deref()
        }
        _ => goal,
    };
    let goal = qualified(m, goal)?;
    let overtakes = crate::engine::signal_goals::overtakes(&goal);
    let thread = m.program.registry.thread(r);
    match thread.and_then(|t| t.signal(goal, overtakes)) {
        Ok(()) => Ok(true),
        Err(e) => Err(sched_error(m, e, id)),
    }
}

/// `sleep(Seconds)`; `sleep('$until'(N))` after an interruption.
fn sleep(m: &mut Ctx, a: Args) -> Res {
    let slept = sleep_or_wait(m, a);
    m.has_waited(slept)
}

fn sleep_or_wait(m: &mut Ctx, a: Args) -> Res {
    let time = m.arg(a, 0);
    let deadline = match only_argument(m, time, UNTIL) {
        Some(n) => until(m, n),
        None => {
            let s = seconds(m, time)?;
            if s <= 0.0 {
                return Ok(true);
            }
            after(s)
        }
    };
    let now = clock::now();
    if !m.attention.is_light() && deadline.is_none_or(|d| d > now + PATIENCE) {
        m.before_wait();
    }
    let slept = m.attention.sleep(deadline);
    m.after_wait();
    if slept.is_ok() {
        return Ok(true);
    }
    if let Some(d) = deadline
        && let Some(t) = until_term(m, d)?
    {
        m.set_register(a.0, t);
    }
    Err(Throw::Interrupted)
}

const THREAD_PROPERTIES: &[&str] = &[
    "id",
    "alias",
    "status",
    "detached",
    "system_thread_id",
    "debug",
    "debug_mode",
    "class",
    "engine",
    "kind",
    "priority",
    "thread",
    "size",
];

/// `'$thread_properties'(Id, Property, Pairs)`: all pairs `Id-Property`, of one thread or, with `Id` unbound, of all.
fn thread_properties(m: &mut Ctx, a: Args) -> Res {
    let id = m.arg(a, 0);
    let threads = match id.is_ref() {
        true => m.program.registry.threads(),
        false => {
            let r = reference(m, id, "thread")?;
            match m.program.registry.thread(r) {
                Ok(t) => vec![t],
                Err(e) => return Err(sched_error(m, e, id)),
            }
        }
    };
    let wanted = property(m, a, 1, "thread_property", THREAD_PROPERTIES)?;
    let mut found = Properties {
        wanted,
        pairs: Vec::new(),
    };
    for t in threads {
        let key = match id.is_ref() {
            true => thread_term(m, &t),
            false => id,
        };
        found.add_count(m, key, "id", t.id().number().into())?;
        if let Some(alias) = t.alias() {
            found.add(m, key, "alias", Cell::atom(alias))?;
        }
        let status = match t.is_suspended() {
            true => Cell::atom(Atom::new("suspended")),
            false => status_term(m, &t.status())?,
        };
        found.add(m, key, "status", status)?;
        let detached = if t.is_detached() {
            atoms::TRUE
        } else {
            atoms::FALSE
        };
        found.add(m, key, "detached", Cell::atom(detached))?;
        let debug = if t.debug() { atoms::TRUE } else { atoms::FALSE };
        found.add(m, key, "debug", Cell::atom(debug))?;
        let engine = match t.is_engine() {
            true => atoms::TRUE,
            false => atoms::FALSE,
        };
        found.add(m, key, "engine", Cell::atom(engine))?;
        let kind = match t.attention().is_light() {
            true => LIGHT,
            false => NATIVE,
        };
        if !t.is_engine() {
            found.add(m, key, "kind", Cell::atom(Atom::new(kind)))?;
        }
        if t.attention().is_light() {
            let priority = Cell::small(t.priority().into());
            found.add(m, key, "priority", priority)?;
        }
        if let Some(class) = t.class() {
            found.add(m, key, "class", Cell::atom(class.get()))?;
        }
        if let Some(n) = t.system_id() {
            found.add_count(m, key, "system_thread_id", n)?;
        }
        if Arc::ptr_eq(&t, &m.thread.control) {
            t.set_size(m.memory());
        }
        if t.is_running() {
            found.add_count(m, key, "size", t.size() as u64)?;
        }
    }
    let list = m.heap.list(&found.pairs, Cell::NIL)?;
    Ok(m.unify_arg(a, 2, list))
}
