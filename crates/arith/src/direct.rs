//! Entry points for compiled code. They take no environment: float flags are at their defaults.

use crate::float::FloatFlags;
use crate::{ArithError, Value, basic, integer};
use samite_term::Number;
use std::cmp::Ordering;

macro_rules! floats {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])*
        #[inline]
        pub fn $name(a: &Number, b: &Number) -> Value {
            basic::$name(a, b, FloatFlags::DEFAULT)
        })*
    };
}

macro_rules! integers {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])*
        #[inline]
        pub fn $name(a: &Number, b: &Number) -> Value {
            integer::$name(a, b).map_err(|e| e.settle(FloatFlags::DEFAULT))
        })*
    };
}

floats! {
    /// `a + b`
    add;
    /// `a - b`
    sub;
    /// `a * b`
    mul;
    /// The smaller number.
    min;
    /// The larger number.
    max;
}

integers! {
    /// `a // b`: rounds towards zero.
    int_div;
    /// `a mod b`: the remainder of a division that rounds down.
    modulo;
    /// `a rem b`: the remainder of `//`.
    rem;
    /// `a /\ b`
    and;
    /// `a \/ b`
    or;
    /// `a xor b`
    xor;
    /// `a << b`
    shl;
    /// `a >> b`
    shr;
    /// The greatest common divisor.
    gcd;
}

/// `-a`
#[inline]
pub fn neg(a: &Number) -> Value {
    basic::neg(a)
}

/// Compares by value; `None` if one is NaN. An exact number is compared with a float as the float nearest to it.
#[inline]
pub fn compare(a: &Number, b: &Number) -> Result<Option<Ordering>, ArithError> {
    Ok(basic::order(a, b))
}
