//! Time, memory and table statistics; explicit collection.

use super::Entry::{self, Det};
use crate::error::Res;
use crate::machine::{Args, Machine};
use samite_code::reclaim;
use samite_term::{Atom, Cell, Number, atoms};
use std::sync::atomic::Ordering;

pub const TABLE: &[Entry] = &[
    Det("get_time", 1, |m, a| {
        let now = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0.0, |d| d.as_secs_f64());
        let c = m.heap.float(now)?;
        Ok(m.unify_arg(a, 0, c))
    }),
    Det("$local_zone", 4, local_zone),
    // '$count_message'(+Kind): one has been printed. Kind may be any term.
    Det("$count_message", 1, |m, a| {
        match m.view(a, 0).as_atom().map_or("", |kind| kind.as_str()) {
            "error" => m.shared.printed[0].fetch_add(1, Ordering::Relaxed),
            "warning" => m.shared.printed[1].fetch_add(1, Ordering::Relaxed),
            _ => 0,
        };
        Ok(true)
    }),
    Det("statistics", 2, statistics),
    Det("$cpu_seconds", 2, thread_seconds),
    Det("tabling_statistics", 2, tabling_statistics),
    Det("abolish_all_tables", 0, |m, _| {
        m.abolish_all_tables();
        Ok(true)
    }),
    Det("garbage_collect", 0, |m, _| {
        // The collection itself happens at the next safe point.
        m.request_collection();
        Ok(true)
    }),
    Det("garbage_collect_clauses", 0, |m, _| {
        m.publish_pins();
        reclaim::free_unreachable();
        Ok(true)
    }),
    Det("garbage_collect_atoms", 0, |_, _| Ok(true)),
    Det("trim_stacks", 0, |m, _| {
        m.trim();
        Ok(true)
    }),
];

/// `'$local_zone'(+Seconds, -Offset, -Name, -Summer)`: local time at a moment; the offset is in seconds west of Greenwich.
fn local_zone(m: &mut Machine, a: Args) -> Res {
    let seconds = m.arg(a, 0);
    if !seconds.is_small() {
        return Err(m.type_error("integer", seconds));
    }
    let seconds: libc::time_t = seconds.small_value();
    // SAFETY: `tm` is a plain struct, which the call fills; the name it refers to is static or lives as long as the zone's data.
    let (offset, name, summer) = unsafe {
        let mut parts: libc::tm = std::mem::zeroed();
        if libc::localtime_r(&seconds, &mut parts).is_null() {
            return Err(m.representation_error("time_stamp"));
        }
        let name = if parts.tm_zone.is_null() {
            String::from("-")
        } else {
            std::ffi::CStr::from_ptr(parts.tm_zone)
                .to_string_lossy()
                .into_owned()
        };
        (-parts.tm_gmtoff, name, parts.tm_isdst > 0)
    };
    let summer = if summer { atoms::TRUE } else { atoms::FALSE };
    Ok(m.unify_int(a, 1, offset)?
        && m.unify_atom(a, 2, Atom::new(&name))
        && m.unify_atom(a, 3, summer))
}

/// Seconds of processor time by a clock of the process or a thread; 0 if there is none.
fn cpu_seconds(clock: libc::clockid_t) -> f64 {
    let mut t = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `t` is valid for writing.
    unsafe { libc::clock_gettime(clock, &raw mut t) };
    t.tv_sec as f64 + t.tv_nsec as f64 / 1e9
}

/// `'$cpu_seconds'(+SystemThread, -Seconds)`: processor time of a thread of this process; 0.0 if it has ended.
fn thread_seconds(m: &mut Machine, a: Args) -> Res {
    let id = m.arg(a, 0);
    let id = if id.is_small() { id.small_value() } else { 0 };
    let seconds = i32::try_from(id).map_or(0.0, |id| {
        // As Linux names the clock of a thread (`clock_getres(2)`; `MAKE_THREAD_CPUCLOCK` of its posix-timers.h with `CPUCLOCK_SCHED`).
        cpu_seconds((!id << 3) | 6)
    });
    let c = m.heap.float(seconds)?;
    Ok(m.unify_arg(a, 1, c))
}

/// Of the process.
pub(crate) fn process_seconds() -> f64 {
    cpu_seconds(libc::CLOCK_PROCESS_CPUTIME_ID)
}

/// Peak resident memory of the process in bytes.
fn peak_memory() -> i64 {
    // SAFETY: an all-zero rusage is valid, and valid for writing.
    unsafe {
        let mut u: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut u);
        u.ru_maxrss * 1024
    }
}

fn statistics(m: &mut Machine, a: Args) -> Res {
    let key = m.atom_argument(a, 0)?;
    let wall = m.shared.started.elapsed();
    let gc = m.heap.statistics;
    let pair = |m: &mut Machine, now: i64, slot: usize| {
        let before = std::mem::replace(&mut m.last_times[slot], now);
        Ok::<_, crate::Throw>(
            m.heap
                .list(&[Cell::small(now), Cell::small(now - before)], Cell::NIL)?,
        )
    };
    let int = |m: &mut Machine, v: i64| m.number_cell(&Number::Int(v));
    let value = match key.as_str() {
        "runtime" | "process_runtime" => {
            let (clock, slot) = match key.as_str() {
                "runtime" => (libc::CLOCK_THREAD_CPUTIME_ID, 0),
                _ => (libc::CLOCK_PROCESS_CPUTIME_ID, 3),
            };
            let ms = (cpu_seconds(clock) * 1000.0) as i64;
            pair(m, ms, slot)?
        }
        "system_time" => pair(m, 0, 1)?,
        "walltime" | "real_time" => {
            let v = if key.as_str() == "walltime" {
                wall.as_millis() as i64
            } else {
                wall.as_secs() as i64
            };
            pair(m, v, 2)?
        }
        "process_cputime" => {
            let s = process_seconds();
            m.heap.float(s)?
        }
        "cputime" | "thread_cputime" => {
            let s = cpu_seconds(libc::CLOCK_THREAD_CPUTIME_ID);
            m.heap.float(s)?
        }
        "epoch" => {
            let s = std::time::SystemTime::now()
                .duration_since(std::time::UNIX_EPOCH)
                .map_or(0.0, |d| d.as_secs_f64())
                - wall.as_secs_f64();
            m.heap.float(s)?
        }
        "inferences" => {
            let n = m.inferences as i64;
            int(m, n)?
        }
        "peak_memory" => int(m, peak_memory())?,
        "memory" | "heapused" | "stack" | "globalused" | "global" => {
            let n = m.memory() as i64;
            int(m, n)?
        }
        "trailused" | "trail" => {
            let n = m.trail().top() as i64 * 8;
            int(m, n)?
        }
        "localused" | "local" => {
            let n = m.choices.bytes(m.b) as i64;
            int(m, n)?
        }
        "stack_limit" | "memory_limit" => {
            let n = m.memory_limit() as i64;
            int(m, n)?
        }
        "atoms" => int(m, Atom::statistics().0 as i64)?,
        "atom_space" => int(m, Atom::statistics().1 as i64)?,
        "errors" => int(m, m.shared.printed[0].load(Ordering::Relaxed) as i64)?,
        "warnings" => int(m, m.shared.printed[1].load(Ordering::Relaxed) as i64)?,
        "threads" => {
            let n = m
                .shared
                .registry
                .threads()
                .iter()
                .filter(|t| t.is_running())
                .count();
            int(m, n as i64)?
        }
        "collections" => int(m, (gc.minor_collections + gc.major_collections) as i64)?,
        "garbage_collection" => {
            let items = [
                (gc.minor_collections + gc.major_collections) as i64,
                gc.live as i64,
                (gc.nanoseconds / 1_000_000) as i64,
            ]
            .map(Cell::small);
            m.heap.list(&items, Cell::NIL)?
        }
        "table_space_used" => {
            let n = m.tabling.tables.bytes();
            int(m, n as i64)?
        }
        "clauses" => {
            let n: usize = m.program().predicates().iter().map(|p| p.lock().live).sum();
            int(m, n as i64)?
        }
        "predicates" => {
            let n = m.program().predicates().len();
            int(m, n as i64)?
        }
        "modules" => {
            let n = m.program().modules.read().len();
            int(m, n as i64)?
        }
        // Frames and terms are on the heap, and what lives moves when it is collected.
        "global_shifts" | "local_shifts" | "trail_shifts" => {
            int(m, (gc.minor_collections + gc.major_collections) as i64)?
        }
        "stack_shifts" => {
            let n = (gc.minor_collections + gc.major_collections) as i64;
            let items = [n, n, (gc.nanoseconds / 1_000_000) as i64].map(Cell::small);
            m.heap.list(&items, Cell::NIL)?
        }
        // Atoms are not collected.
        "agc" | "agc_gained" => int(m, 0)?,
        "agc_time" => m.heap.float(0.0)?,
        _ => return Err(m.domain_error("statistics_key", Cell::atom(key))),
    };
    Ok(m.unify_arg(a, 1, value))
}

/// `tabling_statistics(+Key, -Value)`: this thread's tables.
fn tabling_statistics(m: &mut Machine, a: Args) -> Res {
    let key = m.atom_argument(a, 0)?;
    let s = m.tabling.tables.statistics();
    let v = match key.as_str() {
        "subgoals" => s.subgoals,
        "answers" => s.answers,
        "repeated" => s.repeated,
        "subgoal_trie_nodes" => s.subgoal_trie_nodes,
        "answer_trie_nodes" => s.answer_trie_nodes,
        "total_memory" => s.bytes,
        _ => return Err(m.domain_error("tabling_statistics_key", Cell::atom(key))),
    };
    m.unify_int(a, 1, v as i64)
}
