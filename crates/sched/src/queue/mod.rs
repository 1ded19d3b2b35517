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
//! Invariants, with the lock free ([`MessageQueue::verify`]):
//! 1. If a parked receiver has not examined some message that may have its key, some receiver is woken.
//! 2. If a sender is parked and there is room, some sender is woken.
//! 3. If the queue is destroyed, it is empty and nobody is parked.
//!
//! 4. What was seen ([`Seen`]) names a message by its number and its slot: numbers are never given again, so it is that message or none.
//!
//! They hold because a new message wakes the first suitable receiver, a removed message or a larger size the first sender, and
//! because a woken thread, whatever its own outcome, wakes the next one who could make progress before it gives up the lock.
//!
//! There is one lock per queue. **The `matches` callback runs under it**: it must not use the same queue, wait for
//! anything, or panic; unifying with a pattern on the caller's own heap is what it is for. All methods may be called from any
//! thread; the [`Attention`] handed in must be the calling thread's own.

mod key;
mod message;
mod store;
#[cfg(all(test, not(loom)))]
mod tests;

pub use key::MessageKey;
pub use message::Message;
pub use store::Seen;

use crate::interrupt::{Attention, past};
use crate::light::{Line, Place, Waited};
use crate::sync::{AtomicBool, Lock, LockGuard, Ordering};
use crate::waiters::{Ticket, WaitList, Wake};
use samite_term::common::Charge;
use samite_term::{Atom, HoldsAtoms, walked};
use samite_world::clock;
use std::sync::Arc;
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

/// What a parked receiver waits for.
struct Wanted {
    key: Option<MessageKey>,
    examined: u64,
}

struct State {
    store: MessageStore,
    /// 0: no limit.
    max_size: usize,
    /// Bytes that its messages may take; 0: no limit.
    max_bytes: usize,
    destroyed: bool,
    receivers: WaitList<Wanted>,
    senders: WaitList<()>,
}

impl State {
    fn has_room(&self) -> bool {
        self.max_size == 0 || self.store.len() < self.max_size
    }
    /// Whether a message is too much.
    fn exceeds(&self, message: &Message) -> bool {
        self.max_bytes > 0 && self.store.bytes_with(message) > self.max_bytes
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
        if self.has_room() {
            self.senders.wake_first(|()| true)
        } else {
            Wake::default()
        }
    }
    fn verify(&self) {
        let news = |w: &Wanted| self.store.is_news(w.key, w.examined);
        assert!(
            self.receivers.woken() > 0 || !self.receivers.wants().any(news),
            "queue: a receiver sleeps through a message"
        );
        assert!(
            self.senders.woken() > 0 || self.senders.len() == 0 || !self.has_room(),
            "queue: a sender sleeps though there is room"
        );
        let parked = self.receivers.len() + self.senders.len();
        assert!(!self.destroyed || self.store.len() + parked == 0);
    }
}

/// A queue of messages; see the module text. Shared by `Arc`.
pub struct MessageQueue {
    state: Lock<State>,
    /// `destroyed` of the state, for who looks without the lock.
    is_over: AtomicBool,
    /// The queue itself; its messages are charged by the store.
    _charge: Charge,
}

impl HoldsAtoms for MessageQueue {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        let state = self.state.lock();
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
        MessageQueue {
            state: Lock::new(State {
                store: MessageStore::new(),
                max_size,
                max_bytes: 0,
                destroyed: false,
                receivers: WaitList::new(),
                senders: WaitList::new(),
            }),
            is_over: AtomicBool::new(false),
            _charge: Charge::new(2 * size_of::<MessageQueue>()),
        }
    }

    /// Adds a message at the end. Waits while the queue is full.
    pub fn send(
        self: &Arc<Self>,
        message: Message,
        attention: &Arc<Attention>,
        limit: impl Into<Limit>,
    ) -> Result<(), Unsent> {
        let mut limit = limit.into();
        let place = attention.take_place(Arc::as_ptr(self).cast(), Line::Senders);
        let mut state = self.state.lock();
        let (mut ticket, mut woken) = (None, false);
        if let Some(place) = place {
            woken = state.senders.leave(place.ticket);
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
                    finish(state, Wake::default(), sender);
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
                finish(state, receiver, sender);
                return Ok(());
            }
            // A woken sender that finds no room has nothing to pass on.
            let deadline = limit.begin();
            if let Some(error) = refusal(attention, deadline) {
                return Err(Unsent(error, message));
            }
            let t = state.senders.enter(ticket, attention, ());
            ticket = Some(t);
            finish(state, Wake::default(), Wake::default());
            if attention.suspend(deadline, || Some(self.place(Line::Senders, t, 0))) {
                return Err(Unsent(QueueError::Interrupted, message));
            }
            attention.park(deadline);
            state = self.state.lock();
            woken = state.senders.leave(t);
        }
    }

    /// Removes and returns the first message for which `matches` is true; waits until there is one.
    ///
    /// `key` is that of the pattern ([`MessageKey::of_term`]); messages that cannot have it are not
    /// offered to `matches`. `matches` runs under the queue's lock, see the module text.
    pub fn get(
        self: &Arc<Self>,
        key: Option<MessageKey>,
        matches: &mut dyn FnMut(&Message) -> bool,
        attention: &Arc<Attention>,
        limit: impl Into<Limit>,
    ) -> Result<Message, QueueError> {
        let find = |state: &mut State, after| state.store.take(key, after, matches);
        self.receive(key, 0, find, attention, limit.into())
    }

    /// The first message behind one that was seen (a number of 0: of all) for which `matches` is true; it stays ([`MessageQueue::take_seen`]). Else as
    /// [`MessageQueue::get`].
    pub fn see(
        self: &Arc<Self>,
        key: Option<MessageKey>,
        after: Seen,
        matches: &mut dyn FnMut(&Message) -> bool,
        attention: &Arc<Attention>,
        limit: impl Into<Limit>,
    ) -> Result<Seen, QueueError> {
        let find = |state: &mut State, examined| match examined == after.number {
            true => state.store.see(key, after, matches),
            false => {
                let number = examined;
                state.store.see(
                    key,
                    Seen {
                        number,
                        slot: u32::MAX,
                    },
                    matches,
                )
            }
        };
        self.receive(key, after.number, find, attention, limit.into())
    }

    fn receive<T>(
        self: &Arc<Self>,
        key: Option<MessageKey>,
        after: u64,
        mut find: impl FnMut(&mut State, u64) -> Option<T>,
        attention: &Arc<Attention>,
        mut limit: Limit,
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
            let found = find(&mut state, examined);
            examined = state.store.last_sequence();
            let next = if woken {
                state.wake_receiver()
            } else {
                Wake::default()
            };
            if let Some(message) = found {
                let sender = state.wake_sender();
                finish(state, next, sender);
                return Ok(message);
            }
            let deadline = limit.begin();
            if let Some(error) = refusal(attention, deadline) {
                finish(state, next, Wake::default());
                return Err(error);
            }
            let wanted = Wanted { key, examined };
            let t = state.receivers.enter(ticket, attention, wanted);
            ticket = Some(t);
            finish(state, next, Wake::default());
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
        finish(state, Wake::default(), sender);
        Ok(taken.is_some())
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
        let mut state = self.state.lock();
        if state.destroyed {
            return Err(QueueError::Destroyed);
        }
        Ok(state.store.has(key, matches))
    }

    /// Ends the queue: drops its messages; everybody who waits or comes later gets [`QueueError::Destroyed`].
    pub fn destroy(&self) {
        let mut state = self.state.lock();
        state.destroyed = true;
        // Relaxed: who is to know of it is told otherwise.
        self.is_over.store(true, Ordering::Relaxed);
        let messages = std::mem::replace(&mut state.store, MessageStore::new());
        state.receivers.wake_all();
        state.senders.wake_all();
        finish(state, Wake::default(), Wake::default());
        drop(messages);
    }

    /// Changes the largest number of messages; 0: any. Messages beyond it stay, senders wait.
    pub fn set_max_size(&self, max_size: usize) -> Result<(), QueueError> {
        let mut state = self.state.lock();
        if state.destroyed {
            return Err(QueueError::Destroyed);
        }
        state.max_size = max_size;
        let sender = state.wake_sender();
        finish(state, Wake::default(), sender);
        Ok(())
    }

    /// Changes the number of bytes that its messages may take; 0: any. Those that are there stay: who would send more gets
    /// [`QueueError::TooManyBytes`], and does not wait.
    pub fn set_max_bytes(&self, max_bytes: usize) -> Result<(), QueueError> {
        let mut state = self.state.lock();
        if state.destroyed {
            return Err(QueueError::Destroyed);
        }
        state.max_bytes = max_bytes;
        Ok(())
    }
    /// The bytes that its messages may take; 0: any.
    pub fn max_bytes(&self) -> usize {
        self.state.lock().max_bytes
    }
    /// Bytes of its messages.
    pub fn bytes(&self) -> usize {
        self.state.lock().store.bytes()
    }
    /// The largest number of messages; 0: any.
    pub fn max_size(&self) -> usize {
        self.state.lock().max_size
    }
    /// Messages in the queue.
    pub fn len(&self) -> usize {
        self.state.lock().store.len()
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Threads that wait for a message.
    pub fn waiting(&self) -> usize {
        self.state.lock().receivers.len()
    }
    /// Threads that wait for room.
    pub fn waiting_senders(&self) -> usize {
        self.state.lock().senders.len()
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
            Line::Senders if state.senders.leave(ticket) => sender = state.wake_sender(),
            _ => {}
        }
        finish(state, receiver, sender);
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

/// Gives up the lock, then wakes those who were chosen under it.
fn finish(state: LockGuard<'_, State>, receiver: Wake, sender: Wake) {
    if cfg!(debug_assertions) {
        state.verify();
    }
    drop(state);
    receiver.up();
    sender.up();
}
