//! Operators: those that a module's own text adds (`op/3`), and those that it sees.
//!
//! The module before a name, or whose text is being read, has the operator; what the modules above it say of the same name and type is seen
//! through it (`code/operators.rs`).

use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::Res;
use samite_syntax::ops::OpType;
use samite_term::{Atom, Cell, Functor, Number, atoms};

pub const TABLE: &[Entry] = &[
    det("$op", 4, op),
    det("$ops", 3, ops),
    // '$reading_module'(-Module): whose operators `op/3` changes where it is not said.
    det("$reading_module", 1, |m, a| {
        let module = m.reading_module();
        Ok(m.unify_atom(a, 0, module))
    }),
];

/// `'$op'(+Priority, +Type, +Module, +Name)`
fn op(m: &mut Ctx, a: Args) -> Res {
    let (p, t, n) = (m.arg(a, 0), m.arg(a, 1), m.arg(a, 3));
    if p.is_ref() || t.is_ref() || n.is_ref() {
        return Err(m.instantiation_error());
    }
    if !p.is_small() {
        return Err(match m.term(p).number() {
            Some(Number::Int(_) | Number::Big(_)) => m.domain_error("operator_priority", p),
            _ => m.type_error("integer", p),
        });
    }
    if !(0..=1200).contains(&p.small_value()) {
        return Err(m.domain_error("operator_priority", p));
    }
    if !t.is_atom() {
        return Err(m.type_error("atom", t));
    }
    let Some(ty) = OpType::from_atom(t.atom_of()) else {
        return Err(m.domain_error("operator_specifier", t));
    };
    if !n.is_atom() {
        return Err(m.type_error("list", n));
    }
    let name = n.atom_of();
    let priority = p.small_value() as u16;
    if name == atoms::COMMA {
        return Err(m.permission_error("modify", "operator", n));
    }
    if name == atoms::BAR && (!ty.is_infix() || (priority > 0 && priority < 1001)) {
        return Err(m.permission_error("create", "operator", n));
    }
    if name == atoms::NIL || name == atoms::CURLY {
        return Err(m.permission_error("create", "operator", n));
    }
    let module = m.atom_argument(a, 2)?;
    if m.thread.arith.iso && priority > 0 && is_other_behind(m, module, name, ty) {
        return Err(m.permission_error("create", "operator", n));
    }
    // (That one there always is.)
    if module != atoms::USER {
        m.mention(module)?;
    }
    m.program.code.add_operator(module, (priority, ty, name));
    Ok(true)
}

/// Whether the name is an infix operator, and is to be a postfix one, or the other way round (ISO 13211-1, 8.14.3.3).
fn is_other_behind(m: &Ctx, module: Atom, name: Atom, ty: OpType) -> bool {
    let is_postfix = |ty: OpType| matches!(ty, OpType::Xf | OpType::Yf);
    let operators = m.program.code.operators(module);
    let mut others = operators.iter().filter(|(p, _, n)| *p > 0 && *n == name);
    match ty {
        _ if ty.is_infix() => others.any(|(_, other, _)| is_postfix(other)),
        _ if is_postfix(ty) => others.any(|(_, other, _)| other.is_infix()),
        _ => false,
    }
}

/// `'$ops'(+Module, ?Name, -List)`: terms `op(Priority, Type, Name)`, as the module sees them.
fn ops(m: &mut Ctx, a: Args) -> Res {
    let module = m.atom_argument(a, 0)?;
    let wanted = m.arg(a, 1);
    let all: Vec<_> = m
        .program
        .code
        .operators(module)
        .iter()
        .filter(|(p, _, n)| *p > 0 && (!wanted.is_atom() || wanted.atom_of() == *n))
        .collect();
    let f = Functor::new(Atom::new("op"), 3);
    let mut items = Vec::with_capacity(all.len());
    for (p, t, n) in all {
        items.push(m.heap.structure(
            f,
            &[
                Cell::small(i64::from(p)),
                Cell::atom(t.atom()),
                Cell::atom(n),
            ],
        )?);
    }
    let l = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 2, l))
}
