//! The machine: registers, heap and stacks, and the Prolog thread that runs on them.
//!
//! A worker belongs to the OS thread that runs it. What it shares with the others is in [`Program`]; what of the Prolog thread is no
//! register is in [`Thread`]. The dispatch loop is in [`crate::engine::run`].
//!
//! Invariants at a safe point (predicate entry, return): the live terms are the arguments `X0..Xn`, the continuation `K`, the
//! choicepoint stack, the trail, and the roots kept in the thread (`globals`, `tabling`, exceptions on their way). `E` and other registers are dead.
//! H is never reset below `heap.floor`, and `HB = max(top of the newest choicepoint, floor)` is what a binding is trailed below: two words, for what
//! raises one need not raise the other ([`Worker::set_b`]).

use crate::engine::going::Go;
use crate::error::Throw;
use crate::state::choice::{Choice, ChoiceStack, HEADER, Saved};
use crate::state::frame::write_frame;
use crate::state::internal::{self as points, Internal, code};
use crate::state::program::Program;
use crate::state::recent_queue::RecentQueue;
use crate::state::thread::{NO_LIMIT, Thread};
use crate::state::tries::Trie;
use samite_code::Predicate;
use samite_code::instr::REGISTERS;
use samite_code::readers::ReaderSlot;
use samite_heap::Heap;
use samite_heap::space::Region;
use samite_sched::interrupt::Attention;
use samite_sched::{MessageQueue, PrologMutex};
use samite_stream::Recent;
use samite_term::Cell;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An instruction address.
pub(crate) type Pc = *const u64;

/// An address in the heap, in a frame, or of the registers.
pub(crate) type At = *mut Cell;

/// Where the machine stands between two instructions, if the handlers have returned: a debug build after each, others where instructions
/// are run alone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Between {
    pub pc: Pc,
    pub h: At,
    pub k: At,
    pub e: At,
    pub how: How,
}

/// How the machine goes on there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    Straight,
    /// Looking for the next place where goals can run: [`crate::engine::control::wakeup`].
    Alone,
    /// The same, with the instruction that has woken them before it has done anything.
    Again,
    /// With a place that it has just come back to.
    CameBack,
}

/// Which collections are due beside those that the nursery's end asks for.
#[derive(Debug)]
pub(crate) struct Collecting {
    /// One was asked for.
    pub wanted: bool,
    /// The trail is worth a minor one.
    pub merge_wanted: bool,
    /// It has made an atom where they are too many, and waits for their collection.
    pub awaits_atoms: std::cell::Cell<bool>,
    /// Atoms that collections had freed when a builtin was refused memory last.
    pub atoms_freed: u64,
    pub stress: Stress,
}

/// Under `SAMITE_GC_STRESS`.
#[derive(Debug)]
pub(crate) struct Stress {
    /// Safe points until the next collection.
    pub countdown: u32,
    /// Collections since the last major one, and how many there are to be.
    pub collections: u32,
    pub major_at: u32,
}

impl Collecting {
    /// For a heap that is collected at each so many safe points, if the number is not 0.
    pub fn new(stress: u32) -> Collecting {
        Collecting {
            wanted: false,
            merge_wanted: false,
            awaits_atoms: false.into(),
            atoms_freed: 0,
            stress: Stress {
                countdown: stress,
                collections: 0,
                major_at: 0,
            },
        }
    }
}

/// `X0..`
pub(in crate::engine) type Registers = [Cell; REGISTERS];

/// What runs Prolog: one for each OS thread that does; see the module text. The registers `X` are its end, so that a handler
/// needs no address of theirs. Such a large thing is made in its place ([`crate::engine::begin`]) and never moved; `X` is a parameter for that alone.
#[repr(C)]
pub struct Worker<X = Registers> {
    // --- registers, of the thread that runs ---
    /// Nursery, old generation and ages; H, HB, floor and trail.
    pub heap: Heap,
    /// Continuation: a frame; null at the bottom.
    pub(in crate::engine) k: *mut Cell,
    /// Arguments of the structure that is being read by the instructions of a head.
    pub(in crate::engine) s: *mut Cell,
    /// Newest choicepoint.
    pub(in crate::engine) b: Choice,
    /// Cut barrier of the running predicate.
    pub(in crate::engine) b0: Choice,
    pub(in crate::engine) choices: ChoiceStack,
    pub inferences: u64,

    // --- the loop ---
    /// Where the loop goes on when the handlers have returned.
    pub(in crate::engine) went: Result<Go, Throw>,
    /// The builtin that `went` is an error of.
    pub(in crate::engine) blamed: Option<&'static Predicate>,
    /// Two terms to be unified.
    pub(in crate::engine) pair: (Cell, Cell),
    /// What was found at a `\=` that depends on goals, on the way back to it.
    pub(in crate::engine) decided: Option<bool>,
    /// Where the last instruction that has failed stands, and what it would have gone on with. For who says what has failed
    /// ([`crate::engine::control::determinism`]), at once: nothing keeps either.
    pub(in crate::engine) failed: (Pc, At),
    /// A call of a table has been suspended, by failure, and nothing has begun since that is to succeed without a choicepoint.
    pub(in crate::engine) suspended: bool,
    /// The next instruction, where handlers have returned before it.
    pub(in crate::engine) between: Option<Between>,

    // --- what others ask of it ---
    /// The word that safe points compare `H` with: `attention`'s.
    pub(in crate::engine) limit: *const AtomicUsize,
    pub attention: Arc<Attention>,
    pub(crate) reader: Arc<ReaderSlot>,

    // --- the rest ---
    pub(in crate::engine) collecting: Collecting,
    pub(in crate::engine) recent_streams: Recent,
    /// The trie that was used last. It is taken from here by who uses it, and put back; it may have been destroyed meanwhile.
    pub(crate) recent_trie: Option<Arc<Trie>>,
    /// The queue that was used last. It is taken and put back, too.
    pub(crate) recent_queue: Option<RecentQueue>,
    /// The mutex that was used last, by this name. It is taken and put back, too; it may have been destroyed.
    pub(crate) recent_mutex: Option<(Cell, Arc<PrologMutex>)>,
    /// The thread's own, from when it has been used: as that.
    pub(crate) own_queue: Option<Arc<MessageQueue>>,
    /// What it shares with all others.
    pub program: Arc<Program>,
    /// The rest of the thread that runs.
    pub thread: Box<Thread>,
    /// Where all this lies; given back by who drops it.
    pub(super) region: ManuallyDrop<Region>,
    pub(in crate::engine) x: X,
}

/// A worker in the region that it was made in. What begins and ends goals is done with this, and so by who owns the worker alone: [`Ctx`] leads to a [`Worker`], and
/// a builtin can neither run goals in its midst nor take away what it looks at.
///
/// [`Ctx`]: crate::engine::ctx::Ctx
pub struct OwnedWorker(pub(super) NonNull<Worker>);

impl Deref for OwnedWorker {
    type Target = Worker;
    fn deref(&self) -> &Worker {
        // SAFETY: made by `begin`, dropped with this.
        unsafe { self.0.as_ref() }
    }
}

impl DerefMut for OwnedWorker {
    fn deref_mut(&mut self) -> &mut Worker {
        // SAFETY: as above, and owned by this alone.
        unsafe { self.0.as_mut() }
    }
}

/// A position in a machine's registers where a builtin's arguments start.
#[derive(Clone, Copy, Debug)]
pub struct Args(pub usize);

impl Worker {
    /// Whether a safe point has something to do.
    #[inline]
    pub(in crate::engine) fn attention_wanted(&self) -> bool {
        // SAFETY: the limit word lives as long as the thread.
        self.heap.h() as usize > unsafe { (*self.limit).load(Ordering::Relaxed) }
    }

    /// Asks for a collection at the next safe point.
    pub(crate) fn request_collection(&mut self) {
        self.collecting.wanted = true;
        self.arm();
    }
    /// Sets the word that safe points compare `H` with.
    pub(crate) fn arm(&mut self) {
        let limit = if self.heap.stress() > 0
            || self.thread.events.signal_at.is_some()
            || self.collecting.wanted
            || self.collecting.merge_wanted
            || self.heap.has_woken()
            || self.thread.inference_limit != NO_LIMIT
            || self.thread.depth.is_limited()
            || !self.thread.undos.is_empty()
            || self.thread.slice_end != NO_LIMIT
        {
            0
        } else {
            self.heap.soft_end() as usize
        };
        self.attention.set_limit(limit);
    }

    /// Before the thread blocks: gives memory that holds nothing back to the system.
    pub(crate) fn trim(&mut self) {
        self.heap.trim();
        self.choices.trim(self.b);
        // The first ones hold the arguments of the builtin that is about to wait.
        let unused = self.x.as_mut_ptr().wrapping_add(512);
        self.region.discard_from(unused);
    }

    // --- choicepoints and frames ---

    /// Pushes a choicepoint with the given arguments for the current state.
    pub(in crate::engine) fn push_choice(
        &mut self,
        alternative: *const u64,
        args: &[Cell],
    ) -> Result<Choice, Throw> {
        let c = self.push_choice_of(alternative, args.len())?;
        for (i, &a) in args.iter().enumerate() {
            // SAFETY: the choicepoint has room for its arguments.
            unsafe { *c.arg(i) = a };
        }
        Ok(c)
    }
    /// Pushes a choicepoint with room for `n` arguments, which the caller sets.
    #[inline]
    pub(in crate::engine) fn push_choice_of(
        &mut self,
        alternative: *const u64,
        n: usize,
    ) -> Result<Choice, Throw> {
        let saved = Saved {
            alternative,
            top: self.heap.h(),
            trail: self.heap.trail().top(),
            frame: self.k,
            barrier: self.b0,
        };
        let c = match self.choices.push(self.b, n, saved) {
            Some(c) => c,
            None => self.push_grown(n, saved)?,
        };
        self.b = c;
        // SAFETY: nothing is newer.
        unsafe { self.heap.set_hb(self.heap.h()) };
        Ok(c)
    }
    /// Pushes a choicepoint with room for `n` arguments where the stack is full.
    #[cold]
    pub(in crate::engine) fn push_grown(
        &mut self,
        n: usize,
        saved: Saved,
    ) -> Result<Choice, Throw> {
        self.push_grown_at(self.choices.bytes(self.b), n, saved)
    }
    /// As [`Worker::push_grown`], at an offset not below the top of the stack.
    #[cold]
    pub(in crate::engine) fn push_grown_at(
        &mut self,
        offset: usize,
        n: usize,
        mut saved: Saved,
    ) -> Result<Choice, Throw> {
        let barrier = self.choices.offset(saved.barrier);
        self.grow_choices(offset + (HEADER + n) * 8)?;
        saved.barrier = self.choices.at(barrier);
        let at = self.choices.base().wrapping_byte_add(offset);
        self.choices
            .push_at(at, self.b, n, saved)
            .ok_or(Throw::Memory)
    }
    /// Makes room for a choicepoint with `n` arguments.
    #[cold]
    pub(in crate::engine) fn make_room(&mut self, n: usize) -> Result<(), Throw> {
        self.grow_choices(self.choices.bytes(self.b) + (HEADER + n) * 8)
    }
    /// Grows the choicepoint stack to `needed` bytes. All addresses of choicepoints are here: in `b`, `b0`, tabling and the choicepoints
    /// themselves.
    fn grow_choices(&mut self, needed: usize) -> Result<(), Throw> {
        let old = self.choices.base() as usize;
        if !self.choices.grow(needed, self.heap.limit_and_grace()) {
            return Err(Throw::Memory);
        }
        let base = self.choices.base();
        if base as usize == old {
            return Ok(());
        }
        // SAFETY: the stack was at `old`.
        let moved = |c: Choice| unsafe { c.moved(old, base) };
        self.b = moved(self.b);
        self.b0 = moved(self.b0);
        self.thread.tabling.relocate(&moved);
        let mut b = self.b;
        while !b.is_null() {
            b.relocate(&moved);
            b = b.previous();
        }
        Ok(())
    }
    /// Drops the newest choicepoint, keeping bindings.
    pub(in crate::engine) fn pop_choice(&mut self) {
        self.set_b(self.b.previous());
    }
    /// Makes `b` the newest choicepoint.
    #[inline]
    pub(in crate::engine) fn set_b(&mut self, b: Choice) {
        self.b = b;
        let hb = if b.is_null() {
            self.heap.floor()
        } else {
            b.top().max(self.heap.floor())
        };
        // SAFETY: it is the newest choicepoint's.
        unsafe { self.heap.set_hb(hb) };
    }
    /// A frame whose parent is the continuation `parent`. A few words: only the system can refuse them.
    pub(in crate::engine) fn make_frame(
        &mut self,
        resume: *const u64,
        parent: *mut Cell,
        slots: &[Cell],
    ) -> Result<*mut Cell, Throw> {
        let words = 2 + slots.len();
        let f = match self.heap.allocate_young(words) {
            Some(f) => f,
            None => self.heap.on_credit(|h| h.allocate(words))?,
        };
        // SAFETY: that many cells were just allocated.
        unsafe { write_frame(f, resume, parent, slots) };
        Ok(f)
    }
    /// The same of what was reserved on the heap.
    pub(in crate::engine) fn make_reserved_frame(
        &mut self,
        resume: *const u64,
        parent: *mut Cell,
        slots: &[Cell],
    ) -> *mut Cell {
        let f = self.heap.allocate_reserved(2 + slots.len());
        // SAFETY: that many cells were just allocated.
        unsafe { write_frame(f, resume, parent, slots) };
        f
    }
    /// Makes the continuation a frame of these cells on top of the present one.
    pub(in crate::engine) fn push<F: points::Frame>(&mut self, cells: F) -> Result<(), Throw> {
        cells.with(|slots| self.push_frame(F::POINT, slots))
    }
    /// Pushes a choicepoint of these cells for the current state.
    pub(in crate::engine) fn push_alternative<A: points::Alternative>(
        &mut self,
        cells: A,
    ) -> Result<Choice, Throw> {
        cells.with(|args| self.push_choice(code(A::POINT), args))
    }
    /// Makes the continuation a frame on top of the present one.
    pub(in crate::engine) fn push_frame(
        &mut self,
        resume: Internal,
        slots: &[Cell],
    ) -> Result<(), Throw> {
        self.k = self.make_frame(code(resume), self.k, slots)?;
        Ok(())
    }
}

const _: () = assert!(HEADER == 7);
