//! Control: the predicates that the machine itself runs, and what their frames and choicepoints do.
//!
//! Everything here sets up frames and choicepoints and says where the loop goes next; see [`crate::state::internal`] for what they hold.

mod calling;
mod cleanup;
mod contexts;
mod continuations;
pub(in crate::engine) mod depth;
pub(crate) mod determinism;
mod engines;
pub(crate) mod exceptions;
mod limited;
pub(crate) mod redirection;
pub(crate) mod safe_points;
pub(crate) mod undo;
pub(crate) mod wakeup;

use crate::engine::going::{Go, Outcome, Wish};
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::choice::is_marked_gone;
use crate::state::internal::{Frame, Internal, Once, cells};
use crate::state::results::Results;
use crate::state::tabling::schedule::is_catch;
use samite_code::Predicate;
use samite_code::compile::{AT_MODULE, CALL_IN_CONTEXT, IN_CONTEXT, whole};
use samite_term::{Atom, Cell, Functor, Record, atoms, growth};

/// Control predicates, in the order of their numbers in `Op::Control`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// `call/N`.
    Call,
    /// `catch/3`.
    Catch,
    /// `'$findall'(Template, Goal, List, Tail)`.
    Findall,
    /// `catch/3` of the toplevel, which stops even an abort.
    CatchAll,
    /// `setup_call_cleanup/3`, `setup_call_catcher_cleanup/4`.
    Cleanup,
    /// `sig_atomic/1`.
    Atomic,
    /// `'$unmasked'(Goal)`, within that.
    Unmasked,
    /// `with_mutex/2`.
    WithMutex,
    /// `'$output_of'(Goal, Column, Text)`, `'$output_to'(Goal, Stream)`.
    Redirect,
    /// `'$within_inferences'(Goal, Inferences, Left)`.
    Limited,
    /// `'$within_depth'/3`.
    Depth,
    /// `'$within_transaction'(Goal, Depth)`.
    Transaction,
    /// `'$body'(Body, Barrier, Module)`: the body of a clause that is not compiled.
    Body,
    /// Goals that are control constructs: `,/2`, `;/2`, `->/2`, `*->/2`, `\+/1`, `:/2` called as predicates.
    Construct,
    /// `$/1`.
    Det,
    /// `throw/1`.
    Throw,
    /// `reset/3`.
    Reset,
    /// `shift/1` and `shift_for_copy/1`.
    Shift,
    /// `call_continuation/1`.
    CallContinuation,
    /// `engine_next/2`, `engine_next_reified/2`, `engine_post/3`, `engine_destroy/1`.
    Engine(Wish),
    /// `engine_yield/1`.
    Yield,
    /// `tnot/1`.
    Tnot,
    /// `'$tabled_as_is'/1`.
    TabledAsIs,
    /// `@/2`, `'$in_context'/1`, `'$call_in_context'/1`, `'$told'/2`, `'$wrapped'/2`: see [`contexts`].
    AtModule,
    InContext,
    CallInContext,
    Told,
    Wrapped,
}

/// A control predicate: its name, what it does, its meta-arguments (as many as it has arguments).
pub(crate) struct ControlRow {
    pub name: &'static str,
    which: Control,
    pub meta: &'static str,
    /// Programs cannot define one of this name.
    pub core: bool,
}

const fn row(name: &'static str, which: Control, meta: &'static str) -> ControlRow {
    ControlRow {
        name,
        which,
        meta,
        core: false,
    }
}

const fn core(name: &'static str, which: Control, meta: &'static str) -> ControlRow {
    ControlRow {
        core: true,
        ..row(name, which, meta)
    }
}

pub(crate) const CONTROLS: &[ControlRow] = &[
    core("call", Control::Call, "0"),
    core("call", Control::Call, "1?"),
    core("call", Control::Call, "2??"),
    core("call", Control::Call, "3???"),
    core("call", Control::Call, "4????"),
    core("call", Control::Call, "5?????"),
    core("call", Control::Call, "6??????"),
    core("call", Control::Call, "7???????"),
    core("call", Control::Call, "8????????"),
    core("call", Control::Call, "9?????????"),
    core("catch", Control::Catch, "0?0"),
    row("$findall", Control::Findall, "?0??"),
    row("$catch_all", Control::CatchAll, "0?0"),
    row("setup_call_cleanup", Control::Cleanup, "000"),
    row("setup_call_catcher_cleanup", Control::Cleanup, "00?0"),
    row("sig_atomic", Control::Atomic, "0"),
    row("$unmasked", Control::Unmasked, "0"),
    core("with_mutex", Control::WithMutex, "?0"),
    row("$output_of", Control::Redirect, "0??"),
    row("$output_to", Control::Redirect, "0?"),
    row("$within_inferences", Control::Limited, "0??"),
    row("$within_depth", Control::Depth, "0??"),
    row("$within_transaction", Control::Transaction, "0?"),
    core(",", Control::Construct, "00"),
    core(";", Control::Construct, "00"),
    row("|", Control::Construct, "00"),
    core("->", Control::Construct, "00"),
    row("*->", Control::Construct, "00"),
    core("\\+", Control::Construct, "0"),
    // With a module that was not known where it stands.
    row(":", Control::Construct, "??"),
    row("$", Control::Det, "0"),
    core("throw", Control::Throw, "?"),
    row("reset", Control::Reset, "0??"),
    row("shift", Control::Shift, "?"),
    row("shift_for_copy", Control::Shift, "?"),
    row("call_continuation", Control::CallContinuation, "?"),
    row("engine_next", Control::Engine(Wish::Next), "??"),
    row("engine_next_reified", Control::Engine(Wish::Reified), "??"),
    row("engine_post", Control::Engine(Wish::Next), "???"),
    row("engine_destroy", Control::Engine(Wish::End), "?"),
    row("engine_yield", Control::Yield, "?"),
    row("tnot", Control::Tnot, "0"),
    row("$tabled_as_is", Control::TabledAsIs, "0"),
    row(whole::BODY.0, Control::Body, "???"),
    row(AT_MODULE, Control::AtModule, "0?"),
    row(IN_CONTEXT, Control::InContext, "m"),
    row(CALL_IN_CONTEXT, Control::CallInContext, "?"),
    row("$told", Control::Told, "0?"),
    row("$wrapped", Control::Wrapped, "??"),
];

impl Worker {
    /// A control predicate was called; its arguments are in the registers.
    // (Its one caller hands the result on.)
    #[inline(always)]
    pub(in crate::engine) fn control(
        &mut self,
        number: usize,
        p: &'static Predicate,
    ) -> Result<Go, Throw> {
        let which = CONTROLS[number].which;
        let module = self.thread.modules.typein.get();
        match which {
            Control::Call => self.call_n(p.arity()),
            Control::Body => {
                let (goal, barrier) = (self.register(0), self.register(1));
                let module = self.deref(self.register(2)).atom_of();
                self.call_body(goal, barrier, module)
            }
            Control::Construct => {
                let goal = self.goal_of(p)?;
                self.call_goal(goal, module)
            }
            Control::Det => {
                let goal = self.register(0);
                self.look_at_goal(goal)?;
                self.call_goal(goal, module)
            }
            Control::Throw => {
                let ball = self.deref(self.register(0));
                if ball.is_ref() {
                    return Err(self.instantiation_error());
                }
                // As a record: users' own exceptions get no context.
                Err(Throw::Record(Box::new(self.record_of_ball(ball)?)))
            }
            Control::Reset => self.reset_continuation(),
            Control::Shift => self.shift(p),
            Control::CallContinuation => self.call_continuation(),
            Control::Catch | Control::CatchAll => {
                let (goal, catcher, recovery) =
                    (self.register(0), self.register(1), self.register(2));
                let masks = self.thread.events.masks.cell();
                let c = if which == Control::Catch {
                    self.push_alternative(cells::Catch {
                        catcher,
                        recovery,
                        masks,
                    })?
                } else {
                    self.push_alternative(cells::CatchAll {
                        catcher,
                        recovery,
                        masks,
                    })?
                };
                let choicepoint = self.choices.offset(c);
                self.push(cells::CatchExit {
                    choicepoint,
                    catcher,
                    recovery,
                })?;
                self.call_goal(goal, module)
            }
            Control::Findall => {
                let (template, goal) = (self.register(0), self.register(1));
                let (list, tail) = (self.register(2), self.register(3));
                let number = self.new_results(list, tail)?;
                self.push(cells::Collect { template, number })?;
                self.call_goal(goal, module)
            }
            Control::Cleanup => self.set_up(p),
            Control::Atomic => self.atomic(true),
            Control::Unmasked => self.atomic(false),
            Control::WithMutex => self.with_mutex(p),
            Control::Redirect => self.redirect(p),
            Control::Limited => self.limited(),
            Control::Depth => self.within_depth(),
            Control::Transaction => {
                let (goal, depth) = (self.register(0), self.register(1));
                self.push(cells::TransactionExit { depth })?;
                self.call_goal(goal, module)
            }
            Control::Engine(what) => self.ask_engine(p, what),
            Control::Yield => self.yield_answer(),
            Control::Tnot => self.tnot(),
            Control::TabledAsIs => self.tabled_as_is(),
            Control::AtModule => self.at_module(),
            Control::InContext => self.in_context(),
            Control::CallInContext => self.call_in_context(),
            Control::Told => self.told(),
            Control::Wrapped => self.call_wrapped(),
        }
    }

    // --- resume points and alternatives ---

    /// An `Internal` instruction: `e` is the frame returned to, if it is a resume point.
    // (Its one caller hands the result on.)
    #[inline(always)]
    pub(in crate::engine) fn internal(
        &mut self,
        point: Internal,
        e: *mut Cell,
    ) -> Result<Go, Throw> {
        // Before a catch is left.
        if self.attention_wanted()
            && (self.heap.was_starved() || crate::engine::given_up::has_given_up())
        {
            return Err(Throw::Memory);
        }
        /// What the frame `e` holds.
        ///
        /// # Safety
        /// It is one of this kind.
        unsafe fn held<F: Frame>(e: *mut Cell) -> F {
            // SAFETY: promised by the caller.
            F::read(|i| unsafe { *e.add(2 + i) })
        }
        let b = self.b;
        match point {
            Internal::Solution => {
                // SAFETY: the frame of this point.
                let f: cells::Solution = unsafe { held(e) };
                let bottom = self.choices.at(f.mark);
                if let Some(go) = self.cut_before(bottom, e)? {
                    return Ok(go);
                }
                self.cut(bottom);
                self.k = e;
                Ok(Go::Stop(Outcome::True))
            }
            Internal::NoMore => Ok(Go::Stop(Outcome::False)),
            Internal::EngineAnswer => {
                // SAFETY: the frame of this point.
                let f: cells::EngineAnswer = unsafe { held(e) };
                self.engine_answer(f)
            }
            Internal::EngineEnd => {
                // SAFETY: the frame of this point.
                let f: cells::EngineEnd = unsafe { held(e) };
                if let Some(go) = self.leave_for_good(self.choices.at(f.mark), e)? {
                    return Ok(go);
                }
                self.k = e;
                Ok(Go::Stop(Outcome::True))
            }
            Internal::Conjunction => {
                // SAFETY: the frame of this point.
                let f: cells::Conjunction = unsafe { held(e) };
                self.call_body(f.goal, f.barrier, f.module.atom_of())
            }
            Internal::Then => {
                // SAFETY: the frame of this point.
                let f: cells::Then = unsafe { held(e) };
                let to = self.choices.at(f.mark);
                self.decided(to)?;
                if let Some(go) = self.condition_before(to, e)? {
                    return Ok(go);
                }
                self.cut(to);
                self.call_body(f.goal, f.barrier, f.module.atom_of())
            }
            Internal::SoftThen => {
                // SAFETY: the frame of this point.
                let f: cells::SoftThen = unsafe { held(e) };
                if !is_marked_gone(f.mark) {
                    let c = self.choices.at(f.mark);
                    self.decided(c)?;
                    self.soft_cut(c);
                }
                self.call_body(f.goal, f.barrier, f.module.atom_of())
            }
            Internal::NotFail => {
                // SAFETY: the frame of this point.
                let f: cells::NotFail = unsafe { held(e) };
                let to = self.choices.at(f.mark);
                self.decided(to)?;
                if let Some(go) = self.condition_before(to, e)? {
                    return Ok(go);
                }
                self.cut(to);
                Ok(Go::Fail)
            }
            Internal::Otherwise => {
                let cells::Otherwise {
                    goal,
                    barrier,
                    module,
                } = b.cells();
                self.b0 = b.barrier();
                self.pop_choice();
                self.call_body(goal, barrier, module.atom_of())
            }
            Internal::NotTrue => {
                self.pop_choice();
                Ok(Go::Proceed)
            }
            Internal::Catch | Internal::CatchAll => {
                self.pop_choice();
                Ok(Go::Fail)
            }
            Internal::CatchExit => {
                // SAFETY: the frame of this point.
                let f: cells::CatchExit = unsafe { held(e) };
                if is_catch(self.b) && self.origin(self.b) == f.choicepoint {
                    self.pop_choice();
                }
                Ok(Go::Proceed)
            }
            Internal::ResetExit => {
                // SAFETY: the frame of this point.
                let f: cells::ResetExit = unsafe { held(e) };
                Ok(self.reset_exit(f.continuation))
            }
            Internal::Collect => {
                // SAFETY: the frame of this point.
                let f: cells::Collect = unsafe { held(e) };
                self.collect_result(f.template, f.number)
            }
            Internal::Collected => self.collected_results(),
            Internal::Redirected => {
                self.end_redirection();
                self.pop_choice();
                Ok(Go::Fail)
            }
            Internal::RedirectedExit => {
                // SAFETY: the frame of this point.
                let f: cells::RedirectedExit = unsafe { held(e) };
                self.redirected_exit(self.choices.at(f.choicepoint), f.number, f.text, e)
            }
            Internal::Limited => {
                let cells::Limited { outer } = b.cells();
                self.pop_choice();
                self.limit_again(outer);
                Ok(Go::Fail)
            }
            Internal::DepthLimited => Ok(self.depth_limited(b.cells())),
            // SAFETY: the frame of this point.
            Internal::DepthExit => self.depth_exit(unsafe { held(e) }),
            Internal::DepthAgain => {
                let cells::DepthAgain { most } = b.cells();
                self.pop_choice();
                // (How deep that one comes is counted from here.)
                self.depth_again([most, Cell::small(0)]);
                Ok(Go::Fail)
            }
            Internal::Context | Internal::Deeper | Internal::TransactionExit => Ok(Go::Proceed),
            Internal::LimitedExit => {
                // SAFETY: the frame of this point.
                let f: cells::LimitedExit = unsafe { held(e) };
                Ok(self.limited_exit(self.choices.at(f.choicepoint), f.outer, f.left))
            }
            Internal::SetupFailed => {
                self.atomic_failed(b.arg_value(3));
                Ok(Go::Fail)
            }
            Internal::SetupDone => self.setup_done(e),
            Internal::Cleanup => self.clean_up_at_failure(),
            Internal::CleanupExit => {
                // SAFETY: the frame of this point.
                let f: cells::CleanupExit = unsafe { held(e) };
                self.cleanup_exit(self.choices.at(f.choicepoint))
            }
            Internal::AtomicFailed => {
                let cells::AtomicFailed { masks } = b.cells();
                self.atomic_failed(masks);
                Ok(Go::Fail)
            }
            Internal::HandlerFailed => {
                self.atomic_failed(b.arg_value(0));
                Ok(Go::Proceed)
            }
            Internal::AtomicExit => self.atomic_exit(e),
            Internal::QuietExit => self.quiet_exit(e),
            Internal::Rethrow => self.rethrow(),
            Internal::ThenFail => Ok(self.fail_safely()),
            Internal::OnceExit => {
                // SAFETY: the frame of this point.
                let f: cells::OnceExit = unsafe { held(e) };
                let (to, kind) = (self.choices.at(f.mark), f.why);
                let first = if kind == Once::Condition.cell() {
                    self.condition_before(to, e)?
                } else {
                    self.cut_before(to, e)?
                };
                if let Some(go) = first {
                    return Ok(go);
                }
                self.cut(to);
                Ok(Go::Proceed)
            }
            Internal::Interrupted => Ok(self.thaw(e)),
            Internal::Answer => {
                // SAFETY: the frame of this point.
                let f: cells::Answer = unsafe { held(e) };
                self.tabling_answer(f.subgoal, f.template)
            }
            Internal::Joined => {
                // SAFETY: the frame of this point.
                let f: cells::Joined = unsafe { held(e) };
                self.tabling_joined(f.subgoal, f.template, f.values, f.event)
            }
            Internal::Complete => self.tabling_complete(),
            Internal::Answers => self.tabling_next_answer(),
            Internal::Selected => self.tabling_next_selected(),
            Internal::Resume => self.tabling_resume(),
            Internal::Decided => {
                // SAFETY: the frame of this point.
                let f: cells::Decided = unsafe { held(e) };
                self.decided = Some(self.deref(f.result) == Cell::atom(atoms::TRUE));
                Ok(Go::Proceed)
            }
            Internal::DetExit => {
                // SAFETY: the frame of this point.
                let f: cells::DetExit = unsafe { held(e) };
                self.det_exit(self.choices.at(f.choicepoint), e)
            }
            Internal::DetFail => self.det_fail(b.cells()),
            Internal::Dead => {
                self.pop_choice();
                Ok(Go::Fail)
            }
        }
    }

    /// Failure after a solution, by a call of `fail/0` if a safe point has something to do: between the solutions of a builtin there may be
    /// no other.
    pub(in crate::engine) fn fail_safely(&self) -> Go {
        self.safely(Go::Fail, atoms::FAIL)
    }
    /// Success of a goal for which nothing is called.
    pub(in crate::engine) fn proceed_safely(&self) -> Go {
        self.safely(Go::Proceed, atoms::TRUE)
    }
    fn safely(&self, go: Go, by: Atom) -> Go {
        if !self.attention_wanted() {
            return go;
        }
        let by = Functor::new(by, 0);
        Go::Enter(self.program.code.callee(atoms::SYSTEM, by))
    }

    /// Starts collecting results for a list; the number tells them from those of another `findall/3`.
    ///
    /// *Equation*: there are as many results as choicepoints [`Internal::Collected`].
    fn new_results(&mut self, list: Cell, tail: Cell) -> Result<Cell, Throw> {
        growth::have(&mut self.thread.results.open, 1)?;
        self.push_alternative(cells::Collected { list, tail })?;
        self.thread.results.next += 1;
        let results = Results::new(self.thread.results.next, self.thread.results.open.last());
        self.thread.results.open.push(results);
        Ok(Cell::small(self.thread.results.next as i64))
    }

    /// A list of the recorded terms that ends in `tail`. The last one is made first, so that its variables come first in the standard
    /// order: as in SWI-Prolog, and `bagof/3` shows it, which sorts solutions by variables that got no value.
    pub(crate) fn list_of_records(
        &mut self,
        results: Vec<Record>,
        tail: Cell,
    ) -> Result<Cell, Throw> {
        let mut items = Vec::new();
        growth::have(&mut items, results.len())?;
        Ok(self.heap.on_credit(|h| {
            for r in results.into_iter().rev() {
                items.push(h.instantiate(&r)?);
            }
            h.list_of(items.len(), items.iter().rev().copied(), tail)
        })?)
    }
}
