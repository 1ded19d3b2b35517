//! Message queues as predicates: sending, receiving by pattern, creating, properties.
//!
//! A message is copied out of the sender's heap once; receivers try it against their pattern under the queue's lock, and the
//! one that takes it keeps the copy made for that on its own heap. See [`super::threads`] for waiting.
//!
//! Goals that wait for variables of a pattern decide with it whether a message fits. They cannot run under the lock: a pattern with attributed variables is left to
//! `library/control/constrained_messages.pl`, which sees messages one after another, and takes one when its goals have succeeded.

use super::deadlines::{UNTIL, after, patience, seconds, seconds_to, until, until_term};
use super::hashes::has_attributed;
use super::options::{atom_option, options, size_option};
use super::threads::{Properties, my_term, property, reference, sched_error};
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::program::Program;
use crate::state::recent_queue::RecentQueue;
use samite_sched::deadlock::{Edge, Waiting};
use samite_sched::{
    Events, Hope, Limit, Message, MessageKey, MessageQueue, Patience, QueueError, Reference, Seen,
    ThreadControl, Unsent,
};
use samite_term::{Atom, Cell, View, atoms};
use samite_world::clock;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

pub const TABLE: &[Entry] = &[
    det("thread_send_message", 2, |m, a| send(m, a, None))
        .core()
        .refuses_first(),
    det("thread_send_message", 3, |m, a| timed(m, a, send)).refuses_first(),
    det("thread_get_message", 1, |m, a| {
        let pattern = m.arg(a, 0);
        let got = with_own(m, |m, queue| {
            get_if_goals_allow(m, queue, pattern, None, None)
        });
        m.has_waited(got)
    })
    .core(),
    det("thread_get_message", 2, |m, a| get_from(m, a, None)).core(),
    det("thread_get_message", 3, |m, a| timed(m, a, get_from)).core(),
    det("thread_peek_message", 1, |m, a| {
        let pattern = m.arg(a, 0);
        with_own(m, |m, queue| peek_if_goals_allow(m, queue, pattern, None))
    })
    .core(),
    det("thread_peek_message", 2, |m, a| {
        let (pattern, name) = (m.arg(a, 1), m.arg(a, 0));
        with_queue(m, a, |m, q| {
            peek_if_goals_allow(m, &q.queue, pattern, Some(name))
        })
    })
    .core(),
    // '$see_message'(+Queue, ?Pattern, +After, -Seen, +Options): Pattern is unified with the first message which it fits behind one that was seen, or with After = 0 of
    // all; it stays.
    det("$see_message", 5, see_or_time_out),
    // '$take_message'(+Queue, +Seen): the message, if it is still there.
    det("$take_message", 2, |m, a| {
        let name = m.arg(a, 0);
        with_queue(m, a, |m, q| match q.queue.take_seen(seen_before(m, a, 1)) {
            Ok(taken) => Ok(taken),
            Err(e) => outcome::<()>(m, Err(e), name),
        })
    }),
    det("message_queue_create", 1, create_1).refuses_first(),
    det("message_queue_create", 2, create)
        .core()
        .refuses_first(),
    det("message_queue_destroy", 1, destroy).core(),
    det("message_queue_set", 2, set),
    det("is_message_queue", 1, |m, a| {
        let c = m.arg(a, 0);
        Ok(Reference::from_cell(c).is_some_and(|r| m.program.registry.queue(r).is_ok()))
    }),
    det("$message_queue_properties", 3, properties),
];

/// Does something with the queue, or thread's own queue, that argument 0 names.
fn with_queue<T>(
    m: &mut Ctx,
    a: Args,
    run: impl FnOnce(&mut Ctx, &mut RecentQueue) -> Result<T, Throw>,
) -> Result<T, Throw> {
    let mut queue = queue_argument(m, a)?;
    if queue.queue.is_destroyed() {
        queue = queue_argument(m, a)?;
    }
    use_queue(m, queue, run)
}

/// The same where the operation itself says that the queue has been destroyed.
fn use_queue<T>(
    m: &mut Ctx,
    mut queue: RecentQueue,
    run: impl FnOnce(&mut Ctx, &mut RecentQueue) -> Result<T, Throw>,
) -> Result<T, Throw> {
    let result = run(m, &mut queue);
    if result.is_ok() || !queue.queue.is_destroyed() {
        m.recent_queue = Some(queue);
    }
    result
}

/// The queue that argument 0 names; it may have been destroyed since it was used last.
fn queue_argument(m: &mut Ctx, a: Args) -> Result<RecentQueue, Throw> {
    let name = m.arg(a, 0);
    if let Some(queue) = m.attention.waits_at() {
        let recent = m.recent_queue.take();
        let same = recent.filter(|recent| Arc::ptr_eq(&recent.queue, &queue));
        return Ok(same.unwrap_or_else(|| RecentQueue::unnamed(queue)));
    }
    // (Before the names are looked at: what changes meanwhile is looked at again.)
    let version = m.program.registry.names_version();
    if let Some(recent) = m.recent_queue.take()
        && recent.is_named(name, version)
    {
        return Ok(recent);
    }
    let r = reference(m, name, "message_queue")?;
    match m.program.registry.queue(r) {
        Ok(queue) => Ok(RecentQueue::named(name, version, queue)),
        Err(e) => Err(sched_error(m, e, name)),
    }
}

/// Does something with the thread's own queue.
fn with_own<T>(
    m: &mut Ctx,
    run: impl FnOnce(&mut Ctx, &Arc<MessageQueue>) -> Result<T, Throw>,
) -> Result<T, Throw> {
    let queue = m.own_queue.take();
    let queue = queue.unwrap_or_else(|| m.thread.control.queue().clone());
    let result = run(m, &queue);
    m.own_queue = Some(queue);
    result
}

/// How an operation on the queue called `name` ended.
fn outcome<T>(m: &mut Ctx, result: Result<T, QueueError>, name: Cell) -> Res {
    match result {
        Ok(_) => Ok(true),
        Err(QueueError::TimedOut) => Ok(false),
        Err(QueueError::Interrupted) => Err(Throw::Interrupted),
        Err(QueueError::NoMemory) => Err(Throw::Memory),
        Err(QueueError::TooManyBytes) => Err(m.resource_error("message_queue_bytes")),
        Err(QueueError::Deadlock) => {
            let error = m.permission_error("wait", "message_queue", name);
            Err(m.with_message(error, "Deadlock"))
        }
        Err(QueueError::Destroyed) => {
            // (That of a thread that has ended, if it is one.)
            match Reference::from_cell(name).map(|r| m.program.registry.queue(r)) {
                Some(Err(e)) => Err(sched_error(m, e, name)),
                _ => Err(m.existence_error("message_queue", name)),
            }
        }
    }
}

/// The same where the queue without a name is the thread's own.
fn outcome_of<T>(m: &mut Ctx, result: Result<T, QueueError>, name: Option<Cell>) -> Res {
    match (&result, name) {
        (Ok(_), _) => Ok(true),
        (Err(_), Some(name)) => outcome(m, result, name),
        (Err(_), None) => {
            let me = my_term(m);
            outcome(m, result, me)
        }
    }
}

/// Does something with the queue in argument 0, a term in argument 1 and the time limit of the options in argument 2.
fn timed(m: &mut Ctx, a: Args, run: fn(&mut Ctx, Args, Option<Instant>) -> Res) -> Res {
    let list = m.arg(a, 2);
    let mut deadline: Option<Instant> = None;
    let mut late = false;
    for (name, value) in options(m, list, "timeout_option")? {
        let time = match name.as_str() {
            UNTIL => until(m, value),
            "timeout" | "deadline" => {
                let mut left = seconds(m, value)?;
                if name.as_str() == "deadline" {
                    left = seconds_to(left);
                }
                late |= left < 0.0;
                after(left)
            }
            "signals" => {
                let known = matches!(m.term(value).as_atom(), Some(atoms::TRUE | atoms::FALSE));
                if value.is_ref() {
                    return Err(m.instantiation_error());
                } else if !known && m.term(value).number().is_none() {
                    return Err(m.domain_error("signal_option", value));
                }
                continue;
            }
            _ => continue,
        };
        deadline = match (deadline, time) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
    if late {
        // Errors of the queue come first.
        return with_queue(m, a, |_, _| Ok(false));
    }
    let result = run(m, a, deadline);
    if let (Err(Throw::Interrupted), Some(d)) = (&result, deadline)
        && let Some(t) = until_term(m, d)?
    {
        let list = m.heap.list(&[t], Cell::NIL)?;
        m.set_register(a.0 + 2, list);
    }
    result
}

/// The end of the first, short wait. A light thread's is the only one: it is suspended.
fn first_limit(m: &Ctx, deadline: Option<Instant>) -> Limit {
    match m.attention.is_light() {
        true => Limit::Until(deadline),
        false => Limit::Within(patience(m), deadline),
    }
}

/// Whether a first wait that was too long ended because it was short.
fn goes_on(m: &Ctx, error: QueueError, deadline: Option<Instant>) -> bool {
    error == QueueError::TimedOut
        && !m.attention.is_light()
        && deadline.is_none_or(|d| d > clock::now())
}

/// Looks for deadlocks where a thread waits at a queue for good, if the program asks for that.
struct LooksAround {
    program: Arc<Program>,
    me: Arc<ThreadControl>,
    queue: Arc<MessageQueue>,
    waiting: Option<Waiting>,
}

impl Hope for LooksAround {
    fn is_lost(&mut self) -> bool {
        let registry = &self.program.registry;
        if let Some(waiting) = &self.waiting {
            return registry.wait_again(waiting).is_err();
        }
        let edge = Edge::Queue(self.queue.clone());
        self.waiting = registry.begin_wait(&self.me, edge).ok();
        self.waiting.is_none()
    }
}

impl LooksAround {
    fn new(m: &Ctx, queue: &Arc<MessageQueue>, deadline: Option<Instant>) -> Option<LooksAround> {
        // Relaxed: a switch that stands for itself.
        let looks = deadline.is_none() && m.program.detects_deadlocks.load(Ordering::Relaxed);
        looks.then(|| LooksAround {
            program: m.program.clone(),
            me: m.thread.control.clone(),
            queue: queue.clone(),
            waiting: None,
        })
    }
    fn hope(this: &mut Option<LooksAround>) -> Option<&mut dyn Hope> {
        this.as_mut().map(|looks| looks as &mut dyn Hope)
    }
    /// A light thread that waits on is still one of those that wait.
    fn keep(this: Option<LooksAround>, m: &Ctx) {
        if let Some(waiting) = this.and_then(|looks| looks.waiting)
            && m.attention.is_suspended()
        {
            m.attention.keep_edge(waiting);
        }
    }
}

fn send(m: &mut Ctx, a: Args, deadline: Option<Instant>) -> Res {
    let sent = send_or_wait(m, a, deadline);
    m.has_waited(sent)
}

fn send_or_wait(m: &mut Ctx, a: Args, deadline: Option<Instant>) -> Res {
    let (name, message) = (m.arg(a, 0), m.arg(a, 1));
    let queue = queue_argument(m, a)?;
    use_queue(m, queue, |m, recent| {
        let mut message = match Message::constant(message) {
            Some(constant) => constant,
            None => Message::Term(m.record_shared(message, 0)?),
        };
        if let Some(arrivals) = &recent.arrivals {
            match arrivals.leave(message) {
                Ok(()) => return Ok(true),
                Err(back) => message = back,
            }
        }
        let queue = &recent.queue;
        let mut looks = LooksAround::new(m, queue, deadline);
        let first = Patience::new(first_limit(m, deadline), LooksAround::hope(&mut looks));
        let mut result = queue.send(message, &m.attention, first);
        if let Err(Unsent(error, message)) = result {
            if !goes_on(m, error, deadline) {
                LooksAround::keep(looks, m);
                return outcome::<()>(m, Err(error), name);
            }
            let attention = m.attention.clone();
            m.before_wait();
            let patience = Patience::new(deadline, LooksAround::hope(&mut looks));
            result = queue.send(message, &attention, patience);
            m.after_wait();
        }
        if recent.arrivals.is_none() {
            recent.arrivals = queue.arrivals();
        }
        outcome(m, result.map_err(|Unsent(error, _)| error), name)
    })
}

/// The same of somebody who waits for good: back for as long as that takes.
fn fits_back(m: &mut Ctx, pattern: Cell, message: &Message, starved: &mut bool) -> bool {
    m.reader.come_back();
    let fits = fits(m, pattern, message, starved);
    if !fits {
        m.go_away();
    }
    fits
}

/// Tries a message against a pattern: unified, or everything as before. Memory for the copy may lack: `starved`.
fn fits(m: &mut Ctx, pattern: Cell, message: &Message, starved: &mut bool) -> bool {
    if *starved {
        return false;
    }
    let record = match message {
        // (A binding that is made is the end of it.)
        Message::Constant(constant) => return m.unify(pattern, *constant),
        Message::Term(record) => record,
    };
    let mark = m.heap.mark();
    let fits = match m.heap.instantiate_on_credit(record) {
        Ok(t) => m.unify(pattern, t),
        Err(_) => {
            *starved = true;
            // Ends the wait.
            m.attention.raise(Events::COLLECT);
            false
        }
    };
    if fits {
        m.heap.commit(mark);
    } else {
        // SAFETY: all that was made is the copy of the message, and only the bindings refer to it.
        unsafe { m.heap.rollback(mark) };
    }
    fits
}

fn get_from(m: &mut Ctx, a: Args, deadline: Option<Instant>) -> Res {
    let (name, pattern) = (m.arg(a, 0), m.arg(a, 1));
    let got = with_queue(m, a, |m, q| {
        get_if_goals_allow(m, &q.queue, pattern, Some(name), deadline)
    });
    m.has_waited(got)
}

/// Whether goals may wait for variables of a pattern.
fn has_goals(m: &mut Ctx, pattern: Cell) -> Result<bool, Throw> {
    Ok(m.heap.has_had_attributed() && has_attributed(m, pattern)?)
}

fn get_if_goals_allow(
    m: &mut Ctx,
    queue: &Arc<MessageQueue>,
    pattern: Cell,
    name: Option<Cell>,
    deadline: Option<Instant>,
) -> Res {
    if !has_goals(m, pattern)? {
        return get(m, queue, pattern, name, deadline);
    }
    let name = name.unwrap_or_else(|| my_term(m));
    let until = deadline.map(|d| until_term(m, d)).transpose()?.flatten();
    let options = m.heap.list(until.as_slice(), Cell::NIL)?;
    let goal = m.structure("$get_constrained_message", &[name, pattern, options])?;
    Err(Throw::Rest(goal))
}

fn peek_if_goals_allow(
    m: &mut Ctx,
    queue: &MessageQueue,
    pattern: Cell,
    name: Option<Cell>,
) -> Res {
    if !has_goals(m, pattern)? {
        return peek(m, queue, pattern, name);
    }
    let name = name.unwrap_or_else(|| my_term(m));
    let goal = m.structure("$peek_constrained_message", &[name, pattern])?;
    Err(Throw::Rest(goal))
}

fn see_or_time_out(m: &mut Ctx, a: Args) -> Res {
    // (The options are where `timed` looks for them.)
    let deadline = match options(m, m.arg(a, 4), "timeout_option")?.first() {
        Some(&(_, value)) => until(m, value),
        None => None,
    };
    let seen = see(m, a, deadline);
    m.has_waited(seen)
}

/// What an argument says of a message that was seen: `seen(Number, Slot)`, or 0.
fn seen_before(m: &Ctx, a: Args, i: usize) -> Seen {
    match m.view(a, i).view() {
        View::Compound(c) if c.arity() == 2 => {
            let word = |i| match c.arg(i).view() {
                View::Int(n) => n as u64,
                _ => 0,
            };
            let (number, slot) = (word(0), word(1) as u32);
            Seen { number, slot }
        }
        _ => Seen::default(),
    }
}

fn see(m: &mut Ctx, a: Args, deadline: Option<Instant>) -> Res {
    let (name, pattern, after) = (m.arg(a, 0), m.arg(a, 1), seen_before(m, a, 2));
    let attention = m.attention.clone();
    with_queue(m, a, |m, q| {
        let queue = &q.queue;
        let seen = receive(m, queue, pattern, deadline, |key, matches, patience| {
            queue.see(key, after, matches, &attention, patience)
        })?;
        match seen {
            Ok(seen) => {
                let words = [seen.number as i64, i64::from(seen.slot)].map(Cell::small);
                let seen = m.structure("seen", &words)?;
                Ok(m.unify_arg(a, 3, seen))
            }
            Err(e) => outcome::<()>(m, Err(e), name),
        }
    })
}

fn get(
    m: &mut Ctx,
    queue: &Arc<MessageQueue>,
    pattern: Cell,
    name: Option<Cell>,
    deadline: Option<Instant>,
) -> Res {
    let attention = m.attention.clone();
    let result = receive(m, queue, pattern, deadline, |key, matches, patience| {
        queue.get(key, matches, &attention, patience)
    })?;
    outcome_of(m, result, name)
}

/// Looks for a message that fits, by an operation on a queue which waits until some time: for a moment, then for good.
fn receive<T>(
    m: &mut Ctx,
    queue: &Arc<MessageQueue>,
    pattern: Cell,
    deadline: Option<Instant>,
    mut look: impl FnMut(
        Option<MessageKey>,
        &mut dyn FnMut(&Message) -> bool,
        Patience<'_>,
    ) -> Result<T, QueueError>,
) -> Result<Result<T, QueueError>, Throw> {
    let key = MessageKey::of_term(m.term(pattern));
    let mut starved = false;
    let mut looks = LooksAround::new(m, queue, deadline);
    let first = Patience::new(first_limit(m, deadline), LooksAround::hope(&mut looks));
    let mut result = look(key, &mut |r| fits(m, pattern, r, &mut starved), first);
    if let Err(error) = result
        && goes_on(m, error, deadline)
        && !starved
    {
        m.before_wait();
        result = look(
            key,
            &mut |r| fits_back(m, pattern, r, &mut starved),
            Patience::new(deadline, LooksAround::hope(&mut looks)),
        );
        m.after_wait();
    }
    LooksAround::keep(looks, m);
    if starved {
        Err(Throw::Memory)
    } else {
        Ok(result)
    }
}

fn peek(m: &mut Ctx, queue: &MessageQueue, pattern: Cell, name: Option<Cell>) -> Res {
    let key = MessageKey::of_term(m.term(pattern));
    let mut starved = false;
    match queue.peek(key, &mut |r| fits(m, pattern, r, &mut starved)) {
        _ if starved => Err(Throw::Memory),
        Ok(found) => Ok(found),
        Err(e) => outcome_of::<()>(m, Err(e), name),
    }
}

/// A queue for so many messages, and so many bytes of them; 0: any number.
fn make(m: &mut Ctx, a: Args, alias: Option<Atom>, max_size: usize, max_bytes: usize) -> Res {
    m.room(0)?;
    match m.program.registry.create_queue(alias, max_size) {
        Ok(q) => {
            // (One that somebody else has destroyed already has no limit.)
            let _ = q.queue().set_max_bytes(max_bytes);
            let name = q.name().cell();
            m.heap.meet_new(name);
            Ok(m.unify_arg(a, 0, name))
        }
        Err(e) => Err(sched_error(m, e, alias.map_or(Cell::NIL, Cell::atom))),
    }
}

/// `message_queue_create(Queue)`: an atom is the alias.
fn create_1(m: &mut Ctx, a: Args) -> Res {
    let q = m.arg(a, 0);
    if q.is_ref() {
        make(m, a, None, 0, 0)
    } else if q.is_atom() {
        make(m, a, Some(q.atom_of()), 0, 0)
    } else {
        Err(m.type_error("message_queue", q))
    }
}

fn create(m: &mut Ctx, a: Args) -> Res {
    let (q, list) = (m.arg(a, 0), m.arg(a, 1));
    let (mut alias, mut max_size, mut max_bytes) = (None, 0, 0);
    for (name, value) in options(m, list, "queue_option")? {
        match name.as_str() {
            "alias" => alias = Some(atom_option(m, value)?),
            "max_size" => max_size = size_option(m, value)?,
            "max_bytes" => max_bytes = size_option(m, value)?,
            _ => {}
        }
    }
    if !q.is_ref() {
        if !q.is_atom() {
            return Err(m.type_error("message_queue", q));
        }
        if alias.is_some_and(|a| Cell::atom(a) != q) {
            return Err(m.uninstantiation_error(q, "1-st argument"));
        }
        alias = Some(q.atom_of());
    }
    make(m, a, alias, max_size, max_bytes)
}

fn destroy(m: &mut Ctx, a: Args) -> Res {
    let name = m.arg(a, 0);
    let r = reference(m, name, "message_queue")?;
    match m.program.registry.destroy_queue(r) {
        Ok(()) => Ok(true),
        Err(e) => Err(sched_error(m, e, name)),
    }
}

/// `message_queue_set(Queue, max_size(N))`, `message_queue_set(Queue, max_bytes(N))`.
fn set(m: &mut Ctx, a: Args) -> Res {
    let (name, setting) = (m.arg(a, 0), m.arg(a, 1));
    with_queue(m, a, |m, q| {
        if setting.is_ref() {
            return Err(m.instantiation_error());
        }
        let settings = ["max_bytes", "max_size"];
        let Some(setting_name) = property(m, a, 1, "message_queue_property", &settings)? else {
            return Ok(false);
        };
        let Some(size) = super::args::only_argument(m, setting, setting_name.as_str()) else {
            return Ok(false);
        };
        let size = size_option(m, size)?;
        let result = match setting_name.as_str() {
            "max_bytes" => q.queue.set_max_bytes(size),
            _ => q.queue.set_max_size(size),
        };
        outcome(m, result, name)
    })
}

/// `'$message_queue_properties'(Queue, Property, Pairs)`: all pairs `Queue-Property`, of one queue or, with `Queue` unbound, of all.
fn properties(m: &mut Ctx, a: Args) -> Res {
    let name = m.arg(a, 0);
    let known = ["alias", "size", "max_size", "waiting", "bytes", "max_bytes"];
    let wanted = property(m, a, 1, "message_queue_property", &known)?;
    let mut found = Properties {
        wanted,
        pairs: Vec::new(),
    };
    if name.is_ref() {
        for q in &m.program.registry.queues() {
            if let Some(key) = m.named(q.name()) {
                add_properties(m, &mut found, key, q.alias(), q.queue())?;
            }
        }
    } else {
        with_queue(m, a, |m, q| {
            // (A number or a handle is no alias, and an alias may be a thread's.)
            let alias = (name.is_atom().then(|| name.atom_of()))
                .filter(|&a| m.program.registry.is_shared_queue(a, &q.queue));
            add_properties(m, &mut found, name, alias, &q.queue)
        })?;
    }
    let list = m.heap.list(&found.pairs, Cell::NIL)?;
    Ok(m.unify_arg(a, 2, list))
}

fn add_properties(
    m: &mut Ctx,
    found: &mut Properties,
    key: Cell,
    alias: Option<Atom>,
    queue: &MessageQueue,
) -> Result<(), Throw> {
    if let Some(alias) = alias {
        found.add(m, key, "alias", Cell::atom(alias))?;
    }
    found.add_count(m, key, "size", queue.len() as u64)?;
    if queue.max_size() > 0 {
        found.add_count(m, key, "max_size", queue.max_size() as u64)?;
    }
    found.add_count(m, key, "bytes", queue.bytes() as u64)?;
    if queue.max_bytes() > 0 {
        found.add_count(m, key, "max_bytes", queue.max_bytes() as u64)?;
    }
    if queue.waiting() > 0 {
        found.add_count(m, key, "waiting", queue.waiting() as u64)?;
    }
    Ok(())
}
