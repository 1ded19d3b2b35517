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
//! *Equations*: when a load ends that has taken something away, what a name is bound to is what its module inherits. And: a name that is imported and has a definition of its own is being loaded again, by a file that did not define it or did not import it
//! so far.

use super::Entry::{self, Det};
use super::reloading::{Load, key};
use crate::error::{Res, Throw};
use crate::machine::{Args, Machine};
use rustc_hash::FxHashSet;
use samite_code::Predicate;
use samite_code::predicate::flag;
use samite_code::program::Import;
use samite_term::{Atom, Cell, Functor, atoms};
use std::sync::atomic::Ordering;

pub const TABLE: &[Entry] = &[
    Det("$import_predicate", 5, import_predicate),
    // '$overrides_import'(+Module:PI, -From): it gets a definition of its own, in place of the one it imports from module From as part of that.
    Det("$overrides_import", 2, |m, a| {
        let p = m.predicate_argument(a, 0)?;
        let from = m.define_locally(p)?;
        Ok(from.is_some_and(|from| m.unify_atom(a, 1, from)))
    }),
];

/// `'$import_predicate'(+Module:PI, +Into, +Name, +Kind, -Result)`: what `PI` means in `Module` becomes `Name` (of the same arity) in `Into`.
/// Kind is `weak` or `strong`. Result is `imported`, `already` if it meant that before, `local` if it has a definition of its own, or `from(Other)`.
fn import_predicate(m: &mut Machine, a: Args) -> Res {
    let (t, module) = m.strip_module(m.arg(a, 0), atoms::USER)?;
    let f = m.functor_of_indicator(t)?;
    let into = m.atom_argument(a, 1)?;
    let name = m.atom_argument(a, 2)?;
    let weak = m.atom_argument(a, 3)?.as_str() == "weak";
    let program = m.program();
    let target = match program.is_library(module) {
        true => program.resolve(module, f),
        // Reexported from another module; not what it inherits.
        false => program.find(module, f).and_then(|p| {
            let defined = m.is_defined(p);
            if defined { Some(p) } else { link_of(p) }
        }),
    };
    let target = match target {
        Some(p) => p,
        // Defined later.
        None => m.predicate_of(module, f)?,
    };
    let own = m.predicate_of(into, Functor::new(name, f.arity()))?;
    let result = match m.imported_definition(own) {
        _ if std::ptr::eq(own, target) => Cell::atom(Atom::new("already")),
        // What the module does not define it inherits, maybe from there.
        _ if !m.is_defined(target)
            && m.resolve(module, f).is_some_and(|p| std::ptr::eq(p, own)) =>
        {
            Cell::atom(Atom::new("already"))
        }
        // (It has no definition of its own when the file ends, unless it gets one.)
        None if m.has_definition(own) => Cell::atom(Atom::new("local")),
        // (What is defined nowhere keeps nothing else away.)
        Some(old)
            if !std::ptr::eq(old, target)
                && m.is_defined(old)
                && !m.is_import_of_version_before(own, old) =>
        {
            m.structure("from", &[Cell::atom(old.module)])?
        }
        old => {
            // It stays as weak or strong as it was, but for what only the version before of this file said of it.
            let before = old.is_some_and(|old| std::ptr::eq(old, target));
            let stale = m.is_import_of_version_before(own, target);
            if !before || stale {
                if stale {
                    own.clear_flag(flag::STRONG_IMPORT);
                }
                own.import(target, weak);
                if let (Some(load), false) = (m.loads.last_mut(), before) {
                    load.moved = true;
                }
            }
            m.imported(own, target);
            Cell::atom(Atom::new(if before { "already" } else { "imported" }))
        }
    };
    Ok(m.unify_arg(a, 4, result))
}

/// What a name is linked to, by an import.
fn link_of(p: &Predicate) -> Option<&'static Predicate> {
    // SAFETY: links are null or predicates, which live as long as the process.
    unsafe { p.link.load(Ordering::Acquire).as_ref() }
}

fn same(a: Import, b: Import) -> bool {
    std::ptr::eq(a.0, b.0) && std::ptr::eq(a.1, b.1)
}

impl Machine {
    /// What a name means that its module imports, by a file or by hand, and does not define.
    pub(crate) fn imported_definition(&self, p: &'static Predicate) -> Option<&'static Predicate> {
        if !p.has(flag::WEAK_IMPORT | flag::STRONG_IMPORT) || self.has_definition(p) {
            return None;
        }
        link_of(p)
    }

    /// A call of `p` has found what its module inherits.
    pub(crate) fn bind_inherited(&self, p: &'static Predicate, target: &'static Predicate) {
        if !target.is_library()
            && !p.has(flag::RELOADING)
            && p.bind(target)
            && !self.inherits(p, target)
        {
            // A load has ended meanwhile.
            p.unbind(target);
        }
    }

    /// Whether a name means this in the modules that its module inherits from.
    fn inherits(&self, p: &'static Predicate, target: &'static Predicate) -> bool {
        let program = self.program();
        let mut parents = program.inheritance.of(p.module).into_iter();
        let found = parents.find_map(|m| {
            self.resolve(m, p.functor)
                .filter(|&found| std::ptr::eq(found, target) || self.is_defined(found))
        });
        found.is_some_and(|found| std::ptr::eq(found, target))
    }

    /// Names that are bound to what their modules inherit no longer are not bound any more.
    pub(super) fn settle_bindings(&self) {
        for p in self.program().predicates() {
            if let Some(to) = link_of(p)
                && !p.has(flag::WEAK_IMPORT | flag::STRONG_IMPORT)
                && !to.is_library()
                && !(self.inherits(p, to) && self.is_defined(to))
            {
                p.unbind(to);
            }
        }
    }

    /// What a name means, in its module, for who changes clauses: what it imports or has bound, if it is not defined; not what it would inherit.
    pub(crate) fn means(&self, p: &'static Predicate) -> Option<&'static Predicate> {
        let bound = || link_of(p).filter(|to| !to.is_library() && !self.has_definition(p));
        self.imported_definition(p).or_else(bound)
    }

    /// Whether a predicate is defined, not only by the version before of the file that is being loaded again.
    fn has_definition(&self, p: &'static Predicate) -> bool {
        self.is_defined(p) && !self.is_of_version_before(p)
    }

    /// A predicate is about to get a definition of its own; an error if it is imported by name. The module that it is imported from no longer,
    /// if it was.
    pub(crate) fn define_locally(&mut self, p: &'static Predicate) -> Result<Option<Atom>, Throw> {
        let Some(target) = self.imported_definition(p) else {
            return Ok(None);
        };
        if let Some(target) = self.imported_by_name(p) {
            let pi = self.qualified_indicator(target)?;
            return Err(self.permission_error("redefine", "imported_procedure", pi));
        }
        let before = self.is_import_of_version_before(p, target);
        p.forget_import();
        if let Some(load) = self.loads.last_mut() {
            load.moved = true;
        }
        Ok((!before).then_some(target.module))
    }

    /// What a name means that must not be defined, because it is imported by name.
    pub(crate) fn imported_by_name(&self, p: &'static Predicate) -> Option<&'static Predicate> {
        let target = self.imported_definition(p)?;
        (p.has(flag::STRONG_IMPORT) && !self.is_import_of_version_before(p, target))
            .then_some(target)
    }

    /// How an error names a predicate: without the module if that is `user` or `system`.
    pub(crate) fn shown_indicator(&mut self, p: &'static Predicate) -> Result<Cell, Throw> {
        match p.module {
            atoms::USER | atoms::SYSTEM => self.indicator(p.functor),
            _ => self.qualified_indicator(p),
        }
    }

    /// `Module:Name/Arity`
    pub(crate) fn qualified_indicator(&mut self, p: &'static Predicate) -> Result<Cell, Throw> {
        let pi = self.indicator(p.functor)?;
        self.structure(":", &[Cell::atom(p.module), pi])
    }

    /// Whether a file that is being loaded again imported a name when it was loaded last, and nobody has since.
    fn is_import_of_version_before(
        &self,
        name: &'static Predicate,
        target: &'static Predicate,
    ) -> bool {
        let Some(last) = self.loads.last() else {
            return false;
        };
        let modules = self.program().modules.read();
        if modules
            .get(&target.module)
            .is_some_and(|m| m.file == Some(last.file))
        {
            // It was that of the file.
            return true;
        }
        drop(modules);
        let import = (name, target);
        let has = |list: &[Import]| list.iter().any(|&i| same(i, import));
        let imports = self.program().imports.lock();
        // Also one within which this file is loaded.
        self.loads.iter().any(|load| {
            !has(&load.imported)
                && imports.get(&load.file).is_some_and(|old| has(old))
                && !imports
                    .iter()
                    .any(|(&file, list)| file != load.file && has(list))
        })
    }

    /// Modules that imported what is exported no longer lose it, but for what they named.
    /// Whether there were any.
    pub(super) fn take_back_imports(&self, gone: &[(Atom, Functor)]) -> bool {
        if gone.is_empty() {
            return false;
        }
        let program = self.program();
        let gone: Vec<_> = {
            let modules = program.modules.read();
            let exported = |m: &Atom, f| modules.get(m).is_some_and(|m| m.exports.contains(f));
            gone.iter().filter(|(m, f)| !exported(m, f)).collect()
        };
        for p in program.predicates() {
            let Some(to) = link_of(p) else {
                continue;
            };
            if gone.contains(&&(to.module, to.functor)) && p.has(flag::WEAK_IMPORT) {
                p.forget_import();
            }
        }
        !gone.is_empty()
    }

    /// A name is imported, by the file that is being loaded if there is one.
    fn imported(&mut self, name: &'static Predicate, target: &'static Predicate) {
        let import = (name, target);
        if let Some(load) = self.loads.last_mut() {
            load.imported.push(import);
            return;
        }
        let mut imports = self.program().imports.lock();
        let by_hand = imports.entry(atoms::NIL).or_default();
        if !by_hand.iter().any(|&i| same(i, import)) {
            by_hand.push(import);
        }
    }

    /// What a file imported when it was last loaded, and nobody does now, is undone.
    pub(super) fn forget_imports(&self, load: &mut Load) {
        let mut imports = self.program().imports.lock();
        let new = std::mem::take(&mut load.imported);
        let old = if new.is_empty() {
            imports.remove(&load.file)
        } else {
            imports.insert(load.file, new)
        };
        let Some(old) = old else {
            return;
        };
        let pair = |(name, target)| (key(name), key(target));
        let still: FxHashSet<_> = imports.values().flatten().map(|&i| pair(i)).collect();
        for (name, target) in old {
            let means = name.link.load(Ordering::Acquire).cast_const();
            if !still.contains(&pair((name, target))) && std::ptr::eq(means, target) {
                name.forget_import();
                load.moved = true;
            }
        }
    }
}
