//! The local heap of one worker: nursery, old generation, trail, and the collector.
//!
//! Everything here belongs to the thread that runs the worker; nothing is shared and nothing is atomic.
//!
//! | module | concept |
//! |---|---|
//! | [`address_space`] | what is left of it to those who cannot be refused |
//! | [`age`] | the place of variables in the standard order |
//! | [`attributed`] | attributed variables |
//! | `bind` | bindings and assignments |
//! | `build` | terms of each kind |
//! | [`config`] | sizes and switches |
//! | [`space`] | memory from the operating system: the nursery's region and the chunks of the old generation |
//! | [`heap`] | allocation, limits, the state that backtracking restores |
//! | `keeping` | copies within a heap in which some variables stay |
//! | `met` | handles of queues and mutexes that go with their last handle |
//! | [`reserve`] | memory that is promised before a point of no return |
//! | [`trail`] | the trail, which is also the remembered set |
//! | [`collect`] | the generational copying collector |
//! | [`copy`] | terms out of a heap (records) |
//! | [`folded`] | what is alive, in one block, while nobody uses it |
//! | `share` | copies within a heap: what is shared in a term stays shared |
//! | [`unify`] | unification |
//! | [`verify`] | the heap verifier |

// They panic if what they write is refused.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]
// The system is asked through `samite_world`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod address_space;
pub mod age;
pub mod attributed;
mod bind;
mod build;
pub mod collect;
pub mod config;
pub mod copy;
pub mod folded;
pub mod heap;
mod keeping;
mod met;
pub mod reserve;
mod share;
pub mod space;
pub mod trail;
pub mod unify;
pub mod verify;

pub use collect::{Collection, Compaction, Generation, TrailMap};
pub use config::HeapConfig;
pub use heap::{Heap, Hindrance, OutOfMemory};
pub use met::Met;
pub use share::Ground;
pub use trail::Trail;
