//! Sums, products, quotients and remainders of big integers given as little-endian 64-bit limbs, written where the caller wants them:
//! the machine's frequent operations on big integers, without a detour through the library's own representation.
//! Schoolbook algorithms (Knuth, The Art of Computer Programming, vol. 2, 4.3.1), with quotients of limbs by multiplication (Möller, Granlund:
//! Improved division by invariant integers, IEEE Trans. Computers 60, 2011: algorithms 1, 4 and 6). Called by the machine's arithmetic only.
//!
//! Numbers have no leading zero limb; results may have one or more, for the caller to drop.

use std::cmp::Ordering;

/// Where both factors, or divisor and quotient, have more limbs than this, there are quicker algorithms than these.
pub const SCHOOLBOOK: usize = 28;

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

/// So many limbs are added at once, for the carry to stay in its flag meanwhile.
const RUN: usize = 4;

#[inline(always)]
fn add_run(out: &mut [u64], a: &[u64], b: &[u64], mut carry: bool) -> bool {
    for ((&x, &y), o) in a.iter().zip(b).zip(out) {
        let (s, c1) = x.overflowing_add(y);
        let (s, c2) = s.overflowing_add(u64::from(carry));
        *o = s;
        carry = c1 | c2;
    }
    carry
}

#[inline(always)]
fn sub_run(out: &mut [u64], a: &[u64], b: &[u64], mut borrow: bool) -> bool {
    for ((&x, &y), o) in a.iter().zip(b).zip(out) {
        let (d, b1) = x.overflowing_sub(y);
        let (d, b2) = d.overflowing_sub(u64::from(borrow));
        *o = d;
        borrow = b1 | b2;
    }
    borrow
}

/// `out := a + b`. `a` is at least as long as `b`; `out` has one limb more than `a`.
pub fn add(out: &mut [u64], a: &[u64], b: &[u64]) {
    let (low, high) = a.split_at(b.len());
    let (sum, rest) = out.split_at_mut(b.len());
    let (xs, x) = low.as_chunks::<RUN>();
    let (ys, y) = b.as_chunks::<RUN>();
    let (os, o) = sum.as_chunks_mut::<RUN>();
    let mut carry = false;
    for ((x, y), o) in xs.iter().zip(ys).zip(os) {
        carry = add_run(o, x, y, carry);
    }
    carry = add_run(o, x, y, carry);
    let mut place = rest.iter_mut();
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
    let (difference, rest) = out.split_at_mut(b.len());
    let (xs, x) = low.as_chunks::<RUN>();
    let (ys, y) = b.as_chunks::<RUN>();
    let (os, o) = difference.as_chunks_mut::<RUN>();
    let mut borrow = false;
    for ((x, y), o) in xs.iter().zip(ys).zip(os) {
        borrow = sub_run(o, x, y, borrow);
    }
    borrow = sub_run(o, x, y, borrow);
    for (&x, o) in high.iter().zip(rest) {
        let (d, b) = x.overflowing_sub(u64::from(borrow));
        *o = d;
        borrow = b;
    }
    debug_assert!(!borrow, "the difference is negative");
}

/// `a := b - a`. `b` is not less than `a`, and as long.
pub fn sub_from(a: &mut [u64], b: &[u64]) {
    let mut borrow = false;
    for (x, &y) in a.iter_mut().zip(b) {
        let (d, b1) = y.overflowing_sub(*x);
        let (d, b2) = d.overflowing_sub(u64::from(borrow));
        *x = d;
        borrow = b1 | b2;
    }
    debug_assert!(!borrow, "the difference is negative");
}

/// `out := a * b`. `out` has as many limbs as both together, and `b` at least one.
pub fn mul(out: &mut [u64], a: &[u64], b: &[u64]) {
    let [first, others @ ..] = b else {
        return out.fill(0);
    };
    out[a.len()] = mul_limb(out, a, *first);
    for (i, &w) in others.iter().enumerate() {
        let part = &mut out[i + 1..];
        part[a.len()] = add_mul(part, a, w);
    }
}

/// The low limbs of `a * w` to `out`; returns the one above them.
fn mul_limb(out: &mut [u64], a: &[u64], w: u64) -> u64 {
    let mut carry = 0u64;
    for (&x, o) in a.iter().zip(out) {
        let p = u128::from(x) * u128::from(w) + u128::from(carry);
        *o = p as u64;
        carry = (p >> 64) as u64;
    }
    carry
}

/// `out := out + a * w` in the limbs that `a` has; returns what is to be added to the next.
fn add_mul(out: &mut [u64], a: &[u64], w: u64) -> u64 {
    let mut carry = 0u64;
    for (&x, o) in a.iter().zip(out) {
        let p = u128::from(x) * u128::from(w) + u128::from(*o) + u128::from(carry);
        *o = p as u64;
        carry = (p >> 64) as u64;
    }
    carry
}

/// `out := out - a * w` in the limbs that `a` has; returns what is to be taken from the next.
fn sub_mul(out: &mut [u64], a: &[u64], w: u64) -> u64 {
    let mut carry = 0u64;
    for (&x, o) in a.iter().zip(out) {
        let p = u128::from(x) * u128::from(w) + u128::from(carry);
        let (d, borrow) = o.overflowing_sub(p as u64);
        *o = d;
        carry = (p >> 64) as u64 + u64::from(borrow);
    }
    carry
}

/// Divides in place. `r` is the dividend, with a zero limb on top, and becomes the remainder (below, `b.len()` limbs; zeros above). `b` has at
/// least one limb, and `r` more than it. The quotient goes to `q`, which has `r.len() - b.len()` limbs, or none if it is not wanted.
pub fn divide(q: &mut [u64], r: &mut [u64], b: &[u64]) {
    match b {
        [] => unreachable!("a divisor of zero"),
        [d] => {
            let rest = divide_by_limb(q, r, *d);
            r.fill(0);
            r[0] = rest;
        }
        [low @ .., b0, b1] => {
            let n = b.len();
            let below = low.last().copied();
            let shift = b1.leading_zeros();
            let d = wide(
                shifted(*b1, *b0, shift),
                shifted(*b0, below.unwrap_or(0), shift),
            );
            let inverse = inverse(d);
            for j in (0..r.len() - n).rev() {
                let part = &mut r[j..=j + n];
                let under = if n > 2 { part[n - 3] } else { 0 };
                let high = wide(
                    shifted(part[n], part[n - 1], shift),
                    shifted(part[n - 1], part[n - 2], shift),
                );
                // From the first limbs alone: right, or one too large (two where it would not fit).
                let mut digit = if high >= d {
                    u64::MAX
                } else {
                    quotient_of_three(high, shifted(part[n - 2], under, shift), d, inverse)
                };
                let taken = sub_mul(part, b, digit);
                let (top, mut negative) = part[n].overflowing_sub(taken);
                part[n] = top;
                while negative {
                    digit -= 1;
                    let (top, carry) = {
                        let (part, top) = part.split_at_mut(n);
                        let carry = add_to(part, b);
                        top[0].overflowing_add(u64::from(carry))
                    };
                    part[n] = top;
                    negative = !carry;
                }
                if let Some(q) = q.get_mut(j) {
                    *q = digit;
                }
            }
        }
    }
}

/// `a := a + b` of the same length; whether a carry is left.
fn add_to(a: &mut [u64], b: &[u64]) -> bool {
    let mut carry = false;
    for (x, &y) in a.iter_mut().zip(b) {
        let (s, c1) = x.overflowing_add(y);
        let (s, c2) = s.overflowing_add(u64::from(carry));
        *x = s;
        carry = c1 | c2;
    }
    carry
}

/// As [`divide`], by one limb; returns the remainder.
fn divide_by_limb(q: &mut [u64], a: &[u64], d: u64) -> u64 {
    let shift = d.leading_zeros();
    let d = d << shift;
    let inverse = inverse_of_limb(d);
    // The limb on top is zero, and what is shifted out of the one below it less than the divisor.
    let mut rest = shifted(0, a[a.len() - 2], shift);
    for j in (0..a.len() - 1).rev() {
        let low = if j > 0 { a[j - 1] } else { 0 };
        let u = shifted(a[j], low, shift);
        // Algorithm 4.
        let p = u128::from(inverse) * u128::from(rest) + wide(rest, u);
        let mut digit = ((p >> 64) as u64).wrapping_add(1);
        let mut r = u.wrapping_sub(digit.wrapping_mul(d));
        if r > p as u64 {
            digit = digit.wrapping_sub(1);
            r = r.wrapping_add(d);
        }
        if r >= d {
            digit = digit.wrapping_add(1);
            r -= d;
        }
        rest = r;
        if let Some(q) = q.get_mut(j) {
            *q = digit;
        }
    }
    if let Some(q) = q.get_mut(a.len() - 1) {
        *q = 0;
    }
    rest >> shift
}

/// The remainder of a division by one limb, which is above 0; `None`: the numbers are such that the library is as quick. Four limbs are taken
/// at once, as multiples of the remainders of powers of 2^64, which waits for a product once instead of eight times (Granlund's idea
/// in GMP's `mod_1`; here without its normalised divisors).
pub fn remainder_by_limb(a: &[u64], d: u64) -> Option<u64> {
    if a.len() < 16 || d >> 61 != 0 {
        return None;
    }
    let next = |p: u64| (wide(p, 0) % u128::from(d)) as u64;
    let p1 = next(1 % d);
    let p2 = next(p1);
    let (p3, p4) = (next(p2), next(next(p2)));
    let p5 = next(p4);
    let times = |x: u64, p: u64| u128::from(x) * u128::from(p);
    let (groups, top) = a.as_chunks::<4>();
    let mut rest = top
        .iter()
        .rev()
        .fold(0u128, |r, &x| wide((r % u128::from(d)) as u64, x));
    for g in groups.iter().rev() {
        // Five products of a limb and what is less than 2^61, and a limb: less than 2^128.
        rest = times((rest >> 64) as u64, p5)
            + times(rest as u64, p4)
            + times(g[3], p3)
            + times(g[2], p2)
            + times(g[1], p1)
            + u128::from(g[0]);
    }
    Some((rest % u128::from(d)) as u64)
}

/// The quotient by one limb that leaves no remainder, from the low end on (Jebelean, An algorithm for exact division, 1993).
pub fn divide_exactly(a: &[u64], d: u64) -> Vec<u64> {
    let shift = d.trailing_zeros();
    let d = d >> shift;
    // Each step doubles the bits that are right; three are from the start.
    let mut inverse = d;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(d.wrapping_mul(inverse)));
    }
    let mut taken = 0;
    let above = a.iter().skip(1).copied().chain([0]);
    a.iter()
        .zip(above)
        .map(|(&low, high)| {
            let x = (wide(high, low) >> shift) as u64;
            let (x, borrow) = x.overflowing_sub(taken);
            let digit = x.wrapping_mul(inverse);
            taken = ((u128::from(digit) * u128::from(d)) >> 64) as u64 + u64::from(borrow);
            digit
        })
        .collect()
}

fn wide(high: u64, low: u64) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}

/// `high`, with the first `shift` bits of `low` behind it, without its own first ones. `shift` is less than 64.
fn shifted(high: u64, low: u64, shift: u32) -> u64 {
    (wide(high, low) << shift >> 64) as u64
}

/// `(2^128 - 1) / d - 2^64`; the first bit of `d` is set.
fn inverse_of_limb(d: u64) -> u64 {
    (wide(!d, u64::MAX) / u128::from(d)) as u64
}

/// `(2^192 - 1) / d - 2^64`; the first bit of `d` is set. Algorithm 6.
fn inverse(d: u128) -> u64 {
    let (d1, d0) = ((d >> 64) as u64, d as u64);
    let mut v = inverse_of_limb(d1);
    let mut p = d1.wrapping_mul(v).wrapping_add(d0);
    if p < d0 {
        v = v.wrapping_sub(1);
        if p >= d1 {
            v = v.wrapping_sub(1);
            p = p.wrapping_sub(d1);
        }
        p = p.wrapping_sub(d1);
    }
    let t = u128::from(v) * u128::from(d0);
    let t1 = (t >> 64) as u64;
    p = p.wrapping_add(t1);
    if p < t1 {
        v = v.wrapping_sub(1);
        if wide(p, t as u64) >= d {
            v = v.wrapping_sub(1);
        }
    }
    v
}

/// `(high * 2^64 + low) / d`, where `high` is less than `d`; `inverse` is that of `d`. Algorithm 5.
fn quotient_of_three(high: u128, low: u64, d: u128, inverse: u64) -> u64 {
    let p = u128::from(inverse) * (high >> 64) + high;
    let mut q = (p >> 64) as u64;
    let r1 = (high as u64).wrapping_sub(q.wrapping_mul((d >> 64) as u64));
    let t = u128::from(d as u64) * u128::from(q);
    let mut r = wide(r1, low).wrapping_sub(t).wrapping_sub(d);
    q = q.wrapping_add(1);
    if (r >> 64) as u64 >= p as u64 {
        q = q.wrapping_sub(1);
        r = r.wrapping_add(d);
    }
    if r >= d {
        q = q.wrapping_add(1);
    }
    q
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
            mul(&mut out, &a, &[w]);
            prop_assert_eq!(UBig::from_words(&out), &x * w);
            out.pop();
            sub(&mut out, &a, &b);
            prop_assert_eq!(UBig::from_words(&out), &x - &y);
            let mut rest = b.clone();
            rest.resize(a.len(), 0);
            sub_from(&mut rest, &a);
            prop_assert_eq!(UBig::from_words(&rest), &x - &y);
            let mut out = vec![7; a.len() + b.len()];
            mul(&mut out, &a, &b);
            prop_assert_eq!(UBig::from_words(&out), x * y);
        }

        #[test]
        fn division_as_the_library(a in number(), q in number(), b in number(), less in any::<bool>()) {
            prop_assume!(!b.is_empty());
            // A multiple of the divisor and what is next to it: quotients that are one too large at first.
            let (x, y) = (UBig::from_words(&a), UBig::from_words(&b));
            let product = UBig::from_words(&q) * &y;
            for x in [&product + &x, if less && product > UBig::ZERO { product - 1u8 } else { product }, x] {
                if x < y {
                    continue;
                }
                let mut r = x.as_words().to_vec();
                r.push(0);
                let mut out = vec![7; r.len() - b.len()];
                let mut again = r.clone();
                divide(&mut out, &mut r, &b);
                prop_assert_eq!(UBig::from_words(&out), &x / &y);
                prop_assert_eq!(UBig::from_words(&r), &x % &y);
                divide(&mut [], &mut again, &b);
                prop_assert_eq!(again, r);
            }
        }

        #[test]
        fn division_by_a_limb_as_the_library(a in prop::collection::vec(prop_oneof![Just(0), Just(u64::MAX), any::<u64>()], 16..40), w in any::<u64>(), bits in 0u32..64) {
            let d = (w >> bits).max(1);
            let x = UBig::from_words(&a);
            if let Some(r) = remainder_by_limb(&a, d) {
                prop_assert_eq!(r, &x % d);
            } else {
                prop_assert!(bits < 3);
            }
            let product = &x * d;
            prop_assert_eq!(UBig::from_words(&divide_exactly(product.as_words(), d)), x);
        }

        #[test]
        fn inverses_as_defined(d1 in any::<u64>(), d0 in prop_oneof![Just(0), Just(u64::MAX), any::<u64>()]) {
            let d = wide(d1 | 1 << 63, d0);
            let all = |n: usize| (UBig::ONE << n) - UBig::ONE;
            prop_assert_eq!(UBig::from(inverse(d)), all(192) / d - (UBig::ONE << 64));
            let d = d1 | 1 << 63;
            prop_assert_eq!(UBig::from(inverse_of_limb(d)), all(128) / d - (UBig::ONE << 64));
        }
    }
}
