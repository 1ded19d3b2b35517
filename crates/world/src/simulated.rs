//! A world that is the same in each run: time and choices come from a seed (`SAMITE_SIM`).
//!
//! The monotonic clock stands still while threads compute. Whoever schedules them moves it: a little with each turn, and to the next deadline when all
//! of them wait ([`advance`], [`advance_to`]). Choices ([`below`]) are drawn from one sequence: *who draws has its turn*, so that they are drawn in the same order in each run.
//!
//! It is begun before there are threads, and lasts until the process ends.

use crate::random;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

static ON: AtomicBool = AtomicBool::new(false);
/// When the clock began to stand still.
static BEGAN: OnceLock<Instant> = OnceLock::new();
/// Nanoseconds since then.
static PASSED: AtomicU64 = AtomicU64::new(0);
static CHOICES: AtomicU64 = AtomicU64::new(0);

/// 2026-01-01 00:00 UTC, in seconds since 1970: when a simulation begins.
const DAY: Duration = Duration::from_secs(1_767_225_600);

/// Reads the environment; the error says what is wrong.
pub fn from_environment() -> Result<(), String> {
    let Some(value) = std::env::var_os("SAMITE_SIM") else {
        return Ok(());
    };
    match value.to_str().and_then(|text| text.parse().ok()) {
        Some(seed) => {
            begin(seed);
            Ok(())
        }
        None => Err(format!("SAMITE_SIM={}: not a number", value.display())),
    }
}

/// From now on time and choices are those of this seed. Before there are threads.
pub fn begin(seed: u64) {
    BEGAN.get_or_init(Instant::now);
    // Relaxed, here and below: there are no other threads yet, and who has its turn hears of what the one before it has done.
    CHOICES.store(seed, Ordering::Relaxed);
    ON.store(true, Ordering::Relaxed);
}

/// Whether the world is simulated.
#[inline]
pub fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// The next choice: a number below `n`, which is not 0.
pub fn below(n: u64) -> u64 {
    // Knuth's constant makes the counter run through all numbers.
    let state = CHOICES.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
    random::mixed(state) % n
}

/// Lets time pass.
pub fn advance(by: Duration) {
    let by = u64::try_from(by.as_nanos()).unwrap_or(u64::MAX);
    PASSED.fetch_add(by, Ordering::Relaxed);
}

/// Lets time pass until then, if that is later.
pub fn advance_to(then: Instant) {
    advance(then.saturating_duration_since(now()));
}

/// The clock that stands still.
pub(crate) fn now() -> Instant {
    let began = *BEGAN.get_or_init(Instant::now);
    began + passed()
}

/// Time since 1970.
pub(crate) fn wall() -> Duration {
    DAY + passed()
}

fn passed() -> Duration {
    Duration::from_nanos(PASSED.load(Ordering::Relaxed))
}
