//! Imports of predicates: names of a module that mean what another module defines. Which file imported what is remembered, for when it is loaded
//! again.
//!
//! As in SWI-Prolog, what came first stays: a name that is imported from one module cannot be imported from another. A definition of the
//! module's own goes before what it imports as part of a whole module (a *weak* import), also one that comes later; but not before what it
//! imports by name. What a library exports and the module has called ([`super::libraries`]) gives way to everything.
//!
//! What a module inherits and has called it has *bound*: from then on the name means that for whoever changes its clauses too, until the
//! module defines or imports it. A program's module that reads a fact of `user` and then changes it changes that one. As in SWI-Prolog, what is
//! called as a term, and is no control construct, binds nothing: looking at a module's state is no part of its program.
//!
//! Who asks for a file is remembered, with what he asked for ([`samite_code::program::Context`]). When a file has been loaded again and exports
//! something else, or something that means something else, all of them import again (`$renew_imports` in library/program/imports.pl): a [`Renewal`] takes
//! a file's imports from the module out of its list, they are made anew, and names that nobody imports then do not mean that any more.
//! What a module exports because another one does ([`Module::reexported`](samite_code::program::Module)) follows that, and so do its importers.
//! Who imports from a file keeps it from being loaded meanwhile. One that is being loaded, and cannot be waited for, is half done (`$taken_half` in
//! boot/loading.pl): its importers import again when its load ends.
//!
//! What a file has asked for, and has not got because the name meant something else, or has lost to a definition, it gets when that is gone
//! ([`make_up_imports`](Ctx::make_up_imports)): a predicate may move from one file to another one that is loaded before it. A file that was refused a
//! definition, because the name was imported, is loaded again when it is not any more (`$load_freed` in boot/loading.pl).
//!
//! *Equations*: when a load ends that has taken something away, what a name is bound to is what its module inherits. And: a name that is imported and has a definition of its own is being loaded again, by a file that did not define it or did not import it
//! so far.

use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::loading::{Renewal, key};
use rustc_hash::{FxHashMap, FxHashSet};
use samite_code::Predicate;
use samite_code::predicate::flag;
use samite_code::program::{Import, Imports, Reexport, RefusedImport};
use samite_term::{Atom, Cell, Functor, HeldAtom, HeldFunctor, atoms};

pub const TABLE: &[Entry] = &[
    det("$import_predicate", 5, import_predicate),
    // '$begin_renewal'(+By, +Into, +Modules): what a file (or [] for none) imports from those modules into the module Into is to be imported
    // again.
    det("$begin_renewal", 3, |m, a| {
        let (by, into) = (m.atom_argument(a, 0)?, m.atom_argument(a, 1)?);
        let (items, _) = m.view(a, 2).list_items();
        let of: Vec<Atom> = items.iter().filter_map(|t| t.as_atom()).collect();
        m.begin_renewal(by, into, &of);
        Ok(true)
    }),
    det("$end_renewal", 0, |m, _| {
        m.end_renewal();
        Ok(true)
    }),
    // '$imports_for'(-File): for whom what is imported now is: the file whose imports are made again, or that is being loaded, or [].
    det("$imports_for", 1, |m, a| {
        let by = m.importing_file().unwrap_or(atoms::NIL.into());
        Ok(m.unify_atom(a, 0, by.get()))
    }),
    // '$settle_exports': what modules that reexport each other export because of each other alone, nobody does.
    det("$settle_exports", 0, |m, _| {
        m.settle_exports();
        Ok(true)
    }),
    // '$has_stale_importers'(+Module): somebody has imported from it what does not mean the same there any more.
    det("$has_stale_importers", 1, |m, a| {
        let module = m.atom_argument(a, 0)?;
        Ok(m.has_stale_importers(module))
    }),
    // '$freed_file'(-File): something that it was refused to define, because it was imported, is imported no longer.
    det("$freed_file", 1, |m, a| {
        let file = m.take_freed_file();
        Ok(file.is_some_and(|f| m.unify_atom(a, 0, f.get())))
    }),
    // '$overrides_import'(+Module:PI, -From): it gets a definition of its own, in place of the one it imports from module From as part of that.
    det("$overrides_import", 2, |m, a| {
        let p = m.predicate_argument(a, 0)?;
        let from = m.define_locally(p)?;
        Ok(from.is_some_and(|from| m.unify_atom(a, 1, from)))
    }),
];

/// `'$import_predicate'(+Module:PI, +Into, +Name, +Kind, -Result)`: what `PI` means in `Module` becomes `Name` (of the same arity) in `Into`.
/// Kind is `weak` or `strong`. Result is `imported`, `already` if it meant that before, `local` if it has a definition of its own, `hook` if that is
/// one of the system's, declared for programs, and the import is by name or under another name, or `from(Other)`.
fn import_predicate(m: &mut Ctx, a: Args) -> Res {
    let (t, module) = m.strip_module(m.arg(a, 0), atoms::USER)?;
    let f = m.functor_of_indicator(t)?;
    let into = m.atom_argument(a, 1)?;
    let name = m.atom_argument(a, 2)?;
    let kind = m.atom_argument(a, 3)?;
    let (weak, single) = (kind.as_str() == "weak", kind.as_str() == "single");
    let program = &m.program.code;
    let target = match program.is_library(module) {
        true => program.resolve(module, f),
        false => m.meaning_for_others(module, f).or_else(|| {
            // Who asks for this one means what the module calls by that name.
            let inherited = single.then(|| m.resolve(module, f)).flatten();
            inherited.filter(|p| p.module() != atoms::SYSTEM)
        }),
    };
    let target = match target {
        Some(p) => p,
        // Defined later.
        None => m.predicate_of(module, f)?,
    };
    let named = Functor::new(name, f.arity());
    // (What nobody has called yet is in no table.)
    let known = m.program.code.find(into, named).is_some();
    let meant = known.then(|| m.resolve(into, named)).flatten();
    let own = m.predicate_of(into, named)?;
    let import = Import {
        name: own,
        target,
        from: (module.hold(), f.hold()),
        weak,
        single,
    };
    let earlier = m.overridden_before(own);
    let overridden = || {
        let other = |old: &&Predicate| !std::ptr::eq(*old, target);
        earlier.map(|(old, _)| old).filter(other)
    };
    // What another file has imported weakly before this one does by name stays so.
    let weak = weak || earlier.is_some_and(|(old, weak)| weak && std::ptr::eq(old, target));
    let result = match m.imported_definition(own).or_else(overridden) {
        _ if std::ptr::eq(own, target) => Cell::atom(Atom::new("already")),
        // What the module does not define it inherits, maybe from there.
        _ if m.has_definition(own)
            && !m.is_defined(target)
            && m.resolve(module, f).is_some_and(|p| std::ptr::eq(p, own)) =>
        {
            Cell::atom(Atom::new("already"))
        }
        // Others may add to what the system declares for them.
        None if own.has(flag::KEPT)
            && own.has(flag::MULTIFILE)
            && (!weak || name != f.name())
            && m.has_definition(own) =>
        {
            Cell::atom(Atom::new("hook"))
        }
        // (It has no definition of its own when the file ends, unless it gets one.)
        None if m.has_definition(own) => {
            m.refused_import(import);
            Cell::atom(Atom::new("local"))
        }
        // (What is defined nowhere keeps nothing else away.)
        Some(old)
            if !std::ptr::eq(old, target)
                && m.is_defined(old)
                && !m.is_import_of_version_before(own, old) =>
        {
            m.refused_import(import);
            m.structure("from", &[Cell::atom(old.module())])?
        }
        old => {
            // It stays as weak or strong as it was, but for what only the version before of this file said of it.
            let before = old.is_some_and(|old| std::ptr::eq(old, target));
            let stale = m.is_import_of_version_before(own, target);
            if !before || stale {
                match stale {
                    true => own.import_anew(target, weak),
                    false => own.import(target, weak),
                }
                if let (Some(load), false) = (m.thread.loading.loads.last_mut(), before) {
                    load.moved = true;
                }
                // (A module that inherits it may have called it in vain.)
                let called = known || m.was_missed(named);
                if called && !meant.is_some_and(|meant| std::ptr::eq(meant, target)) {
                    m.meanings_changed();
                }
            }
            m.imported(import);
            Cell::atom(Atom::new(if before { "already" } else { "imported" }))
        }
    };
    Ok(m.unify_arg(a, 4, result))
}

impl Ctx<'_> {
    /// What a name of a module means for who imports it: also what is reexported from another module, but not what is inherited.
    fn meaning_for_others(&self, module: Atom, f: Functor) -> Option<&'static Predicate> {
        let p = self.program.code.find(module, f)?;
        match self.is_defined(p) {
            true => Some(p),
            false => self.imported_definition(p),
        }
    }

    /// Whether what is called means something else once a predicate is defined, whose name means this now: what it inherits is hidden then.
    pub(crate) fn changes_meaning(
        &self,
        p: &'static Predicate,
        meant: Option<&'static Predicate>,
    ) -> bool {
        match meant {
            Some(meant) => !std::ptr::eq(meant, p),
            None => self.was_missed(p.functor()),
        }
    }

    /// Names mean something else than before: tables of what calls them are stale; once more when the load in progress ends, until when others may
    /// make new ones.
    pub(crate) fn meanings_changed(&mut self) {
        if self.thread.loading.system {
            // (Libraries table nothing of what programs say.)
            return;
        }
        if let Some(load) = self.thread.loading.loads.last_mut() {
            load.changed = true;
        }
        self.tables_are_stale();
    }

    /// Whether somebody has imported from a module what does not mean the same there any more.
    fn has_stale_importers(&self, module: Atom) -> bool {
        let imports = self.program.code.imports.lock();
        (imports
            .values()
            .flat_map(Imports::all)
            .filter(|i| i.from.0 == module))
        .any(|i| {
            let now = self.meaning_for_others(module, i.from.1.get());
            // (What is imported before it is defined is the module's own.)
            now.map_or(i.target.module() != module, |now| {
                !std::ptr::eq(now, i.target)
            })
        })
    }

    /// What a name means that its module imports, by a file or by hand, and does not define.
    pub(crate) fn imported_definition(&self, p: &'static Predicate) -> Option<&'static Predicate> {
        if !p.is_import() || self.has_definition(p) {
            return None;
        }
        p.link()
    }

    /// A call of `p` has found what its module inherits.
    pub(crate) fn bind_inherited(&self, p: &'static Predicate, target: &'static Predicate) {
        if target.is_library() || p.has(flag::RELOADING) || !p.bind(target) {
            return;
        }
        // (In this order: a load that ends finds it in the list, or it has ended before, and what it changed is seen here.)
        self.program.code.bound.lock().push(p);
        if !self.inherits(p, target) {
            // A load has ended meanwhile.
            p.unbind(target);
        }
    }

    /// Whether a name means this in the modules that its module inherits from.
    fn inherits(&self, p: &'static Predicate, target: &'static Predicate) -> bool {
        let program = &self.program.code;
        let mut parents = program.inheritance.of(p.module()).into_iter();
        let found = parents.find_map(|m| {
            self.resolve(m, p.functor())
                .filter(|&found| std::ptr::eq(found, target) || self.is_defined(found))
        });
        found.is_some_and(|found| std::ptr::eq(found, target))
    }

    /// Names that are bound to what their modules inherit no longer are not bound any more.
    pub(super) fn settle_bindings(&self) {
        self.program.code.bound.lock().retain(|p| {
            let Some(to) = p.link().filter(|to| !p.is_import() && !to.is_library()) else {
                return false;
            };
            let inherited = self.inherits(p, to) && self.is_defined(to);
            if !inherited {
                p.unbind(to);
            }
            inherited
        });
    }

    /// What a name means, in its module, for who changes clauses: what it imports or has bound, if it is not defined; not what it would inherit.
    pub(crate) fn means(&self, p: &'static Predicate) -> Option<&'static Predicate> {
        let bound = || {
            p.link()
                .filter(|to| !to.is_library() && !self.has_definition(p))
        };
        let means = self.imported_definition(p).or_else(bound);
        means.filter(|to| !self.thread.loading.hides(p, to))
    }

    /// Whether a name means what its module has imported, by a file, by hand, or by calling what a library exports; not what it inherits.
    pub(super) fn imports(&self, p: &'static Predicate) -> bool {
        let called = || {
            let undefined = |to: &&Predicate| to.is_library() && !self.has_definition(p);
            p.link().filter(undefined)
        };
        let to = self.imported_definition(p).or_else(called);
        to.is_some_and(|to| !to.has(flag::SYSTEM) && self.is_defined(to))
    }

    /// Whether a predicate is defined, not only by the version before of the file that is being loaded again. What others define too, or did
    /// before this file took it over, was there when that version was loaded: it is asked, and answered, the same each time.
    fn has_definition(&self, p: &'static Predicate) -> bool {
        match self.is_of_version_before(p) {
            // (Also where this thread sees none of it any more.)
            true => (self.is_defined(p) || p.is_defined()) && self.is_others_too(p),
            false => self.is_defined(p),
        }
    }

    /// What a name means that the version before of the file defines, and another file has imported before that, or would have: this version
    /// begins with it. Whether it is imported weakly, too.
    fn overridden_before(&self, p: &'static Predicate) -> Option<(&'static Predicate, bool)> {
        let loading = &self.thread.loading;
        let load = loading.loads.last()?;
        if !loading.renewals.is_empty() || !self.is_defined(p) || self.has_definition(p) {
            return None;
        }
        let fits = |i: &&Import| std::ptr::eq(i.name, p) && self.is_defined(i.target);
        let imports = self.program.code.imports.lock();
        let others = imports.iter().filter(|(file, _)| **file != load.file);
        let made = others.flat_map(|(_, list)| list.all()).find(fits);
        if let Some(i) = made {
            return Some((i.target, i.weak));
        }
        drop(imports);
        let refused = self.program.code.refused_imports.lock();
        let others = refused.iter().filter(|r| r.by != load.file && !r.before);
        let found = others.map(|r| &r.import).find(fits)?;
        Some((found.target, found.weak))
    }

    /// A predicate is about to get a definition of its own; an error if it is imported by name. The module that it is imported from no longer,
    /// if it was.
    pub(crate) fn define_locally(&mut self, p: &'static Predicate) -> Result<Option<Atom>, Throw> {
        let Some(target) = self.imported_definition(p) else {
            return Ok(None);
        };
        if let Some(target) = self.imported_by_name(p) {
            self.refused_definition(p);
            let pi = self.qualified_indicator(target)?;
            return Err(self.permission_error("redefine", "imported_procedure", pi));
        }
        let before = self.is_import_of_version_before(p, target);
        // (To others it means that until the load ends: [`Ctx::end_imports`].)
        if !(before && self.ends_with_a_load(p, target)) {
            p.forget_import();
        }
        if let Some(load) = self.thread.loading.loads.last_mut() {
            load.moved = true;
        }
        self.meanings_changed();
        Ok((!before).then_some(target.module()))
    }

    /// What a name means that must not be defined, because it is imported by name.
    pub(crate) fn imported_by_name(&self, p: &'static Predicate) -> Option<&'static Predicate> {
        let target = self.imported_definition(p)?;
        (p.has(flag::STRONG_IMPORT) && !self.is_import_of_version_before(p, target))
            .then_some(target)
    }

    /// Whether a file that is being loaded again imported a name when it was loaded last, and nobody has since.
    fn is_import_of_version_before(
        &self,
        name: &'static Predicate,
        target: &'static Predicate,
    ) -> bool {
        let is_it = |i: &Import| std::ptr::eq(i.name, name) && std::ptr::eq(i.target, target);
        if (self.thread.loading.renewals.last()).is_some_and(|r| r.before.iter().any(is_it)) {
            let imports = self.program.code.imports.lock();
            return !imports.values().any(|list| list.all().any(is_it));
        }
        let Some(last) = self.thread.loading.loads.last() else {
            return false;
        };
        let modules = self.program.code.modules.read();
        if modules
            .get(&target.module())
            .is_some_and(|m| m.file.as_ref() == Some(&last.file))
        {
            // It was that of the file.
            return true;
        }
        drop(modules);
        let imports = self.program.code.imports.lock();
        // Also one within which this file is loaded.
        self.thread.loading.loads.iter().any(|load| {
            imports.get(&load.file).is_some_and(|own| {
                own.last.iter().any(is_it) && !own.now.iter().flatten().any(is_it)
            }) && !(imports.iter())
                .any(|(file, list)| *file != load.file() && list.all().any(is_it))
        })
    }

    /// Whether an import is undone when one of the loads ends that go on, as its file has not made it again.
    fn ends_with_a_load(&self, name: &'static Predicate, target: &'static Predicate) -> bool {
        let is_it = |i: &Import| std::ptr::eq(i.name, name) && std::ptr::eq(i.target, target);
        let imports = self.program.code.imports.lock();
        self.thread.loading.loads.iter().any(|load| {
            (imports.get(&load.file))
                .is_some_and(|own| own.now.is_some() && own.last.iter().any(is_it))
        })
    }

    /// Modules that imported what is exported no longer, from where it is not, lose it, but for what they named. Whether there are any.
    pub(super) fn take_back_imports(&self, gone: &[(HeldAtom, HeldFunctor)]) -> bool {
        let program = &self.program.code;
        let gone: FxHashSet<_> = {
            let modules = program.modules.read();
            let exported = |m: &Atom, f| modules.get(m).is_some_and(|m| m.exports.contains(f));
            gone.iter().filter(|(m, f)| !exported(m, f)).collect()
        };
        if gone.is_empty() {
            return false;
        }
        let mut imports = program.imports.lock();
        let mut lost = Vec::new();
        for list in imports.values_mut() {
            let Imports { last, now } = list;
            for list in [Some(last), now.as_mut()].into_iter().flatten() {
                lost.extend(list.extract_if(.., |i| i.weak && gone.contains(&i.from)));
            }
        }
        let mut refused = program.refused_imports.lock();
        refused.retain(|r| !(r.import.weak && gone.contains(&r.import.from)));
        drop(refused);
        drop_links(&imports, lost)
    }

    /// What modules that reexport each other export, each because the next one does, and none because its text says so or it asks for it by name, they do
    /// not export any more, and who has imported it from them has not.
    fn settle_exports(&mut self) {
        let gone = self.groundless_exports();
        if gone.is_empty() {
            return;
        }
        let mut modules = self.program.code.modules.write();
        for (m, f) in &gone {
            if let Some(module) = modules.get_mut(m) {
                module.end_reexport(f);
            }
        }
        drop(modules);
        let mut changed = gone.clone();
        {
            let imports = self.program.code.imports.lock();
            let all = imports.values().flat_map(Imports::all);
            let names = all.filter(|i| i.weak && gone.contains(&i.from));
            changed.extend(names.map(|i| (i.name.module().hold(), i.name.functor().hold())));
        }
        let lost = self.take_back_imports(&gone);
        if self.follow_meanings(changed) || lost {
            self.settle_bindings();
            self.make_up_imports();
            self.meanings_changed();
        }
    }

    /// What is exported because of others alone, and is no part of the least set that has, of these, what has a reason in it or outside. What a module
    /// exports that is being loaded, maybe by another thread, may have one yet: who loads it settles that when it ends.
    fn groundless_exports(&self) -> Vec<(HeldAtom, HeldFunctor)> {
        let (loads, me) = (&self.program.registry.loads, self.thread.control.id());
        let is_whole = |file: &HeldAtom| {
            !self.thread.loading.loads.iter().any(|l| l.file == *file)
                && !loads.is_others(me, file.get())
        };
        let modules = self.program.code.modules.read();
        let some = modules
            .iter()
            .filter(|(_, m)| !m.reexported.is_empty() && m.file.as_ref().is_none_or(is_whole));
        let mut left: FxHashMap<_, _> = some
            .flat_map(|(m, module)| {
                module
                    .reexported
                    .iter()
                    .map(|(f, why)| ((m.clone(), f.clone()), why))
            })
            .collect();
        loop {
            let is_reason = |why: &Reexport| why.by_name || !left.contains_key(&why.of);
            let grounded = left.iter().filter(|(_, why)| why.iter().any(is_reason));
            let grounded: Vec<_> = grounded.map(|(at, _)| at.clone()).collect();
            if grounded.is_empty() {
                return left.into_keys().collect();
            }
            for at in &grounded {
                left.remove(at);
            }
        }
    }

    /// Names of modules may mean something else, or nothing, for who imports them: who has them still, by name, means that by it; and so on. Whether
    /// anything has changed.
    fn follow_meanings(&self, mut changed: Vec<(HeldAtom, HeldFunctor)>) -> bool {
        let mut seen: FxHashSet<_> = changed.iter().cloned().collect();
        let mut any = false;
        while let Some(at) = changed.pop() {
            let (m, f) = (at.0.get(), at.1.get());
            let meaning = self.meaning_for_others(m, f);
            let Some(now) = meaning.or_else(|| self.program.code.find(m, f)) else {
                continue;
            };
            let mut names = Vec::new();
            let mut imports = self.program.code.imports.lock();
            let all = (imports.values_mut())
                .flat_map(|l| l.last.iter_mut().chain(l.now.iter_mut().flatten()));
            for i in all.filter(|i| i.from == at) {
                if std::ptr::eq(i.target, now) || std::ptr::eq(i.name, now) {
                    continue;
                }
                names.push((i.name, std::mem::replace(&mut i.target, now)));
                let name = (i.name.module().hold(), i.name.functor().hold());
                if seen.insert(name.clone()) {
                    changed.push(name);
                }
            }
            let is_still = |name: &Predicate, old: &Predicate| {
                let mut all = imports.values().flat_map(Imports::all);
                all.any(|i| std::ptr::eq(i.name, name) && std::ptr::eq(i.target, old))
            };
            any |= !names.is_empty();
            for (name, old) in names {
                if name.is_import() && name.is_link_to(old) && !is_still(name, old) {
                    name.import(now, !name.has(flag::STRONG_IMPORT));
                }
            }
        }
        any
    }

    /// The file whose imports are made again, or the one that is being loaded.
    fn importing_file(&self) -> Option<HeldAtom> {
        let loading = &self.thread.loading;
        let renewed = loading.renewals.last().map(|r| &r.by);
        renewed
            .or_else(|| loading.loads.last().map(|l| &l.file))
            .cloned()
    }

    /// A name is imported: by the file whose imports are made again, or the one that is being loaded if there is one.
    fn imported(&mut self, import: Import) {
        self.thread.loading.shows(import.name);
        let loading = &self.thread.loading;
        let by_hand = loading.loads.is_empty() || !loading.renewals.is_empty();
        let by = self.importing_file();
        let mut imports = self.program.code.imports.lock();
        let list = imports.entry(by.unwrap_or(atoms::NIL.into())).or_default();
        let list = list.current();
        // (What a file says twice is rare.)
        let is_it =
            |i: &Import| i.agrees(&import) && i.from == import.from && i.weak == import.weak;
        if !by_hand || !list.iter().any(is_it) {
            list.push(import);
        }
    }

    /// A file has asked for an import, or its imports are made again, and the name means something else. (By hand that is the end of it.)
    fn refused_import(&self, import: Import) {
        if let Some(by) = self.importing_file().filter(|by| *by != atoms::NIL) {
            let mut refused = self.program.code.refused_imports.lock();
            refused.push(RefusedImport {
                by,
                import,
                before: false,
            });
        }
    }

    /// The file that is being loaded defines or declares a name that is imported.
    pub(super) fn refused_definition(&self, p: &'static Predicate) {
        let file = self.thread.loading.loads.last().map(|l| &l.file);
        if let Some(file) = file.filter(|file| **file != atoms::NIL) {
            let mut refused = self.program.code.refused_definitions.lock();
            let is_it = |(by, name): &(HeldAtom, &Predicate)| by == file && std::ptr::eq(*name, p);
            if !refused.iter().any(is_it) {
                refused.push((file.clone(), p));
            }
        }
    }

    /// A file is being loaded, or unloaded: what it is refused is another matter.
    pub(super) fn forget_refused_definitions(&self, file: Atom) {
        let mut refused = self.program.code.refused_definitions.lock();
        refused.retain(|(by, _)| *by != file);
    }

    /// A file with a definition that has been refused and would not be now; it is forgotten. None while this thread loads something.
    fn take_freed_file(&self) -> Option<HeldAtom> {
        if !self.thread.loading.loads.is_empty() || !self.thread.loading.renewals.is_empty() {
            return None;
        }
        let mut refused = self.program.code.refused_definitions.lock();
        // (An import by name refuses it, also of what is not defined.)
        let is_free = |name| self.imported_by_name(name).is_none();
        let file = refused.iter().find(|(_, name)| is_free(name))?.0.clone();
        refused.retain(|(by, _)| *by != file);
        Some(file)
    }

    /// Something has been taken away, and this thread loads nothing any more: names that mean nothing now, and that a file has asked for, are imported,
    /// also those that a definition has overridden.
    pub(super) fn make_up_imports(&mut self) {
        if !self.thread.loading.loads.is_empty() || !self.thread.loading.renewals.is_empty() {
            return;
        }
        let is_free = |name: &'static Predicate| {
            let nothing = |p| !self.is_defined(p);
            nothing(name) && self.imported_definition(name).is_none_or(nothing)
        };
        let mut any = false;
        let mut imports = self.program.code.imports.lock();
        for i in imports.values().flat_map(Imports::all) {
            if is_free(i.name) && self.is_defined(i.target) {
                any |= !i.name.is_link_to(i.target);
                i.name.import(i.target, i.weak);
            }
        }
        let mut refused = self.program.code.refused_imports.lock();
        let made = refused.extract_if(.., |RefusedImport { import, .. }| {
            let now = self.meaning_for_others(import.from.0.get(), import.from.1.get());
            let Some(target) = now.filter(|t| self.is_defined(t) && is_free(import.name)) else {
                return false;
            };
            import.target = target;
            import.name.import(target, import.weak);
            true
        });
        for RefusedImport { by, import, .. } in made {
            imports.entry(by).or_default().current().push(import);
            any = true;
        }
        drop((imports, refused));
        if any {
            self.meanings_changed();
        }
    }

    /// A load of a file begins. What nobody else has imported that it did when it was last loaded: names and what they mean, by address.
    pub(super) fn begin_imports(&self, file: Atom) -> FxHashMap<usize, usize> {
        self.forget_refused_definitions(file);
        let mut imports = self.program.code.imports.lock();
        for refused in self.program.code.refused_imports.lock().iter_mut() {
            refused.before |= refused.by == file;
        }
        let list = imports.entry(file.hold()).or_default();
        let left = list.now.replace(Vec::new());
        list.last.extend(left.into_iter().flatten());
        let pair = |i: &Import| (key(i.name), key(i.target));
        let mut before: FxHashMap<_, _> = list.last.iter().map(pair).collect();
        if !before.is_empty() {
            let others = imports.iter().filter(|(by, _)| **by != file);
            for (name, target) in others.flat_map(|(_, list)| list.all()).map(pair) {
                if before.get(&name) == Some(&target) {
                    before.remove(&name);
                }
            }
        }
        before
    }

    /// It has ended: what the file imported when it was last loaded, and nobody does now, is undone. Whether there was any.
    pub(super) fn end_imports(&self, file: Atom) -> bool {
        let mut imports = self.program.code.imports.lock();
        let mut refused = self.program.code.refused_imports.lock();
        refused.retain(|r| !(r.before && r.by == file));
        drop(refused);
        let Some(list) = imports.get_mut(&file) else {
            return false;
        };
        let new = list.now.take().unwrap_or_default();
        let old = std::mem::replace(&mut list.last, new);
        if list.last.is_empty() {
            imports.remove(&file);
        }
        drop_links(&imports, old)
    }

    /// It was left, and the file had been loaded before: it imports what it did then. Whether names mean something else again.
    pub(super) fn give_imports_back(&self, file: Atom) -> bool {
        let mut imports = self.program.code.imports.lock();
        let mut refused = self.program.code.refused_imports.lock();
        refused.retain(|r| r.before || r.by != file);
        for r in refused.iter_mut().filter(|r| r.by == file) {
            r.before = false;
        }
        drop(refused);
        let new = imports.get_mut(&file).and_then(|list| list.now.take());
        let mut any = drop_links(&imports, new.unwrap_or_default());
        for i in imports.get(&file).iter().flat_map(|list| &list.last) {
            if !i.name.is_import() {
                i.name.import(i.target, i.weak);
                any = true;
            }
        }
        any
    }

    /// The first load of a file was left: what it has imported stays, until it is loaded again.
    pub(super) fn keep_imports(&self, file: Atom) {
        let mut imports = self.program.code.imports.lock();
        if let Some(list) = imports.get_mut(&file) {
            let new = list.now.take();
            list.last.extend(new.into_iter().flatten());
        }
        for refused in self.program.code.refused_imports.lock().iter_mut() {
            refused.before &= refused.by != file;
        }
    }

    fn begin_renewal(&mut self, by: Atom, into: Atom, of: &[Atom]) {
        let mut before = Vec::new();
        if let Some(list) = self.program.code.imports.lock().get_mut(&by) {
            let is_it =
                |i: &mut Import| i.name.module() == into && of.contains(&i.from.0) && !i.single;
            before.extend(list.current().extract_if(.., is_it));
        }
        let mut refused = self.program.code.refused_imports.lock();
        refused.retain(
            |RefusedImport {
                 by: b, import: i, ..
             }| {
                *b != by || i.name.module() != into || !of.contains(&i.from.0) || i.single
            },
        );
        drop(refused);
        self.thread.loading.renewals.push(Renewal {
            by: by.hold(),
            before,
        });
    }

    fn end_renewal(&mut self) {
        let Some(renewal) = self.thread.loading.renewals.pop() else {
            return;
        };
        let moved = {
            let imports = self.program.code.imports.lock();
            drop_links(&imports, renewal.before)
        };
        if moved {
            self.settle_bindings();
            self.make_up_imports();
            self.meanings_changed();
        }
    }
}

/// Of names whose imports are taken back, those that nobody imports any more do not mean that any more. Whether there are such names.
fn drop_links(imports: &FxHashMap<HeldAtom, Imports>, lost: Vec<Import>) -> bool {
    if lost.is_empty() {
        return false;
    }
    let pair = |i: &Import| (key(i.name), key(i.target));
    let still: FxHashSet<_> = (imports.values()).flat_map(|l| l.all().map(pair)).collect();
    let mut any = false;
    for i in lost.iter().filter(|i| !still.contains(&pair(i))) {
        i.name.forget_import_of(i.target);
        any = true;
    }
    any
}
