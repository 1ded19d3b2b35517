//! Functions of integers: division, common divisors, and integers as infinite rows of bits in two's complement.

use crate::basic::{as_big, big, bits};
use crate::{ArithError, TOO_LARGE, Value, fits, product_fits, wide};
use dashu_base::{Abs, BitTest, DivRem, Signed, UnsignedAbs};
use dashu_int::fast_div::ConstDivisor;
use samite_term::heavy::{self, HEAVY_BITS};
use samite_term::number::{IBig, UBig};
use samite_term::{Number, bignum};
use std::borrow::Cow;

const ZERO_DIVISOR: ArithError = ArithError::Evaluation("zero_divisor");

/// Refuses what is no integer.
fn must_be_integer(n: &Number) -> Result<(), ArithError> {
    if n.is_integer() {
        Ok(())
    } else {
        Err(ArithError::type_error("integer", n))
    }
}

fn must_be_integers(a: &Number, b: &Number) -> Result<(), ArithError> {
    must_be_integer(a)?;
    must_be_integer(b)
}

fn must_not_be_negative(n: &Number) -> Result<(), ArithError> {
    must_be_integer(n)?;
    match n {
        Number::Int(v) if *v < 0 => Err(ArithError::domain_error("not_less_than_zero", n)),
        Number::Big(b) if b.is_negative() => Err(ArithError::domain_error("not_less_than_zero", n)),
        _ => Ok(()),
    }
}

fn must_be_positive(n: &Number) -> Result<(), ArithError> {
    must_be_integer(n)?;
    match n {
        Number::Int(v) if *v < 1 => Err(ArithError::domain_error("not_less_than_one", n)),
        Number::Big(b) if b.is_negative() => Err(ArithError::domain_error("not_less_than_one", n)),
        _ => Ok(()),
    }
}

/// Operands of a division.
#[inline(always)]
fn operands<'n>(
    a: &'n Number,
    b: &'n Number,
) -> Result<(Cow<'n, IBig>, Cow<'n, IBig>), ArithError> {
    must_be_integers(a, b)?;
    if *b == Number::Int(0) {
        return Err(ZERO_DIVISOR);
    }
    Ok((as_big(a), as_big(b)))
}

/// Quotient and remainder, the first rounded towards zero.
fn div_rem(x: &IBig, y: &IBig) -> (IBig, IBig) {
    if y.bit_len() < HEAVY_BITS / 2 {
        return x.div_rem(y);
    }
    bignum::signed_div_rem(x, y)
}

/// The quotient alone.
fn quotient(x: &IBig, y: &IBig) -> IBig {
    if y.bit_len() < HEAVY_BITS / 2 {
        return x / y;
    }
    bignum::signed_div_rem(x, y).0
}

/// The remainder alone.
#[inline(always)]
fn remainder(x: &IBig, y: &IBig) -> IBig {
    if y.bit_len() < HEAVY_BITS / 2 {
        return x % y;
    }
    bignum::signed_div_rem(x, y).1
}

/// `a // b`: rounds towards zero.
#[inline]
pub(crate) fn int_div(a: &Number, b: &Number) -> Value {
    if let (Number::Int(x), Number::Int(y)) = (a, b)
        && let Some(q) = x.checked_div(*y)
    {
        return Ok(Number::Int(q));
    }
    wide(a, b, |a, b| {
        let (x, y) = operands(a, b)?;
        Ok(Number::from_big(quotient(&x, &y)))
    })
}

/// `a // b` of integers, `b` not 0, if that is exact.
pub(crate) fn exact_quotient(a: &Number, b: &Number) -> Result<Option<Number>, ArithError> {
    let exact = |a: &Number, b: &Number| {
        let (q, r) = div_rem(&as_big(a), &as_big(b));
        r.is_zero().then(|| Number::from_big(q))
    };
    let bits = bits(a) + bits(b);
    if bits < HEAVY_BITS {
        return Ok(exact(a, b));
    }
    let (a, b) = heavy::guard(|| (a.clone(), b.clone()))?;
    Ok(heavy::run(bits, move || exact(&a, &b))?)
}

/// `a rem b`: the remainder of `//`.
#[inline]
pub(crate) fn rem(a: &Number, b: &Number) -> Value {
    if let (Number::Int(x), Number::Int(y)) = (a, b)
        && let Some(r) = x.checked_rem(*y)
    {
        return Ok(Number::Int(r));
    }
    wide(a, b, |a, b| {
        let (x, y) = operands(a, b)?;
        Ok(Number::from_big(remainder(&x, &y)))
    })
}

/// `a mod b`: the remainder of `div`.
#[inline]
pub(crate) fn modulo(a: &Number, b: &Number) -> Value {
    if let (Number::Int(x), Number::Int(y)) = (a, b)
        && let Some(r) = x.checked_rem(*y)
    {
        return Ok(Number::Int(if r != 0 && (r < 0) != (*y < 0) {
            r + y
        } else {
            r
        }));
    }
    wide(a, b, |a, b| {
        let (x, y) = operands(a, b)?;
        let r = remainder(&x, &y);
        Ok(Number::from_big(
            if !r.is_zero() && r.is_negative() != y.is_negative() {
                r + &*y
            } else {
                r
            },
        ))
    })
}

/// `a div b`: rounds down.
pub(crate) fn floor_div(a: &Number, b: &Number) -> Value {
    if let (Number::Int(x), Number::Int(y)) = (a, b)
        && let (Some(q), Some(r)) = (x.checked_div(*y), x.checked_rem(*y))
    {
        return Ok(Number::Int(if r != 0 && (r < 0) != (*y < 0) {
            q - 1
        } else {
            q
        }));
    }
    wide(a, b, |a, b| {
        let (x, y) = operands(a, b)?;
        let (q, r) = div_rem(&x, &y);
        Ok(Number::from_big(
            if !r.is_zero() && r.is_negative() != y.is_negative() {
                q - IBig::ONE
            } else {
                q
            },
        ))
    })
}

/// The greatest common divisor; 0 of two zeros.
pub(crate) fn gcd(a: &Number, b: &Number) -> Value {
    must_be_integers(a, b)?;
    if let (Number::Int(x), Number::Int(y)) = (a, b) {
        return Ok(Number::from_big(IBig::from(small_gcd(
            x.unsigned_abs(),
            y.unsigned_abs(),
        ))));
    }
    wide(a, b, |a, b| Ok(Number::from_big(IBig::from(big_gcd(a, b)))))
}

fn small_gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The greatest common divisor of integers.
fn big_gcd(a: &Number, b: &Number) -> UBig {
    bignum::gcd(big(a).unsigned_abs(), big(b).unsigned_abs())
}

/// The least common multiple; 0 if one is 0.
pub(crate) fn lcm(a: &Number, b: &Number) -> Value {
    must_be_integers(a, b)?;
    if *a == Number::Int(0) || *b == Number::Int(0) {
        return Ok(Number::Int(0));
    }
    product_fits(bits(a) + bits(b))?;
    wide(a, b, |a, b| {
        let (x, y) = (big(a).abs(), big(b).abs());
        let shared = IBig::from(big_gcd(a, b));
        Ok(Number::from_big(quotient(&x, &shared) * y))
    })
}

/// `a /\ b`
#[inline]
pub(crate) fn and(a: &Number, b: &Number) -> Value {
    if let (Number::Int(x), Number::Int(y)) = (a, b) {
        return Ok(Number::Int(x & y));
    }
    must_be_integers(a, b)?;
    heavy::guard(|| Ok(Number::from_big(&*as_big(a) & &*as_big(b))))?
}

/// `a \/ b`
#[inline]
pub(crate) fn or(a: &Number, b: &Number) -> Value {
    if let (Number::Int(x), Number::Int(y)) = (a, b) {
        return Ok(Number::Int(x | y));
    }
    must_be_integers(a, b)?;
    heavy::guard(|| Ok(Number::from_big(&*as_big(a) | &*as_big(b))))?
}

/// `a xor b`
#[inline]
pub(crate) fn xor(a: &Number, b: &Number) -> Value {
    if let (Number::Int(x), Number::Int(y)) = (a, b) {
        return Ok(Number::Int(x ^ y));
    }
    must_be_integers(a, b)?;
    heavy::guard(|| Ok(Number::from_big(&*as_big(a) ^ &*as_big(b))))?
}

/// `\ a`
pub(crate) fn not(a: &Number) -> Value {
    must_be_integer(a)?;
    match a {
        Number::Int(x) => Ok(Number::Int(!x)),
        _ => Ok(heavy::guard(|| Number::from_big(-big(a) - IBig::ONE))?),
    }
}

/// `a << b`; a negative count shifts to the right.
pub(crate) fn shl(a: &Number, b: &Number) -> Value {
    must_be_integers(a, b)?;
    shift(a, b, false)
}

/// `a >> b`, which rounds down; a negative count shifts to the left.
pub(crate) fn shr(a: &Number, b: &Number) -> Value {
    must_be_integers(a, b)?;
    shift(a, b, true)
}

fn shift(a: &Number, count: &Number, right: bool) -> Value {
    let (size, negative) = match count {
        Number::Int(n) => (
            usize::try_from(n.unsigned_abs()).unwrap_or(usize::MAX),
            *n < 0,
        ),
        other => (usize::MAX, big(other).is_negative()),
    };
    if right != negative {
        return Ok(match a {
            Number::Int(v) => Number::Int(v >> size.min(63)),
            _ => {
                let b = as_big(a);
                if size > b.bit_len() {
                    Number::Int(if b.is_negative() { -1 } else { 0 })
                } else {
                    heavy::guard(|| Number::from_big(&*b >> size))?
                }
            }
        });
    }
    match a {
        Number::Int(0) => Ok(Number::Int(0)),
        Number::Int(v) if size < 63 && (v << size) >> size == *v => Ok(Number::Int(v << size)),
        _ => {
            let b = as_big(a);
            fits(b.bit_len().checked_add(size).ok_or(TOO_LARGE)?)?;
            Ok(heavy::guard(|| Number::from_big(&*b << size))?)
        }
    }
}

/// The position of the highest bit that is set.
pub(crate) fn msb(a: &Number) -> Value {
    must_be_positive(a)?;
    Ok(Number::Int(match a {
        Number::Int(v) => i64::from(63 - v.leading_zeros()),
        _ => big(a).bit_len() as i64 - 1,
    }))
}

/// The position of the lowest bit that is set.
pub(crate) fn lsb(a: &Number) -> Value {
    must_be_positive(a)?;
    Ok(Number::Int(match a {
        Number::Int(v) => i64::from(v.trailing_zeros()),
        _ => big(a).trailing_zeros().unwrap_or(0) as i64,
    }))
}

/// The number of bits that are set.
pub(crate) fn popcount(a: &Number) -> Value {
    must_not_be_negative(a)?;
    Ok(Number::Int(match a {
        Number::Int(v) => i64::from(v.count_ones()),
        _ => big(a).unsigned_abs().count_ones() as i64,
    }))
}

/// Bit `k` of `a`.
pub(crate) fn getbit(a: &Number, k: &Number) -> Value {
    must_be_integers(a, k)?;
    must_not_be_negative(k)?;
    if matches!(k, Number::Big(_)) {
        return Ok(Number::Int(0));
    }
    must_not_be_negative(a)?;
    let set = match (a, k) {
        (Number::Int(v), Number::Int(k)) => *k < 63 && v >> k & 1 == 1,
        (_, Number::Int(k)) => usize::try_from(*k).is_ok_and(|k| big(a).bit(k)),
        _ => false,
    };
    Ok(Number::Int(i64::from(set)))
}

/// `base ** exponent mod modulus`; the modulus is above 1.
fn power_modulo(base: UBig, exponent: &UBig, modulus: UBig) -> UBig {
    let base = bignum::div_rem(&base, &modulus).1;
    if modulus.bit_len() < HEAVY_BITS / 64 {
        let ring = ConstDivisor::new(modulus);
        return ring.reduce(base).pow(exponent).residue();
    }
    let mut power = UBig::ONE;
    for bit in (0..exponent.bit_len()).rev() {
        heavy::check();
        power = bignum::div_rem(&bignum::square(&power), &modulus).1;
        if exponent.bit(bit) {
            power = bignum::div_rem(&bignum::product(&power, &base), &modulus).1;
        }
    }
    power
}

/// `base ** exponent mod modulus`
pub(crate) fn powm(base: &Number, exponent: &Number, modulus: &Number) -> Value {
    must_be_integers(base, exponent)?;
    must_be_integer(modulus)?;
    must_not_be_negative(base)?;
    must_not_be_negative(exponent)?;
    must_be_positive(modulus)?;
    if *modulus == Number::Int(1) {
        return Ok(Number::Int(0));
    }
    // As many products modulo the modulus as the exponent has bits.
    let work = bits(modulus).saturating_mul(bits(exponent)) / 64 + bits(base);
    let (base, exponent, modulus) = heavy::guard(|| (big(base), big(exponent), big(modulus)))?;
    Ok(heavy::run(work, move || {
        let (base, modulus) = (base.unsigned_abs(), modulus.unsigned_abs());
        Number::from_big(power_modulo(base, &exponent.unsigned_abs(), modulus).into())
    })?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn int(v: i64) -> Number {
        Number::Int(v)
    }
    fn ten_to(n: usize) -> Number {
        Number::from_big(IBig::from(10).pow(n))
    }

    #[test]
    fn divisions_round_as_their_names_say() {
        for (a, b, q, r, d, m) in [
            (7, 2, 3, 1, 3, 1),
            (-7, 2, -3, -1, -4, 1),
            (7, -2, -3, 1, -4, -1),
            (-7, -2, 3, -1, 3, -1),
        ] {
            let (a, b) = (int(a), int(b));
            assert_eq!(int_div(&a, &b), Ok(int(q)));
            assert_eq!(rem(&a, &b), Ok(int(r)));
            assert_eq!(floor_div(&a, &b), Ok(int(d)));
            assert_eq!(modulo(&a, &b), Ok(int(m)));
        }
        let least = int(i64::MIN);
        assert_eq!(
            int_div(&least, &int(-1)),
            Ok(Number::Big(IBig::from(1u64 << 63)))
        );
        assert_eq!(modulo(&least, &int(-1)), Ok(int(0)));
        assert_eq!(modulo(&int(1), &int(0)), Err(ZERO_DIVISOR));
        assert_eq!(rem(&ten_to(30), &int(0)), Err(ZERO_DIVISOR));
        assert_eq!(
            modulo(&int(7), &Number::Float(2.0)),
            Err(ArithError::type_error("integer", &Number::Float(2.0)))
        );
    }

    #[test]
    fn shifts_of_any_count() {
        let huge = ten_to(20);
        assert_eq!(
            shl(&int(1), &int(63)),
            Ok(Number::Big(IBig::from(1u64 << 63)))
        );
        assert_eq!(shl(&int(-1), &int(63)), Ok(int(i64::MIN)));
        assert_eq!(shl(&int(1), &int(-1)), Ok(int(0)));
        assert_eq!(shr(&int(-5), &int(1)), Ok(int(-3)));
        assert_eq!(shr(&int(-5), &huge), Ok(int(-1)));
        assert_eq!(shr(&ten_to(30), &huge), Ok(int(0)));
        assert_eq!(shl(&int(1), &huge), Err(TOO_LARGE));
        assert_eq!(shl(&int(1), &int(i64::MAX)), Err(TOO_LARGE));
        assert_eq!(shr(&int(1), &int(i64::MIN)), Err(TOO_LARGE));
        assert_eq!(shl(&int(0), &huge), Ok(int(0)));
        assert_eq!(shl(&neg(&ten_to(30)), &int(i64::MIN)), Ok(int(-1)));
    }

    fn neg(n: &Number) -> Number {
        crate::neg(n).unwrap()
    }

    #[test]
    fn bits_of_large_and_negative_integers() {
        let domain = |n: &Number, d| Err(ArithError::domain_error(d, n));
        assert_eq!(msb(&ten_to(30)), Ok(int(99)));
        assert_eq!(lsb(&int(8)), Ok(int(3)));
        assert_eq!(msb(&int(0)), domain(&int(0), "not_less_than_one"));
        assert_eq!(popcount(&ten_to(30)), Ok(int(37)));
        assert_eq!(popcount(&int(-1)), domain(&int(-1), "not_less_than_zero"));
        assert_eq!(getbit(&int(5), &ten_to(30)), Ok(int(0)));
        assert_eq!(
            not(&ten_to(30)),
            Ok(neg(&crate::add(&ten_to(30), &int(1)).unwrap()))
        );
        assert_eq!(and(&neg(&ten_to(30)), &int(5)), Ok(int(0)));
        assert_eq!(xor(&int(-1), &ten_to(30)), not(&ten_to(30)));
    }

    #[test]
    fn common_divisors_and_multiples() {
        assert_eq!(gcd(&int(-4), &int(6)), Ok(int(2)));
        assert_eq!(gcd(&int(0), &int(0)), Ok(int(0)));
        assert_eq!(
            gcd(&int(i64::MIN), &int(0)),
            Ok(Number::Big(IBig::from(1u64 << 63)))
        );
        assert_eq!(gcd(&ten_to(30), &int(0)), Ok(ten_to(30)));
        assert_eq!(lcm(&int(-4), &int(6)), Ok(int(12)));
        assert_eq!(lcm(&int(0), &int(6)), Ok(int(0)));
    }

    #[test]
    fn modular_powers() {
        assert_eq!(powm(&int(2), &int(3), &int(5)), Ok(int(3)));
        assert_eq!(powm(&int(0), &int(0), &int(7)), Ok(int(1)));
        assert_eq!(powm(&int(5), &int(3), &int(1)), Ok(int(0)));
        assert_eq!(
            powm(
                &ten_to(30),
                &ten_to(20),
                &crate::add(&ten_to(25), &int(1)).unwrap()
            ),
            Ok(int(1))
        );
        assert!(powm(&int(2), &int(-1), &int(5)).is_err());
    }

    fn any_integer() -> impl Strategy<Value = Number> {
        let small = prop_oneof![any::<i64>(), -5i64..5, Just(i64::MIN), Just(i64::MAX)]
            .prop_map(Number::Int);
        let large = (any::<bool>(), proptest::collection::vec(any::<u64>(), 1..8)).prop_map(
            |(minus, words)| {
                let n = IBig::from(UBig::from_words(&words));
                Number::from_big(if minus { -n } else { n })
            },
        );
        prop_oneof![small, large]
    }

    proptest! {
        #[test]
        fn quotient_and_remainder_give_the_dividend(a in any_integer(), b in any_integer()) {
            prop_assume!(b != int(0));
            let (x, y) = (big(&a), big(&b));
            for (q, r) in [(int_div(&a, &b), rem(&a, &b)), (floor_div(&a, &b), modulo(&a, &b))] {
                let (q, r) = (big(&q.unwrap()), big(&r.unwrap()));
                prop_assert_eq!(&q * &y + &r, x.clone());
                prop_assert!(r.clone().abs() < y.clone().abs());
            }
            let r = big(&rem(&a, &b).unwrap());
            prop_assert!(r.is_zero() || r.is_negative() == x.is_negative());
            let m = big(&modulo(&a, &b).unwrap());
            prop_assert!(m.is_zero() || m.is_negative() == y.is_negative());
        }

        #[test]
        fn results_are_canonical(a in any_integer(), b in any_integer()) {
            for r in [crate::add(&a, &b), crate::sub(&a, &b), crate::mul(&a, &b), and(&a, &b), or(&a, &b), xor(&a, &b), gcd(&a, &b)] {
                let r = r.unwrap();
                prop_assert_eq!(&Number::from_big(big(&r)), &r);
            }
        }

        #[test]
        fn bitwise_identities(a in any_integer(), b in any_integer(), n in 0i64..200) {
            let sum = crate::add(&and(&a, &b).unwrap(), &or(&a, &b).unwrap());
            prop_assert_eq!(sum, crate::add(&a, &b));
            prop_assert_eq!(not(&not(&a).unwrap()), Ok(a.clone()));
            prop_assert_eq!(xor(&xor(&a, &b).unwrap(), &b), Ok(a.clone()));
            prop_assert_eq!(shr(&shl(&a, &int(n)).unwrap(), &int(n)), Ok(a.clone()));
            let power = Number::from_big(IBig::ONE << n as usize);
            prop_assert_eq!(shr(&a, &int(n)), floor_div(&a, &power));
        }

        #[test]
        fn common_divisor_divides(a in any_integer(), b in any_integer()) {
            let g = gcd(&a, &b).unwrap();
            prop_assume!(g != int(0));
            prop_assert_eq!(rem(&a, &g), Ok(int(0)));
            prop_assert_eq!(rem(&b, &g), Ok(int(0)));
            let product = crate::mul(&g, &lcm(&a, &b).unwrap());
            prop_assert_eq!(product, crate::basic::abs(&crate::mul(&a, &b).unwrap()));
        }
    }
}
