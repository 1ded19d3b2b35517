//! Handlers that build terms at `H` and move registers. Safety: see [`super`].

use super::{cell, next, slot, x};
use crate::engine::worker::{At, Pc, Worker};
use samite_code::instr;
use samite_term::{Cell, Record, Tag};

pub(crate) unsafe fn put_struct(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        *cell(m, instr::a(*pc)) = Cell::to(Tag::Str, h);
        *h = Cell(*pc.add(1));
        next(m, pc.add(2), h.add(1), k, e)
    }
}

pub(crate) unsafe fn put_list(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        *cell(m, instr::a(*pc)) = Cell::to(Tag::Lst, h);
        next(m, pc.add(1), h, k, e)
    }
}

pub(crate) unsafe fn push_x(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        *h = x(m, instr::a(*pc));
        next(m, pc.add(1), h.add(1), k, e)
    }
}

pub(crate) unsafe fn push_y(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        *h = slot(e, instr::a(*pc));
        next(m, pc.add(1), h.add(1), k, e)
    }
}

pub(crate) unsafe fn push_const(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        *h = Cell(*pc.add(1));
        next(m, pc.add(2), h.add(1), k, e)
    }
}

/// Pushes a new variable, also into a register: a cell of the structure that is being built, or one of its own.
pub(crate) unsafe fn push_var(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let v = Cell::to(Tag::Ref, h);
        *cell(m, instr::a(*pc)) = v;
        *h = v;
        next(m, pc.add(1), h.add(1), k, e)
    }
}

pub(crate) unsafe fn push_void(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let n = instr::a(*pc);
        for i in 0..n {
            *h.add(i) = Cell::to(Tag::Ref, h.add(i));
        }
        next(m, pc.add(1), h.add(n), k, e)
    }
}

pub(crate) unsafe fn push_pointer(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let target = h.offset(instr::label(w));
        *h = Cell(target as u64 | instr::a(w) as u64);
        next(m, pc.add(1), h.add(1), k, e)
    }
}

pub(crate) unsafe fn put_const(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        *cell(m, instr::a(*pc)) = Cell(*pc.add(1));
        next(m, pc.add(2), h, k, e)
    }
}

pub(crate) unsafe fn put_record(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module; the operand is a record of the clause's code block.
    unsafe {
        if m.attempt(move |m| {
            let r = &*(*pc.add(1) as *const Record);
            *cell(m, instr::a(*pc)) = m.heap.instantiate_on_credit(r)?;
            Ok(())
        }) {
            let h = m.heap.h();
            next(m, pc.add(2), h, k, e)
        }
    }
}

pub(crate) unsafe fn qualify(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module; the operand is an atom.
    unsafe {
        if m.attempt(move |m| {
            let module = Cell(*pc.add(1)).atom_of();
            *cell(m, instr::a(*pc)) = m.with_module(x(m, instr::b(*pc)), module)?;
            Ok(())
        }) {
            let h = m.heap.h();
            next(m, pc.add(2), h, k, e)
        }
    }
}

pub(crate) unsafe fn move_(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        *cell(m, instr::a(w)) = x(m, instr::b(w));
        next(m, pc.add(1), h, k, e)
    }
}

pub(crate) unsafe fn load(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        *cell(m, instr::a(w)) = slot(e, instr::b(w));
        next(m, pc.add(1), h, k, e)
    }
}
