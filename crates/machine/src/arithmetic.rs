//! Arithmetic of the machine: between cells and the evaluator of `samite-arith`.

use crate::error::Throw;
use crate::machine::Machine;
use samite_arith::{self as arith, ArithError, FloatFlags, limbs};
use samite_code::instr::Op;
use samite_term::{Atom, Cell, Functor, Kind, Number, Tag, atoms};
use std::cmp::Ordering;

/// Big integers of more limbs than this are left to the library, which checks their size.
const MAX_LIMBS: usize = 1 << 10;

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

/// The function of a register operation whose result may be a float.
fn function_of(op: Op) -> Option<u16> {
    let name = match op {
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::Min => "min",
        Op::Max => "max",
        _ => return None,
    };
    arith::index2(name)
}

impl Machine {
    /// The value of a term: a number, or an expression that is evaluated.
    pub fn evaluate(&mut self, c: Cell) -> Result<Number, Throw> {
        let c = self.deref(c);
        if c.is_small() {
            return Ok(Number::Int(c.small_value()));
        }
        if c.tag() == Tag::Box {
            // SAFETY: a box starts with its header.
            let h = unsafe { *c.ptr() };
            if !h.is_kind(Kind::String) {
                // SAFETY: the header says how many words follow.
                let words =
                    unsafe { std::slice::from_raw_parts(c.ptr() as *const u64, h.box_words() + 1) };
                return Ok(Number::read_box(words));
            }
        }
        let t = self.term(c);
        match arith::eval(t, &mut self.arith) {
            Ok(n) => Ok(n),
            Err(e) => Err(self.arith_error(e)),
        }
    }
    /// A number as a cell.
    pub fn number_cell(&mut self, n: &Number) -> Result<Cell, Throw> {
        Ok(self.heap.number(n)?)
    }
    pub(crate) fn evaluate_cell(&mut self, c: Cell) -> Result<Cell, Throw> {
        let c = self.deref(c);
        if c.is_small() {
            return Ok(c);
        }
        let n = self.evaluate(c)?;
        self.number_cell(&n)
    }
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
    pub(crate) fn arithmetic(&mut self, op: Op, a: Cell, b: Cell) -> Result<Cell, Throw> {
        if !(a.is_small() && b.is_small())
            && self.arith.floats == FloatFlags::DEFAULT
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
        if let Op::Add | Op::Sub | Op::Mul = op
            && let Some(r) = self.limb_arithmetic(op, a, b)
        {
            return Ok(r);
        }
        let x = self.evaluate(a)?;
        let y = self.evaluate(b)?;
        // The entry points below take the float flags to be at their defaults.
        if self.arith.floats != FloatFlags::DEFAULT
            && let Some(f) = function_of(op)
        {
            let r = arith::apply2(f, &x, &y, &mut self.arith);
            return self.arith_result(r);
        }
        let r = match op {
            Op::Add => arith::add(&x, &y),
            Op::Sub => arith::sub(&x, &y),
            Op::Mul => arith::mul(&x, &y),
            Op::IntDiv => arith::int_div(&x, &y),
            Op::Mod => arith::modulo(&x, &y),
            Op::Rem => arith::rem(&x, &y),
            Op::BitAnd => arith::and(&x, &y),
            Op::BitOr => arith::or(&x, &y),
            Op::Shl => arith::shl(&x, &y),
            Op::Shr => arith::shr(&x, &y),
            Op::Min => arith::min(&x, &y),
            _ => arith::max(&x, &y),
        };
        self.arith_result(r)
    }
    /// Sums and differences of integers, and products with a small one, made in place on the heap; `None`: something else.
    fn limb_arithmetic(&mut self, op: Op, a: Cell, b: Cell) -> Option<Cell> {
        let (mut one, mut other) = ([0], [0]);
        // SAFETY: terms of this heap, which nothing moves before this function returns.
        let operands = unsafe { (sign_and_limbs(a, &mut one), sign_and_limbs(b, &mut other)) };
        let (Some((mut negative, mut x)), Some((minus, mut y))) = operands else {
            return None;
        };
        let mut minus = minus != (op == Op::Sub);
        if limbs::compare(x, y).is_lt() {
            (x, y) = (y, x);
            (negative, minus) = (minus, negative);
        }
        if y.is_empty() || (op == Op::Mul && y.len() > 1) || x.len() > MAX_LIMBS {
            return None;
        }
        let p = self.heap.allocate_young(x.len() + 2)?;
        // SAFETY: that many words after the header were just allocated, apart from both operands.
        let out = unsafe { std::slice::from_raw_parts_mut(p.add(1).cast::<u64>(), x.len() + 1) };
        match op {
            Op::Mul => {
                limbs::mul(out, x, y[0]);
                negative ^= minus;
            }
            _ if negative == minus => limbs::add(out, x, y),
            _ => {
                limbs::sub(&mut out[..x.len()], x, y);
                out[x.len()] = 0;
            }
        }
        let n = out.iter().rposition(|&limb| limb != 0).map_or(0, |i| i + 1);
        let small = match out[..n] {
            [] => Some(0),
            [limb] if negative => 0i64.checked_sub_unsigned(limb),
            [limb] => i64::try_from(limb).ok(),
            _ => None,
        };
        if let Some(c) = small.and_then(Cell::try_small) {
            self.heap.give_back(p);
            return Some(c);
        }
        // SAFETY: as above.
        unsafe {
            *p = Cell::header(Kind::BigInt, (n as u64) << 1 | u64::from(negative));
            self.heap.give_back(p.add(1 + n));
        }
        Some(Cell::to(Tag::Box, p))
    }
    pub(crate) fn negate(&mut self, a: Cell) -> Result<Cell, Throw> {
        let x = self.evaluate(a)?;
        self.arith_result(arith::neg(&x))
    }
    pub(crate) fn function1(&mut self, f: u16, a: Cell) -> Result<Cell, Throw> {
        let x = self.evaluate(a)?;
        let r = arith::apply1(f, &x, &mut self.arith);
        self.arith_result(r)
    }
    pub(crate) fn function2(&mut self, f: u16, a: Cell, b: Cell) -> Result<Cell, Throw> {
        let x = self.evaluate(a)?;
        let y = self.evaluate(b)?;
        let r = arith::apply2(f, &x, &y, &mut self.arith);
        self.arith_result(r)
    }
    fn arith_result(&mut self, r: Result<Number, ArithError>) -> Result<Cell, Throw> {
        match r {
            Ok(n) => self.number_cell(&n),
            Err(e) => Err(self.arith_error(e)),
        }
    }
    /// The slow path of comparisons.
    #[cold]
    pub(crate) fn compare_values(&mut self, op: Op, a: Cell, b: Cell) -> Result<bool, Throw> {
        let x = self.evaluate(a)?;
        let y = self.evaluate(b)?;
        let order = match arith::compare(&x, &y) {
            Ok(o) => o,
            Err(e) => return Err(self.arith_error(e)),
        };
        Ok(match (op, order) {
            (Op::CmpNe, None) => true,
            (_, None) => false,
            (Op::CmpEq, Some(o)) => o == Ordering::Equal,
            (Op::CmpNe, Some(o)) => o != Ordering::Equal,
            (Op::CmpLt, Some(o)) => o == Ordering::Less,
            (Op::CmpLe, Some(o)) => o != Ordering::Greater,
            (Op::CmpGt, Some(o)) => o == Ordering::Greater,
            (_, Some(o)) => o != Ordering::Less,
        })
    }
    /// The exception of an arithmetic error, with `is/2`'s context.
    pub(crate) fn arith_error(&mut self, e: ArithError) -> Throw {
        let t = self.arith_error_term(e);
        match self.indicator(Functor::new(atoms::IS, 2)) {
            Ok(i) => match self.structure(":", &[Cell::atom(atoms::SYSTEM), i]) {
                Ok(i) => self.add_culprit_context(t, i),
                Err(e) => e,
            },
            Err(e) => e,
        }
    }
    /// `Name/Arity` of something that is no function.
    pub(crate) fn evaluable(&mut self, name: Atom, arity: usize) -> Throw {
        match self.indicator(Functor::new(name, arity)) {
            Ok(i) => self.type_error("evaluable", i),
            Err(e) => e,
        }
    }
}

impl Machine {
    fn arith_error_term(&mut self, e: ArithError) -> Throw {
        match e {
            ArithError::Instantiation => self.instantiation_error(),
            ArithError::Evaluation(what) => self.evaluation_error(what),
            ArithError::NotEvaluable(name, arity) => self.evaluable(name, arity),
            ArithError::Resource(what) => self.resource_error(what),
            ArithError::Type("[]", c) => match self.arith_culprit(c) {
                Ok(c) => self.formal(atoms::TYPE_ERROR, &[Cell::NIL, c]),
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
    fn arith_culprit(&mut self, c: arith::Culprit) -> Result<Cell, Throw> {
        match c {
            arith::Culprit::Number(n) => self.number_cell(&n),
            arith::Culprit::Term(c) => Ok(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use samite_code::compile::arith::{FUNCTIONS_1, FUNCTIONS_2};

    /// The compiler numbers functions; the evaluator must mean the same ones.
    #[test]
    fn compiler_and_evaluator_number_functions_alike() {
        assert_eq!(&samite_arith::FUNCTIONS_1[..FUNCTIONS_1.len()], FUNCTIONS_1);
        assert_eq!(&samite_arith::FUNCTIONS_2[..FUNCTIONS_2.len()], FUNCTIONS_2);
    }
}
