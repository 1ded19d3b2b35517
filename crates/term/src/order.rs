//! Standard order of terms (ISO 13211-1, 7.2, with SWI-Prolog's place for strings and its number order). With an explicit work list: depth costs
//! heap memory, never native stack.
//!
//! Of rational trees, pairs of compounds already met count as equal: equality is equality of the infinite trees; the order of different
//! ones is antisymmetric, but need not be transitive.

use crate::cell::{Cell, Functor, Kind, Tag};
use crate::cycle::Met;
use crate::number::compare_values;
use crate::view::{TermRef, View, deref};
use crate::{Atom, atoms, growth, heavy};
use std::cmp::Ordering;

/// Rank of a type: Var < Number < String < Atom < Compound.
fn rank(v: &View) -> u8 {
    match v {
        View::Var(_) | View::Attributed(_) => 0,
        View::Int(_) | View::Float(_) | View::Number(_) => 1,
        View::Str(_) => 3,
        View::Atom(_) | View::Blob(_) | View::Handle(_) => 4,
        View::List(..) | View::Compound(_) => 5,
    }
}

/// Compares two terms in standard order; variables by address, which is enough to see whether terms are identical.
pub fn compare(a: TermRef, b: TermRef) -> Ordering {
    compare_with(a, b, |x, y| x.cmp(&y))
}

/// Compares two terms in standard order; different variables, given by their addresses, as `variables` says.
pub fn compare_with(
    a: TermRef,
    b: TermRef,
    mut variables: impl FnMut(u64, u64) -> Ordering,
) -> Ordering {
    let (a, b) = (a.deref(), b.deref());
    if let Some(order) = quick(a, b) {
        return order;
    }
    let (mut p, mut q, mut n) = (&raw const a, &raw const b, 1);
    if is_compound(a) && is_compound(b) {
        let (x, f) = parts(a);
        let (y, g) = parts(b);
        if f != g {
            return functors(f, g);
        }
        // Most often a constant decides: as far as there is no more to it, nothing is made ready for terms of any shape.
        (p, q, n) = (x, y, f.arity());
        while n > 0 {
            // SAFETY: `p` and `q` are at `n` cells of terms that stay as they are, as promised where the `TermRef`s were made.
            let (a, b) = unsafe { (deref(*p), deref(*q)) };
            if a != b {
                match quick(a, b) {
                    Some(order) => return order,
                    None => break,
                }
            }
            // SAFETY: as above; the cell after the last is not read.
            (p, q, n) = unsafe { (p.add(1), q.add(1), n - 1) };
        }
        if n == 0 {
            return Ordering::Equal;
        }
    }
    // SAFETY: as above.
    unsafe { compare_all((a, b), (p, q, n), &mut variables) }
}

/// The order of the first of `n` pairs of cells that differ, which are what is inside of `above`, or that.
///
/// # Safety
/// There are so many at both addresses, cells of terms that stay as they are.
#[inline(never)]
unsafe fn compare_all(
    above: (Cell, Cell),
    (mut p, mut q, mut n): (*const Cell, *const Cell, usize),
    variables: &mut impl FnMut(u64, u64) -> Ordering,
) -> Ordering {
    // Arguments still to be compared, of the structures above the present ones: two arrays of cells and their length. The first of them is
    // beside the list: flat terms need none. (What is in the list comes after it, and is taken before.)
    let mut first: (*const Cell, *const Cell, usize) = (p, q, 0);
    let mut work = Vec::new();
    let mut met = Met::below(above);
    loop {
        if n == 0 {
            debug_assert!(first.2 > 0 || work.is_empty());
            (p, q, n) = match work.pop() {
                Some(rest) => rest,
                None if first.2 == 0 => return Ordering::Equal,
                None => std::mem::replace(&mut first, (p, q, 0)),
            };
            continue;
        }
        // SAFETY: promised by the caller.
        let (a, b) = unsafe { (deref(*p), deref(*q)) };
        // SAFETY: as above; the cell after the last is not read.
        (p, q, n) = unsafe { (p.add(1), q.add(1), n - 1) };
        if a == b {
            continue;
        }
        if let Some(order) = quick(a, b) {
            return order;
        }
        if is_compound(a) && is_compound(b) {
            let (x, f) = parts(a);
            let (y, g) = parts(b);
            if f != g {
                return functors(f, g);
            }
            if !met.pair_again(a, b) {
                if n > 0 {
                    if first.2 == 0 {
                        first = (p, q, n);
                    } else if growth::push(&mut work, (p, q, n)).is_err() {
                        heavy::refuse();
                        return Ordering::Equal;
                    }
                }
                (p, q, n) = (x, y, f.arity());
            }
            continue;
        }
        // SAFETY: as above.
        let (a, b) = unsafe { (TermRef::new(a), TermRef::new(b)) };
        let order = compare_others(&a.view(), &b.view(), a, b, variables);
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// The order of two small integers or of two atoms.
#[inline(always)]
fn quick(a: Cell, b: Cell) -> Option<Ordering> {
    if a.is_small() && b.is_small() {
        // The same tag: the order of the cells is that of the values.
        return Some((a.0 as i64).cmp(&(b.0 as i64)));
    }
    if a.is_atom() && b.is_atom() {
        let (x, y) = (a.atom_of(), b.atom_of());
        return Some(constants(x, y));
    }
    None
}

/// The order of atoms: that of their texts, after the reserved ones, which are no texts.
#[inline(always)]
pub(crate) fn constants(x: Atom, y: Atom) -> Ordering {
    if x.is_reserved() || y.is_reserved() {
        // (They are the first that there are.)
        return x.cmp(&y);
    }
    x.as_str().cmp(y.as_str()).then(x.cmp(&y))
}

fn is_compound(c: Cell) -> bool {
    matches!(c.tag(), Tag::Lst | Tag::Str)
}

/// The order of compounds with different functors.
#[inline(never)]
fn functors(f: Functor, g: Functor) -> Ordering {
    f.arity()
        .cmp(&g.arity())
        .then_with(|| constants(f.name(), g.name()))
}

/// The arguments and the functor of a compound.
#[inline]
pub(crate) fn parts(c: Cell) -> (*const Cell, Functor) {
    if c.tag() == Tag::Lst {
        (c.ptr(), Functor::new(crate::atoms::DOT, 2))
    } else {
        // SAFETY: a structure starts with its functor, its arguments follow.
        unsafe { (c.ptr().add(1), Functor::from_cell(*c.ptr())) }
    }
}

fn compare_others(
    va: &View,
    vb: &View,
    a: TermRef,
    b: TermRef,
    variables: &mut impl FnMut(u64, u64) -> Ordering,
) -> Ordering {
    let by_rank = rank(va).cmp(&rank(vb));
    if by_rank != Ordering::Equal {
        return by_rank;
    }
    match (va, vb) {
        (View::Var(x) | View::Attributed(x), View::Var(y) | View::Attributed(y)) => {
            variables(*x, *y)
        }
        (View::Int(x), View::Int(y)) => x.cmp(y),
        // -0.0 comes before 0.0.
        (View::Float(x), View::Float(y)) if !x.is_nan() && !y.is_nan() => x
            .partial_cmp(y)
            .unwrap_or(Ordering::Equal)
            .then_with(|| x.total_cmp(y)),
        (View::Str(x), View::Str(y)) => x.cmp(y),
        (View::Atom(x) | View::Blob(x), View::Atom(y) | View::Blob(y)) => constants(*x, *y),
        (View::Handle(x), View::Handle(y)) => x.cmp(y),
        (View::Handle(_), View::Atom(atoms::NIL)) => Ordering::Greater,
        (View::Atom(atoms::NIL), View::Handle(_)) => Ordering::Less,
        // As their texts, like other constants that are no numbers.
        (View::Handle(x), View::Atom(y) | View::Blob(y)) => x
            .to_string()
            .as_str()
            .cmp(y.as_str())
            .then(Ordering::Greater),
        (View::Atom(x) | View::Blob(x), View::Handle(y)) => {
            x.as_str().cmp(y.to_string().as_str()).then(Ordering::Less)
        }
        _ => {
            if let (View::Number(x), View::Number(y)) = (va, vb)
                && let Some(order) = big_integers(x.words(), y.words())
            {
                return order;
            }
            let (Some(x), Some(y)) = (a.number(), b.number()) else {
                unreachable!("same rank")
            };
            // Equal by value: Float < Int. NaN comes before every number.
            compare_values(&x, &y)
                .unwrap_or_else(|| y.to_f64().is_nan().cmp(&x.to_f64().is_nan()))
                .then_with(|| match (va, vb) {
                    // -0.0 comes before 0.0.
                    (View::Float(a), View::Float(b)) => a.total_cmp(b),
                    _ => Ordering::Equal,
                })
                .then_with(|| matches!(vb, View::Float(_)).cmp(&matches!(va, View::Float(_))))
        }
    }
}

/// The order of two big integers, by what their boxes hold; `None` if one is something else.
fn big_integers(x: &[u64], y: &[u64]) -> Option<Ordering> {
    let (h, g) = (Cell(x[0]), Cell(y[0]));
    if !h.is_kind(Kind::BigInt) || !g.is_kind(Kind::BigInt) {
        return None;
    }
    let (x, y) = (&x[1..=h.box_words()], &y[1..=g.box_words()]);
    let size = || (x.len().cmp(&y.len())).then_with(|| x.iter().rev().cmp(y.iter().rev()));
    Some(match (h.payload() & 1 == 1, g.payload() & 1 == 1) {
        (false, false) => size(),
        (true, true) => size().reverse(),
        (minus, _) => {
            if minus {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RecordBuilder;

    /// A term of structures within structures at all places, and its leaves, of which number `changed` is a larger one.
    fn tree(b: &mut RecordBuilder, depth: usize, leaves: &mut usize, changed: usize) -> Cell {
        if depth == 0 {
            *leaves += 1;
            return Cell::small(i64::from(*leaves - 1 == changed));
        }
        let mut args = Vec::new();
        for i in 0..3 {
            let below = if i == 1 { depth - 1 } else { depth / 2 };
            args.push(tree(b, below, leaves, changed));
        }
        b.structure(Functor::new(Atom::new("f"), 3), &args)
    }

    #[test]
    fn the_first_difference_counts_wherever_it_is() {
        let made = |changed| {
            let (mut b, mut leaves) = (RecordBuilder::new(), 0);
            let root = tree(&mut b, 5, &mut leaves, changed);
            let record = b.finish(root);
            let mut words = vec![0; record.heap_words()].into_boxed_slice();
            let root = record.instantiate(&mut words);
            (root, words, leaves)
        };
        let all: Vec<_> = (0..=made(0).2).map(made).collect();
        assert!(all.len() > 40);
        // (The last is the one without a change.)
        for (i, x) in all.iter().enumerate() {
            for (j, y) in all.iter().enumerate() {
                // SAFETY: the words stay as they are.
                let (x, y) = unsafe { (TermRef::new(x.0), TermRef::new(y.0)) };
                assert_eq!(compare(x, y), j.cmp(&i), "{i} {j}");
            }
        }
    }
}
