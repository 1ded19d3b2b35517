//! Randomness.

use crate::clock;
use crate::faults::{self, Door};
use crate::simulated;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Read};
use std::sync::OnceLock;

/// A number that nobody can predict, if the system has what that takes; else one by time and process. By a file: what the standard
/// library has for it (`RandomState`) panics where the system's call fails.
pub fn seed() -> u64 {
    if simulated::is_on() {
        return simulated::below(u64::MAX);
    }
    let mut bytes = [0; 8];
    let read = read(&mut bytes);
    if read.is_ok() {
        return u64::from_ne_bytes(bytes);
    }
    let mut h = DefaultHasher::new();
    h.write_u128(clock::wall().as_nanos());
    h.write_u32(std::process::id());
    h.finish()
}

/// Bytes that nobody can predict, or an error; those of a simulated world come from its seed.
pub fn fill(bytes: &mut [u8]) -> io::Result<()> {
    if simulated::is_on() {
        bytes.fill_with(|| simulated::below(256) as u8);
        return Ok(());
    }
    read(bytes)
}

fn read(bytes: &mut [u8]) -> io::Result<()> {
    faults::check(Door::Random)?;
    std::fs::File::open("/dev/urandom")?.read_exact(bytes)
}

/// A [`seed`] that is the same for as long as this process lives.
#[inline]
pub fn of_process() -> u64 {
    static SEED: OnceLock<u64> = OnceLock::new();
    *SEED.get_or_init(seed)
}

/// The step of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
pub(crate) fn mixed(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
