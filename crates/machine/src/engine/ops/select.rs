//! Handlers of clause selection: chains of clauses, first-argument switches, dynamic and undefined predicates.
//! Safety: see [`super`].

use super::control::grow;
use super::{cell, counted, fail, next, predicate, x};
use crate::engine::worker::{At, Pc, Worker};
use crate::error::Throw;
use crate::state::choice::{Choice, Saved};
use crate::state::internal::Looked;
use samite_code::index::{self, Keyed, Masks, Switch, code_in_chain, masks_of};
use samite_code::predicate::{ANY_KEY, flag, key_of};
use samite_code::view::Call;
use samite_code::{Predicate, instr};
use samite_term::view::deref;
use samite_term::{Cell, Kind, Tag};

pub(crate) unsafe fn try_(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module; the choicepoint has `n` arguments.
    unsafe {
        let n = instr::a(*pc);
        let saved = Saved {
            alternative: pc.add(2),
            top: h,
            trail: m.heap.trail().top(),
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
        m.heap.set_hb(h);
        next(m, *pc.add(1) as Pc, h, k, e)
    }
}

const _: () = assert!(instr::MAX_PREDICATE_ARITY < instr::REGISTERS);

/// Restores the arguments from the newest choicepoint: two at a time, so maybe one more, which nobody reads: at a predicate's entry there are
/// no more than its arguments.
#[inline(always)]
unsafe fn restore(m: &mut Worker, n: usize) {
    let c = m.b;
    let mut i = 0;
    while i < n {
        // SAFETY: see the parent module; behind the choicepoint there is a word more, and there are more registers than arguments.
        unsafe { *m.x.as_mut_ptr().add(i).cast::<[Cell; 2]>() = *c.arg(i).cast::<[Cell; 2]>() };
        i = counted(i + 2);
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

pub(crate) unsafe fn select(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let b = instr::b(*pc);
        // Mostly they are what the call wants to know.
        if b != usize::from(instr::ANY)
            && deref(x(m, b)).tag() == Tag::Ref
            && deref(x(m, instr::c(*pc))).tag() == Tag::Ref
        {
            next(m, pc.add(3), h, k, e)
        } else {
            select_by(m, pc, h, k, e)
        }
    }
}

/// The clauses of the chain behind `pc` that the call may match, a bit each, or all.
#[inline(never)]
unsafe fn selected(m: &Worker, pc: Pc) -> Option<(u64, &Masks)> {
    // SAFETY: see the parent module: the arguments are terms of this heap.
    unsafe {
        let n = instr::a(*pc);
        let argument = |i| deref(x(m, i));
        let is_wanted = || Call::new(n, &argument).has_keys_behind_first();
        let masks = masks_of(pc, is_wanted)?;
        let left = masks.matching(argument);
        (left != masks.all()).then_some((left, masks))
    }
}

/// [`select`] where there is something to look at.
#[inline(never)]
unsafe fn select_by(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module; the choicepoint has `n` arguments and two more; a `SelectNext` follows, and the chain.
    unsafe {
        let Some((left, masks)) = selected(m, pc) else {
            return next(m, pc.add(3), h, k, e);
        };
        if left == 0 {
            if *pc & instr::RULES != 0 {
                // Each of them says so.
                return next(m, pc.add(3), h, k, e);
            }
            return fail(m, pc, h, k, e);
        }
        let code = masks.code(left.trailing_zeros() as usize);
        let left = left & (left - 1);
        if left != 0 {
            let n = instr::a(*pc);
            let Some(c) = keep_call::<2>(m, pc, h, k) else {
                return grow(m, pc, h, k, e);
            };
            keep_left(c, n, left);
        }
        next(m, code, h, k, e)
    }
}

/// Pushes the choicepoint of a call for which more than one clause of the chain behind `pc` is left: its arguments, and `MORE` cells behind them, in which
/// the caller says which. None: it has to be made room for.
///
/// # Safety
/// See the parent module; the instruction has two words, and one follows that goes on with what is left.
#[inline(always)]
unsafe fn keep_call<const MORE: usize>(m: &mut Worker, pc: Pc, h: At, k: At) -> Option<Choice> {
    // SAFETY: the caller's promise; the choicepoint has `n` arguments and `MORE` more.
    unsafe {
        let n = instr::a(*pc);
        let saved = Saved {
            alternative: pc.add(2),
            top: h,
            trail: m.heap.trail().top(),
            frame: k,
            barrier: m.b0,
        };
        let c = m.choices.push(m.b, n + MORE, saved)?;
        for i in 0..n {
            *c.arg(i) = x(m, i);
        }
        m.b = c;
        m.heap.set_hb(h);
        Some(c)
    }
}

/// Keeps in a choicepoint which clauses are left: half a word in each of two raw cells, behind its `n` arguments.
///
/// # Safety
/// It has room for them.
unsafe fn keep_left(c: Choice, n: usize, left: u64) {
    // SAFETY: the caller's promise.
    unsafe {
        *c.arg(n) = Cell::header(Kind::Raw, left & u64::from(u32::MAX));
        *c.arg(n + 1) = Cell::header(Kind::Raw, left >> u32::BITS);
    }
}

pub(crate) unsafe fn select_next(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module; this is behind a `Select` that has pushed the choicepoint.
    unsafe {
        let n = instr::a(*pc);
        restore(m, n);
        let c = m.b;
        let left = c.arg_value(n).payload() | c.arg_value(n + 1).payload() << u32::BITS;
        let masks = masks_of(pc.sub(2), || true).unwrap_unchecked();
        let code = masks.code(left.trailing_zeros() as usize);
        match left & (left - 1) {
            0 => m.set_b(c.previous()),
            left => keep_left(c, n, left),
        }
        next(m, code, h, k, e)
    }
}

pub(crate) unsafe fn keyed(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module; the operand lives as long as the instruction, and is of the chain that follows; the choicepoint has `n` arguments and one more.
    unsafe {
        let keyed: &Keyed = &*(*pc.add(1) as *const Keyed);
        let chain = pc.add(3);
        let key = key_of(deref(x(m, 0)));
        if key == ANY_KEY {
            return next(m, chain, h, k, e);
        }
        let Some(first) = keyed.from(0, key) else {
            // (Where it is to be said that there is no rule each clause says so.)
            return match *pc & instr::RULES {
                0 => fail(m, pc, h, k, e),
                _ => next(m, chain, h, k, e),
            };
        };
        if let Some(second) = keyed.from(first + 1, key) {
            let n = instr::a(*pc);
            let Some(c) = keep_call::<1>(m, pc, h, k) else {
                return grow(m, pc, h, k, e);
            };
            *c.arg(n) = Cell::header(Kind::Raw, second as u64);
        }
        next(m, code_in_chain(chain, first), h, k, e)
    }
}

pub(crate) unsafe fn keyed_next(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module; this is behind a `Keyed` that has pushed the choicepoint, for a call with a key.
    unsafe {
        let n = instr::a(*pc);
        restore(m, n);
        let c = m.b;
        let at = c.arg_value(n).payload() as usize;
        let keyed: &Keyed = &*(*pc.sub(1) as *const Keyed);
        match keyed.from(at + 1, key_of(deref(x(m, 0)))) {
            None => m.set_b(c.previous()),
            Some(next) => *c.arg(n) = Cell::header(Kind::Raw, next as u64),
        }
        next(m, code_in_chain(pc.add(1), at), h, k, e)
    }
}

pub(crate) unsafe fn pick(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module; the chain follows.
    unsafe {
        let to = m.pick(predicate(pc), instr::a(*pc) != 0, pc.add(2));
        if !to.is_null() {
            let (h, k) = (m.heap.h(), m.k);
            next(m, to, h, k, e)
        }
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
        // One after the other: a jump by the tag would be one more that the processor has to foresee.
        let key = if c.tag() == Tag::Lst {
            return next(m, switch.list, h, k, e);
        } else if c.is_immediate() {
            c.0
        } else if c.tag() == Tag::Str {
            (*c.ptr()).0
        } else if c.tag() == Tag::Ref {
            return next(m, switch.variable, h, k, e);
        } else {
            // What comes after it must not cost a register here.
            return switch_on_box(m, pc, h, k, e);
        };
        match switch.at_once(key) {
            Some(code) => next(m, code, h, k, e),
            None => switch_further(m, pc, h, k, e),
        }
    }
}

/// [`switch`] where the key of the first argument is not at its place.
#[inline(never)]
unsafe fn switch_further(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module and `switch`, which has dereferenced the argument.
    unsafe {
        let switch: &Switch = &*(*pc.add(1) as *const Switch);
        let c = x(m, 0);
        let key = if c.tag() == Tag::Str {
            (*c.ptr()).0
        } else {
            c.0
        };
        next(m, switch.get(key), h, k, e)
    }
}

/// [`switch`] where the first argument is boxed, or cannot be told from others.
#[cold]
unsafe fn switch_on_box(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module and `switch`, which has dereferenced the argument.
    unsafe {
        let switch: &Switch = &*(*pc.add(1) as *const Switch);
        let to = match key_of(x(m, 0)) {
            ANY_KEY => switch.variable,
            key => switch.get(key),
        };
        next(m, to, h, k, e)
    }
}

pub(crate) unsafe fn link(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe { next(m, index::code_to_call(predicate(pc)), h, k, e) }
}

pub(crate) unsafe fn dynamic(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    let to = dynamic_entry(m, unsafe { predicate(pc) });
    if to == NO_CLAUSE {
        // SAFETY: as above.
        unsafe { fail(m, pc, h, k, e) }
    } else if !to.is_null() {
        let (h, k) = (m.heap.h(), m.k);
        // SAFETY: as above.
        unsafe { next(m, to, h, k, e) }
    }
}

/// Where there is no clause, in place of its code.
const NO_CLAUSE: *const u64 = std::ptr::dangling();

/// The code of the first clause of a dynamic predicate; null if the loop is left. Apart, so that no handler has a result on its stack, for which it
/// would call the next one instead of jumping there.
#[inline(never)]
fn dynamic_entry(m: &mut Worker, p: &'static Predicate) -> *const u64 {
    let looked_at = match p.has(flag::DET | flag::INCREMENTAL) {
        true => looked_at(m, p),
        false => Ok(()),
    };
    match looked_at.and_then(|()| m.enter_dynamic(p)) {
        Ok(to) => to.unwrap_or(NO_CLAUSE),
        Err(t) => {
            m.leave_with(t);
            std::ptr::null()
        }
    }
}

/// What a call of a predicate that is declared to be more than dynamic is told to.
#[cold]
fn looked_at(m: &mut Worker, p: &'static Predicate) -> Result<(), Throw> {
    if p.has(flag::INCREMENTAL) {
        m.uses_clauses(p)?;
    }
    match p.has(flag::DET) {
        true => m.enter_det(p),
        false => Ok(()),
    }
}

pub(crate) unsafe fn dynamic_next(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    let to = m.next_dynamic(unsafe { instr::a(*pc) });
    if !to.is_null() {
        let (h, k) = (m.heap.h(), m.k);
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

pub(crate) unsafe fn det(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let p = predicate(pc);
        if m.is_looked_at(k) {
            m.name_looked_at(p);
            m.b0 = m.b;
            next(m, pc.add(2), h, k, e)
        } else {
            det_anew(m, pc, h, k, e)
        }
    }
}

/// [`det`] of a call that nobody looks at so far.
#[inline(never)]
unsafe fn det_anew(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    unsafe {
        let p = predicate(pc);
        if m.attempt(move |m| m.look_at(Looked::Property, p)) {
            m.b0 = m.b;
            let (h, k) = (m.heap.h(), m.k);
            next(m, pc.add(2), h, k, e)
        }
    }
}

pub(crate) unsafe fn no_rule(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        if m.b != m.b0 {
            return fail(m, pc, h, k, e);
        }
        m.save(h, k);
        m.say_no_rule(predicate(pc));
    }
}

pub(crate) unsafe fn meta(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    unsafe {
        let p = predicate(pc);
        if m.attempt(move |m| m.qualify_own(p)) {
            let (h, k) = (m.heap.h(), m.k);
            next(m, m.behind_told(p), h, k, e)
        }
    }
}
