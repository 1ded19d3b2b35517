//! Terms taken apart, built, copied and inspected (ISO 13211-1, 8.5, with SWI-Prolog's additions).
//!
//! The walks over terms use work lists, and end on rational trees ([`samite_term::cycle`]). The helpers at the top are shared by the other topics.

use super::args::{attempt, integer, is_negative, list_parts, proper_list, size};
use super::{Entry, det, nondet, pure};
use crate::engine::ctx::Ctx;
use crate::engine::going::Step;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use rustc_hash::FxHashSet;
use samite_code::compile::whole;
use samite_heap::copy::Attributes;
use samite_heap::{Ground, Heap};
use samite_term::cell::MAX_ARITY;
use samite_term::cycle::Met;
use samite_term::growth::{self, Refused};
use samite_term::view::Args as TermArgs;
use samite_term::{Atom, Cell, Functor, Number, Tag, View, atoms};

pub const TABLE: &[Entry] = &[
    pure("functor", 3, functor).core(),
    nondet("arg", 3, arg).core().makes_terms(),
    pure("=..", 2, univ).core(),
    pure("compound_name_arity", 3, compound_name_arity),
    pure("compound_name_arguments", 3, compound_name_arguments),
    det("copy_term_nat", 2, |m, a| {
        copy_term(m, a, Ground::Shared, Attributes::Dropped)
    })
    .makes_terms(),
    // '$copy_nat'(+Term, -Copy): the same, for compiled lambda expressions: programs may have a predicate of the other name.
    det("$copy_nat", 2, |m, a| {
        copy_term(m, a, Ground::Shared, Attributes::Dropped)
    })
    .makes_terms(),
    det("copy_term_nat", 4, copy_some).makes_terms(),
    det("copy_term", 2, |m, a| {
        copy_term(m, a, Ground::Shared, Attributes::Kept)
    })
    .core()
    .makes_terms(),
    det("duplicate_term", 2, |m, a| {
        copy_term(m, a, Ground::Copied, Attributes::Kept)
    })
    .makes_terms(),
    det("term_variables", 2, |m, a| term_variables(m, a, Cell::NIL))
        .core()
        .makes_terms(),
    det("term_variables", 3, |m, a| {
        let tail = m.arg(a, 2);
        term_variables(m, a, tail)
    })
    .makes_terms(),
    det("setarg", 3, |m, a| setarg(m, a, false)).makes_terms(),
    det("nb_setarg", 3, |m, a| setarg(m, a, true)).makes_terms(),
    det("nb_linkarg", 3, |m, a| setarg(m, a, true)).makes_terms(),
    pure("ground", 1, |m, a| Ok(is_ground(m, m.arg(a, 0))?)).core(),
    // nonground(+Term, -Variable): the first variable of Term
    pure("nonground", 2, |m, a| {
        Ok(match first_variable(m, m.arg(a, 0))? {
            Some(v) => m.unify_arg(a, 1, v),
            None => false,
        })
    }),
    pure("?=", 2, |m, a| {
        let (x, y) = (m.arg(a, 0), m.arg(a, 1));
        Ok(m.identical(x, y) || !m.unifiable(x, y))
    }),
    // The same place in memory, or the same constant.
    pure("same_term", 2, |m, a| Ok(m.arg(a, 0) == m.arg(a, 1))),
    det("unifiable", 3, unifiable).makes_terms(),
    pure("subsumes_term", 2, subsumes_term).core(),
    pure(whole::MATCHES.0, whole::MATCHES.1, rule_matches),
    pure("blob", 2, blob),
    det("term_size", 2, |m, a| {
        let size = size_of_term(m.view(a, 0))?;
        m.unify_int(a, 1, size as i64)
    })
    .makes_terms(),
    pure("rational", 1, |m, a| {
        Ok(m.view(a, 0)
            .number()
            .is_some_and(|n| !matches!(n, Number::Float(_))))
    }),
    pure("rational", 3, rational),
];

/// Runs `f` with every binding trailed, then undoes them. `f` is given the trail's height before.
fn tentatively<T>(m: &mut Ctx, f: impl FnOnce(&mut Ctx, usize) -> T) -> T {
    let top = m.heap.trail().top();
    let mark = m.heap.mark();
    let r = f(m, top);
    // SAFETY: what `f` returns is no reference to what it has bound.
    unsafe { m.heap.unbind(mark) };
    r
}

/// Visits the leaves of a term (everything but compounds) from left to right until `f` returns false.
pub(crate) fn walk(
    m: &Ctx,
    t: Cell,
    mut f: impl FnMut(Cell) -> Result<bool, Refused>,
) -> Result<(), Refused> {
    let t = m.deref(t);
    if !is_compound(t) {
        return f(t).map(|_| ());
    }
    // Arguments still to be visited of the compounds above the present one: cells and their number. The first of them, which come last, are beside the list: most terms need none.
    let (mut p, mut n) = inside(t);
    let mut first = (p, 0);
    let mut work = Vec::new();
    let mut met = Met::below((t, t));
    loop {
        if n == 0 {
            (p, n) = match work.pop() {
                Some(rest) => rest,
                None if first.1 == 0 => return Ok(()),
                None => std::mem::replace(&mut first, (p, 0)),
            };
        }
        // SAFETY: `p` is at `n` cells of terms of this heap, of which nothing moves before the walk ends; the one after the last is not read.
        let t = unsafe {
            let t = m.deref(*p);
            (p, n) = (p.add(1), n - 1);
            t
        };
        if !matches!(t.tag(), Tag::Lst | Tag::Str) {
            if !f(t)? {
                return Ok(());
            }
            continue;
        }
        if met.again(t) {
            continue;
        }
        let inside = inside(t);
        if inside.1 == 0 {
            continue;
        }
        if n > 0 {
            if first.1 == 0 {
                first = (p, n);
            } else {
                growth::push(&mut work, (p, n))?;
            }
        }
        (p, n) = inside;
    }
}

/// The arguments of a compound: where they are, and their number.
#[inline]
fn inside(compound: Cell) -> (*const Cell, usize) {
    let p = compound.ptr().cast_const();
    match compound.tag() {
        Tag::Lst => (p, 2),
        // SAFETY: a structure begins with its functor.
        _ => unsafe { (p.add(1), Functor::from_cell(*p).arity()) },
    }
}

/// The variables of a term in order of appearance. Each is bound while the walk goes on, so that it is met once: nobody has to remember which
/// were met, and nobody else sees the heap meanwhile.
pub(crate) fn variables(m: &mut Ctx, t: Cell) -> Result<Vec<Cell>, Refused> {
    let mut found: Vec<Cell> = Vec::new();
    // Which of them have attributes, and what is in their cells then instead of themselves.
    let mut attributed: Vec<(usize, Cell)> = Vec::new();
    let walked = walk(m, t, |c| {
        if c.is_ref() {
            // SAFETY: the cell of a variable of this heap.
            let before = unsafe { *c.ptr() };
            growth::have(&mut attributed, 1)?;
            growth::push(&mut found, c)?;
            if before != c {
                attributed.push((found.len() - 1, before));
            }
            // SAFETY: as above; what is written is replaced below, and nothing moves before that.
            unsafe { *c.ptr() = Cell::NIL };
        }
        Ok(true)
    });
    for &v in &found {
        // SAFETY: a cell that was written above.
        unsafe { *v.ptr() = v };
    }
    for &(i, before) in &attributed {
        // SAFETY: as above.
        unsafe { *found[i].ptr() = before };
    }
    walked.map(|()| found)
}

pub(crate) fn is_ground(m: &Ctx, t: Cell) -> Result<bool, Refused> {
    Ok(first_variable(m, t)?.is_none())
}

fn first_variable(m: &Ctx, t: Cell) -> Result<Option<Cell>, Refused> {
    let mut first = None;
    walk(m, t, |c| {
        first = c.is_ref().then_some(c);
        Ok(first.is_none())
    })?;
    Ok(first)
}

/// A compound whose arguments are fresh variables.
fn fresh_compound(m: &mut Ctx, name: Atom, arity: usize) -> Result<Cell, Throw> {
    if arity > MAX_ARITY {
        return Err(m.resource_error("memory"));
    }
    let list = name == atoms::DOT && arity == 2;
    let header = usize::from(!list);
    let p = m.heap.allocate(header + arity)?;
    // SAFETY: that many cells were just allocated.
    unsafe {
        if !list {
            *p = Functor::new(name, arity).cell();
        }
        for i in header..header + arity {
            *p.add(i) = Cell::to(Tag::Ref, p.add(i));
        }
    }
    Ok(Cell::to(if list { Tag::Lst } else { Tag::Str }, p))
}

/// A compound with the given arguments.
fn compound(m: &mut Ctx, name: Atom, args: &[Cell]) -> Result<Cell, Throw> {
    if args.len() > MAX_ARITY {
        return Err(m.resource_error("memory"));
    }
    Ok(m.heap.structure(Functor::new(name, args.len()), args)?)
}

fn arguments(f: Functor, args: TermArgs) -> impl ExactSizeIterator<Item = Cell> {
    (0..f.arity()).map(move |i| args.get(i).cell())
}

fn is_compound(c: Cell) -> bool {
    matches!(c.tag(), Tag::Lst | Tag::Str)
}

// --- building and taking apart ---

fn functor(m: &mut Ctx, a: Args) -> Res {
    let t = m.arg(a, 0);
    if !t.is_ref() {
        let (name, arity) = match m.term(t).callable() {
            Some((f, args)) if !matches!(args, TermArgs::None) => {
                // The same as an atom of that name, for the standard knows no such term.
                if f.arity() == 0 {
                    return Err(m.domain_error("compound_non_zero_arity", t));
                }
                (Cell::name(f.name()), f.arity())
            }
            _ => (t, 0),
        };
        return Ok(m.unify_arg(a, 1, name) && m.unify_arg(a, 2, Cell::small(arity as i64)));
    }
    let name = m.arg(a, 1);
    if name.is_ref() {
        return Err(m.instantiation_error());
    }
    if is_compound(name) {
        return Err(m.type_error("atomic", name));
    }
    let Some(arity) = size(m, m.arg(a, 2))? else {
        return Err(m.instantiation_error());
    };
    if arity == 0 {
        return Ok(m.unify(t, name));
    }
    let Some(name) = name.as_name() else {
        return Err(m.type_error("atom", name));
    };
    let made = fresh_compound(m, name, arity)?;
    Ok(m.unify(t, made))
}

fn arg(m: &mut Ctx, a: Args, state: Option<Cell>) -> Result<Step, Throw> {
    let t = m.arg(a, 1);
    if !is_compound(t) {
        return Err(m.type_error("compound", t));
    }
    let Some((f, args)) = m.term(t).callable() else {
        return Ok(Step::Fail);
    };
    let n = m.arg(a, 0);
    if n.is_small() {
        // The frequent case first.
        let i = n.small_value();
        if i >= 1 && i as usize <= f.arity() {
            let x = args.get(i as usize - 1).cell();
            return Ok(if m.unify_arg(a, 2, x) {
                Step::Last
            } else {
                Step::Fail
            });
        }
    }
    if !n.is_ref() {
        let index = integer(m, n)?;
        if is_negative(&index) {
            return Err(m.domain_error("not_less_than_zero", n));
        }
        return Ok(match index {
            Number::Int(i) if i >= 1 && i as usize <= f.arity() => {
                if m.unify_arg(a, 2, args.get(i as usize - 1).cell()) {
                    Step::Last
                } else {
                    Step::Fail
                }
            }
            _ => Step::Fail,
        });
    }
    let mut i = state.map_or(0, |s| s.small_value() as usize);
    while i < f.arity() {
        let x = args.get(i).cell();
        i += 1;
        let number = Cell::small(i as i64);
        if attempt(m, |m| Ok(m.unify_arg(a, 2, x) && m.unify_arg(a, 0, number)))? {
            return Ok(if i == f.arity() {
                Step::Last
            } else {
                Step::More(number)
            });
        }
    }
    Ok(Step::Fail)
}

fn univ(m: &mut Ctx, a: Args) -> Res {
    let (t, list) = (m.arg(a, 0), m.arg(a, 1));
    if !t.is_ref() {
        let mut items = vec![t];
        if is_compound(t)
            && let Some((f, args)) = m.term(t).callable()
        {
            if f.arity() == 0 {
                return Err(m.domain_error("compound_non_zero_arity", t));
            }
            items = growth::with_room(1 + f.arity())?;
            items.push(Cell::name(f.name()));
            items.extend(arguments(f, args));
        }
        return univ_list(m, list, &items);
    }
    let (items, tail) = list_parts(m, list);
    let Some(&head) = items.first() else {
        if list == Cell::NIL {
            return Err(m.domain_error("non_empty_list", list));
        }
        return Err(m.type_error("list", list));
    };
    let head = m.deref(head);
    if head.is_ref() {
        return Err(m.instantiation_error());
    }
    if items.len() == 1 && tail == Cell::NIL {
        if is_compound(head) {
            return Err(m.type_error("atomic", head));
        }
        return Ok(m.unify(t, head));
    }
    let Some(name) = head.as_name() else {
        return Err(m.type_error("atom", head));
    };
    if tail != Cell::NIL && !tail.is_ref() {
        return Err(m.type_error("list", list));
    }
    if tail.is_ref() {
        return Err(m.instantiation_error());
    }
    let made = compound(m, name, &items[1..])?;
    Ok(m.unify(t, made))
}

/// Unifies the list of `=../2` with these items, one after the other: the first that does not fit decides, else what should be a list.
fn univ_list(m: &mut Ctx, list: Cell, items: &[Cell]) -> Res {
    let (given, tail) = list_parts(m, list);
    // (What needs memory comes before what binds.)
    let rest = items.get(given.len()..).unwrap_or_default();
    let rest = m.heap.list(rest, Cell::NIL)?;
    for (&x, &y) in given.iter().zip(items) {
        if !m.unify(x, y) {
            return Ok(false);
        }
    }
    let tail = m.deref(tail);
    if given.len() > items.len() {
        return Ok(false);
    }
    if tail != Cell::NIL && !tail.is_ref() {
        return Err(m.type_error("list", tail));
    }
    Ok(m.unify(tail, rest))
}

fn compound_name_arity(m: &mut Ctx, a: Args) -> Res {
    let t = m.arg(a, 0);
    if !t.is_ref() {
        if !is_compound(t) {
            return Err(m.type_error("compound", t));
        }
        let Some((f, _)) = m.term(t).callable() else {
            return Ok(false);
        };
        return Ok(m.unify_arg(a, 1, Cell::name(f.name()))
            && m.unify_arg(a, 2, Cell::small(f.arity() as i64)));
    }
    let name = m.arg(a, 1);
    if name.is_ref() {
        return Err(m.instantiation_error());
    }
    let Some(name) = name.as_name() else {
        return Err(m.type_error("atom", name));
    };
    let Some(arity) = size(m, m.arg(a, 2))? else {
        return Err(m.instantiation_error());
    };
    let made = fresh_compound(m, name, arity)?;
    Ok(m.unify(t, made))
}

fn compound_name_arguments(m: &mut Ctx, a: Args) -> Res {
    let t = m.arg(a, 0);
    if !t.is_ref() {
        if !is_compound(t) {
            return Err(m.type_error("compound", t));
        }
        let Some((f, args)) = m.term(t).callable() else {
            return Ok(false);
        };
        let items = arguments(f, args);
        let list = m.heap.list_of(f.arity(), items, Cell::NIL)?;
        return Ok(m.unify_arg(a, 1, Cell::name(f.name())) && m.unify_arg(a, 2, list));
    }
    let name = m.arg(a, 1);
    if name.is_ref() {
        return Err(m.instantiation_error());
    }
    let Some(name) = name.as_name() else {
        return Err(m.type_error("atom", name));
    };
    let items = proper_list(m, m.arg(a, 2))?;
    let made = compound(m, name, &items)?;
    Ok(m.unify(t, made))
}

// --- copies and variables ---

fn copy_term(m: &mut Ctx, a: Args, ground: Ground, attributes: Attributes) -> Res {
    let t = m.arg(a, 0);
    // SAFETY: an argument is a term of this machine's heap.
    let copy = unsafe { m.heap.copy_sharing(t, ground, attributes, Heap::has_room) };
    m.check_given_up()?;
    let copy = copy?.ok_or(Throw::Memory)?;
    Ok(m.unify_arg(a, 1, copy))
}

/// `copy_term_nat(+Vars, +Term, -CopiedVars, -Copy)`: the variables that are not in Vars stay.
fn copy_some(m: &mut Ctx, a: Args) -> Res {
    let vars = m.arg(a, 0);
    let renamed = variables(m, vars)?.len();
    let term = m.arg(a, 1);
    let both = m.structure("/", &[vars, term])?;
    // Those of Vars are met first.
    let all = variables(m, both)?;
    m.check_given_up()?;
    // SAFETY: a term of this machine's heap, and variables of it.
    let copy = unsafe { m.heap.copy_keeping(both, &all[renamed..], Heap::has_room) };
    m.check_given_up()?;
    let copy = copy?.ok_or(Throw::Memory)?;
    let Some((_, parts)) = m.term(copy).callable() else {
        return Ok(false);
    };
    let (new_vars, new_term) = (parts.get(0).cell(), parts.get(1).cell());
    Ok(m.unify_arg(a, 2, new_vars) && m.unify_arg(a, 3, new_term))
}

fn term_variables(m: &mut Ctx, a: Args, tail: Cell) -> Res {
    if tail == Cell::NIL {
        super::args::partial_list(m, m.arg(a, 1))?;
    }
    let found = variables(m, m.arg(a, 0))?;
    let list = m.heap.list(&found, tail)?;
    Ok(m.unify_arg(a, 1, list))
}

/// `setarg/3` and, for `keep`, `nb_setarg/3`.
fn setarg(m: &mut Ctx, a: Args, keep: bool) -> Res {
    let Some(i) = size(m, m.arg(a, 0))? else {
        return Err(m.instantiation_error());
    };
    if i == 0 {
        return Ok(false);
    }
    let t = m.arg(a, 1);
    let (first, arity) = match t.tag() {
        Tag::Lst => (t.ptr(), 2),
        // SAFETY: a structure starts with its functor; its arguments follow.
        Tag::Str => unsafe { (t.ptr().add(1), Functor::from_cell(*t.ptr()).arity()) },
        _ if t.is_atom() && t != Cell::NIL => return Ok(false),
        _ => return Err(m.type_error("compound", t)),
    };
    if i > arity {
        return Ok(false);
    }
    // SAFETY: an argument cell of this heap.
    unsafe { set_argument(m, first.add(i - 1), m.arg(a, 2), keep)? };
    Ok(true)
}

/// Has an argument of a compound be `value`: of a copy of it, to stay on backtracking, if `keep`.
///
/// # Safety
/// `target` is an argument cell of this thread's heap, and `value` a term of it.
pub(crate) unsafe fn set_argument(
    m: &mut Ctx,
    target: *mut Cell,
    value: Cell,
    keep: bool,
) -> Result<(), Throw> {
    if keep {
        let constant = m.deref(value);
        if constant.is_immediate() {
            // SAFETY: an argument cell; nothing is to be copied.
            unsafe { *target = constant };
            return Ok(());
        }
        let record = m.record_whole(value)?;
        let copy = m.heap.instantiate_old(&record)?;
        // SAFETY: an argument cell of this heap. The copy refers to nothing in the nursery, so the cell needs no remembering.
        unsafe { *target = copy };
        return Ok(());
    }
    // SAFETY: an argument cell.
    let old = m.deref(unsafe { *target });
    let place = match old.is_ref() {
        true if old == value => return Ok(()),
        // Which of several places that are one variable is that of the variable is nobody's business: all of them change. (An attributed one is no place.)
        // SAFETY: an unbound variable of this heap.
        true if unsafe { m.heap.attributes(old) }.is_none() => old.ptr(),
        true => target,
        false => target,
    };
    // SAFETY: an argument cell or an unbound variable, and a term of this heap.
    unsafe { m.assign(place, value) };
    Ok(())
}

/// `unifiable(X, Y, Unifier)`: the bindings that would unify them, newest first.
fn unifiable(m: &mut Ctx, a: Args) -> Res {
    let (x, y) = (m.arg(a, 0), m.arg(a, 1));
    let equals = Functor::new(atoms::EQUALS, 2);
    if x.is_ref() && y.is_ref() && x != y {
        let pair = m.heap.structure(equals, &[x, y])?;
        let list = m.heap.list(&[pair], Cell::NIL)?;
        return Ok(m.unify_arg(a, 2, list));
    }
    let mut bindings = Vec::new();
    let holds = tentatively(m, |m, top| {
        let holds = m.unify(x, y);
        if holds {
            // SAFETY: the trail was written by this unification.
            let found = unsafe { m.heap.trail().bindings_since(top, &mut bindings) };
            found?;
        }
        Ok::<_, Refused>(holds)
    })?;
    if !holds {
        return Ok(false);
    }
    let mut pairs = growth::with_room(bindings.len())?;
    // (What else was overwritten belongs to attributed variables that would have been woken.)
    let bound = bindings.iter().filter(|(cell, _)| cell.tag() == Tag::Ref);
    for &(variable, value) in bound.rev() {
        pairs.push(m.heap.structure(equals, &[variable, value])?);
    }
    let list = m.heap.list(&pairs, Cell::NIL)?;
    Ok(m.unify_arg(a, 2, list))
}

/// The general term unifies with the specific one without binding or aliasing variables of the specific one.
fn subsumes_term(m: &mut Ctx, a: Args) -> Res {
    let (general, specific) = (m.arg(a, 0), m.arg(a, 1));
    let fixed = variables(m, specific)?;
    let mut seen: FxHashSet<Cell> = FxHashSet::default();
    seen.try_reserve(fixed.len()).map_err(|_| Refused)?;
    Ok(tentatively(m, |m, _| {
        if !m.unify(general, specific) {
            return false;
        }
        fixed.iter().all(|&v| {
            let v = m.deref(v);
            v.is_ref() && seen.insert(v)
        })
    }))
}

/// The arguments of a rule's head, which are the rule's alone, are matched with those of a call: none of the call's variables is bound.
fn rule_matches(m: &mut Ctx, a: Args) -> Res {
    Ok(subsumes_term(m, a)? && m.unify(m.arg(a, 0), m.arg(a, 1)))
}

// --- inspection ---

/// `term_size/2`: the 64-bit words that SWI-Prolog needs for a term beside its root; what is shared counts once.
fn size_of_term(root: samite_term::TermRef) -> Result<usize, Refused> {
    let mut seen = FxHashSet::default();
    let mut todo = vec![root];
    let mut size = 0;
    while let Some(t) = todo.pop() {
        let view = t.view();
        let boxed = matches!(
            view,
            View::Float(_) | View::Number(_) | View::Str(_) | View::List(..) | View::Compound(_)
        );
        if boxed && !growth::add(&mut seen, t.deref().0)? {
            continue;
        }
        size += match view {
            View::Var(_)
            | View::Attributed(_)
            | View::Atom(_)
            | View::Blob(_)
            | View::Handle(_) => 0,
            // Integers of up to 57 bits have no words of their own.
            View::Int(n) if (-(1 << 56)..1 << 56).contains(&n) => 0,
            View::Int(_) | View::Float(_) => 3,
            View::Number(n) => match n.number() {
                Number::Int(_) => 3,
                _ => n.words().len() + 2,
            },
            // A byte for the kind of characters, or four.
            View::Str(s) => {
                let bytes = if s.chars().all(|c| u32::from(c) < 256) {
                    1 + s.chars().count()
                } else {
                    4 + 4 * s.chars().count()
                };
                bytes / 8 + 3
            }
            View::List(head, tail) => {
                growth::have(&mut todo, 2)?;
                todo.extend([tail, head]);
                3
            }
            View::Compound(c) => {
                growth::have(&mut todo, c.arity())?;
                todo.extend(c.args());
                1 + c.arity()
            }
        };
    }
    Ok(size)
}

fn blob(m: &mut Ctx, a: Args) -> Res {
    let c = m.arg(a, 0);
    let reserved = [
        Cell::NIL,
        Cell::name(atoms::DICT),
        Cell::blob(atoms::TRIE_NODE),
    ];
    let kind = if reserved.contains(&c) {
        "reserved_symbol"
    } else if c.is_atom() {
        "text"
    } else if let Some(handle) = c.handle() {
        handle.kind().as_str()
    } else if c.is_blob() {
        "blob"
    } else {
        return Ok(false);
    };
    Ok(m.unify_atom(a, 1, Atom::new(kind)))
}

fn rational(m: &mut Ctx, a: Args) -> Res {
    let Some(r) = m.view(a, 0).number().and_then(|n| n.to_rational()) else {
        return Ok(false);
    };
    let (numerator, denominator) = r.into_parts();
    let n = m.heap.number(&Number::from_big(numerator))?;
    let d = m.heap.number(&Number::from_big(denominator.into()))?;
    Ok(m.unify_arg(a, 1, n) && m.unify_arg(a, 2, d))
}
