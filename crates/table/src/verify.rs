//! The invariants of the table space, as assertions.
//!
//! 1. Every node is reached from its parent exactly once, and points to it; a root has no parent.
//! 2. A chain has at most [`MAX_CHAIN`] nodes; hashed children are as [`crate::hash`] says; no token occurs
//!    twice among the children of a node.
//! 3. A node without children is a leaf, or the root of an empty trie.
//! 4. A leaf of a subgoal trie and its frame point to each other, and both belong to the entry above.
//! 5. The chain of answers of a frame has exactly the leaves of its trie, as many as the frame counts, and ends with
//!    its newest answer.
//! 6. An entry counts its frames and their answers; it is in the map under its predicate, and in the list.
//! 7. The allocator counts exactly the structures and bytes that are reached.
//! 8. Retired frames are as [`crate::renew`] says.
//! 9. Rows are as [`crate::rows`] and [`crate::seen`] say.
//! 10. Frames at calls that threads share are as [`crate::calls`] says.
//! 11. The handles that are counted are those of the tokens, each in as many places.
//!
//! Run by tests, and by whoever suspects something, between whole insertions.

use crate::alloc::{StructAlloc, StructType};
use crate::frame::{EntryPtr, FramePtr};
use crate::hash;
use crate::node::{Children, MAX_CHAIN, NodeKind, Ptr};
use crate::space::{TableSpace, frames_of};
use crate::stats::TrieCount;
use crate::trie;
use crate::whole;
use std::collections::HashSet;

impl<A: StructAlloc> TableSpace<A> {
    /// The tokens of all nodes but roots, and of all values.
    fn all_tokens(&self) -> Vec<u64> {
        let mut all = Vec::new();
        for &entry in &self.order {
            all.extend(tokens_below(entry.root()));
            for frame in frames_of(entry) {
                all.extend(tokens_below(frame.root()));
            }
        }
        for frame in &self.retired {
            all.extend(tokens_below(frame.root()));
        }
        for frame in self.common_frames() {
            all.extend(tokens_below(frame.root()));
            if let Some(leaf) = frame.common_leaf() {
                // SAFETY: a node of calls that the space has a part in.
                unsafe { leaf.as_ref() }.each_token_up(|t| all.push(t));
            }
        }
        let values = self.moded.values();
        values.for_each(|m| m.each_value(|tokens| all.extend_from_slice(tokens)));
        all
    }

    /// Panics if an invariant of the module text does not hold. Takes time proportional to all tables.
    pub fn verify(&self) {
        assert_eq!(self.entries.len(), self.order.len());
        let mut found = [0; StructType::COUNT];
        let mut bucket_bytes = 0;
        for &entry in &self.order {
            assert!(self.entries.get(&entry.get().pred) == Some(&entry));
            let (calls, answers) = self.verify_entry(entry);
            found[StructType::TableEntry as usize] += 1;
            found[StructType::SubgoalNode as usize] += calls.nodes - 1;
            found[StructType::SubgoalFrame as usize] += calls.leaves;
            found[StructType::AnswerNode as usize] += answers.nodes - calls.leaves;
            found[StructType::HashHeader as usize] += calls.headers + answers.headers;
            found[StructType::Rows as usize] += answers.rows;
            bucket_bytes += calls.bucket_bytes + answers.bucket_bytes + answers.row_bytes;
        }
        for &frame in &self.retired {
            let of_call = self
                .found_at_leaf_of(frame)
                .expect("a call that is retired");
            assert!(of_call != frame && of_call.entry() == frame.entry());
            let mut answers = TrieCount::default();
            verify_frame(frame, &mut answers);
            found[StructType::SubgoalFrame as usize] += 1;
            found[StructType::AnswerNode as usize] += answers.nodes - 1;
            found[StructType::HashHeader as usize] += answers.headers;
            found[StructType::Rows as usize] += answers.rows;
            bucket_bytes += answers.bucket_bytes + answers.row_bytes;
        }
        if let Some(part) = &self.part {
            part.verify();
        }
        for (frame, answers) in &self.imports {
            assert!(frame.is_frozen() && frame.answer_count() == answers.count());
        }
        let retired = self.retired.iter().map(|f| 1 + f.answer_count());
        assert_eq!(self.retired_answers, retired.sum::<usize>());
        for &frame in self.moded.keys() {
            self.verify_moded(frame);
        }
        let moded_bytes: usize = self.moded.values().map(|m| m.bytes()).sum();
        assert_eq!(self.moded_bytes, moded_bytes);
        self.verify_select();
        for ty in StructType::ALL {
            assert_eq!(self.store.alloc.count(ty), found[ty as usize], "{ty:?}");
            bucket_bytes += found[ty as usize] * ty.size();
        }
        assert_eq!(self.store.alloc.bytes_in_use(), bucket_bytes);
        assert!(self.store.alloc.bytes_held() >= self.store.alloc.bytes_in_use());
        self.store.handles.verify(self.all_tokens().into_iter());
    }

    fn verify_entry(&self, entry: EntryPtr) -> (TrieCount, TrieCount) {
        let mut calls = TrieCount::default();
        let mut answers = TrieCount::default();
        let mut answer_sum = 0;
        assert_eq!(entry.root().parent(), None);
        for (node, _) in trie::walk(entry.root()) {
            verify_children(node);
            calls.add(node);
            if node.is_leaf() {
                let frame = FramePtr::of_leaf(node);
                assert!(frame.leaf() == node && frame.entry() == entry);
                verify_frame(frame, &mut answers);
                answer_sum += frame.answer_count();
            }
        }
        for frame in self.common_frames_of(entry) {
            calls.leaves += 1;
            verify_frame(frame, &mut answers);
            answer_sum += frame.answer_count();
        }
        assert_eq!(entry.get().subgoals, calls.leaves);
        assert_eq!(entry.get().answers, answer_sum);
        (calls, answers)
    }
}

fn tokens_below<K: NodeKind>(root: Ptr<K>) -> impl Iterator<Item = u64> {
    trie::walk(root).skip(1).map(|(node, _)| node.token())
}

fn verify_frame(frame: FramePtr, answers: &mut TrieCount) {
    frame.state();
    if frame.is_frozen() {
        assert!(frame.root().is_bare());
        answers.add(frame.root());
        return;
    }
    assert_eq!(frame.root().parent(), None);
    if frame.has_rows() {
        whole::verify(frame);
        answers.add(frame.root());
        answers.add_rows(frame);
        return;
    }
    let mut leaves = HashSet::new();
    for (node, _) in trie::walk(frame.root()) {
        verify_children(node);
        answers.add(node);
        if node.is_leaf() && !node.is_withdrawn() {
            leaves.insert(node);
        }
    }
    assert_eq!(frame.answer_count(), leaves.len());
    let mut answer = frame.first_answer();
    let mut last = None;
    while let Some(a) = answer {
        assert!(leaves.remove(&a), "chained twice, or from another trie");
        last = answer;
        answer = a.next_answer();
    }
    assert!(leaves.is_empty(), "answers that are not in the chain");
    assert_eq!(frame.last_answer(), last);
}

fn verify_children<K: NodeKind>(node: Ptr<K>) {
    match node.children() {
        Children::None => assert!(node.parent().is_none(), "inner node without children"),
        Children::Leaf => (),
        Children::Hashed(head) => hash::verify(head, node),
        Children::Chain(first) => {
            let mut tokens = Vec::new();
            let mut at = Some(first);
            while let Some(p) = at {
                assert_eq!(p.parent(), Some(node));
                assert!(!tokens.contains(&p.token()), "token twice");
                tokens.push(p.token());
                assert!(tokens.len() <= MAX_CHAIN);
                at = p.sibling();
            }
        }
    }
}
