//! Whose turn it is to load a file: threads that ask for one at the same time ([`samite_sched::Claims`]), and what is half done when they are circular.
//!
//! Called by boot/loading.pl alone, which releases what it has claimed whatever happens in between. A file is loaded by who has claimed it
//! ([`super::reloading`]) and kept as it is by who visits it; who waits for it handles events meanwhile. Waiting in a circle is refused, also in one of an engine and who has asked it: the file is taken as far
//! as it has come, and what its load adds is taken up when this thread loads nothing any more (`$unfinished_load`). While the initialization goals of a
//! file run it is loaded for the thread that runs them, and what that has loaded meanwhile is not whole for others, if it uses the file, until they have
//! ended; but for threads that such goals start, for whose end they may wait.

use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::Res;
use samite_sched::{Claimed, SchedError};
use samite_term::Atom;

pub const TABLE: &[Entry] = &[
    // '$claim_load'(+File, -How): How is `mine`, to be released; `taken`, to be waited for; `visited`, the same, but nobody loads it meanwhile;
    // or `circular`, to be done without.
    det("$claim_load", 2, |m, a| claim_load(m, a, false)),
    // '$visit_load'(+File, -How): the same, to keep it from being loaded meanwhile.
    det("$visit_load", 2, |m, a| claim_load(m, a, true)),
    // '$is_loading'(+File): this thread does.
    det("$is_loading", 1, |m, a| {
        let file = m.atom_argument(a, 0)?;
        Ok(m.is_loading(file))
    }),
    // '$others_are_loading'(+File): another thread does, and this one has not been started by that load.
    det("$others_are_loading", 1, |m, a| {
        let file = m.atom_argument(a, 0)?;
        let me = m.thread.control.id();
        let within = m.thread.loading.within.as_deref().unwrap_or_default();
        let is_within = within.iter().any(|h| h.get() == file);
        Ok(!is_within && m.program.registry.loads.is_others(me, file))
    }),
    // '$load_used'(+File): this thread has loaded a file, or found it loaded.
    det("$load_used", 1, |m, a| {
        let file = m.atom_argument(a, 0)?;
        let half = m
            .program
            .registry
            .loads
            .half_done(m.thread.control.id(), file);
        let loading = &mut m.thread.loading;
        let within = loading.within.as_deref().unwrap_or_default();
        let others = half.into_iter().filter(|h| !within.contains(h));
        loading.unfinished.extend(others);
        Ok(true)
    }),
    // '$initializing'(+File): this thread, which has claimed it, is about to run its initialization goals.
    det("$initializing", 1, |m, a| {
        let file = m.atom_argument(a, 0)?.hold();
        m.thread.loading.initialize(file);
        Ok(true)
    }),
    // '$unfinished_load'(-File): this thread loads nothing any more; what it has loaded is whole when this one's load has ended.
    det("$unfinished_load", 1, |m, a| {
        if !m.thread.loading.loads.is_empty() {
            return Ok(false);
        }
        let file = m.thread.loading.unfinished.pop();
        Ok(file.is_some_and(|f| m.unify_atom(a, 0, f.get())))
    }),
    det("$release_load", 1, |m, a| {
        let file = m.atom_argument(a, 0)?;
        let loads = &m.program.registry.loads;
        if loads.release(m.thread.control.id(), file) {
            m.thread.loading.has_initialized(file);
        }
        Ok(true)
    }),
    det("$await_load", 1, |m, a| await_load(m, a).map(|_| true)),
    // Fails if that cannot be waited for.
    det("$await_whole", 1, await_load),
];

fn claim_load(m: &mut Ctx, a: Args, visits: bool) -> Res {
    let file = m.atom_argument(a, 0)?;
    let (loads, me) = (&m.program.registry.loads, m.thread.control.id());
    if m.is_loading(file) {
        // It asks for itself, maybe through others: what has been read of it is there.
        loads.take_half_done(me, file);
        return Ok(m.unify_atom(a, 1, Atom::new("circular")));
    }
    let claimed = match visits {
        true => loads.visit(me, &m.thread.engine.askers, file),
        false => loads.claim(me, &m.thread.engine.askers, file),
    };
    let how = match claimed {
        Claimed::Mine => "mine",
        Claimed::Again if visits => "mine",
        Claimed::Again => {
            // What asks for it again may be what its initialization goals have loaded.
            loads.take_half_done(me, file);
            "mine"
        }
        Claimed::Taken => "taken",
        Claimed::Visited => "visited",
        Claimed::Circular => "circular",
    };
    Ok(m.unify_atom(a, 1, Atom::new(how)))
}

impl Ctx<'_> {
    fn is_loading(&self, file: Atom) -> bool {
        self.thread.loading.loads.iter().any(|l| l.file() == file)
    }
}

/// Waits, interruptibly, while another thread loads a file.
fn await_load(m: &mut Ctx, a: Args) -> Res {
    let file = m.atom_argument(a, 0)?;
    m.before_wait();
    let (program, attention) = (m.program.clone(), m.attention.clone());
    let waited = program.registry.loads.wait(
        m.thread.control.id(),
        &m.thread.engine.askers,
        &attention,
        file,
    );
    m.after_wait();
    match waited {
        Ok(whole) => Ok(whole),
        Err(e) => {
            let culprit = m.arg(a, 0);
            Err(super::threads::sched_error(m, SchedError::from(e), culprit))
        }
    }
}
