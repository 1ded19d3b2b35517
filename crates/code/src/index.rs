//! First-argument switches of static predicates: from a predicate's clauses to entry code.
//!
//! A [`Switch`] tells a variable, each constant and each functor apart and holds for each a *chain*: the code of the only
//! clause, or `Try`/`Retry`/`Trust` instructions over several, or `Fail`. Built when the predicate is first called after a
//! change; immutable. Superseded switches stay: choicepoints and running calls may refer to them, and static code
//! changes rarely.

use crate::instr::{Op, word};
use crate::predicate::{ANY_KEY, Clause, Predicate, generation};
use rustc_hash::FxHashMap;

/// See the module text.
#[derive(Debug)]
pub struct Switch {
    /// For an unbound first argument: all clauses.
    pub variable: *const u64,
    /// For a list cell.
    pub list: *const u64,
    /// For keys not in the table: the clauses with a variable there.
    pub other: *const u64,
    mask: usize,
    /// Open addressing: key (0: free) and chain.
    table: Box<[(u64, *const u64)]>,
}

#[inline]
fn spread(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
}

impl Switch {
    /// The chain of a key.
    #[inline]
    pub fn get(&self, key: u64) -> *const u64 {
        let mut i = spread(key) & self.mask;
        loop {
            let (k, chain) = self.table[i];
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

/// Code that tries the clauses in order.
fn chain(clauses: &[&'static Clause], arity: usize) -> *const u64 {
    match clauses {
        [] => fail_code(),
        [only] => only.code(),
        _ => {
            let mut code = Vec::with_capacity(clauses.len() * 2);
            for (i, c) in clauses.iter().enumerate() {
                let op = match i {
                    0 => Op::Try,
                    i if i + 1 == clauses.len() => Op::Trust,
                    _ => Op::Retry,
                };
                code.push(word(op, arity as u16, 0, 0));
                code.push(c.code() as u64);
            }
            Box::leak(code.into_boxed_slice()).as_ptr()
        }
    }
}

/// Builds the entry code of a static predicate and installs it. Caller must not hold the predicate's lock.
/// For a tabled predicate it becomes the body.
pub fn link(predicate: &'static Predicate) {
    let install = |code| {
        if predicate.has(crate::predicate::flag::TABLED) {
            predicate.set_body(code);
        } else {
            predicate.set_entry(code);
        }
    };
    let _w = predicate.lock();
    let clauses: Vec<&'static Clause> = predicate.visible_clauses(generation()).collect();
    let arity = predicate.arity();
    let all = chain(&clauses, arity);
    let any_key = clauses.iter().all(|c| c.key == ANY_KEY);
    if arity == 0 || any_key || clauses.len() < 2 {
        install(all);
        return;
    }
    // Clauses of each key in order; a clause with a variable belongs to every key.
    let mut keys: Vec<u64> = Vec::new();
    let mut of_key: FxHashMap<u64, Vec<&'static Clause>> = FxHashMap::default();
    let mut anywhere: Vec<&'static Clause> = Vec::new();
    for &c in &clauses {
        if c.key == ANY_KEY {
            anywhere.push(c);
            for list in of_key.values_mut() {
                list.push(c);
            }
        } else {
            of_key
                .entry(c.key)
                .or_insert_with(|| {
                    keys.push(c.key);
                    anywhere.clone()
                })
                .push(c);
        }
    }
    let size = (keys.len() * 2).next_power_of_two().max(4);
    let mut table = vec![(ANY_KEY, std::ptr::null()); size].into_boxed_slice();
    let other = chain(&anywhere, arity);
    let mut list = other;
    for k in keys {
        let code = chain(&of_key[&k], arity);
        if k == crate::predicate::LIST_KEY {
            list = code;
        }
        let mut i = spread(k) & (size - 1);
        while table[i].0 != ANY_KEY {
            i = (i + 1) & (size - 1);
        }
        table[i] = (k, code);
    }
    let switch = Box::leak(Box::new(Switch {
        variable: all,
        list,
        other,
        mask: size - 1,
        table,
    }));
    let code = Box::leak(Box::new([
        word(Op::Switch, arity as u16, 0, 0),
        std::ptr::from_ref(switch) as u64,
    ]));
    install(code.as_ptr());
}
