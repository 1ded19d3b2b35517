//! Tables that hand out numbers for what is put in, which lead to it until it is taken out, and nowhere ever after: a place of a vector, and
//! how many have had it before.
//!
//! ```text
//! number = generation << 32 | place + 1           of what is, or was, in the table
//! number = n >> 31 << 32 | 1 << 31 | n % (1 << 31)     the nth that never led anywhere
//! ```
//!
//! Invariants:
//! 1. A place that is empty has a generation that no number of it has been handed out with; [`Slots::first`] is above the generations of all places from
//!    [`Slots::offset`] on that there have been and are not there any more; those before that never come again. So no number is handed out twice.
//! 2. A place whose generations are used up ([`LAST`]) stays empty, and is not in the list of free ones.
//! 3. `free` leads through all other empty places.
//!
//! What is taken out needs no memory for that. When the last is, the table may be given back ([`Slots::shrink`]): the places of the next one have generations
//! behind those of before, or, where one of these has had half of them, other numbers.

use crate::growth;

/// The last generation: numbers have 56 bits ([`crate::Handle`]).
const LAST: u32 = (1 << 24) - 1;
/// From this place on they are those of numbers that never lead anywhere.
const NOWHERE: u32 = 1 << 31;
/// The end of the list of free places.
const NONE: u32 = u32::MAX;

#[derive(Debug)]
struct Slot<T> {
    state: State<T>,
    generation: u32,
}

#[derive(Debug)]
enum State<T> {
    Empty { next: u32 },
    Full(T),
}

/// See the module text.
#[derive(Debug)]
pub struct Slots<T> {
    slots: Vec<Slot<T>>,
    /// The first place.
    offset: u32,
    /// How far from it the first free one is.
    free: u32,
    full: u32,
    /// The generation of a place that is new.
    first: u32,
    /// The newest generation of all places.
    newest: u32,
    /// How many numbers there have been that never led anywhere.
    nowhere: u64,
}

impl<T> Default for Slots<T> {
    fn default() -> Slots<T> {
        Slots {
            slots: Vec::new(),
            offset: 0,
            free: NONE,
            full: 0,
            first: 0,
            newest: 0,
            nowhere: 0,
        }
    }
}

fn number(place: u32, generation: u32) -> u64 {
    u64::from(generation) << 32 | u64::from(place + 1)
}

impl<T> Slots<T> {
    /// Bytes that the table has.
    pub fn bytes(&self) -> usize {
        growth::vec_bytes(&self.slots)
    }
    /// How many places there have been.
    fn places(&self) -> usize {
        self.offset as usize + self.slots.len()
    }
    /// Where a place is; beyond all slots if it is not there any more.
    #[inline]
    fn index(&self, place: u32) -> usize {
        place.wrapping_sub(self.offset) as usize
    }
    /// Makes room for one more; false: there is none, as `ask` says.
    #[inline]
    pub fn have_room(&mut self, ask: impl FnOnce(usize) -> bool) -> bool {
        self.free != NONE
            || (self.places() < NOWHERE as usize - 1 && growth::vec_room(&mut self.slots, ask))
    }
    /// Puts something in, for which there is room; its place.
    #[inline]
    pub fn insert(&mut self, value: T) -> u32 {
        self.full += 1;
        let state = State::Full(value);
        if let Some(slot) = self.slots.get_mut(self.free as usize) {
            let place = self.offset + self.free;
            if let State::Empty { next } = slot.state {
                self.free = next;
            }
            slot.state = state;
            return place;
        }
        debug_assert!(self.slots.len() < self.slots.capacity());
        let generation = self.first;
        self.slots.push(Slot { state, generation });
        (self.places() - 1) as u32
    }
    /// The number of a place.
    #[inline]
    pub fn number(&self, place: u32) -> u64 {
        number(place, self.slots[self.index(place)].generation)
    }
    /// A number that leads nowhere.
    pub fn number_of_nothing(&mut self) -> u64 {
        let n = self.nowhere;
        self.nowhere += 1;
        let half = u64::from(NOWHERE);
        (n / half) << 32 | half | (n % half)
    }
    /// What is at a place.
    #[inline]
    pub fn at(&self, place: u32) -> Option<&T> {
        match &self.slots.get(self.index(place))?.state {
            State::Full(value) => Some(value),
            State::Empty { .. } => None,
        }
    }
    /// What a number leads to.
    #[inline]
    pub fn get(&self, number: u64) -> Option<&T> {
        let place = (number as u32).wrapping_sub(1);
        let slot = self.slots.get(self.index(place))?;
        match &slot.state {
            State::Full(value) if u64::from(slot.generation) == number >> 32 => Some(value),
            _ => None,
        }
    }
    /// Takes out what is at a place: its number leads nowhere from now on.
    #[inline]
    pub fn remove(&mut self, place: u32) -> Option<T> {
        let index = self.index(place);
        let slot = self.slots.get_mut(index)?;
        if matches!(slot.state, State::Empty { .. }) {
            return None;
        }
        let spent = slot.generation == LAST;
        let next = if spent { NONE } else { self.free };
        let old = std::mem::replace(&mut slot.state, State::Empty { next });
        if !spent {
            slot.generation += 1;
            self.newest = self.newest.max(slot.generation);
            self.free = index as u32;
        }
        self.full -= 1;
        match old {
            State::Full(value) => Some(value),
            State::Empty { .. } => None,
        }
    }
    /// Takes out what a number leads to.
    #[inline]
    pub fn take(&mut self, number: u64) -> Option<T> {
        self.get(number)?;
        self.remove(number as u32 - 1)
    }
    /// Gives an empty table back if it is large.
    #[inline]
    pub fn shrink(&mut self) {
        if self.full == 0 && self.bytes() > growth::LITTLE {
            if self.newest < LAST / 2 {
                // The generations of empty places have not been handed out.
                self.first = self.newest;
            } else if self.places() < NOWHERE as usize / 2 {
                (self.offset, self.first, self.newest) = (self.places() as u32, 0, 0);
            } else {
                return;
            }
            self.free = NONE;
            self.slots = Vec::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn add(s: &mut Slots<u64>, x: u64) -> (u32, u64) {
        assert!(s.have_room(|_| true));
        let place = s.insert(x);
        (place, s.number(place))
    }

    #[test]
    fn numbers_lead_to_what_they_were_handed_out_for() {
        let mut s = Slots::default();
        let (mut seen, mut there) = (HashSet::new(), Vec::new());
        let mut random = 1u64;
        for round in 0..20_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005) + 1;
            if random >> 62 != 0 && round % 5_000 < 3_000 {
                let (place, n) = add(&mut s, round);
                assert!(seen.insert(n) && n <= crate::Handle::MAX_NUMBER);
                there.push((place, n, round));
            } else if !there.is_empty() {
                let (place, n, x) = there.swap_remove((random >> 33) as usize % there.len());
                assert!(s.get(n) == Some(&x) && s.at(place) == Some(&x));
                assert_eq!(s.remove(place), Some(x));
                assert!(s.get(n).is_none() && s.at(place).is_none());
                assert!(s.take(n).is_none() && s.remove(place).is_none());
                s.shrink();
            }
            assert!(there.iter().all(|(_, n, x)| s.get(*n) == Some(x)));
            if round % 100 == 0 {
                assert!(seen.insert(s.number_of_nothing()));
            }
        }
        let alive: HashSet<u64> = there.iter().map(|t| t.1).collect();
        assert!(
            seen.iter()
                .all(|n| s.get(*n).is_some() == alive.contains(n))
        );
    }

    #[test]
    fn a_table_given_back_hands_out_no_number_again() {
        let mut s = Slots::default();
        let mut seen = HashSet::new();
        for _ in 0..3 {
            let added: Vec<(u32, u64)> = (0..2_000).map(|i| add(&mut s, i)).collect();
            assert!(added.iter().all(|(_, n)| seen.insert(*n)));
            added.iter().for_each(|(place, _)| {
                s.remove(*place);
            });
            s.shrink();
            assert_eq!(s.bytes(), 0);
        }
    }

    /// A place that has been used nearly as often as it may be leaves those of the next table all of theirs.
    #[test]
    fn places_that_are_used_up_leave_others_theirs() {
        let mut s = Slots::default();
        let (place, old) = add(&mut s, 0);
        s.slots[0].generation = LAST - 1;
        let worn = s.number(place);
        s.remove(place);
        let added: Vec<(u32, u64)> = (0..2_000).map(|i| add(&mut s, i)).collect();
        added.iter().for_each(|(place, _)| _ = s.remove(*place));
        s.shrink();
        assert_eq!(s.bytes(), 0);
        let mut seen: HashSet<u64> = added.iter().map(|a| a.1).chain([old, worn]).collect();
        for i in 0..5_000 {
            let (place, n) = add(&mut s, i);
            assert!(seen.insert(n) && s.get(n) == Some(&i) && s.at(place) == Some(&i));
            assert_eq!(s.take(n), Some(i));
            s.shrink();
        }
        assert_eq!(s.slots.len(), 1);
        assert!(
            [old, worn]
                .iter()
                .all(|n| s.get(*n).is_none() && s.take(*n).is_none())
        );
    }

    #[test]
    fn a_place_whose_generations_are_used_up_stays_empty() {
        let mut s = Slots::default();
        let (place, _) = add(&mut s, 0);
        s.slots[0].generation = LAST;
        let last = s.number(place);
        assert_eq!((last, s.remove(place)), (number(0, LAST), Some(0)));
        assert!(s.get(last).is_none());
        assert_eq!(add(&mut s, 1), (1, 2));
        assert_eq!(s.take(2), Some(1));
    }

    #[test]
    fn numbers_of_nothing_lead_nowhere() {
        let mut s = Slots::default();
        add(&mut s, 0);
        let half = u64::from(NOWHERE);
        for n in [0, 1, half - 1, half, 5 * half + 3] {
            s.nowhere = n;
            let number = s.number_of_nothing();
            assert!(number <= crate::Handle::MAX_NUMBER && s.get(number).is_none());
            assert_eq!(number & half, half);
        }
    }
}
