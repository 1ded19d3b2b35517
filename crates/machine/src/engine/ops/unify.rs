//! Handlers of heads and unification. `S`, the arguments of the structure that is being read, lives in the machine.
//! Safety: see [`super`].

use super::{cell, fail, go_on_alone, next, slot, x};
use crate::engine::worker::{At, How, Pc, Worker};
use crate::error::Throw;
use samite_code::instr;
use samite_heap::Hindrance;
use samite_heap::unify::{in_order, unify};
use samite_term::view::deref;
use samite_term::{Cell, Tag};

pub(crate) unsafe fn get_const(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let unified = m.unify_constant(x(m, instr::a(*pc)), Cell(*pc.add(1)));
        go_on(m, (pc, pc.add(2), unified), h, k, e)
    }
}

pub(crate) unsafe fn get_struct(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let r = cell(m, instr::a(*pc));
        let c = deref(*r);
        if c.tag() == Tag::Str && (*c.ptr()).0 == *pc.add(1) {
            m.s = c.ptr().add(1);
            next(m, pc.add(2), h, k, e)
        } else if c.is_ref() {
            *r = c;
            next(m, pc.offset(instr::label(*pc)), h, k, e)
        } else {
            fail(m, pc, h, k, e)
        }
    }
}

pub(crate) unsafe fn get_list(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let r = cell(m, instr::a(*pc));
        let c = deref(*r);
        if c.tag() == Tag::Lst {
            m.s = c.ptr();
            next(m, pc.add(1), h, k, e)
        } else if c.is_ref() {
            *r = c;
            next(m, pc.offset(instr::label(*pc)), h, k, e)
        } else {
            fail(m, pc, h, k, e)
        }
    }
}

pub(crate) unsafe fn get_list_vars(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let c = deref(x(m, instr::a(w)));
        if c.tag() == Tag::Lst {
            let p = c.ptr();
            *cell(m, instr::b(w)) = *p;
            *cell(m, instr::c(w)) = *p.add(1);
            next(m, pc.add(1), h, k, e)
        } else if c.is_ref() {
            if !m.heap.bind_at_once(c.ptr(), Cell::to(Tag::Lst, h)) {
                return bind_slowly(m, pc, h, k, e, c.ptr());
            }
            let (head, tail) = (Cell::to(Tag::Ref, h), Cell::to(Tag::Ref, h.add(1)));
            *h = head;
            *h.add(1) = tail;
            // (The word is read again: it costs less than to keep it.)
            *cell(m, instr::b(*pc)) = head;
            *cell(m, instr::c(*pc)) = tail;
            next(m, pc.add(1), h.add(2), k, e)
        } else {
            fail(m, pc, h, k, e)
        }
    }
}

pub(crate) unsafe fn get_list_value_var(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let c = deref(x(m, instr::a(*pc)));
        if c.is_ref() {
            if !m.heap.bind_at_once(c.ptr(), Cell::to(Tag::Lst, h)) {
                return bind_slowly(m, pc, h, k, e, c.ptr());
            }
            let tail = Cell::to(Tag::Ref, h.add(1));
            *h = x(m, instr::b(*pc));
            *h.add(1) = tail;
            *cell(m, instr::c(*pc)) = tail;
            next(m, pc.add(1), h.add(2), k, e)
        } else if c.tag() == Tag::Lst {
            m.pair.0 = c;
            read_list_value_var(m, pc, h, k, e)
        } else {
            fail(m, pc, h, k, e)
        }
    }
}

/// [`get_list_value_var`] of a list, which is left in the machine.
#[inline(never)]
unsafe fn read_list_value_var(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let list = m.pair.0.ptr();
        let unified = m.unify_quick(*list, x(m, instr::b(*pc)));
        if let Quick::Slowly(variable) = unified {
            // With the registers as they are.
            return bind_slowly(m, pc, h, k, e, variable);
        }
        *cell(m, instr::c(*pc)) = *list.add(1);
        go_on(m, (pc, pc.add(1), unified), h, k, e)
    }
}

pub(crate) unsafe fn get_value(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let unified = m.unify_quick(x(m, instr::a(*pc)), x(m, instr::b(*pc)));
        go_on(m, (pc, pc.add(1), unified), h, k, e)
    }
}

pub(crate) unsafe fn get_value_y(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let unified = m.unify_quick(x(m, instr::a(*pc)), slot(e, instr::b(*pc)));
        go_on(m, (pc, pc.add(1), unified), h, k, e)
    }
}

pub(crate) unsafe fn unify_var(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        *cell(m, instr::a(w)) = *m.s.add(instr::b(w));
        next(m, pc.add(1), h, k, e)
    }
}

pub(crate) unsafe fn unify_value(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let unified = m.unify_quick(*m.s.add(instr::b(w)), x(m, instr::a(w)));
        go_on(m, (pc, pc.add(1), unified), h, k, e)
    }
}

pub(crate) unsafe fn unify_value_y(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let unified = m.unify_quick(*m.s.add(instr::b(w)), slot(e, instr::a(w)));
        go_on(m, (pc, pc.add(1), unified), h, k, e)
    }
}

pub(crate) unsafe fn unify_const(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let unified = m.unify_constant(*m.s.add(instr::b(*pc)), Cell(*pc.add(1)));
        go_on(m, (pc, pc.add(2), unified), h, k, e)
    }
}

pub(crate) unsafe fn bind_struct(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let variable = cell(m, instr::a(*pc)).ptr();
        if !m.heap.bind_at_once(variable, Cell::to(Tag::Str, h)) {
            return bind_slowly(m, pc, h, k, e, variable);
        }
        *h = Cell(*pc.add(1));
        next(m, pc.add(2), h.add(1), k, e)
    }
}

pub(crate) unsafe fn bind_list(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let variable = cell(m, instr::a(*pc)).ptr();
        if !m.heap.bind_at_once(variable, Cell::to(Tag::Lst, h)) {
            return bind_slowly(m, pc, h, k, e, variable);
        }
        next(m, pc.add(1), h, k, e)
    }
}

/// What a unification came to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unified {
    No,
    Yes,
    /// It would bind a variable that goals wait for.
    Awaited,
}

/// What a unification that begins came to.
#[derive(Clone, Copy)]
enum Quick {
    No,
    Yes,
    /// This variable cannot be bound at once.
    Slowly(At),
    /// Both are variables.
    Variables(Cell, Cell),
    /// Both are compounds or boxes.
    Pair(Cell, Cell),
}

/// Goes on at `to` after a unification, if that succeeded.
#[inline(always)]
unsafe fn go_on(m: &mut Worker, (pc, to, quick): (Pc, Pc, Quick), h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        match quick {
            Quick::Yes => next(m, to, h, k, e),
            Quick::No => fail(m, pc, h, k, e),
            Quick::Slowly(variable) => bind_slowly(m, pc, h, k, e, variable),
            Quick::Variables(a, b) => {
                m.pair = (a, b);
                unify_variables(m, to, h, k, e)
            }
            Quick::Pair(a, b) => {
                m.pair = (a, b);
                unify_pair(m, to, h, k, e)
            }
        }
    }
}

/// The instruction at `pc` cannot bind `variable` at once: sees to it, and runs it again. It has done nothing yet.
#[cold]
#[inline(never)]
unsafe fn bind_slowly(m: &mut Worker, pc: Pc, h: At, k: At, e: At, variable: At) {
    // SAFETY: see the parent module.
    unsafe {
        match m.heap.hindrance(variable) {
            Hindrance::Full => next(m, pc, h, k, e),
            Hindrance::Awaited => go_on_alone(m, (pc, How::Again), h, k, e),
            Hindrance::Starved => {
                m.save(h, k);
                m.leave_with(Throw::Memory);
            }
        }
    }
}

/// So many registers, the first ones, follow a variable that is bound to another one.
const FOLLOWED: usize = 4;

/// Who goes on with a variable that has been bound to another one goes on with that: of a list whose elements become one, each with the next, none is at the end of a
/// chain of all.
fn follow(m: &mut Worker, variable: Cell, value: Cell) {
    for i in 0..FOLLOWED {
        if m.register(i) == variable {
            m.set_register(i, value);
        }
    }
}

/// Unifies two variables that a handler has left in the machine, then goes on at `pc`.
#[inline(never)]
unsafe fn unify_variables(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let (variable, value) = in_order(&m.heap, m.pair.0, m.pair.1);
        if m.heap.bind_at_once(variable, value) {
            follow(m, Cell::to(Tag::Ref, variable), value);
            next(m, pc, h, k, e)
        } else {
            unify_awaited(m, pc, h, k, e)
        }
    }
}

/// The same of those of which goals wait for one, or where the trail is full.
#[cold]
#[inline(never)]
unsafe fn unify_awaited(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let (a, b) = m.pair;
        if !unify(&mut m.heap, a, b) {
            return fail(m, pc, h, k, e);
        }
        for variable in [a, b] {
            follow(m, variable, deref(variable));
        }
        if m.heap.has_woken() {
            go_on_alone(m, (pc, How::Alone), h, k, e)
        } else {
            next(m, pc, h, k, e)
        }
    }
}

/// Unifies what a handler has left in the machine, then goes on at `pc`: apart, so that the handlers call nothing that comes back.
#[inline(never)]
unsafe fn unify_pair(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let (a, b) = m.pair;
        if !unify(&mut m.heap, a, b) {
            return fail(m, pc, h, k, e);
        }
        if m.heap.has_woken() {
            go_on_alone(m, (pc, How::Alone), h, k, e)
        } else {
            next(m, pc, h, k, e)
        }
    }
}

impl Worker {
    /// Binds a variable, if that can be done at once.
    ///
    /// # Safety
    /// As [`samite_heap::Heap::bind`].
    #[inline(always)]
    unsafe fn bind_quick(&mut self, variable: At, value: Cell) -> Quick {
        // SAFETY: promised by the caller.
        match unsafe { self.heap.bind_at_once(variable, value) } {
            true => Quick::Yes,
            false => Quick::Slowly(variable),
        }
    }
    /// Unifies a term and a constant where that takes a look and at most a binding, and says whether it has: if not, nothing is done.
    ///
    /// # Safety
    /// `t` is a term of this heap.
    #[inline(always)]
    pub(super) unsafe fn is_constant_at_once(&mut self, t: Cell, constant: Cell) -> bool {
        // SAFETY: promised by the caller.
        unsafe { matches!(self.unify_constant(t, constant), Quick::Yes) }
    }
    /// The same with two terms.
    ///
    /// # Safety
    /// Both are terms of this heap.
    #[inline(always)]
    pub(super) unsafe fn unifies_at_once(&mut self, a: Cell, b: Cell) -> bool {
        // SAFETY: promised by the caller.
        unsafe { matches!(self.unify_quick(a, b), Quick::Yes) }
    }
    /// Unification with a constant.
    ///
    /// # Safety
    /// `t` is a term of this heap.
    #[inline(always)]
    unsafe fn unify_constant(&mut self, t: Cell, constant: Cell) -> Quick {
        // SAFETY: promised by the caller.
        unsafe {
            let t = deref(t);
            if t.is_ref() {
                self.bind_quick(t.ptr(), constant)
            } else if t == constant {
                Quick::Yes
            } else {
                Quick::No
            }
        }
    }
    /// Unification with the frequent cases first.
    ///
    /// # Safety
    /// Both are terms of this heap.
    #[inline(always)]
    unsafe fn unify_quick(&mut self, a: Cell, b: Cell) -> Quick {
        // SAFETY: promised by the caller.
        unsafe {
            let (a, b) = (deref(a), deref(b));
            if a == b {
                return Quick::Yes;
            }
            match (a.is_ref(), b.is_ref()) {
                (true, false) => self.bind_quick(a.ptr(), b),
                (false, true) => self.bind_quick(b.ptr(), a),
                (true, true) => Quick::Variables(a, b),
                (false, false) if a.tag() as u8 != b.tag() as u8 || a.is_immediate() => Quick::No,
                (false, false) => Quick::Pair(a, b),
            }
        }
    }
}
