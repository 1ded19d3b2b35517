//! The whole program: predicates by module, name and arity; modules and their imports; operators; flags.
//!
//! Shared by all threads. Looking up a predicate is lock-free (a probe over atomic slots; the writer's lock is taken
//! to add one); operators are a snapshot that never changes while somebody holds it.
//!
//! Invariants: a predicate, once in the table, stays; slots are set once; the table only grows by publishing a larger one.

use crate::by_name::ByName;
use crate::db::predicate::Domain;
use crate::db::predicate::{Predicate, flag};
use crate::inherit::Inheritance;
use crate::operators::{OperatorTables, Own as OwnOperators};
use crate::sources::Sources;
use parking_lot::{Mutex, RwLock};
use rustc_hash::{FxHashMap, FxHashSet};
use samite_syntax::ops::{OpType, Operators};
use samite_term::{
    Atom, Functor, HeldAtom, HeldFunctor, HoldsAtoms, Record, atoms, common, growth,
};
use std::alloc::{Layout, handle_alloc_error};
use std::cell::Cell;
use std::sync::atomic::{AtomicI64, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

struct Table {
    slots: Box<[AtomicPtr<Predicate>]>,
}

impl Table {
    fn new(n: usize) -> Table {
        Table::if_room(n).unwrap_or_else(|| handle_alloc_error(Layout::new::<usize>()))
    }
    /// An empty table; `None`: there is no memory for it. It is charged for good.
    fn if_room(n: usize) -> Option<Table> {
        let mut slots = Vec::new();
        slots.try_reserve_exact(n).ok()?;
        slots.resize_with(n, || AtomicPtr::new(std::ptr::null_mut()));
        // A report for whose call it doubles is asked for its entry only.
        common::charge_unasked(n * size_of::<usize>());
        Some(Table {
            slots: slots.into_boxed_slice(),
        })
    }
    fn find(&self, module: Atom, functor: Functor) -> Result<&'static Predicate, usize> {
        let mask = self.slots.len() - 1;
        let key = functor.bits() ^ (module.index() as u64).wrapping_mul(0xa076_1d64_78bd_642f);
        let mut i = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 30) as usize & mask;
        loop {
            // Acquire: pairs with the release in `enter`.
            let p = self.slots[i].load(Ordering::Acquire);
            if p.is_null() {
                return Err(i);
            }
            // SAFETY: predicates live as long as the process.
            let p: &'static Predicate = unsafe { &*p };
            if p.functor() == functor && p.module() == module {
                return Ok(p);
            }
            i = (i + 1) & mask;
        }
    }
    /// Enters a predicate that is not in it. Under the writer's lock.
    fn enter(&self, p: &'static Predicate) {
        if let Err(i) = self.find(p.module(), p.functor()) {
            let raw = std::ptr::from_ref(p).cast_mut();
            self.slots[i].store(raw, Ordering::Release);
        }
    }
}

/// A name in a module that means what another module exports.
#[derive(Clone)]
pub struct Import {
    pub name: &'static Predicate,
    pub target: &'static Predicate,
    /// The module that it was asked of, and by what name: what that exports may be another's.
    pub from: (HeldAtom, HeldFunctor),
    /// As part of a whole module.
    pub weak: bool,
    /// By its name alone (`import/1`), whatever file it comes from: what files export does not change that.
    pub single: bool,
}

impl Import {
    /// Whether they say the same of a name.
    pub fn agrees(&self, other: &Import) -> bool {
        std::ptr::eq(self.name, other.name) && std::ptr::eq(self.target, other.target)
    }
}

/// What a file imports.
#[derive(Default)]
pub struct Imports {
    /// When it was loaded last.
    pub last: Vec<Import>,
    /// In the load of it that is in progress, so far.
    pub now: Option<Vec<Import>>,
}

impl Imports {
    pub fn all(&self) -> impl Iterator<Item = &Import> {
        self.last.iter().chain(self.now.iter().flatten())
    }
    /// The list that is added to.
    pub fn current(&mut self) -> &mut Vec<Import> {
        self.now.as_mut().unwrap_or(&mut self.last)
    }
}

/// What a file has asked to import, and has not, because the name meant something else.
pub struct RefusedImport {
    pub by: HeldAtom,
    pub import: Import,
    /// The version before of the file has asked for it, which is being loaded again.
    pub before: bool,
}

/// Who asks for a file to be loaded, and what it imports: what is to be imported again when the file exports something else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Context {
    /// The source module then.
    pub module: HeldAtom,
    /// The file and line that asked for it, if one did.
    pub from: Option<(HeldAtom, u32)>,
    /// The file that is loaded there: the text may be included. `[]`: none.
    pub by: HeldAtom,
    /// The term `how(Imports, Reexports)`.
    pub how: Record,
}

/// What is known of a module besides its predicates.
#[derive(Debug, Default, Clone)]
pub struct Module {
    pub file: Option<HeldAtom>,
    pub exports: Vec<HeldFunctor>,
    /// Those of them that other files, or goals, have had it export: its own file does not take these back.
    pub added: Vec<HeldFunctor>,
    /// Those that it exports only because other modules do, and why: at least one reason.
    pub reexported: FxHashMap<HeldFunctor, Vec<Reexport>>,
}

/// Why a module exports something that its own text does not say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reexport {
    /// The module that it has it from, and what it is called there.
    pub of: (HeldAtom, HeldFunctor),
    /// It asks for it by name, whether that module exports it or not.
    pub by_name: bool,
}

impl Module {
    /// Exports it, whatever others do.
    pub fn export(&mut self, f: HeldFunctor) {
        self.reexported.remove(&f);
        if !self.exports.contains(&f) {
            self.exports.push(f);
        }
    }

    /// Exports it because of another module.
    pub fn reexport(&mut self, f: HeldFunctor, why: Reexport) {
        if !self.exports.contains(&f) {
            self.exports.push(f.clone());
            self.reexported.insert(f, vec![why]);
        } else if let Some(all) = self.reexported.get_mut(&f)
            && !all.contains(&why)
        {
            all.push(why);
        }
    }

    /// What it exports because of another module alone it does not export any more.
    pub fn end_reexport(&mut self, f: &HeldFunctor) {
        if self.reexported.remove(f).is_some() {
            self.exports.retain(|g| g != f);
        }
    }

    /// What it exports because the module `of` does, it exports for others, or no more.
    pub fn unexport(&mut self, of: Atom) {
        let Module {
            exports,
            reexported,
            ..
        } = self;
        for modules in reexported.values_mut() {
            modules.retain(|why| why.of.0 != of);
        }
        exports.retain(|f| reexported.get(f).is_none_or(|modules| !modules.is_empty()));
        reexported.retain(|_, modules| !modules.is_empty());
    }
}

/// A file that is loaded, or being loaded.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Place in the order in which files were first loaded.
    pub place: u64,
    /// When the file was changed that was loaded.
    pub modified: Option<std::time::SystemTime>,
    /// The source module when it was loaded last.
    pub into: HeldAtom,
    /// The encoding of its text, if who loaded it has said so.
    pub encoding: Option<HeldAtom>,
    /// How often it has been loaded.
    pub count: u32,
    /// The texts that it included then, when they were changed, and in which line it asked for them.
    pub includes: Vec<(HeldAtom, Option<std::time::SystemTime>, u32)>,
    /// The version before, for when this load is left before its end.
    pub before: Option<Box<Loaded>>,
    /// A term of this version has been read.
    pub begun: bool,
    /// It has been read to its end, and has neither defined nor declared a predicate.
    pub is_empty: bool,
    /// What there is of it is the beginning of a text, whose load has been left before its end; none has come to its end since.
    pub half: bool,
}

/// The meta-arguments of a name and arity that a library exports, if there are any.
pub type LibraryMeta = fn(&str, usize) -> Option<&'static [u8]>;

/// Which values a flag takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlagType {
    Boolean,
    Atom,
    Integer,
    Float,
    Term,
}

/// See the module text.
pub struct Program {
    /// What its threads hold in common is charged to.
    pub account: &'static common::Account,
    /// What its predicates have in common.
    pub domain: &'static Domain,
    table: AtomicPtr<Table>,
    /// All predicates in order of creation; under this lock the table is changed.
    all: Mutex<Vec<&'static Predicate>>,
    /// Locked after it.
    by_name: Mutex<ByName>,
    operators: OperatorTables,
    /// Prolog flags; per-thread ones are the machine's.
    pub flags: RwLock<FxHashMap<HeldAtom, Record>>,
    /// The predicates of all modules that are hooks of expansion, whether they have clauses or not.
    hooks: RwLock<Vec<&'static Predicate>>,
    /// Flags that modules have values of their own of, by module and name.
    pub module_flags: RwLock<FxHashMap<(HeldAtom, HeldAtom), HeldAtom>>,
    /// Of flags that programs made: which values they take.
    pub flag_types: RwLock<FxHashMap<HeldAtom, (FlagType, bool)>>,
    pub modules: RwLock<FxHashMap<HeldAtom, Module>>,
    /// Where modules look for what they do not define.
    pub inheritance: Inheritance,
    /// The predicates that source files declared or gave clauses.
    pub sources: Mutex<Sources>,
    /// What source files import, `[]` being what no file is.
    pub imports: Mutex<FxHashMap<HeldAtom, Imports>>,
    /// In the order in which they were asked for. Its lock is taken within that of the imports.
    pub refused_imports: Mutex<Vec<RefusedImport>>,
    /// Names that calls have bound to what their modules inherit, and maybe some that they have not.
    pub bound: Mutex<Vec<&'static Predicate>>,
    /// Files with definitions that have been refused because a name was imported, and the name.
    pub refused_definitions: Mutex<Vec<(HeldAtom, &'static Predicate)>>,
    /// Who has asked for files, whether they are loaded now or not.
    pub contexts: Mutex<FxHashMap<HeldAtom, Vec<Context>>>,
    /// Files loaded, by the names that they are known by.
    pub loaded: Mutex<FxHashMap<String, Loaded>>,
    /// By what its path is when links are followed: the name that a file was first asked for by. It holds while that leads there.
    pub source_names: Mutex<FxHashMap<String, String>>,
    /// Predicates declared discontiguous by file etc. are flags of the predicate; this is the set of library files loaded.
    pub libraries: Mutex<FxHashSet<String>>,
    /// Loads of files so far, by all threads: what one load defined, another replaces, whoever asks for it.
    pub loads: AtomicI64,
    /// Texts consulted from the user so far.
    pub user_texts: AtomicU64,
    /// What libraries export, known before they are loaded.
    pub library_meta: OnceLock<LibraryMeta>,
}

impl Default for Program {
    fn default() -> Self {
        Program::new()
    }
}

// All threads have it.
const _: () = samite_term::held::is_shared::<Program>();

impl HoldsAtoms for Program {
    /// Those of its clauses, and of the values of flags and contexts of loads; what things are called is counted.
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        for p in self.predicates() {
            p.each_atom(f);
        }
        self.domain.each_atom(f);
        (self.flags.read().values()).for_each(|value| value.each_atom(f));
        for context in self.contexts.lock().values().flatten() {
            context.how.each_atom(f);
        }
    }
}

/// Whether predicates of this name expand what is read from a file.
pub fn is_hook(name: Atom) -> bool {
    matches!(
        name,
        atoms::TERM_EXPANSION | atoms::GOAL_EXPANSION | atoms::LIBRARY_EXPANSION
    )
}

impl Program {
    /// A program without predicates, whose account is that of the calling thread.
    pub fn new() -> Program {
        let p = Program {
            account: common::account(),
            domain: Domain::new(),
            table: AtomicPtr::new(Box::into_raw(Box::new(Table::new(4096)))),
            all: Mutex::new(Vec::new()),
            by_name: Mutex::default(),
            operators: OperatorTables::default(),
            flags: RwLock::default(),
            hooks: RwLock::default(),
            module_flags: RwLock::default(),
            flag_types: RwLock::default(),
            modules: RwLock::default(),
            inheritance: Inheritance::default(),
            loaded: Mutex::default(),
            source_names: Mutex::default(),
            sources: Mutex::default(),
            imports: Mutex::default(),
            refused_imports: Mutex::default(),
            bound: Mutex::default(),
            refused_definitions: Mutex::default(),
            contexts: Mutex::default(),
            libraries: Mutex::default(),
            loads: AtomicI64::new(0),
            user_texts: AtomicU64::new(0),
            library_meta: OnceLock::new(),
        };
        let mut m = p.modules.write();
        m.insert(atoms::USER.hold(), Module::default());
        m.insert(atoms::SYSTEM.hold(), Module::default());
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
    /// The predicate of exactly this module, made (undefined) if there is none. For the system's own, and where what calls it has
    /// asked for more than it takes.
    pub fn predicate(&self, module: Atom, functor: Functor) -> &'static Predicate {
        match self.predicate_if(module, functor, |_| true) {
            Some(p) => p,
            None => handle_alloc_error(Layout::new::<Predicate>()),
        }
    }
    /// The same, if `may_take` grants the bytes of a new one and of the table's growth. `None`: it does not.
    pub fn predicate_if(
        &self,
        module: Atom,
        functor: Functor,
        may_take: impl Fn(usize) -> bool,
    ) -> Option<&'static Predicate> {
        if let Some(p) = self.find(module, functor) {
            return Some(p);
        }
        let mut all = self.all.lock();
        if let Ok(p) = self.table().find(module, functor) {
            return Some(p);
        }
        let mut hooks = is_hook(functor.name()).then(|| self.hooks.write());
        if !self.mention(module, &may_take)
            || !may_take(Predicate::BYTES)
            || !growth::vec_room(&mut all, &may_take)
            || (hooks.as_deref_mut()).is_some_and(|hooks| !growth::vec_room(hooks, &may_take))
            || !self.has_room_for(all.len() + 1, &all, &may_take)
        {
            return None;
        }
        let p = Predicate::new(self.domain, module, functor);
        if let Some(mut hooks) = hooks {
            hooks.push(p);
        }
        all.push(p);
        self.table().enter(p);
        Some(p)
    }
    /// There is a module of this name from now on, if `may_take` grants what it takes: whatever belongs to a module makes it.
    pub fn mention(&self, module: Atom, may_take: impl Fn(usize) -> bool) -> bool {
        if self.modules.read().contains_key(&module) {
            return true;
        }
        let mut modules = self.modules.write();
        if !growth::map_room(&mut modules, may_take) {
            return false;
        }
        modules.entry(module.hold()).or_insert_with(|| {
            // Modules stay.
            common::charge(2 * size_of::<(Atom, Module)>());
            Module::default()
        });
        true
    }
    /// Makes the table large enough for so many predicates, under the writer's lock: at most half of it is in use, or if there is no memory for
    /// a larger one, most of it.
    fn has_room_for(
        &self,
        n: usize,
        all: &[&'static Predicate],
        may_take: impl Fn(usize) -> bool,
    ) -> bool {
        let slots = self.table().slots.len();
        if n * 2 <= slots {
            return true;
        }
        let larger = may_take(2 * slots * size_of::<usize>())
            .then(|| Table::if_room(2 * slots))
            .flatten();
        let Some(larger) = larger else {
            return n * 8 <= slots * 7;
        };
        for &q in all {
            larger.enter(q);
        }
        self.table
            .store(Box::into_raw(Box::new(larger)), Ordering::Release);
        true
    }
    /// The definition that a call in `module` means: its own, an import, or inherited. What is imported and not defined (a module exports
    /// what it does not define) hides nothing; it is meant if there is nothing else.
    pub fn resolve(&self, module: Atom, functor: Functor) -> Option<&'static Predicate> {
        self.resolve_as(module, functor, |p| p.is_defined(), Predicate::link)
    }
    /// The same for whom other predicates are defined, or linked to others.
    pub fn resolve_as(
        &self,
        module: Atom,
        functor: Functor,
        is_defined: impl Fn(&'static Predicate) -> bool,
        link: impl Fn(&'static Predicate) -> Option<&'static Predicate>,
    ) -> Option<&'static Predicate> {
        // Imported, though it is not defined.
        let promised = Cell::new(None);
        let own = |m| {
            let p = self.find(m, functor)?;
            if is_defined(p) {
                return Some(p);
            }
            let import = link(p)?;
            if is_defined(import) {
                return Some(import);
            }
            promised.set(promised.get().or(Some(import)));
            None
        };
        let library = || self.is_library(module);
        let found = if self.inheritance.is_default() {
            own(module).or_else(|| match module {
                atoms::SYSTEM => None,
                atoms::USER => own(atoms::SYSTEM),
                _ if library() => own(atoms::SYSTEM),
                _ => own(atoms::USER).or_else(|| own(atoms::SYSTEM)),
            })
        } else {
            (self.inheritance).walk(module, &mut |m| own(m))
        };
        found.or(promised.get())
    }
    /// Whether a module is Samite's own.
    pub fn is_library(&self, module: Atom) -> bool {
        module == atoms::SYSTEM || self.inheritance.is_library(module)
    }
    /// What a goal in a clause of `module` refers to: a predicate that the module cannot redefine directly, anything else through the
    /// module's entry. Made as in [`Program::predicate`].
    pub fn callee(&self, module: Atom, functor: Functor) -> &'static Predicate {
        match self.known_callee(module, functor) {
            Some(p) => p,
            None => self.predicate(module, functor),
        }
    }
    /// The same; made as in [`Program::predicate_if`].
    #[inline]
    pub fn callee_if(
        &self,
        module: Atom,
        functor: Functor,
        may_take: impl Fn(usize) -> bool,
    ) -> Option<&'static Predicate> {
        match self.known_callee(module, functor) {
            Some(p) => Some(p),
            None => self.predicate_if(module, functor, may_take),
        }
    }
    #[inline]
    fn known_callee(&self, module: Atom, functor: Functor) -> Option<&'static Predicate> {
        let own = self.find(module, functor);
        if own.is_some_and(Predicate::is_defined) {
            return own;
        }
        let system = self.find(atoms::SYSTEM, functor).filter(|p| {
            p.is_defined()
                && (p.has(flag::CORE) || (module != atoms::USER && self.is_library(module)))
        });
        system.or(own)
    }
    /// Whether some predicate is a hook of expansion and in use.
    pub fn some_hook(&self, is_used: impl Fn(&'static Predicate) -> bool) -> bool {
        self.hooks.read().iter().any(|p| is_used(p))
    }
    /// All predicates made so far.
    pub fn predicates(&self) -> Vec<&'static Predicate> {
        self.all.lock().clone()
    }
    /// Those of a name, of all modules.
    pub fn predicates_named(&self, name: Atom) -> Vec<&'static Predicate> {
        let all = self.all.lock();
        self.by_name.lock().find(&all, name)
    }
    /// Calls `f` with all predicates made so far, which takes no memory.
    pub fn each_predicate(&self, mut f: impl FnMut(&'static Predicate)) {
        let at = |i: usize| self.all.lock().get(i).copied();
        (0..).map_while(at).for_each(&mut f);
    }
    /// The operators that a module sees.
    pub fn operators(&self, module: Atom) -> Arc<Operators> {
        self.operators.of(module, &self.inheritance)
    }
    /// What modules say of operators.
    pub fn operators_said(&self) -> Vec<(Atom, (u16, OpType, Atom))> {
        self.operators.said()
    }
    /// Defines an operator in a module; see [`OperatorTables::add`].
    pub fn add_operator(&self, module: Atom, operator: (u16, OpType, Atom)) {
        self.operators.add(module, operator, &self.inheritance);
    }
    /// What a module says of operators itself.
    pub fn own_operators(&self, module: Atom) -> OwnOperators {
        self.operators.own(module)
    }
    /// It says this, in place of all that it has said.
    pub fn put_own_operators(&self, module: Atom, own: OwnOperators) {
        self.operators.put_own(module, own);
    }
    /// The program has a module of this name, which may be that of a library that is not loaded.
    pub fn take_name(&self, module: Atom) {
        if self.inheritance.take_name(module) {
            self.operators.forget();
        }
    }
    /// Gives a module these import modules; false if it would inherit from itself.
    pub fn set_import_modules(&self, module: Atom, parents: Vec<Atom>) -> bool {
        let set = self.inheritance.set(module, parents);
        self.operators.forget();
        set
    }
}
