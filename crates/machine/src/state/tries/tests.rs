//! Tries from one thread: walks, sizes and changes against a model.

use super::super::tokens::{is_variable, variable_token};
use super::*;
use samite_term::{Functor, Kind};
use std::collections::BTreeMap;

fn f(arity: usize) -> u64 {
    Functor::new(Atom::new("tries_f"), arity).bits()
}
fn n(i: i64) -> u64 {
    Cell::small(i).0
}
fn v(i: usize) -> u64 {
    variable_token(i)
}
fn float(x: f64) -> [u64; 2] {
    [Cell::header(Kind::Float, 0).0, x.to_bits()]
}

/// All terms of some depth, as tokens whose variables are numbered anew.
fn terms() -> Vec<Vec<u64>> {
    let leaves: Vec<Vec<u64>> = vec![
        vec![n(-1)],
        vec![n(0)],
        vec![n(7)],
        vec![Cell::NIL.0],
        float(0.0).to_vec(),
        float(1.5).to_vec(),
        vec![v(0)],
        vec![v(1)],
    ];
    let mut all = leaves.clone();
    for a in &leaves {
        all.push([&[f(1)][..], a].concat());
        for b in &leaves {
            all.push([&[f(2)][..], a, b].concat());
            all.push([&[super::super::tokens::LIST, f(1)][..], a, b].concat());
        }
    }
    let mut all: Vec<_> = all.into_iter().map(renumbered).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn renumbered(tokens: Vec<u64>) -> Vec<u64> {
    let mut seen: Vec<u64> = Vec::new();
    let mut out = tokens.clone();
    let mut at = 0;
    while at < out.len() {
        let words = extent(out[at]).0;
        if is_variable(Cell(out[at])) {
            let i = seen.iter().position(|&s| s == out[at]).unwrap_or_else(|| {
                seen.push(out[at]);
                seen.len() - 1
            });
            out[at] = v(i);
        }
        at += words;
    }
    out
}

/// Whether they unify, each variable being another one.
fn alike(a: &[u64], b: &[u64], i: &mut usize, j: &mut usize) -> bool {
    if is_variable(Cell(a[*i])) || is_variable(Cell(b[*j])) {
        (*i, *j) = (end_of_term(a, *i), end_of_term(b, *j));
        return true;
    }
    let (words, arguments) = extent(a[*i]);
    if b.get(*j..*j + words) != Some(&a[*i..*i + words]) {
        return false;
    }
    (*i, *j) = (*i + words, *j + words);
    (0..arguments).all(|_| alike(a, b, i, j))
}

/// Those that unify with a pattern, in order.
fn matching(all: &[Vec<u64>], pattern: &[u64]) -> Vec<Vec<u64>> {
    let mut all = all.to_vec();
    all.retain(|t| alike(pattern, t, &mut 0, &mut 0));
    all.sort_unstable();
    all
}

/// A walk as the builtins walk.
struct Going {
    pattern: Vec<u64>,
    age: u64,
    most: usize,
    ahead: Vec<u64>,
    at: usize,
    first: Option<Vec<u64>>,
}

impl Going {
    fn new(trie: &Trie, pattern: &[u64], most: usize) -> Going {
        let mut going = Going {
            pattern: pattern.to_vec(),
            age: trie.age(),
            most,
            ahead: Vec::new(),
            at: 0,
            first: None,
        };
        going.find(trie, Start::First);
        going
    }
    fn find(&mut self, trie: &Trie, start: Start) {
        let batch = trie.batch(start, &self.pattern, self.age, self.most);
        self.at = FIRST_ITEM;
        match batch.unwrap() {
            Some(Batch { first, ahead }) => {
                assert_eq!(Ahead(&ahead).age(), self.age);
                self.ahead = ahead;
                self.first = Some(first.words().to_vec());
            }
            None => self.ahead.clear(),
        }
    }
    /// Whether it may have another solution.
    fn goes_on(&self) -> bool {
        self.first.is_some() || Ahead(&self.ahead).item(self.at).is_some()
    }
    fn step(&mut self, trie: &Trie) -> Option<Vec<u64>> {
        // (What is found first is returned at once by who asks for it. Here something may have happened in between.)
        if let Some(first) = self.first.take() {
            if self.is_as_found(trie) {
                return Some(first);
            }
            self.find(trie, Start::Key(&first));
            return self.first.take();
        }
        let words = self.ahead.clone();
        match Ahead(&words).item(self.at)? {
            Item::Entry { key, next, .. } if self.is_as_found(trie) => {
                self.at = next;
                return Some(key.to_vec());
            }
            Item::Entry { key, .. } => self.find(trie, Start::Key(key)),
            Item::Onward(start) => self.find(trie, start),
        }
        self.first.take()
    }
    fn is_as_found(&self, trie: &Trie) -> bool {
        trie.changes() == Ahead(&self.ahead).changes()
    }
}

fn walked(trie: &Trie, pattern: &[u64]) -> Vec<Vec<u64>> {
    let mut going = Going::new(trie, pattern, 3);
    let mut all = Vec::new();
    while going.goes_on() {
        all.extend(going.step(trie));
    }
    all
}

#[test]
fn a_walk_finds_what_unifies_in_few_steps() {
    let tries = Tries::default();
    tries.add(1).unwrap();
    let trie = tries.get(1).unwrap();
    let all = terms();
    for t in &all {
        assert!(matches!(
            trie.put(&tries, t, None, How::Insert),
            Ok(Put::Done { .. })
        ));
        assert!(matches!(
            trie.put(&tries, t, None, How::Insert),
            Ok(Put::There)
        ));
    }
    for pattern in &all {
        assert_eq!(
            walked(&trie, pattern),
            matching(&all, pattern),
            "{pattern:x?}"
        );
    }
}

#[test]
fn nodes_and_forks_are_those_of_a_tree() {
    let tries = Tries::default();
    tries.add(1).unwrap();
    let trie = tries.get(1).unwrap();
    for t in [
        &[n(1)][..],
        &[f(2), n(1), n(2)],
        &[f(2), n(1), n(3)],
        &[f(2), v(0), v(0)],
        &[&[f(1)][..], &float(0.5)].concat(),
    ] {
        let _ = trie.put(&tries, t, None, How::Insert);
    }
    let sizes = trie.sizes().unwrap();
    assert_eq!((sizes.values, sizes.nodes, sizes.forks), (5, 10, 3));
}

#[test]
fn what_is_younger_than_a_walk_is_not_met() {
    let tries = Tries::default();
    tries.add(1).unwrap();
    let trie = tries.get(1).unwrap();
    for i in [1, 3] {
        let _ = trie.put(&tries, &[n(i)], None, How::Insert);
    }
    let age = trie.age();
    let _ = trie.put(&tries, &[n(2)], None, How::Insert);
    let entry = trie.get(&[n(3)]).unwrap();
    assert!(trie.take_out(&tries, &entry) && !trie.take_out(&tries, &entry));
    let batch = trie.batch(Start::First, &[v(0)], age, 9).unwrap().unwrap();
    assert_eq!(batch.first.words(), [n(1)]);
    assert!(Ahead(&batch.ahead).item(FIRST_ITEM).is_none());
    assert!(tries.remove(1) && !tries.remove(1));
    assert!(matches!(
        trie.put(&tries, &[n(5)], None, How::Insert),
        Ok(Put::Closed)
    ));
}

/// A trie that changes while several walk, with and without an order, and another representation of it beside.
#[test]
fn walks_beside_changes_keep_what_they_promise() {
    let keys = terms();
    let mut random = 1u64;
    let mut below = |n: usize| {
        random = random
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (random >> 33) as usize % n
    };
    for round in 0..60 {
        let tries = Tries::default();
        tries.add(1).unwrap();
        let trie = tries.get(1).unwrap();
        let mut model: BTreeMap<Vec<u64>, usize> = BTreeMap::new();
        // With what each may still come to.
        let mut walks: Vec<(Going, Vec<Vec<u64>>)> = Vec::new();
        for step in 0..600 {
            let key = &keys[below(keys.len())];
            match below(if round % 2 == 0 { 9 } else { 40 }) {
                0 => {
                    let pattern = keys[below(keys.len())].clone();
                    let known: Vec<_> = model.keys().cloned().collect();
                    let expected = matching(&known, &pattern);
                    walks.push((Going::new(&trie, &pattern, 1 + below(4)), expected));
                }
                1..=3 if !walks.is_empty() => {
                    let i = below(walks.len());
                    let (going, expected) = &mut walks[i];
                    let found = going.step(&trie);
                    assert_eq!(found.as_ref(), expected.first(), "round {round}");
                    if found.is_some() {
                        expected.remove(0);
                    }
                    if !going.goes_on() {
                        assert!(expected.is_empty());
                        walks.swap_remove(i);
                    }
                }
                4 | 5 => {
                    let there = trie.get(key);
                    assert_eq!(there.is_some(), model.remove(key).is_some());
                    if let Some(entry) = there {
                        assert!(trie.take_out(&tries, &entry));
                        for (_, expected) in &mut walks {
                            expected.retain(|k| k != key);
                        }
                    }
                }
                _ => {
                    let how = if below(2) == 0 {
                        How::Update
                    } else {
                        How::Insert
                    };
                    let done = trie.put(&tries, key, None, how).unwrap();
                    let new = model.insert(key.clone(), step).is_none();
                    assert_eq!(matches!(done, Put::Done { .. }), new || how == How::Update);
                }
            }
            assert_eq!(trie.len(), model.len());
        }
        let all: Vec<_> = model.keys().cloned().collect();
        assert_eq!(walked(&trie, &[v(0)]), all);
    }
}
