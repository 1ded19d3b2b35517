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
//! | `transactions` | those that the thread is in |
//! | `io` | stream builtins and redirections |
//! | `modules`, `loading` | the loader |
//! | `engine` | who runs it as an engine |
//! | the rest | a builtin or two each |

use crate::state::depth::Depth;
use crate::state::engines::Engine;
use crate::state::events::ThreadEvents;
use crate::state::leaving::Leaving;
use crate::state::loading::Loading;
use crate::state::locale::{NamedLocale, default_locale};
use crate::state::pins::Pins;
use crate::state::results::AllResults;
use crate::state::streams::ThreadStreams;
use crate::state::tabling::Tabling;
use crate::state::transactions::Transactions;
use rustc_hash::FxHashMap;
use samite_arith::env::Clock;
use samite_code::Predicate;
use samite_sched::registry::{Flags, ThreadControl, ThreadId};
use samite_term::common::Held;
use samite_term::held::is_kept;
use samite_term::{Cell, HeldAtom, atoms};
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
    pub(crate) transactions: Transactions,
    pub(crate) io: ThreadStreams,
    pub(crate) modules: ModuleContext,
    pub(crate) loading: Loading,
    /// Global variables: cells in the old generation that hold the value.
    pub globals: FxHashMap<HeldAtom, Cell>,
    /// Goals of `undo/1`, oldest first; see [`crate::engine::control::undo`].
    pub(crate) undos: Vec<Held>,
    /// This thread's clauses of thread-local predicates.
    pub(crate) locals: FxHashMap<usize, &'static Predicate>,
    /// Per-thread flags (`double_quotes` and others that a file may change).
    pub flags: Arc<Flags>,
    /// Those that the last one was given which it created.
    pub(crate) handed_on: Option<HandedOn>,
    pub arith: samite_arith::Env,
    /// How `format/2` punctuates numbers where it is asked to.
    pub(crate) locale: NamedLocale,
    /// The number of inferences that this thread may reach.
    pub(crate) inference_limit: u64,
    /// How deep its calls may be, and are.
    pub(crate) depth: Depth,
    /// The number at which its slice is over, where slices are counted.
    pub(crate) slice_end: u64,
    /// Bytes of heap, trail and choicepoints at which an error is raised rather than more memory taken.
    pub(crate) memory_limit: usize,
    /// Whether a message is being printed.
    pub(crate) reporting: bool,
    /// Last values of `statistics/2` keys that report differences.
    pub(crate) last_times: [i64; 4],
    /// The call, by its number, that [`Worker::call_again`](crate::engine::worker::Worker::call_again) was asked for last.
    pub(crate) called_again: CalledAgain,
    pub(crate) engine: EngineState,
}

/// Flags that a new thread was given: of which they were made, for which memory limit.
pub(crate) struct HandedOn {
    pub from: Arc<Flags>,
    pub limit: usize,
    pub with: Arc<Flags>,
}

/// A call, by its number, and how often it was called again, in one word.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct CalledAgain(u64);

impl CalledAgain {
    const BITS: u32 = 4;
    /// So often at most.
    pub const MOST: u64 = (1 << Self::BITS) - 1;

    pub fn new(call: u64, times: u64) -> CalledAgain {
        debug_assert!(times <= Self::MOST);
        CalledAgain(call << Self::BITS | times)
    }
    /// How often the call of this number was called again.
    pub fn times_of(self, call: u64) -> u64 {
        match self.0 >> Self::BITS == call {
            true => self.0 & Self::MOST,
            false => 0,
        }
    }
}

/// What of a thread has to do with engines.
pub(crate) struct EngineState {
    /// The engine that it is.
    pub me: Weak<Engine>,
    /// It runs as an engine: whoever runs it looks at what its loop says when it is left.
    pub driven: bool,
    /// There was no room for a new one, and those are looked for that nobody can name.
    pub reclaims: bool,
    /// It has just waited for those that nobody can name to be ended.
    pub has_waited: bool,
    /// It is an engine that ends because whoever asked it was to end what it did, in the midst of a long operation: whatever is asked of it by then, its
    /// abort is no reply.
    pub ends_for_runner: bool,
    /// The number of the thread on whose OS thread it runs.
    pub runner: u32,
    /// Of an engine that runs: that thread, and the engines that it has asked for this one's answer, which do nothing meanwhile.
    pub askers: Vec<ThreadId>,
    /// Engines that it has left, for an event, in the midst of what others may wait for, and is to ask again.
    pub left: Vec<LeftEngine>,
}

/// See [`EngineState::left`].
pub(crate) struct LeftEngine {
    pub engine: Arc<ThreadControl>,
    /// The one that was asked: the same, or one that has asked for it, maybe through others.
    pub asked: ThreadId,
    /// The newest choicepoint when it was left, by its offset: an exception that goes beyond leaves the call that asks again.
    pub above: Cell,
}

// What is this thread's alone is on no heap, and is kept from one safe point to the next.
const _: () = {
    is_kept::<ModuleContext>();
    is_kept::<Loading>();
    is_kept::<Leaving>();
    is_kept::<AllResults>();
    is_kept::<ThreadEvents>();
    is_kept::<NamedLocale>();
    is_kept::<Flags>();
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
            has_waited: false,
            ends_for_runner: false,
            runner: control.id().number(),
            askers: Vec::new(),
            left: Vec::new(),
        };
        Thread {
            control,
            events: ThreadEvents::default(),
            leaving: Leaving::default(),
            results: AllResults::default(),
            tabling: Tabling::default(),
            pins: Pins::default(),
            transactions: Transactions::default(),
            io: ThreadStreams::default(),
            modules: ModuleContext {
                typein: atoms::USER.hold(),
                source: atoms::USER.hold(),
            },
            loading: Loading::default(),
            globals: FxHashMap::default(),
            undos: Vec::new(),
            locals: FxHashMap::default(),
            flags: Arc::default(),
            handed_on: None,
            arith: samite_arith::Env::with_cputime(Clock::Function(|| {
                clock::processor(Whose::Process)
            })),
            locale: default_locale(),
            inference_limit: NO_LIMIT,
            depth: Depth::default(),
            slice_end: NO_LIMIT,
            memory_limit,
            reporting: false,
            last_times: [0; 4],
            called_again: CalledAgain::default(),
            engine,
        }
    }
}
