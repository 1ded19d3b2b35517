//! The rows of a whole table, whether they are in arrays or only the bits are left: counting, comparing, asserting.
//!
//! See [`crate::rows`]; who reads one after the other has a [cursor](crate::cursor).

use crate::alloc::StructAlloc;
use crate::frame::{Form, FramePtr};
use crate::rows::{MOST_OF_ROW, View, is_narrow, is_row_token, words_for};
use crate::seen::Bits;
use crate::space::TableSpace;
use samite_term::growth::{self, Refused};

/// The rows of a frame, whether there are arrays or only bits.
pub(crate) struct All {
    pub(crate) view: View,
    bits: Option<Bits>,
}

impl All {
    pub(crate) fn of(frame: FramePtr) -> All {
        let bits = if frame.has_bits() { frame.bits() } else { None };
        All {
            view: View::of(frame),
            bits,
        }
    }

    /// Token `k` of row `i`.
    pub(crate) fn token(&self, i: usize, k: usize) -> u64 {
        match self.bits {
            Some(bits) => bits.tokens(i)[k],
            None => self.view.token(i, k),
        }
    }

    /// The tokens of row `i` behind what is in `out`.
    pub(crate) fn tokens(&self, i: usize, out: &mut Vec<u64>) -> Result<(), Refused> {
        growth::have(out, self.view.width)?;
        out.extend((0..self.view.width).map(|k| self.token(i, k)));
        Ok(())
    }

    /// The numbers of the rows, of which there are so many.
    fn numbers(&self, count: usize) -> impl Iterator<Item = usize> + use<> {
        let numbered = if self.bits.is_some() { 0 } else { count };
        (0..numbered).chain(self.bits.into_iter().flat_map(Bits::all))
    }

    /// Calls `f` with the tokens of each row, of which there are so many.
    pub(crate) fn each(&self, count: usize, mut f: impl FnMut(&[u64])) {
        match self.bits {
            None => self.view.each(count, f),
            Some(bits) => (bits.all()).for_each(|bit| f(&bits.tokens(bit)[..self.view.width])),
        }
    }

    /// The numbers of the rows, of which there are so many, in the order of their tokens.
    pub(crate) fn sorted(&self, count: usize) -> Result<Vec<usize>, Refused> {
        let mut all = growth::with_room(count)?;
        all.extend(self.numbers(count));
        let key = |&i: &usize| (0..self.view.width).map(move |k| self.token(i, k));
        all.sort_unstable_by(|a, b| key(a).cmp(key(b)));
        Ok(all)
    }
}

impl<A: StructAlloc> TableSpace<A> {
    /// Nodes that the answers kept as rows would take in tries.
    pub fn nodes_of_rows(&self) -> Result<usize, Refused> {
        let frames = self.frames().chain(self.retired().iter().copied());
        let mut nodes = 0;
        for frame in frames.filter(|f| f.form() != Form::Trie) {
            let rows = All::of(frame);
            let all = rows.sorted(frame.answer_count())?;
            let (token, width) = (|i, k| rows.token(i, k), rows.view.width);
            nodes += width;
            for pair in all.windows(2) {
                let common = (0..width).take_while(|&k| token(pair[0], k) == token(pair[1], k));
                nodes += width - common.count();
            }
        }
        Ok(nodes)
    }
}

/// The number of a row.
pub(crate) fn find(frame: FramePtr, tokens: &[u64]) -> Option<usize> {
    let All { view, bits } = All::of(frame);
    if tokens.len() != view.width {
        return None;
    }
    match bits {
        Some(bits) => bits.find(tokens),
        None => (0..frame.answer_count()).find(|&i| view.is(i, tokens)),
    }
}

/// Whether two frames with as many rows have the same ones.
pub(crate) fn same(a: FramePtr, b: FramePtr) -> Result<bool, Refused> {
    let (a, b, count) = (All::of(a), All::of(b), a.answer_count());
    if a.view.width != b.view.width {
        return Ok(false);
    }
    let (in_a, in_b) = (a.sorted(count)?, b.sorted(count)?);
    let same =
        |(&i, &j): (&usize, &usize)| (0..a.view.width).all(|k| a.token(i, k) == b.token(j, k));
    Ok(in_a.iter().zip(&in_b).all(same))
}

/// Asserts what the module text says of a frame with rows.
pub(crate) fn verify(frame: FramePtr) {
    let view = View::of(frame);
    let count = frame.answer_count();
    assert!(frame.root().is_bare() && (1..=MOST_OF_ROW).contains(&view.width) && count > 0);
    let mut all = std::collections::HashSet::new();
    All::of(frame).each(count, |row| {
        assert!(view.wide || row.iter().all(|&t| is_narrow(t)));
        assert!(row.iter().all(|&t| is_row_token(t)));
        assert!(all.insert(row.to_vec()), "a row twice");
    });
    assert_eq!(all.len(), count);
    assert!(frame.has_bits() || words_for(count * view.width, view.wide) <= view.words);
    if frame.form() == Form::Rows {
        // SAFETY: a live header; the reference ends here.
        unsafe { frame.rows().as_ref() }
            .seen
            .verify(&All::of(frame), count);
    }
}

#[cfg(test)]
mod tests {
    use crate::rows::tests::{fill, int};
    use crate::{Cursor, Rows, State, TableSpace};
    use samite_term::HoldsAtoms;
    use std::sync::Arc;

    /// What only has bits has the same rows, also for those who share it and who compare it.
    #[test]
    fn bits_are_what_was_added() {
        let n = if cfg!(miri) { 12 } else { 60 };
        let shapes: [fn(i64, i64) -> Vec<u64>; 4] = [
            |i, n| vec![int(i - n)],
            |i, n| vec![int(i % n), int(i / n)],
            |i, n| vec![int(i / n), (i % n) as u64 * 256 + 5],
            |i, n| vec![int(-(i % n)), int(i / n * 3 % n)],
        ];
        for (s, shape) in shapes.into_iter().enumerate() {
            let all = (0..n * n)
                .map(|i| (i * 7) % (n * n))
                .filter(|i| i % 11 != 0);
            let (mut space, frame, mut all) = fill(all.map(|i| shape(i, n)));
            space.seal(frame, true);
            space.verify();
            assert!(frame.has_bits());
            all.sort_unstable();
            let sorted = |space: &TableSpace, frame| {
                let (mut found, mut out) = (Vec::new(), Vec::new());
                for answer in space.answers(frame) {
                    space.answer_tokens(frame, answer, &mut out).unwrap();
                    let Some(Rows::Bits(row)) = frame.rows_from(answer) else {
                        panic!("no bits")
                    };
                    assert!(
                        (0..row.width())
                            .map(|k| row.token(k))
                            .eq(out.iter().copied())
                    );
                    found.push(out.clone());
                }
                assert_eq!(space.answers(frame).last(), frame.last_answer());
                let Some(Rows::Bits(mut row)) = frame.rows_from(frame.first_answer().unwrap())
                else {
                    panic!("no bits")
                };
                for tokens in &found {
                    assert!(
                        (0..row.width())
                            .map(|k| row.token(k))
                            .eq(tokens.iter().copied())
                    );
                    row.advance();
                }
                found.sort_unstable();
                found
            };
            assert_eq!(sorted(&space, frame), all);
            for answer in &all {
                assert!(space.answer_find(frame, answer).is_some());
            }
            assert!(
                space
                    .answer_find(frame, &vec![int(1 << 20); frame.width()])
                    .is_none()
            );
            assert!(space.statistics_of(1).bytes <= 2 * all.len() + 2048);
            frame.set_state(State::Complete);
            let frozen = space.freeze(frame, 0, &mut Vec::new()).unwrap().unwrap();
            let frozen = Arc::new(frozen);
            let mut atoms = 0;
            frozen.each_atom(&mut |_| atoms += 1);
            assert_eq!(atoms, if s == 2 { all.len() } else { 0 });
            let mut other = TableSpace::new();
            let root = other.subgoal_root(1).unwrap();
            let node = other.subgoal_step(root, 1).unwrap();
            let (imported, _) = other.subgoal_leaf(node).unwrap();
            other.import(imported, frozen).unwrap();
            other.verify();
            assert_eq!(sorted(&other, imported), all);
            let new = space.renew_subgoal(frame).unwrap();
            for answer in &all {
                space.add_row(new, answer).unwrap();
            }
            assert!(space.same_answers(new, frame).unwrap());
            space.verify();
        }
    }
}
