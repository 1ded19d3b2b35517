//! Cyclic terms (rational trees): tests, and the way to finite terms and equations that toplevel and messages show; and which variables of
//! these need a name.

use super::{Entry, det, pure};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use rustc_hash::FxHashMap;
use samite_term::{Cell, Functor, TermRef, atoms, cycle, growth};

pub const TABLE: &[Entry] = &[
    pure("acyclic_term", 1, |m, a| {
        Ok(cycle::is_acyclic(m.view(a, 0)))
    })
    .core(),
    pure("cyclic_term", 1, |m, a| {
        Ok(!cycle::is_acyclic(m.view(a, 0)))
    }),
    det("$factorize_term", 3, factorize_term).makes_terms(),
    det("$repeated_variables", 2, repeated_variables).makes_terms(),
];

/// `'$repeated_variables'(+Term, -Variables)`: those that occur more than once, in order of appearance. A compound that occurs more often is
/// looked at twice, which says that its variables do.
fn repeated_variables(m: &mut Ctx, a: Args) -> Res {
    let mut visits: FxHashMap<Cell, bool> = FxHashMap::default();
    let mut found = Vec::new();
    let mut left = vec![m.view(a, 0)];
    while let Some(t) = left.pop() {
        let c = t.deref();
        let compound = t.callable().filter(|(f, _)| f.arity() > 0);
        if compound.is_none() && !c.is_ref() {
            continue;
        }
        match visits.get_mut(&c) {
            None => {
                growth::insert(&mut visits, c, false)?;
                if c.is_ref() {
                    growth::push(&mut found, c)?;
                }
            }
            Some(true) => continue,
            Some(again) => *again = true,
        }
        if let Some((f, args)) = compound {
            for i in (0..f.arity()).rev() {
                growth::push(&mut left, args.get(i))?;
            }
        }
    }
    found.retain(|c| visits[c]);
    let list = m.heap.list(&found, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, list))
}

/// `'$factorize_term'(+Term, -Skeleton, -Equations)`: finite terms such that Term is Skeleton with the solution of the equations
/// `Variable = Subterm`, one for each compound at which a cycle closes.
fn factorize_term(m: &mut Ctx, a: Args) -> Res {
    let t = m.view(a, 0);
    let heads = cycle::heads(t);
    if heads.is_empty() {
        return Ok(m.unify_arg(a, 1, t.cell()) && m.unify_arg(a, 2, Cell::NIL));
    }
    let mut made = FxHashMap::default();
    let mut variables = growth::with_room(heads.len())?;
    for head in &heads {
        let variable = m.heap.variable()?;
        growth::insert(&mut made, head.deref(), variable)?;
        variables.push(variable);
    }
    let skeleton = finite_copy(m, t, &mut made, false)?;
    let mut equations = growth::with_room(heads.len())?;
    for (&head, &variable) in heads.iter().zip(&variables) {
        let definition = finite_copy(m, head, &mut made, true)?;
        let equals = Functor::new(atoms::EQUALS, 2);
        equations.push(m.heap.structure(equals, &[variable, definition])?);
    }
    let list = m.heap.list(&equations, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, skeleton) && m.unify_arg(a, 2, list))
}

/// A copy of a term where what `made` knows is replaced, which cuts all cycles; with `define`, not the term itself. Bottom-up, on a list
/// of the compounds on the way down with their next argument.
fn finite_copy(
    m: &mut Ctx,
    t: TermRef<'_>,
    made: &mut FxHashMap<Cell, Cell>,
    define: bool,
) -> Result<Cell, Throw> {
    let mut way: Vec<(TermRef<'_>, usize)> = Vec::new();
    let mut done: Vec<Cell> = Vec::new();
    let mut next = Some(t);
    if define {
        way.extend(next.take().map(|t| (t, 0)));
    }
    loop {
        if let Some(t) = next.take() {
            let c = t.deref();
            match made.get(&c) {
                Some(&copy) => growth::push(&mut done, copy)?,
                None => match t.callable() {
                    Some((f, _)) if f.arity() > 0 => growth::push(&mut way, (t, 0))?,
                    _ => growth::push(&mut done, c)?,
                },
            }
        }
        let Some((t, i)) = way.last_mut() else {
            return Ok(done.pop().unwrap_or(Cell::NIL));
        };
        let Some((f, args)) = t.callable() else {
            return Ok(Cell::NIL); // not reached: only compounds are on the way
        };
        if *i < f.arity() {
            next = Some(args.get(*i));
            *i += 1;
        } else {
            let rest = done.len() - f.arity();
            let copy = m.heap.structure(f, &done[rest..])?;
            done.truncate(rest);
            if !made.contains_key(&t.deref()) {
                growth::insert(made, t.deref(), copy)?;
            }
            done.push(copy);
            way.pop();
        }
    }
}
