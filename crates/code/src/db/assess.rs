//! Which index helps: how many clauses a call would find by the keys at some places, estimated from some of the clauses.
//!
//! *Estimate*: of the `m` clauses of a sample `k` have keys at all places, and each of these shares its keys with `e` others of them on the average; `v`
//! match every key. So a call with the keys of a clause finds about `1 + (e + v) · (n-1)/(m-1)` of `n` clauses. (That is the mean over clauses, not
//! over keys: a key of many clauses is called for as often as it has clauses.) Those with keys at some of the places count where these are the same, if there are so many that
//! they have [groups](super::apart), else for all. The clauses of a sample do not follow each other at regular distances:
//! neighbours are often alike.
//!
//! A call that has a structure with keys inside has its plan in common with calls that have the same functor there ([`Call::keyed`]): for these, clauses with another
//! one do not count, and that structure is looked into, however many other functors clauses have there.

use super::apart::Group;
use super::key::{Part, joined};
use super::nodes::SAMPLE;
use super::place::{ARGUMENTS, Call, MOST_DEEP, Place};
use super::predicate::{ANY_KEY, Clause, ClauseList, KeyIndex};
use rustc_hash::FxHashMap;

/// Places that an index looks at, at most.
const MOST_PLACES: usize = 4;
/// An index by which calls find so few clauses is good enough.
const GOOD: f64 = 4.0;

/// The places of the index that helps most, and those of a simpler one for calls that have no key at all of these; none: none helps.
#[derive(Default, Debug)]
pub(super) struct Advice {
    pub best: Vec<Place>,
    pub simple: Vec<Place>,
}

/// What some clauses have at places that might be of use.
struct Sample {
    clauses: Vec<&'static Clause>,
    /// A place, and what each of them has there.
    places: Vec<(Place, Vec<Part>)>,
    /// Clauses that there are.
    of: usize,
}

/// Which indexes would help calls with keys where this one has them. Caller holds the lock.
pub(super) fn advise(list: &ClauseList, call: &Call) -> Advice {
    let mut sample = Sample::of(list);
    for i in 0..call.arity.min(ARGUMENTS) {
        sample.look_at(Place::argument(i), call);
    }
    // What is found inside is looked into as well.
    let mut deep = MOST_DEEP;
    let mut i = 0;
    while i < sample.places.len() {
        let around = sample.places[i].0;
        let key = call.key_at(&around);
        if sample.some_are(i, key) {
            for place in around.parts(key, &mut deep) {
                sample.look_at(place, call);
            }
        }
        i += 1;
    }
    sample.advice()
}

impl Sample {
    fn of(list: &ClauseList) -> Sample {
        let (from, to) = list.bounds();
        let of = to - from;
        let clauses = if of <= SAMPLE {
            list.alive().collect()
        } else {
            let mut at = 0u64;
            let picked = (0..2 * SAMPLE).filter_map(|_| {
                // The high bits of a linear congruential generator (Knuth, TAOCP 2, 3.3.4, table 1, line 26).
                at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let i = from + ((u128::from(at) * of as u128) >> 64) as usize;
                list.at(i).ok().filter(|c| !c.is_erased())
            });
            picked.take(SAMPLE).collect()
        };
        Sample {
            clauses,
            places: Vec::new(),
            of,
        }
    }
    /// Looks at a place too, if the call has a key there.
    fn look_at(&mut self, place: Place, call: &Call) {
        let key = call.key_at(&place);
        if key == ANY_KEY {
            return;
        }
        let is_planned_for = call.has_keys_inside(&place, key);
        let parts = self.clauses.iter().map(|c| match c.part_at(place) {
            Part::Is(k) if is_planned_for && k != key => Part::Never,
            part => part,
        });
        let parts = parts.collect();
        self.places.push((place, parts));
    }
    /// Whether clauses have this key at a place.
    fn some_are(&self, i: usize, key: u64) -> bool {
        let mut parts = self.places[i].1.iter();
        parts.any(|part| matches!(part, Part::Is(k) if *k == key))
    }
    /// How many clauses a call finds by its keys at these places.
    fn found(&self, places: &[usize]) -> f64 {
        let m = self.clauses.len();
        if m < 2 {
            return m as f64;
        }
        let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
        let mut groups: FxHashMap<Group, usize> = FxHashMap::default();
        let (mut keyed, mut any) = (Vec::new(), 0usize);
        'clauses: for c in 0..m {
            let mut key = ANY_KEY;
            let mut mask = 0u8;
            for (i, &p) in places.iter().enumerate() {
                match self.places[p].1[c] {
                    Part::Never => continue 'clauses,
                    Part::Any => {}
                    Part::Is(k) => {
                        key = joined(key, k);
                        mask |= 1 << i;
                    }
                }
            }
            if mask == 0 {
                any += 1;
            } else if mask.count_ones() as usize == places.len() {
                keyed.push(c);
                *counts.entry(key).or_default() += 1;
            } else {
                *groups.entry(Group { mask, key }).or_default() += 1;
            }
        }
        let pairs: usize = counts.values().map(|n| n * (n - 1)).sum();
        let mut others = pairs as f64 / keyed.len().max(1) as f64 + any as f64;
        if !groups.is_empty() {
            others += self.of_groups(places, &keyed, &groups);
        }
        1.0 + others * (self.of - 1) as f64 / (m - 1) as f64
    }
    /// How many clauses with keys at some of these places a call finds by those of a clause that has all.
    fn of_groups(
        &self,
        places: &[usize],
        keyed: &[usize],
        groups: &FxHashMap<Group, usize>,
    ) -> f64 {
        let all: usize = groups.values().sum();
        if !KeyIndex::groups(all * self.of / self.clauses.len()) {
            return all as f64;
        }
        if keyed.is_empty() {
            // Those of its own.
            let same: usize = groups.values().map(|n| n * n).sum();
            return same as f64 / all as f64;
        }
        let mut masks: Vec<u8> = groups.keys().map(|group| group.mask).collect();
        masks.sort_unstable();
        masks.dedup();
        let key_of = |c: usize, mask: u8| {
            let known = places
                .iter()
                .enumerate()
                .filter(|(i, _)| mask & 1 << i != 0);
            known.fold(ANY_KEY, |key, (_, &p)| match self.places[p].1[c] {
                Part::Is(k) => joined(key, k),
                Part::Any | Part::Never => key,
            })
        };
        let found = keyed.iter().flat_map(|&c| {
            let its = masks.iter().map(move |&mask| Group {
                mask,
                key: key_of(c, mask),
            });
            its.filter_map(|group| groups.get(&group))
        });
        found.sum::<usize>() as f64 / keyed.len() as f64
    }
    fn advice(self) -> Advice {
        let none = self.of as f64;
        let least = |start: &[usize], among: &dyn Fn(Place) -> bool| {
            let more =
                (0..self.places.len()).filter(|p| !start.contains(p) && among(self.places[*p].0));
            let sets = more.map(|p| [start, &[p]].concat());
            let known = sets.map(|s| (self.found(&s), s));
            known.min_by(|a, b| a.0.total_cmp(&b.0))
        };
        let Some((mut found, mut best)) = least(&[], &|_| true) else {
            return Advice::default();
        };
        while found > GOOD
            && best.len() < MOST_PLACES
            && let Some((n, more)) = least(&best, &|_| true)
            && 2.0 * n <= found
        {
            (found, best) = (n, more);
        }
        let helps = |n: f64| 1.5 * n <= none;
        let simple = least(&[], &|p| p.is_whole()).filter(|(n, s)| helps(*n) && *s != best);
        let places = |set: &[usize]| set.iter().map(|&p| self.places[p].0).collect();
        Advice {
            best: if helps(found) {
                places(&best)
            } else {
                Vec::new()
            },
            simple: simple.map_or_else(Vec::new, |(_, s)| places(&s)),
        }
    }
}
