//! Entry code of static predicates: chains of clauses, and the switch on the first argument that leads to them. Built by [`super::link`]; immutable.

use super::key::{ANY_KEY, spread};
use super::masks::Masks;
use super::retire::{Fate, Retire};
use crate::instr::{self, Op, word};
use samite_term::common;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

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

/// The operand of a `Select` whose clauses are told apart by the first argument alone; 0: nobody has looked yet.
const NOTHING: u64 = 1;

/// What a `Select` looks at, made now if nobody has wanted it before and somebody does; `None`: it has nothing to look at.
///
/// # Safety
/// `select` is at such an instruction, of a chain that is not freed meanwhile.
#[inline]
pub unsafe fn masks_of<'a>(
    select: *const u64,
    is_wanted: impl FnOnce() -> bool,
) -> Option<&'a Masks> {
    // SAFETY: the caller's promise; the operand is never read but as an atomic, nor changed but here.
    let operand = unsafe { AtomicU64::from_ptr(select.add(1).cast_mut()) };
    // Acquire: pairs with the release below.
    let mut word = operand.load(Ordering::Acquire);
    if word == 0 {
        if !is_wanted() {
            return None;
        }
        // SAFETY: behind it and its `SelectNext` is the chain.
        let made = unsafe { Masks::of_chain(select.add(SELECT), instr::a(*select)) };
        let new = keep(made);
        word = match operand.compare_exchange(0, new, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => new,
            Err(word) => {
                // SAFETY: nobody has seen it.
                unsafe { forget(new) };
                word
            }
        };
    }
    // SAFETY: it was made by `keep`.
    (word != NOTHING).then(|| unsafe { &*(word as *const Masks) })
}

/// What stands in the operand.
fn keep(masks: Option<Masks>) -> u64 {
    masks.map_or(NOTHING, |masks| {
        common::charge_unasked(masks.bytes());
        Box::into_raw(Box::new(masks)).expose_provenance() as u64
    })
}

/// # Safety
/// `operand` is that of a `Select` that nobody looks at any more.
unsafe fn forget(operand: u64) {
    if operand > NOTHING {
        let masks = std::ptr::with_exposed_provenance_mut::<Masks>(operand as usize);
        // SAFETY: made by `keep`.
        let masks = unsafe { Box::from_raw(masks) };
        common::release_unasked(masks.bytes());
    }
}

/// Words of a `Select` and the `SelectNext` behind it.
pub(super) const SELECT: usize = 3;

/// Appends a `Select` by these arguments, which the chain is to follow.
pub(super) fn push_select(words: &mut Vec<u64>, arity: usize, arguments: &[u16]) {
    let all = arguments.len() <= 2;
    let pick = |i: usize| arguments.get(i).or(arguments.last()).copied().unwrap_or(0);
    let (b, c) = if all {
        (pick(0), pick(1))
    } else {
        (instr::ANY, 0)
    };
    words.push(word(Op::Select, arity as u16, b, c));
    words.push(0);
    words.push(word(Op::SelectNext, arity as u16, 0, 0));
}

impl Drop for Linked {
    fn drop(&mut self) {
        let mut at = 0;
        while at < self.words.len() {
            if instr::op(self.words[at]) == Op::Select {
                // SAFETY: nobody comes here any more.
                unsafe { forget(self.words[at + 1]) };
            }
            at += instr::length(self.words[at]);
        }
        instr::poison(&mut self.words);
    }
}

/// The alternatives of a chain that are still to be tried by a choicepoint with this alternative, or may be: the address of each and of its
/// clause's code; none if it is not inside of a chain.
///
/// # Safety
/// `alternative` is that of a choicepoint.
pub unsafe fn rest_of_chain(alternative: *const u64) -> impl Iterator<Item = (usize, usize)> {
    // SAFETY: the caller's promise; behind a `SelectNext` is its chain.
    let first = unsafe {
        match instr::op(*alternative) {
            // Which of them are left is in the choicepoint: all of them, here.
            Op::SelectNext => alternative.add(1),
            _ => alternative,
        }
    };
    let mut next = Some(first);
    std::iter::from_fn(move || {
        let at = next.take()?;
        // SAFETY: the caller's promise; a chain goes on until `Trust`, and is kept as long as a choicepoint refers to it.
        unsafe {
            match instr::op(*at) {
                Op::Try if at == first => next = Some(at.add(2)),
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
