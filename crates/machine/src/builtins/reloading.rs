//! Loading a file again: its new clauses take the place of the old ones, and what the file no longer defines goes, in
//! [one step](crate::engine::step) for all threads, so that the state is that of a fresh process.
//!
//! A [`Load`] is a load in progress, of this thread; they nest. A predicate that has clauses of the file from before, or of another file
//! that defines it otherwise, is not touched while its new clauses are read: they are *pending*, and put in place when the file ends
//! ([`database::exchange`]); so are all predicates of a file that is loaded again. Other threads see whole versions of the clauses. Calls that run keep
//! the old ones. (Not so what the new version declares, imports and exports: that holds for all when it is read, and what it declares no longer till its end.)
//!
//! Before the loader runs a goal of the program (a directive, a hook), it [commits](Worker::commit): from then on this thread sees
//! the file's predicates as in a fresh process, with what is above that goal and nothing of the version before: it has
//! [shadows](crate::engine::shadows) of them.
//!
//! A load that is left before the end of a file that was loaded before (an exception, an abort) changes nothing, but for what its own goals
//! have done ([`super::left_loads`]): the clauses that it has read are dropped. The file has changed, then, if it has since it was loaded to its end.
//!
//! *Equation*: with no load of a file in progress, the clauses of the file are those of its last load that came to its end, and [`Program::sources`] has all
//! predicates that have some, or were declared by it. Properties that the file alone declares are those of its last load.
//!
//! [`Program::sources`]: samite_code::Program

use super::left_loads::Left;
use super::{Entry, det, redefined};
use crate::engine::ctx::Ctx;
use crate::engine::worker::{Args, Worker};
use crate::error::{Res, Throw};
use crate::state::loading::{ImportedBefore, Load, SAID, Said, key};
use crate::state::pending::Pending;
use rustc_hash::FxHashSet;
use samite_code::predicate::{Clause, flag};
use samite_code::program::Module;
use samite_code::sources::What;
use samite_code::{Predicate, database, twins};
use samite_term::growth::{self, Refused};
use samite_term::{Atom, Cell, Functor, HeldAtom, HeldFunctor, atoms};
use std::sync::atomic::Ordering;

pub const TABLE: &[Entry] = &[
    // '$begin_load'(+File, +MustBeModule, +RedefineModule, -Session)
    det("$begin_load", 4, |m, a| {
        let file = m.atom_argument(a, 0)?;
        let must = m.atom_argument(a, 1)? == atoms::TRUE;
        let redefines = m.atom_argument(a, 2)? == atoms::TRUE;
        let session = m.begin_load(file)?;
        if let Some(load) = m.thread.loading.loads.last_mut() {
            load.must_be_module = must;
            load.redefines_module = redefines;
        }
        m.unify_int(a, 3, session)
    }),
    det("$redefines_module", 0, |m, _| {
        Ok(m.thread
            .loading
            .loads
            .last()
            .is_some_and(|l| l.redefines_module))
    }),
    // '$load_position'(-Position): where the term begins that was read last.
    det("$load_position", 1, |m, a| {
        let Some(start) = m.thread.loading.loads.last().and_then(|l| l.position) else {
            return Ok(false);
        };
        let position = m.position_term(start)?;
        Ok(m.unify_arg(a, 0, position))
    }),
    det("$is_reloading", 0, |m, _| {
        Ok(m.thread.loading.loads.last().is_some_and(Load::again))
    }),
    // '$load_begins'(+Term): a term of the file is about to be loaded, maybe the first.
    det("$load_begins", 1, begins),
    // Whether the directive that is being run is the module header of the file.
    det("$is_module_header", 0, |m, _| {
        let loading_system = m.thread.loading.system;
        let load = m.thread.loading.loads.last_mut();
        Ok(loading_system || load.is_some_and(|l| std::mem::take(&mut l.at_header)))
    }),
    // '$commit_load'(+What): `all` that is pending, or all but the predicate whose clauses are being read (`others`).
    det("$commit_load", 1, commit_load),
    // '$commit_hooks'(+What): the same, before the loader itself asks what the file may have said: where files are, how messages are to be shown.
    det("$commit_hooks", 1, |m, a| {
        let hooked = m.thread.loading.loads.last().is_some_and(|l| l.hooked);
        Ok(!hooked || commit_load(m, a)?)
    }),
    det("$end_load", 2, |m, a| {
        let (session, whole) = (m.arg(a, 0), m.arg(a, 1));
        m.end_load(session.small_value(), whole == Cell::atom(atoms::TRUE))?;
        Ok(true)
    }),
    // '$forget_read'(+Module:PI): what the load in progress has read of a predicate was not meant.
    det("$forget_read", 1, |m, a| {
        let p = m.predicate_argument(a, 0)?;
        m.forget_read(p)?;
        Ok(true)
    }),
    // '$reads_text'(+Path): what is being read of the file that is being loaded.
    det("$reads_text", 1, |m, a| {
        let text = m.atom_argument(a, 0)?;
        if let Some(load) = m.thread.loading.loads.last_mut() {
            load.text = text.hold();
        }
        Ok(true)
    }),
];

/// Whether the loader calls a predicate for what it reads, or before it reads more.
fn is_hook(p: &Predicate) -> bool {
    const OF_USER: [&str; 9] = [
        "file_search_path",
        "library_directory",
        "prolog_file_type",
        "prolog_load_file",
        "message_hook",
        "thread_message_hook",
        "message_property",
        "portray",
        "exception",
    ];
    let name = p.name();
    name.as_str().ends_with("_expansion")
        || p.module() == atoms::USER && OF_USER.contains(&name.as_str())
}

fn commit_load(m: &mut Ctx, a: Args) -> Res {
    let all = m.atom_argument(a, 0)?.as_str() == "all";
    if let Some(mut load) = m.thread.loading.loads.pop() {
        if m.has_early_tables(&mut load) {
            m.tables_are_stale();
        }
        let shown = if load.again() {
            m.show(&mut load)
        } else {
            m.commit(&mut load, all)
        };
        m.thread.loading.loads.push(load);
        shown?;
    }
    Ok(true)
}

/// Whether a predicate is defined or declared by this file alone.
fn is_of(p: &Predicate, file: Atom) -> bool {
    !p.has(flag::MULTIFILE) && p.lock().file.as_ref().is_none_or(|f| *f == file)
}

/// Whether a predicate's clauses are all from one file.
pub(super) fn has_one_file(p: &Predicate) -> bool {
    !p.has(flag::MULTIFILE | flag::DYNAMIC)
}

/// Whether a predicate, whose lock is held, has clauses of no other file.
pub(super) fn all_of_file(p: &Predicate, file: Atom) -> bool {
    p.clauses().alive().all(|c| c.file() == file)
}

/// The first term of a file that counts says whether it is a module.
fn begins(m: &mut Ctx, a: Args) -> Res {
    let Some(load) = m.thread.loading.loads.last().filter(|l| !l.begun) else {
        return Ok(true);
    };
    let must_be_module = load.must_be_module;
    let mut term = m.view(a, 0);
    let nothing = [Cell::NIL, Cell::atom(Atom::new("begin_of_file"))];
    while let samite_term::View::List(first, rest) = term.view() {
        term = if nothing.contains(&first.cell()) {
            rest
        } else {
            first
        };
    }
    if nothing.contains(&term.cell()) {
        return Ok(true);
    }
    let directive = match term.callable() {
        Some((f, args)) if f.arity() == 1 && [atoms::NECK, atoms::QUERY].contains(&f.name()) => {
            args.get(0).callable().map(|(f, _)| f)
        }
        _ => None,
    };
    if directive == Some(Functor::new(Atom::new("encoding"), 1)) {
        return Ok(true);
    }
    let is_header =
        directive.is_some_and(|f| f.name() == atoms::MODULE && [2, 3].contains(&f.arity()));
    if must_be_module && !is_header {
        let culprit = term.deref();
        return Err(m.domain_error("module_header", culprit));
    }
    if let Some(load) = m.thread.loading.loads.last_mut() {
        load.begun = true;
        load.at_header = is_header;
        let file = load.file().as_str();
        if let Some(l) = m.program.code.loaded.lock().get_mut(file) {
            l.begun = true;
        }
    }
    Ok(true)
}

impl Ctx<'_> {
    fn begin_load(&mut self, file: Atom) -> Result<i64, Throw> {
        let session = (self.program.code.loads).fetch_add(1, Ordering::Relaxed) + 1;
        let (of, alone) = self.defined_by(file);
        let before: FxHashSet<usize> = of.iter().map(|&p| key(p)).collect();
        // (What others have taken over from it, it defines as if for the first time.)
        let again = !before.is_empty() || self.had_nothing(file);
        let mut said_before = Vec::new();
        for &p in &of {
            said_before.push(Said::of(p));
            if alone.contains(&key(p)) {
                // Unless this version says so again. Nobody but the loader asks.
                p.undeclare(SAID);
            }
        }
        let declared_before = self.declared_by(file).into_iter();
        let declared_before = declared_before.map(|(what, p)| (what, key(p))).collect();
        let hooked = of.iter().any(|p| is_hook(p));
        let imported_before = ImportedBefore::new(self.begin_imports(file));
        let tables_before = self.thread.tabling.tables.made;
        self.thread.loading.loads.push(Load {
            again,
            before,
            alone,
            said_before,
            declared_before,
            tables_before,
            hooked,
            imported_before,
            ..Load::new(session, file)
        });
        if hooked && let Some(mut load) = self.thread.loading.loads.pop() {
            // Its terms are read with the hooks of this version.
            let shown = self.show(&mut load);
            if shown.is_err() {
                self.drop_shadows(&mut load);
            } else {
                self.thread.loading.loads.push(load);
            }
            shown?;
        }
        Ok(session)
    }

    /// Whether a file had been loaded before its load began, and had no predicates of its own.
    fn had_nothing(&self, file: Atom) -> bool {
        let loaded = self.program.code.loaded.lock();
        let before = loaded.get(file.as_str()).and_then(|l| l.before.as_ref());
        before.is_some_and(|l| l.is_empty)
    }

    /// The load in progress that declares or defines something of `p`.
    fn touch(&mut self, p: &'static Predicate, session: Option<i64>) -> Option<&mut Load> {
        if p.has(flag::SYSTEM | flag::LIBRARY) || self.thread.loading.system {
            return None;
        }
        let meant = self.resolve(p.module(), p.functor());
        let changes = self.changes_meaning(p, meant);
        let Worker {
            thread, program, ..
        } = &mut **self;
        let loads = &mut thread.loading.loads;
        let load = match session {
            Some(session) => loads.iter_mut().rfind(|l| l.session == session),
            None => loads.last_mut(),
        }?;
        if load.touched.insert(key(p)) {
            load.changed |= changes;
            if meant.is_some_and(|meant| std::ptr::eq(meant, p)) {
                load.adds_to.insert(key(p));
            }
            load.hooked |= is_hook(p);
            // (Another file may have taken it over since this load began.)
            program.code.sources.lock().add(load.file(), p);
            if load.again() && !load.before.contains(&key(p)) {
                load.said_before.push(Said::of(p));
            }
        }
        Some(load)
    }

    /// Before a load defines a predicate, or declares it dynamic, that may be thread-local.
    fn settle_local(&mut self, p: &'static Predicate, session: Option<i64>) {
        if !p.has(flag::THREAD_LOCAL) {
            return;
        }
        self.with_load(session, |m, load| {
            if m.was_local(p, load) {
                m.set_aside(load, p);
                m.end_local(p, load.file());
            }
        });
    }

    /// Does something with the load of a session, or the innermost one, if there is one.
    fn with_load(&mut self, session: Option<i64>, act: impl FnOnce(&mut Ctx, &mut Load)) {
        let is_it = |l: &Load| session.is_none_or(|s| l.session == s);
        let Some(at) = self.thread.loading.loads.iter().rposition(is_it) else {
            return;
        };
        let mut load = self.thread.loading.loads.remove(at);
        act(self, &mut load);
        self.thread.loading.loads.insert(at, load);
    }

    /// Before a clause is added to a predicate from a file: sees to what other loads left.
    pub(crate) fn claim(&mut self, p: &'static Predicate, file: Atom, session: i64) {
        let stale = {
            let mut w = p.lock();
            let same = w.file.as_ref().is_some_and(|f| *f == file);
            let stale = w.session != session && (!same || w.session != 0);
            if !same {
                w.file = Some(file.hold());
            }
            let stale = stale && w.live > 0 && w.session != session;
            w.session = session;
            stale && has_one_file(p)
        };
        // (Each clause but the first comes by here.)
        let own = self
            .thread
            .loading
            .loads
            .iter()
            .rfind(|l| l.session == session);
        if own.is_some_and(|l| l.claimed.contains(&key(p))) {
            return;
        }
        let debuggable = self.generates_debug_info();
        self.settle_local(p, Some(session));
        let Some(load) = self.touch(p, Some(session)) else {
            if stale {
                database::wipe(p);
            }
            return;
        };
        load.claimed.insert(key(p));
        load.changed |= load.adds_to.contains(&key(p));
        let (again, alone) = (load.again(), load.alone.contains(&key(p)));
        let says_meta = load.has(p, "meta_predicate");
        let says = load.says(p);
        self.reader.enter();
        let statically = redefined::is_static_of_other(p, file);
        let redefines = redefined::is_dynamic_of_other(p, file);
        if redefines || statically {
            self.take_over(p, file);
        }
        if (alone || statically || redefines) && !says_meta {
            p.declare_meta(None);
        }
        if statically || redefines {
            // What the other file has said of it is over.
            p.undeclare((flag::DISCONTIGUOUS | flag::TOLD) & !says);
        }
        if !debuggable {
            p.declare(flag::NODEBUG);
        }
        if p.has(flag::THREAD_LOCAL) {
            self.with_load(Some(session), |m, load| m.set_aside(load, p));
            // Nobody else sees this thread's clauses, which it may have from before another one unloaded the file.
            let own = self.own_local(p);
            database::withdraw(own, |c| c.file() == file);
        } else if (stale || again || redefines)
            && let Some(load) = self
                .thread
                .loading
                .loads
                .iter_mut()
                .rfind(|l| l.session == session)
        {
            load.pending.push(Pending {
                predicate: p,
                clauses: Vec::new(),
                shown: 0,
                place: None,
                alone: has_one_file(p) || redefines,
                redefines: statically || redefines,
                untables: statically,
            });
        }
    }

    /// The text that a load is reading.
    pub(crate) fn text_of_load(&self, file: Atom, session: i64) -> Atom {
        let load = self
            .thread
            .loading
            .loads
            .iter()
            .rfind(|l| l.session == session);
        load.map_or(file, |l| l.text.get())
    }

    /// Adds a clause of a file, claimed before.
    pub(crate) fn place(
        &mut self,
        p: &'static Predicate,
        clause: Box<Clause>,
        session: Option<i64>,
    ) -> Result<(), Throw> {
        let mut load = (self.thread.loading.loads.iter_mut()).rfind(|l| Some(l.session) == session);
        if let Some(load) = load.as_deref_mut() {
            load.reads = true;
        }
        if let Some(load) = load
            && let Some(pending) = load.pending.read_now(p)
        {
            let again = load.again;
            if again && !load.fresh.last().is_some_and(|&q| std::ptr::eq(p, q)) {
                load.fresh.push(p);
            }
            pending
                .place
                .get_or_insert_with(|| (clause.text().hold(), clause.line()));
            growth::push(&mut pending.clauses, clause)?;
        } else {
            self.ctx().add_clause(p, clause, true)?;
        }
        Ok(())
    }

    fn generates_debug_info(&self) -> bool {
        self.flag_atom(atoms::GENERATE_DEBUG_INFO) != Some(atoms::FALSE)
    }

    /// Before a predicate is declared.
    pub(crate) fn declared(&mut self, p: &'static Predicate, how: &str) -> Result<(), Throw> {
        if how == "dynamic" {
            self.settle_local(p, None);
        }
        if how == "dynamic" || how == "thread_local" {
            self.dynamic_by_file(p);
        }
        let debuggable = self.generates_debug_info();
        let meant = self.resolve(p.module(), p.functor());
        let program = self.program.clone();
        let Some(load) = self.touch(p, None) else {
            if self.changes_meaning(p, meant) {
                self.meanings_changed();
            }
            return Ok(());
        };
        let (file, fresh) = (load.file(), !load.claimed.contains(&key(p)));
        if !debuggable && how == "dynamic" {
            p.declare(flag::NODEBUG);
        }
        load.declared.insert((key(p), Atom::of(how).hold()));
        if let Some(what) = What::of_directive(how) {
            // At once: a file that is loaded meanwhile may end before this one.
            let mut sources = program.code.sources.lock();
            sources.set_declared(file, p, what, true);
        }
        if how == "dynamic" {
            load.made_static.retain(|q| !std::ptr::eq(*q, p));
        }
        let was = load.before.contains(&key(p));
        if how == "dynamic" && fresh && was && !p.has(flag::THREAD_LOCAL) {
            // What it was is over, for this thread.
            let at = self.thread.loading.loads.len() - 1;
            self.become_dynamic_in(Some(at), p)?;
        } else if how == "thread_local" && fresh && !p.has(flag::THREAD_LOCAL) {
            // What it was is over, for all.
            load.end_lending();
            let shadow = load.shadows.remove(&key(p));
            if let Some((p, shadow)) = shadow {
                self.drop_shadow(p, shadow);
            }
            self.with_load(None, |m, load| m.set_aside(load, p));
            database::withdraw(p, |c| c.file() == file);
        }
        Ok(())
    }

    /// A predicate becomes dynamic, and keeps its clauses, also those that the load in progress has read.
    pub(crate) fn become_dynamic_with_clauses(
        &mut self,
        p: &'static Predicate,
    ) -> Result<(), Throw> {
        self.become_dynamic(p)?;
        let Some(load) = self.thread.loading.loads.last_mut() else {
            return Ok(());
        };
        let twin = load.shadow(p).is_some_and(Predicate::is_twin);
        if let Some(pending) = load.pending.get_mut(p).filter(|_| twin) {
            // The twin takes them all, in place of the copies that a static shadow has.
            pending.shown = 0;
            // (It may be there already: then there is nothing left the second time.)
            load.fresh.push(p);
        }
        Ok(())
    }

    /// The file that is being loaded is this module, which exports these no longer.
    pub(crate) fn begin_module(
        &mut self,
        module: Atom,
        was: Option<Module>,
        gone: Vec<(HeldAtom, HeldFunctor)>,
    ) {
        if let Some(load) = self.thread.loading.loads.last_mut() {
            load.module = Some(module.hold());
            let its = |m: &Module| m.file.as_ref() == Some(&load.file);
            load.module_of = was
                .as_ref()
                .filter(|m| !its(m))
                .and_then(|m| m.file.clone());
            if let Some(before) = &mut load.header_before {
                before.was = was;
            }
            load.not_exported.extend(gone);
        }
    }

    /// What the file was a module of when it was last loaded, and is no more.
    pub(super) fn forget_module(&self, load: &mut Load) {
        let mut modules = self.program.code.modules.write();
        for (of, module) in modules.iter_mut() {
            let is_its = load.module.as_ref() == Some(of) || load.units.contains(of);
            if module.file.as_ref() == Some(&load.file) && !is_its {
                module.file = None;
                module.reexported.clear();
                let gone = module.exports.drain(..).map(|f| (of.clone(), f));
                load.not_exported.extend(gone);
            }
        }
    }

    /// Whether the file that is being loaded again has not said so far whose arguments or context a predicate is told of, of which only its version before has said something.
    pub(crate) fn says_context_anew(&self, p: &'static Predicate) -> bool {
        let load = self.thread.loading.loads.last();
        load.is_some_and(|l| l.was_alone(p) && !l.has(p, "meta_predicate"))
    }

    /// Whether a predicate was defined by the file that is being loaded again, and has not been so far.
    pub(crate) fn is_of_version_before(&self, p: &'static Predicate) -> bool {
        let load = self.thread.loading.loads.last();
        load.is_some_and(|l| {
            l.before.contains(&key(p)) && !l.touched.contains(&key(p)) && is_of(p, l.file())
        })
    }

    /// Whether this load has read clauses of a predicate that is static.
    pub(crate) fn has_read_static(&self, p: &'static Predicate) -> bool {
        let load = self.thread.loading.loads.last();
        load.is_some_and(|l| {
            let twin = l.shadow(p).is_some_and(Predicate::is_twin);
            l.claimed.contains(&key(p)) && !p.is_dynamic() && !twin
        })
    }

    /// Whether a load in progress has read clauses of a predicate that are not in place.
    pub(crate) fn is_pending(&self, p: &'static Predicate) -> bool {
        self.thread.loading.loads.iter().any(|l| l.pending.has(p))
    }

    /// The line of the first pending clause of a predicate.
    pub(crate) fn pending_place(&self, p: &'static Predicate) -> Option<(Atom, u32)> {
        let mut all = self
            .thread
            .loading
            .loads
            .iter()
            .rev()
            .filter_map(|l| l.pending.get(p));
        let (text, line) = all.next()?.place.as_ref()?;
        Some((text.get(), *line))
    }

    /// Whether tables from before the file's last clauses were read may depend on these: a goal of the load has made some, or the clauses change what was there.
    fn has_early_tables(&self, load: &mut Load) -> bool {
        let made = self.thread.tabling.tables.made;
        let early = std::mem::take(&mut load.reads) && (load.changed || made != load.tables_before);
        if early {
            load.tables_before = made;
        }
        early
    }

    /// Before a goal of the program runs while a file is loaded that is new: puts what is pending in place; with `all` unset, not the
    /// predicate that was last given a clause.
    fn commit(&mut self, load: &mut Load, all: bool) -> Result<(), Throw> {
        // Hooks hold from the next clause on.
        let keeps = !all && (load.pending.last()).is_some_and(|q| !is_hook(q.predicate));
        let kept = if keeps { load.pending.pop() } else { None };
        let changing = load.pending.predicates();
        let done = self.change_definitions(&changing, |m| m.put_in_place(load));
        if let Some(kept) = kept {
            load.pending.push(kept);
        }
        done
    }

    /// Before a goal of the program runs while a file is loaded again: this thread sees what has been read, and nothing of the version
    /// before.
    fn show(&mut self, load: &mut Load) -> Result<(), Throw> {
        if !std::mem::replace(&mut load.shown, true) {
            let of = self.program.code.sources.lock().of(load.file());
            for p in of {
                if p.has(flag::THREAD_LOCAL) {
                    if !load.claimed.contains(&key(p)) {
                        self.set_aside(load, p);
                        let (own, file) = (self.own_local(p), load.file());
                        database::withdraw(own, |c| c.file() == file);
                        load.changed = true;
                    }
                } else if !has_one_file(p) || is_of(p, load.file()) {
                    self.shadow_of(load, p, false)?;
                }
            }
        }
        for p in std::mem::take(&mut load.fresh) {
            if !load.pending.has(p) {
                continue;
            }
            let shadow = self.shadow_of(load, p, false)?;
            let Some(pending) = load.pending.get_mut(p) else {
                continue;
            };
            if shadow.is_twin() {
                if let Some(transaction) = &mut self.thread.transactions.open {
                    (pending.clauses.iter()).for_each(|c| transaction.read(c));
                }
                let mut clauses = std::mem::take(&mut pending.clauses).into_iter();
                let added = clauses.try_for_each(|c| twins::add(shadow, p, c));
                pending.clauses.extend(clauses);
                added.map_err(|_| Throw::Memory)?;
                continue;
            }
            for c in &pending.clauses[pending.shown..] {
                self.copy_to_shadow(c, shadow)?;
            }
            pending.shown = pending.clauses.len();
        }
        Ok(())
    }

    /// A predicate for whose new clauses there is no memory stays as it was, and the others get theirs; then that is an error.
    fn put_in_place(&mut self, load: &mut Load) -> Result<(), Throw> {
        let mut done = Ok(());
        for pending in load.pending.take() {
            done = self.exchange(load, pending).and(done);
        }
        let file = load.file();
        let twins = load.shadows.values().filter(|(_, s)| s.is_twin());
        for &(p, twin) in twins.filter(|(p, _)| load.has(p, "dynamic")) {
            let close = || twins::close(p, twin, Vec::new(), FxHashSet::default(), false);
            done = (self.seen_in_transaction(p, &[], |c| c.file() == file, close)).and(done);
        }
        Ok(done?)
    }

    fn exchange(&mut self, load: &mut Load, pending: Pending) -> Result<(), Refused> {
        load.changed = true;
        let p = pending.predicate;
        let file = load.file();
        let one_file = pending.redefines || pending.alone && !p.has(flag::MULTIFILE);
        if pending.untables && p.has(flag::TABLED) && !load.has(p, "table") {
            database::make_untabled(p);
        }
        let twin = load.shadow(p).filter(|s| s.is_twin());
        let new: Vec<*const Clause> = match self.thread.transactions.open {
            Some(_) => pending.clauses.iter().map(|c| &raw const **c).collect(),
            None => Vec::new(),
        };
        let dies = |c: &Clause| one_file || c.file() == file;
        let behind = match !one_file && p.has(flag::MULTIFILE) {
            true => self.program.code.sources.lock().before(file),
            false => FxHashSet::default(),
        };
        self.seen_in_transaction(p, &new, dies, || match twin {
            Some(twin) => twins::close(p, twin, pending.clauses, behind, one_file),
            None => database::exchange(p, dies, pending.clauses, behind),
        })
    }

    /// Exchanges clauses of a predicate, which this thread has read, for those for which `dies` holds: its transaction, if there is one, sees that, too.
    pub(super) fn seen_in_transaction(
        &mut self,
        p: &'static Predicate,
        new: &[*const Clause],
        dies: impl Fn(&Clause) -> bool,
        exchange: impl FnOnce() -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        let open = self.thread.transactions.open.as_mut();
        let Some(transaction) = open.filter(|_| p.is_transactional() && p.is_dynamic()) else {
            return exchange();
        };
        let old = growth::list(
            p.clauses()
                .alive()
                .filter(|c| c.is_left_to_loads() && dies(c)),
        )?;
        for &c in new {
            // SAFETY: they are the ones that `exchange` has.
            transaction.read(unsafe { &*c });
        }
        let done = exchange();
        match done {
            // The snapshot has them held.
            Ok(()) => transaction.gone(old.into_iter().filter(|c| c.is_erased())),
            Err(_) => new.iter().for_each(|c| transaction.forget_read(c.addr())),
        }
        done
    }

    /// The load of a session ends, and those that began within it and were left. With `whole`, the file has been read to its end.
    fn end_load(&mut self, session: i64, whole: bool) -> Result<(), Throw> {
        if !self
            .thread
            .loading
            .loads
            .iter()
            .any(|l| l.session == session)
        {
            return Ok(());
        }
        let mut done = Ok(());
        while let Some(mut load) = self.thread.loading.loads.pop() {
            let whole = whole && load.session == session;
            let of = self.defined_by(load.file()).0;
            let mut declared = self.declared_by(load.file());
            for lost in &load.lost {
                declared.extend(lost.declared.iter().map(|&what| (what, lost.predicate)));
            }
            let changing = match load.again() {
                true if whole => of.clone(),
                true => Vec::new(),
                false => load.pending.predicates(),
            };
            let had: FxHashSet<usize> = of.iter().map(|&p| key(p)).collect();
            let gone = load.said_before.iter().map(|s| s.predicate);
            let gone = gone.filter(|&p| !had.contains(&key(p)));
            // (What another file has taken over meanwhile, whose load may have ended while this one was in the way.)
            let settled: Vec<_> = of.iter().copied().chain(gone).collect();
            let (ended, left) =
                self.change_definitions(&changing, |m| m.exchange_versions(&mut load, whole));
            done = ended.and(done);
            if let Some(left) = left {
                done = self.give_kinds_back(&load, left).and(done);
            }
            if load.moved {
                self.settle_bindings();
                match self.thread.loading.loads.last_mut() {
                    Some(outer) => outer.moved = true,
                    None => self.make_up_imports(),
                }
            }
            for &p in &load.made_static {
                // Without the memory for it, it stays as it is.
                _ = self.compile_clauses(p);
            }
            if whole {
                self.program.code.sources.lock().ends(load.file());
                let mut loaded = self.program.code.loaded.lock();
                if let Some(l) = loaded.get_mut(load.file().as_str()) {
                    l.is_empty = load.touched.is_empty();
                }
                drop(loaded);
                self.settle_kinds(&load, &settled);
                self.settle_declared(declared);
            }
            // (Others may have called a new one in vain until its clauses were there.)
            load.changed |= of.iter().any(|p| self.was_missed(p.functor()));
            if self.has_early_tables(&mut load) || load.changed {
                self.tables_are_stale();
            }
            if load.session == session {
                break;
            }
        }
        done
    }

    /// Changes the definitions of these predicates, in one step for all threads.
    pub(super) fn change_definitions<T>(
        &mut self,
        of: &[&'static Predicate],
        change: impl FnOnce(&mut Ctx) -> T,
    ) -> T {
        self.in_one_step(of, |m| {
            if !of.is_empty() {
                // Before the first of them changes.
                m.tables_are_stale();
            }
            change(m.ctx())
        })
    }

    /// What has been read takes the place of what was there, which goes, if the load has come to its end.
    fn exchange_versions(
        &mut self,
        load: &mut Load,
        whole: bool,
    ) -> (Result<(), Throw>, Option<Left>) {
        if whole {
            for t in std::mem::take(&mut load.tabling).into_values() {
                t.predicate.declare_modes(&t.modes, t.how);
                database::make_tabled(t.predicate);
            }
        }
        let (done, left) = match whole || !load.again() {
            true => (self.put_in_place(load), None),
            false => (Ok(()), Some(self.give_up(load))),
        };
        if whole {
            self.forget_rest(load);
            if !self.thread.loading.system {
                self.forget_module(load);
            }
            let lost = self.take_back_imports(&load.not_exported);
            let lost = self.end_imports(load.file()) || lost;
            load.moved |= lost;
            load.changed |= lost;
        } else if load.again() {
            let moved = self.give_imports_back(load.file());
            load.moved |= moved;
            load.changed |= moved;
        } else {
            self.keep_imports(load.file());
        }
        load.changed |= !load.shadows.is_empty();
        self.drop_shadows(load);
        (done, left)
    }

    fn drop_shadows(&mut self, load: &mut Load) {
        load.end_lending();
        load.imported_before.clear();
        for (p, shadow) in std::mem::take(&mut load.shadows).into_values() {
            self.drop_shadow(p, shadow);
        }
    }
}
