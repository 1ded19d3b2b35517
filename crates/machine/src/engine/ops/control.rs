//! Handlers of control: calls, returns, frames, choicepoints of disjunctions, cuts, builtins. Safety: see [`super`].

use super::{cell, counted, fail, go_on_alone, listed, next, predicate, proceed_to, slot, x};
use crate::engine::called::{Called, call_deterministic};
use crate::engine::going::Go;
use crate::engine::worker::{At, How, Pc, Worker};
use crate::error::Throw;
use crate::state::choice::{Choice, Saved, is_marked_gone};
use crate::state::frame::frame_header;
use samite_code::instr::{self, Op, SLOT};
use samite_code::predicate::flag;
use samite_term::view::deref;
use samite_term::{Cell, Functor, Tag};
use std::sync::atomic::Ordering;

pub(crate) unsafe fn proceed(m: &mut Worker, _pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module; the limit word lives as long as the thread.
    unsafe {
        if h as usize > (*m.limit).load(Ordering::Relaxed) {
            return proceed_slowly(m, _pc, h, k, e);
        }
        proceed_to(m, h, k)
    }
}

#[cold]
#[inline(never)]
unsafe fn proceed_slowly(m: &mut Worker, _pc: Pc, h: At, k: At, _e: At) {
    m.save(h, k);
    let go = m.return_point().map(|()| Go::Proceed);
    m.leave(go);
}

pub(crate) unsafe fn execute(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module; the limit word lives as long as the thread.
    unsafe {
        let p = predicate(pc);
        if h as usize > (*m.limit).load(Ordering::Relaxed) {
            return execute_slowly(m, pc, h, k, e);
        }
        m.inferences += 1;
        m.b0 = m.b;
        next(m, p.entry(), h, k, e)
    }
}

#[cold]
#[inline(never)]
unsafe fn execute_slowly(m: &mut Worker, pc: Pc, h: At, k: At, _e: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    let p = unsafe { predicate(pc) };
    m.leave(Ok(Go::Enter(p)));
}

/// The value of a source number: X register, or slot of E.
#[inline(always)]
unsafe fn source(m: &Worker, r: u16, e: At) -> Cell {
    // SAFETY: see the parent module.
    unsafe {
        if r & SLOT != 0 {
            *e.add(2 + (r & !SLOT) as usize)
        } else {
            x(m, r as usize)
        }
    }
}

/// The same where which of them it is differs from frame to frame: a branch would not be foreseen.
#[inline(always)]
unsafe fn any_source(m: &Worker, r: u16, e: At) -> Cell {
    // SAFETY: see the parent module.
    unsafe {
        // (Two words before the registers, as slots are two words behind the frame's address: one address less to be kept.)
        let x = m.x.as_ptr().wrapping_sub(2);
        let from = std::hint::select_unpredictable(r & SLOT != 0, e.cast_const(), x);
        *from.wrapping_add(2 + (r & !SLOT) as usize)
    }
}

pub(crate) unsafe fn make_frame(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let n = instr::a(w);
        // The frame just returned to can be used again if it is ours alone: newer than the newest choicepoint and not captured
        // since. The compiler allows it where nothing reads the old slots later.
        if w & instr::REUSE != 0
            && e >= m.heap.hb()
            && e < h
            && samite_term::frame::slots_of(*e) == n
            && n <= instr::MAX_REUSE
        {
            return remake_frame(m, pc, h, k, e);
        }
        *h = frame_header(pc.offset(instr::label(w)), n);
        *h.add(1) = Cell::frame_ptr(k);
        let mut i = 0;
        while i < n {
            *h.add(2 + i) = any_source(m, listed(pc, i), e);
            i = counted(i + 1);
        }
        next(m, pc.add(1 + instr::list_words(n)), h.add(2 + n), h, e)
    }
}

#[inline(never)]
unsafe fn remake_frame(m: &mut Worker, pc: Pc, h: At, _k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let n = instr::a(w);
        let resume = pc.offset(instr::label(w));
        if n == 0 {
            *e = frame_header(resume, 0);
        } else if n <= 4 {
            // All sources are read before any slot is written; the list is a whole word, filled up with zeros.
            let a = source(m, listed(pc, 0), e);
            let b = source(m, listed(pc, 1), e);
            let c = source(m, listed(pc, 2), e);
            let d = source(m, listed(pc, 3), e);
            *e = frame_header(resume, n);
            *e.add(2) = a;
            if n > 1 {
                *e.add(3) = b;
            }
            if n > 2 {
                *e.add(4) = c;
            }
            if n > 3 {
                *e.add(5) = d;
            }
        } else {
            let mut values = [Cell::ZERO; instr::MAX_REUSE];
            for (i, v) in values[..n].iter_mut().enumerate() {
                *v = source(m, listed(pc, i), e);
            }
            *e = frame_header(resume, n);
            for (i, v) in values[..n].iter().enumerate() {
                *e.add(2 + i) = *v;
            }
        }
        next(m, pc.add(1 + instr::list_words(n)), h, e, e)
    }
}

pub(crate) unsafe fn jump(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe { next(m, pc.offset(instr::label(*pc)), h, k, e) }
}

pub(crate) unsafe fn try_else(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module; the choicepoint has `n` arguments.
    unsafe {
        let w = *pc;
        let n = instr::a(w);
        let saved = Saved {
            alternative: pc.offset(instr::label(w)),
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
            *c.arg(i) = x(m, listed(pc, i) as usize);
            i = counted(i + 1);
        }
        m.b = c;
        m.heap.set_hb(h);
        next(m, pc.add(1 + instr::list_words(n)), h, k, e)
    }
}

pub(crate) unsafe fn try_rule(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        if m.b == m.b0 {
            try_else(m, pc, h, k, e)
        } else {
            next(m, pc.add(1 + instr::list_words(instr::a(*pc))), h, k, e)
        }
    }
}

pub(crate) unsafe fn end_rule(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        if m.b == m.choices.at(x(m, instr::a(w)))
            && !m.b.is_null()
            && m.b.alternative() == pc.offset(instr::label(w))
        {
            m.set_b(m.b.previous());
        }
        next(m, pc.add(1), h, k, e)
    }
}

/// The choicepoint stack is full: makes room for one with `a` arguments, then runs the instruction again.
#[cold]
#[inline(never)]
pub(super) unsafe fn grow(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        if m.attempt(move |m| m.make_room(instr::a(*pc))) {
            next(m, pc, h, k, e)
        }
    }
}

/// Restores the registers listed at an alternative.
#[inline(always)]
unsafe fn restore(m: &mut Worker, pc: Pc, n: usize) {
    let c = m.b;
    let mut i = 0;
    while i < n {
        // SAFETY: see the parent module.
        unsafe { *cell(m, listed(pc, i) as usize) = c.arg_value(i) };
        i = counted(i + 1);
    }
    m.b0 = c.barrier();
}

pub(crate) unsafe fn retry_else(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let n = instr::a(w);
        restore(m, pc, n);
        m.b.set_alternative(pc.offset(instr::label(w)));
        next(m, pc.add(1 + instr::list_words(n)), h, k, e)
    }
}

pub(crate) unsafe fn trust_else(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let n = instr::a(*pc);
        restore(m, pc, n);
        m.set_b(m.b.previous());
        next(m, pc.add(1 + instr::list_words(n)), h, k, e)
    }
}

pub(crate) unsafe fn cut_neck(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    let to = m.b0;
    // SAFETY: see the parent module.
    unsafe { cut_to(m, (pc, to), h, k, e) }
}

pub(crate) unsafe fn guard(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    unsafe {
        let p = predicate(pc);
        if m.attempt(move |m| m.guard_rest(p)) {
            m.b0 = m.b;
            let (h, k) = (m.heap.h(), m.k);
            next(m, pc.add(2), h, k, e)
        }
    }
}

pub(crate) unsafe fn get_b0(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        *cell(m, instr::a(*pc)) = m.choices.offset(m.b0);
        next(m, pc.add(1), h, k, e)
    }
}

pub(crate) unsafe fn save_b(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        *cell(m, instr::a(*pc)) = m.choices.offset(m.b);
        next(m, pc.add(1), h, k, e)
    }
}

#[inline(always)]
unsafe fn cut_to(m: &mut Worker, (pc, to): (Pc, Choice), h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        if m.b != to {
            if m.thread.leaving.cleanups > 0 || m.thread.tabling.is_gone(to) {
                return cut_slowly(m, pc, h, k, e);
            }
            let trailed = m.b.trail();
            m.cut_live(to);
            if trailed != m.heap.trail().top() {
                return tidy(m, pc, h, k, e, trailed);
            }
        }
        next(m, pc.add(1), h, k, e)
    }
}

/// After a cut that dropped a choicepoint, with the height of the trail that it had: see [`samite_heap::Heap::tidy_trail`].
#[inline(never)]
unsafe fn tidy(m: &mut Worker, pc: Pc, h: At, k: At, e: At, trailed: usize) {
    // SAFETY: see the parent module.
    unsafe {
        if m.heap.tidy_one(trailed) {
            next(m, pc.add(1), h, k, e)
        } else {
            tidy_more(m, pc, h, k, e, trailed)
        }
    }
}

#[inline(never)]
unsafe fn tidy_more(m: &mut Worker, pc: Pc, h: At, k: At, e: At, trailed: usize) {
    m.heap.tidy_trail(trailed);
    // SAFETY: see the parent module.
    unsafe { next(m, pc.add(1), h, k, e) }
}

pub(crate) unsafe fn cut_x(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let to = m.choices.at(x(m, instr::a(*pc)));
        cut_to(m, (pc, to), h, k, e)
    }
}

pub(crate) unsafe fn cut_y(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let to = m.choices.at(slot(e, instr::a(*pc)));
        cut_to(m, (pc, to), h, k, e)
    }
}

/// A cut while there are cleanup handlers: one that it sets off runs first, then the instruction again. Or a cut of a resumed
/// continuation, to a choicepoint that is gone.
#[cold]
unsafe fn cut_slowly(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let w = *pc;
        let to = match instr::op(w) {
            Op::CutNeck => m.b0,
            Op::CutX => m.choices.at(x(m, instr::a(w))),
            Op::CutY => m.choices.at(slot(e, instr::a(w))),
            _ => unreachable!("not a cut"),
        };
        if w & instr::DECIDES != 0 && m.thread.tabling.is_gone(to) {
            m.save(h, k);
            return decided_late(m);
        }
        match m.cleanup_above(to) {
            None => {
                m.cut(to);
                next(m, pc.add(1), h, k, e)
            }
            Some(c) => {
                m.save(h, k);
                let whole = (w & instr::CONDITION == 0).then_some(to);
                leave_for_cleanup(m, pc.offset(instr::label(w)), e, (c, whole))
            }
        }
    }
}

/// A condition succeeds when its else branch has been run.
#[cold]
#[inline(never)]
fn decided_late(m: &mut Worker) {
    let t = m.incomplete_error("negate");
    m.leave(Err(t));
}

/// Runs the handler of `c`, with a continuation that returns to the `ComeBack` at `way_back`; `whole` as in
/// [`Worker::clean_up_at_cut`].
#[inline(never)]
unsafe fn leave_for_cleanup(
    m: &mut Worker,
    way_back: Pc,
    e: At,
    (c, whole): (Choice, Option<Choice>),
) {
    // SAFETY: see the parent module.
    let go = unsafe { m.pause(way_back, e) }.and_then(|()| m.clean_up_at_cut(c, whole));
    m.leave(go);
}

impl Worker {
    /// Makes the continuation a frame that goes on inside a clause, where more than arguments is live; `way_back` is the `ComeBack`
    /// of that place.
    ///
    /// # Safety
    /// The registers and `e` are those of that place.
    pub(crate) unsafe fn pause(&mut self, way_back: Pc, e: At) -> Result<(), Throw> {
        // SAFETY: the caller's promise.
        unsafe {
            let w = *way_back;
            let n = instr::a(w);
            let with_frame = w & instr::WITH_FRAME != 0;
            let frame = if with_frame { e } else { std::ptr::null_mut() };
            let mut live = Vec::with_capacity(2 + n);
            live.push(Cell::frame_ptr(frame));
            live.push(self.choices.offset(self.b0));
            live.extend((0..n).map(|i| self.register(listed(way_back, i) as usize)));
            self.k = self.make_frame(way_back, self.k, &live)?;
        }
        Ok(())
    }
}

/// What debug builds leave in registers that are not live: a header, which is nowhere expected.
const POISON: Cell = Cell::header(samite_term::Kind::Raw, 0xdead);
/// So many of them: hardly a clause uses more.
const POISONED: usize = 512;

pub(crate) unsafe fn come_back(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module; `e` is a frame made by `pause`.
    unsafe {
        let w = *pc;
        if cfg!(debug_assertions) {
            // What is not live is no term.
            for i in 0..POISONED {
                *cell(m, i) = POISON;
            }
        }
        for i in 0..instr::a(w) {
            *cell(m, listed(pc, i) as usize) = slot(e, 2 + i);
        }
        m.b0 = m.choices.at(slot(e, 1));
        next(m, pc.offset(instr::label(w)), h, k, slot(e, 0).frame());
        if let Some(place) = &mut m.between
            && cfg!(debug_assertions)
        {
            place.how = How::CameBack;
        }
    }
}

#[inline(always)]
unsafe fn soft_cut(m: &mut Worker, (pc, offset): (Pc, Cell), h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        if is_marked_gone(offset) {
            return next(m, pc.add(1), h, k, e);
        }
        let c = m.choices.at(offset);
        if m.thread.tabling.is_gone(c) && *pc & instr::DECIDES != 0 {
            m.save(h, k);
            return decided_late(m);
        }
        m.soft_cut(c);
        next(m, pc.add(1), h, k, e)
    }
}

pub(crate) unsafe fn soft_cut_x(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let offset = x(m, instr::a(*pc));
        soft_cut(m, (pc, offset), h, k, e)
    }
}

pub(crate) unsafe fn soft_cut_y(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let offset = slot(e, instr::a(*pc));
        soft_cut(m, (pc, offset), h, k, e)
    }
}

// --- builtins and the machine's own predicates ---

/// Calls the deterministic builtin at `pc`; out of line, so that the handler itself holds no error in memory.
#[inline(never)]
unsafe fn call_builtin(m: &mut Worker, pc: Pc, from: usize) -> Called {
    // SAFETY: the operand is a predicate with a builtin's function.
    unsafe { call_deterministic(m, predicate(pc), from) }
}

pub(crate) unsafe fn builtin(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    unsafe {
        match call_builtin(m, pc, 0) {
            Called::True => {
                let (h, k) = (m.heap.h(), m.k);
                proceed_to(m, h, k)
            }
            Called::False => fail(m, pc, h, k, e),
            Called::Awaited => m.leave(Ok(Go::Proceed)),
            Called::Left => {}
        }
    }
}

/// A builtin that was called in place before `pc` has left: a goal that it leaves behind comes back there, or returns if the clause ends.
#[cold]
#[inline(never)]
unsafe fn left_inline(m: &mut Worker, pc: Pc, e: At) {
    // SAFETY: see the parent module; the compiler makes a place behind whatever may leave a goal.
    unsafe {
        debug_assert!(
            match (&m.went, m.blamed) {
                (Err(Throw::Interrupted | Throw::First(_)), _) => false,
                (Err(Throw::Rest(_)), Some(p)) => p.has(flag::LEAVES_GOAL),
                _ => true,
            },
            "a builtin that is called in place is to be called again, or leaves a goal without being `pure_or_goal`: {:?}",
            m.blamed.map(|p| p.functor().name())
        );
        if matches!(m.went, Err(Throw::Rest(_)))
            && *pc & instr::PLACE != 0
            && let Err(t) = m.pause(instr::way_back(pc), e)
        {
            m.went = Err(t);
        }
    }
}

pub(crate) unsafe fn inline(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    unsafe {
        match call_builtin(m, pc, instr::b(*pc)) {
            Called::True => {
                let (h, k) = (m.heap.h(), m.k);
                next(m, pc.add(2), h, k, e)
            }
            Called::False => fail(m, pc, h, k, e),
            Called::Awaited => {
                let (h, k) = (m.heap.h(), m.k);
                go_on_alone(m, (pc.add(2), How::Alone), h, k, e)
            }
            Called::Left => left_inline(m, pc.add(2), e),
        }
    }
}

pub(crate) unsafe fn arg(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module; behind a functor are its arguments, in a list cell two.
    unsafe {
        let w = *pc;
        let (n, t) = (deref(x(m, instr::b(w))), deref(x(m, instr::c(w))));
        if n.is_small() {
            let i = n.small_value() as usize;
            let (first, arity) = match t.tag() {
                Tag::Str => (t.ptr(), Functor::from_cell(*t.ptr()).arity()),
                Tag::Lst => (t.ptr().wrapping_sub(1), 2),
                _ => (t.ptr(), 0),
            };
            if i.wrapping_sub(1) < arity {
                *cell(m, instr::a(w)) = *first.add(i);
                return next(m, pc.add(2), h, k, e);
            }
        }
        call_arg(m, pc, h, k, e)
    }
}

/// [`arg`] as a call: all solutions, errors.
#[cold]
#[inline(never)]
unsafe fn call_arg(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    let go = unsafe { enter_arg(m, pc, e) };
    m.leave(go);
}

/// Makes the continuation one that goes on behind the instruction, and the registers those of the call.
unsafe fn enter_arg(m: &mut Worker, pc: Pc, e: At) -> Result<Go, Throw> {
    // SAFETY: see the parent module; the compiler makes a place behind the instruction, unless the clause ends there.
    unsafe {
        let w = *pc;
        let argument = m.heap.on_credit(|h| h.variable())?;
        let arguments = [x(m, instr::b(w)), x(m, instr::c(w)), argument];
        *cell(m, instr::a(w)) = argument;
        let after = pc.add(2);
        if *after & instr::PLACE != 0 {
            m.pause(instr::way_back(after), e)?;
        }
        for (i, a) in arguments.into_iter().enumerate() {
            *cell(m, i) = a;
        }
        Ok(Go::Enter(predicate(pc)))
    }
}

/// Calls a nondeterministic builtin for its first or next solution, out of line as above.
#[inline(never)]
unsafe fn call_nondet(m: &mut Worker, pc: Pc, next: Pc, state: Option<Cell>) -> Called {
    // SAFETY: see the parent module.
    match m.nondet(unsafe { predicate(pc) }, next, state) {
        Ok(Go::Proceed) => Called::holds(m),
        Ok(Go::Fail) => Called::False,
        go => {
            m.leave(go);
            Called::Left
        }
    }
}

pub(crate) unsafe fn nondet(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module; the alternative follows in the same code (see `builtins::register`).
    unsafe {
        match call_nondet(m, pc, pc.add(2), None) {
            Called::True => {
                let (h, k) = (m.heap.h(), m.k);
                proceed_to(m, h, k)
            }
            Called::False => fail(m, pc, h, k, e),
            Called::Awaited => m.leave(Ok(Go::Proceed)),
            Called::Left => {}
        }
    }
}

/// After a solution: the safe point of loops that a builtin drives by failure, which may have no other.
#[cold]
unsafe fn solved_slowly(m: &mut Worker) {
    let go = m.proceed_safely();
    m.leave(Ok(go));
}

/// The state of the builtin lies above the `H` that the choicepoint restores: until the builtin has read it, nothing may be made and nothing
/// collected. So the safe point is after the solution, where `H` is above the next state.
pub(crate) unsafe fn nondet_next(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    let b = m.b;
    let n = b.size() - 1;
    for i in 0..n {
        // SAFETY: see the parent module.
        unsafe { *cell(m, i) = b.arg_value(i) };
    }
    m.b0 = b.barrier();
    // SAFETY: see the parent module; the limit word lives as long as the thread.
    unsafe {
        match call_nondet(m, pc, pc, Some(b.arg_value(n))) {
            Called::True => {
                let (h, k) = (m.heap.h(), m.k);
                if h as usize > (*m.limit).load(Ordering::Relaxed) {
                    return solved_slowly(m);
                }
                proceed_to(m, h, k)
            }
            Called::False => fail(m, pc, h, k, e),
            // H is above the limit, too.
            Called::Awaited => solved_slowly(m),
            Called::Left => {}
        }
    }
}

pub(crate) unsafe fn control(m: &mut Worker, pc: Pc, h: At, k: At, _e: At) {
    // SAFETY: see the parent module.
    let (p, w) = unsafe { (predicate(pc), *pc) };
    m.save(h, k);
    let go = m.control(instr::a(w), p).map_err(|t| m.add_context(t, p));
    m.leave(go);
}

pub(crate) unsafe fn tabled(m: &mut Worker, pc: Pc, h: At, k: At, _e: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    let p = unsafe { predicate(pc) };
    let looked_at = match p.has(flag::DET) {
        true => m.enter_det(p),
        false => Ok(()),
    };
    let go = looked_at.and_then(|()| m.enter_tabled(p));
    m.leave(go);
}

pub(crate) unsafe fn internal(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    m.save(h, k);
    // SAFETY: see the parent module.
    let number = instr::a(unsafe { *pc });
    match m.internal_point(number, e) {
        // SAFETY: what the machine has been left with.
        Then::Fail => unsafe { fail(m, std::ptr::null(), m.heap.h(), m.k, e) },
        // SAFETY: as above; K is a frame.
        Then::Proceed => unsafe { proceed_to(m, m.heap.h(), m.k) },
        Then::Left => (),
    }
}

/// How an internal point goes on.
enum Then {
    Fail,
    Proceed,
    /// As [`Worker::leave`] was told.
    Left,
}

impl Worker {
    /// An internal point; what most of them come to needs no way through the loop around the handlers.
    #[inline(never)]
    fn internal_point(&mut self, number: usize, e: At) -> Then {
        match self.internal(crate::state::internal::of_number(number), e) {
            Ok(Go::Fail) => Then::Fail,
            Ok(Go::Proceed) if !self.heap.has_woken() => Then::Proceed,
            go => {
                self.leave(go);
                Then::Left
            }
        }
    }
}
