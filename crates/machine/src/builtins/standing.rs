//! Where the thread stands, for who asks at a terminal: the goals that wait for the present one, and what left choicepoints.
//!
//! A frame and a choicepoint say where in a clause's code to go on, not which clause that is: all clauses that can be found now are asked
//! whether the address is theirs. What has been erased meanwhile is left out. Goals that were replaced by their last call have no frame.

use super::Entry::{self, Det};
use crate::ctx::Ctx;
use crate::dynamic;
use crate::error::{Res, Throw};
use crate::frame::resume_of;
use crate::internal::{Internal, of_number};
use crate::worker::Args;
use rustc_hash::FxHashMap;
use samite_code::Predicate;
use samite_code::index::rest_of_chain;
use samite_code::instr::{self, Op, op};
use samite_term::{Atom, Cell, atoms};

pub const TABLE: &[Entry] = &[
    // '$callers'(-List): of the goals that wait, the innermost first, `goal(Goal)` if it is to be entered, else `in(PI, File, Line)`.
    Det("$callers", 1, |m, a| {
        let places = waiting(m);
        places_out(m, a, &places)
    }),
    // '$choicepoints'(-List): `in(PI, File, Line)` of what left choicepoints, the newest first, with the next clause; `other_side` of a
    // disjunction in a goal that is no part of a clause.
    Det("$choicepoints", 1, |m, a| {
        let places = left(m);
        places_out(m, a, &places)
    }),
];

/// So many are shown.
const MOST: usize = 500;

/// Where something goes on.
#[derive(Clone, Copy)]
enum Place {
    /// In the code of a clause.
    Code(usize),
    Predicate(&'static Predicate),
    /// A goal that is to be entered: the frame of [`Internal::Interrupted`].
    Goal(*mut Cell),
    /// At the other side of a disjunction that is interpreted.
    OtherSide,
}

/// What a predicate's address says that was put into a cell or behind an instruction.
fn predicate(address: usize) -> &'static Predicate {
    // SAFETY: the callers have it from there; predicates live as long as the process.
    unsafe { &*(address as *const Predicate) }
}

/// The frames, the innermost first.
fn waiting(m: &Ctx) -> Vec<Place> {
    let mut places = Vec::new();
    let mut f = m.k;
    while !f.is_null() && places.len() < MOST {
        // SAFETY: continuations are chains of frames: a header, then the parent; what they resume at is code.
        unsafe {
            let at = resume_of(*f);
            match op(*at) {
                Op::Internal if of_number(instr::a(*at)) == Internal::Interrupted => {
                    places.push(Place::Goal(f));
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
fn left(m: &Ctx) -> Vec<Place> {
    let mut places = Vec::new();
    let mut b = m.b;
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
                    let walk = dynamic::walk_of(b);
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

/// Of which predicate and line code is.
type Owners = FxHashMap<usize, (&'static Predicate, Atom, u32)>;

fn owners(m: &mut Ctx, places: &[Place]) -> Owners {
    let mut addresses: Vec<usize> = places
        .iter()
        .filter_map(|p| match p {
            Place::Code(at) => Some(*at),
            _ => None,
        })
        .collect();
    addresses.sort_unstable();
    addresses.dedup();
    let mut owners = Owners::default();
    for p in m.program.code.predicates() {
        let own = m.own(p);
        m.reader.enter();
        for c in own.view().clauses() {
            let code = c.code_range();
            let from = addresses.partition_point(|&at| at < code.start);
            for &at in addresses[from..].iter().take_while(|&&at| at < code.end) {
                owners.insert(at, (c.predicate, c.text(), c.line()));
            }
        }
    }
    owners
}

/// Unifies the first argument with the list of what is known about places.
fn places_out(m: &mut Ctx, a: Args, places: &[Place]) -> Res {
    let owners = owners(m, places);
    let mut items: Vec<Cell> = Vec::new();
    for place in places {
        let item = match *place {
            Place::Goal(frame) => goal(m, frame)?,
            Place::OtherSide => Cell::atom(Atom::new("other_side")),
            Place::Predicate(p) => inside(m, p, atoms::NIL, 0)?,
            Place::Code(at) => match owners.get(&at) {
                Some(&(p, file, line)) => inside(m, p, file, line)?,
                None => continue,
            },
        };
        items.push(item);
    }
    let list = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 0, list))
}

fn inside(m: &mut Ctx, p: &'static Predicate, file: Atom, line: u32) -> Result<Cell, Throw> {
    let indicator = m.qualified_indicator(p)?;
    let place = [indicator, Cell::atom(file), Cell::small(i64::from(line))];
    m.structure("in", &place)
}

fn goal(m: &mut Ctx, frame: *mut Cell) -> Result<Cell, Throw> {
    // SAFETY: a frame made by `freeze`: the predicate, and its arguments.
    let (p, arguments) = unsafe {
        let p = predicate((*frame.add(2)).small_value() as usize);
        let arguments: Vec<Cell> = (0..p.arity()).map(|i| *frame.add(3 + i)).collect();
        (p, arguments)
    };
    let goal = match arguments.is_empty() {
        true => Cell::atom(p.name()),
        false => m.heap.structure(p.functor, &arguments)?,
    };
    let goal = m.structure(":", &[Cell::atom(p.module), goal])?;
    m.structure("goal", &[goal])
}
