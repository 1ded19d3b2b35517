//! Keys of tries, their hash, and which of them may unify with a pattern.

use super::super::tokens::{count_of_variables, end_of_term, extent, is_variable, variable_token};
use samite_term::Cell;
use samite_world::random;
use std::hash::{BuildHasher, Hasher};

/// So many words of a key are where its entry is.
const FEW: usize = 3;

/// The first words of a key, and zeros: of two keys that differ in these, the one that has the lesser ones is the lesser one. (Neither is the beginning of the other.)
pub(super) type Head = [u64; FEW];

pub(super) fn head(words: &[u64]) -> Head {
    let mut head = [0; FEW];
    for (h, &w) in head.iter_mut().zip(words) {
        *h = w;
    }
    head
}

/// A sequence of tokens that is kept.
#[derive(Clone, Debug)]
pub(crate) enum Key {
    Few(u8, [u64; FEW]),
    Many(Box<[u64]>),
}

impl Key {
    pub(crate) fn new(tokens: &[u64]) -> Key {
        let n = tokens.len();
        if n > FEW {
            return Key::Many(tokens.into());
        }
        let mut words = [0; FEW];
        words[..n].copy_from_slice(tokens);
        Key::Few(n as u8, words)
    }
    #[inline]
    pub(crate) fn words(&self) -> &[u64] {
        match self {
            Key::Few(n, words) => &words[..usize::from(*n).min(FEW)],
            Key::Many(words) => words,
        }
    }
    /// Bytes beside the key itself that so many words take.
    pub(crate) fn apart(words: usize) -> usize {
        if words > FEW { 8 * words + 16 } else { 0 }
    }
}

/// Makes hashes of sequences. Seeded: keys come from input, and nobody is to know which of them meet.
#[derive(Clone, Default)]
pub(crate) struct Hashing;

/// See [`Hashing`]: a product for each word and one at the end, both halves of which are kept, so that each bit of the hash depends on all bits of all words.
pub(crate) struct Hash(u64);

/// The golden ratio; odd.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline]
fn fold(word: u64) -> u64 {
    let p = u128::from(word) * u128::from(MIX);
    (p >> 64) as u64 ^ p as u64
}

impl BuildHasher for Hashing {
    type Hasher = Hash;
    #[inline]
    fn build_hasher(&self) -> Hash {
        Hash(random::of_process())
    }
}

impl Hasher for Hash {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        for w in words {
            self.write_u64(u64::from_ne_bytes(*w));
        }
        for b in rest {
            self.write_u64((*b).into());
        }
    }
    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 = fold(self.0 ^ word);
    }
    #[inline]
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
    #[inline]
    fn finish(&self) -> u64 {
        fold(self.0)
    }
}

/// Whether two sequences are the same; most are short.
#[inline]
pub(super) fn same(a: &[u64], b: &[u64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x == y)
}

/// Whether there is a variable in it.
pub(crate) fn has_variables(tokens: &[u64]) -> bool {
    let mut at = 0;
    while let Some(&token) = tokens.get(at) {
        if is_variable(Cell(token)) {
            return true;
        }
        at += extent(token).0;
    }
    false
}

/// The words of a pattern before its first variable, if there is nothing but variables behind them.
pub(super) fn beginning(pattern: &[u64]) -> Option<&[u64]> {
    let mut at = 0;
    while !is_variable(Cell(*pattern.get(at)?)) {
        at += extent(pattern[at]).0;
    }
    let (beginning, rest) = pattern.split_at(at);
    rest.iter()
        .all(|&t| is_variable(Cell(t)))
        .then_some(beginning)
}

/// Whether a key may unify with a pattern, as far as that is seen without bindings: a variable of either stands for anything. If not, the first place behind it
/// where one that does may be.
#[inline]
pub(super) fn fits(pattern: &[u64], key: &[u64]) -> Result<(), Vec<u64>> {
    let (mut p, mut k) = (0, 0);
    while p < pattern.len() {
        if pattern[p] == key[k] && extent(pattern[p]).0 == 1 {
            p += 1;
            k += 1;
        } else if is_variable(Cell(pattern[p])) {
            p += 1;
            k = end_of_term(key, k);
        } else if is_variable(Cell(key[k])) {
            k += 1;
            p = end_of_term(pattern, p);
        } else {
            let wanted = &pattern[p..p + extent(pattern[p]).0];
            let found = &key[k..k + extent(key[k]).0];
            if !same(wanted, found) {
                return Err(place_behind(&key[..k], found, wanted));
            }
            p += wanted.len();
            k += found.len();
        }
    }
    Ok(())
}

/// The first place behind `found`, of what begins as `before`, where `wanted` or a variable is; or else behind all that begins so.
#[cold]
fn place_behind(before: &[u64], found: &[u64], wanted: &[u64]) -> Vec<u64> {
    // The variables there are numbered from 0, and the next one has the next number.
    let variables = count_of_variables(before);
    let from = (found[0] >> 8) as usize;
    let number = if variable_token(from) > found[0] {
        from
    } else {
        from + 1
    };
    let variable = [variable_token(number)];
    let variable = (number <= variables).then_some(&variable[..]);
    let wanted = Some(wanted).filter(|&w| w > found);
    // (No token is this.)
    let end = [u64::MAX];
    let next = [variable, wanted].into_iter().flatten().min();
    [before, next.unwrap_or(&end)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_key_is_the_words_that_it_was_made_of() {
        for n in 0..8 {
            let words: Vec<u64> = (0..n).collect();
            assert_eq!(Key::new(&words).words(), words);
        }
    }

    #[test]
    fn beginnings_are_what_is_before_the_variables() {
        let (a, b) = (Cell::small(1).0, Cell::small(2).0);
        let v = variable_token;
        // (The second word of a float is none of a variable.)
        let float = [Cell::header(samite_term::Kind::Float, 0).0, v(0)];
        assert_eq!(beginning(&[a, v(0), v(1)]), Some(&[a][..]));
        assert_eq!(beginning(&[v(0)]), Some(&[][..]));
        assert_eq!(beginning(&[a, v(0), b]), None);
        assert_eq!(beginning(&[a, b]), None);
        assert_eq!(beginning(&[&float[..], &[v(0)]].concat()), Some(&float[..]));
    }

    #[test]
    fn hashes_of_keys_that_differ_in_any_bits_are_spread() {
        for shift in 3..=50 {
            for place in 0..3 {
                let hashes = (0..4096u64).map(|n| {
                    let mut words = [8, 16, 24];
                    words[place] = n << shift;
                    Hashing.hash_one(&words[..])
                });
                let slots: HashSet<u64> = hashes.map(|h| h & 8191).collect();
                // 3,223 are to be expected of a random function.
                assert!(slots.len() > 2700, "shift {shift}: {} slots", slots.len());
            }
        }
    }
}
