//! Numbers: small and big integers, rationals and floats, and how they lie in memory.
//!
//! An integer is a small cell whenever it fits ([`crate::cell::MIN_SMALL`]..[`crate::cell::MAX_SMALL`]); a rational never has
//! denominator 1, and no common divisor. Values are therefore identical exactly when their cells or box words are. Arithmetic on big
//! numbers is the `dashu` library's, but for what [`bignum`] does: common divisors too, so rationals are of the library's type that is
//! not reduced by itself ([`Ratio`]), and
//!
//! ```text
//! every Number::Rat is reduced: made by from_rational, read from a box, or the opposite of one that is
//! ```

use crate::bignum;
use crate::cell::{Cell, Kind};
pub use dashu_base::Sign;
pub use dashu_int::{IBig, UBig};
pub use dashu_ratio::{RBig, Relaxed as Ratio};
use std::cmp::Ordering;

/// A number taken out of a term.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    Int(i64),
    /// Does not fit in an `i64`.
    Big(IBig),
    /// Denominator above 1. Boxed: numbers are moved about often, and few are rational.
    Rat(Box<Ratio>),
    Float(f64),
}

impl Number {
    /// The canonical form of an integer.
    pub fn from_big(value: IBig) -> Number {
        match i64::try_from(&value) {
            Ok(v) => Number::Int(v),
            Err(_) => Number::Big(value),
        }
    }
    /// The canonical form of a rational.
    pub fn from_rational(value: Ratio) -> Number {
        let (mut num, mut den) = value.into_parts();
        if !den.is_one() {
            let (sign, size) = num.into_parts();
            let divisor = bignum::gcd(size.clone(), den.clone());
            let size = if divisor.is_one() {
                size
            } else {
                den = bignum::div_rem(&den, &divisor).0;
                bignum::div_rem(&size, &divisor).0
            };
            num = IBig::from_parts(sign, size);
        }
        if den.is_one() {
            Number::from_big(num)
        } else {
            Number::Rat(Box::new(Ratio::from_parts(num, den)))
        }
    }
    pub fn is_integer(&self) -> bool {
        matches!(self, Number::Int(_) | Number::Big(_))
    }
    /// The integer as a big one, if it is an integer.
    pub fn to_big(&self) -> Option<IBig> {
        match self {
            Number::Int(v) => Some(IBig::from(*v)),
            Number::Big(b) => Some(b.clone()),
            _ => None,
        }
    }
    /// The exact value as a rational, unless it is a float.
    pub fn to_rational(&self) -> Option<Ratio> {
        match self {
            Number::Rat(r) => Some((**r).clone()),
            Number::Float(_) => None,
            _ => self.to_big().map(Ratio::from),
        }
    }
    /// Numerator and denominator of an exact number, if both fit in 64 bits: what is multiplied fits in the type that they have here.
    pub fn small_parts(&self) -> Option<(i128, i128)> {
        match self {
            Number::Int(v) => Some((i128::from(*v), 1)),
            Number::Rat(r) => {
                let den = match r.denominator().as_words() {
                    &[den] => i64::try_from(den).ok()?,
                    _ => return None,
                };
                let (sign, num) = r.numerator().as_sign_words();
                let size = match num {
                    &[size] => i128::from(i64::try_from(size).ok()?),
                    _ => return None,
                };
                let num = if sign == Sign::Negative { -size } else { size };
                Some((num, i128::from(den)))
            }
            _ => None,
        }
    }
    /// The same of a rational in its box, if it is one.
    pub fn small_parts_of_box(words: &[u64]) -> Option<(i128, i128)> {
        // The box of a numerator and a denominator of one word each.
        let &[header, sign, num, den] = words else {
            return None;
        };
        if !Cell(header).is_kind(Kind::Rational) {
            return None;
        }
        let num = i128::from(i64::try_from(num).ok()?);
        let num = if sign & 1 == 1 { -num } else { num };
        Some((num, i128::from(i64::try_from(den).ok()?)))
    }
    /// The canonical form of a quotient; the denominator is above 0.
    pub fn from_parts(num: i128, den: i128) -> Number {
        debug_assert!(den > 0);
        let divisor = common_divisor(num.unsigned_abs(), den.unsigned_abs()) as i128;
        // (A quotient of 2^127 by 1 or less is none of what is multiplied here.)
        let (num, den) = (num / divisor, den / divisor);
        if den == 1 {
            return match i64::try_from(num) {
                Ok(v) => Number::Int(v),
                Err(_) => Number::Big(IBig::from(num)),
            };
        }
        Number::Rat(Box::new(Ratio::from_parts(
            IBig::from(num),
            UBig::from(den.unsigned_abs()),
        )))
    }
    /// The nearest float; infinite when out of range.
    pub fn to_f64(&self) -> f64 {
        match self {
            Number::Int(v) => *v as f64,
            Number::Big(b) => big_to_f64(b),
            Number::Rat(r) => r.to_f64().value(),
            Number::Float(f) => *f,
        }
    }
    /// Number of words that [`Number::write_box`] needs, header included; 0 if the number is a cell.
    pub fn box_words(&self) -> usize {
        match self {
            Number::Int(v) if Cell::try_small(*v).is_some() => 0,
            Number::Int(_) | Number::Float(_) => 2,
            Number::Big(b) => 1 + b.as_sign_words().1.len(),
            Number::Rat(r) => {
                2 + r.numerator().as_sign_words().1.len() + r.denominator().as_words().len()
            }
        }
    }
    /// The cell of a number that needs no box.
    pub fn as_small(&self) -> Option<Cell> {
        match self {
            Number::Int(v) => Cell::try_small(*v),
            _ => None,
        }
    }
    /// Writes header and raw words of a number that needs a box into `out`
    /// (exactly [`Number::box_words`] long).
    pub fn write_box(&self, out: &mut [u64]) {
        match self {
            Number::Int(v) => {
                out[0] = Cell::header(Kind::BigInt, 1 << 1 | u64::from(*v < 0)).0;
                out[1] = v.unsigned_abs();
            }
            Number::Float(f) => {
                out[0] = Cell::header(Kind::Float, 0).0;
                out[1] = f.to_bits();
            }
            Number::Big(b) => {
                let (sign, words) = b.as_sign_words();
                let negative = u64::from(sign == Sign::Negative);
                out[0] = Cell::header(Kind::BigInt, (words.len() as u64) << 1 | negative).0;
                copy_limbs(&mut out[1..], words);
            }
            Number::Rat(r) => {
                let (sign, num) = r.numerator().as_sign_words();
                let den = r.denominator().as_words();
                out[0] = Cell::header(Kind::Rational, (1 + num.len() + den.len()) as u64).0;
                out[1] = (num.len() as u64) << 1 | u64::from(sign == Sign::Negative);
                copy_limbs(&mut out[2..], num);
                copy_limbs(&mut out[2 + num.len()..], den);
            }
        }
    }
    /// Reads a number back from its header and raw words.
    ///
    /// `words[0]` must be a header of kind float, big integer or rational.
    pub fn read_box(words: &[u64]) -> Number {
        let h = Cell(words[0]);
        match h.kind() {
            Kind::Float => Number::Float(f64::from_bits(words[1])),
            Kind::BigInt => {
                let limbs = h.box_words();
                Number::from_big(signed(h.payload() & 1, &words[1..=limbs]))
            }
            _ => {
                let limbs = (words[1] >> 1) as usize;
                let num = signed(words[1] & 1, &words[2..2 + limbs]);
                let den = from_limbs(&words[2 + limbs..=h.box_words()]);
                Number::Rat(Box::new(Ratio::from_parts(num, den)))
            }
        }
    }
}

/// The greatest common divisor; `b` is above 0.
fn common_divisor(a: u128, b: u128) -> u128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        if let (Ok(x), Ok(y)) = (u64::try_from(a), u64::try_from(b)) {
            return u128::from(common_divisor_of_words(x, y));
        }
        (a, b) = (b, a % b);
    }
    a
}

fn common_divisor_of_words(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn copy_limbs(out: &mut [u64], limbs: &[dashu_int::Word]) {
    for (o, &w) in out.iter_mut().zip(limbs) {
        *o = w;
    }
}

fn from_limbs(limbs: &[u64]) -> UBig {
    UBig::from_words(limbs)
}

fn signed(negative: u64, limbs: &[u64]) -> IBig {
    let sign = if negative == 1 {
        Sign::Negative
    } else {
        Sign::Positive
    };
    IBig::from_parts(sign, from_limbs(limbs))
}

/// The nearest float to a big integer, ties to even; infinite when out of range.
fn big_to_f64(b: &IBig) -> f64 {
    b.to_f64().value()
}

/// Compares by value; a float equal to an exact number comes out equal (standard order breaks that tie).
/// `None` if one is NaN.
pub fn compare_values(a: &Number, b: &Number) -> Option<Ordering> {
    match (a, b) {
        (Number::Int(x), Number::Int(y)) => Some(x.cmp(y)),
        (Number::Float(x), Number::Float(y)) => x.partial_cmp(y),
        (Number::Float(x), _) => compare_float_exact(*x, b),
        (_, Number::Float(y)) => compare_float_exact(*y, a).map(Ordering::reverse),
        (Number::Big(x), Number::Big(y)) => Some(x.cmp(y)),
        _ => match (a.small_parts(), b.small_parts()) {
            (Some((p, q)), Some((r, s))) => Some((p * s).cmp(&(r * q))),
            _ => Some(a.to_rational()?.cmp(&b.to_rational()?)),
        },
    }
}

/// Exact comparison of a float with an exact number, as ISO's and SWI's comparison without rounding.
fn compare_float_exact(x: f64, exact: &Number) -> Option<Ordering> {
    if x.is_nan() {
        return None;
    }
    if x.is_infinite() {
        return Some(if x > 0.0 {
            Ordering::Greater
        } else {
            Ordering::Less
        });
    }
    if let Number::Int(v) = exact
        && v.unsigned_abs() < 1 << 53
    {
        return x.partial_cmp(&(*v as f64));
    }
    let r = Ratio::try_from(x).ok()?;
    Some(r.cmp(&exact.to_rational()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(n: Number) {
        let mut w = vec![0; n.box_words()];
        if w.is_empty() {
            return;
        }
        n.write_box(&mut w);
        assert_eq!(Cell(w[0]).box_words() + 1, w.len());
        assert_eq!(Number::read_box(&w), n);
    }

    #[test]
    fn boxes_round_trip() {
        let big = IBig::from(7).pow(100);
        round_trip(Number::Int(i64::MAX));
        round_trip(Number::Int(i64::MIN));
        round_trip(Number::Float(-0.5));
        round_trip(Number::Big(big.clone()));
        round_trip(Number::Big(-big.clone()));
        round_trip(Number::Rat(Box::new(Ratio::from_parts(
            -big,
            UBig::from(3u8),
        ))));
    }

    #[test]
    fn mixed_comparison_is_exact() {
        let two53 = Number::Int((1 << 53) + 1);
        assert_eq!(
            compare_values(&Number::Float((1i64 << 53) as f64), &two53),
            Some(Ordering::Less)
        );
        assert_eq!(compare_values(&Number::Float(f64::NAN), &two53), None);
        assert_eq!(
            compare_values(&Number::Int(1), &Number::Float(1.0)),
            Some(Ordering::Equal)
        );
    }
}
