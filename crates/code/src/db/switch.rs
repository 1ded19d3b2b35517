//! Entry code of static predicates: chains of clauses, and the switch on the first argument that leads to them. Built by [`super::link`]; immutable.

use super::key::{ANY_KEY, spread};
use super::retire::{Fate, Retire};
use crate::instr::{self, Op, word};
use std::ops::Range;

/// See the module text.
#[derive(Debug)]
pub struct Switch {
    /// For an unbound first argument: all clauses.
    pub variable: *const u64,
    /// For a list cell.
    pub list: *const u64,
    /// For keys not in the table: the clauses with a variable there.
    pub other: *const u64,
    pub(super) mask: usize,
    /// Open addressing: key (0: free) and chain.
    pub(super) table: Box<[(u64, *const u64)]>,
}

impl Switch {
    /// The chain of a key.
    #[inline]
    pub fn get(&self, key: u64) -> *const u64 {
        let mut i = spread(key) & self.mask;
        loop {
            // SAFETY: the table has `mask + 1` places, some of them free.
            let &(k, chain) = unsafe { self.table.get_unchecked(i) };
            if k == key {
                return chain;
            }
            if k == ANY_KEY {
                return self.other;
            }
            i = (i + 1) & self.mask;
        }
    }
}

static FAIL: [u64; 1] = [word(Op::Fail, 0, 0, 0)];

/// Code that fails.
pub fn fail_code() -> *const u64 {
    FAIL.as_ptr()
}

/// Chains and the switch that leads to them. The default: there was no memory for any.
#[derive(Debug, Default)]
pub struct Linked {
    pub(super) words: Vec<u64>,
    /// What calls that came too early to build the next one have paid for it, in clauses. Under the predicate's lock.
    pub(super) paid: usize,
    /// The clauses that it was built of, or there were when that was last refused.
    pub(super) clauses: usize,
    /// Its chains are in `words`, whose first words lead here.
    pub(super) _switch: Option<Box<Switch>>,
}

// SAFETY: immutable; the clauses that it leads to are shared by all threads.
unsafe impl Send for Linked {}

impl Linked {
    /// Addresses of the chains.
    pub(crate) fn code_range(&self) -> std::ops::Range<usize> {
        let start = self.words.as_ptr() as usize;
        start..start + size_of_val(&*self.words)
    }
}

impl Drop for Linked {
    fn drop(&mut self) {
        instr::poison(&mut self.words);
    }
}

/// The alternatives of a chain that are still to be tried by a choicepoint with this alternative: the address of each and of its
/// clause's code; none if it is not inside of a chain.
///
/// # Safety
/// `alternative` is that of a choicepoint.
pub unsafe fn rest_of_chain(alternative: *const u64) -> impl Iterator<Item = (usize, usize)> {
    let mut next = Some(alternative);
    std::iter::from_fn(move || {
        let at = next.take()?;
        // SAFETY: the caller's promise; a chain goes on until `Trust`, and is kept as long as a choicepoint refers to it.
        unsafe {
            match instr::op(*at) {
                Op::Retry => next = Some(at.add(2)),
                Op::Trust => {}
                _ => return None,
            }
            Some((at as usize, *at.add(1) as usize))
        }
    })
}

impl Retire for Linked {
    fn bytes(&self) -> usize {
        self.code_range().len()
    }
    fn born(&self) -> Option<u64> {
        // No walk comes to entry code.
        None
    }
    fn fate(&self) -> Fate {
        Fate::Frames
    }
    fn code(&self) -> Range<usize> {
        self.code_range()
    }
}
