//! The goals of a body: which predicate each calls, by which event, and what of its arguments is told the module that it comes from.
//!
//! Used by the [analysis](super) alone, for what is no control construct.

use super::{Analyser, Cut, Scope, Task, is_control};
use crate::compile::events::{
    At, Event, Goal, Qualified, Qualify, Terms, comparison, term_test, type_test,
};
use crate::compile::{AT_MODULE, CALL_IN_CONTEXT, CompileError, IN_CONTEXT};
use crate::db::predicate::{Predicate, always_told, flag, is_meta};
use crate::instr::MAX_PREDICATE_ARITY;
use samite_term::{Atom, Functor, TermRef, atoms};

impl<'a> Analyser<'_, 'a> {
    fn call(
        &mut self,
        p: &'static Predicate,
        args: impl Iterator<Item = TermRef<'a>>,
        module: Atom,
    ) {
        let from = self.terms.len();
        self.terms.extend(args);
        let n = self.terms.len() - from;
        // (A clause has no more cells than that, and predicates no more arguments.)
        let args = Terms {
            from: from as u32,
            n: n as u16,
        };
        let at = self.events.len() as At + 1;
        for i in args.range() {
            self.occurs(self.terms[i], at);
        }
        let is_arg = n == 3 && p.name() == atoms::ARG && p.has(flag::CORE) && {
            let a = self.terms[from + 2];
            a.is_var() || a.deref().is_plain()
        };
        let goal = if is_arg {
            Goal::Arg(p, args)
        } else if p.has(flag::INLINE) {
            Goal::Inline(p, args)
        } else {
            let qualify = self.qualified(p, &self.terms[from..], module);
            Goal::Call(p, args, self.noted(qualify))
        };
        if !is_arg {
            self.max_arity = self.max_arity.max(n);
        }
        self.leaf(goal, &[]);
    }
    /// The place of what a call has qualified.
    fn noted(&mut self, qualify: Qualify) -> Qualified {
        if qualify.mask == 0 {
            return 0;
        }
        if self.qualified.last() != Some(&qualify) {
            self.qualified.push(qualify);
        }
        self.qualified.len() as Qualified
    }
    /// The meta-arguments of a call that must carry the module they come from. For predicates of programs that is seen to where they are
    /// entered ([`Predicate::declare_meta`]). For others in `user`, where unqualified goals belong anyway,
    /// none but what declarations are about; in a library those that are known goals of its own: what is in a variable is the caller's.
    fn qualified(&self, p: &Predicate, args: &[TermRef], module: Atom) -> Qualify {
        // What declares or asks belongs to the module that is being loaded otherwise.
        let declares =
            |spec: Option<&[u8]>| !p.has(flag::BUILTIN) && matches!(spec, Some([b':' | b'M', ..]));
        let is_user = module == atoms::USER;
        if is_user && !declares(p.meta()) || p.has(flag::QUALIFIES) {
            return Qualify::NONE;
        }
        let library = self.program.is_library(module);
        let spec = p.meta().or_else(|| {
            // Of another library that is not loaded yet. (What every program begins with has no goals of its own for those.)
            let meta = self.program.library_meta.get()?;
            let may_be = library && module != atoms::SYSTEM && !p.is_defined();
            may_be.then(|| meta(p.name().as_str(), p.arity()))?
        });
        let Some(spec) = spec else {
            return Qualify::NONE;
        };
        let (mut mask, mut always) = (0, 0);
        for (i, (&s, t)) in spec.iter().zip(args).enumerate().take(64) {
            let colon = Functor::new(atoms::COLON, 2);
            let explicit = t.callable().is_some_and(|(f, args)| {
                let nested = || !library && args.get(1).callable().is_none_or(|(g, _)| g == colon);
                f == colon && !always_told(s) && !nested()
            });
            if is_meta(s) && !explicit && (!library || s == b'M' || t.is_callable()) {
                mask |= 1 << i;
                always |= u64::from(always_told(s)) << i;
            }
        }
        Qualify {
            module,
            mask,
            always,
        }
    }
    fn meta_call(&mut self, t: TermRef<'a>, module: Atom) {
        if self.transparent {
            self.call_by(CALL_IN_CONTEXT, t, module);
            return;
        }
        let call = self.program.callee(module, Functor::new(atoms::CALL, 1));
        self.call(call, [t].into_iter(), module);
    }
    /// A goal of a transparent predicate: see [`IN_CONTEXT`].
    fn call_by(&mut self, name: &'static str, t: TermRef<'a>, module: Atom) {
        let f = Functor::new(Atom::new(name), 1);
        let p = self.program.callee(atoms::SYSTEM, f);
        self.call(p, [t].into_iter(), module);
    }
    /// Whether what a goal calls depends on the module that it is called from, as far as is known: of all but builtins without meta-arguments.
    fn depends_on_context(&self, p: &Predicate, named: bool) -> bool {
        self.transparent && !named && !(p.has(flag::BUILTIN) && p.meta().is_none())
    }
    /// Whether `t`, in a module, is the same wherever it is called from: what is compiled in place, but for what cuts, and builtins without meta-arguments.
    fn has_no_context(&self, t: TermRef<'a>, module: Atom) -> bool {
        t.goal().is_some_and(|(f, _)| {
            let name = f.name();
            match f.arity() {
                0 => name == atoms::TRUE || name == atoms::FAIL || name == atoms::FALSE,
                n if n > MAX_PREDICATE_ARITY || is_control(f) => false,
                1 if name == atoms::DOLLAR => false,
                _ => {
                    let means = self.program.resolve(module, f);
                    means.is_some_and(|p| p.has(flag::BUILTIN) && p.meta().is_none())
                }
            }
        })
    }
    /// A call of `named:t`.
    fn call_in(&mut self, named: TermRef<'a>, t: TermRef<'a>) {
        let colon = Functor::new(atoms::COLON, 2);
        let p = self.program.callee(atoms::SYSTEM, colon);
        self.call(p, [named, t].into_iter(), atoms::SYSTEM);
    }
    /// A goal: what it is, or of a construct its beginning; the rest is left to be done.
    pub(super) fn goal(
        &mut self,
        t: TermRef<'a>,
        scope: Scope<'a>,
        cut: Cut,
        work: &mut Vec<Task<'a>>,
    ) -> Result<(), CompileError> {
        let module = scope.module;
        let Some((f, args)) = t.goal() else {
            if t.is_var() {
                match scope.named {
                    // (What is in a variable of a library's own text is its caller's.)
                    Some(named) if named.is_var() || self.program.is_library(module) => {
                        self.call_in(named, t);
                    }
                    _ => self.meta_call(t, module),
                }
                return Ok(());
            }
            return Err(CompileError::NotCallable);
        };
        if let Some(named) = scope.named
            && named.is_var()
            && !is_control(f)
        {
            self.call_in(named, t);
            return Ok(());
        }
        let name = f.name();
        match f.arity() {
            0 if name == atoms::TRUE => {
                self.leaf(Goal::True, &[]);
                return Ok(());
            }
            0 if name == atoms::FAIL || name == atoms::FALSE => {
                self.leaf(Goal::Fail, &[]);
                return Ok(());
            }
            0 if name == atoms::CUT => {
                match cut {
                    Cut::Clause => {
                        self.decide();
                        let at = self.leaf(Goal::Cut, &[]);
                        self.note(0, at);
                    }
                    Cut::Local(v) => {
                        let at = self.leaf(Goal::CutTo(v), &[]);
                        self.note(v, at);
                    }
                }
                return Ok(());
            }
            // It cuts, whatever it stands in.
            0 if name == atoms::DOLLAR => {
                self.decide();
                let at = self.leaf(Goal::Cut, &[]);
                self.note(0, at);
                if let (Cut::Clause, (of, Some(f))) = (cut, self.of) {
                    let at = self.leaf(Goal::Guard(self.program.predicate(of, f)), &[]);
                    self.note(0, at);
                }
                return Ok(());
            }
            1 if name == atoms::DOLLAR => {
                // The system's, whatever the program defines under that name. Not the last call: errors say whose clause it is in.
                let p = self.program.predicate(atoms::SYSTEM, f);
                self.call(p, [args.get(0)].into_iter(), module);
                self.leaf(Goal::True, &[]);
                return Ok(());
            }
            1 if name == atoms::NOT => {
                let condition = self.condition(false, true);
                let end = 0;
                let at = self.begin(Event::Not { condition, end }, Some(true));
                self.note(condition.barrier, at);
                work.push(Task::EndNot(condition));
                work.push(Task::Goal(args.get(0), scope, Cut::Local(condition.local)));
                return Ok(());
            }
            1 => {
                // Programs may define this one.
                let theirs = name == atoms::STRING && !self.program.is_library(module);
                if let Some(op) = type_test(name).filter(|_| !theirs) {
                    self.leaf(Goal::Test1(op, args.get(0)), &[args.get(0)]);
                    return Ok(());
                }
            }
            2 => {
                let (x, y) = (args.get(0), args.get(1));
                match name {
                    // (A list cell is no conjunction or qualified goal.)
                    atoms::COMMA => {
                        work.push(Task::Goal(y, scope, cut));
                        work.push(Task::Goal(x, scope, cut));
                        return Ok(());
                    }
                    atoms::COLON => {
                        let known = x.as_atom();
                        if (known.is_some() && !y.is_var())
                            || (x.is_var() && y.callable().is_some_and(|(f, _)| is_control(f)))
                        {
                            let scope = Scope {
                                module: known.unwrap_or(module),
                                named: Some(x),
                            };
                            work.push(Task::Goal(y, scope, cut));
                        } else {
                            // What is called, or where, is known when it is.
                            self.meta_call(t, module);
                        }
                        return Ok(());
                    }
                    atoms::SEMICOLON | atoms::BAR | atoms::ARROW | atoms::SOFT_ARROW => {
                        self.control(t, scope, cut, work);
                        return Ok(());
                    }
                    _ => {}
                }
                let goal = if name == atoms::EQUALS {
                    if self.moved.iter().any(|m| m.goal.deref() == t.deref()) {
                        return Ok(());
                    }
                    Some(Goal::Unify(x, y))
                } else if name == atoms::IS {
                    Some(Goal::Is(x, y))
                } else if let Some(op) = comparison(name) {
                    Some(Goal::Compare(op, x, y))
                } else {
                    term_test(name).map(|op| Goal::Test2(op, x, y))
                };
                if let Some(goal) = goal {
                    self.leaf(goal, &[x, y]);
                    return Ok(());
                }
            }
            _ => {}
        }
        if f.arity() > MAX_PREDICATE_ARITY {
            // No predicate has so many arguments: the call finds that out.
            self.meta_call(t, module);
            return Ok(());
        }
        let p = self.program.callee(module, f);
        if f.arity() == 2
            && args.get(1).as_atom().is_some()
            && name.as_str() == AT_MODULE
            && (self.program.resolve(module, f)).is_some_and(|p| p.has(flag::BUILTIN))
            && self.has_no_context(args.get(0), module)
        {
            work.push(Task::Goal(args.get(0), scope, cut));
            return Ok(());
        }
        if self.depends_on_context(p, scope.named.is_some() || name.as_str() == AT_MODULE) {
            self.call_by(IN_CONTEXT, t, module);
            return Ok(());
        }
        self.call(p, (0..f.arity()).map(|i| args.get(i)), module);
        if self.transparent && !p.has(flag::INLINE) {
            // Not the last call: what is called finds no context that it was not told.
            self.leaf(Goal::True, &[]);
        }
        Ok(())
    }
}
