//! Attributed variables: what programs and libraries do with their attributes.
//!
//! As in SWI-Prolog (manual, section 8.1) a variable has one value for each module, in a chain `att(Module, Value, Others)` that ends in `[]`,
//! in the order in which they were put there. What happens when it is bound: `engine/control/wakeup.rs`, `library/boot/attributes.pl`. All changes are undone
//! on backtracking.

use super::terms::variables;
use super::{Entry, det, pure};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use rustc_hash::FxHashMap;
use samite_term::growth::{self, Refused};
use samite_term::heavy::Patience;
use samite_term::{Atom, Cell, Functor, Tag, atoms};

pub const TABLE: &[Entry] = &[
    pure("attvar", 1, |m, a| Ok(place(m, m.arg(a, 0)).is_some())),
    det("put_attr", 3, put_attr).makes_terms(),
    det("get_attr", 3, get_attr),
    det("del_attr", 2, del_attr),
    det("put_attrs", 2, put_attrs).makes_terms(),
    det("get_attrs", 2, |m, a| match place(m, m.arg(a, 0)) {
        // SAFETY: nothing has been collected since.
        Some(at) => Ok(m.unify_arg(a, 1, unsafe { *at })),
        None => Ok(false),
    }),
    det("del_attrs", 1, |m, a| {
        let v = m.arg(a, 0);
        forget(m, v);
        Ok(true)
    }),
    det("term_attvars", 2, term_attvars).makes_terms(),
    // '$note_attributed'(-List, -Round): from now on variables that get attributes are noted. What '$noted_attributed'/3 is to be told.
    det("$note_attributed", 2, |m, a| {
        let segment = m.segment();
        let [list, round] = m.heap.note_attributed(segment)?;
        Ok(m.unify_arg(a, 0, list) && m.unify_arg(a, 1, round))
    }),
    // '$noted_attributed'(+List, +Round, -Variables): those since then.
    det("$noted_attributed", 3, |m, a| {
        let (before, segment) = ([m.arg(a, 0), m.arg(a, 1)], m.segment());
        // SAFETY: library(residual) asks for it where the goal is true that it has begun.
        let variables = unsafe { m.heap.noted_attributed(before, segment)? };
        let list = m.heap.list(&variables, Cell::NIL)?;
        Ok(m.unify_arg(a, 2, list))
    }),
];

/// The arguments of `att/3`.
const MODULE: usize = 1;
const VALUE: usize = 2;
const OTHERS: usize = 3;
/// So many modules are looked through.
const MOST: usize = 1 << 20;

fn att() -> Functor {
    Functor::new(atoms::ATT, 3)
}

/// Where the attributes of a dereferenced term begin, if it is an attributed variable. Good until something is collected.
fn place(m: &Ctx, v: Cell) -> Option<*mut Cell> {
    match v.is_ref() {
        // SAFETY: an unbound variable of this heap.
        true => unsafe { m.heap.attributes(v) },
        false => None,
    }
}

/// Where the attribute of a module is, or where the chain ends that begins at `at`: the address of the reference to it.
fn find(m: &Ctx, mut at: *mut Cell, module: Atom) -> (*mut Cell, Option<*mut Cell>) {
    let att = att();
    // (A chain that a program has made may be cyclic.)
    for _ in 0..MOST {
        // SAFETY: argument cells of structures of this heap, as far as the chain is one.
        unsafe {
            let c = m.deref(*at);
            if c.tag() != Tag::Str || *c.ptr() != att.cell() {
                return (at, None);
            }
            let p = c.ptr();
            if m.deref(*p.add(MODULE)) == Cell::atom(module) {
                return (at, Some(p));
            }
            at = p.add(OTHERS);
        }
    }
    (at, None)
}

fn variable(m: &mut Ctx, a: Args) -> Result<Cell, Throw> {
    let v = m.arg(a, 0);
    match v.is_ref() {
        true => Ok(v),
        false => Err(m.uninstantiation_error(v, "1-st argument")),
    }
}

/// `put_attr(+Variable, +Module, +Value)`.
fn put_attr(m: &mut Ctx, a: Args) -> Res {
    let v = variable(m, a)?;
    let module = m.atom_argument(a, 1)?;
    let value = m.arg(a, 2);
    let last = match place(m, v).map(|at| find(m, at, module)) {
        Some((_, Some(found))) => {
            // SAFETY: an attributed variable and an argument cell of this heap.
            unsafe {
                m.heap.note_change(v)?;
                m.assign(found.add(VALUE), value);
            }
            return Ok(true);
        }
        Some((last, None)) => Some(last),
        None => None,
    };
    // (A builtin collects nothing: the place stays where it is.)
    let new = m
        .heap
        .structure(att(), &[Cell::atom(module), value, Cell::NIL])?;
    let segment = m.segment();
    // SAFETY: an argument cell, and a plain variable, of this heap.
    unsafe {
        match last {
            Some(at) => {
                m.heap.note_change(v)?;
                m.assign(at, new);
            }
            None => m.heap.attribute(v, new, segment)?,
        }
    }
    Ok(true)
}

/// `get_attr(+Variable, +Module, -Value)`: fails if it has none.
fn get_attr(m: &mut Ctx, a: Args) -> Res {
    let Some(at) = place(m, m.arg(a, 0)) else {
        return Ok(false);
    };
    let module = m.atom_argument(a, 1)?;
    Ok(match find(m, at, module) {
        // SAFETY: a structure of this heap.
        (_, Some(p)) => m.unify_arg(a, 2, unsafe { *p.add(VALUE) }),
        (_, None) => false,
    })
}

/// `del_attr(+Variable, +Module)`: true if there is none.
fn del_attr(m: &mut Ctx, a: Args) -> Res {
    let v = m.arg(a, 0);
    let Some(first) = place(m, v) else {
        return Ok(true);
    };
    let module = m.atom_argument(a, 1)?;
    if let (at, Some(p)) = find(m, first, module) {
        // SAFETY: a structure and an argument cell of this heap.
        let others = m.deref(unsafe { *p.add(OTHERS) });
        if at == first && others == Cell::NIL {
            forget(m, v);
        } else {
            // SAFETY: as above.
            unsafe { m.assign(at, others) };
        }
    }
    Ok(true)
}

/// `put_attrs(+Variable, +Attributes)`: in place of all that it has.
fn put_attrs(m: &mut Ctx, a: Args) -> Res {
    let v = variable(m, a)?;
    let (new, segment) = (m.arg(a, 1), m.segment());
    match place(m, v) {
        Some(_) if new == Cell::NIL => forget(m, v),
        None if new == Cell::NIL => {}
        // SAFETY: an attributed variable and an argument cell of this heap.
        Some(at) => unsafe {
            m.heap.note_change(v)?;
            m.assign(at, new);
        },
        // SAFETY: a plain unbound variable.
        None => unsafe { m.heap.attribute(v, new, segment)? },
    }
    Ok(true)
}

/// The variable has no attributes any more, if it had some.
fn forget(m: &mut Ctx, v: Cell) {
    if place(m, v).is_some() {
        let segment = m.segment();
        // SAFETY: an attributed variable of this heap.
        unsafe { m.heap.forget_attributes(v, segment) };
    }
}

/// Whether the attributes of a variable have no variables, and are little to look at. `work` is empty, and kept.
fn has_plain_attributes(m: &Ctx, v: Cell, work: &mut Vec<Cell>) -> Result<bool, Refused> {
    const LITTLE: usize = 32;
    let mut left = LITTLE;
    if let Some(at) = place(m, v) {
        // SAFETY: a cell of this heap.
        growth::push(work, unsafe { *at })?;
    }
    while let Some(t) = work.pop() {
        let c = m.deref(t);
        // SAFETY: a pointer of a term of this heap.
        let (first, n) = unsafe {
            match c.tag() {
                Tag::Lst => (c.ptr(), 2),
                Tag::Str => (c.ptr().add(1), Functor::from_cell(*c.ptr()).arity()),
                _ => (c.ptr(), 0),
            }
        };
        if c.is_ref() || n >= left {
            work.clear();
            return Ok(false);
        }
        left -= 1 + n;
        growth::have(work, n)?;
        // SAFETY: the arguments of a compound of this heap.
        work.extend((0..n).map(|i| unsafe { *first.add(i) }));
    }
    Ok(true)
}

/// `term_attvars(+Term, -Variables)`: those in the term, and those in their attributes. Each compound is looked at once, for attributes may share much.
fn term_attvars(m: &mut Ctx, a: Args) -> Res {
    let t = m.arg(a, 0);
    let mut all = variables(m, t)?;
    all.retain(|&v| place(m, v).is_some());
    // Where attributes have no variables there is nothing more.
    let (mut are_plain, mut work) = (true, Vec::new());
    for &v in &all {
        are_plain = are_plain && has_plain_attributes(m, v, &mut work)?;
    }
    if !are_plain {
        all.clear();
        let mut met = FxHashMap::default();
        let mut work = vec![t];
        let mut patience = Patience::new();
        while let Some(t) = work.pop() {
            if patience.is_over() {
                return Err(m.given_up());
            }
            let c = m.deref(t);
            let is_leaf = !c.is_ref() && !matches!(c.tag(), Tag::Lst | Tag::Str);
            if is_leaf || growth::insert(&mut met, c, ())?.is_some() {
                continue;
            }
            // SAFETY: pointers of terms of this heap, of which nothing has been collected since.
            unsafe {
                match c.tag() {
                    Tag::Lst => {
                        growth::push(&mut work, *c.ptr().add(1))?;
                        growth::push(&mut work, *c.ptr())?;
                    }
                    Tag::Str => {
                        let arity = Functor::from_cell(*c.ptr()).arity();
                        growth::have(&mut work, arity)?;
                        work.extend((1..=arity).rev().map(|i| *c.ptr().add(i)));
                    }
                    _ => {
                        if let Some(at) = place(m, c) {
                            growth::push(&mut all, c)?;
                            growth::push(&mut work, *at)?;
                        }
                    }
                }
            }
        }
    }
    let list = m.heap.list(&all, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, list))
}
