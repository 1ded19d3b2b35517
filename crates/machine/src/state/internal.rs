//! Code addresses inside the machine: resume points of frames and alternatives of choicepoints that are not compiled code.
//!
//! Each is one `Internal` instruction in a static array, so that a frame or choicepoint refers to it like to any code.

use samite_code::instr::{Op, word};
use samite_term::Cell;

/// What a frame or choicepoint of the machine's own holds, by name.
pub trait Point: Sized {
    const POINT: Internal;
    /// What `f` makes of the cells, in the order in which they are kept.
    fn with<R>(self, f: impl FnOnce(&[Cell]) -> R) -> R;
    /// From cell `i` for each `i` in order.
    fn read(cell: impl Fn(usize) -> Cell) -> Self;
}

/// One that a frame is made of.
pub trait Frame: Point {}

/// One that a choicepoint is made of.
pub trait Alternative: Point {}

/// A row: `frame` or `choice`, its name, its cells; `varies` if these are not always the same.
macro_rules! points {
    ($($(#[$doc:meta])* $kind:ident $name:ident [$($cell:ident),*];)*) => {
        /// A resume point or alternative. What its frame or choicepoint holds is the type of the same name in [`cells`].
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u16)]
        pub enum Internal {
            $($(#[$doc])* $name,)*
        }
        const N: usize = [$(Internal::$name),*].len();
        /// What frames and choicepoints hold.
        pub mod cells {
            use super::*;
            $(points!(@cells $kind $name [$($cell),*] $(#[$doc])*);)*
        }
    };
    (@cells varies $($rest:tt)*) => {};
    (@cells $kind:ident $name:ident [$($cell:ident),*] $(#[$doc:meta])*) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name {
            $(pub $cell: Cell,)*
        }
        impl Point for $name {
            const POINT: Internal = Internal::$name;
            #[inline(always)]
            fn with<R>(self, f: impl FnOnce(&[Cell]) -> R) -> R {
                f(&[$(self.$cell),*])
            }
            #[inline(always)]
            #[allow(unused, reason = "there may be none")]
            fn read(cell: impl Fn(usize) -> Cell) -> $name {
                let mut i = 0..;
                $(let $cell = cell(i.next().unwrap_or(0));)*
                $name { $($cell),* }
            }
        }
        points!(@kind $kind $name);
    };
    (@kind frame $name:ident) => {
        impl Frame for $name {}
    };
    (@kind choice $name:ident) => {
        impl Alternative for $name {}
    };
}

points! {
    /// The query has a solution: drop its choicepoints, stop.
    frame Solution [goal, mark];
    /// The query has no more solutions.
    choice NoMore [];
    /// Go on with the second goal of a conjunction.
    frame Conjunction [goal, barrier, module];
    /// Cut the condition, go on with "then".
    frame Then [mark, goal, barrier, module];
    /// The same for `*->`.
    frame SoftThen [mark, goal, barrier, module];
    /// The negated goal succeeded: cut and fail.
    frame NotFail [mark];
    /// The other side of a disjunction.
    choice Otherwise [goal, barrier, module];
    /// The negated goal failed: go on.
    choice NotTrue [];
    /// A `catch/3` without more solutions.
    choice Catch [catcher, recovery, masks];
    /// The same for `'$catch_all'/3`, which stops an abort.
    choice CatchAll [catcher, recovery, masks];
    /// The goal of a `catch/3` succeeded. (Its other arguments are for `shift/1`: bound as they are inside the goal.)
    frame CatchExit [choicepoint, catcher, recovery];
    /// The goal of a `reset/3` succeeded.
    frame ResetExit [ball, continuation];
    /// A solution of a `findall/3` goal.
    frame Collect [template, number];
    /// The `findall/3` goal has no more solutions.
    choice Collected [list, tail];
    /// A goal whose output is redirected failed.
    choice Redirected [];
    /// It succeeded.
    frame RedirectedExit [choicepoint, number, text];
    /// The goal of `'$within_inferences'/3` failed: the limit of inferences is the one around it again.
    choice Limited [outer];
    /// It succeeded.
    frame LimitedExit [choicepoint, outer, left];
    /// The goal of `'$within_depth'/3` failed: the limit of depth is the one around it again.
    choice DepthLimited [outer, reached, result];
    /// It succeeded.
    frame DepthExit [choicepoint, outer, reached, result];
    /// It is to have another solution: its limit is in force again; fail.
    choice DepthAgain [most];
    /// A call within a limit of depth has succeeded: go on. What runs above it is at that level.
    frame Deeper [level];
    /// A transparent predicate has succeeded that ran with this module as its context: go on.
    frame Context [module];
    /// The goal of a transaction succeeded: go on. What is inside stays inside: see `state/transactions.rs`.
    frame TransactionExit [depth];
    /// Choicepoint of `control/cleanup.rs`: Setup of `setup_call_cleanup/3` failed.
    varies SetupFailed [];
    /// It succeeded.
    frame SetupDone [choicepoint, goal];
    /// The same choicepoint: the goal of `setup_call_cleanup/3` failed.
    varies Cleanup [];
    /// It succeeded.
    frame CleanupExit [choicepoint];
    /// The goal of `sig_atomic/1` failed.
    choice AtomicFailed [masks];
    /// Choicepoint [masks], of a handler that a whole cut sets off [masks, barrier]: a cleanup handler, the goal of a signal or one run for its effect failed: go on.
    varies HandlerFailed [];
    /// Frame [choicepoint of one of these two], with the masks as well if it is `sig_atomic/1`: it succeeded: drop its choicepoints, go on.
    varies AtomicExit [];
    /// The same, and what the goal throws ends at its choicepoint: it comes after the cut that there may be in it, or after the exception that
    /// is on its way.
    frame QuietExit [choicepoint];
    /// A handler ran before an exception went on: it goes on.
    frame Rethrow [];
    /// A cleanup handler ran after failure: fail.
    frame ThenFail [];
    /// Drop choicepoints of a goal run as `once/1`, go on; `why` is a [`Once`].
    frame OnceExit [mark, why];
    /// Frame [predicate, arguments…]: enter the predicate, which was interrupted at its entry by an event.
    varies Interrupted [];
    /// An answer of a tabled goal.
    frame Answer [subgoal, template];
    /// The goals that join an answer's values with those in the table succeeded.
    frame Joined [subgoal, template, values, event];
    /// The clauses of a tabled goal are exhausted; the template is the caller's.
    choice Complete [template, subgoal, index];
    /// More answers of a completed table.
    choice Answers [template, subgoal, next, generation];
    /// More answers of one that may fit a call, and how they are found (`engine/tabling/selection.rs`).
    choice Selected [template, subgoal, next, generation, way];
    /// The next consumer or answer of the SCC that is being completed.
    choice Resume [barrier];
    /// On that of a `\=`: it has been decided.
    frame Decided [result];
    /// What is to succeed without a choicepoint has succeeded ([`Looked`]).
    frame DetExit [choicepoint];
    /// It has failed; `name` is the predicate, or the goal.
    choice DetFail [kind, name];
    /// Cut off by a soft cut: fail.
    choice Dead [];
    /// The goal of an engine has a solution.
    frame EngineAnswer [template, mark];
    /// An engine is destroyed: leave its goal.
    frame EngineEnd [mark];
}

/// Why it is looked at whether something succeeds without a choicepoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i64)]
pub enum Looked {
    /// The predicate is declared so.
    Property,
    /// A clause of the predicate has come to `$/0`.
    Guard,
    /// It is the goal of `$/1`.
    Goal,
}

impl Looked {
    /// As a slot.
    pub fn cell(self) -> Cell {
        Cell::small(self as i64)
    }
}

/// What the goal of an `OnceExit` frame is run for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i64)]
pub enum Once {
    /// It is the condition of `->/2`.
    Condition,
    /// Its first solution.
    Solution,
}

impl Once {
    /// As a slot.
    pub fn cell(self) -> Cell {
        Cell::small(self as i64)
    }
}

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
