//! The instruction set of the abstract machine.
//!
//! An instruction is one 64-bit word, `op | a << 16 | b << 32 | c << 48`, sometimes followed by operand words
//! (constants, pointers, register lists). `a`, `b`, `c` are 16-bit register or slot numbers or counts. A *label* is a
//! signed distance in words from the instruction's own word, kept in the upper 32 bits (in place of `b` and `c`), or in
//! the lower half of an operand word; label 0 means "fail".
//!
//! Machine registers: `X` (arguments and temporaries), `K` (continuation: the frame to return to), `E` (the frame just
//! returned to, whose slots `Y` are readable until the next call), `S` (arguments of the structure that is being read), `B0`
//! (cut barrier of the running predicate), `H` (top of the nursery).
//!
//! `X` registers hold terms, or cut barriers as small integers. Read-mode `Unify*` instructions only follow a
//! `Get*` that succeeded in read mode; its write mode is code of its own, elsewhere in the clause.

/// Operation codes. The comment gives the operands: a, b, c; `L` a label; `+w` an operand word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Op {
    // --- control ---
    /// Return to the continuation.
    Proceed,
    /// Jump to the predicate `+pred`; its arguments are in X0.. . A safe point.
    Execute,
    /// Build a frame of `a` slots that resumes at `L`; followed by the sources, four 16-bit numbers a
    /// word: X register, or slot of E with bit 15 set.
    MakeFrame,
    /// Go to `L`.
    Jump,
    /// Backtrack.
    Fail,
    /// Push a choicepoint that continues at `L` and saves `a` registers; followed by their numbers, four a word.
    TryElse,
    /// At an alternative: restore the registers, continue at `L` next time. Operands as `TryElse`.
    RetryElse,
    /// At the last alternative: restore the registers, drop the choicepoint. Operands as `TryElse`, no label.
    TrustElse,
    /// Cut back to B0; `L` is a `ComeBack` to this instruction, for what has to run before it.
    CutNeck,
    /// Xa := B0.
    GetB0,
    /// Xa := B.
    SaveB,
    /// Cut back to the barrier in Xa; `L` as above; `CONDITION` and `DECIDES` may be set.
    CutX,
    /// Cut back to the barrier in slot a; the same.
    CutY,
    /// The choicepoint in Xa becomes a mere failure; `DECIDES` may be set.
    SoftCutX,
    /// The same, in slot a.
    SoftCutY,
    /// Resume point of a frame [E, B0, X…] that was made at the place `L`: restores these and goes there. `a` registers; followed by
    /// their numbers, four a word. E is live there if `WITH_FRAME` is set.
    ComeBack,

    // --- clause selection: entry code and chains ---
    /// Push a choicepoint for `a` arguments, run the clause at `+code`; the next chain instruction follows.
    Try,
    /// Run the clause at `+code`, keep the choicepoint.
    Retry,
    /// Drop the choicepoint, run the clause at `+code`.
    Trust,
    /// Select by the first argument with the table `+switch`.
    Switch,
    /// Entry of a static predicate whose index has to be built: `+pred`.
    Link,
    /// Entry of a dynamic predicate: `+pred`.
    Dynamic,
    /// Next clause of a dynamic predicate; in a choicepoint.
    DynamicNext,
    /// Entry of an undefined predicate: `+pred`.
    Undefined,
    /// Entry of a program's meta-predicate, which tells its arguments their module: `+pred`.
    Meta,
    /// Entry of a deterministic builtin: `a` arguments, `+function`.
    Builtin,
    /// Entry of a nondeterministic builtin: `a` arguments, `+function`.
    Nondet,
    /// Next solution of a nondeterministic builtin; in a choicepoint.
    NondetNext,
    /// Entry of a control predicate: number `a` of the machine's table.
    Control,
    /// Entry of a tabled predicate: `+pred`.
    Tabled,
    /// Resume point or alternative inside the machine: number `a` of its table.
    Internal,

    // --- head and unification ---
    /// Xa = constant `+cell`.
    GetConst,
    /// Xa = structure with functor `+functor`; S at its arguments, or go to `L` if Xa is unbound.
    GetStruct,
    /// Xa = list cell; S at its head, or go to `L`.
    GetList,
    /// Xa = [Xb|Xc] with both new, in either mode.
    GetListVars,
    /// Xa = [Xb|Xc] with Xb known and Xc new, in either mode.
    GetListValueVar,
    /// Unify Xa and Xb.
    GetValue,
    /// Unify Xa and slot b.
    GetValueY,
    /// Xa := S[b].
    UnifyVar,
    /// S[b] = Xa.
    UnifyValue,
    /// S[b] = slot a.
    UnifyValueY,
    /// S[b] = constant `+cell`.
    UnifyConst,
    /// Bind the unbound Xa to a structure built at H, push functor `+functor`.
    BindStruct,
    /// Bind the unbound Xa to a list cell built at H.
    BindList,

    // --- building at H ---
    /// Xa := structure at H; push functor `+functor`.
    PutStruct,
    /// Xa := list cell at H.
    PutList,
    /// Push Xa.
    PushX,
    /// Push slot a.
    PushY,
    /// Push constant `+cell`.
    PushConst,
    /// Push a new variable, also in Xa.
    PushVar,
    /// Push `a` new variables.
    PushVoid,
    /// Push a functor header `+functor`.
    PushFunctor,
    /// Push a pointer with tag `a` to the cell `L` words ahead of this one.
    PushPointer,
    /// Xa := new variable.
    PutVar,
    /// Xa := constant `+cell`.
    PutConst,
    /// Xa := copy of the record `+record`.
    PutRecord,
    /// Xa := the meta-argument Xb, of module `+atom` if it names none.
    Qualify,
    /// Xa := Xb.
    Move,
    /// Xa := slot b.
    Load,

    // --- inline tests; go to `L` if they fail ---
    TestVar,
    TestNonvar,
    TestAtom,
    TestInteger,
    TestFloat,
    TestNumber,
    TestAtomic,
    TestCompound,
    TestCallable,
    TestString,
    /// Xa == Xb, `+L`.
    TestIdentical,
    /// Xa \== Xb, `+L`.
    TestNotIdentical,
    /// Xa \= Xb, `+L`.
    TestNotUnifiable,

    // --- arithmetic ---
    /// Xa := value of the expression in Xa.
    Evaluate,
    /// Xa := Xb + Xc; operands of all of these are numbers.
    Add,
    Sub,
    Mul,
    /// Xa := Xb + the signed 16-bit number c.
    AddImm,
    IntDiv,
    Mod,
    Rem,
    BitAnd,
    BitOr,
    Shl,
    Shr,
    Min,
    Max,
    Neg,
    /// Xa := function number `+f` applied to Xb (and Xc).
    Function1,
    Function2,
    /// Compare the values of Xa and Xb, `+L`.
    CmpEq,
    CmpNe,
    CmpLt,
    CmpLe,
    CmpGt,
    CmpGe,

    // --- builtins in place ---
    /// Call the pure deterministic builtin `+function` on the `a` registers from Xb.
    Inline,
}

/// Number of operations.
pub const OPS: usize = Op::Inline as usize + 1;

/// An instruction word.
#[inline]
pub const fn word(op: Op, a: u16, b: u16, c: u16) -> u64 {
    op as u64 | (a as u64) << 16 | (b as u64) << 32 | (c as u64) << 48
}

/// An instruction word with a label.
#[inline]
pub const fn word_label(op: Op, a: u16, label: i32) -> u64 {
    op as u64 | (a as u64) << 16 | (label as u32 as u64) << 32
}

/// The operation of a word.
#[inline(always)]
pub const fn op(w: u64) -> Op {
    // SAFETY: instruction words are only made by `word` and `word_label`, so the low byte is an `Op`.
    unsafe { std::mem::transmute::<u8, Op>(w as u8) }
}
#[inline(always)]
pub const fn a(w: u64) -> usize {
    (w >> 16) as u16 as usize
}
#[inline(always)]
pub const fn b(w: u64) -> usize {
    (w >> 32) as u16 as usize
}
#[inline(always)]
pub const fn c(w: u64) -> usize {
    (w >> 48) as usize
}
/// The label of a word: distance in words from it.
#[inline(always)]
pub const fn label(w: u64) -> isize {
    (w as i64 >> 32) as isize
}

/// Words that an instruction has, operands included.
pub fn length(w: u64) -> usize {
    let listed = 1 + a(w).div_ceil(4);
    match op(w) {
        Op::MakeFrame | Op::TryElse | Op::RetryElse | Op::TrustElse | Op::ComeBack => listed,
        Op::Execute
        | Op::GetConst
        | Op::GetStruct
        | Op::UnifyConst
        | Op::BindStruct
        | Op::PutStruct
        | Op::PushConst
        | Op::PushFunctor
        | Op::PutConst
        | Op::PutRecord
        | Op::Qualify
        | Op::TestIdentical
        | Op::TestNotIdentical
        | Op::TestNotUnifiable
        | Op::Function1
        | Op::Function2
        | Op::CmpEq
        | Op::CmpNe
        | Op::CmpLt
        | Op::CmpLe
        | Op::CmpGt
        | Op::CmpGe
        | Op::Inline => 2,
        _ => 1,
    }
}

/// Whether it is an operation of arithmetic that puts its result into Xa.
pub fn is_operation(op: Op) -> bool {
    (Op::Add as u8..=Op::Function2 as u8).contains(&(op as u8))
}

/// Set in the word of an operation of arithmetic: its result is the value of the expression of an `is/2`.
pub const ROOT: u64 = 1 << 9;
/// Set in a `MakeFrame` word: the frame in E may be overwritten, if it has the same size and is not shared.
pub const REUSE: u64 = 1 << 8;
/// Set in a `ComeBack` word: E is live.
pub const WITH_FRAME: u64 = 1 << 8;
/// Set in the word of a cut that decides for something else that would have been done otherwise: an else branch, what comes after `\+`.
pub const DECIDES: u64 = 1 << 8;
/// Set in the word of a cut that ends a condition or a negated goal; the others are cuts of the program.
pub const CONDITION: u64 = 1 << 9;
/// Most slots of a frame that is overwritten.
pub const MAX_REUSE: usize = 16;
/// Set in a 16-bit source number: a slot of E, not an X register.
pub const SLOT: u16 = 1 << 15;
/// X registers of a machine.
pub const REGISTERS: usize = 8192;
/// Largest arity of a predicate.
pub const MAX_PREDICATE_ARITY: usize = 1024;

/// Makes code that is about to be freed no code, in debug builds: who still runs it is told so.
pub(crate) fn poison(words: &mut [u64]) {
    if cfg!(debug_assertions) {
        words.fill(u64::MAX);
    }
}
