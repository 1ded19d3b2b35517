//! Tabling: variant SLG evaluation with local scheduling, by suspension (YAP's and XSB's tables, paper "An Efficient and Scalable Memory
//! Allocator for Multithreaded Tabled Evaluation of Logic Programs" for the table space; architecture section 5).
//!
//! | module | concept |
//! |---|---|
//! | [`tabled`] | what a table is of |
//! | [`calls`] | a call of a tabled predicate: generator, consumer, or reader of a complete table |
//! | [`schedule`] | suspended calls, who is fed next, completion |
//! | [`answers`] | recording answers, returning those of complete tables |
//! | [`moded`] | answers joined into one value |
//! | [`nonmonotonic`] | what needs all answers of its goal at once: negation, `findall/3` |
//! | [`codec`] | terms as tokens of tries |
//! | [`generations`] | abolishing tables that are in use |
//!
//! A call of a tabled predicate is looked up in the subgoal trie.
//! - New: it becomes a *generator*. Its clauses run on a copy of the arguments with variables of their own, so that the evaluation depends on
//!   nothing of its caller, under a choicepoint `Complete`; each solution goes to the answer trie, and fails (frame `Answer`).
//! - Incomplete: it becomes a *consumer*: the continuation, the answer template and what was trailed since the
//!   innermost generator (or resumption) are kept, `H` is captured, and the call fails.
//! - Complete: answers are read from the trie, one after the other.
//!
//! When the clauses of a generator are exhausted it is either the leader of its SCC, and then feeds answers to the consumers of the SCC
//! until there is nothing new, completes all its subgoals and returns its answers; or its own caller becomes a consumer of it.
//! SCCs are approximated as in XSB: a dependency on an incomplete subgoal merges everything above that one on the stack of incomplete subgoals.
//!
//! A continuation is resumed under a choicepoint `Resume`, placed above every choicepoint address that the continuation may hold
//! (cut barriers): whatever it holds is then below that *barrier*, and cuts stop there.
//!
//! Differs from SWI-Prolog: none of delimited continuations is visible.
//!
//! Invariants ([`Tabling::verify`]):
//! - `stack` holds the incomplete subgoals in order of creation; a frame's tag is its index there.
//! - `sccs` holds the SCCs by leader, ascending. An SCC has the subgoals from its leader to the next one. Only those of the newest
//!   SCC run, so only they get answers and consumers: `above` and the queue of an SCC say nothing of those above it.
//! - Consumers are kept in order of creation, and so is what each has saved: those of an SCC, or newer than a subgoal, are the last ones.
//! - A subgoal is in the queue of its SCC if one of its consumers may have unread answers.

mod answers;
mod calls;
mod codec;
mod generations;
mod moded;
mod nonmonotonic;
mod schedule;
mod tabled;

pub(crate) use nonmonotonic::TABLE;
pub(crate) use schedule::is_catch;

use crate::engine::choice::Choice;
use crate::engine::internal::{Internal, code};
use crate::engine::run::Go;
use crate::engine::worker::Worker;
use crate::error::Throw;
use generations::Generations;
use samite_heap::collect::TrailMap;
use samite_table::FramePtr;
use samite_term::{Cell, Kind};
use schedule::{Consumer, Mark, Pass, Scc, Subgoal};

/// Tabling state of one machine.
#[derive(Default)]
pub struct Tabling {
    pub(crate) tables: Generations,
    stack: Vec<Subgoal>,
    sccs: Vec<Scc>,
    consumers: Vec<Consumer>,
    /// What the consumers saved of the trail, oldest first: variables with what they were bound to, then
    /// cells overwritten by destructive assignment (tag `Str`, which does not keep them alive; [`GONE`] once they are dead) with their contents.
    saved: Vec<(Cell, Cell)>,
    /// The active `catch/3` goals that the consumers were suspended in, outermost first.
    marks: Vec<Mark>,
    /// Consumers below this index were seen by the last collection.
    scanned: usize,
    /// One for each `Resume` choicepoint.
    passes: Vec<Pass>,
    /// Resumptions so far.
    resumptions: u64,
    /// The innermost `Resume` choicepoint; null if none.
    pub(crate) barrier: Choice,
    tokens: Vec<u64>,
}

/// Stands for a saved cell that nobody refers to any more.
const GONE: Cell = Cell::NIL;

fn raw(v: u64) -> Cell {
    Cell::header(Kind::Raw, v)
}

/// The frame in a cell made by [`raw`].
///
/// # Safety
/// The cell was made from a frame, of a table that is incomplete or pinned by its generation.
unsafe fn frame_of(c: Cell) -> FramePtr {
    // SAFETY: promised by the caller.
    unsafe { FramePtr::from_bits(c.payload()) }
}

impl Tabling {
    /// The cells that a collection must see: those of consumers made since the last one, or (major) all.
    pub(crate) fn roots(&mut self, major: bool, root: &mut dyn FnMut(&mut Cell)) {
        let (first, saved, marks) = self.unseen(major);
        for c in &mut self.consumers[first..] {
            root(&mut c.k);
            root(&mut c.template);
        }
        for (place, content) in &mut self.saved[saved..] {
            if place.is_ref() {
                root(place);
            }
            root(content);
        }
        for m in &mut self.marks[marks..] {
            root(&mut m.frame);
            m.args.iter_mut().for_each(&mut *root);
        }
    }
    /// The first consumer, saved binding and mark that a collection must see.
    fn unseen(&self, major: bool) -> (usize, usize, usize) {
        let first = if major { 0 } else { self.scanned };
        let c = self.consumers.get(first);
        let (saved, marks) = c.map_or((self.saved.len(), self.marks.len()), |c| (c.saved, c.marks));
        (first, saved, marks)
    }
    /// After a collection: cells that moved. What nobody refers to any more need not be assigned again.
    ///
    /// # Safety
    /// As [`TrailMap::place`]; `major` as in [`Tabling::roots`].
    pub(crate) unsafe fn moved(&mut self, major: bool, map: &TrailMap) {
        let (_, saved, _) = self.unseen(major);
        for (place, content) in &mut self.saved[saved..] {
            if !place.is_ref() && *place != GONE {
                // SAFETY: promised by the caller.
                match unsafe { map.place(place.ptr()) } {
                    Some(new) => *place = Cell::to(place.tag(), new),
                    None => (*place, *content) = (GONE, GONE),
                }
            }
        }
        self.scanned = self.consumers.len();
    }
    /// The continuations that wait.
    pub(crate) fn roots_of_continuations(&self, f: &mut dyn FnMut(Cell)) {
        for c in &self.consumers {
            f(c.k);
        }
    }
    /// The choicepoint stack was moved.
    pub(crate) fn relocate(&mut self, moved: &impl Fn(Choice) -> Choice) {
        self.barrier = moved(self.barrier);
    }
    /// How many [`Tabling::verified_roots`] there are at most.
    pub(crate) fn count_of_roots(&self, whole: bool) -> usize {
        let (first, saved, marks) = self.unseen(whole);
        let marks = &self.marks[marks..];
        2 * (self.consumers.len() - first + self.saved.len() - saved)
            + marks.iter().map(|m| 1 + m.args.len()).sum::<usize>()
    }

    /// The same cells as [`Tabling::roots`], for the heap verifier.
    pub(crate) fn verified_roots(&self, whole: bool, out: &mut Vec<Cell>) {
        let (first, saved, marks) = self.unseen(whole);
        for c in &self.consumers[first..] {
            out.extend([c.k, c.template]);
        }
        for &(place, content) in &self.saved[saved..] {
            if place.is_ref() {
                out.push(place);
            }
            out.push(content);
        }
        for m in &self.marks[marks..] {
            out.push(m.frame);
            out.extend(&m.args);
        }
    }
}

impl Worker {
    /// An exception leaves a generator: its subgoal and all newer incomplete ones are removed.
    pub(in crate::engine) fn tabling_abandon(&mut self, generator: Choice) {
        let index = generator.arg_value(2).small_value() as usize;
        self.thread.tabling.abandon_from(index);
    }

    /// An exception leaves a resumed continuation.
    pub(in crate::engine) fn tabling_leave(&mut self, resume: Choice) {
        debug_assert!(resume == self.thread.tabling.barrier);
        self.thread.tabling.passes.pop();
        self.thread.tabling.barrier = self.choices.at(resume.arg_value(0));
    }

    /// Forgets every evaluation under way.
    pub(in crate::engine) fn tabling_reset(&mut self) {
        self.thread.tabling.abandon_from(0);
        self.thread.tabling.passes.clear();
        self.thread.tabling.barrier = Choice::default();
        self.drop_older_generations();
    }

    /// A [`Worker::failing_point`], if something is due.
    fn point_if_wanted(&mut self) -> Result<Option<Go>, Throw> {
        if self.attention_wanted() {
            self.failing_point()
        } else {
            Ok(None)
        }
    }

    /// The newest choicepoint that began a generator or a resumption: what is above it belongs to the running continuation.
    fn innermost_evaluation(&self) -> Choice {
        let mut b = self.b;
        while b.alternative() != code(Internal::Complete)
            && b.alternative() != code(Internal::Resume)
        {
            b = b.previous();
        }
        b
    }
}
