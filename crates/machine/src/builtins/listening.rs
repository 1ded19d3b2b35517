//! Events that goals are called at (`prolog_listen/2,3`). The listeners are known to `library(listening)`; here is what a change of a predicate that
//! somebody listens to leaves behind ([`Throw::Rest`]): a goal that calls them, with the change around it.
//!
//! A clause that is added is there before its listeners hear of it, and taken away again if one of them fails or raises an exception; one that is erased is
//! still there when they hear of it, and stays in that case. So `assertz/1` and its kin add first and leave `added/5` behind, while `retract/1`,
//! `retractall/1` and `erase/1` have done nothing when they leave theirs.

use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::told::Told;
use samite_code::Predicate;
use samite_code::predicate::Clause;
use samite_term::{Atom, Cell, Functor, Handle, atoms};

pub const TABLE: &[Entry] = &[
    det("$listened", 5, listened),
    det("$tells", 2, tells),
    // '$listening'(+Goal): a goal of library(listening).
    det("$listening", 1, |m, a| {
        let goal = m.arg(a, 0);
        let goal = m.of_library(goal)?;
        Err(Throw::Rest(goal))
    }),
    // '$erase'(+Reference): as erase/1, and nobody is told.
    det("$erase", 1, super::records::erase_untold),
];

/// A goal that is left behind, and the variable in it that is to be the name of the clause.
pub(super) struct Telling {
    goal: Cell,
    name: Cell,
}

/// What a builtin returns that leaves this goal behind, if any.
pub(super) fn left(goal: Option<Cell>) -> Res {
    goal.map_or(Ok(true), |goal| Err(Throw::Rest(goal)))
}

impl Ctx<'_> {
    /// A goal about a predicate, made before anything is changed: Name, Module and Arity, then these arguments.
    fn goal_about(&mut self, name: &str, p: &Predicate, last: &[Cell]) -> Result<Cell, Throw> {
        let f = p.functor();
        let (module, arity) = (Cell::atom(p.module()), Cell::small(f.arity() as i64));
        let mut args = vec![Cell::atom(f.name()), module, arity];
        args.extend_from_slice(last);
        let goal = self.structure(name, &args)?;
        self.of_library(goal)
    }
    /// A goal of `library(listening)`.
    fn of_library(&mut self, goal: Cell) -> Result<Cell, Throw> {
        // (A program may have a module of that name.)
        let named = Atom::new("listening");
        let module = self.program.code.inheritance.library_module(named);
        self.structure(":", &[Cell::atom(module), goal])
    }
    /// What erasing a record leaves behind.
    #[cold]
    pub(super) fn erase_record_told(&mut self, name: Cell) -> Throw {
        let goal = self.structure("erase_record", &[name]);
        let goal = goal.and_then(|goal| self.of_library(goal));
        goal.map_or_else(|t| t, Throw::Rest)
    }
    /// If somebody listens to the predicate: what adding a clause is to leave behind.
    #[inline]
    pub(super) fn telling_of(
        &mut self,
        p: &Predicate,
        at_end: bool,
    ) -> Result<Option<Telling>, Throw> {
        match self.tells_of(p) {
            true => self.telling(p, at_end).map(Some),
            false => Ok(None),
        }
    }
    /// The goal that is left when the clause has been added.
    #[inline]
    pub(super) fn told_of(
        &mut self,
        telling: Option<Telling>,
        name: Option<Handle>,
    ) -> Option<Cell> {
        let (
            Telling {
                goal,
                name: variable,
            },
            name,
        ) = telling.zip(name)?;
        self.unify(variable, Cell::of_handle(name));
        Some(goal)
    }
    #[cold]
    fn telling(&mut self, p: &Predicate, at_end: bool) -> Result<Telling, Throw> {
        let name = self.heap.variable()?;
        let action = if at_end { "assertz" } else { "asserta" };
        let action = Cell::atom(Atom::new(action));
        let goal = self.goal_about("added", p, &[action, name])?;
        Ok(Telling { goal, name })
    }
    /// What `retract/1` leaves behind.
    #[cold]
    pub(super) fn retract_told(&mut self, p: &Predicate, head: Cell, body: Cell) -> Throw {
        let made = self.qualified(p, head);
        let made = made.and_then(|head| self.goal_about("retract_told", p, &[head, body]));
        made.map_or_else(|t| t, Throw::Rest)
    }
    /// What `retractall/1` leaves behind.
    #[cold]
    pub(super) fn retractall_told(&mut self, p: &Predicate, head: Cell) -> Throw {
        let made = self.qualified(p, head);
        let made = made.and_then(|head| self.goal_about("retractall_told", p, &[head]));
        made.map_or_else(|t| t, Throw::Rest)
    }
    fn qualified(&mut self, p: &Predicate, head: Cell) -> Result<Cell, Throw> {
        let colon = Functor::new(atoms::COLON, 2);
        let parts = [Cell::atom(p.module()), head];
        Ok(self.heap.structure(colon, &parts)?)
    }
    /// What `erase/1` leaves behind for a clause, if somebody listens.
    pub(super) fn erase_told(&mut self, c: &Clause, name: Cell) -> Result<Option<Cell>, Throw> {
        if !self.program.told.is(Told::CHANGES) {
            return Ok(None);
        }
        // (Of a thread's own copy of a predicate the shared one is asked.)
        let of = c.predicate;
        match self.program.code.find(of.module(), of.functor()) {
            Some(p) if self.tells_of(p) => self.goal_about("erase_clause", p, &[name]).map(Some),
            _ => Ok(None),
        }
    }
}

/// `'$listened'(:Spec, +IsTold, -Name, -Module, -Arity)`: the predicate that Spec, `Name/Arity`, `Name//Arity` or a head, is about, which its changes are told
/// of from now on, or not any more.
fn listened(m: &mut Ctx, a: Args) -> Res {
    let (t, module) = m.strip_module(m.arg(a, 0), m.thread.modules.typein.get())?;
    let f = match m.term(t).callable() {
        Some((f, _)) if f.arity() == 2 && matches!(f.name(), atoms::SLASH | atoms::INT_DIV) => {
            m.functor_of_indicator(t)?
        }
        Some((f, _)) => f,
        None if t.is_ref() => return Err(m.instantiation_error()),
        None => return Err(m.type_error("callable", t)),
    };
    let p = m.predicate_of(module, f)?;
    let p = m.means(p).unwrap_or(p);
    let is_told = m.view(a, 1).as_atom() == Some(atoms::TRUE);
    if is_told {
        m.program.told.set(Told::CHANGES, true);
    }
    p.be_listened_to(is_told);
    let f = p.functor();
    Ok(m.unify_atom(a, 2, f.name())
        && m.unify_atom(a, 3, p.module())
        && m.unify_int(a, 4, f.arity() as i64)?)
}

/// `'$tells'(+Channel, +IsTold)`: somebody listens to it from now on, or nobody any more.
fn tells(m: &mut Ctx, a: Args) -> Res {
    let is_told = m.view(a, 1).as_atom() == Some(atoms::TRUE);
    let kind = match m.view(a, 0).as_atom() {
        Some(channel) if channel == Atom::new("erase") => Told::ERASED,
        Some(channel) if channel == Atom::new("thread_exit") => Told::EXITS,
        _ => return Ok(true),
    };
    m.program.told.set(kind, is_told);
    Ok(true)
}
