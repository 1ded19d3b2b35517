//! `erf`, `erfc` and `lgamma`, computed to more bits than a float has and then rounded.
//!
//! The error function is its Taylor series in fixed point: with `P` bits behind the point, terms up to `e^(x^2)` in size
//! cancel without harm, and the complement `1 - erf` still has 64 good bits if `P` grows with `x^2`. The logarithm of the
//! gamma function is Stirling's series after the argument is moved above [`STIRLING`] by the recurrence.

use crate::float::{Rounding, ratio_to_f64};
use dashu_float::FBig;
use dashu_float::round::mode::HalfEven;
use samite_term::number::{IBig, RBig, UBig};
use std::sync::OnceLock;

/// Bits behind the point of the constants.
const CONSTANT_BITS: usize = 1536;

/// The error function.
pub(crate) fn erf(x: f64) -> f64 {
    if x.is_nan() || x == 0.0 {
        return x;
    }
    if x.abs() >= 6.0 {
        return 1f64.copysign(x);
    }
    let bits = 192;
    let Ok(exact) = RBig::try_from(x) else {
        return x;
    };
    // Only the factor x is not in fixed point: the result has as many good bits when x is tiny.
    let series = taylor(&exact, bits);
    let num = series * (two_over_root_pi() >> (CONSTANT_BITS - bits)) * exact.numerator();
    ratio_to_f64(
        &num,
        &(exact.denominator() << (2 * bits)),
        Rounding::ToNearest,
    )
}

/// The complement of the error function.
pub(crate) fn erfc(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x > 27.5 {
        return 0.0;
    }
    if x < -6.0 {
        return 2.0;
    }
    let Ok(exact) = RBig::try_from(x) else {
        return x;
    };
    let bits = 192 + (1.45 * x * x) as usize;
    let series = taylor(&exact, bits);
    let product = series * (two_over_root_pi() >> (CONSTANT_BITS - bits)) * exact.numerator();
    let erf = (product >> bits) / IBig::from(exact.denominator().clone());
    let one = IBig::ONE << bits;
    ratio_to_f64(&(one - erf), &(UBig::ONE << bits), Rounding::ToNearest)
}

/// The sum of `(-1)^n x^(2n) / (n! (2n+1))`, in units of 2^-`bits`.
fn taylor(x: &RBig, bits: usize) -> IBig {
    let square = {
        let s = x * x;
        (s.numerator() << bits) / IBig::from(s.denominator().clone())
    };
    let mut power = IBig::ONE << bits;
    let mut sum = power.clone();
    let mut n = 1u64;
    loop {
        power = -((power * &square) >> bits) / IBig::from(n);
        if power.is_zero() || power == IBig::ONE || power == IBig::NEG_ONE {
            return sum;
        }
        sum += &power / IBig::from(2 * n + 1);
        n += 1;
    }
}

/// 2 / sqrt(pi) in units of 2^-[`CONSTANT_BITS`].
fn two_over_root_pi() -> &'static IBig {
    static VALUE: OnceLock<IBig> = OnceLock::new();
    VALUE.get_or_init(|| {
        // sqrt(4 / pi) = 2^(2 b + 1) / sqrt(pi 2^(2 b)) in units of 2^-b.
        let b = CONSTANT_BITS + 64;
        let pi = pi(b);
        let quotient = (IBig::ONE << (3 * b + 2)) / pi;
        let root = dashu_base::SquareRoot::sqrt(&quotient.into_parts().1);
        IBig::from(root) >> (b - CONSTANT_BITS)
    })
}

/// Pi in units of 2^-`bits` by Machin's formula, a few units too small or large.
fn pi(bits: usize) -> IBig {
    let arctan_of_inverse = |n: u32| {
        let square = IBig::from(n * n);
        let mut power = (IBig::ONE << bits) / IBig::from(n);
        let mut sum = power.clone();
        let mut k = 1u32;
        while !power.is_zero() {
            power = -power / &square;
            k += 2;
            sum += &power / IBig::from(k);
        }
        sum
    };
    (arctan_of_inverse(5) * IBig::from(4) - arctan_of_inverse(239)) * IBig::from(4)
}

type Real = FBig<HalfEven, 2>;

/// Precision of [`lgamma`]'s numbers.
const GAMMA_BITS: usize = 192;
/// Arguments of Stirling's series are at least this large.
const STIRLING: f64 = 36.0;
/// Terms of Stirling's series.
const TERMS: usize = 20;

/// The logarithm of the gamma function; infinite for all arguments up to 0.
pub(crate) fn lgamma(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x <= 0.0 || x > 2.6e305 {
        return f64::INFINITY;
    }
    if x == 1.0 || x == 2.0 {
        return 0.0;
    }
    let Ok(exact) = Real::try_from(x) else {
        return x;
    };
    let one = real(1);
    let mut z = exact.with_precision(GAMMA_BITS).value();
    let mut product = one.clone();
    let mut at = x;
    while at < STIRLING {
        product *= &z;
        z += &one;
        at += 1.0;
    }
    let stirling = stirling();
    let inverse = &one / &z;
    let square = &inverse * &inverse;
    let mut correction = real(0);
    for c in stirling.coefficients.iter().rev() {
        correction = correction * &square + c;
    }
    let half = &one / real(2);
    let log_gamma = (&z - half) * z.ln() - &z + &stirling.half_log_two_pi + correction * inverse;
    (log_gamma - product.ln()).to_f64().value()
}

fn real(n: i64) -> Real {
    Real::from(n).with_precision(GAMMA_BITS).value()
}

fn quotient(num: IBig, den: IBig) -> Real {
    let num = Real::from(num).with_precision(GAMMA_BITS).value();
    num / Real::from(den).with_precision(GAMMA_BITS).value()
}

struct Stirling {
    /// `B(2k) / (2k (2k - 1))` for k from 1.
    coefficients: Vec<Real>,
    half_log_two_pi: Real,
}

fn stirling() -> &'static Stirling {
    static VALUE: OnceLock<Stirling> = OnceLock::new();
    VALUE.get_or_init(|| {
        let numbers = bernoulli(2 * TERMS);
        let coefficients = (1..=TERMS)
            .map(|k| {
                let b = &numbers[2 * k] / RBig::from(IBig::from(2 * k * (2 * k - 1)));
                quotient(b.numerator().clone(), b.denominator().clone().into())
            })
            .collect();
        let two_pi = quotient(pi(GAMMA_BITS + 64), IBig::ONE << (GAMMA_BITS + 63));
        Stirling {
            coefficients,
            half_log_two_pi: two_pi.ln() / real(2),
        }
    })
}

/// The Bernoulli numbers up to number `n`, by their recurrence.
fn bernoulli(n: usize) -> Vec<RBig> {
    let mut numbers = vec![RBig::ONE];
    for m in 1..=n {
        let mut sum = RBig::ZERO;
        let mut binomial = IBig::ONE;
        for (k, b) in numbers.iter().enumerate() {
            sum += b * RBig::from(binomial.clone());
            binomial = binomial * IBig::from(m + 1 - k) / IBig::from(k + 1);
        }
        numbers.push(-sum / RBig::from(IBig::from(m + 1)));
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_base::Signed;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() <= 2.0 * f64::EPSILON * b.abs(), "{a} {b}");
    }

    #[test]
    fn error_function() {
        close(erf(0.5), 0.520_499_877_813_046_5);
        close(erf(-1.0), -0.842_700_792_949_714_9);
        close(erf(1e-300), 1.128_379_167_095_512_6e-300);
        assert_eq!(erf(5.95), 1.0);
        assert_eq!(erf(f64::NEG_INFINITY), -1.0);
        assert!(erf(-0.0).is_sign_negative());
    }

    #[test]
    fn complement_of_the_error_function() {
        close(erfc(0.5), 0.479_500_122_186_953_5);
        close(erfc(-1.0), 1.842_700_792_949_715);
        close(erfc(10.0), 2.088_487_583_762_544_6e-45);
        close(erfc(26.5), 2.2109076642637343e-307);
        assert_eq!(erfc(30.0), 0.0);
        assert_eq!(erfc(f64::NEG_INFINITY), 2.0);
        assert_eq!(erfc(0.0), 1.0);
    }

    #[test]
    fn logarithm_of_the_gamma_function() {
        let mut factorial = 1.0f64;
        for n in 1..20 {
            factorial *= f64::from(n);
            close(lgamma(f64::from(n + 1)), factorial.ln());
        }
        close(lgamma(0.5), std::f64::consts::PI.sqrt().ln());
        close(lgamma(1e-300), 690.775_527_898_213_7);
        close(lgamma(1e300), 6.897_755_278_982_137e302);
        close(
            lgamma(1.0 + f64::EPSILON),
            -0.577_215_664_901_532_9 * f64::EPSILON,
        );
        assert_eq!(lgamma(0.0), f64::INFINITY);
        assert_eq!(lgamma(1e308), f64::INFINITY);
    }

    #[test]
    fn bernoulli_numbers() {
        let b = bernoulli(12);
        assert_eq!(b[4], RBig::from_parts((-1).into(), 30u8.into()));
        assert_eq!(b[12], RBig::from_parts((-691).into(), 2730u16.into()));
        assert!(b[11].is_zero() && !b[2].is_negative());
    }
}
