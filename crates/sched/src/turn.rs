//! A thing that one thread at a time takes out, uses and puts back: a suspended engine.
//!
//! ```text
//!         take, try_take          put_back
//!   In ------------------> Out(who) ------> In
//!                             |  end
//!                             +--------> Gone
//! ```
//!
//! `who` is 0 for nobody in particular, whose number no thread has: it is looked at for a moment, or parted with.
//!
//! Invariants: `value` is there iff the state is In; whoever waits is in `waiting`, or was unparked after the last change that it could use.
//!
//! Any thread. Who waits does so through its attention, so that events end the wait.

use crate::interrupt::Attention;
use crate::sync::Lock;
use samite_term::growth;
use std::sync::Arc;

/// Who has it out: the number of the thread that everything on its OS thread runs for.
pub type Holder = u32;

enum State<T> {
    In(T),
    Out(Holder),
    Gone,
}

struct Inner<T> {
    state: State<T>,
    waiting: Vec<Arc<Attention>>,
}

/// Why it cannot be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// Who asks has it out already, and would wait for itself.
    Own,
    /// It has ended.
    Gone,
    /// An event is due.
    Interrupted,
    NoMemory,
}

/// See the module text.
pub struct Turn<T>(Lock<Inner<T>>);

impl<T> Turn<T> {
    pub fn new(value: T) -> Turn<T> {
        Turn(Lock::new(Inner {
            state: State::In(value),
            waiting: Vec::new(),
        }))
    }

    /// Takes it out, when it is there, for `me`, whose attention is given. `waits` is called once before the caller sleeps.
    pub fn take(
        &self,
        me: Holder,
        attention: &Arc<Attention>,
        waits: impl FnOnce(),
    ) -> Result<T, Refused> {
        let mut waits = Some(waits);
        loop {
            let mut inner = self.0.lock();
            inner.waiting.retain(|a| !Arc::ptr_eq(a, attention));
            match std::mem::replace(&mut inner.state, State::Out(me)) {
                State::In(value) => return Ok(value),
                State::Gone => {
                    inner.state = State::Gone;
                    return Err(Refused::Gone);
                }
                State::Out(holder) => {
                    inner.state = State::Out(holder);
                    if holder == me {
                        return Err(Refused::Own);
                    }
                }
            }
            if attention.must_not_wait() {
                return Err(Refused::Interrupted);
            }
            if growth::push(&mut inner.waiting, attention.clone()).is_err() {
                return Err(Refused::NoMemory);
            }
            drop(inner);
            if let Some(waits) = waits.take() {
                waits();
            }
            attention.park(None);
        }
    }

    /// Takes it out if it is there, for nobody in particular.
    pub fn try_take(&self) -> Option<T> {
        let mut inner = self.0.lock();
        match std::mem::replace(&mut inner.state, State::Out(0)) {
            State::In(value) => Some(value),
            other => {
                inner.state = other;
                None
            }
        }
    }

    /// Whether it is out for nobody in particular ([`Turn::try_take`]): it is not used, but looked at, or about to end.
    pub fn is_looked_at(&self) -> bool {
        matches!(self.0.lock().state, State::Out(0))
    }

    /// By who has it out.
    pub fn put_back(&self, value: T) {
        self.change(State::In(value));
    }

    /// By who has it out, or whose it was last.
    pub fn end(&self) {
        self.change(State::Gone);
    }

    fn change(&self, state: State<T>) {
        let mut inner = self.0.lock();
        let before = std::mem::replace(&mut inner.state, state);
        let waiting = std::mem::take(&mut inner.waiting);
        drop(inner);
        debug_assert!(matches!(before, State::Out(_)));
        waiting.iter().for_each(|a| a.unpark());
    }

    /// Whether it has ended.
    pub fn is_gone(&self) -> bool {
        matches!(self.0.lock().state, State::Gone)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::interrupt::Events;

    #[test]
    fn one_at_a_time_takes_it() {
        let turn = Turn::new(1);
        let me = Arc::new(Attention::new());
        assert_eq!(turn.take(7, &me, || ()), Ok(1));
        assert_eq!(turn.take(7, &me, || ()), Err(Refused::Own));
        assert_eq!(turn.try_take(), None);
        assert!(!turn.is_looked_at());
        me.raise(Events::SIGNAL);
        assert_eq!(turn.take(8, &me, || ()), Err(Refused::Interrupted));
        turn.put_back(3);
        assert_eq!(turn.try_take(), Some(3));
        assert!(turn.is_looked_at());
        turn.put_back(2);
        assert_eq!(turn.take(8, &me, || ()), Ok(2));
        turn.end();
        assert_eq!(turn.take(8, &me, || ()), Err(Refused::Gone));
        assert!(turn.is_gone());
    }

    #[test]
    fn who_waits_gets_it_or_hears_that_it_is_gone() {
        let turn = Arc::new(Turn::new(0));
        let me = Arc::new(Attention::new());
        let got = turn.take(1, &me, || ());
        assert_eq!(got, Ok(0));
        let others: Vec<_> = (2..5)
            .map(|n| {
                let turn = turn.clone();
                std::thread::spawn(move || {
                    let me = Arc::new(Attention::new());
                    let got = turn.take(n, &me, || ());
                    if let Ok(v) = got {
                        match v < 2 {
                            true => turn.put_back(v + 1),
                            false => turn.end(),
                        }
                    }
                    got.is_ok()
                })
            })
            .collect();
        turn.put_back(1);
        let took: Vec<bool> = others.into_iter().map(|t| t.join().unwrap()).collect();
        assert_eq!(took.iter().filter(|&&t| t).count(), 2);
        assert!(turn.is_gone());
    }
}
