//! Chains of what is retired: a clause that has been erased and waits to be freed leads to the next itself, in the word that said where it had
//! been read. So giving memory back takes none: clauses are erased, swept out of lists, judged, kept and freed without anything being
//! allocated for each of them.
//!
//! *Equation*: a clause is [retired](Node::is_retired) if and only if it is in one chain, or was, and has been taken out to be freed.
//! It has been erased, and its predicate's lock was held when it was retired; afterwards it belongs to whoever has the chain. Readers
//! may still look at everything else of it.

use super::retire::{Node, Retire};

/// See the module text.
#[derive(Debug)]
pub(crate) struct Chain<C> {
    first: *mut C,
    len: usize,
    /// Of what was retired into it.
    bytes: usize,
}

// SAFETY: whoever has the chain owns the clauses.
unsafe impl<C> Send for Chain<C> {}

impl<C: Node> Chain<C> {
    pub const fn new() -> Chain<C> {
        Chain {
            first: std::ptr::null_mut(),
            len: 0,
            bytes: 0,
        }
    }
    pub fn is_empty(&self) -> bool {
        self.first.is_null()
    }
    pub fn len(&self) -> usize {
        self.len
    }
    /// About how much memory was retired into it.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
    /// Retires an erased clause, unless that has been done: it may be in several lists. Its predicate's lock is held.
    ///
    /// # Safety
    /// It was made by `Box::into_raw`, and when the chain is given away no call that starts then finds it.
    pub unsafe fn retire(&mut self, clause: *mut C) {
        // SAFETY: what has not been retired is not freed while the lock is held; what has been waits for the chain to be given away.
        let c = unsafe { &*clause };
        debug_assert!(c.is_erased());
        if !c.is_retired() {
            self.bytes += c.bytes();
            self.push(clause);
        }
    }
    /// Adds a clause that was taken out of a chain.
    pub fn push(&mut self, clause: *mut C) {
        // SAFETY: owned by the caller, who frees it or gives it away again.
        unsafe { &*clause }.lead_to(self.first);
        self.first = clause;
        self.len += 1;
    }
    /// Calls `f` with each.
    pub fn each(&self, f: &mut dyn FnMut(&C)) {
        let mut at = self.first;
        // SAFETY: null, or in the chain, where nobody frees it.
        while let Some(c) = unsafe { at.as_ref() } {
            f(c);
            at = c.next();
        }
    }
    /// Takes a clause out.
    pub fn pop(&mut self) -> Option<*mut C> {
        if self.first.is_null() {
            return None;
        }
        let clause = self.first;
        // SAFETY: what is in a chain is freed by nobody else.
        self.first = unsafe { &*clause }.next();
        self.len -= 1;
        Some(clause)
    }
}

/// What is unlinked in one step.
#[derive(Debug)]
pub(crate) enum Retired<C> {
    Chain(Chain<C>),
    One(*mut dyn Retire),
}

// SAFETY: a retired item is reachable from reclamation only; whoever takes it out owns it.
unsafe impl<C> Send for Retired<C> {}

impl<C: Node> Retired<C> {
    /// About how much memory waits.
    pub fn bytes(&self) -> usize {
        match self {
            Retired::Chain(all) => all.bytes(),
            // SAFETY: what is retired is freed by nobody else.
            Retired::One(one) => unsafe { &**one }.bytes(),
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::db::predicate::{Clause, Domain, Predicate};
    use samite_term::{Functor, atoms};

    #[test]
    fn what_is_in_a_chain_keeps_what_readers_look_at() {
        let p = Predicate::new(Domain::new(), atoms::USER, Functor::new(atoms::MAIN, 1));
        let (mut chain, mut other) = (Chain::new(), Chain::new());
        for line in 0..5 {
            let mut c = Box::new(Clause::new(p, u64::from(line), None, None, line));
            c.set_file(atoms::TRUE, atoms::TRUE);
            c.set_rule();
            assert_eq!((c.file(), c.line()), (atoms::TRUE, line));
            c.die(2, 7);
            let c = Box::into_raw(c);
            // SAFETY: as promised.
            unsafe {
                chain.retire(c);
                // Of two lists.
                chain.retire(c);
                other.retire(c);
            }
        }
        assert!(other.is_empty() && chain.len() == 5);
        assert_eq!(chain.bytes(), 5 * size_of::<Clause>());
        while let Some(c) = chain.pop() {
            other.push(c);
        }
        assert_eq!((chain.len(), other.len()), (0, 5));
        for line in 0..5 {
            let c = other.pop().expect("five");
            // SAFETY: made above.
            let c = unsafe { Box::from_raw(c) };
            assert_eq!(c.key, line);
            assert!(c.is_retired() && c.is_rule() && !c.is_linked() && c.erased_by(7));
            assert_eq!((c.file(), c.line()), (atoms::NIL, 0));
        }
        assert!(other.is_empty());
    }
}
