//! What the programs that exercise a C allocator share.
//!
//! All of them call `malloc` and its relatives through the C symbols, so `LD_PRELOAD` decides which allocator they
//! exercise. The allocator must not be disturbed by, nor trusted with, the programs' own data: their Rust
//! allocations come from the [`island`].
//!
//! | module | concept |
//! |---|---|
//! | [`block`] | a block of C memory that knows what must be in it |
//! | [`calls`] | the C functions, and where they come from |
//! | [`island`] | memory for the programs' own data, apart from the allocator under test |
//! | [`process`] | this process as the kernel sees it |
//! | [`rng`] | reproducible random numbers |

pub mod block;
pub mod calls;
pub mod island;
pub mod process;
pub mod rng;
