//! Lists and counting: `length/2`, `memberchk/2`, `between/3`, `succ/2`, `plus/3`; and roots of integers.

use super::args::{attempt, integer, is_negative, list_parts};
use super::{Entry, det, nondet, pure, pure_or_goal};
use crate::engine::ctx::Ctx;
use crate::engine::going::Step;
use crate::engine::ops::unify::Unified;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_arith::ArithError;
use samite_term::heavy::Patience;
use samite_term::number::{IBig, compare_values};
use samite_term::{Cell, Number, Tag, View, atoms};
use std::cmp::Ordering;

pub const TABLE: &[Entry] = &[
    pure("is_list", 1, |m, a| {
        Ok(list_parts(m, m.arg(a, 0)).1 == Cell::NIL)
    }),
    pure("$skip_list", 3, skip_list),
    pure("$drop", 4, drop_first),
    det("length", 2, length).core().makes_terms(),
    pure_or_goal("memberchk", 2, memberchk),
    nondet("between", 3, between).makes_terms(),
    pure("succ", 2, succ),
    pure("plus", 3, plus),
    det("$integer_root", 3, integer_root),
];

// --- length/2 ---

/// Longer and longer lists are left to a goal, which makes each of the one before, cell by cell: an attributed tail may refuse to go on.
fn length(m: &mut Ctx, a: Args) -> Res {
    let (list, n) = (m.arg(a, 0), m.arg(a, 1));
    let wanted = if n.is_ref() {
        None
    } else {
        let v = integer(m, n)?;
        if is_negative(&v) {
            return Err(m.domain_error("not_less_than_zero", n));
        }
        Some(v)
    };
    let (found, tail) = count(m, list);
    if tail == Cell::NIL {
        return match wanted {
            Some(v) => Ok(v == Number::Int(found as i64)),
            None => m.unify_int(a, 1, found as i64),
        };
    }
    if !tail.is_ref() {
        return Err(m.type_error("list", list));
    }
    if let Some(v) = wanted {
        let Number::Int(v) = v else {
            return Err(m.resource_error("memory"));
        };
        let v = v as usize;
        if v < found {
            return Ok(false);
        }
        let rest = fresh_list(m, v - found)?;
        return Ok(m.unify(tail, rest));
    }
    if tail == n {
        return Ok(false);
    }
    let goal = [tail, n, Cell::small(found as i64)];
    Err(Throw::Rest(m.structure("$lengths", &goal)?))
}

/// `'$skip_list'(-Length, +List, -Tail)`: what [`count`] says.
fn skip_list(m: &mut Ctx, a: Args) -> Res {
    let (n, tail) = count(m, m.arg(a, 1));
    Ok(m.unify_int(a, 0, n as i64)? && m.unify_arg(a, 2, tail))
}

/// `'$drop'(+N, +List, -Rest, -Left)`: Rest is what comes after the first N elements of List, N not negative, or after those that there are;
/// Left of the N are not.
fn drop_first(m: &mut Ctx, a: Args) -> Res {
    let mut t = m.arg(a, 1);
    let n = m.arg(a, 0);
    // A list of as many elements as a big integer says would not end.
    let mut left = if n.is_small() { n.small_value() } else { 0 };
    let mut patience = Patience::new();
    while left > 0
        && let View::List(_, tail) = m.term(t).view()
    {
        t = tail.deref();
        left -= 1;
        if patience.is_over() {
            return Err(m.given_up());
        }
    }
    let left = if n.is_small() { Cell::small(left) } else { n };
    Ok(m.unify_arg(a, 2, t) && m.unify_arg(a, 3, left))
}

/// Number of cells of a list and its tail; of a cyclic list, some number and a list cell.
fn count(m: &Ctx, list: Cell) -> (usize, Cell) {
    let mut patience = Patience::new();
    let mut t = m.deref(list);
    let (mut mark, mut until, mut n) = (t, 64usize, 0usize);
    while let View::List(_, tail) = m.term(t).view() {
        t = tail.deref();
        n += 1;
        if t == mark || patience.is_over() {
            break;
        }
        if n == until {
            (mark, until) = (t, until * 2);
        }
    }
    (n, t)
}

/// A list of fresh variables.
fn fresh_list(m: &mut Ctx, n: usize) -> Result<Cell, Throw> {
    if n == 0 {
        return Ok(Cell::NIL);
    }
    if n > m.heap.limit() / 16 {
        return Err(m.resource_error("memory"));
    }
    let mut patience = Patience::new();
    let p = m.heap.allocate(2 * n)?;
    for i in 0..n {
        if patience.is_over() {
            // Nothing refers to what was allocated.
            return Err(m.given_up());
        }
        let cell = p.wrapping_add(2 * i);
        // SAFETY: two cells for every element were just allocated.
        unsafe {
            *cell = Cell::to(Tag::Ref, cell);
            *cell.add(1) = if i + 1 < n {
                Cell::to(Tag::Lst, cell.add(2))
            } else {
                Cell::NIL
            };
        }
    }
    Ok(Cell::to(Tag::Lst, p))
}

/// `memberchk(X, List)`: unifies with the first element it can; an open list is extended.
fn memberchk(m: &mut Ctx, a: Args) -> Res {
    let x = m.arg(a, 0);
    let mut t = m.arg(a, 1);
    let (mut mark, mut power, mut steps) = (t, 64usize, 0usize);
    loop {
        match m.term(t).view() {
            View::List(head, tail) => {
                let e = head.deref();
                match unify_unless_awaited(m, x, e) {
                    Unified::Yes => return Ok(true),
                    Unified::No => t = tail.deref(),
                    Unified::Awaited => {
                        // Whether it is this one depends on goals.
                        let member = m.structure("member", &[x, t])?;
                        return Err(Throw::Rest(m.structure("once", &[member])?));
                    }
                }
            }
            View::Var(_) | View::Attributed(_) => {
                let rest = m.heap.variable()?;
                let cell = m.heap.list_cell(x, rest)?;
                return Ok(m.unify(t, cell));
            }
            View::Atom(atoms::NIL) => return Ok(false),
            _ => return Err(m.type_error("list", t)),
        }
        steps += 1;
        if t == mark && t.tag() == Tag::Lst {
            return Ok(false);
        }
        if steps == power {
            (mark, power, steps) = (t, power * 2, 0);
        }
    }
}

/// A quick test that rules out most pairs.
fn may_unify(a: Cell, b: Cell) -> bool {
    a.is_ref() || b.is_ref() || (a.tag() == b.tag() && !a.is_immediate())
}

/// Unifies; a failed unification leaves no bindings, nor one that wakes goals.
fn unify_unless_awaited(m: &mut Ctx, a: Cell, b: Cell) -> Unified {
    if a == b {
        return Unified::Yes;
    }
    if !may_unify(a, b) {
        return Unified::No;
    }
    let mark = m.heap.mark();
    let holds = m.unify(a, b);
    let awaited = m.has_woken_goals();
    if !holds || awaited {
        // SAFETY: these are the bindings of this unification alone.
        unsafe { m.heap.unbind(mark) };
    } else {
        m.heap.commit(mark);
    }
    match (holds, awaited) {
        (false, _) => Unified::No,
        (true, false) => Unified::Yes,
        (true, true) => Unified::Awaited,
    }
}

// --- integers ---

fn plus_one(n: &Number) -> Number {
    add(n, &Number::Int(1))
}

fn add(a: &Number, b: &Number) -> Number {
    if let (Number::Int(x), Number::Int(y)) = (a, b)
        && let Some(r) = x.checked_add(*y)
    {
        return Number::Int(r);
    }
    let zero = || IBig::from(0);
    Number::from_big(a.to_big().unwrap_or_else(zero) + b.to_big().unwrap_or_else(zero))
}

fn subtract(a: &Number, b: &Number) -> Number {
    if let (Number::Int(x), Number::Int(y)) = (a, b)
        && let Some(r) = x.checked_sub(*y)
    {
        return Number::Int(r);
    }
    let zero = || IBig::from(0);
    Number::from_big(a.to_big().unwrap_or_else(zero) - b.to_big().unwrap_or_else(zero))
}

fn between(m: &mut Ctx, a: Args, state: Option<Cell>) -> Result<Step, Throw> {
    let (low, high, x) = (m.arg(a, 0), m.arg(a, 1), m.arg(a, 2));
    if let Some(s) = state
        && s.is_small()
        && high.is_small()
    {
        m.unify(x, s);
        let next = s.small_value() + 1;
        return Ok(if next > high.small_value() {
            Step::Last
        } else {
            Step::More(Cell::small(next))
        });
    }
    let low = integer(m, low)?;
    let infinite = high.is_atom() && matches!(high.atom_of().as_str(), "inf" | "infinite");
    let high = if infinite {
        None
    } else {
        Some(integer(m, high)?)
    };
    let above = |n: &Number| {
        high.as_ref()
            .is_some_and(|h| compare_values(n, h) == Some(Ordering::Greater))
    };
    if !x.is_ref() {
        let v = integer(m, x)?;
        let inside = compare_values(&low, &v) != Some(Ordering::Greater) && !above(&v);
        return Ok(if inside { Step::Last } else { Step::Fail });
    }
    let now = match state {
        Some(s) => integer(m, s)?,
        None => low,
    };
    if above(&now) {
        return Ok(Step::Fail);
    }
    let next = plus_one(&now);
    let last = above(&next);
    let c = m.heap.number(&now)?;
    if !attempt(m, |m| Ok(m.unify(x, c)))? {
        return Ok(Step::Fail);
    }
    if last {
        return Ok(Step::Last);
    }
    Ok(Step::More(m.heap.number(&next)?))
}

fn succ(m: &mut Ctx, a: Args) -> Res {
    let (x, y) = (m.arg(a, 0), m.arg(a, 1));
    if x.is_ref() {
        let n = natural(m, y)?;
        if n == Number::Int(0) {
            return Ok(false);
        }
        let c = m.heap.number(&subtract(&n, &Number::Int(1)))?;
        return Ok(m.unify(x, c));
    }
    let n = natural(m, x)?;
    if !y.is_ref() {
        natural(m, y)?;
    }
    let c = m.heap.number(&plus_one(&n))?;
    Ok(m.unify(y, c))
}

fn natural(m: &mut Ctx, c: Cell) -> Result<Number, Throw> {
    let n = integer(m, c)?;
    if is_negative(&n) {
        return Err(m.domain_error("not_less_than_zero", c));
    }
    Ok(n)
}

/// `'$integer_root'(+N, +Integer, -Root)`: N is positive, Integer not negative, Root rounded down.
fn integer_root(m: &mut Ctx, a: Args) -> Res {
    let (n, value) = (m.arg(a, 0), m.arg(a, 1));
    let (n, value) = (integer(m, n)?, integer(m, value)?);
    let root = match samite_arith::integer_root(&n, &value) {
        Ok(root) => m.heap.number(&root)?,
        Err(ArithError::Interrupted) => return Err(m.given_up()),
        Err(_) => return Err(m.resource_error("memory")),
    };
    Ok(m.unify_arg(a, 2, root))
}

fn plus(m: &mut Ctx, a: Args) -> Res {
    let (x, y, z) = (m.arg(a, 0), m.arg(a, 1), m.arg(a, 2));
    if x.is_small() && y.is_small() && z.is_ref() {
        // (Small integers have some bits less than these.)
        return m.unify_int(a, 2, x.small_value() + y.small_value());
    }
    for c in [x, y, z] {
        if !c.is_ref() {
            integer(m, c)?;
        }
    }
    let (result, at) = if z.is_ref() {
        (add(&integer(m, x)?, &integer(m, y)?), 2)
    } else if y.is_ref() {
        let (x, z) = (integer(m, x)?, integer(m, z)?);
        (subtract(&z, &x), 1)
    } else if x.is_ref() {
        let (y, z) = (integer(m, y)?, integer(m, z)?);
        (subtract(&z, &y), 0)
    } else {
        (add(&integer(m, x)?, &integer(m, y)?), 2)
    };
    let c = m.heap.number(&result)?;
    Ok(m.unify_arg(a, at, c))
}
