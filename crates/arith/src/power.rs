//! `**` and `^`, which are the same function but under the flag `iso`.
//!
//! An exponent of zero gives the integer 1 and so does the integer 1 as a base, whatever the other number. Integers
//! have integer and rationals rational powers; a rational exponent has an exact result if the root is exact. All else is
//! float.

use crate::basic::{big, exact_sign};
use crate::{ArithError, Env, MAX_BITS, TOO_LARGE, Value, fits, product_fits};
use dashu_base::{BitTest, EstimatedLog2, Sign, Signed, UnsignedAbs};
use samite_term::number::{IBig, Ratio, UBig};
use samite_term::{Number, bignum, heavy};
use std::cmp::Ordering;

/// `base ^ exponent`: an integer to the power of an integer is an integer, or an error under the flag `iso`.
pub(crate) fn integral_power(base: &Number, exponent: &Number, env: &Env) -> Value {
    let large =
        matches!(base, Number::Int(v) if v.unsigned_abs() > 1) || matches!(base, Number::Big(_));
    if env.iso
        && !env.prefer_rationals
        && large
        && exponent.is_integer()
        && exact_sign(exponent) == Ordering::Less
    {
        return Err(ArithError::type_error("float", base));
    }
    power(base, exponent, env)
}

/// `base ** exponent`
pub(crate) fn power(base: &Number, exponent: &Number, env: &Env) -> Value {
    let f = env.floats;
    if is_zero(exponent) || *base == Number::Int(1) {
        // (The standard's is a float where one of both is: 9.3.1, 9.3.10.)
        let floats = [base, exponent].map(|n| matches!(n, Number::Float(_)));
        return Ok(match env.iso && floats != [false, false] {
            true => Number::Float(1.0),
            false => Number::Int(1),
        });
    }
    if *base == Number::Int(0) {
        return match exponent {
            Number::Float(e) if e.is_nan() => f.undefined_value(),
            _ if exact_sign(exponent) == Ordering::Less => f.zero_div(1.0),
            _ => Ok(Number::Int(0)),
        };
    }
    match (base, exponent) {
        (Number::Int(_) | Number::Big(_), Number::Int(_) | Number::Big(_)) => {
            integer_power(base, exponent, env)
        }
        (Number::Rat(r), Number::Int(_) | Number::Big(_)) => rational_power(r, exponent),
        (_, Number::Rat(e)) => root(base, e, env),
        _ => float_power(base, exponent, env),
    }
}

fn is_zero(n: &Number) -> bool {
    match n {
        Number::Int(v) => *v == 0,
        Number::Float(f) => *f == 0.0,
        _ => false,
    }
}

/// A power of an integer other than 0 and 1.
fn integer_power(base: &Number, exponent: &Number, env: &Env) -> Value {
    if *base == Number::Int(-1) {
        return Ok(Number::Int(if is_odd(exponent) { -1 } else { 1 }));
    }
    if exact_sign(exponent) == Ordering::Greater {
        return raise(&big(base), size(exponent)?).map(Number::from_big);
    }
    if env.prefer_rationals {
        let r = raise(&big(base), size(exponent)?)?;
        let bits = r.bit_len();
        return Ok(heavy::run(bits, move || fraction(r, IBig::ONE, true))?);
    }
    if matches!(exponent, Number::Big(_)) {
        return Err(TOO_LARGE);
    }
    float_power(base, exponent, env)
}

fn is_odd(n: &Number) -> bool {
    match n {
        Number::Int(v) => v & 1 == 1,
        _ => big(n).bit(0),
    }
}

/// The size of an exponent.
fn size(exponent: &Number) -> Result<usize, ArithError> {
    match exponent {
        Number::Int(v) => usize::try_from(v.unsigned_abs()).map_err(|_| TOO_LARGE),
        _ => Err(TOO_LARGE),
    }
}

/// A power, unless it is too large.
fn raise(base: &IBig, exponent: usize) -> Result<IBig, ArithError> {
    if base.bit_len() <= 1 {
        // 0, 1 or -1.
        return Ok(if exponent == 0 || exponent & 1 == 0 && !base.is_zero() {
            IBig::ONE
        } else {
            base.clone()
        });
    }
    // At least so many bits; all of the estimate's errors are below a millionth.
    let bits = f64::from(base.log2_bounds().0) * exponent as f64 * (1.0 - 1e-6);
    if bits > MAX_BITS as f64 {
        return Err(TOO_LARGE);
    }
    let bits = bits as usize;
    // The odd factor is what is multiplied.
    let zeros = base.trailing_zeros().unwrap_or(0);
    if zeros + 1 == base.bit_len() {
        fits(bits)?;
    } else {
        product_fits(bits)?;
    }
    let base = base.clone();
    Ok(heavy::run(bits, move || {
        let negative = base.is_negative() && exponent & 1 == 1;
        let size = bignum::power(&base.unsigned_abs(), exponent);
        IBig::from_parts(Sign::from(negative), size)
    })?)
}

fn rational_power(base: &Ratio, exponent: &Number) -> Value {
    let n = size(exponent)?;
    let num = raise(base.numerator(), n)?;
    let den = raise(&IBig::from(base.denominator().clone()), n)?;
    let invert = exact_sign(exponent) == Ordering::Less;
    let bits = num.bit_len() + den.bit_len();
    Ok(heavy::run(bits, move || fraction(num, den, invert))?)
}

/// `num / den`, or the reciprocal. `num` and `den` must have no common divisor.
fn fraction(num: IBig, den: IBig, invert: bool) -> Number {
    let (num, den) = if invert { (den, num) } else { (num, den) };
    Number::from_rational(Ratio::from_parts_signed(num, den))
}

/// A number to the power of a rational that is no integer.
fn root(base: &Number, exponent: &Ratio, env: &Env) -> Value {
    let f = env.floats;
    let (p, q) = (exponent.numerator(), exponent.denominator());
    let negative = exact_sign(base) == Ordering::Less;
    if negative && !q.bit(0) {
        return f.undefined_value();
    }
    if let (Some(b), Ok(p), Ok(q)) = (base.to_rational(), i64::try_from(p), i64::try_from(q))
        && let (Some(num), Some(den)) = (
            exact_root(b.numerator(), q as u64)?,
            exact_root(&b.denominator().clone().into(), q as u64)?,
        )
    {
        let n = usize::try_from(p.unsigned_abs()).map_err(|_| TOO_LARGE)?;
        let (num, den) = (raise(&num, n)?, raise(&den, n)?);
        let bits = num.bit_len() + den.bit_len();
        return Ok(heavy::run(bits, move || fraction(num, den, p < 0))?);
    }
    let x = f.convert(base)?;
    let y = f.argument(&Number::Rat(Box::new(exponent.clone())))?;
    if x == 0.0 && y < 0.0 {
        return f.zero_div(1.0);
    }
    let r = x.abs().powf(y);
    f.value(if x < 0.0 && p.bit(0) { -r } else { r })
}

/// The largest integer whose `n`-th power is at most `value`: `n` is at least 1, `value` not negative.
pub fn integer_root(n: &Number, value: &Number) -> Value {
    let size = big(value).unsigned_abs();
    let bits = size.bit_len();
    let root = match n {
        Number::Int(n) if (*n as usize) < bits => {
            let n = *n as usize;
            heavy::run(bits, move || bignum::root(&size, n))?
        }
        _ if bits == 0 => UBig::ZERO,
        _ => UBig::ONE,
    };
    Ok(Number::from_big(root.into()))
}

/// The integer whose `n`-th power is `value`, if there is one. `n` must be odd if `value` is negative.
fn exact_root(value: &IBig, n: u64) -> Result<Option<IBig>, ArithError> {
    let size: UBig = value.clone().unsigned_abs();
    let root = if size.is_one() || size.is_zero() {
        size
    } else if n >= size.bit_len() as u64 {
        return Ok(None);
    } else {
        let exact = heavy::run(size.bit_len(), move || {
            let root = bignum::root(&size, n as usize);
            (bignum::power(&root, n as usize) == size).then_some(root)
        })?;
        match exact {
            Some(root) => root,
            None => return Ok(None),
        }
    };
    Ok(Some(IBig::from_parts(value.sign(), root)))
}

fn float_power(base: &Number, exponent: &Number, env: &Env) -> Value {
    let f = env.floats;
    let x = f.argument(base)?;
    let y = f.argument(exponent)?;
    if x == 0.0 && y < 0.0 {
        let odd = y.fract() == 0.0 && (y / 2.0).fract() != 0.0;
        return f.zero_div(if odd { x.signum() } else { 1.0 });
    }
    f.value(x.powf(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(v: i64) -> Number {
        Number::Int(v)
    }
    fn float(f: f64) -> Number {
        Number::Float(f)
    }
    fn rat(n: i64, d: u64) -> Number {
        Number::from_rational(Ratio::from_parts(n.into(), d.into()))
    }
    fn pow(a: Number, b: Number) -> Value {
        power(&a, &b, &Env::default())
    }
    const ZERO_DIVISOR: Value = Err(ArithError::Evaluation("zero_divisor"));
    const UNDEFINED: Value = Err(ArithError::Evaluation("undefined"));

    #[test]
    fn integers_to_integers() {
        assert_eq!(pow(int(2), int(3)), Ok(int(8)));
        assert_eq!(pow(int(2), int(-1)), Ok(float(0.5)));
        assert_eq!(pow(int(0), int(0)), Ok(int(1)));
        assert_eq!(pow(int(0), int(-1)), ZERO_DIVISOR);
        assert_eq!(pow(int(1), int(-5)), Ok(int(1)));
        assert_eq!(pow(int(-1), int(i64::MIN)), Ok(int(1)));
        assert_eq!(pow(int(-1), int(-3)), Ok(int(-1)));
        assert_eq!(pow(int(2), int(i64::MIN)), Ok(float(0.0)));
        assert_eq!(pow(int(2), int(1_000_000_000_000)), Err(TOO_LARGE));
        assert_eq!(pow(int(i64::MIN), int(i64::MAX)), Err(TOO_LARGE));
        assert_eq!(pow(int(-2), int(63)), Ok(int(i64::MIN)));
        assert_eq!(
            pow(int(7), int(30)),
            Ok(Number::from_big(IBig::from(7).pow(30)))
        );
    }

    #[test]
    fn flags_change_negative_powers_of_integers() {
        let mut env = Env {
            iso: true,
            ..Env::default()
        };
        let not_a_float = Err(ArithError::type_error("float", &int(2)));
        assert_eq!(integral_power(&int(2), &int(-1), &env), not_a_float);
        assert_eq!(integral_power(&int(2), &int(3), &env), Ok(int(8)));
        assert_eq!(integral_power(&int(2), &float(-1.0), &env), Ok(float(0.5)));
        assert_eq!(integral_power(&int(-1), &int(-1), &env), Ok(int(-1)));
        assert_eq!(integral_power(&int(0), &int(-1), &env), ZERO_DIVISOR);
        assert_eq!(power(&int(2), &int(-1), &env), Ok(float(0.5)));
        env.iso = false;
        assert_eq!(integral_power(&int(2), &int(-1), &env), Ok(float(0.5)));
        env.iso = true;
        env.prefer_rationals = true;
        assert_eq!(power(&int(2), &int(-1), &env), Ok(rat(1, 2)));
        assert_eq!(power(&int(-2), &int(-1), &env), Ok(rat(-1, 2)));
    }

    #[test]
    fn rationals() {
        assert_eq!(pow(rat(1, 2), int(-2)), Ok(int(4)));
        assert_eq!(pow(rat(-1, 2), int(3)), Ok(rat(-1, 8)));
        assert_eq!(pow(rat(-1, 2), int(-3)), Ok(int(-8)));
        assert_eq!(pow(rat(2, 3), int(i64::MIN)), Err(TOO_LARGE));
        assert_eq!(pow(int(-8), rat(1, 3)), Ok(int(-2)));
        assert_eq!(pow(int(-1), rat(2, 3)), Ok(int(1)));
        assert_eq!(pow(int(9), rat(-1, 2)), Ok(rat(1, 3)));
        assert_eq!(pow(rat(4, 9), rat(3, 2)), Ok(rat(8, 27)));
        assert_eq!(pow(int(2), rat(1, 2)), Ok(float(2f64.sqrt())));
        assert_eq!(pow(int(-1), rat(1, 2)), UNDEFINED);
        assert_eq!(pow(int(-2), rat(1, 3)), Ok(float(-(2f64.powf(1.0 / 3.0)))));
        assert_eq!(pow(int(0), rat(-1, 2)), ZERO_DIVISOR);
    }

    #[test]
    fn floats() {
        assert_eq!(pow(int(2), float(3.0)), Ok(float(8.0)));
        assert_eq!(pow(float(f64::NAN), int(0)), Ok(int(1)));
        assert_eq!(pow(int(1), float(f64::NAN)), Ok(int(1)));
        assert_eq!(pow(float(1.0), float(f64::NAN)), UNDEFINED);
        assert_eq!(pow(int(0), float(0.5)), Ok(int(0)));
        assert_eq!(pow(float(0.0), int(-1)), ZERO_DIVISOR);
        assert_eq!(pow(int(-8), float(0.5)), UNDEFINED);
        assert_eq!(
            pow(float(2.0), int(1024)),
            Err(ArithError::Evaluation("float_overflow"))
        );
        let mut env = Env::default();
        env.floats.zero_div_is_infinity = true;
        assert_eq!(
            power(&float(-0.0), &int(-1), &env),
            Ok(float(-f64::INFINITY))
        );
        assert_eq!(
            power(&float(-0.0), &int(-2), &env),
            Ok(float(f64::INFINITY))
        );
    }
}
