//! Places in the heads of clauses: an argument, or an argument of an argument, and so on ([`DEPTH`]); and what calls and clauses have there.
//!
//! Indexes look at the head in the record of a clause, chains of code at its code ([`super::head`]).
//!
//! *Equation*: if a call has key `k` at a place, the clauses that may match it have [`Part::Any`] or `Part::Is(k)` there. What is not known for certain is
//! `Any`.

use super::key::{self, ANY_KEY, LIST_KEY, Part, key_of};
use crate::neck::Neck;
use samite_term::view::deref;
use samite_term::{Cell, Functor, Kind, Record, Tag};

/// See the module text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Number of the argument, from 0 on.
    pub argument: u16,
    /// How many of `steps` there are; the others are `(0, 0)`.
    depth: u8,
    /// From there: the key of a functor and the number of an argument of it, which is where to go on. [`ANY_KEY`], as the only one: whatever functor there
    /// is, which is then part of the key.
    steps: [(u64, u16); DEPTH],
}

/// A call that looks for clauses, or what is as good: the head of a term for `clause/2`.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// The key of the first argument, [`ANY_KEY`] if there is none.
    pub key: u64,
    pub arity: usize,
    /// The arguments, dereferenced.
    argument: &'a dyn Fn(usize) -> Cell,
}

impl<'a> Call<'a> {
    /// # Safety
    /// The arguments are dereferenced terms of a live heap, and stay as they are as long as this is used.
    pub unsafe fn new(arity: usize, argument: &'a dyn Fn(usize) -> Cell) -> Call<'a> {
        let key = match arity {
            0 => ANY_KEY,
            // SAFETY: the caller's promise.
            _ => unsafe { key_of(argument(0)) },
        };
        Call {
            key,
            arity,
            argument,
        }
    }
    /// A call of which only the key of the first argument is known.
    pub fn with_key(key: u64) -> Call<'static> {
        Call {
            key,
            arity: usize::from(key != ANY_KEY),
            argument: &|_| Cell::NIL,
        }
    }
    /// The key at a place.
    pub(super) fn key_at(&self, place: &Place) -> u64 {
        if place.depth == 0 {
            return self.key_of_argument(usize::from(place.argument));
        }
        // SAFETY: promised when it was made.
        unsafe { place.key_in((self.argument)(usize::from(place.argument))) }
    }
    /// The key at the place that is the whole argument.
    #[inline]
    pub(super) fn key_of_argument(&self, i: usize) -> u64 {
        match i {
            0 => self.key,
            // SAFETY: promised when it was made.
            _ => unsafe { key_of((self.argument)(i)) },
        }
    }
    /// At which places it has keys, as one number (a hash of them: if two calls had the same for others, the indexes that help the first would be tried for
    /// the second in vain). Inside of what is a matter of the functor, too. `None`: nowhere.
    pub(super) fn keyed(&self) -> Option<u64> {
        let mut all = ANY_KEY;
        let mut deep = MOST_DEEP;
        for i in 0..self.arity.min(ARGUMENTS) {
            let key = self.key_of_argument(i);
            if key != ANY_KEY {
                all = key::both(all, i as u64);
                if Cell(key).is_kind(Kind::Functor) {
                    self.keyed_inside(&Place::argument(i), key, &mut all, &mut deep);
                }
            }
        }
        (all != ANY_KEY).then_some(all)
    }
    /// The same in the arguments of what it has at a place, of that functor; so many are looked at that are deeper than an argument's.
    fn keyed_inside(&self, place: &Place, key: u64, all: &mut u64, deep: &mut usize) {
        let arity = Functor::from_cell(Cell(key)).arity();
        for i in 0..arity.min(PARTS) {
            let Some(part) = place.inside(key, i, deep) else {
                return;
            };
            let there = self.key_at(&part);
            if there != ANY_KEY {
                *all = key::both(*all, key ^ i as u64);
                if Cell(there).is_kind(Kind::Functor) {
                    self.keyed_inside(&part, there, all, deep);
                }
            }
        }
    }
    /// Whether it has keys in the arguments of what it has at a place, whose key is `key`: if so, [`Call::keyed`] tells the functor.
    pub(super) fn has_keys_inside(&self, place: &Place, key: u64) -> bool {
        let mut all = PARTS;
        let parts = place.parts(key, &mut all);
        parts.into_iter().any(|part| self.key_at(&part) != ANY_KEY)
    }
    /// Whether it has a key anywhere but in the whole first argument.
    pub fn has_keys_behind_first(&self) -> bool {
        self.has_more_keys() || Cell(self.key).is_kind(Kind::Functor)
    }
    /// Whether it has a key in an argument other than the first.
    fn has_more_keys(&self) -> bool {
        (1..self.arity.min(FILTERED)).any(|i| self.key_of_argument(i) != ANY_KEY)
    }
}

/// Arguments that indexes are made by, and arguments of an argument.
pub(super) const ARGUMENTS: usize = 64;
pub(super) const PARTS: usize = 8;
/// Structures around a place, at most.
pub(super) const DEPTH: usize = 3;
/// Places inside of two structures or more that are looked at for a call.
pub(super) const MOST_DEEP: usize = 16;
/// Arguments that are looked at before a clause is tried while there are others.
pub(super) const FILTERED: usize = 8;

impl Place {
    pub(super) fn argument(i: usize) -> Place {
        Place {
            argument: i as u16,
            depth: 0,
            steps: [(0, 0); DEPTH],
        }
    }
    /// Argument `i` of what is here, if that has this functor. `None`: too deep, for a place at all or as one of the `deep` that are left.
    pub(super) fn inside(&self, functor: u64, i: usize, deep: &mut usize) -> Option<Place> {
        let mut place = *self;
        let depth = usize::from(self.depth);
        if depth > 0 {
            *deep = deep.checked_sub(1)?;
        }
        *place.steps.get_mut(depth)? = (functor, i as u16);
        place.depth += 1;
        Some(place)
    }
    /// Argument `i` of what is in this argument, whatever functor that has: calls and clauses have one key for both.
    pub(super) fn inside_any(argument: usize, i: usize) -> Place {
        let mut place = Place::argument(argument);
        place.steps[0] = (ANY_KEY, i as u16);
        place.depth = 1;
        place
    }
    /// The arguments of what is here, if that has this key: none of what is no structure.
    pub(super) fn parts(&self, key: u64, deep: &mut usize) -> Vec<Place> {
        if !Cell(key).is_kind(Kind::Functor) {
            return Vec::new();
        }
        let arity = Functor::from_cell(Cell(key)).arity();
        (0..arity.min(PARTS))
            .map_while(|i| self.inside(key, i, deep))
            .collect()
    }
    /// The numbers of arguments, from 0 on, by which one comes there.
    pub(super) fn path(&self) -> impl Iterator<Item = u16> + '_ {
        let steps = self.steps().iter().map(|&(_, argument)| argument);
        std::iter::once(self.argument).chain(steps)
    }
    /// Whether it is a whole argument.
    pub(super) fn is_whole(self) -> bool {
        self.depth == 0
    }
    #[inline]
    pub(super) fn steps(&self) -> &[(u64, u16)] {
        &self.steps[..usize::from(self.depth)]
    }
    /// The key of a call there, of whose argument this is.
    ///
    /// # Safety
    /// A dereferenced term of a live heap.
    #[inline]
    pub(super) unsafe fn key_in(&self, argument: Cell) -> u64 {
        // SAFETY: the caller's promise; a structure starts with its functor, a list cell has two cells.
        unsafe {
            let (mut here, mut around) = (argument, ANY_KEY);
            for &(functor, i) in self.steps() {
                let (key, first) = match here.tag() {
                    Tag::Str => ((*here.ptr()).0, here.ptr().add(1)),
                    Tag::Lst => (LIST_KEY, here.ptr()),
                    _ => return ANY_KEY,
                };
                if key != functor {
                    if functor != ANY_KEY || !has_argument(key, i) {
                        return ANY_KEY;
                    }
                    around = key;
                }
                here = deref(*first.add(usize::from(i)));
            }
            within(around, key_of(here))
        }
    }
    /// In the term `Head :- Body`, or a head.
    pub(super) fn of_record(self, record: &Record) -> Part {
        let words = record.words();
        let mut head = record.root();
        if head.tag() == Tag::Str
            && Neck::of_functor(Functor::from_cell(Cell(words[at(head)]))).is_some()
        {
            head = there(words, at(head) + 1);
        }
        match head.tag() {
            Tag::Str => self.under(
                0,
                words,
                there(words, at(head) + 1 + usize::from(self.argument)),
            ),
            Tag::Lst => self.under(
                0,
                words,
                there(words, at(head) + usize::from(self.argument)),
            ),
            _ => Part::Any,
        }
    }
    /// In a record that is what is there after so many of the steps.
    pub(super) fn within_record(self, steps: usize, record: &Record) -> Part {
        self.under(steps, record.words(), record.root())
    }
    /// In what is there in a record after so many of the steps.
    fn under(self, steps: usize, words: &[u64], here: Cell) -> Part {
        let (mut here, mut around) = (here, ANY_KEY);
        for &(functor, i) in &self.steps()[steps..] {
            let (key, first) = match (key_in(words, here), here.tag()) {
                (ANY_KEY, _) => return Part::Any,
                (key, Tag::Lst) => (key, at(here)),
                (key, Tag::Str) => (key, at(here) + 1),
                _ => return Part::Never,
            };
            if key != functor {
                if functor != ANY_KEY || !has_argument(key, i) {
                    return Part::Never;
                }
                around = key;
            }
            here = there(words, first + usize::from(i));
        }
        Part::of_key(within(around, key_in(words, here)))
    }
}

/// Whether what has this functor has such an argument.
fn has_argument(functor: u64, i: u16) -> bool {
    usize::from(i) < Functor::from_cell(Cell(functor)).arity()
}

/// The key of what has one inside of a functor that is part of the key, if there is one.
fn within(functor: u64, key: u64) -> u64 {
    match (functor, key) {
        (_, ANY_KEY) | (ANY_KEY, _) => key,
        _ => key::both(functor, key),
    }
}

/// Where a pointer of a record leads, in words.
fn at(c: Cell) -> usize {
    c.address() as usize / 8
}

/// The dereferenced cell at a word of a record; a variable is a cell that refers to itself.
fn there(words: &[u64], mut i: usize) -> Cell {
    loop {
        let c = Cell(words[i]);
        if c.tag() != Tag::Ref || at(c) == i {
            return c;
        }
        i = at(c);
    }
}

/// As [`key_of`], of a term in a record.
fn key_in(words: &[u64], c: Cell) -> u64 {
    match c.tag() {
        Tag::Int | Tag::Con => c.0,
        Tag::Str => words[at(c)],
        Tag::Lst => LIST_KEY,
        // SAFETY: a box of the record.
        Tag::Box => unsafe { key::box_key(&raw const words[at(c)]) },
        _ => ANY_KEY,
    }
}
