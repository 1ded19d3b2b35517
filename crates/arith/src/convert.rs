//! From one kind of number to another: rounding to integers, parts, exact and simple rationals.

use crate::basic::big;
use crate::float::{FloatFlags, Rounding, ratio_to_f64};
use crate::{ArithError, Env, Value};
use dashu_base::{Signed, UnsignedAbs};
use samite_term::number::{IBig, Ratio, UBig};
use samite_term::{Number, bignum};

const TWO_63: f64 = (1u64 << 63) as f64;

/// The integer with the value of a float without a fraction; a float that is not finite stays as it is.
fn whole(f: f64) -> Number {
    if (-TWO_63..TWO_63).contains(&f) {
        return Number::Int(f as i64);
    }
    match IBig::try_from(f) {
        Ok(b) => Number::from_big(b),
        Err(_) => Number::Float(f),
    }
}

/// The nearest integer; halves are rounded away from zero.
pub(crate) fn integer(a: &Number) -> Value {
    Ok(match a {
        // SWI-Prolog's tests ask for this: the literal nearest to the largest small integer rounds to that integer.
        Number::Float(f) if *f == TWO_63 => Number::Int(i64::MAX),
        Number::Float(f) => whole(f.round()),
        Number::Rat(r) => {
            let twice = |rest: &IBig| rest.unsigned_abs() * 2u8 >= *r.denominator();
            whole_part(
                r,
                twice,
                if r.is_negative() {
                    -IBig::ONE
                } else {
                    IBig::ONE
                },
            )
        }
        _ => a.clone(),
    })
}

/// The whole part and what is left of the numerator.
fn divided(r: &Ratio) -> (IBig, IBig) {
    bignum::signed_div_rem(r.numerator(), &IBig::from(r.denominator().clone()))
}

/// The whole part, and `more` if what is left of the numerator asks for it.
fn whole_part(r: &Ratio, asks: impl FnOnce(&IBig) -> bool, more: IBig) -> Number {
    let (q, rest) = divided(r);
    Number::from_big(if asks(&rest) { q + more } else { q })
}

pub(crate) fn floor(a: &Number) -> Value {
    Ok(match a {
        Number::Float(f) => whole(f.floor()),
        Number::Rat(r) => whole_part(r, |rest| rest.is_negative(), -IBig::ONE),
        _ => a.clone(),
    })
}

pub(crate) fn ceiling(a: &Number) -> Value {
    Ok(match a {
        Number::Float(f) => whole(f.ceil()),
        Number::Rat(r) => whole_part(r, |rest| rest > &IBig::ZERO, IBig::ONE),
        _ => a.clone(),
    })
}

pub(crate) fn truncate(a: &Number) -> Value {
    Ok(match a {
        Number::Float(f) => whole(f.trunc()),
        Number::Rat(r) => whole_part(r, |_| false, IBig::ZERO),
        _ => a.clone(),
    })
}

/// The part before the point: a float of a float, else an integer.
pub(crate) fn integer_part(a: &Number, env: &Env) -> Value {
    match a {
        Number::Float(f) => env.floats.value(f.trunc()),
        _ => truncate(a),
    }
}

/// What [`integer_part`] leaves.
pub(crate) fn fractional_part(a: &Number, env: &Env) -> Value {
    match a {
        Number::Float(f) if f.is_infinite() => Ok(Number::Float(0f64.copysign(*f))),
        Number::Float(f) => env.floats.value(f.fract().copysign(*f)),
        Number::Rat(r) => {
            let rest = divided(r).1;
            Ok(Number::from_rational(Ratio::from_parts(
                rest,
                r.denominator().clone(),
            )))
        }
        _ => Ok(Number::Int(0)),
    }
}

/// The exact value as an integer or rational.
pub(crate) fn rational(a: &Number) -> Value {
    match a {
        Number::Float(f) => Ok(Number::from_rational(exact(*f)?)),
        _ => Ok(a.clone()),
    }
}

fn exact(f: f64) -> Result<Ratio, ArithError> {
    if f.is_nan() {
        return Err(ArithError::Evaluation("undefined"));
    }
    Ratio::try_from(f).map_err(|_| ArithError::Evaluation("rational_overflow"))
}

/// Convergents tried by [`rationalize`]: enough for the terms to be exhausted or lost in rounding.
const CONVERGENTS: usize = 100;

/// What [`rationalize`] finds, if it is made of words that floats have exactly: then a quotient of these floats is rounded as the ratio is.
fn small_convergent(f: f64) -> Option<Number> {
    const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;
    let size = f.abs();
    let (mut p0, mut q0, mut p1, mut q1) = (0u64, 1u64, 1u64, 0u64);
    let mut rest = size;
    for _ in 0..CONVERGENTS {
        let term = rest.floor();
        // (Neither are infinite ones, and what is no number.)
        if !(0.0..EXACT as f64).contains(&term) {
            return None;
        }
        let next = |n0: u64, n1: u64| {
            let n = (term as u64).checked_mul(n1)?.checked_add(n0)?;
            (n <= EXACT).then_some(n)
        };
        (p0, p1) = (p1, next(p0, p1)?);
        (q0, q1) = (q1, next(q0, q1)?);
        if p1 as f64 / q1 as f64 == size {
            let p = if f.is_sign_negative() {
                -(p1 as i64)
            } else {
                p1 as i64
            };
            return Some(match q1 {
                1 => Number::Int(p),
                _ => Number::from_rational(Ratio::from_parts(p.into(), q1.into())),
            });
        }
        rest = 1.0 / (rest - term);
    }
    None
}

/// The first convergent of the continued fraction of a float that rounds to that float. The terms are computed in
/// floats, and where that goes wrong the result is the float's exact value, as in SWI-Prolog.
pub(crate) fn rationalize(a: &Number) -> Value {
    let Number::Float(f) = a else {
        return Ok(a.clone());
    };
    if let Some(ratio) = small_convergent(*f) {
        return Ok(ratio);
    }
    let all = exact(*f)?;
    let size = f.abs();
    let (mut p0, mut q0, mut p1, mut q1) = (UBig::ZERO, UBig::ONE, UBig::ONE, UBig::ZERO);
    let mut rest = size;
    for _ in 0..CONVERGENTS {
        let Ok(term) = UBig::try_from(rest.floor()) else {
            break;
        };
        (p0, p1) = (p1.clone(), &term * p1 + p0);
        (q0, q1) = (q1.clone(), &term * q1 + q0);
        let p = IBig::from(p1.clone());
        if ratio_to_f64(&p, &q1, Rounding::ToNearest) == size {
            let p = if f.is_sign_negative() { -p } else { p };
            return Ok(Number::from_rational(Ratio::from_parts(p, q1)));
        }
        // Infinite, and so no term, if nothing is left.
        rest = 1.0 / (rest - rest.floor());
    }
    Ok(Number::from_rational(all))
}

pub(crate) fn numerator(a: &Number) -> Value {
    match a {
        Number::Float(_) => Err(ArithError::type_error("rational", a)),
        Number::Rat(r) => Ok(Number::from_big(r.numerator().clone())),
        _ => Ok(a.clone()),
    }
}

pub(crate) fn denominator(a: &Number) -> Value {
    match a {
        Number::Float(_) => Err(ArithError::type_error("rational", a)),
        Number::Rat(r) => Ok(Number::from_big(r.denominator().clone().into())),
        _ => Ok(Number::Int(1)),
    }
}

/// `a rdiv b`: the exact quotient.
pub(crate) fn rational_quotient(a: &Number, b: &Number) -> Value {
    for n in [a, b] {
        if matches!(n, Number::Float(_)) {
            return Err(ArithError::type_error("rational", n));
        }
    }
    if *b == Number::Int(0) {
        return Err(ArithError::Evaluation("zero_divisor"));
    }
    crate::basic::quotient(a, b)
}

pub(crate) fn float(a: &Number, f: FloatFlags) -> Value {
    f.argument(a).map(Number::Float)
}

/// A random integer from 0 up to and excluding `bound`, which may be a float without a fraction.
pub(crate) fn random(bound: &Number, env: &mut Env) -> Value {
    let whole = match bound {
        Number::Float(f) => {
            env.floats.check(*f)?;
            if f.fract() == 0.0 {
                whole(*f)
            } else {
                bound.clone()
            }
        }
        _ => bound.clone(),
    };
    match &whole {
        Number::Int(v) if *v > 0 => Ok(Number::Int(env.random.below(*v as u64) as i64)),
        Number::Big(b) if !b.is_negative() => Ok(Number::from_big(
            env.random.below_big(&big(&whole).into_parts().1),
        )),
        Number::Int(_) | Number::Big(_) => {
            Err(ArithError::domain_error("not_less_than_one", &whole))
        }
        _ => Err(ArithError::type_error("integer", bound)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(f: f64) -> Number {
        Number::Float(f)
    }
    fn rat(n: i64, d: u64) -> Number {
        Number::from_rational(Ratio::from_parts(n.into(), d.into()))
    }

    #[test]
    fn halves_round_away_from_zero() {
        for (f, i) in [
            (2.5, 3),
            (-2.5, -3),
            (0.499_999_999_999_999_94, 0),
            (4_503_599_627_370_497.0, 4_503_599_627_370_497),
        ] {
            assert_eq!(integer(&float(f)), Ok(Number::Int(i)));
        }
        assert_eq!(integer(&rat(5, 2)), Ok(Number::Int(3)));
        assert_eq!(integer(&rat(-1, 2)), Ok(Number::Int(-1)));
        assert_eq!(integer(&rat(-1, 3)), Ok(Number::Int(0)));
        assert_eq!(integer(&float(f64::INFINITY)), Ok(float(f64::INFINITY)));
        assert_eq!(
            floor(&float(1e20)),
            Ok(Number::from_big(IBig::from(10).pow(20)))
        );
        assert_eq!(
            floor(&float(9_223_372_036_854_775_808.0)),
            Ok(Number::Big(IBig::from(1u64 << 63)))
        );
        assert_eq!(
            floor(&float(-9_223_372_036_854_775_808.0)),
            Ok(Number::Int(i64::MIN))
        );
    }

    #[test]
    fn rationals_round_by_sign() {
        assert_eq!(floor(&rat(-1, 3)), Ok(Number::Int(-1)));
        assert_eq!(ceiling(&rat(-1, 3)), Ok(Number::Int(0)));
        assert_eq!(ceiling(&rat(1, 3)), Ok(Number::Int(1)));
        assert_eq!(truncate(&rat(-5, 3)), Ok(Number::Int(-1)));
        assert_eq!(
            fractional_part(&rat(-7, 3), &Env::default()),
            Ok(rat(-1, 3))
        );
        assert_eq!(
            fractional_part(&float(-2.0), &Env::default()),
            Ok(float(-0.0))
        );
    }

    #[test]
    fn floats_as_rationals() {
        assert_eq!(rational(&float(0.25)), Ok(rat(1, 4)));
        assert_eq!(
            rational(&float(0.1)),
            Ok(rat(3_602_879_701_896_397, 36_028_797_018_963_968))
        );
        assert_eq!(rationalize(&float(0.1)), Ok(rat(1, 10)));
        assert_eq!(rationalize(&float(-1.1)), Ok(rat(-11, 10)));
        assert_eq!(rationalize(&float(0.0)), Ok(Number::Int(0)));
        assert_eq!(
            rationalize(&float(std::f64::consts::PI)),
            Ok(rat(245_850_922, 78_256_779))
        );
        assert_eq!(
            rational(&float(f64::NAN)),
            Err(ArithError::Evaluation("undefined"))
        );
        assert_eq!(
            rational(&float(f64::INFINITY)),
            Err(ArithError::Evaluation("rational_overflow"))
        );
    }

    #[test]
    fn random_integers_need_a_positive_bound() {
        let mut env = Env::default();
        assert_eq!(random(&Number::Int(1), &mut env), Ok(Number::Int(0)));
        assert_eq!(random(&float(1.0), &mut env), Ok(Number::Int(0)));
        assert_eq!(
            random(&Number::Int(0), &mut env),
            Err(ArithError::domain_error(
                "not_less_than_one",
                &Number::Int(0)
            ))
        );
        assert_eq!(
            random(&float(5.5), &mut env),
            Err(ArithError::type_error("integer", &float(5.5)))
        );
        assert_eq!(
            random(&float(f64::INFINITY), &mut env),
            Err(ArithError::Evaluation("float_overflow"))
        );
        assert!(random(&Number::Big(IBig::from(10).pow(40)), &mut env).is_ok());
    }
}
