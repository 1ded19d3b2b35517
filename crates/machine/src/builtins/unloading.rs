//! What becomes of what a file had and has no longer: after it was loaded again, or when it is unloaded.
//!
//! Who loads is [`super::reloading`]; its equation is kept here for predicates that no load has touched. A predicate that other files have a say in loses
//! only this file's clauses; one that has nothing left is as if it had never been, unless a goal of the program has made it dynamic.

use super::redefined;
use super::reloading::{all_of_file, has_one_file};
use crate::engine::ctx::Ctx;
use crate::state::loading::{Load, key};
use rustc_hash::FxHashSet;
use samite_code::predicate::{Clause, flag};
use samite_code::{Predicate, database};
use samite_term::Atom;

/// Whether it has been made of a closure of some clause, and its name says of which, and what it does (`library/program/lambdas.pl`, `goal_expansion.pl`).
fn is_auxiliary(p: &Predicate) -> bool {
    let name = p.functor().name();
    ["__aux_yall_", "__aux_wrapper "]
        .iter()
        .any(|kind| name.as_str().starts_with(kind))
}

impl Ctx<'_> {
    /// The predicates with clauses or declarations of a file, and those of them that no other file has a say in.
    pub(super) fn defined_by(&self, file: Atom) -> (Vec<&'static Predicate>, FxHashSet<usize>) {
        let sources = self.program.code.sources.lock();
        let of = sources.of(file);
        let alone = (of.iter())
            .filter(|p| !p.has(flag::KEPT) && sources.has_one_file(p))
            .map(|&p| key(p))
            .collect();
        (of, alone)
    }

    /// Takes away what a file had and has no longer.
    pub(super) fn forget_rest(&mut self, load: &mut Load) {
        let file = load.file();
        let (of, alone) = self.defined_by(file);
        // Calls of the version before may be running, and a closure may be kept; what it says stays true, whoever defines it again.
        let touched = |p: &'static Predicate| load.touched.contains(&key(p)) || is_auxiliary(p);
        self.program.code.sources.lock().retain(file, touched);
        let stays = |p: &'static Predicate| is_auxiliary(p) && !load.touched.contains(&key(p));
        let of: Vec<_> = of.into_iter().filter(|&p| !stays(p)).collect();
        for p in of.into_iter().filter(|&p| load.before.contains(&key(p))) {
            let alone = alone.contains(&key(p));
            if alone && !load.has(p, "meta_predicate") {
                p.declare_meta(None);
            }
            if !load.touched.contains(&key(p)) {
                (load.changed, load.moved) = (true, true);
                self.withdraw(p, file);
                let local = p.has(flag::THREAD_LOCAL) && !self.was_local(p, load);
                if alone && !load.made_dynamic.contains(&key(p)) && !local {
                    database::abolish(p, 0, |p, w| {
                        w.live == 0 && !redefined::is_dynamic_by_goal(p)
                    });
                }
                continue;
            }
            if alone && !load.has(p, "table") && p.has(flag::TABLED) {
                load.changed = true;
                database::make_untabled(p);
            }
            // Declared again, but without a clause now.
            if !load.claimed.contains(&key(p)) {
                load.changed = true;
                if self.was_local(p, load) {
                    self.end_local(p, file);
                }
                let own = self.own_local(p);
                database::withdraw(own, |c| c.file() == file);
                if alone {
                    database::undefine_if_empty(p);
                }
            }
        }
    }

    /// The file is unloaded. A load of it in progress goes on as if it were the first one and had read nothing so far.
    fn forget_loads(&mut self, file: Atom) {
        for at in 0..self.thread.loading.loads.len() {
            let load = &mut self.thread.loading.loads[at];
            if load.file() != file {
                continue;
            }
            let fresh = Load {
                begun: load.begun,
                ..Load::new(load.session, file)
            };
            let mut old = std::mem::replace(load, fresh);
            old.end_lending();
            old.imported_before.clear();
            for (p, shadow) in old.shadows.into_values() {
                self.drop_shadow(p, shadow);
            }
        }
    }

    /// The file is unloaded, and defines, declares, exports and imports nothing any more.
    pub(crate) fn forget_file(&mut self, file: Atom) {
        self.forget_loads(file);
        self.reader.enter();
        let (of, alone) = self.defined_by(file);
        self.change_definitions(&of, |m| {
            for &p in &of {
                m.forget_definition(p, file, alone.contains(&key(p)));
            }
        });
        let declared = self.declared_by(file);
        self.program.code.sources.lock().forget(file);
        let mut load = Load::new(0, file);
        self.settle_kinds(&load, &of);
        self.settle_declared(declared);
        self.forget_module(&mut load);
        self.take_back_imports(&load.not_exported);
        self.begin_imports(file);
        self.end_imports(file);
        self.settle_bindings();
        self.make_up_imports();
        self.tables_are_stale();
    }

    /// A predicate is as if the file had never been there.
    fn forget_definition(&mut self, p: &'static Predicate, file: Atom, alone: bool) {
        self.withdraw(p, file);
        let own = self.own_local(p);
        let asserted = p.has(flag::THREAD_LOCAL) && own.visible_clauses().next().is_some();
        if !alone || asserted {
            return;
        }
        p.declare_meta(None);
        p.undeclare(flag::DISCONTIGUOUS | flag::MULTIFILE);
        if p.has(flag::TABLED) {
            database::make_untabled(p);
        }
        database::abolish(p, 0, |p, w| {
            w.live == 0 && !redefined::is_dynamic_by_goal(p)
        });
    }

    /// Erases the clauses of a file; a static predicate without others becomes undefined.
    pub(crate) fn withdraw(&mut self, shared: &'static Predicate, file: Atom) {
        // In one step where nothing is left: others find what it was, or nothing.
        database::abolish(shared, 0, |p, w| {
            w.file.as_ref().is_some_and(|f| *f == file) && has_one_file(p) && all_of_file(p, file)
        });
        let p = self.own_local(shared);
        let of_file = |c: &Clause| c.file() == file;
        let done = self.seen_in_transaction(p, &[], of_file, || {
            database::withdraw(p, of_file);
            Ok(())
        });
        if done.is_err() {
            // Without the memory to say so, what the transaction sees stays.
            database::withdraw(p, of_file);
        }
        let mut writer = shared.lock();
        if writer.file.as_ref().is_some_and(|f| *f == file) {
            writer.file = None;
            writer.session = 0;
        }
    }
}
