//! Where a thread stands: what its frames and choicepoints say of what goes on, for who shows it.

use super::walk::walk_of_call;
use super::worker::Worker;
use crate::state::frame::resume_of;
use crate::state::internal::{Internal, of_number};
use samite_code::Predicate;
use samite_code::index::rest_of_chain;
use samite_code::instr::{self, Op, op};
use samite_term::Cell;

/// So many are shown.
const MOST: usize = 500;

/// Where something goes on.
pub(crate) enum Place {
    /// In the code of a clause.
    Code(usize),
    Predicate(&'static Predicate),
    /// A goal that is to be entered ([`Internal::Interrupted`]): its predicate and arguments.
    Goal(&'static Predicate, Vec<Cell>),
    /// At the other side of a disjunction that is interpreted.
    OtherSide,
}

/// What a predicate's address says that was put into a cell or behind an instruction.
fn predicate(address: usize) -> &'static Predicate {
    // SAFETY: the callers have it from there; predicates live as long as the process.
    unsafe { &*(address as *const Predicate) }
}

impl Worker {
    /// The frames, the innermost first.
    pub(crate) fn waiting_places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        let mut f = self.k;
        while !f.is_null() && places.len() < MOST {
            // SAFETY: continuations are chains of frames: a header, then the parent; what they resume at is code. One made by `freeze` has the
            // predicate, and its arguments.
            unsafe {
                let at = resume_of(*f);
                match op(*at) {
                    Op::Internal if of_number(instr::a(*at)) == Internal::Interrupted => {
                        let p = predicate((*f.add(2)).small_value() as usize);
                        let arguments = (0..p.arity()).map(|i| *f.add(3 + i)).collect();
                        places.push(Place::Goal(p, arguments));
                    }
                    Op::Internal => {}
                    _ => places.push(Place::Code(at as usize)),
                }
                f = (*f.add(1)).frame();
            }
        }
        places
    }

    /// The choicepoints, the newest first.
    pub(crate) fn left_places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        let mut b = self.b;
        while !b.is_null() && places.len() < MOST {
            let at = b.alternative();
            // SAFETY: the alternative of a choicepoint is code; what continues a builtin has its predicate behind it.
            unsafe {
                match op(*at) {
                    Op::Internal if of_number(instr::a(*at)) == Internal::Otherwise => {
                        places.push(Place::OtherSide);
                    }
                    Op::Internal => {}
                    Op::NondetNext => places.push(Place::Predicate(predicate(*at.add(1) as usize))),
                    Op::DynamicNext => {
                        let walk = walk_of_call(b);
                        places.push(Place::Predicate((*walk.list).get(walk.at).predicate));
                    }
                    _ => {
                        let next = rest_of_chain(at).next();
                        places.push(Place::Code(next.map_or(at as usize, |(_, clause)| clause)));
                    }
                }
            }
            b = b.previous();
        }
        places
    }
}
