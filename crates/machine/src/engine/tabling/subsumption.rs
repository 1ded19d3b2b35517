//! Calls of predicates that are tabled `as subsumptive`: a call that is an instance of another one whose table is complete reads its answers from
//! there, those that unify ([`super::selection`]). Who looks at the tables that calls unify with finds those of a ground call so, too ([`crate::engine::tabling::inspection`]).
//!
//! Differs from call subsumption as XSB has it in: a call does not wait for a more general one whose table is incomplete, but is evaluated for itself; and
//! negative calls are.
//!
//! The more general calls are found by walking down the subgoal trie: where it has a variable, a whole term of the call is matched with that. So what is
//! looked at is no more than the trie, however many tables there are, and mostly little of it.

use super::codec::{LIST, variable_token};
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::tabling::Tabling;
use samite_table::{FramePtr, NodePtr, State};
use samite_term::growth::{self, Refused};
use samite_term::view::deref;
use samite_term::{Cell, Functor, Tag};

use super::tabled;

/// A place in the trie, with the terms of the call that are to follow, the next one last, and those that the variables so far stand for.
struct Way {
    node: NodePtr,
    rest: Vec<Cell>,
    matched: Vec<Cell>,
}

impl Way {
    fn with(&self, node: NodePtr) -> Result<Way, Refused> {
        Ok(Way {
            node,
            rest: growth::list(self.rest.iter().copied())?,
            matched: growth::list(self.matched.iter().copied())?,
        })
    }
}

impl Worker {
    /// The complete table of a more general call than that of the table `fresh`, and the template that reads this call's answers from it.
    pub(super) fn more_general(
        &mut self,
        fresh: FramePtr,
        args: &[Cell],
    ) -> Result<Option<(FramePtr, Cell)>, Throw> {
        self.generalizations(fresh.pred(), args, |m, frame, matched| {
            let is_hidden = m.thread.tabling.tables.is_hidden(frame);
            if frame == fresh || frame.state() != State::Complete || is_hidden {
                return Ok(None);
            }
            Ok(Some((frame, m.template(matched)?)))
        })
    }

    /// Looks at the tables of calls that this one is an instance of, itself one of them, until something is found: with the terms that their variables stand for.
    pub(super) fn generalizations<T>(
        &mut self,
        number: usize,
        args: &[Cell],
        mut look: impl FnMut(&mut Worker, FramePtr, &[Cell]) -> Result<Option<T>, Throw>,
    ) -> Result<Option<T>, Throw> {
        let common = tabled::is_subgoal_shared(number);
        let space = self.thread.tabling.tables.space()?;
        let root = match common {
            true => space.common_root(number).ok_or(Refused)?,
            false => space.subgoal_root(number)?,
        };
        let mut ways = vec![Way {
            node: root,
            rest: growth::list(args.iter().rev().copied())?,
            matched: Vec::new(),
        }];
        while let Some(mut way) = ways.pop() {
            let Some(t) = way.rest.pop() else {
                let space = self.thread.tabling.tables.space()?;
                if let Some(frame) = space.subgoal_at(way.node)
                    && let Some(found) = look(self, frame, &way.matched)?
                {
                    return Ok(Some(found));
                }
                continue;
            };
            // SAFETY: terms of this heap.
            let t = unsafe { deref(t) };
            for n in 0..=way.matched.len() {
                let token = variable_token(n);
                let space = self.thread.tabling.tables.space()?;
                let Some(node) = space.subgoal_child(way.node, token) else {
                    continue;
                };
                let mut other = way.with(node)?;
                match way.matched.get(n) {
                    Some(&m) if !self.identical(m, t) => continue,
                    Some(_) => (),
                    None => growth::push(&mut other.matched, t)?,
                }
                growth::push(&mut ways, other)?;
            }
            if step_into(&mut self.thread.tabling, &mut way, t)? {
                growth::push(&mut ways, way)?;
            }
        }
        Ok(None)
    }
}

/// Goes on where the trie has the term's own functor; false: nowhere.
fn step_into(tabling: &mut Tabling, way: &mut Way, t: Cell) -> Result<bool, Refused> {
    let space = tabling.tables.space()?;
    let mut step = |token| match space.subgoal_child(way.node, token) {
        Some(node) => {
            way.node = node;
            true
        }
        None => false,
    };
    // SAFETY: pointers of terms are valid.
    unsafe {
        Ok(match t.tag() {
            Tag::Int | Tag::Con => step(t.0),
            Tag::Lst => {
                let is_there = step(LIST);
                growth::push(&mut way.rest, *t.ptr().add(1))?;
                growth::push(&mut way.rest, *t.ptr())?;
                is_there
            }
            Tag::Str => {
                let f = Functor::from_cell(*t.ptr());
                let is_there = step(f.bits());
                growth::have(&mut way.rest, f.arity())?;
                way.rest
                    .extend((1..=f.arity()).rev().map(|i| *t.ptr().add(i)));
                is_there
            }
            Tag::Box => (0..=(*t.ptr()).box_words()).all(|i| step((*t.ptr().add(i)).0)),
            // Only a variable is more general than a variable.
            Tag::Ref | Tag::Att | Tag::Hdr => false,
        })
    }
}
