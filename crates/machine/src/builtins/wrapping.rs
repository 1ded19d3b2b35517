//! Wrappers of predicates, for `library(prolog_wrap)`: which there are. Calls are led to them where the predicate is entered
//! ([`Predicate::be_wrapped`](samite_code::Predicate::be_wrapped)), and from there to what they wrap by `'$wrapped'/2` (`engine/control/contexts.rs`).

use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::Throw;
use samite_code::Predicate;
use samite_code::predicate::flag;
use samite_term::{Cell, Functor, atoms, growth};

pub const TABLE: &[Entry] = &[
    // '$wrap'(+Module:Head, +Name, +Body): the predicate is wrapped, by one with as many arguments that is called Body in the same module.
    det("$wrap", 3, |m, a| {
        let (p, functor) = wrapped(m, a)?;
        let name = m.atom_argument(a, 1)?;
        let body = m.atom_argument(a, 2)?;
        let body = m.predicate_of(p.module(), Functor::new(body, functor.arity()))?;
        m.program.wrappers.add(p, name, body);
        Ok(true)
    }),
    // '$unwrap'(+Module:Head, +Name)
    det("$unwrap", 2, |m, a| {
        let (p, _) = wrapped(m, a)?;
        let name = m.atom_argument(a, 1)?;
        Ok(m.program.wrappers.remove(p, name))
    }),
    // '$wrappers'(+Module:Head, -Wrappers): Name-Body, the innermost first.
    det("$wrappers", 2, |m, a| {
        let (head, module) = m.strip_module(m.arg(a, 0), atoms::USER)?;
        let found = match m.term(head).callable() {
            Some((f, _)) => m.program.code.find(module, f),
            None => None,
        };
        let all = match found.filter(|p| p.is_wrapped()) {
            Some(p) => m.program.wrappers.of(p),
            None => Vec::new(),
        };
        let mut items = growth::with_room(all.len())?;
        for w in all {
            let body = Cell::atom(w.body.name());
            items.push(m.structure("-", &[Cell::atom(w.name.get()), body])?);
        }
        let list = m.heap.list(&items, Cell::NIL)?;
        Ok(m.unify_arg(a, 1, list))
    }),
];

/// The predicate that the first argument names: a program's.
fn wrapped(m: &mut Ctx, a: Args) -> Result<(&'static Predicate, Functor), Throw> {
    let (head, module) = m.strip_module(m.arg(a, 0), atoms::USER)?;
    let Some((f, _)) = m.term(head).callable() else {
        return Err(m.type_error("callable", head));
    };
    let system = m.program.code.find(atoms::SYSTEM, f);
    let theirs = system.filter(|p| p.is_defined() && p.has(flag::SYSTEM));
    let own = m
        .program
        .code
        .find(module, f)
        .is_some_and(|p| p.is_defined());
    if let Some(p) = theirs.filter(|p| !own || p.module() == module) {
        let culprit = m.indicator_of(p)?;
        return Err(m.permission_error("modify", "static_procedure", culprit));
    }
    if m.program.code.is_library(module) {
        let culprit = m.indicator(f)?;
        let culprit = m.structure(":", &[Cell::atom(module), culprit])?;
        return Err(m.permission_error("modify", "static_procedure", culprit));
    }
    let p = m.predicate_of(module, f)?;
    Ok((p, f))
}
