//! Typed slabs: pages that hold structures of one type each, owned by a thread or by nobody.
//!
//! After section III and algorithms 1 to 3 of Areias and Rocha, "An Efficient and Scalable Memory Allocator for
//! Multithreaded Tabled Evaluation of Logic Programs". What is what:
//!
//! | paper | here |
//! |---|---|
//! | page header: `PgHd_first`, `PgHd_strs_in_use`, `PgHd_next`, `PgHd_prev` | `Page` |
//! | local page entry of a type: `PgEnt_first`, `PgEnt_last` | `Entry` of a [`Local`], with `Chain` |
//! | `LC_PG_void` | the void chain of a [`Local`] |
//! | global page entries and `GB_PG_void`, each with a lock | `Stack`s of a [`Slab`], lock-free |
//! | *alloc_struct*, *alloc_page*, *free_struct* | [`Local::alloc`], `Local::refill`, [`Local::free`] |
//! | "a thread moves its local pages to the global page entries" | dropping a [`Local`] |
//!
//! Allocating and freeing take constant time. A thread that allocates and frees its own structures executes no atomic
//! read-modify-write.
//!
//! Differs from the paper in:
//! - No locks. Global entries are stacks with tagged heads; new pages are claimed from a directory of chunks. The links of the stacks are not in the pages
//!   and always there to be read; a chunk that nobody has a page of goes back to the system.
//! - Any thread may free any structure. If its page is another thread's, the structure goes to the page's list of
//!   remotely freed ones, by one compare-and-swap on a word with {owner, count, head} (after Achilleas and Vagenas,
//!   *xmalloc*); the owner takes the list when the page is full, or on its next search for room. If the page is nobody's,
//!   the freeing thread becomes its owner, as in the paper.
//! - Full pages are in a chain of their owner: it must find them when it ends, and looks at two of them each time it
//!   needs a page.
//! - A global page that somebody adopts by freeing into it stays in its stack until it is popped; meanwhile it keeps its
//!   type.
//! - A type's only page is kept when it becomes empty, until another type needs it; few free pages are kept locally.
//! - Structures that were never used are not linked: nothing is touched in a page but the structures in use.
//!
//! Invariants, checked by [`Local::verify`] and [`Slab::verify`]:
//! 1. for each page: structures in the free list + never used ones + `used` = capacity, and the remotely freed ones
//!    count as used;
//! 2. for each type: the sum over its pages of `used` less remotely freed = allocations less frees of all threads;
//! 3. a page that is nobody's and has room, or remotely freed structures, is in the stack of its type;
//! 4. an empty page without a type is in a void chain or the void stack, and in no other, or it was given back, and then it
//!    has no header.
//!
//! What a table space needs beyond the paper's algorithms: [`Local::balance`] and [`Local::bytes_held`] count what one thread has,
//! [`Local::each_in_use`] finds it, [`Local::release_all`] frees it at once. Arrays of a few sizes are types like others; longer ones are
//! the general allocator's.
//!
//! Memory goes back to the system: of empty pages that are nobody's the slab keeps [`Slab::kept_pages`], a quarter of those in
//! use and a few; further ones are given back whole, with their header, and their numbers are used again; of a chunk all of whose pages were given back the
//! addresses go, too. Everything that needs memory says `None` when there is none, and leaves all as it was.
//!
//! Threads: a [`Slab`] is shared by all, a [`Local`] belongs to one thread at a time.

mod cell;
mod chain;
mod ids;
mod kind;
mod links;
mod local;
mod page;
mod shared;
mod source;
mod stack;
mod stats;
mod supply;
mod verify;
mod word;
mod zeroed;

#[cfg(all(test, loom))]
mod loom_models;
#[cfg(all(test, not(loom)))]
mod tests;

pub use kind::{Kind, Type};
pub use local::Local;
pub use shared::{Slab, SlabRef};
pub use source::{PageSource, System};
pub use stats::KindStats;

/// Bytes of a page, and its alignment.
pub const PAGE: usize = if cfg!(any(test, loom, miri)) {
    1 << 10
} else {
    1 << 14
};
/// Most types that a slab can have.
pub const MAX_KINDS: usize = if cfg!(loom) { 2 } else { 16 };
const _: () = assert!(MAX_KINDS.is_power_of_two());
/// Most [`Local`]s of a slab at the same time.
pub const MAX_LOCALS: usize = if cfg!(any(test, loom, miri)) {
    64
} else {
    1 << 18
};
