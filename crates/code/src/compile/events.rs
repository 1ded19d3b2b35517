//! The body of a clause as a row of events.
//!
//! A body is a tree of control constructs; here it is written down from left to right, with marks where constructs begin, where
//! their branches meet and where they end, so that neither the analysis nor code generation nor dropping the result recurses, however
//! deep a clause is nested. The *position* of a goal or mark is its number in that row, plus 1: the head is at 0.
//!
//! Equation: the marks of a construct at `b` are `Or < Next* < End`, `If < Then < Else < End` or `Not < End`, properly nested, and each
//! branch has at least one goal.

use crate::db::predicate::Predicate;
use crate::instr::Op;
use samite_term::{Atom, TermRef, atoms};
use std::ops::Range;

/// Number of a variable of the clause.
pub(super) type Var = u32;

/// A position.
pub(super) type At = u32;

/// The arguments of a goal: where they are in [`super::analyse::Analysis::terms`]. There, and not each goal's in a place of its own: most clauses
/// have many goals of few arguments, and all of them go together.
#[derive(Clone, Copy)]
pub(super) struct Terms {
    pub from: u32,
    pub n: u16,
}

impl Terms {
    pub fn range(self) -> Range<usize> {
        let from = self.from as usize;
        from..from + usize::from(self.n)
    }
}

/// Which of those that [`super::analyse::Analysis::qualify`] knows says what of a call's arguments gets a module; 0: nothing does.
pub(super) type Qualified = u32;

/// Arguments to be qualified with a module.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Qualify {
    pub module: Atom,
    /// Bit `i`: argument `i` is a goal of the module and gets qualified with it.
    pub mask: u64,
    /// Those of them that are, whatever module they name themselves.
    pub always: u64,
}

impl Qualify {
    pub const NONE: Qualify = Qualify {
        module: atoms::USER,
        mask: 0,
        always: 0,
    };
}

/// A goal that is no control construct.
pub(super) enum Goal<'a> {
    True,
    Fail,
    /// Cut of the clause.
    Cut,
    /// Cut to the barrier in a variable.
    CutTo(Var),
    /// A call.
    Call(&'static Predicate, Terms, Qualified),
    /// A pure builtin in place.
    Inline(&'static Predicate, Terms),
    /// `arg/3`.
    Arg(&'static Predicate, Terms),
    Unify(TermRef<'a>, TermRef<'a>),
    /// The argument is what the rule's head says, which does not bind it.
    Match(Var, TermRef<'a>),
    /// The rule's head or guard has failed: on to the next rule; if there is none, to the error.
    NoRule(&'static Predicate),
    /// The rule ends, which has committed to nothing: its own choicepoint, in the variable, goes if it is the newest.
    EndRule(Var),
    /// What remains of the clause, which is the predicate's, is to succeed without a choicepoint.
    Guard(&'static Predicate),
    Test1(Op, TermRef<'a>),
    Test2(Op, TermRef<'a>, TermRef<'a>),
    Compare(Op, TermRef<'a>, TermRef<'a>),
    Is(TermRef<'a>, TermRef<'a>),
}

impl Goal<'_> {
    /// A test that leaves nothing behind: no choicepoint, no binding, no call.
    pub fn is_test(&self) -> bool {
        matches!(
            self,
            Goal::Test1(..)
                | Goal::Test2(..)
                | Goal::Compare(..)
                | Goal::Match(..)
                | Goal::True
                | Goal::Fail
        )
    }
}

/// An if-then-else or a negation.
#[derive(Clone, Copy)]
pub(super) struct Condition {
    /// Variable for the choicepoints before the condition.
    pub barrier: Var,
    /// Barrier of cuts in the condition; used if it occurs.
    pub local: Var,
    pub soft: bool,
    /// There is something that would have been done otherwise (see [`crate::instr::DECIDES`]).
    pub decides: bool,
    /// All goals of the condition are tests.
    pub test: bool,
}

pub(super) enum Event<'a> {
    Goal(Goal<'a>),
    /// A disjunction begins with its first alternative; `next` is the mark that ends that.
    Or {
        next: At,
        end: At,
        /// It is about whether a rule of single-sided unification is the one; the only alternative is that it is not.
        rule: bool,
    },
    /// The next alternative; `next` is the mark that ends it, and the disjunction's `End` for the last one.
    Next {
        next: At,
    },
    /// The condition of an if-then-else.
    If {
        condition: Condition,
        then: At,
        otherwise: At,
        end: At,
    },
    Then,
    Else,
    /// A negated goal.
    Not {
        condition: Condition,
        end: At,
    },
    /// The end of the construct that began last and has not ended.
    End,
}

const _: () = assert!(size_of::<Event>() <= 32, "long clauses have many");

/// Whether a clause cut that comes after a call needs the barrier in a variable.
pub(super) fn needs_barrier(events: &[Event]) -> bool {
    // Whether a call precedes; at open constructs, whether one precedes each branch, and whether one is in a branch that has ended.
    let mut called = false;
    let mut open: Vec<(bool, bool, bool)> = Vec::new();
    for e in events {
        match e {
            Event::Goal(Goal::Call(..)) => called = true,
            Event::Goal(Goal::Cut) if called => return true,
            Event::Goal(_) | Event::Then => {}
            Event::Or { .. } | Event::If { .. } => open.push((called, false, false)),
            Event::Not { .. } => open.push((called, false, true)),
            Event::Next { .. } | Event::Else => {
                if let Some((before, after, _)) = open.last_mut() {
                    *after |= called;
                    called = *before;
                }
            }
            Event::End => {
                if let Some((before, after, not)) = open.pop() {
                    called = if not { before } else { called | after };
                }
            }
        }
    }
    false
}

/// The instruction for a goal of one argument that tests its type.
pub(super) fn type_test(name: Atom) -> Option<Op> {
    Some(match name {
        atoms::VAR => Op::TestVar,
        atoms::ATOM => Op::TestAtom,
        atoms::INTEGER => Op::TestInteger,
        atoms::FLOAT => Op::TestFloat,
        atoms::NUMBER => Op::TestNumber,
        atoms::ATOMIC => Op::TestAtomic,
        atoms::COMPOUND => Op::TestCompound,
        atoms::CALLABLE => Op::TestCallable,
        atoms::STRING => Op::TestString,
        _ if name.as_str() == "nonvar" => Op::TestNonvar,
        _ => return None,
    })
}

/// The instruction for a comparison of numbers.
pub(super) fn comparison(name: Atom) -> Option<Op> {
    Some(match name {
        atoms::NUM_EQ => Op::CmpEq,
        atoms::NUM_NE => Op::CmpNe,
        atoms::NUM_LT => Op::CmpLt,
        atoms::NUM_LE => Op::CmpLe,
        atoms::NUM_GT => Op::CmpGt,
        atoms::NUM_GE => Op::CmpGe,
        _ => return None,
    })
}

/// The instruction for a comparison of terms.
pub(super) fn term_test(name: Atom) -> Option<Op> {
    Some(match name {
        atoms::IDENTICAL => Op::TestIdentical,
        atoms::NOT_IDENTICAL => Op::TestNotIdentical,
        atoms::NOT_EQUALS => Op::TestNotUnifiable,
        _ => return None,
    })
}
