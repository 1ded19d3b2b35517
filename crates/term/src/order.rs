//! Standard order of terms (ISO 13211-1, 7.2, with SWI-Prolog's place for strings and its number order) and the
//! variant check `=@=`. Both use explicit work lists: depth costs heap memory, never native stack.

use crate::cell::Tag;
use crate::number::compare_values;
use crate::view::{Args, TermRef, View};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;

/// From this many steps on, pairs of terms are remembered.
const CYCLE_SUSPECTED: usize = 1 << 22;

/// Rank of a type: Var < Number < String < Atom < Compound.
fn rank(v: &View) -> u8 {
    match v {
        View::Var(_) | View::Attributed(_) => 0,
        View::Int(_) | View::Float(_) | View::Number(_) => 1,
        View::Str(_) => 3,
        View::Atom(_) | View::Blob(_) => 4,
        View::List(..) | View::Compound(_) => 5,
    }
}

/// Compares two terms in standard order.
pub fn compare(a: TermRef, b: TermRef) -> Ordering {
    let mut work: Vec<(TermRef, TermRef)> = Vec::new();
    let (mut a, mut b) = (a, b);
    let mut met: FxHashSet<(u64, u64)> = FxHashSet::default();
    let mut steps = 0usize;
    loop {
        let (ca, cb) = (a.deref(), b.deref());
        if ca.is_small() && cb.is_small() {
            // The frequent case first.
            let order = (ca.0 as i64).cmp(&(cb.0 as i64));
            if order != Ordering::Equal {
                return order;
            }
        } else if ca != cb && {
            // Rational trees: after many steps, pairs already met count as equal.
            steps += 1;
            steps < CYCLE_SUSPECTED || met.insert((ca.0, cb.0))
        } {
            let (va, vb) = (a.view(), b.view());
            let order = match (&va, &vb) {
                (View::List(h1, t1), View::List(h2, t2)) => {
                    work.push((*t1, *t2));
                    (a, b) = (*h1, *h2);
                    continue;
                }
                (View::List(..) | View::Compound(_), View::List(..) | View::Compound(_)) => {
                    match compare_compounds(a, b, &mut work) {
                        Ok(next) => {
                            (a, b) = next;
                            continue;
                        }
                        Err(order) => order,
                    }
                }
                _ => compare_atomic(&va, &vb, a, b),
            };
            if order != Ordering::Equal {
                return order;
            }
        }
        match work.pop() {
            Some(next) => (a, b) = next,
            None => return Ordering::Equal,
        }
    }
}

/// Compares arity, name, then schedules the arguments; `Ok` is the pair to go on with.
fn compare_compounds<'a>(
    a: TermRef<'a>,
    b: TermRef<'a>,
    work: &mut Vec<(TermRef<'a>, TermRef<'a>)>,
) -> Result<(TermRef<'a>, TermRef<'a>), Ordering> {
    let (Some((f, x)), Some((g, y))) = (a.callable(), b.callable()) else {
        unreachable!("both are compound")
    };
    let order = f
        .arity()
        .cmp(&g.arity())
        .then_with(|| f.name().as_str().cmp(g.name().as_str()));
    if order != Ordering::Equal || f.arity() == 0 {
        return Err(order);
    }
    for i in (1..f.arity()).rev() {
        work.push((x.get(i), y.get(i)));
    }
    Ok((x.get(0), y.get(0)))
}

fn compare_atomic(va: &View, vb: &View, a: TermRef, b: TermRef) -> Ordering {
    let by_rank = rank(va).cmp(&rank(vb));
    if by_rank != Ordering::Equal {
        return by_rank;
    }
    match (va, vb) {
        (View::Var(x) | View::Attributed(x), View::Var(y) | View::Attributed(y)) => x.cmp(y),
        (View::Int(x), View::Int(y)) => x.cmp(y),
        (View::Str(x), View::Str(y)) => x.cmp(y),
        (View::Atom(x) | View::Blob(x), View::Atom(y) | View::Blob(y)) => {
            x.as_str().cmp(y.as_str()).then(x.cmp(y))
        }
        _ => {
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

/// Whether the terms are equal up to a consistent renaming of variables.
pub fn variant(a: TermRef, b: TermRef) -> bool {
    let mut forth: FxHashMap<u64, u64> = FxHashMap::default();
    let mut back: FxHashMap<u64, u64> = FxHashMap::default();
    let mut work = vec![(a, b)];
    while let Some((a, b)) = work.pop() {
        let (ca, cb) = (a.deref(), b.deref());
        if ca.tag() != cb.tag() {
            return false;
        }
        match ca.tag() {
            Tag::Ref => {
                if *forth.entry(ca.0).or_insert(cb.0) != cb.0
                    || *back.entry(cb.0).or_insert(ca.0) != ca.0
                {
                    return false;
                }
            }
            Tag::Lst | Tag::Str => {
                let (Some((f, x)), Some((g, y))) = (a.callable(), b.callable()) else {
                    return false;
                };
                if f != g {
                    return false;
                }
                if !matches!(x, Args::None) {
                    for i in (0..f.arity()).rev() {
                        work.push((x.get(i), y.get(i)));
                    }
                }
            }
            _ => {
                if ca != cb && compare(a, b) != Ordering::Equal {
                    return false;
                }
            }
        }
    }
    true
}
