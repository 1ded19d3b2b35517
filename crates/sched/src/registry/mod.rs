//! The registry: all threads, shared queues and mutexes of one Prolog system.
//!
//! Wielemaker, *Native preemptive threads in SWI-Prolog*, 6.4.2, with SWI-Prolog's present rules for names, ids and errors.
//! Queues and mutexes without alias are collected: when nobody can name one any more (its handle is counted, [`samite_term::counted`]), it is taken
//! out and destroyed by the next who looks ([`Registry::bury`]).
//!
//! The life of a thread, as the machine drives it:
//!
//! 1. the creator calls [`Registry::create_thread`], starts an OS thread and hands it the [`ThreadControl`]; if none can be
//!    had, it calls [`Registry::abandon`];
//! 2. the thread runs its goal, then refuses signals and runs those queued, calls [`ThreadControl::conclude`], runs its exit goals
//!    ([`ThreadControl::next_at_exit`]), frees its heap, and calls [`Registry::finish`] as the last thing;
//! 3. it is reclaimed by [`Registry::join`], or at once if it is detached.
//!
//! The thread that the process starts with is created first and so gets id 1.
//!
//! Invariants: `live` counts the threads created and not finished, `present` those whose `finish` has not returned; those of `tables.rs` and `thread.rs`. The tables' lock is
//! held for look-ups and entries only, never while waiting, and nothing is dropped under it that may be large. What is called by a handle is in the tables as long as
//! the handle has an entry there: both are made, and both go, under the tables' lock. Users may keep the `Arc`s that look-ups return, which spares
//! them the next one.
//!
//! Methods may be called from any thread; a `caller` is the calling thread.

mod seldom;
mod tables;
#[cfg(all(test, not(loom)))]
mod tests;
mod thread;

pub(crate) use tables::Name;
pub use tables::{SharedQueue, ThreadId};
pub use thread::{Flags, Status, ThreadControl, ThreadOptions};

use crate::board::Board;
use crate::claims::Claims;
use crate::deadlock::{Deadlock, Edge, WaitGraph, Waiting};
use crate::error::{Action, ObjectKind, Reference, SchedError};
use crate::interrupt::{Attention, Events, past};
use crate::light::Line;
use crate::mutex::{NotOwner, PrologMutex, Unlocked};
use crate::queue::MessageQueue;
use crate::sync::{AtomicU64, Lock, Ordering, SharedLock};
use samite_term::counted::Grave;
use samite_term::{Atom, Handle, HandleKind, HeldAtom, HoldsAtoms, common, counted, growth};
use std::ops::DerefMut;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tables::{Named, Tables};
use thread::{Reclaim, Refusal};

/// Numbers of threads, for `statistics/2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Created and not finished.
    pub live: usize,
    pub created: u64,
    pub finished: u64,
    /// Largest value of `live` so far.
    pub peak: usize,
}

struct Population {
    counts: Counts,
    /// Like `counts.live`, but a thread counts until its `finish` is done, and not while it is away.
    present: usize,
    /// Those in `wait_for_others`.
    waiters: Vec<Arc<Attention>>,
    /// Engines that have not ended, and those made.
    engines: usize,
    engines_created: u64,
    /// Handles of engines that are counted; those of engines that have ended too.
    engine_handles: usize,
}

/// See the module text. Shared by `Arc`.
pub struct Registry {
    tables: SharedLock<Tables>,
    /// How often the tables have been changed.
    changes: AtomicU64,
    population: Lock<Population>,
    /// The files that are being loaded.
    pub loads: Claims,
    /// Who waits for a change of the database.
    pub board: Arc<Board>,
    /// Waits that are looked at for deadlocks.
    waits: Arc<WaitGraph>,
    /// Signals for later.
    #[cfg(not(loom))]
    pub timers: Arc<crate::timers::Timers>,
    /// Light threads that wait for descriptors.
    #[cfg(not(loom))]
    pub poller: Arc<crate::poller::Poller>,
    /// Handles of queues, mutexes and engines that nobody has.
    grave: Arc<Grave>,
    /// Engines from there: their ends may take goals to be run, so somebody who can does that.
    unnamed: Lock<Vec<Handle>>,
    /// What others than the registry have, from there: sockets, tries and memory files.
    unnamed_others: Lock<Vec<Handle>>,
    /// Engines that were given up, and are to be ended.
    given_up: Lock<Vec<Arc<ThreadControl>>>,
    /// Who ends the engines, as long as that thread lives.
    ends_unnamed: Lock<Option<ThreadId>>,
}

/// So many may wait in the grave, and a part of those that there are, before who makes another one looks at them.
const FEW: usize = 256;
const PART: usize = 8;

impl HoldsAtoms for Registry {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        let tables = self.tables.read();
        tables.threads().for_each(|t| t.each_atom(f));
        tables.queues().for_each(|q| q.queue().each_atom(f));
        #[cfg(not(loom))]
        self.timers.each_atom(f);
    }
}

impl Default for Registry {
    /// An empty registry.
    fn default() -> Self {
        Registry {
            tables: SharedLock::new(Tables::new()),
            changes: AtomicU64::new(0),
            population: Lock::new(Population {
                counts: Counts::default(),
                present: 0,
                waiters: Vec::new(),
                engines: 0,
                engines_created: 0,
                engine_handles: 0,
            }),
            loads: Claims::default(),
            board: Arc::default(),
            waits: Arc::default(),
            #[cfg(not(loom))]
            timers: Arc::default(),
            #[cfg(not(loom))]
            poller: Arc::default(),
            grave: Arc::default(),
            unnamed: Lock::default(),
            unnamed_others: Lock::default(),
            given_up: Lock::default(),
            ends_unnamed: Lock::default(),
        }
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        let tables = self.tables.read();
        let queues = tables.queues().map(|q| q.name());
        let mutexes = tables.mutexes.values().map(|m| m.name());
        let engines = tables.threads().filter(|t| t.is_engine());
        let engines = engines.map(|e| e.handle().into());
        queues.chain(mutexes).chain(engines).for_each(forget);
    }
}

/// Whether the registry has only the handles of this kind, and others the objects.
fn is_other(kind: HandleKind) -> bool {
    matches!(
        kind,
        HandleKind::Socket | HandleKind::Trie | HandleKind::MemoryFile
    )
}

/// What has had this name is gone.
fn forget(name: Reference) {
    if let Reference::Handle(handle) = name {
        counted::forget(handle);
    }
}

impl Registry {
    // ---- threads ----

    /// Enters a new thread. Errors: `permission_error(create, thread, Alias)` if a thread or queue has the alias; `TooManyThreads`; `NoMemory`.
    pub fn create_thread(&self, options: ThreadOptions) -> Result<Arc<ThreadControl>, SchedError> {
        let mut tables = self.change_tables();
        if let Some(alias) = options.alias.as_ref().map(HeldAtom::get)
            && tables.names.contains_key(&Name::key(alias.into()))
        {
            return Err(SchedError::Permission(
                Action::Create,
                ObjectKind::Thread,
                alias.into(),
            ));
        }
        if options.alias.is_some()
            && !growth::map_room(&mut tables.names, |n| common::may_take(n, 0))
        {
            return Err(SchedError::NoMemory);
        }
        let (id, handle) = tables.reserve()?;
        let thread = Arc::new(ThreadControl::new(id, handle, options));
        tables.enter(&thread);
        drop(tables);
        let mut population = self.population.lock();
        population.present += 1;
        let counts = &mut population.counts;
        counts.created += 1;
        counts.live += 1;
        counts.peak = counts.peak.max(counts.live);
        drop(population);
        Ok(thread)
    }

    /// Enters a new engine: a thread of no OS thread. It is no thread that anybody waits for, or counts. Errors as of [`Registry::create_thread`], but
    /// that it says what an engine is.
    pub fn create_engine(&self, options: ThreadOptions) -> Result<Arc<ThreadControl>, SchedError> {
        self.bury_some();
        let mut tables = self.change_tables();
        let alias = options.alias.as_ref().map(HeldAtom::get);
        if let Some(alias) = alias
            && tables.names.contains_key(&Name::key(alias.into()))
        {
            return Err(SchedError::Permission(
                Action::Create,
                ObjectKind::Engine,
                alias.into(),
            ));
        }
        if !growth::map_room(&mut tables.names, |n| common::may_take(n, 0)) {
            return Err(SchedError::NoMemory);
        }
        let handle = Handle::new(HandleKind::Engine, Tables::serial());
        let (id, _) = tables.reserve()?;
        if alias.is_none() && !counted::enter(handle, &self.grave) {
            tables.give_back(id);
            return Err(SchedError::NoMemory);
        }
        let engine = Arc::new(ThreadControl::new(id, handle, options));
        tables.enter(&engine);
        drop(tables);
        let mut population = self.population.lock();
        population.engines += 1;
        population.engines_created += 1;
        population.engine_handles += usize::from(alias.is_none());
        Ok(engine)
    }

    /// The engine runs no more, and has freed what it had. Its handle is still counted: [`Registry::forget_engine`].
    pub fn finish_engine(&self, engine: &Arc<ThreadControl>) {
        self.loads.release_all(engine.id());
        self.board.forget(engine.id());
        #[cfg(not(loom))]
        self.timers.forget(engine);
        engine.end_queue();
        let _ = engine.detach();
        let _ = engine.finish();
        self.change_tables().remove(engine);
        self.population.lock().engines -= 1;
    }

    /// The handle of an engine means nothing any more.
    pub fn forget_engine(&self, engine: &ThreadControl) {
        if counted::is_known(engine.handle()) {
            counted::forget(engine.handle());
            self.population.lock().engine_handles -= 1;
        }
    }

    /// The handle of something new that others than the registry have, counted for its maker. Error: `NoMemory`.
    pub fn handle_for_other(&self, kind: HandleKind) -> Result<Handle, SchedError> {
        debug_assert!(is_other(kind));
        self.bury_some();
        let handle = Handle::new(kind, Tables::serial());
        match counted::enter(handle, &self.grave) {
            true => Ok(handle),
            false => Err(SchedError::NoMemory),
        }
    }
    /// It means nothing any more.
    pub fn forget_other(&self, handle: Handle) {
        if counted::is_known(handle) {
            counted::forget(handle);
        }
    }
    /// Those that nobody can name any more, for who has them to part with.
    pub fn take_unnamed_others(&self) -> Vec<Handle> {
        std::mem::take(&mut *self.unnamed_others.lock())
    }

    /// Has engines ended that nobody can name any more: `end` says whether one need not be looked at again.
    pub fn end_unnamed_engines(&self, end: &mut dyn FnMut(Handle) -> bool) {
        let unnamed = std::mem::take(&mut *self.unnamed.lock());
        let left: Vec<Handle> = unnamed.into_iter().filter(|&h| !end(h)).collect();
        self.unnamed.lock().extend(left);
    }
    /// An engine is to be ended, although it may be named: who has asked it has left it in the midst of what others wait for, and does not come back. It is
    /// ended as those are that nobody can name.
    pub fn give_engine_up(&self, engine: Arc<ThreadControl>) {
        self.given_up.lock().push(engine);
    }
    /// The next of these, for who ends them.
    pub fn take_given_up(&self) -> Option<Arc<ThreadControl>> {
        self.given_up.lock().pop()
    }
    /// Whether there are any that are to be ended.
    fn are_any_to_end(&self) -> bool {
        !self.unnamed.lock().is_empty() || !self.given_up.lock().is_empty()
    }
    /// Whether there are any, or any that were given up, and nobody ends them yet.
    pub fn has_unnamed_engines(&self) -> bool {
        self.are_any_to_end() && !self.ends_unnamed_engines()
    }
    /// Whether there are many, which somebody ends.
    pub fn has_many_unnamed_engines(&self) -> bool {
        const MANY: usize = 64;
        self.unnamed.lock().len() >= MANY && self.ends_unnamed_engines()
    }
    /// As [`Registry::has_unnamed_engines`]; if so this thread ends them, and is the only one until it says that it has, or ends.
    pub fn claim_unnamed_engines(&self, me: ThreadId) -> bool {
        let any = self.are_any_to_end();
        let mut ends = self.ends_unnamed.lock();
        if any && ends.is_none() {
            *ends = Some(me);
            return true;
        }
        false
    }
    /// The thread has done so, or does not go on.
    pub fn release_unnamed_engines(&self, me: ThreadId) {
        let mut ends = self.ends_unnamed.lock();
        if *ends == Some(me) {
            *ends = None;
        }
    }
    /// Whether somebody does.
    pub fn ends_unnamed_engines(&self) -> bool {
        self.ends_unnamed.lock().is_some()
    }

    /// Engines that have not ended, and how many were made.
    pub fn engine_counts(&self) -> (usize, u64) {
        let population = self.population.lock();
        (population.engines, population.engines_created)
    }

    /// Undoes [`Registry::create_thread`] for a thread that could not be started. Somebody may be joining it already:
    /// they get `status`.
    pub fn abandon(&self, thread: &Arc<ThreadControl>, status: Status) {
        // A detached thread is reclaimed when it finishes; one that nobody joins is so made to be.
        let _ = thread.detach();
        thread.conclude(status);
        self.finish(thread);
    }

    /// The thread has concluded, run its exit goals and freed what it had: its queue is destroyed and it can be joined.
    /// Called by the thread itself, as the last thing.
    pub fn finish(&self, thread: &Arc<ThreadControl>) {
        self.loads.release_all(thread.id());
        self.board.forget(thread.id());
        #[cfg(not(loom))]
        self.timers.forget(thread);
        thread.end_queue();
        self.bury();
        let mut population = self.population.lock();
        population.counts.live -= 1;
        population.counts.finished += 1;
        drop(population);
        if thread.finish() == Reclaim::Now {
            self.change_tables().remove(thread);
        }
        self.release_unnamed_engines(thread.id());
        let mut population = self.population.lock();
        population.present -= 1;
        #[cfg(not(loom))]
        let last = population.present == 0;
        let waiters = std::mem::take(&mut population.waiters);
        drop(population);
        #[cfg(not(loom))]
        if last {
            self.timers.rest();
        }
        waiters.iter().for_each(|w| w.unpark());
        self.waits.one_has_ended(|| self.live());
    }

    /// A thread begins to wait for something, unless that wait would never end.
    pub fn begin_wait(&self, me: &Arc<ThreadControl>, edge: Edge) -> Result<Waiting, Deadlock> {
        self.waits.begin(me, edge, || self.live())
    }
    /// It is about to sleep again.
    pub fn wait_again(&self, waiting: &Waiting) -> Result<(), Deadlock> {
        waiting.again(|| self.live())
    }
    /// Threads that have not ended; engines are none.
    fn live(&self) -> usize {
        self.counts().live
    }

    /// Waits for the end of a thread, reclaims it, and returns its status.
    ///
    /// Errors: `existence_error(thread, T)`; `permission_error(join, thread, T)` for a detached thread, for the caller itself, and
    /// while another thread joins it; `Interrupted`.
    pub fn join(&self, caller: &ThreadControl, target: Reference) -> Result<Status, SchedError> {
        self.join_and(caller, target, Duration::ZERO, || (), || ())
    }

    /// The same of a caller that does something before a wait that is `long`, of more than some patience, while which others look at it: it comes `back` before the status is
    /// nobody's but its own.
    pub fn join_and(
        &self,
        caller: &ThreadControl,
        target: Reference,
        patience: Duration,
        long: impl FnOnce(),
        back: impl FnOnce(),
    ) -> Result<Status, SchedError> {
        let thread = self.thread(target)?;
        if std::ptr::eq(caller, &*thread) {
            return Err(refused(Refusal::NotPermitted, Action::Join, target));
        }
        // (Before: a place in another line is given up.)
        let object: *const ThreadControl = Arc::as_ptr(&thread);
        let _ = (caller.attention()).take_place(object.cast(), Line::Joiners);
        thread
            .begin_join(caller.attention())
            .map_err(|r| refused(r, Action::Join, target))?;
        let status = thread.end_join(caller.attention(), patience, long)?;
        back();
        self.change_tables().remove(&thread);
        Ok(status)
    }

    /// Makes a thread detached; one that has finished is reclaimed.
    ///
    /// Errors: `existence_error(thread, T)`; `permission_error(detach, thread, T)` while it is joined.
    pub fn detach(&self, target: Reference) -> Result<(), SchedError> {
        let thread = self.thread(target)?;
        let reclaim = thread
            .detach()
            .map_err(|r| refused(r, Action::Detach, target))?;
        if reclaim == Reclaim::Now {
            self.change_tables().remove(&thread);
        }
        Ok(())
    }

    /// The thread of a reference. Error: `existence_error(thread, T)`.
    pub fn thread(&self, target: Reference) -> Result<Arc<ThreadControl>, SchedError> {
        match self.tables.read().named(target) {
            Some(Named::Thread(t)) => Ok(t),
            _ => Err(SchedError::Existence(ObjectKind::Thread, target)),
        }
    }

    /// All threads not yet reclaimed, by id.
    pub fn threads(&self) -> Vec<Arc<ThreadControl>> {
        self.tables.read().threads().cloned().collect()
    }
    /// Whether a thread is there that has not ended.
    pub fn runs(&self, id: ThreadId) -> bool {
        self.threads()
            .iter()
            .any(|t| t.id() == id && t.is_running())
    }

    /// Gives a thread an alias (`thread_alias/1`).
    ///
    /// Errors: `permission_error(re-alias, thread, T)` if it has one already, `permission_error(create, thread, Alias)` if the
    /// alias is in use; `NoMemory`.
    pub fn set_alias(&self, thread: &Arc<ThreadControl>, alias: Atom) -> Result<(), SchedError> {
        let denied =
            |action, culprit| Err(SchedError::Permission(action, ObjectKind::Thread, culprit));
        let mut tables = self.change_tables();
        // (An engine is found by the name that it was made with.)
        if thread.alias().is_some() || thread.is_engine() || !tables.holds(thread) {
            return denied(Action::ReAlias, thread.id().into());
        }
        if tables.names.contains_key(&Name::key(alias.into())) {
            return denied(Action::Create, alias.into());
        }
        if !growth::map_room(&mut tables.names, |n| common::may_take(n, 0)) {
            return Err(SchedError::NoMemory);
        }
        tables
            .names
            .insert(Name::key(alias.into()), Named::Thread(thread.clone()));
        // Cannot fail: aliases are set under this lock.
        let _ = thread.alias.set(alias.hold());
        Ok(())
    }

    /// Raises events in all threads but one (halt: the caller).
    pub fn raise_all(&self, events: Events, except: Option<ThreadId>) {
        let others = self.threads();
        let others = others.iter().filter(|t| Some(t.id()) != except);
        others.for_each(|t| t.attention().raise(events));
    }

    /// Whether no thread but one has not finished, and there are no engines.
    pub fn is_alone(&self) -> bool {
        let population = self.population.lock();
        population.counts.live <= 1 && population.engines == 0
    }

    pub fn counts(&self) -> Counts {
        self.population.lock().counts
    }

    /// A thread that a host lends to the program runs nothing until [`Registry::back`]: meanwhile nobody waits for its end, which is the host's affair. The
    /// main thread is never away.
    pub fn away(&self) {
        let mut population = self.population.lock();
        population.present -= 1;
        let waiters = std::mem::take(&mut population.waiters);
        drop(population);
        waiters.iter().for_each(|w| w.unpark());
    }

    /// The thread is about to run something, or to finish.
    pub fn back(&self) {
        self.population.lock().present += 1;
    }

    /// Waits until all threads but the caller have finished or are away, and those detached are reclaimed. Errors: `TimedOut`, `Interrupted`.
    pub fn wait_for_others(
        &self,
        caller: &ThreadControl,
        deadline: Option<Instant>,
    ) -> Result<(), SchedError> {
        let attention = caller.attention();
        loop {
            let mut population = self.population.lock();
            let outcome = if population.present <= 1 {
                Some(Ok(()))
            } else if attention.must_not_wait() {
                Some(Err(SchedError::Interrupted))
            } else if past(deadline) {
                Some(Err(SchedError::TimedOut))
            } else {
                None
            };
            population.waiters.retain(|w| !Arc::ptr_eq(w, attention));
            if let Some(outcome) = outcome {
                return outcome;
            }
            population.waiters.push(attention.clone());
            drop(population);
            attention.park(deadline);
        }
    }

    // ---- queues ----

    /// Makes a queue with an alias, or with a handle for a name. Error: `permission_error(create, message_queue, Alias)` if a
    /// thread or queue has the alias.
    pub fn create_queue(
        &self,
        alias: Option<Atom>,
        max_size: usize,
    ) -> Result<Arc<SharedQueue>, SchedError> {
        self.bury_some();
        let mut tables = self.change_tables();
        if let Some(alias) = alias
            && tables.names.contains_key(&Name::key(alias.into()))
        {
            return Err(SchedError::Permission(
                Action::Create,
                ObjectKind::MessageQueue,
                alias.into(),
            ));
        }
        if !growth::map_room(&mut tables.names, |n| common::may_take(n, 0)) {
            return Err(SchedError::NoMemory);
        }
        let serial = Tables::serial();
        let name = Tables::name(alias, HandleKind::MessageQueue, serial);
        self.enter(&name)?;
        let shared = Arc::new(SharedQueue {
            name,
            serial,
            queue: Arc::new(MessageQueue::new(max_size)),
        });
        tables
            .names
            .insert(Name::key(shared.name()), Named::Queue(shared.clone()));
        Ok(shared)
    }

    /// The queue of a reference: a shared queue, or a thread's own.
    ///
    /// Errors, as in SWI-Prolog: `existence_error(message_queue, Q)` for an unknown name, `existence_error(thread, Q)` for a thread
    /// that has ended, `type_error` for a number that is no thread's.
    pub fn queue(&self, queue: Reference) -> Result<Arc<MessageQueue>, SchedError> {
        match self.named(queue)? {
            Named::Queue(q) => Ok(q.queue().clone()),
            Named::Thread(t) => Ok(t.queue().clone()),
        }
    }

    /// Whether `alias` is that of `queue`, and no thread's.
    pub fn is_shared_queue(&self, alias: Atom, queue: &Arc<MessageQueue>) -> bool {
        let named = self.tables.read().named(alias.into());
        matches!(named, Some(Named::Queue(q)) if Arc::ptr_eq(q.queue(), queue))
    }

    /// A number that changes before any name comes to mean something else, or nothing: who has read it before [`Registry::queue`] may use that queue as long as
    /// the number is the same. (One of a thread that has ended refuses messages.)
    #[inline]
    pub fn names_version(&self) -> u64 {
        // Acquire: pairs with the release in `change_tables`.
        self.changes.load(Ordering::Acquire)
    }
    fn change_tables(&self) -> impl DerefMut<Target = Tables> {
        let tables = self.tables.write();
        // Under the lock: who reads the new number finds the tables as they are then.
        self.changes.fetch_add(1, Ordering::Release);
        tables
    }

    /// What the reference to a queue stands for: a queue, or a thread that has one.
    fn named(&self, queue: Reference) -> Result<Named, SchedError> {
        match self.tables.read().named(queue) {
            Some(Named::Thread(t)) if t.live_queue().is_none() => {
                Err(SchedError::Existence(ObjectKind::Thread, queue))
            }
            Some(named) => Ok(named),
            None => Err(match queue {
                Reference::Number(n) if n > 0 => SchedError::Type(ObjectKind::Thread, queue),
                Reference::Number(_) => SchedError::Type(ObjectKind::MessageQueue, queue),
                Reference::Handle(h) if h.kind() == HandleKind::Thread => {
                    SchedError::Existence(ObjectKind::Thread, queue)
                }
                _ => SchedError::Existence(ObjectKind::MessageQueue, queue),
            }),
        }
    }

    /// Destroys a shared queue; its name is free.
    ///
    /// Errors: those of [`Registry::queue`]; `permission_error(destroy, message_queue, Q)` for a thread's own.
    pub fn destroy_queue(&self, queue: Reference) -> Result<(), SchedError> {
        let shared = match self.named(queue)? {
            Named::Queue(q) => q,
            Named::Thread(_) => {
                let kind = ObjectKind::MessageQueue;
                return Err(SchedError::Permission(Action::Destroy, kind, queue));
            }
        };
        let mut tables = self.change_tables();
        // Another thread may have destroyed it meanwhile, and made a new one of the same name.
        match tables.names.get(&Name::key(shared.name())) {
            Some(Named::Queue(q)) if Arc::ptr_eq(q, &shared) => {
                tables.names.remove(&Name::key(shared.name()));
                forget(shared.name());
            }
            _ => return Err(SchedError::Existence(ObjectKind::MessageQueue, queue)),
        }
        drop(tables);
        shared.queue.destroy();
        Ok(())
    }

    /// All shared queues, in order of creation.
    pub fn queues(&self) -> Vec<Arc<SharedQueue>> {
        let mut all: Vec<_> = self.tables.read().queues().cloned().collect();
        all.sort_by_key(|q| q.serial);
        all
    }

    // ---- mutexes ----

    /// Makes a mutex with an alias, or with a handle for a name. Error: `permission_error(create, mutex, Alias)` if the
    /// alias is in use.
    pub fn create_mutex(&self, alias: Option<Atom>) -> Result<Arc<PrologMutex>, SchedError> {
        self.bury_some();
        let mut tables = self.change_tables();
        if let Some(alias) = alias
            && tables.mutexes.contains_key(&Name::key(alias.into()))
        {
            return Err(SchedError::Permission(
                Action::Create,
                ObjectKind::Mutex,
                alias.into(),
            ));
        }
        self.enter_mutex(&mut tables, alias, |n| common::may_take(n, 0))
    }

    fn enter_mutex(
        &self,
        tables: &mut Tables,
        alias: Option<Atom>,
        may_take: impl FnOnce(usize) -> bool,
    ) -> Result<Arc<PrologMutex>, SchedError> {
        if !growth::map_room(&mut tables.mutexes, may_take) {
            return Err(SchedError::NoMemory);
        }
        let serial = Tables::serial();
        let name = Tables::name(alias, HandleKind::Mutex, serial);
        self.enter(&name)?;
        let mutex = Arc::new(PrologMutex::new(name, serial));
        tables
            .mutexes
            .insert(Name::key(mutex.name()), mutex.clone());
        Ok(mutex)
    }

    /// The mutex of a name. Error: `existence_error(mutex, M)`.
    pub fn mutex(&self, name: Reference) -> Result<Arc<PrologMutex>, SchedError> {
        let missing = SchedError::Existence(ObjectKind::Mutex, name);
        self.tables
            .read()
            .mutexes
            .get(&Name::key(name))
            .cloned()
            .ok_or(missing)
    }

    /// The mutex with this alias, made if there is none (`mutex_lock/1`, `with_mutex/2`). Not for handles.
    /// `may_take` says whether the table may grow by so many bytes for it.
    pub fn mutex_or_new(
        &self,
        alias: Atom,
        may_take: impl FnOnce(usize) -> bool,
    ) -> Result<Arc<PrologMutex>, SchedError> {
        if let Ok(mutex) = self.mutex(alias.into()) {
            return Ok(mutex);
        }
        let mut tables = self.change_tables();
        match tables.mutexes.get(&Name::key(alias.into())) {
            Some(mutex) => Ok(mutex.clone()),
            None => self.enter_mutex(&mut tables, Some(alias), may_take),
        }
    }

    /// Undoes one lock. Error: see [`NotOwner::on`].
    pub fn unlock_mutex(
        &self,
        mutex: &Arc<PrologMutex>,
        me: ThreadId,
    ) -> Result<Unlocked, NotOwner> {
        let unlocked = mutex.unlock(me)?;
        if unlocked == Unlocked::Destroyed {
            self.forget_mutex(mutex);
        }
        Ok(unlocked)
    }

    /// Undoes all locks of a thread (`mutex_unlock_all/0`).
    pub fn unlock_all_mutexes(&self, me: ThreadId) {
        for mutex in self.mutexes() {
            if mutex.unlock_fully(me) == Some(Unlocked::Destroyed) {
                self.forget_mutex(&mutex);
            }
        }
    }

    /// Destroys a mutex; if it is locked, when it becomes free. Error: `existence_error(mutex, M)`.
    pub fn destroy_mutex(&self, name: Reference) -> Result<(), SchedError> {
        let mutex = self.mutex(name)?;
        if mutex.destroy() {
            self.forget_mutex(&mutex);
        }
        Ok(())
    }

    fn forget_mutex(&self, mutex: &Arc<PrologMutex>) {
        let mut tables = self.change_tables();
        let current = tables.mutexes.get(&Name::key(mutex.name()));
        if current.is_some_and(|m| Arc::ptr_eq(m, mutex)) {
            tables.mutexes.remove(&Name::key(mutex.name()));
            forget(mutex.name());
        }
    }

    /// All mutexes, in order of creation.
    pub fn mutexes(&self) -> Vec<Arc<PrologMutex>> {
        let mut all: Vec<_> = self.tables.read().mutexes.values().cloned().collect();
        all.sort_by_key(|m| m.serial());
        all
    }

    // ---- what nobody can name ----

    /// The handle of what is about to be made, if that is its name, is counted. Error: `NoMemory`. Under the tables' lock.
    fn enter(&self, name: &Name) -> Result<(), SchedError> {
        match *name {
            Name::Handle(handle) if !counted::enter(handle, &self.grave) => {
                Err(SchedError::NoMemory)
            }
            _ => Ok(()),
        }
    }

    /// Takes out and destroys the queues and mutexes that nobody can name any more. A mutex that is locked, too: who has locked it cannot unlock it
    /// any more, nor can anybody wait for it. To be called by who has parted with handles; not under a lock.
    pub fn bury(&self) {
        // (What is in a queue that goes may be the last to name another one.)
        while !self.grave.is_empty()
            && let Some(handle) = self.grave.next()
        {
            let mut tables = self.change_tables();
            if !counted::take(handle) {
                continue;
            }
            if is_other(handle.kind()) {
                drop(tables);
                self.unnamed_others.lock().push(handle);
                continue;
            }
            if handle.kind() == HandleKind::Engine {
                drop(tables);
                self.population.lock().engine_handles -= 1;
                self.unnamed.lock().push(handle);
                continue;
            }
            let key = Name::key(Reference::Handle(handle));
            let mutex = tables.mutexes.remove(&key);
            let queue = tables.names.remove(&key);
            drop(tables);
            if let Some(mutex) = mutex {
                mutex.destroy();
            }
            if let Some(Named::Queue(queue)) = queue {
                queue.queue.destroy();
            }
        }
    }

    /// Whether some wait for that.
    pub fn has_buried(&self) -> bool {
        !self.grave.is_empty()
    }

    /// The same if there are many.
    fn bury_some(&self) {
        if self.grave.len() > FEW && self.grave.len() > self.grave.entered() / PART {
            self.bury();
        }
    }

    /// Checks the invariants of the tables. Panics with the first violation.
    pub fn verify(&self) {
        let tables = self.tables.read();
        tables.verify();
        self.grave.verify();
        let queues = tables.queues().map(|q| q.name());
        let mutexes = tables.mutexes.values().map(|m| m.name());
        let handles =
            |name: &Reference| matches!(name, Reference::Handle(h) if counted::is_known(*h));
        let named = queues.chain(mutexes).filter(handles).count();
        let engines = self.population.lock().engine_handles;
        let entered = self.grave.entered();
        assert_eq!(named + engines, entered, "a handle without object");
    }
}

fn refused(refusal: Refusal, action: Action, target: Reference) -> SchedError {
    match refusal {
        Refusal::Gone => SchedError::Existence(ObjectKind::Thread, target),
        Refusal::NotPermitted => SchedError::Permission(action, ObjectKind::Thread, target),
    }
}
