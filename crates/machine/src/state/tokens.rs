//! Tokens: terms as sequences of words, the paths of tables' tries and the keys of a program's.
//!
//! A token is an immediate cell, the mark of a list cell, a functor, a numbered variable, or a word of a boxed number or string
//! after its header. No sequence is a prefix of another: every token says how many terms follow. Who makes them of terms, and terms of them:
//! `engine/tabling/codec.rs`.
//!
//! Words of a sequence are laid out as those of a record, as far as its atoms and handles go ([`samite_term::walked`], [`samite_term::counted`]).

use samite_term::growth::Refused;
use samite_term::{Cell, Functor, Kind, Tag};

/// Token of a list cell.
pub(crate) const LIST: u64 = Cell::header(Kind::Forward, 0).0;

pub(crate) const fn variable_token(n: usize) -> u64 {
    Cell::header(Kind::Copied, n as u64).0
}

/// Whether a token is that of a variable.
#[inline]
pub(crate) fn is_variable(token: Cell) -> bool {
    token.tag() == Tag::Hdr && token.kind() == Kind::Copied
}

/// Why a term has no path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unfit {
    /// It is infinite.
    Cyclic,
    /// It is longer than the memory limit allows (shared subterms can make that of a small term), or than there is room for.
    TooLong,
    /// It is an answer or a key, and has an attributed variable.
    Attributed,
}

impl From<Refused> for Unfit {
    fn from(_: Refused) -> Unfit {
        Unfit::TooLong
    }
}

/// Words of the token at a place, with those of its number or string, and how many terms follow as its arguments.
#[inline]
pub(crate) fn extent(token: u64) -> (usize, usize) {
    let c = Cell(token);
    if c.tag() != Tag::Hdr {
        return (1, 0);
    }
    match c.kind() {
        Kind::Functor => (1, Functor::from_cell(c).arity()),
        _ if token == LIST => (1, 2),
        _ => (1 + c.box_words(), 0),
    }
}

/// Where the term ends that begins at a place.
pub(crate) fn end_of_term(tokens: &[u64], mut at: usize) -> usize {
    let mut left = 1;
    while left > 0 {
        let (words, arguments) = extent(tokens[at]);
        at += words;
        left += arguments;
        left -= 1;
    }
    at
}

/// How many variables there are in tokens that were numbered as they came.
pub(crate) fn count_of_variables(tokens: &[u64]) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < tokens.len() {
        if is_variable(Cell(tokens[at])) {
            count = count.max((tokens[at] >> 8) as usize + 1);
        }
        at += extent(tokens[at]).0;
    }
    count
}
