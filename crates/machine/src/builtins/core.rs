//! Type tests, comparison and unification as predicates (the compiler expands most calls of them).

use super::{Entry, det, pure};
use crate::engine::ctx::Ctx;
use crate::engine::ops::test::holds;
use crate::engine::ops::unify::Unified;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_code::instr::Op;
use samite_heap::unify;
use samite_term::heavy::Patience;
use samite_term::{Cell, Functor, View, atoms, variant};
use std::cmp::Ordering;

pub const TABLE: &[Entry] = &[
    pure("=", 2, |m, a| Ok(m.unify(m.arg(a, 0), m.arg(a, 1)))).core(),
    // (Compiled in place.)
    det("\\=", 2, not_unifiable).core(),
    pure("unify_with_occurs_check", 2, |m, a| {
        let (x, y) = (m.arg(a, 0), m.arg(a, 1));
        // SAFETY: arguments are terms of this heap.
        Ok(unsafe { unify::unify_with_occurs_check(&mut m.heap, x, y) })
    })
    .core(),
    // `'$stack_address'(-N)`: how far down the native stack this call stands, for `'$handlers_jump'/0`.
    det("$stack_address", 1, |m, a| {
        let here = 0u8;
        let address = std::hint::black_box(&raw const here).addr();
        m.unify_int(a, 0, address as i64)
    }),
    // `'$strip_modules'(+Term, -Module, -Plain)`: Module is `user` if there is none.
    pure("$strip_modules", 3, |m, a| {
        let (t, module) = m.strip_module(m.arg(a, 0), atoms::USER)?;
        Ok(m.unify_arg(a, 1, Cell::atom(module)) && m.unify_arg(a, 2, t))
    }),
    pure("==", 2, |m, a| Ok(m.identical(m.arg(a, 0), m.arg(a, 1)))).core(),
    pure("\\==", 2, |m, a| Ok(!m.identical(m.arg(a, 0), m.arg(a, 1)))).core(),
    pure("@<", 2, |m, a| Ok(compare(m, a) == Ordering::Less)).core(),
    pure("@>", 2, |m, a| Ok(compare(m, a) == Ordering::Greater)).core(),
    pure("@=<", 2, |m, a| Ok(compare(m, a) != Ordering::Greater)).core(),
    pure("@>=", 2, |m, a| Ok(compare(m, a) != Ordering::Less)).core(),
    pure("compare", 3, compare_3).core(),
    pure("$assoc_node", 3, assoc_node),
    pure("=@=", 2, |m, a| Ok(is_variant(m, a))),
    pure("\\=@=", 2, |m, a| Ok(!is_variant(m, a))),
    pure("var", 1, |m, a| test(m, a, Op::TestVar)).core(),
    pure("nonvar", 1, |m, a| test(m, a, Op::TestNonvar)).core(),
    pure("atom", 1, |m, a| test(m, a, Op::TestAtom)).core(),
    pure("integer", 1, |m, a| test(m, a, Op::TestInteger)).core(),
    pure("float", 1, |m, a| test(m, a, Op::TestFloat)).core(),
    pure("number", 1, |m, a| test(m, a, Op::TestNumber)).core(),
    pure("atomic", 1, |m, a| test(m, a, Op::TestAtomic)).core(),
    pure("compound", 1, |m, a| test(m, a, Op::TestCompound)).core(),
    pure("callable", 1, |m, a| test(m, a, Op::TestCallable)).core(),
    pure("string", 1, |m, a| test(m, a, Op::TestString)),
    pure("is", 2, |m, a| {
        let v = m.evaluate_cell(m.arg(a, 1))?;
        Ok(m.unify_arg(a, 0, v))
    })
    .core(),
    pure("=:=", 2, |m, a| {
        m.compare_numbers(Op::CmpEq, m.arg(a, 0), m.arg(a, 1))
    })
    .core(),
    pure("=\\=", 2, |m, a| {
        m.compare_numbers(Op::CmpNe, m.arg(a, 0), m.arg(a, 1))
    })
    .core(),
    pure("<", 2, |m, a| {
        m.compare_numbers(Op::CmpLt, m.arg(a, 0), m.arg(a, 1))
    })
    .core(),
    pure("=<", 2, |m, a| {
        m.compare_numbers(Op::CmpLe, m.arg(a, 0), m.arg(a, 1))
    })
    .core(),
    pure(">", 2, |m, a| {
        m.compare_numbers(Op::CmpGt, m.arg(a, 0), m.arg(a, 1))
    })
    .core(),
    pure(">=", 2, |m, a| {
        m.compare_numbers(Op::CmpGe, m.arg(a, 0), m.arg(a, 1))
    })
    .core(),
    det("true", 0, |_, _| Ok(true)).core(),
    det("otherwise", 0, |_, _| Ok(true)),
    det("fail", 0, |_, _| Ok(false)).core(),
    det("false", 0, |_, _| Ok(false)).core(),
    det("!", 0, |_, _| Ok(true)).core(),
];

fn test(m: &mut Ctx, a: Args, op: Op) -> Res {
    Ok(holds(op, m.arg(a, 0)))
}

fn compare(m: &mut Ctx, a: Args) -> Ordering {
    let (x, y) = (m.view(a, 0), m.view(a, 1));
    m.heap.compare(x, y)
}

fn is_variant(m: &mut Ctx, a: Args) -> bool {
    let (x, y) = (m.arg(a, 0), m.arg(a, 1));
    // SAFETY: terms of this machine's heap, which nobody else sees meanwhile.
    unsafe { variant::variant(x, y) }
}

/// Goals that unifying the two wakes are called, as they would be by `\+ X = Y`.
fn not_unifiable(m: &mut Ctx, a: Args) -> Res {
    let (x, y) = (m.arg(a, 0), m.arg(a, 1));
    match m.unifiable_or_awaited(x, y) {
        Unified::Yes => Ok(false),
        Unified::No => Ok(true),
        Unified::Awaited => Err(Throw::Rest(m.not_unifiable(x, y)?)),
    }
}

/// `'$assoc_node'(+Key, +Tree, -Node)`: where a search for Key ends in a tree of nodes `t(Key, _, _, Left, Right)`: at the one of this key, or at what is no
/// node. (A node that a search meets is seldom in the processor's cache: the less there is between two of them, the earlier the next is asked for.)
fn assoc_node(m: &mut Ctx, a: Args) -> Res {
    let (key, mut t) = (m.view(a, 0), m.arg(a, 1));
    let node = Functor::new(atoms::T, 5);
    let mut patience = Patience::new();
    while let View::Compound(c) = m.term(t).view()
        && c.functor() == node
    {
        let next = match m.heap.compare(key, c.arg(0)) {
            Ordering::Less => 3,
            Ordering::Equal => break,
            Ordering::Greater => 4,
        };
        t = c.arg(next).deref();
        if patience.is_over() {
            return Err(m.given_up());
        }
    }
    Ok(m.unify_arg(a, 2, t))
}

fn compare_3(m: &mut Ctx, a: Args) -> Res {
    let o = m.arg(a, 0);
    if !o.is_ref() {
        if !o.is_atom() {
            return Err(m.type_error("atom", o));
        }
        if ![atoms::EQUALS, atoms::NUM_LT, atoms::NUM_GT].contains(&o.atom_of()) {
            return Err(m.domain_error("order", o));
        }
    }
    let (x, y) = (m.view(a, 1), m.view(a, 2));
    let order = match m.heap.compare(x, y) {
        Ordering::Less => atoms::NUM_LT,
        Ordering::Equal => atoms::EQUALS,
        Ordering::Greater => atoms::NUM_GT,
    };
    Ok(m.unify_arg(a, 0, Cell::atom(order)))
}
