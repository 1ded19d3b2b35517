//! Tables that are made anew while the old ones are in use: what incremental tabling re-evaluates.
//!
//! The leaf of a call gets another frame; the old one is *retired*: no call finds it any more, but its answers stay as they are for those who read them, and to be compared
//! with the new ones. Either frame may come to nothing: [`TableSpace::restore_subgoal`] puts the old one back.
//!
//! Invariants ([`TableSpace::verify`]): the leaf of a retired frame leads to another one of the same entry; counts of an entry leave it out. So a leaf is
//! removed only if none of the retired frames is its.

use crate::alloc::{StructAlloc, StructType};
use crate::frame::{FramePtr, State};
use crate::space::{TableSpace, free_frame};
use crate::whole;
use samite_term::growth::{self, Refused};

impl<A: StructAlloc> TableSpace<A> {
    /// A fresh frame for the call of a complete one, which is retired. Refused: nothing has changed.
    pub fn renew_subgoal(&mut self, old: FramePtr) -> Result<FramePtr, Refused> {
        debug_assert!(old.state() == State::Complete);
        debug_assert!(self.found_at_leaf_of(old) == Some(old), "retired already");
        growth::have(&mut self.retired, 1)?;
        let alloc = &mut self.store.alloc;
        let memory = alloc.alloc(StructType::SubgoalFrame).ok_or(Refused)?;
        let new = FramePtr::init(memory, old.entry(), old.leaf());
        self.lead_to(new);
        old.entry().count(0, -(old.answer_count() as isize));
        self.retired.push(old);
        self.retired_answers += 1 + old.answer_count();
        Ok(new)
    }

    /// Drops a frame made by [`TableSpace::renew_subgoal`], of which nobody knows, and puts the one back that was retired for it.
    pub fn restore_subgoal(&mut self, new: FramePtr, old: FramePtr) {
        debug_assert!(new.leaf() == old.leaf());
        self.moded_remove(new);
        self.select_remove(new);
        self.imports.remove(&new);
        let gone = new.answer_count() as isize;
        old.entry().count(0, old.answer_count() as isize - gone);
        self.lead_to(old);
        self.retired.retain(|&f| f != old);
        self.retired_answers -= 1 + old.answer_count();
        free_frame(&mut self.store, new);
        self.store.alloc.trim();
    }

    /// The same, but somebody may know of the new frame: it is retired in the place of the old one.
    pub fn exchange_subgoal(&mut self, new: FramePtr, old: FramePtr) {
        debug_assert!(new.leaf() == old.leaf());
        let (gone, back) = (new.answer_count(), old.answer_count());
        old.entry().count(0, back as isize - gone as isize);
        self.lead_to(old);
        for frame in self.retired.iter_mut().filter(|f| **f == old) {
            *frame = new;
        }
        self.retired_answers = self.retired_answers + gone - back;
    }

    /// Frees the retired frames. Nobody knows of them.
    pub fn free_retired(&mut self) {
        self.retired_answers = 0;
        for frame in std::mem::take(&mut self.retired) {
            self.moded_remove(frame);
            self.select_remove(frame);
            self.imports.remove(&frame);
            free_frame(&mut self.store, frame);
        }
        self.store.alloc.trim();
    }

    /// Answers of the retired frames, each of which counts as one more.
    pub fn retired_answers(&self) -> usize {
        self.retired_answers
    }

    /// The frame that was retired last for the call of `frame`.
    pub fn retired_for(&self, frame: FramePtr) -> Option<FramePtr> {
        let mut all = self.retired.iter().rev();
        all.find(|r| r.leaf() == frame.leaf()).copied()
    }

    /// The retired frames.
    pub fn retired(&self) -> &[FramePtr] {
        &self.retired
    }

    /// Whether two frames of one call, none of which shares its answers, have the same ones, with the same values.
    pub fn same_answers(&self, a: FramePtr, b: FramePtr) -> Result<bool, Refused> {
        if a.answer_count() != b.answer_count() {
            return Ok(false);
        }
        if a.has_rows() && b.has_rows() {
            return whole::same(a, b);
        }
        // What is looked for in rows is looked for in all of them.
        let (a, b) = if b.has_rows() { (b, a) } else { (a, b) };
        let mut tokens = Vec::new();
        for answer in self.answers(a) {
            self.answer_tokens(a, answer, &mut tokens)?;
            let other = self.answer_find(b, &tokens).filter(|o| !o.is_withdrawn());
            let Some(other) = other else {
                return Ok(false);
            };
            if self.moded_value(a, answer) != self.moded_value(b, other) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use crate::{FramePtr, State, TableSpace};

    fn table(space: &mut TableSpace, token: u64) -> FramePtr {
        let root = space.subgoal_root(8).unwrap();
        let node = space.subgoal_step(root, token).unwrap();
        space.subgoal_leaf(node).unwrap().0
    }
    fn add(space: &mut TableSpace, frame: FramePtr, answer: u64) {
        let root = space.answer_root(frame);
        let node = space.answer_step(root, answer).unwrap();
        space.answer_leaf(frame, node);
    }

    #[test]
    fn renewed_tables_are_found_and_old_ones_stay_as_they_are() {
        let mut space = TableSpace::new();
        let old = table(&mut space, 3);
        add(&mut space, old, 11);
        add(&mut space, old, 19);
        old.set_state(State::Complete);
        let new = space.renew_subgoal(old).unwrap();
        space.verify();
        assert!(table(&mut space, 3) == new && new.state() == State::Fresh);
        add(&mut space, new, 19);
        assert!(!space.same_answers(new, old).unwrap());
        add(&mut space, new, 11);
        assert!(space.same_answers(new, old).unwrap());
        add(&mut space, new, 27);
        assert!(!space.same_answers(new, old).unwrap());
        space.verify();
        assert_eq!((old.answer_count(), new.answer_count()), (2, 3));
        assert_eq!(space.answers(old).count(), 2);

        // The new one comes to nothing, and somebody has its name.
        space.exchange_subgoal(new, old);
        space.verify();
        assert!(table(&mut space, 3) == old && space.retired() == [new]);
        assert_eq!(new.answer_count(), 3);

        // Nobody has.
        let new = space.renew_subgoal(old).unwrap();
        space.restore_subgoal(new, old);
        space.verify();
        assert!(table(&mut space, 3) == old);

        old.set_state(State::Complete);
        let new = space.renew_subgoal(old).unwrap();
        new.set_state(State::Complete);
        let newer = space.renew_subgoal(new).unwrap();
        assert_eq!(space.retired().len(), 3);
        space.verify();
        space.free_retired();
        space.verify();
        assert!(table(&mut space, 3) == newer);
        space.remove_subgoal(newer);
        space.verify();
        assert_eq!(space.statistics().subgoals, 0);
    }
}
