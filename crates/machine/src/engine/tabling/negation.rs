//! Negation under the well-founded semantics: `tnot/1`, and the delay list of the running derivation.
//!
//! `tnot(G)` calls the tabled goal G for its table, not for its answers; the template of such a call, at its `Complete` choicepoint and as a
//! consumer, is [`NEGATIVE`]. When the table is complete it fails if there is an unconditional answer (and the call is not
//! [general](Worker::is_general)), succeeds if there is none at all, and else succeeds with the literal in the delay list. Which literals are put off before is decided where no answer is left to be returned
//! ([`Tabling::next_settled`](crate::state::tabling::Tabling::next_settled)).
//!
//! The *delay list* of the running derivation ([`Tabling::delays`](crate::state::tabling::Tabling)) is a list of terms `'$delay'(Frame, Answer, Generation)`, numbers,
//! that `state/tabling/conditions.rs` calls literals. It is assigned like a global variable: failure restores it, and a suspended call keeps it with its bindings.
//! A generator, and whatever is resumed, begins without one. A derivation that uses a conditional answer
//! of a table adds that as a positive literal; where it ends, at the frame `Answer`, the list becomes one of the answer's.

use super::calls::Asked;
use super::tabled;
use crate::engine::going::Go;
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::tabling::conditions::{Literal, Truth};
use samite_code::predicate::flag;
use samite_heap::OutOfMemory;
use samite_table::{AnswerPtr, FramePtr};
use samite_term::growth::{self, Refused};
use samite_term::{Atom, Cell, Functor, Tag, View, atoms};

/// Stands for the template of a call that wants no answers.
pub(super) const NEGATIVE: Cell = Cell::atom(atoms::TNOT);

/// Literals of a delay list that a new one is compared with, so that a loop which uses one answer again and again does not make it longer.
const COMPARED: usize = 16;

impl Worker {
    /// `tnot/1`, its argument in the first register.
    pub(in crate::engine) fn tnot(&mut self) -> Result<Go, Throw> {
        self.enter_table(Asked::Negatively)
    }

    /// `'$tabled_as_is'/1`: a call of a tabled predicate that no limit holds for.
    pub(in crate::engine) fn tabled_as_is(&mut self) -> Result<Go, Throw> {
        self.enter_table(Asked::AsItIs)
    }

    fn enter_table(&mut self, asked: Asked) -> Result<Go, Throw> {
        let goal = self.register(0);
        let typein = self.thread.modules.typein.get();
        let (inner, module) = self.strip_module(goal, typein)?;
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        let Some((f, args)) = unsafe { self.term(inner) }.callable() else {
            return Err(self.type_error("callable", goal));
        };
        let mut p = self.callee(module, f)?;
        if !p.is_defined() {
            p = self.resolve(module, f).unwrap_or(p);
        }
        // (While its file is loaded again.)
        p = self.thread.loading.shadow(p).unwrap_or(p);
        if !p.has(flag::TABLED) {
            let indicator = self.indicator(f)?;
            return Err(self.permission_error("tnot", "non_tabled_procedure", indicator));
        }
        for i in 0..f.arity() {
            self.set_register(i, args.get(i).cell());
        }
        self.qualify(p, module)?;
        self.enter_table_of(p, asked)
    }

    /// Goes on behind a negative call whose table is complete.
    pub(super) fn after_negative(&mut self, frame: FramePtr, generation: u32) -> Result<Go, Throw> {
        let literal = self.negative_literal(frame, generation)?;
        match self.thread.tabling.conditions.literal(&literal) {
            Truth::False => Ok(Go::Fail),
            Truth::True => Ok(Go::Proceed),
            Truth::Undefined => {
                self.put_off(literal)?;
                Ok(Go::Proceed)
            }
        }
    }

    /// The literal of a negative call that the running derivation makes.
    pub(super) fn negative_literal(
        &mut self,
        frame: FramePtr,
        generation: u32,
    ) -> Result<Literal, Refused> {
        Ok(match self.is_general(frame, generation)? {
            false => Literal::negative(frame, generation),
            true => Literal::general(frame, generation),
        })
    }

    /// The running derivation uses an answer: if that is conditional, so is what it derives.
    #[inline]
    pub(super) fn uses(
        &mut self,
        frame: FramePtr,
        generation: u32,
        answer: AnswerPtr,
    ) -> Result<(), Throw> {
        if self.thread.tabling.conditions.is_conditional(answer) {
            self.put_off(Literal::positive(frame, answer, generation))?;
        }
        Ok(())
    }

    /// Adds a literal to the delay list. Whatever garbage there is: the answer could not be asked for again.
    pub(super) fn put_off(&mut self, literal: Literal) -> Result<(), Throw> {
        let apart = self.thread.events.masks.apart;
        if apart > 0 && self.thread.tabling.first_within(apart) == self.thread.tabling.stack.len() {
            // What has interrupted the derivation is no part of it.
            return Ok(());
        }
        let list = self.delays();
        let mut at = list;
        for _ in 0..COMPARED {
            match self.delay_at(at) {
                Some((l, _)) if l == literal => return Ok(()),
                Some((_, rest)) => at = rest,
                None => break,
            }
        }
        let before = self.heap.set_credit(true);
        let longer = self
            .delay_term(literal)
            .and_then(|term| self.heap.list_cell(term, list));
        let done = longer
            .map_err(Throw::from)
            .and_then(|longer| self.set_delays(longer));
        self.heap.end_credit(before);
        done
    }

    pub(crate) fn delay_term(&mut self, l: Literal) -> Result<Cell, OutOfMemory> {
        let cells = [
            Cell::small(l.frame as i64),
            Cell::small(l.answer as i64),
            Cell::small(i64::from(l.generation)),
        ];
        self.heap.structure(Functor::new(atoms::DELAY, 3), &cells)
    }

    /// The literal that a list begins with, and the rest.
    fn delay_at(&self, list: Cell) -> Option<(Literal, Cell)> {
        let list = self.deref(list);
        if list.tag() != Tag::Lst {
            return None;
        }
        // SAFETY: a list cell of this heap.
        let (first, rest) = unsafe { (*list.ptr(), *list.ptr().add(1)) };
        Some((self.literal(first)?, rest))
    }

    /// The literal that a term of a delay list stands for: [`Literal::UNKNOWN`] if its table is gone.
    pub(crate) fn literal(&self, term: Cell) -> Option<Literal> {
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        let View::Compound(c) = unsafe { self.term(term) }.view() else {
            return None;
        };
        if c.functor() != Functor::new(atoms::DELAY, 3) {
            return None;
        }
        let number = |i: usize| match c.arg(i).view() {
            View::Int(v) => Some(v as u64),
            _ => None,
        };
        let l = Literal {
            frame: number(0)?,
            answer: number(1)?,
            generation: number(2)? as u32,
        };
        let there = self.thread.tabling.tables.has(l.generation);
        Some(if there { l } else { Literal::UNKNOWN })
    }

    /// The delay list of the running derivation.
    #[inline]
    pub(crate) fn delays(&self) -> Cell {
        match self.thread.tabling.delays {
            // SAFETY: a structure with one argument.
            Some(c) => unsafe { *c.ptr().add(1) },
            None => Cell::NIL,
        }
    }

    /// The running derivation begins anew.
    #[inline]
    pub(super) fn begin_delays(&mut self) {
        if let Some(c) = self.thread.tabling.delays {
            // SAFETY: the argument of a structure of this heap.
            unsafe {
                let at = c.ptr().add(1);
                if *at != Cell::NIL {
                    self.heap.assign(at, Cell::NIL, self.b.trail());
                }
            }
        }
    }

    /// Another delay list.
    pub(crate) fn set_delays(&mut self, list: Cell) -> Result<(), Throw> {
        let c = match self.thread.tabling.delays {
            Some(c) => c,
            None => {
                let p = self.heap.allocate_old(2)?;
                // SAFETY: two cells were just allocated.
                unsafe {
                    *p = Functor::new(atoms::DELAY, 1).cell();
                    *p.add(1) = Cell::NIL;
                }
                *self.thread.tabling.delays.insert(Cell::to(Tag::Str, p))
            }
        };
        // SAFETY: the argument of a structure of this heap, and a list of it.
        unsafe { self.heap.assign(c.ptr().add(1), list, self.b.trail()) };
        Ok(())
    }

    /// What a derivation that ends has put off.
    pub(super) fn conditions_of_derivation(&self) -> Result<Vec<Literal>, Refused> {
        let (mut list, mut at) = (Vec::new(), self.delays());
        while let Some((l, rest)) = self.delay_at(at) {
            growth::push(&mut list, l)?;
            at = rest;
        }
        Ok(list)
    }

    /// The goal of a literal's subgoal, `Module:Goal`, as it was called or, if the literal is positive, with its answer.
    pub(crate) fn goal_of_literal(&mut self, l: Literal) -> Result<Cell, Throw> {
        Ok(self.goal_with_variables(l)?.0)
    }

    /// The same, and `ret(Variable...)` with the variables of the call, bound as the goal is: without the values of answers that are joined.
    pub(crate) fn goal_and_return(&mut self, l: Literal) -> Result<(Cell, Cell), Throw> {
        let (goal, free) = self.goal_with_variables(l)?;
        let key = match free.len() {
            0 => Cell::atom(atoms::ANSWER),
            n => self.heap.structure(Functor::new(atoms::ANSWER, n), &free)?,
        };
        Ok((goal, key))
    }

    fn goal_with_variables(&mut self, l: Literal) -> Result<(Cell, Vec<Cell>), Throw> {
        // SAFETY: the frame of a literal of a generation that there is.
        let frame = unsafe { FramePtr::from_bits(l.frame) };
        let p = tabled::predicate(frame);
        let mut tokens = Vec::new();
        self.thread
            .tabling
            .tables
            .of(l.generation)
            .subgoal_tokens(frame, &mut tokens)?;
        let mut variables = rustc_hash::FxHashMap::default();
        let mut at = 0;
        let (mut args, mut values) = (Vec::new(), Vec::new());
        let modes = tabled::modes(frame);
        for i in 0..p.arity() {
            let a = match modes.get(i) {
                None | Some(samite_code::modes::Mode::Index) => {
                    self.decode_on_credit(&tokens, &mut at, &mut variables)?
                }
                Some(_) => {
                    let v = self.heap.variable()?;
                    growth::push(&mut values, v)?;
                    v
                }
            };
            growth::push(&mut args, a)?;
        }
        let goal = tabled::call(&mut self.heap, p, &args)?;
        let called = variables.len();
        let mut free = growth::with_room(called + values.len())?;
        for n in 0..called {
            free.push(variables[&super::codec::variable_token(n)]);
        }
        free.extend(values);
        if l.is_positive() && !free.is_empty() {
            let template = self.template(&free)?;
            // SAFETY: an answer of that frame.
            let answer = unsafe { AnswerPtr::from_bits(l.answer) };
            self.unify_answer(template, frame, l.generation, answer)?;
        }
        free.truncate(called);
        Ok((goal, free))
    }

    /// The delay lists of what a literal is about, each as a list of literals' terms: those of its answer, or if it is negative
    /// of all answers of its subgoal, one after the other, with the literal of each.
    pub(crate) fn lists_of_literal(&mut self, l: Literal) -> Result<Cell, Throw> {
        let conditions = &self.thread.tabling.conditions;
        let mut answers = Vec::new();
        if l.is_positive() {
            growth::push(&mut answers, l.answer)?;
        } else {
            for a in conditions.of_frame(l.frame) {
                growth::push(&mut answers, a)?;
            }
        }
        let mut rows = Vec::new();
        for answer in answers {
            for list in self.thread.tabling.conditions.of(answer) {
                growth::push(&mut rows, (answer, growth::list(list.iter().copied())?))?;
            }
        }
        let mut result = Cell::NIL;
        for (answer, list) in rows.into_iter().rev() {
            let mut body = Cell::NIL;
            for &literal in list.iter().rev() {
                let term = self.delay_term(literal)?;
                body = self.heap.list_cell(term, body)?;
            }
            let head = self.delay_term(Literal { answer, ..l })?;
            let row = self
                .heap
                .structure(Functor::new(atoms::MINUS, 2), &[head, body])?;
            result = self.heap.list_cell(row, result)?;
        }
        Ok(result)
    }

    /// The positive literals of all conditional answers of a predicate.
    pub(crate) fn conditional_answers(&mut self, module: Atom, f: Functor) -> Result<Cell, Throw> {
        let mut list = Cell::NIL;
        if self.thread.tabling.conditions.is_empty() {
            return Ok(list);
        }
        let mut all = Vec::new();
        for (generation, frame, answer) in self.thread.tabling.conditions.all() {
            // SAFETY: a frame that has conditional answers is in a generation that there is.
            let p = tabled::predicate(unsafe { FramePtr::from_bits(frame) });
            if p.module() == module && p.functor() == f {
                let l = Literal {
                    frame,
                    answer,
                    generation,
                };
                growth::push(&mut all, l)?;
            }
        }
        all.sort_unstable();
        for l in all.into_iter().rev() {
            let term = self.delay_term(l)?;
            list = self.heap.list_cell(term, list)?;
        }
        Ok(list)
    }
}
