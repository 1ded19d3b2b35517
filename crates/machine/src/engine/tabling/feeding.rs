//! Calls without variables that a more general call answers which is under evaluation: `p(a, b)` while `p(_, _)` or `p(a, _)` is incomplete.
//!
//! Where the predicate is [Horn](samite_code::horn), its answer is there or not as that of the more general call is. So its clauses are not run:
//! it is true at once if the answer is there, and else its continuation [waits](crate::state::tabling::waiting) for that one answer; when that comes the call has a table that says so, and before it has none. (A join of which one goal is bound by the others calls
//! a tabled goal for each pair of values. Most have no answer, and each evaluation would call as many again.)
//!
//! Whoever adds an answer to a table whose answers are waited for wakes them ([`Worker::wake_for_row`], [`Worker::wake_for`]), once. An answer with variables is that of all calls that are instances of it; from the first one
//! on that is no row of atoms and small integers calls that are new are evaluated for themselves.
//!
//! Equation: who waits for an answer is in the SCC of the subgoal that is to have it, and it has not got it.
//!
//! Only ordinary private tables take part, and arguments that are atoms or small integers. Called by [`super::calls`].

use super::codec::{is_variable, variable_token};
use super::tabled;
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::tabling::negation::Wait;
use crate::state::tabling::waiting::{Key, each_token};
use samite_code::Predicate;
use samite_code::horn;
use samite_table::{FramePtr, State, is_row_token};
use samite_term::growth;
use samite_term::view::deref;
use samite_term::{Cell, Functor, Tag, atoms, common};
use std::sync::atomic::Ordering;

/// Calls with more arguments are evaluated for themselves.
const MOST: usize = 4;

/// What becomes of a call that is not evaluated for itself.
pub(super) enum Fed {
    /// It is true.
    True,
    /// It waits for its answer.
    Waits,
}

/// The tokens of a call's arguments, of which those that are variables in a more general call come first.
struct Asked {
    row: [u64; MOST],
    width: usize,
}

/// The keys of those who may wait for an answer: its arguments; none if nobody can.
#[derive(Default)]
pub(super) struct Awaited {
    pattern: Vec<u64>,
    /// Some are variables.
    open: bool,
}

impl Worker {
    /// A call that the incomplete table of a more general one answers; `None`: an ordinary one.
    pub(super) fn call_fed(
        &mut self,
        p: &'static Predicate,
        args: &[Cell],
    ) -> Result<Option<Fed>, Throw> {
        let n = args.len();
        let t = &self.thread.tabling;
        if n == 0
            || n > MOST
            || t.stack.is_empty()
            || t.share.is_some()
            || self.thread.events.masks.apart > 0
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
        self.see_redefinitions();
        let t = &self.thread.tabling;
        let current = t.tables.current();
        if t.stack[0].generation != current {
            return Ok(None);
        }
        let Some((general, asked)) = self.general_table(p, &row[..n])? else {
            return Ok(None);
        };
        let index = general.tag() as usize;
        let s = &self.thread.tabling.stack[index];
        let feeds = s.kind == 0
            && general.may_have_rows()
            && !s.open
            && s.generation == current
            && index >= self.thread.transactions.first_subgoal();
        if !feeds || !self.is_horn(p)? {
            return Ok(None);
        }
        let wanted = &asked.row[..asked.width];
        let space = self.thread.tabling.tables.space()?;
        if space.has_answer(general, wanted) {
            return Ok(Some(Fed::True));
        }
        self.tables_within_limit()?;
        self.tables_within_space()?;
        self.await_answer(index, wanted)?;
        Ok(Some(Fed::Waits))
    }

    /// The incomplete table of the call whose arguments are all variables, or all but one, unless this one has a table itself.
    fn general_table(
        &mut self,
        p: &'static Predicate,
        row: &[u64],
    ) -> Result<Option<(FramePtr, Asked)>, Throw> {
        let tables = &mut self.thread.tabling.tables;
        let space = tables.space()?;
        let root = space.subgoal_root(tabled::number(p, None))?;
        let bound = std::iter::once(None).chain((0..row.len()).map(Some));
        let mut found = bound.filter_map(|bound| {
            let (mut node, mut asked) = (
                root,
                Asked {
                    row: [0; MOST],
                    width: 0,
                },
            );
            for (i, &token) in row.iter().enumerate() {
                let token = if bound == Some(i) {
                    token
                } else {
                    asked.row[asked.width] = token;
                    asked.width += 1;
                    variable_token(asked.width - 1)
                };
                node = space.subgoal_child(node, token)?;
            }
            let frame = space
                .subgoal_at(node)
                .filter(|f| f.state() == State::Incomplete)?;
            (asked.width > 0).then_some((frame, asked))
        });
        let Some((frame, asked)) = found.next() else {
            return Ok(None);
        };
        let mut own = root;
        let has_own = row.iter().all(|&t| match space.subgoal_child(own, t) {
            Some(node) => {
                own = node;
                true
            }
            None => false,
        });
        if has_own && space.subgoal_at(own).is_some() || tables.is_hidden(frame) {
            return Ok(None);
        }
        Ok(Some((frame, asked)))
    }

    /// The running continuation waits for an answer of the subgoal at `index`. Who is refused has changed nothing.
    fn await_answer(&mut self, index: usize, row: &[u64]) -> Result<(), Throw> {
        self.room_to_evaluate()?;
        let (most, held) = (self.heap.limit_and_grace(), self.bytes_with_tables());
        let ask = |bytes| held.saturating_add(bytes) <= most && common::system_has(bytes);
        if !self.thread.tabling.room_to_wait(ask) {
            return Err(Throw::Memory);
        }
        let key = Key::of(row);
        let template = match key.0 {
            Key::Many => {
                let mut tokens = [Cell::NIL; MOST];
                for (cell, &token) in tokens.iter_mut().zip(row) {
                    *cell = Cell(token);
                }
                let f = Functor::new(atoms::ANSWER, row.len());
                self.heap.structure(f, &tokens[..row.len()])?
            }
            _ => Cell::atom(atoms::ANSWER),
        };
        self.thread.tabling.depend_on(index);
        self.suspend_until(index, template, Wait::Answer, key)?;
        self.thread.tabling.wait_for_answer();
        Ok(())
    }

    /// A call that has waited is true: it has a table, as the variant of a call that it is, if there is room for one.
    pub(super) fn table_of_true(&mut self, consumer: usize) {
        let t = &mut self.thread.tabling;
        let c = &t.consumers[consumer];
        let general = t.stack[c.subgoal as usize].frame;
        let mut key = Vec::new();
        // SAFETY: consumers' templates are roots.
        unsafe { each_token(c, |t| key.push(t)) };
        let mut tokens = Vec::new();
        let space = t.tables_of(general);
        if space.subgoal_tokens(general, &mut tokens).is_err() {
            return;
        }
        let variables = tokens.iter_mut().filter(|t| is_variable(Cell(**t)));
        variables.zip(key).for_each(|(token, is)| *token = is);
        let made = space.subgoal_root(general.pred()).and_then(|mut node| {
            for &token in &tokens {
                match space.subgoal_step(node, token) {
                    Ok(next) => node = next,
                    Err(refused) => {
                        space.subgoal_forget(node);
                        return Err(refused);
                    }
                }
            }
            (space.subgoal_leaf(node)).inspect_err(|_| space.subgoal_forget(node))
        });
        if let Ok((special, true)) = made {
            let root = space.answer_root(special);
            space.answer_leaf(special, root);
            special.set_state(State::Complete);
            t.tables.made += 1;
        }
    }

    /// The subgoal at `index` has a new row: of immediate terms, or one that is `awaited`.
    #[inline(always)]
    pub(super) fn wake_for_row(&mut self, index: usize, row: &[u64], awaited: Option<&Awaited>) {
        if self.thread.tabling.stack[index].waiting > 0 {
            match awaited {
                None => self.thread.tabling.wake(index, row),
                Some(awaited) => self.wake_for(index, awaited),
            }
        }
    }

    /// What a subgoal has as an answer, before it has it, so that to wake who waits for it needs no memory. It is no row of immediate terms.
    pub(super) fn awaited(&self, frame: FramePtr, template: Cell) -> Result<Awaited, Throw> {
        let index = frame.tag() as usize;
        let mut awaited = Awaited::default();
        if self.thread.tabling.stack[index].waiting == 0 || template.tag() != Tag::Str {
            return Ok(awaited);
        }
        // SAFETY: a template is a structure of this heap.
        let n = Functor::from_cell(unsafe { *template.ptr() }).arity();
        for i in 1..=n {
            // SAFETY: as above.
            let a = unsafe { deref(*template.ptr().add(i)) };
            if !a.is_immediate() && !a.is_ref() {
                return Ok(Awaited::default());
            }
            awaited.open |= a.is_ref();
            // (Which variable it is says its address.)
            growth::push(&mut awaited.pattern, a.0)?;
        }
        Ok(awaited)
    }

    /// The subgoal at `index` has this answer, which is new: of an old one everybody has heard.
    pub(super) fn wake_for(&mut self, index: usize, awaited: &Awaited) {
        match (awaited.pattern.is_empty(), awaited.open) {
            (true, _) => {}
            (false, true) => (self.thread.tabling).wake_instances(index, &awaited.pattern),
            (false, false) => self.thread.tabling.wake(index, &awaited.pattern),
        }
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
}
