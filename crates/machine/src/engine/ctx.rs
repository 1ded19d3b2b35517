//! What a builtin gets of the machine: its arguments, terms and the heap to build them on, errors, streams, the program and its thread.
//!
//! A [`Ctx`] is the worker, seen as a builtin may see it: registers, choicepoints and the ways of control are the machine's alone (their fields and
//! functions are private to it). Its lifetime is the run of the builtin. Terms that the builtin looks at ([`Ctx::term`]) live as long: builtins never collect, and
//! objects do not move or go in between, so a view stays good whatever the builtin adds to the heap, and the type checker keeps it from being
//! kept for longer.

use super::worker::{Args, Worker};
use crate::engine::going::Step;
use crate::error::{Res, Throw};
use samite_code::Predicate;
use samite_code::instr::Op;
use samite_term::{Atom, Cell, Record, TermRef, View, atoms};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// See the module text.
#[repr(transparent)]
pub struct Ctx<'b> {
    worker: Worker,
    /// Neither longer nor shorter than the builtin runs.
    run: PhantomData<fn(&'b ()) -> &'b ()>,
}

impl Deref for Ctx<'_> {
    type Target = Worker;
    #[inline(always)]
    fn deref(&self) -> &Worker {
        &self.worker
    }
}

impl DerefMut for Ctx<'_> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Worker {
        &mut self.worker
    }
}

impl Worker {
    /// The worker as a builtin sees it, until the borrow ends: nothing is collected and no safe point passed meanwhile.
    #[inline(always)]
    pub fn ctx(&mut self) -> &mut Ctx<'_> {
        // SAFETY: `Ctx` is transparent: the same value seen by another name.
        unsafe { &mut *std::ptr::from_mut(self).cast() }
    }
}

impl<'b> Ctx<'b> {
    /// A view of a term of this heap.
    #[inline]
    pub fn term(&self, c: Cell) -> TermRef<'b> {
        // SAFETY: a term of this heap, which stays as it is while the builtin runs; see the module text.
        unsafe { TermRef::new(c) }
    }
    /// Argument `i` as a view.
    #[inline]
    pub fn view(&self, a: Args, i: usize) -> TermRef<'b> {
        self.term(self.arg(a, i))
    }
    /// Unifies argument `i` with a term.
    #[inline]
    pub fn unify_arg(&mut self, a: Args, i: usize, t: Cell) -> bool {
        let x = self.arg(a, i);
        self.unify(x, t)
    }
    /// Unifies argument `i` with an atom.
    pub fn unify_atom(&mut self, a: Args, i: usize, atom: Atom) -> bool {
        self.unify_arg(a, i, Cell::atom(atom))
    }
    /// Unifies argument `i` with an integer.
    pub fn unify_int(&mut self, a: Args, i: usize, v: i64) -> Result<bool, Throw> {
        let c = self.heap.number(&samite_term::Number::Int(v))?;
        Ok(self.unify_arg(a, i, c))
    }
    pub fn unify(&mut self, a: Cell, b: Cell) -> bool {
        self.worker.unify(a, b)
    }
    pub fn record(&mut self, t: Cell) -> Result<Record, Throw> {
        self.worker.record(t)
    }
    pub(crate) fn record_shared(&mut self, t: Cell, beside: usize) -> Result<Record, Throw> {
        self.worker.record_shared(t, beside)
    }
    pub(crate) fn evaluate_cell(&mut self, c: Cell) -> Result<Cell, Throw> {
        self.worker.evaluate_cell(c)
    }
    pub(crate) fn compare_numbers(&mut self, op: Op, a: Cell, b: Cell) -> Result<bool, Throw> {
        self.worker.compare_numbers(op, a, b)
    }
    pub(crate) fn strip_module(&mut self, t: Cell, module: Atom) -> Result<(Cell, Atom), Throw> {
        self.worker.strip_module(t, module)
    }
    pub fn domain_error(&mut self, domain: &str, culprit: Cell) -> Throw {
        self.worker.domain_error(domain, culprit)
    }

    /// Does what is not to be given up: the builtin has had an effect.
    pub(crate) fn whatever_happens<T>(&mut self, f: impl FnOnce(&mut Ctx<'b>) -> T) -> T {
        let before = std::mem::replace(&mut self.thread.io.for_good, true);
        let result = f(self);
        self.thread.io.for_good = before;
        result
    }

    /// A small integer argument.
    pub(crate) fn int_arg(&mut self, a: Args, i: usize) -> Result<i64, Throw> {
        let c = self.arg(a, i);
        match self.term(c).view() {
            View::Int(v) => Ok(v),
            View::Number(b) if b.number().is_integer() => Err(self.representation_error("int64_t")),
            _ => Err(self.type_error("integer", c)),
        }
    }
    /// How an error names a predicate: without the module if that is `user` or `system`.
    pub(crate) fn shown_indicator(&mut self, p: &'static Predicate) -> Result<Cell, Throw> {
        match p.module() {
            atoms::USER | atoms::SYSTEM => self.indicator(p.functor()),
            _ => self.qualified_indicator(p),
        }
    }
    /// `Module:Name/Arity`
    pub(crate) fn qualified_indicator(&mut self, p: &'static Predicate) -> Result<Cell, Throw> {
        let pi = self.indicator(p.functor())?;
        self.structure(":", &[Cell::atom(p.module()), pi])
    }
}

/// A deterministic builtin.
pub type Builtin = fn(&mut Ctx<'_>, Args) -> Res;

/// A nondeterministic builtin: `None` at the first call, then the state it returned.
pub type Nondet = fn(&mut Ctx<'_>, Args, Option<Cell>) -> Result<Step, Throw>;
