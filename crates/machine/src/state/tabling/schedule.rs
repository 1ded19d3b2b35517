//! The subgoals, SCCs and consumers of an evaluation that is not complete. How they are scheduled: `engine/tabling/schedule.rs`.

use super::Tabling;
use super::dependencies::Dependencies;
use super::negation::Wait;
use super::waiting::Key;
use crate::state::choice::Choice;
use crate::state::events::MOST_APART;
use crate::state::internal::{Internal, code};
use samite_table::{AnswerPtr, FramePtr, State, TableSpace};
use samite_term::Cell;
use samite_term::growth::{self, Refused};

/// No subgoal or consumer.
pub(crate) const NONE: u32 = u32::MAX;
/// Link of a subgoal that is in no queue.
pub(crate) const UNQUEUED: u32 = u32::MAX - 1;

/// A subgoal under evaluation.
#[derive(Debug)]
pub(crate) struct Subgoal {
    pub(crate) frame: FramePtr,
    pub generation: u32,
    /// Number of consumers when it was created.
    pub(crate) older: u32,
    /// Its newest consumer that wants answers; the others follow through `Consumer::next`.
    pub(crate) newest: u32,
    /// A negative literal of it has been put off.
    pub(crate) put_off: bool,
    /// Changes with every answer.
    pub(crate) version: u32,
    /// See the module text.
    pub(crate) done: u32,
    pub(crate) done_version: u32,
    /// The next one in the queue of the SCC.
    pub(crate) next: u32,
    /// [`MODED`] and the like; none of an ordinary one.
    pub(crate) kind: u8,
    /// So many wait each for one of its answers (`waiting.rs`).
    pub(crate) waiting: u32,
    /// It has answers that are not of atoms and small integers alone.
    pub(crate) open: bool,
}

/// Its answers have values that are joined.
pub(crate) const MODED: u8 = 1;
/// The depth of its answers is limited.
pub(crate) const SIZE: u8 = 2;
/// Their number is.
pub(crate) const COUNT: u8 = 4;
/// There are as many as there may be, and its own call.
pub(crate) const FULL: u8 = 8;
/// They are those of a joint table (`cooperation.rs`).
pub(crate) const JOINT: u8 = 16;

impl Subgoal {
    pub fn new(frame: FramePtr, generation: u32, kind: u8) -> Subgoal {
        Subgoal {
            frame,
            generation,
            older: 0,
            newest: NONE,
            put_off: false,
            version: 0,
            done: NONE,
            done_version: 0,
            next: UNQUEUED,
            kind,
            waiting: 0,
            open: false,
        }
    }

    #[inline]
    pub(crate) fn is_moded(&self) -> bool {
        self.kind & MODED != 0
    }
}

/// The subgoals from `leader` up to the next SCC.
#[derive(Debug)]
pub(crate) struct Scc {
    pub(crate) leader: u32,
    /// The queue of subgoals to be served.
    pub(crate) head: u32,
    pub(crate) tail: u32,
    /// Offset in words above every choicepoint that the continuations of its consumers may refer to.
    pub(crate) above: u32,
}

/// A suspended call.
#[derive(Debug)]
pub(crate) struct Consumer {
    /// Continuation, a frame pointer.
    pub k: Cell,
    pub template: Cell,
    /// Where what it saved begins.
    pub saved: usize,
    pub marks: usize,
    /// What it has read: the last answer (0 at first); of a moded subgoal the number of events. Or the bits of its key.
    pub(crate) position: u64,
    pub(crate) subgoal: u32,
    /// The next older consumer of the same subgoal, or in the same bucket.
    pub(crate) next: u32,
    /// Offset in words above every choicepoint that the continuation may refer to.
    pub(crate) above: u32,
    /// The subgoal whose evaluation it is part of; [`NONE`] if it is of none that is under way.
    pub(crate) owner: u32,
    pub(crate) wait: Wait,
    /// What waits is a literal that is general.
    pub(crate) general: bool,
    /// The answer that it has been suspended for, if that is one.
    pub(crate) key: Key,
}

/// An active `catch/3` of a suspended call.
#[derive(Debug)]
pub(crate) struct Mark {
    /// The continuation of its call.
    pub frame: Cell,
    /// The arguments of its choicepoint and, last, its *origin*: the offset where it was at first, which is what continuations hold.
    pub args: [Cell; CATCH + 1],
    /// What the choicepoint runs.
    pub(crate) alternative: *const u64,
    /// Number of the first saved binding made after it.
    pub(crate) at: usize,
}

/// How far the consumers of the subgoal at the head of a queue have been served.
#[derive(Debug)]
pub(crate) struct Pass {
    pub(crate) subgoal: u32,
    pub(crate) cursor: u32,
    pub(crate) newest: u32,
    pub(crate) version: u32,
    /// Number of the resumption that is running, and who is resumed.
    pub(crate) resumption: u64,
    pub(crate) resumed: u32,
}

impl Pass {
    pub(crate) const IDLE: Pass = Pass {
        subgoal: NONE,
        cursor: NONE,
        newest: NONE,
        version: 0,
        resumption: 0,
        resumed: NONE,
    };
}

/// Arguments of a choicepoint for `catch/3`.
pub(crate) const CATCH: usize = 3;
/// The one that says which events were put off when it was called; now others are.
pub(crate) const MASKS: usize = 2;

/// Gives back the memory of an empty table that was large.
pub(crate) fn give_back<T>(v: &mut Vec<T>) {
    pub(crate) const KEPT: usize = 1 << 12;
    debug_assert!(v.is_empty());
    if v.capacity() > KEPT {
        *v = Vec::new();
    }
}

pub(crate) fn is_catch(b: Choice) -> bool {
    b.alternative() == code(Internal::Catch) || b.alternative() == code(Internal::CatchAll)
}

impl Tabling {
    /// A new subgoal, an SCC of its own; there is room for both.
    pub(crate) fn begin(&mut self, mut subgoal: Subgoal) {
        subgoal.older = self.consumers.len() as u32;
        self.sccs.push(Scc {
            leader: self.stack.len() as u32,
            head: NONE,
            tail: NONE,
            above: 0,
        });
        self.stack.push(subgoal);
    }

    /// The running subgoal depends on the one at `index`: everything from that on is one SCC.
    pub(crate) fn depend_on(&mut self, index: usize) {
        while let Some([lower, upper]) = self.sccs.last_chunk_mut()
            && upper.leader as usize > index
        {
            lower.above = lower.above.max(upper.above);
            if upper.head != NONE {
                if lower.head == NONE {
                    lower.head = upper.head;
                } else {
                    self.stack[lower.tail as usize].next = upper.head;
                }
                lower.tail = upper.tail;
            }
            self.sccs.pop();
        }
    }

    /// The tables of the generation of an incomplete subgoal.
    #[inline]
    pub(crate) fn tables_of(&mut self, frame: FramePtr) -> &mut TableSpace {
        self.tables.of(self.stack[frame.tag() as usize].generation)
    }

    /// Whether the subgoal at `index` leads the newest SCC.
    pub(crate) fn leads(&self, index: usize) -> bool {
        self.sccs.last().is_some_and(|s| s.leader as usize == index)
    }

    /// The subgoal at `index` has a new answer, or a better one.
    #[inline]
    pub(crate) fn news(&mut self, index: usize) {
        let s = &mut self.stack[index];
        // Only that it differs from `done_version` matters, which does not lag behind by as much as that.
        s.version = s.version.wrapping_add(1);
        if s.newest != NONE {
            self.enqueue(index);
        }
    }

    pub(crate) fn enqueue(&mut self, index: usize) {
        if self.stack[index].next != UNQUEUED {
            return;
        }
        self.stack[index].next = NONE;
        if let Some(scc) = self.sccs.last_mut() {
            debug_assert!(scc.leader as usize <= index);
            if scc.head == NONE {
                scc.head = index as u32;
            } else {
                self.stack[scc.tail as usize].next = index as u32;
            }
            scc.tail = index as u32;
        }
    }

    pub(crate) fn dequeue(&mut self) {
        if let Some(scc) = self.sccs.last_mut() {
            let next = std::mem::replace(&mut self.stack[scc.head as usize].next, UNQUEUED);
            scc.head = next;
            if next == NONE {
                scc.tail = NONE;
            }
        }
    }

    /// A consumer of the newest SCC with an answer that it has not read; that counts as read. `None`: there is none left.
    pub(crate) fn next_news(&mut self) -> Option<(usize, AnswerPtr)> {
        loop {
            let head = self.sccs.last()?.head;
            if head == NONE {
                return None;
            }
            let s = &mut self.stack[head as usize];
            let pass = self.passes.last_mut()?;
            if pass.subgoal != head {
                *pass = Pass {
                    subgoal: head,
                    cursor: s.newest,
                    newest: s.newest,
                    version: s.version,
                    ..*pass
                };
            }
            let until = if pass.version == s.done_version {
                s.done
            } else {
                NONE
            };
            while pass.cursor != until {
                let c = &mut self.consumers[pass.cursor as usize];
                debug_assert_eq!(c.subgoal, head);
                // (What it would do is to make answers that nobody wants.)
                let in_vain = s.kind & FULL != 0 && c.owner == head;
                let next = if in_vain {
                    None
                } else if s.is_moded() {
                    let mut event = c.position as usize;
                    let space = self.tables.of(s.generation);
                    let next = space.moded_next(s.frame, &mut event);
                    c.position = event as u64;
                    next
                } else {
                    let next = match c.position {
                        0 => s.frame.first_answer(),
                        // SAFETY: an answer of this incomplete subgoal.
                        last => s.frame.next_answer(unsafe { AnswerPtr::from_bits(last) }),
                    };
                    if let Some(a) = next {
                        c.position = a.to_bits();
                    }
                    next
                };
                if let Some(answer) = next {
                    return Some((pass.cursor as usize, answer));
                }
                pass.cursor = c.next;
            }
            (s.done, s.done_version) = (pass.newest, pass.version);
            pass.subgoal = NONE;
            if s.version == s.done_version && s.newest == s.done {
                self.dequeue();
            }
        }
    }

    /// The answers of the subgoal at `index` become those of a trie, if they are rows; who has read some goes on behind them.
    pub(crate) fn rows_to_trie(&mut self, index: usize) -> Result<(), Refused> {
        let s = &self.stack[index];
        let leaves = self.tables.of(s.generation).answers_to_trie(s.frame)?;
        let mut at = s.newest;
        while at != NONE {
            let c = &mut self.consumers[at as usize];
            // SAFETY: zero, or an answer of this incomplete subgoal.
            let read = (c.position != 0).then(|| unsafe { AnswerPtr::from_bits(c.position) });
            if let Some(leaf) = read.and_then(|a| leaves.get(a.number()?)) {
                c.position = leaf.to_bits();
            }
            at = c.next;
        }
        Ok(())
    }

    /// Consumers from `first` on go.
    pub(crate) fn truncate_consumers(&mut self, first: usize) {
        if let Some(c) = self.consumers.get(first) {
            let (saved, marks) = (c.saved, c.marks);
            self.leave_waiting(first);
            self.saved.truncate(saved);
            self.marks.truncate(marks);
            self.consumers.truncate(first);
        }
        self.scanned = self.scanned.min(first);
        if first == 0 {
            // An evaluation may have been large.
            give_back(&mut self.consumers);
            give_back(&mut self.saved);
            give_back(&mut self.marks);
            give_back(&mut self.ready);
        }
    }

    /// After the last evaluation.
    pub(crate) fn truncate_stack(&mut self) {
        if self.stack.is_empty() {
            self.looked_at = false;
            give_back(&mut self.stack);
            give_back(&mut self.sccs);
            self.aside.clear();
            give_back(&mut self.aside);
        }
    }

    /// The level of what runs apart from the evaluations under way, at `level` so far: a goal that has interrupted them.
    /// There is a place for it since the newest subgoal was begun.
    pub(crate) fn apart(&mut self, level: u32) -> u32 {
        if self.stack.len() == self.first_within(level) || level == MOST_APART {
            return level;
        }
        self.aside.truncate(level as usize);
        self.aside.push(self.stack.len() as u32);
        level + 1
    }

    /// The first subgoal that what runs at this level may depend on.
    pub(crate) fn first_within(&self, level: u32) -> usize {
        match level {
            0 => 0,
            // (None is incomplete: it is being left.)
            _ => self
                .aside
                .get(level as usize - 1)
                .map_or(0, |&first| first as usize),
        }
    }

    /// Whether there is a place for one more subgoal, SCC, consumer, resumption and level of what runs apart.
    pub(crate) fn has_places(&self) -> bool {
        self.has_places_for(1)
    }

    /// The same for so many of each.
    pub(crate) fn has_places_for(&self, n: usize) -> bool {
        fn has<T>(v: &Vec<T>, n: usize) -> bool {
            v.capacity() - v.len() >= n
        }
        has(&self.stack, n)
            && has(&self.sccs, n)
            && has(&self.consumers, n)
            && has(&self.passes, n)
            && has(&self.aside, n)
            && (self.waiting.is_empty() || self.has_room_to_wake(n))
    }

    /// Makes these places.
    pub(crate) fn make_places(&mut self, ask: impl Fn(usize) -> bool) -> bool {
        self.make_places_for(1, ask)
    }

    /// The same for so few of each.
    pub(crate) fn make_places_for(&mut self, few: usize, ask: impl Fn(usize) -> bool) -> bool {
        growth::vec_room_for(&mut self.stack, few, &ask)
            && growth::vec_room_for(&mut self.sccs, few, &ask)
            && growth::vec_room_for(&mut self.consumers, few, &ask)
            && growth::vec_room_for(&mut self.passes, few, &ask)
            && growth::vec_room_for(&mut self.aside, few, &ask)
            && (self.waiting.is_empty()
                || self.has_room_to_wake(few)
                || self.make_room_to_wake(&ask))
    }

    /// Memory for tables, those that are shared while they are evaluated as far as this thread has added to them.
    #[inline]
    pub(crate) fn bytes_of_tables(&self) -> usize {
        self.tables.bytes() + self.joint().map_or(0, |j| j.memory.bytes())
    }

    /// Memory for tables and their evaluation.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes_of_tables()
            + growth::vec_bytes(&self.stack)
            + growth::vec_bytes(&self.sccs)
            + growth::vec_bytes(&self.consumers)
            + growth::vec_bytes(&self.saved)
            + growth::vec_bytes(&self.marks)
            + growth::vec_bytes(&self.ready)
            + self.waiting.bytes()
            + self.conditions.bytes()
    }

    /// Whether a choicepoint that the running continuation refers to is gone, because the continuation was suspended since.
    #[inline(always)]
    pub(crate) fn is_gone(&self, c: Choice) -> bool {
        c < self.barrier
    }

    /// The subgoals from `index` on are forgotten, as if they had never been called.
    pub(crate) fn abandon_from(&mut self, index: usize) {
        self.abandon_share(index);
        if index >= self.stack.len() {
            return;
        }
        let first = self.stack[index].older as usize;
        self.ready.retain(|&c| (c as usize) < first);
        let stays = |&(owner, subgoal): &(u32, u32)| (owner.max(subgoal) as usize) < index;
        self.put_off.retain(stays);
        for i in (first..self.consumers.len()).rev() {
            if self.consumers[i].wait != Wait::Answers {
                continue;
            }
            // The newest one of its subgoal.
            let (subgoal, next) = (self.consumers[i].subgoal as usize, self.consumers[i].next);
            let s = &mut self.stack[subgoal];
            s.newest = next;
            if s.done as usize == i {
                s.done = next;
            }
        }
        self.truncate_consumers(first);
        while self.sccs.last().is_some_and(|s| s.leader as usize >= index) {
            self.sccs.pop();
        }
        // What is left of the queue.
        if let Some(scc) = self.sccs.last_mut() {
            let mut at = std::mem::replace(&mut scc.head, NONE);
            scc.tail = NONE;
            while at != NONE {
                let next = self.stack[at as usize].next;
                if (at as usize) < index {
                    match scc.tail {
                        NONE => scc.head = at,
                        tail => self.stack[tail as usize].next = at,
                    }
                    self.stack[at as usize].next = NONE;
                    scc.tail = at;
                }
                at = next;
            }
        }
        // If there is nothing else, nobody looks through what there may be much of.
        let (generation, others) = (self.stack[index].generation, self.stack.len() - index);
        let of_one = self.stack[index..]
            .iter()
            .all(|s| s.generation == generation);
        let incomplete = |s: &Subgoal| s.frame.state() != State::Complete;
        if of_one
            && !self.looked_at
            && self.stack[index..].iter().all(incomplete)
            && self.tables.of(generation).has_only(others)
        {
            self.conditions.keep(|g| g != generation);
            self.tables.take_names(generation);
            self.tables.of(generation).abolish_all();
            *self.tables.dependencies(generation) = Dependencies::default();
            self.stack.truncate(index);
        }
        while self.stack.len() > index {
            if let Some(s) = self.stack.pop() {
                if s.frame.state() == State::Complete {
                    // Known before the rest of its SCC; others may have used its answers.
                    s.frame.set_tag(0);
                    self.end_node(s.frame, s.generation);
                    continue;
                }
                self.conditions.remove_frame(s.frame);
                self.forget_table(s.frame, s.generation);
            }
        }
        self.truncate_stack();
        self.verify();
    }

    /// Drops a table that is not complete, and that nobody knows any more but for programs that may have its name. If it was being made in the place of another, that is back.
    pub(crate) fn forget_table(&mut self, frame: FramePtr, generation: u32) {
        self.tables.take_name(generation, frame);
        let dependencies = self.tables.dependencies(generation);
        let old = dependencies
            .of(frame)
            .and_then(|n| dependencies.give_up(n, frame));
        let old = old.map(|old| (old, false));
        if self.looked_at {
            // It stays, as it is.
            frame.set_state(State::Complete);
            frame.set_tag(0);
        }
        match old.or_else(|| {
            self.tables
                .of(generation)
                .retired_for(frame)
                .map(|f| (f, true))
        }) {
            Some((old, hidden)) => {
                let space = self.tables.of(generation);
                match self.looked_at {
                    true => space.exchange_subgoal(frame, old),
                    false => space.restore_subgoal(frame, old),
                }
                if hidden {
                    self.hide_table(old, generation);
                }
            }
            None if self.looked_at => self.hide_table(frame, generation),
            None => self.tables.of(generation).remove_subgoal(frame),
        }
    }

    /// No call finds this table.
    fn hide_table(&mut self, frame: FramePtr, generation: u32) {
        // (Older generations are not looked into.)
        if generation == self.tables.current() && self.tables.hide(frame).is_err() {
            self.tables.abolish();
        }
    }

    /// The evaluation of a table, which is complete, has ended.
    pub(crate) fn end_node(&mut self, frame: FramePtr, generation: u32) {
        let Some(n) = self.tables.dependencies(generation).of(frame) else {
            return;
        };
        let old = self.tables.dependencies(generation).nodes[n as usize].old;
        let conditional = |f: FramePtr| self.conditions.of_frame(f.to_bits()).next().is_some();
        let same = old.is_some_and(|old| {
            // Who is refused memory is not told.
            let same = self.tables.of(generation).same_answers(frame, old);
            same.unwrap_or(false) && !conditional(frame) && !conditional(old)
        });
        self.tables.dependencies(generation).end(n, same);
    }

    /// Asserts the invariants of the module text in debug builds.
    pub(crate) fn verify(&self) {
        if !cfg!(debug_assertions) || self.stack.len() + self.consumers.len() > 200 {
            return;
        }
        assert_eq!(self.sccs.is_empty(), self.stack.is_empty());
        let mut queued = 0;
        for (i, s) in self.sccs.iter().enumerate() {
            let end = self
                .sccs
                .get(i + 1)
                .map_or(self.stack.len(), |n| n.leader as usize);
            assert!((s.leader as usize) < end, "an SCC without subgoals");
            let (mut at, mut last) = (s.head, NONE);
            while at != NONE {
                assert!((s.leader as usize..end).contains(&(at as usize)));
                queued += 1;
                last = at;
                at = self.stack[at as usize].next;
            }
            assert_eq!(s.tail, last, "end of a queue");
        }
        let linked = self.stack.iter().filter(|s| s.next != UNQUEUED).count();
        assert_eq!(queued, linked, "subgoals in queues");
        self.verify_waiting();
        let mut consumers = 0;
        for (i, s) in self.stack.iter().enumerate() {
            // (Complete: known before the rest of its SCC.)
            assert!(s.frame.tag() == i as u64 && s.frame.state() != State::Fresh);
            let mut at = s.newest;
            while at != NONE {
                let c = &self.consumers[at as usize];
                assert!(c.subgoal as usize == i && (c.next == NONE || c.next < at));
                assert_eq!(c.wait, Wait::Answers);
                // SAFETY: an answer of this incomplete subgoal.
                let numbered = |p| unsafe { AnswerPtr::from_bits(p) }.number().is_some();
                assert!(
                    s.is_moded() || c.position == 0 || numbered(c.position) == s.frame.has_rows(),
                    "a position in another form of the answers"
                );
                consumers += 1;
                at = c.next;
            }
            let served = s.newest == s.done && s.version == s.done_version;
            let idle = s.newest == NONE || s.frame.answer_count() == 0;
            assert!(
                s.next != UNQUEUED || served || idle,
                "unread answers are forgotten"
            );
        }
        // What settles negative literals rests on this.
        let scc = |i: u32| self.sccs.partition_point(|s| s.leader <= i);
        for c in &self.consumers {
            assert!(
                c.owner == NONE || scc(c.owner) == scc(c.subgoal),
                "a call of another SCC"
            );
        }
        for &(owner, subgoal) in &self.put_off {
            assert!(scc(owner) == scc(subgoal) && (owner.max(subgoal) as usize) < self.stack.len());
        }
        if let Some(joint) = self.share.as_ref().and_then(|s| s.joint.as_ref()) {
            consumers += joint.common.iter().map(Vec::len).sum::<usize>();
        }
        let others = |c: &&Consumer| c.wait != Wait::Answers;
        consumers += self.consumers.iter().filter(others).count();
        assert_eq!(consumers, self.consumers.len());
        assert!(
            self.ready
                .iter()
                .all(|&c| (c as usize) < self.consumers.len())
        );
        let ready = |&c: &u32| matches!(self.consumers[c as usize].wait, Wait::Ready { .. });
        assert!(self.ready.iter().all(ready));
        self.conditions.verify(|g| self.tables.has(g));
        for g in &self.tables.all {
            if g.dependencies.nodes.len() < 200 {
                g.dependencies.verify();
            }
        }
        assert!(self.consumers.is_sorted_by_key(|c| (c.saved, c.marks)));
        assert!(self.stack.is_sorted_by_key(|s| (s.generation, s.older)));
    }

    /// The subgoal whose evaluation the running resumption is part of.
    pub(crate) fn resumed_owner(&self) -> u32 {
        let resumed = self.passes.last().map_or(NONE, |p| p.resumed);
        self.consumers
            .get(resumed as usize)
            .map_or(NONE, |c| c.owner)
    }

    /// Number of the resumption that is running; 0 if none is.
    pub(crate) fn resumption(&self) -> u64 {
        self.passes.last().map_or(0, |p| p.resumption)
    }

    /// The subgoal whose answer the running resumption got.
    pub(crate) fn resumed(&self) -> Option<FramePtr> {
        let c = self.consumers.get(self.passes.last()?.resumed as usize)?;
        Some(self.stack[c.subgoal as usize].frame)
    }
}
