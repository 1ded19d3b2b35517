//! What works on numbers of every kind: sums, products, quotients, comparison and signs.
//!
//! If one operand is a float, so is the other made; else the result is exact.

use crate::float::FloatFlags;
use crate::rational;
use crate::{ArithError, Env, Value, fits, product_fits, wide};
use dashu_base::{Abs, BitTest, Signed};
use samite_term::number::IBig;
use samite_term::{Number, bignum, heavy};
use std::borrow::Cow;
use std::cmp::Ordering;

/// Bits of the words of an exact number: of its numerator and denominator, if it is a rational.
#[inline]
pub(crate) fn bits(n: &Number) -> usize {
    match n {
        Number::Int(_) | Number::Float(_) => 64,
        Number::Big(b) => 64 * b.as_sign_words().1.len(),
        Number::Rat(r) => {
            64 * (r.numerator().as_sign_words().1.len() + r.denominator().as_words().len())
        }
    }
}

pub(crate) fn big(n: &Number) -> IBig {
    n.to_big().unwrap_or_default()
}

/// The same, borrowed where it is one: operations on references copy nothing.
pub(crate) fn as_big(n: &Number) -> Cow<'_, IBig> {
    match n {
        Number::Big(b) => Cow::Borrowed(b),
        _ => Cow::Owned(big(n)),
    }
}

/// `a + b`
#[inline]
pub(crate) fn add(a: &Number, b: &Number, f: FloatFlags) -> Value {
    match (a, b) {
        (Number::Int(x), Number::Int(y)) => Ok(match x.checked_add(*y) {
            Some(v) => Number::Int(v),
            None => Number::Big(IBig::from(i128::from(*x) + i128::from(*y))),
        }),
        (Number::Float(x), Number::Float(y)) => f.value(f.add(*x, *y)),
        (Number::Float(_), _) | (_, Number::Float(_)) => {
            f.value(f.add(f.convert(a)?, f.convert(b)?))
        }
        _ => sum(a, b, |a, b| {
            exact(a, b, |x, y| x + y, |a, b| rational::sum(a, b, false))
        }),
    }
}

/// `a - b`
#[inline]
pub(crate) fn sub(a: &Number, b: &Number, f: FloatFlags) -> Value {
    match (a, b) {
        (Number::Int(x), Number::Int(y)) => Ok(match x.checked_sub(*y) {
            Some(v) => Number::Int(v),
            None => Number::Big(IBig::from(i128::from(*x) - i128::from(*y))),
        }),
        (Number::Float(x), Number::Float(y)) => f.value(f.add(*x, -*y)),
        (Number::Float(_), _) | (_, Number::Float(_)) => {
            f.value(f.add(f.convert(a)?, -f.convert(b)?))
        }
        _ => sum(a, b, |a, b| {
            exact(a, b, |x, y| x - y, |a, b| rational::sum(a, b, true))
        }),
    }
}

/// `a * b`
#[inline]
pub(crate) fn mul(a: &Number, b: &Number, f: FloatFlags) -> Value {
    match (a, b) {
        (Number::Int(x), Number::Int(y)) => Ok(match x.checked_mul(*y) {
            Some(v) => Number::Int(v),
            None => Number::Big(IBig::from(i128::from(*x) * i128::from(*y))),
        }),
        (Number::Float(x), Number::Float(y)) => f.value(f.mul(*x, *y)),
        (Number::Float(_), _) | (_, Number::Float(_)) => {
            f.value(f.mul(f.convert(a)?, f.convert(b)?))
        }
        _ => {
            product_fits(bits(a) + bits(b))?;
            wide(a, b, |a, b| {
                exact(a, b, bignum::signed_product, rational::product)
            })
        }
    }
}

/// A sum: of integers it is no work, of rationals it is products and a division.
#[cold]
fn sum(a: &Number, b: &Number, f: fn(&Number, &Number) -> Value) -> Value {
    match (a, b) {
        (Number::Rat(_), _) | (_, Number::Rat(_)) => {
            product_fits(bits(a) + bits(b))?;
            wide(a, b, f)
        }
        _ => {
            fits(bits(a).max(bits(b)))?;
            heavy::guard(|| f(a, b))?
        }
    }
}

/// An operation on exact numbers that are not both small.
#[cold]
fn exact(
    a: &Number,
    b: &Number,
    integers: fn(&IBig, &IBig) -> IBig,
    rationals: fn(&Number, &Number) -> Number,
) -> Value {
    match (a, b) {
        (Number::Rat(_), _) | (_, Number::Rat(_)) => {
            fits(bits(a) + bits(b))?;
            Ok(rationals(a, b))
        }
        _ => {
            let r = integers(&as_big(a), &as_big(b));
            fits(r.bit_len())?;
            Ok(Number::from_big(r))
        }
    }
}

/// `a / b`: an integer if the integers divide, a float or (by flag) a rational if not.
pub(crate) fn divide(a: &Number, b: &Number, env: &Env) -> Value {
    let f = env.floats;
    if let Number::Float(y) = b
        && y.is_infinite()
    {
        return match a {
            Number::Float(x) if !x.is_finite() => f.undefined_value(),
            Number::Float(x) => f.value(0.0 * sign_of(*x) * sign_of(*y)),
            _ => Ok(Number::Int(0)),
        };
    }
    if !env.iso {
        match (a, b) {
            (Number::Float(_), _) | (_, Number::Float(_)) => {}
            (_, Number::Int(0)) => return divide_by_zero(a, f),
            (Number::Rat(_), _) | (_, Number::Rat(_)) => {
                return quotient(a, b);
            }
            (Number::Int(x), Number::Int(y)) => {
                if x.checked_rem(*y) == Some(0)
                    && let Some(q) = x.checked_div(*y)
                {
                    return Ok(Number::Int(q));
                }
                if *y == -1 {
                    return neg(a);
                }
            }
            _ => {
                if let Some(q) = crate::integer::exact_quotient(a, b)? {
                    return Ok(q);
                }
            }
        }
        if env.prefer_rationals && a.is_integer() && b.is_integer() {
            return quotient(a, b);
        }
    }
    // An exact operand of a float is converted before the float is looked at.
    if matches!(a, Number::Float(_)) && !env.iso {
        f.convert(b)?;
    }
    let x = f.argument(a)?;
    let y = f.argument(b)?;
    if y == 0.0 && sign_of(x) != 0.0 {
        return f.zero_div(x.signum() * y.signum());
    }
    f.value(f.div(x, y))
}

/// `a / b` as a rational.
pub(crate) fn quotient(a: &Number, b: &Number) -> Value {
    product_fits(bits(a) + bits(b))?;
    let bits = bits(a) + bits(b);
    let (a, b) = heavy::guard(|| (a.clone(), b.clone()))?;
    Ok(heavy::run(bits, move || rational::quotient(&a, &b))?)
}

/// An exact number divided by the integer 0.
fn divide_by_zero(a: &Number, f: FloatFlags) -> Value {
    match exact_sign(a) {
        Ordering::Equal if f.undefined_is_nan => Ok(Number::Float(f64::NAN)),
        Ordering::Equal => Err(ArithError::Evaluation("zero_divisor")),
        Ordering::Less => f.zero_div(-1.0),
        Ordering::Greater => f.zero_div(1.0),
    }
}

/// -1, 0 or 1; 0 for NaN.
fn sign_of(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

/// How a number compares with 0; equal for NaN.
pub(crate) fn exact_sign(n: &Number) -> Ordering {
    match n {
        Number::Int(v) => v.cmp(&0),
        Number::Big(b) if b.is_negative() => Ordering::Less,
        Number::Rat(r) if r.is_negative() => Ordering::Less,
        Number::Big(_) | Number::Rat(_) => Ordering::Greater,
        Number::Float(f) => f.partial_cmp(&0.0).unwrap_or(Ordering::Equal),
    }
}

/// Compares by value; `None` if one is NaN. An exact number is compared with a float as the float nearest to it.
#[inline]
pub(crate) fn order(a: &Number, b: &Number) -> Option<Ordering> {
    match (a, b) {
        (Number::Int(x), Number::Int(y)) => Some(x.cmp(y)),
        (Number::Float(_), _) | (_, Number::Float(_)) => nearest(a).partial_cmp(&nearest(b)),
        _ => samite_term::number::compare_values(a, b),
    }
}

/// The float nearest to a number.
fn nearest(n: &Number) -> f64 {
    let unchecked = FloatFlags {
        overflow_is_infinity: true,
        undefined_is_nan: true,
        ..FloatFlags::DEFAULT
    };
    unchecked.convert(n).unwrap_or(f64::NAN)
}

/// The smaller number.
pub(crate) fn min(a: &Number, b: &Number, f: FloatFlags) -> Value {
    extreme(a, b, f, Ordering::Less)
}

/// The larger number.
pub(crate) fn max(a: &Number, b: &Number, f: FloatFlags) -> Value {
    extreme(a, b, f, Ordering::Greater)
}

/// That of two numbers which is so to the other. Of zeroes, the negative one is less.
#[inline(always)]
fn extreme(a: &Number, b: &Number, f: FloatFlags, wanted: Ordering) -> Value {
    let first_if = |o: Ordering| Ok(if o == wanted { a } else { b }.clone());
    match order(a, b) {
        Some(Ordering::Equal) if is_negative_zero(a) => first_if(Ordering::Less),
        Some(Ordering::Equal) if is_negative_zero(b) => first_if(Ordering::Greater),
        Some(Ordering::Equal) => common_kind(a, b, f),
        Some(o) => first_if(o),
        None => Ok(other_than_nan(a, b)),
    }
}

fn is_negative_zero(n: &Number) -> bool {
    matches!(n, Number::Float(f) if *f == 0.0 && f.is_sign_negative())
}

/// `a`, as a float if one of the two is; both must be valid as arguments then.
fn common_kind(a: &Number, b: &Number, f: FloatFlags) -> Value {
    if let (Number::Float(_), _) | (_, Number::Float(_)) = (a, b) {
        f.argument(b)?;
        return f.argument(a).map(Number::Float);
    }
    Ok(a.clone())
}

fn other_than_nan(a: &Number, b: &Number) -> Number {
    match a {
        Number::Float(f) if f.is_nan() => b.clone(),
        _ => a.clone(),
    }
}

/// `-a`
#[inline]
pub(crate) fn neg(a: &Number) -> Value {
    Ok(match a {
        Number::Int(v) => match v.checked_neg() {
            Some(v) => Number::Int(v),
            None => Number::Big(-IBig::from(*v)),
        },
        Number::Big(b) => Number::from_big(-b.clone()),
        Number::Rat(r) => Number::Rat(Box::new(-(**r).clone())),
        Number::Float(f) if f.is_nan() => a.clone(),
        Number::Float(f) => Number::Float(-f),
    })
}

pub(crate) fn abs(a: &Number) -> Value {
    match a {
        Number::Int(v) if *v < 0 => neg(a),
        Number::Big(b) => Ok(Number::from_big(b.clone().abs())),
        Number::Rat(r) => Ok(Number::Rat(Box::new((**r).clone().abs()))),
        Number::Float(f) => Ok(Number::Float(f.abs())),
        Number::Int(_) => Ok(a.clone()),
    }
}

pub(crate) fn sign(a: &Number) -> Value {
    Ok(match a {
        Number::Float(f) if f.is_nan() => Number::Float(f64::NAN),
        Number::Float(f) => Number::Float(sign_of(*f)),
        _ => Number::Int(exact_sign(a) as i64),
    })
}

/// The first number with the sign of the second.
pub(crate) fn copy_sign(a: &Number, b: &Number) -> Value {
    match (a, b) {
        (Number::Float(x), Number::Float(_)) if x.is_nan() => Ok(Number::Float(f64::NAN)),
        (Number::Float(x), Number::Float(y)) => Ok(Number::Float(x.copysign(*y))),
        _ if has_minus(a) != has_minus(b) => neg(a),
        _ => Ok(a.clone()),
    }
}

fn has_minus(n: &Number) -> bool {
    match n {
        Number::Float(f) => f.is_sign_negative(),
        _ => exact_sign(n) == Ordering::Less,
    }
}

/// The float after the first number in the direction of the second.
pub(crate) fn next_toward(a: &Number, b: &Number, f: FloatFlags) -> Value {
    let x = f.argument(a)?;
    let y = f.argument(b)?;
    f.value(match x.partial_cmp(&y) {
        None => f64::NAN,
        Some(Ordering::Equal) => y,
        Some(Ordering::Less) => x.next_up(),
        Some(Ordering::Greater) => x.next_down(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{add, compare, max, min, mul, sub};

    fn float(f: f64) -> Number {
        Number::Float(f)
    }

    #[test]
    fn small_integers_grow_when_they_overflow() {
        let max_int = Number::Int(i64::MAX);
        let min_int = Number::Int(i64::MIN);
        let above = Number::Big(IBig::from(i64::MAX) + 1);
        assert_eq!(add(&max_int, &Number::Int(1)), Ok(above.clone()));
        assert_eq!(sub(&above, &Number::Int(1)), Ok(max_int.clone()));
        assert_eq!(neg(&min_int), Ok(above.clone()));
        assert_eq!(neg(&above), Ok(min_int.clone()));
        assert_eq!(abs(&min_int), Ok(above.clone()));
        assert_eq!(
            divide(&min_int, &Number::Int(-1), &Env::default()),
            Ok(above)
        );
        assert_eq!(
            mul(&max_int, &max_int),
            Ok(Number::Big(IBig::from(i64::MAX).pow(2)))
        );
    }

    #[test]
    fn float_flags_decide_what_is_an_error() {
        let overflow = Err(ArithError::Evaluation("float_overflow"));
        assert_eq!(mul(&float(1e308), &Number::Int(10)), overflow);
        assert_eq!(add(&float(f64::INFINITY), &Number::Int(1)), overflow);
        assert_eq!(
            sub(&float(f64::INFINITY), &float(f64::INFINITY)),
            Err(ArithError::Evaluation("undefined"))
        );
        let all = FloatFlags {
            overflow_is_infinity: true,
            undefined_is_nan: true,
            ..FloatFlags::DEFAULT
        };
        assert_eq!(
            super::mul(&float(1e308), &Number::Int(10), all),
            Ok(float(f64::INFINITY))
        );
        let nan = super::sub(&float(f64::INFINITY), &float(f64::INFINITY), all);
        assert!(matches!(nan, Ok(Number::Float(f)) if f.is_nan() && f.is_sign_positive()));
        let tiny = FloatFlags {
            underflow_is_error: true,
            ..FloatFlags::DEFAULT
        };
        assert_eq!(
            super::mul(&float(1e-308), &float(0.1), tiny),
            Err(ArithError::Evaluation("float_underflow"))
        );
    }

    #[test]
    fn quotients_are_as_exact_as_they_can_be() {
        let mut env = Env::default();
        let q = |a: i64, b: i64, env: &Env| divide(&Number::Int(a), &Number::Int(b), env);
        assert_eq!(q(7, 2, &env), Ok(float(3.5)));
        assert_eq!(q(4, 2, &env), Ok(Number::Int(2)));
        assert_eq!(q(0, 0, &env), Err(ArithError::Evaluation("zero_divisor")));
        assert_eq!(
            divide(&float(0.0), &Number::Int(0), &env),
            Err(ArithError::Evaluation("undefined"))
        );
        assert_eq!(
            divide(&Number::Int(1), &float(-0.0), &env),
            Err(ArithError::Evaluation("zero_divisor"))
        );
        assert_eq!(
            divide(&Number::Int(1), &float(f64::INFINITY), &env),
            Ok(Number::Int(0))
        );
        env.floats.zero_div_is_infinity = true;
        assert_eq!(
            divide(&Number::Int(1), &float(-0.0), &env),
            Ok(float(-f64::INFINITY))
        );
        env.prefer_rationals = true;
        assert_eq!(
            q(7, 2, &env),
            Ok(Number::Rat(Box::new(
                samite_term::number::Ratio::from_parts(7.into(), 2u8.into())
            )))
        );
        env.prefer_rationals = false;
        env.iso = true;
        assert_eq!(q(4, 2, &env), Ok(float(2.0)));
        assert_eq!(q(0, 0, &env), Err(ArithError::Evaluation("undefined")));
    }

    #[test]
    fn minimum_and_maximum_of_equal_and_unordered_numbers() {
        let one = Number::Int(1);
        assert_eq!(max(&one, &float(1.0)), Ok(float(1.0)));
        assert_eq!(min(&float(1.0), &one), Ok(float(1.0)));
        assert_eq!(max(&Number::Int(0), &float(-0.0)), Ok(Number::Int(0)));
        assert_eq!(max(&float(f64::NAN), &one), Ok(one.clone()));
        assert_eq!(min(&one, &float(f64::NAN)), Ok(one));
        let huge = Number::Big(IBig::from(10).pow(400));
        assert_eq!(max(&huge, &float(1.5)), Ok(huge.clone()));
        assert_eq!(
            max(&float(f64::INFINITY), &huge),
            Err(ArithError::Evaluation("float_overflow"))
        );
    }

    #[test]
    fn exact_numbers_compare_with_floats_as_floats() {
        let big = Number::Int((1 << 53) + 1);
        assert_eq!(
            compare(&big, &float((1u64 << 53) as f64)),
            Ok(Some(Ordering::Equal))
        );
        assert_eq!(
            compare(&big, &Number::Int(1 << 53)),
            Ok(Some(Ordering::Greater))
        );
        assert_eq!(compare(&float(f64::NAN), &big), Ok(None));
        let huge = Number::Big(IBig::from(10).pow(400));
        assert_eq!(
            compare(&huge, &float(f64::MAX)),
            Ok(Some(Ordering::Greater))
        );
        assert_eq!(
            compare(&huge, &float(f64::INFINITY)),
            Ok(Some(Ordering::Equal))
        );
    }
}
