//! What the expansion of terms and goals asks of the machine: whose hooks take part, and which arguments of a goal are goals. The expansion itself
//! is in Prolog (`library/boot/expansion.pl`, `library/program/goal_expansion.pl`).
//!
//! As in SWI-Prolog the hooks of a module are those that it defines or has imported; those of the source module come first, then those of the
//! modules that it inherits from, each once. A goal that is qualified is expanded by the hooks of that module, whoever names it. A program without
//! hooks pays nothing for them.

use super::{Entry, det, pure};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use crate::state::loading::{Asks, Load, key};
use samite_code::Predicate;
use samite_code::predicate::flag;
use samite_term::cycle::Met;
use samite_term::view::Compound;
use samite_term::{Atom, Cell, Functor, TermRef, View, atoms, growth};

pub const TABLE: &[Entry] = &[
    pure("$expansion_modules", 3, expansion_modules),
    pure("$goal_arguments", 2, goal_arguments),
    // '$reads_again': this thread loads a file again, maybe outside of the one that it reads now.
    pure("$reads_again", 0, |m, _| {
        Ok(m.thread.loading.loads.iter().any(Load::again))
    }),
    pure("$has_lambdas", 1, has_lambdas),
    // '$read_in_load'(+Module:Goal): the load in progress has read clauses of that predicate.
    pure("$read_in_load", 1, |m, a| {
        let (goal, module) = m.strip_module(m.arg(a, 0), atoms::USER)?;
        let Some((f, _)) = m.term(goal).callable() else {
            return Ok(false);
        };
        let (load, p) = (
            m.thread.loading.loads.last(),
            m.program.code.find(module, f),
        );
        Ok(load
            .zip(p)
            .is_some_and(|(load, p)| load.claimed.contains(&key(p))))
    }),
    // '$ask_hooks'(+Whose, -Before): hooks are about to be asked in the midst of a load, or have been: of `expansion`, of a `message`, or `nobody`.
    det("$ask_hooks", 2, |m, a| {
        let whose = m.atom_argument(a, 0)?;
        let of = |asks: &&(&str, Asks)| whose.as_str() == asks.0;
        let asks = WHOSE.iter().find(of).map_or(Asks::Nobody, |w| w.1);
        let loads = &mut m.thread.loading.loads;
        let load = loads.last_mut().map(|l| &mut l.asks);
        let before = load.map_or(Asks::Nobody, |l| std::mem::replace(l, asks));
        let name = WHOSE.iter().find(|w| w.1 == before).map_or("", |w| w.0);
        Ok(m.unify_arg(a, 1, Cell::atom(Atom::new(name))))
    }),
    // '$has_meaning'(+Module:Goal): by a definition or an import of that module.
    pure("$has_meaning", 1, |m, a| {
        let (goal, module) = m.strip_module(m.arg(a, 0), atoms::USER)?;
        let Some((f, _)) = m.term(goal).callable() else {
            return Ok(false);
        };
        let Some(p) = m.program.code.find(module, f) else {
            return Ok(false);
        };
        let mut meant = [Some(p), m.seen_link(p)].into_iter().flatten();
        Ok(meant.any(|p| m.is_defined(p)))
    }),
];

/// What `'$ask_hooks'/2` calls them.
const WHOSE: [(&str, Asks); 3] = [
    ("nobody", Asks::Nobody),
    ("expansion", Asks::Expansion),
    ("message", Asks::Message),
];

/// `'$expansion_modules'(+Term, -Terms, -Goals)`: for each module that has hooks `Module-Arities`; arity 0 is `'$library_expansion'/2` of `system`, among
/// the goals what the flag `optimise` leaves out. If only the module that some goal of Term is qualified with has hooks for goals, Goals is that module
/// without arities. Fails if there are no hooks.
fn expansion_modules(m: &mut Ctx, a: Args) -> Res {
    let optimises = m.optimises_debug();
    let hooks = &m.program.clone().code;
    if !optimises && !hooks.some_hook(|p| m.may_have_clauses(p)) {
        return Ok(false);
    }
    let modules = m.hooked_modules(m.thread.modules.source.get());
    let mut terms = Vec::new();
    let mut goals = Vec::new();
    let mut seen = Vec::new();
    for &module in &modules {
        let library = (module == atoms::SYSTEM).then_some((atoms::LIBRARY_EXPANSION, 2, 0));
        let of_terms = [4u8, 2].map(|n| (atoms::TERM_EXPANSION, usize::from(n), n));
        let of_terms: Vec<_> = of_terms.into_iter().chain(library).collect();
        terms.extend(m.hooks(module, &of_terms, &mut seen)?);
        goals.extend(m.hooks(module, &OF_GOALS, &mut seen)?);
    }
    if optimises {
        let hook = m.heap.list(&[Cell::small(0)], Cell::NIL)?;
        goals.push(m.structure("-", &[Cell::atom(atoms::SYSTEM), hook])?);
    }
    if goals.is_empty()
        && let Some(module) = m.expanding_qualifier(m.arg(a, 0))?
    {
        goals.push(m.structure("-", &[Cell::atom(module), Cell::NIL])?);
    }
    if terms.is_empty() && goals.is_empty() {
        return Ok(false);
    }
    let terms = m.heap.list(&terms, Cell::NIL)?;
    let goals = m.heap.list(&goals, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, terms) && m.unify_arg(a, 2, goals))
}

/// What expands goals: name, arity and what stands for it in the list.
const OF_GOALS: [(Atom, usize, u8); 2] =
    [(atoms::GOAL_EXPANSION, 4, 4), (atoms::GOAL_EXPANSION, 2, 2)];

impl Ctx<'_> {
    /// Whether debug messages and assertions are left out: the flag `optimise_debug`, by default `optimise`.
    fn optimises_debug(&self) -> bool {
        match self.flag_atom(atoms::OPTIMISE_DEBUG) {
            Some(atoms::TRUE) => true,
            Some(atoms::FALSE) => false,
            _ => self.flag_atom(atoms::OPTIMISE) == Some(atoms::TRUE),
        }
    }

    /// A module and those it inherits from.
    fn hooked_modules(&self, module: Atom) -> Vec<Atom> {
        let mut modules = Vec::new();
        let inheritance = &self.program.code.inheritance;
        let _: Option<()> = inheritance.walk(module, &mut |module| {
            if !modules.contains(&module) {
                modules.push(module);
            }
            None
        });
        modules
    }

    /// Whether a hook, or what it is imported from under whatever name, is more than a declaration: for some thread, or load.
    fn may_have_clauses(&self, hook: &'static Predicate) -> bool {
        let own = flag::THREAD_LOCAL | flag::RELOADING;
        let mut meant = [Some(hook), hook.link()].into_iter().flatten();
        meant.any(|p| p.has(own) || p.lock().live > 0 || self.is_pending(p))
    }

    /// What a hook of a module means, if it has clauses.
    fn hook(&mut self, module: Atom, name: Atom, arity: usize) -> Option<&'static Predicate> {
        let p = (self.program.code).find(module, Functor::new(name, arity))?;
        let mut meant = [Some(p), self.seen_link(p)].into_iter().flatten();
        meant.find(|&p| self.own(p).lock().live > 0 || self.is_pending(p))
    }

    /// `Module-Arities`, of those that have clauses and are not among `seen`: name, arity and what stands for it in the list.
    fn hooks(
        &mut self,
        module: Atom,
        names: &[(Atom, usize, u8)],
        seen: &mut Vec<&'static Predicate>,
    ) -> Result<Option<Cell>, Throw> {
        let mut arities = Vec::new();
        for &(name, arity, shown) in names {
            let Some(hook) = self.hook(module, name, arity) else {
                continue;
            };
            if !seen.iter().any(|&other| std::ptr::eq(other, hook)) {
                seen.push(hook);
                arities.push(Cell::small(i64::from(shown)));
            }
        }
        if arities.is_empty() {
            return Ok(None);
        }
        let arities = self.heap.list(&arities, Cell::NIL)?;
        let pair = self.structure("-", &[Cell::atom(module), arities])?;
        Ok(Some(pair))
    }

    /// A module that has hooks for goals, and that something in a term is qualified with.
    fn expanding_qualifier(&mut self, t: Cell) -> Result<Option<Atom>, Throw> {
        let program = &self.program.clone().code;
        let of_goals = |p: &Predicate| p.name() == atoms::GOAL_EXPANSION;
        if !program.some_hook(|p| of_goals(p) && self.may_have_clauses(p)) {
            return Ok(None);
        }
        let mut seen = Vec::new();
        for module in self.qualifiers(t)? {
            for of in self.hooked_modules(module) {
                if seen.contains(&of) {
                    continue;
                }
                seen.push(of);
                if (OF_GOALS.iter()).any(|&(name, arity, _)| self.hook(of, name, arity).is_some()) {
                    return Ok(Some(module));
                }
            }
        }
        Ok(None)
    }

    /// The modules that something in a term is qualified with.
    fn qualifiers(&self, t: Cell) -> Result<Vec<Atom>, Throw> {
        let colon = Functor::new(atoms::COLON, 2);
        let mut found = Vec::new();
        let mut met = Met::new();
        let mut work = vec![self.term(t)];
        while let Some(t) = work.pop() {
            let Some((f, args)) = t.callable().filter(|(f, _)| f.arity() > 0) else {
                continue;
            };
            if met.again(t.deref()) {
                continue;
            }
            if f == colon
                && let Some(module) = args.get(0).as_atom()
                && !found.contains(&module)
            {
                found.push(module);
            }
            for i in 0..f.arity() {
                growth::push(&mut work, args.get(i))?;
            }
        }
        Ok(found)
    }
}

/// `'$has_lambdas'(@Term)`: whether a lambda expression of library(yall), which is loaded, is in it: `[…]>>_` or `_/_>>_`.
fn has_lambdas(m: &mut Ctx, a: Args) -> Res {
    if !m.library_ready("yall") {
        return Ok(false);
    }
    let (lambda, free) = (
        Functor::new(Atom::new(">>"), 2),
        Functor::new(atoms::SLASH, 2),
    );
    let is_left = |left: TermRef| match left.view() {
        View::List(..) => true,
        View::Compound(c) => c.functor() == free,
        _ => left.deref() == Cell::NIL,
    };
    let is_lambda = |c: Compound| c.functor() == lambda && is_left(c.arg(0));
    Ok(has_compound(m.term(m.arg(a, 0)), is_lambda)?)
}

/// Whether such a structure is in a term, as what it is or inside of others.
pub(super) fn has_compound(
    t: TermRef,
    is: impl Fn(Compound) -> bool,
) -> Result<bool, growth::Refused> {
    let mut met = Met::new();
    let mut work = Vec::new();
    let mut next = Some(t);
    while let Some(t) = next {
        match t.view() {
            View::List(..) | View::Compound(_) if met.again(t.deref()) => {}
            View::List(head, tail) => {
                growth::push(&mut work, tail)?;
                next = Some(head);
                continue;
            }
            View::Compound(c) if is(c) => return Ok(true),
            View::Compound(c) => {
                growth::have(&mut work, c.arity())?;
                work.extend(c.args().rev());
            }
            _ => {}
        }
        next = work.pop();
    }
    Ok(false)
}

/// `'$goal_arguments'(+Module:Goal, -Specs)`: for each argument of a goal how many arguments it is called with, `^`, or something else; of the
/// predicates of libraries, too, that are not loaded. Fails if none is a goal.
fn goal_arguments(m: &mut Ctx, a: Args) -> Res {
    let (goal, module) = m.strip_module(m.arg(a, 0), atoms::USER)?;
    let Some((f, _)) = m.term(goal).callable() else {
        return Ok(false);
    };
    let program = &m.program.code;
    // (One may be declared and not yet defined.)
    let declared = program.find(module, f).filter(|p| p.meta().is_some());
    let spec = match declared.or_else(|| program.resolve(module, f)) {
        Some(p) => p.meta().map(<[u8]>::to_vec),
        None => m
            .meta_in_library(module, f)
            .map(|meta| meta.as_bytes().to_vec()),
    };
    let is_goal = |&s: &u8| s.is_ascii_digit() || s == b'^';
    let Some(spec) = spec.filter(|spec| spec.iter().any(is_goal)) else {
        return Ok(false);
    };
    let specs: Vec<Cell> = spec
        .into_iter()
        .map(|s| match s {
            b'0'..=b'9' => Cell::small(i64::from(s - b'0')),
            s => Cell::atom(Atom::of(&char::from(s).to_string())),
        })
        .collect();
    let specs = m.heap.list(&specs, Cell::NIL)?;
    Ok(m.unify_arg(a, 1, specs))
}
