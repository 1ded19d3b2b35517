//! What a thread that loads a file again sees of the file's predicates: those of a fresh process, while others see the old ones.
//!
//! Static predicates have a *shadow* for this, a predicate of their own that only the loading thread calls. It has copies of the new clauses
//! read so far, and of those that other files have added. A call tells the threads apart in the cold path of `Undefined`
//! ([`samite_code::predicate::flag::RELOADING`]), so that nobody pays who does not call a predicate that is being loaded again. The clauses of
//! dynamic predicates are data that directives of the file change: they have no shadow, and are changed where they are.
//!
//! *Equation*: a load of a file that was loaded before ([`Load::again`]) has, since the first time that it ran anything of the program, a
//! shadow of each static predicate that the file defined or has defined since, with all of the clauses read until it last
//! ran anything.

use crate::builtins::reloading::{Load, key};
use crate::error::Throw;
use crate::machine::Machine;
use samite_code::index::fail_code;
use samite_code::instr::{self, Op};
use samite_code::predicate::{Clause, flag};
use samite_code::{Predicate, database};
use samite_term::{Cell, Functor, atoms};

impl Machine {
    /// The definition of a predicate that is being loaded again, if this thread is the one that does.
    #[cold]
    pub(crate) fn shadow(&self, p: &'static Predicate) -> Option<&'static Predicate> {
        let mut loads = self.loads.iter().rev();
        loads.find_map(|load| load.shadow(p))
    }

    /// A predicate is called that is being loaded again: the code to run, `None` if it is not defined.
    #[cold]
    pub(crate) fn reloading(&self, p: &'static Predicate) -> Option<*const u64> {
        let (code, declared) = match self.shadow(p) {
            Some(shadow) => (shadow.entry(), shadow.has(flag::DEFINED)),
            None => (p.beside(), !p.has(flag::NEW)),
        };
        // SAFETY: entry code is at least one word.
        if instr::op(unsafe { *code }) != Op::Undefined {
            return Some(code);
        }
        declared.then_some(fail_code())
    }

    /// The shadow of a static predicate, made now if it is not there.
    pub(crate) fn shadow_of(
        &mut self,
        load: &mut Load,
        p: &'static Predicate,
    ) -> Result<&'static Predicate, Throw> {
        if let Some(shadow) = load.shadow(p) {
            return Ok(shadow);
        }
        let spare = (self.shared.spare_shadows.lock())
            .get_mut(&key(p))
            .and_then(Vec::pop);
        let shadow = spare.unwrap_or_else(|| Predicate::new(p.module, p.functor));
        p.begin_reloading();
        load.shadows.insert(key(p), (p, shadow));
        if p.has(flag::MULTIFILE) {
            self.reader.enter();
            for c in p.visible_clauses().filter(|c| c.file != load.file) {
                self.copy_to_shadow(c, shadow)?;
            }
        }
        if load.has_declared(p) {
            declare(load, p, shadow);
        }
        Ok(shadow)
    }

    /// A declaration of a load in progress holds for the shadow too.
    pub(crate) fn declare_shadow(&self, p: &'static Predicate) {
        let mut loads = self.loads.iter().rev();
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
        let Some(record) = &c.record else {
            return Ok(());
        };
        self.room(c.bytes() + 8 * record.heap_words())?;
        let mut words = vec![0u64; record.heap_words()];
        let t = self.term(record.instantiate(&mut words));
        let (head, body) = match t.callable() {
            Some((f, args)) if f == Functor::new(atoms::NECK, 2) => {
                (args.get(0), Some(args.get(1)))
            }
            _ => (t, None),
        };
        let compiled = match self.compile(shadow.module, head, body, size_of::<Clause>()) {
            Ok(compiled) => compiled,
            // It has been compiled before.
            Err(e) => return Err(self.compile_error(e, Cell::NIL)),
        };
        let (record, block) = (Some(record.clone()), Some(compiled.block));
        let mut copy = Box::new(Clause::new(shadow, c.key, record, block, c.line()));
        copy.set_linked();
        copy.file = c.file;
        database::add(shadow, copy, true).map_err(|_| Throw::Memory)
    }

    /// This thread sees what others see.
    pub(crate) fn drop_shadow(&mut self, p: &'static Predicate, shadow: &'static Predicate) {
        p.end_reloading();
        if shadow.has(flag::TABLED) {
            database::make_untabled(shadow);
        }
        database::abolish(shadow);
        let mut spare = self.shared.spare_shadows.lock();
        spare.entry(key(p)).or_default().push(shadow);
    }
}

/// What this load has declared of `p` so far holds for its shadow.
fn declare(load: &Load, p: &'static Predicate, shadow: &'static Predicate) {
    shadow.set_flag(flag::DEFINED);
    if load.has(p, "table") {
        shadow.set_modes(&p.modes());
        database::make_tabled(shadow);
    }
}
