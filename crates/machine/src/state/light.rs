//! Light threads: Prolog threads without an OS thread of their own. Carriers run them ([`samite_sched::ready`]), each until it waits, has run for its slice
//! while others are ready, or ends.
//!
//! What runs one (a worker, which this floor does not know) lies in its [`Turn`] while nobody does. How it is run: `engine/carrier.rs`.
//!
//! ```text
//!  created --> ready --> running --> away --> ready --> ... --> ended
//!                          +----------------->  (its slice is over)
//! ```
//!
//! *Invariant*: it is in line, or run by one carrier, or its attention is AWAY; so who sets it in line is the one who has created it, called it back, or run it.

use crate::state::engines::{Kept, Sleeps};
use samite_code::readers::ReaderSlot;
use samite_sched::ThreadControl;
use samite_sched::interrupt::Attention;
use samite_sched::light::Sleeper;
use samite_sched::ready::{Ready, Runnable};
use samite_sched::turn::Turn;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, OnceLock, Weak};

/// See the module text.
pub struct LightThread {
    pub control: Arc<ThreadControl>,
    pub turn: Turn<Kept>,
    /// How often it has been put away to wait, about.
    pub put_away: AtomicU32,
    /// Once it has had a worker.
    pub reader: OnceLock<Arc<ReaderSlot>>,
    ready: Arc<Ready<LightThread>>,
    me: Weak<LightThread>,
}

impl LightThread {
    /// One that is to be run for the first time.
    pub fn new(
        control: Arc<ThreadControl>,
        kept: Kept,
        ready: &Arc<Ready<LightThread>>,
    ) -> Arc<LightThread> {
        Arc::new_cyclic(|me| LightThread {
            control,
            turn: Turn::new(kept),
            put_away: AtomicU32::new(0),
            reader: OnceLock::new(),
            ready: ready.clone(),
            me: me.clone(),
        })
    }
    /// Sets it in line. See the invariant.
    pub fn make_ready(self: &Arc<Self>) {
        self.ready.push(self.clone());
    }
}

impl Sleeper for LightThread {
    fn call_back(&self) {
        if let Some(me) = self.me.upgrade() {
            self.ready.push(me);
        }
    }
}

impl Runnable for LightThread {
    fn attention(&self) -> &Arc<Attention> {
        self.control.attention()
    }
    fn priority(&self) -> i32 {
        self.control.priority()
    }
}

impl Sleeps for LightThread {
    fn turn(&self) -> &Turn<Kept> {
        &self.turn
    }
    fn reader(&self) -> Option<&Arc<ReaderSlot>> {
        self.reader.get()
    }
}
