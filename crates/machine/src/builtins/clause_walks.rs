//! Looking for clauses: `clause/2,3`, `retract/1`, `retractall/1` (ISO 13211-1, 8.8, 8.9), under the logical update view.
//!
//! They walk a clause list like a call does, and find it by the same indexes; the state between solutions is a list of raw cells
//! `'$clauses'(List, Next, End, Generation)`, the generation last, where the reclaimer's scan looks for it.

use super::{Entry, det, nondet};
use crate::engine::ctx::Ctx;
use crate::engine::going::Step;
use crate::engine::walk::clauses_state;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_code::Predicate;
use samite_code::neck::Neck;
use samite_code::predicate::{Clause, ClauseList, flag};
use samite_code::view::{Call, Matches, View, matches};
use samite_term::view::Args as TermArgs;
use samite_term::{Atom, Cell, Functor, Kind, TermRef, View as TermView, atoms};

pub const TABLE: &[Entry] = &[
    nondet("clause", 2, |m, a, s| clause(m, a, s, Use::Read))
        .meta(":?")
        .core(),
    nondet("clause", 3, |m, a, s| {
        if s.is_none() && !m.arg(a, 2).is_ref() {
            return super::clause_refs::clause_of(m, a);
        }
        clause(m, a, s, Use::Name)
    })
    .meta(":??"),
    nondet("retract", 1, |m, a, s| clause(m, a, s, Use::Retract))
        .meta(":")
        .core(),
    det("retractall", 1, retractall).meta(":").core(),
];

/// What a walk over clauses is for.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    /// `clause/2`.
    Read,
    /// `clause/3` without a reference.
    Name,
    /// `retract/1`.
    Retract,
}

/// The third argument, which the body may have bound, is the clause's name.
fn unify_name(m: &mut Ctx, a: Args, c: &'static Clause) -> Res {
    let name = super::clause_refs::name_of(m, c)?;
    Ok(m.unify_arg(a, 2, name))
}

/// `clause/2`, `clause/3` without a reference, and `retract/1`. What a call sees it has found when it began: with a `state` the predicate is
/// not looked up again.
fn clause(m: &mut Ctx, a: Args, state: Option<Cell>, what: Use) -> Result<Step, Throw> {
    let retract = what == Use::Retract;
    let (neck, head, body, module) = if retract {
        let (t, module) = m.strip_module(m.arg(a, 0), m.thread.modules.typein.get())?;
        let (neck, left, body) = Neck::split(m.term(t));
        let body = body.map_or(Cell::atom(atoms::TRUE), TermRef::cell);
        let (head, guard) = neck.head_and_guard(left);
        let (neck, body) = m.guarded(neck, guard, body)?;
        let (head, module) = m.strip_module(head.cell(), module)?;
        (Some(neck), head, body, module)
    } else {
        let (head, module) = m.strip_module(m.arg(a, 0), m.thread.modules.typein.get())?;
        (None, head, m.arg(a, 1), module)
    };
    let head = m.check_head(head)?;
    if !retract && !body.is_ref() && !m.term(body).is_callable() {
        return Err(m.type_error("callable", body));
    }
    let Some((f, _)) = m.term(head).callable() else {
        return Ok(Step::Fail);
    };
    let used_by = |m: &mut Ctx| used(m, module, f, what);
    let (v, mut at) = match state {
        None => {
            let Some(p) = used_by(m)? else {
                return Ok(Step::Fail);
            };
            if retract && m.tells_of(p) {
                return Err(m.retract_told(p, head, body));
            }
            let p = m.own(p);
            m.reader.enter();
            match with_call(m, head, |call| matches(&m.reader, p, call)) {
                Matches::Nothing => return Ok(Step::Fail),
                Matches::One(c) => {
                    let taken = take(m, a, c, (neck, head, body), what)?;
                    if !taken && retract && is_taken_as_static(m, c) {
                        used_by(m)?;
                    }
                    return Ok(if taken { Step::Last } else { Step::Fail });
                }
                Matches::Some(v) => (v, with_call(m, head, |call| v.find_match(v.from, call))),
            }
        }
        Some(s) => {
            // SAFETY: the state made below.
            unsafe {
                let raw = |i: usize| (*s.ptr().add(i)).payload();
                let at = raw(2) as usize;
                let v = View {
                    list: &*(raw(1) as *const ClauseList),
                    from: at,
                    to: raw(3) as usize,
                    generation: raw(4),
                };
                (v, at)
            }
        }
    };
    while at < v.to {
        let c = v.list.get(at);
        let next = with_call(m, head, |call| v.find_match(at + 1, call));
        if take(m, a, c, (neck, head, body), what)? {
            if next == v.to {
                return Ok(Step::Last);
            }
            let raw = |v: u64| Cell::header(Kind::Raw, v);
            let s = m.heap.structure(
                clauses_state(),
                &[
                    raw(std::ptr::from_ref(v.list) as u64),
                    raw(next as u64),
                    raw(v.to as u64),
                    raw(v.generation),
                ],
            )?;
            return Ok(Step::More(s));
        }
        if retract && is_taken_as_static(m, c) {
            used_by(m)?;
        }
        at = next;
    }
    Ok(Step::Fail)
}

/// What is found out about a call with this head, whose arguments stay as they are meanwhile.
fn with_call<T>(m: &Ctx, head: Cell, find: impl FnOnce(&Call) -> T) -> T {
    let args = m.term(head).callable().map(|(f, args)| (f.arity(), args));
    let argument = |i| {
        args.as_ref()
            .map_or(Cell::NIL, |(_, args)| args.get(i).deref())
    };
    let arity = args.as_ref().map_or(0, |(n, _)| *n);
    // SAFETY: arguments of a term of this heap; nothing is bound or collected here.
    let call = unsafe { Call::new(arity, &argument) };
    find(&call)
}

/// Unifies head and body with a clause, and takes or names it, if that is what it is for. If not it leaves nothing behind.
fn take(
    m: &mut Ctx,
    a: Args,
    c: &'static Clause,
    (neck, head, body): (Option<Neck>, Cell, Cell),
    what: Use,
) -> Result<bool, Throw> {
    let retract = what == Use::Retract;
    if neck.is_some_and(|n| n != neck_of(m, c)) {
        return Ok(false);
    }
    if retract && !m.may_take(c) {
        return Ok(false);
    }
    let mark = m.heap.mark();
    if unify_clause(m, c, head, body)?
        && (what != Use::Name || unify_name(m, a, c)?)
        && (!retract || m.erase_clause(c)? || m.may_take(c))
    {
        m.heap.commit(mark);
        return Ok(true);
    }
    // SAFETY: all that was made is the copy of the clause, and only the bindings refer to it.
    unsafe { m.heap.rollback(mark) };
    Ok(false)
}

/// Whether a clause is gone because its predicate has become static.
fn is_taken_as_static(m: &Ctx, c: &'static Clause) -> bool {
    !m.may_take(c) && became_static(c.predicate)
}

/// The predicate whose clauses a call is to read or take; `None`: it has none.
fn used(
    m: &mut Ctx,
    module: Atom,
    f: Functor,
    what: Use,
) -> Result<Option<&'static Predicate>, Throw> {
    let retract = what == Use::Retract;
    let p = target(m, module, f);
    if !retract {
        m.recall(module, p)?;
    }
    let named = if retract {
        m.program.code.find(module, f)
    } else {
        None
    };
    if p.is_some_and(|p| retract && !p.is_library() && p.module() != module)
        && named.and_then(|p| m.means(p)).is_none()
    {
        // It is inherited, and nobody has called it here.
        return Ok(None);
    }
    if p.is_none() && named.is_some() {
        // What the module calls has clauses from now on, though none so far.
        let p = m.changeable(module, f)?;
        m.begin_dynamic(p)?;
    }
    let Some(p) = p else {
        m.missed(f);
        return Ok(None);
    };
    if p.has(flag::INCREMENTAL) {
        m.uses_all_clauses(p)?;
    }
    // With the flag `iso` no static ones (8.8.1.3), but for `clause/3`, which `listing/1` calls.
    let is_shown = |m: &Ctx| m.shows_clauses(p) && !(m.thread.arith.iso && what == Use::Read);
    if !m.is_dynamic(p) && (retract || !is_shown(m)) {
        let theirs = match p.has(flag::SYSTEM) {
            true => !p.has(flag::CORE) && p.module() != module,
            false => !m.is_fixed(p),
        };
        // The module may have one of this name, and has none.
        if retract && theirs {
            return Ok(None);
        }
        let i = m.shown_indicator(p)?;
        let (action, kind) = if retract {
            ("modify", "static_procedure")
        } else {
            ("access", "private_procedure")
        };
        return Err(m.permission_error(action, kind, i));
    }
    Ok(Some(p))
}

pub(crate) fn target(m: &Ctx, module: Atom, f: Functor) -> Option<&'static Predicate> {
    m.resolve(module, f)
}

/// The neck of a clause.
pub(crate) fn neck_of(m: &Ctx, c: &Clause) -> Neck {
    match m.clause_term(c) {
        Some(record) if c.is_one_sided() => {
            let root = record.root();
            let functor = record.words().get(root.address() as usize / 8);
            let neck = functor.and_then(|&f| Neck::of_functor(Functor::from_cell(Cell(f))));
            neck.unwrap_or(Neck::Commit)
        }
        _ => Neck::Plain,
    }
}

/// Unifies head and body of a stored clause.
pub(crate) fn unify_clause(m: &mut Ctx, c: &Clause, head: Cell, body: Cell) -> Result<bool, Throw> {
    let Some(record) = m.clause_term(c) else {
        return Ok(false);
    };
    let t = m.heap.instantiate_on_credit(record)?;
    let (h, b) = match m.term(t).callable() {
        Some((f, TermArgs::Compound(neck))) if Neck::of_functor(f).is_some() => {
            (neck.arg(0).cell(), neck.arg(1).cell())
        }
        _ => (t, Cell::atom(atoms::TRUE)),
    };
    Ok(m.unify(head, h) && m.unify(body, b))
}

fn retractall(m: &mut Ctx, a: Args) -> Res {
    let (head, module) = m.strip_module(m.arg(a, 0), m.thread.modules.typein.get())?;
    let head = m.check_head(head)?;
    let Some((f, _)) = m.term(head).callable() else {
        return Ok(false);
    };
    let p = m.changeable(module, f)?;
    if !m.is_dynamic(p) {
        m.begin_dynamic(p)?;
        return Ok(true);
    }
    if m.tells_of(p) {
        return Err(m.retractall_told(p, head));
    }
    let p = m.own(p);
    m.reader.enter();
    // What is most general matches every clause.
    let all = is_most_general(m, head);
    let erase = |m: &mut Ctx, c: &'static Clause| {
        if all {
            if !m.erase_clause(c)? && became_static(p) {
                m.changeable(module, f)?;
            }
            return Ok(());
        }
        let mark = m.heap.mark();
        let matches = match m.heap.variable() {
            Ok(body) => unify_clause(m, c, head, body),
            Err(e) => Err(e.into()),
        };
        // SAFETY: all that was made is the copy of the clause, and only the bindings refer to it.
        unsafe { m.heap.rollback(mark) };
        if matches? && !m.erase_clause(c)? && became_static(p) {
            m.changeable(module, f)?;
        }
        Ok::<(), Throw>(())
    };
    match with_call(m, head, |call| matches(&m.reader, p, call)) {
        Matches::Nothing => {}
        Matches::One(c) => erase(m, c)?,
        Matches::Some(v) => {
            let mut at = with_call(m, head, |call| v.find_match(v.from, call));
            while at < v.to {
                erase(m, v.list.get(at))?;
                at = with_call(m, head, |call| v.find_match(at + 1, call));
            }
        }
    }
    Ok(true)
}

/// Whether the arguments of a head are different variables without attributes. (Of many nobody asks: the comparison is of each with each.)
fn is_most_general(m: &Ctx, head: Cell) -> bool {
    const MOST: usize = 16;
    let Some((f, args)) = m.term(head).callable() else {
        return false;
    };
    f.arity() <= MOST
        && (0..f.arity()).all(|i| {
            let a = args.get(i);
            matches!(a.view(), TermView::Var(_)) && (0..i).all(|j| args.get(j).deref() != a.deref())
        })
}

/// Where another thread has erased a clause of a dynamic predicate: whether that was because it is static now, and has a copy of it.
fn became_static(p: &'static Predicate) -> bool {
    // The clauses are exchanged first, then it is static: with its lock free, both.
    let _both = p.lock();
    !p.is_dynamic()
}
