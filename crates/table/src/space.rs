//! All tables of one thread.
//!
//! Inserting goes token by token: a call from [`TableSpace::subgoal_root`] by [`TableSpace::subgoal_step`] to
//! [`TableSpace::subgoal_leaf`], an answer from [`TableSpace::answer_root`] by [`TableSpace::answer_step`] to
//! [`TableSpace::answer_leaf`], or at once by [`TableSpace::add_row`] where that [is allowed](TableSpace::takes_row). A sequence that was begun must be ended by its leaf, or given up, before anything is removed.
//! New answers are appended to the chain of their frame while consumers may be reading it, each at
//! its own place.
//!
//! Whatever takes memory may be refused it, and then has changed nothing: a sequence that was begun is to be given up.
//!
//! Handles are valid until what they name is removed; see [`crate::node`]. Owner only: one thread at a time.

use crate::alloc::{PageAlloc, StructAlloc, StructType};
use crate::calls::Part;
use crate::frame::{EntryPtr, FramePtr};
use crate::frozen::{self, Frozen};
use crate::handles::Handles;
use crate::moded::Moded;
use crate::node::{AnswerPtr, NodePtr};
use crate::rows;
use crate::select::Selections;
use crate::trie::{self, Store};
use crate::whole;
use rustc_hash::FxHashMap;
use samite_term::common;
use samite_term::growth::{self, Refused};
use std::ptr::NonNull;
use std::sync::Arc;

/// The table space of a thread; see the module text. Dropping it frees everything.
pub struct TableSpace<A: StructAlloc = PageAlloc> {
    pub(crate) store: Store<A>,
    pub(crate) entries: FxHashMap<usize, EntryPtr>,
    /// The entries in order of creation.
    pub(crate) order: Vec<EntryPtr>,
    /// The entry asked for last.
    last: Option<(usize, EntryPtr)>,
    /// Frames whose answers have values.
    pub(crate) moded: FxHashMap<FramePtr, Moded>,
    /// Bytes of these values and of what they are in.
    pub(crate) moded_bytes: usize,
    /// Frames that no call finds any more ([`crate::renew`]).
    pub(crate) retired: Vec<FramePtr>,
    pub(crate) retired_answers: usize,
    /// Answers that frames share with other threads.
    pub(crate) imports: FxHashMap<FramePtr, Arc<Frozen>>,
    /// Answers of frames by what is bound ([`crate::select`]).
    pub(crate) select: FxHashMap<FramePtr, Selections>,
    pub(crate) select_bytes: usize,
    /// Its part in calls that threads share.
    pub(crate) part: Option<Box<Part>>,
}

// SAFETY: the table space owns all memory that its pointers lead to, and follows them for its owner only.
unsafe impl<A: StructAlloc + Send> Send for TableSpace<A> {}

impl TableSpace {
    /// An empty table space; takes no memory until it is used.
    pub fn new() -> Self {
        TableSpace::with_alloc(PageAlloc::new())
    }
}

impl Default for TableSpace {
    fn default() -> Self {
        TableSpace::new()
    }
}

impl<A: StructAlloc> Drop for TableSpace<A> {
    fn drop(&mut self) {
        self.abolish_all();
    }
}

impl<A: StructAlloc> TableSpace<A> {
    /// An empty table space on top of an allocator that nothing else uses.
    pub fn with_alloc(alloc: A) -> Self {
        TableSpace {
            store: Store {
                alloc,
                handles: Handles::default(),
            },
            entries: FxHashMap::default(),
            order: Vec::new(),
            last: None,
            moded: FxHashMap::default(),
            moded_bytes: 0,
            retired: Vec::new(),
            retired_answers: 0,
            imports: FxHashMap::default(),
            select: FxHashMap::default(),
            select_bytes: 0,
            part: None,
        }
    }

    // Calls.

    /// Where the calls of `pred`, an identity chosen by the caller, begin.
    #[inline]
    pub fn subgoal_root(&mut self, pred: usize) -> Result<NodePtr, Refused> {
        match self.last {
            Some((last, entry)) if last == pred => Ok(entry.root()),
            _ => Ok(self.entry(pred)?.root()),
        }
    }

    /// Where what is known of `pred` is.
    pub(crate) fn entry_of(&mut self, pred: usize) -> Result<EntryPtr, Refused> {
        match self.last {
            Some((last, entry)) if last == pred => Ok(entry),
            _ => self.entry(pred),
        }
    }

    #[inline(never)]
    fn entry(&mut self, pred: usize) -> Result<EntryPtr, Refused> {
        let entry = match self.entries.get(&pred) {
            Some(&entry) => entry,
            None => {
                growth::have(&mut self.order, 1)?;
                if !growth::map_room(&mut self.entries, common::system_has) {
                    return Err(Refused);
                }
                let memory = self
                    .store
                    .alloc
                    .alloc(StructType::TableEntry)
                    .ok_or(Refused)?;
                let entry = EntryPtr::init(memory, pred);
                self.order.push(entry);
                self.entries.insert(pred, entry);
                entry
            }
        };
        self.last = Some((pred, entry));
        Ok(entry)
    }

    /// The child of `node` with `token`, inserted if new.
    #[inline]
    pub fn subgoal_step(&mut self, node: NodePtr, token: u64) -> Result<NodePtr, Refused> {
        trie::step(&mut self.store, node, token).ok_or(Refused)
    }

    /// The frame of the call whose last token led to `node`, and whether it was made just now (in state
    /// [`State::Fresh`](crate::State::Fresh), without answers).
    #[inline]
    pub fn subgoal_leaf(&mut self, node: NodePtr) -> Result<(FramePtr, bool), Refused> {
        if node.is_leaf() {
            return Ok((FramePtr::of_leaf(node), false));
        }
        if !node.is_bare() {
            trie::prefix();
        }
        let entry = EntryPtr::of_root(node.root());
        let memory = self
            .store
            .alloc
            .alloc(StructType::SubgoalFrame)
            .ok_or(Refused)?;
        let frame = FramePtr::init(memory, entry, node);
        node.set_leaf(memory.as_ptr());
        entry.count(1, 0);
        Ok((frame, true))
    }

    /// Gives up a call whose tokens so far led to `node`.
    pub fn subgoal_forget(&mut self, node: NodePtr) {
        trie::prune(&mut self.store, node);
    }

    /// The frame of a call, if it has a table; adds nothing.
    pub fn subgoal_find(&self, pred: usize, tokens: &[u64]) -> Option<FramePtr> {
        let root = self.entries.get(&pred)?.root();
        if self.part.is_some()
            && root.is_bare()
            && let Some(root) = self.common_root(pred)
        {
            let leaf = tokens
                .iter()
                .try_fold(root, |node, &t| self.subgoal_child(node, t));
            return leaf.and_then(|node| self.subgoal_at(node));
        }
        let leaf = tokens.iter().try_fold(root, |node, &t| trie::find(node, t));
        leaf.filter(|n| n.is_leaf()).map(FramePtr::of_leaf)
    }

    /// Where the calls of `pred` begin that threads share, if the space has joined them; for [`TableSpace::subgoal_child`] and [`TableSpace::subgoal_at`] only.
    pub fn common_root(&self, pred: usize) -> Option<NodePtr> {
        let root = self.part.as_ref()?.root(pred)?;
        Some(FramePtr::leaf_of(root))
    }

    /// The child of `node` with `token`; adds nothing.
    #[inline]
    pub fn subgoal_child(&self, node: NodePtr, token: u64) -> Option<NodePtr> {
        match FramePtr::common_node(node) {
            None => trie::find(node, token),
            Some(common) => {
                // SAFETY: a node of calls that the space has a part in.
                let found = unsafe { common.as_ref() }.find(token)?;
                Some(FramePtr::leaf_of(NonNull::from(found)))
            }
        }
    }

    /// The frame of the call whose last token led to `node`, if it has a table.
    #[inline]
    pub fn subgoal_at(&self, node: NodePtr) -> Option<FramePtr> {
        match FramePtr::common_node(node) {
            None => node.is_leaf().then(|| FramePtr::of_leaf(node)),
            Some(common) => self.part.as_ref()?.at(common),
        }
    }

    /// The tokens of the call of `frame`; replaces the content of `out`.
    pub fn subgoal_tokens(&self, frame: FramePtr, out: &mut Vec<u64>) -> Result<(), Refused> {
        match frame.common_leaf() {
            None => frame.leaf().tokens(out),
            Some(common) => {
                out.clear();
                // SAFETY: as above.
                unsafe { common.as_ref() }.tokens_behind(out)
            }
        }
    }

    /// The frame that the leaf of `frame` leads to.
    pub(crate) fn found_at_leaf_of(&self, frame: FramePtr) -> Option<FramePtr> {
        self.subgoal_at(frame.leaf())
    }

    /// The leaf of a call leads to `frame` from now on, which is one of that call.
    pub(crate) fn lead_to(&mut self, frame: FramePtr) {
        match frame.common_leaf() {
            None => frame.leaf().set_leaf(frame.memory().as_ptr()),
            Some(leaf) => {
                if let Some(part) = &mut self.part {
                    part.exchange(leaf, frame);
                }
            }
        }
    }

    // Answers.

    /// Where the answers of `frame` begin.
    #[inline]
    pub fn answer_root(&mut self, frame: FramePtr) -> AnswerPtr {
        frame.root()
    }

    /// The child of `node` with `token`, inserted if new.
    #[inline]
    pub fn answer_step(&mut self, node: AnswerPtr, token: u64) -> Result<AnswerPtr, Refused> {
        trie::step(&mut self.store, node, token).ok_or(Refused)
    }

    /// Ends an answer: `leaf` is where its last token led (the root, if it has none). True if the answer is
    /// new; it then is the last one of the frame.
    #[inline]
    pub fn answer_leaf(&mut self, frame: FramePtr, leaf: AnswerPtr) -> bool {
        debug_assert!(leaf.root() == frame.root());
        if leaf.is_leaf() {
            frame.entry().count_repeated();
            return false;
        }
        if !leaf.is_bare() {
            trie::prefix();
        }
        frame.append(leaf);
        frame.entry().count(0, 1);
        true
    }

    /// Gives up an answer whose tokens so far led to `node`.
    pub fn answer_forget(&mut self, node: AnswerPtr) {
        trie::prune(&mut self.store, node);
    }

    /// Takes back the answers of `frame` that `stays` does not want: they are none of its answers any more, but keep their place in the trie, so
    /// that their handles stay what they are; and nothing may be added to the frame afterwards. What they take is freed with the frame.
    pub fn withdraw_answers(&mut self, frame: FramePtr, stays: impl FnMut(AnswerPtr) -> bool) {
        // (No condition is on a row.)
        let withdrawn = match frame.has_rows() {
            true => 0,
            false => frame.retain_answers(stays),
        };
        frame.entry().count(0, -(withdrawn as isize));
    }

    /// The tokens of an answer of `frame`; replaces the content of `out`.
    #[inline]
    pub fn answer_tokens(
        &self,
        frame: FramePtr,
        leaf: AnswerPtr,
        out: &mut Vec<u64>,
    ) -> Result<(), Refused> {
        match frozen::number(leaf) {
            None => leaf.tokens(out),
            Some(number) if frame.has_rows() => {
                out.clear();
                whole::All::of(frame).tokens(number, out)
            }
            Some(number) => self.frozen_tokens(frame, number, out),
        }
    }

    /// Whether `frame`, whose answers are not shared, has the answer with these tokens; adds nothing. Looks through all rows.
    pub fn answer_find(&self, frame: FramePtr, tokens: &[u64]) -> Option<AnswerPtr> {
        if frame.has_rows() {
            return whole::find(frame, tokens).map(frozen::handle);
        }
        let root = frame.root();
        let leaf = tokens.iter().try_fold(root, |node, &t| trie::find(node, t));
        leaf.filter(|n| n.is_leaf())
    }

    /// The answers of `frame`, oldest first.
    pub fn answers(&self, frame: FramePtr) -> impl Iterator<Item = AnswerPtr> + '_ {
        std::iter::successors(frame.first_answer(), move |&a| frame.next_answer(a))
    }

    // All tables.

    /// The frames of all predicates, by order in which the predicates were first called.
    pub fn frames(&self) -> impl Iterator<Item = FramePtr> + '_ {
        let own = self.order.iter().flat_map(|&e| frames_of(e));
        own.chain(self.common_frames())
    }

    /// The frames of `pred`, in no particular order.
    pub fn frames_of(&self, pred: usize) -> impl Iterator<Item = FramePtr> + '_ {
        let entry = self.entries.get(&pred).copied();
        (entry.into_iter()).flat_map(|e| frames_of(e).chain(self.common_frames_of(e)))
    }

    /// The predicates with a table entry, by order in which they were first called.
    pub fn preds(&self) -> impl Iterator<Item = usize> + '_ {
        self.order.iter().map(|e| e.get().pred)
    }

    /// Removes the table of one call: frame, answers, and its path in the subgoal trie as far as no other
    /// call shares it. No frame was retired for it.
    pub fn remove_subgoal(&mut self, frame: FramePtr) {
        debug_assert!(self.retired.iter().all(|r| r.leaf() != frame.leaf()));
        self.moded_remove(frame);
        self.select_remove(frame);
        self.imports.remove(&frame);
        let answers = frame.answer_count();
        frame.entry().count(-1, -(answers as isize));
        if let Some(leaf) = frame.common_leaf() {
            self.forget_common(leaf, frame);
            free_frame(&mut self.store, frame);
        } else {
            let leaf = frame.leaf();
            free_frame(&mut self.store, frame);
            trie::remove(&mut self.store, leaf);
        }
        self.store.alloc.trim();
    }

    /// Removes the tables of `pred`, and its entry.
    pub fn abolish_pred(&mut self, pred: usize) {
        debug_assert!(self.retired.iter().all(|r| r.pred() != pred));
        if let Some(&entry) = self.entries.get(&pred)
            && self.part.is_some()
        {
            let common: Vec<FramePtr> = self.common_frames_of(entry).collect();
            common.into_iter().for_each(|f| self.remove_subgoal(f));
        }
        self.imports.retain(|frame, _| frame.pred() != pred);
        self.select_retain(|frame| frame.pred() != pred);
        let (bytes, handles) = (&mut self.moded_bytes, &mut self.store.handles);
        self.moded.retain(|frame, moded| {
            let stays = frame.pred() != pred;
            if !stays {
                *bytes -= moded.bytes();
                moded.each_value(|tokens| handles.leave_all(tokens));
            }
            stays
        });
        let Some(entry) = self.entries.remove(&pred) else {
            return;
        };
        self.order.retain(|&e| e != entry);
        self.last = None;
        trie::free_below(&mut self.store, entry.root(), |store, leaf| {
            free_frame(store, FramePtr::of_leaf(leaf));
        });
        // SAFETY: the entry is in no list any more, and nothing is below its root.
        unsafe {
            self.store
                .alloc
                .free(StructType::TableEntry, entry.memory())
        };
        self.store.alloc.trim();
    }

    /// Whether there are so many tables.
    pub fn has_only(&self, tables: usize) -> bool {
        self.store.alloc.count(StructType::SubgoalFrame) == tables
    }

    /// Gives back what is in tables one by one, for an allocator that wants that.
    fn free_singly(&mut self) {
        let common: Vec<FramePtr> = self.common_frames().collect();
        // (It looks at its frames.)
        self.part = None;
        common
            .into_iter()
            .for_each(|f| free_frame(&mut self.store, f));
        for frame in std::mem::take(&mut self.retired) {
            free_frame(&mut self.store, frame);
        }
        for entry in std::mem::take(&mut self.order) {
            trie::free_below(&mut self.store, entry.root(), |store, leaf| {
                free_frame(store, FramePtr::of_leaf(leaf));
            });
            let alloc = &mut self.store.alloc;
            // SAFETY: nothing is below its root any more, and nobody has the entry.
            unsafe { alloc.free(StructType::TableEntry, entry.memory()) };
        }
    }

    /// Removes all tables at once, without visiting them if that is possible.
    pub fn abolish_all(&mut self) {
        if self.store.alloc.frees_singly() {
            self.free_singly();
        }
        self.part = None;
        self.store.handles.clear();
        self.entries = FxHashMap::default();
        self.order = Vec::new();
        self.last = None;
        self.moded = FxHashMap::default();
        self.moded_bytes = 0;
        self.retired = Vec::new();
        self.retired_answers = 0;
        self.imports = FxHashMap::default();
        self.select = FxHashMap::default();
        self.select_bytes = 0;
        // SAFETY: the entries were the only way in; handles are invalid from now on.
        unsafe { self.store.alloc.release_all() };
    }
}

pub(crate) fn frames_of(entry: EntryPtr) -> impl Iterator<Item = FramePtr> {
    let nodes = trie::walk(entry.root()).map(|(node, _)| node);
    nodes.filter(|n| n.is_leaf()).map(FramePtr::of_leaf)
}

/// Frees a frame and its answers. If the leaf of the subgoal trie still points to it, that is the caller's to remove.
pub(crate) fn free_frame<A: StructAlloc>(store: &mut Store<A>, frame: FramePtr) {
    rows::free(store, frame);
    trie::free_below(store, frame.root(), |_, _| ());
    // SAFETY: the caller removes the leaf, which alone refers to the frame.
    unsafe { store.alloc.free(StructType::SubgoalFrame, frame.memory()) };
}
