//! Making shadows of predicates that are loaded again, and what becomes dynamic then: see [`crate::engine::shadows`].

use super::clauses::be_of_kind;
use crate::engine::ctx::Ctx;
use crate::error::Throw;
use crate::state::loading::{Load, Tabling, key};
use crate::state::pending::Pending;
use samite_code::compile::Parts;
use samite_code::modes::{How, Mode};
use samite_code::predicate::{Clause, flag};
use samite_code::sources::What;
use samite_code::{Predicate, database, twins};
use samite_term::Cell;

impl Ctx<'_> {
    /// Whether a predicate that is not dynamic cannot become so by a goal that changes clauses: it has clauses as this thread sees it, or a
    /// file says that it will.
    pub(crate) fn is_fixed(&mut self, p: &'static Predicate) -> bool {
        let loads = &self.thread.loading.loads;
        let announced = match loads.iter().rev().find(|l| l.shadow(p).is_some()) {
            // What the version before has announced is over.
            Some(load) => {
                load.has(p, "multifile")
                    || load.has(p, "discontiguous")
                    || p.has(flag::ANNOUNCED) && !load.alone.contains(&key(p))
            }
            None => p.has(flag::ANNOUNCED),
        };
        p.is_defined() && (announced || self.own(p).lock().live > 0)
    }

    /// A goal that changes clauses makes a predicate dynamic that has none as this thread sees it. Another thread may have given it some
    /// meanwhile.
    pub(crate) fn begin_dynamic(&mut self, p: &'static Predicate) -> Result<(), Throw> {
        let meant = self.resolve(p.module(), p.functor());
        let changes = self.changes_meaning(p, meant);
        let mut loads = self.thread.loading.loads.iter_mut();
        if let Some(load) = loads.rfind(|l| l.shadow(p).is_some()) {
            load.made_dynamic.insert(key(p));
            self.become_dynamic(p)?;
        } else if !database::make_dynamic_if_empty(p) {
            let i = self.shown_indicator(p)?;
            return Err(self.permission_error("modify", "static_procedure", i));
        }
        if changes {
            self.meanings_changed();
        }
        Ok(())
    }

    /// A predicate becomes dynamic, with the clauses that it has.
    pub(crate) fn become_dynamic(&mut self, p: &'static Predicate) -> Result<(), Throw> {
        let at = self
            .thread
            .loading
            .loads
            .iter()
            .rposition(|l| l.shadow(p).is_some());
        if let Some(at) = at {
            self.thread.loading.loads[at]
                .made_static
                .retain(|q| !std::ptr::eq(*q, p));
        }
        self.become_dynamic_in(at, p)
    }

    /// The same, for the load with this number if there is one.
    pub(crate) fn become_dynamic_in(
        &mut self,
        at: Option<usize>,
        p: &'static Predicate,
    ) -> Result<(), Throw> {
        let Some(at) = at else {
            database::make_dynamic(p);
            return Ok(());
        };
        let mut load = self.thread.loading.loads.remove(at);
        let shadow = self.shadow_of(&mut load, p, true);
        self.thread.loading.loads.insert(at, load);
        shadow.map(|_| ())
    }

    /// The shadow of a predicate, made now if it is not there; a twin if it is dynamic, or becomes so.
    pub(crate) fn shadow_of(
        &mut self,
        load: &mut Load,
        p: &'static Predicate,
        becomes_dynamic: bool,
    ) -> Result<&'static Predicate, Throw> {
        if let Some(shadow) = load.shadow(p)
            && (!becomes_dynamic || shadow.is_twin())
        {
            return Ok(shadow);
        }
        let dynamic = becomes_dynamic || p.is_dynamic();
        if dynamic {
            self.room(twins::bytes(p))?;
        }
        let used = (self.program.spare_shadows.lock())
            .get_mut(&(key(p), dynamic))
            .and_then(Vec::pop);
        let shadow = match used {
            _ if dynamic => twins::open(p, used, load.file()),
            Some(used) => used,
            None => Predicate::new(p.domain, p.module(), p.functor()),
        };
        p.begin_reloading();
        if dynamic {
            // To others with the clauses that it has.
            database::make_dynamic(p);
        }
        if let Some((_, other)) = load.shadows.insert(key(p), (p, shadow)) {
            // Who calls that one finds nothing any more.
            load.end_lending();
            self.drop_shadow(p, other);
        }
        if load.has_declared(p) {
            declare(load, p, shadow);
        }
        // By another file, or a goal.
        if p.has(flag::TABLED)
            && !(self.program.code.sources.lock()).is_declared_by_one(load.file(), p, What::Tabled)
        {
            make_tabled(load, p, shadow);
        }
        if dynamic {
            return Ok(shadow);
        }
        let redefined = load.pending.get(p).is_some_and(|q| q.redefines);
        if p.has(flag::MULTIFILE) && !redefined {
            self.reader.enter();
            for c in p.visible_clauses().filter(|c| c.file() != load.file()) {
                self.copy_to_shadow(c, shadow)?;
            }
        }
        if p.has(flag::ANNOUNCED) && !load.alone.contains(&key(p)) {
            // Another file has declared it.
            shadow.define();
        }
        Ok(shadow)
    }

    /// The load in progress whose declarations of tables others learn of when it ends, if it declares this one.
    fn tabling_load(&mut self, p: &'static Predicate) -> Option<&mut Load> {
        let load = self.thread.loading.loads.last_mut();
        load.filter(|l| l.again() && l.has(p, "table"))
    }

    /// A predicate is declared tabled. If its file is loaded again others call the version before, as that is tabled or not, until that has ended.
    pub(crate) fn declare_tabled(&mut self, p: &'static Predicate) {
        match self.tabling_load(p) {
            Some(load) => {
                let (predicate, how) = (p, How::default());
                let tabling = Tabling {
                    predicate,
                    modes: Vec::new(),
                    how,
                };
                load.tabling.insert(key(p), tabling);
            }
            None => database::make_tabled(p),
        }
    }

    /// How it is.
    pub(crate) fn declare_tabling(&mut self, p: &'static Predicate, modes: Vec<Mode>, how: How) {
        let tabling = self
            .tabling_load(p)
            .and_then(|l| l.tabling.get_mut(&key(p)));
        let Some(tabling) = tabling else {
            p.declare_modes(&modes, how);
            let own = self.own(p);
            if !std::ptr::eq(own, p) {
                own.declare_modes(&modes, how);
            }
            return;
        };
        (tabling.modes, tabling.how) = (modes, how);
        self.declare_shadow(p);
    }

    /// A declaration of a load in progress holds for the shadow too.
    pub(crate) fn declare_shadow(&self, p: &'static Predicate) {
        let mut loads = self.thread.loading.loads.iter().rev();
        if let Some((load, shadow)) = loads.find_map(|l| Some((l, l.shadow(p)?))) {
            declare(load, p, shadow);
        }
    }

    /// Adds a copy of a clause to a shadow.
    pub(crate) fn copy_to_shadow(
        &mut self,
        c: &Clause,
        shadow: &'static Predicate,
    ) -> Result<(), Throw> {
        let Some(copy) = self.linked_copy(c, shadow)? else {
            return Ok(());
        };
        database::add(shadow, copy, true).map_err(|why| self.refused(shadow, why))
    }

    /// A copy of a clause, for another predicate or the same one made static; `None` of a clause of a library that has not been recalled.
    pub(crate) fn linked_copy(
        &mut self,
        c: &Clause,
        p: &'static Predicate,
    ) -> Result<Option<Box<Clause>>, Throw> {
        let Some(record) = self.clause_term(c) else {
            return Ok(None);
        };
        self.room(c.bytes() + 8 * record.heap_words())?;
        let mut words = vec![0u64; record.heap_words()];
        let clause = Parts::of(self.term(record.instantiate(&mut words)));
        let compiled = match self.compile(p.module(), clause, size_of::<Clause>()) {
            Ok(compiled) => compiled,
            // It has been compiled before.
            Err(e) => return Err(self.compile_error(e, Cell::NIL)),
        };
        let (record, block) = (Some(record.clone()), Some(compiled.block));
        let mut copy = Box::new(Clause::new(p, c.key, record, block, c.line()));
        copy.set_linked();
        be_of_kind(&mut copy, &clause);
        copy.set_file(c.file(), c.text());
        Ok(Some(copy))
    }

    /// The load in progress has read nothing of a predicate so far, but for declarations.
    pub(crate) fn forget_read(&mut self, p: &'static Predicate) -> Result<(), Throw> {
        let Some(mut load) = self.thread.loading.loads.pop() else {
            return Ok(());
        };
        let is_pending = load.pending.get_mut(p).map(Pending::clear).is_some();
        let shown = match load.shadows.remove(&key(p)) {
            Some((_, shadow)) => {
                self.drop_shadow(p, shadow);
                self.shadow_of(&mut load, p, false).map(|_| ())
            }
            None => Ok(()),
        };
        if !is_pending {
            let (own, file) = (self.own_local(p), load.file());
            database::withdraw(own, |c| c.file() == file);
        }
        self.thread.loading.loads.push(load);
        shown
    }

    /// This thread sees what others see.
    pub(crate) fn drop_shadow(&mut self, p: &'static Predicate, shadow: &'static Predicate) {
        if shadow.is_twin() {
            if let Some(transaction) = &mut self.thread.transactions.open {
                transaction.forget_read_of(shadow);
            }
            twins::discard(p, shadow);
            p.end_reloading();
        } else {
            p.end_reloading();
            database::abolish(shadow, 0, |_, _| true);
        }
        let mut spare = self.program.spare_shadows.lock();
        let used = spare.entry((key(p), shadow.is_twin())).or_default();
        used.push(shadow);
    }
}

/// What this load has declared of `p` so far holds for its shadow.
fn declare(load: &Load, p: &'static Predicate, shadow: &'static Predicate) {
    if ["dynamic", "multifile", "discontiguous"]
        .iter()
        .any(|how| load.has(p, how))
    {
        shadow.define();
    }
    if load.has(p, "table") {
        make_tabled(load, p, shadow);
    }
}

/// As this load has declared it, or another file or a goal.
fn make_tabled(load: &Load, p: &'static Predicate, shadow: &'static Predicate) {
    match (load.tabling.get(&key(p)), p.modes()) {
        (Some(t), _) => shadow.declare_modes(&t.modes, t.how),
        (None, Some(d)) => shadow.declare_modes(&d.modes, d.how()),
        (None, None) => shadow.declare_modes(&[], How::default()),
    }
    database::make_tabled(shadow);
}
