//! What the command lines of the runners have in common, beside `lexopt`, which takes words apart.

use lexopt::{Parser, ValueExt};
use std::str::FromStr;

/// Why a command line is refused.
pub type Refused = lexopt::Error;

/// The names in a list with commas, the value of the option just read.
pub fn names(words: &mut Parser) -> Result<Vec<String>, Refused> {
    let list = words.value()?.string()?;
    Ok(list
        .split(',')
        .filter(|s| !s.is_empty())
        .map(str::to_owned)
        .collect())
}

/// A number above zero, the value of the option just read.
pub fn positive<T: FromStr + Default + PartialOrd>(words: &mut Parser) -> Result<T, Refused> {
    words.value()?.parse_with(|text| match text.parse() {
        Ok(n) if n > T::default() => Ok(n),
        _ => Err("a positive number is wanted"),
    })
}
