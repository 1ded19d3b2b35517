//! Calling goals: control constructs taken apart, `call/N`, modules.
//!
//! A goal that is a control construct is taken apart by [`Worker::call_body`], which keeps the cut barrier of the whole goal. Called by
//! whatever sets up a goal between two runs of instructions.

use crate::engine::called::{Called, call_deterministic};
use crate::engine::going::Go;
use crate::engine::worker::Worker;
use crate::error::Throw;
use crate::state::internal::{Once, cells};
use rustc_hash::FxHashMap;
use samite_code::Predicate;
use samite_code::instr::MAX_PREDICATE_ARITY;
use samite_code::predicate::{always_told, flag, is_meta};
use samite_term::cycle::{self, Met};
use samite_term::view::Args as TermArgs;
use samite_term::{Atom, Cell, Functor, Tag, View, atoms, common, growth};

const COLON: Functor = Functor::new(atoms::COLON, 2);

/// Whether the arguments of such a goal are goals of the same body.
pub(super) fn has_goals(f: Functor) -> bool {
    match f.arity() {
        1 => f.name() == atoms::NOT,
        2 => matches!(
            f.name(),
            atoms::COMMA | atoms::SEMICOLON | atoms::ARROW | atoms::SOFT_ARROW
        ),
        _ => false,
    }
}

/// Whether such a goal is none for a predicate to be looked up: [`Worker::call_part`] has a case of it.
#[inline(always)]
pub(super) fn is_construct(f: Functor) -> bool {
    match f.arity() {
        0 => matches!(f.name(), atoms::TRUE | atoms::CUT | atoms::DOLLAR),
        2 => {
            f == COLON
                || matches!(
                    f.name(),
                    atoms::COMMA | atoms::SEMICOLON | atoms::BAR | atoms::ARROW | atoms::SOFT_ARROW
                )
        }
        _ => f.arity() == 1 && f.name() == atoms::NOT,
    }
}

impl Worker {
    /// Calls a goal, opaque to cuts.
    pub(in crate::engine) fn call_goal(&mut self, goal: Cell, module: Atom) -> Result<Go, Throw> {
        // Most goals are no control constructs, and say one module at most: nothing is to be converted, and no barrier is needed.
        let mut in_module = module;
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        let mut t = unsafe { self.term(goal) };
        if let View::Compound(c) = t.view()
            && c.functor() == COLON
            && let Some(m) = c.arg(0).as_atom()
        {
            (in_module, t) = (m, c.arg(1));
        }
        match t.goal() {
            Some((f, args)) if !is_construct(f) && f.arity() <= MAX_PREDICATE_ARITY => {
                self.call_plain(f, args, in_module)
            }
            _ => self.call_construct(goal, module),
        }
    }

    /// Calls a goal that is no control construct, as a term.
    #[inline(always)]
    fn call_plain(&mut self, f: Functor, args: TermArgs, module: Atom) -> Result<Go, Throw> {
        let p = self.callee(module, f)?;
        let p = self.seen(p);
        for i in 0..f.arity() {
            self.set_register(i, args.get(i).cell());
        }
        self.qualify(p, module)?;
        Ok(Go::Enter(p))
    }

    /// [`Worker::call_goal`] of any goal.
    #[inline(never)]
    fn call_construct(&mut self, goal: Cell, module: Atom) -> Result<Go, Throw> {
        let barrier = self.choices.offset(self.b);
        let body = self.body_of(goal)?;
        self.call_part(body, barrier, module, true)
    }

    /// The body that a goal is converted to before it runs (ISO 7.6.2): every goal in it must be callable, and a variable `V` stands for
    /// `call(V)`, whatever it is bound to when its turn comes. So do the goals behind modules.
    #[inline]
    fn body_of(&mut self, goal: Cell) -> Result<Cell, Throw> {
        let whole = self.deref(goal);
        if whole.tag() != Tag::Str {
            return Ok(goal);
        }
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        match unsafe { self.term(whole) }.callable() {
            Some((COLON, _)) => self.body_behind_modules(goal, whole),
            Some((f, _)) if has_goals(f) => self.converted(goal, whole, whole),
            _ => Ok(goal),
        }
    }

    /// The same of one with a module.
    #[inline(never)]
    fn body_behind_modules(&mut self, goal: Cell, whole: Cell) -> Result<Cell, Throw> {
        let mut top = whole;
        let mut met = Met::new();
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        while let Some((f, args)) = unsafe { self.term(top) }.callable()
            && f == COLON
        {
            if met.again(top) {
                return Ok(goal);
            }
            top = args.get(1).deref();
        }
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        match unsafe { self.term(top) }.callable() {
            Some((f, _)) if has_goals(f) => self.converted(goal, whole, top),
            _ => Ok(goal),
        }
    }

    /// The same of one that is a control construct, which `top` is, behind modules.
    #[inline(never)]
    fn converted(&mut self, goal: Cell, whole: Cell, top: Cell) -> Result<Cell, Throw> {
        let mut variables = false;
        let mut work = vec![top];
        let mut met = Met::new();
        while let Some(g) = work.pop() {
            // SAFETY: nothing is collected or undone before the view was used for the last time.
            let t = unsafe { self.term(g) };
            if met.again(t.deref()) {
                if cycle::is_acyclic(t) {
                    continue;
                }
                return Err(self.representation_error("cyclic_term"));
            }
            let Some((f, args)) = t.goal() else {
                if t.is_var() {
                    variables = true;
                    continue;
                }
                return Err(self.type_error("callable", top));
            };
            if has_goals(f) && f.arity() == 2 {
                growth::push(&mut work, args.get(1).cell())?;
                growth::push(&mut work, args.get(0).cell())?;
            } else if has_goals(f) {
                growth::push(&mut work, args.get(0).cell())?;
            } else if f == COLON {
                growth::push(&mut work, args.get(1).cell())?;
            }
        }
        if variables {
            return self.with_calls(whole);
        }
        Ok(goal)
    }

    /// A copy of an acyclic body's control constructs in which `call(V)` stands where a variable `V` was.
    fn with_calls(&mut self, body: Cell) -> Result<Cell, Throw> {
        enum Task {
            /// And the module that is named for it.
            Goal(Cell, Option<Cell>),
            Module(Cell),
            Made(Cell, Functor, Option<Cell>),
        }
        let mut work = vec![Task::Goal(body, None)];
        let mut goals: Vec<Cell> = Vec::new();
        // What was copied already: bodies may share their parts.
        let mut copies = FxHashMap::default();
        while let Some(task) = work.pop() {
            match task {
                Task::Goal(g, module) => {
                    let g = self.deref(g);
                    if let Some(&copy) = copies.get(&(g.0, module.map(|m| m.0))) {
                        growth::push(&mut goals, copy)?;
                        continue;
                    }
                    // SAFETY: nothing is collected or undone before the view was used for the last time.
                    match unsafe { self.term(g) }.callable() {
                        None => {
                            // (Not `M:call(G)`: a library passes on what it is given to call.)
                            let g = match module {
                                Some(m) => self.heap.structure(COLON, &[m, g])?,
                                None => g,
                            };
                            let call = Functor::new(atoms::CALL, 1);
                            growth::push(&mut goals, self.heap.structure(call, &[g])?)?;
                        }
                        Some((f, args)) if has_goals(f) => {
                            growth::have(&mut work, 1 + f.arity())?;
                            work.push(Task::Made(g, f, module));
                            // The last on top of the stack is the first.
                            work.extend(
                                (0..f.arity())
                                    .rev()
                                    .map(|i| Task::Goal(args.get(i).cell(), module)),
                            );
                        }
                        Some((f, args)) if f == COLON => {
                            growth::have(&mut work, 3)?;
                            let inner = args.get(0).cell();
                            work.push(Task::Made(g, f, module));
                            work.push(Task::Goal(args.get(1).cell(), Some(inner)));
                            work.push(Task::Module(inner));
                        }
                        Some(_) => growth::push(&mut goals, g)?,
                    }
                }
                Task::Module(m) => growth::push(&mut goals, m)?,
                Task::Made(g, f, module) => {
                    let rest = goals.len() - f.arity();
                    let made = self.heap.structure(f, &goals[rest..])?;
                    goals.truncate(rest);
                    growth::insert(&mut copies, (g.0, module.map(|m| m.0)), made)?;
                    goals.push(made);
                }
            }
        }
        Ok(goals[0])
    }

    /// Goes on with a part of a goal; a cut in it goes back to `barrier`. For handlers: what a builtin that was called in place has raised is in [`Worker::blamed`].
    pub(in crate::engine) fn call_body(
        &mut self,
        goal: Cell,
        barrier: Cell,
        module: Atom,
    ) -> Result<Go, Throw> {
        self.call_part(goal, barrier, module, false)
    }

    /// The same; `whole`: it was called as a term. If it is no control construct, that [binds](crate::builtins::imports) nothing.
    fn call_part(
        &mut self,
        goal: Cell,
        barrier: Cell,
        module: Atom,
        whole: bool,
    ) -> Result<Go, Throw> {
        let in_place = !whole;
        let mut whole = whole;
        let mut goal = goal;
        let mut module = module;
        let mut barrier = barrier;
        let mut met = Met::new();
        loop {
            // SAFETY: nothing is collected or undone before the view was used for the last time.
            let t = unsafe { self.term(goal) };
            let Some((f, args)) = t.goal() else {
                return Err(self.type_error("callable", goal));
            };
            match (f.name(), args) {
                (atoms::TRUE, TermArgs::None) => return Ok(self.proceed_safely()),
                (atoms::CUT | atoms::DOLLAR, TermArgs::None) => {
                    let to = self.choices.at(barrier);
                    if let Some(c) = self.cleanup_above(to) {
                        let module = Cell::atom(module);
                        self.push(cells::Conjunction {
                            goal,
                            barrier,
                            module,
                        })?;
                        return self.clean_up_at_cut(c, Some(to));
                    }
                    self.cut(to);
                    return Ok(self.proceed_safely());
                }
                (atoms::COLON, TermArgs::Compound(c)) if c.arity() == 2 => {
                    let Some(m) = c.arg(0).as_atom() else {
                        let culprit = c.arg(0).deref();
                        return Err(match culprit.is_ref() {
                            true => self.instantiation_error(),
                            false => self.type_error("module", culprit),
                        });
                    };
                    if met.again(t.deref()) {
                        return Err(self.type_error("acyclic_term", goal));
                    }
                    module = m;
                    goal = c.arg(1).cell();
                }
                (atoms::COMMA, TermArgs::Compound(c)) if c.arity() == 2 => {
                    let (first, second) = (c.arg(0).cell(), c.arg(1).cell());
                    if c.arg(0).as_atom() == Some(atoms::DOLLAR) {
                        let to = self.choices.at(barrier);
                        if let Some(c) = self.cleanup_above(to) {
                            let module = Cell::atom(module);
                            self.push(cells::Conjunction {
                                goal,
                                barrier,
                                module,
                            })?;
                            return self.clean_up_at_cut(c, Some(to));
                        }
                        self.cut(to);
                        self.guard_of_goal()?;
                        barrier = self.choices.offset(self.b);
                        whole = false;
                        goal = second;
                        continue;
                    }
                    let called = match in_place {
                        true => self.call_in_place(first, module)?,
                        false => None,
                    };
                    whole = false;
                    goal = match called {
                        Some(Called::True) => second,
                        Some(Called::False) => return Ok(Go::Fail),
                        _ => {
                            self.push(cells::Conjunction {
                                goal: second,
                                barrier,
                                module: Cell::atom(module),
                            })?;
                            match called {
                                Some(Called::Awaited) => return Ok(Go::Proceed),
                                Some(_) => return std::mem::replace(&mut self.went, Ok(Go::Fail)),
                                None => first,
                            }
                        }
                    };
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
                            self.push_alternative(cells::Otherwise {
                                goal: right,
                                barrier,
                                module: Cell::atom(module),
                            })?;
                            let (then_goal, in_module) = (then, Cell::atom(module));
                            if soft {
                                self.push(cells::SoftThen {
                                    mark: self.choices.offset(self.b),
                                    goal: then_goal,
                                    barrier,
                                    module: in_module,
                                })?;
                            } else {
                                self.push(cells::Then {
                                    mark,
                                    goal: then_goal,
                                    barrier,
                                    module: in_module,
                                })?;
                            }
                            whole = false;
                            goal = condition;
                            barrier = self.choices.offset(self.b);
                        }
                        _ => {
                            let left = left.cell();
                            self.push_alternative(cells::Otherwise {
                                goal: right,
                                barrier,
                                module: Cell::atom(module),
                            })?;
                            whole = false;
                            goal = left;
                        }
                    }
                }
                (atoms::ARROW | atoms::SOFT_ARROW, TermArgs::Compound(c)) if c.arity() == 2 => {
                    let (condition, then) = (c.arg(0).cell(), c.arg(1).cell());
                    let mark = self.choices.offset(self.b);
                    self.push(cells::Conjunction {
                        goal: then,
                        barrier,
                        module: Cell::atom(module),
                    })?;
                    if f.name() == atoms::ARROW {
                        let why = Once::Condition.cell();
                        self.push(cells::OnceExit { mark, why })?;
                    }
                    whole = false;
                    goal = condition;
                    barrier = mark;
                }
                (atoms::NOT, TermArgs::Compound(c)) if c.arity() == 1 => {
                    let inner = c.arg(0).cell();
                    let mark = self.choices.offset(self.b);
                    self.push_alternative(cells::NotTrue {})?;
                    self.push(cells::NotFail { mark })?;
                    whole = false;
                    goal = inner;
                    barrier = self.choices.offset(self.b);
                }
                _ => {
                    if f.arity() > MAX_PREDICATE_ARITY {
                        return self.undefinable(module, f);
                    }
                    let mut p = self.callee(module, f)?;
                    if whole {
                        p = self.seen(p);
                    }
                    for i in 0..f.arity() {
                        self.set_register(i, args.get(i).cell());
                    }
                    self.qualify(p, module)?;
                    return Ok(Go::Enter(p));
                }
            }
        }
    }

    /// Calls a goal that others follow, if it is a deterministic builtin that is quick and nothing is due: no frame is made for what follows. `None`: it is to
    /// be called as others are. Of what leaves ([`Called::Left`]) the builtin is blamed when the handler that asked for this has left.
    #[inline(never)]
    fn call_in_place(&mut self, goal: Cell, module: Atom) -> Result<Option<Called>, Throw> {
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        let Some((f, args)) = unsafe { self.term(goal) }.callable() else {
            return Ok(None);
        };
        let control = has_goals(f) || f == COLON;
        if control || !(1..=MAX_PREDICATE_ARITY).contains(&f.arity()) || self.attention_wanted() {
            return Ok(None);
        }
        let p = self.callee(module, f)?;
        if !p.has(flag::INLINE) {
            return Ok(None);
        }
        for i in 0..f.arity() {
            self.set_register(i, args.get(i).cell());
        }
        self.qualify(p, module)?;
        self.inferences += 1;
        // SAFETY: what is called in place is a deterministic builtin.
        Ok(Some(unsafe { call_deterministic(self, p, 0) }))
    }

    /// What a goal of `module` refers to. Where there is no room for an entry of the module's own it is what that would lead to: who
    /// is told that memory has ended can still call what there is.
    #[inline]
    pub(in crate::engine) fn callee(
        &self,
        module: Atom,
        f: Functor,
    ) -> Result<&'static Predicate, Throw> {
        let program = &self.program.code;
        let may_take = |bytes| {
            self.room_to_go_on(bytes, common::RESERVE / 4).is_ok() || self.has_room_to_enter(bytes)
        };
        let p = program.callee_if(module, f, may_take);
        p.or_else(|| program.resolve(module, f))
            .ok_or(Throw::Memory)
    }

    /// What a name that is not bound means now, if that is a program's.
    #[inline]
    pub(in crate::engine) fn seen(&self, p: &'static Predicate) -> &'static Predicate {
        if p.is_defined() || p.has(flag::RELOADING) {
            return p;
        }
        let found = self.resolve(p.module(), p.functor());
        found.filter(|to| !to.is_library()).unwrap_or(p)
    }

    /// A call with more arguments than predicates can have: there is none of that name.
    fn undefinable(&mut self, module: Atom, f: Functor) -> Result<Go, Throw> {
        let p = self.callee(module, f)?;
        self.undefined(p)
    }

    /// `call/N` with `n` arguments in the registers.
    pub(in crate::engine) fn call_n(&mut self, n: usize) -> Result<Go, Throw> {
        let module = self.thread.modules.typein.get();
        let goal = self.register(0);
        if n == 1 {
            return self.call_goal(goal, module);
        }
        let (goal, module) = self.strip_module(goal, module)?;
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        let t = unsafe { self.term(goal) };
        let Some((f, args)) = t.goal() else {
            return Err(self.type_error("callable", goal));
        };
        let extra = n - 1;
        let total = f.arity() + extra;
        if total > MAX_PREDICATE_ARITY {
            return self.undefinable(module, Functor::new(f.name(), total));
        }
        // Move the extra arguments up, then put the goal's own below.
        match f.arity() {
            0 => (1..n).for_each(|i| self.set_register(i - 1, self.register(i))),
            1 => {}
            own => (1..n)
                .rev()
                .for_each(|i| self.set_register(own - 1 + i, self.register(i))),
        }
        for i in 0..f.arity() {
            self.set_register(i, args.get(i).cell());
        }
        let p = self.callee(module, Functor::new(f.name(), total))?;
        let p = self.seen(p);
        self.qualify(p, module)?;
        Ok(Go::Enter(p))
    }

    /// `p` is called from `module`, by name or as what a goal there turns out to mean: its meta-arguments belong to that module.
    /// In `user`, where unqualified goals belong anyway, those for libraries need not say so, but for what is about a module. (Those for the module's own predicates are
    /// told where they are entered.)
    #[inline]
    pub(crate) fn qualify(&mut self, p: &'static Predicate, module: Atom) -> Result<(), Throw> {
        match p.meta() {
            None => Ok(()),
            Some(_) if module == atoms::USER && p.is_library() && !p.is_about_module() => Ok(()),
            Some(_) if p.has(flag::QUALIFIES) && p.module() == module => Ok(()),
            Some(spec) => {
                if p.is_transparent() {
                    self.tell_context(module)?;
                }
                self.qualify_arguments(spec, module)
            }
        }
    }
    /// `p` is entered: what its meta-arguments do not say yet is that they belong to its own module. Who calls it from another has told them.
    pub(in crate::engine) fn qualify_own(&mut self, p: &'static Predicate) -> Result<(), Throw> {
        match p.meta() {
            Some(spec) if p.has(flag::QUALIFIES) => {
                if p.is_transparent() {
                    self.tell_context(p.module())?;
                }
                self.qualify_arguments(spec, p.module())
            }
            _ => Ok(()),
        }
    }
    pub(in crate::engine) fn qualify_arguments(
        &mut self,
        spec: &[u8],
        module: Atom,
    ) -> Result<(), Throw> {
        let library = self.program.code.is_library(module);
        for (i, &s) in spec.iter().enumerate() {
            let c = self.deref(self.register(i));
            // SAFETY: nothing is collected or undone before the view was used for the last time.
            let t = unsafe { self.term(c) };
            let always = always_told(s);
            let explicit = !always
                && t.callable()
                    .is_some_and(|(f, _)| f == Functor::new(atoms::COLON, 2));
            // Library code passes its users' goals on as they are; its own have been told their module (`Worker::library_goals`).
            let passed_on = explicit || s != b':' || !t.is_callable();
            if !is_meta(s) || (library && s != b'M' && passed_on) {
                continue;
            }
            let q = match always {
                true => (self.heap).structure(COLON, &[Cell::atom(module), c])?,
                false => self.with_module(c, module)?,
            };
            self.set_register(i, q);
        }
        Ok(())
    }

    /// A meta-argument: `Module:Plain`, where Module is the innermost that it names, `module` if it names none. (One that names
    /// something else is for who is called to complain of.)
    pub(in crate::engine) fn with_module(&mut self, c: Cell, module: Atom) -> Result<Cell, Throw> {
        let c = self.deref(c);
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        let View::Compound(q) = unsafe { self.term(c) }.view() else {
            return Ok((self.heap).structure(COLON, &[Cell::atom(module), c])?);
        };
        if q.functor() != COLON {
            return Ok((self.heap).structure(COLON, &[Cell::atom(module), c])?);
        }
        if q.arg(1).callable().is_none_or(|(f, _)| f != COLON) {
            return Ok(c);
        }
        let (plain, module) = self.strip_modules(c, module)?;
        if plain == c {
            return Ok(c);
        }
        Ok((self.heap).structure(COLON, &[Cell::atom(module), plain])?)
    }

    /// Takes `Module:` off a term.
    #[inline]
    pub(crate) fn strip_module(&mut self, t: Cell, module: Atom) -> Result<(Cell, Atom), Throw> {
        let t = self.deref(t);
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        match unsafe { self.term(t) }.view() {
            View::Compound(c) if c.functor() == Functor::new(atoms::COLON, 2) => {
                self.strip_modules(t, module)
            }
            _ => Ok((t, module)),
        }
    }
    /// The same for a term that has a module.
    fn strip_modules(&mut self, mut t: Cell, mut module: Atom) -> Result<(Cell, Atom), Throw> {
        let mut met = Met::new();
        // SAFETY: nothing is collected or undone before the view was used for the last time.
        while let View::Compound(c) = unsafe { self.term(t) }.view() {
            if c.functor() != Functor::new(atoms::COLON, 2) {
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
}
