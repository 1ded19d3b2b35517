//! Threads as predicates (but for their creation): joining, signalling, ending, and what is known about them.
//!
//! The life of a thread is that of `samite_sched::registry`: [`run_thread`] is what the OS thread does. Error terms are those of
//! SWI-Prolog. This file also has what queues and mutexes share with threads: references and properties.
//!
//! A builtin that waits does so in two steps: shortly with all of its memory, which is the common case between busy
//! threads, then [`Ctx::before_wait`] gives back what is not needed and it waits for good. When an event interrupts
//! it, it returns [`Throw::Interrupted`] and is called again with the arguments in the registers ([`super::deadlines`]).

use super::args::{callable, only_argument};
use super::deadlines::{PATIENCE, UNTIL, after, seconds, until, until_term};
use super::options::size_option;
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::going::{Outcome, memory_error};
use crate::engine::long;
use crate::engine::mapped::Mapped;
use crate::engine::worker::{Args, OwnedWorker};
use crate::error::{Res, Throw};
use crate::state::program::Program;
use crate::state::streams::StandardStreams;
use samite_sched::deadlock::Edge;
pub(crate) use samite_sched::registry::Flags;
use samite_sched::registry::{Status, ThreadControl};
use samite_sched::{Events, Reference, SchedError};
use samite_stream::{StreamError, StreamId};
use samite_term::common::Held;
use samite_term::growth::LITTLE;
use samite_term::walked::KeptRecord;
use samite_term::{Atom, Cell, Functor, HandleKind, HeldAtom, Number, Record, View, atoms};
use samite_world::{clock, threads as os};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};
use std::time::Duration;

pub const TABLE: &[Entry] = &[
    det("thread_join", 1, thread_join_1),
    det("thread_join", 2, thread_join),
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
    det("thread_yield", 0, |_, _| {
        std::thread::yield_now();
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
const GRACE: Duration = Duration::from_secs(1);

// --- the life of a thread ---

/// What a new thread gets from its creator.
#[derive(Debug)]
pub(crate) struct Start {
    /// Not counted, it would be nobody's while the thread begins; nor is it its thread's any more when that reports how it ended.
    pub goal: KeptRecord,
    pub typein: HeldAtom,
    pub flags: Flags,
    pub(crate) locale: crate::state::locale::NamedLocale,
    pub(crate) inherited: Vec<crate::state::loading::Inherited>,
    pub(crate) standard_streams: StandardStreams,
    /// Current input and output of the creator. What has been closed when the thread uses it is replaced by the standard one.
    pub streams: (StreamId, StreamId),
}

/// Ends a thread whatever happens: the last thing to be dropped.
struct Ending {
    program: Arc<Program>,
    control: Arc<ThreadControl>,
}

impl Drop for Ending {
    fn drop(&mut self) {
        // Counts only if nothing was concluded: the machine panicked.
        self.control
            .conclude(Status::Exception(Held::new(panicked())));
        self.program.registry.finish(&self.control);
    }
}

/// Runs a thread from start to end, on memory that its creator has mapped. To be called on an OS thread of its own.
pub(crate) fn run_thread(
    program: Arc<Program>,
    control: Arc<ThreadControl>,
    mapped: Mapped,
    start: Start,
) {
    control.set_system_id(os::number());
    // It may have got an alias meanwhile; see `set_thread/2`.
    fence(Ordering::SeqCst);
    if let Some(alias) = control.alias() {
        os::set_name(os::number(), alias.as_str());
    }
    let ending = Ending {
        program: program.clone(),
        control: control.clone(),
    };
    let m = OwnedWorker::begin(mapped, program.clone(), control.clone());
    let halted = run_machine(m, &control, start);
    drop(ending);
    if let Some(status) = halted
        && program.ending.ends_process()
    {
        // The main thread ends the process; but it may be reading from a terminal.
        os::sleep(GRACE);
        let delivered = program.streams.flush_all();
        std::process::exit(status_after_output(status, delivered));
    }
}

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

/// The goal of a thread, then the signals that came before it was over. The first exception of these ends the thread, unless
/// one has already. The exit status if `halt/1` was called by this thread rather than for it.
fn run_machine(mut m: OwnedWorker, control: &Arc<ThreadControl>, start: Start) -> Option<i32> {
    m.thread.modules.typein = start.typein;
    m.ctx().set_flags(start.flags);
    m.thread.locale = start.locale;
    m.thread.loading.inherited = start.inherited;
    m.thread.io.standard = start.standard_streams;
    (m.thread.io.current_input, m.thread.io.current_output) = start.streams;
    let outcome = match begin(&mut m) {
        Outcome::True | Outcome::False => m.run_once(&start.goal),
        ended => ended,
    };
    // A detached thread that ends badly says what it was running.
    let goal = control.is_detached().then_some(start.goal);
    let mut halting = Halting::default();
    let mut status = match outcome {
        Outcome::True => Status::True,
        Outcome::False => Status::False,
        Outcome::Exception(ball) => status_of_ball(&mut m, ball),
        Outcome::Halt(status) => {
            halting.begin(&m.program, control, status);
            Status::True
        }
    };
    control.refuse_signals();
    // A process that ends waits for no signal.
    while !halting.begun
        && m.program.ending.status().is_none()
        && let Some(signal) = control.next_signal()
    {
        match m.run_signal(&signal) {
            Outcome::True | Outcome::False => {}
            Outcome::Exception(ball) => {
                if matches!(status, Status::True | Status::False) {
                    status = status_of_ball(&mut m, ball);
                }
            }
            Outcome::Halt(status) => halting.begin(&m.program, control, status),
        }
    }
    control.conclude(status.clone());
    if !halting.begun {
        m.mask_always(Events::ALL);
        if let Some(goal) = &goal {
            report(&mut m, goal, &status);
        }
    }
    while !halting.begun
        && let Some(goal) = control.next_at_exit()
    {
        // It may be reported, and is not its thread's any more.
        let goal = KeptRecord::new(goal);
        match m.run_once(&goal) {
            Outcome::True | Outcome::False => {}
            Outcome::Exception(ball) => report_exit_goal(&mut m, control, &goal, ball),
            Outcome::Halt(status) => halting.begin(&m.program, control, status),
        }
    }
    halting.status
}

/// What `thread_initialization/1` has any thread begin with.
fn begin(m: &mut OwnedWorker) -> Outcome {
    m.thread.control.set_size(m.memory());
    if !m.program.initializes_threads.load(Ordering::Acquire) {
        return Outcome::True;
    }
    let goal = Cell::atom(Atom::new("$thread_init"));
    m.run_once(&KeptRecord::new(Held::new(Record::immediate(goal))))
}

/// The end of a thread by `halt/1`, called by it or for it.
#[derive(Default)]
struct Halting {
    begun: bool,
    /// The exit status, if it is this thread that ends the process.
    status: Option<i32>,
}

impl Halting {
    /// The status is settled, and all others are told, before anybody hears that the thread has ended: who joins it may be about to call
    /// `halt/0`.
    fn begin(&mut self, program: &Program, control: &ThreadControl, status: i32) {
        self.begun = true;
        if program.ending.settle(status) {
            self.status = Some(status);
            program.registry.raise_all(Events::HALT, Some(control.id()));
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

/// The error of a thread that ends in a panic.
fn panicked() -> Record {
    let line = samite_term::panics::take();
    long::fault(line.as_ref().map_or("thread_panicked", |l| l.as_str()))
}

impl Program {
    /// Ends the program, whose main thread is not to wait for the others.
    pub fn end(&self, me: &ThreadControl, status: i32) -> i32 {
        halt_others(self, me, status, Duration::ZERO)
    }
}

/// Exception, or the exit of `thread_exit/1`: `unwind(thread_exit(Term))`.
fn status_of_ball(m: &mut OwnedWorker, ball: Record) -> Status {
    let exited = m.ctx().exit_of_ball(&ball);
    m.reset();
    match exited {
        Some(term) => Status::Exited(m.ctx().held(term)),
        None => Status::Exception(m.ctx().held(ball)),
    }
}

/// Tells the user that a thread which nobody joins has not ended well.
fn report(m: &mut OwnedWorker, goal: &Record, status: &Status) {
    if !matches!(status, Status::False | Status::Exception(_)) {
        return;
    }
    let made = m.ctx().abnormal_completion(goal, status);
    run_report(m, made);
}

/// Tells the user that a goal to run at the end of a thread raised an exception.
fn report_exit_goal(
    m: &mut OwnedWorker,
    control: &Arc<ThreadControl>,
    goal: &Record,
    ball: Record,
) {
    m.reset();
    let id = thread_term(m.ctx(), control);
    let made = m.ctx().exit_goal_raised(id, goal, &ball);
    run_report(m, made);
}

/// Runs a goal that tells the user something, if there is one and there was memory for it.
fn run_report(m: &mut OwnedWorker, made: Result<Option<Cell>, Throw>) {
    if let Ok(Some(goal)) = made
        && let Ok(goal) = m.ctx().record(goal)
    {
        m.reset();
        let _ = m.run_once(&goal);
    }
    m.reset();
}

impl Ctx<'_> {
    /// What `thread_exit/1` was given, if that is what was thrown.
    fn exit_of_ball(&mut self, ball: &Record) -> Option<Record> {
        let t = self.heap.instantiate(ball).ok()?;
        let unwind = only_argument(self, t, "unwind")?;
        let term = only_argument(self, unwind, "thread_exit")?;
        Some(self.record(term).unwrap_or_else(|_| memory_error()))
    }

    /// What a thread leaves behind: a large term is refused where there is no room for it. A small one may be about just that.
    fn held(&self, r: Record) -> Held {
        let bytes = 8 * r.len();
        let kept = bytes < LITTLE || self.room(bytes).is_ok();
        Held::new(if kept { r } else { memory_error() })
    }

    /// The goal that prints how a thread has ended, if that is to be told.
    fn abnormal_completion(
        &mut self,
        goal: &Record,
        status: &Status,
    ) -> Result<Option<Cell>, Throw> {
        let reason = status_term(self, status)?;
        if let Some(ball) = only_argument(self, reason, "exception")
            && (ball == Cell::atom(atoms::ABORT) || only_argument(self, ball, "unwind").is_some())
        {
            return Ok(None);
        }
        let goal = self.heap.instantiate(goal)?;
        let reason = match status {
            Status::False => Cell::atom(atoms::FAIL),
            _ => reason,
        };
        let message = self.structure("abnormal_thread_completion", &[goal, reason])?;
        self.printed_warning(message)
    }

    /// The goal that prints what a goal at the end of a thread has raised.
    fn exit_goal_raised(
        &mut self,
        id: Cell,
        goal: &Record,
        ball: &Record,
    ) -> Result<Option<Cell>, Throw> {
        let goal = self.heap.instantiate(goal)?;
        let ball = self.heap.instantiate(ball)?;
        let message = self.structure("exit_goal_raised", &[id, goal, ball])?;
        self.printed_warning(message)
    }

    fn printed_warning(&mut self, message: Cell) -> Result<Option<Cell>, Throw> {
        let warning = Cell::atom(Atom::new("warning"));
        self.structure("print_message", &[warning, message])
            .map(Some)
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

fn status_term(m: &mut Ctx, status: &Status) -> Result<Cell, Throw> {
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
    let id = m.arg(a, 0);
    let r = reference(m, id, "thread")?;
    let (program, me) = (m.program.clone(), m.thread.control.clone());
    let mut waiting = None;
    if let Ok(t) = program.registry.thread(r)
        && t.is_running()
    {
        if m.detects_deadlocks() && !Arc::ptr_eq(&t, &me) {
            let Ok(begun) = program.registry.waits.begin(me.id(), Edge::Thread(t.id())) else {
                let error = m.permission_error("join", "thread", id);
                return Err(m.with_message(error, "Deadlock"));
            };
            waiting = Some(begun);
        }
        m.before_wait();
    }
    let joined = program.registry.join(&me, r);
    m.after_wait();
    drop(waiting);
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
    let overtakes = crate::engine::long::overtakes(&goal);
    let thread = m.program.registry.thread(r);
    match thread.and_then(|t| t.signal(goal, overtakes)) {
        Ok(()) => Ok(true),
        Err(e) => Err(sched_error(m, e, id)),
    }
}

/// `sleep(Seconds)`; `sleep('$until'(N))` after an interruption.
fn sleep(m: &mut Ctx, a: Args) -> Res {
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
    if deadline.is_none_or(|d| d > now + PATIENCE) {
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
