//! A load of a file that was loaded before is left before its end: the version before stays, for all threads, with what it declares.
//!
//! What the version before has said is kept when a load begins, or first says something of a predicate ([`Said`]); clauses that a load takes away before its end,
//! as each thread is to have its own of them or has, are kept as copies ([`Aside`]). What goals of the load have done themselves, as asserting clauses, stays; and
//! what others have asserted meanwhile to what was dynamic keeps it so.
//!
//! *Equation*: after a load that was left, what [`Program::sources`](samite_code::Program) has of the file is what it had before, and each predicate is tabled, dynamic, thread-local or neither as the
//! load has found it, but for those that have got clauses that were asserted, and what other loads have said meanwhile.
//!
//! Clauses that were set aside come back as copies, behind those that were asserted; what was asserted to a predicate that the load alone had made thread-local goes with that.
//!
//! Called by [`super::reloading`] alone.

use crate::engine::ctx::Ctx;
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::loading::{Aside, Load, SAID, Said, key};
use rustc_hash::{FxHashMap, FxHashSet};
use samite_code::predicate::{Clause, flag};
use samite_code::sources::What;
use samite_code::{Predicate, database};
use samite_term::{Atom, growth};

/// What a load that was left had declared, and the version before had not.
pub(super) struct Left {
    declared: Vec<(What, &'static Predicate)>,
    said: FxHashMap<usize, Said>,
    aside: Vec<Aside>,
}

impl Worker {
    /// Before a load takes away the clauses that its file has given a predicate, this thread's if it is thread-local: they are kept for if it is left. (Without the memory for
    /// that, it loses them.)
    pub(super) fn set_aside(&mut self, load: &mut Load, p: &'static Predicate) {
        if !load.again() || load.aside.iter().any(|a| std::ptr::eq(a.predicate, p)) {
            return;
        }
        self.reader.enter();
        let own = self.own_local(p);
        let mut clauses = Vec::new();
        let ctx = self.ctx();
        for c in own.visible_clauses().filter(|c| c.file() == load.file()) {
            let Ok(Some(copy)) = ctx.linked_copy(c, own) else {
                return;
            };
            if growth::push(&mut clauses, copy).is_err() {
                return;
            }
        }
        let predicate = p;
        load.aside.push(Aside { predicate, clauses });
    }
}

impl Ctx<'_> {
    /// Within the step in which the load ends: what it has read is dropped, and the version before says what it has said.
    pub(super) fn give_up(&mut self, load: &mut Load) -> Left {
        drop(load.pending.take());
        load.made_static.clear();
        for said in &load.said_before {
            let (p, before) = (said.predicate, said.flags & SAID);
            let was = p.flags();
            p.undeclare(SAID & !before);
            p.declare(before);
            if (was ^ before) & flag::DET != 0 {
                database::look_again(p);
            }
            let (meta, transparent) = &said.meta;
            if (p.meta(), p.is_transparent()) != (meta.as_deref(), *transparent) {
                p.declare_context(meta.clone(), *transparent);
            }
            database::undefine_if_empty(p);
        }
        let before: FxHashSet<_> = load.declared_before.drain(..).collect();
        let mut declared = Vec::new();
        let mut sources = self.program.code.sources.lock();
        for what in What::ALL {
            for p in sources.declared_by(load.file(), what) {
                if !before.contains(&(what, key(p))) {
                    sources.set_declared(load.file(), p, what, false);
                    declared.push((what, p));
                }
            }
        }
        sources.retain(load.file(), |p| load.before.contains(&key(p)));
        for lost in load.lost.drain(..) {
            sources.give_back(&lost);
        }
        drop(sources);
        if let Some(before) = load.header_before.take() {
            self.put_header_back(before);
        }
        let said = load.said_before.drain(..);
        Left {
            declared,
            said: said.map(|s| (key(s.predicate), s)).collect(),
            aside: std::mem::take(&mut load.aside),
        }
    }

    /// When it has ended, and this thread sees what others see.
    pub(super) fn give_kinds_back(&mut self, load: &Load, left: Left) -> Result<(), Throw> {
        let flags_before = |p| left.said.get(&key(p)).map_or(0, |s| s.flags);
        for &(what, p) in &left.declared {
            match what {
                What::Dynamic if flags_before(p) & flag::DYNAMIC == 0 => self.settle_kind(load, p),
                // (The end of another load may have made it so meanwhile.)
                What::Tabled if flags_before(p) & flag::TABLED == 0 => {
                    self.settle_declared(vec![(what, p)]);
                }
                _ => {}
            }
        }
        let mut done = Ok(());
        for aside in left.aside {
            let before = flags_before(aside.predicate);
            done = (self.give_clauses_back(aside, before, load.file())).and(done);
        }
        done
    }

    /// A predicate, which had these flags, has these clauses of the file again.
    fn give_clauses_back(&mut self, aside: Aside, before: u32, file: Atom) -> Result<(), Throw> {
        let p = aside.predicate;
        let by_file = before & flag::DYNAMIC_BY_FILE != 0;
        if before & flag::THREAD_LOCAL == 0 {
            if p.has(flag::THREAD_LOCAL) {
                self.end_local(p, file);
            }
            if before & flag::DYNAMIC != 0 && !p.is_dynamic() {
                database::make_dynamic(p);
                if by_file {
                    p.has_become_dynamic_by_file();
                }
            }
        } else if !p.has(flag::THREAD_LOCAL) && database::make_thread_local(p) && by_file {
            p.has_become_dynamic_by_file();
        }
        let own = self.own_local(p);
        let mut clauses = growth::with_room(aside.clauses.len())?;
        for c in aside.clauses {
            // (It has been made dynamic, and has clauses that were asserted: it stays so, for all.)
            match std::ptr::eq(c.predicate, own) {
                true => clauses.push(c),
                false => clauses.extend(self.linked_copy(&c, own)?),
            }
        }
        let of_file = |c: &Clause| c.file() == file;
        Ok(database::exchange(
            own,
            of_file,
            clauses,
            FxHashSet::default(),
        )?)
    }
}
