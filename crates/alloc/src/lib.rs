//! The lock-free memory allocator of Samite: a general `malloc` and typed slabs.
//!
//! The general allocator follows Achilleas & Vagenas, *xmalloc: a lock-free multithreaded memory allocator* (2021): size
//! classes, pageblocks with one owner, remote frees by CAS on one word, two levels of free memory, adoption of what ended
//! threads leave behind. Differs from it in: blocks have no header; medium classes up to 64 KiB; heaps outlive threads and
//! are inherited whole; global free memory is bit maps instead of tagged stacks; full pageblocks leave their list and
//! come back by announcement; free memory goes back to the system by a limit that learns. Each file says more.
//!
//! # Use
//!
//! - Rust: `#[global_allocator] static A: samite_alloc::Samite = samite_alloc::Samite::new();`
//! - C: the crate `samite-malloc` makes `libsamite_malloc.so`, with `samite_malloc.h`.
//! - Any program: `LD_PRELOAD=target/release/libsamite_malloc.so program`; `SAMITE_MALLOC_STATS=1` (or `json`) shows at
//!   exit where memory went. The other options are in [`config`].
//!
//! # Floors
//!
//! From the ground up; a module knows those of lower floors only, no other of its own (`structure.rs` among the tests of `samite-cli`
//! reads this table and the sources).
//!
//! | floor | modules | what they are |
//! |---|---|---|
//! | 0 | `os`, `sync` | system calls; atomics, of loom in its models |
//! | 1 | `config`, `word`, `inbox`, `registry` | numbers to be tuned; the shared words of a pageblock, of a heap's inbox, of who owns which heap |
//! | 2 | `classes`, `slices`, `fault` | sizes; which slices are free; reports of misuse |
//! | 3 | `region`, `aside`, `counts` | addresses, descriptors by arithmetic; slices set aside; what heaps did |
//! | 4 | `page`, `supply`, `slab` | descriptors, pageblocks; free slices, what to keep and what to purge; typed slabs, apart from all else |
//! | 5 | `away`, `kept`, `hardened` | slices not mapped any more; blocks of others that a heap keeps; checks of every block |
//! | 6 | `reserve` | slices for what cannot be refused, under a limit of addresses |
//! | 7 | `sources` | where slices come from, in which order |
//! | 8 | `heaps`, `large` | where heaps are, by number; large objects |
//! | 9 | `heap` | the pageblocks of one owner |
//! | 10 | `announce`, `stats` | telling owners about remote frees; where memory is |
//! | 11 | `foreign` | kept blocks, handed out again or sent home |
//! | 12 | `adopt` | giving heaps up, taking them over, seeing to those that nobody owns |
//! | 13 | `slow`, `thread` | slow paths of a heap's owner; which heap a thread has |
//! | 14 | `api`, `verify` | allocating and freeing: the fast paths, and which slow one; the checker |
//! | 15 | `global` | the global allocator of a Rust program |
//!
//! # Invariants
//!
//! 1. **Nothing blocks.** There is no lock and no loop that waits for another thread: every retry of a CAS is another
//!    thread's success. (A small request that is about to be refused looks a few times more for what others have in their hands.) A thread that stops anywhere, for ever, holds back the memory it has claimed, and at most one
//!    pageblock of another heap, the one it was about to announce.
//!    The child of a fork can allocate whatever the threads that are not there any more were doing, and takes their heaps
//!    over, except those in the middle of an operation. A signal handler may allocate and free whatever it interrupted:
//!    it finds the heap of its thread busy and borrows another (`Heap::enter`).
//! 2. **Descriptors and inboxes are never unmapped and never change their type.** Any word of them may be read at any time,
//!    however late. So is the memory of heaps; what an ended thread's heap held reads as zero once it was given back.
//! 3. **Every state is in one word**, changed only by the operations of the file that defines it: the shared word of a
//!    pageblock (`word`), the inbox of a heap (`inbox`), who owns a heap (`registry`), which slices are free (`slices`), whether
//!    a large object is alive (`page`, `end_large`), which segments may be mapped (`region`). The first four are modelled
//!    with loom, and so is how slices are set aside (`aside`).
//! 4. **Owners work without atomic read-modify-writes**: allocating and freeing within a thread's pageblocks is plain loads
//!    and stores; a block freed by another thread costs at most two read-modify-writes, most often a fraction of one. The
//!    feature `count` counts them.
//! 5. **An address tells its descriptor**, and a descriptor tells whether a block starts there; so blocks need no header,
//!    and a free of what is no block is found out without reading it.
//! 6. **Equations** of every pageblock and heap are checked by [`verify`](mod@verify).
//! 7. Nothing here allocates, panics in a working process, or changes `errno`.
//!
//! # Tests
//!
//! | what | where |
//! |---|---|
//! | the paper's own tests | `tests/paper.rs` (also under Miri, with `-Zmiri-permissive-provenance -Zmiri-ignore-leaks`) |
//! | what threads that come and go leave behind, counted in pageblocks | `tests/turnover.rs` |
//! | models of the shared words | `loom_models.rs` |
//! | read-modify-writes per operation | `tests/traffic.rs`, with `--features count` |
//! | a signal handler that allocates after each instruction of operations, forks after some | `tests/steps.rs` of `samite-malloc` |
//! | the C interface, faults, threads, forks, signals, memory, preloaded programs, statistics | `tests` of `samite-malloc` |
//! | workloads, programs, random operations against an oracle | `bench/alloc` |
// They panic if what they write is refused.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]
#![warn(missing_docs)]
// The models use a part of the crate.
#![cfg_attr(loom, allow(dead_code))]

#[cfg(not(loom))]
mod adopt;
#[cfg(not(loom))]
mod announce;
#[cfg(not(loom))]
pub mod api;
mod aside;
#[cfg(not(loom))]
pub mod away;
pub mod classes;
pub mod config;
#[cfg(not(loom))]
mod counts;
#[cfg(not(loom))]
pub mod fault;
#[cfg(not(loom))]
mod foreign;
#[cfg(not(loom))]
mod global;
#[cfg(not(loom))]
mod hardened;
#[cfg(not(loom))]
mod heap;
#[cfg(not(loom))]
mod heaps;
mod inbox;
#[cfg(not(loom))]
mod kept;
#[cfg(not(loom))]
mod large;
pub mod os;
#[cfg(not(loom))]
mod page;
#[cfg(not(loom))]
mod region;
mod registry;
#[cfg(not(loom))]
pub mod reserve;
pub mod slab;
mod slices;
#[cfg(not(loom))]
mod slow;
#[cfg(not(loom))]
mod sources;
#[cfg(not(loom))]
pub mod stats;
#[cfg(not(loom))]
mod supply;
mod sync;
#[cfg(not(loom))]
pub mod thread;
#[cfg(not(loom))]
pub mod verify;
mod word;

#[cfg(all(test, loom))]
mod loom_models;

pub use sync::traffic;

#[cfg(not(loom))]
pub use global::Samite;
#[cfg(not(loom))]
pub use region::{on_growth, spare};
#[cfg(not(loom))]
pub use supply::retain_at_most;
