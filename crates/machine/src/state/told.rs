//! What the program tells to those who asked for it with `prolog_listen/2,3`, so that what nobody listens to costs a load. Who listens is known
//! to Prolog alone (`library(listening)`); whether anybody does to the changes of a predicate is its flag
//! ([`samite_code::predicate::flag::LISTENED`]).

use std::sync::atomic::{AtomicU8, Ordering};

/// Kinds of events that somebody listens to. Any thread.
#[derive(Debug, Default)]
pub struct Told(AtomicU8);

impl Told {
    /// The changes of some predicate, now or once.
    pub const CHANGES: u8 = 1;
    /// Records that are erased.
    pub const ERASED: u8 = 1 << 1;
    /// Threads that end.
    pub const EXITS: u8 = 1 << 2;

    /// Whether somebody listens. (Acquire: who sees that finds the listener. Who has called `prolog_listen/2` is told of what begins afterwards.)
    pub fn is(&self, kind: u8) -> bool {
        self.0.load(Ordering::Acquire) & kind != 0
    }
    /// The first listener has come, or the last one has gone.
    pub fn set(&self, kind: u8, is_told: bool) {
        match is_told {
            true => self.0.fetch_or(kind, Ordering::AcqRel),
            false => self.0.fetch_and(!kind, Ordering::AcqRel),
        };
    }
}
