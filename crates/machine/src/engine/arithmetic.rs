//! Arithmetic of the machine: between cells and the evaluator of `samite-arith`.
//!
//! Which of several errors is raised, and of what it speaks, is what the evaluator says, whether an expression was compiled or not. It takes
//! arguments from the last to the first, compiled code from the first to the last; which of the two cannot be told as long as there
//! is no error. Where there is one, the operations from there on are gone through once more ([`Worker::blame`]): what is on the left and
//! has a value already could not have failed, and what comes later in the code is on the right, where the evaluator would have begun.

use crate::engine::worker::{Pc, Worker};
use crate::error::Throw;
use samite_arith::{self as arith, ArithError, FloatFlags, limbs};
use samite_code::instr::{self, Op};
use samite_heap::OutOfMemory;
use samite_term::{Atom, Cell, Functor, Kind, Number, Record, Tag, atoms, heavy};
use std::cmp::Ordering;

/// Big integers of more limbs than this are left to the library, which checks their size. (No more than a small part of the nursery.)
const MAX_LIMBS: usize = 1 << 14;
/// Copying a number of so many words may fail for want of memory.
const BIG_BOX: usize = 1 << 12;

/// An error of arithmetic: of the expression, or of a function in it. Boxed, for results to be small where there is none.
#[derive(Clone, Debug)]
pub(crate) struct Fault(Box<(ArithError, Option<(&'static str, usize)>)>);

impl Fault {
    #[cold]
    fn new(e: ArithError, function: Option<(&'static str, usize)>) -> Fault {
        Fault(Box::new((e, function)))
    }
}

/// Why an operation has no result.
#[derive(Debug)]
pub(crate) enum Failure {
    Fault(Fault),
    Throw(Throw),
}

impl From<Fault> for Failure {
    fn from(f: Fault) -> Failure {
        Failure::Fault(f)
    }
}

impl From<OutOfMemory> for Failure {
    fn from(e: OutOfMemory) -> Failure {
        Failure::Throw(e.into())
    }
}

/// What an instruction is to the goal of arithmetic that it stands in.
enum Part {
    /// An operation that is this function of two arguments.
    Binary(&'static str),
    /// An operation that is none of these.
    Operation,
    /// The end of a comparison that is a goal of this name.
    Comparison(Atom),
    /// A constant, or a number that is copied.
    Constant,
    /// What has no value of its own: it only brings a term into a register, takes one apart or puts one together.
    Term,
    /// It does not stand in one.
    Elsewhere,
}

/// See [`Part`]. Each instruction is named: a new one says here what it is.
const fn part(op: Op) -> Part {
    match op {
        Op::Add | Op::AddImm => Part::Binary("+"),
        Op::Sub => Part::Binary("-"),
        Op::Mul => Part::Binary("*"),
        Op::IntDiv => Part::Binary("//"),
        Op::Mod => Part::Binary("mod"),
        Op::Rem => Part::Binary("rem"),
        Op::BitAnd => Part::Binary("/\\"),
        Op::BitOr => Part::Binary("\\/"),
        Op::Shl => Part::Binary("<<"),
        Op::Shr => Part::Binary(">>"),
        Op::Min => Part::Binary("min"),
        Op::Max => Part::Binary("max"),
        Op::Neg | Op::Function1 | Op::Function2 => Part::Operation,
        Op::CmpEq => Part::Comparison(atoms::NUM_EQ),
        Op::CmpNe => Part::Comparison(atoms::NUM_NE),
        Op::CmpLt => Part::Comparison(atoms::NUM_LT),
        Op::CmpLe => Part::Comparison(atoms::NUM_LE),
        Op::CmpGt => Part::Comparison(atoms::NUM_GT),
        Op::CmpGe => Part::Comparison(atoms::NUM_GE),
        Op::PutConst | Op::PutRecord => Part::Constant,
        Op::PutStruct
        | Op::GetConst
        | Op::GetStruct
        | Op::GetList
        | Op::GetListVars
        | Op::GetListValueVar
        | Op::GetValue
        | Op::GetValueY
        | Op::UnifyVar
        | Op::UnifyValue
        | Op::UnifyValueY
        | Op::UnifyConst
        | Op::BindStruct
        | Op::BindList
        | Op::PutList
        | Op::PushX
        | Op::PushY
        | Op::PushConst
        | Op::PushVar
        | Op::PushVoid
        | Op::PushFunctor
        | Op::PushPointer
        | Op::PutVar
        | Op::Qualify
        | Op::Move
        | Op::Load => Part::Term,
        Op::Proceed
        | Op::NoRule
        | Op::Det
        | Op::Guard
        | Op::TryRule
        | Op::EndRule
        | Op::MatchConst
        | Op::MatchStruct
        | Op::MatchList
        | Op::MatchListVars
        | Op::Execute
        | Op::MakeFrame
        | Op::Jump
        | Op::Fail
        | Op::TryElse
        | Op::RetryElse
        | Op::TrustElse
        | Op::CutNeck
        | Op::GetB0
        | Op::SaveB
        | Op::CutX
        | Op::CutY
        | Op::SoftCutX
        | Op::SoftCutY
        | Op::ComeBack
        | Op::Alone
        | Op::Try
        | Op::Select
        | Op::SelectNext
        | Op::Keyed
        | Op::KeyedNext
        | Op::Pick
        | Op::Retry
        | Op::Trust
        | Op::Clause
        | Op::Switch
        | Op::Link
        | Op::Dynamic
        | Op::DynamicNext
        | Op::Undefined
        | Op::Meta
        | Op::Builtin
        | Op::Nondet
        | Op::NondetNext
        | Op::Control
        | Op::Tabled
        | Op::Internal
        | Op::TestVar
        | Op::TestNonvar
        | Op::TestAtom
        | Op::TestInteger
        | Op::TestFloat
        | Op::TestNumber
        | Op::TestAtomic
        | Op::TestCompound
        | Op::TestCallable
        | Op::TestString
        | Op::TestIdentical
        | Op::TestNotIdentical
        | Op::TestNotUnifiable
        | Op::Evaluate
        | Op::Inline
        | Op::Arg => Part::Elsewhere,
    }
}

/// The number of the function of two arguments that an operation is; none has the number [`NO_FUNCTION`].
const FUNCTIONS: [u16; instr::OPS] = {
    let mut functions = [NO_FUNCTION; instr::OPS];
    let mut i = 0;
    while i < instr::OPS {
        let op = instr::op(i as u64);
        let part = part(op);
        if let Part::Binary(name) = part {
            functions[i] = match arith::index2(name) {
                Some(f) => f,
                None => panic!("no function is called so"),
            };
        }
        assert!(
            matches!(part, Part::Binary(_) | Part::Operation) == instr::is_operation(op),
            "an operation is told from others by where its row stands, too"
        );
        i += 1;
    }
    functions
};

const NO_FUNCTION: u16 = u16::MAX;

/// The number of `-/1`.
const NEGATE: u16 = match arith::index1("-") {
    Some(f) => f,
    None => panic!("no function is called so"),
};

/// Whether an integer is negative, and its limbs (in `small` if it is a small one); `None` if it is no integer.
///
/// # Safety
/// `c` is a dereferenced term of a heap that does not change while the limbs are used.
unsafe fn sign_and_limbs(c: Cell, small: &mut [u64; 1]) -> Option<(bool, &[u64])> {
    if c.is_small() {
        let v = c.small_value();
        small[0] = v.unsigned_abs();
        return Some((v < 0, &small[..usize::from(v != 0)]));
    }
    if c.tag() != Tag::Box {
        return None;
    }
    // SAFETY: promised by the caller; a box starts with its header, which says how many words follow.
    unsafe {
        let header = *c.ptr();
        if !header.is_kind(Kind::BigInt) {
            return None;
        }
        let words = std::slice::from_raw_parts(c.ptr().add(1) as *const u64, header.box_words());
        Some((header.payload() & 1 == 1, words))
    }
}

/// The order of two integers, as they are on the heap; `None` if one is something else.
///
/// # Safety
/// As [`sign_and_limbs`].
#[inline]
unsafe fn compare_integers(a: Cell, b: Cell) -> Option<Ordering> {
    let (mut one, mut other) = ([0], [0]);
    // SAFETY: promised by the caller.
    let (x, y) = unsafe { (sign_and_limbs(a, &mut one)?, sign_and_limbs(b, &mut other)?) };
    Some(match (x.0, y.0) {
        (false, false) => limbs::compare(x.1, y.1),
        (true, true) => limbs::compare(y.1, x.1),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    })
}

/// Numerator and denominator of an integer or rational, as it is on the heap, if they are as small as [`Number::small_parts`].
///
/// # Safety
/// As [`sign_and_limbs`].
unsafe fn small_parts(c: Cell) -> Option<(i128, i128)> {
    if c.is_small() {
        return Some((c.small_value().into(), 1));
    }
    if c.tag() != Tag::Box {
        return None;
    }
    // SAFETY: promised by the caller; a box starts with its header, which says how many words follow.
    let words = unsafe {
        let header = *c.ptr();
        if !header.is_kind(Kind::Rational) {
            return None;
        }
        std::slice::from_raw_parts(c.ptr() as *const u64, 1 + header.box_words())
    };
    Number::small_parts_of_box(words)
}

/// Whether a comparison holds of numbers of this order; `None`: one is no number.
fn holds(op: Op, order: Option<Ordering>) -> bool {
    match (op, order) {
        (Op::CmpNe, None) => true,
        (_, None) => false,
        (Op::CmpEq, Some(o)) => o == Ordering::Equal,
        (Op::CmpNe, Some(o)) => o != Ordering::Equal,
        (Op::CmpLt, Some(o)) => o == Ordering::Less,
        (Op::CmpLe, Some(o)) => o != Ordering::Greater,
        (Op::CmpGt, Some(o)) => o == Ordering::Greater,
        (Op::CmpGe, Some(o)) => o != Ordering::Less,
        _ => unreachable!("not a comparison"),
    }
}

/// Deeper expressions are left to the evaluator.
const FEW_LEVELS: u32 = 8;

impl Worker {
    /// The value of an expression of small integers by the operations that most are made of, where there is no error and nothing that a flag
    /// decides; `None`: the evaluator is to look at it.
    fn few(&self, c: Cell, levels: u32) -> Option<i64> {
        let c = self.deref(c);
        if c.is_small() {
            return Some(c.small_value());
        }
        if c.tag() != Tag::Str || levels == 0 {
            return None;
        }
        // SAFETY: a structure starts with its functor, and has two arguments if that says so.
        let (f, a, b) = unsafe {
            let f = Functor::from_cell(*c.ptr());
            if f.arity() != 2 {
                return None;
            }
            (f.name(), *c.ptr().add(1), *c.ptr().add(2))
        };
        let value = |c| self.few(c, levels - 1);
        let natural = |c| value(c).filter(|v| *v >= 0);
        if f == atoms::PLUS {
            value(a)?.checked_add(value(b)?)
        } else if f == atoms::MINUS {
            value(a)?.checked_sub(value(b)?)
        } else if f == atoms::STAR {
            value(a)?.checked_mul(value(b)?)
        } else if f == atoms::MOD {
            natural(a)?.checked_rem(natural(b)?)
        } else if f == atoms::INT_DIV {
            natural(a)?.checked_div(natural(b)?)
        } else {
            None
        }
    }
    /// The value of a term: a number, or an expression that is evaluated.
    fn value(&mut self, c: Cell) -> Result<Number, Fault> {
        let c = self.deref(c);
        if let Some(v) = self.few(c, FEW_LEVELS) {
            return Ok(Number::Int(v));
        }
        if c.tag() == Tag::Box {
            // SAFETY: a box starts with its header.
            let h = unsafe { *c.ptr() };
            if !h.is_kind(Kind::String) {
                // SAFETY: the header says how many words follow.
                let words =
                    unsafe { std::slice::from_raw_parts(c.ptr() as *const u64, h.box_words() + 1) };
                return if words.len() < BIG_BOX {
                    Ok(Number::read_box(words))
                } else {
                    heavy::guard(|| Number::read_box(words))
                        .map_err(|stop| Fault::new(stop.into(), None))
                };
            }
        }
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        let t = unsafe { self.term(c) };
        arith::eval(t, &mut self.thread.arith)
            .map_err(|e| Fault::new(e, self.thread.arith.function.take()))
    }
    /// The value of a term as argument of a builtin.
    pub(crate) fn evaluate(&mut self, c: Cell) -> Result<Number, Throw> {
        self.value(c).map_err(|f| self.arith_error(f))
    }
    /// A number as a cell.
    pub(crate) fn number_cell(&mut self, n: &Number) -> Result<Cell, Throw> {
        Ok(self.heap.number(n)?)
    }
    /// The value of the expression of an `is/2` that was not compiled to operations.
    pub(crate) fn evaluate_cell(&mut self, c: Cell) -> Result<Cell, Throw> {
        let c = self.deref(c);
        if c.is_small() {
            return Ok(c);
        }
        match self.value(c) {
            Ok(n) => self.number_cell(&n),
            Err(f) => Err(self.arith_error_in(f, atoms::IS)),
        }
    }
    #[inline(always)]
    fn float_of(&self, c: Cell) -> Option<f64> {
        if c.is_small() {
            return Some(c.small_value() as f64);
        }
        if c.tag() == Tag::Box {
            // SAFETY: a box starts with its header; a float has one word.
            unsafe {
                if (*c.ptr()).is_kind(Kind::Float) {
                    return Some(f64::from_bits((*c.ptr().add(1)).0));
                }
            }
        }
        None
    }
    /// The slow path of the binary register operations.
    #[cold]
    pub(in crate::engine) fn arithmetic(
        &mut self,
        op: Op,
        a: Cell,
        b: Cell,
    ) -> Result<Cell, Failure> {
        if !(a.is_small() && b.is_small())
            && self.thread.arith.floats == FloatFlags::DEFAULT
            && let (Some(x), Some(y)) = (self.float_of(a), self.float_of(b))
        {
            let r = match op {
                Op::Add => x + y,
                Op::Sub => x - y,
                Op::Mul => x * y,
                _ => f64::NAN,
            };
            if r.is_finite() {
                return Ok(self.heap.float(r)?);
            }
        }
        if let Op::Add | Op::Sub | Op::Mul | Op::IntDiv | Op::Mod | Op::Rem = op
            && let Some(r) = self.limb_arithmetic(op, a, b)
        {
            return Ok(r);
        }
        let f = FUNCTIONS[op as usize];
        debug_assert!(f != NO_FUNCTION);
        self.function2(f, a, b)
    }
    /// Sums, differences, products, quotients and remainders of integers, made in place on the heap; `None`: something else, or so large that
    /// the library has quicker ways.
    fn limb_arithmetic(&mut self, op: Op, a: Cell, b: Cell) -> Option<Cell> {
        let (mut one, mut other) = ([0], [0]);
        // SAFETY: terms of this heap, which nothing moves before this function returns.
        let operands = unsafe { (sign_and_limbs(a, &mut one), sign_and_limbs(b, &mut other)) };
        let (Some((mut negative, mut x)), Some((minus, mut y))) = operands else {
            return None;
        };
        if x.len().max(y.len()) > MAX_LIMBS {
            return None;
        }
        if let Op::IntDiv | Op::Mod | Op::Rem = op {
            return self.limb_division(op, a, (negative, x), (minus, y));
        }
        let mut minus = minus != (op == Op::Sub);
        if limbs::compare(x, y).is_lt() {
            (x, y) = (y, x);
            (negative, minus) = (minus, negative);
        }
        if y.is_empty() || op == Op::Mul && y.len() > limbs::SCHOOLBOOK {
            return None;
        }
        let length = x.len() + if op == Op::Mul { y.len() } else { 1 };
        // SAFETY: written before anything else is allocated.
        let (p, out) = unsafe { self.limbs(length)? };
        match op {
            Op::Mul => {
                limbs::mul(out, x, y);
                negative ^= minus;
            }
            _ if negative == minus => limbs::add(out, x, y),
            _ => {
                limbs::sub(&mut out[..x.len()], x, y);
                out[x.len()] = 0;
            }
        }
        // SAFETY: what was just begun.
        Some(unsafe { self.integer_of_limbs(p, length, negative) })
    }
    /// Quotients rounded towards zero, and remainders. `a` is the dividend, of sign and limbs `(negative, x)`.
    fn limb_division(
        &mut self,
        op: Op,
        a: Cell,
        (negative, x): (bool, &[u64]),
        (minus, y): (bool, &[u64]),
    ) -> Option<Cell> {
        if y.is_empty() {
            return None;
        }
        let same = op == Op::Rem || negative == minus;
        if limbs::compare(x, y).is_lt() {
            return match op {
                Op::IntDiv => Some(Cell::small(0)),
                _ if same || x.is_empty() => Some(a),
                _ => None,
            };
        }
        let n = y.len();
        let digits = x.len() + 1 - n;
        if n.min(digits) > limbs::SCHOOLBOOK {
            return None;
        }
        // The remainder, or the quotient with the remainder behind it.
        let before = if op == Op::IntDiv { digits } else { 0 };
        // SAFETY: written before anything else is allocated.
        let (p, out) = unsafe { self.limbs(before + x.len() + 1)? };
        let (quotient, rest) = out.split_at_mut(before);
        rest[..x.len()].copy_from_slice(x);
        rest[x.len()] = 0;
        limbs::divide(quotient, rest, y);
        let (length, negative) = match op {
            Op::IntDiv => (digits, negative != minus),
            _ if same || rest[..n].iter().all(|&limb| limb == 0) => (n, negative),
            _ => {
                limbs::sub_from(&mut rest[..n], y);
                (n, minus)
            }
        };
        // SAFETY: what was just begun.
        Some(unsafe { self.integer_of_limbs(p, length, negative) })
    }
    /// Room for a big integer of so many limbs: where its header will stand, and its limbs, of any value.
    ///
    /// # Safety
    /// The slice is not used any more when something else is allocated, given back or collected.
    unsafe fn limbs<'a>(&mut self, length: usize) -> Option<(*mut Cell, &'a mut [u64])> {
        let p = self.heap.allocate_young(length + 1)?;
        // SAFETY: that many words after the header were just allocated; nothing else refers to them until it is a term.
        let limbs = unsafe { std::slice::from_raw_parts_mut(p.add(1).cast::<u64>(), length) };
        Some((p, limbs))
    }
    /// The integer whose first `length` limbs were written to what [`Worker::limbs`] gave; what it does not need is given back.
    ///
    /// # Safety
    /// Nothing was allocated since, and the slice is not used any more.
    unsafe fn integer_of_limbs(&mut self, p: *mut Cell, length: usize, negative: bool) -> Cell {
        // SAFETY: promised by the caller.
        let limbs = unsafe { std::slice::from_raw_parts(p.add(1).cast::<u64>(), length) };
        let n = limbs
            .iter()
            .rposition(|&limb| limb != 0)
            .map_or(0, |i| i + 1);
        let small = match limbs[..n] {
            [] => Some(0),
            [limb] if negative => 0i64.checked_sub_unsigned(limb),
            [limb] => i64::try_from(limb).ok(),
            _ => None,
        };
        if let Some(c) = small.and_then(Cell::try_small) {
            // SAFETY: the number that was begun there is not used.
            unsafe { self.heap.give_back(p) };
            return c;
        }
        // SAFETY: as above.
        unsafe {
            *p = Cell::header(Kind::BigInt, (n as u64) << 1 | u64::from(negative));
            self.heap.give_back(p.add(1 + n));
        }
        Cell::to(Tag::Box, p)
    }
    pub(in crate::engine) fn negate(&mut self, a: Cell) -> Result<Cell, Failure> {
        self.function1(NEGATE, a)
    }
    pub(in crate::engine) fn function1(&mut self, f: u16, a: Cell) -> Result<Cell, Failure> {
        let x = self.value(a)?;
        let r = arith::apply1(f, &x, &mut self.thread.arith);
        self.result(r)
    }
    pub(in crate::engine) fn function2(
        &mut self,
        f: u16,
        a: Cell,
        b: Cell,
    ) -> Result<Cell, Failure> {
        let y = self.value(b)?;
        let x = self.value(a)?;
        let r = arith::apply2(f, &x, &y, &mut self.thread.arith);
        self.result(r)
    }
    #[inline]
    fn result(&mut self, r: Result<Number, ArithError>) -> Result<Cell, Failure> {
        match r {
            Ok(Number::Float(f)) => Ok(self.heap.float(f)?),
            Ok(n) => Ok(self.heap.number(&n)?),
            Err(e) => Err(Fault::new(e, self.thread.arith.function.take()).into()),
        }
    }
    /// The slow path of comparisons.
    #[cold]
    pub(in crate::engine) fn compare_values(
        &mut self,
        op: Op,
        a: Cell,
        b: Cell,
    ) -> Result<bool, Failure> {
        // An integer is compared with a float as the float nearest to it.
        let floats = self.float_of(a).zip(self.float_of(b));
        let order = match floats.and_then(|(x, y)| x.partial_cmp(&y)) {
            Some(o) if !(a.is_small() && b.is_small()) => Some(o),
            // SAFETY: dereferenced terms of this heap, which nothing changes here.
            _ => match unsafe { compare_integers(a, b) } {
                Some(o) => Some(o),
                None => {
                    // SAFETY: as above.
                    let parts = unsafe { small_parts(a).zip(small_parts(b)) };
                    if let Some(((p, q), (r, s))) = parts {
                        return Ok(holds(op, Some((p * s).cmp(&(r * q)))));
                    }
                    let x = self.value(a)?;
                    let y = self.value(b)?;
                    match arith::compare(&x, &y) {
                        Ok(o) => o,
                        Err(e) => return Err(Fault::new(e, None).into()),
                    }
                }
            },
        };
        Ok(holds(op, order))
    }

    /// The comparison as a builtin.
    pub(crate) fn compare_numbers(&mut self, op: Op, a: Cell, b: Cell) -> Result<bool, Throw> {
        self.compare_values(op, a, b).map_err(|f| match f {
            Failure::Fault(f) => self.arith_error(f),
            Failure::Throw(t) => t,
        })
    }

    /// The exception for an operation at `pc` that has no result.
    ///
    /// # Safety
    /// `pc` is at an operation or comparison of arithmetic, and `x` are the registers, as that instruction found them.
    #[cold]
    #[inline(never)]
    pub(in crate::engine) unsafe fn blame(&mut self, failure: Failure, pc: Pc) -> Throw {
        match failure {
            Failure::Throw(t) => t,
            // SAFETY: promised by the caller.
            Failure::Fault(first) => match unsafe { self.settle(first, pc) } {
                Ok((fault, goal)) => self.arith_error_in(fault, goal),
                Err(t) => t,
            },
        }
    }

    /// Goes through the operations of a goal from `pc` on: the error that the evaluator would have raised, and the name of the goal. A
    /// register without a value holds its error in `faults`.
    ///
    /// # Safety
    /// As for [`Self::blame`].
    unsafe fn settle(&mut self, first: Fault, mut pc: Pc) -> Result<(Fault, Atom), Throw> {
        let mut faults: Vec<(usize, Fault)> = Vec::new();
        loop {
            // SAFETY: code of one clause, in which nothing jumps before the end of the goal; registers.
            unsafe {
                let w = *pc;
                let (a, op) = (instr::a(w), instr::op(w));
                let value = match part(op) {
                    Part::Constant if op == Op::PutConst => Ok(Cell(*pc.add(1))),
                    Part::Constant => Ok(self.heap.instantiate(&*(*pc.add(1) as *const Record))?),
                    Part::Comparison(goal) => {
                        let left = self.operand(a, &faults).err();
                        let fault = left.or_else(|| self.operand(instr::b(w), &faults).err());
                        return Ok((fault.unwrap_or(first), goal));
                    }
                    Part::Binary(_) | Part::Operation => self.operation((pc, w), &faults),
                    part @ (Part::Term | Part::Elsewhere) => {
                        debug_assert!(matches!(part, Part::Term), "{op:?} within a goal");
                        // What a comparison has on its right, if it is evaluated as it is: without a fault by itself.
                        pc = pc.add(instr::length(w));
                        continue;
                    }
                };
                faults.retain(|&(r, _)| r != a);
                match value {
                    Ok(c) => *self.x.get_unchecked_mut(a) = c,
                    Err(Failure::Fault(f)) => faults.push((a, f)),
                    Err(Failure::Throw(t)) => return Err(t),
                }
                if w & instr::ROOT != 0 {
                    let fault = faults.pop().map_or(first, |(_, f)| f);
                    return Ok((fault, atoms::IS));
                }
                pc = pc.add(instr::length(w));
            }
        }
    }
    /// The value in a register, or why it has none.
    ///
    /// # Safety
    /// `r` is a register of `x`, which holds terms or has a fault.
    unsafe fn operand(&mut self, r: usize, faults: &[(usize, Fault)]) -> Result<Cell, Fault> {
        if let Some((_, f)) = faults.iter().find(|&&(q, _)| q == r) {
            return Err(f.clone());
        }
        // SAFETY: promised by the caller.
        let c = self.register(r);
        self.value(c).map(|_| c)
    }
    /// The value of an operation, whose arguments are evaluated from the last to the first.
    ///
    /// # Safety
    /// As for [`Self::settle`].
    unsafe fn operation(
        &mut self,
        (pc, w): (Pc, u64),
        faults: &[(usize, Fault)],
    ) -> Result<Cell, Failure> {
        // SAFETY: promised by the caller.
        unsafe {
            let op = instr::op(w);
            let right = match op {
                Op::AddImm => Cell::small(i64::from(instr::c(w) as u16 as i16)),
                Op::Neg | Op::Function1 => Cell::small(0),
                _ => self.operand(instr::c(w), faults)?,
            };
            let left = self.operand(instr::b(w), faults)?;
            match op {
                Op::AddImm => self.arithmetic(Op::Add, left, right),
                Op::Neg => self.negate(left),
                Op::Function1 => self.function1(*pc.add(1) as u16, left),
                Op::Function2 => self.function2(*pc.add(1) as u16, left, right),
                _ => self.arithmetic(op, left, right),
            }
        }
    }

    /// The exception of an arithmetic error; without a context if it belongs to no function.
    fn arith_error(&mut self, fault: Fault) -> Throw {
        let (e, function) = *fault.0;
        let t = self.arith_error_term(e);
        let Some((name, arity)) = function else {
            return t;
        };
        match self.indicator(Functor::new(Atom::new(name), arity)) {
            Ok(i) => self.add_culprit_context(t, i),
            Err(e) => e,
        }
    }
    /// The same in a goal of this name and two arguments.
    fn arith_error_in(&mut self, fault: Fault, goal: Atom) -> Throw {
        let t = self.arith_error(fault);
        match self.indicator(Functor::new(goal, 2)) {
            Ok(i) => match self.structure(":", &[Cell::atom(atoms::SYSTEM), i]) {
                Ok(i) => self.add_culprit_context(t, i),
                Err(e) => e,
            },
            Err(e) => e,
        }
    }
    /// `Name/Arity` of something that is no function.
    pub(in crate::engine) fn evaluable(&mut self, name: Atom, arity: usize) -> Throw {
        match self.indicator(Functor::new(name, arity)) {
            Ok(i) => self.type_error("evaluable", i),
            Err(e) => e,
        }
    }
}

impl Worker {
    fn arith_error_term(&mut self, e: ArithError) -> Throw {
        match e {
            ArithError::Instantiation => self.instantiation_error(),
            ArithError::Evaluation(what) => self.evaluation_error(what),
            ArithError::NotEvaluable(name, arity) => self.evaluable(name.get(), arity),
            ArithError::Resource(what) => self.resource_error(what),
            ArithError::Interrupted => self.given_up(),
            ArithError::Type("[]", c) => match self.arith_culprit(c) {
                Ok(c) => match self.not_one_character(c) {
                    Ok(t) => Throw::Term(t),
                    Err(t) => t,
                },
                Err(t) => t,
            },
            ArithError::Type(ty, c) => match self.arith_culprit(c) {
                Ok(c) => self.type_error(ty, c),
                Err(t) => t,
            },
            ArithError::Domain(d, c) => match self.arith_culprit(c) {
                Ok(c) => self.domain_error(d, c),
                Err(t) => t,
            },
        }
    }
    /// The error of a text or list that is to be a character.
    fn not_one_character(&mut self, c: Cell) -> Result<Cell, Throw> {
        let formal = self.structure("type_error", &[Cell::NIL, c])?;
        let message = Cell::atom(Atom::new("\"x\" must hold one character"));
        let v = self.heap.variable()?;
        let context = self.structure("context", &[v, message])?;
        self.structure("error", &[formal, context])
    }
    fn arith_culprit(&mut self, c: arith::Culprit) -> Result<Cell, Throw> {
        match c {
            arith::Culprit::Number(n) => self.number_cell(&n),
            arith::Culprit::Term(c) => Ok(c),
        }
    }
}

/// Run by `tests/checks.rs`.
#[cfg(debug_assertions)]
pub(crate) mod checks {
    use samite_code::compile::arith::{FUNCTIONS_1, FUNCTIONS_2};

    /// The compiler numbers functions; the evaluator must mean the same ones.
    pub(crate) fn compiler_and_evaluator_number_functions_alike() {
        assert_eq!(&samite_arith::FUNCTIONS_1[..FUNCTIONS_1.len()], FUNCTIONS_1);
        assert_eq!(&samite_arith::FUNCTIONS_2[..FUNCTIONS_2.len()], FUNCTIONS_2);
    }
}
