//! `erf`, `erfc` and `lgamma`, computed to many more bits than a float has and then rounded.
//!
//! Numbers are integers in units of 2^-[`BITS`]. The error function is its Taylor series, whose terms are small enough up to
//! 4 for their cancelling not to matter; its complement above that is a continued fraction (Abramowitz and Stegun, 7.1.14).
//! The logarithm of the gamma function is Stirling's series (6.1.40) after the argument is moved above [`STIRLING`] by the
//! recurrence.

use crate::float::{Rounding, ratio_to_f64};
use dashu_base::BitTest;
use samite_term::number::{IBig, RBig, UBig};
use std::sync::OnceLock;

/// Bits behind the point.
const BITS: usize = 256;

/// The error function.
pub(crate) fn erf(x: f64) -> f64 {
    if x.is_nan() || x == 0.0 {
        return x;
    }
    if x.abs() >= 6.0 {
        return 1f64.copysign(x);
    }
    let Ok(exact) = RBig::try_from(x) else {
        return x;
    };
    // x is a factor on its own, so that a tiny result has as many good bits as any other.
    let num = taylor(&exact) * &constants().two_over_root_pi * exact.numerator();
    ratio_to_f64(
        &num,
        &(exact.denominator() << (2 * BITS)),
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
    if x >= 4.0 {
        return complement(&fixed(exact.numerator(), exact.denominator()));
    }
    let product = taylor(&exact) * &constants().two_over_root_pi * exact.numerator();
    let erf = (product >> BITS) / IBig::from(exact.denominator().clone());
    rounded(one() - erf)
}

/// The sum of `(-1)^n x^(2n) / (n! (2n+1))`.
fn taylor(x: &RBig) -> IBig {
    let square = x * x;
    let square = fixed(square.numerator(), square.denominator());
    let mut power = one();
    let mut sum = one();
    for n in 1u32.. {
        power = -product(&power, &square) / IBig::from(n);
        if power.bit_len() <= 1 {
            break;
        }
        sum += &power / IBig::from(2 * n + 1);
    }
    sum
}

/// Levels of the continued fraction of [`complement`]; at 4 they give more than 100 bits.
const LEVELS: u32 = 60;

/// `erfc` of at least 4.
fn complement(x: &IBig) -> f64 {
    // erfc(x) = e^(-x^2) / sqrt(pi) / (x + (1/2) / (x + (2/2) / (x + (3/2) / ...)))
    let mut fraction = x.clone();
    for n in (1..=LEVELS).rev() {
        fraction = x + (IBig::from(n) << (2 * BITS - 1)) / fraction;
    }
    // e^(-x^2) = 2^(-k) e^(-r)
    let c = constants();
    let square = product(x, x);
    let k = &square / &c.ln_2;
    let r = square - &k * &c.ln_2;
    let mut term = one();
    let mut power = one();
    for n in 1u32.. {
        term = -product(&term, &r) / IBig::from(n);
        if term.bit_len() <= 1 {
            break;
        }
        power += &term;
    }
    let num = power * &c.two_over_root_pi;
    let shift = usize::try_from(&k).unwrap_or(0) + BITS + 1;
    ratio_to_f64(
        &num,
        &(fraction.into_parts().1 << shift),
        Rounding::ToNearest,
    )
}

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
    if x < f64::EPSILON * f64::EPSILON {
        return -x.ln();
    }
    let Ok(exact) = RBig::try_from(x) else {
        return x;
    };
    let c = constants();
    let mut z = fixed(exact.numerator(), exact.denominator());
    let mut factors = one();
    let mut at = x;
    while at < STIRLING {
        factors = product(&factors, &z);
        z += one();
        at += 1.0;
    }
    // ln gamma(z) = (z - 1/2) ln z - z + ln(2 pi)/2 + sum of B(2k) / (2k (2k - 1) z^(2k - 1))
    let inverse = (IBig::ONE << (2 * BITS)) / &z;
    let square = product(&inverse, &inverse);
    let mut correction = IBig::ZERO;
    for b in c.stirling.iter().rev() {
        correction = product(&correction, &square) + b;
    }
    let main = product(&(&z - (one() >> 1)), &ln(&z, &c.ln_2)) - z;
    rounded(main + &c.half_ln_two_pi + product(&correction, &inverse) - ln(&factors, &c.ln_2))
}

/// Numbers that several functions need.
struct Constants {
    two_over_root_pi: IBig,
    ln_2: IBig,
    half_ln_two_pi: IBig,
    /// `B(2k) / (2k (2k - 1))` for k from 1.
    stirling: Vec<IBig>,
}

fn constants() -> &'static Constants {
    static VALUE: OnceLock<Constants> = OnceLock::new();
    VALUE.get_or_init(|| {
        let pi = pi();
        let ln_2 = inverse_tanh(&fixed(&IBig::ONE, &UBig::from(3u8))) << 1;
        let four_over_pi = (IBig::ONE << (3 * BITS + 2)) / &pi;
        let numbers = bernoulli(2 * TERMS);
        let stirling = (1..=TERMS).map(|k| {
            let b = &numbers[2 * k] / RBig::from(IBig::from(2 * k * (2 * k - 1)));
            fixed(b.numerator(), b.denominator())
        });
        Constants {
            two_over_root_pi: dashu_base::SquareRoot::sqrt(&four_over_pi.into_parts().1).into(),
            half_ln_two_pi: ln(&(pi << 1), &ln_2) >> 1,
            stirling: stirling.collect(),
            ln_2,
        }
    })
}

fn one() -> IBig {
    IBig::ONE << BITS
}

fn fixed(num: &IBig, den: &UBig) -> IBig {
    (num << BITS) / IBig::from(den.clone())
}

fn product(a: &IBig, b: &IBig) -> IBig {
    (a * b) >> BITS
}

fn rounded(n: IBig) -> f64 {
    ratio_to_f64(&n, &(UBig::ONE << BITS), Rounding::ToNearest)
}

/// The natural logarithm of a positive number.
fn ln(n: &IBig, ln_2: &IBig) -> IBig {
    // n = 2^k m with m from 3/4 up to 3/2.
    let mut k = n.bit_len() as i64 - 1 - BITS as i64;
    let mut m = if k < 0 {
        n << (k.unsigned_abs() as usize)
    } else {
        n >> (k as usize)
    };
    if m >= IBig::from(3) << (BITS - 1) {
        m >>= 1;
        k += 1;
    }
    let t = ((&m - one()) << BITS) / (m + one());
    (inverse_tanh(&t) << 1) + IBig::from(k) * ln_2
}

/// The inverse hyperbolic tangent of a small number, by its Taylor series.
fn inverse_tanh(t: &IBig) -> IBig {
    let square = product(t, t);
    let mut power = t.clone();
    let mut sum = t.clone();
    for n in (3u32..).step_by(2) {
        power = product(&power, &square);
        if power.bit_len() <= 1 {
            break;
        }
        sum += &power / IBig::from(n);
    }
    sum
}

/// Pi by Machin's formula.
fn pi() -> IBig {
    let arctan_of_inverse = |n: u32| {
        let square = IBig::from(n * n);
        let mut power = one() / IBig::from(n);
        let mut sum = power.clone();
        for k in (3u32..).step_by(2) {
            power = -power / &square;
            if power.is_zero() {
                break;
            }
            sum += &power / IBig::from(k);
        }
        sum
    };
    (arctan_of_inverse(5) * IBig::from(4) - arctan_of_inverse(239)) * IBig::from(4)
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
