//! Answers with a value that is updated in place: mode-directed tabling.
//!
//! The leaf of an answer trie is the *key* of such an answer, its value is kept here. Whenever a value is set the key is
//! appended to the *events* of its frame; a consumer goes through the events, and passes over those that a later event of the
//! same key has overtaken, so that it sees each value that was current when it came by, and the last one.
//!
//! Invariants: every answer of a moded frame has a value; `events[slot.event]` is the key of the slot, until the frame is
//! complete and the events are dropped; `moded_bytes = Σ Moded::bytes`;
//! the handles among the tokens of values are entered in `handles`.

use crate::alloc::StructAlloc;
use crate::frame::FramePtr;
use crate::node::AnswerPtr;
use crate::rows::is_row_token;
use crate::space::TableSpace;
use rustc_hash::FxHashMap;
use samite_term::common;
use samite_term::growth::{self, Refused};
use std::ops::Deref;

/// The values of one frame.
#[derive(Debug, Default)]
pub(crate) struct Moded {
    values: FxHashMap<AnswerPtr, Slot>,
    events: Vec<AnswerPtr>,
    /// Bytes of the values.
    of_values: usize,
}

impl Moded {
    /// Calls `f` with the tokens of each.
    pub(crate) fn each_value(&self, mut f: impl FnMut(&[u64])) {
        self.values.values().for_each(|slot| f(&slot.tokens));
    }
    /// Bytes that they take.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<(FramePtr, Moded)>()
            + self.of_values
            + growth::map_bytes(&self.values)
            + growth::vec_bytes(&self.events)
    }
}

/// The tokens of a value; most have one.
#[derive(Debug)]
enum Value {
    One([u64; 1]),
    More(Box<[u64]>),
}

impl Value {
    fn new(tokens: &[u64]) -> Result<Value, Refused> {
        Ok(match *tokens {
            [token] => Value::One([token]),
            _ => Value::More(growth::list(tokens.iter().copied())?.into()),
        })
    }
    /// Bytes beside those of the slot.
    fn bytes(&self) -> usize {
        match self {
            Value::One(_) => 0,
            Value::More(tokens) => size_of_val(&**tokens),
        }
    }
}

impl Deref for Value {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        match self {
            Value::One(token) => token,
            Value::More(tokens) => tokens,
        }
    }
}

#[derive(Debug)]
struct Slot {
    tokens: Value,
    /// Number of the event that set it.
    event: usize,
}

impl<A: StructAlloc> TableSpace<A> {
    /// Makes the answers of a new frame have values.
    pub fn moded_begin(&mut self, frame: FramePtr) -> Result<(), Refused> {
        debug_assert_eq!(frame.answer_count(), 0);
        if !growth::map_room(&mut self.moded, common::system_has) {
            return Err(Refused);
        }
        let moded = Moded::default();
        self.moded_bytes += moded.bytes();
        if let Some(old) = self.moded.insert(frame, moded) {
            self.moded_bytes -= old.bytes();
        }
        Ok(())
    }
    /// The value of an answer of a moded frame.
    pub fn moded_value(&self, frame: FramePtr, answer: AnswerPtr) -> Option<&[u64]> {
        Some(&self.moded.get(&frame)?.values.get(&answer)?.tokens)
    }
    /// The number of the event that set the value of an answer of an incomplete frame.
    pub fn moded_event(&self, frame: FramePtr, answer: AnswerPtr) -> usize {
        let slot = self.moded.get(&frame).and_then(|m| m.values.get(&answer));
        slot.map_or(usize::MAX, |s| s.event)
    }
    /// Sets the value of an answer, known or about to be added.
    pub fn moded_set(
        &mut self,
        frame: FramePtr,
        answer: AnswerPtr,
        tokens: &[u64],
    ) -> Result<(), Refused> {
        let Some(moded) = self.moded.get_mut(&frame) else {
            return Ok(());
        };
        // Most values are small, and many: not one of them would ask.
        if !common::system_has(0) {
            return Err(Refused);
        }
        let before = moded.bytes();
        let tokens = Value::new(tokens)?;
        growth::have(&mut moded.events, 1)?;
        let handles = &mut self.store.handles;
        let room =
            growth::map_room(&mut moded.values, common::system_has) && handles.enter_all(&tokens);
        if room {
            let event = moded.events.len();
            moded.events.push(answer);
            moded.of_values += tokens.bytes();
            if let Some(old) = moded.values.insert(answer, Slot { tokens, event }) {
                moded.of_values -= old.tokens.bytes();
                handles.leave_all(&old.tokens);
            }
        }
        self.moded_bytes += moded.bytes();
        self.moded_bytes -= before;
        if room { Ok(()) } else { Err(Refused) }
    }
    /// Replaces the value of an answer by `token`, if both are one token that is no handle, and it is better than the one there is; whether it was. `None`: one of them is something
    /// else.
    pub fn moded_improve(
        &mut self,
        frame: FramePtr,
        answer: AnswerPtr,
        token: u64,
        better: impl FnOnce(u64) -> bool,
    ) -> Result<Option<bool>, Refused> {
        let Some(moded) = self.moded.get_mut(&frame) else {
            return Ok(None);
        };
        let Some(slot) = moded.values.get_mut(&answer) else {
            return Ok(None);
        };
        let Value::One([known]) = &mut slot.tokens else {
            return Ok(None);
        };
        if !is_row_token(*known) || !is_row_token(token) {
            return Ok(None);
        }
        if !better(*known) {
            return Ok(Some(false));
        }
        let before = growth::vec_bytes(&moded.events);
        growth::have(&mut moded.events, 1)?;
        self.moded_bytes += growth::vec_bytes(&moded.events) - before;
        *known = token;
        slot.event = moded.events.len();
        moded.events.push(answer);
        Ok(Some(true))
    }
    /// The answer of the first event from `position` on that has not been overtaken; `position` moves behind it.
    pub fn moded_next(&self, frame: FramePtr, position: &mut usize) -> Option<AnswerPtr> {
        let moded = self.moded.get(&frame)?;
        while let Some(&answer) = moded.events.get(*position) {
            let event = *position;
            *position += 1;
            if moded.values.get(&answer).is_some_and(|s| s.event == event) {
                return Some(answer);
            }
        }
        None
    }
    /// The frame is complete: there are no consumers any more.
    pub fn moded_complete(&mut self, frame: FramePtr) {
        if let Some(moded) = self.moded.get_mut(&frame) {
            self.moded_bytes -= growth::vec_bytes(&moded.events);
            moded.events = Vec::new();
        }
    }
    /// Forgets the values of a frame that is being removed.
    pub(crate) fn moded_remove(&mut self, frame: FramePtr) {
        if let Some(moded) = self.moded.remove(&frame) {
            self.moded_bytes -= moded.bytes();
            moded.each_value(|tokens| self.store.handles.leave_all(tokens));
        }
    }
    /// Asserts the invariants for one frame.
    pub(crate) fn verify_moded(&self, frame: FramePtr) {
        let Some(moded) = self.moded.get(&frame) else {
            return;
        };
        assert_eq!(
            moded.values.len(),
            frame.answer_count(),
            "values of a moded frame"
        );
        let bytes = moded.values.values().map(|s| s.tokens.bytes());
        assert_eq!(moded.of_values, bytes.sum::<usize>());
        for answer in self.answers(frame) {
            let slot = moded
                .values
                .get(&answer)
                .expect("an answer without a value");
            assert!(
                moded.events.is_empty() || moded.events.get(slot.event) == Some(&answer),
                "an event of another answer"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::TableSpace;

    #[test]
    fn values_are_updated_and_events_overtaken() {
        let mut space = TableSpace::new();
        let node = space.subgoal_root(1).unwrap();
        let node = space.subgoal_step(node, 10).unwrap();
        let (frame, _) = space.subgoal_leaf(node).unwrap();
        space.moded_begin(frame).unwrap();
        assert!(space.moded.contains_key(&frame));
        let key = |space: &mut TableSpace, token| {
            let root = space.answer_root(frame);
            let leaf = space.answer_step(root, token).unwrap();
            space.answer_leaf(frame, leaf);
            leaf
        };
        let a = key(&mut space, 1);
        space.moded_set(frame, a, &[5, 5]).unwrap();
        let b = key(&mut space, 2);
        space.moded_set(frame, b, &[7]).unwrap();
        let mut early = 0;
        assert_eq!(space.moded_next(frame, &mut early), Some(a));
        space.moded_set(frame, a, &[4]).unwrap();
        space.verify();
        // The early consumer sees the new value of `a`; a late one sees only that.
        assert_eq!(space.moded_next(frame, &mut early), Some(b));
        assert_eq!(space.moded_next(frame, &mut early), Some(a));
        assert_eq!(space.moded_next(frame, &mut early), None);
        let mut late = 0;
        assert_eq!(space.moded_next(frame, &mut late), Some(b));
        assert_eq!(space.moded_next(frame, &mut late), Some(a));
        assert_eq!(space.moded_value(frame, a), Some(&[4][..]));
        space.moded_complete(frame);
        assert_eq!(space.moded_value(frame, b), Some(&[7][..]));
        space.verify();
        space.remove_subgoal(frame);
        assert!(!space.moded.contains_key(&frame));
        assert_eq!(space.moded_bytes, 0);
    }
}
