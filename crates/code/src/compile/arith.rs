//! Arithmetic in place: expressions become register operations. What is not known at compile time (a
//! variable bound to an expression, unknown functions) is left to the machine's evaluator, which also raises the errors.

use super::CompileError;
use super::codegen::Generator;
use super::state::State;
use crate::instr::{Op, word};
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

impl<'a> Generator<'_, 'a> {
    /// The value of an expression, or something that evaluates to it, in a register; true if it is a temporary.
    /// `target`: a free register to use for a computed result.
    fn expression(
        &mut self,
        t: TermRef<'a>,
        st: &mut State,
        target: Option<u16>,
        depth: usize,
    ) -> Result<(u16, bool), CompileError> {
        if let View::Compound(c) = t.view()
            && depth < MAX_DEPTH
        {
            if c.arity() == 2 {
                let small = match c.arg(1).view() {
                    View::Int(v) if i16::try_from(v).is_ok() && i16::try_from(-v).is_ok() => {
                        Some(v)
                    }
                    _ => None,
                };
                let immediate = match (c.name(), small) {
                    (atoms::PLUS, Some(v)) => Some(v),
                    (atoms::MINUS, Some(v)) => Some(-v),
                    _ => None,
                };
                if let Some(v) = immediate {
                    let (r, temp) = self.expression(c.arg(0), st, target, depth + 1)?;
                    let d = self.result(st, target, r, temp)?;
                    self.emit(word(Op::AddImm, d, r, v as i16 as u16));
                    return Ok((d, true));
                }
                let name = c.name().as_str();
                let two = function_number(name, 2);
                if binary(c.name()).is_some() || two.is_some() {
                    let (r, t1) = self.expression(c.arg(0), st, None, depth + 1)?;
                    let (s, t2) = self.expression(c.arg(1), st, None, depth + 1)?;
                    if t1 {
                        st.release(r);
                    }
                    if t2 {
                        st.release(s);
                    }
                    let d = match target {
                        Some(d) => d,
                        None => st.allocate(None)?,
                    };
                    match (binary(c.name()), two) {
                        (Some(op), _) => self.emit(word(op, d, r, s)),
                        (None, n) => {
                            self.emit(word(Op::Function2, d, r, s));
                            self.emit(u64::from(n.unwrap_or(0)));
                        }
                    }
                    return Ok((d, true));
                }
            }
            if c.arity() == 1 {
                let function = if c.name() == atoms::MINUS {
                    None
                } else {
                    function_number(c.name().as_str(), 1)
                };
                if c.name() == atoms::MINUS || function.is_some() {
                    let (r, temp) = self.expression(c.arg(0), st, None, depth + 1)?;
                    if temp {
                        st.release(r);
                    }
                    let d = match target {
                        Some(d) => d,
                        None => st.allocate(None)?,
                    };
                    match function {
                        None => self.emit(word(Op::Neg, d, r, 0)),
                        Some(n) => {
                            self.emit(word(Op::Function1, d, r, 0));
                            self.emit(u64::from(n));
                        }
                    }
                    return Ok((d, true));
                }
            }
        }
        self.value(t, st)
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
        let (r, t1) = self.expression(a, st, None, 0)?;
        let (s, t2) = self.expression(b, st, None, 0)?;
        self.emit_test2(op, r, s);
        if t1 {
            st.release(r);
        }
        if t2 {
            st.release(s);
        }
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
        let (r, temp) = self.expression(b, st, target, 0)?;
        let computed = temp && !b.deref().is_immediate();
        let r2 = if computed && self.is_operation(b) {
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
                if temp {
                    st.release(r);
                }
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
                } else if c.is_immediate() {
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

    /// Whether `expression` compiles the term to an operation (so that its result is a number).
    fn is_operation(&self, t: TermRef) -> bool {
        match t.view() {
            View::Compound(c) if c.arity() == 2 => {
                binary(c.name()).is_some() || function_number(c.name().as_str(), 2).is_some()
            }
            View::Compound(c) if c.arity() == 1 => {
                c.name() == atoms::MINUS || function_number(c.name().as_str(), 1).is_some()
            }
            _ => false,
        }
    }

    fn occurs_in_expression(&self, v: super::analyse::Var, t: TermRef) -> bool {
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
    "succ",
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
pub fn function_number(name: &str, arity: usize) -> Option<u16> {
    let table = if arity == 1 { FUNCTIONS_1 } else { FUNCTIONS_2 };
    table.iter().position(|&n| n == name).map(|i| i as u16)
}
