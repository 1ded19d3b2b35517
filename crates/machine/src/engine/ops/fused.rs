//! Handlers of fused instructions ([`samite_code::fuse`]): each does the work of two or three, without the jumps between them. Safety: see [`super`].
//!
//! A type for each instruction that can be part of one, by the name of its operation; what comes first is a [`Step`], what comes last a [`Last`].

use super::{HANDLERS, Handler, arith, build, cell, control, slot, unify, x};
use crate::engine::worker::{At, Pc, Worker};
use samite_code::instr::{self, Op};
use samite_term::view::deref;
use samite_term::{Cell, Tag};

/// What the first part of a fused instruction came to.
pub(crate) enum Stepped {
    /// It is done; what follows is there, `H` is this.
    On(Pc, At),
    /// The instruction there has done nothing, and its own handler is to run: it fails, leaves the straight path, or goes elsewhere.
    Whole(Pc, At),
}

/// An instruction, or several, that something is fused to.
pub(crate) trait Step {
    /// # Safety
    /// See the parent module.
    unsafe fn step(m: &mut Worker, pc: Pc, h: At, e: At) -> Stepped;
}

/// The last instruction of a fused one.
pub(crate) trait Last {
    /// # Safety
    /// See the parent module.
    unsafe fn run(m: &mut Worker, pc: Pc, h: At, k: At, e: At);
}

/// The handler of the instructions of `S`, then that of `L`.
pub(crate) unsafe fn run<S: Step, L: Last>(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        match S::step(m, pc, h, e) {
            Stepped::On(pc, h) => L::run(m, pc, h, k, e),
            Stepped::Whole(pc, h) => whole(m, pc, h, k, e),
        }
    }
}

/// Runs the instruction at `pc` by its own handler, although it was fused with others.
#[inline(never)]
unsafe fn whole(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
    // SAFETY: see the parent module.
    unsafe {
        let handler: Handler = HANDLERS[instr::op(*pc) as usize];
        handler(m, pc, h, k, e)
    }
}

/// Two steps.
impl<A: Step, B: Step> Step for (A, B) {
    #[inline(always)]
    unsafe fn step(m: &mut Worker, pc: Pc, h: At, e: At) -> Stepped {
        // SAFETY: see the parent module.
        unsafe {
            match A::step(m, pc, h, e) {
                Stepped::On(pc, h) => B::step(m, pc, h, e),
                hindered => hindered,
            }
        }
    }
}

/// A type whose `Last` is the instruction's handler.
macro_rules! last {
    ($($name:ident $handler:path;)*) => {
        $(impl Last for $name {
            #[inline(always)]
            unsafe fn run(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
                // SAFETY: see the parent module.
                unsafe { $handler(m, pc, h, k, e) }
            }
        })*
    };
}

pub(crate) struct Move;
pub(crate) struct Load;
pub(crate) struct PutConst;
pub(crate) struct PutVar;
pub(crate) struct PutList;
pub(crate) struct PushX;
pub(crate) struct UnifyVar;
pub(crate) struct GetList;
pub(crate) struct GetStruct;
pub(crate) struct GetValue;
pub(crate) struct GetConst;
pub(crate) struct AddImm;
pub(crate) struct Execute;
pub(crate) struct Proceed;
pub(crate) struct MakeFrame;
/// A binary operation.
pub(crate) struct Binary<const OP: u8>;
/// A comparison.
pub(crate) struct Compare<const OP: u8>;

pub(crate) type Add = Binary<{ Op::Add as u8 }>;
pub(crate) type Sub = Binary<{ Op::Sub as u8 }>;
pub(crate) type Mul = Binary<{ Op::Mul as u8 }>;
pub(crate) type IntDiv = Binary<{ Op::IntDiv as u8 }>;
pub(crate) type Mod = Binary<{ Op::Mod as u8 }>;
pub(crate) type CmpEq = Compare<{ Op::CmpEq as u8 }>;
pub(crate) type CmpNe = Compare<{ Op::CmpNe as u8 }>;
pub(crate) type CmpLt = Compare<{ Op::CmpLt as u8 }>;
pub(crate) type CmpLe = Compare<{ Op::CmpLe as u8 }>;
pub(crate) type CmpGt = Compare<{ Op::CmpGt as u8 }>;
pub(crate) type CmpGe = Compare<{ Op::CmpGe as u8 }>;

pub(crate) type MoveMove = (Move, Move);
pub(crate) type MoveMoveMove = (MoveMove, Move);
pub(crate) type MoveLoad = (Move, Load);
pub(crate) type LoadMove = (Load, Move);
pub(crate) type LoadLoad = (Load, Load);
pub(crate) type LoadLoadLoad = (LoadLoad, Load);
pub(crate) type LoadGetValue = (Load, GetValue);
pub(crate) type AddImmMove = (AddImm, Move);
pub(crate) type AddMove = (Add, Move);
pub(crate) type UnifyVarUnifyVar = (UnifyVar, UnifyVar);
pub(crate) type GetListUnifyVar = (GetList, UnifyVar);
pub(crate) type GetStructUnifyVar = (GetStruct, UnifyVar);
pub(crate) type PutListPushX = (PutList, PushX);

last! {
    Move build::move_;
    Load build::load;
    PushX build::push_x;
    UnifyVar unify::unify_var;
    GetValue unify::get_value;
    AddImm arith::add_imm;
    Execute control::execute;
    Proceed control::proceed;
    MakeFrame control::make_frame;
}

impl<const OP: u8> Last for Binary<OP> {
    #[inline(always)]
    unsafe fn run(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
        // SAFETY: see the parent module.
        unsafe { arith::binary::<OP>(m, pc, h, k, e) }
    }
}

impl<const OP: u8> Last for Compare<OP> {
    #[inline(always)]
    unsafe fn run(m: &mut Worker, pc: Pc, h: At, k: At, e: At) {
        // SAFETY: see the parent module.
        unsafe { arith::compare::<OP>(m, pc, h, k, e) }
    }
}

impl Step for Move {
    #[inline(always)]
    unsafe fn step(m: &mut Worker, pc: Pc, h: At, _: At) -> Stepped {
        // SAFETY: see the parent module.
        unsafe {
            let w = *pc;
            *cell(m, instr::a(w)) = x(m, instr::b(w));
            Stepped::On(pc.add(1), h)
        }
    }
}

impl Step for Load {
    #[inline(always)]
    unsafe fn step(m: &mut Worker, pc: Pc, h: At, e: At) -> Stepped {
        // SAFETY: see the parent module.
        unsafe {
            let w = *pc;
            *cell(m, instr::a(w)) = slot(e, instr::b(w));
            Stepped::On(pc.add(1), h)
        }
    }
}

impl Step for PutConst {
    #[inline(always)]
    unsafe fn step(m: &mut Worker, pc: Pc, h: At, _: At) -> Stepped {
        // SAFETY: see the parent module.
        unsafe {
            *cell(m, instr::a(*pc)) = Cell(*pc.add(1));
            Stepped::On(pc.add(2), h)
        }
    }
}

impl Step for PutVar {
    #[inline(always)]
    unsafe fn step(m: &mut Worker, pc: Pc, h: At, _: At) -> Stepped {
        // SAFETY: see the parent module.
        unsafe {
            let v = Cell::to(Tag::Ref, h);
            *cell(m, instr::a(*pc)) = v;
            *h = v;
            Stepped::On(pc.add(1), h.add(1))
        }
    }
}

impl Step for PutList {
    #[inline(always)]
    unsafe fn step(m: &mut Worker, pc: Pc, h: At, _: At) -> Stepped {
        // SAFETY: see the parent module.
        unsafe {
            *cell(m, instr::a(*pc)) = Cell::to(Tag::Lst, h);
            Stepped::On(pc.add(1), h)
        }
    }
}

impl Step for PushX {
    #[inline(always)]
    unsafe fn step(m: &mut Worker, pc: Pc, h: At, _: At) -> Stepped {
        // SAFETY: see the parent module.
        unsafe {
            *h = x(m, instr::a(*pc));
            Stepped::On(pc.add(1), h.add(1))
        }
    }
}

impl Step for UnifyVar {
    #[inline(always)]
    unsafe fn step(m: &mut Worker, pc: Pc, h: At, _: At) -> Stepped {
        // SAFETY: see the parent module.
        unsafe {
            let w = *pc;
            *cell(m, instr::a(w)) = *m.s.add(instr::b(w));
            Stepped::On(pc.add(1), h)
        }
    }
}

impl Step for GetList {
    #[inline(always)]
    unsafe fn step(m: &mut Worker, pc: Pc, h: At, _: At) -> Stepped {
        // SAFETY: see the parent module.
        unsafe {
            let c = deref(x(m, instr::a(*pc)));
            if c.tag() == Tag::Lst {
                m.s = c.ptr();
                Stepped::On(pc.add(1), h)
            } else {
                Stepped::Whole(pc, h)
            }
        }
    }
}

impl Step for GetStruct {
    #[inline(always)]
    unsafe fn step(m: &mut Worker, pc: Pc, h: At, _: At) -> Stepped {
        // SAFETY: see the parent module.
        unsafe {
            let c = deref(x(m, instr::a(*pc)));
            if c.tag() == Tag::Str && (*c.ptr()).0 == *pc.add(1) {
                m.s = c.ptr().add(1);
                Stepped::On(pc.add(2), h)
            } else {
                Stepped::Whole(pc, h)
            }
        }
    }
}

impl Step for GetValue {
    #[inline(always)]
    unsafe fn step(m: &mut Worker, pc: Pc, h: At, _: At) -> Stepped {
        // SAFETY: see the parent module.
        unsafe {
            if m.unifies_at_once(x(m, instr::a(*pc)), x(m, instr::b(*pc))) {
                Stepped::On(pc.add(1), h)
            } else {
                Stepped::Whole(pc, h)
            }
        }
    }
}

impl Step for GetConst {
    #[inline(always)]
    unsafe fn step(m: &mut Worker, pc: Pc, h: At, _: At) -> Stepped {
        // SAFETY: see the parent module.
        unsafe {
            if m.is_constant_at_once(x(m, instr::a(*pc)), Cell(*pc.add(1))) {
                Stepped::On(pc.add(2), h)
            } else {
                Stepped::Whole(pc, h)
            }
        }
    }
}

impl Step for AddImm {
    #[inline(always)]
    unsafe fn step(m: &mut Worker, pc: Pc, h: At, _: At) -> Stepped {
        // SAFETY: see the parent module.
        unsafe {
            let w = *pc;
            let c = deref(x(m, instr::b(w)));
            let v = i64::from(instr::c(w) as u16 as i16);
            if c.is_small()
                && let Some(r) = Cell::try_small(c.small_value() + v)
            {
                *cell(m, instr::a(w)) = r;
                Stepped::On(pc.add(1), h)
            } else {
                Stepped::Whole(pc, h)
            }
        }
    }
}

impl Step for Add {
    #[inline(always)]
    unsafe fn step(m: &mut Worker, pc: Pc, h: At, _: At) -> Stepped {
        // SAFETY: see the parent module.
        unsafe {
            let w = *pc;
            let (a, b) = (deref(x(m, instr::b(w))), deref(x(m, instr::c(w))));
            if a.is_small()
                && b.is_small()
                && let Some(r) = Cell::try_small(a.small_value() + b.small_value())
            {
                *cell(m, instr::a(w)) = r;
                Stepped::On(pc.add(1), h)
            } else {
                Stepped::Whole(pc, h)
            }
        }
    }
}
