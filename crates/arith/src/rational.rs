//! Sums, products and quotients of rationals in lowest terms.
//!
//! Both operands are reduced, so the result needs common divisors of small parts only (Knuth, The Art of Computer Programming, vol. 2, 4.5.1):
//! a sum has a common divisor with its denominator only where the denominators have one; factors are divided before they are multiplied.
//! What fits in words is computed in words.
//!
//! Invariant: results are reduced, as every [`Number::Rat`] is.

use crate::limbs;
use samite_term::number::{IBig, Ratio, UBig};
use samite_term::{Number, bignum};

/// Numerator and denominator of an exact number.
fn parts(n: &Number) -> (IBig, UBig) {
    n.to_rational().unwrap_or_default().into_parts()
}

/// A number whose parts have no common divisor.
fn reduced(num: IBig, den: UBig) -> Number {
    if den.is_one() {
        Number::from_big(num)
    } else {
        Number::Rat(Box::new(Ratio::from_parts(num, den)))
    }
}

/// The number without its common divisor with another, and that other without it.
fn without_common(num: IBig, den: UBig) -> (IBig, UBig) {
    let (sign, size) = num.into_parts();
    if den.is_one() || size.is_one() {
        return (IBig::from_parts(sign, size), den);
    }
    if size.is_zero() {
        return (IBig::ZERO, UBig::ONE);
    }
    let divisor = divisor(&size, &den);
    if divisor.is_one() {
        return (IBig::from_parts(sign, size), den);
    }
    (
        IBig::from_parts(sign, over(&size, &divisor)),
        over(&den, &divisor),
    )
}

/// The greatest common divisor of numbers above 0; that with a single word takes one division.
fn divisor(a: &UBig, b: &UBig) -> UBig {
    let (a, b) = if a < b { (b, a) } else { (a, b) };
    let Ok(word) = u64::try_from(b) else {
        return bignum::gcd(a.clone(), b.clone());
    };
    let rest = limbs::remainder_by_limb(a.as_words(), word);
    let (mut x, mut y) = (word, rest.unwrap_or_else(|| a % word));
    while y != 0 {
        (x, y) = (y, x % y);
    }
    UBig::from(x)
}

/// `a` without a divisor of it.
fn over(a: &UBig, divisor: &UBig) -> UBig {
    if divisor.is_one() {
        a.clone()
    } else if let &[word] = divisor.as_words() {
        UBig::from_words(&limbs::divide_exactly(a.as_words(), word))
    } else {
        bignum::div_rem(a, divisor).0
    }
}

/// `a + b`, or `a - b`.
pub(crate) fn sum(a: &Number, b: &Number, minus: bool) -> Number {
    if let (Some((p, q)), Some((r, s))) = (a.small_parts(), b.small_parts())
        && let r = if minus { -r } else { r }
        && let Some(num) = (p * s).checked_add(r * q)
    {
        return Number::from_parts(num, q * s);
    }
    let ((p, q), (r, s)) = (parts(a), parts(b));
    let r = if minus { -r } else { r };
    let common = divisor(&q, &s);
    if common.is_one() {
        return reduced(p * IBig::from(s.clone()) + r * IBig::from(q.clone()), q * s);
    }
    let (left, right) = (over(&q, &common), over(&s, &common));
    let num = p * IBig::from(right.clone()) + r * IBig::from(left.clone());
    if num.is_zero() {
        return Number::Int(0);
    }
    // A divisor of numerator and denominator divides what the denominators have in common.
    let (num, common) = without_common(num, common);
    reduced(num, left * right * common)
}

/// `a * b`
pub(crate) fn product(a: &Number, b: &Number) -> Number {
    if let (Some((p, q)), Some((r, s))) = (a.small_parts(), b.small_parts()) {
        return Number::from_parts(p * r, q * s);
    }
    let ((p, q), (r, s)) = (parts(a), parts(b));
    multiplied((p, q), (r, s))
}

fn multiplied((p, q): (IBig, UBig), (r, s): (IBig, UBig)) -> Number {
    let (p, s) = without_common(p, s);
    let (r, q) = without_common(r, q);
    reduced(p * r, q * s)
}

/// `a / b`; `b` is not 0.
pub(crate) fn quotient(a: &Number, b: &Number) -> Number {
    if let (Some((p, q)), Some((r, s))) = (a.small_parts(), b.small_parts())
        && r != 0
    {
        let (num, den) = (p * s, q * r);
        return if den < 0 {
            Number::from_parts(-num, -den)
        } else {
            Number::from_parts(num, den)
        };
    }
    let (p, q) = parts(a);
    let (r, s) = parts(b);
    let (sign, size) = r.into_parts();
    multiplied((p, q), (IBig::from_parts(sign, s), size))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quotients of small and large numbers with and without common divisors.
    fn numbers() -> Vec<Number> {
        let large = |n: u32| IBig::from(6) << (n as usize) | IBig::from(n);
        let mut nums = vec![IBig::ZERO, IBig::from(i64::MAX), IBig::from(i64::MIN)];
        for n in [1u32, 2, 12, 35] {
            nums.extend([IBig::from(n), -IBig::from(n), large(n), large(70 + n)]);
        }
        let dens = [1u32, 2, 12, 35, 1000]
            .into_iter()
            .flat_map(|n| [UBig::from(n), UBig::from(n) << 64, UBig::from(n) << 130]);
        let dens: Vec<UBig> = dens.collect();
        let all = nums.iter().flat_map(|n| {
            dens.iter()
                .map(|d| Number::from_rational(Ratio::from_parts(n.clone(), d.clone())))
        });
        all.collect()
    }

    /// Beside the library's operations, whose results are reduced as a whole.
    #[test]
    fn results_are_reduced() {
        let ratio = |n: &Number| n.to_rational().unwrap();
        let all = numbers();
        for a in &all {
            for b in &all {
                let (x, y) = (ratio(a), ratio(b));
                let by = |r: Ratio| Number::from_rational(r);
                assert_eq!(sum(a, b, false), by(&x + &y), "{a:?} + {b:?}");
                assert_eq!(sum(a, b, true), by(&x - &y), "{a:?} - {b:?}");
                assert_eq!(product(a, b), by(&x * &y), "{a:?} * {b:?}");
                if *b != Number::Int(0) {
                    assert_eq!(quotient(a, b), by(&x / &y), "{a:?} / {b:?}");
                }
                let order = samite_term::number::compare_values(a, b);
                assert_eq!(order, Some(x.cmp(&y)), "{a:?} and {b:?}");
            }
        }
    }
}
