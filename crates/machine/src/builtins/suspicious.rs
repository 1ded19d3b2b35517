//! What is suspicious about a clause that a file adds, for the loader's warnings: clauses of a predicate that are not together or come
//! from two files, variables that occur once in a branch, tests of variables that are new there, and names like `_A` for variables that occur more than once.

use super::{Entry, det, pure, redefined};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use rustc_hash::FxHashMap;
use samite_code::neck::Neck;
use samite_code::predicate::{Predicate, flag};
use samite_term::{Atom, Cell, Functor, HeldAtom, TermRef, View, atoms, cycle};

pub const TABLE: &[Entry] = &[
    det("$clause_problem", 4, clause_problem),
    pure("$variable_problems", 3, variable_problems),
    det("$definition_place", 5, definition_place),
];

/// `'$clause_problem'(+Clause, +File, +Session, -Problem)`: what is suspicious about a clause that is about to be added:
/// `discontiguous(PI, CurrentPI)`, `redefined(PI)` or, of what was imported, `overrides(Module:PI, From)` or `refused(Module:PI)`.
/// Fails if nothing is.
fn clause_problem(m: &mut Ctx, a: Args) -> Res {
    // A library that is loaded between two clauses of a file does not come between them.
    if m.thread.loading.system {
        return Ok(false);
    }
    let (t, module) = m.strip_module(m.arg(a, 0), m.thread.modules.source.get())?;
    let (head, module) = match Neck::split(m.term(t)) {
        (neck, left, Some(_)) => m.strip_module(neck.head_and_guard(left).0.cell(), module)?,
        _ => (t, module),
    };
    let session = m.arg(a, 2);
    let (Some((f, _)), true) = (m.term(head).callable(), session.is_small()) else {
        return Ok(false);
    };
    let session = session.small_value();
    // (One that is refused does not come between others.)
    if m.protected(module, f).is_some() {
        return Ok(false);
    }
    let loads = &mut m.thread.loading.loads;
    let Some(load) = loads.iter_mut().rfind(|l| l.session == session) else {
        return Ok(false);
    };
    let last = load.last_clause.replace((module.hold(), f.hold()));
    if last.as_ref().is_some_and(|(m, g)| *m == module && *g == f) {
        return Ok(false);
    }
    let Some(p) = m.program.code.find(module, f) else {
        return Ok(false);
    };
    if let Some(target) = m.imported_by_name(p) {
        let loads = &mut m.thread.loading.loads;
        if let Some(load) = loads.iter_mut().rfind(|l| l.session == session) {
            load.last_clause = last;
        }
        m.refused_definition(p);
        let pi = m.qualified_indicator(target)?;
        let problem = m.structure("refused", &[pi])?;
        return Ok(m.unify_arg(a, 3, problem));
    }
    if let Some(from) = m.define_locally(p)? {
        let pi = m.qualified_indicator(p)?;
        let problem = m.structure("overrides", &[pi, Cell::atom(from)])?;
        return Ok(m.unify_arg(a, 3, problem));
    }
    if p.has(flag::MULTIFILE | flag::BUILTIN | flag::SYSTEM) {
        return Ok(false);
    }
    let (live, its_session, file) = {
        let w = p.lock();
        (w.live, w.session, w.file.clone())
    };
    if live == 0 && m.pending_place(p).is_none() {
        return Ok(false);
    }
    let taken_over = m.thread.loading.loads.last().is_some_and(|l| {
        // The module was another file's, which is about to be loaded as something else.
        l.module_of.is_some()
            && l.module_of == file
            && l.module.as_ref().is_some_and(|of| *of == module)
    });
    if taken_over && its_session != session {
        return Ok(false);
    }
    let pi = m.shown_indicator(p)?;
    let this_file = m.view(a, 1).as_atom();
    let problem = if its_session == session {
        if p.has(flag::DISCONTIGUOUS) {
            return Ok(false);
        }
        let current = match last {
            Some((module, f)) => match m.program.code.find(module.get(), f.get()) {
                Some(q) => m.shown_indicator(q)?,
                None => m.indicator(f.get())?,
            },
            _ => Cell::atom(Atom::new("-")),
        };
        m.structure("discontiguous", &[pi, current])?
    } else if dynamic_of_other(m, p, this_file).is_some()
        || file.is_some_and(|f| this_file.is_none_or(|this| f != this)) && !p.is_dynamic()
    {
        m.structure("redefined", &[pi])?
    } else {
        return Ok(false);
    };
    Ok(m.unify_arg(a, 3, problem))
}

/// Text and line of the first clause of a dynamic predicate that another file has defined.
fn dynamic_of_other(
    m: &mut Ctx,
    p: &'static Predicate,
    this_file: Option<Atom>,
) -> Option<(Atom, u32)> {
    m.reader.enter();
    this_file
        .filter(|&f| redefined::is_dynamic_of_other(p, f))
        .and_then(|f| redefined::clause_of_other(p, f))
        .map(|c| (c.text(), c.line()))
}

/// `'$definition_place'(+PI, +File, +Session, -ItsFile, -Line)`: of the first clause of a predicate: one of another file than File, which
/// is loaded, if it has none of this load yet. Fails if it has no clauses of files.
fn definition_place(m: &mut Ctx, a: Args) -> Res {
    let (t, module) = m.strip_module(m.arg(a, 0), atoms::USER)?;
    let (f, session) = (m.functor_of_indicator(t)?, m.arg(a, 2));
    let Some(p) = m.program.code.find(module, f) else {
        return Ok(false);
    };
    let loaded = m.view(a, 1).as_atom();
    let (file, its_session) = {
        let w = p.lock();
        (w.file.clone(), w.session)
    };
    let this_load = session.is_small() && its_session == session.small_value();
    let other = match this_load {
        true => None,
        false => dynamic_of_other(m, p, loaded),
    };
    let of_file = match this_load {
        true => loaded,
        false => file.as_ref().map(HeldAtom::get),
    };
    let place = other.or_else(|| of_file.and(m.first_place(p)));
    let Some((text, line)) = place else {
        return Ok(false);
    };
    Ok(m.unify_atom(a, 3, text) && m.unify_int(a, 4, i64::from(line))?)
}

impl Ctx<'_> {
    /// Text and line of the first clause that a file gave a predicate, be it in place or pending.
    pub(crate) fn first_place(&mut self, p: &'static Predicate) -> Option<(Atom, u32)> {
        self.reader.enter();
        let first = || {
            let mut clauses = p.visible_clauses();
            let first = clauses.find(|c| c.line() != 0);
            first.map(|c| (c.text(), c.line()))
        };
        self.pending_place(p).or_else(first)
    }
}

// --- variables ---

/// What is known of a variable in a part of a clause where it occurs.
#[derive(Clone, Copy)]
struct Seen {
    /// Where nothing on the same path of execution shares it: the only occurrence there.
    alone: Alone,
    /// Occurs more than once on some path.
    repeated: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Alone {
    /// Nowhere.
    No,
    /// In the part itself, outside of inner branches.
    Here,
    /// In a branch of a disjunction.
    Branch,
    /// In a negation; what follows the negation does not see the variable.
    Negation,
    /// In a branch of a disjunction in a negation.
    BranchInNegation,
}

impl Seen {
    /// The variable occurs in a part and in one that is executed after it.
    fn then(self, _later: Seen) -> Seen {
        Seen {
            alone: match self.alone {
                Alone::Negation | Alone::BranchInNegation => Alone::Negation,
                Alone::No | Alone::Here | Alone::Branch => Alone::No,
            },
            repeated: true,
        }
    }
    /// The variable occurs in two parts of which one is executed; where both are reported, the first one is.
    fn or(self, later: Seen) -> Seen {
        Seen {
            alone: match self.alone {
                Alone::No => later.alone,
                here => here,
            },
            repeated: self.repeated || later.repeated,
        }
    }
}

/// The variables of a part of a clause, by their number.
type Part = FxHashMap<usize, Seen>;

/// Adds a part to one before it, with `how` for the variables that occur in both; in proportion to the smaller one.
fn join(earlier: &mut Part, mut later: Part, how: impl Fn(Seen, Seen) -> Seen) {
    if later.len() <= earlier.len() {
        for (v, seen) in later {
            earlier
                .entry(v)
                .and_modify(|s| *s = how(*s, seen))
                .or_insert(seen);
        }
    } else {
        for (v, seen) in earlier.drain() {
            later
                .entry(v)
                .and_modify(|s| *s = how(seen, *s))
                .or_insert(seen);
        }
        *earlier = later;
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The alternatives so far.
    Disjunction,
    Path,
}

/// Tests whose result is known, in order of their places.
type Known<'a> = Vec<(bool, TermRef<'a>)>;

/// What is still to be done for a clause, last first.
enum Step<'a> {
    Goal(TermRef<'a>),
    /// A term that is no control construct.
    Term(TermRef<'a>),
    /// A part of its own begins: of a disjunction or of what is executed.
    Begin(Kind),
    EndAlternative,
    EndDisjunction,
    EndNegation,
}

/// The variables of a clause without cycles, each seen by what shares a path of execution with it. `numbers` are those of the
/// variables that matter.
fn variables_of<'a>(
    head: TermRef<'a>,
    body: Option<TermRef<'a>>,
    numbers: &FxHashMap<u64, usize>,
) -> (Part, Known<'a>) {
    let mut known = Known::new();
    // The innermost part last; beneath the parts of the alternatives is that of their disjunction.
    let mut parts = vec![(Part::default(), Kind::Path)];
    let mut steps: Vec<Step<'a>> = body.map(Step::Goal).into_iter().collect();
    steps.push(Step::Term(head));
    while let Some(step) = steps.pop() {
        match step {
            Step::Goal(t) => {
                let is_new = |v: TermRef| match v.view() {
                    View::Var(id) | View::Attributed(id) => numbers.get(&id).is_some_and(|n| {
                        let path = parts.iter().filter(|(_, kind)| *kind == Kind::Path);
                        !path.rev().any(|(part, _)| part.contains_key(n))
                    }),
                    _ => false,
                };
                known.extend(result(t, is_new).map(|holds| (holds, t)));
                goal(t, &mut steps);
            }
            Step::Term(t) => {
                let (part, _) = parts.last_mut().expect("the clause is a part");
                term(t, numbers, part, &mut steps);
            }
            Step::Begin(kind) => parts.push((Part::default(), kind)),
            Step::EndAlternative => {
                let (mut part, _) = parts.pop().expect("begun");
                for seen in part.values_mut() {
                    if seen.alone == Alone::Here {
                        seen.alone = Alone::Branch;
                    }
                }
                join(
                    &mut parts.last_mut().expect("the disjunction's").0,
                    part,
                    Seen::or,
                );
            }
            Step::EndDisjunction => {
                let (part, _) = parts.pop().expect("begun");
                join(
                    &mut parts.last_mut().expect("the outer one").0,
                    part,
                    Seen::then,
                );
            }
            Step::EndNegation => {
                let (mut part, _) = parts.pop().expect("begun");
                for seen in part.values_mut() {
                    seen.alone = match seen.alone {
                        Alone::Here => Alone::Negation,
                        Alone::Branch => Alone::BranchInNegation,
                        other => other,
                    };
                }
                join(
                    &mut parts.last_mut().expect("the outer one").0,
                    part,
                    Seen::then,
                );
            }
        }
    }
    let (part, _) = parts.pop().expect("the clause is a part");
    (part, known)
}

/// What a test gives whatever was executed before, if that is so: one of a variable that `is_new`, or compares it with another one.
fn result<'a>(t: TermRef<'a>, is_new: impl Fn(TermRef<'a>) -> bool) -> Option<bool> {
    let View::Compound(c) = t.view() else {
        return None;
    };
    match (c.name().as_str(), c.arity()) {
        ("==" | "\\==", 2) => {
            let (x, y) = (c.arg(0), c.arg(1));
            let is_var = |t: TermRef| matches!(t.view(), View::Var(_) | View::Attributed(_));
            let known = is_var(x) && is_var(y) && (is_new(x) || is_new(y));
            known.then(|| (x.deref() == y.deref()) == (c.name().as_str() == "=="))
        }
        ("var", 1) => is_new(c.arg(0)).then_some(true),
        (
            "nonvar" | "atom" | "atomic" | "integer" | "float" | "rational" | "number" | "string"
            | "compound" | "callable",
            1,
        ) => is_new(c.arg(0)).then_some(false),
        _ => None,
    }
}

fn goal<'a>(t: TermRef<'a>, steps: &mut Vec<Step<'a>>) {
    let View::Compound(c) = t.view() else {
        return steps.push(Step::Term(t));
    };
    match (c.name().as_str(), c.arity()) {
        ("," | "->" | "*->", 2) => {
            steps.push(Step::Goal(c.arg(1)));
            steps.push(Step::Goal(c.arg(0)));
        }
        (";", 2) => {
            // All alternatives at once: a long disjunction is no deep one.
            let mut alternatives = vec![c.arg(0)];
            let mut rest = c.arg(1);
            while let View::Compound(c) = rest.view()
                && c.arity() == 2
                && c.name().as_str() == ";"
            {
                alternatives.push(c.arg(0));
                rest = c.arg(1);
            }
            alternatives.push(rest);
            steps.push(Step::EndDisjunction);
            for t in alternatives.into_iter().rev() {
                steps.push(Step::EndAlternative);
                steps.push(Step::Goal(t));
                steps.push(Step::Begin(Kind::Path));
            }
            steps.push(Step::Begin(Kind::Disjunction));
        }
        ("\\+", 1) => {
            steps.push(Step::EndNegation);
            steps.push(Step::Goal(c.arg(0)));
            steps.push(Step::Begin(Kind::Path));
        }
        (":", 2) => {
            steps.push(Step::Goal(c.arg(1)));
            steps.push(Step::Term(c.arg(0)));
        }
        _ => steps.push(Step::Term(t)),
    }
}

fn term<'a>(
    t: TermRef<'a>,
    numbers: &FxHashMap<u64, usize>,
    part: &mut Part,
    steps: &mut Vec<Step<'a>>,
) {
    match t.view() {
        View::Var(id) | View::Attributed(id) => {
            if let Some(&n) = numbers.get(&id) {
                let seen = Seen {
                    alone: Alone::Here,
                    repeated: false,
                };
                part.entry(n)
                    .and_modify(|s| *s = s.then(seen))
                    .or_insert(seen);
            }
        }
        View::List(head, tail) => {
            steps.push(Step::Term(tail));
            steps.push(Step::Term(head));
        }
        View::Compound(c) => steps.extend(c.args().rev().map(Step::Term)),
        _ => {}
    }
}

/// What a variable's name asks for.
enum Style {
    /// `_`, `_1`: anything goes. `_x` may occur as often as it likes, but not once.
    Free,
    /// `_A`, `__a`: at most one occurrence.
    Once,
    /// At least two.
    Shared,
}

fn style(name: &str) -> Style {
    match name.strip_prefix('_').map(|rest| rest.chars().next()) {
        None => Style::Shared,
        Some(Some(c)) if c == '_' && name.len() > 2 || c.is_ascii_uppercase() => Style::Once,
        Some(_) => Style::Free,
    }
}

/// `'$variable_problems'(+Clause, +Bindings, -Problems)`: of the named variables of a clause, in order of the bindings:
/// `branch_singleton(Var)`, `negation_singleton(Var)`, `multiton(Var)`; then, of its tests, `eq_vv(A, B)` (they are always equal), `eq_singleton(A, B)`
/// (never), `neq_vv(A, B)`, `neq_singleton(A, B)` or `always(TrueOrFalse, Name, Argument)`. Fails if there is none.
fn variable_problems(m: &mut Ctx, a: Args) -> Res {
    let mut found: Vec<(&'static str, Cell)> = Vec::new();
    let mut known = Vec::new();
    {
        let (bindings, _) = m.view(a, 1).list_items();
        let mut names = Vec::new();
        let mut numbers = FxHashMap::default();
        for b in bindings {
            if let View::Compound(c) = b.view()
                && c.arity() == 2
                && let Some(name) = c.arg(0).as_atom()
                && let View::Var(id) | View::Attributed(id) = c.arg(1).view()
            {
                numbers.insert(id, names.len());
                names.push((name, c.arg(1).cell()));
            }
        }
        let clause = m.view(a, 0);
        if names.is_empty() || !cycle::is_acyclic(clause) {
            return Ok(false);
        }
        let (_, head, body) = Neck::split(qualified(clause));
        let (part, tests) = variables_of(head, body, &numbers);
        known.extend(tests.into_iter().map(|(holds, t)| (holds, t.cell())));
        for (n, &(name, var)) in names.iter().enumerate() {
            let Some(seen) = part.get(&n) else { continue };
            match style(name.as_str()) {
                Style::Once if seen.repeated => found.push(("multiton", var)),
                Style::Shared => match seen.alone {
                    Alone::Branch | Alone::BranchInNegation => {
                        found.push(("branch_singleton", var));
                    }
                    Alone::Negation => found.push(("negation_singleton", var)),
                    Alone::No | Alone::Here => {}
                },
                _ => {}
            }
        }
    }
    if found.is_empty() && known.is_empty() {
        return Ok(false);
    }
    let mut problems = Vec::new();
    for (problem, var) in found {
        problems.push(m.structure(problem, &[var])?);
    }
    for (holds, test) in known {
        problems.push(known_test(m, holds, test)?);
    }
    let list = m.heap.list(&problems, Cell::NIL)?;
    Ok(m.unify_arg(a, 2, list))
}

/// What is said of a test whose result is known.
fn known_test(m: &mut Ctx, holds: bool, test: Cell) -> Result<Cell, Throw> {
    let Some((f, args)) = m.term(test).callable() else {
        return Ok(test);
    };
    let args: Vec<Cell> = (0..f.arity()).map(|i| args.get(i).cell()).collect();
    let problem = match (f.name().as_str(), holds) {
        ("==", true) => "eq_vv",
        ("==", false) => "eq_singleton",
        ("\\==", true) => "neq_singleton",
        ("\\==", false) => "neq_vv",
        (name, _) => {
            let holds = Cell::atom(if holds { atoms::TRUE } else { atoms::FALSE });
            let mut all = vec![holds, Cell::atom(Atom::new(name))];
            all.extend(args);
            return m.structure("always", &all);
        }
    };
    m.structure(problem, &args)
}

/// A clause without the modules before it.
fn qualified(mut t: TermRef<'_>) -> TermRef<'_> {
    while let View::Compound(c) = t.view()
        && c.functor() == Functor::new(atoms::COLON, 2)
    {
        t = c.arg(1);
    }
    t
}
