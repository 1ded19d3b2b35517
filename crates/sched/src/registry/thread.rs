//! What everybody may know about one thread: its control block.
//!
//! ```text
//!             conclude(status)        finish()            joined, or detached
//!   Running ------------------> Ending -------> Finished --------------------> Reclaimed
//!            status is visible:          resources are                id and alias may
//!            at_exit goals run           gone, joiner wakes           be used again
//! ```
//!
//! `conclude` and `finish` are called by the thread itself, the rest by anybody. A thread that never got to run (no
//! OS thread could be had) goes the same way, driven by its creator.
//!
//! accepted = run + removed + queued, of signals: `signal` accepts until the goal has ended (`refuse_signals`), under the thread's lock; what is
//! queued then is run before `conclude`. Only where the process ends, or the machine panics, `conclude` finds some.
//!
//! Invariants: at most one thread joins, and none a detached thread; each block is reclaimed once, by the joiner, by
//! `finish` (detached before), or by `detach` (finished before).

use super::seldom::{Seldom, Signal};
use super::tables::ThreadId;
use crate::error::{ObjectKind, Reference, SchedError};
use crate::interrupt::{Attention, Events};
use crate::light::{Line, Place, Waited};
use crate::queue::MessageQueue;
use crate::sync::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Lock, Ordering};
use crate::waiters::Ticket;
use rustc_hash::FxHashMap;
use samite_term::common::{self, Charge, Held};
use samite_term::{Atom, Handle, HandleKind, HeldAtom, HoldsAtoms, Record, growth, walked};
use samite_world::clock;
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

/// How a thread is doing, as `thread_join/2` and `thread_property/2` report it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    Running,
    True,
    False,
    Exception(Held),
    /// Ended by `thread_exit/1`.
    Exited(Held),
}

/// Flags of a thread of its own.
pub type Flags = FxHashMap<HeldAtom, Held>;

/// With what to create a thread.
#[derive(Clone, Debug, Default)]
pub struct ThreadOptions {
    pub alias: Option<HeldAtom>,
    /// Reclaimed when it ends; nobody joins it.
    pub detached: bool,
    /// Largest number of messages in its own queue; 0: any.
    pub queue_max_size: usize,
    /// Bytes that these may take; 0: any.
    pub queue_max_bytes: usize,
    /// Goals to run when it ends.
    pub at_exit: Vec<Held>,
    pub class: Option<HeldAtom>,
    /// Whether it can be debugged.
    pub no_debug: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Running,
    Ending,
    Finished,
    Reclaimed,
}

struct State {
    phase: Phase,
    status: Status,
    detached: bool,
    /// Who joins it.
    joiner: Option<Arc<Attention>>,
    refuses_signals: bool,
    seldom: Option<Box<Seldom>>,
    /// What a thread gets that inherits from this one.
    flags: Option<Arc<Flags>>,
}

impl State {
    /// What few have; made now, if there is room.
    fn seldom(&mut self) -> Result<&mut Seldom, SchedError> {
        if self.seldom.is_none() && !common::may_take(size_of::<Seldom>(), 0) {
            return Err(SchedError::NoMemory);
        }
        Ok(self.seldom.get_or_insert_default())
    }
    fn conclude(&mut self, status: Status) {
        debug_assert_ne!(status, Status::Running);
        if self.phase == Phase::Running {
            self.phase = Phase::Ending;
            walked::enter(&status);
            self.status = status;
            self.refuses_signals = true;
            if let Some(seldom) = &mut self.seldom {
                seldom.conclude();
            }
        }
    }
}

/// Who has to reclaim the thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub(super) enum Reclaim {
    Now,
    Later,
}

/// Why a thread cannot be joined or detached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    /// It has been reclaimed.
    Gone,
    /// It is detached, or another thread joins it.
    NotPermitted,
}

/// The control block of a thread. Shared by `Arc`; lives on after the thread, for those who hold it.
pub struct ThreadControl {
    // ---- immutable ----
    id: ThreadId,
    handle: Handle,
    attention: Arc<Attention>,
    queue: Arc<MessageQueue>,
    // ---- set at most once, under the lock of the registry's tables ----
    pub(super) alias: OnceLock<HeldAtom>,
    // ---- set by the thread itself when it starts ----
    system_id: AtomicU64,
    /// Its queue has been or is being destroyed.
    ended: AtomicBool,
    /// Bytes in use when it last told, and whether it can be debugged.
    size: AtomicUsize,
    debug: AtomicBool,
    /// It blocks some signals of programs.
    blocks: AtomicBool,
    /// An engine that nobody runs.
    suspended: AtomicBool,
    /// Of a light thread: nanoseconds for which it has run, but for those since `runs_since`, which is 0 while nobody runs it.
    ran: AtomicU64,
    runs_since: AtomicU64,
    /// Of a light thread: those with a higher one run first.
    priority: AtomicU32,
    // ---- under its lock ----
    state: Lock<State>,
    /// What it takes while somebody may ask for its status.
    _charge: Charge,
}

impl HoldsAtoms for Status {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        if let Status::Exception(term) | Status::Exited(term) = self {
            term.each_atom(f);
        }
    }
}

impl HoldsAtoms for ThreadControl {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        self.queue.each_atom(f);
        let state = self.state.lock();
        state.status.each_atom(f);
        if let Some(seldom) = &state.seldom {
            seldom.signals.iter().for_each(|s| s.goal.each_atom(f));
            seldom.at_exit.each_atom(f);
        }
        let flags = state.flags.iter().flat_map(|flags| flags.values());
        flags.for_each(|value| value.each_atom(f));
    }
}

impl std::fmt::Debug for ThreadControl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "thread {}: {:?}", self.id.number(), self.status())
    }
}

impl ThreadControl {
    pub(super) fn new(id: ThreadId, handle: Handle, options: ThreadOptions) -> ThreadControl {
        let has_seldom = !options.at_exit.is_empty() || options.class.is_some();
        let queue = MessageQueue::new(options.queue_max_size);
        // (It is new, and so has not been destroyed.)
        let _ = queue.set_max_bytes(options.queue_max_bytes);
        ThreadControl {
            id,
            handle,
            attention: Arc::new(Attention::new()),
            queue: Arc::new(queue),
            alias: options.alias.map_or_else(OnceLock::new, OnceLock::from),
            system_id: AtomicU64::new(0),
            ended: AtomicBool::new(false),
            size: AtomicUsize::new(0),
            debug: AtomicBool::new(!options.no_debug),
            blocks: AtomicBool::new(false),
            suspended: AtomicBool::new(false),
            ran: AtomicU64::new(0),
            runs_since: AtomicU64::new(0),
            priority: AtomicU32::new(0),
            state: Lock::new(State {
                phase: Phase::Running,
                status: Status::Running,
                detached: options.detached,
                joiner: None,
                refuses_signals: false,
                seldom: has_seldom.then(|| {
                    Box::new(Seldom {
                        at_exit: options.at_exit,
                        class: options.class,
                        ..Seldom::default()
                    })
                }),
                flags: None,
            }),
            _charge: Charge::new(ThreadControl::BYTES),
        }
    }

    /// Bytes that it holds in common with others, about, with its queue and its place in the tables.
    pub const BYTES: usize =
        size_of::<ThreadControl>() + size_of::<Attention>() + size_of::<MessageQueue>() + 64;

    pub fn id(&self) -> ThreadId {
        self.id
    }
    /// What stands for it in terms while it has no alias. Refers to nothing once it is reclaimed.
    pub fn handle(&self) -> Handle {
        self.handle
    }
    pub fn alias(&self) -> Option<Atom> {
        self.alias.get().map(HeldAtom::get)
    }
    /// Its events. What needs the owner there may only be called by the thread itself.
    pub fn attention(&self) -> &Arc<Attention> {
        &self.attention
    }
    /// Its own message queue, destroyed when it ends.
    pub fn queue(&self) -> &Arc<MessageQueue> {
        &self.queue
    }
    /// Destroys its queue. By the thread itself.
    pub(super) fn end_queue(&self) {
        // Relaxed: only decides between two error terms; the queue itself refuses messages from now on.
        self.ended.store(true, Ordering::Relaxed);
        self.queue.destroy();
    }
    /// Its queue, unless that is gone.
    pub(crate) fn live_queue(&self) -> Option<&Arc<MessageQueue>> {
        // Relaxed: as above.
        (!self.ended.load(Ordering::Relaxed)).then_some(&self.queue)
    }
    /// The kernel's id of the thread that runs it, once it has started.
    pub fn system_id(&self) -> Option<u64> {
        // Relaxed: a number that stands for itself.
        Some(self.system_id.load(Ordering::Relaxed)).filter(|&id| id != 0)
    }
    /// Called by the thread itself when it starts.
    pub fn set_system_id(&self, id: u64) {
        let mut state = self.state.lock();
        // Relaxed: as above.
        self.system_id.store(id, Ordering::Relaxed);
        if let Some(seldom) = &mut state.seldom {
            seldom.tell_starters();
        }
    }
    /// Called by the thread itself when it has ended: the kernel's id is another's, or nobody's, from now on.
    pub fn forget_system_id(&self) {
        let _state = self.state.lock();
        // Relaxed: as above.
        self.system_id.store(0, Ordering::Relaxed);
    }
    /// The same when it has started, which is waited for; `None`: it never did. Errors: `Interrupted`, `NoMemory`.
    pub fn started(&self, caller: &ThreadControl) -> Result<Option<u64>, SchedError> {
        let attention = caller.attention();
        let is_mine = |a: &Arc<Attention>| Arc::ptr_eq(a, attention);
        loop {
            let mut state = self.state.lock();
            let id = self.system_id();
            if id.is_some() || state.phase != Phase::Running {
                return Ok(id);
            }
            let starters = &mut state.seldom()?.starters;
            if attention.must_not_wait() {
                starters.retain(|a| !is_mine(a));
                return Err(SchedError::Interrupted);
            }
            if !starters.iter().any(is_mine) {
                if !growth::vec_room(starters, |n| common::may_take(n, 0)) {
                    return Err(SchedError::NoMemory);
                }
                starters.push(attention.clone());
            }
            drop(state);
            attention.park(None);
        }
    }
    /// Bytes that it takes, with its heap, trail and choicepoints as it told of them last.
    pub fn size(&self) -> usize {
        // Relaxed: a number that stands for itself.
        ThreadControl::BYTES + self.size.load(Ordering::Relaxed)
    }
    /// Called by the thread itself, now and then.
    pub fn set_size(&self, bytes: usize) {
        // Relaxed: as above.
        self.size.store(bytes, Ordering::Relaxed);
    }
    /// Whether it is an engine: it has no OS thread of its own, and runs when it is asked for its next answer.
    pub fn is_engine(&self) -> bool {
        self.handle.kind() == HandleKind::Engine
    }
    /// Whether it is an engine that nobody runs.
    pub fn is_suspended(&self) -> bool {
        // Relaxed: it stands for itself.
        self.suspended.load(Ordering::Relaxed)
    }
    /// By who runs it.
    pub fn set_suspended(&self, suspended: bool) {
        // Relaxed: as above.
        self.suspended.store(suspended, Ordering::Relaxed);
    }
    /// A light thread runs from now on, or does not: the time in nanoseconds, which is not 0. By who runs it.
    pub fn set_runs(&self, now: u64, runs: bool) {
        // Relaxed: numbers that stand for themselves; who reads both in between is wrong by one slice.
        let since = self
            .runs_since
            .swap(if runs { now } else { 0 }, Ordering::Relaxed);
        if since > 0 {
            self.ran
                .fetch_add(now.saturating_sub(since), Ordering::Relaxed);
        }
    }
    /// Its priority, where light threads wait in line.
    pub fn priority(&self) -> i32 {
        // Relaxed: it stands for itself.
        self.priority.load(Ordering::Relaxed).cast_signed()
    }
    /// From the next time on that it waits in line.
    pub fn set_priority(&self, priority: i32) {
        // Relaxed: as above.
        self.priority
            .store(priority.cast_unsigned(), Ordering::Relaxed);
    }
    /// For how many nanoseconds a light thread has run.
    pub fn has_run(&self, now: u64) -> u64 {
        // Relaxed: as above.
        let since = self.runs_since.load(Ordering::Relaxed);
        let slice = if since > 0 {
            now.saturating_sub(since)
        } else {
            0
        };
        self.ran.load(Ordering::Relaxed) + slice
    }
    /// Whether it can be debugged.
    pub fn debug(&self) -> bool {
        // Relaxed: it stands for itself.
        self.debug.load(Ordering::Relaxed)
    }
    pub fn set_debug(&self, debug: bool) {
        // Relaxed: as above.
        self.debug.store(debug, Ordering::Relaxed);
    }
    /// Whether it blocks some of the signals that programs send.
    pub fn blocks_signals(&self) -> bool {
        // Relaxed: only the thread itself acts on it.
        self.blocks.load(Ordering::Relaxed)
    }
    /// Called by the thread itself.
    pub fn set_blocks_signals(&self, blocks: bool) {
        // Relaxed: as above.
        self.blocks.store(blocks, Ordering::Relaxed);
    }
    pub fn class(&self) -> Option<HeldAtom> {
        self.state.lock().seldom.as_ref()?.class.clone()
    }
    pub fn set_class(&self, class: HeldAtom) {
        let mut state = self.state.lock();
        state.seldom.get_or_insert_default().class = Some(class);
    }
    /// The other thread is to end when this one does: at once, if it has. Error: `NoMemory`.
    pub fn link(&self, child: &Arc<ThreadControl>) -> Result<(), SchedError> {
        let mut state = self.state.lock();
        if state.phase != Phase::Running {
            drop(state);
            child.attention.raise(Events::ABORT);
            return Ok(());
        }
        let linked = &mut state.seldom()?.linked;
        if linked.len() == linked.capacity() {
            linked.retain(|c| c.strong_count() > 0);
        }
        if !growth::vec_room(linked, |n| common::may_take(n, 0)) {
            return Err(SchedError::NoMemory);
        }
        linked.push(Arc::downgrade(child));
        Ok(())
    }
    /// The flags that it shared last.
    pub fn flags(&self) -> Arc<Flags> {
        let flags = self.state.lock().flags.clone();
        flags.unwrap_or_default()
    }
    /// Called by the thread itself when it changes one of its flags: threads that inherit from it get these.
    pub fn share_flags(&self, flags: Arc<Flags>) {
        let before = self.state.lock().flags.replace(flags);
        drop(before);
    }
    pub fn status(&self) -> Status {
        self.state.lock().status.clone()
    }
    pub fn is_running(&self) -> bool {
        self.state.lock().phase == Phase::Running
    }
    pub fn is_detached(&self) -> bool {
        self.state.lock().detached
    }
    /// Whether some thread waits to join it.
    pub fn is_joined(&self) -> bool {
        self.state.lock().joiner.is_some()
    }

    // ---- signals ----

    /// Queues a goal and raises [`Events::SIGNAL`]. One that `overtakes` need not wait for the goal of another signal to end. Error:
    /// `existence_error(thread, T)` if it has ended. Any thread.
    pub fn signal(&self, goal: Held, overtakes: bool) -> Result<(), SchedError> {
        let mut state = self.state.lock();
        if state.refuses_signals {
            let me = Reference::Handle(self.handle);
            return Err(SchedError::Existence(ObjectKind::Thread, me));
        }
        let seldom = state.seldom()?;
        seldom.have_places(1)?;
        seldom.push(goal, overtakes, true);
        drop(state);
        self.attention.raise(Events::SIGNAL);
        Ok(())
    }
    /// The same of what the process is told from outside, which the program cannot block or remove.
    pub fn command(&self, goal: Held) -> Result<(), SchedError> {
        let mut state = self.state.lock();
        if state.refuses_signals {
            let me = Reference::Handle(self.handle);
            return Err(SchedError::Existence(ObjectKind::Thread, me));
        }
        let seldom = state.seldom()?;
        seldom.have_places(1)?;
        seldom.push(goal, true, false);
        drop(state);
        self.attention.raise(Events::SIGNAL);
        Ok(())
    }
    /// A signal that will come later has a place from now on. Any thread.
    pub(crate) fn promise_signal(&self) -> Result<(), SchedError> {
        let mut state = self.state.lock();
        let seldom = state.seldom()?;
        seldom.have_places(1)?;
        seldom.promised += 1;
        Ok(())
    }
    /// It will not come. Any thread.
    pub(crate) fn withdraw_promise(&self) {
        if let Some(seldom) = &mut self.state.lock().seldom {
            seldom.promised -= 1;
        }
    }
    /// Whether neither an event nor a timer of its own ends a wait. Of one that waits.
    pub(crate) fn expects_nothing(&self) -> bool {
        // (A promise is kept under the lock, the event comes behind it.)
        let state = self.state.lock();
        let waits_for = |seldom: &Seldom| seldom.promised > 0 || !seldom.signals.is_empty();
        let expects = state
            .seldom
            .as_ref()
            .is_some_and(|seldom| waits_for(seldom));
        drop(state);
        !expects && !self.attention.must_not_wait()
    }
    /// How many are promised.
    #[cfg(debug_assertions)]
    pub(crate) fn promised(&self) -> usize {
        self.state.lock().seldom.as_ref().map_or(0, |s| s.promised)
    }
    /// It comes, if the thread has not ended; this needs no memory. Any thread.
    pub(crate) fn keep_promise(&self, goal: Held, overtakes: bool) {
        let mut state = self.state.lock();
        let refuses = state.refuses_signals;
        let Some(seldom) = &mut state.seldom else {
            unreachable!("what is promised has a place");
        };
        seldom.promised -= 1;
        if refuses {
            return;
        }
        debug_assert!(seldom.signals.len() < seldom.signals.capacity());
        seldom.push(goal, overtakes, false);
        drop(state);
        self.attention.raise(Events::SIGNAL);
    }
    /// The oldest queued goal. To be called by the thread itself, after taking [`Events::SIGNAL`], until there is none.
    pub fn next_signal(&self) -> Option<Held> {
        let mut state = self.state.lock();
        let seldom = state.seldom.as_mut()?;
        let at = seldom.limit().unwrap_or(0);
        seldom.take(at)
    }
    /// The oldest queued goal that is not blocked; if there is an `overtakes_now`, of those that overtake and for which it is true. Both run under the thread's lock, for goals that
    /// a program has sent: it must not use this thread's block. By the thread itself.
    pub fn next_unblocked(
        &self,
        overtakes_now: Option<&dyn Fn(&Record) -> bool>,
        is_blocked: &mut dyn FnMut(&Record) -> bool,
    ) -> Option<Held> {
        let mut state = self.state.lock();
        let seldom = state.seldom.as_mut()?;
        let may_run = &mut |s: &Signal| {
            overtakes_now.is_none_or(|now| s.overtakes && now(&s.goal))
                && !(s.by_program && is_blocked(&s.goal))
        };
        let limit = seldom.limit().filter(|_| overtakes_now.is_none());
        let at = match limit {
            Some(at) => at,
            None => seldom.signals.iter().position(may_run)?,
        };
        seldom.take(at)
    }
    /// The oldest queued goal of those that overtake and for which `now` is true; it runs under the thread's lock.
    pub fn next_overtaking(&self, now: &dyn Fn(&Record) -> bool) -> Option<Held> {
        let mut state = self.state.lock();
        let seldom = state.seldom.as_mut()?;
        if seldom.overtaking == 0 {
            return None;
        }
        let may_run = |s: &Signal| s.overtakes && now(&s.goal);
        let at = seldom.signals.iter().position(may_run)?;
        seldom.take(at)
    }
    /// The queued goals that programs sent, oldest first (`sig_pending/1`).
    pub fn pending_signals(&self) -> Vec<Held> {
        let state = self.state.lock();
        let all = state.seldom.iter().flat_map(|seldom| &seldom.signals);
        let sent = all.filter(|s| s.by_program);
        sent.map(|s| s.goal.clone()).collect()
    }
    /// Whether there is a queued goal for which `matches` is true, of those that [`ThreadControl::remove_signals`] would look at, and as there.
    pub fn has_signal(
        &self,
        of_programs: Option<bool>,
        matches: &mut dyn FnMut(&Record) -> bool,
    ) -> bool {
        let state = self.state.lock();
        let mut all = state.seldom.iter().flat_map(|seldom| &seldom.signals);
        all.any(|s| of_programs.is_none_or(|by| by == s.by_program) && matches(&s.goal))
    }
    /// Removes and returns the queued goals for which `matches` is true: of all that are queued, or of those that programs sent (`sig_remove/2`) or did not send.
    /// `matches` runs under the thread's lock: it must not use this thread's block.
    pub fn remove_signals(
        &self,
        of_programs: Option<bool>,
        matches: &mut dyn FnMut(&Record) -> bool,
    ) -> Vec<Held> {
        let mut state = self.state.lock();
        let mut removed = Vec::new();
        let Some(seldom) = &mut state.seldom else {
            return removed;
        };
        seldom.signals.retain(|s| {
            let remove = of_programs.is_none_or(|by| by == s.by_program) && matches(&s.goal);
            if remove {
                removed.push(s.goal.clone());
            }
            !remove
        });
        seldom.overtaking = seldom.signals.iter().filter(|s| s.overtakes).count();
        removed
    }

    // ---- ending ----

    /// Adds a goal to run when the thread ends, before those added earlier.
    pub fn at_exit(&self, goal: Held) -> Result<(), SchedError> {
        let mut state = self.state.lock();
        let at_exit = &mut state.seldom()?.at_exit;
        if !growth::vec_room(at_exit, |n| common::may_take(n, 0)) {
            return Err(SchedError::NoMemory);
        }
        walked::enter(&goal);
        at_exit.push(goal);
        Ok(())
    }
    /// Takes the goal to run next at exit. By the thread itself, until there is none.
    pub fn next_at_exit(&self) -> Option<Held> {
        self.state.lock().seldom.as_mut()?.at_exit.pop()
    }
    /// Whether there is one.
    pub fn has_exit_goals(&self) -> bool {
        (self.state.lock().seldom.as_ref()).is_some_and(|s| !s.at_exit.is_empty())
    }
    /// The thread's goal has ended: it takes no more signals. Those queued are to be run now. By the thread itself.
    pub fn refuse_signals(&self) {
        self.state.lock().refuses_signals = true;
    }
    /// The thread's status becomes visible; its exit goals are to be run now. Only the first call counts. By the thread itself.
    /// Those that are linked to it are to end too.
    pub fn conclude(&self, status: Status) {
        let mut state = self.state.lock();
        state.conclude(status);
        let seldom = state.seldom.as_mut();
        let linked = seldom.map(|s| std::mem::take(&mut s.linked));
        drop(state);
        let linked = linked.unwrap_or_default();
        for child in linked.iter().filter_map(Weak::upgrade) {
            child.attention.raise(Events::ABORT);
        }
    }
    /// Ending to Finished; wakes the joiner.
    pub(super) fn finish(&self) -> Reclaim {
        let mut state = self.state.lock();
        assert_eq!(state.phase, Phase::Ending, "finish: conclude comes first");
        if let Some(seldom) = &mut state.seldom {
            seldom.at_exit.clear();
        }
        if state.detached {
            state.phase = Phase::Reclaimed;
            return Reclaim::Now;
        }
        state.phase = Phase::Finished;
        if let Some(joiner) = &state.joiner {
            joiner.unpark();
        }
        Reclaim::Later
    }

    // ---- joining ----

    /// Makes the owner of `attention` the joiner.
    pub(super) fn begin_join(&self, attention: &Arc<Attention>) -> Result<(), Refusal> {
        let mut state = self.state.lock();
        if state.phase == Phase::Reclaimed {
            return Err(Refusal::Gone);
        }
        // (A light thread comes back for its place.)
        let is_another = |joiner: &Arc<Attention>| !Arc::ptr_eq(joiner, attention);
        if state.detached || state.joiner.as_ref().is_some_and(is_another) {
            return Err(Refusal::NotPermitted);
        }
        state.joiner = Some(attention.clone());
        Ok(())
    }
    /// Waits for the end after `begin_join`; `long` is called once before a wait that takes more than some patience. When interrupted, the caller is the joiner no
    /// longer; otherwise it has to reclaim the thread.
    pub(super) fn end_join(
        self: &Arc<Self>,
        attention: &Arc<Attention>,
        patience: Duration,
        long: impl FnOnce(),
    ) -> Result<Status, SchedError> {
        let mut long = Some(long);
        let mut deadline = None;
        loop {
            let mut state = self.state.lock();
            if state.phase == Phase::Finished {
                state.phase = Phase::Reclaimed;
                return Ok(state.status.clone());
            }
            if attention.must_not_wait() {
                state.joiner = None;
                return Err(SchedError::Interrupted);
            }
            drop(state);
            let place = || Place {
                object: self.clone(),
                line: Line::Joiners,
                ticket: Ticket::ONLY,
                examined: 0,
            };
            if attention.suspend(None, || Some(place())) {
                return Err(SchedError::Interrupted);
            }
            if long.is_some() {
                let until = *deadline.get_or_insert_with(|| clock::now() + patience);
                if clock::now() < until {
                    attention.park(deadline);
                    continue;
                }
                long.take().into_iter().for_each(|long| long());
            }
            attention.park(None);
        }
    }
    /// Gives up the right to join.
    pub(super) fn detach(&self) -> Result<Reclaim, Refusal> {
        let mut state = self.state.lock();
        match state.phase {
            Phase::Reclaimed => return Err(Refusal::Gone),
            _ if state.joiner.is_some() => return Err(Refusal::NotPermitted),
            Phase::Finished => {
                state.phase = Phase::Reclaimed;
                return Ok(Reclaim::Now);
            }
            Phase::Running | Phase::Ending => state.detached = true,
        }
        Ok(Reclaim::Later)
    }
}

impl Waited for ThreadControl {
    fn give_up(&self, _: Line, _: Ticket) {
        self.state.lock().joiner = None;
    }
}
