//! Handlers of arithmetic: small integers here, everything else in [`crate::engine::arithmetic`]. Safety: see [`super`].

use super::{cell, next, otherwise, x};
use crate::engine::arithmetic::Failure;
use crate::engine::worker::{At, Pc, Worker};
use crate::error::Throw;
use samite_code::instr::{self, Op};
use samite_term::Cell;
use samite_term::view::deref;

pub(crate) unsafe fn add_imm(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let c = deref(x(m, instr::b(w)));
        let v = i64::from(instr::c(w) as u16 as i16);
        if c.is_small()
            && let Some(r) = Cell::try_small(c.small_value() + v)
        {
            *cell(m, instr::a(w)) = r;
            next(m, pc.add(1), h, k, e)
        } else {
            add_imm_slowly(m, pc, h, k, e)
        }
    }
}

#[cold]
#[inline(never)]
unsafe fn add_imm_slowly(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    unsafe {
        if m.attempt(move |m| {
            let v = i64::from(instr::c(*pc) as u16 as i16);
            let r = m.arithmetic(Op::Add, deref(x(m, instr::b(*pc))), Cell::small(v));
            store(m, r, pc)
        }) {
            let h = m.heap.h();
            next(m, pc.add(1), h, k, e)
        }
    }
}

/// The binary operation `OP`.
pub(crate) unsafe fn binary<const OP: u8>(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let (a, b) = (deref(x(m, instr::b(w))), deref(x(m, instr::c(w))));
        if a.is_small()
            && b.is_small()
            && let Some(r) = small(instr::op(OP as u64), a.small_value(), b.small_value())
        {
            *cell(m, instr::a(w)) = r;
            next(m, pc.add(1), h, k, e)
        } else {
            binary_slowly(m, pc, h, k, e)
        }
    }
}

#[cold]
#[inline(never)]
unsafe fn binary_slowly(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    unsafe {
        if m.attempt(move |m| {
            let w = *pc;
            let (a, b) = (deref(x(m, instr::b(w))), deref(x(m, instr::c(w))));
            let r = m.arithmetic(instr::op(w), a, b);
            store(m, r, pc)
        }) {
            let h = m.heap.h();
            next(m, pc.add(1), h, k, e)
        }
    }
}

/// The comparison `OP` of two values.
pub(crate) unsafe fn compare<const OP: u8>(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let (a, b) = (deref(x(m, instr::a(w))), deref(x(m, instr::b(w))));
        if !(a.is_small() && b.is_small()) {
            return compare_slowly(m, pc, h, k, e);
        }
        // The tag is the same, so the order of the cells is that of the values.
        let (a, b) = (a.0 as i64, b.0 as i64);
        let holds = match instr::op(OP as u64) {
            Op::CmpEq => a == b,
            Op::CmpNe => a != b,
            Op::CmpLt => a < b,
            Op::CmpLe => a <= b,
            Op::CmpGt => a > b,
            Op::CmpGe => a >= b,
            _ => unreachable!("not a comparison"),
        };
        if holds {
            next(m, pc.add(2), h, k, e)
        } else {
            otherwise(m, (pc, *pc.add(1)), h, k, e)
        }
    }
}

#[cold]
#[inline(never)]
unsafe fn compare_slowly(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let (a, b) = (deref(x(m, instr::a(w))), deref(x(m, instr::b(w))));
        match m.compare_values(instr::op(w), a, b) {
            Ok(holds) => {
                let h = m.heap.h();
                if holds {
                    next(m, pc.add(2), h, k, e)
                } else {
                    otherwise(m, (pc, *pc.add(1)), h, k, e)
                }
            }
            Err(f) => {
                let t = m.blame(f, pc);
                m.leave_with(t);
            }
        }
    }
}

pub(crate) unsafe fn evaluate(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let r = cell(m, instr::a(*pc));
        let c = deref(*r);
        if c.is_small() {
            *r = c;
            return next(m, pc.add(1), h, k, e);
        }
        m.save(h, k);
        if m.attempt(move |m| {
            let r = cell(m, instr::a(*pc));
            *r = m.evaluate_cell(*r)?;
            Ok(())
        }) {
            let h = m.heap.h();
            next(m, pc.add(1), h, k, e)
        }
    }
}

pub(crate) unsafe fn neg(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    unsafe {
        if m.attempt(move |m| {
            let r = m.negate(x(m, instr::b(*pc)));
            store(m, r, pc)
        }) {
            let h = m.heap.h();
            next(m, pc.add(1), h, k, e)
        }
    }
}

pub(crate) unsafe fn function1(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    unsafe {
        if m.attempt(move |m| {
            let r = m.function1(*pc.add(1) as u16, x(m, instr::b(*pc)));
            store(m, r, pc)
        }) {
            let h = m.heap.h();
            next(m, pc.add(2), h, k, e)
        }
    }
}

pub(crate) unsafe fn function2(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    unsafe {
        if m.attempt(move |m| {
            let w = *pc;
            let (a, b) = (x(m, instr::b(w)), x(m, instr::c(w)));
            let r = m.function2(*pc.add(1) as u16, a, b);
            store(m, r, pc)
        }) {
            let h = m.heap.h();
            next(m, pc.add(2), h, k, e)
        }
    }
}

/// Puts the result of the operation at `pc` where it belongs.
unsafe fn store(m: &mut Worker, result: Result<Cell, Failure>, pc: Pc) -> Result<(), Throw> {
    // SAFETY: see the parent module.
    unsafe {
        match result {
            Ok(c) => {
                *cell(m, instr::a(*pc)) = c;
                Ok(())
            }
            Err(f) => Err(m.blame(f, pc)),
        }
    }
}

/// The result of an operation on small integers, if it is one.
#[inline(always)]
fn small(op: Op, a: i64, b: i64) -> Option<Cell> {
    match op {
        Op::Add => Cell::try_small(a + b),
        Op::Sub => Cell::try_small(a - b),
        Op::Mul => a.checked_mul(b).and_then(Cell::try_small),
        Op::IntDiv if b != 0 => Cell::try_small(a / b),
        Op::Mod if b != 0 => {
            let r = a % b;
            Some(Cell::small(if r != 0 && (r < 0) != (b < 0) {
                r + b
            } else {
                r
            }))
        }
        Op::Rem if b != 0 => Some(Cell::small(a % b)),
        Op::BitAnd => Some(Cell::small(a & b)),
        Op::BitOr => Some(Cell::small(a | b)),
        Op::Shl if (0..60).contains(&b) => {
            let r = a << b;
            if r >> b == a {
                Cell::try_small(r)
            } else {
                None
            }
        }
        Op::Shr if b >= 0 => Some(Cell::small(a >> b.min(63))),
        Op::Min => Some(Cell::small(a.min(b))),
        Op::Max => Some(Cell::small(a.max(b))),
        _ => None,
    }
}
