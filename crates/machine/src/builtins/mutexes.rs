//! Mutexes as predicates. Locking one by an atom that names none makes it.

use super::options::{atom_option, options};
use super::threads::{Properties, property, sched_error, thread_term};
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_sched::deadlock::{Deadlock, Edge};
use samite_sched::{LockError, MutexStatus, PrologMutex, Reference};
use samite_term::{Atom, Cell, Functor, HandleKind, Number, atoms, counted};
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub const TABLE: &[Entry] = &[
    det("mutex_create", 1, |m, a| create(m, a, Cell::NIL)).refuses_first(),
    det("mutex_create", 2, |m, a| {
        let list = m.arg(a, 1);
        create(m, a, list)
    })
    .core()
    .refuses_first(),
    det("mutex_destroy", 1, destroy).core(),
    det("mutex_lock", 1, lock).core(),
    det("mutex_trylock", 1, try_lock).core(),
    det("mutex_unlock", 1, unlock).core(),
    det("mutex_unlock_all", 0, |m, _| {
        m.program.registry.unlock_all_mutexes(m.thread.control.id());
        Ok(true)
    }),
    det("$mutex_properties", 3, properties),
    // '$mutex_counts'(-Counts): a list of counts(Mutex, Acquisitions, Collisions).
    det("$mutex_counts", 1, |m, a| {
        let mut items = Vec::new();
        for mutex in m.program.registry.mutexes() {
            let (locked, waited) = mutex.statistics();
            let counts = [locked, waited].map(|n| Cell::small(n.cast_signed()));
            if let Some(name) = m.named(mutex.name()) {
                items.push(m.structure("counts", &[name, counts[0], counts[1]])?);
            }
        }
        let list = m.heap.list(&items, Cell::NIL)?;
        Ok(m.unify_arg(a, 0, list))
    }),
];

impl Ctx<'_> {
    /// Whether a wait that would never end is an error.
    pub(crate) fn detects_deadlocks(&self) -> bool {
        // Relaxed: a switch that stands for itself.
        self.program.detects_deadlocks.load(Ordering::Relaxed)
    }
}

impl Ctx<'_> {
    /// What a queue or mutex that was found by looking for all is called, as a term; `None` if it is gone: nobody had its handle, and it was taken
    /// out meanwhile. Else this heap has it from now on.
    pub(super) fn named(&mut self, name: Reference) -> Option<Cell> {
        let c = name.cell();
        self.heap.meet(c);
        (c.counted_handle().is_none_or(counted::is_known)).then_some(c)
    }
}

/// The name of a mutex.
fn name(m: &mut Ctx, a: Args) -> Result<Reference, Throw> {
    let c = m.arg(a, 0);
    match Reference::from_cell(c) {
        Some(r @ Reference::Name(_)) => Ok(r),
        Some(r @ Reference::Handle(h)) if h.kind() == HandleKind::Mutex => Ok(r),
        _ => Err(m.type_error("mutex", c)),
    }
}

/// An existing mutex.
fn existing(m: &mut Ctx, a: Args) -> Result<Arc<PrologMutex>, Throw> {
    let name = name(m, a)?;
    match m.program.registry.mutex(name) {
        Ok(mutex) => Ok(mutex),
        Err(e) => {
            let c = m.arg(a, 0);
            Err(sched_error(m, e, c))
        }
    }
}

/// The mutex that this worker has used last, if it had this name then. (A mutex has one name until it is destroyed, of which it knows.)
fn recent(m: &mut Ctx, name: Cell) -> Option<Arc<PrologMutex>> {
    let (_, mutex) = m.recent_mutex.take_if(|(its, _)| *its == name)?;
    Some(mutex)
}

/// An existing mutex, or a new one for a new name.
fn named(m: &mut Ctx, a: Args) -> Result<Arc<PrologMutex>, Throw> {
    let c = m.arg(a, 0);
    if c.is_atom() {
        let mutex = m
            .program
            .registry
            .mutex_or_new(c.atom_of(), |n| m.has_room_to_enter(n));
        return mutex.map_err(|e| sched_error(m, e, c));
    }
    existing(m, a)
}

fn create(m: &mut Ctx, a: Args, list: Cell) -> Res {
    let c = m.arg(a, 0);
    let mut alias = None;
    for (name, value) in options(m, list, "mutex_option")? {
        if name == atoms::ALIAS {
            alias = Some(atom_option(m, value)?);
        }
    }
    if !c.is_ref() {
        if !c.is_atom() || alias.is_some_and(|a| Cell::atom(a) != c) {
            return Err(m.uninstantiation_error(c, "1-st argument"));
        }
        alias = Some(c.atom_of());
    }
    m.room(0)?;
    match m.program.registry.create_mutex(alias) {
        Ok(mutex) => {
            let name = mutex.name().cell();
            m.heap.meet_new(name);
            Ok(m.unify_arg(a, 0, name))
        }
        Err(e) => Err(sched_error(m, e, alias.map_or(c, Cell::atom))),
    }
}

fn destroy(m: &mut Ctx, a: Args) -> Res {
    let name = name(m, a)?;
    match m.program.registry.destroy_mutex(name) {
        Ok(()) => Ok(true),
        Err(e) => {
            let c = m.arg(a, 0);
            Err(sched_error(m, e, c))
        }
    }
}

/// Whether a mutex was locked; one by an atom that was destroyed meanwhile is made again.
fn locked<T>(
    m: &mut Ctx,
    a: Args,
    mutex: &PrologMutex,
    result: Result<T, LockError>,
) -> Result<Option<T>, Throw> {
    match result {
        Ok(done) => Ok(Some(done)),
        Err(LockError::Destroyed) if m.arg(a, 0).is_atom() => Ok(None),
        Err(e) => {
            let c = m.arg(a, 0);
            Err(sched_error(m, e.on(mutex.name()), c))
        }
    }
}

/// `mutex_lock/1`.
pub(crate) fn lock(m: &mut Ctx, a: Args) -> Res {
    let locked = lock_or_wait(m, a);
    m.has_waited(locked)
}

fn lock_or_wait(m: &mut Ctx, a: Args) -> Res {
    loop {
        let mutex = match recent(m, m.arg(a, 0)) {
            Some(mutex) => mutex,
            None => named(m, a)?,
        };
        let mut result = mutex.try_lock(m.thread.control.id());
        if result == Ok(false) {
            m.attention.forget_edge();
            // No clause waits for this thread while it waits.
            m.publish_pins();
            let program = m.program.clone();
            let me = m.thread.control.id();
            let edge = Edge::Mutex(mutex.clone());
            let waiting = m.detects_deadlocks().then(|| {
                // What a thread has that has ended nobody gives free. (It may have given it free before it ended, and after it was looked at.)
                let gone = || match mutex.status() {
                    MutexStatus::Locked(owner, _) if !program.registry.runs(owner) => Some(owner),
                    _ => None,
                };
                match gone().is_some_and(|owner| gone() == Some(owner)) {
                    true => Err(Deadlock),
                    false => program.registry.begin_wait(&m.thread.control, edge),
                }
            });
            if let Some(Err(Deadlock)) = waiting {
                let c = m.arg(a, 0);
                let error = m.permission_error("lock", "mutex", c);
                return Err(m.with_message(error, "Deadlock"));
            }
            m.thread.tabling.step_out();
            let locked = mutex.lock(me, &m.attention);
            if let Some(Ok(edge)) = waiting
                && m.attention.is_suspended()
            {
                m.attention.keep_edge(edge);
            }
            result = locked.map(|()| true);
        }
        if locked(m, a, &mutex, result)?.is_some() {
            m.recent_mutex = Some((m.arg(a, 0), mutex));
            return Ok(true);
        }
        std::thread::yield_now();
    }
}

fn try_lock(m: &mut Ctx, a: Args) -> Res {
    loop {
        let mutex = named(m, a)?;
        let result = mutex.try_lock(m.thread.control.id());
        if let Some(done) = locked(m, a, &mutex, result)? {
            return Ok(done);
        }
        std::thread::yield_now();
    }
}

/// Gives back a mutex that this worker has used last, if the thread holds it.
pub(super) fn give_back(m: &mut Ctx, name: Cell) -> bool {
    let me = m.thread.control.id();
    if let Some(mutex) = recent(m, name)
        && m.program.registry.unlock_mutex(&mutex, me).is_ok()
    {
        m.recent_mutex = Some((name, mutex));
        return true;
    }
    false
}

fn unlock(m: &mut Ctx, a: Args) -> Res {
    if give_back(m, m.arg(a, 0)) {
        return Ok(true);
    }
    let me = m.thread.control.id();
    let mutex = existing(m, a)?;
    match m.program.registry.unlock_mutex(&mutex, me) {
        Ok(_) => Ok(true),
        Err(e) => {
            let c = m.arg(a, 0);
            Err(sched_error(m, e.on(mutex.name()), c))
        }
    }
}

/// `'$mutex_properties'(Mutex, Property, Pairs)`: all pairs `Mutex-Property`, of one mutex or, with `Mutex` unbound, of all.
fn properties(m: &mut Ctx, a: Args) -> Res {
    let c = m.arg(a, 0);
    let wanted = property(m, a, 1, "mutex_property", &["alias", "status"])?;
    let all = if c.is_ref() {
        m.program.registry.mutexes()
    } else {
        vec![existing(m, a)?]
    };
    let mut found = Properties {
        wanted,
        pairs: Vec::new(),
    };
    for mutex in all {
        let key = if c.is_ref() {
            let Some(name) = m.named(mutex.name()) else {
                continue;
            };
            name
        } else {
            c
        };
        if let Some(alias) = mutex.alias() {
            found.add(m, key, "alias", Cell::atom(alias))?;
        }
        let status = match mutex.status() {
            MutexStatus::Unlocked => Cell::atom(Atom::new("unlocked")),
            MutexStatus::Locked(owner, n) => {
                let owner = match m.program.registry.thread(owner.into()) {
                    Ok(t) => thread_term(m, &t),
                    Err(_) => Cell::small(owner.number().into()),
                };
                let n = m.heap.number(&Number::Int(n.into()))?;
                m.heap
                    .structure(Functor::new(Atom::new("locked"), 2), &[owner, n])?
            }
        };
        found.add(m, key, "status", status)?;
    }
    let list = m.heap.list(&found.pairs, Cell::NIL)?;
    Ok(m.unify_arg(a, 2, list))
}
