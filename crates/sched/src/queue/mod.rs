//! Message queues: FIFO queues of terms ([`Message`]) from which a receiver takes the first message that fits its pattern.
//!
//! Wielemaker, *Native preemptive threads in SWI-Prolog*, 6.4.2 and 6.5.2. Differs from it in:
//! - **Selection by key.** A receiver that knows the functor or constant it wants sees only messages with that key (and
//!   messages that are variables), see [`MessageKey`].
//! - **One message wakes one receiver**, one whose key allows it; SWI-Prolog wakes all as soon as one of them waits with a
//!   pattern. A receiver that has no use for what it was woken for wakes the next one that has not seen it.
//! - A receiver that waits looks at each message once: it remembers the number of the last one it has examined. (Its
//!   pattern cannot change while it waits.)
//!
//! Invariants, with the lock free ([`MessageQueue::verify`]); what they say of messages is of those in the store: where somebody is parked there are no others ([`arrivals`]).
//! 1. If a parked receiver has not examined some message that may have its key, some receiver is woken.
//! 2. If a sender is parked and there is room, some sender is woken.
//! 3. If the queue is destroyed, it is empty and nobody is parked.
//!
//! 4. What was seen ([`Seen`]) names a message by its number and its slot: numbers are never given again, so it is that message or none.
//!
//! They hold because a new message wakes the first suitable receiver, a removed message or a larger size the first sender, and
//! because a woken thread, whatever its own outcome, wakes the next one who could make progress before it gives up the lock.
//!
//! What comes while nobody waits is left beside the queue until a receiver has seen all that is in it ([`arrivals`]), so that he and a sender rarely meet.
//!
//! There is one lock per queue, beside that of the arrivals. **The `matches` callback runs under it**: it must not use the same queue, wait for
//! anything, or panic; unifying with a pattern on the caller's own heap is what it is for. All methods may be called from any
//! thread; the [`Attention`] handed in must be the calling thread's own.

mod arrivals;
mod key;
mod message;
mod store;
#[cfg(all(test, not(loom)))]
mod tests;

pub use arrivals::Arrivals;
pub use key::MessageKey;
pub use message::Message;
pub use store::Seen;

use self::arrivals::Batch;
use crate::interrupt::{Attention, past};
use crate::light::{Line, Place, Waited};
use crate::sync::{AtomicBool, Lock, LockGuard, Ordering};
use crate::waiters::{Ticket, WaitList, Wake};
use samite_term::common::Charge;
use samite_term::{Atom, HoldsAtoms, walked};
use samite_world::clock;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use store::MessageStore;

/// Why nothing was sent or received.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum QueueError {
    /// The queue was destroyed, before the call or during it.
    Destroyed,
    /// An event is due; the call may be repeated.
    Interrupted,
    /// The deadline has passed.
    TimedOut,
    /// There is no memory for another message.
    NoMemory,
    /// With this message the queue would hold more bytes than it may.
    TooManyBytes,
    /// Nobody is left who could do something about it ([`crate::deadlock`]).
    Deadlock,
}

/// What was not sent, and why.
#[derive(PartialEq, Eq, Debug)]
pub struct Unsent(pub QueueError, pub Message);

/// For how long a call waits.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// Up to then; a time that has passed: not at all. `None`: for good.
    Until(Option<Instant>),
    /// So long, and not beyond that time. (The clock is read when there is something to wait for.)
    Within(Duration, Option<Instant>),
}

impl From<Option<Instant>> for Limit {
    fn from(deadline: Option<Instant>) -> Limit {
        Limit::Until(deadline)
    }
}

impl Limit {
    /// The time of a call that begins to wait now.
    fn begin(&mut self) -> Option<Instant> {
        if let Limit::Within(time, deadline) = *self {
            let soon = clock::now() + time;
            *self = Limit::Until(Some(deadline.map_or(soon, |d| d.min(soon))));
        }
        match *self {
            Limit::Until(deadline) | Limit::Within(_, deadline) => deadline,
        }
    }
}

/// Whether somebody is left who may end a wait ([`crate::deadlock`]).
pub trait Hope {
    /// There is nobody. Asked before each sleep of who is in line, without locks; the call ends with [`QueueError::Deadlock`] then, unless it has been woken
    /// meanwhile.
    fn is_lost(&mut self) -> bool;
}

/// For how long a call waits.
pub struct Patience<'a> {
    limit: Limit,
    hope: Option<&'a mut dyn Hope>,
}

impl<'a> Patience<'a> {
    /// As long as there is hope, if that is looked at.
    pub fn new(limit: impl Into<Limit>, hope: Option<&'a mut dyn Hope>) -> Patience<'a> {
        Patience {
            limit: limit.into(),
            hope,
        }
    }
    fn begin(&mut self) -> Option<Instant> {
        self.limit.begin()
    }
    fn is_lost(&mut self) -> bool {
        self.hope.as_mut().is_some_and(|hope| hope.is_lost())
    }
}

impl<T: Into<Limit>> From<T> for Patience<'_> {
    fn from(limit: T) -> Self {
        Patience::new(limit, None)
    }
}

/// What a parked receiver waits for.
struct Wanted {
    key: Option<MessageKey>,
    examined: u64,
}

/// Of a queue that has, or has had, a limit; only at such does a sender wait.
struct Limits {
    /// 0: no limit.
    max_size: usize,
    /// Bytes that its messages may take; 0: no limit.
    max_bytes: usize,
    senders: WaitList<()>,
}

/// (There is one for each thread: what most have no use for is boxed.)
struct State {
    store: MessageStore,
    limits: Option<Box<Limits>>,
    destroyed: bool,
    receivers: WaitList<Wanted>,
    /// There may be messages in the arrivals, or room for some.
    open: bool,
    /// There once there have been arrivals.
    batch: Option<Box<Batch>>,
}

impl State {
    /// Whether messages may be left in the arrivals.
    fn may_be_open(&self) -> bool {
        let limited = self.max_size() > 0 || self.max_bytes() > 0;
        self.receivers.len() == 0 && !limited && !self.destroyed
    }
    fn max_size(&self) -> usize {
        self.limits.as_ref().map_or(0, |limits| limits.max_size)
    }
    fn max_bytes(&self) -> usize {
        self.limits.as_ref().map_or(0, |limits| limits.max_bytes)
    }
    fn limits(&mut self) -> &mut Limits {
        self.limits.get_or_insert_with(|| {
            Box::new(Limits {
                max_size: 0,
                max_bytes: 0,
                senders: WaitList::new(),
            })
        })
    }
    /// Messages that were taken from the arrivals and are not in the store.
    fn batched(&self) -> usize {
        self.batch.as_ref().map_or(0, |batch| batch.len())
    }
    fn has_room(&self) -> bool {
        self.max_size() == 0 || self.store.len() < self.max_size()
    }
    /// Whether a message is too much.
    fn exceeds(&self, message: &Message) -> bool {
        self.max_bytes() > 0 && self.store.bytes_with(message) > self.max_bytes()
    }
    /// Keeps invariant 1 when a message with `key` is new: wakes the first receiver that may want it.
    fn wake_receiver_of(&mut self, key: Option<MessageKey>) -> Wake {
        self.receivers
            .wake_first(|w| key.is_none() || w.key.is_none() || w.key == key)
    }
    /// Keeps invariant 1 when a woken receiver leaves: wakes the first one with something new to look at.
    fn wake_receiver(&mut self) -> Wake {
        let store = &mut self.store;
        if store.len() == 0 {
            return Wake::default();
        }
        self.receivers
            .wake_first(|w| store.has_news(w.key, w.examined))
    }
    /// Keeps invariant 2: wakes the first sender if there is room.
    fn wake_sender(&mut self) -> Wake {
        let has_room = self.has_room();
        match &mut self.limits {
            Some(limits) if has_room => limits.senders.wake_first(|()| true),
            _ => Wake::default(),
        }
    }
    fn verify(&self) {
        let news = |w: &Wanted| self.store.is_news(w.key, w.examined);
        assert!(
            self.receivers.woken() > 0 || !self.receivers.wants().any(news),
            "queue: a receiver sleeps through a message"
        );
        let senders = self.limits.as_ref().map(|limits| &limits.senders);
        assert!(
            senders.is_none_or(|s| s.woken() > 0 || s.len() == 0) || !self.has_room(),
            "queue: a sender sleeps though there is room"
        );
        let parked = self.receivers.len() + senders.map_or(0, WaitList::len);
        assert!(!self.destroyed || self.store.len() + parked == 0);
        assert!(!self.open || self.may_be_open(), "queue: open");
    }
    /// Messages of the batch are in the store now.
    fn put_in_store(&mut self) {
        if let Some(batch) = &mut self.batch {
            while let Some(message) = batch.pop() {
                self.store.push(message);
            }
        }
    }
    /// The first message that may have `key` and that `matches`, if none is in the store, and it is the oldest one of the batch. Else all are in the store then; the number
    /// of the last one that was looked at already.
    fn take_first(
        &mut self,
        key: Option<MessageKey>,
        examined: u64,
        matches: &mut dyn FnMut(&Message) -> bool,
    ) -> Result<Message, u64> {
        let mut examined = examined;
        if self.store.len() == 0
            && let Some(batch) = &mut self.batch
            && let Some(first) = batch.first()
        {
            let may_have = key.is_none() || first.key().is_none_or(|its| Some(its) == key);
            if may_have && matches(first) {
                self.store.passes();
                return batch.pop().ok_or(examined);
            }
            examined = self.store.last_sequence() + 1;
        }
        self.put_in_store();
        Err(examined)
    }
    /// What must be true of the arrivals.
    fn verify_arrivals(&self, arrivals: &Arrivals) {
        let (messages, room) = arrivals.counts();
        assert!(messages <= room && room + self.batched() <= self.store.room());
        assert!(self.may_be_open() || self.batched() == 0);
        assert!(self.open || room == 0, "queue: closed, and has room");
        let is_empty = !self.open && self.store.len() + self.batched() == 0;
        let oversized =
            self.batch.as_ref().is_some_and(|b| b.is_oversized()) || arrivals.is_oversized();
        assert!(!is_empty || !oversized, "queue: empty, and large");
    }
}

/// A queue of messages; see the module text. Shared by `Arc`.
pub struct MessageQueue {
    state: Lock<State>,
    /// From when there have been many messages.
    arrivals: OnceLock<Arc<Arrivals>>,
    /// `destroyed` of the state, for who looks without the lock.
    is_over: AtomicBool,
    /// The queue itself; its messages are charged where they are.
    _charge: Charge,
}

impl HoldsAtoms for MessageQueue {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        let state = self.settled();
        state.store.messages().for_each(|m| m.each_atom(f));
    }
}

impl std::fmt::Debug for MessageQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MessageQueue({} messages)", self.len())
    }
}

impl MessageQueue {
    /// An empty queue that holds at most `max_size` messages; 0: any number.
    pub fn new(max_size: usize) -> MessageQueue {
        let mut state = State {
            store: MessageStore::new(),
            limits: None,
            destroyed: false,
            receivers: WaitList::new(),
            open: false,
            batch: None,
        };
        if max_size > 0 {
            state.limits().max_size = max_size;
        }
        MessageQueue {
            state: Lock::new(state),
            arrivals: OnceLock::new(),
            is_over: AtomicBool::new(false),
            _charge: Charge::new(2 * size_of::<MessageQueue>()),
        }
    }

    /// Adds a message at the end. Waits while the queue is full.
    pub fn send<'a>(
        self: &Arc<Self>,
        message: Message,
        attention: &Arc<Attention>,
        patience: impl Into<Patience<'a>>,
    ) -> Result<(), Unsent> {
        let mut patience = patience.into();
        let place = attention.take_place(Arc::as_ptr(self).cast(), Line::Senders);
        let mut message = message;
        if place.is_none()
            && let Some(arrivals) = self.arrivals.get()
        {
            match arrivals.leave(message) {
                Ok(()) => return Ok(()),
                Err(back) => message = back,
            }
            let mut state = self.state.lock();
            match self.leave_in(&mut state, message) {
                Ok(()) => return Ok(()),
                Err(back) => message = back,
            }
        }
        let mut state = self.settled();
        let (mut ticket, mut woken) = (None, false);
        if let Some(place) = place {
            woken = state.limits().senders.leave(place.ticket);
            ticket = Some(place.ticket);
        }
        loop {
            if state.destroyed {
                return Err(Unsent(QueueError::Destroyed, message));
            }
            if state.has_room() {
                let refused = if state.exceeds(&message) {
                    Some(QueueError::TooManyBytes)
                } else if !state.store.make_room() {
                    Some(QueueError::NoMemory)
                } else {
                    None
                };
                if let Some(error) = refused {
                    // Another sender may have use for the room that this one leaves.
                    let sender = state.wake_sender();
                    self.finish(state, Wake::default(), sender);
                    return Err(Unsent(error, message));
                }
                walked::enter(&message);
                let key = state.store.push(message);
                let receiver = state.wake_receiver_of(key);
                let sender = if woken {
                    state.wake_sender()
                } else {
                    Wake::default()
                };
                if state.store.len() > arrivals::MANY && state.may_be_open() {
                    self.open(&mut state);
                }
                self.finish(state, receiver, sender);
                return Ok(());
            }
            // A woken sender that finds no room has nothing to pass on.
            let deadline = patience.begin();
            if let Some(error) = refusal(attention, deadline) {
                return Err(Unsent(error, message));
            }
            let t = state.limits().senders.enter(ticket, attention, ());
            ticket = Some(t);
            self.finish(state, Wake::default(), Wake::default());
            if patience.is_lost() {
                state = self.settled();
                woken = state.limits().senders.leave(t);
                if woken {
                    continue;
                }
                return Err(Unsent(QueueError::Deadlock, message));
            }
            if attention.suspend(deadline, || Some(self.place(Line::Senders, t, 0))) {
                return Err(Unsent(QueueError::Interrupted, message));
            }
            attention.park(deadline);
            state = self.settled();
            woken = state.limits().senders.leave(t);
        }
    }

    /// Where messages may be left beside the queue, once there have been many.
    pub fn arrivals(&self) -> Option<Arc<Arrivals>> {
        self.arrivals.get().cloned()
    }

    /// Removes and returns the first message for which `matches` is true; waits until there is one.
    ///
    /// `key` is that of the pattern ([`MessageKey::of_term`]); messages that cannot have it are not
    /// offered to `matches`. `matches` runs under the queue's lock, see the module text.
    pub fn get<'a>(
        self: &Arc<Self>,
        key: Option<MessageKey>,
        matches: &mut dyn FnMut(&Message) -> bool,
        attention: &Arc<Attention>,
        patience: impl Into<Patience<'a>>,
    ) -> Result<Message, QueueError> {
        let find = |state: &mut State, after| match state.take_first(key, after, matches) {
            Ok(message) => Some(message),
            Err(examined) => state.store.take(key, examined, matches),
        };
        self.receive(key, 0, find, attention, patience.into())
    }

    /// The first message behind one that was seen (a number of 0: of all) for which `matches` is true; it stays ([`MessageQueue::take_seen`]). Else as
    /// [`MessageQueue::get`].
    pub fn see<'a>(
        self: &Arc<Self>,
        key: Option<MessageKey>,
        after: Seen,
        matches: &mut dyn FnMut(&Message) -> bool,
        attention: &Arc<Attention>,
        patience: impl Into<Patience<'a>>,
    ) -> Result<Seen, QueueError> {
        let find = |state: &mut State, examined| {
            state.put_in_store();
            let elsewhere = Seen {
                number: examined,
                slot: u32::MAX,
            };
            let after = if examined == after.number {
                after
            } else {
                elsewhere
            };
            state.store.see(key, after, matches)
        };
        self.receive(key, after.number, find, attention, patience.into())
    }

    fn receive<T>(
        self: &Arc<Self>,
        key: Option<MessageKey>,
        after: u64,
        mut find: impl FnMut(&mut State, u64) -> Option<T>,
        attention: &Arc<Attention>,
        mut patience: Patience<'_>,
    ) -> Result<T, QueueError> {
        let place = attention.take_place(Arc::as_ptr(self).cast(), Line::Receivers);
        let mut state = self.state.lock();
        let (mut ticket, mut woken, mut examined) = (None, false, after);
        if let Some(place) = place {
            woken = state.receivers.leave(place.ticket);
            (ticket, examined) = (Some(place.ticket), place.examined);
        }
        loop {
            if state.destroyed {
                return Err(QueueError::Destroyed);
            }
            // (Those that come while it looks at the first that have come are the last that it looks at before it sees to anything else.)
            let mut open = true;
            let found = loop {
                let found = find(&mut state, examined);
                examined = state.store.last_sequence();
                if found.is_some() || !state.open || !self.take_arrivals(&mut state, open) {
                    break found;
                }
                open = false;
            };
            let next = if woken {
                state.wake_receiver()
            } else {
                Wake::default()
            };
            if let Some(message) = found {
                let sender = state.wake_sender();
                self.trim(&mut state);
                self.finish(state, next, sender);
                return Ok(message);
            }
            let deadline = patience.begin();
            if let Some(error) = refusal(attention, deadline) {
                self.finish(state, next, Wake::default());
                return Err(error);
            }
            let wanted = Wanted { key, examined };
            let t = state.receivers.enter(ticket, attention, wanted);
            ticket = Some(t);
            self.finish(state, next, Wake::default());
            if patience.is_lost() {
                state = self.state.lock();
                woken = state.receivers.leave(t);
                if woken {
                    continue;
                }
                return Err(QueueError::Deadlock);
            }
            if attention.suspend(deadline, || Some(self.place(Line::Receivers, t, examined))) {
                return Err(QueueError::Interrupted);
            }
            attention.park(deadline);
            state = self.state.lock();
            woken = state.receivers.leave(t);
        }
    }

    /// Removes a message that was seen. Whether it was still there.
    pub fn take_seen(&self, seen: Seen) -> Result<bool, QueueError> {
        let mut state = self.state.lock();
        if state.destroyed {
            return Err(QueueError::Destroyed);
        }
        let taken = state.store.take_seen(seen);
        let sender = state.wake_sender();
        self.trim(&mut state);
        self.finish(state, Wake::default(), sender);
        Ok(taken.is_some())
    }

    /// Gives up the lock, then wakes those who were chosen under it.
    fn finish(&self, state: LockGuard<'_, State>, receiver: Wake, sender: Wake) {
        if cfg!(debug_assertions) {
            state.verify();
            if let Some(arrivals) = self.arrivals.get() {
                state.verify_arrivals(arrivals);
            }
        }
        drop(state);
        receiver.up();
        sender.up();
    }

    /// The lock, with all messages in the store; senders come for it from now on.
    fn settled(&self) -> LockGuard<'_, State> {
        let mut state = self.state.lock();
        state.put_in_store();
        if state.open {
            self.take_arrivals(&mut state, false);
            state.put_in_store();
        }
        state
    }

    /// Messages that have come are the batch now, which was empty. False: there were none, and senders come for the lock from now on.
    #[inline]
    fn settle(&self, state: &mut State) -> bool {
        state.open && self.take_arrivals(state, true)
    }

    fn take_arrivals(&self, state: &mut State, open: bool) -> bool {
        let Some(arrivals) = self.arrivals.get() else {
            return false;
        };
        let room = state.store.room();
        let left = |n| if open && n > 0 { room - n } else { 0 };
        let batch = state.batch.get_or_insert_default();
        arrivals.take(batch, left);
        let came = !batch.is_empty();
        state.open = open && came;
        came
    }

    /// Leaves a message in the arrivals, if these are open, with more room for such; else it comes back.
    fn leave_in(&self, state: &mut State, message: Message) -> Result<(), Message> {
        let Some(arrivals) = self.arrivals.get().filter(|_| state.open) else {
            return Err(message);
        };
        let (there, _) = arrivals.counts();
        let taken = state.batched();
        if state.store.room() - taken < 2 * there.max(2) && !state.store.double() {
            return Err(message);
        }
        arrivals.set_room(state.store.room() - taken);
        arrivals.leave(message)
    }

    /// From now on messages may be left in the arrivals, which are empty, as far as there are places for them.
    fn open(&self, state: &mut State) {
        let arrivals = self.arrivals.get_or_init(Arc::default);
        arrivals.set_room(state.store.room());
        state.open = true;
    }

    /// An empty queue that had many messages gives their places back.
    #[inline]
    fn trim(&self, state: &mut State) {
        if state.store.is_oversized() && state.batched() == 0 && !self.settle(state) {
            self.give_back(state);
        }
    }

    /// The same of one that is empty, and not open.
    #[cold]
    fn give_back(&self, state: &mut State) {
        state.store.shrink();
        if let Some(batch) = &mut state.batch {
            batch.trim();
        }
        if let Some(arrivals) = self.arrivals.get() {
            arrivals.trim();
        }
    }

    fn place(self: &Arc<Self>, line: Line, ticket: Ticket, examined: u64) -> Place {
        Place {
            object: self.clone(),
            line,
            ticket,
            examined,
        }
    }

    /// Whether there is a message for which `matches` is true; it stays in the queue. Never waits. As for
    /// [`MessageQueue::get`], `matches` runs under the lock.
    pub fn peek(
        &self,
        key: Option<MessageKey>,
        matches: &mut dyn FnMut(&Message) -> bool,
    ) -> Result<bool, QueueError> {
        let mut state = self.settled();
        if state.destroyed {
            return Err(QueueError::Destroyed);
        }
        Ok(state.store.has(key, matches))
    }

    /// Ends the queue: drops its messages; everybody who waits or comes later gets [`QueueError::Destroyed`].
    pub fn destroy(&self) {
        let mut state = self.settled();
        state.destroyed = true;
        // Relaxed: who is to know of it is told otherwise.
        self.is_over.store(true, Ordering::Relaxed);
        let messages = std::mem::replace(&mut state.store, MessageStore::new());
        self.give_back(&mut state);
        state.receivers.wake_all();
        if let Some(limits) = &mut state.limits {
            limits.senders.wake_all();
        }
        self.finish(state, Wake::default(), Wake::default());
        drop(messages);
    }

    /// Changes the largest number of messages; 0: any. Messages beyond it stay, senders wait.
    pub fn set_max_size(&self, max_size: usize) -> Result<(), QueueError> {
        let mut state = self.settled();
        if state.destroyed {
            return Err(QueueError::Destroyed);
        }
        if max_size > 0 || state.limits.is_some() {
            state.limits().max_size = max_size;
        }
        let sender = state.wake_sender();
        self.finish(state, Wake::default(), sender);
        Ok(())
    }

    /// Changes the number of bytes that its messages may take; 0: any. Those that are there stay: who would send more gets
    /// [`QueueError::TooManyBytes`], and does not wait.
    pub fn set_max_bytes(&self, max_bytes: usize) -> Result<(), QueueError> {
        let mut state = self.settled();
        if state.destroyed {
            return Err(QueueError::Destroyed);
        }
        if max_bytes > 0 || state.limits.is_some() {
            state.limits().max_bytes = max_bytes;
        }
        Ok(())
    }
    /// The bytes that its messages may take; 0: any.
    pub fn max_bytes(&self) -> usize {
        self.state.lock().max_bytes()
    }
    /// Bytes of its messages.
    pub fn bytes(&self) -> usize {
        self.settled().store.bytes()
    }
    /// The largest number of messages; 0: any.
    pub fn max_size(&self) -> usize {
        self.state.lock().max_size()
    }
    /// Messages in the queue.
    pub fn len(&self) -> usize {
        self.settled().store.len()
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Threads that wait for a message.
    pub fn waiting(&self) -> usize {
        self.state.lock().receivers.len()
    }
    /// Whether somebody waits in one of its lines, and has not been woken.
    pub(crate) fn has_in_line(&self, whom: &Arc<Attention>) -> bool {
        let state = self.state.lock();
        let senders = state.limits.as_ref().map(|limits| &limits.senders);
        state.receivers.has(whom) || senders.is_some_and(|senders| senders.has(whom))
    }
    /// Threads that wait for room.
    pub fn waiting_senders(&self) -> usize {
        let state = self.state.lock();
        state
            .limits
            .as_ref()
            .map_or(0, |limits| limits.senders.len())
    }
    pub fn is_destroyed(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
    /// Checks the invariants of the module text and of the store, in time proportional to the queue. Panics with the first
    /// violation.
    pub fn verify(&self) {
        let state = self.state.lock();
        state.verify();
        state.store.verify();
        if let Some(arrivals) = self.arrivals.get() {
            state.verify_arrivals(arrivals);
        }
    }
}

impl Waited for MessageQueue {
    fn queue(self: Arc<Self>) -> Option<Arc<MessageQueue>> {
        Some(self)
    }
    fn give_up(&self, line: Line, ticket: Ticket) {
        let mut state = self.state.lock();
        let (mut receiver, mut sender) = (Wake::default(), Wake::default());
        // What it was woken for another may have use for.
        match line {
            Line::Receivers if state.receivers.leave(ticket) => receiver = state.wake_receiver(),
            Line::Senders if state.limits().senders.leave(ticket) => sender = state.wake_sender(),
            _ => {}
        }
        self.finish(state, receiver, sender);
    }
}

/// Why a call that cannot complete must not wait either.
fn refusal(attention: &Attention, deadline: Option<Instant>) -> Option<QueueError> {
    if attention.must_not_wait() {
        Some(QueueError::Interrupted)
    } else if past(deadline) {
        Some(QueueError::TimedOut)
    } else {
        None
    }
}
