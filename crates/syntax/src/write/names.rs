//! The names that `write_canonical/1` and `portray_clause/1` give variables: `A`, `B`, … in order of appearance, `_` for those that
//! appear once.
//!
//! Terms have millions of variables. So a name is kept as a number, and is made when it is asked for: a variable takes an entry of
//! a table, and a number.

use super::term::variable_name;
use rustc_hash::{FxHashMap, FxHashSet};
use samite_term::heavy::{self, Patience};
use samite_term::view::Args;
use samite_term::{Cell, TermRef, View, cycle, growth};

/// Names of the variables of a term, by identity.
#[derive(Debug, Default)]
pub struct Names<'g> {
    /// These have names of their own.
    given: Option<&'g FxHashMap<u64, String>>,
    /// Which variable of the term it is, in order of appearance.
    index: FxHashMap<u64, u32>,
    /// For each of them the number of its name, or [`ONCE`].
    numbers: Vec<u32>,
}

/// It appears once.
const ONCE: u32 = u32::MAX;
/// It appears again.
const AGAIN: u32 = ONCE - 1;

/// From this many compounds on, a walk over a term remembers those it has met.
const SHARING_SUSPECTED: usize = 1 << 20;

/// Names for the variables of a term as `write_canonical/1` and `portray_clause/1` give them.
pub fn canonical_names(term: TermRef) -> Names<'static> {
    heavy::guard(|| {
        let mut names = Names::default();
        names.number(term);
        names
    })
    .unwrap_or_else(|_| {
        heavy::refuse();
        Names::default()
    })
}

fn must_add(met: &mut FxHashSet<Cell>, compound: Cell) -> bool {
    let added = growth::add(met, compound);
    growth::must(added.is_ok());
    added.unwrap_or(false)
}

impl<'g> Names<'g> {
    /// The same where some have names, which no others get. Without memory the operation is given up.
    pub(super) fn beside(term: TermRef, given: &'g FxHashMap<u64, String>) -> Names<'g> {
        let mut names = Names {
            given: Some(given).filter(|g| !g.is_empty()),
            ..Names::default()
        };
        names.number(term);
        names
    }

    /// The name of a variable; `None` if the term has not got it.
    pub fn get(&self, id: u64) -> Option<String> {
        if let Some(name) = self.given.and_then(|g| g.get(&id)) {
            return Some(name.clone());
        }
        let &index = self.index.get(&id)?;
        Some(match self.numbers[index as usize] {
            ONCE => "_".to_owned(),
            number => variable_name(i64::from(number)),
        })
    }

    fn number(&mut self, term: TermRef) {
        self.count(term);
        let given: FxHashSet<&str> = (self.given.into_iter())
            .flat_map(|g| g.values().map(String::as_str))
            .collect();
        let taken =
            |number| !given.is_empty() && given.contains(variable_name(i64::from(number)).as_str());
        let mut next = 0;
        for number in self.numbers.iter_mut().filter(|n| **n == AGAIN) {
            while taken(next) {
                next += 1;
            }
            *number = next;
            next += 1;
        }
    }

    /// Counts the variables that have no names: [`ONCE`] or [`AGAIN`].
    fn count(&mut self, term: TermRef) {
        // Of a cyclic term every compound is written once. From some size on the term may be small with shared subterms: each compound
        // is looked at once, and as the same variable may be written again with another copy of it, each variable has a name.
        let cyclic = !cycle::is_acyclic(term);
        let mut met: FxHashSet<Cell> = FxHashSet::default();
        let mut steps = 0usize;
        let mut patience = Patience::new();
        let mut work = vec![term];
        while let Some(term) = work.pop() {
            if patience.is_over() {
                break;
            }
            match term.view() {
                View::Var(id) | View::Attributed(id) => self.meet(id, steps >= SHARING_SUSPECTED),
                View::List(..) | View::Compound(_) => {
                    steps += 1;
                    if (cyclic || steps >= SHARING_SUSPECTED) && !must_add(&mut met, term.deref()) {
                        continue;
                    }
                    growth::must_have(&mut work, term.callable().map_or(0, |c| c.0.arity()));
                    match term.callable() {
                        Some((_, Args::Pair(head, tail))) => work.extend([tail, head]),
                        Some((_, Args::Compound(c))) => work.extend(c.args().rev()),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }

    fn meet(&mut self, id: u64, shared: bool) {
        if self.given.is_some_and(|g| g.contains_key(&id)) {
            return;
        }
        if let Some(&index) = self.index.get(&id) {
            self.numbers[index as usize] = AGAIN;
            return;
        }
        // (Were there more variables than numbers, the others would be written by their address.)
        let fresh = u32::try_from(self.numbers.len())
            .ok()
            .filter(|&n| n < AGAIN);
        let Some(index) = fresh else {
            return;
        };
        growth::must_push(&mut self.numbers, if shared { AGAIN } else { ONCE });
        growth::must(growth::insert(&mut self.index, id, index).is_ok());
    }
}
