//! What becomes of a goal that is to succeed without a choicepoint and did not ([`crate::engine::control::determinism`]).

use super::standing::owner;
use super::{Entry, det};
use crate::engine::control::determinism::UNDETERMINED;
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::internal::Looked;
use samite_code::Predicate;
use samite_code::instr::{self, Op};
use samite_code::predicate::flag;
use samite_term::{Atom, Cell, Functor, atoms};

pub const TABLE: &[Entry] = &[
    det(UNDETERMINED.0, UNDETERMINED.1, undetermined),
    det("$", 0, |_, _| Ok(true)),
];

/// An address that was made a term.
fn address(m: &Ctx, a: Args, i: usize) -> usize {
    let c = m.arg(a, i);
    if c.is_small() {
        c.small_value() as usize
    } else {
        0
    }
}

/// The predicate whose code is there; `None` if it is nobody's that is known.
fn predicate_at(m: &mut Ctx, at: usize) -> Option<&'static Predicate> {
    if at == 0 {
        return None;
    }
    // SAFETY: it was code when the machine came here, at once.
    let w = unsafe { *(at as *const u64) };
    match instr::op(w) {
        Op::Dynamic
        | Op::Builtin
        | Op::Nondet
        | Op::NondetNext
        | Op::Tabled
        | Op::Link
        | Op::NoRule
        | Op::Det => {
            // SAFETY: the operand is a predicate, which lives for ever.
            Some(unsafe { &*(*(at as *const u64).add(1) as *const Predicate) })
        }
        _ => owner(m, at),
    }
}

fn undetermined(m: &mut Ctx, a: Args) -> Res {
    let value = m.flag_atom(Atom::new("determinism_error"));
    let value = value.unwrap_or(atoms::ERROR);
    if value.as_str() == "silent" {
        return Ok(true);
    }
    let (found, kind, name) = (m.arg(a, 0), m.arg(a, 1), m.arg(a, 2));
    let at = address(m, a, 3);
    // (What fails in its stead where a safe point comes between, is nobody.)
    let called = predicate_at(m, at).filter(|p| p.functor() != Functor::new(atoms::FAIL, 0));
    let det = Cell::atom(Atom::new("det"));
    let (what, kind, of) = if kind == Looked::Goal.cell() {
        let goal = m.plain(name, called.map_or(atoms::USER, Predicate::module))?;
        let context = match called {
            Some(p) => m.shown_in_errors(p, true)?,
            None => {
                let meta = m.indicator(Functor::new(Atom::new("<meta-call>"), 1))?;
                m.structure(":", &[Cell::atom(atoms::SYSTEM), meta])?
            }
        };
        (goal, "goal", context)
    } else {
        // SAFETY: the address of a predicate, which lives for ever.
        let own: &'static Predicate = unsafe { &*(address(m, a, 2) as *const Predicate) };
        let nondet = found == Cell::atom(Atom::new("nondet"));
        // (A builtin that may have more solutions is not what was to have one.)
        let named = match called {
            Some(p) if nondet && p.has(flag::BUILTIN) => own,
            Some(p) => p,
            None => own,
        };
        let kind = match kind == Looked::Property.cell() {
            true => "property",
            false if std::ptr::eq(named, own) => "guard",
            false => "guard_in_caller",
        };
        // As where last calls keep their callers' frames.
        let debugs = m.flag_atom(Atom::new("debug")) == Some(atoms::TRUE);
        let shown = if debugs { own } else { named };
        let what = m.shown_in_errors(shown, false)?;
        (what, kind, m.shown_in_errors(called.unwrap_or(own), true)?)
    };
    let kind = Cell::atom(Atom::new(kind));
    let formal = m.structure("determinism_error", &[what, det, found, kind])?;
    let mut context = m.heap.variable()?;
    let warns = value.as_str() == "warning";
    if !warns {
        context = m.structure("context", &[of, context])?;
    }
    let error = m.structure("error", &[formal, context])?;
    if !warns {
        return Err(Throw::Term(error));
    }
    let warning = Cell::atom(Atom::new("warning"));
    let goal = m.structure("print_message", &[warning, error])?;
    let goal = m.structure(":", &[Cell::atom(atoms::SYSTEM), goal])?;
    Err(Throw::Rest(goal))
}

impl Ctx<'_> {
    /// A goal as it stands in a clause of the module.
    fn plain(&mut self, goal: Cell, of: Atom) -> Result<Cell, Throw> {
        let (plain, module) = self.strip_module(goal, of)?;
        Ok(if module == of { plain } else { goal })
    }
    /// A predicate's indicator, without a module that nobody needs to be told; whether `system` is told.
    fn shown_in_errors(&mut self, p: &'static Predicate, told: bool) -> Result<Cell, Throw> {
        let indicator = self.indicator(p.functor())?;
        let module = p.module();
        if module == atoms::USER || module == atoms::SYSTEM && !told {
            return Ok(indicator);
        }
        self.structure(":", &[Cell::atom(module), indicator])
    }
}
