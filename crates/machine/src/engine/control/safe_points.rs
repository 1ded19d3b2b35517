//! Safe points: collections, and events that others raised for this thread.
//!
//! What other threads ask of this one as such (`COLLECT`, `TICK`) is taken first and answered then: *who asks writes down what he asks for, and
//! then raises the event*, so what has been written when the event is taken is answered, and an event that is raised after that, be it by the
//! answer itself, stays due for the next safe point ([`Worker::answer_calls`]).
//!
//! The other events are handled one at a time; each stays due until its turn. Signals run one after another in the order of their arrival:
//! while the goal of one runs, or what it threw is on its way, the others wait, but for those that are there to end what runs and depend on nothing else: a goal that
//! runs for ever must not make its thread deaf ([`signal_goals`]).

use crate::engine::going::{Go, Leave};
use crate::engine::signal_goals;
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::events::Masks;
use crate::state::frame::resume_of;
use crate::state::internal::{Internal, code};
use samite_code::Predicate;
use samite_heap::{Generation, address_space};
use samite_sched::interrupt::Events;
use samite_term::common::Held;
use samite_term::{Atom, Cell, Functor, Record, atoms};

/// Events that wait while a cleanup handler or another atomic goal runs.
const MASKED: Events = Events::SIGNAL
    .or(Events::INTERRUPT)
    .or(Events::ABORT)
    .or(Events::HALT)
    .or(Events::WANTED);

/// Events that ask for what any safe point does.
const CALLS: Events = Events::COLLECT.or(Events::TICK);

impl Worker {
    /// A safe point at the entry of `p`: collects and handles events. `None`: go on with the entry.
    pub(in crate::engine) fn safe_point(
        &mut self,
        p: &'static Predicate,
    ) -> Result<Option<Go>, Throw> {
        let n = p.arity();
        if self.heap.has_woken()
            && let Some(goal) = self.take_woken()?
        {
            // Before anything else, which would run on what has been bound and not looked at.
            self.freeze(p)?;
            self.arm();
            return self.call_goal(goal, atoms::USER).map(Some);
        }
        if !self.thread.undos.is_empty()
            && let Some(goal) = self.due_undos()?
        {
            self.freeze(p)?;
            self.arm();
            return self.call_goal(goal, atoms::SYSTEM).map(Some);
        }
        self.check_inferences()?;
        self.count_slice();
        self.signal_now();
        self.answer_calls();
        self.await_collection();
        let mut due = self.collection_due()?;
        let stress = self.stress_due();
        if std::mem::take(&mut self.collecting.wanted) {
            if self.collect_generation(n, Generation::Major).is_err() {
                // That is no error, unless the program cannot go on without it.
                self.heap.put_off_major();
            }
            address_space::give_back();
            due = self.collection_due()?;
        }
        if due || stress {
            self.collect_garbage(n)?;
        }
        let go = self.events(p)?;
        self.arm();
        Ok(go)
    }

    /// A safe point where nothing is live but K and the choicepoints, because the machine is about to fail or to run the
    /// alternative that it has just gone back to (whose arguments are older than the `H` that it restored). An event is handled like one at
    /// the entry of `fail/0`. `None`: go on.
    pub(in crate::engine) fn failing_point(&mut self) -> Result<Option<Go>, Throw> {
        self.count_failure();
        let fail = Functor::new(atoms::FAIL, 0);
        let fail = self.program.code.callee(atoms::SYSTEM, fail);
        self.safe_point(fail)
    }

    /// Handles one of the events raised for this thread, at the entry of `p`; the others stay due.
    fn events(&mut self, p: &'static Predicate) -> Result<Option<Go>, Throw> {
        if self.attention.due().is_empty() {
            return Ok(None);
        }
        let took = |m: &Worker, e| !m.attention.take(e).is_empty();
        if took(self, Events::SLICE) {
            if self.attention.is_light() {
                self.freeze(p)?;
                return Ok(Some(Go::Leave(Box::new(Leave::MakeWay))));
            }
            self.make_way_here();
        }
        if self.thread.engine.driven
            && took(self, Events::INSIST)
            && self.thread.events.masks.depth > 0
        {
            // Where it must not stop for its runner, who hears of it when this has ended.
            return Err(Throw::Term(Cell::atom(atoms::ABORT)));
        }
        if self.thread.engine.driven && took(self, Events::OF_RUNNER) {
            self.freeze(p)?;
            return Ok(Some(Go::Leave(Box::new(Leave::Wanted))));
        }
        // One that has come back to what it waited for, when the event came, is not there yet: what is called now may wait for something else.
        self.attention.give_up_wait();
        if took(self, Events::HALT) {
            if self.thread.control.id().number() == 1 {
                let status = self.program.ending.status().unwrap_or(1);
                return Err(Throw::Halt(status));
            }
            return Err(Throw::Term(Cell::atom(atoms::ABORT)));
        }
        if took(self, Events::ABORT) {
            return Err(Throw::Term(Cell::atom(atoms::ABORT)));
        }
        if self.attention.take_users() {
            self.freeze(p)?;
            let goal = Cell::atom(Atom::new("$interrupt"));
            return self.run_ignoring(goal, atoms::USER).map(Some);
        }
        if took(self, Events::SIGNAL)
            && let Some(goal) = self.next_signal()
        {
            let goal = self.heap.instantiate_on_credit(&goal)?;
            if let Some(ball) = self.thrown_by(goal) {
                // At once: a time limit that comes now would break it off, and nobody would hear of it.
                return Err(Throw::Term(ball));
            }
            self.freeze(p)?;
            self.begin_apart()?;
            self.begin_signals_goal();
            return self.call_goal(goal, atoms::USER).map(Some);
        }
        Ok(None)
    }

    /// At a safe point: does what others ask of any thread. Nothing may come between the two; see the module text.
    pub(in crate::engine) fn answer_calls(&mut self) {
        // (As a rule there are none, and to look costs less than to take.)
        if self.attention.due().meets(CALLS) {
            let _ = self.attention.take(CALLS);
        }
        self.answer_reclaimers();
        self.answer_for_engines();
    }

    /// Whether somebody else than those who call wants the thread, which is no event of its runner's.
    pub(in crate::engine) fn is_wanted(&self) -> bool {
        let own = self.attention.due().without(CALLS);
        !own.without(Events::OF_RUNNER.or(Events::SLICE)).is_empty()
    }

    /// The signal whose turn it is.
    fn next_signal(&mut self) -> Option<Held> {
        let goal = if !self.thread.events.blocked.is_empty() {
            self.next_unblocked()?
        } else if self.thread.events.masks.signal {
            let first = self.first_timer();
            let now = |goal: &Record| signal_goals::is_set_since(goal, first);
            let goal = self.thread.control.next_overtaking(&now);
            self.look_again(first, goal.is_some());
            goal?
        } else {
            self.thread.control.next_signal()?
        };
        // One that overtakes may wait already; the others become due when this one's goal has ended.
        self.attention.raise(Events::SIGNAL);
        Some(goal)
    }

    /// The signal whose turn it is of those that are not blocked.
    fn next_unblocked(&mut self) -> Option<Held> {
        let first = self.first_timer();
        let now = |goal: &Record| signal_goals::is_set_since(goal, first);
        let in_signal = self.thread.events.masks.signal;
        let overtakes_now: Option<&dyn Fn(&Record) -> bool> = in_signal.then_some(&now);
        let (control, blocked) = (
            self.thread.control.clone(),
            self.thread.events.blocked.clone(),
        );
        let is_blocked =
            &mut |goal: &Record| blocked.iter().any(|pattern| self.may_unify(pattern, goal));
        let goal = control.next_unblocked(overtakes_now, is_blocked);
        if in_signal {
            self.look_again(first, goal.is_some());
        }
        goal
    }

    /// Whether two terms off the heap could be made equal; if there is no memory to find out, they count as if. Nothing stays of it.
    pub(crate) fn may_unify(&mut self, a: &Record, b: &Record) -> bool {
        let mark = self.heap.mark();
        let first = self.heap.instantiate_on_credit(a);
        let second = self.heap.instantiate_on_credit(b);
        let fits = match (first, second) {
            (Ok(a), Ok(b)) => self.unify(a, b),
            _ => {
                self.attention.raise(Events::COLLECT);
                true
            }
        };
        // SAFETY: all that was made are the copies, and only the bindings refer to them.
        unsafe { self.heap.rollback(mark) };
        fits
    }

    /// Makes the continuation a frame that enters `p` with the arguments in the registers.
    pub(crate) fn freeze(&mut self, p: &'static Predicate) -> Result<(), Throw> {
        let mut slots = Vec::with_capacity(1 + p.arity());
        slots.push(Cell::small(std::ptr::from_ref(p) as i64));
        slots.extend((0..p.arity()).map(|i| self.register(i)));
        self.push_frame(Internal::Interrupted, &slots)
    }

    /// Goes on with what was frozen in `frame`.
    pub(in crate::engine) fn thaw(&mut self, frame: *mut Cell) -> Go {
        // SAFETY: a frame made by `freeze`; predicates live as long as the process.
        let p = unsafe {
            let p: &'static Predicate = &*((*frame.add(2)).small_value() as *const Predicate);
            for i in 0..p.arity() {
                self.set_register(i, *frame.add(3 + i));
            }
            p
        };
        // It was counted when it was entered first.
        self.inferences -= 1;
        Go::Enter(p)
    }

    // --- masks ---

    /// Masks events for this thread until the masks found now are set again.
    pub(in crate::engine) fn mask_events(&mut self) {
        let masks = Masks {
            depth: self.thread.events.masks.depth + 1,
            ..self.thread.events.masks
        };
        self.set_masks(masks);
    }

    /// The same, and the limit of inferences, for a Setup, which may have a little more memory than others.
    pub(in crate::engine) fn mask_setup(&mut self) {
        let masks = Masks {
            depth: self.thread.events.masks.depth + 1,
            limit: true,
            setup: true,
            ..self.thread.events.masks
        };
        self.set_masks(masks);
    }

    /// Takes one stretch back that masks them.
    pub(in crate::engine) fn unmask_events(&mut self) {
        let masks = self.thread.events.masks;
        let depth = masks.depth.saturating_sub(1);
        self.set_masks(Masks { depth, ..masks });
    }

    /// The same, for a cleanup handler, which may have a little of what is kept of memory, too.
    pub(in crate::engine) fn mask_handler(&mut self) {
        let masks = Masks {
            depth: self.thread.events.masks.depth + 1,
            limit: true,
            handler: true,
            ..self.thread.events.masks
        };
        self.set_masks(masks);
        self.set_apart();
    }

    /// What runs from now on, until the masks found now are set again, is no part of the evaluations of tables that it interrupts.
    pub(in crate::engine) fn set_apart(&mut self) {
        let masks = &mut self.thread.events.masks;
        masks.apart = self.thread.tabling.apart(masks.apart);
    }

    /// Sets what is masked; what is due thereby is looked at at the next safe point.
    pub(in crate::engine) fn set_masks(&mut self, masks: Masks) {
        let before = std::mem::replace(&mut self.thread.events.masks, masks);
        if before == masks {
            return;
        }
        if (before.depth > 0) != (masks.depth > 0) {
            let now = if masks.depth > 0 {
                MASKED
            } else {
                Events::NONE
            };
            self.attention
                .set_masked(self.thread.events.always_masked | now);
        }
        if before.signal && !masks.signal {
            self.attention.raise(Events::SIGNAL);
        }
        if before.handler != masks.handler {
            address_space::set_urgent(masks.handler);
        }
        self.grant_grace(before, masks);
    }

    /// What may be in use beyond the limit where `now` is masked, after `before`. It is counted from what the thread holds when the outermost
    /// Setup or handler begins, and again for a handler in a Setup, which must not do with what that has left; the Setup has its own
    /// again afterwards. No more is granted to what is in a handler: so a program that nests them without end gets to its limit.
    fn grant_grace(&mut self, before: Masks, now: Masks) {
        let grace = match now {
            Masks { handler: true, .. } if before.handler => return,
            Masks { handler: true, .. } => {
                self.heap.grace_for(self.memory()).max(self.heap.grace())
            }
            Masks { setup: true, .. } if before.handler => self.thread.events.grace_of_setup,
            Masks { setup: true, .. } if before.setup => return,
            Masks { setup: true, .. } => {
                let grace = self.heap.grace_for(self.memory());
                self.thread.events.grace_of_setup = grace;
                grace
            }
            _ if before.handler || before.setup => 0,
            _ => return,
        };
        self.heap.set_grace(grace);
    }

    /// Masks events for good.
    pub(crate) fn mask_always(&mut self, events: Events) {
        self.thread.events.always_masked = self.thread.events.always_masked | events;
        let masked = self.attention.masked();
        self.attention.set_masked(masked | events);
    }

    /// Has this thread signalled with a goal at the `n`-th safe point from now; for tests of what signals may interrupt.
    pub(crate) fn signal_later(&mut self, n: u64, goal: Held) {
        self.thread.events.signal_at = (n > 0).then_some((n, goal));
        self.arm();
    }

    fn signal_now(&mut self) {
        if let Some((n, _)) = &mut self.thread.events.signal_at {
            *n -= 1;
            if *n == 0
                && let Some((_, goal)) = self.thread.events.signal_at.take()
            {
                let overtakes = signal_goals::overtakes(&goal);
                let _ = self.thread.control.signal(goal, overtakes);
            }
        }
    }

    /// A blocking builtin was interrupted: handles the events, then calls it again; a light thread's that waits is called again when that is over.
    pub(in crate::engine) fn interrupted(&mut self, p: &'static Predicate) -> Result<Go, Throw> {
        self.answer_calls();
        if self.attention.is_suspended() && !self.is_wanted() {
            // A member of a shared evaluation that waits for anything but its answers is not waited for.
            if self.thread.tabling.share.is_some()
                && p.functor() != Functor::new(Atom::new("$wait_for_answers"), 0)
            {
                self.thread.tabling.step_out();
            }
            self.freeze(p)?;
            return Ok(Go::Leave(Box::new(Leave::Suspended)));
        }
        // A light thread waits again after that, from the end of the line.
        self.attention.give_up_wait();
        if crate::engine::given_up::has_given_up() {
            // (As a long operation: it is not called again.)
            return Err(Throw::Memory);
        }
        match self.events(p)? {
            Some(go) => Ok(go),
            None => Ok(Go::Enter(p)),
        }
    }

    /// A builtin needs a goal to have been run: runs it, then calls the builtin again.
    #[cold]
    pub(in crate::engine) fn run_before(
        &mut self,
        p: &'static Predicate,
        goal: Cell,
    ) -> Result<Go, Throw> {
        self.freeze(p)?;
        self.run_ignoring(goal, atoms::SYSTEM)
    }

    /// A safe point at a return: nothing is live but the continuation. Between a resource and its handler there is none.
    pub(in crate::engine) fn return_point(&mut self) -> Result<(), Throw> {
        // SAFETY: K is a frame.
        if !self.k.is_null() && unsafe { resume_of(*self.k) } == code(Internal::SetupDone) {
            return Ok(());
        }
        let due = self.collection_due()?;
        let stress = self.stress_due();
        if due || stress {
            self.collect_garbage(0)?;
        }
        Ok(())
    }

    /// Whether there is too much in the nursery, on the trail, in the old generation, or in all.
    fn collection_due(&mut self) -> Result<bool, Throw> {
        if self.heap.was_starved() || crate::engine::given_up::has_given_up() {
            return Err(Throw::Memory);
        }
        let merge = std::mem::take(&mut self.collecting.merge_wanted);
        Ok(merge
            || self.heap.h() >= self.heap.soft_end()
            || self.heap.is_filled()
            || self.heap.is_overdrawn()
            || self.heap.wants_major())
    }

    fn stress_due(&mut self) -> bool {
        let every = self.heap.stress();
        if every == 0 {
            return false;
        }
        if self.collecting.stress.countdown <= 1 {
            self.collecting.stress.countdown = every;
            return true;
        }
        self.collecting.stress.countdown -= 1;
        false
    }
}
