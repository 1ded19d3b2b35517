//! Running: from where to go on to an outcome.
//!
//! The instructions themselves are in [`crate::engine::ops`]; this file holds the loop around them, which control predicates, errors and
//! internal points return to, and what the handlers share. Nothing here recurses on the native stack: control predicates set up
//! continuations and choicepoints and return an address to go on from.

use crate::engine::ctx::Nondet;
use crate::engine::going::{Go, Step, Stopped};
use crate::engine::ops;
use crate::engine::ops::unify::Unified;
use crate::engine::services::services;
use crate::engine::shadows::leading_somewhere;
use crate::engine::worker::{Args, Between, How, Pc, Worker};
use crate::error::Throw;
use crate::state::choice::{Choice, Saved};
use crate::state::frame::resume_of;
use crate::state::internal::{Internal, code};
use samite_code::index::{self, fail_code};
use samite_code::instr::{self, Op};
use samite_code::predicate::{Predicate, flag};
use samite_heap::unify::boxes_equal;
use samite_term::{Atom, Cell, Functor, Tag, atoms, order};
use std::sync::atomic::Ordering;

impl Worker {
    /// Where the query that was started goes on.
    pub(in crate::engine) fn started_goal(&mut self) -> Result<Go, Throw> {
        let (goal, module) = (self.register(0), self.thread.modules.typein.get());
        self.call_goal(goal, module)
    }

    /// Runs instructions until the query has an outcome, or something else is to be done before; see the module text.
    pub(in crate::engine) fn run(&mut self, start: Result<Go, Throw>) -> Stopped {
        let mut go = start;
        loop {
            let (pc, e) = match go {
                Ok(Go::Code(pc)) => (pc, std::ptr::null_mut()),
                Ok(Go::Enter(p)) => {
                    self.inferences += 1;
                    self.b0 = self.b;
                    if self.attention_wanted() {
                        match self.safe_point(p) {
                            Ok(Some(next)) => {
                                go = Ok(next);
                                continue;
                            }
                            Ok(None) => self.b0 = self.b,
                            Err(t) => {
                                go = Err(t);
                                continue;
                            }
                        }
                    }
                    if self.thread.depth.is_limited() {
                        match self.enter_deeper(p) {
                            Ok(Some(pc)) => (pc, std::ptr::null_mut()),
                            Ok(None) => {
                                go = Ok(Go::Fail);
                                continue;
                            }
                            Err(t) => {
                                go = Err(t);
                                continue;
                            }
                        }
                    } else {
                        (p.entry(), std::ptr::null_mut())
                    }
                }
                Ok(Go::Proceed) => {
                    if self.heap.has_woken() {
                        match self.wake_first() {
                            Ok(None) => {}
                            Ok(Some(next)) => {
                                go = Ok(next);
                                continue;
                            }
                            Err(t) => {
                                go = Err(t);
                                continue;
                            }
                        }
                    }
                    let e = self.k;
                    // SAFETY: K is a frame; at the bottom of every query there is one.
                    unsafe {
                        self.k = (*e.add(1)).frame();
                        (resume_of(*e), e)
                    }
                }
                Ok(Go::Fail) => {
                    self.failed = (std::ptr::null(), self.k);
                    (self.backtrack(), std::ptr::null_mut())
                }
                Ok(Go::Stop(outcome)) => return Stopped::Ended(outcome),
                Ok(Go::Leave(why)) => return Stopped::Left(why),
                Err(t) => {
                    go = self.unwind(t);
                    continue;
                }
            };
            let (h, k) = (self.heap.h(), self.k);
            // SAFETY: `pc` is code: an entry, a resume point or an alternative; the registers are this machine's.
            unsafe { ops::next(self, pc, h, k, e) };
            while let Some(at) = &self.between {
                // Word by word: what has just been stored so would be waited for if it were read, or moved, as a whole.
                let &Between { pc, h, k, e, how } = at;
                self.between = None;
                // SAFETY: as left by the previous handler.
                unsafe {
                    if matches!(how, How::Alone | How::Again) || self.is_tested_place(pc, how) {
                        self.run_alone(pc, h, k, e, how);
                    } else {
                        ops::HANDLERS[usize::from(*pc as u8)](self, pc, h, k, e);
                    }
                }
            }
            go = std::mem::replace(&mut self.went, Ok(Go::Fail));
            if let Some(p) = self.blamed.take() {
                go = match go {
                    Err(Throw::Interrupted) => self.interrupted(p),
                    Err(Throw::First(goal)) => self.run_before(p, goal),
                    Err(Throw::Rest(goal)) => self.call_goal(goal, atoms::SYSTEM),
                    Err(Throw::Memory) => self.call_again(p),
                    Err(t) => Err(self.add_context(t, p)),
                    fine => fine,
                };
            }
        }
    }
    /// Whether a goal is to run at the place `pc` although none was woken (`SAMITE_WAKE_STRESS`, in debug builds).
    ///
    /// # Safety
    /// `pc` is code.
    #[inline(always)]
    unsafe fn is_tested_place(&self, pc: Pc, how: How) -> bool {
        cfg!(debug_assertions)
            && self.program.wakes_everywhere.load(Ordering::Relaxed)
            && how == How::Straight
            // SAFETY: promised by the caller.
            && unsafe { *pc } & instr::PLACE != 0
    }

    /// Goes back to the newest choicepoint: undoes bindings, restores `H` and `K`; returns its alternative.
    #[inline(always)]
    pub(in crate::engine) fn backtrack(&mut self) -> *const u64 {
        let c = self.b;
        // SAFETY: the height was saved with the state that is being restored, and so was H; it is the newest choicepoint's.
        unsafe {
            self.heap.trail_mut().undo(c.trail());
            self.heap.reset_to(c.top());
            self.heap.set_hb(self.heap.h());
        }
        self.k = c.frame();
        c.alternative()
    }

    /// A call of a nondeterministic builtin, the first (`state` is `None`) or a later one, whose choicepoint is the newest.
    ///
    /// The first call runs with everything older than now trailed, so that a choicepoint for the state before it can still be
    /// pushed when it turns out to have more solutions.
    // (Its one caller is no handler, and what it returns is large.)
    #[inline(always)]
    pub(in crate::engine) fn nondet(
        &mut self,
        p: &'static Predicate,
        next: *const u64,
        state: Option<Cell>,
    ) -> Result<Go, Throw> {
        // SAFETY: registered as a nondeterministic builtin.
        let f = unsafe { std::mem::transmute::<usize, Nondet>(p.function()) };
        if state.is_some() {
            return self.nondet_again(p, f, state);
        }
        let n = p.arity();
        let (h, trail, hb) = (self.heap.h(), self.heap.trail().top(), self.heap.hb());
        // SAFETY: more is trailed than is needed.
        unsafe { self.heap.set_hb(h) };
        let step = f(self.ctx(), Args(0), None);
        let more = match step {
            Ok(Step::More(state)) => Some((state, h)),
            Ok(Step::Kept(state)) => Some((state, self.heap.h())),
            _ => None,
        };
        if let Some((state, top)) = more {
            let saved = Saved {
                alternative: next,
                top,
                trail,
                frame: self.k,
                barrier: self.b0,
            };
            let c = match self.choices.push(self.b, n + 1, saved) {
                Some(c) => c,
                None => self.push_grown(n + 1, saved)?,
            };
            for i in 0..n {
                // SAFETY: the choicepoint has `n + 1` arguments.
                unsafe { *c.arg(i) = self.register(i) };
            }
            // SAFETY: as above.
            unsafe { *c.arg(n) = state };
            self.set_b(c);
            return Ok(Go::Proceed);
        }
        // SAFETY: there is no choicepoint that was not there before.
        unsafe { self.heap.set_hb(hb) };
        match step {
            Ok(Step::Fail) => Ok(Go::Fail),
            Ok(_) => Ok(Go::Proceed),
            Err(Throw::Interrupted) => self.interrupted(p),
            Err(Throw::First(goal)) => self.run_before(p, goal),
            Err(Throw::Rest(goal)) => self.call_goal(goal, atoms::SYSTEM),
            Err(Throw::Memory) => {
                self.blamed = Some(p);
                Err(Throw::Memory)
            }
            Err(t) => Err(self.add_context(t, p)),
        }
    }

    fn nondet_again(
        &mut self,
        p: &'static Predicate,
        f: Nondet,
        state: Option<Cell>,
    ) -> Result<Go, Throw> {
        let n = p.arity();
        let b = self.b;
        match f(self.ctx(), Args(0), state) {
            Ok(Step::More(state)) => {
                // A choicepoint that a collection has scanned gets a new term: it must be scanned again.
                if b.is_scanned() && !state.is_immediate() {
                    self.b.clear_scanned();
                }
                // SAFETY: the choicepoint has `n + 1` arguments.
                unsafe { *b.arg(n) = state };
                Ok(Go::Proceed)
            }
            Ok(Step::Kept(state)) => {
                self.b.set_top(self.heap.h());
                self.b.clear_scanned();
                // SAFETY: as above.
                unsafe { *b.arg(n) = state };
                self.set_b(b);
                Ok(Go::Proceed)
            }
            Ok(Step::Last) => {
                self.pop_choice();
                Ok(Go::Proceed)
            }
            Ok(Step::Fail) => {
                self.pop_choice();
                Ok(Go::Fail)
            }
            Err(Throw::Interrupted) => {
                self.pop_choice();
                self.interrupted(p)
            }
            Err(t) => {
                self.pop_choice();
                Err(self.add_context(t, p))
            }
        }
    }

    /// Whether two terms are identical.
    #[inline]
    pub(crate) fn identical(&self, a: Cell, b: Cell) -> bool {
        let (a, b) = (self.deref(a), self.deref(b));
        if a == b {
            return true;
        }
        match (a.tag(), b.tag()) {
            (Tag::Lst, Tag::Lst) | (Tag::Str, Tag::Str) => {
                // SAFETY: nothing is collected or undone before the view was used for the last time.
                order::compare(unsafe { self.term(a) }, unsafe { self.term(b) })
                    == std::cmp::Ordering::Equal
            }
            // SAFETY: boxes of this heap.
            (Tag::Box, Tag::Box) => unsafe { boxes_equal(a, b) },
            _ => false,
        }
    }

    /// Whether two terms unify; leaves no bindings.
    pub(crate) fn unifiable(&mut self, a: Cell, b: Cell) -> bool {
        self.unifiable_or_awaited(a, b) != Unified::No
    }

    /// The same; whether goals are woken by it, and decide.
    pub(crate) fn unifiable_or_awaited(&mut self, a: Cell, b: Cell) -> Unified {
        let (da, db) = (self.deref(a), self.deref(b));
        if da == db {
            return Unified::Yes;
        }
        if da.is_ref() || db.is_ref() {
            let awaited = self.is_awaited(da) || self.is_awaited(db);
            return [Unified::Yes, Unified::Awaited][usize::from(awaited)];
        }
        if da.tag() != db.tag() || da.is_immediate() {
            return Unified::No;
        }
        // Everything must be trailed to be undone.
        let mark = self.heap.mark();
        let scanned = self.heap.trail().scanned();
        let holds = self.unify(da, db);
        let awaited = self.has_woken_goals();
        // SAFETY: undoing our own bindings.
        unsafe { self.heap.unbind(mark) };
        debug_assert!(self.heap.trail().scanned() <= scanned);
        match (holds, awaited) {
            (false, _) => Unified::No,
            (true, false) => Unified::Yes,
            (true, true) => Unified::Awaited,
        }
    }

    /// Whether goals wait for what a dereferenced cell is.
    fn is_awaited(&self, c: Cell) -> bool {
        // SAFETY: an unbound variable of this heap.
        c.is_ref() && unsafe { *c.ptr() }.tag() == Tag::Att
    }

    /// Cuts back to `to`. No cleanup handler is among what is cut off: see [`Worker::cleanup_above`].
    pub(in crate::engine) fn cut(&mut self, to: Choice) {
        let to = self.live_barrier(to);
        self.cut_live(to);
    }

    /// As [`Worker::cut`], to a choicepoint that is there.
    #[inline(always)]
    pub(in crate::engine) fn cut_live(&mut self, to: Choice) {
        if to >= self.b {
            return;
        }
        debug_assert!(
            self.cleanup_above(to).is_none(),
            "a cut drops a cleanup handler"
        );
        self.set_b(to);
    }

    /// Turns a choicepoint into a mere failure.
    pub(in crate::engine) fn soft_cut(&mut self, c: Choice) {
        if self.b == c {
            self.pop_choice();
        } else if c < self.b && c > self.thread.tabling.barrier {
            c.set_alternative(code(Internal::Dead));
        }
    }

    /// A goal as a view, with functor: for predicates about to be entered.
    pub(in crate::engine) fn goal_of(&mut self, p: &Predicate) -> Result<Cell, Throw> {
        let args: Vec<Cell> = (0..p.arity()).map(|i| self.register(i)).collect();
        if args.is_empty() {
            return Ok(Cell::atom(p.name()));
        }
        Ok(self
            .heap
            .structure(Functor::new(p.name(), args.len()), &args)?)
    }

    /// What a predicate with the entry of an undefined one has: code, that of failure if it is declared and has no clauses, or nothing. Whether its
    /// meta-arguments have been told their module.
    fn definition(&self, p: &'static Predicate, told: bool) -> Option<*const u64> {
        let flags = p.flags();
        if flags & flag::RELOADING != 0 {
            return self.reloading(p);
        }
        // It may have got its clauses since its entry was read. (The entry for everybody always leads somewhere where meta-arguments are told their
        // module: back to here, if there is nothing behind it.)
        let code = || match leading_somewhere(p.present_entry()) {
            Some(code) if told => code,
            Some(_) => p.entry(),
            None => fail_code(),
        };
        (flags & flag::DEFINED != 0).then(code)
    }

    /// A library's predicate without arguments that is about the module of the call (`meta_predicate(listing)`) is short for that with one, which says so.
    fn enter_for_module(&mut self, p: &'static Predicate, module: Atom) -> Result<Go, Throw> {
        let any = self.heap.variable()?;
        let of_module = self.structure(":", &[Cell::atom(module), any])?;
        self.set_register(0, of_module);
        let functor = Functor::new(p.name(), 1);
        Ok(Go::Enter(self.program.code.callee(p.module(), functor)))
    }

    /// Whether what is undefined there is meant by what it means itself, round a circle of imports and import modules. It asks what calls ask, of what is
    /// being loaded again too: who follows a circle never comes back.
    fn means_nothing(&self, p: &'static Predicate) -> bool {
        let is_there = |p: &'static Predicate| match p.has(flag::RELOADING) {
            true => self.reloading(p).is_some(),
            false => p.is_defined(),
        };
        let mut seen = vec![p];
        loop {
            let last = seen[seen.len() - 1];
            if is_there(last) || last.has(flag::LOADING) {
                return false;
            }
            match self.resolve(last.module(), last.functor()) {
                Some(next) if std::ptr::eq(next, last) => return false,
                Some(next) if seen.iter().any(|p| std::ptr::eq(*p, next)) => return true,
                Some(next) => seen.push(next),
                None => return false,
            }
        }
    }

    /// An undefined predicate was called: its definition elsewhere, failure (dynamic or declared), or an error.
    pub(in crate::engine) fn undefined(&mut self, p: &'static Predicate) -> Result<Go, Throw> {
        if p.has(flag::RELOADING)
            && p.is_wrapped()
            && let Some(wrapper) = self.program.wrappers.outermost(p)
        {
            self.qualify_own(p)?;
            return Ok(Go::Code(wrapper.entry()));
        }
        self.undefined_behind(p)
    }
    /// The same behind what wraps it.
    pub(in crate::engine) fn undefined_behind(
        &mut self,
        p: &'static Predicate,
    ) -> Result<Go, Throw> {
        if p.has(flag::RELOADING) {
            self.await_step();
        }
        let mut told = p.has(flag::RELOADING);
        if told {
            self.qualify_own(p)?;
        }
        let (mut loading, mut code) = (p.has(flag::LOADING), self.definition(p, told));
        if code == Some(fail_code()) {
            // Not while its kind changes.
            let _changes = p.lock();
            if !told && p.has(flag::RELOADING) {
                self.qualify_own(p)?;
                told = true;
            }
            (loading, code) = (p.has(flag::LOADING), self.definition(p, told));
        }
        if loading {
            return (services().call_unpublished)(self.ctx(), p);
        }
        if let Some(code) = code {
            return Ok(Go::Code(code));
        }
        if let Some(target) = self.resolve(p.module(), p.functor())
            && !std::ptr::eq(target, p)
            && !self.means_nothing(target)
        {
            let library = self.program.code.is_library(p.module());
            if !library {
                if p.module() != atoms::USER
                    && target.is_library()
                    && target.meta().is_some_and(<[u8]>::is_empty)
                {
                    return self.enter_for_module(target, p.module());
                }
                self.qualify(target, p.module())?;
                (services().bind_inherited)(self.ctx(), p, target);
            }
            if target.has(flag::LOADING) {
                return (services().call_unpublished)(self.ctx(), target);
            }
            // Libraries do not change once they are loaded: from now on the entry leads straight to them, unless some of the
            // arguments are to be told their module.
            let is_user = p.module() == atoms::USER && !target.is_about_module();
            let plain = is_user || library || target.meta().is_none();
            if target.is_library() && plain && !self.thread.loading.system {
                // SAFETY: entry code is at least one word.
                let unlinked = || instr::op(unsafe { *target.entry() }) == Op::Link;
                if unlinked() {
                    index::link(target);
                }
                if !unlinked() {
                    p.lead_to_library(target.entry());
                }
            }
            return Ok(Go::Code(target.entry()));
        }
        let import = self.seen_link(p);
        if p.has(flag::RELOADING)
            && let Some(import) = import
            && !std::ptr::eq(import, p)
            && !self.means_nothing(import)
        {
            self.qualify(import, p.module())?;
            return Ok(Go::Code(import.entry()));
        }
        if p.has(flag::RELOADING)
            && let Some(builtin) = self.program.code.find(atoms::SYSTEM, p.functor())
            && builtin.is_defined()
            && !builtin.has(flag::LOADING)
        {
            // What a file's own definition will hide.
            return Ok(Go::Code(builtin.entry()));
        }
        if let Some(go) = (services().autoload)(self.ctx(), p)? {
            return Ok(go);
        }
        self.missed(p.functor());
        let unknown = (services().unknown_in)(self.ctx(), p.module());
        if unknown == atoms::FAIL {
            return Ok(Go::Fail);
        }
        let indicator = self.indicator(p.functor())?;
        let culprit = match p.module() {
            atoms::USER => indicator,
            module => self.structure(":", &[Cell::atom(module), indicator])?,
        };
        let t = self.existence_error("procedure", culprit);
        let t = self.add_culprit_context(t, indicator);
        match t {
            Throw::Term(error) if self.has_exception_hook() => {
                let goal = self.goal_of(p)?;
                let goal = self.structure(":", &[Cell::atom(p.module()), goal])?;
                let kind = "undefined_predicate";
                let error = match unknown {
                    atoms::ERROR => error,
                    _ => self.structure("$warning", &[error])?,
                };
                let ask = self.ask_exception(kind, culprit, goal, error)?;
                self.call_goal(ask, atoms::SYSTEM)
            }
            Throw::Term(error) if unknown != atoms::ERROR => {
                let goal = self.structure("$warn_unknown", &[error])?;
                self.call_goal(goal, atoms::SYSTEM)
            }
            t => Err(t),
        }
    }

    /// Whether the program has a say in what is defined nowhere.
    pub(crate) fn has_exception_hook(&mut self) -> bool {
        let f = Functor::new(Atom::new("exception"), 3);
        let Some(p) = self.resolve(atoms::USER, f) else {
            return false;
        };
        let own = self.own(p);
        self.reader.enter();
        own.view_of(&self.reader).clauses().next().is_some()
    }

    /// The goal that asks `user:exception/3` what to do about an error, and does it. Of one in `'$warning'(_)` a warning is enough.
    pub(crate) fn ask_exception(
        &mut self,
        kind: &str,
        what: Cell,
        goal: Cell,
        error: Cell,
    ) -> Result<Cell, Throw> {
        let kind = Cell::atom(Atom::of(kind));
        self.structure("$ask_exception", &[kind, what, goal, error])
    }
}
