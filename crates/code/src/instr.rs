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

macro_rules! codes {
    ($($(#[$doc:meta])* $op:ident $name:literal ($($handler:tt)*) $effect:ident $pushes:literal [$($operand:ident),*];)*) => {
        /// Operation codes.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum Op {
            $($(#[$doc])* $op,)*
        }

        /// What is known of each operation, by its code.
        static ROWS: &[Row] = &[
            $(Row {
                op: Op::$op,
                name: $name,
                effect: Effect::$effect,
                pushes: $pushes,
                operands: &[$(Operand::$operand),*],
                words: words_of(&[$(Operand::$operand),*]),
                lists: lists(&[$(Operand::$operand),*]),
            },)*
        ];
    };
}
crate::instructions!(codes);

/// Number of operations.
pub const OPS: usize = ROWS.len();

macro_rules! count {
    ($($name:ident [$first:ident, $next:ident];)*) => {
        /// Number of fused instructions; their numbers follow those of the operations.
        pub const FUSED: usize = [$(stringify!($name)),*].len();
        /// The number of each.
        #[repr(u8)]
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum Fused {
            /// The last operation, from which numbers go on.
            _Before = OPS as u8 - 1,
            $($name,)*
        }
        #[allow(non_upper_case_globals, reason = "names of rows")]
        mod fused_numbers {
            $(pub const $name: u8 = super::Fused::$name as u8;)*
        }
        /// Number of the first, of the next, and of what they become, in the order of rows.
        pub(crate) const FUSIONS: [(u8, u8, u8); FUSED] = {
            use fused_numbers::*;
            use op_numbers::*;
            [$(($first, $next, $name)),*]
        };
    };
}

macro_rules! op_numbers {
    ($($(#[$doc:meta])* $op:ident $name:literal ($($handler:tt)*) $effect:ident $pushes:literal [$($operand:ident),*];)*) => {
        #[allow(non_upper_case_globals, dead_code, reason = "names of rows")]
        mod op_numbers {
            $(pub const $op: u8 = super::Op::$op as u8;)*
        }
    };
}
crate::instructions!(op_numbers);
crate::fusions!(count);

/// The operation of each number: its own, or that of the first instruction that was fused.
const PLAIN: [u8; OPS + FUSED] = {
    let mut table = [0; OPS + FUSED];
    let mut i = 0;
    while i < OPS {
        table[i] = i as u8;
        i += 1;
    }
    let mut i = 0;
    while i < FUSED {
        let (first, _, fused) = FUSIONS[i];
        table[fused as usize] = table[first as usize];
        i += 1;
    }
    table
};

/// Whether an instruction may bind a variable that was there before, after which goals that wait for it are to be run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    Binds,
    Quiet,
}

/// What a part of an instruction stands for: fields of its word, then what follows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    // Fields.
    Xa,
    Xb,
    Xc,
    /// A slot of E.
    Ya,
    Yb,
    /// A number in `a`.
    Count,
    /// So many words, in `a`, are pushed.
    Pushed,
    /// Argument of the structure that is being read, in `b`.
    ArgumentB,
    /// Signed number in `c`.
    ImmediateC,
    /// Where to go on, in the upper half.
    Label,
    /// Where code is that belongs to this one, in the upper half: not gone to from here.
    WayBack,
    /// A tag in `a`, and a distance on the heap in the upper half.
    Pointer,
    // Words.
    /// Where to go on, in the upper half of a word of its own.
    LabelWord,
    Constant,
    Functor,
    Predicate,
    Record,
    /// Code of a clause.
    Code,
    /// A first-argument switch.
    Table,
    /// Which clauses of the chain a call may match; see [`crate::db::masks`].
    Masks,
    /// The keys of the chain's clauses; see [`crate::db::keyed`].
    Keys,
    /// Number of a function of arithmetic.
    Function,
    // Lists of `a` numbers of 16 bits, four a word.
    Registers,
    /// X registers, or slots of E with bit 15 set, which are pushed.
    Sources,
}

impl Operand {
    /// Words that it takes behind the instruction's own word `w`.
    pub(crate) const fn words(self, w: u64) -> usize {
        match self {
            Operand::LabelWord
            | Operand::Constant
            | Operand::Functor
            | Operand::Predicate
            | Operand::Record
            | Operand::Code
            | Operand::Table
            | Operand::Masks
            | Operand::Keys
            | Operand::Function => 1,
            Operand::Registers | Operand::Sources => list_words(a(w)),
            Operand::Xa
            | Operand::Xb
            | Operand::Xc
            | Operand::Ya
            | Operand::Yb
            | Operand::Count
            | Operand::Pushed
            | Operand::ArgumentB
            | Operand::ImmediateC
            | Operand::Label
            | Operand::WayBack
            | Operand::Pointer => 0,
        }
    }
}

/// A row of the table; see [`crate::instructions`].
#[derive(Debug)]
pub struct Row {
    pub op: Op,
    pub name: &'static str,
    pub effect: Effect,
    pushes: usize,
    pub operands: &'static [Operand],
    /// Words of its instructions, but for a list.
    words: usize,
    /// Whether a list follows.
    lists: bool,
}

impl Row {
    /// Whether its instructions have a list, whose length is in the instruction's word.
    pub const fn lists(&self) -> bool {
        self.lists
    }
}

const fn words_of(operands: &[Operand]) -> usize {
    let (mut i, mut n) = (0, 1);
    while i < operands.len() {
        n += operands[i].words(0);
        i += 1;
    }
    n
}

const fn lists(operands: &[Operand]) -> bool {
    let mut i = 0;
    while i < operands.len() {
        if matches!(operands[i], Operand::Registers | Operand::Sources) {
            return true;
        }
        i += 1;
    }
    false
}

/// What is known of an operation.
pub const fn row(op: Op) -> &'static Row {
    &ROWS[op as usize]
}

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

/// The operation of a word; the first one where several were fused ([`crate::fuse`]). What is no instruction (an operand, a word that was poisoned) may have
/// none: then it panics.
///
/// (Handlers know theirs when they are compiled: where the code runs nothing is checked.)
#[inline(always)]
pub const fn op(w: u64) -> Op {
    assert!((w as u8 as usize) < PLAIN.len(), "not an instruction");
    // SAFETY: operations are numbered from 0 on (the rows say so: `ROWS`), and there are so many.
    unsafe { std::mem::transmute::<u8, Op>(PLAIN[w as u8 as usize]) }
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
pub const fn length(w: u64) -> usize {
    let row = row(op(w));
    row.words + if row.lists { list_words(a(w)) } else { 0 }
}

/// Words that an instruction pushes at `H` without asking.
pub fn pushes(w: u64) -> usize {
    let row = row(op(w));
    let listed = row.operands.iter().map(|o| match o {
        Operand::Pushed | Operand::Sources => a(w),
        _ => 0,
    });
    row.pushes + listed.sum::<usize>()
}

/// Where the instruction at `at` may go on besides the next one, as a distance from it; 0 is failure, or nowhere.
pub fn target(code: &[u64], at: usize) -> isize {
    let w = code[at];
    let mut word = at + 1;
    for o in row(op(w)).operands {
        match o {
            Operand::Label => return label(w),
            Operand::LabelWord => return label(code[word]),
            _ => word += o.words(w),
        }
    }
    0
}

/// Whether it is an operation of arithmetic that puts its result into Xa.
pub const fn is_operation(op: Op) -> bool {
    op as u8 >= Op::Add as u8 && op as u8 <= Op::Function2 as u8
}

// A row between these that does something else would be taken for one of them.
const _: () = {
    let mut i = 0;
    while i < OPS {
        let row = &ROWS[i];
        if is_operation(row.op) {
            assert!(
                matches!(row.operands[0], Operand::Xa) && matches!(row.operands[1], Operand::Xb),
                "only operations of arithmetic stand between `Add` and `Function2`"
            );
        }
        i += 1;
    }
};

/// Whether an instruction may stand between one that binds a variable and the next [`PLACE`] or safe point. It is as good anywhere else: it
/// does not look at where it is, but for its label.
pub const fn builds(op: Op) -> bool {
    matches!(op, Op::Jump) || (op as u8 >= Op::GetConst as u8 && op as u8 <= Op::Load as u8)
}

/// The `ComeBack` to a place.
///
/// # Safety
/// `place` is at a cut or at a word with [`PLACE`] set, in the code of a clause.
pub unsafe fn way_back(place: *const u64) -> *const u64 {
    // SAFETY: promised by the caller: the compiler puts a `ComeBack` for each place further on in the clause.
    unsafe {
        if matches!(op(*place), Op::CutNeck | Op::CutX | Op::CutY) {
            return place.offset(label(*place));
        }
        let mut at = place;
        while op(*at) != Op::ComeBack || at.offset(label(*at)) != place {
            at = at.add(length(*at));
        }
        at
    }
}

/// Set in the word of an operation of arithmetic: its result is the value of the expression of an `is/2`.
pub const ROOT: u64 = 1 << 9;
/// Words of a list of so many numbers.
#[inline(always)]
pub const fn list_words(n: usize) -> usize {
    // (In the form that takes one processor register.)
    (n + 3) >> 2
}

/// In place of the first argument of a `Select`: there are more than two.
pub const ANY: u16 = u16::MAX;
/// Set in a `Select` word: a call that no clause takes is an error, and the last clause says so.
pub const RULES: u64 = 1 << 8;
/// Set in a `MakeFrame` word: the frame in E may be overwritten, if it has the same size and is not shared.
pub const REUSE: u64 = 1 << 8;
/// Set in a `ComeBack` word: E is live.
pub const WITH_FRAME: u64 = 1 << 8;
/// Set in the word of a cut that decides for something else that would have been done otherwise: an else branch, what comes after `\+`.
pub const DECIDES: u64 = 1 << 8;
/// Set in the word of a cut that ends a condition or a negated goal; the others are cuts of the program.
pub const CONDITION: u64 = 1 << 9;
/// Set in any word: a place where goals may have to run before the instruction. There is a `ComeBack` to it ([`way_back`]).
pub const PLACE: u64 = 1 << 10;
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
