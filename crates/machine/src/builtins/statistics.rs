//! Time, memory and table statistics; explicit collection.

use super::{Entry, det};
use crate::engine::atoms as collections;
use crate::engine::carrier::now_of;
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_sched::registry::ThreadControl;
use samite_sched::{Interrupted, Reference};
use samite_term::common;
use samite_term::{Atom, Cell, HoldsAtoms, Number, atoms};
use samite_world::clock::{self, Whose};
use samite_world::processes;
use std::sync::atomic::Ordering;

pub const TABLE: &[Entry] = &[
    det("get_time", 1, |m, a| {
        let c = m.heap.float(clock::wall().as_secs_f64())?;
        Ok(m.unify_arg(a, 0, c))
    }),
    det("$local_zone", 4, local_zone),
    // '$count_message'(+Kind): one has been printed. Kind may be any term.
    det("$count_message", 1, |m, a| {
        match m.view(a, 0).as_atom().map_or("", |kind| kind.as_str()) {
            "error" => m.program.printed[0].fetch_add(1, Ordering::Relaxed),
            "warning" => m.program.printed[1].fetch_add(1, Ordering::Relaxed),
            _ => 0,
        };
        Ok(true)
    }),
    det("statistics", 2, statistics),
    det("$cpu_seconds", 2, thread_seconds),
    det("tabling_statistics", 2, tabling_statistics),
    det("abolish_all_tables", 0, |m, _| {
        m.abolish_all_tables();
        m.abolish_shared_tables();
        Ok(true)
    }),
    det("garbage_collect", 0, |m, _| {
        // The collection itself happens at the next safe point.
        m.request_collection();
        Ok(true)
    }),
    det("garbage_collect_clauses", 0, |m, _| {
        m.free_clauses(true);
        Ok(true)
    }),
    // '$atom_holders'(+Atom, -Counted, -Walked): how many hold it that are counted, or `known` if it stays; how often the program and this thread
    // tell of it among the atoms in their terms off the heap.
    det("$atom_holders", 3, atom_holders),
    det("garbage_collect_atoms", 0, |m, _| match m.collect_atoms() {
        Ok(()) => Ok(true),
        Err(Interrupted) => Err(Throw::Interrupted),
    }),
    det("trim_stacks", 0, |m, _| {
        m.trim();
        Ok(true)
    }),
];

/// `'$atom_holders'/3`.
fn atom_holders(m: &mut Ctx, a: Args) -> Res {
    let atom = m.atom_argument(a, 0)?;
    let mut walked = 0;
    m.reader.enter();
    let count = &mut |other| walked += i64::from(other == atom);
    m.program.each_atom(count);
    m.thread.each_atom(count);
    let counted = match atom.holders() {
        Some(n) => Cell::small(n as i64),
        None => Cell::atom(Atom::new("known")),
    };
    Ok(m.unify_arg(a, 1, counted) && m.unify_int(a, 2, walked)?)
}

/// `'$local_zone'(+Seconds, -Offset, -Name, -Summer)`: local time at a moment; the offset is in seconds west of Greenwich.
fn local_zone(m: &mut Ctx, a: Args) -> Res {
    let seconds = m.arg(a, 0);
    if !seconds.is_small() {
        return Err(m.type_error("integer", seconds));
    }
    let Some(zone) = clock::zone(seconds.small_value()) else {
        return Err(m.representation_error("time_stamp"));
    };
    let summer = if zone.summer {
        atoms::TRUE
    } else {
        atoms::FALSE
    };
    Ok(m.unify_int(a, 1, zone.offset)?
        && m.unify_atom(a, 2, Atom::of(&zone.name))
        && m.unify_atom(a, 3, summer))
}

/// `'$cpu_seconds'(+Thread, -Seconds)`: processor time of a thread; 0.0 if it has ended.
fn thread_seconds(m: &mut Ctx, a: Args) -> Res {
    let id = m.arg(a, 0);
    let thread = Reference::from_cell(id).and_then(|r| m.program.registry.thread(r).ok());
    let seconds = thread.map_or(0.0, |t| seconds_of(m, &t));
    let c = m.heap.float(seconds)?;
    Ok(m.unify_arg(a, 1, c))
}

/// Processor time of a thread; of a light one the time for which it ran, as the system does not know of it.
fn seconds_of(m: &Ctx, thread: &ThreadControl) -> f64 {
    if thread.attention().is_light() {
        return thread.has_run(now_of(&m.program)) as f64 / 1e9;
    }
    let id = thread.system_id().and_then(|id| i32::try_from(id).ok());
    id.map_or(0.0, |id| clock::processor(Whose::Thread(id)))
}

/// Of the thread at hand.
fn my_seconds(m: &Ctx) -> f64 {
    match m.attention.is_light() {
        true => seconds_of(m, &m.thread.control),
        false => clock::processor(Whose::Mine),
    }
}

/// Of the process.
fn process_seconds() -> f64 {
    clock::processor(Whose::Process)
}

fn statistics(m: &mut Ctx, a: Args) -> Res {
    let key = m.atom_argument(a, 0)?;
    let wall = clock::now().duration_since(m.program.started);
    let gc = m.heap.statistics;
    let pair = |m: &mut Ctx, now: i64, slot: usize| {
        let before = std::mem::replace(&mut m.thread.last_times[slot], now);
        Ok::<_, crate::Throw>(
            m.heap
                .list(&[Cell::small(now), Cell::small(now - before)], Cell::NIL)?,
        )
    };
    let int = |m: &mut Ctx, v: i64| m.number_cell(&Number::Int(v));
    let value = match key.as_str() {
        "runtime" | "process_runtime" => {
            let (seconds, slot) = match key.as_str() {
                "runtime" => (my_seconds(m), 0),
                _ => (process_seconds(), 3),
            };
            let ms = (seconds * 1000.0) as i64;
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
            let s = my_seconds(m);
            m.heap.float(s)?
        }
        "epoch" | "process_epoch" => {
            let s = clock::wall().as_secs_f64() - wall.as_secs_f64();
            m.heap.float(s)?
        }
        "inferences" => {
            let n = m.inferences as i64;
            int(m, n)?
        }
        "peak_memory" => int(m, processes::peak_memory())?,
        // Quintus Prolog's: what is in use, and what is left (-1: nobody knows).
        "memory" | "core" => {
            let used = m.memory() as i64;
            m.heap
                .list(&[Cell::small(used), Cell::small(-1)], Cell::NIL)?
        }
        "program" => {
            let used = m.memory() as i64;
            m.heap
                .list(&[Cell::small(used), Cell::small(0)], Cell::NIL)?
        }
        "global_stack" | "local_stack" => {
            let used = match key.as_str() {
                "global_stack" => m.memory(),
                _ => m.choice_bytes(),
            } as i64;
            let left = (m.thread.memory_limit as i64 - used).max(0);
            m.heap
                .list(&[Cell::small(used), Cell::small(left)], Cell::NIL)?
        }
        "heapused" | "stack" | "globalused" | "global" => {
            let n = m.memory() as i64;
            int(m, n)?
        }
        "trailused" | "trail" => {
            let n = m.trail().top() as i64 * 8;
            int(m, n)?
        }
        "localused" | "local" => {
            let n = m.choice_bytes() as i64;
            int(m, n)?
        }
        "stack_limit" => {
            let n = m.thread.memory_limit as i64;
            int(m, n)?
        }
        "memory_limit" => int(m, i64::try_from(common::limit()).unwrap_or(i64::MAX))?,
        "atoms" => int(m, Atom::statistics().0 as i64)?,
        "atom_space" => int(m, Atom::statistics().1 as i64)?,
        "errors" => int(m, m.program.printed[0].load(Ordering::Relaxed) as i64)?,
        "warnings" => int(m, m.program.printed[1].load(Ordering::Relaxed) as i64)?,
        "threads" => {
            let n = m
                .program
                .registry
                .threads()
                .iter()
                .filter(|t| t.is_running() && !t.is_engine())
                .count();
            int(m, n as i64)?
        }
        "engines" => int(m, m.program.registry.engine_counts().0 as i64)?,
        "engines_created" => int(m, m.program.registry.engine_counts().1 as i64)?,
        "threads_created" => {
            let n = m.program.registry.counts().created;
            int(m, n as i64)?
        }
        "threads_peak" => {
            let n = m.program.registry.counts().peak;
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
        "shared_table_space_used" => {
            m.publish_tables();
            Cell::small(m.program.shared_tables.bytes() as i64)
        }
        "table_space_used" => {
            let n = m.thread.tabling.tables.bytes();
            int(m, n as i64)?
        }
        "clauses" => {
            let n: usize = m
                .program
                .code
                .predicates()
                .iter()
                .map(|p| p.lock().live)
                .sum();
            int(m, n as i64)?
        }
        "predicates" => {
            let n = m.program.code.predicates().len();
            int(m, n as i64)?
        }
        "modules" => {
            let n = m.program.code.modules.read().len();
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
        "agc" => int(m, collections::statistics().collections() as i64)?,
        "agc_gained" => int(m, collections::statistics().gained() as i64)?,
        "agc_time" => m.heap.float(collections::statistics().seconds())?,
        _ => return Err(m.domain_error("statistics_key", Cell::atom(key))),
    };
    Ok(m.unify_arg(a, 1, value))
}

/// `tabling_statistics(+Key, -Value)`: this thread's tables.
fn tabling_statistics(m: &mut Ctx, a: Args) -> Res {
    let key = m.atom_argument(a, 0)?;
    let s = m.thread.tabling.tables.statistics();
    let v = match key.as_str() {
        "subgoals" => s.subgoals,
        "answers" => s.answers,
        "repeated" => s.repeated,
        "subgoal_trie_nodes" => s.subgoal_trie_nodes,
        "answer_trie_nodes" => s.answer_trie_nodes + m.thread.tabling.tables.nodes_of_rows()?,
        "total_memory" => s.bytes,
        _ => return Err(m.domain_error("tabling_statistics_key", Cell::atom(key))),
    };
    m.unify_int(a, 1, v as i64)
}
