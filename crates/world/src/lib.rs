//! The one door to the system: clocks ([`clock`]), randomness ([`random`]), files and directories ([`files`]), descriptors
//! ([`descriptors`]), processes ([`processes`]), sockets ([`sockets`]), threads of the system and sleeping ([`threads`]); what it calls its errors and
//! signals ([`numbers`]); how much memory there is ([`machine`]).
//!
//! What the system says is asked for here and nowhere else, so that it can say something else on demand: [`faults`] has any of these calls
//! fail as the system may have it fail, the same ones in each run with the same seed; and [`simulated`] has time pass as a seed says.
//!
//! Invariants:
//! - No other crate calls the system by itself (`clippy.toml` lists the functions), but for mapping memory (`samite-alloc`, which asks
//!   [`faults::refuses`] through a hook; `samite-heap` and `samite-table`, which ask themselves), for the limit of address space (`samite-heap`), and for signals and the terminal (`samite-cli`): what these do has no answer
//!   that a fault could change, or happens in a handler.
//! - A function here makes one call, or a few that are one for its caller, and knows nothing of Prolog. None waits for a lock of ours.
//! - Whoever injects and simulates nothing pays one relaxed load where a call of the system is made anyway, or the monotonic clock read, and nothing for a clock of the processor.
//!
//! Any thread may call everything.

pub mod clock;
pub mod descriptors;
pub mod faults;
pub mod files;
pub mod machine;
pub mod numbers;
pub mod processes;
pub mod random;
mod resting;
pub mod simulated;
pub mod sockets;
pub mod threads;

pub use files::File;
