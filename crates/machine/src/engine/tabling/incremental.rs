//! Incremental tables: made anew when what they depend on has changed, and they are called again.
//!
//! Which depends on which is known to [`Dependencies`](crate::state::tabling::dependencies::Dependencies). Here is what happens at a call:
//! - A complete table that is clean is read as any other.
//! - One that has changed is evaluated in a new frame, while whoever reads the old one goes on. Where the new answers are the old ones, nobody who uses it has to
//!   be evaluated again for that (*early cutoff*; Acar, "Self-adjusting computation", 2005).
//! - One that may have changed, by tables that it uses: these are looked at first, those that have changed are evaluated, and so on as long as the answers that they had are the ones that they
//!   have. As the table's own evaluation would begin by calling them in this order, nothing is evaluated that it would not evaluate, and what raises an exception
//!   would do so there.
//!
//! The last is a goal that runs before the call (`'$renew'/2`), so only where no evaluation is under way, of which those tables could become a part; within one
//! a table that uses one that has changed, over any number of others, is evaluated anew at once. That goal makes its calls as they are, whatever limits there are for calls: they are
//! those that there are tables of.
//!
//! What is tabled and not incremental tells nobody what it depends on (it is *opaque*).
//!
//! A frame that was replaced is freed when nobody can have it: at a call outside of every evaluation, if no choicepoint reads from a table of its generation and no answer
//! is conditional. If there is too much that cannot be freed, a new generation begins.

use super::calls::Asked;
use super::tabled;
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::tabling::conditions::Literal;
use crate::state::tabling::dependencies::Standing;
use samite_code::Predicate;
use samite_code::changes::{ANY_KEY, ARGUMENTS};
use samite_code::predicate::key_of;
use samite_table::{FramePtr, State};
use samite_term::growth::Refused;
use samite_term::{Atom, Cell, Functor, atoms};

/// Answers of tables that were replaced before it is looked whether they can be freed; so many times those that there are before a new generation begins.
const RETIRED: usize = 1000;
const TIMES: usize = 4;

/// The table that a call finds.
pub(super) enum Current {
    /// This one, made for the call or known to be right.
    Is(FramePtr),
    /// This one, made in the place of another.
    Renewed(FramePtr),
    /// The call, with what is to be done before.
    After(Cell),
}

impl Worker {
    /// The node of the subgoal that the running continuation is part of the evaluation of, if it is of an incremental table that calls can find.
    fn user(&mut self) -> Result<Option<u32>, Refused> {
        // (What runs apart from it, a cleanup handler say, may leave it what it has found.)
        if self.thread.tabling.stack.is_empty() {
            return Ok(None);
        }
        let (_, owner) = self.evaluation_of_continuation();
        let t = &mut self.thread.tabling;
        let Some(s) = t.stack.get(owner as usize) else {
            return Ok(None);
        };
        if s.generation != t.tables.current() || !tabled::is_incremental(s.frame) {
            return Ok(None);
        }
        Ok(t.tables.dependencies(s.generation).of(s.frame))
    }

    /// A dynamic predicate that is incremental is called, its arguments in the registers.
    #[cold]
    pub(in crate::engine) fn uses_clauses(&mut self, p: &'static Predicate) -> Result<(), Throw> {
        let mut keys = [ANY_KEY; ARGUMENTS];
        for (i, key) in keys.iter_mut().enumerate().take(p.arity()) {
            // SAFETY: the arguments are terms of this heap.
            *key = unsafe { key_of(self.deref(self.register(i))) };
        }
        self.uses_clauses_with(p, keys)
    }

    /// The same of whoever looks at its clauses otherwise.
    pub(crate) fn uses_all_clauses(&mut self, p: &'static Predicate) -> Result<(), Throw> {
        self.uses_clauses_with(p, [ANY_KEY; ARGUMENTS])
    }

    fn uses_clauses_with(
        &mut self,
        p: &'static Predicate,
        keys: [u64; ARGUMENTS],
    ) -> Result<(), Throw> {
        let (Some(changes), Some(user)) = (p.changes(), self.user()?) else {
            return Ok(());
        };
        let tables = &mut self.thread.tabling.tables;
        let dependencies = tables.dependencies(tables.current());
        let used = dependencies.source(p, changes, keys)?;
        dependencies.add_edge(used, user)?;
        Ok(())
    }

    /// The running evaluation, if there is one, uses a table.
    pub(super) fn uses_table(&mut self, frame: FramePtr, generation: u32) -> Result<(), Refused> {
        if generation != self.thread.tabling.tables.current() {
            return Ok(());
        }
        let Some(user) = self.user()? else {
            return Ok(());
        };
        let dependencies = self.thread.tabling.tables.dependencies(generation);
        let used = dependencies.node(frame)?;
        dependencies.add_edge(used, user)
    }

    /// The table of a call of an incremental predicate, of the one that the trie has.
    pub(super) fn current_table(
        &mut self,
        p: &'static Predicate,
        frame: FramePtr,
        generation: u32,
        args: &[Cell],
        asked: Asked,
    ) -> Result<Current, Throw> {
        // Before the logs are read.
        let revision = self.program.code.domain.revision();
        let t = &mut self.thread.tabling;
        let dependencies = t.tables.dependencies(generation);
        dependencies.look(revision);
        let under_way = t.stack.get(frame.tag() as usize);
        if frame.state() != State::Complete
            || generation != t.tables.current()
            || under_way.is_some_and(|s| s.frame == frame)
        {
            return Ok(Current::Is(frame));
        }
        let dependencies = t.tables.dependencies(generation);
        let Some(n) = dependencies.of(frame) else {
            return Ok(Current::Is(frame));
        };
        if dependencies.nodes[n as usize].standing == Standing::Maybe {
            let at_once = std::mem::take(&mut dependencies.walked) || !t.stack.is_empty();
            if at_once {
                dependencies.settle(n)?;
            } else {
                dependencies.begin_walk(n)?;
                if let Some(first) = dependencies.next_due()? {
                    return self.after_renewal(first, p, args, asked);
                }
                dependencies.settle(n)?;
            }
        }
        let dependencies = self.thread.tabling.tables.dependencies(generation);
        dependencies.walked = false;
        if dependencies.nodes[n as usize].standing == Standing::Clean {
            return Ok(Current::Is(frame));
        }
        let new = self.renew(n, frame, generation)?;
        Ok(Current::Renewed(new))
    }

    /// A new frame in the place of one that is not right any more.
    fn renew(&mut self, n: u32, old: FramePtr, generation: u32) -> Result<FramePtr, Throw> {
        self.tables_within_limit()?;
        let t = &mut self.thread.tabling;
        let new = t.tables.of(generation).renew_subgoal(old)?;
        t.tables.counts.renewals += 1;
        let begun = t.tables.dependencies(generation).begin(n, new, Some(old));
        if let Err(refused) = begun {
            t.tables.of(generation).restore_subgoal(new, old);
            return Err(refused.into());
        }
        Ok(new)
    }

    /// `'$renew'(Goal, Call)`: the call, when the table of node `first` has been made anew, and what else is found to be due then.
    fn after_renewal(
        &mut self,
        first: u32,
        p: &'static Predicate,
        args: &[Cell],
        asked: Asked,
    ) -> Result<Current, Throw> {
        let mut call = tabled::call(&mut self.heap, p, args)?;
        call = match asked {
            Asked::Plainly => call,
            Asked::Negatively => self.heap.structure(Functor::new(atoms::TNOT, 1), &[call])?,
            Asked::AsItIs => self.as_it_is(call)?,
        };
        let goal = self.goal_of_node(first)?;
        let f = Functor::new(Atom::new("$renew"), 2);
        Ok(Current::After(self.heap.structure(f, &[goal, call])?))
    }

    fn goal_of_node(&mut self, n: u32) -> Result<Cell, Throw> {
        let tables = &mut self.thread.tabling.tables;
        let generation = tables.current();
        let node = tables.dependencies(generation).nodes.get(n as usize);
        match node.and_then(|n| n.frame) {
            Some(frame) => {
                let call = self.goal_of_literal(Literal::negative(frame, generation))?;
                Ok(self.as_it_is(call)?)
            }
            None => Ok(Cell::atom(atoms::TRUE)),
        }
    }

    /// The call of the next table that is to be made anew before the call for which it was begun; see [`Current::After`].
    pub(crate) fn next_renewal(&mut self) -> Result<Option<Cell>, Throw> {
        let tables = &mut self.thread.tabling.tables;
        let generation = tables.current();
        if !tables.has(generation) {
            return Ok(None);
        }
        let dependencies = tables.dependencies(generation);
        match dependencies.next_due()? {
            Some(n) => self.goal_of_node(n).map(Some),
            None => {
                dependencies.walked = true;
                Ok(None)
            }
        }
    }

    /// The evaluation of a table begins that is not made in the place of another.
    pub(super) fn begin_node(&mut self, frame: FramePtr, generation: u32) -> Result<(), Refused> {
        let dependencies = self.thread.tabling.tables.dependencies(generation);
        let n = dependencies.node(frame)?;
        dependencies.begin(n, frame, None)
    }

    /// Before a call that is part of no evaluation: frees what was replaced, if it is much and nobody can have it.
    pub(super) fn free_retired_tables(&mut self) -> Result<(), Refused> {
        let t = &mut self.thread.tabling;
        if !t.stack.is_empty() || t.tables.retired_answers() < t.tables.retired_at.max(RETIRED) {
            return Ok(());
        }
        let generation = t.tables.current();
        if self.may_remove_tables(generation)? {
            let t = &mut self.thread.tabling;
            // (No answer has conditions, but tables may have had some.)
            t.conditions.keep(|_| false);
            t.tables.of(generation).free_retired();
            t.tables.renumber();
            t.tables.retired_at = RETIRED;
            return Ok(());
        }
        let tables = &mut self.thread.tabling.tables;
        let retired = tables.retired_answers();
        let live = tables.statistics().answers + tables.statistics().subgoals;
        if retired > TIMES * (live + RETIRED) {
            tables.retired_at = RETIRED;
            self.abolish_all_tables();
        } else {
            tables.retired_at = 2 * retired;
        }
        Ok(())
    }
}
