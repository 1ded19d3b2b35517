//! Floats: which results are errors, conversion of exact numbers, and rounding to other than the nearest.

use crate::{ArithError, Value};
use dashu_base::{BitTest, DivRem, Sign, SquareRootRem, UnsignedAbs};
use samite_term::Number;
use samite_term::number::{IBig, RBig, UBig};

/// How an inexact result is rounded; the flag `float_rounding`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rounding {
    #[default]
    ToNearest,
    ToPositive,
    ToNegative,
    ToZero,
}

impl Rounding {
    /// The mode that Prolog calls `name`.
    pub fn named(name: &str) -> Option<Rounding> {
        Some(match name {
            "to_nearest" => Rounding::ToNearest,
            "to_positive" => Rounding::ToPositive,
            "to_negative" => Rounding::ToNegative,
            "to_zero" => Rounding::ToZero,
            _ => return None,
        })
    }
    pub fn name(self) -> &'static str {
        match self {
            Rounding::ToNearest => "to_nearest",
            Rounding::ToPositive => "to_positive",
            Rounding::ToNegative => "to_negative",
            Rounding::ToZero => "to_zero",
        }
    }
    /// An overflow, unless it is rounded towards zero.
    fn saturate(self, f: f64) -> f64 {
        if f.is_infinite() && self != Rounding::ToNearest && !self.away(f < 0.0) {
            f64::MAX.copysign(f)
        } else {
            f
        }
    }
    /// Whether an inexact result of this sign is rounded away from zero; not for [`Rounding::ToNearest`].
    fn away(self, negative: bool) -> bool {
        match self {
            Rounding::ToPositive => !negative,
            Rounding::ToNegative => negative,
            Rounding::ToNearest | Rounding::ToZero => false,
        }
    }
}

/// What becomes of float results that are no ordinary numbers. By default all of them but underflow are errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FloatFlags {
    /// `float_overflow=infinity`
    pub overflow_is_infinity: bool,
    /// `float_zero_div=infinity`
    pub zero_div_is_infinity: bool,
    /// `float_undefined=nan`
    pub undefined_is_nan: bool,
    /// `float_underflow=error`
    pub underflow_is_error: bool,
    /// `float_rounding`
    pub rounding: Rounding,
}

impl FloatFlags {
    /// All flags at their defaults.
    pub const DEFAULT: FloatFlags = FloatFlags {
        overflow_is_infinity: false,
        zero_div_is_infinity: false,
        undefined_is_nan: false,
        underflow_is_error: false,
        rounding: Rounding::ToNearest,
    };

    /// A result, unless it is an error.
    #[inline]
    pub(crate) fn check(self, f: f64) -> Result<f64, ArithError> {
        if f.is_normal() || f == 0.0 {
            Ok(f)
        } else {
            self.check_special(f)
        }
    }
    #[cold]
    fn check_special(self, f: f64) -> Result<f64, ArithError> {
        if f.is_nan() {
            return self.undefined(f);
        }
        if f.is_infinite() {
            return if self.overflow_is_infinity {
                Ok(f)
            } else {
                Err(ArithError::Evaluation("float_overflow"))
            };
        }
        if self.underflow_is_error {
            Err(ArithError::Evaluation("float_underflow"))
        } else {
            Ok(f)
        }
    }
    fn undefined(self, nan: f64) -> Result<f64, ArithError> {
        if self.undefined_is_nan {
            Ok(nan.abs())
        } else {
            Err(ArithError::Evaluation("undefined"))
        }
    }
    /// A function is applied outside of its domain.
    pub(crate) fn undefined_value(self) -> Value {
        self.undefined(f64::NAN).map(Number::Float)
    }
    /// A float result, unless it is an error.
    #[inline]
    pub(crate) fn value(self, f: f64) -> Value {
        self.check(f).map(Number::Float)
    }
    /// A number other than 0 is divided by zero; the result's sign is that of `sign`.
    pub(crate) fn zero_div(self, sign: f64) -> Value {
        if self.zero_div_is_infinity {
            Ok(Number::Float(f64::INFINITY.copysign(sign)))
        } else {
            Err(ArithError::Evaluation("zero_divisor"))
        }
    }
    /// A number as a float argument, which is checked as a result would be.
    #[inline]
    pub(crate) fn argument(self, n: &Number) -> Result<f64, ArithError> {
        match n {
            Number::Float(f) => self.check(*f),
            _ => self.convert(n),
        }
    }
    /// A number as a float; a float stays as it is.
    #[inline]
    pub(crate) fn convert(self, n: &Number) -> Result<f64, ArithError> {
        match n {
            Number::Float(f) => Ok(*f),
            Number::Int(v) if v.unsigned_abs() <= 1 << 53 => Ok(*v as f64),
            _ => crate::guarded(crate::basic::bits(n), || self.convert_exact(n)),
        }
    }
    /// The same for an exact number.
    fn convert_exact(self, n: &Number) -> Result<f64, ArithError> {
        match n {
            Number::Rat(r) => {
                let f = ratio_to_f64(r.numerator(), r.denominator(), self.rounding);
                self.check(self.rounding.saturate(f))
            }
            _ if self.rounding == Rounding::ToNearest => self.check(n.to_f64()),
            _ => {
                let b = n.to_big().unwrap_or_default();
                self.check(ratio_to_f64(&b, &UBig::ONE, self.rounding))
            }
        }
    }
    #[inline]
    pub(crate) fn add(self, x: f64, y: f64) -> f64 {
        let r = x + y;
        if self.rounding == Rounding::ToNearest {
            r
        } else {
            self.directed_sum(x, y, r)
        }
    }
    #[inline]
    pub(crate) fn mul(self, x: f64, y: f64) -> f64 {
        let r = x * y;
        if self.rounding == Rounding::ToNearest {
            r
        } else {
            self.directed(x, y, r, |x, y| x * y)
        }
    }
    #[inline]
    pub(crate) fn div(self, x: f64, y: f64) -> f64 {
        let r = x / y;
        if self.rounding == Rounding::ToNearest || y == 0.0 {
            r
        } else {
            self.directed(x, y, r, |x, y| x / y)
        }
    }
    #[cold]
    fn directed_sum(self, x: f64, y: f64, nearest: f64) -> f64 {
        let opposite_zeros = x == 0.0 && y == 0.0 && x.is_sign_negative() != y.is_sign_negative();
        if opposite_zeros || x == -y && x.is_finite() && x != 0.0 {
            // The sum is exactly zero.
            return if self.rounding == Rounding::ToNegative {
                -0.0
            } else {
                0.0
            };
        }
        self.directed(x, y, nearest, |x, y| x + y)
    }
    /// The exact result of `op`, rounded as the flag says; `nearest` is the result that rounds to nearest.
    #[cold]
    fn directed(self, x: f64, y: f64, nearest: f64, op: fn(RBig, RBig) -> RBig) -> f64 {
        match (RBig::try_from(x), RBig::try_from(y)) {
            (Ok(a), Ok(b)) => {
                let exact = op(a, b);
                if exact.is_zero() {
                    return nearest;
                }
                let r = ratio_to_f64(exact.numerator(), exact.denominator(), self.rounding);
                self.rounding.saturate(r)
            }
            _ => nearest,
        }
    }
    pub(crate) fn sqrt(self, x: f64) -> f64 {
        let r = x.sqrt();
        if self.rounding == Rounding::ToNearest || !r.is_finite() || r == 0.0 {
            return r;
        }
        // x is a multiple of 2^-1074: the root of x 4^1200 is an integer of more than 600 bits and tells all that x has.
        let Ok(exact) = RBig::try_from(x) else {
            return r;
        };
        let shift = 1200;
        let (num, den) = exact.into_parts();
        let scaled = (num.unsigned_abs() << (2 * shift)) / den;
        let (root, rest) = scaled.sqrt_rem();
        let mut num = IBig::from(root) << 1;
        if !rest.is_zero() {
            num += IBig::ONE;
        }
        ratio_to_f64(&num, &(UBig::ONE << (shift + 1)), self.rounding)
    }
}

/// `num / den` as a float; infinite when out of range.
pub(crate) fn ratio_to_f64(num: &IBig, den: &UBig, rounding: Rounding) -> f64 {
    let negative = num.sign() == Sign::Negative;
    let magnitude = num.clone().unsigned_abs();
    if magnitude.is_zero() {
        return 0.0;
    }
    let exponent = magnitude.bit_len() as i64 - den.bit_len() as i64;
    if exponent > 1025 {
        return signed_f64(f64::INFINITY, negative);
    }
    // The quotient in units of 2^low has at least 54 bits, or as many as a subnormal has and what is below them is lost
    // in `rest`.
    let mut low = (exponent - 55).max(-1076);
    let (mut q, rest) = if low < 0 {
        (magnitude << (low.unsigned_abs() as usize)).div_rem(den)
    } else {
        magnitude.div_rem(den << (low as usize))
    };
    let mut sticky = !rest.is_zero();
    let drop = (q.bit_len() as i64 - 53).max(-1074 - low).max(0) as usize;
    let mut half = false;
    if drop > 0 {
        half = q.bit(drop - 1);
        sticky |= q.trailing_zeros().is_some_and(|z| z < drop - 1);
        q >>= drop;
        low += drop as i64;
    }
    let mut m = u64::try_from(&q).unwrap_or(u64::MAX);
    let up = if rounding == Rounding::ToNearest {
        half && (sticky || m & 1 == 1)
    } else {
        (half || sticky) && rounding.away(negative)
    };
    m += u64::from(up);
    // Both products are exact: m has at most 53 bits and the result is a multiple of 2^-1074.
    let first = low.clamp(-500, 900);
    let f = m as f64 * power_of_two(first) * power_of_two(low - first);
    signed_f64(f, negative)
}

fn signed_f64(f: f64, negative: bool) -> f64 {
    if negative { -f } else { f }
}

/// 2 to the power of `e`, which must lie in -1022..=1023.
fn power_of_two(e: i64) -> f64 {
    f64::from_bits(((1023 + e) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(n: IBig, d: UBig, r: Rounding) -> f64 {
        ratio_to_f64(&n, &d, r)
    }

    #[test]
    fn ratios_round_in_every_direction() {
        let third = |r| ratio(IBig::ONE, UBig::from(3u8), r);
        assert_eq!(third(Rounding::ToNearest), 1.0 / 3.0);
        assert_eq!(third(Rounding::ToPositive), 0.333_333_333_333_333_37);
        assert_eq!(third(Rounding::ToNegative), 1.0 / 3.0);
        assert_eq!(
            ratio(-IBig::ONE, UBig::from(3u8), Rounding::ToPositive),
            -1.0 / 3.0
        );
        assert_eq!(
            ratio(IBig::ONE, UBig::ONE << 1074, Rounding::ToNearest),
            5e-324
        );
        assert_eq!(
            ratio(IBig::ONE, UBig::ONE << 1075, Rounding::ToNearest),
            0.0
        );
        assert_eq!(
            ratio(IBig::from(3), UBig::ONE << 1076, Rounding::ToNearest),
            5e-324
        );
        assert_eq!(
            ratio(IBig::ONE, UBig::ONE << 2000, Rounding::ToPositive),
            5e-324
        );
        assert_eq!(
            ratio(IBig::ONE << 1024, UBig::ONE, Rounding::ToNearest),
            f64::INFINITY
        );
        assert_eq!(
            ratio((IBig::ONE << 1024) - IBig::ONE, UBig::ONE, Rounding::ToZero),
            f64::MAX
        );
        assert_eq!(
            ratio(
                (IBig::ONE << 1024) - IBig::ONE,
                UBig::ONE,
                Rounding::ToNearest
            ),
            f64::INFINITY
        );
    }

    #[test]
    fn ratios_agree_with_exact_floats() {
        for bits in [
            1u64,
            0x000f_ffff_ffff_ffff,
            0x0010_0000_0000_0000,
            0x3ff0_0000_0000_0001,
            0x7fef_ffff_ffff_ffff,
        ] {
            let f = f64::from_bits(bits);
            let r = RBig::try_from(f).unwrap();
            for mode in [
                Rounding::ToNearest,
                Rounding::ToPositive,
                Rounding::ToNegative,
                Rounding::ToZero,
            ] {
                assert_eq!(ratio_to_f64(r.numerator(), r.denominator(), mode), f);
            }
        }
    }

    #[test]
    fn directed_sums_and_roots() {
        let up = FloatFlags {
            rounding: Rounding::ToPositive,
            ..FloatFlags::DEFAULT
        };
        let down = FloatFlags {
            rounding: Rounding::ToNegative,
            ..FloatFlags::DEFAULT
        };
        assert_eq!(up.add(0.1, 0.2), 0.300_000_000_000_000_04);
        assert_eq!(down.add(0.1, 0.2), 0.3);
        assert!(down.add(1.0, -1.0).is_sign_negative());
        assert!(down.add(f64::INFINITY, -f64::INFINITY).is_nan());
        assert_eq!(up.sqrt(2.0), std::f64::consts::SQRT_2);
        assert_eq!(down.sqrt(2.0), std::f64::consts::SQRT_2.next_down());
        assert_eq!(up.sqrt(4.0), 2.0);
        assert_eq!(down.mul(1e308, 10.0), f64::MAX);
        assert_eq!(up.div(5e-324, 2.0), 5e-324);
        assert_eq!(down.div(5e-324, 2.0), 0.0);
    }
}
