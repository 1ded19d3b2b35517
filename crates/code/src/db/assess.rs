//! Which index helps: how many clauses a call would find by the keys at some places, estimated from some of the clauses.
//!
//! *Estimate*: of the `m` clauses of a sample `k` have keys at all places, and each of these shares its keys with `e` others of them on the average; `v`
//! match every key. So a call with the keys of a clause finds about `1 + (e + v) · (n-1)/(m-1)` of `n` clauses. (That is the mean over clauses, not
//! over keys: a key of many clauses is called for as often as it has clauses.) The clauses of a sample do not follow each other at regular distances:
//! neighbours are often alike.
//!
//! A call that has a structure with keys inside has its plan in common with calls that have the same functor there ([`Call::keyed`]): for these, clauses with another
//! one do not count, and that structure is looked into, however many other functors clauses have there.

use super::key::{Part, both};
use super::nodes::SAMPLE;
use super::place::{ARGUMENTS, Call, MOST_DEEP, Place};
use super::predicate::{ANY_KEY, Clause, ClauseList};
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
        let (mut keyed, mut any) = (0usize, 0usize);
        'clauses: for c in 0..m {
            let mut key = ANY_KEY;
            let mut is_any = false;
            for &p in places {
                match self.places[p].1[c] {
                    Part::Never => continue 'clauses,
                    Part::Any => is_any = true,
                    Part::Is(k) if key == ANY_KEY => key = k,
                    Part::Is(k) => key = both(key, k),
                }
            }
            if is_any {
                any += 1;
            } else {
                keyed += 1;
                *counts.entry(key).or_default() += 1;
            }
        }
        let pairs: usize = counts.values().map(|n| n * (n - 1)).sum();
        let others = pairs as f64 / keyed.max(1) as f64 + any as f64;
        1.0 + others * (self.of - 1) as f64 / (m - 1) as f64
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
