//! Looking at tables, and abolishing some of them: what library(tables) is made of.
//!
//! A table is named by the negative literal of its call, an answer by the positive one: a term that stays good until the generation has another number.
//! Tables that are abolished one by one take those with them that have undefined answers which depend on theirs. Removing them takes memory that somebody may still
//! look at. So it is done if nobody reads a table of the generation, none is being evaluated, and no answer has conditions; the generation gets another number,
//! by which all names are void. Else they are hidden: whoever looks at them goes on, calls do not find them, and the first one that would gets a new one in
//! its place. A table that is not complete may be named too, by what its evaluation calls ([`Worker::give_names`]): if that is given up, it is hidden instead of removed.

use super::codec::{Unfit, Variables, encode};
use super::tabled;
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::tabling::conditions::Literal;
use crate::state::tokens::count_of_variables;
use rustc_hash::FxHashSet;
use samite_code::modes::Mode;
use samite_code::predicate::Predicate;
use samite_table::{AnswerPtr, FramePtr, State};
use samite_term::growth::{self, Refused};
use samite_term::{Atom, Cell, Functor, atoms};

fn name_of(state: State) -> &'static str {
    match state {
        State::Complete => "complete",
        State::Incomplete => "incomplete",
        State::Fresh => "fresh",
    }
}

impl Worker {
    /// A program is about to get names of tables.
    pub(crate) fn give_names(&mut self) {
        let t = &mut self.thread.tabling;
        t.looked_at |= !t.stack.is_empty();
    }

    /// The tables that calls of a predicate find, or those of all predicates, of a module or of any: a list of `table(Literal, Module:Goal, State)`. Those that unify with
    /// ground arguments, if there are such, may be all that are looked at.
    pub(crate) fn tables_of(
        &mut self,
        module: Option<Atom>,
        f: Option<Functor>,
        ground: Option<&[Cell]>,
    ) -> Result<Cell, Throw> {
        self.see_redefinitions();
        let generation = self.thread.tabling.tables.current();
        let mut list = Cell::NIL;
        if !self.thread.tabling.tables.has(generation) {
            return Ok(list);
        }
        let mut found = Vec::new();
        let mut numbers = Vec::new();
        for number in self.thread.tabling.tables.of(generation).preds() {
            let p = tabled::predicate_of(number);
            if module.is_none_or(|m| p.module() == m) && f.is_none_or(|f| p.functor() == f) {
                growth::push(&mut numbers, number)?;
            }
        }
        for number in numbers {
            match ground {
                Some(args)
                    if tabled::predicate_of(number)
                        .modes()
                        .is_none_or(|d| d.modes.is_empty()) =>
                {
                    self.generalizations(number, args, |_, frame, _| {
                        growth::push(&mut found, frame)?;
                        Ok(None::<()>)
                    })?;
                }
                _ => {
                    for frame in self.thread.tabling.tables.of(generation).frames_of(number) {
                        growth::push(&mut found, frame)?;
                    }
                }
            }
        }
        for frame in found.into_iter().rev() {
            if self.thread.tabling.tables.is_hidden(frame) {
                continue;
            }
            let literal = Literal::negative(frame, generation);
            self.thread.tabling.tables.give_name(frame)?;
            let state = name_of(frame.state());
            let row = [
                self.delay_term(literal)?,
                self.goal_of_literal(literal)?,
                Cell::atom(Atom::new(state)),
            ];
            let row = self
                .heap
                .structure(Functor::new(Atom::new("table"), 3), &row)?;
            list = self.heap.list_cell(row, list)?;
        }
        Ok(list)
    }

    /// The table of a variant of a call.
    pub(crate) fn table_of_variant(
        &mut self,
        p: &'static Predicate,
        args: &[Cell],
    ) -> Result<Option<Literal>, Throw> {
        self.see_redefinitions();
        let declared = p.modes();
        let is_key =
            |i: usize| declared.is_none_or(|d| d.modes.get(i).is_none_or(|m| *m == Mode::Index));
        let limit = self.most_tokens();
        let (mut variables, mut work) = (Variables::default(), Vec::new());
        let mut tokens = Vec::new();
        for (_, &a) in args.iter().enumerate().filter(|&(i, _)| is_key(i)) {
            let mut step = |t| growth::push(&mut tokens, t);
            // SAFETY: arguments are terms of this heap.
            let done = unsafe { encode(a, &mut variables, &mut work, limit, &mut step) };
            match done {
                Ok(()) => (),
                Err(Unfit::TooLong) => return Err(Throw::Memory),
                // There is no table of such a call.
                Err(_) => return Ok(None),
            }
        }
        let tables = &mut self.thread.tabling.tables;
        let generation = tables.current();
        if !tables.has(generation) {
            return Ok(None);
        }
        let number = tabled::number(p, declared);
        let found = tables.of(generation).subgoal_find(number, &tokens);
        let found = found.filter(|&f| !tables.is_hidden(f));
        if let Some(frame) = found {
            tables.give_name(frame)?;
        }
        Ok(found.map(|f| Literal::negative(f, generation)))
    }

    /// The table that a term names, which a program has got from [`Worker::tables_of`] or [`Worker::table_of_variant`], unless it was
    /// abolished; its literal.
    pub(crate) fn named_table(&self, term: Cell) -> Option<Literal> {
        let l = self.literal(term).filter(|l| l.answer == 0)?;
        let tables = &self.thread.tabling.tables;
        (l.generation == tables.current() && tables.is_named(l.generation, l.frame)).then_some(l)
    }

    /// How far such a table is, and how many answers it has.
    pub(crate) fn state_of_table(&self, table: Literal) -> (&'static str, usize) {
        // SAFETY: the frame of a literal of a generation that there is.
        let frame = unsafe { FramePtr::from_bits(table.frame) };
        (name_of(frame.state()), frame.answer_count())
    }

    /// The first of its answers, or the one behind `answer`, which is one of its. Those of a table that is not complete may be put elsewhere meanwhile:
    /// they are told by [`Worker::answer_at`].
    pub(crate) fn next_answer(&self, table: Literal, answer: Option<u64>) -> Option<Literal> {
        // SAFETY: as above; an answer of that frame.
        let (frame, this) = unsafe {
            let frame = FramePtr::from_bits(table.frame);
            (frame, answer.map(|a| AnswerPtr::from_bits(a)))
        };
        debug_assert!(frame.state() == State::Complete);
        let next = match this {
            Some(this) => frame.next_answer(this),
            None => frame.first_answer(),
        };
        Some(Literal::positive(frame, next?, table.generation))
    }

    /// Its `n`th answer, from 0.
    pub(crate) fn answer_at(&self, table: Literal, n: usize) -> Option<Literal> {
        // SAFETY: as above.
        let frame = unsafe { FramePtr::from_bits(table.frame) };
        let space = self.thread.tabling.tables.known(table.generation)?;
        let answer = space.answers(frame).nth(n)?;
        Some(Literal::positive(frame, answer, table.generation))
    }

    /// Whether the tables are there that a literal is about.
    pub(crate) fn has_tables_of(&self, l: Literal) -> bool {
        self.thread.tabling.tables.has(l.generation)
    }

    /// Whether it has the answer that `ret(Variable...)` gives (see [`Worker::goal_and_return`]).
    pub(crate) fn has_answer(&self, table: Literal, key: Cell) -> Result<bool, Throw> {
        // SAFETY: as above.
        let frame = unsafe { FramePtr::from_bits(table.frame) };
        let tables = &self.thread.tabling.tables;
        let (Ok(tokens), Some(space)) =
            (self.tokens_of(key, false), tables.known(table.generation))
        else {
            return Ok(false);
        };
        let mut called = Vec::new();
        space.subgoal_tokens(frame, &mut called)?;
        let wanted = match count_of_variables(&called) {
            0 => Cell::atom(atoms::ANSWER).0,
            n => Functor::new(atoms::ANSWER, n).bits(),
        };
        // The tokens of the answer are those of the arguments.
        Ok(tokens.first() == Some(&wanted) && space.answer_find(frame, &tokens[1..]).is_some())
    }

    /// The answers of a table, each as its literal, the oldest first.
    pub(crate) fn answers_of_table(&mut self, table: Literal) -> Result<Cell, Throw> {
        // SAFETY: the frame of a literal of a generation that there is.
        let frame = unsafe { FramePtr::from_bits(table.frame) };
        let mut answers = Vec::new();
        if frame.state() == State::Incomplete {
            // The number of a row is not good for ever, as long as there may be a trie of them.
            self.thread.tabling.rows_to_trie(frame.tag() as usize)?;
        }
        let space = self.thread.tabling.tables.of(table.generation);
        for answer in space.answers(frame) {
            growth::push(&mut answers, answer)?;
        }
        let mut list = Cell::NIL;
        for answer in answers.into_iter().rev() {
            let term = self.delay_term(Literal::positive(frame, answer, table.generation))?;
            list = self.heap.list_cell(term, list)?;
        }
        Ok(list)
    }

    /// No call finds these tables any more, nor, unless `singly`, those with conditions on them; see the module text. Incomplete ones stay.
    pub(crate) fn abolish_tables(&mut self, tables: &[Literal], singly: bool) -> Result<(), Throw> {
        let generation = self.thread.tabling.tables.current();
        let mut all = FxHashSet::default();
        for l in tables.iter().filter(|l| l.generation == generation) {
            growth::add(&mut all, l.frame)?;
        }
        while !singly && self.add_dependent(generation, &mut all)? {}
        // SAFETY: the frames of literals of a generation that there is, once each.
        let frames = all.iter().map(|&f| unsafe { FramePtr::from_bits(f) });
        let frames = frames.filter(|f| f.state() == State::Complete);
        let frames = growth::list(frames)?;
        if frames.is_empty() {
            return Ok(());
        }
        if frames.iter().any(|&f| tabled::is_shared(f)) {
            // Others have read from them, and what they have made of that is not known.
            self.abolish_shared_tables();
            return Ok(());
        }
        let removes = self.may_remove_tables(generation)?;
        if removes {
            // (No answer has conditions, but tables may have had some.)
            self.thread.tabling.conditions.keep(|_| false);
            self.thread.tabling.tables.of(generation).free_retired();
        }
        for frame in frames {
            self.thread
                .tabling
                .tables
                .dependencies(generation)
                .remove(frame);
            match removes {
                true => self
                    .thread
                    .tabling
                    .tables
                    .of(generation)
                    .remove_subgoal(frame),
                false => self.thread.tabling.tables.hide(frame)?,
            }
        }
        if removes {
            self.thread.tabling.tables.renumber();
        }
        Ok(())
    }

    /// Adds the tables with answers that have conditions on these; whether there were others.
    fn add_dependent(&self, generation: u32, tables: &mut FxHashSet<u64>) -> Result<bool, Refused> {
        let conditions = &self.thread.tabling.conditions;
        let before = tables.len();
        for (of, frame, answer) in conditions.all() {
            let mut lists = conditions.of(answer).iter().flatten();
            if of == generation
                && !tables.contains(&frame)
                && lists.any(|l| l.generation == generation && tables.contains(&l.frame))
            {
                growth::add(tables, frame)?;
            }
        }
        Ok(tables.len() > before)
    }

    pub(super) fn may_remove_tables(&self, generation: u32) -> Result<bool, Refused> {
        let t = &self.thread.tabling;
        Ok(t.stack.is_empty()
            && t.conditions.is_empty()
            && self.delays() == Cell::NIL
            && t.tables.hides_nothing()
            && !self.used_generations()?.contains(&generation))
    }
}
