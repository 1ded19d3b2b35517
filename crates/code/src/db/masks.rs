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
//! They are made from the chain alone, when it is first called, or when it is linked, and belong to it. Columns stand in the order of their depth: one is looked at if those
//! before it leave several clauses.

use super::head::{Head, Heads};
use super::key::{ANY_KEY, Part, spread};
use super::place::Place;
use crate::instr::{self, Op};
use samite_term::{Cell, Kind};

/// Clauses that a chain may have for it.
pub const MOST: usize = u64::BITS as usize;
/// Arguments that are looked at.
const ARGUMENTS: usize = 16;
const MOST_COLUMNS: usize = 16;
/// Places that are looked at for these.
const MOST_PLACES: usize = 64;

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
    /// That of a place where clauses have these parts.
    fn of(place: Place, parts: &[Part]) -> Column {
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
        Column {
            place,
            otherwise,
            table,
        }
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
            if clauses.len() > MOST {
                return None;
            }
            let heads = Heads::of(clauses.iter().copied(), arity);
            let heads: Vec<Head> = (0..heads.len()).filter_map(|i| heads.get(i)).collect();
            let mut parts = Vec::new();
            let columns = places(&heads, arity).into_iter().map(|told| {
                parts_at(told.place, &heads, &mut parts);
                Column::of(told.place, &parts)
            });
            let columns: Box<[Column]> = columns.collect();
            (!columns.is_empty()).then(|| Masks {
                columns,
                clauses: clauses.into_boxed_slice(),
            })
        }
    }
    /// All clauses.
    #[inline]
    pub fn all(&self) -> u64 {
        u64::MAX >> (MOST - self.clauses.len())
    }
    /// The clauses that a call may match; if it is one at most, by as many columns as say so.
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
                if left & left.wrapping_sub(1) == 0 {
                    break;
                }
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

/// A place that tells clauses apart.
struct Told {
    place: Place,
    /// Clauses that fit every key there, a bit each.
    fit_all: u64,
    /// Whether it is worth looking at wherever calls have a key; see [`keep_useful`].
    is_looked_at: bool,
}

impl Told {
    /// `None`: no two clauses have different keys there. (Where some whole arguments have one key and others are variables, that is mostly where a call wants to know what
    /// it is: `sift([X|Xs], P, Ys)`, `sift([X|Xs], P, [X|Ys])`. Not so inside of a structure, which the call has. What has another structure around it is told by that.)
    fn of(place: Place, parts: &[Part]) -> Option<Told> {
        let mut keys = parts.iter().filter(|p| matches!(p, Part::Is(_)));
        let first = keys.next()?;
        let is_one = keys.all(|p| p == first);
        if is_one && (place.is_whole() || !parts.contains(&Part::Any)) {
            return None;
        }
        let any = parts.iter().enumerate().filter(|(_, p)| **p == Part::Any);
        Some(Told {
            place,
            fit_all: any.fold(0, |all, (i, _)| all | 1 << i),
            is_looked_at: place.steps().len() <= 1 && !is_one,
        })
    }
}

/// The arguments that tell clauses with these heads apart, behind the first one or inside of it, once each.
pub(super) fn arguments(heads: &[Head], arity: usize) -> Vec<u16> {
    let places = places(heads, arity);
    let mut all: Vec<u16> = places.iter().map(|told| told.place.argument).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn parts_at(place: Place, heads: &[Head], parts: &mut Vec<Part>) {
    parts.clear();
    parts.extend(heads.iter().map(|head| head.at(place)));
}

/// The places that tell clauses with these heads apart.
fn places(heads: &[Head], arity: usize) -> Vec<Told> {
    let mut told = Vec::new();
    // Those of one depth after those of the one before.
    let mut places: Vec<Place> = (0..arity.min(ARGUMENTS)).map(Place::argument).collect();
    let (mut looked, mut deep) = (0, MOST_PLACES);
    let mut parts = Vec::with_capacity(heads.len());
    while let Some(&place) = places.get(looked)
        && looked < MOST_PLACES
        && told.len() < MOST_COLUMNS
    {
        looked += 1;
        parts_at(place, heads, &mut parts);
        // (The first argument has been looked at.)
        if place != Place::argument(0) {
            told.extend(Told::of(place, &parts));
        }
        for functor in shared(&parts) {
            places.extend(place.parts(functor, &mut deep));
        }
    }
    keep_useful(&mut told, heads.len());
    told
}

/// Drops places inside of structures that leave no call with fewer choicepoints. The last clauses that some place may leave out are the end of the chain; one that leaves out
/// none of these leads to the same last clause as without it, as `shape([P], N)`, `shape([P|Ps], N)` do: it would be looked at for nothing. (Whole arguments, and different keys
/// directly inside of one, are looked at in any case: they spare the way through clauses.)
fn keep_useful(places: &mut Vec<Told>, clauses: usize) {
    let all = u64::MAX >> (MOST - clauses);
    let fit_all = places.iter().fold(all, |all, told| all & told.fit_all);
    let end = u64::MAX.checked_shl(u64::BITS - fit_all.leading_zeros());
    let end = all & end.unwrap_or(0);
    places.retain(|told| told.is_looked_at || end & !told.fit_all != 0);
}

/// The functors that several of the clauses have there, as keys.
fn shared(parts: &[Part]) -> Vec<u64> {
    let mut once = Vec::new();
    let mut several = Vec::new();
    for part in parts {
        if let Part::Is(key) = *part
            && Cell(key).is_kind(Kind::Functor)
            && !several.contains(&key)
        {
            match once.contains(&key) {
                true => several.push(key),
                false => once.push(key),
            }
        }
    }
    several
}
