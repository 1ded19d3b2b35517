//! Where the answers of a complete table are that a call with bound arguments may have: for calls that read their answers from a more general table.
//!
//! A *list* has the answers by a key that the evaluator computes of their tokens and of a *shape*, which says what of an answer the key is made of, in words that mean nothing
//! here. An answer has a key, or may fit whatever the key is (it has a variable there), or never fits, and is left out. A list is made when it is first asked for, in parts, and kept
//! with the frame: eight bytes an answer, and eight more for all lists where answers are leaves of a trie. Who reads a list has the place of an answer in it.
//!
//! ```text
//! entry: key << 32 | answer's ordinal; the ordinal is the number of a row, or the place of the leaf in `leaves`
//! entries[..keyed] ascend by key, those of one key in order of the answers; behind them are those that fit any key
//! being made: read (entries, others, how many there are of each byte of a key) < sorted by one byte of the key after the other < kept
//! ```
//!
//! *Invariant* ([`TableSpace::verify`]): lists are of complete frames, each shape once; `select_bytes` = Σ bytes of them. Whoever changes how the answers of a frame are kept, or frees
//! it, forgets them ([`TableSpace::select_remove`]), and nobody reads from one then.
//!
//! *Cost*: making a list is linear in the answers, and takes 32 bytes an answer at most for that time ([`TableSpace::bytes_of_selection`]). A list is its thread's own, also where the answers are shared.
//!
//! Owner of the table space only.

use crate::alloc::StructAlloc;
use crate::frame::{FramePtr, State};
use crate::frozen;
use crate::node::AnswerPtr;
use crate::space::TableSpace;
use samite_term::common;
use samite_term::growth::{self, Refused};
use std::ops::Range;

/// What an answer is found by, in a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    Of(u32),
    /// It may fit, whatever is asked for.
    Any,
    /// It fits nothing that a list of this shape is asked for.
    Never,
}

/// Answers that are read or moved at a time.
const PART: usize = if cfg!(any(test, debug_assertions)) {
    16
} else {
    4096
};

/// Bytes of a key, by each of which is sorted.
const BYTES: usize = 4;

struct List {
    shape: Box<[u32]>,
    entries: Vec<u64>,
    keyed: usize,
}

/// A list that is being made.
struct Making {
    list: List,
    others: Vec<u64>,
    spare: Vec<u64>,
    /// How many entries have a byte, and then where the next one of them goes.
    counts: Box<[[u32; 256]; BYTES]>,
    /// Of all answers, where no list has them yet and they are not numbered.
    leaves: Vec<u64>,
    stage: Stage,
}

enum Stage {
    /// The next answer, and its ordinal where it is not numbered.
    Read(Option<AnswerPtr>, u32),
    /// The entries from a place on are to be moved, by one byte.
    Sort(usize, usize),
}

/// The lists of a frame.
#[derive(Default)]
pub struct Selections {
    lists: Vec<List>,
    leaves: Vec<u64>,
    making: Option<Box<Making>>,
}

/// What a list has for a key: places in it.
#[derive(Clone, Debug)]
pub struct Found {
    keyed: Range<usize>,
    others: Range<usize>,
}

impl Found {
    /// How many answers that are.
    pub fn count(&self) -> usize {
        self.keyed.len() + self.others.len()
    }
    /// How many fit any key.
    pub fn others(&self) -> usize {
        self.others.len()
    }
    /// The place of the first one.
    pub fn first(&self) -> Option<usize> {
        (self.keyed.clone().next()).or(self.others.clone().next())
    }
}

fn key_of(entry: u64) -> u32 {
    (entry >> 32) as u32
}

fn byte_of(entry: u64, pass: usize) -> usize {
    (entry >> (32 + 8 * pass)) as usize & 255
}

/// Whether the numbers of answers are their ordinals.
fn is_numbered(frame: FramePtr) -> bool {
    let last = frame.last_answer().and_then(AnswerPtr::number);
    last.is_some_and(|n| u32::try_from(n).is_ok())
}

impl Selections {
    /// How many lists there are.
    pub fn count(&self) -> usize {
        self.lists.len()
    }
    /// Whether one is being made.
    pub fn is_making(&self) -> bool {
        self.making.is_some()
    }
    /// The shape of each list.
    pub fn shapes(&self) -> impl Iterator<Item = &[u32]> {
        self.lists.iter().map(|l| &*l.shape)
    }
    /// The list of a shape.
    pub fn of(&self, shape: &[u32]) -> Option<usize> {
        self.shapes().position(|s| s == shape)
    }
    /// What a list has for a key.
    pub fn found(&self, list: usize, key: u32) -> Found {
        let List { entries, keyed, .. } = &self.lists[list];
        let all = &entries[..*keyed];
        let first = all.partition_point(|&e| key_of(e) < key);
        let count = all[first..].partition_point(|&e| key_of(e) == key);
        Found {
            keyed: first..first + count,
            others: *keyed..entries.len(),
        }
    }
    /// The place behind one that was found for a key.
    pub fn next(&self, list: usize, at: usize) -> Option<usize> {
        let List { entries, keyed, .. } = &self.lists[list];
        let next = match at + 1 {
            next if at < *keyed && next < *keyed => {
                match key_of(entries[next]) == key_of(entries[at]) {
                    true => next,
                    false => *keyed,
                }
            }
            next => next,
        };
        (next < entries.len()).then_some(next)
    }
    /// Whether the answer at a place has a key.
    pub fn has_key(&self, list: usize, at: usize) -> bool {
        at < self.lists[list].keyed
    }
    /// The answer at a place of a list.
    pub fn answer(&self, list: usize, at: usize) -> AnswerPtr {
        let ordinal = self.lists[list].entries[at] as u32 as usize;
        match self.leaves.get(ordinal) {
            // SAFETY: the leaf of an answer, which is there as long as the list.
            Some(&leaf) => unsafe { AnswerPtr::from_bits(leaf) },
            None => frozen::handle(ordinal),
        }
    }
    /// One of the answers of a list that fit any key.
    pub fn other(&self, list: usize) -> Option<AnswerPtr> {
        let List { entries, keyed, .. } = &self.lists[list];
        (*keyed < entries.len()).then(|| self.answer(list, *keyed))
    }
    fn bytes(&self) -> usize {
        let of =
            |list: &List| size_of::<List>() + 4 * list.shape.len() + 8 * list.entries.capacity();
        let making = self.making.as_ref().map_or(0, |m| {
            let words = m.others.capacity() + m.spare.capacity() + m.leaves.capacity();
            size_of::<Making>() + size_of_val(&*m.counts) + 8 * words + of(&m.list)
        });
        making + 8 * self.leaves.capacity() + self.lists.iter().map(of).sum::<usize>()
    }
}

impl Making {
    /// Moves entries to where the byte of this pass puts them, from `from` on; true: all are.
    fn sort(&mut self, pass: usize, from: usize) -> Result<bool, Refused> {
        let entries = &mut self.list.entries;
        let counts = &mut self.counts[pass];
        if from == 0 {
            if counts.iter().any(|&n| n as usize == entries.len()) {
                return Ok(true);
            }
            if self.spare.is_empty() {
                growth::have(&mut self.spare, entries.capacity())?;
                self.spare.resize(entries.len(), 0);
            }
            let mut before = 0;
            for n in counts.iter_mut() {
                (*n, before) = (before, before + *n);
            }
        }
        let to = entries.len().min(from + PART);
        for &e in &entries[from..to] {
            let place = &mut counts[byte_of(e, pass)];
            self.spare[*place as usize] = e;
            *place += 1;
        }
        let all = to == entries.len();
        if all {
            std::mem::swap(entries, &mut self.spare);
        }
        Ok(all)
    }
}

impl<A: StructAlloc> TableSpace<A> {
    /// The lists that a frame has.
    pub fn selections(&self, frame: FramePtr) -> Option<&Selections> {
        self.select.get(&frame)
    }

    /// Bytes that making a list takes, at most.
    pub fn bytes_of_selection(&self, frame: FramePtr) -> usize {
        32 * frame.answer_count() + size_of::<Making>()
    }

    /// Begins a list of the answers of a complete frame, none of which is being made.
    pub fn begin_selection(&mut self, frame: FramePtr, shape: &[u32]) -> Result<(), Refused> {
        debug_assert!(frame.state() == State::Complete);
        let making = Making {
            list: List {
                shape: growth::list(shape.iter().copied())?.into(),
                entries: growth::with_room(frame.answer_count())?,
                keyed: 0,
            },
            others: Vec::new(),
            spare: Vec::new(),
            counts: Box::new([[0; 256]; BYTES]),
            leaves: Vec::new(),
            stage: Stage::Read(frame.first_answer(), 0),
        };
        if !growth::map_room(&mut self.select, common::system_has) {
            return Err(Refused);
        }
        let all = self.select.entry(frame).or_default();
        debug_assert!(!all.is_making());
        let before = all.bytes();
        all.making = Some(Box::new(making));
        self.select_bytes += all.bytes() - before;
        Ok(())
    }

    /// Goes on with the list that is being made, by a part; true: there is none, any more. Refused: it is given up.
    pub fn go_on_selecting(
        &mut self,
        frame: FramePtr,
        key: impl Fn(&[u32], &[u64]) -> Key,
    ) -> Result<bool, Refused> {
        let Some(all) = self.select.get_mut(&frame) else {
            return Ok(true);
        };
        let before = all.bytes();
        let Some(mut making) = all.making.take() else {
            return Ok(true);
        };
        let without = all.bytes();
        let known = !all.leaves.is_empty();
        let done = match making.stage {
            Stage::Read(next, ordinal) => {
                let read = self.read_part(frame, &mut making, (next, ordinal), known, key);
                read.map(|()| false)
            }
            Stage::Sort(pass, from) => making.sort(pass, from).map(|all| {
                making.stage = match all {
                    true => Stage::Sort(pass + 1, 0),
                    false => Stage::Sort(pass, from + PART),
                };
                all && pass + 1 == BYTES
            }),
        };
        let done = match done {
            Ok(true) => self.keep_selection(frame, *making).map(|()| true),
            Ok(false) => {
                if let Some(all) = self.select.get_mut(&frame) {
                    all.making = Some(making);
                }
                Ok(false)
            }
            Err(refused) => Err(refused),
        };
        let after = self.select.get(&frame).map_or(without, Selections::bytes);
        self.select_bytes = self.select_bytes + after - before;
        done
    }

    /// Reads some answers.
    fn read_part(
        &self,
        frame: FramePtr,
        making: &mut Making,
        (mut next, mut ordinal): (Option<AnswerPtr>, u32),
        known: bool,
        key: impl Fn(&[u32], &[u64]) -> Key,
    ) -> Result<(), Refused> {
        let numbered = is_numbered(frame);
        let mut tokens = std::mem::take(&mut making.spare);
        for _ in 0..PART {
            let Some(answer) = next else {
                break;
            };
            self.answer_tokens(frame, answer, &mut tokens)?;
            let number = match answer.number() {
                Some(n) if numbered => n as u32,
                _ => {
                    if !known {
                        growth::push(&mut making.leaves, answer.to_bits())?;
                    }
                    ordinal = ordinal.checked_add(1).ok_or(Refused)?;
                    ordinal - 1
                }
            };
            match key(&making.list.shape, &tokens) {
                Key::Of(k) => {
                    let entry = u64::from(k) << 32 | u64::from(number);
                    growth::push(&mut making.list.entries, entry)?;
                    for (pass, counts) in making.counts.iter_mut().enumerate() {
                        counts[byte_of(entry, pass)] += 1;
                    }
                }
                Key::Any => growth::push(&mut making.others, u64::from(number))?,
                Key::Never => (),
            }
            next = frame.next_answer(answer);
        }
        tokens.clear();
        making.spare = tokens;
        making.stage = match next {
            Some(_) => Stage::Read(next, ordinal),
            None => Stage::Sort(0, 0),
        };
        Ok(())
    }

    /// A list is made.
    fn keep_selection(&mut self, frame: FramePtr, making: Making) -> Result<(), Refused> {
        let Making {
            mut list,
            others,
            leaves,
            ..
        } = making;
        list.keyed = list.entries.len();
        growth::have(&mut list.entries, others.len())?;
        list.entries.extend(others);
        if list.entries.len() < list.entries.capacity() / 2 {
            list.entries = growth::list(list.entries.iter().copied())?;
        }
        if let Some(all) = self.select.get_mut(&frame) {
            growth::push(&mut all.lists, list)?;
            if !leaves.is_empty() {
                all.leaves = leaves;
            }
        }
        Ok(())
    }

    /// Bytes of a frame's lists.
    pub(crate) fn select_bytes_of(&self, frame: FramePtr) -> usize {
        self.select.get(&frame).map_or(0, Selections::bytes)
    }

    /// The answers of this frame are not what they were.
    pub(crate) fn select_remove(&mut self, frame: FramePtr) {
        if let Some(all) = self.select.remove(&frame) {
            self.select_bytes -= all.bytes();
        }
    }

    /// The same of all frames for which `stays` is false.
    pub(crate) fn select_retain(&mut self, stays: impl Fn(FramePtr) -> bool) {
        let bytes = &mut self.select_bytes;
        self.select.retain(|&frame, all| {
            let stays = stays(frame);
            if !stays {
                *bytes -= all.bytes();
            }
            stays
        });
    }

    /// See the module text.
    pub(crate) fn verify_select(&self) {
        let mut bytes = 0;
        for (&frame, all) in &self.select {
            assert!(frame.state() == State::Complete);
            for (i, list) in all.lists.iter().enumerate() {
                assert!(all.lists[..i].iter().all(|l| l.shape != list.shape));
                assert!(list.entries.len() <= frame.answer_count());
                assert!(list.entries[..list.keyed].is_sorted());
                let known = |&e: &u64| (e as u32 as usize) < frame.answer_count();
                assert!(is_numbered(frame) || list.entries.iter().all(known));
            }
            bytes += all.bytes();
        }
        assert_eq!(self.select_bytes, bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::Key;
    use crate::{FramePtr, State, TableSpace};
    use samite_term::Cell;

    /// The key is the token at the place that the shape is; tokens from 1000 on fit anything, and negative ones nothing.
    fn key(shape: &[u32], tokens: &[u64]) -> Key {
        match Cell(tokens[shape[0] as usize]).small_value() {
            n if n < 0 => Key::Never,
            n if n >= 1000 => Key::Any,
            n => Key::Of((n * 0x0101_0101) as u32),
        }
    }

    fn fill(space: &mut TableSpace, rows: &[[i64; 2]], trie: bool) -> FramePtr {
        let root = space.subgoal_root(8).unwrap();
        let node = space.subgoal_step(root, 3).unwrap();
        let frame = space.subgoal_leaf(node).unwrap().0;
        for row in rows {
            let row = row.map(|n| Cell::small(n).0);
            if trie {
                let node = space.answer_root(frame);
                let node = space.answer_step(node, row[0]).unwrap();
                let node = space.answer_step(node, row[1]).unwrap();
                assert!(space.answer_leaf(frame, node));
            } else {
                assert!(space.add_row(frame, &row).unwrap());
            }
        }
        space.seal(frame, true);
        frame.set_state(State::Complete);
        frame
    }

    fn read(space: &TableSpace, frame: FramePtr, list: usize, k: i64) -> Vec<[i64; 2]> {
        let all = space.selections(frame).unwrap();
        let mut tokens = Vec::new();
        let mut at = all.found(list, (k * 0x0101_0101) as u32).first();
        let mut rows = Vec::new();
        while let Some(place) = at {
            let answer = all.answer(list, place);
            space.answer_tokens(frame, answer, &mut tokens).unwrap();
            rows.push([tokens[0], tokens[1]].map(|t| Cell(t).small_value()));
            at = all.next(list, place);
        }
        rows
    }

    /// As rows, as bits and in a trie: what has a key is found, and nothing else but what fits any.
    #[test]
    fn the_answers_with_a_key_are_found() {
        for (apart, trie) in [(1, false), (1_000_003, false), (1, true)] {
            let rows: Vec<[i64; 2]> = (0..200i64)
                .map(|i| [i * 7919 % 23, i * apart])
                .chain([[1000, -1], [-5, 1], [-6, 2], [1001, -2]])
                .collect();
            let mut space = TableSpace::new();
            let frame = fill(&mut space, &rows, trie);
            for shape in [0, 1] {
                space.begin_selection(frame, &[shape]).unwrap();
                space.verify();
                let mut parts = 1;
                while !space.go_on_selecting(frame, key).unwrap() {
                    space.verify();
                    parts += 1;
                }
                assert!(parts > 12, "it is made in parts");
                space.verify();
            }
            for k in 0..25 {
                let mut expected: Vec<_> = rows.iter().filter(|r| r[0] == k).copied().collect();
                expected.extend([[1000, -1], [1001, -2]]);
                let mut found = read(&space, frame, 0, k);
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected);
            }
            let before = space.bytes_held();
            space.remove_subgoal(frame);
            space.verify();
            assert!(space.select_bytes == 0 && space.bytes_held() + 3200 <= before);
        }
    }
}
