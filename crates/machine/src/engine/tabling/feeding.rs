//! Calls without variables that a more general call answers which is under evaluation: `p(a, b)` while `p(_, _)` or `p(a, _)` is incomplete.
//!
//! Where the predicate is [Horn](samite_code::horn), its answer is there or not as that of the more general call is. So such a call has a table, for those who wait for
//! it, but its clauses are not run: it is *fed*. One consumer of the general call, its *feeder*, is the frame `Feed`, which gives each answer to the table of the
//! special call, if there is one. (A join of which one goal is bound by the others calls a table for each pair of values. Most have no answer, and each evaluation would
//! call as many again.)
//!
//! An answer with variables is that of all fed calls that are instances of it; from the first one on that is no row of atoms and small integers calls that are new are evaluated for themselves.
//!
//! Equation: a fed subgoal is in the SCC of the subgoal that feeds it; it has its answer if the feeder has read that of the general call, or that was there
//! when it began.
//!
//! Only ordinary private tables take part, and arguments that are atoms or small integers. Called by [`super::calls`].

use super::codec::{is_variable, variable_token};
use super::tabled;
use crate::engine::going::Go;
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::frame::resume_of;
use crate::state::internal::{Internal, cells, code};
use crate::state::tabling::schedule::{Consumer, NONE};
use crate::state::tabling::{frame_of, raw};
use samite_code::Predicate;
use samite_code::horn;
use samite_table::{FramePtr, State, is_row_token};
use samite_term::growth;
use samite_term::view::deref;
use samite_term::{Cell, common};
use std::sync::atomic::Ordering;

/// Calls with more arguments are evaluated for themselves.
const MOST: usize = 4;

impl Worker {
    /// The incomplete table of a more general call that answers this one.
    pub(super) fn feeding(
        &mut self,
        p: &'static Predicate,
        generation: u32,
        args: &[Cell],
    ) -> Result<Option<FramePtr>, Throw> {
        let n = args.len();
        let t = &self.thread.tabling;
        if n == 0
            || n > MOST
            || t.stack.is_empty()
            || t.share.is_some()
            || self.thread.events.masks.apart > 0
            || generation != t.tables.current()
        {
            return Ok(None);
        }
        let mut row = [0; MOST];
        for (token, &a) in row.iter_mut().zip(args) {
            let a = self.deref(a);
            if !a.is_immediate() || !is_row_token(a.0) {
                return Ok(None);
            }
            *token = a.0;
        }
        let found = self.general_table(p, &row[..n])?;
        let feeds = |&f: &FramePtr| {
            let index = f.tag() as usize;
            let s = &self.thread.tabling.stack[index];
            s.kind == 0
                && f.may_have_rows()
                && !s.open
                && s.fed_by == NONE
                && s.generation == generation
                && index >= self.thread.transactions.first_subgoal()
        };
        match found.filter(feeds) {
            Some(found) if self.is_horn(p)? => Ok(Some(found)),
            _ => Ok(None),
        }
    }

    /// The incomplete table of the call whose arguments are all variables, or all but one.
    fn general_table(
        &mut self,
        p: &'static Predicate,
        row: &[u64],
    ) -> Result<Option<FramePtr>, Throw> {
        let tables = &mut self.thread.tabling.tables;
        let space = tables.space()?;
        let root = space.subgoal_root(tabled::number(p, None))?;
        let bound = std::iter::once(None).chain((0..row.len()).map(Some));
        let mut found = bound.filter_map(|bound| {
            let (mut node, mut variables) = (root, 0);
            for (i, &token) in row.iter().enumerate() {
                let token = if bound == Some(i) {
                    token
                } else {
                    variables += 1;
                    variable_token(variables - 1)
                };
                node = space.subgoal_child(node, token)?;
            }
            space
                .subgoal_at(node)
                .filter(|f| f.state() == State::Incomplete)
        });
        let found = found.next();
        Ok(found.filter(|&f| !tables.is_hidden(f)))
    }

    /// Whether a predicate is Horn, as long as nothing has been loaded since it was looked at.
    fn is_horn(&mut self, p: &'static Predicate) -> Result<bool, Throw> {
        let now = (
            self.program.redefinitions.load(Ordering::Acquire),
            self.program.code.loads.load(Ordering::Acquire),
        );
        let known = &mut self.thread.tabling.horn;
        if known.at != now {
            known.at = now;
            known.predicates.clear();
        }
        let key = std::ptr::from_ref(p).addr();
        if let Some(&is) = known.predicates.get(&key) {
            return Ok(is);
        }
        // (What it calls is known then, too.)
        let (is, all) = match horn::horn(p)? {
            Some(all) => (true, all),
            None => (false, std::iter::once(key).collect()),
        };
        for key in all {
            if !growth::map_room(&mut self.thread.tabling.horn.predicates, common::system_has) {
                return Err(Throw::Memory);
            }
            self.thread.tabling.horn.predicates.insert(key, is);
        }
        Ok(is)
    }

    /// Whether the table of a more general call has the answer that is this call.
    pub(super) fn has_fed(&mut self, general: FramePtr, args: &[Cell]) -> Result<bool, Throw> {
        let mut row = [0; MOST];
        let width = self.row_of_call(general, args, &mut row)?;
        let space = self.thread.tabling.tables.space()?;
        Ok(space.has_answer(general, &row[..width]))
    }

    /// What the variables of a more general call are in this one; how many there are.
    fn row_of_call(
        &mut self,
        general: FramePtr,
        args: &[Cell],
        row: &mut [u64; MOST],
    ) -> Result<usize, Throw> {
        let (variables, n) = self.variables_of(general)?;
        for (token, &i) in row.iter_mut().zip(&variables[..n]) {
            *token = self.deref(args[i]).0;
        }
        Ok(n)
    }

    /// The numbers of the arguments of a call that are variables, and how many these are.
    fn variables_of(&mut self, general: FramePtr) -> Result<([usize; MOST], usize), Throw> {
        let mut tokens = std::mem::take(&mut self.thread.tabling.tokens);
        let done = (self.thread.tabling.tables.space())
            .and_then(|space| space.subgoal_tokens(general, &mut tokens));
        let (mut variables, mut n) = ([0; MOST], 0);
        // (Its other arguments are of one token each.)
        for (i, _) in tokens
            .iter()
            .enumerate()
            .filter(|(_, t)| is_variable(Cell(**t)))
        {
            variables[n] = i;
            n += 1;
        }
        self.thread.tabling.tokens = tokens;
        done?;
        Ok((variables, n))
    }

    /// Makes places for a subgoal and for a consumer of its evaluation, which nothing may refuse then.
    fn room_to_feed(&mut self) -> Result<(), Throw> {
        let (most, held) = (self.heap.limit_and_grace(), self.bytes_with_tables());
        let ask = |bytes| held.saturating_add(bytes) <= most && common::system_has(bytes);
        let t = &mut self.thread.tabling;
        match t.has_places_for(2) || t.make_places_for(2, ask) {
            true => Ok(()),
            false => Err(Throw::Memory),
        }
    }

    /// The frame and the template of the feeder of a subgoal, if it has none.
    pub(super) fn feed_frame(&mut self, general: FramePtr) -> Result<Option<*mut Cell>, Throw> {
        self.room_to_feed()?;
        let t = &self.thread.tabling;
        let s = &t.stack[general.tag() as usize];
        let feeds = |c: &Consumer| {
            u64::from(c.subgoal) == general.tag()
                // SAFETY: a continuation of a live heap.
                && unsafe { resume_of(*c.k.frame()) == code(Internal::Feed) }
        };
        // (What it was may have been given up with the evaluation that it was made in.)
        if s.feeder != NONE && t.consumers.get(s.feeder as usize).is_some_and(feeds) {
            return Ok(None);
        }
        let (_, width) = self.variables_of(general)?;
        let mut variables = [Cell::NIL; MOST];
        for v in &mut variables[..width] {
            *v = self.heap.variable()?;
        }
        let template = self.template(&variables[..width])?;
        let k = self.k;
        self.push(cells::Feed {
            subgoal: raw(general.to_bits()),
            template,
        })?;
        Ok(Some(std::mem::replace(&mut self.k, k)))
    }

    /// The newest subgoal is fed by another one; `feed` is the frame of its feeder, if that is to be made.
    pub(super) fn feed_from(
        &mut self,
        general: FramePtr,
        feed: Option<*mut Cell>,
    ) -> Result<(), Throw> {
        let index = general.tag() as usize;
        let t = &mut self.thread.tabling;
        t.depend_on(index);
        if let Some(s) = t.stack.last_mut() {
            s.fed_by = index as u32;
        }
        let Some(feed) = feed else { return Ok(()) };
        t.stack[index].feeder = t.consumers.len() as u32;
        // SAFETY: the frame that was pushed, with a template.
        let template = unsafe { *feed.add(3) };
        // (It is part of the evaluation that has just begun, in which nothing has been bound.)
        let k = std::mem::replace(&mut self.k, feed);
        let suspended = self.suspend(index, template);
        self.k = k;
        suspended
    }

    /// Frame `Feed`: an answer of a general call, as its template. Those of the special calls that it feeds have it, too.
    pub(in crate::engine) fn tabling_feed(
        &mut self,
        general: Cell,
        template: Cell,
    ) -> Result<Go, Throw> {
        // SAFETY: the cell was made from a frame that stays while its subgoal is incomplete.
        let general = unsafe { frame_of(general) };
        let index = general.tag() as u32;
        let mut tokens = Vec::new();
        (self.thread.tabling.tables_of(general)).subgoal_tokens(general, &mut tokens)?;
        let (mut next, mut open) = (1, false);
        for token in &mut tokens {
            if is_variable(Cell(*token)) {
                // SAFETY: a template is a structure of this heap, with an argument for each variable.
                let a = unsafe { deref(*template.ptr().add(next)) };
                next += 1;
                if a.is_immediate() {
                    *token = a.0;
                } else if a.is_ref() {
                    open = true;
                    // (Which variable it is says its address.)
                    *token = a.0;
                } else {
                    return Ok(Go::Fail);
                }
            }
        }
        let new = if open {
            self.feed_all(index, &tokens)?
        } else {
            self.feed_one(general, &tokens)?
        };
        // (A safe point, where nothing is live.)
        match new {
            true => self.answer_recorded(),
            false => Ok(Go::Fail),
        }
    }

    /// Adds an answer to the table of the special call with these tokens, if there is one; whether it is new.
    fn feed_one(&mut self, general: FramePtr, tokens: &[u64]) -> Result<bool, Throw> {
        let space = self.thread.tabling.tables_of(general);
        let Some(special) = space.subgoal_find(general.pred(), tokens) else {
            return Ok(false);
        };
        let is_fed = special.state() == State::Incomplete
            && u64::from(self.thread.tabling.stack[special.tag() as usize].fed_by) == general.tag();
        Ok(is_fed && self.add_known(special)?)
    }

    /// The same of an answer with variables, which all calls have that are instances of it; whether one of them had it not.
    #[cold]
    fn feed_all(&mut self, general: u32, answer: &[u64]) -> Result<bool, Throw> {
        let (mut tokens, mut new) = (Vec::new(), false);
        for i in general as usize + 1..self.thread.tabling.stack.len() {
            let s = &self.thread.tabling.stack[i];
            let special = s.frame;
            if s.fed_by != general {
                continue;
            }
            (self.thread.tabling.tables_of(special)).subgoal_tokens(special, &mut tokens)?;
            let first = |a: u64| answer.iter().position(|&b| b == a);
            let is_instance = answer
                .iter()
                .zip(&tokens)
                .all(|(&a, &t)| match Cell(a).is_ref() {
                    true => first(a).is_some_and(|i| tokens[i] == t),
                    false => a == t,
                });
            if is_instance {
                new |= self.add_known(special)?;
            }
        }
        Ok(new)
    }

    /// A special call is true; whether that is new.
    fn add_known(&mut self, special: FramePtr) -> Result<bool, Throw> {
        if special.answer_count() > 0 {
            return Ok(false);
        }
        let space = self.thread.tabling.tables_of(special);
        let leaf = space.answer_root(special);
        let new = space.answer_leaf(special, leaf);
        self.thread.tabling.news(special.tag() as usize);
        Ok(new)
    }
}
