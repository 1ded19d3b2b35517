//! The beginnings of terms as numbers, by which most pairs of terms that are sorted are put in order without a look at the terms.
//!
//! ```text
//! prefix(a) < prefix(b)  =>  a < b       in the standard order (`order.rs`)
//! prefix(a) = prefix(b)                  says nothing
//! ```
//!
//! A term is written down in the order in which it is compared, until the bits of a prefix are used up, or it comes to what is not known to the
//! last bit; zeros follow:
//!
//! ```text
//! variable     0:3                                                              (then ends)
//! number       1:3  start:32  place:2                                           (then ends, if it is not an integer equal to its start)
//! string       3:3  text
//! atom         4:3  name
//! compound     5:3  arity:6  name  arguments                                    (63 arguments or more: ends behind the arity)
//!
//! start        the first half of the nearest float, made monotone; it stands for the number in it of which the second half says nothing
//! place        0 less than that number, or a float equal to it; 1 an integer equal to it; 2 greater
//! name         0:1 0:1 for `[]`, 0:1 1:1 for that of dicts, else 1:1 text
//! text         its bytes, two for each of 0 and 1 (1 1 and 1 2), and 0
//! ```
//!
//! Called by sorting only.

use crate::cell::{Cell, Kind};
use crate::view::{TermRef, View};
use crate::{Atom, atoms};
use std::cmp::Ordering;

const MANY: usize = 63;
/// A compound has 10 bits before its arguments at least: no more of them fit.
const OPEN: usize = 13;

/// A prefix that is being written.
struct Writer {
    bits: u128,
    left: u32,
}

impl Writer {
    /// The last `width` bits of `value`; others are zeros. What does not fit is cut off.
    fn push(&mut self, value: u64, width: u32) {
        let value = u128::from(value);
        if width <= self.left {
            self.left -= width;
            self.bits |= value << self.left;
        } else {
            self.bits |= value >> (width - self.left);
            self.left = 0;
        }
    }
    fn text(&mut self, text: &str) {
        for &byte in text.as_bytes() {
            if self.left == 0 {
                return;
            }
            if byte <= 1 {
                self.push(1, 8);
                self.push(u64::from(byte) + 1, 8);
            } else {
                self.push(u64::from(byte), 8);
            }
        }
        self.push(0, 8);
    }
    fn name(&mut self, name: Atom) {
        if name.is_reserved() {
            self.push(u64::from(name == atoms::DICT), 2);
        } else {
            self.push(1, 1);
            self.text(name.as_str());
        }
    }
    /// Whether the number is known by what was written.
    fn number(&mut self, nearest: f64, integer: Option<i64>) -> bool {
        let start = start(nearest);
        let represented = represented(start);
        let equal = integer.is_some_and(|i| represented.abs() < 1e18 && i == represented as i64);
        let order = match integer {
            Some(i) if represented.abs() < 1e18 => i.cmp(&(represented as i64)),
            _ if nearest > represented => Ordering::Greater,
            _ => Ordering::Less,
        };
        self.push(start.into(), 32);
        let place = match order {
            Ordering::Less => 0,
            Ordering::Equal => 1,
            Ordering::Greater => 2,
        };
        self.push(place, 2);
        equal
    }
}

/// The prefix of a term; `None`: there is something in it that has none (rational numbers, handles and the like), so that no term of a list with it
/// can use one.
pub fn prefix(t: TermRef) -> Option<u128> {
    let mut w = Writer { bits: 0, left: 128 };
    // The arguments still to be written of compounds around the present term.
    let mut open = [(t, 0, 0); OPEN];
    let mut depth = 0;
    let mut t = t;
    loop {
        let known = match t.view() {
            View::Var(_) | View::Attributed(_) => false,
            View::Int(i) => {
                w.push(1, 3);
                w.number(i as f64, Some(i))
            }
            View::Float(f) => {
                w.push(1, 3);
                w.number(f, None)
            }
            View::Number(n) => {
                w.push(1, 3);
                w.number(nearest(n.words())?, None)
            }
            View::Str(s) => {
                w.push(3, 3);
                w.text(s);
                true
            }
            View::Atom(a) => {
                w.push(4, 3);
                w.name(a);
                true
            }
            View::Blob(_) | View::Handle(_) => return None,
            View::List(..) => {
                w.push(5, 3);
                w.push(2, 6);
                w.name(atoms::DOT);
                open[depth] = (t, 0, 2);
                depth += 1;
                true
            }
            View::Compound(c) => {
                w.push(5, 3);
                w.push(c.arity().min(MANY) as u64, 6);
                if c.arity() < MANY {
                    w.name(c.name());
                    open[depth] = (t, 0, c.arity());
                    depth += 1;
                }
                c.arity() < MANY
            }
        };
        if !known {
            return Some(w.bits);
        }
        // The next argument of the innermost compound that has one.
        t = loop {
            if depth == 0 || w.left == 0 {
                return Some(w.bits);
            }
            let (around, next, arity) = &mut open[depth - 1];
            if next < arity {
                *next += 1;
                break match around.view() {
                    View::List(head, _) if *next == 1 => head,
                    View::List(_, tail) => tail,
                    View::Compound(c) => c.arg(*next - 1),
                    _ => unreachable!("a compound"),
                };
            }
            depth -= 1;
        };
    }
}

/// The first 32 bits of a number that grows as floats do; NaN comes first.
fn start(f: f64) -> u32 {
    if f.is_nan() {
        return 0;
    }
    let bits = f.to_bits();
    let monotone = if bits >> 63 == 1 {
        !bits
    } else {
        bits | 1 << 63
    };
    (monotone >> 32) as u32
}

/// The number that a start stands for: of those that have it, the one whose other bits are zeros. (NaN for some of which there are none.)
fn represented(start: u32) -> f64 {
    let bits = u64::from(start) << 32;
    f64::from_bits(if start >> 31 == 1 {
        bits & !(1 << 63)
    } else {
        !(bits | u64::from(u32::MAX))
    })
}

/// The float nearest to a big integer in its box, infinite if that is too large; `None`: it is another number.
fn nearest(words: &[u64]) -> Option<f64> {
    let header = Cell(words[0]);
    if !header.is_kind(Kind::BigInt) {
        return None;
    }
    let limbs = &words[1..=header.box_words()];
    let (low, high) = limbs.split_at(limbs.len().saturating_sub(2));
    let mut top = high
        .iter()
        .rev()
        .fold(0u128, |n, &limb| n << 64 | u128::from(limb));
    // What is below the two limbs, of which 65 bits at least are used, only tells a tie from more than that.
    top |= u128::from(low.iter().any(|&limb| limb != 0));
    let scale = i32::try_from(64 * low.len()).unwrap_or(i32::MAX);
    let size = top as f64 * 2f64.powi(scale);
    Some(if header.payload() & 1 == 1 {
        -size
    } else {
        size
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Functor, Number, RecordBuilder, order};
    use dashu_int::IBig;
    use proptest::prelude::*;
    use std::cmp::Ordering;

    #[derive(Clone, Debug)]
    enum T {
        Int(i64),
        Float(f64),
        Big(u64, usize, bool),
        Text(bool, String),
        Nil,
        Compound(String, Vec<T>),
        List(Box<T>),
    }

    fn text() -> impl Strategy<Value = String> {
        prop_oneof![
            "[\0ab]{0,3}",
            "abcdef[\0a]{0,2}",
            "abcdefghijklm[\0an]{0,4}",
            "é{0,6}"
        ]
    }

    fn term() -> impl Strategy<Value = T> {
        let leaf = prop_oneof![
            (-3i64..3).prop_map(T::Int),
            prop_oneof![
                Just(1i64 << 58),
                Just((1 << 59) - 1),
                Just(-(1 << 59)),
                0i64..1 << 23
            ]
            .prop_flat_map(|i| (i - 1..=i).prop_map(T::Int)),
            prop_oneof![
                Just(0.0),
                Just(-0.0),
                Just(1.0),
                Just(1e300),
                Just(1.8446744073709552e19),
                Just(f64::NAN),
                Just(f64::INFINITY),
                Just(f64::NEG_INFINITY),
                -3.0..3.0
            ]
            .prop_map(T::Float),
            (
                prop_oneof![Just(u64::MAX), Just(1), any::<u64>()],
                0usize..20,
                any::<bool>()
            )
                .prop_map(|(top, n, minus)| T::Big(top, n, minus)),
            (any::<bool>(), text()).prop_map(|(s, t)| T::Text(s, t)),
            Just(T::Nil),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                (text(), prop::collection::vec(inner.clone(), 1..3))
                    .prop_map(|(n, a)| T::Compound(n, a)),
                inner.prop_map(|h| T::List(Box::new(h))),
            ]
        })
    }

    fn build(b: &mut RecordBuilder, t: &T) -> Cell {
        match t {
            T::Int(i) => b.number(&Number::Int(*i)),
            T::Float(f) => b.number(&Number::Float(*f)),
            T::Big(top, n, minus) => {
                let size = (IBig::from(*top) << (64 * n)) + IBig::from(*n);
                b.number(&Number::from_big(if *minus { -size } else { size }))
            }
            T::Text(true, s) => b.string(s),
            T::Text(false, s) => Cell::atom(Atom::of(s)),
            T::Nil => Cell::NIL,
            T::Compound(name, args) => {
                let args: Vec<Cell> = args.iter().map(|a| build(b, a)).collect();
                b.structure(Functor::new(Atom::of(name), args.len()), &args)
            }
            T::List(head) => {
                let head = build(b, head);
                b.list_cell(head, Cell::NIL)
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]
        #[cfg_attr(miri, ignore = "its generator asks the system for what Miri does not have")]
        #[test]
        fn a_smaller_prefix_is_that_of_a_smaller_term(x in term(), y in term()) {
            let made = |t: &T| {
                let mut b = RecordBuilder::new();
                let root = build(&mut b, t);
                b.finish(root)
            };
            let (x, y) = (made(&x), made(&y));
            let (mut xs, mut ys) = (vec![0; x.heap_words()], vec![0; y.heap_words()]);
            // SAFETY: instantiated records that stay where they are.
            let (x, y) = unsafe {
                (TermRef::new(x.instantiate(&mut xs)), TermRef::new(y.instantiate(&mut ys)))
            };
            let (p, q) = (prefix(x), prefix(y));
            prop_assert!(p.is_some() && q.is_some());
            let order = order::compare(x, y);
            let by_prefix = p.cmp(&q);
            prop_assert!(by_prefix == order || by_prefix == Ordering::Equal, "{:x?} {:x?} {:?}", p, q, order);
        }
    }
}
