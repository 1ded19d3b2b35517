//! The functions by name and number.
//!
//! The compiler of clauses (`samite-code`) numbers functions by their place in its own two lists, which are the beginnings of
//! [`FUNCTIONS_1`] and [`FUNCTIONS_2`]; so new functions are added at the ends. `roundtoward/2` is not here: its second
//! argument is not evaluated.

use crate::basic::bits;
use crate::{
    ArithError, Culprit, Env, TOO_LARGE, Value, basic, convert, elementary, guarded, integer, power,
};
use samite_term::{Atom, HeldAtom, Number};
use std::sync::OnceLock;

type Function1 = fn(&Number, &mut Env) -> Value;
type Function2 = fn(&Number, &Number, &mut Env) -> Value;
type Function3 = fn(&Number, &Number, &Number, &mut Env) -> Value;

const TABLE_1: &[(&str, Function1)] = &[
    // In the compiler's list.
    ("abs", |a, _| basic::abs(a)),
    ("sign", |a, _| basic::sign(a)),
    ("sqrt", |a, e| elementary::sqrt(a, e)),
    ("sin", |a, e| elementary::sin(a, e)),
    ("cos", |a, e| elementary::cos(a, e)),
    ("tan", |a, e| elementary::tan(a, e)),
    ("asin", |a, e| elementary::asin(a, e)),
    ("acos", |a, e| elementary::acos(a, e)),
    ("atan", |a, e| elementary::atan(a, e)),
    ("exp", |a, e| elementary::exp(a, e)),
    ("log", |a, e| elementary::natural_log(a, e)),
    ("log2", |a, e| elementary::log2(a, e)),
    ("float", |a, e| convert::float(a, e.floats)),
    ("integer", |a, _| convert::integer(a)),
    ("truncate", |a, _| convert::truncate(a)),
    ("round", |a, _| convert::integer(a)),
    ("ceiling", |a, _| convert::ceiling(a)),
    ("floor", |a, _| convert::floor(a)),
    ("float_integer_part", |a, e| convert::integer_part(a, e)),
    ("float_fractional_part", |a, e| {
        convert::fractional_part(a, e)
    }),
    ("\\", |a, _| integer::not(a)),
    ("msb", |a, _| integer::msb(a)),
    ("+", |a, _| Ok(a.clone())),
    ("random", convert::random),
    ("cot", |a, e| elementary::cot(a, e)),
    ("acot", |a, e| elementary::acot(a, e)),
    ("sinh", |a, e| elementary::sinh(a, e)),
    ("cosh", |a, e| elementary::cosh(a, e)),
    ("tanh", |a, e| elementary::tanh(a, e)),
    ("asinh", |a, e| elementary::asinh(a, e)),
    ("acosh", |a, e| elementary::acosh(a, e)),
    ("atanh", |a, e| elementary::atanh(a, e)),
    ("numerator", |a, _| convert::numerator(a)),
    ("denominator", |a, _| convert::denominator(a)),
    ("rational", |a, _| convert::rational(a)),
    ("rationalize", |a, _| convert::rationalize(a)),
    ("lsb", |a, _| integer::lsb(a)),
    ("popcount", |a, _| integer::popcount(a)),
    // Not in the compiler's list.
    ("-", |a, _| basic::neg(a)),
    ("eval", |a, _| Ok(a.clone())),
    ("ceil", |a, _| convert::ceiling(a)),
    ("trunc", |a, _| convert::truncate(a)),
    ("log10", |a, e| elementary::log10(a, e)),
    ("erf", |a, e| elementary::erf(a, e)),
    ("erfc", |a, e| elementary::erfc(a, e)),
    ("lgamma", |a, e| elementary::lgamma(a, e)),
];

/// Those that are not [`guarded`] here take care themselves of numbers on which the library may fail.
const TABLE_2: &[(&str, Function2)] = &[
    // In the compiler's list.
    ("/", |a, b, e| {
        guarded(bits(a) + bits(b), || basic::divide(a, b, e))
    }),
    ("**", |a, b, e| {
        guarded(bits(a) + bits(b), || power::power(a, b, e))
    }),
    ("^", |a, b, e| {
        guarded(bits(a) + bits(b), || power::integral_power(a, b, e))
    }),
    ("div", |a, b, _| integer::floor_div(a, b)),
    ("xor", |a, b, _| integer::xor(a, b)),
    ("gcd", |a, b, _| integer::gcd(a, b)),
    ("lcm", |a, b, _| integer::lcm(a, b)),
    ("atan2", |a, b, e| {
        guarded(bits(a) + bits(b), || elementary::atan2(a, b, e))
    }),
    ("atan", |a, b, e| {
        guarded(bits(a) + bits(b), || elementary::atan2(a, b, e))
    }),
    ("copysign", |a, b, _| {
        guarded(bits(a) + bits(b), || basic::copy_sign(a, b))
    }),
    ("rdiv", |a, b, _| {
        guarded(bits(a) + bits(b), || convert::rational_quotient(a, b))
    }),
    ("log", |a, b, e| {
        guarded(bits(a) + bits(b), || elementary::log_to_base(a, b, e))
    }),
    ("getbit", |a, b, _| {
        guarded(bits(a) + bits(b), || integer::getbit(a, b))
    }),
    // Not in the compiler's list.
    ("+", |a, b, e| basic::add(a, b, e.floats)),
    ("-", |a, b, e| basic::sub(a, b, e.floats)),
    ("*", |a, b, e| basic::mul(a, b, e.floats)),
    ("//", |a, b, _| integer::int_div(a, b)),
    ("mod", |a, b, _| integer::modulo(a, b)),
    ("rem", |a, b, _| integer::rem(a, b)),
    ("/\\", |a, b, _| integer::and(a, b)),
    ("\\/", |a, b, _| integer::or(a, b)),
    ("<<", |a, b, _| integer::shl(a, b)),
    (">>", |a, b, _| integer::shr(a, b)),
    ("min", |a, b, e| {
        guarded(bits(a) + bits(b), || basic::min(a, b, e.floats))
    }),
    ("max", |a, b, e| {
        guarded(bits(a) + bits(b), || basic::max(a, b, e.floats))
    }),
    ("nexttoward", |a, b, e| {
        guarded(bits(a) + bits(b), || basic::next_toward(a, b, e.floats))
    }),
    ("plus", |a, b, e| basic::add(a, b, e.floats)),
];

const TABLE_3: &[(&str, Function3)] = &[("powm", |a, b, c, _| integer::powm(a, b, c))];

const fn names<const N: usize, F: Copy>(table: &[(&'static str, F)]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut i = 0;
    while i < N {
        names[i] = table[i].0;
        i += 1;
    }
    names
}

/// Names of the functions of one argument, in the order of their numbers.
pub const FUNCTIONS_1: &[&str] = &names::<{ TABLE_1.len() }, Function1>(TABLE_1);
/// Names of the functions of two arguments, in the order of their numbers.
pub const FUNCTIONS_2: &[&str] = &names::<{ TABLE_2.len() }, Function2>(TABLE_2);
/// Names of the functions of three arguments, in the order of their numbers.
pub const FUNCTIONS_3: &[&str] = &names::<{ TABLE_3.len() }, Function3>(TABLE_3);

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

const fn position(table: &[&str], name: &str) -> Option<u16> {
    let mut i = 0;
    while i < table.len() {
        if same(table[i], name) {
            return Some(i as u16);
        }
        i += 1;
    }
    None
}

/// The number of the function `name` of one argument.
pub const fn index1(name: &str) -> Option<u16> {
    position(FUNCTIONS_1, name)
}
/// The number of the function `name` of two arguments.
pub const fn index2(name: &str) -> Option<u16> {
    position(FUNCTIONS_2, name)
}
/// The number of the function `name` of three arguments.
pub const fn index3(name: &str) -> Option<u16> {
    position(FUNCTIONS_3, name)
}

/// What [`lookup`] gives for `roundtoward/2`.
pub(crate) const ROUND_TOWARD: u16 = u16::MAX;

/// Functions by name and arity: open addressing, less than half full. A key is never 0.
struct Index {
    places: [(u64, u16); INDEX_SIZE],
    /// The atoms of the keys.
    _names: Vec<HeldAtom>,
}
const INDEX_SIZE: usize = 512;

impl Index {
    fn key(name: Atom, arity: usize) -> u64 {
        (u64::from(name.index()) << 2) | arity as u64
    }
    /// Where the search for a key begins (Fibonacci hashing).
    fn first(key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 55) as usize % INDEX_SIZE
    }
    fn new() -> Index {
        let mut places = [(0, 0); INDEX_SIZE];
        let mut names: Vec<HeldAtom> = Vec::new();
        let mut add = |name, arity, number| {
            let name = Atom::new(name);
            let key = Index::key(name, arity);
            let mut at = Index::first(key);
            while places[at].0 != 0 {
                at = (at + 1) % INDEX_SIZE;
            }
            places[at] = (key, number);
            names.push(name.hold());
            assert!(names.len() < INDEX_SIZE / 2);
        };
        for (list, arity) in [FUNCTIONS_1, FUNCTIONS_2, FUNCTIONS_3].into_iter().zip(1..) {
            for (number, name) in (0..).zip(list) {
                add(name, arity, number);
            }
        }
        add("roundtoward", 2, ROUND_TOWARD);
        Index {
            places,
            _names: names,
        }
    }
    #[inline]
    fn get(&self, key: u64) -> Option<u16> {
        let mut at = Index::first(key);
        loop {
            match self.places[at] {
                (k, number) if k == key => return Some(number),
                (0, _) => return None,
                _ => at = (at + 1) % INDEX_SIZE,
            }
        }
    }
}

/// The number of a function by name and arity.
#[inline]
pub(crate) fn lookup(name: Atom, arity: usize) -> Option<u16> {
    static INDEX: OnceLock<Index> = OnceLock::new();
    if !(1..=3).contains(&arity) {
        return None;
    }
    INDEX.get_or_init(Index::new).get(Index::key(name, arity))
}

/// Applies the function of one argument with number `index`.
pub fn apply1(index: u16, a: &Number, env: &mut Env) -> Value {
    match TABLE_1.get(usize::from(index)) {
        Some((name, f)) => guarded(bits(a), || f(a, env)).map_err(|e| about(e, name, 1, env)),
        None => Err(unknown(1)),
    }
}
/// Applies the function of two arguments with number `index`.
pub fn apply2(index: u16, a: &Number, b: &Number, env: &mut Env) -> Value {
    match TABLE_2.get(usize::from(index)) {
        Some((name, f)) => {
            let mut value = f(a, b, env);
            if let Err(e) = &mut value {
                let error = std::mem::replace(e, TOO_LARGE);
                *e = about(error, name, 2, env);
            }
            value
        }
        None => Err(unknown(2)),
    }
}
/// Applies the function of three arguments with number `index`.
pub fn apply3(index: u16, a: &Number, b: &Number, c: &Number, env: &mut Env) -> Value {
    match TABLE_3.get(usize::from(index)) {
        Some((name, f)) => guarded(bits(a) + bits(b) + bits(c), || f(a, b, c, env))
            .map_err(|e| about(e, name, 3, env)),
        None => Err(unknown(3)),
    }
}

/// The error of a function, and what it is about. A division by zero and an argument of the wrong type belong to the function; a result
/// that is no number, or too large, to the whole expression.
#[cold]
fn about(e: ArithError, name: &'static str, arity: usize, env: &mut Env) -> ArithError {
    let e = match e {
        // `rdiv/2` looks at its arguments as functions of integers do.
        ArithError::Type("rational", Culprit::Number(Number::Float(x))) if name == "rdiv" => {
            env.floats.check(x).err().unwrap_or(e)
        }
        _ => e.settle(env.floats),
    };
    let of = match (&e, name) {
        (ArithError::Evaluation("zero_divisor"), "rdiv") => Some("/"),
        (ArithError::Evaluation("zero_divisor"), "^") => Some("**"),
        (ArithError::Domain(_, Culprit::Number(_)), "getbit") => Some("bit"),
        (
            ArithError::Evaluation("zero_divisor")
            | ArithError::Type(_, Culprit::Number(_))
            | ArithError::Domain(_, Culprit::Number(_)),
            _,
        ) => Some(name),
        _ => None,
    };
    env.function = of.map(|name| (name, arity));
    e
}

/// The error of a number that no function has.
#[cold]
fn unknown(arity: usize) -> ArithError {
    ArithError::NotEvaluable(samite_term::atoms::EMPTY.hold(), arity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_agree() {
        for (list, arity) in [(FUNCTIONS_1, 1), (FUNCTIONS_2, 2), (FUNCTIONS_3, 3)] {
            for (i, name) in list.iter().enumerate() {
                assert_eq!(
                    lookup(Atom::new(name), arity),
                    Some(i as u16),
                    "{name}/{arity} is listed twice"
                );
            }
        }
        assert_eq!(index1("sqrt"), Some(2));
        assert_eq!(index2("getbit"), Some(12));
        assert_eq!(index3("powm"), Some(0));
        assert_eq!(index1("roundtoward"), None);
        assert_eq!(lookup(Atom::new("foo"), 1), None);
    }

    #[test]
    fn numbers_out_of_range_are_no_functions() {
        let mut env = Env::default();
        assert!(matches!(
            apply1(9999, &Number::Int(1), &mut env),
            Err(ArithError::NotEvaluable(_, 1))
        ));
        assert!(matches!(
            apply2(9999, &Number::Int(1), &Number::Int(1), &mut env),
            Err(ArithError::NotEvaluable(_, 2))
        ));
    }

    /// Every function on all kinds of odd arguments: nothing may panic.
    #[test]
    fn no_argument_makes_a_function_panic() {
        use samite_term::number::{IBig, Ratio};
        let mut env = Env::default();
        let mut values: Vec<Number> = [0, 1, -1, 2, -2, 3, 63, 64, -64, i64::MAX, i64::MIN]
            .map(Number::Int)
            .to_vec();
        for f in [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            2.5,
            1e300,
            5e-324,
            f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ] {
            values.push(Number::Float(f));
        }
        let big = IBig::from(10).pow(40);
        values.push(Number::Big(big.clone()));
        values.push(Number::Big(-big.clone()));
        values.push(Number::Big(IBig::from(10).pow(400)));
        values.push(Number::Rat(Box::new(Ratio::from_parts(
            1.into(),
            3u8.into(),
        ))));
        values.push(Number::Rat(Box::new(Ratio::from_parts(
            (-3).into(),
            2u8.into(),
        ))));
        values.push(Number::Rat(Box::new(Ratio::from_parts(big, 7u8.into()))));
        values.push(Number::Rat(Box::new(Ratio::from_parts(
            1.into(),
            (1u128 << 100).into(),
        ))));
        for a in &values {
            for f in 0..FUNCTIONS_1.len() as u16 {
                let _ = apply1(f, a, &mut env);
            }
            for b in &values {
                for f in 0..FUNCTIONS_2.len() as u16 {
                    let _ = apply2(f, a, b, &mut env);
                }
                let _ = crate::compare(a, b);
                for c in &values {
                    let _ = apply3(0, a, b, c, &mut env);
                }
            }
        }
    }
}
