//! Shapes: what of a call's arguments answers are found by, where they are read from a more general table ([`crate::engine::tabling::selection`]).
//!
//! The terms of a call, and those of an answer, are tokens behind each other ([`crate::state::tokens`]). A shape says of each term of a call:
//!
//! ```text
//! FREE       it is a variable: nothing is asked of the answer's term
//! GROUND     it has no variable: the answer's is the same, or has variables
//! TOP        it is compound: the answer's has the same functor, or is a variable; what is below is not looked at
//! ATOM       it is atomic: the answer's is the same, or a variable (only in shapes that were made [looser](loosened))
//! OPEN + n   it is compound with n arguments, whose shapes follow: as TOP, and the arguments as they say
//! ```
//!
//! The key is a hash of all that is asked for, so calls that are bound in the same places have one shape, whatever they are bound to, and find their answers by one list, however many
//! arguments are bound. An answer with a variable where something is asked for may fit any key; one that has an atomic term, or another number of arguments, where the shape goes
//! down never fits.
//!
//! Nobody says that what has the same key fits: [`may_fit`] does, but for variables that occur twice.

use super::codec::is_variable;
use crate::state::tokens::{end_of_term, extent};
use samite_table::Key;
use samite_term::Cell;
use samite_term::growth::{self, Refused};

const FREE: u32 = 0;
const GROUND: u32 = 1;
const TOP: u32 = 2;
const ATOM: u32 = 3;
const OPEN: u32 = 4;

/// Levels that shapes go down.
const DEPTH: usize = 3;

/// Most arguments of a term that they go down into.
const WIDTH: usize = 8;

fn is_free(token: u64) -> bool {
    is_variable(Cell(token))
}

/// The number of arguments that follow a token.
fn arity(token: u64) -> usize {
    extent(token).1
}

/// Whether the term at a place has no variable, and where it ends.
fn ground(tokens: &[u64], mut at: usize) -> (bool, usize) {
    let (mut left, mut is_ground) = (1, true);
    while left > 0 {
        is_ground &= !is_free(tokens[at]);
        let (words, arguments) = extent(tokens[at]);
        at += words;
        left += arguments;
        left -= 1;
    }
    (is_ground, at)
}

/// The shape of a call.
pub(super) fn shape_of(call: &[u64]) -> Result<Vec<u32>, Refused> {
    let (mut shape, mut at) = (Vec::new(), 0);
    while at < call.len() {
        at = add_shape(call, at, DEPTH, &mut shape)?;
    }
    Ok(shape)
}

fn add_shape(
    call: &[u64],
    at: usize,
    depth: usize,
    shape: &mut Vec<u32>,
) -> Result<usize, Refused> {
    let (is_ground, end) = ground(call, at);
    let arguments = arity(call[at]);
    if is_free(call[at]) {
        growth::push(shape, FREE)?;
    } else if is_ground {
        growth::push(shape, GROUND)?;
    } else if depth == 0 || arguments > WIDTH {
        growth::push(shape, TOP)?;
    } else {
        growth::push(shape, OPEN + arguments as u32)?;
        let mut at = at + 1;
        while at < end {
            at = add_shape(call, at, depth - 1, shape)?;
        }
    }
    Ok(end)
}

/// Whether a shape asks for nothing.
pub(super) fn is_all_free(shape: &[u32]) -> bool {
    shape.iter().all(|&s| s == FREE)
}

/// Whether what has the key of a call with this shape fits it.
pub(super) fn is_exact(shape: &[u32]) -> bool {
    !shape.contains(&TOP)
}

/// Where the shape ends that begins at a place.
fn end_of_shape(shape: &[u32], mut at: usize) -> usize {
    let mut left = 1;
    while left > 0 {
        left += shape[at].saturating_sub(OPEN) as usize;
        left -= 1;
        at += 1;
    }
    at
}

/// The key of an answer, or of a call that has this shape or a more special one.
pub(super) fn key_of(shape: &[u32], tokens: &[u64]) -> Key {
    let mut hash = 0u64;
    let mut add = |word: u64| {
        hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    };
    let (mut s, mut at, mut any) = (0, 0, false);
    while s < shape.len() {
        // (An answer without its values has less than the call.)
        let Some(&token) = tokens.get(at) else {
            return Key::Any;
        };
        match shape[s] {
            FREE => at = end_of_term(tokens, at),
            GROUND => {
                let (is_ground, end) = ground(tokens, at);
                any |= !is_ground;
                tokens[at..end].iter().for_each(|&t| add(t));
                at = end;
            }
            _ if is_free(token) => {
                any = true;
                at += 1;
                s = end_of_shape(shape, s);
                continue;
            }
            TOP => {
                if arity(token) == 0 {
                    return Key::Never;
                }
                add(token);
                at = end_of_term(tokens, at);
            }
            ATOM => {
                if arity(token) > 0 {
                    return Key::Never;
                }
                let end = end_of_term(tokens, at);
                tokens[at..end].iter().for_each(|&t| add(t));
                at = end;
            }
            open => {
                if arity(token) != (open - OPEN) as usize {
                    return Key::Never;
                }
                add(token);
                at += 1;
            }
        }
        s += 1;
    }
    if any {
        return Key::Any;
    }
    // (The last step of MurmurHash3: each bit of the key depends on all of the hash.)
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    Key::Of((hash >> 32) as u32)
}

/// Whether an answer may be one of a call: so it is, unless a variable that occurs twice would have to be two different terms.
pub(super) fn may_fit(call: &[u64], answer: &[u64]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < call.len() && j < answer.len() {
        let (a, b) = (call[i], answer[j]);
        if is_free(a) {
            (i, j) = (i + 1, end_of_term(answer, j));
        } else if is_free(b) {
            (i, j) = (end_of_term(call, i), j + 1);
        } else {
            let words = extent(a).0;
            if a != b || call[i..i + words] != answer[j..j + words] {
                return false;
            }
            (i, j) = (i + words, j + words);
        }
    }
    true
}

/// The shape of a call that asks for less where this answer, which fits any key of the shape, has a variable: it has a key of that, or never fits.
pub(super) fn loosened(call: &[u64], shape: &[u32], answer: &[u64]) -> Result<Vec<u32>, Refused> {
    let mut looser = Loosening {
        call,
        answer,
        out: Vec::new(),
    };
    let (mut s, mut at) = (0, (0, 0));
    while s < shape.len() && at.1 < answer.len() {
        (s, at) = looser.add(Some((shape, s)), at, DEPTH)?;
    }
    growth::have(&mut looser.out, shape.len() - s)?;
    looser.out.extend_from_slice(&shape[s..]);
    Ok(looser.out)
}

struct Loosening<'a> {
    call: &'a [u64],
    answer: &'a [u64],
    out: Vec<u32>,
}

impl Loosening<'_> {
    /// The terms at these places of call and answer, and the shape there (`None`: ground, below one that is); where all end.
    fn add(
        &mut self,
        shape: Option<(&[u32], usize)>,
        (i, j): (usize, usize),
        depth: usize,
    ) -> Result<(usize, (usize, usize)), Refused> {
        let (a, b) = (self.call[i], self.answer[j]);
        let (is_ground, end) = ground(self.answer, j);
        let ends = (end_of_term(self.call, i), end);
        let (is, behind) = match shape {
            Some((all, s)) => (all[s], end_of_shape(all, s)),
            None => (GROUND, 0),
        };
        if is == FREE || is_free(b) {
            growth::push(&mut self.out, FREE)?;
            return Ok((behind, ends));
        }
        let opens = match is {
            GROUND => !is_ground && depth > 0 && arity(a) <= WIDTH,
            _ => is >= OPEN,
        };
        if !opens || a != b {
            match shape {
                Some((all, s)) => {
                    growth::have(&mut self.out, behind - s)?;
                    self.out.extend_from_slice(&all[s..behind]);
                }
                None => growth::push(&mut self.out, GROUND)?,
            }
            if is == GROUND && !is_ground {
                // (Another functor, or variables too deep below, or too many arguments.)
                self.out.pop();
                growth::push(&mut self.out, if arity(a) > 0 { TOP } else { ATOM })?;
            }
            return Ok((behind, ends));
        }
        growth::push(&mut self.out, OPEN + arity(a) as u32)?;
        let mut at = (i + 1, j + 1);
        let mut s = shape.filter(|_| is != GROUND).map(|(all, s)| (all, s + 1));
        while at.0 < ends.0 {
            let (next, behind) = self.add(s, at, depth.saturating_sub(1))?;
            s = s.map(|(all, _)| (all, next));
            at = behind;
        }
        Ok((behind, ends))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tokens::variable_token;
    use samite_term::{Atom, Functor};

    fn f(n: usize) -> u64 {
        Functor::new(Atom::new("f"), n).bits()
    }
    fn int(n: i64) -> u64 {
        Cell::small(n).0
    }
    const X: u64 = variable_token(0);

    #[test]
    fn what_fits_has_the_key_or_any() {
        let terms: [&[u64]; 8] = [
            &[X],
            &[int(1)],
            &[f(1), X],
            &[f(1), int(1)],
            &[f(2), X, int(2)],
            &[f(2), int(1), int(2)],
            &[f(2), f(1), X, int(2)],
            &[f(2), f(1), f(1), f(1), f(1), X, X],
        ];
        let all = || terms.iter().flat_map(|a| terms.map(|b| [*a, b].concat()));
        for call in all() {
            let shape = shape_of(&call).unwrap();
            let Key::Of(key) = key_of(&shape, &call) else {
                panic!("a call has a key")
            };
            for answer in all() {
                let found = key_of(&shape, &answer);
                if may_fit(&call, &answer) {
                    assert!(found == Key::Of(key) || found == Key::Any);
                }
                if found != Key::Any {
                    continue;
                }
                let loose = loosened(&call, &shape, &answer).unwrap();
                let Key::Of(key) = key_of(&loose, &call) else {
                    panic!("it is looser")
                };
                for answer in all().filter(|a| may_fit(&call, a)) {
                    let found = key_of(&loose, &answer);
                    assert!(found == Key::Of(key) || found == Key::Any);
                }
                let found = key_of(&loose, &answer);
                assert!(found != Key::Any, "{call:?} {answer:?} {shape:?} {loose:?}");
                assert!(!may_fit(&call, &answer) || found == Key::Of(key));
            }
        }
    }
}
