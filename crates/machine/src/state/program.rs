//! What all threads of a program share.
//!
//! Everything here is behind locks or made of atomics, and lives until the last thread of the program has ended: each worker holds a
//! counted reference. What belongs to one Prolog thread is in [`crate::state::thread`], what belongs to the OS thread that runs it in
//! [`crate::engine::worker`].

use crate::state::ending::Ending;
use crate::state::engines::Engines;
use crate::state::library::{LibraryText, Recalled};
use crate::state::light::LightThread;
use crate::state::outside::Outside;
use crate::state::resume_points::ResumePoints;
use parking_lot::{Mutex, RwLock};
use rustc_hash::{FxHashMap, FxHashSet};
use samite_code::Predicate;
use samite_heap::HeapConfig;
use samite_sched::ready::Ready;
use samite_sched::registry::Registry;
use samite_stream::StreamTable;
use samite_term::{HeldAtom, HeldFunctor, Record};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};

// All threads have it.
const _: () = samite_term::held::is_shared::<Program>();

/// What evaluations of tabled predicates have called, or asked about, and was not defined.
#[derive(Default, Debug)]
pub struct Missed {
    pub(crate) functors: FxHashSet<HeldFunctor>,
    /// They have asked about these with any number of arguments.
    pub(crate) names: FxHashSet<HeldAtom>,
    /// They have asked which predicates, or files, there are.
    pub(crate) everything: bool,
}

/// What all threads of a program share.
pub struct Program {
    /// What it defines.
    pub code: samite_code::Program,
    pub streams: StreamTable,
    pub registry: Registry,
    /// The recorded database.
    pub records: super::records::Records,
    pub flag_keys: super::flag_keys::FlagKeys,
    /// How much the clauses of modules may take.
    pub module_space: super::module_space::ModuleSpace,
    /// Wrappers of predicates.
    pub wrappers: super::wrappers::Wrappers,
    /// Directives of `format/2` that the program has defined.
    pub directives: super::directives::Directives,
    /// Flags of Samite's whose values at the start are the machine's or no words, as they were before options: see `builtins::flags`. Atoms in them stay, or are beside them.
    pub first_flags: OnceLock<FxHashMap<HeldAtom, (Record, Option<HeldAtom>)>>,
    /// Command-line words.
    pub argv: Mutex<Vec<String>>,
    /// Errors and warnings that have been printed.
    pub printed: [AtomicU64; 2],
    /// Loads and unloadings of files that have changed what is defined.
    pub redefinitions: AtomicU64,
    /// Tables that threads share.
    pub shared_tables: super::tabling::shared::SharedTables,
    /// Limits of calls and answers of tables.
    pub wires: super::tabling::restraints::Wires,
    /// What evaluations of tabled predicates have found undefined since the last of these.
    pub missed: Mutex<Missed>,
    /// When the program started.
    pub started: std::time::Instant,
    pub heap_config: Mutex<HeapConfig>,
    /// Copies of thread-local predicates whose threads have ended, by the predicate's address, for the next threads: predicates live
    /// as long as the process.
    pub spare_locals: Mutex<FxHashMap<usize, Vec<&'static Predicate>>>,
    /// Held by the thread that puts a file's new definitions in place of the old ones; see [`crate::engine::step`].
    pub step: Mutex<()>,
    /// Empty shadows of predicates, by the predicate's address and whether they are twins, for the next load; see [`crate::engine::shadows`].
    pub spare_shadows: Mutex<FxHashMap<(usize, bool), Vec<&'static Predicate>>>,
    /// Line editing for queries, if the host has it.
    pub line_reader: Mutex<Option<Box<dyn super::line_reader::LineReader>>>,
    /// The libraries that come with it, and what they export; see [`crate::builtins::libraries`].
    pub libraries: &'static [LibraryText],
    pub library_exports: &'static str,
    pub recalled: RwLock<Recalled>,
    pub outside: Outside,
    pub ending: Ending,
    pub engines: Engines,
    pub sockets: super::sockets::Sockets,
    /// Those that programs have made.
    pub tries: super::tries::Tries,
    pub memory_files: super::memory_files::MemoryFiles,
    /// Light threads that are ready, and who runs them.
    pub light: Arc<Ready<LightThread>>,
    /// Code that runs a body; see [`crate::engine::dynamic`].
    pub body_code: std::sync::OnceLock<[u64; 2]>,
    /// Where continuations go on that are terms.
    pub resume_points: RwLock<ResumePoints>,
    /// Predicates, by their addresses, that are declared as parsers of quasi quotations.
    pub quasi_syntaxes: RwLock<rustc_hash::FxHashSet<usize>>,
    /// Code of programs is listed as it is compiled (`SAMITE_LISTING`).
    pub lists_code: std::sync::atomic::AtomicBool,
    /// In debug builds a goal runs wherever one that a binding wakes may have to (`SAMITE_WAKE_STRESS`).
    pub wakes_everywhere: std::sync::atomic::AtomicBool,
    /// Evaluations that others may share wait a moment for somebody to come (`SAMITE_SHARE_STRESS`).
    pub waits_for_company: std::sync::atomic::AtomicBool,
    /// New threads begin with what `thread_initialization/1` was told.
    pub initializes_threads: std::sync::atomic::AtomicBool,
    /// What somebody is told of.
    pub told: super::told::Told,
    /// The flag `print_write_options` was never set.
    pub prints_plainly: std::sync::atomic::AtomicBool,
    /// The flag `detect_deadlocks`.
    pub detects_deadlocks: std::sync::atomic::AtomicBool,
}
