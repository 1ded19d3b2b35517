//! Functions of real numbers, with float results. Their accuracy is the C library's.

use crate::float::Rounding;
use crate::{Env, Value, special};
use samite_term::Number;
use std::f64::consts::{FRAC_PI_2, LN_2};

/// Applies `function` to a number as a float.
fn real(a: &Number, env: &Env, function: fn(f64) -> f64) -> Value {
    let x = env.floats.argument(a)?;
    env.floats.value(function(x))
}

macro_rules! functions {
    ($($name:ident: $function:expr;)*) => {
        $(pub(crate) fn $name(a: &Number, env: &Env) -> Value {
            real(a, env, $function)
        })*
    };
}

functions! {
    sin: f64::sin;
    cos: f64::cos;
    tan: f64::tan;
    asin: f64::asin;
    acos: f64::acos;
    atan: f64::atan;
    acot: |x| if x == 0.0 { FRAC_PI_2 } else { (1.0 / x).atan() };
    exp: f64::exp;
    log: f64::ln;
    log2: f64::log2;
    log10: f64::log10;
    sinh: f64::sinh;
    cosh: f64::cosh;
    tanh: f64::tanh;
    asinh: inverse_sinh;
    acosh: inverse_cosh;
    atanh: inverse_tanh;
    erf: special::erf;
    erfc: special::erfc;
    lgamma: special::lgamma;
}

pub(crate) fn sqrt(a: &Number, env: &Env) -> Value {
    let x = env.floats.argument(a)?;
    env.floats.value(env.floats.sqrt(x))
}

pub(crate) fn cot(a: &Number, env: &Env) -> Value {
    let x = env.floats.argument(a)?;
    if x == 0.0 {
        return env.floats.zero_div(x);
    }
    env.floats.value(1.0 / x.tan())
}

pub(crate) fn atan2(a: &Number, b: &Number, env: &Env) -> Value {
    let y = env.floats.argument(a)?;
    let x = env.floats.argument(b)?;
    if env.iso && x == 0.0 && y == 0.0 {
        // ISO 13211-1, Cor. 2, 9.3.14.
        return env.floats.undefined_value();
    }
    env.floats.value(y.atan2(x))
}

/// The natural logarithm; that of 0 is undefined in the standard (9.3.6).
pub(crate) fn natural_log(a: &Number, env: &Env) -> Value {
    match a {
        Number::Int(0) if env.iso => env.floats.undefined_value(),
        Number::Float(x) if env.iso && *x == 0.0 => env.floats.undefined_value(),
        _ => log(a, env),
    }
}

/// The logarithm of `a` to a base.
pub(crate) fn log_to_base(base: &Number, a: &Number, env: &Env) -> Value {
    let b = env.floats.argument(base)?;
    let x = env.floats.argument(a)?;
    if b == 1.0 {
        return env.floats.zero_div(x.ln());
    }
    if b == 2.0 {
        return env.floats.value(x.log2());
    }
    if b == 10.0 {
        return env.floats.value(x.log10());
    }
    env.floats.value(x.ln() / b.ln())
}

/// The constant whose nearest float is `below`, being a little larger than that float.
pub(crate) fn constant(below: f64, env: &Env) -> Value {
    Ok(Number::Float(match env.floats.rounding {
        Rounding::ToPositive => below.next_up(),
        _ => below,
    }))
}

/// Powers of two beyond which terms of a sum vanish in a float.
const TINY: f64 = 1.0 / (1u64 << 28) as f64;
const HUGE: f64 = (1u64 << 28) as f64;

// The inverse hyperbolic functions are logarithms whose arguments are written so that nothing cancels.

fn inverse_sinh(x: f64) -> f64 {
    let t = x.abs();
    if !x.is_finite() || t < TINY {
        return x;
    }
    let r = if t > HUGE {
        t.ln() + LN_2
    } else if t > 2.0 {
        (2.0 * t + 1.0 / ((t * t + 1.0).sqrt() + t)).ln()
    } else {
        let square = t * t;
        (t + square / (1.0 + (1.0 + square).sqrt())).ln_1p()
    };
    r.copysign(x)
}

fn inverse_cosh(x: f64) -> f64 {
    if x < 1.0 {
        f64::NAN
    } else if x >= HUGE {
        x.ln() + LN_2
    } else if x > 2.0 {
        (2.0 * x - 1.0 / (x + (x * x - 1.0).sqrt())).ln()
    } else {
        let t = x - 1.0;
        (t + (2.0 * t + t * t).sqrt()).ln_1p()
    }
}

fn inverse_tanh(x: f64) -> f64 {
    let t = x.abs();
    let r = if t < TINY {
        return x;
    } else if t < 0.5 {
        let twice = t + t;
        0.5 * (twice + twice * t / (1.0 - t)).ln_1p()
    } else {
        0.5 * ((t + t) / (1.0 - t)).ln_1p()
    };
    r.copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ArithError;

    type Function = fn(&Number, &Env) -> Value;

    #[test]
    fn values_and_errors() {
        let env = Env::default();
        let at = |f: Function, x: f64| f(&Number::Float(x), &env);
        let undefined = Err(ArithError::Evaluation("undefined"));
        let overflow = Err(ArithError::Evaluation("float_overflow"));
        assert_eq!(at(sqrt, 16.0), Ok(Number::Float(4.0)));
        assert_eq!(at(sqrt, -1.0), undefined);
        assert_eq!(at(log, 0.0), overflow);
        assert_eq!(at(log, -1.0), undefined);
        assert_eq!(at(exp, 1000.0), overflow);
        assert_eq!(at(exp, -1000.0), Ok(Number::Float(0.0)));
        assert_eq!(at(sin, f64::INFINITY), overflow);
        assert_eq!(at(sin, f64::NAN), undefined);
        assert_eq!(at(acos, 2.0), undefined);
        assert_eq!(at(acosh, 0.5), undefined);
        assert_eq!(at(atanh, 1.0), overflow);
        assert_eq!(at(cot, 0.0), Err(ArithError::Evaluation("zero_divisor")));
        assert_eq!(at(asinh, 1.0), Ok(Number::Float(0.881_373_587_019_543)));
        assert_eq!(
            atan2(&Number::Int(0), &Number::Int(0), &env),
            Ok(Number::Float(0.0))
        );
        let log_of = |b, x| log_to_base(&Number::Int(b), &Number::Int(x), &env);
        assert_eq!(log_of(2, 8), Ok(Number::Float(3.0)));
        assert_eq!(log_of(1, 8), Err(ArithError::Evaluation("zero_divisor")));
        assert_eq!(log_of(-2, 8), undefined);
    }

    #[test]
    fn inverse_hyperbolic_functions_invert() {
        for x in [1e-12f64, 0.01, 0.3, 0.7, 1.5, 2.5, 10.0, 20.0] {
            assert!((inverse_sinh(x.sinh()) - x).abs() <= 4.0 * f64::EPSILON * x);
            assert_eq!(inverse_sinh(-x), -inverse_sinh(x));
        }
        for x in [0.1f64, 0.7, 1.5, 10.0, 30.0] {
            assert!((inverse_cosh(x.cosh()) - x).abs() <= 1e-14 * x.max(1.0));
        }
        for x in [1e-12f64, 0.1, 0.4, 0.6, 1.5] {
            assert!((inverse_tanh(x.tanh()) - x).abs() <= 1e-14 * x);
        }
    }
}
