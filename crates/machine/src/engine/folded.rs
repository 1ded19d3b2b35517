//! Light threads that wait: folded, they have no worker, only what is alive of their heap ([`samite_heap::folded`]), their choicepoints and the groups of
//! [`Thread`](crate::state::thread::Thread), packed if most of these are as in a new thread.
//!
//! A carrier leaves what it has run as it is, worker and all, for it may soon be called back. Of those, it keeps the latest so ([`UNFOLDED`] to [`MOST_UNFOLDED`]);
//! what has waited longer, and holds no more than [`MOST`], is folded, and its worker's memory is the next one's.
//!
//! ```text
//!              put away                 UNFOLDED others put away since
//!   running ------------> asleep, in line to be folded ------------> folded
//!      ^                         |                                      |
//!      +-------------------------+--------------------------------------+
//!                            called back
//! ```
//!
//! *Invariants*. What the choicepoints of a thread walk that is put away is pinned. A folded thread, or one that is too large, has left the database to the others
//! ([`Worker::leave_readers`](crate::engine::worker::Worker)): its reader says which code it comes back to, so nobody asks it for anything. Of others somebody else says it
//! when it is asked ([`crate::engine::asleep`]). What is folded is in its turn, so nobody runs it meanwhile, and it is put back, folded or not.
//!
//! What is not folded: evaluations of tables that are not complete, exceptions on their way, variables whose order was
//! asked for, attributed variables; they refer to the heap by other ways than registers, choicepoints, trail and global variables, or have to stay where bindings are trailed.

use crate::engine::asleep::{Asleep, Next};
use crate::engine::begin::{Parts, forget};
use crate::engine::blocked::PARKED_FRAMES;
use crate::engine::life::Life;
use crate::engine::mapped::Mapped;
use crate::engine::worker::OwnedWorker;
use crate::state::choice::Choice;
use crate::state::engines::Keeps;
use crate::state::packed::Stored;
use crate::state::program::Program;
use samite_code::readers::ReaderSlot;
use samite_heap::space::Region;
use samite_heap::verify::Extent;
use samite_heap::{Generation, folded};
use samite_sched::timers::WaitEnd;
use samite_term::{Cell, atom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// So many of those that a carrier has put away keep their workers at least: fewer than what has left the processor's caches when it is folded. In debug
/// builds next to none, for tests to fold.
pub(in crate::engine) const UNFOLDED: usize = if cfg!(debug_assertions) { 1 } else { 64 };
/// And so many if that spares folding them, some 16 kB each: where a thousand threads take turns none is folded.
pub(in crate::engine) const MOST_UNFOLDED: usize = 1 << 10;
/// One fewer for each so many that are folded.
pub(in crate::engine) const FOLDED_PER_PLACE: u32 = 16;
/// Threads that have been folded.
static FOLDED: AtomicU32 = AtomicU32::new(0);
/// Words that are folded: about as much as the first pages of a worker's memory, which this is to save.
const MOST: usize = 1 << 10;
/// Of these, words of choicepoints: what a stack has room for from its beginning.
const MOST_CHOICES: usize = MOST / 4;
/// Bytes of what a carrier copies to, of which it touches what is alive.
const SCRATCH: usize = 2 << 20;
/// So often one that is called back gives way to others, who may end or wait, if there is no memory for its worker.
pub(in crate::engine) const MOST_REFUSED: u32 = 100;
/// Inferences until one is looked at again that was not to be folded.
const LATER: u64 = 10_000;

/// See the module text.
pub(in crate::engine) struct Folded {
    pub program: Arc<Program>,
    heap: folded::Folded,
    /// The newest choicepoint, by its offset.
    newest: Cell,
    /// Where the choicepoint stack lay.
    choices: usize,
    k: *mut Cell,
    inferences: u64,
    /// None once it has been taken out.
    thread: Option<(Stored, Arc<ReaderSlot>)>,
    pub life: Option<Box<dyn Life>>,
    pub wait_end: Option<WaitEnd>,
    /// How often there was no memory for a worker when it was called back.
    pub refused: u32,
    /// How many had been folded before it, and wraps around.
    pub number: u32,
}

// SAFETY: as a worker's (`Asleep`).
unsafe impl Send for Folded {}

impl Folded {
    /// Bytes of what is on its heap and stacks.
    pub fn bytes(&self) -> usize {
        self.heap.bytes()
    }
}

impl Keeps for Folded {
    /// (What it holds of the database it has said.)
    fn answer(&mut self) {
        if let Some((thread, reader)) = &self.thread
            && reader.atoms_asked() != 0
        {
            self.heap.words().iter().for_each(|&c| atom::mark_if_any(c));
            thread.each_atom(&mut |a| a.mark());
            reader.has_told_atoms();
        }
    }
}

impl Drop for Folded {
    fn drop(&mut self) {
        if let Some((thread, reader)) = self.thread.take() {
            forget(&self.program, &mut thread.unpack(), &reader);
        }
    }
}

/// What a carrier folds with.
#[derive(Default)]
pub(in crate::engine) struct Folder {
    scratch: Option<Region>,
}

impl Folder {
    /// Folds a thread that nobody runs, if it may be. In any case it has left the database to the others then.
    pub fn fold(&mut self, mut asleep: Box<Asleep>) -> Result<Box<Folded>, Box<Asleep>> {
        let worker = &mut asleep.worker;
        worker.say_what_it_holds(PARKED_FRAMES);
        let due = worker.inferences >= asleep.unfolded_until && worker.reader.has_left();
        if !due || !matches!(asleep.next, Next::Continuation) || !worker.may_fold() {
            return Err(asleep);
        }
        if self.scratch.is_none() {
            self.scratch = Region::map_small_pages(SCRATCH);
        }
        // (The collection opens it.)
        let opened = worker.heap.is_opened();
        let Some(generation) = worker.heap.before_fold(&mut self.scratch, MOST) else {
            return Err(asleep);
        };
        match worker.fold(&mut self.scratch, generation) {
            Some((heap, newest, choices)) => {
                let Asleep {
                    worker,
                    life,
                    wait_end,
                    ..
                } = *asleep;
                let parts = worker.take_apart(opened);
                Ok(Box::new(Folded {
                    program: parts.program,
                    heap,
                    newest,
                    choices,
                    k: parts.k,
                    inferences: parts.inferences,
                    thread: Some((parts.thread.pack(), parts.reader)),
                    life,
                    wait_end,
                    refused: 0,
                    // Relaxed: a number that steers.
                    number: FOLDED.fetch_add(1, Ordering::Relaxed),
                }))
            }
            None => {
                asleep.unfolded_until = worker.inferences + LATER;
                worker.arm();
                Err(asleep)
            }
        }
    }
}

impl OwnedWorker {
    /// Whether nothing but registers, choicepoints, trail and global variables refers to the heap.
    fn may_fold(&self) -> bool {
        let thread = &self.thread;
        thread.leaving.on_their_way.len() == 0
            && thread.tabling.is_idle()
            && !self.heap.has_had_attributed()
            && self.choices.bytes(self.b) / 8 <= MOST_CHOICES
    }
    /// What of it is to be folded: heap, newest choicepoint, and where the choicepoints lay. `None`: that is too much, and it is as it was.
    fn fold(
        &mut self,
        scratch: &mut Option<Region>,
        generation: Generation,
    ) -> Option<(folded::Folded, Cell, usize)> {
        self.collect_generation(0, generation).ok()?;
        let bytes = self.choices.bytes(self.b);
        let base = self.choices.base();
        // SAFETY: the part of the stack in use.
        let choices = unsafe { std::slice::from_raw_parts(base, bytes / 8) };
        let heap = self.heap.fold(scratch, MOST, choices)?;
        Some((heap, self.choices.offset(self.b), base as usize))
    }
    /// The inverse, on a worker that is new.
    fn unfold(&mut self, folded: &mut Folded) {
        let moved = self.heap.unfold(&mut folded.heap);
        self.k = moved.frame(folded.k);
        for cell in self.thread.globals.values_mut() {
            *cell = moved.cell(*cell);
        }
        self.inferences = folded.inferences;
        let others = folded.heap.others();
        let base = self.choices.base();
        // SAFETY: a stack has room for that much ([`MOST_CHOICES`]) from its base on, and nothing is in it.
        unsafe { std::ptr::copy_nonoverlapping(others.as_ptr(), base, others.len()) };
        let mut b = self.choices.at(folded.newest);
        self.b = b;
        self.b0 = b;
        let old = folded.choices;
        // SAFETY: they lay there.
        let to = |c: Choice| unsafe { c.moved(old, base) };
        while !b.is_null() {
            b.relocate(&to);
            b.clear_scanned();
            // SAFETY: a choicepoint's frame and arguments are its cells.
            unsafe {
                *b.frame_cell() = moved.cell(*b.frame_cell());
                for i in 0..b.size() {
                    *b.arg(i) = moved.cell(*b.arg(i));
                }
            }
            b = b.previous();
        }
        let newest = self.b;
        self.set_b(newest);
        if cfg!(debug_assertions) {
            self.verify_heap(0, Extent::Whole);
        }
    }
}

/// Gives a folded thread a worker again, and says how many have been folded since it was. `Err`: there is no memory for one.
pub(in crate::engine) fn unfold(
    mut folded: Box<Folded>,
) -> Result<(Box<Asleep>, u32), Box<Folded>> {
    let Some((thread, reader)) = folded.thread.take() else {
        unreachable!("it is taken out here only");
    };
    let Some(mapped) = Mapped::for_sleeper(&folded.program, thread.memory_limit()) else {
        folded.thread = Some((thread, reader));
        return Err(folded);
    };
    let parts = Parts {
        program: folded.program.clone(),
        thread: thread.unpack(),
        reader,
        k: std::ptr::null_mut(),
        inferences: 0,
    };
    let mut worker = OwnedWorker::put_together(mapped, parts);
    worker.unfold(&mut folded);
    worker.arm();
    let mut asleep = Asleep::new(worker, Next::Continuation);
    asleep.life = folded.life.take();
    asleep.wait_end = folded.wait_end.take();
    let others = FOLDED.load(Ordering::Relaxed).wrapping_sub(folded.number);
    Ok((Box::new(asleep), others))
}
