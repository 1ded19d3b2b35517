//! Global variables of a thread: `nb_setval/2`, `b_setval/2` and their readers.
//!
//! A variable is a structure `'$global'(Value, Trailed)` in the old generation. `b_setval/2` assigns to its argument, undone on backtracking and
//! remembered by the trail, and marks it as trailed; `nb_setval/2` overwrites it with a copy in the old generation. What is trailed is left to
//! those who may undo it: `nb_setval/2` makes a new structure then, which nobody undoes. (Of a light thread that was folded it is in the nursery, below what backtracking
//! takes away, till the next collection.)

use super::args::attempt;
use super::{Entry, det, nondet};
use crate::engine::control::undo::UNDO;
use crate::engine::ctx::Ctx;
use crate::engine::going::Step;
use crate::engine::worker::{Args, Worker};
use crate::error::{Res, Throw};
use samite_term::common::Held;
use samite_term::{Atom, Cell, Functor, HeldAtom, Number, Tag, View, atoms, growth};

pub const TABLE: &[Entry] = &[
    // (Called again where memory was refused: nothing has changed until the last moment.)
    det("nb_setval", 2, nb_setval).makes_terms(),
    // (A link would have to outlive the heap that backtracking gives back.)
    det("nb_linkval", 2, nb_setval).makes_terms(),
    det("b_setval", 2, |m, a| {
        let key = key(m, a)?;
        let value = m.arg(a, 1);
        let at = place(m, key)?;
        // SAFETY: an argument cell and a term of this heap; the argument after it holds a small integer.
        unsafe {
            m.assign(at, value);
            *at.add(1) = Cell::small(1);
        }
        Ok(true)
    })
    .makes_terms(),
    det("nb_getval", 2, |m, a| get(m, a, "nb_getval")),
    det("b_getval", 2, |m, a| get(m, a, "b_getval")),
    det("nb_delete", 1, |m, a| {
        let key = key(m, a)?;
        if m.thread.globals.contains_key(&key) {
            let at = untrailed(m, key)?;
            // SAFETY: the argument of the variable's structure; a constant.
            unsafe { *at = no_value() };
        }
        Ok(true)
    }),
    // '$undo'(+Goal): it runs when backtracking has gone back over this.
    det("$undo", 1, |m, a| {
        let goal = m.arg(a, 0);
        let here = m.undos_here();
        if here < m.thread.undos.len() {
            // What is due runs, and this is in it.
            return Err(m.permission_error("undo", "goal", goal));
        }
        let at = place(m, Atom::new(UNDO))?;
        // A tabled goal that was suspended goes on behind goals that have run when it was: nothing is in their places.
        let missing = here - m.thread.undos.len();
        if missing > 0 {
            let nothing = Held::new(m.record_shared(Cell::atom(atoms::TRUE), Held::OVERHEAD)?);
            growth::have(&mut m.thread.undos, missing)?;
            let places = std::iter::repeat_n(nothing, missing);
            m.thread.undos.extend(places);
        }
        let goal = Held::new(m.record_shared(goal, Held::OVERHEAD)?);
        growth::push(&mut m.thread.undos, goal)?;
        // SAFETY: an argument cell, and a constant; the argument after it holds a small integer.
        unsafe {
            m.assign(at, Cell::small(here as i64 + 1));
            *at.add(1) = Cell::small(1);
        }
        m.arm();
        Ok(true)
    }),
    nondet("nb_current", 2, nb_current),
    det("set_random", 1, set_random),
];

fn nb_setval(m: &mut Ctx, a: Args) -> Res {
    let key = key(m, a)?;
    let value = m.arg(a, 1);
    let copy = match value.is_immediate() {
        true => value,
        false => {
            let record = m.record_whole(value)?;
            m.heap.instantiate_old(&record)?
        }
    };
    let at = untrailed(m, key)?;
    // SAFETY: the argument of the variable's structure. The copy refers to nothing in the nursery.
    unsafe { *at = copy };
    Ok(true)
}

fn key(m: &mut Ctx, a: Args) -> Result<Atom, Throw> {
    let k = m.arg(a, 0);
    if !k.is_atom() {
        return Err(m.type_error("atom", k));
    }
    Ok(k.atom_of())
}

/// Where the value of a variable is; the variable is made if it does not exist.
fn place(m: &mut Ctx, key: Atom) -> Result<*mut Cell, Throw> {
    if let Some(c) = m.thread.globals.get(&key) {
        return Ok(c.ptr().wrapping_add(1));
    }
    make(m, key)
}

/// A new place for the value of a variable.
fn make(m: &mut Ctx, key: Atom) -> Result<*mut Cell, Throw> {
    let Worker { thread, heap, .. } = &mut **m;
    let globals = &mut thread.globals;
    if !growth::map_room(globals, |bytes| heap.has_room(bytes)) {
        return Err(Throw::Memory);
    }
    let p = m.heap.allocate_old(3)?;
    // SAFETY: three cells were just allocated.
    unsafe {
        *p = Functor::new(Atom::new("$global"), 2).cell();
        *p.add(1) = no_value();
        *p.add(2) = Cell::small(0);
    }
    m.thread.globals.insert(key.hold(), Cell::to(Tag::Str, p));
    Ok(p.wrapping_add(1))
}

/// Where the value of a variable is that backtracking does not touch.
fn untrailed(m: &mut Ctx, key: Atom) -> Result<*mut Cell, Throw> {
    let at = place(m, key)?;
    // SAFETY: the second argument of the variable's structure.
    if unsafe { *at.add(1) } == Cell::small(0) {
        return Ok(at);
    }
    make(m, key)
}

fn get(m: &mut Ctx, a: Args, by: &str) -> Res {
    let key = key(m, a)?;
    let Some(&c) = m.thread.globals.get(&key) else {
        return Err(not_there(m, a, key, by));
    };
    // SAFETY: the argument of the variable's structure.
    let value = unsafe { *c.ptr().add(1) };
    if value == no_value() {
        return Err(not_there(m, a, key, by));
    }
    Ok(m.unify_arg(a, 1, value))
}

/// The error, or the goal that asks the program to make the variable.
#[cold]
fn not_there(m: &mut Ctx, a: Args, key: Atom, by: &str) -> Throw {
    let key = Cell::atom(key);
    let error = m.existence_error("variable", key);
    if !m.has_exception_hook() {
        return error;
    }
    let value = m.arg(a, 1);
    let made = (|| {
        let by_whom = m.indicator(Functor::new(Atom::of(by), 2))?;
        let error = match m.add_culprit_context(error, by_whom) {
            Throw::Term(error) => error,
            error => return Err(error),
        };
        let read = m.structure(by, &[key, value])?;
        let read = m.structure(":", &[Cell::atom(atoms::SYSTEM), read])?;
        m.ask_exception("undefined_global_variable", key, read, error)
    })();
    made.map_or_else(|t| t, Throw::Rest)
}

/// `nb_current(Key, Value)`: the variables, in order of their keys' creation. Those whose names begin with `$` are the system's: they are found by
/// name only. The state is the index of the next key.
fn nb_current(m: &mut Ctx, a: Args, state: Option<Cell>) -> Result<Step, Throw> {
    let k = m.arg(a, 0);
    let value_of = |m: &Ctx, key: Atom| {
        let c = *m.thread.globals.get(&key)?;
        // SAFETY: the argument of the variable's structure.
        let value = unsafe { *c.ptr().add(1) };
        (value != no_value()).then_some(value)
    };
    if !k.is_ref() {
        let value = if k.is_atom() {
            value_of(m, k.atom_of())
        } else {
            None
        };
        let holds = value.is_some_and(|v| m.unify_arg(a, 1, v));
        return Ok(if holds { Step::Last } else { Step::Fail });
    }
    let from = state.map_or(0, |s| s.small_value() as u32);
    let mut keys: Vec<Atom> = m
        .thread
        .globals
        .keys()
        .map(HeldAtom::get)
        .filter(|k| k.index() >= from && !k.as_str().starts_with('$'))
        .collect();
    keys.sort_unstable();
    for (i, &key) in keys.iter().enumerate() {
        if let Some(v) = value_of(m, key)
            && attempt(m, |m| Ok(m.unify_atom(a, 0, key) && m.unify_arg(a, 1, v)))?
        {
            let next = i64::from(key.index()) + 1;
            return Ok(if i + 1 == keys.len() {
                Step::Last
            } else {
                Step::More(Cell::small(next))
            });
        }
    }
    Ok(Step::Fail)
}

/// What a variable holds whose first `b_setval/2` was undone.
fn no_value() -> Cell {
    Cell::blob(atoms::NO_VALUE)
}

/// `set_random(seed(S))`; `state(S)` is what `random_property/1` tells, a seed that has just been set.
fn set_random(m: &mut Ctx, a: Args) -> Res {
    let option = m.arg(a, 0);
    let View::Compound(c) = m.term(option).view() else {
        return Err(m.type_error("random_option", option));
    };
    let what = match c.name().as_str() {
        "seed" if c.arity() == 1 => "seed",
        "state" if c.arity() == 1 => "state",
        _ => return Err(m.domain_error("random_option", option)),
    };
    let seed = c.arg(0);
    match seed.number() {
        Some(n @ (Number::Int(_) | Number::Big(_))) => {
            m.thread.arith.random = samite_arith::env::Random::seeded_by(&n);
            Ok(true)
        }
        _ if what == "state" && seed.is_var() => Err(m.instantiation_error()),
        _ if what == "seed" && seed.as_atom().is_some_and(|s| s.as_str() == "random") => {
            m.thread.arith.random = samite_arith::Env::default().random;
            Ok(true)
        }
        _ => Err(m.type_error(what, seed.cell())),
    }
}
