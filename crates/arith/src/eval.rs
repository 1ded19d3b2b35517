//! Expressions: from a term to its value.
//!
//! Arguments are evaluated from the last to the first and before the function is looked up, as SWI-Prolog does: which of
//! several errors is raised depends on it. A work list takes the place of the native stack, so that depth costs heap memory only.
//!
//! A cyclic term is noticed as such when the path of compound terms under evaluation comes upon itself (Brent, An
//! improved Monte Carlo factorization algorithm, 1980): every path into a cycle does, for what is evaluated after a given term
//! depends on nothing but that term.

use crate::elementary::constant;
use crate::float::Rounding;
use crate::{ArithError, Culprit, Env, Value, table};
use samite_term::cell::{MAX_SMALL, MIN_SMALL};
use samite_term::view::Compound;
use samite_term::{Atom, Cell, Number, TermRef, View, atoms};

/// What is left to do.
enum Step<'a> {
    /// Push the value of a term.
    Evaluate(TermRef<'a>),
    /// Replace the topmost values by that of a function.
    Apply(Compound<'a>),
    /// Restore the rounding mode.
    Round(Rounding),
}

/// The value of an expression.
pub fn eval(t: TermRef, env: &mut Env) -> Value {
    if let Some(n) = t.number() {
        return Ok(n);
    }
    let rounding = env.floats.rounding;
    let mut evaluation = Evaluation {
        start: t.deref(),
        work: vec![Step::Evaluate(t)],
        values: Vec::new(),
        mark: None,
        mark_again: 64,
    };
    let result = evaluation.run(env);
    env.floats.rounding = rounding;
    result
}

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
                    if self.mark.is_some_and(|(at, _)| at >= self.work.len()) {
                        self.mark = None;
                    }
                    let v = self.apply(c, env)?;
                    self.values.push(v);
                }
                Step::Round(mode) => env.floats.rounding = mode,
            }
        }
        // Every term pushes one value and every function takes as many as it has arguments.
        Ok(self.values.pop().unwrap_or(Number::Int(0)))
    }

    fn evaluate(&mut self, t: TermRef<'a>, env: &mut Env) -> Result<(), ArithError> {
        let v = match t.view() {
            View::Int(v) => Number::Int(v),
            View::Float(f) => Number::Float(f),
            View::Number(b) => b.number(),
            View::Var(_) | View::Attributed(_) => return Err(ArithError::Instantiation),
            View::Atom(a) => atom(a, env)?,
            View::Blob(_) => return Err(not_evaluable(t)),
            View::Str(s) => text(t, s)?,
            View::List(head, tail) => list(t, head, tail)?,
            View::Compound(c) => return self.compound(t, c, env),
        };
        self.values.push(v);
        Ok(())
    }

    fn compound(
        &mut self,
        t: TermRef<'a>,
        c: Compound<'a>,
        env: &mut Env,
    ) -> Result<(), ArithError> {
        match c.arity() {
            0 => return Err(not_evaluable(t)),
            2 if c.name().as_str() == "roundtoward" => {
                let mode = rounding_mode(c.arg(1))?;
                self.work.push(Step::Round(env.floats.rounding));
                env.floats.rounding = mode;
                self.work.push(Step::Evaluate(c.arg(0)));
                return Ok(());
            }
            2 => {
                // Most expressions are shallow: no need to queue what is at hand.
                if let (Some(a), Some(b)) = (small(c.arg(0)), small(c.arg(1)))
                    && let Some(f) = table::lookup(c.name(), 2)
                {
                    let v = table::apply2(f, &a, &b, env)?;
                    self.values.push(v);
                    return Ok(());
                }
            }
            _ => {}
        }
        self.look_for_cycle(t.deref())?;
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
            None if depth < 64 => {}
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
            return Err(ArithError::NotEvaluable(c.name(), arity));
        };
        // The first argument was evaluated last.
        let v = match &self.values[rest..] {
            [a] => table::apply1(f, a, env),
            [b, a] => table::apply2(f, a, b, env),
            [c, b, a] => table::apply3(f, a, b, c, env),
            _ => Err(ArithError::NotEvaluable(c.name(), arity)),
        };
        self.values.truncate(rest);
        v
    }
}

/// A number that is no box.
fn small(t: TermRef) -> Option<Number> {
    let c = t.deref();
    if c.is_small() {
        Some(Number::Int(c.small_value()))
    } else {
        None
    }
}

fn not_evaluable(t: TermRef) -> ArithError {
    ArithError::Type("evaluable", Culprit::Term(t.deref()))
}

/// The value of an atom.
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
            _ => return Err(ArithError::NotEvaluable(name, 0)),
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
