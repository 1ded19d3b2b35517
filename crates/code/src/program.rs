//! The whole program: predicates by module, name and arity; modules and their imports; operators; flags.
//!
//! Shared by all threads. Looking up a predicate is lock-free (a probe over atomic slots; the writer's lock is taken
//! to add one); operators are an immutable snapshot replaced on change.
//!
//! Invariants: a predicate, once in the table, stays; slots are set once; the table only grows by publishing a larger one.

use crate::inherit::Inheritance;
use crate::predicate::{Predicate, flag};
use parking_lot::{Mutex, RwLock};
use rustc_hash::{FxHashMap, FxHashSet};
use samite_syntax::ops::Operators;
use samite_term::{Atom, Functor, Record, atoms};
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

struct Table {
    slots: Box<[AtomicPtr<Predicate>]>,
}

impl Table {
    fn new(n: usize) -> Table {
        Table {
            slots: (0..n)
                .map(|_| AtomicPtr::new(std::ptr::null_mut()))
                .collect(),
        }
    }
    fn find(&self, module: Atom, functor: Functor) -> Result<&'static Predicate, usize> {
        let mask = self.slots.len() - 1;
        let key = functor.bits() ^ (module.index() as u64).wrapping_mul(0xa076_1d64_78bd_642f);
        let mut i = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 30) as usize & mask;
        loop {
            // Acquire: pairs with the release in `Program::predicate`.
            let p = self.slots[i].load(Ordering::Acquire);
            if p.is_null() {
                return Err(i);
            }
            // SAFETY: predicates live as long as the process.
            let p: &'static Predicate = unsafe { &*p };
            if p.functor == functor && p.module == module {
                return Ok(p);
            }
            i = (i + 1) & mask;
        }
    }
}

/// A name in a module and what it means.
pub type Import = (&'static Predicate, &'static Predicate);

/// What is known of a module besides its predicates.
#[derive(Debug, Default, Clone)]
pub struct Module {
    pub file: Option<Atom>,
    pub exports: Vec<Functor>,
}

/// A file that is loaded, or being loaded.
#[derive(Clone, Copy, Debug)]
pub struct Loaded {
    /// Place in the order in which files were first loaded.
    pub place: u64,
    /// When the file was changed that was loaded.
    pub modified: Option<std::time::SystemTime>,
}

/// See the module text.
pub struct Program {
    table: AtomicPtr<Table>,
    /// All predicates in order of creation; under this lock the table is changed.
    all: Mutex<Vec<&'static Predicate>>,
    operators: RwLock<Arc<Operators>>,
    /// Prolog flags; per-thread ones are the machine's.
    pub flags: RwLock<FxHashMap<Atom, Record>>,
    pub modules: RwLock<FxHashMap<Atom, Module>>,
    /// Where modules look for what they do not define.
    pub inheritance: Inheritance,
    /// The predicates that source files declared or gave clauses.
    pub sources: Mutex<FxHashMap<Atom, Vec<&'static Predicate>>>,
    /// What source files import, `[]` being what no file is: the names in the importing modules, with what they mean.
    pub imports: Mutex<FxHashMap<Atom, Vec<Import>>>,
    /// Files loaded, by canonical path.
    pub loaded: Mutex<FxHashMap<String, Loaded>>,
    /// Predicates declared discontiguous by file etc. are flags of the predicate; this is the set of library files loaded.
    pub libraries: Mutex<FxHashSet<String>>,
    /// Modules of the libraries, loaded or not: what they export is in `system`.
    pub library_modules: OnceLock<FxHashSet<Atom>>,
    local_ids: AtomicU32,
}

impl Default for Program {
    fn default() -> Self {
        Program::new()
    }
}

impl Program {
    pub fn new() -> Program {
        let p = Program {
            table: AtomicPtr::new(Box::into_raw(Box::new(Table::new(4096)))),
            all: Mutex::new(Vec::new()),
            operators: RwLock::new(Arc::new(Operators::iso_swi())),
            flags: RwLock::default(),
            modules: RwLock::default(),
            inheritance: Inheritance::default(),
            loaded: Mutex::default(),
            sources: Mutex::default(),
            imports: Mutex::default(),
            libraries: Mutex::default(),
            library_modules: OnceLock::new(),
            local_ids: AtomicU32::new(1),
        };
        let mut m = p.modules.write();
        m.insert(atoms::USER, Module::default());
        m.insert(atoms::SYSTEM, Module::default());
        drop(m);
        p
    }
    fn table(&self) -> &Table {
        // SAFETY: superseded tables are kept (they are leaked; their sizes double).
        unsafe { &*self.table.load(Ordering::Acquire) }
    }
    /// The predicate of exactly this module, if there is an entry for it.
    #[inline]
    pub fn find(&self, module: Atom, functor: Functor) -> Option<&'static Predicate> {
        self.table().find(module, functor).ok()
    }
    /// The predicate of exactly this module, made (undefined) if there is none.
    pub fn predicate(&self, module: Atom, functor: Functor) -> &'static Predicate {
        if let Some(p) = self.find(module, functor) {
            return p;
        }
        let mut all = self.all.lock();
        let slot = match self.table().find(module, functor) {
            Ok(p) => return p,
            Err(i) => i,
        };
        let p = Predicate::new(module, functor);
        all.push(p);
        let raw = std::ptr::from_ref(p).cast_mut();
        if all.len() * 2 > self.table().slots.len() {
            let larger = Table::new(self.table().slots.len() * 2);
            for &q in all.iter() {
                if let Err(i) = larger.find(q.module, q.functor) {
                    larger.slots[i].store(std::ptr::from_ref(q).cast_mut(), Ordering::Relaxed);
                }
            }
            self.table
                .store(Box::into_raw(Box::new(larger)), Ordering::Release);
        } else {
            self.table().slots[slot].store(raw, Ordering::Release);
        }
        p
    }
    /// The definition that a call in `module` means: its own, an import, or inherited from `user` and `system`; `lists:append/3`
    /// is the library's whatever `user` defines.
    pub fn resolve(&self, module: Atom, functor: Functor) -> Option<&'static Predicate> {
        self.resolve_as(module, functor, |p| p.is_defined())
    }
    /// The same for whom other predicates are defined.
    pub fn resolve_as(
        &self,
        module: Atom,
        functor: Functor,
        is_defined: impl Fn(&'static Predicate) -> bool,
    ) -> Option<&'static Predicate> {
        let own = |m| self.own_definition(m, functor, &is_defined);
        let library = (self.library_modules.get()).is_some_and(|l| l.contains(&module));
        if !library && !self.inheritance.is_default() {
            return (self.inheritance).walk(module, &mut |m| own(m));
        }
        let inherited = match library {
            true => [atoms::SYSTEM, atoms::USER],
            false => [atoms::USER, atoms::SYSTEM],
        };
        [module, inherited[0], inherited[1]]
            .into_iter()
            .find_map(own)
    }
    /// What `module` itself defines or imports under this name.
    fn own_definition(
        &self,
        module: Atom,
        functor: Functor,
        is_defined: impl Fn(&'static Predicate) -> bool,
    ) -> Option<&'static Predicate> {
        let p = self.find(module, functor)?;
        if is_defined(p) {
            return Some(p);
        }
        let link = p.link.load(Ordering::Acquire);
        // SAFETY: links are null or predicates, which live as long as the process.
        unsafe { link.as_ref() }
    }
    /// What a goal in a clause of `module` refers to: a predicate that users cannot redefine directly, anything else through the
    /// module's entry.
    pub fn callee(&self, module: Atom, functor: Functor) -> &'static Predicate {
        if let Some(p) = self.find(module, functor)
            && p.is_defined()
        {
            return p;
        }
        if let Some(p) = self.find(atoms::SYSTEM, functor)
            && p.is_defined()
            && p.has(flag::ISO)
        {
            return p;
        }
        self.predicate(module, functor)
    }
    /// Makes `module` use `target` under this name unless it defines that itself.
    pub fn import(&self, module: Atom, name: Atom, target: &'static Predicate) -> bool {
        let p = self.predicate(module, Functor::new(name, target.arity()));
        if std::ptr::eq(p, target) {
            return true;
        }
        if p.is_defined() {
            return false;
        }
        p.link
            .store(std::ptr::from_ref(target).cast_mut(), Ordering::Release);
        true
    }
    /// All predicates made so far.
    pub fn predicates(&self) -> Vec<&'static Predicate> {
        self.all.lock().clone()
    }
    pub fn operators(&self) -> Arc<Operators> {
        self.operators.read().clone()
    }
    /// Changes the operator table.
    pub fn change_operators(&self, change: impl FnOnce(&mut Operators)) {
        let mut w = self.operators.write();
        let mut new = (**w).clone();
        change(&mut new);
        *w = Arc::new(new);
    }
    pub fn new_local_id(&self) -> u32 {
        self.local_ids.fetch_add(1, Ordering::Relaxed)
    }
}
