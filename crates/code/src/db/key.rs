//! Keys of first arguments: what tells clauses apart that a call may match.

use samite_term::{Cell, Functor, Tag};

/// Key of a first argument that is a variable: matches every key.
pub const ANY_KEY: u64 = 0;
/// Key of boxed values (floats, big numbers, strings): all alike, unification tells them apart.
pub const BOX_KEY: u64 = Tag::Box as u64;

/// The key of a dereferenced first argument: the cell of an atom or small integer, the functor of a compound.
///
/// # Safety
/// `c` is a dereferenced term of a live heap.
#[inline]
pub unsafe fn key_of(c: Cell) -> u64 {
    match c.tag() {
        Tag::Int | Tag::Con => c.0,
        // SAFETY: a structure starts with its functor.
        Tag::Str => unsafe { (*c.ptr()).0 },
        Tag::Lst => LIST_KEY,
        Tag::Box => BOX_KEY,
        _ => ANY_KEY,
    }
}

/// Key of a list cell.
pub const LIST_KEY: u64 = Functor::new(samite_term::atoms::DOT, 2).bits();

/// A hash of a key whose low bits depend on all bits of the key: the top bytes of the product, the highest first. (Shifted down by less, it would
/// know nothing of the key's high bits, and keys such as `I<<40` would be one chain.)
#[inline]
pub(crate) fn spread(key: u64) -> usize {
    key.wrapping_mul(0x9e37_79b9_7f4a_7c15).swap_bytes() as usize
}

/// Whether an index can tell clauses with this key from others.
pub(crate) fn is_own(key: u64) -> bool {
    key != ANY_KEY && key != BOX_KEY
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
    }
}
