//! Counted slices: one thread runs at a time, and guests take turns with light threads; see [`crate::ready`] and [`crate::guest`].

use super::simulated::{self, Clockwork};
use super::{Entry, Ready, Runnable};
use crate::guest::{Guest, Visit};
use crate::interrupt::Attention;
use crate::sync::Ordering;
use std::sync::Arc;

impl<T: Runnable> Ready<T> {
    /// From now on a slice is so many calls, at least one, and one thread runs at a time. Before there are any others; the calling one, whose attention this is, is
    /// the first to take turns, if its OS thread is its own. `None`: they are counted already.
    pub fn count_calls(
        &self,
        calls: u64,
        first: &Arc<Attention>,
        clock: Arc<dyn Clockwork>,
    ) -> Option<Visit<T>> {
        let mut state = self.lock();
        if state.counted {
            return None;
        }
        state.counted = true;
        state.target = 1;
        state.simulated.set_clock(clock);
        drop(state);
        // Relaxed: nobody reads anything else by it.
        self.calls.store(calls.max(1), Ordering::Relaxed);
        self.invite(first)
    }
    /// Calls in the slice that begins; 0 if it is a time.
    pub fn slice(&self) -> u64 {
        match self.calls() {
            0 => 0,
            calls => simulated::slice(calls),
        }
    }
    /// Whether slices are counted, so that threads take turns.
    pub fn is_counted(&self) -> bool {
        self.calls() > 0
    }
    /// The slice of who runs is over: whether it is to make way for others.
    pub fn others_wait(&self) -> bool {
        if !self.is_empty() {
            return true;
        }
        self.turn_is_over();
        !self.is_empty()
    }
    fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }
    /// A thread with an OS thread of its own is ready to run, if it takes turns with others. The one that makes it calls this.
    pub fn invite(&self, attention: &Arc<Attention>) -> Option<Visit<T>> {
        let me = self.me.upgrade()?;
        let mut state = self.lock();
        if !state.counted || state.closed {
            return None;
        }
        let guest = Guest::new(attention);
        state.guests.insert(address(attention), guest.clone());
        drop(state);
        self.line_up(&guest);
        Some(Visit::new(guest, me))
    }
    /// A guest that has ended takes no turns any more.
    pub(crate) fn forget(&self, guest: &Guest) {
        let gone = self.lock().guests.remove(&address(guest.attention()));
        drop(gone);
    }
    /// Sets a guest in line, which runs, or has been called. If there is no carrier, it runs.
    pub(crate) fn line_up(&self, guest: &Arc<Guest>) {
        self.enter(Entry::Guest(guest.clone()));
        let state = self.lock();
        let is_served = state.has_carriers() || state.starting > 0;
        drop(state);
        if !is_served {
            guest.release();
        }
    }
    /// What somebody has waited for is there: it is set in line, if it takes turns.
    pub fn woke(&self, whom: &Attention) {
        if !self.is_counted() {
            return;
        }
        let guest = self.lock().guests.get(&address(whom)).cloned();
        if let Some(guest) = guest
            && guest.call()
        {
            self.line_up(&guest);
        }
    }
}

pub(super) fn address(attention: &Attention) -> usize {
    std::ptr::from_ref(attention).addr()
}
