//! References to clauses: `nth_clause/3`, `clause/3` with a reference, and what can be asked of one clause.
//!
//! A reference is the name of a clause ([`Clause::name`]), a handle. It may outlive the clause: then it stands for nothing, and
//! goals about it fail. The state between solutions of `nth_clause/3` is `'$nth_clauses'(List, Next, End, Number, Generation)`, raw.

use super::clause_walks::{neck_of, target, unify_clause};
use super::{Entry, det, nondet};
use crate::engine::ctx::Ctx;
use crate::engine::going::Step;
use crate::engine::walk::nth_clauses_state;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_code::predicate::ClauseList;
use samite_code::predicate::{ANY_KEY, Clause, Predicate, flag};
use samite_code::view::View;
use samite_term::{Atom, Cell, Functor, HandleKind, Kind, atoms};

pub const TABLE: &[Entry] = &[
    nondet("nth_clause", 3, nth_clause).meta(":??"),
    det("$clause_properties", 2, properties),
    // '$clause_neck'(+Reference, -Neck): `:-`, also of a fact, `=>` or `?=>`; fails if it was erased.
    det("$clause_neck", 2, |m, a| match referred(m, a, 0)? {
        Some(c) => {
            let neck = neck_of(m, c).name();
            Ok(m.unify_arg(a, 1, Cell::atom(neck)))
        }
        None => Ok(false),
    }),
    // '$clause_listing'(+Reference, -Text): its code, line by line; fails if it was erased.
    det("$clause_listing", 2, |m, a| {
        let Some(c) = referred(m, a, 0)? else {
            return Ok(false);
        };
        m.clause_code(c)?;
        let text = m.heap.string(&c.listing().unwrap_or_default())?;
        Ok(m.unify_arg(a, 1, text))
    }),
];

/// What an argument that is a reference to a clause refers to, `Some(None)` if that was erased; `None` for other terms.
pub(crate) fn clause_argument(
    m: &mut Ctx,
    a: Args,
    i: usize,
) -> Result<Option<Option<&'static Clause>>, Throw> {
    let c = m.arg(a, i);
    if c.is_ref() {
        return Err(m.instantiation_error());
    }
    let Some(name) = c.handle().filter(|h| h.kind() == HandleKind::Clause) else {
        return Ok(None);
    };
    m.reader.enter();
    let named = m.program.code.domain.named(name);
    Ok(Some(named.filter(|c| c.is_known_to(&m.reader))))
}

/// A reference to a clause.
pub(crate) fn name_of(m: &Ctx, c: &'static Clause) -> Result<Cell, Throw> {
    let name = c.name(|bytes| m.room(bytes).is_ok()).ok_or(Throw::Memory)?;
    Ok(Cell::of_handle(name))
}

/// The clause that an argument must be a reference to; `None` if it was erased.
fn referred(m: &mut Ctx, a: Args, i: usize) -> Result<Option<&'static Clause>, Throw> {
    match clause_argument(m, a, i)? {
        Some(c) => Ok(c),
        None => {
            let c = m.arg(a, i);
            Err(m.type_error("db_reference", c))
        }
    }
}

/// The argument that is to unify with the head of a clause: without its module if that is the clause's; `None` if it can only mean
/// another predicate. An unbound one becomes `Module:Head` if the clause is not of the module it is read in.
fn head_argument(m: &mut Ctx, a: Args, c: &Clause) -> Result<Option<(Cell, bool)>, Throw> {
    let (head, module) = m.strip_module(m.arg(a, 0), m.thread.modules.typein.get())?;
    if head.is_ref() {
        return Ok(Some((head, module != c.predicate.module())));
    }
    let Some((f, _)) = m.term(head).callable() else {
        return Ok(None);
    };
    let p = target(m, module, f).map(|p| m.own(p).main());
    let same = p.is_some_and(|p| std::ptr::eq(p, c.predicate));
    Ok(same.then_some((head, false)))
}

/// Unifies an argument made ready by [`head_argument`] with a head.
fn unify_head(m: &mut Ctx, (arg, qualified): (Cell, bool), head: Cell, c: &Clause) -> Res {
    let head = if qualified {
        m.structure(":", &[Cell::atom(c.predicate.module()), head])?
    } else {
        head
    };
    Ok(m.unify(arg, head))
}

/// `clause(?Head, ?Body, +Reference)`.
pub(crate) fn clause_of(m: &mut Ctx, a: Args) -> Result<Step, Throw> {
    let Some(c) = referred(m, a, 2)? else {
        return Ok(Step::Fail);
    };
    let Some(arg) = head_argument(m, a, c)? else {
        return Ok(Step::Fail);
    };
    let head = m.heap.variable()?;
    let body = m.arg(a, 1);
    let holds = unify_clause(m, c, head, body)? && unify_head(m, arg, head, c)?;
    Ok(if holds { Step::Last } else { Step::Fail })
}

/// `instance(+Reference, ?Term)` of a clause.
pub(crate) fn instance(m: &mut Ctx, a: Args, c: Option<&'static Clause>) -> Res {
    let Some(c) = c else {
        return Ok(false);
    };
    let (head, body) = (m.heap.variable()?, m.heap.variable()?);
    if !unify_clause(m, c, head, body)? {
        return Ok(false);
    }
    let term = m.structure(":-", &[head, body])?;
    Ok(m.unify_arg(a, 1, term))
}

/// `erase(+Reference)` of a clause.
pub(crate) fn erase(m: &mut Ctx, a: Args, c: Option<&'static Clause>) -> Res {
    let Some(c) = c else {
        return Ok(false);
    };
    if !m.is_dynamic(c.predicate) {
        let reference = m.arg(a, 0);
        return Err(m.permission_error("clause", "erase", reference));
    }
    if !c.is_visible_to(&m.reader) {
        // What a transaction has erased it tells of still; to erase it again is nothing.
        return Ok(m.is_within(c.predicate));
    }
    m.erase_clause(c)
}

/// `nth_clause(:Head, ?N, ?Reference)`.
fn nth_clause(m: &mut Ctx, a: Args, state: Option<Cell>) -> Result<Step, Throw> {
    if let Some(s) = state {
        // SAFETY: the state made by `name_nth`, of raw cells; the generation in it keeps the list.
        let walk = unsafe {
            let raw = |i: usize| (*s.ptr().add(i)).payload();
            let at = raw(2) as usize;
            Walk {
                view: View {
                    list: &*(raw(1) as *const ClauseList),
                    from: at,
                    to: raw(3) as usize,
                    generation: raw(5),
                },
                at,
                number: raw(4) as i64,
            }
        };
        return name_nth(m, a, walk);
    }
    if !m.arg(a, 2).is_ref() {
        return number_of(m, a);
    }
    let (head, module) = m.strip_module(m.arg(a, 0), m.thread.modules.typein.get())?;
    let head = m.check_head(head)?;
    let Some((f, _)) = m.term(head).callable() else {
        return Ok(Step::Fail);
    };
    let number = m.arg(a, 1);
    let wanted = match m.view(a, 1).view() {
        samite_term::View::Int(n) => Some(n),
        _ if number.is_ref() => None,
        _ => return Err(m.type_error("integer", number)),
    };
    let p = target(m, module, f);
    m.recall(module, p)?;
    let Some(p) = p else {
        m.missed(f);
        return Ok(Step::Fail);
    };
    if p.has(flag::INCREMENTAL) {
        m.uses_all_clauses(p)?;
    }
    if p.has(flag::BUILTIN | flag::CONTROL) {
        return Ok(Step::Fail);
    }
    if !p.is_dynamic() && !m.shows_clauses(p) {
        let i = m.indicator_of(p)?;
        return Err(m.permission_error("access", "private_procedure", i));
    }
    let p = m.own(p);
    m.reader.enter();
    let view = p.view_of(&m.reader);
    let mut walk = Walk {
        view,
        at: view.find(view.from, ANY_KEY),
        number: 1,
    };
    let Some(wanted) = wanted else {
        return name_nth(m, a, walk);
    };
    while walk.at < view.to {
        if walk.number == wanted {
            let name = name_of(m, view.list.get(walk.at))?;
            m.unify_arg(a, 2, name);
            return Ok(Step::Last);
        }
        walk.number += 1;
        walk.at = view.find(walk.at + 1, ANY_KEY);
    }
    Ok(Step::Fail)
}

/// Where an enumeration is: the number of the clause at an index of the list.
struct Walk {
    view: View,
    at: usize,
    number: i64,
}

/// The solution of `nth_clause/3` that is the clause at `walk`.
fn name_nth(m: &mut Ctx, a: Args, walk: Walk) -> Result<Step, Throw> {
    let view = walk.view;
    if walk.at >= view.to {
        return Ok(Step::Fail);
    }
    let name = name_of(m, view.list.get(walk.at))?;
    m.unify_int(a, 1, walk.number)?;
    m.unify_arg(a, 2, name);
    let next = view.find(walk.at + 1, ANY_KEY);
    if next == view.to {
        return Ok(Step::Last);
    }
    let raw = |v: u64| Cell::header(Kind::Raw, v);
    let state = [
        raw(std::ptr::from_ref(view.list) as u64),
        raw(next as u64),
        raw(view.to as u64),
        raw(walk.number as u64 + 1),
        raw(view.generation),
    ];
    Ok(Step::More(m.heap.structure(nth_clauses_state(), &state)?))
}

/// `nth_clause(?Head, ?N, +Reference)`.
fn number_of(m: &mut Ctx, a: Args) -> Result<Step, Throw> {
    let Some(c) = referred(m, a, 2)? else {
        return Ok(Step::Fail);
    };
    let p: &'static Predicate = c.predicate;
    let at = (m.own(p).view_of(&m.reader).clauses()).position(|other| std::ptr::eq(other, c));
    let Some(at) = at else {
        return Ok(Step::Fail); // erased just now
    };
    let Some(arg) = head_argument(m, a, c)? else {
        return Ok(Step::Fail);
    };
    if !arg.0.is_ref() {
        let holds = m.unify_int(a, 1, at as i64 + 1)?;
        return Ok(if holds { Step::Last } else { Step::Fail });
    }
    let arguments = (0..p.arity())
        .map(|_| m.heap.variable())
        .collect::<Result<Vec<Cell>, _>>()?;
    let head = match arguments[..] {
        [] => Cell::atom(p.name()),
        [x, y] if p.functor() == Functor::new(atoms::DOT, 2) => m.heap.list_cell(x, y)?,
        _ => m.heap.structure(p.functor(), &arguments)?,
    };
    let holds = m.unify_int(a, 1, at as i64 + 1)? && unify_head(m, arg, head, c)?;
    Ok(if holds { Step::Last } else { Step::Fail })
}

/// `'$clause_properties'(+Reference, -Properties)`.
fn properties(m: &mut Ctx, a: Args) -> Res {
    let mut items = Vec::new();
    match referred(m, a, 0)? {
        None => items.push(Cell::atom(Atom::new("erased"))),
        Some(c) => {
            let p = c.predicate;
            let file = c.file();
            if file != atoms::NIL {
                items.push(m.structure("line_count", &[Cell::small(i64::from(c.line()))])?);
                items.push(m.structure("file", &[Cell::atom(c.text())])?);
                items.push(m.structure("source", &[Cell::atom(file)])?);
            }
            items.push(m.structure("size", &[Cell::small(c.bytes() as i64)])?);
            if !c.is_rule() {
                items.push(Cell::atom(Atom::new("fact")));
            }
            let indicator = m.indicator(p.functor())?;
            let module = Cell::atom(p.module());
            let qualified = m.structure(":", &[module, indicator])?;
            items.push(m.structure("predicate", &[qualified])?);
            items.push(m.structure("module", &[module])?);
        }
    }
    let list = m.heap.list(&items, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, list))
}
