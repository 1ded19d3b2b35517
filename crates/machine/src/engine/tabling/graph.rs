//! Looking at what incremental tables depend on, and saying that it has changed: what library(increval) is made of.
//!
//! Nodes go by their number, which means nothing after the next call of an incremental table.

use super::tabled;
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::tabling::conditions::Literal;
use crate::state::tabling::dependencies::{Dependencies, Standing};
use samite_term::growth::{self, Refused};
use samite_term::{Atom, Cell, Functor, atoms};

/// Which nodes are wanted.
pub(crate) enum Nodes {
    /// Of tables of this predicate, and of calls of it.
    Of(Atom, Functor),
    /// Tables that are not clean.
    Invalid,
    /// What the last evaluation of a table used.
    UsedBy(u32),
    /// Tables that use it.
    Users(u32),
}

impl Worker {
    /// The graph of the tables that calls find, as it is after all changes; `None` if there is none.
    fn graph(&mut self) -> Option<&mut Dependencies> {
        self.see_redefinitions();
        let revision = self.program.code.domain.revision();
        let tables = &mut self.thread.tabling.tables;
        let generation = tables.current();
        if !tables.has(generation) {
            return None;
        }
        let graph = tables.dependencies(generation);
        graph.look(revision);
        Some(graph)
    }

    /// The numbers of nodes.
    pub(crate) fn graph_nodes(&mut self, wanted: &Nodes) -> Result<Vec<u32>, Refused> {
        let Some(graph) = self.graph() else {
            return Ok(Vec::new());
        };
        let known = |n: &u32| (*n as usize) < graph.nodes.len();
        match *wanted {
            Nodes::UsedBy(n) => growth::list(
                Some(n)
                    .filter(known)
                    .iter()
                    .flat_map(|&n| graph.nodes[n as usize].uses.iter().copied()),
            ),
            Nodes::Users(n) => {
                growth::list(Some(n).filter(known).map_or(vec![], |n| graph.users(n)))
            }
            _ => {
                let is_wanted = |n: &u32| {
                    let node = &graph.nodes[*n as usize];
                    let p = match node.frame {
                        Some(frame) => tabled::predicate(frame),
                        None => match &node.source {
                            Some((p, _)) => p,
                            None => return false,
                        },
                    };
                    match *wanted {
                        Nodes::Of(module, f) => p.module() == module && p.functor() == f,
                        _ => node.frame.is_some() && node.standing != Standing::Clean,
                    }
                };
                growth::list((0..graph.nodes.len() as u32).filter(is_wanted))
            }
        }
    }

    /// What a node is, Module:Goal; `None` if it is gone.
    pub(crate) fn graph_goal(&mut self, n: u32) -> Result<Option<Cell>, Throw> {
        let generation = self.thread.tabling.tables.current();
        let Some(graph) = self.graph() else {
            return Ok(None);
        };
        let Some(node) = graph.nodes.get(n as usize) else {
            return Ok(None);
        };
        if let Some(frame) = node.frame {
            return self
                .goal_of_literal(Literal::negative(frame, generation))
                .map(Some);
        }
        let Some((p, keys)) = &node.source else {
            return Ok(None);
        };
        let (p, keys) = (*p, **keys);
        let mut args = growth::with_room(p.arity())?;
        for i in 0..p.arity() {
            let key = keys.get(i).copied().map(Cell);
            args.push(match key.filter(|c| c.is_immediate()) {
                Some(c) => c,
                None => self.heap.variable()?,
            });
        }
        let goal = self.heap.structure(p.functor(), &args)?;
        let module = Cell::atom(p.module());
        let colon = Functor::new(atoms::COLON, 2);
        Ok(Some(self.heap.structure(colon, &[module, goal])?))
    }

    /// Whether a node is a table that is not clean.
    pub(crate) fn graph_is_invalid(&mut self, n: u32) -> bool {
        let node = self.graph().and_then(|g| g.nodes.get(n as usize));
        node.is_some_and(|n| n.frame.is_some() && n.standing != Standing::Clean)
    }

    /// The table has changed; so may what uses it.
    pub(crate) fn graph_invalidate(&mut self, n: u32) {
        if let Some(graph) = self.graph()
            && graph
                .nodes
                .get(n as usize)
                .is_some_and(|n| n.frame.is_some())
        {
            graph.be_changed(n);
        }
    }
}
