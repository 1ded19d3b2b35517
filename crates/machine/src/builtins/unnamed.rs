//! What nobody can name any more, and takes goals to be run when it ends: engines.
//!
//! Whoever parts with the last handle of an engine may hold what its cleanup handlers wait for. So a thread of the system's own ends those that have
//! something to run; the others are parted with at once.
//!
//! *Invariants*: 1. One thread ends engines at a time: who has claimed them ([`Registry::claim_unnamed_engines`]), until it has let go of that or has ended.
//! 2. Whoever has parted with handles, in a collection or at the end of a thread, calls [`end_unnamed_engines`] when it has.
//!
//! Where there is no room for such a thread the engines wait for the next who calls; who needs their memory for another engine ends them itself
//! (`'$reclaim_engines'/0`).
//!
//! [`Registry::claim_unnamed_engines`]: samite_sched::Registry::claim_unnamed_engines

use super::lives::{ThreadLife, run_thread};
use crate::engine::asleep::part_with_quiet;
use crate::engine::mapped::Mapped;
use crate::engine::os_thread;
use crate::state::program::Program;
use samite_heap::config::affordable;
use samite_sched::ThreadOptions;
use samite_sched::guest::Visit;
use samite_sched::registry::Status;
use samite_term::common;
use samite_term::{Atom, Cell, Functor, Record, RecordBuilder, atoms};
use std::sync::Arc;

/// Its stack.
const STACK: usize = 1 << 20;

/// `system:sig_atomic('$end_claimed_engines')`: signals that are sent to all threads do not stop it between two engines.
fn goal() -> Record {
    let mut b = RecordBuilder::new();
    let end = Cell::atom(Atom::new("$end_claimed_engines"));
    let end = b.structure(Functor::new(Atom::new("sig_atomic"), 1), &[end]);
    let system = Cell::atom(atoms::SYSTEM);
    let root = b.structure(Functor::new(atoms::COLON, 2), &[system, end]);
    b.finish(root)
}

/// Has the engines ended that nobody can name any more. Any thread, with no lock held and nothing of its own in between.
pub(crate) fn end_unnamed_engines(program: &Arc<Program>) {
    let registry = &program.registry;
    // What goes may be the last to name another one.
    loop {
        registry.bury();
        if !registry.has_unnamed_engines() {
            return;
        }
        part_with_quiet(program);
        if !registry.has_buried() {
            break;
        }
    }
    if !registry.has_unnamed_engines() || program.ending.has_begun() || !common::leaves_enough(0) {
        return;
    }
    let options = ThreadOptions {
        detached: true,
        ..ThreadOptions::default()
    };
    let Ok(control) = registry.create_thread(options) else {
        return;
    };
    let started = registry.claim_unnamed_engines(control.id()) && {
        let config = *program.heap_config.lock();
        let life = ThreadLife::of_system(control.clone(), goal());
        let (program, control) = (program.clone(), control.clone());
        let limit = affordable(config.limit);
        let visit = program.light.invite(control.attention());
        Mapped::new(config, limit).is_some_and(|mut mapped| {
            mapped.admit(STACK)
                && os_thread::spawn("engines", STACK, move || {
                    let visit = visit.map(Visit::enter);
                    run_thread(program, control, mapped, life);
                    drop(visit);
                })
        })
    };
    if !started {
        // It lets go of the claim.
        registry.abandon(&control, Status::True);
    }
}
