//! Handlers of type tests and comparisons of terms. Safety: see [`super`].

use super::unify::Unified;
use super::{cell, next, otherwise};
use crate::engine::worker::{At, Pc, Worker};
use samite_code::instr::{self, Op};
use samite_term::view::deref;
use samite_term::{Cell, Kind, Tag};

/// The type test `OP`.
pub(crate) unsafe fn type_test<const OP: u8>(m: &mut Worker, pc: Pc, h: At, k: At, e: At, x: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let c = deref(*cell(x, instr::a(w)));
        if holds(instr::op(OP as u64), c) {
            next(m, pc.add(1), h, k, e, x)
        } else {
            otherwise(m, (pc, w), h, k, e, x)
        }
    }
}

/// `==` or `\==`.
pub(crate) unsafe fn identical<const EQUAL: bool>(
    m: &mut Worker,
    pc: Pc,
    h: At,
    k: At,
    e: At,
    x: At,
) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let (a, b) = (*cell(x, instr::a(w)), *cell(x, instr::b(w)));
        if m.identical(a, b) == EQUAL {
            next(m, pc.add(2), h, k, e, x)
        } else {
            otherwise(m, (pc, *pc.add(1)), h, k, e, x)
        }
    }
}

/// `\=`.
pub(crate) unsafe fn not_unifiable(m: &mut Worker, pc: Pc, h: At, k: At, e: At, x: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let (a, b) = (*cell(x, instr::a(w)), *cell(x, instr::b(w)));
        match m.unifiable_or_awaited(a, b) {
            Unified::Yes => otherwise(m, (pc, *pc.add(1)), h, k, e, x),
            Unified::No => next(m, pc.add(2), h, k, e, x),
            Unified::Awaited => not_unifiable_slowly(m, pc, h, k, e, x),
        }
    }
}

/// Whether two terms unify depends on goals: they are called, and decide when the machine comes back here.
#[cold]
#[inline(never)]
unsafe fn not_unifiable_slowly(m: &mut Worker, pc: Pc, h: At, k: At, e: At, x: At) {
    // SAFETY: see the parent module; each such instruction is a place.
    unsafe {
        match m.decided.take() {
            Some(true) => next(m, pc.add(2), h, k, e, x),
            Some(false) => otherwise(m, (pc, *pc.add(1)), h, k, e, x),
            None => {
                let w = *pc;
                let (a, b) = (*cell(x, instr::a(w)), *cell(x, instr::b(w)));
                m.save(h, k);
                let go = m.pause(instr::way_back(pc), e);
                let go = go.and_then(|()| m.decide_not_unifiable(a, b));
                m.leave(go);
            }
        }
    }
}

/// Type tests on a dereferenced cell.
#[inline(always)]
pub(crate) fn holds(op: Op, c: Cell) -> bool {
    // SAFETY: a box starts with its header.
    let box_kind = || unsafe { (*c.ptr()).kind() };
    match op {
        Op::TestVar => c.is_ref(),
        Op::TestNonvar => !c.is_ref(),
        // `[]` is a reserved constant, no atom.
        Op::TestAtom => c.is_atom() && c != Cell::NIL,
        Op::TestInteger => c.is_small() || (c.tag() == Tag::Box && box_kind() == Kind::BigInt),
        Op::TestFloat => c.tag() == Tag::Box && box_kind() == Kind::Float,
        Op::TestNumber => c.is_small() || (c.tag() == Tag::Box && box_kind() != Kind::String),
        Op::TestAtomic => matches!(c.tag(), Tag::Int | Tag::Con | Tag::Box),
        Op::TestCompound => matches!(c.tag(), Tag::Str | Tag::Lst),
        Op::TestCallable => {
            (c.is_atom() && c != Cell::NIL) || matches!(c.tag(), Tag::Str | Tag::Lst)
        }
        _ => c.tag() == Tag::Box && box_kind() == Kind::String,
    }
}
