//! Number syntax (ISO 13211-1, 6.4.4 and 6.4.5, with SWI-Prolog's rationals, special floats, radix notation and
//! digit groups).

use super::clause::radix;
use super::lexer::{escape, starts_number};
use super::{Fault, Position, SyntaxError};
use crate::chars::{decimal_digit, is_alnum, is_layout};
use dashu_base::UnsignedAbs;
use samite_term::Number;
use samite_term::number::{IBig, Ratio, UBig};
use samite_term::{growth, heavy};

/// Reads a number as `number_codes/2` does: layout, an optional sign directly before the digits, nothing behind.
pub fn parse_number(text: &str) -> Option<Number> {
    parse_number_or_error(text).ok()
}

/// As [`parse_number`], with the error. Without memory for what the number library does, the operation is given up ([`heavy::refuse`]).
pub fn parse_number_or_error(text: &str) -> Result<Number, SyntaxError> {
    if let Some(n) = few_digits(text) {
        return Ok(Number::Int(n));
    }
    let number = heavy::guard(|| signed(text)).unwrap_or_else(|_| {
        if heavy::is_guarded() {
            heavy::abandon();
        }
        heavy::refuse();
        Err(Fault::new("illegal_number", 0))
    });
    number.map_err(|fault| fault.locate(text, Position::default(), 0))
}

/// The number that mostly is read: so few digits that it is a small one, and nothing else.
fn few_digits(text: &str) -> Option<i64> {
    const FEW: usize = 18;
    if text.is_empty() || text.len() > FEW {
        return None;
    }
    text.bytes().try_fold(0, |n, b| {
        b.is_ascii_digit().then(|| n * 10 + i64::from(b - b'0'))
    })
}

fn signed(text: &str) -> Result<Number, Fault> {
    let body = text.trim_start_matches(is_layout);
    let blanks = text.len() - body.len();
    let negative = body.starts_with('-');
    let start = blanks + usize::from(negative || body.starts_with('+'));
    if !starts_number(&text[start..]) {
        return Err(Fault::new("illegal_number", start));
    }
    let (number, end) = scan(text, start)?;
    if end < text.len() {
        return Err(Fault::new("illegal_number", end));
    }
    Ok(if negative { negate(number) } else { number })
}

/// The number with the opposite sign.
pub(super) fn negate(number: Number) -> Number {
    match number {
        Number::Int(v) => match v.checked_neg() {
            Some(v) => Number::Int(v),
            None => Number::from_big(-IBig::from(v)),
        },
        Number::Big(b) => Number::from_big(-b),
        Number::Rat(r) => Number::Rat(Box::new(-*r)),
        Number::Float(f) => Number::Float(-f),
    }
}

/// Scans the unsigned number that starts with the digit at `at`; returns it and where it ends.
pub(super) fn scan(text: &str, at: usize) -> Result<(Number, usize), Fault> {
    let bytes = text.as_bytes();
    if bytes[at] >= 128 {
        return other_script(text, at);
    }
    let next = bytes.get(at + 1).copied();
    if bytes[at] == b'0' {
        match next {
            Some(b'\'') => {
                if let Some(found) = char_code(text, at)? {
                    return Ok(found);
                }
            }
            Some(b'x') => return prefixed(text, at, 16),
            Some(b'o') => return prefixed(text, at, 8),
            Some(b'b') => return prefixed(text, at, 2),
            _ => {}
        }
    }
    let end = digits_end(bytes, at, 10);
    if bytes.get(end) == Some(&b'\'')
        && let Some(radix) = radix(&text[at..end])
        && bytes.get(end + 1).is_some_and(|&b| is_digit(b, radix))
    {
        let stop = digits_end(bytes, end + 1, radix);
        return Ok((integer(&text[end + 1..stop], radix), stop));
    }
    if bytes[at..end].iter().all(u8::is_ascii_digit)
        && let Some(found) = float(text, at, end)?
    {
        return Ok(found);
    }
    if bytes.get(end) == Some(&b'r') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
        let stop = digits_end(bytes, end + 1, 10);
        let denominator = match integer(&text[end + 1..stop], 10) {
            Number::Int(v) => UBig::from(v.unsigned_abs()),
            Number::Big(b) => b.unsigned_abs(),
            _ => unreachable!("an integer"),
        };
        if denominator.is_zero() {
            return Err(Fault::new("illegal_number", at));
        }
        let Some(numerator) = integer(&text[at..end], 10).to_big() else {
            unreachable!("an integer")
        };
        let number = Number::from_rational(Ratio::from_parts(numerator, denominator));
        return Ok((number, stop));
    }
    Ok((integer(&text[at..end], 10), end))
}

/// A number of decimal digits other than ASCII's, which are of one script: an integer, with underscores between groups of digits, or a float without
/// exponent.
fn other_script(text: &str, at: usize) -> Result<(Number, usize), Fault> {
    let mut plain: Vec<u8> = Vec::new();
    let mut end = at;
    let mut zero = None;
    let mut digit_at = |i: usize| {
        let c = text[i..].chars().next()?;
        let value = decimal_digit(c)?;
        let first = c as u32 - value;
        (*zero.get_or_insert(first) == first).then_some((value, c.len_utf8()))
    };
    loop {
        if let Some((value, length)) = digit_at(end) {
            growth::must_have(&mut plain, 1);
            plain.push(b'0' + value as u8);
            end += length;
            continue;
        }
        match text.as_bytes().get(end) {
            Some(b'_') if digit_at(end + 1).is_some() => end += 1,
            Some(b'.') if !plain.contains(&b'.') && digit_at(end + 1).is_some() => {
                growth::must_have(&mut plain, 1);
                plain.push(b'.');
                end += 1;
            }
            _ => break,
        }
    }
    let plain = String::from_utf8(plain).unwrap_or_default();
    let (number, _) = scan(&plain, 0)?;
    Ok((number, end))
}

fn is_digit(byte: u8, radix: u32) -> bool {
    (byte as char).is_digit(radix)
}

/// Where digits end. Between digit groups stands an underscore, which blanks may follow, or (up to radix 10) one space.
fn digits_end(bytes: &[u8], mut at: usize, radix: u32) -> usize {
    let digit = |i: usize| bytes.get(i).is_some_and(|&b| is_digit(b, radix));
    loop {
        match bytes.get(at) {
            Some(&b) if is_digit(b, radix) => at += 1,
            Some(b'_') => {
                let blanks = bytes[at + 1..]
                    .iter()
                    .take_while(|b| b.is_ascii_whitespace())
                    .count();
                if !digit(at + 1 + blanks) {
                    return at;
                }
                at += 1 + blanks;
            }
            Some(b' ') if radix <= 10 && digit(at + 1) => at += 1,
            _ => return at,
        }
    }
}

/// The value of digits in groups.
fn integer(digits: &str, radix: u32) -> Number {
    let mut value: u64 = 0;
    for b in digits.bytes() {
        if !is_digit(b, radix) {
            continue;
        }
        let digit = (b as char).to_digit(radix).unwrap_or(0);
        let more = value
            .checked_mul(u64::from(radix))
            .and_then(|v| v.checked_add(u64::from(digit)));
        match more {
            Some(v) => value = v,
            None => return big_integer(digits, radix),
        }
    }
    match i64::try_from(value) {
        Ok(v) => Number::Int(v),
        Err(_) => Number::from_big(IBig::from(value)),
    }
}

fn big_integer(digits: &str, radix: u32) -> Number {
    let mut plain = Vec::new();
    growth::must_have(&mut plain, digits.len());
    plain.extend(digits.bytes().filter(|&b| is_digit(b, radix)));
    let plain = String::from_utf8(plain).unwrap_or_default();
    match UBig::from_str_radix(&plain, radix) {
        Ok(v) => Number::from_big(IBig::from(v)),
        Err(_) => unreachable!("only digits"),
    }
}

/// `0x…`, `0o…`, `0b…`.
fn prefixed(text: &str, at: usize, radix: u32) -> Result<(Number, usize), Fault> {
    let start = at + 2;
    if !text
        .as_bytes()
        .get(start)
        .is_some_and(|&b| is_digit(b, radix))
    {
        return Err(Fault::new("illegal_number", at));
    }
    let end = digits_end(text.as_bytes(), start, radix);
    Ok((integer(&text[start..end], radix), end))
}

/// `0'c`, with `at` at the `0`; `None` if no character follows.
fn char_code(text: &str, at: usize) -> Result<Option<(Number, usize)>, Fault> {
    let start = at + 2;
    let Some(c) = text[start..].chars().next() else {
        return Ok(None);
    };
    let (c, end) = match c {
        '\'' if text[start + 1..].starts_with('\'') => (c, start + 2),
        '\\' if text[start + 1..].starts_with('\n') => ('\n', start + 2),
        '\\' => match escape(text, start, true) {
            Ok((Some(c), end)) => (c, end),
            _ => return Err(Fault::new("illegal_number", at)),
        },
        _ => (c, start + c.len_utf8()),
    };
    Ok(Some((Number::Int(i64::from(u32::from(c))), end)))
}

/// A float whose integer digits are `at..end`: a fraction, an exponent or both, or `1.0Inf`, `1.5NaN`.
fn float(text: &str, at: usize, end: usize) -> Result<Option<(Number, usize)>, Fault> {
    let bytes = text.as_bytes();
    let mut stop = end;
    let digit_at = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    if bytes.get(stop) == Some(&b'.') && digit_at(stop + 1) {
        stop += 1;
        while digit_at(stop) {
            stop += 1;
        }
        if let Some(found) = special(text, at, stop)? {
            return Ok(Some(found));
        }
    }
    if matches!(bytes.get(stop), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(stop + 1), Some(b'+' | b'-')));
        if digit_at(stop + 1 + sign) {
            stop += 1 + sign;
            while digit_at(stop) {
                stop += 1;
            }
        }
    }
    if stop == end {
        return Ok(None);
    }
    match text[at..stop].parse::<f64>() {
        Ok(v) if v.is_finite() => Ok(Some((Number::Float(v), stop))),
        Ok(_) => Err(Fault::new("float_overflow", at)),
        Err(_) => Err(Fault::new("illegal_number", at)),
    }
}

/// `Inf` or `NaN` behind the digits `at..stop`. `1.5NaN` has the bits of 1.5 as its payload.
fn special(text: &str, at: usize, stop: usize) -> Result<Option<(Number, usize)>, Fault> {
    let Some(tail) = text.get(stop..stop + 3) else {
        return Ok(None);
    };
    if (tail != "Inf" && tail != "NaN") || text[stop + 3..].starts_with(is_alnum) {
        return Ok(None);
    }
    if tail == "Inf" {
        return Ok(Some((Number::Float(f64::INFINITY), stop + 3)));
    }
    match text[at..stop].parse::<f64>() {
        Ok(mantissa) if mantissa > 1.0 && mantissa < 2.0 => {
            let payload = mantissa.to_bits() & ((1 << 52) - 1);
            let nan = f64::from_bits(0x7ff << 52 | payload);
            Ok(Some((Number::Float(nan), stop + 3)))
        }
        _ => Err(Fault::new("illegal_number", at)),
    }
}
