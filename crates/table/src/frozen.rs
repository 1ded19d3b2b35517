//! Complete tables that threads share: the answers, one behind the other, and nothing that changes.
//!
//! A table that is complete is only read from its first answer to its last, so that needs no trie: the tokens of the answers follow each other, in words of 32 bits if none needs
//! more. A frame that has *imported* such answers is a complete table like any other; what names one of its answers is its number, as an odd
//! handle.
//!
//! ```text
//! answer i of a frozen table: the handle 2·i + 1; tokens[i · stride ..][..stride], or tokens[ends[i-1]..ends[i]]
//! of a joint one ([`crate::joint`]): row i - starts[k] of the log that has it, the last with starts[k] ≤ i
//! of one with a bit for each row ([`crate::rows`]): the handle 2·bit + 1
//! ```
//!
//! Counted as what threads have in common ([`common::charge`]), as long as somebody has it.

use crate::alloc::StructAlloc;
use crate::frame::{FramePtr, State};
use crate::joint::{JointRows, MEMBERS};
use crate::node::AnswerPtr;
use crate::seen::{Bits, Rectangle, SIDES};
use crate::space::TableSpace;
use crate::whole::All;
use samite_term::growth::{self, Refused};
use samite_term::walked::each_in_words;
use samite_term::{Atom, Cell, HoldsAtoms, common};
use std::sync::Arc;

/// See the module text.
#[derive(Debug)]
pub struct Frozen {
    tokens: Tokens,
    ends: Ends,
    count: usize,
    charged: usize,
}

/// Tokens that a table has at most that are kept without memory of their own.
const FEW: usize = 4;

#[derive(Debug)]
enum Tokens {
    /// Narrow ones, what is behind them means nothing: most tables have one small answer.
    Few([u32; FEW]),
    Narrow(Box<[u32]>),
    Wide(Box<[u64]>),
    /// As the threads that found them left them, with the logs that have some, and the number of the first one of each.
    Joint(Arc<JointRows>, Box<[(usize, usize)]>),
    /// A bit for each row of a rectangle, with the reciprocal.
    Bits(Rectangle, Box<[u64]>, u64),
}

#[derive(Debug)]
enum Ends {
    Stride { words: usize, count: usize },
    At(Box<[u32]>),
}

impl Frozen {
    /// How many answers there are.
    pub fn count(&self) -> usize {
        self.count
    }
    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.charged
            + match &self.tokens {
                Tokens::Joint(rows, _) => rows.bytes(),
                _ => 0,
            }
    }
    /// The answers of a joint table that is complete. `None`: what threads have in common is full.
    pub fn of_joint(rows: Arc<JointRows>, beside: usize) -> Result<Option<Frozen>, Refused> {
        let mut starts = Vec::new();
        let mut count = 0;
        for log in 0..MEMBERS {
            if rows.committed(log) > 0 {
                growth::push(&mut starts, (log, count))?;
                count += rows.committed(log);
            }
        }
        let charged = size_of::<Frozen>() + starts.len() * size_of::<(usize, usize)>() + beside;
        if !common::may_take(charged, 0) {
            return Ok(None);
        }
        common::charge(charged);
        let words = rows.width();
        Ok(Some(Frozen {
            tokens: Tokens::Joint(rows, starts.into()),
            ends: Ends::Stride { words, count },
            count,
            charged,
        }))
    }
    fn new(tokens: &[u64], ends: Ends, beside: usize) -> Result<Option<Frozen>, Refused> {
        let narrow = tokens.iter().all(|&t| u32::try_from(t).is_ok());
        let few = narrow && tokens.len() <= FEW;
        let of_tokens = match (few, narrow) {
            (true, _) => 0,
            (_, true) => tokens.len() * 4,
            _ => tokens.len() * 8,
        };
        let (count, of_ends) = match &ends {
            Ends::Stride { count, .. } => (*count, 0),
            Ends::At(ends) => (ends.len(), ends.len() * 4),
        };
        let charged = size_of::<Frozen>() + of_tokens + of_ends + beside;
        if !common::may_take(charged, 0) {
            return Ok(None);
        }
        let tokens = if few {
            let mut all = [0; FEW];
            for (to, &t) in all.iter_mut().zip(tokens) {
                *to = t as u32;
            }
            Tokens::Few(all)
        } else if narrow {
            Tokens::Narrow(growth::list(tokens.iter().map(|&t| t as u32))?.into())
        } else {
            Tokens::Wide(growth::list(tokens.iter().copied())?.into())
        };
        common::charge(charged);
        Ok(Some(Frozen {
            tokens,
            ends,
            count,
            charged,
        }))
    }
    /// The rows of these bits, so many.
    fn of_bits(
        bits: Bits,
        (words, count): (usize, usize),
        beside: usize,
    ) -> Result<Option<Frozen>, Refused> {
        let charged = size_of::<Frozen>() + size_of_val(bits.table()) + beside;
        if !common::may_take(charged, 0) {
            return Ok(None);
        }
        let table = growth::list(bits.table().iter().copied())?;
        common::charge(charged);
        Ok(Some(Frozen {
            tokens: Tokens::Bits(*bits.rectangle(), table.into(), bits.reciprocal()),
            ends: Ends::Stride { words, count },
            count,
            charged,
        }))
    }
    /// The rows, if there is a bit for each.
    #[inline]
    pub(crate) fn bits(&self) -> Option<Bits> {
        match &self.tokens {
            Tokens::Bits(r, table, by) => {
                // SAFETY: the table of the rectangle; nothing of this changes, and the caller keeps it.
                Some(unsafe { Bits::new((table.as_ptr(), table.len()), r, *by) })
            }
            _ => None,
        }
    }
    /// The tokens of each answer, if all have as many.
    #[inline]
    pub(crate) fn width(&self) -> Option<usize> {
        match self.ends {
            Ends::Stride { words, .. } => Some(words),
            Ends::At(_) => None,
        }
    }
    /// The tokens of an answer of few, if all have as many; how many they are.
    #[inline]
    pub(crate) fn few_tokens_of(&self, i: usize) -> Option<([u64; SIDES], usize)> {
        let words = self.width()?;
        if words == 0 || words > SIDES {
            return None;
        }
        let mut all = [0; SIDES];
        match &self.tokens {
            Tokens::Few(t) => (0..words).for_each(|k| all[k] = u64::from(t[i * words + k])),
            Tokens::Narrow(t) => (0..words).for_each(|k| all[k] = u64::from(t[i * words + k])),
            Tokens::Wide(t) => all[..words].copy_from_slice(&t[i * words..][..words]),
            Tokens::Joint(rows, starts) => {
                let at = starts.partition_point(|&(_, start)| start <= i) - 1;
                let (log, start) = starts[at];
                (0..words).for_each(|k| all[k] = rows.token(log, i - start, k));
            }
            Tokens::Bits(..) => all[..words].copy_from_slice(&self.bits()?.tokens(i)[..words]),
        }
        Some((all, words))
    }
    /// The tokens of an answer, behind what is in `out`.
    fn tokens_of(&self, i: usize, out: &mut Vec<u64>) -> Result<(), Refused> {
        if let Tokens::Joint(rows, starts) = &self.tokens {
            let k = starts.partition_point(|&(_, start)| start <= i) - 1;
            return rows.tokens(starts[k].0, i - starts[k].1, out);
        }
        if let (Some(bits), Some(words)) = (self.bits(), self.width()) {
            growth::have(out, words)?;
            out.extend_from_slice(&bits.tokens(i)[..words]);
            return Ok(());
        }
        let (from, to) = match &self.ends {
            Ends::Stride { words, .. } => (i * words, (i + 1) * words),
            Ends::At(ends) => {
                let from = i.checked_sub(1).map_or(0, |before| ends[before] as usize);
                (from, ends[i] as usize)
            }
        };
        growth::have(out, to - from)?;
        match &self.tokens {
            Tokens::Few(t) => out.extend(t[from..to].iter().map(|&t| u64::from(t))),
            Tokens::Narrow(t) => out.extend(t[from..to].iter().map(|&t| u64::from(t))),
            Tokens::Wide(t) => out.extend_from_slice(&t[from..to]),
            Tokens::Joint(..) | Tokens::Bits(..) => (),
        }
        Ok(())
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        common::release(self.charged);
    }
}

impl HoldsAtoms for Frozen {
    fn each_atom(&self, f: &mut dyn FnMut(Atom)) {
        match &self.tokens {
            Tokens::Wide(t) => each_in_words(t, f),
            Tokens::Joint(rows, _) => rows.each_atom(f),
            Tokens::Bits(r, ..) => {
                let all = self.bits().filter(|_| r.has_atoms());
                let rows = all
                    .into_iter()
                    .flat_map(|b| b.all().map(move |i| b.tokens(i)));
                rows.for_each(|tokens| each_in_words(&tokens, f));
            }
            Tokens::Few(t) => each_in_words(&t.map(u64::from), f),
            Tokens::Narrow(t) => {
                let wide: Vec<u64> = t.iter().map(|&t| u64::from(t)).collect();
                each_in_words(&wide, f);
            }
        }
    }
}

/// The number of an answer of a frozen table, by its handle.
#[inline]
pub(crate) fn number(answer: AnswerPtr) -> Option<usize> {
    let bits = answer.to_bits();
    (bits & 1 == 1).then_some((bits >> 1) as usize)
}

impl AnswerPtr {
    /// The number of an answer that is a row, or shared.
    #[inline]
    pub fn number(self) -> Option<usize> {
        number(self)
    }
}

/// The handle of an answer of a frozen table.
#[inline]
pub(crate) fn handle(number: usize) -> AnswerPtr {
    // SAFETY: not null. Who has an odd one asks `number` before it follows it.
    unsafe { AnswerPtr::from_bits((number as u64) << 1 | 1) }
}

impl<A: StructAlloc> TableSpace<A> {
    /// The answers of a complete table, with their values, to be shared; `beside`: bytes that are to be counted with it, `scratch`: room to work in. `None`: they
    /// cannot be, or what threads have in common is full.
    pub fn freeze(
        &self,
        frame: FramePtr,
        beside: usize,
        scratch: &mut Vec<u64>,
    ) -> Result<Option<Frozen>, Refused> {
        debug_assert!(frame.state() == State::Complete && !frame.is_frozen());
        scratch.clear();
        if frame.has_bits()
            && let Some(bits) = frame.bits()
        {
            return Frozen::of_bits(bits, (frame.width(), frame.answer_count()), beside);
        }
        let mut words = None;
        let mut ends: Vec<u32> = Vec::new();
        for (i, a) in self.answers(frame).enumerate() {
            let start = scratch.len();
            match number(a) {
                Some(row) => All::of(frame).tokens(row, scratch)?,
                None => a.tokens_behind(scratch)?,
            }
            if let Some(value) = self.moded_value(frame, a) {
                growth::have(scratch, value.len())?;
                scratch.extend_from_slice(value);
            }
            // (A queue lives as long as somebody has its handle, which the threads' own tables count.)
            let mut new = scratch[start..].iter();
            if new.any(|&t| Cell(t).counted_handle().is_some()) {
                return Ok(None);
            }
            let n = scratch.len() - start;
            let first = *words.get_or_insert(n);
            if ends.is_empty() && first == n {
                continue;
            }
            if ends.is_empty() {
                ends = growth::with_room(frame.answer_count())?;
                ends.extend((1..=i).map(|i| (i * first) as u32));
            }
            let Ok(end) = u32::try_from(scratch.len()) else {
                return Ok(None);
            };
            ends.push(end);
        }
        let ends = match ends.is_empty() {
            true => Ends::Stride {
                words: words.unwrap_or(0),
                count: frame.answer_count(),
            },
            false => Ends::At(ends.into()),
        };
        Frozen::new(scratch, ends, beside)
    }

    /// A fresh table is complete, and has these answers.
    pub fn import(&mut self, frame: FramePtr, answers: Arc<Frozen>) -> Result<(), Refused> {
        debug_assert!(frame.state() == State::Fresh && frame.answer_count() == 0);
        let pointer = Arc::as_ptr(&answers);
        let count = answers.count();
        growth::insert(&mut self.imports, frame, answers)?;
        self.select_remove(frame);
        // SAFETY: the answers are kept there.
        frame.set_frozen(unsafe { &*pointer });
        frame.entry().count(0, count as isize);
        Ok(())
    }

    /// The tokens of an answer of a frozen table, in place of what is in `out`.
    #[cold]
    pub(crate) fn frozen_tokens(
        &self,
        frame: FramePtr,
        number: usize,
        out: &mut Vec<u64>,
    ) -> Result<(), Refused> {
        out.clear();
        match self.imports.get(&frame) {
            Some(answers) => answers.tokens_of(number, out),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{FramePtr, State, TableSpace};
    use std::sync::Arc;

    fn table(space: &mut TableSpace) -> FramePtr {
        let root = space.subgoal_root(8).unwrap();
        let node = space.subgoal_step(root, 3).unwrap();
        space.subgoal_leaf(node).unwrap().0
    }

    fn answers(space: &TableSpace, frame: FramePtr) -> Vec<Vec<u64>> {
        let mut out = Vec::new();
        let all = space.answers(frame);
        all.map(|a| {
            space.answer_tokens(frame, a, &mut out).unwrap();
            out.clone()
        })
        .collect()
    }

    #[test]
    fn other_spaces_read_the_same_answers() {
        let wide = 1 << 40;
        for given in [
            vec![vec![8, 16], vec![8, 24], vec![0, 0]],
            vec![vec![8, 16, 24], vec![wide], vec![40]],
            vec![vec![8], vec![16], vec![24, 32], vec![40, 48]],
            vec![vec![8, 16, 24]],
            vec![vec![]],
            vec![],
        ] {
            let mut space = TableSpace::new();
            let frame = table(&mut space);
            for answer in &given {
                let mut node = space.answer_root(frame);
                for &t in answer {
                    node = space.answer_step(node, t).unwrap();
                }
                space.answer_leaf(frame, node);
            }
            frame.set_state(State::Complete);
            let frozen = Arc::new(space.freeze(frame, 0, &mut Vec::new()).unwrap().unwrap());
            assert_eq!(answers(&space, frame), given);
            let mut other = TableSpace::new();
            let imported = table(&mut other);
            other.import(imported, frozen.clone()).unwrap();
            other.verify();
            assert!(imported.state() == State::Complete);
            assert_eq!(answers(&other, imported), given);
            assert_eq!(imported.answer_count(), given.len());
            assert_eq!(Arc::strong_count(&frozen), 2);
            other.remove_subgoal(imported);
            other.verify();
            assert_eq!(Arc::strong_count(&frozen), 1);
        }
    }
}
