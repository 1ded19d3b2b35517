//! Threads that are folded ([`crate::engine::folded`]), in a fraction of the room if they have used little: what is not here is as in a new one.
//!
//! *Equation*: `unpack(pack(t))` = `t`, but for the numbers of what its slice and the last error were about.

use crate::state::depth::Depth;
use crate::state::events::{Masks, ThreadEvents};
use crate::state::locale::NamedLocale;
use crate::state::streams::StandardStreams;
use crate::state::thread::{CalledAgain, ModuleContext, NO_LIMIT, Thread};
use rustc_hash::FxHashMap;
use samite_sched::registry::{Flags, ThreadControl};
use samite_stream::StreamId;
use samite_term::{Atom, Cell, HeldAtom, HoldsAtoms};
use std::sync::Arc;

/// A thread that has used little.
pub(crate) struct Packed {
    control: Arc<ThreadControl>,
    masks: Masks,
    next_result: u64,
    standard: StandardStreams,
    current_input: StreamId,
    current_output: StreamId,
    modules: ModuleContext,
    flags: Arc<Flags>,
    locale: NamedLocale,
    memory_limit: usize,
    called_again: CalledAgain,
    /// Of [`Tabling`](super::tabling::Tabling).
    for_others: bool,
    /// What most have as new ones have it.
    seldom: Option<Box<Seldom>>,
}

/// What is seldom otherwise than in a new thread.
struct Seldom {
    events: ThreadEvents,
    cleanups: usize,
    arith: samite_arith::Env,
    inference_limit: u64,
    depth: Depth,
    last_times: [i64; 4],
    /// Of [`Loading`](super::loading::Loading).
    within: Option<Arc<[HeldAtom]>>,
    globals: FxHashMap<HeldAtom, Cell>,
}

impl Seldom {
    fn is_new(&self) -> bool {
        self.events.is_new()
            && self.cleanups == 0
            && self.arith.is_new()
            && self.inference_limit == NO_LIMIT
            && self.depth == Depth::default()
            && self.last_times == [0; 4]
            && self.within.is_none()
            && self.globals.is_empty()
    }
}

/// A thread while it is folded.
pub(crate) enum Stored {
    Packed(Packed),
    Whole(Box<Thread>),
}

impl Thread {
    /// Packs it, if it has used little.
    pub(crate) fn pack(self: Box<Thread>) -> Stored {
        let engine = &self.engine;
        let plain = self.leaving.on_their_way.len() == 0
            && self.results.open.is_empty()
            && self.results.bags.is_empty()
            && self.tabling.is_new()
            && self.pins.entries.is_empty()
            && self.pins.pause == 0
            && !self.transactions.is_open()
            && self.io.is_plain()
            && self.loading.is_new()
            && self.undos.is_empty()
            && self.locals.is_empty()
            && !self.reporting
            && !engine.driven
            && !engine.reclaims
            && !engine.ends_for_runner
            && engine.askers.is_empty()
            && engine.left.is_empty()
            && engine.runner == self.control.id().number();
        if !plain {
            return Stored::Whole(self);
        }
        // All groups are here, so that none is forgotten.
        let Thread {
            control,
            events,
            leaving,
            results,
            tabling,
            pins: _,
            transactions: _,
            io,
            modules,
            loading,
            globals,
            undos: _,
            locals: _,
            flags,
            handed_on: _,
            arith,
            locale,
            inference_limit,
            depth,
            slice_end: _,
            memory_limit,
            reporting: _,
            last_times,
            called_again,
            engine: _,
        } = *self;
        let masks = events.masks;
        let seldom = Seldom {
            events,
            cleanups: leaving.cleanups,
            arith,
            inference_limit,
            depth,
            last_times,
            within: loading.within,
            globals,
        };
        Stored::Packed(Packed {
            control,
            masks,
            next_result: results.next,
            standard: io.standard,
            current_input: io.current_input,
            current_output: io.current_output,
            modules,
            flags,
            locale,
            memory_limit,
            called_again,
            for_others: tabling.for_others,
            seldom: (!seldom.is_new()).then(|| Box::new(seldom)),
        })
    }
}

impl Stored {
    /// The thread as it was.
    pub(crate) fn unpack(self) -> Box<Thread> {
        let packed = match self {
            Stored::Whole(thread) => return thread,
            Stored::Packed(packed) => packed,
        };
        let mut thread = Box::new(Thread::new(packed.control, packed.memory_limit));
        thread.results.next = packed.next_result;
        thread.io.standard = packed.standard;
        thread.io.current_input = packed.current_input;
        thread.io.current_output = packed.current_output;
        thread.modules = packed.modules;
        thread.flags = packed.flags;
        thread.locale = packed.locale;
        thread.called_again = packed.called_again;
        thread.tabling.for_others = packed.for_others;
        if let Some(seldom) = packed.seldom {
            thread.events = seldom.events;
            thread.leaving.cleanups = seldom.cleanups;
            thread.arith = seldom.arith;
            thread.inference_limit = seldom.inference_limit;
            thread.depth = seldom.depth;
            thread.last_times = seldom.last_times;
            thread.loading.put_within(seldom.within);
            thread.globals = seldom.globals;
        }
        thread.events.masks = packed.masks;
        thread
    }
    /// As [`HoldsAtoms`] of a thread.
    pub(crate) fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        match self {
            // (What it lacks has none.)
            Stored::Packed(packed) => {
                if let Some(seldom) = &packed.seldom {
                    seldom.events.each_atom(f);
                }
                packed.flags.values().for_each(|value| value.each_atom(f));
            }
            Stored::Whole(thread) => thread.each_atom(f),
        }
    }
    pub(crate) fn memory_limit(&self) -> usize {
        match self {
            Stored::Packed(packed) => packed.memory_limit,
            Stored::Whole(thread) => thread.memory_limit,
        }
    }
}
