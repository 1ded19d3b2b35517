//! Constructors of ISO error terms (13211-1, 7.12).

use super::worker::Worker;
use crate::error::Throw;
use samite_heap::OutOfMemory;
use samite_term::{Atom, Cell, Functor, View, atoms};

impl Worker {
    /// `error(Formal, _)`.
    pub fn error_term(&mut self, formal: Cell) -> Throw {
        let made = self.heap.variable().and_then(|v| {
            self.heap
                .structure(Functor::new(atoms::ERROR, 2), &[formal, v])
        });
        match made {
            Ok(t) => Throw::Term(t),
            Err(OutOfMemory) => Throw::Memory,
        }
    }
    /// `error(Formal, context(_, Message))`, the message an atom.
    pub fn error_with_message(&mut self, formal: Cell, message: &str) -> Throw {
        let message = Cell::atom(Atom::of(message));
        let made = self.heap.variable().and_then(|v| {
            let c = Functor::new(atoms::CONTEXT, 2);
            let c = self.heap.structure(c, &[v, message])?;
            self.heap
                .structure(Functor::new(atoms::ERROR, 2), &[formal, c])
        });
        match made {
            Ok(t) => Throw::Term(t),
            Err(OutOfMemory) => Throw::Memory,
        }
    }
    /// An error that has been made, `error(Formal, _)`, with a message in its context.
    pub(crate) fn with_message(&mut self, error: Throw, message: &str) -> Throw {
        let Throw::Term(t) = error else {
            return error;
        };
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        match unsafe { self.term(t) }.view() {
            View::Compound(c) if c.arity() == 2 => {
                let formal = c.arg(0).cell();
                self.error_with_message(formal, message)
            }
            _ => error,
        }
    }
    pub(crate) fn formal(&mut self, name: Atom, args: &[Cell]) -> Throw {
        match self.heap.structure(Functor::new(name, args.len()), args) {
            Ok(t) => self.error_term(t),
            Err(OutOfMemory) => Throw::Memory,
        }
    }
    pub fn instantiation_error(&mut self) -> Throw {
        self.error_term(Cell::atom(atoms::INSTANTIATION_ERROR))
    }
    /// What is to be a result is bound: `which` argument it is, in the words of SWI-Prolog.
    pub fn uninstantiation_error(&mut self, culprit: Cell, which: &str) -> Throw {
        let error = self.formal(atoms::UNINSTANTIATION_ERROR, &[culprit]);
        self.with_message(error, which)
    }
    /// `type_error(Type, Culprit)`; an unbound culprit makes it an instantiation error.
    pub fn type_error(&mut self, ty: &str, culprit: Cell) -> Throw {
        let culprit = self.deref(culprit);
        if culprit.is_ref() {
            return self.instantiation_error();
        }
        self.formal(atoms::TYPE_ERROR, &[Cell::atom(Atom::of(ty)), culprit])
    }
    pub fn domain_error(&mut self, domain: &str, culprit: Cell) -> Throw {
        self.formal(
            atoms::DOMAIN_ERROR,
            &[Cell::atom(Atom::of(domain)), culprit],
        )
    }
    pub fn existence_error(&mut self, kind: &str, culprit: Cell) -> Throw {
        self.formal(
            atoms::EXISTENCE_ERROR,
            &[Cell::atom(Atom::of(kind)), culprit],
        )
    }
    pub fn permission_error(&mut self, action: &str, ty: &str, culprit: Cell) -> Throw {
        self.formal(
            atoms::PERMISSION_ERROR,
            &[
                Cell::atom(Atom::of(action)),
                Cell::atom(Atom::of(ty)),
                culprit,
            ],
        )
    }
    pub fn representation_error(&mut self, what: &str) -> Throw {
        self.formal(atoms::REPRESENTATION_ERROR, &[Cell::atom(Atom::of(what))])
    }
    pub fn resource_error(&mut self, what: &str) -> Throw {
        self.formal(atoms::RESOURCE_ERROR, &[Cell::atom(Atom::of(what))])
    }
    pub fn evaluation_error(&mut self, what: &str) -> Throw {
        self.formal(atoms::EVALUATION_ERROR, &[Cell::atom(Atom::of(what))])
    }
    pub fn syntax_error(&mut self, what: &str) -> Throw {
        self.formal(atoms::SYNTAX_ERROR, &[Cell::atom(Atom::of(what))])
    }
    /// `Name/Arity` as a term.
    pub fn indicator(&mut self, functor: Functor) -> Result<Cell, Throw> {
        Ok(self.heap.structure(
            Functor::new(atoms::SLASH, 2),
            &[
                Cell::atom(functor.name()),
                Cell::small(functor.arity() as i64),
            ],
        )?)
    }
}
