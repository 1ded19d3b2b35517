//! Concatenating, splitting and searching text: `atom_concat/3`, `sub_atom/5`, `atomic_list_concat/3`, `split_string/4` and
//! their string versions.
//!
//! Positions are characters: see [`Positions`].

use super::args::{attempt, integer, is_negative, list_parts, size};
use super::text::{
    Make, atomic_text, code_cell, lower, make, positions, text, text_as_it_is, text_or_list,
};
use super::{Entry, det, nondet, pure};
use crate::engine::ctx::Ctx;
use crate::engine::going::Step;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_term::heavy::Patience;
use samite_term::positions::Positions;
use samite_term::{Cell, Number, View, common, growth};
use std::borrow::Cow;

pub const TABLE: &[Entry] = &[
    nondet("atom_concat", 3, |m, a, s| {
        concat(m, a, s, |_, _| Make::Atom)
    })
    .core()
    .makes_terms(),
    nondet("string_concat", 3, |m, a, s| {
        concat(m, a, s, |_, _| Make::String)
    })
    .makes_terms(),
    nondet("text_concat", 3, |m, a, s| concat(m, a, s, text_kind)).makes_terms(),
    nondet("sub_atom", 5, |m, a, s| sub_text(m, a, s, Make::Atom))
        .core()
        .makes_terms(),
    nondet("sub_string", 5, |m, a, s| sub_text(m, a, s, Make::String)).makes_terms(),
    pure("sub_atom_icasechk", 3, sub_atom_icasechk),
    det("atomic_list_concat", 2, |m, a| {
        let joined = join(m, m.arg(a, 0), "")?;
        let made = m.atom_of_text(&joined)?;
        Ok(m.unify_atom(a, 1, made))
    })
    .makes_terms(),
    det("atomic_list_concat", 3, atomic_list_concat).makes_terms(),
    det("split_string", 4, split_string).makes_terms(),
    det("$normal_space", 2, normal_space).makes_terms(),
    nondet("string_code", 3, string_code).makes_terms(),
    pure("get_string_code", 3, code_at),
];

// --- concatenation ---

/// `text_concat/3` makes a string if there is a string among its arguments.
fn text_kind(m: &Ctx, a: Args) -> Make {
    if (0..3).any(|i| matches!(m.view(a, i).view(), View::Str(_))) {
        Make::String
    } else {
        Make::Atom
    }
}

fn concat(
    m: &mut Ctx,
    a: Args,
    state: Option<Cell>,
    kind: fn(&Ctx, Args) -> Make,
) -> Result<Step, Throw> {
    let kind = kind(m, a);
    let once = |holds: bool| if holds { Step::Last } else { Step::Fail };
    let (x, y, z) = (m.arg(a, 0), m.arg(a, 1), m.arg(a, 2));
    let mut known = [None, None];
    for (slot, c) in known.iter_mut().zip([x, y]) {
        if !c.is_ref() {
            *slot = Some(text(m, c, "atomic")?);
        }
    }
    if let [Some(x), Some(y)] = &known {
        // Of what will not fit no copy is made beside the heap either, where it is for a while.
        let bytes = x.len() + y.len();
        match kind {
            _ if bytes < growth::MUCH => {}
            Make::Atom => m.room(2 * bytes)?,
            _ => m.heap_room(2 * bytes)?,
        }
        let room: Vec<u8> = m.vec_beside(bytes)?;
        let mut joined = String::from_utf8(room).unwrap_or_default();
        joined.push_str(x);
        joined.push_str(y);
        if !z.is_ref() {
            return Ok(once(*text(m, z, "atomic")? == *joined));
        }
        let made = make(m, &joined, kind)?;
        return Ok(once(m.unify(z, made)));
    }
    let whole = text(m, z, "atomic")?;
    match known {
        [Some(prefix), _] => match whole.strip_prefix(&*prefix) {
            Some(rest) => {
                let made = make(m, rest, kind)?;
                Ok(once(m.unify(y, made)))
            }
            None => Ok(Step::Fail),
        },
        [_, Some(suffix)] => match whole.strip_suffix(&*suffix) {
            Some(rest) => {
                let made = make(m, rest, kind)?;
                Ok(once(m.unify(x, made)))
            }
            None => Ok(Step::Fail),
        },
        _ => {
            let mut at = state.map_or(0, |s| s.small_value() as usize);
            while at <= whole.len() {
                let next = at + whole[at..].chars().next().map_or(1, char::len_utf8);
                let found = attempt(m, |m| {
                    let left = make(m, &whole[..at], kind)?;
                    let right = make(m, &whole[at..], kind)?;
                    Ok(m.unify(x, left) && m.unify(y, right))
                })?;
                if found {
                    return Ok(if at == whole.len() {
                        Step::Last
                    } else {
                        Step::More(Cell::small(next as i64))
                    });
                }
                at = next;
            }
            Ok(Step::Fail)
        }
    }
}

/// The texts of the items of a list, one behind the other with a separator between them; `None` if one of them or the tail is unbound,
/// whatever comes behind it. Room is asked for as for what is on the heap, and nothing is made for each of the items.
fn open_join(m: &mut Ctx, list: Cell, separator: &str) -> Result<Option<String>, Throw> {
    let (items, tail) = list_parts(m, list);
    // Of atoms and strings it is known how long they are.
    let mut known = separator
        .len()
        .saturating_mul(items.len().saturating_sub(1));
    for &item in &items {
        known = known.saturating_add(match m.term(item).view() {
            View::Atom(a) => a.as_str().len(),
            View::Str(s) => s.len(),
            _ => 0,
        });
    }
    m.heap_room(known)?;
    let mut joined = growth::text_with_room(known)?;
    let mut patience = Patience::new();
    for (i, item) in items.into_iter().enumerate() {
        if patience.is_over() {
            return Err(m.given_up());
        }
        let item = m.deref(item);
        if item.is_ref() {
            return Ok(None);
        }
        let text = text(m, item, "text")?;
        let more = if i > 0 { separator.len() } else { 0 } + text.len();
        let room = |bytes| m.heap.has_room(bytes) && common::system_has(bytes);
        if !growth::text_room(&mut joined, more, room) {
            return Err(Throw::Memory);
        }
        if i > 0 {
            joined.push_str(separator);
        }
        joined.push_str(&text);
    }
    if tail != Cell::NIL && !tail.is_ref() {
        return Err(m.type_error("list", tail));
    }
    Ok(Some(joined).filter(|_| !tail.is_ref()))
}

fn join(m: &mut Ctx, list: Cell, separator: &str) -> Result<String, Throw> {
    match open_join(m, list, separator)? {
        Some(joined) => Ok(joined),
        None => Err(m.instantiation_error()),
    }
}

fn atomic_list_concat(m: &mut Ctx, a: Args) -> Res {
    let (list, result) = (m.arg(a, 0), m.arg(a, 2));
    let separator = text(m, m.arg(a, 1), "text")?;
    if let Some(joined) = open_join(m, list, &separator)? {
        if matches!(m.term(result).view(), View::Str(_)) {
            return Ok(atomic_text(m, result)?.is_some_and(|t| *t == *joined));
        }
        let made = m.atom_of_text(&joined)?;
        return Ok(m.unify_atom(a, 2, made));
    }
    if separator.is_empty() {
        return Err(m.domain_error("non_empty_atom", m.arg(a, 1)));
    }
    if result.is_ref() {
        return Err(m.instantiation_error());
    }
    let whole = text(m, result, "atomic")?;
    let mut parts = Vec::new();
    let mut patience = Patience::new();
    for part in whole.split(&*separator) {
        if patience.is_over_after(8) {
            return Err(m.given_up());
        }
        growth::push(&mut parts, Cell::atom(m.atom_of_text(part)?))?;
    }
    let made = m.heap.list(&parts, Cell::NIL)?;
    Ok(m.unify(list, made))
}

/// `'$normal_space'(+Text, -String)`: the words of a text with a blank between them.
fn normal_space(m: &mut Ctx, a: Args) -> Res {
    let t = text_or_list(m, m.arg(a, 0), "text")?;
    let is_blank = |c| matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0C' | '\x0B' | '\u{A0}');
    let mut line = growth::text_with_room(t.len())?;
    let mut patience = Patience::new();
    for word in t.split(is_blank).filter(|word| !word.is_empty()) {
        if patience.is_over_after(4) {
            return Err(m.given_up());
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let line = m.heap.string(&line)?;
    Ok(m.unify_arg(a, 1, line))
}

fn split_string(m: &mut Ctx, a: Args) -> Res {
    let t = text_or_list(m, m.arg(a, 0), "text")?;
    let separators = text_or_list(m, m.arg(a, 1), "text")?;
    let pad = text_or_list(m, m.arg(a, 2), "text")?;
    let is_pad = |c: char| pad.contains(c);
    let mut parts = Vec::new();
    let is_separator = |c: char| separators.contains(c);
    // Padding behind a separator that is padding itself, or in front of a part that does not begin with a separator, goes before
    // the end of the part is looked for: separators in it do not separate.
    let mut behind_padding = false;
    let mut rest = t.trim_matches(is_pad);
    let mut patience = Patience::new();
    loop {
        if patience.is_over_after(4) {
            return Err(m.given_up());
        }
        if behind_padding || !rest.starts_with(is_separator) {
            rest = rest.trim_start_matches(is_pad);
        }
        let end = rest.find(is_separator);
        let part = &rest[..end.unwrap_or(rest.len())];
        growth::push(&mut parts, m.heap.string(part.trim_matches(is_pad))?)?;
        let Some(end) = end else {
            break;
        };
        let mut after = rest[end..].chars();
        behind_padding = after.next().is_some_and(is_pad);
        rest = after.as_str();
    }
    let mut expected = m.arg(a, 3);
    for (i, &part) in parts.iter().enumerate() {
        if expected.is_ref() {
            let list = m.heap.list(&parts[i..], Cell::NIL)?;
            return Ok(m.unify(expected, list));
        }
        let View::List(head, tail) = m.term(expected).view() else {
            return match expected {
                Cell::NIL => Ok(false),
                _ => Err(m.type_error("list", expected)),
            };
        };
        if !m.unify(head.cell(), part) {
            return Ok(false);
        }
        expected = m.deref(tail.cell());
    }
    Ok(m.unify(expected, Cell::NIL))
}

// --- parts ---

/// An argument of a `sub_atom/5` that is a position or length.
fn position(m: &mut Ctx, c: Cell) -> Result<Option<usize>, Throw> {
    size(m, c)
}

/// A text; the empty list has none.
fn text_not_nil<'b>(m: &mut Ctx<'b>, c: Cell, expected: &str) -> Result<Cow<'b, str>, Throw> {
    match c {
        Cell::NIL => Err(m.type_error(expected, c)),
        _ => text(m, c, expected),
    }
}

/// `sub_atom/5` and `sub_string/5`.
fn sub_text(m: &mut Ctx, a: Args, state: Option<Cell>, kind: Make) -> Result<Step, Throw> {
    let expected = if kind == Make::Atom { "atom" } else { "string" };
    let c = m.arg(a, 0);
    let made;
    let whole = match text_as_it_is(m, c) {
        Some(whole) => whole,
        None => {
            made = text_not_nil(m, c, expected)?;
            positions(m, c, &made)
        }
    };
    let before = position(m, m.arg(a, 1))?;
    let length = position(m, m.arg(a, 2))?;
    let after = position(m, m.arg(a, 3))?;
    let sub = m.arg(a, 4);
    if !sub.is_ref() {
        let sub = text_not_nil(m, sub, expected)?;
        return find_sub(m, a, state, whole, &sub, [before, length, after]);
    }
    let n = whole.chars();
    // What the only candidate binds before it turns out to be none is undone like all that a goal that fails has bound.
    let once = |m: &mut Ctx, b: usize, l: usize| {
        Ok(if matches(m, a, whole, n, b, l, kind)? {
            Step::Last
        } else {
            Step::Fail
        })
    };
    match (before, length, after) {
        (Some(b), Some(l), _) => match b.checked_add(l) {
            Some(e) if e <= n => once(m, b, l),
            _ => Ok(Step::Fail),
        },
        (Some(b), None, Some(e)) => match b.checked_add(e) {
            Some(s) if s <= n => once(m, b, n - s),
            _ => Ok(Step::Fail),
        },
        (None, Some(l), Some(e)) => match l.checked_add(e) {
            Some(s) if s <= n => once(m, n - s, l),
            _ => Ok(Step::Fail),
        },
        _ => {
            // State: place of the next candidate among all pairs of a start and a length.
            let mut at = state
                .map(|s| s.small_value() as usize)
                .unwrap_or(match before {
                    Some(b) => b.saturating_mul(n + 1),
                    None => 0,
                });
            loop {
                let (b, l) = match (before, length, after) {
                    (Some(b), ..) => (b, at.saturating_sub(b * (n + 1))),
                    (_, Some(l), _) => (at, l),
                    (_, _, Some(e)) => (at, n.saturating_sub(at).saturating_sub(e)),
                    _ => (at / (n + 1), at % (n + 1)),
                };
                if b > n || (before.is_some() && b + l > n) {
                    return Ok(Step::Fail);
                }
                if let Some(l) = length
                    && (l > n || b > n - l)
                {
                    return Ok(Step::Fail);
                }
                if let Some(e) = after
                    && (e > n || b > n - e)
                {
                    return Ok(Step::Fail);
                }
                let last = match (before, length, after) {
                    (Some(_), ..) => b + l == n,
                    (_, Some(l), _) => b == n - l,
                    (_, _, Some(e)) => b == n - e,
                    _ => b == n,
                };
                let next = match (before, length, after) {
                    (None, None, None) if b + l == n => (b + 1) * (n + 1),
                    _ => at + 1,
                };
                if found(m, a, whole, n, b, l, kind)? {
                    return Ok(if last {
                        Step::Last
                    } else {
                        Step::More(Cell::small(next as i64))
                    });
                }
                if last {
                    return Ok(Step::Fail);
                }
                at = next;
            }
        }
    }
}

/// Unifies a candidate part of `n` characters in all with the arguments.
fn found(m: &mut Ctx, a: Args, whole: Positions, n: usize, b: usize, l: usize, kind: Make) -> Res {
    attempt(m, |m| matches(m, a, whole, n, b, l, kind))
}

/// The same where nobody tries another candidate.
fn matches(
    m: &mut Ctx,
    a: Args,
    whole: Positions,
    n: usize,
    b: usize,
    l: usize,
    kind: Make,
) -> Res {
    let numbers = [b, l, n - b - l];
    for (i, v) in numbers.into_iter().enumerate() {
        let v = Cell::small(v as i64);
        // (Two of them were given, mostly.)
        if m.arg(a, 1 + i) != v && !m.unify_arg(a, 1 + i, v) {
            return Ok(false);
        }
    }
    let part = make(m, whole.slice(b, l), kind)?;
    Ok(m.unify_arg(a, 4, part))
}

/// The occurrences of a known part.
fn find_sub(
    m: &mut Ctx,
    a: Args,
    state: Option<Cell>,
    places: Positions,
    sub: &str,
    [before, length, after]: [Option<usize>; 3],
) -> Result<Step, Throw> {
    let whole = places.text();
    let l = Positions::uncounted(sub).chars();
    let n = places.chars();
    if length.is_some_and(|x| x != l) {
        return Ok(Step::Fail);
    }
    let unify = |m: &mut Ctx, at: usize| {
        attempt(m, |m| {
            let b = places.before(at);
            let e = n - b - l;
            Ok(m.unify_arg(a, 1, Cell::small(b as i64))
                && m.unify_arg(a, 2, Cell::small(l as i64))
                && m.unify_arg(a, 3, Cell::small(e as i64)))
        })
    };
    let fixed = match (before, after) {
        (Some(b), _) if b > n => return Ok(Step::Fail),
        (Some(b), _) => Some(places.offset(b)),
        (None, Some(e)) => {
            if e > n || l > n - e {
                return Ok(Step::Fail);
            }
            Some(places.offset(n - e - l))
        }
        _ => None,
    };
    if let Some(at) = fixed {
        let holds = whole[at..].starts_with(sub) && unify(m, at)?;
        return Ok(if holds { Step::Last } else { Step::Fail });
    }
    // The next occurrence is looked for before a solution is given, so that the last one leaves no choice.
    let next_from = |at: usize| -> Option<usize> {
        let step = whole[at..].chars().next()?.len_utf8();
        whole[at + step..].find(sub).map(|i| at + step + i)
    };
    let mut at = match state {
        Some(s) => Some(s.small_value() as usize),
        None => whole.find(sub),
    };
    while let Some(here) = at {
        let next = next_from(here);
        if unify(m, here)? {
            return Ok(match next {
                Some(next) => Step::More(Cell::small(next as i64)),
                None => Step::Last,
            });
        }
        at = next;
    }
    Ok(Step::Fail)
}

/// `sub_atom_icasechk(Text, Start, Sub)`: the first place of Sub in Text, where a small letter in Sub stands for a capital, too; if Start is
/// known, whether it is one.
fn sub_atom_icasechk(m: &mut Ctx, a: Args) -> Res {
    let whole = text(m, m.arg(a, 0), "text")?;
    let sub = text(m, m.arg(a, 2), "text")?;
    let places = positions(m, m.arg(a, 0), &whole);
    let start = m.arg(a, 1);
    if !start.is_ref() {
        let known = start.is_small().then(|| start.small_value());
        let known = known.and_then(|n| usize::try_from(n).ok());
        let place = known.filter(|&n| n <= places.chars());
        return Ok(place.is_some_and(|n| starts_with_small(&whole[places.offset(n)..], &sub)));
    }
    let mut patience = Patience::new();
    let mut at = 0;
    while let Some(here) = next_candidate(&whole, at, &sub) {
        if patience.is_over() {
            return Err(m.given_up());
        }
        if starts_with_small(&whole[here..], &sub) {
            return m.unify_int(a, 1, places.before(here) as i64);
        }
        let Some(c) = whole[here..].chars().next() else {
            break;
        };
        at = here + c.len_utf8();
    }
    Ok(false)
}

/// The next byte of a text, from one on, at which `sub` may begin; the end of the text is such a place.
fn next_candidate(text: &str, from: usize, sub: &str) -> Option<usize> {
    let rest = &text[from..];
    match sub.as_bytes().first() {
        // (Some letters that are not ASCII have small ones that are.)
        Some(&small) if small.is_ascii() => {
            let capital = small.to_ascii_uppercase();
            let begins = |&b: &u8| b == small || b == capital || !b.is_ascii();
            let place = rest.as_bytes().iter().position(begins)?;
            Some(from + place)
        }
        Some(_) if rest.is_empty() => None,
        _ => Some(from),
    }
}

/// Whether a text begins with another, in which a small letter stands for a capital, too.
fn starts_with_small(text: &str, sub: &str) -> bool {
    let mut chars = text.chars();
    sub.chars()
        .all(|s| chars.next().is_some_and(|c| c == s || lower(c) == s))
}

/// `string_code(Index, String, Code)`.
fn string_code(m: &mut Ctx, a: Args, state: Option<Cell>) -> Result<Step, Throw> {
    let t = text_or_list(m, m.arg(a, 1), "text")?;
    let places = positions(m, m.arg(a, 1), &t);
    let i = m.arg(a, 0);
    if i.is_ref() {
        let mut at = state.map_or(1, |s| s.small_value());
        let mut rest = t[places.offset(at as usize - 1)..].chars();
        while let Some(c) = rest.next() {
            if attempt(m, |m| {
                Ok(m.unify_arg(a, 0, Cell::small(at)) && m.unify_arg(a, 2, code_cell(c)))
            })? {
                let last = rest.as_str().is_empty();
                return Ok(if last {
                    Step::Last
                } else {
                    Step::More(Cell::small(at + 1))
                });
            }
            at += 1;
        }
        return Ok(Step::Fail);
    }
    let n = integer(m, i)?;
    if is_negative(&n) {
        return Err(m.domain_error("not_less_than_zero", i));
    }
    let Number::Int(n) = n else {
        return Err(m.representation_error("size_t"));
    };
    let c = (n > 0).then(|| places.char(n as usize - 1)).flatten();
    Ok(match c {
        Some(c) if m.unify_arg(a, 2, code_cell(c)) => Step::Last,
        _ => Step::Fail,
    })
}

fn code_at(m: &mut Ctx, a: Args) -> Res {
    let t = text_or_list(m, m.arg(a, 1), "text")?;
    let places = positions(m, m.arg(a, 1), &t);
    let i = m.arg(a, 0);
    let n = integer(m, i)?;
    let c = match n {
        Number::Int(n) if n > 0 => places.char(n as usize - 1),
        _ => None,
    };
    match c {
        Some(c) => Ok(m.unify_arg(a, 2, code_cell(c))),
        None => {
            let count = places.chars() as i64;
            let range = m.structure("range", &[Cell::small(1), Cell::small(count)])?;
            let e = m.structure("domain_error", &[range, i])?;
            Err(m.error_term(e))
        }
    }
}
