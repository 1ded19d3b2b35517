//! Handlers of clause selection: chains of clauses, first-argument switches, dynamic and undefined predicates.
//! Safety: see [`super`].

use super::control::grow;
use super::{cell, counted, fail, next, predicate, x};
use crate::engine::worker::{At, Pc, Worker};
use crate::state::choice::Saved;
use samite_code::index::{self, Switch};
use samite_code::instr;
use samite_code::predicate::BOX_KEY;
use samite_term::Tag;
use samite_term::view::deref;

pub(crate) unsafe fn try_(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module; the choicepoint has `n` arguments.
    unsafe {
        let n = instr::a(*pc);
        let saved = Saved {
            alternative: pc.add(2),
            top: h,
            trail: m.heap.trail.top(),
            frame: k,
            barrier: m.b0,
        };
        let Some(c) = m.choices.push(m.b, n, saved) else {
            return grow(m, pc, h, k, e);
        };
        let mut i = 0;
        while i < n {
            *c.arg(i) = x(m, i);
            i = counted(i + 1);
        }
        m.b = c;
        m.heap.hb = h;
        next(m, *pc.add(1) as Pc, h, k, e)
    }
}

/// Restores the arguments from the newest choicepoint.
#[inline(always)]
unsafe fn restore(m: &mut Worker, n: usize) {
    let c = m.b;
    let mut i = 0;
    while i < n {
        // SAFETY: see the parent module.
        unsafe { *cell(m, i) = c.arg_value(i) };
        i = counted(i + 1);
    }
    m.b0 = c.barrier();
}

pub(crate) unsafe fn retry(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        restore(m, instr::a(*pc));
        m.b.set_alternative(pc.add(2));
        next(m, *pc.add(1) as Pc, h, k, e)
    }
}

pub(crate) unsafe fn trust(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        restore(m, instr::a(*pc));
        m.set_b(m.b.previous());
        next(m, *pc.add(1) as Pc, h, k, e)
    }
}

pub(crate) unsafe fn clause(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe { next(m, *pc.add(1) as Pc, h, k, e) }
}

pub(crate) unsafe fn switch(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module; the operand is a switch, which lives as long as the instruction; a structure starts with its functor.
    unsafe {
        let switch: &Switch = &*(*pc.add(1) as *const Switch);
        let c = deref(x(m, 0));
        *cell(m, 0) = c;
        let key = match c.tag() {
            Tag::Lst => return next(m, switch.list, h, k, e),
            Tag::Ref => return next(m, switch.variable, h, k, e),
            Tag::Int | Tag::Con => c.0,
            Tag::Str => (*c.ptr()).0,
            _ => BOX_KEY,
        };
        next(m, switch.get(key), h, k, e)
    }
}

pub(crate) unsafe fn link(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe { next(m, index::code_to_call(predicate(pc)), h, k, e) }
}

pub(crate) unsafe fn dynamic(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    unsafe {
        match m.enter_dynamic(predicate(pc)) {
            Ok(Some(to)) => {
                let (h, k) = (m.heap.h, m.k);
                next(m, to, h, k, e)
            }
            Ok(None) => fail(m, pc, h, k, e),
            Err(t) => m.leave_with(t),
        }
    }
}

pub(crate) unsafe fn dynamic_next(m: &mut Worker, _pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    let to = m.next_dynamic();
    if !to.is_null() {
        let (h, k) = (m.heap.h, m.k);
        // SAFETY: see the parent module.
        unsafe { next(m, to, h, k, e) }
    }
}

pub(crate) unsafe fn undefined(m: &mut Worker, pc: Pc, h: At, k: At, _e: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    let go = m.undefined(unsafe { predicate(pc) });
    m.leave(go);
}

pub(crate) unsafe fn meta(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    unsafe {
        let p = predicate(pc);
        if m.attempt(move |m| m.qualify_own(p)) {
            let h = m.heap.h;
            next(m, p.present_entry(), h, k, e)
        }
    }
}
