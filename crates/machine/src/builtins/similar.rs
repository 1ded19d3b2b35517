//! Names that may be meant by one that nobody defines: those at a distance of one typing mistake.
//!
//! Source: F. Damerau, *A technique for computer detection and correction of spelling errors*, CACM 7 (3), 1964: most mistakes are one
//! letter that is wrong, missing or too many, or two that are exchanged. Added are words put together in another way (`numberVars`, `number_vars`).

use super::libraries::known_exports;
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::Res;
use samite_code::flag;
use samite_term::{Atom, Cell, Functor, View, atoms};
use std::collections::BTreeSet;

pub const TABLE: &[Entry] = &[
    det("$similar_predicates", 4, similar_predicates),
    det("dwim_match", 2, |m, a| Ok(difference_of(m, a).is_some())),
    // dwim_match(+Name1, +Name2, -Difference)
    det("dwim_match", 3, |m, a| match difference_of(m, a) {
        Some(difference) => Ok(m.unify_atom(a, 2, Atom::new(difference))),
        None => Ok(false),
    }),
];

/// What makes one of the first two arguments of the other, if they are texts.
fn difference_of(m: &Ctx, a: Args) -> Option<&'static str> {
    let text = |i| match m.view(a, i).view() {
        View::Atom(text) => Some(text.as_str()),
        View::Str(text) => Some(text),
        _ => None,
    };
    difference(text(0)?, text(1)?)
}

/// What makes one of two names of the other, in the words of SWI-Prolog: none if they have more than one difference. Words begin behind `_`, or with
/// a large letter behind a small one or a digit.
fn difference(a: &str, b: &str) -> Option<&'static str> {
    if a == b {
        return Some("equal");
    }
    let (x, y): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let shorter = x.len().min(y.len());
    if shorter >= SHORTEST_DIFFERENT {
        let begin = x.iter().zip(&y).take_while(|(x, y)| x == y).count();
        let (p, q) = (&x[begin..], &y[begin..]);
        match (p, q) {
            ([_, p @ ..], [_, q @ ..]) if p == q => return Some("mismatched_char"),
            ([s, t, p @ ..], [v, w, q @ ..]) if (s, t) == (w, v) && p == q => {
                return Some("transposed_char");
            }
            _ if p.get(1..) == Some(q) || q.get(1..) == Some(p) => return Some("inserted_char"),
            _ => {}
        }
    }
    let (v, w) = (words(a), words(b));
    if v == w {
        return Some("separated");
    }
    let begin = v.iter().zip(&w).take_while(|(x, y)| x == y).count();
    match (&v[begin..], &w[begin..]) {
        ([s, t, v @ ..], [p, q, w @ ..]) if (s, t) == (q, p) && v == w => Some("transposed_word"),
        _ => None,
    }
}

/// Of names shorter than this, any two are one letter apart.
const SHORTEST_DIFFERENT: usize = 3;

/// The words that a name is put together of, their first letters small.
fn words(name: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut before = '_';
    for c in name.chars() {
        let begins = before == '_' || c.is_uppercase() && !before.is_uppercase();
        match all.last_mut() {
            _ if c == '_' => {}
            Some(word) if !begins => String::push(word, c),
            _ => all.push(c.to_lowercase().collect()),
        }
        before = c;
    }
    all
}

/// `'$similar_predicates'(+Module, +Name, +Arity, -PIs)`: predicates that the module can call (its own, those of `user` and the system, and those
/// that libraries export) with names like this one: those with the arity, or else all whose names are telling.
fn similar_predicates(m: &mut Ctx, a: Args) -> Res {
    let (module, name) = (m.atom_argument(a, 0)?, m.atom_argument(a, 1)?);
    let arity = m.arg(a, 2);
    let meant = Meant::new(name.as_str());
    let mut found = BTreeSet::new();
    for p in m.program.code.predicates() {
        let seen = p.module() == module || p.module() == atoms::USER || p.module() == atoms::SYSTEM;
        if seen && p.has(flag::DEFINED | flag::BUILTIN | flag::CONTROL | flag::DYNAMIC) {
            found.extend(meant.fits(p.name().as_str(), p.functor().arity()));
        }
    }
    for (name, arity) in known_exports(&m.program) {
        found.extend(meant.fits(name, arity));
    }
    let wanted = |n: usize| arity.is_small() && arity.small_value() == n as i64;
    let same = found.iter().any(|&(_, n)| wanted(n));
    let fits = |&(name, n): &(&str, usize)| wanted(n) || !same && name.len() >= TELLING;
    let mut items = Vec::new();
    for (name, n) in found.into_iter().filter(fits) {
        items.push(m.indicator(Functor::new(Atom::new(name), n))?);
    }
    let list = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 3, list))
}

/// A name with mistakes.
struct Meant {
    name: Vec<char>,
    letters: String,
}

/// Names that are shorter, and those of symbols, are like too many others.
const SHORTEST: usize = 4;
/// Names that are shorter are meant only with the same number of arguments.
const TELLING: usize = 5;

impl Meant {
    fn new(name: &str) -> Meant {
        Meant {
            name: name.chars().collect(),
            letters: letters(name),
        }
    }
    fn fits(&self, name: &'static str, arity: usize) -> Option<(&'static str, usize)> {
        let size = name.chars().count();
        if size < SHORTEST || !name.starts_with(char::is_alphabetic) {
            return None;
        }
        let other: Vec<char> = name.chars().collect();
        let fits = other != self.name
            && (one_mistake(&self.name, &other) || letters(name) == self.letters);
        fits.then_some((name, arity))
    }
}

/// A name without what only says where its words begin.
fn letters(name: &str) -> String {
    let all = name.chars().filter(|&c| c != '_');
    all.flat_map(char::to_lowercase).collect()
}

/// Whether one mistake makes one of two different names of the other.
fn one_mistake(a: &[char], b: &[char]) -> bool {
    let begin = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[begin..], &b[begin..]);
    match (a, b) {
        ([_, a @ ..], [_, b @ ..]) if a == b => true,
        ([x, y, a @ ..], [v, w, b @ ..]) if (x, y) == (w, v) && a == b => true,
        _ => a.get(1..) == Some(b) || b.get(1..) == Some(a),
    }
}

/// Run by `tests/checks.rs`.
#[cfg(debug_assertions)]
pub(crate) mod checks {
    use super::*;

    pub(crate) fn one_mistake_is_enough_and_two_are_too_many() {
        let like = |a: &str, b: &'static str| Meant::new(a).fits(b, 0).is_some();
        for (a, b) in [
            ("apend", "append"),
            ("appendd", "append"),
            ("appned", "append"),
            ("abpend", "append"),
            ("number_vars", "numbervars"),
            ("atomConcat", "atom_concat"),
            ("abc", "abcd"),
        ] {
            assert!(like(a, b), "{a} {b}");
        }
        for (a, b) in [
            ("append", "append"),
            ("apned", "append"),
            ("qppends", "append"),
            ("a", "b"),
            ("bar", "var"),
            ("-->", "*->"),
            ("====", "==="),
            ("", ""),
        ] {
            assert!(!like(a, b), "{a} {b}");
        }
    }
}
