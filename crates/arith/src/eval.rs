//! Expressions: from a term to its value.
//!
//! Arguments are evaluated from the last to the first and before the function is looked up, as SWI-Prolog does: which of
//! several errors is raised depends on it. Beyond a few levels a work list takes the place of the native stack, so
//! that depth costs heap memory only.
//!
//! A cyclic term is noticed as such when the path of compound terms under evaluation comes upon itself (Brent, An
//! improved Monte Carlo factorization algorithm, 1980): every path into a cycle does, for what is evaluated after a given term
//! depends on nothing but that term.

use crate::elementary::constant;
use crate::float::Rounding;
use crate::{ArithError, Culprit, Env, Value, table};
use samite_term::cell::{MAX_SMALL, MIN_SMALL};
use samite_term::growth;
use samite_term::view::Compound;
use samite_term::{Atom, Cell, Number, TermRef, View, atoms};

/// Nesting up to which expressions are evaluated on the native stack.
const SHALLOW: u32 = 32;

/// The value of an expression.
pub fn eval(t: TermRef, env: &mut Env) -> Value {
    let start = t.deref();
    env.function = None;
    value(t, start, env, 0)
}

/// The value of a term in the expression `start`.
fn value<'a>(t: TermRef<'a>, start: Cell, env: &mut Env, depth: u32) -> Value {
    let c = match t.view() {
        View::Compound(c) => c,
        _ => return leaf(t, env),
    };
    if depth < SHALLOW {
        match c.arity() {
            1 => {
                let a = value(c.arg(0), start, env, depth + 1)?;
                return match table::lookup(c.name(), 1) {
                    Some(f) => table::apply1(f, &a, env),
                    None => Err(ArithError::NotEvaluable(c.name().hold(), 1)),
                };
            }
            2 => {
                let f = table::lookup(c.name(), 2);
                if f == Some(table::ROUND_TOWARD) {
                    let mode = rounding_mode(c.arg(1))?;
                    let before = std::mem::replace(&mut env.floats.rounding, mode);
                    let v = value(c.arg(0), start, env, depth + 1);
                    env.floats.rounding = before;
                    return v;
                }
                let b = value(c.arg(1), start, env, depth + 1)?;
                let a = value(c.arg(0), start, env, depth + 1)?;
                return match f {
                    Some(f) => table::apply2(f, &a, &b, env),
                    None => Err(ArithError::NotEvaluable(c.name().hold(), 2)),
                };
            }
            _ => {}
        }
    }
    deep(t, start, env)
}

/// The value of a term that is no compound term but a list.
fn leaf(t: TermRef, env: &mut Env) -> Value {
    match t.view() {
        View::Int(v) => Ok(Number::Int(v)),
        View::Float(f) => Ok(Number::Float(f)),
        View::Number(b) => Ok(b.number()),
        View::Var(_) | View::Attributed(_) => Err(ArithError::Instantiation),
        View::Atom(a) => atom(a, env),
        View::Str(s) => text(t, s),
        View::List(head, tail) => list(t, head, tail),
        View::Blob(_) | View::Handle(_) | View::Compound(_) => Err(not_evaluable(t)),
    }
}

/// What is left to do.
enum Step<'a> {
    /// Push the value of a term.
    Evaluate(TermRef<'a>),
    /// Replace the topmost values by that of a function.
    Apply(Compound<'a>),
    /// Restore the rounding mode.
    Round(Rounding),
}

/// The value of a term at any depth.
fn deep(t: TermRef, start: Cell, env: &mut Env) -> Value {
    let rounding = env.floats.rounding;
    let mut evaluation = Evaluation {
        start,
        work: vec![Step::Evaluate(t)],
        values: Vec::new(),
        mark: None,
        mark_again: MARK_FROM,
    };
    let result = evaluation.run(env);
    env.floats.rounding = rounding;
    result
}

/// Length of the work list from which on cycles are looked for.
const MARK_FROM: usize = 64;

struct Evaluation<'a> {
    start: Cell,
    work: Vec<Step<'a>>,
    values: Vec<Number>,
    /// A compound term under evaluation and where in `work` it is.
    mark: Option<(usize, Cell)>,
    /// Length of `work` at which the mark moves up.
    mark_again: usize,
}

impl<'a> Evaluation<'a> {
    fn run(&mut self, env: &mut Env) -> Value {
        while let Some(step) = self.work.pop() {
            match step {
                Step::Evaluate(t) => self.evaluate(t, env)?,
                Step::Apply(c) => {
                    self.leave();
                    let v = self.apply(c, env)?;
                    growth::push(&mut self.values, v)?;
                }
                Step::Round(mode) => {
                    self.leave();
                    env.floats.rounding = mode;
                }
            }
        }
        // Every term pushes one value and every function takes as many as it has arguments.
        Ok(self.values.pop().unwrap_or(Number::Int(0)))
    }

    /// The topmost compound term has its value; so has the marked one if it was that.
    fn leave(&mut self) {
        if self.mark.is_some_and(|(at, _)| at >= self.work.len()) {
            self.mark = None;
        }
    }

    fn evaluate(&mut self, t: TermRef<'a>, env: &mut Env) -> Result<(), ArithError> {
        match t.view() {
            View::Compound(c) if c.arity() > 0 => self.compound(t, c, env),
            _ => {
                let v = leaf(t, env)?;
                growth::push(&mut self.values, v)?;
                Ok(())
            }
        }
    }

    fn compound(
        &mut self,
        t: TermRef<'a>,
        c: Compound<'a>,
        env: &mut Env,
    ) -> Result<(), ArithError> {
        self.look_for_cycle(t.deref())?;
        if c.arity() == 2 && table::lookup(c.name(), 2) == Some(table::ROUND_TOWARD) {
            let mode = rounding_mode(c.arg(1))?;
            growth::have(&mut self.work, 2)?;
            self.work.push(Step::Round(env.floats.rounding));
            env.floats.rounding = mode;
            self.work.push(Step::Evaluate(c.arg(0)));
            return Ok(());
        }
        growth::have(&mut self.work, 1 + c.arity())?;
        self.work.push(Step::Apply(c));
        self.work.extend(c.args().map(Step::Evaluate));
        Ok(())
    }

    /// Called with every compound term whose arguments are about to be evaluated.
    fn look_for_cycle(&mut self, term: Cell) -> Result<(), ArithError> {
        let depth = self.work.len();
        match self.mark {
            Some((_, marked)) if marked == term => {
                return Err(ArithError::Type("expression", Culprit::Term(self.start)));
            }
            Some(_) if depth < self.mark_again => {}
            None if depth < MARK_FROM => {}
            _ => {
                self.mark = Some((depth, term));
                self.mark_again = depth.saturating_mul(2);
            }
        }
        Ok(())
    }

    fn apply(&mut self, c: Compound<'a>, env: &mut Env) -> Value {
        let arity = c.arity();
        let rest = self.values.len().saturating_sub(arity);
        let Some(f) = table::lookup(c.name(), arity) else {
            return Err(ArithError::NotEvaluable(c.name().hold(), arity));
        };
        // The first argument was evaluated last.
        let v = match &self.values[rest..] {
            [a] => table::apply1(f, a, env),
            [b, a] => table::apply2(f, a, b, env),
            [c, b, a] => table::apply3(f, a, b, c, env),
            _ => Err(ArithError::NotEvaluable(c.name().hold(), arity)),
        };
        self.values.truncate(rest);
        v
    }
}

fn not_evaluable(t: TermRef) -> ArithError {
    ArithError::Type("evaluable", Culprit::Term(t.deref()))
}

/// The atoms that have a value.
pub const CONSTANTS: &[&str] = &[
    "pi",
    "e",
    "inf",
    "nan",
    "epsilon",
    "random",
    "random_float",
    "cputime",
    "realtime",
    "max_tagged_integer",
    "min_tagged_integer",
    "max_integer",
    "min_integer",
];

/// The value of an atom: of one of [`CONSTANTS`].
fn atom(name: Atom, env: &mut Env) -> Value {
    Ok(match name {
        atoms::PI => return constant(std::f64::consts::PI, env),
        atoms::E => return constant(std::f64::consts::E, env),
        atoms::INF => Number::Float(f64::INFINITY),
        atoms::NAN => Number::Float(f64::NAN),
        atoms::EPSILON => Number::Float(f64::EPSILON),
        atoms::NIL => return Err(ArithError::Type("evaluable", Culprit::Term(Cell::NIL))),
        _ => match name.as_str() {
            "random" | "random_float" => Number::Float(env.random.float()),
            "cputime" => Number::Float(env.cputime.seconds()),
            "realtime" => Number::Int(env.realtime.seconds() as i64),
            "max_tagged_integer" => Number::Int(MAX_SMALL),
            "min_tagged_integer" => Number::Int(MIN_SMALL),
            "max_integer" => Number::Int(i64::MAX),
            "min_integer" => Number::Int(i64::MIN),
            _ => return Err(ArithError::NotEvaluable(name.hold(), 0)),
        },
    })
}

/// A string of one character is that character's code.
fn text(t: TermRef, s: &str) -> Value {
    let mut chars = s.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => Ok(Number::Int(i64::from(u32::from(c)))),
        _ => Err(ArithError::Type("[]", Culprit::Term(t.deref()))),
    }
}

/// A list of one character or character code is that code.
fn list(t: TermRef, head: TermRef, tail: TermRef) -> Value {
    let code = match head.view() {
        View::Var(_) | View::Attributed(_) => return Err(ArithError::Instantiation),
        View::Int(v @ 0..=0x10_ffff) => v,
        View::Atom(a) => {
            let mut chars = a.as_str().chars();
            match (chars.next(), chars.next()) {
                (Some(c), None) if a != atoms::NIL => i64::from(u32::from(c)),
                _ => return Err(ArithError::Type("character", Culprit::Term(head.deref()))),
            }
        }
        _ => return Err(ArithError::Type("character", Culprit::Term(head.deref()))),
    };
    if tail.is_nil() {
        Ok(Number::Int(code))
    } else {
        Err(ArithError::Type("[]", Culprit::Term(t.deref())))
    }
}

fn rounding_mode(t: TermRef) -> Result<Rounding, ArithError> {
    match t.view() {
        View::Var(_) | View::Attributed(_) => Err(ArithError::Instantiation),
        View::Atom(a) => {
            Rounding::named(a.as_str()).ok_or(ArithError::Domain("round", Culprit::Term(t.deref())))
        }
        _ => Err(ArithError::Type("atom", Culprit::Term(t.deref()))),
    }
}
