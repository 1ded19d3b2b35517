//! The threads that wait for one object, in order of arrival.
//!
//! Lives under the object's lock. A thread enters with a ticket and parks; whoever changes the object removes a suitable
//! waiter from the list and unparks it. The woken thread still has to come back and try; until it does it counts as `woken`,
//! and it returns to its old place if it has to wait again. Newcomers may overtake it.
//!
//! Who is woken holds a *baton*: one change of the object wakes one waiter, and a woken thread that finds no use
//! for the change, or leaves some of it over, wakes the next one. The objects state as their invariant: if somebody in
//! the list could make progress, somebody is `woken`.

use crate::interrupt::Attention;
use std::collections::VecDeque;
use std::sync::Arc;

struct Waiter<T> {
    ticket: u64,
    attention: Arc<Attention>,
    wants: T,
}

/// A waiter's place in the order of arrival.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ticket(u64);

impl Ticket {
    /// Where only one waits.
    pub(crate) const ONLY: Ticket = Ticket(0);
}

/// Who sleeps, in order of their tickets: mostly nobody, or one, for whom nothing is allocated.
enum Parked<T> {
    None,
    One(Waiter<T>),
    Many(VecDeque<Waiter<T>>),
}

impl<T> Parked<T> {
    fn len(&self) -> usize {
        match self {
            Parked::None => 0,
            Parked::One(_) => 1,
            Parked::Many(all) => all.len(),
        }
    }
    fn iter(&self) -> impl Iterator<Item = &Waiter<T>> {
        let (one, many) = match self {
            Parked::None => (None, None),
            Parked::One(w) => (Some(w), None),
            Parked::Many(all) => (None, Some(all.iter())),
        };
        one.into_iter().chain(many.into_iter().flatten())
    }
    /// Where that ticket's place is.
    fn place(&self, ticket: u64) -> usize {
        match self {
            Parked::None => 0,
            Parked::One(w) => usize::from(w.ticket < ticket),
            Parked::Many(all) => all.partition_point(|w| w.ticket < ticket),
        }
    }
    fn get(&self, at: usize) -> Option<&Waiter<T>> {
        match self {
            Parked::One(w) if at == 0 => Some(w),
            Parked::Many(all) => all.get(at),
            _ => None,
        }
    }
    fn insert(&mut self, at: usize, waiter: Waiter<T>) {
        *self = match std::mem::replace(self, Parked::None) {
            Parked::None => Parked::One(waiter),
            Parked::One(other) => {
                let mut all = VecDeque::from([other]);
                all.insert(at, waiter);
                Parked::Many(all)
            }
            Parked::Many(mut all) => {
                all.insert(at, waiter);
                Parked::Many(all)
            }
        };
    }
    fn remove(&mut self, at: usize) -> Option<Waiter<T>> {
        match std::mem::replace(self, Parked::None) {
            Parked::One(waiter) if at == 0 => Some(waiter),
            Parked::Many(mut all) => {
                let waiter = all.remove(at);
                // (Where two have waited, two may wait again.)
                *self = Parked::Many(all);
                waiter
            }
            other => {
                *self = other;
                None
            }
        }
    }
}

/// See the module text.
pub(crate) struct WaitList<T> {
    /// Not woken, in order of their tickets.
    parked: Parked<T>,
    /// Removed from `parked` by a waker and not back yet.
    woken: u32,
    next_ticket: u64,
}

impl<T> WaitList<T> {
    pub(crate) fn new() -> WaitList<T> {
        WaitList {
            parked: Parked::None,
            woken: 0,
            next_ticket: 0,
        }
    }
    /// Number of threads that sleep.
    pub(crate) fn len(&self) -> usize {
        self.parked.len()
    }
    /// Number of threads that have been woken and are not back yet.
    pub(crate) fn woken(&self) -> usize {
        self.woken as usize
    }
    /// Whether this one sleeps.
    pub(crate) fn has(&self, whom: &Arc<Attention>) -> bool {
        let mut all = self.parked.iter();
        all.any(|w| Arc::ptr_eq(&w.attention, whom))
    }
    /// What the sleepers want, in order of arrival.
    pub(crate) fn wants(&self) -> impl Iterator<Item = &T> {
        self.parked.iter().map(|w| &w.wants)
    }

    /// Enters the caller, at its old place if it has a ticket already. It parks after giving up the lock, and calls
    /// [`WaitList::leave`] when it has the lock again.
    pub(crate) fn enter(
        &mut self,
        ticket: Option<Ticket>,
        attention: &Arc<Attention>,
        wants: T,
    ) -> Ticket {
        let Ticket(ticket) = ticket.unwrap_or_else(|| {
            self.next_ticket += 1;
            Ticket(self.next_ticket)
        });
        let at = self.parked.place(ticket);
        let attention = attention.clone();
        self.parked.insert(
            at,
            Waiter {
                ticket,
                attention,
                wants,
            },
        );
        Ticket(ticket)
    }

    /// Takes the caller off the list. True: it was woken, and holds a baton.
    #[must_use]
    pub(crate) fn leave(&mut self, Ticket(ticket): Ticket) -> bool {
        let at = self.parked.place(ticket);
        if self.parked.get(at).is_some_and(|w| w.ticket == ticket) {
            self.parked.remove(at);
            false
        } else {
            self.woken -= 1;
            true
        }
    }

    /// Removes the first waiter that `suits`; the caller is to unpark it, best after giving up the lock.
    pub(crate) fn wake_first(&mut self, mut suits: impl FnMut(&T) -> bool) -> Wake {
        let at = self.parked.iter().position(|w| suits(&w.wants));
        let waiter = at.and_then(|at| self.parked.remove(at));
        self.woken += u32::from(waiter.is_some());
        Wake(waiter.map(|w| w.attention))
    }

    /// Removes and unparks everybody.
    pub(crate) fn wake_all(&mut self) {
        self.woken += self.parked.len() as u32;
        let all = std::mem::replace(&mut self.parked, Parked::None);
        all.iter().for_each(|w| w.attention.unpark());
    }
}

/// A thread to be unparked, or nobody.
#[must_use]
#[derive(Default)]
pub(crate) struct Wake(Option<Arc<Attention>>);

impl Wake {
    pub(crate) fn up(self) {
        if let Some(attention) = self.0 {
            attention.unpark();
        }
    }
}
