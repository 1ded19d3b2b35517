//! The atoms of tables, found by walking ([`samite_term::walked`]).
//!
//! A token that is a cell with an atom, or a functor, is one; the words behind the header of a boxed value are no cells.

use crate::alloc::StructAlloc;
use crate::frame::FramePtr;
use crate::node::{NodeKind, Ptr};
use crate::space::{TableSpace, frames_of};
use crate::trie;
use crate::whole::All;
use samite_term::walked::each_in_words;
use samite_term::{Atom, Cell, HoldsAtoms, Tag};

impl<A: StructAlloc> HoldsAtoms for TableSpace<A> {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        for &entry in &self.order {
            each_in_trie(entry.root(), f);
            frames_of(entry).for_each(|frame| each_in_answers(frame, f));
        }
        let mut tokens = Vec::new();
        for frame in self.common_frames() {
            match self.subgoal_tokens(frame, &mut tokens) {
                Ok(()) => each_in_words(&tokens, f),
                // (Nobody is to be without an atom because there is no room for the tokens.)
                Err(_) => each_one_by_one(frame, f),
            }
            each_in_answers(frame, f);
        }
        self.retired()
            .iter()
            .for_each(|&frame| each_in_answers(frame, f));
        for answers in self.imports.values() {
            answers.each_atom(f);
        }
        for moded in self.moded.values() {
            moded.each_value(|tokens| each_in_words(tokens, f));
        }
    }
}

/// The atoms of a call that threads share, whose tokens are found from the last to the first only: slowly, without memory.
#[cold]
pub(crate) fn each_one_by_one(frame: FramePtr, f: &mut dyn FnMut(Atom)) {
    let Some(leaf) = frame.common_leaf() else {
        return;
    };
    // SAFETY: a node of calls that the space has a part in.
    let leaf = unsafe { leaf.as_ref() };
    let mut length = 0;
    leaf.each_token_up(|_| length += 1);
    let mut i = 0;
    while i < length {
        let (mut at, mut c) = (length, Cell(0));
        leaf.each_token_up(|t| {
            at -= 1;
            if at == i {
                c = Cell(t);
            }
        });
        if let Some(a) = c.atom_in() {
            f(a);
        } else if c.tag() == Tag::Hdr {
            i += c.box_words();
        }
        i += 1;
    }
}

fn each_in_answers(frame: FramePtr, f: &mut dyn FnMut(Atom)) {
    if frame.has_rows() {
        All::of(frame).each(frame.answer_count(), |row| each_in_words(row, f));
    } else {
        each_in_trie(frame.root(), f);
    }
}

fn each_in_trie<K: NodeKind>(root: Ptr<K>, f: &mut dyn FnMut(Atom)) {
    // Headers on the way to a node: depth and number of words that follow.
    let mut headers: Vec<(usize, usize)> = Vec::new();
    // (The token of the root means nothing.)
    for (node, depth) in trie::walk(root).skip(1) {
        while headers.pop_if(|&mut (at, _)| at >= depth).is_some() {}
        if (headers.last()).is_some_and(|&(at, words)| depth <= at + words) {
            continue;
        }
        let c = Cell(node.token());
        if let Some(a) = c.atom_in() {
            f(a);
        } else if c.tag() == Tag::Hdr && c.box_words() > 0 {
            headers.push((depth, c.box_words()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use samite_term::{Functor, Kind};

    /// Calls, answers and values tell of their atoms, words of numbers that look like some do not.
    #[test]
    fn tables_tell_of_their_atoms() {
        let names = [
            "tables: call",
            "tables: f",
            "tables: answer",
            "tables: value",
            "tables: behind",
        ];
        let [call, functor, answer, value, behind] = names.map(Atom::of);
        let alike = Cell::atom(Atom::new("tables: alike")).0;
        let [float, other] = [alike, alike + (1 << 20)];
        let header = Cell::header(Kind::Float, 0).0;
        let mut space = TableSpace::new();
        let node = space.subgoal_root(1).unwrap();
        let node = space
            .subgoal_step(node, Functor::new(functor, 1).bits())
            .unwrap();
        let node = space.subgoal_step(node, Cell::atom(call).0).unwrap();
        let (frame, _) = space.subgoal_leaf(node).unwrap();
        space.moded_begin(frame).unwrap();
        // Two floats with a common header, and what follows them.
        for tokens in [
            &[header, float, Cell::atom(answer).0, header, float][..],
            &[header, float, Cell::atom(behind).0, header, other],
            &[header, other, Cell::small(1).0, header, float],
        ] {
            let mut node = space.answer_root(frame);
            for &t in tokens {
                node = space.answer_step(node, t).unwrap();
            }
            space
                .moded_set(frame, node, &[header, alike, Cell::atom(value).0])
                .unwrap();
            space.answer_leaf(frame, node);
        }
        let mut found = Vec::new();
        space.each_atom(&mut |a| found.push(a));
        found.sort_unstable();
        found.dedup();
        let mut expected = [call, functor, answer, value, behind];
        expected.sort_unstable();
        assert_eq!(found, expected);
        space.abolish_all();
        space.each_atom(&mut |_| panic!("there are no tables"));
    }
}
