//! Division, roots, powers and decimal text of big integers, from the number library's products.
//!
//! The library's own division ([`dashu_int`] 0.4.3) multiplies parts of its operands, and its product of more than 4,000 words goes
//! wrong where such a part is all zeros: `(1<<4000000) // ((1<<2000000)+1)` is an index out of bounds in its number
//! theoretic transform (`mul/ntt/mod.rs`: no coefficients of a zero). Roots, remainders and text rest on division. A product of whole
//! numbers never meets this. So here is recursive division (Brent, Zimmermann: Modern Computer Arithmetic, 1.8), which hands the
//! library quotients of at most [`SMALL`] bits, where it does not come that far; the rest is built on it, and on products of our own where
//! both factors are long ([`crate::ntt`]), which are quicker.
//!
//! Every loop calls [`check`]: these are the places where long work can be given up.

use crate::growth;
use crate::heavy::{self, attempt, check};
use crate::ntt;
use dashu_base::{BitTest, DivRem, Gcd, SquareRootRem};
use dashu_int::{IBig, UBig};
use std::fmt::Write;

/// Quotients and divisors of so many bits (3,000 words) are the library's.
const SMALL: usize = 3_000 * 64;

/// Factors of so many words are quicker multiplied here than by the library.
const LONG_FACTOR: usize = 2_000;

/// The product.
pub fn product(a: &UBig, b: &UBig) -> UBig {
    let (x, y) = (a.as_words(), b.as_words());
    if x.len().min(y.len()) >= LONG_FACTOR
        && let Some(words) = ntt::multiply(x, y)
    {
        return UBig::from_words(&words);
    }
    if a == b { a.sqr() } else { a * b }
}

/// The square.
pub fn square(a: &UBig) -> UBig {
    product(a, a)
}

/// The product of integers with signs.
pub fn signed_product(a: &IBig, b: &IBig) -> IBig {
    let shortest = a.as_sign_words().1.len().min(b.as_sign_words().1.len());
    if shortest < LONG_FACTOR {
        return a * b;
    }
    let (s, t) = (a.sign(), b.sign());
    let ((_, x), (_, y)) = (a.as_sign_words(), b.as_sign_words());
    match ntt::multiply(x, y) {
        Some(words) => IBig::from_parts(s * t, UBig::from_words(&words)),
        None => a * b,
    }
}

/// Quotient and remainder; `b` must not be 0.
pub fn div_rem(a: &UBig, b: &UBig) -> (UBig, UBig) {
    let n = b.bit_len();
    let length = a.bit_len();
    if length < n {
        return (UBig::ZERO, a.clone());
    }
    if n <= SMALL || length - n <= SMALL {
        return a.div_rem(b);
    }
    // Zeros at the end are no work.
    let zeros = b.trailing_zeros().unwrap_or(0);
    if zeros >= SMALL {
        let (high, low) = split(a.clone(), zeros);
        let (q, r) = div_rem(&high, &(b >> zeros));
        return (q, (r << zeros) + low);
    }
    // The dividend in pieces of `n` bits: each step divides at most `2n` bits by `n`.
    let (mut q, mut r) = (UBig::ZERO, UBig::ZERO);
    let mut pieces = Vec::new();
    let mut rest = a.clone();
    while rest.bit_len() > n {
        let (high, low) = split(rest, n);
        pieces.push(low);
        rest = high;
    }
    pieces.push(rest);
    while let Some(piece) = pieces.pop() {
        let (digit, remainder) = recursive((r << n) + piece, b);
        q = (q << n) + digit;
        r = remainder;
    }
    (q, r)
}

/// Quotient and remainder where the quotient has at most about as many bits as `b`.
fn recursive(a: UBig, b: &UBig) -> (UBig, UBig) {
    check();
    let n = b.bit_len();
    let m = a.bit_len().saturating_sub(n);
    if m <= SMALL {
        return if a < *b {
            (UBig::ZERO, a)
        } else {
            (&a).div_rem(b)
        };
    }
    let k = m / 2;
    let (b1, b0) = split(b.clone(), k);
    let (q1, a) = step(a, &b1, &b0, &(b << k), 2 * k, k);
    let (q0, r) = step(a, &b1, &b0, b, k, 0);
    ((q1 << k) + q0, r)
}

/// One half of the quotient: that of `a`'s bits from `at` on and `b1`, which is too large by at most 2, corrected by `b0`, and what is left
/// of `a`. `whole` is the divisor, shifted as the quotient is.
fn step(a: UBig, b1: &UBig, b0: &UBig, whole: &UBig, at: usize, shift: usize) -> (UBig, UBig) {
    let (high, low) = split(a, at);
    let (mut q, r) = recursive(high, b1);
    let product = product(&q, b0) << shift;
    let mut left = IBig::from((r << at) + low) - IBig::from(product);
    while left < IBig::ZERO {
        q -= UBig::ONE;
        left += IBig::from(whole.clone());
    }
    (q, UBig::try_from(left).unwrap_or_default())
}

/// The bits from `at` on, and those below.
fn split(a: UBig, at: usize) -> (UBig, UBig) {
    let (low, high) = a.split_bits(at);
    (high, low)
}

/// Quotient and remainder rounded towards zero, as the machine's `//` and `rem`; `b` must not be 0.
pub fn signed_div_rem(a: &IBig, b: &IBig) -> (IBig, IBig) {
    let ((s, x), (t, y)) = (a.clone().into_parts(), b.clone().into_parts());
    let (q, r) = div_rem(&x, &y);
    (IBig::from_parts(s * t, q), IBig::from_parts(s, r))
}

/// The greatest common divisor. The library's takes memory for the first of its divisions only, and panics ("not enough memory
/// allocated") where a later one has a larger quotient: then it is computed here.
pub fn gcd(a: UBig, b: UBig) -> UBig {
    if a.is_zero() || b.is_zero() {
        return a + b;
    }
    // Common factors that are powers of two are no work; others of that kind are none of the divisor.
    let zeros = |n: &UBig| n.trailing_zeros().unwrap_or(0);
    let (x, y) = (zeros(&a), zeros(&b));
    if x > 0 || y > 0 {
        return odd_gcd(a >> x, b >> y) << x.min(y);
    }
    odd_gcd(a, b)
}

/// The same of odd integers.
fn odd_gcd(a: UBig, b: UBig) -> UBig {
    let (mut a, mut b) = if a < b { (b, a) } else { (a, b) };
    // Until the library need not divide by much.
    while !b.is_zero() && a.bit_len() - b.bit_len() > SMALL {
        let r = div_rem(&a, &b).1;
        (a, b) = (b, r);
    }
    if b.is_zero() {
        return a;
    }
    match attempt(|| (&a).gcd(&b)) {
        Some(g) => g,
        None => lehmer(a, b),
    }
}

/// Bits of the leading parts that the quotients are guessed from.
const LEADING: usize = 62;

/// The greatest common divisor by Lehmer's algorithm (Knuth, The Art of Computer Programming, vol. 2, 4.5.2, L); `a` is not below `b`.
fn lehmer(mut a: UBig, mut b: UBig) -> UBig {
    while b.bit_len() > LEADING {
        check();
        let from = a.bit_len() - LEADING;
        let lead = |n: &UBig| u64::try_from(n >> from).unwrap_or(0) as i64;
        match cofactors(lead(&a), lead(&b)) {
            Some([p, q, r, s]) => (a, b) = (combine(&a, p, &b, q), combine(&a, r, &b, s)),
            None => {
                let r = div_rem(&a, &b).1;
                (a, b) = (b, r);
            }
        }
    }
    match u64::try_from(b) {
        Ok(0) => a,
        Ok(b) => UBig::from((a % b).gcd(b)),
        Err(_) => UBig::ONE,
    }
}

/// What the quotients that all numbers with these leading parts have in common do to them; `None` if there is none.
fn cofactors(mut x: i64, mut y: i64) -> Option<[i64; 4]> {
    let (mut p, mut q, mut r, mut s) = (1i64, 0i64, 0i64, 1i64);
    while y + r != 0 && y + s != 0 {
        let quotient = (x + p) / (y + r);
        if quotient != (x + q) / (y + s) {
            break;
        }
        let (next_p, next_q) = (
            p.checked_sub(quotient.checked_mul(r)?)?,
            q.checked_sub(quotient.checked_mul(s)?)?,
        );
        (p, r) = (r, next_p);
        (q, s) = (s, next_q);
        (x, y) = (y, x - quotient * y);
    }
    (q != 0).then_some([p, q, r, s])
}

/// `a * p + b * q`, which is not negative.
fn combine(a: &UBig, p: i64, b: &UBig, q: i64) -> UBig {
    let (x, y) = (a * p.unsigned_abs(), b * q.unsigned_abs());
    match (p < 0, q < 0) {
        (true, _) => y - x,
        (_, true) => x - y,
        _ => x + y,
    }
}

/// `base` to the power of `exponent`.
pub fn power(base: &UBig, exponent: usize) -> UBig {
    let zeros = base.trailing_zeros().unwrap_or(0);
    if base.is_zero() || exponent == 0 {
        return if exponent == 0 { UBig::ONE } else { UBig::ZERO };
    }
    let odd = base >> zeros;
    if odd.is_one() {
        return UBig::ONE << (zeros * exponent);
    }
    let mut result = odd.clone();
    for bit in (0..exponent.ilog2()).rev() {
        check();
        result = square(&result);
        if exponent >> bit & 1 == 1 {
            result *= &odd;
        }
    }
    result << (zeros * exponent)
}

/// The largest integer whose `n`-th power is at most `value`; `n` is at least 1.
pub fn root(value: &UBig, n: usize) -> UBig {
    let bits = value.bit_len();
    if n == 1 {
        return value.clone();
    }
    if bits <= n {
        return if value.is_zero() {
            UBig::ZERO
        } else {
            UBig::ONE
        };
    }
    if n == 2 {
        return square_root(value).0;
    }
    if bits <= 2 * SMALL {
        return value.nth_root(n);
    }
    // From the root of the first half of the bits, from above (Modern Computer Arithmetic, 1.14): Newton's steps fall until there.
    let half = bits / (2 * n);
    let mut x = (root(&(value >> (half * n)), n) + UBig::ONE) << half;
    let degree = UBig::from(n);
    let below = UBig::from(n - 1);
    loop {
        check();
        let quotient = div_rem(value, &power(&x, n - 1)).0;
        let next = div_rem(&(&x * &below + quotient), &degree).0;
        if next >= x {
            return x;
        }
        x = next;
    }
}

/// The largest integer whose square is at most `value`, and how much is left: Karatsuba square root (Zimmermann, INRIA RR-3805; Modern
/// Computer Arithmetic, 1.12). From the root of the upper half of the bits a division by twice that root gives the lower half.
fn square_root(value: &UBig) -> (UBig, UBig) {
    let bits = value.bit_len();
    if bits <= SMALL {
        return value.sqrt_rem();
    }
    check();
    // Four parts of `k` bits, of which one of the two highest bits is set.
    let k = bits.div_ceil(4);
    let shift = (4 * k - bits) & !1;
    let (high, low) = split(value << shift, 2 * k);
    let (a1, a0) = split(low, k);
    let (root, rest) = square_root(&high);
    let (q, u) = div_rem(&((rest << k) + a1), &(&root << 1));
    let mut root = (root << k) + &q;
    let mut left = IBig::from((u << k) + a0) - IBig::from(square(&q));
    while left < IBig::ZERO {
        left += IBig::from((&root << 1) - UBig::ONE);
        root -= UBig::ONE;
    }
    let mut left = UBig::try_from(left).unwrap_or_default();
    if shift > 0 {
        // (root - d)² = root² - 2 root d + d²
        let (halved, d) = split(root.clone(), shift / 2);
        left = (left + ((&root * &d) << 1) - d.sqr()) >> shift;
        root = halved;
    }
    (root, left)
}

/// Decimal digits of a piece that the library writes.
const DIGITS: usize = 19 << 11;

/// The decimal text.
pub fn decimal(value: &IBig) -> String {
    // A digit takes more than three bits.
    let Ok(mut out) = growth::text_with_room(value.bit_len() / 3 + 3) else {
        heavy::refuse();
        return String::new();
    };
    if value.bit_len() <= SMALL {
        // (Nothing to refuse: there is room.)
        _ = write!(out, "{value}");
        return out;
    }
    let (sign, size) = value.clone().into_parts();
    if sign == dashu_base::Sign::Negative {
        out.push('-');
    }
    // 10 to the powers of DIGITS times 1, 2, 4, …, up to about half of the digits.
    let mut powers = vec![power(&UBig::from(10u8), DIGITS)];
    while let Some(last) = powers.last()
        && 2 * last.bit_len() <= size.bit_len() + 1
    {
        check();
        let next = square(last);
        powers.push(next);
    }
    digits(&mut out, size, &powers, true);
    out
}

/// Appends the digits of a number below the square of the last power, all of them unless it is the `first` piece.
fn digits(out: &mut String, value: UBig, powers: &[UBig], first: bool) {
    check();
    let Some((power, rest)) = powers.split_last() else {
        let text = value.to_string();
        let zeros = if first { 0 } else { DIGITS - text.len() };
        out.extend(std::iter::repeat_n('0', zeros));
        out.push_str(&text);
        return;
    };
    if first && value < *power {
        return digits(out, value, rest, true);
    }
    let (high, low) = div_rem(&value, power);
    digits(out, high, rest, first);
    digits(out, low, rest, false);
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_base::UnsignedAbs;

    /// Numbers of about so many bits, of the kinds that go wrong: powers of two and what is beside them, long rows of zeros and ones.
    fn numbers(bits: usize, seed: u64) -> Vec<UBig> {
        let one = UBig::ONE;
        let power = &one << bits;
        let mut state = seed | 1;
        let words: Vec<u64> = (0..bits.div_ceil(64))
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695);
                state ^ state >> 29
            })
            .collect();
        vec![
            &power - &one,
            power.clone(),
            &power + &one,
            &power + (&one << (bits / 2)),
            (&one << bits) + (&one << (bits - bits / 4)) + &one,
            UBig::from_words(&words),
        ]
    }

    fn sizes() -> impl Iterator<Item = usize> {
        [10, 5_000, 200_000, 400_001, 600_000].into_iter()
    }

    #[test]
    fn quotients_and_remainders_give_the_dividend() {
        for n in sizes() {
            for m in sizes().filter(|&m| m <= n) {
                for a in numbers(n, 3) {
                    for b in numbers(m, 5) {
                        let (q, r) = div_rem(&a, &b);
                        assert!(r < b);
                        assert!(q * b + r == a, "{n} {m}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_division_that_the_library_cannot_do() {
        let b = (UBig::ONE << 2_000_000) + UBig::ONE;
        let (q, r) = div_rem(&(UBig::ONE << 4_000_000), &b);
        assert!(q == &b - UBig::from(2u8) && r == UBig::ONE);
    }

    #[test]
    fn roots_are_the_largest_below() {
        for bits in sizes().filter(|&n| n <= 1_000_000) {
            for n in [2, 3, 1000] {
                for v in numbers(bits, 9) {
                    let r = root(&v, n);
                    assert!(power(&r, n) <= v, "{bits} {n}");
                    assert!(power(&(r + UBig::ONE), n) > v, "{bits} {n}");
                }
            }
        }
    }

    #[test]
    fn square_roots_leave_the_rest() {
        for bits in sizes().chain([192_001, 192_003, 768_005]) {
            for v in numbers(bits, 11) {
                for v in [v.sqr() - UBig::ONE, v.sqr(), v] {
                    let (root, rest) = square_root(&v);
                    assert!(rest <= &root << 1, "{bits}");
                    assert!(root.sqr() + rest == v, "{bits}");
                }
            }
        }
    }

    #[test]
    fn powers_are_those_of_the_library() {
        for b in [0u64, 1, 2, 3, 7, 12, 1 << 40, u64::MAX] {
            for e in [0usize, 1, 2, 3, 10, 1001] {
                assert_eq!(power(&UBig::from(b), e), UBig::from(b).pow(e), "{b} {e}");
            }
        }
    }

    #[test]
    fn text_reads_back() {
        for n in sizes().filter(|&n| n <= 1_000_000) {
            for v in numbers(n, 7) {
                let text = decimal(&-IBig::from(v.clone()));
                let read = IBig::from_str_radix(&text, 10).unwrap();
                assert!(read.unsigned_abs() == v && text.starts_with('-'), "{n}");
            }
        }
        let ten = IBig::from(power(&UBig::from(10u8), 200_000));
        assert_eq!(decimal(&ten).len(), 200_001);
        assert_eq!(decimal(&(ten - IBig::ONE)), "9".repeat(200_000));
    }

    #[test]
    fn divisors_that_are_common_and_greatest() {
        let (a, b) = (
            power(&UBig::from(3u8), 300_000),
            power(&UBig::from(5u8), 4_000),
        );
        assert!(gcd(&a * &b, &b << 17) == b);
        assert!(gcd(a.clone(), b).is_one());
        assert!(gcd(a.clone(), UBig::ZERO) == a && gcd(UBig::ZERO, &a << 7) == &a << 7);
        assert!(gcd(UBig::ZERO, UBig::ZERO).is_zero());
        assert!(gcd(&a << 70, &a << 3) == &a << 3);
        // The library's divides a long number by a short one in the middle of this.
        let c = UBig::ONE << 60_000;
        let d = &c + (UBig::ONE << 30_000) + UBig::ONE;
        assert!(gcd(c.clone(), d.clone()).is_one());
        for (x, y) in [
            (c, d),
            (
                power(&UBig::from(7u8), 3000),
                power(&UBig::from(21u8), 2000),
            ),
        ] {
            let (x, y) = if x < y { (y, x) } else { (x, y) };
            assert!(lehmer(x.clone(), y.clone()) == gcd(x.clone(), y.clone()));
            let shared = power(&UBig::from(11u8), 500);
            let divisor = lehmer(&x * &shared, &y * &shared);
            assert!(divisor == gcd(x, y) * shared);
        }
    }
}
