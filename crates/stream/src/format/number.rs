//! Numbers in `format/2`. Integers and rationals are formatted exactly, rounding halves away from zero; floats as C's
//! `printf` does: the exact binary value, halves to even.

use super::locale::{self, Grouping, Locale};
use dashu_base::{Sign, UnsignedAbs};
use dashu_int::{IBig, UBig};
use samite_term::Number;
use std::cmp::Ordering;

/// Digits behind which every float is exact, so that more need not be asked from the library.
const MAX_FLOAT_DIGITS: usize = 1100;

fn sign_text(negative: bool) -> &'static str {
    if negative { "-" } else { "" }
}

/// `~Nd`, `~ND`: the last `decimals` digits behind a point.
pub(super) fn integer(value: &Number, decimals: usize, locale: &Locale) -> String {
    let all = match value {
        Number::Int(v) => v.to_string(),
        other => other.to_big().unwrap_or_default().to_string(),
    };
    let (negative, digits) = match all.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, all.as_str()),
    };
    with_point(negative, digits, decimals, locale)
}

/// `~NI`: groups of so many digits with `_` between them, as the reader takes them; one group for 0.
pub(super) fn in_groups(value: &Number, size: usize) -> String {
    let locale = Locale {
        point: "".into(),
        separator: "_".into(),
        grouping: Grouping {
            first: Vec::new(),
            others: Some(size),
        },
    };
    integer(value, 0, &locale)
}

/// Digits with a point in front of the last `decimals` of them.
fn with_point(negative: bool, digits: &str, decimals: usize, locale: &Locale) -> String {
    let zeros = (decimals + 1).saturating_sub(digits.len());
    let mut padded = "0".repeat(zeros);
    padded.push_str(digits);
    let (whole, fraction) = padded.split_at(padded.len() - decimals);
    let mut text = String::from(sign_text(negative));
    locale.group(whole, &mut text);
    if decimals > 0 {
        text.push_str(&locale.point);
        text.push_str(fraction);
    }
    text
}

/// `~Nr`, `~NR`; the radix is from 2 to 36.
pub(super) fn radix(value: &IBig, radix: u32, upper: bool) -> String {
    let text = value.in_radix(radix).to_string();
    if upper {
        text.to_ascii_uppercase()
    } else {
        text.to_ascii_lowercase()
    }
}

/// `~N:f`
pub(super) fn fixed_for(value: &Number, digits: usize, locale: &Locale) -> String {
    let plain = float(value, 'f', digits);
    let (sign, rest) = match plain.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", plain.as_str()),
    };
    if !rest.starts_with(|c: char| c.is_ascii_digit()) {
        return plain;
    }
    let (whole, fraction) = rest.split_once('.').unwrap_or((rest, ""));
    let mut text = String::from(sign);
    locale.group(whole, &mut text);
    if !fraction.is_empty() {
        text.push_str(&locale.point);
        text.push_str(fraction);
    }
    text
}

/// `~Ne`, `~Nf`, `~Ng`, `~NE`, `~NG`.
pub(super) fn float(value: &Number, directive: char, digits: usize) -> String {
    let text = match value {
        Number::Float(f) if f.is_nan() => "nan".to_owned(),
        Number::Float(f) if f.is_infinite() => format!("{}inf", sign_text(*f < 0.0)),
        _ => match directive {
            'f' => fixed(value, digits),
            'e' | 'E' => exponential(&significant(value, digits.saturating_add(1)), digits),
            _ => general(value, digits.max(1)),
        },
    };
    if directive.is_ascii_uppercase() {
        text.to_ascii_uppercase()
    } else {
        text
    }
}

/// As C's `%.*f`.
fn fixed(value: &Number, digits: usize) -> String {
    match value {
        Number::Float(f) => {
            let known = digits.min(MAX_FLOAT_DIGITS);
            let mut text = format!("{f:.known$}");
            text.extend(std::iter::repeat_n('0', digits - known));
            text
        }
        Number::Rat(r) => {
            let negative = r.numerator().sign() == Sign::Negative;
            let scaled = by_power_of_ten(&r.numerator().unsigned_abs(), digits);
            let rounded = divide_rounding(scaled, r.denominator().clone());
            with_point(negative, &rounded.to_string(), digits, &locale::PLAIN)
        }
        _ => {
            let mut text = value.to_big().unwrap_or_default().to_string();
            if digits > 0 {
                text.push('.');
                text.extend(std::iter::repeat_n('0', digits));
            }
            text
        }
    }
}

/// `x × 10^n`, of which the factors of 2 are bits behind it.
fn by_power_of_ten(x: &UBig, n: usize) -> UBig {
    match n {
        0 => x.clone(),
        _ => (x * UBig::from(5u8).pow(n)) << n,
    }
}

/// The nearest integer to a quotient, halves up.
fn divide_rounding(dividend: UBig, divisor: UBig) -> UBig {
    (dividend * 2u8 + &divisor) / (divisor * 2u8)
}

/// Leading decimal digits of a number: `d.ddd… × 10^exponent`.
struct Significant {
    negative: bool,
    digits: String,
    exponent: i64,
}

/// The number rounded to `count` significant digits.
fn significant(value: &Number, count: usize) -> Significant {
    match value {
        Number::Float(f) => significant_float(*f, count),
        // As SWI-Prolog does: what fits in 64 bits goes through a float.
        Number::Int(v) => significant_float(*v as f64, count),
        Number::Big(n) => {
            let mut digits = n.unsigned_abs().to_string();
            let length = digits.len();
            if length > count {
                let mut result = significant_ratio(n.unsigned_abs(), UBig::ONE, count);
                result.negative = n.sign() == Sign::Negative;
                return result;
            }
            digits.extend(std::iter::repeat_n('0', count - length));
            Significant {
                negative: n.sign() == Sign::Negative,
                digits,
                exponent: length as i64 - 1,
            }
        }
        _ => {
            let r = value.to_rational().unwrap_or_default();
            let negative = r.numerator().sign() == Sign::Negative;
            let mut result =
                significant_ratio(r.numerator().unsigned_abs(), r.denominator().clone(), count);
            result.negative = negative;
            result
        }
    }
}

/// Digits of which a float's shortest text, if it has no more, is the rounding of its exact value: they are further apart than floats are.
const APART: usize = 15;

fn significant_float(f: f64, count: usize) -> Significant {
    let taken = |text: String| {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let mut digits = mantissa.replace('.', "");
        digits.extend(std::iter::repeat_n('0', count.saturating_sub(digits.len())));
        Significant {
            negative: f.is_sign_negative(),
            digits,
            exponent: exponent.parse().unwrap_or(0),
        }
    };
    // Of a float of few binary digits nothing is left behind its last decimal one: whether to round up there the library finds out slowly.
    if count <= APART && f.is_normal() && f.to_bits().trailing_zeros() >= f64::MANTISSA_DIGITS / 2 {
        let shortest = taken(format!("{:e}", f.abs()));
        if shortest.digits.len() == count {
            return shortest;
        }
    }
    let known = count.clamp(1, MAX_FLOAT_DIGITS) - 1;
    taken(format!("{:.known$e}", f.abs()))
}

/// Number of decimal digits.
fn decimal_length(n: &UBig) -> i64 {
    n.to_string().len() as i64
}

/// Of a positive rational (big integers and true rationals are never 0).
fn significant_ratio(num: UBig, den: UBig, count: usize) -> Significant {
    // num/den is in [10^e, 10^(e+1)) or one power lower.
    let mut exponent = decimal_length(&num) - decimal_length(&den);
    let shift = |n: &UBig, by: i64| by_power_of_ten(n, usize::try_from(by).unwrap_or(0));
    if shift(&num, -exponent).cmp(&shift(&den, exponent)) == Ordering::Less {
        exponent -= 1;
    }
    let scale = count as i64 - 1 - exponent;
    let rounded = divide_rounding(shift(&num, scale), shift(&den, -scale));
    let mut digits = rounded.to_string();
    if digits.len() > count {
        // Rounding carried into a new digit: 9.99 became 10.0.
        digits.truncate(count);
        exponent += 1;
    }
    Significant {
        negative: false,
        digits,
        exponent,
    }
}

/// As C's `%.*e`.
fn exponential(s: &Significant, digits: usize) -> String {
    let mut text = with_point(s.negative, &s.digits, digits, &locale::PLAIN);
    let sign = if s.exponent < 0 { '-' } else { '+' };
    text.push_str(&format!("e{sign}{:02}", s.exponent.unsigned_abs()));
    text
}

/// As C's `%.*g`.
fn general(value: &Number, digits: usize) -> String {
    let mut s = significant(value, digits);
    while s.digits.len() > 1 && s.digits.ends_with('0') {
        s.digits.pop();
    }
    let places = s.digits.len() as i64 - 1;
    if s.exponent < -4 || s.exponent >= digits as i64 {
        return exponential(&s, places as usize);
    }
    let decimals = places - s.exponent;
    if decimals < 0 {
        s.digits
            .extend(std::iter::repeat_n('0', decimals.unsigned_abs() as usize));
    }
    with_point(
        s.negative,
        &s.digits,
        decimals.max(0) as usize,
        &locale::PLAIN,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of few and of many binary digits, small and large.
    #[test]
    fn significant_digits_are_those_of_the_exact_value() {
        let mut seed = 1u64;
        for round in 0..40_000 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(round | 1);
            let zeros = (seed >> 58) % 53;
            let f = f64::from_bits((seed.rotate_left(7) >> zeros) << zeros & !(1 << 63));
            if !f.is_finite() {
                continue;
            }
            for count in [1, 2, 7, 14, 15, 16, 17, 20] {
                let s = significant_float(f, count);
                let places = count - 1;
                let exact = format!("{f:.places$e}").replacen('.', "", 1);
                assert_eq!(format!("{}e{}", s.digits, s.exponent), exact);
            }
        }
    }
}
