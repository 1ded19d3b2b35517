//! Guards: what of a clause can be decided before a choicepoint for the clauses after it is made.
//!
//! `max(X, Y, X) :- X >= Y, !.` binds its head before it compares; but `tak(X, Y, Z, A) :- X =< Y, !, Z = A.` compares what it was called with, and then
//! cuts: if the test holds the other clauses are out, if not nothing has been done. A chain begins with copies of such tests, which go to
//! the rest of the chain where they fail, and behind the clause's cut where they hold ([`super::link`]). The choicepoint is not made at all: *shallow
//! backtracking* as in SB-Prolog and Aquarius (Van Roy, *Can Logic Programming Execute as Fast as Imperative Programming?*, 1990, §4).
//!
//! A guard is what stands in a clause's code before its first instruction `cut_neck`, if that is nothing but
//! - tests of what is there, that fail by backtracking only, or to the next rule of single-sided unification,
//! - instructions that put something into registers above the arguments, without binding or failing,
//! - and the match of the first argument where the chain is of clauses with that key: there it cannot bind nor fail.
//!
//! *Invariant*: a copy leaves the arguments, the choicepoints and the bindings as they are until it goes on behind the cut, where the registers hold what the
//! clause itself would have put there. B is B0 there, so the cut would have done nothing. There is no safe point in it.

use super::key::{ANY_KEY, LIST_KEY, is_box};
use crate::instr::{self, Op, Operand};

/// Longer ones are not copied: that is no test any more, and there may be a copy for each key.
const LONGEST: usize = 32;

/// See the module text.
pub(super) struct Guard {
    words: Vec<u64>,
    /// Where in `words` a test may fail: the instruction, and the word whose upper half becomes the label.
    exits: Vec<(usize, usize)>,
    /// The clause's code behind the cut.
    pub rest: *const u64,
}

impl Guard {
    /// The guard of a clause with this code, for calls whose first argument has this key, or any.
    ///
    /// # Safety
    /// `code` is that of a clause of a predicate with so many arguments, which is not freed meanwhile.
    pub unsafe fn of(code: *const u64, arity: usize, key: u64) -> Option<Guard> {
        let mut guard = Guard {
            words: Vec::new(),
            exits: Vec::new(),
            rest: code,
        };
        let own = |register: usize| register >= arity;
        loop {
            let at = guard.rest;
            // SAFETY: the caller's promise: instruction follows instruction, and the last is none of those that are passed here.
            let w = unsafe { *at };
            let op = instr::op(w);
            let copied = match op {
                Op::CutNeck => {
                    // SAFETY: a cut has one word, and is not the last.
                    guard.rest = unsafe { at.add(1) };
                    return Some(guard);
                }
                Op::GetConst | Op::MatchConst
                    // SAFETY: its operand follows.
                    if instr::a(w) == 0 && key == unsafe { *at.add(1) } =>
                {
                    false
                }
                Op::MatchListVars if own(instr::b(w)) && own(instr::c(w)) => true,
                Op::GetListVars
                    if instr::a(w) == 0
                        && key == LIST_KEY
                        && own(instr::b(w))
                        && own(instr::c(w)) =>
                {
                    true
                }
                Op::GetList if instr::a(w) == 0 && key == LIST_KEY => true,
                // SAFETY: as above.
                Op::GetStruct if instr::a(w) == 0 && key == unsafe { *at.add(1) } => true,
                Op::UnifyVar | Op::PutConst | Op::Move if own(instr::a(w)) => true,
                Op::Evaluate if own(instr::a(w)) => true,
                _ if instr::is_operation(op) && own(instr::a(w)) => true,
                _ if is_test(op) => true,
                _ => return None,
            };
            let length = instr::length(w);
            if copied {
                // SAFETY: the words of an instruction.
                let words = unsafe { std::slice::from_raw_parts(at, length) };
                let target = instr::target(words, 0);
                // SAFETY: labels stay inside the clause.
                let backtracks =
                    || target == 0 || instr::op(unsafe { *at.offset(target) }) == Op::NoRule;
                guard.copy(words, backtracks)?;
            }
            // SAFETY: as above.
            guard.rest = unsafe { at.add(length) };
        }
    }
    /// Adds a copy of an instruction. None: it goes elsewhere when it fails, as in a condition, or it is too much.
    fn copy(&mut self, words: &[u64], backtracks: impl FnOnce() -> bool) -> Option<()> {
        let at = self.words.len();
        let op = instr::op(words[0]);
        self.words.extend_from_slice(words);
        // Nothing is bound, so nothing is woken.
        self.words[at] &= !instr::PLACE;
        // Where a match goes in write mode; here it does not.
        if is_test(op) {
            if !backtracks() {
                return None;
            }
            let in_word = instr::row(op).operands.contains(&Operand::LabelWord);
            let label = at + usize::from(in_word);
            self.words[label] &= u64::from(u32::MAX);
            self.exits.push((at, label));
        }
        (self.words.len() <= LONGEST).then_some(())
    }
    /// Whether it always holds.
    pub fn holds(&self) -> bool {
        self.exits.is_empty() && self.words.is_empty()
    }
    /// Words that [`Guard::append`] takes.
    pub fn len(&self) -> usize {
        self.words.len() + 2
    }
    /// Appends the copy to `words`: where it fails it goes on behind what is appended.
    pub fn append(&self, words: &mut Vec<u64>) {
        let start = words.len();
        words.extend_from_slice(&self.words);
        words.push(instr::word(Op::Clause, 0, 0, 0));
        words.push(self.rest as u64);
        let behind = words.len();
        for &(from, word) in &self.exits {
            let distance = behind - (start + from);
            words[start + word] |= (distance as u64) << 32;
        }
    }
}

/// Whether it is a test that neither binds nor asks anybody.
fn is_test(op: Op) -> bool {
    matches!(
        op,
        Op::TestVar
            | Op::TestNonvar
            | Op::TestAtom
            | Op::TestInteger
            | Op::TestFloat
            | Op::TestNumber
            | Op::TestAtomic
            | Op::TestCompound
            | Op::TestCallable
            | Op::TestString
            | Op::MatchConst
            | Op::MatchStruct
            | Op::MatchList
            | Op::MatchListVars
            | Op::TestIdentical
            | Op::TestNotIdentical
            | Op::CmpEq
            | Op::CmpNe
            | Op::CmpLt
            | Op::CmpLe
            | Op::CmpGt
            | Op::CmpGe
    )
}

/// The key by which a chain's clauses can rely on their first argument, if it is one by which they are told apart.
pub(super) fn relied_on(key: u64) -> u64 {
    if is_box(key) { ANY_KEY } else { key }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::instr::word;

    fn guard_of(code: &[u64], arity: usize, key: u64) -> Option<Guard> {
        // SAFETY: each ends with a cut, or what is no guard.
        unsafe { Guard::of(code.as_ptr(), arity, key) }
    }

    const CUT: u64 = word(Op::CutNeck, 0, 0, 0);
    const END: u64 = word(Op::Proceed, 0, 0, 0);

    #[test]
    fn a_test_goes_to_the_rest_of_the_chain() {
        let code = [
            word(Op::PutConst, 2, 0, 0),
            7,
            word(Op::CmpLt, 0, 2, 0) | instr::PLACE,
            0,
            word(Op::TestVar, 1, 0, 0),
            CUT,
            END,
        ];
        let guard = guard_of(&code, 2, ANY_KEY).expect("a guard");
        assert_eq!(guard.rest, &raw const code[6]);
        assert!(!guard.holds());
        let mut words = vec![0; 3];
        guard.append(&mut words);
        assert_eq!(words.len(), 3 + 5 + 2);
        // From each test behind the end.
        assert_eq!(words[5], word(Op::CmpLt, 0, 2, 0));
        assert_eq!(instr::label(words[6]), 5);
        assert_eq!(instr::label(words[7]), 3);
        assert_eq!(
            (instr::op(words[8]), words[9]),
            (Op::Clause, guard.rest as u64)
        );
    }

    #[test]
    fn what_changes_arguments_or_binds_is_no_guard() {
        let cut = |first: &[u64]| [first, &[CUT, END]].concat();
        for (code, arity) in [
            (vec![word(Op::PutConst, 1, 0, 0), 7], 2),
            (vec![word(Op::Evaluate, 1, 0, 0)], 2),
            (vec![word(Op::GetValue, 0, 1, 0)], 2),
            (vec![word(Op::GetConst, 0, 0, 0), 9], 1),
            (vec![word(Op::GetConst, 1, 0, 0), 8], 2),
            (vec![word(Op::GetListVars, 0, 1, 2)], 2),
            (vec![word(Op::TestNotUnifiable, 0, 1, 0), 0], 2),
            // A condition.
            (vec![instr::word_label(Op::TestVar, 0, 1)], 1),
        ] {
            assert!(guard_of(&cut(&code), arity, 8).is_none(), "{code:x?}");
        }
    }

    #[test]
    fn a_key_is_matched() {
        let code = [word(Op::GetConst, 0, 0, 0), 8, CUT, END];
        assert!(guard_of(&code, 1, 8).expect("a guard").holds());
        assert!(guard_of(&code, 1, 16).is_none());
        let code = [word(Op::GetListVars, 0, 1, 2), CUT, END];
        let guard = guard_of(&code, 1, LIST_KEY).expect("a guard");
        assert_eq!((guard.words.len(), guard.exits.len()), (1, 0));
    }
}
