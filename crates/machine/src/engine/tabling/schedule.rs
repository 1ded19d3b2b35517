//! Suspended calls and completion: who is fed which answer next.
//!
//! An answer is given to each consumer of its subgoal once, and nobody else is looked at: the SCC keeps a queue (first in, first out) of the
//! subgoals whose consumers may have unread answers, linked through the subgoals. The one at its head is served in *passes* over
//! its consumers, the newest first, each of which gets all it has not read.
//!
//! Cost: after a pass that began at version `v` of the answers with `newest` as the newest consumer, all consumers up to `newest` have read
//! all of `v` (`done`, `done_version`). The next pass goes over all consumers if the version is another, so that each of them has
//! something to read, and else only over those newer than `done`. So a subgoal with `a` answers and `c` consumers is served in at
//! most `2·a·c + c` steps, of which `a·c` feed.
//!
//! What a suspended call needs beside its continuation: the bindings made since its generator began, and the `catch/3` goals that it is
//! in ([`Mark`]), whose choicepoints go when the call fails. When it is resumed, both are made again in their old order, so that a ball
//! thrown later finds its catch, which restores the bindings of its own moment. A choicepoint `Catch` made again has one argument more, its
//! origin ([`Worker::origin`]). A cut in the continuation that goes back to a choicepoint that is gone stops at the newest
//! one made again that is older, or at the barrier ([`Worker::live_barrier`]). Origins are in the order of nesting: a barrier, and what
//! is pushed above it, is above everything that a waiting continuation may refer to.
//! Cleanup handlers run when the call is suspended, as if it had failed, and not again (as in SWI-Prolog).

use super::negation::NEGATIVE;
use super::tabled;
use crate::engine::going::Go;
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::choice::{Choice, Saved, place};
use crate::state::frame::resume_of;
use crate::state::internal::{Internal, cells, code};
use crate::state::tabling::negation::Wait;
use crate::state::tabling::schedule::{
    CATCH, Consumer, JOINT, MASKS, Mark, NONE, Pass, UNQUEUED, is_catch,
};
use crate::state::tabling::waiting::Key;
use crate::state::tabling::{GONE, frame_of};
use samite_heap::Generation;
use samite_table::{AnswerPtr, State};
use samite_term::growth::{self, Refused};
use samite_term::{Cell, common};

impl Worker {
    /// Keeps the present continuation as a consumer of the subgoal at `index`.
    pub(in crate::engine) fn suspend(&mut self, index: usize, template: Cell) -> Result<(), Throw> {
        let wait = match template {
            NEGATIVE => Wait::Completion,
            _ => Wait::Answers,
        };
        self.suspend_until(index, template, wait, (Key::None, 0))
    }

    /// The same, until there is what it waits for; `key`: the one answer that this is.
    pub(super) fn suspend_until(
        &mut self,
        index: usize,
        template: Cell,
        wait: Wait,
        (key, position): (Key, u64),
    ) -> Result<(), Throw> {
        let top = self.b.arg(self.b.size()) as usize - self.choices.base() as usize;
        let above = u32::try_from(top / 8).map_err(|_| Throw::Memory)?;
        if self.thread.tabling.consumers.len() >= UNQUEUED as usize {
            return Err(Throw::Memory);
        }
        self.room_to_evaluate()?;
        let negative = wait == Wait::Completion;
        let s = &self.thread.tabling.stack[index];
        let (frame, generation) = (s.frame, s.generation);
        let general = negative && self.is_general(frame, generation)?;
        if let Some(share) = &mut self.thread.tabling.share {
            // (It may be part of what is shared; if not, little is lost.)
            share.negative |= negative;
            if self.thread.tabling.stack[index].kind & JOINT != 0 && !negative {
                self.consumes_joint(index)?;
            }
        }
        let (saved, marks) = (
            self.thread.tabling.saved.len(),
            self.thread.tabling.marks.len(),
        );
        let base = match self.save_bindings() {
            Ok(base) => base,
            Err(t) => {
                self.thread.tabling.saved.truncate(saved);
                self.thread.tabling.marks.truncate(marks);
                return Err(t);
            }
        };
        let owner = self.owner(base);
        let t = &mut self.thread.tabling;
        let s = &mut t.stack[index];
        let number = t.consumers.len() as u32;
        t.consumers.push(Consumer {
            k: Cell::frame_ptr(self.k),
            template,
            saved,
            marks,
            position,
            subgoal: index as u32,
            next: if wait == Wait::Answers {
                s.newest
            } else {
                NONE
            },
            above,
            owner,
            wait,
            general,
            key,
        });
        if wait == Wait::Answers {
            s.newest = number;
            if s.frame.answer_count() > 0 {
                t.enqueue(index);
            }
        }
        if let Some(scc) = t.sccs.last_mut() {
            scc.above = scc.above.max(above);
        }
        self.heap.capture(base.trail());
        Ok(())
    }

    /// The innermost generator or resumption, and the subgoal that the running continuation is part of the evaluation of.
    pub(super) fn evaluation_of_continuation(&self) -> (Choice, u32) {
        let base = self.innermost_evaluation();
        (base, self.owner(base))
    }

    /// The subgoal that what runs above `base`, the innermost generator or resumption, is part of the evaluation of.
    fn owner(&self, base: Choice) -> u32 {
        if base.alternative() == code(Internal::Complete) {
            base.cells::<cells::Complete>().index.small_value() as u32
        } else {
            self.thread.tabling.resumed_owner()
        }
    }

    /// Makes places for whatever an evaluation makes next: a subgoal, a consumer, a resumption.
    #[inline]
    pub(in crate::engine) fn room_to_evaluate(&mut self) -> Result<(), Throw> {
        if self.thread.tabling.has_places() {
            return Ok(());
        }
        let (most, held) = (self.heap.limit_and_grace(), self.bytes_with_tables());
        let ask = |bytes| held.saturating_add(bytes) <= most && common::system_has(bytes);
        if self.thread.tabling.make_places(ask) {
            Ok(())
        } else {
            Err(Throw::Memory)
        }
    }

    /// Whether tables, their evaluation and the heap are within the thread's limit.
    pub(in crate::engine) fn tables_within_limit(&self) -> Result<(), Throw> {
        if self.bytes_with_tables() > self.heap.limit_and_grace() {
            return Err(Throw::Memory);
        }
        Ok(())
    }

    /// Whether the thread's tables are within what the flag `table_space` allows; an error if not.
    #[inline]
    pub(in crate::engine) fn tables_within_space(&mut self) -> Result<(), Throw> {
        let most = self.program.shared_tables.most_private();
        if most == usize::MAX || self.thread.tabling.bytes_of_tables() <= most {
            return Ok(());
        }
        Err(self.resource_error("private_table_space"))
    }

    /// Where nothing is live but K and the choicepoints, after a refusal: collects, for tables to be within the limit again, if it is worth it.
    #[cold]
    pub(in crate::engine) fn room_for_tables_here(&mut self, refused: Throw) -> Result<(), Throw> {
        let before = self.bytes_with_tables();
        // (If the tables alone were too much, nothing would be gained.)
        let worth = self.thread.tabling.bytes() <= self.heap.most_after_collection();
        if let Throw::Memory = refused
            && worth
            && !crate::engine::given_up::has_given_up()
            && self.collect_here(Generation::Major)
            && self.has_gained_for_tables(before)
        {
            return self.tables_within_limit();
        }
        Err(refused)
    }

    /// Bytes of the thread's heap, its tables and their evaluation.
    pub(in crate::engine) fn bytes_with_tables(&self) -> usize {
        self.thread
            .tabling
            .bytes()
            .saturating_add(self.heap.bytes())
    }

    /// Whether a major collection, before which these were so many, was worth its time. If little was freed, or little is left of the limit, the next one
    /// would follow soon, and so on for ever.
    pub(in crate::engine) fn has_gained_for_tables(&self, before: usize) -> bool {
        let after = self.bytes_with_tables();
        after <= self.heap.most_after_collection() && before.saturating_sub(after) >= before / 64
    }

    /// Saves what the running continuation needs beside itself: the bindings and marks since the innermost generator or resumption, which is
    /// returned.
    fn save_bindings(&mut self) -> Result<Choice, Throw> {
        let (base, catches) = self.active_catches()?;
        let mut heights = growth::list(catches.iter().map(|c| c.trail()))?;
        let saved = &mut self.thread.tabling.saved;
        let room = saved.capacity();
        // SAFETY: the trail above a live choicepoint's height is valid.
        unsafe {
            self.heap
                .trail()
                .log_since(base.trail(), &mut heights, saved)
        }?;
        if saved.capacity() != room {
            self.tables_within_limit()?;
        }
        growth::have(&mut self.thread.tabling.marks, catches.len())?;
        for (c, at) in catches.into_iter().zip(heights) {
            let mut args = [self.origin(c); CATCH + 1];
            for (i, a) in args[..CATCH].iter_mut().enumerate() {
                *a = c.arg_value(i);
            }
            self.thread.tabling.marks.push(Mark {
                frame: Cell::frame_ptr(c.frame()),
                args,
                alternative: c.alternative(),
                at,
            });
        }
        Ok(base)
    }

    /// The choicepoints of the `catch/3` goals that the running continuation is in, up to the innermost generator or resumption,
    /// which is returned too; outermost first.
    fn active_catches(&self) -> Result<(Choice, Vec<Choice>), Refused> {
        let base = self.innermost_evaluation();
        let (mut met, mut catches) = (Vec::new(), Vec::new());
        let mut b = self.b;
        while b != base {
            if is_catch(b) {
                growth::push(&mut met, b)?;
            }
            b = b.previous();
        }
        if met.is_empty() {
            return Ok((base, catches));
        }
        // A goal that has exited is not in the continuation any more.
        let mut rest = &met[..];
        let mut f = self.k;
        while !rest.is_empty() {
            // SAFETY: K is a chain of frames; the evaluation has an `Answer` or `Joined` frame at its bottom.
            let resume = unsafe { resume_of(*f) };
            if resume == code(Internal::Answer) || resume == code(Internal::Joined) {
                break;
            }
            if resume == code(Internal::CatchExit)
                // SAFETY: such a frame has the origin of its choicepoint.
                && let Some(i) = rest.iter().position(|&c| self.origin(c) == unsafe { *f.add(2) })
            {
                growth::push(&mut catches, rest[i])?;
                rest = &rest[i + 1..];
            }
            // SAFETY: as above.
            f = unsafe { (*f.add(1)).frame() };
        }
        catches.reverse();
        Ok((base, catches))
    }

    /// Alternative `Complete`: the clauses of a generator are exhausted.
    pub(in crate::engine) fn tabling_complete(&mut self) -> Result<Go, Throw> {
        let index = self.b.cells::<cells::Complete>().index.small_value() as usize;
        self.thread.tabling.verify();
        if !self.thread.tabling.leads(index) {
            return self.become_consumer();
        }
        if self.thread.tabling.consumers.len() == self.thread.tabling.stack[index].older as usize {
            let t = &mut self.thread.tabling;
            t.complete(&[index as u32])?;
            return self.complete_scc(index);
        }
        if let Err(t) = self.room_to_evaluate() {
            self.room_for_tables_here(t)?;
            self.room_to_evaluate()?;
        }
        self.offer_evaluation(index);
        self.push_barrier()?;
        self.thread.tabling.passes.push(Pass::IDLE);
        self.tabling_resume()
    }

    /// The caller of a generator that is no leader waits for its answers like any consumer.
    fn become_consumer(&mut self) -> Result<Go, Throw> {
        if let Err(t) = self.suspend_caller() {
            self.room_for_tables_here(t)?;
            self.suspend_caller()?;
        }
        Ok(Go::Fail)
    }

    /// The same; who is refused has its choicepoint still.
    fn suspend_caller(&mut self) -> Result<(), Throw> {
        let b = self.b;
        let cells::Complete {
            template, index, ..
        } = b.cells();
        let index = index.small_value() as usize;
        self.pop_choice();
        let suspended = self.suspend(index, template);
        if suspended.is_err() {
            self.set_b(b);
        }
        suspended
    }

    /// Pushes a `Resume` choicepoint above every address that a waiting continuation of the newest SCC may hold.
    fn push_barrier(&mut self) -> Result<(), Throw> {
        let newest = self.b;
        let above = self
            .thread
            .tabling
            .sccs
            .last()
            .map_or(0, |s| s.above as usize * 8);
        let top = newest.arg(newest.size()) as usize - self.choices.base() as usize;
        let offset = top.max(above);
        let saved = Saved {
            alternative: code(Internal::Resume),
            top: self.heap.h(),
            trail: self.heap.trail().top(),
            frame: self.k,
            barrier: self.b0,
        };
        let at = self.choices.base().wrapping_byte_add(offset);
        let c = match self.choices.push_at(at, newest, 1, saved) {
            Some(c) => c,
            None => self.push_grown_at(offset, 1, saved)?,
        };
        // SAFETY: the choicepoint has one argument.
        unsafe { *c.arg(0) = self.choices.offset(self.thread.tabling.barrier) };
        self.set_b(c);
        self.thread.tabling.barrier = c;
        Ok(())
    }

    fn pop_barrier(&mut self) {
        self.thread.tabling.barrier = self.choices.at(self.b.cells::<cells::Resume>().barrier);
        self.pop_choice();
    }

    /// Alternative `Resume`: gives the next answer to the next consumer, or completes the SCC. A safe point.
    pub(in crate::engine) fn tabling_resume(&mut self) -> Result<Go, Throw> {
        if let Some(go) = self.point_if_wanted()? {
            return Ok(go);
        }
        let complete: cells::Complete = self.b.previous().cells();
        let index = complete.index.small_value() as usize;
        let leads = self.thread.tabling.leads(index);
        if self.thread.tabling.share.is_some() {
            return self.cooperate(index, leads);
        }
        self.resume_alone(index, leads)
    }

    /// The same of an evaluation that is not shared.
    pub(super) fn resume_alone(&mut self, index: usize, leads: bool) -> Result<Go, Throw> {
        if leads && let Some((consumer, answer)) = self.thread.tabling.next_news() {
            self.raise_barrier(consumer)?;
            return self.feed(consumer, answer);
        }
        if leads && let Some((consumer, put_off)) = self.thread.tabling.next_settled(index)? {
            self.raise_barrier(consumer)?;
            return self.feed_settled(consumer, put_off);
        }
        self.thread.tabling.passes.pop();
        self.pop_barrier();
        if leads {
            self.complete_scc(index)
        } else {
            self.become_consumer()
        }
    }

    /// Makes a barrier that is above everything that a consumer may refer to: one that was suspended while this one was in force needs a higher one.
    pub(super) fn raise_barrier(&mut self, consumer: usize) -> Result<(), Throw> {
        let above = self.thread.tabling.consumers[consumer].above as usize * 8;
        if above > self.b.address() - self.choices.base() as usize {
            self.pop_barrier();
            if let Err(t) = self.push_barrier() {
                self.thread.tabling.passes.pop();
                return Err(t);
            }
        }
        Ok(())
    }

    /// Resumes a consumer with an answer.
    pub(super) fn feed(&mut self, consumer: usize, answer: AnswerPtr) -> Result<Go, Throw> {
        let c = &self.thread.tabling.consumers[consumer];
        let template = c.template;
        let s = &self.thread.tabling.stack[c.subgoal as usize];
        let (frame, generation) = (s.frame, s.generation);
        self.restore(consumer)?;
        if let Some(go) = self.hand_on_news(consumer, answer)? {
            return Ok(go);
        }
        self.resume_with(template, frame, generation, answer)
    }

    /// Resumes one that waited for one answer, or for a negative literal, which is true or put off.
    fn feed_settled(&mut self, consumer: usize, put_off: bool) -> Result<Go, Throw> {
        let literal = self.thread.tabling.literal_of(consumer);
        if self.thread.tabling.consumers[consumer].key != Key::None {
            self.table_of_true(consumer);
        }
        self.restore(consumer)?;
        if put_off {
            self.put_off(literal)?;
        }
        Ok(Go::Proceed)
    }

    /// Makes the continuation of a consumer the running one.
    pub(super) fn restore(&mut self, consumer: usize) -> Result<(), Throw> {
        self.inferences += 1;
        let t = &mut self.thread.tabling;
        t.resumptions += 1;
        if let Some(pass) = t.passes.last_mut() {
            pass.resumption = t.resumptions;
            pass.resumed = consumer as u32;
        }
        let c = &t.consumers[consumer];
        let k = c.k;
        let (mut at, marks) = (c.saved, c.marks);
        let next = t.consumers.get(consumer + 1);
        let (end, marks_end) = next.map_or((t.saved.len(), t.marks.len()), |n| (n.saved, n.marks));
        self.begin_delays();
        for i in marks..marks_end {
            let until = self.thread.tabling.marks[i].at;
            self.bind_again(at, until);
            at = until;
            let m = &self.thread.tabling.marks[i];
            let (alternative, mut args) = (m.alternative, m.args);
            args[MASKS] = self.thread.events.masks.cell();
            self.k = m.frame.frame();
            self.push_choice(alternative, &args)?;
        }
        self.bind_again(at, end);
        self.k = k.frame();
        Ok(())
    }

    /// Makes saved bindings and assignments again.
    pub(super) fn bind_again(&mut self, from: usize, to: usize) {
        for i in from..to {
            let (place, value) = self.thread.tabling.saved[i];
            if place.is_ref() {
                // SAFETY: kept alive and up to date by the collector; bound again as it was, and trailed.
                unsafe { self.heap.bind_again(place.ptr(), value) };
            } else if place != GONE {
                // SAFETY: as above.
                unsafe { self.heap.assign(place.ptr(), value, self.b.trail()) };
            }
        }
    }

    /// What is left of a cut barrier: itself, or if it is gone the newest choicepoint that stands for one not above it.
    #[inline]
    pub(in crate::engine) fn live_barrier(&self, to: Choice) -> Choice {
        if self.thread.tabling.is_gone(to) {
            self.standing_for(to)
        } else {
            to
        }
    }

    #[cold]
    fn standing_for(&self, to: Choice) -> Choice {
        let to = place(self.choices.offset(to));
        let mut b = self.b;
        while b > self.thread.tabling.barrier {
            if is_catch(b) && place(self.origin(b)) <= to {
                return b;
            }
            b = b.previous();
        }
        self.thread.tabling.barrier
    }

    /// Where a choicepoint for `catch/3` was at first, before its goal was suspended: what its frame holds.
    pub(in crate::engine) fn origin(&self, catch: Choice) -> Cell {
        if catch.size() > CATCH {
            catch.arg_value(CATCH)
        } else {
            self.choices.offset(catch)
        }
    }

    /// The choicepoint of a `catch/3` that the running continuation is in, by the origin in a `CatchExit` frame; `None` if that is a frame
    /// of a generator's caller who has been suspended since. (As after an exception in SWI-Prolog, a resumed continuation leaves its
    /// generator for the leader of the SCC.)
    pub(in crate::engine) fn catch_of(&self, origin: Cell) -> Option<Choice> {
        let c = self.choices.at(origin);
        let mut top = self.b;
        let mut barrier = self.thread.tabling.barrier;
        while !barrier.is_null() {
            if c <= barrier && c > barrier.previous() {
                // Gone, but it may have been made again for this resumption.
                while top > barrier {
                    if is_catch(top) && self.origin(top) == origin {
                        return Some(top);
                    }
                    top = top.previous();
                }
                return None;
            }
            top = barrier.previous();
            barrier = self.choices.at(barrier.cells::<cells::Resume>().barrier);
        }
        Some(c)
    }

    /// All subgoals of the SCC are complete: goes on behind the call of its leader.
    fn complete_scc(&mut self, index: usize) -> Result<Go, Throw> {
        let b = self.b;
        // (It was offered, and nobody came.)
        self.thread.tabling.abandon_share(index);
        for i in index..self.thread.tabling.stack.len() {
            let s = &self.thread.tabling.stack[i];
            let (frame, generation) = (s.frame, s.generation);
            debug_assert_eq!(frame.state(), State::Complete);
            frame.set_tag(0);
            if tabled::is_incremental(frame) {
                self.thread.tabling.end_node(frame, generation);
            } else if tabled::is_shared(frame) && !frame.is_frozen() {
                self.share_table(frame, generation);
            }
        }
        let t = &mut self.thread.tabling;
        let first = t.stack[index].older as usize;
        let generation = t.stack[index].generation;
        t.stack.truncate(index);
        t.sccs.pop();
        t.forget_waits(index);
        t.truncate_consumers(first);
        t.truncate_stack();
        let cells::Complete {
            subgoal, template, ..
        } = b.cells();
        // SAFETY: made from the leader's frame.
        let frame = unsafe { frame_of(subgoal) };
        self.b0 = b.barrier();
        self.pop_choice();
        if template == NEGATIVE {
            return self.after_negative(frame, generation);
        }
        self.return_answers(frame, generation, template)
    }
}
