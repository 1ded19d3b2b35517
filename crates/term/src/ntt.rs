//! Products of long integers by a number theoretic transform modulo one prime of 64 bits.
//!
//! The factors are cut into digits of as many bits as let a sum of products of two digits, one for each digit of the shorter factor, stay below
//! the prime P = 2^64 - 2^32 + 1 (Pollard, The fast Fourier transform in a finite field, 1971; for this prime 2^64 ≡ 2^32 - 1 and 2^96 ≡ -1, so no
//! division is needed). The transform takes a polynomial modulo x^2t - r² to those modulo x^t - r and x^t + r, from x^n - 1 down to constants; the root
//! of block `i` of each level is `roots[i]`, whatever the level is. Its result is in an order that nobody needs to know.
//!
//! Lengths are 2m, or 3m by another block modulo x^m - i (i² = -1), for powers of two m: R modulo (x^2m - 1)(x^m - i) follows from both remainders.
//!
//! No memory: no product ([`multiply`] gives `None`), and the caller has another way.

use crate::heavy::check;
use std::sync::{Mutex, MutexGuard};

/// The prime.
const P: u64 = 0xffff_ffff_0000_0001;
/// 2^64 modulo P.
const EPSILON: u64 = 0xffff_ffff;
/// A generator of the multiplicative group, and the power of two in its order.
const GENERATOR: u64 = 7;
const ORDER_BITS: u32 = 32;
/// 2^48, whose square is -1, as [`roots`] has it in place 1.
const I: usize = 1;
/// Blocks of so many words are transformed level by level, longer ones depth first: they fit into a cache.
const AT_ONCE: usize = 1 << 11;
/// Before longer ones it is asked whether the work is given up.
const LONG: usize = 1 << 18;

#[inline(always)]
fn add(a: u64, b: u64) -> u64 {
    let (sum, below) = a.overflowing_sub(P - b);
    if below { sum.wrapping_add(P) } else { sum }
}

#[inline(always)]
fn sub(a: u64, b: u64) -> u64 {
    let (difference, below) = a.overflowing_sub(b);
    if below {
        difference.wrapping_add(P)
    } else {
        difference
    }
}

#[inline(always)]
fn mul(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let (low, high) = (product as u64, (product >> 64) as u64);
    // low + 2^64 h0 + 2^96 h1 = low + (2^32 - 1) h0 - h1
    let (t, below) = low.overflowing_sub(high >> 32);
    let t = if below { t.wrapping_sub(EPSILON) } else { t };
    let h0 = high & EPSILON;
    let (r, above) = t.overflowing_add((h0 << 32) - h0);
    let r = if above { r.wrapping_add(EPSILON) } else { r };
    if r >= P { r - P } else { r }
}

fn power(mut a: u64, mut e: u64) -> u64 {
    let mut r = 1;
    while e > 0 {
        if e & 1 == 1 {
            r = mul(r, a);
        }
        a = mul(a, a);
        e >>= 1;
    }
    r
}

/// The roots of `n` blocks, a power of two: that of block 0 is 1, those of blocks 2i and 2i+1 are the square roots of that of i and of its negative.
fn fill_roots(roots: &mut [u64]) {
    roots[0] = 1;
    let (mut n, mut order) = (1, 2);
    while n < roots.len() {
        let w = power(GENERATOR, (P - 1) >> order);
        let (known, next) = roots.split_at_mut(n);
        for (x, &y) in next.iter_mut().zip(&*known) {
            *x = mul(y, w);
        }
        (n, order) = (2 * n, order + 1);
    }
    debug_assert!(order <= ORDER_BITS + 1);
}

/// The inverse of the root of a block: -1 times that of another one of its level.
#[inline(always)]
fn inverse_root(roots: &[u64], i: usize) -> u64 {
    match i {
        0 => 1,
        _ => P - roots[(3 << i.ilog2()) - 1 - i],
    }
}

/// Transforms block `i`.
fn forward(a: &mut [u64], i: usize, roots: &[u64]) {
    let n = a.len();
    if n <= 1 {
        return;
    }
    if n > AT_ONCE {
        if n > LONG {
            check();
        }
        two_levels(a, i, roots);
        for (j, part) in a.chunks_exact_mut(n / 4).enumerate() {
            forward(part, 4 * i + j, roots);
        }
        return;
    }
    let (mut size, mut blocks) = (n, 1);
    while size >= 4 {
        for (j, block) in a.chunks_exact_mut(size).enumerate() {
            two_levels(block, i * blocks + j, roots);
        }
        (size, blocks) = (size / 4, blocks * 4);
    }
    if size == 2 {
        for (pair, &r) in a.chunks_exact_mut(2).zip(&roots[i * blocks..]) {
            let (x, y) = (pair[0], mul(pair[1], r));
            (pair[0], pair[1]) = (add(x, y), sub(x, y));
        }
    }
}

#[inline(always)]
fn two_levels(a: &mut [u64], i: usize, roots: &[u64]) {
    let (r, r0, r1) = (roots[i], roots[2 * i], roots[2 * i + 1]);
    let (low, high) = a.split_at_mut(a.len() / 2);
    let ((a0, a1), (a2, a3)) = (
        low.split_at_mut(low.len() / 2),
        high.split_at_mut(high.len() / 2),
    );
    for (((p0, p1), p2), p3) in a0.iter_mut().zip(a1).zip(a2).zip(a3) {
        let (x2, x3) = (mul(*p2, r), mul(*p3, r));
        let (u0, u2) = (add(*p0, x2), sub(*p0, x2));
        let (u1, u3) = (mul(add(*p1, x3), r0), mul(sub(*p1, x3), r1));
        (*p0, *p1, *p2, *p3) = (add(u0, u1), sub(u0, u1), add(u2, u3), sub(u2, u3));
    }
}

/// Undoes [`forward`], up to a factor of the block's length.
fn backward(a: &mut [u64], i: usize, roots: &[u64]) {
    let n = a.len();
    if n <= 1 {
        return;
    }
    if n > AT_ONCE {
        if n > LONG {
            check();
        }
        for (j, part) in a.chunks_exact_mut(n / 4).enumerate() {
            backward(part, 4 * i + j, roots);
        }
        two_levels_back(a, i, roots);
        return;
    }
    let (mut size, mut blocks) = (4, n / 4);
    if n.ilog2() % 2 == 1 {
        for (j, pair) in a.chunks_exact_mut(2).enumerate() {
            let r = inverse_root(roots, i * (n / 2) + j);
            let (x, y) = (pair[0], pair[1]);
            (pair[0], pair[1]) = (add(x, y), mul(sub(x, y), r));
        }
        (size, blocks) = (8, n / 8);
    }
    while size <= n {
        for (j, block) in a.chunks_exact_mut(size).enumerate() {
            two_levels_back(block, i * blocks + j, roots);
        }
        (size, blocks) = (size * 4, blocks / 4);
    }
}

#[inline(always)]
fn two_levels_back(a: &mut [u64], i: usize, roots: &[u64]) {
    let r = inverse_root(roots, i);
    let (r0, r1) = (inverse_root(roots, 2 * i), inverse_root(roots, 2 * i + 1));
    let (low, high) = a.split_at_mut(a.len() / 2);
    let ((a0, a1), (a2, a3)) = (
        low.split_at_mut(low.len() / 2),
        high.split_at_mut(high.len() / 2),
    );
    for (((p0, p1), p2), p3) in a0.iter_mut().zip(a1).zip(a2).zip(a3) {
        let (u0, u1) = (add(*p0, *p1), mul(sub(*p0, *p1), r0));
        let (u2, u3) = (add(*p2, *p3), mul(sub(*p2, *p3), r1));
        (*p0, *p2) = (add(u0, u2), mul(sub(u0, u2), r));
        (*p1, *p3) = (add(u1, u3), mul(sub(u1, u3), r));
    }
}

/// How a product is cut.
#[derive(Clone, Copy)]
struct Cut {
    /// Bits of a digit.
    bits: usize,
    /// A power of two, and whether there is the third block.
    m: usize,
    third: bool,
}

impl Cut {
    /// For factors of so many words.
    fn of(x: usize, y: usize) -> Cut {
        let digits = |words: usize, bits: usize| (64 * words).div_ceil(bits);
        let fits = |bits: usize| {
            let terms = digits(x.min(y), bits) as u128;
            terms << (2 * bits) <= u128::from(P)
        };
        let bits = (1..=30).rev().find(|&b| fits(b)).unwrap_or(1);
        let n = digits(x, bits) + digits(y, bits);
        let power = n.next_power_of_two().max(8);
        if n <= power / 4 * 3 {
            Cut {
                bits,
                m: power / 4,
                third: true,
            }
        } else {
            Cut {
                bits,
                m: power / 2,
                third: false,
            }
        }
    }
    fn length(self) -> usize {
        if self.third { 3 * self.m } else { 2 * self.m }
    }
    /// The digits, in the blocks that are transformed.
    fn digits(self, words: &[u64], a: &mut [u64], roots: &[u64]) {
        let mask = (1u64 << self.bits) - 1;
        let n = (64 * words.len()).div_ceil(self.bits);
        a[n..].fill(0);
        let mut at = 0;
        for digit in &mut a[..n] {
            let (word, shift) = (at / 64, at % 64);
            let low = words[word] >> shift;
            let high = match words.get(word + 1) {
                Some(w) if shift > 0 => w << (64 - shift),
                _ => 0,
            };
            *digit = (low | high) & mask;
            at += self.bits;
        }
        if self.third {
            let (low, third) = a.split_at_mut(2 * self.m);
            let (a0, a1) = low.split_at_mut(self.m);
            for ((x0, &mut x1), x2) in a0.iter_mut().zip(a1).zip(third) {
                let (low, high) = (*x0, *x2);
                *x0 = add(low, high);
                *x2 = sub(add(low, mul(x1, roots[I])), high);
            }
        }
    }
    /// The words of what has these digits, which are larger than digits.
    fn sum(self, digits: &[u64], out: &mut [u64]) {
        let mask = (1u128 << self.bits) - 1;
        let (mut carry, mut at) = (0u128, 0);
        for &c in digits {
            carry += u128::from(c);
            let digit = (carry & mask) as u64;
            carry >>= self.bits;
            // (What is beyond the end is zeros.)
            let (word, shift) = (at / 64, at % 64);
            if let Some(w) = out.get_mut(word) {
                *w |= digit << shift;
            }
            if shift + self.bits > 64
                && let Some(w) = out.get_mut(word + 1)
            {
                *w |= digit >> (64 - shift);
            }
            at += self.bits;
        }
    }
    fn blocks(self, a: &mut [u64]) -> (&mut [u64], &mut [u64]) {
        a.split_at_mut(2 * self.m)
    }
    /// The coefficients of the product from their transform.
    fn coefficients(self, a: &mut [u64], roots: &[u64]) {
        let (first, third) = self.blocks(a);
        backward(first, 0, roots);
        let scale = power(first.len() as u64, P - 2);
        first.iter_mut().for_each(|x| *x = mul(*x, scale));
        if self.third {
            backward(third, 2, roots);
            // The inverse of 2.
            let half = P / 2 + 1;
            let scale = mul(scale, 2);
            let (low, high) = first.split_at_mut(self.m);
            for ((x0, &mut x1), x2) in low.iter_mut().zip(high).zip(third) {
                let there = add(*x0, mul(x1, roots[I]));
                let q = mul(sub(there, mul(*x2, scale)), half);
                *x0 = sub(*x0, q);
                *x2 = q;
            }
        }
    }
}

fn with_room(n: usize) -> Option<Vec<u64>> {
    let mut v = Vec::new();
    v.try_reserve_exact(n).ok()?;
    Some(v)
}

/// What was taken for a product and may be used for the next: memory that is new is not much quicker than what is done in it.
static KEPT: Mutex<Vec<u64>> = Mutex::new(Vec::new());
/// So many words of it are kept at most.
const MOST_KEPT: usize = 1 << 19;

/// The product of two integers, as words from the lowest on, with zeros at the end perhaps. `None`: there is no memory for that.
pub(crate) fn multiply(x: &[u64], y: &[u64]) -> Option<Vec<u64>> {
    let cut = Cut::of(x.len(), y.len());
    let (n, of_roots) = (cut.length(), if cut.third { 2 * cut.m } else { cut.m });
    let mut room = std::mem::take(&mut *lock());
    let words = of_roots + if x == y { n } else { 2 * n };
    if room.len() < words {
        room = with_room(words)?;
        room.resize(words, 0);
    }
    let (roots, a) = room.split_at_mut(of_roots);
    fill_roots(roots);
    let (a, b) = a.split_at_mut(n);
    let transform = |words: &[u64], a: &mut [u64]| {
        cut.digits(words, a, roots);
        let (first, third) = cut.blocks(a);
        forward(first, 0, roots);
        forward(third, 2, roots);
    };
    transform(x, a);
    if x == y {
        a.iter_mut().for_each(|x| *x = mul(*x, *x));
    } else {
        let b = &mut b[..n];
        transform(y, b);
        a.iter_mut().zip(b).for_each(|(x, &mut y)| *x = mul(*x, y));
    }
    cut.coefficients(a, roots);
    let mut out = with_room(x.len() + y.len())?;
    out.resize(x.len() + y.len(), 0);
    cut.sum(a, &mut out);
    if words <= MOST_KEPT {
        *lock() = room;
    }
    Some(out)
}

fn lock() -> MutexGuard<'static, Vec<u64>> {
    KEPT.lock().unwrap_or_else(|e| e.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The schoolbook method.
    fn product(x: &[u64], y: &[u64]) -> Vec<u64> {
        let mut out = vec![0; x.len() + y.len()];
        for (i, &a) in x.iter().enumerate() {
            let mut carry = 0u128;
            for (j, &b) in y.iter().enumerate() {
                carry += u128::from(a) * u128::from(b) + u128::from(out[i + j]);
                out[i + j] = carry as u64;
                carry >>= 64;
            }
            out[i + y.len()] = carry as u64;
        }
        out
    }

    #[test]
    fn products_are_those_of_the_schoolbook() {
        let mut state = 1u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut integer = |n: usize, kind: usize| -> Vec<u64> {
            let word = |i| match kind {
                0 => random(),
                1 => u64::MAX,
                2 => u64::from(i + 1 == n),
                _ if random() % 3 == 0 => u64::MAX,
                _ => 0,
            };
            (0..n).map(word).collect()
        };
        for n in (1..60).chain([100, 333, 512, 700, 1100]) {
            for m in [1, 3, n, n + 1, 2 * n + 3] {
                for kind in 0..4 {
                    let (x, y) = (integer(n, kind), integer(m, kind));
                    assert!(multiply(&x, &y) == Some(product(&x, &y)), "{n} {m} {kind}");
                }
                let x = integer(n, 0);
                assert!(multiply(&x, &x) == Some(product(&x, &x)), "{n}");
            }
        }
    }

    #[test]
    fn sums_of_products_stay_below_the_prime() {
        for words in [1usize, 100, 10_000, 1 << 20, 1 << 24] {
            let cut = Cut::of(words, 2 * words);
            let digits = (64 * words).div_ceil(cut.bits) as u128;
            let digit = (1u128 << cut.bits) - 1;
            assert!(digits * digit * digit < u128::from(P));
            assert!(cut.length() * cut.bits >= 64 * 3 * words);
        }
    }

    #[test]
    fn numbers_modulo_the_prime() {
        let some = [
            0,
            1,
            2,
            EPSILON - 1,
            EPSILON,
            EPSILON + 1,
            P - 2,
            P - 1,
            P / 2,
            1 << 63,
        ];
        for a in some {
            for b in some {
                let (x, y, p) = (u128::from(a), u128::from(b), u128::from(P));
                assert_eq!(u128::from(add(a, b)), (x + y) % p, "{a} {b}");
                assert_eq!(u128::from(sub(a, b)), (x + p - y) % p, "{a} {b}");
                assert_eq!(u128::from(mul(a, b)), x * y % p, "{a} {b}");
            }
        }
    }
}
