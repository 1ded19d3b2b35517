//! Text of floats.

/// The shortest text that reads back as the same float, in SWI-Prolog's form: `1.0`, `0.0001`, `1.0e-5`,
/// `100000000000000.0`, `1.0e+15`, `-1.0Inf`, `1.5NaN`.
pub fn format_float(value: f64) -> String {
    if value.is_nan() {
        let payload = value.to_bits() & ((1 << 52) - 1);
        let mantissa = f64::from_bits(1.0f64.to_bits() | payload);
        return format!("{mantissa:?}NaN");
    }
    if value.is_infinite() {
        return if value > 0.0 { "1.0Inf" } else { "-1.0Inf" }.to_owned();
    }
    let size = value.abs();
    if size == 0.0 || (1e-4..1e15).contains(&size) {
        // As the standard library has it, unless `to_even` might say something.
        let mut text = format!("{value}");
        if text.len() <= FEW_DIGITS {
            if !text.contains('.') {
                text.push_str(".0");
            }
            return text;
        }
    }
    // `d.ddde±x`, with the fewest digits that identify the value.
    let scientific = format!("{:e}", value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let mut digits: String = mantissa.chars().filter(|&c| c != '.').collect();
    let exponent: i32 = exponent.parse().unwrap_or(0);
    to_even(&mut digits, exponent, value.abs());
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let point = exponent + 1;
    let count = digits.len() as i32;
    if point <= -4 || (count <= point && point > 15) {
        let (first, rest) = digits.split_at(1);
        let rest = if rest.is_empty() { "0" } else { rest };
        format!("{sign}{first}.{rest}e{exponent:+}")
    } else if point <= 0 {
        let zeros = "0".repeat(-point as usize);
        format!("{sign}0.{zeros}{digits}")
    } else if count <= point {
        let zeros = "0".repeat((point - count) as usize);
        format!("{sign}{digits}{zeros}.0")
    } else {
        let (whole, fraction) = digits.split_at(point as usize);
        format!("{sign}{whole}.{fraction}")
    }
}

/// Of so many digits all that identify a value are known.
const FEW_DIGITS: usize = 14;

/// If the value is exactly between two texts of these many digits, that which ends in an even one is meant. The formatter of the standard
/// library takes the larger one.
fn to_even(digits: &mut String, exponent: i32, value: f64) {
    // (With fewer digits neither would identify the value.)
    let Some(last) = digits.pop() else { return };
    if digits.len() < FEW_DIGITS || !"13579".contains(last) {
        digits.push(last);
        return;
    }
    let even = char::from(last as u8 - 1);
    let text = format!("{digits}{even}e{}", exponent - digits.len() as i32);
    // All digits: no value has more than 767.
    let exact = || format!("{value:.770e}").replace('.', "");
    let between = text.parse() == Ok(value)
        && exact()
            .strip_prefix(&format!("{digits}{even}5"))
            .is_some_and(|rest| {
                rest.split('e')
                    .next()
                    .is_some_and(|r| !r.contains(|c| c != '0'))
            });
    digits.push(if between { even } else { last });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_swi_writes_them() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.1, "0.1"),
            (0.0001, "0.0001"),
            (0.00012345, "0.00012345"),
            (0.00001, "1.0e-5"),
            (1e14, "100000000000000.0"),
            (1e15, "1.0e+15"),
            (1e22, "1.0e+22"),
            (1.5e-10, "1.5e-10"),
            (123456.789, "123456.789"),
            (1234567890123456.0, "1.234567890123456e+15"),
            (f64::MAX, "1.7976931348623157e+308"),
            (5e-324, "5.0e-324"),
            (f64::INFINITY, "1.0Inf"),
            (f64::NEG_INFINITY, "-1.0Inf"),
            (f64::NAN, "1.5NaN"),
            // 97.002960205078125 and 97.003021240234375.
            (97.0 + 97.0 / 32768.0, "97.00296020507812"),
            (97.0 + 99.0 / 32768.0, "97.00302124023438"),
        ] {
            assert_eq!(format_float(value), text);
        }
    }
}
