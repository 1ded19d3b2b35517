//! The instructions: one function each, called *handlers*.
//!
//! A handler does its work and ends by calling [`next`], which calls the handler of the next instruction: in an optimised build
//! that is a jump (a sibling call with the same signature), so the machine registers `pc`, `H`, `K` and `E` stay in processor registers
//! from one instruction to the next, and each instruction has a dispatch of its own that the processor predicts separately. In a debug
//! build `next` returns to [`Worker::run`], which calls the next handler: no native stack is needed in either.
//! A handler that has to leave the straight path (an error, a control predicate, …) stores in `went` where to go
//! ([`Worker::leave`]) and returns.
//!
//! Everything that is called with `&mut Worker` finds `H` and `K` in the machine (`save`) and may have changed them when it comes
//! back. A value that needs to be dropped must not be alive, nor a local's address be known elsewhere, where a handler calls
//! `next`: the call would not become a jump. `tools/check-tail-calls` looks at the machine code for that.
//!
//! SAFETY of all handlers, promised by whoever calls one: `pc` is at a word made by the compiler of `samite-code`, so registers
//! are below `REGISTERS`, slots inside the frame, constants are immediate cells, and labels stay inside the clause; `x` is
//! the machine's registers; terms in registers are terms of its heap; `k` and `e` are frames (`e` where the code reads slots). Cells pushed at
//! `h` between two safe points are fewer than the margin that safe points keep free.

pub(crate) mod arith;
pub(crate) mod build;
pub(crate) mod control;
pub(crate) mod fused;
pub(crate) mod select;
pub(crate) mod test;
pub(crate) mod unify;

use crate::engine::going::Go;
use crate::engine::worker::{At, Between, How, Pc, Worker};
use crate::error::Throw;
use samite_code::instr::FUSED;
use samite_code::instr::{self, Op};
use samite_code::predicate::Predicate;
use samite_term::Cell;

/// An instruction's function: machine, `pc`, `H`, `K`, `E`; see the module text. (No address of `X`, which is at a fixed
/// distance from the machine: of the processor's registers for arguments one is left to the handler.)
pub(crate) type Handler = unsafe fn(&mut Worker, Pc, At, At, At);

/// Goes on with the instruction at `pc`.
///
/// # Safety
/// See the module text.
#[inline(always)]
pub(crate) unsafe fn next(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    if cfg!(debug_assertions) {
        // The word that safe points look at goes with the nursery, which a collection may replace.
        assert!(
            m.heap.start() <= h && h <= m.heap.end(),
            "H is outside of the nursery"
        );
        let how = How::Straight;
        m.between = Some(Between { pc, h, k, e, how });
    } else {
        // SAFETY: promised by the caller.
        unsafe { HANDLERS[usize::from(*pc as u8)](m, pc, h, k, e) }
    }
}

/// Backtracks: what every handler does on failure.
///
/// # Safety
/// See the module text.
#[inline(never)]
pub(crate) unsafe fn fail(m: &mut Worker, pc: Pc, _h: At, k: At, e: At) {
    m.failed = (pc, k);
    let pc = m.backtrack();
    let (h, k) = (m.heap.h(), m.k);
    // SAFETY: the alternative of a choicepoint is code.
    unsafe { next(m, pc, h, k, e) }
}

/// Goals were woken: goes on with the instruction at `pc`, to where they can run.
///
/// # Safety
/// See the module text.
#[cold]
#[inline(never)]
pub(crate) unsafe fn go_on_alone(m: &mut Worker, (pc, how): (Pc, How), h: At, k: At, e: At) {
    m.between = Some(Between { pc, h, k, e, how });
}

/// Behind an instruction that was run alone.
unsafe fn alone(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    let how = How::Straight;
    m.between = Some(Between { pc, h, k, e, how });
}

/// Returns to the continuation `k`.
///
/// # Safety
/// See the module text.
#[inline(always)]
pub(crate) unsafe fn proceed_to(m: &mut Worker, h: At, k: At) {
    // SAFETY: K is a frame: its first cell says where to resume, its second is its parent.
    unsafe {
        let pc = crate::state::frame::resume_of(*k);
        let parent = (*k.add(1)).frame();
        next(m, pc, h, parent, k)
    }
}

/// Goes to the label in the upper half of `w`, counted from `pc`; label 0 is failure.
///
/// # Safety
/// See the module text.
#[inline(always)]
pub(crate) unsafe fn otherwise(m: &mut Worker, (pc, w): (Pc, u64), h: At, k: At, e: At) {
    let l = instr::label(w);
    // SAFETY: promised by the caller.
    unsafe {
        if l != 0 {
            next(m, pc.offset(l), h, k, e)
        } else {
            fail(m, pc, h, k, e)
        }
    }
}

impl Worker {
    #[inline(always)]
    pub(in crate::engine) fn save(&mut self, h: At, k: At) {
        // SAFETY: what the handlers have filled.
        unsafe { self.heap.set_h(h) };
        self.k = k;
    }
    /// Ends the run of handlers; the loop goes on with `go`.
    #[inline(always)]
    pub(in crate::engine) fn leave(&mut self, go: Result<Go, Throw>) {
        self.went = go;
    }
    /// What may fail, out of line, so that the handler itself holds nothing in memory. False: the run of handlers has ended.
    /// The closure must not capture more than two words.
    #[inline(never)]
    pub(in crate::engine) fn attempt(
        &mut self,
        f: impl FnOnce(&mut Worker) -> Result<(), Throw>,
    ) -> bool {
        match f(self) {
            Ok(()) => true,
            Err(t) => {
                self.went = Err(t);
                false
            }
        }
    }
    /// Ends the run of handlers with an error; for handlers, which must not hold the error themselves.
    #[cold]
    #[inline(never)]
    pub(in crate::engine) fn leave_with(&mut self, t: Throw) {
        self.went = Err(t);
    }
}

/// The same number, of which the compiler knows nothing any more: a loop that counts with it is not unrolled. Lists of registers are short, and
/// what an unrolled loop wants in processor registers would have to be saved by its handler each time.
#[inline(always)]
pub(crate) fn counted(mut i: usize) -> usize {
    // SAFETY: an empty text, which leaves all as it is.
    #[cfg(not(miri))]
    unsafe {
        std::arch::asm!("/* {0} */", inout(reg) i, options(pure, nomem, nostack, preserves_flags));
    }
    i
}

/// Register `i`.
///
/// # Safety
/// See the module text.
#[inline(always)]
pub(crate) unsafe fn cell<'r>(m: &mut Worker, i: usize) -> &'r mut Cell {
    // SAFETY: promised by the caller; a handler uses one such reference at a time.
    unsafe { &mut *m.x.as_mut_ptr().add(i) }
}

/// What is in register `i`.
///
/// # Safety
/// See the module text.
#[inline(always)]
pub(crate) unsafe fn x(m: &Worker, i: usize) -> Cell {
    // SAFETY: promised by the caller.
    unsafe { *m.x.get_unchecked(i) }
}

/// Slot `i` of the frame `e`.
///
/// # Safety
/// See the module text.
#[inline(always)]
pub(crate) unsafe fn slot(e: At, i: usize) -> Cell {
    // SAFETY: promised by the caller.
    unsafe { *e.add(2 + i) }
}

/// The predicate that is the operand of the instruction at `pc`.
///
/// # Safety
/// See the module text.
#[inline(always)]
pub(crate) unsafe fn predicate(pc: Pc) -> &'static Predicate {
    // SAFETY: the operand is a predicate, which lives for ever.
    unsafe { &*(*pc.add(1) as *const Predicate) }
}

/// Number `i` of the 16-bit numbers, four a word, that follow the instruction at `pc`.
///
/// # Safety
/// See the module text.
#[inline(always)]
pub(crate) unsafe fn listed(pc: Pc, i: usize) -> u16 {
    // SAFETY: promised by the caller: little-endian words, the first number in the lowest bits.
    unsafe { *pc.add(1).cast::<u16>().add(i) }
}

macro_rules! handlers {
    ($($(#[$doc:meta])* $op:ident $name:literal ($handler:expr) $effect:ident $pushes:literal [$($operand:ident),*];)*) => {
        /// The handlers in the order of the operations.
        const IN_ORDER: [Handler; instr::OPS] = [$($handler),*];
    };
}
samite_code::instructions!(handlers);

macro_rules! fused_handlers {
    ($($name:ident [$first:ident, $next:ident];)*) => {
        /// The handlers of fused instructions, in the order of their rows.
        const FUSED_IN_ORDER: [Handler; FUSED] =
            [$(fused::run::<fused::$first, fused::$next>),*];
    };
}
samite_code::fusions!(fused_handlers);

/// The handler of what is no operation, in debug builds: code that was freed, or no code at all.
unsafe fn no_operation(_: &mut Worker, pc: Pc, _: At, _: At, _: At) {
    panic!("runs what is no code, at {pc:?}");
}

/// The handler of each operation; numbers that are no operation fail, or panic in debug builds.
pub(crate) static HANDLERS: [Handler; 256] = {
    let mut table: [Handler; 256] = [if cfg!(debug_assertions) {
        no_operation
    } else {
        fail
    }; 256];
    let mut i = 0;
    while i < instr::OPS {
        table[i] = IN_ORDER[i];
        i += 1;
    }
    let mut i = 0;
    while i < FUSED {
        table[instr::OPS + i] = FUSED_IN_ORDER[i];
        i += 1;
    }
    table
};
