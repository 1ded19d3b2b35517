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

use super::{GONE, Tabling, frame_of};
use crate::engine::choice::{Choice, Saved};
use crate::engine::frame::resume_of;
use crate::engine::internal::{Internal, code};
use crate::engine::run::Go;
use crate::engine::worker::Worker;
use crate::error::Throw;
use samite_table::{AnswerPtr, FramePtr, State, TableSpace};
use samite_term::growth::{self, Refused};
use samite_term::{Cell, common};

/// No subgoal or consumer.
const NONE: u32 = u32::MAX;
/// Link of a subgoal that is in no queue.
const UNQUEUED: u32 = u32::MAX - 1;

/// A subgoal under evaluation.
#[derive(Debug)]
pub(super) struct Subgoal {
    frame: FramePtr,
    pub generation: u32,
    /// Number of consumers when it was created.
    older: u32,
    /// Its newest consumer; the others follow through `Consumer::next`.
    newest: u32,
    /// Changes with every answer.
    version: u32,
    /// See the module text.
    done: u32,
    done_version: u32,
    /// The next one in the queue of the SCC.
    next: u32,
    moded: bool,
}

impl Subgoal {
    pub fn new(frame: FramePtr, generation: u32, moded: bool) -> Subgoal {
        Subgoal {
            frame,
            generation,
            older: 0,
            newest: NONE,
            version: 0,
            done: NONE,
            done_version: 0,
            next: UNQUEUED,
            moded,
        }
    }
}

/// The subgoals from `leader` up to the next SCC.
#[derive(Debug)]
pub(super) struct Scc {
    leader: u32,
    /// The queue of subgoals to be served.
    head: u32,
    tail: u32,
    /// Offset in words above every choicepoint that the continuations of its consumers may refer to.
    above: u32,
}

/// A suspended call.
#[derive(Debug)]
pub(super) struct Consumer {
    /// Continuation, a frame pointer.
    pub k: Cell,
    pub template: Cell,
    /// Where what it saved begins.
    pub saved: usize,
    pub marks: usize,
    /// What it has read: the last answer (0 at first); of a moded subgoal the number of events.
    position: u64,
    subgoal: u32,
    /// The next older consumer of the same subgoal.
    next: u32,
    /// Offset in words above every choicepoint that the continuation may refer to.
    above: u32,
}

/// An active `catch/3` of a suspended call.
#[derive(Debug)]
pub(super) struct Mark {
    /// The continuation of its call.
    pub frame: Cell,
    /// The arguments of its choicepoint and, last, its *origin*: the offset where it was at first, which is what continuations hold.
    pub args: [Cell; CATCH + 1],
    /// What the choicepoint runs.
    alternative: *const u64,
    /// Number of the first saved binding made after it.
    at: usize,
}

/// How far the consumers of the subgoal at the head of a queue have been served.
#[derive(Debug)]
pub(super) struct Pass {
    subgoal: u32,
    cursor: u32,
    newest: u32,
    version: u32,
    /// Number of the resumption that is running, and who is resumed.
    resumption: u64,
    resumed: u32,
}

impl Pass {
    const IDLE: Pass = Pass {
        subgoal: NONE,
        cursor: NONE,
        newest: NONE,
        version: 0,
        resumption: 0,
        resumed: NONE,
    };
}

/// Arguments of a choicepoint for `catch/3`.
const CATCH: usize = 3;
/// The one that says which events were put off when it was called; now others are.
const MASKS: usize = 2;

/// Gives back the memory of an empty table that was large.
fn give_back<T>(v: &mut Vec<T>) {
    const KEPT: usize = 1 << 12;
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
    pub(super) fn begin(&mut self, mut subgoal: Subgoal) {
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
    pub(super) fn depend_on(&mut self, index: usize) {
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
    pub(super) fn tables_of(&mut self, frame: FramePtr) -> &mut TableSpace {
        self.tables.of(self.stack[frame.tag() as usize].generation)
    }

    /// Whether the subgoal at `index` leads the newest SCC.
    fn leads(&self, index: usize) -> bool {
        self.sccs.last().is_some_and(|s| s.leader as usize == index)
    }

    /// The subgoal at `index` has a new answer, or a better one.
    #[inline]
    pub(super) fn news(&mut self, index: usize) {
        let s = &mut self.stack[index];
        // Only that it differs from `done_version` matters, which does not lag behind by as much as that.
        s.version = s.version.wrapping_add(1);
        if s.newest != NONE {
            self.enqueue(index);
        }
    }

    fn enqueue(&mut self, index: usize) {
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

    fn dequeue(&mut self) {
        if let Some(scc) = self.sccs.last_mut() {
            let next = std::mem::replace(&mut self.stack[scc.head as usize].next, UNQUEUED);
            scc.head = next;
            if next == NONE {
                scc.tail = NONE;
            }
        }
    }

    /// A consumer of the newest SCC with an answer that it has not read; that counts as read. `None`: there is none left.
    fn next_news(&mut self) -> Option<(usize, AnswerPtr)> {
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
                let next = if s.moded {
                    let mut event = c.position as usize;
                    let space = self.tables.of(s.generation);
                    let next = space.moded_next(s.frame, &mut event);
                    c.position = event as u64;
                    next
                } else {
                    let next = match c.position {
                        0 => s.frame.first_answer(),
                        // SAFETY: an answer of this incomplete subgoal.
                        last => unsafe { AnswerPtr::from_bits(last) }.next_answer(),
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

    /// Consumers from `first` on go.
    fn truncate_consumers(&mut self, first: usize) {
        if let Some(c) = self.consumers.get(first) {
            let (saved, marks) = (c.saved, c.marks);
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
        }
    }

    /// After the last evaluation.
    fn truncate_stack(&mut self) {
        if self.stack.is_empty() {
            give_back(&mut self.stack);
            give_back(&mut self.sccs);
        }
    }

    /// Whether there is a place for one more subgoal, SCC, consumer and resumption.
    fn has_places(&self) -> bool {
        fn has<T>(v: &Vec<T>) -> bool {
            v.len() < v.capacity()
        }
        has(&self.stack) && has(&self.sccs) && has(&self.consumers) && has(&self.passes)
    }

    /// Makes these places.
    fn make_places(&mut self, ask: impl Fn(usize) -> bool) -> bool {
        growth::vec_room(&mut self.stack, &ask)
            && growth::vec_room(&mut self.sccs, &ask)
            && growth::vec_room(&mut self.consumers, &ask)
            && growth::vec_room(&mut self.passes, &ask)
    }

    /// Memory for tables and their evaluation.
    pub(crate) fn bytes(&self) -> usize {
        self.tables.bytes()
            + growth::vec_bytes(&self.stack)
            + growth::vec_bytes(&self.sccs)
            + growth::vec_bytes(&self.consumers)
            + growth::vec_bytes(&self.saved)
            + growth::vec_bytes(&self.marks)
    }

    /// The subgoals from `index` on are forgotten, as if they had never been called.
    pub(super) fn abandon_from(&mut self, index: usize) {
        if index >= self.stack.len() {
            return;
        }
        let first = self.stack[index].older as usize;
        for i in (first..self.consumers.len()).rev() {
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
        while self.stack.len() > index {
            if let Some(s) = self.stack.pop() {
                self.tables.of(s.generation).remove_subgoal(s.frame);
            }
        }
        self.truncate_stack();
        self.verify();
    }

    /// Asserts the invariants of the module text in debug builds.
    fn verify(&self) {
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
        let mut consumers = 0;
        for (i, s) in self.stack.iter().enumerate() {
            assert_eq!(
                (s.frame.tag(), s.frame.state()),
                (i as u64, State::Incomplete)
            );
            let mut at = s.newest;
            while at != NONE {
                let c = &self.consumers[at as usize];
                assert!(c.subgoal as usize == i && (c.next == NONE || c.next < at));
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
        assert_eq!(consumers, self.consumers.len());
        assert!(self.consumers.is_sorted_by_key(|c| (c.saved, c.marks)));
        assert!(self.stack.is_sorted_by_key(|s| (s.generation, s.older)));
    }

    /// Number of the resumption that is running; 0 if none is.
    pub(super) fn resumption(&self) -> u64 {
        self.passes.last().map_or(0, |p| p.resumption)
    }

    /// The subgoal whose answer the running resumption got.
    pub(super) fn resumed(&self) -> Option<FramePtr> {
        let c = self.consumers.get(self.passes.last()?.resumed as usize)?;
        Some(self.stack[c.subgoal as usize].frame)
    }
}

impl Worker {
    /// Keeps the present continuation as a consumer of the subgoal at `index`.
    pub(in crate::engine) fn suspend(&mut self, index: usize, template: Cell) -> Result<(), Throw> {
        let top = self.b.arg(self.b.size()) as usize - self.choices.base() as usize;
        let above = u32::try_from(top / 8).map_err(|_| Throw::Memory)?;
        if self.thread.tabling.consumers.len() >= UNQUEUED as usize {
            return Err(Throw::Memory);
        }
        self.room_to_evaluate()?;
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
        let t = &mut self.thread.tabling;
        let s = &mut t.stack[index];
        let number = t.consumers.len() as u32;
        t.consumers.push(Consumer {
            k: Cell::frame_ptr(self.k),
            template,
            saved,
            marks,
            position: 0,
            subgoal: index as u32,
            next: s.newest,
            above,
        });
        s.newest = number;
        if s.frame.answer_count() > 0 {
            t.enqueue(index);
        }
        if let Some(scc) = t.sccs.last_mut() {
            scc.above = scc.above.max(above);
        }
        self.heap.capture(base.trail());
        Ok(())
    }

    /// Makes places for whatever an evaluation makes next: a subgoal, a consumer, a resumption.
    #[inline]
    pub(in crate::engine) fn room_to_evaluate(&mut self) -> Result<(), Throw> {
        if self.thread.tabling.has_places() {
            return Ok(());
        }
        let limit = self.memory_limit();
        let held = self
            .thread
            .tabling
            .bytes()
            .saturating_add(self.heap.bytes());
        let ask = |bytes| held.saturating_add(bytes) <= limit && common::system_has(bytes);
        if self.thread.tabling.make_places(ask) {
            Ok(())
        } else {
            Err(Throw::Memory)
        }
    }

    /// Whether tables, their evaluation and the heap are within the thread's limit.
    pub(in crate::engine) fn tables_within_limit(&self) -> Result<(), Throw> {
        if self
            .thread
            .tabling
            .bytes()
            .saturating_add(self.heap.bytes())
            > self.memory_limit()
        {
            return Err(Throw::Memory);
        }
        Ok(())
    }

    /// Saves what the running continuation needs beside itself: the bindings and marks since the innermost generator or resumption, which is
    /// returned.
    fn save_bindings(&mut self) -> Result<Choice, Throw> {
        let (base, catches) = self.active_catches()?;
        let mut heights = growth::list(catches.iter().map(|c| c.trail()))?;
        let saved = &mut self.thread.tabling.saved;
        let room = saved.capacity();
        // SAFETY: the trail above a live choicepoint's height is valid.
        unsafe { self.heap.trail.log_since(base.trail(), &mut heights, saved) }?;
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
        let index = self.b.arg_value(2).small_value() as usize;
        self.thread.tabling.verify();
        if !self.thread.tabling.leads(index) {
            return self.become_consumer();
        }
        if self.thread.tabling.consumers.len() == self.thread.tabling.stack[index].older as usize {
            return self.complete_scc(index);
        }
        self.room_to_evaluate()?;
        self.push_barrier()?;
        self.thread.tabling.passes.push(Pass::IDLE);
        self.tabling_resume()
    }

    /// The caller of a generator that is no leader waits for its answers like any consumer.
    fn become_consumer(&mut self) -> Result<Go, Throw> {
        let b = self.b;
        let (template, index) = (b.arg_value(0), b.arg_value(2).small_value() as usize);
        self.pop_choice();
        self.suspend(index, template)?;
        Ok(Go::Fail)
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
            top: self.heap.h,
            trail: self.heap.trail.top(),
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
        self.thread.tabling.barrier = self.choices.at(self.b.arg_value(0));
        self.pop_choice();
    }

    /// Alternative `Resume`: gives the next answer to the next consumer, or completes the SCC. A safe point.
    pub(in crate::engine) fn tabling_resume(&mut self) -> Result<Go, Throw> {
        if let Some(go) = self.point_if_wanted()? {
            return Ok(go);
        }
        let index = self.b.previous().arg_value(2).small_value() as usize;
        let leads = self.thread.tabling.leads(index);
        if leads && let Some((consumer, answer)) = self.thread.tabling.next_news() {
            let above = self.thread.tabling.consumers[consumer].above as usize * 8;
            if above > self.b.0 as usize - self.choices.base() as usize {
                // Suspended while this barrier was in force: it needs a higher one.
                self.pop_barrier();
                if let Err(t) = self.push_barrier() {
                    self.thread.tabling.passes.pop();
                    return Err(t);
                }
            }
            return self.feed(consumer, answer);
        }
        self.thread.tabling.passes.pop();
        self.pop_barrier();
        if leads {
            self.complete_scc(index)
        } else {
            self.become_consumer()
        }
    }

    /// Resumes a consumer with an answer.
    fn feed(&mut self, consumer: usize, answer: AnswerPtr) -> Result<Go, Throw> {
        self.inferences += 1;
        let t = &mut self.thread.tabling;
        t.resumptions += 1;
        if let Some(pass) = t.passes.last_mut() {
            pass.resumption = t.resumptions;
            pass.resumed = consumer as u32;
        }
        let c = &t.consumers[consumer];
        let (k, template) = (c.k, c.template);
        let s = &t.stack[c.subgoal as usize];
        let (frame, generation) = (s.frame, s.generation);
        let (mut at, marks) = (c.saved, c.marks);
        let next = t.consumers.get(consumer + 1);
        let (end, marks_end) = next.map_or((t.saved.len(), t.marks.len()), |n| (n.saved, n.marks));
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
        self.resume_with(template, frame, generation, answer)
    }

    /// Makes saved bindings and assignments again.
    fn bind_again(&mut self, from: usize, to: usize) {
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

    /// Whether a choicepoint that the running continuation refers to is gone, because the continuation was suspended since.
    #[inline(always)]
    pub(in crate::engine) fn is_gone(&self, c: Choice) -> bool {
        c < self.thread.tabling.barrier
    }

    /// What is left of a cut barrier: itself, or if it is gone the newest choicepoint that stands for one not above it.
    #[inline]
    pub(in crate::engine) fn live_barrier(&self, to: Choice) -> Choice {
        if self.is_gone(to) {
            self.standing_for(to)
        } else {
            to
        }
    }

    #[cold]
    fn standing_for(&self, to: Choice) -> Choice {
        let to = self.choices.offset(to).small_value();
        let mut b = self.b;
        while b > self.thread.tabling.barrier {
            if is_catch(b) && self.origin(b).small_value() <= to {
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
            barrier = self.choices.at(barrier.arg_value(0));
        }
        Some(c)
    }

    /// All subgoals of the SCC are complete: returns the leader's answers to its caller.
    fn complete_scc(&mut self, index: usize) -> Result<Go, Throw> {
        let b = self.b;
        let t = &mut self.thread.tabling;
        let first = t.stack[index].older as usize;
        let generation = t.stack[index].generation;
        for s in t.stack.drain(index..) {
            s.frame.set_state(State::Complete);
            s.frame.set_tag(0);
            if s.moded {
                t.tables.of(s.generation).moded_complete(s.frame);
            }
        }
        t.sccs.pop();
        t.truncate_consumers(first);
        t.truncate_stack();
        // SAFETY: made from the leader's frame.
        let frame = unsafe { frame_of(b.arg_value(1)) };
        let template = b.arg_value(0);
        self.b0 = b.barrier();
        self.pop_choice();
        self.return_answers(frame, generation, template)
    }
}
