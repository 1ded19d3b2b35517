//! Control: calling goals, `catch/throw`, `findall/3`, cleanup, events at safe points.
//!
//! Everything here sets up frames and choicepoints and says where the loop goes next; see [`crate::internal`] for what they hold.
//!
//! - A goal that is a control construct is taken apart by [`Machine::call_body`], which keeps the cut barrier of the whole goal.
//! - `throw/1` finds the innermost active `catch/3` by walking the continuation to its `CatchExit` frame; the catch has exited if it is
//!   not there any more.
//! - A cleanup handler that a cut sets off runs at the next safe point.

use crate::choice::Choice;
use crate::error::Throw;
use crate::internal::{Internal, code};
use crate::machine::{Machine, Outcome, Results, memory_error, resume_of};
use crate::run::Go;
use samite_code::Predicate;
use samite_sched::interrupt::Events;
use samite_term::cycle::{self, Met};
use samite_term::view::Args as TermArgs;
use samite_term::{Atom, Cell, Functor, Record, Tag, atoms};

/// Control predicates, in the order of their numbers in `Op::Control`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum Control {
    /// `call/N`.
    Call,
    /// `catch/3`.
    Catch,
    /// `'$findall'(Template, Goal, List, Tail)`.
    Findall,
    /// `'$setup_call_cleanup'(Goal, Cleanup)`; the setup has run.
    Cleanup,
    /// Goals that are control constructs: `,/2`, `;/2`, `->/2`, `*->/2`, `\+/1` called as predicates.
    Construct,
    /// `throw/1`.
    Throw,
}

pub(crate) const CONTROLS: &[(&str, usize, Control, &str)] = &[
    ("call", 1, Control::Call, "0"),
    ("call", 2, Control::Call, "1?"),
    ("call", 3, Control::Call, "2??"),
    ("call", 4, Control::Call, "3???"),
    ("call", 5, Control::Call, "4????"),
    ("call", 6, Control::Call, "5?????"),
    ("call", 7, Control::Call, "6??????"),
    ("call", 8, Control::Call, "7???????"),
    ("catch", 3, Control::Catch, "0?0"),
    ("$findall", 4, Control::Findall, "?0??"),
    ("$setup_call_cleanup", 2, Control::Cleanup, "00"),
    (",", 2, Control::Construct, "00"),
    (";", 2, Control::Construct, "00"),
    ("|", 2, Control::Construct, "00"),
    ("->", 2, Control::Construct, "00"),
    ("*->", 2, Control::Construct, "00"),
    ("\\+", 1, Control::Construct, "0"),
    ("throw", 1, Control::Throw, "?"),
];

impl Machine {
    // --- calling ---

    /// Calls a goal, opaque to cuts.
    pub(crate) fn call_goal(&mut self, goal: Cell, module: Atom) -> Result<Go, Throw> {
        let barrier = self.choices.offset(self.b);
        self.check_body(goal)?;
        self.call_body(goal, barrier, module)
    }

    /// Raises the errors of ISO 7.6.2 before a control construct runs: every goal in it must be callable.
    fn check_body(&mut self, goal: Cell) -> Result<(), Throw> {
        let top = self.deref(goal);
        if top.tag() != Tag::Str {
            return Ok(());
        }
        let mut work = vec![top];
        let mut met = Met::new();
        while let Some(g) = work.pop() {
            let t = self.term(g);
            if met.again(t.deref()) {
                if cycle::is_acyclic(t) {
                    continue;
                }
                return Err(self.representation_error("cyclic_term"));
            }
            let Some((f, args)) = t.callable() else {
                if t.is_var() {
                    continue;
                }
                return Err(self.type_error("callable", top));
            };
            if f.arity() == 2
                && matches!(
                    f.name(),
                    atoms::COMMA | atoms::SEMICOLON | atoms::ARROW | atoms::SOFT_ARROW
                )
            {
                work.push(args.get(1).cell());
                work.push(args.get(0).cell());
            } else if f == Functor::new(atoms::NOT, 1) {
                work.push(args.get(0).cell());
            }
        }
        Ok(())
    }

    /// Goes on with a goal; a cut in it goes back to `barrier`.
    pub(crate) fn call_body(
        &mut self,
        goal: Cell,
        barrier: Cell,
        module: Atom,
    ) -> Result<Go, Throw> {
        let mut goal = goal;
        let mut module = module;
        let mut barrier = barrier;
        let mut met = Met::new();
        loop {
            let t = self.term(goal);
            let Some((f, args)) = t.callable() else {
                return Err(self.type_error("callable", goal));
            };
            match (f.name(), args) {
                (atoms::TRUE, TermArgs::None) => return Ok(Go::Proceed),
                (atoms::CUT, TermArgs::None) => {
                    let to = self.choices.at(barrier);
                    self.cut(to);
                    return Ok(Go::Proceed);
                }
                (atoms::COLON, TermArgs::Compound(c)) if c.arity() == 2 => {
                    let Some(m) = c.arg(0).as_atom() else {
                        let culprit = c.arg(0).cell();
                        return Err(self.type_error("module", culprit));
                    };
                    if met.again(t.deref()) {
                        return Err(self.type_error("acyclic_term", goal));
                    }
                    module = m;
                    goal = c.arg(1).cell();
                }
                (atoms::COMMA, TermArgs::Compound(c)) if c.arity() == 2 => {
                    let second = c.arg(1).cell();
                    self.push_frame(
                        Internal::Conjunction,
                        &[second, barrier, Cell::atom(module)],
                    )?;
                    goal = c.arg(0).cell();
                }
                (atoms::SEMICOLON | atoms::BAR, TermArgs::Compound(c)) if c.arity() == 2 => {
                    let (left, right) = (c.arg(0), c.arg(1).cell());
                    let mark = self.choices.offset(self.b);
                    match left.callable() {
                        Some((g, TermArgs::Compound(ite)))
                            if g.arity() == 2
                                && (g.name() == atoms::ARROW || g.name() == atoms::SOFT_ARROW) =>
                        {
                            let soft = g.name() == atoms::SOFT_ARROW;
                            let then = ite.arg(1).cell();
                            let condition = ite.arg(0).cell();
                            self.push_choice(
                                code(Internal::Otherwise),
                                &[right, barrier, Cell::atom(module)],
                            )?;
                            let mark = if soft {
                                self.choices.offset(self.b)
                            } else {
                                mark
                            };
                            let resume = if soft {
                                Internal::SoftThen
                            } else {
                                Internal::Then
                            };
                            self.push_frame(resume, &[mark, then, barrier, Cell::atom(module)])?;
                            goal = condition;
                            barrier = self.choices.offset(self.b);
                        }
                        _ => {
                            let left = left.cell();
                            self.push_choice(
                                code(Internal::Otherwise),
                                &[right, barrier, Cell::atom(module)],
                            )?;
                            goal = left;
                        }
                    }
                }
                (atoms::ARROW | atoms::SOFT_ARROW, TermArgs::Compound(c)) if c.arity() == 2 => {
                    let (condition, then) = (c.arg(0).cell(), c.arg(1).cell());
                    let mark = self.choices.offset(self.b);
                    if f.name() == atoms::ARROW {
                        self.push_frame(
                            Internal::Then,
                            &[mark, then, barrier, Cell::atom(module)],
                        )?;
                    } else {
                        self.push_frame(
                            Internal::Conjunction,
                            &[then, barrier, Cell::atom(module)],
                        )?;
                    }
                    goal = condition;
                    barrier = mark;
                }
                (atoms::NOT, TermArgs::Compound(c)) if c.arity() == 1 => {
                    let inner = c.arg(0).cell();
                    let mark = self.choices.offset(self.b);
                    self.push_choice(code(Internal::NotTrue), &[])?;
                    self.push_frame(Internal::NotFail, &[mark])?;
                    goal = inner;
                    barrier = self.choices.offset(self.b);
                }
                _ => {
                    let p = self.shared.program.callee(module, f);
                    for i in 0..f.arity() {
                        self.set_register(i, args.get(i).cell());
                    }
                    self.qualify(p, module)?;
                    return Ok(Go::Enter(p));
                }
            }
        }
    }

    /// `call/N` with `n` arguments in the registers.
    fn call_n(&mut self, n: usize) -> Result<Go, Throw> {
        let module = self.typein;
        let goal = self.register(0);
        if n == 1 {
            return self.call_goal(goal, module);
        }
        let (goal, module) = self.strip_module(goal, module)?;
        let t = self.term(goal);
        let Some((f, args)) = t.callable() else {
            return Err(self.type_error("callable", goal));
        };
        let extra = n - 1;
        let total = f.arity() + extra;
        if total > samite_code::instr::MAX_PREDICATE_ARITY {
            return Err(self.representation_error("max_procedure_arity"));
        }
        // Move the extra arguments up, then put the goal's own below.
        if f.arity() != 1 {
            let more: Vec<Cell> = (1..n).map(|i| self.register(i)).collect();
            for (i, c) in more.into_iter().enumerate() {
                self.set_register(f.arity() + i, c);
            }
        }
        for i in 0..f.arity() {
            self.set_register(i, args.get(i).cell());
        }
        let p = self
            .shared
            .program
            .callee(module, Functor::new(f.name(), total));
        self.qualify(p, module)?;
        Ok(Go::Enter(p))
    }

    /// `p` is called from `module`, by name or as what a goal there turns out to mean: its meta-arguments belong to that module.
    /// In `user`, where unqualified goals belong anyway, only those for predicates of other modules must say so.
    pub(crate) fn qualify(&mut self, p: &'static Predicate, module: Atom) -> Result<(), Throw> {
        if module == atoms::USER && [atoms::USER, atoms::SYSTEM].contains(&p.module) {
            return Ok(());
        }
        let Some(spec) = p.meta.get() else {
            return Ok(());
        };
        for (i, &s) in spec.iter().enumerate() {
            let c = self.deref(self.register(i));
            let t = self.term(c);
            let explicit = t
                .callable()
                .is_some_and(|(f, _)| f == Functor::new(atoms::COLON, 2));
            // Library code passes its users' goals on as they are.
            if s != b'?' && !explicit && (module != atoms::SYSTEM || (s == b':' && t.is_callable()))
            {
                let q = self
                    .heap
                    .structure(Functor::new(atoms::COLON, 2), &[Cell::atom(module), c])?;
                self.set_register(i, q);
            }
        }
        Ok(())
    }

    /// Takes `Module:` off a term.
    pub(crate) fn strip_module(&mut self, t: Cell, module: Atom) -> Result<(Cell, Atom), Throw> {
        let (mut t, mut module) = (self.deref(t), module);
        let mut met = Met::new();
        while let Some((f, TermArgs::Compound(c))) = self.term(t).callable() {
            if f != Functor::new(atoms::COLON, 2) {
                break;
            }
            let Some(m) = c.arg(0).as_atom() else {
                break;
            };
            if met.again(t) {
                return Err(self.type_error("acyclic_term", t));
            }
            module = m;
            t = c.arg(1).deref();
        }
        Ok((t, module))
    }

    /// A control predicate was called; its arguments are in the registers.
    pub(crate) fn control(&mut self, number: usize, p: &'static Predicate) -> Result<Go, Throw> {
        let which = CONTROLS[number].2;
        let module = self.typein;
        match which {
            Control::Call => self.call_n(p.arity()),
            Control::Construct => {
                let goal = self.goal_of(p)?;
                self.call_goal(goal, module)
            }
            Control::Throw => {
                let ball = self.deref(self.register(0));
                if ball.is_ref() {
                    return Err(self.instantiation_error());
                }
                // As a record: users' own exceptions get no context.
                Err(Throw::Record(Box::new(self.record(ball))))
            }
            Control::Catch => {
                let (goal, catcher, recovery) =
                    (self.register(0), self.register(1), self.register(2));
                let c = self.push_choice(code(Internal::Catch), &[catcher, recovery])?;
                let at = self.choices.offset(c);
                self.push_frame(Internal::CatchExit, &[at])?;
                self.call_goal(goal, module)
            }
            Control::Findall => {
                let (template, goal) = (self.register(0), self.register(1));
                let (list, tail) = (self.register(2), self.register(3));
                self.push_choice(code(Internal::Collected), &[list, tail])?;
                let number = self.new_results();
                self.push_frame(Internal::Collect, &[template, number])?;
                self.call_goal(goal, module)
            }
            Control::Cleanup => {
                let (goal, cleanup) = (self.register(0), self.register(1));
                let c = self.push_choice(code(Internal::Cleanup), &[cleanup])?;
                self.cleanups += 1;
                let at = self.choices.offset(c);
                self.push_frame(Internal::CleanupExit, &[at, cleanup])?;
                self.call_goal(goal, module)
            }
        }
    }

    // --- resume points and alternatives ---

    /// An `Internal` instruction: `e` is the frame returned to, if it is a resume point.
    pub(crate) fn internal(&mut self, point: Internal, e: *mut Cell) -> Result<Go, Throw> {
        // SAFETY: for resume points `e` is the frame, with the slots that `Internal` documents.
        let slot = |i: usize| unsafe { *e.add(2 + i) };
        let b = self.b;
        match point {
            Internal::Solution => {
                if self.k.is_null() {
                    self.k = e;
                }
                let more = self.b.alternative() != code(Internal::NoMore);
                Ok(Go::Stop(Outcome::True(more)))
            }
            Internal::NoMore => Ok(Go::Stop(Outcome::False)),
            Internal::Conjunction => self.call_body(slot(0), slot(1), slot(2).atom_of()),
            Internal::Then => {
                let to = self.choices.at(slot(0));
                self.cut(to);
                self.call_body(slot(1), slot(2), slot(3).atom_of())
            }
            Internal::SoftThen => {
                let c = self.choices.at(slot(0));
                self.soft_cut(c);
                self.call_body(slot(1), slot(2), slot(3).atom_of())
            }
            Internal::NotFail => {
                let to = self.choices.at(slot(0));
                self.cut(to);
                Ok(Go::Fail)
            }
            Internal::Otherwise => {
                let (goal, barrier, module) = (b.arg_value(0), b.arg_value(1), b.arg_value(2));
                self.b0 = b.barrier();
                self.pop_choice();
                self.call_body(goal, barrier, module.atom_of())
            }
            Internal::NotTrue | Internal::IgnoreFailure => {
                self.pop_choice();
                Ok(Go::Proceed)
            }
            Internal::Catch => {
                self.pop_choice();
                Ok(Go::Fail)
            }
            Internal::CatchExit => {
                if self.b == self.choices.at(slot(0)) {
                    self.pop_choice();
                }
                Ok(Go::Proceed)
            }
            Internal::Collect => {
                // A continuation captured by tabling may come back when its findall is over: then nobody collects.
                let number = slot(1).small_value() as u64;
                if self.findall.last().is_some_and(|r| r.number == number) {
                    let r = self.record(slot(0));
                    if let Some(results) = self.findall.last_mut() {
                        results.add(r);
                        if results.bytes() > self.memory_limit {
                            return Err(Throw::Memory);
                        }
                    }
                }
                Ok(Go::Fail)
            }
            Internal::Collected => {
                let (list, tail) = (b.arg_value(0), b.arg_value(1));
                self.pop_choice();
                let results = self.findall.pop().unwrap_or_default().into_records();
                let made = self.list_of_records(results, tail)?;
                Ok(if self.unify(list, made) {
                    Go::Proceed
                } else {
                    Go::Fail
                })
            }
            Internal::Cleanup => {
                let cleanup = b.arg_value(0);
                self.pop_choice();
                self.cleanups -= 1;
                self.run_cleanup(cleanup, Internal::ThenFail, &[])
            }
            Internal::CleanupExit => {
                if self.b == self.choices.at(slot(0)) {
                    self.pop_choice();
                    self.cleanups -= 1;
                    let (goal, module) = (slot(1), self.typein);
                    return self.run_ignoring(goal, module);
                }
                Ok(Go::Proceed)
            }
            Internal::Rethrow => {
                let ball = slot(0);
                Err(Throw::Term(ball))
            }
            Internal::RethrowAlternative => {
                let ball = b.arg_value(0);
                self.pop_choice();
                Err(Throw::Term(ball))
            }
            Internal::ThenFail => Ok(Go::Fail),
            Internal::OnceExit => {
                let to = self.choices.at(slot(0));
                self.cut(to);
                Ok(Go::Proceed)
            }
            Internal::Interrupted => self.call_goal(slot(0), slot(1).atom_of()),
            Internal::Answer => self.tabling_answer(slot(0), slot(1)),
            Internal::Joined => self.tabling_joined(slot(0), slot(1), slot(2)),
            Internal::Complete => self.tabling_complete(),
            Internal::Answers => self.tabling_next_answer(),
            Internal::Resume => self.tabling_resume(),
            Internal::Dead => {
                self.pop_choice();
                Ok(Go::Fail)
            }
        }
    }

    /// Starts collecting results; the number tells them from those of another `findall/3`.
    fn new_results(&mut self) -> Cell {
        self.next_results += 1;
        let results = Results::new(self.next_results, self.findall.last());
        self.findall.push(results);
        Cell::small(self.next_results as i64)
    }

    /// A list of the recorded terms that ends in `tail`.
    fn list_of_records(&mut self, results: Vec<Record>, tail: Cell) -> Result<Cell, Throw> {
        let mut items = Vec::with_capacity(results.len());
        for r in &results {
            items.push(self.heap.instantiate(r)?);
        }
        Ok(self.heap.list(&items, tail)?)
    }

    /// Runs a goal as `ignore(once(Goal))`, then returns to the continuation.
    pub(crate) fn run_ignoring(&mut self, goal: Cell, module: Atom) -> Result<Go, Throw> {
        let mark = self.choices.offset(self.b);
        self.push_choice(code(Internal::IgnoreFailure), &[])?;
        self.push_frame(Internal::OnceExit, &[mark])?;
        self.call_goal(goal, module)
    }

    /// Runs a cleanup handler, then goes on at `then` with the given slots.
    fn run_cleanup(&mut self, goal: Cell, then: Internal, slots: &[Cell]) -> Result<Go, Throw> {
        self.push_frame(then, slots)?;
        let module = self.typein;
        self.run_ignoring(goal, module)
    }

    /// Cleanup choicepoints above `to` are cut off: their handlers become pending.
    pub(crate) fn cut_cleanups(&mut self, to: Choice) {
        let mut b = self.b;
        while b.0 > to.0 {
            if b.alternative() == code(Internal::Cleanup) {
                self.pending.push((b.arg_value(0), self.typein));
                self.cleanups -= 1;
            }
            b = b.previous();
        }
        if !self.pending.is_empty() {
            self.arm();
        }
    }

    // --- exceptions ---

    /// Handles a throw: the loop goes on in a recovery or cleanup goal, or stops.
    pub(crate) fn unwind(&mut self, t: Throw) -> Result<Go, Throw> {
        let ball = match t {
            Throw::Term(c) => self.record(c),
            Throw::Record(r) => *r,
            Throw::Halt(status) => return Ok(Go::Stop(Outcome::Halt(status))),
            Throw::Memory => memory_error(),
            Throw::Interrupted => return Ok(Go::Fail),
        };
        loop {
            let target = self.innermost_catch();
            // Handlers between here and there run first, the newest of them now.
            let mut b = self.b;
            while !b.is_null() && b.0 > target.0 {
                let alternative = b.alternative();
                if alternative == code(Internal::Collected) {
                    self.findall.pop();
                } else if alternative == code(Internal::Complete) {
                    self.tabling_abandon(b);
                } else if alternative == code(Internal::Resume) {
                    self.tabling.barrier = self.choices.at(b.arg_value(0));
                } else if alternative == code(Internal::Cleanup) {
                    self.set_b(b);
                    self.backtrack();
                    let cleanup = b.arg_value(0);
                    self.pop_choice();
                    self.cleanups -= 1;
                    let ball = match self.heap.instantiate(&ball) {
                        Ok(c) => c,
                        Err(_) => continue,
                    };
                    // The exception on its way wins over one of the handler.
                    let any = self.heap.variable()?;
                    let quiet = self.heap.structure(
                        Functor::new(atoms::CATCH, 3),
                        &[cleanup, any, Cell::atom(atoms::TRUE)],
                    )?;
                    return self.run_cleanup(quiet, Internal::Rethrow, &[ball]);
                }
                b = b.previous();
            }
            if target.is_null() {
                return Ok(Go::Stop(Outcome::Exception(ball)));
            }
            self.set_b(target);
            self.backtrack();
            let (catcher, recovery) = (target.arg_value(0), target.arg_value(1));
            self.pop_choice();
            let Ok(term) = self.heap.instantiate(&ball) else {
                continue;
            };
            let top = self.heap.trail.top();
            let hb = std::mem::replace(&mut self.heap.hb, self.heap.h);
            let caught = self.unify(catcher, term);
            if caught {
                self.heap.hb = hb;
                return self.call_goal(recovery, self.typein);
            }
            // SAFETY: undoing the bindings of the failed unification.
            unsafe { self.heap.trail.undo(top) };
            self.heap.hb = hb;
        }
    }

    /// The choicepoint of the innermost active `catch/3`; null if there is none.
    fn innermost_catch(&self) -> Choice {
        let mut f = self.k;
        while !f.is_null() {
            // SAFETY: K is a chain of frames.
            unsafe {
                if resume_of(*f) == code(Internal::CatchExit) {
                    let c = self.choices.at(*f.add(2));
                    if !self.tabling_is_stale(c) {
                        return c;
                    }
                }
                f = (*f.add(1)).frame();
            }
        }
        Choice(std::ptr::null_mut())
    }

    // --- safe points ---

    /// A safe point at the entry of `p`: collects and handles events. `None`: go on with the entry.
    pub(crate) fn safe_point(&mut self, p: &'static Predicate) -> Result<Option<Go>, Throw> {
        let n = p.arity();
        self.check_inferences(p)?;
        let due = self.heap.h >= self.heap.soft_end();
        let stress = self.stress_due();
        if std::mem::take(&mut self.collection_wanted) {
            self.collect_generation(n, samite_heap::Generation::Major)?;
        } else if due || stress {
            self.collect(n)?;
        }
        if samite_code::reclaim::wanted() || samite_code::frames::wanted(&self.reader) {
            self.publish_generation();
        }
        if let Some((goal, module)) = self.pending.pop() {
            let frozen = self.goal_of(p)?;
            self.push_frame(Internal::Interrupted, &[frozen, Cell::atom(p.module)])?;
            self.arm();
            return self.run_ignoring(goal, module).map(Some);
        }
        let go = self.events(p)?;
        self.arm();
        Ok(go)
    }

    /// Handles the events raised for this thread, at the entry of `p`.
    fn events(&mut self, p: &'static Predicate) -> Result<Option<Go>, Throw> {
        let events = self.attention.take(Events::ALL);
        if events.is_empty() {
            return Ok(None);
        }
        if events.meets(Events::ABORT) {
            let ball = Cell::atom(atoms::ABORT);
            return Err(Throw::Term(ball));
        }
        if events.meets(Events::HALT) {
            return Err(Throw::Halt(
                crate::builtins::threads::exit_status().unwrap_or(1),
            ));
        }
        if events.meets(Events::INTERRUPT) {
            let goal = Cell::atom(Atom::new("$interrupt"));
            return self.run_before(goal, p).map(Some);
        }
        if events.meets(Events::SIGNAL)
            && let Some(goal) = self.thread.next_signal()
        {
            let goal = self.heap.instantiate(&goal)?;
            // More may be queued: look again at the next safe point.
            self.attention.raise(Events::SIGNAL);
            return self.run_before(goal, p).map(Some);
        }
        Ok(None)
    }

    /// Runs a goal (once, failure ignored) before the predicate that is about to be entered.
    fn run_before(&mut self, goal: Cell, p: &'static Predicate) -> Result<Go, Throw> {
        let frozen = self.goal_of(p)?;
        self.push_frame(Internal::Interrupted, &[frozen, Cell::atom(p.module)])?;
        self.run_ignoring(goal, atoms::USER)
    }

    /// A blocking builtin was interrupted: handles the events, then calls it again.
    pub(crate) fn interrupted(&mut self, p: &'static Predicate) -> Result<Go, Throw> {
        match self.events(p)? {
            Some(go) => Ok(go),
            None => Ok(Go::Enter(p)),
        }
    }

    /// A safe point at a return: nothing is live but the continuation.
    pub(crate) fn return_point(&mut self) -> Result<(), Throw> {
        let stress = self.stress_due();
        if self.heap.h >= self.heap.soft_end() || stress {
            self.collect(0)?;
        }
        Ok(())
    }

    fn stress_due(&mut self) -> bool {
        let every = self.heap.stress();
        if every == 0 {
            return false;
        }
        if self.stress_countdown <= 1 {
            self.stress_countdown = every;
            return true;
        }
        self.stress_countdown -= 1;
        false
    }

    // --- contexts ---

    /// Fills the context of an error raised by a builtin: `context(system:Name/Arity, _)`.
    pub(crate) fn add_context(&mut self, t: Throw, p: &'static Predicate) -> Throw {
        let Throw::Term(ball) = t else {
            return t;
        };
        // What does the work of a library predicate of the same name speaks in its name.
        let mut functor = p.functor;
        if let Some(public) = functor.name().as_str().strip_prefix('$') {
            let named = Functor::new(Atom::new(public), functor.arity());
            if self.program().find(atoms::SYSTEM, named).is_some() {
                functor = named;
            }
        }
        let made = self.indicator(functor).and_then(|i| {
            if p.module == atoms::USER {
                Ok(i)
            } else {
                self.structure(":", &[Cell::atom(p.module), i])
            }
        });
        match made {
            Ok(i) => self.add_culprit_context(Throw::Term(ball), i),
            Err(_) => Throw::Term(ball),
        }
    }

    /// Fills an unbound context of `error(_, Context)` with `context(Culprit, _)`.
    pub(crate) fn add_culprit_context(&mut self, t: Throw, culprit: Cell) -> Throw {
        let Throw::Term(ball) = t else {
            return t;
        };
        if let Some((f, TermArgs::Compound(c))) = self.term(ball).callable()
            && f == Functor::new(atoms::ERROR, 2)
        {
            let context = c.arg(1).deref();
            if context.is_ref() {
                if let Ok(v) = self.heap.variable()
                    && let Ok(made) = self.structure("context", &[culprit, v])
                {
                    self.unify(context, made);
                }
            } else if let Some((g, TermArgs::Compound(c))) = self.term(context).callable()
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
