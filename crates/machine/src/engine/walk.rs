//! Walks over the clauses of a dynamic predicate, as choicepoints keep them: those of calls, of `clause/2`, `retract/1` and `nth_clause/3`.

use crate::state::choice::Choice;
use samite_code::instr::{Op, op};
use samite_code::predicate::ClauseList;
use samite_code::reclaim::Pin;
use samite_code::sight::{Sight, is_private};
use samite_code::view::end_of;
use samite_term::{Atom, Cell, Functor, Kind, Tag};

/// The state of a walk over a list of clauses, as choicepoints keep it.
pub(crate) struct Walk {
    pub list: *const ClauseList,
    /// Of the next clause.
    pub at: usize,
    pub generation: u64,
    /// Where its end is kept, a raw cell.
    pub end: *mut Cell,
}

/// The walk of a choicepoint.
pub(crate) fn walk_of(b: Choice) -> Option<Walk> {
    // SAFETY: alternatives are code addresses.
    match op(unsafe { *b.alternative() }) {
        Op::DynamicNext => Some(walk_of_call(b)),
        Op::NondetNext => walk_of_builtin(b),
        _ => None,
    }
}

/// Functor of the state between solutions of `clause/2` and `retract/1`.
pub(crate) fn clauses_state() -> Functor {
    Functor::new(Atom::new("$clauses"), 4)
}

/// Functor of the state between solutions of `nth_clause/3`.
pub(crate) fn nth_clauses_state() -> Functor {
    Functor::new(Atom::new("$nth_clauses"), 5)
}

/// The walk of a choicepoint of a builtin, if it is that of `clause/2`, `retract/1` or `nth_clause/3`.
fn walk_of_builtin(b: Choice) -> Option<Walk> {
    let state = b.arg_value(b.size() - 1);
    if state.tag() != Tag::Str {
        return None;
    }
    // SAFETY: arguments of a choicepoint are terms; a structure starts with its functor, and these hold raw cells, the generation last.
    unsafe {
        let raw = |i: usize| (*state.ptr().add(i)).payload();
        [clauses_state(), nth_clauses_state()]
            .into_iter()
            .find(|f| *state.ptr() == f.cell())
            .map(|f| Walk {
                list: raw(1) as *const ClauseList,
                at: raw(2) as usize,
                generation: raw(f.arity()),
                end: state.ptr().add(3),
            })
    }
}

impl Walk {
    /// Its pin, if it has begun by generation `now`.
    pub(crate) fn pin(&self, now: u64) -> Pin {
        // SAFETY: the list of a walk stays as long as its choicepoint, and has a clause there that may yet be wanted.
        let (next, made) = unsafe { ((*self.list).get(self.at), (*self.list).since()) };
        let predicate = std::ptr::from_ref(next.predicate) as usize;
        match is_private(self.generation) {
            false => Pin::at(predicate, self.generation),
            true => Pin {
                predicate,
                since: made.max(Sight::of(self.generation).map_or(0, Sight::since)),
                until: now,
            },
        }
    }
    /// Ends it where [`end_of`] says.
    pub(crate) fn shorten(&self) {
        // SAFETY: as above; the cell is the choicepoint's alone, and that of no term.
        unsafe {
            let to = (*self.end).payload() as usize;
            let end = end_of(&*self.list, self.at, to, self.generation);
            *self.end = Cell::header(Kind::Raw, end as u64);
        }
    }
}

/// Raw cells after the arguments.
pub(crate) const EXTRA: usize = 4;

/// The walk of a choicepoint of a dynamic call.
pub(crate) fn walk_of_call(b: Choice) -> Walk {
    let extra = b.size() - EXTRA;
    let raw = |i: usize| b.arg_value(extra + i).payload();
    Walk {
        list: raw(0) as *const ClauseList,
        at: raw(1) as usize,
        generation: raw(3),
        end: b.arg(extra + 2),
    }
}
