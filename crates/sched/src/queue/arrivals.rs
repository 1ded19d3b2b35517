//! Messages on their way into a queue: senders leave them here without the queue's lock, and whoever has that looks here when it has seen all others.
//!
//! A receiver that works beside its sender would meet him at the lock with every message. So a sender takes a lock of its own, for a push, and a receiver takes
//! that once for all that have come since it was here last. (Two locks for two ends: Michael and Scott, *Simple, fast, and practical non-blocking and
//! blocking concurrent queue algorithms*, 1996, section 2.)
//!
//! What has been taken from here is in the receiver's hands ([`Batch`]): who takes messages as they come finds the next one there. It goes to the store when somebody wants
//! to see more of it than its first message.
//!
//! *Equations*, with both locks free:
//!
//! ```text
//! messages of the queue = those of the store, of the batch, of the arrivals, in this order of age
//! arrivals <= room;  room + batch <= free places of the store       all get to the store without asking for memory
//! an empty queue that is not open has few places, here and there
//! room = 0, and neither arrivals nor batch      if a receiver is parked, a limit is set, or the queue is destroyed
//! ```
//!
//! *Order of locks*: the queue's, then this one. Who sends takes this one only, while there is room here.

use super::message::Message;
use crate::sync::Lock;
use samite_term::common::{self, Charge};
use samite_term::{growth, walked};
use std::collections::VecDeque;

/// So many messages wait before those that come are left here: a queue that is empty most of the time has no use for it.
pub(super) const MANY: usize = if cfg!(any(test, loom)) { 1 } else { 4 };

/// So many places stay for messages to come.
const KEPT: usize = if cfg!(any(test, loom)) { 4 } else { 1024 };

/// Messages in a row, oldest first: those that come, or those that were taken, which are under the queue's lock. What is charged are they and the places for them.
#[derive(Default)]
pub(super) struct Batch {
    messages: VecDeque<Message>,
    bytes: usize,
    charge: Charge,
}

impl Batch {
    pub fn len(&self) -> usize {
        self.messages.len()
    }
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }
    pub fn first(&self) -> Option<&Message> {
        self.messages.front()
    }
    #[inline]
    pub fn pop(&mut self) -> Option<Message> {
        let message = self.messages.pop_front()?;
        self.bytes -= message.bytes();
        self.adjust_charge();
        Some(message)
    }
    /// For which there is a place.
    fn push(&mut self, message: Message) {
        self.bytes += message.bytes();
        self.messages.push_back(message);
        self.adjust_charge();
    }
    /// Whether it has more places than an empty one keeps.
    pub fn is_oversized(&self) -> bool {
        self.messages.capacity() > KEPT
    }
    /// An empty one that had many messages gives their places back.
    pub fn trim(&mut self) {
        if self.is_empty() && self.is_oversized() {
            *self = Batch::default();
        }
    }
    fn adjust_charge(&mut self) {
        let places = self.messages.capacity() * size_of::<Message>();
        self.charge.adjust(self.bytes + places);
    }
}

#[derive(Default)]
struct Inner {
    coming: Batch,
    /// So many messages may be here.
    room: usize,
}

/// See the module text.
#[derive(Default)]
pub struct Arrivals(Lock<Inner>);

impl std::fmt::Debug for Arrivals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Arrivals({} messages)", self.counts().0)
    }
}

impl Arrivals {
    /// Leaves a message here, if there is room; else it comes back, and is to be sent to the queue itself. Any thread.
    #[inline]
    pub fn leave(&self, message: Message) -> Result<(), Message> {
        let mut inner = self.0.lock();
        let has_room = inner.coming.len() < inner.room;
        let places = &mut inner.coming.messages;
        if !has_room || !growth::deque_have(places, 1, |bytes| common::may_take(bytes, 0)) {
            return Err(message);
        }
        walked::enter(&message);
        inner.coming.push(message);
        Ok(())
    }

    /// Takes what is here for an empty batch. For as many as `room` says of how many that were there is room then. With the queue's lock.
    pub(super) fn take(&self, batch: &mut Batch, room: impl FnOnce(usize) -> usize) {
        debug_assert!(batch.is_empty());
        let mut inner = self.0.lock();
        std::mem::swap(&mut inner.coming, batch);
        inner.room = room(batch.len());
    }

    /// The same as [`Batch::trim`] of what comes. With the queue's lock.
    pub(super) fn trim(&self) {
        self.0.lock().coming.trim();
    }

    /// There is room for so many from now on. With the queue's lock.
    pub(super) fn set_room(&self, room: usize) {
        self.0.lock().room = room;
    }

    /// The same as [`Batch::is_oversized`] of what comes.
    pub(super) fn is_oversized(&self) -> bool {
        self.0.lock().coming.is_oversized()
    }

    /// Messages, and for how many there is room.
    pub(super) fn counts(&self) -> (usize, usize) {
        let inner = self.0.lock();
        (inner.coming.len(), inner.room)
    }
}
