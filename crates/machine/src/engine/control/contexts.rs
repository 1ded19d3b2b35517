//! The context of transparent predicates (`module_transparent/1`), and the way to what is wrapped.
//!
//! A transparent predicate runs with the module of its caller: its goals mean what they mean where it is defined, but their meta-arguments, and what
//! other transparent predicates are told, belong to that module. Who calls one from another module, or in a context, puts a frame `Context` with
//! that module on top of the continuation; where it is entered ([`Worker::qualify_own`]) one is put that is not there. Its clauses are compiled with goals
//! that depend on the module as `'$in_context'(Goal)` (`compile/analyse.rs`), which finds the frame: right below the clause's own, or on top if the goal is the last one.
//!
//! ```text
//! on top of the continuation of a predicate that is entered there is a Context if its caller has told it one, and else never
//! ```
//!
//! so a goal that is called last has the frame taken off, and is told what it needs anew. Predicates that are not transparent pay nothing.

use super::calling::is_construct;
use crate::engine::going::Go;
use crate::engine::shadows::leading_somewhere;
use crate::engine::worker::{At, Worker};
use crate::error::Throw;
use crate::state::frame::resume_of;
use crate::state::internal::{Internal, cells, code};
use samite_code::Predicate;
use samite_code::predicate::{flag, is_meta};
use samite_term::{Atom, Cell, Functor, atoms};

/// Called with Goal and Module where it is yet to be found out what the goal means, or its meta-arguments are no plain ones.
const AT: &str = "$at";

impl Worker {
    /// The module in a frame `Context`, if it is one, below those that count levels.
    fn context_in(&self, mut k: At) -> Option<Atom> {
        // SAFETY: K and what is below it are frames; a `Context` has one slot.
        unsafe {
            while !k.is_null() && resume_of(*k) == code(Internal::Deeper) {
                k = (*k.add(1)).frame();
            }
            (!k.is_null() && resume_of(*k) == code(Internal::Context))
                .then(|| (*k.add(2)).atom_of())
        }
    }
    /// A transparent predicate that is about to be entered is told its context, unless it has been.
    pub(in crate::engine) fn tell_context(&mut self, module: Atom) -> Result<(), Throw> {
        if self.context_in(self.k).is_some() {
            return Ok(());
        }
        self.push(cells::Context {
            module: Cell::atom(module),
        })
    }
    /// The context of the clause that a goal is called in; if that is the last one, the clause's frame is gone and so is this.
    fn leave_context(&mut self) -> Option<Atom> {
        if let Some(module) = self.context_in(self.k) {
            // SAFETY: there is such a frame.
            unsafe {
                while resume_of(*self.k) == code(Internal::Deeper) {
                    self.k = (*self.k.add(1)).frame();
                }
                self.k = (*self.k.add(1)).frame();
            }
            return Some(module);
        }
        if self.k.is_null() {
            return None;
        }
        // SAFETY: K is a frame.
        self.context_in(unsafe { (*self.k.add(1)).frame() })
    }
    /// `'$in_context'(Module:Goal)`: a goal of a transparent predicate's clause in that module.
    pub(in crate::engine) fn in_context(&mut self) -> Result<Go, Throw> {
        let goal = self.register(0);
        let (plain, module) = self.strip_module(goal, atoms::USER)?;
        match self.leave_context() {
            None => self.call_goal(plain, module),
            Some(context) => self.call_told(plain, module, context),
        }
    }
    /// `'$call_in_context'(Goal)`: what a variable in such a clause stands for.
    pub(in crate::engine) fn call_in_context(&mut self) -> Result<Go, Throw> {
        let goal = self.register(0);
        let module = self.leave_context().unwrap_or(atoms::USER);
        self.call_goal(goal, module)
    }
    /// `'$told'(Goal, Module)`: calls a goal whose meta-arguments say what module they belong to already.
    pub(in crate::engine) fn told(&mut self) -> Result<Go, Throw> {
        let (goal, context) = (self.register(0), self.deref(self.register(1)));
        let (plain, module) = self.strip_module(goal, atoms::USER)?;
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        let named = unsafe { self.term(plain) }.goal();
        if let Some((f, _)) = named
            && let Some(p) = self.resolve(module, f)
            && p.is_transparent()
        {
            self.call_told(plain, module, context.atom_of())
        } else {
            self.call_goal(plain, module)
        }
    }
    /// `@(Goal, Module)`. What is there and takes its arguments as they are, or is told whose they are, is called at once.
    pub(in crate::engine) fn at_module(&mut self) -> Result<Go, Throw> {
        let (goal, context) = (self.register(0), self.deref(self.register(1)));
        let (plain, module) = self.strip_module(goal, atoms::USER)?;
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        let named = unsafe { self.term(plain) }.goal();
        if let Some((f, _)) = named
            && context.is_atom()
            && is_construct(f)
            && f.arity() == 0
        {
            return self.call_goal(plain, module);
        }
        if let Some((f, args)) = named
            && context.is_atom()
            && !is_construct(f)
            && let Some(means) = self.resolve(module, f)
            && !means.is_about_module()
        {
            let context = context.atom_of();
            // Without arguments it is told by where it is called which module it is about, if it is a library's.
            let is_called_there = f.arity() == 0
                && means.is_library()
                && (self.resolve(context, f)).is_some_and(|p| std::ptr::eq(p, means));
            if is_called_there {
                return self.call_goal(plain, context);
            }
            for i in 0..f.arity() {
                self.set_register(i, args.get(i).cell());
            }
            if let Some(spec) = means.meta() {
                self.place_arguments(spec, context)?;
            }
            if means.is_transparent() {
                self.tell_context(context)?;
            }
            let p = match means.is_defined() && !means.has(flag::LOADING | flag::RELOADING) {
                true => means,
                false => {
                    let p = self.callee(module, f)?;
                    self.seen(p)
                }
            };
            self.qualify(p, module)?;
            return Ok(Go::Enter(p));
        }
        let at = self.structure(AT, &[goal, context])?;
        self.call_goal(at, atoms::SYSTEM)
    }
    /// The meta-arguments in the registers belong to a module, whichever that is, as far as they name none.
    fn place_arguments(&mut self, spec: &[u8], module: Atom) -> Result<(), Throw> {
        for (i, _) in spec.iter().enumerate().filter(|(_, s)| is_meta(**s)) {
            let placed = self.with_module(self.register(i), module)?;
            self.set_register(i, placed);
        }
        Ok(())
    }
    /// Calls what a goal means in a module, with meta-arguments that belong to another one.
    fn call_told(&mut self, goal: Cell, module: Atom, context: Atom) -> Result<Go, Throw> {
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        let Some((f, args)) = (unsafe { self.term(goal) }).goal() else {
            return self.call_goal(goal, module);
        };
        let means = self.resolve(module, f);
        let Some(means) = means.filter(|p| !p.is_about_module()) else {
            let goal = (self.heap)
                .structure(Functor::new(atoms::COLON, 2), &[Cell::atom(module), goal])?;
            let at = self.structure(AT, &[goal, Cell::atom(context)])?;
            return self.call_goal(at, atoms::SYSTEM);
        };
        for i in 0..f.arity() {
            self.set_register(i, args.get(i).cell());
        }
        if let Some(spec) = means.meta() {
            self.qualify_arguments(spec, context)?;
        }
        if means.is_transparent() {
            self.tell_context(context)?;
        }
        let p = self.callee(module, f)?;
        Ok(Go::Enter(self.seen(p)))
    }

    /// `'$wrapped'(Name, Module:Goal)`: calls what the wrapper of this name wraps.
    pub(in crate::engine) fn call_wrapped(&mut self) -> Result<Go, Throw> {
        let (name, goal) = (self.deref(self.register(0)), self.register(1));
        let (plain, module) = self.strip_module(goal, atoms::USER)?;
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        let named = unsafe { self.term(plain) }.goal();
        let Some((f, args)) = named.filter(|_| name.is_atom()) else {
            return Err(self.type_error("callable", plain));
        };
        for i in 0..f.arity() {
            self.set_register(i, args.get(i).cell());
        }
        let p = self.callee(module, f)?;
        if let Some(inner) = self.program.wrappers.within(p, name.atom_of()) {
            return Ok(Go::Enter(inner));
        }
        if !p.is_defined() && !p.has(flag::RELOADING | flag::LOADING) {
            // Not what it would be without its wrapper: that would be found by its name.
            let culprit = self.indicator(p.functor())?;
            return Err(self.existence_error("procedure", culprit));
        }
        self.b0 = self.b;
        match leading_somewhere(p.present_entry()) {
            Some(entry) if !p.has(flag::RELOADING | flag::LOADING) => Ok(Go::Code(entry)),
            _ => self.undefined_behind(p),
        }
    }
    /// Where a wrapped predicate leads: to its outermost wrapper.
    pub(in crate::engine) fn behind_told(&self, p: &'static Predicate) -> *const u64 {
        let wrapper = match p.is_wrapped() {
            true => self.program.wrappers.outermost(p),
            false => None,
        };
        wrapper.map_or_else(|| p.present_entry(), Predicate::entry)
    }
}
