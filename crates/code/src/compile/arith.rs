//! Arithmetic in place: expressions become register operations. What is not known at compile time (a
//! variable bound to an expression, unknown functions) is left to the machine's evaluator, which also raises the errors.

use super::CompileError;
use super::codegen::Generator;
use super::state::State;
use crate::instr::{self, Op, word};
use samite_term::view::Compound;
use samite_term::{Atom, TermRef, View, atoms};

/// Expressions nested deeper than this are evaluated by the evaluator.
const MAX_DEPTH: usize = 100;

/// The register operation of a binary function that has one of its own.
fn binary(name: Atom) -> Option<Op> {
    Some(match name {
        atoms::PLUS => Op::Add,
        atoms::MINUS => Op::Sub,
        atoms::STAR => Op::Mul,
        atoms::INT_DIV => Op::IntDiv,
        atoms::MOD => Op::Mod,
        atoms::REM => Op::Rem,
        atoms::BIT_AND => Op::BitAnd,
        atoms::BIT_OR => Op::BitOr,
        atoms::SHIFT_LEFT => Op::Shl,
        atoms::SHIFT_RIGHT => Op::Shr,
        atoms::MIN => Op::Min,
        atoms::MAX => Op::Max,
        _ => return None,
    })
}

/// Expressions of more cells than this are evaluated by the evaluator.
const MAX_CELLS: usize = 300;

/// Whether a term is an operation whose arguments, at any depth, are operations, variables and atomic terms: one that is
/// compiled to register operations.
fn is_operation(t: TermRef) -> bool {
    if !matches!(t.view(), View::Compound(_)) {
        return false;
    }
    let mut cells = 0;
    let mut work = vec![(t, 0)];
    while let Some((t, depth)) = work.pop() {
        cells += 1;
        match t.view() {
            View::Compound(c) if is_function(c.name(), c.arity()) => {
                if depth >= MAX_DEPTH || cells > MAX_CELLS {
                    return false;
                }
                work.extend(c.args().map(|t| (t, depth + 1)));
            }
            View::Compound(_) | View::List(..) => return false,
            _ => {}
        }
    }
    true
}

fn is_function(name: Atom, arity: usize) -> bool {
    match arity {
        1 => name == atoms::MINUS || function_number(name.as_str(), 1).is_some(),
        2 => binary(name).is_some() || function_number(name.as_str(), 2).is_some(),
        _ => false,
    }
}

impl<'a> Generator<'_, 'a> {
    /// The value of an expression, or something that evaluates to it, in a register; true if it is a temporary.
    /// `target`: a free register to use for a computed result.
    fn expression(
        &mut self,
        t: TermRef<'a>,
        st: &mut State,
        target: Option<u16>,
    ) -> Result<(u16, bool), CompileError> {
        if is_operation(t) {
            // Nothing but constants comes between the operations of an expression: see `Worker::settle`.
            self.load_variables(t, st)?;
            self.operation(t, st, target)
        } else {
            self.value(t, st)
        }
    }
    /// Brings the variables of an expression into registers.
    fn load_variables(&mut self, t: TermRef<'a>, st: &mut State) -> Result<(), CompileError> {
        let mut work = vec![t];
        while let Some(t) = work.pop() {
            if let Some(v) = self.var_of(t) {
                self.in_register(st, v)?;
            } else if let View::Compound(c) = t.view() {
                work.extend(c.args().rev());
            }
        }
        Ok(())
    }
    /// The same for the operations of an expression, whose depth is limited.
    fn operation(
        &mut self,
        t: TermRef<'a>,
        st: &mut State,
        target: Option<u16>,
    ) -> Result<(u16, bool), CompileError> {
        let View::Compound(c) = t.view() else {
            return self.value(t, st);
        };
        if let Some((x, v)) = constant_sum(&c) {
            let (r, temp) = self.operation(x, st, target)?;
            let d = self.result(st, target, r, temp)?;
            self.operation = self.code.len();
            self.emit(word(Op::AddImm, d, r, v as u16));
            return Ok((d, true));
        }
        let (r, t1) = self.operation(c.arg(0), st, None)?;
        let (s, t2) = match c.arity() {
            2 => self.operation(c.arg(1), st, None)?,
            _ => (0, false),
        };
        self.drop_temp(st, r, t1);
        self.drop_temp(st, s, t2);
        let d = match target {
            Some(d) => d,
            None => st.allocate(None)?,
        };
        let simple = match c.arity() {
            2 => binary(c.name()),
            _ => Some(Op::Neg).filter(|_| c.name() == atoms::MINUS),
        };
        self.operation = self.code.len();
        match simple {
            Some(op) => self.emit(word(op, d, r, s)),
            None => {
                let (op, number) = match c.arity() {
                    2 => (Op::Function2, function_number(c.name().as_str(), 2)),
                    _ => (Op::Function1, function_number(c.name().as_str(), 1)),
                };
                self.emit(word(op, d, r, s));
                self.emit(number.unwrap_or(0).into());
            }
        }
        Ok((d, true))
    }

    /// A register for a result computed from `r`.
    fn result(
        &mut self,
        st: &mut State,
        target: Option<u16>,
        r: u16,
        temp: bool,
    ) -> Result<u16, CompileError> {
        match target {
            Some(d) => {
                if temp && d != r {
                    st.release(r);
                }
                Ok(d)
            }
            None if temp => Ok(r),
            None => st.allocate(None),
        }
    }

    /// A comparison of values.
    pub fn compare(
        &mut self,
        op: Op,
        a: TermRef<'a>,
        b: TermRef<'a>,
        st: &mut State,
    ) -> Result<(), CompileError> {
        for t in [a, b] {
            if is_operation(t) {
                self.load_variables(t, st)?;
            }
        }
        let (r, t1) = self.expression(a, st, None)?;
        let (s, t2) = self.expression(b, st, None)?;
        self.emit_test2(op, r, s);
        self.drop_temp(st, r, t1);
        self.drop_temp(st, s, t2);
        Ok(())
    }

    /// `a is b`.
    pub fn is(
        &mut self,
        a: TermRef<'a>,
        b: TermRef<'a>,
        st: &mut State,
    ) -> Result<(), CompileError> {
        let new = self.var_of(a).filter(|&v| !st.has_value(v));
        let target = match new {
            // `X is X+1` with a new X: the right side must see the unbound variable.
            Some(v) if self.occurs_in_expression(v, b) => None,
            Some(v) => Some(st.allocate(self.hint(st, v))?),
            None => None,
        };
        let (r, temp) = self.expression(b, st, target)?;
        let r2 = if is_operation(b) {
            let root = self.operation;
            self.code[root] |= instr::ROOT;
            r
        } else {
            // A lone variable or constant, or an unknown function: evaluate a copy.
            let d = match target {
                Some(d) => d,
                None if temp => r,
                None => st.allocate(None)?,
            };
            if d != r {
                self.emit(word(Op::Move, d, r, 0));
                self.drop_temp(st, r, temp);
            }
            self.emit(word(Op::Evaluate, d, 0, 0));
            d
        };
        match (new, target) {
            (Some(v), Some(d)) => {
                debug_assert_eq!(d, r2);
                if self.count(v) > 1 {
                    st.set_x(v, d);
                } else {
                    st.release(d);
                }
            }
            _ => {
                let c = a.deref();
                if let Some(v) = self.var_of(a) {
                    let s = self.in_register(st, v)?;
                    self.emit(word(Op::GetValue, s, r2, 0));
                } else if c.is_plain() {
                    self.emit(word(Op::GetConst, r2, 0, 0));
                    self.emit(c.0);
                } else {
                    let (s, t) = self.value(a, st)?;
                    self.emit(word(Op::GetValue, s, r2, 0));
                    if t {
                        st.release(s);
                    }
                }
                st.release(r2);
            }
        }
        Ok(())
    }

    fn occurs_in_expression(&self, v: super::events::Var, t: TermRef) -> bool {
        let mut work = vec![t];
        while let Some(t) = work.pop() {
            if self.var_of(t) == Some(v) {
                return true;
            }
            match t.view() {
                View::List(h, t) => work.extend([h, t]),
                View::Compound(c) => work.extend(c.args()),
                _ => {}
            }
        }
        false
    }
}

/// `x + v` or `x - v` with a small constant: `x` and what is added.
fn constant_sum<'a>(c: &Compound<'a>) -> Option<(TermRef<'a>, i16)> {
    if c.arity() != 2 {
        return None;
    }
    let View::Int(v) = c.arg(1).view() else {
        return None;
    };
    let v = match c.name() {
        atoms::PLUS => v,
        // (-0.0 - 0 is not -0.0 + 0.)
        atoms::MINUS if v != 0 => v.checked_neg()?,
        _ => return None,
    };
    let v = i16::try_from(v).ok().filter(|&v| v != i16::MIN)?;
    Some((c.arg(0), v))
}

/// Functions that `Function1` and `Function2` number; the machine's evaluator has the same table.
pub const FUNCTIONS_1: &[&str] = &[
    "abs",
    "sign",
    "sqrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "exp",
    "log",
    "log2",
    "float",
    "integer",
    "truncate",
    "round",
    "ceiling",
    "floor",
    "float_integer_part",
    "float_fractional_part",
    "\\",
    "msb",
    "+",
    "random",
    "cot",
    "acot",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "numerator",
    "denominator",
    "rational",
    "rationalize",
    "lsb",
    "popcount",
];
/// See [`FUNCTIONS_1`].
pub const FUNCTIONS_2: &[&str] = &[
    "/", "**", "^", "div", "xor", "gcd", "lcm", "atan2", "atan", "copysign", "rdiv", "log",
    "getbit",
];

/// The number of a function, if the evaluator knows it.
fn function_number(name: &str, arity: usize) -> Option<u16> {
    let table = if arity == 1 { FUNCTIONS_1 } else { FUNCTIONS_2 };
    table.iter().position(|&n| n == name).map(|i| i as u16)
}
