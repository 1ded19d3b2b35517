//! Goals within a limit of depth: `'$within_depth'(Goal, Most, Result)`, of which `call_with_depth_limit/3` is made.
//!
//! The goal is at level 1, and what a clause calls is one level below the call that the clause is for, last calls as others. While there is a limit every
//! call is a safe point ([`Worker::arm`]), and [`Worker::enter_deeper`] puts a frame `Deeper` with its level below it: the level of whoever calls is that
//! of the nearest such frame in K, so neither backtracking nor a return has anything to restore.
//!
//! Programs' clauses run by their terms then, goal by goal, whether they have code or not: what code does in place, as arithmetic, counts as the call
//! that it is in the text. Libraries run as ever, and what their code does in place has no level.
//!
//! A limit belongs to a choicepoint `DepthLimited`, which holds the one around it, and ends with it or when the goal succeeds. A goal that may have more
//! solutions leaves `DepthAgain`, which puts the limit back in force and fails: what is reached for the
//! next one is counted from there.

use crate::engine::control::calling::has_goals;
use crate::engine::going::Go;
use crate::engine::worker::{Args, Worker};
use crate::error::Throw;
use crate::state::depth::Depth;
use crate::state::frame::resume_of;
use crate::state::internal::{Internal, cells, code};
use samite_code::predicate::{Predicate, flag};
use samite_term::{Atom, Cell, Functor, atoms};

/// Whether a goal of this name has no level of its own: `call/N`, whose goal takes its place, and what SWI-Prolog compiles in place.
fn is_level(f: Functor) -> bool {
    let name = f.name().as_str();
    !match f.arity() {
        0 => matches!(name, "true" | "fail" | "false" | "!"),
        1 => matches!(
            name,
            "var"
                | "nonvar"
                | "atom"
                | "atomic"
                | "integer"
                | "float"
                | "number"
                | "rational"
                | "compound"
                | "callable"
                | "string"
        ),
        2 => matches!(name, "=" | "==" | "\\=="),
        _ => false,
    } && !is_call(f)
}

fn is_call(f: Functor) -> bool {
    f.arity() > 0 && f.name() == atoms::CALL
}

fn is_repeat(p: &Predicate) -> bool {
    p.module() == atoms::SYSTEM && p.functor().arity() == 0 && p.name().as_str() == "repeat"
}

impl Worker {
    /// `'$within_depth'/3`: calls a goal within so many levels; the deepest that it has come to, or `depth_limit_exceeded`.
    pub(in crate::engine) fn within_depth(&mut self) -> Result<Go, Throw> {
        let (goal, result) = (self.register(0), self.register(2));
        let most = u64::try_from(self.ctx().int_arg(Args(0), 1)?).unwrap_or(0);
        let typein = self.thread.modules.typein.get();
        let (plain, _) = self.strip_module(goal, typein)?;
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        let functor = unsafe { self.term(plain) }.callable().map(|(f, _)| f);
        let [outer, reached] = self.thread.depth.cells();
        let c = self.push_alternative(cells::DepthLimited {
            outer,
            reached,
            result,
        })?;
        let choicepoint = self.choices.offset(c);
        self.push(cells::DepthExit {
            choicepoint,
            outer,
            reached,
            result,
        })?;
        self.thread.depth = Depth::within(most);
        self.arm();
        // What is called as a term is at level 1, whatever it is; a construct is a clause that is made of it, which is always entered.
        if let Some(f) = functor.filter(|&f| has_goals(f) || !is_level(f)) {
            self.thread.depth.reach(1);
            if most == 0 && !has_goals(f) {
                return Ok(Go::Fail);
            }
            self.push(cells::Deeper {
                level: Cell::small(1),
            })?;
        }
        self.call_goal(goal, typein)
    }

    /// The goal of `'$within_depth'/3` has no more solutions.
    pub(in crate::engine) fn depth_limited(&mut self, f: cells::DepthLimited) -> Go {
        let exceeded = self.thread.depth.is_exceeded();
        self.pop_choice();
        self.depth_again([f.outer, f.reached]);
        if exceeded && self.unify(f.result, Cell::atom(Atom::new("depth_limit_exceeded"))) {
            Go::Proceed
        } else {
            Go::Fail
        }
    }

    /// It succeeded.
    pub(in crate::engine) fn depth_exit(&mut self, f: cells::DepthExit) -> Result<Go, Throw> {
        let [most, _] = self.thread.depth.cells();
        let used = self.thread.depth.reached().max(1);
        let c = self.choices.at(f.choicepoint);
        // (Of what was suspended the limit has ended then. Of a continuation that was called again the choicepoint may be gone, and something else in
        // its place.)
        if !self.thread.tabling.is_gone(c) {
            if self.b == c && c.alternative() == code(Internal::DepthLimited) {
                self.pop_choice();
            } else {
                self.push_alternative(cells::DepthAgain { most })?;
            }
            self.depth_again([f.outer, f.reached]);
        }
        Ok(match self.unify(f.result, Cell::small(used as i64)) {
            true => Go::Proceed,
            false => Go::Fail,
        })
    }

    /// The limit that is in a choicepoint or frame is in force.
    pub(in crate::engine) fn depth_again(&mut self, cells: [Cell; 2]) {
        self.thread.depth = Depth::of(cells);
        self.arm();
    }

    /// The level of what runs; `None`: it is no part of the goal, but has come in between, as the loading of a library, the handler of a signal, or
    /// that of a cleanup: what gives a resource back is not abandoned half way.
    fn level(&self) -> Option<u64> {
        let mut frame = self.k;
        while !frame.is_null() {
            // SAFETY: K and what is below it are frames; the one of a level holds it.
            unsafe {
                let at = resume_of(*frame);
                if at == code(Internal::Deeper) {
                    return Some((*frame.add(2)).small_value() as u64);
                }
                if at == code(Internal::DepthExit) {
                    return Some(0);
                }
                if at == code(Internal::Interrupted) || self.is_of_handler(frame) {
                    return None;
                }
                frame = (*frame.add(1)).frame();
            }
        }
        None
    }

    /// Whether the frame is the one below a cleanup handler, or below what else is run for its effect alone: its choicepoint says so.
    ///
    /// # Safety
    /// It is a frame in K.
    unsafe fn is_of_handler(&self, frame: *const Cell) -> bool {
        // SAFETY: of frames of these kinds the first slot is the offset of a choicepoint.
        unsafe {
            let at = resume_of(*frame);
            if at != code(Internal::AtomicExit) && at != code(Internal::QuietExit) {
                return false;
            }
            let c = self.choices.at(*frame.add(2));
            // (Of a continuation that was called again the choicepoint may be gone.)
            c <= self.b && c.alternative() == code(Internal::HandlerFailed)
        }
    }

    /// Whether the first argument is a control construct, which is called as a clause made of it.
    fn is_construct(&mut self) -> bool {
        let goal = self.register(0);
        let plain = self.strip_module(goal, atoms::USER).map(|(t, _)| t);
        plain.is_ok_and(|t| {
            // SAFETY: nothing is collected or undone before the view was used for the last time.
            let t = unsafe { self.term(t) };
            t.callable().is_some_and(|(f, _)| has_goals(f))
        })
    }

    /// Where there is a limit of depth: the code of a predicate that is called, its arguments in the registers; `None`: it is too deep.
    #[cold]
    pub(in crate::engine) fn enter_deeper(
        &mut self,
        p: &'static Predicate,
    ) -> Result<Option<*const u64>, Throw> {
        let means = match p.is_defined() {
            true => p,
            false => self.resolve(p.module(), p.functor()).unwrap_or(p),
        };
        let is_part = means.has(flag::CONTROL) && means.name().as_str() == "$body";
        let construct = means.has(flag::CONTROL) && is_call(means.functor()) && self.is_construct();
        if !construct && (is_part || (means.has(flag::BUILTIN) && !is_level(means.functor()))) {
            return Ok(Some(p.entry()));
        }
        let Some(level) = self.level().map(|n| n + 1) else {
            return Ok(Some(p.entry()));
        };
        if !self.thread.depth.reach(level) {
            return Ok(None);
        }
        // A builtin calls nothing; what is not there yet is called again when it is.
        let is_leaf = means.has(flag::BUILTIN) && !means.has(flag::CONTROL);
        // (`repeat/0` calls itself, and is a builtin elsewhere.)
        let is_leaf = is_leaf || is_repeat(means);
        if is_leaf || !means.is_defined() {
            return Ok(Some(p.entry()));
        }
        self.push(cells::Deeper {
            level: Cell::small(level as i64),
        })?;
        let other = flag::BUILTIN | flag::TABLED | flag::RELOADING | flag::LOADING;
        if means.has(other) || means.is_library() || means.meta().is_some() {
            return Ok(Some(p.entry()));
        }
        if means.has(flag::INCREMENTAL) {
            self.uses_clauses(means)?;
        }
        if means.has(flag::DET) {
            self.enter_det(means)?;
        }
        self.enter_by_terms(means)
    }
}
