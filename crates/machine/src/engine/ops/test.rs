//! Handlers of type tests and comparisons of terms. Safety: see [`super`].

use super::unify::Unified;
use super::{cell, next, otherwise, x};
use crate::engine::worker::{At, Pc, Worker};
use samite_code::instr::{self, Op};
use samite_term::view::deref;
use samite_term::{Cell, Functor, Kind, Tag, atoms};

/// The type test `OP`.
pub(crate) unsafe fn type_test<const OP: u8>(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let c = deref(x(m, instr::a(w)));
        if holds(instr::op(OP as u64), c) {
            next(m, pc.add(1), h, k, e)
        } else {
            otherwise(m, (pc, w), h, k, e)
        }
    }
}

/// A constant in the head of a rule that does not bind its arguments.
pub(crate) unsafe fn match_const(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        if deref(x(m, instr::a(w))) == Cell(*pc.add(1)) {
            next(m, pc.add(2), h, k, e)
        } else {
            otherwise(m, (pc, w), h, k, e)
        }
    }
}

/// A structure in one.
pub(crate) unsafe fn match_struct(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let c = deref(x(m, instr::a(w)));
        if c.tag() == Tag::Str && (*c.ptr()).0 == *pc.add(1) {
            m.s = c.ptr().add(1);
            next(m, pc.add(2), h, k, e)
        } else {
            otherwise(m, (pc, w), h, k, e)
        }
    }
}

/// A list cell in one.
pub(crate) unsafe fn match_list(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let c = deref(x(m, instr::a(w)));
        if c.tag() == Tag::Lst {
            m.s = c.ptr();
            next(m, pc.add(1), h, k, e)
        } else {
            otherwise(m, (pc, w), h, k, e)
        }
    }
}

/// A list cell of two new variables in one.
pub(crate) unsafe fn match_list_vars(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let c = deref(x(m, instr::a(w)));
        if c.tag() == Tag::Lst {
            let p = c.ptr();
            *cell(m, instr::b(w)) = *p;
            *cell(m, instr::c(w)) = *p.add(1);
            next(m, pc.add(2), h, k, e)
        } else {
            otherwise(m, (pc, *pc.add(1)), h, k, e)
        }
    }
}

/// `==` or `\==`.
pub(crate) unsafe fn identical<const EQUAL: bool>(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let (a, b) = (x(m, instr::a(w)), x(m, instr::b(w)));
        if m.identical(a, b) == EQUAL {
            next(m, pc.add(2), h, k, e)
        } else {
            otherwise(m, (pc, *pc.add(1)), h, k, e)
        }
    }
}

/// `\=`.
pub(crate) unsafe fn not_unifiable(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let (a, b) = (x(m, instr::a(w)), x(m, instr::b(w)));
        match m.unifiable_or_awaited(a, b) {
            Unified::Yes => otherwise(m, (pc, *pc.add(1)), h, k, e),
            Unified::No => next(m, pc.add(2), h, k, e),
            Unified::Awaited => not_unifiable_slowly(m, pc, h, k, e),
        }
    }
}

/// Whether two terms unify depends on goals: they are called, and decide when the machine comes back here.
#[cold]
#[inline(never)]
unsafe fn not_unifiable_slowly(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module; each such instruction is a place.
    unsafe {
        match m.decided.take() {
            Some(true) => next(m, pc.add(2), h, k, e),
            Some(false) => otherwise(m, (pc, *pc.add(1)), h, k, e),
            None => {
                let w = *pc;
                let (a, b) = (x(m, instr::a(w)), x(m, instr::b(w)));
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
            (c.is_atom() && c != Cell::NIL)
                || c.tag() == Tag::Lst
                // SAFETY: a structure starts with its functor.
                || (c.tag() == Tag::Str && Functor::from_cell(unsafe { *c.ptr() }).name() != atoms::DICT)
        }
        Op::TestString => c.tag() == Tag::Box && box_kind() == Kind::String,
        _ => unreachable!("not a type test"),
    }
}
