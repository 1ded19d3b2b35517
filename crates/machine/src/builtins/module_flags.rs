//! Prolog flags that each module has its own value of: `double_quotes` and `back_quotes`, which say how its text is read, and `unknown`.
//!
//! Without a module before it, such a flag is that of the module whose text is read: the file's while one is loaded, else the toplevel's.
//! All modules begin with the same values, whatever `user` has, but for `unknown`: a module that was told nothing does as those it inherits
//! from. A file leaves behind what it has set.

use crate::engine::ctx::Ctx;
use crate::error::Throw;
use crate::state::loading::HeaderBefore;
use samite_syntax::read::{QuoteKind, ReadFlags};
use samite_term::{Atom, HeldAtom, atoms, common, growth};

const NAMES: [Atom; 3] = [atoms::DOUBLE_QUOTES, atoms::BACK_QUOTES, atoms::UNKNOWN];

/// Whether modules have their own values of a flag.
pub(super) fn has(name: Atom) -> bool {
    NAMES.contains(&name)
}

/// What text in quotes stands for.
pub(super) fn quote_kind(name: Atom) -> Option<QuoteKind> {
    Some(match name {
        atoms::CODES => QuoteKind::Codes,
        atoms::CHARS => QuoteKind::Chars,
        atoms::ATOM => QuoteKind::Atom,
        atoms::STRING => QuoteKind::String,
        _ => return None,
    })
}

impl Ctx<'_> {
    /// A module's own value, if it was ever set.
    fn own_module_flag(&self, module: Atom, name: Atom) -> Option<Atom> {
        let flags = self.program.code.module_flags.read();
        flags.get(&(module.hold(), name.hold())).map(HeldAtom::get)
    }
    /// The value of one of these flags for a module.
    pub(super) fn module_flag(&self, module: Atom, name: Atom) -> Option<Atom> {
        if !has(name) {
            return None;
        }
        if name == atoms::UNKNOWN {
            return Some(self.unknown_in(module));
        }
        (self.own_module_flag(module, name)).or_else(|| self.flag_atom(name))
    }
    /// What a call of a predicate that is defined nowhere does: `error`, `fail` or `warning`.
    pub(crate) fn unknown_in(&self, module: Atom) -> Atom {
        let none = self.program.code.module_flags.read().is_empty();
        if none {
            return atoms::ERROR;
        }
        let program = &self.program.code;
        let own = &mut |module| self.own_module_flag(module, atoms::UNKNOWN);
        program
            .inheritance
            .walk(module, own)
            .unwrap_or(atoms::ERROR)
    }
    /// Sets it for a module.
    pub(super) fn set_module_flag(
        &mut self,
        module: Atom,
        name: Atom,
        value: Atom,
    ) -> Result<bool, Throw> {
        if self.own_module_flag(module, name) == Some(value) {
            return Ok(true);
        }
        self.mention(module)?;
        let mut flags = self.program.code.module_flags.write();
        let before = growth::map_bytes(&flags);
        let key = (module.hold(), name.hold());
        if !growth::map_insert(&mut flags, key, value.hold(), |n| self.room(n).is_ok()) {
            return Err(Throw::Memory);
        }
        common::charge(growth::map_bytes(&flags) - before);
        drop(flags);
        if name == atoms::UNKNOWN && self.missed_any() {
            // What was called in vain is another answer, or none.
            self.meanings_changed();
        }
        Ok(true)
    }
    /// A module is defined anew: it has no flags of its own any more, unless the load that does so is left before its end.
    pub(super) fn reset_module_flags(&mut self, module: Atom) {
        let mut before = Vec::new();
        (self.program.code.module_flags.write()).retain(|(of, name), value| {
            let its = *of == module;
            if its {
                before.push((name.clone(), value.clone()));
            }
            !its
        });
        let operators = self.program.code.own_operators(module);
        if let Some(load) = self.thread.loading.loads.last_mut() {
            load.header_before = Some(HeaderBefore {
                module: module.hold(),
                flags: before,
                operators,
                was: None,
            });
        }
    }
    /// The load that has defined a module anew is left: it is as it was.
    pub(super) fn put_header_back(&mut self, before: HeaderBefore) {
        let HeaderBefore {
            module,
            flags,
            operators,
            was,
        } = before;
        {
            let mut all = self.program.code.module_flags.write();
            all.retain(|(of, _), _| *of != module);
            let flags = flags.into_iter();
            all.extend(flags.map(|(name, value)| ((module.clone(), name), value)));
        }
        let now = self.program.code.own_operators(module.get());
        if now != operators {
            self.program.code.put_own_operators(module.get(), operators);
        }
        let mut modules = self.program.code.modules.write();
        match (was, modules.get_mut(&module)) {
            (Some(was), _) => {
                modules.insert(module, was);
            }
            (None, Some(new)) => {
                new.file = None;
                new.exports.clear();
                new.reexported.clear();
            }
            (None, None) => {}
        }
        drop(modules);
        if self.missed_any() {
            self.meanings_changed();
        }
    }
    /// How the text of a module is read.
    pub fn read_flags(&self, module: Atom) -> ReadFlags {
        // (With each clause that is read: most modules were told nothing.)
        let told = !self.program.code.module_flags.read().is_empty();
        let kind = |name, default| {
            let own = told.then(|| self.own_module_flag(module, name)).flatten();
            let value = own.or_else(|| self.flag_atom(name));
            value.and_then(quote_kind).unwrap_or(default)
        };
        let on = |name| self.flag_atom(name) == Some(atoms::TRUE);
        ReadFlags {
            double_quotes: kind(atoms::DOUBLE_QUOTES, QuoteKind::String),
            back_quotes: kind(atoms::BACK_QUOTES, QuoteKind::Codes),
            var_prefix: on(atoms::VAR_PREFIX),
            iso: on(atoms::ISO),
            quasi_quotations: on(atoms::QUASI_QUOTATIONS),
        }
    }
}
