//! Answers that are handed on: what is left of a clause when its last goal, a tabled call, has an answer is the frame `Answer` of the subgoal that the clause is of. Then an answer of the call
//! *is* one of that subgoal, but for the order of its tokens and for what is bound already, and a set of answers goes over from table to table without a continuation being run for each.
//!
//! Right recursion is that, and so are most of the last goals of Datalog's rules. Used where a consumer is fed, alone ([`Worker::hand_on_news`]) or in a shared evaluation ([`Worker::hand_on_run`]), and
//! where a complete table is read ([`Worker::hand_on_complete`]).
//!
//! ```text
//! an answer is handed on only if running the continuation would add the same row: both tables have rows, of immediate terms, and the subgoal no limits, values or conditions
//! nothing is bound, made or moved in between; who is wanted for anything else (a safe point, room for tables) stops behind an answer
//! ```
//!
//! Everything else goes the ordinary way, from the first answer on that cannot be handed on.

use crate::engine::going::Go;
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::frame::resume_of;
use crate::state::internal::{Internal, cells, code};
use crate::state::tabling::schedule::JOINT;
use crate::state::tabling::{frame_of, raw};
use samite_table::{AnswerPtr, Cursor, FramePtr, MOST_OF_ROW as ROW, Rows, Run, is_row_token};
use samite_term::view::deref;
use samite_term::{Cell, Functor, Tag};

/// How a row of the call becomes one of the subgoal.
pub(super) struct Handing {
    to: FramePtr,
    width: usize,
    /// The token, unless it is the one at `from` of the call's row.
    bound: [u64; ROW],
    from: [Option<u8>; ROW],
    /// Tokens of the call's rows.
    of: usize,
}

impl Handing {
    /// The row of the subgoal for one of the call; `None`: that is not one of immediate terms.
    #[inline]
    fn row(&self, token: impl Fn(usize) -> u64) -> Option<[u64; ROW]> {
        if !(0..self.of).all(|k| Cell(token(k)).is_immediate()) {
            return None;
        }
        let mut row = self.bound;
        for (to, from) in row[..self.width].iter_mut().zip(self.from) {
            if let Some(k) = from {
                *to = token(k as usize);
            }
        }
        Some(row)
    }
}

/// How far the answers of a complete table were handed on.
pub(super) enum Handed {
    All,
    /// From this one on they are returned one by one.
    UpTo(AnswerPtr),
    /// Somebody is to look whether there is room; then they go on with this one.
    Look(Option<AnswerPtr>),
}

impl Worker {
    /// How the answers of a call with this template are those of the subgoal that the running continuation is of, if that is all it does with them.
    #[inline]
    fn handing(&self, template: Cell) -> Option<Handing> {
        if self.may_hand_on() {
            self.handing_to_frame(template)
        } else {
            None
        }
    }

    /// Whether nothing but the frame of an answer is left to be run.
    #[inline(always)]
    pub(super) fn may_hand_on(&self) -> bool {
        // SAFETY: K is a frame.
        unsafe { resume_of(*self.k) == code(Internal::Answer) }
    }

    #[inline(never)]
    fn handing_to_frame(&self, template: Cell) -> Option<Handing> {
        // SAFETY: a frame of this kind.
        let (to, inner) = unsafe { (frame_of(*self.k.add(2)), *self.k.add(3)) };
        let template = self.deref(template);
        if template.tag() != Tag::Str
            || inner.tag() != Tag::Str
            || self.heap.has_woken()
            || self.thread.tabling.stack[to.tag() as usize].kind & !JOINT != 0
        {
            return None;
        }
        // SAFETY: templates are structures of this heap.
        let arity = |t: Cell| Functor::from_cell(unsafe { *t.ptr() }).arity();
        // SAFETY: as above, with so many arguments.
        let place = |t: Cell, i: usize| unsafe { deref(*t.ptr().add(i + 1)) };
        let (of, width) = (arity(template), arity(inner));
        if of > ROW || width > ROW {
            return None;
        }
        let mut handing = Handing {
            to,
            width,
            bound: [0; ROW],
            from: [None; ROW],
            of,
        };
        let mut variables = [Cell::NIL; ROW];
        for i in 0..of {
            let v = place(template, i);
            // (What waits for a variable is woken where it is bound.)
            // SAFETY: a variable of this heap.
            let is_plain = v.is_ref() && unsafe { *v.ptr() }.tag() != Tag::Att;
            if !is_plain || variables[..i].contains(&v) {
                return None;
            }
            variables[i] = v;
        }
        for i in 0..width {
            let a = place(inner, i);
            if a.is_immediate() && is_row_token(a.0) {
                handing.bound[i] = a.0;
            } else {
                let k = variables[..of].iter().position(|&v| v == a)?;
                handing.from[i] = Some(k as u8);
            }
        }
        Some(handing)
    }

    /// Adds the row for one of the call's; whether somebody is to look for room. `None`: it is to go the ordinary way.
    #[inline]
    fn hand_on(
        &mut self,
        handing: &Handing,
        token: impl Fn(usize) -> u64,
    ) -> Result<Option<bool>, Throw> {
        match handing.row(token) {
            Some(row) => self.add_as_row(handing.to, &row[..handing.width], None),
            None => Ok(None),
        }
    }

    /// A consumer that has been resumed gets `answer`, which counts as read, and all behind it. `None`: nothing has been done.
    pub(super) fn hand_on_news(
        &mut self,
        consumer: usize,
        answer: AnswerPtr,
    ) -> Result<Option<Go>, Throw> {
        let c = &self.thread.tabling.consumers[consumer];
        let s = &self.thread.tabling.stack[c.subgoal as usize];
        let (template, from, moded) = (c.template, s.frame, s.is_moded());
        let Some(handing) = self.handing(template).filter(|_| !moded) else {
            return Ok(None);
        };
        // (It is not complete.)
        let at = |answer| from.array_from(answer).filter(|r| r.width() == handing.of);
        let Some(mut row) = at(answer) else {
            return Ok(None);
        };
        match self.hand_on(&handing, |k| row.token(k))? {
            None => return Ok(None),
            Some(true) => return self.answer_recorded().map(Some),
            Some(false) => (),
        }
        // (Whoever parts from others gets their answers.)
        let changes = from == handing.to || self.thread.tabling.share.is_some();
        while !self.attention_wanted() {
            if changes && !row.is_recent(from) {
                match at(row.answer()) {
                    Some(again) => row = again,
                    None => break,
                }
            }
            if !row.advance() {
                break;
            }
            let Some(look) = self.hand_on(&handing, |k| row.token(k))? else {
                break;
            };
            self.inferences += 1;
            self.thread.tabling.consumers[consumer].position = row.answer().to_bits();
            if look {
                return self.answer_recorded().map(Some);
            }
        }
        Ok(Some(Go::Fail))
    }

    /// A consumer of a joint table that has been resumed gets the first row of a run that this thread has claimed, and all behind it. `None`: nothing has been done.
    pub(super) fn hand_on_run(&mut self, template: Cell, first: Run) -> Result<Option<Go>, Throw> {
        let Some(handing) = (self.handing(template)).filter(|h| h.of == first.width()) else {
            return Ok(None);
        };
        // SAFETY: a claimed row, of a table that the share has.
        match self.hand_on(&handing, |k| unsafe { first.token(k) })? {
            None => return Ok(None),
            Some(true) => return self.answer_recorded().map(Some),
            Some(false) => (),
        }
        while !self.attention_wanted()
            && let Some(joint) = self.thread.tabling.joint_mut()
            && let Some(run) = joint.rest_of_run()
        {
            // SAFETY: as above.
            let Some(look) = self.hand_on(&handing, |k| unsafe { run.token(k) })? else {
                break;
            };
            self.inferences += 1;
            if let Some(joint) = self.thread.tabling.joint_mut() {
                joint.has_fed_next();
            }
            if look {
                return self.answer_recorded().map(Some);
            }
        }
        Ok(Some(Go::Fail))
    }

    /// The answers of a complete table from this one on go to the subgoal that the continuation of the call, with this template, is of.
    #[inline]
    pub(super) fn hand_on_complete(
        &mut self,
        frame: FramePtr,
        template: Cell,
        first: AnswerPtr,
    ) -> Result<Handed, Throw> {
        match self.handing(template) {
            Some(handing) => self.hand_on_table(&handing, frame, first),
            None => Ok(Handed::UpTo(first)),
        }
    }

    fn hand_on_table(
        &mut self,
        handing: &Handing,
        frame: FramePtr,
        first: AnswerPtr,
    ) -> Result<Handed, Throw> {
        match frame.rows_from(first) {
            Some(Rows::Array(rows)) => self.hand_on_rows(handing, rows),
            Some(Rows::Bits(rows)) => self.hand_on_rows(handing, rows),
            Some(Rows::Shared(rows)) => self.hand_on_rows(handing, rows),
            None => Ok(Handed::UpTo(first)),
        }
    }

    fn hand_on_rows(&mut self, handing: &Handing, mut row: impl Cursor) -> Result<Handed, Throw> {
        if row.width() != handing.of {
            return Ok(Handed::UpTo(row.answer()));
        }
        loop {
            if self.attention_wanted() {
                return Ok(Handed::UpTo(row.answer()));
            }
            let Some(look) = self.hand_on(handing, |k| row.token(k))? else {
                return Ok(Handed::UpTo(row.answer()));
            };
            let more = row.advance();
            if look {
                return Ok(Handed::Look(more.then(|| row.answer())));
            }
            if !more {
                return Ok(Handed::All);
            }
        }
    }

    /// More answers of a complete table wait in a choicepoint.
    pub(super) fn push_answers(
        &mut self,
        frame: FramePtr,
        generation: u32,
        template: Cell,
        next: AnswerPtr,
    ) -> Result<(), Throw> {
        self.push_alternative(cells::Answers {
            template,
            subgoal: raw(frame.to_bits()),
            next: raw(next.to_bits()),
            generation: Cell::small(i64::from(generation)),
        })?;
        Ok(())
    }
}
