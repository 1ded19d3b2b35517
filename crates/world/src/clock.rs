//! Clocks.

use crate::faults::{self, Door};
use crate::resting;
use crate::simulated;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The monotonic clock. It has no faults: everybody may rely on it.
#[inline]
pub fn now() -> Instant {
    match simulated::is_on() {
        false => Instant::now(),
        true => simulated::now(),
    }
}

/// Time since 1970. The clock may be set at any time: a fault is a jump of up to an hour, of this answer.
pub fn wall() -> Duration {
    if simulated::is_on() {
        return simulated::wall();
    }
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    match faults::number(Door::Clock) {
        None => now,
        Some(n) if n % 2 == 0 => now + Duration::from_secs(n % 3600),
        Some(n) => now.saturating_sub(Duration::from_secs(n % 3600)),
    }
}

/// Whose processor time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whose {
    Process,
    /// The calling thread.
    Mine,
    /// A thread of this process, by the system's number.
    Thread(i32),
}

/// Seconds of processor time; 0 of an OS thread that has ended. Of one those since it does what it does now.
pub fn processor(whose: Whose) -> f64 {
    (of_system(whose) - resting::others_time(whose)).max(0.0)
}

/// The same as the system counts it.
pub(crate) fn of_system(whose: Whose) -> f64 {
    let clock = match whose {
        Whose::Process => libc::CLOCK_PROCESS_CPUTIME_ID,
        Whose::Mine => libc::CLOCK_THREAD_CPUTIME_ID,
        // As Linux names the clock of a thread (`clock_getres(2)`; `MAKE_THREAD_CPUCLOCK` of its posix-timers.h with `CPUCLOCK_SCHED`).
        Whose::Thread(id) => (!id << 3) | 6,
    };
    let mut t = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `t` is valid for writing.
    unsafe { libc::clock_gettime(clock, &raw mut t) };
    t.tv_sec as f64 + t.tv_nsec as f64 / 1e9
}

/// Local time at a moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Zone {
    /// Seconds west of Greenwich.
    pub offset: i64,
    pub name: String,
    pub summer: bool,
}

/// Local time so many seconds after 1970; `None` if there is no such time.
pub fn zone(seconds: i64) -> Option<Zone> {
    // SAFETY: `tm` is a plain struct, which the call fills; the name it refers to is static or lives as long as the zone's data.
    unsafe {
        let mut parts: libc::tm = std::mem::zeroed();
        if libc::localtime_r(&seconds, &mut parts).is_null() {
            return None;
        }
        let name = match parts.tm_zone.is_null() {
            true => String::from("-"),
            false => std::ffi::CStr::from_ptr(parts.tm_zone)
                .to_string_lossy()
                .into_owned(),
        };
        Some(Zone {
            offset: -parts.tm_gmtoff,
            name,
            summer: parts.tm_isdst > 0,
        })
    }
}
