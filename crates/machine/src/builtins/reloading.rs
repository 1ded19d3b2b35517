//! Loading a file again: its new clauses take the place of the old ones in one step for each predicate, and what the file no longer
//! defines goes, so that the state is that of a fresh process.
//!
//! A [`Load`] is a load in progress, of this thread; they nest. A predicate that has clauses of the file from before, or of another file
//! that defines it otherwise, is not touched while its new clauses are read: they are *pending*, and put in place when the file ends
//! ([`database::exchange`]), or before the loader runs a goal of the file that may call them. So other threads see whole definitions, and
//! directives what is above them. Calls that run keep the old clauses.
//!
//! *Equation*: with no load of a file in progress, the clauses of the file are those of its last load, and [`Program::sources`] has all
//! predicates that have some, or were declared by it.
//!
//! [`Program::sources`]: samite_code::Program

use super::Entry::{self, Det};
use crate::error::Res;
use crate::machine::{Args, Machine};
use rustc_hash::FxHashSet;
use samite_code::predicate::{Clause, flag};
use samite_code::{Predicate, database};
use samite_sched::{Claimed, SchedError};
use samite_term::{Atom, Cell, atoms};
use std::sync::atomic::{AtomicI64, Ordering};

pub const TABLE: &[Entry] = &[
    Det("$begin_load", 2, |m, a| {
        let file = m.atom_argument(a, 0)?;
        let session = m.begin_load(file);
        m.unify_int(a, 1, session)
    }),
    // '$commit_load'(+What): `all` that is pending, or all but the predicate whose clauses are being read (`others`).
    Det("$commit_load", 1, |m, a| {
        let all = m.atom_argument(a, 0)?.as_str() == "all";
        if let Some(mut load) = m.loads.pop() {
            m.commit(&mut load, all);
            m.loads.push(load);
        }
        Ok(true)
    }),
    Det("$end_load", 2, |m, a| {
        let (session, whole) = (m.arg(a, 0), m.arg(a, 1));
        m.end_load(session.small_value(), whole == Cell::atom(atoms::TRUE));
        Ok(true)
    }),
    Det("$claim_load", 2, |m, a| {
        let file = m.atom_argument(a, 0)?;
        let how = match m.shared.registry.loads.claim(m.thread.id(), file) {
            Claimed::Mine | Claimed::Again => "mine",
            Claimed::Taken => "taken",
            Claimed::Circular => "circular",
        };
        Ok(m.unify_atom(a, 1, Atom::new(how)))
    }),
    Det("$release_load", 1, |m, a| {
        let file = m.atom_argument(a, 0)?;
        m.shared.registry.loads.release(m.thread.id(), file);
        Ok(true)
    }),
    Det("$await_load", 1, await_load),
];

/// Loads of files so far, by all threads: what one load defined, another replaces, whoever asks for it.
static SESSIONS: AtomicI64 = AtomicI64::new(0);

/// A load in progress.
pub(crate) struct Load {
    session: i64,
    file: Atom,
    /// The predicates with clauses or declarations of the file from earlier loads, by address.
    before: FxHashSet<usize>,
    /// Those that this load has declared or given clauses.
    touched: FxHashSet<usize>,
    /// Those that it has given clauses.
    claimed: FxHashSet<usize>,
    /// Those that it has declared to be tabled.
    tabled: FxHashSet<usize>,
    pending: Vec<Pending>,
    changed: bool,
}

/// The new clauses of a predicate, not yet in place.
struct Pending {
    predicate: &'static Predicate,
    #[allow(clippy::vec_box, reason = "clauses live in boxes of their own")]
    clauses: Vec<Box<Clause>>,
}

fn key(p: &'static Predicate) -> usize {
    std::ptr::from_ref(p) as usize
}

/// Whether a predicate's clauses are all from one file.
fn has_one_file(p: &Predicate) -> bool {
    !p.has(flag::MULTIFILE | flag::DYNAMIC)
}

/// Waits, interruptibly, while another thread loads a file.
fn await_load(m: &mut Machine, a: Args) -> Res {
    let file = m.atom_argument(a, 0)?;
    m.before_wait();
    let (shared, attention) = (m.shared.clone(), m.attention.clone());
    let waited = shared.registry.loads.wait(m.thread.id(), &attention, file);
    m.after_wait();
    match waited {
        Ok(()) => Ok(true),
        Err(e) => {
            let culprit = m.arg(a, 0);
            Err(super::threads::sched_error(m, SchedError::from(e), culprit))
        }
    }
}

impl Machine {
    fn begin_load(&mut self, file: Atom) -> i64 {
        let session = SESSIONS.fetch_add(1, Ordering::Relaxed) + 1;
        let sources = self.program().sources.lock();
        let before = sources.get(&file).map(|of| of.iter().map(|&p| key(p)));
        let before = before.map(Iterator::collect).unwrap_or_default();
        drop(sources);
        self.loads.push(Load {
            session,
            file,
            before,
            touched: FxHashSet::default(),
            claimed: FxHashSet::default(),
            tabled: FxHashSet::default(),
            pending: Vec::new(),
            changed: false,
        });
        session
    }

    /// The load in progress that declares or defines something of `p`.
    fn touch(&mut self, p: &'static Predicate, session: Option<i64>) -> Option<&mut Load> {
        if p.has(flag::SYSTEM | flag::LIBRARY) || self.loading_system {
            return None;
        }
        let load = match session {
            Some(session) => self.loads.iter_mut().rfind(|l| l.session == session),
            None => self.loads.last_mut(),
        }?;
        if load.touched.insert(key(p)) && !load.before.contains(&key(p)) {
            let mut sources = self.shared.program.sources.lock();
            let of = sources.entry(load.file).or_default();
            if !of.iter().any(|&q| std::ptr::eq(p, q)) {
                of.push(p);
            }
        }
        Some(load)
    }

    /// Before a clause is added to a predicate from a file: sees to what other loads left.
    pub(crate) fn claim(&mut self, p: &'static Predicate, file: Atom, session: i64) {
        let stale = {
            let mut w = p.lock();
            let stale = w.session != session && (w.file != Some(file) || w.session != 0);
            w.file = Some(file);
            let stale = stale && w.live > 0 && w.session != session;
            w.session = session;
            stale && has_one_file(p)
        };
        let Some(load) = self.touch(p, Some(session)) else {
            if stale {
                database::wipe(p);
            }
            return;
        };
        if !load.claimed.insert(key(p)) {
            return;
        }
        if p.has(flag::THREAD_LOCAL) {
            // Nobody else sees this thread's clauses.
            if load.before.contains(&key(p)) {
                let own = self.own(p);
                database::exchange(own, |c| c.file == file, Vec::new());
            }
        } else if stale || load.before.contains(&key(p)) {
            load.pending.push(Pending {
                predicate: p,
                clauses: Vec::new(),
            });
        }
    }

    /// Adds a clause of a file, claimed before.
    pub(crate) fn place(
        &mut self,
        p: &'static Predicate,
        clause: Box<Clause>,
        session: Option<i64>,
    ) {
        let load = (self.loads.iter_mut()).rfind(|l| Some(l.session) == session);
        if let Some(load) = load
            && let Some(at) = (load.pending.iter()).rposition(|q| std::ptr::eq(q.predicate, p))
        {
            // The one that is being read is last.
            let last = load.pending.len() - 1;
            load.pending.swap(at, last);
            load.pending[last].clauses.push(clause);
        } else {
            database::add(p, clause, true);
        }
    }

    /// Before a predicate is declared.
    pub(crate) fn declared(&mut self, p: &'static Predicate, how: &str) {
        let Some(load) = self.touch(p, None) else {
            return;
        };
        let (file, fresh) = (load.file, !load.claimed.contains(&key(p)));
        if how == "table" {
            load.tabled.insert(key(p));
        }
        let becomes_dynamic = matches!(how, "dynamic" | "thread_local") && !p.is_dynamic();
        if becomes_dynamic && fresh && load.before.contains(&key(p)) {
            // What it was is over.
            database::exchange(p, |c| c.file == file, Vec::new());
        }
    }

    /// The line of the first pending clause of a predicate.
    pub(crate) fn pending_line(&self, p: &'static Predicate) -> Option<u32> {
        let mut all = self.loads.iter().rev().flat_map(|l| &l.pending);
        let pending = all.find(|q| std::ptr::eq(q.predicate, p))?;
        pending.clauses.first().map(|c| c.line())
    }

    /// Puts what is pending in place; with `all` unset, not the predicate that was last given a clause.
    fn commit(&mut self, load: &mut Load, all: bool) {
        // Hooks hold from the next clause on.
        let hook = |p: &Predicate| p.name().as_str().ends_with("_expansion");
        let keeps = !all && (load.pending.last()).is_some_and(|q| !hook(q.predicate));
        let kept = if keeps { load.pending.pop() } else { None };
        load.changed |= !load.pending.is_empty();
        for pending in load.pending.drain(..) {
            let p = pending.predicate;
            let (file, one_file) = (load.file, has_one_file(p));
            database::exchange(p, |c| one_file || c.file == file, pending.clauses);
        }
        load.pending.extend(kept);
    }

    /// The load of a session ends, and those that began within it and were left. With `whole`, the file has been read to its end.
    fn end_load(&mut self, session: i64, whole: bool) {
        if !self.loads.iter().any(|l| l.session == session) {
            return;
        }
        while let Some(mut load) = self.loads.pop() {
            self.commit(&mut load, true);
            if whole && load.session == session {
                self.forget_rest(&mut load);
            }
            if load.changed {
                self.abolish_all_tables();
            }
            if load.session == session {
                break;
            }
        }
    }

    /// Takes away what a file had and has no longer.
    fn forget_rest(&mut self, load: &mut Load) {
        let file = load.file;
        let of = {
            let mut sources = self.shared.program.sources.lock();
            let of = sources.get(&file).cloned().unwrap_or_default();
            if let Some(of) = sources.get_mut(&file) {
                of.retain(|&p| load.touched.contains(&key(p)));
            }
            of
        };
        for p in of {
            if load.touched.contains(&key(p)) {
                let untabled = load.before.contains(&key(p)) && !load.tabled.contains(&key(p));
                if untabled && p.has(flag::TABLED) {
                    database::make_untabled(p);
                    load.changed = true;
                }
                // Declared again, but without a clause now.
                if load.before.contains(&key(p)) && !load.claimed.contains(&key(p)) {
                    load.changed = true;
                    let own = self.own(p);
                    database::exchange(own, |c| c.file == file, Vec::new());
                }
                continue;
            }
            load.changed = true;
            self.withdraw(p, file);
        }
    }

    /// Erases the clauses of a file; a static predicate without others becomes undefined.
    pub(crate) fn withdraw(&mut self, shared: &'static Predicate, file: Atom) {
        let p = self.own(shared);
        database::exchange(p, |c| c.file == file, Vec::new());
        let mut writer = shared.lock();
        if writer.file == Some(file) {
            writer.file = None;
            writer.session = 0;
            let gone = writer.live == 0 && has_one_file(shared);
            drop(writer);
            if gone {
                database::abolish(shared);
            }
        }
    }
}
