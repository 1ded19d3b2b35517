//! The tabling state of a thread: its tables, and the evaluations that are not complete. How it works: `engine/tabling`.

pub(crate) mod conditions;
pub(crate) mod cooperation;
pub(crate) mod dependencies;
pub(crate) mod generations;
pub(crate) mod negation;
pub(crate) mod restraints;
pub(crate) mod schedule;
pub(crate) mod shared;
mod simplify;
pub(crate) mod waiting;

use crate::state::choice::Choice;
use conditions::Conditions;
use cooperation::Share;
use generations::Generations;
use rustc_hash::FxHashMap;
use samite_heap::collect::TrailMap;
use samite_table::FramePtr;
use samite_term::{Cell, Kind};
use schedule::{Consumer, Mark, Pass, Scc, Subgoal};
use waiting::Waiting;

/// Tabling state of one machine.
#[derive(Default)]
pub struct Tabling {
    /// Whether there are complete tables of shared predicates that were not published, as there was nobody to share them with.
    pub(crate) unpublished: bool,
    /// Whether programs may have names of tables that are not complete (`engine/tabling/inspection.rs`): such a table stays where it is when its evaluation is given up.
    pub(crate) looked_at: bool,
    pub(crate) tables: Generations,
    pub(crate) stack: Vec<Subgoal>,
    pub(crate) sccs: Vec<Scc>,
    pub(crate) consumers: Vec<Consumer>,
    /// What the consumers saved of the trail, oldest first: variables with what they were bound to, then
    /// cells overwritten by destructive assignment (tag `Str`, which does not keep them alive; [`GONE`] once they are dead) with their contents.
    pub(crate) saved: Vec<(Cell, Cell)>,
    /// The active `catch/3` goals that the consumers were suspended in, outermost first.
    pub(crate) marks: Vec<Mark>,
    /// Consumers below this index were seen by the last collection.
    pub(crate) scanned: usize,
    /// One for each `Resume` choicepoint.
    pub(crate) passes: Vec<Pass>,
    /// Resumptions so far.
    pub(crate) resumptions: u64,
    /// The innermost `Resume` choicepoint; null if none.
    pub(crate) barrier: Choice,
    pub(crate) tokens: Vec<u64>,
    /// The answers that hold under conditions.
    pub(crate) conditions: Conditions,
    /// Consumers whose negative literals are decided, or that have the answer that they waited for, and which are to go on, the first one last.
    pub(crate) ready: Vec<u32>,
    /// Those that wait for one answer.
    pub(crate) waiting: Waiting,
    /// Who has put off a literal at once, and of which subgoal, those of the newest SCC last.
    pub(crate) put_off: Vec<(u32, u32)>,
    /// What the running derivation has put off: a structure in the old generation with one argument, the list of literals, assigned
    /// so that backtracking restores it; none before the first.
    pub(crate) delays: Option<Cell>,
    /// For each level of what runs apart, [`Tabling::apart`], how many subgoals were incomplete when it began; what is above the present level means nothing.
    pub(crate) aside: Vec<u32>,
    /// An evaluation of another thread has started this one, or runs it as an engine, or has done so: what it finds may be in a table of that one.
    pub(crate) for_others: bool,
    /// The evaluation that others may share.
    pub(crate) share: Option<Box<Share>>,
    pub(crate) horn: Horn,
}

/// Which predicates are [Horn](samite_code::horn), of those that have been looked at since something was redefined or loaded.
#[derive(Default)]
pub(crate) struct Horn {
    /// How often that had happened.
    pub at: (u64, i64),
    /// By their addresses.
    pub predicates: FxHashMap<usize, bool>,
}

/// Stands for a saved cell that nobody refers to any more.
pub(crate) const GONE: Cell = Cell::NIL;

pub(crate) fn raw(v: u64) -> Cell {
    Cell::header(Kind::Raw, v)
}

/// The frame in a cell made by [`raw`].
///
/// # Safety
/// The cell was made from a frame, of a table that is incomplete or pinned by its generation.
pub(crate) unsafe fn frame_of(c: Cell) -> FramePtr {
    // SAFETY: promised by the caller.
    unsafe { FramePtr::from_bits(c.payload()) }
}

impl Tabling {
    /// The cells that a collection must see: those of consumers made since the last one, or (major) all.
    pub(crate) fn roots(&mut self, major: bool, root: &mut dyn FnMut(&mut Cell)) {
        let (first, saved, marks) = self.unseen(major);
        self.delays.iter_mut().for_each(&mut *root);
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
    /// Whether nothing of it refers to the heap or to choicepoints.
    pub(crate) fn is_idle(&self) -> bool {
        self.stack.is_empty()
            && self.consumers.is_empty()
            && self.saved.is_empty()
            && self.marks.is_empty()
            && self.passes.is_empty()
            && self.barrier.is_null()
            && self.delays.is_none()
            && self.share.is_none()
    }
    /// Whether a table may depend on what the thread finds.
    pub(crate) fn matters(&self) -> bool {
        self.for_others || !self.stack.is_empty()
    }
    /// Whether the thread has called nothing that is tabled.
    pub(crate) fn is_new(&self) -> bool {
        let Tabling {
            tables,
            stack,
            sccs,
            consumers,
            saved,
            marks,
            scanned,
            passes,
            resumptions,
            barrier,
            tokens,
            conditions,
            ready,
            waiting,
            put_off,
            delays,
            aside,
            // (Which is kept while it is folded.)
            for_others: _,
            unpublished: _,
            looked_at: _,
            share,
            horn,
        } = self;
        tables.is_new()
            && stack.is_empty()
            && sccs.is_empty()
            && consumers.is_empty()
            && saved.is_empty()
            && marks.is_empty()
            && passes.is_empty()
            && tokens.is_empty()
            && conditions.is_empty()
            && ready.is_empty()
            && waiting.is_empty()
            && put_off.is_empty()
            && delays.is_none()
            && aside.is_empty()
            && *scanned == 0
            && *resumptions == 0
            && share.is_none()
            && horn.predicates.is_empty()
            && barrier.is_null()
    }
    /// The choicepoint stack was moved.
    pub(crate) fn relocate(&mut self, moved: &impl Fn(Choice) -> Choice) {
        self.barrier = moved(self.barrier);
    }
    /// How many [`Tabling::each_root`] there are at most.
    pub(crate) fn count_of_roots(&self, whole: bool) -> usize {
        let (first, saved, marks) = self.unseen(whole);
        let marks = &self.marks[marks..];
        1 + 2 * (self.consumers.len() - first + self.saved.len() - saved)
            + marks.iter().map(|m| 1 + m.args.len()).sum::<usize>()
    }

    /// The same cells as [`Tabling::roots`], for who only looks at them.
    pub(crate) fn each_root(&self, whole: bool, f: &mut dyn FnMut(Cell)) {
        let (first, saved, marks) = self.unseen(whole);
        self.delays.iter().for_each(|&c| f(c));
        for c in &self.consumers[first..] {
            f(c.k);
            f(c.template);
        }
        for &(place, content) in &self.saved[saved..] {
            if place.is_ref() {
                f(place);
            }
            f(content);
        }
        for m in &self.marks[marks..] {
            f(m.frame);
            m.args.iter().for_each(|&c| f(c));
        }
    }
}
