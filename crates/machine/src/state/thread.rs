//! The state of one Prolog thread, but for what the machine has in its registers while the thread runs.
//!
//! Those are K, B, B0, HB, the trail and the choicepoint stack: they are fields of the [`Worker`](crate::engine::worker::Worker) that runs the thread, so that no
//! instruction looks for them through a pointer. A worker runs one thread as long as it lives.
//!
//! The groups are by who writes them; each is defined where its concept is:
//!
//! | group | written by |
//! |---|---|
//! | `control` | the registry and other threads, through atomics and locks |
//! | `events` | safe points and the ways into and out of what is atomic |
//! | `leaving` | exceptions and cleanup |
//! | `results` | `findall/3` and its kin |
//! | `tabling`, `pins` | tabled calls; walks of dynamic predicates |
//! | `io` | stream builtins and redirections |
//! | `modules`, `loading` | the loader |
//! | `engine` | who runs it as an engine |
//! | the rest | a builtin or two each |

use crate::state::engines::Engine;
use crate::state::events::ThreadEvents;
use crate::state::leaving::Leaving;
use crate::state::loading::Loading;
use crate::state::locale::{NamedLocale, default_locale};
use crate::state::pins::Pins;
use crate::state::results::AllResults;
use crate::state::streams::ThreadStreams;
use crate::state::tabling::Tabling;
use rustc_hash::FxHashMap;
use samite_arith::env::Clock;
use samite_code::Predicate;
use samite_sched::registry::ThreadControl;
use samite_term::held::is_kept;
use samite_term::{Cell, HeldAtom, Record, atoms};
use samite_world::clock::{self, Whose};
use std::sync::{Arc, Weak};

/// A limit of inferences that is never reached.
pub(crate) const NO_LIMIT: u64 = u64::MAX;

/// See the module text.
pub struct Thread {
    /// Identity, status and events: what others know of the thread.
    pub control: Arc<ThreadControl>,
    pub(crate) events: ThreadEvents,
    pub(crate) leaving: Leaving,
    pub(crate) results: AllResults,
    pub(crate) tabling: Tabling,
    pub(crate) pins: Pins,
    pub(crate) io: ThreadStreams,
    pub(crate) modules: ModuleContext,
    pub(crate) loading: Loading,
    /// Global variables: cells in the old generation that hold the value.
    pub globals: FxHashMap<HeldAtom, Cell>,
    /// This thread's clauses of thread-local predicates.
    pub(crate) locals: FxHashMap<usize, &'static Predicate>,
    /// Per-thread flags (`double_quotes` and others that a file may change).
    pub flags: FxHashMap<HeldAtom, Record>,
    pub arith: samite_arith::Env,
    /// How `format/2` punctuates numbers where it is asked to.
    pub(crate) locale: NamedLocale,
    /// The number of inferences that this thread may reach.
    pub(crate) inference_limit: u64,
    /// Bytes of heap, trail and choicepoints at which an error is raised rather than more memory taken.
    pub(crate) memory_limit: usize,
    /// Whether a message is being printed.
    pub(crate) reporting: bool,
    /// Last values of `statistics/2` keys that report differences.
    pub(crate) last_times: [i64; 4],
    /// The call, by its number, that [`Worker::call_again`](crate::engine::worker::Worker::call_again) was asked for last.
    pub(crate) called_again: u64,
    pub(crate) engine: EngineState,
}

/// What of a thread has to do with engines.
pub(crate) struct EngineState {
    /// The engine that it is.
    pub me: Weak<Engine>,
    /// It runs as an engine: whoever runs it looks at what its loop says when it is left.
    pub driven: bool,
    /// There was no room for a new one, and those are looked for that nobody can name.
    pub reclaims: bool,
    /// It is an engine that ends because whoever asked it was to end what it did, in the midst of a long operation: whatever is asked of it by then, its
    /// abort is no reply.
    pub ends_for_runner: bool,
    /// The number of the thread on whose OS thread it runs.
    pub runner: u32,
}

// What is this thread's alone is on no heap, and is kept from one safe point to the next.
const _: () = {
    is_kept::<ModuleContext>();
    is_kept::<Loading>();
    is_kept::<Leaving>();
    is_kept::<AllResults>();
    is_kept::<ThreadEvents>();
    is_kept::<NamedLocale>();
    is_kept::<FxHashMap<HeldAtom, Record>>();
};

/// The modules of what names no module.
#[derive(Debug, Clone)]
pub(crate) struct ModuleContext {
    /// Unqualified goals are looked up in it.
    pub typein: HeldAtom,
    /// Clauses of files are added to it.
    pub source: HeldAtom,
}

impl Thread {
    /// By how much it may exceed the limit of what threads have in common. A message about memory that is missing needs
    /// some; a library is not counted when it is loaded.
    pub(crate) fn beyond_limit(&self) -> usize {
        if self.loading.system {
            usize::MAX
        } else if self.reporting {
            samite_term::common::RESERVE
        } else {
            0
        }
    }
    /// A thread that has not run, with a memory limit in bytes.
    pub(crate) fn new(control: Arc<ThreadControl>, memory_limit: usize) -> Thread {
        let engine = EngineState {
            me: Weak::new(),
            driven: false,
            reclaims: false,
            ends_for_runner: false,
            runner: control.id().number(),
        };
        Thread {
            control,
            events: ThreadEvents::default(),
            leaving: Leaving::default(),
            results: AllResults::default(),
            tabling: Tabling::default(),
            pins: Pins::default(),
            io: ThreadStreams::default(),
            modules: ModuleContext {
                typein: atoms::USER.hold(),
                source: atoms::USER.hold(),
            },
            loading: Loading::default(),
            globals: FxHashMap::default(),
            locals: FxHashMap::default(),
            flags: FxHashMap::default(),
            arith: samite_arith::Env {
                cputime: Clock::Function(|| clock::processor(Whose::Process)),
                ..samite_arith::Env::default()
            },
            locale: default_locale(),
            inference_limit: NO_LIMIT,
            memory_limit,
            reporting: false,
            last_times: [0; 4],
            called_again: 0,
            engine,
        }
    }
}
