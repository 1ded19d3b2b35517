//! Cleanup handlers: `setup_call_cleanup/3` and its relatives, `sig_atomic/1`, `with_mutex/2`; and goals run for their effect.
//!
//! A handler waits in a choicepoint, `[cleanup, catcher, module, masks, way out]`, and a last reason if there is a catcher. It runs when the goal is over, at that very moment: when the
//! choicepoint is backtracked to (fail), when the goal exits and nothing is above the choicepoint (exit), when an exception passes
//! it ([`super::exceptions`]), or when a cut removes it. A cut therefore runs handlers *before* it cuts: whoever cuts looks for the
//! newest one above the barrier ([`Worker::cleanup_above`]), pushes a frame that makes the same cut again, and lets the handler run;
//! when there is none left, [`Worker::cut`] goes through. So handlers nest as deep as frames do, and see the bindings of the moment.
//! What a handler throws during a cut goes on when the cut is done as a whole, all its handlers included ([`Thrown::AfterCut`]); a cut
//! at the end of a condition or of a negated goal is left at once, as in SWI-Prolog.
//!
//! A handler runs whatever memory there is, once its Setup has succeeded. So all that it takes to begin it for an exception is made before
//! Setup is called, where a refusal has no consequences ([`Worker::ready`]):
//!
//! ```text
//! way out        the frames QuietExit → Rethrow → continuation of the call: the handler's choicepoint will be where this one is
//! last reason    exception(error(resource_error(memory), _)), for a catcher if the ball has no room
//! trail          room for the catcher's bindings; the CleanupExit frame; and the choicepoint, which becomes the handler's
//! ```
//!
//! On every other way what is needed is allocated while the choicepoint is still in place: if memory runs out, the exception finds it there. (What
//! the handler's own goal needs it must ask for. It gets a little more than others do ([`Worker::mask_handler`]): a part of what is kept of the address space,
//! some memory beyond the thread's limit, and some beyond that of what is in common; so memory that is exhausted is no reason for a small goal to be
//! refused. A builtin that it begins with is asked for nothing before.)
//!
//! A Setup that is refused after its effect has taken what nobody gives back. So it may have a little beyond the thread's limit as well
//! ([`Worker::mask_setup`]), until its handler waits; what that leaves beyond the limit, the goal is refused for. What it takes of the rest (of what is in
//! common, of the address space) it asks for like everybody, at its builtins, which are refused before they do anything.
//!
//! Invariants:
//! - `cleanups` is the number of `Cleanup` choicepoints; each belongs to one Setup that succeeded.
//! - One has the left bit only while an exception is on its way that was raised inside its goal and will remove it
//!   ([`Worker::verify_cleanups`] looks at both).
//! - Events and the limit of inferences are masked (`masks`) from the call of Setup to the choicepoint, and from the choicepoint's removal to
//!   the end of the handler: nothing comes between a resource and its handler. Whoever leaves such a stretch, in whatever way, restores the masks it
//!   found: a normal exit from the choicepoint `[masks]` of the stretch, an exception from the choicepoint that it goes to.

use crate::engine::going::Go;
use crate::engine::services::services;
use crate::engine::worker::{Args, Worker};
use crate::error::Throw;
use crate::state::choice::Choice;
use crate::state::events::Masks;
use crate::state::frame::slots_of;
use crate::state::internal::{Internal, Once, cells, code};
use samite_code::Predicate;
use samite_term::{Atom, Cell, Functor, View, atoms, common};

/// Arguments of a `Cleanup` choicepoint.
const CLEANUP: usize = 0;
const CATCHER: usize = 1;
const MODULE: usize = 2;
const MASKS: usize = 3;
const WAY_OUT: usize = 4;
const LAST_REASON: usize = 5;

/// The handler of `with_mutex/2`.
const MUTEX_UNLOCK: Functor = Functor::new(atoms::MUTEX_UNLOCK, 1);

/// Entries of the trail for what a catcher binds: its variable.
const CATCHER_TRAIL: usize = 4;

/// Bytes of what waits outside of the heap while a handler runs for an exception.
const WAITING: usize = 256;

/// What stands for the catcher where there is none.
fn no_catcher() -> Cell {
    Cell::atom(atoms::NO_CATCHER)
}

/// Whether a choicepoint `HandlerFailed` is of a handler that a whole cut set off, before an exception.
fn is_in_cut(handler: Choice) -> bool {
    handler.size() > 1
}

/// What becomes of what a handler throws.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Thrown {
    /// It goes on at once.
    AtOnce,
    /// It goes on when the cut back to the choicepoint at this offset is done.
    AfterCut(Cell),
    /// Nobody is there to hear of it.
    Lost,
    /// An exception waits for the handler: one of the two goes on ([`super::exceptions::OnItsWay`]). The handler's frame is reserved.
    Compared,
    /// The same for an exception that leaves the goal: the frames were made before Setup.
    Left,
}

impl Worker {
    // --- setting up ---

    /// `setup_call_cleanup/3` and, with a catcher, `setup_call_catcher_cleanup/4`: calls Setup with events masked. It gets a little more memory than
    /// others, until its handler waits: what is refused half-way would have had its effect, and nobody would take it back.
    pub(in crate::engine) fn set_up(&mut self, p: &'static Predicate) -> Result<Go, Throw> {
        let (setup, goal) = (self.register(0), self.register(1));
        let (catcher, cleanup) = if p.arity() == 4 {
            (self.register(2), self.register(3))
        } else {
            (no_catcher(), self.register(2))
        };
        let module = self.thread.modules.typein.get();
        let c = self.ready(cleanup, catcher, module)?;
        let choicepoint = self.choices.offset(c);
        self.push(cells::SetupDone { choicepoint, goal })?;
        self.mask_setup();
        self.call_goal(setup, module)
    }

    /// Makes all that a handler needs to begin. The choicepoint is one for a Setup that has not succeeded yet; K is the frame that the goal returns to.
    fn ready(&mut self, cleanup: Cell, catcher: Cell, module: Atom) -> Result<Choice, Throw> {
        if !common::system_has(WAITING) || !self.heap.trail_mut().reserve(CATCHER_TRAIL) {
            return Err(Throw::Memory);
        }
        let last = if catcher == no_catcher() {
            Cell::NIL
        } else {
            self.last_reason()?
        };
        let rethrow = self.make_frame(code(Internal::Rethrow), self.k, &[])?;
        let out = self.make_frame(code(Internal::QuietExit), rethrow, &[Cell::ZERO])?;
        let exit = self.make_frame(code(Internal::CleanupExit), self.k, &[Cell::ZERO])?;
        let (module, masks) = (Cell::atom(module), self.thread.events.masks.cell());
        let args = [cleanup, catcher, module, masks, Cell::frame_ptr(out), last];
        let args = &args[..if catcher == no_catcher() {
            LAST_REASON
        } else {
            LAST_REASON + 1
        }];
        let c = self.push_choice(code(Internal::SetupFailed), args)?;
        let place = self.choices.offset(c);
        // SAFETY: frames of one slot, which were just made; an offset refers to nothing.
        unsafe {
            *out.add(2) = place;
            *exit.add(2) = place;
        }
        self.k = exit;
        Ok(c)
    }

    /// The reason for a catcher where no other has room.
    fn last_reason(&mut self) -> Result<Cell, Throw> {
        let memory = Functor::new(atoms::RESOURCE_ERROR, 1);
        let formal = self.heap.structure(memory, &[Cell::atom(atoms::MEMORY)])?;
        let context = self.heap.variable()?;
        let error = Functor::new(atoms::ERROR, 2);
        let error = self.heap.structure(error, &[formal, context])?;
        let exception = Functor::new(atoms::EXCEPTION, 1);
        Ok(self.heap.structure(exception, &[error])?)
    }

    /// The same of the choicepoint `c`, for an exception from inside its goal or behind it.
    pub(super) fn last_reason_of(&self, c: Choice, inside: bool) -> Cell {
        let reason = c.arg_value(LAST_REASON);
        if !inside {
            let external = Functor::new(atoms::EXTERNAL_EXCEPTION, 1);
            // SAFETY: a structure of `last_reason`, which nobody else has seen.
            unsafe { *reason.ptr() = external.cell() };
        }
        reason
    }

    /// Setup succeeded; `again` is its frame. Calls the goal.
    pub(in crate::engine) fn setup_done(&mut self, again: *mut Cell) -> Result<Go, Throw> {
        // SAFETY: a frame [choicepoint, goal].
        let (c, goal) = unsafe { (self.choices.at(*again.add(2)), *again.add(3)) };
        self.decided(c)?;
        if let Some(go) = self.cut_before(c, again)? {
            return Ok(go);
        }
        let cleanup = self.deref(c.arg_value(CLEANUP));
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        if !unsafe { self.term(cleanup) }.is_callable() {
            let t = if cleanup.is_ref() {
                self.instantiation_error()
            } else {
                self.type_error("callable", cleanup)
            };
            let name = Functor::new(Atom::new("setup_call_catcher_cleanup"), 4);
            let system = Cell::atom(atoms::SYSTEM);
            let indicator = self.indicator(name)?;
            let culprit = self.structure(":", &[system, indicator])?;
            return Err(self.add_culprit_context(t, culprit));
        }
        self.cut(c);
        self.guard(c);
        let module = c.arg_value(MODULE).atom_of();
        self.set_masks(Masks::of(c.arg_value(MASKS)));
        self.call_goal(goal, module)
    }

    /// The newest choicepoint, with the arguments of one for cleanup, becomes that, for the state of now.
    fn guard(&mut self, c: Choice) {
        debug_assert!(self.b == c && c.size() > WAY_OUT);
        c.set_alternative(code(Internal::Cleanup));
        c.set_top(self.heap.h());
        c.set_trail(self.heap.trail().top());
        c.clear_scanned();
        self.set_b(c);
        self.thread.leaving.cleanups += 1;
    }

    /// `with_mutex/2`. Nothing comes between the lock and the choicepoint that gives it back; the wait for it can be interrupted.
    pub(in crate::engine) fn with_mutex(&mut self, p: &'static Predicate) -> Result<Go, Throw> {
        let (mutex, goal) = (self.register(0), self.register(1));
        let unlock = self.heap.structure(MUTEX_UNLOCK, &[mutex])?;
        let k = self.k;
        let c = self.ready(unlock, no_catcher(), atoms::SYSTEM)?;
        match (services().lock_mutex)(self.ctx(), Args(0)) {
            Ok(_) => {}
            Err(t) => {
                self.pop_choice();
                self.k = k;
                if let Throw::Interrupted = t {
                    return self.interrupted(p);
                }
                return Err(t);
            }
        }
        self.guard(c);
        let mark = self.choices.offset(c);
        let why = Once::Solution.cell();
        self.push(cells::OnceExit { mark, why })?;
        let module = self.thread.modules.typein.get();
        self.call_goal(goal, module)
    }

    /// `sig_atomic/1`: once, with events masked. `'$unmasked'/1`, which is not `masked`: once, with events as they were around the innermost
    /// `sig_atomic/1`.
    pub(in crate::engine) fn atomic(&mut self, masked: bool) -> Result<Go, Throw> {
        let goal = self.register(0);
        let masks = self.thread.events.masks.cell();
        let c = self.push_alternative(cells::AtomicFailed { masks })?;
        self.push_frame(Internal::AtomicExit, &[self.choices.offset(c), masks])?;
        if masked {
            self.mask_events();
        } else {
            self.unmask_events();
        }
        let module = self.thread.modules.typein.get();
        self.call_goal(goal, module)
    }

    /// The goal of a stretch with masked events succeeded; `again` is its frame. Drops its choicepoints.
    pub(in crate::engine) fn atomic_exit(&mut self, again: *mut Cell) -> Result<Go, Throw> {
        // SAFETY: a frame [choicepoint] or [choicepoint, masks].
        let c = self.choices.at(unsafe { *again.add(2) });
        if let Some(go) = self.cut_before(c, again)? {
            return Ok(go);
        }
        if self.thread.tabling.is_gone(c) {
            // SAFETY: as above. (Nobody waits for what is run apart.)
            debug_assert!(slots_of(unsafe { *again }) > 1, "suspended");
            // The masks were restored when the goal was suspended.
            self.cut(c);
            return Ok(Go::Proceed);
        }
        let masks = Masks::of(c.arg_value(0));
        self.cut(c.previous());
        self.set_masks(masks);
        Ok(Go::Proceed)
    }

    /// A handler succeeded whose exceptions end at its choicepoint; `again` is its frame. What it has bound goes if an exception waits for it.
    pub(in crate::engine) fn quiet_exit(&mut self, again: *mut Cell) -> Result<Go, Throw> {
        // SAFETY: a frame [choicepoint].
        let c = self.choices.at(unsafe { *again.add(2) });
        if is_in_cut(c) {
            return self.atomic_exit(again);
        }
        if let Some(go) = self.cut_before(c, again)? {
            return Ok(go);
        }
        self.set_b(c);
        self.backtrack();
        self.atomic_failed(c.arg_value(0));
        Ok(Go::Proceed)
    }

    // --- running handlers ---

    /// The newest choicepoint above `to` whose cleanup handler a cut back to `to` sets off.
    pub(in crate::engine) fn cleanup_above(&self, to: Choice) -> Option<Choice> {
        if self.thread.leaving.cleanups == 0 {
            return None;
        }
        let to = self.live_barrier(to);
        let mut b = self.b;
        while b > to {
            if b.alternative() == code(Internal::Cleanup) {
                return Some(b);
            }
            b = b.previous();
        }
        None
    }

    /// A cut back to `to` is next. If a handler runs before it, where to go on; afterwards the frame `again` is returned to, to cut.
    pub(in crate::engine) fn cut_before(
        &mut self,
        to: Choice,
        again: *mut Cell,
    ) -> Result<Option<Go>, Throw> {
        let Some(c) = self.cleanup_above(to) else {
            return Ok(None);
        };
        self.k = again;
        self.clean_up_at_cut(c, Some(to)).map(Some)
    }

    /// The same for the cut at the end of a condition or of a negated goal.
    pub(in crate::engine) fn condition_before(
        &mut self,
        to: Choice,
        again: *mut Cell,
    ) -> Result<Option<Go>, Throw> {
        let Some(c) = self.cleanup_above(to) else {
            return Ok(None);
        };
        self.k = again;
        self.clean_up_at_cut(c, None).map(Some)
    }

    /// A cut removes the cleanup choicepoint `c`; K is the frame that cuts again. `whole` is where it cuts to, unless it ends a condition.
    pub(in crate::engine) fn clean_up_at_cut(
        &mut self,
        c: Choice,
        whole: Option<Choice>,
    ) -> Result<Go, Throw> {
        let thrown = match whole {
            Some(to) => Thrown::AfterCut(self.choices.offset(to)),
            None => Thrown::AtOnce,
        };
        self.clean_up(c, Cell::atom(atoms::CUT), thrown)
    }

    /// Leaves all goals above `to`, with what they hold, as a cut would that goes through everything: results that are collected, output that is
    /// redirected, tables that are evaluated. If a handler runs meanwhile, where to go on; afterwards the frame `again` is returned to.
    pub(in crate::engine) fn leave_for_good(
        &mut self,
        to: Choice,
        again: *mut Cell,
    ) -> Result<Option<Go>, Throw> {
        while self.b > to {
            let b = self.b;
            if b.alternative() == code(Internal::Cleanup) {
                self.k = again;
                let cut = Cell::atom(atoms::CUT);
                return self.clean_up(b, cut, Thrown::Lost).map(Some);
            }
            self.leave_goal(b);
            self.set_b(b.previous());
        }
        Ok(None)
    }

    /// The goal failed: the choicepoint was backtracked to.
    pub(in crate::engine) fn clean_up_at_failure(&mut self) -> Result<Go, Throw> {
        self.push(cells::ThenFail {})?;
        self.clean_up(self.b, Cell::atom(atoms::FAIL), Thrown::AtOnce)
    }

    /// The goal succeeded. Without choicepoints of its own it is over.
    pub(in crate::engine) fn cleanup_exit(&mut self, c: Choice) -> Result<Go, Throw> {
        if self.b != c {
            return Ok(Go::Proceed);
        }
        let exit = Cell::atom(atoms::EXIT);
        self.clean_up(c, exit, Thrown::AtOnce)
    }

    /// Removes the cleanup choicepoint `c` with all above it and runs its handler, if the catcher unifies with `reason`; then returns to
    /// K.
    pub(super) fn clean_up(
        &mut self,
        c: Choice,
        reason: Cell,
        thrown: Thrown,
    ) -> Result<Go, Throw> {
        if matches!(thrown, Thrown::AtOnce | Thrown::AfterCut(_)) && self.gives_mutex_back(c) {
            return Ok(Go::Proceed);
        }
        // First, because bindings take of the trail.
        let slots = &[Cell::ZERO];
        let frame = match thrown {
            Thrown::AtOnce => self.make_frame(code(Internal::AtomicExit), self.k, slots)?,
            Thrown::AfterCut(_) | Thrown::Lost => {
                self.make_frame(code(Internal::QuietExit), self.k, slots)?
            }
            Thrown::Compared => self.make_reserved_frame(code(Internal::QuietExit), self.k, slots),
            Thrown::Left => {
                let out = c.arg_value(WAY_OUT).frame();
                // SAFETY: a frame of `ready`.
                self.k = unsafe { (*out.add(1)).frame() };
                out
            }
        };
        let catcher = c.arg_value(CATCHER);
        let wanted = catcher == no_catcher() || self.unify_or_undo(catcher, reason);
        let (cleanup, module) = (c.arg_value(CLEANUP), c.arg_value(MODULE).atom_of());
        let masks = c.arg_value(MASKS);
        self.set_b(c.previous());
        self.thread.leaving.cleanups -= 1;
        self.set_masks(Masks::of(masks));
        if !wanted {
            return Ok(Go::Proceed);
        }
        // The place of `c` is large enough for it.
        let failed = code(Internal::HandlerFailed);
        let handler = match thrown {
            Thrown::AfterCut(to) => self.push_choice(failed, &[masks, to])?,
            Thrown::AtOnce | Thrown::Lost | Thrown::Compared | Thrown::Left => {
                self.push_choice(failed, &[masks])?
            }
        };
        debug_assert!(handler == c, "a handler's choicepoint is elsewhere");
        // SAFETY: the frame was just made; an offset refers to nothing.
        unsafe { *frame.add(2) = self.choices.offset(handler) };
        self.k = frame;
        self.mask_handler();
        let go = self.call_goal(cleanup, module)?;
        Ok(self.without_safe_point(go))
    }

    /// The handler of the newest cleanup choicepoint, `c`, is that of `with_mutex/2`, and has been run, without anything that could come between: no frame
    /// is made for it, nothing is masked. False: nothing has been done. (What it would complain of it is called for; goals that wait go first.)
    fn gives_mutex_back(&mut self, c: Choice) -> bool {
        let system = Cell::atom(atoms::SYSTEM);
        if c.arg_value(MODULE) != system || c.arg_value(CATCHER) != no_catcher() {
            return false;
        }
        if self.heap.has_woken() || !self.thread.undos.is_empty() {
            return false;
        }
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        let mutex = match unsafe { self.term(c.arg_value(CLEANUP)) }.view() {
            View::Compound(handler) if handler.functor() == MUTEX_UNLOCK => handler.arg(0).deref(),
            _ => return false,
        };
        if !(services().give_mutex_back)(self.ctx(), mutex) {
            return false;
        }
        self.inferences += 1;
        let masks = c.arg_value(MASKS);
        self.set_b(c.previous());
        self.thread.leaving.cleanups -= 1;
        self.set_masks(Masks::of(masks));
        true
    }

    /// A handler that is a builtin, or begins with one, begins without a safe point: memory may be refused there to what asks for none.
    fn without_safe_point(&mut self, go: Go) -> Go {
        match go {
            // (A catcher may have woken goals: these go first.)
            Go::Enter(p)
                if p.function() != 0 && !self.heap.has_woken() && self.thread.undos.is_empty() =>
            {
                self.inferences += 1;
                self.b0 = self.b;
                Go::Code(p.entry())
            }
            go => go,
        }
    }

    /// Checks what is said of `Cleanup` choicepoints, at a safe point.
    pub(in crate::engine) fn verify_cleanups(&self) {
        let goes_to = self.lowest_target();
        let mut cleanups = 0;
        let mut b = self.b;
        while !b.is_null() {
            if b.alternative() == code(Internal::Cleanup) {
                cleanups += 1;
                assert!(
                    !b.is_left() || goes_to.is_some_and(|to| to < b),
                    "an exception has left a goal and forgotten its cleanup handler"
                );
            }
            b = b.previous();
        }
        assert!(
            cleanups == self.thread.leaving.cleanups,
            "cleanup handlers are miscounted"
        );
    }

    /// The goal of a stretch with masked events failed: unmasks what was not masked before.
    pub(in crate::engine) fn atomic_failed(&mut self, masks: Cell) {
        self.pop_choice();
        self.set_masks(Masks::of(masks));
    }

    /// Whether the cleanup choicepoint `c` wants to know how its goal ended.
    pub(in crate::engine) fn has_catcher(&self, c: Choice) -> bool {
        c.arg_value(CATCHER) != no_catcher()
    }

    /// Unifies two terms; leaves no bindings if they do not unify.
    pub(in crate::engine) fn unify_or_undo(&mut self, a: Cell, b: Cell) -> bool {
        let mark = self.heap.mark();
        let unified = self.unify(a, b);
        if unified {
            self.heap.commit(mark);
        } else {
            // SAFETY: undoing the bindings of the failed unification.
            unsafe { self.heap.unbind(mark) };
        }
        unified
    }

    // --- goals run for their effect ---

    /// Runs a goal as `ignore(once(Goal))`, then returns to the continuation.
    pub(crate) fn run_ignoring(&mut self, goal: Cell, module: Atom) -> Result<Go, Throw> {
        self.begin_apart()?;
        self.call_goal(goal, module)
    }

    /// Whatever is called next is run as `ignore(once(Goal))`, apart from the evaluations of tables that it interrupts, up to the continuation.
    pub(in crate::engine) fn begin_apart(&mut self) -> Result<(), Throw> {
        let c = self.push_choice(
            code(Internal::HandlerFailed),
            &[self.thread.events.masks.cell()],
        )?;
        self.push_frame(Internal::AtomicExit, &[self.choices.offset(c)])?;
        self.set_apart();
        Ok(())
    }
}
