//! Which clauses of a chain a call may match, by all of its arguments: a bit for each clause, in a word.
//!
//! Entry code tells clauses apart by the first argument; where several are left there stands a `Select` before the chain of `Try`, `Retry`, `Trust`. It
//! looks at the other arguments that tell them apart, and at parts of arguments, each by a *column*: a small table from keys to the clauses that a call with
//! that key may match. All columns together say which are left: none, one, which needs no choicepoint, or several, whose choicepoint keeps their bits.
//! (SWI-Prolog and YAP make hash tables on demand for that, the latter by code; for chains of up to a word's bits this is the same in less space:
//! conjunction of bit vectors as in *bitmap indexes*, O'Neil 1987.)
//!
//! *Equation*: a call that matches clause `i` of the chain has bit `i` in each column: what a clause has at a place ([`Place`]) is `Any`, or the key of the call.
//!
//! They are made from the chain alone, when it is first called, or when it is linked, and belong to it.

use super::key::{ANY_KEY, Part, spread};
use super::place::{PARTS, Place};
use crate::instr::{self, Op};
use samite_term::{Cell, Functor, Kind};

/// Clauses that a chain may have for it.
pub const MOST: usize = u64::BITS as usize;
/// Arguments that are looked at.
const ARGUMENTS: usize = 16;
const MOST_COLUMNS: usize = 8;

/// See the module text.
#[derive(Debug)]
pub struct Masks {
    columns: Box<[Column]>,
    clauses: Box<[*const u64]>,
}

/// A place, and which clauses calls may match that have certain keys there.
#[derive(Debug)]
struct Column {
    place: Place,
    /// Calls with keys that are not in the table.
    otherwise: u64,
    /// Open addressing; [`ANY_KEY`]: free.
    table: Box<[(u64, u64)]>,
}

impl Column {
    /// `None`: no two clauses have different keys there. (Where some have one key and others a variable, that is mostly where a call wants to know what
    /// it is: `sift([X|Xs], P, Ys)`, `sift([X|Xs], P, [X|Ys])`.)
    fn of(place: Place, parts: &[Part]) -> Option<Column> {
        let tells = |p: &&Part| !matches!(p, Part::Any);
        let first = parts.iter().find(tells)?;
        if parts.iter().filter(tells).all(|p| p == first) {
            return None;
        }
        let bits = |has: &dyn Fn(Part) -> bool| {
            (parts.iter().enumerate()).fold(0, |all, (i, &p)| all | u64::from(has(p)) << i)
        };
        let otherwise = bits(&|p| p == Part::Any);
        let keys = parts.iter().filter_map(|p| match p {
            Part::Is(key) => Some(*key),
            _ => None,
        });
        let size = (2 * keys.clone().count()).next_power_of_two().max(2);
        let mut table = vec![(ANY_KEY, 0); size].into_boxed_slice();
        for key in keys {
            let mut i = spread(key) & (size - 1);
            while table[i].0 != ANY_KEY && table[i].0 != key {
                i = (i + 1) & (size - 1);
            }
            table[i] = (key, bits(&|p| p == Part::Any || p == Part::Is(key)));
        }
        Some(Column {
            place,
            otherwise,
            table,
        })
    }
    #[inline]
    fn get(&self, key: u64) -> u64 {
        let mask = self.table.len() - 1;
        let mut i = spread(key) & mask;
        loop {
            match self.table[i] {
                (k, clauses) if k == key => return clauses,
                (ANY_KEY, _) => return self.otherwise,
                _ => i = (i + 1) & mask,
            }
        }
    }
}

impl Masks {
    /// Those of a chain, whose first instruction is a `Try`; `None`: nothing but the first argument tells its clauses apart, or they are too many.
    ///
    /// # Safety
    /// It is a chain of clauses of so many arguments, and they are not freed meanwhile.
    pub unsafe fn of_chain(chain: *const u64, arity: usize) -> Option<Masks> {
        let mut clauses = Vec::new();
        let mut at = chain;
        // SAFETY: the caller's promise: a chain goes on until `Trust`.
        unsafe {
            loop {
                clauses.push(*at.add(1) as *const u64);
                if instr::op(*at) == Op::Trust {
                    break;
                }
                at = at.add(2);
            }
            Masks::of(clauses, arity)
        }
    }
    /// # Safety
    /// As [`Masks::of_chain`], of the code of its clauses.
    pub(super) unsafe fn of(clauses: Vec<*const u64>, arity: usize) -> Option<Masks> {
        if clauses.len() > MOST {
            return None;
        }
        let parts = |place: Place| -> Vec<Part> {
            // SAFETY: the caller's promise.
            (clauses.iter().map(|&c| unsafe { place.of_code(c, arity) })).collect()
        };
        let mut columns = Vec::new();
        let mut inside = Vec::new();
        for i in 0..arity.min(ARGUMENTS) {
            let place = Place::argument(i);
            let of = parts(place);
            if i > 0 {
                columns.extend(Column::of(place, &of));
            }
            inside.extend(shared(&of).map(|functor| (place, functor)));
        }
        for (place, functor) in inside {
            let parts_of = Functor::from_cell(Cell(functor)).arity().min(PARTS);
            for part in 0..parts_of {
                let inside = place.inside(functor, part, &mut 0);
                columns.extend(inside.and_then(|place| Column::of(place, &parts(place))));
            }
        }
        columns.truncate(MOST_COLUMNS);
        (!columns.is_empty()).then(|| Masks {
            columns: columns.into_boxed_slice(),
            clauses: clauses.into_boxed_slice(),
        })
    }
    /// All clauses.
    #[inline]
    pub fn all(&self) -> u64 {
        u64::MAX >> (MOST - self.clauses.len())
    }
    /// The arguments that are looked at, once each.
    pub(super) fn arguments(&self) -> Vec<u16> {
        let mut all: Vec<u16> = self.columns.iter().map(|c| c.place.argument).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
    /// The clauses that a call may match.
    ///
    /// # Safety
    /// The arguments are dereferenced terms of a live heap.
    #[inline]
    pub unsafe fn matching(&self, argument: impl Fn(usize) -> Cell) -> u64 {
        let mut left = self.all();
        for column in &self.columns {
            // SAFETY: the caller's promise.
            let key = unsafe {
                column
                    .place
                    .key_in(argument(usize::from(column.place.argument)))
            };
            if key != ANY_KEY {
                left &= column.get(key);
            }
        }
        left
    }
    /// The code of a clause.
    #[inline]
    pub fn code(&self, i: usize) -> *const u64 {
        self.clauses[i]
    }
    /// The code of its clauses.
    pub fn codes(&self) -> &[*const u64] {
        &self.clauses
    }
    /// Memory that it takes.
    pub fn bytes(&self) -> usize {
        let of_columns: usize = (self.columns.iter().map(|c| size_of_val(&*c.table))).sum();
        size_of::<Masks>() + size_of_val(&*self.columns) + size_of_val(&*self.clauses) + of_columns
    }
}

/// The functor that several of the clauses have there, as a key.
fn shared(parts: &[Part]) -> Option<u64> {
    parts.iter().enumerate().find_map(|(i, part)| match part {
        Part::Is(key) if Cell(*key).is_kind(Kind::Functor) && parts[..i].contains(part) => {
            Some(*key)
        }
        _ => None,
    })
}
