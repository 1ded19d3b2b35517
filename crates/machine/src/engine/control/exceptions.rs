//! Exceptions: from where one is raised to the handler or recovery goal that runs next, and the contexts of errors.
//!
//! `throw/1` finds the innermost active `catch/3` by walking the continuation to its `CatchExit` frame; the catch has exited if it is
//! not there any more. That walk is made once for an exception: while it passes cleanup handlers, which run on the way, it is kept in
//! [`OnItsWay`]. A cut is no place that an exception leaves half-way: what one of its handlers throws waits until the others have run, in the
//! state at hand, for the cut. Between two places where an exception might end it may be held up by an event, as by a handler.
//!
//! The ball ([`Ball`]) is outside of the heap until somebody looks at it, and then brought there once: who looks at it next, after the bindings
//! of the first have been undone, sees the same term, as in SWI-Prolog. So
//!
//! ```text
//! an exception costs  frames + choicepoints left + places looked at + words of the ball
//! ```
//!
//! and what it costs to compare each catcher with the ball. A collection that is made because memory is short forgets that term, others move it.
//!
//! A handler that could be begun must not be refused half-way: its choicepoint is still there then, the refusal is an exception, and the same
//! handler is met again, for ever. What it takes to begin the handler of a goal that an exception leaves was made before its Setup
//! ([`super::cleanup`]). For the handlers of a cut, and for a catch, all that is made between one being found and its choicepoint being removed is
//! reserved before (`samite_heap::reserve` asserts the sum), else the exception leaves the cut, or passes the catch:
//!
//! ```text
//! ball, unless it was brought (or the resource error in its place) + REASON + RETHROW + EXIT  ≤  words reserved
//! ```
//!
//! Invariant: `on_their_way` has one entry for each `Rethrow` frame of the continuation, in their order. (A handler
//! leaves in no other way: what it throws ends at its `QuietExit`.)

use super::cleanup::Thrown;
use crate::engine::going::{Go, Outcome, memory_error};
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::choice::Choice;
use crate::state::events::Masks;
use crate::state::frame::resume_of;
use crate::state::internal::{Internal, cells, code};
use crate::state::leaving::{Ball, OnItsWay, Replaced};
use samite_code::Predicate;
use samite_heap::Generation;
use samite_term::view::Args as TermArgs;
use samite_term::{Atom, Cell, Functor, Record, Tag, atoms};
use samite_world::clock;

/// Words of what is made beside a ball: the reason for a catcher, the frame that sends the exception on, the frame that ends a handler.
const REASON: usize = 2;
const RETHROW: usize = 2;
const EXIT: usize = 3;
const BESIDE: usize = REASON + RETHROW + EXIT;
/// How many objects these are, with the ball.
const OBJECTS: usize = 4;
/// Balls of so many words are worth a collection if they do not fit.
const LARGE: usize = 1 << 9;

/// Builtins by whose names the loader knows what went wrong.
const FOR_THE_LOADER: &[&str] = &["$read_clause", "$load_begins"];

/// Builtins, without the `$` of their names, that do the work of predicates of other names or arities. (Of the same ones it goes without saying;
/// of all others whose names begin with `$` the context does not tell.)
const SPOKEN_FOR: &[(&str, &str, usize)] = &[
    ("format", "format", 2),
    ("formatted", "format", 3),
    ("findall", "findall", 3),
    ("stream_properties", "stream_property", 2),
    ("thread_properties", "thread_property", 2),
    ("message_queue_properties", "message_queue_property", 2),
    ("mutex_properties", "mutex_property", 2),
    ("meta_predicate", "meta_predicate", 1),
    ("declare_predicate", "dynamic", 1),
    ("op", "op", 3),
];

impl Worker {
    /// Handles a throw: the loop goes on in a recovery or cleanup goal, or stops.
    pub(in crate::engine) fn unwind(&mut self, t: Throw) -> Result<Go, Throw> {
        // An error found after an operation was given up comes of its not having a result.
        let t = match t {
            Throw::Halt(_) => t,
            _ if self.heap.was_starved() || crate::engine::given_up::has_given_up() => {
                Throw::Memory
            }
            _ => t,
        };
        let t = match t {
            Throw::Term(c) => self
                .record_of_ball(c)
                .map_or_else(|t| t, |r| Throw::Record(Box::new(r))),
            t => t,
        };
        let ball = match t {
            Throw::Record(r) => *r,
            Throw::Halt(status) => return Ok(Go::Stop(Outcome::Halt(status))),
            Throw::Memory | Throw::Term(_) => match self.given_up() {
                Throw::Record(r) => *r,
                Throw::Halt(status) => return Ok(Go::Stop(Outcome::Halt(status))),
                _ => {
                    // Much of it becomes garbage now.
                    self.collecting.wanted = true;
                    self.arm();
                    memory_error()
                }
            },
            Throw::Interrupted | Throw::First(_) | Throw::Rest(_) => return Ok(Go::Fail),
        };
        // (It may have been raised before a builtin was called again that has waited.)
        self.attention.give_up_wait();
        let mut exception = OnItsWay::new(ball);
        self.aim(&mut exception);
        self.unwind_on(exception)
    }

    /// The copy of what is thrown, after a collection if there is no room for it beside the heap.
    pub(super) fn record_of_ball(&mut self, t: Cell) -> Result<Record, Throw> {
        if let Some(record) = self.record_beside_heap(t) {
            return Ok(record);
        }
        if crate::engine::given_up::has_given_up() {
            return Err(Throw::Memory);
        }
        self.set_register(0, t);
        let collected = self.collect_generation(1, Generation::Major);
        self.arm();
        collected?;
        let t = self.register(0);
        self.record_beside_heap(t).ok_or(Throw::Memory)
    }

    /// An exception goes on its way, after it was raised or after what held it up.
    fn unwind_on(&mut self, mut exception: OnItsWay) -> Result<Go, Throw> {
        // A loop: there may be as many catches as the memory holds.
        loop {
            if !self.thread.engine.left.is_empty() {
                self.give_left_up(exception.target);
            }
            if !exception.listened && self.is_event_due() && self.has_room(&mut exception.ball, 0) {
                exception.listened = true;
                exception.replaced = Replaced::UnlessAbort;
                let since = *exception.disturbed.get_or_insert_with(clock::now);
                self.hold_up(exception)?;
                self.mask_signals_on_way(since);
                let by = Functor::new(atoms::TRUE, 0);
                return Ok(Go::Enter(self.program.code.callee(atoms::SYSTEM, by)));
            }
            exception.listened = false;
            if let Some(to) = exception.after {
                let to = self.choices.at(to);
                if let Some(c) = self.cleanup_above(to)
                    && self.has_room(&mut exception.ball, 0)
                {
                    exception.replaced = Replaced::ByMoreUrgent;
                    exception.disturbed = None;
                    self.push_rethrow(exception);
                    return self.clean_up(c, Cell::atom(atoms::CUT), Thrown::Compared);
                }
                if self.cleanup_above(to).is_none() {
                    self.cut(to);
                }
                exception.after = None;
                self.aim(&mut exception);
            }
            if let Some(inside) = self.leave_goals(&mut exception) {
                // (Not between the reason and the handler: a collection would not know of it.)
                let reason = if !self.has_catcher(self.b) {
                    Cell::atom(atoms::FAIL)
                } else if self.has_room_for_ball(&mut exception.ball) {
                    self.reason(&mut exception.ball, inside)
                } else {
                    self.last_reason_of(self.b, inside)
                };
                exception.replaced = if inside {
                    Replaced::ByMoreUrgent
                } else {
                    Replaced::Never
                };
                exception.disturbed = None;
                self.thread.leaving.on_their_way.push(exception);
                return self.clean_up(self.b, reason, Thrown::Left);
            }
            let target = self.choices.at(exception.target);
            if target.is_null() {
                return Ok(Go::Stop(Outcome::Exception(exception.ball.record)));
            }
            self.set_b(target);
            self.backtrack();
            debug_assert!(self.is_newest_cleanup_right());
            if target.alternative() == code(Internal::HandlerFailed) {
                let after = (target.size() > 1).then(|| target.arg_value(1));
                self.atomic_failed(target.arg_value(0));
                if after.is_some() {
                    exception.after = after;
                    continue;
                }
                // An exception waits for this handler.
                self.thread.leaving.on_their_way.offer(exception);
                return Ok(Go::Proceed);
            }
            if !self.has_room_for_ball(&mut exception.ball) {
                // Not even an error fits: who is further out may have more.
                self.pop_choice();
                self.aim(&mut exception);
                continue;
            }
            let term = exception.ball.bring(&mut self.heap);
            let target = self.b;
            // (That of a `CatchAll` holds the same.)
            let cells::Catch {
                catcher,
                recovery,
                masks,
            } = target.cells();
            let rethrows = target.alternative() == code(Internal::Catch)
                && self.deref(term) == Cell::atom(atoms::ABORT);
            self.pop_choice();
            self.set_masks(Masks::of(masks));
            if !self.unify_or_undo(catcher, term) {
                exception.ball.keep(term, &mut self.heap);
                self.aim(&mut exception);
                continue;
            }
            if !rethrows {
                return self.call_goal(recovery, self.thread.modules.typein.get());
            }
            // Nobody stops an abort: it goes on when the recovery goal is over, however that ends.
            self.aim(&mut exception);
            // Bindings may have taken of the trail.
            if !self.heap.reserve(RETHROW + EXIT, OBJECTS) {
                continue;
            }
            exception.replaced = Replaced::ByMoreUrgent;
            self.hold_up(exception)?;
            return self.call_goal(recovery, self.thread.modules.typein.get());
        }
    }

    /// Whether something other than a collection wants this thread's attention.
    fn is_event_due(&self) -> bool {
        self.attention_wanted()
            && (crate::engine::given_up::has_given_up() || !self.attention.due().is_empty())
    }

    /// Lets an exception wait for what is called next, however that ends. The place of the choicepoint removed last is large enough for it.
    fn hold_up(&mut self, exception: OnItsWay) -> Result<(), Throw> {
        let masks = self.thread.events.masks.cell();
        self.push_rethrow(exception);
        let c = self.push_choice(code(Internal::HandlerFailed), &[masks])?;
        let slots = &[self.choices.offset(c)];
        self.k = self.make_reserved_frame(code(Internal::QuietExit), self.k, slots);
        self.set_apart();
        Ok(())
    }

    /// Leaves what is between here and the target of an exception, as far as the next cleanup handler, whose choicepoint is
    /// backtracked to. Whether the exception was raised inside its goal (or behind it); `None` if there is no handler.
    fn leave_goals(&mut self, exception: &mut OnItsWay) -> Option<bool> {
        let target = self.choices.at(exception.target);
        let mut b = self.b;
        while !b.is_null() && b > target {
            if b.alternative() == code(Internal::Cleanup) {
                self.set_b(b);
                self.backtrack();
                return Some(b.is_left());
            }
            self.leave_goal(b);
            b = b.previous();
        }
        None
    }

    /// What the goal of a choicepoint, which nothing comes back to, holds beside it ends. It is the newest of which that is so, and no `Cleanup`.
    pub(super) fn leave_goal(&mut self, b: Choice) {
        let alternative = b.alternative();
        if alternative == code(Internal::Collected) {
            self.thread.results.open.pop();
        } else if alternative == code(Internal::Redirected) {
            self.end_redirection();
        } else if alternative == code(Internal::Limited) {
            self.limit_again(b.cells::<cells::Limited>().outer);
        } else if alternative == code(Internal::DepthLimited) {
            let f: cells::DepthLimited = b.cells();
            self.depth_again([f.outer, f.reached]);
        } else if alternative == code(Internal::Complete) {
            // Its subgoal and all newer incomplete ones are removed.
            let index = b.cells::<cells::Complete>().index.small_value() as usize;
            self.thread.tabling.abandon_from(index);
        } else if alternative == code(Internal::Resume) {
            self.tabling_leave(b);
        }
    }

    /// Finds out where an exception goes to that is raised at K.
    fn aim(&self, exception: &mut OnItsWay) {
        let target = self.innermost_catch();
        exception.target = self.choices.offset(target);
    }

    /// Why a goal is over, for a catcher, where the ball has room.
    fn reason(&mut self, ball: &mut Ball, inside: bool) -> Cell {
        let name = if inside {
            "exception"
        } else {
            "external_exception"
        };
        let term = ball.bring(&mut self.heap);
        ball.keep(term, &mut self.heap);
        let p = self.heap.allocate_reserved(REASON);
        // SAFETY: two words were just allocated.
        unsafe {
            *p = Functor::new(Atom::new(name), 1).cell();
            *p.add(1) = term;
        }
        Cell::to(Tag::Str, p)
    }

    /// Makes K a frame that sends the exception on.
    fn push_rethrow(&mut self, exception: OnItsWay) {
        self.k = self.make_reserved_frame(code(Internal::Rethrow), self.k, &[]);
        self.thread.leaving.on_their_way.push(exception);
    }

    /// A handler that ran for an exception is over: the exception goes on.
    pub(in crate::engine) fn rethrow(&mut self) -> Result<Go, Throw> {
        match self.thread.leaving.on_their_way.pop() {
            Some(exception) => self.unwind_on(exception),
            None => unreachable!("a handler returns from an exception that nobody raised"),
        }
    }

    /// Whether there is room for the ball and what goes with it ([`Worker::has_room`]). If the ball does not fit it becomes a resource error,
    /// which is as much an exception for the handler at hand as the ball was. False: the system has no memory even for that.
    fn has_room_for_ball(&mut self, ball: &mut Ball) -> bool {
        if ball.brought.is_some() && self.has_reserved(0) {
            return true;
        }
        ball.brought = None;
        let words = ball.record.heap_words();
        if self.fits(words) && self.has_room(ball, words) {
            return true;
        }
        *ball = memory_error().into();
        let words = ball.record.heap_words();
        self.has_room(ball, words)
    }

    /// Whether a ball of so many words fits into the thread's memory: a large one at the latest after a collection. A small one always does
    /// in the nursery, as there the next safe point settles what exceeds the limit.
    fn fits(&mut self, words: usize) -> bool {
        // It is there twice then.
        let fits = |m: &Worker| words * 16 <= m.thread.memory_limit.saturating_sub(m.memory());
        if words <= LARGE {
            return self.heap.has_nursery(words) || fits(self);
        }
        fits(self) || (self.collect_here(Generation::Major) && fits(self))
    }

    /// Reserves what a handler needs for which so many words of the ball are to be brought, where nothing is live but K and the choicepoints:
    /// collects if the system refuses it. The thread's limit is looked at at the safe point where the handler begins.
    fn has_room(&mut self, ball: &mut Ball, words: usize) -> bool {
        if self.has_reserved(words) {
            return true;
        }
        ball.brought = None;
        (self.collect_here(Generation::Minor) && self.has_reserved(words))
            || (self.collect_here(Generation::Major) && self.has_reserved(words))
    }

    /// Reserves so many words for a ball, and what a handler needs beside it.
    fn has_reserved(&mut self, words: usize) -> bool {
        self.heap.reserve(words + BESIDE, OBJECTS)
    }

    /// The lowest of the choicepoints that exceptions on their way go to.
    pub(super) fn lowest_target(&self) -> Option<Choice> {
        (self.thread.leaving.on_their_way.iter())
            .map(|e| self.choices.at(e.target))
            .min()
    }

    /// Whether the newest cleanup choicepoint has the left bit only if an exception on its way will remove it.
    fn is_newest_cleanup_right(&self) -> bool {
        let mut b = self.b;
        while !b.is_null()
            && self.thread.leaving.cleanups > 0
            && b.alternative() != code(Internal::Cleanup)
        {
            b = b.previous();
        }
        b.is_null()
            || self.thread.leaving.cleanups == 0
            || !b.is_left()
            || self.lowest_target().is_some_and(|to| to < b)
    }

    /// Collects where nothing is live but K and the choicepoints.
    pub(in crate::engine) fn collect_here(&mut self, generation: Generation) -> bool {
        let done = self.collect_generation(0, generation).is_ok();
        self.arm();
        done
    }

    /// The choicepoint that an exception goes to: that of the innermost active `catch/3`, or of the handler that runs for another
    /// exception; null if there is none. The cleanup choicepoints whose goals it leaves on the way get the left bit: the
    /// exception, or one that takes its place, removes all of them.
    fn innermost_catch(&self) -> Choice {
        let mut f = self.k;
        let mut b = self.b;
        let mut target = Choice::NULL;
        while !f.is_null() {
            // SAFETY: K is a chain of frames.
            unsafe {
                let resume = resume_of(*f);
                if resume == code(Internal::CatchExit) || resume == code(Internal::QuietExit) {
                    if let Some(c) = self.catch_of(*f.add(2)) {
                        target = c;
                        break;
                    }
                } else if resume == code(Internal::CleanupExit) {
                    // (That of a continuation which was suspended may be gone, and something else in its place.)
                    let cleanup = self.choices.at(*f.add(2));
                    while b > cleanup {
                        b = b.previous();
                    }
                    if b == cleanup && b.alternative() == code(Internal::Cleanup) {
                        b.set_left();
                    }
                }
                f = (*f.add(1)).frame();
            }
        }
        target
    }

    // --- contexts ---

    /// Fills the context of an error raised by a builtin: `context(system:Name/Arity, _)`.
    pub(in crate::engine) fn add_context(&mut self, t: Throw, p: &'static Predicate) -> Throw {
        let Throw::Term(ball) = t else {
            return t;
        };
        let functor = self.speaks_for(p.functor());
        let name = functor.name().as_str();
        if name.starts_with('$') && p.module() == atoms::SYSTEM && !FOR_THE_LOADER.contains(&name) {
            return Throw::Term(ball);
        }
        let made = self.indicator(functor).and_then(|i| {
            if p.module() == atoms::USER {
                Ok(i)
            } else {
                self.structure(":", &[Cell::atom(p.module()), i])
            }
        });
        match made {
            Ok(i) => self.add_culprit_context(Throw::Term(ball), i),
            Err(_) => Throw::Term(ball),
        }
    }

    /// In whose name a builtin speaks: one that does the work of a predicate written in Prolog, in that one's.
    fn speaks_for(&self, functor: Functor) -> Functor {
        let Some(public) = functor.name().as_str().strip_prefix('$') else {
            return functor;
        };
        let spoken = SPOKEN_FOR.iter().find(|(name, ..)| *name == public);
        let (name, arity) = spoken.map_or((public, functor.arity()), |s| (s.1, s.2));
        let named = Functor::new(Atom::new(name), arity);
        match self.program.code.find(atoms::SYSTEM, named) {
            Some(_) => named,
            None => functor,
        }
    }

    /// Fills an unbound context of `error(_, Context)` with `context(Culprit, _)`.
    pub(crate) fn add_culprit_context(&mut self, t: Throw, culprit: Cell) -> Throw {
        let Throw::Term(ball) = t else {
            return t;
        };
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        if let Some((f, TermArgs::Compound(c))) = unsafe { self.term(ball) }.callable()
            && f == Functor::new(atoms::ERROR, 2)
        {
            let context = c.arg(1).deref();
            if context.is_ref() {
                if let Ok(v) = self.heap.variable()
                    && let Ok(made) = self.structure("context", &[culprit, v])
                {
                    self.unify(context, made);
                }
            } else if let Some((g, TermArgs::Compound(c))) =
                // SAFETY: nothing is collected or undone before the view was used for the last time.
                unsafe { self.term(context) }.callable()
                && g == Functor::new(atoms::CONTEXT, 2)
                && c.arg(0).is_var()
            {
                let v = c.arg(0).cell();
                self.unify(v, culprit);
            }
        }
        Throw::Term(ball)
    }
}
