//! Randomness.

use crate::clock;
use crate::faults::{self, Door};
use std::hash::{DefaultHasher, Hasher};
use std::io::Read;

/// A number that nobody can predict, if the system has what that takes; else one by time and process. By a file: what the standard
/// library has for it (`RandomState`) panics where the system's call fails.
pub fn seed() -> u64 {
    let mut bytes = [0; 8];
    let read = faults::check(Door::Random)
        .and_then(|()| std::fs::File::open("/dev/urandom"))
        .and_then(|mut f| f.read_exact(&mut bytes));
    if read.is_ok() {
        return u64::from_ne_bytes(bytes);
    }
    let mut h = DefaultHasher::new();
    h.write_u128(clock::wall().as_nanos());
    h.write_u32(std::process::id());
    h.finish()
}
