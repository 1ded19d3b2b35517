//! Handlers of heads and unification. `S`, the arguments of the structure that is being read, lives in the machine.
//! Safety: see [`super`].

use super::{At, Pc, cell, fail, next, slot};
use crate::engine::worker::Worker;
use samite_code::instr;
use samite_heap::unify::{bind_variables, unify};
use samite_term::view::deref;
use samite_term::{Cell, Tag};

pub(crate) unsafe fn get_const(m: &mut Worker, pc: Pc, h: At, k: At, e: At, x: At) {
    // SAFETY: see the parent module.
    unsafe {
        if m.unify_constant(*cell(x, instr::a(*pc)), Cell(*pc.add(1))) {
            next(m, pc.add(2), h, k, e, x)
        } else {
            fail(m, pc, h, k, e, x)
        }
    }
}

pub(crate) unsafe fn get_struct(m: &mut Worker, pc: Pc, h: At, k: At, e: At, x: At) {
    // SAFETY: see the parent module.
    unsafe {
        let r = cell(x, instr::a(*pc));
        let c = deref(*r);
        if c.tag() == Tag::Str && (*c.ptr()).0 == *pc.add(1) {
            m.s = c.ptr().add(1);
            next(m, pc.add(2), h, k, e, x)
        } else if c.is_ref() {
            *r = c;
            next(m, pc.offset(instr::label(*pc)), h, k, e, x)
        } else {
            fail(m, pc, h, k, e, x)
        }
    }
}

pub(crate) unsafe fn get_list(m: &mut Worker, pc: Pc, h: At, k: At, e: At, x: At) {
    // SAFETY: see the parent module.
    unsafe {
        let r = cell(x, instr::a(*pc));
        let c = deref(*r);
        if c.tag() == Tag::Lst {
            m.s = c.ptr();
            next(m, pc.add(1), h, k, e, x)
        } else if c.is_ref() {
            *r = c;
            next(m, pc.offset(instr::label(*pc)), h, k, e, x)
        } else {
            fail(m, pc, h, k, e, x)
        }
    }
}

pub(crate) unsafe fn get_list_vars(m: &mut Worker, pc: Pc, h: At, k: At, e: At, x: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let c = deref(*cell(x, instr::a(w)));
        if c.tag() == Tag::Lst {
            let p = c.ptr();
            *cell(x, instr::b(w)) = *p;
            *cell(x, instr::c(w)) = *p.add(1);
            next(m, pc.add(1), h, k, e, x)
        } else if c.is_ref() {
            m.heap.bind(c.ptr(), Cell::to(Tag::Lst, h));
            let (head, tail) = (Cell::to(Tag::Ref, h), Cell::to(Tag::Ref, h.add(1)));
            *h = head;
            *h.add(1) = tail;
            *cell(x, instr::b(w)) = head;
            *cell(x, instr::c(w)) = tail;
            next(m, pc.add(1), h.add(2), k, e, x)
        } else {
            fail(m, pc, h, k, e, x)
        }
    }
}

pub(crate) unsafe fn get_list_value_var(m: &mut Worker, pc: Pc, h: At, k: At, e: At, x: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let c = deref(*cell(x, instr::a(w)));
        let head = *cell(x, instr::b(w));
        if c.is_ref() {
            m.heap.bind(c.ptr(), Cell::to(Tag::Lst, h));
            let tail = Cell::to(Tag::Ref, h.add(1));
            *h = head;
            *h.add(1) = tail;
            *cell(x, instr::c(w)) = tail;
            next(m, pc.add(1), h.add(2), k, e, x)
        } else if c.tag() == Tag::Lst && m.unify_quick(*c.ptr(), head) {
            *cell(x, instr::c(w)) = *c.ptr().add(1);
            next(m, pc.add(1), h, k, e, x)
        } else {
            fail(m, pc, h, k, e, x)
        }
    }
}

pub(crate) unsafe fn get_value(m: &mut Worker, pc: Pc, h: At, k: At, e: At, x: At) {
    // SAFETY: see the parent module.
    unsafe {
        if m.unify_quick(*cell(x, instr::a(*pc)), *cell(x, instr::b(*pc))) {
            next(m, pc.add(1), h, k, e, x)
        } else {
            fail(m, pc, h, k, e, x)
        }
    }
}

pub(crate) unsafe fn get_value_y(m: &mut Worker, pc: Pc, h: At, k: At, e: At, x: At) {
    // SAFETY: see the parent module.
    unsafe {
        if m.unify_quick(*cell(x, instr::a(*pc)), slot(e, instr::b(*pc))) {
            next(m, pc.add(1), h, k, e, x)
        } else {
            fail(m, pc, h, k, e, x)
        }
    }
}

pub(crate) unsafe fn unify_var(m: &mut Worker, pc: Pc, h: At, k: At, e: At, x: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        *cell(x, instr::a(w)) = *m.s.add(instr::b(w));
        next(m, pc.add(1), h, k, e, x)
    }
}

pub(crate) unsafe fn unify_value(m: &mut Worker, pc: Pc, h: At, k: At, e: At, x: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        if m.unify_quick(*m.s.add(instr::b(w)), *cell(x, instr::a(w))) {
            next(m, pc.add(1), h, k, e, x)
        } else {
            fail(m, pc, h, k, e, x)
        }
    }
}

pub(crate) unsafe fn unify_value_y(m: &mut Worker, pc: Pc, h: At, k: At, e: At, x: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        if m.unify_quick(*m.s.add(instr::b(w)), slot(e, instr::a(w))) {
            next(m, pc.add(1), h, k, e, x)
        } else {
            fail(m, pc, h, k, e, x)
        }
    }
}

pub(crate) unsafe fn unify_const(m: &mut Worker, pc: Pc, h: At, k: At, e: At, x: At) {
    // SAFETY: see the parent module.
    unsafe {
        if m.unify_constant(*m.s.add(instr::b(*pc)), Cell(*pc.add(1))) {
            next(m, pc.add(2), h, k, e, x)
        } else {
            fail(m, pc, h, k, e, x)
        }
    }
}

pub(crate) unsafe fn bind_struct(m: &mut Worker, pc: Pc, h: At, k: At, e: At, x: At) {
    // SAFETY: see the parent module.
    unsafe {
        m.heap
            .bind(cell(x, instr::a(*pc)).ptr(), Cell::to(Tag::Str, h));
        *h = Cell(*pc.add(1));
        next(m, pc.add(2), h.add(1), k, e, x)
    }
}

pub(crate) unsafe fn bind_list(m: &mut Worker, pc: Pc, h: At, k: At, e: At, x: At) {
    // SAFETY: see the parent module.
    unsafe {
        m.heap
            .bind(cell(x, instr::a(*pc)).ptr(), Cell::to(Tag::Lst, h));
        next(m, pc.add(1), h, k, e, x)
    }
}

impl Worker {
    /// Unification with a constant.
    ///
    /// # Safety
    /// `t` is a term of this heap.
    #[inline(always)]
    unsafe fn unify_constant(&mut self, t: Cell, constant: Cell) -> bool {
        // SAFETY: promised by the caller.
        unsafe {
            let t = deref(t);
            if t.is_ref() {
                self.heap.bind(t.ptr(), constant);
                return true;
            }
            t == constant
        }
    }
    /// Unification with the frequent cases first.
    ///
    /// # Safety
    /// Both are terms of this heap.
    #[inline(always)]
    pub(in crate::engine) unsafe fn unify_quick(&mut self, a: Cell, b: Cell) -> bool {
        // SAFETY: promised by the caller.
        unsafe {
            let (a, b) = (deref(a), deref(b));
            if a == b {
                return true;
            }
            match (a.is_ref(), b.is_ref()) {
                (true, false) => self.heap.bind(a.ptr(), b),
                (false, true) => self.heap.bind(b.ptr(), a),
                (true, true) => bind_variables(&mut self.heap, a, b),
                (false, false) => {
                    if a.is_immediate() || a.tag() != b.tag() {
                        return false;
                    }
                    return unify(&mut self.heap, a, b);
                }
            }
            true
        }
    }
}
