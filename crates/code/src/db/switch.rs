//! Entry code of static predicates: chains of clauses, and the switch on the first argument that leads to them. Built by [`super::link`]; immutable.

use super::key::{ANY_KEY, MIX, spread_by};
use super::keyed::Keyed;
use super::masks::Masks;
use super::retire::{Fate, Retire};
use crate::instr::{self, Op, word};
use samite_term::common;
use samite_term::growth::{self, Refused};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// See the module text. The places of keys are told apart by the upper bits of a product (multiplicative hashing; with an odd factor chosen at random two keys
/// meet with a probability of at most 2 in so many places: Dietzfelbinger and others, A reliable randomized algorithm for the closest-pair problem, 1997). Of the
/// factors tried that one is kept by which the fewest keys stand behind their place: mostly none, so a call looks at one place.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Switch {
    /// For a list cell.
    pub list: *const u64,
    /// For an unbound first argument: all clauses.
    pub variable: *const u64,
    factor: u64,
    shift: u32,
    /// All keys stand at their places: what is not there is not in the table.
    all_at_once: bool,
    /// Open addressing: key (0: free) and chain.
    table: Box<[(u64, *const u64)]>,
    /// For keys not in the table: the clauses with a variable there.
    pub other: *const u64,
}

/// Of no more keys all should stand at their places: so many factors are tried.
const FEW_KEYS: usize = 64;
const FACTORS: usize = 32;
/// Of more it will do if they are no further behind than by a random function, by half a place on average where half of the places are taken.
const FACTORS_FOR_MANY: usize = 8;

impl Switch {
    /// A switch that leads from these keys, each different, to these chains.
    pub(super) fn new(
        variable: *const u64,
        list: *const u64,
        other: *const u64,
        chains: &[(u64, *const u64)],
    ) -> Result<Switch, Refused> {
        let size = (chains.len() * 2).next_power_of_two().max(4);
        let mut table = Vec::new();
        growth::have(&mut table, size)?;
        table.resize(size, (ANY_KEY, std::ptr::null()));
        let mut switch = Switch {
            list,
            variable,
            factor: MIX,
            shift: u64::BITS - size.trailing_zeros(),
            all_at_once: false,
            table: table.into_boxed_slice(),
            other,
        };
        let (factors, will_do) = match chains.len() {
            0..=FEW_KEYS => (FACTORS, 0),
            many => (FACTORS_FOR_MANY, many / 8 * 5),
        };
        let mut best = (usize::MAX, MIX);
        for factor in (0..factors).map(|i| spread_by(i as u64, MIX) as u64 | 1) {
            let behind = switch.fill(factor, chains);
            if behind < best.0 {
                best = (behind, factor);
            }
            if behind <= will_do {
                break;
            }
        }
        if switch.factor != best.1 {
            switch.fill(best.1, chains);
        }
        switch.all_at_once = best.0 == 0;
        Ok(switch)
    }
    /// Fills the table by a factor: how many places are looked at in vain to find each key once.
    fn fill(&mut self, factor: u64, chains: &[(u64, *const u64)]) -> usize {
        self.factor = factor;
        self.table.fill((ANY_KEY, std::ptr::null()));
        let mut behind = 0;
        for &(key, chain) in chains {
            let mut i = self.place(key);
            while self.table[i].0 != ANY_KEY {
                i = (i + 1) & (self.table.len() - 1);
                behind += 1;
            }
            self.table[i] = (key, chain);
        }
        behind
    }
    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        (key.wrapping_mul(self.factor) >> self.shift) as usize
    }
    /// The chain of a key, if one look tells.
    #[inline(always)]
    pub fn at_once(&self, key: u64) -> Option<*const u64> {
        // SAFETY: the table has as many places as `shift` leaves.
        let &(k, chain) = unsafe { self.table.get_unchecked(self.place(key)) };
        if k == key {
            Some(chain)
        } else {
            self.all_at_once.then_some(self.other)
        }
    }
    /// The chain of a key.
    pub fn get(&self, key: u64) -> *const u64 {
        let mut i = self.place(key);
        loop {
            // (Some places are free.)
            match self.table[i] {
                (k, chain) if k == key => return chain,
                (ANY_KEY, _) => return self.other,
                _ => i = (i + 1) & (self.table.len() - 1),
            }
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
    /// What the chain of all clauses is walked by, if it is.
    pub(super) keyed: Option<Box<Keyed>>,
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

/// Words of a `Select` and the `SelectNext` behind it; of a `Keyed` and its `KeyedNext`.
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

/// Appends a `Keyed`, which the chain is to follow.
pub(super) fn push_keyed(words: &mut Vec<u64>, arity: usize, keyed: &Keyed) {
    words.push(word(Op::Keyed, arity as u16, 0, 0));
    words.push(std::ptr::from_ref(keyed) as u64);
    words.push(word(Op::KeyedNext, arity as u16, 0, 0));
}

/// The code of clause `i` of the chain behind a `Select` or a `Keyed`.
///
/// # Safety
/// `chain` is its first instruction, and it has so many.
#[inline]
pub unsafe fn code_in_chain(chain: *const u64, i: usize) -> *const u64 {
    // SAFETY: the caller's promise; each has two words.
    unsafe { *chain.add(2 * i + 1) as *const u64 }
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
    // SAFETY: the caller's promise; behind a `SelectNext` or `KeyedNext` is its chain.
    let first = unsafe {
        match instr::op(*alternative) {
            // Which of them are left is in the choicepoint: all of them, here.
            Op::SelectNext | Op::KeyedNext => alternative.add(1),
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
        self.code_range().len() + self.keyed.as_ref().map_or(0, |keyed| keyed.bytes())
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

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn verify(keys: &[u64]) -> usize {
        let words = vec![0; keys.len() + 1];
        let address = |i: usize| words[i..].as_ptr();
        let chains: Vec<_> = keys
            .iter()
            .enumerate()
            .map(|(i, &k)| (k, address(i)))
            .collect();
        let none = address(keys.len());
        let switch = Switch::new(none, none, none, &chains).expect("no memory");
        let mut at_once = 0;
        for &(key, chain) in &chains {
            assert_eq!(switch.get(key), chain);
            if let Some(found) = switch.at_once(key) {
                assert_eq!(found, chain);
                at_once += 1;
            }
        }
        for key in [1, 3, u64::MAX, 0x1234_5678_9abc_def5] {
            if !keys.contains(&key) {
                let at_once = (at_once == keys.len()).then_some(none);
                assert_eq!((switch.get(key), switch.at_once(key)), (none, at_once));
            }
        }
        at_once
    }

    #[test]
    fn few_keys_stand_at_their_places() {
        for n in 0..8u64 {
            for shift in [3, 8, 16, 24, 32, 40, 48, 56] {
                let keys: Vec<u64> = (1..=n).map(|i| i << shift | 5).collect();
                assert_eq!(verify(&keys), n as usize, "{n} keys, shift {shift}");
            }
        }
    }

    #[test]
    fn most_of_many_keys_do() {
        let most = if cfg!(miri) { 300 } else { 30_000 };
        for shift in [3, 8, 16, 24, 32, 40] {
            let n = most.min(1u64 << (63 - shift).min(16));
            let keys: Vec<u64> = (1..=n).map(|i| i << shift | 5).collect();
            assert!(5 * verify(&keys) > 2 * keys.len(), "shift {shift}");
        }
    }
}
