//! Counting calls, answers, trie nodes and bytes, as in Table I of the paper.
//!
//! There a trie has a root that counts as a node: every table entry is the root of a subgoal trie, and every frame
//! that of an answer trie, even without answers. So here: `subgoal_trie_nodes` is the number of table
//! entries plus that of subgoal nodes, and `answer_trie_nodes` the number of frames plus that of answer nodes,
//! although a root takes no node of its own. For example entailment (Tropo): 117,657 calls with a bound and a free
//! argument are 1 + 2 · 117,657 subgoal trie nodes; their 472 answers with one token are 117,657 + 472 answer trie nodes.
//!
//! The sums over all tables take time proportional to the number of predicates; those of one predicate visit its tables.

use crate::alloc::{KindUse, StructAlloc, StructType};
use crate::frame::{EntryPtr, FramePtr};
use crate::hash;
use crate::node::{Children, NodeKind, Ptr};
use crate::rows;
use crate::space::TableSpace;
use crate::trie;
use samite_term::growth::Refused;

/// What is in a table space, or belongs to one predicate in it; see the module text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Different calls.
    pub subgoals: usize,
    /// Different answers.
    pub answers: usize,
    /// Answers that were there already when they were found; includes those of removed subgoals.
    pub repeated: usize,
    /// Nodes of subgoal tries, with one root for each predicate.
    pub subgoal_trie_nodes: usize,
    /// Nodes of answer tries, with one root for each call. Answers that are rows have none: [`TableSpace::nodes_of_rows`].
    pub answer_trie_nodes: usize,
    /// Nodes whose children are hashed.
    pub hashed_nodes: usize,
    /// Memory of all structures and buckets in use.
    pub bytes: usize,
}

/// Least, most and total number of tokens of calls or answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Depth {
    /// Shortest sequence.
    pub min: usize,
    /// Longest sequence.
    pub max: usize,
    /// Sum of all lengths.
    pub total: usize,
    /// Number of sequences.
    pub count: usize,
}

impl Depth {
    fn add(&mut self, depth: usize) {
        self.min = if self.count == 0 {
            depth
        } else {
            self.min.min(depth)
        };
        self.max = self.max.max(depth);
        self.total += depth;
        self.count += 1;
    }
    /// Average length, 0 if there is none.
    pub fn average(&self) -> f64 {
        if self.count == 0 {
            0.0
        } else {
            self.total as f64 / self.count as f64
        }
    }
}

/// The lengths of the answers of a frame.
fn add_depths(frame: FramePtr, answers: &mut Depth) {
    if frame.has_rows() {
        (0..frame.answer_count()).for_each(|_| answers.add(frame.width()));
        return;
    }
    let leaves = trie::walk(frame.root()).filter(|(n, _)| n.is_leaf());
    leaves.for_each(|(_, depth)| answers.add(depth));
}

/// What a walk over one trie finds.
#[derive(Default)]
pub(crate) struct TrieCount {
    /// Nodes, root included.
    pub nodes: usize,
    pub leaves: usize,
    pub headers: usize,
    pub bucket_bytes: usize,
    /// Headers of rows.
    pub rows: usize,
    /// Bytes of their arrays.
    pub row_bytes: usize,
}

impl TrieCount {
    pub(crate) fn add_rows(&mut self, frame: FramePtr) {
        let (bytes, header) = rows::bytes(frame);
        self.rows += usize::from(header);
        self.row_bytes += bytes;
    }
    pub(crate) fn add<K: NodeKind>(&mut self, node: Ptr<K>) {
        self.nodes += 1;
        match node.children() {
            Children::Leaf => self.leaves += 1,
            Children::Hashed(head) => {
                self.headers += 1;
                self.bucket_bytes += hash::bucket_bytes(head);
            }
            Children::None | Children::Chain(_) => (),
        }
    }
}

impl<A: StructAlloc> TableSpace<A> {
    /// Sums over all tables.
    pub fn statistics(&self) -> Statistics {
        let count = |ty| self.store.alloc.count(ty);
        let sum = |f: fn(&EntryPtr) -> usize| self.order.iter().map(f).sum();
        Statistics {
            subgoals: count(StructType::SubgoalFrame) - self.retired().len(),
            answers: sum(|e| e.get().answers),
            repeated: sum(|e| e.get().repeated),
            subgoal_trie_nodes: count(StructType::TableEntry)
                + count(StructType::SubgoalNode)
                + self.part.as_ref().map_or(0, |p| p.nodes()),
            answer_trie_nodes: count(StructType::SubgoalFrame) + count(StructType::AnswerNode),
            hashed_nodes: count(StructType::HashHeader),
            bytes: self.store.alloc.bytes_in_use()
                + self.part.as_ref().map_or(0, |p| p.bytes_in_use()),
        }
    }

    /// Sums over the tables of `pred`; all zero if it has no entry.
    pub fn statistics_of(&self, pred: usize) -> Statistics {
        let Some(&entry) = self.entries.get(&pred) else {
            return Statistics::default();
        };
        let mut calls = TrieCount::default();
        let mut answers = TrieCount::default();
        for (node, _) in trie::walk(entry.root()) {
            calls.add(node);
            if node.is_leaf() {
                let root = FramePtr::of_leaf(node).root();
                trie::walk(root).for_each(|(node, _)| answers.add(node));
                answers.add_rows(FramePtr::of_leaf(node));
            }
        }
        let mut common = 0;
        for frame in self.common_frames_of(entry) {
            common += 1;
            trie::walk(frame.root()).for_each(|(node, _)| answers.add(node));
            answers.add_rows(frame);
        }
        calls.leaves += common;
        let headers = calls.headers + answers.headers;
        // A root is part of an entry or frame.
        let bytes = StructType::TableEntry.size()
            + (calls.nodes - 1) * StructType::SubgoalNode.size()
            + calls.leaves * StructType::SubgoalFrame.size()
            + (answers.nodes - calls.leaves) * StructType::AnswerNode.size()
            + headers * StructType::HashHeader.size()
            + calls.bucket_bytes
            + answers.bucket_bytes
            + answers.rows * StructType::Rows.size()
            + answers.row_bytes;
        Statistics {
            subgoals: entry.get().subgoals,
            answers: entry.get().answers,
            repeated: entry.get().repeated,
            subgoal_trie_nodes: calls.nodes,
            answer_trie_nodes: answers.nodes,
            hashed_nodes: headers,
            bytes,
        }
    }

    /// The tables of one call: what its answers take, and their lengths. Its own tokens count with the predicate.
    pub fn statistics_of_table(&self, frame: FramePtr) -> Result<(Statistics, Depth), Refused> {
        let (mut answers, mut depth) = (TrieCount::default(), Depth::default());
        for (node, length) in trie::walk(frame.root()) {
            answers.add(node);
            if node.is_leaf() {
                depth.add(length);
            }
        }
        answers.add_rows(frame);
        if frame.has_rows() {
            (0..frame.answer_count()).for_each(|_| depth.add(frame.width()));
        }
        let bytes = StructType::SubgoalFrame.size()
            + (answers.nodes - 1) * StructType::AnswerNode.size()
            + answers.headers * StructType::HashHeader.size()
            + answers.bucket_bytes
            + answers.rows * StructType::Rows.size()
            + answers.row_bytes
            + self.moded.get(&frame).map_or(0, |m| m.bytes())
            + self.imports.get(&frame).map_or(0, |i| i.bytes());
        let bytes = bytes + self.select_bytes_of(frame);
        if frame.is_frozen() {
            let mut tokens = Vec::new();
            for answer in self.answers(frame) {
                self.answer_tokens(frame, answer, &mut tokens)?;
                depth.add(tokens.len());
            }
        }
        let statistics = Statistics {
            subgoals: 1,
            answers: frame.answer_count(),
            repeated: 0,
            subgoal_trie_nodes: 0,
            answer_trie_nodes: answers.nodes,
            hashed_nodes: answers.headers,
            bytes,
        };
        Ok((statistics, depth))
    }

    /// What there is of each type of structure.
    pub fn kinds(&self) -> Vec<KindUse> {
        let mut all = self.store.alloc.kinds();
        let common = self.part.iter().flat_map(|p| p.kinds());
        for (of, more) in all.iter_mut().zip(common) {
            of.in_use += more.in_use;
            of.pages += more.pages;
        }
        all
    }

    /// Lengths of the calls and of the answers of `pred`.
    pub fn depths_of(&self, pred: usize) -> (Depth, Depth) {
        let (mut calls, mut answers) = (Depth::default(), Depth::default());
        if let Some(&entry) = self.entries.get(&pred) {
            for (node, depth) in trie::walk(entry.root()).filter(|(n, _)| n.is_leaf()) {
                calls.add(depth);
                add_depths(FramePtr::of_leaf(node), &mut answers);
            }
            for frame in self.common_frames_of(entry) {
                let mut depth = 0;
                if let Some(leaf) = frame.common_leaf() {
                    // SAFETY: a node of calls that the space has a part in.
                    unsafe { leaf.as_ref() }.each_token_up(|_| depth += 1);
                }
                calls.add(depth);
                add_depths(frame, &mut answers);
            }
        }
        (calls, answers)
    }

    /// Memory taken from the system for tables, in use or not.
    pub fn bytes_held(&self) -> usize {
        self.store.alloc.bytes_held()
            + self.moded_bytes
            + self.select_bytes
            + self.store.handles.bytes()
            + self.part.as_ref().map_or(0, |p| p.bytes_held())
    }
}
