//! Tabling: variant SLG evaluation with local scheduling, by suspension (YAP's and XSB's tables, paper "An Efficient and Scalable Memory
//! Allocator for Multithreaded Tabled Evaluation of Logic Programs" for the table space; architecture section 5).
//!
//! | module | concept |
//! |---|---|
//! | [`tabled`] | what a table is of |
//! | [`calls`] | a call of a tabled predicate: generator, consumer, or reader of a complete table |
//! | [`schedule`] | suspended calls, who is fed next, completion |
//! | [`answers`] | recording answers, returning those of complete tables |
//! | `feeding` | calls without variables that a more general call answers |
//! | `handing` | answers that are those of another subgoal as they are |
//! | [`moded`] | answers joined into one value |
//! | [`negation`] | `tnot/1`, and what a derivation has put off |
//! | [`nonmonotonic`] | what needs all answers of its goal at once: negation, `findall/3` |
//! | [`restraints`] | limits of calls and answers |
//! | [`cooperation`] | threads that share the work of an evaluation |
//! | `description` | what two evaluations have to have in common for that |
//! | [`sharing`] | complete tables that threads share |
//! | [`subgoal_sharing`] | calls that threads share, with tables of their own |
//! | [`codec`] | terms as tokens of tries |
//! | [`generations`] | abolishing tables that are in use |
//! | [`graph`] | looking at what those depend on |
//! | [`incremental`] | tables that are made anew when what they depend on has changed |
//!
//! A call of a tabled predicate is looked up in the subgoal trie.
//! - New: it becomes a *generator*. Its clauses run on a copy of the arguments with variables of their own, so that the evaluation depends on
//!   nothing of its caller, under a choicepoint `Complete`; each solution goes to the answer trie, and fails (frame `Answer`).
//! - Incomplete: it becomes a *consumer*: the continuation, the answer template and what was trailed since the
//!   innermost generator (or resumption) are kept, `H` is captured, and the call fails.
//! - Complete: answers are read from the trie, one after the other.
//!
//! When the clauses of a generator are exhausted it is either the leader of its SCC, and then feeds answers to the consumers of the SCC
//! until there is nothing new, completes all its subgoals and returns its answers; or its own caller becomes a consumer of it.
//! SCCs are approximated as in XSB: a dependency on an incomplete subgoal merges everything above that one on the stack of incomplete subgoals.
//!
//! A continuation is resumed under a choicepoint `Resume`, placed above every choicepoint address that the continuation may hold
//! (cut barriers): whatever it holds is then below that *barrier*, and cuts stop there.
//!
//! What interrupts an evaluation (the goal of a signal, a cleanup handler) runs *apart*: it depends on none of the subgoals that were
//! incomplete when it began, and evaluates those that it calls anew, in a [generation](generations) of their own.
//!
//! Differs from SWI-Prolog: none of delimited continuations is visible.
//!
//! Invariants ([`Tabling::verify`]):
//! - `stack` holds the incomplete subgoals in order of creation; a frame's tag is its index there.
//! - `sccs` holds the SCCs by leader, ascending. An SCC has the subgoals from its leader to the next one. Only those of the newest
//!   SCC run, so only they get answers and consumers: `above` and the queue of an SCC say nothing of those above it.
//! - Consumers are kept in order of creation, and so is what each has saved: those of an SCC, or newer than a subgoal, are the last ones.
//! - A subgoal is in the queue of its SCC if one of its consumers may have unread answers.

mod answers;
mod calls;
mod codec;
mod cooperation;
mod description;
mod feeding;
mod generations;
pub(crate) mod graph;
mod handing;
mod incremental;
mod inspection;
mod moded;
mod negation;
mod nonmonotonic;
mod restraints;
mod schedule;
mod selection;
mod shapes;
mod sharing;
mod subgoal_sharing;
mod subsumption;
mod tabled;

use crate::engine::going::Go;
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::choice::Choice;
use crate::state::internal::{Internal, cells, code};

impl Worker {
    /// An exception leaves a resumed continuation.
    pub(in crate::engine) fn tabling_leave(&mut self, resume: Choice) {
        debug_assert!(resume == self.thread.tabling.barrier);
        self.thread.tabling.passes.pop();
        self.thread.tabling.barrier = self.choices.at(resume.cells::<cells::Resume>().barrier);
    }

    /// Forgets every evaluation under way.
    pub(in crate::engine) fn tabling_reset(&mut self) {
        self.thread.tabling.abandon_from(0);
        self.thread.tabling.passes.clear();
        self.thread.tabling.barrier = Choice::default();
        self.thread.tabling.tables.keep(&[]);
        let tabling = &mut self.thread.tabling;
        let tables = &tabling.tables;
        tabling.conditions.keep(|g| tables.has(g));
    }

    /// A [`Worker::failing_point`], if something is due.
    fn point_if_wanted(&mut self) -> Result<Option<Go>, Throw> {
        if self.attention_wanted() {
            self.failing_point()
        } else {
            Ok(None)
        }
    }

    /// The newest choicepoint that began a generator or a resumption: what is above it belongs to the running continuation.
    fn innermost_evaluation(&self) -> Choice {
        let mut b = self.b;
        while b.alternative() != code(Internal::Complete)
            && b.alternative() != code(Internal::Resume)
        {
            b = b.previous();
        }
        b
    }
}
