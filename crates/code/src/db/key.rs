//! Keys of terms: what tells clauses apart that a call may match.
//!
//! *Equation*: terms that unify, neither of them a variable, have the same key. (Not the other way round: structures with one functor have one key, and
//! boxed values are told apart by a hash.)

use samite_term::cell::TAG_MASK;
use samite_term::{Cell, Functor, Tag};

/// Key of a variable: matches every key.
pub const ANY_KEY: u64 = 0;

/// What a clause has at a place of its head ([`super::place`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// What is not known, or a variable: every call may match.
    Any,
    /// Calls with this key.
    Is(u64),
    /// None that have a key there: another functor is around it.
    Never,
}

impl Part {
    pub(crate) fn of_key(key: u64) -> Part {
        match key {
            ANY_KEY => Part::Any,
            key => Part::Is(key),
        }
    }
}

/// The key of a dereferenced term: the cell of an atom or small integer, the functor of a compound, a hash of what a box holds.
///
/// # Safety
/// `c` is a dereferenced term of a live heap, or of a record that has been relocated.
#[inline]
pub unsafe fn key_of(c: Cell) -> u64 {
    match c.tag() {
        Tag::Int | Tag::Con => c.0,
        // SAFETY: a structure starts with its functor.
        Tag::Str => unsafe { (*c.ptr()).0 },
        Tag::Lst => LIST_KEY,
        // SAFETY: a box starts with its header.
        Tag::Box => unsafe { box_key(c.ptr().cast()) },
        _ => ANY_KEY,
    }
}

/// Key of a list cell.
pub const LIST_KEY: u64 = Functor::new(samite_term::atoms::DOT, 2).bits();

/// Words of a long box that its key depends on, at each end.
const ENDS: usize = 8;

/// The key of a float, big number, rational or string: the header, which says how long it is, and words of it.
///
/// # Safety
/// `at` is the header of a box, and its words follow.
#[cold]
#[inline(never)]
pub unsafe fn box_key(at: *const u64) -> u64 {
    // SAFETY: the caller's promise.
    let words = unsafe { std::slice::from_raw_parts(at, 1 + Cell(*at).box_words()) };
    let n = words.len();
    let last = &words[n.min(ENDS).max(n.saturating_sub(ENDS))..];
    let hash = (words[..n.min(ENDS)].iter().chain(last)).fold(0, |hash, w| fold(hash ^ w, MIX));
    hash & !TAG_MASK | Tag::Box as u64
}

/// Whether it is the key of a boxed value.
pub(crate) fn is_box(key: u64) -> bool {
    key & TAG_MASK == Tag::Box as u64
}

/// Odd, and as many ones as zeros: the golden ratio.
pub(super) const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// Both halves of the product: each bit of it depends on all bits of both.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let p = u128::from(a) * u128::from(b);
    (p >> 64) as u64 ^ p as u64
}

/// A hash of a key whose 32 bits depend on all bits of the key: a product, its upper half added to the lower, and the upper half of the product of
/// that. (One product is not enough: of keys such as `I<<40` it knows something in a few of its bits only, and
/// where more of them are to be told apart than these are, some place leads to many. That of [`spread_by`] takes more registers.)
#[inline]
pub(crate) fn spread(key: u64) -> usize {
    let product = key.wrapping_mul(MIX);
    ((product ^ product >> 32).wrapping_mul(MIX) >> 32) as usize
}

/// Another one, by a seed that is not known outside; any bits of it depend on all bits of the key.
#[inline]
pub(crate) fn spread_by(seed: u64, key: u64) -> usize {
    fold(key ^ seed, MIX) as usize
}

/// One key for two, in their order; never [`ANY_KEY`].
pub(crate) fn both(first: u64, second: u64) -> u64 {
    fold(first.rotate_left(32) ^ MIX, second ^ MIX) | 1
}

/// The same where the first may be none.
pub(crate) fn joined(first: u64, second: u64) -> u64 {
    match first {
        ANY_KEY => second,
        first => both(first, second),
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::spread;
    use std::collections::HashSet;

    #[test]
    fn keys_that_differ_in_any_bits_are_spread() {
        for shift in 2..=50 {
            let keys = (0..4096u64).map(|n| n << shift | 3);
            let slots: HashSet<usize> = keys.map(|k| spread(k) & 8191).collect();
            // 3,223 are to be expected of a random function.
            assert!(slots.len() > 1200, "shift {shift}: {} slots", slots.len());
        }
        // Many keys, as many as there are small integers of that kind.
        for shift in 2..=46 {
            let n = 1u64 << (64 - shift).min(17);
            let keys = (0..n).map(|n| n << shift | 3);
            let slots: HashSet<usize> = keys.map(|k| spread(k) & (2 * n as usize - 1)).collect();
            assert!(
                5 * slots.len() as u64 > 3 * n,
                "{n} keys, shift {shift}: {} slots",
                slots.len()
            );
        }
    }
}
