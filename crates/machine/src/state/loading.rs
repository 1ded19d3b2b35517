//! What a thread loads: the loader's part of its state.

use super::pending::PendingList;
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};
use samite_code::Predicate;
use samite_code::modes::{How, Mode};
use samite_code::operators::Own;
use samite_code::predicate::{Clause, flag};
use samite_code::program::{Import, Module, is_hook};
use samite_code::sources::{Lost, What};
use samite_syntax::read::Position;
use samite_term::packed::Packed;
use samite_term::{Atom, HeldAtom, HeldFunctor, Record};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a thread loads.
#[derive(Default)]
pub(crate) struct Loading {
    /// Loads in progress, the innermost last.
    pub loads: Vec<Load>,
    /// What the thread sees of loads of others, whose goals have started it.
    pub inherited: Vec<Inherited>,
    /// Files that others load, to wait for when this thread has loaded all: without them what it uses is not whole.
    pub unfinished: Vec<HeldAtom>,
    /// Files whose initialization goals it runs, the innermost last.
    initializing: Vec<HeldAtom>,
    /// Files whose initialization goals have started it, maybe through others: these may wait for its end.
    pub within: Option<Arc<[HeldAtom]>>,
    /// Both together, for a thread that it starts.
    lent_within: Option<Arc<[HeldAtom]>>,
    /// Imports of files that it is making again.
    pub renewals: Vec<Renewal>,
    /// It puts a file's new definitions in place.
    pub steps: bool,
    /// Whether a library is being loaded.
    pub system: bool,
    /// The libraries whose terms are being read, the innermost last.
    pub texts: Vec<Packed<'static>>,
    /// Predicates of that library, which others may call when it is loaded.
    pub unpublished: Vec<&'static Predicate>,
    /// Terms of clauses of the library whose text is being read again, by the clause's address; see [`super::recalled`].
    pub recalling: FxHashMap<usize, Record>,
    /// Bytes that all threads had in common when a library began to load.
    pub held_before: usize,
}

impl Loading {
    /// Whether the thread has loaded nothing.
    pub(crate) fn is_new(&self) -> bool {
        let Loading {
            loads,
            inherited,
            unfinished,
            initializing,
            // (Which is kept while it is folded.)
            within: _,
            lent_within: _,
            renewals,
            steps,
            system,
            texts,
            unpublished,
            recalling,
            held_before,
        } = self;
        loads.is_empty()
            && inherited.is_empty()
            && unfinished.is_empty()
            && initializing.is_empty()
            && renewals.is_empty()
            && !steps
            && !system
            && texts.is_empty()
            && unpublished.is_empty()
            && recalling.is_empty()
            && *held_before == 0
    }
}

/// The shadows of static predicates that a load had when one of its goals started a thread, for that thread to call, and the imports that it does not
/// have. (What is dynamic it sees as all others do: what it asserts there is for all.)
#[derive(Clone, Debug)]
pub(crate) struct Inherited {
    shadows: Arc<FxHashMap<usize, &'static Predicate>>,
    /// Not any more when the load has ended.
    imported_before: ImportedBefore,
    /// The load has ended, or has been given up, or other shadows have taken the place of these.
    ended: Arc<AtomicBool>,
}

/// Names that only the version before of a file has imported, and what they mean by that, by address. What is imported again is not among them any
/// more, and nothing is when the load has ended. Threads that goals of the load have started read it, too.
#[derive(Clone, Debug, Default)]
pub(crate) struct ImportedBefore(Arc<Mutex<FxHashMap<usize, usize>>>);

impl ImportedBefore {
    pub(crate) fn new(links: FxHashMap<usize, usize>) -> ImportedBefore {
        ImportedBefore(Arc::new(Mutex::new(links)))
    }
    fn has(&self, name: &'static Predicate, target: &'static Predicate) -> bool {
        self.0.lock().get(&key(name)) == Some(&key(target))
    }
    fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }
    /// The load has ended.
    pub(crate) fn clear(&self) {
        self.0.lock().clear();
    }
}

/// Whose hooks are being asked, in the midst of a load.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Asks {
    #[default]
    Nobody,
    /// What becomes of a term or goal.
    Expansion,
    /// What becomes of a message.
    Message,
}

/// What a thread has of the loads of the one that has started it.
#[derive(Debug)]
pub(crate) struct Lent {
    seen: Vec<Inherited>,
    within: Option<Arc<[HeldAtom]>>,
}

/// What a version of a file says of a predicate anew.
pub(crate) const SAID: u32 = flag::ANNOUNCED | flag::TOLD;

/// What is said of a predicate, and of which kind it is.
pub(crate) struct Said {
    pub predicate: &'static Predicate,
    pub flags: u32,
    /// Its meta-arguments, and whether it is told the module of its caller.
    pub meta: (Option<Vec<u8>>, bool),
}

impl Said {
    pub(crate) fn of(p: &'static Predicate) -> Said {
        Said {
            predicate: p,
            flags: p.flags(),
            meta: (p.meta().map(<[u8]>::to_vec), p.is_transparent()),
        }
    }
}

/// How a predicate is declared to be tabled.
pub(crate) struct Tabling {
    pub predicate: &'static Predicate,
    pub modes: Vec<Mode>,
    pub how: How,
}

/// A module, before a load has read its header.
pub(crate) struct HeaderBefore {
    pub module: HeldAtom,
    /// What it had of its own: flags, and operators.
    pub flags: Vec<(HeldAtom, HeldAtom)>,
    pub operators: Own,
    /// Its file, and what it exported; `None`: there was none.
    pub was: Option<Module>,
}

/// Copies of clauses of the file that a load has taken away from a predicate, or from this thread's own of it.
pub(crate) struct Aside {
    pub predicate: &'static Predicate,
    #[allow(clippy::vec_box, reason = "clauses live in boxes of their own")]
    pub clauses: Vec<Box<Clause>>,
}

/// A load in progress.
pub(crate) struct Load {
    pub(crate) session: i64,
    pub file: HeldAtom,
    /// What is being read: the file, or a text that it includes.
    pub(crate) text: HeldAtom,
    /// The file has been loaded before, and has not been unloaded since, nor lost all that it defined to others.
    pub(crate) again: bool,
    /// The predicates with clauses or declarations of the file from earlier loads, by address.
    pub(crate) before: FxHashSet<usize>,
    /// Those of them that no other file has a say in.
    pub(crate) alone: FxHashSet<usize>,
    /// Those that this load has declared or given clauses.
    pub(crate) touched: FxHashSet<usize>,
    /// Those of them that were there before it touched them.
    pub(crate) adds_to: FxHashSet<usize>,
    /// The predicate of the last clause looked at by `'$clause_problem'/4`. (Another file may be loaded between two clauses of one.)
    pub last_clause: Option<(HeldAtom, HeldFunctor)>,
    /// Whether the file has had, or has, clauses of predicates that the loader asks.
    pub(crate) hooked: bool,
    /// Those that it has given clauses.
    pub(crate) claimed: FxHashSet<usize>,
    /// What it has declared: predicates and the names of directives.
    pub(crate) declared: FxHashSet<(usize, HeldAtom)>,
    /// What other files had of predicates that it has taken over.
    pub(crate) lost: Vec<Lost>,
    pub(crate) pending: PendingList,
    pub(crate) changed: bool,
    /// It has read a clause since a goal of it ran.
    pub(crate) reads: bool,
    /// So many tables the thread had made before those that may lack what has been read since.
    pub(crate) tables_before: u64,
    /// Predicates as this thread sees them, by address; see [`crate::engine::shadows`].
    pub shadows: FxHashMap<usize, (&'static Predicate, &'static Predicate)>,
    /// Set when they are no more; made when a thread is started that sees them.
    pub(crate) lent: Option<Arc<AtomicBool>>,
    /// Predicates that goals of it have made dynamic.
    pub made_dynamic: FxHashSet<usize>,
    /// Predicates that goals of it have made static, for when it ends.
    pub made_static: Vec<&'static Predicate>,
    /// Predicates that have got clauses which their shadows do not have yet.
    pub(crate) fresh: Vec<&'static Predicate>,
    /// It has run something of the program.
    pub(crate) shown: bool,
    /// Its first term has been read.
    pub(crate) begun: bool,
    /// That is a module header, which has not been seen to.
    pub(crate) at_header: bool,
    pub(crate) must_be_module: bool,
    /// Where the term begins that was read last.
    pub(crate) position: Option<Position>,
    /// It may take the name of a module that another file defines.
    pub(crate) redefines_module: bool,
    /// The module that it defines.
    pub(crate) module: Option<HeldAtom>,
    /// The modules of the units of tests that it has begun.
    pub(crate) units: Vec<HeldAtom>,
    /// The file that defined that, if it was another one.
    pub(crate) module_of: Option<HeldAtom>,
    /// What was said of predicates before this version did, which begins anew with those of its file's alone.
    pub(crate) said_before: Vec<Said>,
    /// How it has declared predicates tabled, if the file has been loaded before: others learn of it when it ends. By address.
    pub(crate) tabling: FxHashMap<usize, Tabling>,
    /// Clauses that it has taken away before its end.
    pub(crate) aside: Vec<Aside>,
    /// What the module was that this version has defined anew.
    pub(crate) header_before: Option<HeaderBefore>,
    /// What the version before declares.
    pub(crate) declared_before: Vec<(What, usize)>,
    /// What its module exported before, and does not any more: module and functor.
    pub(crate) not_exported: Vec<(HeldAtom, HeldFunctor)>,
    /// Names may mean something else than before in modules that inherit.
    pub(crate) moved: bool,
    pub(crate) imported_before: ImportedBefore,
    pub(crate) asks: Asks,
}

impl Loading {
    /// Whether a name is linked to this by an import that is not there, so far, in what this thread loads, or the one that has started it. (What hooks
    /// call is as it was before.)
    #[inline]
    pub(crate) fn hides(&self, name: &'static Predicate, target: &'static Predicate) -> bool {
        let mut own = self.loads.iter().map(|l| &l.imported_before);
        let seen = || match self.asks() {
            Asks::Nobody => true,
            Asks::Expansion => is_hook(name.name()),
            Asks::Message => false,
        };
        own.any(|i| i.has(name, target)) && seen()
            || (self.inherited.iter()).any(|i| i.imported_before.has(name, target))
    }
    /// A name is imported (again).
    pub(crate) fn shows(&mut self, name: &'static Predicate) {
        for load in &self.loads {
            load.imported_before.0.lock().remove(&key(name));
        }
    }
    fn asks(&self) -> Asks {
        self.loads.last().map_or(Asks::Nobody, |l| l.asks)
    }
    /// Whether the version before of a predicate is called, which has this shadow: by a hook, which is another file's. In a file that has hooks itself,
    /// which may call what else is in it, that is so until something of the predicate has been read; and wherever the hooks of messages are, as messages may
    /// come from goals of the file.
    pub(crate) fn asks_version_before(
        &self,
        p: &'static Predicate,
        shadow: &'static Predicate,
    ) -> bool {
        let of = || self.loads.iter().rev().find(|l| l.shadow(p).is_some());
        let is_read = shadow.has(flag::DEFINED);
        match self.asks() {
            Asks::Nobody => false,
            Asks::Expansion => of().is_some_and(|l| !l.hooked || !(is_read || is_hook(p.name()))),
            Asks::Message => !is_read,
        }
    }
    /// Whether hooks are being asked, and this one is being loaded again: what it has not said again, it does not say. It does not mean what its module
    /// inherits, which may be what asks it.
    pub(crate) fn says_nothing(&self, p: &'static Predicate) -> bool {
        self.asks() == Asks::Expansion && is_hook(p.name()) && !p.has(flag::NEW)
    }

    /// The definition of a predicate that is being loaded again, if this thread is the one that does.
    #[cold]
    pub(crate) fn shadow(&self, p: &'static Predicate) -> Option<&'static Predicate> {
        self.loads.iter().rev().find_map(|load| load.shadow(p))
    }
}

impl Loading {
    /// It is started by a goal of a thread that loads this.
    pub(crate) fn begin(&mut self, lent: Lent) {
        self.inherited = lent.seen;
        self.put_within(lent.within);
    }
    pub(crate) fn put_within(&mut self, within: Option<Arc<[HeldAtom]>>) {
        self.lent_within.clone_from(&within);
        self.within = within;
    }
    /// What a thread has of this one's loads that is started now.
    pub(crate) fn lend(&mut self) -> Lent {
        Lent {
            within: self.lent_within.clone(),
            seen: self.lend_shadows(),
        }
    }
    /// It is about to run the initialization goals of a file.
    pub(crate) fn initialize(&mut self, file: HeldAtom) {
        self.initializing.push(file);
        self.lend_within();
    }
    /// They have ended, if it has begun to.
    pub(crate) fn has_initialized(&mut self, file: Atom) {
        let before = self.initializing.len();
        self.initializing.retain(|f| *f != file);
        if self.initializing.len() < before {
            self.lend_within();
        }
    }
    fn lend_within(&mut self) {
        let outer = self.within.iter().flat_map(|w| w.iter());
        let all: Vec<HeldAtom> = outer.chain(&self.initializing).cloned().collect();
        self.lent_within = (!all.is_empty()).then(|| all.into());
    }
    fn lend_shadows(&mut self) -> Vec<Inherited> {
        let has_ended = |i: &Inherited| i.ended.load(Ordering::Acquire);
        self.inherited
            .retain(|i| !has_ended(i) || !i.imported_before.is_empty());
        let mut all = self.inherited.clone();
        for load in &mut self.loads {
            let own = load.shadows.iter().filter(|(_, s)| !s.1.is_twin());
            let shadows: FxHashMap<_, _> = own.map(|(&p, s)| (p, s.1)).collect();
            if !shadows.is_empty() || !load.imported_before.is_empty() {
                all.push(Inherited {
                    shadows: Arc::new(shadows),
                    imported_before: load.imported_before.clone(),
                    ended: load.lent.get_or_insert_default().clone(),
                });
            }
        }
        all
    }
    /// The definition of a predicate that is being loaded again, if a goal of that load has started this thread.
    #[cold]
    pub(crate) fn inherited(&self, p: &'static Predicate) -> Option<&'static Predicate> {
        let going_on = |i: &&Inherited| !i.ended.load(Ordering::Acquire);
        let mut all = self.inherited.iter().rev().filter(going_on);
        all.find_map(|i| i.shadows.get(&key(p)).copied())
    }
}

impl Load {
    /// The first load of a file.
    pub(crate) fn new(session: i64, file: Atom) -> Load {
        Load {
            session,
            file: file.hold(),
            text: file.hold(),
            again: false,
            before: FxHashSet::default(),
            alone: FxHashSet::default(),
            touched: FxHashSet::default(),
            last_clause: None,
            hooked: false,
            claimed: FxHashSet::default(),
            adds_to: FxHashSet::default(),
            declared: FxHashSet::default(),
            lost: Vec::new(),
            pending: PendingList::default(),
            changed: false,
            reads: false,
            tables_before: 0,
            shadows: FxHashMap::default(),
            lent: None,
            made_dynamic: FxHashSet::default(),
            made_static: Vec::new(),
            fresh: Vec::new(),
            shown: false,
            begun: false,
            at_header: false,
            must_be_module: false,
            position: None,
            redefines_module: false,
            module: None,
            units: Vec::new(),
            module_of: None,
            said_before: Vec::new(),
            tabling: FxHashMap::default(),
            aside: Vec::new(),
            header_before: None,
            declared_before: Vec::new(),
            not_exported: Vec::new(),
            moved: false,
            imported_before: ImportedBefore::default(),
            asks: Asks::Nobody,
        }
    }
    pub(crate) fn file(&self) -> Atom {
        self.file.get()
    }
    /// Its shadows are about to go: threads that were started by its goals see what others see.
    pub(crate) fn end_lending(&mut self) {
        if let Some(ended) = self.lent.take() {
            ended.store(true, Ordering::Release);
        }
    }
    /// The file has been loaded before.
    pub(crate) fn again(&self) -> bool {
        self.again
    }
    /// Whether the version before of the file had a say in a predicate, and no other file.
    pub fn was_alone(&self, p: &'static Predicate) -> bool {
        self.before.contains(&key(p)) && self.alone.contains(&key(p))
    }
    pub fn shadow(&self, p: &'static Predicate) -> Option<&'static Predicate> {
        self.shadows.get(&key(p)).map(|s| s.1)
    }
    /// Whether this load has declared something of the predicate, or defined it.
    pub fn has_declared(&self, p: &'static Predicate) -> bool {
        self.touched.contains(&key(p))
    }
    /// What it has told of a predicate: flags.
    pub(crate) fn says(&self, p: &'static Predicate) -> u32 {
        let said = TOLD.iter().filter(|(how, _)| self.has(p, how));
        said.fold(0, |flags, (_, f)| flags | f)
    }
    /// Whether it has declared a predicate like this.
    pub fn has(&self, p: &'static Predicate, how: &str) -> bool {
        self.declared.contains(&(key(p), Atom::of(how).hold()))
    }
    /// The file itself has taken back what it has declared of a predicate.
    pub(crate) fn forget_declared(&mut self, p: &'static Predicate) {
        self.declared.retain(|(k, _)| *k != key(p));
        self.tabling.remove(&key(p));
    }
    /// The same of one declaration.
    pub(crate) fn takes_back(&mut self, p: &'static Predicate, what: What) {
        let name = Atom::of(what.directive()).hold();
        self.declared.remove(&(key(p), name));
        if what == What::Tabled {
            self.tabling.remove(&key(p));
        }
    }
}

/// Flags of predicates that declarations give, and that mean nothing to the machine itself, but for `det` and `incremental`: names of directives.
const TOLD: [(&str, u32); 6] = [
    ("discontiguous", flag::DISCONTIGUOUS),
    ("public", flag::PUBLIC),
    ("volatile", flag::VOLATILE),
    ("noprofile", flag::NOPROFILE),
    ("det", flag::DET),
    ("incremental", flag::INCREMENTAL),
];

/// The flag that a declaration gives, if it is one of those that tell others something.
pub(crate) fn told(how: &str) -> Option<u32> {
    let of = TOLD.iter().find(|(name, _)| *name == how)?;
    Some(of.1).filter(|f| f & flag::TOLD != 0)
}

pub(crate) fn key(p: &'static Predicate) -> usize {
    std::ptr::from_ref(p) as usize
}

/// A file's imports that are being made again.
pub(crate) struct Renewal {
    pub(crate) by: HeldAtom,
    pub(crate) before: Vec<Import>,
}
