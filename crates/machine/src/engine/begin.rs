//! From memory that is there to a worker, and the end of one.

use super::going::Go;
use super::mapped::Mapped;
use super::pins::forget_pins;
use super::worker::{Collecting, OwnedWorker, Worker};
use super::{blocked, long};
use crate::state::choice::Choice;
use crate::state::engines::Sleeps;
use crate::state::program::Program;
use crate::state::room::has_system_room;
use crate::state::thread::Thread;
use samite_code::readers::{self, Call, ReaderSlot};
use samite_heap::address_space;
use samite_sched::interrupt::{Attention, Events};
use samite_sched::registry::ThreadControl;
use samite_stream::Recent;
use samite_term::{Cell, common};
use std::mem::{ManuallyDrop, offset_of};
use std::ptr::NonNull;
use std::sync::{Arc, Weak};

// What is made before its registers are there is the beginning of a worker.
const _: () = assert!(offset_of!(Worker<()>, x) == offset_of!(Worker, x));

impl OwnedWorker {
    /// A machine for the calling OS thread; `None` if memory for it cannot be had.
    pub fn new(program: Arc<Program>, thread: Arc<ThreadControl>) -> Option<OwnedWorker> {
        let limit = program.heap_config.lock().limit;
        OwnedWorker::with_limit(program, thread, limit)
    }

    /// As [`OwnedWorker::new`], for a thread with a memory limit of its own.
    pub(in crate::engine) fn with_limit(
        program: Arc<Program>,
        thread: Arc<ThreadControl>,
        limit: usize,
    ) -> Option<OwnedWorker> {
        let config = *program.heap_config.lock();
        let mapped = Mapped::new(config, limit)?;
        Some(OwnedWorker::begin(mapped, program, thread))
    }

    /// A machine for the calling OS thread on memory that is there.
    pub(crate) fn begin(
        mapped: Mapped,
        program: Arc<Program>,
        thread: Arc<ThreadControl>,
    ) -> OwnedWorker {
        common::ask_system(has_system_room, address_space::make_room);
        blocked::init();
        long::enter(&program, &thread, mapped.heap.limit());
        let waker = waker(thread.attention().clone());
        OwnedWorker::make(mapped, program, thread, waker)
    }

    /// The same of one that does not run on this thread yet.
    pub(in crate::engine) fn make(
        mapped: Mapped,
        program: Arc<Program>,
        thread: Arc<ThreadControl>,
        waker: readers::Waker,
    ) -> OwnedWorker {
        let limit = mapped.heap.limit();
        OwnedWorker::put_together(
            mapped,
            Parts {
                reader: program.code.domain.register(waker),
                program,
                thread: Box::new(Thread::new(thread, limit)),
                k: std::ptr::null_mut(),
                inferences: 0,
            },
        )
    }

    /// A machine of these parts, with nothing on its heap and stacks.
    pub(in crate::engine) fn put_together(mapped: Mapped, parts: Parts) -> OwnedWorker {
        let Mapped {
            heap,
            worker: region,
            choices,
            ..
        } = mapped;
        let Parts {
            program,
            thread,
            reader,
            k,
            inferences,
        } = parts;
        let stress = heap.stress();
        let attention = thread.control.attention().clone();
        let at = region.start().cast::<Worker>();
        let head = Worker {
            heap,
            k,
            s: std::ptr::null_mut(),
            b: Choice::NULL,
            b0: Choice::NULL,
            choices,
            inferences,
            went: Ok(Go::Fail),
            blamed: None,
            pair: (Cell::ZERO, Cell::ZERO),
            decided: None,
            failed: (std::ptr::null(), std::ptr::null_mut()),
            suspended: false,
            between: None,
            limit: attention.limit_address().cast(),
            reader,
            attention,
            collecting: Collecting::new(stress),
            recent_streams: Recent::default(),
            recent_trie: None,
            recent_queue: None,
            recent_mutex: None,
            own_queue: None,
            program,
            thread,
            region: ManuallyDrop::new(region),
            x: (),
        };
        let head = ManuallyDrop::new(head);
        // SAFETY: the region is large enough, starts at a page, and nobody else has it. Both are `repr(C)` with the same fields in the same
        // order up to `x`, which is zeros there: cells.
        let mut m = unsafe {
            let bytes = offset_of!(Worker, x);
            std::ptr::copy_nonoverlapping((&raw const *head).cast::<u8>(), at.cast(), bytes);
            OwnedWorker(NonNull::new_unchecked(at))
        };
        // SAFETY: the machine keeps `attention` as long as the heap.
        unsafe { (*at).heap.set_alarm((*at).limit) };
        m.arm();
        m
    }

    /// Takes a machine apart whose heap is folded: its memory is the next one's, its thread goes on without. `opened`: as in [`Mapped::leave`].
    pub(in crate::engine) fn take_apart(self, opened: bool) -> Parts {
        let this = ManuallyDrop::new(self);
        // SAFETY: nobody uses the worker after this, and what is before its registers is such a head (above).
        let head = unsafe { std::ptr::read(this.0.as_ptr().cast::<Worker<()>>()) };
        let Worker {
            mut heap,
            k,
            mut choices,
            inferences,
            program,
            thread,
            reader,
            region,
            ..
        } = head;
        Mapped::leave(
            heap.take_nursery(),
            ManuallyDrop::into_inner(region),
            choices.take_region(),
            opened,
        );
        Parts {
            program,
            thread,
            reader,
            k,
            inferences,
        }
    }
}

/// What a machine has beside its heap and stacks.
pub(in crate::engine) struct Parts {
    pub program: Arc<Program>,
    pub thread: Box<Thread>,
    pub reader: Arc<ReaderSlot>,
    pub k: *mut Cell,
    pub inferences: u64,
}

/// A thread ends: it holds on to nothing of the database any more.
pub(in crate::engine) fn forget(program: &Program, thread: &mut Thread, reader: &Arc<ReaderSlot>) {
    // First.
    forget_pins(program, thread, reader);
    thread.transactions.end(reader);
    for (&id, p) in &thread.locals {
        samite_code::database::wipe(p);
        program.spare_locals.lock().entry(id).or_default().push(p);
    }
    program.code.domain.unregister(reader);
}

/// Gets a thread to a safe point.
fn waker(attention: Arc<Attention>) -> readers::Waker {
    Box::new(move |call| attention.raise(event_of(call)))
}

/// The same of an engine or a light thread, which may sleep: then who asks looks for it, or somebody else.
pub(in crate::engine) fn sleepers_waker(
    program: &Program,
    control: &ThreadControl,
    sleeper: Weak<impl Sleeps + 'static>,
) -> readers::Waker {
    let asked = program.engines.asked.clone();
    let attention = control.attention().clone();
    Box::new(move |call| {
        attention.raise(event_of(call));
        asked.add(sleeper.clone());
        long::nudge();
    })
}

/// What a worker is called with.
fn event_of(call: Call) -> Events {
    match call {
        Call::Publish => Events::TICK,
        Call::Look => Events::COLLECT,
    }
}

impl Drop for OwnedWorker {
    fn drop(&mut self) {
        self.end();
        let opened = self.heap.is_opened();
        let (nursery, choices) = (self.heap.take_nursery(), self.choices.take_region());
        // SAFETY: nobody uses the worker, nor what it lies in, after this.
        let region = unsafe {
            let region = ManuallyDrop::take(&mut self.region);
            self.0.drop_in_place();
            region
        };
        Mapped::leave(nursery, region, choices, opened);
    }
}

impl Worker {
    /// Before it is dropped.
    fn end(&mut self) {
        // (A host may drop it while it is outside.)
        self.after_wait();
        self.answer_for_atoms();
        forget(&self.program, &mut self.thread, &self.reader);
        if !self.is_small() {
            long::leave();
        }
    }
    /// Whether it runs on an OS thread that others run on: an engine's, or a light thread's.
    fn is_small(&self) -> bool {
        self.thread.control.is_engine() || self.attention.is_light()
    }
}
