//! The evaluator of arithmetic expressions: ISO 13211-1, clause 9, with SWI-Prolog's functions, types and errors.
//!
//! Integers are unbounded, rationals exact, floats IEEE 754 doubles. [`eval()`] takes a whole expression out of a heap;
//! [`apply1`] and [`apply2`] apply one function to values, and the functions that compiled code uses most have entry points
//! of their own ([`add`], [`int_div`], …). What a thread may set (flags, state of the random generator) is an [`Env`].
//!
//! Nothing here panics or exhausts the native stack, whatever the input; a result that would take more than
//! [`MAX_BITS`] bits, or more than the thread's memory, is a resource error instead. Functions of large numbers run as [`heavy`] work.
//!
//! Differs from SWI-Prolog 9 in:
//! - shifts by more than a machine word's worth of bits are exact, where SWI-Prolog truncates the count;
//! - under the flag `iso`, `^` of integers has no float results: `2 ^ -1` is `type_error(float, 2)`, as in Cor. 2;
//! - rounding other than to the nearest applies to `+`, `-`, `*`, `/`, `sqrt/1` and conversions to floats only;
//! - `erf/1`, `erfc/1` and `lgamma/1` are rounded from many more bits, where SWI-Prolog's may be far off;
//! - `powm/3` of what are no integers is a type error;
//! - there are a few more functions (`log2/1`, `cot/1`, `trunc/1`, …).
//!
//! | module | concept |
//! |---|---|
//! | [`mod@eval`] | expressions: order of evaluation, constants, text as numbers, cyclic terms |
//! | [`table`] | the numbered functions |
//! | [`env`](mod@env) | flags, random generator, clocks |
//! | `direct` | entry points without an environment |
//! | `basic` | what works on all kinds of numbers: `+`, `-`, `*`, `/`, comparison, `min`, `max`, `sign` |
//! | `integer` | division of integers, greatest common divisor, bits |
//! | `power` | `**` and `^` |
//! | `convert` | rounding, parts, and conversion between kinds of numbers |
//! | `elementary` | functions of real numbers |
//! | `special` | `erf`, `erfc`, `lgamma` |
//! | `float` | what an overflow, an undefined result or a division by zero is; directed rounding |

// They panic if what they write is refused.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]
// The system is asked through `samite_world`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]
#![forbid(unsafe_code)]

mod basic;
mod convert;
mod direct;
mod elementary;
pub mod env;
pub mod eval;
mod float;
mod integer;
pub mod limbs;
mod power;
mod rational;
mod special;
pub mod table;

pub use direct::{
    add, and, compare, gcd, int_div, max, min, modulo, mul, neg, or, rem, shl, shr, sub, xor,
};
pub use env::Env;
pub use eval::eval;
pub use float::{FloatFlags, Rounding};
pub use power::integer_root;
pub use table::{
    FUNCTIONS_1, FUNCTIONS_2, FUNCTIONS_3, apply1, apply2, apply3, index1, index2, index3,
};

#[cfg(doc)]
use samite_term::bignum;
use samite_term::growth::Refused;
use samite_term::heavy::{self, HEAVY_BITS, Stop};
use samite_term::{Cell, HeldAtom, Number};

/// Most bits that the numerator or denominator of a result may have.
pub const MAX_BITS: usize = 1 << 30;

/// What an error is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Culprit {
    /// A value, which may have been computed.
    Number(Number),
    /// A part of the expression.
    Term(Cell),
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq)]
pub enum ArithError {
    /// `instantiation_error`
    Instantiation,
    /// `type_error(Type, Culprit)`; the type `"[]"` stands for the empty list, not for an atom.
    Type(&'static str, Culprit),
    /// `domain_error(Domain, Culprit)`
    Domain(&'static str, Culprit),
    /// `evaluation_error(What)`
    Evaluation(&'static str),
    /// `type_error(evaluable, Name/Arity)`
    NotEvaluable(HeldAtom, usize),
    /// `resource_error(What)`
    Resource(&'static str),
    /// An event ended the computation: see [`samite_term::heavy`].
    Interrupted,
}

impl From<Refused> for ArithError {
    fn from(_: Refused) -> ArithError {
        ArithError::Resource("memory")
    }
}

impl From<Stop> for ArithError {
    fn from(stop: Stop) -> ArithError {
        match stop {
            Stop::Refused => TOO_LARGE,
            Stop::Interrupted => ArithError::Interrupted,
        }
    }
}

/// A value or the reason why there is none.
pub type Value = Result<Number, ArithError>;

impl ArithError {
    pub(crate) fn type_error(expected: &'static str, value: &Number) -> ArithError {
        ArithError::Type(expected, Culprit::Number(value.clone()))
    }
    pub(crate) fn domain_error(expected: &'static str, value: &Number) -> ArithError {
        ArithError::Domain(expected, Culprit::Number(value.clone()))
    }
    /// The error to report: where an integer was expected, a float that by itself is an error under the flags is that error.
    #[cold]
    pub(crate) fn settle(self, f: FloatFlags) -> ArithError {
        if let ArithError::Type("integer", Culprit::Number(Number::Float(x))) = &self
            && let Err(e) = f.check(*x)
        {
            return e;
        }
        self
    }
}

/// The error of a result that is too large.
pub(crate) const TOO_LARGE: ArithError = ArithError::Resource("memory");

/// An integer takes at most such a part of the thread's memory: operands and result are there once more beside the heap.
const PART: usize = 8;

/// Refuses results of about `bits` bits if that is too many, also for the thread's memory.
pub(crate) fn fits(bits: usize) -> Result<(), ArithError> {
    if bits > MAX_BITS || bits / 8 > heavy::limit() / PART {
        Err(TOO_LARGE)
    } else {
        Ok(())
    }
}

/// Words of memory that a product takes for each of its own: the library transforms both factors modulo three primes.
const PRODUCT_MEMORY: usize = 16;

/// Refuses products (and what is made of products) of about `bits` bits if the work would take too much memory.
pub(crate) fn product_fits(bits: usize) -> Result<(), ArithError> {
    fits(bits)?;
    if bits >= HEAVY_BITS && bits / 8 > heavy::limit() / PRODUCT_MEMORY {
        return Err(TOO_LARGE);
    }
    Ok(())
}

/// Rationals of fewer bits never meet what the library's common divisors cannot do: see [`bignum::gcd`].
const SAFE_RATIONAL: usize = 1 << 11;

/// `f()` of numbers of so many bits in all; where the library may fail on such, that is an error.
#[inline]
pub(crate) fn guarded<T>(
    bits: usize,
    f: impl FnOnce() -> Result<T, ArithError>,
) -> Result<T, ArithError> {
    if bits < SAFE_RATIONAL {
        f()
    } else {
        heavy::guard(f)?
    }
}

/// Products with an integer of no more bits than this, and divisions by it, take time in proportion to the other operand: ...
const SHORT: usize = 64 * 16;
/// ... so little of it that the other may have so many times the bits before that is [`heavy`].
const SHORT_IS_LIGHTER: usize = 16;

/// `f(a, b)`; where that may take long, so that it can be interrupted, and a failure of the library is an error.
#[inline(always)]
pub(crate) fn wide<F>(a: &Number, b: &Number, f: F) -> Value
where
    F: Fn(&Number, &Number) -> Value + Copy + Send + 'static,
{
    let (x, y) = (basic::bits(a), basic::bits(b));
    if x + y < SAFE_RATIONAL {
        return f(a, b);
    }
    let rational = matches!((a, b), (Number::Rat(_), _) | (_, Number::Rat(_)));
    // The library reduces rationals with its own common divisors.
    if rational {
        return wider(a, b, x + y, f);
    }
    let work = match x.min(y) <= SHORT {
        true => (x + y) / SHORT_IS_LIGHTER,
        false => x + y,
    };
    if work < HEAVY_BITS {
        return heavy::guard(|| f(a, b))?;
    }
    wider(a, b, work, f)
}

#[cold]
fn wider<F>(a: &Number, b: &Number, work: usize, f: F) -> Value
where
    F: Fn(&Number, &Number) -> Value + Send + 'static,
{
    fits(basic::bits(a) + basic::bits(b))?;
    let (a, b) = heavy::guard(|| (a.clone(), b.clone()))?;
    heavy::run(work, move || f(&a, &b))?
}
