//! Where the thread stands, for who asks at a terminal: the goals that wait for the present one, and what left choicepoints.
//!
//! A frame and a choicepoint say where in a clause's code to go on, not which clause that is: all clauses that can be found now are asked
//! whether the address is theirs. What has been erased meanwhile is left out. Goals that were replaced by their last call have no frame.

use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::places::Place;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use rustc_hash::FxHashMap;
use samite_code::Predicate;
use samite_term::{Atom, Cell, atoms};

pub const TABLE: &[Entry] = &[
    // '$callers'(-List): of the goals that wait, the innermost first, `goal(Goal)` if it is to be entered, else `in(PI, File, Line)`.
    det("$callers", 1, |m, a| {
        let places = m.waiting_places();
        places_out(m, a, &places)
    }),
    // '$choicepoints'(-List): `in(PI, File, Line)` of what left choicepoints, the newest first, with the next clause; `other_side` of a
    // disjunction in a goal that is no part of a clause.
    det("$choicepoints", 1, |m, a| {
        let places = m.left_places();
        places_out(m, a, &places)
    }),
];

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

/// The predicate that code belongs to, a clause's or what selects clauses.
pub(super) fn owner(m: &mut Ctx, at: usize) -> Option<&'static Predicate> {
    let places = [Place::Code(at)];
    if let Some(&(p, ..)) = owners(m, &places).get(&at) {
        return Some(p);
    }
    let all = m.program.code.predicates();
    all.into_iter().find(|p| samite_code::index::selects(p, at))
}

/// Unifies the first argument with the list of what is known about places.
fn places_out(m: &mut Ctx, a: Args, places: &[Place]) -> Res {
    let owners = owners(m, places);
    let mut items: Vec<Cell> = Vec::new();
    for place in places {
        let item = match *place {
            Place::Goal(p, ref arguments) => goal(m, p, arguments)?,
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

fn goal(m: &mut Ctx, p: &'static Predicate, arguments: &[Cell]) -> Result<Cell, Throw> {
    let goal = match arguments.is_empty() {
        true => Cell::atom(p.name()),
        false => m.heap.structure(p.functor(), arguments)?,
    };
    let goal = m.structure(":", &[Cell::atom(p.module()), goal])?;
    m.structure("goal", &[goal])
}
