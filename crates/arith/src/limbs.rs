//! Sums, differences and small multiples of big integers given as little-endian 64-bit limbs, written where the caller wants them:
//! the machine's frequent operations on big integers, without a detour through the library's own representation.
//! Schoolbook algorithms (Knuth, The Art of Computer Programming, vol. 2, 4.3.1). Called by the machine's arithmetic only.
//!
//! Numbers have no leading zero limb; results may have one or more, for the caller to drop.

use std::cmp::Ordering;

/// Compares magnitudes.
pub fn compare(a: &[u64], b: &[u64]) -> Ordering {
    if a.len() != b.len() {
        return a.len().cmp(&b.len());
    }
    // What is equal is passed in pieces.
    let mut pieces = a.rchunks(PIECE).zip(b.rchunks(PIECE));
    match pieces.find(|(x, y)| x != y) {
        Some((x, y)) => x.iter().rev().cmp(y.iter().rev()),
        None => Ordering::Equal,
    }
}

const PIECE: usize = 32;

/// `out := a + b`. `a` is at least as long as `b`; `out` has one limb more than `a`.
pub fn add(out: &mut [u64], a: &[u64], b: &[u64]) {
    let (low, high) = a.split_at(b.len());
    let mut carry = false;
    let mut place = out.iter_mut();
    for ((&x, &y), o) in low.iter().zip(b).zip(&mut place) {
        let (s, c1) = x.overflowing_add(y);
        let (s, c2) = s.overflowing_add(u64::from(carry));
        *o = s;
        carry = c1 | c2;
    }
    for (&x, o) in high.iter().zip(&mut place) {
        let (s, c) = x.overflowing_add(u64::from(carry));
        *o = s;
        carry = c;
    }
    if let Some(o) = place.next() {
        *o = u64::from(carry);
    }
}

/// `out := a - b`. `a` is not less than `b`; `out` is as long as `a`.
pub fn sub(out: &mut [u64], a: &[u64], b: &[u64]) {
    let (low, high) = a.split_at(b.len());
    let mut borrow = false;
    let mut place = out.iter_mut();
    for ((&x, &y), o) in low.iter().zip(b).zip(&mut place) {
        let (d, b1) = x.overflowing_sub(y);
        let (d, b2) = d.overflowing_sub(u64::from(borrow));
        *o = d;
        borrow = b1 | b2;
    }
    for (&x, o) in high.iter().zip(&mut place) {
        let (d, b) = x.overflowing_sub(u64::from(borrow));
        *o = d;
        borrow = b;
    }
    debug_assert!(!borrow, "the difference is negative");
}

/// `out := a * w`. `out` has one limb more than `a`.
pub fn mul(out: &mut [u64], a: &[u64], w: u64) {
    let mut carry = 0u64;
    let mut place = out.iter_mut();
    for (&x, o) in a.iter().zip(&mut place) {
        let p = u128::from(x) * u128::from(w) + u128::from(carry);
        *o = p as u64;
        carry = (p >> 64) as u64;
    }
    if let Some(o) = place.next() {
        *o = carry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_int::UBig;
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = Vec<u64>> {
        let limb = prop_oneof![Just(0), Just(1), Just(u64::MAX), any::<u64>()];
        prop::collection::vec(limb, 0..6).prop_map(|mut v| {
            while v.last() == Some(&0) {
                v.pop();
            }
            v
        })
    }

    proptest! {
        #[test]
        fn as_the_library(a in number(), b in number(), w in any::<u64>()) {
            let (x, y) = (UBig::from_words(&a), UBig::from_words(&b));
            prop_assert_eq!(compare(&a, &b), x.cmp(&y));
            let ((a, x), (b, y)) = if x < y { ((b, y), (a, x)) } else { ((a, x), (b, y)) };
            let mut out = vec![7; a.len() + 1];
            add(&mut out, &a, &b);
            prop_assert_eq!(UBig::from_words(&out), &x + &y);
            mul(&mut out, &a, w);
            prop_assert_eq!(UBig::from_words(&out), &x * w);
            out.pop();
            sub(&mut out, &a, &b);
            prop_assert_eq!(UBig::from_words(&out), x - y);
        }
    }
}
