//! Native threads, the part that knows no machine: who exists, who waits for what, who is to be interrupted.
//!
//! The model is that of Wielemaker, *Native preemptive threads in SWI-Prolog* (ICLP 2003): threads share the program,
//! talk through FIFO queues of terms, and guard the rest with recursive mutexes. It differs from it in:
//! - a blocked thread is woken at once by an event ([`Attention::raise`]); nothing polls;
//! - a queue is indexed by the functor or constant at the root of its messages, and wakes one thread that may be able
//!   to use a message instead of all of them;
//! - a message is copied once, into a [`Record`](samite_term::Record), or is one word ([`Message`]), and matched in place by the receiver.
//!
//! | module | concept |
//! |---|---|
//! | [`interrupt`] | [`Attention`]: the events pending for a thread, the limit word it polls, and how it sleeps |
//! | `readiness` | waiting for a descriptor, or for an event |
//! | `poller` | who waits for descriptors and does not keep them open, or has no OS thread |
//! | [`queue`] | [`MessageQueue`]: FIFO of records with selection by key and pattern |
//! | [`mutex`] | [`PrologMutex`]: recursive, with an owner |
//! | [`registry`] | [`Registry`]: ids, aliases, statuses, join, detach, counts |
//! | [`exclusive`] | [`Exclusive`]: what one thread uses at a time, waited for until an event |
//! | `apart` | calls of the system that can only block, made by another thread |
//! | `timers` | signals for later |
//! | [`turn`] | [`Turn`](turn::Turn): what one thread at a time takes out and puts back |
//! | [`board`] | [`Board`]: who waits for a change of the database, or to be told of one |
//! | [`claims`] | [`Claims`]: what one thread does at a time and others wait for |
//! | [`division`] | [`Division`]: what is to be done in common, divided among the threads that have come |
//! | [`ready`] | light threads that are ready, and the OS threads that carry them |
//! | [`guest`] | threads with OS threads of their own that take turns with these |
//! | [`deadlock`] | [`WaitGraph`](deadlock::WaitGraph): waits that would never end |
//! | [`error`] | [`SchedError`]: what can go wrong, as the machine's error terms need it |
//!
//! Invariants of the crate:
//! 1. There are no global variables: everything hangs off a [`Registry`]; several may exist side by side.
//! 2. A thread sleeps in [`Attention`]'s `park`, or in its `until_ready` for a descriptor, nowhere else for long; whatever wakes it goes through its
//!    attention. So an event reaches it wherever it is blocked.
//! 3. Lock order: the timers' lock or that of the graph of waits, then a queue's, mutex's, thread's or registry's, then an attention's sleep lock, which is a leaf. No two of
//!    the second kind are held together.
//! 4. A blocking call first tries to complete; only when it would have to wait does a pending event make it return
//!    `Interrupted`. Nothing has happened then, and the caller may repeat it after handling the event.

// They panic if what they write is refused.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]
// The system is asked through `samite_world`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]
#![forbid(unsafe_code)]

#[cfg(not(loom))]
pub mod apart;
pub mod board;
#[cfg(not(loom))]
pub mod carrier;
pub mod claims;
pub mod deadlock;
pub mod division;
pub mod error;
pub mod exclusive;
#[cfg(not(loom))]
pub mod guest;
pub mod interrupt;
pub mod light;
pub mod mutex;
#[cfg(not(loom))]
pub mod poller;
pub mod queue;
#[cfg(not(loom))]
pub mod readiness;
#[cfg(not(loom))]
pub mod ready;
pub mod registry;
mod sync;
#[cfg(not(loom))]
pub mod timers;
pub mod turn;
mod waiters;

#[cfg(all(test, loom))]
mod loom_models;

pub use board::Board;
pub use claims::{Claimed, Claims};
pub use division::Division;
pub use error::{Action, ObjectKind, Reference, SchedError};
#[cfg(not(loom))]
pub use exclusive::Exclusive;
pub use interrupt::{Attention, Events, Interrupted};
pub use mutex::{LockError, MutexStatus, NotOwner, PrologMutex, Unlocked};
pub use queue::{
    Arrivals, Hope, Limit, Message, MessageKey, MessageQueue, Patience, QueueError, Seen, Unsent,
};
pub use registry::{Counts, Registry, SharedQueue, Status, ThreadControl, ThreadId, ThreadOptions};
