//! Answers: recording those of generators, returning those of complete tables.

use super::codec::{Unfit, Variables, encode, encode_argument, is_variable};
use super::cooperation::Joined;
use super::handing::Handed;
use crate::state::internal::cells;
use crate::state::tabling::schedule::{FULL, JOINT, MODED};
use crate::state::tabling::{frame_of, raw};

use crate::engine::going::Go;
use crate::engine::tabling::feeding::Awaited;
use crate::engine::worker::Worker;
use crate::error::Throw;
use rustc_hash::FxHashMap;
use samite_table::{AnswerPtr, Cursor, FramePtr, MOST_OF_ROW as ROW, Rows, State, is_row_token};
use samite_term::growth::{self, Refused};
use samite_term::view::deref;
use samite_term::{Cell, Functor, Tag};

/// So many rows of a table are added before somebody looks whether the tables are within their limit.
const ROWS_UNSEEN: usize = 64;

/// The tokens of an answer of immediate terms; their number, or 0 if it is not one that can be a row.
#[inline]
fn row_of(template: Cell, row: &mut [u64; ROW]) -> usize {
    // SAFETY: a template is a structure of this heap.
    let n = Functor::from_cell(unsafe { *template.ptr() }).arity();
    if n > ROW {
        return 0;
    }
    for (i, token) in row[..n].iter_mut().enumerate() {
        // SAFETY: as above.
        let a = unsafe { deref(*template.ptr().add(i + 1)) };
        if !a.is_immediate() || !is_row_token(a.0) {
            return 0;
        }
        *token = a.0;
    }
    n
}

impl Worker {
    /// Frame `Answer`: a solution of a generator's clauses. A safe point.
    pub(in crate::engine) fn tabling_answer(
        &mut self,
        frame: Cell,
        template: Cell,
    ) -> Result<Go, Throw> {
        // SAFETY: the cell was made from a frame that stays while its subgoal is incomplete.
        let frame = unsafe { frame_of(frame) };
        debug_assert_eq!(frame.state(), State::Incomplete);
        if frame.may_have_rows() && template.tag() == Tag::Str {
            // (What is in here is written where it stays: copies of arrays are slow.)
            let mut row = [0; ROW];
            let width = row_of(template, &mut row);
            if width > 0 {
                return self.answer_as_row(frame, template, &row[..width], None);
            }
        }
        self.other_answer(frame, template)
    }

    /// An answer with these tokens, none of which is a handle.
    #[inline]
    fn answer_as_row(
        &mut self,
        frame: FramePtr,
        template: Cell,
        row: &[u64],
        awaited: Option<&Awaited>,
    ) -> Result<Go, Throw> {
        match self.add_as_row(frame, row, awaited)? {
            Some(false) => Ok(self.point_if_wanted()?.unwrap_or(Go::Fail)),
            Some(true) => self.answer_recorded(),
            None => self.answer_in_trie(frame, template),
        }
    }

    /// Adds an answer with these tokens, of immediate terms or `awaited`, if it is to be a row; whether somebody is to look if there is room for more.
    #[inline]
    pub(super) fn add_as_row(
        &mut self,
        frame: FramePtr,
        row: &[u64],
        awaited: Option<&Awaited>,
    ) -> Result<Option<bool>, Throw> {
        // (Most answers of a dense table have been found before. Conditions would add nothing to such a one.)
        let index = frame.tag() as usize;
        let plain = || self.thread.tabling.stack[index].kind == 0 && self.delays() == Cell::NIL;
        match frame.add_row_at_once(row, plain) {
            Some(false) => return Ok(Some(false)),
            Some(true) => {
                self.thread.tabling.news(index);
                self.wake_for_row(index, row, awaited);
                return Ok(Some(frame.answer_count() % ROWS_UNSEEN == 1));
            }
            None => (),
        }
        self.add_other_row(frame, row, awaited)
    }

    #[inline(never)]
    fn add_other_row(
        &mut self,
        frame: FramePtr,
        row: &[u64],
        awaited: Option<&Awaited>,
    ) -> Result<Option<bool>, Throw> {
        let conditional = self.delays() != Cell::NIL;
        let kind = self.thread.tabling.stack[frame.tag() as usize].kind;
        if kind & JOINT != 0 && !conditional {
            match self.joint_answer(frame, row)? {
                Joined::Done => return Ok(Some(false)),
                Joined::Many => return Ok(Some(true)),
                Joined::Parted => (),
            }
        }
        let kind = kind & !JOINT;
        let within = self.row_is_within(frame, kind, awaited.is_none());
        let space = self.thread.tabling.tables_of(frame);
        if conditional || !within || !space.takes_row(frame, row.len()) {
            return Ok(None);
        }
        if !space.add_row(frame, row)? {
            return Ok(Some(false));
        }
        self.thread.tabling.news(frame.tag() as usize);
        self.wake_for_row(frame.tag() as usize, row, awaited);
        // (Rows are small.)
        Ok(Some(frame.answer_count() % ROWS_UNSEEN == 1))
    }

    /// An answer that is not of immediate terms only.
    #[inline(never)]
    fn other_answer(&mut self, frame: FramePtr, template: Cell) -> Result<Go, Throw> {
        self.thread.tabling.stack[frame.tag() as usize].open = true;
        if frame.may_have_rows() && template.tag() == Tag::Str {
            let (mut row, mut width) = ([0; ROW], 0);
            if self.long_row_of(template, &mut row, &mut width)? {
                let awaited = self.awaited(frame, template)?;
                return self.answer_as_row(frame, template, &row[..width], Some(&awaited));
            }
        }
        self.answer_in_trie(frame, template)
    }

    /// The tokens of an answer; false: it cannot be a row.
    fn long_row_of(
        &mut self,
        template: Cell,
        row: &mut [u64; ROW],
        width: &mut usize,
    ) -> Result<bool, Throw> {
        let (mut variables, mut work) = (Variables::of_answer(), Vec::new());
        // SAFETY: a template is a structure of this heap.
        let n = Functor::from_cell(unsafe { *template.ptr() }).arity();
        for i in 1..=n {
            let mut step = |t| {
                // Who refuses ends it.
                let room = row.get_mut(*width).ok_or(Refused)?;
                if !is_row_token(t) {
                    return Err(Refused);
                }
                *room = t;
                *width += 1;
                Ok(())
            };
            // SAFETY: arguments of the template are terms of this heap.
            let done = unsafe {
                let a = deref(*template.ptr().add(i));
                encode(a, &mut variables, &mut work, usize::MAX, &mut step)
            };
            match done {
                Ok(()) => (),
                Err(Unfit::TooLong) => return Ok(false),
                Err(u) => return Err(self.unfit_answer(u, template)),
            }
        }
        Ok(true)
    }

    /// An answer that is no row, whatever those before were.
    pub(super) fn answer_in_trie(&mut self, frame: FramePtr, template: Cell) -> Result<Go, Throw> {
        let index = frame.tag() as usize;
        let limit = self.most_tokens();
        if self.thread.tabling.stack[index].kind & JOINT != 0 {
            self.part()?;
        }
        let kind = self.thread.tabling.stack[index].kind;
        if kind & MODED != 0 {
            return self.moded_answer(frame, template);
        }
        if kind != 0
            && let Some(go) = self.limited_answer(frame, template)?
        {
            return Ok(go);
        }
        let awaited = self.awaited(frame, template)?;
        self.thread.tabling.rows_to_trie(index)?;
        let space = self.thread.tabling.tables_of(frame);
        let mut node = space.answer_root(frame);
        if template.tag() == Tag::Str {
            let mut variables = Variables::of_answer();
            let mut work = Vec::new();
            // SAFETY: a template is a structure of this heap.
            let n = Functor::from_cell(unsafe { *template.ptr() }).arity();
            for i in 1..=n {
                // SAFETY: as above.
                let a = unsafe { deref(*template.ptr().add(i)) };
                let mut step = |t| {
                    node = space.answer_step(node, t)?;
                    Ok(())
                };
                // SAFETY: arguments of the template are terms of this heap.
                let done =
                    unsafe { encode_argument(a, &mut variables, &mut work, limit, &mut step) };
                if let Err(u) = done {
                    space.answer_forget(node);
                    return Err(self.unfit_answer(u, template));
                }
            }
        }
        let new = space.answer_leaf(frame, node);
        if new {
            self.wake_for(index, &awaited);
        }
        self.record_conditions(frame, index, node, new)?;
        let full = kind & FULL != 0;
        let known = template.tag() != Tag::Str;
        if full || (known && !self.thread.tabling.conditions.is_conditional(node)) {
            self.complete_early(index);
        }
        if new {
            self.thread.tabling.news(index);
            return self.answer_recorded();
        }
        Ok(self.point_if_wanted()?.unwrap_or(Go::Fail))
    }

    /// The call of the subgoal at `index` has no variables, and is true, or as many answers as it may have: nothing that its clauses would do can add to that (early completion). What
    /// the running continuation has left is given up, as a cut does, if it is of that subgoal, and if there is no cleanup handler.
    pub(super) fn complete_early(&mut self, index: usize) {
        let (base, owner) = self.evaluation_of_continuation();
        if owner as usize == index && self.cleanup_above(base).is_none() {
            self.set_b(base);
        }
    }

    /// What the answer at `leaf` was derived under.
    #[inline]
    fn record_conditions(
        &mut self,
        frame: FramePtr,
        index: usize,
        leaf: AnswerPtr,
        new: bool,
    ) -> Result<(), Throw> {
        if self.thread.tabling.conditions.is_empty() && self.delays() == Cell::NIL {
            return Ok(());
        }
        let list = self.conditions_of_derivation()?;
        let t = &mut self.thread.tabling;
        let generation = t.stack[index].generation;
        t.conditions.record(frame, generation, leaf, new, list)?;
        Ok(())
    }

    /// The error of an answer that has no path in a trie.
    pub(super) fn unfit_answer(&mut self, unfit: Unfit, template: Cell) -> Throw {
        match unfit {
            Unfit::TooLong => Throw::Memory,
            Unfit::Cyclic => self.type_error("acyclic_term", template),
            Unfit::Attributed => self.type_error("free_of_attvar", template),
        }
    }

    /// After a new answer: the thread's memory limit counts tables too; then the generator fails, which is a safe point.
    pub(in crate::engine) fn answer_recorded(&mut self) -> Result<Go, Throw> {
        self.tables_within_limit()
            .or_else(|t| self.room_for_tables_here(t))?;
        self.tables_within_space()?;
        Ok(self.point_if_wanted()?.unwrap_or(Go::Fail))
    }

    /// Returns the answers of a complete table one after the other.
    pub(in crate::engine) fn return_answers(
        &mut self,
        frame: FramePtr,
        generation: u32,
        template: Cell,
    ) -> Result<Go, Throw> {
        let Some(first) = frame.first_answer() else {
            return Ok(Go::Fail);
        };
        if self.selects(frame, template)
            && let Some(go) = self.return_selected(frame, generation, template)?
        {
            return Ok(go);
        }
        let first = match self.hand_on_complete(frame, template, first)? {
            Handed::All => return Ok(Go::Fail),
            Handed::UpTo(answer) => answer,
            Handed::Look(next) => {
                if let Some(next) = next {
                    self.push_answers(frame, generation, template, next)?;
                }
                return self.answer_recorded();
            }
        };
        if let Some(next) = frame.next_answer(first) {
            self.push_answers(frame, generation, template, next)?;
        }
        self.resume_with(template, frame, generation, first)
    }

    /// Alternative `Answers`. A safe point.
    pub(in crate::engine) fn tabling_next_answer(&mut self) -> Result<Go, Throw> {
        if let Some(go) = self.point_if_wanted()? {
            return Ok(go);
        }
        let b = self.b;
        let cells::Answers {
            template,
            subgoal,
            next,
            generation,
        } = b.cells();
        // SAFETY: made from the frame and an answer of a complete table of a generation that this choicepoint keeps.
        let (frame, answer) = unsafe { (frame_of(subgoal), AnswerPtr::from_bits(next.payload())) };
        let generation = generation.small_value() as u32;
        if self.may_hand_on() {
            return self.hand_on_rest(frame, generation, template, answer);
        }
        match frame.next_answer(answer) {
            // SAFETY: the choicepoint has four arguments.
            Some(next) => unsafe { *b.arg(2) = raw(next.to_bits()) },
            None => self.pop_choice(),
        }
        self.resume_with(template, frame, generation, answer)
    }

    /// The same where answers may be handed on.
    #[inline(never)]
    fn hand_on_rest(
        &mut self,
        frame: FramePtr,
        generation: u32,
        template: Cell,
        answer: AnswerPtr,
    ) -> Result<Go, Throw> {
        let b = self.b;
        let handed = self.hand_on_complete(frame, template, answer)?;
        let next = match handed {
            Handed::All => None,
            Handed::UpTo(answer) => frame.next_answer(answer),
            Handed::Look(next) => next,
        };
        match next {
            // SAFETY: the choicepoint has four arguments.
            Some(next) => unsafe { *b.arg(2) = raw(next.to_bits()) },
            None => self.pop_choice(),
        }
        match handed {
            Handed::All => Ok(Go::Fail),
            Handed::UpTo(answer) => self.resume_with(template, frame, generation, answer),
            Handed::Look(_) => self.answer_recorded(),
        }
    }

    /// Goes on with an answer.
    pub(in crate::engine) fn resume_with(
        &mut self,
        template: Cell,
        frame: FramePtr,
        generation: u32,
        answer: AnswerPtr,
    ) -> Result<Go, Throw> {
        Ok(if self.unify_answer(template, frame, generation, answer)? {
            self.uses(frame, generation, answer)?;
            Go::Proceed
        } else {
            Go::Fail
        })
    }

    /// The same if the answer is a row of immediate terms, and nothing that is bound waits for that; else `None`, and nothing has changed but for bindings that would be made
    /// anyway.
    #[inline]
    fn unify_row(&mut self, template: Cell, n: usize, row: &impl Cursor) -> Option<bool> {
        if row.width() != n {
            return None;
        }
        for i in 0..n {
            let token = Cell(row.token(i));
            if !token.is_immediate() {
                return None;
            }
            // SAFETY: a template is a structure of this heap.
            let place = unsafe { deref(*template.ptr().add(i + 1)) };
            if place.is_ref() {
                // (No row names a queue or mutex.)
                // SAFETY: an unbound variable of this heap.
                unsafe { self.heap.bind(place.ptr(), token) };
            } else if place != token {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Unifies an answer template with an answer, which the next safe point looks at: nobody could ask for it again.
    #[inline]
    pub(super) fn unify_answer(
        &mut self,
        template: Cell,
        frame: FramePtr,
        generation: u32,
        answer: AnswerPtr,
    ) -> Result<bool, Throw> {
        let template = self.deref(template);
        if template.tag() != Tag::Str {
            return Ok(true);
        }
        // SAFETY: a template is a structure of this heap.
        let n = Functor::from_cell(unsafe { *template.ptr() }).arity();
        // (First what is most frequent.)
        if let Some(row) = frame.array_from(answer)
            && let Some(unified) = self.unify_row(template, n, &row)
        {
            return Ok(unified);
        }
        let unified = match frame.rows_from(answer) {
            Some(Rows::Array(_)) => None,
            Some(Rows::Bits(row)) => self.unify_row(template, n, &row),
            Some(Rows::Shared(row)) => self.unify_row(template, n, &row),
            None => None,
        };
        if let Some(unified) = unified {
            return Ok(unified);
        }
        let mut tokens = std::mem::take(&mut self.thread.tabling.tokens);
        let space = self.thread.tabling.tables.of(generation);
        space.answer_tokens(frame, answer, &mut tokens)?;
        if let Some(value) = space.moded_value(frame, answer) {
            growth::have(&mut tokens, value.len())?;
            tokens.extend_from_slice(value);
        }
        let ok = self.unify_tokens(template, &tokens)?;
        self.thread.tabling.tokens = tokens;
        Ok(ok)
    }

    /// Unifies an answer template, a structure, with the tokens of an answer.
    pub(super) fn unify_tokens(&mut self, template: Cell, tokens: &[u64]) -> Result<bool, Throw> {
        // SAFETY: a template is a structure of this heap.
        let n = Functor::from_cell(unsafe { *template.ptr() }).arity();
        let mut variables: FxHashMap<u64, Cell> = FxHashMap::default();
        let mut at = 0;
        let mut ok = true;
        for i in 1..=n {
            // SAFETY: as above.
            let place = unsafe { deref(*template.ptr().add(i)) };
            let Some(&token) = tokens.get(at) else {
                // No answer of this table.
                ok = false;
                break;
            };
            let token = Cell(token);
            let value = if token.is_immediate() {
                at += 1;
                self.heap.meet(token);
                token
            } else if is_variable(token) && place.is_ref() {
                // An answer's variable is the caller's: what waits for that is not woken.
                at += 1;
                match variables.get(&token.0) {
                    Some(&v) => v,
                    None => {
                        growth::insert(&mut variables, token.0, place)?;
                        continue;
                    }
                }
            } else {
                self.decode_on_credit(tokens, &mut at, &mut variables)?
            };
            if place.is_ref() && !value.is_ref() {
                // SAFETY: an unbound variable of this heap.
                unsafe { self.heap.bind(place.ptr(), value) };
            } else if !self.unify(place, value) {
                ok = false;
                break;
            }
        }
        Ok(ok)
    }
}
