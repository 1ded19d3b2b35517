//! Code addresses inside the machine: resume points of frames and alternatives of choicepoints that are not compiled code.
//!
//! Each is one `Internal` instruction in a static array, so that a frame or choicepoint refers to it like to any code.

use samite_code::instr::{Op, word};
use samite_term::Cell;

/// A resume point or alternative; the comment says what its frame slots or choicepoint arguments are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum Internal {
    /// Frame: the query has a solution.
    Solution,
    /// Choicepoint: the query has no more solutions.
    NoMore,
    /// Frame [goal, barrier, module]: go on with the second goal of a conjunction.
    Conjunction,
    /// Frame [mark, goal, barrier, module]: cut the condition, go on with "then".
    Then,
    /// The same for `*->`.
    SoftThen,
    /// Frame [mark]: the negated goal succeeded: cut and fail.
    NotFail,
    /// Choicepoint [goal, barrier, module]: the other side of a disjunction.
    Otherwise,
    /// Choicepoint []: the negated goal failed: go on.
    NotTrue,
    /// Choicepoint [catcher, recovery, masks]: a `catch/3` without more solutions.
    Catch,
    /// The same for `'$catch_all'/3`, which stops an abort.
    CatchAll,
    /// Frame [choicepoint]: the goal of a `catch/3` succeeded.
    CatchExit,
    /// Frame [template, number]: a solution of a `findall/3` goal.
    Collect,
    /// Choicepoint [list, tail]: the `findall/3` goal has no more solutions.
    Collected,
    /// Choicepoint []: a goal whose output is redirected failed.
    Redirected,
    /// Frame [choicepoint, number, text]: it succeeded.
    RedirectedExit,
    /// Choicepoint [cleanup, catcher, module, masks, way out]: Setup of `setup_call_cleanup/3` failed.
    SetupFailed,
    /// Frame [choicepoint, goal]: it succeeded.
    SetupDone,
    /// Choicepoint [cleanup, catcher, module, masks, way out]: the goal of `setup_call_cleanup/3` failed.
    Cleanup,
    /// Frame [choicepoint]: it succeeded.
    CleanupExit,
    /// Choicepoint [masks]: the goal of `sig_atomic/1` failed.
    AtomicFailed,
    /// Choicepoint [masks], of a handler that a whole cut sets off [masks, barrier]: a cleanup handler or the goal of a signal failed: go on.
    HandlerFailed,
    /// Frame [choicepoint of one of these two], with the masks as well if it is `sig_atomic/1`: it succeeded: drop its choicepoints, go on.
    AtomicExit,
    /// The same, and what the goal throws ends at its choicepoint: it comes after the cut that there may be in it, or after the exception that
    /// is on its way.
    QuietExit,
    /// Frame []: a handler ran before an exception went on: it goes on.
    Rethrow,
    /// Frame []: a cleanup handler ran after failure: fail.
    ThenFail,
    /// Frame [mark, `Once`]: drop choicepoints of a goal run as `once/1`, go on.
    OnceExit,
    /// Choicepoint []: a goal whose failure is ignored failed: go on.
    IgnoreFailure,
    /// Frame [predicate, arguments…]: enter the predicate, which was interrupted at its entry by an event.
    Interrupted,
    /// Frame [subgoal, template]: an answer of a tabled goal.
    Answer,
    /// Frame [subgoal, template, values, event]: the goals that join an answer's values with those in the table succeeded.
    Joined,
    /// Choicepoint [caller's template, subgoal, index]: the clauses of a tabled goal are exhausted.
    Complete,
    /// Choicepoint [template, subgoal, next answer, generation]: more answers of a completed table.
    Answers,
    /// Choicepoint [previous barrier]: the next consumer or answer of the SCC that is being completed.
    Resume,
    /// Frame [result], on that of a `\=`: it has been decided.
    Decided,
    /// Choicepoint []: cut off by a soft cut: fail.
    Dead,
}

/// What the goal of an `OnceExit` frame is run for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i64)]
pub enum Once {
    /// It is the condition of `->/2`.
    Condition,
    /// Its first solution.
    Solution,
    /// Its effect: it is not run again, nor what comes after it.
    Effect,
}

impl Once {
    /// As a slot.
    pub fn cell(self) -> Cell {
        Cell::small(self as i64)
    }
}

const N: usize = Internal::Dead as usize + 1;

static CODE: [u64; N] = {
    let mut c = [0; N];
    let mut i = 0;
    while i < N {
        c[i] = word(Op::Internal, i as u16, 0, 0);
        i += 1;
    }
    c
};

/// The code address of an internal point.
#[inline(always)]
pub fn code(i: Internal) -> *const u64 {
    &raw const CODE[i as usize]
}

/// The internal point of an `Internal` instruction's number.
pub fn of_number(n: usize) -> Internal {
    assert!(n < N);
    // SAFETY: every number below `N` is an `Internal`.
    unsafe { std::mem::transmute::<u16, Internal>(n as u16) }
}
