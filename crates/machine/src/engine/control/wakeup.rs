//! Goals that a binding wakes.
//!
//! They run before anything is done that they could change: at a safe point, or at the next *place* inside a clause
//! (`code/compile/codegen.rs`), whichever comes first. No instruction asks whether there are any. The one that binds such a variable finds
//! that out where it trails the binding, and leaves the straight path there ([`crate::engine::ops::go_on_alone`]): the instructions that follow, which
//! go on with the same unification or build what comes next, are run one at a time ([`crate::engine::alone`]), until one is a place. There the
//! continuation becomes a frame of what is live ([`Worker::pause`]), and the goals are called. A builtin that binds such a variable has done
//! so when it is over, which is a place or a return.
//!
//! Invariant: nothing is woken and not called where a continuation is returned to, a predicate entered, a choicepoint made, or a cut done.

use crate::engine::going::Go;
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::internal::cells;
use samite_heap::attributed::Woken;
use samite_term::{Atom, Cell, Functor, View, atoms};

/// What the only attribute of a variable has called.
enum Only {
    /// The goal of a `freeze/2`.
    Frozen(Cell),
    /// The hook of a module, with the attribute's value.
    Hook(Atom, Cell),
}

impl Worker {
    /// A goal that runs all that was woken, the oldest first; nothing is woken any more.
    pub(crate) fn take_woken(&mut self) -> Result<Option<Cell>, Throw> {
        let mut all: Option<Cell> = None;
        // SAFETY: terms are added to the heap only.
        let mut next = unsafe { self.heap.woken() };
        while let Some(w) = next {
            let goal = match self.only_goal(w) {
                Some(Only::Frozen(goal)) => goal,
                Some(Only::Hook(module, value)) => {
                    let hook = Functor::new(atoms::ATTR_UNIFY_HOOK, 2);
                    let colon = Functor::new(atoms::COLON, 2);
                    self.heap.on_credit(|h| {
                        let hook = h.structure(hook, &[value, w.variable])?;
                        h.structure(colon, &[Cell::atom(module), hook])
                    })?
                }
                None => {
                    let wake = Functor::new(atoms::WAKE, 2);
                    let arguments = [w.attributes, w.variable];
                    (self.heap).on_credit(|h| h.structure(wake, &arguments))?
                }
            };
            all = Some(match all {
                None => goal,
                Some(rest) => self.structure_on_credit(",", &[goal, rest])?,
            });
            // SAFETY: as above.
            next = unsafe { w.before() };
        }
        let segment = self.segment();
        self.heap.forget_woken(segment);
        Ok(all)
    }

    /// What `'$wake'/2` would call of a variable with one attribute, if it is no conjunction of frozen goals, or to be added to others.
    fn only_goal(&self, w: Woken) -> Option<Only> {
        // SAFETY: nothing is collected or undone before the views were used for the last time.
        let View::Compound(attributes) = unsafe { self.term(w.attributes) }.view() else {
            return None;
        };
        let is_only = attributes.functor() == Functor::new(atoms::ATT, 3)
            && attributes.arg(2).as_atom() == Some(atoms::NIL);
        let module = attributes.arg(0).as_atom().filter(|_| is_only)?;
        let value = attributes.arg(1);
        if module != atoms::FREEZE {
            return Some(Only::Hook(module, value.cell()));
        }
        let (f, _) = value.callable()?;
        let is_one = f != Functor::new(atoms::FROZEN_AND, 2);
        let is_bound = !self.deref(w.variable).is_ref();
        (is_one && is_bound).then(|| Only::Frozen(value.cell()))
    }

    /// Whether there is a goal that was woken and not called.
    pub(crate) fn has_woken_goals(&self) -> bool {
        // SAFETY: nothing changes meanwhile.
        self.heap.has_woken() && unsafe { self.heap.woken() }.is_some()
    }

    /// What cannot be done again after a collection.
    pub(in crate::engine) fn structure_on_credit(
        &mut self,
        name: &str,
        args: &[Cell],
    ) -> Result<Cell, Throw> {
        let functor = Functor::new(Atom::of(name), args.len());
        Ok(self.heap.on_credit(|h| h.structure(functor, args))?)
    }

    /// Before the machine returns to K: where to go on if goals were woken.
    #[cold]
    pub(crate) fn wake_first(&mut self) -> Result<Option<Go>, Throw> {
        match self.take_woken()? {
            Some(goal) => self.call_goal(goal, atoms::USER).map(Some),
            None => Ok(None),
        }
    }

    /// Finds out whether two terms do not unify, or goals that this wakes fail; then returns to K with what was found.
    pub(crate) fn decide_not_unifiable(&mut self, a: Cell, b: Cell) -> Result<Go, Throw> {
        let result = self.heap.on_credit(|h| h.variable())?;
        let goal = self.not_unifiable(a, b)?;
        let [yes, no] = [atoms::TRUE, atoms::FALSE].map(Cell::atom);
        let yes = self.structure_on_credit("=", &[result, yes])?;
        let no = self.structure_on_credit("=", &[result, no])?;
        let then = self.structure_on_credit("->", &[goal, yes])?;
        let goal = self.structure_on_credit(";", &[then, no])?;
        self.push(cells::Decided { result })?;
        self.call_goal(goal, atoms::SYSTEM)
    }

    /// `\+ A = B`.
    pub(crate) fn not_unifiable(&mut self, a: Cell, b: Cell) -> Result<Cell, Throw> {
        let unify = self.structure_on_credit("=", &[a, b])?;
        self.structure_on_credit("\\+", &[unify])
    }
}
