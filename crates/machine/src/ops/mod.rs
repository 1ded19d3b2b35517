//! The instructions: one function each, called *handlers*.
//!
//! A handler does its work and ends by calling [`next`], which calls the handler of the next instruction: in an optimised build
//! that is a jump (a sibling call with the same signature), so the machine registers `pc`, `H`, `K`, `E` and `X` stay in processor registers
//! from one instruction to the next, and each instruction has a dispatch of its own that the processor predicts separately. In a debug
//! build `next` returns to [`Machine::run`], which calls the next handler: no native stack is needed in either.
//! A handler that has to leave the straight path (an error, a control predicate, …) stores in `went` where to go
//! ([`Machine::leave`]) and returns.
//!
//! Everything that is called with `&mut Machine` finds `H` and `K` in the machine (`save`) and may have changed them when it comes
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
pub(crate) mod select;
pub(crate) mod test;
pub(crate) mod unify;

use crate::error::Throw;
use crate::machine::Machine;
use crate::run::Go;
use samite_code::instr::{self, Op};
use samite_code::predicate::Predicate;
use samite_term::Cell;

/// An instruction address.
pub(crate) type Pc = *const u64;
/// An address in the heap, in a frame, or of the registers.
pub(crate) type At = *mut Cell;

/// An instruction's function: machine, `pc`, `H`, `K`, `E`, `X`; see the module text.
pub(crate) type Handler = unsafe fn(&mut Machine, Pc, At, At, At, At);

/// Where a debug build stands between two instructions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Between {
    pub pc: Pc,
    pub h: At,
    pub k: At,
    pub e: At,
}

/// Goes on with the instruction at `pc`.
///
/// # Safety
/// See the module text.
#[inline(always)]
pub(crate) unsafe fn next(m: &mut Machine, pc: Pc, h: At, k: At, e: At, x: At) {
    if cfg!(debug_assertions) {
        // The word that safe points look at goes with the nursery, which a collection may replace.
        assert!(
            m.heap.start() <= h && h <= m.heap.end(),
            "H is outside of the nursery"
        );
        m.between = Some(Between { pc, h, k, e });
    } else {
        // SAFETY: promised by the caller.
        unsafe { HANDLERS[usize::from(*pc as u8)](m, pc, h, k, e, x) }
    }
}

/// Backtracks: what every handler does on failure.
///
/// # Safety
/// See the module text.
pub(crate) unsafe fn fail(m: &mut Machine, _pc: Pc, _h: At, _k: At, e: At, x: At) {
    let pc = m.backtrack();
    let (h, k) = (m.heap.h, m.k);
    // SAFETY: the alternative of a choicepoint is code.
    unsafe { next(m, pc, h, k, e, x) }
}

/// Returns to the continuation `k`.
///
/// # Safety
/// See the module text.
#[inline(always)]
pub(crate) unsafe fn proceed_to(m: &mut Machine, h: At, k: At, x: At) {
    // SAFETY: K is a frame: its first cell says where to resume, its second is its parent.
    unsafe {
        let pc = crate::machine::resume_of(*k);
        let parent = (*k.add(1)).frame();
        next(m, pc, h, parent, k, x)
    }
}

/// Goes to the label in the upper half of `w`, counted from `pc`; label 0 is failure.
///
/// # Safety
/// See the module text.
#[inline(always)]
pub(crate) unsafe fn otherwise(m: &mut Machine, (pc, w): (Pc, u64), h: At, k: At, e: At, x: At) {
    let l = instr::label(w);
    // SAFETY: promised by the caller.
    unsafe {
        if l != 0 {
            next(m, pc.offset(l), h, k, e, x)
        } else {
            fail(m, pc, h, k, e, x)
        }
    }
}

impl Machine {
    #[inline(always)]
    pub(crate) fn save(&mut self, h: At, k: At) {
        self.heap.h = h;
        self.k = k;
    }
    /// Ends the run of handlers; the loop goes on with `go`.
    #[inline(always)]
    pub(crate) fn leave(&mut self, go: Result<Go, Throw>) {
        self.went = go;
    }
    /// What may fail, out of line, so that the handler itself holds nothing in memory. False: the run of handlers has ended.
    /// The closure must not capture more than two words.
    #[inline(never)]
    pub(crate) fn attempt(&mut self, f: impl FnOnce(&mut Machine) -> Result<(), Throw>) -> bool {
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
    pub(crate) fn leave_with(&mut self, t: Throw) {
        self.went = Err(t);
    }
}

/// Register or slot `i`.
///
/// # Safety
/// See the module text.
#[inline(always)]
pub(crate) unsafe fn cell<'r>(base: At, i: usize) -> &'r mut Cell {
    // SAFETY: promised by the caller; a handler uses one such reference at a time.
    unsafe { &mut *base.add(i) }
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

const fn handler(op: Op) -> Handler {
    match op {
        Op::Proceed => control::proceed,
        Op::Execute => control::execute,
        Op::MakeFrame => control::make_frame,
        Op::Jump => control::jump,
        Op::Fail => fail,
        Op::TryElse => control::try_else,
        Op::RetryElse => control::retry_else,
        Op::TrustElse => control::trust_else,
        Op::CutNeck => control::cut_neck,
        Op::GetB0 => control::get_b0,
        Op::SaveB => control::save_b,
        Op::CutX => control::cut_x,
        Op::CutY => control::cut_y,
        Op::SoftCutX => control::soft_cut_x,
        Op::SoftCutY => control::soft_cut_y,
        Op::ComeBack => control::come_back,
        Op::Try => select::try_,
        Op::Retry => select::retry,
        Op::Trust => select::trust,
        Op::Switch => select::switch,
        Op::Link => select::link,
        Op::Dynamic => select::dynamic,
        Op::DynamicNext => select::dynamic_next,
        Op::Undefined => select::undefined,
        Op::Meta => select::meta,
        Op::Builtin => control::builtin,
        Op::Nondet => control::nondet,
        Op::NondetNext => control::nondet_next,
        Op::Control => control::control,
        Op::Tabled => control::tabled,
        Op::Internal => control::internal,
        Op::GetConst => unify::get_const,
        Op::GetStruct => unify::get_struct,
        Op::GetList => unify::get_list,
        Op::GetListVars => unify::get_list_vars,
        Op::GetListValueVar => unify::get_list_value_var,
        Op::GetValue => unify::get_value,
        Op::GetValueY => unify::get_value_y,
        Op::UnifyVar => unify::unify_var,
        Op::UnifyValue => unify::unify_value,
        Op::UnifyValueY => unify::unify_value_y,
        Op::UnifyConst => unify::unify_const,
        Op::BindStruct => unify::bind_struct,
        Op::BindList => unify::bind_list,
        Op::PutStruct => build::put_struct,
        Op::Qualify => build::qualify,
        Op::PutList => build::put_list,
        Op::PushX => build::push_x,
        Op::PushY => build::push_y,
        Op::PushConst => build::push_const,
        Op::PushVar => build::push_var,
        Op::PushVoid => build::push_void,
        Op::PushFunctor => build::push_const,
        Op::PushPointer => build::push_pointer,
        Op::PutVar => build::push_var,
        Op::PutConst => build::put_const,
        Op::PutRecord => build::put_record,
        Op::Move => build::move_,
        Op::Load => build::load,
        Op::TestVar => test::type_test::<{ Op::TestVar as u8 }>,
        Op::TestNonvar => test::type_test::<{ Op::TestNonvar as u8 }>,
        Op::TestAtom => test::type_test::<{ Op::TestAtom as u8 }>,
        Op::TestInteger => test::type_test::<{ Op::TestInteger as u8 }>,
        Op::TestFloat => test::type_test::<{ Op::TestFloat as u8 }>,
        Op::TestNumber => test::type_test::<{ Op::TestNumber as u8 }>,
        Op::TestAtomic => test::type_test::<{ Op::TestAtomic as u8 }>,
        Op::TestCompound => test::type_test::<{ Op::TestCompound as u8 }>,
        Op::TestCallable => test::type_test::<{ Op::TestCallable as u8 }>,
        Op::TestString => test::type_test::<{ Op::TestString as u8 }>,
        Op::TestIdentical => test::identical::<true>,
        Op::TestNotIdentical => test::identical::<false>,
        Op::TestNotUnifiable => test::not_unifiable,
        Op::Evaluate => arith::evaluate,
        Op::AddImm => arith::add_imm,
        Op::Add => arith::binary::<{ Op::Add as u8 }>,
        Op::Sub => arith::binary::<{ Op::Sub as u8 }>,
        Op::Mul => arith::binary::<{ Op::Mul as u8 }>,
        Op::IntDiv => arith::binary::<{ Op::IntDiv as u8 }>,
        Op::Mod => arith::binary::<{ Op::Mod as u8 }>,
        Op::Rem => arith::binary::<{ Op::Rem as u8 }>,
        Op::BitAnd => arith::binary::<{ Op::BitAnd as u8 }>,
        Op::BitOr => arith::binary::<{ Op::BitOr as u8 }>,
        Op::Shl => arith::binary::<{ Op::Shl as u8 }>,
        Op::Shr => arith::binary::<{ Op::Shr as u8 }>,
        Op::Min => arith::binary::<{ Op::Min as u8 }>,
        Op::Max => arith::binary::<{ Op::Max as u8 }>,
        Op::Neg => arith::neg,
        Op::Function1 => arith::function1,
        Op::Function2 => arith::function2,
        Op::CmpEq => arith::compare::<{ Op::CmpEq as u8 }>,
        Op::CmpNe => arith::compare::<{ Op::CmpNe as u8 }>,
        Op::CmpLt => arith::compare::<{ Op::CmpLt as u8 }>,
        Op::CmpLe => arith::compare::<{ Op::CmpLe as u8 }>,
        Op::CmpGt => arith::compare::<{ Op::CmpGt as u8 }>,
        Op::CmpGe => arith::compare::<{ Op::CmpGe as u8 }>,
        Op::Inline => control::inline,
    }
}

/// The handler of what is no operation, in debug builds: code that was freed, or no code at all.
unsafe fn no_operation(_: &mut Machine, pc: Pc, _: At, _: At, _: At, _: At) {
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
        table[i] = handler(instr::op(i as u64));
        i += 1;
    }
    table
};
