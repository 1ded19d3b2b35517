//! What is to succeed without a choicepoint: predicates declared so (`det/1`), what remains of a clause behind `$/0`, the goal of `$/1`.
//!
//! A choicepoint `DetFail` meets its failure, a frame `DetExit` on top of it its success: if the choicepoint is the newest then, it goes, and that was all. A last
//! call to another such predicate, or on to another clause with `$`, finds both as they are, so what calls itself last needs no more of them: then
//! they are about the predicate called last. Else a goal `'$undetermined'/4` decides by the flag `determinism_error` what becomes of it
//! ([`crate::builtins::determinism`]).
//!
//! As in SWI-Prolog errors name the predicate that has been called last: what is there still says which that is. Of frames between, the one on the
//! `DetExit` itself belongs to a clause whose calls are not last ones; else it is who left the oldest choicepoint, or where the instruction stands that failed.
//! What has been cut off by another way (a continuation that is called again, a cut that goes further) is not looked at any more.

use crate::engine::going::Go;
use crate::engine::walk::walk_of_call;
use crate::engine::worker::{At, Worker};
use crate::error::Throw;
use crate::state::choice::Choice;
use crate::state::frame::resume_of;
use crate::state::internal::{Internal, Looked, Once, cells, code};
use samite_code::Predicate;
use samite_code::index::rest_of_chain;
use samite_code::instr::{Op, op};
use samite_term::{Atom, Cell, Functor, atoms};

/// Name and arity of the goal: `fail` or `nondet`, the [`Looked`], the predicate's address or the goal, the address of code.
pub(crate) const UNDETERMINED: (&str, usize) = ("$undetermined", 4);

/// An address as a term.
pub(crate) fn address<T>(of: *const T) -> Cell {
    Cell::small(of as i64)
}

impl Worker {
    /// Whether what the frame `k` goes on with is looked at, by the newest choicepoint, and is no goal of `$/1`.
    #[inline(always)]
    pub(in crate::engine) fn is_looked_at(&self, k: At) -> bool {
        // SAFETY: K is a frame, or there is none; one that resumes there has one slot. A choicepoint with that alternative has two arguments.
        unsafe {
            !k.is_null()
                && resume_of(*k) == code(Internal::DetExit)
                && !self.b.is_null()
                && self.b.alternative() == code(Internal::DetFail)
                && *k.add(2) == self.choices.offset(self.b)
                && self.b.arg_value(0) != Looked::Goal.cell()
        }
    }
    /// The predicate, declared so, is called last where something is looked at. Behind a `$/0` that is the caller's.
    #[inline(always)]
    pub(in crate::engine) fn name_looked_at(&mut self, p: &'static Predicate) {
        if self.b.arg_value(0) == Looked::Property.cell() {
            // SAFETY: see `is_looked_at`.
            unsafe { *self.b.arg(1) = address(p) };
        }
    }
    /// What the predicate comes to is looked at.
    pub(in crate::engine) fn look_at(
        &mut self,
        why: Looked,
        p: &'static Predicate,
    ) -> Result<(), Throw> {
        self.look(why.cell(), address(p))
    }
    fn look(&mut self, kind: Cell, name: Cell) -> Result<(), Throw> {
        self.suspended = false;
        let c = self.push_alternative(cells::DetFail { kind, name })?;
        let choicepoint = self.choices.offset(c);
        self.push(cells::DetExit { choicepoint })
    }
    /// The same at the entry of a predicate that is declared so.
    pub(in crate::engine) fn enter_det(&mut self, p: &'static Predicate) -> Result<(), Throw> {
        match self.is_looked_at(self.k) {
            true => self.name_looked_at(p),
            false => self.look_at(Looked::Property, p)?,
        }
        self.b0 = self.b;
        Ok(())
    }
    /// `$/0` in a clause of the predicate, after its cut.
    pub(in crate::engine) fn guard_rest(&mut self, p: &'static Predicate) -> Result<(), Throw> {
        if !self.is_looked_at(self.k) {
            return self.look_at(Looked::Guard, p);
        }
        // SAFETY: see `is_looked_at`.
        unsafe {
            *self.b.arg(0) = Looked::Guard.cell();
            *self.b.arg(1) = address(p);
        }
        Ok(())
    }
    /// `$/0` in a goal that is called.
    pub(in crate::engine) fn guard_of_goal(&mut self) -> Result<(), Throw> {
        let call = self
            .program
            .code
            .callee(atoms::SYSTEM, Functor::new(atoms::CALL, 1));
        self.guard_rest(call)
    }
    /// `$/1`.
    pub(in crate::engine) fn look_at_goal(&mut self, goal: Cell) -> Result<(), Throw> {
        self.look(Looked::Goal.cell(), goal)
    }

    /// What frame `f` belongs to will not come to its end: if it looks at that, it does so no more.
    ///
    /// # Safety
    /// It is a frame.
    pub(in crate::engine) unsafe fn look_no_more(&mut self, f: At) {
        // SAFETY: the caller's promise; see `is_looked_at`.
        unsafe {
            if resume_of(*f) != code(Internal::DetExit) {
                return;
            }
            let c = self.choices.at(*f.add(2));
            let mut b = self.b;
            while !b.is_null() && b > c {
                b = b.previous();
            }
            if b == c && !c.is_null() && c.alternative() == code(Internal::DetFail) {
                c.set_alternative(code(Internal::Dead));
            }
        }
    }

    /// What was looked at has succeeded; `e` is the frame.
    #[inline(always)]
    pub(in crate::engine) fn det_exit(&mut self, c: Choice, e: At) -> Result<Go, Throw> {
        if self.b == c && c.alternative() == code(Internal::DetFail) {
            self.pop_choice();
            return Ok(Go::Proceed);
        }
        self.det_left(c, e)
    }
    /// The same: it is not the newest choicepoint.
    #[cold]
    #[inline(never)]
    fn det_left(&mut self, c: Choice, e: At) -> Result<Go, Throw> {
        // The oldest one above it.
        let mut oldest = self.b;
        while !oldest.is_null() && oldest > c && oldest.previous() != c {
            oldest = oldest.previous();
        }
        if self.thread.tabling.is_gone(c)
            || oldest.is_null()
            || oldest.previous() != c
            || c.is_null()
            || c.alternative() != code(Internal::DetFail)
        {
            return Ok(Go::Proceed);
        }
        let cells::DetFail { kind, name } = c.cells();
        let at = if kind == Looked::Goal.cell() {
            // Whose clause it is in. What it has left goes.
            let mark = self.choices.offset(c.previous());
            let why = Once::Solution.cell();
            // SAFETY: K is a frame: its first cell says where to resume.
            let at = unsafe { resume_of(*self.k) };
            self.push(cells::OnceExit { mark, why })?;
            at
        } else {
            c.set_alternative(code(Internal::Dead));
            // SAFETY: continuations are frames.
            unsafe { self.left_at(oldest, e) }
        };
        Ok(self.undetermined("nondet", kind, name, at))
    }
    /// What was looked at has failed, and K is what it would have gone on with.
    #[cold]
    #[inline(never)]
    pub(in crate::engine) fn det_fail(&mut self, held: cells::DetFail) -> Result<Go, Throw> {
        let cells::DetFail { kind, name } = held;
        let c = self.choices.offset(self.b);
        self.pop_choice();
        if self.suspended {
            // It has not failed: it goes on when there are answers, and is not looked at then.
            return Ok(Go::Fail);
        }
        let (pc, k) = self.failed;
        // SAFETY: nothing has been made since the instruction failed: what K was, was a frame, and is not overwritten.
        let at = unsafe {
            match kind == Looked::Goal.cell() {
                true => resume_of(*self.k),
                false => called_from(k, c).unwrap_or(pc),
            }
        };
        self.push_frame(Internal::ThenFail, &[])?;
        Ok(self.undetermined("fail", kind, name, at))
    }
    fn undetermined(&mut self, found: &str, kind: Cell, name: Cell, at: *const u64) -> Go {
        for (i, c) in [Cell::atom(Atom::of(found)), kind, name, address(at)]
            .into_iter()
            .enumerate()
        {
            self.set_register(i, c);
        }
        let f = Functor::new(Atom::new(UNDETERMINED.0), UNDETERMINED.1);
        Go::Enter(self.program.code.callee(atoms::SYSTEM, f))
    }
    /// The code that says who has left choicepoint `c`, the oldest one above that which belongs to the frame `e`.
    ///
    /// # Safety
    /// `e` is a frame.
    unsafe fn left_at(&self, c: Choice, e: At) -> *const u64 {
        // SAFETY: the continuation of a choicepoint is a frame; what its alternative is, is code.
        unsafe {
            if let Some(at) = called_from(c.frame(), *e.add(2)) {
                return at;
            }
            let at = c.alternative();
            match op(*at) {
                Op::DynamicNext => {
                    let walk = walk_of_call(c);
                    (*walk.list).get(walk.at).predicate.entry()
                }
                Op::Internal => std::ptr::null(),
                Op::NondetNext => at,
                _ => rest_of_chain(at)
                    .next()
                    .map_or(at, |(_, clause)| clause as *const u64),
            }
        }
    }
}

/// Where the clause goes on whose call led to the continuation `k`, if that was not its last: up to the `DetExit` frame of this choicepoint.
///
/// # Safety
/// `k` is a frame, or null.
unsafe fn called_from(k: At, choicepoint: Cell) -> Option<*const u64> {
    let (mut k, mut at) = (k, None);
    // SAFETY: continuations are chains of frames: a header, the parent, slots.
    unsafe {
        while !k.is_null() {
            let resume = resume_of(*k);
            if resume == code(Internal::DetExit) && *k.add(2) == choicepoint {
                return at;
            }
            if op(*resume) != Op::Internal {
                at = Some(resume);
            }
            k = (*k.add(1)).frame();
        }
    }
    None
}
